/* SPDX-License-Identifier: Apache-2.0 */
/* Every block of ChaCha20 that a process asks for, written down: the linker sends calls of
   libsodium's cipher, and of whatever opens a stream, through the wrappers here (-Wl,--wrap:
   meson.build). Two answers that share a block share noise, and their difference is exact. So no
   block (key, nonce, counter) may come twice, neither in a run nor in two runs of one process; what
   comes again for a reason is listed by name (REPEATS), and nothing else passes. And every stream
   of a run hangs from the key of that run: a key from elsewhere would be the same in the next run.
   Public choices have a seed of their own, and a release may tell it: it is no key of noise. */
#ifndef TAC_TEST_STREAMS_H
#define TAC_TEST_STREAMS_H

#include <endian.h>
#include <pthread.h>

#include "privacy/quote.h"
#include "privacy/door_internal.h"
#include "tap.h"

typedef struct filling { /* blocks first .. first + blocks - 1 of ChaCha20(key, nonce) */
    uint8_t key[32];
    uint64_t nonce, first, blocks;
    long run;
    bool again; /* a listed repeat: known within its run, not to be met in others */
} filling;

typedef struct opening { /* of the stream of `block` of `query` of a run's key */
    uint8_t from[32], key[32];
    uint64_t query, block;
} opening;

enum { MOST_OPENINGS = 1 << 16, MOST_ANSWERED = 512 };

static filling *fillings;
/* fillings of the run at hand: from there on */
static size_t filled, room_for_fillings, run_begins;
static opening openings[MOST_OPENINGS]; /* of the run at hand */
static size_t opened;
static char answered[MOST_ANSWERED][16]; /* kinds of its queries */
static int answers;
static uint8_t run_key[32]; /* what its streams hang from ... */
/* ... but for that of its public choices, which is told */
static uint8_t run_seed[32];
static bool seeded; /* the run came as far as to have one */
static long runs;
static bool recording;
static _Thread_local bool judging;
static _Atomic bool boxed; /* within a box (tac_quote_box), on whatever thread */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int __real_crypto_stream_chacha20_xor_ic(unsigned char *out, const unsigned char *in,
                                         unsigned long long size, const unsigned char *nonce,
                                         uint64_t counter, const unsigned char *key);
int __wrap_crypto_stream_chacha20_xor_ic(unsigned char *out, const unsigned char *in,
                                         unsigned long long size, const unsigned char *nonce,
                                         uint64_t counter, const unsigned char *key);
tacit_status __real_tac_stream_open(tacit_ctx *c, const tac_key *key, uint64_t query,
                                    uint64_t block, tac_stream *out);
tacit_status __wrap_tac_stream_open(tacit_ctx *c, const tac_key *key, uint64_t query,
                                    uint64_t block, tac_stream *out);
tacit_status __real_tac_quote_open(tacit_ctx *c, const tacit_data *like, const tacit_budget *budget,
                                   tacit_scale scale, tac_origin origin, const tac_assumed *assumed,
                                   tac_quote *out);
tacit_status __wrap_tac_quote_open(tacit_ctx *c, const tacit_data *like, const tacit_budget *budget,
                                   tacit_scale scale, tac_origin origin, const tac_assumed *assumed,
                                   tac_quote *out);
tacit_status __real_tac_quote_box(tac_run *run, const tac_box *box, tac_quote *out);
tacit_status __wrap_tac_quote_box(tac_run *run, const tac_box *box, tac_quote *out);
tacit_status __real_tac_quote_close(tac_quote *quote, tacit_ctx *c, tacit_status outcome);
tacit_status __wrap_tac_quote_close(tac_quote *quote, tacit_ctx *c, tacit_status outcome);
tacit_status __real_tac_bingham_feasible(tacit_ctx *c, int32_t dims, int32_t rank, double rows,
                                         double exponent, bool *out);
tacit_status __wrap_tac_bingham_feasible(tacit_ctx *c, int32_t dims, int32_t rank, double rows,
                                         double exponent, bool *out);

