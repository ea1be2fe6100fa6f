/* SPDX-License-Identifier: Apache-2.0 */
/* A co-clustering for people: the table, which columns are in each cluster, and how well rows
   predict columns and columns rows. Released figures only. */
#include "../cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 8         /* of each column cluster */
#define LONGEST_NAME 80 /* characters of each */
#define SURE 2.0        /* standard deviations by which the cluster of a sure column leads */
#define NAMES_WIDTH 90
#define TABLE_WIDTH 110

typedef struct blocks {
    const tacit_model *model;
    const double *table;
    const int32_t *telling; /* width x NAMES */
    int32_t k, l, width;
    int64_t *columns; /* in each column cluster ... */
    int64_t *sure;    /* ... and those of them that are sure */
} blocks;

/* Insert column j into a list of the `most` largest z, largest first, ties to the lowest column.
   -1: a free place. */
static void insert(int32_t *list, int most, const double *z, int32_t j)
{
    int at = most;

    while (at > 0 &&
           (list[at - 1] < 0 || (z != NULL && (z[j] > z[list[at - 1]] || isnan(z[list[at - 1]])))))
        at--;
    if (at == most) return;
    memmove(list + at + 1, list + at, (size_t)(most - 1 - at) * sizeof *list);
    list[at] = j;
}

/* The contract stands in render.h. A column without a z (NaN) comes after all that have one. */
void cli_telling_columns(const tacit_model *model, int most, int32_t *out)
{
    const int32_t *cluster = tacit_model_column_clusters(model);
    const double *z = tacit_model_column_z(model);
    int32_t width = 0;

    (void)tacit_model_table(model, &width);
    for (int64_t i = 0; i < (int64_t)width * most; i++) out[i] = -1;
    for (int32_t j = 0; j < tacit_model_column_count(model); j++) {
        int32_t *list = out + (int64_t)cluster[j] * most;
        if (z == NULL || !isnan(z[j])) {
            insert(list, most, z, j);
            continue;
        }
        int at = 0;
        while (at < most && list[at] >= 0) at++;
        if (at < most) list[at] = j; /* never looked at: behind the others */
    }
}

/* The number of a column cluster, or "rest". */
static void cluster_name(const blocks *b, int32_t cluster, char *text, size_t size)
{
    if (cluster == b->l)
        snprintf(text, size, "rest");
    else
        snprintf(text, size, "%d", (int)cluster);
}

/* Cells of the table of blocks: row cluster, its size, one column per column cluster. Never
   "-0". */
static void table_cell(const void *payload, int64_t row, int column, char *text, size_t size)
{
    const blocks *b = payload;
    char name[32];

    if (column == 0 && row < 0)
        snprintf(text, size, "row cluster");
    else if (column == 0)
        snprintf(text, size, "%lld", (long long)row);
    else if (column == 1 && row < 0)
        snprintf(text, size, "rows");
    else if (column == 1 && tacit_model_sizes_sd(b->model) == 0) /* exact */
        snprintf(text, size, "%.0f", tacit_model_sizes(b->model)[row]);
    else if (column == 1)
        cli_value_text(text, size, tacit_model_sizes(b->model)[row], tacit_model_sizes_sd(b->model),
                       0);
    else if (row < 0) {
        cluster_name(b, column - 2, name, sizeof name);
        snprintf(text, size, "%s%s", column - 2 == b->l ? "" : "columns ", name);
    } else
        snprintf(text, size, "%.0f", b->table[row * b->width + column - 2] + 0.0);
    if (strcmp(text, "-0") == 0) snprintf(text, size, "0");
}

static double table_share(const void *payload, int64_t row)
{
    return cli_size_share(((const blocks *)payload)->model, (int32_t)row);
}

/* Cells of the list of column clusters: its name, how many columns, how many of them are sure,
   some of their names. */
