/* SPDX-License-Identifier: Apache-2.0 */
/* Exact floors of quadratic forms of exact normals. Every entry is computed from the digits
   drawn so far, with a bound on what the others may add; digits are drawn until the floor is the
   same at both ends. Bounds: noise.proof.md, part 10. */
#include "privacy/noise/trace_noise.h"
#include "engine/engine.h"
#include "privacy/noise/lazy_normal.h"
#include "privacy/noise/wide.h"

#include <sodium.h>

/* streams below 2^40 are those of rows; word q of a row's fractions: + q 2^40 */
#define ROW_BITS 40
#define WORDS_MOST (UINT32_C(1) << 23)
#define AT_ONCE (UINT32_C(1) << 18) /* normals held at a time; one matrix may be larger */
#define BLOCK 4096                  /* normals that are worth a block of work */
#define FAST_WHOLE 32               /* the fast path wants all |normals| below it */

/* A normal number to its first 64 fractional bits; secret. */
typedef struct normal {
    uint64_t word; /* first of the fraction */
    uint64_t size; /* twice the whole part, and 1 if it is negative */
} normal;

/* Words beyond the first that a coin has already asked for. */
typedef struct extra {
    struct extra *next;
    size_t at, have;
    uint64_t word[];
} extra;

/* Matrices worked on at a time: the rows of one after those of another. */
typedef struct work {
    const tac_key *key;
    uint64_t query;
    tac_trace distribution;
    /* dims + 1, normals of a row: those of U, then of V, entries of a matrix */
    size_t columns, each, triangle;
    unsigned bits;           /* of a fraction, on the fast path */
    size_t first, matrices;  /* which */
    uint64_t *values, *high; /* of the first; high: NULL: numbers of one word */
    normal *normal;
    int64_t *fixed;               /* 2^bits normal, cut towards 0 */
    extra **extra;                /* of each row */
    uint64_t *most;               /* of each row: the largest whole */
    uint8_t *unsure, *row_unsure; /* entries, and rows that have some */
    size_t matrix;                /* deeper: which one ... */
    uint32_t had, words;          /* ... and words of its fractions, before and now */
    uint64_t **deep;              /* word q + 1 of all normals of that matrix */
} work;

static size_t rows_in_block(const work *w)
{
    return w->each < BLOCK ? BLOCK / w->each : 1;
}

typedef tacit_status (*row_fn)(work *w, size_t row);
typedef struct rows {
    work *work;
    row_fn body;
    size_t first, count;
} rows;

/* A block of rows, one call of `body` for each. */
static tacit_status block_of_rows(void *state, int64_t block, int worker)
{
    const rows *r = state;
    const size_t many = rows_in_block(r->work), begin = (size_t)block * many;
    const size_t end = r->count - begin < many ? r->count : begin + many;
    tacit_status status = TACIT_OK;

    (void)worker;
    for (size_t i = begin; i < end && status == TACIT_OK; i++)
        status = r->body(r->work, r->first + i);
    return status;
}

/* body for rows first .. first + count - 1, on the engine's workers or (NULL) one after the
   other. */
static tacit_status over_rows(const tacit_ctx *ctx, const tac_engine *engine, work *w, row_fn body,
                              size_t first, size_t count)
{
    rows r = {.work = w, .body = body, .first = first, .count = count};
    const size_t many = rows_in_block(w);
    const int64_t blocks = (int64_t)((count + many - 1) / many);

    if (engine != NULL) return engine->map(engine, ctx, blocks, block_of_rows, &r);
    for (int64_t block = 0; block < blocks; block++) {
        tacit_status status = ctx == NULL ? TACIT_OK : tac_check_cancel(ctx);
        if (status == TACIT_OK) status = block_of_rows(&r, block, 0);
        if (status != TACIT_OK) return status;
    }
    return TACIT_OK;
}

/* ---- the normals of a row ---- */

/* Remembers the words beyond the first that a coin has seen: they are digits of this normal for
   good. */
static tacit_status keep_extra(work *w, size_t row, size_t at, const tac_lazy *x)
{
    tacit_status status = TACIT_OK;
    extra *e = NULL;

    TAC_TRY(tac_new(NULL, 1, sizeof *e + (x->have - 1) * sizeof *e->word, &e));
    e->at = at;
    e->have = x->have - 1;
    memcpy(e->word, x->word + 1, e->have * sizeof *e->word);
    e->next = w->extra[row];
    w->extra[row] = e;
done:
    return status;
}

