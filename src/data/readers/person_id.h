/* SPDX-License-Identifier: Apache-2.0 */
/* Whose row it is: 16 bytes that stand for the id as it is written, a keyed hash of it. Texts of
   ids are not kept, so memory does not grow with their length, and shards that share a key agree on
   who is who. Proof: persons.proof.md. */
#ifndef TAC_PERSON_ID_H
#define TAC_PERSON_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fresh from the system, or the root's. Secret: whoever has it can try ids, and make two that
   collide. No result depends on it. */
typedef struct tac_person_key {
    uint8_t byte[16];
} tac_person_key;

/* All zero: nobody's row. */
typedef struct tac_person {
    uint64_t high, low;
} tac_person;

/* The person of an id; length 0 names nobody. Equal bytes, equal persons. */
tac_person tac_person_of(const tac_person_key *key, const void *id, size_t length);
/* The same of a whole number, by its decimal digits: a number is the same person in every format
   that has numbers, and in texts that write it without a mark more. */
tac_person tac_person_of_number(const tac_person_key *key, bool negative, uint64_t magnitude);
/* The same of a number of 64 bits with a sign. */
tac_person tac_person_of_signed(const tac_person_key *key, int64_t number);

static inline bool tac_is_nobody(tac_person p)
{
    return (p.high | p.low) == 0;
}

/* Below 0, 0 or above 0. Nobody comes first. */
static inline int tac_person_compare(tac_person a, tac_person b)
{
    if (a.high != b.high) return a.high < b.high ? -1 : 1;
    return a.low < b.low ? -1 : a.low > b.low;
}

#endif
