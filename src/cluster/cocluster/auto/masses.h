/* SPDX-License-Identifier: Apache-2.0 */
/* Columns by their noisy mass. Public numbers only. */
#ifndef TAC_MASSES_H
#define TAC_MASSES_H

#include <stdint.h>

typedef struct tac_column_mass {
    double mass;
    int32_t column;
} tac_column_mass;

/* Heaviest first, then by place. In place. */
void tac_sort_by_mass(tac_column_mass *all, int32_t count);
void tac_sort_by_column(tac_column_mass *all, int32_t count);

#endif
