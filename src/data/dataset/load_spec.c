/* SPDX-License-Identifier: Apache-2.0 */
/* The description of a table, taken from one handle and given to another: the parts of a table are
   read alike wherever they are. */
#include "data/dataset/load_spec.h"

#include <string.h>

void tac_load_spec_clear(tac_load_spec *s)
{
    for (int32_t i = 0; s->missing_word != NULL && i < s->missing_words; i++)
        tac_free(s->missing_word[i]);
    tac_free(s->missing_word);
    tac_free(s->column);
    tac_features_clear(&s->features);
    memset(s, 0, sizeof *s);
}

static tacit_status copy_words(tacit_ctx *ctx, int32_t count, char *const *from, char ***out)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_new(ctx, (size_t)count, sizeof **out, out));
    for (int32_t i = 0; i < count; i++)
        if (((*out)[i] = tac_strdup(ctx, from[i])) == NULL) return TACIT_E_MEMORY;
done:
    return status;
}

tacit_status tac_load_spec_of(tacit_ctx *ctx, const tacit_data *data, const tac_load *load,
                              tac_load_spec *out)
{
    tacit_status status = TACIT_OK;
    const tac_selection *selection = &data->selection;
    const int32_t columns = data->reader->schema.columns;
    tac_load_spec s = {.format = data->reader->format,
                       .dialect = data->reader->dialect,
                       .columns = columns,
                       .dims = selection->dims,
                       .missing = selection->missing,
                       .counts = load->counts,
                       .guarded = load->guarded};

    memset(out, 0, sizeof *out);
    if (data->has_units) {
        s.unit = selection->unit < 0          ? TAC_UNIT_TOLD
                 : selection->unit >= columns ? TAC_UNIT_SIDE
                                              : TAC_UNIT_COLUMN;
        s.unit_place = s.unit == TAC_UNIT_SIDE     ? selection->unit - columns
                       : s.unit == TAC_UNIT_COLUMN ? selection->unit
                                                   : 0;
    }
    TAC_TRY(tac_data_header(ctx, data, s.header));
    TAC_TRY(tac_new(ctx, (size_t)s.dims, sizeof *s.column, &s.column));
    memcpy(s.column, selection->column, (size_t)s.dims * sizeof *s.column);
    s.missing_words = selection->missing_words;
    TAC_TRY(copy_words(ctx, s.missing_words, selection->missing_word, &s.missing_word));
    TAC_TRY(tac_features_copy(ctx, &data->features, &s.features));
    *out = s;
    memset(&s, 0, sizeof s);
done:
    tac_load_spec_clear(&s);
    return status;
}

/* `count` texts, none of them NULL. */
static void walk_texts(tac_walk *w, int32_t *count, char ***list)
{
    TAC_NUMBER(w, *count);
    if (!w->bad && *count < 0) w->bad = true;
    if (w->bad && w->in != NULL) *count = 0;
    if (w->bad) return;
    *list = tac_walk_list(w, *list, (size_t)*count, sizeof **list, 5);
    for (int32_t i = 0; !w->bad && i < *count; i++) {
        tac_walk_text(w, &(*list)[i]);
        w->bad = w->bad || (*list)[i] == NULL;
    }
}

static void walk_feature(tac_walk *w, tac_feature *f)
{
    tac_walk_text(w, &f->name);
    w->bad = w->bad || f->name == NULL;
    f->value.kind = (tac_value_kind)tac_walk_choice(w, (int32_t)f->value.kind, TAC_VALUE_DATE + 1);
    walk_texts(w, &f->value.words, &f->value.word);
    if (f->value.word == NULL) f->value.words = 0; /* for tac_feature_clear */
    tac_walk_truth(w, &f->value.boolean);
    f->transform = (tac_transform)tac_walk_choice(w, (int32_t)f->transform, TAC_TRANSFORMS);
    TAC_NUMBER(w, f->weight), TAC_NUMBER(w, f->fill);
    f->missing =
        (tacit_missing)tac_walk_choice(w, (int32_t)f->missing, TACIT_MISSING_OWN_CATEGORY + 1);
}

void tac_load_spec_walk(tac_walk *w, tac_load_spec *s)
{
    bool described = s->features.count > 0;

    int32_t format = (int32_t)s->format;

    tac_walk_bytes(w, s->header, sizeof s->header);
    TAC_NUMBER(w, format);
    s->format = (tacit_format)format;
    TAC_NUMBER(w, s->dialect.separator), TAC_NUMBER(w, s->dialect.decimal);
    TAC_NUMBER(w, s->dialect.thousands), TAC_NUMBER(w, s->dialect.skip_lines);
    TAC_NUMBER(w, s->columns), TAC_NUMBER(w, s->dims);
    if (s->dims < 1) w->bad = true;
    if (w->bad) return;
    TAC_LIST(w, s->column, (size_t)s->dims);
    s->unit = (tac_spec_unit)tac_walk_choice(w, (int32_t)s->unit, TAC_UNITS);
    TAC_NUMBER(w, s->unit_place);
    s->missing =
        (tacit_missing)tac_walk_choice(w, (int32_t)s->missing, TACIT_MISSING_OWN_CATEGORY + 1);
    walk_texts(w, &s->missing_words, &s->missing_word);
    tac_walk_truth(w, &s->counts), tac_walk_truth(w, &s->guarded);
    tac_walk_truth(w, &described);
    if (!described || w->bad) return;
    s->features.feature =
        tac_walk_list(w, s->features.feature, (size_t)s->dims, sizeof *s->features.feature, 16);
    if (s->features.feature != NULL) s->features.count = s->dims;
    for (int32_t j = 0; !w->bad && j < s->dims; j++) walk_feature(w, &s->features.feature[j]);
}

