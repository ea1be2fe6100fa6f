/* SPDX-License-Identifier: Apache-2.0 */
/* Features in memory: made, copied, compared, checked. */
#include "table/feature.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const tac_kind_words[3] = {"number", "category", "date"};
const char *const tac_transform_words[TAC_TRANSFORMS] = {"none", "log", "log1p", "sqrt"};
const char *const tac_missing_words[6] = {"default",  "drop-row", "reject-file",
                                          "midpoint", "fill",     "own-category"};

tacit_status tac_features_new(tacit_ctx *ctx, int32_t count, tacit_missing rule, tac_features *out)
{
    tacit_status status = TACIT_OK;

    memset(out, 0, sizeof *out);
    TAC_TRY(tac_new(ctx, (size_t)count, sizeof *out->feature, &out->feature));
    out->count = count;
    for (int32_t i = 0; i < count; i++) {
        out->feature[i].weight = 1;
        out->feature[i].missing = rule;
    }
    tac_features_place(out);
done:
    return status;
}

void tac_feature_clear(tac_feature *f)
{
    for (int32_t i = 0; i < f->value.words; i++) tac_free(f->value.word[i]);
    tac_free(f->value.word);
    tac_free(f->name);
    memset(f, 0, sizeof *f);
}

void tac_features_clear(tac_features *features)
{
    for (int32_t i = 0; i < features->count; i++) tac_feature_clear(&features->feature[i]);
    tac_free(features->feature);
    memset(features, 0, sizeof *features);
}

/* *field = a copy; NULL stays NULL. */
static tacit_status copy_text(tacit_ctx *ctx, const char *text, char **field)
{
    *field = text == NULL ? NULL : tac_strdup(ctx, text);
    return text != NULL && *field == NULL ? TACIT_E_MEMORY : TACIT_OK;
}

static tacit_status copy_words(tacit_ctx *ctx, char *const *words, int32_t count, tac_value_rule *v)
{
    tacit_status status = TACIT_OK;

    v->words = 0;
    TAC_TRY(tac_new(ctx, (size_t)count, sizeof *v->word, &v->word));
    for (; v->words < count; v->words++)
        TAC_TRY(copy_text(ctx, words[v->words], &v->word[v->words]));
done:
    return status;
}

tacit_status tac_feature_copy(tacit_ctx *ctx, const tac_feature *from, tac_feature *out)
{
    tacit_status status = TACIT_OK;

    *out = *from;
    out->name = NULL;
    out->value.word = NULL;
    out->value.words = 0;
    TAC_TRY(copy_text(ctx, from->name, &out->name));
    TAC_TRY(copy_words(ctx, from->value.word, from->value.words, &out->value));
done:
    return status;
}

tacit_status tac_features_copy(tacit_ctx *ctx, const tac_features *from, tac_features *out)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_features_new(ctx, from->count, TACIT_MISSING_DEFAULT, out));
    for (int32_t i = 0; i < from->count; i++)
        TAC_TRY(tac_feature_copy(ctx, &from->feature[i], &out->feature[i]));
    tac_features_place(out);
done:
    if (status != TACIT_OK) tac_features_clear(out);
    return status;
}

void tac_features_place(tac_features *features)
{
    features->plain = true;
    features->weighted = features->drops = false;
    features->dims = 0;
    for (int32_t i = 0; i < features->count; i++) {
        tac_feature *f = &features->feature[i];
        f->first = features->dims;
        f->width = f->value.kind == TAC_VALUE_CATEGORY
                       ? f->value.words + (f->missing == TACIT_MISSING_OWN_CATEGORY)
                       : 1;
        features->dims += f->width;
        if (f->value.kind == TAC_VALUE_CATEGORY || f->transform != TAC_AS_IS ||
            f->missing == TACIT_MISSING_FILL)
            features->plain = false;
        if (f->weight != 1) features->weighted = true;
        if (f->missing == TACIT_MISSING_DROP_ROW) features->drops = true;
    }
}

bool tac_feature_same(const tac_feature *a, const tac_feature *b)
{
    if (a->value.kind != b->value.kind || a->value.words != b->value.words ||
        a->value.boolean != b->value.boolean || a->transform != b->transform ||
        a->weight != b->weight || a->missing != b->missing ||
        (a->missing == TACIT_MISSING_FILL && a->fill != b->fill))
        return false;
    for (int32_t i = 0; i < a->value.words; i++)
        if (strcmp(a->value.word[i], b->value.word[i]) != 0) return false;
    return true;
}

bool tac_feature_is_plain(const tac_feature *f)
{
    return f->value.kind == TAC_VALUE_NUMBER && f->transform == TAC_AS_IS && f->weight == 1;
}

int32_t tac_feature_word(const tac_feature *f, const char *word)
{
    for (int32_t i = 0; i < f->value.words; i++)
        if (strcmp(f->value.word[i], word) == 0) return i;
    return -1;
}

