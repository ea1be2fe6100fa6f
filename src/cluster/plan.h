/* SPDX-License-Identifier: Apache-2.0 */
/* A plan: the queries that a run would ask, from the receipts of a run over made-up rows. */
#ifndef TAC_PLAN_H
#define TAC_PLAN_H

#include "privacy/quote.h"
#include "release/model.h"

enum { TAC_PLAN_STEPS = 24, TAC_PLAN_FORECASTS = 3 };
enum { TAC_PLAN_GROUPS = 5 }; /* of made-up rows, where a run is to choose the number of centers */

typedef enum tac_planned {
    TAC_PLAN_MEANS,
    TAC_PLAN_MEDIAN,
    TAC_PLAN_SUBSPACE,
    TAC_PLAN_BLOCKS
} tac_planned;

/* What was planned, so that it can be tried: all of it public. */
typedef struct tac_plan_request {
    tac_planned family;
    tacit_budget budget; /* without a ledger */
    tacit_kmeans_opts centers;
    tacit_subspace_opts subspaces;
    tacit_cocluster_opts blocks;
    tac_assumed assumed; /* with the number of rows */
} tac_plan_request;

struct tacit_plan {
    int32_t steps;
    tacit_plan_step step[TAC_PLAN_STEPS];
    char what[TAC_PLAN_STEPS][96];
    char advice[1024];
    double sizes_sd, centers_sd; /* of the release of the made-up rows; NaN: not known */
    tac_plan_request request;
    int32_t forecasts; /* 0: not tried */
    int32_t deciding;  /* the forecast that gives the verdict */
    tacit_forecast forecast[TAC_PLAN_FORECASTS];
    double least_epsilon;
};

/* The receipts of a run, those with the same words in one step. A step's error is that of its last
   query. */
tacit_status tac_plan_receipts(tacit_ctx *ctx, const tac_run *run, tacit_plan *plan);
/* How far noise moves a coordinate of a center, as a part of its declared range or of the radius:
   the root mean square over coordinates, the geometric mean over centers. NaN: not known, or
   none. */
double tac_centers_moved(const tacit_model *model);
/* The advice: the last one given stays. */
void tac_plan_advise(tacit_plan *plan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
