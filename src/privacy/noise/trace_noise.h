/* SPDX-License-Identifier: Apache-2.0 */
/* Trace noise: exact integer noise for symmetric matrices, made for changes of a small trace norm.
   For every matrix

       noise_ij = floor(w_ij scale X_ij + 1/2),  i <= j,  X = (U V^T + V U^T) / 2,

   U, V of dims x (dims + 1) independent standard normals: the difference of two Wishart matrices.
   w_ij is `same` for i = j and `cross` otherwise. Distribution, privacy and bounds: noise.proof.md,
   parts 9 and 10; moments.proof.md. No floating point anywhere. */
#ifndef TAC_TRACE_NOISE_H
#define TAC_TRACE_NOISE_H

#include "privacy/noise/noise.h"

#define TAC_TRACE_DIMS 2048 /* at most; normals take 50 dims^2 bytes, time goes with dims^3 */
#define TAC_TRACE_WEIGHT 8  /* same, cross < TAC_TRACE_WEIGHT: with the scale below 2^57 */

typedef struct tac_trace {
    uint64_t scale;       /* 1 .. TAC_SIGMA_MAX */
    int32_t dims;         /* 1 .. TAC_TRACE_DIMS */
    uint32_t same, cross; /* weights */
    /* 0; tests: begin with so many words of every fraction, not with the fast path */
    uint32_t words;
} tac_trace;

/* values: matrices x dims (dims + 1) / 2 words, each += noise modulo 2^64. Row i of matrix c has
   the streams c dims + i of the query and deeper words streams of their own, so that the result
   does not depend on the engine (NULL: one after the other). On failure all values are zeroed.
   passes: NULL, or how many times entries were looked at again, for tests. */
struct tac_engine;
tacit_status tac_add_trace_noise(tacit_ctx *ctx, const struct tac_engine *engine,
                                 const tac_key *key, uint64_t query, const tac_trace *distribution,
                                 uint64_t *values, size_t matrices, int64_t *passes);
/* The same for numbers of two words, modulo 2^128: by the same draws. high NULL: as above. */
tacit_status tac_add_wide_trace_noise(tacit_ctx *ctx, const struct tac_engine *engine,
                                      const tac_key *key, uint64_t query,
                                      const tac_trace *distribution, uint64_t *values,
                                      uint64_t *high, size_t matrices, int64_t *passes);

#endif
