/* SPDX-License-Identifier: Apache-2.0 */
/* The release: its exact text, back and forth, and files written whole or not at all. */
#include "json/json.h"
#include "release_text.h"

#include <dirent.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static char *get_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    MUST(file != NULL && text != NULL);
    text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
    fclose(file);
    return text;
}

static int entries(const char *path) /* hidden files too */
{
    DIR *dir = opendir(path);
    int count = 0;
    MUST(dir != NULL);
    while (readdir(dir) != NULL) count++;
    closedir(dir);
    return count - 2;
}

#define SET(field, text) MUST(tac_model_set_text(ctx, &(field), (text)) == TACIT_OK)

static tacit_model *small_model(void)
{
    tacit_model *model = NULL;
    MUST(tac_model_new(ctx, 2, 2, &model) == TACIT_OK);
    SET(model->family, "kmeans");
    SET(model->method, "lloyd");
    SET(model->column[0], "age");
    SET(model->column[1], "stay");
    const double centers[] = {41.5, 3.25, 70, 0.1}, sd[] = {0.5, 0.25, 1.0 / 3, NAN},
                 sizes[] = {510.5, -3};
    memcpy(model->centers, centers, sizeof centers);
    memcpy(model->centers_sd, sd, sizeof sd);
    memcpy(model->sizes, sizes, sizeof sizes);
    model->sizes_sd = 12.3;
    const double spread[] = {8.5, 1.5, 2, NAN}, spread_sd[] = {0.75, 0.125, 0.5, NAN};
    MUST(tac_new(ctx, 4, sizeof(double), &model->spread) == TACIT_OK);
    MUST(tac_new(ctx, 4, sizeof(double), &model->spread_sd) == TACIT_OK);
    memcpy(model->spread, spread, sizeof spread);
    memcpy(model->spread_sd, spread_sd, sizeof spread_sd);
    MUST(tac_model_new_overall(ctx, model) == TACIT_OK);
    MUST(tac_new(ctx, 2, sizeof *model->distinct, &model->distinct) == TACIT_OK);
    tac_overall *o = model->overall;
    o->mean[0] = 42, o->mean[1] = 3, o->mean_sd[0] = 0.5, o->mean_sd[1] = NAN;
    o->sd[0] = 10, o->sd_sd[0] = 0.25;
    model->distinct_start[2] = 2;
    model->distinct[0] = (tac_distinct){0, 1, 2.75};
    model->distinct[1] = (tac_distinct){1, -1, 0.5};
    model->rounds = 7;
    MUST(tac_new(ctx, 3, sizeof(double), &model->curve) == TACIT_OK);
    model->curve_count = 3;
    model->curve[1] = 0.75;
    model->curve[2] = -0.5;
    model->choice = (tacit_k_choice){sizeof(tacit_k_choice), TACIT_K_CLEAR, 0.75, 0.125, 2, 3, 2};
    MUST(tac_model_new_notes(ctx, model, 1) == TACIT_OK);
    SET(model->note[0], "center 2 is mostly noise");
    MUST(tac_new(ctx, 2, sizeof(double), &model->geometry.lower) == TACIT_OK);
    MUST(tac_new(ctx, 2, sizeof(double), &model->geometry.upper) == TACIT_OK);
    model->geometry.upper[0] = 120;
    model->geometry.upper[1] = 60;
    SET(model->geometry.origin, "declared");
    tac_card *card = &model->card;
    SET(card->unit, "row");
    card->rows_per_unit = 1;
    card->epsilon = 1;
    card->delta = 1e-6;
    SET(card->accountant, "gaussian");
    card->native_budget = 0.0625;
    card->native_spent = 0.0625;
    SET(card->guarantee, "(1, 1e-06)-differential privacy for one row");
    SET(card->paper, "Blum et al. 2005");
    SET(card->version, "0.1.0");
    MUST(tac_model_new_queries(ctx, model, 2) == TACIT_OK);
    for (int i = 0; i < 2; i++) {
        SET(card->query[i].what, i == 0 ? "noisy count" : "Lloyd round 1");
        SET(card->query[i].kind, i == 0 ? "count" : "sums");
        SET(card->query[i].noise, "discrete Gaussian");
        card->query[i].scale = i == 0 ? 8388608 : 123456789;
        card->query[i].sensitivity = i == 0 ? 1048576 : 46340.25;
        card->query[i].cost = 0.03125;
        card->query[i].answers = i == 0 ? 1 : 6;
    }
    return model;
}

