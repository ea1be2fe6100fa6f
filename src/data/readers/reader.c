/* SPDX-License-Identifier: Apache-2.0 */
/* Which reader opens a file; and the small checks that all readers share. */
#include "data/readers/vocabulary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NPY_MAGIC "\x93NUMPY"
#define SCRATCH (size_t)65536 /* bytes of rows that are looked through at a time */

/* Standard input, pipes and devices have no ending: CSV unless the first bytes are NumPy's. */
static tacit_status open_stream(tacit_ctx *ctx, const char *path, tac_input *input,
                                const tac_dialect *dialect, tac_reader **out)
{
    const tac_dialect full = tac_dialect_full(dialect, TACIT_FORMAT_CSV);
    bool npy = false;
    const tacit_status status =
        tac_input_starts_with(ctx, input, NPY_MAGIC, sizeof NPY_MAGIC - 1, &npy);
    if (status != TACIT_OK) {
        tac_input_close(input);
        return status;
    }
    return npy ? tac_npy_from_input(ctx, path, input, out)
               : tac_csv_from_input(ctx, path, input, &full, out);
}

/* A path whose ending shows no format. A stream is looked into; a file is refused, with the pipe
   that works if another program made it. */
static tacit_status open_unnamed(tacit_ctx *ctx, const char *path, const tac_shape *shape,
                                 tac_reader **out)
{
    tac_input input = TAC_INPUT_CLOSED;
    tacit_status status = tac_input_open_at(ctx, path, shape->descriptor, &input);
    if (status != TACIT_OK) return status;
    if (!input.again) return open_stream(ctx, path, &input, &shape->dialect, out);
    tac_input_close(&input);
    status = tac_refuse_foreign(ctx, path, "", 0, true);
    if (status != TACIT_OK) return status;
    char endings[200];
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "%s: its ending shows no known format (%s, each with .gz behind it or not); "
                    "name the format",
                    path, tac_format_endings(sizeof endings, endings));
}

tacit_status tac_open_format(tacit_ctx *ctx, const char *path, tacit_format format,
                             tac_reader **out)
{
    const tac_shape none = {0};
    return tac_open_shaped(ctx, path, format, &none, out);
}

/* The contract stands in reader.h. The format is the one given, else the one that the ending
   shows. */
tacit_status tac_open_shaped(tacit_ctx *ctx, const char *path, tacit_format format,
                             const tac_shape *shape, tac_reader **out)
{
    *out = NULL;
    format = tac_format_by_ending(path, format);
    const tac_format_traits *traits = tac_format_traits_of(format);
    const char *wrong = tac_dialect_fault(&shape->dialect, format);
    if (wrong != NULL) return tac_fail(ctx, TACIT_E_ARGUMENT, "%s: %s", path, wrong);
    if (shape->vocabulary != NULL &&
        (format == TACIT_FORMAT_AUTO || (traits->header && !traits->sparse)))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: a vocabulary names the columns of sparse files and of .npy; a CSV "
                        "matrix names them in its header: leave the vocabulary out, or name the "
                        "format triplets",
                        path);
    if (format == TACIT_FORMAT_AUTO) return open_unnamed(ctx, path, shape, out);
    if (traits->open != NULL) return traits->open(ctx, path, shape, out);
    return tac_fail(ctx, TACIT_E_ARGUMENT, "format is not one of its values");
}

int32_t tac_name_place(char *const *names, int32_t count, const char *name)
{
    int64_t number = 0;

    for (int32_t j = 0; j < count; j++)
        if (strcmp(names[j], name) == 0) return j;
    /* a few digits and nothing else */
    for (const char *p = name; *p != '\0'; p++) {
        if (*p < '0' || *p > '9' || p - name > 8) return -1;
        number = 10 * number + (*p - '0');
    }
    return number >= 1 && number <= count ? (int32_t)number - 1 : -1;
}

int32_t tac_number_place(const char *name, int32_t columns)
{
    const bool zero = strncmp(name, "col", 3) == 0;
    const char *digits = name + (zero ? 3 : name[0] == 'c');
    char *end = NULL;

    if (digits == name || *digits < '0' || *digits > '9') return -1;
    if (*digits == '0' && !(zero && digits[1] == '\0')) return -1;
    const long number = strtol(digits, &end, 10), place = zero ? number : number - 1;
    return *end == '\0' && place < columns ? (int32_t)place : -1;
}

/* The first text of each list owns the block that holds all of them. */
void tac_schema_clear(tac_schema *schema)
{
    if (schema->names != NULL) tac_free(schema->names[0]);
    tac_free(schema->names);
    if (schema->side != NULL) tac_free(schema->side[0]);
    tac_free(schema->side);
    if (schema->header != NULL) tac_free(schema->header[0]);
    tac_free(schema->header);
    memset(schema, 0, sizeof *schema);
}

/* A feature must not be the label or unit, nor the column that can be a label only. */
tacit_status tac_selection_map(tacit_ctx *ctx, const tac_reader *reader,
                               const tac_selection *selection, int32_t **feature)
{
    tacit_status status = TACIT_OK;
    const tac_schema *schema = &reader->schema;
    int32_t *map = NULL;
    bool good = selection->dims >= 0 && selection->label >= -1 &&
                selection->label < schema->columns + schema->sides && selection->unit >= -1 &&
                selection->unit < schema->columns + schema->sides;

    *feature = NULL;
    TAC_TRY(tac_new(ctx, (size_t)schema->columns, sizeof *map, &map));
    for (int32_t c = 0; c < schema->columns; c++) map[c] = -1;
    for (int32_t j = 0; good && j < selection->dims; j++) {
        const int32_t c = selection->column[j];
        good = c >= 0 && c < schema->columns && map[c] < 0 && c != schema->label_only &&
               c != selection->label && c != selection->unit;
        if (good) map[c] = j;
    }
    if (selection->unit >= 0 && selection->unit == schema->label_only) good = false;
    if (!good) {
        status = tac_fail(ctx, TACIT_E_ARGUMENT,
                          "a selected column does not exist, is named twice, or is a label or "
                          "unit; select others");
        goto done;
    }
    TAC_TRY(tac_rules_check(ctx, reader, selection));
    *feature = map;
    map = NULL;
done:
    tac_free(map);
    return status;
}

