/* SPDX-License-Identifier: Apache-2.0 */
/* Error bars of a cut release: how often what would have come without noise lies within one and two
   of them. Releases are made here, from cells without noise and noise as the release states it, so
   that the answer is known. A normal number is within them in 0.683 and 0.954 of all cases; ALARM
   in z has a false alarm in 1e-6 of runs, and seeds are fixed anyway. */
#include "release_text.h"

#include "mixed_dice.h"
#include "statistics.h"

#include <math.h>

enum { CELLS = 8, RUNS = 1500 };
#define POINT_SD 0.004
#define WEIGHT_SD 7.0
#define CENTER_SD 0.003
#define SIZE_SD 5.0
/* bars are of first order: what they miss, with noise of a twentieth of weights and sizes */
#define SLACK 0.01

/* Two released clusters, four cells each, in two pairs each; from the middle, in parts of the
   ranges. The pairs of the second lie further apart: three clusters divide it alone. */
static const double truth[CELLS][3] = {
    {-0.42, -0.31, 150}, {-0.38, -0.29, 200}, {-0.22, -0.25, 150}, {-0.18, -0.27, 100},
    {0.18, 0.10, 120},   {0.22, 0.14, 80},    {0.40, 0.30, 110},   {0.44, 0.26, 90}};

/* Mean of column j of the cells from `first` up to `end`, and their rows. */
static double mean_of(int first, int end, int j, double *rows)
{
    double sum = 0, all = 0;

    for (int i = first; i < end; i++) sum += truth[i][2] * truth[i][j], all += truth[i][2];
    if (rows != NULL) *rows = all;
    return sum / all;
}

static const double range[2] = {120, 60};

/* The golden release with these cells, centers and sizes, all noisy. */
static void make_noisy(tacit_model *m)
{
    tac_released_cells *s = m->synopsis;

    for (int c = 0; c < 2; c++) {
        double rows;
        for (int j = 0; j < 2; j++) {
            const double exact = mean_of(4 * c, 4 * c + 4, j, &rows);
            m->centers[2 * c + j] = (0.5 + exact + CENTER_SD * normal()) * range[j];
            m->centers_sd[2 * c + j] = CENTER_SD * range[j];
        }
        m->sizes[c] = rows + SIZE_SD * normal();
    }
    m->sizes_sd = SIZE_SD;
    s->weight_sd = WEIGHT_SD;
    for (int i = 0; i < CELLS; i++) {
        s->weight[i] = truth[i][2] + WEIGHT_SD * normal();
        s->point_sd[i] = POINT_SD;
        s->spread[i] = 0.01;
        for (int j = 0; j < 2; j++) s->point[2 * i + j] = truth[i][j] + POINT_SD * normal();
    }
}

typedef struct seen {
    int within[2], numbers; /* centers: within one and two error bars */
    int sizes_within[2], sizes;
} seen;

/* Compares a cut cluster with the cells it is made of: those from first up to end. */
static void compare(const tacit_model *cut, int first, int end, seen *s)
{
    double exact[2], rows, least = INFINITY;
    int32_t at = 0;

    for (int j = 0; j < 2; j++) exact[j] = (0.5 + mean_of(first, end, j, &rows)) * range[j];
    for (int32_t c = 0; c < tacit_model_k(cut); c++) {
        const double far = hypot((tacit_model_centers(cut)[2 * c] - exact[0]) / range[0],
                                 (tacit_model_centers(cut)[2 * c + 1] - exact[1]) / range[1]);
        if (far < least) least = far, at = c;
    }
    for (int j = 0; j < 2; j++) {
        const double z = fabs(tacit_model_centers(cut)[2 * at + j] - exact[j]) /
                         tacit_model_centers_sd(cut)[2 * at + j];
        for (int times = 1; times <= 2; times++) s->within[times - 1] += z <= times;
        s->numbers++;
    }
    const double z = fabs(tacit_model_sizes(cut)[at] - rows) / tacit_model_sizes_sd(cut);
    for (int times = 1; times <= 2; times++) s->sizes_within[times - 1] += z <= times;
    s->sizes++;
}

static void test_coverage(void)
{
    /* where clusters begin, in pairs; the last number is the end */
    static const struct {
        int32_t k;
        int begin[5];
    } cut[] = {{1, {0, 4}}, {3, {0, 2, 3, 4}}, {4, {0, 1, 2, 3, 4}}};
    static const double normal_within[2] = {0.6827, 0.9545};
    tacit_model *m = NULL, *other = NULL;

    MUST(read_text(golden, strlen(golden), &m) == TACIT_OK &&
         tac_released_cells_new(ctx, CELLS, 2, 2, false, &m->synopsis) == TACIT_OK);
    m->synopsis->total = NAN;
    dice = 21;
    for (size_t t = 0; t < sizeof cut / sizeof *cut; t++) {
        seen s = {0};
        for (int run = 0; run < RUNS; run++) {
            make_noisy(m);
            MUST(tacit_model_recut(ctx, m, cut[t].k, 0, &other) == TACIT_OK);
            for (int32_t c = 0; c < cut[t].k; c++)
                compare(other, 2 * cut[t].begin[c], 2 * cut[t].begin[c + 1], &s);
            tacit_model_free(other);
        }
        for (int times = 1; times <= 2; times++) {
            const double part = (double)s.within[times - 1] / s.numbers,
                         p = normal_within[times - 1],
                         /* both numbers of a center share weights: count it as one */
                sd = sqrt(p * (1 - p) / (s.numbers / 2.0));
            CHECK(fabs(part - p) < SLACK + ALARM * sd,
                  "%d clusters: %.3f of centers' numbers within %d error bars, %.3f expected",
                  cut[t].k, part, times, p);
            CHECK((double)s.sizes_within[times - 1] / s.sizes >
                      p - SLACK - ALARM * sqrt(p * (1 - p) / s.sizes),
                  "... and %.3f of sizes: the widest bar stands for all",
                  (double)s.sizes_within[times - 1] / s.sizes);
        }
    }
    tacit_model_free(m);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK && mkdtemp(folder) != NULL);
    test_coverage();
    tacit_ctx_free(ctx);
    leave_folder();
    return tap_done();
}
