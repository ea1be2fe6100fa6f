/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs: a run with fresh noise, replayed on the neighbor. Pairs are independent, so every
   worker makes its own, with a context, data handles and a transcript of its own. */
#include "audit/audit.h"

#include <string.h>

enum {
    PAIRS_PER_BLOCK = 8,
    BLOCK_BYTES = 2048 /* holds all the rows; buffers are zeroed for each query, so small ones */
};

typedef struct worker {
    tacit_ctx ctx;
    tacit_data *data[2];
    tac_transcript transcript;
    tac_tally tally;
} worker;

typedef struct job {
    const tac_attack *attack;
    tacit_budget budget;
    double claim; /* epsilon or mu^2 */
    int64_t n;
    tac_sample sample[2];
    worker *workers;
} job;

/* What a caller sees of a run: its release, or why there is none. */
typedef struct seen {
    tacit_status status;
    char *release;
    char message[sizeof((tacit_ctx *)NULL)->message];
} seen;

/* One run on a side. A refusal by the method is an output like any other and goes to *out; the
   status is of trouble in the audit itself. */
static tacit_status run_once(const job *j, worker *l, int side, seen *out)
{
    tacit_status status = TACIT_OK;
    const tac_door_probe probe = tac_transcript_probe(&l->transcript);
    tacit_model *model = NULL;

    out->status = j->attack->family->run(&l->ctx, l->data[side], &j->budget, j->attack->opts.method,
                                         &probe, &model);
    if (out->status == TACIT_OK)
        TAC_TRY(tacit_model_json(&l->ctx, model, &out->release));
    else
        memcpy(out->message, l->ctx.message, sizeof out->message);
done:
    tacit_model_free(model);
    return status;
}

/* One pair into the tally. Violations are counted per pair; queries, blind and untested are the
   largest seen. */
static void add_to_tally(tac_tally *sum, const tac_transcript *t, bool other_release, bool paid)
{
    sum->pairs++;
    sum->apart += t->apart;
    sum->other_queries += t->other_queries;
    sum->too_far += t->too_far;
    sum->underpaid += !paid;
    /* other queries: the release follows them */
    sum->other_release += other_release && !t->other_queries;
    sum->queries = t->count > sum->queries ? t->count : sum->queries;
    sum->blind = t->blind > sum->blind ? t->blind : sum->blind;
    sum->untested = t->untested > sum->untested ? t->untested : sum->untested;
    memcpy(sum->blind_kinds, t->blind_kinds, sizeof sum->blind_kinds);
}

/* One run on `side`, replayed on the other. */
static tacit_status make_pair(const job *j, worker *l, int side, int64_t i)
{
    tacit_status status = TACIT_OK;
    tac_transcript *t = &l->transcript;
    seen first = {0}, second = {0};

    tac_transcript_start(t);
    TAC_TRY(run_once(j, l, side, &first));
    /* Refused before anything was asked, or broken: nothing to attack. A refusal after noisy
       answers is what the caller sees. */
    if (first.status != TACIT_OK && (t->at == 0 || first.status != TACIT_E_ARGUMENT))
        TAC_TRY(first.status);
    tac_transcript_replay(t);
    TAC_TRY(run_once(j, l, 1 - side, &second));
    tac_transcript_end(t);
    if (t->failed) TAC_TRY(TACIT_E_MEMORY);
    add_to_tally(&l->tally, t,
                 first.status != second.status || strcmp(first.message, second.message) != 0 ||
                     (first.release != NULL && strcmp(first.release, second.release) != 0),
                 tac_transcript_paid(t, j->claim));
    j->sample[side].log_ratio[i] = side == 0 ? t->log_ratio : -t->log_ratio;
    j->sample[side].charged[i] = tac_transcript_charged(t, true);
done:
    tacit_free(first.release);
    tacit_free(second.release);
    return status;
}

/* Block of pairs number `block`: sides alternate, so that both have as many runs. */
static tacit_status pairs_block(void *state, int64_t block, int index)
{
    const job *j = state;
    tacit_status status = TACIT_OK;
    const int64_t first = block * PAIRS_PER_BLOCK, last = first + PAIRS_PER_BLOCK,
                  end = last < 2 * j->n ? last : 2 * j->n;

    for (int64_t i = first; i < end; i++)
        TAC_TRY(make_pair(j, &j->workers[index], (int)(i % 2), i / 2));
done:
    return status;
}

