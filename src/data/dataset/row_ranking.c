/* SPDX-License-Identifier: Apache-2.0 */
/* Sorted runs and their merge. A run is a region of the spill file; of each run that is merged one
   block is in memory. Two files take turns: what is read lies in one, what is written goes to the
   other, so the disk holds every row at most twice. */
#include "data/dataset/row_ranking.h"

#include <stdlib.h>
#include <string.h>

#define RECORD ((int64_t)sizeof(tac_ranked))
#define BLOCK (TAC_SPILL_BLOCK / RECORD) /* records of one block: none lies in two */

_Static_assert(sizeof(tac_ranked) == 32 && TAC_SPILL_BLOCK % sizeof(tac_ranked) == 0, "records "
                                                                                      "fill "
                                                                                      "blocks");

/* A run that is being read. */
typedef struct source {
    tac_region region;
    int64_t next;     /* record of the region behind those in memory */
    int64_t at, held; /* of the block in memory: the record at hand, and how many there are */
    tac_ranked *block;
} source;

struct tac_ranking {
    tacit_ctx *ctx;
    tac_engine engine;
    tac_ranked *record; /* room of them: the run that grows, or all */
    int64_t room, count, at;
    int64_t most;       /* runs that are merged at once */
    tac_spill *file[2]; /* runs are in the first */
    tac_region *run;
    int64_t runs, runs_room, spilled;
    source *source; /* a heap by the record at hand; sources of them */
    int64_t sources;
    tac_ranked *blocks; /* of the sources, most + 1 of them */
    void *cipher;       /* room that the spill file wants */
    bool taken;         /* the record at the top was handed out */
};

/* By person, then by hash of the row's content. Rows of equal content are alike, so the position
   that settles their order changes nothing but which of two equal points is kept. */
static int compare(const void *a, const void *b)
{
    const tac_ranked *x = a, *y = b;
    const int persons = tac_person_compare(x->person, y->person);
    if (persons != 0) return persons;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* With a limit half of it: one half of that is the run, the other what qsort takes; later all of it
   are blocks of runs, one to write and one to decipher. */
tacit_status tac_ranking_open(tacit_ctx *ctx, int64_t rows, tac_ranking **out)
{
    tacit_status status = TACIT_OK;
    tac_ranking *r = NULL;
    const int64_t bytes = ctx->memory / 2, run = bytes / 2 / RECORD;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *r, &r));
    r->ctx = ctx;
    r->room = rows;
    tac_engine_threads(ctx, &r->engine);
    /* whole blocks, where it is more than one: half a block takes as much disk */
    if (ctx->memory > 0 && rows > run) r->room = run > BLOCK ? run - run % BLOCK : run + (run == 0);
    r->most = bytes / TAC_SPILL_BLOCK > 4 ? bytes / TAC_SPILL_BLOCK - 2 : 2;
    TAC_TRY(tac_scratch(ctx, (size_t)r->room, sizeof *r->record, &r->record));
    *out = r;
    r = NULL;
done:
    tac_ranking_close(r);
    return status;
}

/* The records in memory become a run. */
static tacit_status spill_run(tac_ranking *r)
{
    tacit_status status = TACIT_OK;
    tac_region region = {0};

    if (r->file[0] == NULL) TAC_TRY(tac_spill_open(r->ctx, &r->file[0]));
    if (r->runs == r->runs_room) {
        const int64_t room = 2 * r->runs_room + 16;
        TAC_TRY(tac_grow(r->ctx, &r->run, (size_t)room, sizeof *r->run));
        r->runs_room = room;
    }
    qsort(r->record, (size_t)r->count, sizeof *r->record, compare);
    TAC_TRY(tac_spill_add(r->ctx, &r->engine, r->file[0], r->record, r->count * RECORD, &region));
    r->run[r->runs++] = region;
    r->spilled++;
    r->count = 0;
done:
    return status;
}

tacit_status tac_ranking_add(tac_ranking *r, const tac_ranked *one)
{
    tacit_status status = TACIT_OK;

    if (r->count == r->room) TAC_TRY(spill_run(r));
    r->record[r->count++] = *one;
done:
    return status;
}

/* ---- merging ---- */

/* The next block of a run; held 0: it has ended. */
static tacit_status refill(tac_ranking *r, source *s)
{
    const int64_t left = s->region.size / RECORD - s->next;

    s->at = 0;
    s->held = left < BLOCK ? left : BLOCK;
    if (s->held == 0) return TACIT_OK;
    const tacit_status status = tac_spill_get_part(r->file[0], &s->region, s->next * RECORD,
                                                   s->held * RECORD, r->cipher, s->block);
    s->next += s->held;
    return tac_spill_failed(r->ctx, r->file[0], status);
}

