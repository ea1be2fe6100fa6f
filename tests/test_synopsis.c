/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a release: written and read, refused where they make no sense, cut into other
   numbers of clusters with known answers, and drawn from. */
#include "release_text.h"

#include "cluster/derived/derived.h"
#include "data/dataset/dataset.h"

#include <math.h>

/* Two clusters of 600 and 400 rows about (30, 15) and (90, 45), two cells each. Cells are told from
   the middle, (60, 30), in parts of the ranges, 120 and 60. Those of the first are where its center
   says; those of the second lie 0.025 too high in stay. */
#define CELLS                                                                                      \
    "  \"synopsis\": {\n"                                                                          \
    "    \"weights\": [100, 100, 50, 50],\n"                                                       \
    "    \"weights_noise_sd\": 5,\n"                                                               \
    "    \"spreads\": [0.05, 0.05, 0.05, 0.05],\n"                                                 \
    "    \"total_spread\": 0.4,\n"                                                                 \
    "    \"points\": [\n"                                                                          \
    "      [-0.3, -0.25],\n"                                                                       \
    "      [-0.2, -0.25],\n"                                                                       \
    "      [0.25, 0.2],\n"                                                                         \
    "      [0.25, 0.35]\n"                                                                         \
    "    ],\n"                                                                                     \
    "    \"points_noise_sd\": [0.001, 0.001, 0.002, 0.002]\n"                                      \
    "  }\n"
#define BASIS                                                                                      \
    "  \"synopsis\": {\n"                                                                          \
    "    \"weights\": [300, 300, 400],\n"                                                          \
    "    \"weights_noise_sd\": 5,\n"                                                               \
    "    \"spreads\": [0.05, 0.05, 0.05],\n"                                                       \
    "    \"total_spread\": null,\n"                                                                \
    "    \"points\": [\n"                                                                          \
    "      [-0.4],\n"                                                                              \
    "      [-0.3],\n"                                                                              \
    "      [0.35]\n"                                                                               \
    "    ],\n"                                                                                     \
    "    \"points_noise_sd\": [0.001, 0.001, 0.002],\n"                                            \
    "    \"origin\": [0, 0],\n"                                                                    \
    "    \"basis\": [\n"                                                                           \
    "      [0.8, 0.6]\n"                                                                           \
    "    ],\n"                                                                                     \
    "    \"outside\": 0.02\n"                                                                      \
    "  }\n"

static char text[16384];

static void replace(char *where, const char *old, const char *new)
{
    static char copy[16384];
    char *at = strstr(where, old);
    MUST(at != NULL);
    snprintf(copy, sizeof copy, "%.*s%s%s", (int)(at - where), where, new, at + strlen(old));
    memcpy(where, copy, strlen(copy) + 1);
}

/* The golden text with these cells and the two clusters above. */
static const char *with(const char *cells)
{
    const size_t body = strlen(golden) - strlen("}\n");
    snprintf(text, sizeof text, "%.*s,\n%s}\n", (int)body - 1, golden, cells);
    replace(text, "[41.5, 3.25],\n    [70, 0.1]", "[30, 15],\n    [90, 45]");
    replace(text, "[0.3333333333333333, null]", "[0.5, 0.25]");
    replace(text, "[8.5, 1.5],\n    [2, null]", "[12, 3],\n    [6, 6]");
    replace(text, "[0.75, 0.125],\n    [0.5, null]", "[0.25, 0.125],\n    [0.25, 0.125]");
    replace(text, "\"sizes\": [510.5, -3]", "\"sizes\": [600, 400]");
    replace(text, "\"sizes_noise_sd\": 12.3", "\"sizes_noise_sd\": 4");
    return text;
}

static tacit_model *model_of(const char *cells)
{
    tacit_model *model = NULL;
    with(cells);
    if (read_text(text, strlen(text), &model) != TACIT_OK) printf("# %s\n", tacit_ctx_message(ctx));
    MUST(model != NULL);
    return model;
}

static void test_round_trip(void)
{
    char *again = rewritten(with(CELLS));
    CHECK(again != NULL && strcmp(again, text) == 0, "cells read and written: the same bytes");
    tacit_free(again);
    again = rewritten(with(BASIS));
    CHECK(again != NULL && strcmp(again, text) == 0, "cells behind a basis too");
    tacit_free(again);
    with(CELLS);
    replace(text, "  \"k\": 2,",
            "  \"cut_from\": {\"family\": \"kmedian\", \"method\": \"auto\", "
            "\"k\": 9},\n  \"k\": 2,");
    again = rewritten(text);
    CHECK(again != NULL && strcmp(again, text) == 0, "and what a release was cut from");
    tacit_free(again);
}

