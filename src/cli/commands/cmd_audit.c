/* SPDX-License-Identifier: Apache-2.0 */
/* tacit audit: attacks methods of tacit, or any program, and reports how much epsilon an attack can
   prove. Exit code 80: a violation was found. */
#include "../cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MOST 256

/* Options that were not given keep the library's defaults. */
static void fill(const cli *c, tacit_audit_opts *opts)
{
    const cli_values *v = &c->value;

    tacit_audit_opts_init(opts, sizeof *opts);
    opts->epsilon = v->epsilon;
    opts->delta = v->delta;
    opts->neighbors = (tacit_neighbors)v->neighbors;
    if (v->given[OPT_RUNS]) opts->runs = v->runs;
    if (v->given[OPT_CONFIDENCE]) opts->confidence = v->confidence;
    if (v->given[OPT_NOISE_FACTOR]) opts->noise_factor = v->noise_factor;
    opts->seed = v->seed;
}

/* ---- methods of tacit ---- */

/* The name of the one method that is meant, or NULL: all. */
static const char *one_method(const cli *c)
{
    const cli_values *v = &c->value;

    if (v->audit_method == NULL) return strcmp(v->word[0], "all") == 0 ? NULL : "auto";
    return strcmp(v->audit_method, "all") == 0 ? NULL : v->audit_method;
}

/* Did the command line mean this method? */
static bool wanted(const cli *c, const tacit_audit_target *t)
{
    const char *name = one_method(c);

    return (strcmp(c->value.word[0], "all") == 0 || strcmp(c->value.word[0], t->family) == 0) &&
           (name == NULL || strcmp(name, t->name) == 0);
}

static bool get_target(int32_t index, tacit_audit_target *t)
{
    tacit_audit_target_init(t, sizeof *t);
    return tacit_audit_target_get(index, t) == TACIT_OK;
}

/* Refuses a family or method that does not exist, with the nearest name. */
static int unknown_target(const cli *c)
{
    const char *name[ROWS_MOST + 1] = {"all"}, *typed = c->value.word[0];
    char store[64];
    tacit_audit_target t;
    size_t names = 1;
    const char *near = NULL;

    if (cli_choice(typed, c->command->objects, store, sizeof store, &near) < 0)
        return cli_fail(c, EXIT_USAGE,
                        near != NULL ? "only methods of kmeans, kmedian, subspace, cocluster or "
                                       "all can be attacked; did you mean tacit audit %s?"
                                     : "only methods of kmeans, kmedian, subspace, cocluster or "
                                       "all can be attacked, or a program with --command",
                        near);
    for (int32_t i = 0; names < ROWS_MOST && get_target(i, &t); i++)
        if (strcmp(typed, "all") == 0 || strcmp(typed, t.family) == 0) name[names++] = t.name;
    near = cli_nearest(c->value.audit_method, name, names);
    return cli_fail(c, EXIT_USAGE,
                    "--method wants the name of a method or all; %s%s%s tacit %s --list-methods",
                    near != NULL ? "did you mean " : "see", near != NULL ? near : "",
                    near != NULL ? "? See" : "", strcmp(typed, "all") == 0 ? "kmeans" : typed);
}

/* Does the method's own line say that it takes such a budget? */
static bool serves(const tacit_audit_target *t, const tacit_audit_opts *o)
{
    return (o->delta > 0 ? t->approximate : t->pure) &&
           (o->neighbors == TACIT_ENTRY ? t->entry : t->rows);
}

/* The methods to attack, at most ROWS_MOST. Of several, those that do not take the claimed budget
   are left out; a method that was named is kept and says itself why it does not. */
static int list_targets(const cli *c, const tacit_audit_opts *opts, tacit_audit_target *target,
                        int *count)
{
    tacit_audit_target t;
    bool named = false;

    *count = 0;
    for (int32_t i = 0; *count < ROWS_MOST && get_target(i, &t); i++) {
        if (!wanted(c, &t)) continue;
        named = true;
        if (serves(&t, opts) || one_method(c) != NULL) target[(*count)++] = t;
    }
    if (!named) return unknown_target(c);
    if (*count == 0)
        return cli_fail(c, EXIT_USAGE,
                        "no method of %s takes such a delta and such neighbors; change --delta or "
                        "--neighbors",
                        c->value.word[0]);
    return EXIT_OK;
}

