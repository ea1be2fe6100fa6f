/* SPDX-License-Identifier: Apache-2.0 */
/* The page: headline, notes, what the family has to show, what is protected, how to cite. One file
   without references; a policy in its head forbids the browser to fetch or run anything else. */
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_EMBEDDED 110000 /* bytes of a release that the page carries for download */
#define ROOM 420000          /* bytes of it, in base 64, and of all cuts together */

void tac_report_open(tac_html *html, const char *title)
{
    tac_html_raw(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
                       "charset=\"utf-8\">\n<meta "
                       "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "base-uri "
                       "'none'; form-action 'none'; style-src ");
    tac_html_hash(html, tac_page_css);
    tac_html_raw(html, "; script-src ");
    tac_html_hash(html, tac_page_js);
    tac_html_raw(html, "\">\n<meta name=\"viewport\" content=\"width=device-width, "
                       "initial-scale=1\">\n<title>");
    tac_html_raw(html, title);
    tac_html_raw(html, "</title>\n<style>");
    tac_html_raw(html, tac_page_css);
    tac_html_raw(html, "</style>\n</head>\n<body>\n");
}

void tac_report_close(tac_html *html, const char *made_from)
{
    tac_html_markup(html, "</main><footer>Made from %s. It fetches nothing.</footer>\n<script>",
                    made_from);
    tac_html_raw(html, tac_page_js);
    tac_html_raw(html, "</script>\n</body>\n</html>\n");
}

void tac_report_not_private(tac_html *html, const tacit_model *model)
{
    if (tacit_model_is_private(model)) return;
    tac_html_raw(html, "<div class=\"notes bad\" role=\"note\"><strong>NOT PRIVATE: do not "
                       "publish this page.</strong> ");
    if (tacit_model_why_not_private(model) != NULL)
        tac_html_text(html, tacit_model_why_not_private(model), TAC_SENTENCE_LONGEST);
    tac_html_raw(html, "</div>");
}

/* Two digits that the noise leaves: "about 20,000". */
static double rounded(double value, double sd)
{
    const double unit = pow(10, floor(log10(fmax(1, fmax(2 * sd, value / 1000)))));
    return unit * round(value / unit);
}

/* "5 groups among about 20,000 people; ..." */
static void put_headline(tac_html *html, const tacit_model *model, const tacit_card *c)
{
    const char *family = tacit_model_family(model);
    const bool blocks = strcmp(family, "cocluster") == 0,
               person = c->unit != NULL && c->unit[0] == 'p';
    const tac_profile p = tac_profile_of(model);
    char count[64], epsilon[64];
    double rows, sd;

    tac_profile_rows(&p, &rows, &sd);
    tac_html_markup(html, "<header><h1>%d %s%s", (int)p.k,
                    strcmp(family, "subspace") == 0 ? "subspace"
                    : blocks                        ? "cluster"
                                                    : "group",
                    p.k == 1 ? "" : "s");
    if (blocks) tac_html_markup(html, " of rows and %d of columns", (int)tacit_model_l(model));
    if (isfinite(rows) && rows > 0) {
        tac_count_text(count, sizeof count, rounded(rows, isfinite(sd) ? sd : 0));
        tac_html_markup(html, " among about %s %s", count,
                        person && c->max_rows_per_unit == 1 ? "people" : "rows");
    }
    if (tacit_model_is_private(model)) {
        tac_number_text(epsilon, sizeof epsilon, c->epsilon, NAN);
        tac_html_markup(html, "; what you see hides %s, epsilon %s",
                        c->neighbors == TACIT_ENTRY     ? "any single count"
                        : c->neighbors == TACIT_REPLACE ? (person ? "what any one "
                                                                    "person\xe2\x80\x99s rows say"
                                                                  : "what any one row says")
                        : person                        ? "whether any one person took part"
                                                        : "whether any one row took part",
                        epsilon);
    }
    tac_html_raw(html, "</h1></header>");
}

