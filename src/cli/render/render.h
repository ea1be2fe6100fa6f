/* SPDX-License-Identifier: Apache-2.0 */
/* What people and programs get to see: sentences, tables, JSON, pictures, files. */
#ifndef CLI_RENDER_H
#define CLI_RENDER_H

#include "../options/options.h"

/* ---- output.c: sentences for people, tables and JSON for programs ---- */
#if defined(__GNUC__)
#define CLI_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define CLI_PRINTF(f, a)
#endif

/* "tacit kmeans: sentence" on stderr, one line of plain text. */
void cli_say(const cli *c, const char *format, ...) CLI_PRINTF(2, 3);
/* says it and gives the code */
int cli_fail(const cli *c, int code, const char *format, ...) CLI_PRINTF(3, 4);
int cli_no_memory(const cli *c);
/* 0, or the library's sentence and the exit code */
int cli_check(const cli *c, tacit_status status);

/* ---- terminal.c: what a terminal gets beside the plain text ---- */
typedef struct cli_terminal {
    bool is;    /* else nothing below is set */
    bool color; /* neither NO_COLOR nor a dumb terminal */
    bool utf8;  /* else bars and marks are of ASCII */
    int width;  /* characters; 0: not known */
} cli_terminal;
typedef enum cli_ink { INK_NONE, INK_BAR, INK_STRONG, INK_WARNING } cli_ink;

cli_terminal cli_terminal_of(FILE *out);
/* What turns the ink on, or with INK_NONE off; "" without color. */
const char *cli_paint(const cli_terminal *t, cli_ink ink);
/* A bar of a share from 0 to 1, at most so many cells, into 3 bytes a cell and one; how many it
   takes. What is not nothing is seen, if there are eighths of a cell. */
int cli_bar(const cli_terminal *t, char *text, double share, int cells);
/* Adds one cell of a sparkline to a text. */
void cli_spark(const cli_terminal *t, char *text, double share);
/* "±", and in a text our marks beyond ASCII, as the terminal can show them. */
const char *cli_plus_minus(const cli_terminal *t);
void cli_spell(const cli_terminal *t, char *text);

/* A table whose cells are asked for twice: once to measure, once to print; so it needs no
   memory. */
typedef struct cli_table {
    int64_t rows;
    int columns;
    int width; /* wider tables are printed in parts, each with column 0 again; 0: never */
    const void *payload;
    const char *const *heading; /* NULL: cell is asked for row -1 */
    /* text is "" before */
    void (*cell)(const void *payload, int64_t row, int column, char *text, size_t size);
    uint32_t left; /* bit i: column i is aligned left; 0: only column 0 */
    /* On a terminal column 1 has bars behind it: of these shares, NaN for none. NULL: never. */
    double (*share)(const void *payload, int64_t row);
} cli_table;

/* The name of a model's column in at most so many characters. What is cut is marked, and two
   columns never look alike. */
const char *cli_column_name(const tacit_model *model, int32_t column, int most, char *text,
                            size_t size);
void cli_cut(char *text, int most); /* at most so many characters, none of them in half */
void cli_print_table(FILE *out, const cli_table *table);
/* Whom a guarantee or a budget is about, in words. unit_column NULL or "": rows; most_rows 0: not
   said. */
void cli_whom(char *text, size_t size, const char *unit_column, tacit_neighbors neighbors,
              int32_t most_rows);
void cli_json_text(FILE *out, const char *text);
void cli_json_number(FILE *out, double number); /* null if not finite */
/* A member of an object, behind `before`; a text that is NULL is null. */
void cli_json_put(FILE *out, const char *before, const char *name, double number);
void cli_json_put_text(FILE *out, const char *before, const char *name, const char *text);
void cli_number_text(char *text, size_t size, double number); /* short, for people */
int cli_close_stdout(const cli *c);

/* ---- files.c: outputs are complete or absent ---- */
typedef struct cli_sink {
    FILE *file;
    const char *path; /* NULL: standard output */
    char *scratch;    /* the file being written, renamed to path at the end */
} cli_sink;

bool cli_ends_in(const char *path, const char *ending);
bool cli_is_stdout(const char *path); /* NULL or "-" */
/* Can `path` be written, before anything is spent? input (may be NULL): a file that must not be
   overwritten. */
int cli_check_output(const cli *c, const char *path, const char *input);
/* secret: the file may be read by its owner alone, else as the umask says. */
int cli_sink_open(const cli *c, const char *path, bool secret, cli_sink *sink);
int cli_sink_close(const cli *c, cli_sink *sink); /* durable, then in place */
/* leaves nothing behind; harmless after close */
void cli_sink_abandon(cli_sink *sink);

/* ---- show*.c, picture.c: a release ---- */
/* the table of centers and how k was chosen, on stdout */
int cli_show_model(const cli *c, const tacit_model *model);
/* How k was chosen, if it was. */
void cli_show_k(const tacit_model *model);
int cli_show_subspaces(const cli *c, const tacit_model *model); /* the same for subspaces */
int cli_show_cocluster(const cli *c, const tacit_model *model); /* the same for co-clusterings */
/* Up to `most` columns of each column cluster (and of the rest), the most certain first, or where
   nothing is known, the first ones. out: width x most numbers of columns, -1 after the last. */
