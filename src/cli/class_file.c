/* SPDX-License-Identifier: Apache-2.0 */
/* Known classes of the rows from a file of their own, for tacit evaluate --labels:
     file   = class *(line-end class)                  ; one class a line
     file   = header *(line-end cell *("," cell))      ; a column called label, class or cluster
   Blank lines do not count. Spaces and quotes around a class are dropped; a comma inside quotes
   is not understood, for classes are short words or numbers. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A class as it stands in the file, and the row that has it. */
typedef struct class_name {
    const char *text;
    int64_t row;
} class_name;

static int by_text(const void *a, const void *b)
{
    return strcmp(((const class_name *)a)->text, ((const class_name *)b)->text);
}

/* The whole file as text; *out is the caller's to free. Refuses files with a zero byte, and data
   sets with a ledger. */
static int read_whole(const cli *c, const char *path, char **out)
{
    FILE *file = fopen(path, "rb");
    size_t room = 0, used = 0;
    char *text = NULL;
    int code = EXIT_OK;

    if (file == NULL)
        return cli_fail(c, EXIT_NO_INPUT,
                        "%.300s cannot be opened: %s; check the path of --labels (a column of "
                        "the rows is --label-column)",
                        path, strerror(errno));
    /* agreement with the classes is reported exactly, so they must not be guarded rows */
    CLI_TRY(cli_refuse_ledgered(c, path, fileno(file), "the file of --labels"));
    for (size_t got = 1; got > 0; used += got) {
        if (used + 1 >= room) {
            room = room == 0 ? 65536 : 2 * room;
            char *more = realloc(text, room);
            if (more == NULL) CLI_TRY(cli_no_memory(c));
            text = more;
        }
        got = fread(text + used, 1, room - used - 1, file);
    }
    if (ferror(file))
        CLI_TRY(cli_fail(c, EXIT_NO_INPUT, "%.300s cannot be read: %s", path, strerror(errno)));
    text[used] = '\0';
    if (strlen(text) != used)
        CLI_TRY(cli_fail(c, cli_exit_code(TACIT_E_FORMAT),
                         "%.300s is not a text file; give one class a line", path));
    *out = text;
    text = NULL;
done:
    free(text);
    fclose(file);
    return code;
}

/* Field number `at` of a line, without blanks and quotes around it; NULL: there is none. Ends it in
   place. */
static char *field(char *line, int at)
{
    for (; at > 0; at--) {
        line = strchr(line, ',');
        if (line == NULL) return NULL;
        line++;
    }
    line[strcspn(line, ",")] = '\0';
    line += strspn(line, " \t\"");
    size_t length = strlen(line);
    while (length > 0 && strchr(" \t\"", line[length - 1]) != NULL) length--;
    line[length] = '\0';
    return line;
}

/* Which column of the header is called label; -1: the line is no header. */
static int find_label(const char *line)
{
    int at = 0;

    if (strncmp(line, "\xef\xbb\xbf", 3) == 0) line += 3;
    for (const char *from = line;; at++) {
        from += strspn(from, " \t\"");
        const size_t length = strcspn(from, " \t\",");
        if ((length == 5 &&
             (strncasecmp(from, "label", 5) == 0 || strncasecmp(from, "class", 5) == 0)) ||
            (length == 7 && strncasecmp(from, "cluster", 7) == 0))
            return at;
        from = strchr(from, ',');
        if (from++ == NULL) return -1;
    }
}

/* Equal texts get equal numbers, from 0 on in the order of the texts. */
static void code_names(class_name *name, int64_t count, int64_t *codes)
{
    int64_t code = -1;

    qsort(name, (size_t)count, sizeof *name, by_text);
    for (int64_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(name[i - 1].text, name[i].text) != 0) code++;
        codes[name[i].row] = code;
    }
}

/* The contract stands in cli.h. The order of the classes is that of the rows; evaluate checks their
   number. */
int cli_read_classes(const cli *c, const char *path, int64_t **codes, int64_t *count)
{
    char *text = NULL, *rest = NULL;
    class_name *name = NULL;
    int64_t lines = 1, rows = 0;
    int at = 0, code = EXIT_OK;

    CLI_TRY(read_whole(c, path, &text));
    for (const char *p = text; *p != '\0'; p++) lines += *p == '\n';
    name = calloc((size_t)lines, sizeof *name);
    *codes = calloc((size_t)lines, sizeof **codes);
    if (name == NULL || *codes == NULL) CLI_TRY(cli_no_memory(c));
    bool first = true;
    for (char *line = strtok_r(text, "\r\n", &rest); line != NULL;
         line = strtok_r(NULL, "\r\n", &rest), first = false) {
        const int header = first ? find_label(line) : -1;
        if (first && header < 0 && strchr(line, ',') != NULL)
            CLI_TRY(cli_fail(c, cli_exit_code(TACIT_E_FORMAT),
                             "%.300s has several columns and none is called label; name it so, or "
                             "give one class a line",
                             path));
        if (header >= 0) {
            at = header;
            continue;
        }
        const char *value = field(line, at);
        if (value == NULL)
            CLI_TRY(cli_fail(c, cli_exit_code(TACIT_E_FORMAT),
                             "%.300s: line %lld has no column label", path, (long long)rows + 2));
        name[rows] = (class_name){value, rows};
        rows++;
    }
    code_names(name, rows, *codes);
    *count = rows;
done:
    free(text);
    free(name);
    return code;
}
