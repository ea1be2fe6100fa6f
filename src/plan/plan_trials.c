/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_plan_try: the planned method on made-up rows of three kinds, some times each, and at other
   epsilons until the smallest is found that would do. */
#include "plan/plan_trials.h"

#include "owner/evaluate.h"

#include <math.h>
#include <string.h>

#define TRIALS 5      /* of each kind of rows */
#define TRIALS_WIDE 2 /* of rows of more than ... */
#define WIDE 100      /* ... so many columns, which take longer */
#define WIDE_FLAT 16  /* of subspaces */
#define RESTARTS 5    /* of the plain solver */
#define RESTARTS_FLAT 2
#define MOST_GROUPS 1000

/* 1, 2, 5 in turns: nobody needs a finer answer. */
static const double grid[] = {.01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 20};
enum { GRID = sizeof grid / sizeof *grid };

static const tac_pattern pattern[TAC_PLAN_FORECASTS] = {
    TAC_PATTERN_SEPARATED, TAC_PATTERN_OVERLAPPING, TAC_PATTERN_UNSTRUCTURED};
static const char *const pattern_name[] = {"well separated", "overlapping", "no groups"};
enum { SEPARATED, TYPICAL }; /* which decide: see first_deciding */

/* One set of made-up rows, and what does not depend on the budget. */
typedef struct bed {
    tac_stand_in rows;
    double plain, trivial; /* plain NaN: not yet known */
} bed;

typedef struct trials {
    tacit_ctx *ctx;  /* the caller's */
    tacit_ctx inner; /* of the runs: shows no progress; canceled with the caller's */
    tac_plan_request request;
    bed beds[TAC_PLAN_FORECASTS][TRIALS];
    int32_t each; /* trials of a kind */
    int32_t restarts;
    int32_t done, all;
} trials;

static tacit_status run(trials *t, bed *b, double epsilon, uint64_t seed, tacit_model **out)
{
    const tac_plan_request *r = &t->request;
    tacit_budget budget = r->budget;

    budget.epsilon = epsilon;
    budget.ledger = NULL;
    budget.use_insecure_test_seed = 1; /* the rows are nobody's */
    budget.insecure_test_seed = seed;
    switch (r->family) {
    case TAC_PLAN_MEANS:
        return tacit_kmeans_run(&t->inner, b->rows.data, &budget, &r->centers, out);
    case TAC_PLAN_MEDIAN:
        return tacit_kmedian_run(&t->inner, b->rows.data, &budget, &r->centers, out);
    case TAC_PLAN_SUBSPACE:
        return tacit_subspace_run(&t->inner, b->rows.data, &budget, &r->subspaces, out);
    default: return tacit_cocluster_run(&t->inner, b->rows.data, &budget, &r->blocks, out);
    }
}

/* 1 - (clusters that are some group's most frequent) / groups. */
static tacit_status lost_part(trials *t, bed *b, const tacit_model *model, double *lost)
{
    tacit_status status = TACIT_OK;
    const int32_t groups = t->request.assumed.clusters, k = tacit_model_k(model);
    int32_t *label = NULL, *count = NULL, found = 0;
    bool *taken = NULL;
    int64_t rows;

    TAC_TRY(tacit_model_predict(&t->inner, model, b->rows.data, &label, &rows));
    TAC_TRY(tac_new(&t->inner, (size_t)groups * (size_t)k, sizeof *count, &count));
    TAC_TRY(tac_new(&t->inner, (size_t)k, sizeof *taken, &taken));
    for (int64_t i = 0; i < rows; i++)
        if (label[i] >= 0) count[(size_t)b->rows.group[i] * (size_t)k + (size_t)label[i]]++;
    for (int32_t g = 0; g < groups; g++) {
        int32_t best = 0;
        for (int32_t c = 1; c < k; c++)
            if (count[(size_t)g * (size_t)k + (size_t)c] >
                count[(size_t)g * (size_t)k + (size_t)best])
                best = c;
        if (!taken[best]) found++;
        taken[best] = true;
    }
    *lost = 1 - (double)found / groups;
done:
    tac_free(label);
    tac_free(count);
    tac_free(taken);
    return status;
}

