/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of readers share: files in a temporary folder, a file read whole, a file
   refused. */
#ifndef TAC_TEST_READING_H
#define TAC_TEST_READING_H

#include "data/readers/reader_internal.h"
#include "person_codes.h"
#include "tap.h"

#include <math.h>
#include <unistd.h>

static char folder[] = "/tmp/tacit-test-XXXXXX";
static char file_path[sizeof folder + 32];
static tacit_ctx *ctx;

__attribute__((unused)) static void start(void)
{
    MUST(mkdtemp(folder) != NULL);
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    snprintf(file_path, sizeof file_path, "%s/data", folder);
}

__attribute__((unused)) static void finish(void)
{
    tacit_ctx_free(ctx);
    unlink(file_path);
    rmdir(folder);
}

__attribute__((unused)) static void put(const void *bytes, size_t count)
{
    unlink(file_path); /* some file systems flush a file that is cut and written again */
    FILE *file = fopen(file_path, "wb");
    MUST(file != NULL && (count == 0 || fwrite(bytes, 1, count, file) == count) &&
         fclose(file) == 0);
}

#define PUT(text) put((text), sizeof(text) - 1)

/* What a reader made of a file. */
typedef struct table {
    tacit_status status;
    bool opened;
    int64_t rows;
    int32_t columns, dims;
    double *values;
    int64_t *label, *unit;
    char names[256];
} table;

__attribute__((unused)) static void table_clear(table *t)
{
    free(t->values);
    free(t->label);
    free(t->unit);
    memset(t, 0, sizeof *t);
}

static int64_t *copy_codes(const int64_t *codes, int64_t rows)
{
    int64_t *copy = codes == NULL ? NULL : malloc((size_t)rows * sizeof *copy);
    if (copy != NULL) memcpy(copy, codes, (size_t)rows * sizeof *copy);
    return copy;
}

/* Load an opened reader with label and unit columns (-1: none) and read it in blocks of 3 rows; all
   other columns are features, or those of `columns` (ended by -1) if given. Closes it. */
__attribute__((unused)) static table take(tac_reader *r, int32_t label, int32_t unit,
                                          tacit_missing missing, const int32_t *columns)
{
    table t = {.opened = true, .columns = r->schema.columns};
    int32_t *chosen = malloc(((size_t)r->schema.columns + 1) * sizeof *chosen);
    for (int32_t c = 0; columns == NULL && c < r->schema.columns; c++)
        if (c != label && c != unit && c != r->schema.label_only) chosen[t.dims++] = c;
    for (; columns != NULL && columns[t.dims] >= 0; t.dims++) chosen[t.dims] = columns[t.dims];
    for (int32_t c = 0; c < r->schema.columns && strlen(t.names) + strlen(r->schema.names[c]) < 250;
         c++)
        strcat(strcat(t.names, c == 0 ? "" : "|"), r->schema.names[c]);

    const tac_selection selection = {
        .dims = t.dims, .column = chosen, .label = label, .unit = unit, .missing = missing};
    t.status = r->load(r, ctx, &selection);
    if (t.status == TACIT_OK) {
        t.rows = r->rows;
        t.values = malloc((size_t)t.rows * (size_t)t.dims * sizeof *t.values + 1);
        for (int64_t i = 0; i < t.rows && t.status == TACIT_OK; i += 3)
            t.status = r->read(r, i, t.rows - i < 3 ? t.rows - i : 3, t.values + i * t.dims);
        t.label = copy_codes(r->label, t.rows);
        t.unit = unit < 0 ? NULL : reader_persons(r);
    }
    r->close(r);
    free(chosen);
    return t;
}

/* Open what `put` wrote as a format and take it. */
__attribute__((unused)) static table read_as(tacit_format format, int32_t label, int32_t unit,
                                             tacit_missing missing, const int32_t *columns)
{
    tac_reader *r = NULL;
    ctx->message[0] = '\0';
    const tacit_status status = tac_open_format(ctx, file_path, format, &r);
    if (status == TACIT_OK) return take(r, label, unit, missing, columns);
    const table none = {.status = status};
    return none;
}

__attribute__((unused)) static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

