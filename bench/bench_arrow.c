/* SPDX-License-Identifier: Apache-2.0 */
/* What loading an Arrow stream keeps in memory, beside the bytes that the stream gave and beside
   the same rows as CSV, and the time that both take. The producer makes its chunks as they are
   asked for, as a reader of Parquet does: what is not held is gone. bench_arrow [ROWS] */
#include "arrow_memory.h"
#include "bench.h"
#include "data/dataset/dataset.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHUNK INT64_C(65536)
#define TEXT 24 /* bytes of each text */

/* Seven numbers, a category and a person are used; three numbers and three texts are not. */
static const arrow_column table[] = {
    {"a", "f", NULL, NULL, NULL},  {"b", "f", NULL, NULL, NULL},   {"c", "f", NULL, NULL, NULL},
    {"d", "f", NULL, NULL, NULL},  {"e", "f", NULL, NULL, NULL},   {"f", "f", NULL, NULL, NULL},
    {"g", "l", NULL, NULL, NULL},  {"sex", "u", NULL, NULL, NULL}, {"who", "u", NULL, NULL, NULL},
    {"u1", "g", NULL, NULL, NULL}, {"u2", "g", NULL, NULL, NULL},  {"u3", "g", NULL, NULL, NULL},
    {"t1", "u", NULL, NULL, NULL}, {"t2", "u", NULL, NULL, NULL},  {"t3", "u", NULL, NULL, NULL},
};
enum { COLUMNS = sizeof table / sizeof *table };
static int64_t rows = 2000000, given, bytes_given;

static void *buffer(arrow_memory *m, int i, size_t bytes)
{
    bytes_given += (int64_t)bytes;
    return arrow_buffer(m, i, bytes);
}

static void text_of(int column, int64_t row, char out[TEXT + 1])
{
    if (column == 7)
        snprintf(out, TEXT + 1, "%-*s", TEXT, row % 3 == 0 ? "F" : "M");
    else
        snprintf(out, TEXT + 1, "person number %010lld", (long long)(row * 7919 % 300007));
}

static void give_column(int c, int64_t count, struct ArrowArray *out)
{
    arrow_memory *m = arrow_start(out);

    out->length = count;
    out->n_buffers = 2;
    if (table[c].format[0] == 'u') {
        int32_t *offset = buffer(m, 1, ((size_t)count + 1) * sizeof *offset);
        char *text = buffer(m, 2, (size_t)count * TEXT + 1), one[TEXT + 1];
        out->n_buffers = 3;
        for (int64_t i = 0; i < count; i++) {
            text_of(c, given + i, one);
            memcpy(text + i * TEXT, one, TEXT);
            offset[i + 1] = (int32_t)(i + 1) * TEXT;
        }
        return;
    }
    char *to = buffer(m, 1, (size_t)count * arrow_width(table[c].format));
    for (int64_t i = 0; i < count; i++) {
        const int64_t x = (given + i) * (c + 3) % 1000;
        const float f = (float)x;
        if (table[c].format[0] == 'f')
            memcpy(to + 4 * i, &f, 4);
        else
            memcpy(to + 8 * i, &x, 8);
    }
}

static int give_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    const int64_t count = rows - given < CHUNK ? rows - given : CHUNK;

    (void)stream;
    memset(out, 0, sizeof *out);
    if (count == 0) return 0;
    arrow_memory *m = arrow_start(out);
    m->count = out->n_children = COLUMNS;
    m->child = calloc(COLUMNS, sizeof *m->child);
    m->children = out->children = calloc(COLUMNS, sizeof *m->children);
    if (m->child == NULL || m->children == NULL) abort();
    out->length = count;
    out->n_buffers = 1;
    for (int c = 0; c < COLUMNS; c++) {
        m->children[c] = &m->child[c];
        give_column(c, count, &m->child[c]);
    }
    given += count;
    return 0;
}

static int give_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    (void)stream;
    arrow_schema(table, COLUMNS, out);
    return 0;
}

static void give_up(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
}

