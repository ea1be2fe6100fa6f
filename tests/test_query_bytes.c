/* SPDX-License-Identifier: Apache-2.0 */
/* Queries as bytes: what is written is read again, to the last bit and the same words; what is cut
   off, longer, of another version or changed by a bit is refused, or is a query that makes
   sense. */
#include <stdio.h>

#include "query_samples.h"
#include "tap.h"

static tacit_ctx *ctx;
static tac_engine engine;
static sample_rows all;

/* A query that was read: its bytes are the ones it came from, and it answers or is refused. Words
   of more than this are not asked for. */
enum { MOST_ASKED = 1 << 14 };

static bool is_sound(const tac_query *q, const sample *s, const uint8_t *bytes, size_t count)
{
    uint8_t *again = NULL;
    size_t length = 0, words;
    tac_words out = {0};

    if (tac_query_write(ctx, q, &again, &length) != TACIT_OK ||
        tac_query_check(ctx, q, &words) != TACIT_OK)
        return false;
    const bool same = length == count && memcmp(again, bytes, count) == 0;
    if (words <= MOST_ASKED && tac_evaluate(ctx, &engine, q, shard_for(s, &all), &out) != TACIT_OK)
        MUST(tacit_ctx_message(ctx)[0] != '\0');
    tac_free(out.word);
    tac_free(again);
    return same;
}

static void test_round_trips(void)
{
    int bytes_differ = 0, words_differ = 0, kept = 0, lent = 0;

    for (int i = 0; i < SAMPLES; i++) {
        const tac_query *q = &samples[i].q;
        uint8_t *bytes = NULL, *copy;
        tac_query *back = NULL;
        size_t count = 0;
        tac_words one = {0}, two = {0};
        const tacit_status written = tac_query_write(ctx, q, &bytes, &count);
        if (written != TACIT_OK) printf("# %s: %s\n", samples[i].name, tacit_ctx_message(ctx));
        MUST(written == TACIT_OK && (copy = malloc(count)) != NULL);
        memcpy(copy, bytes, count);
        MUST(tac_query_read(ctx, copy, count, &back) == TACIT_OK);
        memset(copy, 0x5a, count); /* a query that was read owns its numbers */
        bytes_differ += !is_sound(back, &samples[i], bytes, count);
        lent += back->cells.centers != NULL && (const uint8_t *)back->cells.centers >= copy &&
                (const uint8_t *)back->cells.centers < copy + count;
        const tacit_status first =
            tac_evaluate(ctx, &engine, q, shard_for(&samples[i], &all), &one);
        const tacit_status second =
            tac_evaluate(ctx, &engine, back, shard_for(&samples[i], &all), &two);
        kept += first == TACIT_OK;
        words_differ +=
            first != second || one.count != two.count ||
            (one.count > 0 && memcmp(one.word, two.word, one.count * sizeof *one.word) != 0);
        tac_free(one.word), tac_free(two.word), tac_free(back), tac_free(bytes), free(copy);
    }
    CHECK(bytes_differ == 0 && lent == 0,
          "%d queries are written, read and written again: the same bytes (%d differ)", SAMPLES,
          bytes_differ);
    CHECK(words_differ == 0 && kept > 25,
          "... and the same exact words (%d differ, %d are evaluated)", words_differ, kept);
}

