/* SPDX-License-Identifier: Apache-2.0 */
/* Noisy k-plane: cells, noisy second moments (the query), leading eigenvectors
   (post-processing). */
#include "cluster/subspace/auto/noisy_kplane.h"
#include "solve/linalg/eigen.h"

#include <math.h>
#include <string.h>

#define GRID (TAC_MOMENT_SAME * (double)TAC_M * TAC_M)

tacit_status tac_kplane_open(const tac_subspace_job *job, int32_t k, int32_t q,
                             tac_noisy_planes *out)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)job->dims, numbers = (size_t)k * (size_t)q * d;

    *out =
        (tac_noisy_planes){.ctx = job->ctx, .door = job->door, .k = k, .q = q, .dims = job->dims};
    TAC_TRY(tac_new(job->ctx, numbers, sizeof *out->bases, &out->bases));
    TAC_TRY(tac_new(job->ctx, numbers, sizeof *out->rounded, &out->rounded));
    TAC_TRY(tac_new(job->ctx, (size_t)k * d * d, sizeof *out->moments, &out->moments));
done:
    return status;
}

void tac_kplane_close(tac_noisy_planes *p)
{
    tac_free(p->bases);
    tac_free(p->rounded);
    tac_free(p->moments);
    *p = (tac_noisy_planes){0};
}

double tac_kplane_noise(const tac_privacy_params *params, int32_t dims, uint64_t quanta)
{
    return tac_moments_sd(params, dims, quanta) / GRID;
}

double tac_kplane_sd(const tac_door *door)
{
    return tac_last_sd(door) / GRID;
}

tac_cells tac_kplane_cells(tac_noisy_planes *p)
{
    if (p->k == 1) return (tac_cells){.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1};
    tac_subspace_round(p->bases, (size_t)p->k * (size_t)p->q * (size_t)p->dims, p->rounded);
    return (tac_cells){
        .kind = TAC_SUBSPACES, .view = TAC_ROWS, .count = p->k, .bases = p->rounded, .rank = p->q};
}

/* The weighted upper triangles as whole matrices. */
void tac_kplane_read(tac_noisy_planes *p, const tac_asking *ask)
{
    const double same = 1 / GRID, cross = same * TAC_MOMENT_SAME / TAC_MOMENT_CROSS;
    const size_t d = (size_t)p->dims;
    size_t at = 0;

    for (size_t l = 0; l < (size_t)p->k; l++) {
        double *matrix = p->moments + l * d * d;
        for (size_t i = 0; i < d; i++)
            for (size_t j = i; j < d; j++)
                matrix[i * d + j] = matrix[j * d + i] =
                    (double)tac_answer(ask, at++) * (i == j ? same : cross);
    }
}

tacit_status tac_kplane_ask(tac_noisy_planes *p, const char *what, uint64_t quanta,
                            const tac_cells *cells)
{
    tacit_status status = TACIT_OK;
    const tac_cells own = cells == NULL ? tac_kplane_cells(p) : *cells;
    tac_asking ask = {
        .what = what, .quanta = quanta, .query = tac_query_moments(p->door, &own, TAC_ROWS)};

    TAC_TRY(tac_ask_together(p->door, &ask, 1));
    p->sd = tac_kplane_sd(p->door);
    tac_kplane_read(p, &ask);
done:
    tac_asking_clear(&ask, 1);
    return status;
}

tacit_status tac_kplane_top(tacit_ctx *ctx, const double *matrices, int32_t k, int32_t dims,
                            int32_t q, double *bases)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)dims, rank = (size_t)q;
    double *matrix = NULL, *values = NULL, *vectors = NULL;

    TAC_TRY(tac_new(ctx, d * d, sizeof *matrix, &matrix));
    TAC_TRY(tac_new(ctx, rank, sizeof *values, &values));
    TAC_TRY(tac_new(ctx, d * rank, sizeof *vectors, &vectors));
    for (size_t l = 0; l < (size_t)k; l++) {
        memcpy(matrix, matrices + l * d * d, d * d * sizeof *matrix);
        TAC_TRY(tac_top_eigen(ctx, matrix, dims, q, values, vectors));
        for (size_t a = 0; a < rank; a++)
            for (size_t j = 0; j < d; j++) bases[(l * rank + a) * d + j] = vectors[j * rank + a];
    }
