/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic rows: Gaussian clusters in the unit box. Nobody's data, so a seed and floating point
   are fine here. */
#include "synthetic/synthetic.h"

#include <math.h>
#include <string.h>

/* centers: clusters x dims in [margin, 1 - margin]. Each is the candidate farthest from those
   before it. Fewer candidates are tried when there are very many centers, so that the work stays
   within about 2^30 operations. */
static tacit_status spread_centers(const tacit_ctx *ctx, tac_generator *random, int32_t clusters,
                                   int32_t dims, double margin, double *candidate, double *centers)
{
    const double work = (double)clusters * (double)clusters / 2 * (double)dims;
    const int tries = work > 0x1p29 ? 1 : work * 30 > 0x1p30 ? 2 : 30;

    for (int32_t c = 0; c < clusters; c++) {
        double *kept = centers + (size_t)c * (size_t)dims, farthest = -1;
        if (tac_check_cancel(ctx) != TACIT_OK) return TACIT_E_CANCELLED;
        for (int try = 0; try < tries; try++) {
            double nearest = INFINITY;
            for (int32_t j = 0; j < dims; j++)
                candidate[j] = margin + (1 - 2 * margin) * tac_uniform(random);
            for (int32_t other = 0; tries > 1 && other < c; other++) {
                const double *point = centers + (size_t)other * (size_t)dims;
                double far = 0;
                for (int32_t j = 0; j < dims; j++)
                    far += (candidate[j] - point[j]) * (candidate[j] - point[j]);
                if (far < nearest) nearest = far;
            }
            if (nearest <= farthest) continue;
            farthest = nearest;
            memcpy(kept, candidate, (size_t)dims * sizeof *kept);
        }
    }
    return TACIT_OK;
}

/* One label per row in random order: every cluster gets a row, the others go by weights between 0.8
   and 1.2. weight: clusters. */
static void deal_labels(tac_generator *random, int64_t rows, int32_t clusters, double *weight,
                        int32_t *label)
{
    double total = 0, sum = 0;
    int64_t next = 0;

    for (int32_t c = 0; c < clusters; c++) total += weight[c] = 0.8 + 0.4 * tac_uniform(random);
    for (int32_t c = 0; c < clusters; c++) {
        sum += weight[c];
        /* of the free rows, up to this cluster */
        const double share = (double)(rows - clusters) * (sum / total);
        const int64_t end = c == clusters - 1 ? rows : (int64_t)share + c + 1;
        while (next < end && next < rows) label[next++] = c;
    }
    for (int64_t i = rows - 1; i > 0; i--) { /* Fisher-Yates */
        const int64_t j = (int64_t)((tac_u128)tac_next_word(random) * (uint64_t)(i + 1) >> 64);
        const int32_t swap = label[i];
        label[i] = label[j];
        label[j] = swap;
    }
}

/* TACIT_E_ARGUMENT with what is out of range. */
static tacit_status check_opts(tacit_ctx *ctx, const tacit_synthetic_mixture_opts *opts)
{
    if (opts->rows < 1) return tac_fail(ctx, TACIT_E_ARGUMENT, "rows must be at least 1");
    if (opts->columns < 1) return tac_fail(ctx, TACIT_E_ARGUMENT, "columns must be at least 1");
    if (opts->clusters < 1) return tac_fail(ctx, TACIT_E_ARGUMENT, "clusters must be at least 1");
    if (opts->clusters > opts->rows)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "clusters must not be above rows: every cluster gets a row");
    if (!(opts->spread >= 0 && opts->spread <= 1))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "spread must be between 0 and 1, the width of the box");
    return TACIT_OK;
}

/* The contract stands in tacit.h. *values (rows x columns, in [0, 1]) and *labels are the caller's
   to free; NULL after a failure. */
tacit_status tacit_synthetic_mixture(tacit_ctx *ctx, const tacit_synthetic_mixture_opts *given,
                                     double **values, int32_t **labels)
{
    tacit_status status;
    tacit_synthetic_mixture_opts opts = TACIT_SYNTHETIC_MIXTURE_OPTS_INIT;
    tac_generator random;
    double *centers = NULL, *scratch = NULL, *value = NULL;
    int32_t *label = NULL;

    if (ctx == NULL) return TACIT_E_ARGUMENT;
    ctx->message[0] = '\0';
    if (values == NULL || labels == NULL || given == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "tacit_synthetic_mixture needs options and places for values and labels");
    *values = NULL;
    *labels = NULL;
    TAC_TRY(tac_read_opts(ctx, "tacit_synthetic_mixture_opts", given, &opts, sizeof opts));
    TAC_TRY(check_opts(ctx, &opts));

    const int32_t d = opts.columns, k = opts.clusters;
    TAC_TRY(tac_new(ctx, (size_t)opts.rows, (size_t)d * sizeof *value, &value));
    TAC_TRY(tac_new(ctx, (size_t)opts.rows, sizeof *label, &label));
    TAC_TRY(tac_new(ctx, (size_t)k, (size_t)d * sizeof *centers, &centers));
    TAC_TRY(tac_new(ctx, (size_t)(d > k ? d : k), sizeof *scratch, &scratch));
    tac_seed_generator(&random, opts.seed);
    /* Two standard deviations from the wall, so that clipping is rare; wide clusters still get half
       of the box. */
    TAC_TRY(spread_centers(ctx, &random, k, d, fmin(2 * opts.spread, 0.25), scratch, centers));
    deal_labels(&random, opts.rows, k, scratch, label);
    for (int64_t i = 0; i < opts.rows; i++) {
        const double *center = centers + (size_t)label[i] * (size_t)d;
        double *row = value + (size_t)i * (size_t)d;
        TAC_TRY(tac_synthetic_step(ctx, i, opts.rows));
        for (int32_t j = 0; j < d; j++)
            row[j] = fmin(1, fmax(0, center[j] + opts.spread * tac_normal(&random)));
    }
    *values = value;
    *labels = label;
    value = NULL;
    label = NULL;
done:
    tac_free(centers);
    tac_free(scratch);
    tac_free(value);
    tac_free(label);
    return tac_synthetic_end(ctx, status);
}
