/* SPDX-License-Identifier: Apache-2.0 */
/* Where rows come from: the file, its ledger, and what its owner declared. The file is opened once
   and never by name again, and the ledger is looked for beside the file that was opened: a link
   that is swapped meanwhile leads to another file with its own ledger, never to these rows without
   theirs. */
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *cli_ledger_path(const char *data_or_ledger)
{
    char *path = NULL;

    return asprintf(&path, "%s%s", data_or_ledger,
                    cli_ends_in(data_or_ledger, ".ledger") ? "" : ".ledger") < 0
               ? NULL
               : path;
}

/* Whether there is a ledger is unknown, so nothing may be done: rows must not be read past their
   budget. */
static int cannot_look(const cli *c, const char *data_path)
{
    const tacit_status status = errno == ENOMEM ? TACIT_E_MEMORY : TACIT_E_LEDGER;
    return cli_fail(c, cli_exit_code(status),
                    "whether %.300s has a ledger cannot be found out: %s; nothing was done",
                    data_path, strerror(errno));
}

/* The file is no longer where it was opened, so the ledger beside its name may be another's. */
static int moved(const cli *c, const char *data_path)
{
    return cli_fail(c, cli_exit_code(TACIT_E_LEDGER),
                    "%.300s was moved or replaced while it was opened, so that whether it has a "
                    "ledger cannot be found out; nothing was done",
                    data_path);
}

/* The name that an open file has now, without links; *out NULL: it never had one (a pipe). */
static int real_name(const cli *c, const char *data_path, int file, char **out)
{
    char link[64], name[4096];
    struct stat opened, there;

    *out = NULL;
    if (fstat(file, &opened) != 0) return cannot_look(c, data_path);
    /* rows that lie nowhere have no ledger beside them */
    if (!S_ISREG(opened.st_mode)) return EXIT_OK;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, name, sizeof name - 1);
    if (length > 0 && name[0] == '/') {
        name[length] = '\0';
        *out = strdup(name);
    } else {
        *out = realpath(data_path, NULL); /* no /proc: by its name, held against what is open */
    }
    if (*out == NULL) return errno == ENOMEM ? cli_no_memory(c) : cannot_look(c, data_path);
    if (stat(*out, &there) == 0 && there.st_dev == opened.st_dev && there.st_ino == opened.st_ino)
        return EXIT_OK;
    /* One that was removed, or that a process holds without a name, may be a data set whose ledger
       lies elsewhere: /proc shows what a run has open. Some file systems count no names. */
    if (opened.st_nlink == 0)
        return cli_fail(c, cli_exit_code(TACIT_E_LEDGER),
                        "%.300s has no name of its own any more, so that whether it has a ledger "
                        "cannot be found out; name a file that has one, or hand its lines over by "
                        "a pipe",
                        data_path);
    return moved(c, data_path);
}

/* What lies beside a name; *out NULL: nothing. lstat: a dangling link is a ledger gone astray, not
   a data set without one. */
static int look(const cli *c, const char *data_path, char *path, char **out)
{
    struct stat there;

    *out = NULL;
    if (path == NULL) return cli_no_memory(c);
    if (lstat(path, &there) == 0) {
        *out = path;
        return EXIT_OK;
    }
    const int why = errno;
    free(path);
    errno = why;
    return why == ENOENT || why == ENOTDIR || why == ENAMETOOLONG ? EXIT_OK
                                                                  : cannot_look(c, data_path);
}

