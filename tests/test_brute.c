/* SPDX-License-Identifier: Apache-2.0 */
/* Brute force on tiny domains: every question of the door, every relation and norm, all data sets of up to three rows of small grids
   that hold corners, rows far outside the bounds, NaN, infinities and -0. No pair of neighbours is farther apart than the receipt
   declares, and some reach it, or as much of it as the table says. A question without a line fails the test. */
#include "brute_table.h"
#include "privacy/questions/parts.h"

#include <dirent.h>
#include <malloc.h>

static tacit_ctx *ctx;

/* ---- the worlds ---- */

/* tan 15 degrees: rows pulled onto the sphere lie every 15, 30 and 45 degrees, among them the farthest of every kind of question. */
#define TAN15 0.2679491924311227

static const double line_grid[] = {-1, -0.5, -0.0, 0.5, 1, NAN, INFINITY, -INFINITY, 1e308, -7, 1.0000000000000002};
static const double plane_grid[5] = {-1, -TAN15, 0, TAN15, 1}, hurt_grid[5] = {-0.0, NAN, INFINITY, -1e308, 2.0000000000000004};

static void fill_plane(small_world *w, const double *grid)
{
    w->columns = 2;
    w->points = 25;
    for (int i = 0; i < 25; i++) {
        w->raw[i][0] = grid[i / 5];
        w->raw[i][1] = grid[i % 5];
    }
}

static void fill_line(small_world *w)
{
    w->columns = 1;
    w->points = sizeof line_grid / sizeof *line_grid;
    for (int i = 0; i < w->points; i++) w->raw[i][0] = line_grid[i];
}

/* Rows of three counts of 0, 1 or 2. */
static void fill_counts(small_world *w, const tac_weighing *weighing)
{
    w->columns = 3;
    w->points = 27;
    for (int i = 0; i < 27; i++)
        for (int j = 0, code = i; j < 3; j++, code /= 3) w->raw[i][j] = code % 3;
    MUST(tac_frame_weigh(ctx, 3, weighing, &w->frame) == TACIT_OK);
}

/* In the plane all sets of three rows are asked in the first scenes, those of two in all. */
enum { FIRST_SCENES = 4 };

static small_world worlds[10];
static int worlds_open;

static void open_worlds(void)
{
    enum { ONE = 1 << 16 };
    double zero[2] = {0}, lower[2] = {-1, 0}, upper[2] = {1, 2};
    const double shift[2] = {0}, first_axis[2] = {1, 0};
    const tac_domain ball = {.kind = TAC_DOMAIN_BALL, .center = zero, .radius = 1}, box = {.kind = TAC_DOMAIN_BOX, .lower = lower, .upper = upper};
    static const uint32_t weight[3] = {ONE, ONE / 3, 0};
    static const int32_t group[3] = {0, 1, 1};
    const struct { const char *name; tac_weighing how; } counts[] = {
        {"logarithms", {.dims = 3}},
        {"with least", {.dims = 3, .least = 2 * ONE}},
        {"with a long least, dense", {.dims = 3, .least = 5 * ONE, .dense = true}},
        {"taxicab", {.dims = 3, .taxicab = true, .least = 2 * ONE}},
        {"the largest alone", {.dims = 3, .most = 1}},
        {"weighed counts", {.value = TAC_COUNT, .dims = 3, .least = 3 * ONE, .weight = weight}},
        {"groups of what is there", {.value = TAC_ANY, .dims = 3, .group = group, .least = ONE}}};

    worlds[0].name = "line";
    fill_line(&worlds[0]);
    MUST(tac_frame_from_domain(ctx, &box, 1, TACIT_SCALE_RANGE, &worlds[0].frame) == TACIT_OK);
    worlds[1].name = "ball";
    fill_plane(&worlds[1], plane_grid);
    MUST(tac_frame_from_domain(ctx, &ball, 2, TACIT_SCALE_NONE, &worlds[1].frame) == TACIT_OK);
    worlds[2].name = "box";
    fill_plane(&worlds[2], hurt_grid);
    MUST(tac_frame_from_domain(ctx, &box, 2, TACIT_SCALE_RANGE, &worlds[2].frame) == TACIT_OK);
    for (int i = 1; i < 3; i++)
        MUST(tac_frame_zoom(ctx, &worlds[i].frame, shift, 1, 1, first_axis, NULL, NULL, &worlds[i].beside) == TACIT_OK);
    worlds_open = 3;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++, worlds_open++) {
        worlds[worlds_open].name = counts[i].name;
        fill_counts(&worlds[worlds_open], &counts[i].how);
    }
    for (int i = 0; i < worlds_open; i++) {
        worlds[i].rows = i == 0 || (i == 1 && tap_times(100) >= 100) ? 3 : 2;
        open_world(ctx, &worlds[i]);
    }
}