/* One run and what came of it. A budget that cannot pay for the queries is worth nothing. */
static tacit_status try_once(trials *t, bed *b, bool groups, double epsilon, uint64_t seed,
                             tac_trial *out)
{
    tacit_status status = TACIT_OK;
    tacit_model *model = NULL;
    tacit_evaluation e;

    tac_show_progress(t->ctx, "trying the plan on made-up rows", (double)t->done++ / t->all);
    status = run(t, b, epsilon, seed, &model);
    if (status == TACIT_E_ARGUMENT) {
        *out = (tac_trial){.cost = INFINITY, .plain = 1, .trivial = 2, .lost = 1};
        return TACIT_OK;
    }
    if (status != TACIT_OK) goto done;
    tacit_evaluation_init(&e, sizeof e);
    TAC_TRY(tac_model_measure(&t->inner, model, b->rows.data, t->request.assumed.clusters,
                              isnan(b->plain) ? t->restarts : 0, &e));
    if (isnan(b->plain)) b->plain = e.plain_cost;
    b->trivial = e.one_mean_cost;
    *out = (tac_trial){.cost = e.cost, .plain = b->plain, .trivial = b->trivial, .lost = NAN};
    if (groups) TAC_TRY(lost_part(t, b, model, &out->lost));
done:
    tacit_model_free(model);
    return status;
}

static bool finds_centers(const tac_plan_request *r)
{
    return r->family == TAC_PLAN_MEANS || r->family == TAC_PLAN_MEDIAN;
}

/* The kinds of rows that decide: well separated groups, too, where clusters can be lost ... */
static int first_deciding(const tac_plan_request *r)
{
    return finds_centers(r) ? SEPARATED : TYPICAL;
}

/* ... and they alone where a run chooses k: of groups that overlap it is to see fewer. */
static int last_deciding(const tac_plan_request *r)
{
    return finds_centers(r) && r->centers.k == TACIT_K_AUTO ? SEPARATED : TYPICAL;
}

/* Is it usable at another epsilon, on all rows that decide? */
static tacit_status is_usable(trials *t, double epsilon, bool *usable)
{
    tacit_status status = TACIT_OK;
    tac_trial trial[TRIALS];
    tacit_forecast f;

    *usable = true;
    const int last = last_deciding(&t->request);
    for (int which = first_deciding(&t->request); which <= last && *usable; which++) {
        for (int32_t i = 0; i < t->each; i++)
            TAC_TRY(try_once(t, &t->beds[which][i], false, epsilon, (uint64_t)i + 1, &trial[i]));
        tac_forecast_trials(t->request.family, trial, t->each, &f);
        *usable = f.verdict == TACIT_USABLE;
    }
done:
    return status;
}

/* Bisection: more budget is taken to do no harm. */
static tacit_status find_least(trials *t, bool usable_now, double *least)
{
    tacit_status status = TACIT_OK;
    const double now = t->request.budget.epsilon;
    int low = -1, high = GRID; /* not usable at low, usable at high */

    for (int i = 0; i < GRID; i++) {
        if (usable_now && grid[i] >= now && i < high) high = i;
        if (!usable_now && grid[i] <= now) low = i;
    }
    while (high - low > 1) {
        /* the largest first: often none will do */
        const int middle = high == GRID ? GRID - 1 : (low + high) / 2;
        bool usable;
        TAC_TRY(is_usable(t, grid[middle], &usable));
        if (usable)
            high = middle;
        else
            low = middle;
    }
    *least = high < GRID ? grid[high] : INFINITY;
    if (usable_now) *least = fmin(*least, now);
done:
    return status;
}

