/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Market coordinate files:
     %%MatrixMarket matrix coordinate (real|integer|pattern) general    ; in any case
     ROWS COLUMNS ENTRIES
     ROW COLUMN [VALUE]             ; so many lines, numbers from 1; no value in a pattern
   Lines that start with % and blank lines may stand anywhere after the first. Refused: the array
   format, complex entries, symmetric matrices, an entry outside the matrix, more or fewer
   entries than stated. Entries may come in any order. */
#include "data/readers/sparse_rows.h"
#include "data/readers/vocabulary.h"

#include <math.h>
#include <string.h>
#include <strings.h>

typedef struct mtx {
    tac_sparse sparse;
    tac_lines lines;
    int64_t columns, entries, header_rows, header_columns, declared_rows; /* 0: not declared */
    bool pattern;
} mtx;

static const char *skip(const char *p)
{
    while (*p == ' ' || *p == '\t') p++;
    return p;
}

/* A line that breaks the grammar. Never quotes it. */
static tacit_status wrong_line(tacit_ctx *ctx, const mtx *m, const char *what)
{
    return tac_fail(ctx, TACIT_E_FORMAT, "%s: line %lld: %s", m->sparse.input.name,
                    (long long)m->lines.number, what);
}

/* The header's matrix does not fit the declared shape. The size line alone decides. If entries had
   a say, trying one shape after the other would show which columns a row has. */
static tacit_status outside(tacit_ctx *ctx, const mtx *m, const char *what)
{
    return tac_fail(ctx, TACIT_E_FORMAT,
                    "%s: the header has more %s than the declared shape; correct one of them",
                    m->sparse.input.name, what);
}

/* The next line that is neither a comment nor blank; NULL at the end. */
static tacit_status next_line(tacit_ctx *ctx, mtx *m, const char **out)
{
    char *line = NULL;

    do {
        const tacit_status status = tac_lines_next(ctx, &m->lines, &line);
        *out = line;
        if (status != TACIT_OK || line == NULL) return status;
        *out = skip(line);
    } while (**out == '\0' || **out == '%');
    return TACIT_OK;
}

/* The first line: five words. Returns NULL, or what is wrong and how to fix it. */
static const char *read_banner(char *line, mtx *m)
{
    char *word[5] = {0}, *rest = NULL;

    for (int i = 0; i < 5; i++) {
        word[i] = strtok_r(i == 0 ? line : NULL, " \t", &rest);
        if (word[i] == NULL)
            return "is not the header %%MatrixMarket matrix coordinate real general";
    }
    if (strcasecmp(word[0], "%%MatrixMarket") != 0 || strcasecmp(word[1], "matrix") != 0)
        return "is not the header %%MatrixMarket matrix coordinate real general";
    if (strcasecmp(word[2], "coordinate") != 0)
        return "only the coordinate format is read; save the matrix as sparse, or as .npy";
    m->pattern = strcasecmp(word[3], "pattern") == 0;
    if (!m->pattern && strcasecmp(word[3], "real") != 0 && strcasecmp(word[3], "integer") != 0)
        return "entries must be real, integer or pattern";
    /* A symmetric file writes one row's entries into other rows too: then no row stands for one
       person alone. */
    if (strcasecmp(word[4], "general") != 0)
        return "the matrix must be general, with every row written out";
    return NULL;
}

/* The size line: rows columns entries. Returns NULL, or what is wrong with it. */
static const char *read_sizes(const char *p, mtx *m)
{
    int64_t size[3];

    for (int i = 0; i < 3; i++) {
        p = tac_scan_count(p, &size[i]);
        if (p == NULL || (i < 2 && *p != ' ' && *p != '\t'))
            return "must hold three counts: rows columns entries";
        p = skip(p);
    }
    if (*p != '\0') return "must hold three counts: rows columns entries";
    if (size[0] > TAC_MOST_SPARSE_ROWS || size[1] > TAC_MOST_COLUMNS)
        return "declares a matrix that is too large; tacit takes up to 2147483647 rows and 1000000 "
               "columns";
    if (size[1] < 1) return "declares a matrix without columns";
    if ((tac_i128)size[2] > (tac_i128)size[0] * size[1])
        return "declares more entries than the matrix has cells";
    m->header_rows = size[0];
    m->columns = m->header_columns = size[1];
    m->entries = size[2];
    return NULL;
}

/* An entry: row column [value], rows and columns from 1. Returns NULL, or what is wrong with it.
   guarded: a value that is no number counts as missing. */
static const char *read_entry(const char *p, const mtx *m, bool guarded, tac_entry *e)
{
    static const char form[] = "must hold a row and a column number and, unless the matrix is a "
                               "pattern, a value";
    int64_t row, column;

    p = tac_scan_count(p, &row);
    if (p == NULL || (*p != ' ' && *p != '\t')) return form;
    p = tac_scan_count(skip(p), &column);
    if (p == NULL || (*p != ' ' && *p != '\t' && *p != '\0')) return form;
    if (row < 1 || row > m->sparse.length)
        return "the row number is outside the declared matrix; numbers start at 1";
    if (column < 1 || column > m->columns)
        return "the column number is outside the declared matrix; numbers start at 1";
    e->row = (int32_t)(row - 1);
    e->column = (int32_t)(column - 1);
    e->line = m->lines.number;
    e->value = 1;
    p = skip(p);
    if (m->pattern) return *p == '\0' ? NULL : form;
    if (*p == '\0') return form;
    const bool text = tac_read_cell(p, strlen(p), &e->value) == TAC_CELL_TEXT;
    if (text && guarded)
        e->value = NAN; /* missing: one row's value stops no run */
    else if (text)
        return "the value is not a number; write one number per entry";
    return NULL;
}

