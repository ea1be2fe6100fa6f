/* SPDX-License-Identifier: Apache-2.0 */
/* Private subspace clustering: what methods get and give. A method sees the door and public
   numbers, never rows. Subspaces are spanned by orthonormal vectors of the first lattice (the
   frame of the declared domain, about the origin; with one more, constant coordinate if affine). */
#ifndef TAC_SUBSPACE_RUN_H
#define TAC_SUBSPACE_RUN_H

#include "cluster/budget_shares.h"
#include "cluster/release_notes.h"
#include "cluster/private_run.h"

/* What a method works with. */
typedef struct tac_subspace_job {
    tacit_ctx *ctx;
    /* for tac_run_set_frame and tac_run_frame; nothing else of it is a method's business */
    tac_run *run;
    tac_door *door;
    const tac_frame *frame; /* of the declared domain */
    int32_t dims;           /* of that frame: columns, one more if affine */
    /* q: as vectors in dims, so one more than asked for if affine; -1: to be chosen */
    int32_t k, q;
    const tacit_subspace_opts *opts;
    tac_stream *random; /* for everything that is not noise: starts, restarts */
} tac_subspace_job;

/* What a method returns: all of it post-processing of noisy answers. */
typedef struct tac_subspace_result {
    int32_t k, q;
    double *bases; /* k x q x dims: q orthonormal vectors of each, one after the other */
    double *sizes; /* k noisy numbers of rows; NaN: not known */
    double sizes_sd;
    /* k x q: mean square of the rows along each vector, lattice units, noisy; NULL: not paid for.
       The vectors are then principal: no cross moments between them */
    double *profile;
    int32_t rounds;
    /* the release is NOT private, whatever the budget says; a note gives the reason (Gibbs
       started from a plain solution) */
    bool leaks;
    int32_t *labels; /* rows numbers: Gibbs with release_labels; NULL otherwise */
    int64_t rows;
    tac_notes notes;
} tac_subspace_result;

/* Room for k subspaces; sizes NaN, no profile, no labels. */
tacit_status tac_subspace_result_new(tacit_ctx *ctx, int32_t k, int32_t q, int32_t dims,
                                     tac_subspace_result *out);
void tac_subspace_result_clear(tac_subspace_result *result);

/* What can be known before a row is read. */
typedef struct tac_subspace_params {
    tacit_ctx *ctx;
    tac_privacy_params params;
    uint64_t budget;
    double epsilon, delta;
    int32_t dims, k, q; /* as in the job */
    bool persons;       /* the privacy unit is a person: a column names the owner of each row */
    const tacit_subspace_opts *opts;
} tac_subspace_params;

/* A method is one line of the table in subspace_methods.c. */
typedef struct tac_subspace_method {
    const char *name, *summary, *guarantee, *paper;
    /* the last words of the card's guarantee, without a comma: "proved", "asymptotic guarantee
       only" */
    const char *standing;
    bool pure, approximate; /* delta = 0, delta > 0 */
    bool choose, rounds;    /* options it takes: k and q chosen, a number of rounds */
    bool whole;             /* a draw of it looks at all rows together */
    const char *unledgered; /* why a ledger does not take it; NULL: it does */
    const char *caveat;     /* what a plan adds; NULL: nothing */
    /* What the method refuses for public reasons that no walk over made-up rows shows. NULL:
       nothing. */
    tacit_status (*check)(const tac_subspace_params *params);
    tacit_status (*run)(const tac_subspace_job *job, tac_subspace_result *out);
} tac_subspace_method;

/* NULL: no such method. */
const tac_subspace_method *tac_subspace_method_of(tacit_subspace_method which);

/* Result, frame, data and receipts become a release. */
tacit_status tac_subspace_release(tacit_ctx *ctx, const tac_run *run,
                                  const tacit_subspace_opts *opts,
                                  const tac_subspace_result *result, tacit_model **out);

/* The same for a plain solver, without a run: marked not private. data: with a declared domain;
   opts: solver, affine, scale. */
tacit_status tac_subspace_release_plain(tacit_ctx *ctx, const tacit_data *data,
                                        const tacit_subspace_opts *opts,
                                        const tac_subspace_result *result, tacit_model **out);

/* The public call with a probe for the tests that attack it (NULL: none). */
tacit_status tac_subspace_probed(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                                 const tacit_subspace_opts *opts, const tac_door_probe *probe,
                                 tacit_model **out);

/* k x q x dims vectors as the door takes them: round(M u). */
void tac_subspace_round(const double *bases, size_t numbers, int16_t *out);
/* ... and back: orthonormal vectors from those that the door has drawn, rounded. What depends on
   earlier ones becomes an axis. */
void tac_subspace_rebuild(const int16_t *drawn, int32_t k, int32_t q, int32_t dims, double *bases);
/* k times q orthonormal vectors, each subspace uniformly at random (Haar). */
tacit_status tac_subspace_random(tacit_ctx *ctx, tac_stream *random, int32_t k, int32_t q,
                                 int32_t dims, double *bases);

/* The methods, a folder or a file each. */
tacit_status tac_subspace_auto(const tac_subspace_job *job, tac_subspace_result *out);
tacit_status tac_subspace_auto_check(const tac_subspace_params *params);
tacit_status tac_subspace_sulq(const tac_subspace_job *job, tac_subspace_result *out);
tacit_status tac_subspace_sulq_plus(const tac_subspace_job *job, tac_subspace_result *out);
tacit_status tac_subspace_bingham(const tac_subspace_job *job, tac_subspace_result *out);
tacit_status tac_subspace_gibbs(const tac_subspace_job *job, tac_subspace_result *out);
tacit_status tac_subspace_gibbs_check(const tac_subspace_params *params);
tacit_status tac_subspace_aggregate(const tac_subspace_job *job, tac_subspace_result *out);
tacit_status tac_subspace_aggregate_check(const tac_subspace_params *params);

#endif
