/* SPDX-License-Identifier: Apache-2.0 */
/* Which child of which active cube a row lies in, and how many rows each such child holds: the
   evaluate step of cubes. The place of a row is a function of the row and public numbers; the
   list is sorted, so it does not depend on blocks or on the order of rows. */
#include "privacy/kinds.h"

#include <stdlib.h>
#include <string.h>

/* Where one row lies; private. */
typedef struct place {
    tac_u128 child;
    int32_t parent; /* -1: in no active cube */
} place;

typedef struct pass {
    const tac_lattice *rows;
    const tac_cubes *cubes;
    const int32_t *slot; /* open addressing over the active cubes: index or -1 */
    uint32_t mask;
    int64_t rows_per_block;
    place *place; /* one for each row */
} pass;

/* Spreads bits for the two hash tables. No privacy argument uses it. */
static uint64_t mix(uint64_t h)
{
    h = (h ^ (h >> 31)) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ (h >> 29);
}

/* Where a search for the cube with these coordinates begins. */
static uint32_t first_slot(const int32_t *at, int32_t dims, uint32_t mask)
{
    uint64_t h = 0;
    for (int32_t j = 0; j < dims; j++) h = mix(h + (uint32_t)at[j]);
    return (uint32_t)h & mask;
}

/* The active cube with these coordinates, or -1. */
static int32_t find(const pass *p, const int32_t *at)
{
    const int32_t dims = p->rows->dims;

    for (uint32_t s = first_slot(at, dims, p->mask);; s = (s + 1) & p->mask) {
        const int32_t c = p->slot[s];
        if (c < 0 ||
            memcmp(p->cubes->active + (size_t)c * (size_t)dims, at, (size_t)dims * sizeof *at) == 0)
            return c;
    }
}

/* u = x - shift + 2^16 is in [0, 2^17); its first `level` binary digits name the cube, the next one
   the child. */
static place locate(const pass *p, const int16_t *x)
{
    const int drop = TAC_CUBE_LEVELS - p->cubes->level;
    int32_t at[TAC_CUBE_DIMS];
    place out = {0};

    for (int32_t j = 0; j < p->rows->dims; j++) {
        const int32_t u = (int32_t)x[j] - p->cubes->shift[j] + (1 << (TAC_CUBE_LEVELS - 1));
        at[j] = u >> drop;
        out.child |= (tac_u128)((uint32_t)(u >> (drop - 1)) & 1) << j;
    }
    out.parent = find(p, at);
    return out;
}

/* place[i] of the rows of one block. */
static tacit_status place_block(void *state, int64_t block, int worker)
{
    const pass *p = state;
    const int64_t first = block * p->rows_per_block;
    const int64_t end =
        first + p->rows_per_block < p->rows->rows ? first + p->rows_per_block : p->rows->rows;

    (void)worker;
    for (int64_t i = first; i < end; i++)
        p->place[i] = locate(p, p->rows->points + i * p->rows->stride);
    return TACIT_OK;
}

/* A hash table of the active cubes, at most half full. Public: it holds no row. */
static tacit_status index_active(tacit_ctx *ctx, const tac_cubes *cubes, int32_t dims,
                                 int32_t **slot, uint32_t *mask)
{
    tacit_status status = TACIT_OK;
    uint32_t room = 4;

    while (room < 2 * (uint32_t)cubes->count) room *= 2;
    TAC_TRY(tac_new(ctx, room, sizeof **slot, slot));
    *mask = room - 1;
    for (uint32_t s = 0; s < room; s++) (*slot)[s] = -1;
    for (int32_t c = 0; c < cubes->count; c++) {
        uint32_t s = first_slot(cubes->active + (size_t)c * (size_t)dims, dims, *mask);
        while ((*slot)[s] >= 0) s = (s + 1) & *mask;
        (*slot)[s] = c;
    }
done:
    return status;
}

int tac_by_place(const void *a, const void *b)
{
    const tac_cube *x = a, *y = b;
    if (x->parent != y->parent) return x->parent < y->parent ? -1 : 1;
    return x->child < y->child ? -1 : x->child > y->child;
}

/* Counts rows by place in a hash table, then lists the places in the order of (parent, child).
   *out is new, the caller's to free. */
