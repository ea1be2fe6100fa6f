/* SPDX-License-Identifier: Apache-2.0 */
/* Help, printed from the tables that the parser reads: so it lists every option that a command
   takes, with its range and default. On a terminal titles and options stand out. */
#include "../cli.h"

#include <string.h>

#define INDENT 28

/* The length of the next piece of text that stays on one line: a word or, in a command line, an
   option with its value. */
static int piece(const char *text, bool command)
{
    size_t length = strcspn(text, " ");

    while (command && text[length] == ' ' && strchr("-[", text[length + 1]) == NULL)
        length += 1 + strcspn(text + length + 1, " ");
    return (int)length;
}

void cli_print_wrapped(FILE *out, const char *text, int at, int indent, int width, const char *end)
{
    const int most = width - (end == NULL ? 0 : (int)strlen(end));
    bool fresh = true; /* nothing on this line yet */

    while (*text != '\0') {
        const int length = piece(text, end != NULL);
        const bool last = text[length] == '\0';
        if (!fresh && at + 1 + length > (last ? width : most)) {
            fprintf(out, "%s\n%*s", end == NULL ? "" : end, indent, "");
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

void cli_exact_text(char *text, size_t size, double number)
{
    snprintf(text, size, "%.15g", number);
    char *at = strchr(text, 'e'); /* 1e-06, 1e+15: as people write them */
    if (at == NULL) return;
    at += at[1] == '-' ? 2 : 1;
    const char *digits = at + strspn(at, "+0");
    memmove(at, digits, strlen(digits) + 1);
}

void cli_range_text(char *text, size_t size, const cli_use *use)
{
    char least[32], most[32];

    cli_exact_text(least, sizeof least, use->least);
    cli_exact_text(most, sizeof most, use->most);
    if (use->most != CLI_NO_END)
        snprintf(text, size, "%s to %s", least, most);
    else
        snprintf(text, size, "%s or more", least);
}

void cli_list_words(char *text, size_t size, const char *words)
{
    size_t used = 0;

    for (const char *at = words; *at != '\0' && used < size; at += *at == '|') {
        const int length = (int)strcspn(at, "|");
        const bool last = at[length] == '\0';
        used += (size_t)snprintf(text + used, size - used, "%s%.*s",
                                 at == words ? ""
                                 : last      ? " or "
                                             : ", ",
                                 length, at);
        at += length;
    }
}

/* The contract stands in options.h: "help (range, or word; default: value)". */
void cli_help_text(const cli_option *option, const cli_use *use, char *text, size_t size)
{
    const bool whole = option->kind == KIND_WHOLE, number = whole || option->kind == KIND_NUMBER;
    const char *word = number && use->words != NULL ? use->words : NULL;
    char range[80] = "", fallback[80] = "";

    if (number) cli_range_text(range, sizeof range, use);
    if (use->has_default != NO_DEFAULT)
        cli_exact_text(fallback, sizeof fallback, use->fallback);
    else if (option->kind == KIND_CHOICE)
        snprintf(fallback, sizeof fallback, "%.*s", (int)strcspn(use->words, "|"), use->words);
    else if (use->otherwise != NULL)
        snprintf(fallback, sizeof fallback, "%s", use->otherwise);
    const int used = snprintf(text, size, "%s", use->help);
    if (*range == '\0' && *fallback == '\0') return;
    snprintf(text + used, size - (size_t)used, " (%s%s%s%s%s%s%s%s)",
             word != NULL && !whole ? word : "", word != NULL && !whole ? ", or " : "", range,
             word != NULL && whole ? ", or " : "", word != NULL && whole ? word : "",
             *range != '\0' && *fallback != '\0' ? "; " : "", *fallback != '\0' ? "default: " : "",
             fallback);
}

/* A text between two others, in ink if it is a terminal that has some. */
static void print_inked(FILE *out, cli_ink ink, const char *before, const char *text,
                        const char *after)
{
    const cli_terminal t = cli_terminal_of(out);

    fprintf(out, "%s%s%s%s%s", before, cli_paint(&t, ink), text, cli_paint(&t, INK_NONE), after);
}

/* One option: letter and name on the left, help on the right, or below where the name is long. */
static void print_option(FILE *out, const cli_command *command, cli_option_id id)
{
    const cli_option *option = &cli_options[id];
    const char *value = option->value == NULL ? "" : option->value;
    char name[48], text[MOST_HELP];

    snprintf(name, sizeof name, "-%c, --%s", option->letter == '\0' ? ' ' : option->letter,
             option->name);
    const bool lettered = cli_letter_of(command, id) != '\0';
    print_inked(out, INK_BAR, lettered ? "  " : "      ", lettered ? name : name + 4,
                *value == '\0' ? "" : " ");
    const int left = 2 + (int)strlen(name) + (*value == '\0' ? 0 : 1 + (int)strlen(value));
    if (left < INDENT - 1)
        fprintf(out, "%-*s", INDENT - left + (int)strlen(value), value);
    else
        fprintf(out, "%s\n%*s", value, INDENT, "");
    cli_help_text(option, cli_use_of(command, id), text, sizeof text);
    cli_print_wrapped(out, text, INDENT, INDENT, CLI_HELP_WIDTH, NULL);
}

/* Command lines of `text`, each behind `before`, the first one behind `first`, which ends in the
   same column. */
static void print_lines(FILE *out, const char *first, const char *before, const char *end,
                        const char *text)
{
    char line[256];

    for (const char *start = first; *text != '\0'; start = before) {
        const size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        fputs(start, out);
        cli_print_wrapped(out, line, (int)strlen(before), (int)strlen(before) + 4, CLI_HELP_WIDTH,
                          end);
        text += length + (text[length] == '\n');
    }
}

/* Usage, purpose, examples, then the options in their groups. */
void cli_help_command(FILE *out, const cli_command *command)
{
    print_inked(out, INK_STRONG, "", "Usage:", "");
    print_lines(out, " tacit ", "       tacit ", "", command->usage);
    fputc('\n', out);
    cli_print_wrapped(out, command->about, 0, 0, CLI_HELP_WIDTH, NULL);
    print_inked(out, INK_STRONG, "\n", "Examples", "\n");
    print_lines(out, "  ", "  ", " \\", command->examples);
    for (cli_group group = 0; group < GROUP_COUNT; group++) {
        bool titled = false;
        for (cli_option_id id = 0; id < OPT_COUNT; id++) {
            if (cli_options[id].group != group || cli_use_of(command, id) == NULL) continue;
            if (!titled) print_inked(out, INK_STRONG, "\n", cli_group_titles[group], "\n");
            titled = true;
            print_option(out, command, id);
        }
    }
    fputs("\nExit codes and the whole manual: tacit --help, man tacit\n", out);
}

/* The library's statuses by exit code, from the function that exits with them. Several may share
   one. */
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
        cli_print_wrapped(out, all, 7, 7, CLI_HELP_WIDTH, NULL);
    }
}

/* The commands by their summaries, and the exit codes. */
void cli_help_all(FILE *out)
{
    print_inked(out, INK_STRONG, "", "Usage:", " tacit COMMAND ...\n\n");
    fputs("Clusters sensitive data and lets out only what differential privacy allows.\n", out);
    print_inked(out, INK_STRONG, "\n", "Try it", "\n");
    fputs("  tacit generate mixture -o people.csv\n"
          "  tacit kmeans people.csv -k 5 --epsilon 1 --bounds 0:1 -o segments.json\n",
          out);
    print_inked(out, INK_STRONG, "\n", "Commands", "\n");
    for (const cli_command *command = cli_commands; command->name != NULL; command++) {
        if (command->object != NULL) continue;
        print_inked(out, INK_BAR, "  ", command->name, "");
        fprintf(out, "%*s%s\n", 11 - (int)strlen(command->name), "", command->summary);
    }
    print_inked(out, INK_BAR, "  ", "help", "       the help of a command: tacit help kmeans\n");
    print_inked(out, INK_STRONG, "\n", "Options", "\n");
    print_inked(out, INK_BAR, "  ", "--help", "     print this help; after a command, its own\n");
    print_inked(out, INK_BAR, "  ", "--version",
                "  print the version, and those of what it is linked to\n");
    print_inked(out, INK_STRONG, "\n", "Exit codes", "\n");
    print_exit_codes(out);
}

void cli_print_version(FILE *out)
{
    fprintf(out, "tacit %s\n", tacit_version());
    for (int i = 0; i < tacit_library_count(); i++) {
        const char *version, *name = tacit_library_get(i, &version);
        fprintf(out, "  %-10s %s\n", name, version);
    }
}
