/* SPDX-License-Identifier: Apache-2.0 */
/* The hash chain: hash_i = BLAKE2b-256_key(encoding of entry i, hash_{i-1} among its fields),
   hash_0 = hash of meta.

   The key lies in the same file, so this is evidence against accidents: a flipped bit, an edited or
   lost row, two copies mixed up. Whoever can write the file can also recompute the chain; only a
   copy of the last hash kept elsewhere would show that. */
#include "privacy/ledger/ledger_internal.h"

#include <sodium.h>
#include <string.h>

/* Encoding: every field as its length in eight bytes and then its bytes, integers big-endian,
   doubles as their IEEE 754 bits. Two different records never have the same encoding. */
static void put_bytes(crypto_generichash_state *state, const void *bytes, uint64_t length)
{
    uint8_t prefix[8];
    for (int i = 0; i < 8; i++) prefix[i] = (uint8_t)(length >> (56 - 8 * i));
    crypto_generichash_update(state, prefix, sizeof prefix);
    crypto_generichash_update(state, bytes, length);
}

static void put_integer(crypto_generichash_state *state, uint64_t value)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(value >> (56 - 8 * i));
    put_bytes(state, bytes, sizeof bytes);
}

static void put_double(crypto_generichash_state *state, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_integer(state, bits);
}

static void put_text(crypto_generichash_state *state, const char *text)
{
    put_bytes(state, text, strlen(text));
}

/* Every field of meta, in a fixed order; formats before 3 have no declaration and hash none. */
void tac_ledger_hash_meta(const tac_ledger_meta *meta, uint8_t hash[TAC_LEDGER_HASH])
{
    crypto_generichash_state state;

    crypto_generichash_init(&state, meta->key, sizeof meta->key, TAC_LEDGER_HASH);
    put_text(&state, "tacit ledger meta"); /* a meta record can never pass for an entry */
    put_integer(&state, (uint64_t)meta->format);
    put_text(&state, meta->dataset);
    put_double(&state, meta->epsilon);
    put_double(&state, meta->delta);
    put_integer(&state, (uint64_t)meta->definition);
    put_integer(&state, meta->quanta);
    put_text(&state, meta->unit);
    put_integer(&state, (uint64_t)meta->neighbors);
    if (meta->declaration != NULL) put_text(&state, meta->declaration);
    crypto_generichash_final(&state, hash, TAC_LEDGER_HASH);
}

/* Every field of an entry but its own hash, the previous hash last: so an entry fixes all before
   it. */
void tac_ledger_hash_entry(const tac_ledger_meta *meta, const tac_entry *entry,
                           uint8_t hash[TAC_LEDGER_HASH])
{
    crypto_generichash_state state;

    crypto_generichash_init(&state, meta->key, sizeof meta->key, TAC_LEDGER_HASH);
    put_text(&state, "tacit ledger entry");
    put_integer(&state, entry->sequence);
    put_bytes(&state, entry->run, sizeof entry->run);
    put_integer(&state, (uint64_t)entry->kind);
    put_integer(&state, entry->quanta);
    put_double(&state, entry->epsilon);
    put_double(&state, entry->delta);
    put_text(&state, entry->what);
    put_text(&state, entry->time);
    put_text(&state, entry->version);
    put_bytes(&state, entry->previous, sizeof entry->previous);
    crypto_generichash_final(&state, hash, TAC_LEDGER_HASH);
}

void tac_ledger_set_text(char out[TAC_LEDGER_TEXT], const char *text)
{
    size_t length = strnlen(text, TAC_LEDGER_TEXT - 1);

    /* A byte 10xxxxxx continues a UTF-8 character: step back to its start rather than cut it. */
    if (text[length] != '\0')
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
    memcpy(out, text, length);
    out[length] = '\0';
}