static void test_text(void)
{
    tacit_model *model = small_model();
    char *text = NULL, *again;

    MUST(tacit_model_json(ctx, model, &text) == TACIT_OK);
    CHECK(strcmp(text, golden) == 0, "the golden text of a small model");
    if (strcmp(text, golden) != 0) printf("# %s\n", text);
    again = rewritten(text);
    CHECK(again != NULL && strcmp(text, again) == 0, "write, read, write: the same bytes");
    tacit_free(text);
    tacit_free(again);

    CHECK(tacit_model_k(model) == 2 && tacit_model_column_count(model) == 2 &&
              tacit_model_sizes_sd(model) == 12.3 && tacit_model_centers(model)[3] == 0.1 &&
              tacit_model_centers_sd(model)[0] == 0.5 && tacit_model_sizes(model)[1] == -3 &&
              tacit_model_is_private(model) == 1,
          "getters");
    CHECK(strcmp(tacit_model_column_get(model, 1), "stay") == 0 &&
              tacit_model_column_get(model, 2) == NULL && tacit_model_column_get(model, -1) == NULL,
          "columns by index");
    CHECK(tacit_model_k(NULL) == 0 && tacit_model_centers(NULL) == NULL &&
              tacit_model_is_private(NULL) == 0,
          "no model: nothing, and not private");

    int32_t count = 0;
    const double *curve = tacit_model_curve(model, &count);
    CHECK(strcmp(tacit_model_family(model), "kmeans") == 0 &&
              strcmp(tacit_model_method(model), "lloyd") == 0 && tacit_model_family(NULL) == NULL &&
              tacit_model_method(NULL) == NULL,
          "family and method");
    CHECK(count == 3 && curve[1] == 0.75 && tacit_model_curve(model, NULL) == curve &&
              tacit_model_curve(NULL, &count) == NULL && count == 0,
          "the curve that chose k");
    tacit_k_choice choice = TACIT_K_CHOICE_INIT;
    CHECK(tacit_model_k_choice(model, &choice) == TACIT_OK && choice.verdict == TACIT_K_CLEAR &&
              choice.strength == 0.75 && choice.needed == 0.125 && choice.low == 2 &&
              choice.high == 3 && choice.best == 2 &&
              tacit_model_k_choice(NULL, &choice) == TACIT_E_ARGUMENT,
          "how sure it is");
    CHECK(strcmp(tacit_model_note_get(model, 0), "center 2 is mostly noise") == 0 &&
              tacit_model_note_get(model, 1) == NULL && tacit_model_note_get(model, -1) == NULL &&
              tacit_model_note_get(NULL, 0) == NULL && tacit_model_note_count(model) == 1 &&
              tacit_model_note_count(NULL) == 0,
          "notes by index");

    CHECK(tacit_model_share_at_bounds(model) == 0, "centers inside the bounds");
    model->geometry.lower[1] = 3.25 - 1e-3;
    CHECK(tacit_model_share_at_bounds(model) == 0.5, "a coordinate at its lower bound, one below "
                                                     "it");
    model->geometry.lower[1] = 0;
    model->geometry.upper[0] = 70;
    CHECK(tacit_model_share_at_bounds(model) == 0.25, "a coordinate at its upper bound");
    model->centers_sd[2] = 70.0 / 7;
    CHECK(tacit_model_share_at_bounds(model) == 0, "noise may have thrown it there: it does not "
                                                   "count");
    model->centers_sd[2] = 1.0 / 3;
    model->geometry.upper[0] = 120;
    model->centers[0] = 0;
    CHECK(tacit_model_share_at_bounds(model) == 0, "a lower bound of 0 does not count");
    tacit_model_free(model);
}

