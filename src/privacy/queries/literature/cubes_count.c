/* SPDX-License-Identifier: Apache-2.0 */
/* Which child of which active cube a row lies in, and how many rows each such child holds: the
   evaluate step of cubes. The place of a row is a function of the row and public numbers; the
   list is sorted, so it does not depend on blocks or on the order of rows. Memory goes with
   children, not with rows. */
#include "privacy/kinds.h"

#include <stdlib.h>
#include <string.h>

/* Where one row lies; private. */
typedef struct place {
    tac_u128 child;
    int32_t parent; /* -1: in no active cube */
} place;

/* Children that hold rows, in a hash table of open addressing that is at most half full. Private.
   It grows with them, not with rows. */
typedef struct tally {
    tac_cube *cube; /* count 0: a free place */
    uint64_t room;  /* a power of 2 */
    uint64_t used;
} tally;

typedef struct pass {
    const tac_lattice *rows;
    const tac_cubes *cubes;
    const int32_t *slot; /* open addressing over the active cubes: index or -1 */
    uint32_t mask;
    int64_t rows_per_block;
    tacit_ctx *ctx;
    tally *tally; /* of each worker; not where children are few */
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

/* The rows of a block: first .. *end - 1. */
static int64_t block_rows(const pass *p, int64_t block, int64_t *end)
{
    const int64_t first = block * p->rows_per_block, left = p->rows->rows - first;

    *end = first + (left < p->rows_per_block ? left : p->rows_per_block);
    return first;
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

/* ---- few children: a word for each, by its place in the order of (parent, child) ---- */

static void count_block(const void *state, int64_t block, uint64_t *words, void *scratch)
{
    const pass *p = state;
    int64_t end, i = block_rows(p, block, &end);

    (void)scratch;
    for (; i < end; i++) {
        const place at = locate(p, p->rows->points + i * p->rows->stride);
        if (at.parent >= 0) words[(uint64_t)at.parent << p->rows->dims | (uint64_t)at.child]++;
    }
}

/* *out is new, the caller's to free. */
static tacit_status count_all(const tac_engine *engine, const pass *p, int64_t blocks,
                              tac_cube **out, int64_t *many)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = p->rows->dims;
    tac_words rows = {.count = (size_t)p->cubes->count << dims};
    tac_cube *cube = NULL;

    TAC_TRY(tac_new(p->ctx, rows.count, sizeof *rows.word, &rows.word));
    TAC_TRY(tac_add_blocks(p->ctx, engine, blocks, count_block, p, 0, &rows));
    *many = 0;
    for (size_t i = 0; i < rows.count; i++) *many += rows.word[i] > 0;
    TAC_TRY(tac_new(p->ctx, (size_t)*many, sizeof *cube, &cube));
    for (size_t i = 0, next = 0; i < rows.count; i++)
        if (rows.word[i] > 0)
            cube[next++] = (tac_cube){.parent = (int32_t)(i >> dims),
                                      .child = i & (((size_t)1 << dims) - 1),
                                      .count = (int64_t)rows.word[i]};
    *out = cube;
done:
    tac_free(rows.word);
    return status;
}

/* ---- more children than anybody could list: those that hold rows ---- */

/* Adds to the count of a place. There must be a free one. */
static void tally_add(tally *t, const tac_cube *at)
{
    uint64_t s =
        mix(mix(mix((uint32_t)at->parent) + (uint64_t)at->child) + (uint64_t)(at->child >> 64));

    for (s &= t->room - 1; t->cube[s].count > 0; s = (s + 1) & (t->room - 1))
        if (tac_by_place(&t->cube[s], at) == 0) break;
    t->used += t->cube[s].count == 0;
    const int64_t before = t->cube[s].count;
    t->cube[s] = *at;
    t->cube[s].count += before;
}

/* Room for one more place. Sets no sentence: workers share a ctx. */
static tacit_status tally_grow(tally *t)
{
    tally wider = {.room = t->room == 0 ? 16 : 2 * t->room};

    if (2 * (t->used + 1) <= t->room) return TACIT_OK;
    if (tac_new(NULL, wider.room, sizeof *wider.cube, &wider.cube) != TACIT_OK)
        return TACIT_E_MEMORY;
    for (uint64_t s = 0; s < t->room; s++)
        if (t->cube[s].count > 0) tally_add(&wider, &t->cube[s]);
    tac_free(t->cube);
    *t = wider;
    return TACIT_OK;
}

static tacit_status tally_block(void *state, int64_t block, int worker)
{
    const pass *p = state;
    tally *t = &p->tally[worker];
    tacit_status status = TACIT_OK;
    int64_t end, i = block_rows(p, block, &end);

    for (; i < end && status == TACIT_OK; i++) {
        const place at = locate(p, p->rows->points + i * p->rows->stride);
        if (at.parent < 0) continue;
        status = tally_grow(t);
        if (status == TACIT_OK)
            tally_add(t, &(tac_cube){.parent = at.parent, .child = at.child, .count = 1});
    }
    return status;
}

/* Of all workers one sorted list. *out is new, the caller's to free. */
static tacit_status tally_all(const tac_engine *engine, pass *p, int64_t blocks, tac_cube **out,
                              int64_t *many)
{
    tacit_status status = TACIT_OK;
    tac_cube *cube = NULL;
    int64_t all = 0;

    TAC_TRY(tac_new(p->ctx, (size_t)engine->workers, sizeof *p->tally, &p->tally));
    status = engine->map(engine, p->ctx, blocks, tally_block, p);
    if (status == TACIT_E_MEMORY)
        status = tac_fail(p->ctx, status, "out of memory; more cubes hold rows than it can list");
    if (status != TACIT_OK) goto done;
    for (int w = 0; w < engine->workers; w++) all += (int64_t)p->tally[w].used;
    TAC_TRY(tac_new(p->ctx, (size_t)all, sizeof *cube, &cube));
    all = 0;
    for (int w = 0; w < engine->workers; w++)
        for (uint64_t s = 0; s < p->tally[w].room; s++)
            if (p->tally[w].cube[s].count > 0) cube[all++] = p->tally[w].cube[s];
    if (all > 0) qsort(cube, (size_t)all, sizeof *cube, tac_by_place);
    *many = 0;
    for (int64_t i = 0; i < all; i++) {
        if (*many > 0 && tac_by_place(&cube[*many - 1], &cube[i]) == 0)
            cube[*many - 1].count += cube[i].count;
        else
            cube[(*many)++] = cube[i];
    }
    *out = cube;
done:
    for (int w = 0; w < engine->workers && p->tally != NULL; w++) tac_free(p->tally[w].cube);
    tac_free(p->tally);
    p->tally = NULL;
    return status;
}

/* Are there at most 2^TAC_CUBES_LISTED children? */
static bool children_listed(const tac_cubes *cubes, int32_t dims)
{
    return dims <= TAC_CUBES_LISTED && cubes->count <= 1 << (TAC_CUBES_LISTED - dims);
}

/* words: four for each child of an active cube that holds rows, sorted by (parent, child): parent,
   the two halves of child, rows */
tacit_status tac_cubes_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                const tac_shard *shard, tac_words *out)
{
    tacit_status status = TACIT_OK;
    pass p = {.rows = shard->lattice[q->values], .cubes = &q->cubes, .ctx = ctx};
    tac_cube *cube = NULL;
    int64_t many = 0;
    int32_t *slot = NULL;

    p.rows_per_block = 1 + ctx->block_bytes / ((int64_t)sizeof(int16_t) * p.rows->stride);
    const int64_t blocks = (p.rows->rows + p.rows_per_block - 1) / p.rows_per_block;
    TAC_TRY(index_active(ctx, &q->cubes, p.rows->dims, &slot, &p.mask));
    p.slot = slot;
    if (children_listed(&q->cubes, p.rows->dims))
        TAC_TRY(count_all(engine, &p, blocks, &cube, &many));
    else
        TAC_TRY(tally_all(engine, &p, blocks, &cube, &many));
    tac_free(out->word);
    TAC_TRY(tac_new(ctx, TAC_CUBE_WORDS * (size_t)many, sizeof *out->word, &out->word));
    out->count = TAC_CUBE_WORDS * (size_t)many;
    for (int64_t i = 0; i < many; i++) tac_cube_write(&cube[i], out->word + TAC_CUBE_WORDS * i);
done:
    tac_free(cube);
    tac_free(slot);
    return status;
}

int32_t tac_cubes_part(const tac_query *q)
{
    const int32_t dims = tac_dims_of(q);
    return dims > TAC_CUBES_LISTED || children_listed(&q->cubes, dims)
               ? 0
               : 1 << (TAC_CUBES_LISTED - dims);
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
