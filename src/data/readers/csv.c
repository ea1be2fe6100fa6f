/* SPDX-License-Identifier: Apache-2.0 */
/* CSV and TSV files (RFC 4180) with a header: opening, the names, serving rows. The grammar:
     file   = header end *(record end)    ; the last end may be missing
     header = name *(separator name)      ; UTF-8, not empty, all different, none a number
     record = cell *(separator cell)      ; as many cells as the header has names
     cell   = text / quote *(char / quote quote) quote
     end    = LF / CR LF
   A UTF-8 byte order mark before the header is skipped, and so are as many lines as the dialect
   says. Blank lines may follow the last record;
   in a file of one column each of them is a missing value. Spaces around a number do not count.
   Refused: UTF-16, zero bytes, text in a feature column, a quote that is never
   closed or is followed by text. */
#include "data/readers/csv.h"

#include <string.h>

#define BOM "\xef\xbb\xbf"

/* read() of the reader where load holds the rows. */
static tacit_status csv_read(const tac_reader *self, int64_t first, int64_t count, double *out)
{
    const tac_csv *csv = (const tac_csv *)self;
    const size_t dims = (size_t)csv->dims;

    memcpy(out, csv->values + (size_t)first * dims, (size_t)count * dims * sizeof *out);
    return TACIT_OK;
}

/* close() of the reader. Takes NULL, and a reader whose header could not be read. */
static void csv_close(tac_reader *self)
{
    tac_csv *csv = (tac_csv *)self;

    if (csv == NULL) return;
    tac_input_close(&csv->cutter.input);
    tac_free(csv->cutter.rest.bytes);
    tac_schema_clear(&self->schema);
    tac_free(csv->values);
    tac_free(csv->label);
    tac_free(csv->unit);
    tac_cell_rules_free(csv->rules, csv->dims);
    tac_free(csv->feature);
    tac_free(csv->mark);
    tac_row_names_clear(&self->names);
    tac_free(csv);
}

size_t tac_tidy_name(char **name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)(*name)[i] < 0x20 || (*name)[i] == 0x7f) (*name)[i] = ' ';
    while (length > 0 && **name == ' ') (*name)++, length--;
    while (length > 0 && (*name)[length - 1] == ' ') length--;
    return length;
}

/* "label 1:0.5 7:2": the first row of a LIBSVM file, in one name or, with tabs, in several? names:
   one after the other, each ended by a zero byte. */
static bool is_libsvm(const char *names, int32_t columns)
{
    int64_t words = 0, index;

    for (; columns > 0; columns--, names += strlen(names) + 1)
        for (; *(names += strspn(names, " ")) != '\0' && *names != '#';
             names += strcspn(names, " ")) {
            const char *colon = tac_scan_count(names, &index);
            if (words++ > 0 && (colon == NULL || *colon != ':')) return false;
        }
    return words > 1;
}

/* The dialect may be wrong, and a row of numbers with decimal commas is still a row. */
bool tac_is_value(const char *name, size_t length)
{
    const char *const end = name + length, *p = name + (*name == '-' || *name == '+');
    bool digit = false;
    double value;

    if (tac_scan_decimal(name, &value) == end || tac_parse_date(name, length, &value)) return true;
    for (; p < end && ((unsigned char)(*p - '0') < 10 || strchr(".,' /:", *p) != NULL); p++)
        digit = digit || (unsigned char)(*p - '0') < 10;
    if (digit && p < end && (*p == 'e' || *p == 'E')) {
        p += p + 1 < end && (p[1] == '-' || p[1] == '+') ? 2 : 1;
        while (p < end && (unsigned char)(*p - '0') < 10) p++;
    }
    return digit && p == end;
}

/* The sentence for a fault in name number `column`, from 1. It never quotes the name: without a
   header, line 1 is somebody's row. */
static tacit_status bad_header(tacit_ctx *ctx, const tac_csv *csv, tac_csv_fault fault,
                               int32_t column)
{
    return tac_fail(ctx, TACIT_E_FORMAT, "%s: the header, name %d: %s", csv->cutter.input.name,
                    (int)column,
                    fault == TAC_CSV_ZERO ? "holds a zero byte; is this a text file in UTF-8?"
                    : fault == TAC_CSV_OPEN_QUOTE ? "a quote is opened and never closed; close it"
                                                  : "text follows a closing quote; double quotes "
                                                    "in a name");
}

/* Names from the first record. `text` receives them one after the other, each ended by a zero byte:
   it never needs more bytes than the record had. Refuses empty names, names that are not UTF-8,
   names given twice, numbers, and more than TAC_MOST_COLUMNS of them. Adds the lines of the header
   to csv->header_lines. */
