/* SPDX-License-Identifier: Apache-2.0 */
/* One card for each cluster: how large it is, and in words what sets it apart from all rows. */
#include "report/report.h"

#include <math.h>
#include <stdio.h>

#define MOST_WORDS 4 /* columns that a card names */

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

static void put_words(tac_html *html, const tac_profile *p, int32_t cluster)
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
    if (said == 0) tac_html_raw(html, "<li><i>nothing that stands out of the noise</i>");
    tac_html_raw(html, "</ul>");
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
    tac_html_raw(html, "<div class=\"cards\">");
    for (int32_t i = 0; i < p->k; i++) {
        tac_html_markup(html, "<article class=\"card\"><h3>Group %d</h3>", (int)i);
        put_size(html, p, i);
        put_words(html, p, i);
        tac_html_raw(html, "</article>");
    }
    tac_html_raw(html, "</div><p class=\"small soft\">Sizes are noisy counts; \xc2\xb1 holds the "
                       "true number in 95 of 100 releases. \xe2\x80\x9cMuch\xe2\x80\x9d is at "
                       "least 1.5 standard deviations of all rows.</p>");
}
