/* SPDX-License-Identifier: Apache-2.0 */
/* A start that knows nothing of the data: points spread over the declared domain. Public
   randomness; also the draws that other methods make from it. */
#include "cluster/kmeans/spread_centers.h"

#include <math.h>
#include <string.h>

/* tries per center; the one farthest from the centers before it is kept */
#define CANDIDATES 30
/* beyond so many centers the first try is kept: comparing them would cost k^2 */
#define SPREAD_MOST 1000
#define INWARDS 0.5 /* domains are declared generously, and people sit near the middle */

/* 53 random bits: a multiple of 2^-53 in [0, 1). */
double tac_public_uniform(tac_stream *random)
{
    return ldexp((double)(tac_word(random) >> 11), -53);
}

/* Box-Muller pairs, normalized. */
void tac_public_direction(tac_stream *random, int32_t dims, double *out)
{
    double squares = 0;

    while (squares == 0) {
        for (int32_t j = 0; j < dims; j += 2) {
            const double r = sqrt(-2 * log1p(-tac_public_uniform(random))),
                         a = 2 * M_PI * tac_public_uniform(random);
            out[j] = r * cos(a);
            if (j + 1 < dims) out[j + 1] = r * sin(a);
        }
        squares = 0;
        for (int32_t j = 0; j < dims; j++) squares += out[j] * out[j];
    }
    for (int32_t j = 0; j < dims; j++) out[j] /= sqrt(squares);
}

/* Gram-Schmidt on random directions, column by column. */
void tac_public_basis(tac_stream *random, int32_t columns, int32_t p, double *v, double *basis)
{
    for (int32_t i = 0; i < p; i++) {
        double squares = 0;
        /* a draw inside the span of the others comes never, but costs nothing to refuse */
        while (squares < 1e-12) {
            tac_public_direction(random, columns, v);
            for (int turn = 0; turn < 2; turn++)
                for (int32_t h = 0; h < i; h++) {
                    double along = 0;
                    for (int32_t j = 0; j < columns; j++)
                        along += basis[(size_t)j * (size_t)p + (size_t)h] * v[j];
                    for (int32_t j = 0; j < columns; j++)
                        v[j] -= along * basis[(size_t)j * (size_t)p + (size_t)h];
                }
            squares = 0;
            for (int32_t j = 0; j < columns; j++) squares += v[j] * v[j];
        }
        for (int32_t j = 0; j < columns; j++)
            basis[(size_t)j * (size_t)p + (size_t)i] = v[j] / sqrt(squares);
    }
}

/* Box: each coordinate is clipped. Ball: the point is pulled onto the sphere. */
void tac_into_domain(const tac_frame *frame, double *point)
{
    double squares = 0;

    if (!frame->ball) {
        for (int32_t j = 0; j < frame->dims; j++) {
            const double half = (frame->upper[j] - frame->center[j]) * frame->scale[j];
            point[j] = point[j] < -half ? -half : point[j] > half ? half : point[j];
        }
        return;
    }
    for (int32_t j = 0; j < frame->dims; j++) squares += point[j] * point[j];
    if (squares > (double)TAC_M * TAC_M)
        for (int32_t j = 0; j < frame->dims; j++) point[j] *= TAC_M / sqrt(squares);
}

/* In the ball the radius is M u^(1/d): volume grows with the d-th power. */
void tac_public_point(const tac_frame *frame, tac_stream *random, double *point)
{
    if (frame->ball) {
        tac_public_direction(random, frame->dims, point);
        const double r = TAC_M * pow(tac_public_uniform(random), 1.0 / frame->dims);
        for (int32_t j = 0; j < frame->dims; j++) point[j] *= r;
        return;
    }
    for (int32_t j = 0; j < frame->dims; j++)
        point[j] = (2 * tac_public_uniform(random) - 1) * (frame->upper[j] - frame->center[j]) *
                   frame->scale[j];
}

/* Squared distance to the nearest of the first k centers. */
static double gap(const double *centers, int32_t k, int32_t dims, const double *point)
{
    double least = INFINITY;

    for (int32_t c = 0; c < k; c++) {
        double far = 0;
        for (int32_t j = 0; j < dims; j++)
            far += pow(centers[(size_t)c * (size_t)dims + (size_t)j] - point[j], 2);
        least = fmin(least, far);
    }
    return least;
}

/* Farthest of CANDIDATES random points, center by center, then all pulled towards the middle. */
void tac_spread(const tac_frame *frame, int32_t k, tac_stream *random, double *centers)
{
    const size_t dims = (size_t)frame->dims;

    for (int32_t c = 0; c < k; c++) {
        const int tries = c == 0 || k > SPREAD_MOST ? 1 : CANDIDATES;
        double *kept = centers + (size_t)c * dims;
        double best = -1;
        for (int t = 0; t < tries; t++) {
            /* The candidate is drawn into the next place, which is free until it is this one's
               turn. */
            double *candidate = centers + (size_t)(c + 1) * dims;
            tac_public_point(frame, random, candidate);
            const double far = tries == 1 ? 0 : gap(centers, c, frame->dims, candidate);
            if (far > best) {
                best = far;
                memcpy(kept, candidate, dims * sizeof *kept);
            }
        }
    }
    for (size_t i = 0; i < (size_t)k * dims; i++) centers[i] *= INWARDS;
}
