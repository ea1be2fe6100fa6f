/* SPDX-License-Identifier: Apache-2.0 */
/* Subspaces (and assignments) from a Gibbs sampler whose limit is an exponential mechanism. What
   is proved, and what is not: gibbs.proof.md */
#include "privacy/draws/gibbs.h"
#include "privacy/kinds.h"
#include "solve/subspace/solvers.h"

#include <math.h>
#include <string.h>

enum { RESTARTS = 20, TELL = 64 };

/* The paper's start: a plain solver on all rows. NOT private. */
static tacit_status start_plain(tac_door *door, const tac_gibbs *g, tac_chain *s,
                                tac_stream *stream)
{
    tacit_status status = TACIT_OK;
    const size_t rows = (size_t)s->rows, d = (size_t)s->dims;
    const tac_plain_subspaces opts = {
        .solver = g->solver, .k = s->k, .q = s->q, .restarts = RESTARTS, .seed = tac_word(stream)};
    double *points = NULL, cost;
    int32_t *label = NULL;

    TAC_TRY(tac_new(door->ctx, rows * d, sizeof *points, &points));
    TAC_TRY(tac_new(door->ctx, rows, sizeof *label, &label));
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < d; j++) points[i * d + j] = s->row[i * (size_t)s->wide + j] / TAC_M;
    TAC_TRY(
        tac_solve_subspaces(door->ctx, points, s->rows, s->dims, &opts, s->basis, &cost, label));
    /* of no consequence unless a solver leaves something to fix */
    for (int32_t l = 0; l < s->k; l++)
        if (!tac_orthonormal(0, s->q, s->dims, s->basis + (size_t)l * (size_t)s->q * d))
            tac_draw_frame(stream, 0, s->q, s->dims, s->basis + (size_t)l * (size_t)s->q * d);
done:
    tac_free(points);
    tac_free(label);
    return status;
}

/* mean: k x dims x dims += weight * U_l U_l^T */
static void add_projectors(const tac_chain *s, double weight, double *mean)
{
    const int32_t d = s->dims;

    for (int32_t l = 0; l < s->k; l++)
        for (int32_t r = 0; r < s->q; r++) {
            const double *u = s->basis + ((size_t)l * (size_t)s->q + (size_t)r) * (size_t)d;
            double *to = mean + (size_t)l * (size_t)d * (size_t)d;
            for (int32_t i = 0; i < d; i++)
                for (int32_t j = 0; j < d; j++) to[i * d + j] += weight * u[i] * u[j];
        }
}

/* One chain from its start through all rounds, from its own stream. halves: NULL, or two sets of
   k mean projectors, of the third and of the last quarter of the rounds. */
static tacit_status run_chain(tac_door *door, const tac_gibbs *g, uint64_t query, int32_t chain,
                              tac_chain *s, double *halves)
{
    tacit_status status = TACIT_OK;
    const size_t each = (size_t)s->q * (size_t)s->dims,
                 projectors = (size_t)s->k * (size_t)s->dims * (size_t)s->dims;
    const int32_t quarter = g->rounds / 4;
    tac_stream stream;

    status = tac_stream_open(door->ctx, door->key, query, (uint64_t)chain, &stream);
    if (status != TACIT_OK) return status;
    memset(s->label, 0, (size_t)s->groups * TAC_GIBBS_LANES * sizeof *s->label);
    if (g->start_with_solver) {
        TAC_TRY(start_plain(door, g, s, &stream));
    } else {
        for (int32_t l = 0; l < s->k; l++)
            tac_draw_frame(&stream, 0, s->q, s->dims, s->basis + (size_t)l * each);
    }
    tac_chain_collect(s);
    for (int32_t t = 0; t < g->rounds; t++) {
        TAC_TRY(tac_check_cancel(door->ctx));
        if (t % TELL == 0)
            tac_show_progress(door->ctx, "Gibbs iterations",
                              (chain + (double)t / g->rounds) / fmax(1, g->chains));
        tac_chain_labels(s, &stream);
        TAC_TRY(tac_chain_bases(door->ctx, s, &stream));
        if (halves != NULL && t >= 2 * quarter && quarter > 0 && t < 4 * quarter)
            add_projectors(s, 1.0 / quarter, halves + (t < 3 * quarter ? 0 : projectors));
    }
done:
    tac_stream_close(&stream);
    return status;
}

/* Distance of two sets of k mean projectors, matched greedily: labels have no order of their own.
   taken: k. */
static double matched(const double *a, const double *b, int32_t k, size_t square, bool *taken)
{
    double sum = 0;

    memset(taken, 0, (size_t)k * sizeof *taken);
    for (int32_t l = 0; l < k; l++) {
        double least = INFINITY;
        int32_t best = 0;
        for (int32_t m = 0; m < k; m++) {
            double gap = 0;
            for (size_t i = 0; i < square && !taken[m]; i++) {
                const double x = a[(size_t)l * square + i] - b[(size_t)m * square + i];
                gap += x * x;
            }
            if (taken[m] || gap >= least) continue;
            least = gap;
            best = m;
        }
        taken[best] = true;
        sum += least;
    }
    return sqrt(sum);
}

/* Mean distance between chains, and within chains between their two parts, in thousandths. mean:
   chains x 2 x k projectors. */
