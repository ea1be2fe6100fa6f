/* SPDX-License-Identifier: Apache-2.0 */
/* Starts of the published baselines: functions of the declared domain and of public randomness.
   They cost no budget. */
#include "cluster/kmeans/literature/noisy_lloyd_step.h"

#include <math.h>

#define PACK_MOST 1000 /* centers; every try is compared with all before it */
#define TRIES 100      /* per center, before a radius counts as too large */
#define HALVINGS 20    /* steps of the search for the largest radius */

void tac_start_uniform(const tac_frame *frame, int32_t k, tac_stream *random, double *centers)
{
    for (int32_t c = 0; c < k; c++)
        tac_public_point(frame, random, centers + (size_t)c * (size_t)frame->dims);
}

/* A uniform point at least a from the border: the domain's own draw, pulled in along each axis or
   along the radius. */
static void draw_inside(const tac_frame *frame, double a, tac_stream *random, double *point)
{
    tac_public_point(frame, random, point);
    for (int32_t j = 0; j < frame->dims; j++) {
        const double half =
            frame->ball ? TAC_M : (frame->upper[j] - frame->center[j]) * frame->scale[j];
        point[j] *= half > a ? (half - a) / half : 0;
    }
}

/* Is the point at least `least` away from the first `many` centers? */
static bool far_from_all(const double *centers, int32_t many, int32_t dims, double least,
                         const double *point)
{
    for (int32_t c = 0; c < many; c++) {
        double squares = 0;
        for (int32_t j = 0; j < dims && squares < least * least; j++)
            squares += pow(centers[(size_t)c * (size_t)dims + (size_t)j] - point[j], 2);
        if (squares < least * least) return false;
    }
    return true;
}

/* k points with spheres of radius a that do not overlap, by random tries; false: one found no
   place. */
static bool pack(const tac_frame *frame, int32_t k, double a, tac_stream *random, double *centers)
{
    for (int32_t c = 0; c < k; c++) {
        double *point = centers + (size_t)c * (size_t)frame->dims;
        int tries = 0;
        do {
            if (tries++ == TRIES) return false;
            draw_inside(frame, a, random, point);
        } while (!far_from_all(centers, c, frame->dims, 2 * a, point));
    }
    return true;
}

/* The radius is searched by halving; the centers of the largest radius that worked are drawn once
   more at its end. A radius of 0 always works. */
void tac_start_packed(const tac_frame *frame, int32_t k, tac_stream *random, double *centers)
{
    double low = 0, high = TAC_M;

    for (int32_t j = 0; !frame->ball && j < frame->dims; j++)
        high = fmin(high, (frame->upper[j] - frame->center[j]) * frame->scale[j]);
    for (int step = 0; k <= PACK_MOST && step < HALVINGS; step++) {
        const double a = (low + high) / 2;
        if (pack(frame, k, a, random, centers))
            low = a;
        else
            high = a;
    }
    while (k <= PACK_MOST && low > 0 && !pack(frame, k, low, random, centers)) low *= 0.99;
    if (k > PACK_MOST || low == 0) tac_start_uniform(frame, k, random, centers);
}
