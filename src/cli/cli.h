/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the command share. The command knows the library by its public header alone. */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <tacit/tacit.h>

/* Every status of the library has its exit code; these are the ones that the command finds out by itself. */
#define EXIT_OK 0
#define EXIT_USAGE 64
#define EXIT_NO_INPUT 66
#define EXIT_NO_OUTPUT 73
int cli_exit_code(tacit_status status);

#define MOST_WORDS 2

/* ---- options ------------------------------------------------------------------------------------------ */

typedef enum cli_kind {
    WANTS_NOTHING, WANTS_TEXT, WANTS_NUMBER, WANTS_WHOLE, WANTS_SEED, WANTS_CHOICE, WANTS_METHOD
} cli_kind;

typedef enum cli_group { GROUP_DATA, GROUP_DOMAIN, GROUP_PRIVACY, GROUP_METHOD, GROUP_OUTPUT, GROUP_COUNT } cli_group;

typedef enum cli_option_id {
    OPT_END = 0, /* ends a command's list */
    OPT_CLUSTERS, OPT_K_MAX, OPT_COLUMNS, OPT_MODEL_COLUMNS, OPT_LABEL_COLUMN, OPT_CLASS_COLUMN, OPT_ID_COLUMN, OPT_UNIT_COLUMN,
    OPT_MISSING, OPT_FORMAT, OPT_DIMENSIONS, OPT_ROWS_ABOUT,
    OPT_BOUNDS, OPT_RADIUS, OPT_CENTER, OPT_SPARSITY,
    OPT_EPSILON, OPT_DELTA, OPT_NEIGHBOURS, OPT_MOST_ROWS, OPT_LEDGER, OPT_INSECURE_SEED,
    OPT_TOTAL_EPSILON, OPT_TOTAL_DELTA, OPT_TOTAL_UNIT, OPT_TOTAL_NEIGHBOURS, OPT_WHICH_LEDGER,
    OPT_METHOD, OPT_LIST_METHODS, OPT_ROUNDS, OPT_CONSTANTS, OPT_SCALE, OPT_RESTARTS, OPT_THREADS,
    OPT_MIX_ROWS, OPT_MIX_COLUMNS, OPT_MIX_BOUNDS, OPT_MIX_CLUSTERS, OPT_SPREAD, OPT_SEED,
    OPT_OUTPUT, OPT_OUTPUT_MODEL, OPT_OUTPUT_LABELS, OPT_OUTPUT_ROWS, OPT_BOUNDS_OUT, OPT_LABELS_OUT,
    OPT_ADD_LABEL, OPT_JSON, OPT_QUIET, OPT_QUIET_TABLE, OPT_HELP,
    OPT_SUBSPACES, OPT_DIMENSION, OPT_SUB_K_MAX, OPT_Q_MAX, OPT_AFFINE, OPT_SUB_ROUNDS, OPT_SOLVER, OPT_PARTS, OPT_OVERLAPPING,
    OPT_START, OPT_CHAINS, OPT_RELEASE_LABELS, OPT_NOT_PRIVATE, OPT_SUB_RESTARTS, OPT_SUB_SEED, OPT_QUIET_WORD, OPT_QUIET_WORD_TABLE,
    OPT_OUTPUT_SUBSPACES, OPT_TRUTH, OPT_UNION_COLUMNS, OPT_UNION_SUBSPACES, OPT_UNION_DIMENSION, OPT_NOISE, OPT_TRUTH_OUT,
    OPT_ROW_CLUSTERS, OPT_COL_CLUSTERS, OPT_SHAPE, OPT_VOCABULARY, OPT_UNIT, OPT_COUNT_ROUNDS, OPT_ROW_LABELS, OPT_LEAST_Z,
    OPT_COUNT_RESTARTS, OPT_OUTPUT_BLOCKS, OPT_PICTURE, OPT_CLASS_FILE, OPT_TOTAL_UNIT_KIND, OPT_BLOCK_ROWS, OPT_BLOCK_COLUMNS,
    OPT_BLOCK_ROW_CLUSTERS, OPT_BLOCK_COL_CLUSTERS, OPT_MEAN, OPT_CONTRAST, OPT_OUTPUT_COUNTS,
    OPT_AUDIT_EPSILON, OPT_AUDIT_DELTA, OPT_AUDIT_NEIGHBOURS, OPT_AUDIT_METHOD, OPT_AUDIT_COMMAND, OPT_AUDIT_PAIR, OPT_TIME_LIMIT, OPT_RUNS,
    OPT_CONFIDENCE, OPT_NOISE_FACTOR, OPT_AUDIT_SEED, OPT_AUDIT_PICTURE, OPT_SCHEMA, OPT_AS_OWNER, OPT_CARRY, OPT_OUTPUT_SCHEMA,
    OPT_COUNT
} cli_option_id;