/* Only the sentence about a missing value names the row (see tac_fail_count). */
tacit_status tac_check_values(tacit_ctx *ctx, const tac_reader *reader, const tac_input *input,
                              const tac_selection *selection)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)selection->dims;
    const int64_t most = dims * 8 > SCRATCH ? 1 : (int64_t)(SCRATCH / (dims * 8));
    double *rows = NULL;

    TAC_TRY(tac_new(ctx, (size_t)most * dims, sizeof *rows, &rows));
    for (int64_t first = 0; first < reader->rows; first += most) {
        const int64_t count = reader->rows - first < most ? reader->rows - first : most;
        TAC_TRY(tac_check_cancel(ctx));
        TAC_TRY(tac_input_failed(ctx, input, reader->read(reader, first, count, rows)));
        for (size_t i = 0; i < (size_t)count * dims; i++)
            if (selection->counts ? !tac_is_count(rows[i]) : isnan(rows[i])) {
                const char *name = reader->schema.names[selection->column[i % dims]];
                TAC_TRY(selection->counts
                            ? tac_fail_count(ctx, input->name, name)
                            : tac_fail_missing(ctx, input->name, first + (int64_t)(i / dims) + 1,
                                               "row", name));
            }
    }
done:
    tac_free(rows);
    return status;
}

/* Is all of it UTF-8? Shortest forms only, no surrogates, nothing above U+10FFFF. */
bool tac_is_utf8(const char *text, size_t length)
{
    const unsigned char *p = (const unsigned char *)text, *const end = p + length;

    while (p < end) {
        const unsigned lead = *p++;
        if (lead < 0x80) continue;
        const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
        uint32_t point = lead & (0x3fU >> more);
        if (lead < 0xc2 || lead > 0xf4 || end - p < more) return false;
        for (int i = 0; i < more; i++) {
            if ((*p & 0xc0) != 0x80) return false;
            point = point << 6 | (*p++ & 0x3fU);
        }
        if ((more == 2 && point < 0x800) || (more == 3 && point < 0x10000) || point > 0x10ffff ||
            (point >= 0xd800 && point <= 0xdfff))
            return false;
    }
    return true;
}

tacit_status tac_read_held_units(const tac_reader *self, int64_t first, int64_t count,
                                 tac_person *out)
{
    memcpy(out, self->unit + first, (size_t)count * sizeof *out);
    return TACIT_OK;
}

/* Names of columns, about 200 bytes of them, and how many more there are. */
static void list_names(char *to, size_t room, char *const *names, int32_t count)
{
    size_t used = 0;
    int32_t j = 0;

    for (; j < count && j < 12 && used < 200; j++)
        used += (size_t)snprintf(to + used, room - used, "%s%.60s", j == 0 ? "" : ", ", names[j]);
    if (j < count) snprintf(to + used, room - used, " and %d more", (int)(count - j));
}

tacit_status tac_fail_no_column(tacit_ctx *ctx, const char *where, const char *option,
                                const char *name, char *const *names, int32_t count, bool header)
{
    const char *near = tac_nearest_name(name, (const char *const *)names, (size_t)count);
    char list[400] = "none";

    list_names(list, sizeof list, names, count);
    if (near != NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: %s names the column '%.120s', which the data does not have; did you "
                        "mean '%.120s'? Its columns: %s",
                        where, option, name, near, list);
    /* a header of one name is often no header */
    if (header && count == 1)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: %s names the column '%.120s', which the data does not have; its "
                        "header is one name: %s; if that is a title, skip the lines above the "
                        "header "
                        "(--skip-lines), and if other marks separate the names, say which "
                        "(--delimiter)",
                        where, option, name, list);
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "%s: %s names the column '%.120s', which the data does not have; its columns: "
                    "%s",
                    where, option, name, list);
}

tacit_status tac_fail_missing(tacit_ctx *ctx, const char *where, int64_t line,
                              const char *line_word, const char *column)
{
    return tac_fail(ctx, TACIT_E_FORMAT,
                    "%s: %s %lld, " TAC_COLUMN ": the value is missing or not finite; fill it in, "
                    "or leave such rows out (drop-row, the default)",
                    where, line_word, (long long)line, column);
}

tacit_status tac_fail_count(tacit_ctx *ctx, const char *where, const char *column)
{
    return tac_fail(ctx, TACIT_E_FORMAT,
                    "%s: " TAC_COLUMN ": holds something that is no count; counts are whole "
                    "numbers from 0 to %d, none missing",
                    where, column, TAC_MOST_COUNT);
}

tacit_status tac_fail_sum(tacit_ctx *ctx, const char *where, const char *column)
{
    return tac_fail(ctx, TACIT_E_FORMAT,
                    "%s: " TAC_COLUMN ": the counts given for one entry add up to more than %d; "
                    "scale them down",
                    where, column, TAC_MOST_COUNT);
}

tacit_status tac_fail_no_rows(tacit_ctx *ctx, const char *where)
{
    return tac_fail(ctx, TACIT_E_FORMAT, "%s: there are no rows; is this the right file?", where);
}
