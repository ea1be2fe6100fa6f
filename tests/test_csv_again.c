/* SPDX-License-Identifier: Apache-2.0 */
/* CSV files that memory does not hold: rows that are read again, in any blocks and by several
   threads, are those of the same file in memory, and a file that has changed is an error. */
#include "data/readers/csv.h"
#include "reading.h"

#include <pthread.h>
#include <sys/stat.h>
#include <utime.h>

enum { COLUMNS = 4, ROWS = 9000, READERS = 3 };

static uint64_t dice_state = 88172645463325252u;

static uint64_t dice(uint64_t sides)
{
    dice_state ^= dice_state << 13;
    dice_state ^= dice_state >> 7;
    dice_state ^= dice_state << 17;
    return (dice_state >> 11) % sides;
}

/* Numbers, a person, a note with quotes, separators and line feeds; some lines end with CR LF. */
static void write_file(int64_t rows, bool bom, bool last_feed)
{
    FILE *f = fopen(file_path, "wb");

    MUST(f != NULL);
    if (bom) fputs("\xef\xbb\xbf", f);
    fputs("x,who,note,y\n", f);
    for (int64_t i = 0; i < rows; i++) {
        static const char *const notes[] = {
            "", "plain", "\"a, b\"", "\"two\nlines\"", "\"she said \"\"no\"\"\"", "it's"};
        const bool last = i + 1 == rows;
        if (dice(30) == 0)
            fputs("NA", f);
        else
            fprintf(f, "%.*g", 3 + (int)dice(14), (double)dice(1000003) / 997);
        fprintf(f, ",p%d,", (int)dice(400));
        const bool long_note = dice(3000) == 0; /* longer than a span */
        for (int k = 0; long_note && k < 40000; k++) fputc('z', f);
        fprintf(f, "%s,%d%s", notes[long_note ? 1 : dice(6)], (int)i,
                last && !last_feed ? ""
                : dice(5) == 0     ? "\r\n"
                                   : "\n");
    }
    if (last_feed) fputs("\n\n", f); /* blank lines may follow */
    MUST(fclose(f) == 0);
}

static const int32_t chosen[] = {3, 0};

static tac_reader *open_file(int64_t memory)
{
    const tac_selection selection = {.dims = 2,
                                     .column = chosen,
                                     .label = 2,
                                     .unit = 1,
                                     .missing = TACIT_MISSING_DROP_ROW,
                                     .person_key = {{1, 2, 3}}};
    tac_reader *r = NULL;

    MUST(tac_open_format(ctx, file_path, TACIT_FORMAT_CSV, &r) == TACIT_OK);
    ctx->memory = memory;
    const tacit_status status = r->load(r, ctx, &selection);
    ctx->memory = 0;
    if (status == TACIT_OK) return r;
    printf("# %s\n", ctx->message);
    r->close(r);
    return NULL;
}

typedef struct job {
    const tac_reader *held, *again;
    uint64_t seed;
    long wrong;
} job;

/* Blocks at random, from both readers. */
static void *compare(void *payload)
{
    job *j = payload;
    static const int64_t most = 1500;
    double *a = malloc(2 * (size_t)most * sizeof *a), *b = malloc(2 * (size_t)most * sizeof *b);
    tac_person *p = malloc((size_t)most * sizeof *p), *q = malloc((size_t)most * sizeof *q);
    uint64_t state = j->seed;

    MUST(a != NULL && b != NULL && p != NULL && q != NULL);
    for (int turn = 0; turn < 60 && j->held->rows > 0; turn++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const int64_t first = (int64_t)(state >> 33) % j->held->rows;
        const int64_t left = j->held->rows - first;
        int64_t count = (int64_t)(state >> 17) % most + 1;
        if (count > left) count = left;
        const bool read = j->held->read(j->held, first, count, a) == TACIT_OK &&
                          j->again->read(j->again, first, count, b) == TACIT_OK &&
                          j->held->read_units(j->held, first, count, p) == TACIT_OK &&
                          j->again->read_units(j->again, first, count, q) == TACIT_OK;
        bool same_rows = read;
        for (int64_t i = 0; same_rows && i < 2 * count; i++) same_rows = same(a[i], b[i]);
        j->wrong += !same_rows || memcmp(p, q, (size_t)count * sizeof *p) != 0;
    }
    free(a);
    free(b);
    free(p);
    free(q);
    return NULL;
}

