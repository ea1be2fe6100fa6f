/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: --name value, --name=value, -k 5, -k5, -k=5, and -- before words that start
   with a dash. Strict on purpose: no abbreviations, nothing twice, no number with something behind
   it. A typed value is never repeated in a message, for it may be a data value pasted by
   mistake. */
#include "../cli.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Puts a number where the option's value is kept. */
static void hold(cli *c, const cli_option *option, double number)
{
    void *field = (char *)&c->value + option->field;

    if (option->kind == KIND_NUMBER)
        memcpy(field, &number, sizeof number);
    else if (option->kind == KIND_SEED)
        memcpy(field, &(uint64_t){(uint64_t)number}, sizeof(uint64_t));
    else
        memcpy(field, &(int64_t){(int64_t)number}, sizeof(int64_t));
}

/* The command's own defaults. Defaults of the library are left to it; epsilon has none, so it
   starts as NaN. */
void cli_values_init(cli *c)
{
    c->value = (cli_values){.epsilon = NAN};
    for (cli_option_id id = 0; c->command != NULL && id < OPT_COUNT; id++) {
        const cli_use *use = cli_use_of(c->command, id);
        if (use != NULL && use->has_default == SET_HERE) hold(c, &cli_options[id], use->fallback);
    }
}

/* The program never calls setlocale, so strtod takes "." alone. The characters are checked first
   because strtod also takes "inf", "nan", hexadecimal and leading blanks. */
bool cli_number(const char *text, double *out)
{
    char *end = NULL;

    if (*text == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0') return false;
    errno = 0;
    *out = strtod(text, &end);
    return *end == '\0' && errno == 0 && isfinite(*out);
}

/* Digits alone, at most 16 of them. */
static bool whole(const char *text, double *out)
{
    return text[strspn(text, "0123456789")] == '\0' && strlen(text) <= 16 && cli_number(text, out);
}

/* Any number of 64 bits, in digits. */
static bool seed(const char *text, uint64_t *out)
{
    char *end = NULL;

    if (*text == '\0' || text[strspn(text, "0123456789")] != '\0') return false;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return errno == 0;
}

/* Digits and a unit: bytes, or K, M, G, T of 1024 each. */
static bool size(const char *text, int64_t *out)
{
    static const char units[] = "KMGT";
    uint64_t number = 0;
    char digits[17];
    const size_t length = strspn(text, "0123456789");
    const char *unit =
        text[length] == '\0' ? NULL : strchr(units, toupper((unsigned char)text[length]));
    const int shift = unit == NULL ? 0 : 10 * (int)(unit - units + 1);

    if (length == 0 || length >= sizeof digits) return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    if (!seed(digits, &number) || number > (uint64_t)INT64_MAX >> shift) return false;
    *out = (int64_t)(number << shift);
    return text[length] == '\0' || (unit != NULL && text[length + 1] == '\0');
}

char cli_mark(const char *text)
{
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0) return '\t';
    if (strcmp(text, "space") == 0) return ' ';
    return text[0] != '\0' && text[1] == '\0' ? text[0] : 0;
}

/* The command's option of this name, or OPT_COUNT. --neighbours is how 0.1 spelled --neighbors. */
static cli_option_id by_name(const cli_command *command, const char *name, size_t length)
{
    if (length == strlen("neighbours") && strncmp(name, "neighbours", length) == 0)
        return by_name(command, "neighbors", length - 1);
    for (cli_option_id id = 0; id < OPT_COUNT; id++)
        if (cli_use_of(command, id) != NULL && strlen(cli_options[id].name) == length &&
            strncmp(cli_options[id].name, name, length) == 0)
            return id;
    return OPT_COUNT;
}

/* The command's option with this letter, or OPT_COUNT. */
static cli_option_id by_letter(const cli_command *command, char letter)
{
    for (cli_option_id id = 0; id < OPT_COUNT; id++)
        if (letter != '\0' && cli_options[id].letter == letter && cli_use_of(command, id) != NULL)
            return id;
    return OPT_COUNT;
}

