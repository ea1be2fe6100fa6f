/* SPDX-License-Identifier: Apache-2.0 */
/* Noisy Lloyd: SuLQ k-means (Blum, Dwork, McSherry & Nissim 2005), DP-Lloyd (Su et al. 2016).

   A paid count of rows sets the schedule; then every round asks one joint query, the sums and
   counts of the cells of the current centers, and moves each center to the noisy mean of its cell,
   shrunk towards where it was as far as noise alone would explain the move (James-Stein). What is
   beyond the papers: the shrinking, the shares that grow from round to round, and the re-seeding of
   reseed.c. Only the two kinds of queries touch rows. */
#include "cluster/kmeans/literature/lloyd/lloyd.h"
#include "cluster/kmeans/spread_centers.h"

#include <math.h>
#include <string.h>

#define LIVE 2.0 /* a cell is readable if its count is above so many standard deviations */
/* the pooled mean divides by no less than so many standard deviations of the row count */
#define FEWEST_ROWS 3

typedef struct lloyd {
    tacit_ctx *ctx;
    tac_door *door;
    tac_lloyd_state s;
    tac_lloyd_schedule schedule;
    const tac_cells *first; /* cells of the first round; NULL: of the centers */
    double rows, rows_sd;   /* the paid count */
    double weight;          /* of counts in the joint query */
    double *sums;           /* k x dims, noisy */
    double *mean;           /* pooled mean of all rows, from the first round */
    int64_t *answer;        /* k x dims sums, then k counts, as the door gave them */
    int16_t *rounded;       /* k x dims: the centers as the door takes them */
} lloyd;

static tacit_status make_room(lloyd *l, int32_t k, int32_t dims)
{
    tacit_status status = TACIT_OK;
    const size_t cells = (size_t)k, numbers = (size_t)k * (size_t)dims;

    /* one more: tac_spread */
    TAC_TRY(tac_new(l->ctx, numbers + (size_t)dims, sizeof(double), &l->s.centers));
    TAC_TRY(tac_new(l->ctx, cells, sizeof(double), &l->s.count));
    TAC_TRY(tac_new(l->ctx, cells, sizeof(double), &l->s.mass));
    TAC_TRY(tac_new(l->ctx, cells, sizeof(bool), &l->s.live));
    TAC_TRY(tac_new(l->ctx, cells, sizeof(bool), &l->s.used));
    if (k <= TAC_LLOYD_MERGE_MOST)
        TAC_TRY(tac_new(l->ctx, cells * cells, sizeof(double), &l->s.pair));
    TAC_TRY(tac_new(l->ctx, numbers, sizeof(double), &l->sums));
    TAC_TRY(tac_new(l->ctx, (size_t)dims, sizeof(double), &l->mean));
    TAC_TRY(tac_new(l->ctx, numbers + cells, sizeof(int64_t), &l->answer));
    TAC_TRY(tac_new(l->ctx, numbers, sizeof(int16_t), &l->rounded));
done:
    return status;
}

static void free_room(lloyd *l)
{
    tac_free(l->s.centers);
    tac_free(l->s.count);
    tac_free(l->s.mass);
    tac_free(l->s.live);
    tac_free(l->s.used);
    tac_free(l->s.pair);
    tac_free(l->sums);
    tac_free(l->mean);
    tac_free(l->answer);
    tac_free(l->rounded);
}

/* Ask for the cells of the current centers; noisy sums and counts as real numbers. */
static tacit_status ask(lloyd *l, int32_t t, uint64_t quanta)
{
    tacit_status status = TACIT_OK;
    tac_lloyd_state *s = &l->s;
    const size_t numbers = (size_t)s->k * (size_t)s->dims;

    tac_round_points(s->centers, numbers, l->rounded);
    const tac_cells own = {.kind = TAC_NEAREST, .count = s->k, .centers = l->rounded};
    TAC_TRY(tac_door_sums(l->door, "Lloyd round", quanta,
                          t == 0 && l->first != NULL ? l->first : &own, TAC_ROWS,
                          l->schedule.count_weight, l->answer, l->answer + numbers));
    s->sd = tac_last_sd(l->door);
    s->count_sd = s->sd / l->weight;
    for (size_t i = 0; i < numbers; i++) l->sums[i] = (double)l->answer[i];
    for (int32_t c = 0; c < s->k; c++) {
        s->count[c] = (double)l->answer[numbers + (size_t)c] / l->weight;
        s->live[c] = s->count[c] > LIVE * s->count_sd;
    }
done:
    return status;
}

