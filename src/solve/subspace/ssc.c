/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse subspace clustering (Elhamifar & Vidal): min |C|_1 + (lambda / 2) |X' - X'C|_F^2, diag C =
   0, exactly, column by column: a lasso with few entries. The few are found by screening. With r =
   x_j - X'c the solution has |<x_i, r>| <= 1 / lambda for all i, so rows that exceed it join a
   short list, the lasso is solved on the list (short_lasso.c), and so on until none exceeds it.
   Columns do not need each other: some at a time are screened by one product. */
#include "solve/subspace/short_lasso.h"
#include "solve/subspace/solvers_internal.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum {
    WIDTH = 32, /* columns at a time */
    JOIN = 12,  /* rows that join a list in one turn, those that exceed the bound most */
    TURNS = 500,
};
#define ALPHA 20.0   /* lambda = ALPHA / mu: the authors' choice */
#define EXCEEDS 1e-7 /* of the bound: what counts as more */

typedef struct column_block {
    int64_t count;
    int64_t *first; /* per column, WIDTH + 1 */
    int32_t *to;
    double *value;
} column_block;

typedef struct ssc {
    tacit_ctx quiet;
    const tac_unit_rows *rows;
    double bound;         /* 1 / lambda */
    double **room;        /* per worker: WIDTH (n + d) */
    tac_lasso *lasso;     /* per worker */
    tac_short_list *list; /* per worker: WIDTH */
    double *largest;      /* per row: largest |<x_i, x_j>|, j != i */
    column_block *block;
} ssc;

/* max_j |<x_i, x_j>|, j != i, for WIDTH rows: it sets lambda. */
static tacit_status largest_block(void *state, int64_t block, int worker)
{
    const ssc *s = state;
    const int64_t n = s->rows->n, from = block * WIDTH;
    const int32_t d = s->rows->d, w = n - from < WIDTH ? (int32_t)(n - from) : WIDTH;
    double *g = s->room[worker];

    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, w, (int)n, d, 1, s->rows->unit + from * d,
                d, s->rows->unit, d, 0, g, (int)n);
    for (int32_t c = 0; c < w; c++) {
        double most = 0;
        for (int64_t j = 0; j < n; j++)
            if (j != from + c) most = fmax(most, fabs(g[c * n + j]));
        s->largest[from + c] = most;
    }
    return TACIT_OK;
}

static bool is_listed(const tac_short_list *list, int32_t row)
{
    for (int32_t i = 0; i < list->count; i++)
        if (list->row[i] == row) return true;
    return false;
}

/* The JOIN rows off the list with the largest |<x_i, r>| above the bound; products: n. Returns
   whether there were any. */
static bool join_list(const ssc *s, int64_t self, int32_t most, const double *product,
                      tac_short_list *list)
{
    const int64_t n = s->rows->n;
    double least = s->bound * (1 + EXCEEDS), size[JOIN];
    int32_t row[JOIN], held = 0;

    for (int64_t i = 0; i < n; i++) {
        const double own = fabs(product[i]);
        if (own <= least || i == self || is_listed(list, (int32_t)i)) continue;
        int32_t at = held < JOIN ? held++ : JOIN - 1;
        for (; at > 0 && size[at - 1] < own; at--) { /* of equals the first stays first */
            size[at] = size[at - 1];
            row[at] = row[at - 1];
        }
        size[at] = own;
        row[at] = (int32_t)i;
        if (held == JOIN) least = size[JOIN - 1];
    }
    held = held < most - list->count ? held : most - list->count;
    for (int32_t h = 0; h < held; h++) {
        list->row[list->count] = row[h];
        list->value[list->count++] = 0;
    }
    return held > 0;
}

