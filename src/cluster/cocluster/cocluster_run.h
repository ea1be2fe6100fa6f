/* SPDX-License-Identifier: Apache-2.0 */
/* Private co-clustering: what its methods get and give. A method sees the door and public
   numbers, never rows. */
#ifndef TAC_COCLUSTER_RUN_H
#define TAC_COCLUSTER_RUN_H

#include "cluster/budget_shares.h"
#include "cluster/release_notes.h"
#include "cluster/private_run.h"

/* What a method works with. */
typedef struct tac_cocluster_job {
    tacit_ctx *ctx;
    tac_run *run; /* for tac_run_set_frame; nothing else of it is a method's business */
    tac_door *door;
    /* neighbors entry: the number of rows is public; otherwise whole rows (or persons) count */
    bool entry;
    int64_t rows;          /* entry: public; -1 otherwise */
    int32_t columns, k, l; /* k row clusters, l column clusters; 0: to be chosen */
    double epsilon, delta;
    const tacit_cocluster_opts *opts;
    tac_stream *random; /* for everything that is not noise: starts, restarts, batches */
} tac_cocluster_job;

/* What a method returns: all of it post-processing of noisy answers. */
typedef struct tac_cocluster_result {
    int32_t k, l;            /* at most what was asked for */
    bool rest;               /* the table has one more column, and columns may be in cluster l */
    int32_t *column_cluster; /* columns: 0 .. l - 1, or l with rest */
    double *column_z;        /* columns; NaN: not looked at; NULL: not known */
    double *table;           /* k x (l + rest) */
    double table_sd;         /* NaN: not known */
    bool in_rows;            /* the table is in rows; otherwise in counts */
    double *sizes;           /* k noisy numbers of rows; NaN: not known */
    double sizes_sd;
    tac_rule rule;   /* how a row finds its cluster; owned */
    int32_t *labels; /* job->rows private labels, paid for; NULL: none */
    int32_t rounds;
    tac_notes notes;
} tac_cocluster_result;

/* Room for k x (l + rest) clusters of so many columns; sizes NaN, no z, no rule, no labels. */
tacit_status tac_cocluster_result_new(tacit_ctx *ctx, int32_t k, int32_t l, bool rest,
                                      int32_t columns, tac_cocluster_result *out);
/* Room for a rule: weights 1, groups 0, scores and offsets 0, profile p in cluster min(p, k -
   1). */
tacit_status tac_cocluster_rule_new(tacit_ctx *ctx, int32_t columns, int32_t groups,
                                    int32_t profiles, tac_cocluster_result *result);
void tac_cocluster_result_clear(tac_cocluster_result *result);
/* Removes column clusters without a column, and their columns of the table; one stays if all
   columns are in the rest. A note says so. The rule has groups of its own and stays as it is. */
tacit_status tac_cocluster_drop_empty(tacit_ctx *ctx, int32_t columns,
                                      tac_cocluster_result *result);

/* one_block_note.c: a table that cannot be told from one without blocks. */
tacit_status tac_one_block_note(tacit_ctx *ctx, const tac_cocluster_job *job,
                                tac_cocluster_result *result);

/* A method is one line of the table in cocluster_methods.c. */
typedef struct tac_cocluster_method {
    const char *name, *summary, *guarantee, *paper;
    bool entry, rows;       /* privacy units: single entries; whole rows and persons */
    bool pure, approximate; /* delta = 0, delta > 0 */
    /* options it takes: a number of rounds, a share of the budget for labels of rows */
    bool rounds, labels;
    bool choose;        /* the numbers of clusters: of whole rows, with delta > 0 */
    const char *caveat; /* what a plan adds; NULL: nothing */
    tacit_status (*run)(const tac_cocluster_job *job, tac_cocluster_result *out);
} tac_cocluster_method;

/* NULL: no such method. */
const tac_cocluster_method *tac_cocluster_method_of(tacit_cocluster_method which);

/* Result and receipts become a release. */
tacit_status tac_cocluster_release(tacit_ctx *ctx, const tac_run *run,
                                   const tac_cocluster_method *method,
                                   const tac_cocluster_result *result, tacit_model **out);
/* The same for plain Fast-tauCC, without a run: marked not private. */
tacit_status tac_cocluster_release_plain(tacit_ctx *ctx, const tacit_data *data,
                                         const tac_cocluster_result *result, tacit_model **out);

/* The public call with a probe for the tests that attack it (NULL: none). */
tacit_status tac_cocluster_probed(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                                  const tacit_cocluster_opts *opts, const tac_door_probe *probe,
                                  tacit_model **out);

/* The methods, a folder or a file each. auto_cocluster.c sends whole rows to rows/ and single
   entries to entry/. */
tacit_status tac_cocluster_auto(const tac_cocluster_job *job, tac_cocluster_result *out);
/* Is the method better off with delta 0, though more was offered? Then the run is pure, and its
   card says so. */
bool tac_cocluster_auto_leaves_delta(const tacit_budget *budget);
tacit_status tac_cocluster_rows(const tac_cocluster_job *job, tac_cocluster_result *out);
tacit_status tac_cocluster_entry(const tac_cocluster_job *job, tac_cocluster_result *out);
/* entry, delta > 0, small epsilon */
tacit_status tac_cocluster_gram(const tac_cocluster_job *job, tac_cocluster_result *out);
tacit_status tac_cocluster_taucc(const tac_cocluster_job *job, tac_cocluster_result *out);
tacit_status tac_cocluster_nmf(const tac_cocluster_job *job, tac_cocluster_result *out);
tacit_status tac_cocluster_kmeans(const tac_cocluster_job *job, tac_cocluster_result *out);
tacit_status tac_cocluster_balcan(const tac_cocluster_job *job, tac_cocluster_result *out);

#endif