/* The other branch of every choice. */
static void test_other_text(void)
{
    tacit_model *model = small_model();
    char *text = NULL, *again;

    model->centers[0] = 0;
    SET(model->family, "kmedian");
    SET(model->method, "auto");
    model->curve_count = 0;
    model->choice.verdict = TACIT_K_GIVEN;
    model->sizes[1] = model->sizes_sd = NAN;
    model->card.insecure_seed = true;
    model->card.neighbors = TACIT_REPLACE;
    model->card.in_ledger = true;
    model->card.rows_per_unit = 5;
    SET(model->card.unit, "person (column patient)");
    SET(model->card.guarantee, "none: made with an insecure test seed");
    SET(model->card.accountant, "pure");
    model->card.delta = 0;
    model->geometry.ball = true;
    MUST(tac_new(ctx, 2, sizeof(double), &model->geometry.center) == TACIT_OK);
    model->geometry.center[1] = -0.0;
    model->geometry.radius = 1e-300;
    model->geometry.scale = TACIT_SCALE_NONE;
    model->geometry.missing = TACIT_MISSING_REJECT_FILE;
    MUST(tacit_model_json(ctx, model, &text) == TACIT_OK);
    CHECK(strstr(text, "\"private\": false,\n    \"why_not_private\": \"the noise") != NULL &&
              strstr(text, "\"randomness\": \"insecure test seed\"") != NULL,
          "a seeded release says it is not private");
    CHECK(strstr(text, "\"domain\": \"ball\",\n    \"center\": [0, 0],\n    \"radius\": 1e-300,") !=
                  NULL &&
              strstr(text, "lower") == NULL,
          "a ball has a center and a radius, and -0 is 0");
    CHECK(strstr(text, "\"parameter\": \"epsilon\"") != NULL, "a pure account counts epsilon");
    CHECK(strstr(text, "\"family\": \"kmedian\"") != NULL &&
              strstr(text, "\"k_curve\": [],") != NULL &&
              strstr(text, "\"sizes\": [510.5, null],\n  \"sizes_noise_sd\": null,") != NULL,
          "k-median, k given, what is not known");
    again = rewritten(text);
    CHECK(again != NULL && strcmp(text, again) == 0, "write, read, write of the other branches");
    CHECK(tacit_model_share_at_bounds(model) == 0, "noise wider than a tiny sphere throws centers "
                                                   "anywhere");
    for (int i = 0; i < 3; i++) model->centers_sd[i] = 0; /* the fourth is not known */
    CHECK(tacit_model_share_at_bounds(model) == 1, "centers beyond a tiny sphere lie on it");
    model->geometry.radius = 50;
    CHECK(tacit_model_share_at_bounds(model) == 0.5, "one of two is outside a larger one");
    model->geometry.radius = 1000;
    CHECK(tacit_model_share_at_bounds(model) == 0, "none of a large one");
    tacit_free(text);
    tacit_free(again);
    tacit_model_free(model);
}

static void test_escapes(void)
{
    tacit_model *model = small_model();
    char *text = NULL, *again;

    SET(model->column[0], "say \"hi\" \\ \n\t\r\x01\x1b[31m\x7f\xc2\x9b");
    SET(model->card.guarantee, "(1, 1e-06)-differentially private for one person "
                               "(column\n\x1b[31m)");
    SET(model->column[1], "\xc3\xa4ge \xe2\x82\xac \xf0\x9f\x98\x80");
    MUST(tacit_model_json(ctx, model, &text) == TACIT_OK);
    CHECK(strstr(text, "\"say \\\"hi\\\" \\\\ \\n\\t\\r\\u0001\\u001b[31m\\u007f\\u009b\"") != NULL,
          "escapes");
    CHECK(strstr(text, "\"\xc3\xa4ge \xe2\x82\xac \xf0\x9f\x98\x80\"") != NULL, "UTF-8 names stay "
                                                                                "as they are");
    tacit_model *back = NULL;
    CHECK(read_text(text, strlen(text), &back) == TACIT_OK &&
              strcmp(tacit_model_column_get(back, 0), model->column[0]) == 0 &&
              strcmp(tacit_model_column_get(back, 1), model->column[1]) == 0,
          "names come back byte for byte");
    tacit_model_free(back);
    tacit_free(text);

    back = NULL;
    SET(model->column[0], "\xe2\x80\xae"
                          "evil\xe2\x80\xa8\xf3\xa0\x81\x81");
    MUST(tacit_model_json(ctx, model, &text) == TACIT_OK);
    CHECK(strstr(text, "\"\\u202eevil\\u2028\\udb40\\udc41\"") != NULL, "marks that turn the "
                                                                        "direction or are not seen "
                                                                        "stand as escapes");
    CHECK(read_text(text, strlen(text), &back) == TACIT_OK &&
              strcmp(tacit_model_column_get(back, 0), model->column[0]) == 0,
          "and come back");
    tacit_model_free(back);
    tacit_free(text);

    /* stray, overlong, surrogate, too large, cut off: each bad byte becomes one U+FFFD; can be read
       again */
    SET(model->column[0], "a\xff\xc0\xaf|\xed\xa0\x80|\xf4\x90\x80\x80|\xe2\x82");
    MUST(tacit_model_json(ctx, model, &text) == TACIT_OK);
    int replaced = 0;
    for (const char *at = text; (at = strstr(at, "\xef\xbf\xbd")) != NULL; at += 3) replaced++;
    CHECK(replaced == 24, "bytes that are not UTF-8 are replaced");
    again = rewritten(text);
    CHECK(again != NULL && strcmp(again, text) == 0, "and the result is a fixed point");
    tacit_free(text);
    tacit_free(again);
    tacit_model_free(model);
}