/* ---- a line of the table ---- */

static tacit_status put_question(tac_door *door, const void *what)
{
    static int64_t out[MOST_WORDS];
    const asking *a = what;
    return a->line->ask(door, a, out);
}

typedef struct found {
    double best[RELATIONS][UNITS][NORMS]; /* the most that is reached of a bound, over scenes; 1: all of it, exactly */
    char beyond[160];                     /* the first pair of neighbours that is farther apart than declared */
    bool prices;
    long pairs, sets;
} found;

/* All sets of up to so many rows. */
static void one_scene(small_world *w, int rows, const asking *a, found *f)
{
    exact_answer e = {0};
    tac_receipt first = {0};
    size_t words = 0;
    const brute_terms any = {.notion = a->line->least[0][0] < 0 ? TAC_PURE : TAC_GDP, .rows_per_unit = 1, .seed = (uint64_t)a->at % 6};

    for (int i = 0; i < w->upto[rows]; i++) {
        const tac_receipt r = ask_of(ctx, &w->set[i], NULL, &any, put_question, a, &e);
        if (i == 0) first = r;
        MUST(i == 0 || words == e.words);
        words = e.words;
        f->prices = f->prices && r.units == first.units && r.scale == first.scale && r.sensitivity == first.sensitivity &&
                    r.law == first.law && r.answers == first.answers;
        memcpy(w->set[i].word, e.word, words * sizeof *e.word);
    }
    f->sets += w->upto[rows];
    const bool alone = adds_up(w, rows, words);
    for (int relation = 0; relation < RELATIONS; relation++)
        for (int m = 1; m <= UNITS; m++) {
            farthest far = {0};
            if (relation == TACIT_ENTRY && (!a->line->counts || m > 1)) continue;
            all_pairs(w, rows, (tacit_neighbours)relation, m, words, a->line->how, alone, &far);
            f->pairs += far.pairs;
            for (int n = 0; n < NORMS; n++) {
                if (a->line->least[relation][n] < 0) continue;
                const brute_terms t = {.notion = n ? TAC_PURE : TAC_GDP, .neighbours = (tacit_neighbours)relation, .rows_per_unit = m,
                                       .seed = any.seed};
                const tac_receipt r = ask_of(ctx, &w->set[w->upto[rows] - 1], NULL, &t, put_question, a, &e);
                const bool squared = a->line->how == BY_NORM && r.law == TAC_GAUSSIAN;
                const tac_u128 declared = a->line->how == BY_SPECTRUM ? r.sensitivity << SPECTRUM_GRID : r.sensitivity;
                const tac_u128 reached = far.by[squared ? 0 : 1];
                const double ratio = (double)reached / (double)declared, part = squared ? sqrt(ratio) : ratio;
                double *best = &f->best[relation][m - 1][n];
                *best = fmax(*best, reached == declared ? 1 : fmin(part, 1 - 1e-15));
                if (reached > declared && f->beyond[0] == 0)
                    snprintf(f->beyond, sizeof f->beyond, "%s, %s: %s, %d rows a unit, %s: %.9f of it", w->name, a->scene->name,
                             relation_name[relation], m, n ? "pure" : "Gaussian", part);
            }
        }
}

static bool serves(const line *l, const small_world *w)
{
    return l->counts == (w->frame.counts != NULL) && (l->dims == 0 || l->dims == w->dims);
}

static const char *name_of(const line *l)
{
    static char text[128];
    const tac_local_parts *p = &l->q.parts;
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s", l->door, l->counts ? " of counts" : "", l->q.local.taxicab ? ", taxicab" : "",
             p->soft ? ", soft" : "", p->square ? ", squares" : p->moments ? ", moments" : p->axes ? ", axes" : "",
             l->q.values == TAC_SHADOW ? " of the shadow" : "", l->q.bins == 1 ? ", one bin" : "", l->q.weight == 1 ? ", median" : "");
    if (p->count + p->sum + l->q.weight > 1)
        snprintf(text + strlen(text), sizeof text - strlen(text), " (%u, %u)", p->count + l->q.weight, p->sum);
    return text;
}

