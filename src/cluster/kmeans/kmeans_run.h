/* SPDX-License-Identifier: Apache-2.0 */
/* Private k-means and k-median: what methods get and give. A method sees the door and public
   numbers, never rows. Results are real coordinates of the first lattice, the frame of the
   declared domain. */
#ifndef TAC_KMEANS_RUN_H
#define TAC_KMEANS_RUN_H

#include "cluster/budget_shares.h"
#include "cluster/release_notes.h"
#include "cluster/private_run.h"
#include "solve/kmeans/choose_k.h"

/* What a method works with. */
typedef struct tac_kmeans_job {
    tacit_ctx *ctx;
    /* for tac_run_set_frame and tac_run_frame; nothing else of it is a method's business */
    tac_run *run;
    tac_door *door;
    const tac_frame *frame; /* of the declared domain */
    const tacit_kmeans_opts *opts;
    bool median; /* k-median, not k-means */
    /* for everything that is not noise: starts, restarts, projections */
    tac_stream *random;
} tac_kmeans_job;

/* What a method returns: all of it post-processing of noisy answers. */
typedef struct tac_kmeans_result {
    int32_t k;       /* as asked for, or chosen */
    double *centers; /* k x columns */
    /* k x columns: error bars for the noise, the last cells taken as given, wider where noise
       hides more; NaN: not known */
    double *centers_sd;
    double *sizes; /* k noisy numbers of rows; 0 for a center that repeats an earlier one */
    double sizes_sd;
    /* k x columns: noisy variances of the rows about their center, which may be negative, and
       standard deviations of their noise; NULL: not asked for */
    double *variance, *variance_sd;
    int32_t rounds; /* of whatever the method repeats; 0: nothing */
    double *curve;  /* with TACIT_K_AUTO: curve_count numbers for k = 1, 2, ... */
    int32_t curve_count;
    tac_k_choice choice; /* with TACIT_K_AUTO, if there was something to choose */
    /* the cells it asked about, in units of the first lattice; NULL: none */
    tac_released_cells *synopsis;
    tac_notes notes;
} tac_kmeans_result;

/* Room for k centers. */
tacit_status tac_kmeans_result_new(tacit_ctx *ctx, int32_t k, int32_t columns,
                                   tac_kmeans_result *out);
void tac_kmeans_result_clear(tac_kmeans_result *result);

/* Room for the variances too. */
tacit_status tac_kmeans_result_variances(tacit_ctx *ctx, int32_t columns, tac_kmeans_result *out);

/* size_order.c: clusters come largest first, those that repeat others (size 0) last; unknown sizes
   leave everything where it is. *order: the old number of each new one; free it. */
tacit_status tac_order_by_size(tacit_ctx *ctx, const double *sizes, int32_t k, int32_t **order);
/* values: k x wide, or NULL */
tacit_status tac_put_in_order(tacit_ctx *ctx, const int32_t *order, int32_t k, int32_t wide,
                              double *values);
tacit_status tac_kmeans_result_sort(tacit_ctx *ctx, int32_t columns, tac_kmeans_result *result);

/* ask_variances.c: the query that tells how much rows of a cluster differ. Lattice units. */
typedef struct tac_variances {
    int32_t k, columns;
    const double *center, *center_sd; /* k x columns: as released, and their error bars */
    const double *count;              /* k noisy rows */
    double count_sd;
    const double *radius; /* k: rows beyond it are pulled onto it */
    double beyond; /* by how much the mean square would be larger if they were not; at least 1 */
    double *variance, *variance_sd; /* k x columns: the answer */
} tac_variances;
/* What of a run's budget it gets; 0: noise would drown it, or rows are too wide. */
uint64_t tac_variance_quanta(const tac_door *door, int32_t k, int32_t columns, double rows,
                             uint64_t budget);
tacit_status tac_ask_variances(tacit_ctx *ctx, tac_door *door, uint64_t quanta,
                               const tac_variances *v);

/* What can be known before a row is read: everything `check` may use. */
typedef struct tac_kmeans_params {
    tacit_ctx *ctx;
    tac_privacy_params params;
    double epsilon, delta;
    uint64_t budget; /* quanta */
    int32_t columns;
    const tacit_kmeans_opts *opts;
    bool median;
} tac_kmeans_params;

