/* SPDX-License-Identifier: Apache-2.0 */
/* Neighboring data, replayed: run a method on D with a probe that writes down every exact and noisy
   answer; run it on a neighbor D' and hand it D's noisy answers. Then everything a caller can see
   must be the same, query by query and in the release, the exact answers may differ by no more than
   the declared sensitivity, and the card tells what was spent. Deterministic: no false alarms. A
   test says what its family has (replay_family) and calls replay_family_run. */
#ifndef TAC_TEST_REPLAY_H
#define TAC_TEST_REPLAY_H

#ifdef TRANSCRIPT /* the same families, rebuilt instead (test_transcript*.c) */
#include "transcript.h"
#else

#include <time.h>

#include "replay_transcript.h"

/* Pairs of a method that asked something, all its variants together, and the processor time after
   which it may make do with fewer. TACIT_TEST_MULT multiplies both; below 1 (sanitizers, where a
   run takes ten times as long) there is less time a pair. */
enum { PAIRS = 10000, SECONDS = 20, HASTY_SECONDS = 2, LEAST = 12, HASTY_LEAST = 2 };
enum {
    MOST_VARIANTS = 32,
    AT_ONCE = 16,
    NO_ANSWERS = 96 /* pairs after which a variant that never asks is given up */
};

/* ---- one pair ---- */

typedef struct outcome {
    tacit_status status;
    char *release; /* NULL: refused, and why */
    char message[1024];
    /* the card tells the queries and what they cost, and that is within the budget */
    bool card;
} outcome;

/* Does the card tell all queries that were asked and what they cost, and is that within the
   budget? */
static bool card_is_right(const tac_card *card, const transcript *t)
{
    /* one query that takes the whole account */
    const bool alone = strcmp(card->accountant, "alone") == 0;
    int64_t answers = 0, told = 0;

    for (int i = 0; i < t->at; i++) answers += t->query[i].receipt.answers;
    for (int32_t i = 0; i < card->queries; i++) told += card->query[i].answers;
    return (alone ? card->native_spent == 1 &&
                        quanta_of(t) == tac_budget_quanta(TAC_GDP, card->epsilon, card->delta)
                  : card->native_spent == ldexp((double)quanta_of(t), -TAC_QUANTUM_BITS)) &&
           told >= answers && card->native_spent <= card->native_budget && card->queries > 0;
}

static void run_side(const replay_family *f, int which, int variant, const world *w, int side,
                     transcript *t, outcome *out)
{
    const tac_door_probe probe = {.exact = on_exact, .noisy = on_noisy, .payload = t};
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    tacit_budget budget;

    open_side(w, side, &data, &budget);
    parts_begin(side);
    out->release = NULL;
    out->status = f->run(w, which, variant, data, &budget, &probe, &model);
    if (out->status == TACIT_OK) {
        MUST(tacit_model_json(ctx, model, &out->release) == TACIT_OK);
        out->card = card_is_right(&model->card, t);
    } else {
        snprintf(out->message, sizeof out->message, "%s", tacit_ctx_message(ctx));
    }
    tacit_model_free(model);
    tacit_data_free(data);
}

typedef struct tally {
    long pairs, asked, refused, queries, other_queries, distance, release, card;
    long first_bad; /* number of the first pair that failed; -1: none */
    clock_t used;
} tally;

static void replay(const replay_family *f, int which, int variant, const world *w, tally *sum)
{
    static transcript t;
    outcome first, second;

    t.world = w;
    run_side(f, which, variant, w, 0, &t, &first);
    t.replaying = t.same_queries = t.within = true;
    t.count = t.at;
    t.at = 0;
    run_side(f, which, variant, w, 1, &t, &second);
    const bool other_queries = t.same_queries && t.count == t.at;
    const bool release = first.status == second.status &&
                         (first.release == NULL ? strcmp(first.message, second.message) == 0
                                                : strcmp(first.release, second.release) == 0);
    const bool card =
        first.release == NULL || (first.card && second.release != NULL && second.card);
    if (!(other_queries && t.within && release && card) && sum->first_bad < 0)
        sum->first_bad = sum->pairs;
    sum->pairs++;
    sum->asked += t.count > 0;
    sum->refused += first.release == NULL;
    sum->queries += t.count;
    sum->other_queries += !other_queries;
    sum->distance += !t.within;
    sum->release += !release;
    sum->card += !card;
    tacit_free(first.release);
    tacit_free(second.release);
    forget(&t);
}

/* ---- all pairs of a family ---- */

