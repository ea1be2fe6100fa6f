/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded into the command: the n-th allocation, or the n-th call of SQLite, since main began fails; once, or from then
   on. TACIT_FAIL_WHAT memory or sqlite, TACIT_FAIL_AT n (0: none), TACIT_FAIL_ON 1: from then on; the number of calls
   is written to the file TACIT_FAIL_COUNT at the end. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MEMORY, SQLITE };

static int what;
static long at;
static bool on, armed;
static atomic_long count;

__attribute__((constructor)) static void prepare(void)
{
    const char *word = getenv("TACIT_FAIL_WHAT"), *number = getenv("TACIT_FAIL_AT");
    what = word != NULL && strcmp(word, "sqlite") == 0 ? SQLITE : MEMORY;
    at = number == NULL ? 0 : strtol(number, NULL, 10);
    on = getenv("TACIT_FAIL_ON") != NULL;
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("TACIT_FAIL_COUNT");
    char text[32];

    armed = false;
    const int length = snprintf(text, sizeof text, "%ld", (long)count);
    const int file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0 && write(file, text, (size_t)length) != length) _exit(125);
    if (file >= 0) close(file);
}

static bool fails(int kind)
{
    if (!armed || kind != what) return false;
    const long now = ++count;
    return at > 0 && (on ? now >= at : now == at);
}

/* main begins with this call. */
int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit)
{
    armed = true;
    return (int)syscall(SYS_prlimit64, 0, resource, limit, NULL);
}
int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *limit)
{
    armed = true;
    return (int)syscall(SYS_prlimit64, 0, resource, limit, NULL);
}

/* ---- memory ------------------------------------------------------------------------------------------------- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void *none(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size) { return fails(MEMORY) ? none() : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return fails(MEMORY) ? none() : __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { return fails(MEMORY) ? none() : __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { return fails(MEMORY) ? none() : __libc_memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *memory = fails(MEMORY) ? NULL : __libc_memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *out = memory;
    return 0;
}

/* ---- SQLite ------------------------------------------------------------------------------------------------- */

/* The real function behind a name: a shared object cannot be told which type it has. */
#define REAL(name)                                        \
    __typeof__(&name) real = NULL;                        \
    void *found = dlsym(RTLD_NEXT, #name);                \
    memcpy(&real, &found, sizeof real)

int sqlite3_open_v2(const char *path, sqlite3 **db, int flags, const char *vfs)
{
    REAL(sqlite3_open_v2);
    if (!fails(SQLITE)) return real(path, db, flags, vfs);
    *db = NULL; /* as when there is no memory even for the handle */
    return SQLITE_NOMEM;
}
int sqlite3_prepare_v2(sqlite3 *db, const char *sql, int length, sqlite3_stmt **out, const char **tail)
{
    REAL(sqlite3_prepare_v2);
    if (!fails(SQLITE)) return real(db, sql, length, out, tail);
    *out = NULL;
    return SQLITE_IOERR_READ;
}
int sqlite3_step(sqlite3_stmt *statement)
{
    REAL(sqlite3_step);
    return fails(SQLITE) ? SQLITE_IOERR_WRITE : real(statement);
}
int sqlite3_reset(sqlite3_stmt *statement)
{
    REAL(sqlite3_reset);
    const int code = real(statement);
    return fails(SQLITE) ? SQLITE_IOERR_WRITE : code;
}
int sqlite3_exec(sqlite3 *db, const char *sql, int (*each)(void *, int, char **, char **), void *payload, char **error)
{
    REAL(sqlite3_exec);
    return fails(SQLITE) ? SQLITE_FULL : real(db, sql, each, payload, error);
}
int sqlite3_bind_blob(sqlite3_stmt *s, int i, const void *value, int n, void (*end)(void *))
{
    REAL(sqlite3_bind_blob);
    return fails(SQLITE) ? SQLITE_NOMEM : real(s, i, value, n, end);
}
int sqlite3_bind_text(sqlite3_stmt *s, int i, const char *value, int n, void (*end)(void *))
{
    REAL(sqlite3_bind_text);
    return fails(SQLITE) ? SQLITE_NOMEM : real(s, i, value, n, end);
}
int sqlite3_bind_int64(sqlite3_stmt *s, int i, sqlite3_int64 value)
{
    REAL(sqlite3_bind_int64);
    return fails(SQLITE) ? SQLITE_NOMEM : real(s, i, value);
}
int sqlite3_bind_double(sqlite3_stmt *s, int i, double value)
{
    REAL(sqlite3_bind_double);
    return fails(SQLITE) ? SQLITE_NOMEM : real(s, i, value);
}
const void *sqlite3_column_blob(sqlite3_stmt *s, int i)
{
    REAL(sqlite3_column_blob);
    return fails(SQLITE) ? NULL : real(s, i);
}
const unsigned char *sqlite3_column_text(sqlite3_stmt *s, int i)
{
    REAL(sqlite3_column_text);
    return fails(SQLITE) ? NULL : real(s, i);
}