/* A method is one line of the table in kmeans_methods.c. */
typedef struct tac_kmeans_method {
    const char *name, *summary, *guarantee, *paper;
    bool means, median;     /* objectives it serves */
    bool pure, approximate; /* delta = 0, delta > 0 */
    bool k_auto, rounds;    /* options it takes: k chosen, a number of rounds */
    bool sparse;            /* takes rows that stay sparse (tac_data_sparse), for means */
    /* its one query is (epsilon, delta)-private by itself and has no price on a ledger */
    bool alone;
    bool whole;          /* a draw of it looks at all rows together */
    bool sparse_centers; /* uses a declared sparsity for dense rows too */
    const char *caveat;  /* what a plan adds; NULL: nothing */
    /* What the method refuses for public reasons that no run over made-up rows shows: limits of
       its own. NULL: none. Whether the budget can pay is checked elsewhere (tac_private_run_do). */
    tacit_status (*check)(const tac_kmeans_params *params);
    tacit_status (*run)(const tac_kmeans_job *job, tac_kmeans_result *out);
} tac_kmeans_method;

/* NULL: no such method. */
const tac_kmeans_method *tac_kmeans_method_of(tacit_kmeans_method which);

/* Result, frame, data and receipts become a release. */
tacit_status tac_kmeans_release(tacit_ctx *ctx, const tac_run *run, const tacit_kmeans_opts *opts,
                                bool median, tac_kmeans_result *result, tacit_model **out);

/* The part of it that any result takes: centers from the lattice to columns (c / scale + center of
   the domain; error bars are divided by scale), sizes, spreads and what follows from them. *total:
   root mean square distance of all rows from their mean, lattice units; NaN: not known. */
tacit_status tac_kmeans_write_result(tacit_ctx *ctx, const tac_frame *frame,
                                     const tac_features *features, const tac_kmeans_result *result,
                                     tacit_model *model, double *total);

/* column_notes.c: bounds that do not fit a column, and columns that are noise. */
tacit_status tac_column_notes(tacit_ctx *ctx, const tacit_model *model, tac_notes *notes);

/* trivial_note.c: centers that cannot be told from one mean of all rows. */
tacit_status tac_trivial_note(tacit_ctx *ctx, int32_t columns, tac_kmeans_result *result);

/* compare_releases.c: the z that noise alone exceeds in `rate` of all comparisons of so many
   numbers, at least 3; of Gaussian or of Laplace noise. */
double tac_compare_threshold(int64_t numbers, bool laplace, double rate);

/* The public call with a probe for the tests that attack it (NULL: none). */
tacit_status tac_kmeans_probed(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                               const tacit_kmeans_opts *opts, bool median,
                               const tac_door_probe *probe, tacit_model **out);

/* Defaults filled in and every option checked. */
tacit_status tac_kmeans_read_opts(tacit_ctx *ctx, const tacit_kmeans_opts *given, bool median,
                                  tacit_kmeans_opts *known);

/* Real lattice coordinates as the door takes points. */
void tac_round_points(const double *points, size_t count, int16_t *out);

/* The methods, one file or a few each. */
tacit_status tac_auto(const tac_kmeans_job *job, tac_kmeans_result *out);
/* its walk for delta = 0 */
tacit_status tac_auto_pure(const tac_kmeans_job *job, tac_kmeans_result *out);
/* ... where rows are wider than TAC_WIDE columns, so that there is no matrix of columns x columns:
   sparse or, with delta > 0, dense. */
bool tac_auto_sketches(int32_t columns);
tacit_status tac_auto_sketch(const tac_kmeans_job *job, tac_kmeans_result *out);
tacit_status tac_lloyd(const tac_kmeans_job *job, tac_kmeans_result *out);
tacit_status tac_sulq(const tac_kmeans_job *job, tac_kmeans_result *out);
tacit_status tac_dplloyd(const tac_kmeans_job *job, tac_kmeans_result *out);
tacit_status tac_grid(const tac_kmeans_job *job, tac_kmeans_result *out);
tacit_status tac_grid_check(const tac_kmeans_params *params);
tacit_status tac_kvariates(const tac_kmeans_job *job, tac_kmeans_result *out);
tacit_status tac_kvariates_check(const tac_kmeans_params *params);
tacit_status tac_sample_aggregate(const tac_kmeans_job *job, tac_kmeans_result *out);
tacit_status tac_sample_aggregate_check(const tac_kmeans_params *params);
tacit_status tac_lsh_tree(const tac_kmeans_job *job, tac_kmeans_result *out);
tacit_status tac_balcan_run(const tac_kmeans_job *job, tac_kmeans_result *out);
tacit_status tac_balcan_check(const tac_kmeans_params *params);
/* can its queries be walked through? */
tacit_status tac_balcan_plan_check(const tac_kmeans_params *params, double rows);

#endif