static char *number_text(double value)
{
    tac_json json;
    char *text = NULL;
    tac_json_start(&json, ctx);
    tac_json_number(&json, NULL, value);
    return tac_json_finish(&json, &text) == TACIT_OK ? text : NULL;
}

static void check_number(double value, const char *expected)
{
    char *text = number_text(value);
    CHECK(text != NULL && strncmp(text, expected, strlen(text) - 1) == 0 &&
              strlen(text) == strlen(expected) + 1,
          "%s is written so", expected);
    tac_free(text);
}

static void test_numbers(void)
{
    uint64_t state = 1;
    bool same = true;
    char *text;

    for (long i = 0; i < tap_times(200000); i++) {
        const uint64_t bits = mix(&state);
        double value, back = 0;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        text = number_text(value);
        if (text == NULL) {
            same = false;
            break;
        }
        text[strlen(text) - 1] = '\0'; /* the newline */
        if (!tac_parse_double(text, &back) || back != value) same = false;
        tac_free(text);
    }
    CHECK(same, "random doubles survive the text");
    check_number(0.1, "0.1");
    check_number(-0.0, "0");
    check_number(5e-324, "4.94065645841247e-324");
    check_number(1.7976931348623157e308, "1.7976931348623157e+308");
    check_number(123456789, "123456789");
    CHECK(number_text(NAN) == NULL && number_text(INFINITY) == NULL &&
              number_text(-INFINITY) == NULL,
          "NaN and infinity are never written");
}

/* A program around us may have set a locale with a decimal comma, or with a decimal point of two
   bytes. */
static void test_locales(void)
{
    static const char *const places[] = {"de_DE", "ps_AF"};

    setenv("LOCPATH", folder, 1);
    for (int i = 0; i < 2; i++) {
        char command[400], place[300];
        snprintf(place, sizeof place, "%s.UTF-8", places[i]);
        snprintf(command, sizeof command, "localedef -i %s -f UTF-8 %s/%s >/dev/null 2>&1",
                 places[i], folder, place);
        if (system(command) != 0 || setlocale(LC_ALL, place) == NULL) {
            tap_ok(true, "%s # SKIP this machine cannot make the locale", places[i]);
            continue;
        }
        char comma[16];
        snprintf(comma, sizeof comma, "%.1f", 0.5);
#ifndef __GLIBC__ /* musl takes any name of a locale and keeps the point */
        if (strcmp(comma, "0.5") == 0) {
            setlocale(LC_ALL, "C");
            tap_ok(true, "%s # SKIP this C library has no decimal comma", places[i]);
            continue;
        }
#endif
        MUST(strcmp(comma, "0.5") != 0);
        check_number(0.5, "0.5");
        char *again = rewritten(golden);
        CHECK(again != NULL && strcmp(again, golden) == 0, "the golden text where 0.5 is %s",
              comma);
        tacit_free(again);
        setlocale(LC_ALL, "C");
    }
    unsetenv("LOCPATH");
}

/* The worked examples of docs/release-format.md are releases, to the byte. */
static void test_document(void)
{
    char *page = get_file(TEST_DATA "/../../docs/release-format.md"), *rest = page;
    int examples = 0;

    for (char *example; (example = strstr(rest, "```json\n")) != NULL; examples++) {
        example += strlen("```json\n");
        char *end = strstr(example, "```");
        MUST(end != NULL);
        *end = '\0';
        rest = end + 1;
        char *again = rewritten(example);
        CHECK(again != NULL && strcmp(again, example) == 0,
              "documented example %d is what would be written", examples);
        tacit_free(again);
    }
    CHECK(examples == 3, "centers, subspaces and blocks have an example");
    free(page);
}

