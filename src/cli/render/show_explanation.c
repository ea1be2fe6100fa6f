/* SPDX-License-Identifier: Apache-2.0 */
/* What the clusters of a release are like, for people: how much their rows differ, and what sets
   each apart. */
#include "../cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_WIDTH 100
#define LONGEST_NAME 24 /* characters of a column name */
#define TOLD 5          /* columns of a cluster */

typedef struct spread_table {
    const tacit_model *model;
    const cli_shown *shown;
    tacit_overall all;
} spread_table;

/* Cells: cluster, then the spread of each shown column; at last, of all rows. */
static void spread_cell(const void *payload, int64_t line, int column, char *text, size_t size)
{
    const spread_table *table = payload;
    const int32_t columns = tacit_model_column_count(table->model);
    const bool last = line == table->shown->rows;

    if (column == 0) {
        if (line < 0 || last)
            snprintf(text, size, "%s", last ? "all rows" : "cluster");
        else
            snprintf(text, size, "%d", (int)table->shown->cluster[line]);
        return;
    }
    const int32_t at = table->shown->column[column - 1];
    if (line < 0) {
        cli_column_name(table->model, at, LONGEST_NAME, text, size);
        return;
    }
    const int64_t own = last ? 0 : (int64_t)table->shown->cluster[line] * columns + at;
    const double value = last ? table->all.spread[at] : tacit_model_spreads(table->model)[own],
                 sd = last ? table->all.spread_sd[at] : tacit_model_spreads_sd(table->model)[own];
    cli_value_text(text, size, value, sd, cli_decimals_for(sd));
}

/* "cluster 0: age 1.3 above, stay 0.4 below" */
static void print_distinct(const tacit_model *model, int32_t cluster)
{
    const int32_t count = tacit_model_distinct_count(model, cluster);
    int32_t said = 0;
    char name[256];

    printf("cluster %d:", (int)cluster);
    if (count == 0) printf(" no column clearly above or below");
    for (int32_t i = 0; i < count && said < TOLD; i++) {
        tacit_distinct one = TACIT_DISTINCT_INIT;
        if (tacit_model_distinct_get(model, cluster, i, &one) != TACIT_OK) continue;
        /* a category that is rare in a cluster goes with another that is frequent */
        if (one.direction < 0 && cli_is_share(model, one.column)) continue;
        cli_column_name(model, one.column, LONGEST_NAME, name, sizeof name);
        tacit_text_make_plain(name);
        printf("%s %s %.1f %s", said++ == 0 ? "" : ",", name, one.strength,
               one.direction < 0 ? "below" : "above");
    }
    if (count > TOLD && said == TOLD) printf(", and more");
    putchar('\n');
}

/* A spread behind a transform comes back by the slope at the center, which a long tail leaves. */
static void print_linear(const tacit_model *model, const cli_shown *numbers)
{
    char name[256];
    int32_t curved = 0;

    for (int32_t j = 0; j < numbers->columns; j++) {
        const tacit_feature f = cli_feature_of(model, numbers->column[j]);
        if (f.transform == NULL || strcmp(f.transform, "none") == 0) continue;
        cli_column_name(model, numbers->column[j], LONGEST_NAME, name, sizeof name);
        tacit_text_make_plain(name);
        printf("%s%s", curved++ == 0 ? "\n" : ", ", name);
    }
    if (curved > 0)
        printf(": the deviation of the transformed values times the slope at the center,\nabout "
               "how far rows reach near it; not the standard deviation of the values, which a long "
               "tail widens\n");
}

void cli_show_explanation(const tacit_model *model, const cli_shown *shown)
{
    cli_shown numbers = *shown;
    spread_table table = {.model = model, .shown = &numbers, .all = TACIT_OVERALL_INIT};
    int32_t *column = calloc((size_t)shown->columns + 1, sizeof *column);

    if (column == NULL || tacit_model_overall(model, &table.all) != TACIT_OK) {
        free(column);
        return;
    }
    /* how much rows differ in a category follows from its share */
    numbers.columns = 0;
    numbers.column = column;
    for (int32_t j = 0; j < shown->columns; j++)
        if (!cli_is_share(model, shown->column[j])) column[numbers.columns++] = shown->column[j];
    if (tacit_model_spreads(model) != NULL && numbers.columns > 0) {
        printf("\nspread: how much people in a cluster differ, one standard deviation%s\n\n",
               "; ? is lost in the noise");
        cli_print_table(stdout, &(cli_table){.rows = shown->rows + (table.all.mean != NULL),
                                             .columns = numbers.columns + 1,
                                             .width = TABLE_WIDTH,
                                             .payload = &table,
                                             .cell = spread_cell});
        print_linear(model, &numbers);
    }
    free(column);
    int32_t told = 0;
    for (int32_t i = 0; i < shown->rows; i++)
        told += tacit_model_distinct_count(model, shown->cluster[i]) > 0;
    if (told == 0 && tacit_model_spreads(model) == NULL && table.all.mean != NULL &&
        shown->rows > 1 && strcmp(tacit_model_method(model), "auto") == 0)
        puts("\nwhat sets a cluster apart is not ranked here: that takes how much all rows differ, "
             "which was\nnot asked for (many columns, or a small budget)");
    if (told == 0) return;
    printf("\nwhat sets a cluster apart: how far its center is above or below the mean of all "
           "rows, "
           "in\nstandard deviations of all rows\n\n");
    for (int32_t i = 0; i < shown->rows; i++) print_distinct(model, shown->cluster[i]);
}
