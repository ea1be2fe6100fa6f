/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of persons to 16 bytes: SipHash-2-4 with 128 bits, under the run's key. */
#include "data/readers/person_id.h"

#include <sodium.h>
#include <string.h>

_Static_assert(crypto_shorthash_siphashx24_BYTES == sizeof(tac_person), "a hash is a person");
_Static_assert(crypto_shorthash_siphashx24_KEYBYTES == sizeof(tac_person_key), "of a key");

tac_person tac_person_of(const tac_person_key *key, const void *id, size_t length)
{
    tac_person person = {0, 0};

    if (length == 0) return person;
    crypto_shorthash_siphashx24((unsigned char *)&person, id, length, key->byte);
    if (tac_is_nobody(person)) person.low = 1; /* a person is somebody */
    return person;
}

tac_person tac_person_of_number(const tac_person_key *key, bool negative, uint64_t magnitude)
{
    char text[24];
    size_t at = sizeof text;

    do text[--at] = (char)('0' + magnitude % 10);
    while ((magnitude /= 10) > 0);
    if (negative) text[--at] = '-';
    return tac_person_of(key, text + at, sizeof text - at);
}

tac_person tac_person_of_signed(const tac_person_key *key, int64_t number)
{
    return tac_person_of_number(key, number < 0,
                                number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}
