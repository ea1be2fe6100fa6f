/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of k-means and k-median, one line each: name, promise, source, function. */
#include "cluster/kmeans/kmeans_run.h"
#include "cluster/method.h"

#define PROVED "proved; pure with delta = 0, approximate with delta > 0"

static const tac_kmeans_method table[] = {
    [TACIT_KMEANS_AUTO] = {.name = "auto",
                           .summary = "zoom, a tree of cells (delta = 0: a counted grid), plain "
                                      "k-means on it, relative refinement",
                           .guarantee = PROVED,
                           .paper = "this project; a noisy Linde-Buzo-Gray quantizer (delta = 0: "
                                    "noisy counts in a random projection) with relative clipped "
                                    "means",
                           .means = true,
                           .median = true,
                           .pure = true,
                           .approximate = true,
                           .k_auto = true,
                           .rounds = true,
                           .sparse = true,
                           .run = tac_auto},
    [TACIT_KMEANS_LLOYD] = {.name = "lloyd",
                            .summary = "noisy Lloyd rounds from spread-out centers, with shrinking "
                                       "and re-seeding",
                            .guarantee = PROVED,
                            .paper = "Blum, Dwork, McSherry & Nissim 2005 (SuLQ); Su, Cao, Li, "
                                     "Bertino & Jin 2016 (DP-Lloyd)",
                            .means = true,
                            .pure = true,
                            .approximate = true,
                            .rounds = true,
                            .run = tac_lloyd},
    [TACIT_KMEANS_SULQ] = {.name = "sulq",
                           .summary = "SuLQ k-means as published: a random start, 20 equal rounds "
                                      "of noisy sums and counts",
                           .guarantee = PROVED "; the paper's noise is Gaussian, delta = 0 is our "
                                               "Laplace twin",
                           .paper = "Blum, Dwork, McSherry & Nissim 2005 (SuLQ)",
                           .means = true,
                           .pure = true,
                           .approximate = true,
                           .rounds = true,
                           .caveat = "A published method, kept for comparison: its random start "
                                     "often puts two centers into one cluster, and it cannot "
                                     "recover from that.",
                           .run = tac_sulq},
    [TACIT_KMEANS_DPLLOYD] = {.name = "dplloyd",
                              .summary = "DP-Lloyd as published: sphere packing, then 2 to 7 noisy "
                                         "rounds",
                              .guarantee = PROVED "; the paper's noise is Laplace, delta > 0 is "
                                                  "our Gaussian twin",
                              .paper = "Su, Cao, Li, Bertino & Jin 2016 (DP-Lloyd)",
                              .means = true,
                              .pure = true,
                              .approximate = true,
                              .rounds = true,
                              .caveat = "A published method, kept for comparison: good for few "
                                        "centers in few columns when the start is lucky.",
                              .run = tac_dplloyd},
    [TACIT_KMEANS_GRID] = {.name = "grid",
                           .summary = "EUGkM as published: a noisy histogram of a uniform grid, "
                                      "then plain k-means on it; with 1 round their hybrid: half "
                                      "of the budget on the grid, half on a round of DP-Lloyd",
                           .guarantee = PROVED "; the paper's noise is Laplace, delta > 0 is our "
                                               "Gaussian twin",
                           .paper = "Su, Cao, Li, Bertino & Jin 2016 (EUGkM)",
                           .means = true,
                           .pure = true,
                           .approximate = true,
                           .rounds = true,
                           .check = tac_grid_check,
                           .caveat = "A published method, kept for comparison: centers are no "
                                     "finer than its boxes, and it is good up to about four "
                                     "columns.",
                           .run = tac_grid},
    [TACIT_KMEANS_SAMPLE_AGGREGATE] = {.name = "sample-aggregate",
                                       .summary = "plain k-means on parts of the rows; the result "
                                                  "that most others are near, with noise for how "
                                                  "near they are",
                                       .guarantee = "proved for every epsilon; approximate, needs "
                                                    "delta > 0; alone in its run, no price on a "
                                                    "ledger; smooth sensitivity as in the paper, "
                                                    "by ranks of distances and with a bound that "
                                                    "is proved for the numbers used",
                                       .paper = "Nissim, Raskhodnikova & Smith 2007 (sample and "
                                                "aggregate)",
                                       .means = true,
                                       .approximate = true,
                                       .alone = true,
                                       .whole = true,
                                       .check = tac_sample_aggregate_check,
                                       .caveat = "A published method, kept for comparison: usable "
                                                 "if plain k-means finds the same centers in all "
                                                 "of some hundred parts of the rows.",
                                       .run = tac_sample_aggregate},
    [TACIT_KMEANS_KVARIATES] = {.name = "kvariates",
                                .summary = "k-variates++ with noise for the worst case: k rows "
                                           "drawn as by k-means++, each made noisy",
                                .guarantee = PROVED "; the paper's smaller noise needs numbers "
                                                    "read off the rows and is left out, ours needs "
                                                    "no assumption; Gaussian noise with delta > 0 "
                                                    "is ours",
                                .paper = "Nock, Canyasse, Boreli & Nielsen 2016 (k-variates++)",
                                .means = true,
                                .pure = true,
                                .approximate = true,
                                .whole = true,
                                .check = tac_kvariates_check,
                                .caveat = "A published method, kept for comparison: the noise of a "
                                          "center does not shrink with the number of rows.",
                                .run = tac_kvariates},
    [TACIT_KMEANS_LSH_TREE] = {.name = "lsh-tree",
                               .summary = "a tree of random half-spaces with noisy counts, then "
                                          "plain k-means on its leaves",
                               .guarantee = PROVED "; the paper's counts have discrete Laplace "
                                                   "noise and need delta > 0, ours have Gaussian "
                                                   "noise with delta > 0, and delta = 0 is our "
                                                   "Laplace twin",
                               .paper = "Chang, Ghazi, Kumar & Manurangsi 2021 (LSH trees)",
                               .means = true,
                               .pure = true,
                               .approximate = true,
                               .caveat = "A published method, kept for comparison: its half-spaces "
                                         "go through the middle of the domain, so clusters on one "
                                         "ray from there are not told apart.",
                               .run = tac_lsh_tree},
    [TACIT_KMEANS_BALCAN] = {.name = "balcan",
                             .summary = "a random projection, candidates from a private partition "
                                        "of space, private swaps, noisy means",
                             .guarantee = PROVED "; the paper's bound on the cost holds with the "
                                                 "constants of its theorems and for k-means only; "
                                                 "Gaussian noise with delta > 0 is ours",
                             .paper = "Balcan, Dick, Liang, Mou & Zhang 2017 (high-dimensional "
                                      "k-means and k-median)",
                             .means = true,
                             .median = true,
                             .pure = true,
                             .approximate = true,
                             .rounds = true,
                             .sparse = true,
                             .sparse_centers = true,
                             .check = tac_balcan_check,
                             .caveat = "A published method, kept for comparison: it finds clusters "
                                       "that hold more rows than a cube must to be split.",
                             .run = tac_balcan_run},
};

TAC_METHOD_LIST(kmeans, .means = m->means, .median = m->median)
