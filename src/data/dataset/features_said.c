/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of the columns in use: by the owner's declaration, by options, by a release. Headers
   and texts alone: no row is looked at. */
#include "data/dataset/dataset.h"
#include "data/dataset/declaration.h"
#include "data/readers/reader_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WORDS 1000

int32_t tac_data_find_used(const tacit_data *data, const char *name)
{
    const tac_selection *s = &data->selection;
    const int32_t column = tac_data_find(data, name);

    for (int32_t j = 0; column >= 0 && j < s->dims; j++)
        if (s->column[j] == column) return j;
    return -1;
}

/* A list of features, all plain, if there is none yet. */
static tacit_status need_features(tacit_ctx *ctx, tacit_data *data)
{
    tacit_status status = TACIT_OK;
    tac_features *f = &data->features;

    if (f->count > 0) return TACIT_OK;
    TAC_TRY(tac_features_new(ctx, data->selection.dims, data->selection.missing, f));
    for (int32_t j = 0; j < f->count; j++) {
        f->feature[j].name = tac_strdup(ctx, tacit_data_column_get(data, j));
        if (f->feature[j].name == NULL) TAC_TRY(TACIT_E_MEMORY);
    }
done:
    return status;
}

tacit_status tac_data_tell_readers(tacit_ctx *ctx, tacit_data *data)
{
    tacit_status status = TACIT_OK;
    tac_features *f = &data->features;
    bool numbers = true;

    tac_features_place(f);
    tac_free(data->rules);
    data->rules = NULL;
    data->selection.rule = NULL;
    for (int32_t j = 0; j < f->count; j++)
        numbers = numbers && f->feature[j].value.kind == TAC_VALUE_NUMBER;
    if (numbers) return TACIT_OK;
    TAC_TRY(tac_new(ctx, (size_t)f->count, sizeof *data->rules, &data->rules));
    for (int32_t j = 0; j < f->count; j++) data->rules[j] = f->feature[j].value;
    data->selection.rule = data->rules;
done:
    return status;
}

/* ---- texts ---- */

/* "name=value" -> the place of the column among those in use, and the value. The first '=' behind
   which a column's name ends counts: names and values may hold others. */
static tacit_status split(tacit_ctx *ctx, const tacit_data *data, const char *option, char *part,
                          int32_t *place, char **value)
{
    for (char *equals = strchr(part, '='); equals != NULL; equals = strchr(equals + 1, '=')) {
        *equals = '\0';
        *place = tac_data_find_used(data, part);
        if (*place >= 0) {
            *value = equals + 1;
            return TACIT_OK;
        }
        *equals = '=';
    }
    char *const equals = strchr(part, '=');
    if (equals == NULL)
        return tac_fail(
            ctx, TACIT_E_ARGUMENT, "%s: the part '%.60s' has no '='; write %s, separated by commas",
            option, part,
            strcmp(option, "categories") == 0 ? "column=one|another|third" : "column=value");
    *equals = '\0';
    const tac_schema *schema = &data->reader->schema;
    const char *near =
        tac_nearest_name(part, (const char *const *)schema->names, (size_t)schema->columns);
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "%s names the column '%.120s', which is not among those in use%s%.120s%s",
                    option, part, near ? "; did you mean '" : "", near ? near : "",
                    near ? "'?" : "");
}

typedef tacit_status (*tac_said_fn)(tacit_ctx *ctx, tac_feature *feature, char *value);

/* Calls `take` for every part of a list; each column once. */
static tacit_status each_said(tacit_ctx *ctx, tacit_data *data, const char *option,
                              const char *list, tac_said_fn take)
{
    tacit_status status = TACIT_OK;
    char *copy = tac_strdup(ctx, list), *rest = copy, *part, *value = NULL;
    bool *seen = NULL;
    int32_t place = 0;

    if (copy == NULL) return TACIT_E_MEMORY;
    TAC_TRY(need_features(ctx, data));
    TAC_TRY(tac_new(ctx, (size_t)data->features.count, sizeof *seen, &seen));
    while ((part = tac_next_field(&rest)) != NULL) {
        TAC_TRY(split(ctx, data, option, part, &place, &value));
        if (seen[place])
            TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                             "%s names the column '%.120s' twice; name it once", option, part));
        seen[place] = true;
        TAC_TRY(take(ctx, &data->features.feature[place], value));
    }
done:
    tac_free(seen);
    tac_free(copy);
    return status;
}

