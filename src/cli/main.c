/* SPDX-License-Identifier: Apache-2.0 */
/* The command `tacit`: finds the subcommand, reads its options, runs it. Every way out returns an
   exit code of exit_codes.c; options are checked before a context exists. */
#include "cli.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The command of this name; if there is none, says so. */
static const cli_command *find_command(const cli *c, const char *name)
{
    const char *names[CMD_COUNT + 1];
    size_t count = 0;

    for (const cli_command *command = cli_commands; command->name != NULL; command++) {
        if (strcmp(command->name, name) == 0) return command;
        if (command->object == NULL) names[count++] = command->name;
    }
    names[count++] = "help";
    const char *near = cli_nearest(name, names, count);
    if (near != NULL)
        cli_say(c, "unknown command %.40s; did you mean %s?", name, near);
    else
        cli_say(c, "unknown command %.40s; see tacit --help", name);
    return NULL;
}

/* No command: says which there are. */
static int name_one(const cli *c)
{
    const cli_command *last = cli_commands;
    char names[512] = "";
    size_t used = 0;

    for (const cli_command *command = cli_commands; command->name != NULL; command++)
        if (command->object == NULL) last = command;
    for (const cli_command *command = cli_commands; command <= last; command++)
        if (command->object == NULL && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     command == cli_commands ? ""
                                     : command == last       ? " or "
                                                             : ", ",
                                     command->name);
    return cli_fail(c, EXIT_USAGE, "name a command: %s; see tacit --help", names);
}

/* The entry of the table for the first word: the command's own, or a later one for another object
   (plan subspace, generate counts), also where the word is mistyped. */
static const cli_command *pick(const cli_command *command, int argc, char **argv)
{
    char store[64];

    for (int i = 2; i < argc && command->objects != NULL; i++) {
        const char *word = argv[i];
        if (*word == '-' ||
            (cli_choice(argv[i], command->objects, store, sizeof store, &word) < 0 && word == NULL))
            continue;
        for (const cli_command *next = command + 1; next->object != NULL; next++)
            if (strcmp(next->object, word) == 0) return next;
        return command;
    }
    return command;
}

/* tacit help [COMMAND [OBJECT]] */
static int help(const cli *c, int argc, char **argv)
{
    const cli_command *command =
        argc < 3 || strcmp(argv[2], "help") == 0 ? NULL : find_command(c, argv[2]);

    if (argc > 2 && command == NULL && strcmp(argv[2], "help") != 0) return EXIT_USAGE;
    if (argc > 3 && command != NULL) command = pick(command, argc - 1, argv + 1);
    if (argc > 4 || (argc == 4 && (command == NULL || command->object == NULL ||
                                   strcmp(command->object, argv[3]) != 0)))
        return cli_fail(c, EXIT_USAGE, "help takes one command: tacit help kmeans");
    if (command == NULL)
        cli_help_all(stdout);
    else
        cli_help_command(stdout, command);
    return cli_close_stdout(c);
}

/* Opens /dev/null on closed descriptors 0 and 2: a data file that got one of these numbers would be
   read or written as the terminal. A closed standard output is refused. */
static int fill_descriptors(const cli *c)
{
    for (int at = 0; at <= 2; at++) {
        if (fcntl(at, F_GETFD) >= 0) continue;
        if (at == STDOUT_FILENO)
            return cli_fail(c, EXIT_NO_OUTPUT, "standard output is closed; nothing was done");
        if (open("/dev/null", at == STDIN_FILENO ? O_RDONLY : O_WRONLY) != at)
            return cli_fail(c, cli_exit_code(TACIT_E_SYSTEM),
                            "standard input or error is closed, and /dev/null cannot stand in for "
                            "it");
    }
    return EXIT_OK;
}

/* Words that need no options (help, --version, --tables) return early. Everything else: table
   entry, options, random bytes, context, signals, then the command. */
int main(int argc, char **argv)
{
    cli c = {0};
    int code = EXIT_OK;

    CLI_TRY(fill_descriptors(&c));
    cli_leave_no_core();
    if (argc < 2) return name_one(&c);
    if (strcmp(argv[1], "help") == 0) return help(&c, argc, argv);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return help(&c, 2, argv);
    if (strcmp(argv[1], "--version") == 0) {
        cli_print_version(stdout);
        return cli_close_stdout(&c);
    }
    if (strcmp(argv[1], "--tables") == 0) {
        cli_options_json(stdout);
        return cli_close_stdout(&c);
    }
    if (argv[1][0] == '-')
        return cli_fail(&c, EXIT_USAGE,
                        "the command comes first, then its options: tacit kmeans ...; see tacit "
                        "--help");
    c.command = find_command(&c, argv[1]);
    if (c.command == NULL) return EXIT_USAGE;
    c.command = pick(c.command, argc, argv);

    cli_values_init(&c);
    CLI_TRY(cli_parse(&c, argc, argv));
    if (c.value.help) {
        cli_help_command(stdout, c.command);
        return cli_close_stdout(&c);
    }
    CLI_TRY(cli_start_sodium(&c));
    const tacit_status status = tacit_ctx_new(&c.ctx);
    if (status != TACIT_OK)
        CLI_TRY(cli_fail(&c, cli_exit_code(status), "%s", tacit_status_text(status)));
    cli_catch_signals(c.ctx);
    CLI_TRY(cli_check(&c, tacit_ctx_set_threads(c.ctx, (int)c.value.threads)));
    CLI_TRY(cli_check(&c, tacit_ctx_set_memory(c.ctx, c.value.memory, c.value.spill_dir)));
    code = c.command->run(&c);
done:
    cli_close_source(&c);
    free(c.value.more);
    tacit_ctx_free(c.ctx);
    return code;
}
