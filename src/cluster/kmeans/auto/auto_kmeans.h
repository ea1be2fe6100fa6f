/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of method auto for delta > 0. The walk, each step on its own share of the budget:

     count      how many rows there are: sets every share after it
     narrow     columns that fill a small part of their bounds get others
     zoom       where the rows are and how far they reach; the lattice is filled with that ball
     subspace   beyond 12 columns: the 12 directions in which the rows differ most
     tree       cells that are split where they are wide, moved to their means, and merged when
                there are too many
                Instead, where k is large for the budget and columns are few: rows counted in the
                boxes of a grid (grid/)
     synopsis   plain k-means on the cells: k centers (free)
     refine     a few rounds in all columns: each center moves to the mean of its rows, relative to
                its own radius

   Everything here works on noisy answers and public numbers. Constants were chosen on synthetic
   mixtures and public data sets with the true cost in view; they are public numbers and enter no
   privacy argument. */
#ifndef TAC_AUTO_KMEANS_H
#define TAC_AUTO_KMEANS_H

#include "cluster/kmeans/kmeans_run.h"

enum {
    TAC_AUTO_DIMS = 12, /* the tree works in so many dimensions ... */
    TAC_TREE_MOST = 20  /* ... and never in more than so many */
};

/* How the budget is spent: from k, d, the privacy parameters and a (noisy or guessed) number of
   rows. Shares are of the whole budget. */
typedef struct tac_auto_rules {
    int32_t k;   /* centers the budget can tell apart, at most the k asked for */
    double rows; /* at least 1 */
    /* noise of each coordinate of a sum of unit vectors, had it the whole budget */
    double one;
    double kappa;  /* the one regime number: k sqrt(d) one / rows */
    double mean;   /* shares: the first mean of the zoom, the later ones half of it ... */
    double radius; /* ... each histogram of distances ... */
    double sure;   /* standard deviations above which a bin of them holds rows */
    /* inner radii that the ball holds at least: what noise hides may lie there */
    double room;
    double subspace; /* ... the second moments ... */
    double tree;     /* ... and the tree; the rounds get the rest */
    int32_t rounds;  /* of refinement */
    int32_t most_cells;
    bool plenty; /* rows enough for the tree to look for small clusters */
    bool grid;   /* a counted grid instead of the tree */
} tac_auto_rules;

#define TAC_AUTO_ROUNDS_LEAST 0.2 /* the rounds of refinement get no less */
#define TAC_AUTO_COUNT 0.01 /* of the budget: the number of rows, asked before anything is known */

/* tree: nothing but the tree will do. */
tac_auto_rules tac_auto_rules_for(const tac_privacy_params *params, uint64_t budget, int32_t k,
                                  int32_t columns, double rows, int32_t rounds, bool tree);
/* Rounds of refinement for the rules' k and kappa: fewer where each would be lost in noise. */
int32_t tac_auto_rounds(const tac_auto_rules *rules);

/* Does a run that may spend delta do better without it? From public numbers alone. On a Gaussian
   ledger, where a pure run counts for far more, the answer does not hold. */
bool tac_auto_leaves_delta(const tac_privacy_params *params, double epsilon, double delta,
                           int32_t columns);

/* What the steps hand on. Lengths are in units of the first lattice unless said otherwise. */
typedef struct tac_walk {
    const tac_kmeans_job *job;
    tacit_ctx *ctx;
    tac_door *door;
    int32_t columns;
    uint64_t budget;        /* quanta that shares are taken of: the run's, but for the next */
    uint64_t for_variances; /* kept for the very end; 0: they are not asked for */
    int32_t asked;          /* centers: k, or the most that may be chosen */
    double rows_noisy, rows_sd;
    tac_auto_rules rules;

    double *middle; /* columns: where the zoom looks */
    double radius;  /* of the ball that fills the rows' lattice */
    double inner;   /* holds all but a hundredth of the rows, as far as noise lets see */
    /* share of the sum of squares that rows beyond the inner radius hold, where that is clear of
       noise */
    double beyond;
    int32_t zooms;
    int32_t resolved; /* centers the budget can tell apart, when k is chosen */

    tac_view view; /* the tree's: the rows, or their projection in the subspace */
    int32_t dims;  /* of that view */
    /* mean square of what the subspace leaves out, units of the rows' lattice */
    double residue;
} tac_walk;

/* How the tree divides its share: levels that grow, each for moments of the cells and for cuts, and
   a last look. */
typedef struct tac_tree_shares {
    double levels, cuts, last; /* of the tree's share, of a level's, of the tree's */
    double growth;
} tac_tree_shares;
extern const tac_tree_shares tac_auto_tree_shares;
enum { TAC_TREE_LEVELS_MOST = 40 };
int32_t tac_auto_levels(int32_t k, double reach); /* reach: radius / inner */
/* The first level's part of what all levels get. */
double tac_auto_first_level(int32_t levels);
/* The parts of the tree's joint query. */
tac_local_parts tac_auto_tree_parts(void);