/* One option: how it is written, what it wants and where its value goes. Parser and help both read this. */
typedef struct cli_option {
    char letter;         /* 0: no short form */
    const char *name;    /* without the dashes */
    const char *value;   /* how the help calls its value; NULL: none */
    cli_group group;
    cli_kind kind;
    size_t field;        /* offset in cli_values */
    double least, most;  /* numbers: both ends allowed */
    const char *choices; /* "first|second": the value is the index, the library's enum; whole numbers: a word for -1 */
    const char *wants;   /* ends the sentence "--name wants ..." */
    const char *help;
} cli_option;

extern const cli_option cli_options[OPT_COUNT];

/* What the command line said. Options not given keep the defaults of cli_values_init. */
typedef struct cli_values {
    const char *word[MOST_WORDS];
    int words;
    bool given[OPT_COUNT];
    const char *columns, *label_column, *id_column, *unit_column, *bounds, *center, *ledger, *output, *bounds_out, *labels_out;
    const char *truth, *truth_out, *shape, *vocabulary, *picture, *class_file;
    int64_t l, unit, block_rows, block_columns, block_row_clusters, block_col_clusters;
    double row_labels, least_z, mean, contrast;
    const char *audit_method, *audit_command, *pair;
    int64_t runs;
    double confidence, noise_factor, time_limit;
    int64_t q, q_max, solver, parts, start, chains, union_columns, union_subspaces, union_dimension;
    double noise;
    bool affine, overlapping, release_labels, not_private;
    int64_t k, k_max, sparsity, dimensions, most_rows, rounds, restarts, threads, mix_rows, mix_columns, mix_clusters;
    double epsilon, delta, radius, rows_about, spread;
    uint64_t seed, insecure_seed;
    int64_t format, missing, neighbours, method, constants, scale;
    bool json, quiet, help, list_methods, as_owner;
    const char *schema, *carry;
} cli_values;

/* ---- commands ----------------------------------------------------------------------------------------- */

typedef struct cli cli;

typedef enum cli_family { FAMILY_MEANS, FAMILY_MEDIAN, FAMILY_SUBSPACE, FAMILY_COCLUSTER } cli_family;

/* --unit, in the order of its choices. */
enum { UNIT_ROW, UNIT_ENTRY, UNIT_PERSON };

typedef struct cli_command {
    const char *name, *summary;
    const char *object;            /* not NULL: this entry is for that first word; the entry before it is for all others */
    const char *usage;             /* one line each, without the program's name */
    const char *about;
    const char *examples;
    const cli_option_id *options;  /* ends with OPT_END */
    int least_words, most_words;
    const char *words;             /* how a wrong number of words is explained */
    int (*run)(cli *c);            /* gives the exit code */
    cli_family family;             /* plan: see cli_family_of */
} cli_command;

extern const cli_command cli_commands[]; /* ends with a NULL name */

/* The rows a command is about. */
typedef struct cli_source {
    const char *path;        /* as it was typed; NULL: none */
    int file;                /* the data file, opened once; 0 or below: standard input, or it could not be opened: */
    int why;                 /* errno of that */
    char *ledger_path;
    tacit_ledger *ledger;    /* NULL: none */
    tacit_declaration *declaration; /* the ledger's, or a schema's; NULL: none */
    char *schema_path;       /* of a schema that was found beside the file */
    bool has_domain, has_words; /* declared: bounds or a ball; a vocabulary */
    int64_t shape_rows;
    int32_t shape_columns;
    tacit_format format;
    const char *id_column, *vocabulary; /* the declaration's */
} cli_source;

