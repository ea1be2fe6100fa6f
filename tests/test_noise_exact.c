/* SPDX-License-Identifier: Apache-2.0 */
/* Exactness: the tables against another way of computing them, the fast path against the slow one
   on the same words, the slow one against 544-bit probabilities, and the tails, which ordinary
   draws never reach. */
#include "privacy/noise/noise_internal.h"
#include "privacy/noise/noise_tables.h"
#include "privacy/noise/wide.h"
#include "statistics.h"
#include "tap.h"

#include "noise_oracle.h"

/* A fraction in [0, 1) of 256 bits, lowest word first: the tables are recomputed by repeated
   multiplication. */
typedef struct fraction {
    uint64_t w[4];
} fraction;

static fraction times(fraction a, fraction b)
{
    uint64_t full[8] = {0};
    fraction out;
    for (int i = 0; i < 4; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < 4; j++) {
            const tac_u128 sum = (tac_u128)a.w[i] * b.w[j] + full[i + j] + carry;
            full[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        full[i + 4] = carry;
    }
    memcpy(out.w, full + 4, sizeof out.w);
    return out;
}

static fraction minus(fraction a, fraction b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < 4; i++) {
        const tac_u128 d = (tac_u128)a.w[i] - b.w[i] - borrow;
        a.w[i] = (uint64_t)d;
        borrow = (uint64_t)(d >> 64) & 1;
    }
    return a;
}

static fraction over(fraction a, uint64_t by)
{
    uint64_t rest = 0;
    for (int i = 4; i-- > 0;) {
        const tac_u128 part = ((tac_u128)rest << 64) | a.w[i];
        a.w[i] = (uint64_t)(part / by);
        rest = (uint64_t)(part % by);
    }
    return a;
}

/* exp(-x) for 0 < x < 1/8, by odd and even terms of the series: 1 - sum of x^i / i!, signs
   alternating. */
static fraction small_exp(fraction x)
{
    fraction term = x, plus = {{0}}, lost = x;
    for (uint64_t i = 2; i < 60; i++) {
        term = over(times(term, x), i);
        if (i % 2 == 0)
            plus = minus(plus, minus((fraction){{0}}, term)); /* plus += term */
        else
            lost = minus(lost, minus((fraction){{0}}, term));
    }
    return minus(plus, lost); /* modulo 1: 1 + plus - lost */
}

/* floor(by a). */
static uint64_t whole(fraction a, uint64_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < 4; i++) carry = (uint64_t)(((tac_u128)a.w[i] * by + carry) >> 64);
    return carry;
}