/* Every shorter piece, one byte more, every bit the other way round. */
static void test_damage(void)
{
    long cut_taken = 0, cuts = 0, flips = 0, taken = 0, unsound = 0, silent = 0;

    for (int i = 0; i < SAMPLES; i++) {
        uint8_t *bytes = NULL, *copy;
        size_t count = 0;
        tac_query *q = NULL;
        MUST(tac_query_write(ctx, &samples[i].q, &bytes, &count) == TACIT_OK);
        for (size_t length = 0; length <= count + 1; length++) {
            if (length == count) continue;
            /* its own block: a look beyond its end is seen by a sanitizer */
            copy = calloc(1, length + (length == 0));
            MUST(copy != NULL);
            memcpy(copy, bytes, length < count ? length : count);
            cuts++;
            cut_taken += tac_query_read(ctx, copy, length, &q) == TACIT_OK || q != NULL;
            tac_free(q);
            free(copy);
        }
        copy = malloc(count);
        MUST(copy != NULL);
        memcpy(copy, bytes, count);
        for (size_t bit = 0; bit < 8 * count; bit++, flips++) {
            copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
            ctx->message[0] = '\0';
            const tacit_status status = tac_query_read(ctx, copy, count, &q);
            silent += status != TACIT_OK &&
                      (q != NULL || ctx->message[0] == '\0' || status == TACIT_E_INTERNAL);
            taken += status == TACIT_OK;
            if (status == TACIT_OK) unsound += !is_sound(q, &samples[i], copy, count);
            tac_free(q);
            copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        tac_free(bytes);
        free(copy);
    }
    CHECK(cut_taken == 0, "%ld pieces and queries with a byte more are refused (%ld are taken)",
          cuts, cut_taken);
    CHECK(silent == 0 && taken < flips,
          "%ld flipped bits: %ld are refused, each with a sentence (%ld are not)", flips,
          flips - taken, silent);
    CHECK(unsound == 0,
          "... %ld others are queries that make sense and say what their bytes say (%ld do not)",
          taken, unsound);
}

/* Numbers that say more than there is, or what there is not. */
static void test_hostile(void)
{
    uint8_t *bytes = NULL;
    size_t count = 0;
    tac_query *q = NULL, bad = samples[2].q;
    int taken = 0;

    MUST(bad.kind == TAC_KIND_HISTOGRAM && tac_query_write(ctx, &bad, &bytes, &count) == TACIT_OK);
    /* query_bytes.c */
    enum { KIND_AT = 4, VALUES_AT = 8, BATCH_AT = 12, DIMS_AT = 16, CELLS_AT = 24, COUNT_AT = 32 };
    const struct {
        size_t at;
        uint32_t number;
    } hostile[] = {{0, 0x51740002},
                   {0, 0},
                   {KIND_AT, TAC_KINDS},
                   {KIND_AT, UINT32_MAX},
                   {KIND_AT, TAC_KIND_CUBES},
                   {KIND_AT, TAC_KIND_TABLE},
                   {VALUES_AT, 2},
                   {BATCH_AT, 0},
                   {BATCH_AT, UINT32_C(0x80000000)},
                   {DIMS_AT, 0},
                   {DIMS_AT, UINT32_MAX},
                   {DIMS_AT, INT32_MAX},
                   {DIMS_AT + 4, UINT32_C(0x80000001)},
                   {CELLS_AT, 6},
                   {CELLS_AT, TAC_GRID},
                   {CELLS_AT + 4, 1},
                   {COUNT_AT, 0},
                   {COUNT_AT, INT32_MAX},
                   {COUNT_AT, UINT32_MAX},
                   {COUNT_AT, 1 << 24}};
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        uint8_t *copy = malloc(count);
        MUST(copy != NULL);
        memcpy(copy, bytes, count);
        for (int b = 0; b < 4; b++)
            copy[hostile[i].at + (size_t)b] = (uint8_t)(hostile[i].number >> 8 * b);
        const tacit_status status = tac_query_read(ctx, copy, count, &q);
        if (status == TACIT_OK) printf("# number %zu is taken\n", i);
        taken += status != TACIT_E_FORMAT;
        tac_free(q);
        free(copy);
    }
    CHECK(taken == 0,
          "versions, kinds, views and sizes that there are not are refused (%d are taken)", taken);
    tac_free(bytes);
    bad.cells.count = -1;
    CHECK(tac_query_write(ctx, &bad, &bytes, &count) != TACIT_OK && bytes == NULL,
          "a query that makes no sense is not written");
    bad.kind = TAC_KINDS;
    CHECK(tac_query_write(ctx, &bad, &bytes, &count) != TACIT_OK, "... nor one of no kind");
}

/* A query that makes sense, asked of rows that are others than it says: never evaluated. */
static void test_other_rows(void)
{
    int answered = 0, asked = 0;

    for (int i = 0; i < SAMPLES; i++)
        for (int how = 0; how < 4; how++) {
            tac_query q = samples[i].q;
            tac_shard shard = *shard_for(&samples[i], &all);
            const bool counts = tac_kind_lines[q.kind].rows == TAC_TAKES_COUNTS;
            tac_lattice narrow = *shard.lattice[q.values];
            tac_words out = {0};
            if (tac_kind_lines[q.kind].evaluate == NULL) continue;
            narrow.dims--;
            if (how == 0)
                shard.lattice[TAC_ROWS] = shard.lattice[TAC_PROJECTED] = NULL, shard.counts = NULL;
            if (how == 1) q.columns--, q.dims[q.values] = 1, q.dims[q.cells.view] = 1;
            if (how == 2 && !counts)
                shard.lattice[TAC_ROWS] = samples[i].sparse ? &all.rows : &all.sparse,
                shard.lattice[TAC_PROJECTED] = NULL;
            if (how == 2 && counts) q.rows--;
            if (how == 3 && counts) shard.batch = NULL, q.batch = 0;
            if (how == 3 && !counts) shard.lattice[q.values] = &narrow;
            asked++;
            const tacit_status status = tac_evaluate(ctx, &engine, &q, &shard, &out);
            if (status == TACIT_OK) printf("# %s is answered (%d)\n", samples[i].name, how);
            answered += status == TACIT_OK;
            tac_free(out.word);
        }
    CHECK(answered == 0, "%d queries that do not fit their rows are not evaluated (%d are)", asked,
          answered);
}

/* The corpus of fuzz/fuzz_query.c: test_query_bytes FOLDER writes it. The first byte says which
   rows are asked. */
static void write_corpus(const char *folder)
{
    for (int i = 0; i < SAMPLES; i++) {
        char path[1000];
        uint8_t *bytes = NULL;
        size_t count = 0;
        MUST(tac_query_write(ctx, &samples[i].q, &bytes, &count) == TACIT_OK);
        snprintf(path, sizeof path, "%s/%s", folder, samples[i].name);
        for (char *at = path + strlen(folder) + 1; *at != '\0'; at++)
            if (*at == ' ' || *at == ',') *at = '_';
        FILE *file = fopen(path, "wb");
        MUST(file != NULL && fputc(samples[i].sparse, file) != EOF &&
             fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
        tac_free(bytes);
    }
}

int main(int argc, char **argv)
{
    int64_t row[S_ROWS];

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    tac_engine_threads(ctx, &engine);
    for (int64_t i = 0; i < S_ROWS; i++) row[i] = i;
    make_rows(&all, row, S_ROWS, false);
    if (argc > 1) {
        write_corpus(argv[1]);
        return 0;
    }
    CHECK(kinds_without_sample()[0] == '\0', "every kind has a sample%s", kinds_without_sample());
    test_round_trips();
    test_damage();
    test_hostile();
    test_other_rows();
    tacit_ctx_free(ctx);
    return tap_done();
}
