/* SPDX-License-Identifier: Apache-2.0 */
/* Features: values of a row become coordinates, bounds of columns a box of them, released points go
   back. What options and declarations say of columns. */
#include "data/dataset/dataset.h"
#include "data/dataset/declaration.h"
#include "data/lattice/frame.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

static tacit_ctx *ctx;
static char folder[] = "/tmp/tacit-test-XXXXXX";

static const char *file(const char *name, const char *text)
{
    static char path[4][256];
    static int turn;
    char *p = path[turn++ % 4];
    snprintf(p, 256, "%s/%s", folder, name);
    FILE *f = fopen(p, "wb");
    MUST(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
    return p;
}

static bool says(const char *words)
{
    const bool found = strstr(tacit_ctx_message(ctx), words) != NULL;
    if (!found) printf("# it says: %s\n", tacit_ctx_message(ctx));
    return found;
}

/* age (number), sex (F, M, own category), spend (log), visits (filled with 3) */
static void make(tac_features *f)
{
    static char *const sexes[] = {(char *)(uintptr_t) "F", (char *)(uintptr_t) "M"};
    static const char *const names[] = {"age", "sex", "spend", "visits"};

    MUST(tac_features_new(ctx, 4, TACIT_MISSING_DROP_ROW, f) == TACIT_OK);
    for (int i = 0; i < 4; i++) MUST((f->feature[i].name = tac_strdup(ctx, names[i])) != NULL);
    MUST(tac_feature_set_words(ctx, "here", sexes, 2, &f->feature[1]) == TACIT_OK);
    f->feature[1].missing = TACIT_MISSING_OWN_CATEGORY;
    f->feature[2].transform = TAC_LOG;
    f->feature[3].missing = TACIT_MISSING_FILL;
    f->feature[3].fill = 3;
    tac_features_place(f);
}

static void test_encode(void)
{
    tac_features f;
    char *name = NULL;
    /* room for six coordinates a row */
    double rows[4 * 6] = {40,      1, M_E, 7, /**/ 50,  NAN, 1,  NAN,
                          /**/ 60, 0, 0,   1, /**/ NAN, 5,   -1, 2};
    const double expected[4][6] = {{40, 0, 1, 0, 1, 7},
                                   {50, 0, 0, 1, 0, 3},
                                   {60, 1, 0, 0, -INFINITY, 1},
                                   {NAN, NAN, NAN, NAN, -INFINITY, 2}};
    bool same = true;

    make(&f);
    CHECK(f.dims == 6 && f.feature[2].first == 4 && !f.plain && f.drops, "three categories are "
                                                                         "three coordinates");
    tac_features_encode(&f, 4, rows);
    for (int r = 0; r < 4; r++)
        for (int j = 0; j < 6; j++) {
            const double x = rows[r * 6 + j], y = expected[r][j];
            same = same && (isnan(y) ? isnan(x) : x == y || fabs(x - y) < 1e-15);
        }
    CHECK(same, "values become coordinates in place: numbers, categories, logarithms, fills");
    CHECK(!tac_features_drop(&f, rows) && !tac_features_drop(&f, rows + 6) &&
              tac_features_drop(&f, rows + 18),
          "a row is left out for a number that it lacks and that nothing stands for");
    MUST(tac_coordinate_name(ctx, &f, 3, &name) == TACIT_OK);
    CHECK(strcmp(name, "sex=(missing)") == 0, "a coordinate is called after column and category");
    tac_free(name);
    tac_features_clear(&f);
}

/* Is x the point of the simplex that is nearest to y? KKT: x_w = max(0, y_w - t) for one t. */
static bool nearest_shares(const double *y, const double *x, int count)
{
    double sum = 0, t = NAN;

    for (int w = 0; w < count; w++) {
        sum += x[w];
        if (x[w] > 0) t = y[w] - x[w];
    }
    for (int w = 0; w < count; w++)
        if (x[w] < 0 || x[w] > 1 || fabs(x[w] - fmax(0, y[w] - t)) > 1e-9) return false;
    return fabs(sum - 1) < 1e-12;
}

static void test_points(void)
{
    tac_features f;
    double point[6] = {40, 0.7, 0.4, -0.05, log(200), 9}, sd[6] = {1, .1, .1, .1, 0.5, 2}, back[6];
    bool good = true;

    make(&f);
    memcpy(back, point, sizeof back);
    tac_features_restore_point(&f, back, sd);
    CHECK(nearest_shares(point + 1, back + 1, 3), "shares lie in [0, 1] and add up to 1");
    CHECK(fabs(back[4] - 200) < 1e-9 && fabs(sd[4] - 100) < 1e-9 && back[0] == 40 && sd[0] == 1,
          "a mean of logarithms comes back as a geometric mean, its error with it");
    tac_features_transform_point(&f, back);
    CHECK(fabs(back[4] - log(200)) < 1e-12, "and back again");
    srand(5);
    for (int t = 0; t < 2000 && good; t++) {
        double y[6] = {0}, x[6];
        for (int w = 1; w < 4; w++) y[w] = 6.0 * rand() / RAND_MAX - 2;
        memcpy(x, y, sizeof x);
        tac_features_restore_point(&f, x, NULL);
        good = nearest_shares(y + 1, x + 1, 3);
    }
    CHECK(good, "2000 random points: the nearest shares");
    tac_features_clear(&f);
}

static void test_dates(void)
{
    static const struct {
        const char *text;
        double days;
    } known[] = {{"1970-01-01", 0},       {"1969-12-31", -1},          {"2000-02-29", 11016},
                 {"2000-03-01", 11017},   {"2026-11-17", 20774},       {"1900-03-01", -25508},
                 {" 2026-11-17 ", 20774}, {"2026-11-17T23:59", 20774}, {"0001-01-01", -719162}};
    static const char *const bad[] = {
        "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10",  "2026-1-1",
        "17.11.2026", "2026-11-31", "20261117",   "2026-11-17x", ""};
    bool good = true, round = true;
    double days;
    char text[16];

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        good = good && tac_parse_date(known[i].text, strlen(known[i].text), &days) &&
               days == known[i].days;
    CHECK(good, "known dates have their days");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        good = good && !tac_parse_date(bad[i], strlen(bad[i]), &days);
    CHECK(good, "dates that there are not are refused");
    for (int day = -719162; day < 2932896; day += 37) {
        tac_write_date(day, text);
        round = round && tac_parse_date(text, strlen(text), &days) && days == day;
    }
    CHECK(round, "a day's date is that day's, from the year 1 to 9999");
}

/* Squared distance on the lattice of two rows of values. */
static double apart(const tac_frame *frame, const tac_features *f, const double *a, const double *b)
{
    double x[16], y[16], p[16], q[16], squared = 0;

    memcpy(x, a, (size_t)f->count * sizeof *x);
    memcpy(y, b, (size_t)f->count * sizeof *y);
    tac_features_encode(f, 1, x);
    tac_features_encode(f, 1, y);
    tac_frame_to_lattice(frame, x, p);
    tac_frame_to_lattice(frame, y, q);
    for (int j = 0; j < f->dims; j++) squared += (p[j] - q[j]) * (p[j] - q[j]);
    return squared;
}

static void test_domain(void)
{
    tac_features f;
    double lower[] = {0, 0, 1, 0}, upper[] = {100, 1, 1000, 50};
    const tac_domain declared = {
        .kind = TAC_DOMAIN_BOX, .lower = lower, .upper = upper, .origin = "declared"};
    tac_domain domain;
    tac_frame frame = {0};
    const double base[] = {0, 0, 1, 0}, age[] = {100, 0, 1, 0}, sex[] = {0, 1, 1, 0},
                 none[] = {0, NAN, 1, 0}, spend[] = {0, 0, 1000, 0}, far[] = {-7, 0, -3, 1e9},
                 visits[] = {0, 0, 1, 50};

    make(&f);
    MUST(tac_domain_spread(ctx, &declared, 4, &f, &domain) == TACIT_OK &&
         tac_frame_from_domain(ctx, &domain, f.dims, TACIT_SCALE_RANGE, &frame) == TACIT_OK);
    const double one = apart(&frame, &f, base, age);
    CHECK(fabs(apart(&frame, &f, base, sex) / one - 1) < 1e-9 &&
              fabs(apart(&frame, &f, base, none) / one - 1) < 1e-9 &&
              fabs(apart(&frame, &f, base, spend) / one - 1) < 1e-9,
          "two categories are as far apart as the ends of a range, of a logarithm too");
    CHECK(fabs(apart(&frame, &f, far, visits)) < 1e-6, "values are moved to their bounds first");
    double longest = 0;
    for (int corner = 0; corner < 24; corner++) {
        double row[16] = {corner & 1 ? 100 : 0, corner % 3, corner & 4 ? 1000 : 1,
                          corner & 8 ? 50 : 0};
        int16_t point[16];
        int64_t squared = 0;
        if (corner % 3 == 2) row[1] = NAN;
        tac_features_encode(&f, 1, row);
        tac_frame_apply(&frame, row, NULL, point);
        for (int j = 0; j < f.dims; j++) squared += (int64_t)point[j] * point[j];
        longest = fmax(longest, sqrt((double)squared));
    }
    CHECK(longest <= TAC_M && longest > TAC_M - 3, "the corners fill the ball and stay inside it");
    tac_frame_clear(&frame);
    tac_domain_clear(&domain);
    f.feature[0].weight = 3;
    tac_features_place(&f);
    MUST(tac_domain_spread(ctx, &declared, 4, &f, &domain) == TACIT_OK &&
         tac_frame_from_domain(ctx, &domain, f.dims, TACIT_SCALE_RANGE, &frame) == TACIT_OK);
    CHECK(fabs(apart(&frame, &f, base, age) / apart(&frame, &f, base, visits) - 9) < 1e-9,
          "a weight of 3 makes distances three times as long");
    tac_frame_clear(&frame);
    tac_domain_clear(&domain);
    tac_features_clear(&f);
}

static tacit_status open_said(const char *path, const tacit_data_opts *o, const char *bounds,
                              tacit_data **out)
{
    const tacit_status status = tacit_data_open(ctx, path, o, out);

    if (status != TACIT_OK || bounds == NULL) return status;
    const tacit_status declared = tacit_data_declare_bounds(ctx, *out, bounds);
    if (declared != TACIT_OK) {
        tacit_data_free(*out);
        *out = NULL;
    }
    return declared;
}

static void test_selection(void)
{
    const char *path = file("p.csv", "patient_id,name,age,stay,birth\nP1,Ann,30,2,1990-01-01\n");
    tacit_data_opts o = TACIT_DATA_OPTS_INIT;
    tacit_data *d = NULL;

    CHECK(open_said(path, &o, "age=0:120,stay=0:60", &d) == TACIT_OK &&
              tacit_data_column_count(d) == 2 && strcmp(tacit_data_column_get(d, 1), "stay") == 0,
          "bounds that name columns select them");
    tacit_data_free(d);
    CHECK(open_said(path, &o, "3=0:120,5=1920-01-01:2020-12-31", &d) == TACIT_OK &&
              tacit_data_column_count(d) == 2 && d->domain.lower[1] == -18263 &&
              d->features.feature[1].value.kind == TAC_VALUE_DATE,
          "by number too, and dates are days");
    tacit_data_free(d);
    CHECK(open_said(path, &o, "0:1", &d) == TACIT_E_DOMAIN && says("'patient_id'") &&
              says("suggests an id"),
          "one range for all refuses a column whose name suggests an id, by name");
    o.columns = "age,stay";
    CHECK(open_said(path, &o, "0:60,age=18:100", &d) == TACIT_OK && d->domain.lower[0] == 18 &&
              d->domain.upper[1] == 60,
          "a range for all, with exceptions");
    tacit_data_free(d);
    CHECK(open_said(path, &o, "age=18:100", &d) == TACIT_E_DOMAIN && says("leave out") &&
              says("'stay'"),
          "columns that were chosen by name must all have bounds");
    CHECK(open_said(path, &o, "0:1,2:3", &d) == TACIT_E_DOMAIN && says("two ranges for all"),
          "two ranges for all are one too many");
    o.columns = NULL;
    CHECK(open_said(path, &o, "age=private,stay=private:0:100", &d) == TACIT_OK &&
              d->domain.estimate != NULL && d->domain.estimate[0] && isinf(d->domain.lower[0]) &&
              d->domain.upper[1] == 100,
          "private bounds, with limits or without");
    tacit_data_free(d);
    static const char *const ids[] = {"id",        "patient_id", "CustomerID", "e-mail",
                                      "last name", "id_cliente", "order_date"};
    static const char *const measures[] = {
        "age", "time_in_hospital", "identity", "dates_seen", "paid", "x1", "avoid"};
    bool good = true;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        o.columns = NULL;
        char text[64];
        snprintf(text, sizeof text, "a,%s\n1,2\n", ids[i]);
        good = good && open_said(file("i.csv", text), &o, "0:1", &d) == TACIT_E_DOMAIN;
        snprintf(text, sizeof text, "a,%s\n1,2\n", measures[i]);
        const bool taken = open_said(file("m.csv", text), &o, "0:1", &d) == TACIT_OK;
        if (taken) tacit_data_free(d);
        good = good && taken;
    }
    CHECK(good, "names that suggest ids, and names that do not");
}

