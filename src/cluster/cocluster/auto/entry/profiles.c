/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, deviations and scores of profiles: post-processing of noisy tables. Nothing here sees an
   exact count. */
#include "cluster/cocluster/auto/entry/profiles.h"

#include "cluster/cocluster/entry_labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHRINK 20.0     /* 1 / variance that true shares of a column have between clusters, about */
#define SHARE_LEAST 0.5 /* of a fair share: smaller profiles are lifted as if they had it */
#define CUT 0.7         /* this quantile of the columns' ranges is the range of a draw */

tacit_status tac_profiles_open(tacit_ctx *ctx, int32_t count, int32_t columns, tac_profiles *p)
{
    tacit_status status = TACIT_OK;
    const size_t cells = (size_t)count * (size_t)columns;

    *p = (tac_profiles){.count = count, .columns = columns};
    TAC_TRY(tac_new(ctx, cells, sizeof *p->sum, &p->sum));
    TAC_TRY(tac_new(ctx, cells, sizeof *p->deviation, &p->deviation));
    TAC_TRY(tac_new(ctx, cells, sizeof *p->score, &p->score));
    TAC_TRY(tac_new(ctx, (size_t)count, sizeof *p->mass, &p->mass));
    TAC_TRY(tac_new(ctx, (size_t)columns, sizeof *p->scratch, &p->scratch));
done:
    return status;
}

void tac_profiles_close(tac_profiles *p)
{
    tac_free(p->sum);
    tac_free(p->deviation);
    tac_free(p->score);
    tac_free(p->mass);
    tac_free(p->scratch);
    *p = (tac_profiles){0};
}

/* sum <- answer + keep sum; variance <- sd^2 + keep^2 variance, noise being independent. */
void tac_profiles_add(tac_profiles *p, const int64_t *answer, double sd, double keep)
{
    const size_t cells = (size_t)p->count * (size_t)p->columns;

    for (size_t e = 0; e < cells; e++)
        p->sum[e] = ldexp((double)answer[e], -TAC_COUNT_GRID) + keep * p->sum[e];
    p->variance = sd * sd + keep * keep * p->variance;
}

/* With y the sums, c_j = sum_k y_kj, r_k the share of profile k in all counts: deviation e_kj =
     y_kj - r_k c_j, and score_kj = e_kj c_j / (c_j^2 + SHRINK (variance + c_j / profiles)), c_j cut
     at 0.
   e / c is tau's score t_kl / t_.l - t_k. / T of a column on its own; the rest is the shrinkage
   that the best linear estimate of a column's shares has under that much noise of privacy and of
   sampling. Tau's scores grow with the profile's own share, so that large profiles draw rows from
   small ones, which soon are empty while two clusters share one profile. With f e_kj instead of
   e_kj, f = (1 / (profiles r_k))^even, all profiles draw alike. Noise is lifted like the deviation,
   so the shrinkage is SHRINK f^2: without that rows are drawn by the noise of small profiles. */
void tac_profiles_score(tac_profiles *p, double even)
{
    const size_t m = (size_t)p->columns, k = (size_t)p->count;
    double all = 0;

    memset(p->scratch, 0, m * sizeof *p->scratch);
    for (size_t a = 0; a < k; a++) {
        const double *y = p->sum + a * m;
        double mass = 0;
        for (size_t j = 0; j < m; j++) {
            mass += y[j];
            p->scratch[j] += y[j];
        }
        p->mass[a] = fmax(mass, 0);
        all += p->mass[a];
    }
    for (size_t a = 0; a < k; a++) {
        const double r = all > 0 ? p->mass[a] / all : 1 / (double)k;
        const double lift = pow(1 / fmax((double)k * r, SHARE_LEAST), even);
        for (size_t j = 0; j < m; j++) {
            const double c = p->scratch[j], seen = c > 0 ? c : 0, e = p->sum[a * m + j] - r * c;
            const double noise = lift * lift * (p->variance + seen / (double)k);
            const double under = seen * seen + SHRINK * noise;
            p->deviation[a * m + j] = e;
            p->score[a * m + j] = under > 0 ? lift * e * seen / under : 0;
        }
    }
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* max - min of the scores of column j over profiles: the most that one of its counts moves a
   draw. */
static double range_of(const tac_profiles *p, size_t j)
{
    double most = p->score[j], least = most;

    for (size_t a = 1; a < (size_t)p->count; a++) {
        const double s = p->score[a * (size_t)p->columns + j];
        most = fmax(most, s);
        least = fmin(least, s);
    }
    return most - least;
}

/* score_kj min(1, q / range_j), q a quantile of the positive ranges. Sensitivity is the largest
   range, so without the cut a few extreme columns would use up the epsilon of a draw. */
void tac_profiles_cut(tac_profiles *p, int32_t *whole)
{
    const size_t m = (size_t)p->columns, k = (size_t)p->count;
    size_t some = 0;
    double most = 0;

    for (size_t j = 0; j < m; j++) {
        const double range = range_of(p, j);
        if (range > 0) p->scratch[some++] = range;
    }
    qsort(p->scratch, some, sizeof *p->scratch, by_size);
    const double q = some > 0 ? p->scratch[(size_t)(CUT * (double)(some - 1))] : 0;
    for (size_t j = 0; j < m; j++) {
        const double range = range_of(p, j);
        p->scratch[j] = range > q ? q / range : 1;
    }
    for (size_t e = 0; e < k * m; e++) most = fmax(most, fabs(p->score[e] * p->scratch[e % m]));
    for (size_t a = 0; a < k; a++)
        for (size_t j = 0; j < m; j++)
            whole[a * m + j] =
                most > 0
                    ? (int32_t)lrint(p->score[a * m + j] * p->scratch[j] / most * TAC_SCORE_MOST)
                    : 0;
}

void tac_profiles_columns(const tac_profiles *p, int32_t *group, double *z)
{
    const size_t m = (size_t)p->columns;
    const double sd = sqrt(p->variance);

    for (size_t j = 0; j < m; j++) {
        group[j] = 0;
        for (int32_t a = 1; a < p->count; a++)
            if (p->deviation[(size_t)a * m + j] > p->deviation[(size_t)group[j] * m + j])
                group[j] = a;
        z[j] = sd > 0 ? p->deviation[(size_t)group[j] * m + j] / sd : 0;
    }
}
