/* SPDX-License-Identifier: Apache-2.0 */
/* Co-clusterings: the noisy table as blocks, as a picture and as a table. */
#include "report/report_blocks.h"

#include <math.h>

#define LEFT 90
#define STEP 64
#define HIGH 40
#define STRONG 2.0        /* log2 of the lift that gets the full color */
#define MOST_HOVERED 1000 /* blocks that say their numbers under the pointer */
#define HOVER_NAMES 6

static double count_of(const tac_blocks *b, int32_t row, int32_t column)
{
    return fmax(0, b->table[(int64_t)row * b->width + column]);
}

/* t_kl T / (t_k. t_.l): 1 where rows and columns are independent. */
static double lift(const tac_blocks *b, int32_t row, int32_t column)
{
    const double expected = b->row[row] * b->column[column];
    return expected > 0 ? count_of(b, row, column) * b->total / expected : 1;
}

static int block_cell(const void *payload, int32_t row, int32_t column, bool *hatched)
{
    const tac_blocks *b = payload;
    const double strength = log2(fmax(lift(b, row, column), 1e-9)) / STRONG;
    const double expected = b->total > 0 ? b->row[row] * b->column[column] / b->total : 0;

    /* the difference from independence is within the noise */
    *hatched = isfinite(b->sd) && fabs(count_of(b, row, column) - expected) < b->sd;
    return (int)lrint(5 + 5 * fmax(-1, fmin(1, strength)));
}

/* Columns without a cluster. Where there are none, the rest holds noise alone. */
static int32_t count_rest(const tac_blocks *b)
{
    const int32_t *of = tacit_model_column_clusters(b->model);
    int32_t count = 0;

    for (int32_t j = 0; j < tacit_model_column_count(b->model); j++) count += of[j] == b->l;
    return b->width > b->l ? count : 0;
}

/* Under the pointer: what a block is, and the first names of its columns. */
static void put_hover(tac_html *html, const tac_blocks *b, int32_t row, int32_t column)
{
    char value[128], times[64];

    tac_value_text(value, sizeof value, b->table[(int64_t)row * b->width + column], b->sd);
    tac_number_text(times, sizeof times, lift(b, row, column), 0.1);
    tac_html_markup(html,
                    "<rect class=\"hover\" x=\"%d\" y=\"%d\" width=\"1\" height=\"1\"><title>Rows "
                    "%d, ",
                    (int)column, (int)row, (int)row);
    tac_blocks_head(html, b, column);
    tac_html_markup(html, ": %s, %s times what independence gives. ", value, times);
    tac_blocks_names(html, b, column, HOVER_NAMES);
    tac_html_raw(html, "</title></rect>");
}

static void put_map(tac_html *html, const tac_blocks *b, int32_t shown)
{
    const int step = shown > 12 ? (int)fmax(8, 768 / (int)shown) : STEP;
    const int high = b->k > 16 ? (int)fmax(8, 640 / (int)b->k) : HIGH;
    const int width = LEFT + step * (int)shown + 20, height = 30 + high * (int)b->k + 8;

    tac_html_picture(html,
                     "Blocks of row and column clusters by lift; the table below has the numbers",
                     width, height);
    for (int32_t j = 0; j < shown && step >= 24; j++) {
        tac_html_markup(html, "<text x=\"%d\" y=\"20\" text-anchor=\"middle\">",
                        LEFT + step * (int)j + step / 2);
        tac_blocks_head(html, b, j);
        tac_html_raw(html, "</text>");
    }
    for (int32_t i = 0; i < b->k && high >= 14; i++)
        tac_html_markup(html, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">Rows %d</text>",
                        LEFT - 10, 30 + high * (int)i + high / 2 + 4, (int)i);
    tac_report_map(html, &(tac_map){"m", b->k, shown, LEFT, 30, step, high}, block_cell, b);
    tac_html_markup(html, "<g transform=\"translate(%d 30) scale(%d %d)\">", LEFT, step, high);
    for (int32_t i = 0; i < b->k && (int64_t)b->k * shown <= MOST_HOVERED; i++)
        for (int32_t j = 0; j < shown; j++) put_hover(html, b, i, j);
    tac_html_raw(html, "</g>");
    tac_html_picture_end(html, "Blue: the row cluster has more of these columns than if rows and "
                               "columns were independent; orange: less; full color from a factor "
                               "of 4. Hatched: the difference is within one standard deviation of "
                               "the noise.");
}

