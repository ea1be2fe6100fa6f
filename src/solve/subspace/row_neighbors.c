/* SPDX-License-Identifier: Apache-2.0 */
/* The s nearest rows by the size of the inner product, for all rows, without an n x n matrix. Rows
   stand in groups of near directions (row_groups.h). The nearest group is looked at first; one that
   lies further off than the s-th nearest so far is passed over. */
#include "solve/subspace/row_groups.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

enum {
    ROWS = 64,     /* of a group, whose neighbors are looked for at a time */
    ACROSS = 1024, /* against so many others */
    LANES = 16,    /* products looked at together */
};
/* Radians that rounding may hide: an angle of 0 is as much as arccos (1 - 1e-6) in single
   precision, and three angles meet in a bound. */
#define BLUR 5e-3f

typedef struct candidate {
    float size;
    int32_t row;
} candidate;

typedef struct distant {
    float reach; /* how near a row of the group may be to a row of the block */
    int32_t group;
} distant;

/* What a worker needs. */
typedef struct desk {
    float *tile;      /* ROWS x ACROSS */
    candidate *found; /* ROWS x 2 s */
    float *angle;     /* ROWS x groups: from row to center */
    distant *order;   /* groups */
} desk;

typedef struct search {
    const tac_unit_rows *rows;
    const tac_row_groups *groups;
    int32_t s;
    int32_t *to;
    double *product;
    desk *desks;
    int32_t *block_group; /* per block: its group, and its first row's place */
    int64_t *block_first;
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

/* Rows of a tile that may be among the s largest of row `self` join its candidates. A stretch whose
   largest is smaller than the s-th so far is passed over at once. */
static void sift(const float *size, int many, const int32_t *row, int32_t self, int32_t s,
                 candidate *found, int32_t *held, float *least)
{
    for (int at = 0; at < many; at += LANES) {
        const int end = at + LANES < many ? at + LANES : many;
        float most = -1;
        for (int j = at; j < end; j++) most = fabsf(size[j]) > most ? fabsf(size[j]) : most;
        if (most < *least) continue;
        for (int j = at; j < end; j++) {
            const float own = fabsf(size[j]);
            if (own < *least || row[j] == self) continue;
            found[(*held)++] = (candidate){own, row[j]};
            if (*held < 2 * s) continue;
            keep_first(found, *held, s);
            *held = s;
            *least = found[0].size;
            for (int32_t c = 1; c < s; c++)
                *least = found[c].size < *least ? found[c].size : *least;
        }
    }
}

static int nearer(const void *a, const void *b)
{
    const distant *x = a, *y = b;
    return x->reach != y->reach ? (x->reach > y->reach) - (x->reach < y->reach)
                                : (x->group > y->group) - (x->group < y->group);
}

/* Angles of the block's rows from all centers, and the groups by how near they may come. */
static void order_groups(const search *f, int64_t first, int many, desk *k)
{
    const tac_row_groups *g = f->groups;
    const int32_t d = f->rows->d, count = g->count;

    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, many, count, d, 1, g->unit + first * d, d,
                g->center, d, 0, k->angle, count);
    for (int32_t c = 0; c < count; c++) k->order[c] = (distant){INFINITY, c};
    for (int i = 0; i < many; i++)
        for (int32_t c = 0; c < count; c++) {
            float *angle = k->angle + (size_t)i * (size_t)count + c;
            *angle = acosf(fminf(1, fabsf(*angle)));
            k->order[c].reach = fminf(k->order[c].reach, *angle - g->radius[c]);
        }
    qsort(k->order, (size_t)count, sizeof *k->order, nearer);
}

/* The best of a block's candidates, with products in double precision. */
static void report(const search *f, int64_t first, int many, int32_t *held, desk *k)
{
    const int32_t d = f->rows->d, s = f->s;

    for (int i = 0; i < many; i++) {
        candidate *c = k->found + (size_t)i * 2 * (size_t)s;
        const int64_t self = f->groups->row[first + i];
        keep_first(c, held[i], s);
        for (int32_t e = 0; e < s; e++) {
            const double *x = f->rows->unit + self * d, *y = f->rows->unit + (int64_t)c[e].row * d;
            double dot = 0;
            for (int32_t t = 0; t < d; t++) dot += x[t] * y[t];
            f->to[self * s + e] = c[e].row;
            f->product[self * s + e] = fmin(1, fabs(dot));
        }
    }
}

/* Neighbors of ROWS rows of a group: tiles of products in single precision choose, double precision
   reports. */
