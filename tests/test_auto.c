/* SPDX-License-Identifier: Apache-2.0 */
/* Method auto with delta through the public header: what it does without, too, then how far its
   cells look, persons of many rows, and what it refuses. */
#include "cluster/kmeans/auto/tree.h"
#include "auto_stories.h"

/* A cell looks 1.3 root mean squares far, and 0.35 of the way to the next cell at least. */
static void test_reach(void)
{
    double center[] = {0, 0, 300, 400, 300, 1000}, spread[] = {1e4, 100, 1e4}, reach[3];
    tac_cell_set s = {.count = 3, .dims = 2, .center = center, .spread = spread, .reach = reach};

    tac_tree_set_reach(&s, false);
    CHECK(fabs(reach[0] - 175) < 1e-9 && fabs(reach[1] - 175) < 1e-9 && fabs(reach[2] - 210) < 1e-9,
          "cells whose spread came out small look a third of the way to the next one");
    spread[1] = 4e4;
    tac_tree_set_reach(&s, false);
    CHECK(fabs(reach[1] - 260) < 1e-9 && fabs(reach[0] - 175) < 1e-9, "a wide one looks further");
    s.count = 1;
    tac_tree_set_reach(&s, false);
    CHECK(fabs(reach[0] - 130) < 1e-9, "one cell alone: as far as its rows spread");
    s.count = 3;
    spread[1] = 100;
    tac_tree_set_reach(&s, true);
    CHECK(fabs(reach[0] - 175) < 1e-9 && fabs(reach[1] - 39) < 1e-9, "with plenty of rows a small "
                                                                     "cluster between large ones "
                                                                     "keeps a radius of its own");
}

/* Boxes without groups get the noise of the run: with persons of many rows they show as much as
   the rows do. Neither account nor card knows of them. */
static void test_choose_persons(void)
{
    enum { N = 20000, D = 3, K = 6, OWN = 4 };
    double center[K * D];
    double *rows = mixture(N, D, K, 0.02, 77, center);
    int64_t *unit = malloc(N * sizeof *unit);
    tacit_budget b;
    tacit_kmeans_opts o;

    MUST(unit != NULL);
    for (int64_t i = 0; i < N; i++) unit[i] = i / OWN;
    tacit_budget_init(&b, sizeof b);
    tacit_kmeans_opts_init(&o, sizeof o);
    b.delta = 1e-6;
    b.max_rows_per_unit = OWN;
    b.use_insecure_test_seed = 1;
    o.k = TACIT_K_AUTO;
    for (int replace = 0; replace < 2; replace++)
        for (int starved = 0; starved < 2; starved++) {
            tacit_data *data = NULL;
            tacit_model *m = NULL;
            tacit_k_choice c = TACIT_K_CHOICE_INIT;
            b.epsilon = starved ? 0.02 : 2;
            b.neighbors = replace ? TACIT_REPLACE : TACIT_ADD_REMOVE;
            MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, N, D, &data) == TACIT_OK &&
                 tacit_data_set_units(ctx, data, unit, "person") == TACIT_OK &&
                 tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK &&
                 tacit_kmeans_run(ctx, data, &b, &o, &m) == TACIT_OK &&
                 tacit_model_k_choice(m, &c) == TACIT_OK);
            CHECK(starved ? tacit_model_k(m) == 1 && c.verdict == TACIT_K_NOISY
                          : tacit_model_k(m) == K && c.verdict == TACIT_K_CLEAR,
                  "persons, %s, epsilon %g: k = %d (%.2f, needed %.2f)",
                  replace ? "replace" : "add-remove", b.epsilon, tacit_model_k(m), c.strength,
                  c.needed);
            CHECK(m->card.native_spent <= m->card.native_budget &&
                      m->card.native_spent > 0.99 * m->card.native_budget,
                  "... the budget is spent once");
            tacit_model_free(m);
            tacit_data_free(data);
        }
    free(unit);
    free(rows);
}

static void test_quiet(void)
{
    double center[2 * 2];
    double *rows = mixture(20000, 2, 2, 0.02, 78, center);
    tacit_model *m = fit(rows, 20000, 2, (ask){.k = 2, .epsilon = 4, .seed = 8});

    CHECK(m != NULL && tacit_model_note_get(m, 0) == NULL, "nothing to warn of: no note");
    tacit_model_free(m);
    free(rows);
}

static void test_refusals(void)
{
    double rows[40] = {0};

    CHECK(fit(rows, 10, 4, (ask){.k = 2, .epsilon = 1e-6, .delta = 1e-30}) == NULL &&
              strstr(tacit_ctx_message(ctx), "epsilon is too small") != NULL,
          "a budget that cannot pay for its queries");
    CHECK(fit(rows, 10, 4, (ask){.k = 0, .epsilon = 1}) == NULL, "no k");
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_auto(false);
    test_reach();
    test_choose_persons();
    test_quiet();
    test_refusals();
    tacit_ctx_free(ctx);
    return tap_done();
}
