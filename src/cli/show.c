/* SPDX-License-Identifier: Apache-2.0 */
/* A release for people: the table of centres, the picture of how k was chosen, and warnings. Released figures only. */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_WIDTH 100
#define LONGEST_NAME 24  /* characters of a column name */
#define MOST_DECIMALS 9
#define UNSURE 3.0       /* a size within this many standard deviations of 0 may belong to an empty cluster */
#define MANY_AT_BOUNDS 0.25 /* of all coordinates: then the bounds, not the rows, made the centres */
#define CURVE_LINES 15   /* of the picture */
#define CURVE_CELLS 40

typedef struct centers_table {
    const tacit_model *model;
    const double *center, *sd, *size;
    int *decimals; /* per column: as many as its smallest noise deserves */
} centers_table;

/* Two digits of the noise are worth showing, no more. */
static int decimals_for(double sd)
{
    if (!(sd > 0) || !isfinite(sd)) return 4;
    const int digits = 1 - (int)floor(log10(sd));
    return digits < 0 ? 0 : digits > MOST_DECIMALS ? MOST_DECIMALS : digits;
}

static void print_value(char *text, size_t size, double value, double sd, int decimals)
{
    const bool plain = fabs(value) < 1e9 && !(sd >= 1e9);
    char noise[64] = "?";

    if (isnan(value)) {
        snprintf(text, size, "?");
        return;
    }
    if (isfinite(sd)) snprintf(noise, sizeof noise, plain ? "%.*f" : "%.*g", plain ? decimals : 3, sd);
    if (plain) snprintf(text, size, "%.*f ± %s", decimals, value, noise);
    else snprintf(text, size, "%.6g ± %s", value, noise);
}

static void centers_cell(const void *payload, int64_t row, int column, char *text, size_t size)
{
    const centers_table *table = payload;
    const int32_t columns = tacit_model_columns(table->model), at = column - 2;

    if (column == 0 && row < 0) snprintf(text, size, "cluster");
    else if (column == 0) snprintf(text, size, "%lld", (long long)row);
    else if (column == 1 && row < 0) snprintf(text, size, "size");
    else if (column == 1)
        print_value(text, size, table->size[row], tacit_model_sizes_sd(table->model), 0);
    else if (row < 0) {
        snprintf(text, size, "%s", tacit_model_column(table->model, at));
        cli_cut(text, LONGEST_NAME);
    } else
        print_value(text, size, table->center[row * columns + at], table->sd[row * columns + at],
                    table->decimals[at]);
}

/* Is there something the method could not tell? */
static bool has_unknown(const centers_table *table, int64_t k, int64_t columns)
{
    bool unknown = isnan(tacit_model_sizes_sd(table->model));

    for (int64_t i = 0; i < k; i++) unknown = unknown || isnan(table->size[i]);
    for (int64_t i = 0; i < k * columns; i++) unknown = unknown || isnan(table->sd[i]);
    return unknown;
}

static int print_centers(const cli *c, const tacit_model *model)
{
    const int32_t columns = tacit_model_columns(model), k = tacit_model_k(model);
    int *decimals = calloc((size_t)columns, sizeof *decimals);

    if (decimals == NULL) return cli_fail(c, tacit_status_exit(TACIT_E_MEMORY), "out of memory");
    const centers_table payload = {model, tacit_model_centers(model), tacit_model_centers_sd(model),
                                   tacit_model_sizes(model), decimals};
    for (int32_t j = 0; j < columns; j++) {
        double least = INFINITY;
        for (int64_t i = 0; i < k; i++)
            if (payload.sd[i * columns + j] > 0 && payload.sd[i * columns + j] < least)
                least = payload.sd[i * columns + j];
        decimals[j] = decimals_for(least);
    }
    if (!tacit_model_is_private(model)) puts("NOT PRIVATE: made with a test seed\n");
    cli_print_table(stdout, &(cli_table){.rows = k, .columns = columns + 2, .width = TABLE_WIDTH,
                                         .payload = &payload, .cell = centers_cell});
    printf("\n± is one standard deviation of the privacy noise, given which rows went to which centre%s\n",
           has_unknown(&payload, k, columns) ? "; ? cannot be told" : "");
    free(decimals);
    return EXIT_OK;
}

/* One bar for each number of centres around the chosen one, the lowest value shown having none. */
static void print_curve(const tacit_model *model)
{
    const double *value = NULL;
    const int32_t count = tacit_model_curve(model, &value), k = tacit_model_k(model);
    char bar[CURVE_CELLS + 1];

    if (count == 0) return;
    int32_t first = k - CURVE_LINES / 2 > 1 ? k - CURVE_LINES / 2 : 1;
    if (first + CURVE_LINES > count + 1) first = count - CURVE_LINES + 1 > 1 ? count - CURVE_LINES + 1 : 1;
    const int32_t last = first + CURVE_LINES - 1 < count ? first + CURVE_LINES - 1 : count;
    double low = INFINITY, high = -INFINITY;
    for (int32_t i = first; i <= last; i++) {
        low = fmin(low, value[i - 1]);
        high = fmax(high, value[i - 1]);
    }
    printf("\n%d centres were chosen out of 1 to %d: how well each number fits what the noise left, higher is better\n\n", (int)k,
           (int)count);
    for (int32_t i = first; i <= last; i++) {
        const double share = high > low ? (value[i - 1] - low) / (high - low) : 1;
        const int cells = (int)lrint(CURVE_CELLS * share);
        memset(bar, '#', (size_t)cells);
        bar[cells] = '\0';
        printf("%7d  %8.4f%s%s%s\n", (int)i, value[i - 1], cells == 0 ? "" : "  ", bar, i == k ? "  <- chosen" : "");
    }
}

int cli_show_model(const cli *c, const tacit_model *model)
{
    const int code = print_centers(c, model);

    if (code == EXIT_OK) print_curve(model);
    return code;
}

void cli_warn_model(const cli *c, const tacit_model *model)
{
    const double *size = tacit_model_sizes(model), sd = tacit_model_sizes_sd(model);
    const char *note;
    int64_t unsure = 0;

    for (int32_t i = 0; i < tacit_model_k(model); i++) unsure += size[i] < UNSURE * sd; /* NaN is never below */
    if (!tacit_model_is_private(model))
        cli_say(c, "warning: NOT PRIVATE, made with a test seed; never use it on real data");
    if (tacit_model_share_at_bounds(model) >= MANY_AT_BOUNDS)
        cli_say(c, "warning: %.0f %% of the centres' coordinates lie on a declared bound; do the bounds fit the columns' units?",
                100 * tacit_model_share_at_bounds(model));
    if (unsure > 0)
        cli_say(c, "warning: %lld of %lld clusters have a size within their noise and may be empty; fewer clusters or "
                "a larger epsilon would help", (long long)unsure, (long long)tacit_model_k(model));
    for (int32_t i = 0; (note = tacit_model_note(model, i)) != NULL; i++) cli_say(c, "note: %s", note);
}
