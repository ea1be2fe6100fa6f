/* SPDX-License-Identifier: Apache-2.0 */
/* Whether matrix draws will be accepted often enough, judged by made-up spectra and never by the
   rows: a choice by the rows would have to be paid for. */
#include "privacy/draws/bingham.h"
#include "privacy/door.h"

#include <math.h>

enum { TRIALS = 400 };
static const double enough = 1e-3; /* share of proposals accepted */
/* dims rank^2, the work of a proposal: beyond it vectors are drawn without a trial */
static const double longest = 2e6;

/* The mean chance of proposals for one spectrum, from a fixed stream: the answer is a function of
   public numbers. */
static tacit_status share_accepted(tacit_ctx *ctx, const double *lambda, int32_t d, int32_t q,
                                   double *u, double *share)
{
    tacit_status status = TACIT_OK;
    tac_grassmann *distribution = NULL;
    tac_key key;
    tac_stream stream;
    /* less for many columns, where each takes longer */
    const int trials = TRIALS * 100 / (100 + d);

    *share = 0;
    TAC_TRY(tac_grassmann_open(ctx, lambda, d, q, &distribution));
    tac_key_from_insecure_seed(1, &key); /* nothing here is secret */
    TAC_TRY(tac_stream_open(ctx, &key, 0, 0, &stream));
    for (int i = 0; i < trials; i++) {
        double chance;
        TAC_TRY(tac_check_cancel(ctx));
        TAC_TRY(tac_grassmann_propose(distribution, &stream, u, &chance));
        *share += exp(chance) / trials;
    }
done:
    tac_grassmann_close(distribution);
    return status;
}

/* Spectra as cells may have them: rows of several subspaces, falling evenly over the first
   directions, few or all; rows of one subspace, with a little noise; rows of pictures, falling with
   the square of the direction's number from a first that has six tenths. Each with rows as long as
   they may be and half as long. */
enum { EVEN = 4, FLAT = EVEN, STEEP, SPECTRA };
static double eigenvalue(int spectrum, int32_t i, int32_t dims, int32_t rank)
{
    const int32_t over[EVEN] = {rank + 1, 2 * rank, 4 * rank, dims};

    if (spectrum == FLAT) return i < rank ? 0.9 / rank : 0.1 / (dims - rank);
    if (spectrum == STEEP) return 6 / (M_PI * M_PI) / ((i + 1.0) * (i + 1.0));
    const int32_t wide = over[spectrum] < dims ? over[spectrum] : dims;
    return i < wide ? 2.0 * (wide - i) / wide / (wide + 1) : 0;
}

/* Every made-up spectrum must be accepted often enough; the first that is not ends it. The rows
   are not read, so the choice of the draw is public. */
tacit_status tac_bingham_feasible(tacit_ctx *ctx, int32_t dims, int32_t rank, double rows,
                                  double exponent, bool *out)
{
    tacit_status status = TACIT_OK;
    double *lambda = NULL, *u = NULL, share;

    *out = (double)dims * rank * rank <= longest;
    TAC_TRY(tac_new(ctx, (size_t)dims, sizeof *lambda, &lambda));
    TAC_TRY(tac_new(ctx, (size_t)dims * (size_t)dims, sizeof *u, &u));
    for (int kind = 0; kind < 2 * SPECTRA && *out; kind++) {
        const double total = fmax(rows, 1) * exponent / (kind < SPECTRA ? 1 : 4);
        for (int32_t i = 0; i < dims; i++)
            lambda[i] = total * eigenvalue(kind % SPECTRA, i, dims, rank);
        TAC_TRY(share_accepted(ctx, lambda, dims, rank, u, &share));
        *out = share >= enough;
    }
done:
    tac_free(lambda);
    tac_free(u);
    return status;
}
