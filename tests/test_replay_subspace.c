/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbouring data, replayed, for every method of subspace clustering there is, as test_replay.c does it for k-means:
   linear and affine, k and q given and chosen. Draws of subspaces show the second moments that their law depends on; how far
   those of sample and aggregate move is the business of test_subspace_parts.c. */
#include "cluster/subspace/subspace.h"
#include "replay.h"

typedef struct what {
    tacit_subspace_method method;
    bool affine, choose;
    int32_t rounds;
    double delta;
} what;

static void run(const world *w, const void *method, int side, transcript *t, outcome *out)
{
    const tac_door_probe probe = {.exact = on_exact, .noisy = on_noisy, .payload = t};
    const what *a = method;
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    tacit_budget budget;
    tacit_subspace_opts opts;

    open_side(w, a->delta, side, &data, &budget);
    tacit_subspace_opts_init(&opts, sizeof opts);
    opts.method = a->method;
    opts.affine = a->affine;
    opts.rounds = a->rounds;
    opts.k = a->choose ? TACIT_K_AUTO : w->k;
    opts.k_max = 3; /* fits to noise take their time */
    opts.q_max = 2;
    opts.q = a->choose ? TACIT_Q_AUTO : 1 + (w->k + w->dims) % (w->dims - 1);
    const tacit_status status = tac_subspace_probed(ctx, data, &budget, &opts, &probe, &model);
    close_side(status, model, data, t, out);
}

/* As many pairs as a second or so of processor time allows, at least a few. */
static void test_method(const tac_subspace_method *m, const what *a)
{
    static world w;
    tally sum = {0};
    const long most = tap_times(400), least = tap_times(10) < 10 ? 1 : 12;
    const clock_t end = clock() + (clock_t)((double)tap_times(10) / 10 * 0.9 * CLOCKS_PER_SEC);
    char name[96];

    while (sum.pairs < most && (sum.pairs < least || clock() < end)) {
        do make_pair(&w, false);
        while (w.dims < 2); /* refused whatever the rows */
        replay(&w, run, a, &sum);
    }
    snprintf(name, sizeof name, "%s%s%s, delta %s", m->name, a->affine ? ", affine" : "", a->choose ? ", k and q chosen" : "",
             a->delta > 0 ? "> 0" : "= 0");
    report(name, &sum);
}

int main(void)
{
    int methods = 0;

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    for (int which = 0; which < 64; which++) {
        const tac_subspace_method *m = tac_subspace_method_of((tacit_subspace_method)which);
        if (m == NULL) continue;
        methods++;
        for (int variant = 0; variant < 8; variant++) { /* whatever the method's line in the table says it serves */
            const what a = {.method = (tacit_subspace_method)which, .affine = variant & 1, .delta = variant & 2 ? 1e-6 : 0,
                            .choose = variant & 4, .rounds = which == TACIT_SUBSPACE_GIBBS ? 20 : 0};
            if ((a.delta > 0 ? !m->approximate : !m->pure) || (a.choose && !m->choose)) continue;
            test_method(m, &a);
        }
    }
    CHECK(methods >= 1, "%d methods replayed", methods);
    tacit_ctx_free(ctx);
    return tap_done();
}
