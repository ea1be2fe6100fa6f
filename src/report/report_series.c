/* SPDX-License-Identifier: Apache-2.0 */
/* Groups followed through several releases: sizes side by side, and the numbers that changed from
   one release to the next. */
#include "report/report_compare.h"

#include <math.h>
#include <string.h>

#define MOST_LINES 1000 /* of changed numbers */

tacit_pair tac_pair_at(const tacit_comparison *comparison, int32_t index)
{
    tacit_pair p = TACIT_PAIR_INIT;
    const tacit_status status = tacit_comparison_pair_get(comparison, index, &p);
    (void)status; /* a place that is not there keeps its -1 */
    return p;
}

static int32_t *track_at(const tac_series *s, int32_t track)
{
    return s->track + (int64_t)track * s->count;
}

/* The track that holds a group of a release; a new one if none does. */
static int32_t *track_of(tac_series *s, int32_t release, int32_t group)
{
    for (int32_t t = 0; t < s->tracks; t++)
        if (track_at(s, t)[release] == group) return track_at(s, t);
    int32_t *own = track_at(s, s->tracks++);
    for (int32_t i = 0; i < s->count; i++) own[i] = -1;
    own[release] = group;
    return own;
}

tacit_status tac_series_follow(tacit_ctx *ctx, tac_series *s)
{
    int64_t most = 0;

    for (int32_t i = 0; i < s->count; i++) most += s->release[i].k;
    const tacit_status status =
        tac_new(ctx, (size_t)(most * s->count), sizeof *s->track, &s->track);
    if (status != TACIT_OK) return status;
    for (int32_t i = 0; i + 1 < s->count; i++)
        for (int32_t j = 0; j < tacit_comparison_pair_count(s->step[i]); j++) {
            const tacit_pair p = tac_pair_at(s->step[i], j);
            if (p.first >= 0)
                track_of(s, i, p.first)[i + 1] = p.second;
            else
                track_of(s, i + 1, p.second);
        }
    return TACIT_OK;
}

void tac_series_name(tac_html *html, const tac_series *s, int32_t track)
{
    const int32_t *group = track_at(s, track);
    bool any = false;

    for (int32_t i = 0; i < s->count; i++) {
        if (group[i] < 0) continue;
        tac_html_markup(html, "%s%d", any ? ", then " : "Group ", (int)group[i]);
        any = true;
    }
}

/* ---- sizes ---- */

static void put_group(tac_html *html, const tac_profile *p, int32_t group, double most)
{
    char text[128];

    if (group < 0) {
        tac_html_raw(html, "<td class=\"left\">none</td><td></td><td></td>");
        return;
    }
    const double size = p->size == NULL ? NAN : p->size[group];
    tac_value_text(text, sizeof text, size, p->size_sd);
    tac_html_markup(html, "<td class=\"left\">Group %d</td><td>%s</td><td class=\"left meter\">",
                    (int)group, text);
    tac_html_bar(html, most > 0 && isfinite(size) ? size / most : 0);
    tac_html_raw(html, "</td>");
}

void tac_report_tracks(tac_html *html, const tac_series *s)
{
    double most = 0;
    char text[64];

    for (int32_t i = 0; i < s->count; i++)
        for (int32_t j = 0; j < s->release[i].k; j++)
            most = fmax(most, s->release[i].size == NULL ? 0 : s->release[i].size[j]);
    tac_html_raw(html, "<section><h2>Which group is which</h2><div class=\"wide\" tabindex=\"0\">"
                       "<table><thead><tr>");
    for (int32_t i = 0; i < s->count; i++)
        tac_html_markup(html,
                        "<th scope=\"col\" class=\"left\">release %d</th><th scope=\"col\">rows"
                        "</th><th></th>",
                        (int)i + 1);
    if (s->count == 2) tac_html_raw(html, "<th scope=\"col\">distance of centers</th>");
    tac_html_raw(html, "</tr></thead><tbody>");
    for (int32_t t = 0; t < s->tracks; t++) {
        tac_html_raw(html, "<tr>");
        for (int32_t i = 0; i < s->count; i++)
            put_group(html, &s->release[i], track_at(s, t)[i], most);
        if (s->count == 2) {
            const double distance = tac_pair_at(s->step[0], t).distance;
            tac_number_text(text, sizeof text, distance, fabs(distance) / 20);
            tac_html_markup(html, "<td>%s</td>", isfinite(distance) ? text : "");
        }
        tac_html_raw(html, "</tr>");
    }
    tac_html_raw(html, "</tbody></table></div><p class=\"small soft\">Groups of two releases are "
                       "matched so that the squared distances between centers add up to least. "
                       "Rows are noisy counts \xc2\xb1 one standard deviation.</p></section>");
}

/* ---- what changed from one release to the next ---- */

/* z of every number that changed: tracks x (1 + columns) x steps, the size first; 0: it did not. */
typedef struct changes {
    const tac_series *s;
    double *z;
    int32_t width, steps;
} changes;

static double *changes_at(const changes *c, int32_t track, int32_t what)
{
    return c->z + ((int64_t)track * c->width + what + 1) * c->steps;
}

/* The place in a release of a column of the first: columns may come in any order. */
static int32_t column_in(const tac_series *s, int32_t release, int32_t column)
{
    const char *name = tacit_model_column_get(s->release[0].model, column);
    int32_t at = column;

    if (column < 0 || strcmp(tacit_model_column_get(s->release[release].model, at), name) == 0)
        return column;
    at = 0;
    while (strcmp(tacit_model_column_get(s->release[release].model, at), name) != 0) at++;
    return at;
}