static void put_table(tac_html *html, const tac_blocks *b)
{
    const double *size = tacit_model_sizes(b->model);
    char text[128];

    tac_html_markup(html,
                    "<details><summary>The table: %s \xc2\xb1 one standard deviation of the "
                    "privacy "
                    "noise, and lift</summary><div class=\"wide\" tabindex=\"0\"><table><thead><tr>"
                    "<th scope=\"col\">cluster of rows</th>%s",
                    tacit_model_table_unit(b->model) != NULL &&
                            tacit_model_table_unit(b->model)[0] == 'c'
                        ? "counts"
                        : "rows",
                    size == NULL ? "" : "<th scope=\"col\">size</th>");
    for (int32_t j = 0; j < b->width; j++) {
        tac_html_raw(html, "<th scope=\"col\" title=\"");
        tac_blocks_names(html, b, j, HOVER_NAMES);
        tac_html_raw(html, "\">");
        tac_blocks_head(html, b, j);
        tac_html_raw(html, "</th>");
    }
    tac_html_raw(html, "</tr></thead><tbody>");
    for (int32_t i = 0; i < b->k; i++) {
        tac_html_markup(html, "<tr><th scope=\"row\">%d</th>", (int)i);
        if (size != NULL) {
            tac_value_text(text, sizeof text, size[i], tacit_model_sizes_sd(b->model));
            tac_html_markup(html, "<td>%s</td>", text);
        }
        for (int32_t j = 0; j < b->width; j++) {
            tac_value_text(text, sizeof text, b->table[(int64_t)i * b->width + j], b->sd);
            tac_html_markup(html, "<td>%s", text);
            tac_number_text(text, sizeof text, lift(b, i, j), 0.1);
            tac_html_markup(html, " <span class=\"soft\">(\xc3\x97%s)</span></td>", text);
        }
        tac_html_raw(html, "</tr>");
    }
    tac_html_raw(html, "</tbody></table></div></details>");
}

void tac_report_blocks(tac_html *html, const tacit_model *model)
{
    tac_blocks b = {.model = model, .k = tacit_model_k(model), .l = tacit_model_l(model)};
    char tau[64];
    double tau_rows = NAN, tau_columns = NAN;

    b.table = tacit_model_table(model, &b.width);
    b.sd = tacit_model_table_sd(model);
    if (b.table == NULL || tacit_model_column_clusters(model) == NULL) return;
    if (html->status == TACIT_OK)
        html->status = tac_new(html->ctx, (size_t)b.k + (size_t)b.width, sizeof *b.row, &b.row);
    if (html->status != TACIT_OK) return;
    b.column = b.row + b.k;
    for (int32_t i = 0; i < b.k; i++)
        for (int32_t j = 0; j < b.width; j++) {
            b.row[i] += count_of(&b, i, j);
            b.column[j] += count_of(&b, i, j);
            b.total += count_of(&b, i, j);
        }
    const int32_t shown = count_rest(&b) > 0 ? b.width : b.l;
    tacit_model_tau(model, &tau_rows, &tau_columns);
    tac_html_markup(html,
                    "<section><h2 id=\"groups\">The blocks</h2><p>%d %s of rows and %d of columns.",
                    (int)b.k, b.k == 1 ? "cluster" : "clusters", (int)b.l);
    if (isfinite(tau_rows)) {
        tac_number_text(tau, sizeof tau, 100 * fmax(0, tau_rows), 10);
        tac_html_markup(html,
                        " Knowing a column\xe2\x80\x99s cluster, one guesses the cluster of its "
                        "rows "
                        "wrong %s %% less often (Goodman and Kruskal\xe2\x80\x99s tau).",
                        tau);
    }
    tac_html_raw(html, "</p>");
    tac_report_no_groups(html, model);
    put_map(html, &b, shown);
    put_table(html, &b);
    tac_report_columns(html, &b, shown);
    tac_html_raw(html, "</section>");
    tac_free(b.row);
}