/* The normals of one row of U and V, from the row's own stream, exact and in fixed point.
   Workers share nothing: a row writes only what is its own. */
static tacit_status draw_row(work *w, size_t row)
{
    tacit_status status = TACIT_OK;
    tac_stream stream;
    tac_lazy x = {0};
    const uint64_t place = (uint64_t)w->first * (uint32_t)w->distribution.dims + row;

    TAC_TRY(tac_stream_open(NULL, w->key, w->query, place, &stream));
    w->most[row] = 0;
    for (size_t at = row * w->each; at < (row + 1) * w->each; at++) {
        TAC_TRY(tac_lazy_normal(&stream, &x));
        /* 2^63 tosses are not reached */
        w->normal[at] = (normal){.word = x.word[0], .size = 2 * x.whole + x.minus};
        if (x.whole > w->most[row]) w->most[row] = x.whole;
        if (x.have > 1) TAC_TRY(keep_extra(w, row, at, &x));
        /* otherwise the fast path is not taken */
        const uint64_t whole = x.whole < FAST_WHOLE ? x.whole : 0;
        const int64_t size = (int64_t)(whole << w->bits | x.word[0] >> (64 - w->bits));
        w->fixed[at] = x.minus ? -size : size;
    }
done:
    tac_lazy_close(&x);
    tac_stream_close(&stream);
    return status;
}

/* 1 + the largest whole part in the matrix of a row: no normal of it is as large. */
static uint64_t bound_of(const work *w, size_t row)
{
    const size_t dims = (size_t)w->distribution.dims, begin = row / dims * dims;
    uint64_t most = 0;

    for (size_t r = begin; r < begin + dims; r++) most = w->most[r] > most ? w->most[r] : most;
    return most + 1;
}

static uint64_t weighed_scale(const work *w, bool same)
{
    return (same ? w->distribution.same : w->distribution.cross) * w->distribution.scale;
}

/* ---- the fast path: 128-bit sums ---- */

/* 2^(2 bits) sum_l (u_il v_jl + v_il u_jl) of the cut numbers */
static tac_i128 fast_sum(const work *w, size_t row, size_t other)
{
    const int64_t *a = w->fixed + row * w->each, *b = w->fixed + other * w->each;
    tac_i128 sum = 0;

    for (size_t l = 0; l < w->columns; l++)
        sum += (tac_i128)a[l] * b[w->columns + l] + (tac_i128)a[w->columns + l] * b[l];
    return sum;
}

/* *out = floor((by t + 2^(2 bits)) / 2^(2 bits + 1)), of two words; what is below the point of
   the quotient is cut off in `top`, so that two quotients can be compared. */
static void fast_floor(tac_i128 t, uint64_t by, unsigned bits, uint64_t top[2], uint64_t out[2])
{
    uint64_t a[3] = {(uint64_t)t, (uint64_t)((tac_u128)t >> 64), t < 0 ? UINT64_MAX : 0},
             half[3] = {0};
    const unsigned shift = 2 * bits + 1 - 64; /* 39 .. 51: of the two upper words */

    half[1] = UINT64_C(1) << (shift - 1);
    tac_wide_multiply(a, 3, by);
    tac_wide_add(a, half, 3);
    top[0] = a[1] >> shift;
    top[1] = a[2];
    out[0] = top[0] | a[2] << (64 - shift);
    out[1] = (uint64_t)((int64_t)a[2] >> shift);
}

/* value `at` += noise, modulo 2^128 or 2^64. */
static void add_noise(work *w, size_t at, const uint64_t noise[2])
{
    const tac_u128 sum = (tac_u128)w->values[at] + noise[0];

    w->values[at] = (uint64_t)sum;
    if (w->high != NULL) w->high[at] += noise[1] + (uint64_t)(sum >> 64);
}

/* values_ij += noise for j >= i where the fast path is certain: floor of (sum - slack) equals
   floor of (sum + slack). Other entries are marked unsure. */
static tacit_status add_row(work *w, size_t row)
{
    const size_t dims = (size_t)w->distribution.dims, i = row % dims, matrix = row / dims;
    const uint64_t bound = bound_of(w, row);
    const bool fast = bound <= FAST_WHOLE && w->distribution.words == 0;
    const tac_i128 slack = (tac_i128)(4 * w->columns * (fast ? bound : 1)) << w->bits;
    size_t at = matrix * w->triangle + i * (2 * dims - i + 1) / 2;

    for (size_t j = i; j < dims; j++, at++) {
        uint64_t low[2] = {0}, high[2] = {1}, noise[2] = {0}, ignored[2];
        if (fast) {
            const tac_i128 sum = fast_sum(w, row, row + j - i);
            fast_floor(sum - slack, weighed_scale(w, i == j), w->bits, low, noise);
            fast_floor(sum + slack, weighed_scale(w, i == j), w->bits, high, ignored);
        }
        if (low[0] == high[0] && low[1] == high[1])
            add_noise(w, at, noise);
        else
            w->unsure[at] = w->row_unsure[row] = 1;
    }
    return TACIT_OK;
}

