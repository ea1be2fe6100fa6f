/* SPDX-License-Identifier: Apache-2.0 */
/* Maps of cells as SVG paths. A run of cells of one color in a row is one stroke, a unit wide, and
   so is a run of hatched ones, in dashes. */
#include "report/report.h"

#include <stdio.h>

#define COLORS 11
#define HATCHED COLORS /* drawn over the colors */
#define LINE 1.2       /* pixels of a hatch's line ... */
#define APART 4.8      /* ... and between two of them */

typedef struct map {
    tac_cell_fn cell;
    const void *payload;
    int32_t rows, columns;
} map;

static bool has_color(const map *m, int color, int32_t row, int32_t column)
{
    bool hatched = false;
    const int own = m->cell(m->payload, row, column, &hatched);

    return color == HATCHED ? hatched : own == color;
}

/* M x y h width for the first stroke of a row, then m x 0 h width from where the last one ended. */
static void put_strokes(tac_html *html, const map *m, int color, const char *head)
{
    bool any = false;

    for (int32_t i = 0; i < m->rows; i++) {
        int32_t last = -1;
        for (int32_t j = 0; j < m->columns; j++) {
            int32_t end = j;
            while (end < m->columns && has_color(m, color, i, end)) end++;
            if (end == j) continue;
            if (!any) tac_html_raw(html, head);
            if (last < 0)
                tac_html_markup(html, "M%d %dh%d", (int)j, (int)i, (int)(end - j));
            else
                tac_html_markup(html, "m%d 0h%d", (int)(j - last), (int)(end - j));
            any = true;
            last = end;
            j = end;
        }
    }
    if (any) tac_html_raw(html, "\"/>");
}

void tac_report_map(tac_html *html, const tac_map *map_of, tac_cell_fn cell, const void *payload)
{
    const map m = {cell, payload, map_of->rows, map_of->columns};
    char head[128], line[32], apart[32];

    /* half a row down: strokes run through the middle */
    tac_html_markup(html, "<g transform=\"translate(%d %d) scale(%d %d) translate(0 .5)\">",
                    map_of->left, map_of->top, map_of->wide, map_of->high);
    for (int color = 0; color < COLORS; color++) {
        snprintf(head, sizeof head, "<path class=\"%s%d\" d=\"", map_of->class, color);
        put_strokes(html, &m, color, head);
    }
    tac_number_text(line, sizeof line, LINE / map_of->wide, 0.01);
    tac_number_text(apart, sizeof apart, APART / map_of->wide, 0.01);
    snprintf(head, sizeof head, "<path class=\"h%s\" stroke-dasharray=\"%s %s\" d=\"",
             map_of->class, line, apart);
    put_strokes(html, &m, HATCHED, head);
    tac_html_raw(html, "</g>");
}