int __wrap_crypto_stream_chacha20_xor_ic(unsigned char *out, const unsigned char *in,
                                         unsigned long long size, const unsigned char *nonce,
                                         uint64_t counter, const unsigned char *key)
{
    if (recording && !judging && !boxed) {
        filling f = {.first = counter, .blocks = (size + 63) / 64, .run = runs};
        memcpy(f.key, key, sizeof f.key);
        memcpy(&f.nonce, nonce, sizeof f.nonce);
        f.nonce = le64toh(f.nonce);
        pthread_mutex_lock(&lock);
        if (filled == room_for_fillings) {
            room_for_fillings = 2 * room_for_fillings + 4096;
            fillings = realloc(fillings, room_for_fillings * sizeof *fillings);
            MUST(fillings != NULL);
        }
        fillings[filled++] = f;
        pthread_mutex_unlock(&lock);
    }
    return __real_crypto_stream_chacha20_xor_ic(out, in, size, nonce, counter, key);
}

tacit_status __wrap_tac_stream_open(tacit_ctx *c, const tac_key *key, uint64_t query,
                                    uint64_t block, tac_stream *out)
{
    /* a run's own key is never beside the point */
    if (memcmp(key->bytes, run_key, sizeof run_key) == 0) {
        judging = false;
        boxed = false;
    }
    const tacit_status status = __real_tac_stream_open(c, key, query, block, out);

    if (recording && !judging && !boxed && status == TACIT_OK) {
        opening o = {.query = query, .block = block};
        memcpy(o.from, key->bytes, sizeof o.from);
        memcpy(o.key, out->key, sizeof o.key);
        pthread_mutex_lock(&lock);
        MUST(opened < MOST_OPENINGS);
        openings[opened++] = o;
        pthread_mutex_unlock(&lock);
    }
    return status;
}

/* REPEATS, the first: whether matrix draws would soon be accepted is judged by made-up spectra,
   from a fixed key that is no run's, so that the same public numbers are always judged alike.
   Nothing of it touches a row or a noise. */
tacit_status __wrap_tac_bingham_feasible(tacit_ctx *c, int32_t dims, int32_t rank, double rows,
                                         double exponent, bool *out)
{
    const bool before = judging;

    judging = true;
    const tacit_status status = __real_tac_bingham_feasible(c, dims, rank, rows, exponent, out);
    judging = before;
    return status;
}

/* REPEATS, the second: a quoting run tries a budget on made-up rows, with noise of a public key
   that is no run's. Nothing of it touches a row. */
tacit_status __wrap_tac_quote_open(tacit_ctx *c, const tacit_data *like, const tacit_budget *budget,
                                   tacit_scale scale, tac_origin origin, const tac_assumed *assumed,
                                   tac_quote *out)
{
    judging = true;
    return __real_tac_quote_open(c, like, budget, scale, origin, assumed, out);
}

/* REPEATS, the third: so does a box without groups within a run, on the run's threads. Its key
   follows from public choices. */
tacit_status __wrap_tac_quote_box(tac_run *run, const tac_box *box, tac_quote *out)
{
    boxed = true;
    return __real_tac_quote_box(run, box, out);
}

tacit_status __wrap_tac_quote_close(tac_quote *quote, tacit_ctx *c, tacit_status ended)
{
    const tacit_status status = __real_tac_quote_close(quote, c, ended);

    judging = false;
    boxed = false;
    return status;
}

/* REPEATS, the others: streams that one query reads so many times from the start, and why. */
static const struct repeat {
    const char *kind; /* of the query */
    uint64_t block;   /* the stream's */
    size_t times;
    const char *why;
} repeats[] = {
    {"parts", UINT64_C(1) << 40, 2,
     "the lots of the units are read for the sizes of the parts, then for their rows: the same "
     "lots"},
};

