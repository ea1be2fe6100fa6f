/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of R as an Arrow stream. Numbers stay in R's memory, which the handle keeps. What R
   writes otherwise than Arrow (holes of integers, logicals, levels, days) is written anew when the
   library asks for the rows, which it does once they are paid for. */
#include "columns.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/arrow_abi.h>

typedef enum column_kind {
    REAL64,
    INTEGER32,
    INTEGER64,
    BOOLEAN_,
    FACTOR, /* numbers from 1 of the levels */
    DAYS,
    SECONDS,
    NOTHING /* a column that cannot be used: no type of Arrow's, which the library refuses */
} column_kind;

static const struct {
    const char *name, *format;
} forms[] = {
    [REAL64] = {"double", "g"},         [INTEGER32] = {"integer", "i"},
    [INTEGER64] = {"integer64", "l"},   [BOOLEAN_] = {"logical", "b"},
    [FACTOR] = {"levels", "i"},         [DAYS] = {"days", "tdD"},
    [SECONDS] = {"seconds", "tss:UTC"}, [NOTHING] = {"nothing", "R"},
};

typedef struct column {
    column_kind kind;
    const void *values; /* R's */
    char *name;
    int32_t levels;
    int64_t *offsets; /* of the levels, moved into the array; 8 bytes: how long they are together
                         must not be what refuses a run */
    char *letters;
} column;

typedef struct table {
    int64_t rows;
    int count, given;
    column *columns;
} table;

static void table_free(table *t)
{
    if (t == NULL) return;
    for (int i = 0; t->columns != NULL && i < t->count; i++) {
        free(t->columns[i].name);
        free(t->columns[i].offsets);
        free(t->columns[i].letters);
    }
    free(t->columns);
    free(t);
}

/* ---- the schema ---- */

static void schema_release(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release != NULL) schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    free(schema->children);
    if (schema->dictionary != NULL) {
        if (schema->dictionary->release != NULL) schema->dictionary->release(schema->dictionary);
        free(schema->dictionary);
    }
    free((char *)schema->name);
    schema->release = NULL;
}

static int schema_fill(struct ArrowSchema *out, const char *format, const char *name)
{
    memset(out, 0, sizeof *out);
    out->format = format;
    out->flags = ARROW_FLAG_NULLABLE;
    out->release = schema_release;
    out->name = strdup(name);
    return out->name == NULL ? ENOMEM : 0;
}

static int schema_of_column(const column *c, struct ArrowSchema *out)
{
    int wrong = schema_fill(out, forms[c->kind].format, c->name);
    if (wrong == 0 && c->kind == FACTOR) {
        out->dictionary = calloc(1, sizeof *out->dictionary);
        wrong = out->dictionary == NULL ? ENOMEM : schema_fill(out->dictionary, "U", "");
    }
    return wrong;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    table *t = stream->private_data;
    int wrong = schema_fill(out, "+s", "");
    if (wrong == 0) {
        out->children = calloc((size_t)t->count + 1, sizeof *out->children);
        wrong = out->children == NULL ? ENOMEM : 0;
    }
    for (int i = 0; wrong == 0 && i < t->count; i++) {
        out->children[i] = calloc(1, sizeof **out->children);
        if (out->children[i] == NULL) {
            wrong = ENOMEM;
            break;
        }
        out->n_children = i + 1;
        wrong = schema_of_column(&t->columns[i], out->children[i]);
    }
    if (wrong != 0) schema_release(out);
    return wrong;
}

/* ---- the rows ---- */

/* Buffers that are ours: all but those of R. */
typedef struct owned {
    const void *buffers[3];
    void *mine[3];
} owned;

static void array_release(struct ArrowArray *array)
{
    owned *o = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release != NULL) array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    free(array->children);
    if (array->dictionary != NULL) {
        if (array->dictionary->release != NULL) array->dictionary->release(array->dictionary);
        free(array->dictionary);
    }
    for (int i = 0; o != NULL && i < 3; i++) free(o->mine[i]);
    free(o);
    array->release = NULL;
}