static tacit_status agreement(tac_door *door, const tac_gibbs *g, int32_t dims, const double *mean,
                              uint64_t *out)
{
    tacit_status status = TACIT_OK;
    const size_t square = (size_t)dims * (size_t)dims, set = (size_t)g->k * square;
    const int32_t chains = g->chains, pairs = chains * (chains - 1) / 2;
    double between = 0, within = 0;
    bool *taken = NULL;

    TAC_TRY(tac_new(door->ctx, (size_t)g->k, sizeof *taken, &taken));
    for (int32_t a = 0; a < chains; a++) {
        const double *here = mean + 2 * set * (size_t)a;
        within += matched(here, here + set, g->k, square, taken) / chains;
        for (int32_t b = a + 1; b < chains; b++)
            between +=
                matched(here + set, mean + 2 * set * (size_t)b + set, g->k, square, taken) / pairs;
    }
    out[0] = (uint64_t)llrint(1000 * between);
    out[1] = (uint64_t)llrint(1000 * within);
done:
    tac_free(taken);
    return status;
}

/* For tests that replay: what the chain's distribution depends on through one cell. */
static tacit_status show_exact(tac_door *door, const tac_receipt *receipt, const tac_query *q)
{
    tacit_status status = TACIT_OK;
    tac_words moments = {.count = tac_triangle(tac_dims_of(q))};

    if (door->probe.exact == NULL) return TACIT_OK;
    TAC_TRY(tac_new(door->ctx, moments.count, sizeof *moments.word, &moments.word));
    TAC_TRY(tac_plain_moments(door->ctx, door->engine, q, &door->shard[0], &moments));
    tac_door_show_exact(door, receipt, moments.word, moments.count);
done:
    tac_free(moments.word);
    return status;
}

/* rank < dims, and k dims^2 numbers must fit memory. */
tacit_status tac_gibbs_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    const tac_gibbs *g = &q->gibbs;

    if (q->cells.kind != TAC_ONE_CELL || q->values != q->cells.view || tac_dims_of(q) < 2 ||
        g->rank < 1 || g->rank >= tac_dims_of(q) || g->k < 1 || g->rounds < 1 || g->chains < 0)
        return tac_no_sense(ctx, "a Gibbs sampler");
    const tacit_status status =
        tac_words_fit(ctx, g->k, (size_t)tac_dims_of(q) * (size_t)tac_dims_of(q), words);
    *words = 0;
    return status;
}

/* What leaves: the bases, then the labels if they were asked for. After them, for the audit alone,
   the moments of the labels that the bases were last drawn from: the distribution of that draw is
   known. Then how well chains agree, which is no answer: with the test seed only. */
tacit_status tac_gibbs_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    const tac_gibbs *g = &q->gibbs;

    if (door->accountant->definition != TAC_PURE)
        return tac_fail(door->ctx, TACIT_E_ARGUMENT, "the Gibbs sampler needs delta 0");
    if (g->labels && (door->neighbors != TACIT_REPLACE || door->rows_per_unit != 1 ||
                      door->shard[0].owner != NULL))
        return tac_fail(door->ctx, TACIT_E_ARGUMENT,
                        "labels are released only under neighbors replace without a unit column: "
                        "otherwise their number and order reveal something about rows; leave "
                        "labels out");
    if (g->chains > 1 && !door->key->insecure)
        return tac_fail(door->ctx, TACIT_E_ARGUMENT,
                        "more than one chain shows how well they agree, which is not paid for: "
                        "only with the insecure test seed; use one chain");
    out->range = tac_range_squares(door->neighbors, door->rows_per_unit);
    out->answers = (int64_t)g->k * g->rank * tac_dims_of(q);
    if (g->labels) out->answers += tac_door_lattice(door, q->values)->rows; /* public here */
    out->shown = (size_t)out->answers + (size_t)g->k * tac_triangle(tac_dims_of(q));
    return TACIT_OK;
}

/* Chains one after the other in one memory. The first chain runs last, so its state is what is
   released. */
tacit_status tac_gibbs_run(tac_door *door, const tac_query *q, const tac_bound *bound,
                           const tac_receipt *receipt, const tac_words *exact, uint64_t *answer)
{
    tacit_status status = TACIT_OK;
    const tac_gibbs *g = &q->gibbs;
    const tac_privacy_params params = tac_door_params(door);
    const int32_t dims = tac_dims_of(q);
    const size_t numbers = (size_t)g->k * (size_t)g->rank * (size_t)dims,
                 set = (size_t)g->k * (size_t)dims * (size_t)dims;
    double *mean = NULL;
    int16_t *bases = NULL;
    tac_chain chain = {0};

    (void)exact;
    TAC_TRY(tac_new(door->ctx, numbers, sizeof *bases, &bases));
    if (g->chains > 1)
        TAC_TRY(tac_new(door->ctx, 2 * set * (size_t)g->chains, sizeof *mean, &mean));
    TAC_TRY(tac_chain_open(door->ctx, tac_door_lattice(door, q->values),
                           tac_bingham_exponent(&params, receipt->scale), g->k, g->rank, &chain));
    TAC_TRY(show_exact(door, receipt, q));
    /* the first comes last: its state is released */
    for (int32_t c = g->chains > 1 ? g->chains - 1 : 0; c >= 0; c--) {
        double *halves = mean == NULL ? NULL : mean + 2 * set * (size_t)c;
        TAC_TRY(run_chain(door, g, tac_door_subkey(door, receipt), c, &chain, halves));
    }
    if (g->chains > 1) TAC_TRY(agreement(door, g, dims, mean, answer + bound->shown));
    tac_door_round(chain.basis, numbers, bases);
    for (size_t i = 0; i < numbers; i++) answer[i] = (uint64_t)(int64_t)bases[i];
    for (int64_t i = 0; i < chain.rows && g->labels; i++)
        answer[numbers + (size_t)chain.from[i]] = (uint64_t)chain.label[i];
    tac_chain_collect(&chain);
    memcpy(answer + bound->answers, chain.word,
           (bound->shown - (size_t)bound->answers) * sizeof *answer);
done:
    tac_chain_close(&chain);
    tac_free(mean);
    tac_free(bases);
    return status;
}
