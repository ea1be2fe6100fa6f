/* SPDX-License-Identifier: Apache-2.0 */
/* tacit plan: what a run would ask and how large its noise would be. Reads no row, and of a ledger
   only what was declared. */
#include "../cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_WORDS 12 /* words of an error that fit into the table; longer ones go below it */
#define MOST_NOTES 9

enum { COLUMN_WHAT, COLUMN_TIMES, COLUMN_SHARE, COLUMN_ERROR, COLUMN_COUNT };

typedef struct plan_table {
    const tacit_plan *plan;
    const char *note[MOST_NOTES]; /* long words, once each */
    int notes;
} plan_table;

static bool get_step(const tacit_plan *plan, int64_t index, tacit_plan_step *step)
{
    tacit_plan_step_init(step, sizeof *step);
    return tacit_plan_step_get(plan, (int32_t)index, step) == TACIT_OK;
}

/* The number of a note with these words, or -1. */
static int find_note(const plan_table *table, const char *words)
{
    for (int i = 0; i < table->notes; i++)
        if (strcmp(table->note[i], words) == 0) return i;
    return -1;
}

/* Cells of the table of steps. An unknown error is "unknown". */
static void plan_cell(const void *payload, int64_t row, int column, char *text, size_t size)
{
    const plan_table *table = payload;
    char number[32];
    tacit_plan_step step;

    if (!get_step(table->plan, row, &step)) return;
    const int note = find_note(table, step.error_of);
    switch (column) {
    case COLUMN_WHAT: snprintf(text, size, "%s", step.what); break;
    case COLUMN_TIMES: snprintf(text, size, "%d", (int)step.times); break;
    case COLUMN_SHARE: snprintf(text, size, "%.1f %%", 100 * step.share); break;
    default:
        cli_number_text(number, sizeof number, step.error);
        if (note >= 0)
            snprintf(text, size, "%s (%d)", number, note + 1);
        else
            snprintf(text, size, "%s%s%s", number, *step.error_of == '\0' ? "" : " ",
                     step.error_of);
    }
}

/* The names of the noise of all steps whose error is known, each once: draws have no standard
   deviation. */
static void print_noise(FILE *out, const tacit_plan *plan)
{
    tacit_plan_step step, earlier;
    const char *between = "Errors are one standard deviation of the noise (";

    for (int32_t i = 0; i < tacit_plan_step_count(plan); i++) {
        bool again = !get_step(plan, i, &step) || isnan(step.error);
        for (int32_t j = 0; j < i && !again; j++)
            again = get_step(plan, j, &earlier) && !isnan(earlier.error) &&
                    strcmp(step.noise, earlier.noise) == 0;
        if (again) continue;
        fprintf(out, "%s%s", between, step.noise);
        between = ", ";
    }
    if (strcmp(between, ", ") != 0) return;
    fputs("), of the last time that a step is asked.\n", out);
    cli_print_wrapped(out,
                      "An error of 10 rows (or counts) blurs a number as 10 more or fewer would at "
                      "the most: compare it with what a cluster should have.",
                      0, 0, 100, NULL);
}

/* The steps, the long words of their errors as numbered notes, and the noise. */
static void print_table(FILE *out, const tacit_plan *plan)
{
    static const char *const heading[] = {"query", "times", "budget", "expected error"};
    plan_table table = {.plan = plan};
    tacit_plan_step step;

    /* the run would be allowed, but the method cannot say beforehand what it will ask */
    if (tacit_plan_step_count(plan) == 0) {
        fputs("This method does not list its queries beforehand; the run would be allowed.\n", out);
        return;
    }
    for (int32_t i = 0; i < tacit_plan_step_count(plan); i++)
        if (get_step(plan, i, &step) && strlen(step.error_of) > SHORT_WORDS &&
            table.notes < MOST_NOTES && find_note(&table, step.error_of) < 0)
            table.note[table.notes++] = step.error_of;
    cli_print_table(out, &(cli_table){.rows = tacit_plan_step_count(plan),
                                      .columns = COLUMN_COUNT,
                                      .payload = &table,
                                      .heading = heading,
                                      .cell = plan_cell,
                                      .left = 1 << COLUMN_WHAT | 1 << COLUMN_ERROR});
    fputc('\n', out);
    for (int i = 0; i < table.notes; i++) fprintf(out, "(%d) %s\n", i + 1, table.note[i]);
    print_noise(out, plan);
}

/* Queries, trials, and what they come to, as wide as the table of queries. */
static void show_plan(const cli *c, FILE *out, const tacit_plan *plan)
{
    print_table(out, plan);
    cli_trials_show(c, out, plan);
    if (*tacit_plan_advice(plan) == '\0') return;
    fputc('\n', out);
    cli_print_wrapped(out, tacit_plan_advice(plan), 0, 0, 100, NULL);
}

/* A plan without a file has one row, which is somebody's. */
static int name_person(const cli *c, tacit_data *data)
{
    static const int64_t somebody = 0;

    if (c->value.unit_column == NULL) return EXIT_OK;
    return cli_check(c, tacit_data_set_units(c->ctx, data, &somebody, c->value.unit_column));
}

