/* SPDX-License-Identifier: Apache-2.0 */
/* Brute force over tiny worlds: all data sets of up to three rows of a small grid, placed as a run
   places them, every query's exact answer, and how far the answers of all pairs of neighbors are
   apart. */
#ifndef TAC_TEST_BRUTE_H
#define TAC_TEST_BRUTE_H

#include "privacy/door_internal.h"
#include "statistics.h"
#include "tap.h"
#include "trace_norm.h"

#include <math.h>

enum { MOST_POINTS = 27, MOST_COLUMNS = 3, MOST_ROWS = 3, MOST_SETS = 4060, MOST_WORDS = 64 };
#define QUANTA_ASKED (UINT64_C(1) << 45)
enum { RELATIONS = 3, QUANTA = 2, NORMS = 2 };
static const char *const relation_name[RELATIONS] = {"add-remove", "replace", "entry"};

/* How two answers are compared: L2 squared on accounts with Gaussian noise and L1 on pure ones, or
   the trace norm where the noise is trace noise; the range of the change of all costs; the same
   item by item (labels); the range of the change of tr U^T A U over all directions U of the plane,
   cell by cell. */
typedef enum measure { BY_NORM, BY_RANGE, BY_ITEM, BY_SPECTRUM, BY_TRACE } measure;
#define SPECTRUM_GRID 40 /* the last one, in rows, on a grid of so many binary digits */

/* ---- a world ---- */

typedef struct small_set {
    int rows, row[MOST_ROWS]; /* points, largest first; -1: none */
    tac_lattice lattice, projection;
    uint64_t word[MOST_WORDS]; /* the exact answer to the query at hand */
} small_set;

typedef struct small_world {
    const char *name;
    int32_t columns, dims;
    int points;
    double raw[MOST_POINTS][MOST_COLUMNS];
    tac_frame frame, beside;
    int rows;                      /* of the largest sets */
    int sets, upto[MOST_ROWS + 1]; /* how many there are, of so many rows at most */
    small_set *set;                /* the fewest rows first */
    int index[MOST_POINTS + 1][MOST_POINTS + 1][MOST_POINTS + 1];
} small_world;

/* The rows go the way that a run's rows go: from memory through the frame to the lattice. */
static void place_rows(tacit_ctx *ctx, const small_world *w, const small_set *s,
                       const tac_frame *frame, tac_lattice *out)
{
    double raw[MOST_ROWS][MOST_COLUMNS], flat[MOST_ROWS * MOST_COLUMNS];
    tacit_data *data = NULL;
    tac_engine engine;

    if (frame->dims == 0) return;
    for (int i = 0; i < s->rows; i++) memcpy(raw[i], w->raw[s->row[i]], sizeof raw[i]);
    for (int i = 0; i < s->rows * w->columns; i++) flat[i] = raw[i / w->columns][i % w->columns];
    tac_engine_threads(ctx, &engine);
    MUST(tacit_data_from_memory(ctx, flat, TACIT_F64, s->rows, w->columns, &data) == TACIT_OK);
    MUST(tac_data_load(ctx, data, NULL) == TACIT_OK);
    MUST(tac_lattice_build(ctx, &engine, data, frame, NULL, out) == TACIT_OK &&
         out->rows == s->rows);
    tacit_data_free(data);
}

static void list_set(tacit_ctx *ctx, small_world *w, int a, int b, int c)
{
    small_set *s = &w->set[w->sets];

    MUST(w->sets < MOST_SETS);
    *s = (small_set){.rows = (a >= 0) + (b >= 0) + (c >= 0), .row = {a, b, c}};
    place_rows(ctx, w, s, &w->frame, &s->lattice);
    place_rows(ctx, w, s, &w->beside, &s->projection);
    w->index[a + 1][b + 1][c + 1] = w->sets++;
    w->upto[s->rows] = w->sets;
}

