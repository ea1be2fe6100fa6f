/* SPDX-License-Identifier: Apache-2.0 */
/* Notes about columns: bounds that centers lie on, and columns that are mostly noise. From released
   values. */
#include "cluster/kmeans/kmeans_run.h"

#include <math.h>

#define NEAR 1e-3   /* of the range: on a bound, as the mean of values that were moved there is */
#define NEARER 1e-2 /* ... or within noise of it, if that is no more */
#define THROWN 0.05 /* of the range: such noise may put a center anywhere */
#define MOST 0.5    /* of the centers and of the rows */
#define SHARP 0.25  /* noise in standard deviations of all rows that leaves a column its use */
#define TOLD 3      /* columns, of each kind */

/* Centers of their own: not those that repeat others. */
static bool counts(const tacit_model *model, int32_t c)
{
    return model->sizes[c] != 0;
}

typedef struct at_bound {
    int32_t at, of;
    double weight, all; /* rows */
} at_bound;

/* How many centers lie on a bound of column j. A lower bound of 0 does not count: sparse rows are
   full of it. */
static at_bound count_at(const tacit_model *model, int32_t j, bool upper)
{
    const double low = model->geometry.lower[j], high = model->geometry.upper[j];
    at_bound n = {0};

    for (int32_t c = 0; c < model->k; c++) {
        const size_t i = (size_t)c * (size_t)model->dims + (size_t)j;
        const double sd = model->centers_sd[i], weight = fmax(0, model->sizes[c]);
        const double far = upper ? high - model->centers[i] : model->centers[i] - low;
        if (!counts(model, c) || !(sd < THROWN * (high - low))) continue;
        n.of++;
        n.all += weight;
        if ((!upper && low == 0) ||
            far > fmax(NEAR * (high - low), fmin(2 * sd, NEARER * (high - low))))
            continue;
        n.at++;
        n.weight += weight;
    }
    return n;
}

static bool is_full(const at_bound *n)
{
    return n->at > MOST * n->of && n->weight >= MOST * n->all;
}

static tacit_status note_bound(tacit_ctx *ctx, const tacit_model *model, int32_t j, bool upper,
                               int32_t *told, tac_notes *notes)
{
    const at_bound n = count_at(model, j, upper);
    const double bound = upper ? model->geometry.upper[j] : model->geometry.lower[j];

    if (!is_full(&n) || ++*told > TOLD) return TACIT_OK;
    return tac_note(ctx, notes, "column %.100s: %d of %d %s on its %s bound %g; " TAC_SAYS_BOUNDS,
                    model->column[j], n.at, n.of, n.of == 1 ? "center lies" : "centers lie",
                    upper ? "upper" : "lower", bound);
}

/* Does the noise of the centers exceed what they differ by, and is it large beside the rows? */
static bool is_noise(const tacit_model *model, int32_t j, double *noise)
{
    const at_bound above = count_at(model, j, true), below = count_at(model, j, false);
    double squares = 0, between = 0, mean = 0, n = 0;

    for (int32_t c = 0; c < model->k; c++) {
        const size_t i = (size_t)c * (size_t)model->dims + (size_t)j;
        if (!counts(model, c)) continue;
        n++;
        mean += model->centers[i];
        squares += model->centers_sd[i] * model->centers_sd[i];
    }
    for (int32_t c = 0; c < model->k; c++) {
        const double far = model->centers[(size_t)c * (size_t)model->dims + (size_t)j] - mean / n;
        if (counts(model, c)) between += far * far;
    }
    /* NaN: not known; on a bound: another note says so */
    if (tac_model_is_share(model, j) || n < 2 || !(squares > 0) || is_full(&above) ||
        is_full(&below))
        return false;
    *noise = sqrt(squares / n);
    const double all = model->overall == NULL ? NAN : model->overall->sd[j];
    const double range = model->geometry.upper[j] - model->geometry.lower[j];
    /* what noise alone would make of equal centers, twice over */
    return between / (n - 1) < 2 * *noise * *noise &&
           (isnan(all) ? *noise > THROWN / 5 * range || model->spread != NULL
                       : *noise > SHARP * all);
}

/* If most columns are noise, it is not a column's fault, and other notes say so. */
static tacit_status note_noise(tacit_ctx *ctx, const tacit_model *model, tac_notes *notes)
{
    tacit_status status = TACIT_OK;
    int32_t noisy = 0, told = 0;
    double noise = 0;

    for (int32_t j = 0; j < model->dims; j++) noisy += is_noise(model, j, &noise);
    if (2 * noisy > model->dims) return TACIT_OK;
    for (int32_t j = 0; j < model->dims && told < TOLD; j++) {
        if (!is_noise(model, j, &noise)) continue;
        told++;
        TAC_TRY(
            tac_note(ctx, notes,
                     "column %.100s: its noise (± %.3g) exceeds what the centers differ by; are "
                     "its "
                     "bounds %g to %g much too wide, or can it be left out?",
                     model->column[j], noise, model->geometry.lower[j], model->geometry.upper[j]));
    }
    if (noisy > told)
        TAC_TRY(tac_note(ctx, notes, "%d more %s mostly noise", noisy - told,
                         noisy - told == 1 ? "column is" : "columns are"));
done:
    return status;
}

tacit_status tac_column_notes(tacit_ctx *ctx, const tacit_model *model, tac_notes *notes)
{
    tacit_status status = TACIT_OK;
    int32_t told = 0;

    if (model->geometry.ball) return TACIT_OK;
    for (int32_t j = 0; j < model->dims; j++) {
        if (tac_model_is_share(model, j)) continue; /* 0 and 1 are shares as any other */
        TAC_TRY(note_bound(ctx, model, j, true, &told, notes));
        TAC_TRY(note_bound(ctx, model, j, false, &told, notes));
    }
    if (told > TOLD)
        TAC_TRY(tac_note(ctx, notes, "%d more columns have most centers on a bound", told - TOLD));
    TAC_TRY(note_noise(ctx, model, notes));
done:
    return status;
}
