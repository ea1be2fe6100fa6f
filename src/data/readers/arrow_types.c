/* SPDX-License-Identifier: Apache-2.0 */
/* Types of Arrow columns: a format string, and for dictionaries that of their values. Types that
   are not read are refused by name, and only where a column of theirs is used. */
#include "data/readers/arrow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SCALE 76

/* Formats of one letter. */
static const struct plain_type {
    char letter;
    tac_arrow_kind kind;
    tacit_type number;
    tac_arrow_layout layout;
    const char *called;
} plain_types[] = {
    {'n', TAC_ARROW_NOTHING, TACIT_F64, 0, "null"},
    {'b', TAC_ARROW_BOOLEAN, TACIT_F64, 0, "boolean"},
    {'c', TAC_ARROW_NUMBER, TACIT_I8, 0, "int8"},
    {'C', TAC_ARROW_NUMBER, TACIT_U8, 0, "uint8"},
    {'s', TAC_ARROW_NUMBER, TACIT_I16, 0, "int16"},
    {'S', TAC_ARROW_NUMBER, TACIT_U16, 0, "uint16"},
    {'i', TAC_ARROW_NUMBER, TACIT_I32, 0, "int32"},
    {'I', TAC_ARROW_NUMBER, TACIT_U32, 0, "uint32"},
    {'l', TAC_ARROW_NUMBER, TACIT_I64, 0, "int64"},
    {'L', TAC_ARROW_NUMBER, TACIT_U64, 0, "uint64"},
    {'e', TAC_ARROW_HALF, TACIT_F32, 0, "float16"},
    {'f', TAC_ARROW_NUMBER, TACIT_F32, 0, "float32"},
    {'g', TAC_ARROW_NUMBER, TACIT_F64, 0, "float64"},
    {'u', TAC_ARROW_TEXT, TACIT_F64, TAC_ARROW_INT32, "text"},
    {'U', TAC_ARROW_TEXT, TACIT_F64, TAC_ARROW_INT64, "text"},
};

/* Dates and moments; a time zone may follow those of ts. */
static const struct date_type {
    const char *format;
    tacit_type number;
    int64_t per_day;
} date_types[] = {
    {"tdD", TACIT_I32, 1},
    {"tdm", TACIT_I64, 86400000},
    {"tss:", TACIT_I64, 86400},
    {"tsm:", TACIT_I64, 86400000},
    {"tsu:", TACIT_I64, 86400000000},
    {"tsn:", TACIT_I64, 86400000000000},
};

/* What is not read, by how its format begins. */
static const char *const others[][2] = {
    {"z", "binary"},   {"Z", "binary"},    {"vz", "binary"},   {"w:", "binary"},
    {"tt", "time"},    {"tD", "duration"}, {"ti", "interval"}, {"+l", "list"},
    {"+L", "list"},    {"+vl", "list"},    {"+vL", "list"},    {"+w:", "list"},
    {"+s", "struct"},  {"+m", "map"},      {"+u", "union"},    {"+r", "run-end encoded"},
    {"d:", "decimal"},
};

/* "d:PRECISION,SCALE[,BITS]" of at most 128 bits. */
static bool is_decimal(const char *format, tac_arrow_type *out)
{
    char *end = NULL;

    if (strncmp(format, "d:", 2) != 0) return false;
    strtol(format + 2, &end, 10);
    if (end == format + 2 || *end != ',') return false;
    const char *const at = end + 1;
    const long scale = strtol(at, &end, 10);
    if (end == at || labs(scale) > MOST_SCALE) return false;
    long bits = 128;
    if (*end == ',') bits = strtol(end + 1, &end, 10);
    if (*end != '\0' || (bits != 32 && bits != 64 && bits != 128)) return false;
    out->kind = TAC_ARROW_DECIMAL;
    out->bytes = (int32_t)bits / 8;
    out->scale = (int32_t)scale;
    snprintf(out->called, sizeof out->called, "decimal");
    return true;
}

static void type_of_format(const char *format, tac_arrow_type *out)
{
    const size_t plain = sizeof plain_types / sizeof *plain_types,
                 dates = sizeof date_types / sizeof *date_types,
                 known = sizeof others / sizeof *others;

    *out = (tac_arrow_type){.kind = TAC_ARROW_OTHER};
    for (size_t i = 0; i < plain; i++)
        if (format[0] == plain_types[i].letter && format[1] == '\0') {
            const struct plain_type *t = &plain_types[i];
            out->kind = t->kind;
            out->number = t->number;
            out->layout = t->layout;
            snprintf(out->called, sizeof out->called, "%s", t->called);
            return;
        }
    for (size_t i = 0; i < dates; i++) {
        const struct date_type *t = &date_types[i];
        const size_t length = strlen(t->format);
        if (strncmp(format, t->format, length) != 0) continue;
        if (t->format[length - 1] != ':' && format[length] != '\0') continue;
        out->kind = TAC_ARROW_DATE;
        out->number = t->number;
        out->per_day = t->per_day;
        snprintf(out->called, sizeof out->called, "%s", t->format[1] == 'd' ? "date" : "timestamp");
        return;
    }
    if (strcmp(format, "vu") == 0) {
        out->kind = TAC_ARROW_TEXT;
        out->layout = TAC_ARROW_VIEWS;
        snprintf(out->called, sizeof out->called, "text");
        return;
    }
    if (is_decimal(format, out)) return;
    snprintf(out->called, sizeof out->called, "unknown (%.40s)", format);
    for (size_t i = 0; i < known; i++)
        if (strncmp(format, others[i][0], strlen(others[i][0])) == 0) {
            snprintf(out->called, sizeof out->called, "%s", others[i][1]);
            return;
        }
}

