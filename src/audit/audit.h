/* SPDX-License-Identifier: Apache-2.0 */
/* The audit: an attacker who knows everything except which of two neighboring data sets was
   used. It reads exact answers through the door's probe, so it works on rows that it has made
   itself and on no others. */
#ifndef TAC_AUDIT_H
#define TAC_AUDIT_H

#include "audit/bounds.h"
#include "audit/evidence.h"
#include "release/model.h"

/* ---- transcript.c: what a run was asked and answered ---- */

/* The queries and answers of one run. A first run is recorded; then the same run on the neighbor
   gets its key, its public seed and its noisy answers. Whatever differs after that is the effect
   of the rows alone. */
typedef struct tac_transcript {
    tacit_ctx *ctx;
    double noise_factor; /* 1: as it is */
    bool pure, replaying, failed;
    tac_key key;
    tac_public_seed public_seed;
    uint64_t seed;          /* of mistakes on purpose */
    tac_evidence *evidence; /* of first runs; NULL: none is wanted */
    tac_noises before;
    tac_asked *asked;
    int32_t count, at, room;
    uint64_t *word;
    size_t words, word_room;
    /* found while replaying */
    /* sum of log P(answer | second run's rows) - log P(answer | first run's rows) */
    double log_ratio;
    /* about its mean: from exact answers where noise is added, otherwise from the log ratio */
    double apart;
    int32_t blind; /* queries whose likelihood is not evaluated */
    /* queries of the first run whose distribution cannot be tested */
    int32_t untested;
    bool other_queries, too_far;
    char blind_kinds[128];
} tac_transcript;

void tac_transcript_start(tac_transcript *t);  /* for a first run */
void tac_transcript_replay(tac_transcript *t); /* for the second */
void tac_transcript_end(tac_transcript *t);    /* after the second: were there fewer queries? */
void tac_transcript_clear(tac_transcript *t);
tac_door_probe tac_transcript_probe(tac_transcript *t);
/* The charge of all queries in the native parameter of the account, epsilon or mu^2;
   as_gaussian: mu^2 for any account. Batches of rows are disjoint, so together they cost as much
   as the most expensive of them (parallel composition). */
double tac_transcript_charged(const tac_transcript *t, bool as_gaussian);
/* prices.c: was every query paid for, and is the whole run within its claim? claim: mu^2 or
   epsilon, as tac_claim_quanta gives it for a budget. */
double tac_claim_quanta(double epsilon, double delta);
bool tac_transcript_paid(const tac_transcript *t, double claim);

/* ---- audit_rows.c: neighbors that are hard to hide from each other ---- */

/* A number uniformly at random in (0, 1), for rows and for mistakes on purpose. Noise never
   comes from here: the generator is small and its seed is known. */
double tac_even(uint64_t *state);

enum { TAC_AUDIT_ROWS = 72, TAC_AUDIT_COLUMNS = 6 };

/* Two neighboring data sets: rows of two numbers in the unit ball, or of counts in compressed
   sparse rows. */
typedef struct tac_neighbors {
    const char *what;
    bool counts;
    int32_t columns;
    int64_t rows[2];
    double value[2][TAC_AUDIT_ROWS * TAC_AUDIT_COLUMNS];
    int32_t column[2][TAC_AUDIT_ROWS * TAC_AUDIT_COLUMNS]; /* counts */
    int64_t start[2][TAC_AUDIT_ROWS + 1];
} tac_neighbors;

/* Pair number `design`, the same for the same seed; false: there are no more. `out` is
   overwritten. */
bool tac_neighbors_make(bool counts, tacit_neighbors neighbors, int design, uint64_t seed,
                        tac_neighbors *out);
/* One side of a pair as data; `pair` must live as long as *out, which the caller frees. */
tacit_status tac_neighbors_open(tacit_ctx *ctx, const tac_neighbors *pair, int side,
                                tacit_data **out);

/* ---- families.c ---- */

/* A family is one line of the table there; its methods are those of its own table. */
typedef struct tac_audit_family {
    const char *name;
    bool counts;
    bool (*describe)(int32_t method, tacit_audit_target *out); /* false: there is no such method */
    tacit_status (*run)(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                        int32_t method, const tac_door_probe *probe, tacit_model **out);
} tac_audit_family;

const tac_audit_family *tac_audit_family_at(int32_t index); /* NULL: no more */

/* ---- pairs.c: runs and replays, on all threads ---- */

typedef struct tac_attack {
    const tac_audit_family *family;
    tacit_audit_opts opts;
} tac_attack;

/* What all pairs have shown: sums, and the largest number of queries, blind or untested ones. */
typedef struct tac_tally {
    int64_t pairs, other_queries, too_far, other_release, underpaid, queries, blind, untested;
    double apart; /* sum of the transcripts' */
    char blind_kinds[128];
    tac_evidence evidence;
} tac_tally;

/* A run: log P(answers | rows 1) - log P(answers | rows 0), and mu^2 of what it was charged. */
typedef struct tac_sample {
    double *log_ratio, *charged;
} tac_sample;

/* n runs on each side of `rows`, each replayed on the other side, on all threads. sample: room
   for n numbers of each side. The results are added to *tally. */
tacit_status tac_attack_pairs(tacit_ctx *ctx, const tac_attack *attack, const tac_neighbors *rows,
                              int64_t n, const tac_sample sample[2], tac_tally *tally);

/* ---- audit_options.c ---- */

/* Reads and checks the options of both kinds of audit: budget, number of runs, confidence, noise
   factor. */
tacit_status tac_audit_read_opts(tacit_ctx *ctx, const tacit_audit_opts *given,
                                 tacit_audit_opts *known);
/* Copies the report out; the struct of an older caller may be shorter. */
tacit_status tac_audit_reported(tacit_ctx *ctx, const tacit_audit_report *known,
                                tacit_audit_report *out);

#endif
