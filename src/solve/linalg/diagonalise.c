/* SPDX-License-Identifier: Apache-2.0 */
/* Eigenvalues of a tridiagonal matrix by the implicit QL algorithm, which writes its rotations
   down: run backwards they make any eigenvector of a unit vector, at d^2 rotations each. */
#include "solve/linalg/eigen_internal.h"

#include <math.h>
#include <string.h>

#include "core/cpu.h"

enum { TURNS = 60 };       /* sweeps for one value; two are usual */
#define NEGLIGIBLE 0x1p-53 /* beside the largest entry */
#define SMALLEST 1e-280

#define KERNEL "solve/linalg/diagonalise_path.h"
#include "core/each_path.h"

static void (*const unsweep[])(const tac_rotation *, size_t, size_t, double *) = {PATHS(unsweep)};

void tac_sweeps_close(tac_sweeps *s)
{
    tac_free(s->rotation);
    tac_free(s->sweep);
    *s = (tac_sweeps){0};
}

/* Room for one more sweep over all of d. */
static tacit_status make_room(tacit_ctx *ctx, size_t d, tac_sweeps *s)
{
    tacit_status status = TACIT_OK;

    if (s->sweeps == s->sweep_room) {
        const size_t room = 2 * s->sweep_room + d;
        TAC_TRY(tac_grow(ctx, &s->sweep, room, sizeof *s->sweep));
        s->sweep_room = room;
    }
    if (s->rotation_room - s->rotations < d) {
        const size_t room = s->rotation_room + s->rotation_room / 2 + 4 * d;
        TAC_TRY(tac_grow(ctx, &s->rotation, room, sizeof *s->rotation));
        s->rotation_room = room;
    }
done:
    return status;
}

/* sqrt(a^2 + b^2) of numbers not much larger than 1, without losing digits below the square root of
   the smallest number. The C library's hypot is not one function on all machines. */
static double radius(double a, double b)
{
    const double square = a * a + b * b;

    return square > SMALLEST
               ? sqrt(square)
               : 0x1p-500 * sqrt(0x1p500 * a * (0x1p500 * a) + 0x1p500 * b * (0x1p500 * b));
}

/* One sweep from `high` up to `low` with Wilkinson's shift. */
static void sweep_up(double *diagonal, double *beside, size_t low, size_t high, tac_sweeps *s)
{
    const double q = (diagonal[low + 1] - diagonal[low]) / (2 * beside[low]);
    double g = diagonal[high] - diagonal[low] + beside[low] / (q + copysign(sqrt(q * q + 1), q));
    double sine = 1, cosine = 1, shift = 0;

    for (size_t i = high; i-- > low;) {
        const double f = sine * beside[i], b = cosine * beside[i], r = radius(f, g);
        beside[i + 1] = i + 1 < high ? r : 0;
        if (r < SMALLEST) { /* nothing is left to be chased: the matrix falls in two here */
            diagonal[i + 1] -= shift;
            return;
        }
        sine = f / r;
        cosine = g / r;
        s->rotation[s->rotations++] = (tac_rotation){cosine, sine};
        g = diagonal[i + 1] - shift;
        const double along = (diagonal[i] - g) * sine + 2 * cosine * b;
        shift = sine * along;
        diagonal[i + 1] = g + shift;
        g = cosine * along - b;
    }
    diagonal[low] -= shift;
    beside[low] = g;
}

/* Where the part that begins at `low` ends: the first neighbor that is as good as 0 beside it. */
static size_t part_end(const double *beside, size_t low, size_t d, double least)
{
    while (low + 1 < d && fabs(beside[low]) > least) low++;
    return low;
}

tacit_status tac_diagonalise(tacit_ctx *ctx, size_t d, double *diagonal, double *beside,
                             tac_sweeps *out)
{
    tacit_status status = TACIT_OK;
    tac_sweeps s = {0};
    double largest = 0;

    for (size_t i = 0; i < d; i++)
        largest = fmax(largest, fmax(fabs(diagonal[i]), fabs(beside[i])));
    for (size_t low = 0; low < d; low++) {
        if (low % 64 == 0) TAC_TRY(tac_check_cancel(ctx));
        for (int turn = 0;; turn++) {
            const size_t high = part_end(beside, low, d, NEGLIGIBLE * largest), first = s.rotations;
            if (high == low) break;
            if (turn == TURNS) {
                status = tac_fail(ctx, TACIT_E_INTERNAL, "eigenvectors: QL did not converge");
                goto done;
            }
            TAC_TRY(make_room(ctx, d, &s));
            sweep_up(diagonal, beside, low, high, &s);
            s.sweep[s.sweeps++] = (tac_sweep){high - (s.rotations - first), high, first};
        }
    }
    *out = s;
    s = (tac_sweeps){0};
done:
    tac_sweeps_close(&s);
    return status;
}

void tac_sweeps_back(const tac_sweeps *s, double *panel)
{
    const int level = tac_cpu();

    for (size_t i = s->sweeps; i-- > 0;) {
        const tac_sweep *one = s->sweep + i;
        unsweep[level](s->rotation + one->first + (one->high - one->low) - 1, one->low, one->high,
                       panel);
    }
}