static double a_second(long pairs, clock_t used)
{
    return (double)pairs * CLOCKS_PER_SEC / (double)(used + (used == 0));
}

static void report(const char *method, const char *words, const tally *sum)
{
    CHECK(sum->other_queries == 0,
          "%s%s: %ld pairs, %.0f a second, %ld queries: the same queries at the same price (%ld "
          "differ)",
          method, words, sum->pairs, a_second(sum->pairs, sum->used), sum->queries,
          sum->other_queries);
    CHECK(sum->distance == 0, "... exact answers within the declared sensitivity (%ld beyond)",
          sum->distance);
    CHECK(sum->release == 0,
          "... given the same noisy answers, the same release byte for byte (%ld differ)",
          sum->release);
    CHECK(sum->card == 0, "... the card tells what was spent, within the budget (%ld do not)",
          sum->card);
    /* What is refused whatever the rows and before a query is asked tells nothing; all of them: not
       served (yet). */
    const bool never = sum->queries == 0 && sum->refused == sum->pairs;
    /* The number of pairs depends on the time there is. Half the budgets refused is the limit;
       three standard deviations above it are chance (at most 1 false alarm in 700), so that all of
       12 pairs refused still fails. */
    const long beyond = 2 * sum->refused - sum->pairs;
    CHECK(never || beyond < 0 || beyond * beyond <= 9 * sum->pairs, "... and %s (%ld refused)%s",
          never ? "it is not served" : "most budgets buy an answer", sum->refused,
          never ? " # SKIP" : "");
    if (sum->first_bad >= 0) printf("# first in pair %ld\n", sum->first_bad);
}

/* A few pairs of every variant in turn, until the method has its pairs or every variant has used up
   its share of the time. */
static void replay_method(const replay_family *f, int which)
{
    static world w;
    tally sum[MOST_VARIANTS] = {0};
    char words[MOST_VARIANTS][96];
    bool open[MOST_VARIANTS] = {0};
    const long hundredths = tap_times(100), pairs = tap_times(PAIRS),
               least = hundredths < 100 ? HASTY_LEAST : LEAST;
    int served = 0, left;
    long done = 0;
    clock_t used = 0;

    for (int v = 0; v < f->variants; v++) {
        sum[v].first_bad = -1;
        served += open[v] = f->serves(which, v, words[v], sizeof words[v]);
    }
    const double share = (double)hundredths / 100 * (hundredths < 100 ? HASTY_SECONDS : SECONDS) /
                         (served + !served) * CLOCKS_PER_SEC;
    do {
        left = 0;
        for (int v = 0; v < f->variants; v++) {
            tally *s = &sum[v];
            const clock_t begun = clock();
            for (int i = 0; i < AT_ONCE && open[v]; i++) {
                start_pair((uint64_t)(which * MOST_VARIANTS + v), (uint64_t)s->pairs);
                f->make(which, v, &w);
                w.options = options_of((uint64_t)s->pairs);
                done -= s->asked;
                replay(f, which, v, &w, s);
                done += s->asked;
                open[v] = s->pairs < least ||
                          (done < pairs && (double)(s->used + (clock() - begun)) < share &&
                           !(s->asked == 0 && s->pairs >= NO_ANSWERS));
            }
            s->used += clock() - begun;
            left += open[v];
        }
    } while (left > 0);
    for (int v = 0; v < f->variants; v++) {
        if (sum[v].pairs == 0) continue;
        report(f->method(which), words[v], &sum[v]);
        used += sum[v].used;
    }
    printf("# %s: %ld pairs that asked something, %.2f of 1,000 a second%s\n", f->method(which),
           done, a_second(done, used) / 1000, done < pairs ? "; no time for more" : "");
}

/* Arguments: the methods to replay; none: all of them. */
__attribute__((unused)) static int replay_family_run(const replay_family *f, int least_methods,
                                                     int argc, char **argv)
{
    int methods = 0;

    MUST(f->variants <= MOST_VARIANTS && tacit_ctx_new(&ctx) == TACIT_OK);
    for (int which = 0; which < 64; which++) {
        bool wanted = argc <= 1;
        if (f->method(which) == NULL) continue;
        for (int i = 1; i < argc; i++) wanted = wanted || strcmp(argv[i], f->method(which)) == 0;
        if (wanted) replay_method(f, which);
        methods++;
    }
    CHECK(methods >= least_methods, "%d methods", methods);
    tacit_ctx_free(ctx);
    return tap_done();
}

#endif
#endif
