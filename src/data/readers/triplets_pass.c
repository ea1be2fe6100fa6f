/* SPDX-License-Identifier: Apache-2.0 */
/* A pass over a file of triplets: the header alone, or every record. Cells are found as the CSV
   reader finds them; triplets_record.c knows what they mean. */
#include "data/readers/triplets_internal.h"

#include "data/readers/csv.h"

#include <string.h>
#include <strings.h>

#define PIECE (size_t)262144

static const char *const part_names[3] = {"row", "col", "count"};

int tac_triplets_part(const char *name)
{
    for (int i = 0; i < 3; i++)
        if (strcasecmp(name, part_names[i]) == 0) return i;
    return -1;
}

int tac_schema_part(const tac_schema *schema, int32_t column)
{
    for (int i = 0; i < 3; i++)
        if (schema->part[i] == column) return i;
    return -1;
}

bool tac_schema_is_list(const tac_schema *schema)
{
    unsigned found = 0;

    for (int32_t j = 0; j < schema->columns; j++) {
        const int part = tac_triplets_part(schema->names[j]);
        if (part >= 0) found |= 1U << part;
    }
    return found == 7;
}

/* The cells of one record from *at on; those that are wanted go to p->cell. *column: where a fault
   lies; *lines grows by the line feeds inside quotes. */
static tac_csv_fault cells(tac_passing *p, char **at, char *end, int32_t *column, int64_t *lines)
{
    const tac_triplets *t = p->file;
    const int32_t *part = t->sparse.base.schema.part;
    const int32_t wanted[5] = {part[0], part[1], part[2], p->label, p->unit};
    const char separator = t->dialect.separator;
    char *q = *at;

    for (int32_t c = 0;; q++) {
        tac_cell_text cell = {0};
        bool quoted;
        int64_t inside;
        *column = c;
        const tac_csv_fault fault =
            tac_csv_cell(&q, end, separator, &cell.text, &cell.length, &quoted, &inside);
        if (fault != TAC_CSV_FINE) return fault;
        *lines += inside;
        if (!quoted) tac_trim(&cell);
        for (int i = 0; i < 5; i++)
            if (wanted[i] == c) p->cell[i] = cell;
        c++;
        if (*q != separator) {
            if (c < t->file_columns) return TAC_CSV_FEW;
            *at = q + (*q == '\r' ? 2 : 1);
            return TAC_CSV_FINE;
        }
        if (c == t->file_columns) return TAC_CSV_MANY;
    }
}

/* All records of a piece. p->line is the line of the first and moves on. Blank lines may follow the
   last record only. */
static tacit_status records(tacit_ctx *ctx, tac_passing *p, tac_piece *piece, int64_t *blank,
                            const tac_schema *header)
{
    tacit_status status = TACIT_OK;
    char *at = piece->bytes, *const end = at + piece->size;
    const char *where = p->file->sparse.input.name;

    while (at < end && !p->rename && (p->builder == NULL || !p->builder->again)) {
        int64_t lines = 1;
        int32_t column = 0;
        if (*at == '\n' || (*at == '\r' && at[1] == '\n')) {
            if (*blank == 0) *blank = p->line;
            at += *at == '\r' ? 2 : 1;
        } else if (*blank > 0) {
            TAC_TRY(tac_csv_explain(ctx, where, TAC_CSV_BLANK, *blank, ""));
        } else {
            const tac_csv_fault fault = cells(p, &at, end, &column, &lines);
            if (fault != TAC_CSV_FINE)
                TAC_TRY(
                    tac_csv_explain(ctx, where, fault, p->line + lines - 1, header->names[column]));
            TAC_TRY(tac_triplets_record(ctx, p));
        }
        p->line += lines;
    }
done:
    return status;
}

/* The contract stands in reader.h. Who names the row or the col need not have a count: every line
   then counts 1. */