/* Columns of the first release by their places in another. */
static tacit_status find_places(tacit_ctx *ctx, const tac_series *s, int32_t release,
                                int32_t **place)
{
    const int32_t columns = s->release[0].columns;
    const tacit_status status = tac_new(ctx, (size_t)columns, sizeof **place, place);

    for (int32_t j = 0; status == TACIT_OK && j < columns; j++)
        (*place)[column_in(s, release, j)] = j;
    return status;
}

static tacit_status collect(tacit_ctx *ctx, changes *c)
{
    tacit_status status = TACIT_OK;
    int32_t *place = NULL;

    TAC_TRY(tac_new(ctx, (size_t)c->s->tracks * (size_t)c->width, sizeof *c->z * (size_t)c->steps,
                    &c->z));
    for (int32_t i = 0; i < c->steps; i++) {
        TAC_TRY(find_places(ctx, c->s, i, &place));
        for (int32_t j = 0; j < tacit_comparison_change_count(c->s->step[i]); j++) {
            tacit_change d = TACIT_CHANGE_INIT;
            if (tacit_comparison_change_get(c->s->step[i], j, &d) != TACIT_OK) continue;
            const int32_t group = tac_pair_at(c->s->step[i], d.pair).first;
            int32_t t = 0;
            while (track_at(c->s, t)[i] != group) t++;
            changes_at(c, t, d.column < 0 ? -1 : place[d.column])[i] = d.z;
        }
        tac_free(place);
        place = NULL;
    }
done:
    return status;
}

/* The number of a track in a release, in as many digits as tell rows apart, or as the noise leaves.
   "": the group is not there. */
static void number_text(const changes *c, int32_t track, int32_t what, int32_t release, bool finely,
                        char *text, size_t size)
{
    const tac_profile *p = &c->s->release[release];
    const int32_t group = track_at(c->s, track)[release], column = column_in(c->s, release, what);
    const int64_t at = (int64_t)group * p->columns + column;

    *text = '\0';
    if (group < 0) return;
    if (what < 0)
        tac_count_text(text, size, p->size[group]);
    else if (finely && p->center_sd != NULL)
        tac_number_text(text, size, p->center[at], p->center_sd[at]);
    else
        tac_profile_short(p, column, p->center[at], text, size);
}

static void put_number(tac_html *html, const changes *c, int32_t track, int32_t what,
                       int32_t release)
{
    const double z = release == 0 ? 0 : changes_at(c, track, what)[release - 1];
    char text[128], before[128], times[64];

    number_text(c, track, what, release, false, text, sizeof text);
    if (z == 0) {
        tac_html_markup(html, "<td>%s</td>", text);
        return;
    }
    number_text(c, track, what, release - 1, false, before, sizeof before);
    if (strcmp(text, before) == 0) /* what changed must look so */
        number_text(c, track, what, release, true, text, sizeof text);
    tac_number_text(times, sizeof times, fabs(z), 1);
    tac_html_markup(html, "<td><strong>%s</strong> <span class=\"soft\">%s, z %s</span></td>", text,
                    z > 0 ? "up" : "down", times);
}

static bool has_changed(const changes *c, int32_t track, int32_t what)
{
    for (int32_t i = 0; i < c->steps; i++)
        if (changes_at(c, track, what)[i] != 0) return true;
    return false;
}

static void put_lines(tac_html *html, const changes *c)
{
    const tac_series *s = c->s;
    int64_t lines = 0;

    for (int32_t t = 0; t < s->tracks; t++)
        for (int32_t what = -1; what < c->width - 1; what++) {
            if (!has_changed(c, t, what) || ++lines > MOST_LINES) continue;
            tac_html_raw(html, "<tr><th scope=\"row\">");
            tac_series_name(html, s, t);
            tac_html_raw(html, "</th><td class=\"left\">");
            if (what < 0)
                tac_html_raw(html, "rows");
            else
                tac_html_text(html, tacit_model_column_get(s->release[0].model, what),
                              TAC_NAME_LONGEST);
            tac_html_raw(html, "</td>");
            for (int32_t i = 0; i < s->count; i++) put_number(html, c, t, what, i);
            tac_html_raw(html, "</tr>");
        }
    tac_html_raw(html, "</tbody></table></div>");
    if (lines > MOST_LINES)
        tac_html_markup(html, "<p>%lld more lines are left out.</p>",
                        (long long)(lines - MOST_LINES));
}

void tac_report_steps(tac_html *html, const tac_series *s)
{
    changes c = {.s = s, .width = s->release[0].columns + 1, .steps = s->count - 1};

    if (html->status == TACIT_OK) html->status = collect(html->ctx, &c);
    if (html->status == TACIT_OK) {
        tac_html_raw(html, "<section><h2>Step by step</h2><div class=\"wide\" tabindex=\"0\">"
                           "<table><thead><tr><th scope=\"col\">group</th><th scope=\"col\" "
                           "class=\"left\">what</th>");
        for (int32_t i = 0; i < s->count; i++)
            tac_html_markup(html, "<th scope=\"col\">release %d</th>", (int)i + 1);
        tac_html_raw(html, "</tr></thead><tbody>");
        put_lines(html, &c);
        tac_html_raw(html, "<p class=\"small soft\">Every number that changed beyond the noise "
                           "from one release to the next; where it did, it is strong.</p>"
                           "</section>");
    }
    tac_free(c.z);
}
