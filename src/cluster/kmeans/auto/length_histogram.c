/* SPDX-License-Identifier: Apache-2.0 */
/* Noisy histograms of lengths: one query each, whatever the number of bins; and quantiles from
   them. */
#include "cluster/kmeans/auto/auto_kmeans.h"

#include <math.h>

#define TAIL_SURE                                                                                  \
    4.0 /* standard deviations of a far bin that noise does not reach in any of them */

/* Is the noise small enough for fine bins? Six of its deviations must be below a fiftieth of the
   rows. */
bool tac_lengths_fine(double sd, double rows)
{
    return 6 * sd < 0.02 * rows;
}

/* Edges from low to high in equal ratios, per_octave of them, 2 .. TAC_LENGTH_BINS bins. */
void tac_lengths_bins(tac_lengths *h, double low, double high, double per_octave)
{
    const double wanted = ceil(per_octave * log2(high / low)) + 1;

    h->bins = wanted < 2 ? 2 : wanted > TAC_LENGTH_BINS ? TAC_LENGTH_BINS : (int32_t)wanted;
    for (int32_t i = 0; i < h->bins; i++)
        h->edge[i] = high * pow(low / high, 1 - (double)i / (h->bins - 1));
}

void tac_lengths_read(const tac_door *door, const tac_asking *ask, double sd, tac_lengths *h)
{
    h->sd = ldexp(sd, -TAC_COUNT_GRID);
    h->laplace = tac_door_distribution(door) == TAC_LAPLACE;
    for (int32_t i = 0; i < h->bins; i++)
        h->held[i] = ldexp((double)tac_answer(ask, (size_t)i), -TAC_COUNT_GRID);
}

tacit_status tac_lengths_ask(tac_door *door, const char *what, uint64_t quanta,
                             const tac_cells *cells, const tac_local *local, tac_lengths *h)
{
    tacit_status status = TACIT_OK;
    tac_asking ask = {.what = what,
                      .quanta = quanta,
                      .query = tac_query_distances(door, cells, local, h->edge, h->bins)};

    TAC_TRY(tac_ask_together(door, &ask, 1));
    tac_lengths_read(door, &ask, tac_last_sd(door), h);
done:
    tac_asking_clear(&ask, 1);
    return status;
}

/* Sums up bins from the outside; the noise of n bins together is sd sqrt(n). */
double tac_lengths_quantile(const tac_lengths *h, double q, double n, double sure)
{
    double outside = 0;
    int32_t counted = 0; /* bins in that sum */

    if (h->sd * sqrt(h->bins) > 0.25 * n) return NAN;
    for (int32_t i = h->bins - 1; i > 0; i--) {
        const double allowed = fmax((1 - q) * n, sure * h->sd * sqrt(++counted));
        if (outside + h->held[i] > allowed) {
            /* Rows of a bin are taken as spread evenly over the logarithm of their length. */
            const double part =
                fmin(1, fmax(0, (outside + h->held[i] - allowed) / fmax(h->held[i], 1e-9)));
            return h->edge[i - 1] * pow(h->edge[i] / h->edge[i - 1], part);
        }
        outside += h->held[i];
        /* Few rows in one bin stand out of Laplace noise if the empty bins beyond are not summed up
           with them. */
        if (h->laplace && outside < h->sd * sqrt(counted)) outside = counted = 0;
    }
    return h->edge[0];
}

/* Mean of min(t, most)^2 over a bin whose rows are spread evenly over the logarithm of their
   length: t^2 has the mean (b^2 - a^2) / (2 log(b / a)). */
static double cut_square(double low, double high, double most)
{
    if (most <= low) return most * most;
    const double top = fmin(high, most), below = (top * top - low * low) / (2 * log(high / low));
    return below + (most < high ? most * most * log(high / most) / log(high / low) : 0);
}

/* Far bins weigh by the square of their length: noise in one of them must not count, so the sum
   ends with the first that is not sure. */
double tac_lengths_beyond(const tac_lengths *h, double most)
{
    double whole = 0, cut = 0;

    for (int32_t i = 0; i < h->bins; i++) {
        const double low = i == 0 ? h->edge[0] / 2 : h->edge[i - 1], high = h->edge[i];
        if (low >= most && h->held[i] < TAIL_SURE * h->sd) break;
        whole += h->held[i] * cut_square(low, high, INFINITY);
        cut += h->held[i] * cut_square(low, high, most);
    }
    return cut > 0 && whole > cut ? whole / cut : 1;
}