/* What was declared before goes; whether it was the same is looked at later. */
static void forget_words(tac_feature *f)
{
    for (int32_t i = 0; i < f->value.words; i++) tac_free(f->value.word[i]);
    tac_free(f->value.word);
    f->value = (tac_value_rule){0};
}

static tacit_status set_boolean(tacit_ctx *ctx, tac_feature *f)
{
    static char *const words[] = {(char *)(uintptr_t) "false", (char *)(uintptr_t) "true"};

    f->value.boolean = true;
    return tac_feature_set_words(ctx, "categories", words, 2, f);
}

static tacit_status take_categories(tacit_ctx *ctx, tac_feature *f, char *value)
{
    tacit_status status = TACIT_OK;
    char **words = NULL, *rest = value, *word;
    int32_t count = 0, room = 1;

    forget_words(f);
    if (strcmp(value, "boolean") == 0) return set_boolean(ctx, f);
    for (const char *p = value; *p != '\0'; p++) room += *p == '|';
    if (room > TAC_MOST_CATEGORIES) room = TAC_MOST_CATEGORIES + 1;
    TAC_TRY(tac_new(ctx, (size_t)room, sizeof *words, &words));
    while (count < room && (word = strsep(&rest, "|")) != NULL) words[count++] = word;
    TAC_TRY(tac_feature_set_words(ctx, "categories", words, count, f));
done:
    tac_free(words);
    return status;
}

static tacit_status take_weight(tacit_ctx *ctx, tac_feature *f, char *value)
{
    if (tac_parse_double(value, &f->weight)) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "weights: that of column '%.120s' is no number; write for example %.60s=2",
                    f->name, f->name);
}

static tacit_status take_transform(tacit_ctx *ctx, tac_feature *f, char *value)
{
    for (int t = 0; t < TAC_TRANSFORMS; t++)
        if (strcmp(value, tac_transform_words[t]) == 0) {
            f->transform = (tac_transform)t;
            return TACIT_OK;
        }
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "transforms: that of column '%.120s' must be log, log1p, sqrt or none",
                    f->name);
}

/* "drop-row", "fill:12", ... */
static bool parse_rule(const char *text, tacit_missing *rule, const char **fill)
{
    *fill = NULL;
    if (strncmp(text, "fill:", 5) == 0) {
        *rule = TACIT_MISSING_FILL;
        *fill = text + 5;
        return true;
    }
    for (int r = TACIT_MISSING_DROP_ROW; r <= TACIT_MISSING_OWN_CATEGORY; r++)
        if (r != TACIT_MISSING_FILL && strcmp(text, tac_missing_words[r]) == 0) {
            *rule = (tacit_missing)r;
            return true;
        }
    return false;
}

/* A value as a row would have it: a word of the categories, a date, a number. */
static void set_fill(tac_feature *f, const char *text)
{
    const int32_t word = tac_feature_word(f, text);

    f->fill = NAN;
    if (f->value.kind == TAC_VALUE_CATEGORY) {
        if (word >= 0) f->fill = word;
    } else if (tac_parse_double(text, &f->fill)) {
        ;
    } else if (tac_parse_date(text, strlen(text), &f->fill)) {
        f->value.kind = TAC_VALUE_DATE; /* its bounds must be dates too */
    } else {
        f->fill = NAN;
    }
}

static tacit_status bad_rule(tacit_ctx *ctx, const char *column)
{
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "missing: the rule%s%.120s%s must be drop-row, midpoint, fill:VALUE or, for "
                    "categories, own-category%s",
                    column == NULL ? "" : " of column '", column == NULL ? "" : column,
                    column == NULL ? "" : "'",
                    column == NULL ? "; or reject-file"
                                   : "; reject-file is a rule for all columns");
}

static tacit_status take_missing(tacit_ctx *ctx, tac_feature *f, char *value)
{
    const char *fill = NULL;

    if (!parse_rule(value, &f->missing, &fill) || f->missing == TACIT_MISSING_REJECT_FILE)
        return bad_rule(ctx, f->name);
    if (fill != NULL) set_fill(f, fill);
    return TACIT_OK;
}

