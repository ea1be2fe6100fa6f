/* SPDX-License-Identifier: Apache-2.0 */
/* tacit plan with persons and without a limit: what some limits of rows per person keep and cost,
   for a guess of how many rows people have. Reads no row. */
#include "../cli.h"

#include <math.h>

static const int32_t limits_compared[CLI_LIMITS] = {1, 2, 5, 10, 20};

#define BEARABLE 0.05 /* of a cluster's rows: noise of its size that leaves it of use */
#define MORE 1.02     /* times the rows: what a larger limit must keep to be worth it */
/* Less of a difference is a tie: it comes from plans that have a round more or less. */
#define TIE 0.95

enum { COLUMN_LIMIT, COLUMN_KEPT, COLUMN_NOISE, COLUMN_SIZE, COLUMN_CENTER, COLUMN_COUNT };

/* E[min(X, limit)] / E[X] = 1 - (1 - 1/mean)^limit for X geometric on 1, 2, 3, ... In: mean >= 1,
   limit >= 1. */
static double kept_share(double mean, int32_t limit)
{
    return 1 - pow(1 - 1 / mean, limit);
}

/* Clusters that the rows are spread over; 1 if the run is to choose. */
static double clusters(const cli *c)
{
    const cli_values *v = &c->value;
    const cli_family family = cli_family_of(c);
    const int64_t k = family == FAMILY_COCLUSTER  ? v->row_clusters
                      : family == FAMILY_SUBSPACE ? v->subspaces
                                                  : v->clusters;
    return k > 0 ? (double)k : 1;
}

/* Noise alone favors small limits, always: it grows with the limit, and kept rows grow less. But
   rows that are left out bias results. So as many are kept as bearable noise allows; where none is
   bearable, the least noise wins. NaN never does; ties: the smaller limit. */
static bool is_better(const cli_limit *l, const cli_limit *best)
{
    if (l->size_error <= BEARABLE)
        return best->size_error > BEARABLE || l->kept > MORE * best->kept;
    return best->size_error > BEARABLE && l->size_error < TIE * best->size_error;
}

int cli_limits_plan(const cli *c, const tacit_data *data, cli_limits *out)
{
    tacit_plan *plan = NULL;
    int code = EXIT_OK;

    out->best = -1;
    for (int i = 0; i < CLI_LIMITS; i++) {
        cli_limit *l = &out->limit[i];
        l->most_rows = limits_compared[i];
        l->kept = kept_share(c->value.rows_per_person, l->most_rows);
        const double rows = fmax(1, l->kept * c->value.rows_about), each = rows / clusters(c);
        CLI_TRY(cli_make_plan(c, data, l->most_rows, rows, &plan));
        l->size_noise = tacit_plan_sizes_sd(plan);
        l->size_error = l->size_noise / each;
        l->center_error = tacit_plan_centers_sd(plan);
        if (out->best < 0 ? isfinite(l->size_error) : is_better(l, &out->limit[out->best]))
            out->best = i;
        tacit_plan_free(plan);
        plan = NULL;
    }
done:
    tacit_plan_free(plan);
    return code;
}

static void percent_text(char *text, size_t size, double part)
{
    if (isnan(part))
        snprintf(text, size, "unknown");
    else
        snprintf(text, size, "%.3g %%", 100 * part);
}

static void limit_cell(const void *payload, int64_t row, int column, char *text, size_t size)
{
    const cli_limits *limits = payload;
    const cli_limit *l = &limits->limit[row];
    char number[32];

    switch (column) {
    case COLUMN_LIMIT: snprintf(text, size, "%d", (int)l->most_rows); break;
    case COLUMN_KEPT: snprintf(text, size, "%.1f %%", 100 * l->kept); break;
    case COLUMN_NOISE:
        cli_number_text(number, sizeof number, l->size_noise);
        snprintf(text, size, "%s%s", number, isnan(l->size_noise) ? "" : " rows");
        break;
    case COLUMN_SIZE: percent_text(text, size, l->size_error); break;
    default: percent_text(text, size, l->center_error);
    }
}

