/* SPDX-License-Identifier: Apache-2.0 */
/* Subspaces: loadings of the directions, how far the rows reach along each, and how far the
   subspaces are apart. */
#include "report/report.h"

#include <math.h>
#include <stdio.h>

#define LEFT 120
#define MAP_WIDTH 900
#define NAMED 40
#define BAR 260
#define MOST_PAIRED 40 /* subspaces whose distances are listed */

typedef struct loadings {
    const double *basis; /* k bases, each columns x q */
    int32_t columns, q;
} loadings;

static double loading(const loadings *l, int32_t direction, int32_t column)
{
    const int64_t base = (int64_t)(direction / l->q) * l->columns * l->q;
    return l->basis[base + (int64_t)column * l->q + direction % l->q];
}

/* Rows are directions, subspace by subspace; -1 .. 1 onto 0 .. 10. */
static int loading_cell(const void *payload, int32_t row, int32_t column, bool *hatched)
{
    *hatched = false;
    return (int)lrint(5 + 5 * fmax(-1, fmin(1, loading(payload, row, column))));
}

static void put_names(tac_html *html, const tacit_model *model, int32_t columns, int step, int top)
{
    for (int32_t j = 0; j < columns && columns <= NAMED; j++) {
        const int x = LEFT + (int)j * step + step / 2;
        tac_html_markup(html, "<text x=\"%d\" y=\"%d\" transform=\"rotate(-35 %d %d)\">", x,
                        top - 8, x, top - 8);
        tac_html_text(html, tacit_model_column_get(model, j), 18);
        tac_html_raw(html, "</text>");
    }
}

static void put_map(tac_html *html, const tacit_model *model, const loadings *l, int32_t rows)
{
    const int wide = MAP_WIDTH / (int)l->columns, step = wide > 60 ? 60 : wide < 4 ? 4 : wide;
    const int high = rows > 40 ? 10 : 22, top = l->columns <= NAMED ? 96 : 12;
    const int width = LEFT + step * (int)l->columns + 70, height = top + high * (int)rows + 8;

    tac_html_picture(html, "Loadings of every direction; the table below has the numbers", width,
                     height);
    put_names(html, model, l->columns, step, top);
    for (int32_t i = 0; i < rows && high > 10; i++)
        tac_html_markup(html, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d, direction %d</text>",
                        LEFT - 8, top + high * (int)i + high / 2 + 4, (int)(i / l->q),
                        (int)(i % l->q) + 1);
    tac_report_map(html, &(tac_map){"m", rows, l->columns, LEFT, top, step, high}, loading_cell, l);
    tac_html_picture_end(html, "Loadings of each direction: blue above 0, orange below, faint near "
                               "0. Within a subspace directions are ordered by how far the rows "
                               "reach along them.");
}

static void put_table(tac_html *html, const tacit_model *model, const loadings *l, int32_t rows)
{
    const double *reach = tacit_model_profile(model);
    char text[64];

    tac_html_raw(html, "<details><summary>Loadings and reach as a table</summary><div "
                       "class=\"wide\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">subspace"
                       "</th><th scope=\"col\">direction</th><th scope=\"col\">reach</th>");
    for (int32_t j = 0; j < l->columns; j++) {
        tac_html_raw(html, "<th scope=\"col\">");
        tac_html_text(html, tacit_model_column_get(model, j), TAC_NAME_LONGEST);
        tac_html_raw(html, "</th>");
    }
    tac_html_raw(html, "</tr></thead><tbody>");
    for (int32_t i = 0; i < rows; i++) {
        tac_number_text(text, sizeof text, reach == NULL ? NAN : reach[i],
                        reach == NULL ? NAN : fabs(reach[i]) / 20);
        tac_html_markup(html, "<tr><th scope=\"row\">%d</th><td>%d</td><td>%s</td>",
                        (int)(i / l->q), (int)(i % l->q) + 1, text);
        for (int32_t j = 0; j < l->columns; j++) {
            tac_number_text(text, sizeof text, loading(l, i, j), 0.1);
            tac_html_markup(html, "<td>%s", text); /* many: no end tag */
        }
        tac_html_raw(html, "</tr>");
    }
    tac_html_raw(html, "</tbody></table></div></details>");
}

