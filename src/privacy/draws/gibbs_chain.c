/* SPDX-License-Identifier: Apache-2.0 */
/* One chain of the Gibbs sampler: its memory and its two half steps, labels given subspaces
   (gibbs_labels.c) and subspaces given labels. */
#include "data/kernels/cell_squares.h"
#include "privacy/draws/gibbs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number by number, each by its low byte first, then by place: the same order on every machine, and
   a total one, so that qsort's result is determined. */
static int compare(const void *a, const void *b, void *state)
{
    const tac_lattice *rows = state;
    const int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    const int16_t *x = rows->points + i * rows->stride, *y = rows->points + j * rows->stride;

    for (int32_t t = 0; t < rows->dims; t++)
        if (x[t] != y[t])
            return __builtin_bswap16((uint16_t)x[t]) < __builtin_bswap16((uint16_t)y[t]) ? -1 : 1;
    return (i > j) - (i < j);
}

/* Rows in an order of their own, so that the order in which they came does not show. */
static tacit_status sort_rows(tacit_ctx *ctx, const tac_lattice *rows, tac_chain *out)
{
    tacit_status status = TACIT_OK;
    tac_lattice same = *rows;

    TAC_TRY(tac_new(ctx, (size_t)rows->rows, sizeof *out->from, &out->from));
    TAC_TRY(
        tac_new(ctx, (size_t)rows->rows * (size_t)rows->stride, sizeof *out->sorted, &out->sorted));
    for (int64_t i = 0; i < rows->rows; i++) out->from[i] = i;
    qsort_r(out->from, (size_t)rows->rows, sizeof *out->from, compare, &same);
    for (int64_t i = 0; i < rows->rows; i++)
        memcpy(out->sorted + i * rows->stride, rows->points + out->from[i] * rows->stride,
               (size_t)rows->stride * sizeof(int16_t));
done:
    return status;
}

/* Two copies of the rows: scaled and lane by lane for the labels, as plain integers for the
   moments. PRIVATE. On failure *out is closed already. */
tacit_status tac_chain_open(tacit_ctx *ctx, const tac_lattice *rows, double c, int32_t k, int32_t q,
                            tac_chain *out)
{
    tacit_status status = TACIT_OK;
    const int32_t d = rows->dims, wide = (d + 3) / 4 * 4, lanes = TAC_GIBBS_LANES;
    const int64_t groups = (rows->rows + lanes - 1) / lanes;
    const double unit = sqrt(c) / TAC_M;

    *out = (tac_chain){.stride = rows->stride,
                       .rows = rows->rows,
                       .groups = groups,
                       .dims = d,
                       .wide = wide,
                       .k = k,
                       .q = q,
                       .times = c / ((double)TAC_M * TAC_M)};
    TAC_TRY(tac_new(ctx, (size_t)groups * (size_t)(d * lanes), sizeof(double), &out->group));
    TAC_TRY(tac_new(ctx, (size_t)groups * (size_t)(wide * lanes), sizeof(double), &out->row));
    TAC_TRY(tac_new(ctx, (size_t)groups * (size_t)lanes, sizeof(int32_t), &out->label));
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)d * (size_t)wide, sizeof(double), &out->moment));
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)q * (size_t)d, sizeof(double), &out->basis));
    TAC_TRY(tac_new(ctx, (size_t)k * (size_t)lanes, sizeof(double), &out->weight));
    TAC_TRY(tac_new(ctx, (size_t)groups * (size_t)lanes + 1, sizeof *out->changed, &out->changed));
    TAC_TRY(
        tac_new(ctx, (size_t)k * (size_t)d * (size_t)(d + 1) / 2, sizeof *out->word, &out->word));
    TAC_TRY(tac_new(ctx, tac_cell_squares_scratch(rows->rows, d), 1, &out->scratch));
    TAC_TRY(tac_axis_open(ctx, d, &out->axis));
    TAC_TRY(sort_rows(ctx, rows, out));
    for (int64_t i = 0; i < rows->rows; i++) {
        const int16_t *x = out->sorted + i * rows->stride;
        for (int32_t j = 0; j < d; j++) {
            out->row[i * wide + j] = x[j];
            out->group[(i / lanes * d + j) * lanes + i % lanes] = unit * x[j];
        }
    }
