/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse symmetric graphs in compressed rows: built from arrows, normalized, multiplied with
   vectors. */
#include "solve/subspace/spectral.h"

#include <math.h>
#include <stdlib.h>

typedef struct edge {
    int32_t to;
    double weight;
} edge;

/* By end, then by weight: sums of double edges do not depend on the order of the input. */
static int by_end(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    return x->to == y->to  ? (x->weight > y->weight) - (x->weight < y->weight)
           : x->to < y->to ? -1
                           : 1;
}

/* Every arrow stands at both of its ends; then each list is sorted, and arrows between the same two
   are added. */
tacit_status tac_graph_new(tacit_ctx *ctx, int64_t n, const int64_t *first, const int32_t *to,
                           const double *weight, tac_graph *out)
{
    tacit_status status = TACIT_OK;
    tac_graph g = {.ctx = ctx, .n = n};
    int64_t *end = NULL;
    edge *all = NULL;

    tac_engine_threads(ctx, &g.engine);
    TAC_TRY(tac_new(ctx, (size_t)n + 1, sizeof *g.start, &g.start));
    TAC_TRY(tac_new(ctx, (size_t)n + 1, sizeof *end, &end));
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = first[i]; e < first[i + 1]; e++) {
            end[i + 1]++;
            end[to[e] + 1]++;
        }
    for (int64_t i = 0; i < n; i++) end[i + 1] += end[i];
    TAC_TRY(tac_new(ctx, (size_t)end[n], sizeof *all, &all));
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = first[i]; e < first[i + 1]; e++) {
            all[end[i]++] = (edge){to[e], weight[e]};
            all[end[to[e]]++] = (edge){(int32_t)i, weight[e]};
        }
    int64_t kept = 0, from = 0;
    for (int64_t i = 0; i < n; i++) { /* end[i] has run on to where i ends */
        qsort(all + from, (size_t)(end[i] - from), sizeof *all, by_end);
        g.start[i] = kept;
        for (int64_t e = from; e < end[i]; e++) {
            if (kept > g.start[i] && all[kept - 1].to == all[e].to)
                all[kept - 1].weight += all[e].weight;
            else
                all[kept++] = all[e];
        }
        from = end[i];
    }
    g.start[n] = kept;
    TAC_TRY(tac_new(ctx, (size_t)kept, sizeof *g.to, &g.to));
    TAC_TRY(tac_new(ctx, (size_t)kept, sizeof *g.weight, &g.weight));
    for (int64_t e = 0; e < kept; e++) {
        g.to[e] = all[e].to;
        g.weight[e] = all[e].weight;
    }
    *out = g;
    g = (tac_graph){0};
done:
    tac_graph_clear(&g);
    tac_free(end);
    tac_free(all);
    return status;
}

void tac_graph_clear(tac_graph *g)
{
    tac_free(g->start);
    tac_free(g->to);
    tac_free(g->weight);
    *g = (tac_graph){0};
}

/* Depth-first search; parts are numbered by their lowest vertex. */
int32_t tac_graph_parts(const tac_graph *g, int32_t *room, int32_t *part)
{
    int32_t parts = 0;

    for (int64_t i = 0; i < g->n; i++) part[i] = -1;
    for (int64_t i = 0; i < g->n; i++) {
        int64_t open = 0;
        if (part[i] >= 0) continue;
        room[open++] = (int32_t)i;
        part[i] = parts;
        while (open > 0) {
            const int32_t at = room[--open];
            for (int64_t e = g->start[at]; e < g->start[at + 1]; e++)
                if (part[g->to[e]] < 0) {
                    part[g->to[e]] = parts;
                    room[open++] = g->to[e];
                }
        }
        parts++;
    }
    return parts;
}

/* w_ij / sqrt(degree_i degree_j); vertices without edges stay without. */
void tac_graph_normalise(tac_graph *g, double *root)
{
    for (int64_t i = 0; i < g->n; i++) {
        double degree = 0;
        for (int64_t e = g->start[i]; e < g->start[i + 1]; e++) degree += g->weight[e];
        root[i] = degree > 0 ? 1 / sqrt(degree) : 0;
    }
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t e = g->start[i]; e < g->start[i + 1]; e++)
            g->weight[e] *= root[i] * root[g->to[e]];
}

enum { ROWS = 1024 };

typedef struct product {
    const tac_graph *g;
    const double *x;
    double *y;
    int32_t b;
} product;

/* y_i = sum_j w_ij x_j for ROWS rows and b vectors: each sum in the order of its list. */
static tacit_status times_block(void *state, int64_t block, int worker)
{
    const product *p = state;
    const int64_t from = block * ROWS, to = from + ROWS < p->g->n ? from + ROWS : p->g->n;

    (void)worker;
    for (int64_t i = from; i < to; i++) {
        double *y = p->y + i * p->b;
        for (int32_t c = 0; c < p->b; c++) y[c] = 0;
        for (int64_t e = p->g->start[i]; e < p->g->start[i + 1]; e++) {
            const double w = p->g->weight[e], *x = p->x + (int64_t)p->g->to[e] * p->b;
            for (int32_t c = 0; c < p->b; c++) y[c] += w * x[c];
        }
    }
    return TACIT_OK;
}

static tacit_status times(const void *state, const double *x, int32_t b, double *y)
{
    const tac_graph *g = state;
    product p = {.g = g, .x = x, .y = y, .b = b};
    return g->engine.map(&g->engine, g->ctx, (g->n + ROWS - 1) / ROWS, times_block, &p);
}

tac_operator tac_graph_operator(const tac_graph *g)
{
    return (tac_operator){.n = g->n, .times = times, .state = g};
}
