/* SPDX-License-Identifier: Apache-2.0 */
/* Exact discrete noise with an integer scale: no floating point anywhere. */
#ifndef TAC_NOISE_H
#define TAC_NOISE_H

#include "privacy/noise/random.h"

/* TAC_TRACE: of symmetric matrices, trace_noise.h. */
typedef enum tac_distribution { TAC_GAUSSIAN = 0, TAC_LAPLACE = 1, TAC_TRACE = 2 } tac_distribution;

#define TAC_SIGMA_MAX (UINT64_C(1) << 54)

/* P(x) ~ exp(-x^2 / (2 sigma^2)) on the integers, 1 <= sigma <= TAC_SIGMA_MAX (after Karney 2016,
   Algorithm D, with the acceptance compared in fixed point and an exact slow path:
   noise.proof.md). */
int64_t tac_discrete_gaussian(tac_stream *stream, uint64_t sigma);
/* P(x) ~ exp(-|x| / scale), 1 <= scale <= TAC_SIGMA_MAX, the same way. */
int64_t tac_discrete_laplace(tac_stream *stream, uint64_t scale);

#define TAC_NOISE_BLOCK 4096
/* values[i] += noise, modulo 2^64, coordinate i drawn from block i / TAC_NOISE_BLOCK of the query's
   streams. Spread over `engine`'s workers (NULL: one after the other); the result does not depend
   on them. On failure all values are zeroed: some may still lack their noise. */
struct tac_engine;
tacit_status tac_add_noise(tacit_ctx *ctx, const struct tac_engine *engine, const tac_key *key,
                           uint64_t query, tac_distribution distribution, uint64_t scale,
                           uint64_t *values, size_t count);
/* The same for numbers of two words, value i being values[i] + 2^64 high[i]: modulo 2^128, by the
   same draws. high NULL: as above. */
tacit_status tac_add_wide_noise(tacit_ctx *ctx, const struct tac_engine *engine, const tac_key *key,
                                uint64_t query, tac_distribution distribution, uint64_t scale,
                                uint64_t *values, uint64_t *high, size_t count);

#endif
