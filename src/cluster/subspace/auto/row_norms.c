/* SPDX-License-Identifier: Apache-2.0 */
/* How long the rows are: a noisy histogram of lengths. The lattice is then filled with the ball
   that holds nearly all rows, so that no later noise depends on the width of the declared
   domain, and 16 bits suffice for every row. */
#include "cluster/subspace/auto/auto_subspace.h"

#include <math.h>

enum { BINS = 40 };
#define SHORTEST 1e-3 /* the first bin holds everything below */
#define NEARLY_ALL 0.99
/* the tensor's ball holds so many of the rows as they are: pulled onto it, longer rows lose nothing
   but length */
#define USUAL 0.25
#define SURE 2.5 /* standard deviations above which bins hold rows */
/* a histogram is read if its rows stand out of the noise of all bins together so clearly */
#define SEEN 4.0
/* of the constant coordinate of affine subspaces, against the usual length of a row */
#define HEIGHT 0.4

typedef struct lengths {
    double edge[BINS], held[BINS], sd;
    bool readable;
} lengths;

/* The histogram of lengths in a view, bins in equal ratios from SHORTEST to 1 of its radius. */
static tacit_status ask(tac_fourth_walk *w, const char *what, tac_view view, lengths *h)
{
    tacit_status status = TACIT_OK;
    const double radius = TAC_M;
    int64_t answer[BINS];
    int16_t *zero = NULL;
    double all = 0;

    TAC_TRY(tac_new(w->ctx, (size_t)tac_door_dims(w->door, view), sizeof *zero, &zero));
    for (int i = 0; i < BINS; i++) h->edge[i] = pow(SHORTEST, 1 - i / (BINS - 1.0));
    TAC_TRY(tac_door_distances(w->door, what, tac_share(w->budget, TAC_FOURTH_NORMS),
                               &(tac_cells){.kind = TAC_ONE_CELL, .view = view, .count = 1},
                               &(tac_local){.centers = zero, .radius = &radius}, h->edge, BINS,
                               answer));
    h->sd = ldexp(tac_last_sd(w->door), -TAC_COUNT_GRID);
    for (int i = 0; i < BINS; i++) all += h->held[i] = ldexp((double)answer[i], -TAC_COUNT_GRID);
    h->readable = all >= SEEN * h->sd * sqrt(BINS);
done:
    tac_free(zero);
    return status;
}

/* The upper edge of the bin beyond which (1 - share) of the rows lie, or as few as stand out of the
   noise: read from the outside in, as the few outer bins carry little noise. */
static double quantile(const lengths *h, double share)
{
    double all = 0, outside = 0;

    for (int i = 0; i < BINS; i++) all += h->held[i];
    for (int i = BINS - 1; i > 0; i--) {
        outside += h->held[i];
        if (outside > fmax((1 - share) * all, SURE * h->sd * sqrt(BINS - i))) return h->edge[i];
    }
    return h->edge[0];
}

/* Lengths of the rows in the ball of radius `most`, and of those in it again as long as nearly all
   of them are in the first bin. */
static tacit_status measure(tac_fourth_walk *w)
{
    tacit_status status = TACIT_OK;
    lengths h;

    w->usual = w->most;
    for (int i = 0; i < TAC_FOURTH_NORMS_MOST; i++) {
        TAC_TRY(ask(w, "lengths of the rows", TAC_ROWS, &h));
        if (!h.readable) {
            w->blind = i == 0;
            break;
        }
        const double within = quantile(&h, NEARLY_ALL);
        w->usual = w->most * quantile(&h, USUAL);
        w->most *= within;
        if (within == 1) break;
        TAC_TRY(tac_fourth_look(w, TAC_ROWS, w->most, 0, w->dims, NULL));
        if (within > h.edge[0]) break;
    }
done:
    return status;
}

/* Affine subspaces: without the constant coordinate, about the middle of the domain and then about
   the mean; the constant comes back at the end. */
tacit_status tac_fourth_norms(tac_fourth_walk *w)
{
    tacit_status status = TACIT_OK;
    const double all = w->affine ? M_SQRT1_2 : 1;

    w->most = all;
    if (w->affine) TAC_TRY(tac_fourth_look(w, TAC_ROWS, w->most, 0, w->dims, NULL));
    TAC_TRY(measure(w));
    if (!w->affine) return TACIT_OK;
    if (!w->blind) {
        TAC_TRY(tac_fourth_center(w));
        w->most = fmin(2 * w->most, 2 * all); /* from the mean */
        TAC_TRY(tac_fourth_look(w, TAC_ROWS, w->most, 0, w->dims, NULL));
        TAC_TRY(measure(w));
    }
    w->height = HEIGHT * w->usual;
    TAC_TRY(tac_fourth_look(w, TAC_ROWS, w->most, w->height, w->dims, NULL));
done:
    return status;
}

tacit_status tac_fourth_projection_norms(tac_fourth_walk *w)
{
    tacit_status status = TACIT_OK;
    lengths h;

    TAC_TRY(ask(w, "lengths in the projection", TAC_PROJECTED, &h));
    if (h.readable) w->usual = w->most * quantile(&h, USUAL);
done:
    return status;
}
