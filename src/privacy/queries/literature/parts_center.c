/* SPDX-License-Identifier: Apache-2.0 */
/* Which result most others are near, how far one privacy unit can move that choice, and what of
   it is released. Subspaces and points are real vectors, so this is floating point, with room
   for its rounding in every bound. Proof: parts.proof.md */
#include "privacy/queries/literature/parts.h"

#include "core/gram_schmidt.h"
#include "solve/subspace/subspaces.h"

#include <math.h>
#include <stdlib.h>

/* FEW: results of so many are gauged without memory of their own */
enum { TURN_MOST = 16, SWEEPS = 30, FEW = 16 };
/* times sqrt(k q): what rounding of distances, and vectors orthonormal to 1e-13 only, may hide */
#define SLACK 2e-6

/* Sum of the singular values of the q x q matrix a (one-sided Jacobi; a is used up). */
static double singular_sum(double *a, int32_t q)
{
    double sum = 0;

    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool turned = false;
        for (int32_t i = 0; i < q; i++)
            for (int32_t j = i + 1; j < q; j++) {
                double *x = a + i * q, *y = a + j * q, xx = 0, yy = 0, xy = 0;
                for (int32_t t = 0; t < q; t++) {
                    xx += x[t] * x[t];
                    yy += y[t] * y[t];
                    xy += x[t] * y[t];
                }
                if (fabs(xy) <= 1e-15 * sqrt(xx * yy) || fabs(xy) < 1e-300) continue;
                const double zeta = (yy - xx) / (2 * xy),
                             tangent = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
                const double c = 1 / sqrt(1 + tangent * tangent), s = c * tangent;
                turned = true;
                for (int32_t t = 0; t < q; t++) {
                    const double was = x[t];
                    x[t] = c * was - s * y[t];
                    y[t] = s * was + c * y[t];
                }
            }
        if (!turned) break;
    }
    for (int32_t i = 0; i < q; i++) {
        double square = 0;
        for (int32_t t = 0; t < q; t++) square += a[i * q + t] * a[i * q + t];
        sum += sqrt(square);
    }
    return sum;
}

/* min over O of |U - V O|_F^2 = 2 q - 2 (sum of the cosines of the principal angles). room: q q. */
static double turned_gap(const double *a, const double *b, int32_t q, int32_t d, double *room)
{
    for (int32_t i = 0; i < q; i++)
        for (int32_t j = 0; j < q; j++) {
            double dot = 0;
            for (int32_t t = 0; t < d; t++)
                dot += a[(size_t)i * (size_t)d + (size_t)t] * b[(size_t)j * (size_t)d + (size_t)t];
            room[i * q + j] = dot;
        }
    return fmax(0, 2 * (q - singular_sum(room, q)));
}

/* |u - v|^2 */
static double point_gap(const double *a, const double *b, int32_t d)
{
    double sum = 0;

    for (int32_t t = 0; t < d; t++) sum += (a[t] - b[t]) * (a[t] - b[t]);
    return sum;
}

/* The least total cost over all pairings of the k subspaces or points (assignment problem), then
   its root: a metric on sets. */
