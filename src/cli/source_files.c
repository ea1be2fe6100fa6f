/* SPDX-License-Identifier: Apache-2.0 */
/* Which files a command is about: its words, and for a pattern the files that it matches. All of
   them are opened once, before anything is looked for beside them. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define FEW_FILES 200 /* as many as every system lets a program have open */

static int add_file(const cli *c, cli_source *s, const char *path)
{
    if ((s->count & (s->count - 1)) == 0) { /* room is a power of two, and full at each */
        const size_t room = s->count == 0 ? 1 : 2 * (size_t)s->count;
        char **more = realloc(s->name, room * sizeof *more);
        if (more == NULL) return cli_no_memory(c);
        s->name = more;
    }
    s->name[s->count] = strdup(path);
    if (s->name[s->count] == NULL) return cli_no_memory(c);
    s->count++;
    return EXIT_OK;
}

/* What tacit itself puts beside data. */
static bool is_companion(const char *path)
{
    return cli_ends_in(path, ".ledger") || cli_ends_in(path, ".ledger-journal") ||
           cli_ends_in(path, ".schema.json");
}

/* A pattern, unless there is a file of that very name. */
static bool is_pattern(const char *word)
{
    struct stat there;

    return strpbrk(word, "*?[") != NULL && lstat(word, &there) != 0;
}

/* The program never calls setlocale, so matches come in the order of their bytes. */
static int add_matches(const cli *c, cli_source *s, const char *pattern)
{
    glob_t found = {0};
    const int before = s->count;
    int code = EXIT_OK;

    const int failed = glob(pattern, 0, NULL, &found);
    if (failed == GLOB_NOSPACE) CLI_TRY(cli_no_memory(c));
    for (size_t i = 0; failed == 0 && i < found.gl_pathc; i++)
        if (!is_companion(found.gl_pathv[i])) CLI_TRY(add_file(c, s, found.gl_pathv[i]));
    if (s->count == before)
        code = cli_fail(c, EXIT_NO_INPUT,
                        "no data file is called as the pattern %.300s says; see what is there: ls",
                        pattern);
done:
    globfree(&found);
    return code;
}

int cli_list_files(cli *c, int first)
{
    const cli_values *v = &c->value;
    cli_source *s = &c->source;
    int code = EXIT_OK;

    for (int i = first; i < v->words; i++) {
        const char *word = cli_word(v, i);
        CLI_TRY(is_pattern(word) ? add_matches(c, s, word) : add_file(c, s, word));
    }
    s->path = s->name[0];
    if (s->count == 1 || v->words == first + 1)
        s->called = strdup(s->count == 1 ? s->path : cli_word(v, first));
    else if (asprintf(&s->called, "%s and %d more", s->path, s->count - 1) < 0)
        s->called = NULL;
    if (s->called == NULL) code = cli_no_memory(c);
done:
    return code;
}

void cli_allow_files(int count)
{
    struct rlimit most;

    if (count <= FEW_FILES || getrlimit(RLIMIT_NOFILE, &most) != 0) return;
    most.rlim_cur = most.rlim_max;
    setrlimit(RLIMIT_NOFILE, &most);
}

void cli_open_files(cli_source *s)
{
    cli_allow_files(s->count);
    s->opened = calloc((size_t)s->count, sizeof *s->opened);
    if (s->opened == NULL) s->why = ENOMEM;
    s->where = s->path;
    for (int i = 0; i < s->count && s->why == 0; i++) {
        if (strcmp(s->name[i], "-") == 0) continue;
        s->where = s->name[i];
        s->opened[i] = open(s->name[i], O_RDONLY | O_CLOEXEC | O_NOCTTY);
        if (s->opened[i] < 0) s->why = errno;
    }
    s->file = s->why == 0 ? s->opened[0] : -1;
}

int cli_check_output_files(const cli *c, const char *output)
{
    const cli_source *s = &c->source;
    int i = 0;

    if (cli_is_stdout(output)) return EXIT_OK;
    while (i + 1 < s->count && !cli_same_file(output, s->name[i])) i++;
    return cli_check_output(c, output, s->count == 0 ? NULL : s->name[i]);
}
