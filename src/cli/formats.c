/* SPDX-License-Identifier: Apache-2.0 */
/* Which format a file of counts has; its shape, as declared; and the warning where a shape was not
   declared. Only headers are read here. */
#include "cli.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* Does the path end so, in any case, before .gz if it has that? The ending alone is no name. */
static bool ends_in(const char *path, const char *ending)
{
    const size_t tail = strlen(ending);
    size_t length = strlen(path);

    if (length > 3 && strcasecmp(path + length - 3, ".gz") == 0) length -= 3;
    return length > tail && strncasecmp(path + length - tail, ending, tail) == 0;
}

bool cli_is_tabs(const char *path)
{
    return ends_in(path, ".tsv") || ends_in(path, ".tab");
}

/* Others make CSV of other formats. */
static bool is_csv(const cli *c, const char *path)
{
    return c->value.given[OPT_CONVERTED] || ends_in(path, ".csv");
}

bool cli_is_table(const cli *c, const char *path)
{
    return strcmp(path, "-") == 0 || is_csv(c, path) || cli_is_tabs(path);
}

void cli_fill_dialect(const cli *c, tacit_data_opts *opts)
{
    const cli_values *v = &c->value;

    opts->delimiter = v->delimiter == NULL ? 0 : cli_mark(v->delimiter);
    opts->decimal = v->decimal == NULL ? 0 : cli_mark(v->decimal);
    opts->thousands = v->thousands == NULL ? 0 : cli_mark(v->thousands);
    opts->skip_lines = (int32_t)v->skip_lines;
    opts->row_column = v->row_column;
    opts->col_column = v->col_column;
    opts->count_column = v->count_column;
}

/* Are row, col and count among the columns, in any order and case? */
static bool names_triplets(const tacit_data *data)
{
    static const char *const wanted[] = {"row", "col", "count"};
    int found = 0;

    for (int i = 0; i < 3; i++)
        for (int32_t j = 0; j < tacit_data_column_count(data); j++)
            if (strcasecmp(tacit_data_column_get(data, j), wanted[i]) == 0) {
                found++;
                break;
            }
    return found == 3;
}

/* Is the open data file a list of entries, by its header? *sure false: the header could not be
   read; whoever reads the file in earnest will say why. */
static bool is_triplets(const cli *c, const char *path, bool *sure)
{
    struct stat about;
    tacit_data_opts opts;
    tacit_data *data = NULL;

    *sure = true;
    /* A pipe can be read only once, so it is not looked into: no list of entries. */
    if (c->source.rows <= 0 || (fstat(c->source.rows, &about) == 0 && !S_ISREG(about.st_mode)))
        return false;
    tacit_data_opts_init(&opts, sizeof opts);
    opts.format = TACIT_FORMAT_CSV;
    opts.descriptor = c->source.rows;
    cli_fill_dialect(c, &opts);
    /* whoever has the file open already goes on where it was */
    const off_t was = lseek(c->source.rows, 0, SEEK_CUR);
    const tacit_status status = tacit_data_open(c->ctx, path, &opts, &data);
    const bool back = lseek(c->source.rows, was, SEEK_SET) == was;
    *sure = back && status != TACIT_E_READ && status != TACIT_E_MEMORY && status != TACIT_E_OPEN;
    const bool found = status == TACIT_OK && names_triplets(data);
    tacit_data_free(data);
    return found;
}

tacit_format cli_format(const cli *c, const char *path, bool counts, bool *sure)
{
    const tacit_format told = (tacit_format)c->value.format;

    *sure = true;
    if (told == TACIT_FORMAT_AUTO && (c->value.row_column != NULL || c->value.col_column != NULL ||
                                      c->value.count_column != NULL))
        return TACIT_FORMAT_TRIPLETS;
    if (!counts || told != TACIT_FORMAT_AUTO || c->source.format != TACIT_FORMAT_AUTO ||
        !is_csv(c, path))
        return told;
    bool triplets = is_triplets(c, path, sure);
    if (!*sure) triplets = is_triplets(c, path, sure); /* what was in the way may be gone */
    return triplets ? TACIT_FORMAT_TRIPLETS : told;
}

tacit_neighbors cli_neighbors(const cli *c)
{
    const bool entry = cli_family_of(c) == FAMILY_COCLUSTER && c->value.unit == UNIT_ENTRY;
    return entry ? TACIT_ENTRY : (tacit_neighbors)c->value.neighbors;
}

/* Formats that do not state how many columns they have: it must have been found from the
   entries. */
bool cli_hides_columns(const cli *c, const char *path)
{
    bool sure;
    tacit_format format = cli_format(c, path, true, &sure);

    if (c->source.format != TACIT_FORMAT_AUTO) format = c->source.format;
    if (format != TACIT_FORMAT_AUTO)
        return format == TACIT_FORMAT_TRIPLETS || format == TACIT_FORMAT_LIBSVM;
    return ends_in(path, ".libsvm") || ends_in(path, ".svm");
}

void cli_shape(const cli *c, int64_t *rows, int32_t *columns)
{
    if (c->value.shape != NULL) cli_read_shape(c->value.shape, rows, columns);
    if (*rows == 0) *rows = c->source.shape_rows;
    if (*columns == 0) *columns = c->source.shape_columns;
}

/* Warns where the number of rows or columns was taken from the file: it is then public, and the
   guarantee does not cover it. */
void cli_warn_shape(const cli *c, const char *path)
{
    const cli_values *v = &c->value;
    int64_t rows = 0;
    int32_t columns = 0;

    if (cli_family_of(c) != FAMILY_COCLUSTER || v->not_private) return;
    cli_shape(c, &rows, &columns);
    const bool rows_public = v->unit == UNIT_ENTRY && rows == 0;
    const bool columns_public =
        columns == 0 && v->vocabulary == NULL && !c->source.has_words && cli_hides_columns(c, path);
    if (rows_public || columns_public)
        cli_say(c,
                "warning: the number%s taken from the file, so %s public; declare %s with --shape "
                "%s",
                rows_public && columns_public ? "s of rows and of columns were"
                : rows_public                 ? " of rows was"
                                              : " of columns was",
                rows_public && columns_public ? "they count as" : "it counts as",
                rows_public && columns_public ? "them" : "it",
                rows_public ? "ROWSxCOLUMNS" : "xCOLUMNS (or --vocabulary)");
}
