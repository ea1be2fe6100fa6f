/* SPDX-License-Identifier: Apache-2.0 */
/* The noisy fourth-moment tensor (one query), the fit, and k and q from it. */
#include "cluster/subspace/auto/auto_subspace.h"
#include "solve/subspace/fourth_fit.h"

#include <math.h>
#include <string.h>

#define TRIES 6  /* starts of the fit for each k and q that is thought of ... */
#define AGREE 2  /* ... or fewer, if so many agree */
#define BRIEF 2  /* starts on made-up rows */
#define RIVALS 4 /* fits that the rows choose from, if noise leaves several */
/* a larger k is not thought of when so many in a row were worse than the best with this q */
#define WORSE 2

/* The grid of the answer for rows of length 1: entries are products of four coordinates, each
   pair of them cut to 15 bits. */
static const double grid = (double)TAC_M * TAC_M * TAC_M * TAC_M / (1 << 30);

/* The tensor without weights and grid; *noise: standard deviation of a coordinate in any
   direction. */
static tacit_status ask(tac_fourth_walk *w, double **tensor, double *noise)
{
    tacit_status status = TACIT_OK;
    const int32_t p = w->rules.p;
    const size_t count = tac_fourth_count(p);
    tac_i128 *answer = NULL;

    TAC_TRY(tac_new(w->ctx, count, sizeof *answer, &answer));
    TAC_TRY(tac_new(w->ctx, count, sizeof **tensor, tensor));
    TAC_TRY(tac_door_fourth(w->door, "fourth moments", tac_share(w->budget, w->rules.tensor),
                            TAC_PROJECTED, answer));
    *noise = tac_last_sd(w->door) / grid / tac_fourth_weight(0, 0, 0, 0);
    size_t at = 0;
    for (int32_t i = 0; i < p; i++)
        for (int32_t j = i; j < p; j++)
            for (int32_t k = j; k < p; k++)
                for (int32_t l = k; l < p; l++, at++)
                    (*tensor)[at] = (double)answer[at] / grid / tac_fourth_weight(i, j, k, l);
done:
    tac_free(answer);
    return status;
}

/* A = sum of |y|^2 y y^T from the entries of the tensor. Its trace is the sum of |y|^4, and
   trace^2 / |A|^2 estimates in how many directions the rows lie. */
static void contract(const double *tensor, int32_t p, double *trace, double *directions)
{
    double a[TAC_FOURTH_DIMS][TAC_FOURTH_DIMS] = {{0}}, squares = 0;

    *trace = 0;
    for (int32_t i = 0; i < p; i++)
        for (int32_t j = i; j < p; j++)
            for (int32_t k = j; k < p; k++)
                for (int32_t l = k; l < p; l++, tensor++) {
                    if (i == j) a[k][l] += *tensor; /* y_i^2 y_k y_l */
                    if (k == l && (i != j || i != k)) a[i][j] += *tensor;
                    if (j == k && i != j && k != l) a[i][l] += *tensor;
                }
    for (int32_t i = 0; i < p; i++)
        for (int32_t j = i; j < p; j++) {
            squares += (i == j ? 1 : 2) * a[i][j] * a[i][j];
            *trace += i == j ? a[i][j] : 0;
        }
    *trace = fmax(*trace, 0);
    *directions = squares > 0 ? fmin(p, fmax(1, *trace * *trace / squares)) : 1;
}

/* Where the constant coordinate stands among those of the tensor, from 1: the first direction if
   there are some. */
static int32_t constant_of(const tac_fourth_walk *w)
{
    return !w->affine ? 0 : w->projected ? 1 : w->rules.p;
}

/* k and q with the least value + ln(dim) (noise^2 + rows / d) parameters, as in a Bayesian
   information criterion. The error has two parts: privacy noise in all coordinates of the
   tensor, and sampling noise of the rows in the d of them that belong to their directions. */
