/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of commands and options, and what is made from them: parser, checks, help. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <tacit/tacit.h>

#define MOST_WORDS 24
#define ANY_NUMBER INT32_MAX /* of words: the last ones are files */
#define MOST_USES 10
#define MOST_WANTS 160
#define MOST_HELP 600
/* 2^53: whole numbers up to it pass through a double unharmed */
#define CLI_NO_END 9007199254740992.0

typedef struct cli cli;

/* ---- options ---- */
/* Kinds of values: name, what holds one, and what ends the sentence "--name wants ...", where the
   kind alone decides it. */
#define CLI_KINDS(KIND)                                                                            \
    KIND(FLAG, bool, NULL)                                                                         \
    KIND(WHOLE, int64_t, NULL)                                                                     \
    KIND(NUMBER, double, NULL)                                                                     \
    KIND(SEED, uint64_t, "a whole number from 0 to 18446744073709551615")                          \
    KIND(SIZE, int64_t, "a size of 16M or more, for example 512M or 2G (K, M, G, T: 1024 each)")   \
    KIND(CHOICE, int64_t, NULL) /* the index among .words: the library's enum */                   \
    KIND(METHOD, int64_t, "the name of a method, for example auto")                                \
    KIND(TARGET, const char *, "the name of a method, for example lloyd, or all")                  \
    KIND(PATH, const char *, "a file name")                                                        \
    KIND(COLUMN, const char *, "a column name, or its number from 1")                              \
    KIND(MARK, const char *, "one mark, for example ';', or the word tab or space")                \
    KIND(COLUMNS, const char *, "column names, for example age,stay")                              \
    KIND(BOUNDS, const char *,                                                                     \
         "0:1 for all columns, age=0:120,stay=0:60 for each, or a CSV file column,lower,upper")    \
    KIND(SAID, const char *, "a value for some columns, for example age=2,spend=0.5")              \
    KIND(WORDS, const char *, "words separated by commas")                                         \
    KIND(RANGES, const char *,                                                                     \
         "a name and a range for each column, for example age=0:110,stay=0:60")                    \
    KIND(POINT, const char *, "numbers separated by commas, or one number for all columns")        \
    KIND(SHAPE, const char *,                                                                      \
         "rows x columns, for example 3891x4303, or x4303 for the columns alone")                  \
    KIND(PROGRAM, const char *, "a command line, for example 'prog {input}'")                      \
    KIND(PAIR, const char *, "two files that differ in one person")                                \
    KIND(DESCRIPTORS, const char *, "two open descriptors, for example 3,4")

#define KIND(kind, type, wants) KIND_##kind,
typedef enum cli_kind { CLI_KINDS(KIND) } cli_kind;
#undef KIND
#define KIND(kind, type, wants) typedef type cli_held_##kind;
CLI_KINDS(KIND)
#undef KIND

typedef enum cli_group {
    GROUP_DATA,
    GROUP_DOMAIN,
    GROUP_PRIVACY,
    GROUP_METHOD,
    GROUP_OUTPUT,
    GROUP_COUNT
} cli_group;

#define OPTION(id, ...) OPT_##id,
typedef enum cli_option_id {
#include "options.def"
    OPT_COUNT
} cli_option_id;

typedef enum cli_default { NO_DEFAULT, SET_HERE, THE_LIBRARYS } cli_default;

/* What an option is to some of the commands that take it. */
typedef struct cli_use {
    uint32_t commands;           /* bit i: cli_commands[i] */
    const char *help;            /* without range and default */
    double least, most, example; /* numbers: both ends allowed */
    cli_default has_default;
    double fallback;       /* the default, if it has one; of choices it is the first */
    const char *otherwise; /* a default that is no such value, in words */
    /* choices: "first|second"; numbers: also taken, "auto" as -1, "0" */
    const char *words;
} cli_use;

typedef struct cli_option {
    char letter;       /* 0: no short form */
    const char *name;  /* without the dashes */
    const char *value; /* how the help calls its value; NULL: none */
    cli_group group;
    cli_kind kind;
    size_t field; /* offset in cli_values */
    cli_use use[MOST_USES];
} cli_option;

extern const cli_option cli_options[OPT_COUNT];
extern const char *const cli_group_titles[GROUP_COUNT];

/* What the command line said. */
typedef struct cli_values {
    const char *word[MOST_WORDS];
    const char **more; /* the words after these; free it */
    int words;
    bool given[OPT_COUNT];
#define OPTION(id, field, letter, name, value, group, kind, ...) cli_held_##kind field;
#include "options.def"
} cli_values;

/* ---- commands ---- */
typedef enum cli_family {
    FAMILY_MEANS,
    FAMILY_MEDIAN,
    FAMILY_SUBSPACE,
    FAMILY_COCLUSTER
} cli_family;