/* The commands that take an option of this name or letter, separated by commas; empty: none. */
static void who_takes(const char *name, char *text, size_t size)
{
    size_t used = 0;

    *text = '\0';
    for (int i = 0; i < CMD_COUNT && used < size; i++) {
        const cli_command *command = &cli_commands[i];
        const cli_option_id id =
            name[1] == '\0' ? by_letter(command, *name) : by_name(command, name, strlen(name));
        if (command->object == NULL && id != OPT_COUNT)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ",
                                     command->name);
    }
}

/* Refuses an option, with its dashes, that other commands take. */
static int other_commands(const cli *c, const char *option, const char *others)
{
    const cli_command *command = c->command;
    const char *object = command->object != NULL ? command->object : "";
    const char *space = command->object != NULL ? " " : "";

    return cli_fail(c, EXIT_USAGE,
                    "unknown option %s: it is for %s, not for %s%s%s; see tacit %s%s%s --help",
                    option, others, command->name, space, object, command->name, space, object);
}

/* Refuses an option that the command does not take: says which do, or the nearest one that it
   does. */
static int unknown_option(const cli *c, const char *name, size_t length)
{
    char typed[CLI_LONGEST_NAME + 1], option[CLI_LONGEST_NAME + 3], others[256];
    const char *names[OPT_COUNT];
    size_t count = 0;

    snprintf(typed, sizeof typed, "%.*s",
             (int)(length < CLI_LONGEST_NAME ? length : CLI_LONGEST_NAME), name);
    for (cli_option_id id = 0; id < OPT_COUNT; id++)
        if (cli_use_of(c->command, id) != NULL) names[count++] = cli_options[id].name;
    if (length == 1 && by_letter(c->command, *name) != OPT_COUNT)
        return cli_fail(c, EXIT_USAGE, "unknown option --%s; did you mean -%s?", typed, typed);
    who_takes(typed, others, sizeof others);
    snprintf(option, sizeof option, "%s%s", length == 1 ? "-" : "--", typed);
    if (*others != '\0') return other_commands(c, option, others);
    const char *near = cli_nearest(typed, names, count);
    if (near != NULL)
        return cli_fail(c, EXIT_USAGE, "unknown option --%s; did you mean --%s?", typed, near);
    return cli_fail(c, EXIT_USAGE, "unknown option --%s; see tacit %s --help", typed,
                    c->command->name);
}

static int unknown_letter(const cli *c, char letter)
{
    const char option[] = {'-', letter, '\0'};
    char others[256];

    who_takes(option + 1, others, sizeof others);
    if (*others != '\0') return other_commands(c, option, others);
    return cli_fail(c, EXIT_USAGE, "unknown option %s; see tacit %s --help", option,
                    c->command->name);
}

/* Does this look like the next option rather than a value? A value that does is written
   --name=value. */
static bool starts_option(const cli_command *command, const char *text)
{
    if (text[0] != '-' || text[1] == '\0') return false;
    if (text[1] == '-') return text[2] == '\0' || isalpha((unsigned char)text[2]);
    return text[2] == '\0' && by_letter(command, text[1]) != OPT_COUNT;
}

/* "a number from 0 to 1, for example 0.5", "a whole number of 1 or more, ...", "0, or a number
   ...". */
static void wants_number(const cli_option *option, const cli_use *use, char *text, size_t size)
{
    char range[80], example[32];
    const bool whole_only = option->kind == KIND_WHOLE, zero = !whole_only && use->words != NULL;

    cli_range_text(range, sizeof range, use);
    cli_exact_text(example, sizeof example, use->example);
    snprintf(text, size, "%sa %s %s %s, for example %s%s%s", zero ? "0, or " : "",
             whole_only                ? "whole number"
             : zero || use->least <= 0 ? "number"
                                       : "positive number",
             use->most != CLI_NO_END ? "from" : "of", range, example,
             whole_only && use->words != NULL ? ", or " : "",
             whole_only && use->words != NULL ? use->words : "");
}