/* The source at `place` sinks to where no one below it comes earlier. */
static void sink(tac_ranking *r, int64_t place)
{
    source *const heap = r->source;

    for (int64_t child; (child = 2 * place + 1) < r->sources; place = child) {
        if (child + 1 < r->sources && compare(&heap[child + 1].block[heap[child + 1].at],
                                              &heap[child].block[heap[child].at]) < 0)
            child++;
        if (compare(&heap[place].block[heap[place].at], &heap[child].block[heap[child].at]) <= 0)
            return;
        const source swap = heap[place];
        heap[place] = heap[child];
        heap[child] = swap;
    }
}

/* Reads the runs first .. first + count - 1 from now on; none is empty. */
static tacit_status open_sources(tac_ranking *r, int64_t first, int64_t count)
{
    tacit_status status = TACIT_OK;

    r->sources = 0;
    r->taken = false;
    for (int64_t i = 0; i < count; i++) {
        source *const s = &r->source[i];
        *s = (source){.region = r->run[first + i], .block = r->blocks + i * BLOCK};
        TAC_TRY(refill(r, s));
    }
    r->sources = count;
    for (int64_t i = count / 2; i-- > 0;) sink(r, i);
done:
    return status;
}

/* The smallest record of all sources, which stays there until the next call. */
static tacit_status next_merged(tac_ranking *r, const tac_ranked **out)
{
    tacit_status status = TACIT_OK;
    source *const top = r->source;

    *out = NULL;
    if (r->taken && r->sources > 0) {
        if (++top->at == top->held) TAC_TRY(refill(r, top));
        if (top->held == 0) *top = r->source[--r->sources];
        sink(r, 0);
    }
    r->taken = true;
    if (r->sources > 0) *out = &top->block[top->at];
done:
    return status;
}

/* Runs first .. first + count - 1 become one run in the other file. */
static tacit_status merge_some(tac_ranking *r, int64_t first, int64_t count, tac_region *out)
{
    tacit_status status = TACIT_OK;
    tac_ranked *const block = r->blocks + r->most * BLOCK;
    const tac_ranked *next;
    int64_t held = 0;

    *out = (tac_region){0};
    TAC_TRY(open_sources(r, first, count));
    for (;;) {
        TAC_TRY(next_merged(r, &next));
        if (next != NULL) block[held++] = *next;
        if (held == BLOCK || (next == NULL && held > 0)) {
            TAC_TRY(tac_check_cancel(r->ctx));
            TAC_TRY(tac_spill_add(r->ctx, &r->engine, r->file[1], block, held * RECORD, out));
            held = 0;
        }
        if (next == NULL) break;
    }
done:
    return status;
}

/* One level: groups of runs become runs; then the files change places. */
static tacit_status merge_level(tac_ranking *r)
{
    tacit_status status = TACIT_OK;
    int64_t made = 0;

    if (r->file[1] == NULL)
        TAC_TRY(tac_spill_open(r->ctx, &r->file[1]));
    else
        TAC_TRY(tac_spill_restart(r->ctx, r->file[1]));
    for (int64_t first = 0; first < r->runs; first += r->most) {
        const int64_t left = r->runs - first;
        tac_region merged;
        TAC_TRY(merge_some(r, first, left < r->most ? left : r->most, &merged));
        r->run[made++] = merged; /* those up to here have been read */
    }
    r->runs = made;
    tac_spill *const read = r->file[0];
    r->file[0] = r->file[1];
    r->file[1] = read;
done:
    return status;
}

tacit_status tac_ranking_sort(tac_ranking *r)
{
    tacit_status status = TACIT_OK;

    r->at = 0;
    if (r->runs == 0) {
        qsort(r->record, (size_t)r->count, sizeof *r->record, compare);
        return TACIT_OK;
    }
    if (r->count > 0) TAC_TRY(spill_run(r));
    tac_free(r->record); /* its room is for blocks from here on */
    r->record = NULL;
    TAC_TRY(tac_new(r->ctx, (size_t)r->most, sizeof *r->source, &r->source));
    TAC_TRY(tac_scratch(r->ctx, (size_t)((r->most + 1) * BLOCK), sizeof *r->blocks, &r->blocks));
    TAC_TRY(tac_scratch(r->ctx, (size_t)TAC_SPILL_BLOCK, 1, &r->cipher));
    while (r->runs > r->most) TAC_TRY(merge_level(r));
    TAC_TRY(open_sources(r, 0, r->runs));
done:
    return status;
}

tacit_status tac_ranking_next(tac_ranking *r, const tac_ranked **out)
{
    if (r->runs > 0) return next_merged(r, out);
    *out = r->at < r->count ? &r->record[r->at++] : NULL;
    return TACIT_OK;
}

int64_t tac_ranking_runs(const tac_ranking *r)
{
    return r->spilled;
}

void tac_ranking_close(tac_ranking *r)
{
    if (r == NULL) return;
    tac_spill_close(r->file[0]);
    tac_spill_close(r->file[1]);
    tac_free(r->record);
    tac_free(r->run);
    tac_free(r->source);
    tac_free(r->blocks);
    tac_free(r->cipher);
    tac_free(r);
}
