/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_audit_run: an audit from its options to its verdict. A pilot picks the pair of neighbors
   that is easiest to tell apart, fresh runs attack it, and the report states what they prove. A
   run goes from rows through the door to an algorithm and its release; the audit makes the rows,
   listens at the door through its probe, and compares the releases. */
#include "audit/audit.h"

#include "privacy/accounting/curve.h"
#include "solve/linalg/blas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* The pilot makes runs / PILOT_SHARE pairs of each design, between PILOT_LEAST and PILOT_MOST.
   BLIND_MOST: runs of a method whose likelihoods are not evaluated; replays and bets on the
   noise need no more. */
enum { PILOT_LEAST = 2, PILOT_MOST = 40, PILOT_SHARE = 50, BLIND_MOST = 200 };

/* Seconds of a clock that never goes back; for the report only. */
static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The family and the method that the options name. Refused if there is none, or if the method
   does not serve such a delta or such neighbors. Fills attack->family and *target. */
static tacit_status find(tacit_ctx *ctx, tac_attack *attack, tacit_audit_target *target)
{
    const tacit_audit_opts *o = &attack->opts;

    if (o->family == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "no family of methods was named; for example kmeans");
    for (int32_t f = 0; tac_audit_family_at(f) != NULL; f++)
        if (strcmp(tac_audit_family_at(f)->name, o->family) == 0)
            attack->family = tac_audit_family_at(f);
    if (attack->family == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the family of methods is not one that tacit_audit_target_get lists");
    if (!attack->family->describe(o->method, target))
        return tac_fail(ctx, TACIT_E_ARGUMENT, "family %s has no such method", o->family);
    if (o->delta > 0 ? !target->approximate : !target->pure)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "method %s needs delta %s", target->name,
                        o->delta > 0 ? "0" : "above 0, for example 1e-6");
    if (o->neighbors == TACIT_ENTRY ? !target->entry : !target->rows)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "method %s protects %s only; take other neighbors",
                        target->name, target->rows ? "whole rows" : "single entries");
    return TACIT_OK;
}

/* A few pairs of each design; *rows becomes the design whose likelihoods are furthest apart, by
   the sum of tac_asked_apart over its pairs. Choosing by other runs than those that are
   certified costs no confidence. The pairs enter the tally all the same: a broken rule is a
   violation wherever it is seen. */
static tacit_status pilot(tacit_ctx *ctx, const tac_attack *attack, const tac_sample sample[2],
                          tac_neighbors *rows, tac_tally *tally)
{
    tacit_status status = TACIT_OK;
    const int64_t share = attack->opts.runs / PILOT_SHARE;
    const int64_t n = share < PILOT_LEAST ? PILOT_LEAST : share > PILOT_MOST ? PILOT_MOST : share;
    const uint64_t seed = attack->opts.seed;
    const bool counts = attack->family->counts;
    double most = -INFINITY;
    int best = 0;

    for (int design = 0; tac_neighbors_make(counts, attack->opts.neighbors, design, seed, rows);
         design++) {
        const double before = tally->apart;
        TAC_TRY(tac_attack_pairs(ctx, attack, rows, n, sample, tally));
        if (tally->apart - before > most) most = tally->apart - before, best = design;
    }
    tac_neighbors_make(counts, attack->opts.neighbors, best, seed, rows);
done:
    return status;
}

/* The charge of a run may depend on its noisy answers. So the tested claim is that of a method
   which stops before it is charged more than any run of the first half was. That method is
   mu-GDP whatever the answers. A run of the second half that would have stopped is evidence of
   nothing: its log ratio becomes -infinity. Returns mu^2. */
static double limit_charges(const tac_sample sample[2], int64_t n)
{
    double most = 0;

    for (int side = 0; side < 2; side++)
        for (int64_t i = 0; i < n / 2; i++) most = fmax(most, sample[side].charged[i]);
    for (int side = 0; side < 2; side++)
        for (int64_t i = n / 2; i < n; i++)
            if (sample[side].charged[i] > most * (1 + 1e-12)) sample[side].log_ratio[i] = -INFINITY;
    return most;
}