/* The rule for all columns: the first part of the text, if it names none. */
static tacit_status general_rule(tacit_ctx *ctx, tacit_data *data, const char *rules,
                                 const char **others)
{
    tacit_status status = TACIT_OK;
    const size_t length = strcspn(rules, ",");
    const char *fill = NULL;
    char *first = NULL;
    tacit_missing rule = TACIT_MISSING_DROP_ROW;

    *others = rules;
    if (memchr(rules, '=', length) != NULL || rules[0] == '"') return TACIT_OK;
    TAC_TRY(tac_new(ctx, length + 1, 1, &first));
    memcpy(first, rules, length);
    if (!parse_rule(first, &rule, &fill)) TAC_TRY(bad_rule(ctx, NULL));
    *others = rules[length] == ',' ? rules + length + 1 : NULL;
    /* of numbers there is no category of their own */
    data->selection.missing = rule == TACIT_MISSING_OWN_CATEGORY ? TACIT_MISSING_DROP_ROW : rule;
    if (rule != TACIT_MISSING_FILL && rule != TACIT_MISSING_OWN_CATEGORY &&
        data->features.count == 0)
        goto done;
    TAC_TRY(need_features(ctx, data));
    for (int32_t j = 0; j < data->features.count; j++) {
        tac_feature *f = &data->features.feature[j];
        f->missing = rule == TACIT_MISSING_OWN_CATEGORY && f->value.kind != TAC_VALUE_CATEGORY
                         ? TACIT_MISSING_DROP_ROW
                         : rule;
        if (fill != NULL) set_fill(f, fill);
    }
done:
    tac_free(first);
    return status;
}

/* As a ledger takes it. */
static bool is_plain_text(const char *text)
{
    uint32_t code;

    for (size_t left = strlen(text), step; left > 0; left -= step, text += step) {
        step = tac_utf8(text, left, &code);
        if (step == 0 || !tac_is_plain(code)) return false;
    }
    return true;
}

static tacit_status say_missing_words(tacit_ctx *ctx, tacit_data *data, const char *list)
{
    tacit_status status = TACIT_OK;
    tac_selection *s = &data->selection;
    char *copy = tac_strdup(ctx, list), *rest = copy, *word;

    if (copy == NULL) return TACIT_E_MEMORY;
    TAC_TRY(tac_new(ctx, MOST_WORDS, sizeof *data->missing_words, &data->missing_words));
    s->missing_words = 0;
    s->missing_word = data->missing_words;
    if (!tac_format_traits_of(data->reader->format)->texts)
        TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                         "%s: words for missing values are for CSV and TSV files; leave them out",
                         tac_data_name(data)));
    while ((word = tac_next_field(&rest)) != NULL) {
        if (tac_is_missing_word(word, strlen(word))) continue; /* taken for missing anyway */
        if (!is_plain_text(word))
            TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                             "words for missing values must be UTF-8 without control characters"));
        if (s->missing_words == MOST_WORDS)
            TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT, "words for missing values: at most %d",
                             MOST_WORDS));
        data->missing_words[s->missing_words] = tac_strdup(ctx, word);
        if (data->missing_words[s->missing_words] == NULL) TAC_TRY(TACIT_E_MEMORY);
        s->missing_words++;
    }
done:
    tac_free(copy);
    return status;
}

/* ---- all of it ---- */

/* What the owner declared of the columns in use. */
static tacit_status take_declared(tacit_ctx *ctx, tacit_data *data)
{
    tacit_status status = TACIT_OK;
    const tacit_declaration *d = data->declaration;

    for (int32_t j = 0; j < data->selection.dims; j++) {
        const tac_declared_field *field = d->format == TACIT_FORMAT_TRIPLETS
                                              ? NULL
                                              : tac_declared_column(d, data->selection.column[j]);
        if (field == NULL || (tac_feature_is_plain(&field->feature) &&
                              field->feature.missing == TACIT_MISSING_DEFAULT))
            continue;
        TAC_TRY(need_features(ctx, data));
        tac_feature *f = &data->features.feature[j];
        tac_feature_clear(f);
        TAC_TRY(tac_feature_copy(ctx, &field->feature, f));
        f->name = tac_strdup(ctx, tacit_data_column_get(data, j));
        if (f->name == NULL) TAC_TRY(TACIT_E_MEMORY);
        if (f->missing == TACIT_MISSING_DEFAULT) f->missing = data->selection.missing;
    }
done:
    return status;
}