/* ---- deeper: as many words as it takes ---- */

/* Word q of every fraction of a row, q = had .. words - 1, from the row's stream for that word;
   what a coin has seen stays. */
static tacit_status extend_row(work *w, size_t row)
{
    tacit_status status = TACIT_OK;
    const size_t own = row % (size_t)w->distribution.dims;
    const uint64_t place = (uint64_t)w->first * (uint32_t)w->distribution.dims + row;
    tac_stream stream;

    for (uint32_t q = w->had; q < w->words; q++) {
        uint64_t *deep = w->deep[q - 1] + own * w->each;
        TAC_TRY(tac_stream_open(NULL, w->key, w->query, place | (uint64_t)q << ROW_BITS, &stream));
        for (size_t l = 0; l < w->each; l++) deep[l] = tac_word(&stream);
        tac_stream_close(&stream);
        for (const extra *e = w->extra[row]; e != NULL; e = e->next)
            if (q <= e->have) deep[e->at - row * w->each] = e->word[q - 1];
    }
done:
    return status;
}

/* |normal| 2^(64 words), cut: words + 1 words, lowest first */
static void number_at(const work *w, size_t at, uint64_t *out)
{
    const size_t own = at - w->matrix * (size_t)w->distribution.dims * w->each;

    for (uint32_t q = 1; q < w->words; q++) out[w->words - 1 - q] = w->deep[q - 1][own];
    out[w->words - 1] = w->normal[at].word;
    out[w->words] = w->normal[at].size >> 1;
}

/* What the numbers of an entry need, for `words` words of fractions: the numbers n = words + 1,
   their sums size = 2 n + 1. */
typedef struct room {
    uint64_t *a, *b, *product, *low, *high, *slack;
    unsigned n, size;
} room;

/* sum += or -= a b */
static void add_product(room *r, bool minus)
{
    memset(r->product, 0, r->size * sizeof *r->product);
    for (unsigned i = 0; i < r->n; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; j < r->n; j++) {
            const tac_u128 sum = (tac_u128)r->a[i] * r->b[j] + r->product[i + j] + carry;
            r->product[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        r->product[i + r->n] = carry;
    }
    if (minus)
        tac_wide_subtract(r->low, r->product, r->size);
    else
        tac_wide_add(r->low, r->product, r->size);
}

/* Is the entry known now? Then *out is its noise, of two words. All modulo 2^(64 size), two's
   complement. */
static bool settle(const work *w, room *r, size_t row, size_t other, uint64_t bound,
                   uint64_t out[2])
{
    const size_t a = row * w->each, b = other * w->each, swap = w->columns;
    const uint64_t by = weighed_scale(w, row == other);
    const unsigned point = 2 * w->words;
    const tac_u128 slack = (tac_u128)(4 * w->columns) * bound;

    memset(r->low, 0, r->size * sizeof *r->low);
    for (size_t l = 0; l < w->each; l++) { /* u_i v_j, then v_i u_j */
        const size_t mine = a + l, theirs = l < swap ? b + swap + l : b + l - swap;
        number_at(w, mine, r->a);
        number_at(w, theirs, r->b);
        add_product(r, ((w->normal[mine].size ^ w->normal[theirs].size) & 1) != 0);
    }
    memset(r->slack, 0, r->size * sizeof *r->slack);
    r->slack[w->words] = (uint64_t)slack;
    r->slack[w->words + 1] = (uint64_t)(slack >> 64);
    tac_wide_multiply(r->slack, r->size, by);
    tac_wide_multiply(r->low, r->size, by);
    memset(r->product, 0, r->size * sizeof *r->product);
    r->product[point] = 1;
    tac_wide_add(r->low, r->product, r->size);
    memcpy(r->high, r->low, r->size * sizeof *r->high);
    tac_wide_subtract(r->low, r->slack, r->size);
    tac_wide_add(r->high, r->slack, r->size);
    for (unsigned i = 0; i < 2; i++) out[i] = r->low[point + i] >> 1 | r->low[point + i + 1] << 63;
    return r->low[point] >> 1 == r->high[point] >> 1 &&
           tac_wide_compare(r->low + point + 1, r->high + point + 1, r->size - point - 1) == 0;
}

/* The unsure entries of one row, with w->words words of every fraction; what is still unsure
   waits for more. */
static tacit_status settle_row(work *w, size_t row)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)w->distribution.dims, i = row % dims;
    const size_t begin = row / dims * w->triangle + i * (2 * dims - i + 1) / 2;
    room r = {.n = w->words + 1, .size = 2 * w->words + 3};
    uint64_t *all = NULL, noise[2];
    const size_t words = 2 * (size_t)r.n + 4 * (size_t)r.size;

    if (!w->row_unsure[row]) return TACIT_OK;
    TAC_TRY(tac_new(NULL, words, sizeof *all, &all));
    r.a = all, r.b = r.a + r.n, r.product = r.b + r.n, r.low = r.product + r.size;
    r.high = r.low + r.size, r.slack = r.high + r.size;
    const uint64_t bound = bound_of(w, row);
    w->row_unsure[row] = 0;
    for (size_t j = i; j < dims; j++) {
        const size_t at = begin + j - i;
        if (!w->unsure[at]) continue;
        if (settle(w, &r, row, row + j - i, bound, noise)) {
            add_noise(w, at, noise);
            w->unsure[at] = 0;
        } else {
            w->row_unsure[row] = 1;
        }
    }
    sodium_memzero(all, words * sizeof *all);
