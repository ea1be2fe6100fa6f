/* SPDX-License-Identifier: Apache-2.0 */
/* Rows sorted by person within a limit of memory: the same order as in memory, by many runs and
   several levels of merging; the same rows count; a fault of the disk is an error. */
#include "data/dataset/dataset.h"
#include "data/dataset/row_ranking.h"
#include "tap.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static tacit_ctx *ctx;
static uint64_t dice = 4711;

static uint64_t next(void)
{
    dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407;
    return dice >> 16;
}

/* ---- calls of the system, the one of which fails, or whose bytes are changed on the disk ---- */

static long calls, failing = -1;
static bool flips;
static int64_t disk_bytes; /* the largest place ever written to */

static bool fails(void)
{
    return calls++ == failing && !flips;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at)
{
    if (fails()) {
        errno = ENOSPC;
        return -1;
    }
    const ssize_t done = (ssize_t)syscall(SYS_pwrite64, file, bytes, size, at);
    if (at + (off_t)size > disk_bytes) disk_bytes = at + (off_t)size;
    if (flips && calls - 1 == failing) {
        const char other = (char)(*(const char *)bytes ^ 4);
        MUST(syscall(SYS_pwrite64, file, &other, 1, at) == 1);
    }
    return done;
}

ssize_t pread(int file, void *bytes, size_t size, off_t at)
{
    if (fails()) {
        errno = EIO;
        return -1;
    }
    return (ssize_t)syscall(SYS_pread64, file, bytes, size, at);
}

/* ---- the order ---- */

