/* SPDX-License-Identifier: Apache-2.0 */
/* The door: the one way to the rows. A method holds a door, never a row. It names a query and how
   many budget quanta to spend on it. The door works out the sensitivity, picks the noise, charges,
   and answers in integers.

   The four steps of every query, in this order and nowhere else:
     1. sensitivity from the kind of query, the neighbors and the rows a privacy unit may own
     2. smallest integer noise scale whose cost fits the quanta offered; charge that cost or refuse
     3. the exact answer over all rows, in integers modulo 2^64, or 2^128 where one word would not
        do for 10^12 rows (kinds.def)
     4. exact discrete noise from the query's own subkey
   Proofs: one page per kind, beside this file.

   Everything that leaves is an integer on a public grid, and a release is a function of those
   integers: no prototype below hands out a real number (tests/layers/check_layers.py). Behind the
   door sums, noise and selections are integers all the way. Real numbers are worked with behind it
   in three places only, and tests/layers/check_integers.py holds the list of files: draws of
   subspaces (bingham and gibbs: their guarantee holds in real arithmetic), plain solvers on parts
   of the rows, whose results are clipped in integers or get noise with room for rounding, and
   prices, which are about public numbers. */
#ifndef TAC_DOOR_H
#define TAC_DOOR_H

#include "data/lattice/counts.h"
#include "data/lattice/lattice.h"
#include "privacy/accounting/accountant.h"
#include "privacy/query.h"

typedef struct tac_door tac_door;

/* A privacy unit may own at most so many rows: it keeps every product of a sensitivity and a
   grid within its integers. */
#define TAC_ROWS_PER_UNIT_MOST 32768

/* For so many rows no number of an answer wraps, unless its noise passes 46 scales: a row adds at
   most 2^20 to a number of one word and less than 2^35 to one of two (views.proof.md). */
#define TAC_ROWS_MOST 8e12

/* What was asked and what it cost: goes into the privacy card. Public. */
typedef struct tac_receipt {
    tac_kind kind;                 /* printed by tac_kind_name */
    const char *what;              /* the method's own words, e.g. "Lloyd round" */
    tac_distribution distribution; /* of the noise; selections: unused */
    /* noise scale in steps of the grid; selections: epsilon in 2^-TAC_SELECTION_BITS */
    uint64_t scale;
    /* squared L2 (Gaussian) or L1 (Laplace), in steps of the grid; trace norm of the unweighted
       matrices (trace noise); range of a selection */
    tac_u128 sensitivity;
    /* the most that one row (neighbors entry: one count) adds to one number of the answer, in
       steps of the grid: cards express noise in rows by it. 0: the answer is no sum */
    tac_u128 reach;
    int32_t dims;    /* trace noise: rows of each matrix; otherwise 0 */
    uint64_t quanta; /* charged */
    int64_t answers; /* numbers released */
    int32_t batch;   /* of the rows that were asked; -1: all rows */
} tac_receipt;

/* The privacy parameters under which queries are asked: public, fixed for a run. */
typedef struct tac_privacy_params {
    tac_definition definition;
    tacit_neighbors neighbors;
    int32_t rows_per_unit;
} tac_privacy_params;

/* Do neighbors have the same number of rows, one of which changes? An entry is such a change of
   one row, so it counts as a row that is replaced. */
static inline bool tac_replaces(tacit_neighbors neighbors)
{
    return neighbors != TACIT_ADD_REMOVE;
}

/* The noise scale that a query would get for `quanta`, before any row is read: the query's own
   code. 0: none. */
uint64_t tac_quote_count(const tac_privacy_params *params, uint64_t quanta);
uint64_t tac_quote_histogram(const tac_privacy_params *params, uint64_t quanta);
uint64_t tac_quote_sums(const tac_privacy_params *params, int32_t dims, uint32_t count_weight,
                        uint64_t quanta);
uint64_t tac_quote_moments(const tac_privacy_params *params, int32_t dims, uint64_t quanta);
/* The distribution of that noise: Gaussian, or on a pure account the smaller of trace noise and
   Laplace. */
