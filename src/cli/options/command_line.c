/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: --name value, --name=value, -k 5, -k5, -k=5, and -- before words that start with a dash.
   Strict on purpose: no abbreviations, nothing twice, no number with something behind it. A typed value is
   never repeated in a message, for it may be a data value pasted by mistake. */
#include "../cli.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 40

void cli_values_init(cli_values *value)
{
    *value = (cli_values){.epsilon = NAN, .mix_rows = 10000, .mix_columns = 2, .mix_clusters = 5,
                          .spread = 0.05, .seed = 1, .union_columns = 5, .union_subspaces = 3, .union_dimension = 3,
                          .noise = 0.01, .least_z = 2, .block_rows = 20000, .block_columns = 200, .block_row_clusters = 4,
                          .block_col_clusters = 4, .mean = 50, .contrast = 0.75, .confidence = 0.999, .noise_factor = 1, .time_limit = 60};
}

/* The program never calls setlocale, so strtod takes "." alone. The characters are checked first because
   strtod also takes "inf", "nan", hexadecimal and leading blanks. */
bool cli_number(const char *text, double *out)
{
    char *end = NULL;

    if (*text == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0') return false;
    errno = 0;
    *out = strtod(text, &end);
    return *end == '\0' && errno == 0 && isfinite(*out);
}

static bool whole(const char *text, double *out)
{
    return text[strspn(text, "0123456789")] == '\0' && strlen(text) <= 16 && cli_number(text, out);
}

static bool seed(const char *text, uint64_t *out)
{
    char *end = NULL;

    if (*text == '\0' || text[strspn(text, "0123456789")] != '\0') return false;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return errno == 0;
}

/* Edit distance where a swap of neighbours counts once, case ignored. Both names at most LONGEST_NAME long. */
static int slips(const char *a, const char *b)
{
    int d[LONGEST_NAME + 1][LONGEST_NAME + 1];
    const int n = (int)strlen(a), m = (int)strlen(b);

    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            const int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            int least = d[i - 1][j - 1] + (x != y);
            if (d[i - 1][j] + 1 < least) least = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < least) least = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) && y == tolower((unsigned char)a[i - 2]) &&
                d[i - 2][j - 2] + 1 < least)
                least = d[i - 2][j - 2] + 1;
            d[i][j] = least;
        }
    }
    return d[n][m];
}

const char *cli_nearest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    const size_t length = strlen(word);
    int least = (int)length / 3 + 2; /* one slip in a short word, a few in a long one */

    if (length < 2 || length > LONGEST_NAME) return NULL;
    for (size_t i = 0; i < count; i++) {
        if (strlen(names[i]) > LONGEST_NAME) continue;
        const int far = slips(word, names[i]);
        if (far < least) {
            least = far;
            best = names[i];
        }
    }
    for (size_t i = 0; i < count && best == NULL; i++) /* "lsh" for "lsh-tree" */
        if (strncmp(names[i], word, length) == 0) best = names[i];
    return best;
}

int cli_choice(const char *word, const char *choices, char *store, size_t size, const char **near)
{
    const char *names[16];
    size_t count = 0;
    char *rest = NULL;

    snprintf(store, size, "%s", choices);
    for (char *name = strtok_r(store, "|", &rest); name != NULL && count < 16; name = strtok_r(NULL, "|", &rest))
        names[count++] = name;
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], word) == 0) return (int)i;
    *near = cli_nearest(word, names, count);
    return -1;
}

/* The command's option of this name, or OPT_END. */
static cli_option_id by_name(const cli_command *command, const char *name, size_t length)
{
    for (const cli_option_id *id = command->options; *id != OPT_END; id++)
        if (strlen(cli_options[*id].name) == length && strncmp(cli_options[*id].name, name, length) == 0) return *id;
    return OPT_END;
}

static cli_option_id by_letter(const cli_command *command, char letter)
{
    for (const cli_option_id *id = command->options; *id != OPT_END; id++)
        if (letter != '\0' && cli_options[*id].letter == letter) return *id;
    return OPT_END;
}

static int unknown_option(const cli *c, const char *name, size_t length)
{
    char typed[LONGEST_NAME + 1];
    const char *names[OPT_COUNT];
    size_t count = 0;

    snprintf(typed, sizeof typed, "%.*s", (int)(length < LONGEST_NAME ? length : LONGEST_NAME), name);
    for (const cli_option_id *id = c->command->options; *id != OPT_END; id++) names[count++] = cli_options[*id].name;
    if (length == 1 && by_letter(c->command, *name) != OPT_END)
        return cli_fail(c, EXIT_USAGE, "unknown option --%s; did you mean -%s?", typed, typed);
    const char *near = cli_nearest(typed, names, count);
    if (near != NULL) return cli_fail(c, EXIT_USAGE, "unknown option --%s; did you mean --%s?", typed, near);
    return cli_fail(c, EXIT_USAGE, "unknown option --%s; see tacit %s --help", typed, c->command->name);
}

