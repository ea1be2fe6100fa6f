/* SPDX-License-Identifier: Apache-2.0 */
/* Sample and aggregate, replayed. Lots fall anew when there is another unit, so the words of two
   runs tell nothing of each other. What the proof rests on (parts.proof.md) can be seen in every
   pair, though: all rows of a unit lie in the same parts, no more than it may touch; the units of
   the two sides are the same but for one; if those keep their lots, and the newcomer takes those of
   whom it replaces or any others, no more results change than a unit may touch, bit for bit; and
   from the one set of results to the other the center moves by no more than the noise covers, and
   the noise shrinks by no more than e^beta. The linker shows the door and the results (-Wl,--wrap:
   meson.build). */
#ifndef TAC_TEST_REPLAY_PARTS_H
#define TAC_TEST_REPLAY_PARTS_H

#include "privacy/queries/literature/parts.h"
#include "person_codes.h"
#include "replay_world.h"

typedef struct parts_unit {
    const int64_t *row; /* its rows, in the order of their contents */
    int64_t rows;
    int64_t same; /* number of the unit of the other side that says the same; -1: none */
} parts_unit;

typedef struct parts_side {
    bool asked, whole; /* whole: the split keeps units together, in so many parts at most */
    tac_parts plan;
    tac_parts_rule rule;
    int64_t rows;
    int32_t dims;
    int16_t point[MOST_ROWS * (MOST_DIMS + 1)]; /* rows x dims: an affine row has a constant more */
    int64_t owner[MOST_ROWS], sorted[MOST_ROWS], quanta;
    parts_unit unit[MOST_ROWS];
    tac_parts_rows split;
    double *results;
} parts_side;

static parts_side parts_of[2];
static bool parts_watched;         /* by a replay: what else runs methods is left alone */
static int parts_at;               /* the side that runs */
static const tac_door *parts_door; /* its door, while it answers */

tacit_status __real_tac_door_parts(tac_door *door, const char *what, const tac_parts *plan,
                                   double *out);
tacit_status __wrap_tac_door_parts(tac_door *door, const char *what, const tac_parts *plan,
                                   double *out);
tacit_status __real_tac_parts_center(const tac_door *door, const tac_parts *plan,
                                     const tac_parts_rule *rule, const double *results,
                                     uint64_t *words, uint64_t *sigma);
tacit_status __wrap_tac_parts_center(const tac_door *door, const tac_parts *plan,
                                     const tac_parts_rule *rule, const double *results,
                                     uint64_t *words, uint64_t *sigma);

static int compare_rows(const parts_side *s, int64_t a, int64_t b)
{
    return memcmp(s->point + a * s->dims, s->point + b * s->dims,
                  (size_t)s->dims * sizeof *s->point);
}

static int by_owner(const void *a, const void *b, void *side)
{
    const parts_side *s = side;
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    if (s->owner[x] != s->owner[y]) return s->owner[x] < s->owner[y] ? -1 : 1;
    return compare_rows(s, x, y);
}

/* By what they say alone, of one side or of two. */
static int compare_units(const parts_side *s, const parts_unit *a, const parts_side *t,
                         const parts_unit *b)
{
    if (a->rows != b->rows) return a->rows < b->rows ? -1 : 1;
    for (int64_t i = 0; i < a->rows; i++) {
        const int order = memcmp(s->point + a->row[i] * s->dims, t->point + b->row[i] * t->dims,
                                 (size_t)s->dims * sizeof *s->point);
        if (order != 0) return order;
    }
    return 0;
}

static int by_content(const void *a, const void *b, void *side)
{
    return compare_units(side, a, side, b);
}

static void list_parts_units(parts_side *s)
{
    for (int64_t i = 0; i < s->rows; i++) s->sorted[i] = i;
    qsort_r(s->sorted, (size_t)s->rows, sizeof *s->sorted, by_owner, s);
    s->quanta = 0;
    for (int64_t i = 0; i < s->rows; i++) {
        if (i == 0 || s->owner[s->sorted[i]] != s->owner[s->sorted[i - 1]])
            s->unit[s->quanta++] = (parts_unit){.row = &s->sorted[i], .same = -1};
        s->unit[s->quanta - 1].rows++;
    }
    qsort_r(s->unit, (size_t)s->quanta, sizeof *s->unit, by_content, s);
}

/* How often a row lies in a part: 0 or 1, or the split is wrong. */
static int64_t times_in_part(const parts_side *s, int64_t row, int32_t part)
{
    int64_t times = 0;

    for (int64_t i = s->split.first[part]; i < s->split.first[part + 1]; i++)
        times += s->split.row[i] == row;
    return times;
}

