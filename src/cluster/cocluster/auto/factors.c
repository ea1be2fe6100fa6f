/* SPDX-License-Identifier: Apache-2.0 */
/* Directions of row clusters from a noisy Gram matrix: eigenvectors, varimax, signs.
   Post-processing. */
#include "cluster/cocluster/auto/factors.h"

#include "solve/linalg/eigen.h"
#include "solve/linalg/varimax.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 100 }; /* of varimax, at most */
#define ALIKE 6.0      /* standard deviations between eigenvalues that noise may have turned */

/* Undoes the weights of the entries and the grid M^2; the upper triangle fills both halves. */
void tac_gram_read(const tac_i128 *answer, int32_t q, double *gram)
{
    const double unit = (double)TAC_M * TAC_M;
    const size_t n = (size_t)q;

    for (size_t i = 0, e = 0; i < n; i++)
        for (size_t j = i; j < n; j++, e++)
            gram[i * n + j] = gram[j * n + i] =
                (double)answer[e] / (unit * (i == j ? TAC_MOMENT_SAME : TAC_MOMENT_CROSS));
}

/* Parts p_k of the rows. The mean row is sum_k p_k m_k, and direction_k length_k = sqrt(p_k
   rows) m_k. So the roots of the parts are, up to a factor, the coordinates of the mean row in
   the turned eigenvectors. */
static void find_parts(tac_factors *f)
{
    const size_t q = (size_t)f->q, k = (size_t)f->k;
    double all = 0;

    for (size_t a = 0; a < k; a++) {
        double along = 0;
        for (size_t j = 0; j < q; j++) along += f->direction[a * q + j] * f->mean[j] * f->length[a];
        all += f->part[a] = along * along;
    }
    for (size_t a = 0; a < k; a++) f->part[a] = all > 0 ? f->part[a] / all : 1.0 / (double)k;
}

/* The mean row from the first eigenvalue, ~ rows |mean|^2, and its eigenvector, along which most
   of the mean lies. Eigenvectors whose values noise cannot tell from the first are any turn of
   each other: the first may be a difference of clusters, at right angles to the mean. Counts being
   positive, the mean lies where the vector of ones does among them: sum_a (v_a^T 1) v_a. */
static void find_mean(tac_factors *f, double rows, double sd)
{
    const size_t q = (size_t)f->q, k = (size_t)f->k;
    double squares = 0;

    for (size_t a = 0; a < k && f->value[0] - f->value[a] <= ALIKE * sd; a++) {
        double sum = 0;
        for (size_t j = 0; j < q; j++) sum += f->vector[a * q + j];
        for (size_t j = 0; j < q; j++) f->mean[j] += sum * f->vector[a * q + j];
        squares += sum * sum;
    }
    const double length = squares > 0 ? sqrt(fmax(f->value[0], 0) / rows / squares) : 0;
    for (size_t j = 0; j < q; j++) f->mean[j] *= length;
}

/* sqrt(value) vector, rotated by varimax, signed and normalized. */
static void find_directions(tac_factors *f)
{
    const size_t q = (size_t)f->q, k = (size_t)f->k;

    for (size_t e = 0; e < k * q; e++)
        f->direction[e] = f->vector[e] * sqrt(fmax(f->value[e / q], 0));
    tac_varimax(f->direction, f->k, f->q, SWEEPS);
    for (size_t a = 0; a < k; a++) {
        double squares = 0;
        for (size_t j = 0; j < q; j++) squares += f->direction[a * q + j] * f->direction[a * q + j];
        f->length[a] = sqrt(squares);
    }
    tac_point_factors(f->direction, f->k, f->q);
}

static tacit_status open_factors(tacit_ctx *ctx, tac_factors *f)
{
    tacit_status status = TACIT_OK;
    const size_t q = (size_t)f->q, k = (size_t)f->k, m = (size_t)f->vectors;

    TAC_TRY(tac_new(ctx, k * q, sizeof *f->direction, &f->direction));
    TAC_TRY(tac_new(ctx, k, sizeof *f->offset, &f->offset));
    TAC_TRY(tac_new(ctx, k, sizeof *f->length, &f->length));
    TAC_TRY(tac_new(ctx, k, sizeof *f->part, &f->part));
    TAC_TRY(tac_new(ctx, q, sizeof *f->mean, &f->mean));
    TAC_TRY(tac_new(ctx, m, sizeof *f->value, &f->value));
    TAC_TRY(tac_new(ctx, m * q, sizeof *f->vector, &f->vector));
done:
    return status;
}

tacit_status tac_factors_find(tacit_ctx *ctx, const double *gram, int32_t q, int32_t k,
                              int32_t vectors, double rows, double sd, tac_factors *f)
{
    tacit_status status = TACIT_OK;
    const int32_t many = vectors > k ? vectors : k;
    const size_t n = (size_t)q;
    double *matrix = NULL, *found = NULL;

    *f = (tac_factors){.q = q, .k = k < q ? k : q, .vectors = many < q ? many : q};
    const size_t m = (size_t)f->vectors;
    TAC_TRY(open_factors(ctx, f));
    TAC_TRY(tac_new(ctx, n * n, sizeof *matrix, &matrix));
    TAC_TRY(tac_new(ctx, n * m, sizeof *found, &found));
    memcpy(matrix, gram, n * n * sizeof *matrix);
    TAC_TRY(tac_top_eigen(ctx, matrix, q, f->vectors, f->value, found));
    for (size_t a = 0; a < m; a++)
        for (size_t j = 0; j < n; j++) f->vector[a * n + j] = found[j * m + a];
    find_directions(f);
    find_mean(f, rows, sd);
    find_parts(f);
    for (size_t a = 0; a < (size_t)f->k; a++)
        for (size_t j = 0; j < n; j++) f->offset[a] -= f->direction[a * n + j] * f->mean[j];
done:
    tac_free(matrix);
    tac_free(found);
    return status;
}

void tac_factors_clear(tac_factors *f)
{
    tac_free(f->direction);
    tac_free(f->offset);
    tac_free(f->value);
    tac_free(f->length);
    tac_free(f->part);
    tac_free(f->vector);
    tac_free(f->mean);
    *f = (tac_factors){0};
}

/* One factor for all keeps the argmax; offsets are cut to 32 bits. */
double tac_argmax_cells(const double *direction, const double *offset, int32_t k, int32_t dims,
                        int16_t *centers, int64_t *offsets)
{
    const size_t d = (size_t)dims;
    double longest = 0;

    for (size_t a = 0; a < (size_t)k; a++) {
        double squares = 0;
        for (size_t j = 0; j < d; j++) squares += direction[a * d + j] * direction[a * d + j];
        longest = fmax(longest, sqrt(squares));
    }
    const double factor = longest > 0 ? TAC_M / longest : 0, most = 4294967295.0;
    for (size_t e = 0; e < (size_t)k * d; e++)
        centers[e] = (int16_t)lrint(fmax(-TAC_M, fmin(TAC_M, direction[e] * factor)));
    for (size_t a = 0; a < (size_t)k; a++)
        offsets[a] =
            offset == NULL ? 0 : llrint(fmax(-most, fmin(most, offset[a] * factor * TAC_M)));
    return factor;
}
