/* SPDX-License-Identifier: Apache-2.0 */
/* From centres of the projected rows to centres of the rows: noisy means (Algorithm 4), then Lloyd rounds of the same kind.

   The first round's cells are those of the centres in the shadow, and its sums are of the rows themselves; later rounds
   have cells of their own centres. A centre that noise alone would explain does not move (James-Stein, as in lloyd.c). */
#include "cluster/kmeans/balcan.h"
#include "cluster/kmeans/lloyd.h"

#include <math.h>
#include <string.h>

#define LIVE 2.0
#define GROWTH 1.3 /* each round gets so many times the units of the one before */

typedef struct recovery {
    tac_balcan *b;
    int32_t k, columns;
    double *centers, *mean, *sums, *count;
    double sd, count_sd;
    int64_t *answer;
    int16_t *rounded;
} recovery;

static uint64_t round_units(uint64_t units, int32_t rounds, int32_t t)
{
    const double last = (GROWTH - 1) / GROWTH / (1 - pow(GROWTH, -rounds));
    return tac_share(units, last * pow(GROWTH, t - rounds + 1));
}

static tacit_status ask(recovery *r, const tac_cells *cells, uint64_t units, const char *what)
{
    tacit_status status = TACIT_OK;
    const size_t numbers = (size_t)r->k * (size_t)r->columns;
    const double weight = r->b->plan.count_weight;

    TAC_TRY(tac_door_sums(r->b->job->door, what, units, cells, TAC_ROWS, r->b->plan.count_weight, r->answer, r->answer + numbers));
    r->sd = tac_last_sd(r->b->job->door);
    r->count_sd = r->sd / weight;
    for (size_t i = 0; i < numbers; i++) r->sums[i] = (double)r->answer[i];
    for (int32_t c = 0; c < r->k; c++) r->count[c] = (double)r->answer[numbers + (size_t)c] / weight;
done:
    return status;
}

/* The mean of all rows, shrunk to the middle of the domain: where a centre goes of which nothing can be read. */
static void pool(recovery *r)
{
    const size_t columns = (size_t)r->columns;
    double squares = 0;

    for (size_t j = 0; j < columns; j++) {
        r->mean[j] = 0;
        for (int32_t c = 0; c < r->k; c++) r->mean[j] += r->sums[(size_t)c * columns + j];
        squares += r->mean[j] * r->mean[j];
    }
    const double noise = r->k * (double)columns * r->sd * r->sd, kept = squares > noise ? 1 - noise / squares : 0;
    for (size_t j = 0; j < columns; j++) r->mean[j] *= kept / r->b->rows;
    tac_into_domain(r->b->job->frame, r->mean);
}

/* c <- P + g (S - N P) / N, g = max(0, 1 - E|noise|^2 / |S - N P|^2) */
static void move(recovery *r, int32_t c, const double *from)
{
    const size_t columns = (size_t)r->columns;
    const double *sum = r->sums + (size_t)c * columns, n = r->count[c];
    double *center = r->centers + (size_t)c * columns, squares = 0, length = 0;

    for (size_t j = 0; j < columns; j++) {
        squares += pow(sum[j] - n * from[j], 2);
        length += from[j] * from[j];
    }
    const double noise = r->sd * r->sd * (double)columns + r->count_sd * r->count_sd * length;
    const double kept = squares > noise ? 1 - noise / squares : 0;
    for (size_t j = 0; j < columns; j++) center[j] = from[j] + kept * (sum[j] - n * from[j]) / fmax(n, 1);
    tac_into_domain(r->b->job->frame, center);
}

static tacit_status run_rounds(recovery *r, uint64_t units)
{
    tacit_status status = TACIT_OK;
    const tac_balcan *b = r->b;
    const size_t columns = (size_t)r->columns, numbers = (size_t)r->k * columns;

    for (int32_t t = 0; t < b->plan.rounds; t++) {
        tac_cells cells = {.kind = TAC_NEAREST, .view = TAC_ROWS, .count = r->k, .centers = r->rounded};
        tac_show_progress(b->job->ctx, "noisy means", (double)t / b->plan.rounds);
        tac_round_points(r->centers, numbers, r->rounded);
        if (t == 0 && r->k == 1) cells = (tac_cells){.kind = TAC_ONE_CELL, .view = TAC_ROWS, .count = 1};
        else if (t == 0) cells = (tac_cells){.kind = TAC_NEAREST, .view = TAC_SHADOW, .count = r->k, .centers = b->centers};
        TAC_TRY(ask(r, &cells, round_units(units, b->plan.rounds, t), t == 0 ? "recovery of centres" : "Lloyd round"));
        if (t == 0) pool(r);
        for (int32_t c = 0; c < r->k; c++) {
            double *center = r->centers + (size_t)c * columns;
            if (r->count[c] > LIVE * r->count_sd) move(r, c, t == 0 ? r->mean : center);
            else if (t == 0) memcpy(center, r->mean, columns * sizeof *center);
        }
    }
done:
    return status;
}

static void write_result(const recovery *r, tac_kmeans_result *out)
{
    const size_t columns = (size_t)r->columns;

    for (int32_t i = 0; i < out->k; i++) {
        const size_t c = (size_t)(i % r->k);
        const double n = fmax(r->count[c], fmax(LIVE * r->count_sd, 1));
        out->sizes[i] = i < r->k ? r->count[c] : 0; /* a repeated centre serves no rows of its own */
        for (size_t j = 0; j < columns; j++) {
            const double at = r->centers[c * columns + j];
            out->centers[(size_t)i * columns + j] = at;
            out->centers_sd[(size_t)i * columns + j] = sqrt(r->sd * r->sd + at * at * r->count_sd * r->count_sd) / n;
        }
    }
    out->sizes_sd = r->count_sd;
    out->rounds = r->b->plan.rounds;
}

tacit_status tac_balcan_recover(tac_balcan *b, uint64_t units, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    tacit_ctx *ctx = b->job->ctx;
    recovery r = {.b = b, .k = b->plan.k, .columns = b->job->frame->columns};
    const size_t numbers = (size_t)r.k * (size_t)r.columns;

    TAC_TRY(tac_new(ctx, numbers, sizeof(double), &r.centers));
    TAC_TRY(tac_new(ctx, (size_t)r.columns, sizeof(double), &r.mean));
    TAC_TRY(tac_new(ctx, numbers, sizeof(double), &r.sums));
    TAC_TRY(tac_new(ctx, (size_t)r.k, sizeof(double), &r.count));
    TAC_TRY(tac_new(ctx, numbers + (size_t)r.k, sizeof(int64_t), &r.answer));
    TAC_TRY(tac_new(ctx, numbers, sizeof(int16_t), &r.rounded));
    TAC_TRY(run_rounds(&r, units));
    write_result(&r, out);
done:
    tac_free(r.centers);
    tac_free(r.mean);
    tac_free(r.sums);
    tac_free(r.count);
    tac_free(r.answer);
    tac_free(r.rounded);
    return status;
}
