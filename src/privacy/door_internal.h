/* SPDX-License-Identifier: Apache-2.0 */
/* What the door's own files share. Nothing outside this folder includes it, but the tests that attack the door. */
#ifndef TAC_DOOR_INTERNAL_H
#define TAC_DOOR_INTERNAL_H

#include "data/nearest.h"
#include "privacy/door.h"

struct tac_door {
    tacit_ctx *ctx;
    const tac_engine *engine;
    const tac_lattice *lattice[TAC_VIEWS]; /* the shadow's may be NULL */
    tacit_neighbours neighbours;
    uint64_t rows_per_unit;
    const int64_t *owner; /* of each row; NULL: its own */
    tac_accountant *accountant;
    uint64_t held; /* units that a method keeps for itself while another asks */
    const tac_key *key;
    tac_receipt *receipt;
    int32_t asked, room;
    tac_door_probe probe;
    const tac_counts *counts; /* neighbours entry: the counts themselves; NULL otherwise */
    int32_t *batch, batches;  /* of each row, public; 0 batches: none were made */
    uint64_t *batch_spent;    /* units that questions about each batch alone have cost; the account holds their largest */
};

/* How far one unit can move an answer: squared L2 norm and L1 norm, in grid units. Symmetric matrices that get trace noise on
   a pure account: the trace norm of the change too, of the matrices without weights, and their rows; 0 and 0 otherwise. */
typedef struct tac_sensitivity {
    tac_u128 l2_squared, l1, trace;
    int32_t dims;
} tac_sensitivity;

/* Integer formulas, proved in the page of each kind; m is rows per unit. */
tac_sensitivity tac_sensitivity_count(tacit_neighbours neighbours, uint64_t m);
tac_sensitivity tac_sensitivity_histogram(tacit_neighbours neighbours, uint64_t m);
tac_sensitivity tac_sensitivity_sums(tacit_neighbours neighbours, uint64_t m, int32_t dims, uint32_t count_weight);
tac_sensitivity tac_sensitivity_moments(tacit_neighbours neighbours, uint64_t m, int32_t dims, int32_t most);
tac_sensitivity tac_sensitivity_fourth(tacit_neighbours neighbours, uint64_t m, int32_t dims);
tac_sensitivity tac_sensitivity_local(tacit_neighbours neighbours, uint64_t m, int32_t dims, const tac_local_parts *parts);
tac_sensitivity tac_sensitivity_draw(int32_t dims);
tac_sensitivity tac_sensitivity_table(void);
/* Rows of counts (sensitivity_counts.c). most: |x|_1 <= sqrt(most) M; reach, squares: of the frame. */
tac_sensitivity tac_sensitivity_sums_entry(int32_t dims, int32_t most, uint32_t reach);
tac_sensitivity tac_sensitivity_moments_entry(int32_t dims, int32_t most, uint64_t squares);
tac_sensitivity tac_sensitivity_codes(tacit_neighbours neighbours, uint64_t m, int32_t most, int32_t count);
/* As the door's neighbours and the lattice of `values` have it. */
tac_sensitivity tac_sensitivity_of_sums(const tac_door *door, const tac_cells *cells, tac_view values, uint32_t count_weight);
tac_sensitivity tac_sensitivity_of_moments(const tac_door *door, const tac_cells *cells, tac_view values);
/* The smallest noise scale whose cost fits `units`; 0: none. */
uint64_t tac_scale_for(tac_notion notion, const tac_sensitivity *s, uint64_t units);
/* Selection by cost: how far the difference of two candidates' scores can move. */
uint64_t tac_range_selection(tacit_neighbours neighbours, uint64_t m);

/* The cost of one row for one set of centres: min_c |x - c|^2 >> TAC_COST_SHIFT, at most TAC_COST_MOST. */
#define TAC_COST_SHIFT 16
#define TAC_COST_MOST ((UINT64_C(4) * TAC_M * TAC_M) >> TAC_COST_SHIFT)

/* The same for a set of subspaces: |x|^2 at most, >> TAC_COST_SHIFT. */
#define TAC_SPAN_COST_MOST ((UINT64_C(1) * TAC_M * TAC_M) >> TAC_COST_SHIFT)
uint64_t tac_range_subspaces(tacit_neighbours neighbours, uint64_t m);

/* cubes_count.c: the children of active cubes that hold rows, sorted by (parent, child), with their exact counts in rows.
   Private. *out is the caller's to free. */
int tac_by_place(const void *a, const void *b); /* that order */
tacit_status tac_cubes_count(tac_door *door, const tac_cubes *cubes, tac_cube **out, int64_t *many);

/* Selection by distance: the cost of one row is tac_distance of min_c |x - c|^2, at most TAC_DISTANCE_MOST. */
#define TAC_DISTANCE_MOST 65535
uint64_t tac_range_distances(tacit_neighbours neighbours, uint64_t m);
/* Draws of subspaces: the same for the sum of |U^T x|^2, rows of length 1 at most. */
uint64_t tac_range_squares(tacit_neighbours neighbours, uint64_t m);