static tacit_status search_block(void *state, int64_t block, int worker)
{
    const search *f = state;
    const tac_row_groups *g = f->groups;
    const int64_t from = f->block_first[block], end = g->start[f->block_group[block] + 1];
    const int32_t d = f->rows->d, s = f->s;
    const int many = end - from < ROWS ? (int)(end - from) : ROWS;
    desk *k = &f->desks[worker];
    float least[ROWS], limit[ROWS];
    int32_t held[ROWS] = {0};

    for (int i = 0; i < many; i++) {
        least[i] = -1;
        limit[i] = INFINITY;
    }
    order_groups(f, from, many, k);
    for (int32_t o = 0; o < g->count; o++) {
        const int32_t c = k->order[o].group;
        bool wanted[ROWS], any = false;
        for (int i = 0; i < many; i++) {
            wanted[i] = k->angle[(size_t)i * (size_t)g->count + (size_t)c] - g->radius[c] - BLUR <=
                        limit[i];
            any = any || wanted[i];
        }
        for (int64_t first = g->start[c]; any && first < g->start[c + 1]; first += ACROSS) {
            const int64_t left = g->start[c + 1] - first;
            const int wide = left < ACROSS ? (int)left : ACROSS;
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, many, wide, d, 1,
                        g->unit + from * d, d, g->unit + first * d, d, 0, k->tile, ACROSS);
            for (int i = 0; i < many; i++)
                if (wanted[i])
                    sift(k->tile + (size_t)i * ACROSS, wide, g->row + first, g->row[from + i], s,
                         k->found + (size_t)i * 2 * (size_t)s, &held[i], &least[i]);
        }
        for (int i = 0; i < many && any; i++)
            if (least[i] >= 0) limit[i] = acosf(fminf(1, least[i]));
    }
    report(f, from, many, held, k);
    return TACIT_OK;
}

/* Blocks of ROWS rows, none across two groups. */
static tacit_status list_blocks(tacit_ctx *ctx, search *f, int64_t *blocks)
{
    tacit_status status = TACIT_OK;
    const tac_row_groups *g = f->groups;
    const size_t most = (size_t)(f->rows->n / ROWS) + (size_t)g->count;

    *blocks = 0;
    TAC_TRY(tac_new(ctx, most, sizeof *f->block_group, &f->block_group));
    TAC_TRY(tac_new(ctx, most, sizeof *f->block_first, &f->block_first));
    for (int32_t c = 0; c < g->count; c++)
        for (int64_t first = g->start[c]; first < g->start[c + 1]; first += ROWS) {
            f->block_group[*blocks] = c;
            f->block_first[(*blocks)++] = first;
        }
done:
    return status;
}

/* Groups, and room for every worker; blocks of rows are independent. */
tacit_status tac_neighbors(tacit_ctx *ctx, const tac_unit_rows *rows, int32_t s, int32_t *to,
                           double *product)
{
    tacit_status status = TACIT_OK;
    tac_engine engine;
    tac_row_groups groups = {0};
    search f = {.rows = rows, .groups = &groups, .s = s, .to = to, .product = product};
    int64_t blocks;

    tac_engine_threads(ctx, &engine);
    TAC_TRY(tac_row_groups_new(ctx, rows, &groups));
    TAC_TRY(list_blocks(ctx, &f, &blocks));
    TAC_TRY(tac_new(ctx, (size_t)engine.workers, sizeof *f.desks, &f.desks));
    for (int i = 0; i < engine.workers; i++) {
        desk *k = &f.desks[i];
        TAC_TRY(tac_new(ctx, (size_t)ROWS * ACROSS, sizeof *k->tile, &k->tile));
        TAC_TRY(tac_new(ctx, (size_t)ROWS * 2 * (size_t)s, sizeof *k->found, &k->found));
        TAC_TRY(tac_new(ctx, (size_t)ROWS * (size_t)groups.count, sizeof *k->angle, &k->angle));
        TAC_TRY(tac_new(ctx, (size_t)groups.count, sizeof *k->order, &k->order));
    }
    TAC_TRY(engine.map(&engine, ctx, blocks, search_block, &f));
done:
    for (int i = 0; i < engine.workers && f.desks != NULL; i++) {
        tac_free(f.desks[i].tile);
        tac_free(f.desks[i].found);
        tac_free(f.desks[i].angle);
        tac_free(f.desks[i].order);
    }
    tac_free(f.desks);
    tac_free(f.block_group);
    tac_free(f.block_first);
    tac_row_groups_clear(&groups);
    return status;
}