static tacit_status choose(tac_fourth_walk *w, const double *tensor, double noise)
{
    tacit_status status = TACIT_OK;
    const bool all_k = w->job->k < 1, all_q = w->job->q < 1;
    const int32_t p = w->rules.p, q_first = all_q ? 1 + (w->job->opts->affine != 0) : w->q,
                  k_first = all_k ? 1 : w->k;
    const double dim = (double)tac_fourth_count(p);
    const uint64_t seed = tac_word(w->job->random);
    double best = INFINITY, rows, r, *bases = NULL;
    int32_t best_k = k_first, best_q = q_first;

    contract(tensor, p, &rows, &r);
    const double unit = log(dim) * (noise * noise + rows / (r * (r + 1) * (r + 2) * (r + 3) / 24));
    TAC_TRY(tac_new(w->ctx, (size_t)w->k * (size_t)w->q * (size_t)p, sizeof *bases, &bases));
    for (int32_t q = q_first; q <= w->q; q++) {
        double least = INFINITY;
        for (int32_t k = k_first, worse = 0;
             k <= w->k && worse < WORSE && tac_fourth_tells(p, k, q); k++) {
            const tac_fourth_fit fit = {.p = p,
                                        .k = k,
                                        .q = q,
                                        .constant = constant_of(w),
                                        .noise = noise,
                                        .restarts = TRIES,
                                        .patience = AGREE,
                                        .seed = seed};
            double value;
            tac_show_progress(w->ctx, "choosing k and q",
                              (double)(q - q_first) / (w->q - q_first + 1));
            TAC_TRY(tac_solve_fourth(w->ctx, tensor, &fit, bases, &value));
            const double told = value + unit * k * (p * q - q * (q - 1) / 2.0 + 1);
            worse = told < least ? 0 : worse + 1;
            least = fmin(least, told);
            if (told < best) {
                best = told;
                best_k = k;
                best_q = q;
            }
        }
    }
    w->k = best_k;
    w->q = best_q;
done:
    tac_free(bases);
    return status;
}

/* The fit; where several are nearly as good, the rows choose one. */
static tacit_status fit_rows(tac_fourth_walk *w, const double *tensor, double noise)
{
    tacit_status status = TACIT_OK;
    const size_t numbers = (size_t)w->k * (size_t)w->q * (size_t)w->rules.p;
    const tac_fourth_fit fit = {.p = w->rules.p,
                                .k = w->k,
                                .q = w->q,
                                .constant = constant_of(w),
                                .noise = noise,
                                .restarts = w->brief ? BRIEF : 0,
                                .patience = w->brief ? AGREE : 0,
                                .coarse = w->brief,
                                .seed = tac_word(w->job->random)};
    double *bases = NULL, values[RIVALS];
    int16_t *rounded = NULL;
    int32_t count, chosen = 0;

    tac_show_progress(w->ctx, "fitting subspaces", 0);
    TAC_TRY(tac_new(w->ctx, RIVALS * numbers, sizeof *bases, &bases));
    TAC_TRY(tac_new(w->ctx, RIVALS * numbers, sizeof *rounded, &rounded));
    TAC_TRY(tac_new(w->ctx, numbers, sizeof *w->fit, &w->fit));
    TAC_TRY(tac_solve_fourth_several(w->ctx, tensor, &fit, RIVALS, bases, values, &count));
    if (count > 1 && w->k > 1) {
        tac_subspace_round(bases, (size_t)count * numbers, rounded);
        TAC_TRY(tac_door_choose_subspaces(w->door, "choice of a fit",
                                          tac_share(w->budget, TAC_FOURTH_CHOICE), TAC_PROJECTED,
                                          rounded, count, w->k, w->q, &chosen));
    }
    memcpy(w->fit, bases + (size_t)chosen * numbers, numbers * sizeof *w->fit);
done:
    tac_free(bases);
    tac_free(rounded);
    return status;
}

/* Queries: the tensor, and a choice among fits if several are nearly as good. k and q are chosen
   for free. */
tacit_status tac_fourth_tensor(tac_fourth_walk *w, tac_subspace_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(w->door);
    double *tensor = NULL, noise;

    tac_show_progress(w->ctx, "fourth moments", 0);
    TAC_TRY(ask(w, &tensor, &noise));
    if (w->choose) {
        const int32_t k_most = w->k, q_most = w->q;
        TAC_TRY(choose(w, tensor, noise));
        const tac_fourth_rules chosen = tac_fourth_rules_for(
            &params, w->budget, w->k, w->q, w->dims, w->rows_noisy, true, w->job->opts->rounds);
        w->rules.kappa = chosen.kappa;
        w->rules.rounds = chosen.rounds;
        TAC_TRY(tac_note(w->ctx, &out->notes,
                         "k or q was chosen from the noisy fourth moments; this choice is right "
                         "where subspaces stand clearly out of noise, and mostly too small where "
                         "they do not"));
        if ((w->job->k < 1 && w->k == k_most) || (w->job->q < 1 && w->q == q_most))
            TAC_TRY(tac_note(w->ctx, &out->notes,
                             "the choice is the most that was thought of (k %d, q %d): allow more, "
                             "or give the numbers",
                             k_most, q_most));
    }
    TAC_TRY(fit_rows(w, tensor, noise));
done:
    tac_free(tensor);
    return status;
}