/* Few digits: rounded once, they stay; shortest digits are few. */
static void test_digits(void)
{
    tac_released_cells *s = NULL;
    char *json = NULL;
    tacit_model *model = model_of(CELLS);

    MUST(tac_released_cells_new(ctx, 200, 2, 2, false, &s) == TACIT_OK);
    uint64_t state = 7;
    s->weight_sd = 43.11812345;
    for (int i = 0; i < 200; i++) {
        s->point[2 * i] = 0.3 + ldexp((double)(mix(&state) >> 11), -60);
        s->point[2 * i + 1] = 0.3 + ldexp((double)(mix(&state) >> 11), -60);
        s->weight[i] = ldexp((double)(mix(&state) >> 11), -42);
        s->spread[i] = s->point_sd[i] = ldexp((double)(mix(&state) >> 11), -58);
    }
    tac_released_cells_round(s, 2);
    bool few = true, near = true;
    for (int i = 0; i < 400; i++) {
        char digits[40];
        snprintf(digits, sizeof digits, "%.15g", s->point[i]);
        few = few && strlen(digits) <= 10 && strtod(digits, NULL) == s->point[i];
    }
    for (int i = 0; i < 200; i++) {
        char digits[40];
        snprintf(digits, sizeof digits, "%.15g", s->weight[i]);
        few = few && strlen(digits) <= 8;
    }
    state = 7;
    for (int i = 0; i < 200; i++) {
        near = near && fabs(s->point[2 * i] - 0.3 - ldexp((double)(mix(&state) >> 11), -60)) < 1e-7;
        mix(&state), mix(&state), mix(&state);
    }
    CHECK(few, "rounded numbers have few digits");
    CHECK(near, "and are near what they were, also far from the middle of a wide domain");
    tac_released_cells_free(model->synopsis);
    model->synopsis = s;
    MUST(tacit_model_json(ctx, model, &json) == TACIT_OK);
    char *again = rewritten(json);
    CHECK(again != NULL && strcmp(again, json) == 0, "and read back as they were written");
    tacit_free(again);
    tacit_free(json);
    tacit_model_free(model);
}

