/* SPDX-License-Identifier: Apache-2.0 */
/* The simplified silhouette of a synopsis for many k at once: one Ward tree, and a few Lloyd steps
   from each of its cuts. */
#include "solve/kmeans/choose_k_internal.h"
#include "solve/kmeans/distances.h"
#include "solve/kmeans/ward.h"

#include <math.h>
#include <string.h>

enum {
    EVERY = 32, /* all k up to here ... */
    STEP = 24,  /* ... then steps of k / STEP */
    STEPS = 15, /* of Lloyd from each cut, at most */
    STEPS_LEAST = 2
};
/* a center is weak if it has less than such a part of an even share of the rows, and noise may have
   made it (standard deviations of a weight) or it is a few rows far off (a part of all rows) */
#define SMALL 0.1
#define WEAK 3.0
#define TINY 1e-3
#define WORK 2e9 /* multiplications that all steps together may cost, about */

void tac_k_grid(int32_t k_max, bool *wanted)
{
    for (int32_t k = 0; k <= k_max; k++) wanted[k] = false;
    for (int32_t k = 2; k <= k_max; k += k < EVERY || k < 2 * STEP ? 1 : k / STEP) wanted[k] = true;
    if (k_max > 1) wanted[k_max] = true;
}

typedef struct scorer {
    tac_k_clear cells;
    double rows;     /* of all */
    double *blur;    /* n: spread and noise of a cell: below it nothing is apart */
    int32_t *label;  /* n: number of the cell that took this one in */
    int32_t *number; /* n: of that cell among those left */
    double *center, *mass, *lanes;
    double *first, *second; /* n: squared distances to the nearest two centers */
    int32_t *near;          /* n */
} scorer;

/* The nearest two centers of every cell. Returns whether a cell has changed its center. */
static bool assign(scorer *s, int32_t k)
{
    const int32_t n = s->cells.n, d = s->cells.d;
    double out[TAC_POINTS * TAC_NEAR];
    bool moved = false;

    tac_lay_lanes(s->center, k, d, s->lanes);
    for (int32_t i = 0; i < n; i += TAC_POINTS) {
        const int many = n - i < TAC_POINTS ? n - i : TAC_POINTS;
        const double *point[TAC_POINTS];
        double first[TAC_POINTS], second[TAC_POINTS];
        int32_t near[TAC_POINTS] = {0};
        for (int p = 0; p < TAC_POINTS; p++) {
            point[p] = s->cells.points + (ptrdiff_t)(i + (p < many ? p : many - 1)) * d;
            first[p] = second[p] = INFINITY;
        }
        for (int32_t from = 0; from < k; from += TAC_NEAR) {
            tac_squared(point, s->lanes, k, d, from, out);
            for (int p = 0; p < many; p++)
                for (int32_t c = 0; c < TAC_NEAR && from + c < k; c++) {
                    const double far = s->mass[from + c] > 0 ? out[p * TAC_NEAR + c] : INFINITY;
                    if (far < first[p])
                        second[p] = first[p], first[p] = far, near[p] = from + c;
                    else if (far < second[p])
                        second[p] = far;
                }
        }
        for (int p = 0; p < many; p++) {
            moved = moved || s->near[i + p] != near[p];
            s->near[i + p] = near[p];
            s->first[i + p] = first[p];
            s->second[i + p] = second[p];
        }
    }
    return moved;
}

/* Centers become the means of their cells; one that has lost all of them has mass 0. */
static void move_centers(scorer *s, int32_t k)
{
    const size_t d = (size_t)s->cells.d;

    memset(s->mass, 0, (size_t)k * sizeof *s->mass);
    memset(s->center, 0, (size_t)k * d * sizeof *s->center);
    for (size_t i = 0; i < (size_t)s->cells.n; i++) {
        const double w = s->cells.weight[i];
        double *center = s->center + (size_t)s->near[i] * d;
        s->mass[s->near[i]] += w;
        for (size_t j = 0; j < d; j++) center[j] += w * s->cells.points[i * d + j];
    }
    for (size_t c = 0; c < (size_t)k; c++)
        for (size_t j = 0; j < d && s->mass[c] > 0; j++) s->center[c * d + j] /= s->mass[c];
}

/* sum w (1 - sqrt((b + d1) / (b + d2))) / sum w: a row is nearer to its center than to the next by
   about that factor. Times the share of centers that are not weak, which alone are looked at: one
   cell far off would make everything else look like one tight group. */
