/* SPDX-License-Identifier: Apache-2.0 */
/* Brute force on tiny domains: every query of the door, every relation and norm, all data sets of
   up to three rows of small grids that hold corners, rows far outside the bounds, NaN, infinities
   and -0. No pair of neighbors is farther apart than the receipt declares, and some reach it, or as
   much of it as the table says. A query without a line fails the test. */
#include "brute_others.h"
#include "brute_table.h"

#include <malloc.h>

static tacit_ctx *ctx;

/* ---- the worlds ---- */

/* tan 15 degrees: rows pulled onto the sphere lie every 15, 30 and 45 degrees, among them the
   farthest of every kind of query. */
#define TAN15 0.2679491924311227

static const double line_grid[] = {
    -1, -0.5, -0.0, 0.5, 1, NAN, INFINITY, -INFINITY, 1e308, -7, 1.0000000000000002};
static const double plane_grid[5] = {-1, -TAN15, 0, TAN15, 1},
                    hurt_grid[5] = {-0.0, NAN, INFINITY, -1e308, 2.1};

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

/* All sets of three rows are asked in the first scenes, those of two in all. When time is short: in
   fewer. */
enum { FIRST_SCENES = 4 };

static small_world worlds[10];
static int worlds_open;

static void open_worlds(void)
{
    enum { ONE = 1 << 16 };
    double zero[2] = {0}, lower[2] = {-1, 0}, upper[2] = {1, 2};
    const double shift[2] = {0}, first_axis[2] = {1, 0};
    const tac_domain ball = {.kind = TAC_DOMAIN_BALL, .center = zero, .radius = 1};
    const tac_domain box = {.kind = TAC_DOMAIN_BOX, .lower = lower, .upper = upper};
    static const uint32_t weight[3] = {ONE, ONE / 3, 0};
    static const int32_t group[3] = {0, 1, 1};
    const struct {
        const char *name;
        tac_weighing how;
    } counts[] = {
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
        MUST(tac_frame_zoom(ctx, &worlds[i].frame, shift, 1, 1, first_axis, NULL, NULL,
                            &worlds[i].beside) == TACIT_OK);
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

static tacit_status put_query(tac_door *door, const void *what)
{
    static int64_t out[MOST_WORDS];
    const asking *a = what;
    return a->line->ask(door, a, out);
}

/* The others draw: a choice, a subspace, cubes that pass. */
static bool adds_noise(const line *l)
{
    return (l->how == BY_NORM || l->how == BY_TRACE) && strcmp(l->door, "cubes") != 0;
}

typedef struct found {
    /* the most that is reached of a bound, over scenes; 1: all of it, exactly */
    double best[RELATIONS][QUANTA][NORMS];
    /* the first pair of neighbors that is farther apart than declared */
    char beyond[160];
    bool prices;
    double noise; /* the largest z of the size of noise */
    long pairs, sets;
} found;

/* All sets of up to so many rows. */
static void one_scene(small_world *w, int rows, const asking *a, found *f)
{
    exact_answer e = {0};
    tac_receipt first = {0};
    size_t words = 0;
    const brute_params any = {.definition = a->line->least[0][0] < 0 ? TAC_PURE : TAC_GDP,
                              .rows_per_unit = 1,
                              .seed = (uint64_t)a->at % 6};

    for (int i = 0; i < w->upto[rows]; i++) {
        const tac_receipt r = ask_of(ctx, &w->set[i], NULL, &any, put_query, a, &e);
        if (i == 0) first = r;
        MUST(i == 0 || words == e.words);
        words = e.words;
        f->prices = f->prices && r.quanta == first.quanta && r.scale == first.scale &&
                    r.sensitivity == first.sensitivity && r.distribution == first.distribution &&
                    r.answers == first.answers;
        memcpy(w->set[i].word, e.word, words * sizeof *e.word);
    }
    f->sets += w->upto[rows];
    const bool alone = adds_up(w, rows, words);
    for (int relation = 0; relation < RELATIONS; relation++)
        for (int m = 1; m <= QUANTA; m++) {
            farthest far = {0};
            if (relation == TACIT_ENTRY && (!a->line->counts || m > 1)) continue;
            const size_t dims =
                (size_t)(a->line->q.values == TAC_PROJECTED ? w->beside.dims : w->dims);
            all_pairs(w, rows, (tacit_neighbors)relation, m, words, a->line->how,
                      a->line->how == BY_TRACE ? dims : words, alone, &far);
            f->pairs += far.pairs;
            for (int n = 0; n < NORMS; n++) {
                if (a->line->least[relation][n] < 0) continue;
                const brute_params t = {.definition = n ? TAC_PURE : TAC_GDP,
                                        .neighbors = (tacit_neighbors)relation,
                                        .rows_per_unit = m,
                                        .seed = any.seed};
                const small_set *last = &w->set[w->upto[rows] - 1];
                const tac_receipt r = ask_of(ctx, last, NULL, &t, put_query, a, &e);
                /* once for each distribution */
                if (adds_noise(a->line) && f->sets == w->upto[rows] && relation == 0 && m == 1)
                    f->noise = fmax(f->noise, fabs(noise_z(ctx, last, NULL, &t, put_query, a)));
                const bool squared = (a->line->how == BY_NORM || a->line->how == BY_TRACE) &&
                                     r.distribution == TAC_GAUSSIAN;
                const tac_u128 declared =
                    a->line->how == BY_SPECTRUM ? r.sensitivity << SPECTRUM_GRID : r.sensitivity;
                const tac_u128 reached =
                    r.distribution == TAC_TRACE ? far.trace : far.by[squared ? 0 : 1];
                const double ratio = (double)reached / (double)declared,
                             part = squared ? sqrt(ratio) : ratio;
                double *best = &f->best[relation][m - 1][n];
                *best = fmax(*best, reached == declared ? 1 : fmin(part, 1 - 1e-15));
                if (reached > declared && f->beyond[0] == 0)
                    snprintf(f->beyond, sizeof f->beyond,
                             "%s, %s: %s, %d rows a unit, %s: %.9f of it", w->name, a->scene->name,
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
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s", l->door, l->counts ? " of counts" : "",
             l->q.local.taxicab ? ", taxicab" : "", p->soft ? ", soft" : "",
             p->square    ? ", squares"
             : p->moments ? ", moments"
             : p->axes    ? ", axes"
                          : "",
             l->q.values == TAC_PROJECTED ? " of the projection" : "",
             l->q.bins == 1 ? ", one bin" : "", l->q.weight == 1 ? ", median" : "");
    if (p->count + p->sum + l->q.weight > 1)
        snprintf(text + strlen(text), sizeof text - strlen(text), " (%u, %u)",
                 p->count + l->q.weight, p->sum);
    return text;
}

static void run_line(const line *l)
{
    const char *why = l->why == NULL ? "" : l->why;

    /* each by itself: a bound that is tight for one must not hide a loose one */
    for (int32_t dims = 1; dims <= 3; dims++) {
        found f = {.prices = true};
        bool attained = true;
        char text[256] = "";
        for (int i = 0; i < worlds_open; i++) {
            small_world *w = &worlds[i];
            const scene *scenes = l->counts      ? count_scenes
                                  : w->dims == 1 ? line_scenes
                                                 : plane_scenes;
            const bool quick = tap_times(100) < 100;
            const int plane = quick && i > 1 ? 1 : quick || i > 1 ? FIRST_SCENES : PLANE_SCENES;
            const int all = l->counts ? COUNT_SCENES : w->dims == 1 ? LINE_SCENES : plane;
            if (!serves(l, w) || w->dims != dims) continue;
            for (int at = 0; at < (l->scenes > 0 ? l->scenes : all); at++) {
                const scene *s = &scenes[at < all ? at : 0];
                const asking a = {.line = l, .scene = s, .at = at, .dims = w->dims};
                one_scene(w, at < (quick ? 1 : FIRST_SCENES) ? w->rows : 2, &a, &f);
            }
        }
        if (f.sets == 0) continue;
        for (int r = 0; r < (l->counts ? RELATIONS : 2); r++)
            for (int n = 0; n < NORMS; n++) {
                const double least = l->least[r][n], one_row = f.best[r][0][n],
                             two = f.best[r][1][n];
                if (least < 0) continue;
                attained = attained && one_row >= least && (r == TACIT_ENTRY || two >= least);
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %s %.6g",
                         text[0] == 0 ? "" : ", ", relation_name[r], n ? "L1" : "L2",
                         r == TACIT_ENTRY ? one_row : fmin(one_row, two));
            }
        CHECK(f.beyond[0] == 0,
              "%s, %d dims: no neighbors are farther apart than declared (%ld sets, %ld pairs%s%s)",
              name_of(l), dims, f.sets, f.pairs, f.beyond[0] == 0 ? "" : "; beyond: ", f.beyond);
        CHECK(attained, "... some reach as much of the bound as they should: %s%s%s", text,
              why[0] == 0 ? "" : "; ", why);
        CHECK(f.prices, "... every data set pays the same");
        if (adds_noise(l))
            CHECK(f.noise < NOISE_LIMIT,
                  "... noise is of the size that the receipt says (z = %.2f)", f.noise);
    }
}

/* ---- nothing is forgotten ---- */

static bool has_line(const char *door)
{
    /* run_entries, run_parts */
    static const char *const others[] = {"table", "labels", "batches", "parts"};
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

/* Every function of the door that can fail is a query, but for those that open it and ask. Every
   kind was asked. */
static void test_complete(void)
{
    static const char declares[] = "tacit_status tac_door_";
    char *header = text_of(TEST_DATA "/../../src/privacy/door.h"), missing[4096] = "";
    int queries = 0;

    for (const char *at = header; (at = strstr(at, declares)) != NULL;) {
        char name[64] = "";
        at += strlen(declares);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "("), at);
        if (strcmp(name, "open") == 0) continue;
        queries++;
        if (!has_line(name))
            snprintf(missing + strlen(missing), sizeof missing - strlen(missing), " %s", name);
    }
    CHECK(queries > 20 && missing[0] == 0, "all %d queries of the door have a line%s%s", queries,
          missing[0] == 0 ? "" : "; none for:", missing);
    free(header);
    asked_of[TAC_KIND_PARTS] = true; /* run_parts: by way of its pieces */
#define KIND(name, ...)                                                                            \
    if (!asked_of[TAC_KIND_##name])                                                                \
        snprintf(missing + strlen(missing), sizeof missing - strlen(missing), " %s", #name);
#include "privacy/kinds.def"
#undef KIND
    CHECK(missing[0] == 0, "all %d kinds of queries were asked%s%s", TAC_KINDS,
          missing[0] == 0 ? "" : "; not:", missing);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 24); /* a query's room is used again, not mapped anew */
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
#endif
    open_worlds();
    for (int i = 0; i < LINES; i++) run_line(&table[i]);
    for (size_t i = 0; i < sizeof entry_table / sizeof *entry_table; i++)
        run_entries(ctx, &entry_table[i]);
    /* of three results the bound is the diameter, whatever they are */
    run_parts(ctx, &worlds[0], 3, 5, 0.9999, 0);
    run_parts(ctx, &worlds[0], 4, 50, 0.9999, 0.999);
    run_parts(ctx, &worlds[0], 5, 400, 0.9999, 0.86);
    test_complete();
    for (int i = 0; i < worlds_open; i++) close_world(&worlds[i]);
    tacit_ctx_free(ctx);
    return tap_done();
}
