/* SPDX-License-Identifier: Apache-2.0 */
/* AEGIS-256: a state S0 .. S5 of blocks of 16 bytes. A block M is absorbed by
     S0' = R(S5) ^ S0 ^ M,  Si' = R(S(i-1)) ^ Si,   R: an AES round without its key
   and hidden by z = S1 ^ S4 ^ S5 ^ (S2 & S3) before. No table and no branch depends on the key or
   the bytes. */
#include "engine/aegis.h"

#include <sodium.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("aes,avx")))
#define INLINE __attribute__((always_inline)) static inline

enum { WORDS = 6, BLOCK = 16 };

typedef struct state {
    __m128i s[WORDS];
} state;

bool tac_aegis_runs(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("aes") && __builtin_cpu_supports("avx");
}

TARGET INLINE __m128i load(const unsigned char *bytes)
{
    return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

TARGET INLINE void store(unsigned char *bytes, __m128i block)
{
    _mm_storeu_si128((__m128i *)(void *)bytes, block);
}

TARGET INLINE void absorb(state *t, __m128i block)
{
    __m128i *s = t->s, last = s[WORDS - 1];

    for (int i = WORDS - 1; i > 0; i--) s[i] = _mm_aesenc_si128(s[i - 1], s[i]);
    s[0] = _mm_aesenc_si128(last, _mm_xor_si128(s[0], block));
}

/* What hides the next block. */
TARGET INLINE __m128i hide(const state *t)
{
    const __m128i *s = t->s;
    return _mm_xor_si128(_mm_xor_si128(s[1], s[4]), _mm_xor_si128(s[5], _mm_and_si128(s[2], s[3])));
}

TARGET static void begin(state *t, const unsigned char *key, const unsigned char *nonce)
{
    static const unsigned char c0[BLOCK] = {0x00, 0x01, 0x01, 0x02, 0x03, 0x05, 0x08, 0x0d,
                                            0x15, 0x22, 0x37, 0x59, 0x90, 0xe9, 0x79, 0x62};
    static const unsigned char c1[BLOCK] = {0xdb, 0x3d, 0x18, 0x55, 0x6d, 0xc2, 0x2f, 0xf1,
                                            0x20, 0x11, 0x31, 0x42, 0x73, 0xb5, 0x28, 0xdd};
    const __m128i k0 = load(key), k1 = load(key + BLOCK), n0 = load(nonce),
                  n1 = load(nonce + BLOCK);

    *t = (state){{_mm_xor_si128(k0, n0), _mm_xor_si128(k1, n1), load(c1), load(c0),
                  _mm_xor_si128(k0, load(c0)), _mm_xor_si128(k1, load(c1))}};
    for (int round = 0; round < 4; round++) {
        absorb(t, k0);
        absorb(t, k1);
        absorb(t, _mm_xor_si128(k0, n0));
        absorb(t, _mm_xor_si128(k1, n1));
    }
}

/* What is authenticated beside the bytes, filled up with 0. */
TARGET static void absorb_beside(state *t, const unsigned char *beside, size_t size)
{
    unsigned char last[BLOCK] = {0};
    size_t at = 0;

    for (; size - at >= BLOCK; at += BLOCK) absorb(t, load(beside + at));
    if (at == size) return;
    memcpy(last, beside + at, size - at);
    absorb(t, load(last));
}

/* The lengths in bits, seven rounds, and the sum of the state. */
TARGET static void finish(state *t, size_t beside, size_t size, unsigned char *tag)
{
    const __m128i lengths = _mm_set_epi64x((int64_t)(8 * size), (int64_t)(8 * beside));
    const __m128i block = _mm_xor_si128(t->s[3], lengths);
    __m128i sum;

    for (int round = 0; round < 7; round++) absorb(t, block);
    sum = t->s[0];
    for (int i = 1; i < WORDS; i++) sum = _mm_xor_si128(sum, t->s[i]);
    store(tag, sum);
}

TARGET void tac_aegis_seal(const unsigned char *key, const unsigned char *nonce, const void *beside,
                           size_t beside_size, const void *bytes, size_t size, void *out,
                           unsigned char *tag)
{
    const unsigned char *from = bytes;
    unsigned char *to = out, last[BLOCK] = {0}, hidden[BLOCK];
    size_t at = 0;
    state t;

    begin(&t, key, nonce);
    absorb_beside(&t, beside, beside_size);
    for (; size - at >= BLOCK; at += BLOCK) {
        const __m128i block = load(from + at), z = hide(&t);
        absorb(&t, block);
        store(to + at, _mm_xor_si128(block, z));
    }
    if (at < size) {
        memcpy(last, from + at, size - at);
        store(hidden, _mm_xor_si128(load(last), hide(&t)));
        absorb(&t, load(last));
        memcpy(to + at, hidden, size - at);
    }
    finish(&t, beside_size, size, tag);
    sodium_memzero(&t, sizeof t);
    sodium_memzero(last, sizeof last);
}

TARGET bool tac_aegis_open(const unsigned char *key, const unsigned char *nonce, const void *beside,
                           size_t beside_size, const void *bytes, size_t size,
                           const unsigned char *tag, void *out)
{
    const unsigned char *from = bytes;
    unsigned char *to = out, last[BLOCK] = {0}, own[TAC_AEGIS_TAG];
    size_t at = 0;
    state t;

    begin(&t, key, nonce);
    absorb_beside(&t, beside, beside_size);
    for (; size - at >= BLOCK; at += BLOCK) {
        const __m128i block = _mm_xor_si128(load(from + at), hide(&t));
        absorb(&t, block);
        store(to + at, block);
    }
    if (at < size) {
        memcpy(last, from + at, size - at);
        store(last, _mm_xor_si128(load(last), hide(&t)));
        memset(last + (size - at), 0, BLOCK - (size - at));
        absorb(&t, load(last));
        memcpy(to + at, last, size - at);
    }
    finish(&t, beside_size, size, own);
    sodium_memzero(&t, sizeof t);
    sodium_memzero(last, sizeof last);
    if (sodium_memcmp(own, tag, sizeof own) == 0) return true;
    memset(out, 0, size);
    return false;
}

#else

bool tac_aegis_runs(void)
{
    return false;
}

void tac_aegis_seal(const unsigned char *key, const unsigned char *nonce, const void *beside,
                    size_t beside_size, const void *bytes, size_t size, void *out,
                    unsigned char *tag)
{
    (void)key, (void)nonce, (void)beside, (void)beside_size, (void)bytes;
    memset(out, 0, size);
    memset(tag, 0, TAC_AEGIS_TAG);
}

bool tac_aegis_open(const unsigned char *key, const unsigned char *nonce, const void *beside,
                    size_t beside_size, const void *bytes, size_t size, const unsigned char *tag,
                    void *out)
{
    (void)key, (void)nonce, (void)beside, (void)beside_size, (void)bytes, (void)tag;
    memset(out, 0, size);
    return false;
}

#endif