/* The same for a round of refinement. */
#define TAC_AUTO_DISTANCES 0.06 /* of a round: how far rows are from their center */
tac_local_parts tac_auto_round_parts(bool spreads, bool median);

tac_walk tac_walk_start(const tac_kmeans_job *job);
/* A share of the whole budget, never more than is left. */
uint64_t tac_auto_quanta(const tac_walk *a, double share);
/* Asks how many rows there are. */
tacit_status tac_auto_count(tac_walk *a, double share);
/* Keeps what variances need, once the number of rows is known. k: as asked for, or the most. */
void tac_auto_keep(tac_walk *a, int32_t k);
uint64_t tac_walk_left(const tac_walk *a); /* quanta that may be spent now */
double tac_auto_left(const tac_walk *a);   /* the same as a part of the budget */

/* Noisy rows by a length t, bins in logarithmic steps: bin i holds edge[i - 1] < t <= edge[i], the
   first everything below, the last everything above edge[bins - 2]. */
enum { TAC_LENGTH_BINS = 60 };
typedef struct tac_lengths {
    int32_t bins;
    double edge[TAC_LENGTH_BINS], held[TAC_LENGTH_BINS];
    double sd;    /* of each bin */
    bool laplace; /* its noise */
} tac_lengths;
void tac_lengths_bins(tac_lengths *h, double low, double high, double per_octave);
/* Asks how far rows are from their cell's center, in units of its radius. */
tacit_status tac_lengths_ask(tac_door *door, const char *what, uint64_t quanta,
                             const tac_cells *cells, const tac_local *local, tac_lengths *h);
/* The same from an answer to a query about h's bins; sd: of its noise. */
void tac_lengths_read(const tac_door *door, const tac_asking *ask, double sd, tac_lengths *h);
/* The length that leaves (1 - q) n rows outside, or as few as stand out of the noise by `sure`
   standard deviations, read from the outside in: the few outer bins carry little noise. NaN: all is
   noise. */
double tac_lengths_quantile(const tac_lengths *h, double q, double n, double sure);
bool tac_lengths_fine(double sd, double rows);
/* Mean square length, in units of that of lengths cut to `most`; bins beyond it that noise explains
   do not count. At least 1. */
double tac_lengths_beyond(const tac_lengths *h, double most);

/* error_bars.c: how far from their centers rows may be though the scales do not show it, lattice
   units; 0: the histogram of the distances, in units of the scales, agrees with them. */
double tac_auto_hidden(const tac_walk *a, const tac_lengths *h, double sure);
/* The same because noise alone explains the number of all rows; 0: it does not. */
double tac_auto_lost(const tac_walk *a, double rows, double rows_sd);
/* What is left of a noisy number of rows where an error bar is divided by it; 0: noise alone
   explains it. */
double tac_auto_clear_rows(double count, double count_sd);
/* A center as a round saw it; lengths in lattice units, the noise of a sum in radii. */
typedef struct tac_bar {
    int32_t columns;
    double count, rows; /* noisy; what sums were divided by */
    double count_sd, sum_sd;
    double radius, hidden;
} tac_bar;
/* step: the move made. sd: standard deviations of the center's coordinates. */
void tac_auto_bars(const tac_bar *bar, const double *step, double *sd);

/* Positive-part James-Stein: what part of a noisy vector to keep. */
double tac_shrink(double squares, double variance, int32_t dims);
/* Shrinks a noisy vector, sd in each coordinate, as far as noise explains it. Returns the length of
   the error that is left, about. */
double tac_shrink_whole(double *x, int32_t dims, double sd);
/* The same for what coordinates have in common and for what each has of its own, apart. sure: all
   of the latter goes unless it is so many standard deviations above Laplace noise. */
double tac_shrink_apart(double *x, int32_t dims, double sd, double sure);

/* narrow.c: columns whose declared bounds are far too wide get narrower ones; the first frame then
   follows those. */
tacit_status tac_auto_narrow(tac_walk *a, tac_kmeans_result *out);
/* zoom.c: fills middle, radius, inner, zooms; the rows' lattice shows that ball. */
tacit_status tac_auto_zoom(tac_walk *a);
/* widest_directions.c: fills view, dims, residue. */
tacit_status tac_auto_subspace(tac_walk *a);

/* Cells of the tree, and of the synopsis: points of the view with their rows. */
typedef struct tac_cell_set {
    int32_t count, room, dims;
    double *center;   /* room x dims, lattice units of the view */
    double *weight;   /* noisy rows, > 0 */
    double *spread;   /* mean squared distance of the rows to the center */
    double weight_sd; /* noise of a weight */
    double point_sd;  /* noise of a center's coordinate times its weight over its radius */
    double *reach;    /* the radius the last query looked at */
    /* mean square of all rows about their mean, as measured apart from the cells; 0: not known */
    double total;
} tac_cell_set;
tacit_status tac_cell_set_new(tacit_ctx *ctx, int32_t room, int32_t dims, tac_cell_set *out);
void tac_cell_set_clear(tac_cell_set *set);
/* Ward: joins the pair that adds least to the cost until `most` cells are left. */
tacit_status tac_cell_set_thin(tacit_ctx *ctx, tac_cell_set *set, int32_t most);

