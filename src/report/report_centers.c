/* SPDX-License-Identifier: Apache-2.0 */
/* K-means and k-median: the released groups, and with a synopsis those of other k, which follow
   from the release and cost nothing. Every cut is written out; the page's slider shows one of
   them. */
#include "report/report.h"

#include <string.h>

#define MOST_CUTS 20 /* k = 1 .. 20 */
#define SIDE_COLUMNS 3

static void put_cut(tac_html *html, const tacit_model *model, bool own)
{
    const tac_profile p = tac_profile_of(model);

    tac_html_markup(html, "<div class=\"cut\" data-k=\"%d\" data-words=\"%d %s%s\"%s>", (int)p.k,
                    (int)p.k, p.k == 1 ? "group" : "groups",
                    own ? ", as released" : ", cut from the release", own ? "" : " hidden");
    if (!own)
        tac_html_raw(html, "<p class=\"soft\">Cut from the noisy cells of the release: nothing was "
                           "spent. Groups that are parts of released ones are less certain than a "
                           "run of their own would make them.</p>");
    tac_report_cards(html, &p);
    /* side by side while both are small */
    if (p.columns <= SIDE_COLUMNS) tac_html_raw(html, "<div class=\"side\">");
    tac_report_heat(html, &p);
    tac_report_parallel(html, &p);
    if (p.columns <= SIDE_COLUMNS) tac_html_raw(html, "</div>");
    tac_report_table(html, &p);
    tac_report_numbers(html, &p);
    tac_html_raw(html, "</div>");
}

static void put_slider(tac_html *html, int32_t places, int32_t own)
{
    tac_html_markup(html,
                    "<div class=\"slider noprint\" hidden><label for=\"k\">Number of groups</label>"
                    "<input type=\"range\" id=\"k\" min=\"0\" max=\"%d\" value=\"%d\"><output "
                    "id=\"k-shown\" for=\"k\"></output><span class=\"soft small\">Another number "
                    "follows from the release; nothing more is spent.</span></div>",
                    (int)places - 1, (int)own);
}

/* Cuts of k = 1, 2, ..., as many as the page can hold; how many. cut[i]: of k = i + 1. The released
   one is not among them. */
static int32_t make_cuts(tac_html *html, const tacit_model *model, size_t room, tac_html *cut)
{
    const bool median = strcmp(tacit_model_family(model), "kmedian") == 0;
    const int32_t cells = tacit_model_cells(model), k = tacit_model_k(model);
    size_t used = 0;
    int32_t most = 0;

    if (tacit_model_cut_from(model) != 0) return 0;
    for (; most < MOST_CUTS && most < cells && html->status == TACIT_OK; most++) {
        tacit_model *other = NULL;
        tac_html_start(&cut[most], html->ctx);
        if (most + 1 == k) continue;
        html->status = tacit_model_recut(html->ctx, model, most + 1, median, &other);
        if (html->status == TACIT_OK) put_cut(&cut[most], other, false);
        tacit_model_free(other);
        used += cut[most].length;
        if (used > room) break;
    }
    return most < 2 ? 0 : most;
}

void tac_report_centers(tac_html *html, const tacit_model *model, size_t room)
{
    const int32_t k = tacit_model_k(model);
    const tac_profile profile = tac_profile_of(model);
    tac_html own, cut[MOST_CUTS] = {{0}};

    tac_html_start(&own, html->ctx);
    put_cut(&own, model, true);
    const int32_t most = make_cuts(html, model, room > own.length ? room - own.length : 0, cut);
    tac_html_raw(html, "<section><h2 id=\"groups\">The groups</h2>");
    tac_report_no_groups(html, model);
    if (most > 0) put_slider(html, k <= most ? most : most + 1, k <= most ? k - 1 : most);
    for (int32_t i = 0; i < most; i++) tac_html_take(html, i + 1 == k ? &own : &cut[i]);
    if (k > most) tac_html_take(html, &own);
    for (int32_t i = 0; i < MOST_CUTS; i++) tac_free(cut[i].text);
    tac_html_raw(html, "</section>");
    tac_report_pair(html, &profile);
    tac_report_choice(html, model);
}