__attribute__((unused)) static bool holds(const table *t, int64_t rows, int32_t dims,
                                          const double *values)
{
    if (t->status != TACIT_OK || t->rows != rows || t->dims != dims) return false;
    for (int64_t i = 0; i < rows * dims; i++)
        if (!same(t->values[i], values[i])) return false;
    return true;
}

__attribute__((unused)) static bool has_codes(const int64_t *codes, int64_t rows,
                                              const int64_t *expected)
{
    return codes != NULL && memcmp(codes, expected, (size_t)rows * sizeof *codes) == 0;
}

/* The bytes are refused with `status`; the sentence says each of `words` (separated by '|') and
   neither 777 nor secret, which stand for values in the bytes. */
__attribute__((unused)) static void refuses(tacit_format format, const void *bytes, size_t count,
                                            int32_t label, int32_t unit, tacit_missing missing,
                                            tacit_status status, const char *words,
                                            const char *what)
{
    char copy[256], *rest = copy, *word;
    bool good, hidden;

    put(bytes, count);
    table t = read_as(format, label, unit, missing, NULL);
    const char *message = tacit_ctx_message(ctx);
    hidden = strstr(message, "777") == NULL && strstr(message, "secret") == NULL;
    good = t.status == status && strstr(message, file_path) == message && hidden &&
           message[strlen(message) - 1] != '.' && strlen(message) > strlen(file_path) + 10;
    snprintf(copy, sizeof copy, "%s", words);
    while ((word = strsep(&rest, "|")) != NULL) good = good && strstr(message, word) != NULL;
    CHECK(good, "refused: %s%s", what,
          hidden ? "" : ", and the sentence shows a value of the data");
    if (!good) printf("# status %d: %s\n", (int)t.status, message);
    table_clear(&t);
}

__attribute__((unused)) static bool said(const char *words)
{
    return strstr(tacit_ctx_message(ctx), words) != NULL;
}

static uint64_t random_state = 1;

/* splitmix64: tests need numbers that look random and are always the same. */
__attribute__((unused)) static uint64_t random_bits(void)
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Change some bytes of a valid file, cut it or put bytes in, and read it: whatever it says, it must
   not crash. */
__attribute__((unused)) static void mutate(tacit_format format, const char *seed, size_t count,
                                           int32_t label, int32_t unit, long times,
                                           const char *what)
{
    static const char liked[] = "\n\r\",\t 0123456789-.eE%#:\0\xff{}()'";
    char *bytes = malloc(2 * count + 16);
    long accepted = 0, strange = 0;

    for (long k = 0; k < times; k++) {
        size_t size = count;
        memcpy(bytes, seed, count);
        for (uint64_t n = 1 + random_bits() % 4; n > 0 && size > 0; n--) {
            const size_t at = (size_t)(random_bits() % size);
            switch (random_bits() % 5) {
            case 0: bytes[at] = (char)random_bits(); break;
            case 1: bytes[at] = liked[random_bits() % (sizeof liked - 1)]; break;
            case 2: size = at; break;
            case 3: memmove(bytes + at, bytes + at + 1, --size - at); break;
            default:
                if (size < 2 * count) {
                    memmove(bytes + at + 1, bytes + at, size++ - at);
                    bytes[at] = liked[random_bits() % (sizeof liked - 1)];
                }
            }
        }
        put(bytes, size);
        ctx->threads = 1 + (int)(random_bits() % 3);
        ctx->block_bytes = 1 + (int64_t)(random_bits() % 64);
        table t = read_as(format, label, unit, TACIT_MISSING_MIDPOINT, NULL);
        accepted += t.status == TACIT_OK;
        strange +=
            t.status != TACIT_OK && t.status != TACIT_E_FORMAT && t.status != TACIT_E_ARGUMENT;
        table_clear(&t);
    }
    ctx->threads = 1;
    ctx->block_bytes = 1 << 18;
    /* of few changes all may be refused */
    CHECK(strange == 0 && (accepted > 0 || times < 1000) && accepted < times,
          "%s: %ld changed files, %ld still accepted, none crashed", what, times, accepted);
    free(bytes);
}

#endif