static tacit_status read_names(tacit_ctx *ctx, tac_csv *csv, tac_piece *piece, char *text,
                               tac_codes *seen, int32_t *columns)
{
    const char *where = csv->cutter.input.name, *const first = text;
    char *p = piece->bytes, *const end = p + piece->size;

    for (*columns = 0;;) {
        char *name = NULL;
        size_t length = 0;
        bool quoted;
        int64_t lines, code;

        if (*columns == TAC_MOST_COLUMNS)
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: the header has more than %d names; is the separator right?", where,
                            TAC_MOST_COLUMNS);
        ++*columns;
        const tac_csv_fault fault =
            tac_csv_cell(&p, end, csv->cutter.separator, &name, &length, &quoted, &lines);
        if (fault != TAC_CSV_FINE) return bad_header(ctx, csv, fault, *columns);
        if (!quoted && memchr(name, '\r', length) != NULL)
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: lines end with a carriage return alone; convert them (tr '\\r' "
                            "'\\n')",
                            where);
        csv->header_lines += lines;
        length = tac_tidy_name(&name, length);
        if (length == 0)
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: the header, name %d: is empty; give every column a name (pandas: "
                            "to_csv with index=False), or skip the lines above the header "
                            "(--skip-lines)",
                            where, (int)*columns);
        if (!tac_is_utf8(name, length))
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: the header, name %d: is not UTF-8; convert the file (iconv -t "
                            "UTF-8)",
                            where, (int)*columns);
        memcpy(text, name, length);
        text[length] = '\0';
        const tacit_status status = tac_code_of(ctx, seen, text, length, &code);
        if (status != TACIT_OK) return status;
        if (code + 1 < *columns)
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: the header has " TAC_COLUMN " twice; names must differ", where,
                            text);
        /* A row taken for names would leave with the release, so a name that is a value is
           refused, unseen. */
        if (tac_is_value(name, length))
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: line %d holds a number or a date where a column name should be "
                            "(name %d); add a header line, or rename such columns (a year, say, to "
                            "y and the year)",
                            where, (int)csv->base.dialect.skip_lines + 1, (int)*columns);
        text += length + 1;
        if (*p != csv->cutter.separator) break;
        p++;
    }
    csv->header_lines++;
    /* The same for a file of another format that was named wrongly: its first row is somebody's. */
    if ((*columns == 1 || csv->cutter.separator == '\t') && is_libsvm(first, *columns))
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: line %d is a row of a LIBSVM file and no header; name the format "
                        "libsvm, or rename the columns",
                        where, (int)csv->base.dialect.skip_lines + 1);
    return TACIT_OK;
}

/* A header of one name that another program would split into several: refused here, and not in line
   2 for its text or its many cells. */
static tacit_status check_separator(tacit_ctx *ctx, const tac_csv *csv, const tac_piece *piece)
{
    const char separator = csv->cutter.separator;
    const char *line = piece->bytes;
    size_t size = piece->size;

    /* One that was declared is no accident. */
    if (line[0] == '"' || (separator != ',' && separator != '\t') ||
        memchr(line, separator, size) != NULL)
        return TACIT_OK;
    /* blanks around a name separate nothing */
    while (size > 0 && (unsigned char)line[size - 1] <= ' ') size--;
    while (size > 0 && (unsigned char)*line <= ' ') line++, size--;
    const bool other = memchr(line, separator == ',' ? '\t' : ',', size) != NULL;
    const int number = (int)csv->base.dialect.skip_lines + 1;
    if (memchr(line, ';', size) != NULL)
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: line %d separates names by semicolons; name the delimiter "
                        "(--delimiter ';') and, where numbers have decimal commas, that mark "
                        "(--decimal ',')",
                        csv->cutter.input.name, number);
    if (memchr(line, '|', size) != NULL)
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: line %d separates names by bars; name the delimiter (--delimiter '|')",
                        csv->cutter.input.name, number);
    if (!other) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_FORMAT, "%s: line %d separates names by %s; name the format %s",
                    csv->cutter.input.name, number, separator == ',' ? "tabs" : "commas",
                    separator == ',' ? "tsv" : "csv");
}

/* UTF-16 with its mark, or known by the zero byte of every letter. Its first bytes are held. */
static tacit_status refuse_wide(tacit_ctx *ctx, tac_input *input)
{
    tacit_status status = TACIT_OK;
    bool little = false, big = false, zeros = false;

    TAC_TRY(tac_input_starts_with(ctx, input, "\xff\xfe", 2, &little));
    TAC_TRY(tac_input_starts_with(ctx, input, "\xfe\xff", 2, &big));
    TAC_TRY(tac_input_starts_with(ctx, input, "\0\0\0", 4, &zeros));
    const char *b = input->held;
    if (input->held_size >= 4 && b[0] != 0 && b[1] == 0 && b[2] != 0 && b[3] == 0) little = true;
    if (input->held_size >= 4 && b[0] == 0 && b[1] != 0 && b[2] == 0 && b[3] != 0) big = true;
    if (little || big)
        status = tac_fail(ctx, TACIT_E_FORMAT,
                          "%s: is UTF-16; convert it (iconv -f UTF-16%s -t UTF-8)", input->name,
                          (unsigned char)b[0] >= 0xfe ? ""
                          : little                    ? "LE"
                                                      : "BE");
done:
    return status;
}

