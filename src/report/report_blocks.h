/* SPDX-License-Identifier: Apache-2.0 */
/* What the two files about co-clusterings share. */
#ifndef TAC_REPORT_BLOCKS_H
#define TAC_REPORT_BLOCKS_H

#include "report/report.h"

typedef struct tac_blocks {
    const tacit_model *model;
    const double *table;
    int32_t k, l, width;
    double sd, total;
    double *row, *column; /* masses, not below 0 */
} tac_blocks;

/* "C2", or "rest". */
void tac_blocks_head(tac_html *html, const tac_blocks *b, int32_t column);
/* "tea, coffee, milk and 31 more": the most certain columns of a cluster first. */
void tac_blocks_names(tac_html *html, const tac_blocks *b, int32_t column, int32_t most);
/* The columns of the first `shown` clusters: the most certain of each on a card, all in a table. */
void tac_report_columns(tac_html *html, const tac_blocks *b, int32_t shown);

#endif
