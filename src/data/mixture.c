/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic rows: Gaussian clusters in the unit box. Nobody's data, so a seed and floating point are fine here. */
#include "core/core.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* xoshiro256++ (Blackman & Vigna 2019): the same numbers on every machine. Never used for noise. */
typedef struct generator {
    uint64_t s[4];
    double spare; /* the second half of the last normal pair */
    bool has_spare;
} generator;

static uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static uint64_t next_word(generator *random)
{
    uint64_t *s = random->s;
    const uint64_t word = rotate(s[0] + s[3], 23) + s[0], shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return word;
}

/* SplitMix64 spreads a small seed over the whole state, which must not be all zero. */
static void seed_generator(generator *random, uint64_t seed)
{
    memset(random, 0, sizeof *random);
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        random->s[i] = z ^ z >> 31;
    }
}

/* Uniform on [0, 1), a multiple of 2^-53. */
static double uniform(generator *random)
{
    return (double)(next_word(random) >> 11) * 0x1p-53;
}

/* Standard normal: sqrt(-2 log u) (cos, sin)(2 pi v). Box & Muller 1958. */
static double normal(generator *random)
{
    if (random->has_spare) {
        random->has_spare = false;
        return random->spare;
    }
    const double u = 1 - uniform(random), v = uniform(random); /* u in (0, 1] */
    const double length = sqrt(-2 * log(u));
    random->spare = length * sin(2 * PI * v);
    random->has_spare = true;
    return length * cos(2 * PI * v);
}

/* centers: clusters x dims in [margin, 1 - margin]. Each is the candidate farthest from those before it. Fewer
   candidates are tried when there are very many centres, so that the work stays within about 2^30 operations. */
static tacit_status spread_centers(const tacit_ctx *ctx, generator *random, int32_t clusters, int32_t dims,
                                   double margin, double *candidate, double *centers)
{
    const double work = (double)clusters * (double)clusters / 2 * (double)dims;
    const int tries = work > 0x1p29 ? 1 : work * 30 > 0x1p30 ? 2 : 30;

    for (int32_t c = 0; c < clusters; c++) {
        double *kept = centers + (size_t)c * (size_t)dims, farthest = -1;
        if (tac_check_cancel(ctx) != TACIT_OK) return TACIT_E_CANCELLED;
        for (int try = 0; try < tries; try++) {
            double nearest = INFINITY;
            for (int32_t j = 0; j < dims; j++) candidate[j] = margin + (1 - 2 * margin) * uniform(random);
            for (int32_t other = 0; tries > 1 && other < c; other++) {
                const double *point = centers + (size_t)other * (size_t)dims;
                double far = 0;
                for (int32_t j = 0; j < dims; j++) far += (candidate[j] - point[j]) * (candidate[j] - point[j]);
                if (far < nearest) nearest = far;
            }
            if (nearest <= farthest) continue;
            farthest = nearest;
            memcpy(kept, candidate, (size_t)dims * sizeof *kept);
        }
    }
    return TACIT_OK;
}

/* One label per row in random order: every cluster gets a row, the others go by weights between 0.8 and 1.2.
   weight: clusters. */
static void deal_labels(generator *random, int64_t rows, int32_t clusters, double *weight, int32_t *label)
{
    double total = 0, sum = 0;
    int64_t next = 0;

    for (int32_t c = 0; c < clusters; c++) total += weight[c] = 0.8 + 0.4 * uniform(random);
    for (int32_t c = 0; c < clusters; c++) {
        sum += weight[c];
        const double share = (double)(rows - clusters) * (sum / total); /* of the free rows, up to this cluster */
        const int64_t end = c == clusters - 1 ? rows : (int64_t)share + c + 1;
        while (next < end && next < rows) label[next++] = c;
    }
    for (int64_t i = rows - 1; i > 0; i--) { /* Fisher-Yates */
        const int64_t j = (int64_t)((tac_u128)next_word(random) * (uint64_t)(i + 1) >> 64);
        const int32_t swap = label[i];
        label[i] = label[j];
        label[j] = swap;
    }
}

