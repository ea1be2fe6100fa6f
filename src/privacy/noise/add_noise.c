/* SPDX-License-Identifier: Apache-2.0 */
/* Noise for a whole answer: one stream per 4096 coordinates, so the number of workers changes
   nothing. The last step before a noised answer leaves the door. */
#include "engine/engine.h"
#include "privacy/noise/noise_internal.h"

#include <sodium.h>

#define CHUNK 512 /* draws held at a time: stays in the first cache */

/* One answer's noise, shared by all workers; key and scale are only read. */
typedef struct job {
    const tac_key *key;
    uint64_t query;
    tac_distribution distribution;
    tac_scale scale;
    uint64_t *values, *high; /* high: NULL: numbers of one word */
    size_t count;
} job;

/* value i += draw, whose high word is `second`: modulo 2^128, or 2^64 without high words. */
static void add_draw(const job *work, size_t i, int64_t draw, int64_t second)
{
    const tac_u128 sum = (tac_u128)work->values[i] + (uint64_t)draw;

    work->values[i] = (uint64_t)sum;
    if (work->high != NULL) work->high[i] += (uint64_t)second + (uint64_t)(sum >> 64);
}

/* values[i] += draw, i in the block. Workers have no ctx of their own: a failure sets no sentence
   here. */
static tacit_status noise_block(void *state, int64_t block, int worker)
{
    const job *work = state;
    const size_t begin = (size_t)block * TAC_NOISE_BLOCK;
    const size_t end =
        work->count - begin < TAC_NOISE_BLOCK ? work->count : begin + TAC_NOISE_BLOCK;
    int64_t draws[CHUNK], high[CHUNK];
    int64_t *const second = work->high == NULL ? NULL : high;
    tac_stream stream;

    (void)worker;
    const tacit_status status =
        tac_stream_open(NULL, work->key, work->query, (uint64_t)block, &stream);
    if (status != TACIT_OK) return status;
    for (size_t i = begin; i < end;) {
        const size_t n = end - i < CHUNK ? end - i : CHUNK;
        if (work->distribution == TAC_GAUSSIAN)
            tac_gaussian_fill(&stream, &work->scale, false, draws, second, n);
        else
            tac_laplace_fill(&stream, &work->scale, false, draws, second, n);
        for (size_t c = 0; c < n; c++)
            add_draw(work, i + c, draws[c], second == NULL ? 0 : second[c]);
        i += n;
    }
    sodium_memzero(draws, sizeof draws);
    if (second != NULL) sodium_memzero(high, sizeof high);
    return tac_stream_end(NULL, &stream);
}

/* The blocks one after the other: without an engine, in tests. */
static tacit_status serial(const tacit_ctx *ctx, int64_t blocks, job *work)
{
    for (int64_t block = 0; block < blocks; block++) {
        tacit_status status = ctx == NULL ? TACIT_OK : tac_check_cancel(ctx);
        if (status == TACIT_OK) status = noise_block(work, block, 0);
        if (status != TACIT_OK) return status;
    }
    return TACIT_OK;
}

/* value i += noise, modulo 2^128 or, without high words, 2^64. The scale is public; the draws are
   secret and wiped. */
tacit_status tac_add_wide_noise(tacit_ctx *ctx, const struct tac_engine *engine, const tac_key *key,
                                uint64_t query, tac_distribution distribution, uint64_t scale,
                                uint64_t *values, uint64_t *high, size_t count)
{
    const int64_t blocks = (int64_t)(count / TAC_NOISE_BLOCK) + (count % TAC_NOISE_BLOCK != 0);
    job work = {.key = key,
                .query = query,
                .distribution = distribution,
                .values = values,
                .high = high,
                .count = count};
    tacit_status status;

    if (scale < 1 || scale > TAC_SIGMA_MAX ||
        (distribution != TAC_GAUSSIAN && distribution != TAC_LAPLACE)) {
        status = tac_fail(ctx, TACIT_E_INTERNAL,
                          "a query asked for noise of an unknown distribution or of a scale "
                          "outside 1 to 2^54");
        goto done;
    }
    /* Once here, where a sentence may be set: the workers only repeat it. */
    TAC_TRY(tac_key_check(ctx, key));
    tac_scale_set(scale, &work.scale);
    TAC_TRY(engine == NULL ? serial(ctx, blocks, &work)
                           : engine->map(engine, ctx, blocks, noise_block, &work));
done:
    /* Part of the values may lack its noise: a caller that forgets to look at the status must not
       publish them. */
    if (status != TACIT_OK) sodium_memzero(values, count * sizeof *values);
    if (status != TACIT_OK && high != NULL) sodium_memzero(high, count * sizeof *high);
    return status;
}

tacit_status tac_add_noise(tacit_ctx *ctx, const struct tac_engine *engine, const tac_key *key,
                           uint64_t query, tac_distribution distribution, uint64_t scale,
                           uint64_t *values, size_t count)
{
    return tac_add_wide_noise(ctx, engine, key, query, distribution, scale, values, NULL, count);
}
