/* SPDX-License-Identifier: Apache-2.0 */
/* One of several public sets of subspaces, drawn by the squared distances of all rows. Proof:
   select.proof.md */
#include "data/kernels/nearest_subspace.h"
#include "privacy/kinds.h"

typedef struct sets {
    int32_t m;
    tac_spans **set; /* m */
    int64_t tile;    /* most rows in a tile */
} sets;

/* |x|^2 less what the nearest subspace holds of it, never below 0. held has a factor of M^2 / 2^16,
   which we take for 2^14. */
static uint64_t row_cost(uint64_t length2, int64_t held)
{
    const uint64_t inside = (uint64_t)held >> 14;
    return length2 > inside ? (length2 - inside) >> TAC_COST_SHIFT : 0;
}

/* words[c] += |x|^2 - max_s |B_s x|^2 over the rows of the tile, for candidate set c, shifted
   down. */
static void add_costs(const void *state, const tac_tile *tile, uint64_t *words)
{
    const sets *s = state;
    int64_t *length2 = tile->scratch, *held = length2 + s->tile;
    int32_t *label = (int32_t *)(void *)(held + s->tile);

    for (int64_t i = 0; i < tile->n; i++) {
        const int16_t *x = tile->rows + i * tile->stride;
        length2[i] = 0;
        for (int32_t j = 0; j < tile->dims; j++) length2[i] += x[j] * x[j];
    }
    for (int32_t c = 0; c < s->m; c++) {
        tac_nearest_subspace(s->set[c], tile->rows, tile->n, tile->stride, label, held);
        for (int64_t i = 0; i < tile->n; i++) words[c] += row_cost((uint64_t)length2[i], held[i]);
    }
}

/* A set of candidates is checked as the partition it would make. */
tacit_status tac_subspaces_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    tac_query any = *q; /* one of the sets, as a partition */

    any.cells = (tac_cells){.kind = TAC_SUBSPACES,
                            .view = q->values,
                            .count = q->k,
                            .bases = q->candidates,
                            .rank = q->rank};
    if (q->m < 1 || q->cells.kind != TAC_ONE_CELL || q->values != q->cells.view ||
        !tac_cells_make_sense(&any))
        return tac_no_sense(ctx, "a selection");
    *words = (size_t)q->m;
    return TACIT_OK;
}

tacit_status tac_subspaces_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    (void)q;
    out->range = tac_range_subspaces(door->neighbors, door->rows_per_unit);
    return TACIT_OK;
}

/* word_c = the sum over all rows of the squared distance from set c */
tacit_status tac_subspaces_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                    const tac_shard *shard, tac_words *out)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = tac_dims_of(q), vectors = q->k * q->rank;
    int16_t *clipped = NULL;
    sets s = {.m = q->m, .tile = tac_tile_rows(shard->lattice[q->values]->stride)};

    TAC_TRY(tac_new(ctx, (size_t)q->m, sizeof *s.set, &s.set));
    for (int32_t c = 0; c < q->m; c++) {
        tac_free(clipped);
        TAC_TRY(tac_clipped(ctx, q->candidates + (size_t)c * (size_t)vectors * (size_t)dims,
                            vectors, dims, &clipped));
        TAC_TRY(tac_spans_new(ctx, clipped, q->k, q->rank, dims, &s.set[c]));
    }
    TAC_TRY(tac_over_cells(ctx, engine, q, shard, add_costs, &s,
                           (size_t)s.tile * (2 * sizeof(int64_t) + sizeof(int32_t)), out));
done:
    for (int32_t c = 0; c < q->m && s.set != NULL; c++) tac_spans_free(s.set[c]);
    tac_free(s.set);
    tac_free(clipped);
    return status;
}
