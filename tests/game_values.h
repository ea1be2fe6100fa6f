/* SPDX-License-Identifier: Apache-2.0 */
/* What an analyst may write behind an option: classes of values, by the kind of value in the option
   table, and its range and words for the command. An option of a kind that this file has no classes
   for is named by the game, which then fails. */
#ifndef TAC_GAME_VALUES_H
#define TAC_GAME_VALUES_H

#include "cli/cli.h"
#include "cluster/cocluster/cocluster_run.h"
#include "cluster/kmeans/kmeans_run.h"
#include "cluster/subspace/subspace_run.h"
#include "game_sets.h"

#include <math.h>

enum { MOST_MOVES = 600, VALUE = 200 };
/* a million clusters or rounds take seconds: with TACIT_TEST_MULT=10 and more */
enum { LARGE = 1000, LONG_TIER = 1000 };

/* One thing to write: an option with a value or without, another name for the data file (option
   NULL), or (left_out) nothing where the line would have had something. */
typedef struct move {
    const cli_option *option;
    char value[VALUE];
    bool left_out;
    bool parses; /* the parser takes it: worth trying together with others */
    bool core;   /* about what the data are and what is protected */
} move;

typedef struct moves {
    move list[MOST_MOVES];
    int count;
    const char *unknown; /* an option that no class is for; NULL: all known */
} moves;

/* An option and what it is to the command that is played. */
typedef struct table_entry {
    const cli_option *option;
    const cli_use *use;
} table_entry;

static const table_entry data_file = {NULL, NULL};

static void add_move(moves *m, const table_entry *o, const char *value)
{
    const cli_option *option = o->option;
    MUST(m->count < MOST_MOVES && strlen(value) < VALUE);
    move *new = &m->list[m->count++];
    *new = (move){.option = option};
    snprintf(new->value, sizeof new->value, "%s", value);
    const bool number =
        option != NULL && (option->kind == KIND_NUMBER || option->kind == KIND_WHOLE ||
                           option->kind == KIND_SEED || option->kind == KIND_SIZE);
    new->core = option == NULL ||
                (!number && (option->group == GROUP_DATA || option->group == GROUP_DOMAIN ||
                             option->group == GROUP_PRIVACY));
}

__attribute__((format(printf, 3, 4))) static void add_told(moves *m, const table_entry *o,
                                                           const char *format, ...)
{
    char text[VALUE];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add_move(m, o, text);
}

/* ---- numbers ---- */

static void add_numbers(moves *m, const table_entry *o)
{
    static const char *const none[] = {"", "nan", "1e999", "many", "-1", "0x10", "1,5"};
    const bool whole = o->option->kind == KIND_WHOLE;
    const cli_use *use = o->use;

    add_told(m, o, "%.17g", use->example);
    add_told(m, o, "%.17g", use->least);
    if (!whole || use->most <= LARGE || tap_times(100) >= LONG_TIER)
        add_told(m, o, "%.17g", use->most);
    if (whole) add_told(m, o, "%.17g", use->least + 1);
    add_told(m, o, "%.17g", whole ? use->most + 1 : use->most * 2);
    add_told(m, o, "%.17g", whole ? use->least + 0.5 : use->example / 3);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) add_move(m, o, none[i]);
    if (use->words != NULL) add_move(m, o, use->words);
}

static void add_seeds(moves *m, const table_entry *o)
{
    static const char *const list[] = {"0",  "7", "18446744073709551615", "18446744073709551616",
                                       "-1", ""};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) add_move(m, o, list[i]);
}

static void add_choices(moves *m, const table_entry *o)
{
    char all[VALUE], *rest = NULL;

    snprintf(all, sizeof all, "%s", o->use->words);
    for (char *one = strtok_r(all, "|", &rest); one != NULL; one = strtok_r(NULL, "|", &rest))
        add_move(m, o, one);
    add_move(m, o, "");
    add_move(m, o, "nosuch");
}

static void add_methods(moves *m, const table_entry *o, cli_family family)
{
    tacit_method method = TACIT_METHOD_INIT;

    for (int32_t i = 0;
         (family == FAMILY_COCLUSTER  ? tacit_cocluster_method_get(i, &method)
          : family == FAMILY_SUBSPACE ? tacit_subspace_method_get(i, &method)
                                      : tacit_kmeans_method_get(i, &method)) == TACIT_OK;
         i++)
        add_move(m, o, method.name);
    add_move(m, o, "nosuch");
}

