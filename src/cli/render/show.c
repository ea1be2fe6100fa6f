/* SPDX-License-Identifier: Apache-2.0 */
/* A release for people: the table of centers, the picture of how k was chosen, and warnings.
   Released figures only: nothing here has seen a row. */
#include "../cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_WIDTH 100
#define LONGEST_NAME 24 /* characters of a column name */
#define MOST_DECIMALS 9
/* a size within this many standard deviations of 0 may belong to an empty cluster */
#define UNSURE 3.0
/* of all coordinates: then the bounds, not the rows, made the centers */
#define MANY_AT_BOUNDS 0.25
#define MOST_COLUMNS 60 /* of the table; with more columns than that only the most telling ones */
#define TELLING 25
#define TEST_SEED "made with a test seed"

/* The library's reason; that of the seed in short. */
const char *cli_why_not_private(const tacit_model *model)
{
    const char *why = tacit_model_why_not_private(model);
    return why == NULL || strstr(why, "test seed") != NULL ? TEST_SEED : why;
}

void cli_show_not_private(const tacit_model *model)
{
    char why[1024];

    if (tacit_model_is_private(model)) return;
    snprintf(why, sizeof why, "%s", cli_why_not_private(model));
    tacit_text_make_plain(why);
    const cli_terminal t = cli_terminal_of(stdout);
    printf("%sNOT PRIVATE: %s%s\n\n", cli_paint(&t, INK_WARNING), why, cli_paint(&t, INK_NONE));
}

double cli_size_share(const tacit_model *model, int32_t cluster)
{
    const double *size = tacit_model_sizes(model);
    double most = 0;

    for (int32_t i = 0; size != NULL && i < tacit_model_k(model); i++) most = fmax(most, size[i]);
    return most > 0 ? size[cluster] / most : 0;
}

typedef struct centers_table {
    const tacit_model *model;
    const double *center, *sd, *size;
    const int *decimals;   /* per column: as many as its smallest noise deserves */
    const int32_t *shown;  /* which centers: not those that repeat others */
    const int32_t *column; /* which columns */
    int32_t rows;          /* centers that are shown; the line after them is for all rows */
    tacit_overall all;
    bool persons; /* sizes count the rows that were kept of each person */
} centers_table;

int cli_decimals_for(double sd)
{
    if (!(sd > 0) || !isfinite(sd)) return 4;
    const int digits = 1 - (int)floor(log10(sd));
    return digits < 0 ? 0 : digits > MOST_DECIMALS ? MOST_DECIMALS : digits;
}

/* The contract stands in render.h. Large numbers switch to exponents: a cell has limited room. */
void cli_value_text(char *text, size_t size, double value, double sd, int decimals)
{
    const bool plain = fabs(value) < 1e9 && !(sd >= 1e9);
    char noise[64] = "?";

    if (isnan(value)) {
        snprintf(text, size, "?");
        return;
    }
    if (fabs(value) < 0.5 * pow(10, -decimals)) value = 0; /* never -0 */
    if (isfinite(sd))
        snprintf(noise, sizeof noise, plain ? "%.*f" : "%.*g", plain ? decimals : 3, sd);
    if (plain)
        snprintf(text, size, "%.*f ± %s", decimals, value, noise);
    else
        snprintf(text, size, "%.6g ± %s", value, noise);
}

/* Cells of the table of centers: cluster, size, then the chosen columns, each with its standard
   deviation. */
static void centers_cell(const void *payload, int64_t line, int column, char *text, size_t size)
{
    const centers_table *table = payload;
    const int32_t columns = tacit_model_column_count(table->model),
                  at = column < 2 ? 0 : table->column[column - 2];
    const bool last = line == table->rows;
    const int64_t row = line < 0 || last ? -1 : table->shown[line];

    if (last && column < 2)
        snprintf(text, size, "%s", column == 0 ? "all rows" : "");
    else if (last)
        cli_center_text(text, size, table->model, at, table->all.mean[at], table->all.mean_sd[at],
                        table->decimals[at]);
    else if (column == 0 && row < 0)
        snprintf(text, size, "cluster");
    else if (column == 0)
        snprintf(text, size, "%lld", (long long)row);
    else if (column == 1 && row < 0)
        snprintf(text, size, "%s", table->persons ? "rows kept" : "size");
    else if (column == 1)
        cli_value_text(text, size, table->size[row], tacit_model_sizes_sd(table->model), 0);
    else if (row < 0)
        cli_column_name(table->model, at, LONGEST_NAME, text, size);
    else
        cli_center_text(text, size, table->model, at, table->center[row * columns + at],
                        table->sd[row * columns + at], table->decimals[at]);
}

static double centers_share(const void *payload, int64_t line)
{
    const centers_table *table = payload;
    return line == table->rows ? NAN : cli_size_share(table->model, table->shown[line]);
}

