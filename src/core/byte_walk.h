/* SPDX-License-Identifier: Apache-2.0 */
/* A value as bytes and back. One walk over its members serves both ways, so that they cannot
   differ: it counts, writes or reads. Numbers are little-endian, lists come as long as the numbers
   before them say, and nothing follows the last. Bytes are not trusted: every length is compared
   with what is left before a list is made. */
#ifndef TAC_BYTE_WALK_H
#define TAC_BYTE_WALK_H

#include "core/core.h"

typedef struct tac_walk {
    uint8_t *out;      /* writing; NULL: how many bytes there will be */
    const uint8_t *in; /* reading; NULL: writing */
    size_t at, end;    /* end: of what is read */
    char *room;        /* reading: for lists; NULL: every list is new, by tac_new */
    tacit_ctx *ctx;    /* for lists that are new */
    bool bad;          /* sticky: malformed, and nothing more is read; or: */
    bool no_memory;
} tac_walk;

#define TAC_WALK_ALIGNED 16 /* each list in `room` begins at a multiple of it */

/* value: `size` bytes of it, 1, 2, 4 or 8. */
void tac_walk_number(tac_walk *w, void *value, size_t size);
/* `count` of them, one after the other. */
void tac_walk_numbers(tac_walk *w, void *items, size_t count, size_t size);
/* A bool as one byte, 0 or 1; anything else is malformed. */
void tac_walk_truth(tac_walk *w, bool *value);
/* An enum of `count` values from 0 on. */
int32_t tac_walk_choice(tac_walk *w, int32_t value, int32_t count);
/* `count` bytes as they stand. */
void tac_walk_bytes(tac_walk *w, void *bytes, size_t count);
/* Room for a list that is read, `size` bytes an item, `wire` of them written down; a list that is
   written is there. */
void *tac_walk_list(tac_walk *w, const void *list, size_t count, size_t size, size_t wire);
/* A text and its end, or NULL; read ones are new, by tac_new. */
void tac_walk_text(tac_walk *w, char **text);
/* a b c, or more than any list has. */
size_t tac_walk_product(int64_t a, int64_t b, int64_t c);
/* TACIT_E_FORMAT with `sentence`, or TACIT_E_MEMORY, unless all bytes were read and were good. */
tacit_status tac_walk_end(const tac_walk *w, tacit_ctx *ctx, const char *sentence);

#define TAC_NUMBER(w, member) tac_walk_number(w, &(member), sizeof(member))

#define TAC_LIST(w, list, count)                                                                   \
    do {                                                                                           \
        const size_t many_ = (count);                                                              \
        char *const items_ = tac_walk_list(w, list, many_, sizeof *(list), sizeof *(list));        \
        (list) = (void *)items_;                                                                   \
        if (!(w)->bad) tac_walk_numbers(w, items_, many_, sizeof *(list));                         \
    } while (0)

/* A list that may be left out. */
#define TAC_LIST_OR_NULL(w, list, count)                                                           \
    do {                                                                                           \
        bool there_ = (list) != NULL;                                                              \
        tac_walk_truth(w, &there_);                                                                \
        if (there_) TAC_LIST(w, list, count);                                                      \
    } while (0)

#endif