static void columns_cell(const void *payload, int64_t row, int column, char *text, size_t size)
{
    static const char *const heading[] = {"column cluster", "columns", "sure", NULL};
    const blocks *b = payload;
    const bool known = tacit_model_column_z(b->model) != NULL;
    const int last = known ? 3 : 2; /* without z nothing is said of how sure columns are */
    size_t used = 0;

    *text = '\0';
    if (row < 0 && column < last)
        snprintf(text, size, "%s", heading[column]);
    else if (row < 0)
        snprintf(text, size, "%s", known ? "most certain" : "among them");
    else if (column == 0)
        cluster_name(b, (int32_t)row, text, size);
    else if (column == 1)
        snprintf(text, size, "%lld", (long long)b->columns[row]);
    else if (column < last && row != b->l)
        snprintf(text, size, "%lld", (long long)b->sure[row]);
    /* the rest is what could not be placed: nothing is certain about it */
    if (row < 0 || column < last || row == b->l) return;
    for (int i = 0; i < NAMES; i++) {
        const int32_t j = b->telling[row * NAMES + i];
        if (j < 0) break;
        char name[512];
        cli_column_name(b->model, j, LONGEST_NAME, name, sizeof name);
        if (i > 0 && used + strlen(name) + 2 > NAMES_WIDTH) break;
        used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : ", ", name);
    }
}

/* What the numbers of the table mean, and how large their noise is. */
static void print_words(const blocks *b)
{
    const double sd = tacit_model_table_sd(b->model);
    const bool in_rows = strcmp(tacit_model_table_unit(b->model), "rows") == 0;
    double rows = 0, columns = 0;
    char noise[64] = "";
    int64_t labels = 0;

    const cli_terminal terminal = cli_terminal_of(stdout);
    if (isfinite(sd) && sd > 0)
        snprintf(noise, sizeof noise, ", each number %s %.3g", cli_plus_minus(&terminal), sd);
    printf("\nthe table is in %s%s\n",
           in_rows ? "rows: each splits a weight of 1 over the column clusters as its counts do"
                   : "counts",
           noise);
    tacit_model_tau(b->model, &rows, &columns);
    printf("tau %.3f of rows given columns, %.3f of columns given rows (0: one tells nothing about "
           "the other, 1: everything)\n",
           rows, columns);
    if (isnan(tacit_model_sizes(b->model)[0]))
        puts("?: nobody asked how many rows a cluster has; tacit predict tells the owner of the "
             "rows");
    if (tacit_model_column_z(b->model) != NULL)
        printf("sure: the column's cluster leads the next best by at least %g standard deviations "
               "(z); %s\n",
               SURE,
               b->width > b->l ? "of the others placed about one in ten may be in a wrong one"
                               : "the others are in the likeliest");
    if (b->width > b->l)
        printf("rest: %lld columns that are too rare, or too uncertain, to place; more rows or a "
               "larger epsilon place more of them, and --least-z 0 all that were seen\n",
               (long long)b->columns[b->l]);
    if (tacit_model_labels(b->model, &labels) != NULL)
        printf("the release also holds a private label for each of %lld rows; -o and --json give "
               "it\n",
               (long long)labels);
}

/* Two tables: blocks by row cluster, then the columns of each column cluster. */
int cli_show_cocluster(const cli *c, const tacit_model *model)
{
    blocks b = {.model = model, .k = tacit_model_k(model), .l = tacit_model_l(model)};
    int32_t *telling = NULL;
    int code = EXIT_OK;

    b.table = tacit_model_table(model, &b.width);
    const double *z = tacit_model_column_z(model);
    b.columns = calloc(2 * (size_t)b.width, sizeof *b.columns);
    b.telling = telling = calloc((size_t)b.width * NAMES, sizeof *telling);
    if (b.columns == NULL || telling == NULL) CLI_TRY(cli_no_memory(c));
    b.sure = b.columns + b.width;
    for (int32_t j = 0; j < tacit_model_column_count(model); j++) {
        const int32_t cluster = tacit_model_column_clusters(model)[j];
        b.columns[cluster]++;
        b.sure[cluster] += z != NULL && z[j] >= SURE;
    }
    cli_telling_columns(model, NAMES, telling);
    cli_show_not_private(model);
    cli_print_table(stdout,
                    &(cli_table){.rows = b.k,
                                 .columns = b.width + 2,
                                 .width = TABLE_WIDTH,
                                 .payload = &b,
                                 .cell = table_cell,
                                 .share = isnan(tacit_model_sizes(model)[0]) ? NULL : table_share});
    putchar('\n');
    cli_print_table(stdout, &(cli_table){.rows = b.width,
                                         .columns = z != NULL ? 4 : 3,
                                         .payload = &b,
                                         .cell = columns_cell,
                                         .left = 1 << 0 | 1 << (z != NULL ? 3 : 2)});
    print_words(&b);
done:
    free(b.columns);
    free(telling);
    return code;
}
