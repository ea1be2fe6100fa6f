/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal text to the nearest double, fast and exact; and which cells count as missing. The
   grammar:
     number   = [sign] (digits ["." [digits]] / "." digits) [("e" / "E") [sign] digits]
     sign     = "+" / "-"
   Up to 19 digits and exponents of 10 between LEAST and MOST take the fast way: one
   multiplication. The rest, and about one number in a thousand that lies too close to a tie,
   take strtod. */
#include "data/readers/reader_internal.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LEAST (-64)
#define MOST 64

/* The leading 64 bits of 10^q, cut off: 10^q = (power[q - LEAST] + t) 2^(floor(q log2 10) - 63), 0
   <= t < 1. */
static const uint64_t power[MOST - LEAST + 1] = {
    0xa87fea27a539e9a5, 0xd29fe4b18e88640e, 0x83a3eeeef9153e89, 0xa48ceaaab75a8e2b,
    0xcdb02555653131b6, 0x808e17555f3ebf11, 0xa0b19d2ab70e6ed6, 0xc8de047564d20a8b,
    0xfb158592be068d2e, 0x9ced737bb6c4183d, 0xc428d05aa4751e4c, 0xf53304714d9265df,
    0x993fe2c6d07b7fab, 0xbf8fdb78849a5f96, 0xef73d256a5c0f77c, 0x95a8637627989aad,
    0xbb127c53b17ec159, 0xe9d71b689dde71af, 0x9226712162ab070d, 0xb6b00d69bb55c8d1,
    0xe45c10c42a2b3b05, 0x8eb98a7a9a5b04e3, 0xb267ed1940f1c61c, 0xdf01e85f912e37a3,
    0x8b61313bbabce2c6, 0xae397d8aa96c1b77, 0xd9c7dced53c72255, 0x881cea14545c7575,
    0xaa242499697392d2, 0xd4ad2dbfc3d07787, 0x84ec3c97da624ab4, 0xa6274bbdd0fadd61,
    0xcfb11ead453994ba, 0x81ceb32c4b43fcf4, 0xa2425ff75e14fc31, 0xcad2f7f5359a3b3e,
    0xfd87b5f28300ca0d, 0x9e74d1b791e07e48, 0xc612062576589dda, 0xf79687aed3eec551,
    0x9abe14cd44753b52, 0xc16d9a0095928a27, 0xf1c90080baf72cb1, 0x971da05074da7bee,
    0xbce5086492111aea, 0xec1e4a7db69561a5, 0x9392ee8e921d5d07, 0xb877aa3236a4b449,
    0xe69594bec44de15b, 0x901d7cf73ab0acd9, 0xb424dc35095cd80f, 0xe12e13424bb40e13,
    0x8cbccc096f5088cb, 0xafebff0bcb24aafe, 0xdbe6fecebdedd5be, 0x89705f4136b4a597,
    0xabcc77118461cefc, 0xd6bf94d5e57a42bc, 0x8637bd05af6c69b5, 0xa7c5ac471b478423,
    0xd1b71758e219652b, 0x83126e978d4fdf3b, 0xa3d70a3d70a3d70a, 0xcccccccccccccccc,
    0x8000000000000000, 0xa000000000000000, 0xc800000000000000, 0xfa00000000000000,
    0x9c40000000000000, 0xc350000000000000, 0xf424000000000000, 0x9896800000000000,
    0xbebc200000000000, 0xee6b280000000000, 0x9502f90000000000, 0xba43b74000000000,
    0xe8d4a51000000000, 0x9184e72a00000000, 0xb5e620f480000000, 0xe35fa931a0000000,
    0x8e1bc9bf04000000, 0xb1a2bc2ec5000000, 0xde0b6b3a76400000, 0x8ac7230489e80000,
    0xad78ebc5ac620000, 0xd8d726b7177a8000, 0x878678326eac9000, 0xa968163f0a57b400,
    0xd3c21bcecceda100, 0x84595161401484a0, 0xa56fa5b99019a5c8, 0xcecb8f27f4200f3a,
    0x813f3978f8940984, 0xa18f07d736b90be5, 0xc9f2c9cd04674ede, 0xfc6f7c4045812296,
    0x9dc5ada82b70b59d, 0xc5371912364ce305, 0xf684df56c3e01bc6, 0x9a130b963a6c115c,
    0xc097ce7bc90715b3, 0xf0bdc21abb48db20, 0x96769950b50d88f4, 0xbc143fa4e250eb31,
    0xeb194f8e1ae525fd, 0x92efd1b8d0cf37be, 0xb7abc627050305ad, 0xe596b7b0c643c719,
    0x8f7e32ce7bea5c6f, 0xb35dbf821ae4f38b, 0xe0352f62a19e306e, 0x8c213d9da502de45,
    0xaf298d050e4395d6, 0xdaf3f04651d47b4c, 0x88d8762bf324cd0f, 0xab0e93b6efee0053,
    0xd5d238a4abe98068, 0x85a36366eb71f041, 0xa70c3c40a64e6c51, 0xd0cf4b50cfe20765,
    0x82818f1281ed449f, 0xa321f2d7226895c7, 0xcbea6f8ceb02bb39, 0xfee50b7025c36a08,
    0x9f4f2726179a2245, 0xc722f0ef9d80aad6, 0xf8ebad2b84e0d58b, 0x9b934c3b330c8577,
    0xc2781f49ffcfa6d5,
};