static tacit_status gather(tacit_ctx *ctx, const place *at, int64_t rows, tac_cube **out,
                           int64_t *many)
{
    tacit_status status = TACIT_OK;
    tac_cube *table = NULL;
    uint64_t room = 16;
    int64_t inside = 0;

    for (int64_t i = 0; i < rows; i++) inside += at[i].parent >= 0;
    while (room < 2 * (uint64_t)inside) room *= 2;
    TAC_TRY(tac_new(ctx, room, sizeof *table, &table));
    for (int64_t i = 0; i < rows; i++) {
        if (at[i].parent < 0) continue;
        uint64_t s = mix(mix(mix((uint32_t)at[i].parent) + (uint64_t)at[i].child) +
                         (uint64_t)(at[i].child >> 64));
        for (s &= room - 1; table[s].count > 0; s = (s + 1) & (room - 1))
            if (table[s].parent == at[i].parent && table[s].child == at[i].child) break;
        table[s] =
            (tac_cube){.parent = at[i].parent, .child = at[i].child, .count = table[s].count + 1};
    }
    *many = 0;
    for (uint64_t s = 0; s < room; s++)
        if (table[s].count > 0) table[(*many)++] = table[s];
    qsort(table, (size_t)*many, sizeof *table, tac_by_place);
    *out = table;
done:
    return status;
}

/* words: four for each child of an active cube that holds rows, sorted by (parent, child): parent,
   the two halves of child, rows */
tacit_status tac_cubes_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                const tac_shard *shard, tac_words *out)
{
    tacit_status status = TACIT_OK;
    pass p = {.rows = shard->lattice[q->values], .cubes = &q->cubes};
    tac_cube *cube = NULL;
    int64_t many = 0;
    int32_t *slot = NULL;

    p.rows_per_block = 1 + ctx->block_bytes / ((int64_t)sizeof(int16_t) * p.rows->stride);
    TAC_TRY(index_active(ctx, &q->cubes, p.rows->dims, &slot, &p.mask));
    p.slot = slot;
    TAC_TRY(tac_new(ctx, (size_t)p.rows->rows, sizeof *p.place, &p.place));
    TAC_TRY(engine->map(engine, ctx, (p.rows->rows + p.rows_per_block - 1) / p.rows_per_block,
                        place_block, &p));
    TAC_TRY(gather(ctx, p.place, p.rows->rows, &cube, &many));
    tac_free(out->word);
    TAC_TRY(tac_new(ctx, TAC_CUBE_WORDS * (size_t)many, sizeof *out->word, &out->word));
    out->count = TAC_CUBE_WORDS * (size_t)many;
    for (int64_t i = 0; i < many; i++) tac_cube_write(&cube[i], out->word + TAC_CUBE_WORDS * i);
done:
    tac_free(cube);
    tac_free(slot);
    tac_free(p.place);
    return status;
}

/* (parent, low and high half of child, count). */
void tac_cube_write(const tac_cube *cube, uint64_t *word)
{
    word[0] = (uint64_t)cube->parent;
    word[1] = (uint64_t)cube->child;
    word[2] = (uint64_t)(cube->child >> 64);
    word[3] = (uint64_t)cube->count;
}

tac_cube tac_cube_read(const uint64_t *word)
{
    return (tac_cube){.parent = (int32_t)word[0],
                      .child = ((tac_u128)word[2] << 64) | word[1],
                      .count = (int64_t)word[3]};
}

/* Two sorted lists become one; counts of the same cube are added. */
tacit_status tac_cubes_merge(tacit_ctx *ctx, tac_words *sum, const tac_words *part)
{
    tacit_status status = TACIT_OK;
    tac_words all = {0};

    TAC_TRY(tac_new(ctx, sum->count + part->count, sizeof *all.word, &all.word));
    for (size_t a = 0, b = 0; a < sum->count || b < part->count; all.count += TAC_CUBE_WORDS) {
        const tac_cube x = a < sum->count ? tac_cube_read(sum->word + a) : (tac_cube){0};
        const tac_cube y = b < part->count ? tac_cube_read(part->word + b) : (tac_cube){0};
        const int order = a == sum->count ? 1 : b == part->count ? -1 : tac_by_place(&x, &y);
        tac_cube next = order <= 0 ? x : y;
        if (order == 0) next.count += y.count;
        a += order <= 0 ? TAC_CUBE_WORDS : 0;
        b += order >= 0 ? TAC_CUBE_WORDS : 0;
        tac_cube_write(&next, all.word + all.count);
    }
    tac_free(sum->word);
    *sum = all;
done:
    return status;
}