/* Every row of a unit lies in the parts of its first one, once in each, and these are at most
   `touched`. Rows in the parts are no others. */
static bool units_are_whole(const parts_side *s)
{
    bool whole = true;

    for (int64_t u = 0; u < s->quanta; u++) {
        int32_t touched = 0;
        for (int32_t p = 0; p < s->rule.parts; p++) {
            const int64_t times = times_in_part(s, s->unit[u].row[0], p);
            touched += times > 0;
            whole = whole && times <= 1;
            for (int64_t i = 1; i < s->unit[u].rows; i++)
                whole = whole && times_in_part(s, s->unit[u].row[i], p) == times;
        }
        whole = whole && touched <= s->rule.touched && (s->plan.overlapping || touched == 1);
    }
    return whole;
}

/* Before the query is asked: who is there, and by which lots they will be divided. */
tacit_status __wrap_tac_door_parts(tac_door *door, const char *what, const tac_parts *plan,
                                   double *out)
{
    parts_side *s = &parts_of[parts_at];
    const tac_lattice *l = tac_door_lattice(door, TAC_ROWS);

    if (!parts_watched || !tac_parts_rule_of(door, plan, &s->rule))
        return __real_tac_door_parts(door, what, plan, out);
    MUST(l->rows <= MOST_ROWS && l->dims <= MOST_DIMS + 1);
    s->asked = true;
    s->plan = *plan;
    s->rows = l->rows;
    s->dims = l->dims;
    for (int64_t i = 0; i < l->rows; i++) {
        memcpy(s->point + i * l->dims, l->points + i * l->stride,
               (size_t)l->dims * sizeof *s->point);
        s->owner[i] = i;
    }
    if (door->shard[0].owner != NULL) code_persons(door->shard[0].owner, l->rows, s->owner);
    list_parts_units(s);
    MUST(tac_parts_split(door, plan, &s->rule, (uint64_t)door->asked, &s->split) == TACIT_OK);
    s->whole = units_are_whole(s);
    parts_door = door;
    return __real_tac_door_parts(door, what, plan, out);
}

static size_t result_size(const parts_side *s)
{
    return (size_t)s->plan.k * (size_t)s->plan.q * (size_t)s->dims;
}

tacit_status __wrap_tac_parts_center(const tac_door *door, const tac_parts *plan,
                                     const tac_parts_rule *rule, const double *results,
                                     uint64_t *words, uint64_t *sigma)
{
    parts_side *s = &parts_of[parts_at];
    const size_t bytes = (size_t)rule->parts * result_size(s) * sizeof *results;

    if (parts_watched) {
        free(s->results);
        s->results = malloc(bytes);
        MUST(s->results != NULL);
        memcpy(s->results, results, bytes);
    }
    return __real_tac_parts_center(door, plan, rule, results, words, sigma);
}

/* Units of the two sides that say the same, paired. True: all but one, and under replace one on
   each side. */
static bool units_are_neighbors(parts_side *a, parts_side *b, bool replace)
{
    int64_t only_a = 0, only_b = 0;

    for (int64_t i = 0, j = 0; i < a->quanta || j < b->quanta;) {
        const int order = i == a->quanta   ? 1
                          : j == b->quanta ? -1
                                           : compare_units(a, &a->unit[i], b, &b->unit[j]);
        if (order == 0)
            a->unit[i].same = j, b->unit[j++].same = i++;
        else if (order < 0)
            only_a++, i++;
        else
            only_b++, j++;
    }
    return replace ? only_a <= 1 && only_b <= 1 : only_a + only_b <= 1;
}

/* Where a row of side a stands on side b; -1: it is gone. */
static int64_t row_beside(const parts_side *a, const parts_side *b, int64_t row)
{
    for (int64_t u = 0; u < a->quanta; u++)
        for (int64_t i = 0; i < a->unit[u].rows; i++)
            if (a->unit[u].row[i] == row)
                return a->unit[u].same < 0 ? -1 : b->unit[a->unit[u].same].row[i];
    return -1;
}

/* The rows of part p on side b, if common units keep their lots of side a; the newcomer's come
   where the unit was that is gone, and without one into part 0 and those after it, as many as it
   may touch. */