void tac_report_no_groups(tac_html *html, const tacit_model *model)
{
    for (int32_t i = 0; i < tacit_model_note_count(model); i++) {
        if (tacit_model_note_kind(model, i) != TACIT_NOTE_NO_GROUPS) continue;
        tac_html_raw(html, "<div class=\"notes bad\" role=\"note\"><strong>Perhaps no groups."
                           "</strong> ");
        tac_html_text(html, tacit_model_note_get(model, i), TAC_SENTENCE_LONGEST);
        tac_html_raw(html, "</div>");
    }
}

/* Notes of the run, but for those that stand elsewhere. */
static void put_notes(tac_html *html, const tacit_model *model)
{
    const int32_t count = tacit_model_note_count(model);
    int32_t said = 0;

    for (int32_t i = 0; i < count; i++) {
        if (tacit_model_note_kind(model, i) == TACIT_NOTE_NO_GROUPS) continue;
        if (said++ == 0)
            tac_html_raw(html, "<div class=\"notes\" role=\"note\"><strong>Before you trust the "
                               "numbers</strong><ul>");
        tac_html_raw(html, "<li>");
        tac_html_text(html, tacit_model_note_get(model, i), TAC_SENTENCE_LONGEST);
        tac_html_raw(html, "</li>");
    }
    if (said > 0) tac_html_raw(html, "</ul></div>");
}

/* How to cite, and the release itself. */
static void put_end(tac_html *html, const tacit_model *model, const tacit_card *c, const char *json)
{
    tac_html_raw(html, "<section><h2 id=\"cite\">Cite and keep</h2><p>");
    tac_html_text(html, tacit_model_guarantee(model), TAC_SENTENCE_LONGEST);
    tac_html_raw(html, ". Method ");
    tac_html_text(html, tacit_model_method(model), TAC_NAME_LONGEST);
    tac_html_raw(html, " of family ");
    tac_html_text(html, tacit_model_family(model), TAC_NAME_LONGEST);
    if (c->paper != NULL && c->paper[0] != '\0') {
        tac_html_raw(html, ", after: ");
        tac_html_text(html, c->paper, TAC_SENTENCE_LONGEST);
    }
    tac_html_raw(html, ". Made by tacit ");
    tac_html_text(html, c->version == NULL ? "?" : c->version, TAC_NAME_LONGEST);
    tac_html_raw(html, ".</p>");
    if (json != NULL && strlen(json) <= MOST_EMBEDDED) {
        tac_html_raw(html, "<p class=\"noprint\"><a download=\"release.json\" "
                           "href=\"data:application/json;base64,");
        tac_html_base64(html, json, strlen(json));
        tac_html_raw(html, "\">Download the release (JSON)</a></p>");
    } else if (json != NULL) {
        tac_html_raw(html, "<p>The release is too large to be carried by this page: keep its file "
                           "beside it.</p>");
    }
    tac_html_raw(html, "</section>");
}

tacit_status tacit_model_html(tacit_ctx *ctx, const tacit_model *model, char **out)
{
    tacit_card card = TACIT_CARD_INIT;
    tac_html html;
    char *json = NULL;

    if (ctx == NULL || model == NULL || out == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "tacit_model_html: ctx, model and out must not be NULL");
    *out = NULL;
    tac_html_start(&html, ctx);
    html.status = tacit_model_card(model, &card);
    if (html.status == TACIT_OK) html.status = tacit_model_json(ctx, model, &json);
    const size_t length = json == NULL ? 0 : strlen(json),
                 carried = length <= MOST_EMBEDDED ? length + length / 3 : 0;
    tac_report_open(&html, "Report of a private clustering");
    put_headline(&html, model, &card);
    tac_report_not_private(&html, model);
    put_notes(&html, model);
    tac_html_raw(&html, "<main>");
    if (tacit_model_centers(model) != NULL) tac_report_centers(&html, model, ROOM - carried);
    if (tacit_model_subspaces(model) != NULL) tac_report_subspaces(&html, model);
    if (tacit_model_l(model) > 0) tac_report_blocks(&html, model);
    tac_report_privacy(&html, model);
    put_end(&html, model, &card, json);
    tacit_free(json);
    tac_report_close(&html, "the release alone: this page is as private as it");
    return tac_html_finish(&html, out);
}