tac_distribution tac_moments_distribution(const tac_privacy_params *params, int32_t dims);

/* Opens a door over the rows' lattice. Neighbors, the rows a privacy unit may own (1 where every
   row is a unit) and the key are fixed for its life. The door keeps pointers; the caller keeps
   what they point to alive. */
tacit_status tac_door_open(tacit_ctx *ctx, const tac_engine *engine, const tac_lattice *lattice,
                           tacit_neighbors neighbors, int32_t rows_per_unit,
                           tac_accountant *accountant, const tac_key *key, tac_door **out);
/* All rows are elsewhere: the lattices of views are facts without rows (tac_lattice_describe).
   Before the first query; borrowed. */
struct tac_backend;
void tac_door_set_backend(tac_door *door, struct tac_backend *backend);
/* Refuses what a backend would: for made-up rows that stand for rows elsewhere (quote.h). where: as
   in backend.h. */
void tac_door_set_apart(tac_door *door, const char *where);
/* The same account and key over the rows as another frame places them (NULL: the view is gone). */
void tac_door_set_frame(tac_door *door, tac_view view, const tac_lattice *lattice);
void tac_door_close(tac_door *door);
/* The privacy unit that owns each row of the lattice, for queries that keep a unit's rows
   together; NULL: every row is its own. Borrowed. */
void tac_door_owners(tac_door *door, const tac_person *owner);
/* Each row counts so many times: for made-up rows that stand for many (quote.h). */
void tac_door_copies(tac_door *door, uint64_t copies);

/* The counts themselves, for queries about single entries; borrowed. Once, before the first query,
   and with neighbors entry only. */
void tac_door_counts(tac_door *door, const tac_counts *counts);

/* Public facts a method may know about the door. */
int32_t tac_door_dims(const tac_door *door, tac_view view); /* 0: there is no projection */
tac_privacy_params tac_door_params(const tac_door *door);
/* Laplace on a pure account, Gaussian otherwise; moments: tac_moments_distribution */
tac_distribution tac_door_distribution(const tac_door *door);
uint64_t tac_door_left(const tac_door *door); /* quanta left, less what is held back */
/* A method that runs another one keeps so many quanta back from it; 0: none any more. */
void tac_door_hold(tac_door *door, uint64_t quanta);
int32_t tac_door_asked(const tac_door *door); /* queries so far */
const tac_receipt *tac_door_receipt(const tac_door *door, int32_t index);

/* The one way to an answer: check, sensitivity, charge, the exact words of all shards, noise or
   a draw, receipt. A query that is refused costs nothing. answer: as many words as
   tac_query_check says; one for a selection; for a draw, what the function below of the same
   name reads. On failure zeros, or unchanged. Each function below builds one query and asks it. */
tacit_status tac_ask(tac_door *door, const char *what, uint64_t quanta, const tac_query *query,
                     uint64_t *answer);

/* Queries that do not depend on each other's answers go together: one pass over rows that are
   elsewhere. All are charged or none is; each has its receipt and its noise, in this order, so the
   answers are those that they would get one after the other. */
typedef struct tac_asking {
    const char *what;
    uint64_t quanta;
    tac_query query;  /* its arrays are borrowed */
    uint64_t *answer; /* room, as tac_ask has it */
    size_t words;     /* tac_ask_together: of the answer */
} tac_asking;
tacit_status tac_ask_all(tac_door *door, const tac_asking *ask, int32_t count);
/* The same with new room for the answers, also after a failure the caller's to clear; none of the
   queries a draw. */
tacit_status tac_ask_together(tac_door *door, tac_asking *ask, int32_t count);
void tac_asking_clear(tac_asking *ask, int32_t count);
/* Number i of the answer, whether it has one word or two. */
tac_i128 tac_answer(const tac_asking *ask, size_t i);

