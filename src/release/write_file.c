/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a file so that a crash, a full disk or an interruption leaves the old one whole. */
#include "release/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static tacit_status cannot_write(tacit_ctx *ctx, const char *path, int error)
{
    const char *fix = error == ENOENT || error == ENOTDIR ? "make its folder first"
                      : error == EACCES || error == EPERM || error == EROFS ? "choose a folder you "
                                                                              "may write to"
                      : error == ENOSPC || error == EDQUOT || error == EFBIG ? "free some space or "
                                                                               "take another disk"
                      : error == EISDIR       ? "give the name of a file in it"
                      : error == ENAMETOOLONG ? "choose a shorter name"
                                              : "choose another place";
    return tac_fail(ctx, TACIT_E_WRITE, "%s cannot be written: %s; %s", path, strerror(error), fix);
}

/* 0 or the errno. Goes on after signals and short writes. */
static int write_all(int file, const char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t written = write(file, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

/* A device or a pipe cannot be replaced, and renaming over /dev/null would be a disaster: write
   into it. It is looked at once more: a link may lead to somebody's file by now. */
static int write_into(const char *path, const char *bytes, size_t count)
{
    struct stat now;
    const int file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0) return errno;
    int error = fstat(file, &now) != 0 ? errno : S_ISREG(now.st_mode) ? EEXIST : 0;
    if (error == 0) error = write_all(file, bytes, count);
    return close(file) != 0 && error == 0 ? errno : error;
}

/* Whatever it is called: an SQLite file with the number that ledgers have. */
static bool is_ledger(const char *path)
{
    char head[72];
    FILE *file = fopen(path, "rbe");

    if (file == NULL) return false;
    const bool read = fread(head, 1, sizeof head, file) == sizeof head;
    fclose(file);
    return read && memcmp(head, "SQLite format 3", 16) == 0 && memcmp(head + 68, "tact", 4) == 0;
}

/* A ledger, what SQLite would take for its journal, or a file that has a ledger beside it. Whoever
   calls has checked the name, but a link may lead elsewhere by now. */
static bool is_guarded(const char *path)
{
    static const char *const ending[] = {".ledger", ".ledger-journal", ".ledger-wal",
                                         ".ledger-shm"};
    const size_t length = strlen(path);
    struct stat there;
    char beside[4200];

    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        const size_t tail = strlen(ending[i]);
        if (length >= tail && strcmp(path + length - tail, ending[i]) == 0) return true;
    }
    const int room = snprintf(beside, sizeof beside, "%s%s", path, ending[0]);
    return (room > 0 && (size_t)room < sizeof beside && lstat(beside, &there) == 0) ||
           is_ledger(path);
}

/* A new file `folder`/.tacit-<random>.tmp, never one that exists. */
static int open_new(const char *folder, char *name, size_t room, int *file)
{
    for (int tries = 0; tries < 100; tries++) {
        uint64_t random;
        /* The name only has to be new, and O_EXCL sees to that. */
        if (tac_system_random(NULL, &random, sizeof random) != TACIT_OK)
            random = (uint64_t)getpid() * 100 + (uint64_t)tries;
        const int length =
            snprintf(name, room, "%s.tacit-%016llx.tmp", folder, (unsigned long long)random);
        if (length < 0 || (size_t)length >= room) return ENAMETOOLONG;
        *file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (*file >= 0) return 0;
        if (errno != EEXIST && errno != EINTR) return errno;
    }
    return EEXIST;
}

/* The rename is on disk only when its folder is. Some file systems cannot flush a folder, and a
   folder that may be written but not read cannot be opened: neither is a failure. */
static int flush_folder(const char *folder)
{
    const int file = open(folder[0] == '\0' ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return errno == EACCES || errno == EPERM ? 0 : errno;
    int error = fsync(file) == 0 ? 0 : errno;
    if (error == EINVAL || error == ENOTSUP || error == EROFS) error = 0;
    close(file);
    return error;
}

/* Through a temporary file. mode: of the file that is replaced, or 0. folder: "" or ends in '/'. */
static int replace(const char *target, const char *folder, mode_t mode, const char *bytes,
                   size_t count)
{
    char name[4200];
    int file = -1;
    int error = open_new(folder, name, sizeof name, &file);

    if (error != 0) return error;
    if (mode != 0 && fchmod(file, mode) != 0) error = errno;
    if (error == 0) error = write_all(file, bytes, count);
    if (error == 0 && fsync(file) != 0 && errno != EINVAL) error = errno;
    if (close(file) != 0 && error == 0) error = errno;
    if (error == 0 && rename(name, target) != 0) error = errno;
    if (error != 0) {
        unlink(name);
        return error;
    }
    return flush_folder(folder);
}

tacit_status tac_file_write(tacit_ctx *ctx, const char *path, const char *bytes, size_t count)
{
    tacit_status status = TACIT_OK;
    char *real = NULL, *folder = NULL;
    struct stat old;
    mode_t mode = 0;
    int error;

    if (path == NULL || path[0] == '\0')
        return tac_fail(ctx, TACIT_E_ARGUMENT, "the output has no name; give the path of a file");
    if (path[strlen(path) - 1] == '/') return cannot_write(ctx, path, EISDIR);
    if (stat(path, &old) == 0) {
        if (S_ISDIR(old.st_mode)) return cannot_write(ctx, path, EISDIR);
        if (!S_ISREG(old.st_mode)) {
            error = write_into(path, bytes, count);
            return error == 0 ? TACIT_OK : cannot_write(ctx, path, error);
        }
        mode = old.st_mode & 0777;
        real = realpath(path, NULL); /* a link to the file stays a link */
    }
    const char *target = real == NULL ? path : real;
    if (is_guarded(target)) {
        free(real);
        return tac_fail(ctx, TACIT_E_WRITE,
                        "%s is a ledger or a data set with a ledger, which is never written over; "
                        "choose another name",
                        path);
    }
    const char *slash = strrchr(target, '/');
    folder = strndup(target, slash == NULL ? 0 : (size_t)(slash - target) + 1);
    error = folder == NULL ? ENOMEM : replace(target, folder, mode, bytes, count);
    if (error != 0) status = cannot_write(ctx, path, error);
    free(folder);
    free(real);
    return status;
}
