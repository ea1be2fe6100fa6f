/* SPDX-License-Identifier: Apache-2.0 */
/* One card for each cluster: how large it is, and in words what sets it apart from all rows. */
#include "report/report.h"

#include <math.h>
#include <stdio.h>

#define MOST_WORDS 4 /* columns that a card names */
#define SURE 2.0     /* a size within so many standard deviations of 0 may be that of no rows */

/* "lower age: 23.1, overall 41.0" */
static void put_distinct(tac_html *html, const tac_profile *p, int32_t cluster, tacit_distinct d)
{
    const int64_t at = (int64_t)cluster * p->columns + d.column;
    char value[128], all[128];

    tac_profile_short(p, d.column, p->center[at], value, sizeof value);
    tac_profile_short(p, d.column, p->all.mean == NULL ? NAN : p->all.mean[d.column], all,
                      sizeof all);
    tac_html_markup(html, "<li>%s%s ", d.strength >= 1.5 ? "much " : "",
                    d.direction > 0 ? "higher" : "lower");
    tac_html_raw(html, "<b>");
    tac_html_text(html, tacit_model_column_get(p->model, d.column), TAC_NAME_LONGEST);
    tac_html_markup(html, "</b>: %s <i>(overall %s)</i>", value, all);
}

/* How far a center lies from the mean of all rows, and the noise in that, on the scale that the
   column is clustered on; NaN: not known. */
static double away(const tac_profile *p, int32_t cluster, int32_t column, double *noise)
{
    const int64_t at = (int64_t)cluster * p->columns + column;
    const double mean = p->all.mean[column];

    *noise = hypot(tac_profile_clustered_sd(p, column, p->center[at],
                                            p->center_sd == NULL ? NAN : p->center_sd[at]),
                   tac_profile_clustered_sd(p, column, mean, p->all.mean_sd[column]));
    return tac_profile_clustered(p, column, p->center[at]) - tac_profile_clustered(p, column, mean);
}

static bool spread_is_known(const tac_profile *p, int32_t column)
{
    return p->all.spread != NULL && p->all.spread[column] > 0;
}

/* Columns that a release cannot rank, as it does not say how much all rows differ in them: those
   furthest from the mean of all rows, beside the noise. The furthest of n numbers that are noise
   lies about sqrt(2 log n) out; a group that may be empty has no place. Returns how many it has
   named. */
static int32_t put_clear(tac_html *html, const tac_profile *p, int32_t cluster)
{
    const double chance = 1 + sqrt(2 * log((double)p->k * p->columns));
    const bool own = p->all.mean != NULL && p->k > 1 && p->size[cluster] != 0 &&
                     !(p->size[cluster] < SURE * p->size_sd);
    tacit_distinct best[MOST_WORDS + 1];
    double clear[MOST_WORDS + 1], noise;
    int32_t found = 0;

    for (int32_t j = 0; own && j < p->columns; j++) {
        const double far = away(p, cluster, j, &noise), z = fabs(far) / noise;
        int32_t at = found;
        if (spread_is_known(p, j) || !(z > chance) || isinf(z)) continue;
        for (; at > 0 && clear[at - 1] < z; at--) {
            best[at] = best[at - 1];
            clear[at] = clear[at - 1];
        }
        best[at] = (tacit_distinct){.column = j, .direction = far < 0 ? -1 : 1};
        clear[at] = z;
        if (found < MOST_WORDS) found++;
    }
    for (int32_t i = 0; i < found; i++) put_distinct(html, p, cluster, best[i]);
    return found;
}

/* Does it lie near the mean of all rows in every column, and does noise let one see that? */
static bool is_average(const tac_profile *p, int32_t cluster)
{
    double low, high, noise;

    for (int32_t j = 0; j < p->columns; j++) {
        const double far = fabs(away(p, cluster, j, &noise));
        tac_profile_range(p, j, &low, &high);
        const double most =
            spread_is_known(p, j)
                ? tac_profile_clustered_sd(p, j, p->all.mean[j], p->all.spread[j]) / 2
                : tac_profile_clustered(p, j, high) / 16 - tac_profile_clustered(p, j, low) / 16;
        if (!(far + 2 * noise <= most)) return false; /* NaN: not known */
    }
    return true;
}

/* A center without columns that set it apart: why. */
static const char *why_none(const tac_profile *p, int32_t cluster)
{
    if (p->all.mean == NULL) return "sizes are not known, so no mean of all rows to compare with";
    if (p->k == 1) return "the mean of all rows";
    if (p->size[cluster] == 0) return "no center of its own: it repeats another";
    return is_average(p, cluster) ? "near the mean of all rows in every column"
                                  : "nothing that stands out of the noise";
}

/* True: it has columns in the order of their noise. */
static bool put_words(tac_html *html, const tac_profile *p, int32_t cluster)
{
    const int32_t count = tacit_model_distinct_count(p->model, cluster);
    int32_t said = 0;

    tac_html_raw(html, "<ul>");
    for (int32_t i = 0; i < count && said < MOST_WORDS; i++) {
        tacit_distinct d = TACIT_DISTINCT_INIT;
        if (tacit_model_distinct_get(p->model, cluster, i, &d) != TACIT_OK) continue;
        put_distinct(html, p, cluster, d);
        said++;
    }
    const int32_t clear = said == 0 ? put_clear(html, p, cluster) : 0;
    if (said == 0 && clear == 0) tac_html_markup(html, "<li><i>%s</i>", why_none(p, cluster));
    tac_html_raw(html, "</ul>");
    return clear > 0;
}

/* "4,299 ± 92 rows, 21 % of all": 95 of 100 such ranges hold the true number. */
static void put_size(tac_html *html, const tac_profile *p, int32_t cluster)
{
    const double size = p->size == NULL ? NAN : p->size[cluster];
    char number[64], error[64];
    double rows, sd;

    tac_profile_rows(p, &rows, &sd);
    tac_count_text(number, sizeof number, size);
    tac_html_markup(html, "<div class=\"size\">%s", number);
    if (isfinite(p->size_sd)) {
        tac_count_text(error, sizeof error, ceil(1.96 * p->size_sd));
        tac_html_markup(html, " <small>\xc2\xb1 %s</small>", error);
    }
    tac_html_raw(html, "</div>");
    if (rows > 0 && isfinite(size)) {
        const double share = fmax(0, fmin(1, size / rows));
        tac_html_bar(html, share);
        tac_html_markup(html, "<small>about %d %% of all</small>", (int)lrint(100 * share));
    }
}

void tac_report_cards(tac_html *html, const tac_profile *p)
{
    bool clear = false;

    tac_html_raw(html, "<div class=\"cards\">");
    for (int32_t i = 0; i < p->k; i++) {
        tac_html_markup(html, "<article class=\"card\"><h3>Group %d</h3>", (int)i);
        put_size(html, p, i);
        clear = put_words(html, p, i) || clear;
        tac_html_raw(html, "</article>");
    }
    tac_html_raw(html, "</div><p class=\"small soft\">Sizes are noisy counts; \xc2\xb1 holds the "
                       "true number in 95 of 100 releases. \xe2\x80\x9cMuch\xe2\x80\x9d is at "
                       "least 1.5 standard deviations of all rows.");
    if (clear)
        tac_html_raw(html, " Where it is not known how much all rows differ in a column, columns "
                           "come in the order of how far beyond the noise they are.");
    tac_html_raw(html, "</p>");
}
