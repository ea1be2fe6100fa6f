/* SPDX-License-Identifier: Apache-2.0 */
/* A plan is the receipts of the run itself: for every method of every family its steps are the card
   of a run over the same made-up rows. Nobody's rows are read, by a plan or by a run that its
   budget cannot pay for. */
#include "cluster/cocluster/cocluster_run.h"
#include "cluster/kmeans/kmeans_run.h"
#include "cluster/subspace/subspace_run.h"
#include "tap.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

static tacit_ctx *ctx;

enum { MEANS, MEDIAN, SUBSPACE, COCLUSTER, FAMILIES, METHODS = 16, COLUMNS = 5, K = 3 };
static const char *const family_name[] = {"kmeans", "kmedian", "subspace", "cocluster"};

typedef struct world {
    int family, method;
    const char *name;
    double epsilon, delta, rows;
    tacit_neighbors neighbors;
    bool persons;
    int32_t most; /* rows of a person; 0: 3 */
} world;

static int all_refused;

/* Rows that end the test if they are read. */
static const double *no_rows(void)
{
    static void *page;

    if (page == NULL)
        page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                    0);
    MUST(page != MAP_FAILED);
    return page;
}

static tacit_data *open_like(const world *w)
{
    static const int64_t owner[1];
    tacit_data *data = NULL;

    MUST(tacit_data_from_memory(ctx, no_rows(), TACIT_F64, 1, COLUMNS, &data) == TACIT_OK);
    if (w->family == SUBSPACE)
        MUST(tacit_data_set_ball(ctx, data, NULL, 1) == TACIT_OK);
    else if (w->family != COCLUSTER)
        MUST(tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    if (w->persons) MUST(tacit_data_set_units(ctx, data, owner, NULL) == TACIT_OK);
    return data;
}

static void fill(const world *w, tacit_budget *b, tacit_kmeans_opts *m, tacit_subspace_opts *s,
                 tacit_cocluster_opts *c)
{
    tacit_budget_init(b, sizeof *b);
    b->epsilon = w->epsilon;
    b->delta = w->delta;
    b->neighbors = w->neighbors;
    b->max_rows_per_unit = !w->persons ? 0 : w->most > 0 ? w->most : 3;
    b->use_insecure_test_seed = 1; /* the seed of a plan */
    b->insecure_test_seed = 1;
    tacit_kmeans_opts_init(m, sizeof *m);
    tacit_subspace_opts_init(s, sizeof *s);
    tacit_cocluster_opts_init(c, sizeof *c);
    m->method = (tacit_kmeans_method)w->method;
    s->method = (tacit_subspace_method)w->method;
    c->method = (tacit_cocluster_method)w->method;
    m->k = s->k = c->row_clusters = K;
    s->q = 2;
    c->column_clusters = 2;
    if (w->family == SUBSPACE && w->method == TACIT_SUBSPACE_GIBBS) s->rounds = 50;
}

static tacit_status plan_of(const world *w, const tacit_data *data, tacit_plan **out)
{
    tacit_budget b;
    tacit_kmeans_opts m;
    tacit_subspace_opts s;
    tacit_cocluster_opts c;

    fill(w, &b, &m, &s, &c);
    if (w->family == COCLUSTER) return tacit_cocluster_plan(ctx, data, &b, &c, w->rows, out);
    if (w->family == SUBSPACE) return tacit_subspace_plan(ctx, data, &b, &s, w->rows, out);
    return (w->family == MEDIAN ? tacit_kmedian_plan : tacit_kmeans_plan)(ctx, data, &b, &m,
                                                                          w->rows, out);
}

static tacit_status run_of(const world *w, tacit_data *data, tacit_model **out)
{
    tacit_budget b;
    tacit_kmeans_opts m;
    tacit_subspace_opts s;
    tacit_cocluster_opts c;

    fill(w, &b, &m, &s, &c);
    if (w->family == COCLUSTER) return tacit_cocluster_run(ctx, data, &b, &c, out);
    if (w->family == SUBSPACE) return tacit_subspace_run(ctx, data, &b, &s, out);
    return (w->family == MEDIAN ? tacit_kmedian_run : tacit_kmeans_run)(ctx, data, &b, &m, out);
}

/* The method's name; NULL: it does not serve such a world. */
static const char *serves(const world *w)
{
    const bool entry = w->neighbors == TACIT_ENTRY, pure = w->delta == 0;

    if (w->family == COCLUSTER) {
        const tac_cocluster_method *m = tac_cocluster_method_of((tacit_cocluster_method)w->method);
        return m != NULL && (entry ? m->entry && !w->persons : m->rows) &&
                       (pure ? m->pure : m->approximate)
                   ? m->name
                   : NULL;
    }
    if (w->family == SUBSPACE) {
        const tac_subspace_method *m = tac_subspace_method_of((tacit_subspace_method)w->method);
        return m != NULL && !entry && (pure ? m->pure : m->approximate) ? m->name : NULL;
    }
    const tac_kmeans_method *m = tac_kmeans_method_of((tacit_kmeans_method)w->method);
    return m != NULL && !entry && (w->family == MEDIAN ? m->median : m->means) &&
                   (pure ? m->pure : m->approximate)
               ? m->name
               : NULL;
}

static double share_of(const tac_card *card, int32_t i)
{
    return card->query[i].cost / card->native_budget;
}

/* The batch that costs most: the others are free. */
static int32_t most_expensive(const tac_card *card)
{
    double most = 0;
    int32_t batch = -1;

    for (int32_t b = 0; b < 64; b++) {
        double cost = 0;
        for (int32_t i = 0; i < card->queries; i++)
            cost += card->query[i].batch == b ? card->query[i].cost : 0;
        if (cost > 0 && cost >= (1 - 1e-6) * most) most = fmax(cost, most), batch = b;
    }
    return batch;
}

/* How many steps differ from the card's queries with those words. */
static int differences(const tacit_plan *plan, const tac_card *card, double *sum)
{
    const int32_t batch = most_expensive(card);
    int32_t asked = 0;
    int wrong = 0;

    *sum = 0;
    for (int32_t i = 0; i < tacit_plan_step_count(plan); i++) {
        tacit_plan_step s;
        double share = 0;
        int32_t times = 0;
        tacit_plan_step_init(&s, sizeof s);
        MUST(tacit_plan_step_get(plan, i, &s) == TACIT_OK);
        for (int32_t q = 0; q < card->queries; q++) {
            if (strcmp(card->query[q].what, s.what) != 0) continue;
            times++;
            wrong += strcmp(card->query[q].noise, s.noise) != 0;
            if (card->query[q].batch < 0 || card->query[q].batch == batch)
                share += share_of(card, q);
        }
        asked += times;
        *sum += s.share;
        wrong += times != s.times || !(fabs(share - s.share) <= 1e-9) ||
                 !(isnan(s.error) ? *s.error_of == '\0' : s.error > 0);
    }
    return wrong + (asked != card->queries);
}

/* What tac_quote_plenty takes for granted: no query gets less. */
static int thin(const tac_card *card)
{
    int found = 0;

    for (int32_t i = 0; i < card->queries; i++) {
        const char *kind = card->query[i].kind;
        const int bits = strstr(card->query[i].what, "fourth") != NULL ? 2
                         : strcmp(kind, "codes") == 0                  ? 5
                         : strcmp(kind, "moments") != 0                ? 16
                         : card->delta > 0                             ? 20
                                                                       : 12;
        found += share_of(card, i) < ldexp(1, -bits);
    }
    return found;
}

static void test_plan(const world *w)
{
    const tac_assumed assumed = {.rows = w->rows,
                                 .clusters = K,
                                 .directions = w->family == SUBSPACE ? 2 : 0,
                                 .column_clusters = w->family == COCLUSTER ? 2 : 0,
                                 .entry = w->neighbors == TACIT_ENTRY};
    tacit_data *like = open_like(w);
    tac_stand_in rows = {0};
    tacit_plan *plan = NULL;
    tacit_model *model = NULL;
    double sum = 0;
    int wrong = -1, few = -1;

    MUST(tac_stand_in_make(ctx, like, &assumed, &rows) == TACIT_OK);
    const tacit_status status = plan_of(w, like, &plan);
    if (status != TACIT_OK || run_of(w, rows.data, &model) != TACIT_OK)
        printf("# %s\n", tacit_ctx_message(ctx));
    if (plan != NULL && model != NULL)
        wrong = differences(plan, &model->card, &sum), few = thin(&model->card);
    if (plan != NULL && model != NULL) {
        const double planned = tacit_plan_sizes_sd(plan), released = tacit_model_sizes_sd(model);
        CHECK(isnan(planned) ? isnan(released) : fabs(planned - released) <= 1e-9 * released,
              "%s %s: the noise of a size is planned as %g and released as %g",
              family_name[w->family], w->name, planned, released);
        CHECK(w->family < SUBSPACE || isnan(tacit_plan_centers_sd(plan)),
              "%s %s: centers where there are some", family_name[w->family], w->name);
    }
    /* far more noise than the budget asks for */
    const bool published = w->family == SUBSPACE && w->method == TACIT_SUBSPACE_SULQ;
    CHECK(wrong == 0 && (sum > 0.5 || published) && sum < 1 + 1e-9 &&
              tacit_plan_forecast_count(plan) == 0,
          "%s %s, delta %g, %d, %g rows: the plan is the card of the run (%d differ), %.4f of the "
          "budget",
          family_name[w->family], w->name, w->delta, (int)w->neighbors, w->rows, wrong, sum);
    CHECK(few == 0, "... and no query gets too little (%d)", few);
    tacit_plan_free(plan);
    tacit_model_free(model);
    tac_stand_in_clear(&rows);
    tacit_data_free(like);
}

/* A budget that cannot pay is refused with a sentence before a row is read; one that is not refused
   pays for every query, however many rows there are and however little of the domain they fill. */
static void test_refused(world w)
{
    int refused = 0, late = 0, paid = 0;

    w.most = TAC_ROWS_PER_UNIT_MOST;
    for (w.epsilon = 1e-6; w.epsilon < 2; w.epsilon *= 8)
        for (int narrow = 0; narrow < 2; narrow++) {
            const tac_assumed assumed = {.rows = narrow ? 1e7 : 20,
                                         .clusters = K,
                                         .directions = w.family == SUBSPACE ? 2 : 0,
                                         .column_clusters = w.family == COCLUSTER ? 2 : 0,
                                         .entry = w.neighbors == TACIT_ENTRY,
                                         .narrow = narrow != 0};
            tacit_data *like = open_like(&w);
            tac_stand_in rows = {0};
            tacit_model *model = NULL;
            MUST(tac_stand_in_make(ctx, like, &assumed, &rows) == TACIT_OK);
            const tacit_status status = run_of(&w, rows.data, &model);
            paid += status == TACIT_OK;
            refused += status == TACIT_E_ARGUMENT &&
                       strstr(tacit_ctx_message(ctx), "epsilon is too small") != NULL &&
                       !rows.data->loaded;
            late += status != TACIT_OK && rows.data->loaded;
            if (status != TACIT_OK && rows.data->loaded)
                printf("# epsilon %g, narrow %d: %s\n", w.epsilon, narrow, tacit_ctx_message(ctx));
            tacit_model_free(model);
            tac_stand_in_clear(&rows);
            tacit_data_free(like);
        }
    all_refused += refused;
    CHECK(late == 0 && refused + paid == 14,
          "%s %s, delta %g: %d budgets are refused before a row is read, %d pay, %d fail late",
          family_name[w.family], w.name, w.delta, refused, paid, late);
}

/* Rows that stand for many answer as many would: the plan sees how many there are. */
static void test_copies(void)
{
    const double rows[] = {100, 1e4, 1e6, 1e15};
    double before = INFINITY;

    for (int i = 0; i < 4; i++) {
        const world w = {.family = MEANS,
                         .method = TACIT_KMEANS_LLOYD,
                         .epsilon = 1,
                         .delta = 1e-6,
                         .rows = rows[i]};
        const tac_assumed assumed = {.rows = rows[i], .clusters = K};
        tacit_data *like = open_like(&w);
        tac_stand_in made = {0};
        tacit_model *model = NULL;
        MUST(tac_stand_in_make(ctx, like, &assumed, &made) == TACIT_OK &&
             run_of(&w, made.data, &model) == TACIT_OK);
        double all = 0, wanted = fmin(rows[i], 0x1p31);
        for (int32_t c = 0; c < K; c++) all += tacit_model_sizes(model)[c];
        CHECK(fabs(all - wanted) < 0.01 * wanted + 6 * sqrt(K) * tacit_model_sizes_sd(model) &&
                  tacit_model_centers_sd(model)[0] < before,
              "%g rows are %.0f", rows[i], all);
        before = tacit_model_centers_sd(model)[0];
        tacit_model_free(model);
        tac_stand_in_clear(&made);
        tacit_data_free(like);
    }
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    for (int family = 0; family < FAMILIES; family++)
        for (int method = 0; method < METHODS; method++)
            for (int delta = 0; delta < 2; delta++)
                for (int neighbors = 0; neighbors < 3; neighbors++)
                    for (int persons = 0; persons < 2; persons++) {
                        world w = {.family = family,
                                   .method = method,
                                   .epsilon = 2,
                                   .delta = delta ? 1e-6 : 0,
                                   .neighbors = (tacit_neighbors)neighbors,
                                   .persons = persons != 0};
                        if (persons && neighbors == TACIT_REPLACE) continue; /* enough of them */
                        w.name = serves(&w);
                        if (w.name == NULL) continue;
                        w.rows = 300;
                        test_plan(&w);
                        /* copies; with entry rows stand for themselves, up to 4000 */
                        w.rows = 123456;
                        if (persons == 0 && neighbors != TACIT_REPLACE) test_plan(&w);
                        if (persons || neighbors == TACIT_ENTRY) test_refused(w);
                    }
    CHECK(all_refused > 50, "%d budgets were refused in all", all_refused);
    test_copies();
    tacit_ctx_free(ctx);
    return tap_done();
}
