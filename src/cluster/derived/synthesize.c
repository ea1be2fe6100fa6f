/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_model_synthesize: rows drawn from the cells of a release. A cell by its weight, then every
   column by itself: a category by the cell's shares, a number from a Beta law on its declared
   bounds with the cell's mean and variance, so that no draw leaves them and none has to be moved;
   in a ball from a normal law, pulled back into it. Chance has a seed: these rows are nobody's. */
#include "cluster/derived/derived.h"
#include "cluster/kmeans/spread_centers.h"

#include <math.h>
#include <string.h>

#define WIDEST 0.95 /* of the largest variance that a mean within bounds allows */
#define NARROW 1e9  /* a + b of a Beta law that is a normal one for all purposes */
#define CHECK_EVERY 4096

typedef struct drawing {
    const tac_raked *r;
    tac_stream *random;
    double *upto;  /* cells: weight of this one and those before it */
    double *share; /* cells x dims: the cell's point with shares that add up to 1 */
    double *point; /* dims */
} drawing;

static double normal(tac_stream *random)
{
    const double u = 1 - tac_public_uniform(random), v = tac_public_uniform(random);
    return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* Gamma of shape a: Marsaglia & Tsang 2000; below 1 from shape a + 1 times u^(1/a). */
static double gamma_of(tac_stream *random, double a)
{
    if (a < 1) return gamma_of(random, a + 1) * pow(1 - tac_public_uniform(random), 1 / a);
    const double d = a - 1.0 / 3, c = 1 / sqrt(9 * d);

    for (;;) {
        const double x = normal(random), v = pow(1 + c * x, 3), u = 1 - tac_public_uniform(random);
        if (v > 0 && log(u) < x * x / 2 + d - d * v + d * log(v)) return d * v;
    }
}

/* On [-half, half], with this mean and variance: Beta(m n, (1 - m) n), n = m (1 - m) / v - 1, both
   measured in the range. */
static double within_bounds(tac_stream *random, double mean, double variance, double half)
{
    const double m = (mean + half) / (2 * half);

    if (!(m > 0) || !(m < 1) || !(variance > 0)) return fmin(half, fmax(-half, mean));
    const double v = fmin(variance / (4 * half * half), WIDEST * m * (1 - m)),
                 n = m * (1 - m) / v - 1;
    if (n > NARROW) return fmin(half, fmax(-half, mean + sqrt(variance) * normal(random)));
    const double x = gamma_of(random, m * n), y = gamma_of(random, (1 - m) * n);
    return x + y > 0 ? half * (2 * x / (x + y) - 1) : mean;
}

static int32_t draw_cell(const drawing *d)
{
    const int32_t n = d->r->cells;
    const double at = tac_public_uniform(d->random) * d->upto[n - 1];
    int32_t low = 0, high = n - 1;

    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (d->upto[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The place of a category by its shares. */
static double draw_category(const drawing *d, const tac_feature *f, const double *share)
{
    double left = tac_public_uniform(d->random);

    for (int32_t w = 0; w < f->width; w++) {
        left -= share[f->first + w];
        if (left < 0) return w;
    }
    return f->width - 1;
}

/* The value of a column from its coordinate, in its own units and bounds. */
static double value_of(const tacit_model *m, const tac_feature *f, int32_t j, double coordinate)
{
    const tac_geometry *g = &m->geometry;
    double x = f == NULL ? coordinate : tac_untransformed(f->transform, coordinate);

    if (f != NULL && f->value.kind == TAC_VALUE_DATE) x = floor(x + 0.5);
    return g->ball ? x : fmin(g->upper[j], fmax(g->lower[j], x));
}

static void draw_row(const drawing *d, double *row)
{
    const tac_raked *r = d->r;
    const tacit_model *m = r->model;
    const tac_features *features = &m->geometry.features;
    const int32_t cell = draw_cell(d), count = features->count > 0 ? features->count : r->dims;
    const double *at = r->at + (size_t)cell * (size_t)r->dims,
                 *within = r->within + (size_t)cell * (size_t)r->dims;

    for (int32_t j = 0; j < r->dims; j++)
        d->point[j] =
            r->frame.ball
                ? at[j] + sqrt(within[j]) * normal(d->random)
                : within_bounds(d->random, at[j], within[j],
                                (r->frame.upper[j] - r->frame.center[j]) * r->frame.scale[j]);
    if (r->frame.ball) tac_into_domain(&r->frame, d->point);
    tac_frame_from_lattice(&r->frame, d->point, d->point);
    for (int32_t i = 0; i < count; i++) {
        const tac_feature *f = features->count > 0 ? &features->feature[i] : NULL;
        const int32_t j = f == NULL ? i : f->first;
        row[i] = f != NULL && f->value.kind == TAC_VALUE_CATEGORY
                     ? draw_category(d, f, d->share + (size_t)cell * (size_t)r->dims)
                     : value_of(m, f, j, d->point[j]);
    }
}

static tacit_status draw_rows(tacit_ctx *ctx, const tac_raked *r, int64_t rows, tac_stream *random,
                              double *out)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)r->dims;
    const tac_features *features = &r->model->geometry.features;
    const int64_t count = features->count > 0 ? features->count : r->dims;
    drawing d = {.r = r, .random = random};
    double all = 0;

    TAC_TRY(tac_new(ctx, (size_t)r->cells, sizeof *d.upto, &d.upto));
    TAC_TRY(tac_new(ctx, (size_t)r->cells, dims * sizeof *d.share, &d.share));
    TAC_TRY(tac_new(ctx, dims, sizeof *d.point, &d.point));
    for (size_t i = 0; i < (size_t)r->cells; i++) {
        d.upto[i] = all += r->weight[i];
        tac_frame_from_lattice(&r->frame, r->at + i * dims, d.share + i * dims);
        tac_features_restore_point(features, d.share + i * dims, NULL);
    }
    for (int64_t i = 0; i < rows; i++) {
        if (i % CHECK_EVERY == 0) {
            TAC_TRY(tac_check_cancel(ctx));
            tac_show_progress(ctx, "drawing rows", (double)i / (double)rows);
        }
        draw_row(&d, out + i * count);
    }
done:
    tac_free(d.upto);
    tac_free(d.share);
    tac_free(d.point);
    return status == TACIT_E_CANCELLED ? tac_fail(ctx, status, "interrupted") : status;
}

/* Families from which rows would come out better than yours are. */
static tacit_status refuse_others(tacit_ctx *ctx, const tacit_model *model)
{
    if (tac_model_is_subspace(model))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the release is of subspaces and does not say how far rows lie from them: "
                        "rows drawn from it would fit better than any real ones; draw from a "
                        "release of tacit kmeans");
    if (tac_model_is_blocks(model))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the release is of a table of counts and knows its rows as clusters alone: "
                        "rows drawn from it would all be alike within one; draw from a release of "
                        "tacit kmeans");
    return TACIT_OK;
}

