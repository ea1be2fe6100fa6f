/* SPDX-License-Identifier: Apache-2.0 */
/* What the published baselines share. They are kept as published, not improved, for comparison.
   All of it works on noisy answers and public numbers only. */
#ifndef TAC_NOISY_LLOYD_STEP_H
#define TAC_NOISY_LLOYD_STEP_H

#include "cluster/kmeans/spread_centers.h"

/* ---- starts that know nothing of the data ---- */

/* k points uniform in the domain. */
void tac_start_uniform(const tac_frame *frame, int32_t k, tac_stream *random, double *centers);
/* k points, each at least a from the border and 2a from the others, for about the largest a that
   random tries can place (Su et al. 2016). Beyond 1000 centers, where comparing them all would take
   too long: uniform. */
void tac_start_packed(const tac_frame *frame, int32_t k, tac_stream *random, double *centers);

/* ---- noisy means ---- */

/* k centers and the last noisy answer about their cells. */
typedef struct tac_means {
    const tac_kmeans_job *job;
    int32_t k, dims;
    uint32_t count_weight; /* of the joint query */
    double *centers;       /* k x dims */
    double *count;         /* k, in rows */
    double sd, count_sd;   /* of a sum's coordinate, of a count */
    int64_t *answer;
    int16_t *rounded;
} tac_means;

/* Room for k centers; the caller fills them. */
tacit_status tac_means_open(const tac_kmeans_job *job, int32_t k, uint32_t count_weight,
                            tac_means *out);
void tac_means_close(tac_means *means);
/* One noisy Lloyd step: every center moves to noisy sum / noisy count, then into the domain. A
   center whose noisy count is below one row stays: there is nothing to divide by. */
tacit_status tac_means_round(tac_means *means, const char *what, uint64_t quanta);
/* The centers as a result; one without a noisy count gets `rounds` = 0. */
void tac_means_write(const tac_means *means, int32_t rounds, tac_kmeans_result *out);

/* ---- plain k-means on a noisy synopsis ---- */

/* Weighted points, made from answers. */
typedef struct tac_synopsis {
    int64_t n;
    double *points;   /* n x columns */
    double *weight;   /* n noisy counts; what is below 0 weighs nothing in the clustering */
    double weight_sd; /* of each */
    double sum_sd;    /* of each coordinate of weight * point, beside what the weight brings */
    /* columns: a point is the middle of a box so wide, and rows may be anywhere in it; NULL: no
       box */
    double *width;
} tac_synopsis;

tacit_status tac_synopsis_new(tacit_ctx *ctx, int64_t n, int32_t columns, tac_synopsis *out);
void tac_synopsis_clear(tac_synopsis *synopsis);
/* Best of several k-means++ starts. A center's size is the sum of its points' noisy weights, those
   below 0 included. */
tacit_status tac_synopsis_cluster(const tac_kmeans_job *job, const tac_synopsis *synopsis,
                                  tac_kmeans_result *out);

/* ---- the number of rows, which is private here and public in most of the papers ---- */

#define TAC_ROWS_SHARE 0.01 /* of the budget: what the paid count costs */
tacit_status tac_count_rows(const tac_kmeans_job *job, uint64_t quanta, double *rows);

/* Rows nearest to each of the result's centers, for all that is left of the budget. */
tacit_status tac_ask_sizes(const tac_kmeans_job *job, const int16_t *rounded,
                           tac_kmeans_result *out);

tac_distribution tac_distribution_of(tac_definition definition);

/* ---- parts that one baseline borrows from another ---- */

/* Su et al. 2016: the weight of counts beside sums, and how many rounds the rows and the budget
   allow. */
uint32_t tac_dplloyd_weight(tac_definition definition, int32_t dims);
int32_t tac_dplloyd_rounds(const tac_privacy_params *params, uint64_t budget, int32_t k,
                           int32_t dims, double rows);

#endif
