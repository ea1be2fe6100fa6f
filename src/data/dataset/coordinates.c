/* SPDX-License-Identifier: Apache-2.0 */
/* Rows as methods see them: the values of the columns in use become coordinates, and the bounds of
   the columns a box of coordinates. */
#include "data/dataset/dataset.h"

#include <math.h>
#include <string.h>

int32_t tac_data_dims(const tacit_data *data)
{
    return data->features.count > 0 ? data->features.dims : data->selection.dims;
}

tacit_status tac_data_coordinate_name(tacit_ctx *ctx, const tacit_data *data, int32_t coordinate,
                                      char **out)
{
    if (data->features.count > 0) return tac_coordinate_name(ctx, &data->features, coordinate, out);
    *out = tac_strdup(ctx, tacit_data_column_get(data, coordinate));
    return *out == NULL ? TACIT_E_MEMORY : TACIT_OK;
}

tacit_status tac_data_read(const tacit_data *data, int64_t first, int64_t count, double *out)
{
    const tacit_status status = data->reader->read(data->reader, first, count, out);

    if (status == TACIT_OK && data->features.count > 0 && !data->features.plain)
        tac_features_encode(&data->features, count, out);
    return status;
}

bool tac_data_drops(const tacit_data *data)
{
    if (data->features.count > 0) return data->features.drops;
    return data->selection.missing == TACIT_MISSING_DROP_ROW;
}

tacit_status tac_data_check_plain(tacit_ctx *ctx, const tacit_data *data, const char *what)
{
    for (int32_t j = 0; j < data->features.count; j++) {
        const tac_feature *f = &data->features.feature[j];
        if (tac_feature_is_plain(f) && f->missing != TACIT_MISSING_FILL) continue;
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s takes plain numbers, and column '%.120s' has categories, dates, a "
                        "weight, a transform or a value to fill in; use other columns, or k-means",
                        what, f->name);
    }
    return TACIT_OK;
}

/* *to = a copy; NULL stays NULL. */
static tacit_status copy(tacit_ctx *ctx, const void *from, size_t count, size_t size, void *to)
{
    if (from == NULL) return TACIT_OK;
    const tacit_status status = tac_new(ctx, count, size, to);
    if (status == TACIT_OK) memcpy(*(void **)to, from, count * size);
    return status;
}

/* Two categories are as far apart as the ends of a range: 1 / sqrt 2 in each of two coordinates.
   The middle of m categories is 1 / m of each, and (1 - 1 / m) / 2 the squared distance of each
   category from it, which is the sum of w^2 p (1 - p) over its coordinates: for two of them that of
   a number's ends from the middle of its range. */
void tac_domain_measure(int32_t dims, tac_domain *d)
{
    double reach2 = 0, unscaled2 = 0;

    if (d->weight == NULL) return;
    for (int32_t j = 0; j < dims; j++) {
        const double w2 = d->weight[j] * d->weight[j], p = d->middle[j];
        if (d->share[j]) {
            reach2 += w2 * p * (1 - p);
            unscaled2 += w2 * p * (1 - p);
            continue;
        }
        d->middle[j] = d->lower[j] / 2 + d->upper[j] / 2;
        reach2 += w2 / 4;
        unscaled2 += w2 * pow(d->upper[j] / 2 - d->lower[j] / 2, 2);
    }
    d->reach = sqrt(reach2);
    d->reach_unscaled = sqrt(unscaled2);
}

tacit_status tac_domain_spread(tacit_ctx *ctx, const tac_domain *columns, int32_t count,
                               const tac_features *features, tac_domain *out)
{
    tacit_status status = TACIT_OK;
    const bool plain = features->count == 0 || (features->plain && !features->weighted);
    const size_t dims = (size_t)(plain ? count : features->dims);
    tac_domain d = {.kind = columns->kind, .radius = columns->radius, .origin = columns->origin};

    memset(out, 0, sizeof *out);
    if (plain || columns->kind != TAC_DOMAIN_BOX) {
        TAC_TRY(copy(ctx, columns->lower, dims, sizeof(double), &d.lower));
        TAC_TRY(copy(ctx, columns->upper, dims, sizeof(double), &d.upper));
        TAC_TRY(copy(ctx, columns->center, dims, sizeof(double), &d.center));
        TAC_TRY(copy(ctx, columns->estimate, dims, sizeof(bool), &d.estimate));
        /* already coordinates: rows made up for a plan */
        TAC_TRY(copy(ctx, columns->middle, dims, sizeof(double), &d.middle));
        TAC_TRY(copy(ctx, columns->weight, dims, sizeof(double), &d.weight));
        TAC_TRY(copy(ctx, columns->share, dims, sizeof(bool), &d.share));
        d.reach = columns->reach;
        d.reach_unscaled = columns->reach_unscaled;
    } else {
        TAC_TRY(tac_new(ctx, dims, sizeof(double), &d.lower));
        TAC_TRY(tac_new(ctx, dims, sizeof(double), &d.upper));
        TAC_TRY(tac_new(ctx, dims, sizeof(double), &d.middle));
        TAC_TRY(tac_new(ctx, dims, sizeof(double), &d.weight));
        TAC_TRY(tac_new(ctx, dims, sizeof(bool), &d.share));
        if (columns->estimate != NULL) TAC_TRY(tac_new(ctx, dims, sizeof(bool), &d.estimate));
        for (int32_t i = 0; i < features->count; i++) {
            const tac_feature *f = &features->feature[i];
            for (int32_t w = f->first; w < f->first + f->width; w++) {
                d.lower[w] = tac_transformed(f->transform, columns->lower[i]);
                d.upper[w] = tac_transformed(f->transform, columns->upper[i]);
                if (columns->estimate != NULL) d.estimate[w] = columns->estimate[i];
                d.share[w] = f->value.kind == TAC_VALUE_CATEGORY;
                d.weight[w] = d.share[w] ? f->weight * M_SQRT1_2 : f->weight;
                if (d.share[w]) d.middle[w] = 1.0 / f->width;
            }
        }
        tac_domain_measure(features->dims, &d);
    }
    *out = d;
    memset(&d, 0, sizeof d);
done:
    tac_domain_clear(&d);
    return status;
}
