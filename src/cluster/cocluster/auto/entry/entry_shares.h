/* SPDX-License-Identifier: Apache-2.0 */
/* How auto spends a budget on single entries: a function of public numbers. Costs are in quanta. */
#ifndef TAC_ENTRY_SHARES_H
#define TAC_ENTRY_SHARES_H

#include "cluster/cocluster/cocluster_run.h"

typedef struct tac_entry_schedule {
    int32_t profiles;    /* of rows; joined to k clusters at the end */
    int32_t batches;     /* disjoint, of rows */
    int32_t passes;      /* over the batches */
    uint64_t draw, wide; /* quanta of a step's draw of labels and of its table by columns */
    /* of the last step, which also pays for the table of clusters */
    uint64_t last_draw, last_wide, table;
    uint64_t labels; /* of the rows' labels; 0: none */
} tac_entry_schedule;

/* budget: quanta; rows: public under neighbors entry; k, l: clusters asked for. */
tac_entry_schedule tac_entry_plan_steps(const tacit_cocluster_opts *opts, double epsilon,
                                        double delta, uint64_t budget, int64_t rows, int32_t k,
                                        int32_t l);

/* Weight of the sums so far at step t of `steps`, 0 .. KEEP: early profiles come from rows that
   drew almost at random, so they fade. */
double tac_entry_keep(int32_t step, int32_t steps);

#endif