static void test_bad(void)
{
    static const struct {
        const char *cells, *old, *new, *field;
    } bad[] = {
        {CELLS, "[100, 100, 50, 50]", "[100, 100, 50]", "field synopsis.spreads"},
        {CELLS, "[100, 100, 50, 50]", "[]", "field synopsis.weights"},
        {CELLS, "[100, 100, 50, 50]", "[100, -1, 50, 50]", "field synopsis.weights[1]"},
        {CELLS, "[100, 100, 50, 50]", "[100, null, 50, 50]", "field synopsis.weights[1]"},
        {CELLS, "[100, 100, 50, 50]", "{}", "field synopsis.weights"},
        {CELLS, "\"weights_noise_sd\": 5", "\"weights_noise_sd\": -5",
         "field synopsis.weights_noise_sd"},
        {CELLS, "\"weights_noise_sd\": 5,\n", "", "field synopsis.weights_noise_sd"},
        {CELLS, "[0.05, 0.05, 0.05, 0.05]", "[0.05, 0.05, 0.05, -0.05]",
         "field synopsis.spreads[3]"},
        {CELLS, "0.4,", "-0.4,", "field synopsis.total_spread"},
        {CELLS, "[0.25, 0.2]", "[0.25]", "field synopsis.points[2]"},
        {CELLS, "[0.25, 0.2]", "[0.25, 0.2, 0]", "field synopsis.points[2]"},
        {CELLS, "[0.25, 0.2]", "[0.25, 1e999]", "line"},
        {CELLS, "[0.25, 0.2]", "\"x\"", "field synopsis.points[2]"},
        {CELLS, "[0.001, 0.001, 0.002, 0.002]", "[0.001, 0.001, 0.002]",
         "field synopsis.points_noise_sd"},
        {CELLS, "[0.001, 0.001, 0.002, 0.002]", "[0.001, 0.001, 0.002, -1]",
         "field synopsis.points_noise_sd[3]"},
        {CELLS, "\"total_spread\": 0.4", "\"total_spread\": 0.4, \"exact\": 1",
         "field synopsis.exact"},
        {CELLS, "\"total_spread\": 0.4", "\"total_spread\": 0.4, \"origin\": [0, 0]",
         "field synopsis.origin"},
        {CELLS, "\"total_spread\": 0.4", "\"total_spread\": 0.4, \"outside\": 0",
         "field synopsis.outside"},
        {CELLS, "\"format\": 7", "\"format\": 6", "field k_choice"},
        {BASIS, "[0.8, 0.6]", "[0.8, 0.7]", "field synopsis.basis[0]"},
        {BASIS, "[0.8, 0.6]", "[0.8]", "field synopsis.basis[0]"},
        {BASIS, "\n      [0.8, 0.6]\n    ", "", "field synopsis.basis"},
        {BASIS, "\"origin\": [0, 0]", "\"origin\": [0]", "field synopsis.origin"},
        {BASIS, "\"outside\": 0.02", "\"outside\": -0.02", "field synopsis.outside"},
        {BASIS, ",\n    \"outside\": 0.02", "", "field synopsis.outside"},
        {BASIS, "[-0.4]", "[-0.4, 1]", "field synopsis.points[0]"},
        {CELLS, "  \"k\": 2,",
         "  \"cut_from\": {\"family\": \"subspace\", \"method\": \"a\", "
         "\"k\": 9},\n  \"k\": 2,",
         "field cut_from.family"},
        {CELLS, "  \"k\": 2,",
         "  \"cut_from\": {\"family\": \"kmeans\", \"method\": \"\", "
         "\"k\": 9},\n  \"k\": 2,",
         "field cut_from.method"},
        {CELLS, "  \"k\": 2,",
         "  \"cut_from\": {\"family\": \"kmeans\", \"method\": \"a\", "
         "\"k\": 0},\n  \"k\": 2,",
         "field cut_from.k"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tacit_model *model = NULL;
        with(bad[i].cells);
        replace(text, bad[i].old, bad[i].new);
        const tacit_status status = read_text(text, strlen(text), &model);
        CHECK(status == TACIT_E_FORMAT && model == NULL && says(bad[i].field), "%s",
              tacit_ctx_message(ctx));
        tacit_model_free(model);
    }
}

/* Numbers that a file may hold and no run writes: refused when they are used, never a crash. */
static void test_hostile(void)
{
    static const char *const change[][2] = {{"[0.25, 0.2]", "[0.25, 1e300]"},
                                            {"[0.25, 0.2]", "[-1e9, 0]"},
                                            {"[100, 100, 50, 50]", "[1e300, 1e300, 1, 1]"},
                                            {"[0.05, 0.05, 0.05, 0.05]", "[1e200, 0, 0, 0]"},
                                            {"[0.001, 0.001, 0.002, 0.002]", "[1e160, 0, 0, 0]"}};
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        tacit_model *model = NULL, *other = NULL;
        double *rows = NULL;
        with(CELLS);
        replace(text, change[i][0], change[i][1]);
        MUST(read_text(text, strlen(text), &model) == TACIT_OK);
        CHECK(tacit_model_recut(ctx, model, 3, 0, &other) == TACIT_E_FORMAT && other == NULL &&
                  says("synopsis"),
              "%s", tacit_ctx_message(ctx));
        CHECK(tacit_model_synthesize(ctx, model, 3, 1, &rows) == TACIT_E_FORMAT && rows == NULL,
              "nor is it drawn from");
        tacit_model_free(model);
    }
    tacit_model *model = NULL, *other = NULL;
    with(CELLS);
    replace(text, "[100, 100, 50, 50]", "[0, 0, 0, 0]");
    MUST(read_text(text, strlen(text), &model) == TACIT_OK);
    CHECK(tacit_model_recut(ctx, model, 4, 0, &other) == TACIT_OK, "cells without weight are cut");
    tacit_model_free(other);
    tacit_model_free(model);
}

static bool is(const tacit_model *m, int32_t c, double size, double age, double stay)
{
    const double *center = tacit_model_centers(m) + 2 * c;
    const bool same = fabs(tacit_model_sizes(m)[c] - size) < 1e-6 * size &&
                      fabs(center[0] - age) < 1e-6 * 120 && fabs(center[1] - stay) < 1e-6 * 60;
    if (!same)
        printf("# cluster %d: %g rows, %g, %g\n", (int)c, tacit_model_sizes(m)[c], center[0],
               center[1]);
    return same;
}

