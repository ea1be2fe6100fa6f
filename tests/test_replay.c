/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbouring data, replayed, for every method of k-means there is: run it on D with a probe that writes down every exact
   and noisy answer; run it on a neighbour D' (on other threads, in other blocks) and hand it D's noisy answers. Then
   everything a caller can see must be the same, question by question and in the release, the exact answers may differ by no
   more than the declared sensitivity, and the card tells what was spent. Deterministic: no false alarms. */
#include "cluster/kmeans/kmeans.h"
#include "replay.h"

typedef struct what {
    tacit_kmeans_method method;
    bool median, k_auto;
    double delta;
} what;

static void run(const world *w, const void *method, int side, transcript *t, outcome *out)
{
    const tac_door_probe probe = {.exact = on_exact, .noisy = on_noisy, .payload = t};
    const what *a = method;
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    tacit_budget budget;
    tacit_kmeans_opts opts;

    open_side(w, a->delta, side, &data, &budget);
    tacit_kmeans_opts_init(&opts, sizeof opts);
    opts.method = a->method;
    opts.k = a->k_auto ? TACIT_K_AUTO : w->k;
    const tacit_status status = tac_kmeans_probed(ctx, data, &budget, &opts, a->median, &probe, &model);
    close_side(status, model, data, t, out);
}

/* As many pairs as a second or so of processor time allows, at least a few. */
static void test_method(const tac_kmeans_method *m, const what *a, bool sparse)
{
    static world w;
    tally sum = {0};
    const long most = tap_times(400), least = sparse ? 2 : tap_times(10) < 10 ? 4 : 12;
    const clock_t end = clock() + (clock_t)((double)tap_times(10) / 10 * (sparse ? 0.5 : 0.9) * CLOCKS_PER_SEC);
    char name[96];

    while (sum.pairs < most && (sum.pairs < least || clock() < end)) {
        make_pair(&w, sparse);
        replay(&w, run, a, &sum);
    }
    snprintf(name, sizeof name, "%s%s%s, delta %s%s", m->name, a->median ? ", median" : "", a->k_auto ? ", k chosen" : "",
             a->delta > 0 ? "> 0" : "= 0", sparse ? ", sparse" : "");
    report(name, &sum);
}

int main(void)
{
    int methods = 0;

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    for (int which = 0; which < 64; which++) {
        const tac_kmeans_method *m = tac_kmeans_method_of((tacit_kmeans_method)which);
        if (m == NULL) continue;
        methods++;
        for (int variant = 0; variant < 16; variant++) { /* whatever the method's line in the table says it serves */
            const what a = {.method = (tacit_kmeans_method)which, .median = variant & 1, .delta = variant & 2 ? 1e-6 : 0,
                            .k_auto = variant & 4};
            const bool sparse = variant & 8;
            if ((a.median ? !m->median : !m->means) || (a.delta > 0 ? !m->approximate : !m->pure) || (a.k_auto && !m->k_auto) ||
                (sparse && (!m->sparse || a.median || a.k_auto)))
                continue;
            test_method(m, &a, sparse);
        }
    }
    CHECK(methods >= 2, "%d methods replayed", methods);
    tacit_ctx_free(ctx);
    return tap_done();
}