static void test_said(void)
{
    static const struct {
        const char *categories, *weights, *transforms, *missing, *bounds, *words;
        tacit_status status;
    } bad[] = {
        {"sx=F|M", NULL, NULL, NULL, NULL, "did you mean 'sex'", TACIT_E_ARGUMENT},
        {"sex", NULL, NULL, NULL, NULL, "no '='", TACIT_E_ARGUMENT},
        {"sex=F|F", NULL, NULL, NULL, NULL, "twice", TACIT_E_ARGUMENT},
        {"sex=F||M", NULL, NULL, NULL, NULL, "category 2", TACIT_E_ARGUMENT},
        {"sex=F|(missing)", NULL, NULL, NULL, NULL, "category 2", TACIT_E_ARGUMENT},
        {"sex=F|M,sex=A|B", NULL, NULL, NULL, NULL, "twice", TACIT_E_ARGUMENT},
        {NULL, "age=0", NULL, NULL, NULL, "weight", TACIT_E_ARGUMENT},
        {NULL, "age=-1", NULL, NULL, NULL, "weight", TACIT_E_ARGUMENT},
        {NULL, "age=much", NULL, NULL, NULL, "no number", TACIT_E_ARGUMENT},
        {NULL, "age=nan", NULL, NULL, NULL, "no number", TACIT_E_ARGUMENT},
        {NULL, NULL, "age=ln", NULL, NULL, "log, log1p, sqrt", TACIT_E_ARGUMENT},
        {"sex=F|M", NULL, "sex=log", NULL, NULL, "holds categories", TACIT_E_ARGUMENT},
        {NULL, NULL, "age=log", NULL, "age=0:10", "above 0", TACIT_E_DOMAIN},
        {NULL, NULL, "age=log1p", NULL, "age=-1:10", "above -1", TACIT_E_DOMAIN},
        {NULL, NULL, "age=sqrt", NULL, "age=-5:10", "0 or above", TACIT_E_DOMAIN},
        {NULL, NULL, NULL, "drop", NULL, "drop-row", TACIT_E_ARGUMENT},
        {NULL, NULL, NULL, "age=reject-file", NULL, "rule for all columns", TACIT_E_ARGUMENT},
        {NULL, NULL, NULL, "age=own-category", NULL, "no categories", TACIT_E_ARGUMENT},
        {NULL, NULL, NULL, "age=fill:old", NULL, "no value of it", TACIT_E_ARGUMENT},
        {"sex=F|M", NULL, NULL, "sex=fill:X", NULL, "no value of it", TACIT_E_ARGUMENT},
        {"sex=F|M", NULL, NULL, NULL, "sex=0:1,age=0:9,sex=0:2", "twice", TACIT_E_DOMAIN},
        {NULL, NULL, NULL, NULL, "age=1990-01-01:5", "not two finite numbers", TACIT_E_DOMAIN},
        {NULL, NULL, NULL, NULL, "age=private:5:1", "reversed", TACIT_E_DOMAIN},
        {NULL, NULL, NULL, "age=fill:2020-01-01", "age=0:9", "filled with a date", TACIT_E_DOMAIN},
        {NULL, NULL, NULL, "age=fill:5", "age=1990-01-01:2020-01-01", "filled with a number",
         TACIT_E_DOMAIN},
    };
    const char *path = file("s.csv", "sex,age\nF,30\n");

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tacit_data_opts o = TACIT_DATA_OPTS_INIT;
        tacit_data *d = NULL;
        o.categories = bad[i].categories;
        o.weights = bad[i].weights;
        o.transforms = bad[i].transforms;
        o.missing_rules = bad[i].missing;
        const tacit_status status = open_said(path, &o, bad[i].bounds, &d);
        CHECK(status == bad[i].status && says(bad[i].words), "refused with a reason: %s",
              bad[i].words);
        tacit_data_free(d);
    }
}