static tacit_status check_features(tacit_ctx *ctx, const tacit_data *data)
{
    tacit_status status = TACIT_OK;
    const tac_features *f = &data->features;

    if (data->reader->read_sparse != NULL && (!f->plain || f->weighted))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: categories, weights, transforms and values to fill in are for tables "
                        "with all their cells, and this format leaves zeros out; drop them",
                        tac_data_name(data));
    for (int32_t j = 0; j < f->count; j++) {
        TAC_TRY(tac_feature_check(ctx, tac_data_name(data), &f->feature[j]));
        /* Names leave with the release. The name is not repeated: it may be a value. */
        if (tac_feature_word(&f->feature[j], f->feature[j].name) >= 0)
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: column %d has one of its own categories for a name: is the first "
                            "line somebody's row? Add a header line, or rename the column",
                            tac_data_name(data), (int)data->selection.column[j] + 1);
    }
    if (f->dims > TAC_MOST_COLUMNS)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "%s: columns and categories are more than %d",
                        tac_data_name(data), TAC_MOST_COLUMNS);
done:
    return status;
}

tacit_status tac_data_say_features(tacit_ctx *ctx, tacit_data *data, const tacit_data_opts *o)
{
    tacit_status status = TACIT_OK;
    const char *rules = o->missing_rules;

    data->selection.missing =
        o->missing != TACIT_MISSING_DEFAULT ? o->missing : TACIT_MISSING_DROP_ROW;
    if (data->declaration != NULL) {
        const tacit_declaration *d = data->declaration;
        if (o->missing == TACIT_MISSING_DEFAULT && d->missing != TACIT_MISSING_DEFAULT)
            data->selection.missing = d->missing;
        TAC_TRY(take_declared(ctx, data));
    }
    if (o->categories != NULL)
        TAC_TRY(each_said(ctx, data, "categories", o->categories, take_categories));
    if (rules != NULL) TAC_TRY(general_rule(ctx, data, rules, &rules));
    if (rules != NULL) TAC_TRY(each_said(ctx, data, "missing", rules, take_missing));
    if (o->weights != NULL) TAC_TRY(each_said(ctx, data, "weights", o->weights, take_weight));
    if (o->transforms != NULL)
        TAC_TRY(each_said(ctx, data, "transforms", o->transforms, take_transform));
    if (o->missing_words != NULL) TAC_TRY(say_missing_words(ctx, data, o->missing_words));
    TAC_TRY(tac_data_tell_readers(ctx, data));
    TAC_TRY(check_features(ctx, data));
done:
    return status;
}

tacit_status tac_data_set_date(tacit_ctx *ctx, tacit_data *data, int32_t place)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(need_features(ctx, data));
    tac_feature *f = &data->features.feature[place];
    if (f->value.kind == TAC_VALUE_CATEGORY)
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "column '%.120s' holds categories, which have no bounds; drop one of them",
                        f->name);
    if (f->value.kind == TAC_VALUE_NUMBER && f->missing == TACIT_MISSING_FILL)
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "column '%.120s' has dates for bounds and is to be filled with a number; "
                        "write fill:2020-12-31, say",
                        f->name);
    f->value.kind = TAC_VALUE_DATE;
    TAC_TRY(tac_data_tell_readers(ctx, data));
    TAC_TRY(check_features(ctx, data));
done:
    return status;
}

tacit_status tac_data_narrow(tacit_ctx *ctx, tacit_data *data, const bool *use)
{
    tac_features *f = &data->features;
    int32_t kept = 0;

    for (int32_t j = 0; j < data->selection.dims; j++) {
        if (!use[j]) {
            if (f->count > 0) tac_feature_clear(&f->feature[j]);
            continue;
        }
        data->columns[kept] = data->columns[j];
        if (f->count > 0 && kept < j) {
            f->feature[kept] = f->feature[j];
            memset(&f->feature[j], 0, sizeof f->feature[j]);
        }
        kept++;
    }
    data->selection.dims = kept;
    if (f->count > 0) f->count = kept;
    return tac_data_tell_readers(ctx, data);
}

tacit_status tac_data_adopt_features(tacit_ctx *ctx, tacit_data *data, const tac_features *features)
{
    tacit_status status = TACIT_OK;

    if (data->loaded) return TACIT_OK;
    for (int32_t i = 0; i < features->count; i++) {
        const int32_t j = tac_data_find_used(data, features->feature[i].name);
        if (j < 0)
            return tac_fail(ctx, TACIT_E_ARGUMENT,
                            "%s: the model was made with a column '%.120s' that the data does not "
                            "have; use the file the model was made from, or one with the same "
                            "columns",
                            tac_data_name(data), features->feature[i].name);
        TAC_TRY(need_features(ctx, data));
        tac_feature *f = &data->features.feature[j];
        tac_feature_clear(f);
        TAC_TRY(tac_feature_copy(ctx, &features->feature[i], f));
    }
    TAC_TRY(tac_data_tell_readers(ctx, data));
done:
    return status;
}
