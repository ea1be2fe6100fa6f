/* SPDX-License-Identifier: Apache-2.0 */
/* Releases side by side: which groups belong together, and what changed beyond the noise. */
#include "report/report_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CHANGES 1000 /* numbers that are listed */

/* Both values as texts that differ: in as many digits as the noise leaves, if those that tell rows
   apart are too few. */
static void change_text(const tac_profile *p, const tacit_change *d, char *before, char *after,
                        size_t size)
{
    if (d->column < 0) {
        tac_count_text(before, size, d->before);
        tac_count_text(after, size, d->after);
        return;
    }
    tac_profile_short(p, d->column, d->before, before, size);
    tac_profile_short(p, d->column, d->after, after, size);
    if (strcmp(before, after) == 0) { /* as many digits as the noise leaves */
        tac_number_text(before, size, d->before, fabs((d->after - d->before) / d->z));
        tac_number_text(after, size, d->after, fabs((d->after - d->before) / d->z));
    }
}

static void put_change(tac_html *html, const tac_series *s, const tacit_comparison *c,
                       const tacit_change *d)
{
    const tac_profile *first = &s->release[0];
    const tacit_pair p = tac_pair_at(c, d->pair);
    char before[128], after[128], z[64];

    tac_html_markup(html, "<tr><th scope=\"row\">Group %d, then %d</th><td class=\"left\">",
                    (int)p.first, (int)p.second);
    if (d->column < 0)
        tac_html_raw(html, "rows");
    else
        tac_html_text(html, tacit_model_column_get(first->model, d->column), TAC_NAME_LONGEST);
    change_text(first, d, before, after, sizeof before);
    tac_number_text(z, sizeof z, d->z, 1);
    tac_html_markup(html, "</td><td>%s</td><td>%s</td><td class=\"left\">%s</td><td>%s</td></tr>",
                    before, after, d->after > d->before ? "up" : "down", z);
}

/* The comparison of the ends; of two releases the only one. */
static const tacit_comparison *ends_of(const tac_series *s)
{
    return s->step[s->count > 2 ? s->count - 1 : 0];
}