static tacit_model *cut_into(const tacit_model *model, int32_t k, int median)
{
    tacit_model *other = NULL;
    if (tacit_model_recut(ctx, model, k, median, &other) != TACIT_OK)
        printf("# %s\n", tacit_ctx_message(ctx));
    MUST(other != NULL);
    return other;
}

/* 600 rows become two cells of 300 at 24 and 36; the cells of the 400 move down by 1.5. */
static void test_known_cuts(void)
{
    tacit_model *model = model_of(CELLS), *other = cut_into(model, 4, 0);
    const bool left = fabs(tacit_model_centers(other)[0] - 24) < 1;

    CHECK(is(other, left ? 0 : 1, 300, 24, 15) && is(other, left ? 1 : 0, 300, 36, 15),
          "the cells of the first are weighted anew");
    const bool low = tacit_model_centers(other)[5] < 45;
    CHECK(is(other, low ? 2 : 3, 200, 90, 40.5) && is(other, low ? 3 : 2, 200, 90, 49.5),
          "those of the second are moved to its center too");
    CHECK(tacit_model_sizes_sd(other) > 4, "a divided size is less certain than a released one");
    CHECK(strstr(tacit_model_note_get(other, 1), "parts of released ones") != NULL &&
              strstr(tacit_model_note_get(other, 2), "more than half") != NULL,
          "and the notes say so");
    tacit_model_free(other);

    other = cut_into(model, 2, 0);
    CHECK(is(other, 0, 600, 30, 15) && is(other, 1, 400, 90, 45), "the same k: the same centers");
    CHECK(fabs(tacit_model_centers_sd(other)[0] - 0.5) < 0.01 &&
              fabs(tacit_model_sizes_sd(other) - 4) < 1e-9,
          "and the same error bars");
    CHECK(fabs(tacit_model_spreads(other)[0] - 12) < 0.1 &&
              fabs(tacit_model_spreads(other)[3] - 6) < 0.1,
          "and the same spreads");
    CHECK(tacit_model_note_count(other) == 1, "nothing is less certain");
    tacit_model_free(other);

    other = cut_into(model, 1, 0);
    CHECK(is(other, 0, 1000, 54, 27), "one cluster: the mean of all");
    /* 600 rows 24 below, 400 rows 36 above, spreads 12 and 6 */
    const double all = sqrt(0.6 * (24 * 24 + 144) + 0.4 * (36 * 36 + 36));
    CHECK(fabs(tacit_model_spreads(other)[0] / all - 1) < 0.01, "and the spread of all");
    CHECK(fabs(tacit_model_sizes_sd(other) - 4 * sqrt(2)) < 1e-6, "of two noisy sizes");
    tacit_card a = TACIT_CARD_INIT, b = TACIT_CARD_INIT;
    MUST(tacit_model_card(model, &a) == TACIT_OK && tacit_model_card(other, &b) == TACIT_OK);
    CHECK(a.epsilon == b.epsilon && a.delta == b.delta && a.spent == b.spent &&
              strcmp(tacit_model_guarantee(model), tacit_model_guarantee(other)) == 0 &&
              tacit_model_query_count(model) == tacit_model_query_count(other),
          "the card is the same");
    CHECK(tacit_model_cut_from(other) == 2 && tacit_model_cells(other) == 0 &&
              strcmp(tacit_model_method(other), "recut") == 0,
          "it says what it was cut from");
    char *json = NULL;
    MUST(tacit_model_json(ctx, other, &json) == TACIT_OK);
    char *again = rewritten(json);
    CHECK(again != NULL && strcmp(again, json) == 0, "a cut release is read back");
    tacit_free(again);
    tacit_free(json);
    tacit_model_free(other);
    tacit_model_free(model);
}

/* Along (0.8, 0.6) from the middle: -0.4 is (-0.32, -0.24), -0.3 is (-0.24, -0.18); their mean,
   (-0.28, -0.21), goes to the center, (-0.25, -0.25). */