/* Releases of format 1 had no k_curve and no notes; up to format 4 two keys had other words. */
static void test_old_format(void)
{
    char whole[8192], text[8192];
    tacit_model *model = NULL;
    char *again = NULL;
    tacit_k_choice choice = TACIT_K_CHOICE_INIT;

    in_old_words(without_explanation(), 1, whole, sizeof whole);
    const char *curve = strstr(whole, "  \"k_curve\""), *geometry = strstr(whole, "  \"geometry\"");
    MUST(curve != NULL && geometry != NULL && strstr(whole, "\"neighbours\"") != NULL);
    snprintf(text, sizeof text, "%.*s%s", (int)(curve - whole), whole, geometry);
    CHECK(read_text(text, strlen(text), &model) == TACIT_OK &&
              tacit_model_curve(model, NULL) == NULL && tacit_model_note_get(model, 0) == NULL,
          "a release of format 1 is read");
    CHECK(tacit_model_json(ctx, model, &again) == TACIT_OK &&
              strstr(again, "\"format\": 7") != NULL &&
              strstr(again, "\"distinct\": [],") != NULL &&
              strstr(again, "\"k_curve\": [],\n  \"notes\": [],") != NULL,
          "and written as format 7");
    tacit_free(again);
    tacit_model_free(model);
    CHECK(read_text(whole, strlen(whole), &model) == TACIT_E_FORMAT && says("is not part of a "
                                                                            "release"),
          "format 1 with fields of format 2 is refused");
    in_old_words(without_explanation(), 2, text, sizeof text);
    char *today = rewritten(without_explanation());
    CHECK(read_text(text, strlen(text), &model) == TACIT_OK &&
              tacit_model_json(ctx, model, &again) == TACIT_OK && today != NULL &&
              strcmp(again, today) == 0 && strstr(today, "neighbors") != NULL,
          "a release of format 2 is read as one of format 5 is, and written in today's words");
    tacit_free(today);
    tacit_free(again);
    tacit_model_free(model);
    CHECK(read_text(without_choice(), strlen(without_choice()), &model) == TACIT_OK &&
              tacit_model_k_choice(model, &choice) == TACIT_E_ARGUMENT &&
              tacit_model_curve(model, NULL) != NULL,
          "a release of format 6 has a curve, and nothing about how sure it is");
    tacit_model_free(model);
    in_old_words(without_explanation(), 5, text, sizeof text);
    CHECK(read_text(text, strlen(text), &model) == TACIT_E_FORMAT && says("privacy.neighbours"),
          "format 5 in the old words is refused");
}

/* A model that breaks a rule is not written, and the sentence names the field. */
static void test_writer_refuses(void)
{
    tacit_model *model = small_model();
    char *text = NULL;

    model->centers[3] = NAN;
    CHECK(tacit_model_json(ctx, model, &text) == TACIT_E_INTERNAL && text == NULL &&
              says("centers[1][1]"),
          "a center that is not a number is not written");
    model->centers[3] = 0;
    model->centers_sd[1] = INFINITY;
    CHECK(tacit_model_json(ctx, model, &text) == TACIT_E_INTERNAL && says("centers_noise_sd[0][1]"),
          "nor an infinite deviation");
    model->centers_sd[1] = 0;
    model->sizes[1] = -INFINITY;
    CHECK(tacit_model_json(ctx, model, &text) == TACIT_E_INTERNAL && says("sizes[1]"), "nor an "
                                                                                       "infinite "
                                                                                       "size");
    model->sizes[1] = 0;
    model->curve[2] = NAN;
    CHECK(tacit_model_json(ctx, model, &text) == TACIT_E_INTERNAL && says("k_curve[2]"),
          "nor a hole in the curve");
    model->curve_count = 1;
    CHECK(tacit_model_json(ctx, model, &text) == TACIT_E_INTERNAL && says("k_curve"), "nor a curve "
                                                                                      "that ends "
                                                                                      "before k");
    model->curve_count = 0;
    CHECK(tacit_model_json(ctx, model, &text) == TACIT_E_INTERNAL && says("k_choice"),
          "nor a choice without a curve");
    model->choice.verdict = TACIT_K_GIVEN;
    model->geometry.ball = true;
    CHECK(tacit_model_json(ctx, model, &text) == TACIT_E_INTERNAL && says("geometry.center"),
          "nor a ball of nowhere");
    model->geometry.ball = false;
    tac_free(model->card.guarantee);
    model->card.guarantee = NULL;
    CHECK(tacit_model_write(ctx, model, in_folder("never.json")) == TACIT_E_INTERNAL &&
              access(in_folder("never.json"), F_OK) != 0,
          "nor a card without its guarantee");
    tacit_model_free(model);
    model = (tacit_model *)&text;
    CHECK(tac_model_new(ctx, 0, 1, &model) == TACIT_E_ARGUMENT && model == NULL &&
              tac_model_new(ctx, 1, 0, &model) == TACIT_E_ARGUMENT &&
              tac_model_new(ctx, 1000001, 1, &model) == TACIT_E_ARGUMENT,
          "shapes that no release has");
    CHECK(tacit_model_json(ctx, NULL, &text) == TACIT_E_ARGUMENT, "no model");
}

