/* SPDX-License-Identifier: Apache-2.0 */
/* Every method of subspace clustering, one line each: what it is called, what it promises, whose it is, how it runs. */
#include "cluster/subspace/subspace.h"

#include <string.h>

static const tac_subspace_method table[] = {
    [TACIT_SUBSPACE_SAMPLE_AGGREGATE] = {.name = "sample-aggregate",
                                         .summary = "a plain solver on parts of the rows, the result that most others are near, noise that suits "
                                                    "how near",
                                         .guarantee = "(epsilon, delta), proved for every epsilon; alone in its run, no price on a ledger",
                                         .paper = "Wang, Wang & Singh 2015, Algorithm 1; Nissim, Raskhodnikova & Smith 2007; smooth bound and noise "
                                                  "with a new proof",
                                         .standing = "proved",
                                         .approximate = true,
                                         .alone = true,
                                         .check = tac_subspace_aggregate_check,
                                         .run = tac_subspace_aggregate,
                                         .plan = tac_subspace_aggregate_plan},
};

const tac_subspace_method *tac_subspace_method_of(tacit_subspace_method which)
{
    const size_t index = (size_t)which;
    return index < sizeof table / sizeof *table && table[index].run != NULL ? &table[index] : NULL;
}

tacit_status tacit_subspace_method_get(tacit_subspace_method which, tacit_method *out)
{
    const tac_subspace_method *m = tac_subspace_method_of(which);
    const size_t size = out->size;

    if (m == NULL || size <= sizeof size || size > sizeof *out) return TACIT_E_ARGUMENT;
    const tacit_method told = {.size = size, .name = m->name, .summary = m->summary, .guarantee = m->guarantee, .paper = m->paper};
    memcpy(out, &told, size);
    return TACIT_OK;
}