/* What the functions below ask, as values. */
tac_query tac_query_count(const tac_door *door);
tac_query tac_query_histogram(const tac_door *door, const tac_cells *cells);
tac_query tac_query_distances(const tac_door *door, const tac_cells *cells, const tac_local *local,
                              const double *edge, int32_t bins);
tac_query tac_query_slices(const tac_door *door, const tac_cells *cells, const tac_slice *slice,
                           int32_t bins);
tac_query tac_query_sums(const tac_door *door, const tac_cells *cells, tac_view values,
                         uint32_t count_weight);
tac_query tac_query_moments(const tac_door *door, const tac_cells *cells, tac_view values);
tac_query tac_query_local(const tac_door *door, const tac_cells *cells, const tac_local *local,
                          const tac_local_parts *parts);

/* Counts are released on a finer grid, so that an integer noise scale loses nothing: answer = 2^20
   count + noise. */
#define TAC_COUNT_GRID 20

/* Noisy number of rows. answer in units of 2^-20 rows. */
tacit_status tac_door_count(tac_door *door, const char *what, uint64_t quanta, int64_t *answer);

/* Rows per cell. answer: count numbers in units of 2^-20 rows. */
tacit_status tac_door_histogram(tac_door *door, const char *what, uint64_t quanta,
                                const tac_cells *cells, int64_t *answer);

/* One joint query: for every cell (sum of its points as `values` sees them, count_weight *
   number of rows). sums: count x dims in lattice units; counts: in units of 1/count_weight rows;
   1 <= count_weight <= 2^20. Sparse rows too, with one cell, cells of the projection or
   TAC_ARGMAX. Rows of counts under neighbors entry, one cell: only as far as one count moves a
   point (tac_frame_entry_reach); count_weight then costs nothing, the number of rows is public. */
tacit_status tac_door_sums(tac_door *door, const char *what, uint64_t quanta,
                           const tac_cells *cells, tac_view values, uint32_t count_weight,
                           int64_t *sums, int64_t *counts);

/* For every cell the sum of x x^T (x as `values` sees it): the dims (dims + 1) / 2 entries i <= j,
   row by row, those with i = j times TAC_MOMENT_SAME and those with i < j times TAC_MOMENT_CROSS:
   so close to 1 : sqrt 2 that the noise is all but the same in every direction of the symmetric
   matrices. Sparse rows with one cell too; entry as for sums. On a pure account the noise is trace
   noise (trace_noise.h) unless Laplace noise is smaller, by public numbers: rows with few
   entries. */
enum { TAC_MOMENT_SAME = 5, TAC_MOMENT_CROSS = 7 };
tacit_status tac_door_moments(tac_door *door, const char *what, uint64_t quanta,
                              const tac_cells *cells, tac_view values, tac_i128 *answer);

/* The symmetric fourth-moment tensor of all rows of a view of at most TAC_FOURTH_DIMS dims: for i
   <= j <= k <= l, in that order, the sum of t(x_i x_j) t(x_k x_l) times tac_fourth_weight(i, j, k,
   l), t(a) = a / 2^15 cut towards 0. Weights are close to 20 times the root of the number of orders
   of (i, j, k, l), so that the noise is all but the same in every direction of the symmetric
   tensors. answer: tac_fourth_count(dims) numbers. */
enum { TAC_FOURTH_DIMS = 32 };
size_t tac_fourth_count(int32_t dims); /* dims (dims + 1) (dims + 2) (dims + 3) / 24 */
uint32_t tac_fourth_weight(int32_t i, int32_t j, int32_t k, int32_t l);
uint64_t tac_quote_fourth(const tac_privacy_params *params, int32_t dims, uint64_t quanta);
tacit_status tac_door_fourth(tac_door *door, const char *what, uint64_t quanta, tac_view view,
                             tac_i128 *answer);

/* One of m public sets of k subspaces, by the sum over rows of the squared distance to the nearest:
   the distribution of tac_door_choose. bases: m x k x rank x dims as in tac_cells. */
tacit_status tac_door_choose_subspaces(tac_door *door, const char *what, uint64_t quanta,
                                       tac_view view, const int16_t *bases, int32_t m, int32_t k,
                                       int32_t rank, int32_t *chosen);

