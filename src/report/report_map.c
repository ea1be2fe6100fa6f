/* SPDX-License-Identifier: Apache-2.0 */
/* Maps of cells as SVG paths. A run of cells of one color in a row is one stroke, a unit wide. */
#include "report/report.h"

#define COLORS 11

/* The strokes of one color: M x y h width, y in the middle of the row (in tenths: no fraction). */
static void put_color(tac_html *html, const char *class, int color, int32_t rows, int32_t columns,
                      tac_cell_fn cell, const void *payload)
{
    bool any = false, hatched;

    for (int32_t i = 0; i < rows; i++)
        for (int32_t j = 0; j < columns; j++) {
            int32_t end = j;
            while (end < columns && cell(payload, i, end, &hatched) == color) end++;
            if (end == j) continue;
            if (!any) tac_html_markup(html, "<path class=\"%s%d\" d=\"", class, color);
            tac_html_markup(html, "M%d %d.5h%d", (int)j, (int)i, (int)(end - j));
            any = true;
            j = end;
        }
    if (any) tac_html_raw(html, "\"/>");
}

void tac_report_map(tac_html *html, const char *class, int32_t rows, int32_t columns,
                    tac_cell_fn cell, const void *payload)
{
    bool any = false;

    for (int color = 0; color < COLORS; color++)
        put_color(html, class, color, rows, columns, cell, payload);
    for (int32_t i = 0; i < rows; i++)
        for (int32_t j = 0; j < columns; j++) {
            bool hatched = false;
            (void)cell(payload, i, j, &hatched);
            if (!hatched) continue;
            if (!any) tac_html_raw(html, "<path class=\"hatch\" d=\"");
            tac_html_markup(html, "M%d %d.5l.5-.5M%d %dl1-1M%d.5 %dl.5-.5", (int)j, (int)i, (int)j,
                            (int)i + 1, (int)j, (int)i + 1);
            any = true;
        }
    if (any) tac_html_raw(html, "\"/>");
}