tacit_status tacit_model_synthesize(tacit_ctx *ctx, const tacit_model *model, int64_t rows,
                                    uint64_t seed, double **values)
{
    tacit_status status = TACIT_OK;
    tac_public_seed key;
    tac_stream random;
    tac_raked r = {0};
    double *value = NULL;
    bool known;

    if (ctx != NULL) ctx->message[0] = '\0';
    if (values != NULL) *values = NULL;
    if (ctx == NULL || model == NULL || values == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "tacit_model_synthesize needs a model and a place");
    if (rows < 1) return tac_fail(ctx, TACIT_E_ARGUMENT, "rows must be at least 1");
    tac_public_seed_from_insecure_seed(seed, &key);
    tac_public_stream(&key, &random);
    TAC_TRY(refuse_others(ctx, model));
    TAC_TRY(tac_raked_open(ctx, model, &r));
    TAC_TRY(tac_raked_within(ctx, &r, &known));
    if (!known)
        TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                         "the release holds neither cells nor how much rows of a cluster differ, "
                         "so all rows of a cluster would be alike; make one with method auto and "
                         "without --no-synopsis"));
    if (tac_new(ctx, (size_t)rows, (size_t)tacit_model_feature_count(model) * sizeof *value,
                &value) != TACIT_OK)
        TAC_TRY(tac_fail(ctx, TACIT_E_MEMORY,
                         "memory does not hold that many rows; ask for fewer, or for several lots "
                         "of them with different seeds"));
    TAC_TRY(draw_rows(ctx, &r, rows, &random, value));
    *values = value;
    value = NULL;
done:
    tac_free(value);
    tac_raked_close(&r);
    return status;
}
