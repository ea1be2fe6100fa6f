/* SPDX-License-Identifier: Apache-2.0 */
/* EUGkM, the uniform grid (Su, Cao, Li, Bertino & Jin 2016): one noisy histogram of M = (n epsilon
   / 10)^(2d / (2 + d)) equal boxes, then plain k-means on their middles. The paper takes n as
   public; here it is paid for. Its noise is Laplace; with delta > 0 the grid is the one of a
   Laplace histogram with the same error (ours). Boxes with a noisy count below 0 weigh nothing. As
   in the paper a grid of less than two boxes a column is one box, which finds the middle of the
   domain. With rounds it is the paper's hybrid, which has one: half of the budget on the grid, the
   other half on so many equal rounds of their DP-Lloyd from the grid's centers. */
#include "cluster/kmeans/literature/noisy_lloyd_step.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BOXES_MOST (1 << 20)
#define COLUMNS_MOST 20 /* one cut a column already makes 2^20 boxes */
#define CONSTANT 10     /* the paper's */
#define HALF 0.5        /* of the budget, before rounds: the hybrid's */

/* Boxes a column: M^(1/d). Laplace noise of sd s is that of epsilon = sqrt(2) / s. */
static int32_t parts_for(const tac_privacy_params *params, uint64_t quanta, int32_t dims,
                         double rows)
{
    const double sd = ldexp(
        tac_noise_sd(tac_distribution_of(params->definition), tac_quote_histogram(params, quanta)),
        -TAC_COUNT_GRID);
    const double wanted = pow(fmax(rows, 1) * M_SQRT2 / sd / CONSTANT, 2.0 / (2 + dims));
    const double most = floor(pow(BOXES_MOST, 1.0 / dims) + 1e-9);

    return (int32_t)fmax(1, fmin(most, round(wanted)));
}

typedef struct grid {
    int16_t *low;
    int32_t *width, *parts;
    int32_t boxes;
} grid;

/* The declared box, or the cube around the ball; a column narrower than its boxes gets fewer. */
static tacit_status lay(const tac_kmeans_job *job, int32_t parts, grid *out)
{
    tacit_status status = TACIT_OK;
    const tac_frame *f = job->frame;
    const size_t dims = (size_t)f->dims;

    TAC_TRY(tac_new(job->ctx, dims, sizeof *out->low, &out->low));
    TAC_TRY(tac_new(job->ctx, dims, sizeof *out->width, &out->width));
    TAC_TRY(tac_new(job->ctx, dims, sizeof *out->parts, &out->parts));
    out->boxes = 1;
    for (size_t j = 0; j < dims; j++) {
        const double half =
            f->ball ? TAC_M : fmin(TAC_M, round((f->upper[j] - f->center[j]) * f->scale[j]));
        out->low[j] = (int16_t)-half;
        out->width[j] = 2 * (int32_t)half + 1;
        out->parts[j] = parts < out->width[j] ? parts : out->width[j];
        out->boxes *= out->parts[j];
    }
done:
    return status;
}

/* Middles of all boxes, the first column slowest: a box holds the integers from low + p width /
   parts on. */
static void write_middles(const grid *g, size_t dims, tac_synopsis *out)
{
    for (int64_t box = 0; box < out->n; box++) {
        int64_t rest = box;
        for (size_t j = dims; j-- > 0; rest /= g->parts[j])
            out->points[(size_t)box * dims + j] =
                g->low[j] + ((double)(rest % g->parts[j]) + 0.5) * g->width[j] / g->parts[j] - 0.5;
    }
}

/* A grid fit for so many rows, asked with `quanta` and clustered. */
static tacit_status cluster_grid(const tac_kmeans_job *job, uint64_t quanta, double rows,
                                 tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(job->door);
    const int32_t dims = job->frame->columns;
    grid g = {0};
    tac_synopsis s = {0};
    int64_t *answer = NULL;

    TAC_TRY(lay(job, parts_for(&params, quanta, dims, rows), &g));
    TAC_TRY(tac_synopsis_new(job->ctx, g.boxes, dims, &s));
    TAC_TRY(tac_new(job->ctx, (size_t)g.boxes, sizeof *answer, &answer));
    const tac_cells cells = {
        .kind = TAC_GRID, .count = g.boxes, .low = g.low, .width = g.width, .parts = g.parts};
    TAC_TRY(tac_door_histogram(job->door, "grid", quanta, &cells, answer));
    s.weight_sd = ldexp(tac_last_sd(job->door), -TAC_COUNT_GRID);
    for (int64_t i = 0; i < s.n; i++) s.weight[i] = ldexp((double)answer[i], -TAC_COUNT_GRID);
    write_middles(&g, (size_t)dims, &s);
    TAC_TRY(tac_new(job->ctx, (size_t)dims, sizeof *s.width, &s.width));
    for (int32_t j = 0; j < dims; j++) s.width[j] = (double)g.width[j] / g.parts[j];
    TAC_TRY(tac_synopsis_cluster(job, &s, out));
    if (g.boxes < out->k)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "the grid that this budget allows has %d boxes, fewer than the %d centers "
                         "asked for; take fewer columns or another method",
                         g.boxes, out->k));
done:
    tac_free(answer);
    tac_synopsis_clear(&s);
    tac_free(g.low);
    tac_free(g.width);
    tac_free(g.parts);
    return status;
}

/* Rounds of DP-Lloyd from the centers of the grid, for all that is left. */
static tacit_status refine(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = job->frame->columns, k = job->opts->k, rounds = job->opts->rounds;
    const uint64_t left = tac_door_left(job->door);
    tac_means m = {0};

    TAC_TRY(tac_means_open(job, k, tac_dplloyd_weight(tac_door_params(job->door).definition, dims),
                           &m));
    memcpy(m.centers, out->centers, (size_t)k * (size_t)dims * sizeof *m.centers);
    for (int32_t t = 0; t < rounds; t++)
        TAC_TRY(tac_means_round(&m, "DP-Lloyd round", tac_share(left, 1.0 / rounds)));
    tac_means_write(&m, rounds, out);
done:
    tac_means_close(&m);
    return status;
}

/* Quanta of the grid: all that is left, or half of it if rounds follow. */
static uint64_t grid_quanta(uint64_t left, int32_t rounds)
{
    return rounds > 0 ? tac_share(left, HALF) : left;
}

tacit_status tac_grid(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    double rows;

    TAC_TRY(tac_count_rows(job, tac_share(tac_door_left(job->door), TAC_ROWS_SHARE), &rows));
    TAC_TRY(tac_kmeans_result_new(job->ctx, job->opts->k, job->frame->columns, out));
    TAC_TRY(cluster_grid(job, grid_quanta(tac_door_left(job->door), job->opts->rounds), rows, out));
    if (job->opts->rounds > 0) TAC_TRY(refine(job, out));
done:
    return status;
}

tacit_status tac_grid_check(const tac_kmeans_params *t)
{
    if (t->columns <= COLUMNS_MOST) return TACIT_OK;
    return tac_fail(t->ctx, TACIT_E_ARGUMENT,
                    "method grid cuts every column, and with %d columns a single cut of each makes "
                    "more than 2^%d boxes; take at most %d columns, or method auto",
                    t->columns, COLUMNS_MOST, COLUMNS_MOST);
}