/* Complete rows count, whoever else is there. */
static void test_kept(void)
{
    const char *with = "who,x,y\na,1,2\na,,3\na,4,5\nb,6,\nb,7,8\n", *without = "who,x,y\na,1,2\na,"
                                                                                ",3\na,4,5\n";
    tacit_data_opts o = TACIT_DATA_OPTS_INIT;
    tacit_data *d = NULL;
    uint64_t *keep = NULL;

    o.columns = "x,y";
    MUST(tacit_data_open(ctx, file("k.csv", with), &o, &d) == TACIT_OK &&
         tac_data_load(ctx, d, NULL) == TACIT_OK && tac_data_kept(ctx, d, 1, &keep) == TACIT_OK);
    CHECK(keep != NULL && keep[0] == 0x15, "rows that lack a value are left out");
    tac_free(keep);
    tacit_data_free(d);
    o.missing_rules = "midpoint";
    MUST(tacit_data_open(ctx, file("k.csv", with), &o, &d) == TACIT_OK &&
         tac_data_load(ctx, d, NULL) == TACIT_OK && tac_data_kept(ctx, d, 1, &keep) == TACIT_OK);
    CHECK(keep == NULL, "unless another rule says what they become");
    tacit_data_free(d);
    o.missing_rules = "x=fill:0";
    MUST(tacit_data_open(ctx, file("k.csv", with), &o, &d) == TACIT_OK &&
         tac_data_load(ctx, d, NULL) == TACIT_OK && tac_data_kept(ctx, d, 1, &keep) == TACIT_OK);
    CHECK(keep != NULL && keep[0] == 0x17, "a rule for one column");
    tac_free(keep);
    tacit_data_free(d);
    o.missing_rules = NULL;
    o.unit_column = "who";
    uint64_t *kept[2] = {NULL, NULL};
    for (int side = 0; side < 2; side++) {
        MUST(tacit_data_open(ctx, file("k.csv", side ? without : with), &o, &d) == TACIT_OK &&
             tac_data_load(ctx, d, NULL) == TACIT_OK &&
             tac_data_kept(ctx, d, 2, &kept[side]) == TACIT_OK);
        tacit_data_free(d);
    }
    CHECK(kept[0][0] == 0x15 && kept[1][0] == 0x5, "an incomplete row takes no place of its "
                                                   "person, and no other person changes that");
    tac_free(kept[0]);
    tac_free(kept[1]);
}

