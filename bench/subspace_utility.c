/* SPDX-License-Identifier: Apache-2.0 */
/* How near the private subspaces come to the true ones: the paper's d_W with |UU^T - VV^T|_F and the cost, on fresh rows of Wang, Wang &
   Singh's synthetic settings, beside the floors that method auto and sulq+ must reach.

     subspace_utility [SETTING [METHOD [EPSILON [SETS]]]]      all floors without arguments
     subspace_utility FILE ROWS COLUMNS K Q METHOD EPSILON DELTA   rows of doubles in a file, ball of radius 1: cost against k-plane */
#include "bench.h"
#include "release/model.h"
#include "subspace_world.h"

static tacit_model *fit(const double *rows, int64_t n, int d, int k, int q, int method, double epsilon,
                        double delta, uint64_t seed)
{
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    tacit_budget b;
    tacit_subspace_opts o;

    tacit_budget_init(&b, sizeof b);
    tacit_subspace_opts_init(&o, sizeof o);
    b.epsilon = epsilon;
    b.delta = delta;
    b.neighbours = TACIT_REPLACE;
    b.use_insecure_test_seed = 1;
    b.insecure_test_seed = seed;
    o.k = k;
    o.q = q;
    o.method = (tacit_subspace_method)method;
    MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, n, d, &data) == TACIT_OK);
    MUST(tacit_data_set_ball(ctx, data, NULL, 1) == TACIT_OK);
    if (tacit_subspace(ctx, data, &b, &o, &model) != TACIT_OK) printf("# %s\n", tacit_ctx_message(ctx));
    MUST(model != NULL);
    tacit_data_free(data);
    return model;
}

/* The model's bases as k x q x d. */
static void bases_of(const tacit_model *m, int d, double *out)
{
    const int k = tacit_model_k(m), q = tacit_model_q(m);
    const double *u = tacit_model_subspaces(m);

    for (int l = 0; l < k; l++)
        for (int j = 0; j < d; j++)
            for (int a = 0; a < q; a++) out[(l * q + a) * d + j] = u[(l * d + j) * q + a];
}

/* Mean squared distance to the nearest subspace, rows clipped to length 1. */
static double cost_of(const double *rows, int64_t n, int d, const double *u, int k, int q)
{
    double all = 0;

    for (int64_t r = 0; r < n; r++) {
        const double *x = rows + r * d;
        double squares = 0, most = 0;
        for (int j = 0; j < d; j++) squares += x[j] * x[j];
        for (int l = 0; l < k; l++) {
            double held = 0;
            for (int a = 0; a < q; a++) {
                double along = 0;
                for (int j = 0; j < d; j++) along += x[j] * u[(l * q + a) * d + j];
                held += along * along;
            }
            most = fmax(most, held);
        }
        all += (squares - most) / fmax(1, squares);
    }
    return all / (double)n;
}

typedef struct setting {
    int64_t n;
    int d, k, q;
    double sigma;
} setting;
static const setting settings[] = {{0}, {5000, 5, 3, 3, 0.01}, {1000, 10, 3, 3, 0.1}, {20000, 30, 8, 4, 0.1}};

