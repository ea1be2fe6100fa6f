/* SPDX-License-Identifier: Apache-2.0 */
/* The rows that one process holds, and its part of an exact answer. Behind the door: nothing
   outside this folder includes it, but the tests that attack the door. */
#ifndef TAC_SHARD_H
#define TAC_SHARD_H

#include "data/lattice/counts.h"
#include "data/lattice/lattice.h"
#include "privacy/query.h"

/* Borrowed views of one process's rows. Private, but for places and batches. */
typedef struct tac_shard {
    const tac_lattice *lattice[TAC_VIEWS]; /* row beside row; NULL: there is no such view */
    const tac_counts *counts; /* neighbors entry: the counts themselves; NULL otherwise */
    /* of each row of counts among all rows; NULL: row i stands at place i */
    const int64_t *place;
    const int32_t *batch;    /* of each row of counts; NULL: no batches were made */
    const tac_person *owner; /* of each row of the lattice; NULL: every row its own */
    struct tac_memo *memo;   /* cells of rows, kept between queries (cell_memo.h); NULL: none are */
} tac_shard;

/* An exact answer or a shard's part of it. Private. Kinds of width TWO have two words a number:
   first all low words, then all high ones. */
typedef struct tac_words {
    uint64_t *word;
    size_t count;
} tac_words;

/* Number i of an answer of `numbers` numbers of two words. */
static inline tac_i128 tac_two_words(const uint64_t *word, size_t numbers, size_t i)
{
    return (tac_i128)((tac_u128)word[numbers + i] << 64 | word[i]);
}
static inline void tac_set_two_words(uint64_t *word, size_t numbers, size_t i, tac_i128 value)
{
    word[i] = (uint64_t)value;
    word[numbers + i] = (uint64_t)((tac_u128)value >> 64);
}

/* Is this a query that these rows can answer? Its public numbers have passed tac_query_check.
   TACIT_E_INTERNAL: no. */
tacit_status tac_query_fits(tacit_ctx *ctx, const tac_query *query, const tac_shard *shard);

/* The exact words of a shard: a function of the query and of which rows the shard holds, not of
   their order, of blocks or threads; so whoever computes them twice gets the same. Words of shards
   combine to those of all rows (tac_combine). A query that does not fit is refused, and so is one
   that wants all rows together. out->word is new, the caller's to free. */
tacit_status tac_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *query,
                          const tac_shard *shard, tac_words *out);
/* sum = sum and part: added modulo 2^64 or 2^128, or merged. */
tacit_status tac_combine(tacit_ctx *ctx, tac_kind kind, tac_words *sum, const tac_words *part);

#endif