/* Draws a subspace for every cell of a public partition, all at once: U_c of density exp(a tr(U_c^T
   A_c U_c)), A_c the cell's second moments with rows of length 1 at most, a as large as `quanta`
   allow. by_column: rank draws of one vector each, from what the earlier left over, at a price of
   rank: always feasible; otherwise the exact matrix draw. bases: count x rank x dims, round(M u) of
   orthonormal vectors u: what is finer than this grid shows by which arithmetic u was made. The
   distribution is exact in real arithmetic only (bingham.proof.md): no ledger takes it. */
typedef struct tac_bingham {
    const tac_cells *cells;
    tac_view values;
    int32_t rank;
    bool by_column;
} tac_bingham;
/* The epsilon in 2^-TAC_SELECTION_BITS that `quanta` buy a draw (by_column: each column), and
   the exponent a that it stands for. */
uint64_t tac_quote_bingham(const tac_privacy_params *params, int32_t rank, bool by_column,
                           uint64_t quanta);
double tac_bingham_exponent(const tac_privacy_params *params, uint64_t epsilon);
/* Would the matrix draw accept soon enough for about `rows` rows in a cell? Judged by public
   numbers alone: by spectra that rows might have. */
tacit_status tac_bingham_feasible(tacit_ctx *ctx, int32_t dims, int32_t rank, double rows,
                                  double exponent, bool *out);
tacit_status tac_door_bingham(tac_door *door, const char *what, uint64_t quanta,
                              const tac_bingham *draw, int16_t *bases);

/* What a Gibbs sampler releases. */
typedef struct tac_gibbs_draw {
    int16_t *bases; /* k x rank x dims, the caller's: round(M u) of orthonormal vectors */
    int32_t *label; /* rows numbers, new, the caller's to free; NULL: not asked for */
    int64_t rows;
    /* chains: mean distance of their mean projectors, and of the two parts of each, in
       thousandths */
    int64_t between, within;
} tac_gibbs_draw;
tacit_status tac_door_gibbs(tac_door *door, const char *what, uint64_t quanta,
                            const tac_gibbs *gibbs, tac_gibbs_draw *out);

/* counts: cells, in units of 1/parts.count; sums: cells x dims in units of 1/parts.sum of u;
   squares: cells, cells x dims (dims + 1) / 2 moments, or cells x dims axes. Any may be NULL when
   its part is left out. A taxicab query costs as much as one about a single column: quote it with
   dims = 1. */
uint64_t tac_quote_local(const tac_privacy_params *params, int32_t dims,
                         const tac_local_parts *parts, uint64_t quanta);
tacit_status tac_door_local(tac_door *door, const char *what, uint64_t quanta,
                            const tac_cells *cells, const tac_local *local,
                            const tac_local_parts *parts, tac_i128 *counts, tac_i128 *sums,
                            tac_i128 *squares);

/* Rows by how far they are from their cell's center, cells pooled: bin b for edge[b-1] < |x -
   center_c| / radius_c <= edge[b], the last bin for all beyond. edge: bins - 1 increasing numbers.
   answer: bins, in 2^-20 rows. One cell without centers: from 0, sparse rows too. */
tacit_status tac_door_distances(tac_door *door, const char *what, uint64_t quanta,
                                const tac_cells *cells, const tac_local *local, const double *edge,
                                int32_t bins, int64_t *answer);

/* Rows of every cell by where they lie along the cell's direction: <u, direction_c> in [-M^2, M^2]
   cut into `bins` equal parts. directions: cells x dims, clipped by the door. answer: cells x bins,
   in 2^-20 rows. */
tacit_status tac_door_projections(tac_door *door, const char *what, uint64_t quanta,
                                  const tac_cells *cells, const tac_local *local,
                                  const int16_t *directions, int32_t bins, int64_t *answer);

tacit_status tac_door_slices(tac_door *door, const char *what, uint64_t quanta,
                             const tac_cells *cells, const tac_slice *slice, int32_t bins,
                             int64_t *answer);

