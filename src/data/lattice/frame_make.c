/* SPDX-License-Identifier: Apache-2.0 */
/* Making frames: from a declared domain, or from a first frame and public numbers as one that
   looks closer, projects or sketches. No row is read here. */
#include "data/lattice/frame_internal.h"

#include <math.h>
#include <string.h>

void tac_frame_clear(tac_frame *frame)
{
    tac_free(frame->lower);
    tac_free(frame->upper);
    tac_free(frame->center);
    tac_free(frame->scale);
    tac_free(frame->shift);
    tac_free(frame->basis);
    tac_free(frame->bucket);
    tac_free(frame->sign);
    tac_free(frame->middle);
    tac_free(frame->rest);
    tac_weighing_free(frame->counts);
    tac_free(frame->bins);
    memset(frame, 0, sizeof *frame);
}

/* Half of the range, without overflow for bounds near the ends of the double range. */
static double half_range(const tac_domain *domain, int32_t j)
{
    return domain->upper[j] / 2 - domain->lower[j] / 2;
}

/* The same where columns have weights, or categories are coordinates: scale_j = M w_j / (2 h_j
   reach), or M w_j / reach, the row farthest from the middle at a distance of M. */
static void frame_of_coordinates(const tac_domain *domain, int32_t dims, tacit_scale scale,
                                 tac_frame *f)
{
    for (int32_t j = 0; j < dims; j++) {
        f->lower[j] = domain->lower[j];
        f->upper[j] = domain->upper[j];
        f->center[j] = domain->middle[j];
        f->scale[j] = scale == TACIT_SCALE_RANGE
                          ? TAC_M * domain->weight[j] / domain->reach / half_range(domain, j) / 2
                          : TAC_M * domain->weight[j] / domain->reach_unscaled;
    }
}

/* scale_j = M / (h_j sqrt(d)), or M / |h| for all columns: either way a corner of the box has
   length M. Sums are taken relative to the widest column, so that squares do not overflow. */
static void frame_of_box(const tac_domain *domain, int32_t dims, tacit_scale scale, tac_frame *f)
{
    double widest = 0, sum = 0;

    if (domain->weight != NULL) {
        frame_of_coordinates(domain, dims, scale, f);
        return;
    }
    for (int32_t j = 0; j < dims; j++) widest = fmax(widest, half_range(domain, j));
    for (int32_t j = 0; j < dims; j++) sum += pow(half_range(domain, j) / widest, 2);
    for (int32_t j = 0; j < dims; j++) {
        f->lower[j] = domain->lower[j];
        f->upper[j] = domain->upper[j];
        f->center[j] = domain->lower[j] / 2 + domain->upper[j] / 2;
        f->scale[j] = scale == TACIT_SCALE_RANGE ? TAC_M / half_range(domain, j) / sqrt(dims)
                                                 : TAC_M / widest / sqrt(sum);
    }
}

/* *out is the caller's to clear. A scale that is no normal number is refused: rows would all
   land in one place. */
tacit_status tac_frame_from_domain(tacit_ctx *ctx, const tac_domain *domain, int32_t dims,
                                   tacit_scale scale, tac_frame *out)
{
    tacit_status status = TACIT_OK;
    tac_frame f = {.columns = dims, .dims = dims, .ball = domain->kind == TAC_DOMAIN_BALL};
    const size_t count = (size_t)dims;

    TAC_TRY(tac_new(ctx, count, sizeof(double), &f.lower));
    TAC_TRY(tac_new(ctx, count, sizeof(double), &f.upper));
    TAC_TRY(tac_new(ctx, count, sizeof(double), &f.center));
    TAC_TRY(tac_new(ctx, count, sizeof(double), &f.scale));
    if (f.ball) {
        for (int32_t j = 0; j < dims; j++) {
            f.lower[j] = -INFINITY;
            f.upper[j] = INFINITY;
            f.center[j] = domain->center[j];
            f.scale[j] = TAC_M / domain->radius;
        }
    } else {
        frame_of_box(domain, dims, scale, &f);
    }
    for (int32_t j = 0; j < dims; j++)
        if (!isfinite(f.scale[j]) || !isnormal(f.scale[j])) {
            status = tac_fail(ctx, TACIT_E_DOMAIN,
                              "the declared range of the %s is too narrow or too wide to compute "
                              "with; give it in other units",
                              f.ball ? "ball" : "columns");
            goto done;
        }
    *out = f;
    memset(&f, 0, sizeof f);
done:
    tac_frame_clear(&f);
    return status;
}