static int compare(const void *a, const void *b)
{
    const tac_ranked *x = a, *y = b;
    const int persons = tac_person_compare(x->person, y->person);
    if (persons != 0) return persons;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Few persons, few hashes: there are many ties. */
static tac_ranked *make(int64_t count, uint64_t persons, uint64_t hashes)
{
    tac_ranked *all = calloc((size_t)count + 1, sizeof *all);

    MUST(all != NULL);
    for (int64_t i = 0; i < count; i++)
        all[i] = (tac_ranked){
            .person = {next() % 3, next() % persons}, .hash = next() % hashes, .row = i};
    return all;
}

/* All of it through a ranking. Sorts `all`; *good: it came out in that order. */
static tacit_status rank(tac_ranked *all, int64_t count, bool *good, int64_t *runs)
{
    tacit_status status = TACIT_OK;
    tac_ranking *r = NULL;
    const tac_ranked *one = NULL;
    int64_t at = 0;

    *good = true;
    TAC_TRY(tac_ranking_open(ctx, count, &r));
    for (int64_t i = 0; i < count; i++) TAC_TRY(tac_ranking_add(r, &all[i]));
    qsort(all, (size_t)count, sizeof *all, compare);
    TAC_TRY(tac_ranking_sort(r));
    for (;; at++) {
        TAC_TRY(tac_ranking_next(r, &one));
        if (one == NULL) break;
        *good = *good && at < count && memcmp(one, &all[at], sizeof *one) == 0;
    }
    *good = *good && at == count;
    *runs = tac_ranking_runs(r);
done:
    tac_ranking_close(r);
    return status;
}

static void test_order(void)
{
    static const int64_t counts[] = {0, 1, 2, 4096, 4097, 4098, 8194, 16385, 20000, 70000};
    enum { COUNTS = sizeof counts / sizeof *counts };
    int64_t runs, most = 0;
    bool all = true, good;

    for (int c = 0; c < COUNTS; c++)
        for (int turn = 0; turn < 4; turn++) {
            tac_ranked *some =
                make(counts[c], turn == 3 ? 1 : 50 << 4 * turn, turn % 2 ? 4 : 1 << 30);
            ctx->memory = turn == 0 ? 0 : 512 * 1024; /* runs of 4096 records, merged by twos */
            MUST(rank(some, counts[c], &good, &runs) == TACIT_OK);
            all = all && good && (runs == 0) == (ctx->memory == 0 || counts[c] <= 4096);
            if (runs > most) most = runs;
            free(some);
        }
    CHECK(all && most == 18, "rows come out in order, from up to %d runs in five levels",
          (int)most);
    ctx->memory = INT64_C(4) << 20; /* runs of 32768, merged by sixes */
    tac_ranked *many = make(1000000, 1 << 20, 1 << 30);
    disk_bytes = 0;
    MUST(rank(many, 1000000, &good, &runs) == TACIT_OK);
    CHECK(good && runs == 31, "a million rows, from %d runs", (int)runs);
    CHECK(disk_bytes < 33 * INT64_C(1000000),
          "no file takes more than 32 bytes a row, but for tags (%.2f)",
          (double)disk_bytes / 1000000);
    free(many);
    ctx->memory = 0;
}

/* ---- the rows that count ---- */

static void test_same_rows(void)
{
    enum { N = 60000 };
    double *value = malloc(2 * N * sizeof *value);
    int64_t *unit = malloc(N * sizeof *unit);
    bool same = true;

    MUST(value != NULL && unit != NULL);
    for (int i = 0; i < N; i++) {
        value[2 * i] = (double)(next() % 5); /* equal rows too */
        value[2 * i + 1] = next() % 50 == 0 ? (double)NAN : (double)(next() % 100);
        /* one person has a third of all rows */
        unit[i] = next() % 3 == 0 ? 1 : (int64_t)(next() % 20000) - 5;
    }
    for (int most = 1; most <= 100; most *= 10) {
        uint64_t *keep[2] = {NULL, NULL};
        for (int side = 0; side < 2; side++) {
            tacit_data *data = NULL;
            ctx->memory = side == 0 ? 0 : 512 * 1024;
            MUST(tacit_data_from_memory(ctx, value, TACIT_F64, N, 2, &data) == TACIT_OK &&
                 tacit_data_set_units(ctx, data, unit, NULL) == TACIT_OK &&
                 tac_data_load(ctx, data, NULL) == TACIT_OK &&
                 tac_data_kept(ctx, data, most, &keep[side]) == TACIT_OK);
            tacit_data_free(data);
        }
        same = same && memcmp(keep[0], keep[1], tac_kept_words(N) * sizeof **keep) == 0 &&
               tac_kept_between(keep[0], 0, N) > 10000;
        tac_free(keep[0]);
        tac_free(keep[1]);
    }
    CHECK(same, "the same rows count, bit for bit, with a limit of memory and without");
    ctx->memory = 0;
    free(value);
    free(unit);
}

/* ---- faults ---- */

static void test_faults(void)
{
    enum { N = 20000 };
    int64_t runs;
    bool good, told = true, noticed = true;
    long last = 0, flipped = 0;

    ctx->memory = 512 * 1024;
    for (int kind = 0; kind < 2; kind++) {
        flips = kind == 1;
        for (failing = 0;; failing++) {
            tac_ranked *some = make(N, 900, 1 << 30);
            calls = 0;
            const tacit_status status = rank(some, N, &good, &runs);
            free(some);
            if (calls <= failing) break; /* as many calls as there are */
            if (kind == 0)
                told = told && (status == TACIT_E_WRITE || status == TACIT_E_READ) &&
                       strstr(tacit_ctx_message(ctx), "spill file cannot be") != NULL;
            else if (status != TACIT_OK)
                flipped++;
            noticed = noticed && (status != TACIT_OK || good);
            last = failing;
        }
    }
    failing = -1;
    flips = false;
    ctx->memory = 0;
    CHECK(told && last > 20, "each of %ld calls that fails is an error with a sentence", last + 1);
    CHECK(noticed && flipped > 5,
          "a bit that changes on the disk is an error (%ld), never another "
          "order",
          flipped);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_order();
    test_same_rows();
    test_faults();
    tacit_ctx_free(ctx);
    return tap_done();
}
