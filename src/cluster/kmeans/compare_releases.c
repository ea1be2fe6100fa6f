/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_model_compare: what changed between two releases beyond their noise. From released numbers:
   it costs nothing. */
#include "cluster/kmeans/kmeans_run.h"
#include "solve/subspace/subspaces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_CLUSTERS 1000
#define LEAST_Z 3.0
#define RATE 0.05 /* of comparisons of unchanged rows that show a change all the same, at most */

struct tacit_comparison {
    tacit_pair *pair;
    int32_t pairs;
    tacit_change *change;
    int32_t changes;
    int64_t numbers;
    double threshold;
};

/* P(|z| > t) for the difference of two equal noises: Gaussian, or (1 + t) exp(-2 t) for Laplace. */
static double tail(double t, bool laplace)
{
    return laplace ? (1 + t) * exp(-2 * t) : erfc(t / M_SQRT2);
}

double tac_compare_threshold(int64_t numbers, bool laplace, double rate)
{
    double low = LEAST_Z, high = 40;

    if (numbers < 1 || (double)numbers * tail(low, laplace) <= rate) return low;
    for (int i = 0; i < 60; i++) {
        const double t = (low + high) / 2;
        if ((double)numbers * tail(t, laplace) > rate)
            low = t;
        else
            high = t;
    }
    return high;
}

/* ---- can they be compared? ---- */

static tacit_status refuse(tacit_ctx *ctx, const char *why)
{
    return tac_fail(ctx, TACIT_E_ARGUMENT, "the two releases cannot be compared: %s", why);
}

/* place[j]: where the other has column j of a. */
static tacit_status match_columns(tacit_ctx *ctx, const tacit_model *a, const tacit_model *b,
                                  int32_t *place)
{
    if (a->dims != b->dims)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the two releases cannot be compared: one has %d columns and the other %d; "
                        "compare runs with the same columns",
                        a->dims, b->dims);
    for (int32_t j = 0; j < a->dims; j++) {
        /* mostly in the same order */
        place[j] = strcmp(a->column[j], b->column[j]) == 0 ? j : 0;
        while (place[j] < b->dims && strcmp(a->column[j], b->column[place[j]]) != 0) place[j]++;
        if (place[j] == b->dims)
            return tac_fail(ctx, TACIT_E_ARGUMENT,
                            "the two releases cannot be compared: the second has no column '%s'; "
                            "compare runs with the same columns",
                            a->column[j]);
    }
    return TACIT_OK;
}

static tacit_status check_geometry(tacit_ctx *ctx, const tacit_model *a, const tacit_model *b,
                                   const int32_t *place)
{
    const tac_geometry *x = &a->geometry, *y = &b->geometry;

    if (x->scale != y->scale)
        return refuse(ctx, "one divided the columns by their ranges and the other did not; use the "
                           "same scale for both");
    if (x->ball != y->ball || (x->ball && x->radius != y->radius))
        return refuse(ctx, "their declared domains differ; use the same bounds or ball for both");
    for (int32_t j = 0; j < a->dims; j++) {
        const int32_t o = place[j];
        if (x->ball ? x->center[j] != y->center[o]
                    : x->lower[j] != y->lower[o] || x->upper[j] != y->upper[o])
            return tac_fail(ctx, TACIT_E_ARGUMENT,
                            "the two releases cannot be compared: column '%s' was declared with "
                            "other bounds; use the same bounds for both",
                            a->column[j]);
    }
    return TACIT_OK;
}

static tacit_status check(tacit_ctx *ctx, const tacit_model *a, const tacit_model *b)
{
    if (a == NULL || b == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "tacit_model_compare needs two models");
    if (a->centers == NULL || b->centers == NULL)
        return refuse(ctx, "only releases of kmeans and kmedian are compared");
    if (strcmp(a->family, b->family) != 0)
        return refuse(ctx, "one is of kmeans and the other of kmedian; compare means with means");
    if (a->k > MOST_CLUSTERS || b->k > MOST_CLUSTERS)
        return refuse(ctx, "one has more than 1000 clusters");
    return TACIT_OK;
}

/* ---- which is which ---- */

/* Squared distance in the clustered geometry. */
static double distance(const tacit_model *a, int32_t i, const tacit_model *b, int32_t o,
                       const int32_t *place)
{
    const tac_geometry *g = &a->geometry;
    double sum = 0;

    for (int32_t j = 0; j < a->dims; j++) {
        const double unit =
            g->scale == TACIT_SCALE_RANGE && !g->ball ? g->upper[j] - g->lower[j] : 1;
        sum += pow((a->centers[(size_t)i * (size_t)a->dims + (size_t)j] -
                    b->centers[(size_t)o * (size_t)b->dims + (size_t)place[j]]) /
                       unit,
                   2);
    }
    return fmin(sum, 1e300);
}