/* The contract stands in options.h. The kind decides the words, or the range of the use does. */
void cli_wants(const cli_option *option, const cli_use *use, char *text, size_t size)
{
#define KIND(kind, type, wants) wants,
    static const char *const by_kind[] = {CLI_KINDS(KIND)};
#undef KIND

    if (option->kind == KIND_CHOICE)
        cli_list_words(text, size, use->words);
    else if (by_kind[option->kind] != NULL)
        snprintf(text, size, "%s", by_kind[option->kind]);
    else
        wants_number(option, use, text, size);
}

int cli_unwanted(const cli *c, cli_option_id id, const char *written)
{
    char wants[MOST_WANTS], name[CLI_LONGEST_NAME + 8];

    snprintf(name, sizeof name, "--%s", cli_options[id].name);
    cli_wants(&cli_options[id], cli_use_of(c->command, id), wants, sizeof wants);
    return cli_fail(c, EXIT_USAGE, "%s wants %s; see tacit %s --help",
                    written == NULL ? name : written, wants, c->command->name);
}

/* A word of a list, kept as its index. Refused with the nearest word. */
static int take_choice(cli *c, cli_option_id id, const char *written, const char *text)
{
    char store[128], wants[MOST_WANTS];
    const cli_use *use = cli_use_of(c->command, id);
    const char *near = NULL;
    const int index = cli_choice(text, use->words, store, sizeof store, &near);

    if (index < 0 && near == NULL) return cli_unwanted(c, id, written);
    cli_wants(&cli_options[id], use, wants, sizeof wants);
    if (index < 0)
        return cli_fail(c, EXIT_USAGE, "%s wants %s; did you mean %s?", written, wants, near);
    hold(c, &cli_options[id], index);
    return EXIT_OK;
}

/* Is it a number that the option takes? A whole number may have a word instead ("auto", kept as
   -1); a real one may allow 0 outside its range. */
static bool takes_number(const cli_option *option, const cli_use *use, const char *text,
                         double *out)
{
    const bool whole_only = option->kind == KIND_WHOLE;

    *out = -1;
    if (whole_only && use->words != NULL && strcmp(text, use->words) == 0) return true;
    if (!(whole_only ? whole(text, out) : cli_number(text, out))) return false;
    return (*out >= use->least && *out <= use->most) ||
           (!whole_only && use->words != NULL && *out == 0);
}

/* Checks one value and keeps it. The text itself is borrowed from argv. Refuses an option given
   twice. */
static int take(cli *c, cli_option_id id, const char *written, const char *text)
{
    const cli_option *option = &cli_options[id];
    void *field = (char *)&c->value + option->field;
    double number = 0;
    bool good = true;

    if (c->value.given[id])
        return cli_fail(c, EXIT_USAGE, "%s was given twice; say it once", written);
    c->value.given[id] = true;
    switch (option->kind) {
    case KIND_FLAG: memcpy(field, &(bool){true}, sizeof(bool)); break;
    case KIND_WHOLE:
    case KIND_NUMBER:
        good = takes_number(option, cli_use_of(c->command, id), text, &number);
        hold(c, option, good ? number : 0);
        break;
    case KIND_SEED: {
        uint64_t kept = 0;
        good = seed(text, &kept);
        memcpy(field, &kept, sizeof kept);
        break;
    }
    case KIND_SIZE: {
        int64_t kept = 0;
        good = size(text, &kept) && kept >= TACIT_MEMORY_LEAST;
        memcpy(field, &kept, sizeof kept);
        break;
    }
    case KIND_CHOICE: return take_choice(c, id, written, text);
    case KIND_METHOD:
        number = cli_method_number(c, text);
        if (number < 0) return cli_unknown_method(c, written, text);
        hold(c, option, number);
        break;
    case KIND_MARK:
        good = cli_mark(text) != 0;
        memcpy(field, &text, sizeof text);
        break;
    default: /* text */ good = *text != '\0'; memcpy(field, &text, sizeof text);
    }
    return good ? EXIT_OK : cli_unwanted(c, id, written);
}

