/* SPDX-License-Identifier: Apache-2.0 */
/* What the door's own files share. Nothing outside this folder includes it, but the tests that
   attack the door. */
#ifndef TAC_DOOR_INTERNAL_H
#define TAC_DOOR_INTERNAL_H

#include "data/kernels/nearest.h"
#include "privacy/backend.h"
#include "privacy/door.h"
#include "privacy/queries/cell_memo.h"

/* Owned: receipts and batches. Borrowed: everything else. Private: the shards and the key. */
struct tac_door {
    tacit_ctx *ctx;
    const tac_engine *engine;
    tac_shard own; /* the rows of this process */
    tac_memo memo; /* of `own` */
    /* all rows in this process: shards of them, alike in all that is public; `own`, but in tests */
    const tac_shard *shard;
    int32_t shards;
    /* rows elsewhere: then the lattices of `own` state public facts and have no rows; NULL: none */
    tac_backend *backend;
    /* a quoting run's: where the rows are that made-up ones stand for; NULL: in this process */
    const char *apart;
    /* each row counts so many times: 1, but for made-up rows of a plan, which stand for many
       (quote.h) */
    uint64_t copies;
    tacit_neighbors neighbors;
    uint64_t rows_per_unit;
    tac_accountant *accountant;
    uint64_t held; /* quanta that a method holds back while another one asks */
    const tac_key *key;
    tac_receipt *receipt;
    int32_t asked, room;
    tac_door_probe probe;
    int32_t *batch, batches; /* of each row, public; 0 batches: none were made */
    /* quanta that each batch has been charged; the account holds the largest (parallel
       composition) */
    uint64_t *batch_spent;
};

/* The public facts of a view are those of the first shard: dims and what bounds a point. */
static inline const tac_lattice *tac_door_lattice(const tac_door *door, tac_view view)
{
    return door->shard[0].lattice[view];
}

/* The sensitivity of an answer: how far one privacy unit can move it, as squared L2 norm and L1
   norm, in steps of the grid. For symmetric matrices that get trace noise on a pure account also
   the trace norm of the change, without weights, and dims; 0 and 0 otherwise. Public: a function
   of the query and the privacy parameters. */
typedef struct tac_sensitivity {
    tac_u128 l2_squared, l1, trace, reach; /* reach: as in tac_receipt */
    int32_t dims;
} tac_sensitivity;

/* What a query costs and how large its answer is. Public. */
typedef struct tac_bound {
    uint64_t quanta;     /* offered */
    tac_sensitivity s;   /* NOISE, LAPLACE */
    uint64_t range;      /* EPSILON: how far the difference of two scores can move */
    uint64_t draws;      /* EPSILON: the quanta pay for so many, one after the other; 0 is 1 */
    uint64_t scale;      /* ALONE: as the receipt has it; its sensitivity is s.l2_squared */
    tac_parts_rule rule; /* PARTS */
    int64_t answers;     /* numbers released; as many as words unless it is set */
    /* words of the answer, with what a draw shows the audit beside it; as many as words unless
       set */
    size_t shown;
} tac_bound;

/* Integer formulas, each proved in the page of its kind; m: rows that a privacy unit may own. */
tac_sensitivity tac_sensitivity_count(tacit_neighbors neighbors, uint64_t m);
tac_sensitivity tac_sensitivity_histogram(tacit_neighbors neighbors, uint64_t m);
tac_sensitivity tac_sensitivity_sums(tacit_neighbors neighbors, uint64_t m, int32_t dims,
                                     uint32_t count_weight);
tac_sensitivity tac_sensitivity_moments(tacit_neighbors neighbors, uint64_t m, int32_t dims,
                                        int32_t most);
tac_sensitivity tac_sensitivity_fourth(tacit_neighbors neighbors, uint64_t m, int32_t dims);
tac_sensitivity tac_sensitivity_local(tacit_neighbors neighbors, uint64_t m, int32_t dims,
                                      const tac_local_parts *parts);
tac_sensitivity tac_sensitivity_draw(int32_t dims);
tac_sensitivity tac_sensitivity_table(void);
/* Rows of counts (sensitivity_counts.c). most: |x|_1 <= sqrt(most) M; reach, squares: of the
   frame. */
tac_sensitivity tac_sensitivity_sums_entry(int32_t dims, int32_t most, uint32_t reach);
tac_sensitivity tac_sensitivity_moments_entry(int32_t dims, int32_t most, uint64_t squares);
tac_sensitivity tac_sensitivity_codes(tacit_neighbors neighbors, uint64_t m, int32_t most,
                                      int32_t count);
/* The sensitivity for the door's neighbors and for what is public about the lattice of the
   values. */
tac_sensitivity tac_sensitivity_of_sums(const tac_door *door, const tac_query *q);
tac_sensitivity tac_sensitivity_of_moments(const tac_door *door, const tac_query *q);
/* The smallest noise scale whose cost fits `quanta`; 0: none. */
uint64_t tac_scale_for(tac_definition definition, const tac_sensitivity *s, uint64_t quanta);
/* Selection by cost: how far the difference of two candidates' scores can move. */
uint64_t tac_range_selection(tacit_neighbors neighbors, uint64_t m);

/* The cost of one row for one set of centers: min_c |x - c|^2 >> TAC_COST_SHIFT, at most
   TAC_COST_MOST. */
#define TAC_COST_SHIFT 16
#define TAC_COST_MOST ((UINT64_C(4) * TAC_M * TAC_M) >> TAC_COST_SHIFT)

/* The largest cost of one row for a set of subspaces: |x|^2 >> TAC_COST_SHIFT. */
#define TAC_SPAN_COST_MOST ((UINT64_C(1) * TAC_M * TAC_M) >> TAC_COST_SHIFT)
uint64_t tac_range_subspaces(tacit_neighbors neighbors, uint64_t m);