/* x = w 10^q, correctly rounded. w is shifted to w' in [2^63, 2^64); with P = power[q], the high
   half h of w' P puts w' (P + t) / 2^64 into [h, h + 2). Unless that interval touches the
   middle between two doubles the rounding is decided; false (about once in a thousand) when it
   does. w > 0, LEAST <= q <= MOST. */
static bool nearest(uint64_t w, int q, double *out)
{
    const int zeros = __builtin_clzll(w);
    const uint64_t h = (uint64_t)(((tac_u128)(w << zeros) * power[q - LEAST]) >> 64);
    const int drop = 10 + (int)(h >> 63); /* h has 63 or 64 bits, a double 53 */
    const uint64_t rest = h & ((UINT64_C(1) << drop) - 1), half = UINT64_C(1) << (drop - 1);
    if (rest == half || rest == half - 1) return false;

    const uint64_t mantissa = (h >> drop) + (rest > half); /* at most 2^53: exact as a double */
    /* 217706 / 2^16 = log2 10, to 6 digits */
    const int exponent = drop + 64 + ((217706 * q) >> 16) - 63 - zeros;
    /* 2^exponent: far from the ends */
    const uint64_t bits = (uint64_t)(1023 + exponent) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    *out = (double)mantissa * scale;
    return true;
}

/* The exact and slow way. strtod stops where the scan stopped, so it needs no copy. The locale is
   fixed because the decimal point must be one; "C" costs glibc and musl no allocation. NaN: no
   memory for it. */
static double slow(const char *text)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const double value = plain == (locale_t)0 ? NAN : strtod_l(text, NULL, plain);
    if (plain != (locale_t)0) freelocale(plain);
    return value;
}

