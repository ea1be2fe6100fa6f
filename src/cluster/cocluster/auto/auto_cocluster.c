/* SPDX-License-Identifier: Apache-2.0 */
/* Method auto: whole rows and persons go to rows/; single entries go to entry/, or at small
   epsilon with delta > 0 to gram/. The choice depends on public numbers alone. */
#include "cluster/cocluster/cocluster_run.h"

/* epsilon below which one noisy Gram matrix of the heaviest columns beats draws of labels */
#define GRAM_BELOW 0.3

/* Measured on five sets of documents: between these two neither a Gram matrix nor more passes
   make up for the price of label draws in a Gaussian account. A run without a ledger then does
   better to leave its delta unspent: what is pure is also approximate. */
#define PURE_FROM 0.15
#define PURE_BELOW 1.0

bool tac_cocluster_auto_leaves_delta(const tacit_budget *b)
{
    return b->neighbors == TACIT_ENTRY && b->delta > 0 && b->ledger == NULL &&
           b->epsilon >= PURE_FROM && b->epsilon < PURE_BELOW;
}

static bool takes_gram(double epsilon, double delta)
{
    return delta > 0 && epsilon < GRAM_BELOW;
}

tacit_status tac_cocluster_auto(const tac_cocluster_job *job, tac_cocluster_result *out)
{
    if (!job->entry) return tac_cocluster_rows(job, out);
    return takes_gram(job->epsilon, job->delta) ? tac_cocluster_gram(job, out)
                                                : tac_cocluster_entry(job, out);
}
