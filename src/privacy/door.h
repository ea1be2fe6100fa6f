/* SPDX-License-Identifier: Apache-2.0 */
/* The door: the one way to the rows. A method holds a door, never a row. It names a question and how many units
   to spend on it; the door works out the sensitivity, picks the noise, charges, answers in integers.

   The four steps of every question, in this order and nowhere else:
     1. sensitivity from the kind of question, the neighbours and the rows a unit may own
     2. smallest integer noise scale whose cost fits the units offered; charge that cost or refuse
     3. the exact answer over all rows, in integers modulo 2^64
     4. exact discrete noise from the question's own subkey
   Proofs: one page per kind, beside this file. No floating point in any of the door's files. */
#ifndef TAC_DOOR_H
#define TAC_DOOR_H

#include "data/lattice.h"
#include "privacy/accountant.h"

typedef struct tac_door tac_door;

/* A unit may own at most so many rows: keeps every product of a sensitivity and a grid within its integers. */
#define TAC_ROWS_PER_UNIT_MOST 32768

/* What was asked and what it cost: goes into the privacy card. Public. */
typedef struct tac_receipt {
    const char *kind;         /* "count", "histogram", "sums", "moments", "selection" */
    const char *what;         /* the method's own words, e.g. "Lloyd round" */
    tac_law law;              /* of the noise; selections: unused */
    uint64_t scale;           /* noise scale in grid units; selections: epsilon in units of 2^-TAC_SELECTION_BITS */
    tac_u128 sensitivity;     /* squared L2 (Gaussian) or L1 (Laplace), in grid units; range of a selection */
    uint64_t units;           /* charged */
    int64_t answers;          /* numbers released */
} tac_receipt;

/* Under which terms questions are asked: public, fixed for a run. */
typedef struct tac_terms {
    tac_notion notion;
    tacit_neighbours neighbours;
    int32_t rows_per_unit;
} tac_terms;

/* The noise scale that a question would get for `units`, before any row is read: the question's own code. 0: none. */
uint64_t tac_quote_count(const tac_terms *terms, uint64_t units);
uint64_t tac_quote_sums(const tac_terms *terms, int32_t dims, uint32_t count_weight, uint64_t units);

/* Opens a door over a lattice. neighbours, rows a unit may own (1 without units) and the key are fixed for its
   life; the door keeps pointers, the caller keeps the things alive. */
tacit_status tac_door_open(tacit_ctx *ctx, const tac_engine *engine, const tac_lattice *lattice,
                           tacit_neighbours neighbours, int32_t rows_per_unit, tac_accountant *accountant,
                           const tac_key *key, tac_door **out);
/* The same account and key over the rows in a new frame. */
void tac_door_reframe(tac_door *door, const tac_lattice *lattice);
void tac_door_close(tac_door *door);

/* Public facts a method may know about the door. */
int32_t tac_door_dims(const tac_door *door);
tac_law tac_door_law(const tac_door *door); /* Laplace on a pure account, Gaussian otherwise */
uint64_t tac_door_left(const tac_door *door);
int32_t tac_door_asked(const tac_door *door); /* questions so far */
const tac_receipt *tac_door_receipt(const tac_door *door, int32_t index);

/* Counts are released on a finer grid, so that an integer noise scale loses nothing: answer = 2^20 count + noise. */
#define TAC_COUNT_GRID 20

/* Noisy number of rows. answer in units of 2^-20 rows. */
tacit_status tac_door_count(tac_door *door, const char *what, uint64_t units, int64_t *answer);

/* Rows per cell, a row's cell being its nearest public centre. centers: k x dims, clipped by the door.
   answer: k numbers in units of 2^-20 rows. */
tacit_status tac_door_histogram(tac_door *door, const char *what, uint64_t units, const int16_t *centers, int32_t k,
                                int64_t *answer);

/* One joint question: for every cell (sum of its lattice points, count_weight * number of rows).
   sums: k x dims in lattice units; counts: k, in units of 1/count_weight rows; 1 <= count_weight <= 2^20. */
tacit_status tac_door_sums(tac_door *door, const char *what, uint64_t units, const int16_t *centers, int32_t k,
                           uint32_t count_weight, int64_t *sums, int64_t *counts);

/* For every cell the sum of x x^T: the dims (dims + 1) / 2 entries i <= j, row by row. answer: k of these. */
tacit_status tac_door_moments(tac_door *door, const char *what, uint64_t units, const int16_t *centers, int32_t k,
                              int64_t *answer);

#define TAC_SELECTION_BITS 30 /* epsilon of a selection is a multiple of 2^-30, rounded down */

/* One of m public sets of k centres, by the k-means cost: exponential mechanism on a zCDP account, permute-and-flip
   on a pure one (a Gaussian-only account refuses). candidates: m x k x dims. */
tacit_status tac_door_select(tac_door *door, const char *what, uint64_t units, const int16_t *candidates, int32_t m,
                             int32_t k, int32_t *chosen);

/* For the tests that attack the door: called with the exact answer of each question before noise is added, and
   able to replace the noisy answer (replay). Never set outside tests; the public library has no way to set it. */
typedef struct tac_door_probe {
    void (*exact)(void *payload, const tac_receipt *receipt, const uint64_t *answer, size_t count);
    void (*noisy)(void *payload, const tac_receipt *receipt, uint64_t *answer, size_t count);
    void *payload;
} tac_door_probe;
void tac_door_set_probe(tac_door *door, const tac_door_probe *probe);

#endif
