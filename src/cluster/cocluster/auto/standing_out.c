/* SPDX-License-Identifier: Apache-2.0 */
/* Directions of a noisy Gram matrix that neither its noise nor columns without any groups explain.
   Noise alone is too low a bar: data have a bulk of their own, single columns, which noise lifts
   over the edge of its spectrum. Post-processing. */
#include "cluster/cocluster/auto/standing_out.h"

#include "privacy/draws/draws.h"
#include "solve/linalg/eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 20 };
#define QUANTILE 0.95 /* of the largest eigenvalue of the null */
#define SLIGHT 0.05   /* of the excess of the widest direction over the null */

/* Ascending. */
static int up(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The diagonal of the null: d_j = max(G_jj - value_1 vector_1j^2, 0), what a column has beside the
   mean row, pulled to the mean by the part of its variance that is noise. */
static void find_diagonal(const double *gram, size_t q, double value, const double *vector,
                          size_t step, double noise, double *d)
{
    double mean = 0, variance = 0;

    for (size_t j = 0; j < q; j++) {
        d[j] = fmax(gram[j * q + j] - value * vector[j * step] * vector[j * step], 0);
        mean += d[j] / (double)q;
    }
    for (size_t j = 0; j < q; j++) variance += (d[j] - mean) * (d[j] - mean) / (double)q;
    const double part = variance > noise * noise ? 1 - noise * noise / variance : 0;
    for (size_t j = 0; j < q; j++) d[j] = mean + part * (d[j] - mean);
}

/* *edge: the quantile of the largest eigenvalue of diag(d) + noise, normal: independent columns,
   and the noise that is known. */
static tacit_status draw_edge(tacit_ctx *ctx, const double *d, size_t q, double sd, double same,
                              tac_stream *random, double *edge)
{
    tacit_status status = TACIT_OK;
    const double place = QUANTILE * (DRAWS - 1);
    const size_t below = (size_t)place;
    double *matrix = NULL, *vector = NULL, largest[DRAWS];

    TAC_TRY(tac_new(ctx, q * q, sizeof *matrix, &matrix));
    TAC_TRY(tac_new(ctx, q, sizeof *vector, &vector));
    for (size_t t = 0; t < DRAWS; t++) {
        for (size_t i = 0; i < q; i++) { /* the upper triangle is what is read */
            double *row = matrix + i * q;
            tac_draw_normals(random, q - i, row + i);
            for (size_t j = i + 1; j < q; j++) row[j] *= sd;
            row[i] = d[i] + same * row[i];
        }
        TAC_TRY(tac_top_eigen(ctx, matrix, (int32_t)q, 1, largest + t, vector));
    }
    qsort(largest, DRAWS, sizeof *largest, up);
    *edge = largest[below] + (place - (double)below) * (largest[below + 1] - largest[below]);
done:
    tac_free(matrix);
    tac_free(vector);
    return status;
}

tacit_status tac_find_standing_out(tacit_ctx *ctx, const double *gram, int32_t q, int32_t most,
                                   double sd, tac_stream *random, tac_standing_out *out)
{
    tacit_status status = TACIT_OK;
    const size_t n = (size_t)q, p = (size_t)(most < q ? most : q);
    const double same = sd * TAC_MOMENT_CROSS / TAC_MOMENT_SAME; /* of the noise on the diagonal */
    double *matrix = NULL, *value = NULL, *vector = NULL, *d = NULL, edge = 0;

    *out = (tac_standing_out){0};
    TAC_TRY(tac_new(ctx, n * n, sizeof *matrix, &matrix));
    TAC_TRY(tac_new(ctx, p, sizeof *value, &value));
    TAC_TRY(tac_new(ctx, n * p, sizeof *vector, &vector));
    TAC_TRY(tac_new(ctx, n, sizeof *d, &d));
    memcpy(matrix, gram, n * n * sizeof *matrix);
    TAC_TRY(tac_top_eigen(ctx, matrix, q, (int32_t)p, value, vector));
    find_diagonal(gram, n, value[0], vector, p, same, d);
    TAC_TRY(draw_edge(ctx, d, n, sd, same, random, &edge));
    out->groups = out->wide = value[0] > edge;
    for (size_t a = 1; a < p && value[a] > edge; a++) {
        out->groups++;
        out->wide += value[a] - edge > SLIGHT * (value[1] - edge);
    }
done:
    tac_free(matrix);
    tac_free(value);
    tac_free(vector);
    tac_free(d);
    return status;
}

tacit_status tac_note_standing_out(tacit_ctx *ctx, const tac_standing_out *out, int32_t k,
                                   tac_notes *notes)
{
    if (out->groups >= k) return TACIT_OK;
    if (out->groups == 0)
        return tac_note(ctx, notes,
                        "none of the %d clusters of rows is sure to stand out of the "
                        "noise; all are uncertain",
                        k);
    return tac_note(ctx, notes,
                    "at least %d of the %d clusters of rows stand out of the noise; the others are "
                    "uncertain",
                    out->groups, k);
}
