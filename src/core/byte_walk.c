/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a walk over the members of a value (byte_walk.h). */
#include "core/byte_walk.h"

#include <string.h>

void tac_walk_number(tac_walk *w, void *value, size_t size)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t bits = 0;

    if (w->in != NULL && w->end - w->at < size) w->bad = true;
    if (w->bad) return;
    if (w->in != NULL) {
        for (size_t i = 0; i < size; i++) bits |= (uint64_t)w->in[w->at + i] << 8 * i;
        one = (uint8_t)bits, two = (uint16_t)bits, four = (uint32_t)bits;
        memcpy(value,
               size == 1   ? (void *)&one
               : size == 2 ? (void *)&two
               : size == 4 ? (void *)&four
                           : (void *)&bits,
               size);
    } else if (w->out != NULL) {
        memcpy(size == 1   ? (void *)&one
               : size == 2 ? (void *)&two
               : size == 4 ? (void *)&four
                           : (void *)&bits,
               value, size);
        bits = size == 1 ? one : size == 2 ? two : size == 4 ? four : bits;
        for (size_t i = 0; i < size; i++) w->out[w->at + i] = (uint8_t)(bits >> 8 * i);
    }
    w->at += size;
}

/* Where memory has them in the order of the bytes, all at once. */
void tac_walk_numbers(tac_walk *w, void *items, size_t count, size_t size)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    tac_walk_bytes(w, items, count * size);
#else
    for (size_t i = 0; !w->bad && i < count; i++)
        tac_walk_number(w, (char *)items + i * size, size);
#endif
}

void tac_walk_truth(tac_walk *w, bool *value)
{
    uint8_t byte = *value;

    TAC_NUMBER(w, byte);
    w->bad = w->bad || byte > 1;
    if (w->in != NULL) *value = byte == 1;
}

int32_t tac_walk_choice(tac_walk *w, int32_t value, int32_t count)
{
    TAC_NUMBER(w, value);
    w->bad = w->bad || value < 0 || value >= count;
    return w->bad ? 0 : value;
}

void tac_walk_bytes(tac_walk *w, void *bytes, size_t count)
{
    if (w->in != NULL && w->end - w->at < count) w->bad = true;
    if (w->bad || count == 0) return;
    if (w->in != NULL)
        memcpy(bytes, w->in + w->at, count);
    else if (w->out != NULL)
        memcpy(w->out + w->at, bytes, count);
    w->at += count;
}

size_t tac_walk_product(int64_t a, int64_t b, int64_t c)
{
    size_t ab, abc;

    if (a < 0 || b < 0 || c < 0 || __builtin_mul_overflow((size_t)a, (size_t)b, &ab) ||
        __builtin_mul_overflow(ab, (size_t)c, &abc))
        return SIZE_MAX;
    return abc;
}

void *tac_walk_list(tac_walk *w, const void *list, size_t count, size_t size, size_t wire)
{
    void *room = (void *)(uintptr_t)list;

    if (w->in == NULL || w->bad) return room;
    if (count > (w->end - w->at) / wire) {
        w->bad = true;
        return NULL;
    }
    if (w->room == NULL) {
        w->no_memory = tac_new(w->ctx, count, size, &room) != TACIT_OK;
        w->bad = w->no_memory;
        return room;
    }
    room = w->room;
    w->room += (count * size + TAC_WALK_ALIGNED - 1) / TAC_WALK_ALIGNED * TAC_WALK_ALIGNED;
    return room;
}

void tac_walk_text(tac_walk *w, char **text)
{
    bool there = *text != NULL;
    uint32_t length = there && w->in == NULL ? (uint32_t)strlen(*text) : 0;

    tac_walk_truth(w, &there);
    if (!there || w->bad) return;
    TAC_NUMBER(w, length);
    if (w->in != NULL && !w->bad) {
        if (length > w->end - w->at) {
            w->bad = true;
            return;
        }
        w->no_memory = tac_new(w->ctx, (size_t)length + 1, 1, text) != TACIT_OK;
        w->bad = w->no_memory;
    }
    if (w->bad) return;
    tac_walk_bytes(w, *text, length);
    /* a text ends where it says */
    if (w->in != NULL) w->bad = w->bad || memchr(*text, '\0', length) != NULL;
}

tacit_status tac_walk_end(const tac_walk *w, tacit_ctx *ctx, const char *sentence)
{
    if (w->no_memory) return TACIT_E_MEMORY; /* tac_new has said so */
    if (w->bad || w->at != w->end) return tac_fail(ctx, TACIT_E_FORMAT, "%s", sentence);
    return TACIT_OK;
}
