/* SPDX-License-Identifier: Apache-2.0 */
/* tacit plan: what came of the plan on made-up rows, as a table, and the whole plan as JSON. */
#include "../cli.h"

#include <math.h>
#include <string.h>

enum { COLUMN_ROWS, COLUMN_COST, COLUMN_TRIVIAL, COLUMN_LOST, COLUMN_VERDICT, COLUMN_COUNT };

typedef struct tried {
    const tacit_plan *plan;
    bool blocks;
} tried;

static bool get_forecast(const tacit_plan *plan, int64_t index, tacit_forecast *f)
{
    tacit_forecast_init(f, sizeof *f);
    return tacit_plan_forecast_get(plan, (int32_t)index, f) == TACIT_OK;
}

/* "1.09", "12": two digits behind the point say enough of small ratios, none of large ones. */
static const char *cost_text(double value, char text[32])
{
    snprintf(text, 32, "%.*f", value < 9.995 ? 2 : value < 99.5 ? 1 : 0, value);
    return text;
}

/* "1.09 (1.02 to 1.13)". */
static void range_text(char *text, size_t size, double value, double least, double most)
{
    char number[3][32];

    if (isnan(value))
        snprintf(text, size, "-");
    else if (!isfinite(most))
        snprintf(text, size, "infinite");
    else if (least == most)
        snprintf(text, size, "%s", cost_text(value, number[0]));
    else
        snprintf(text, size, "%s (%s to %s)", cost_text(value, number[0]),
                 cost_text(least, number[1]), cost_text(most, number[2]));
}

static void percent_text(char *text, size_t size, double part)
{
    if (isnan(part))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%.0f %%", 100 * part);
}

/* Cells of the table of trials. Of a co-clustering the part of the plain tau takes the place of
   costs. */
static void tried_cell(const void *payload, int64_t row, int column, char *text, size_t size)
{
    const tried *t = payload;
    char number[32];
    tacit_forecast f;

    if (!get_forecast(t->plan, row, &f)) return;
    switch (column) {
    case COLUMN_ROWS: snprintf(text, size, "%s", f.rows); break;
    case COLUMN_COST:
        if (t->blocks)
            range_text(text, size, f.kept, f.kept_least, f.kept_most);
        else
            range_text(text, size, f.cost, f.cost_least, f.cost_most);
        break;
    case COLUMN_TRIVIAL:
        snprintf(text, size, "%s", cost_text(t->blocks ? 0 : f.trivial, number));
        break;
    case COLUMN_LOST: percent_text(text, size, f.lost); break;
    default: snprintf(text, size, "%s", tacit_verdict_name(f.verdict));
    }
}

/* Words of a family: headings of its costs and of the trivial answer, and what verdicts mean. */
typedef struct words {
    const char *cost, *trivial, *means;
} words;

#define OF_CENTERS(plain, one)                                                                     \
    "Usable: at most 1.25 times the cost of " plain " and half of what it gains over " one ". "    \
    "Useless: above 4 times, or less than a quarter of the gain."

static const words *words_of(cli_family family)
{
    static const words means = {"cost / plain k-means", "one mean",
                                OF_CENTERS("plain k-means", "one mean")},
                       median = {"cost / plain k-median", "one median",
                                 OF_CENTERS("plain k-median", "one median")},
                       subspace = {"cost / plain k-plane", "one subspace",
                                   "Usable: at least three quarters of what plain k-plane gains "
                                   "over one subspace. Useless: less than a quarter."},
                       blocks = {"tau / plain tau", "one block",
                                 "Usable: at least half of the tau of plain Fast-tauCC. Useless: "
                                 "less than a tenth."};

    return family == FAMILY_COCLUSTER  ? &blocks
           : family == FAMILY_SUBSPACE ? &subspace
           : family == FAMILY_MEDIAN   ? &median
                                       : &means;
}

void cli_trials_show(const cli *c, FILE *out, const tacit_plan *plan)
{
    const cli_family family = cli_family_of(c);
    const words *w = words_of(family);
    const tried table = {.plan = plan, .blocks = family == FAMILY_COCLUSTER};
    const char *const heading[] = {"tried on made-up rows", w->cost, w->trivial, "a group is lost",
                                   "verdict"};
    tacit_forecast f;
    char text[700];

    if (!get_forecast(plan, 0, &f)) return;
    fputc('\n', out);
    cli_print_table(
        out, &(cli_table){.rows = tacit_plan_forecast_count(plan),
                          .columns = COLUMN_COUNT,
                          .payload = &table,
                          .heading = heading,
                          .cell = tried_cell,
                          .left = 1 << COLUMN_ROWS | 1 << COLUMN_COST | 1 << COLUMN_VERDICT});
    char runs[64] = "one run";
    if (f.trials > 1)
        snprintf(runs, sizeof runs, "median of %d runs, and their range,", (int)f.trials);
    snprintf(text, sizeof text, "Each row: %s on %.15g made-up rows in the declared bounds. %s",
             runs, c->value.rows_about, w->means);
    fputc('\n', out);
    cli_print_wrapped(out, text, 0, 0, 100, NULL);
}

static void put_steps(FILE *out, const tacit_plan *plan)
{
    fputs("{\n  \"steps\": [", out);
    for (int32_t i = 0; i < tacit_plan_step_count(plan); i++) {
        tacit_plan_step step = TACIT_PLAN_STEP_INIT;
        if (tacit_plan_step_get(plan, i, &step) != TACIT_OK) continue;
        cli_json_put_text(out, i == 0 ? "\n    {" : ",\n    {", "what", step.what);
        fprintf(out, ", \"times\": %d", (int)step.times);
        cli_json_put_text(out, ", ", "noise", step.noise);
        cli_json_put(out, ", ", "share", step.share);
        cli_json_put(out, ", ", "error", step.error);
        cli_json_put_text(out, ", ", "error_of", step.error_of);
        fputc('}', out);
    }
    fputs("\n  ],\n", out);
}

static void put_trials(FILE *out, const tacit_plan *plan)
{
    tacit_forecast f;

    fputs("  \"trials\": [", out);
    for (int32_t i = 0; i < tacit_plan_forecast_count(plan); i++) {
        if (!get_forecast(plan, i, &f)) continue;
        cli_json_put_text(out, i == 0 ? "\n    {" : ",\n    {", "rows", f.rows);
        fprintf(out, ", \"trials\": %d", (int)f.trials);
        cli_json_put(out, ", ", "cost", f.cost);
        cli_json_put(out, ", ", "cost_least", f.cost_least);
        cli_json_put(out, ", ", "cost_most", f.cost_most);
        cli_json_put(out, ", ", "trivial", f.trivial);
        cli_json_put(out, ", ", "kept", f.kept);
        cli_json_put(out, ", ", "kept_least", f.kept_least);
        cli_json_put(out, ", ", "kept_most", f.kept_most);
        cli_json_put(out, ", ", "lost", f.lost);
        cli_json_put_text(out, ", ", "verdict", tacit_verdict_name(f.verdict));
        fputc('}', out);
    }
    fputs("\n  ],\n", out);
}

void cli_plan_json(FILE *out, const tacit_plan *plan)
{
    put_steps(out, plan);
    put_trials(out, plan);
    cli_json_put_text(out, "  ", "verdict", tacit_verdict_name(tacit_plan_verdict(plan)));
    cli_json_put(out, ",\n  ", "least_epsilon", tacit_plan_least_epsilon(plan));
    cli_json_put_text(out, ",\n  ", "advice", tacit_plan_advice(plan));
    fputs("\n}\n", out);
}
