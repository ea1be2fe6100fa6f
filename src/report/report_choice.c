/* SPDX-License-Identifier: Apache-2.0 */
/* How the number of clusters was chosen: the verdict in words, and the score for each k. */
#include "report/report.h"

#include <math.h>

#define HEIGHT 160
#define WIDEST 40 /* of a bar */
#define MAP_WIDTH 900

static void put_verdict(tac_html *html, const tacit_k_choice *c)
{
    static const char *const words[] = {"", "The groups stand apart: the number is clear.",
                                        "The groups overlap: the number is a suggestion.",
                                        "No clear groups: the rows look no more grouped than an "
                                        "even cloud, so one center was "
                                        "released.",
                                        "Too noisy to tell whether there are groups, so one center "
                                        "was released. More rows, fewer "
                                        "columns or a larger epsilon would help."};

    tac_html_markup(html, "<p><strong>%s</strong>", words[c->verdict]);
    if (c->low < c->high && (c->verdict == TACIT_K_CLEAR || c->verdict == TACIT_K_WEAK))
        tac_html_markup(html, " %d to %d groups describe the noisy answers about as well.",
                        (int)c->low, (int)c->high);
    tac_html_raw(html, "</p>");
}

static void put_bars(tac_html *html, const double *curve, int32_t count, int32_t chosen)
{
    const int step = (int)fmax(2, fmin(WIDEST, MAP_WIDTH / (double)count));
    const int every = step >= 22 ? 1 : (22 + step - 1) / step;
    double low = 0, high = 0;

    for (int32_t i = 0; i < count; i++) {
        low = fmin(low, curve[i]);
        high = fmax(high, curve[i]);
    }
    const double range = high / 2 - low / 2; /* halves: no difference overflows */
    tac_html_picture(html, "Score for each number of groups; the table below has the numbers",
                     step * (int)count + 20, HEIGHT + 30);
    for (int32_t i = 0; i < count; i++) {
        const double share = range > 0 ? (curve[i] / 2 - low / 2) / range : 0;
        const int bar = (int)lrint(fmax(1, HEIGHT * share));
        tac_html_markup(html,
                        "<rect class=\"bar%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>",
                        i + 1 == chosen ? "" : " pale", 10 + step * (int)i, 5 + HEIGHT - bar,
                        step > 4 ? step - 3 : step - 1, bar);
        if (i % every == 0)
            tac_html_markup(html, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%d</text>",
                            10 + step * (int)i + step / 2, HEIGHT + 22, (int)i + 1);
    }
    tac_html_picture_end(html, "Score for each number of groups, higher is better; the chosen one "
                               "is strong.");
}

void tac_report_choice(tac_html *html, const tacit_model *model)
{
    tacit_k_choice c = TACIT_K_CHOICE_INIT;
    int32_t count = 0;
    const double *curve = tacit_model_curve(model, &count);
    char text[64];

    if (count < 2) return;
    tac_html_raw(html, "<section><h2 id=\"choice\">How many groups</h2>");
    if (tacit_model_k_choice(model, &c) == TACIT_OK && c.verdict <= TACIT_K_NOISY)
        put_verdict(html, &c);
    put_bars(html, curve, count, tacit_model_k(model));
    tac_html_raw(html, "<details><summary>The scores as a table</summary><table><thead><tr><th "
                       "scope=\"col\">groups</th><th scope=\"col\">score</th></tr></thead><tbody>");
    for (int32_t i = 0; i < count; i++) {
        tac_number_text(text, sizeof text, curve[i], 0.001);
        tac_html_markup(html, "<tr><th scope=\"row\">%d</th><td>%s</td></tr>", (int)i + 1, text);
    }
    tac_html_raw(html, "</tbody></table></details></section>");
}