void tac_frame_add_constant(tac_frame *f)
{
    f->constant = floor(TAC_M * 0.70710678118654752); /* a whole number: it is not rounded again */
    f->dims++;
    for (int32_t j = 0; j < f->columns; j++) f->scale[j] *= 0.70710678118654752;
}

/* *to = a copy of count items; NULL stays NULL. */
static tacit_status copy(tacit_ctx *ctx, const void *from, size_t count, size_t size, void *to)
{
    tacit_status status = TACIT_OK;

    if (from == NULL) return TACIT_OK;
    TAC_TRY(tac_new(ctx, count, size, to));
    memcpy(*(void **)to, from, count * size);
done:
    return status;
}

static bool all_finite(const double *number, size_t count)
{
    for (size_t i = 0; number != NULL && i < count; i++)
        if (!isfinite(number[i])) return false;
    return true;
}

/* Nothing that would make a frame read outside its arrays, or place rows nowhere. */
static bool makes_sense(int32_t first, const double *shift, double zoom, int32_t dims,
                        const double *basis, int32_t sketch, const int32_t *bucket,
                        const double *sign)
{
    const size_t count = (size_t)first, wide = bucket != NULL ? (size_t)sketch : count;
    bool good = isfinite(zoom) && zoom > 0 && dims >= 1 && (bucket == NULL) == (sign == NULL);

    good = good && all_finite(shift, count) && all_finite(basis, wide * (size_t)dims) &&
           all_finite(sign, count);
    for (size_t j = 0; good && bucket != NULL && j < count; j++)
        good = bucket[j] >= 0 && bucket[j] < sketch;
    return good;
}

/* A frame of counts can be followed if its coordinates are the columns. */
static bool can_be_first(const tac_frame *first)
{
    return first->shift == NULL && first->bins == NULL &&
           (first->counts == NULL || (first->counts->group == NULL && !first->counts->taxicab));
}

/* Where a row of zeros lands (behind a sketch: before the basis), for sparse rows to start from. */
static tacit_status find_rest(tacit_ctx *ctx, tac_frame *f)
{
    tacit_status status = TACIT_OK;

    for (int32_t j = 0; j < f->columns; j++) f->moved = f->moved || f->shift[j] != 0;
    /* a constant: there are no sparse rows */
    if (!tac_frame_projects(f) || f->constant > 0) return TACIT_OK;
    TAC_TRY(
        tac_new(ctx, (size_t)(f->bucket != NULL ? f->sketch : f->dims), sizeof *f->rest, &f->rest));
    for (int32_t b = 0; f->middle != NULL && b < f->sketch; b++)
        f->rest[b] = -f->middle[b] * f->zoom;
    for (int32_t j = 0; j < f->columns; j++) {
        const double z = -f->shift[j] * f->zoom;
        if (f->bucket != NULL)
            f->rest[f->bucket[j]] += f->sign[j] * z;
        else
            tac_frame_add_turned(f, j, z, f->rest);
    }
done:
    return status;
}

/* *inout: dims, zoom and sketch on entry, the whole frame on success, empty on failure.
   Everything is copied, so a later frame outlives the first. shift NULL: 0. */
