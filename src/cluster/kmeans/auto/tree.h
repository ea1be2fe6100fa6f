/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the tree share. */
#ifndef TAC_TREE_H
#define TAC_TREE_H

#include "cluster/kmeans/auto/auto_kmeans.h"

#define TAC_TREE_REACH 1.3 /* a cell's radius: so many times the root mean square distance */

/* Constants of the two regimes: with plenty of rows the tree looks for small clusters. */
typedef struct tac_tree_care {
    double share_least; /* a side of a cut holds at least this part of its cell */
    double rows_least;  /* no cell with less than rows / (k rows_least) is split */
    double trace_least; /* spreads are at least this part of the squared radius */
    /* rows of the prior on spreads, in standard deviations of a moment, times sqrt(p) */
    double pseudo;
    double grow; /* a radius that clips is made larger */
} tac_tree_care;

/* What a level learns of a cell, in units of its radius. */
typedef struct tac_tree_node {
    double count, rows;                 /* as answered; at least one standard deviation */
    double mean[TAC_TREE_MOST], length; /* and how long it is */
    double along[TAC_TREE_MOST];
    double about_mean;   /* trace of the covariance */
    double about_center; /* trace of the second moments: does not shrink if the center is off */
    double cost;         /* squared lattice units, all rows together */
    bool split;
} tac_tree_node;

typedef struct tac_tree {
    tac_walk *a;
    const tac_tree_care *c;
    int32_t dims;
    tac_cell_set now, next; /* room for twice the most cells */
    tac_tree_node *node;
    int16_t *center, *along; /* as the door takes them */
    tac_i128 *count, *sum, *moment;
    int64_t *bin;
    double count_sd, sum_sd, moment_sd;
    double rows; /* of the first level */
    /* mean square of all rows about their mean, as it was answered; squared lattice units */
    double total;
} tac_tree;

/* tree.c: radii from spreads and distances; centers as the door will see them, so that what it
   answers is about these points; the cells that they make. */
void tac_tree_set_reach(tac_cell_set *cells, bool plenty);
void tac_tree_fix_centers(tac_tree *t);
tac_cells tac_tree_cells_of(const tac_tree *t);

/* tree_level.c: one level; the cells of t->now become those of the next. */
tacit_status tac_tree_level(tac_tree *t, uint64_t quanta);

#endif