/* All multisets of at most w->rows points. */
static void open_world(tacit_ctx *ctx, small_world *w)
{
    w->set = calloc(MOST_SETS, sizeof *w->set);
    MUST(w->set != NULL && w->points <= MOST_POINTS);
    list_set(ctx, w, -1, -1, -1);
    for (int rows = 1; rows <= w->rows; rows++)
        for (int a = 0; a < w->points; a++)
            for (int b = rows > 1 ? 0 : -1; b <= (rows > 1 ? a : -1); b++)
                for (int c = rows > 2 ? 0 : -1; c <= (rows > 2 ? b : -1); c++)
                    list_set(ctx, w, a, b, c);
    w->dims = w->frame.dims;
}

static void close_world(small_world *w)
{
    for (int i = 0; i < w->sets; i++) {
        tac_lattice_clear(&w->set[i].lattice);
        tac_lattice_clear(&w->set[i].projection);
    }
    free(w->set);
    tac_frame_clear(&w->frame);
    tac_frame_clear(&w->beside);
}

/* ---- asking ---- */

typedef struct brute_params {
    tac_definition definition;
    tacit_neighbors neighbors;
    int32_t rows_per_unit;
    uint64_t seed;
} brute_params;

typedef struct exact_answer {
    size_t words;
    uint64_t word[MOST_WORDS];
    int64_t noise[MOST_WORDS]; /* where it is wanted */
} exact_answer;

static bool answered, want_noise;
static bool asked_of[TAC_KINDS]; /* kinds that some test asked */
static tac_engine threads_engine;

/* Once the exact answer is known nothing else is looked at: noise would only take time. */
static tacit_status until_answered(const tac_engine *self, const tacit_ctx *ctx, int64_t blocks,
                                   tac_block_fn body, void *state)
{
    (void)self;
    return answered && !want_noise ? TACIT_OK
                                   : threads_engine.map(&threads_engine, ctx, blocks, body, state);
}

static void keep_exact(void *payload, const tac_receipt *receipt, const uint64_t *word,
                       size_t words)
{
    exact_answer *e = payload;
    asked_of[receipt->kind] = true;
    MUST(words <= MOST_WORDS);
    e->words = words;
    memcpy(e->word, word, words * sizeof *word);
    answered = true;
}

static void keep_noisy(void *payload, const tac_receipt *receipt, uint64_t *word, size_t words)
{
    exact_answer *e = payload;
    (void)receipt;
    for (size_t i = 0; i < words && want_noise; i++) e->noise[i] = (int64_t)(word[i] - e->word[i]);
}

typedef tacit_status (*query_fn)(tac_door *door, const void *what);

/* Opens a door over a set, asks, keeps the exact answer; returns the receipt. counts: NULL, or of
   the set. */
static tac_receipt ask_of(tacit_ctx *ctx, const small_set *s, const tac_counts *counts,
                          const brute_params *t, query_fn query, const void *what,
                          exact_answer *out)
{
    static tac_key keys[8]; /* by seed */
    tac_accountant accountant = {.definition = t->definition, .budget = UINT64_C(1) << 60};
    const tac_door_probe probe = {.exact = keep_exact, .noisy = keep_noisy, .payload = out};
    tac_engine engine;
    tac_key fresh, *key = &keys[t->seed];
    tac_door *door = NULL;

    MUST(t->seed < 8);
    if (key->owner == 0) tac_key_from_insecure_seed(t->seed, key);
    if (want_noise) MUST(tac_key_from_system(ctx, key = &fresh) == TACIT_OK);
    tac_engine_threads(ctx, &threads_engine);
    engine = threads_engine;
    engine.map = until_answered;
    answered = false;
    MUST(tac_door_open(ctx, &engine, &s->lattice, t->neighbors, t->rows_per_unit, &accountant, key,
                       &door) == TACIT_OK);
    if (counts != NULL) tac_door_counts(door, counts);
    if (s->projection.dims > 0) tac_door_set_frame(door, TAC_PROJECTED, &s->projection);
    tac_door_set_probe(door, &probe);
    const tacit_status status = query(door, what);
    if (status != TACIT_OK || !answered) printf("# %s\n", tacit_ctx_message(ctx));
    MUST(status == TACIT_OK && answered);
    const tac_receipt receipt = *tac_door_receipt(door, 0);
    tac_door_close(door);
    return receipt;
}

