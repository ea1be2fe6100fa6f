/* SPDX-License-Identifier: Apache-2.0 */
/* Which format a file of counts has; its shape, as declared; and the warning where a shape was not
   declared. Only headers are read here. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER 65536 /* bytes of a header that are looked at */

/* Does the path end so, in any case? The ending alone is no file name. */
static bool ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

bool cli_is_tabs(const char *path)
{
    return ends_in(path, ".tsv") || ends_in(path, ".tab");
}

bool cli_is_table(const char *path)
{
    return strcmp(path, "-") == 0 || ends_in(path, ".csv") || cli_is_tabs(path);
}

/* Are row, col and count among the names of a header, in any order and case? Cuts the line up. */
static bool names_triplets(char *line)
{
    static const char *const wanted[] = {"row", "col", "count"};
    bool found[3] = {false, false, false};
    char *rest = NULL;

    if (strncmp(line, "\xef\xbb\xbf", 3) == 0) line += 3;
    for (char *name = strtok_r(line, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest)) {
        name += strspn(name, " \"");
        name[strcspn(name, " \"\r\n")] = '\0';
        for (int i = 0; i < 3; i++) found[i] = found[i] || strcasecmp(name, wanted[i]) == 0;
    }
    return found[0] && found[1] && found[2];
}

/* Is the open data file a list of entries, by its header? *sure false: the header could not be
   read; whoever reads the file in earnest will say why. */
static bool is_triplets(const cli *c, bool *sure)
{
    struct stat about;
    char *line = malloc(HEADER);
    ssize_t got = -1;

    /* A pipe can be read only once, so it is not looked into: no list of entries. */
    const bool readable = c->source.file > 0 && fstat(c->source.file, &about) == 0;
    if (readable && !S_ISREG(about.st_mode))
        got = 0;
    else if (readable && line != NULL)
        got = pread(c->source.file, line, HEADER - 1, 0);
    *sure = got >= 0 || c->source.file <= 0;
    if (got > 0) {
        line[got] = '\0';
        line[strcspn(line, "\n")] = '\0';
    }
    const bool found = got > 0 && names_triplets(line);
    free(line);
    return found;
}

tacit_format cli_format(const cli *c, const char *path, bool counts, bool *sure)
{
    const tacit_format told = (tacit_format)c->value.format;

    *sure = true;
    if (!counts || told != TACIT_FORMAT_AUTO || c->source.format != TACIT_FORMAT_AUTO ||
        !ends_in(path, ".csv"))
        return told;
    bool triplets = is_triplets(c, sure);
    if (!*sure) triplets = is_triplets(c, sure); /* what was in the way may be gone */
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
    return cli_ends_in(path, ".libsvm") || cli_ends_in(path, ".svm");
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