/* The clusters that are no repetition; how many. */
static int32_t own_clusters(const tacit_model *model, int32_t *own)
{
    int32_t count = 0;

    for (int32_t c = 0; c < model->k; c++)
        if (model->sizes[c] != 0) own[count++] = c;
    return count;
}

static tacit_pair pair_of(const tacit_model *a, int32_t i, const tacit_model *b, int32_t o,
                          const int32_t *place)
{
    tacit_pair p = TACIT_PAIR_INIT;

    p.first = i;
    p.second = o;
    p.first_size = i < 0 ? NAN : a->sizes[i];
    p.second_size = o < 0 ? NAN : b->sizes[o];
    if (i < 0 || o < 0) return p;
    p.distance = sqrt(distance(a, i, b, o, place));
    p.size_z = (p.second_size - p.first_size) / hypot(a->sizes_sd, b->sizes_sd);
    return p;
}

/* The partner of every cluster of the first among those of the second, from n on: none. Clusters
   without a partner are paired with nothing, which costs nothing. */
static tacit_status find_partners(tacit_ctx *ctx, const tacit_model *a, const tacit_model *b,
                                  const int32_t *place, const int32_t *of_a, int32_t m,
                                  const int32_t *of_b, int32_t n, int32_t *partner)
{
    tacit_status status = TACIT_OK;
    const int32_t all = m > n ? m : n;
    double *cost = NULL, total;

    TAC_TRY(tac_new(ctx, (size_t)all * (size_t)all, sizeof *cost, &cost));
    for (int32_t i = 0; i < m; i++)
        for (int32_t j = 0; j < n; j++)
            cost[(size_t)i * (size_t)all + (size_t)j] = distance(a, of_a[i], b, of_b[j], place);
    TAC_TRY(tac_match(ctx, cost, all, partner, &total));
done:
    tac_free(cost);
    return status;
}

/* Pairs in the order of the first's clusters, then those without a partner. */
static tacit_status match(tacit_ctx *ctx, const tacit_model *a, const tacit_model *b,
                          const int32_t *place, tacit_comparison *c)
{
    tacit_status status = TACIT_OK;
    int32_t *of_a = NULL, *of_b = NULL, *partner = NULL;

    TAC_TRY(tac_new(ctx, (size_t)a->k, sizeof *of_a, &of_a));
    TAC_TRY(tac_new(ctx, (size_t)b->k, sizeof *of_b, &of_b));
    const int32_t m = own_clusters(a, of_a), n = own_clusters(b, of_b), all = m > n ? m : n;
    if (all == 0) goto done;
    TAC_TRY(tac_new(ctx, (size_t)all, sizeof *partner, &partner));
    TAC_TRY(tac_new(ctx, (size_t)all, sizeof *c->pair, &c->pair));
    TAC_TRY(find_partners(ctx, a, b, place, of_a, m, of_b, n, partner));
    for (int32_t i = 0; i < all; i++)
        c->pair[c->pairs++] =
            pair_of(a, i < m ? of_a[i] : -1, b, partner[i] < n ? of_b[partner[i]] : -1, place);
done:
    tac_free(of_a);
    tac_free(of_b);
    tac_free(partner);
    return status;
}

/* ---- what changed ---- */

/* A number of both: counted if its noise is known, kept if it changed. out NULL: counted only. */
static void weigh(tacit_comparison *c, tacit_change change, tacit_change *out)
{
    if (!isfinite(change.z)) return;
    c->numbers++;
    if (out == NULL || !(fabs(change.z) > c->threshold)) return;
    out[c->changes++] = change;
}

static void weigh_all(tacit_comparison *c, const tacit_model *a, const tacit_model *b,
                      const int32_t *place, tacit_change *out)
{
    c->numbers = c->changes = 0;
    for (int32_t p = 0; p < c->pairs; p++) {
        const tacit_pair *pair = &c->pair[p];
        if (pair->first < 0 || pair->second < 0) continue;
        weigh(c,
              (tacit_change){sizeof(tacit_change), p, -1, pair->first_size, pair->second_size,
                             pair->size_z},
              out);
        for (int32_t j = 0; j < a->dims; j++) {
            const size_t i = (size_t)pair->first * (size_t)a->dims + (size_t)j,
                         o = (size_t)pair->second * (size_t)b->dims + (size_t)place[j];
            const double z =
                (b->centers[o] - a->centers[i]) / hypot(a->centers_sd[i], b->centers_sd[o]);
            weigh(c, (tacit_change){sizeof(tacit_change), p, j, a->centers[i], b->centers[o], z},
                  out);
        }
    }
}

static bool is_pure(const tacit_model *model)
{
    return model->card.accountant != NULL && strcmp(model->card.accountant, "pure") == 0;
}