static void run_line(const line *l)
{
    const char *why = l->why == NULL ? "" : l->why;

    for (int32_t dims = 1; dims <= 3; dims++) { /* each by itself: a bound that is tight for one must not hide a loose one */
        found f = {.prices = true};
        bool attained = true;
        char text[256] = "";
        for (int i = 0; i < worlds_open; i++) {
            small_world *w = &worlds[i];
            const scene *scenes = l->counts ? count_scenes : w->dims == 1 ? line_scenes : plane_scenes;
            const int all = l->counts ? COUNT_SCENES : w->dims == 1 ? LINE_SCENES : i > 1 || tap_times(100) < 100 ? FIRST_SCENES : PLANE_SCENES;
            if (!serves(l, w) || w->dims != dims) continue;
            for (int at = 0; at < (l->scenes > 0 ? l->scenes : all); at++) {
                const scene *s = &scenes[at < all ? at : 0];
                one_scene(w, at < FIRST_SCENES || w->dims == 1 ? w->rows : 2, &(asking){.line = l, .scene = s, .at = at, .dims = w->dims}, &f);
            }
        }
        if (f.sets == 0) continue;
        for (int r = 0; r < (l->counts ? RELATIONS : 2); r++)
            for (int n = 0; n < NORMS; n++) {
                const double least = l->least[r][n], one_row = f.best[r][0][n], two = f.best[r][1][n];
                if (least < 0) continue;
                attained = attained && one_row >= least && (r == TACIT_ENTRY || two >= least);
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %s %.6g", text[0] == 0 ? "" : ", ", relation_name[r],
                         n ? "L1" : "L2", r == TACIT_ENTRY ? one_row : fmin(one_row, two));
            }
        CHECK(f.beyond[0] == 0, "%s, %d dims: no neighbours are farther apart than declared (%ld sets, %ld pairs%s%s)", name_of(l), dims,
              f.sets, f.pairs, f.beyond[0] == 0 ? "" : "; beyond: ", f.beyond);
        CHECK(attained, "... some reach as much of the bound as they should: %s%s%s", text, why[0] == 0 ? "" : "; ", why);
        CHECK(f.prices, "... every data set pays the same");
    }
}

/* ---- tables, labels and batches: rows at their places, single counts protected ---- */

enum { ROWS = 3, COLUMNS = 2, ENTRIES = ROWS * COLUMNS, TABLES = 729, CLUSTERS = 3 }; /* counts of 0, 1 or 2 */

typedef struct entry_question {
    const char *name;
    bool labels, columns;
    int32_t batch;              /* of two: rows 0 and 2, row 1; -1 all; -2: none were made */
    int32_t row[ROWS], column[COLUMNS];
    int32_t score[CLUSTERS * 2];
} entry_question;

#define SCORE_MOST TAC_SCORE_MOST
static const entry_question entry_table[] = {
    {"table", false, false, -2, {0, 1, 1}, {0, 1}, {0}},
    {"table, a row and a column left out", false, false, -2, {0, -1, 1}, {-1, 1}, {0}},
    {"batches: the table of all rows", false, false, -1, {0, 1, 1}, {0, 1}, {0}},
    {"batches: the table of a batch", false, false, 0, {0, 1, 1}, {1, 1}, {0}},
    {"labels of rows", true, false, -2, {0}, {0, 1}, {5, -3, 2, 9, -4, 0}},
    {"labels of rows, scores as large as may be", true, false, -2, {0}, {0, 1}, {SCORE_MOST, -SCORE_MOST, -SCORE_MOST, SCORE_MOST, 0, 0}},
    {"labels of rows, all below 0", true, false, -2, {0}, {1, 0}, {-5, -5, -9, -5, -6, -6}},
    {"labels of columns", true, true, -2, {0, 1, -1}, {0}, {100, 1, 100, 2, 100, 1}},
    {"labels of columns from a batch", true, true, 1, {0, 1, 0}, {0}, {5, -3, 2, 9, -4, 0}},
};

static tacit_status put_entry_question(tac_door *door, const void *what)
{
    static const int32_t batch[ROWS] = {0, 1, 0};
    const entry_question *q = what;
    const int32_t asked = q->batch == -2 ? -1 : q->batch;
    int64_t answer[4];
    int32_t label[ROWS];
    const tacit_status status = q->batch == -2 ? TACIT_OK : tac_door_batches(door, batch, 2);

    if (status != TACIT_OK) return status;
    if (!q->labels)
        return tac_door_table(door, "test", UNITS_ASKED,
                              &(tac_table){.batch = asked, .row_label = q->row, .column_label = q->column, .k = 2, .l = 2}, answer);
    return tac_door_labels(door, "test", UNITS_ASKED << 4,
                           &(tac_draw_labels){.columns = q->columns, .batch = asked, .other_label = q->columns ? q->row : q->column,
                                              .others = 2, .score = q->score, .clusters = CLUSTERS}, label);
}