void cli_telling_columns(const tacit_model *model, int most, int32_t *out);
/* the blocks as SVG; picture.c */
int cli_write_picture(const cli *c, const tacit_model *model, const char *path);
void cli_svg_text(FILE *out, const char *text); /* as XML wants it, in plain characters */
const char *cli_why_not_private(const tacit_model *model);
/* The size of a cluster as a share of the largest, for its bar; NaN: not known. */
double cli_size_share(const tacit_model *model, int32_t cluster);
void cli_show_not_private(const tacit_model *model); /* a line on stdout, unless it is private */
/* Which clusters and columns of a release are printed. */
typedef struct cli_shown {
    const int32_t *cluster, *column;
    int32_t rows, columns;
} cli_shown;
/* show_explanation.c: spread and what sets clusters apart, on stdout, where the release has it */
void cli_show_explanation(const tacit_model *model, const cli_shown *shown);
int cli_decimals_for(double sd); /* two digits of it are worth showing, no more */
/* "12.3 ± 0.4"; NaN: ? */
void cli_value_text(char *text, size_t size, double value, double sd, int decimals);
/* show_features.c: the column of the table that a column of the model belongs to */
tacit_feature cli_feature_of(const tacit_model *model, int32_t column);
bool cli_is_share(const tacit_model *model, int32_t column); /* of a category */
/* The same for a center: shares in percent, days as dates. */
void cli_center_text(char *text, size_t size, const tacit_model *model, int32_t column,
                     double value, double sd, int decimals);
void cli_date_text(char *text, size_t size, double days); /* 2019-03-12 */
/* What kind of means centers are, where columns were transformed. */
void cli_show_means(const tacit_model *model);
/* what to know before trusting it, on stderr */
void cli_warn_model(const cli *c, const tacit_model *model);

/* ---- rows_out.c: synthetic rows to a file ---- */
/* A column to write: its name and range. */
typedef struct cli_column {
    char name[64];
    double lower, upper;
} cli_column;

bool cli_is_npy(const char *path);
/* A cell of a CSV file, with quotes where RFC 4180 wants them. */
void cli_csv_cell(FILE *out, const char *text);
/* label_column NULL: no column of labels. digits: after the point of a CSV number; 0: six that
   count. */
int cli_write_rows(const cli *c, FILE *out, const cli_column *columns, int64_t count,
                   const double *value, const int32_t *label, int digits);
int cli_write_labels(const cli *c, FILE *out, const int32_t *label);
/* tacit generate: what it makes, and outputs that can be written and differ */
int cli_check_rows(const cli *c);

/* ---- show_clipped.c: columns with values outside their bounds, the worst first ---- */
typedef struct cli_clipped_column {
    int32_t column;
    double share; /* of the rows; above a thousandth */
} cli_clipped_column;
typedef struct cli_clipped {
    cli_clipped_column *column; /* free it */
    int32_t count;
} cli_clipped;
int cli_find_clipped(const cli *c, const tacit_model *model, tacit_data *data, cli_clipped *out);
void cli_clipped_text(FILE *out, const tacit_model *model, const cli_clipped *clipped);
void cli_clipped_json(FILE *out, const tacit_model *model, const cli_clipped *clipped);

/* ---- evaluate_cocluster.c ---- */
#define CLI_EVALUATION_WARNING "NOT PRIVATE: exact figures about the rows; never publish them"
/* How the JSON of an evaluation begins: up to what its costs are. */
/* show_diagnosis.c: of evaluate --diagnose; the JSON is a member of the object that evaluate
   prints. */
void cli_diagnosis_json(FILE *out, const tacit_subspace_diagnosis *d);
void cli_diagnosis_text(FILE *out, const tacit_subspace_diagnosis *d, int32_t k, int32_t q);
void cli_evaluation_head(FILE *out, const tacit_evaluation *e, int64_t restarts,
                         const char *cost_is);
/* Of a co-clustering. */
void cli_print_evaluation(FILE *out, const tacit_model *model, const tacit_evaluation *e,
                          int64_t restarts, bool json);

/* ---- audit_show.c, audit_picture.c ---- */
/* One line of its table. */
typedef struct cli_audit_row {
    char target[64]; /* "kmeans lloyd", or the program */
    bool refused;    /* the method does not take such a budget: */
    char why[256];
    tacit_audit_report report;
} cli_audit_row;

/* verdict and table, or JSON */
void cli_audit_show(const cli *c, FILE *out, const cli_audit_row *rows, int count);
/* SVG: claimed against measured */
void cli_audit_picture(FILE *out, const cli_audit_row *rows, int count);

/* ---- progress.c ---- */
typedef struct cli_progress {
    tacit_ctx *ctx;
    double started, drawn;
    bool visible;
} cli_progress;

/* does nothing unless stderr is a terminal */
void cli_progress_start(const cli *c, cli_progress *progress);
void cli_progress_stop(cli_progress *progress);
double cli_now(void); /* seconds, of a clock that nobody sets */

#endif
