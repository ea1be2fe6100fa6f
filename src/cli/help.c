/* SPDX-License-Identifier: Apache-2.0 */
/* Help, printed from the tables the parser reads. */
#include "cli.h"

#include <string.h>

#define WIDTH 100
#define INDENT 32

static const char *const group_titles[GROUP_COUNT] = {
    [GROUP_DATA] = "What to work on",
    [GROUP_DOMAIN] = "What values are possible (state it from knowledge of the subject, never from the rows)",
    [GROUP_PRIVACY] = "Privacy",
    [GROUP_METHOD] = "Method",
    [GROUP_OUTPUT] = "Output",
};

void cli_print_wrapped(FILE *out, const char *text, int at, int indent)
{
    bool fresh = true; /* nothing on this line yet */

    while (*text != '\0') {
        const int length = (int)strcspn(text, " ");
        if (!fresh && at + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
            fresh = true;
        }
        fprintf(out, "%s%.*s", fresh ? "" : " ", length, text);
        at += length + (fresh ? 0 : 1);
        fresh = false;
        text += length;
        while (*text == ' ') text++;
    }
    fputc('\n', out);
}

static void print_option(FILE *out, const cli_option *option)
{
    char left[64];
    char letter[8] = "    ";

    if (option->letter != '\0') snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, option->name, option->value == NULL ? "" : " ",
             option->value == NULL ? "" : option->value);
    int at = fprintf(out, "%-*s", INDENT, left);
    if ((int)strlen(left) >= INDENT) at = fprintf(out, "\n%*s", INDENT, "") - 1;
    cli_print_wrapped(out, option->help, at, INDENT);
}

/* Print lines of `text`, each behind `before`. */
static void print_lines(FILE *out, const char *before, const char *text)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        fputs(before, out);
        fwrite(text, 1, length, out);
        fputc('\n', out);
        text += length;
        if (*text == '\n') text++;
    }
}

void cli_help_command(FILE *out, const cli_command *command)
{
    const int first = (int)strcspn(command->usage, "\n");
    fprintf(out, "Usage: tacit %.*s\n", first, command->usage);
    print_lines(out, "       tacit ", command->usage + first + (command->usage[first] == '\n'));
    fputc('\n', out);
    cli_print_wrapped(out, command->about, 0, 0);
    fputs("\nExamples\n", out);
    print_lines(out, "  ", command->examples);
    for (cli_group group = 0; group < GROUP_COUNT; group++) {
        bool titled = false;
        for (const cli_option_id *id = command->options; *id != OPT_END; id++) {
            if (cli_options[*id].group != group) continue;
            if (!titled) fprintf(out, "\n%s\n", group_titles[group]);
            titled = true;
            print_option(out, &cli_options[*id]);
        }
    }
    fputs("\nExit codes and the whole manual: tacit --help, man tacit\n", out);
}

/* The library's statuses, by exit code; several may share one. */
static void print_exit_codes(FILE *out)
{
    const char *unknown = tacit_status_text(TACIT_STATUS_END_);

    for (int code = 0; code < 256; code++) {
        char all[512] = "";
        for (int status = 0; status < TACIT_STATUS_END_; status++) {
            const char *text = tacit_status_text((tacit_status)status);
            const size_t length = strlen(all);
            if (strcmp(text, unknown) == 0 || cli_exit_code((tacit_status)status) != code) continue;
            snprintf(all + length, sizeof all - length, "%s%s", length == 0 ? "" : "; ", text);
        }
        if (*all == '\0') continue;
        fprintf(out, "  %3d  ", code);
        cli_print_wrapped(out, all, 7, 7);
    }
}

void cli_help_all(FILE *out)
{
    fputs("Usage: tacit COMMAND ...\n"
          "\n"
          "Clusters sensitive data and lets out only what differential privacy allows.\n"
          "\n"
          "Try it\n"
          "  tacit generate mixture -o people.csv\n"
          "  tacit kmeans people.csv -k 5 --epsilon 1 --delta 1e-6 --bounds 0:1 -o segments.json\n"
          "\n"
          "Commands\n", out);
    for (const cli_command *command = cli_commands; command->name != NULL; command++)
        if (command->object == NULL) fprintf(out, "  %-10s %s\n", command->name, command->summary);
    fputs("  help       the help of a command: tacit help kmeans\n"
          "\n"
          "Options\n"
          "  --help     print this help; after a command, its own\n"
          "  --version  print the version\n"
          "\n"
          "Exit codes\n", out);
    print_exit_codes(out);
}