/* What the header cannot be: longer than any, not there, or blank. */
static tacit_status no_header(tacit_ctx *ctx, const tac_csv *csv, bool too_long, bool blank)
{
    const int skipped = (int)csv->base.dialect.skip_lines;
    const char *where = csv->cutter.input.name;

    if (too_long)
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: the header is longer than 256 MiB; is this a text file?", where);
    if (!blank && skipped > 0)
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: has no header after %d skipped lines; skip fewer (--skip-lines)",
                        where, skipped);
    if (!blank)
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: the file is empty; a header line of column names is needed", where);
    return tac_fail(ctx, TACIT_E_FORMAT,
                    "%s: line %d is blank; a header line of column names is needed: skip the lines "
                    "above it (--skip-lines)",
                    where, skipped + 1);
}

/* Reads the first record alone and fills the schema from it. The cutter keeps what was read beyond
   it. One block holds all names: names[0] owns it. */
static tacit_status read_header(tacit_ctx *ctx, tac_csv *csv)
{
    tacit_status status = TACIT_OK;
    tac_input *input = &csv->cutter.input;
    tac_schema *schema = &csv->base.schema;
    tac_piece piece = {0};
    tac_codes seen = {0};
    char *text = NULL;
    int32_t columns = 0;
    bool too_long = false, bom = false, short_of = false;

    TAC_TRY(refuse_wide(ctx, input));
    TAC_TRY(tac_input_starts_with(ctx, input, BOM, 3, &bom));
    if (bom) input->held_at = (size_t)(csv->cutter.read = 3);
    TAC_TRY(tac_input_failed(
        ctx, input, tac_cut_lines(ctx, &csv->cutter, csv->base.dialect.skip_lines, &short_of)));
    csv->header_lines = csv->base.dialect.skip_lines;
    TAC_TRY(tac_input_failed(ctx, input, tac_cut_first(ctx, &csv->cutter, &piece, &too_long)));
    if (too_long || piece.size == 0 || piece.bytes[0] == '\n' ||
        (piece.bytes[0] == '\r' && piece.bytes[1] == '\n'))
        TAC_TRY(no_header(ctx, csv, too_long, piece.size > 0));
    TAC_TRY(check_separator(ctx, csv, &piece));
    TAC_TRY(tac_new(ctx, piece.size + 1, 1, &text));
    TAC_TRY(read_names(ctx, csv, &piece, text, &seen, &columns));
    TAC_TRY(tac_new(ctx, (size_t)columns, sizeof *schema->names, &schema->names));
    schema->columns = schema->stated = columns;
    schema->label_only = -1;
    schema->names[0] = text;
    text = NULL;
    for (int32_t c = 1; c < columns; c++)
        schema->names[c] = schema->names[c - 1] + strlen(schema->names[c - 1]) + 1;
done:
    tac_free(text);
    tac_free(piece.bytes);
    tac_codes_clear(&seen);
    return status;
}

/* Takes the input over, also on failure. Reads the header; rows wait for load. */
tacit_status tac_csv_from_input(tacit_ctx *ctx, const char *path, tac_input *input,
                                const tac_dialect *dialect, tac_reader **out)
{
    const tac_input closed = TAC_INPUT_CLOSED;
    tacit_status status = TACIT_OK;
    tac_csv *csv = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *csv, &csv));
    csv->base =
        (tac_reader){.path = path,
                     .check = tac_csv_check,
                     .load = tac_csv_load,
                     .read = csv_read,
                     .close = csv_close,
                     .has_names = true,
                     .format = dialect->separator == '\t' ? TACIT_FORMAT_TSV : TACIT_FORMAT_CSV,
                     .dialect = *dialect};
    csv->cutter.separator = dialect->separator;
    csv->cutter.input = *input;
    *input = closed;
    TAC_TRY(read_header(ctx, csv));
    *out = &csv->base;
    csv = NULL;
done:
    tac_input_close(input);
    csv_close((tac_reader *)csv);
    return status;
}

void tac_csv_take_input(tac_reader *csv, tac_input *out)
{
    const tac_input closed = TAC_INPUT_CLOSED;

    *out = ((tac_csv *)csv)->cutter.input;
    ((tac_csv *)csv)->cutter.input = closed;
}

static tacit_status open_text(tacit_ctx *ctx, const char *path, tacit_format format,
                              const tac_shape *shape, tac_reader **out)
{
    const tac_dialect full = tac_dialect_full(&shape->dialect, format);
    tac_input input = TAC_INPUT_CLOSED;

    *out = NULL;
    const tacit_status status = tac_input_open_at(ctx, path, shape->descriptor, &input);
    return status != TACIT_OK ? status : tac_csv_from_input(ctx, path, &input, &full, out);
}

tacit_status tac_open_csv(tacit_ctx *ctx, const char *path, const tac_shape *shape,
                          tac_reader **out)
{
    return open_text(ctx, path, TACIT_FORMAT_CSV, shape, out);
}

tacit_status tac_open_tsv(tacit_ctx *ctx, const char *path, const tac_shape *shape,
                          tac_reader **out)
{
    return open_text(ctx, path, TACIT_FORMAT_TSV, shape, out);
}
