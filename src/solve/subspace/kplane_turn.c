/* SPDX-License-Identifier: Apache-2.0 */
/* One turn of k-plane: rows to subspaces, second moments of each cluster, their principal
   components. The cost never rises: each half minimizes it given the other. */
#include "solve/subspace/kplane_internal.h"

#include "solve/linalg/eigen.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum {
    TILE = 256, /* rows at a time */
    BLOCKS_MOST = 64,
    PART_BYTES = 1 << 27, /* all places together, if they can be cut so small */
};

/* Blocks by n, d and k alone: the number of threads cannot show in a result. */
tacit_status tac_planes_open(tacit_ctx *ctx, const double *points, int64_t n, int32_t d, int32_t k,
                             int32_t q, const int32_t *rank, tac_planes *out)
{
    tacit_status status = TACIT_OK;
    const size_t moments = (size_t)k * (size_t)d * (size_t)d;
    tac_planes s = {.ctx = ctx,
                    .points = points,
                    .n = n,
                    .d = d,
                    .k = k,
                    .q = q,
                    .rank = rank,
                    .part_size = moments + (size_t)k + 1};

    tac_engine_threads(ctx, &s.engine);
    int64_t blocks = (int64_t)(PART_BYTES / (s.part_size * sizeof(double)));
    if (blocks > BLOCKS_MOST) blocks = BLOCKS_MOST;
    if (blocks > (n + 4 * TILE - 1) / (4 * TILE)) blocks = (n + 4 * TILE - 1) / (4 * TILE);
    if (blocks < 1) blocks = 1;
    s.block_rows = (n + blocks - 1) / blocks;
    s.blocks = (n + s.block_rows - 1) / s.block_rows;
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *s.label, &s.label));
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *s.rest, &s.rest));
    TAC_TRY(tac_new(ctx, (size_t)s.blocks * s.part_size, sizeof *s.part, &s.part));
    TAC_TRY(tac_new(ctx, (size_t)s.engine.workers, sizeof *s.room, &s.room));
    for (int i = 0; i < s.engine.workers; i++)
        TAC_TRY(
            tac_new(ctx, TILE * ((size_t)d + (size_t)k * (size_t)q), sizeof **s.room, &s.room[i]));
    *out = s;
    return TACIT_OK;
done:
    tac_planes_close(&s);
    return status;
}

void tac_planes_close(tac_planes *s)
{
    for (int i = 0; i < s->engine.workers && s->room != NULL; i++) tac_free(s->room[i]);
    tac_free(s->room);
    tac_free(s->label);
    tac_free(s->rest);
    tac_free(s->part);
    *s = (tac_planes){0};
}

/* label_i = argmax_c |B_c x_i|^2, rest_i = |x_i|^2 less that, for rows from .. from + many - 1. */
static void assign_tile(const tac_planes *s, int64_t from, int many, double *room)
{
    const int32_t d = s->d, wide = s->k * s->q;
    const double *x = s->points + from * d;
    double *along = room + (size_t)TILE * (size_t)d;

    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, many, wide, d, 1, x, d, s->bases, d, 0,
                along, wide);
    for (int i = 0; i < many; i++) {
        const double *a = along + (size_t)i * (size_t)wide;
        double square = 0, most = -1;
        int32_t winner = 0;
        for (int32_t j = 0; j < d; j++) square += x[i * d + j] * x[i * d + j];
        for (int32_t c = 0; c < s->k; c++) {
            double held = 0;
            for (int32_t v = 0; v < s->q; v++) held += a[c * s->q + v] * a[c * s->q + v];
            if (held > most) {
                most = held;
                winner = c;
            }
        }
        s->rest[from + i] = fmax(0, square - most);
        if (!s->fixed) s->label[from + i] = winner;
    }
}

/* A_c += sum of x x' over the tile's rows of cluster c (upper triangle): rows are first put
   together by cluster. */
static void add_moments(const tac_planes *s, int64_t from, int many, double *room, double *moments,
                        double *counts)
{
    const int32_t d = s->d;
    int16_t chain[TILE]; /* the rows of a cluster, linked: no row is looked at k times */
    bool done[TILE] = {false};

    for (int i = 0; i < many; i++) {
        const int32_t c = s->label[from + i];
        int members = 0;
        if (done[i] || c < 0 || c >= s->k) continue;
        for (int j = i; j < many; j++)
            if (s->label[from + j] == c) {
                chain[members++] = (int16_t)j;
                done[j] = true;
            }
        for (int m = 0; m < members; m++)
            memcpy(room + m * d, s->points + (from + chain[m]) * d, (size_t)d * sizeof *room);
        cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, d, members, 1, room, d, 1,
                    moments + (size_t)c * (size_t)d * (size_t)d, d);
        counts[c] += members;
    }
}

/* Labels, moments, counts and cost of one block, in its own place. */
static tacit_status turn_block(void *state, int64_t block, int worker)
{
    const tac_planes *s = state;
    const int64_t from = block * s->block_rows, end = from + s->block_rows,
                  to = end < s->n ? end : s->n;
    double *moments = s->part + (size_t)block * s->part_size,
           *counts = moments + s->part_size - 1 - (size_t)s->k;

    memset(moments, 0, s->part_size * sizeof *moments);
    for (int64_t i = from; i < to; i += TILE) {
        const int many = to - i < TILE ? (int)(to - i) : TILE;
        assign_tile(s, i, many, s->room[worker]);
        add_moments(s, i, many, s->room[worker], moments, counts);
        for (int j = 0; j < many; j++) counts[s->k] += s->rest[i + j];
    }
    return TACIT_OK;
}

tacit_status tac_planes_assign(tac_planes *s, const double *bases, double *cost)
{
    tac_engine engine = s->engine;

    s->bases = bases;
    if (s->blocks < 4) engine.workers = 1;
    const tacit_status status = engine.map(&engine, s->ctx, s->blocks, turn_block, s);
    for (int64_t b = 1; b < s->blocks; b++)
        for (size_t i = 0; i < s->part_size; i++)
            s->part[i] += s->part[(size_t)b * s->part_size + i];
    *cost = s->part[s->part_size - 1];
    return status;
}

/* B_c = the leading eigenvectors of the moments of cluster c: the best subspace of its rows
   (PCA). */
tacit_status tac_planes_turn(tac_planes *s, double *bases, int32_t *empty)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)s->d, q = (size_t)s->q;
    const double *counts = s->part + (size_t)s->k * d * d;
    double *values = NULL, *vectors = NULL;

    *empty = 0;
    TAC_TRY(tac_new(s->ctx, q, sizeof *values, &values));
    TAC_TRY(tac_new(s->ctx, q * d, sizeof *vectors, &vectors));
    for (int32_t c = 0; c < s->k; c++) {
        const int32_t rank = s->rank == NULL ? s->q : s->rank[c];
        if (counts[c] == 0) {
            (*empty)++;
            continue;
        }
        if (rank == 0) continue;
        TAC_TRY(tac_top_eigen(s->ctx, s->part + (size_t)c * d * d, s->d, rank, values, vectors));
        for (size_t v = 0; v < (size_t)rank; v++)
            for (size_t j = 0; j < d; j++)
                bases[((size_t)c * q + v) * d + j] = vectors[j * (size_t)rank + v];
    }
done:
    tac_free(values);
    tac_free(vectors);
    return status;
}
