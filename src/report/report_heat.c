/* SPDX-License-Identifier: Apache-2.0 */
/* The profile of the centers as a map on the declared ranges, with the table beside it; and the
   same as parallel coordinates. */
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CELL 26       /* height of a map's row, and the most its column is wide; pixels */
#define MAP_WIDTH 900 /* of all columns together, at most */
#define LEFT 90       /* of the map: names of groups */
#define NAMED 40      /* columns whose names fit above the map */
#define LINES_HEIGHT 260
#define APART 13      /* of two numbers beside an axis */
#define MOST_LINES 60 /* groups that parallel coordinates can show */
#define HUES 8        /* groups that have colors of their own there */

static double place(const tac_profile *p, int32_t cluster, int32_t column)
{
    return tac_profile_place(p, column, p->center[(int64_t)cluster * p->columns + column]);
}

static int heat_cell(const void *payload, int32_t row, int32_t column, bool *hatched)
{
    const tac_profile *p = payload;
    const double part = place(p, row, column);

    *hatched = tac_profile_is_noise(p, row, column);
    return isnan(part) ? -1 : (int)lrint(10 * part);
}

/* Names of columns, turned, above what is drawn under them; x of a column's middle in pixels. */
static void put_names(tac_html *html, const tac_profile *p, int step, int top)
{
    for (int32_t j = 0; j < p->columns; j++) {
        const int x = LEFT + (int)j * step + step / 2;
        tac_html_markup(html, "<text transform=\"translate(%d %d)rotate(-35)\">", x, top);
        tac_html_text(html, tacit_model_column_get(p->model, j), 18);
        tac_html_raw(html, "</text>");
    }
}

/* "12.3±0.4": in a wide table. */
static void squeeze(char *text)
{
    char *at = strstr(text, " \xc2\xb1 ");

    if (at == NULL) return;
    memmove(at, at + 1, strlen(at));
    memmove(at + 2, at + 3, strlen(at + 2));
}

static bool is_all_noise(const tac_profile *p, int32_t cluster)
{
    for (int32_t j = 0; j < p->columns; j++)
        if (!tac_profile_is_noise(p, cluster, j)) return false;
    return true;
}

void tac_report_table(tac_html *html, const tac_profile *p)
{
    char text[128];

    tac_html_raw(html, "<details><summary>The same as a table: centers \xc2\xb1 one standard "
                       "deviation of the privacy noise</summary><div class=\"wide\" tabindex=\"0\">"
                       "<table><thead><tr><th scope=\"col\">group</th>");
    for (int32_t j = 0; j < p->columns; j++) {
        tac_html_raw(html, "<th scope=\"col\">");
        tac_html_text(html, tacit_model_column_get(p->model, j), TAC_NAME_LONGEST);
        tac_html_raw(html, "</th>");
    }
    tac_html_raw(html, "</tr></thead><tbody>");
    for (int32_t i = 0; i < p->k; i++) {
        const bool all = is_all_noise(p, i);
        tac_html_markup(html, "<tr%s><th scope=\"row\">%d</th>", all ? " class=n" : "", (int)i);
        for (int32_t j = 0; j < p->columns; j++) {
            const int64_t at = (int64_t)i * p->columns + j;
            tac_profile_value(p, j, p->center[at], p->center_sd == NULL ? NAN : p->center_sd[at],
                              text, sizeof text);
            if (p->columns > NAMED) squeeze(text);
            /* ten thousand cells: no end tag, which HTML does not need here */
            tac_html_markup(html, "<td%s>%s",
                            !all && tac_profile_is_noise(p, i, j) ? " class=n" : "", text);
        }
        tac_html_raw(html, "</tr>");
    }
    tac_html_raw(html, "</tbody></table></div></details>");
}

/* What a picture of the declared ranges says under it. */
static void put_end(tac_html *html, const tac_profile *p, const char *caption)
{
    char text[512];

    snprintf(text, sizeof text, "%s%s", caption,
             tac_profile_is_curved(p) ? " A column that was clustered by its logarithm or root is "
                                        "drawn on that scale."
                                      : "");
    tac_html_picture_end(html, text);
}