/* One option at argv[*at]; *at moves on to its value if that is a word of its own. */
static int option_at(cli *c, int argc, char **argv, int *at)
{
    const char *word = argv[*at], *text = NULL;
    const bool is_long = word[1] == '-';
    const char *name = word + 2, *equals = is_long ? strchr(name, '=') : NULL;
    const size_t length = equals != NULL ? (size_t)(equals - name) : is_long ? strlen(name) : 0;
    const cli_option_id id =
        is_long ? by_name(c->command, name, length) : by_letter(c->command, word[1]);
    char written[CLI_LONGEST_NAME + 8], wants[MOST_WANTS];

    if (id == OPT_COUNT && is_long) return unknown_option(c, name, length);
    if (id == OPT_COUNT && !isgraph((unsigned char)word[1]))
        return cli_fail(c, EXIT_USAGE, "unknown option; see tacit %s --help", c->command->name);
    if (id == OPT_COUNT) return unknown_letter(c, word[1]);

    if (is_long)
        snprintf(written, sizeof written, "--%s", cli_options[id].name);
    else
        snprintf(written, sizeof written, "-%c", word[1]);
    if (cli_options[id].kind == KIND_FLAG) {
        if (equals != NULL || (!is_long && word[2] != '\0'))
            return cli_fail(c, EXIT_USAGE, "%s takes no value; see tacit %s --help", written,
                            c->command->name);
        return take(c, id, written, NULL);
    }
    if (is_long && equals != NULL)
        text = equals + 1;
    else if (!is_long && word[2] != '\0')
        text = word + 2 + (word[2] == '=');
    else if (*at + 1 < argc && !starts_option(c->command, argv[*at + 1]))
        text = argv[++*at];
    else {
        cli_wants(&cli_options[id], cli_use_of(c->command, id), wants, sizeof wants);
        return cli_fail(c, EXIT_USAGE, "%s has no value; it wants %s; see tacit %s --help", written,
                        wants, c->command->name);
    }
    return take(c, id, written, text);
}

int cli_wrong_words(const cli *c, const char *why)
{
    const char *usage = c->command->usage;

    return cli_fail(c, EXIT_USAGE, "%sit takes %s: tacit %.*s; see tacit %s --help", why,
                    c->command->words, (int)strcspn(usage, "\n"), usage, c->command->name);
}

const char *cli_word(const cli_values *v, int i)
{
    return i < MOST_WORDS ? v->word[i] : v->more[i - MOST_WORDS];
}

static int keep_word(cli *c, int argc, const char *word)
{
    cli_values *v = &c->value;

    if (v->words < MOST_WORDS) {
        v->word[v->words++] = word;
        return EXIT_OK;
    }
    if (v->more == NULL) v->more = calloc((size_t)argc, sizeof *v->more);
    if (v->more == NULL) return cli_no_memory(c);
    v->more[v->words++ - MOST_WORDS] = word;
    return EXIT_OK;
}

/* The contract stands in options.h. Options and words may be mixed; after "--" everything is a
   word. */
int cli_parse(cli *c, int argc, char **argv)
{
    bool only_words = false;
    int code = 0;

    /* A request for help is answered even when the rest of the line is wrong. */
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) c->value.help = true;
    if (c->value.help) return 0;

    for (int i = 2; i < argc; i++) {
        if (!only_words && strcmp(argv[i], "--") == 0) {
            only_words = true;
        } else if (!only_words && argv[i][0] == '-' && argv[i][1] != '\0') {
            CLI_TRY(option_at(c, argc, argv, &i));
        } else {
            if (c->value.words == c->command->most_words)
                return cli_wrong_words(c, "too many words: ");
            if (argv[i][0] == '\0') return cli_wrong_words(c, "an empty name was given; ");
            CLI_TRY(keep_word(c, argc, argv[i]));
        }
    }
    if (c->value.words < c->command->least_words && !c->value.list_methods)
        return cli_wrong_words(c, "");
done:
    return code;
}
