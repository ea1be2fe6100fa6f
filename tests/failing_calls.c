/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded into the command: the n-th allocation, the n-th call of SQLite, or the n-th call that
   has to do with another process, since main began fails; once, or from then on. At the end it
   tells how many there were and what memory was not given back (failing_calls.h). */
#include "failing_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static fail_control none_given, *control = &none_given;
static bool armed;

__attribute__((constructor)) static void prepare(void)
{
    const char *path = getenv("TACIT_FAIL_CONTROL");
    const int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);

    unsetenv("LD_PRELOAD"); /* programs that the command starts are left alone */
    unsetenv("LD_BIND_NOW");
    if (file < 0) return;
    void *page = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) control = page;
    close(file);
}

static bool fails(int kind)
{
    if (!armed || kind != control->what) return false;
    const long now = ++control->count;
    return control->at > 0 && (control->on ? now >= control->at : now == control->at);
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

/* The real function behind a name: a shared object cannot be told which type it has. */
#define REAL(name)                                                                                 \
    __typeof__(&name) real = NULL;                                                                 \
    void *found = dlsym(RTLD_NEXT, #name);                                                         \
    memcpy(&real, &found, sizeof real)

/* ---- memory ---- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

/* The blocks of memory since main began: a table of open addresses, the next free place after the
   one that the pointer names. */
#define PLACES (1u << 13)
static struct {
    void *block, *by;
    size_t size;
} live[PLACES];
static size_t live_count;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static size_t home(const void *block)
{
    return (size_t)(((uintptr_t)block >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 40) & (PLACES - 1);
}

static void *keep(void *block, size_t size, void *by)
{
    if (!armed || block == NULL) return block;
    while (atomic_flag_test_and_set(&busy)) {
    }
    if (live_count < PLACES / 2) {
        size_t at = home(block);
        while (live[at].block != NULL) at = (at + 1) & (PLACES - 1);
        live[at].block = block;
        live[at].by = by;
        live[at].size = size;
        live_count++;
    }
    atomic_flag_clear(&busy);
    return block;
}

static void forget(const void *block)
{
    if (!armed || block == NULL) return;
    while (atomic_flag_test_and_set(&busy)) {
    }
    size_t at = home(block);
    while (live[at].block != NULL && live[at].block != block) at = (at + 1) & (PLACES - 1);
    if (live[at].block != NULL) {
        live_count--;
        /* what comes after it moves up, unless it would pass its home */
        for (size_t hole = at;;) {
            at = (at + 1) & (PLACES - 1);
            if (live[at].block == NULL) {
                live[hole].block = NULL;
                break;
            }
            if (((at - home(live[at].block)) & (PLACES - 1)) < ((at - hole) & (PLACES - 1)))
                continue;
            live[hole] = live[at];
            hole = at;
        }
    }
    atomic_flag_clear(&busy);
}

static void *none(void)
{
    errno = ENOMEM;
    return NULL;
}

#define CALLER __builtin_return_address(0)
void *malloc(size_t size)
{
    return fails(FAIL_MEMORY) ? none() : keep(__libc_malloc(size), size, CALLER);
}
void *calloc(size_t n, size_t size)
{
    return fails(FAIL_MEMORY) ? none() : keep(__libc_calloc(n, size), n * size, CALLER);
}
void *realloc(void *old, size_t size)
{
    if (fails(FAIL_MEMORY)) return none();
    void *block = __libc_realloc(old, size);
    if (block == NULL && size != 0) return NULL;
    forget(old);
    return keep(block, size, CALLER);
}
void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(FAIL_MEMORY) ? none() : keep(__libc_memalign(alignment, size), size, CALLER);
}
int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *memory = fails(FAIL_MEMORY) ? NULL : __libc_memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *out = keep(memory, size, CALLER);
    return 0;
}
void free(void *memory)
{
    forget(memory);
    __libc_free(memory);
}

static void describe(fail_block *out, const void *by, size_t size)
{
    Dl_info about = {0};

    out->size = size;
    if (dladdr(by, &about) == 0 || about.dli_fname == NULL) return;
    /* of a stream: with the stream, if that stays */
    if (about.dli_sname != NULL && strcmp(about.dli_sname, "_IO_file_doallocate") == 0) {
        snprintf(out->by, sizeof out->by, "stdio");
        return;
    }
    const char *slash = strrchr(about.dli_fname, '/');
    snprintf(out->by, sizeof out->by, "%.30s+%zx", slash == NULL ? about.dli_fname : slash + 1,
             (size_t)((const char *)by - (const char *)about.dli_fbase));
}

/* Few system calls: a test that counts them sees these too. */
static int open_descriptors(void)
{
    char names[2048];
    int count = 0;
    const int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    for (long got; folder >= 0 && (got = syscall(SYS_getdents64, folder, names, sizeof names)) > 0;)
        for (long at = 0; at < got; count++) {
            unsigned short size; /* of the entry: after two words of eight bytes */
            memcpy(&size, names + at + 16, sizeof size);
            at += size;
        }
    if (folder >= 0) close(folder);
    return count;
}

/* exit runs this before the libraries' own endings. */
__attribute__((destructor)) static void report(void)
{
    if (!armed) return; /* an end before main */
    control->what = FAIL_NOTHING;
    control->descriptors = open_descriptors();
    sqlite3_shutdown(); /* its caches; a connection or a statement that somebody forgot stays */
    armed = false;
    /* a full table has missed some */
    control->blocks = live_count < PLACES / 2 ? 0 : FAIL_BLOCKS + 1;
    for (size_t i = 0; i < PLACES; i++)
        if (live[i].block != NULL && control->blocks++ < FAIL_BLOCKS)
            describe(&control->block[control->blocks - 1], live[i].by, live[i].size);
    control->ended = 1;
}

/* ---- SQLite ---- */

int sqlite3_open_v2(const char *path, sqlite3 **db, int flags, const char *vfs)
{
    REAL(sqlite3_open_v2);
    if (!fails(FAIL_SQLITE)) return real(path, db, flags, vfs);
    *db = NULL; /* as when there is no memory even for the handle */
    return SQLITE_NOMEM;
}
int sqlite3_prepare_v2(sqlite3 *db, const char *sql, int length, sqlite3_stmt **out,
                       const char **tail)
{
    REAL(sqlite3_prepare_v2);
    if (!fails(FAIL_SQLITE)) return real(db, sql, length, out, tail);
    *out = NULL;
    return SQLITE_IOERR_READ;
}
int sqlite3_step(sqlite3_stmt *statement)
{
    REAL(sqlite3_step);
    return fails(FAIL_SQLITE) ? SQLITE_IOERR_WRITE : real(statement);
}
int sqlite3_reset(sqlite3_stmt *statement)
{
    REAL(sqlite3_reset);
    const int code = real(statement);
    return fails(FAIL_SQLITE) ? SQLITE_IOERR_WRITE : code;
}
int sqlite3_exec(sqlite3 *db, const char *sql, int (*each)(void *, int, char **, char **),
                 void *payload, char **error)
{
    REAL(sqlite3_exec);
    return fails(FAIL_SQLITE) ? SQLITE_FULL : real(db, sql, each, payload, error);
}
int sqlite3_file_control(sqlite3 *db, const char *name, int op, void *arg)
{
    REAL(sqlite3_file_control);
    return fails(FAIL_SQLITE) ? SQLITE_ERROR : real(db, name, op, arg);
}
int sqlite3_bind_blob(sqlite3_stmt *s, int i, const void *value, int n, void (*end)(void *))
{
    REAL(sqlite3_bind_blob);
    return fails(FAIL_SQLITE) ? SQLITE_NOMEM : real(s, i, value, n, end);
}
int sqlite3_bind_text(sqlite3_stmt *s, int i, const char *value, int n, void (*end)(void *))
{
    REAL(sqlite3_bind_text);
    return fails(FAIL_SQLITE) ? SQLITE_NOMEM : real(s, i, value, n, end);
}
int sqlite3_bind_int64(sqlite3_stmt *s, int i, sqlite3_int64 value)
{
    REAL(sqlite3_bind_int64);
    return fails(FAIL_SQLITE) ? SQLITE_NOMEM : real(s, i, value);
}
int sqlite3_bind_double(sqlite3_stmt *s, int i, double value)
{
    REAL(sqlite3_bind_double);
    return fails(FAIL_SQLITE) ? SQLITE_NOMEM : real(s, i, value);
}
const void *sqlite3_column_blob(sqlite3_stmt *s, int i)
{
    REAL(sqlite3_column_blob);
    return fails(FAIL_SQLITE) ? NULL : real(s, i);
}
const unsigned char *sqlite3_column_text(sqlite3_stmt *s, int i)
{
    REAL(sqlite3_column_text);
    return fails(FAIL_SQLITE) ? NULL : real(s, i);
}

/* ---- other processes ---- */

static int refuse(int why)
{
    errno = why;
    return -1;
}

pid_t fork(void)
{
    REAL(fork);
    return fails(FAIL_PROCESS) ? refuse(EAGAIN) : real();
}
int pipe2(int ends[2], int flags)
{
    REAL(pipe2);
    return fails(FAIL_PROCESS) ? refuse(EMFILE) : real(ends, flags);
}
int dup2(int from, int to)
{
    REAL(dup2);
    return fails(FAIL_PROCESS) ? refuse(EMFILE) : real(from, to);
}
int setpgid(pid_t child, pid_t group)
{
    REAL(setpgid);
    return fails(FAIL_PROCESS) ? refuse(EPERM) : real(child, group);
}
int poll(struct pollfd *what, nfds_t count, int patience)
{
    REAL(poll);
    return fails(FAIL_PROCESS) ? refuse(ENOMEM) : real(what, count, patience);
}
pid_t waitpid(pid_t child, int *how, int flags)
{
    REAL(waitpid);
    return fails(FAIL_PROCESS) ? refuse(ECHILD) : real(child, how, flags);
}
int execl(const char *path, const char *word, ...)
{
    const char *argv[8] = {word};
    va_list more;

    va_start(more, word);
    for (size_t i = 1; i + 1 < sizeof argv / sizeof *argv && argv[i - 1] != NULL; i++)
        argv[i] = va_arg(more, const char *);
    va_end(more);
    return fails(FAIL_PROCESS) ? refuse(ENOENT) : execv(path, (char *const *)(uintptr_t)argv);
}
