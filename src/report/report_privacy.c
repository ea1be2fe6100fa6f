/* SPDX-License-Identifier: Apache-2.0 */
/* The privacy card as sentences, the numbers folded below, and what each query cost. */
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_STEPS 64

/* Queries of the same purpose, one after the other in the card, added up. */
typedef struct step {
    const char *what, *distribution;
    double share;
    int32_t times;
} step;

static int32_t steps_of(const tacit_model *model, step *steps)
{
    int32_t count = 0;

    for (int32_t i = 0; i < tacit_model_query_count(model); i++) {
        tacit_query_info q = TACIT_QUERY_INFO_INIT;
        int32_t at = 0;
        if (tacit_model_query_get(model, i, &q) != TACIT_OK) continue;
        while (at < count && strcmp(steps[at].what, q.what) != 0) at++;
        if (at == MOST_STEPS) continue;
        if (at == count) steps[count++] = (step){.what = q.what, .distribution = q.distribution};
        steps[at].share += q.share;
        steps[at].times++;
    }
    return count;
}

static void put_budget(tac_html *html, const step *steps, int32_t count)
{
    char share[64];

    tac_html_raw(html, "<table class=\"bars\"><caption>What each query cost, as a share of this "
                       "release\xe2\x80\x99s budget</caption><tbody>");
    for (int32_t i = 0; i < count; i++) {
        tac_share_text(share, sizeof share, steps[i].share);
        tac_html_raw(html, "<tr><th scope=\"row\">");
        tac_html_text(html, steps[i].what, TAC_NAME_LONGEST);
        if (steps[i].times > 1) tac_html_markup(html, " (%d times)", (int)steps[i].times);
        tac_html_raw(html, "</th><td class=\"left\">");
        tac_html_bar(html, steps[i].share);
        tac_html_markup(html, "</td><td>%s</td></tr>", share);
    }
    tac_html_raw(html, "</tbody></table>");
}

static void put_queries(tac_html *html, const tacit_model *model)
{
    char scale[64], sensitivity[64], share[64];

    tac_html_raw(html, "<details><summary>Every query as a table</summary><div class=\"wide\" "
                       "tabindex=\"0\"><table><thead><tr><th scope=\"col\">query</th><th "
                       "scope=\"col\" "
                       "class=\"left\">for</th><th scope=\"col\" class=\"left\">noise</th><th "
                       "scope=\"col\">scale</th><th scope=\"col\">sensitivity</th><th "
                       "scope=\"col\">numbers</th><th "
                       "scope=\"col\">budget</th></tr></thead><tbody>");
    for (int32_t i = 0; i < tacit_model_query_count(model); i++) {
        tacit_query_info q = TACIT_QUERY_INFO_INIT;
        if (tacit_model_query_get(model, i, &q) != TACIT_OK) continue;
        tac_html_raw(html, "<tr><td>");
        tac_html_text(html, q.kind, TAC_NAME_LONGEST);
        tac_html_raw(html, "</td><td class=\"left\">");
        tac_html_text(html, q.what, TAC_NAME_LONGEST);
        tac_html_raw(html, "</td><td class=\"left\">");
        tac_html_text(html, q.distribution, TAC_NAME_LONGEST);
        tac_number_text(scale, sizeof scale, q.scale, NAN);
        tac_number_text(sensitivity, sizeof sensitivity, q.sensitivity, NAN);
        tac_share_text(share, sizeof share, q.share);
        tac_html_markup(html, "</td><td>%s</td><td>%s</td><td>%lld</td><td>%s</td></tr>", scale,
                        sensitivity, (long long)q.answers, share);
    }
    tac_html_raw(html, "</tbody></table></div></details>");
}