/* The tally of one worker into the sum of all. */
static void merge(tac_tally *sum, const tac_tally *one)
{
    if (one->pairs == 0) return;
    tac_evidence_merge(&sum->evidence, &one->evidence);
    sum->pairs += one->pairs;
    sum->apart += one->apart;
    sum->other_queries += one->other_queries;
    sum->too_far += one->too_far;
    sum->underpaid += one->underpaid;
    sum->other_release += one->other_release;
    sum->queries = one->queries > sum->queries ? one->queries : sum->queries;
    sum->blind = one->blind > sum->blind ? one->blind : sum->blind;
    sum->untested = one->untested > sum->untested ? one->untested : sum->untested;
    if (one->blind_kinds[0] != '\0')
        memcpy(sum->blind_kinds, one->blind_kinds, sizeof sum->blind_kinds);
}

/* Blocks are handed out in rounds, so that progress is reported on the caller's own thread. */
static tacit_status all_blocks(tacit_ctx *ctx, const tac_engine *engine, job *j)
{
    tacit_status status = TACIT_OK;
    const int64_t pairs = 2 * j->n, step = 16 * (int64_t)engine->workers * PAIRS_PER_BLOCK;

    job part = *j;
    for (int64_t done = 0; done < pairs; done += step) {
        for (int side = 0; side < 2; side++)
            part.sample[side] = (tac_sample){j->sample[side].log_ratio + done / 2,
                                             j->sample[side].charged + done / 2};
        part.n = (pairs - done < step ? pairs - done : step) / 2;
        TAC_TRY(engine->map(engine, ctx, (2 * part.n + PAIRS_PER_BLOCK - 1) / PAIRS_PER_BLOCK,
                            pairs_block, &part));
        tac_show_progress(ctx, j->attack->family->name,
                          (double)(done + 2 * part.n) / (double)pairs);
    }
done:
    return status;
}

/* Opens data and a transcript for every worker, runs all blocks, merges the tallies. */
tacit_status tac_attack_pairs(tacit_ctx *ctx, const tac_attack *attack, const tac_neighbors *rows,
                              int64_t n, const tac_sample sample[2], tac_tally *tally)
{
    tacit_status status = TACIT_OK;
    tac_engine engine;
    job j = {.attack = attack, .n = n, .sample = {sample[0], sample[1]}};

    tac_engine_threads(ctx, &engine);
    tacit_budget_init(&j.budget, sizeof j.budget);
    j.budget.epsilon = attack->opts.epsilon;
    j.budget.delta = attack->opts.delta;
    j.budget.neighbors = attack->opts.neighbors;
    j.claim = tac_claim_quanta(attack->opts.epsilon, attack->opts.delta);
    TAC_TRY(tac_new(ctx, (size_t)engine.workers, sizeof *j.workers, &j.workers));
    for (int i = 0; i < engine.workers; i++) {
        worker *l = &j.workers[i];
        l->ctx = (tacit_ctx){.threads = 1, .block_bytes = BLOCK_BYTES};
        l->transcript = (tac_transcript){.ctx = &l->ctx,
                                         .noise_factor = attack->opts.noise_factor,
                                         .pure = attack->opts.delta == 0,
                                         .evidence = &l->tally.evidence};
        for (int side = 0; side < 2; side++)
            TAC_TRY(tac_neighbors_open(ctx, rows, side, &l->data[side]));
    }
    status = all_blocks(ctx, &engine, &j);
    if (status != TACIT_OK) /* the sentence is the worker's that failed */
        for (int i = 0; i < engine.workers; i++)
            if (j.workers[i].ctx.message[0] != '\0')
                tac_fail(ctx, status, "%s", j.workers[i].ctx.message);
    if (status == TACIT_E_CANCELLED) tac_fail(ctx, status, "interrupted");
done:
    for (int i = 0; j.workers != NULL && i < engine.workers; i++) {
        worker *l = &j.workers[i];
        merge(tally, &l->tally);
        tac_transcript_clear(&l->transcript);
        for (int side = 0; side < 2; side++) tacit_data_free(l->data[side]);
    }
    tac_free(j.workers);
    return status;
}