static void run_entries(const entry_question *q)
{
    static uint64_t word[TABLES][MOST_WORDS];
    exact_answer e = {0};
    tac_u128 beyond = 0;
    double best[NORMS] = {0};
    bool prices = true;
    long pairs = 0;

    for (int pure = 0; pure < NORMS; pure++) {
        farthest far = {0};
        tac_receipt first = {0};
        for (int t = 0; t < TABLES; t++) {
            int64_t start[ROWS + 1] = {0};
            int32_t column[ENTRIES];
            uint32_t count[ENTRIES];
            for (int i = 0, code = t, n = 0; i < ENTRIES; i++, code /= 3) {
                column[n] = i % COLUMNS;
                count[n] = (uint32_t)(code % 3);
                n += code % 3 > 0;
                start[i / COLUMNS + 1] = n;
            }
            const tac_counts counts = {.rows = ROWS, .columns = COLUMNS, .start = start, .column = column, .count = count};
            const tac_receipt r = ask_of(ctx, &(small_set){.rows = 0}, &counts, &(brute_terms){pure ? TAC_PURE : TAC_GDP, TACIT_ENTRY, 1, 1},
                                         put_entry_question, q, &e);
            if (t == 0) first = r;
            prices = prices && r.units == first.units && r.sensitivity == first.sensitivity && r.scale == first.scale;
            memcpy(word[t], e.word, e.words * sizeof *e.word);
        }
        for (int t = 0; t < TABLES; t++)
            for (int i = 0, one_more = 1; i < ENTRIES; i++, one_more *= 3)
                if (t / one_more % 3 < 2) widen(&far, word[t + one_more], word[t], e.words, q->labels ? BY_ITEM : BY_NORM, CLUSTERS);
        const tac_u128 reached = far.by[first.law == TAC_GAUSSIAN && !q->labels ? 0 : 1];
        beyond += reached > first.sensitivity;
        best[pure] = (double)reached / (double)first.sensitivity;
        pairs += far.pairs;
    }
    CHECK(beyond == 0, "%s, entry: no neighbours are farther apart than declared (%d tables, %ld pairs)", q->name, TABLES, pairs);
    CHECK(best[0] == 1 && best[1] == 1, "... some reach as much of the bound as they should: L2 %.6g, L1 %.6g", best[0], best[1]);
    CHECK(prices, "... every table pays the same");
}

/* ---- results of parts: lots by enumeration ---- */

/* Two rows or fewer of the line in any of the parts, and one unit of one row in one of them, or none. The result that is released
   moves by no more than alpha times the noise, and the noise by no more than e^beta. */
