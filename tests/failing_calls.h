/* SPDX-License-Identifier: Apache-2.0 */
/* What a test and the object failing_calls.c, preloaded into the command, tell each other: a page
   of memory that both see, in the file that TACIT_FAIL_CONTROL names. */
#ifndef TAC_FAILING_CALLS_H
#define TAC_FAILING_CALLS_H

#include <stdatomic.h>
#include <stddef.h>

enum { FAIL_NOTHING, FAIL_MEMORY, FAIL_SQLITE, FAIL_PROCESS };
enum { FAIL_BLOCKS = 64 };

typedef struct fail_block {
    size_t size;
    char by[48]; /* the library and the place in it that asked for the block */
} fail_block;

typedef struct fail_control {
    /* from the test */
    int what; /* which calls fail */
    long at;  /* the n-th since main began; 0: none */
    int on;   /* and all after it */
    /* from the command */
    atomic_long count; /* of such calls */
    int ended;         /* it came to exit, and what follows is true */
    long blocks;       /* asked for since main began and not given back, libraries' own included */
    fail_block block[FAIL_BLOCKS];
    int descriptors; /* open at the end */
} fail_control;

#endif