struct cli {
    const cli_command *command;
    tacit_ctx *ctx;
    cli_values value;
    cli_source source;
};

int cmd_kmeans(cli *c);
int cmd_subspace(cli *c);
int cmd_cocluster(cli *c);
int cmd_predict(cli *c);
int cmd_evaluate(cli *c);
int cmd_plan(cli *c);
int cmd_ledger(cli *c);
int cmd_generate(cli *c);
int cmd_generate_subspaces(cli *c);
int cmd_generate_counts(cli *c);
int cmd_audit(cli *c);
int cmd_declare(cli *c);

/* One exit with clean-up, as in the library: code is an int, done a label. */
#define CLI_TRY(step)                \
    do {                             \
        code = (step);               \
        if (code != 0) goto done;    \
    } while (0)

/* ---- args.c: the command line ------------------------------------------------------------------------- */

void cli_values_init(cli_values *value);
/* Fill c->value from argv[2..]; a mistake is explained on stderr and gives its exit code. */
int cli_parse(cli *c, int argc, char **argv);
bool cli_number(const char *text, double *out); /* the whole text is a finite number, "." whatever the locale */
const char *cli_nearest(const char *word, const char *const *names, size_t count); /* NULL: nothing near */
/* The index of `word` in choices ("a|b"), or -1. near: the choice probably meant (in `store`), or NULL. */
int cli_choice(const char *word, const char *choices, char *store, size_t size, const char **near);

/* ---- help.c ------------------------------------------------------------------------------------------- */

/* Words of `text` from column `at` on, broken before column 100, later lines starting at `indent`. */
void cli_print_wrapped(FILE *out, const char *text, int at, int indent);
void cli_help_all(FILE *out);
void cli_help_command(FILE *out, const cli_command *command);

/* ---- output.c: sentences for people, tables and JSON for programs ------------------------------------- */

#if defined(__GNUC__)
#define CLI_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define CLI_PRINTF(f, a)
#endif

/* "tacit kmeans: sentence" on stderr, one line of plain text. */
void cli_say(const cli *c, const char *format, ...) CLI_PRINTF(2, 3);
int cli_fail(const cli *c, int code, const char *format, ...) CLI_PRINTF(3, 4); /* says it and gives the code */
int cli_check(const cli *c, tacit_status status); /* 0, or the library's sentence and the exit code */

/* A table whose cells are asked for twice: once to measure, once to print; so it needs no memory. */
typedef struct cli_table {
    int64_t rows;
    int columns;
    int width;        /* wider tables are printed in parts, each with column 0 again; 0: never */
    const void *payload;
    /* row -1: the heading */
    void (*cell)(const void *payload, int64_t row, int column, char *text, size_t size);
    bool (*left)(const void *payload, int column); /* aligned left; NULL: only column 0 */
} cli_table;

void cli_cut(char *text, int most); /* at most so many characters, none of them in half */
void cli_print_table(FILE *out, const cli_table *table);
/* Whom a guarantee or a budget is about, in words. unit_column NULL or "": rows; most_rows 0: not said. */
void cli_whom(char *text, size_t size, const char *unit_column, tacit_neighbours neighbours, int32_t most_rows);
void cli_json_text(FILE *out, const char *text);
void cli_json_number(FILE *out, double number); /* null if not finite */
void cli_number_text(char *text, size_t size, double number); /* short, for people */
int cli_close_stdout(const cli *c);

/* ---- files.c: outputs are complete or absent ---------------------------------------------------------- */

typedef struct cli_sink {
    FILE *file;
    const char *path;   /* NULL: standard output */
    char *scratch;      /* the file being written, renamed to path at the end */
} cli_sink;

bool cli_is_stdout(const char *path); /* NULL or "-" */
/* Can `path` be written, before anything is spent? input (may be NULL): a file that must not be overwritten. */
int cli_check_output(const cli *c, const char *path, const char *input);
/* secret: the file may be read by its owner alone, else as the umask says. */
int cli_sink_open(const cli *c, const char *path, bool secret, cli_sink *sink);
int cli_sink_close(const cli *c, cli_sink *sink);   /* durable, then in place */
void cli_sink_abandon(cli_sink *sink);              /* leaves nothing behind; harmless after close */

