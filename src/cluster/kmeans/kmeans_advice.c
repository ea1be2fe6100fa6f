/* SPDX-License-Identifier: Apache-2.0 */
/* The advice of a plan of k-means, from the release of made-up rows. */
#include "cluster/kmeans/kmeans_run.h"

#include <math.h>
#include <stdio.h>

#define ROUGH 0.1 /* of a column's range: a tenth is most of a cluster's width */

/* How far noise moves a coordinate of center c: the root mean square of its deviations, each as a
   share of the declared range or of the radius. */
static double moved(const tacit_model *m, int32_t c)
{
    const tac_geometry *g = &m->geometry;
    double squares = 0;

    for (int32_t j = 0; j < m->dims; j++)
        squares += pow(m->centers_sd[(size_t)c * (size_t)m->dims + (size_t)j] /
                           (g->ball ? g->radius : g->upper[j] - g->lower[j]),
                       2);
    return sqrt(squares / m->dims);
}

/* Resolved centers and their relative error, the geometric mean over centers, decide the
   sentence. */
void tac_kmeans_advise(const tacit_kmeans_opts *opts, const tacit_model *m, tacit_plan *plan)
{
    const char *caveat = tac_kmeans_method_of(opts->method)->caveat,
               *of = m->geometry.ball ? "of the radius" : "of its declared range";
    const int32_t k = opts->k == TACIT_K_AUTO ? m->k : opts->k;
    int32_t apart = 0, known = 0;
    double sum = 0;
    char usable[300];

    for (int32_t c = 0; c < m->k; c++) {
        const double far = moved(m, c);
        if (m->sizes[c] == 0) continue; /* it repeats another */
        apart++;
        /* a geometric mean: one cell without rows is not to decide */
        if (far > 0 && isfinite(far)) sum += log(far), known++;
    }
    const double error = known > 0 ? exp(sum / known) : NAN;
    plan->centers_sd = error;
    if (apart == 1 && k > 1)
        snprintf(usable, sizeof usable,
                 "With so few rows this budget can only show the mean of all rows; ask for fewer "
                 "centers, use fewer columns or a larger epsilon.");
    else if (apart < k)
        snprintf(usable, sizeof usable,
                 "With so few rows this budget tells only about %d of %d centers apart; the others "
                 "would repeat them. Ask for fewer centers, use fewer columns or a larger epsilon.",
                 apart, k);
    else if (error > ROUGH)
        snprintf(usable, sizeof usable,
                 "Expect rough centers: noise moves each coordinate by about %.2g %% %s. Fewer "
                 "centers or columns, tighter bounds or a larger epsilon help.",
                 100 * error, of);
    else if (isfinite(error))
        snprintf(usable, sizeof usable,
                 "This should be usable: noise moves each coordinate of a center by about %.2g %% "
                 "%s, more where a cluster has fewer rows than rows / k.",
                 100 * error, of);
    else
        usable[0] = '\0';
    tac_plan_advise(plan, "%s%s%s%s", usable, *usable != '\0' && caveat != NULL ? " " : "",
                    caveat != NULL ? caveat : "",
                    caveat != NULL ? " Method auto needs less budget for better centers." : "");
}
