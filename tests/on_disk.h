/* SPDX-License-Identifier: Apache-2.0 */
/* A folder for spill files: on a disk, wherever the machine that runs the tests has one. */
#ifndef TAC_ON_DISK_H
#define TAC_ON_DISK_H

#include "tap.h"

#include <sys/vfs.h>
#include <unistd.h>

/* Is it there, and in memory? */
static bool in_memory(const char *folder)
{
    struct statfs about;
    return statfs(folder, &about) == 0 && (uint32_t)about.f_type == 0x01021994; /* tmpfs */
}

static const char *on_disk_folder(void)
{
    static const char *const tried[] = {"/var/tmp", "/tmp", "."};

    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
        if (access(tried[i], W_OK) == 0 && !in_memory(tried[i])) return tried[i];
    return ".";
}

#endif
