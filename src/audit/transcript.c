/* SPDX-License-Identifier: Apache-2.0 */
/* Recording a run and replaying its answers to another. The door calls these functions through
   its probe. They cannot fail: trouble is kept in `failed` and `other_queries` for later. */
#include "audit/audit.h"

#include "privacy/accounting/curve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* batches that are charged apart; queries of further ones count in full, which is never too
   little */
enum { MOST_BATCHES = 256 };

void tac_transcript_start(tac_transcript *t)
{
    t->replaying = t->failed = t->other_queries = t->too_far = false;
    t->count = t->at = t->blind = t->untested = 0;
    t->words = 0;
    t->log_ratio = t->apart = 0;
}

void tac_transcript_replay(tac_transcript *t)
{
    t->replaying = true;
    t->count = t->at;
    t->at = 0;
    for (int32_t i = 0; i < t->count; i++) { /* the words stay where they are from now on */
        t->asked[i].exact = t->word + t->asked[i].exact_at;
        t->asked[i].noisy = t->word + t->asked[i].noisy_at;
    }
}

void tac_transcript_end(tac_transcript *t)
{
    if (t->at != t->count) t->other_queries = true;
}

void tac_transcript_clear(tac_transcript *t)
{
    tac_free(t->asked);
    tac_free(t->word);
    tac_key_wipe(&t->key);
    memset(t, 0, sizeof *t);
}

/* Appends words of an answer; *at: where they begin. Places, not pointers: the array may move. */
static bool keep_words(tac_transcript *t, const uint64_t *word, size_t count, size_t *at)
{
    if (t->words + count > t->word_room) {
        const size_t room = 2 * (t->words + count) + 1024;
        if (tac_grow(t->ctx, &t->word, room, sizeof *t->word) != TACIT_OK) return false;
        t->word_room = room;
    }
    *at = t->words;
    memcpy(t->word + t->words, word, count * sizeof *word);
    t->words += count;
    return true;
}

/* Records a query with its exact answer; false: no memory. */
static bool keep_query(tac_transcript *t, const tac_receipt *r, const uint64_t *answer,
                       size_t count)
{
    if (t->at == t->room) {
        const int32_t room = 2 * t->room + 32;
        if (tac_grow(t->ctx, &t->asked, (size_t)room, sizeof *t->asked) != TACIT_OK) return false;
        t->room = room;
    }
    tac_asked *q = &t->asked[t->at];
    *q = (tac_asked){.receipt = *r, .pure = t->pure, .exact_words = count};
    snprintf(q->what, sizeof q->what, "%s", r->what);
    return keep_words(t, answer, count, &q->exact_at);
}

/* Did the replay ask the same? Everything public about a query must agree, its price included. */
static bool same_query(const tac_asked *q, const tac_receipt *r, size_t count)
{
    const tac_receipt *was = &q->receipt;

    return q->exact_words == count && was->kind == r->kind &&
           was->distribution == r->distribution && was->scale == r->scale &&
           was->quanta == r->quanta && was->sensitivity == r->sensitivity &&
           was->answers == r->answers && was->batch == r->batch &&
           strncmp(q->what, r->what, sizeof q->what - 1) == 0;
}

/* Counts a query without a likelihood and lists its kind once. */
static void note_blind(tac_transcript *t, const char *kind)
{
    const size_t used = strlen(t->blind_kinds);

    t->blind++;
    if (strstr(t->blind_kinds, kind) == NULL)
        snprintf(t->blind_kinds + used, sizeof t->blind_kinds - used, "%s%s", used == 0 ? "" : ", ",
                 kind);
}

/* An exact answer. First run: recorded. Replay: compared with the first one's, for the query
   asked, the sensitivity and the likelihood ratio. */
static void on_exact(void *payload, const tac_receipt *r, const uint64_t *answer, size_t count)
{
    tac_transcript *t = payload;

    if (!t->replaying) {
        t->failed = t->failed || !keep_query(t, r, answer, count);
        return;
    }
    if (t->at >= t->count || !same_query(&t->asked[t->at], r, count)) {
        t->other_queries = true;
        return;
    }
    const tac_asked *q = &t->asked[t->at];
    if (!tac_asked_within(q, answer)) t->too_far = true;
    const double ratio = tac_asked_log_ratio(q, answer);
    if (isnan(ratio)) {
        note_blind(t, tac_kind_name(r->kind));
        return;
    }
    t->log_ratio += ratio;
    t->apart += tac_asked_apart(q, answer, ratio);
}

/* A noisy answer. First run: tested against its distribution and recorded; weakened before that
   if the audit is to be tested. Replay: overwritten with the first run's. */
static void on_noisy(void *payload, const tac_receipt *r, uint64_t *answer, size_t count)
{
    tac_transcript *t = payload;

    (void)r;
    if (t->replaying) {
        const tac_asked *q = t->at < t->count ? &t->asked[t->at] : NULL;
        if (q != NULL && q->noisy_words == count)
            memcpy(answer, q->noisy, count * sizeof *answer);
        else
            t->other_queries = true;
        t->at++;
        return;
    }
    if (t->failed) return;
    tac_asked *q = &t->asked[t->at];
    q->noisy_words = count;
    q->exact = t->word + q->exact_at;
    q->noisy = answer;
    if (t->noise_factor != 1)
        tac_asked_weaken(q, t->noise_factor, t->seed += UINT64_C(0x632be59bd9b4e019), answer);
    if (t->evidence != NULL && !tac_evidence_add(t->evidence, &t->before, t->at, q)) t->untested++;
    t->at++;
    t->failed = !keep_words(t, answer, count, &q->noisy_at);
}

/* The key of the noise: the replay gets that of the first run, so nothing but the rows differs. */
static void on_key(void *payload, tac_key *key)
{
    tac_transcript *t = payload;

    if (t->replaying) {
        *key = t->key;
        return;
    }
    t->key = *key;
    memcpy(&t->seed, key->bytes, sizeof t->seed);
}

static void on_seed(void *payload, tac_public_seed *seed)
{
    tac_transcript *t = payload;

    if (t->replaying)
        *seed = t->public_seed;
    else
        t->public_seed = *seed;
}

tac_door_probe tac_transcript_probe(tac_transcript *t)
{
    return (tac_door_probe){
        .key = on_key, .seed = on_seed, .exact = on_exact, .noisy = on_noisy, .payload = t};
}

/* all + max over batches of what was charged there (parallel composition). */
double tac_transcript_charged(const tac_transcript *t, bool as_gaussian)
{
    double all = 0, batch[MOST_BATCHES] = {0}, most_expensive = 0, price = 0;
    uint64_t quanta = 0; /* of the query before: most have the same price */

    for (int32_t i = 0; i < t->count; i++) {
        const tac_receipt *r = &t->asked[i].receipt;
        if (i == 0 || r->quanta != quanta) {
            price = ldexp((double)r->quanta, -TAC_QUANTUM_BITS);
            if (t->pure && as_gaussian) {
                const double mu = tac_gauss_mu_of_pure(price);
                price = mu * mu;
            }
        }
        quanta = r->quanta;
        *(r->batch < 0 || r->batch >= MOST_BATCHES ? &all : &batch[r->batch]) += price;
    }
    for (int i = 0; i < MOST_BATCHES; i++) most_expensive = fmax(most_expensive, batch[i]);
    return all + most_expensive;
}