/* The columns of the plan: those of the file's header, or as many as --dimensions or --shape says.
   *row backs the latter and is never read; free it after the data. */
static int open_columns(const cli *c, const char *file, double **row, tacit_data **out)
{
    if (file != NULL && c->value.given[OPT_DIMENSIONS])
        return cli_fail(c, EXIT_USAGE,
                        "--dimensions is for a plan without a file; drop it or the file");
    if (file != NULL) return cli_open_data(c, file, c->value.columns, out);
    int64_t columns = c->value.dimensions, rows = 0;
    int32_t declared = 0;
    cli_shape(c, &rows, &declared);
    if (declared > 0) columns = declared;
    if (columns == 0)
        return cli_fail(c, EXIT_USAGE,
                        "name a data file for its columns, or give --dimensions, for example "
                        "--dimensions 10");
    *row = calloc((size_t)columns, sizeof **row);
    if (*row == NULL) return cli_no_memory(c);
    const int code =
        cli_check(c, tacit_data_from_memory(c->ctx, *row, TACIT_F64, 1, (int32_t)columns, out));
    return code != EXIT_OK ? code : name_person(c, *out);
}

/* The contract stands in cli.h. */
int cli_make_plan(const cli *c, const tacit_data *data, int32_t limit, double rows,
                  tacit_plan **out)
{
    const cli_family family = cli_family_of(c);
    cli_request r;
    tacit_status status;

    cli_fill_request(c, &r);
    r.budget.max_rows_per_unit = limit;
    r.budget.ledger =
        c->source.ledger; /* nothing is taken from it; a run on one may go otherwise */
    if (family == FAMILY_COCLUSTER)
        status = tacit_cocluster_plan(c->ctx, data, &r.budget, &r.blocks, rows, out);
    else if (family == FAMILY_SUBSPACE)
        status = tacit_subspace_plan(c->ctx, data, &r.budget, &r.subspaces, rows, out);
    else if (family == FAMILY_MEDIAN)
        status = tacit_kmedian_plan(c->ctx, data, &r.budget, &r.centers, rows, out);
    else
        status = tacit_kmeans_plan(c->ctx, data, &r.budget, &r.centers, rows, out);
    return cli_check(c, status);
}

/* --rows-about or, of a table of counts, the rows that --shape declares. */
static int find_rows(cli *c)
{
    const bool counts = cli_family_of(c) == FAMILY_COCLUSTER;
    int64_t rows = 0;
    int32_t columns = 0;

    if (c->value.given[OPT_ROWS_ABOUT]) return EXIT_OK;
    if (counts) cli_shape(c, &rows, &columns);
    c->value.rows_about = (double)rows;
    if (rows > 0) return EXIT_OK;
    return cli_fail(c, EXIT_USAGE,
                    "--rows-about is missing: your guess of the number of rows, for example "
                    "--rows-about 10000%s",
                    counts ? ", or declare them with --shape ROWSxCOLUMNS" : "");
}

/* The ledger is opened for its declaration; its budget is not touched. */
int cmd_plan(cli *c)
{
    const cli_values *v = &c->value;
    tacit_data *data = NULL;
    tacit_plan *plan = NULL;
    cli_limits limits;
    double *row = NULL;
    cli_sink sink = {0};
    bool compares = false;
    int code = EXIT_OK;

    if (strcmp(v->word[0], cli_objective(c)) != 0)
        return cli_fail(c, EXIT_USAGE,
                        "only kmeans, kmedian, subspace and cocluster can be planned; did you mean "
                        "tacit plan %s?",
                        cli_objective(c));
    if (v->words > 1) CLI_TRY(cli_open_source(c, 1, true));
    CLI_TRY(cli_check_request(c));
    CLI_TRY(find_rows(c));
    CLI_TRY(cli_check_output_files(c, v->output));
    CLI_TRY(open_columns(c, c->source.path, &row, &data));
    CLI_TRY(cli_declare_domain(c, data));
    /* counts of a person are added up into one row, unless limits are asked about */
    compares = v->unit_column != NULL && !v->given[OPT_MOST_ROWS] &&
               (cli_family_of(c) != FAMILY_COCLUSTER || v->given[OPT_ROWS_PER_PERSON]);
    if (compares)
        CLI_TRY(cli_limits_plan(c, data, &limits));
    else
        CLI_TRY(cli_make_plan(c, data, (int32_t)v->most_rows, v->rows_about, &plan));
    if (plan != NULL) CLI_TRY(cli_check(c, tacit_plan_try(c->ctx, data, plan)));

    CLI_TRY(cli_sink_open(c, v->output, false, &sink));
    if (compares)
        cli_limits_show(c, sink.file, &limits);
    else if (v->json)
        cli_plan_json(sink.file, plan);
    else
        show_plan(c, sink.file, plan);
    CLI_TRY(cli_sink_close(c, &sink));
    if (!v->quiet) cli_say(c, "no row was asked and nothing was spent");
done:
    cli_sink_abandon(&sink);
    tacit_plan_free(plan);
    tacit_data_free(data);
    free(row);
    return code;
}
