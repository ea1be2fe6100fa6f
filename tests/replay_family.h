/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests that run every method of a family on worlds made for the purpose know of it, and
   how a side of a world is opened. */
#ifndef TAC_TEST_REPLAY_FAMILY_H
#define TAC_TEST_REPLAY_FAMILY_H

#include "data/dataset/domain.h"
#include "privacy/door_internal.h"
#include "release/model.h"
#include "replay_world.h"

static tacit_ctx *ctx;

typedef struct replay_family {
    int variants;                     /* numbers 0 .. variants - 1 of every method */
    const char *(*method)(int which); /* its name; NULL: there is none of this number */
    /* and in what words to tell the variant */
    bool (*serves)(int which, int variant, char *words, size_t room);
    void (*make)(int which, int variant, world *w);
    tacit_status (*run)(const world *w, int which, int variant, tacit_data *data,
                        tacit_budget *budget, const tac_door_probe *probe, tacit_model **model);
    bool counts; /* rows of counts, not of numbers */
    /* the release has a label for every row, though whole rows are replaced; NULL: never */
    bool (*labels)(int variant);
} replay_family;

/* The rows of a side with their persons, and the budget but for its delta, for a run with test
   seed. */
static void open_side(const world *w, int side, tacit_data **data, tacit_budget *budget)
{
    ctx->threads = w->threads[side];
    ctx->block_bytes = w->block_bytes[side];
    if (w->sparse)
        MUST(tacit_data_from_csr(ctx, w->start[side], w->column[side], w->value[side],
                                 w->rows[side], w->dims, data) == TACIT_OK);
    else
        MUST(tacit_data_from_memory(ctx, w->value[side], TACIT_F64, w->rows[side], w->dims, data) ==
             TACIT_OK);
    if (w->owned > 0) MUST(tacit_data_set_units(ctx, *data, w->unit[side], NULL) == TACIT_OK);
    tacit_budget_init(budget, sizeof *budget);
    budget->max_rows_per_unit = w->owned;
    budget->epsilon = w->epsilon;
    budget->neighbors = w->neighbors;
    budget->use_insecure_test_seed = 1;
    budget->insecure_test_seed = 42;
}

/* The domain of rows of numbers. */
__attribute__((unused)) static void declare_domain(const world *w, tacit_data *data)
{
    static double lower[WIDE], upper[WIDE];
    static bool estimate[WIDE];
    /* one pair in eight has bounds that the run estimates: of some columns, with limits or not */
    const bool private = !w->ball && !w->sparse && w->options >> 9 & 1 && w->options >> 10 & 1;

    for (int32_t j = 0; j < w->dims; j++) {
        lower[j] = -1, upper[j] = upper_of(j);
        estimate[j] = private && (j == 0 || w->options >> (11 + j % 3) & 1);
        if (estimate[j] && j % 3 != 1) lower[j] = -INFINITY;
        if (estimate[j] && j % 3 != 2) upper[j] = INFINITY;
    }
    MUST((w->ball ? tacit_data_set_ball(ctx, data, NULL, 1.5)
                  : tac_data_set_ranges(ctx, data, lower, upper, private ? estimate : NULL)) ==
         TACIT_OK);
}

#endif