/* Who is hidden, in words. */
static void put_who(tac_html *html, const tacit_card *c)
{
    const bool person = c->unit != NULL && strncmp(c->unit, "person", 6) == 0;

    if (c->neighbors == TACIT_ENTRY)
        tac_html_raw(html, "What you see hardly depends on any single count of the table: one "
                           "purchase, one word. It does not hide a whole row.");
    else if (c->neighbors == TACIT_REPLACE)
        tac_html_markup(html, "What you see hardly depends on what the data say of any one %s.",
                        person ? "person" : "row");
    else
        tac_html_markup(html, "What you see hides whether any one %s is in the data at all.",
                        person ? "person, with all their rows," : "row");
    if (person)
        tac_html_markup(html, " Of a person at most %d %s.", (int)c->max_rows_per_unit,
                        c->max_rows_per_unit == 1 ? "row counts" : "rows count");
}

/* P(outcome | data) <= e^epsilon P(outcome | neighbor) + delta. */
static void put_meaning(tac_html *html, const tacit_card *c)
{
    char epsilon[64], delta[64], factor[64];

    tac_number_text(epsilon, sizeof epsilon, c->epsilon, NAN);
    tac_number_text(delta, sizeof delta, c->delta, NAN);
    const double most = exp(fmin(c->epsilon, 300));
    tac_number_text(factor, sizeof factor, most, most < 1e6 ? most / 5 : NAN);
    tac_html_markup(html,
                    "<p>Epsilon is %s: %s makes no outcome more than %s times as likely or as "
                    "unlikely. ",
                    epsilon,
                    c->neighbors == TACIT_ENTRY     ? "one count more or less"
                    : c->neighbors == TACIT_REPLACE ? "another entry for that one"
                                                    : "taking part or not",
                    factor);
    if (c->delta > 0)
        tac_html_markup(html, "Delta is %s: by that much probability an outcome may exceed it.",
                        delta);
    else
        tac_html_raw(html, "Delta is 0: there are no exceptions.");
    tac_html_raw(html, c->in_ledger ? " The budget was taken from a ledger, which adds up all runs "
                                      "on these data.</p>"
                                    : " No ledger was kept: other releases from the same data add "
                                      "to this.</p>");
}

static void put_field(tac_html *html, const char *name, const char *value)
{
    if (value == NULL) return;
    tac_html_markup(html, "<tr><th scope=\"row\" class=\"left\">%s</th><td class=\"left\">", name);
    tac_html_text(html, value, TAC_SENTENCE_LONGEST);
    tac_html_raw(html, "</td></tr>");
}

static void put_card(tac_html *html, const tacit_model *model, const tacit_card *c)
{
    char budget[64], spent[64];

    tac_number_text(budget, sizeof budget, c->budget, NAN);
    tac_number_text(spent, sizeof spent, c->spent, NAN);
    tac_html_raw(html, "<details><summary>The privacy card</summary><div class=\"wide\" "
                       "tabindex=\"0\"><table><tbody>");
    put_field(html, "promise", tacit_model_guarantee(model));
    put_field(html, "protects", c->unit);
    put_field(html, "queries add up in", c->definition);
    put_field(html, "its parameter", c->parameter);
    put_field(html, "budget", budget);
    put_field(html, "spent", spent);
    put_field(html, "randomness", c->randomness);
    put_field(html, "ledger run", c->ledger_run);
    put_field(html, "method", tacit_model_method(model));
    put_field(html, "rests on", c->paper);
    put_field(html, "made by tacit", c->version);
    tac_html_raw(html, "</tbody></table></div></details>");
}

void tac_report_privacy(tac_html *html, const tacit_model *model)
{
    tacit_card c = TACIT_CARD_INIT;
    step steps[MOST_STEPS];

    if (tacit_model_card(model, &c) != TACIT_OK) return;
    tac_html_raw(html, "<section><h2 id=\"privacy\">What is protected</h2>");
    if (tacit_model_is_private(model)) {
        tac_html_raw(html, "<p>");
        put_who(html, &c);
        tac_html_raw(html, "</p>");
        put_meaning(html, &c);
    }
    const int32_t count = steps_of(model, steps);
    if (count > 0) {
        put_budget(html, steps, count);
        put_queries(html, model);
    }
    put_card(html, model, &c);
    tac_html_raw(html, "</section>");
}