static int array_fill(struct ArrowArray *out, int64_t length, int64_t buffers)
{
    memset(out, 0, sizeof *out);
    owned *o = calloc(1, sizeof *o);
    out->length = length;
    out->null_count = -1;
    out->n_buffers = buffers;
    out->private_data = o;
    out->release = array_release;
    out->buffers = o == NULL ? NULL : o->buffers;
    return o == NULL ? ENOMEM : 0;
}

static void set_bit(uint8_t *bits, int64_t i)
{
    bits[i >> 3] |= (uint8_t)(1u << (i & 7));
}

/* Floor of a double as a whole number of 8 or 4 bytes; 0: it has none. */
static int floor_of(double value, double most, int64_t *out)
{
    double whole = floor(value);
    if (!(whole >= -most && whole <= most)) return 0;
    *out = (int64_t)whole;
    return 1;
}

/* Writes value i where Arrow wants it; 0: it is missing. */
static int write_value(const column *c, int64_t i, void *to)
{
    const int *whole = c->values;
    const double *real = c->values;
    int64_t number = 0;
    switch (c->kind) {
    case INTEGER32: return whole[i] != NA_INTEGER;
    case INTEGER64: return ((const int64_t *)c->values)[i] != INT64_MIN;
    case BOOLEAN_:
        if (whole[i] != NA_LOGICAL && whole[i] != 0) set_bit(to, i);
        return whole[i] != NA_LOGICAL;
    case FACTOR:
        if (whole[i] == NA_INTEGER || whole[i] < 1 || whole[i] > c->levels) return 0;
        ((int32_t *)to)[i] = whole[i] - 1;
        return 1;
    case DAYS:
        if (!floor_of(real[i], 2147483647.0, &number)) return 0;
        ((int32_t *)to)[i] = (int32_t)number;
        return 1;
    case SECONDS:
        if (!floor_of(real[i], 9e15, &number)) return 0;
        ((int64_t *)to)[i] = number;
        return 1;
    default: return 1;
    }
}

static int fill_dictionary(column *c, struct ArrowArray *out)
{
    int wrong = array_fill(out, c->levels, 3);
    if (wrong != 0) return wrong;
    owned *o = out->private_data;
    out->null_count = 0;
    o->buffers[1] = o->mine[1] = c->offsets;
    o->buffers[2] = o->mine[2] = c->letters;
    c->offsets = NULL;
    c->letters = NULL;
    return 0;
}

static int fill_column(column *c, int64_t rows, struct ArrowArray *out)
{
    int wrong = array_fill(out, rows, c->kind == NOTHING ? 0 : 2);
    if (wrong != 0 || c->kind == NOTHING) {
        out->null_count = rows;
        return wrong;
    }
    owned *o = out->private_data;
    o->buffers[1] = c->values;
    if (c->kind == REAL64) { /* NaN is missing as it is */
        out->null_count = 0;
        return 0;
    }
    size_t width = c->kind == SECONDS ? 8 : c->kind == DAYS || c->kind == FACTOR ? 4 : 0;
    uint8_t *valid = o->mine[0] = calloc((size_t)rows / 8 + 1, 1);
    o->buffers[0] = valid;
    if (width > 0 || c->kind == BOOLEAN_)
        o->buffers[1] = o->mine[1] =
            calloc(width > 0 ? (size_t)rows + 1 : (size_t)rows / 8 + 1, width > 0 ? width : 1);
    if (valid == NULL || (o->buffers[1] == NULL && rows > 0)) return ENOMEM;
    for (int64_t i = 0; i < rows; i++)
        if (write_value(c, i, o->mine[1])) set_bit(valid, i);
    if (c->kind == FACTOR) {
        out->dictionary = calloc(1, sizeof *out->dictionary);
        return out->dictionary == NULL ? ENOMEM : fill_dictionary(c, out->dictionary);
    }
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    table *t = stream->private_data;
    if (t->given) {
        memset(out, 0, sizeof *out); /* released: the end */
        return 0;
    }
    t->given = 1;
    int wrong = array_fill(out, t->rows, 1);
    out->null_count = 0;
    if (wrong == 0) {
        out->children = calloc((size_t)t->count + 1, sizeof *out->children);
        wrong = out->children == NULL ? ENOMEM : 0;
    }
    for (int i = 0; wrong == 0 && i < t->count; i++) {
        out->children[i] = calloc(1, sizeof **out->children);
        if (out->children[i] == NULL) {
            wrong = ENOMEM;
            break;
        }
        out->n_children = i + 1;
        wrong = fill_column(&t->columns[i], t->rows, out->children[i]);
    }
    if (wrong != 0) array_release(out);
    return wrong;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "out of memory";
}