/* Is the noise that a query really adds of the size that its receipt says? With keys of the system:
   sums of t^2 of Gaussian noise are chi-square, sums of |t| of Laplace noise half of one. Standard
   normal. */
static double noise_z(tacit_ctx *ctx, const small_set *s, const tac_counts *counts,
                      const brute_params *t, query_fn query, const void *what)
{
    /* a fifth of it sees half of the noise missing */
    const double numbers = (double)tap_times(1000);
    double squares = 0, sizes = 0, diagonal = 0, n = 0, of = 0;
    tac_receipt r = {0};
    exact_answer e = {0};

    want_noise = true;
    while (n < numbers) {
        r = ask_of(ctx, s, counts, t, query, what, &e);
        for (size_t i = 0, left = (size_t)r.dims; r.distribution == TAC_TRACE && i < e.words;
             of++) {
            diagonal += fabs((double)e.noise[i]) / (TAC_MOMENT_SAME * (double)r.scale);
            i += left--;
            if (left == 0) left = (size_t)r.dims;
        }
        for (size_t i = 0; i < e.words; i++, n++) {
            const double x = fabs((double)e.noise[i]) / (double)r.scale;
            squares += x * x;
            sizes += x;
        }
    }
    want_noise = false;
    /* numbers on a diagonal are independent sums of dims + 1 products of normals */
    if (r.distribution == TAC_TRACE) {
        const double h = (r.dims + 1) / 2.0, mean = 2 * tgamma(h + 0.5) / (sqrt(M_PI) * tgamma(h));
        return (diagonal - of * mean) / sqrt(of * (r.dims + 1 - mean * mean));
    }
    return r.distribution == TAC_GAUSSIAN ? chi_square_z(squares, n)
                                          : chi_square_z(2 * sizes, 2 * n);
}

/* Such a check fails a right program once in 5 10^9 times, and there are fewer than 200. With 99 %
   power it sees noise that is 20 % (Gaussian) or 28 % (Laplace) too small; test_noise_added.c looks
   closer. */
#define NOISE_LIMIT 6.36

/* ---- neighbors ---- */

typedef struct farthest {
    tac_u128 by[NORMS]; /* L2 squared, L1; other measures have one number */
    tac_u128 trace;     /* to the nearest integer */
    long pairs;
} farthest;

static void widen(farthest *far, const uint64_t *a, const uint64_t *b, size_t words, measure how,
                  size_t group)
{
    tac_u128 by[NORMS] = {0};

    far->pairs++;
    if (how == BY_TRACE) { /* group: dims */
        const tac_u128 moved = (tac_u128)llround(trace_moved(NULL, (int32_t)group, a, b, words));
        far->trace = moved > far->trace ? moved : far->trace;
    }
    /* triangles of 2 x 2 matrices: the two eigenvalues of the change are this far apart */
    if (how == BY_SPECTRUM) {
        double sum = 0;
        for (size_t i = 0; i < words; i += 3)
            sum += hypot((double)(int64_t)(a[i] - b[i] - a[i + 2] + b[i + 2]),
                         2 * (double)(int64_t)(a[i + 1] - b[i + 1]));
        by[0] = by[1] = (tac_u128)ldexp(sum / ((double)TAC_M * TAC_M) * (1 - 1e-14), SPECTRUM_GRID);
    } else if (how == BY_NORM || how == BY_TRACE) {
        for (size_t i = 0; i < words; i++) {
            const int64_t gap = (int64_t)(a[i] - b[i]);
            const uint64_t size = (uint64_t)(gap < 0 ? -gap : gap);
            by[0] += (tac_u128)size * size;
            by[1] += size;
        }
    } else {
        const size_t each = how == BY_ITEM ? group : words;
        for (size_t first = 0; first < words; first += each) {
            int64_t most = INT64_MIN, least = INT64_MAX;
            for (size_t i = first; i < first + each; i++) {
                const int64_t gap = (int64_t)(a[i] - b[i]);
                most = gap > most ? gap : most;
                least = gap < least ? gap : least;
            }
            by[0] += (uint64_t)(most - least);
        }
        by[1] = by[0];
    }
    for (int n = 0; n < NORMS; n++) far->by[n] = by[n] > far->by[n] ? by[n] : far->by[n];
}

