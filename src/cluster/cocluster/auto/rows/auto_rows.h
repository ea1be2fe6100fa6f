/* SPDX-License-Identifier: Apache-2.0 */
/* Co-clustering of whole rows (method auto). delta > 0: noisy number of rows, noisy mass of the
   columns, one noisy Gram matrix of the heaviest, directions by varimax, three noisy tables of
   row clusters by columns, put together; columns are then clustered for free, and a last query
   splits the rows over both. delta = 0: the Gram matrix has fewer columns, with trace noise, and
   the two tables are of rows cut to their largest entries, between which weights move to the
   columns that separate clusters. */
#ifndef TAC_AUTO_ROWS_H
#define TAC_AUTO_ROWS_H

#include "cluster/cocluster/cocluster_run.h"
#include "cluster/cocluster/auto/factors.h"
#include "cluster/cocluster/auto/standing_out.h"
#include "solve/cocluster/contrasts.h"

/* Clusters that auto may choose, at most. */
enum { TAC_ROWS_AUTO_MOST = 12 };
enum { TAC_ROWS_TABLES_MOST = 8, TAC_ROWS_GRAM_MOST = 256, TAC_ROWS_GRAM_PURE = 64 };

/* How a budget is spent: a function of epsilon, delta and nothing else. */
typedef struct tac_rows_rules {
    bool pure;
    bool flat;                          /* no weights: all columns alike */
    double count, mass, gram, people;   /* shares */
    double table[TAC_ROWS_TABLES_MOST]; /* share of each round */
    int32_t tables;
    int32_t most;    /* pure: entries that a row keeps */
    int32_t vectors; /* leading eigenvectors along which tables are not shrunk */
    double seen;     /* standard deviations of noise that a column's mass must pass at least */
} tac_rows_rules;
tac_rows_rules tac_rows_rules_for(double epsilon, double delta);
/* Columns of the Gram matrix, at most; rows: noisy, sd: of an entry off the diagonal. Trace noise
   grows with the root of their number, so pure accounts take fewer, but some for each of k
   clusters. */
int32_t tac_rows_gram_most(const tac_rows_rules *rules, int32_t k, double rows, double sd);

/* Rows needed per standard deviation of the noise that the whole budget would put on one sum.
   With fewer than HOPELESS clusters are mostly noise; USABLE times as many give usable ones.
   Measured. */
#define TAC_ROWS_HOPELESS 355.0
#define TAC_ROWS_HOPELESS_PURE 5600.0
#define TAC_ROWS_USABLE 2.7

#define TAC_ROWS_COUNTED 0.07       /* of a table's query goes to the numbers of rows ... */
#define TAC_ROWS_COUNTED_LAST 0.02  /* ... which the last table hardly needs ... */
#define TAC_ROWS_COUNTED_PEOPLE 0.2 /* ... and the table of people makes the sizes of */
/* The count_weight that gives numbers of rows this share of a query of sums. */
uint32_t tac_rows_count_weight(bool pure, double share);

typedef struct tac_rows_walk {
    const tac_cocluster_job *job;
    tacit_ctx *ctx;
    tac_door *door;
    uint64_t budget;
    tac_rows_rules rules;
    int32_t k, l;         /* row and column clusters; with auto 0 up to the Gram matrix */
    double rows, rows_sd; /* noisy, at least 1 */

    int32_t kept;          /* columns that are looked at ... */
    int32_t seen;          /* ... and of them those that stand out of the noise */
    int32_t *column;       /* kept: ascending */
    double *mass, mass_sd; /* of them */
    double *weight;        /* of them, > 0 */
    uint32_t *fixed;       /* all columns: the weights of the last frame in 2^-16 */
    int32_t *group;        /* all columns: their place among those kept */

    tac_factors factors; /* of the Gram matrix */
    int32_t *place;      /* its columns among those kept */
    double *first;       /* kept: the weights that it was asked with */

    tac_view labelled; /* where rows find their cluster ... */
    int16_t *center;   /* ... k x dims there */
    int64_t *offset;   /* k */
    double *profile;   /* k x kept: the centroids behind the cells, their factor in `factor` */
    double factor;

    double *table[TAC_ROWS_TABLES_MOST];   /* k x kept: since weights last moved ... */
    double variance[TAC_ROWS_TABLES_MOST]; /* ... and the variance of their noise */
    int32_t asked;                         /* of them */
    double *whole, left;     /* k x kept: all of them as a table of the clusters of now */
    tac_contrasts contrasts; /* of the whole */
    double *size;            /* k: rows of the last table, at least 2 standard deviations */
    tac_standing_out out;    /* groups of rows in the Gram matrix */
    uint64_t seed;           /* of the starts of column clusters */
} tac_rows_walk;

/* The steps, in their order. Each pays its share of w->budget and leaves its results in w. */
tacit_status tac_rows_count(tac_rows_walk *w);
tacit_status tac_rows_mass(tac_rows_walk *w);
double tac_rows_first_weight(const tac_rows_walk *w, double mass); /* of a column, from its mass */
/* Sets the view to the kept columns with their weights of now: rows of length 1; `cut`: rows of
   at most rules.most entries and sum 1. */
tacit_status tac_rows_look(tac_rows_walk *w, tac_view view, bool cut);
tacit_status tac_rows_start(tac_rows_walk *w);
/* All tables so far as one, by inverse variance: w->whole, and the variance of its noise. */
tacit_status tac_rows_put_together(tac_rows_walk *w);
/* The whole, shrunk by the Gram matrix: w->profile, k x kept, not scaled. noise: k, the squared
   norm of the noise that is left in each row. */
tacit_status tac_rows_shrink(tac_rows_walk *w, double *noise);
/* The same from contrasts: along the leading eigenvectors they are believed as they are. */
tacit_status tac_rows_believe(tac_rows_walk *w);
tacit_status tac_rows_tables(tac_rows_walk *w);
tacit_status tac_rows_finish(tac_rows_walk *w, tac_cocluster_result *out);
void tac_rows_clear(tac_rows_walk *w);

#endif
