/* SPDX-License-Identifier: Apache-2.0 */
/* After Smith 2011: plain k-means on many small parts of the rows, then one set of centres that most parts agree on: a
   noisy mean of the results, a noisy histogram of their distances from it, and the noisy mean of the results clipped to
   the ball that three quarters of them share. Noise is relative to that ball, so it is small when the parts agree, as is
   that of sample-aggregate, which needs no ball. The number of parts comes from a paid count. */
#include "cluster/kmeans/baselines/baseline.h"

#include <math.h>

#define ROUGH 0.30     /* shares of the budget: the first mean, ... */
#define RADIUS 0.09    /* ... the distances from it, ... */
#define SIZES 0.02     /* ... the sizes of the final centres; the clipped mean has the rest */
#define SHARED 0.75    /* of the results lie in the ball */
#define ROWS_EACH 10   /* rows of a part per centre, at least; more where sqrt(n) is more */
#define RESTARTS 5     /* of plain k-means on a part */
#define PARTS_MOST 65536
#define NUMBERS_MOST (1 << 26)
#define COORDINATES_MOST (1 << 24)
#define K_MOST 1000    /* the match of centres compares all with all */
#define EDGES 20
#define STEP M_SQRT2   /* between edges; the last is 2 M, the diameter */

static int32_t parts_for(int32_t k, int32_t dims, double rows)
{
    const double each = fmax(sqrt(fmax(rows, 1)), (double)ROWS_EACH * k), most = floor((double)NUMBERS_MOST / k / dims);
    return (int32_t)fmax(1, fmin(fmin(PARTS_MOST, most), floor(rows / each)));
}

typedef struct joint {
    const tac_kmeans_job *job;
    int32_t k, columns, dims, parts; /* dims = k columns */
    double *at;       /* the middle of the results so far */
    int16_t *rounded;
    int64_t *answer;  /* dims + 1 */
} joint;

/* Results are centres divided by sqrt(k): each centre back into its domain. */
static void into_domain(joint *a)
{
    const double root = sqrt(a->k);

    for (int32_t i = 0; i < a->k; i++) {
        double *center = a->at + (size_t)i * (size_t)a->columns;
        for (int32_t j = 0; j < a->columns; j++) center[j] *= root;
        tac_into_domain(a->job->frame, center);
        for (int32_t j = 0; j < a->columns; j++) center[j] /= root;
    }
    tac_round_points(a->at, (size_t)a->dims, a->rounded);
}

static const tac_cells all = {.kind = TAC_ONE_CELL, .count = 1};

static tacit_status ask_mean(joint *a, uint64_t units)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_door_sums(a->job->door, "mean of the parts' centres", units, &all, TAC_ROWS, 1, a->answer,
                          a->answer + a->dims));
    for (int32_t j = 0; j < a->dims; j++) a->at[j] = (double)a->answer[j] / a->parts;
    into_domain(a);
done:
    return status;
}

/* The smallest radius within which enough results seem to lie. */
static tacit_status ask_radius(joint *a, uint64_t units, double *radius)
{
    tacit_status status = TACIT_OK;
    const double whole = TAC_M;
    double edge[EDGES], within = 0;
    int64_t answer[EDGES + 1];

    for (int b = 0; b < EDGES; b++) edge[b] = 2 * pow(STEP, b + 1 - EDGES);
    TAC_TRY(tac_door_distances(a->job->door, "how far parts lie apart", units, &all,
                               &(tac_local){.centers = a->rounded, .radius = &whole}, edge, EDGES + 1, answer));
    *radius = 2 * whole;
    for (int b = 0; b < EDGES; b++) {
        within += ldexp((double)answer[b], -TAC_COUNT_GRID);
        if (within < SHARED * a->parts) continue;
        *radius = edge[b] * whole;
        break;
    }
done:
    return status;
}

static tacit_status ask_clipped_mean(joint *a, uint64_t units, double radius, double *sd)
{
    tacit_status status = TACIT_OK;
    const tac_local_parts sums = {.sum = 1};

    TAC_TRY(tac_door_local(a->job->door, "mean of those near it", units, &all,
                           &(tac_local){.centers = a->rounded, .radius = &radius}, &sums, NULL, a->answer, NULL));
    for (int32_t j = 0; j < a->dims; j++) a->at[j] = a->rounded[j] + (double)a->answer[j] / a->parts * radius / TAC_M;
    *sd = tac_last_sd(a->job->door) / a->parts * radius / TAC_M * sqrt(a->k);
    into_domain(a);
done:
    return status;
}

static tacit_status join(joint *a, uint64_t budget, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    double radius, sd;

    TAC_TRY(ask_mean(a, tac_share(budget, ROUGH)));
    TAC_TRY(ask_radius(a, tac_share(budget, RADIUS), &radius));
    TAC_TRY(ask_clipped_mean(a, tac_share(budget, 1 - TAC_ROWS_SHARE - ROUGH - RADIUS - SIZES), radius, &sd));
    for (size_t i = 0; i < (size_t)a->dims; i++) {
        out->centers[i] = a->at[i] * sqrt(a->k);
        out->centers_sd[i] = sd;
    }
    if (a->parts < 10)
        TAC_TRY(tac_note(a->job->ctx, &out->notes, "only %d parts of the rows were compared; this method needs more rows or "
                         "fewer centres", a->parts));
done:
    return status;
}