done:
    if (status != TACIT_OK) tac_chain_close(out);
    return status;
}

void tac_chain_close(tac_chain *s)
{
    tac_free(s->group);
    tac_free(s->row);
    tac_free(s->label);
    tac_free(s->moment);
    tac_free(s->basis);
    tac_free(s->weight);
    tac_free(s->sorted);
    tac_free(s->from);
    tac_free(s->changed);
    tac_free(s->word);
    tac_free(s->scratch);
    tac_axis_close(&s->axis);
    *s = (tac_chain){0};
}

/* moment_l = sum of x x^T over the rows labeled l, exact: integers below 2^53 in doubles. */
void tac_chain_collect(tac_chain *s)
{
    const int32_t d = s->dims, wide = s->wide;

    const uint64_t *from = s->word;

    memset(s->word, 0, (size_t)s->k * (size_t)d * (size_t)(d + 1) / 2 * sizeof *s->word);
    tac_cell_squares(s->sorted, s->rows, s->stride, d, s->label, s->k, s->scratch, s->word);
    for (int32_t row = 0; row < s->k * d; row++)
        for (int32_t j = row % d; j < d; j++)
            s->moment[(size_t)row * (size_t)wide + (size_t)j] = (double)(int64_t)*from++;
}

void tac_chain_labels(tac_chain *s, tac_stream *stream)
{
    tac_gibbs_assign(s, stream);
}

/* b = c A_l, A_l from its upper triangle */
static void unfold(const tac_chain *s, int32_t l, double *b)
{
    const int32_t d = s->dims;
    const double *from = s->moment + (size_t)l * (size_t)d * (size_t)s->wide;

    for (int32_t i = 0; i < d; i++, from += s->wide)
        for (int32_t j = i; j < d; j++) b[i * d + j] = b[j * d + i] = s->times * from[j];
}

/* u^T b u */
static double form(const double *b, int32_t d, const double *u)
{
    double sum = 0;

    for (int32_t i = 0; i < d; i++) {
        double row = 0;
        for (int32_t j = 0; j < d; j++) row += b[i * d + j] * u[j];
        sum += row * u[i];
    }
    return sum;
}

/* Column after column of every subspace, exactly, given the others: the last of the list is drawn
   and goes to the front. */
tacit_status tac_chain_bases(const tacit_ctx *ctx, tac_chain *s, tac_stream *stream)
{
    tacit_status status = TACIT_OK;
    const int32_t d = s->dims, q = s->q;
    const size_t each = (size_t)d * sizeof(double);

    for (int32_t l = 0; l < s->k; l++) {
        double *basis = s->basis + (size_t)l * (size_t)q * (size_t)d,
               *last = basis + (size_t)(q - 1) * (size_t)d;
        for (int32_t r = 0; r < q; r++) {
            unfold(s, l, s->axis.b);
            for (int32_t t = 0; t < q - 1; t++)
                tac_deflate(s->axis.b, d, basis + (size_t)t * (size_t)d, s->axis.normal);
            /* that of a vector as it should be: t = D */
            s->axis.sigma = 2 * form(s->axis.b, d, last) + d - q + 1;
            tac_axis_ready(&s->axis, q - 1);
            while (!tac_axis_try(&s->axis, stream, q - 1, basis)) TAC_TRY(tac_check_cancel(ctx));
            memcpy(s->axis.normal, last, each);
            memmove(basis + d, basis, (size_t)(q - 1) * each);
            memcpy(basis, s->axis.normal, each);
        }
    }
done:
    return status;
}