static double silhouette(scorer *s, int32_t k, double least)
{
    const double weak = fmin(least, SMALL * s->rows / k);
    double sum = 0, all = 0;
    int32_t kept = 0;

    move_centers(s, k);
    for (int32_t c = 0; c < k; c++) {
        if (s->mass[c] < weak) s->mass[c] = 0;
        kept += s->mass[c] > 0;
    }
    assign(s, k);
    for (int32_t i = 0; i < s->cells.n; i++) {
        const double b = s->blur[i], w = s->cells.weight[i];
        all += w;
        if (b + s->second[i] > 0 && isfinite(s->second[i]))
            sum += w * (1 - sqrt((b + s->first[i]) / (b + s->second[i])));
    }
    return all > 0 ? sum / all * kept / k : 0;
}

/* The cut of the tree that leaves k cells, then Lloyd. */
static double score_cut(scorer *s, int32_t k, int32_t steps, double least)
{
    int32_t next = 0;

    for (int32_t i = 0; i < s->cells.n; i++)
        if (s->label[i] == i) s->number[i] = next++;
    for (int32_t i = 0; i < s->cells.n; i++) s->near[i] = s->number[s->label[i]];
    for (int32_t t = 0; t < steps; t++) {
        move_centers(s, k);
        if (!assign(s, k)) break;
    }
    return silhouette(s, k, least);
}

static tacit_status make_room(tacit_ctx *ctx, scorer *s, int32_t most)
{
    tacit_status status = TACIT_OK;
    const size_t n = (size_t)s->cells.n, d = (size_t)s->cells.d, k = (size_t)most;

    TAC_TRY(tac_new(ctx, n, sizeof(double), &s->blur));
    TAC_TRY(tac_new(ctx, n, sizeof(int32_t), &s->label));
    TAC_TRY(tac_new(ctx, n, sizeof(int32_t), &s->number));
    TAC_TRY(tac_new(ctx, n, sizeof(int32_t), &s->near));
    TAC_TRY(tac_new(ctx, n, sizeof(double), &s->first));
    TAC_TRY(tac_new(ctx, n, sizeof(double), &s->second));
    TAC_TRY(tac_new(ctx, k * d, sizeof(double), &s->center));
    TAC_TRY(tac_new(ctx, k, sizeof(double), &s->mass));
    TAC_TRY(tac_new(ctx, tac_lanes_size(most, s->cells.d), sizeof(double), &s->lanes));
    for (size_t i = 0; i < n; i++) {
        s->blur[i] = s->cells.spread[i] +
                     (double)d * s->cells.noise[i] / (s->cells.weight[i] * s->cells.weight[i]);
        s->label[i] = (int32_t)i;
    }
done:
    return status;
}

static void free_room(scorer *s)
{
    tac_k_clear_free(&s->cells);
    tac_free(s->blur);
    tac_free(s->label);
    tac_free(s->number);
    tac_free(s->near);
    tac_free(s->first);
    tac_free(s->second);
    tac_free(s->center);
    tac_free(s->mass);
    tac_free(s->lanes);
}

tacit_status tac_k_silhouettes(tacit_ctx *ctx, const tac_k_cells *cells, int32_t k_max,
                               const bool *wanted, double *score)
{
    tacit_status status = TACIT_OK;
    double *points = NULL, *weight = NULL, all = 0;
    tac_join *join = NULL;
    int32_t joins = 0;
    scorer s = {0};

    for (int32_t k = 0; k <= k_max; k++) score[k] = NAN;
    TAC_TRY(tac_k_clear_cells(ctx, cells, true, &s.cells));
    const int32_t n = s.cells.n, most = n < k_max ? n : k_max;
    const size_t numbers = (size_t)n * (size_t)cells->d;
    TAC_TRY(make_room(ctx, &s, most > 0 ? most : 1));
    TAC_TRY(tac_new(ctx, numbers, sizeof *points, &points));
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *weight, &weight));
    TAC_TRY(tac_new(ctx, (size_t)n, sizeof *join, &join));
    memcpy(points, s.cells.points, numbers * sizeof *points);
    memcpy(weight, s.cells.weight, (size_t)n * sizeof *weight);
    TAC_TRY(tac_ward(ctx, points, weight, n, cells->d, join, &joins));
    for (int32_t i = 0; i < n; i++) s.rows += s.cells.weight[i];
    for (int32_t k = 2; k <= most; k++) all += wanted[k] ? k : 0;
    const double least = fmax(WEAK * cells->weight_sd, TINY * s.rows);
    const double afford = WORK / (all * (double)numbers + 1);
    const int32_t steps = afford > STEPS         ? STEPS
                          : afford < STEPS_LEAST ? STEPS_LEAST
                                                 : (int32_t)afford;
    for (int32_t left = n, t = 0; left > 1; left--, t++) {
        if (left <= most && wanted[left]) score[left] = score_cut(&s, left, steps, least);
        if (t >= joins) break;
        for (int32_t i = 0; i < n; i++)
            if (s.label[i] == join[t].from) s.label[i] = join[t].into;
    }
done:
    free_room(&s);
    tac_free(points);
    tac_free(weight);
    tac_free(join);
    return status;
}