/* ---- methods.c ---------------------------------------------------------------------------------------- */

cli_family cli_family_of(const cli *c);
const char *cli_objective(const cli *c); /* "kmeans", "kmedian", "subspace" or "cocluster" */
int cli_method_number(const cli *c, const char *name); /* the library's enum, or -1 */
/* Says which names there are, or which one was probably meant, and gives the exit code. */
int cli_unknown_method(const cli *c, const char *written, const char *typed);
int cli_check_method(const cli *c);      /* options that go with some methods only */
int cli_check_subspace(const cli *c);    /* the same for subspaces, in options_subspace.c */
int cli_check_cocluster(const cli *c);   /* everything about the options of a co-clustering, in options_cocluster.c */
/* What --shape says; false: not a shape. 0: not said. */
bool cli_read_shape(const char *text, int64_t *rows, int32_t *columns);
bool cli_hides_columns(const cli *c, const char *path); /* a format that does not state how many columns there are */
void cli_warn_shape(const cli *c, const char *path); /* what was not declared and so counts as public */
tacit_neighbours cli_neighbours(const cli *c);       /* --neighbours, or entry if that is the unit */
int cli_list_methods(const cli *c);

/* ---- show.c: a release for people --------------------------------------------------------------------- */

int cli_show_model(const cli *c, const tacit_model *model);  /* the table of centres and how k was chosen, on stdout */
int cli_show_subspaces(const cli *c, const tacit_model *model); /* the same for subspaces */
int cli_show_cocluster(const cli *c, const tacit_model *model); /* the same for co-clusterings */
/* Up to `most` columns of each column cluster (and of the rest), the most certain first, or where nothing tells, the first ones.
   out: width x most numbers of columns, -1 after the last. */
void cli_telling_columns(const tacit_model *model, int most, int32_t *out);
int cli_write_picture(const cli *c, const tacit_model *model, const char *path); /* the blocks as SVG; picture.c */
const char *cli_why_not_private(const tacit_model *model);
void cli_show_not_private(const tacit_model *model); /* a line on stdout, unless it is private */
void cli_value_text(char *text, size_t size, double value, double sd, int decimals); /* "12.3 ± 0.4"; NaN: ? */
void cli_warn_model(const cli *c, const tacit_model *model); /* what to know before trusting it, on stderr */

/* ---- inputs.c: the data set a command line describes -------------------------------------------------- */

int cli_check_request(const cli *c);   /* options of kmeans, kmedian and plan that must agree with each other */
int cli_open_data(const cli *c, const char *path, const char *columns, tacit_data **out);
/* The same for whatever a run may want: a list of entries by its header. */
int cli_open_table(const cli *c, const char *path, const char *columns, tacit_data **out);
/* The format to open `path` with: what --format says, or for a table of counts triplets if a CSV file's header says row, col, count.
   *sure false: the header could not be read, so it was guessed. */
tacit_format cli_format(const cli *c, const char *path, bool counts, bool *sure);
bool cli_is_table(const char *path); /* by its ending, a CSV or TSV file */
bool cli_is_tabs(const char *path);  /* a TSV file */
/* The same for a model: a table of counts if it is a co-clustering. id (NULL: not wanted): the column that names the rows: what --id-column
   says or, of a list of entries, row; NULL: none. */
int cli_open_for_model(const cli *c, const tacit_model *model, const char *path, tacit_data **out, const char **id);
int cli_declare_domain(const cli *c, tacit_data *data);
void cli_fill_budget(const cli *c, tacit_budget *budget);
void cli_fill_kmeans(const cli *c, tacit_kmeans_opts *opts);
void cli_fill_subspace(const cli *c, tacit_subspace_opts *opts);
void cli_fill_cocluster(const cli *c, tacit_cocluster_opts *opts);
int cli_check_stdin(const cli *c); /* predict, evaluate: a model or the rows may come from it */
int cli_open_model(const cli *c, const char *path, tacit_model **out);
/* The model's columns as tacit_data_opts.columns wants them, so that a file may have others beside them. NULL if
   they cannot be listed; then the file must hold no others that are not numbers. Free the result. */
char *cli_model_columns(const tacit_model *model);