/* kept_cells.c: the cells go with the result, and so with the release unless that is not wanted; of
   several calls the last counts. */
tacit_status tac_auto_keep_cells(const tac_walk *a, const tac_cell_set *cells,
                                 tac_kmeans_result *out);

/* tree.c: the tree, and k if it is to be chosen. */
tacit_status tac_auto_grow(tac_walk *a, tac_cell_set *cells, tac_kmeans_result *out);

/* split_cell.c: where to cut a cell, from a histogram along its widest direction on [-1, 1]. */
enum { TAC_CUT_BINS = 32 };
typedef struct tac_cut {
    bool found;
    double share[2], at[2], variance[2]; /* of the two sides: part of the rows, mean, variance */
    double whole;                        /* variance of all */
} tac_cut;
tac_cut tac_find_cut(const double *rows, double sd, double least_share);

/* The centers while they are refined: lattice units of the rows' view. */
typedef struct tac_found {
    int32_t k, columns;
    double *at;    /* k x columns */
    double *scale; /* k: root mean square distance of its rows, as far as known */
    double *count; /* k noisy rows */
    double count_sd;
    double *sd; /* k x columns: error bars after the last step */
    /* k x columns: variances of the rows and their noise; NULL: not asked for */
    double *variance, *variance_sd;
} tac_found;
tacit_status tac_found_new(tacit_ctx *ctx, int32_t k, int32_t columns, tac_found *out);
void tac_found_clear(tac_found *c);

/* cells_to_centers.c: k centers from the cells, lifted to all columns; scale = root mean square
   distance of their rows. */
typedef struct tac_synopsis_rules {
    int32_t restarts; /* at most */
    double wider;     /* times the square within the view: for columns that the cells do not show */
    double flat;      /* no center starts with less than this part of the root mean square radius */
} tac_synopsis_rules;
tacit_status tac_auto_synopsis(tac_walk *a, const tac_cell_set *cells, int32_t k,
                               const tac_synopsis_rules *rules, tac_found *out);
extern const tac_synopsis_rules tac_auto_synopsis_rules; /* with delta > 0 */
/* After the last round: the variances about the centers, if quanta were kept for them. Rows are
   seen up to radius (k); beyond: see tac_lengths_beyond. */
tacit_status tac_found_ask_variances(tac_walk *a, const double *radius, double beyond,
                                     tac_found *c);
/* Largest first. Before notes are written: they number centers. */
tacit_status tac_found_sort(tacit_ctx *ctx, tac_found *c);
/* refine_centers.c: all rounds; spends what is left. */
tacit_status tac_auto_refine(tac_walk *a, tac_found *c);
/* What rounds share, whatever the noise. Center i goes to `from` plus its step and is pulled into
   the ball; its error bars. */
void tac_auto_move(tac_found *c, int32_t i, const int16_t *from, const double *step,
                   const tac_bar *bar);
/* Noisy rows per cell become the counts, where a joint query has weights instead (k-median): the
   query, and its answer, whose noise is sd. */
tac_asking tac_auto_sizes(const tac_walk *a, uint64_t quanta, const tac_cells *cells);
void tac_auto_read_sizes(const tac_asking *ask, double sd, tac_found *c);

/* chosen_k.c: k from the cells, and the rules for the rest of the walk. Boxes without groups go the
   same way to cells: `find` asks the walk's door, and spends no more than `how` tells it. */
typedef struct tac_cell_finder {
    tacit_status (*find)(tac_walk *a, const void *how, tac_cell_set *out);
    const void *how;
} tac_cell_finder;
tacit_status tac_auto_choose_k(tac_walk *a, const tac_cell_set *cells,
                               const tac_cell_finder *finder, tac_kmeans_result *out);
/* auto_kmeans.c: one center at the middle of the zoom. */
tacit_status tac_auto_start_with_one(const tac_walk *a, tac_found *c);
/* Centers to release: as asked for, or those that were found where k was to be chosen. */
int32_t tac_auto_released(const tac_walk *a, const tac_found *c);
/* Found centers as a result, in units of the first lattice, with notes. */
tacit_status tac_auto_finish(const tac_walk *a, const tac_found *c, tac_kmeans_result *out);
/* wide/sketch_sums.c: sums over many columns, noise of one standard deviation in each, become what
   they most likely were. */
tacit_status tac_auto_clean(const tac_walk *a, tac_i128 *sums, size_t count, double sd);

/* kmeans_notes.c: what a reader should know, from released values. */
tacit_status tac_auto_notes(const tac_walk *a, const tac_found *c, tac_kmeans_result *out);

#endif
