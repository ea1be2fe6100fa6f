/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of a release, made to agree with its centers. */
#include "cluster/derived/derived.h"
#include "cluster/kmeans/spread_centers.h"
#include "solve/kmeans/kmedian.h"

#include <math.h>
#include <string.h>

#define FAR 8.0    /* radii of the domain within which a cell of a real run lies */
#define CLEAR 2.0  /* standard deviations of a size that noise alone does not explain */
#define FEWEST 0.1 /* ... and of the least weight that the cells of a center have together */
#define MOST_ROWS 1e15

void tac_raked_close(tac_raked *r)
{
    tac_frame_clear(&r->frame);
    tac_free(r->at);
    tac_free(r->weight);
    tac_free(r->weight_sd);
    tac_free(r->noise);
    tac_free(r->spread);
    tac_free(r->group);
    tac_free(r->center);
    tac_free(r->center_sd);
    tac_free(r->mass);
    tac_free(r->within);
    *r = (tac_raked){0};
}

static tacit_status check(tacit_ctx *ctx, const tacit_model *m)
{
    if (m->centers == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the release is of the family %s, which has no cells; give one that tacit "
                        "kmeans or kmedian wrote",
                        m->family);
    if (m->cut_from.family != NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the release was cut from another one and has no cells of its own; give "
                        "the one it was cut from (k = %d), nothing is lost",
                        m->cut_from.k);
    for (int32_t c = 0; c < m->k; c++)
        if (isnan(m->sizes[c]))
            return tac_fail(ctx, TACIT_E_ARGUMENT,
                            "the release does not say how many rows its centers stand for; make "
                            "one with method auto");
    return TACIT_OK;
}

/* The released centers on the lattice, with their error bars. */
static tacit_status place_centers(tacit_ctx *ctx, tac_raked *r)
{
    tacit_status status = TACIT_OK;
    const tacit_model *m = r->model;
    const tac_features *features = &m->geometry.features;
    const size_t d = (size_t)r->dims, numbers = (size_t)r->k * d;
    double *point = NULL;

    TAC_TRY(tac_new(ctx, d, sizeof *point, &point));
    TAC_TRY(tac_new(ctx, numbers, sizeof *r->center, &r->center));
    TAC_TRY(tac_new(ctx, numbers, sizeof *r->center_sd, &r->center_sd));
    for (size_t c = 0; c < (size_t)r->k; c++) {
        memcpy(point, m->centers + c * d, d * sizeof *point);
        tac_features_transform_point(features, point);
        tac_frame_to_lattice(&r->frame, point, r->center + c * d);
        for (size_t j = 0; j < d; j++) {
            const tac_transform t =
                features->count > 0 ? tac_feature_at(features, (int32_t)j)->transform : TAC_AS_IS;
            r->center_sd[c * d + j] = m->centers_sd[c * d + j] * r->frame.scale[j] /
                                      fmax(fabs(tac_untransformed_slope(t, point[j])), 1e-300);
        }
    }
done:
    tac_free(point);
    return status;
}

static tacit_status make_room(tacit_ctx *ctx, int32_t room, tac_raked *r)
{
    tacit_status status = TACIT_OK;
    const size_t n = (size_t)room;

    TAC_TRY(tac_new(ctx, n, (size_t)r->dims * sizeof *r->at, &r->at));
    TAC_TRY(tac_new(ctx, n, sizeof *r->weight, &r->weight));
    TAC_TRY(tac_new(ctx, n, sizeof *r->weight_sd, &r->weight_sd));
    TAC_TRY(tac_new(ctx, n, sizeof *r->noise, &r->noise));
    TAC_TRY(tac_new(ctx, n, sizeof *r->spread, &r->spread));
    TAC_TRY(tac_new(ctx, n, sizeof *r->group, &r->group));
    TAC_TRY(tac_new(ctx, (size_t)r->k, sizeof *r->mass, &r->mass));
done:
    return status;
}

/* x = origin + basis' z, or z itself; numbers of a file that somebody made may be anything. */
static tacit_status place_cells(tacit_ctx *ctx, tac_raked *r)
{
    const tac_released_cells *s = r->model->synopsis;
    const size_t d = (size_t)r->dims, width = (size_t)s->width;

    for (size_t i = 0; i < (size_t)s->cells; i++) {
        const double *z = s->point + i * width;
        double *at = r->at + i * d, far = 0;
        for (size_t j = 0; j < d; j++) {
            at[j] = s->basis == NULL ? z[j] : s->origin[j];
            for (size_t a = 0; s->basis != NULL && a < width; a++)
                at[j] += s->basis[a * d + j] * z[a];
            at[j] *= r->unit;
            far += at[j] * at[j];
        }
        r->weight[i] = s->weight[i];
        r->weight_sd[i] = s->weight_sd;
        r->noise[i] = pow(s->point_sd[i] * r->unit, 2);
        r->spread[i] = pow(s->spread[i] * r->unit, 2);
        if (!(far <= FAR * FAR * TAC_M * TAC_M) || !(r->weight[i] <= MOST_ROWS) ||
            !(r->noise[i] <= FAR * FAR * TAC_M * TAC_M) ||
            !(r->spread[i] <= FAR * FAR * TAC_M * TAC_M))
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "cell %zu of the release's synopsis lies far outside of its declared "
                            "domain, or holds more rows than there are; use the release as tacit "
                            "wrote it",
                            i);
        tac_into_domain(&r->frame, at);
    }
    r->cells = s->cells;
    return TACIT_OK;
}