tacit_status tac_schema_find_parts(tacit_ctx *ctx, const char *where, const char *const named[3],
                                   tac_schema *header)
{
    static const char *const option[3] = {"row column", "col column", "count column"};
    int32_t *const part = header->part;
    bool own = false;

    for (int i = 0; i < 3; i++) {
        const char *name = named[i];
        part[i] = -1;
        own = own || name != NULL;
        if (name != NULL) {
            part[i] = tac_name_place(header->names, header->columns, name);
            if (part[i] < 0)
                return tac_fail_no_column(ctx, where, option[i], name, header->names,
                                          header->columns, true);
            continue;
        }
        for (int32_t c = header->columns - 1; c >= 0; c--) /* of two with the same name the first */
            if (tac_triplets_part(header->names[c]) == i) part[i] = c;
    }
    header->own_parts = own;
    for (int i = 0; i < 3; i++) {
        if (part[i] < 0 && !(i == 2 && (named[0] != NULL || named[1] != NULL)))
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: the header has no " TAC_COLUMN "; triplets need row, col and "
                            "count: say which columns they are (--row-column, --col-column, "
                            "--count-column), or rename those of the header",
                            where, part_names[i]);
        for (int k = 0; k < i; k++)
            if (part[i] == part[k])
                return tac_fail(ctx, TACIT_E_ARGUMENT,
                                "%s: " TAC_COLUMN " is to be the %s and the %s of triplets; name "
                                "two columns",
                                where, header->names[part[i]], part_names[k], part_names[i]);
    }
    return TACIT_OK;
}

/* Find row, col and count in the header; the other columns become sides of the schema. Refuses a
   header that lacks one of the three. */
static tacit_status read_header(tacit_ctx *ctx, tac_triplets *t, tac_schema *header)
{
    tacit_status status = TACIT_OK;
    tac_schema *schema = &t->sparse.base.schema;
    size_t bytes = 1;

    TAC_TRY(tac_schema_find_parts(ctx, t->sparse.input.name, t->named, header));
    memcpy(schema->part, header->part, sizeof schema->part);
    schema->own_parts = header->own_parts;
    t->file_columns = header->columns;
    for (int32_t c = 0; c < header->columns; c++) bytes += strlen(header->names[c]) + 1;
    TAC_TRY(tac_new(ctx, (size_t)header->columns, sizeof *t->side_of, &t->side_of));
    TAC_TRY(tac_new(ctx, (size_t)header->columns, sizeof *schema->side, &schema->side));
    TAC_TRY(tac_new(ctx, bytes, 1, &schema->side[0]));
    TAC_TRY(tac_new(ctx, (size_t)header->columns, sizeof *schema->header, &schema->header));
    TAC_TRY(tac_new(ctx, bytes, 1, &schema->header[0]));
    char *text = schema->header[0];
    schema->stated = header->columns;
    for (int32_t c = 0; c < header->columns; c++, text += strlen(text) + 1) {
        const int part = schema->own_parts ? -1 : tac_schema_part(schema, c); /* ROW is row */
        schema->header[c] = strcpy(text, part >= 0 ? part_names[part] : header->names[c]);
    }
    text = schema->side[0];
    for (int32_t c = 0; c < header->columns; c++) {
        t->side_of[c] = -1;
        if (tac_schema_part(schema, c) >= 0) continue;
        t->side_of[c] = schema->sides;
        schema->side[schema->sides++] = strcpy(text, header->names[c]);
        text += strlen(text) + 1;
    }
done:
    return status;
}

/* The contract stands in triplets_internal.h. A CSV reader takes the input over for the pass, reads
   the header, cuts the records, and gives the input back. */
tacit_status tac_triplets_pass(tacit_ctx *ctx, tac_passing *p)
{
    tacit_status status = TACIT_OK;
    tac_triplets *t = p->file;
    tac_input *input = &t->sparse.input;
    tac_reader *reader = NULL;
    tac_piece piece = {0};
    int64_t blank = 0;
    bool too_long = false;

    char *const name = tac_strdup(ctx, input->name); /* while the CSV has the input */
    if (name == NULL) return TACIT_E_MEMORY;
    TAC_TRY(tac_csv_from_input(ctx, t->sparse.base.path, input, &t->dialect, &reader));
    tac_csv *const csv = (tac_csv *)reader;
    input->name = name;
    p->line = csv->header_lines + 1;
    if (t->file_columns == 0) {
        TAC_TRY(read_header(ctx, t, &reader->schema));
    } else {
        do {
            TAC_TRY(tac_input_failed(ctx, &csv->cutter.input,
                                     tac_cut(ctx, &csv->cutter, PIECE, &piece, &too_long)));
            if (too_long) TAC_TRY(tac_csv_explain(ctx, name, TAC_CSV_TOO_LONG, p->line, ""));
            TAC_TRY(records(ctx, p, &piece, &blank, &reader->schema));
        } while (piece.size > 0 && !p->rename && (p->builder == NULL || !p->builder->again));
    }
    tac_csv_take_input(reader, input);
    TAC_TRY(tac_input_rewind(ctx, input));
done:
    if (input->name == name) input->name = NULL;
    tac_free(name);
    tac_free(piece.bytes);
    if (reader != NULL) reader->close(reader);
    return status;
}
