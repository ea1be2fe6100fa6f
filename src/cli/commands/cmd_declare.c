/* SPDX-License-Identifier: Apache-2.0 */
/* tacit declare: a schema to fill in, from the header alone. */
#include "../cli.h"

#include <errno.h>
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
    return errno == ENOENT ? cli_check_output(c, path, c->value.word[0])
                           : cli_fail(c, EXIT_NO_OUTPUT, "the output %.300s cannot be written: %s",
                                      path, strerror(errno));
}

/* Reads the header alone, never a row: columns and format come from it, roles and ranges from the
   owner. */
int cmd_declare(cli *c)
{
    const cli_values *v = &c->value;
    tacit_data_opts opts;
    char *text = NULL;
    cli_sink sink = {0};
    int code = EXIT_OK;

    CLI_TRY(check_free(c, v->output));
    tacit_data_opts_init(&opts, sizeof opts);
    opts.format = (tacit_format)v->format;
    cli_fill_dialect(c, &opts);
    CLI_TRY(cli_check(c, tacit_declaration_template(c->ctx, v->word[0], &opts, &text)));
    CLI_TRY(cli_sink_open(c, v->output, false, &sink));
    fputs(text, sink.file);
    CLI_TRY(cli_sink_close(c, &sink));
    if (!v->quiet)
        cli_say(c, "from the header alone; give every column its role (feature, unit, label, id, "
                   "ignore) and every feature its smallest and largest possible value, never taken "
                   "from the rows");
done:
    cli_sink_abandon(&sink);
    tacit_free(text);
    return code;
}
