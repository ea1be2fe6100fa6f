/* SPDX-License-Identifier: Apache-2.0 */
/* Dense codes for labels and names: any bytes to 0, 1, 2, ... in order of appearance. A hash table
   with open addressing and a random key; the texts themselves lie in one block. */
#include "data/readers/reader_internal.h"

#include <math.h>
#include <sodium.h>
#include <string.h>

/* SipHash under the table's key. */
static uint64_t hash_of(const tac_codes *codes, const void *text, size_t length)
{
    uint64_t hash;
    crypto_shorthash((unsigned char *)&hash, text, length, codes->key);
    return hash;
}

/* The first free slot from the hash on gets the code. There is one: the table is at most half
   full. */
static void place(tac_codes *codes, uint64_t hash, int64_t code)
{
    size_t at = (size_t)hash & (codes->slots - 1);
    while (codes->slot[at] != 0) at = (at + 1) & (codes->slots - 1);
    codes->slot[at] = code + 1;
}

/* Room for one more code of `length` bytes. Everything stays valid on failure. */
static tacit_status make_room(tacit_ctx *ctx, tac_codes *codes, size_t length)
{
    tacit_status status = TACIT_OK;
    const size_t used = codes->count == 0 ? 0 : codes->end[codes->count - 1];
    int64_t *slot = NULL;

    if (codes->slots == 0) TAC_TRY(tac_system_random(ctx, codes->key, sizeof codes->key));
    if (codes->room == codes->count) {
        const size_t room = codes->room == 0 ? 64 : 2 * codes->room;
        TAC_TRY(tac_grow(ctx, &codes->hash, room, sizeof *codes->hash));
        TAC_TRY(tac_grow(ctx, &codes->end, room, sizeof *codes->end));
        codes->room = room;
    }
    if (codes->text_room - used < length || codes->text == NULL) {
        const size_t room = 2 * codes->text_room + length + 64;
        TAC_TRY(tac_grow(ctx, &codes->text, room, 1));
        codes->text_room = room;
    }
    if (2 * (codes->count + 1) > codes->slots) {
        const size_t slots = codes->slots == 0 ? 128 : 2 * codes->slots;
        TAC_TRY(tac_new(ctx, slots, sizeof *slot, &slot));
        tac_free(codes->slot);
        codes->slot = slot;
        codes->slots = slots;
        for (size_t i = 0; i < codes->count; i++) place(codes, codes->hash[i], (int64_t)i);
    }
done:
    return status;
}

/* The code of a text, or -1. The table has slots. */
static int64_t find(const tac_codes *codes, uint64_t hash, const void *text, size_t length)
{
    for (size_t at = (size_t)hash & (codes->slots - 1); codes->slot[at] != 0;
         at = (at + 1) & (codes->slots - 1)) {
        const size_t i = (size_t)codes->slot[at] - 1;
        const size_t start = i == 0 ? 0 : codes->end[i - 1];
        if (codes->hash[i] == hash && codes->end[i] - start == length &&
            memcmp(codes->text + start, text, length) == 0)
            return (int64_t)i;
    }
    return -1;
}

int64_t tac_code_find(const tac_codes *codes, const void *text, size_t length)
{
    return codes->count == 0 ? -1 : find(codes, hash_of(codes, text, length), text, length);
}

/* The code of a text, a new one if it has none yet. Room is made first, so that nothing changes
   when there is no memory. */
tacit_status tac_code_of(tacit_ctx *ctx, tac_codes *codes, const void *text, size_t length,
                         int64_t *out)
{
    const tacit_status status = make_room(ctx, codes, length);
    if (status != TACIT_OK) return status;

    const uint64_t hash = hash_of(codes, text, length);
    *out = find(codes, hash, text, length);
    if (*out >= 0) return TACIT_OK;
    const size_t used = codes->count == 0 ? 0 : codes->end[codes->count - 1];
    memcpy(codes->text + used, text, length);
    codes->end[codes->count] = used + length;
    codes->hash[codes->count] = hash;
    place(codes, hash, (int64_t)codes->count);
    *out = (int64_t)codes->count++;
    return TACIT_OK;
}

tacit_status tac_code_of_double(tacit_ctx *ctx, tac_codes *codes, double value, int64_t *out)
{
    if (value == 0) value = 0;             /* -0 */
    if (isnan(value)) value = (double)NAN; /* one of the many */
    return tac_code_of(ctx, codes, &value, sizeof value, out);
}

bool tac_names_person(double value, tacit_type type)
{
    return fabs(value) < (type == TACIT_F32 ? 0x1p24 : 0x1p53) && value == floor(value);
}

void tac_codes_clear(tac_codes *codes)
{
    tac_free(codes->slot);
    tac_free(codes->hash);
    tac_free(codes->end);
    tac_free(codes->text);
    memset(codes, 0, sizeof *codes);
}