done:
    tac_free(all);
    return status;
}

/* Has the matrix an entry whose floor is not certain yet? */
static bool is_unsure(const work *w, size_t matrix)
{
    const size_t dims = (size_t)w->distribution.dims;

    for (size_t r = matrix * dims; r < (matrix + 1) * dims; r++)
        if (w->row_unsure[r]) return true;
    return false;
}

/* Wipes and frees the deeper words of a matrix: they are digits of its noise. */
static void forget_deep(work *w)
{
    for (uint32_t q = 1; q < w->had; q++) {
        sodium_memzero(w->deep[q - 1], (size_t)w->distribution.dims * w->each * sizeof **w->deep);
        tac_free(w->deep[q - 1]);
    }
    tac_free(w->deep);
    w->deep = NULL;
    w->had = w->words = 1;
}

/* More words, until every entry of the matrix is certain. */
static tacit_status go_deeper(tacit_ctx *ctx, const tac_engine *engine, work *w, size_t matrix,
                              int64_t *passes)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)w->distribution.dims;

    w->matrix = matrix;
    w->had = 1;
    for (uint32_t words = w->distribution.words > 0 ? w->distribution.words : 2;
         is_unsure(w, matrix); words *= 2) {
        if (words > WORDS_MOST) {
            /* below 2^-500000000 */
            status = tac_fail(ctx, TACIT_E_MEMORY,
                              "out of memory: noise would need more digits than fit");
            goto done;
        }
        TAC_TRY(tac_grow(ctx, &w->deep, words, sizeof *w->deep));
        uint32_t made = w->had;
        for (; made < words && status == TACIT_OK; made += status == TACIT_OK)
            status = tac_new(ctx, dims * w->each, sizeof **w->deep, &w->deep[made - 1]);
        w->words = made;
        if (status == TACIT_OK) status = over_rows(ctx, engine, w, extend_row, matrix * dims, dims);
        w->had = made;
        if (status == TACIT_OK) status = over_rows(ctx, engine, w, settle_row, matrix * dims, dims);
        if (status != TACIT_OK) goto done;
        if (passes != NULL) ++*passes;
    }
done:
    forget_deep(w);
    return status;
}

/* ---- all of it ---- */

static void wipe(void *memory, size_t bytes)
{
    if (memory != NULL) sodium_memzero(memory, bytes);
    tac_free(memory);
}

static void forget_extras(work *w)
{
    const size_t all = w->extra == NULL ? 0 : w->matrices * (size_t)w->distribution.dims;

    for (size_t row = 0; row < all; row++)
        for (extra *e; (e = w->extra[row]) != NULL;) {
            w->extra[row] = e->next;
            wipe(e, sizeof *e + e->have * sizeof *e->word);
        }
}

/* Bits of a fixed-point fraction such that `each` products of numbers below FAST_WHOLE fit 127
   bits. */
static unsigned bits_for(size_t each)
{
    unsigned log_each = 0;

    while ((size_t)1 << log_each < each) log_each++;
    return (126 - log_each) / 2 - 5; /* each products of two numbers below 2^(5 + bits) */
}

