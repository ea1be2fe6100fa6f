/* SPDX-License-Identifier: Apache-2.0 */
/* Neighboring rows, replayed (replay.h), for every method of subspace clustering there is: linear
   and affine, pure and approximate, k and q given and chosen. Draws of subspaces show the second
   moments that their distribution depends on; how far those of sample and aggregate move is the
   business of test_subspace_parts.c. */
#include "cluster/subspace/subspace_run.h"
#include "replay.h"

typedef struct what {
    bool affine, approximate, choose, labels;
} what;

static what what_of(int variant)
{
    return (what){.affine = variant & 1,
                  .approximate = variant & 2,
                  .choose = variant & 4,
                  .labels = variant & 8};
}

static const char *method(int which)
{
    const tac_subspace_method *m = tac_subspace_method_of((tacit_subspace_method)which);
    return m == NULL ? NULL : m->name;
}

/* Whatever the method's line in the table says. */
static bool serves(int which, int variant, char *words, size_t room)
{
    const tac_subspace_method *m = tac_subspace_method_of((tacit_subspace_method)which);
    const what a = what_of(variant);

    snprintf(words, room, "%s%s%s, delta %s", a.affine ? ", affine" : "",
             a.choose ? ", k and q chosen" : "", a.labels ? ", labels" : "",
             a.approximate ? "> 0" : "= 0");
    return (a.approximate ? m->approximate : m->pure) && (!a.choose || m->choose) &&
           (!a.labels || which == TACIT_SUBSPACE_GIBBS);
}

static void make(int which, int variant, world *w)
{
    const what a = what_of(variant);

    (void)which;
    do make_rows(w, false, 8); /* fits in more take their time, whatever the rows */
    /* refused whatever the rows */
    while (w->dims < 2 || (a.labels && (w->neighbors != TACIT_REPLACE || w->owned > 0)));
}

static tacit_status run(const world *w, int which, int variant, tacit_data *data,
                        tacit_budget *budget, const tac_door_probe *probe, tacit_model **model)
{
    const tac_subspace_method *m = tac_subspace_method_of((tacit_subspace_method)which);
    const bool parts = which == TACIT_SUBSPACE_SAMPLE_AGGREGATE;
    const what a = what_of(variant);
    tacit_subspace_opts opts;

    declare_domain(w, data);
    budget->delta = a.approximate ? 1e-6 : 0;
    tacit_subspace_opts_init(&opts, sizeof opts);
    opts.method = (tacit_subspace_method)which;
    opts.affine = a.affine;
    opts.release_labels = a.labels;
    opts.rounds = which == TACIT_SUBSPACE_GIBBS ? 20 : m->rounds ? (int32_t)w->options % 4 : 0;
    opts.scale = (tacit_scale)(w->options >> 2 & 1);
    opts.parts = parts ? (int32_t)(w->options >> 3 & 1) * 5 : 0;
    opts.overlapping_parts = parts && (w->options >> 4 & 1);
    opts.solver = parts ? (tacit_subspace_solver)((w->options >> 5) % 3) : TACIT_SOLVER_KPLANE;
    opts.restarts = parts ? (int32_t)(w->options >> 7 & 1) * 3 : 0;
    opts.k = a.choose ? TACIT_K_AUTO : w->k;
    opts.k_max = 3; /* fits to noise take their time */
    opts.q_max = 2;
    opts.q = a.choose ? TACIT_Q_AUTO : 1 + (w->k + w->dims) % (w->dims - 1);
    return tac_subspace_probed(ctx, data, budget, &opts, probe, model);
}

static bool labels(int variant)
{
    return what_of(variant).labels;
}

int main(int argc, char **argv)
{
    return replay_family_run(&(replay_family){16, method, serves, make, run, false, labels}, 1,
                             argc, argv);
}