/* One kind of rows: its trials. */
static tacit_status try_pattern(trials *t, const tacit_data *like, int which, tacit_plan *plan)
{
    tacit_status status = TACIT_OK;
    tac_assumed assumed = t->request.assumed;
    tac_trial trial[TRIALS];
    bed *beds = t->beds[which];
    tacit_forecast *f = &plan->forecast[which];

    assumed.pattern = pattern[which];
    for (int32_t i = 0; i < t->each; i++) {
        assumed.seed = (uint64_t)i + 1;
        beds[i].plain = NAN;
        TAC_TRY(tac_stand_in_make(&t->inner, like, &assumed, &beds[i].rows));
        /* of groups that overlap plain solvers lose some too */
        TAC_TRY(try_once(t, &beds[i], pattern[which] == TAC_PATTERN_SEPARATED,
                         t->request.budget.epsilon, (uint64_t)i + 1, &trial[i]));
    }
    *f = (tacit_forecast){.size = sizeof *f, .rows = pattern_name[which]};
    tac_forecast_trials(t->request.family, trial, t->each, f);
done:
    return status;
}

/* Wide rows take longer, and subspaces by far: fits of their moments. */
static int32_t trials_of(const tac_plan_request *r, int32_t dims)
{
    if (r->family == TAC_PLAN_SUBSPACE) return dims > WIDE_FLAT ? 1 : TRIALS;
    return dims > WIDE ? TRIALS_WIDE : TRIALS;
}

tacit_status tacit_plan_try(tacit_ctx *ctx, const tacit_data *data, tacit_plan *plan)
{
    tacit_status status = TACIT_OK;
    trials t = {.ctx = ctx, .request = plan->request};

    plan->forecasts = 0;
    if (plan->request.assumed.clusters > MOST_GROUPS) return TACIT_OK;
    t.inner = (tacit_ctx){.threads = 1, .block_bytes = ctx->block_bytes, .parent = ctx};
    t.each = trials_of(&plan->request, tac_data_dims(data));
    t.restarts = t.each > 1 ? RESTARTS : RESTARTS_FLAT;
    t.all = t.each * (TAC_PLAN_FORECASTS + 8); /* four steps of the bisection at the most */
    for (int i = 0; i < TAC_PLAN_FORECASTS; i++) TAC_TRY(try_pattern(&t, data, i, plan));
    plan->deciding = last_deciding(&t.request);
    for (int i = first_deciding(&t.request); i < plan->deciding; i++)
        if (plan->forecast[i].verdict > plan->forecast[plan->deciding].verdict) plan->deciding = i;
    TAC_TRY(find_least(&t, plan->forecast[plan->deciding].verdict == TACIT_USABLE,
                       &plan->least_epsilon));
    plan->forecasts = TAC_PLAN_FORECASTS;
    tac_plan_advise_tried(plan);
done:
    for (int i = 0; i < TAC_PLAN_FORECASTS; i++)
        for (int j = 0; j < TRIALS; j++) tac_stand_in_clear(&t.beds[i][j].rows);
    if (status != TACIT_OK) memcpy(ctx->message, t.inner.message, sizeof ctx->message);
    return status;
}

int32_t tacit_plan_forecast_count(const tacit_plan *plan)
{
    return plan->forecasts;
}

tacit_status tacit_plan_forecast_get(const tacit_plan *plan, int32_t index, tacit_forecast *out)
{
    if (index < 0 || index >= plan->forecasts) return TACIT_E_ARGUMENT;
    return tac_give_struct(NULL, "tacit_forecast", &plan->forecast[index],
                           sizeof plan->forecast[index], out);
}

tacit_verdict tacit_plan_verdict(const tacit_plan *plan)
{
    return plan->forecasts > 0 ? plan->forecast[plan->deciding].verdict : TACIT_VERDICT_UNKNOWN;
}

double tacit_plan_least_epsilon(const tacit_plan *plan)
{
    return plan->forecasts > 0 ? plan->least_epsilon : NAN;
}
