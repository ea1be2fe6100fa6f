/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of a co-clustering: which are in each cluster, and how certain that is. */
#include "report/report_blocks.h"

#include <math.h>

#define TOP_NAMES 12
#define FULL_NAME 500    /* characters under the pointer */
#define HOVER_NAME 40    /* characters of each of several names */
#define MOST_LISTED 2000 /* columns in the table */

void tac_blocks_head(tac_html *html, const tac_blocks *b, int32_t column)
{
    if (column == b->l)
        tac_html_raw(html, "rest");
    else
        tac_html_markup(html, "C%d", (int)column);
}

/* Is column a placed more certainly than b? A column that was never looked at (NaN) comes last. */
static bool surer(const double *z, int32_t a, int32_t b)
{
    return z != NULL && (z[a] > z[b] || (isnan(z[b]) && !isnan(z[a])));
}

/* The columns of a cluster, the most certain first; how many there are. */
static int32_t best_columns(const tac_blocks *b, int32_t cluster, int32_t *best, int32_t most)
{
    const int32_t *of = tacit_model_column_clusters(b->model);
    const double *z = tacit_model_column_z(b->model);
    int32_t count = 0, kept = 0;

    for (int32_t j = 0; j < tacit_model_column_count(b->model); j++) {
        if (of[j] != cluster) continue;
        count++;
        int32_t at = kept < most ? kept++ : most;
        /* insertion by z: the list is short */
        while (at > 0 && surer(z, j, best[at - 1])) {
            if (at < most) best[at] = best[at - 1];
            at--;
        }
        if (at < most) best[at] = j;
    }
    return count;
}

void tac_blocks_names(tac_html *html, const tac_blocks *b, int32_t column, int32_t most)
{
    int32_t best[TOP_NAMES];
    const int32_t named = most < TOP_NAMES ? most : TOP_NAMES,
                  count = best_columns(b, column, best, named);

    for (int32_t i = 0; i < count && i < named; i++) {
        if (i > 0) tac_html_raw(html, ", ");
        tac_html_text(html, tacit_model_column_get(b->model, best[i]), HOVER_NAME);
    }
    if (count > named) tac_html_markup(html, " and %d more", (int)(count - named));
}

static void put_z(tac_html *html, const char *before, double z)
{
    char text[64] = "";

    if (isfinite(z)) tac_number_text(text, sizeof text, z, 1);
    tac_html_markup(html, "%s%s", isfinite(z) ? before : "", text);
}

static void put_cluster(tac_html *html, const tac_blocks *b, int32_t cluster)
{
    const double *z = tacit_model_column_z(b->model);
    int32_t best[TOP_NAMES];
    const int32_t count = best_columns(b, cluster, best, TOP_NAMES);

    tac_html_raw(html, "<article class=\"card\"><h4>");
    tac_blocks_head(html, b, cluster);
    tac_html_markup(html, " <span class=\"soft small\">%d %s</span></h4>", (int)count,
                    count == 1 ? "column" : "columns");
    if (cluster == b->l) {
        tac_html_raw(html, "<p class=\"small\">Too rare or too uncertain to place: the noise hides "
                           "where they belong.</p></article>");
        return;
    }
    tac_html_raw(html, "<ul class=\"small\">");
    for (int32_t i = 0; i < count && i < TOP_NAMES; i++) {
        const char *name = tacit_model_column_get(b->model, best[i]);
        tac_html_raw(html, "<li title=\"");
        tac_html_text(html, name, FULL_NAME);
        tac_html_raw(html, "\">");
        tac_html_text(html, name, TAC_NAME_LONGEST);
        tac_html_raw(html, " <span class=\"soft\">");
        put_z(html, "z ", z == NULL ? NAN : z[best[i]]);
        tac_html_raw(html, "</span></li>");
    }
    if (count > TOP_NAMES)
        tac_html_markup(html, "<li class=\"soft\">and %d more</li>", (int)(count - TOP_NAMES));
    tac_html_raw(html, "</ul></article>");
}

static void put_all(tac_html *html, const tac_blocks *b)
{
    const int32_t *of = tacit_model_column_clusters(b->model);
    const double *z = tacit_model_column_z(b->model);
    const int32_t count = tacit_model_column_count(b->model);

    tac_html_raw(html, "<details><summary>Every column as a table</summary><div class=\"wide\" "
                       "tabindex=\"0\"><table><thead><tr><th scope=\"col\">column</th><th "
                       "scope=\"col\">cluster</th><th scope=\"col\">z</th></tr></thead><tbody>");
    for (int32_t j = 0; j < count && j < MOST_LISTED; j++) {
        tac_html_raw(html, "<tr><th scope=\"row\">");
        tac_html_text(html, tacit_model_column_get(b->model, j), FULL_NAME);
        tac_html_raw(html, "</th><td>");
        tac_blocks_head(html, b, of[j]);
        tac_html_raw(html, "</td><td>");
        put_z(html, "", z == NULL ? NAN : z[j]);
        tac_html_raw(html, "</td></tr>");
    }
    tac_html_raw(html, "</tbody></table></div>");
    if (count > MOST_LISTED)
        tac_html_markup(html, "<p class=\"small soft\">%d more are in the release.</p>",
                        (int)(count - MOST_LISTED));
    tac_html_raw(html, "</details>");
}

void tac_report_columns(tac_html *html, const tac_blocks *b, int32_t shown)
{
    tac_html_raw(html, "<h3>Columns of each cluster, the most certain first</h3><div "
                       "class=\"cards\">");
    for (int32_t j = 0; j < shown; j++) put_cluster(html, b, j);
    tac_html_raw(html, "</div><p class=\"small soft\">z: by how many standard deviations of the "
                       "noise a column\xe2\x80\x99s cluster is ahead of the next best.</p>");
    put_all(html, b);
}
