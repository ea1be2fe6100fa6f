/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the command share. The command knows the library by its public header alone.
   Three folders beside this one: options/ (tables, parser, checks, help), commands/ (one file a
   subcommand), render/ (all output). */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "options/options.h"
#include "render/render.h"

/* Every status of the library has its exit code; these are the ones that the command finds out by
   itself. */
#define EXIT_OK 0
#define EXIT_USAGE 64
#define EXIT_NO_INPUT 66
#define EXIT_NO_OUTPUT 73
int cli_exit_code(tacit_status status);

/* --unit, in the order of its choices. */
enum { UNIT_ROW, UNIT_ENTRY, UNIT_PERSON };

/* The rows a command is about. */
typedef struct cli_source {
    /* the files, patterns replaced by what they match, in the order of the words; none: count 0 */
    char **name;
    int *opened; /* each opened once; 0: standard input */
    int count;
    const char *path; /* the first; NULL: none */
    char *called;     /* all of them, for sentences: the path, the pattern, or how many more */
    /* the first data file; 0 or below: standard input, or one could not be opened: */
    int file;
    int why;           /* errno of that */
    const char *where; /* and which it is */
    int rows;          /* what is read: the file, or what --converted made of it */
    char *ledger_path;
    tacit_ledger *ledger;           /* NULL: none */
    tacit_declaration *declaration; /* the ledger's, or a schema's; NULL: none */
    char *schema_path;              /* of a schema that was found beside the file */
    bool has_domain, has_words;     /* declared: bounds or a ball; a vocabulary */
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

/* Each gives the exit code. */
typedef int cli_run(cli *c);
cli_run cmd_run, cmd_predict, cmd_evaluate, cmd_compare, cmd_recut, cmd_synthesize, cmd_report,
    cmd_plan, cmd_declare, cmd_ledger, cmd_audit, cmd_generate, cmd_generate_counts;

/* One exit with clean-up, as in the library: code is an int, done a label. */
#define CLI_TRY(step)                                                                              \
    do {                                                                                           \
        code = (step);                                                                             \
        if (code != 0) goto done;                                                                  \
    } while (0)

/* ---- commands/cmd_run.c ---- */
/* A finished model: to its file and to standard output, as the options say. paid: it must not get
   lost. */
int cli_deliver(const cli *c, const tacit_model *model, bool paid);

/* ---- attach.c ---- */
/* Before a private run, once its data is opened and described: says where the rows are. */
int cli_attach(const cli *c, tacit_data *data);

/* ---- inputs.c: the data set a command line describes ---- */
int cli_open_data(const cli *c, const char *path, const char *columns, tacit_data **out);
/* The same for whatever a run may want: a list of entries by its header. */
int cli_open_table(const cli *c, const char *path, const char *columns, tacit_data **out);
/* The format to open `path` with: what --format says, or for a table of counts triplets if a CSV
   file's header says row, col, count. *sure false: the header could not be read, so it was
   guessed. */
tacit_format cli_format(const cli *c, const char *path, bool counts, bool *sure);
/* How the options say that the file is written: marks, skipped lines, columns of triplets. */
void cli_fill_dialect(const cli *c, tacit_data_opts *opts);
/* a CSV or TSV file, by its ending or because it was converted */
bool cli_is_table(const cli *c, const char *path);
bool cli_is_tabs(const char *path); /* a TSV file */
/* The same for a model: a table of counts if it is a co-clustering. id (NULL: not wanted): the
   column that names the rows: what --id-column says or, of a list of entries, row; NULL: none. */
int cli_open_for_model(const cli *c, const tacit_model *model, const char *path, tacit_data **out,
                       const char **id);
int cli_declare_domain(const cli *c, tacit_data *data);
/* What the options ask for, in the words of every family. */
typedef struct cli_request {
    tacit_budget budget;
    tacit_kmeans_opts centers;
    tacit_subspace_opts subspaces;
    tacit_cocluster_opts blocks;
} cli_request;

void cli_fill_request(const cli *c, cli_request *request);
/* Every word of the command line is a release: reads them into MOST_WORDS places, which are NULL
   before; to be freed in any case. None of them is the output. */
int cli_read_models(const cli *c, tacit_model **models);
void cli_free_models(tacit_model **models);
/* The first that is not private; NULL: all are. */
const tacit_model *cli_open_model(tacit_model *const *models);
int cli_check_stdin(const cli *c); /* predict, evaluate: a model or the rows may come from it */
/* The model's columns as tacit_data_opts.columns wants them, so that a file may have others beside
   them. NULL if they cannot be listed; then the file must hold no others that are not numbers. Free
   the result. */
char *cli_model_columns(const tacit_model *model);
/* a format that does not state how many columns there are */
bool cli_hides_columns(const cli *c, const char *path);
/* What --shape says, which was checked, or the declaration; 0: neither. */
void cli_shape(const cli *c, int64_t *rows, int32_t *columns);
/* what was not declared and so counts as public */
void cli_warn_shape(const cli *c, const char *path);
tacit_neighbors cli_neighbors(const cli *c); /* --neighbors, or entry if that is the unit */

/* ---- source.c: the file, its ledger, its declaration ---- */
/* "patients.csv" -> "patients.csv.ledger"; something that ends in .ledger is one. Free the
   result. */
char *cli_ledger_path(const char *data_or_ledger);
/* Opens the files that the words from number `first` on name, finds and opens their ledger (or
   --ledger), takes the declaration from it, from --schema or from FILE.schema.json, and fills in
   options from it; refuses options that contradict it. If a file cannot be opened,
   cli_check_source reports it, once the other options have been checked. main closes the
   source. */
int cli_open_source(cli *c, int first, bool with_ledger);
int cli_check_source(const cli *c);
/* Where the rows of an open data file are read: there, or from --converted. */
int cli_find_rows(const cli *c, int file, int *rows);
void cli_close_source(cli *c);
bool cli_same_file(const char *a, const char *b);
/* Before rows are looked at exactly: refused on a data set with a ledger unless --as-owner, which
   is noted there. what: the command. */
int cli_as_owner(cli *c, const char *what);
/* The ledger beside an open file or beside the name it was opened by, by a name without links;
   *path NULL: none. Free it. */
int cli_find_ledger(const cli *c, const char *data_path, int file, char **path);
/* The same for `tacit ... - < FILE`: the shell opened it. Refused unless --ledger names it. */
int cli_find_redirected(const cli *c, char **path);
/* An opened file that is no data set with a ledger; else says so, naming `what` it was to be. */
int cli_refuse_ledgered(const cli *c, const char *path, int file, const char *what);

/* ---- source_files.c: from words to files ---- */
/* Fills source.name, path and called. A word that no file is called by may be a pattern (part-*.csv
   in quotes); one that matches nothing is refused. Ledgers and schemas beside data are no data. */
int cli_list_files(cli *c, int first);
/* Before so many are opened at once: as many as the system allows. */
void cli_allow_files(int count);
/* Opens them; source.why says what could not be opened. */
void cli_open_files(cli_source *s);
/* The output is none of the files. */
int cli_check_output_files(const cli *c, const char *output);

/* ---- class_file.c, commands/audit_program.c ---- */
/* Known classes from a text file, one a line or in the column label of a CSV file, coded 0, 1, ...
   Free *codes. */
int cli_read_classes(const cli *c, const char *path, int64_t **codes, int64_t *count);
/* The command with every {input} replaced by the path, quoted for a shell; NULL: no memory. Free
   it. */
char *cli_audit_command_line(const char *command, const char *path);
/* Runs it once, for at most so many seconds. out->text is the caller's to free. A failure of the
   program is an output too. */
int cli_audit_run(const cli *c, const char *line, double seconds, tacit_audit_output *out);

/* ---- start_sodium.c, signals.c ---- */
/* The first SIGINT or SIGTERM asks the library to stop, the second one kills. */
void cli_catch_signals(tacit_ctx *ctx);
/* A core file would hold rows. The first call of main, by which tests know where it begins. */
void cli_leave_no_core(void);
/* Before the first context: random bytes that are refused are an error with a sentence, not the end
   of the program. */
int cli_start_sodium(const cli *c);
bool cli_interrupted(void);

/* ---- commands/cmd_plan.c, commands/plan_limits.c: a plan, and plans that are compared ---- */
/* Asks the library for the plan of the family's run, with the options of the command line but for
   so many rows, and so many of each person (0: no persons). */
int cli_make_plan(const cli *c, const tacit_data *data, int32_t limit, double rows,
                  tacit_plan **out);

enum { CLI_LIMITS = 5 };

/* What a limit of rows per person keeps and costs. NaN: not known. */
typedef struct cli_limit {
    int32_t most_rows;
    double kept;         /* share of the rows */
    double size_noise;   /* one standard deviation of the noise of a cluster's size, in rows */
    double size_error;   /* the same as a part of a cluster's kept rows */
    double center_error; /* of a center's coordinate, as a part of its range or of the radius */
} cli_limit;

typedef struct cli_limits {
    cli_limit limit[CLI_LIMITS];
    int best; /* index of the smallest size_error; -1: none is known */
} cli_limits;

int cli_limits_plan(const cli *c, const tacit_data *data, cli_limits *out);
void cli_limits_show(const cli *c, FILE *out, const cli_limits *limits); /* as table or as JSON */
/* commands/plan_tried.c: what came of the plan on made-up rows; the whole plan as JSON. */
void cli_trials_show(const cli *c, FILE *out, const tacit_plan *plan);
void cli_plan_json(FILE *out, const tacit_plan *plan);

#endif
