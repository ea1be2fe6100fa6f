/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of a ledger over time: how much of the budget was spent when, and what each run bought.
   All times are the ledger's. */
#include "report/report_ledger.h"

#include "table/feature.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEFT 60
#define RIGHT 840 /* of the picture's time */
#define TOP 14
#define HIGH 200
#define MOST_MARKS 2000 /* runs that are marked in the picture */
#define SECONDS 86400.0

bool tac_entry_is(const tac_entry_shown *entry, const char *kind)
{
    return strcmp(entry->kind, kind) == 0;
}

/* Seconds of "2026-11-17T09:30:00Z"; NaN: it is no time. */
static double seconds_of(const char *time)
{
    int hour = 0, minute = 0, second = 0;
    double days;

    if (!tac_parse_date(time, strlen(time), &days)) return NAN;
    if (sscanf(time + 10, "%*c%2d:%2d:%2d", &hour, &minute, &second) < 2) hour = minute = 0;
    return SECONDS * days + 3600 * hour + 60 * minute + second;
}

/* The last entry about a run after it reserved: commit, void, or none (NULL). */
static const tac_entry_shown *end_of(const tac_entries *e, int64_t reserve)
{
    for (int64_t i = reserve + 1; i < e->count; i++)
        if (strcmp(e->entry[i].run, e->entry[reserve].run) == 0) return &e->entry[i];
    return NULL;
}

/* What entry i adds to the share that is spent; a run that gave back takes away what it took. */
static double added(const tac_entries *e, int64_t i)
{
    if (!tac_entry_is(&e->entry[i], "void")) return e->entry[i].share;
    for (int64_t j = i - 1; j >= 0; j--)
        if (strcmp(e->entry[j].run, e->entry[i].run) == 0) return -e->entry[j].share;
    return 0;
}

/* Where an entry stands: by its time or, where all is a matter of seconds, by its order. */
typedef struct axis {
    const tac_entries *e;
    double from, to;
    bool timed;
} axis;

static axis axis_of(const tac_entries *e)
{
    axis a = {.e = e, .from = INFINITY, .to = -INFINITY, .timed = true};

    for (int64_t i = 0; i < e->count; i++) {
        const double at = seconds_of(e->entry[i].time);
        a.timed = a.timed && !isnan(at);
        a.from = fmin(a.from, at);
        a.to = fmax(a.to, at);
    }
    a.timed = a.timed && a.to - a.from >= 60;
    return a;
}

static int across(const axis *a, int64_t i)
{
    const double part = a->timed ? (seconds_of(a->e->entry[i].time) - a->from) / (a->to - a->from)
                                 : ((double)i + 1) / (double)(a->e->count + 1);
    return (int)lrint(LEFT + (RIGHT - LEFT) * part);
}

static int up(double share)
{
    return TOP + (int)lrint(HIGH * (1 - fmax(0, fmin(1, share))));
}

static void put_axes(tac_html *html, const axis *a)
{
    tac_html_markup(html,
                    "<path class=\"axis\" d=\"M%d %dv%dh%d\"/><path class=\"limit\" d=\"M%d "
                    "%dH%d\"/>",
                    LEFT, TOP, HIGH, RIGHT - LEFT, LEFT, TOP, RIGHT);
    for (int share = 0; share <= 100; share += 50)
        tac_html_markup(html, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d %%</text>", LEFT - 8,
                        up(share / 100.0) + 4, share);
    if (!a->timed) return;
    for (int end = 0; end < 2; end++) {
        char day[16];
        tac_write_date((end == 0 ? a->from : a->to) / SECONDS, day);
        tac_html_markup(html, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>",
                        end == 0 ? LEFT : RIGHT, TOP + HIGH + 20, end == 0 ? "start" : "end", day);
    }
}

/* A mark at what a run took, which says under the pointer what it bought. */
static void put_mark(tac_html *html, const tac_entry_shown *e, int x, double spent)
{
    char share[64];

    tac_share_text(share, sizeof share, ceil(1000 * e->share) / 1000);
    tac_html_markup(html, "<circle class=\"dot\" cx=\"%d\" cy=\"%d\" r=\"4\"><title>", x,
                    up(spent));
    tac_html_text(html, e->time, TAC_NAME_LONGEST);
    tac_html_raw(html, ": ");
    tac_html_text(html, e->what, TAC_NAME_LONGEST);
    tac_html_markup(html, ", %s of the budget</title></circle>", share);
}

