/* SPDX-License-Identifier: Apache-2.0 */
/* A vocabulary: the names of the columns in their order, from a text file with one a line. */
#ifndef TAC_VOCABULARY_H
#define TAC_VOCABULARY_H

#include "data/readers/reader_internal.h"

struct tac_vocabulary {
    char *path;
    tac_codes names;    /* code = column */
    uint8_t digest[32]; /* of the names in their order */
};

/* UTF-8, LF or CRLF; an empty line or a name given twice is refused with its line. */
/* descriptor above 0: the file, already open; the caller's to close. */
tacit_status tac_vocabulary_read(tacit_ctx *ctx, const char *path, int descriptor,
                                 tac_vocabulary **out);
/* The same from a text; where: for sentences. */
tacit_status tac_vocabulary_of_words(tacit_ctx *ctx, const char *where, const char *words,
                                     tac_vocabulary **out);
void tac_vocabulary_free(tac_vocabulary *vocabulary);
static inline int32_t tac_vocabulary_size(const tac_vocabulary *vocabulary)
{
    return (int32_t)vocabulary->names.count;
}

/* Does the vocabulary, if any, name so many columns? Refuses with both numbers if not. */
tacit_status tac_vocabulary_check(tacit_ctx *ctx, const tac_vocabulary *vocabulary, int64_t columns,
                                  const char *what);
/* A schema with its names, or where it is NULL with the numbers that the format itself gives its
   columns, and `extra` after them if not NULL. One block holds all text: names[0] owns it. */
tacit_status tac_schema_named(tacit_ctx *ctx, const tac_vocabulary *vocabulary, int64_t columns,
                              tac_numbering numbering, const char *extra, tac_schema *out);

#endif
