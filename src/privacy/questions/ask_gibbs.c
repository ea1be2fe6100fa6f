/* SPDX-License-Identifier: Apache-2.0 */
/* Subspaces (and assignments) from a Gibbs sampler whose limit is an exponential mechanism. Proof, and of what:
   gibbs.proof.md */
#include "data/cell_squares.h"
#include "privacy/door_internal.h"
#include "privacy/draws/gibbs.h"
#include "solve/subspace/solvers.h"

#include <math.h>
#include <string.h>

enum { RESTARTS = 20, TELL = 64 };

/* The paper's start: a plain solver on all rows. NOT private. */
static tacit_status start_plain(tac_door *door, const tac_gibbs *g, tac_chain *s, tac_stream *stream)
{
    tacit_status status = TACIT_OK;
    const size_t rows = (size_t)s->rows, d = (size_t)s->dims;
    const tac_plain_subspaces opts = {.solver = g->solver, .k = s->k, .q = s->q, .restarts = RESTARTS,
                                      .seed = tac_word(stream)};
    double *points = NULL, cost;
    int32_t *label = NULL;

    TAC_TRY(tac_new(door->ctx, rows * d, sizeof *points, &points));
    TAC_TRY(tac_new(door->ctx, rows, sizeof *label, &label));
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < d; j++) points[i * d + j] = s->row[i * (size_t)s->wide + j] / TAC_M;
    TAC_TRY(tac_solve_subspaces(door->ctx, points, s->rows, s->dims, &opts, s->basis, &cost, label));
    for (int32_t l = 0; l < s->k; l++) /* of no consequence unless a solver leaves something to mend */
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

/* halves: NULL, or two sets of k mean projectors, of the third and of the last quarter. */
static tacit_status run_chain(tac_door *door, const tac_gibbs *g, uint64_t query, int32_t chain, tac_chain *s,
                              double *halves)
{
    tacit_status status = TACIT_OK;
    const size_t each = (size_t)s->q * (size_t)s->dims, projectors = (size_t)s->k * (size_t)s->dims * (size_t)s->dims;
    const int32_t quarter = g->rounds / 4;
    tac_stream stream;

    status = tac_stream_open(door->ctx, door->key, query, (uint64_t)chain, &stream);
    if (status != TACIT_OK) return status;
    memset(s->label, 0, (size_t)s->groups * TAC_GIBBS_LANES * sizeof *s->label);
    if (g->start_with_solver) {
        TAC_TRY(start_plain(door, g, s, &stream));
    } else {
        for (int32_t l = 0; l < s->k; l++) tac_draw_frame(&stream, 0, s->q, s->dims, s->basis + (size_t)l * each);
    }
    tac_chain_collect(s);
    for (int32_t t = 0; t < g->rounds; t++) {
        TAC_TRY(tac_check_cancel(door->ctx));
        if (t % TELL == 0) tac_show_progress(door->ctx, "Gibbs iterations", (chain + (double)t / g->rounds) / fmax(1, g->chains));
        tac_chain_labels(s, &stream);
        TAC_TRY(tac_chain_bases(door->ctx, s, &stream));
        if (halves != NULL && t >= 2 * quarter && quarter > 0 && t < 4 * quarter)
            add_projectors(s, 1.0 / quarter, halves + (t < 3 * quarter ? 0 : projectors));
    }
done:
    tac_stream_close(&stream);
    return status;
}

/* Distance of two sets of k mean projectors, matched greedily: labels have no order of their own. taken: k. */
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

/* Mean distance between chains, and within chains between their two parts, in thousandths. mean: chains x 2 x k projectors. */
static tacit_status agreement(tac_door *door, const tac_gibbs *g, int32_t dims, const double *mean, tac_gibbs_draw *out)
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
            between += matched(here + set, mean + 2 * set * (size_t)b + set, g->k, square, taken) / pairs;
    }
    out->between = llrint(1000 * between);
    out->within = llrint(1000 * within);
done:
    tac_free(taken);
    return status;
}

static void add_moments(const void *state, const tac_tile *tile, uint64_t *words)
{
    (void)state;
    tac_cell_squares(tile->rows, tile->n, tile->stride, tile->dims, tile->cell, 1, tile->scratch, words);
}

/* For tests that replay: what the chain's law depends on through one cell, and its state as words. */
static tacit_status show_exact(tac_door *door, const tac_receipt *receipt, tac_view values)
{
    tacit_status status = TACIT_OK;
    const tac_cells all = {.kind = TAC_ONE_CELL, .count = 1, .view = values};
    const int32_t dims = door->lattice[values]->dims;
    const size_t words = (size_t)dims * ((size_t)dims + 1) / 2;
    uint64_t *word = NULL;

    if (door->probe.exact == NULL) return TACIT_OK;
    TAC_TRY(tac_new(door->ctx, words, sizeof *word, &word));
    TAC_TRY(tac_door_over_cells(door, &all, values, words, add_moments, NULL,
                                tac_cell_squares_scratch(tac_tile_rows(door->lattice[values]->stride), dims), word));
    door->probe.exact(door->probe.payload, receipt, word, words);
done:
    tac_free(word);
    return status;
}

