/* SPDX-License-Identifier: Apache-2.0 */
/* The audit: an attacker who knows everything but which of two neighbouring data sets was used. It opens the door's probe,
   so it works on rows it has made itself and on no others. */
#ifndef TAC_AUDIT_H
#define TAC_AUDIT_H

#include "audit/bounds.h"
#include "privacy/run.h"
#include "release/model.h"

/* ---- transcript.c: what a run was asked and answered ---- */

/* One question of a run. exact and noisy point into the transcript's words. */
typedef struct tac_asked {
    tac_receipt receipt;
    char what[64];
    bool pure;               /* the account: decides the law of selections */
    size_t exact_at, noisy_at, exact_words, noisy_words;
    const uint64_t *exact, *noisy;
} tac_asked;

/* A run is written down, then the same run on the neighbour is given its key and its noisy answers. */
typedef struct tac_transcript {
    tacit_ctx *ctx;
    double noise_factor;     /* 1: as it is */
    bool pure, replaying, failed;
    tac_key key;
    tac_asked *asked;
    int32_t count, at, room;
    uint64_t *word;
    size_t words, word_room;
    /* found while replaying */
    double log_ratio;        /* sum of log P(answer | second run's rows) - log P(answer | first run's rows) */
    double apart;            /* about what it is on average, from exact answers where the law is that of noise */
    int32_t blind;           /* questions that say nothing about it */
    bool other_questions, too_far;
    char blind_kinds[128];
} tac_transcript;

void tac_transcript_start(tac_transcript *t);  /* for a first run */
void tac_transcript_replay(tac_transcript *t); /* for the second */
void tac_transcript_end(tac_transcript *t);    /* after the second: were there fewer questions? */
void tac_transcript_clear(tac_transcript *t);
tac_door_probe tac_transcript_probe(tac_transcript *t);
/* mu^2 that the questions were charged for: a batch of rows costs as much as the dearest of them. */
double tac_transcript_mu_squared(const tac_transcript *t);

/* ---- law.c ---- */

/* Is noise added to every word of the exact answer? */
bool tac_asked_is_noise(const tac_receipt *receipt);
/* log P(noisy | second) - log P(noisy | exact) by the law on the receipt; NAN: the law is not evaluated. */
double tac_asked_log_ratio(const tac_asked *asked, const uint64_t *second);
/* How far apart the two laws are, |distance|^2 / sigma^2 of Gaussian noise; otherwise guessed from the log ratio of one
   answer. */
double tac_asked_apart(const tac_asked *asked, const uint64_t *second, double log_ratio);
/* Is `second` as near to the exact answer as the declared sensitivity says? */
bool tac_asked_within(const tac_asked *asked, const uint64_t *second);

/* ---- rows.c: neighbours that are hard to hide from each other ---- */

enum { TAC_AUDIT_ROWS = 72, TAC_AUDIT_COLUMNS = 6 };

/* Two data sets: rows of two numbers in the unit ball, or of counts. */
typedef struct tac_neighbours {
    const char *what;
    bool counts;
    int32_t columns;
    int64_t rows[2];
    double value[2][TAC_AUDIT_ROWS * TAC_AUDIT_COLUMNS];
    int32_t column[2][TAC_AUDIT_ROWS * TAC_AUDIT_COLUMNS]; /* counts */
    int64_t start[2][TAC_AUDIT_ROWS + 1];
} tac_neighbours;

/* Pair number `design`; false: there are no more. */
bool tac_neighbours_make(bool counts, tacit_neighbours neighbours, int design, uint64_t seed, tac_neighbours *out);
tacit_status tac_neighbours_open(tacit_ctx *ctx, const tac_neighbours *pair, int side, tacit_data **out);

/* ---- families.c ---- */

/* A family is one line of the table there; its methods are those of its own table. */
typedef struct tac_audit_family {
    const char *name;
    bool counts;
    bool (*describe)(int32_t method, tacit_audit_target *out); /* false: there is no such method */
    tacit_status (*run)(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget, int32_t method,
                        const tac_door_probe *probe,
                        tacit_model **out);
} tac_audit_family;

const tac_audit_family *tac_audit_family_at(int32_t index); /* NULL: no more */

/* ---- pairs.c: runs and replays, on all threads ---- */

typedef struct tac_attack {
    const tac_audit_family *family;
    tacit_audit_opts opts;
} tac_attack;

/* What pairs have shown, added up. */
typedef struct tac_tally {
    int64_t pairs, other_questions, too_far, other_release, questions, blind;
    double apart; /* sum of the transcripts' */
    char blind_kinds[128];
} tac_tally;

/* A run: log P(answers | rows 1) - log P(answers | rows 0), and mu^2 of what it was charged. */
typedef struct tac_sample {
    double *log_ratio, *charged;
} tac_sample;

/* n runs on each side of `rows`, each replayed on the other. */
tacit_status tac_attack_pairs(tacit_ctx *ctx, const tac_attack *attack, const tac_neighbours *rows, int64_t n,
                              const tac_sample sample[2],
                              tac_tally *tally);

/* ---- options.c ---- */

/* Checks what both kinds of audit are told. */
tacit_status tac_audit_read_opts(tacit_ctx *ctx, const tacit_audit_opts *given, tacit_audit_opts *known);
/* The caller's struct may be shorter. */
tacit_status tac_audit_told(tacit_ctx *ctx, const tacit_audit_report *known, tacit_audit_report *out);

#endif
