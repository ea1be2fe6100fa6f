/* SPDX-License-Identifier: Apache-2.0 */
/* A folder for a test's files. In memory (/dev/shm) when there is one: fsync is free there, and a
   killed process loses nothing that the kernel already took, so kill -9 tests the same there as on
   a disk. Only a power cut would differ. */
#ifndef TAC_SCRATCH_H
#define TAC_SCRATCH_H

#include "tap.h"

#include <dirent.h>
#include <unistd.h>

static char scratch_folder[160];

static void scratch_open(void)
{
    const char *place = getenv("TMPDIR");
    if (place == NULL || strlen(place) > 100) place = "/tmp";
    if (access("/dev/shm", W_OK) == 0) place = "/dev/shm";
    snprintf(scratch_folder, sizeof scratch_folder, "%s/tacit-test-XXXXXX", place);
    MUST(mkdtemp(scratch_folder) != NULL);
}

/* The name of a file in the folder; eight names live at a time. */
static const char *scratch(const char *name)
{
    static char names[8][500];
    static unsigned turn;
    char *out = names[turn++ % 8];
    snprintf(out, sizeof names[0], "%s/%s", scratch_folder, name);
    return out;
}

/* How many entries the folder has whose name contains `part`. */
__attribute__((unused)) static int scratch_count(const char *part)
{
    int count = 0;
    DIR *folder = opendir(scratch_folder);
    MUST(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.' && strstr(entry->d_name, part) != NULL) count++;
    closedir(folder);
    return count;
}

static void scratch_close(void)
{
    DIR *folder = opendir(scratch_folder);
    if (folder != NULL) {
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
                const char *name = scratch(entry->d_name);
                if (unlink(name) != 0) rmdir(name);
            }
        closedir(folder);
    }
    rmdir(scratch_folder);
}

__attribute__((unused)) static unsigned char *scratch_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    MUST(file != NULL && fseek(file, 0, SEEK_END) == 0);
    *size = (size_t)ftell(file);
    unsigned char *bytes = malloc(*size + 1);
    MUST(bytes != NULL && fseek(file, 0, SEEK_SET) == 0 && fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

__attribute__((unused)) static void scratch_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    MUST(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

#endif