/* One row, drawn with probability proportional to its squared distance from the nearest of
   `count` public centers (0 centers: uniformly at random), with noise that covers the whole
   ball: it does not shrink with the number of rows. answer: dims numbers, lattice units. */
tacit_status tac_door_draw(tac_door *door, const char *what, uint64_t quanta,
                           const int16_t *centers, int32_t count, int64_t *answer);

/* A cube that passed the threshold, named by its parent and by which half it takes along each
   axis. */
typedef struct tac_cube {
    int32_t parent; /* which active cube */
    tac_u128 child; /* bit j: the upper half along axis j */
    int64_t count;  /* noisy, in 2^-20 rows */
} tac_cube;

/* Laplace noise on every account. The scale in 2^-20 rows that `quanta` buy, and the least
   threshold with it: about 2^16 of the empty cubes may pass it. */
uint64_t tac_quote_cubes(const tac_privacy_params *params, uint64_t quanta);
int64_t tac_cubes_least(uint64_t scale, int32_t dims, int32_t count);
/* found: room for `most`, in the order of (parent, child). */
tacit_status tac_door_cubes(tac_door *door, const char *what, uint64_t quanta,
                            const tac_cubes *cubes, tac_cube *found, int32_t *count);

/* Sample and aggregate with a smooth bound (tac_parts in query.h). answer: k x q x dims numbers in
   units of 2^-TAC_PARTS_GRID: of subspaces q noisy vectors each that span it, of points where the
   ball has radius 1; which comes first means nothing (cluster/parts_results.h makes subspaces and
   points of them). */
#define TAC_PARTS_GRID 30
tacit_status tac_door_parts(tac_door *door, const char *what, const tac_parts *plan,
                            int64_t *answer);

/* How noise follows from (epsilon, delta): noise of scale S / alpha, S a bound that falls by
   e^-beta at most from one data set to its neighbor. Public. */
typedef struct tac_parts_rule {
    int32_t parts, touched; /* a privacy unit lies in at most so many parts */
    double alpha, beta;
    double diameter; /* no two results are farther apart */
    /* S / alpha when all results are the same: only what is far beyond them counts */
    double least;
} tac_parts_rule;
/* False: epsilon is too small for any. */
bool tac_parts_rule_for(double epsilon, double delta, int32_t dims, const tac_parts *plan,
                        tac_parts_rule *out);

/* One of m public sets of k centers, by the k-means cost or by distances (k-median):
   permute-and-flip on a pure account, exponential mechanism on the others. */
typedef struct tac_choice {
    tac_view view;
    bool median;
    const int16_t *candidates; /* m x k x dims */
    int32_t m, k;
} tac_choice;
tacit_status tac_door_choose(tac_door *door, const char *what, uint64_t quanta,
                             const tac_choice *choice, int32_t *chosen);

/* One step of local search: put candidate `in` in the place of center `out`, or leave everything as
   it is, by the k-means (or k-median) cost of what results. One draw among k m + 1 choices, of the
   same distribution as tac_door_choose. centers: k x dims, candidates: m x dims, as `view` sees the
   rows. out = -1: nothing is changed. k m < 2^31. */
typedef struct tac_swap {
    tac_view view;
    bool median; /* sums of distances, not of their squares */
    const int16_t *centers;
    int32_t k;
    const int16_t *candidates;
    int32_t m;
} tac_swap;
tacit_status tac_door_swap(tac_door *door, const char *what, uint64_t quanta, const tac_swap *swap,
                           int32_t *out, int32_t *in);

/* ---- counts: co-clustering ---- */

/* Non-negative codes. For public directions d_k: h_k = max(0, <d_k, x>) / M cut down, the vector h
   clipped to |h|_2 <= M. Answers, one joint query: squares, the upper triangle of the sum of h h^T
   with the weights of tac_door_moments, and products, 5 h_k x_j summed, count x dims. Rows of
   counts, sparse. Proof: codes.proof.md */