/* The next text of the metadata: its length as an int32, then its bytes. */
static const char *metadata_text(const char **at, int32_t *length)
{
    memcpy(length, *at, sizeof *length);
    const char *text = *at + sizeof *length;
    if (*length < 0) return NULL;
    *at = text + *length;
    return text;
}

/* The name of an extension type; NULL: it is none. */
static const char *extension_of(const char *metadata, int32_t *length)
{
    static const char wanted[] = "ARROW:extension:name";
    const char *at = metadata, *key, *value;
    int32_t pairs, key_length;

    if (metadata == NULL) return NULL;
    memcpy(&pairs, at, sizeof pairs);
    at += sizeof pairs;
    for (int32_t i = 0; i < pairs; i++) {
        if ((key = metadata_text(&at, &key_length)) == NULL) return NULL;
        if ((value = metadata_text(&at, length)) == NULL) return NULL;
        if (key_length == (int32_t)strlen(wanted) && memcmp(key, wanted, strlen(wanted)) == 0)
            return value;
    }
    return NULL;
}

void tac_arrow_type_of(const struct ArrowSchema *schema, tac_arrow_type *out)
{
    int32_t length = 0;
    const char *extension = extension_of(schema->metadata, &length);
    tac_arrow_type listed;

    type_of_format(schema->format == NULL ? "" : schema->format, out);
    if (schema->dictionary != NULL) {
        /* places are whole numbers, and what they stand for is no dictionary again */
        const bool places =
            out->kind == TAC_ARROW_NUMBER && out->number != TACIT_F32 && out->number != TACIT_F64;
        const struct ArrowSchema *values = schema->dictionary;
        type_of_format(values->format == NULL ? "" : values->format, &listed);
        listed.dictionary = true;
        listed.index = out->number;
        if (!places || values->dictionary != NULL) listed.kind = TAC_ARROW_OTHER;
        *out = listed;
    }
    if (extension == NULL) return;
    out->kind = TAC_ARROW_OTHER;
    snprintf(out->called, sizeof out->called, "extension (%.*s)", length < 60 ? (int)length : 60,
             extension);
}

/* ---- by rule ---- */

/* What is wrong with a feature of this type, and the fix; NULL: nothing. */
static const char *feature_fault(const tac_arrow_type *type, const tac_value_rule *rule)
{
    const tac_value_kind kind = rule == NULL ? TAC_VALUE_NUMBER : rule->kind;

    if (type->kind == TAC_ARROW_OTHER) return "which is not read; cast it, or leave it out";
    if (type->kind == TAC_ARROW_NOTHING) return NULL;
    if (kind == TAC_VALUE_DATE)
        return type->kind == TAC_ARROW_DATE || type->kind == TAC_ARROW_TEXT
                   ? NULL
                   : "and it is declared as a date; cast it to one, or give it numbers for bounds";
    if (type->kind == TAC_ARROW_DATE)
        return "so give it dates for bounds, as in birth=1920-01-01:2020-12-31, or leave it out";
    if (type->kind == TAC_ARROW_TEXT && kind == TAC_VALUE_NUMBER)
        return "so list its categories (categories, as in sex=F|M), give it dates for bounds, "
               "cast it to numbers, or leave it out (columns, or bounds for those to use)";
    return NULL;
}

tacit_status tac_arrow_check(const tac_reader *self, tacit_ctx *ctx, const tac_selection *selection)
{
    const tac_arrow *arrow = (const tac_arrow *)self;
    const int32_t aside[2] = {selection->label, selection->unit};

    for (int32_t j = 0; j < selection->dims; j++) {
        const int32_t c = selection->column[j];
        const char *fault =
            feature_fault(&arrow->type[c], selection->rule == NULL ? NULL : &selection->rule[j]);
        if (fault != NULL)
            return tac_fail(ctx, TACIT_E_ARGUMENT, "%s: " TAC_COLUMN ": is of type %s, %s",
                            TAC_ARROW_NAME, self->schema.names[c], arrow->type[c].called, fault);
    }
    for (int i = 0; i < 2; i++) {
        const tac_arrow_type *type = aside[i] < 0 ? NULL : &arrow->type[aside[i]];
        if (type != NULL && (type->kind == TAC_ARROW_OTHER || type->kind == TAC_ARROW_DATE ||
                             type->kind == TAC_ARROW_HALF))
            return tac_fail(ctx, TACIT_E_ARGUMENT,
                            "%s: " TAC_COLUMN ": is of type %s, and a label, an id or a person is "
                            "a text or a number; cast it to text",
                            TAC_ARROW_NAME, self->schema.names[aside[i]], type->called);
    }
    return TACIT_OK;
}