/* Is any figure of the release unknown (NaN)? */
static bool has_unknown(const tacit_model *model)
{
    const int64_t k = tacit_model_k(model), numbers = k * tacit_model_column_count(model);
    bool unknown = isnan(tacit_model_sizes_sd(model));

    for (int64_t i = 0; i < k; i++) unknown = unknown || isnan(tacit_model_sizes(model)[i]);
    for (int64_t i = 0; i < numbers; i++)
        unknown = unknown || isnan(tacit_model_centers_sd(model)[i]);
    return unknown;
}

/* A center as bytes, to be compared. */
typedef struct sorted_center {
    const double *at;
    size_t bytes;
    int32_t index;
} sorted_center;

static int by_bytes(const void *a, const void *b)
{
    const sorted_center *x = a, *y = b;
    const int order = memcmp(x->at, y->at, x->bytes);

    return order != 0 ? order : x->index < y->index ? -1 : x->index > y->index;
}

/* A method that cannot tell k centers apart repeats some, with size 0, to return k of them. Marks
   those, k of them; free the result. NULL: no memory. */
static bool *find_repeated(const tacit_model *model)
{
    const int32_t k = tacit_model_k(model);
    const size_t columns = (size_t)tacit_model_column_count(model);
    const double *center = tacit_model_centers(model);
    bool *repeats = calloc((size_t)k, sizeof *repeats);
    sorted_center *sorted = calloc((size_t)k, sizeof *sorted);

    for (int32_t i = 0; sorted != NULL && center != NULL && i < k; i++)
        sorted[i] = (sorted_center){center + (size_t)i * columns, columns * sizeof *center, i};
    if (sorted != NULL && center != NULL && repeats != NULL) {
        qsort(sorted, (size_t)k, sizeof *sorted, by_bytes);
        for (int32_t i = 1; i < k; i++)
            repeats[sorted[i].index] = tacit_model_sizes(model)[sorted[i].index] == 0 &&
                                       memcmp(sorted[i - 1].at, sorted[i].at, sorted[i].bytes) == 0;
    }
    if (sorted == NULL) {
        free(repeats);
        repeats = NULL;
    }
    free(sorted);
    return repeats;
}

/* The noise that a column's numbers are rounded by: the smallest that is more than a rounding
   error. */
static double smallest_noise(const centers_table *table, int32_t columns, int32_t j)
{
    double least = INFINITY, largest = 0;

    const int64_t k = tacit_model_k(table->model);

    for (int64_t i = 0; i < k; i++) largest = fmax(largest, fabs(table->center[i * columns + j]));
    for (int64_t i = 0; i < k; i++) {
        const double sd = table->sd[i * columns + j];
        if (sd > 1e-6 * largest && sd < least) least = sd;
    }
    return least;
}

typedef struct telling {
    double score;
    int32_t column;
} telling;

static int by_score(const void *a, const void *b)
{
    const telling *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    return x->column < y->column ? -1 : 1;
}

static int by_number(const void *a, const void *b)
{
    return *(const int32_t *)a < *(const int32_t *)b ? -1 : 1;
}

/* The columns to print: all or, of more than MOST_COLUMNS, the TELLING ones in which the centers
   differ most relative to their noise, in their order. *count: how many. Free the result; NULL: no
   memory. */
static int32_t *choose_columns(const centers_table *table, int32_t *count)
{
    const int64_t columns = tacit_model_column_count(table->model), k = tacit_model_k(table->model);
    int32_t *chosen = calloc((size_t)columns, sizeof *chosen);
    telling *all = calloc((size_t)columns, sizeof *all);

    for (int64_t j = 0; chosen != NULL && all != NULL && j < columns; j++) {
        /* one center differs from 0 */
        double low = k == 1 ? 0 : INFINITY, high = k == 1 ? 0 : -INFINITY, noise = 0;
        for (int64_t i = 0; i < k; i++) {
            low = fmin(low, table->center[i * columns + j]);
            high = fmax(high, table->center[i * columns + j]);
            noise = fmax(noise, table->sd[i * columns + j]); /* fmax passes NaN over */
        }
        chosen[j] = (int32_t)j;
        all[j] = (telling){(high - low) / (noise > 0 ? noise : 1), (int32_t)j};
    }
    *count = (int32_t)columns;
    if (chosen != NULL && all != NULL && columns > MOST_COLUMNS) {
        qsort(all, (size_t)columns, sizeof *all, by_score);
        for (int i = 0; i < TELLING; i++) chosen[i] = all[i].column;
        qsort(chosen, TELLING, sizeof *chosen, by_number);
        *count = TELLING;
    }
    if (all == NULL) {
        free(chosen);
        chosen = NULL;
    }
    free(all);
    return chosen;
}

