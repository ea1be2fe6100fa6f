/* SPDX-License-Identifier: Apache-2.0 */
/* Output files: checked before anything is spent, complete or absent afterwards. A file is written
   under another name in the same folder, synced, and renamed. Ledgers, schemas and data sets with a
   ledger are never overwritten. */
#include "../cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcmp(path + length - tail, ending) == 0;
}

bool cli_is_stdout(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

/* "folder/.tacit-XXXXXX" beside `path`: a rename to it stays within one file system. */
static char *scratch_beside(const char *path)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - path) + 1;
    char *name = NULL;

    return asprintf(&name, "%.*s.tacit-XXXXXX", folder, path) < 0 ? NULL : name;
}

/* An SQLite file with the ledgers' application id. To write over any ledger would give its budget
   back. */
static bool is_ledger(const char *path)
{
    char head[72];
    FILE *file = fopen(path, "rb");

    if (file == NULL) return false;
    const bool read = fread(head, 1, sizeof head, file) == sizeof head;
    fclose(file);
    return read && memcmp(head, "SQLite format 3", 16) == 0 && memcmp(head + 68, "tact", 4) == 0;
}

/* What a ledger is called, or what SQLite would take for its journal: there even if it cannot be
   read, or not yet. */
static bool is_ledger_name(const char *path)
{
    return cli_ends_in(path, ".ledger") || cli_ends_in(path, ".ledger-journal") ||
           cli_ends_in(path, ".ledger-wal") || cli_ends_in(path, ".ledger-shm");
}

static int check_name(const cli *c, const char *path)
{
    if (!is_ledger_name(path)) return EXIT_OK;
    return cli_fail(c, EXIT_USAGE,
                    "the output %s is named like a ledger, which is never written over; name "
                    "another",
                    path);
}

/* What an owner has declared, or rows with a ledger: neither is anybody's to write over by a
   slip. */
static int check_declared(const cli *c, const char *path)
{
    struct stat there;
    char *ledger = NULL;

    bool found = cli_ends_in(path, ".schema.json");
    if (!found && asprintf(&ledger, "%s.ledger", path) < 0) return cli_no_memory(c);
    found = found || lstat(ledger, &there) == 0;
    free(ledger);
    if (!found) return EXIT_OK;
    return cli_fail(c, EXIT_USAGE,
                    "the output %s is a schema or a data set with a ledger, which is never written "
                    "over; name another",
                    path);
}

/* The sentence for a path that cannot be written. */
static int cannot_write(const cli *c, const char *path, int why)
{
    return cli_fail(c, EXIT_NO_OUTPUT,
                    "the output %.300s cannot be written: %s; choose a folder that exists and is "
                    "yours to write",
                    path, strerror(why));
}

/* The contract stands in render.h. The last test creates and removes a scratch file: permissions
   alone do not say whether a folder can be written to. */
int cli_check_output(const cli *c, const char *path, const char *input)
{
    struct stat there;
    char *target = NULL;
    int code = EXIT_OK;

    if (cli_is_stdout(path)) return EXIT_OK;
    CLI_TRY(check_name(c, path));
    if (stat(path, &there) == 0) {
        if (S_ISDIR(there.st_mode))
            return cli_fail(c, EXIT_NO_OUTPUT, "the output %s is a folder; name a file in it",
                            path);
        /* Outputs are put in place by renaming, which would replace a device by a file. */
        if (!S_ISREG(there.st_mode))
            return cli_fail(c, EXIT_NO_OUTPUT,
                            "the output %s is not an ordinary file; name one, or - for "
                            "standard output",
                            path);
        if (input != NULL && strcmp(input, "-") != 0 && cli_same_file(path, input))
            return cli_fail(c, EXIT_USAGE, "the output %s is the input as well; name another",
                            path);
        CLI_TRY(check_declared(c, path));
        target = realpath(path, NULL); /* a release is written where a link leads */
        if (target == NULL) return cannot_write(c, path, errno);
        CLI_TRY(check_name(c, target));
        CLI_TRY(check_declared(c, target));
        if (is_ledger(path))
            CLI_TRY(cli_fail(c, EXIT_USAGE,
                             "the output %s is a ledger, which is never written over; name another",
                             path));
    } else if (errno != ENOENT) {
        return cannot_write(c, path, errno);
    }
    char *name = scratch_beside(path);
    if (name == NULL) return cli_no_memory(c);
    const int file = mkstemp(name);
    if (file < 0) code = cannot_write(c, path, errno);
    if (file >= 0) close(file);
    if (file >= 0) unlink(name);
    free(name);
done:
    free(target);
    return code;
}

/* The contract stands in render.h. mkstemp makes the file readable by its owner alone; only results
   that are no secret are opened up. */
int cli_sink_open(const cli *c, const char *path, bool secret, cli_sink *sink)
{
    *sink = (cli_sink){.file = stdout};
    if (cli_is_stdout(path)) return EXIT_OK;
    *sink = (cli_sink){.path = path, .scratch = scratch_beside(path)};
    const int file = sink->scratch == NULL ? -1 : mkstemp(sink->scratch);
    if (file >= 0 && !secret) {
        const mode_t mask = umask(0);
        umask(mask);
        if (fchmod(file, 0666 & ~mask) != 0) { /* it stays secret, which harms nobody */
        }
    }
    if (file >= 0) sink->file = fdopen(file, "w");
    if (sink->file != NULL) return EXIT_OK;
    const int code =
        cli_fail(c, EXIT_NO_OUTPUT, "the output %s cannot be written: %s", path, strerror(errno));
    if (file >= 0) {
        close(file);
        unlink(sink->scratch);
    }
    free(sink->scratch);
    *sink = (cli_sink){0};
    return code;
}

/* Sync before rename: after a crash the path holds the old file or the whole new one. Its folder
   may be a link that leads elsewhere by now: what is replaced is looked at once more. */
int cli_sink_close(const cli *c, cli_sink *sink)
{
    struct stat there;
    int why = 0, code = EXIT_OK;

    if (sink->path == NULL) return cli_close_stdout(c);
    errno = 0;
    if (fflush(sink->file) != 0 || ferror(sink->file) || fsync(fileno(sink->file)) != 0)
        why = errno != 0 ? errno : EIO;
    if (fclose(sink->file) != 0 && why == 0) why = errno;
    sink->file = NULL;
    const char *path = sink->path;
    if (why == 0 && lstat(path, &there) == 0) code = check_declared(c, path);
    if (why == 0 && code == EXIT_OK && rename(sink->scratch, path) != 0) why = errno;
    if (why != 0 || code != EXIT_OK) unlink(sink->scratch);
    free(sink->scratch);
    *sink = (cli_sink){0};
    if (why != 0)
        return cli_fail(c, EXIT_NO_OUTPUT,
                        "the output %s cannot be written: %s; nothing was left there", path,
                        strerror(why));
    return code;
}

void cli_sink_abandon(cli_sink *sink)
{
    if (sink->path != NULL && sink->scratch != NULL) {
        if (sink->file != NULL) fclose(sink->file);
        unlink(sink->scratch);
        free(sink->scratch);
    }
    *sink = (cli_sink){0};
}
