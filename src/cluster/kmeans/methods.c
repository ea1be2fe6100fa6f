/* SPDX-License-Identifier: Apache-2.0 */
/* Every method, one line each: what it is called, what it promises, whose it is, how it runs. */
#include "cluster/kmeans/kmeans.h"

#include <string.h>

#define PROVED "proved; pure with delta = 0, approximate with delta > 0"

static const tac_kmeans_method table[] = {
    [TACIT_KMEANS_LLOYD] = {.name = "lloyd",
                            .summary = "noisy Lloyd rounds from spread-out centres, with shrinking and re-seeding",
                            .guarantee = PROVED,
                            .paper = "Blum, Dwork, McSherry & Nissim 2005 (SuLQ); Su, Cao, Li, Bertino & Jin 2016 (DP-Lloyd)",
                            .means = true, .pure = true, .approximate = true, .rounds = true,
                            .check = tac_lloyd_check, .run = tac_lloyd, .plan = tac_lloyd_plan},
    [TACIT_KMEANS_BALCAN] = {.name = "balcan",
                             .summary = "projection, candidates by private partition, private local search, noisy means",
                             .guarantee = PROVED,
                             .paper = "Balcan, Dick, Liang, Mou & Zhang 2017",
                             .means = true, .pure = true, .rounds = true, .run = tac_balcan_run},
};

const tac_kmeans_method *tac_kmeans_method_of(tacit_kmeans_method which)
{
    const size_t index = (size_t)which;
    return index < sizeof table / sizeof *table && table[index].run != NULL ? &table[index] : NULL;
}

void tacit_method_init(tacit_method *method, size_t size)
{
    memset(method, 0, size);
    method->size = size;
}

tacit_status tacit_kmeans_method_get(tacit_kmeans_method which, tacit_method *out)
{
    const tac_kmeans_method *m = tac_kmeans_method_of(which);
    const size_t size = out->size;

    if (m == NULL || size <= sizeof size || size > sizeof *out) return TACIT_E_ARGUMENT;
    const tacit_method told = {.size = size, .name = m->name, .summary = m->summary, .guarantee = m->guarantee,
                               .paper = m->paper, .means = m->means, .median = m->median};
    memcpy(out, &told, size);
    return TACIT_OK;
}
