/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of subspace clustering, one line each: name, promise, source, function. */
#include "cluster/subspace/subspace_run.h"
#include "cluster/method.h"

static const tac_subspace_method table[] = {
    [TACIT_SUBSPACE_AUTO] = {.name = "auto",
                             .summary = "fourth moments of all rows tell every subspace at once, "
                                        "then averaged rounds of second moments in all columns; "
                                        "delta = 0: sulq+ with trace noise",
                             .guarantee = "proved; pure with delta = 0, approximate with delta > 0",
                             .paper = "this project; a noisy fourth-moment tensor and averaged "
                                      "second moments",
                             .standing = "proved",
                             .pure = true,
                             .approximate = true,
                             .choose = true,
                             .rounds = true,
                             .check = tac_subspace_auto_check,
                             .run = tac_subspace_auto},
    [TACIT_SUBSPACE_SULQ_PLUS] = {.name = "sulq+",
                                  .summary = "k-plane on noisy second moments: the noise that is "
                                             "needed, several starts, a choice, averaged rounds",
                                  .guarantee = "proved; pure with delta = 0 (trace noise), "
                                               "approximate with delta > 0",
                                  .paper = "this project, after Wang, Wang & Singh 2015, Alg. 5",
                                  .standing = "proved",
                                  .pure = true,
                                  .approximate = true,
                                  .rounds = true,
                                  .caveat = "k-plane may get stuck in a bad start; with a delta "
                                            "above 0 method auto does not depend on one.",
                                  .run = tac_subspace_sulq_plus},
    [TACIT_SUBSPACE_SULQ] = {.name = "sulq",
                             .summary = "k-plane on noisy second moments with the published noise, "
                                        "from one random start",
                             .guarantee = "proved; approximate; the noise is as published or, "
                                          "where that is too small, the least that is private; all "
                                          "cells of a round are one query, charged what it truly "
                                          "costs",
                             .paper = "Wang, Wang & Singh 2015, Alg. 5 and Prop. E.2",
                             .standing = "proved",
                             .approximate = true,
                             .rounds = true,
                             .caveat = "A published method, kept for comparison: its noise is "
                                       "about twenty times what is needed, and k-plane does not "
                                       "leave a bad start. Method auto needs far less budget.",
                             .run = tac_subspace_sulq},
    [TACIT_SUBSPACE_BINGHAM] = {.name = "bingham",
                                .summary = "hard assignment and exact matrix Bingham draws of the "
                                           "subspaces, in turn",
                                .guarantee = "proved in real arithmetic, drawn in double "
                                             "precision; pure with delta = 0, approximate with "
                                             "delta > 0; no ledger takes it",
                                .paper = "this project; a provable variant of the Gibbs sampler of "
                                         "Wang, Wang & Singh 2015",
                                .standing = "in real arithmetic only: drawn in double precision",
                                .unledgered = "its guarantee holds in real arithmetic only, and "
                                              "what it draws is in double precision",
                                .pure = true,
                                .approximate = true,
                                .rounds = true,
                                .caveat = "A random start may end in the wrong subspaces; method "
                                          "auto is better.",
                                .run = tac_subspace_bingham},
    [TACIT_SUBSPACE_GIBBS] = {.name = "gibbs",
                              .summary = "the paper's Gibbs sampler with corrected samplers; the "
                                         "state after the last iteration",
                              .guarantee = "pure, asymptotic only: holds in the limit of many "
                                           "iterations, and nothing tells how many are enough; in "
                                           "real arithmetic, drawn in double precision; no ledger "
                                           "takes it",
                              .paper = "Wang, Wang & Singh 2015 (Eq. 10-12, Alg. 3 and 4 with "
                                       "exact draws)",
                              .standing = "asymptotic guarantee only: holds in the limit of many "
                                          "iterations and in real arithmetic",
                              .unledgered = "its guarantee holds in real arithmetic only, and "
                                            "there in the limit of many iterations",
                              .pure = true,
                              .rounds = true,
                              .whole = true,
                              .check = tac_subspace_gibbs_check,
                              .caveat = "The guarantee is asymptotic: nothing tells how many "
                                        "iterations are enough, and at a large epsilon the sampler "
                                        "may stay where it started. Method auto is proved and "
                                        "needs far less budget.",
                              .run = tac_subspace_gibbs},
    [TACIT_SUBSPACE_SAMPLE_AGGREGATE] =
        {
            .name = "sample-aggregate",
            .summary = "a plain solver on parts of the rows, the result that most others are near, "
                       "noise that suits how near",
            .guarantee = "proved for every epsilon; approximate, needs delta > 0; alone in its "
                         "run, no price on a ledger",
            .paper = "Wang, Wang & Singh 2015, Alg. 1, after Nissim, Raskhodnikova & Smith 2007; "
                     "smooth bound and noise with a new proof",
            .standing = "proved",
            .approximate = true,
            .unledgered = "its noise follows no curve that adds up",
            .whole = true,
            .check = tac_subspace_aggregate_check,
            .caveat = "A published method, kept for comparison: usable if plain solvers find the "
                      "same subspaces in all parts of the rows; method auto needs no such luck.",
            .run = tac_subspace_aggregate,
        },
};

TAC_METHOD_LIST(subspace)

static const tacit_method solvers[] = {
    [TACIT_SOLVER_KPLANE] = {.name = "kplane",
                             .summary = "assignment and principal components in turn, best of "
                                        "several starts",
                             .paper = "Bradley & Mangasarian 2000 (k-plane clustering)"},
    [TACIT_SOLVER_TSC] = {.name = "tsc",
                          .summary = "a graph of nearest directions, spectral clustering",
                          .paper = "Heckel & Boelcskei 2015 (thresholding-based subspace "
                                   "clustering)"},
    [TACIT_SOLVER_TSC_SIMPLE] = {.name = "tsc-simple",
                                 .summary = "a graph of nearest directions, connected components",
                                 .paper = "Wang, Wang & Singh 2015, Alg. 2"},
    [TACIT_SOLVER_SSC] = {.name = "ssc",
                          .summary = "every row as a sparse sum of others, spectral clustering",
                          .paper = "Elhamifar & Vidal 2013 (sparse subspace clustering)"},
    [TACIT_SOLVER_LRR] = {.name = "lrr",
                          .summary = "all rows as sums of others, of low rank, spectral clustering",
                          .paper = "Liu et al. 2013 (low-rank representation)"},
};

static bool describe_solver(int32_t number, tacit_method *out)
{
    if (number >= (int32_t)(sizeof solvers / sizeof *solvers)) return false;
    *out = solvers[number];
    return true;
}

int32_t tacit_subspace_solver_count(void)
{
    return tac_method_count(describe_solver);
}

tacit_status tacit_subspace_solver_get(int32_t index, tacit_method *out)
{
    return tac_method_at(describe_solver, index, out);
}