/* Attacks each method in turn. One that refuses its budget is noted as refused where there are
   several; any other failure ends the audit. */
static int attack(const cli *c, const tacit_audit_opts *base, const tacit_audit_target *target,
                  int count, cli_audit_row *row)
{
    tacit_audit_opts opts = *base;
    cli_progress progress;
    int code = EXIT_OK;

    /* Bonferroni: all verdicts together are wrong no more often than one may be. */
    opts.confidence = 1 - (1 - base->confidence) / count;
    for (int i = 0; i < count; i++) {
        snprintf(row[i].target, sizeof row[i].target, "%s %s", target[i].family, target[i].name);
        opts.family = target[i].family;
        opts.method = target[i].method;
        tacit_audit_report_init(&row[i].report, sizeof row[i].report);
        cli_progress_start(c, &progress);
        const tacit_status status = tacit_audit_run(c->ctx, &opts, &row[i].report);
        cli_progress_stop(&progress);
        row[i].refused = status == TACIT_E_ARGUMENT && count > 1;
        if (row[i].refused)
            snprintf(row[i].why, sizeof row[i].why, "%s", tacit_ctx_message(c->ctx));
        else
            CLI_TRY(cli_check(c, status));
    }
done:
    return code;
}

/* ---- any program ---- */

enum { SHELL_CANNOT_RUN = 126, SHELL_NOT_FOUND = 127 };

/* Nothing is attacked if the shell does not find the program: so no verdict either. */
static int check_found(const cli *c, const tacit_audit_output *first,
                       const tacit_audit_output *second)
{
    const bool found = first->code != SHELL_NOT_FOUND || second->code != SHELL_NOT_FOUND;
    const bool runs = first->code != SHELL_CANNOT_RUN || second->code != SHELL_CANNOT_RUN;

    if ((found && runs) || first->length > 0 || second->length > 0) return EXIT_OK;
    return cli_fail(c, EXIT_USAGE,
                    "the program of --command %s, says /bin/sh (exit code %d on both files); try "
                    "it by hand",
                    found ? "cannot be run" : "was not found", first->code);
}

/* A program that always fails alike, or says nothing, passes every audit. */
static void warn_of_silence(const cli *c, const tacit_audit_output *output, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (output[i].length > 0 || output[i].code != output[0].code) return;
    cli_say(c,
            "warning: no run printed anything and all ended alike (code %d): there was nothing to "
            "attack; try the program by hand",
            output[0].code);
}

/* Runs the program on both files, `runs` times each, and compares the outputs. The outputs are
   freed here. */
static int run_program(const cli *c, const tacit_audit_opts *opts, cli_audit_row *row)
{
    const cli_values *v = &c->value;
    const char *path[2] = {v->pair, v->word[0]};
    char *line[2] = {NULL, NULL};
    tacit_audit_output *output = calloc(2 * (size_t)opts->runs, sizeof *output);
    int code = EXIT_OK;
    int64_t done_runs = 0;

    if (output == NULL)
        CLI_TRY(cli_fail(c, cli_exit_code(TACIT_E_MEMORY),
                         "out of memory for so many runs; ask for fewer"));
    for (int side = 0; side < 2; side++) {
        FILE *file = fopen(path[side], "r");
        if (file == NULL)
            CLI_TRY(cli_fail(c, EXIT_NO_INPUT,
                             "file %.300s cannot be opened; --pair names two files", path[side]));
        code = cli_refuse_ledgered(c, path[side], fileno(file), "the file");
        fclose(file);
        CLI_TRY(code);
        line[side] = cli_audit_command_line(v->audit_command, path[side]);
        if (line[side] == NULL) CLI_TRY(cli_no_memory(c));
    }
    /* in turn, so that whatever changes with time changes for both */
    for (; done_runs < 2 * opts->runs; done_runs++) {
        CLI_TRY(cli_audit_run(c, line[done_runs % 2], v->time_limit,
                              &output[done_runs % 2 * opts->runs + done_runs / 2]));
        if (done_runs == 1) CLI_TRY(check_found(c, &output[0], &output[opts->runs]));
    }
    warn_of_silence(c, output, 2 * opts->runs);
    snprintf(row->target, sizeof row->target, "%s", v->audit_command);
    cli_cut(row->target, 40);
    tacit_audit_report_init(&row->report, sizeof row->report);
    CLI_TRY(
        cli_check(c, tacit_audit_compare(c->ctx, opts, output, output + opts->runs, &row->report)));
done:
    for (int64_t i = 0; output != NULL && i < 2 * opts->runs; i++)
        free((char *)(uintptr_t)output[i].text);
    for (int side = 0; side < 2; side++) free(line[side]);
    free(output);
    return code;
}