static bool good_word(const char *word)
{
    uint32_t code;

    if (*word == '\0' || *word == ' ' || word[strlen(word) - 1] == ' ') return false;
    for (size_t left = strlen(word), step; left > 0; left -= step, word += step) {
        step = tac_utf8(word, left, &code);
        if (step == 0 || !tac_is_plain(code)) return false;
    }
    return true;
}

tacit_status tac_feature_set_words(tacit_ctx *ctx, const char *where, char *const *words,
                                   int32_t count, tac_feature *f)
{
    if (count < 1 || count > TAC_MOST_CATEGORIES)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: column '%.120s' must have 1 to %d categories; list them all, from "
                        "knowledge of the subject",
                        where, f->name, TAC_MOST_CATEGORIES);
    for (int32_t i = 0; i < count; i++) {
        if (!good_word(words[i]) || strcmp(words[i], TAC_OWN_WORD) == 0)
            return tac_fail(ctx, TACIT_E_ARGUMENT,
                            "%s: category %d of column '%.120s' is empty, is not UTF-8, has blanks "
                            "around it or a control character, or is %s; correct it",
                            where, (int)i + 1, f->name, TAC_OWN_WORD);
        for (int32_t j = 0; j < i; j++)
            if (strcmp(words[i], words[j]) == 0)
                return tac_fail(ctx, TACIT_E_ARGUMENT,
                                "%s: column '%.120s' has the category '%.120s' twice; name it once",
                                where, f->name, words[i]);
    }
    f->value.kind = TAC_VALUE_CATEGORY;
    return copy_words(ctx, words, count, &f->value);
}

tacit_status tac_feature_check(tacit_ctx *ctx, const char *where, const tac_feature *f)
{
    const char *what = NULL;
    const bool category = f->value.kind == TAC_VALUE_CATEGORY;

    if (!(f->weight >= 1e-6 && f->weight <= 1e6))
        what = "has a weight that is no number from 1e-6 to 1e6; 1 counts as any other column";
    else if (category && f->value.words < 2 && f->missing != TACIT_MISSING_OWN_CATEGORY)
        what = "has one category, and a column with one possible value tells nothing; list all of "
               "them (yes and no, 0 and 1: write boolean), or take own-category for the missing";
    else if (category && f->transform != TAC_AS_IS)
        what = "holds categories, and a transform is for numbers; drop the transform";
    else if (f->value.kind == TAC_VALUE_DATE && f->transform != TAC_AS_IS)
        what = "holds dates, and a transform is for numbers; drop the transform";
    else if (!category && f->missing == TACIT_MISSING_OWN_CATEGORY)
        what = "holds no categories, so a missing value cannot be one of its own; take drop-row, "
               "fill:VALUE or midpoint";
    else if (f->missing == TACIT_MISSING_FILL && !isfinite(f->fill))
        what = "is to be filled with what is no value of it; write fill:VALUE with one that is";
    if (what == NULL) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_ARGUMENT, "%s: column '%.120s' %s", where, f->name, what);
}

tacit_status tac_feature_check_bounds(tacit_ctx *ctx, const tac_feature *f, double lower,
                                      double upper)
{
    const char *need = f->transform == TAC_LOG && !(lower > 0)      ? "above 0"
                       : f->transform == TAC_LOG1P && !(lower > -1) ? "above -1"
                       : f->transform == TAC_SQRT && !(lower >= 0)  ? "0 or above"
                                                                    : NULL;

    (void)upper;
    if (need == NULL) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_DOMAIN,
                    "column '%.120s' is to be taken as %s, which needs a lower bound %s; raise the "
                    "bound (smaller values are moved to it)%s",
                    f->name, tac_transform_words[f->transform], need,
                    f->transform == TAC_LOG ? ", or take log1p, which takes 0" : "");
}

/* Features stand in the order of their coordinates. */
const tac_feature *tac_feature_at(const tac_features *features, int32_t coordinate)
{
    int32_t low = 0, high = features->count - 1;

    while (low < high) {
        const int32_t middle = low + (high - low + 1) / 2;
        if (features->feature[middle].first <= coordinate)
            low = middle;
        else
            high = middle - 1;
    }
    return &features->feature[low];
}

tacit_status tac_coordinate_name(tacit_ctx *ctx, const tac_features *features, int32_t coordinate,
                                 char **out)
{
    const tac_feature *f = tac_feature_at(features, coordinate);
    const int32_t word = coordinate - f->first;

    if (f->value.kind != TAC_VALUE_CATEGORY) return copy_text(ctx, f->name, out);
    const char *text = word < f->value.words ? f->value.word[word] : TAC_OWN_WORD;
    const size_t room = strlen(f->name) + strlen(text) + 2;
    const tacit_status status = tac_new(ctx, room, 1, out);
    if (status == TACIT_OK) snprintf(*out, room, "%s=%s", f->name, text);
    return status;
}
