/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that somebody else wrote (names in files, arguments): UTF-8, and what of it may reach a
   terminal. */
#include "core/core.h"

#include <string.h>

/* The first byte gives the length: 0x80 .. 0xc1 begin nothing (c0 and c1 would be overlong), and
   neither does 0xf5 and above (beyond U+10FFFF). */
size_t tac_utf8(const char *text, size_t left, uint32_t *code)
{
    const unsigned char *s = (const unsigned char *)text;
    const size_t length = left == 0     ? 0
                          : s[0] < 0x80 ? 1
                          : s[0] < 0xc2 ? 0
                          : s[0] < 0xe0 ? 2
                          : s[0] < 0xf0 ? 3
                          : s[0] < 0xf5 ? 4
                                        : 0;

    if (length == 0 || length > left) return 0;
    uint32_t value = length == 1 ? s[0] : s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0;
        value = value << 6 | (s[i] & 0x3fu);
    }
    if ((length == 3 && value < 0x800) || (length == 4 && value < 0x10000) || value > 0x10ffff)
        return 0;
    if (value >= 0xd800 && value <= 0xdfff) return 0;
    *code = value;
    return length;
}

/* Not the two joiners, U+200C and U+200D: Persian and Indian words need them. */
bool tac_is_plain(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } not_plain[] = {{0x00, 0x1f},
                     {0x7f, 0x9f}, /* a terminal obeys those */
                     /* turn the direction of what follows */
                     {0x061c, 0x061c},
                     {0x200e, 0x200f},
                     {0x202a, 0x202e},
                     {0x2066, 0x2069},
                     {0x2028, 0x2029}, /* ends of lines */
                     /* not seen */
                     {0x200b, 0x200b},
                     {0x2060, 0x2065},
                     {0x206a, 0x206f},
                     {0xfeff, 0xfeff},
                     {0xfff9, 0xfffb},
                     {0xe0000, 0xe007f},
                     {0xfdd0, 0xfdef}};

    for (size_t i = 0; i < sizeof not_plain / sizeof *not_plain; i++)
        if (code >= not_plain[i].first && code <= not_plain[i].last) return false;
    return (code & 0xfffe) != 0xfffe; /* like the row above: no characters, and XML forbids some */
}

/* In place: every byte that is no character, and every character that is not plain, becomes '?'.
   The text never grows. */
void tacit_text_make_plain(char *text)
{
    if (text == NULL) return;
    const char *from = text, *end = text + strlen(text);
    char *to = text;

    while (from < end) {
        uint32_t code = 0;
        const size_t length = tac_utf8(from, (size_t)(end - from), &code);
        if (length == 0 || !tac_is_plain(code)) {
            *to++ = '?';
        } else {
            memmove(to, from, length);
            to += length;
        }
        from += length == 0 ? 1 : length;
    }
    *to = '\0';
}