/* What leaves, as words: the bases, then the labels if they were asked for. After them, for the audit alone, the moments of the labels
   that the bases were last drawn from: the law of that draw is known. */
static tacit_status show_noisy(tac_door *door, const tac_receipt *receipt, tac_chain *chain, size_t numbers, tac_gibbs_draw *out)
{
    tacit_status status = TACIT_OK;
    const size_t words = (size_t)chain->k * (size_t)chain->dims * (size_t)(chain->dims + 1) / 2, labels = (size_t)out->rows;
    uint64_t *word = NULL;

    if (door->probe.noisy == NULL) return TACIT_OK;
    TAC_TRY(tac_new(door->ctx, numbers + labels + words, sizeof *word, &word));
    tac_chain_collect(chain);
    for (size_t i = 0; i < numbers; i++) word[i] = (uint64_t)(int64_t)out->bases[i];
    for (size_t i = 0; i < labels; i++) word[numbers + i] = (uint64_t)out->label[i];
    memcpy(word + numbers + labels, chain->word, words * sizeof *word);
    door->probe.noisy(door->probe.payload, receipt, word, numbers + labels + words);
    for (size_t i = 0; i < numbers; i++) out->bases[i] = (int16_t)(int64_t)word[i];
    for (size_t i = 0; i < labels; i++) out->label[i] = (int32_t)word[numbers + i];
done:
    tac_free(word);
    return status;
}

static tacit_status check(const tac_door *door, const tac_gibbs *g)
{
    const tac_lattice *rows = (unsigned)g->values < TAC_VIEWS ? door->lattice[g->values] : NULL;

    if (rows == NULL || rows->dims < 2 || rows->start != NULL || g->rank < 1 || g->rank >= rows->dims || g->k < 1 ||
        g->rounds < 1 ||
        g->chains < 0)
        return tac_fail(door->ctx, TACIT_E_INTERNAL, "a Gibbs sampler was asked for that makes no sense");
    if (door->accountant->notion != TAC_PURE)
        return tac_fail(door->ctx, TACIT_E_ARGUMENT, "the Gibbs sampler needs delta 0");
    if (g->labels && (door->neighbours != TACIT_REPLACE || door->rows_per_unit != 1 || door->owner != NULL))
        return tac_fail(door->ctx, TACIT_E_ARGUMENT, "labels are released only under neighbours replace without a unit "
                        "column: otherwise their number and order tell about rows; leave labels out");
    if (g->chains > 1 && !door->key->insecure)
        return tac_fail(door->ctx, TACIT_E_ARGUMENT, "more than one chain tells how well they agree, which is not paid "
                        "for: only with the insecure test seed; use one chain");
    return TACIT_OK;
}

tacit_status tac_door_gibbs(tac_door *door, const char *what, uint64_t units, const tac_gibbs *g, tac_gibbs_draw *out)
{
    tacit_status status = TACIT_OK;
    const tac_terms terms = tac_door_terms(door);
    tac_receipt asked = {.kind = "gibbs", .what = what, .batch = -1};
    const tac_receipt *receipt;
    double *mean = NULL;
    tac_chain chain = {0};

    TAC_TRY(check(door, g));
    const int32_t dims = door->lattice[g->values]->dims;
    const size_t numbers = (size_t)g->k * (size_t)g->rank * (size_t)dims, set = (size_t)g->k * (size_t)dims * (size_t)dims;
    asked.scale = tac_selection_epsilon(TAC_PURE, units, &asked.units);
    if (asked.scale == 0)
        return tac_fail(door->ctx, TACIT_E_ARGUMENT, "epsilon is too small to draw subspaces; raise epsilon");
    asked.sensitivity = tac_range_squares(door->neighbours, door->rows_per_unit);
    asked.answers = (int64_t)numbers;
    if (g->labels) asked.answers += door->lattice[g->values]->rows; /* public here */
    if (g->chains > 1) TAC_TRY(tac_new(door->ctx, 2 * set * (size_t)g->chains, sizeof *mean, &mean));
    TAC_TRY(tac_door_pay_exactly(door, &asked, &receipt));
    TAC_TRY(tac_chain_open(door->ctx, door->lattice[g->values], tac_bingham_exponent(&terms, asked.scale), g->k, g->rank,
                           &chain));
    TAC_TRY(show_exact(door, receipt, g->values));
    for (int32_t c = g->chains > 1 ? g->chains - 1 : 0; c >= 0; c--) { /* the first comes last: its state is released */
        double *halves = mean == NULL ? NULL : mean + 2 * set * (size_t)c;
        TAC_TRY(run_chain(door, g, (uint64_t)(receipt - door->receipt), c, &chain, halves));
    }
    if (g->chains > 1) TAC_TRY(agreement(door, g, dims, mean, out));
    tac_door_round(chain.basis, numbers, out->bases);
    out->rows = 0;
    if (g->labels) {
        TAC_TRY(tac_new(door->ctx, (size_t)chain.rows, sizeof *out->label, &out->label));
        for (int64_t i = 0; i < chain.rows; i++) out->label[chain.from[i]] = chain.label[i];
        out->rows = chain.rows;
    }
    TAC_TRY(show_noisy(door, receipt, &chain, numbers, out));
done:
    tac_chain_close(&chain);
    tac_free(mean);
    return status;
}
