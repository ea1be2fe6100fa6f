/* SPDX-License-Identifier: Apache-2.0 */
/* What the columns of a release hold, to its file and back: so that others can read its centers,
   and predict can read raw rows. */
#include "release/model_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

const char *const tac_mean_words[TAC_TRANSFORMS] = {
    "mean", "geometric mean", "geometric mean of 1 + x, less 1", "square of the mean root"};

static void put_feature(tac_json *json, const tac_feature *f)
{
    char date[16];

    tac_json_object(json, NULL, TAC_JSON_ROW);
    tac_json_text(json, "name", f->name);
    tac_json_text(json, "kind", tac_kind_words[f->value.kind]);
    if (f->value.kind == TAC_VALUE_CATEGORY) {
        tac_json_array(json, "categories", TAC_JSON_ROW);
        for (int32_t w = 0; w < f->value.words; w++) tac_json_text(json, NULL, f->value.word[w]);
        tac_json_end(json);
        tac_json_bool(json, "boolean", f->value.boolean);
    }
    tac_json_text(json, "transform", tac_transform_words[f->transform]);
    tac_json_text(json, "centers_are",
                  f->value.kind == TAC_VALUE_CATEGORY ? "shares" : tac_mean_words[f->transform]);
    tac_json_number(json, "weight", f->weight);
    tac_json_text(json, "missing", tac_missing_words[f->missing]);
    if (f->missing == TACIT_MISSING_FILL) {
        tac_write_date(f->fill, date);
        if (f->value.kind == TAC_VALUE_CATEGORY)
            tac_json_text(json, "fill", f->value.word[(int32_t)f->fill]);
        else if (f->value.kind == TAC_VALUE_DATE)
            tac_json_text(json, "fill", date);
        else
            tac_json_number(json, "fill", f->fill);
    }
    tac_json_end(json);
}

void tac_put_features(tac_json *json, const tac_features *features)
{
    tac_json_array(json, "features", TAC_JSON_LINES);
    for (int32_t i = 0; i < features->count; i++) put_feature(json, &features->feature[i]);
    tac_json_end(json);
}

static tacit_status read_categories(const tac_section *s, tac_feature *f)
{
    tacit_status status = TACIT_OK;
    const tac_node *list = NULL;
    char **words = NULL;

    if (f->value.kind != TAC_VALUE_CATEGORY) {
        TAC_TRY(tac_field_absent(s, "categories", "is for the kind \"category\""));
        return tac_field_absent(s, "boolean", "is for the kind \"category\"");
    }
    TAC_TRY(tac_field_bool(s, "boolean", &f->value.boolean));
    TAC_TRY(tac_field_list(s, "categories", -1, &list));
    const size_t count = tac_node_count(list);
    if (count < 1 || count > TAC_MOST_CATEGORIES)
        return tac_field_refuse(s, "categories", "must have 1 to 1000 entries");
    TAC_TRY(tac_new(s->ctx, count, sizeof *words, &words));
    for (size_t i = 0; i < count; i++) {
        if (!tac_node_is(tac_node_at(list, i), TAC_NODE_TEXT))
            TAC_TRY(tac_field_refuse(s, "categories", "must be texts"));
        words[i] = (char *)(uintptr_t)tac_node_text(tac_node_at(list, i));
    }
    if (tac_feature_set_words(NULL, "", words, (int32_t)count, f) != TACIT_OK)
        TAC_TRY(tac_field_refuse(s, "categories", "must be texts, none empty and all different"));
done:
    tac_free(words);
    return status;
}

static tacit_status read_fill(const tac_section *s, tac_feature *f)
{
    tacit_status status = TACIT_OK;
    char *text = NULL;

    if (f->missing != TACIT_MISSING_FILL)
        return tac_field_absent(s, "fill", "goes with the rule \"fill\"");
    if (f->value.kind == TAC_VALUE_NUMBER) return tac_field_number(s, "fill", &f->fill);
    TAC_TRY(tac_field_text(s, "fill", &text));
    const int32_t word = tac_feature_word(f, text);
    const bool good =
        f->value.kind == TAC_VALUE_DATE ? tac_parse_date(text, strlen(text), &f->fill) : word >= 0;
    if (!good) status = tac_field_refuse(s, "fill", "must be a value of its column");
    if (f->value.kind == TAC_VALUE_CATEGORY) f->fill = word;
done:
    tac_free(text);
    return status;
}

static tacit_status read_feature(const tac_section *s, tac_feature *f)
{
    static const char *const names[] = {"name",    "kind",      "categories",
                                        "boolean", "transform", "centers_are",
                                        "weight",  "missing",   "fill"};
    tacit_status status = TACIT_OK;
    char *means = NULL;
    int word = 0;

    TAC_TRY(tac_section_only(s, names, COUNT(names)));
    TAC_TRY(tac_field_text(s, "name", &f->name));
    TAC_TRY(tac_field_word(s, "kind", tac_kind_words, COUNT(tac_kind_words), &word));
    f->value.kind = (tac_value_kind)word;
    TAC_TRY(read_categories(s, f));
    TAC_TRY(tac_field_word(s, "transform", tac_transform_words, TAC_TRANSFORMS, &word));
    f->transform = (tac_transform)word;
    TAC_TRY(tac_field_text(s, "centers_are", &means));
    if (strcmp(means,
               f->value.kind == TAC_VALUE_CATEGORY ? "shares" : tac_mean_words[f->transform]) != 0)
        TAC_TRY(tac_field_refuse(s, "centers_are", "does not go with kind and transform"));
    TAC_TRY(tac_field_number(s, "weight", &f->weight));
    TAC_TRY(tac_field_word(s, "missing", tac_missing_words, COUNT(tac_missing_words), &word));
    f->missing = (tacit_missing)word;
    if (f->missing == TACIT_MISSING_DEFAULT)
        TAC_TRY(tac_field_refuse(s, "missing", "must be a rule"));
    TAC_TRY(read_fill(s, f));
done:
    tac_free(means);
    return status;
}

tacit_status tac_read_features(const tac_section *section, tac_features *out)
{
    tacit_status status = TACIT_OK;
    const tac_node *list = NULL;
    tac_section item;

    if (!tac_field_present(section, "features")) return TACIT_OK;
    TAC_TRY(tac_field_list(section, "features", -1, &list));
    const size_t count = tac_node_count(list);
    if (count < 1 || count > TAC_MODEL_DIMS_MAX)
        return tac_field_refuse(section, "features", "must have an entry for every column");
    TAC_TRY(tac_features_new(section->ctx, (int32_t)count, TACIT_MISSING_DROP_ROW, out));
    for (size_t i = 0; i < count; i++) {
        TAC_TRY(tac_section_item(section, "features", list, i, &item));
        TAC_TRY(read_feature(&item, &out->feature[i]));
    }
    tac_features_place(out);
done:
    return status;
}