done:
    tac_free(matrix);
    tac_free(values);
    tac_free(vectors);
    return status;
}

/* (B M B^T)_ab = sum_ij b_ai M_ij b_bj */
tacit_status tac_kplane_along(tacit_ctx *ctx, const double *moments, int32_t m, const double *basis,
                              int32_t q, double *out)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)m, rank = (size_t)q;
    double *row = NULL;

    TAC_TRY(tac_new(ctx, d, sizeof *row, &row));
    for (size_t a = 0; a < rank; a++) {
        memset(row, 0, d * sizeof *row);
        for (size_t i = 0; i < d; i++)
            for (size_t j = 0; j < d; j++) row[j] += basis[a * d + i] * moments[i * d + j];
        for (size_t b = 0; b < rank; b++) {
            double sum = 0;
            for (size_t j = 0; j < d; j++) sum += row[j] * basis[b * d + j];
            out[a * rank + b] = sum;
        }
    }
done:
    tac_free(row);
    return status;
}

/* Turns the q vectors of one subspace so that the moments inside it are diagonal; values: along
   each, falling. */
static tacit_status turn(tac_noisy_planes *p, double *inside, double *basis, double *values)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)p->dims, q = (size_t)p->q;
    double *vectors = NULL, *turned = NULL;

    TAC_TRY(tac_new(p->ctx, q * q, sizeof *vectors, &vectors));
    TAC_TRY(tac_new(p->ctx, q * d, sizeof *turned, &turned));
    TAC_TRY(tac_top_eigen(p->ctx, inside, p->q, p->q, values, vectors));
    for (size_t a = 0; a < q; a++)
        for (size_t b = 0; b < q; b++)
            for (size_t j = 0; j < d; j++)
                turned[a * d + j] += vectors[b * q + a] * basis[b * d + j];
    memcpy(basis, turned, q * d * sizeof *turned);
done:
    tac_free(vectors);
    tac_free(turned);
    return status;
}

/* profile = moments along the vectors / noisy size, in squared units of the first lattice, at
   most M^2 of the zoomed one. */
tacit_status tac_kplane_write(tac_noisy_planes *p, uint64_t quanta, double *inside, double zoom,
                              tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)p->k, q = (size_t)p->q, d = (size_t)p->dims;
    int64_t *held = NULL;

    TAC_TRY(tac_subspace_result_new(p->ctx, p->k, p->q, p->dims, out));
    TAC_TRY(tac_new(p->ctx, k * q, sizeof *out->profile, &out->profile));
    TAC_TRY(tac_new(p->ctx, k, sizeof *held, &held));
    const tac_cells cells = tac_kplane_cells(p);
    TAC_TRY(tac_door_histogram(p->door, "sizes of the clusters", quanta, &cells, held));
    out->sizes_sd = ldexp(tac_last_sd(p->door), -TAC_COUNT_GRID);
    for (size_t l = 0; l < k; l++) {
        out->sizes[l] = ldexp((double)held[l], -TAC_COUNT_GRID);
        TAC_TRY(turn(p, inside + l * q * q, p->bases + l * q * d, out->profile + l * q));
        for (size_t a = 0; a < q; a++) { /* no row is longer than M */
            const double mean =
                fmax(0, out->profile[l * q + a]) / fmax(1, fmax(out->sizes[l], out->sizes_sd));
            out->profile[l * q + a] = fmin(1, mean) * TAC_M * TAC_M / (zoom * zoom);
        }
    }
    memcpy(out->bases, p->bases, k * q * d * sizeof *out->bases);
done:
    tac_free(held);
    return status;
}
