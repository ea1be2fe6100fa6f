/* SPDX-License-Identifier: Apache-2.0 */
/* Tables from an Arrow C stream: the schema when it is opened, the rows when they are loaded, and
   served from then on. Names of columns obey the rules of a CSV header. */
#include "data/readers/arrow.h"
#include "data/readers/array_rows.h"

#include <math.h>
#include <string.h>

/* ---- rows ---- */

/* The chunk that a row lies in. */
static size_t chunk_of(const tac_arrow *arrow, int64_t row)
{
    size_t low = 0, high = arrow->chunks;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (arrow->chunk[middle].first <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* to[i * step] = value i of the block from `skip` on. */
static void read_block(const tac_arrow *arrow, const tac_arrow_block *block, int64_t skip,
                       int64_t count, double *to, size_t step)
{
    const int64_t first = block->first + skip;
    const size_t size = tac_type_size(block->type);
    const tac_arrow_missing *missing = &arrow->missing;

    if (block->bits)
        for (int64_t i = 0; i < count; i++)
            to[(size_t)i * step] = tac_bit((const uint8_t *)block->values, first + i) ? 1 : 0;
    else
        tac_array_convert(block->type, block->values + (size_t)first * size, size, (size_t)count,
                          to, step);
    if (block->own != NULL) return; /* was worked out with all that follows */
    for (int64_t i = 0; block->valid != NULL && i < count; i++)
        if (!tac_bit(block->valid, first + i)) to[(size_t)i * step] = NAN;
    for (int64_t i = 0; missing->numbers > 0 && i < count; i++)
        if (tac_is_among(missing->number, missing->numbers, to[(size_t)i * step]))
            to[(size_t)i * step] = NAN;
}

/* read() of the reader: workers call it at the same time, and nothing changes. */
static tacit_status arrow_read(const tac_reader *self, int64_t first, int64_t count, double *out)
{
    const tac_arrow *arrow = (const tac_arrow *)self;
    const size_t dims = (size_t)arrow->dims;

    if (count == 0) return TACIT_OK;
    for (size_t c = chunk_of(arrow, first); count > 0; c++) {
        const tac_arrow_chunk *chunk = &arrow->chunk[c];
        const int64_t skip = first - chunk->first, left = chunk->rows - skip,
                      some = count < left ? count : left;
        for (size_t j = 0; j < dims; j++)
            read_block(arrow, &chunk->block[j], skip, some, out + j, dims);
        out += (size_t)some * dims;
        first += some;
        count -= some;
    }
    return TACIT_OK;
}

/* close() of the reader. Takes NULL, and a reader whose schema could not be read. */
static void arrow_close(tac_reader *self)
{
    tac_arrow *arrow = (tac_arrow *)self;

    if (arrow == NULL) return;
    tac_arrow_release_stream(&arrow->stream);
    for (size_t c = 0; c < arrow->chunks; c++) {
        for (int32_t j = 0; j < arrow->dims; j++) {
            tac_arrow_block *block = &arrow->chunk[c].block[j];
            if (block->held.release != NULL) block->held.release(&block->held);
            tac_free(block->own);
        }
        tac_free(arrow->chunk[c].block);
    }
    tac_free(arrow->chunk);
    tac_free(arrow->type);
    tac_free(arrow->missing.number);
    tac_free(arrow->missing.day);
    tac_free(arrow->label);
    tac_free(arrow->unit);
    tac_row_names_clear(&self->names);
    tac_schema_clear(&self->schema);
    tac_input_close(&arrow->input);
    tac_free(arrow);
}

/* ---- the schema ---- */

static tacit_status bad_name(tacit_ctx *ctx, int64_t column, const char *fault)
{
    return tac_fail(ctx, TACIT_E_FORMAT, "%s: the name of column %lld %s", TAC_ARROW_NAME,
                    (long long)column + 1, fault);
}

/* Copies a name to `to` with the zeros behind it that scanners want, and checks it as a CSV header
   is: names of a frame that was made from a file without a header are somebody's row. */
static tacit_status take_name(tacit_ctx *ctx, const char *name, int64_t column, tac_codes *seen,
                              char *to)
{
    tacit_status status = TACIT_OK;
    char *tidy = to;
    int64_t code;

    strcpy(to, name);
    const size_t length = tac_tidy_name(&tidy, strlen(to));
    if (length == 0) return bad_name(ctx, column, "is empty; give every column a name");
    if (!tac_is_utf8(tidy, length)) return bad_name(ctx, column, "is not UTF-8; rename it");
    memmove(to, tidy, length);
    to[length] = '\0';
    if (tac_is_value(to, length))
        return bad_name(ctx, column,
                        "is a number or a date, as if it were somebody's value; rename such "
                        "columns (a year, say, to y and the year)");
    TAC_TRY(tac_code_of(ctx, seen, to, length, &code));
    if (code < column)
        return tac_fail(ctx, TACIT_E_FORMAT, "%s: has " TAC_COLUMN " twice; names must differ",
                        TAC_ARROW_NAME, to);
done:
    return status;
}

static const char *name_of(const struct ArrowSchema *column)
{
    return column->name == NULL ? "" : column->name;
}

static tacit_status take_schema(tacit_ctx *ctx, tac_arrow *arrow, const struct ArrowSchema *schema)
{
    tacit_status status = TACIT_OK;
    tac_schema *to = &arrow->base.schema;
    tac_codes seen = {0};
    size_t bytes = TAC_PAD;
    char *text = NULL;

    if (schema->format == NULL || strcmp(schema->format, "+s") != 0 || schema->dictionary != NULL)
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: is no stream of tables; give one whose chunks are record batches",
                        TAC_ARROW_NAME);
    if (schema->n_children < 1 || schema->n_children > TAC_MOST_COLUMNS || schema->children == NULL)
        return tac_fail(ctx, TACIT_E_FORMAT, "%s: has no columns, or more than %d", TAC_ARROW_NAME,
                        TAC_MOST_COLUMNS);
    const int32_t columns = (int32_t)schema->n_children;
    for (int32_t c = 0; c < columns; c++) {
        if (schema->children[c] == NULL || schema->children[c]->release == NULL)
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: the schema of column %d is missing or was released; the producer "
                            "is at fault",
                            TAC_ARROW_NAME, (int)c + 1);
        bytes += strlen(name_of(schema->children[c])) + 1;
    }
    TAC_TRY(tac_new(ctx, (size_t)columns, sizeof *arrow->type, &arrow->type));
    TAC_TRY(tac_new(ctx, (size_t)columns, sizeof *to->names, &to->names));
    TAC_TRY(tac_new(ctx, bytes, 1, &text)); /* one block, owned by the first name */
    to->columns = to->stated = columns;
    for (int32_t c = 0; c < columns; c++) {
        to->names[c] = text;
        TAC_TRY(take_name(ctx, name_of(schema->children[c]), c, &seen, text));
        text += strlen(text) + 1;
        tac_arrow_type_of(schema->children[c], &arrow->type[c]);
    }
done:
    tac_codes_clear(&seen);
    return status;
}