tacit_status tac_parts_distance(tacit_ctx *quiet, const tac_parts *plan, const double *a,
                                const double *b, int32_t dims, double *out)
{
    tacit_status status = TACIT_OK;
    const int32_t k = plan->k, q = plan->q;
    const size_t each = (size_t)q * (size_t)dims;
    double few[FEW * FEW], *many = NULL, *cost = few, room[TURN_MOST * TURN_MOST], total;
    int32_t few_to[FEW], *many_to = NULL, *to = few_to;

    if (q > TURN_MOST)
        return tac_subspaces_gap(quiet, a, b, k, q, dims, TAC_GAP_PROJECTORS, out, NULL);
    if (k > FEW) {
        TAC_TRY(tac_new(quiet, (size_t)k * (size_t)k, sizeof *cost, &many));
        TAC_TRY(tac_new(quiet, (size_t)k, sizeof *to, &many_to));
        cost = many;
        to = many_to;
    }
    for (int32_t i = 0; i < k; i++)
        for (int32_t j = 0; j < k; j++)
            cost[(size_t)i * (size_t)k + (size_t)j] =
                plan->points
                    ? point_gap(a + (size_t)i * each, b + (size_t)j * each, dims)
                    : turned_gap(a + (size_t)i * each, b + (size_t)j * each, q, dims, room);
    TAC_TRY(tac_match(quiet, cost, k, to, &total));
    *out = sqrt(fmax(0, total));
done:
    tac_free(many);
    tac_free(many_to);
    return status;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The rank-th smallest of the results' distances to their t-th nearest (both from 1); the diameter
   beyond the end. */
static double ranked(const tac_parts_rule *rule, const double *reach, int64_t rank, int64_t t,
                     double *room)
{
    const int64_t m = rule->parts;

    if (rank > m || t > m) return rule->diameter;
    for (int64_t i = 0; i < m; i++) room[i] = reach[i * m + t - 1];
    qsort(room, (size_t)m, sizeof *room, ascending);
    return room[rank - 1];
}

/* max over steps of e^(-beta step) times the local sensitivity at distance `step`: results that
   are changed move ranks by `touched` a step. */
double tac_parts_smooth(const tac_parts_rule *rule, const double *reach, double *room,
                        int32_t *center)
{
    const int64_t m = rule->parts, s = rule->touched, half = (m + s) / 2 + 1;
    double most = 0;

    *center = 0;
    for (int32_t i = 1; i < m; i++)
        if (reach[i * m + half - 1] < reach[*center * m + half - 1]) *center = i;
    for (int64_t step = 0; half + (step - 1) * s <= m; step++) {
        const double one = ranked(rule, reach, 1 + step * s, half + step * s, room);
        const double two = ranked(rule, reach, 1 + (step + 1) * s, half + (step + 1) * s, room);
        most = fmax(most, fmin(rule->diameter, one + two) * exp(-rule->beta * (double)step));
    }
    return most;
}

/* Distances between all results: reach is parts x parts, and row i belongs to the worker of i. */
typedef struct gauging {
    const tac_parts *plan;
    const double *results;
    int32_t dims;
    int64_t parts;
    double *reach;
    tacit_ctx quiet;
} gauging;

/* Distances of result i to the later ones: the same both ways. */
static tacit_status gauge(void *state, int64_t i, int worker)
{
    tacit_status status = TACIT_OK;
    const gauging *g = state;
    const size_t size = (size_t)g->plan->k * (size_t)g->plan->q * (size_t)g->dims;
    double *reach = g->reach + i * g->parts;
    tacit_ctx own = g->quiet;

    (void)worker;
    for (int64_t j = i + 1; j < g->parts; j++)
        TAC_TRY(tac_parts_distance(&own, g->plan, g->results + (size_t)i * size,
                                   g->results + (size_t)j * size, g->dims, &reach[j]));
done:
    return status;
}

static tacit_status sort_reach(void *state, int64_t i, int worker)
{
    const gauging *g = state;

    (void)worker;
    qsort(g->reach + i * g->parts, (size_t)g->parts, sizeof *g->reach, ascending);
    return TACIT_OK;
}

/* the stream of rotations, beside those of the random split and of noise */
#define TURNS ((UINT64_C(1) << 40) + 1)

/* A standard normal number, to 53 bits. */
static double normal(tac_stream *stream)
{
    const double u = ((double)(tac_word(stream) >> 11) + 0.5) * 0x1p-53,
                 v = (double)(tac_word(stream) >> 11) * 0x1p-53;
    return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* A rotation of q dimensions, uniform (Haar): Gram-Schmidt on normal vectors. A vector that is
   left too short is drawn again, which reveals nothing about the rotation (lengths and
   directions are independent) and keeps rounding below 1e-12. */
static void draw_rotation(tac_stream *stream, int32_t q, double *turn)
{
    for (int32_t i = 0; i < q; i++) {
        double *v = turn + (size_t)i * (size_t)q, length = 0;
        for (int32_t t = 0; t < q; t++) v[t] = normal(stream);
        for (int pass = 0; pass < 2; pass++) tac_take_off(v, turn, i, (size_t)q);
        for (int32_t t = 0; t < q; t++) length += v[t] * v[t];
        length = sqrt(length);
        for (int32_t t = 0; t < q; t++) v[t] /= length;
        if (length < 1e-3) i--;
    }
}

/* The result's vectors, rotated uniformly at random within each subspace, the subspaces in an
   order drawn uniformly at random, rounded to the grid. Their distribution depends on the set of
   subspaces alone, whatever noise comes next. Points are not rotated. */
static tacit_status shuffle(const tac_door *door, const tac_parts *plan, const double *result,
                            uint64_t *words)
{
    tacit_status status = TACIT_OK;
    const size_t q = (size_t)plan->q, d = (size_t)tac_door_lattice(door, TAC_ROWS)->dims,
                 each = q * d;
    tac_stream stream;
    double *turn = NULL;
    int32_t *order = NULL;

    TAC_TRY(tac_new(door->ctx, q * q, sizeof *turn, &turn));
    TAC_TRY(tac_new(door->ctx, (size_t)plan->k, sizeof *order, &order));
    TAC_TRY(tac_stream_open(door->ctx, door->key, 0, TURNS, &stream)); /* it is the first query */
    for (int32_t c = 0; c < plan->k; c++) { /* Fisher-Yates from within */
        const int32_t at = (int32_t)tac_below(&stream, (uint64_t)c + 1);
        order[c] = order[at];
        order[at] = c;
    }
    for (size_t c = 0; c < (size_t)plan->k; c++) {
        const double *from = result + (size_t)order[c] * each;
        if (plan->points)
            turn[0] = 1;
        else
            draw_rotation(&stream, plan->q, turn);
        for (size_t i = 0; i < q; i++)
            for (size_t j = 0; j < d; j++) {
                double sum = 0;
                for (size_t t = 0; t < q; t++) sum += turn[i * q + t] * from[t * d + j];
                words[c * each + i * d + j] = (uint64_t)llrint(ldexp(sum, TAC_PARTS_GRID));
            }
    }
    tac_stream_close(&stream);
done:
    tac_free(turn);
    tac_free(order);
    return status;
}

/* All pairwise distances on the engine's workers, then the smooth bound, with slack for rounding
   and for the grid, then sigma = ceil(bound / alpha). */
tacit_status tac_parts_center(const tac_door *door, const tac_parts *plan,
                              const tac_parts_rule *rule, const double *results, uint64_t *words,
                              uint64_t *sigma)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = tac_door_lattice(door, TAC_ROWS)->dims;
    const size_t m = (size_t)rule->parts, size = (size_t)plan->k * (size_t)plan->q * (size_t)dims;
    gauging g = {
        .plan = plan,
        .results = results,
        .dims = dims,
        .parts = rule->parts,
        .quiet = {.threads = 1, .block_bytes = door->ctx->block_bytes, .parent = door->ctx}};
    double *room = NULL;
    int32_t center = 0;

    TAC_TRY(tac_new(door->ctx, m * m, sizeof *g.reach, &g.reach));
    TAC_TRY(tac_new(door->ctx, m, sizeof *room, &room));
    TAC_TRY(door->engine->map(door->engine, door->ctx, rule->parts, gauge, &g));
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < i; j++) g.reach[i * m + j] = g.reach[j * m + i];
    TAC_TRY(door->engine->map(door->engine, door->ctx, rule->parts, sort_reach, &g));
    const double bound = tac_parts_smooth(rule, g.reach, room, &center) +
                         SLACK * sqrt((double)plan->k * plan->q) +
                         sqrt((double)size) * ldexp(2, -TAC_PARTS_GRID);
    const double scale = ceil(ldexp(bound / rule->alpha, TAC_PARTS_GRID));
    *sigma = scale > (double)TAC_PARTS_SIGMA_LEAST ? (uint64_t)scale : TAC_PARTS_SIGMA_LEAST;
    TAC_TRY(shuffle(door, plan, results + (size_t)center * size, words));
done:
    tac_free(g.reach);
    tac_free(room);
    return status;
}