bool cli_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* One and the same name, or names of one file. A link that leads nowhere is still itself. */
static bool same_name(const char *a, const char *b)
{
    struct stat x, y;
    return cli_same_file(a, b) ||
           (lstat(a, &x) == 0 && lstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

/* The name without links, seen from here: what was found is what is opened, whatever becomes of a
   link meanwhile. One that leads nowhere stays. NULL: no memory. */
static char *true_name(const char *path)
{
    char *real = realpath(path, NULL);

    if (real == NULL && errno != ENOMEM) real = strdup(path);
    char *const here = getcwd(NULL, 0);
    const size_t length = here == NULL ? 0 : strlen(here);
    if (real != NULL && length > 1 && strncmp(real, here, length) == 0 && real[length] == '/')
        memmove(real, real + length + 1, strlen(real + length));
    free(here);
    return real;
}

/* The ledger beside the file itself or, where there is none, beside the name that was typed. A link
   that an analyst made, with a ledger that an analyst made beside it, must not lead past the
   owner's: two ledgers are one too many. */
int cli_find_ledger(const cli *c, const char *data_path, int file, char **path)
{
    char *target = NULL, *typed = NULL, *own = NULL;
    int code = EXIT_OK;

    *path = NULL;
    CLI_TRY(real_name(c, data_path, file, &target));
    if (target != NULL) CLI_TRY(look(c, data_path, cli_ledger_path(target), &own));
    CLI_TRY(look(c, data_path, cli_ledger_path(data_path), &typed));
    if (own != NULL && typed != NULL && !same_name(own, typed))
        CLI_TRY(cli_fail(c, cli_exit_code(TACIT_E_LEDGER),
                         "there is a ledger beside %.300s and another beside the file that it "
                         "leads to, %.300s; name that file itself",
                         data_path, target));
    if (own == NULL && typed == NULL) goto done;
    *path = true_name(own != NULL ? own : typed);
    if (*path == NULL) code = cli_no_memory(c);
done:
    free(own);
    free(typed);
    free(target);
    return code;
}

int cli_refuse_ledgered(const cli *c, const char *path, int file, const char *what)
{
    char *ledger = NULL;
    const int code = cli_find_ledger(c, path, file, &ledger);

    if (code != EXIT_OK || ledger == NULL) return code;
    free(ledger);
    return cli_fail(c, EXIT_USAGE,
                    "%s %.300s is a data set with a ledger, whose lines are nobody's to use so; "
                    "name a file of its own",
                    what, path);
}

/* The name that an open file had before it was removed; *out NULL: none is known. A text that a
   shell hands over had one too, and no ledger; rows that the owner has replaced have theirs. */
static int former_name(const cli *c, int file, char **out)
{
    char link[64], name[4096];

    *out = NULL;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, name, sizeof name - 1);
    if (length <= 0) return EXIT_OK;
    name[length] = '\0';
    if (cli_ends_in(name, " (deleted)")) name[length - 10] = '\0';
    *out = strdup(name);
    return *out == NULL ? cli_no_memory(c) : EXIT_OK;
}

int cli_find_redirected(const cli *c, char **path)
{
    struct stat opened;
    char *name = NULL, *ledger = NULL;
    int code = EXIT_OK;

    *path = NULL;
    if (fstat(STDIN_FILENO, &opened) != 0) return EXIT_OK;
    CLI_TRY(S_ISREG(opened.st_mode) && opened.st_nlink == 0
                ? former_name(c, STDIN_FILENO, &name)
                : real_name(c, "standard input", STDIN_FILENO, &name));
    if (name != NULL) CLI_TRY(look(c, "standard input", cli_ledger_path(name), &ledger));
    if (ledger == NULL) goto done;
    if (c->value.ledger == NULL || !cli_same_file(ledger, c->value.ledger))
        CLI_TRY(cli_fail(c, cli_exit_code(TACIT_E_LEDGER),
                         "standard input is %.300s, which has a ledger; name the file, or for a "
                         "run its ledger with --ledger, so that it counts",
                         name));
    *path = true_name(ledger);
    if (*path == NULL) code = cli_no_memory(c);
done:
    free(ledger);
    free(name);
    return code;
}

/* The ledger that all files share. Whoever may add rows of their own to somebody's, or leave some
   out, asks about another data set than the one whose budget it is. */
static int find_ledger(cli *c)
{
    cli_source *s = &c->source;
    char *other = NULL;
    int code = EXIT_OK;

    for (int i = 0; i < s->count; i++) {
        CLI_TRY(s->opened[i] <= 0 ? cli_find_redirected(c, &other)
                                  : cli_find_ledger(c, s->name[i], s->opened[i], &other));
        if (i == 0) {
            s->ledger_path = other;
            other = NULL;
        } else if ((s->ledger_path == NULL) != (other == NULL)) {
            CLI_TRY(cli_fail(c, cli_exit_code(TACIT_E_LEDGER),
                             "%.300s has a ledger and %.300s has none: they are no data set; name "
                             "the files of one ledger, and no other",
                             s->name[other == NULL ? 0 : i], s->name[other == NULL ? i : 0]));
        } else if (other != NULL && strcmp(s->ledger_path, other) != 0) {
            CLI_TRY(cli_fail(c, cli_exit_code(TACIT_E_LEDGER),
                             "%.300s and %.300s have two ledgers, and a data set has one; run on "
                             "each of them",
                             s->name[0], s->name[i]));
        }
        free(other);
        other = NULL;
    }
done:
    free(other);
    return code;
}

/* Finds and opens the ledger. --ledger may name one only where the data set has none of its own. */
static int open_ledger(cli *c)
{
    cli_source *s = &c->source;
    int code = EXIT_OK;

    CLI_TRY(find_ledger(c));
    /* a plain solver spends nothing; the rules of its options refuse --ledger */
    if (c->value.ledger != NULL && !c->value.not_private) {
        /* A data set that has a ledger spends from that one, whatever the analyst names. */
        if (s->ledger_path != NULL && !cli_same_file(s->ledger_path, c->value.ledger))
            return cli_fail(c, cli_exit_code(TACIT_E_LEDGER),
                            "this data set has a ledger of its own, %s; drop --ledger",
                            s->ledger_path);
        if (s->ledger_path == NULL) s->ledger_path = strdup(c->value.ledger);
        if (s->ledger_path == NULL) return cli_no_memory(c);
    }
    if (s->ledger_path != NULL)
        CLI_TRY(cli_check(c, tacit_ledger_open(c->ctx, s->ledger_path, &s->ledger)));
done:
    return code;
}

/* FILE.schema.json beside a name or beside the file itself; *out NULL: none. */
static int schema_beside(const cli *c, const char *name, int file, char **out)
{
    char *target = NULL, *path = NULL;
    int code = EXIT_OK;

    *out = NULL;
    if (file <= 0) return EXIT_OK;
    CLI_TRY(real_name(c, name, file, &target));
    for (int i = 0; i < 2 && *out == NULL; i++) {
        const char *from = i == 0 ? name : target;
        if (from == NULL) continue;
        if (asprintf(&path, "%s.schema.json", from) < 0) CLI_TRY(cli_no_memory(c));
        CLI_TRY(look(c, name, path, out));
    }
done:
    free(target);
    return code;
}

/* The one schema that lies beside the files; *out NULL: none. */
static int find_schema(const cli *c, char **out)
{
    const cli_source *s = &c->source;
    char *other = NULL;
    int code = EXIT_OK;

    *out = NULL;
    for (int i = 0; i < s->count; i++) {
        CLI_TRY(schema_beside(c, s->name[i], s->opened[i], &other));
        if (*out != NULL && other != NULL && !same_name(*out, other))
            CLI_TRY(cli_fail(c, EXIT_USAGE,
                             "there are two schemas, %.300s and %.300s, and a data set has one; "
                             "remove one, or name one by --schema",
                             *out, other));
        if (*out == NULL) {
            *out = other;
            other = NULL;
        }
        free(other);
        other = NULL;
    }
done:
    if (code != EXIT_OK) {
        free(*out);
        *out = NULL;
    }
    free(other);
    return code;
}

/* What holds is the ledger's declaration. A schema that somebody names must say the same; one that
   lies there and says otherwise, was perhaps edited in vain. */
static int compare_schema(const cli *c)
{
    const cli_source *s = &c->source;
    tacit_declaration *given = NULL;
    char *path = NULL;
    int code = EXIT_OK;

    if (c->value.schema != NULL) {
        CLI_TRY(cli_check(c, tacit_declaration_read(c->ctx, c->value.schema, &given)));
        CLI_TRY(cli_check(c, tacit_declaration_compare(c->ctx, given, s->declaration)));
    } else if (!c->value.quiet) {
        CLI_TRY(find_schema(c, &path));
        if (path != NULL && tacit_declaration_read(c->ctx, path, &given) == TACIT_OK &&
            tacit_declaration_compare(c->ctx, given, s->declaration) != TACIT_OK)
            cli_say(c, "note: %s says otherwise than the ledger, whose declaration holds", path);
    }
done:
    tacit_declaration_free(given);
    free(path);
    return code;
}

/* The declaration: the ledger's, else --schema, else FILE.schema.json; NULL: none. With a ledger,
   --schema may only repeat its declaration. */
static int find_declaration(cli *c)
{
    cli_source *s = &c->source;
    int code = EXIT_OK;

    if (s->ledger != NULL) {
        CLI_TRY(cli_check(c, tacit_ledger_declaration(c->ctx, s->ledger, &s->declaration)));
        CLI_TRY(compare_schema(c));
        return EXIT_OK;
    }
    if (c->value.schema != NULL) {
        CLI_TRY(cli_check(c, tacit_declaration_read(c->ctx, c->value.schema, &s->declaration)));
        return EXIT_OK;
    }
    CLI_TRY(find_schema(c, &s->schema_path));
    if (s->schema_path == NULL) return EXIT_OK;
    CLI_TRY(cli_check(c, tacit_declaration_read(c->ctx, s->schema_path, &s->declaration)));
    if (!c->value.quiet) cli_say(c, "%s says what the table is", s->schema_path);
done:
    return code;
}

/* An option contradicts the declaration: refused, with the declared value. The owner's declaration
   holds. */
CLI_PRINTF(3, 4) static int differs(const cli *c, const char *option, const char *declared, ...)
{
    const cli_source *s = &c->source;
    char text[320];
    va_list args;

    va_start(args, declared);
    vsnprintf(text, sizeof text, declared, args);
    va_end(args);
    return cli_fail(c, cli_exit_code(TACIT_E_DECLARED),
                    "%s says otherwise than %s, which declares %s; leave the option out", option,
                    s->ledger_path != NULL    ? s->ledger_path
                    : c->value.schema != NULL ? c->value.schema
                                              : s->schema_path,
                    text);
}

/* Fills in options that were not given from the declaration; those that were given must agree with
   it. The library checks everything again, with the data. */
static int apply(cli *c)
{
    static const char *const relations[] = {"neighbors add-remove", "neighbors replace",
                                            "neighbors entry"};
    cli_values *v = &c->value;
    tacit_declaration_summary d;
    int code = EXIT_OK;

    tacit_declaration_summary_init(&d, sizeof d);
    CLI_TRY(cli_check(c, tacit_declaration_summarize(c->ctx, c->source.declaration, &d)));
    const bool entry = d.neighbors == TACIT_ENTRY, relation_given = v->given[OPT_NEIGHBORS];
    const bool unit_given = v->given[OPT_UNIT];
    if (relation_given && (entry || v->neighbors != (int64_t)d.neighbors))
        return differs(c, "--neighbors", "%s", relations[d.neighbors]);
    if (unit_given && (v->unit == UNIT_ENTRY) != entry)
        return differs(c, "--unit", "%s", relations[d.neighbors]);
    if (unit_given && (v->unit == UNIT_PERSON) != (d.unit_column != NULL))
        return differs(c, "--unit", "%s unit column", d.unit_column != NULL ? "a" : "no");
    if (v->unit_column != NULL && d.unit_column == NULL)
        return differs(c, "--unit-column", "no unit column: single rows");
    /* a number is the library's to look up */
    const bool numbered =
        v->unit_column != NULL && v->unit_column[strspn(v->unit_column, "0123456789")] == '\0';
    if (v->unit_column != NULL && !numbered && strcmp(v->unit_column, d.unit_column) != 0)
        return differs(c, "--unit-column", "the unit column '%.200s'", d.unit_column);
    if (v->given[OPT_MOST_ROWS] && d.max_rows_per_unit != 0 && v->most_rows != d.max_rows_per_unit)
        return differs(c, "--max-rows-per-person", "%d rows per person", (int)d.max_rows_per_unit);
    if (v->bounds != NULL && d.radius > 0) return differs(c, "--bounds", "a radius");
    if (v->given[OPT_RADIUS] && d.has_bounds)
        return differs(c, "--radius", "a range for each column");
    if (v->given[OPT_RADIUS] && d.radius > 0 && v->radius != d.radius)
        return differs(c, "--radius", "radius %.15g", d.radius);
    if (!relation_given && !entry) v->neighbors = (int64_t)d.neighbors;
    if (entry) v->unit = UNIT_ENTRY;
    if (d.unit_column != NULL && !numbered)
        v->unit_column = d.unit_column; /* lives as long as the source */
    if (d.unit_column != NULL && d.max_rows_per_unit > 0) {
        v->most_rows = d.max_rows_per_unit;
        v->given[OPT_MOST_ROWS] = true;
    }
    c->source.has_domain = d.has_bounds || d.radius > 0;
    c->source.shape_rows = d.shape_rows;
    c->source.shape_columns = d.shape_columns;
    c->source.has_words = d.vocabulary != NULL || d.has_words;
    c->source.vocabulary = d.vocabulary;
    c->source.format = d.format;
    c->source.id_column = d.id_column;
done:
    return code;
}

/* The file alone says which ledger it is, so its rows may lie nowhere else that could have one:
   what was converted has no name. And they are this file's: a name may lead to another by now. */
int cli_find_rows(const cli *c, int file, int *rows)
{
    struct stat about, from, here;
    char *name = NULL, *ledger = NULL;
    int converted = -1, source = -1, end = 0, code = EXIT_OK;

    *rows = file;
    if (!c->value.given[OPT_CONVERTED]) return EXIT_OK;
    if (sscanf(c->value.converted, "%6d,%6d%n", &converted, &source, &end) != 2 || converted < 3 ||
        source < 3 || c->value.converted[end] != '\0')
        return cli_fail(c, EXIT_USAGE,
                        "--converted wants two open descriptors above 2, for example 3,4: the "
                        "rows, and the file that they were read from");
    if (file <= 0 || c->source.count > 1)
        return cli_fail(c, EXIT_USAGE,
                        "--converted is for one FILE that has a name; drop it, or convert files "
                        "one by one");
    if (fstat(converted, &about) != 0 || !S_ISREG(about.st_mode) || about.st_nlink != 0)
        return cli_fail(c, EXIT_USAGE,
                        "--converted: descriptor %d is no open file without a name, as "
                        "memfd_create makes one; other files are named as FILE",
                        converted);
    if (fstat(source, &from) != 0 || fstat(file, &here) != 0 || from.st_dev != here.st_dev ||
        from.st_ino != here.st_ino)
        return moved(c, c->source.path);
    CLI_TRY(former_name(c, converted, &name));
    if (name != NULL) CLI_TRY(look(c, name, cli_ledger_path(name), &ledger));
    if (ledger != NULL)
        CLI_TRY(cli_fail(c, cli_exit_code(TACIT_E_LEDGER),
                         "--converted: descriptor %d was %.300s, which has a ledger; name that "
                         "file",
                         converted, name));
    *rows = converted;
done:
    free(ledger);
    free(name);
    return code;
}

int cli_open_source(cli *c, int first, bool with_ledger)
{
    cli_source *s = &c->source;
    int code = EXIT_OK;

    CLI_TRY(cli_list_files(c, first));
    cli_open_files(s);
    if (s->why == ENOMEM) return cli_no_memory(c);
    if (s->why != 0) return EXIT_OK; /* said once the options are known to be right */
    CLI_TRY(cli_find_rows(c, s->file, &s->rows));
    if (with_ledger) CLI_TRY(open_ledger(c));
    CLI_TRY(find_declaration(c));
    if (s->declaration != NULL) CLI_TRY(apply(c));
done:
    return code;
}

int cli_check_source(const cli *c)
{
    const cli_source *s = &c->source;

    if (s->path == NULL || s->why == 0) return EXIT_OK;
    return cli_fail(c, EXIT_NO_INPUT, "%s: cannot be opened: %s", s->where, strerror(s->why));
}

int cli_as_owner(cli *c, const char *what)
{
    const cli_source *s = &c->source;

    if (s->ledger == NULL) return EXIT_OK;
    if (!c->value.as_owner)
        return cli_fail(c, cli_exit_code(TACIT_E_DECLARED),
                        "%s has a ledger, and %s answers exactly, for whoever holds the rows: if "
                        "you are the owner, add --as-owner, which the ledger's history will show",
                        s->called, what);
    return cli_check(c, tacit_ledger_note_owner(c->ctx, s->ledger, what));
}

/* main calls it, also after a failure. */
void cli_close_source(cli *c)
{
    cli_source *s = &c->source;

    tacit_ledger_free(s->ledger);
    tacit_declaration_free(s->declaration);
    for (int i = 0; s->opened != NULL && i < s->count; i++)
        if (s->opened[i] > 0) close(s->opened[i]);
    for (int i = 0; i < s->count; i++) free(s->name[i]);
    free(s->opened);
    free(s->name);
    free(s->called);
    free(s->ledger_path);
    free(s->schema_path);
    *s = (cli_source){0};
}
