/* SPDX-License-Identifier: Apache-2.0 */
/* Reports: one page of every family that holds what the release holds, whoever wrote the names in
   it, and stays small. */
#include "release/explain.h"
#include "release/model_internal.h"
#include "report/report.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

static tacit_ctx *ctx;

/* A release of made-up rows. names and categories may be NULL. */
static tacit_model *run_of(int32_t k, int32_t columns, const char *const *names,
                           const char *categories, bool median)
{
    tacit_data_opts said = TACIT_DATA_OPTS_INIT;
    tacit_budget b = TACIT_BUDGET_INIT;
    tacit_kmeans_opts o = TACIT_KMEANS_OPTS_INIT;
    tacit_synthetic_mixture_opts s = TACIT_SYNTHETIC_MIXTURE_OPTS_INIT;
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    double *x = NULL;
    int32_t *label = NULL;

    s.rows = 200 * (int64_t)k;
    s.columns = columns;
    s.clusters = k;
    b.epsilon = 4;
    b.delta = 1e-6;
    b.use_insecure_test_seed = 1;
    o.k = k;
    MUST(tacit_synthetic_mixture(ctx, &s, &x, &label) == TACIT_OK);
    MUST(tacit_data_from_memory(ctx, x, TACIT_F64, s.rows, columns, &data) == TACIT_OK);
    if (names != NULL) MUST(tacit_data_set_columns(ctx, data, names) == TACIT_OK);
    said.categories = categories;
    if (categories != NULL) MUST(tacit_data_set_features(ctx, data, &said) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    MUST((median ? tacit_kmedian_run : tacit_kmeans_run)(ctx, data, &b, &o, &model) == TACIT_OK);
    tacit_data_free(data);
    tacit_free(x);
    tacit_free(label);
    return model;
}

static tacit_model *run(int32_t k, int32_t columns, const char *const *names, bool median)
{
    return run_of(k, columns, names, NULL, median);
}

static char *page_of(const tacit_model *model)
{
    char *page = NULL;
    MUST(tacit_model_html(ctx, model, &page) == TACIT_OK && page != NULL);
    return page;
}

static int count(const char *page, const char *what)
{
    int found = 0;
    for (const char *at = page; (at = strstr(at, what)) != NULL; at += strlen(what)) found++;
    return found;
}

/* Every mark that could end a text or begin markup, and letters that trick the eye. */
static void test_hostile_names(void)
{
    static char longest[10001];
    const char *const names[] = {"<script>alert(1)</script>",      "\" onload=\"alert(2)",
                                 "'><img src=x onerror=alert(3)>", "\xe2\x80\xaetxt.exe",
                                 "</title></style></script>",      longest};

    memset(longest, 'x', sizeof longest - 1);
    tacit_model *model = run(3, 6, names, false);
    char *page = page_of(model), *body = strstr(page, "<body>");
    CHECK(count(page, "<script>") == 1 && count(body, "</script>") == count(body, "<script"),
          "no name opens or closes a script");
    CHECK(strstr(body, "<img") == NULL && strstr(page, "&lt;script&gt;alert(1)") != NULL,
          "names are escaped");
    CHECK(strstr(page, "\" onload=") == NULL && strstr(page, "&quot; onload=") != NULL,
          "no name leaves an attribute");
    CHECK(strstr(page, "\xe2\x80\xae") == NULL, "no mark turns the direction of writing");
    CHECK(count(page, "</style>") == 1 && count(page, "</title>") > 0, "no name closes an element "
                                                                       "of ours");
    CHECK(strstr(page, longest + 9800) == NULL, "a long name is cut");
    free(page);
    tacit_model_free(model);
}

/* What the browser may do stands in the page: run one script and one style that it knows. */
static void test_policy(void)
{
    tacit_model *model = run(4, 3, NULL, false);
    char *page = page_of(model);

    CHECK(strstr(page, "Content-Security-Policy\" content=\"default-src 'none';") != NULL &&
              count(page, "'sha256-") == 2 && strstr(page, "unsafe") == NULL,
          "nothing but the page's own script and style may run");
    CHECK(strstr(page, "http:") == strstr(page, "http://www.w3.org/2000/svg") &&
              strstr(page, "https:") == NULL && strstr(page, " src=") == NULL &&
              strstr(page, "@import") == NULL && strstr(page, "url(") == NULL,
          "it names nothing to fetch");
    CHECK(strstr(page, " style=") == NULL && strstr(page, " onclick=") == NULL,
          "no style or handler beside them, which the policy would forbid");
    CHECK(strstr(page, "NOT PRIVATE") != NULL, "a test seed is named");
    free(page);
    tacit_model_free(model);
}

/* Every center of the release stands in the table, as its text says it. */
static void test_numbers(void)
{
    const char *const names[] = {"age", "stay", "cost"};
    tacit_model *model = run(5, 3, names, true);
    char *page = page_of(model), *own = strstr(page, ", as released\"");
    int missing = 0;
    char text[128];

    MUST(own != NULL);
    for (int32_t i = 0; i < 15; i++) {
        tac_value_text(text, sizeof text, tacit_model_centers(model)[i],
                       tacit_model_centers_sd(model)[i]);
        missing += strstr(own, text) == NULL;
    }
    CHECK(missing == 0, "all centers are in the table (%d missing)", missing);
    const int cuts = tacit_model_cells(model) < 20 ? (int)tacit_model_cells(model) : 20;
    CHECK(cuts > 5 && count(page, "class=\"cut\"") == cuts, "k = 1 to %d follow from the release",
          cuts);
    CHECK(count(page, "data-k=\"5\"") == 1 && count(page, "data-k=\"6\"") == 1, "each once");
    CHECK(strstr(page, "5 groups among about 1,") != NULL || strstr(page, "among about 9") != NULL,
          "the headline counts");
    free(page);
    tacit_model_free(model);
}

static void test_sizes(void)
{
    tacit_model *large = run(100, 100, NULL, false), *one = run(1, 1, NULL, false),
                *many = run(20, 40, NULL, false);
    char *page = page_of(large);

    CHECK(strlen(page) < 450000, "k = 100 in 100 columns: %zu bytes, below 450,000", strlen(page));
    CHECK(count(page, ", as released\"") == 1, "its own cut is there");
    free(page);
    page = page_of(many);
    CHECK(strlen(page) < 450000 && count(page, "class=\"cut\"") > 8,
          "a page holds as many cuts as its size allows: %d in %zu bytes",
          count(page, "class=\"cut\""), strlen(page));
    free(page);
    page = page_of(one);
    CHECK(strstr(page, "1 group among") != NULL, "one center in one column is a page too");
    free(page);
    tacit_model_free(large);
    tacit_model_free(many);
    tacit_model_free(one);
}

/* With categories there are more coordinates than columns, and no number says which is whose. */
static void test_coordinates(void)
{
    tacit_model *m = run_of(3, 9, NULL, "c1=0|1,c5=0|1|2,c9=0|1", false);
    const tac_profile p = tac_profile_of(m);
    int wrong = 0;

    for (int32_t j = 0; j < p.columns; j++) {
        char text[64];
        tac_profile_short(&p, j, 0.25, text, sizeof text);
        const bool category = strchr(m->column[j], '=') != NULL, share = strchr(text, '%') != NULL;
        wrong += category != share;
    }
    CHECK(p.columns == 13 && wrong == 0, "each coordinate has its own column's words (%d wrong)",
          wrong);
    tacit_model_free(m);
}

/* ---- cards and maps of releases made by hand ---- */

/* Two groups of 300 and 100 rows in `columns` columns of 0 to 1. variance: of the rows about their
   centers in each, with an error of a tenth; 0: it was not asked for. */
static tacit_model *by_hand(int32_t columns, const double *center, double sd, double variance)
{
    tacit_model *m = NULL;
    double within[64], error[64];

    MUST(2 * columns <= 64 && tac_model_new(ctx, 2, columns, &m) == TACIT_OK);
    MUST(tac_new(ctx, (size_t)columns, sizeof(double), &m->geometry.lower) == TACIT_OK);
    MUST(tac_new(ctx, (size_t)columns, sizeof(double), &m->geometry.upper) == TACIT_OK);
    for (int32_t j = 0; j < columns; j++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", (int)j);
        MUST(tac_model_set_text(ctx, &m->column[j], name) == TACIT_OK);
        m->geometry.upper[j] = 1;
    }
    m->sizes[0] = 300, m->sizes[1] = 100, m->sizes_sd = 4;
    for (int32_t i = 0; i < 2 * columns; i++) {
        m->centers[i] = center[i], m->centers_sd[i] = sd;
        within[i] = variance, error[i] = variance / 10;
    }
    MUST(tac_model_explain(ctx, m, variance > 0 ? within : NULL, error) == TACIT_OK);
    return m;
}

static char *cards_of(const tacit_model *model)
{
    const tac_profile p = tac_profile_of(model);
    tac_html html;
    char *text = NULL;

    tac_html_start(&html, ctx);
    tac_report_cards(&html, &p);
    MUST(tac_html_finish(&html, &text) == TACIT_OK);
    return text;
}

/* What a card says where no column is in the list of the release. */
static void test_cards(void)
{
    const double apart[] = {0.2, 0.5, 0.4, /**/ 0.8, 0.501, 0.6}, alike[] = {0.5, 0.5, 0.49, 0.5};
    tacit_model *unasked = by_hand(3, apart, 0.006, 0), *average = by_hand(2, alike, 0.006, 0.01),
                *noise = by_hand(2, alike, 0.3, 0.01), *empty = by_hand(3, apart, 0.006, 0);

    empty->sizes[1] = 7;
    char *page = cards_of(unasked), *none = cards_of(empty);
    const char *second = strstr(page, "Group 1"), *first = strstr(second, "<b>c0</b>");
    CHECK(tacit_model_distinct_count(unasked, 1) == 0 && first != NULL &&
              strstr(first, "<b>c2</b>") != NULL && strstr(second, "<b>c1</b>") == NULL,
          "where it was not asked how much rows differ, columns beyond the noise are named, the "
          "clearest first");
    CHECK(strstr(page, "nothing that") == NULL && strstr(page, "not known how much") != NULL,
          "and what their order is");
    CHECK(strstr(strstr(none, "Group 1"), "nothing that stands out") != NULL, "a group that may be "
                                                                              "empty has none");
    free(page);
    free(none);
    page = cards_of(average);
    none = cards_of(noise);
    CHECK(count(page, "near the mean of all rows") == 2, "a precise center that is average");
    CHECK(count(none, "nothing that stands out") == 2, "one that may be anywhere");
    free(page);
    free(none);
    tacit_model_free(unasked);
    tacit_model_free(average);
    tacit_model_free(noise);
    tacit_model_free(empty);
}

/* A column clustered by log(1 + x): errors and spreads are in its own units, times the slope at
   their own point. Only on the scale of the logarithm they compare. */
static void test_transformed(void)
{
    const double center[] = {0, 7.5}; /* log(1 + x) */
    tacit_model *m = by_hand(1, center, 0.05, 0.01);
    tac_features *f = &m->geometry.features;

    MUST(tac_features_new(ctx, 1, TACIT_MISSING_DROP_ROW, f) == TACIT_OK);
    MUST((f->feature[0].name = tac_strdup(ctx, "gain")) != NULL);
    f->feature[0].transform = TAC_LOG1P;
    tac_features_place(f);
    m->geometry.upper[0] = expm1(10);
    for (size_t i = 0; i < 2; i++) tac_features_restore_point(f, &m->centers[i], &m->centers_sd[i]);
    tac_features_restore_spread(f, m->overall->mean, m->overall->mean_sd, m->overall->sd,
                                m->overall->sd_sd);
    tac_features_restore_point(f, m->overall->mean, m->overall->mean_sd);
    const tac_profile p = tac_profile_of(m);
    CHECK(p.center_sd[1] > p.all.spread[0] && !tac_profile_is_noise(&p, 1, 0),
          "an error of 0.05 is none beside a spread of 3.2, whatever the slopes (%g, %g)",
          p.center_sd[1], p.all.spread[0]);
    m->centers_sd[0] = 2;
    CHECK(tac_profile_is_noise(&p, 0, 0), "one of 2 is mostly noise");
    CHECK(fabs(tac_profile_place(&p, 0, expm1(7.5)) - 0.75) < 1e-12 &&
              tac_profile_place(&p, 0, 0) == 0,
          "a center lies on the map where it was clustered");
    tacit_model_free(m);
}

static void test_number_text(void)
{
    char text[64];

    tac_value_text(text, sizeof text, 12.345, 0.42);
    CHECK(strcmp(text, "12.35 \xc2\xb1 0.42") == 0 || strcmp(text, "12.34 \xc2\xb1 0.42") == 0,
          "two digits of the error: %s", text);
    tac_value_text(text, sizeof text, 15931.2, 301);
    CHECK(strcmp(text, "15931 \xc2\xb1 301") == 0, "no decimals where they mean nothing: %s", text);
    tac_value_text(text, sizeof text, NAN, 1);
    CHECK(strcmp(text, "?") == 0, "what is not known is ?");
    tac_count_text(text, sizeof text, 1234567.4);
    CHECK(strcmp(text, "1,234,567") == 0, "groups of three: %s", text);
    tac_count_text(text, sizeof text, -12);
    CHECK(strcmp(text, "-12") == 0, "noise may be below 0: %s", text);
}

/* Rows near three planes, or an even cloud, which has no groups. */
static tacit_model *run_subspaces(bool groups)
{
    tacit_budget b = TACIT_BUDGET_INIT;
    tacit_subspace_opts o = TACIT_SUBSPACE_OPTS_INIT;
    tacit_synthetic_subspaces_opts s = TACIT_SYNTHETIC_SUBSPACES_OPTS_INIT;
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    double *x = NULL;
    int32_t *label = NULL;

    s.dimension = groups ? 2 : 4;
    s.subspaces = groups ? 3 : 1;
    s.noise = groups ? 0.01 : 0.4;
    b.epsilon = 4;
    b.delta = 1e-6;
    b.use_insecure_test_seed = 1;
    o.k = 3;
    o.q = 2;
    MUST(tacit_synthetic_subspaces(ctx, &s, &x, &label, NULL) == TACIT_OK);
    MUST(tacit_data_from_memory(ctx, x, TACIT_F64, s.rows, s.columns, &data) == TACIT_OK);
    MUST(tacit_data_set_ball(ctx, data, NULL, 1) == TACIT_OK);
    MUST(tacit_subspace_run(ctx, data, &b, &o, &model) == TACIT_OK);
    tacit_data_free(data);
    tacit_free(x);
    tacit_free(label);
    return model;
}

static void test_subspaces(void)
{
    tacit_model *clear = run_subspaces(true), *cloud = run_subspaces(false);
    char *page = page_of(clear), *other = page_of(cloud), *section = strstr(other, "<section>");

    CHECK(strstr(page, "3 subspaces among about 10,0") != NULL || strstr(page, "3 subspaces among "
                                                                               "about 9,9") != NULL,
          "the headline counts subspaces");
    CHECK(count(page, "direction</th>") == 1 && count(page, "<h3>Subspace ") == 3 &&
              strstr(page, "How far the subspaces are apart") != NULL,
          "loadings as a table, a card each, distances");
    CHECK(strstr(page, "Perhaps no groups") == NULL, "clear subspaces have no warning");
    CHECK(section != NULL && strstr(section, "Perhaps no groups") != NULL &&
              count(other, "do not read them as groups") == 1,
          "of a cloud the page says once, where they are shown, that they may be none");
    free(page);
    free(other);
    tacit_model_free(clear);
    tacit_model_free(cloud);
}

enum { TABLE_ROWS = 1500, TABLE_COLUMNS = 60 };
static double counts[TABLE_ROWS * TABLE_COLUMNS];

static int keep_row(int64_t row, int32_t cluster, const int32_t *column, const int32_t *number,
                    int32_t entries, void *payload)
{
    (void)cluster;
    (void)payload;
    for (int32_t e = 0; e < entries; e++) counts[row * TABLE_COLUMNS + column[e]] = number[e];
    return 0;
}

static void test_blocks(void)
{
    tacit_budget b = TACIT_BUDGET_INIT;
    tacit_cocluster_opts o = TACIT_COCLUSTER_OPTS_INIT;
    tacit_synthetic_counts_opts s = TACIT_SYNTHETIC_COUNTS_OPTS_INIT;
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    const char *names[TABLE_COLUMNS];
    char name[TABLE_COLUMNS][32];
    int missing = 0;

    s.rows = TABLE_ROWS;
    s.columns = TABLE_COLUMNS;
    s.row_clusters = s.column_clusters = o.row_clusters = o.column_clusters = 3;
    b.epsilon = 4;
    b.delta = 1e-6;
    b.use_insecure_test_seed = 1;
    for (int j = 0; j < TABLE_COLUMNS; j++) {
        snprintf(name[j], sizeof name[j], "<b>item &%d", j);
        names[j] = name[j];
    }
    MUST(tacit_synthetic_counts(ctx, &s, keep_row, NULL) == TACIT_OK);
    MUST(tacit_data_from_memory(ctx, counts, TACIT_F64, TABLE_ROWS, TABLE_COLUMNS, &data) ==
         TACIT_OK);
    MUST(tacit_data_set_columns(ctx, data, names) == TACIT_OK);
    MUST(tacit_cocluster_run(ctx, data, &b, &o, &model) == TACIT_OK);
    char *page = page_of(model);
    for (int j = 0; j < TABLE_COLUMNS; j++) {
        char row[80];
        snprintf(row, sizeof row, "<th scope=\"row\">&lt;b&gt;item &amp;%d</th>", j);
        missing += count(page, row) != 1;
    }
    CHECK(missing == 0 && strstr(page, "<b>") == NULL, "every column is in the table once");
    CHECK(count(page, "<title>Rows ") == 9 || count(page, "<title>Rows ") == 12,
          "every block says its numbers under the pointer");
    free(page);
    tacit_model_free(model);
    tacit_data_free(data);
}

/* A release against itself has not changed; against other rows it has. */
static void test_comparison(void)
{
    const char *const names[] = {"age", "<i>stay", "cost"};
    tacit_model *a = run(4, 3, names, false), *b = run(3, 3, names, false);
    const tacit_model *const twice[] = {a, a}, *const both[] = {a, b}, *const one[] = {a, NULL};
    char *same = NULL, *other = NULL, *none = NULL;
    tacit_comparison *c = NULL;

    MUST(tacit_comparison_html(ctx, twice, 2, &same) == TACIT_OK);
    MUST(tacit_comparison_html(ctx, both, 2, &other) == TACIT_OK);
    MUST(tacit_model_compare(ctx, a, b, &c) == TACIT_OK);
    CHECK(strstr(same, "<h1>Nothing changed beyond the noise") != NULL, "the same: no change");
    CHECK(tacit_comparison_change_count(c) > 0 &&
              count(other, "<th scope=\"row\">Group ") == tacit_comparison_change_count(c) &&
              count(other, ">none</td>") == 1 && strstr(other, "<i>") == NULL,
          "every change has its line, and the group without a partner");
    CHECK(tacit_comparison_html(ctx, one, 2, &none) == TACIT_E_ARGUMENT && none == NULL &&
              tacit_comparison_html(ctx, twice, 1, &none) == TACIT_E_ARGUMENT,
          "one release only");
    free(same);
    free(other);
    tacit_comparison_free(c);
    tacit_model_free(a);
    tacit_model_free(b);
}

/* Four releases: the second as the first, the third of other groups, the last again the first. */
static void test_series(void)
{
    const char *const names[] = {"age", "stay", "cost"}, *const fewer[] = {"age", "stay"};
    tacit_model *a = run(4, 3, names, false), *b = run(3, 3, names, false),
                *narrow = run(3, 2, fewer, false);
    const tacit_model *const all[] = {a, a, b, a}, *const unlike[] = {a, b, narrow};
    tacit_comparison *c[4] = {NULL}, *pair = NULL;
    char *page = NULL, *none = NULL;

    MUST(tacit_model_compare_series(ctx, all, 4, c) == TACIT_OK);
    MUST(tacit_model_compare(ctx, a, b, &pair) == TACIT_OK);
    CHECK(tacit_comparison_change_count(c[0]) == 0 && tacit_comparison_change_count(c[1]) > 0 &&
              tacit_comparison_change_count(c[2]) == tacit_comparison_change_count(c[1]) &&
              tacit_comparison_change_count(c[3]) == 0,
          "each release is compared with the next, and the first with the last");
    CHECK(tacit_comparison_threshold(c[0]) == tacit_comparison_threshold(c[3]) &&
              tacit_comparison_threshold(c[0]) > tacit_comparison_threshold(pair),
          "all have one threshold, above that of a pair: more numbers are compared");
    MUST(tacit_comparison_html(ctx, all, 4, &page) == TACIT_OK);
    const char *steps = strstr(page, "<h2>Step by step"), *tracks = strstr(page, "<h2>Which group");
    MUST(steps != NULL && tracks != NULL);
    CHECK(strstr(page, "<h1>Nothing changed beyond the noise from the first to the last of 4 "
                       "releases, of 4 and 4 groups</h1>") != NULL,
          "the headline is about the first and the last");
    /* a number that went away in the third and came back in the last: one line, two changes */
    CHECK(count(steps, "<strong>") == 2 * tacit_comparison_change_count(c[1]) &&
              count(steps, "<th scope=\"row\">Group ") == tacit_comparison_change_count(c[1]),
          "every change of a step is marked, in one line for each number");
    /* four groups; the one without a partner in the third begins anew in the last */
    CHECK(count(tracks, "<td class=\"left\">Group ") == 4 + 4 + 3 + 4 &&
              count(tracks, ">none</td>") == 5 * 4 - 15,
          "groups are followed through all releases");
    CHECK(tacit_comparison_html(ctx, unlike, 3, &none) == TACIT_E_ARGUMENT &&
              strstr(tacit_ctx_message(ctx), "releases 2 and 3: ") != NULL,
          "it says which do not fit: %s", tacit_ctx_message(ctx));
    for (int i = 0; i < 4; i++) tacit_comparison_free(c[i]);
    tacit_comparison_free(pair);
    free(page);
    tacit_model_free(a);
    tacit_model_free(b);
    tacit_model_free(narrow);
}

/* Columns in another order are told by their names. */
static void test_series_order(void)
{
    const char *const names[] = {"age", "stay", "cost"}, *const turned[] = {"cost", "age", "stay"};
    tacit_model *a = run(4, 3, names, false), *b = run(3, 3, turned, false);
    const tacit_model *const all[] = {a, b, a};
    const tac_profile p = tac_profile_of(b);
    tacit_comparison *c[3] = {NULL};
    char *page = NULL, text[64], cell[128];
    int wrong = 0, seen = 0;

    MUST(tacit_model_compare_series(ctx, all, 3, c) == TACIT_OK);
    MUST(tacit_comparison_html(ctx, all, 3, &page) == TACIT_OK);
    const char *steps = strstr(page, "<h2>Step by step");
    MUST(steps != NULL);
    for (int32_t i = 0; i < tacit_comparison_change_count(c[0]); i++) {
        tacit_change d = TACIT_CHANGE_INIT;
        MUST(tacit_comparison_change_get(c[0], i, &d) == TACIT_OK);
        if (d.column < 0) continue;
        tac_profile_short(&p, (d.column + 1) % 3, d.after, text, sizeof text);
        snprintf(cell, sizeof cell, "<strong>%s</strong>", text);
        wrong += strstr(steps, cell) == NULL;
        seen++;
    }
    CHECK(seen > 0 && wrong == 0, "%d numbers stand under their columns' names", seen);
    for (int i = 0; i < 3; i++) tacit_comparison_free(c[i]);
    free(page);
    tacit_model_free(a);
    tacit_model_free(b);
}

static void test_refusals(void)
{
    tacit_model *model = run(2, 2, NULL, false);
    char *page = NULL;

    CHECK(tacit_model_html(ctx, NULL, &page) == TACIT_E_ARGUMENT && page == NULL, "no model");
    CHECK(tacit_model_html(ctx, model, NULL) == TACIT_E_ARGUMENT, "nowhere to put it");
    tacit_model_free(model);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_number_text();
    test_hostile_names();
    test_policy();
    test_numbers();
    test_sizes();
    test_coordinates();
    test_cards();
    test_transformed();
    test_subspaces();
    test_blocks();
    test_comparison();
    test_series();
    test_series_order();
    test_refusals();
    tacit_ctx_free(ctx);
    return tap_done();
}