void tacit_mixture_opts_init(tacit_mixture_opts *opts, size_t size)
{
    const tacit_mixture_opts start = {
        .size = size, .rows = 10000, .columns = 2, .clusters = 5, .spread = 0.05, .seed = 1};
    memset(opts, 0, size);
    memcpy(opts, &start, size < sizeof start ? size : sizeof start);
}

static tacit_status check_opts(tacit_ctx *ctx, const tacit_mixture_opts *opts)
{
    if (opts->rows < 1) return tac_fail(ctx, TACIT_E_ARGUMENT, "rows must be at least 1");
    if (opts->columns < 1) return tac_fail(ctx, TACIT_E_ARGUMENT, "columns must be at least 1");
    if (opts->clusters < 1) return tac_fail(ctx, TACIT_E_ARGUMENT, "clusters must be at least 1");
    if (opts->clusters > opts->rows)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "clusters must not be above rows: every cluster gets a row");
    if (!(opts->spread >= 0 && opts->spread <= 1))
        return tac_fail(ctx, TACIT_E_ARGUMENT, "spread must be between 0 and 1, the width of the box");
    return TACIT_OK;
}

tacit_status tacit_mixture(tacit_ctx *ctx, const tacit_mixture_opts *given, double **values, int32_t **labels)
{
    tacit_status status;
    tacit_mixture_opts opts;
    generator random;
    double *centers = NULL, *scratch = NULL, *value = NULL;
    int32_t *label = NULL;

    if (ctx == NULL) return TACIT_E_ARGUMENT;
    ctx->message[0] = '\0';
    if (values == NULL || labels == NULL || given == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "tacit_mixture needs options and places for values and labels");
    *values = NULL;
    *labels = NULL;
    tacit_mixture_opts_init(&opts, sizeof opts);
    TAC_TRY(tac_read_opts(ctx, "tacit_mixture_opts", given, &opts, sizeof opts));
    TAC_TRY(check_opts(ctx, &opts));

    const int32_t d = opts.columns, k = opts.clusters;
    TAC_TRY(tac_new(ctx, (size_t)opts.rows, (size_t)d * sizeof *value, &value));
    TAC_TRY(tac_new(ctx, (size_t)opts.rows, sizeof *label, &label));
    TAC_TRY(tac_new(ctx, (size_t)k, (size_t)d * sizeof *centers, &centers));
    TAC_TRY(tac_new(ctx, (size_t)(d > k ? d : k), sizeof *scratch, &scratch));
    seed_generator(&random, opts.seed);
    /* Two standard deviations from the wall, so that clipping is rare; wide clusters still get half of the box. */
    TAC_TRY(spread_centers(ctx, &random, k, d, fmin(2 * opts.spread, 0.25), scratch, centers));
    deal_labels(&random, opts.rows, k, scratch, label);
    for (int64_t i = 0; i < opts.rows; i++) {
        const double *center = centers + (size_t)label[i] * (size_t)d;
        double *row = value + (size_t)i * (size_t)d;
        if (i % 4096 == 0) {
            TAC_TRY(tac_check_cancel(ctx));
            tac_show_progress(ctx, "drawing rows", (double)i / (double)opts.rows);
        }
        for (int32_t j = 0; j < d; j++) row[j] = fmin(1, fmax(0, center[j] + opts.spread * normal(&random)));
    }
    *values = value;
    *labels = label;
    value = NULL;
    label = NULL;
done:
    if (status == TACIT_E_CANCELLED) tac_fail(ctx, status, "interrupted");
    tac_free(centers);
    tac_free(scratch);
    tac_free(value);
    tac_free(label);
    return status;
}

void tacit_values_free(double *values)
{
    tac_free(values);
}

void tacit_labels_free(int32_t *labels)
{
    tac_free(labels);
}
