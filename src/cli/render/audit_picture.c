/* SPDX-License-Identifier: Apache-2.0 */
/* Claimed against measured epsilon of every method, as an SVG picture without references. */
#include "../cli.h"

#include <math.h>

enum { LEFT = 190, WIDE = 480, TOP = 54, STEP = 26, RIGHT = 150, BOTTOM = 44 };

static void put_text(FILE *out, double x, double y, const char *anchor, const char *color,
                     const char *text)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">", x, y, anchor,
            color);
    cli_svg_text(out, text);
    fputs("</text>\n", out);
}

/* The next larger of a few round numbers times a power of ten, such that its quarters, the ticks of
   the axis, are round, too. */
static double round_up(double x)
{
    const double power = pow(10, floor(log10(x)));

    for (int i = 0; i < 8; i++) {
        const double step = (double[]){1, 1.2, 1.6, 2, 3, 4, 6, 8}[i] * power;
        if (step >= x * (1 - 1e-9)) return step;
    }
    return 10 * power;
}

static void put_axis(FILE *out, double most, double bottom)
{
    char text[32];

    for (int i = 0; i <= 4; i++) {
        const double x = LEFT + WIDE * i / 4.0;
        fprintf(out, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", x,
                TOP - 12, x, bottom);
        snprintf(text, sizeof text, "%.3g", most * i / 4);
        put_text(out, x, bottom + 16, "middle", "#555", text);
    }
    put_text(out, LEFT + WIDE / 2.0, bottom + 34, "middle", "#555", "epsilon");
}

/* One bar per method. The axis ends a little above the largest epsilon, claimed or measured; an
   infinite one is drawn to the end. */
void cli_audit_picture(FILE *out, const cli_audit_row *rows, int count)
{
    const double bottom = TOP + STEP * count;
    double most = 0;
    char text[64];

    for (int i = 0; i < count; i++)
        if (!rows[i].refused) {
            most = fmax(most, rows[i].report.epsilon);
            if (isfinite(rows[i].report.measured)) most = fmax(most, rows[i].report.measured);
        }
    most = round_up(most > 0 ? most * 1.02 : 1);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            LEFT + WIDE + RIGHT, bottom + BOTTOM);
    put_text(out, LEFT, 20, "start", "#222",
             "Bar: epsilon measured at least. Line: claimed. A bar past its line is a violation; "
             "violations are red.");
    put_axis(out, most, bottom);
    for (int i = 0; i < count; i++) {
        const tacit_audit_report *r = &rows[i].report;
        const double y = TOP + STEP * i;
        put_text(out, LEFT - 8, y + 9, "end", "#222", rows[i].target);
        if (rows[i].refused) {
            put_text(out, LEFT + 4, y + 9, "start", "#999", "does not take this budget");
            continue;
        }
        const double claimed = LEFT + WIDE * r->epsilon / most,
                     measured = WIDE * fmin(r->measured, most) / most;
        fprintf(out, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"12\" fill=\"%s\"/>\n", LEFT,
                y - 1, measured, r->violation ? "#c0392b" : "#2e86ab");
        fprintf(out,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#222\" "
                "stroke-width=\"2\"/>\n",
                claimed, y - 6, claimed, y + 16);
        if (r->violation && r->measured <= r->epsilon && r->noise < 0.95)
            snprintf(text, sizeof text, "VIOLATION: noise %.2f", r->noise);
        else if (r->queries > 0 && r->blind == r->queries)
            snprintf(text, sizeof text, "%s", r->violation ? "VIOLATION" : "replays, noise only");
        else
            snprintf(text, sizeof text, "%.3f%s", r->measured, r->violation ? " VIOLATION" : "");
        put_text(out, LEFT + WIDE + 8, y + 9, "start", r->violation ? "#c0392b" : "#222", text);
    }
    fputs("</svg>\n", out);
}
