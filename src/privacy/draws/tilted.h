/* SPDX-License-Identifier: Apache-2.0 */
/* The distribution x^(-1/2) (1 - x)^k e^(a x) on (0, 1), k >= -1/2: the square of one coordinate of
   a Bingham vector given the directions of the others. Proof: bingham.proof.md */
#ifndef TAC_TILTED_H
#define TAC_TILTED_H

#include "privacy/draws/draws.h"

/* Three envelopes with masses in closed form; the smallest is taken, and of proposals at least 0.6
   are accepted. */
typedef enum tac_tilted_kind {
    TAC_TILTED_GAMMA,
    TAC_TILTED_PIECES,
    TAC_TILTED_ACG
} tac_tilted_kind;
typedef struct tac_tilted {
    double k, a;
    bool mirror; /* of x -> 1 - x: k = -1/2 and a < 0 */
    tac_tilted_kind kind;
    double log_mass;              /* of the envelope */
    double z0, kappa, top, first; /* PIECES: where they meet, slope, ln C, chance of the first */
    double c, g, peak;            /* ACG */
} tac_tilted;

void tac_tilted_open(double k, double a, tac_tilted *out);
/* One proposal; true: accepted. *x and *rest = 1 - x, each with its own full precision. */
bool tac_tilted_try(const tac_tilted *t, tac_stream *stream, double *x, double *rest);
void tac_draw_tilted(tac_stream *stream, double k, double a, double *x, double *rest);

#endif
