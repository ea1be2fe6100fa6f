/* SPDX-License-Identifier: Apache-2.0 */
/* A probe that writes down every exact and noisy answer of a run and hands the noisy ones to the
   run on the neighbor, and says whether that asked the same and answered within the declared
   sensitivity. */
#ifndef TAC_TEST_REPLAY_TRANSCRIPT_H
#define TAC_TEST_REPLAY_TRANSCRIPT_H

#include "solve/linalg/eigen.h"
#include "trace_norm.h"

#include "replay_family.h" /* late: it has a ctx of its own */
#include "replay_parts.h"

typedef struct asked {
    tac_receipt receipt;
    char what[64];
    size_t exact_words, noisy_words;
    uint64_t *exact, *noisy;
} asked;

enum { MOST_QUERIES = 512, MOST_BATCHES = 64 };

typedef struct transcript {
    bool replaying, same_queries, within;
    int count, at; /* queries of the first run; where the run at hand is */
    const world *world;
    /* of queries about all rows, and about each batch of them */
    uint64_t quanta, batch[MOST_BATCHES];
    asked query[MOST_QUERIES];
} transcript;

static uint64_t *copy_of(const uint64_t *word, size_t count)
{
    uint64_t *copy = malloc((count + 1) * sizeof *copy);
    MUST(copy != NULL);
    memcpy(copy, word, count * sizeof *copy);
    return copy;
}

/* Second moments before a draw of subspaces (bingham.proof.md): over all subspaces what a cell
   holds moves by no more than the sum of the sizes of the eigenvalues of the change, and those of
   all cells by no more than the declared number of rows. The size of a triangle tells the
   coordinates, given the number of cells. */
static bool moved_within(const tac_receipt *r, const uint64_t *answer, const uint64_t *was,
                         size_t count, int32_t cells)
{
    const size_t triangle = count / (size_t)cells;
    int32_t d = 1;
    double moved = 0, *a, *values, *vectors;

    while ((size_t)d * ((size_t)d + 1) / 2 < triangle) d++;
    if (count % (size_t)cells != 0 || (size_t)d * ((size_t)d + 1) / 2 != triangle) return false;
    a = malloc((size_t)d * (size_t)d * sizeof *a);
    values = malloc((size_t)d * sizeof *values);
    vectors = malloc((size_t)d * (size_t)d * sizeof *vectors);
    MUST(a != NULL && values != NULL && vectors != NULL);
    for (int32_t c = 0; c < cells; c++) {
        for (int32_t i = 0; i < d; i++)
            for (int32_t j = i; j < d; j++, answer++, was++)
                a[i * d + j] = a[j * d + i] = (double)(int64_t)(*answer - *was);
        MUST(tac_top_eigen(ctx, a, d, d, values, vectors) == TACIT_OK);
        for (int32_t i = 0; i < d; i++) moved += fabs(values[i]);
    }
    free(a), free(values), free(vectors);
    return moved <= (double)r->sensitivity * TAC_M * TAC_M * (1 + 1e-9);
}

/* Scores before labels are drawn, those of one item after the other (labels.proof.md): the
   differences of an item's scores move by no more than the declared range, all items together. */
static bool drawn_within(const tac_receipt *r, const uint64_t *answer, const uint64_t *was,
                         size_t count)
{
    const size_t items = (size_t)r->answers, clusters = items == 0 ? 0 : count / items;
    tac_u128 moved = 0;

    for (size_t i = 0; i < items; i++) {
        int64_t most = INT64_MIN, least = INT64_MAX;
        for (size_t c = i * clusters; c < (i + 1) * clusters; c++) {
            const int64_t gap = (int64_t)(answer[c] - was[c]);
            most = gap > most ? gap : most;
            least = gap < least ? gap : least;
        }
        moved = moved + (tac_u128)(uint64_t)(most - least);
    }
    return items * clusters == count && moved <= r->sensitivity;
}