/* Does this look like the next option rather than a value? A value that does is written --name=value. */
static bool starts_option(const cli_command *command, const char *text)
{
    if (text[0] != '-' || text[1] == '\0') return false;
    if (text[1] == '-') return text[2] == '\0' || isalpha((unsigned char)text[2]);
    return text[2] == '\0' && by_letter(command, text[1]) != OPT_END;
}

static int take(cli *c, cli_option_id id, const char *written, const char *text)
{
    const cli_option *option = &cli_options[id];
    void *field = (char *)&c->value + option->field;
    double number = 0;
    uint64_t number_seed = 0;
    bool good = true;

    if (c->value.given[id])
        return cli_fail(c, EXIT_USAGE, "%s was given twice; say it once", written);
    c->value.given[id] = true;
    switch (option->kind) {
    case WANTS_NOTHING:
        memcpy(field, &(bool){true}, sizeof(bool));
        break;
    case WANTS_TEXT:
        good = *text != '\0';
        memcpy(field, &text, sizeof text);
        break;
    case WANTS_NUMBER:
        good = cli_number(text, &number) && number >= option->least && number <= option->most;
        memcpy(field, &number, sizeof number);
        break;
    case WANTS_WHOLE:
        if (option->choices != NULL && strcmp(text, option->choices) == 0) number = -1;
        else good = whole(text, &number) && number >= option->least && number <= option->most;
        memcpy(field, &(int64_t){good ? (int64_t)number : 0}, sizeof(int64_t));
        break;
    case WANTS_SEED:
        good = seed(text, &number_seed);
        memcpy(field, &number_seed, sizeof number_seed);
        break;
    case WANTS_METHOD: {
        const int method = cli_method_number(c, text);
        if (method < 0) return cli_unknown_method(c, written, text);
        memcpy(field, &(int64_t){method}, sizeof(int64_t));
        break;
    }
    case WANTS_CHOICE: {
        char store[128];
        const char *near = NULL;
        const int index = cli_choice(text, option->choices, store, sizeof store, &near);
        if (index < 0 && near != NULL)
            return cli_fail(c, EXIT_USAGE, "%s wants %s; did you mean %s?", written, option->wants, near);
        good = index >= 0;
        memcpy(field, &(int64_t){index}, sizeof(int64_t));
        break;
    }
    }
    if (!good)
        return cli_fail(c, EXIT_USAGE, "%s wants %s; see tacit %s --help", written, option->wants, c->command->name);
    return 0;
}

/* One option at argv[*at]; *at moves on to its value if that is a word of its own. */
static int option_at(cli *c, int argc, char **argv, int *at)
{
    const char *word = argv[*at], *text = NULL;
    const bool is_long = word[1] == '-';
    const char *name = word + 2, *equals = is_long ? strchr(name, '=') : NULL;
    const size_t length = equals != NULL ? (size_t)(equals - name) : is_long ? strlen(name) : 0;
    const cli_option_id id = is_long ? by_name(c->command, name, length) : by_letter(c->command, word[1]);
    char written[LONGEST_NAME + 8];

    if (id == OPT_END && is_long) return unknown_option(c, name, length);
    if (id == OPT_END && !isgraph((unsigned char)word[1]))
        return cli_fail(c, EXIT_USAGE, "unknown option; see tacit %s --help", c->command->name);
    if (id == OPT_END)
        return cli_fail(c, EXIT_USAGE, "unknown option -%c; see tacit %s --help", word[1], c->command->name);

    if (is_long) snprintf(written, sizeof written, "--%s", cli_options[id].name);
    else snprintf(written, sizeof written, "-%c", word[1]);
    if (cli_options[id].kind == WANTS_NOTHING) {
        if (equals != NULL || (!is_long && word[2] != '\0'))
            return cli_fail(c, EXIT_USAGE, "%s takes no value; see tacit %s --help", written, c->command->name);
        return take(c, id, written, NULL);
    }
    if (is_long && equals != NULL) text = equals + 1;
    else if (!is_long && word[2] != '\0') text = word + 2 + (word[2] == '=');
    else if (*at + 1 < argc && !starts_option(c->command, argv[*at + 1])) text = argv[++*at];
    else
        return cli_fail(c, EXIT_USAGE, "%s has no value; it wants %s; see tacit %s --help", written,
                        cli_options[id].wants, c->command->name);
    return take(c, id, written, text);
}

int cli_parse(cli *c, int argc, char **argv)
{
    bool only_words = false;
    int code = 0;

    /* A question for help is answered even when the rest of the line is wrong. */
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
                return cli_fail(c, EXIT_USAGE, "too many words: it takes %s; see tacit %s --help", c->command->words,
                                c->command->name);
            if (argv[i][0] == '\0')
                return cli_fail(c, EXIT_USAGE, "an empty name was given; it takes %s; see tacit %s --help",
                                c->command->words, c->command->name);
            c->value.word[c->value.words++] = argv[i];
        }
    }
    if (c->value.words < c->command->least_words && !c->value.list_methods)
        return cli_fail(c, EXIT_USAGE, "it takes %s; see tacit %s --help", c->command->words, c->command->name);
done:
    return code;
}