/* Noise for w->matrices matrices: draw, add what is certain, then go deeper matrix by matrix. */
static tacit_status add_some(tacit_ctx *ctx, const tac_engine *engine, work *w, int64_t *passes)
{
    tacit_status status = TACIT_OK;
    const size_t count = w->matrices * (size_t)w->distribution.dims;

    memset(w->unsure, 0, w->matrices * w->triangle);
    memset(w->row_unsure, 0, count);
    TAC_TRY(over_rows(ctx, engine, w, draw_row, 0, count));
    TAC_TRY(over_rows(ctx, engine, w, add_row, 0, count));
    for (size_t m = 0; m < w->matrices; m++)
        if (is_unsure(w, m)) TAC_TRY(go_deeper(ctx, engine, w, m, passes));
done:
    forget_extras(w);
    return status;
}

/* As many matrices at a time as AT_ONCE normals allow. Everything secret is wiped before it is
   freed. */
tacit_status tac_add_wide_trace_noise(tacit_ctx *ctx, const struct tac_engine *engine,
                                      const tac_key *key, uint64_t query,
                                      const tac_trace *distribution, uint64_t *values,
                                      uint64_t *high, size_t matrices, int64_t *passes)
{
    tacit_status status = TACIT_OK;
    const size_t dims = distribution->dims < 1 ? 1 : (size_t)distribution->dims;
    work w = {.key = key,
              .query = query,
              .distribution = *distribution,
              .columns = dims + 1,
              .each = 2 * (dims + 1),
              .values = values,
              .high = high,
              .triangle = dims * (dims + 1) / 2};
    const size_t normals = dims * w.each, fit = normals > AT_ONCE ? 1 : AT_ONCE / normals;
    const size_t most = matrices < fit ? matrices : fit;

    if (passes != NULL) *passes = 0;
    if (distribution->scale < 1 || distribution->scale > TAC_SIGMA_MAX ||
        distribution->dims > TAC_TRACE_DIMS || distribution->same >= TAC_TRACE_WEIGHT ||
        distribution->cross >= TAC_TRACE_WEIGHT || matrices >> (ROW_BITS - 12) != 0) {
        status = tac_fail(ctx, TACIT_E_INTERNAL,
                          "a query asked for trace noise of a scale or size that there is not");
        goto done;
    }
    /* once here, where a sentence may be set: the workers only repeat it */
    TAC_TRY(tac_key_check(ctx, key));
    w.bits = bits_for(w.each);
    TAC_TRY(tac_new(ctx, most * normals, sizeof *w.normal, &w.normal));
    TAC_TRY(tac_new(ctx, most * normals, sizeof *w.fixed, &w.fixed));
    TAC_TRY(tac_new(ctx, most * dims, sizeof *w.extra, &w.extra));
    TAC_TRY(tac_new(ctx, most * dims, sizeof *w.most, &w.most));
    TAC_TRY(tac_new(ctx, most * dims, sizeof *w.row_unsure, &w.row_unsure));
    TAC_TRY(tac_new(ctx, most * w.triangle, sizeof *w.unsure, &w.unsure));
    for (; w.first < matrices; w.first += w.matrices) {
        w.matrices = matrices - w.first < most ? matrices - w.first : most;
        w.values = values + w.first * w.triangle;
        w.high = high == NULL ? NULL : high + w.first * w.triangle;
        TAC_TRY(add_some(ctx, engine, &w, passes));
    }
done:
    wipe(w.normal, most * normals * sizeof *w.normal);
    wipe(w.fixed, most * normals * sizeof *w.fixed);
    tac_free(w.extra);
    wipe(w.most, most * dims * sizeof *w.most);
    tac_free(w.row_unsure);
    tac_free(w.unsure);
    /* Part of the values may lack its noise: a caller that forgets to look at the status must not
       publish them. */
    if (status != TACIT_OK) sodium_memzero(values, matrices * w.triangle * sizeof *values);
    if (status != TACIT_OK && high != NULL)
        sodium_memzero(high, matrices * w.triangle * sizeof *high);
    return status;
}

tacit_status tac_add_trace_noise(tacit_ctx *ctx, const struct tac_engine *engine,
                                 const tac_key *key, uint64_t query, const tac_trace *distribution,
                                 uint64_t *values, size_t matrices, int64_t *passes)
{
    return tac_add_wide_trace_noise(ctx, engine, key, query, distribution, values, NULL, matrices,
                                    passes);
}