/* Digits from *text on, appended to *w modulo 2^64, eight at a time while eight follow. */
static inline uint64_t digits(const char **text, uint64_t w)
{
    const char *p = *text;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (;;) {
        uint64_t v;
        memcpy(&v, p, 8);
        v ^= UINT64_C(0x3030303030303030); /* digits become 0 .. 9, one per byte */
        if (((v | (v + UINT64_C(0x0606060606060606))) & UINT64_C(0xf0f0f0f0f0f0f0f0)) != 0) break;
        v = v * 10 + (v >> 8); /* pairs in every second byte, then fours, then all eight */
        v = ((v & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
             ((v >> 16) & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >>
            32;
        w = w * 100000000 + v;
        p += 8;
    }
#endif
    while ((unsigned char)(*p - '0') < 10) w = w * 10 + (uint64_t)(*p++ - '0');
    *text = p;
    return w;
}

/* The body of both scans below. A number that needs the slow way, which knows decimal points only,
   is left to whoever can copy it: NULL where `point` is another. */
static inline __attribute__((always_inline)) const char *scan(const char *text, char point,
                                                              double *out)
{
    const char *p = text;
    const bool negative = *p == '-';
    if (*p == '-' || *p == '+') p++;

    const char *const first = p;
    uint64_t w = digits(&p, 0);
    ptrdiff_t many = p - first;
    ptrdiff_t q = 0;
    if (*p == point) {
        const char *const fraction = ++p;
        w = digits(&p, w);
        q = fraction - p;
        many -= q;
    }
    if (many == 0) return NULL;
    if (*p == 'e' || *p == 'E') {
        int exponent = 0;
        const bool down = *++p == '-';
        if (*p == '-' || *p == '+') p++;
        if ((unsigned char)(*p - '0') >= 10) return NULL;
        for (; (unsigned char)(*p - '0') < 10; p++)
            /* larger ones are infinite or 0 anyway, and must not overflow */
            if (exponent < 100000) exponent = exponent * 10 + (*p - '0');
        q += down ? -exponent : exponent;
    }
    if (many > 19) { /* w may have wrapped; zeros in front do not count */
        const char *z = first;
        for (; *z == '0' || *z == point; z++) many -= *z == '0';
    }
    double value;
    if (many <= 19 && w == 0) {
        value = 0;
    } else if (many <= 19 && q == 0 && w < (UINT64_C(1) << 53)) {
        value = (double)w;
    } else if (many > 19 || q < LEAST || q > MOST || !nearest(w, (int)q, &value)) {
        if (point != '.') return NULL;
        value = slow(first);
    }
    *out = negative ? -value : value;
    return p;
}

const char *tac_scan_decimal(const char *text, double *out)
{
    return scan(text, '.', out);
}

const char *tac_scan_comma(const char *text, double *out)
{
    return scan(text, ',', out);
}

const char *tac_scan_count(const char *text, int64_t *out)
{
    const char *p = text;
    int64_t value = 0;
    while (*p == '0' && (unsigned char)(p[1] - '0') < 10) p++;
    const char *const first = p;
    for (; (unsigned char)(*p - '0') < 10 && p - first < 18; p++) value = value * 10 + (*p - '0');
    if (p == first || (unsigned char)(*p - '0') < 10) return NULL;
    *out = value;
    return p;
}

/* What programs write for "no value". A sign may stand before the last three. */
bool tac_is_missing_word(const char *text, size_t length)
{
    static const char *const words[] = {"na",   "n/a", "#n/a", "<na>", "null",
                                        "none", "?",   "nan",  "inf",  "infinity"};
    const size_t count = sizeof words / sizeof *words;

    if (length == 0) return true;
    const bool sign = text[0] == '-' || text[0] == '+';
    if (sign) {
        text++;
        length--;
    }
    for (size_t i = sign ? count - 3 : 0; i < count; i++)
        if (strlen(words[i]) == length && strncasecmp(words[i], text, length) == 0) return true;
    return false;
}

bool tac_is_declared_missing(char *const *words, int32_t count, const char *text, size_t length)
{
    tac_trim_blanks(&text, &length);
    for (int32_t i = 0; i < count; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0) return true;
    return false;
}

tac_cell tac_read_cell(const char *text, size_t length, double *out)
{
    const char *end = text + length;
    while (text < end && (*text == ' ' || *text == '\t')) text++;
    while (text < end && (end[-1] == ' ' || end[-1] == '\t')) end--;

    if (text < end && tac_scan_decimal(text, out) == end) {
        if (isfinite(*out)) return TAC_CELL_NUMBER;
    } else if (!tac_is_missing_word(text, (size_t)(end - text))) {
        return TAC_CELL_TEXT;
    }
    *out = NAN;
    return TAC_CELL_MISSING;
}