tacit_status tac_load_spec_open(tacit_ctx *ctx, const tac_load_spec *s, const char *path,
                                int descriptor, tacit_data **out)
{
    const tac_format_traits *traits = tac_format_traits_of(s->format);
    tacit_data_opts o = TACIT_DATA_OPTS_INIT;

    *out = NULL;
    if (traits->open == NULL || s->format == TACIT_FORMAT_TRIPLETS)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: parts of a table on several processes are CSV, TSV, NPY, Matrix "
                        "Market or LIBSVM files (a row of triplets may go on in another file)",
                        path);
    o.format = s->format;
    o.descriptor = descriptor;
    if (traits->texts) {
        o.delimiter = s->dialect.separator;
        o.decimal = s->dialect.decimal;
        o.thousands = s->dialect.thousands;
        o.skip_lines = s->dialect.skip_lines;
    }
    /* a part need not show them all */
    if (traits->unstated) o.shape_columns = s->columns - 1;
    return tacit_data_open(ctx, path, &o, out);
}

/* Numbers that a reader can work with. */
static bool makes_sense(const tac_load_spec *s, const tac_schema *schema)
{
    bool good =
        s->missing != TACIT_MISSING_DEFAULT &&
        (s->unit != TAC_UNIT_COLUMN || (s->unit_place >= 0 && s->unit_place < schema->columns)) &&
        (s->unit != TAC_UNIT_SIDE || (s->unit_place >= 0 && s->unit_place < schema->sides));

    for (int32_t j = 0; good && j < s->dims; j++)
        good = s->column[j] >= 0 && s->column[j] < schema->columns;
    return good && (s->features.count == 0 || s->features.count == s->dims);
}

/* The features, checked as those that options say: copies. */
static tacit_status take_features(tacit_ctx *ctx, const tac_load_spec *s, tacit_data *data)
{
    tacit_status status = TACIT_OK;

    tac_features_clear(&data->features);
    if (s->features.count > 0)
        TAC_TRY(tac_features_new(ctx, s->features.count, s->missing, &data->features));
    for (int32_t j = 0; j < s->features.count; j++) {
        const tac_feature *from = &s->features.feature[j];
        tac_feature *f = &data->features.feature[j];
        if (from->value.kind != TAC_VALUE_CATEGORY) {
            TAC_TRY(tac_feature_copy(ctx, from, f));
        } else {
            *f = *from;
            f->value.word = NULL;
            f->value.words = 0;
            f->name = NULL;
            if ((f->name = tac_strdup(ctx, from->name)) == NULL) TAC_TRY(TACIT_E_MEMORY);
            TAC_TRY(tac_feature_set_words(ctx, tac_data_name(data), from->value.word,
                                          from->value.words, f));
        }
    }
    TAC_TRY(tac_data_tell_readers(ctx, data));
done:
    return status;
}

tacit_status tac_load_spec_take(tacit_ctx *ctx, const tac_load_spec *s, tacit_data *data)
{
    tacit_status status = TACIT_OK;
    const tac_schema *schema = &data->reader->schema;
    uint8_t header[TAC_DIGEST];

    if (data->loaded || data->failed)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "%s: was read before; open it again for another run",
                        tac_data_name(data));
    TAC_TRY(tac_data_header(ctx, data, header));
    if (memcmp(header, s->header, sizeof header) != 0 || !makes_sense(s, schema))
        return tac_fail(ctx, TACIT_E_DECLARED,
                        "%s: is not a part of the table that the root has opened: names, order or "
                        "number of columns, format or delimiter differ",
                        tac_data_name(data));
    if ((s->unit == TAC_UNIT_TOLD) != (data->told_unit != NULL))
        return tac_fail(ctx, TACIT_E_DECLARED,
                        "%s: the root and this part must both be told whose rows they are, or "
                        "neither",
                        tac_data_name(data));
    if (s->dims > schema->columns) TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT, "too many columns"));
    for (int32_t i = 0; data->missing_words != NULL && i < data->selection.missing_words; i++)
        tac_free(data->missing_words[i]);
    tac_free(data->missing_words);
    data->missing_words = NULL;
    data->selection.missing_words = 0;
    TAC_TRY(copy_words(ctx, s->missing_words, s->missing_word, &data->missing_words));
    data->selection.missing_words = s->missing_words;
    data->selection.missing_word = data->missing_words;
    data->selection.missing = s->missing;
    data->selection.dims = s->dims;
    memcpy(data->columns, s->column, (size_t)s->dims * sizeof *data->columns);
    data->selection.label = -1;
    data->selection.names = false;
    data->selection.unit = s->unit == TAC_UNIT_COLUMN ? s->unit_place
                           : s->unit == TAC_UNIT_SIDE ? schema->columns + s->unit_place
                                                      : -1;
    data->has_units = s->unit != TAC_UNIT_NONE;
    TAC_TRY(take_features(ctx, s, data));
done:
    return status;
}
