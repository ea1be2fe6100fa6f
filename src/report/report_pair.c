/* SPDX-License-Identifier: Apache-2.0 */
/* Any two columns against each other. The page's script draws it; here are its numbers, as many
   digits as show, and the choice of columns. */
#include "report/report.h"

#include <math.h>

#define MOST_NUMBERS 4000 /* k x columns of one cut that are drawn */

static void put_number(tac_html *html, double value)
{
    char text[64];

    tac_number_text(text, sizeof text, value, NAN); /* five digits */
    tac_html_raw(html, isfinite(value) ? text : "null");
}

/* How long a radius is: two digits. */
static void put_length(tac_html *html, double value)
{
    char text[64];

    tac_number_text(text, sizeof text, value, value > 1e-6 ? value : NAN);
    tac_html_raw(html, isfinite(value) ? text : "null");
}

static void put_matrix(tac_html *html, const char *key, void (*put)(tac_html *, double),
                       const double *value, int32_t rows, int32_t columns)
{
    if (value == NULL) return;
    tac_html_markup(html, ",\"%s\":[", key);
    for (int32_t i = 0; i < rows; i++) {
        tac_html_raw(html, i == 0 ? "[" : ",[");
        for (int32_t j = 0; j < columns; j++) {
            if (j > 0) tac_html_raw(html, ",");
            put(html, value[(int64_t)i * columns + j]);
        }
        tac_html_raw(html, "]");
    }
    tac_html_raw(html, "]");
}

bool tac_report_pair_fits(const tac_profile *p)
{
    return p->columns >= 2 && (int64_t)p->k * p->columns <= MOST_NUMBERS;
}

void tac_report_numbers(tac_html *html, const tac_profile *p)
{
    if (!tac_report_pair_fits(p)) return;
    tac_html_raw(html, "<script type=\"application/json\" class=\"numbers\">{\"size\":[");
    for (int32_t i = 0; i < p->k; i++) {
        if (i > 0) tac_html_raw(html, ",");
        put_number(html, p->size == NULL ? NAN : p->size[i]);
    }
    tac_html_raw(html, "]");
    put_matrix(html, "center", put_number, p->center, p->k, p->columns);
    put_matrix(html, "error", put_length, p->center_sd, p->k, p->columns);
    put_matrix(html, "spread", put_length, tacit_model_spreads(p->model), p->k, p->columns);
    tac_html_raw(html, "}</script>");
}

/* Columns to choose from, each with its declared range. */
static void put_choice(tac_html *html, const tac_profile *p, const char *id, const char *label,
                       int32_t chosen)
{
    char low_text[128], high_text[128];
    double low, high;

    tac_html_markup(html, "<label for=\"%s\">%s <select id=\"%s\">", id, label, id);
    for (int32_t j = 0; j < p->columns; j++) {
        tac_profile_range(p, j, &low, &high);
        tac_profile_value(p, j, low, NAN, low_text, sizeof low_text);
        tac_profile_value(p, j, high, NAN, high_text, sizeof high_text);
        tac_html_markup(html, "<option value=\"%d\" data-low=\"", (int)j);
        put_number(html, low);
        tac_html_raw(html, "\" data-high=\"");
        put_number(html, high);
        tac_html_markup(html, "\" data-low-text=\"%s\" data-high-text=\"%s\"%s>", low_text,
                        high_text, j == chosen ? " selected" : "");
        tac_html_text(html, tacit_model_column_get(p->model, j), TAC_NAME_LONGEST);
        tac_html_raw(html, "</option>");
    }
    tac_html_raw(html, "</select></label> ");
}

void tac_report_pair(tac_html *html, const tac_profile *p)
{
    if (!tac_report_pair_fits(p)) return;
    tac_html_raw(html, "<section id=\"pair\" hidden><h2>Two columns</h2><p class=\"noprint\">");
    put_choice(html, p, "across", "Across", 0);
    put_choice(html, p, "up", "Up", 1);
    tac_html_raw(html, "</p><figure><svg id=\"pair-picture\" role=\"img\" aria-label=\"Centers of "
                       "the "
                       "groups in the two chosen columns; the table of centers has the numbers\" "
                       "width=\"560\" height=\"420\" viewBox=\"0 0 560 "
                       "420\"></svg><figcaption>Dots are "
                       "centers, larger for larger groups. Orange: two standard deviations of the "
                       "privacy noise. Shaded: how much the rows of a group differ, one standard "
                       "deviation, where that is known.");
    if (tac_profile_is_curved(p))
        tac_html_raw(html, " Of a column that was clustered by its logarithm or root it is the "
                           "deviation on that scale times the slope at the center: about how far "
                           "rows reach near it, not the standard deviation of the values.");
    tac_html_raw(html, "</figcaption></figure></section>");
}