/* The share's excess: exp(-(e + 1) / 2^60) < top p / share <= exp(-e / 2^60), up to 2^-200. */
static bool excess_fits(uint64_t excess, uint32_t top, uint32_t share, fraction p)
{
    fraction scaled = over(p, share); /* top p / share, by 256-bit multiply-and-keep */
    uint64_t carry = 0;
    for (int i = 0; i < 4; i++) {
        const tac_u128 sum = (tac_u128)scaled.w[i] * top + carry;
        scaled.w[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    if (carry != 0) return false;
    const fraction high = small_exp((fraction){{0, 0, 0, excess << 4}});
    const fraction low = small_exp((fraction){{0, 0, 0, (excess + 1) << 4}});
    const fraction below = minus(high, scaled), above = minus(scaled, low);
    return below.w[3] >> 63 == 0 && above.w[3] >> 63 == 0 && below.w[3] < 1 << 5 &&
           above.w[3] < 1 << 5;
}

static void test_tables(void)
{
    static fraction powers[18433]; /* powers[i] = exp(-i / 1024) */
    bool coarse = exp_coarse[0] == UINT64_MAX, fine = exp_fine[0] == UINT64_MAX, gaussian = true,
         laplace = true;
    uint64_t sum = 0;

    powers[1] = small_exp((fraction){{0, 0, 0, UINT64_C(1) << 54}});
    for (int i = 2; i <= 18432; i++) powers[i] = times(powers[i - 1], powers[1]);
    /* 20000 truncations of 2^-256: no word below is in doubt unless the next 240 bits are all zeros
       or ones. */
    for (int i = 1; i < 128; i++) coarse &= exp_coarse[i] == powers[64 * i].w[3];
    for (int i = 1; i < 64; i++) fine &= exp_fine[i] == powers[i].w[3];
    CHECK(coarse && fine, "exp(-i/16) and exp(-i/1024) to 64 bits");

    for (int k = 0; k < GAUSSIAN_CELLS; k++) {
        gaussian &= gaussian_share[k] ==
                    (k == 0 ? GAUSSIAN_TOP : 1 + whole(powers[512 * k * k], GAUSSIAN_TOP));
        gaussian &= k == 0 ? gaussian_excess[k] == 0
                           : excess_fits(gaussian_excess[k], GAUSSIAN_TOP, gaussian_share[k],
                                         powers[512 * k * k]);
        sum += gaussian_share[k];
        gaussian &= gaussian_edge[k] == sum;
    }
    CHECK(gaussian && sum + GAUSSIAN_TAIL == UINT64_C(1) << 31, "the Gaussian's cells");
    /* Tail cell 7 has half of TAIL: TOP exp(-49/2) must not exceed it. exp(-49/2) = exp(-18)
       exp(-6.5). */
    CHECK(GAUSSIAN_TAIL > whole(times(powers[18432], powers[6656]), 2 * (uint64_t)GAUSSIAN_TOP),
          "the Gaussian's tail is covered");

    sum = 0;
    for (int k = 0; k < LAPLACE_CELLS; k++) {
        laplace &=
            laplace_share[k] == (k == 0 ? LAPLACE_TOP : 1 + whole(powers[1024 * k], LAPLACE_TOP));
        laplace &= k == 0 ? laplace_excess[k] == 0
                          : excess_fits(laplace_excess[k], LAPLACE_TOP, laplace_share[k],
                                        powers[1024 * k]);
        sum += laplace_share[k];
        laplace &= laplace_edge[k] == sum;
    }
    CHECK(laplace && sum + LAPLACE_TAIL == UINT64_C(1) << 31, "the Laplace's cells");
    CHECK(LAPLACE_TAIL > whole(powers[16384], UINT64_C(1) << 31), "the Laplace's tail is covered");
}

/* 2^64 p of a coin, from 256 bits of its exponential. */
static uint64_t coin_word(const tac_coin *coin)
{
    uint64_t e[5], room[TAC_EXP_ROOM(4)];
    tac_exp_words(coin, 4, e, room);
    if (e[4] == 1 && coin->top == coin->share) return UINT64_MAX;
    const tac_u128 top96 = (tac_u128)e[4] << 96 | (tac_u128)e[3] << 32 | e[2] >> 32;
    const tac_u128 p96 = top96 * coin->top / coin->share;
    return p96 >> 96 != 0 ? UINT64_MAX : (uint64_t)(p96 >> 32);
}

static void random_case(tac_stream *s, unsigned cells, tac_scale *scale, unsigned *k, uint64_t *j)
{
    const uint64_t limit = UINT64_C(1) << tac_below(s, 55);
    tac_scale_set(1 + tac_below(s, limit), scale);
    *k = (unsigned)tac_below(s, cells);
    const uint64_t corner = tac_below(s, 8);
    *j = corner == 0 ? 0 : corner == 1 ? scale->size - 1 : tac_below(s, scale->size);
}

/* The guess's error stays below its bound, and wherever the fast path is sure the slow path
   agrees. */
static void test_fast_path(tac_stream *s)
{
    const long total = tap_times(200000);

    for (int distribution = 0; distribution < 2; distribution++) {
        uint64_t worst = 0;
        long sure = 0, unsure = 0, wrong = 0, accepted = 0;
        for (long i = 0; i < total; i++) {
            tac_scale scale;
            tac_coin coin;
            unsigned k;
            uint64_t j;
            random_case(s, distribution == 0 ? GAUSSIAN_CELLS : LAPLACE_CELLS, &scale, &k, &j);
            (distribution == 0 ? tac_gaussian_coin : tac_laplace_coin)(&scale, k, j, &coin);
            const uint64_t guess =
                (distribution == 0 ? tac_gaussian_guess : tac_laplace_guess)(&scale, k, j);
            const uint64_t truth = coin_word(&coin);
            const uint64_t error = guess > truth ? guess - truth : truth - guess;
            if (error > worst) worst = error;
            /* Heads at random, and heads next to the border, where it is hard. */
            uint32_t head = (uint32_t)tac_word(s);
            if (i % 2 == 0) {
                const uint64_t near = (guess >> 32) + tac_below(s, 7);
                head = near < 3 ? 0 : near - 3 > UINT32_MAX ? UINT32_MAX : (uint32_t)(near - 3);
            }
            const tac_verdict verdict = tac_compare(guess, head);
            const bool exact = tac_accept_exact(s, &coin, head);
            accepted += exact;
            if (verdict == TAC_UNSURE)
                unsure++;
            else if ((verdict == TAC_ACCEPT) == exact)
                sure++;
            else
                wrong++;
        }
        CHECK(worst <= TAC_GUESS_ERROR,
              "distribution %d: largest error of the guess 2^-64 * %llu, allowed %llu",
              distribution, (unsigned long long)worst, (unsigned long long)TAC_GUESS_ERROR);
        CHECK(wrong == 0 && sure > total / 2 && unsure > total / 20 && accepted > total / 10,
              "distribution %d: slow and fast path agree: %ld sure, %ld unsure, %ld wrong",
              distribution, sure, unsure, wrong);
    }
}

/* All heads of a coin: exactly those two neighbors of p that the contract allows are unsure. */
static void test_compare(void)
{
    const uint64_t guess = UINT64_C(0x8000000000000000);
    CHECK(tac_compare(guess, 0x7ffffffe) == TAC_ACCEPT &&
              tac_compare(guess, 0x7fffffff) == TAC_UNSURE &&
              tac_compare(guess, 0x80000000) == TAC_UNSURE &&
              tac_compare(guess, 0x80000001) == TAC_REJECT,
          "a guess on a border leaves both neighbors open");
    CHECK(tac_compare(UINT64_MAX, UINT32_MAX) == TAC_UNSURE &&
              tac_compare(UINT64_MAX, UINT32_MAX - 1) == TAC_ACCEPT,
          "a probability near 1 never rejects by itself");
}

/* Words that follow the digits of p as far as word i and then differ by one: the answer is
   known. */
static void test_oracle(tac_stream *s)
{
    long asked = 0, wrong = 0, early = 0;
    size_t most = 0;
    const size_t rows = sizeof oracle / sizeof *oracle;

    for (size_t r = 0; r < rows; r++) {
        tac_scale scale;
        tac_coin coin;
        tac_scale_set(oracle[r].sigma, &scale);
        tac_gaussian_coin(&scale, (unsigned)oracle[r].k, oracle[r].j, &coin);
        for (size_t i = 0; i < 8; i++)
            for (int side = -1; side <= 1; side += 2) {
                if (oracle[r].words[i] == (side < 0 ? 0 : UINT64_MAX)) continue;
                (void)tac_word(s);
                memcpy(s->words, oracle[r].words, sizeof oracle[r].words);
                s->words[i] += (uint64_t)(int64_t)side;
                s->next = 0;
                wrong += tac_accept_exact(s, &coin, oracle[r].head) != (side < 0);
                early += s->next < i + 1;
                if (s->next > most) most = s->next;
                asked++;
                s->next = 512; /* the stream's other words are used up: begin afresh */
            }
        if (oracle[r].head > 0) wrong += !tac_accept_exact(s, &coin, oracle[r].head - 1);
        if (oracle[r].head < UINT32_MAX) wrong += tac_accept_exact(s, &coin, oracle[r].head + 1);
    }
    CHECK(rows > 50 && wrong == 0, "%ld decisions at the 96th to 544th binary digit, %ld wrong",
          asked, wrong);
    CHECK(early == 0 && most == 16, "each used the words it needs, at most %zu", most);
}

/* Words agree far beyond those on the stack: it goes on until one differs. And certain coins. */
static void test_limits(tac_stream *s)
{
    enum { MANY = 3 * TAC_EXP_WORDS };
    static uint64_t all[MANY + 1], room[TAC_EXP_ROOM(MANY)];
    tac_scale scale;
    tac_coin coin;
    uint64_t e[TAC_EXP_WORDS + 1];
    bool always = true;
    long wrong = 0;

    tac_scale_set(5, &scale);
    tac_gaussian_coin(&scale, 0, 3, &coin); /* top = share: p = exp(-9/50) */
    tac_exp_words(&coin, MANY, all, room);
    for (int alike = 30; alike < MANY - 1; alike += 16)
        for (int side = -1; side <= 1; side += 2) {
            s->next = 0;
            s->failed = false;
            for (int i = 0; i < MANY; i++) {
                const uint64_t digits =
                    all[MANY - 1 - i] << 32 | (i < MANY - 1 ? all[MANY - 2 - i] >> 32 : 0);
                /* v begins after 32 digits */
                s->words[i] = i < alike ? digits : side < 0 ? 0 : UINT64_MAX;
            }
            wrong += tac_accept_exact(s, &coin, (uint32_t)(all[MANY - 1] >> 32)) != (side < 0) ||
                     s->failed || (int)s->next < alike;
        }
    CHECK(wrong == 0, "30 to %d words that agree: further ones are drawn and decide (%ld wrong)",
          MANY - 2, wrong);
    /* exp(-y) for y of 4096 and more: the square of exp(-y / 2) within its error. */
    bool squares = true;
    for (int i = 0; i < 60; i += 5) {
        const tac_coin half = {.num = (tac_u128)3 << i, .den = {7, 1}},
                       whole = {.num = (tac_u128)3 << (i + 1), .den = {7, 1}};
        uint64_t a[MANY + 1], b[MANY + 1], square[MANY + 1], full[2 * MANY + 2];
        tac_exp_words(&half, MANY, a, room);
        tac_exp_words(&whole, MANY, b, room);
        tac_wide_product(a, a, MANY, square, full);
        const bool above = tac_wide_compare(square, b, MANY + 1) > 0;
        tac_wide_subtract(above ? square : b, above ? b : square, MANY + 1);
        uint64_t *gap = above ? square : b;
        for (int w = 1; w <= MANY; w++) squares = squares && gap[w] == 0;
        squares = squares && gap[0] <= 4 * TAC_EXP_ERROR;
    }
    CHECK(squares, "exponentials of any size are the squares of those of half their exponent");
    s->next = 512;
    tac_gaussian_coin(&scale, 0, 0, &coin);
    for (int i = 0; i < 1000; i++) always &= tac_accept_exact(s, &coin, UINT32_MAX);
    CHECK(always, "probability 1 accepts the largest head");
    /* Wider is closer: all widths agree to the digits they promise. */
    bool agree = true;
    tac_gaussian_coin(&scale, 6, 4, &coin);
    tac_exp_words(&coin, TAC_EXP_WORDS, e, room);
    for (unsigned words = 1; words < TAC_EXP_WORDS; words++) {
        uint64_t shorter[TAC_EXP_WORDS + 1];
        tac_exp_words(&coin, words, shorter, room);
        agree &= shorter[0] - e[TAC_EXP_WORDS - words] + TAC_EXP_ERROR <= 2 * TAC_EXP_ERROR;
        for (unsigned i = 2; i <= words; i++) agree &= shorter[i] == e[TAC_EXP_WORDS - words + i];
    }
    CHECK(agree, "1 to 31 words are the beginning of 32");
}

/* Make the stream's next word choose `pick` as its cell; sign and coin stay random. */
static void force_pick(tac_stream *s, uint64_t pick)
{
    if (s->next > 448) s->next = 512;
    const uint64_t word = tac_word(s);
    s->words[--s->next] = (word & ~UINT64_C(0xfffffffe)) | pick << 1;
}

/* First words that pick the tail, at random otherwise: how often it is kept, and how far out. Scale
   2^40. */
static void test_tails(tac_stream *s)
{
    const double pi = acos(-1), total = (double)tap_times(400000);
    const uint64_t gaussian_pick = (UINT64_C(1) << 31) - 1,
                   laplace_pick = laplace_edge[LAPLACE_CELLS - 1];
    double kept = 0, far = 0, kept_laplace = 0, farther = 0;
    tac_scale scale;
    int64_t x;

    tac_scale_set(UINT64_C(1) << 40, &scale);
    for (long i = 0; i < (long)total; i++) {
        force_pick(s, gaussian_pick);
        tac_gaussian_fill(s, &scale, false, &x, NULL, 1);
        kept += llabs(x) >= 7 * (int64_t)scale.size;
        far += llabs(x) >= 8 * (int64_t)scale.size;
        force_pick(s, laplace_pick + (uint64_t)i % LAPLACE_TAIL);
        tac_laplace_fill(s, &scale, false, &x, NULL, 1);
        kept_laplace += llabs(x) >= 16 * (int64_t)scale.size;
        farther += llabs(x) >= 17 * (int64_t)scale.size;
    }
    const double p7 = GAUSSIAN_TOP * sqrt(pi / 2) * erfc(7 / sqrt(2));
    const double p8 = GAUSSIAN_TOP * sqrt(pi / 2) * erfc(8 / sqrt(2));
    CHECK(fabs(coin_z(kept, total, p7)) < ALARM,
          "the Gaussian's tail is kept with probability %.5f: z = %.2f", p7,
          coin_z(kept, total, p7));
    CHECK(far <= 15 + 3 * p8 * total, "and beyond 8 sigma %.0f times, %.1f expected", far,
          p8 * total);
    /* The coin 2^31 exp(-16) / TAIL, then an ordinary trial, kept with TOP / 2^31 times the
       integral of exp. */
    const double p16 = exp(-16) * 0x1p31 / LAPLACE_TAIL * LAPLACE_TOP / 0x1p31;
    const double z16 = coin_z(kept_laplace, total, p16),
                 z17 = coin_z(farther, total, p16 * exp(-1));
    CHECK(fabs(z16) < ALARM && fabs(z17) < ALARM,
          "the Laplace's tail: beyond 16 and 17 z = %.2f, %.2f", z16, z17);
}

/* The far tail, word by word: `ones` odd words lead to cell 7 + ones, and a coin of all zeros is
   kept. */
static void test_far_tail(tac_stream *s)
{
    tac_scale scale;
    bool right = true;
    int64_t x;
    const uint64_t tail = UINT64_C(0xfffffffe); /* plus, pick 2^31 - 1, head 0 */

    tac_scale_set(1000, &scale);
    for (unsigned ones = 0; ones < 12; ones++) {
        memset(s->words, 0, sizeof s->words);
        s->next = 0;
        s->words[0] = tail | (ones & 1); /* odd ones: minus */
        /* j = 500; without the 1 it would be one of the refused */
        s->words[1] = (UINT64_C(1) << 63) + 1;
        for (unsigned i = 0; i < ones; i++) s->words[2 + i] = 1;
        tac_gaussian_fill(s, &scale, false, &x, NULL, 1);
        right &= x == (ones & 1 ? -1 : 1) * (int64_t)(1000 * (7 + ones) + 500);
    }
    CHECK(right, "the Gaussian's cells 7 to 18 are where they should be");
    /* 2^63 1000 = 500 2^64 + 0, and the 616 lowest remainders are refused: the next word gives the
       place. */
    memset(s->words, 0, sizeof s->words);
    s->next = 0;
    s->words[1] = UINT64_C(1) << 63, s->words[2] = (UINT64_C(1) << 63) - 1;
    tac_gaussian_fill(s, &scale, false, &x, NULL, 1);
    CHECK(scale.refused == 616 && x == 499 && s->next == 3, "a place that would come too often is "
                                                            "drawn again");

    /* Cell 64, as 57 odd words have it: a coin 2 / e (three words), a coin exp(-63) (63 times 0 and
       all ones, and one more word), then that of cell 63, below 2^-2800, which zeros win and
       nothing else. */
    for (int won = 0; won < 2; won++) {
        memset(s->words, 0, sizeof s->words);
        s->next = 0;
        s->words[0] = tail;
        s->words[1] = (UINT64_C(1) << 63) + 1;
        for (unsigned i = 0; i < 57; i++) s->words[2 + i] = 1;
        for (unsigned i = 0; i < 63; i++) s->words[63 + 2 * i + 1] = UINT64_MAX;
        s->words[189] = (UINT64_C(1) << 63) + 1;
        /* four words, then the next trial: 250 */
        if (!won) s->words[190] = 1 << 8, s->words[195] = (UINT64_C(1) << 62) + 1;
        tac_gaussian_fill(s, &scale, false, &x, NULL, 1);
        CHECK(x == (won ? 64500 : 250), "cell 64 is %s",
              won ? "kept if 2800 digits are 0" : "refused otherwise");
    }
    memset(s->words, 0, sizeof s->words);
    s->next = 0;
    /* j = 750; then a coin of two words, kept: 16 */
    s->words[0] = tail, s->words[1] = (UINT64_C(3) << 62) + 1;
    s->words[4] = tail; /* again: 32; then a coin, and a word of zeros: cell 0, plus, kept */
    tac_laplace_fill(s, &scale, false, &x, NULL, 1);
    CHECK(x == 32750, "the Laplace's tail of the tail");
    s->next = 512;
}

int main(void)
{
    static tac_stream s;
    tacit_ctx *ctx = NULL;
    tac_key key;

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    tac_key_from_insecure_seed(11, &key);
    MUST(tac_stream_open(ctx, &key, 0, 0, &s) == TACIT_OK);
    test_tables();
    test_compare();
    test_fast_path(&s);
    test_oracle(&s);
    test_limits(&s);
    test_tails(&s);
    test_far_tail(&s);
    tacit_ctx_free(ctx);
    return tap_done();
}