/* The table of centers on standard output. Centers that repeat others are counted, not printed. */
static int print_centers(const cli *c, const tacit_model *model)
{
    const int32_t columns = tacit_model_column_count(model), k = tacit_model_k(model);
    int *decimals = calloc((size_t)columns, sizeof *decimals);
    int32_t *shown = calloc((size_t)k, sizeof *shown), *column = NULL, rows = 0, wide = 0;
    centers_table table = {.model = model,
                           .center = tacit_model_centers(model),
                           .sd = tacit_model_centers_sd(model),
                           .size = tacit_model_sizes(model),
                           .decimals = decimals,
                           .shown = shown,
                           .all = TACIT_OVERALL_INIT};
    tacit_card card = TACIT_CARD_INIT;
    bool *repeats = find_repeated(model);
    int code = EXIT_OK;

    table.column = column = choose_columns(&table, &wide);
    if (decimals == NULL || shown == NULL || column == NULL || repeats == NULL)
        CLI_TRY(cli_no_memory(c));
    for (int32_t j = 0; j < wide; j++)
        decimals[column[j]] = cli_decimals_for(smallest_noise(&table, columns, column[j]));
    for (int32_t i = 0; i < k; i++)
        if (!repeats[i]) shown[rows++] = i;
    table.rows = rows;
    CLI_TRY(cli_check(c, tacit_model_overall(model, &table.all)));
    CLI_TRY(cli_check(c, tacit_model_card(model, &card)));
    table.persons = card.unit != NULL && strncmp(card.unit, "person", strlen("person")) == 0;
    cli_show_not_private(model);
    cli_print_table(stdout, &(cli_table){.rows = rows + (table.all.mean != NULL),
                                         .columns = wide + 2,
                                         .width = TABLE_WIDTH,
                                         .payload = &table,
                                         .cell = centers_cell,
                                         .share = centers_share});
    const cli_terminal terminal = cli_terminal_of(stdout);
    printf("\n%s: error of the center from the privacy noise, one standard deviation, given which "
           "rows went to\nwhich center; not how much people differ%s\n",
           cli_plus_minus(&terminal), has_unknown(model) ? "; ? is not known" : "");
    cli_show_means(model);
    if (wide < columns)
        printf("%d of %d columns: those in which the centers differ most; -o and --json give all\n",
               (int)wide, (int)columns);
    if (rows < k)
        printf("%d more %s\n", (int)(k - rows),
               k - rows == 1 ? "repeats one of these" : "repeat these");
    cli_show_explanation(model, &(cli_shown){shown, column, rows, wide});
done:
    free(repeats);
    free(decimals);
    free(shown);
    free(column);
    return code;
}

int cli_show_model(const cli *c, const tacit_model *model)
{
    const int code = tacit_model_table(model, NULL) != NULL ? cli_show_cocluster(c, model)
                     : tacit_model_subspaces(model) != NULL ? cli_show_subspaces(c, model)
                                                            : print_centers(c, model);

    if (code == EXIT_OK) cli_show_k(model);
    return code;
}

/* Does a note name the column whose bounds do not fit? */
static bool notes_bound(const tacit_model *model)
{
    for (int32_t i = 0; i < tacit_model_note_count(model); i++)
        if (tacit_model_note_kind(model, i) == TACIT_NOTE_BOUNDS) return true;
    return false;
}

/* Warnings about a release, from its own figures: not private, centers on the bounds, repeated
   centers, sizes within their noise; then the notes of the method. */
void cli_warn_model(const cli *c, const tacit_model *model)
{
    const double *size = tacit_model_sizes(model), sd = tacit_model_sizes_sd(model);
    const int k = (int)tacit_model_k(model);
    const char *note;
    int unsure = 0, repeated = 0;
    bool *repeats = find_repeated(model);

    for (int32_t i = 0; repeats != NULL && i < k; i++) { /* the table has said if memory is out */
        const bool again = repeats[i];
        repeated += again;
        unsure += !again && size[i] < UNSURE * sd; /* NaN is never below */
    }
    free(repeats);
    if (!tacit_model_is_private(model) && c->value.given[OPT_INSECURE_SEED])
        cli_say(c, "warning: NOT PRIVATE, made with a test seed; never use it on real data");
    if (!tacit_model_is_private(model) && strcmp(cli_why_not_private(model), TEST_SEED) != 0)
        cli_say(c, "warning: NOT PRIVATE: %s; never publish it", cli_why_not_private(model));
    const double at = tacit_model_share_at_bounds(model);
    if (at >= MANY_AT_BOUNDS && c->value.given[OPT_RADIUS])
        cli_say(c,
                "warning: %.0f %% of the centers lie on the declared sphere; do --radius and "
                "--center fit the columns' units?",
                100 * at);
    else if (at >= MANY_AT_BOUNDS && !notes_bound(model))
        cli_say(c,
                "warning: %.0f %% of the centers' coordinates lie on a declared bound; do the "
                "bounds fit the columns' units?",
                100 * at);
    /* Method auto says these better itself. */
    const bool told =
        strcmp(tacit_model_method(model), "auto") == 0 && tacit_model_note_get(model, 0) != NULL;
    if (repeated > 0 && !told)
        cli_say(c,
                "warning: only %d of %d centers could be told apart, the others repeat them; ask "
                "for fewer with -k, or give a larger --epsilon",
                k - repeated, k);
    if (unsure > 0 && !told)
        cli_say(c,
                "warning: %d of %d clusters have a size within their noise and may be empty; fewer "
                "clusters or a larger epsilon would help",
                unsure, k - repeated);
    for (int32_t i = 0; (note = tacit_model_note_get(model, i)) != NULL; i++)
        cli_say(c, "note: %s", note);
}
