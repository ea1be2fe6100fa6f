/* SPDX-License-Identifier: Apache-2.0 */
/* Every method of co-clustering, one line each: what it is called, what it promises, whose it is, how it runs. */
#include "cluster/cocluster/cocluster.h"

#include <string.h>

static const tac_cocluster_method table[] = {
    [TACIT_COCLUSTER_BALCAN] = {.name = NULL},
};

const tac_cocluster_method *tac_cocluster_method_of(tacit_cocluster_method which)
{
    const size_t index = (size_t)which;
    return index < sizeof table / sizeof *table && table[index].run != NULL ? &table[index] : NULL;
}

tacit_status tacit_cocluster_method_get(tacit_cocluster_method which, tacit_method *out)
{
    const tac_cocluster_method *m = tac_cocluster_method_of(which);
    const size_t size = out->size;

    if (m == NULL || size <= sizeof size || size > sizeof *out) return TACIT_E_ARGUMENT;
    const tacit_method told = {.size = size, .name = m->name, .summary = m->summary, .guarantee = m->guarantee, .paper = m->paper};
    memcpy(out, &told, size);
    return TACIT_OK;
}