void tac_report_heat(tac_html *html, const tac_profile *p)
{
    const int wide = MAP_WIDTH / (int)p->columns, step = wide > 96 ? 96 : wide < 4 ? 4 : wide;
    const int high = p->k > 30 ? 14 : CELL, top = p->columns <= NAMED ? 96 : 12;
    const int width = LEFT + step * (int)p->columns + 70, height = top + high * (int)p->k + 8;

    tac_html_picture(html,
                     "Map of the centers: where each lies in the declared range of each column; "
                     "the table below has the numbers",
                     width, height);
    if (p->columns <= NAMED) put_names(html, p, step, top - 8);
    tac_html_raw(html, "<g text-anchor=\"end\">");
    for (int32_t i = 0; i < p->k; i++)
        tac_html_markup(html, "<text x=\"%d\" y=\"%d\">Group %d</text>", LEFT - 10,
                        top + (int)i * high + high / 2 + 4, (int)i);
    tac_html_raw(html, "</g>");
    tac_report_map(html, &(tac_map){"q", p->k, p->columns, LEFT, top, step, high}, heat_cell, p);
    put_end(html, p,
            "Faint: the low end of a column\xe2\x80\x99s declared range; strong: its high end. "
            "Hatched: mostly noise, the error is at least half of how much all rows differ.");
}

static int height_of(const tac_profile *p, int32_t cluster, int32_t column)
{
    const double part = place(p, cluster, column);
    return (int)lrint(LINES_HEIGHT * (1 - (isnan(part) ? 0.5 : part)));
}

/* The numbers of the groups beside an axis, from the top; those that would meet are moved
   down. */
static void put_numbers(tac_html *html, const tac_profile *p, int top, int x, int32_t column)
{
    bool said[MOST_LINES] = {false};
    int last = -APART;

    tac_html_raw(html, "<g text-anchor=\"end\">");
    for (int32_t i = 0; i < p->k; i++) {
        int32_t next = -1;
        for (int32_t c = 0; c < p->k; c++)
            if (!said[c] && (next < 0 || height_of(p, c, column) < height_of(p, next, column)))
                next = c;
        said[next] = true;
        const int at = height_of(p, next, column), y = at < last + APART ? last + APART : at;
        tac_html_markup(html, "<text x=\"%d\" y=\"%d\">%d</text>", x, top + y + 4, (int)next);
        last = y;
    }
    tac_html_raw(html, "</g>");
}

void tac_report_parallel(tac_html *html, const tac_profile *p)
{
    const int gaps = p->columns < 2 ? 1 : (int)p->columns - 1;
    const int step = (MAP_WIDTH - 20) / gaps > 150 ? 150 : (MAP_WIDTH - 20) / gaps;
    const int width = LEFT + step * (int)(p->columns - 1) + 110, top = 96;

    if (p->columns < 2 || p->columns > NAMED || p->k < 2 || p->k > MOST_LINES) return;
    tac_html_picture(html,
                     "Parallel coordinates: a line for each group through its center in every "
                     "column; the table below has the numbers",
                     width, top + LINES_HEIGHT + 20);
    for (int32_t j = 0; j < p->columns; j++) {
        const int x = LEFT + (int)j * step;
        tac_html_markup(html, "<path class=\"axis\" d=\"M%d %dv%d\"/>", x, top, LINES_HEIGHT);
        tac_html_markup(html, "<text transform=\"translate(%d %d)rotate(-35)\">", x, top - 8);
        tac_html_text(html, tacit_model_column_get(p->model, j), 18);
        tac_html_raw(html, "</text>");
    }
    for (int32_t i = 0; i < p->k; i++) {
        tac_html_markup(html, "<g><title>Group %d</title><path class=\"line g%d\" d=\"", (int)i,
                        p->k <= HUES ? (int)i : 0);
        for (int32_t j = 0; j < p->columns; j++)
            tac_html_markup(html, "%s%d %d", j == 0 ? "M" : "L", LEFT + (int)j * step,
                            top + height_of(p, i, j));
        tac_html_raw(html, "\"/></g>");
    }
    put_numbers(html, p, top, LEFT - 8, 0);
    put_numbers(html, p, top, LEFT + step * (gaps) + 20, p->columns - 1);
    put_end(html, p,
            "Each line is a group. Every axis goes from the low to the high end of the declared "
            "range.");
}