/* The probability of a false alarm, 1 - confidence, is split: a tenth for the distribution of
   the noise, the rest for likelihood ratios (union bound). */
#define SHARE 0.1

/* The verdict when the noise itself is wrong: it repeats, draws are too sharp, or it is too
   small. least: log of the payoff that a fair bet must reach to count. */
static void judge_noise(const tacit_audit_opts *o, const tac_suspicion *s, double least,
                        tacit_audit_report *r)
{
    char *text = r->verdict, about[40] = "";
    const size_t size = sizeof r->verdict;

    if (s->kind != NULL) snprintf(about, sizeof about, " of a query (%s)", s->kind);
    if (s->log_smaller < least)
        snprintf(text, size,
                 "VIOLATION: noise repeats that of another number, query or run; a fair bet on "
                 "that paid 1e%.0f to 1 (confidence %.6g)",
                 r->evidence, o->confidence);
    else if (isnan(s->size))
        snprintf(text, size,
                 "VIOLATION: answers%s are drawn more sharply than the receipts say; a fair bet on "
                 "that paid 1e%.0f to 1 (confidence %.6g)",
                 about, r->evidence, o->confidence);
    else
        snprintf(text, size,
                 "VIOLATION: the noise%s is smaller than the receipts say: %.2f times as large "
                 "over all answers; a fair bet on that paid 1e%.0f to 1 (confidence %.6g)",
                 about, s->size, r->evidence, o->confidence);
}

/* The verdict: the first check that fails. Queries, sensitivities, releases and prices come
   first: they are exact, and one pair suffices. Measured bounds and bets on the noise follow;
   all of them together raise a false alarm with probability at most 1 - confidence. */
static void judge(const tacit_audit_opts *o, const tac_suspicion *s, tacit_audit_report *r)
{
    const double least = -log(SHARE * (1 - o->confidence));
    char *text = r->verdict;
    const size_t size = sizeof r->verdict;

    r->violation = 1;
    if (r->other_queries > 0)
        snprintf(text, size,
                 "VIOLATION: in %lld of %lld pairs of neighbors the queries depended on the rows",
                 (long long)r->other_queries, (long long)r->pairs);
    else if (r->too_far > 0)
        snprintf(text, size,
                 "VIOLATION: in %lld of %lld pairs of neighbors an exact answer moved by more than "
                 "the declared sensitivity",
                 (long long)r->too_far, (long long)r->pairs);
    else if (r->other_release > 0)
        snprintf(text, size,
                 "VIOLATION: in %lld of %lld pairs of neighbors the release did not follow from "
                 "the noisy answers",
                 (long long)r->other_release, (long long)r->pairs);
    else if (r->underpaid > 0)
        snprintf(text, size,
                 "VIOLATION: in %lld of %lld runs the queries were worth more than they were "
                 "charged for, or than was claimed",
                 (long long)r->underpaid, (long long)r->pairs);
    else if (r->measured > o->epsilon)
        snprintf(text, size,
                 "VIOLATION: measured lower bound %.4g above the claimed epsilon %.5g with "
                 "confidence %.6g",
                 r->measured, o->epsilon, o->confidence);
    else if (r->mu_measured > r->mu * (1 + 1e-6))
        snprintf(text, size,
                 "VIOLATION: measured lower bound mu = %.4g above mu = %.4g that the queries were "
                 "charged for, with confidence %.6g",
                 r->mu_measured, r->mu, o->confidence);
    else if (s->log_all >= least)
        judge_noise(o, s, least, r);
    else {
        r->violation = 0;
        snprintf(text, size, "no violation found");
    }
}

/* Everything the report states, from the tally of all pairs. proved, mu_squared: 0 if the audit
   is blind. With delta > 0 a measured mu also bounds epsilon, by the Gaussian curve. */