/* Selection by distance: the cost of one row is tac_distance of min_c |x - c|^2, at most
   TAC_DISTANCE_MOST. */
#define TAC_DISTANCE_MOST 65535
uint64_t tac_range_distances(tacit_neighbors neighbors, uint64_t m);
/* Draws of subspaces: the same for the sum of |U^T x|^2, rows of length 1 at most. */
uint64_t tac_range_squares(tacit_neighbors neighbors, uint64_t m);

/* What leaves the door of drawn unit vectors: round(M u). Finer digits would show how u was
   computed. */
void tac_door_round(const double *vectors, size_t count, int16_t *out);

/* The draw of a selection that is paid for (select.proof.md): permute-and-flip on a pure account,
   the exponential mechanism on a Gaussian one. cost: m >= 1 numbers; order: m, scratch. */
uint32_t tac_choose_by_cost(tac_stream *stream, tac_definition definition, uint64_t epsilon,
                            uint64_t range, const uint64_t *cost, uint32_t m, uint32_t *order);

/* Step 1 of a query: scale and price from the bound. r: kind, what, batch and answers; the rest is
   filled in. */
tacit_status tac_door_price(const tac_door *door, const tac_bound *bound, tac_receipt *r);
/* Step 2, for `count` queries that are asked together: charge all or none, receipts. After it
   returns TACIT_OK they are paid for; *out, the first of the receipts, stays valid until the next
   call. */
tacit_status tac_door_pay(tac_door *door, const tac_receipt *priced, int32_t count,
                          const tac_receipt **out);
/* Step 4: add the noise of the query last paid for. answer holds the exact words, then the noisy
   ones. */
tacit_status tac_door_release(tac_door *door, const tac_receipt *receipt, uint64_t *answer,
                              size_t count);
/* For the draw of a kind whose words are merged: the exact words of all rows for a part of its
   query, which is paid for. out->word is new, the caller's to free, after a failure too. */
tacit_status tac_door_exact(const tac_door *door, const tac_query *q, tac_words *out);
/* Every query has a subkey of its own: by its number. */
static inline uint64_t tac_door_subkey(const tac_door *door, const tac_receipt *receipt)
{
    return (uint64_t)(receipt - door->receipt);
}
/* Show the probe exact or noisy words, if one is set. It may change the noisy ones. Of numbers of
   two words it sees the low ones alone if all fit one word. */
void tac_door_show_exact(const tac_door *door, const tac_receipt *receipt, const uint64_t *words,
                         size_t count);
void tac_door_show_noisy(const tac_door *door, const tac_receipt *receipt, uint64_t *words,
                         size_t count);

/* batches.c: is there such a batch? What a query about it costs the account. */
bool tac_batch_known(const tac_door *door, int32_t batch);
tacit_status tac_batch_charge(tac_door *door, int32_t batch, uint64_t quanta);

/* ---- two_words.c: numbers of two words ---- */

/* sum += part, modulo 2^128. */
void tac_add_two_words(tac_words *sum, const tac_words *part);
/* The low words of `out` hold sums below 2^63 in size: their high words. */
void tac_second_words(tac_words *out);
/* Numbers first .. first + count - 1 of `out` times `by`, modulo 2^128. */
void tac_multiply_two_words(tac_words *out, size_t first, size_t count, uint64_t by);
/* Does every number fit one word, as a signed one? */
bool tac_one_word_does(const uint64_t *word, size_t numbers);

/* ---- cells.c: how evaluators add up ---- */

/* total = what `add` puts into its words over blocks 0 .. blocks - 1: every worker has words of its
   own, zeroed, added up modulo 2^64. scratch: the worker's own, scratch_bytes, 64-byte aligned, not
   zeroed. Nothing stays behind on failure. */
typedef void (*tac_block_add)(const void *state, int64_t block, uint64_t *words, void *scratch);
tacit_status tac_add_blocks(tacit_ctx *ctx, const tac_engine *engine, int64_t blocks,
                            tac_block_add add, const void *state, size_t scratch_bytes,
                            tac_words *total);

/* Step 3 for queries about cells: calls `add` for every tile of rows, as q->values sees them, with
   their cells. It adds to one word a number, at most 2^31 in size for a row; where numbers have two
   words, those are made of the sums of 2^31 rows at most (ctx->wide_rows). */
typedef struct tac_tile {
    const int16_t *rows; /* n x stride; NULL: sparse */
    int64_t n;
    int32_t stride, dims;
    const int64_t *start; /* sparse: n + 1, into column and value */
    const int32_t *column;
    const int16_t *value;
    const int32_t *cell; /* n */
    void *scratch;       /* the worker's own: scratch_bytes, 64-byte aligned */
} tac_tile;
typedef void (*tac_cell_fn)(const void *state, const tac_tile *tile, uint64_t *words);
tacit_status tac_over_cells(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                            const tac_shard *shard, tac_cell_fn add, const void *state,
                            size_t scratch_bytes, tac_words *out);
/* Most rows in a tile of this stride, in one of this query, and of the rows of a lattice that are
   values and cells at once. */
int64_t tac_tile_rows(int32_t stride);
int64_t tac_query_tile(const tac_query *q, int32_t stride);
int64_t tac_lattice_tile(const tac_lattice *rows);

/* placer.c. Does this partition make sense, by public numbers? */
bool tac_cells_make_sense(const tac_query *q);
/* A copy of public points, each clipped: the kernels' overflow proof needs |c|_2 <= M too. */
tacit_status tac_clipped(tacit_ctx *ctx, const int16_t *points, int64_t many, int32_t dims,
                         int16_t **out);

#endif
