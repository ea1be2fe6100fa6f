/* SPDX-License-Identifier: Apache-2.0 */
/* Columns sorted by noisy mass, and back by place. */
#include "cluster/cocluster/auto/masses.h"

#include <stdlib.h>

static int by_column(const void *a, const void *b)
{
    const tac_column_mass *x = a, *y = b;
    return x->column < y->column ? -1 : x->column > y->column;
}

static int by_mass(const void *a, const void *b)
{
    const tac_column_mass *x = a, *y = b;
    return x->mass > y->mass ? -1 : x->mass < y->mass ? 1 : by_column(a, b);
}

void tac_sort_by_mass(tac_column_mass *all, int32_t count)
{
    qsort(all, (size_t)count, sizeof *all, by_mass);
}

void tac_sort_by_column(tac_column_mass *all, int32_t count)
{
    qsort(all, (size_t)count, sizeof *all, by_column);
}