static int by_block(const void *a, const void *b)
{
    const filling *x = a, *y = b;
    const int keys = memcmp(x->key, y->key, sizeof x->key);

    if (keys != 0) return keys;
    if (x->nonce != y->nonce) return x->nonce < y->nonce ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static bool overlap(const filling *before, const filling *next)
{
    return memcmp(before->key, next->key, sizeof next->key) == 0 && before->nonce == next->nonce &&
           before->first + before->blocks > next->first;
}

/* Which query reads ChaCha20(key, nonce) of this run, and how many times it was opened. */
static size_t times_opened(const filling *f, const opening **which)
{
    size_t times = 0;

    *which = NULL;
    for (size_t i = 0; i < opened; i++) {
        if (memcmp(openings[i].key, f->key, sizeof f->key) != 0 || openings[i].block != f->nonce)
            continue;
        *which = &openings[i];
        times++;
    }
    return times;
}

/* Is it in the list, opened as many times as that says, each time by the same name? */
static bool is_listed(const filling *f)
{
    const opening *o;
    const size_t times = times_opened(f, &o);

    for (size_t r = 0; o != NULL && r < sizeof repeats / sizeof *repeats; r++)
        if (o->block == repeats[r].block && times == repeats[r].times &&
            o->query < (uint64_t)answers && strcmp(answered[o->query], repeats[r].kind) == 0)
            return true;
    return false;
}

static void see_kind(void *payload, const tac_receipt *receipt, const uint64_t *answer,
                     size_t count)
{
    (void)payload, (void)answer, (void)count;
    MUST(answers < MOST_ANSWERED);
    snprintf(answered[answers++], sizeof *answered, "%s", tac_kind_name(receipt->kind));
}

static void see_key(void *payload, tac_key *key)
{
    (void)payload;
    memcpy(run_key, key->bytes, sizeof run_key);
}

static void see_seed(void *payload, tac_public_seed *seed)
{
    (void)payload;
    memcpy(run_seed, seed->bytes, sizeof run_seed);
    seeded = true;
}

static const tac_door_probe stream_probe = {.key = see_key, .seed = see_seed, .exact = see_kind};

static void begin_run(void)
{
    run_begins = filled;
    opened = 0;
    answers = 0;
    memset(run_key, 0, sizeof run_key);
    memset(run_seed, 0, sizeof run_seed);
    seeded = false;
    runs++;
    recording = true;
}

/* What a run did wrong, or whole runs. */
typedef struct streams_tally {
    long runs, answers, twice, foreign, unheard, told, listed;
} streams_tally;

/* Of the run that has ended: blocks that come twice and are not listed, streams of a key that is
   not the run's or that nobody opened, queries without a stream of their own number, a seed of
   public choices that is the key of noise or of one query's. */
static void end_run(streams_tally *sum)
{
    filling *f = fillings + run_begins;
    const size_t count = filled - run_begins;
    bool heard[MOST_ANSWERED] = {0};

    recording = false;
    if (count > 1) qsort(f, count, sizeof *f, by_block);
    for (size_t i = 1; i < count; i++) {
        if (!overlap(&f[i - 1], &f[i])) continue;
        f[i].again =
            is_listed(&f[i]) && f[i - 1].first == f[i].first && f[i - 1].blocks == f[i].blocks;
        sum->listed += f[i].again;
        if (f[i].again || sum->twice++ > 0) continue;
        const opening *o;
        const size_t times = times_opened(&f[i], &o);
        if (o != NULL)
            printf("# stream of query %llu (%s), block %llu: opened %zu times, counter %llu comes "
                   "again\n",
                   (unsigned long long)o->query,
                   o->query < (uint64_t)answers ? answered[o->query] : "none",
                   (unsigned long long)o->block, times, (unsigned long long)f[i].first);
    }
    for (size_t i = 0; i < count; i++) {
        const opening *o;
        if (i > 0 && f[i].nonce == f[i - 1].nonce &&
            memcmp(f[i].key, f[i - 1].key, sizeof f->key) == 0)
            continue;
        const bool choices = f[i].nonce == 0 && memcmp(f[i].key, run_seed, sizeof run_seed) == 0;
        sum->foreign += !choices && times_opened(&f[i], &o) == 0;
    }
    for (size_t i = 0; i < opened; i++) {
        if (memcmp(openings[i].from, run_key, sizeof run_key) != 0)
            sum->foreign++;
        else if (openings[i].query < (uint64_t)answers)
            heard[openings[i].query] = true;
    }
    for (int q = 0; q < answers; q++) sum->unheard += !heard[q];
    bool told = seeded && memcmp(run_seed, run_key, sizeof run_key) == 0;
    for (size_t i = 0; i < opened; i++)
        told = told || memcmp(openings[i].key, run_seed, sizeof run_seed) == 0;
    sum->told += told;
    sum->runs++;
    sum->answers += answers;
}

/* Over all runs of this process. Repeats that are listed are left out, but not the words that they
   repeat. */
static long shared_between_runs(void)
{
    long shared = 0;
    size_t kept = 0;

    for (size_t i = 0; i < filled; i++)
        if (!fillings[i].again) fillings[kept++] = fillings[i];
    filled = kept;
    if (filled > 1) qsort(fillings, filled, sizeof *fillings, by_block);
    for (size_t i = 1; i < filled; i++)
        shared += overlap(&fillings[i - 1], &fillings[i]) && fillings[i - 1].run != fillings[i].run;
    return shared;
}

#endif