static void test_files(void)
{
    tacit_model *model = small_model();
    struct stat info;
    char *text;

    umask(022);
    CHECK(tacit_model_write(ctx, model, in_folder("a.json")) == TACIT_OK &&
              stat(in_folder("a.json"), &info) == 0 && (info.st_mode & 0777) == 0644,
          "written, for everyone to read");
    text = get_file(in_folder("a.json"));
    CHECK(strcmp(text, golden) == 0, "whole");
    free(text);
    CHECK(strcmp(tacit_ctx_message(ctx), "") == 0, "no sentence after success");

    MUST(chmod(in_folder("a.json"), 0600) == 0 && symlink("a.json", in_folder("link.json")) == 0);
    model->rounds = 8;
    CHECK(tacit_model_write(ctx, model, in_folder("link.json")) == TACIT_OK &&
              lstat(in_folder("link.json"), &info) == 0 && S_ISLNK(info.st_mode),
          "a link stays a link");
    text = get_file(in_folder("a.json"));
    CHECK(strstr(text, "\"rounds\": 8") != NULL && stat(in_folder("a.json"), &info) == 0 &&
              (info.st_mode & 0777) == 0600,
          "its file is replaced and keeps its mode");
    free(text);

    put_file(in_folder("rows.csv"), "a\n1\n", 4);
    put_file(in_folder("rows.csv.ledger"), "budget", 6);
    put_file(in_folder("rows.csv.ledger-journal"), "pages", 5);
    MUST(symlink("rows.csv", in_folder("to-rows")) == 0 &&
         symlink("rows.csv.ledger", in_folder("to-ledger")) == 0 &&
         symlink("rows.csv.ledger-journal", in_folder("to-journal")) == 0);
    char head[100] = "SQLite format 3";
    memcpy(head + 68, "tact", 4);
    put_file(in_folder("budget.db"), head, sizeof head);
    const char *const guarded[] = {"rows.csv",   "rows.csv.ledger", "to-rows",  "to-ledger",
                                   "to-journal", "new.ledger-wal",  "budget.db"};
    const char *const never = "never written over";
    for (int i = 0; i < 7; i++)
        CHECK(tacit_model_write(ctx, model, in_folder(guarded[i])) == TACIT_E_WRITE && says(never),
              "%s has a ledger or is one: %s", guarded[i], tacit_ctx_message(ctx));
    char *rows = get_file(in_folder("rows.csv")), *ledger = get_file(in_folder("rows.csv.ledger"));
    CHECK(strcmp(rows, "a\n1\n") == 0 && strcmp(ledger, "budget") == 0, "and stays as it was");
    free(rows);
    free(ledger);
    CHECK(tacit_model_write(ctx, model, in_folder("no/such/a.json")) == TACIT_E_WRITE && says("fold"
                                                                                              "er"),
          "a missing folder: %s", tacit_ctx_message(ctx));
    CHECK(tacit_model_write(ctx, model, folder) == TACIT_E_WRITE, "the target is a folder: %s",
          tacit_ctx_message(ctx));
    CHECK(tacit_model_write(ctx, model, in_folder("x/")) == TACIT_E_WRITE, "a name that ends in a "
                                                                           "slash");
    CHECK(tacit_model_write(ctx, model, in_folder("a.json/b")) == TACIT_E_WRITE,
          "a file used as a folder: %s", tacit_ctx_message(ctx));
    CHECK(tacit_model_write(ctx, model, "") == TACIT_E_ARGUMENT &&
              tacit_model_write(ctx, model, NULL) == TACIT_E_ARGUMENT,
          "no name");
    /* A pipe is written to, not replaced; only then is it safe to try a device. */
    char piped[4096] = "";
    MUST(mkfifo(in_folder("pipe"), 0600) == 0);
    const int pipe = open(in_folder("pipe"), O_RDWR | O_NONBLOCK);
    const bool kept = tacit_model_write(ctx, model, in_folder("pipe")) == TACIT_OK &&
                      stat(in_folder("pipe"), &info) == 0 && S_ISFIFO(info.st_mode) &&
                      read(pipe, piped, sizeof piped - 1) == (ssize_t)strlen(golden) &&
                      strstr(piped, "\"rounds\": 8") != NULL;
    close(pipe);
    CHECK(kept, "a pipe gets the text and stays a pipe");
    if (kept)
        CHECK(tacit_model_write(ctx, model, "/dev/full") == TACIT_E_WRITE && says("space"),
              "a full device: %s", tacit_ctx_message(ctx));
    tacit_model_free(model);
}

