/* SPDX-License-Identifier: Apache-2.0 */
/* A ledger as a page: what is left of the budget, and every entry. It holds no rows, and the page
   says what its summary and its history say. */
#include "report/report_ledger.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_summary(tac_html *html, const tacit_ledger_summary *s)
{
    char left[64], spent[64], epsilon[64], delta[64], epsilon_left[64], delta_left[64];

    /* spent is rounded up, so left down */
    tac_share_text(left, sizeof left, floor(1000 * (1 - s->spent)) / 1000);
    tac_share_text(spent, sizeof spent, ceil(1000 * s->spent) / 1000);
    tac_number_text(epsilon, sizeof epsilon, s->epsilon, NAN);
    tac_number_text(delta, sizeof delta, s->delta, NAN);
    tac_number_text(epsilon_left, sizeof epsilon_left, s->epsilon_left, NAN);
    tac_number_text(delta_left, sizeof delta_left, s->delta_left, NAN);
    tac_html_markup(html, "<header><h1>%s of the budget of ", left);
    tac_html_text(html, s->dataset, TAC_NAME_LONGEST);
    tac_html_markup(html, " is left</h1></header><main><section><h2>The budget</h2><div "
                          "class=\"budget\">");
    tac_html_bar(html, s->spent);
    tac_html_markup(html,
                    "</div><p>Spent: %s, by %lld %s. The whole budget is epsilon %s, delta %s, for "
                    "all runs ever. One more run can ask for at most epsilon %s at delta %s.</p>",
                    spent, (long long)s->runs, s->runs == 1 ? "run" : "runs", epsilon, delta,
                    epsilon_left, delta_left);
    tac_html_raw(html, "<p>All releases together hide ");
    if (s->neighbors == TACIT_ENTRY)
        tac_html_raw(html, "one count more or less in one entry");
    else if (s->unit_column[0] == '\0')
        tac_html_raw(html, s->neighbors == TACIT_REPLACE ? "what any one row says"
                                                         : "whether any one row took part");
    else
        tac_html_raw(html, s->neighbors == TACIT_REPLACE ? "what the rows of any one person say"
                                                         : "whether any one person took part, with "
                                                           "all their rows");
    if (s->unit_column[0] != '\0') {
        tac_html_raw(html, " (persons are told by column ");
        tac_html_text(html, s->unit_column, TAC_NAME_LONGEST);
        tac_html_raw(html, ")");
    }
    tac_html_raw(html, ".</p></section>");
}

static const char *meaning(const char *kind)
{
    static const char *const known[][2] = {
        {"open", "the ledger was made"},          {"carry", "spent before, carried over"},
        {"reserve", "a run took its budget"},     {"commit", "the run ended with a release"},
        {"void", "the run gave its budget back"}, {"owner", "the owner looked at rows"}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(kind, known[i][0]) == 0) return known[i][1];
    return "?";
}

/* Keeps an entry; the first failure stays in the writer. */
typedef struct keeping {
    tac_html *html;
    tac_entries *to;
} keeping;

static int keep(const tacit_ledger_entry *e, void *payload)
{
    const keeping *k = payload;
    tac_entries *to = k->to;

    if (to->count == to->room) {
        to->room = to->room == 0 ? 64 : 2 * to->room;
        k->html->status = tac_grow(k->html->ctx, &to->entry, (size_t)to->room, sizeof *to->entry);
        if (k->html->status != TACIT_OK) return 1;
    }
    tac_entry_shown *own = &to->entry[to->count++];
    *own = (tac_entry_shown){
        .sequence = e->sequence, .epsilon = e->epsilon, .delta = e->delta, .share = e->share};
    snprintf(own->kind, sizeof own->kind, "%s", e->kind);
    snprintf(own->run, sizeof own->run, "%s", e->run);
    snprintf(own->time, sizeof own->time, "%s", e->time);
    snprintf(own->what, sizeof own->what, "%s", e->what);
    return 0;
}

/* One line of the table. */
static void put_entry(tac_html *html, const tac_entry_shown *e)
{
    const bool costs = tac_entry_is(e, "reserve") || tac_entry_is(e, "open");
    char epsilon[64] = "", delta[64] = "", share[64] = "";

    if (costs) {
        tac_number_text(epsilon, sizeof epsilon, e->epsilon, NAN);
        tac_number_text(delta, sizeof delta, e->delta, NAN);
    }
    if (e->share > 0) tac_share_text(share, sizeof share, ceil(1000 * e->share) / 1000);
    tac_html_markup(html, "<tr><th scope=\"row\">%lld</th><td class=\"left\">",
                    (long long)e->sequence);
    tac_html_text(html, e->time, TAC_NAME_LONGEST);
    tac_html_markup(html, "</td><td class=\"left\">%s</td><td class=\"left\">", meaning(e->kind));
    tac_html_text(html, e->run, 8);
    tac_html_raw(html, "</td><td class=\"left\">");
    tac_html_text(html, e->what, TAC_SENTENCE_LONGEST);
    tac_html_markup(html, "</td><td>%s</td><td>%s</td><td>%s</td></tr>", epsilon, delta, share);
}

static void put_entries(tac_html *html, const tac_entries *entries)
{
    tac_html_raw(html, "<section><h2>Every entry</h2><details><summary>The history as a table"
                       "</summary><div class=\"wide\" tabindex=\"0\"><table id=\"entries\">"
                       "<thead><tr><th scope=\"col\">entry</th><th scope=\"col\" "
                       "class=\"left\">time (UTC)</th><th scope=\"col\" class=\"left\">what "
                       "happened</th><th scope=\"col\" class=\"left\">run</th><th scope=\"col\" "
                       "class=\"left\">for what</th><th scope=\"col\">epsilon</th><th "
                       "scope=\"col\">delta</th><th scope=\"col\">of the budget</th></tr></thead>"
                       "<tbody>");
    for (int64_t i = 0; i < entries->count; i++) put_entry(html, &entries->entry[i]);
    tac_html_raw(html, "</tbody></table></div></details><p class=\"small soft\">Entries are a "
                       "chain of hashes, which was checked: none was changed or removed. An old "
                       "copy of a ledger put back in its place cannot be told from it.</p>"
                       "</section>");
}

tacit_status tacit_ledger_html(tacit_ctx *ctx, tacit_ledger *ledger, char **out)
{
    tacit_ledger_summary summary = TACIT_LEDGER_SUMMARY_INIT;
    tac_entries entries = {0};
    tac_html html;

    if (ctx == NULL || ledger == NULL || out == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "tacit_ledger_html: ctx, ledger and out must not be NULL");
    *out = NULL;
    tac_html_start(&html, ctx);
    html.status = tacit_ledger_summarize(ctx, ledger, &summary);
    if (html.status == TACIT_OK) {
        /* a damaged ledger makes no page */
        const tacit_status status =
            tacit_ledger_history(ctx, ledger, keep, &(keeping){&html, &entries});
        if (html.status == TACIT_OK) html.status = status;
    }
    tac_report_open(&html, "Report of a privacy ledger");
    put_summary(&html, &summary);
    tac_report_runs(&html, &entries);
    put_entries(&html, &entries);
    tac_report_close(&html, "the ledger alone, which holds no rows");
    tac_free(entries.entry);
    return tac_html_finish(&html, out);
}
