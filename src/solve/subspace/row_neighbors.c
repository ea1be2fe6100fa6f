/* SPDX-License-Identifier: Apache-2.0 */
/* The s nearest rows by the size of the inner product, for all rows, without an n x n matrix. */
#include "solve/subspace/solvers_internal.h"

#include <cblas.h>
#include <math.h>

enum {
    ROWS = 64,     /* whose neighbors are looked for at a time */
    ACROSS = 1024, /* against so many others */
    LANES = 16,    /* products looked at together */
};

typedef struct candidate {
    float size;
    int32_t row;
} candidate;

typedef struct search {
    const tac_unit_rows *rows;
    const float *unit;
    int32_t s;
    int32_t *to;
    double *product;
    float **tile;      /* per worker: ROWS x ACROSS */
    candidate **found; /* per worker: ROWS x 2 s */
} search;

/* The larger first; of equals the lower row: the choice does not depend on how it is made. */
static bool before(candidate a, candidate b)
{
    return a.size != b.size ? a.size > b.size : a.row < b.row;
}

/* The `keep` first of n candidates stand first: quickselect about the middle one. */
static void keep_first(candidate *c, int32_t n, int32_t keep)
{
    int32_t low = 0, high = n - 1;

    while (low < high) {
        const candidate pivot = c[low + (high - low) / 2];
        int32_t i = low, j = high;
        while (i <= j) {
            while (before(c[i], pivot)) i++;
            while (before(pivot, c[j])) j--;
            if (i <= j) {
                const candidate t = c[i];
                c[i++] = c[j];
                c[j--] = t;
            }
        }
        if (keep - 1 <= j)
            high = j;
        else if (keep - 1 >= i)
            low = i;
        else
            return;
    }
}

/* Rows first .. of the tile's columns that may be among the s largest of row i join its candidates.
   Products arrive as sizes >= 0. A stretch whose largest is no larger than the s-th so far is
   passed over at once. */
static void sift(const float *size, int many, int32_t first, int64_t self, int32_t s,
                 candidate *found, int32_t *held, float *least)
{
    for (int at = 0; at < many; at += LANES) {
        const int end = at + LANES < many ? at + LANES : many;
        float most = -1;
        for (int j = at; j < end; j++) most = size[j] > most ? size[j] : most;
        if (most <= *least) continue;
        for (int j = at; j < end; j++) {
            if (size[j] <= *least || first + j == self) continue;
            found[(*held)++] = (candidate){size[j], first + j};
            if (*held < 2 * s) continue;
            keep_first(found, *held, s);
            *held = s;
            *least = found[0].size;
            for (int32_t c = 1; c < s; c++)
                *least = found[c].size < *least ? found[c].size : *least;
        }
    }
}

/* Neighbors of ROWS rows: tiles of products in single precision choose, double precision
   reports. */
static tacit_status search_block(void *state, int64_t block, int worker)
{
    const search *f = state;
    const int64_t n = f->rows->n, from = block * ROWS;
    const int32_t d = f->rows->d, s = f->s;
    const int many = n - from < ROWS ? (int)(n - from) : ROWS;
    float *tile = f->tile[worker], least[ROWS];
    int32_t held[ROWS] = {0};

    for (int i = 0; i < many; i++) least[i] = -1;
    for (int64_t first = 0; first < n; first += ACROSS) {
        const int wide = n - first < ACROSS ? (int)(n - first) : ACROSS;
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, many, wide, d, 1, f->unit + from * d,
                    d, f->unit + first * d, d, 0, tile, ACROSS);
        for (int i = 0; i < many; i++) {
            float *size = tile + (size_t)i * ACROSS;
            for (int j = 0; j < wide; j++) size[j] = fabsf(size[j]);
            sift(size, wide, (int32_t)first, from + i, s,
                 f->found[worker] + (size_t)i * 2 * (size_t)s, &held[i], &least[i]);
        }
    }
    for (int i = 0; i < many; i++) {
        candidate *c = f->found[worker] + (size_t)i * 2 * (size_t)s;
        keep_first(c, held[i], s);
        for (int32_t e = 0; e < s; e++) {
            const double *x = f->rows->unit + (from + i) * d,
                         *y = f->rows->unit + (int64_t)c[e].row * d;
            double dot = 0;
            for (int32_t t = 0; t < d; t++) dot += x[t] * y[t];
            f->to[(from + i) * s + e] = c[e].row;
            f->product[(from + i) * s + e] = fmin(1, fabs(dot));
        }
    }
    return TACIT_OK;
}

/* A copy in single precision, and room for every worker; blocks of rows are independent. */
tacit_status tac_neighbors(tacit_ctx *ctx, const tac_unit_rows *rows, int32_t s, int32_t *to,
                           double *product)
{
    tacit_status status = TACIT_OK;
    tac_engine engine;
    float *unit = NULL;
    search f = {.rows = rows, .s = s, .to = to, .product = product};

    tac_engine_threads(ctx, &engine);
    const size_t numbers = (size_t)rows->n * (size_t)rows->d;
    TAC_TRY(tac_new(ctx, numbers, sizeof *unit, &unit));
    for (size_t i = 0; i < numbers; i++) unit[i] = (float)rows->unit[i];
    f.unit = unit;
    TAC_TRY(tac_new(ctx, (size_t)engine.workers, sizeof *f.tile, &f.tile));
    TAC_TRY(tac_new(ctx, (size_t)engine.workers, sizeof *f.found, &f.found));
    for (int i = 0; i < engine.workers; i++) {
        TAC_TRY(tac_new(ctx, (size_t)ROWS * ACROSS, sizeof **f.tile, &f.tile[i]));
        TAC_TRY(tac_new(ctx, (size_t)ROWS * 2 * (size_t)s, sizeof **f.found, &f.found[i]));
    }
    TAC_TRY(engine.map(&engine, ctx, (rows->n + ROWS - 1) / ROWS, search_block, &f));
done:
    for (int i = 0; i < engine.workers && f.tile != NULL; i++) tac_free(f.tile[i]);
    for (int i = 0; i < engine.workers && f.found != NULL; i++) tac_free(f.found[i]);
    tac_free(f.tile);
    tac_free(f.found);
    tac_free(unit);
    return status;
}