static void stream_release(struct ArrowArrayStream *stream)
{
    table_free(stream->private_data);
    stream->release = NULL;
}

/* ---- from R ---- */

/* Levels as one text and where each begins. */
static int copy_levels(column *c, SEXP levels)
{
    size_t bytes = 0;
    R_xlen_t count = XLENGTH(levels);
    for (R_xlen_t i = 0; i < count; i++) bytes += strlen(CHAR(STRING_ELT(levels, i)));
    if (count >= INT32_MAX) return ENOMEM;
    c->levels = (int32_t)count;
    c->offsets = calloc((size_t)count + 1, sizeof *c->offsets);
    c->letters = malloc(bytes + 1);
    if (c->offsets == NULL || c->letters == NULL) return ENOMEM;
    for (R_xlen_t i = 0; i < count; i++) {
        const char *one = CHAR(STRING_ELT(levels, i));
        size_t length = strlen(one);
        memcpy(c->letters + c->offsets[i], one, length);
        c->offsets[i + 1] = c->offsets[i] + (int64_t)length;
    }
    return 0;
}

static column_kind kind_named(const char *name)
{
    for (size_t kind = 0; kind < sizeof forms / sizeof forms[0]; kind++)
        if (strcmp(forms[kind].name, name) == 0) return (column_kind)kind;
    return NOTHING;
}

/* The first value of a column. R may have to write it out first, which can fail: so this comes
   before anything is ours. */
static const void *values_of(SEXP spec, int64_t rows, column_kind kind)
{
    SEXP values = item(spec, "values");
    R_xlen_t first = (R_xlen_t)number(spec, "first", 0);
    int is_int = TYPEOF(values) == INTSXP || TYPEOF(values) == LGLSXP;
    int wants_int = kind == INTEGER32 || kind == BOOLEAN_ || kind == FACTOR;
    if (kind == NOTHING) return NULL;
    if ((!is_int && TYPEOF(values) != REALSXP) || is_int != wants_int ||
        first + rows > XLENGTH(values))
        Rf_error("a column has another type or length than it says");
    if (TYPEOF(values) == LGLSXP) return LOGICAL(values) + first;
    return is_int ? (const void *)(INTEGER(values) + first) : (const void *)(REAL(values) + first);
}

int columns_stream(SEXP specs, int64_t rows, struct ArrowArrayStream *out)
{
    int count = (int)XLENGTH(specs), wrong = 0;
    const void **values = (const void **)R_alloc((size_t)count + 1, sizeof *values);
    for (int i = 0; i < count; i++)
        values[i] =
            values_of(VECTOR_ELT(specs, i), rows, kind_named(text(VECTOR_ELT(specs, i), "kind")));

    table *t = calloc(1, sizeof *t);
    if (t == NULL) return ENOMEM;
    t->rows = rows;
    t->columns = calloc((size_t)count + 1, sizeof *t->columns);
    t->count = t->columns == NULL ? 0 : count;
    for (int i = 0; wrong == 0 && i < t->count; i++) {
        SEXP spec = VECTOR_ELT(specs, i);
        column *c = &t->columns[i];
        c->kind = kind_named(text(spec, "kind"));
        c->values = values[i];
        c->name = strdup(text(spec, "name"));
        wrong = c->name == NULL ? ENOMEM : 0;
        if (wrong == 0 && c->kind == FACTOR) wrong = copy_levels(c, item(spec, "levels"));
    }
    if (t->columns == NULL || wrong != 0) {
        table_free(t);
        return ENOMEM;
    }
    out->get_schema = get_schema;
    out->get_next = get_next;
    out->get_last_error = get_last_error;
    out->release = stream_release;
    out->private_data = t;
    return 0;
}
