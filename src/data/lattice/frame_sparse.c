/* SPDX-License-Identifier: Apache-2.0 */
/* Frames for sparse rows: a row costs what its entries cost, never the number of columns. */
#include "data/lattice/frame_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tac_frame_projects(const tac_frame *f)
{
    return f->basis != NULL || f->bucket != NULL;
}

bool tac_frame_dense(const tac_frame *f)
{
    return tac_frame_projects(f) || (f->counts != NULL && f->counts->dense);
}

static int descending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x > y ? -1 : x < y;
}

/* *out = the largest norm that a row of the box can have on the lattice: sqrt of the sum of (m_j
   scale_j)^2 over the `most` columns where that is largest, m_j the largest magnitude that
   column j allows. */
static tacit_status largest_norm(tacit_ctx *ctx, const tac_frame *f, int32_t most, double *out)
{
    tacit_status status = TACIT_OK;
    double *reach = NULL, squares = 0;

    TAC_TRY(tac_new(ctx, (size_t)f->dims, sizeof *reach, &reach));
    for (int32_t j = 0; j < f->dims; j++) reach[j] = fmax(-f->lower[j], f->upper[j]) * f->scale[j];
    qsort(reach, (size_t)f->dims, sizeof *reach, descending);
    for (int32_t j = 0; j < most; j++) squares += reach[j] * reach[j];
    *out = sqrt(squares);
done:
    tac_free(reach);
    return status;
}

/* 0 stays 0, so the box is not centered; then all scales shrink alike until the longest row
   allowed has length M. */
tacit_status tac_frame_for_sparse(tacit_ctx *ctx, const tac_domain *domain, int32_t dims,
                                  tacit_scale scale, int32_t sparsity, tac_frame *out)
{
    tacit_status status = TACIT_OK;
    double norm = TAC_M;
    tac_frame f = {0};

    TAC_TRY(tac_frame_from_domain(ctx, domain, dims, scale, &f));
    f.sparsity = sparsity > 0 && sparsity < dims ? sparsity : 0;
    if (!f.ball) {
        memset(f.center, 0, (size_t)dims * sizeof *f.center);
        TAC_TRY(largest_norm(ctx, &f, f.sparsity > 0 ? f.sparsity : dims, &norm));
        for (int32_t j = 0; j < dims; j++) f.scale[j] *= TAC_M / norm;
    }
    *out = f;
    memset(&f, 0, sizeof f);
done:
    tac_frame_clear(&f);
    return status;
}

/* rest + P y, sums over the entries in their order. */
static void project_entries(const tac_frame *f, const int32_t *feature, const double *y,
                            int32_t count, double *out)
{
    memcpy(out, f->rest, (size_t)(f->bucket != NULL ? f->sketch : f->dims) * sizeof *out);
    for (int32_t e = 0; e < count; e++) {
        const int32_t j = feature[e];
        const double z = y[e] * f->zoom;
        if (f->bucket != NULL) {
            out[f->bucket[j]] += f->sign[j] * z;
        } else {
            const double *b = f->basis + (size_t)j * (size_t)f->dims;
            for (int32_t i = 0; i < f->dims; i++) out[i] += b[i] * z;
        }
    }
}

/* point = the weighed entries as a dense point, zoomed and pulled behind a later frame. z: dims
   doubles of scratch. */
static void fill_point(const tac_frame *f, const int32_t *feature, const double *y, int32_t count,
                       double *z, int16_t *point)
{
    for (int32_t j = 0; j < f->dims; j++) z[j] = 0;
    for (int32_t e = 0; e < count; e++) z[feature[e]] = y[e];
    if (f->shift == NULL) {
        tac_weighed_to_grid(f->counts, z, f->dims, point);
        return;
    }
    for (int32_t j = 0; j < f->dims; j++) z[j] = (z[j] - f->shift[j]) * f->zoom;
    tac_frame_to_grid(z, tac_frame_pull(z, f->dims), f->dims, point);
}

/* Values of entries in units of the first lattice, in place; returns how many are kept. */
static int32_t place_entries(const tac_frame *f, int32_t *feature, double *value, int32_t count)
{
    if (f->counts != NULL) return tac_weigh_entries(f->counts, feature, value, count);
    for (int32_t e = 0; e < count; e++) value[e] = tac_place_value(f, value[e], feature[e]);
    if (f->sparsity > 0)
        count = (int32_t)tac_keep_largest(feature, value, (size_t)count, (size_t)f->sparsity);
    if (f->ball) {
        const double factor = tac_frame_pull(value, count);
        for (int32_t e = 0; e < count; e++) value[e] *= factor;
    }
    return count;
}

/* Four ends: a dense point of counts, a first sparse point, a zoomed sparse point, a projected
   dense point. */
int32_t tac_frame_apply_sparse(const tac_frame *f, int32_t *feature, double *value, int32_t count,
                               double *scratch, int16_t *point)
{
    double *z = scratch;

    count = place_entries(f, feature, value, count);
    if (tac_frame_dense(f) && !tac_frame_projects(f)) {
        fill_point(f, feature, value, count, scratch, point);
        return f->dims;
    }
    if (f->shift == NULL) {
        if (f->counts != NULL)
            tac_weighed_to_grid(f->counts, value, count, point);
        else
            tac_frame_to_grid(value, 1.0, count, point);
        return count;
    }
    if (!tac_frame_projects(f)) {
        for (int32_t e = 0; e < count; e++) value[e] *= f->zoom;
        tac_frame_to_grid(value, tac_frame_pull(value, count), count, point);
        return count;
    }
    project_entries(f, feature, value, count, z);
    if (f->bucket != NULL && f->basis != NULL) {
        tac_frame_turn(f, z, scratch + f->sketch);
        z = scratch + f->sketch;
    }
    tac_frame_to_grid(z, tac_frame_pull(z, f->dims), f->dims, point);
    return f->dims;
}
