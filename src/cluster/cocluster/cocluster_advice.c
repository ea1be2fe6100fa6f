/* SPDX-License-Identifier: Apache-2.0 */
/* The advice of a plan of co-clustering, from public numbers and made-up receipts. */
#include "cluster/cocluster/auto/rows/auto_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whole rows: the rows that are needed, in deviations of noise if the whole budget paid for one
   sum. */
static void about_rows(const tac_run *run, double rows, char *text, size_t room)
{
    const tac_privacy_params params = tac_door_params(run->door);
    const bool pure = params.definition == TAC_PURE;
    const double sd = tac_noise_sd(tac_door_distribution(run->door),
                                   tac_quote_sums(&params, 1, 1, run->accountant.budget)) /
                      TAC_M;
    const double least = sd * (pure ? TAC_ROWS_HOPELESS_PURE : TAC_ROWS_HOPELESS);

    if (rows < least)
        snprintf(text, room,
                 "With so few rows at this epsilon expect little more than noise; about %.0f rows "
                 "would be usable.%s",
                 TAC_ROWS_USABLE * least,
                 pure ? " A delta above 0, for example 1e-6, helps far more than rows." : "");
    else if (rows < TAC_ROWS_USABLE * least)
        snprintf(text, room,
                 "Expect rough clusters of rows and few columns that can be placed; %.0f rows or a "
                 "larger epsilon help.%s",
                 TAC_ROWS_USABLE * least,
                 pure ? " So does a delta above 0, for example 1e-6." : "");
    else
        snprintf(text, room,
                 "This should be usable for clusters of rows; columns are placed if they are "
                 "frequent.%s",
                 pure ? " A delta above 0, for example 1e-6, usually makes both far better." : "");
}

/* Single entries: how often a column must occur to be seen, where batches share its counts;
   otherwise the noise of the table. */
static void about_entries(const tac_run *run, const tacit_model *model, char *text, size_t room)
{
    const bool more = run->budget.delta > 0;
    double noise = 0;
    int32_t batches = 0, profiles = 0;

    for (int32_t i = 0; i < tac_door_asked(run->door); i++) {
        const tac_receipt *r = tac_door_receipt(run->door, i);
        if (r->reach == 0 || r->batch < 0 || r->answers < model->dims) continue;
        noise = fmax(noise, tac_receipt_sd(r) / (double)r->reach);
        batches = r->batch >= batches ? r->batch + 1 : batches;
        profiles = (int32_t)(r->answers / model->dims);
    }
    if (batches > 0)
        snprintf(text, room,
                 "A column should occur well over %.3g times in all to say anything: %d batches x "
                 "%d profiles share its counts, each with noise of %.3g.%s",
                 noise * sqrt(batches) * profiles, batches, profiles, noise,
                 more ? " With delta = 0 the same epsilon has less noise." : "");
    else if (strcmp(model->method, "auto") == 0)
        snprintf(text, room,
                 "At so small an epsilon expect rough clusters of rows, by the heaviest columns "
                 "only; at a larger epsilon single entries are clustered in batches of rows, which "
                 "is better.");
    else if (isfinite(model->blocks->table_sd))
        snprintf(text, room, "Cells of the table are off by about %.3g %s.",
                 model->blocks->table_sd, model->blocks->unit);
}

void tac_cocluster_advise(const tac_cocluster_method *method, const tac_run *run,
                          const tacit_model *model, double rows, tacit_plan *plan)
{
    const char *caveat = method->caveat;
    char usable[300] = "";

    if (run->budget.neighbors == TACIT_ENTRY)
        about_entries(run, model, usable, sizeof usable);
    else
        about_rows(run, rows, usable, sizeof usable);
    tac_plan_advise(plan, "%s%s%s", usable, *usable != '\0' && caveat != NULL ? " " : "",
                    caveat != NULL ? caveat : "");
}
