/* SPDX-License-Identifier: Apache-2.0 */
/* What a run left behind that nobody gave back: memory, descriptors, files. FAILING_CALLS: the
   object that looks, preloaded; without it (a sanitizer has its own memory) files alone are looked
   for. */
#ifndef TAC_LEAKS_H
#define TAC_LEAKS_H

#include "failing_calls.h"
#include "mould.h"

#include <sys/mman.h>

static fail_control *control, undisturbed;

static void leaks_open(void)
{
#ifdef FAILING_CALLS
    const char *path = scratch("control");
    scratch_write(path, &(fail_control){0}, sizeof *control);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    void *page = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    MUST(file >= 0 && page != MAP_FAILED);
    close(file);
    control = page;
    preloaded = FAILING_CALLS;
#else
    control = calloc(1, sizeof *control);
    MUST(control != NULL);
#endif
}

static void leaks_close(void)
{
#ifdef FAILING_CALLS
    munmap(control, sizeof *control);
#else
    free(control);
#endif
}

/* Before a run. */
static void control_set(int what, long at, bool on)
{
    memset(control, 0, sizeof *control);
    control->what = what;
    control->at = at;
    control->on = on;
}

static bool ours(const fail_block *b)
{
    return strncmp(b->by, "libtacit", 8) == 0 || strncmp(b->by, "tacit+", 6) == 0;
}

/* Buffers of standard output, and a library that keeps its work space for the next call, whichever
   way it got it. */
static bool theirs(const fail_block *b)
{
    return strcmp(b->by, "stdio") == 0 || strncmp(b->by, "libopenblas", 11) == 0;
}

/* What an undisturbed run keeps to its end is the libraries' own. Ours is nothing. */
static bool leaks_baseline(void)
{
    bool good = true;

    undisturbed = *control;
    for (long i = 0; i < undisturbed.blocks && i < FAIL_BLOCKS; i++)
        if (ours(&undisturbed.block[i])) {
            printf("# undisturbed, yet %zu bytes asked for at %s were kept\n",
                   undisturbed.block[i].size, undisturbed.block[i].by);
            good = false;
        }
    return good && undisturbed.blocks <= FAIL_BLOCKS;
}

/* Blocks from places that keep none in an undisturbed run, and descriptors beyond those. Says what
   it found. */
static bool leaks_none(void)
{
    bool good = true;

    if (!control->ended) return true;
    for (long i = 0; i < control->blocks && i < FAIL_BLOCKS; i++) {
        const fail_block *b = &control->block[i];
        bool known = theirs(b);
        for (long j = 0; j < undisturbed.blocks && j < FAIL_BLOCKS; j++)
            known = known || strcmp(undisturbed.block[j].by, b->by) == 0;
        if (known) continue;
        printf("# %zu bytes asked for at %s were never given back\n", b->size, b->by);
        good = false;
    }
    if (control->descriptors > undisturbed.descriptors) {
        printf("# %d descriptors were left open\n", control->descriptors - undisturbed.descriptors);
        good = false;
    }
    return good;
}

#endif
