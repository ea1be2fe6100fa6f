/* SPDX-License-Identifier: Apache-2.0 */
/* Which files a data set of several files is made of: what a ledger binds. */
#ifndef TAC_FILE_NAMES_H
#define TAC_FILE_NAMES_H

#include "core/core.h"

#define TAC_MOST_FILES 100000

/* All zero: one file, or none. */
typedef struct tac_files {
    int32_t count;
    /* Without links, from the folder on that all of them share, sorted. Folders may move as a
       whole. */
    char **name;
    int32_t lead; /* among the paths as given: the one whose name comes first */
} tac_files;

/* Refuses standard input, and a file that is there twice, by whichever names. descriptors: of the
   open files, or NULL. */
tacit_status tac_files_find(tacit_ctx *ctx, const char *const *paths, const int *descriptors,
                            int32_t count, tac_files *out);
tacit_status tac_files_copy(tacit_ctx *ctx, const tac_files *from, tac_files *out);
void tac_files_clear(tac_files *files);
bool tac_files_same(const tac_files *a, const tac_files *b);
/* The names, as many as fit, for sentences. */
void tac_files_list(const tac_files *files, size_t room, char *out);

#endif