static void put_picture(tac_html *html, const tac_entries *e)
{
    const axis a = axis_of(e);
    double spent = 0;
    int64_t marks = 0;

    tac_html_picture(html,
                     "Share of the budget that was spent, over time; the tables below have the "
                     "numbers",
                     RIGHT + 20, TOP + HIGH + 30);
    put_axes(html, &a);
    tac_html_markup(html, "<path class=\"spent\" d=\"M%d %d", LEFT, up(0));
    for (int64_t i = 0; i < e->count; i++) {
        const double more = added(e, i);
        spent += more;
        if (more != 0) tac_html_markup(html, "H%dV%d", across(&a, i), up(spent));
    }
    tac_html_markup(html, "H%dV%dH%d\"/>", RIGHT, up(0), LEFT);
    spent = 0;
    for (int64_t i = 0; i < e->count; i++) {
        spent += added(e, i);
        if (e->entry[i].share > 0 && marks++ < MOST_MARKS)
            put_mark(html, &e->entry[i], across(&a, i), spent);
    }
    tac_html_picture_end(html, a.timed ? "Spent so far; a dot is a run, and the line above is the "
                                         "whole budget."
                                       : "Spent so far, from the first entry to the last, evenly "
                                         "apart; a dot is a run, and the line above is the whole "
                                         "budget.");
}

/* What became of a run. */
static const char *outcome(const tac_entries *e, int64_t reserve)
{
    const tac_entry_shown *end = end_of(e, reserve);

    if (end == NULL) return "no end was noted; the budget stays spent";
    if (tac_entry_is(end, "commit")) return "a release";
    return tac_entry_is(end, "void") ? "nothing; the budget was given back" : "?";
}

static void put_run(tac_html *html, const tac_entries *e, int64_t i)
{
    const tac_entry_shown *r = &e->entry[i];
    char epsilon[64], delta[64], share[64];

    tac_number_text(epsilon, sizeof epsilon, r->epsilon, NAN);
    tac_number_text(delta, sizeof delta, r->delta, NAN);
    tac_share_text(share, sizeof share, ceil(1000 * r->share) / 1000);
    tac_html_raw(html, "<tr><th scope=\"row\" class=\"left\">");
    tac_html_text(html, r->time, TAC_NAME_LONGEST);
    tac_html_raw(html, "</th><td class=\"left\">");
    tac_html_text(html, r->what, TAC_SENTENCE_LONGEST);
    tac_html_markup(html,
                    "</td><td class=\"left\">%s</td><td>%s</td><td>%s</td><td>%s</td><td "
                    "class=\"left meter\">",
                    outcome(e, i), epsilon, delta, share);
    tac_html_bar(html, r->share);
    tac_html_raw(html, "</td></tr>");
}

void tac_report_runs(tac_html *html, const tac_entries *e)
{
    int64_t runs = 0;

    for (int64_t i = 0; i < e->count; i++) runs += e->entry[i].share > 0;
    tac_html_raw(html, "<section><h2>Over time</h2>");
    if (runs == 0) {
        tac_html_raw(html, "<p>Nothing was spent yet.</p></section>");
        return;
    }
    put_picture(html, e);
    tac_html_raw(html, "<h3>What each run bought</h3><div class=\"wide\" tabindex=\"0\"><table "
                       "id=\"runs\"><thead><tr><th scope=\"col\">time (UTC)</th><th scope=\"col\" "
                       "class=\"left\">asked for</th><th scope=\"col\" class=\"left\">bought</th>"
                       "<th scope=\"col\">epsilon</th><th scope=\"col\">delta</th><th "
                       "scope=\"col\">of the budget</th><th></th></tr></thead><tbody>");
    for (int64_t i = 0; i < e->count; i++)
        if (tac_entry_is(&e->entry[i], "reserve")) put_run(html, e, i);
    tac_html_raw(html, "</tbody></table></div></section>");
}