static void test_declared(void)
{
    static const char json[] =
        "{\"fields\": [{\"name\": \"sex\", \"type\": \"string\", \"constraints\": {\"enum\": "
        "[\"F\", "
        "\"M\"]}, \"tacit\": {\"missing\": \"own-category\"}}, {\"name\": \"age\", \"type\": "
        "\"number\", \"constraints\": {\"minimum\": 1, \"maximum\": 100}, \"tacit\": {\"weight\": "
        "2, "
        "\"transform\": \"log\", \"fill\": 40}}, {\"name\": \"born\", \"type\": \"date\", "
        "\"constraints\": {\"minimum\": \"1900-01-01\", \"maximum\": \"2020-12-31\"}, \"tacit\": "
        "{\"role\": \"feature\"}}, {\"name\": \"ok\", \"type\": \"boolean\"}, {\"name\": \"pay\", "
        "\"type\": \"number\", \"tacit\": {\"bounds\": \"private\"}}], \"tacit\": {\"format\": "
        "\"csv\"}}";
    const char *path = file("d.csv", "sex,age,born,ok,pay\nF,30,1990-01-01,true,10\n");
    tacit_data_opts o = TACIT_DATA_OPTS_INIT;
    tacit_declaration *d = NULL, *again = NULL, *bound = NULL;
    tacit_data *data = NULL;
    char *text = NULL, *twice = NULL;

    MUST(tacit_declaration_parse(ctx, json, &d) == TACIT_OK);
    o.declaration = d;
    MUST(tacit_data_open(ctx, path, &o, &data) == TACIT_OK);
    CHECK(data->features.count == 5 && tac_data_dims(data) == 3 + 1 + 1 + 2 + 1 &&
              data->domain.kind == TAC_DOMAIN_BOX && data->domain.estimate[4] &&
              !data->domain.estimate[1],
          "a declaration says what columns hold");
    MUST(tacit_data_declaration(ctx, data, TACIT_ADD_REMOVE, 0, &bound) == TACIT_OK &&
         tacit_declaration_json(ctx, bound, &text) == TACIT_OK &&
         tacit_declaration_parse(ctx, text, &again) == TACIT_OK &&
         tacit_declaration_json(ctx, again, &twice) == TACIT_OK);
    CHECK(strcmp(text, twice) == 0 && tacit_declaration_compare(ctx, again, bound) == TACIT_OK &&
              strstr(text, "\"1900-01-01\"") != NULL && strstr(text, "own-category") != NULL,
          "it is written, read and written again as the same bytes");
    CHECK(tac_declaration_agrees(ctx, bound, data, false, NULL) == TACIT_OK, "the data is what was "
                                                                             "declared");
    data->features.feature[1].transform = TAC_SQRT;
    CHECK(tac_declaration_agrees(ctx, bound, data, false, NULL) == TACIT_E_DECLARED && says("'age"
                                                                                            "'"),
          "another transform is not, and the column is named");
    tacit_free(text);
    tacit_free(twice);
    tacit_declaration_free(again);
    tacit_declaration_free(bound);
    tacit_data_free(data);
    tacit_declaration_free(d);
}

int main(void)
{
    MUST(mkdtemp(folder) != NULL && tacit_ctx_new(&ctx) == TACIT_OK);
    test_encode();
    test_points();
    test_dates();
    test_domain();
    test_selection();
    test_said();
    test_kept();
    test_declared();
    tacit_ctx_free(ctx);
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? tap_done() : 1;
}