/* What no plan can know, and what is known. */
static const char bias[] =
    "People with more rows than the limit count less: that biases results towards people with few "
    "rows, by an amount that no plan can know, and a larger limit biases less. Of each person the "
    "complete rows with the smallest hash of their content are kept: a function of that person's "
    "rows alone, so nobody else's rows change them. A \"size\" then counts kept rows.";

static void recommendation(const cli_limits *limits, char *text, size_t size)
{
    if (limits->best < 0)
        snprintf(text, size,
                 "The noise of this method is not known beforehand: no limit can be "
                 "recommended.");
    else
        snprintf(text, size,
                 limits->limit[limits->best].size_error <= BEARABLE
                     ? "Recommended: --max-rows-per-person %d, which keeps most rows while noise "
                       "stays below %.0f %% of a cluster's."
                     : "Recommended: --max-rows-per-person %d, where noise is the smallest part of "
                       "a cluster's rows; with every limit it is above %.0f %%.",
                 (int)limits->limit[limits->best].most_rows, 100 * BEARABLE);
}

static void print_table(const cli *c, FILE *out, const cli_limits *limits)
{
    static const char *const heading[] = {"limit", "rows kept", "noise of a size", "of a cluster",
                                          "of a center"};
    const cli_family family = cli_family_of(c);
    const bool centers = family == FAMILY_MEANS || family == FAMILY_MEDIAN;
    char text[700];

    cli_print_table(out, &(cli_table){.rows = CLI_LIMITS,
                                      .columns = centers ? COLUMN_COUNT : COLUMN_CENTER,
                                      .payload = limits,
                                      .heading = heading,
                                      .cell = limit_cell});
    snprintf(text, sizeof text,
             "For %.15g rows, and people with %.15g rows on average (--rows-per-person) whose "
             "numbers 1, 2, 3, ... get rarer at a constant rate. Both are guesses; no row was "
             "read. Noise is one standard deviation: of a size in rows and as a part of the kept "
             "rows%s%s.",
             c->value.rows_about, c->value.rows_per_person,
             clusters(c) > 1 ? " of one of equal clusters" : "",
             !centers                     ? ""
             : c->value.given[OPT_RADIUS] ? ", of a center's coordinates as a part of the radius"
                                          : ", of a center's coordinates as a part of the declared "
                                            "range");
    fputc('\n', out);
    cli_print_wrapped(out, text, 0, 0, 100, NULL);
    fputc('\n', out);
    recommendation(limits, text, sizeof text);
    cli_print_wrapped(out, text, 0, 0, 100, NULL);
    fputc('\n', out);
    cli_print_wrapped(out, bias, 0, 0, 100, NULL);
}

static void print_json(const cli *c, FILE *out, const cli_limits *limits)
{
    char text[600];

    cli_json_put(out, "{\n  ", "rows_per_person", c->value.rows_per_person);
    fputs(",\n  \"limits\": [", out);
    for (int i = 0; i < CLI_LIMITS; i++) {
        const cli_limit *l = &limits->limit[i];
        cli_json_put(out, i == 0 ? "\n    {" : ",\n    {", "max_rows_per_person", l->most_rows);
        cli_json_put(out, ", ", "kept", l->kept);
        cli_json_put(out, ", ", "size_noise", l->size_noise);
        cli_json_put(out, ", ", "size_error", l->size_error);
        cli_json_put(out, ", ", "center_error", l->center_error);
        fputc('}', out);
    }
    cli_json_put(out, "\n  ],\n  ", "recommended",
                 limits->best < 0 ? (double)NAN : (double)limits->limit[limits->best].most_rows);
    recommendation(limits, text, sizeof text);
    cli_json_put_text(out, ",\n  ", "advice", text);
    cli_json_put_text(out, ",\n  ", "bias", bias);
    fputs("\n}\n", out);
}

void cli_limits_show(const cli *c, FILE *out, const cli_limits *limits)
{
    if (c->value.json)
        print_json(c, out, limits);
    else
        print_table(c, out, limits);
}
