/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of two words: sums that one word would not hold for 10^12 rows. Why it changes no
   sensitivity and no bit of a smaller answer: views.proof.md */
#include "privacy/door_internal.h"

void tac_add_two_words(tac_words *sum, const tac_words *part)
{
    const size_t numbers = sum->count / 2;

    for (size_t i = 0; i < numbers; i++)
        tac_set_two_words(sum->word, numbers, i,
                          (tac_i128)((tac_u128)tac_two_words(sum->word, numbers, i) +
                                     (tac_u128)tac_two_words(part->word, numbers, i)));
}

void tac_second_words(tac_words *out)
{
    const size_t numbers = out->count / 2;

    for (size_t i = 0; i < numbers; i++)
        tac_set_two_words(out->word, numbers, i, (int64_t)out->word[i]);
}

void tac_multiply_two_words(tac_words *out, size_t first, size_t count, uint64_t by)
{
    const size_t numbers = out->count / 2;

    for (size_t i = first; i < first + count; i++)
        tac_set_two_words(out->word, numbers, i,
                          (tac_i128)((tac_u128)tac_two_words(out->word, numbers, i) * by));
}

bool tac_one_word_does(const uint64_t *word, size_t numbers)
{
    bool narrow = true;

    for (size_t i = 0; i < numbers; i++)
        narrow = narrow && tac_two_words(word, numbers, i) == (int64_t)word[i];
    return narrow;
}
