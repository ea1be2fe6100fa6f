/* SPDX-License-Identifier: Apache-2.0 */
/* A run: one budget, reserved before a row is read, and the door it opens. Methods get the door and
   the public frame. */
#ifndef TAC_RUN_H
#define TAC_RUN_H

#include "data/dataset/persons_added.h"
#include "privacy/backend.h"
#include "privacy/door.h"
#include "privacy/ledger/ledger.h"

/* Where the first frame puts the origin of the lattice. */
typedef enum tac_origin {
    TAC_MIDDLE = 0, /* the middle of the declared domain: centers */
    TAC_ZERO = 1,   /* 0 stays 0: linear subspaces; a ball must be about the origin */
    /* rows of counts: logarithms, every row fills the ball (tac_frame_of_counts); needs no domain.
       With neighbors entry nothing is placed until tac_run_set_frame, and the door has the counts
       themselves */
    TAC_COUNTS = 3,
    /* the middle, with one more coordinate that is the same for all rows: affine subspaces */
    TAC_CONSTANT = 2
} tac_origin;

/* Everything of one run. Methods see the door, the frames and the public seed; what is marked
   private stays with the door and the run. */
typedef struct tac_run {
    tacit_ctx *ctx;
    tacit_data *data;
    tac_load load; /* how the rows are read, and whether they were */
    tacit_budget budget;
    int32_t rows_per_unit; /* 1 when every row is its own privacy unit */
    tac_accountant accountant;
    tac_engine engine;
    /* public: of the coordinates, as declared; where bounds are estimated, as they are known so
       far; counts have none */
    tac_domain domain;
    bool known; /* bounds that were to be estimated are there */
    /* public: the first one, of that domain; bins of the columns while bounds are still missing */
    tac_frame frame;
    tacit_scale scale; /* what the first frame is made with */
    tac_origin origin;
    int32_t sparsity;
    /* public: the frames of the views, empty while a view is as at first */
    tac_frame look[TAC_VIEWS];
    tac_added added; /* private: a row for each person, where rows are added up; else empty */
    uint64_t *keep;  /* private: which rows count, NULL for all; the same in every frame */
    /* private: the privacy unit of each row of the lattice; NULL: every row is its own */
    tac_person *owner;
    tac_backend *backend;           /* where the rows are elsewhere; NULL: they are in lattice */
    tac_lattice lattice[TAC_VIEWS]; /* private: the door's */
    tac_counts counts;              /* private: the door's, with neighbors entry */
    tac_key key;                    /* private: of noise, and of nothing else */
    tac_public_seed seed;           /* public: of everything else that is drawn */
    tac_door *door;
    bool longest; /* public: a quoting run for the most queries there may be */
    bool reserved;
    tac_reservation reservation;
    int64_t began, loaded; /* when, for the ctx's record of the run */
} tac_run;

/* Are the rows of each person added up into one? Of counts with persons and no limit of rows. */
bool tac_run_adds(const tacit_data *data, bool counts, const tacit_budget *budget);

/* What can be found wrong before anything is spent: budget, domain, unit options. counts: the rows
   are going to be read as counts. Fills `known` with a copy of the caller's budget. */
tacit_status tac_run_check(tacit_ctx *ctx, const tacit_data *data, bool counts,
                           const tacit_budget *given, tacit_budget *known);

/* The privacy parameters of a checked budget. */
tac_privacy_params tac_run_params(const tacit_data *data, const tacit_budget *known);

/* Check, reserve from the ledger (if there is one), then load the rows, place them on the lattice
   and open the door. A failure before the first row is read gives the reservation back; nothing
   later does. `what` is kept in the ledger. sparsity: sparse rows keep so many values, the largest;
   0: all. All of it is the run's own: the handle stays as it was opened, and runs of several
   threads may share it. */
tacit_status tac_run_open(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                          tacit_scale scale, tac_origin origin, int32_t sparsity, const char *what,
                          tac_run *run);
/* Sets a probe, before the first query and before key or seed are used. */
void tac_run_probe(tac_run *run, const tac_door_probe *probe);
/* Streams the raw rows again, through a public frame, into the rows' lattice or into that of their
   projection; the run takes the frame over (also on failure). What the view showed before is gone
   first: memory holds one lattice a view. The door goes on with the same account, key and kept
   rows. */
tacit_status tac_run_set_frame(tac_run *run, tac_view view, tac_frame *frame);
/* Are the rows on other processes? Then some queries are refused. Public. */
bool tac_data_apart(const tacit_data *data);
/* Will a run have to estimate bounds? Public. */
bool tac_data_estimates(const tacit_data *data);
/* Are there columns whose bounds the run must estimate first? Their outer limits are in its domain,
   and the rows' view shows the octaves of those columns, in their order (tac_frame_of_bins). */
bool tac_run_estimates(const tac_run *run);
/* The domain from here on: a box with these bounds, finite, lower < upper. changed: columns whose
   bounds are no longer as declared. The rows' view is the first frame of that domain. */
tacit_status tac_run_set_bounds(tac_run *run, const double *lower, const double *upper,
                                const bool *changed);
/* Are the rows a sparse lattice? Then sums of rows can be asked for, by cells of their projection;
   every other query is for the projection. Public. */
bool tac_run_sparse(const tac_run *run);
/* Are the rows made up, for a quoting run? Public. */
bool tac_run_made_up(const tac_run *run);
/* The frame of a view. Public. */
const tac_frame *tac_run_frame(const tac_run *run, tac_view view);
/* Ends the run: notes success in the ledger, or gives back what was never used. Frees everything;
   keeps `outcome` unless noting it failed. */
tacit_status tac_run_close(tac_run *run, tacit_status outcome);

#endif