/* How far a neighbor's exact answer is away, in the norm that was paid for. */
static bool is_within(const world *w, const tac_receipt *r, const uint64_t *answer,
                      const uint64_t *was, size_t count)
{
    tac_u128 l1 = 0, l2 = 0;
    int64_t most = INT64_MIN, least = INT64_MAX;

    for (size_t i = 0; i < count; i++) {
        const int64_t gap = (int64_t)(answer[i] - was[i]);
        const tac_u128 size = (tac_u128)(gap < 0 ? -gap : gap);
        l1 += size;
        l2 += size * size;
        if (gap > most) most = gap;
        if (gap < least) least = gap;
    }
    if (tac_kind_class(r->kind) == TAC_CLASS_SELECTION)
        return (tac_u128)(most - least) <= r->sensitivity;
    /* noise follows a private bound, lots another coupling */
    if (r->kind == TAC_KIND_PARTS) return parts_within(ctx, w, was);
    if (r->kind == TAC_KIND_BINGHAM) return moved_within(r, answer, was, count, w->k);
    if (r->kind == TAC_KIND_GIBBS) return moved_within(r, answer, was, count, 1);
    if (r->kind == TAC_KIND_ROW_LABELS || r->kind == TAC_KIND_COLUMN_LABELS)
        return drawn_within(r, answer, was, count);
    /* a draw of a new kind has a rule of its own */
    MUST(tac_kind_class(r->kind) == TAC_CLASS_NOISED || r->kind == TAC_KIND_CUBES);
    if (r->distribution == TAC_TRACE) return trace_within(ctx, r, answer, was, count);
    return (r->distribution == TAC_GAUSSIAN ? l2 : l1) <= r->sensitivity;
}

static void on_exact(void *payload, const tac_receipt *r, const uint64_t *answer, size_t count)
{
    transcript *t = payload;
    asked *q = &t->query[t->at];

    MUST(t->at < MOST_QUERIES);
    if (!t->replaying) {
        q->receipt = *r;
        snprintf(q->what, sizeof q->what, "%s", r->what);
        q->exact = copy_of(answer, count);
        q->exact_words = count;
        MUST(r->batch < MOST_BATCHES);
        *(r->batch < 0 ? &t->quanta : &t->batch[r->batch]) += r->quanta;
        return;
    }
    const tac_receipt *was = &q->receipt;
    const bool same = t->at < t->count && q->exact_words == count && was->kind == r->kind &&
                      was->distribution == r->distribution && was->scale == r->scale &&
                      was->quanta == r->quanta && was->sensitivity == r->sensitivity &&
                      was->answers == r->answers && was->batch == r->batch &&
                      strncmp(q->what, r->what, sizeof q->what - 1) == 0;
    t->same_queries = t->same_queries && same;
    t->within = t->within && (!same || is_within(t->world, r, answer, q->exact, count));
}

static void on_noisy(void *payload, const tac_receipt *r, uint64_t *answer, size_t count)
{
    transcript *t = payload;
    asked *q = &t->query[t->at++];

    (void)r;
    if (!t->replaying) {
        q->noisy = copy_of(answer, count);
        q->noisy_words = count;
    } else if (t->at <= t->count && q->noisy_words == count) {
        memcpy(answer, q->noisy, count * sizeof *answer);
    } else {
        t->same_queries = false;
    }
}

/* What the run cost: an entry lies in one batch. */
static uint64_t quanta_of(const transcript *t)
{
    uint64_t most_expensive = 0;

    for (int b = 0; b < MOST_BATCHES; b++)
        most_expensive = t->batch[b] > most_expensive ? t->batch[b] : most_expensive;
    return t->quanta + most_expensive;
}

/* A run that fails between the two leaves an exact answer without a noisy one, at t->at: one more
   than it says. */
static void forget(transcript *t)
{
    const int most = t->count > t->at ? t->count : t->at;

    for (int i = 0; i <= most && i < MOST_QUERIES; i++) {
        free(t->query[i].exact);
        free(t->query[i].noisy);
        memset(&t->query[i], 0, sizeof t->query[i]);
    }
    memset(t, 0, offsetof(transcript, query));
}

#endif