/* ---- text ---- */

static void add_list(moves *m, const table_entry *o, const char *const *list)
{
    for (; *list != NULL; list++) add_move(m, o, *list);
}

/* The files of the game's folder (game_world.h), and what is no file. */
static void add_paths(moves *m, const table_entry *o, const game_set *set)
{
    static const char *const list[] = {"words.txt",
                                       "renaming.txt",
                                       "numbers.txt",
                                       "short.txt",
                                       "bounds.csv",
                                       "model.json",
                                       "other.ledger",
                                       "other.csv",
                                       "other.schema.json",
                                       "link",
                                       "out.json",
                                       "absent/out.json",
                                       "folder",
                                       "-",
                                       "/proc/self/fd/0",
                                       "",
                                       NULL};

    add_list(m, o, list);
    add_move(m, o, set->file);
    add_told(m, o, "%s.ledger", set->file);
    add_told(m, o, "%s.schema.json", set->file);
}

/* Name number i of the set; false: there are fewer. */
static bool name_of(const game_set *set, int i, char *out)
{
    const char *at = set->names;

    for (; i > 0 && at != NULL; i--) at = strchr(at, ' ') == NULL ? NULL : strchr(at, ' ') + 1;
    if (at == NULL) return false;
    snprintf(out, VALUE, "%.*s", (int)strcspn(at, " "), at);
    return true;
}

static void add_columns(moves *m, const table_entry *o, const game_set *set)
{
    static const char *const list[] = {"1", "2", "c1", "c2", "row", "nosuch", "", NULL};
    char name[VALUE];

    for (int i = 0; i < 2 && name_of(set, i, name); i++) add_move(m, o, name);
    if (set->unit != NULL) add_move(m, o, set->unit);
    if (set->aside != NULL) add_move(m, o, set->aside);
    add_list(m, o, list);
}

static void add_marks(moves *m, const table_entry *o)
{
    static const char *const list[] = {",", ";",  ".",  "tab", "space", "'",
                                       "1", "\"", "ab", "",    NULL};

    add_list(m, o, list);
}

static void add_column_lists(moves *m, const table_entry *o, const game_set *set)
{
    static const char *const list[] = {"1",      "2,3", "3", "c1", "c2,c3", "row,col,count",
                                       "nosuch", ",",   "",  NULL};
    char one[VALUE], two[VALUE];

    MUST(name_of(set, 0, one) && name_of(set, 1, two));
    add_move(m, o, one);
    add_told(m, o, "%s,%s", one, two);
    add_told(m, o, "%s,%s", two, one);
    add_told(m, o, "%s,%s", one, one);
    add_told(m, o, "\"%s\"", two);
    if (set->unit != NULL) add_told(m, o, "%s,%s", set->unit, one);
    if (set->aside != NULL) add_move(m, o, set->aside);
    if (set->aside != NULL) add_told(m, o, "%s,%s", one, set->aside);
    add_list(m, o, list);
}

static void add_bounds(moves *m, const table_entry *o, const game_set *set)
{
    static const char *const list[] = {"0:1",       "-1e100:1e100", "0:1e-300",   "1:0",
                                       "0:",        "0:1:2",        "nosuch=0:1", "bounds.csv",
                                       "words.txt", "absent.csv",   "",           NULL};
    char one[VALUE], two[VALUE];

    MUST(name_of(set, 0, one) && name_of(set, 1, two));
    if (set->bounds != NULL) add_move(m, o, set->bounds);
    add_told(m, o, "%s=0:1,%s=0:2", one, two);
    add_told(m, o, "%s=0:1", one);
    add_told(m, o, "0:1,%s=0:2", two);
    add_told(m, o, "%s=private", one);
    add_told(m, o, "private,%s=private:0:9", two);
    add_told(m, o, "%s=1990-01-01:2020-12-31", two);
    if (set->unit != NULL) add_told(m, o, "%s=0:1", set->unit);
    add_move(m, o, set->file);
    add_list(m, o, list);
}

/* What is said of columns: rules for missing values, categories, weights, transforms. All of them
   are written behind each such option: most make no sense there. */