static void report(const tacit_audit_opts *o, const tac_tally *tally, const tac_neighbors *rows,
                   const tac_proved *proved, double mu_squared, tacit_audit_report *r)
{
    const tac_suspicion noise = tac_evidence_sum(&tally->evidence);

    r->epsilon = o->epsilon;
    r->delta = o->delta;
    r->confidence = o->confidence;
    r->runs = tally->blind == tally->queries && o->runs > BLIND_MOST ? BLIND_MOST : o->runs;
    r->pairs = tally->pairs;
    r->queries = tally->queries;
    r->blind = tally->blind;
    memcpy(r->blind_kinds, tally->blind_kinds, sizeof r->blind_kinds);
    r->other_queries = tally->other_queries;
    r->too_far = tally->too_far;
    r->other_release = tally->other_release;
    r->underpaid = tally->underpaid;
    r->untested = tally->untested;
    r->noise = noise.size;
    r->evidence = noise.log_all / M_LN10;
    r->mu = sqrt(mu_squared);
    r->mu_measured = fmax(0, proved->mu);
    r->measured = fmax(0, proved->epsilon);
    /* the account is a Gaussian curve; tac_gauss_epsilon rounds up, by less than is taken off */
    if (o->delta > 0)
        r->measured = fmax(r->measured, tac_gauss_epsilon(r->mu_measured, o->delta) * (1 - 2e-9));
    if (tally->blind == tally->queries)
        snprintf(r->attack, sizeof r->attack,
                 "replays and the distribution of its noise: likelihoods are not evaluated");
    else
        snprintf(r->attack, sizeof r->attack, "likelihood ratio of all answers; %s", rows->what);
    judge(o, &noise, r);
}

/* Options, target, pilot, main runs, proof, report. Likelihood ratios of the main runs alone
   enter the proof: thresholds are chosen on their first half and certified on the second. */
tacit_status tacit_audit_run(tacit_ctx *ctx, const tacit_audit_opts *opts, tacit_audit_report *out)
{
    tacit_status status = TACIT_OK;
    tac_attack attack = {0};
    tacit_audit_target target;
    tacit_audit_report known = {.size = sizeof known};
    tac_neighbors *rows = NULL;
    tac_tally tally = {0};
    tac_sample sample[2] = {0};
    double mu_squared = 0, threshold;
    const double started = now();

    TAC_TRY(tac_audit_read_opts(ctx, opts, &attack.opts));
    TAC_TRY(find(ctx, &attack, &target));
    TAC_TRY(tac_new(ctx, 1, sizeof *rows, &rows));
    const int64_t n = attack.opts.runs, room = n > PILOT_MOST ? n : PILOT_MOST;
    /* every pair writes its own; clearing a hundred million takes seconds */
    for (int side = 0; side < 2; side++) {
        TAC_TRY(tac_scratch(ctx, (size_t)room, sizeof(double), &sample[side].log_ratio));
        TAC_TRY(tac_scratch(ctx, (size_t)room, sizeof(double), &sample[side].charged));
    }
    const int before = tac_blas_one_thread(); /* workers are busy enough */
    status = pilot(ctx, &attack, sample, rows, &tally);
    /* Blind: no likelihood is evaluated. Replays and bets on the noise remain, and these runs
       suffice for both. */
    const bool blind = tally.blind == tally.queries;
    const int64_t main_runs = blind && n > BLIND_MOST ? BLIND_MOST : n;
    if (status == TACIT_OK)
        status = tac_attack_pairs(ctx, &attack, rows, main_runs, sample, &tally);
    tac_blas_restore(before);
    if (status != TACIT_OK) goto done;
    tac_proved proved = {0};
    if (!blind) {
        mu_squared = limit_charges(sample, n);
        proved = tac_prove_by_threshold((double *[]){sample[0].log_ratio, sample[1].log_ratio}, n,
                                        (1 - SHARE) * (1 - attack.opts.confidence),
                                        attack.opts.delta, &threshold);
    }
    report(&attack.opts, &tally, rows, &proved, mu_squared, &known);
    known.seconds = now() - started;
    TAC_TRY(tac_audit_reported(ctx, &known, out));
done:
    for (int side = 0; side < 2; side++) {
        tac_free(sample[side].log_ratio);
        tac_free(sample[side].charged);
    }
    tac_free(rows);
    return status;
}