/* Columns from .. from + w - 1: screen, join, solve, until nothing joins. */
static void solve_columns(const ssc *s, int64_t from, int32_t w, int worker)
{
    const int64_t n = s->rows->n;
    const int32_t d = s->rows->d;
    const double *unit = s->rows->unit;
    tac_lasso *lasso = &s->lasso[worker];
    tac_short_list *list = s->list + (int64_t)worker * WIDTH;
    double *product = s->room[worker], *rest = product + (int64_t)WIDTH * n;
    int32_t open[WIDTH], many = w;

    for (int32_t c = 0; c < w; c++) {
        open[c] = c;
        list[c].count = 0;
    }
    lasso->bound = s->bound;
    for (int turn = 0; turn < TURNS && many > 0; turn++) {
        int32_t left = 0;
        for (int32_t o = 0; o < many; o++)
            tac_lasso_rest(unit, d, unit + (from + open[o]) * d, &list[open[o]], rest + o * d);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, many, (int)n, d, 1, rest, d, unit, d,
                    0, product, (int)n);
        for (int32_t o = 0; o < many; o++) {
            const int64_t self = from + open[o];
            if (!join_list(s, self, lasso->most, product + o * n, &list[open[o]])) continue;
            tac_lasso_solve(lasso, unit, unit + self * d, &list[open[o]]);
            open[left++] = open[o];
        }
        many = left;
    }
}

/* A block of columns of C in memory of its own, rows ascending. */
static tacit_status solve_block(void *state, int64_t block, int worker)
{
    tacit_status status = TACIT_OK;
    const ssc *s = state;
    const int64_t n = s->rows->n, from = block * WIDTH;
    const int32_t w = n - from < WIDTH ? (int32_t)(n - from) : WIDTH;
    const tac_short_list *list = s->list + (int64_t)worker * WIDTH;
    column_block *out = &s->block[block];
    tacit_ctx own = s->quiet;

    solve_columns(s, from, w, worker);
    for (int32_t j = 0; j < w; j++) out->count += list[j].count;
    TAC_TRY(tac_new(&own, WIDTH + 1, sizeof *out->first, &out->first));
    TAC_TRY(tac_new(&own, (size_t)out->count, sizeof *out->to, &out->to));
    TAC_TRY(tac_new(&own, (size_t)out->count, sizeof *out->value, &out->value));
    int64_t at = 0;
    for (int32_t j = 0; j < w; j++) {
        const int64_t begin = at;
        for (int32_t e = 0; e < list[j].count; e++, at++) {
            int64_t place = at;
            for (; place > begin && out->to[place - 1] > list[j].row[e]; place--) {
                out->to[place] = out->to[place - 1];
                out->value[place] = out->value[place - 1];
            }
            out->to[place] = list[j].row[e];
            out->value[place] = list[j].value[e];
        }
        out->first[j + 1] = at;
    }
done:
    return status;
}

/* The blocks' columns one after the other. */
static tacit_status join(tacit_ctx *ctx, const ssc *s, int64_t blocks, int64_t **first,
                         int32_t **to, double **value)
{
    tacit_status status = TACIT_OK;
    int64_t total = 0;

    for (int64_t b = 0; b < blocks; b++) total += s->block[b].count;
    TAC_TRY(tac_new(ctx, (size_t)s->rows->n + 1, sizeof **first, first));
    TAC_TRY(tac_new(ctx, (size_t)total, sizeof **to, to));
    TAC_TRY(tac_new(ctx, (size_t)total, sizeof **value, value));
    total = 0;
    for (int64_t b = 0; b < blocks; b++) {
        const column_block *part = &s->block[b];
        for (int64_t j = 0; j < WIDTH && b * WIDTH + j < s->rows->n; j++)
            (*first)[b * WIDTH + j + 1] = total + part->first[j + 1];
        memcpy(*to + total, part->to, (size_t)part->count * sizeof **to);
        memcpy(*value + total, part->value, (size_t)part->count * sizeof **value);
        total += part->count;
    }
done:
    return status;
}

