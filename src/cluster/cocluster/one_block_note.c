/* SPDX-License-Identifier: Apache-2.0 */
/* A table of blocks that noise alone explains says so: it is no better than one block. From
   released numbers alone. */
#include "cluster/cocluster/cocluster_run.h"

#include <math.h>

/* Is the released table that of independent rows and columns, give or take noise? With margins r
   and c and their sum n, X = sum (t - r c / n)^2 / sd^2 has about f = (k - 1)(l - 1) degrees of
   freedom then; three of its deviations sqrt(5 f), those of Laplace noise, are allowed for. The
   rest is no cluster. */
static bool is_independent(const tac_cocluster_result *r)
{
    const int32_t width = r->l + r->rest;
    const double freedom = (double)(r->k - 1) * (r->l - 1);
    double all = 0, squares = 0;

    for (int32_t a = 0; a < r->k; a++)
        for (int32_t b = 0; b < r->l; b++) all += r->table[(size_t)a * (size_t)width + (size_t)b];
    if (!(all > 0)) return true;
    for (int32_t a = 0; a < r->k; a++)
        for (int32_t b = 0; b < r->l; b++) {
            double row = 0, column = 0;
            for (int32_t i = 0; i < r->l; i++)
                row += r->table[(size_t)a * (size_t)width + (size_t)i];
            for (int32_t i = 0; i < r->k; i++)
                column += r->table[(size_t)i * (size_t)width + (size_t)b];
            squares += pow(r->table[(size_t)a * (size_t)width + (size_t)b] - row * column / all, 2);
        }
    /* NaN: not known, and nothing is said */
    return squares < r->table_sd * r->table_sd * (freedom + 3 * sqrt(5 * freedom));
}

tacit_status tac_one_block_note(tacit_ctx *ctx, const tac_cocluster_job *job,
                                tac_cocluster_result *r)
{
    if (job->k == 1 || job->l == 1 || (r->k > 1 && r->l > 1 && !is_independent(r))) return TACIT_OK;
    return tac_note(ctx, &r->notes,
                    "%s: one block " TAC_SAYS_ONE_WOULD_DO "; a larger epsilon, more rows or fewer "
                    "clusters would tell more, and tacit plan tries it beforehand",
                    r->k > 1 && r->l > 1 ? "the table differs from one without blocks by no more "
                                           "than its noise"
                                         : "noise hides all clusters but one");
}