static void write_csv(const char *path)
{
    FILE *file = fopen(path, "w");
    char text[TEXT + 1];

    if (file == NULL) abort();
    for (int c = 0; c < COLUMNS; c++) fprintf(file, "%s%s", c == 0 ? "" : ",", table[c].name);
    for (int64_t i = 0; i < rows; i++)
        for (int c = 0; c < COLUMNS; c++) {
            text_of(c, i, text);
            if (table[c].format[0] == 'u')
                fprintf(file, ",%s", text);
            else
                fprintf(file, "%s%d", c == 0 ? "\n" : ",", (int)(i * (c + 3) % 1000));
        }
    if (fclose(file) != 0) abort();
}

typedef struct measured {
    double seconds, pass;       /* to load; to read all rows once more */
    int64_t most, kept, stream; /* bytes: at most, once loaded, that the stream gave */
} measured;

static int64_t resident(void)
{
    long pages = 0, all = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (file == NULL || fscanf(file, "%ld %ld", &all, &pages) != 2) abort();
    fclose(file);
    return pages * (int64_t)sysconf(_SC_PAGESIZE);
}

/* In a process of its own, so that the most memory is that of one load. path NULL: the stream. */
static measured load(const char *path)
{
    int ends[2];
    measured out = {0};

    if (pipe(ends) != 0) abort();
    const pid_t child = fork();
    if (child == 0) {
        tacit_data_opts opts = TACIT_DATA_OPTS_INIT;
        tacit_data *data = NULL;
        struct rusage use;
        const int64_t before = resident();
        struct ArrowArrayStream stream = {
            .get_schema = give_schema, .get_next = give_next, .release = give_up};
        must(tacit_ctx_new(&ctx));
        opts.categories = "sex=F|M";
        opts.unit_column = "who";
        const double begin = now();
        must(path == NULL ? tacit_data_from_arrow_stream(ctx, &stream, &opts, &data)
                          : tacit_data_open(ctx, path, &opts, &data));
        must(tacit_data_declare_bounds(ctx, data, "a=0:1,b=0:1,c=0:1,d=0:1,e=0:1,f=0:1,g=0:1"));
        must(tac_data_load(ctx, data, NULL));
        out.seconds = now() - begin;
        getrusage(RUSAGE_SELF, &use);
        out.most = use.ru_maxrss * INT64_C(1024) - before;
        out.kept = resident() - before;
        out.stream = bytes_given;
        double *block = need(4096 * 8, sizeof *block);
        const double start = now();
        for (int64_t i = 0; i < rows; i += 4096)
            must(tac_data_read(data, i, rows - i < 4096 ? rows - i : 4096, block));
        out.pass = now() - start;
        _exit(write(ends[1], &out, sizeof out) == (ssize_t)sizeof out ? 0 : 1);
    }
    if (read(ends[0], &out, sizeof out) != (ssize_t)sizeof out) abort();
    waitpid(child, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    return out;
}

int main(int count, char **argument)
{
    char path[] = "/tmp/tacit-bench-XXXXXX.csv";

    if (count > 1) rows = strtoll(argument[1], NULL, 10);
    const int file = mkstemps(path, 4);
    if (file < 0) return 1;
    write_csv(path);
    const measured arrow = load(NULL), csv = load(path);
    const double n = (double)rows;
    printf("%lld rows of %d columns, 9 of them used; bytes a row\n", (long long)rows, (int)COLUMNS);
    printf("%-28s %8s %8s\n", "", "kept", "at most");
    printf("%-28s %8.1f\n", "what the stream gave", (double)arrow.stream / n);
    printf("%-28s %8.1f %8.1f\n", "Arrow", (double)arrow.kept / n, (double)arrow.most / n);
    printf("%-28s %8.1f %8.1f\n", "the same rows as CSV", (double)csv.kept / n,
           (double)csv.most / n);
    printf("Arrow over the stream: %.2f kept, %.2f at most; over CSV: %.2f kept, %.2f at most\n",
           (double)arrow.kept / (double)arrow.stream, (double)arrow.most / (double)arrow.stream,
           (double)arrow.kept / (double)csv.kept, (double)arrow.most / (double)csv.most);
    printf("time over CSV: %.2f to load, with the producer's own; %.2f for a pass over the rows\n",
           arrow.seconds / csv.seconds, arrow.pass / csv.pass);
    close(file);
    unlink(path);
    return 0;
}