/* The set of these rows beside those of a base; -1: too many. */
static int joined(const small_world *w, int rows, const small_set *base, const int *unit)
{
    int sorted[MOST_ROWS] = {-1, -1, -1}, n = 0;

    if (base->rows + unit[0] > rows) return -1;
    for (int i = 0; i < base->rows + unit[0]; i++) {
        const int row = i < base->rows ? base->row[i] : unit[1 + i - base->rows];
        int at = n++;
        for (; at > 0 && sorted[at - 1] < row; at--) sorted[at] = sorted[at - 1];
        sorted[at] = row;
    }
    return w->index[sorted[0] + 1][sorted[1] + 1][sorted[2] + 1];
}

/* Do two rows of counts differ by 1 in one of them? */
static bool one_count(const small_world *w, int a, int b)
{
    double far = 0;
    for (int j = 0; j < w->columns; j++) far += fabs(w->raw[a][j] - w->raw[b][j]);
    return far == 1;
}

/* Is the answer for every set the sum of those for its rows? Then what stays the same on both sides
   moves nothing, and units without other rows beside them stand for all pairs. */
static bool adds_up(const small_world *w, int rows, size_t words)
{
    const uint64_t *none = w->set[w->index[0][0][0]].word;

    for (int i = 0; i < w->upto[rows]; i++)
        for (size_t j = 0; j < words; j++) {
            uint64_t sum = none[j];
            for (int r = 0; r < w->set[i].rows; r++)
                sum += w->set[w->index[w->set[i].row[r] + 1][0][0]].word[j] - none[j];
            if (sum != w->set[i].word[j]) return false;
        }
    return true;
}

/* All pairs of neighbors, a unit having at most m rows: with the unit and without it; or with one
   unit and with another, where a single row is replaced by a row and a person may come with fewer,
   or none. */
static void all_pairs(const small_world *w, int rows, tacit_neighbors neighbors, int m,
                      size_t words, measure how, size_t group, bool alone, farthest *far)
{
    static int unit[MOST_POINTS * MOST_POINTS][3], with[MOST_POINTS * MOST_POINTS];
    const bool replace = neighbors != TACIT_ADD_REMOVE;
    int quanta = 0;

    for (int a = -1; a < w->points; a++)
        for (int b = -1; b <= a; b++) {
            const int own = (a >= 0) + (b >= 0);
            if (own > m || (own == 0 && !(replace && m > 1))) continue;
            memcpy(unit[quanta++], (int[]){own, a, b}, sizeof unit[0]);
        }
    for (int i = 0; i < (alone ? 1 : w->upto[rows]); i++) { /* the first set has no rows */
        const small_set *base = &w->set[i];
        for (int u = 0; u < quanta; u++) with[u] = joined(w, rows, base, unit[u]);
        for (int u = 0; u < quanta; u++) {
            if (with[u] < 0) continue;
            if (!replace) widen(far, base->word, w->set[with[u]].word, words, how, group);
            for (int v = 0; v < u && replace; v++)
                if (with[v] >= 0 &&
                    (neighbors != TACIT_ENTRY || one_count(w, unit[u][1], unit[v][1])))
                    widen(far, w->set[with[u]].word, w->set[with[v]].word, words, how, group);
        }
    }
}

#endif