static void test_basis(void)
{
    tacit_model *model = model_of(BASIS), *other = cut_into(model, 3, 0);

    CHECK(is(other, 0, 400, 90, 45), "a single cell goes to its center");
    const bool left = tacit_model_centers(other)[2] < 30;
    CHECK(is(other, left ? 1 : 2, 300, 30 - 0.04 * 120, 15 - 0.03 * 60) &&
              is(other, left ? 2 : 1, 300, 30 + 0.04 * 120, 15 + 0.03 * 60),
          "two move together");
    tacit_model_free(other);
    other = cut_into(model, 2, 1);
    CHECK(strcmp(tacit_model_family(other), "kmedian") == 0, "medians");
    tacit_model_free(other);
    tacit_model_free(model);
}

static void test_refused(void)
{
    tacit_model *model = model_of(CELLS), *other = NULL, *third = NULL;
    double *rows = NULL;

    CHECK(tacit_model_recut(ctx, model, 5, 0, &other) == TACIT_E_ARGUMENT && says("4 cells") &&
              other == NULL,
          "%s", tacit_ctx_message(ctx));
    CHECK(tacit_model_recut(ctx, model, 0, 0, &other) == TACIT_E_ARGUMENT, "%s",
          tacit_ctx_message(ctx));
    CHECK(tacit_model_recut(ctx, NULL, 2, 0, &other) == TACIT_E_ARGUMENT, "no model");
    CHECK(tacit_model_recut(ctx, model, TACIT_K_AUTO, 0, &other) == TACIT_E_ARGUMENT &&
              says("2 looks best") && says("2 to 3"),
          "%s", tacit_ctx_message(ctx));
    model->choice.verdict = TACIT_K_NONE;
    CHECK(tacit_model_recut(ctx, model, TACIT_K_AUTO, 0, &other) == TACIT_E_ARGUMENT && says("no "
                                                                                             "group"
                                                                                             "s"),
          "%s", tacit_ctx_message(ctx));
    model->choice.verdict = TACIT_K_GIVEN;
    CHECK(tacit_model_recut(ctx, model, TACIT_K_AUTO, 0, &other) == TACIT_E_ARGUMENT &&
              says("cannot be chosen") && other == NULL,
          "%s", tacit_ctx_message(ctx));
    other = cut_into(model, 3, 0);
    CHECK(tacit_model_recut(ctx, other, 2, 0, &third) == TACIT_E_ARGUMENT && says("was cut from"),
          "%s", tacit_ctx_message(ctx));
    CHECK(tacit_model_synthesize(ctx, other, 2, 1, &rows) == TACIT_E_ARGUMENT && says("was cut "
                                                                                      "from"),
          "rows are drawn from the first release");
    CHECK(tacit_model_synthesize(ctx, model, 0, 1, &rows) == TACIT_E_ARGUMENT, "no rows");
    const tacit_status much = tacit_model_synthesize(ctx, model, INT64_MAX, 1, &rows);
    CHECK(much == TACIT_E_MEMORY && says("ask for fewer"), "%s", tacit_ctx_message(ctx));
    tacit_model_free(other);
    tac_released_cells_free(model->synopsis);
    model->synopsis = NULL;
    CHECK(tacit_model_recut(ctx, model, 3, 0, &third) == TACIT_E_ARGUMENT && says("no cells"), "%s",
          tacit_ctx_message(ctx));
    other = cut_into(model, 1, 0);
    CHECK(is(other, 0, 1000, 54, 27), "centers alone can be joined");
    tacit_model_free(other);
    CHECK(tacit_model_synthesize(ctx, model, 10, 1, &rows) == TACIT_OK, "spreads will do for rows");
    tacit_free(rows);
    tac_free(model->spread);
    tac_free(model->spread_sd);
    model->spread = model->spread_sd = NULL;
    CHECK(tacit_model_synthesize(ctx, model, 10, 1, &rows) == TACIT_E_ARGUMENT && says("neither"),
          "%s", tacit_ctx_message(ctx));
    tacit_model_free(model);
}

/* Means and variances of 40,000 rows: five standard deviations, a false alarm in 1e-6 of runs; the
   seed is fixed anyway. */