/* A full disk: the file may not grow past 100 bytes. Then names without a folder, and nothing to
   read. */
static void test_full_disk(void)
{
    tacit_model *model = small_model();
    char *text;
    const int before = entries(folder);
    struct rlimit limit, small;
    MUST(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    small = limit;
    small.rlim_cur = 100;
    signal(SIGXFSZ, SIG_IGN);
    model->rounds = 9;
    MUST(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const tacit_status full = tacit_model_write(ctx, model, in_folder("a.json"));
    const tacit_status fresh = tacit_model_write(ctx, model, in_folder("fresh.json"));
    MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    CHECK(full == TACIT_E_WRITE && fresh == TACIT_E_WRITE, "no room left: %s",
          tacit_ctx_message(ctx));
    text = get_file(in_folder("a.json"));
    CHECK(strstr(text, "\"rounds\": 8") != NULL && strlen(text) == strlen(golden), "the old file "
                                                                                   "is whole");
    free(text);
    CHECK(entries(folder) == before, "and nothing is left behind");

    MUST(mkdir(in_folder("deep"), 0755) == 0 && chdir(in_folder("deep")) == 0);
    CHECK(tacit_model_write(ctx, model, "here.json") == TACIT_OK && entries(".") == 1, "a name "
                                                                                       "without a "
                                                                                       "folder");
    MUST(chdir("/") == 0);

    tacit_model *back = NULL;
    CHECK(tacit_model_read(ctx, in_folder("nothing.json"), &back) == TACIT_E_OPEN && back == NULL,
          "nothing to read: %s", tacit_ctx_message(ctx));
    CHECK(tacit_model_read(ctx, folder, &back) == TACIT_E_READ, "a folder cannot be read: %s",
          tacit_ctx_message(ctx));
    CHECK(tacit_model_read(ctx, "/dev/zero", &back) == TACIT_E_FORMAT, "an endless file is refused "
                                                                       "at once");
    CHECK(tacit_model_read(ctx, "", &back) == TACIT_E_ARGUMENT, "no name to read");
    CHECK(tacit_model_parse(ctx, golden, &back) == TACIT_OK &&
              tacit_model_json(ctx, back, &text) == TACIT_OK && strcmp(text, golden) == 0,
          "a text is read as its file would be");
    tacit_free(text);
    tacit_model_free(back);
    CHECK(tacit_model_parse(ctx, "{}", &back) == TACIT_E_FORMAT && back == NULL,
          "a text that is no release: %s", tacit_ctx_message(ctx));
    CHECK(tacit_model_parse(ctx, NULL, &back) == TACIT_E_ARGUMENT, "no text to read");
    tacit_model_free(model);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK && mkdtemp(folder) != NULL);
    test_text();
    test_other_text();
    test_escapes();
    test_numbers();
    test_locales();
    test_document();
    test_old_format();
    test_writer_refuses();
    test_files();
    test_full_disk();
    leave_folder();
    tacit_ctx_free(ctx);
    return tap_done();
}
