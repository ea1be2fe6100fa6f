/* SPDX-License-Identifier: Apache-2.0 */
/* Two releases side by side: which groups belong together, and what changed beyond the noise. */
#include "report/report.h"

#include <math.h>
#include <string.h>

typedef struct compared {
    const tac_profile *first, *second;
    const tacit_comparison *c;
    double most; /* the largest size */
} compared;

static tacit_pair pair_at(const compared *x, int32_t index)
{
    tacit_pair p = TACIT_PAIR_INIT;
    const tacit_status status = tacit_comparison_pair_get(x->c, index, &p);
    (void)status; /* a place that is not there keeps its -1 */
    return p;
}

/* A group and its size, with a bar; nothing where there is no partner. */
static void put_group(tac_html *html, const compared *x, int32_t cluster, double size, double sd)
{
    char text[128];

    if (cluster < 0) {
        tac_html_raw(html, "<td class=\"left\">none</td><td></td><td></td>");
        return;
    }
    tac_value_text(text, sizeof text, size, sd);
    tac_html_markup(html, "<td class=\"left\">Group %d</td><td>%s</td><td class=\"left meter\">",
                    (int)cluster, text);
    tac_html_bar(html, x->most > 0 && isfinite(size) ? size / x->most : 0);
    tac_html_raw(html, "</td>");
}

static void put_pairs(tac_html *html, const compared *x)
{
    const int32_t count = tacit_comparison_pair_count(x->c);
    char text[64];

    tac_html_raw(html, "<section><h2>Which group is which</h2><div class=\"wide\" tabindex=\"0\">"
                       "<table><thead><tr><th scope=\"col\">first release</th><th "
                       "scope=\"col\">rows</th><th></th><th scope=\"col\" class=\"left\">second "
                       "release</th><th scope=\"col\">rows</th><th></th><th "
                       "scope=\"col\">distance of centers</th></tr></thead><tbody>");
    for (int32_t i = 0; i < count; i++) {
        const tacit_pair p = pair_at(x, i);
        tac_html_raw(html, "<tr>");
        put_group(html, x, p.first, p.first_size, x->first->size_sd);
        put_group(html, x, p.second, p.second_size, x->second->size_sd);
        tac_number_text(text, sizeof text, p.distance, fabs(p.distance) / 20);
        tac_html_markup(html, "<td>%s</td></tr>", isfinite(p.distance) ? text : "");
    }
    tac_html_raw(html, "</tbody></table></div><p class=\"small soft\">Groups are matched so that "
                       "the squared distances between centers add up to least. Rows are noisy "
                       "counts \xc2\xb1 one standard deviation.</p></section>");
}

static void put_change(tac_html *html, const compared *x, int32_t index)
{
    tacit_change d = TACIT_CHANGE_INIT;
    char before[128], after[128], z[64];

    if (tacit_comparison_change_get(x->c, index, &d) != TACIT_OK) return;
    const tacit_pair p = pair_at(x, d.pair);
    tac_html_markup(html, "<tr><th scope=\"row\">Group %d, then %d</th><td class=\"left\">",
                    (int)p.first, (int)p.second);
    if (d.column < 0) {
        tac_html_raw(html, "rows");
        tac_count_text(before, sizeof before, d.before);
        tac_count_text(after, sizeof after, d.after);
    } else {
        tac_html_text(html, tacit_model_column_get(x->first->model, d.column), TAC_NAME_LONGEST);
        tac_profile_short(x->first, d.column, d.before, before, sizeof before);
        tac_profile_short(x->first, d.column, d.after, after, sizeof after);
        if (strcmp(before, after) == 0) { /* as many digits as the noise leaves */
            tac_number_text(before, sizeof before, d.before, fabs((d.after - d.before) / d.z));
            tac_number_text(after, sizeof after, d.after, fabs((d.after - d.before) / d.z));
        }
    }
    tac_number_text(z, sizeof z, d.z, 1);
    tac_html_markup(html, "</td><td>%s</td><td>%s</td><td class=\"left\">%s</td><td>%s</td></tr>",
                    before, after, d.after > d.before ? "up" : "down", z);
}