/* The mean of all rows from the first round's answer, shrunk to the middle of the domain. Its
   denominator joins the paid count and the sum of the cells' counts by their precision. */
static void pool(lloyd *l)
{
    tac_lloyd_state *s = &l->s;
    const double a = 1 / (l->rows_sd * l->rows_sd), b = 1 / (s->k * s->count_sd * s->count_sd);
    double all = 0, squares = 0;

    for (int32_t c = 0; c < s->k; c++) all += s->count[c];
    const double rows = fmax((a * l->rows + b * all) / (a + b), FEWEST_ROWS / sqrt(a + b));
    for (int32_t j = 0; j < s->dims; j++) {
        l->mean[j] = 0;
        for (int32_t c = 0; c < s->k; c++)
            l->mean[j] += l->sums[(size_t)c * (size_t)s->dims + (size_t)j];
        squares += l->mean[j] * l->mean[j];
    }
    const double noise = s->k * (double)s->dims * s->sd * s->sd;
    const double kept = squares > noise ? 1 - noise / squares : 0;
    for (int32_t j = 0; j < s->dims; j++) l->mean[j] *= kept / rows;
    tac_into_domain(s->frame, l->mean);
}

/* c <- P + g (S - N P) / N with g = max(0, 1 - E|noise of S - N P|^2 / |S - N P|^2), P where the
   center was (in the first round the pooled mean): a move that noise alone explains is not made. */
static void move(lloyd *l, int32_t c, const double *from)
{
    tac_lloyd_state *s = &l->s;
    const double *sum = l->sums + (size_t)c * (size_t)s->dims, n = s->count[c];
    double *center = s->centers + (size_t)c * (size_t)s->dims;
    double squares = 0, length = 0;

    for (int32_t j = 0; j < s->dims; j++) {
        squares += pow(sum[j] - n * from[j], 2);
        length += from[j] * from[j];
    }
    const double noise = s->sd * s->sd * s->dims + s->count_sd * s->count_sd * length;
    const double kept = squares > noise ? 1 - noise / squares : 0;
    for (int32_t j = 0; j < s->dims; j++)
        center[j] = from[j] + kept * (sum[j] - n * from[j]) / fmax(n, 1);
    tac_into_domain(s->frame, center);
}

/* The rounds. The first moves centers from the pooled mean, later ones from where they are. A
   cell below LIVE deviations does not move; between rounds it is put to use elsewhere. */
static tacit_status run_rounds(lloyd *l)
{
    tacit_status status = TACIT_OK;
    tac_lloyd_state *s = &l->s;
    const size_t dims = (size_t)s->dims;

    for (int32_t t = 0; t < l->schedule.rounds; t++) {
        bool any = false;
        tac_show_progress(l->ctx, "Lloyd rounds", (double)t / l->schedule.rounds);
        TAC_TRY(ask(l, t, tac_lloyd_round_quanta(&l->schedule, t)));
        if (t == 0) pool(l);
        for (int32_t c = 0; c < s->k; c++) any = any || s->live[c];
        for (int32_t c = 0; c < s->k; c++) {
            if (s->live[c])
                move(l, c, t == 0 ? l->mean : s->centers + (size_t)c * dims);
            else if (!any &&
                     t == 0) /* nothing can be read: every center is the mean, if even that */
                memcpy(s->centers + (size_t)c * dims, l->mean, dims * sizeof(double));
        }
        if (any && t < l->schedule.rounds - 1) tac_lloyd_reseed(s);
    }
    tac_show_progress(l->ctx, "Lloyd rounds", 1);
done:
    return status;
}

/* Standard deviation of S_j / N from the noise of the last round: sqrt(sd^2 + mean_j^2 sd_N^2) / N.
   The shrinking makes the released center vary less than this, at the price of a bias, so it is not
   taken off. */
static void write_result(const lloyd *l, int32_t k, tac_kmeans_result *out)
{
    const tac_lloyd_state *s = &l->s;
    const size_t dims = (size_t)s->dims;

    for (int32_t i = 0; i < k; i++) {
        const size_t c = (size_t)(i % s->k);
        const double n = fmax(s->count[c], fmax(LIVE * s->count_sd, 1));
        /* a repeated center serves no rows of its own */
        out->sizes[i] = i < s->k ? s->count[c] : 0;
        for (size_t j = 0; j < dims; j++) {
            const double at = s->centers[c * dims + j];
            out->centers[(size_t)i * dims + j] = at;
            out->centers_sd[(size_t)i * dims + j] =
                sqrt(s->sd * s->sd + at * at * s->count_sd * s->count_sd) / n;
        }
    }
    out->sizes_sd = s->count_sd;
    out->rounds = l->schedule.rounds;
}

