/* SPDX-License-Identifier: Apache-2.0 */
/* Floors of trace noise against another way of working them out, from the same normals: those are
   forged here, so that they are large, their hidden digits are as far as can be from what is cut,
   and coins have looked at many words of some. */
#define tac_lazy_normal forged_normal
#define tac_add_trace_noise forged_noise
#include "../src/privacy/noise/trace_noise.c"
#undef tac_lazy_normal
#include "tap.h"

enum { WORDS = 8, D = 3, EACH = 2 * (D + 1), ALL = D * EACH, T = D * (D + 1) / 2 };

typedef enum forgery { PLAIN, LARGE, HIDDEN } forgery;
static forgery how;
static tac_lazy made[ALL]; /* in the order in which rows ask */
static uint64_t made_word[ALL][WORDS];
static int asked;

/* Normals of up to 31, every third sign the other one; all words are told, or the first alone, of
   which no bit is kept back. */
tacit_status forged_normal(tac_stream *stream, tac_lazy *x)
{
    tacit_status status = TACIT_OK;
    tac_lazy *mine = &made[asked];

    if (x->room == 0) {
        TAC_TRY(tac_grow(NULL, &x->word, WORDS, sizeof *x->word));
        x->room = WORDS;
    }
    x->whole = how == PLAIN ? tac_word(stream) % 3 : 25 + tac_word(stream) % 7;
    x->minus = how != HIDDEN && tac_word(stream) % 3 == 0;
    x->have = WORDS;
    for (int i = 0; i < WORDS; i++) x->word[i] = how == HIDDEN ? UINT64_MAX : tac_word(stream);
    /* what the fast path cuts is all ones */
    if (how == HIDDEN) x->word[0] = tac_word(stream) | UINT64_C(0xffff);
    *mine = *x;
    mine->word = made_word[asked++];
    memcpy(mine->word, x->word, WORDS * sizeof *x->word);
done:
    return status;
}

/* Numbers of 32-bit digits, lowest first, modulo 2^(32 DIGITS): point after 32 of them, two numbers
   of 16 multiplied. */
enum { DIGITS = 40, POINT = 32 };
typedef struct number {
    uint32_t digit[DIGITS];
} number;

static void add(number *a, const number *b, bool minus)
{
    uint64_t carry = minus;
    for (int i = 0; i < DIGITS; i++) {
        carry += (uint64_t)a->digit[i] + (minus ? ~b->digit[i] : b->digit[i]);
        a->digit[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static number half_of(const tac_lazy *x) /* 16 digits behind the point */
{
    number n = {{0}};
    for (int i = 0; i < WORDS; i++) {
        n.digit[15 - 2 * i] = (uint32_t)(x->word[i] >> 32);
        n.digit[14 - 2 * i] = (uint32_t)x->word[i];
    }
    n.digit[16] = (uint32_t)x->whole;
    return n;
}

static number product(const tac_lazy *x, const tac_lazy *y)
{
    const number a = half_of(x), b = half_of(y);
    number n = {{0}};
    for (int i = 0; i < 17; i++) {
        uint64_t carry = 0;
        for (int j = 0; i + j < DIGITS; j++) {
            carry += (uint64_t)a.digit[i] * b.digit[j] + n.digit[i + j];
            n.digit[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return n;
}

static number times(number a, uint64_t by)
{
    tac_u128 carry = 0;
    for (int i = 0; i < DIGITS; i++) {
        carry += (tac_u128)a.digit[i] * by;
        a.digit[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return a;
}

/* floor(by X_ij + 1/2) = floor((by 2 X_ij + 1) / 2), the low 64 bits */
static uint64_t expected(int i, int j, uint64_t by)
{
    number sum = {{0}}, one = {{0}};
    for (int l = 0; l < EACH; l++) {
        const tac_lazy *x = &made[i * EACH + l], *y = &made[j * EACH + (l + D + 1) % EACH];
        const number p = product(x, y);
        add(&sum, &p, x->minus != y->minus);
    }
    sum = times(sum, by);
    one.digit[POINT] = 1;
    add(&sum, &one, false);
    return ((uint64_t)sum.digit[POINT + 1] << 32 | sum.digit[POINT]) >> 1 |
           (uint64_t)sum.digit[POINT + 2] << 63;
}

static void test_floors(forgery kind, uint32_t words, const char *what)
{
    const int times_each = (int)tap_times(300);
    long wrong = 0, looks = 0;
    tac_key key;

    how = kind;
    tac_key_from_insecure_seed(40 + (uint64_t)kind, &key);
    for (int t = 0; t < times_each; t++) {
        const uint64_t scale = UINT64_C(1) << (t % 55);
        const tac_trace distribution = {
            .scale = scale, .dims = D, .same = 5, .cross = 7, .words = words};
        uint64_t noise[T] = {0};
        int64_t passes;
        asked = 0;
        MUST(forged_noise(NULL, NULL, &key, (uint64_t)t, &distribution, noise, 1, &passes) ==
                 TACIT_OK &&
             asked == ALL);
        looks += passes;
        for (int i = 0, at = 0; i < D; i++)
            for (int j = i; j < D; j++, at++)
                wrong += noise[at] != expected(i, j, (i == j ? 5 : 7) * scale);
    }
    CHECK(wrong == 0,
          "%s, %s: %d matrices at scales of 1 to 2^54, floors as other arithmetic has them (%ld "
          "wrong, %ld looks)",
          what,
          words == 0   ? "from the fast path on"
          : words == 1 ? "from one word on"
                       : "from two words on",
          times_each, wrong, looks);
}

int main(void)
{
    static const char *const name[] = {"plain normals", "large ones",
                                       "large ones, all of one sign and just below the next digit"};

    for (int kind = PLAIN; kind <= HIDDEN; kind++)
        for (uint32_t words = 0; words <= 2; words++) test_floors((forgery)kind, words, name[kind]);
    return tap_done();
}