/* Matches the clusters and counts the numbers to compare. *place: of the columns; free it. */
static tacit_status begin(tacit_ctx *ctx, const tacit_model *first, const tacit_model *second,
                          int32_t **place, tacit_comparison **out)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(check(ctx, first, second));
    TAC_TRY(tac_new(ctx, (size_t)first->dims, sizeof **place, place));
    TAC_TRY(match_columns(ctx, first, second, *place));
    TAC_TRY(check_geometry(ctx, first, second, *place));
    TAC_TRY(tac_new(ctx, 1, sizeof **out, out));
    TAC_TRY(match(ctx, first, second, *place, *out));
    weigh_all(*out, first, second, *place, NULL);
done:
    return status;
}

/* Comparison i of a series: of neighbors; the last of more than two, of the ends. */
static tacit_status begin_one(tacit_ctx *ctx, const tacit_model *const *models, int32_t count,
                              int32_t i, int32_t **place, tacit_comparison **out)
{
    const bool ends = i == count - 1;
    const tacit_status status =
        begin(ctx, models[ends ? 0 : i], models[ends ? i : i + 1], place, out);
    char why[sizeof ctx->message];

    if (status == TACIT_OK || count == 2 || ctx == NULL) return status;
    snprintf(why, sizeof why, "%s", ctx->message); /* of many, say which */
    return tac_fail(ctx, status, "releases %d and %d: %s", (ends ? 0 : i) + 1,
                    (ends ? i : i + 1) + 1, why);
}

tacit_status tacit_model_compare_series(tacit_ctx *ctx, const tacit_model *const *models,
                                        int32_t count, tacit_comparison **out)
{
    tacit_status status = TACIT_OK;
    const int32_t all = count > 2 ? count : count - 1;
    int32_t **place = NULL;
    int64_t numbers = 0;
    bool pure = false;

    if (ctx != NULL) ctx->message[0] = '\0';
    if (models == NULL || out == NULL || count < 2)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "a comparison needs two or more models and a place for each result");
    for (int32_t i = 0; i < all; i++) out[i] = NULL;
    TAC_TRY(tac_new(ctx, (size_t)all, sizeof *place, &place));
    for (int32_t i = 0; i < all; i++) {
        TAC_TRY(begin_one(ctx, models, count, i, &place[i], &out[i]));
        numbers += out[i]->numbers;
    }
    for (int32_t i = 0; i < count; i++) pure = pure || is_pure(models[i]);
    for (int32_t i = 0; i < all; i++) {
        tacit_comparison *c = out[i];
        const bool ends = i == count - 1;
        c->threshold = tac_compare_threshold(numbers, pure, RATE);
        TAC_TRY(tac_new(ctx, (size_t)c->numbers, sizeof *c->change, &c->change));
        weigh_all(c, models[ends ? 0 : i], models[ends ? i : i + 1], place[i], c->change);
    }
done:
    for (int32_t i = 0; i < all; i++) {
        if (place != NULL) tac_free(place[i]);
        if (status == TACIT_OK) continue;
        tacit_comparison_free(out[i]);
        out[i] = NULL;
    }
    tac_free(place);
    return status;
}

tacit_status tacit_model_compare(tacit_ctx *ctx, const tacit_model *first,
                                 const tacit_model *second, tacit_comparison **out)
{
    const tacit_model *const both[] = {first, second};
    return tacit_model_compare_series(ctx, both, 2, out);
}

void tacit_comparison_free(tacit_comparison *comparison)
{
    if (comparison == NULL) return;
    tac_free(comparison->pair);
    tac_free(comparison->change);
    tac_free(comparison);
}

int32_t tacit_comparison_pair_count(const tacit_comparison *c)
{
    return c == NULL ? 0 : c->pairs;
}

int32_t tacit_comparison_change_count(const tacit_comparison *c)
{
    return c == NULL ? 0 : c->changes;
}

int64_t tacit_comparison_numbers(const tacit_comparison *c)
{
    return c == NULL ? 0 : c->numbers;
}

double tacit_comparison_threshold(const tacit_comparison *c)
{
    return c == NULL ? NAN : c->threshold;
}

tacit_status tacit_comparison_pair_get(const tacit_comparison *c, int32_t index, tacit_pair *out)
{
    if (index < 0 || index >= tacit_comparison_pair_count(c)) return TACIT_E_ARGUMENT;
    return tac_give_struct(NULL, "tacit_pair", &c->pair[index], sizeof c->pair[index], out);
}

tacit_status tacit_comparison_change_get(const tacit_comparison *c, int32_t index,
                                         tacit_change *out)
{
    if (index < 0 || index >= tacit_comparison_change_count(c)) return TACIT_E_ARGUMENT;
    return tac_give_struct(NULL, "tacit_change", &c->change[index], sizeof c->change[index], out);
}