/* Means over fresh sets; returns the mean d_W. */
static double measure(int which, int method, double epsilon, int sets, double floor_at)
{
    const setting *s = &settings[which];
    static double truth[8 * 4 * 30], found[8 * 4 * 30];
    const double delta = 1 / ((double)s->n * log((double)s->n));
    double sum = 0, squares = 0, cost = 0, most = 0, start = now();
    tacit_method told = {.size = sizeof told};

    MUST(tacit_subspace_method_get((tacit_subspace_method)method, &told) == TACIT_OK);
    for (int i = 0; i < sets; i++) {
        double *rows = subspace_rows(s->n, s->d, s->k, s->q, s->sigma, 7000 + 13 * (uint64_t)i, truth);
        tacit_model *m = fit(rows, s->n, s->d, s->k, s->q, method, epsilon, delta, 100 + (uint64_t)i);
        bases_of(m, s->d, found);
        const double off = wasserstein(found, truth, s->k, s->d, s->q);
        sum += off;
        squares += off * off;
        most = fmax(most, off);
        cost += cost_of(rows, s->n, s->d, found, s->k, s->q);
        tacit_model_free(m);
        free(rows);
    }
    const double mean = sum / sets;
    printf("setting %d %-6s epsilon %-7.4g sets %2d: cost %.4f d_W %.3f +- %.3f most %.3f", which, told.name, epsilon,
           sets, cost / sets, mean, sqrt(fmax(0, squares / sets - mean * mean)), most);
    if (floor_at > 0) printf("  floor %.2f %s", floor_at, mean <= floor_at ? "reached" : "MISSED");
    printf("  (%.2f s each)\n", (now() - start) / sets);
    fflush(stdout);
    return mean;
}

static int from_file(char **arg)
{
    const int64_t n = atoll(arg[2]);
    const int d = atoi(arg[3]), k = atoi(arg[4]), q = atoi(arg[5]), method = atoi(arg[6]);
    double *rows = malloc((size_t)n * (size_t)d * sizeof *rows), *found = malloc((size_t)(k * q * d) * sizeof *found);
    FILE *file = fopen(arg[1], "rb");
    const double start = now();

    MUST(file != NULL && fread(rows, sizeof *rows, (size_t)n * (size_t)d, file) == (size_t)n * (size_t)d);
    tacit_model *m = fit(rows, n, d, k, q, method, atof(arg[7]), atof(arg[8]), 1);
    bases_of(m, d, found);
    printf("%s method %d epsilon %s: cost %.6g (%.1f s)\n", arg[1], method, arg[7],
           cost_of(rows, n, d, found, k, q), now() - start);
    for (int32_t i = 0; tacit_model_note(m, i) != NULL; i++) printf("  note: %s\n", tacit_model_note(m, i));
    tacit_model_free(m);
    fclose(file);
    free(rows);
    free(found);
    return 0;
}

int main(int count, char **arg)
{
    static const struct { int setting, method; double epsilon, floor; int sets; } floors[] = {
        {2, TACIT_SUBSPACE_AUTO, 1, 0.47, 20},        {2, TACIT_SUBSPACE_AUTO, 3.1623, 0.21, 20},
        {2, TACIT_SUBSPACE_AUTO, 10, 0.14, 20},
        {2, TACIT_SUBSPACE_AUTO, 100, 0.12, 20},      {1, TACIT_SUBSPACE_AUTO, 0.31623, 0.25, 20},
        {1, TACIT_SUBSPACE_AUTO, 1, 0.06, 20},
        {1, TACIT_SUBSPACE_AUTO, 10, 0.01, 20},       {3, TACIT_SUBSPACE_AUTO, 1, 0.5, 2},
        {2, TACIT_SUBSPACE_SULQ_PLUS, 1, 2.2, 20},
        {2, TACIT_SUBSPACE_SULQ_PLUS, 3.1623, 0.75, 20}, {2, TACIT_SUBSPACE_SULQ_PLUS, 10, 0.5, 20},
    };
    int missed = 0;

    MUST(tacit_ctx_new(&ctx) == TACIT_OK && tacit_ctx_set_threads(ctx, 1) == TACIT_OK);
    if (count == 9) return from_file(arg);
    for (size_t i = 0; i < sizeof floors / sizeof *floors && count == 1; i++)
        missed += measure(floors[i].setting, floors[i].method, floors[i].epsilon, floors[i].sets,
                          floors[i].floor) > floors[i].floor;
    if (count > 1)
        measure(atoi(arg[1]), count > 2 ? atoi(arg[2]) : 0, count > 3 ? atof(arg[3]) : 1, count > 4 ? atoi(arg[4]) : 5, 0);
    tacit_ctx_free(ctx);
    return missed != 0;
}
