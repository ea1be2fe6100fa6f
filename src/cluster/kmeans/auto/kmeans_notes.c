/* SPDX-License-Identifier: Apache-2.0 */
/* Notes for the reader of a release: where its numbers are mostly noise, and what would help.
   From released values and public numbers. */
#include "cluster/kmeans/auto/auto_kmeans.h"

#include <math.h>
#include <stdio.h>

#define WIDE 50   /* bounds so many times wider than the rows deserve a word */
#define HEAVY 0.5 /* a part of the energy that should not hang on few rows */
/* a cluster below so many standard deviations of its size may be no cluster at all */
#define LOST 3.0
#define LISTED 8 /* numbers that a sentence lists */

/* "3, 4 and 7", centers counted from 0, as in tables and labels. */
static void list(const bool *which, int32_t k, char *text, size_t room)
{
    int32_t left = 0, told = 0;
    size_t at = 0;

    for (int32_t c = 0; c < k; c++) left += which[c];
    const int32_t all = left;
    text[0] = 0;
    for (int32_t c = 0; c < k && told < LISTED && at < room; c++) {
        if (!which[c]) continue;
        told++;
        left--;
        at += (size_t)snprintf(text + at, room - at, "%s%d",
                               told == 1   ? ""
                               : left == 0 ? " and "
                                           : ", ",
                               c);
    }
    if (left > 0 && at < room) snprintf(text + at, room - at, " and %d more of %d", left, all);
}

/* Noise moves a center by sqrt(sum of sd_j^2); is that as far as its own rows reach? */
static bool blurred(const tac_found *c, int32_t i)
{
    double squares = 0;

    for (int32_t j = 0; j < c->columns; j++)
        squares += pow(c->sd[(size_t)i * (size_t)c->columns + (size_t)j], 2);
    return squares > c->scale[i] * c->scale[i];
}

/* Two notes: centers whose size, and centers whose place, noise alone would explain. */
static tacit_status note_noise(const tac_walk *a, const tac_found *c, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    char text[128];
    bool *few = NULL, *rough = NULL;
    int32_t fews = 0, roughs = 0;

    TAC_TRY(tac_new(a->ctx, (size_t)c->k, sizeof *few, &few));
    TAC_TRY(tac_new(a->ctx, (size_t)c->k, sizeof *rough, &rough));
    for (int32_t i = 0; i < c->k; i++) {
        few[i] = c->count[i] < LOST * c->count_sd;
        rough[i] = !few[i] && blurred(c, i);
        fews += few[i];
        roughs += rough[i];
    }
    list(few, c->k, text, sizeof text);
    if (fews > 0)
        TAC_TRY(tac_note(a->ctx, &out->notes,
                         "%s %s: so few rows that noise alone would explain %s; ask for fewer "
                         "centers or spend more",
                         fews == 1 ? "center" : "centers", text, fews == 1 ? "it" : "them"));
    list(rough, c->k, text, sizeof text);
    if (roughs > 0)
        TAC_TRY(tac_note(a->ctx, &out->notes,
                         "%s %s: noise moves %s about as far as the cluster reaches; sizes are "
                         "more reliable than places here",
                         roughs == 1 ? "center" : "centers", text, roughs == 1 ? "it" : "them"));
done:
    tac_free(few);
    tac_free(rough);
    return status;
}

tacit_status tac_auto_notes(const tac_walk *a, const tac_found *c, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const int32_t k = a->asked;
    const bool chosen = a->job->opts->k == TACIT_K_AUTO;
    double all = 0;

    for (int32_t i = 0; i < c->k; i++) all += c->count[i];
    const bool lost = tac_auto_lost(a, all, sqrt(c->k) * c->count_sd) > 0;

    if (!chosen && c->k < k)
        TAC_TRY(tac_note(a->ctx, &out->notes,
                         "only %d of the %d centers could be told apart from noise; the others "
                         "repeat them",
                         c->k, k));
    if (chosen && a->resolved < k)
        TAC_TRY(tac_note(a->ctx, &out->notes,
                         "this budget and number of rows can tell at most %d centers apart; a "
                         "larger k was not thought of",
                         a->resolved));
    TAC_TRY(note_noise(a, c, out));
    if (!lost && TAC_M / a->radius > WIDE)
        TAC_TRY(tac_note(a->ctx, &out->notes,
                         "the declared bounds are about %.0f times wider than the rows; bounds "
                         "that fit (from knowledge, not from the rows) would leave more of the "
                         "budget for the centers",
                         TAC_M / a->radius));
    if (!lost && a->beyond > HEAVY && !a->job->median)
        TAC_TRY(tac_note(a->ctx, &out->notes,
                         "few rows far from the others hold most of the cost, and noise hides "
                         "where they are; tighter bounds, logarithms of long-tailed columns or "
                         "k-median would tell more about the rest"));
done:
    return status;
}
