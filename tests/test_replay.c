/* SPDX-License-Identifier: Apache-2.0 */
/* Neighboring rows, replayed (replay.h), for every method of k-means and k-median there is: for
   means and medians, pure and approximate, k given and chosen, dense and sparse rows. */
#include "cluster/kmeans/kmeans_run.h"
#include "replay.h"

typedef struct what {
    bool median, approximate, k_auto, sparse;
} what;

static what what_of(int variant)
{
    return (what){.median = variant & 1,
                  .approximate = variant & 2,
                  .k_auto = variant & 4,
                  .sparse = variant & 8};
}

static const char *method(int which)
{
    const tac_kmeans_method *m = tac_kmeans_method_of((tacit_kmeans_method)which);
    return m == NULL ? NULL : m->name;
}

/* Whatever the method's line in the table says. */
static bool serves(int which, int variant, char *words, size_t room)
{
    const tac_kmeans_method *m = tac_kmeans_method_of((tacit_kmeans_method)which);
    const what a = what_of(variant);

    snprintf(words, room, "%s%s, delta %s%s", a.median ? ", median" : "",
             a.k_auto ? ", k chosen" : "", a.approximate ? "> 0" : "= 0",
             a.sparse ? ", sparse" : "");
    return (a.median ? m->median : m->means) && (a.approximate ? m->approximate : m->pure) &&
           (!a.k_auto || m->k_auto) && (!a.sparse || (m->sparse && !a.median && !a.k_auto));
}

static void make(int which, int variant, world *w)
{
    /* A grid of 20 columns has a million boxes, whatever the rows: what then takes seconds is the
       plain k-means on them. */
    const bool boxes = which == TACIT_KMEANS_GRID;
    make_rows(w, what_of(variant).sparse, boxes ? 4 : MOST_DIMS);
    if (boxes && w->large && w->epsilon > 8) w->epsilon = 8;
}

static tacit_status run(const world *w, int which, int variant, tacit_data *data,
                        tacit_budget *budget, const tac_door_probe *probe, tacit_model **model)
{
    const tac_kmeans_method *m = tac_kmeans_method_of((tacit_kmeans_method)which);
    const what a = what_of(variant);
    tacit_kmeans_opts opts;

    declare_domain(w, data);
    budget->delta = a.approximate ? 1e-6 : 0;
    tacit_kmeans_opts_init(&opts, sizeof opts);
    opts.method = (tacit_kmeans_method)which;
    opts.k = a.k_auto ? TACIT_K_AUTO : w->k;
    opts.k_max = a.k_auto ? (int32_t)(w->options % 2) * 5 : 0;
    opts.rounds = m->rounds ? (int32_t)(w->options >> 1) % 4 : 0;
    opts.scale = (tacit_scale)(w->options >> 3 & 1);
    opts.sparsity = w->sparse || m->sparse_centers ? (int32_t)(w->options >> 4) % 3 : 0;
    opts.constants = which == TACIT_KMEANS_BALCAN ? (tacit_constants)(w->options >> 6 & 1)
                                                  : TACIT_CONSTANTS_PRACTICAL;
    return tac_kmeans_probed(ctx, data, budget, &opts, a.median, probe, model);
}

int main(int argc, char **argv)
{
    return replay_family_run(&(replay_family){16, method, serves, make, run, false, NULL}, 2, argc,
                             argv);
}