/* ---- source.c: the file, its ledger, its declaration ---------------------------------------------------- */

/* "patients.csv" -> "patients.csv.ledger"; something that ends in .ledger is one. Free the result. */
char *cli_ledger_path(const char *data_or_ledger);
/* Opens the file, finds and opens its ledger (or --ledger), takes the declaration from it, from --schema or from FILE.schema.json, and fills
   in options by it; refuses those that say otherwise. A file that cannot be opened is told by cli_check_source, once the other options
   were looked at. main closes it. */
int cli_open_source(cli *c, const char *path, bool with_ledger);
int cli_check_source(const cli *c);
void cli_close_source(cli *c);
/* Before rows are looked at exactly: refused on a data set with a ledger unless --as-owner, which is noted there. what: the command. */
int cli_as_owner(cli *c, const char *what);
/* An opened file that is no data set with a ledger; else says so, naming `what` it was to be. */
int cli_refuse_ledgered(const cli *c, const char *path, int file, const char *what);

/* ---- run.c: a run from file to release ---------------------------------------------------------------- */

/* budget NULL: not private, by a plain solver. */
typedef tacit_status cli_ask(const cli *c, tacit_data *data, const tacit_budget *budget, tacit_model **out);

/* Checks everything that can be checked, then lets `ask` spend, then shows what was bought. */
int cli_run(cli *c, cli_ask *ask);

/* ---- rows_out.c: synthetic rows to a file ------------------------------------------------------------- */

/* A column to write: its name and range. */
typedef struct cli_column {
    char name[64];
    double lower, upper;
} cli_column;

bool cli_is_npy(const char *path);
/* label_column NULL: no column of labels. digits: after the point of a CSV number; 0: six that count. */
int cli_write_rows(const cli *c, FILE *out, const cli_column *columns, int64_t count, const double *value, const int32_t *label,
                   int digits);
int cli_write_labels(const cli *c, FILE *out, const int32_t *label);
int cli_check_rows(const cli *c, const char *const *path, int paths); /* outputs that can be written and differ */

/* ---- evaluate_cocluster.c, class_file.c: parts of tacit evaluate ---------------------------------------- */

#define CLI_EVALUATION_WARNING "NOT PRIVATE: exact figures about the rows; never publish them"
/* Of a co-clustering. */
void cli_print_evaluation(FILE *out, const tacit_model *model, const tacit_evaluation *e, int64_t restarts, bool json);
/* Known classes from a text file, one a line or in the column label of a CSV file, coded 0, 1, ... Free *codes. */
int cli_read_classes(const cli *c, const char *path, int64_t **codes, int64_t *count);

/* ---- audit_*.c: tacit audit --------------------------------------------------------------------------- */

/* One line of its table. */
typedef struct cli_audit_row {
    char target[64];           /* "kmeans lloyd", or the program */
    bool refused;              /* the method does not take such a budget: */
    char why[256];
    tacit_audit_report report;
} cli_audit_row;

/* The command with every {input} replaced by the path, quoted for a shell; NULL: no memory. Free it. */
char *cli_audit_command_line(const char *command, const char *path);
/* Runs it once, for at most so many seconds. out->text is the caller's to free. A failure of the program is an output too. */
int cli_audit_run(const cli *c, const char *line, double seconds, tacit_audit_output *out);
void cli_audit_show(const cli *c, FILE *out, const cli_audit_row *rows, int count); /* verdict and table, or JSON */
void cli_audit_picture(FILE *out, const cli_audit_row *rows, int count);            /* SVG: claimed against measured */

/* ---- entropy.c, progress.c, signals.c ---------------------------------------------------------------- */

typedef struct cli_progress {
    tacit_ctx *ctx;
    double started, drawn;
    bool visible;
} cli_progress;

void cli_progress_start(const cli *c, cli_progress *progress); /* does nothing unless stderr is a terminal */
void cli_progress_stop(cli_progress *progress);

/* The first SIGINT or SIGTERM asks the library to stop, the second one kills. */
void cli_catch_signals(tacit_ctx *ctx);
/* Before the first context: random bytes that are refused are an error with a sentence, not the end of the program. */
int cli_start_sodium(const cli *c);
bool cli_interrupted(void);

#endif