static int64_t coupled_part(const parts_side *a, const parts_side *b, int32_t p, int64_t *row)
{
    const parts_unit *gone = NULL, *fresh = NULL;
    int64_t count = 0;

    for (int64_t u = 0; u < a->quanta; u++) gone = a->unit[u].same < 0 ? &a->unit[u] : gone;
    for (int64_t u = 0; u < b->quanta; u++) fresh = b->unit[u].same < 0 ? &b->unit[u] : fresh;
    for (int64_t i = a->split.first[p]; i < a->split.first[p + 1]; i++) {
        row[count] = row_beside(a, b, a->split.row[i]);
        count += row[count] >= 0;
    }
    const bool joins = fresh != NULL &&
                       (gone != NULL ? times_in_part(a, gone->row[0], p) > 0 : p < a->rule.touched);
    for (int64_t i = 0; joins && i < fresh->rows; i++) row[count++] = fresh->row[i];
    return count;
}

static bool solve_coupled(const parts_side *a, const parts_side *b, tacit_ctx *c, double *results)
{
    const tac_lattice lattice = {.rows = b->rows,
                                 .dims = b->dims,
                                 .stride = b->dims,
                                 .points = (int16_t *)(uintptr_t)b->point};
    tacit_ctx quiet = {.threads = 1, .block_bytes = c->block_bytes, .parent = c};
    int64_t row[2 * MOST_ROWS];
    tacit_status status = TACIT_OK;

    const int before = tac_parts_begin();
    for (int32_t p = 0; p < a->rule.parts && status == TACIT_OK; p++) {
        const int64_t count = coupled_part(a, b, p, row);
        status = (a->plan.points ? tac_part_points : tac_part_subspaces)(
            &quiet, &lattice, row, count, &a->plan, results + (size_t)p * result_size(a));
    }
    tac_parts_end(before);
    return status == TACIT_OK;
}

/* The center moves by no more than the noise covers, on either side, and the noise by no more than
   e^beta; 2^-17: it is a whole number. */
static bool noise_covers(const parts_side *a, tacit_ctx *c, const uint64_t *was,
                         const double *results)
{
    const size_t size = result_size(a);
    uint64_t *word = malloc((size + 1) * sizeof *word);
    double *at = malloc(2 * size * sizeof *at), moved;

    MUST(word != NULL && at != NULL);
    MUST(__real_tac_parts_center(parts_door, &a->plan, &a->rule, results, word, &word[size]) ==
         TACIT_OK);
    for (size_t i = 0; i < size; i++) {
        at[i] = ldexp((double)(int64_t)was[i], -TAC_PARTS_GRID);
        at[size + i] = ldexp((double)(int64_t)word[i], -TAC_PARTS_GRID);
    }
    MUST(tac_parts_distance(c, &a->plan, at, at + size, a->dims, &moved) == TACIT_OK);
    const double one = ldexp((double)was[size], -TAC_PARTS_GRID),
                 two = ldexp((double)word[size], -TAC_PARTS_GRID);
    free(word), free(at);
    return moved <= a->rule.alpha * fmin(one, two) &&
           fabs(log(one / two)) <= a->rule.beta + 0x1p-17;
}

/* Called when the second side has its exact answer. was: that of the first, the scale of its noise
   last. */
static bool parts_within(tacit_ctx *c, const world *w, const uint64_t *was)
{
    parts_side *a = &parts_of[0], *b = &parts_of[1];
    const char *wrong = NULL;
    int32_t changed = 0;

    if (!a->asked || !b->asked || a->dims != b->dims || a->rule.parts != b->rule.parts)
        wrong = "were asked in two ways";
    else if (!a->whole || !b->whole)
        wrong = "have rows of one person apart, or in too many parts";
    else if (!units_are_neighbors(a, b, w->neighbors == TACIT_REPLACE))
        wrong = "have persons that differ in more than one";
    if (wrong == NULL) {
        const size_t size = result_size(a);
        double *results = malloc((size_t)a->rule.parts * size * sizeof *results);
        MUST(results != NULL && solve_coupled(a, b, c, results));
        for (size_t p = 0; p < (size_t)a->rule.parts; p++)
            changed +=
                memcmp(results + p * size, a->results + p * size, size * sizeof *results) != 0;
        if (changed > a->rule.touched)
            wrong = "change more results than a unit may touch";
        else if (!noise_covers(a, c, was, results))
            wrong = "move further than the noise covers";
        free(results);
    }
    if (wrong != NULL) printf("# parts %s (%d results changed)\n", wrong, (int)changed);
    return wrong == NULL;
}

/* Side `side` runs from here on. */
static void parts_begin(int side)
{
    parts_side *s = &parts_of[side];

    free(s->split.first);
    free(s->split.row);
    free(s->results);
    memset(s, 0, offsetof(parts_side, point));
    s->split = (tac_parts_rows){0};
    s->results = NULL;
    parts_at = side;
    parts_watched = true;
}

#endif
