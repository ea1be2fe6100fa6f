/* SPDX-License-Identifier: Apache-2.0 */
/* tacit declare: a schema to fill in, from the header alone. */
#include "../cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Refuses to overwrite: somebody may have filled in the schema that is there. */
static int check_free(const cli *c, const char *path)
{
    struct stat there;

    if (cli_is_stdout(path)) return EXIT_OK;
    if (lstat(path, &there) == 0)
        return cli_fail(c, EXIT_NO_OUTPUT,
                        "%s exists already and is not overwritten; remove it first, or name "
                        "another",
                        path);
    return errno == ENOENT ? cli_check_output_files(c, path)
                           : cli_fail(c, EXIT_NO_OUTPUT, "the output %.300s cannot be written: %s",
                                      path, strerror(errno));
}

/* Which line is the header, and where its names end, is said by options. */
static bool chooses_header(const cli *c)
{
    const bool *given = c->value.given;

    return given[OPT_FORMAT] || given[OPT_DELIMITER] || given[OPT_DECIMAL] ||
           given[OPT_THOUSANDS] || given[OPT_SKIP_LINES] || given[OPT_ROW_COLUMN] ||
           given[OPT_COL_COLUMN] || given[OPT_COUNT_COLUMN];
}

/* A ledger says how its file is written. Read otherwise, by options or because a link has another
   ending, a row would pass for the header and be shown to whoever may run this and not read the
   file: what the ledger declares is shown instead. *text NULL: there is none. */
static int declared(const cli *c, const char *path, int file, char **text)
{
    tacit_ledger *ledger = NULL;
    tacit_declaration *declaration = NULL;
    char *beside = NULL;
    int code = EXIT_OK;

    CLI_TRY(file <= 0 ? cli_find_redirected(c, &beside) : cli_find_ledger(c, path, file, &beside));
    if (beside == NULL) return EXIT_OK;
    if (chooses_header(c))
        CLI_TRY(cli_fail(c, cli_exit_code(TACIT_E_DECLARED),
                         "%.300s has a ledger, %.300s, which says how it is written: read "
                         "otherwise, a row could pass for its header; leave such options out, or "
                         "see tacit ledger schema",
                         path, beside));
    CLI_TRY(cli_check(c, tacit_ledger_open(c->ctx, beside, &ledger)));
    CLI_TRY(cli_check(c, tacit_ledger_declaration(c->ctx, ledger, &declaration)));
    CLI_TRY(cli_check(c, tacit_declaration_json(c->ctx, declaration, text)));
done:
    tacit_declaration_free(declaration);
    tacit_ledger_free(ledger);
    free(beside);
    return code;
}

/* Of several files the one whose name comes first: columns come in its order. */
static int first_by_name(const cli_source *s)
{
    int first = 0;

    for (int i = 1; i < s->count; i++)
        if (strcmp(s->name[i], s->name[first]) < 0) first = i;
    return first;
}

/* A schema to fill in, from the header of the file that was opened. */
static int template(const cli *c, char **text)
{
    const cli_values *v = &c->value;
    const cli_source *s = &c->source;
    const int first = first_by_name(s);
    tacit_data_opts opts;
    int code = EXIT_OK, rows = 0;

    CLI_TRY(cli_find_rows(c, s->opened[first], &rows));
    tacit_data_opts_init(&opts, sizeof opts);
    opts.format = (tacit_format)v->format;
    if (v->given[OPT_CONVERTED] && v->format == TACIT_FORMAT_AUTO) opts.format = TACIT_FORMAT_CSV;
    opts.descriptor = rows; /* of the file whose ledger was looked for */
    cli_fill_dialect(c, &opts);
    CLI_TRY(cli_check(c, tacit_declaration_template(c->ctx, s->name[first], &opts, text)));
done:
    return code;
}

/* Reads the header alone, never a row: columns and format come from it, roles and ranges from the
   owner. */
int cmd_declare(cli *c)
{
    const cli_values *v = &c->value;
    cli_source *s = &c->source;
    char *text = NULL;
    cli_sink sink = {0};
    int code = EXIT_OK;

    CLI_TRY(cli_list_files(c, 0));
    CLI_TRY(check_free(c, v->output));
    cli_open_files(s);
    CLI_TRY(cli_check_source(c));
    for (int i = 0; i < s->count && text == NULL; i++)
        CLI_TRY(declared(c, s->name[i], s->opened[i], &text));
    const bool bound = text != NULL;
    if (!bound) CLI_TRY(template(c, &text));
    CLI_TRY(cli_sink_open(c, v->output, false, &sink));
    fputs(text, sink.file);
    CLI_TRY(cli_sink_close(c, &sink));
    if (bound && !v->quiet)
        cli_say(c, "as its ledger declares it, which binds every run");
    else if (!v->quiet)
        cli_say(c, "from the header alone; give every column its role (feature, unit, label, id, "
                   "ignore) and every feature its smallest and largest possible value, never taken "
                   "from the rows");
done:
    cli_sink_abandon(&sink);
    tacit_free(text);
    return code;
}