static int stronger(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* The |z| from which MOST_CHANGES are listed; 0: all are. */
static double least_listed(tac_html *html, const tacit_comparison *c)
{
    const int32_t count = tacit_comparison_change_count(c);
    double *z = NULL, least;

    if (count <= MOST_CHANGES || html->status != TACIT_OK) return 0;
    html->status = tac_new(html->ctx, (size_t)count, sizeof *z, &z);
    if (html->status != TACIT_OK) return 0;
    for (int32_t i = 0; i < count; i++) {
        tacit_change d = TACIT_CHANGE_INIT;
        if (tacit_comparison_change_get(c, i, &d) == TACIT_OK) z[i] = fabs(d.z);
    }
    qsort(z, (size_t)count, sizeof *z, stronger);
    least = z[MOST_CHANGES - 1];
    tac_free(z);
    return least;
}

static void put_changes(tac_html *html, const tac_series *s)
{
    const tacit_comparison *c = ends_of(s);
    const int32_t count = tacit_comparison_change_count(c);
    const double least = least_listed(html, c);
    int32_t listed = 0;

    tac_html_markup(html, "<section><h2>%s</h2>",
                    s->count > 2 ? "From the first to the last" : "What changed");
    if (count == 0) {
        tac_html_raw(html, "<p>Nothing, as far as the noise lets tell.</p>");
    } else {
        tac_html_markup(html,
                        "<div class=\"wide\" tabindex=\"0\"><table><thead><tr><th "
                        "scope=\"col\">group</th><th scope=\"col\" class=\"left\">what</th><th "
                        "scope=\"col\">release 1</th><th scope=\"col\">release %d</th><th></th><th "
                        "scope=\"col\">z</th></tr></thead><tbody>",
                        (int)s->count);
        for (int32_t i = 0; i < count; i++) {
            tacit_change d = TACIT_CHANGE_INIT;
            if (tacit_comparison_change_get(c, i, &d) != TACIT_OK || fabs(d.z) < least) continue;
            put_change(html, s, c, &d);
            listed++;
        }
        tac_html_raw(html, "</tbody></table></div>");
    }
    if (listed < count)
        tac_html_markup(html, "<p>The %d strongest changes of %d.</p>", (int)listed, (int)count);
}

/* What counts as a change. */
static void put_rule(tac_html *html, const tac_series *s)
{
    const int32_t all = s->count > 2 ? s->count : s->count - 1;
    int64_t numbers = 0;
    char threshold[64];

    for (int32_t i = 0; i < all; i++) numbers += tacit_comparison_numbers(s->step[i]);
    tac_number_text(threshold, sizeof threshold, tacit_comparison_threshold(s->step[0]), 0.1);
    tac_html_markup(html,
                    "<p class=\"small soft\">z: difference in standard deviations of the noise of "
                    "both. Of %lld numbers%s those beyond %s count as changed: in at least 95 of "
                    "100 %s of unchanged rows, divided in the same way, none is.</p></section>",
                    (long long)numbers,
                    s->count > 2 ? ", of all steps and of the first and the last," : "", threshold,
                    s->count > 2 ? "series" : "comparisons");
}

/* Who is in several data sets is protected by all budgets together. */
static void put_promises(tac_html *html, const tac_series *s)
{
    tac_html_raw(html, "<section><h2 id=\"privacy\">What is protected</h2><ul>");
    for (int32_t i = 0; i < s->count; i++) {
        tac_html_markup(html, "<li>Release %d: ", (int)i + 1);
        tac_html_text(html, tacit_model_guarantee(s->release[i].model), TAC_SENTENCE_LONGEST);
        tac_html_raw(html, "</li>");
    }
    tac_html_markup(html,
                    "</ul><p>Who is in the data of %s is hidden by %s together: epsilons and "
                    "deltas add up at most. To compare spends nothing more.</p></section>",
                    s->count > 2 ? "several" : "both", s->count > 2 ? "those" : "both");
}

static void put_headline(tac_html *html, const tac_series *s)
{
    const int32_t count = tacit_comparison_change_count(ends_of(s)), last = s->count - 1;

    if (count == 0)
        tac_html_raw(html, "<header><h1>Nothing changed beyond the noise");
    else
        tac_html_markup(html, "<header><h1>%d %s beyond the noise", (int)count,
                        count == 1 ? "number changed" : "numbers changed");
    if (s->count > 2)
        tac_html_markup(html, " from the first to the last of %d releases", (int)s->count);
    else
        tac_html_raw(html, " between two releases");
    tac_html_markup(html, ", of %d and %d groups</h1></header>", (int)s->release[0].k,
                    (int)s->release[last].k);
}

static void put_page(tac_html *html, const tac_series *s)
{
    tac_report_open(html, "Private clusterings compared");
    put_headline(html, s);
    for (int32_t i = 0; i < s->count; i++) tac_report_not_private(html, s->release[i].model);
    tac_html_raw(html, "<main>");
    put_changes(html, s);
    put_rule(html, s);
    if (s->count > 2) tac_report_steps(html, s);
    tac_report_tracks(html, s);
    put_promises(html, s);
    tac_report_close(html, "the releases alone: this page is as private as they are together");
}

tacit_status tacit_comparison_html(tacit_ctx *ctx, const tacit_model *const *models, int32_t count,
                                   char **out)
{
    tac_series s = {.count = count};
    tac_html html;

    if (ctx == NULL || models == NULL || out == NULL || count < 2)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "tacit_comparison_html: ctx, two or more models and out must not be NULL");
    *out = NULL;
    tac_html_start(&html, ctx);
    html.status = tac_new(ctx, (size_t)count, sizeof(tacit_comparison *), &s.step);
    if (html.status == TACIT_OK)
        html.status = tac_new(ctx, (size_t)count, sizeof *s.release, &s.release);
    if (html.status == TACIT_OK)
        html.status = tacit_model_compare_series(ctx, models, count, s.step);
    if (html.status == TACIT_OK) {
        for (int32_t i = 0; i < count; i++) s.release[i] = tac_profile_of(models[i]);
        html.status = tac_series_follow(ctx, &s);
    }
    if (html.status == TACIT_OK) put_page(&html, &s);
    for (int32_t i = 0; s.step != NULL && i < count; i++) tacit_comparison_free(s.step[i]);
    tac_free(s.step);
    tac_free(s.release);
    tac_free(s.track);
    return tac_html_finish(&html, out);
}
