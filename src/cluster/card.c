/* SPDX-License-Identifier: Apache-2.0 */
/* The privacy card of any method: what the run was allowed, what it asked, what each query cost.
   The last step of the walk from rows through the door and the algorithm to the release; it
   reads receipts only. */
#include "cluster/card.h"

#include "cluster/budget_shares.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Budget quanta as the native parameter of the account: epsilon, or mu^2. */
static double native(uint64_t quanta)
{
    return ldexp((double)quanta, -TAC_QUANTUM_BITS);
}

/* Draws by weight: their scale is an epsilon, their sensitivity a range. */
static bool is_selection(const tac_receipt *r)
{
    return tac_kind_price(r->kind) == TAC_PRICE_EPSILON;
}

bool tac_is_alone(const tac_receipt *r)
{
    return tac_kind_price(r->kind) == TAC_PRICE_ALONE;
}

const char *tac_noise_of(const tac_receipt *r, tac_definition definition)
{
    if (tac_is_alone(r)) return "discrete Gaussian, relative to a private bound";
    if (!is_selection(r)) return tac_distribution_name(r->distribution);
    if (r->kind == TAC_KIND_BINGHAM) return "exponential mechanism, in real arithmetic";
    if (r->kind == TAC_KIND_GIBBS)
        return "exponential mechanism, in the limit and in real arithmetic";
    const bool flips = tac_kind_class(r->kind) == TAC_CLASS_SELECTION && definition == TAC_PURE;
    return flips ? "permute-and-flip" : "exponential mechanism";
}

/* One entry of the card per receipt. Gaussian sensitivities stand squared on the receipt; the
   card shows the length itself. */
static tacit_status write_queries(tacit_ctx *ctx, const tac_run *run, tac_card *card)
{
    tacit_status status = TACIT_OK;
    const tac_door *door = run->door;
    const tac_definition definition = run->accountant.definition;
    const int32_t count = tac_door_asked(door);

    TAC_TRY(tac_new(ctx, (size_t)count, sizeof *card->query, &card->query));
    card->queries = count;
    for (int32_t i = 0; i < count; i++) {
        const tac_receipt *r = tac_door_receipt(door, i);
        tac_card_query *q = &card->query[i];
        TAC_TRY(tac_model_set_text(ctx, &q->kind, tac_kind_name(r->kind)));
        TAC_TRY(tac_model_set_text(ctx, &q->what, r->what));
        TAC_TRY(tac_model_set_text(ctx, &q->noise, tac_noise_of(r, definition)));
        q->scale = ldexp((double)r->scale, is_selection(r) ? -TAC_SELECTION_BITS : 0);
        q->sensitivity = !is_selection(r) && r->distribution == TAC_GAUSSIAN
                             ? sqrt((double)r->sensitivity)
                             : (double)r->sensitivity;
        q->cost = tac_is_alone(r) ? 1 : native(r->quanta);
        q->answers = r->answers;
        /* batches are charged apart under neighbors entry only */
        q->batch = run->budget.neighbors == TACIT_ENTRY ? r->batch : -1;
    }
done:
    return status;
}

/* The guarantee as a sentence: size, privacy unit, standing. A test seed leaves none. column:
   the name of the column of persons. */
static tacit_status write_guarantee(tacit_ctx *ctx, const tac_run *run, const char *column,
                                    const char *standing, char **out)
{
    const bool person = run->data->has_units, replace = run->budget.neighbors == TACIT_REPLACE;
    char text[640], size[96], who[320];

    if (run->budget.use_insecure_test_seed)
        return tac_model_set_text(ctx, out, "none: made with an insecure test seed");
    if (run->budget.delta > 0)
        snprintf(size, sizeof size, "(%.15g, %.15g)-differentially private", run->budget.epsilon,
                 run->budget.delta);
    else
        snprintf(size, sizeof size, "%.15g-differentially private (pure)", run->budget.epsilon);
    if (run->budget.neighbors == TACIT_ENTRY)
        snprintf(who, sizeof who,
                 "one more or one less in a single entry of the table (not for whole rows)");
    else if (person && run->budget.max_rows_per_unit == 0)
        snprintf(who, sizeof who,
                 "%s all rows of one person (column %.200s, added up into one row)",
                 replace ? "changing" : "adding or removing", column);
    else if (person)
        snprintf(
            who, sizeof who, "%s all rows of one person (column %.200s, at most %d %s of each %s)",
            replace ? "changing" : "adding or removing", column, run->rows_per_unit,
            run->rows_per_unit == 1 ? "row" : "rows", run->rows_per_unit == 1 ? "counts" : "count");
    else
        snprintf(who, sizeof who, "%s one row", replace ? "changing" : "adding or removing");
    snprintf(text, sizeof text, "%s for %s, %s", size, who, standing);
    return tac_model_set_text(ctx, out, text);
}

/* The budget and what was spent, in the native parameter; a query that is alone counts as 1 of
   1. */
tacit_status tac_write_card(tacit_ctx *ctx, const tac_run *run, const char *paper,
                            const char *standing, tac_card *card)
{
    tacit_status status = TACIT_OK;
    static const char *const words[] = {[TAC_PURE] = "pure", [TAC_GDP] = "gaussian"};
    const tac_accountant *a = &run->accountant;
    const char *column = run->data->has_units ? tac_data_unit_name(run->data) : "";
    char unit[256] = "row";

    if (run->budget.neighbors == TACIT_ENTRY) snprintf(unit, sizeof unit, "entry");
    if (run->data->has_units) snprintf(unit, sizeof unit, "person (column %.200s)", column);
    card->insecure_seed = run->budget.use_insecure_test_seed != 0;
    card->rows_per_unit = run->rows_per_unit;
    card->neighbors = run->budget.neighbors;
    card->epsilon = a->epsilon;
    card->delta = a->delta;
    const bool alone =
        tac_door_asked(run->door) == 1 && tac_is_alone(tac_door_receipt(run->door, 0));
    card->native_budget = alone ? 1 : native(a->budget);
    card->native_spent = alone ? 1 : native(a->spent);
    card->in_ledger = run->reserved;
    if (run->reserved) TAC_TRY(tac_model_set_text(ctx, &card->ledger_run, run->ctx->run.id));
    TAC_TRY(tac_model_set_text(ctx, &card->unit, unit));
    TAC_TRY(tac_model_set_text(ctx, &card->accountant, alone ? "alone" : words[a->definition]));
    TAC_TRY(write_guarantee(ctx, run, column, standing, &card->guarantee));
    TAC_TRY(tac_model_set_text(ctx, &card->paper, paper));
    TAC_TRY(tac_model_set_text(ctx, &card->version, TACIT_VERSION));
    TAC_TRY(write_queries(ctx, run, card));
done:
    return status;
}