static void put_changes(tac_html *html, const compared *x)
{
    const int32_t count = tacit_comparison_change_count(x->c);
    char threshold[64];

    tac_html_raw(html, "<section><h2>What changed</h2>");
    if (count == 0) {
        tac_html_raw(html, "<p>Nothing, as far as the noise lets tell.</p>");
    } else {
        tac_html_raw(html, "<div class=\"wide\" tabindex=\"0\"><table><thead><tr><th "
                           "scope=\"col\">group</th><th scope=\"col\" class=\"left\">what</th><th "
                           "scope=\"col\">first</th><th scope=\"col\">second</th><th></th><th "
                           "scope=\"col\">z</th></tr></thead><tbody>");
        for (int32_t i = 0; i < count; i++) put_change(html, x, i);
        tac_html_raw(html, "</tbody></table></div>");
    }
    tac_number_text(threshold, sizeof threshold, tacit_comparison_threshold(x->c), 0.1);
    tac_html_markup(html,
                    "<p class=\"small soft\">z: difference in standard deviations of the noise of "
                    "both. Of %lld numbers those beyond %s count as changed: in at least 95 of 100 "
                    "comparisons of unchanged rows, divided in the same way, none "
                    "is.</p></section>",
                    (long long)tacit_comparison_numbers(x->c), threshold);
}

/* Who is in both data sets is protected by both budgets together. */
static void put_promises(tac_html *html, const tacit_model *first, const tacit_model *second)
{
    tac_html_raw(html, "<section><h2 id=\"privacy\">What is protected</h2><ul><li>First release: ");
    tac_html_text(html, tacit_model_guarantee(first), TAC_SENTENCE_LONGEST);
    tac_html_raw(html, "</li><li>Second release: ");
    tac_html_text(html, tacit_model_guarantee(second), TAC_SENTENCE_LONGEST);
    tac_html_raw(html, "</li></ul><p>Who is in the data of both is hidden by both together: "
                       "epsilons and deltas add up at most. To compare spends nothing more.</p>"
                       "</section>");
}

static void put_comparison(tac_html *html, const compared *x)
{
    const int32_t count = tacit_comparison_change_count(x->c);

    tac_report_open(html, "Two private clusterings compared");
    if (count == 0)
        tac_html_raw(html, "<header><h1>Nothing changed beyond the noise between two releases");
    else
        tac_html_markup(html, "<header><h1>%d %s beyond the noise between two releases", (int)count,
                        count == 1 ? "number changed" : "numbers changed");
    tac_html_markup(html, ", of %d and %d groups</h1></header>", (int)x->first->k,
                    (int)x->second->k);
    tac_report_not_private(html, x->first->model);
    tac_report_not_private(html, x->second->model);
    tac_html_raw(html, "<main>");
    put_changes(html, x);
    put_pairs(html, x);
    put_promises(html, x->first->model, x->second->model);
    tac_report_close(html, "the two releases alone: this page is as private as they are");
}

tacit_status tacit_comparison_html(tacit_ctx *ctx, const tacit_model *first,
                                   const tacit_model *second, char **out)
{
    tacit_comparison *comparison = NULL;
    tac_html html;

    if (ctx == NULL || first == NULL || second == NULL || out == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "tacit_comparison_html: ctx, first, second and out must not be NULL");
    *out = NULL;
    tac_html_start(&html, ctx);
    html.status = tacit_model_compare(ctx, first, second, &comparison);
    if (html.status != TACIT_OK) return html.status;
    const tac_profile a = tac_profile_of(first), b = tac_profile_of(second);
    compared x = {.first = &a, .second = &b, .c = comparison};
    for (int32_t i = 0; i < tacit_comparison_pair_count(comparison); i++) {
        const tacit_pair p = pair_at(&x, i);
        x.most = fmax(x.most, fmax(p.first_size, p.second_size));
    }
    put_comparison(&html, &x);
    tacit_comparison_free(comparison);
    return tac_html_finish(&html, out);
}
