/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the files of a data set, whatever they were called by: links are followed, and no
   file counts twice. */
#include "data/dataset/file_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file and what it is called. */
typedef struct known_file {
    dev_t device;
    ino_t inode;
    int32_t place; /* among the paths */
    char *real;    /* for free */
} known_file;

static int by_inode(const void *a, const void *b)
{
    const known_file *x = a, *y = b;

    if (x->device != y->device) return x->device < y->device ? -1 : 1;
    if (x->inode != y->inode) return x->inode < y->inode ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const known_file *)a)->real, ((const known_file *)b)->real);
}

/* The name that an open file has, or its path without links; what has no name (a pipe) keeps the
   one that was given. */
static char *real_name(const char *path, int descriptor, const struct stat *about)
{
    char link[64], name[4096];
    struct stat there;

    if (!S_ISREG(about->st_mode)) return strdup(path);
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = descriptor > 0 ? readlink(link, name, sizeof name - 1) : -1;
    if (length > 0) name[length] = '\0';
    if (length > 0 && stat(name, &there) == 0 && there.st_dev == about->st_dev &&
        there.st_ino == about->st_ino)
        return strdup(name);
    char *const real = realpath(path, NULL);
    return real != NULL || errno == ENOMEM ? real : strdup(path);
}

static tacit_status look(tacit_ctx *ctx, const char *path, int descriptor, known_file *out)
{
    struct stat about;

    if (path == NULL || strcmp(path, "-") == 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "standard input cannot be one of several files; name files, or pipe all "
                        "rows in");
    if ((descriptor > 0 ? fstat(descriptor, &about) : stat(path, &about)) != 0)
        return tac_fail(ctx, TACIT_E_OPEN, "%s: cannot be opened: %s", path, strerror(errno));
    out->device = about.st_dev;
    out->inode = about.st_ino;
    out->real = real_name(path, descriptor, &about);
    return out->real != NULL ? TACIT_OK
                             : tac_fail(ctx, TACIT_E_MEMORY, "out of memory for names of files");
}

/* How many bytes of every name are the folder that all of them share. */
static size_t shared_folder(const known_file *file, int32_t count)
{
    const char *first = file[0].real;
    size_t length = strlen(first);

    for (int32_t i = 1; i < count; i++) {
        size_t same = 0;
        while (same < length && first[same] == file[i].real[same]) same++;
        length = same;
    }
    while (length > 0 && first[length - 1] != '/') length--;
    return length;
}

static tacit_status refuse_twice(tacit_ctx *ctx, const char *const *paths, const known_file *file,
                                 int32_t count)
{
    for (int32_t i = 1; i < count; i++)
        if (file[i].device == file[i - 1].device && file[i].inode == file[i - 1].inode)
            return tac_fail(ctx, TACIT_E_ARGUMENT,
                            "%s and %s are one file, whose rows would count twice; name it once",
                            paths[file[i - 1].place], paths[file[i].place]);
    return TACIT_OK;
}

tacit_status tac_files_find(tacit_ctx *ctx, const char *const *paths, const int *descriptors,
                            int32_t count, tac_files *out)
{
    tacit_status status = TACIT_OK;
    known_file *file = NULL;
    tac_files found = {0};

    *out = found;
    TAC_TRY(tac_new(ctx, (size_t)count, sizeof *file, &file));
    for (int32_t i = 0; i < count; i++) {
        file[i].place = i;
        TAC_TRY(look(ctx, paths[i], descriptors == NULL ? 0 : descriptors[i], &file[i]));
    }
    qsort(file, (size_t)count, sizeof *file, by_inode);
    TAC_TRY(refuse_twice(ctx, paths, file, count));
    qsort(file, (size_t)count, sizeof *file, by_name);
    const size_t folder = shared_folder(file, count);
    TAC_TRY(tac_new(ctx, (size_t)count, sizeof *found.name, &found.name));
    found.lead = file[0].place;
    for (; found.count < count; found.count++) {
        found.name[found.count] = tac_strdup(ctx, file[found.count].real + folder);
        if (found.name[found.count] == NULL) TAC_TRY(TACIT_E_MEMORY);
    }
    *out = found;
    found = (tac_files){0};
done:
    for (int32_t i = 0; file != NULL && i < count; i++) free(file[i].real);
    tac_free(file);
    tac_files_clear(&found);
    return status;
}

tacit_status tac_files_copy(tacit_ctx *ctx, const tac_files *from, tac_files *out)
{
    tacit_status status = TACIT_OK;
    tac_files copy = {.lead = from->lead};

    *out = (tac_files){0};
    if (from->count == 0) return TACIT_OK;
    TAC_TRY(tac_new(ctx, (size_t)from->count, sizeof *copy.name, &copy.name));
    for (; copy.count < from->count; copy.count++) {
        copy.name[copy.count] = tac_strdup(ctx, from->name[copy.count]);
        if (copy.name[copy.count] == NULL) TAC_TRY(TACIT_E_MEMORY);
    }
    *out = copy;
    copy = (tac_files){0};
done:
    tac_files_clear(&copy);
    return status;
}

void tac_files_clear(tac_files *files)
{
    for (int32_t i = 0; i < files->count; i++) tac_free(files->name[i]);
    tac_free(files->name);
    *files = (tac_files){0};
}

bool tac_files_same(const tac_files *a, const tac_files *b)
{
    bool same = a->count == b->count;

    for (int32_t i = 0; same && i < a->count; i++) same = strcmp(a->name[i], b->name[i]) == 0;
    return same;
}

void tac_files_list(const tac_files *files, size_t room, char *out)
{
    size_t used = 0;
    int32_t i = 0;

    *out = '\0';
    for (; i < files->count && used + 100 < room; i++)
        used += (size_t)snprintf(out + used, room - used, "%s%.60s", i == 0 ? "" : ", ",
                                 files->name[i]);
    if (i < files->count) snprintf(out + used, room - used, " and %d more", (int)files->count - i);
}
