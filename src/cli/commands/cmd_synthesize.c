/* SPDX-License-Identifier: Apache-2.0 */
/* tacit synthesize: synthetic rows from a release. Reads the release alone: as private as it is. */
#include "../cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_EVERY 4096 /* rows written between two looks at Ctrl-C */
#define LABEL "synthetic"

/* How the values of a column are written. */
typedef struct column {
    tacit_feature feature;
    bool category, date, whole;
    int digits; /* that count: they resolve a 100000th of the range */
} column;

static int digits_for(const tacit_model *model, int32_t place)
{
    tacit_domain domain = TACIT_DOMAIN_INIT;

    if (tacit_model_domain(model, &domain) != TACIT_OK) return 15;
    const bool box = domain.lower != NULL;
    const double low = box ? domain.lower[place] : domain.center[place] - domain.radius,
                 high = box ? domain.upper[place] : domain.center[place] + domain.radius;
    const double ratio = fmax(fabs(low), fabs(high)) / (high - low);
    return ratio > 1 ? (int)fmin(15, 7 + floor(log10(ratio))) : 6;
}

/* The columns of --whole; one that the release does not have is refused. */
static int mark_whole(const cli *c, const tacit_model *model, column *columns, int32_t count)
{
    const char *at = c->value.whole_columns;

    while (at != NULL && *at != '\0') {
        const size_t length = strcspn(at, ",");
        bool found = false;
        for (int32_t i = 0; i < count; i++) {
            const char *name = columns[i].feature.name;
            if (strlen(name) != length || strncmp(name, at, length) != 0) continue;
            if (columns[i].category || columns[i].date)
                return cli_fail(c, EXIT_USAGE,
                                "--whole names a column of categories or dates, which are whole by "
                                "themselves; leave it out");
            found = columns[i].whole = true;
        }
        if (!found)
            return cli_fail(c, EXIT_USAGE,
                            "--whole names '%.*s', which is no column of the release; its columns "
                            "are called %.40s%s",
                            (int)(length < 100 ? length : 100), at, columns[0].feature.name,
                            tacit_model_feature_count(model) > 1 ? ", ..." : "");
        at += length + (at[length] == ',');
    }
    return EXIT_OK;
}

static int list_columns(const cli *c, const tacit_model *model, column **out, int32_t *count)
{
    int code = EXIT_OK;

    *count = tacit_model_feature_count(model);
    *out = calloc((size_t)*count + 1, sizeof **out);
    if (*out == NULL) return cli_no_memory(c);
    for (int32_t i = 0; i < *count; i++) {
        column *now = *out + i;
        tacit_feature_init(&now->feature, sizeof now->feature);
        CLI_TRY(cli_check(c, tacit_model_feature_get(model, i, &now->feature)));
        now->category = strcmp(now->feature.kind, "category") == 0;
        now->date = strcmp(now->feature.kind, "date") == 0;
        now->digits = now->category ? 1 : digits_for(model, now->feature.first);
    }
    CLI_TRY(mark_whole(c, model, *out, *count));
done:
    return code;
}

/* A category by its word, which the names of the model's columns end in; a missing value is empty,
   as the reader takes it. */
static void write_word(FILE *out, const tacit_model *model, const column *f, double place)
{
    const char *name = tacit_model_column_get(model, f->feature.first + (int32_t)place);
    const char *word = name == NULL ? "" : name + strlen(f->feature.name) + 1;

    if (strcmp(word, "(missing)") != 0) cli_csv_cell(out, word);
}

static void write_value(FILE *out, const tacit_model *model, const column *f, double value)
{
    char text[40];

    if (f->category) {
        write_word(out, model, f, value);
        return;
    }
    if (f->date)
        cli_date_text(text, sizeof text, value);
    else if (f->whole)
        snprintf(text, sizeof text, "%.0f", floor(value + 0.5));
    else
        snprintf(text, sizeof text, "%.*g", f->digits, value);
    fputs(text, out);
}

static int write_rows(const cli *c, FILE *out, const tacit_model *model, const column *columns,
                      int32_t count, const double *value)
{
    const cli_values *v = &c->value;

    for (int32_t i = 0; i < count; i++) {
        if (i > 0) fputc(',', out);
        cli_csv_cell(out, columns[i].feature.name);
    }
    fputs(v->unlabeled ? "\n" : "," LABEL "\n", out);
    for (int64_t r = 0; r < v->rows; r++) {
        for (int32_t i = 0; i < count; i++) {
            if (i > 0) fputc(',', out);
            write_value(out, model, &columns[i], value[r * count + i]);
        }
        fputs(v->unlabeled ? "\n" : ",1\n", out);
        if (r % CHECK_EVERY == 0 && cli_interrupted())
            return cli_fail(c, cli_exit_code(TACIT_E_CANCELLED),
                            "interrupted; no rows were written");
    }
    return EXIT_OK;
}

/* A column that is called as the label is would be two of one name. */
static int check_label(const cli *c, const column *columns, int32_t count)
{
    for (int32_t i = 0; i < count && !c->value.unlabeled; i++)
        if (strcmp(columns[i].feature.name, LABEL) == 0)
            return cli_fail(c, EXIT_USAGE,
                            "the release has a column called " LABEL ", which is what the label of "
                            "synthetic rows is called; leave the label out with --unlabeled");
    return EXIT_OK;
}

int cmd_synthesize(cli *c)
{
    const cli_values *v = &c->value;
    tacit_model *model = NULL;
    double *value = NULL;
    column *columns = NULL;
    int32_t count = 0;
    cli_sink sink = {0};
    cli_progress progress;
    int code = EXIT_OK;

    if (!v->given[OPT_ROWS])
        return cli_fail(c, EXIT_USAGE, "--rows is missing: how many? For example --rows 10000");
    CLI_TRY(cli_check_output(c, v->output, v->word[0]));
    CLI_TRY(cli_check(c, tacit_model_read(c->ctx, v->word[0], &model)));
    CLI_TRY(list_columns(c, model, &columns, &count));
    CLI_TRY(check_label(c, columns, count));
    cli_progress_start(c, &progress);
    const tacit_status status = tacit_model_synthesize(c->ctx, model, v->rows, v->seed, &value);
    cli_progress_stop(&progress);
    CLI_TRY(cli_check(c, status));
    CLI_TRY(cli_sink_open(c, v->output, false, &sink));
    CLI_TRY(write_rows(c, sink.file, model, columns, count, value));
    CLI_TRY(cli_sink_close(c, &sink));
    if (!tacit_model_is_private(model))
        cli_say(c, "warning: NOT PRIVATE: the release is not, so these rows are not");
    else if (!v->quiet)
        cli_say(c,
                "SYNTHETIC: %lld rows drawn from noisy cells, nobody's; nothing was spent: as "
                "private as %s (%s)",
                (long long)v->rows, v->word[0], tacit_model_guarantee(model));
done:
    cli_sink_abandon(&sink);
    free(columns);
    tacit_free(value);
    tacit_model_free(model);
    return code;
}
