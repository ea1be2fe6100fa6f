/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger of several files: one file beside the first of them, and a link to it beside each of
   the others. Whoever opens any of them finds it; the declaration in it says which files belong
   together. Links come first: where a crash leaves them without a ledger, they lead nowhere, and
   their files are refused. */
#include "privacy/ledger/ledger_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct linking {
    tacit_ctx *ctx;
    int32_t count;
    char **beside; /* "<file without links>.ledger", sorted; for free */
    bool *made;    /* this link was made here */
    char *path;    /* of the ledger; for free */
} linking;

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Where the ledger of each file would lie. */
static tacit_status find_places(linking *l, const char *const *files)
{
    tacit_status status = TACIT_OK;

    for (int32_t i = 0; i < l->count; i++) {
        char *const real = realpath(files[i], NULL);
        if (real == NULL)
            return tac_fail(l->ctx, TACIT_E_OPEN, "%s: cannot be opened: %s", files[i],
                            strerror(errno));
        const int length = asprintf(&l->beside[i], "%s.ledger", real);
        free(real);
        if (length < 0) {
            l->beside[i] = NULL;
            TAC_TRY(tac_fail(l->ctx, TACIT_E_MEMORY, "out of memory for names of ledgers"));
        }
    }
    qsort(l->beside, (size_t)l->count, sizeof *l->beside, by_text);
done:
    return status;
}

/* What lies there already must be the ledger that is carried over, which then keeps its place; else
   the ledger goes beside the first file. */
static tacit_status choose_path(linking *l, const char *carry)
{
    struct stat about;

    for (int32_t i = 0; i < l->count; i++) {
        if (lstat(l->beside[i], &about) != 0) continue;
        if (carry == NULL || !same_file(carry, l->beside[i]))
            return tac_fail(l->ctx, TACIT_E_WRITE,
                            "%s exists already: a file has one ledger; its owner can make one that "
                            "continues it (--carry)",
                            l->beside[i]);
        if (l->path == NULL) l->path = realpath(carry, NULL);
    }
    if (l->path == NULL) l->path = strdup(l->beside[0]);
    return l->path != NULL ? TACIT_OK
                           : tac_fail(l->ctx, TACIT_E_MEMORY, "out of memory for names of ledgers");
}

static size_t folder_of(const char *path)
{
    return (size_t)(strrchr(path, '/') - path) + 1;
}

/* A link in the folder of the ledger is relative, so that the folder may be moved. */
static int make_link(const char *ledger, const char *link)
{
    const size_t folder = folder_of(ledger);
    const bool near = folder == folder_of(link) && strncmp(ledger, link, folder) == 0;

    return symlink(near ? ledger + folder : ledger, link) == 0 ? 0 : errno;
}

/* 0, or an errno. EINVAL: this kind of folder has no fsync. */
static int flush_folder(char *path)
{
    const size_t length = folder_of(path);
    const char kept = path[length];

    path[length] = '\0';
    const int folder = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    path[length] = kept;
    if (folder < 0) return errno;
    const int error = fsync(folder) == 0 || errno == EINVAL ? 0 : errno;
    close(folder);
    return error;
}

static tacit_status make_links(linking *l)
{
    for (int32_t i = 0; i < l->count; i++) {
        char *const link = l->beside[i];
        int error = 0;
        if (strcmp(link, l->path) == 0 || same_file(link, l->path)) continue;
        error = make_link(l->path, link);
        l->made[i] = error == 0;
        const bool last = i + 1 == l->count || folder_of(link) != folder_of(l->beside[i + 1]) ||
                          strncmp(link, l->beside[i + 1], folder_of(link)) != 0;
        if (error == 0 && last) error = flush_folder(link);
        if (error != 0)
            return tac_fail(l->ctx, TACIT_E_WRITE, "the link %s to the ledger cannot be made: %s",
                            link, strerror(error));
    }
    return TACIT_OK;
}

tacit_status tacit_ledger_create_beside(tacit_ctx *ctx, const char *const *files, int32_t count,
                                        const char *dataset, double epsilon, double delta,
                                        const tacit_declaration *declaration, const char *carry,
                                        char **path)
{
    tacit_status status = TACIT_OK;
    linking l = {.ctx = ctx, .count = count};
    struct stat before = {0}, after;

    *path = NULL;
    if (files == NULL || count < 1)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "a ledger lies beside its files; name them");
    TAC_TRY(tac_new(ctx, (size_t)count, sizeof *l.beside, &l.beside));
    TAC_TRY(tac_new(ctx, (size_t)count, sizeof *l.made, &l.made));
    TAC_TRY(find_places(&l, files));
    TAC_TRY(choose_path(&l, carry));
    *path = tac_strdup(ctx, l.path);
    if (*path == NULL) TAC_TRY(TACIT_E_MEMORY);
    if (stat(l.path, &before) != 0) before = (struct stat){0};
    TAC_TRY(make_links(&l));
    TAC_TRY(carry == NULL
                ? tacit_ledger_create(ctx, l.path, dataset, epsilon, delta, declaration)
                : tacit_ledger_carry(ctx, l.path, dataset, epsilon, delta, declaration, carry));
done:
    /* a failure that comes after the new ledger has its name leaves it, and the links too */
    for (int32_t i = 0; status != TACIT_OK && l.made != NULL && i < count; i++)
        if (l.made[i] && (stat(l.path, &after) != 0 || after.st_ino == before.st_ino))
            unlink(l.beside[i]);
    if (status != TACIT_OK) {
        tac_free(*path);
        *path = NULL;
    }
    for (int32_t i = 0; l.beside != NULL && i < count; i++) free(l.beside[i]);
    free(l.path);
    tac_free(l.made);
    tac_free(l.beside);
    return status;
}