tacit_status tac_door_codes(tac_door *door, const char *what, uint64_t quanta, tac_view values,
                            const int16_t *directions, int32_t count, tac_i128 *squares,
                            tac_i128 *products);
/* dims: no row has more entries. */
uint64_t tac_quote_codes(const tac_privacy_params *params, int32_t dims, int32_t count,
                         uint64_t quanta);

/* The queries below are about the counts themselves: neighbors entry only, rows and columns have
   public places. */

int64_t tac_door_rows(const tac_door *door); /* public under entry; -1 otherwise */

/* Divides the rows, once and before the first query, into disjoint batches: an entry lies in one,
   so queries about different batches cost as much together as the most expensive batch alone
   (batches.proof.md). batch: rows numbers, 0 .. count - 1, public, made without looking at counts;
   copied. Queries then name a batch, or -1 for all rows, which costs every batch. */
tacit_status tac_door_batches(tac_door *door, const int32_t *batch, int32_t count);

/* The contingency table of public labels: answer_kl = 2^TAC_COUNT_GRID times the sum of the counts
   of rows labeled k and columns labeled l, + noise. A label of -1 leaves its row or column out. One
   entry moves one cell by 1. */
typedef struct tac_table {
    int32_t batch;
    const int32_t *row_label;    /* rows; outside the batch not looked at */
    const int32_t *column_label; /* columns */
    int32_t k, l;
} tac_table;
tacit_status tac_door_table(tac_door *door, const char *what, uint64_t quanta,
                            const tac_table *table, int64_t *answer);

/* Draws a label for every row of a batch, or for every column from the rows of a batch: label c
   with probability proportional to exp(epsilon u_c / range), u_c = sum over the item's entries
   of count * score[c][label of the other side], range the largest difference of two scores of
   one other label; a label of -1 adds nothing. An entry belongs to one row and to one column, so
   all draws together cost what one costs. Exact: integers and coins, no floating point decides
   (labels.proof.md). */
#define TAC_SCORE_MOST (1 << 20)
typedef struct tac_draw_labels {
    /* columns are drawn, rows are labeled; otherwise the other way round */
    bool columns;
    int32_t batch;
    const int32_t *other_label; /* of the rows (columns = true), or of the columns */
    /* labels 0 .. others - 1, -1: left out; 1 .. 2^24: every column may be its own */
    int32_t others;
    const int32_t *score; /* clusters x others, each at most TAC_SCORE_MOST in size */
    int32_t clusters;     /* 1 .. 4096 */
} tac_draw_labels;
/* label: rows numbers, those outside the batch are left as they are; or columns numbers. */
tacit_status tac_door_labels(tac_door *door, const char *what, uint64_t quanta,
                             const tac_draw_labels *draw, int32_t *label);

/* For whoever attacks the door: called with the exact answer of each query before noise is added,
   and able to replace the noisy answer (replay). Only tests and the audit set it, and the audit on
   rows it has made itself; the public library has no way to set it on a caller's rows. What the
   door answers with is what `noisy` leaves in the words, and nothing else: so a release can be
   rebuilt from them where there are no rows (tests/transcript.h). key and seed, if not NULL, see
   the run's key and its public seed before they are first used, and may put those of an earlier run
   in their place. The same seed repeats every public choice (starts, projections). The same key
   repeats the coins behind an exact answer too (which row is drawn, which part a row falls into):
   the audit compares exact answers given the same coins. Where numbers have two words (kinds.def),
   the probe sees their low words alone if each fits one word as a signed number, otherwise all. */
typedef struct tac_door_probe {
    void (*key)(void *payload, tac_key *key);
    void (*seed)(void *payload, tac_public_seed *seed);
    void (*exact)(void *payload, const tac_receipt *receipt, const uint64_t *answer, size_t count);
    void (*noisy)(void *payload, const tac_receipt *receipt, uint64_t *answer, size_t count);
    void *payload;
} tac_door_probe;
void tac_door_set_probe(tac_door *door, const tac_door_probe *probe);

#endif
