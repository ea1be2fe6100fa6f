/* SPDX-License-Identifier: Apache-2.0 */
/* K-means and k-median: the released groups, and with a synopsis those of other k, which follow
   from the release and cost nothing. Every cut is written out; the page's slider shows one of
   them. */
#include "report/report.h"

#include <string.h>

#define MOST_CUTS 20     /* k = 1 .. 20 */
#define MOST_CELLS 12000 /* numbers in the tables of all cuts together: keeps a page small */

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
    tac_html_raw(html, "<div class=\"side\">");
    tac_report_heat(html, &p);
    tac_report_parallel(html, &p);
    tac_html_raw(html, "</div>");
    tac_report_table(html, &p);
    tac_report_numbers(html, &p);
    tac_html_raw(html, "</div>");
}

/* The k that are shown beside the released one: all up to MOST_CUTS that the cells allow and the
   page can hold. */
static int32_t cuts_of(const tacit_model *model)
{
    const int64_t columns = tacit_model_column_count(model);
    const int32_t cells = tacit_model_cells(model);
    int64_t numbers = (int64_t)tacit_model_k(model) * columns;
    int32_t most = 0;

    if (tacit_model_cut_from(model) != 0) return 0;
    while (most < MOST_CUTS && most + 1 <= cells && numbers + (most + 1) * columns <= MOST_CELLS) {
        most++;
        numbers += most * columns;
    }
    return most < 2 ? 0 : most;
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

void tac_report_centers(tac_html *html, const tacit_model *model)
{
    const int32_t k = tacit_model_k(model), most = cuts_of(model);
    const tac_profile own = tac_profile_of(model);

    tac_html_raw(html, "<section><h2 id=\"groups\">The groups</h2>");
    tac_report_no_groups(html, model);
    if (most > 0) put_slider(html, k <= most ? most : most + 1, k <= most ? k - 1 : most);
    for (int32_t cut = 1; cut <= most && html->status == TACIT_OK; cut++) {
        tacit_model *other = NULL;
        if (cut == k) {
            put_cut(html, model, true);
            continue;
        }
        html->status = tacit_model_recut(html->ctx, model, cut,
                                         strcmp(tacit_model_family(model), "kmedian") == 0, &other);
        if (html->status == TACIT_OK) put_cut(html, other, false);
        tacit_model_free(other);
    }
    if (k > most) put_cut(html, model, true);
    tac_html_raw(html, "</section>");
    tac_report_pair(html, &own);
    tac_report_choice(html, model);
}