/* mu = min_i max_j |<x_i, x_j>| sets lambda; then all blocks of columns, joined in order. */
tacit_status tac_ssc_coefficients(tacit_ctx *ctx, const tac_unit_rows *rows, int64_t **first,
                                  int32_t **to, double **value)
{
    tacit_status status = TACIT_OK;
    const int64_t n = rows->n, blocks = (n + WIDTH - 1) / WIDTH;
    tac_engine engine;
    ssc s = {.quiet = {.threads = 1, .block_bytes = ctx->block_bytes, .parent = ctx}, .rows = rows};

    *first = NULL;
    *to = NULL;
    *value = NULL;
    tac_engine_threads(ctx, &engine);
    const int32_t lists = engine.workers * WIDTH;
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *s.largest, &s.largest));
    TAC_TRY(tac_new(ctx, (size_t)blocks, sizeof *s.block, &s.block));
    TAC_TRY(tac_new(ctx, (size_t)engine.workers, sizeof *s.room, &s.room));
    TAC_TRY(tac_new(ctx, (size_t)lists, sizeof *s.list, &s.list));
    TAC_TRY(tac_new(ctx, (size_t)engine.workers, sizeof *s.lasso, &s.lasso));
    for (int i = 0; i < engine.workers; i++) {
        TAC_TRY(tac_new(ctx, ((size_t)n + (size_t)rows->d) * WIDTH, sizeof **s.room, &s.room[i]));
        TAC_TRY(tac_lasso_new(ctx, rows->d, JOIN, &s.lasso[i]));
    }
    for (int32_t i = 0; i < lists; i++) {
        const size_t most = (size_t)s.lasso[0].most;
        TAC_TRY(tac_new(ctx, most, sizeof *s.list[i].row, &s.list[i].row));
        TAC_TRY(tac_new(ctx, most, sizeof *s.list[i].value, &s.list[i].value));
    }
    TAC_TRY(engine.map(&engine, ctx, blocks, largest_block, &s));
    double mu = 1; /* the least of the largest; rows at right angles to all others have no say */
    for (int64_t i = 0; i < n; i++) mu = s.largest[i] > 1e-9 ? fmin(mu, s.largest[i]) : mu;
    s.bound = mu / ALPHA;
    status = engine.map(&engine, ctx, blocks, solve_block, &s);
    if (status == TACIT_E_MEMORY)
        tac_fail(ctx, status, "not enough memory for sparse subspace clustering; use fewer rows");
    if (status != TACIT_OK) goto done;
    TAC_TRY(join(ctx, &s, blocks, first, to, value));
done:
    for (int64_t b = 0; b < blocks && s.block != NULL; b++) {
        tac_free(s.block[b].first);
        tac_free(s.block[b].to);
        tac_free(s.block[b].value);
    }
    for (int i = 0; i < engine.workers && s.room != NULL; i++) tac_free(s.room[i]);
    for (int i = 0; i < engine.workers && s.lasso != NULL; i++) tac_lasso_clear(&s.lasso[i]);
    for (int32_t i = 0; i < lists && s.list != NULL; i++) {
        tac_free(s.list[i].row);
        tac_free(s.list[i].value);
    }
    tac_free(s.room);
    tac_free(s.lasso);
    tac_free(s.list);
    tac_free(s.block);
    tac_free(s.largest);
    return status;
}

/* Columns are divided by their largest entry, W = |C| + |C|'. */
tacit_status tac_solve_ssc(tacit_ctx *ctx, const tac_unit_rows *rows,
                           const tac_plain_subspaces *opts, int32_t *label)
{
    tacit_status status = TACIT_OK;
    int64_t *first = NULL;
    int32_t *to = NULL;
    double *value = NULL;
    tac_graph graph = {0};

    TAC_TRY(tac_ssc_coefficients(ctx, rows, &first, &to, &value));
    for (int64_t j = 0; j < rows->n; j++) {
        double most = 0;
        for (int64_t e = first[j]; e < first[j + 1]; e++) most = fmax(most, fabs(value[e]));
        for (int64_t e = first[j]; e < first[j + 1]; e++) value[e] = fabs(value[e]) / most;
    }
    TAC_TRY(tac_graph_new(ctx, rows->n, first, to, value, &graph));
    TAC_TRY(tac_graph_cluster(ctx, &graph, opts->k, opts->seed, label));
done:
    tac_graph_clear(&graph);
    tac_free(first);
    tac_free(to);
    tac_free(value);
    return status;
}