/* A row is rarely further from its center than the next center is. */
static void set_radii(const tac_lloyd_state *s, double *radius)
{
    for (int32_t c = 0; c < s->k; c++) {
        double least = (double)TAC_M * TAC_M;
        for (int32_t o = 0; o < s->k; o++) {
            double squares = 0;
            for (int32_t j = 0; j < s->dims; j++)
                squares += pow(s->centers[(size_t)c * (size_t)s->dims + (size_t)j] -
                                   s->centers[(size_t)o * (size_t)s->dims + (size_t)j],
                               2);
            if (o != c && squares < least && squares > 1) least = squares;
        }
        radius[c] = sqrt(least);
    }
}

/* How much rows of a cluster differ; repeated centers have what the first has. */
static tacit_status ask_variances(lloyd *l, uint64_t quanta, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    tac_lloyd_state *s = &l->s;
    const size_t dims = (size_t)s->dims, own = (size_t)s->k * dims;
    double *radius = NULL;

    TAC_TRY(tac_new(l->ctx, (size_t)s->k, sizeof *radius, &radius));
    TAC_TRY(tac_kmeans_result_variances(l->ctx, s->dims, out));
    set_radii(s, radius);
    TAC_TRY(tac_ask_variances(l->ctx, l->door, quanta,
                              &(tac_variances){.k = s->k,
                                               .columns = s->dims,
                                               .center = out->centers,
                                               .center_sd = out->centers_sd,
                                               .count = s->count,
                                               .count_sd = s->count_sd,
                                               .radius = radius,
                                               .beyond = 1,
                                               .variance = out->variance,
                                               .variance_sd = out->variance_sd}));
    for (size_t i = own; i < (size_t)out->k * dims; i++) {
        out->variance[i] = out->variance[i % own];
        out->variance_sd[i] = out->variance_sd[i % own];
    }
done:
    tac_free(radius);
    return status;
}

/* Without cells to begin with, centers are spread over the domain. */
tacit_status tac_lloyd_rounds(const tac_kmeans_job *job, const tac_lloyd_start *start,
                              tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = job->frame->columns;
    lloyd l = {
        .ctx = job->ctx,
        .door = job->door,
        .s = {.frame = job->frame, .random = job->random, .k = start->schedule.k, .dims = dims},
        .schedule = start->schedule,
        .first = start->cells,
        .rows = start->rows,
        .rows_sd = start->rows_sd,
        .weight = start->schedule.count_weight};

    TAC_TRY(make_room(&l, l.s.k, dims));
    if (l.first == NULL) tac_spread(job->frame, l.s.k, job->random, l.s.centers);
    TAC_TRY(run_rounds(&l));
    write_result(&l, out->k, out);
    if (start->for_variances > 0) TAC_TRY(ask_variances(&l, start->for_variances, out));
done:
    free_room(&l);
    return status;
}

/* Count, schedule, rounds: the whole method. */
tacit_status tac_lloyd(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = job->frame->columns, k = job->opts->k;
    const uint64_t budget = tac_door_left(job->door);
    tac_lloyd_start start = {0};
    int64_t answer;

    TAC_TRY(tac_kmeans_result_new(job->ctx, k, dims, out));
    TAC_TRY(tac_door_count(job->door, "number of rows", tac_lloyd_count_quanta(budget), &answer));
    start.rows = ldexp((double)answer, -TAC_COUNT_GRID);
    start.rows_sd = ldexp(tac_last_sd(job->door), -TAC_COUNT_GRID);
    start.schedule = tac_lloyd_schedule_for(tac_door_params(job->door).definition, budget, k, dims,
                                            start.rows, start.rows_sd, job->opts->rounds);
    if (start.schedule.k <= TAC_LLOYD_MERGE_MOST)
        start.for_variances =
            tac_variance_quanta(job->door, start.schedule.k, dims, start.rows, budget);
    start.schedule.left -= start.for_variances;
    TAC_TRY(tac_lloyd_rounds(job, &start, out));
done:
    return status;
}
