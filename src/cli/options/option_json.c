/* SPDX-License-Identifier: Apache-2.0 */
/* Both tables as JSON, for tools/make_man.py, tools/make_completions.py and the tests that hold the
   public header against them: "tacit --tables", which no help lists. */
#include "../cli.h"

/* The commands of a use, by name. `lettered` an option: only those where its letter is its own. */
static void print_commands(FILE *out, const char *name, const cli_use *use, cli_option_id lettered)
{
    bool first = true;

    fprintf(out, ", \"%s\": [", name);
    for (const cli_command *c = cli_commands; c->name != NULL; c++) {
        if ((use->commands >> (c - cli_commands) & 1) == 0) continue;
        if (lettered < OPT_COUNT && cli_letter_of(c, lettered) == 0) continue;
        fprintf(out, "%s\"%s%s%s\"", first ? "" : ", ", c->name, c->object == NULL ? "" : " ",
                c->object == NULL ? "" : c->object);
        first = false;
    }
    fputc(']', out);
}

/* One use of an option as a JSON object: help, commands, words, range, default. */
static void print_use(FILE *out, cli_option_id id, const cli_use *use)
{
    const cli_option *option = &cli_options[id];
    const bool number = option->kind == KIND_WHOLE || option->kind == KIND_NUMBER;
    char text[MOST_HELP];

    cli_help_text(option, use, text, sizeof text);
    cli_json_put_text(out, "{", "help", text);
    print_commands(out, "commands", use, OPT_COUNT);
    print_commands(out, "with_letter", use, id);
    cli_json_put_text(out, ", ", "words", use->words);
    if (number)
        fprintf(out, ", \"least\": %.17g, \"most\": %.17g, \"example\": %.17g", use->least,
                use->most, use->example);
    if (use->has_default != NO_DEFAULT)
        fprintf(out, ", \"default\": %.17g, \"library\": %s", use->fallback,
                use->has_default == THE_LIBRARYS ? "true" : "false");
    fputc('}', out);
}

/* All commands, then all options with their uses. Numbers have 17 digits, so they read back
   exactly. */
void cli_options_json(FILE *out)
{
#define KIND(kind, type, wants) #kind,
    static const char *const kinds[] = {CLI_KINDS(KIND)};
#undef KIND

    fputs("{\"commands\": [", out);
    for (const cli_command *c = cli_commands; c->name != NULL; c++) {
        fprintf(out, "%s\n  {\"name\": \"%s\"", c == cli_commands ? "" : ",", c->name);
        cli_json_put_text(out, ", ", "object", c->object);
        cli_json_put_text(out, ", ", "objects", c->objects);
        cli_json_put_text(out, ", ", "summary", c->summary);
        cli_json_put_text(out, ", ", "usage", c->usage);
        fputc('}', out);
    }
    fputs("],\n \"options\": [", out);
    for (cli_option_id id = 0; id < OPT_COUNT; id++) {
        const cli_option *o = &cli_options[id];
        fprintf(out, "%s\n  {\"name\": \"%s\"", id == 0 ? "" : ",", o->name);
        cli_json_put_text(out, ", ", "letter", o->letter == 0 ? NULL : (char[]){o->letter, '\0'});
        cli_json_put_text(out, ", ", "value", o->value);
        cli_json_put_text(out, ", ", "group", cli_group_titles[o->group]);
        cli_json_put_text(out, ", ", "kind", kinds[o->kind]);
        fputs(", \"uses\": [", out);
        for (const cli_use *use = o->use; use < o->use + MOST_USES && use->commands != 0; use++) {
            fputs(use == o->use ? "\n    " : ",\n    ", out);
            print_use(out, id, use);
        }
        fputs("]}", out);
    }
    fputs("]}\n", out);
}