static void run_parts(int32_t many, double epsilon, double least_moved, double least_steep)
{
    enum { POINTS = 5, MOST_PARTS = 5, STATES = POINTS * MOST_PARTS + 1 };
    const tac_parts plan = {.points = true, .k = 1, .q = 1, .parts = many, .restarts = 1};
    const tac_lattice *lattice = &worlds[0].set[worlds[0].index[POINTS][POINTS - 1][POINTS - 2]].lattice; /* for its dims */
    int16_t place[2 * (POINTS + 1)] = {0};
    tac_accountant account;
    tac_engine engine;
    tac_parts_rule rule;
    tac_door *door = NULL;
    tac_key key;
    double moved = 0, steep = 0;
    long sets = 0;

    for (int i = 0; i < POINTS; i++) place[2 * i] = worlds[0].set[worlds[0].index[i + 1][0][0]].lattice.points[0];
    const tac_lattice rows = {.rows = POINTS, .dims = 1, .stride = 2, .points = place};
    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(3, &key);
    tac_accountant_open(TAC_GDP, epsilon, 1e-6, &account);
    MUST(lattice->dims == 1 && tac_parts_rule_for(epsilon, 1e-6, 1, &plan, &rule) && rule.parts == many && rule.touched == 1);
    MUST(tac_door_open(ctx, &engine, lattice, TACIT_REPLACE, 1, &account, &key, &door) == TACIT_OK);
    const int states = POINTS * many + 1; /* where a row is, and what it says; the last: there is none */
    for (int a = 0; a < states; a++)
        for (int b = 0; b <= a; b++)
            for (int32_t lot = 0; lot < many; lot++) {
                uint64_t word[POINTS + 1], sigma[POINTS + 1];
                for (int u = 0; u <= POINTS; u++, sets++) { /* POINTS: no unit */
                    double result[MOST_PARTS];
                    const int mine[3] = {a, b, u == POINTS ? states - 1 : POINTS * lot + u};
                    for (int32_t p = 0; p < many; p++) {
                        int64_t row[3], n = 0;
                        for (int i = 0; i < 3; i++)
                            if (mine[i] < states - 1 && mine[i] / POINTS == p) row[n++] = mine[i] % POINTS;
                        MUST(tac_part_points(ctx, &rows, row, n, &plan, &result[p]) == TACIT_OK);
                    }
                    MUST(tac_parts_centre(door, &plan, &rule, result, &word[u], &sigma[u]) == TACIT_OK);
                    for (int v = 0; v < u; v++) {
                        const double gap = fabs((double)(int64_t)(word[u] - word[v]));
                        moved = fmax(moved, gap / (rule.alpha * (double)(sigma[u] < sigma[v] ? sigma[u] : sigma[v])));
                        steep = fmax(steep, fabs(log((double)sigma[u] / (double)sigma[v])) / (rule.beta + 0x1p-17));
                    }
                }
            }
    CHECK(moved <= 1 && steep <= 1, "parts, %d of them, epsilon %g: the result moves no farther than its noise covers, nor the noise than "
          "beta (%ld sets)", many, epsilon, sets);
    CHECK(moved >= least_moved && steep >= least_steep, "... some reach as much of the bounds as they should: %.4f, %.4f", moved, steep);
    tac_door_close(door);
}

/* ---- nothing is forgotten ---- */

static bool has_line(const char *door)
{
    static const char *const others[] = {"table", "labels", "batches", "parts"}; /* run_entries, run_parts */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i], door) == 0) return true;
    for (int i = 0; i < LINES; i++)
        if (strcmp(table[i].door, door) == 0) return true;
    return false;
}

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    MUST(file != NULL && text != NULL && fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

/* Every function of the door that can fail is a question, but for the one that opens it; each file of a question answers one. */
static void test_complete(void)
{
    static const char declares[] = "tacit_status tac_door_";
    const char *const folder = TEST_DATA "/../../src/privacy/questions";
    char *header = text_of(TEST_DATA "/../../src/privacy/door.h"), missing[4096] = "";
    int questions = 0, files = 0;

    for (const char *at = header; (at = strstr(at, declares)) != NULL;) {
        char name[64] = "";
        at += strlen(declares);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "("), at);
        if (strcmp(name, "open") == 0) continue;
        questions++;
        if (!has_line(name)) snprintf(missing + strlen(missing), sizeof missing - strlen(missing), " %s", name);
    }
    CHECK(questions > 20 && missing[0] == 0, "all %d questions of the door have a line%s%s", questions, missing[0] == 0 ? "" : "; none for:",
          missing);
    DIR *dir = opendir(folder);
    MUST(dir != NULL);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char path[1024];
        bool known = false;
        if (strncmp(entry->d_name, "ask_", 4) != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        char *text = text_of(path);
        for (const char *at = text; (at = strstr(at, declares)) != NULL;) {
            char name[64];
            at += strlen(declares);
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "("), at);
            known = known || has_line(name);
        }
        files++;
        if (!known) snprintf(missing + strlen(missing), sizeof missing - strlen(missing), " %s", entry->d_name);
        free(text);
    }
    closedir(dir);
    CHECK(files > 15 && missing[0] == 0, "all %d files of questions answer one that has a line%s", files, missing);
    free(header);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    mallopt(M_MMAP_THRESHOLD, 1 << 24); /* a question's room is used again, not mapped anew */
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
    open_worlds();
    test_complete();
    for (int i = 0; i < LINES; i++) run_line(&table[i]);
    for (size_t i = 0; i < sizeof entry_table / sizeof *entry_table; i++) run_entries(&entry_table[i]);
    run_parts(3, 5, 0.9999, 0); /* of three results the bound is the diameter, whatever they are */
    run_parts(4, 50, 0.9999, 0.999);
    run_parts(5, 400, 0.9999, 0.86);
    for (int i = 0; i < worlds_open; i++) close_world(&worlds[i]);
    tacit_ctx_free(ctx);
    return tap_done();
}
