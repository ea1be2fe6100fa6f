/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of co-clustering, one line each: name, promise, source, function. */
#include "cluster/cocluster/cocluster_run.h"
#include "cluster/method.h"

static const tac_cocluster_method table[] = {
    [TACIT_COCLUSTER_AUTO] = {.name = "auto",
                              .summary = "whole rows: column mass, one noisy Gram matrix and noisy "
                                         "tables; single entries: rows draw clusters batch by "
                                         "batch from the noisy column profiles of the batches "
                                         "before",
                              .guarantee = "proved; pure with delta = 0, approximate with delta > "
                                           "0",
                              .paper = "this project; disjoint batches of rows after Battaglia & "
                                       "Pensa 2025, a noisy Gram matrix for whole rows",
                              .entry = true,
                              .rows = true,
                              .pure = true,
                              .approximate = true,
                              .labels = true,
                              .choose = true,
                              .run = tac_cocluster_auto},
    [TACIT_COCLUSTER_DP_TAUCC] = {.name = "dp-taucc",
                                  .summary = "columns and rows draw their clusters in turn, with a "
                                             "noisy table after every step",
                                  .guarantee = "proved; pure with delta = 0, approximate with "
                                               "delta > 0; hides single entries, not rows",
                                  .paper = "Battaglia & Pensa 2025, Alg. 1-3, with the random "
                                           "rows' partition that the authors' code loses",
                                  .entry = true,
                                  .pure = true,
                                  .approximate = true,
                                  .rounds = true,
                                  .labels = true,
                                  .caveat = "A published method, kept for comparison: auto spends "
                                            "the same budget better.",
                                  .run = tac_cocluster_taucc},
    [TACIT_COCLUSTER_NMF] = {.name = "nmf",
                             .summary = "non-negative factors of the rows from noisy statistics of "
                                        "their codes, random start: a peer to compare with",
                             .guarantee = "proved; pure with delta = 0, approximate with delta > "
                                          "0; with unit entry noise is as for a changed row",
                             .paper = "this project, after Saha & Imtiaz 2024 "
                                      "(differentially private non-negative matrix "
                                      "factorization)",
                             .entry = true,
                             .rows = true,
                             .pure = true,
                             .approximate = true,
                             .caveat = "A method to compare with: auto finds better clusters.",
                             .run = tac_cocluster_nmf},
    [TACIT_COCLUSTER_KMEANS] = {.name = "kmeans",
                                .summary = "private k-means (its method auto) of the rows, columns "
                                           "by the centers: a peer to compare with",
                                .guarantee = "proved; pure with delta = 0, approximate with delta "
                                             "> 0; with unit entry noise is as for a changed row",
                                .paper = "this project; k-means as the peer of Battaglia & Pensa "
                                         "2025, Section 5",
                                .entry = true,
                                .rows = true,
                                .pure = true,
                                .approximate = true,
                                .caveat = "A method to compare with: auto finds better clusters.",
                                .run = tac_cocluster_kmeans},
    [TACIT_COCLUSTER_BALCAN] = {.name = "balcan",
                                .summary = "private k-means of the rows by projection, candidates "
                                           "and local swaps: a peer to compare with",
                                .guarantee = "proved; pure with delta = 0, approximate with delta "
                                             "> 0; with unit entry noise is as for a changed row",
                                .paper = "Balcan, Dick, Liang, Mou & Zhang 2017 (DPHD in Battaglia "
                                         "& Pensa 2025)",
                                .entry = true,
                                .rows = true,
                                .pure = true,
                                .approximate = true,
                                .caveat = "A method to compare with: auto finds better clusters.",
                                .run = tac_cocluster_balcan},
};

TAC_METHOD_LIST(cocluster)
