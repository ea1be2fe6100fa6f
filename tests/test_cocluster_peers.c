/* SPDX-License-Identifier: Apache-2.0 */
/* The peers, private k-means of the rows, on narrow and wide tables, every unit and both privacy
   definitions: finite numbers, and blocks found where noise is small. */
#include "data/dataset/dataset.h"
#include "tap.h"

#include <math.h>

enum { ROWS = 900, WIDE = 1800, A_ROW = 12 };

static tacit_ctx *ctx;
static int64_t begin[ROWS + 1], truth[ROWS];
static int32_t column[ROWS * A_ROW];
static double value[ROWS * A_ROW];
static uint64_t state = 9;

static uint64_t bits(uint64_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % below;
}

/* Rows of three kinds; each has its words in its own third of the columns, and most of them among
   ten. */
static tacit_data *make(int32_t columns)
{
    tacit_data *data = NULL;

    for (int i = 0; i < ROWS; i++) {
        truth[i] = i % 3;
        for (int e = 0; e < A_ROW; e++) {
            const int32_t within = e < 10 ? e : 10 + (int32_t)bits((uint64_t)columns / 3 - 10);
            column[i * A_ROW + e] = (int32_t)truth[i] * (columns / 3) + within;
            value[i * A_ROW + e] = 1 + (double)bits(3);
        }
        begin[i + 1] = (i + 1) * A_ROW;
    }
    MUST(tacit_data_from_csr(ctx, begin, column, value, ROWS, columns, &data) == TACIT_OK);
    MUST(tacit_data_set_labels(ctx, data, truth) == TACIT_OK);
    return data;
}

static void run(tacit_data *data, tacit_cocluster_method method, tacit_neighbors unit,
                double epsilon, double delta, double least_nmi)
{
    tacit_budget b;
    tacit_cocluster_opts o;
    tacit_model *model = NULL;
    tacit_evaluation e;
    int32_t width = 0;
    bool finite = true;

    tacit_budget_init(&b, sizeof b);
    tacit_cocluster_opts_init(&o, sizeof o);
    b.epsilon = epsilon;
    b.delta = delta;
    b.neighbors = unit;
    b.use_insecure_test_seed = 1;
    b.insecure_test_seed = 3;
    o.row_clusters = o.column_clusters = 3;
    o.method = method;
    const tacit_status status = tacit_cocluster_run(ctx, data, &b, &o, &model);
    if (status != TACIT_OK) printf("# %s\n", tacit_ctx_message(ctx));
    MUST(status == TACIT_OK);
    const double *table = tacit_model_table(model, &width);
    for (int32_t i = 0; i < width * tacit_model_k(model); i++)
        finite = finite && isfinite(table[i]);
    tacit_evaluation_init(&e, sizeof e);
    MUST(tacit_model_evaluate(ctx, model, data, 0, &e) == TACIT_OK);
    CHECK(finite && e.nmi >= least_nmi, "%s, unit %d, %d columns, epsilon %g, delta %g: NMI %.2f",
          tacit_model_method(model), (int)unit, tacit_data_column_count(data), epsilon, delta,
          e.nmi);
    tacit_model_free(model);
}

int main(void)
{
    static const tacit_neighbors quanta[] = {TACIT_ADD_REMOVE, TACIT_REPLACE, TACIT_ENTRY};

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    for (int wide = 0; wide < 2; wide++) {
        tacit_data *data = make(wide ? WIDE : 60);
        for (size_t u = 0; u < 3; u++)
            for (int pure = 0; pure < 2; pure++) {
                run(data, TACIT_COCLUSTER_KMEANS, quanta[u], 0.5, pure ? 0 : 1e-6, 0);
                run(data, TACIT_COCLUSTER_BALCAN, quanta[u], 0.5, pure ? 0 : 1e-6, 0);
            }
        /* Little noise: three kinds of rows that hardly touch each other. */
        run(data, TACIT_COCLUSTER_KMEANS, TACIT_ADD_REMOVE, 50, 1e-6, 0.95);
        run(data, TACIT_COCLUSTER_BALCAN, TACIT_ADD_REMOVE, 200, 1e-6, 0.5);
        tacit_data_free(data);
    }
    tacit_ctx_free(ctx);
    return tap_done();
}