/* What leaves of a drawn vector: round(M u). */
void tac_door_round(const double *vectors, size_t count, int16_t *out);

/* The draw of a selection that is paid for (select.proof.md): permute-and-flip on a pure account, the exponential mechanism
   on a Gaussian one. cost: m >= 1 numbers; order: m, scratch. */
uint32_t tac_choose_by_cost(tac_stream *stream, tac_notion notion, uint64_t epsilon, uint64_t range, const uint64_t *cost,
                            uint32_t m, uint32_t *order);

/* A whole selection among m >= 1 candidates: pays, has `costs` fill in their m costs over all rows, draws. range: how far the
   difference of two costs can move. */
typedef tacit_status (*tac_cost_fn)(tac_door *door, const void *state, uint64_t *cost);
tacit_status tac_door_draw_by_cost(tac_door *door, const char *what, uint64_t units, uint64_t range, int32_t m, tac_cost_fn costs,
                                   const void *state, int32_t *chosen);

/* Steps 1 and 2 of a question: noise scale from the sensitivity, charge, receipt. After it returns TACIT_OK the
   question is paid for; *out stays valid until the next question. */
tacit_status tac_door_pay(tac_door *door, const char *kind, const char *what, const tac_sensitivity *s, uint64_t units,
                          int64_t answers, const tac_receipt **out);
/* The same with Laplace noise whatever the account: its epsilon counts for what tac_cost_pure says. */
tacit_status tac_door_pay_laplace(tac_door *door, const char *kind, const char *what, tac_u128 l1, uint64_t units,
                                  int64_t answers, const tac_receipt **out);
/* The same for a question about one batch of rows (-1: all of them). */
tacit_status tac_door_pay_batch(tac_door *door, const char *kind, const char *what, const tac_sensitivity *s, uint64_t units,
                                int32_t batch, int64_t answers, const tac_receipt **out);
/* The same for a question whose cost is already worked out (selections: tac_selection_epsilon). */
tacit_status tac_door_pay_exactly(tac_door *door, const tac_receipt *receipt, const tac_receipt **out);
/* Step 4: add the noise of the question last paid for. answer holds the exact words, then the noisy ones. */
tacit_status tac_door_release(tac_door *door, const tac_receipt *receipt, uint64_t *answer, size_t count);

/* batches.c: is this question about counts, and about a batch that there is? How many rows it has; what it costs the account. */
tacit_status tac_batch_check(const tac_door *door, int32_t batch);
int64_t tac_batch_rows(const tac_door *door, int32_t batch);
tacit_status tac_batch_charge(tac_door *door, int32_t batch, uint64_t units);

/* Step 3 for questions about cells. Calls `add` for every tile of rows, as `values` sees them, with their cells; each lane
   owns `words` zeroed uint64 of its own, summed (mod 2^64, over lanes and processes) into total. Refuses a partition or
   a view that makes no sense (TACIT_E_INTERNAL) before anything is read; call tac_cells_check before paying. */
typedef struct tac_tile {
    const int16_t *rows; /* n x stride; NULL: sparse */
    int64_t n;
    int32_t stride, dims;
    const int64_t *start; /* sparse: n + 1, into column and value */
    const int32_t *column;
    const int16_t *value;
    const int32_t *cell; /* n */
    void *scratch;       /* the lane's own: scratch_bytes, 64-byte aligned */
} tac_tile;
typedef void (*tac_cell_fn)(const void *state, const tac_tile *tile, uint64_t *lane_words);
tacit_status tac_cells_check(const tac_door *door, const tac_cells *cells, tac_view values); /* dense rows only */
tacit_status tac_cells_check_any(const tac_door *door, const tac_cells *cells, tac_view values); /* sparse values too */
tacit_status tac_door_over_cells(tac_door *door, const tac_cells *cells, tac_view values, size_t words, tac_cell_fn add,
                                 const void *state, size_t scratch_bytes, uint64_t *total);
/* A copy of public points, each clipped: the kernels' overflow proof needs |c|_2 <= M too. */
tacit_status tac_clipped(tacit_ctx *ctx, const int16_t *points, int64_t many, int32_t dims, int16_t **out);
/* Refuses an answer of `count` times `each` numbers that no memory holds, before their product is formed. */
tacit_status tac_door_fits(const tac_door *door, int32_t count, size_t each);
/* Most rows in a tile of this stride, and of the rows of a lattice that are values and cells at once. */
int64_t tac_tile_rows(int32_t stride);
int64_t tac_door_tile(const tac_lattice *rows);

/* Every kind of histogram: `add` puts 2^20 into one of `bins` words for each row (counts.proof.md). */
tacit_status tac_door_bins(tac_door *door, const char *what, uint64_t units, const tac_cells *cells, size_t bins,
                           tac_cell_fn add, const void *state, size_t scratch_bytes, int64_t *answer);

#endif
