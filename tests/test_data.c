/* SPDX-License-Identifier: Apache-2.0 */
/* The data set handle: which columns, what bounds, whose rows. */
#include "core/cpu.h"
#include "data/dataset/dataset.h"
#include "data/readers/array_rows.h"
#include "person_codes.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

static tacit_ctx *ctx;
static char folder[] = "/tmp/tacit-test-XXXXXX";

static const char *file(const char *name, const char *text)
{
    static char path[4][256];
    static int turn;
    char *p = path[turn++ % 4];
    snprintf(p, 256, "%s/%s", folder, name);
    FILE *f = fopen(p, "wb");
    MUST(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
    return p;
}

static tacit_status open_with(const char *path, const char *columns, const char *label,
                              const char *unit, tacit_data **out)
{
    tacit_data_opts o;
    tacit_data_opts_init(&o, sizeof o);
    o.columns = columns;
    o.label_column = label;
    o.unit_column = unit;
    return tacit_data_open(ctx, path, &o, out);
}

static bool says(const char *words)
{
    const bool found = strstr(tacit_ctx_message(ctx), words) != NULL;
    if (!found) printf("# it says: %s\n", tacit_ctx_message(ctx));
    return found;
}

static void test_columns(const char *path)
{
    tacit_data *d = NULL;

    CHECK(open_with(path, NULL, NULL, NULL, &d) == TACIT_OK && tacit_data_column_count(d) == 4,
          "all columns by default");
    tacit_data_free(d);
    CHECK(open_with(path, NULL, "group", "id", &d) == TACIT_OK && tacit_data_column_count(d) == 2 &&
              strcmp(tacit_data_column_get(d, 1), "stay") == 0 &&
              tacit_data_column_get(d, 2) == NULL,
          "label and unit columns are set aside");
    tacit_data_free(d);
    CHECK(open_with(path, "stay,2", NULL, NULL, &d) == TACIT_OK &&
              strcmp(tacit_data_column_get(d, 0), "stay") == 0 &&
              strcmp(tacit_data_column_get(d, 1), "age") == 0,
          "columns by name or number, in the order given");
    tacit_data_free(d);
    CHECK(open_with(path, "agge", NULL, NULL, &d) == TACIT_E_ARGUMENT && d == NULL &&
              says("did you mean 'age'?"),
          "a typo gets a suggestion");
    CHECK(open_with(path, "age,age", NULL, NULL, &d) == TACIT_E_ARGUMENT && says("twice"),
          "a column named twice");
    CHECK(open_with(path, "age,", NULL, NULL, &d) == TACIT_E_ARGUMENT && says("empty name"),
          "an empty name");
    CHECK(open_with(path, "age", "age", NULL, &d) == TACIT_E_ARGUMENT && says("already the label"),
          "a label cannot be a feature");
    CHECK(open_with(path, NULL, "id", "id", &d) == TACIT_E_ARGUMENT && says("the same"),
          "label and unit cannot be one column");
    CHECK(open_with(path, "9", NULL, NULL, &d) == TACIT_E_ARGUMENT && says("does not have"),
          "a number beyond the last column");
}

static void test_bounds(const char *path)
{
    tacit_data *d = NULL;
    MUST(open_with(path, "age,stay", NULL, NULL, &d) == TACIT_OK);
    CHECK(tacit_data_declare_bounds(ctx, d, "0:1") == TACIT_OK && d->domain.upper[1] == 1,
          "one range for all");
    CHECK(tacit_data_declare_bounds(ctx, d, "stay=-5:60,age=0:1.2e2") == TACIT_OK &&
              d->domain.lower[1] == -5 && d->domain.upper[0] == 120,
          "ranges by name");
    CHECK(tacit_data_declare_bounds(ctx, d,
                                    file("b.csv", "column,lower,upper\nage,0,120\r\n\"stay\",0,"
                                                  "60\ngroup,0,1\n")) == TACIT_OK &&
              d->domain.upper[1] == 60,
          "ranges from a file, columns not in use are passed over");
    CHECK(tacit_data_declare_bounds(ctx, d, "age=0:120") == TACIT_E_DOMAIN && says("'stay'"),
          "a column without bounds is named");
    CHECK(tacit_data_declare_bounds(ctx, d, "age=0:120,stya=0:9") == TACIT_E_DOMAIN &&
              says("did you mean 'stay'?"),
          "a near name is suggested");
    CHECK(tacit_data_declare_bounds(ctx, d, "age=0:120,age=0:9,stay=0:1") == TACIT_E_DOMAIN &&
              says("twice"),
          "named twice");
    CHECK(tacit_data_declare_bounds(ctx, d, "9:1") == TACIT_E_DOMAIN && says("reversed"), "reverse"
                                                                                          "d");
    CHECK(tacit_data_declare_bounds(ctx, d, "1:1") == TACIT_E_DOMAIN && says("equal"), "equal");
    CHECK(tacit_data_declare_bounds(ctx, d, "nan:1") == TACIT_E_DOMAIN && says("not two finite "
                                                                               "numbers"),
          "not a number");
    CHECK(tacit_data_declare_bounds(ctx, d, "0:1e400") == TACIT_E_DOMAIN, "too large");
    CHECK(tacit_data_declare_bounds(ctx, d, "age=0:1,stay") == TACIT_E_DOMAIN && says("':'"),
          "a part without a range");
    CHECK(tacit_data_declare_bounds(ctx, d, "age=0-1") == TACIT_E_DOMAIN && says("age=0:100"),
          "a range without its mark is no file name");
    CHECK(tacit_data_declare_bounds(ctx, d, "") == TACIT_E_DOMAIN && says("empty"), "empty bounds");
    CHECK(tacit_data_declare_bounds(ctx, d, "no-such-file") == TACIT_E_OPEN && says("no-such-file"),
          "a bounds file that is not there");
    CHECK(tacit_data_declare_bounds(ctx, d, file("c.csv", "name,low,high\nage,0,1\n")) ==
                  TACIT_E_DOMAIN &&
              says("column,lower,upper"),
          "a bounds file with another header");
    CHECK(tacit_data_declare_bounds(ctx, d, file("e.csv", "column,lower,upper\nage,0\n")) ==
                  TACIT_E_DOMAIN &&
              says("line 2"),
          "a short line");
    CHECK(d->domain.kind == TAC_DOMAIN_BOX && d->domain.upper[1] == 60, "after all the failures "
                                                                        "the last good bounds "
                                                                        "stand");
    CHECK(tacit_data_set_ball(ctx, d, NULL, 0) == TACIT_E_DOMAIN &&
              tacit_data_set_ball(ctx, d, NULL, -1) == TACIT_E_DOMAIN,
          "a ball wants a radius");
    CHECK(tacit_data_set_ball(ctx, d, (double[]){1, 2}, 3) == TACIT_OK &&
              d->domain.kind == TAC_DOMAIN_BALL,
          "a ball");
    tacit_data_free(d);
}

/* A person's kept rows: at most so many, from their own rows alone, whatever the order of the
   file. */
static void test_units(void)
{
    enum { N = 60, MOST = 3 };
    int owner[N], value[N], order[N];
    bool bounded = true, stable = true, local = true;
    char kept_sets[4][20][MOST * 8] = {{{0}}};

    for (int i = 0; i < N; i++) {
        owner[i] = (i * 7) % 13;
        value[i] = (i * 31) % 17;
        order[i] = i;
    }
    for (int turn = 0; turn < 4; turn++) {
        char text[N * 24] = "id,x\n";
        int rows = 0, used[N];
        for (int i = 0; i < N; i++) {
            const int r = order[turn % 2 ? N - 1 - i : i];
            if (turn >= 2 && owner[r] == 5) continue; /* a neighboring data set: one person fewer */
            snprintf(text + strlen(text), sizeof text - strlen(text), "p%d,%d\n", owner[r],
                     value[r]);
            used[rows++] = r;
        }
        tacit_data *d = NULL;
        uint64_t *keep = NULL;
        MUST(open_with(file("u.csv", text), NULL, NULL, "id", &d) == TACIT_OK);
        MUST(tac_data_load(ctx, d, NULL) == TACIT_OK &&
             tac_data_kept(ctx, d, MOST, &keep) == TACIT_OK && keep != NULL);
        for (int person = 0; person < 13; person++) {
            int count[17] = {0}, kept = 0, owned = 0;
            for (int i = 0; i < rows; i++)
                if (owner[used[i]] == person) {
                    owned++;
                    if (tac_is_kept(keep, i)) kept++, count[value[used[i]]]++;
                }
            bounded = bounded && kept == (owned < MOST ? owned : MOST);
            for (int v = 0; v < 17; v++)
                for (int c = 0; c < count[v]; c++)
                    snprintf(kept_sets[turn][person] + strlen(kept_sets[turn][person]), 8, "%d ",
                             v);
            if (turn == 1)
                stable = stable && strcmp(kept_sets[0][person], kept_sets[1][person]) == 0;
            if (turn >= 2 && person != 5)
                local = local && strcmp(kept_sets[0][person], kept_sets[turn][person]) == 0;
        }
        tac_free(keep);
        tacit_data_free(d);
    }
    CHECK(bounded, "no person keeps more than %d rows, nor fewer than they could", MOST);
    CHECK(stable, "which ones does not depend on the order of the file");
    CHECK(local, "nor on anyone else's rows");
}

/* Persons of rows in memory have any 64-bit number: those that agree in their lower half are apart,
   and each is bounded. */
static void test_wide_units(void)
{
    enum { N = 120, PERSONS = 4, MOST = 3 };
    static const int64_t person[PERSONS] = {1, INT64_C(1) + (INT64_C(1) << 32),
                                            INT64_C(1) + (INT64_C(1) << 33),
                                            INT64_C(1) + (INT64_C(1) << 62)};
    double value[N];
    int64_t unit[N];
    int kept[PERSONS] = {0};
    tacit_data *d = NULL;
    uint64_t *keep = NULL;
    bool good = true;

    for (int i = 0; i < N; i++) value[i] = (i * 31) % 101, unit[i] = person[(i * 7) % PERSONS];
    MUST(tacit_data_from_memory(ctx, value, TACIT_F64, N, 1, &d) == TACIT_OK &&
         tacit_data_set_units(ctx, d, unit, NULL) == TACIT_OK);
    MUST(tac_data_load(ctx, d, NULL) == TACIT_OK &&
         tac_data_kept(ctx, d, MOST, &keep) == TACIT_OK && keep != NULL);
    for (int i = 0; i < N; i++) kept[(i * 7) % PERSONS] += tac_is_kept(keep, i);
    for (int p = 0; p < PERSONS; p++) good = good && kept[p] == MOST;
    CHECK(good, "persons whose numbers differ by multiples of 2^32 are apart: each keeps %d rows",
          MOST);
    tac_free(keep);
    tacit_data_free(d);
}

/* Names of persons as long as they like: whoever differs in one byte, wherever, is another person;
   whoever does not is the same. */
static void test_long_names(void)
{
    static const int lengths[] = {1,  8,   15,  16,  17,  31,  32,  33,   63,   64,  65,
                                  66, 127, 128, 129, 255, 256, 257, 1023, 1025, 4097};
    enum {
        LENGTHS = sizeof lengths / sizeof *lengths,
        LONGEST = 4097,
        PERSONS = 4,
        TIMES = 2,
        ROWS = PERSONS * TIMES
    };
    static char text[ROWS * (LONGEST + 32) + 32];
    long merged = 0, split = 0, longest = 0;

    for (int l = 0; l < LENGTHS; l++)
        /* the byte that differs: the first, the middle one, the last */
        for (int where = 0; where < 3; where++) {
            const int at = where == 0 ? 0 : where == 1 ? lengths[l] / 2 : lengths[l] - 1;
            tacit_data *d = NULL;
            char *to = text;
            to += sprintf(to, "id,x\n");
            for (int i = 0; i < ROWS; i++) {
                memset(to, 'a', (size_t)lengths[l]);
                to[at] = (char)('b' + i % PERSONS);
                to += lengths[l];
                to += sprintf(to, ",%d\n", i);
            }
            MUST(open_with(file("n.csv", text), NULL, NULL, "id", &d) == TACIT_OK &&
                 tac_data_load(ctx, d, NULL) == TACIT_OK);
            int64_t *unit = reader_persons(d->reader);
            MUST(d->reader->rows == ROWS && unit != NULL);
            for (int i = 0; i < ROWS; i++)
                for (int j = 0; j < i; j++) {
                    const bool same = unit[i] == unit[j];
                    merged += same && i % PERSONS != j % PERSONS;
                    split += !same && i % PERSONS == j % PERSONS;
                    if (same && i % PERSONS != j % PERSONS && lengths[l] > longest)
                        longest = lengths[l];
                }
            free(unit);
            tacit_data_free(d);
        }
    CHECK(merged == 0,
          "persons whose long names have a common beginning stay apart (%ld pairs are one, names "
          "of up to %ld bytes)",
          merged, longest);
    CHECK(split == 0, "and each stays one (%ld pairs are two)", split);
}

/* Arrays as doubles, and which rows lack a value: the same on every path, at any alignment and
   length. */
static void test_paths(void)
{
    static const char *const paths[] = {"portable", "avx2", "avx512vnni"};
    static const tacit_type types[] = {TACIT_F64, TACIT_F32, TACIT_U8};
    enum { N = 200, MOST = 70 };
    static char bytes[8 * N + 8];
    static double values[N * MOST], plain[N + 1], found[N + 1];
    static uint8_t keep[N + 1];
    uint64_t dice = 12345;
    int different = 0, wrong = 0, lacking = 0;

    for (int turn = 0; turn < 300; turn++) {
        const tacit_type type = types[turn % 3];
        const size_t size = tac_type_size(type), count = (size_t)(turn * 7 % (N + 1)),
                     at = (size_t)(turn % 8);
        for (size_t i = 0; i < sizeof bytes; i++) {
            dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407;
            bytes[i] = (char)(dice >> 60 < 5 ? 0xff : dice >> 40); /* NaN and infinities too */
        }
        for (int p = 0; p < 3; p++) {
            double *to = p == 0 ? plain : found;
            if (!tac_cpu_use(paths[p])) continue; /* not on this machine */
            to[count] = 7;
            tac_array_convert(type, bytes + at, size, count, to, 1);
            for (size_t i = 0; i < count; i++) {
                different += (to[i] == to[i]) != (plain[i] == plain[i]) ||
                             (to[i] == to[i] && to[i] != plain[i]);
                different += to[i] - to[i] != 0 && to[i] == to[i]; /* infinite */
            }
            different += to[count] != 7;
        }
    }
    for (int32_t dims = 1; dims <= MOST; dims++)
        for (int p = 0; p < 3; p++) {
            const int64_t n = 1 + dims * 37 % N;
            double *rows = values + (size_t)(N * MOST - n * dims); /* ends where the memory does */
            if (!tac_cpu_use(paths[p])) continue;
            for (int64_t i = 0; i < n * dims; i++) {
                dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407;
                rows[i] =
                    dice >> 33 < (UINT64_C(1) << 31) / (uint64_t)(2 * dims) ? (double)NAN : 1.5;
            }
            keep[n] = 9;
            tac_rows_complete(rows, n, dims, keep);
            for (int64_t i = 0; i < n; i++) {
                bool whole = true;
                for (int32_t j = 0; j < dims; j++) whole &= rows[i * dims + j] == 1.5;
                wrong += keep[i] != whole;
                lacking += !whole;
            }
            wrong += keep[n] != 9;
        }
    tac_cpu_use("auto");
    CHECK(different == 0, "arrays become the same doubles on every path (%d differ)", different);
    CHECK(wrong == 0 && lacking > 1000,
          "rows that lack a value are found on every path: %d (%d wrong)", lacking, wrong);
}

/* Which rows lack a value is a bit a row: blocks of any size and many threads set the same bits,
   and bits are counted from any row to any other. */
static void test_kept_bits(void)
{
    enum { N = 3000 };
    static double value[2 * N];
    static bool whole[N];
    uint64_t dice = 99;
    int wrong = 0, miscounted = 0;

    for (int i = 0; i < N; i++) {
        dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407;
        whole[i] = dice >> 62 != 0;
        value[2 * i] = i;
        value[2 * i + 1] = whole[i] ? 1.5 : (double)NAN;
    }
    for (int turn = 0; turn < 8; turn++) {
        tacit_data *d = NULL;
        uint64_t *keep = NULL;
        ctx->threads = 1 + turn % 5;
        ctx->block_bytes = turn % 2 ? INT64_C(1) << 18 : 1 + 700 * turn;
        MUST(tacit_data_from_memory(ctx, value, TACIT_F64, N, 2, &d) == TACIT_OK);
        d->selection.missing = TACIT_MISSING_DROP_ROW;
        MUST(tac_data_load(ctx, d, NULL) == TACIT_OK &&
             tac_data_kept(ctx, d, 1, &keep) == TACIT_OK && keep != NULL);
        for (int i = 0; i < N; i++) wrong += tac_is_kept(keep, i) != whole[i];
        for (int first = 0; first < 200; first++)
            for (int end = first, kept = 0; end < first + 300; kept += whole[end++])
                miscounted += tac_kept_between(keep, first, end) != kept;
        tac_free(keep);
        tacit_data_free(d);
    }
    CHECK(wrong == 0, "blocks and threads mark the same rows as complete (%d wrong)", wrong);
    CHECK(miscounted == 0, "rows that count are counted between any two (%d wrong)", miscounted);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK && mkdtemp(folder) != NULL);
    const char *path = file("p.csv", "id,age,stay,group\n1,30,2,0\n2,40,3,1\n");
    char copy[256];
    snprintf(copy, sizeof copy, "%s", path);
    test_columns(copy);
    test_bounds(copy);
    test_paths();
    test_kept_bits();
    test_units();
    test_wide_units();
    test_long_names();
    tacit_ctx_free(ctx);
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? tap_done() : 1;
}