/* All entries to the builder, until it wants them again. Refuses more or fewer of them than
   stated. */
static tacit_status pass(tacit_ctx *ctx, mtx *m, tac_builder *b)
{
    tacit_status status = TACIT_OK;
    const char *line = NULL;
    int64_t seen = 0;

    while (!b->again) {
        tac_entry e;
        TAC_TRY(next_line(ctx, m, &line));
        if (line == NULL) break;
        if (seen++ == m->entries)
            TAC_TRY(wrong_line(ctx, m,
                               "there are more entries than the size line declares; correct it"));
        const char *wrong = read_entry(line, m, b->selection->guarded && !b->selection->counts, &e);
        if (wrong != NULL) TAC_TRY(wrong_line(ctx, m, wrong));
        TAC_TRY(tac_builder_add(ctx, b, &e));
    }
    if (!b->again && seen < m->entries)
        TAC_TRY(wrong_line(ctx, m,
                           "the file ends before all declared entries have come; is it complete?"));
done:
    return status;
}

/* To the first entry again. */
static tacit_status rewind_entries(tacit_ctx *ctx, mtx *m)
{
    tacit_status status = TACIT_OK;
    const char *line = NULL;
    char *banner = NULL;

    TAC_TRY(tac_input_rewind(ctx, &m->sparse.input));
    m->lines.at = m->lines.size = 0;
    m->lines.number = 0;
    m->lines.ended = false;
    TAC_TRY(tac_lines_next(ctx, &m->lines, &banner));
    TAC_TRY(next_line(ctx, m, &line)); /* the sizes, known */
done:
    return status;
}

/* load() of the reader: one pass, or two if the entries are not in the order of the rows. */
static tacit_status mtx_load(tac_reader *self, tacit_ctx *ctx, const tac_selection *selection)
{
    tacit_status status = TACIT_OK;
    mtx *m = (mtx *)self;
    tac_builder b;

    /* Only public places have a declared number. A whole row more would else be refused, or fill
       the place of an empty one, which is more than was paid for. */
    m->sparse.length =
        selection->places && m->declared_rows > 0 ? m->declared_rows : m->header_rows;
    if (m->sparse.length < m->header_rows) return outside(ctx, m, "rows");
    TAC_TRY(tac_builder_open(ctx, &m->sparse, selection, &b));
    b.collect = !m->sparse.input.again; /* a pipe comes once */
    TAC_TRY(pass(ctx, m, &b));
    if (b.again) {
        tac_builder_restart(&b);
        TAC_TRY(rewind_entries(ctx, m));
        TAC_TRY(pass(ctx, m, &b));
    }
    TAC_TRY(tac_builder_finish(ctx, &b));
done:
    tac_builder_close(&b);
    return status;
}

static void mtx_close(tac_reader *self)
{
    mtx *m = (mtx *)self;

    if (m == NULL) return;
    tac_lines_clear(&m->lines);
    tac_sparse_close(self);
}

/* Reads the banner and the size line; the entries wait for load. A declared number of columns takes
   the place of the header's and must not be smaller. */
tacit_status tac_open_matrix_market(tacit_ctx *ctx, const char *path, const tac_shape *shape,
                                    tac_reader **out)
{
    tacit_status status = TACIT_OK;
    const char *wrong = NULL, *sizes = NULL;
    char *banner = NULL;
    mtx *m = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *m, &m));
    m->sparse.input.fd = -1;
    TAC_TRY(tac_input_open_at(ctx, path, shape->descriptor, &m->sparse.input));
    m->lines.input = &m->sparse.input;
    TAC_TRY(tac_lines_next(ctx, &m->lines, &banner));
    if (banner == NULL) {
        status =
            tac_fail(ctx, TACIT_E_FORMAT, "%s: the file is empty; a Matrix Market header is needed",
                     m->sparse.input.name);
        goto done;
    }
    wrong = read_banner(banner, m);
    if (wrong == NULL) {
        TAC_TRY(next_line(ctx, m, &sizes));
        wrong = sizes == NULL ? "the file ends before the size line" : read_sizes(sizes, m);
    }
    if (wrong != NULL) TAC_TRY(wrong_line(ctx, m, wrong));
    m->declared_rows = shape->rows;
    if (shape->columns > 0) m->columns = shape->columns; /* goes before the header's */
    if (m->columns < m->header_columns) TAC_TRY(outside(ctx, m, "columns"));
    TAC_TRY(tac_vocabulary_check(ctx, shape->vocabulary, m->columns, path));
    TAC_TRY(tac_schema_named(ctx, shape->vocabulary, m->columns, TAC_FROM_ONE, NULL,
                             &m->sparse.base.schema));
    m->sparse.base.schema.stated = (int32_t)m->header_columns;
    tac_sparse_serve(&m->sparse, path, mtx_load, mtx_close);
    m->sparse.base.format = TACIT_FORMAT_MATRIX_MARKET;
    m->sparse.base.by_place = shape->rows > 0;
    *out = &m->sparse.base;
    m = NULL;
done:
    mtx_close((tac_reader *)m);
    return status;
}