tacit_status tac_open_arrow(tacit_ctx *ctx, struct ArrowArrayStream *stream, tac_reader **out)
{
    const tac_input closed = TAC_INPUT_CLOSED;
    tacit_status status = TACIT_OK;
    tac_arrow *arrow = NULL;
    struct ArrowSchema schema = {0};

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *arrow, &arrow));
    arrow->base = (tac_reader){.path = TAC_ARROW_NAME,
                               .format = TAC_FORMAT_ARROW,
                               .schema = {.label_only = -1},
                               .check = tac_arrow_check,
                               .load = tac_arrow_load,
                               .read = arrow_read,
                               .has_names = true,
                               .close = arrow_close};
    arrow->input = closed;
    arrow->stream = *stream;
    stream->release = NULL;
    arrow->input.name = tac_strdup(ctx, TAC_ARROW_NAME);
    if (arrow->input.name == NULL) TAC_TRY(TACIT_E_MEMORY);
    /* Its own words about a failure may hold a value, and nobody knows yet who may see one. */
    if (arrow->stream.get_schema == NULL || arrow->stream.get_next == NULL ||
        arrow->stream.get_schema(&arrow->stream, &schema) != 0) {
        schema.release = NULL; /* nothing was given, whatever it says */
        TAC_TRY(tac_fail(ctx, TACIT_E_OPEN, "%s: its producer failed to give the schema",
                         TAC_ARROW_NAME));
    }
    if (schema.release == NULL)
        TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT,
                         "%s: its producer gave a schema that was released; the producer is at "
                         "fault",
                         TAC_ARROW_NAME));
    TAC_TRY(take_schema(ctx, arrow, &schema));
    *out = &arrow->base;
    arrow = NULL;
done:
    if (schema.release != NULL) schema.release(&schema);
    tac_arrow_release_stream(stream);
    arrow_close((tac_reader *)arrow);
    return status;
}