static void add_said(moves *m, const table_entry *o, const game_set *set)
{
    static const char *const rules[] = {
        "drop-row", "midpoint", "reject-file", "fill:0", "own-category", "nosuch=1", "=", "", NULL};
    static const char *const values[] = {"fill:1", "midpoint", "1|2|3", "boolean", "2",
                                         "1e9",    "log1p",    "sqrt",  "",        NULL};
    char one[VALUE], two[VALUE];

    MUST(name_of(set, 0, one) && name_of(set, 1, two));
    add_list(m, o, rules);
    for (const char *const *value = values; *value != NULL; value++)
        add_told(m, o, "%s=%s", one, *value);
    add_told(m, o, "%s=2,%s=3", one, two);
    add_told(m, o, "drop-row,%s=fill:0", two);
    if (set->unit != NULL) add_told(m, o, "%s=1|2", set->unit);
    if (set->aside != NULL) add_told(m, o, "%s=1|2", set->aside);
}

static void add_words(moves *m, const table_entry *o, const game_set *set)
{
    static const char *const list[] = {"-", "1", "n.a.,0", ",", "", NULL};

    (void)set;
    add_list(m, o, list);
}

static void add_centers(moves *m, const table_entry *o, const game_set *set)
{
    static const char *const list[] = {"0", "0.5", "0,0", "1e300", "0,x", "", NULL};

    (void)set;
    add_list(m, o, list);
}

static void add_shapes(moves *m, const table_entry *o, const game_set *set)
{
    static const char *const list[] = {"x6",  "12x6",  "11x6", "12x5", "13x7", "x5", "x7",
                                       "1x1", "100x6", "x0",   "6",    "6x",   "",   NULL};

    if (set->shape != NULL) add_move(m, o, set->shape);
    add_list(m, o, list);
}

static void add_sizes(moves *m, const table_entry *o)
{
    static const char *const list[] = {"16M", "2G", "1T", "16777216", "15M", "0",
                                       "",    "2X", "-1", "9999999T", NULL};

    add_list(m, o, list);
}

static void add_descriptors(moves *m, const table_entry *o)
{
    static const char *const list[] = {"3,4", "4,3", "3,3",   "0,0",    "3",
                                       "",    "3,",  "3,4,5", "-1,900", NULL};

    add_list(m, o, list);
}

/* ---- all moves of a command ---- */

static void add_files(moves *m, const game_set *set)
{
    static const char *const list[] = {"link", "lure", "/proc/self/fd/0", NULL};

    add_list(m, &data_file, list);
    add_told(m, &data_file, "./%s", set->file);
    add_told(m, &data_file, "folder/../%s", set->file);
    add_told(m, &data_file, "%s.ledger", set->file);
}

static void add_option(moves *m, const table_entry *o, const game_set *set, cli_family family)
{
    switch (o->option->kind) {
    case KIND_FLAG: add_move(m, o, ""); break;
    case KIND_NUMBER:
    case KIND_WHOLE: add_numbers(m, o); break;
    case KIND_SEED: add_seeds(m, o); break;
    case KIND_SIZE: add_sizes(m, o); break;
    case KIND_CHOICE: add_choices(m, o); break;
    case KIND_METHOD: add_methods(m, o, family); break;
    case KIND_PATH: add_paths(m, o, set); break;
    case KIND_COLUMN: add_columns(m, o, set); break;
    case KIND_MARK: add_marks(m, o); break;
    case KIND_COLUMNS: add_column_lists(m, o, set); break;
    case KIND_BOUNDS: add_bounds(m, o, set); break;
    case KIND_SAID: add_said(m, o, set); break;
    case KIND_WORDS: add_words(m, o, set); break;
    case KIND_POINT: add_centers(m, o, set); break;
    case KIND_SHAPE: add_shapes(m, o, set); break;
    case KIND_DESCRIPTORS: add_descriptors(m, o); break;
    default: /* of commands that are not played, or newer than this file */
        if (m->unknown == NULL) m->unknown = o->option->name;
    }
}

/* Does the parser take it, and go on? Only then it is worth writing together with others. */
static bool parser_takes(const cli_command *command, const move *one)
{
    char word[VALUE + 64],
        *words[] = {"tacit", (char *)(uintptr_t)command->name, word, "x", "x", NULL};
    cli c = {.command = command};

    if (one->option == NULL || one->left_out) return true;
    snprintf(word, sizeof word, one->option->kind == KIND_FLAG ? "--%s" : "--%s=%s",
             one->option->name, one->value);
    cli_values_init(&c);
    return cli_parse(&c, 3 + command->least_words, words) == 0 && !c.value.help &&
           !c.value.list_methods;
}

#endif