static tacit_status follow(tacit_ctx *ctx, const tac_frame *first, const double *shift,
                           const double *basis, const int32_t *bucket, const double *sign,
                           const double *middle, tac_frame *inout)
{
    tacit_status status = TACIT_OK;
    const size_t columns = (size_t)first->columns, all = (size_t)tac_frame_first(first);
    const size_t wide = bucket != NULL ? (size_t)inout->sketch : all;
    tac_frame f = *inout;

    f.columns = first->columns;
    f.constant = first->constant;
    f.ball = first->ball;
    f.sparsity = first->sparsity;
    memset(inout, 0, sizeof *inout);
    if (first->counts != NULL)
        TAC_TRY(tac_weighing_copy(ctx, first->columns, first->counts, &f.counts));
    TAC_TRY(copy(ctx, first->lower, columns, sizeof(double), &f.lower));
    TAC_TRY(copy(ctx, first->upper, columns, sizeof(double), &f.upper));
    TAC_TRY(copy(ctx, first->center, columns, sizeof(double), &f.center));
    TAC_TRY(copy(ctx, first->scale, columns, sizeof(double), &f.scale));
    if (shift == NULL) TAC_TRY(tac_new(ctx, all, sizeof(double), &f.shift));
    TAC_TRY(copy(ctx, shift, all, sizeof(double), &f.shift));
    TAC_TRY(copy(ctx, basis, wide * (size_t)f.dims, sizeof(double), &f.basis));
    TAC_TRY(copy(ctx, bucket, columns, sizeof(int32_t), &f.bucket));
    TAC_TRY(copy(ctx, sign, columns, sizeof(double), &f.sign));
    TAC_TRY(copy(ctx, middle, (size_t)f.sketch, sizeof(double), &f.middle));
    TAC_TRY(find_rest(ctx, &f));
    *inout = f;
    memset(&f, 0, sizeof f);
done:
    tac_frame_clear(&f);
    return status;
}

tacit_status tac_frame_zoom(tacit_ctx *ctx, const tac_frame *first, const double *shift,
                            double zoom, int32_t dims, const double *basis, const int32_t *bucket,
                            const double *sign, tac_frame *out)
{
    memset(out, 0, sizeof *out);
    const int32_t all = tac_frame_first(first);
    if (!can_be_first(first) || shift == NULL || (dims != all && basis == NULL && bucket == NULL) ||
        (basis != NULL && bucket != NULL) || (bucket != NULL && first->constant > 0) ||
        !makes_sense(all, shift, zoom, dims, basis, bucket != NULL ? dims : 0, bucket, sign))
        return tac_fail(ctx, TACIT_E_INTERNAL, "a learned frame has numbers that make no sense");
    *out = (tac_frame){.dims = dims, .zoom = zoom, .sketch = bucket != NULL ? dims : 0};
    return follow(ctx, first, shift, basis, bucket, sign, NULL, out);
}

/* A constant coordinate has no column, so no sketch can take it in. */
tacit_status tac_frame_sketch(tacit_ctx *ctx, const tac_frame *first, const tac_sketch *sketch,
                              const double *shift, const double *middle, double zoom,
                              const double *basis, int32_t dims, tac_frame *out)
{
    memset(out, 0, sizeof *out);
    const int32_t last = basis != NULL ? dims : sketch->size;
    if (!can_be_first(first) || sketch->size < 1 || sketch->bucket == NULL || first->constant > 0 ||
        (middle != NULL && !all_finite(middle, (size_t)sketch->size)) ||
        !makes_sense(first->columns, shift, zoom, last, basis, sketch->size, sketch->bucket,
                     sketch->sign))
        return tac_fail(ctx, TACIT_E_INTERNAL, "a learned frame has numbers that make no sense");
    *out = (tac_frame){.dims = last, .zoom = zoom, .sketch = sketch->size};
    return follow(ctx, first, shift, basis, sketch->bucket, sketch->sign, middle, out);
}