static tacit_status open_joint(const tac_kmeans_job *job, double rows, joint *out)
{
    tacit_status status = TACIT_OK;
    const int32_t k = job->opts->k, columns = job->frame->columns;

    *out = (joint){.job = job, .k = k, .columns = columns, .dims = k * columns, .parts = parts_for(k, columns, rows)};
    TAC_TRY(tac_new(job->ctx, (size_t)out->dims, sizeof *out->at, &out->at));
    TAC_TRY(tac_new(job->ctx, (size_t)out->dims, sizeof *out->rounded, &out->rounded));
    TAC_TRY(tac_new(job->ctx, (size_t)out->dims + 1, sizeof *out->answer, &out->answer));
done:
    return status;
}

tacit_status tac_sample_mean(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const uint64_t budget = tac_door_left(job->door);
    joint a = {0};
    double rows;

    TAC_TRY(tac_kmeans_result_new(job->ctx, job->opts->k, job->frame->columns, out));
    TAC_TRY(tac_count_rows(job, tac_share(budget, TAC_ROWS_SHARE), &rows));
    TAC_TRY(open_joint(job, rows, &a));
    tac_start_packed(job->frame, a.k, job->random, a.at);
    tac_round_points(a.at, (size_t)a.dims, a.rounded);
    TAC_TRY(tac_door_aggregate(job->door, &(tac_aggregate){.parts = a.parts, .k = a.k, .reference = a.rounded,
                                                           .restarts = RESTARTS, .seed = tac_word(job->random)}));
    TAC_TRY(join(&a, budget, out));
    tac_door_aggregate_end(job->door);
    tac_round_points(out->centers, (size_t)a.dims, a.rounded);
    TAC_TRY(tac_ask_sizes(job, a.rounded, out));
done:
    tac_door_aggregate_end(job->door);
    tac_free(a.at);
    tac_free(a.rounded);
    tac_free(a.answer);
    return status;
}

tacit_status tac_sample_mean_check(const tac_kmeans_terms *t)
{
    tacit_status status = TACIT_OK;
    const tac_terms inner = tac_terms_of_results(&t->terms);
    const int32_t dims = t->opts->k > K_MOST ? 0 : t->opts->k * t->columns;

    if (t->opts->k > K_MOST)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT, "method sample-mean matches the centres of many parts and takes k up "
                        "to %d; ask for fewer centres or take another method", K_MOST);
    if (dims > COORDINATES_MOST)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT, "method sample-mean takes k times columns up to %d; ask for fewer "
                        "centres or columns, or take another method", COORDINATES_MOST);
    if (inner.rows_per_unit == 0)
        return tac_fail(t->ctx, TACIT_E_ARGUMENT, "with neighbours replace, method sample-mean takes max rows per "
                        "person up to %d", TAC_ROWS_PER_UNIT_MOST / 2);
    TAC_TRY(tac_need_scale(t, tac_quote_count(&t->terms, tac_share(t->budget, TAC_ROWS_SHARE))));
    TAC_TRY(tac_need_scale(t, tac_quote_sums(&inner, dims, 1, tac_share(t->budget, ROUGH))));
    TAC_TRY(tac_need_scale(t, tac_quote_histogram(&inner, tac_share(t->budget, RADIUS))));
    TAC_TRY(tac_need_scale(t, tac_quote_local(&inner, dims, &(tac_local_parts){.sum = 1}, tac_share(t->budget, ROUGH))));
    TAC_TRY(tac_need_scale(t, tac_quote_histogram(&t->terms, tac_share(t->budget, SIZES))));
done:
    return status;
}

tacit_status tac_sample_mean_plan(const tac_kmeans_terms *t, double rows, tacit_plan *plan)
{
    tacit_status status = TACIT_OK;
    const int32_t k = t->opts->k, dims = k * t->columns, parts = parts_for(k, t->columns, rows);
    const tac_law law = tac_law_of(t->terms.notion);
    const uint64_t rough = tac_share(t->budget, ROUGH), radius = tac_share(t->budget, RADIUS);
    const uint64_t fine = tac_share(t->budget, 1 - TAC_ROWS_SHARE - ROUGH - RADIUS - SIZES);
    const tac_local_parts sums = {.sum = 1};
    tac_kmeans_terms inner = *t;

    inner.terms = tac_terms_of_results(&t->terms);
    const double a = tac_noise_sd(law, tac_quote_sums(&inner.terms, dims, 1, rough)) / parts * sqrt(k);
    const double b = tac_noise_sd(law, tac_quote_local(&inner.terms, dims, &sums, fine)) / parts * sqrt(k);
    TAC_TRY(tac_plan_rows(t, tac_share(t->budget, TAC_ROWS_SHARE), plan));
    TAC_TRY(tac_plan_coordinates(t, "mean of the parts' centres", rough, 1, a, plan));
    TAC_TRY(tac_plan_histogram(&inner, "how far parts lie apart", radius, 1, plan));
    TAC_TRY(tac_plan_coordinates(t, "mean of those near it (error if they agree to a tenth)", fine, 1, b / 10, plan));
    TAC_TRY(tac_plan_histogram(t, "sizes", tac_share(t->budget, SIZES), 1, plan));
    tac_plan_advise(plan, "A published baseline, kept for comparison: about %d parts; usable when plain k-means finds the "
                    "same few centres in every part.", parts);
done:
    return status;
}