static void put_reach(tac_html *html, const tacit_model *model, int32_t rows, int32_t q)
{
    const double *reach = tacit_model_profile(model);
    double most = 0;
    char text[64];

    if (reach == NULL || rows > 200) return;
    for (int32_t i = 0; i < rows; i++) most = fmax(most, reach[i]);
    tac_html_picture(html,
                     "How far rows reach along each direction; the table of loadings has the "
                     "numbers",
                     LEFT + BAR + 80, 20 * (int)rows + 8);
    for (int32_t i = 0; i < rows; i++) {
        const int bar = most > 0 ? (int)lrint(BAR * fmax(0, reach[i] / most)) : 0;
        tac_number_text(text, sizeof text, reach[i], fabs(reach[i]) / 20);
        tac_html_markup(html,
                        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d, direction %d</text><rect "
                        "class=\"bar\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"14\"/><text "
                        "x=\"%d\" y=\"%d\">%s</text>",
                        LEFT - 8, 20 * (int)i + 15, (int)(i / q), (int)(i % q) + 1, LEFT,
                        20 * (int)i + 4, bar < 1 ? 1 : bar, LEFT + bar + 6, 20 * (int)i + 15, text);
    }
    tac_html_picture_end(html, "Reach: root mean square of the rows along a direction, noisy.");
}

/* |sin Theta|_F of two bases: the root of q - |U'V|_F^2. */
static double apart(const loadings *l, int32_t a, int32_t b)
{
    double common = 0;

    for (int32_t s = 0; s < l->q; s++)
        for (int32_t t = 0; t < l->q; t++) {
            double product = 0;
            for (int32_t j = 0; j < l->columns; j++)
                product += loading(l, a * l->q + s, j) * loading(l, b * l->q + t, j);
            common += product * product;
        }
    return sqrt(fmax(0, l->q - common));
}

static void put_distances(tac_html *html, const loadings *l, int32_t k)
{
    char text[64];

    if (k < 2 || k > MOST_PAIRED) return;
    tac_html_raw(html, "<h3>How far the subspaces are apart</h3><div class=\"wide\" "
                       "tabindex=\"0\"><table><thead><tr><th scope=\"col\"></th>");
    for (int32_t i = 0; i < k; i++) tac_html_markup(html, "<th scope=\"col\">%d</th>", (int)i);
    tac_html_raw(html, "</tr></thead><tbody>");
    for (int32_t i = 0; i < k; i++) {
        tac_html_markup(html, "<tr><th scope=\"row\">%d</th>", (int)i);
        for (int32_t j = 0; j < k; j++) {
            tac_number_text(text, sizeof text, i == j ? 0 : apart(l, i, j), 0.1);
            tac_html_markup(html, "<td>%s</td>", i == j ? "" : text);
        }
        tac_html_raw(html, "</tr>");
    }
    tac_number_text(text, sizeof text, sqrt(fmin(l->q, l->columns - l->q)), 0.1);
    tac_html_markup(html,
                    "</tbody></table></div><p class=\"small soft\">Root of the sum of squared "
                    "sines of the principal angles: 0 for the same subspace, at most %s.</p>",
                    text);
}

void tac_report_subspaces(tac_html *html, const tacit_model *model)
{
    const int32_t k = tacit_model_k(model), q = tacit_model_q(model);
    const loadings l = {tacit_model_subspaces(model), tacit_model_column_count(model), q};
    const double *size = tacit_model_sizes(model);
    char text[64];

    if (l.basis == NULL || q < 1) return;
    tac_html_raw(html, "<section><h2 id=\"groups\">The subspaces</h2>");
    tac_report_no_groups(html, model);
    tac_html_raw(html, "<div class=\"cards\">");
    for (int32_t i = 0; i < k; i++) {
        tac_count_text(text, sizeof text, size == NULL ? NAN : size[i]);
        tac_html_markup(html, "<article class=\"card\"><h3>Subspace %d</h3><div class=\"size\">%s",
                        (int)i, text);
        if (isfinite(tacit_model_sizes_sd(model))) {
            tac_count_text(text, sizeof text, ceil(1.96 * tacit_model_sizes_sd(model)));
            tac_html_markup(html, " <span class=\"soft small\">\xc2\xb1 %s</span>", text);
        }
        tac_html_raw(html, "</div></article>");
    }
    tac_html_raw(html, "</div>");
    put_map(html, model, &l, k * q);
    put_reach(html, model, k * q, q);
    put_table(html, model, &l, k * q);
    put_distances(html, &l, k);
    tac_html_raw(html, "</section>");
    tac_report_choice(html, model);
}