static void test_rows(void)
{
    enum { ROWS = 40000 };
    tacit_model *model = model_of(CELLS);
    double *rows = NULL, *same = NULL, *other = NULL, mean[2] = {0}, square[2] = {0};
    bool inside = true;

    MUST(tacit_model_synthesize(ctx, model, ROWS, 1, &rows) == TACIT_OK);
    MUST(tacit_model_synthesize(ctx, model, ROWS, 1, &same) == TACIT_OK);
    MUST(tacit_model_synthesize(ctx, model, ROWS, 2, &other) == TACIT_OK);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < 2; j++) {
            const double x = rows[2 * i + j];
            inside = inside && x >= 0 && x <= (j == 0 ? 120 : 60);
            mean[j] += x / ROWS;
            square[j] += x * x / ROWS;
        }
    /* within 12 and 6, between 24 and 36 from the mean; the same for stay */
    const double age = 0.6 * (24 * 24 + 144) + 0.4 * (36 * 36 + 36),
                 stay = 0.6 * (12 * 12 + 9) + 0.4 * (18 * 18 + 36);
    CHECK(inside, "rows lie within the declared bounds");
    CHECK(fabs(mean[0] - 54) < 5 * sqrt(age / ROWS) && fabs(mean[1] - 27) < 5 * sqrt(stay / ROWS),
          "their means are the release's (%.3f, %.3f)", mean[0], mean[1]);
    CHECK(fabs((square[0] - mean[0] * mean[0]) / age - 1) < 0.03 &&
              fabs((square[1] - mean[1] * mean[1]) / stay - 1) < 0.03,
          "and their variances (%.3f, %.3f of it)", (square[0] - mean[0] * mean[0]) / age,
          (square[1] - mean[1] * mean[1]) / stay);
    CHECK(memcmp(rows, same, sizeof(double) * 2 * ROWS) == 0, "the same seed, the same rows");
    CHECK(memcmp(rows, other, sizeof(double) * 2 * ROWS) != 0, "another seed, other rows");
    tacit_free(rows);
    tacit_free(same);
    tacit_free(other);
    tacit_model_free(model);
}

/* A run keeps its cells unless told not to, and that changes nothing else. */
static void test_run(int pure)
{
    enum { ROWS = 6000 };
    static double value[ROWS * 2];
    tacit_data *data = NULL;
    tacit_model *model = NULL, *bare = NULL, *other = NULL;
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_kmeans_opts opts = TACIT_KMEANS_OPTS_INIT;
    uint64_t state = 3;

    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < 2; j++) {
            const int group = i % 4;
            double x = 0;
            for (int t = 0; t < 4; t++) x += ldexp((double)(mix(&state) >> 11), -53) / 4 - 0.125;
            value[2 * i + j] = 0.25 + 0.5 * (j == 0 ? group % 2 : group / 2) + 0.2 * x;
        }
    MUST(tacit_data_from_memory(ctx, value, TACIT_F64, ROWS, 2, &data) == TACIT_OK &&
         tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    budget.epsilon = 4;
    budget.delta = pure ? 0 : 1e-6;
    budget.use_insecure_test_seed = 1;
    budget.insecure_test_seed = 5;
    opts.k = 4;
    MUST(tacit_kmeans_run(ctx, data, &budget, &opts, &model) == TACIT_OK);
    opts.no_synopsis = 1;
    MUST(tacit_kmeans_run(ctx, data, &budget, &opts, &bare) == TACIT_OK);
    CHECK(tacit_model_cells(model) >= 4 && tacit_model_cells(bare) == 0 &&
              memcmp(model->centers, bare->centers, 8 * sizeof(double)) == 0,
          "%s: a run keeps its cells, %d of them, unless told not to", pure ? "pure" : "delta",
          (int)tacit_model_cells(model));
    double rows = 0;
    for (int32_t i = 0; i < tacit_model_cells(model); i++) rows += model->synopsis->weight[i];
    CHECK(fabs(rows / ROWS - 1) < 0.1, "they stand for all rows (%.3f)", rows / ROWS);
    other = cut_into(model, 4, 0);
    double apart = 0;
    for (int c = 0; c < 4; c++) {
        double least = INFINITY;
        for (int o = 0; o < 4; o++)
            least = fmin(least, hypot(other->centers[2 * c] - model->centers[2 * o],
                                      other->centers[2 * c + 1] - model->centers[2 * o + 1]));
        apart = fmax(apart, least);
    }
    CHECK(apart < 1e-6, "cut into the same number it is the same (%.2g)", apart);
    tacit_model_free(other);
    tacit_model_free(model);
    tacit_model_free(bare);
    tacit_data_free(data);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK && mkdtemp(folder) != NULL);
    test_round_trip();
    test_digits();
    test_bad();
    test_hostile();
    test_known_cuts();
    test_basis();
    test_refused();
    test_rows();
    test_run(0);
    test_run(1);
    tacit_ctx_free(ctx);
    leave_folder();
    return tap_done();
}