/* In the order of cli_commands; one for another first word follows its command. */
typedef enum cli_command_id {
    CMD_KMEANS,
    CMD_KMEDIAN,
    CMD_SUBSPACE,
    CMD_COCLUSTER,
    CMD_PREDICT,
    CMD_EVALUATE,
    CMD_COMPARE,
    CMD_RECUT,
    CMD_SYNTHESIZE,
    CMD_REPORT,
    CMD_PLAN,
    CMD_PLAN_SUBSPACE,
    CMD_PLAN_COCLUSTER,
    CMD_DECLARE,
    CMD_LEDGER,
    CMD_AUDIT,
    CMD_GENERATE,
    CMD_GENERATE_SUBSPACES,
    CMD_GENERATE_COUNTS,
    CMD_COUNT
} cli_command_id;

typedef struct cli_command {
    const char *name, *summary;
    const char *object;  /* not NULL: for that first word; the entry before is for all others */
    const char *objects; /* "init|show": the first words there are; NULL: a file's name */
    const char *usage;   /* one line each, without the program's name */
    const char *about;
    const char *examples;
    int least_words, most_words;
    const char *words;  /* ends the sentence "it takes ..." */
    int (*run)(cli *c); /* gives the exit code */
    cli_family family;  /* plan: see cli_family_of */
} cli_command;

extern const cli_command cli_commands[CMD_COUNT + 1]; /* ends with a NULL name */

/* What the option is to this command; NULL: the command does not take it. */
const cli_use *cli_use_of(const cli_command *command, cli_option_id id);
/* Its letter there; 0: none, or another option of the command has it. */
char cli_letter_of(const cli_command *command, cli_option_id id);

/* ---- command_line.c ---- */
void cli_values_init(cli *c); /* the defaults of c->command's options; NULL: none */
/* Fill c->value from argv[2..]; a mistake is explained on stderr and gives its exit code. */
int cli_parse(cli *c, int argc, char **argv);
const char *cli_word(const cli_values *v, int i); /* of all words */
bool cli_number(const char *text, double *out);   /* the whole text is a finite number, with "." */
int cli_wrong_words(const cli *c, const char *why); /* says what words the command takes */
/* Says what the option wants, as it was written (NULL: by its name), and gives the exit code. */
int cli_unwanted(const cli *c, cli_option_id id, const char *written);
/* Ends the sentence "--name wants ...". */
void cli_wants(const cli_option *option, const cli_use *use, char *text, size_t size);

/* ---- near_words.c: what was probably meant ---- */
#define CLI_LONGEST_NAME 40
const char *cli_nearest(const char *word, const char *const *names, size_t count); /* NULL: none */
/* The index of `word` in choices ("a|b"), or -1. near: the choice probably meant (in `store`) or
   NULL. */
int cli_choice(const char *word, const char *choices, char *store, size_t size, const char **near);

/* ---- help.c ---- */
#define CLI_HELP_WIDTH 80
/* Words of `text` from column `at` on, broken before column `width`, later lines starting at
   `indent`. end not NULL: a command line, whose options keep their values; written where a line is
   broken. */
void cli_print_wrapped(FILE *out, const char *text, int at, int indent, int width, const char *end);
void cli_print_version(FILE *out); /* with those of the libraries, for reports of bugs */
void cli_help_all(FILE *out);
void cli_help_command(FILE *out, const cli_command *command);
/* The use's help with its range and default, as the help and the manual page print it. */
void cli_help_text(const cli_option *option, const cli_use *use, char *text, size_t size);
void cli_exact_text(char *text, size_t size, double number);      /* as one would type it: 1e-6 */
void cli_range_text(char *text, size_t size, const cli_use *use); /* "1 to 1000", "1 or more" */
void cli_list_words(char *text, size_t size, const char *words);  /* "a|b|c" as "a, b or c" */
void cli_options_json(FILE *out); /* both tables, for the tools that make pages and completions */

/* ---- method_names.c ---- */
cli_family cli_family_of(const cli *c);
const char *cli_objective(const cli *c); /* "kmeans", "kmedian", "subspace" or "cocluster" */
int cli_method_number(const cli *c, const char *name); /* the library's enum, or -1 */
/* Says which names there are, or which one was probably meant, and gives the exit code. */
int cli_unknown_method(const cli *c, const char *written, const char *typed);
int cli_check_serves(const cli *c); /* does the method do what the command is for? */
int cli_list_methods(const cli *c);

/* ---- rules*.c: options that go with some others only ---- */
typedef struct cli_rule {
    bool broken;
    const char *what; /* and its way out */
} cli_rule;

/* EXIT_OK, or the sentence of the first broken rule, or of all of them, and the exit code. */
int cli_check_rules(const cli *c, const cli_rule *rules, size_t count, bool all);
int cli_check_request(const cli *c); /* of a private run, or its plan */
int cli_check_domain(const cli *c);  /* bounds, radius and center */
int cli_check_persons(const cli *c); /* unit, unit column and rows per person */
int cli_check_subspace(const cli *c);
int cli_check_cocluster(const cli *c);
/* The character that a mark is: itself, or that of its word; 0: it is none. */
char cli_mark(const char *text);
/* What --shape says; false: not a shape. 0: not said. */
bool cli_read_shape(const char *text, int64_t *rows, int32_t *columns);

#endif