/* The nearest released center that does not repeat another; -1: there is none. */
static int32_t nearest(const tac_raked *r, const double *at)
{
    const size_t d = (size_t)r->dims;
    double least = INFINITY;
    int32_t best = -1;

    for (int32_t c = 0; c < r->k; c++) {
        const double *center = r->center + (size_t)c * d;
        double far = 0;
        if (r->model->sizes[c] == 0) continue;
        for (size_t j = 0; j < d; j++) far += (at[j] - center[j]) * (at[j] - center[j]);
        if (far < least) least = far, best = c;
    }
    return best;
}

/* A center becomes a cell: there is no other, or none lies near it though it has rows. */
static void add_center(tac_raked *r, int32_t c)
{
    const size_t d = (size_t)r->dims, i = (size_t)r->cells++;
    double squares = 0;

    memcpy(r->at + i * d, r->center + (size_t)c * d, d * sizeof *r->at);
    for (size_t j = 0; j < d; j++)
        squares +=
            pow(isnan(r->center_sd[(size_t)c * d + j]) ? 0 : r->center_sd[(size_t)c * d + j], 2);
    r->weight[i] = r->model->sizes[c];
    r->noise[i] = squares / (double)d;
    r->group[i] = c;
}

/* Where the cells of center c are together: mean, or median for k-median. mine: room for all. */
static tacit_status middle_of(tacit_ctx *ctx, const tac_raked *r, int32_t c, double *mine,
                              double *weight, double *out)
{
    const size_t d = (size_t)r->dims;
    int64_t count = 0;
    double rows = 0, cost;

    memset(out, 0, d * sizeof *out);
    for (size_t i = 0; i < (size_t)r->cells; i++) {
        if (r->group[i] != c) continue;
        memcpy(mine + (size_t)count * d, r->at + i * d, d * sizeof *mine);
        weight[count++] = r->weight[i];
        rows += r->weight[i];
        for (size_t j = 0; j < d; j++) out[j] += r->weight[i] * r->at[i * d + j];
    }
    for (size_t j = 0; j < d; j++) out[j] = rows > 0 ? out[j] / rows : mine[j];
    if (strcmp(r->model->family, "kmedian") != 0) return TACIT_OK;
    return tac_solve_kmedian(
        ctx, mine, weight, count, r->dims,
        &(tac_plain_kmeans){.k = 1, .restarts = 1, .iterations = 100, .tolerance = 1e-9, .seed = 1},
        out, &cost, NULL);
}

/* The cells of every center move and are weighted together. */
static tacit_status rake(tacit_ctx *ctx, tac_raked *r)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)r->dims;
    const double least = fmax(FEWEST * (r->model->sizes_sd > 0 ? r->model->sizes_sd : 0), 1e-6);
    double *middle = NULL, *mine = NULL, *weight = NULL;

    TAC_TRY(tac_new(ctx, d, sizeof *middle, &middle));
    TAC_TRY(tac_new(ctx, (size_t)r->cells, d * sizeof *mine, &mine));
    TAC_TRY(tac_new(ctx, (size_t)r->cells, sizeof *weight, &weight));
    for (int32_t c = 0; c < r->k; c++) {
        double rows = 0;
        int32_t cells = 0;
        for (int32_t i = 0; i < r->cells; i++)
            if (r->group[i] == c) rows += r->weight[i], cells++;
        if (cells == 0) continue;
        TAC_TRY(middle_of(ctx, r, c, mine, weight, middle));
        r->mass[c] = fmax(r->model->sizes[c], least);
        for (size_t i = 0; i < (size_t)r->cells; i++) {
            if (r->group[i] != c) continue;
            for (size_t j = 0; j < d; j++)
                r->at[i * d + j] += r->center[(size_t)c * d + j] - middle[j];
            tac_into_domain(&r->frame, r->at + i * d);
            r->weight[i] = rows > 0 ? r->weight[i] * r->mass[c] / rows : r->mass[c] / cells;
            if (rows > 0) r->weight_sd[i] *= r->mass[c] / rows;
        }
    }
done:
    tac_free(middle);
    tac_free(mine);
    tac_free(weight);
    return status;
}

tacit_status tac_raked_open(tacit_ctx *ctx, const tacit_model *model, tac_raked *out)
{
    tacit_status status = TACIT_OK;
    tac_raked r = {.model = model,
                   .dims = model->dims,
                   .k = model->k,
                   .centers_only = model->synopsis == NULL};

    *out = (tac_raked){0};
    TAC_TRY(check(ctx, model));
    TAC_TRY(tac_frame_of_model(ctx, model, false, &r.frame, &r.unit));
    TAC_TRY(place_centers(ctx, &r));
    TAC_TRY(make_room(ctx, model->k + (r.centers_only ? 0 : model->synopsis->cells), &r));
    if (!r.centers_only) TAC_TRY(place_cells(ctx, &r));
    for (int32_t i = 0; i < r.cells; i++)
        r.group[i] = nearest(&r, r.at + (size_t)i * (size_t)r.dims);
    const int32_t cells = r.cells;
    for (int32_t c = 0; c < r.k; c++) {
        bool has = false;
        for (int32_t i = 0; i < cells; i++) has = has || r.group[i] == c;
        const double sd = model->sizes_sd > 0 ? model->sizes_sd : 0;
        if (!has && (r.centers_only ? model->sizes[c] > 0 : model->sizes[c] > CLEAR * sd))
            add_center(&r, c);
    }
    if (r.cells == 0 || r.group[0] < 0)
        TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                         "no center of the release stands for a row: there is nothing to cut"));
    TAC_TRY(rake(ctx, &r));
    *out = r;
    r = (tac_raked){0};
done:
    tac_raked_close(&r);
    return status;
}