static void test_same(int64_t rows, bool bom, bool last_feed, int64_t block)
{
    pthread_t thread[READERS];
    job jobs[READERS];
    long wrong = 0;

    write_file(rows, bom, last_feed);
    ctx->block_bytes = block;
    tac_reader *held = open_file(0), *again = open_file(1);
    MUST(held != NULL && again != NULL);
    for (int i = 0; i < READERS; i++) {
        jobs[i] = (job){.held = held, .again = again, .seed = (uint64_t)i * 977 + 5};
        MUST(pthread_create(&thread[i], NULL, compare, &jobs[i]) == 0);
    }
    for (int i = 0; i < READERS; i++) {
        pthread_join(thread[i], NULL);
        wrong += jobs[i].wrong;
    }
    CHECK(wrong == 0 && held->rows == rows && again->rows == rows &&
              (rows == 0 || ((const tac_csv *)again)->values == NULL) &&
              memcmp(held->label, again->label, (size_t)rows * sizeof *held->label) == 0,
          "%d rows%s%s, blocks of %d bytes: the same values, persons and labels, none held",
          (int)rows, bom ? ", a mark before the header" : "", last_feed ? ", blank lines" : "",
          (int)block);
    held->close(held);
    again->close(again);
}

/* What somebody does to the file between two passes. */
static void change(int how)
{
    struct stat about;
    FILE *f = NULL;

    MUST(stat(file_path, &about) == 0);
    if (how == 0) MUST(truncate(file_path, about.st_size / 2) == 0);
    if (how == 1) MUST((f = fopen(file_path, "ab")) != NULL && fputs("1,p1,,2\n", f) >= 0);
    if (how == 2)
        MUST((f = fopen(file_path, "r+b")) != NULL && fseek(f, 100, SEEK_SET) == 0 &&
             fputc('7', f) == '7');
    if (f != NULL) MUST(fclose(f) == 0);
    /* a clock may tick as slowly as it likes */
    const struct utimbuf later = {about.st_atime, about.st_mtime + 5};
    MUST(utime(file_path, &later) == 0);
}

static void test_changed(void)
{
    static const char *const what[] = {"cut", "grown", "written to"};
    static double rows[2 * 10];

    for (int how = 0; how < 3; how++) {
        write_file(ROWS, false, false);
        ctx->block_bytes = 65536;
        tac_reader *r = open_file(1);
        MUST(r != NULL && r->read(r, 5, 10, rows) == TACIT_OK);
        change(how);
        CHECK(r->read(r, ROWS - 10, 10, rows) == TACIT_E_READ &&
                  r->read(r, 5, 10, rows) == TACIT_E_READ,
              "a file that was %s between two passes is an error", what[how]);
        r->close(r);
    }
}

/* A pipe has no places to go back to. */
static void test_refused(void)
{
    tac_reader *r = NULL;
    const tac_selection all = {.dims = 2, .column = chosen, .label = -1, .unit = -1};

    unlink(file_path);
    MUST(mkfifo(file_path, 0600) == 0);
    FILE *pipe = fopen(file_path, "r+");
    MUST(pipe != NULL && fputs("x,who,note,y\n1,2,3,4\n", pipe) >= 0 && fflush(pipe) == 0);
    MUST(tac_open_format(ctx, file_path, TACIT_FORMAT_CSV, &r) == TACIT_OK);
    ctx->memory = 1 << 24;
    CHECK(tac_rules_check(ctx, r, &all) == TACIT_E_ARGUMENT &&
              strstr(ctx->message, "within a limit of memory") != NULL,
          "a pipe beside a limit of memory is refused before a row is read");
    ctx->memory = 0;
    r->close(r);
    fclose(pipe);
}

int main(void)
{
    static const int64_t blocks[] = {1, 65536, 262144};

    start();
    for (size_t i = 0; i < 3; i++)
        for (int how = 0; how < 4; how++)
            test_same(i == 0 ? 50 : ROWS, how % 2 == 1, how >= 2, blocks[i]);
    test_same(0, false, false, 65536);
    test_changed();
    test_refused();
    finish();
    return tap_done();
}
