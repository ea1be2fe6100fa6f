/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies of messages. Each has one walk; lists that were read are the body's own. */
#ifndef TAC_BODIES_H
#define TAC_BODIES_H

#include "data/dataset/load_spec.h"
#include "privacy/shard.h"
#include "privacy/shards/message.h"

#define TAC_ROWS_TAG 16
#define TAC_SHARDS_MOST (INT64_C(1) << 31) /* indices of shards are below it */

/* How rows are read, and who belongs together. */
typedef struct tac_spec {
    tac_session session;
    tac_load_spec load;
    int32_t rows_per_unit;
    bool adds;                 /* of counts: the rows of one person are added up into one */
    int64_t shards;            /* 0: as many as reply first */
    tac_person_key person_key; /* the same for all shards: who is who, and on which shard */
} tac_spec;
void tac_spec_walk(tac_walk *w, void *spec);
/* From bytes; *out is the caller's to clear, also after a failure. */
tacit_status tac_spec_read(tacit_ctx *ctx, const void *bytes, size_t count, tac_spec *out);
void tac_spec_clear(tac_spec *spec);

/* Bytes within a message. Borrowed when written. */
typedef struct tac_part {
    uint64_t count;
    uint8_t *bytes; /* NULL: there is none */
} tac_part;

/* The frames of both views: one message says where rows are, so that a shard without memory of
   earlier ones places all of them. */
typedef struct tac_frames_body {
    uint64_t number; /* of the message in its run: no two are alike */
    tac_part frame[TAC_VIEWS];
} tac_frames_body;
void tac_frames_walk(tac_walk *w, void *body);
void tac_frames_clear(tac_frames_body *body);

typedef struct tac_query_body {
    uint8_t frames[TAC_TAG]; /* the tag of the frames that rows must lie in */
    uint64_t number;
    int32_t count; /* of queries: they are answered together */
    tac_part *query;
} tac_query_body;
void tac_queries_walk(tac_walk *w, void *body);
void tac_queries_clear(tac_query_body *body);

/* A shard and the rows that it has placed, as the root knows them. */
typedef struct tac_placed {
    int64_t index;
    uint8_t rows[TAC_ROWS_TAG]; /* a tag of its rows under the session's key */
} tac_placed;

typedef struct tac_receipt_body {
    uint8_t frames[TAC_TAG];
    tac_placed shard;
} tac_receipt_body;
void tac_receipt_walk(tac_walk *w, void *body);

/* The words of one query. SECRET. */
typedef struct tac_answer_words {
    tac_kind kind; /* of the query: how words combine */
    uint64_t count;
    uint64_t *word;
} tac_answer_words;
/* Of one shard, or of several whose words were combined. */
typedef struct tac_answer_body {
    uint8_t query[TAC_TAG]; /* the tag of the query that is answered */
    int64_t shards;
    tac_placed *shard; /* by ascending index */
    int32_t count;
    tac_answer_words *answer; /* for each query of the message */
} tac_answer_body;
void tac_answer_walk(tac_walk *w, void *body);
/* Numbers of two words stand whole, and records that are merged, those in order too. */
bool tac_words_are_good(const tac_answer_words *words);
bool tac_kind_merges(tac_kind kind);
void tac_answer_clear(tac_answer_body *body);

/* Placed rows. SECRET. */
typedef struct tac_block_body {
    uint8_t frames[TAC_TAG];
    tac_placed shard;
    bool there[TAC_VIEWS];
    tac_lattice lattice[TAC_VIEWS];
} tac_block_body;
void tac_block_walk(tac_walk *w, void *body);
/* Are these lattices as the door's evaluators expect them? Points in the ball, entries in order. */
bool tac_block_is_good(const tac_block_body *body);
void tac_block_clear(tac_block_body *body);

#endif