/* Options that do not go together: --command and --pair go with each other, the rest with methods
   of tacit. */
static int check(const cli *c)
{
    const cli_values *v = &c->value;
    const bool program = v->audit_command != NULL;
    int code = EXIT_OK;

    if (program && (v->pair == NULL || v->words != 1))
        return cli_fail(c, EXIT_USAGE,
                        "--command needs two neighboring files: --pair one.csv other.csv");
    if (program && strstr(v->audit_command, "{input}") == NULL)
        return cli_fail(c, EXIT_USAGE,
                        "--command needs {input} where the name of a file goes: --command 'prog "
                        "{input}'");
    if (!program && v->pair != NULL)
        return cli_fail(c, EXIT_USAGE,
                        "--pair goes with --command: the methods of tacit are attacked on rows of "
                        "their own");
    if (!program && v->words != 1) return cli_wrong_words(c, "");
    if (program &&
        (v->audit_method != NULL || v->given[OPT_NOISE_FACTOR] || v->given[OPT_NEIGHBORS]))
        return cli_fail(c, EXIT_USAGE,
                        "--method, --neighbors and --noise-factor are for methods of tacit; drop "
                        "them or --command");
    if (!program && v->given[OPT_TIME_LIMIT])
        return cli_fail(c, EXIT_USAGE, "--time-limit goes with --command");
    if (isnan(v->epsilon))
        return cli_fail(c, EXIT_USAGE,
                        "no --epsilon was given: the claim that is attacked, for example --epsilon "
                        "1");
    CLI_TRY(cli_check_output(c, v->picture, NULL));
done:
    return code;
}

/* A violation is no failure: table and picture are written, and the exit code reports it. */
int cmd_audit(cli *c)
{
    const cli_values *v = &c->value;
    tacit_audit_target *target = NULL;
    cli_audit_row *row = NULL;
    tacit_audit_opts opts;
    cli_sink picture = {0};
    int code = EXIT_OK, count = 1;

    CLI_TRY(check(c));
    fill(c, &opts);
    target = calloc(ROWS_MOST, sizeof *target);
    row = calloc(ROWS_MOST, sizeof *row);
    if (target == NULL || row == NULL) CLI_TRY(cli_no_memory(c));
    if (v->audit_command != NULL) {
        CLI_TRY(run_program(c, &opts, row));
    } else {
        CLI_TRY(list_targets(c, &opts, target, &count));
        CLI_TRY(attack(c, &opts, target, count, row));
    }
    cli_audit_show(c, stdout, row, count);
    CLI_TRY(cli_close_stdout(c));
    if (v->picture != NULL) {
        CLI_TRY(cli_sink_open(c, v->picture, false, &picture));
        cli_audit_picture(picture.file, row, count);
        CLI_TRY(cli_sink_close(c, &picture));
    }
    for (int i = 0; i < count; i++)
        if (row[i].report.violation) code = cli_exit_code(TACIT_E_VIOLATION);
done:
    cli_sink_abandon(&picture);
    free(target);
    free(row);
    return code;
}
