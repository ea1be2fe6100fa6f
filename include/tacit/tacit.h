/* SPDX-License-Identifier: Apache-2.0 */
/* tacit: differentially private clustering.

   This header is the manual. The walk through the library is always the same:

   tacit_ctx         one per thread: holds the last error sentence, threads, progress
   tacit_data        rows about people: opened, never looked at by you or by an algorithm
   tacit_budget      what may be spent, on which neighbors, from which ledger: no defaults
   tacit_kmeans_run  asks the rows a few bounded, noised, charged queries
   tacit_model       what may leave: centers, noisy sizes and a privacy card

   tacit_ctx *ctx = NULL;
   tacit_data *data = NULL;
   tacit_model *model = NULL;
   tacit_budget budget = TACIT_BUDGET_INIT;
   tacit_kmeans_opts opts = TACIT_KMEANS_OPTS_INIT;

   budget.epsilon = 1; budget.delta = 1e-6; opts.k = 5;
   if (tacit_ctx_new(&ctx) || tacit_data_open(ctx, "patients.csv", NULL, &data) ||
   tacit_data_declare_bounds(ctx, data, "age=0:120,stay=0:60") ||
   tacit_kmeans_run(ctx, data, &budget, &opts, &model) ||
   tacit_model_write(ctx, model, "segments.json"))
   fprintf(stderr, "%s\n", tacit_ctx_message(ctx));
   tacit_model_free(model); tacit_data_free(data); tacit_ctx_free(ctx);

   Conventions
   - A name is tacit, a noun, then what is done with it: tacit_data_open, tacit_model_predict.
   - A function that can fail returns a tacit_status. The sentence that explains it (which file,
   column or option, why, how to fix it; never a data value) is tacit_ctx_message(ctx).
   - A pointer-to-pointer output is yours and NULL after a failure. An object has a _free of its
   own; text and arrays are freed by tacit_free. A returned const pointer is borrowed and lives as
   long as the handle it came from. Freeing NULL is fine.
   - Every struct starts with `size`. Begin with its _INIT macro, or, from another language, with
   its _init function and sizeof; then set fields. New fields are only ever appended, so an old
   program runs on a newer library.
   - Comments on options: `a .. b` is the range that is accepted, `starts as v` what _INIT puts
   there (0 or NULL where nothing is said), `0: v` what a 0 stands for.
   - A list has a _count, and a _get for the items 0 .. count - 1; beyond them _get gives
   TACIT_E_ARGUMENT, or NULL where it returns a text. Lists that need not fit in memory are handed
   to a function of yours, item by item. Its last argument is always your payload.
   - The library never prints, never exits, installs no signal handler and keeps no global state.
   A ctx and what was made with it belong to one thread at a time; different ctx are independent.
   A tacit_data alone may be shared: once it is opened and described, runs and plans of several
   threads may use it at the same time, each with its own ctx (and ledger handle). Its rows are
   read once, the way the first run wants them.
   - After a fork the child must make its own ctx and data: noise is never drawn from an inherited
   key. */
#ifndef TACIT_TACIT_H
#define TACIT_TACIT_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TACIT_API __attribute__((visibility("default")))
#define TACIT_CHECKED __attribute__((warn_unused_result))
#else
#define TACIT_API
#define TACIT_CHECKED
#endif

/* Until 1.0 a new minor version may change any of this; a new patch version changes none of it. */
#define TACIT_VERSION_MAJOR 0
#define TACIT_VERSION_MINOR 3
#define TACIT_VERSION_PATCH 0
#define TACIT_VERSION "0.3.0"
#define TACIT_VERSION_NUMBER                                                                       \
    (TACIT_VERSION_MAJOR * 10000 + TACIT_VERSION_MINOR * 100 + TACIT_VERSION_PATCH)

/* ---- status ---------------------------------------------------------------------------------- */

typedef enum tacit_status {
#define TACIT_STATUS_(number, symbol, sentence) TACIT_##symbol = number,
#include <tacit/status.def>
#undef TACIT_STATUS_
    TACIT_STATUS_END_ = 1000
} tacit_status;

/* Of the library that runs, which may be newer than this header. */
TACIT_API const char *tacit_version(void);
TACIT_API int tacit_version_number(void);
/* The libraries it is linked to: the name, and in *version (NULL: not wanted) what runs. */
TACIT_API int tacit_library_count(void);
TACIT_API const char *tacit_library_get(int index, const char **version);
TACIT_API const char *tacit_status_text(tacit_status status); /* the general sentence of a status */
/* Frees text and arrays that the library gave you: JSON, labels, values. */
TACIT_API void tacit_free(void *memory);

/* ---- context --------------------------------------------------------------------------------- */

typedef struct tacit_ctx tacit_ctx;

/* Called between steps of long work with `done` in [0, 1], on the ctx's own thread. How often it is
   called tells how much there is to do, and so about the number of rows, as run time does: it is
   for whoever runs the work. */
typedef void (*tacit_progress_fn)(const char *step, double done, void *payload);

TACIT_API TACIT_CHECKED tacit_status tacit_ctx_new(tacit_ctx **out);
TACIT_API void tacit_ctx_free(tacit_ctx *ctx);
TACIT_API const char *tacit_ctx_message(const tacit_ctx *ctx); /* of the last call that failed */
/* 0: all cores */
TACIT_API TACIT_CHECKED tacit_status tacit_ctx_set_threads(tacit_ctx *ctx, int threads);
/* The most memory that the rows of a private run may take: `bytes`, at least TACIT_MEMORY_LEAST, or
   0, no limit, which is how a ctx starts. Placed rows that are more go to an unnamed file in
   spill_dir (NULL: $TMPDIR or, where that is not set, /var/tmp), encrypted and authenticated with
   a key that is never written. CSV and TSV files whose doubles take more than half of it are parsed
   again for each pass; packed files and pipes are refused. The same rows give the same release with
   any limit. */
#define TACIT_MEMORY_LEAST (INT64_C(16) << 20)
TACIT_API TACIT_CHECKED tacit_status tacit_ctx_set_memory(tacit_ctx *ctx, int64_t bytes,
                                                          const char *spill_dir);
TACIT_API void tacit_ctx_set_progress(tacit_ctx *ctx, tacit_progress_fn show, void *payload);
/* Ask running work to stop soon with TACIT_E_CANCELLED. For good: later work needs a new ctx. May
   be called from a signal handler. */
TACIT_API void tacit_ctx_cancel(tacit_ctx *ctx);

/* The last private run of a ctx, whether or not it succeeded. Times depend on the rows, and no
   noise hides them: this is for the owner's eyes. It is kept by the ctx and never by the model, so
   that a release cannot hold it. Do not publish it beside one. */
typedef struct tacit_run_info {
    size_t size;
    int32_t rounds; /* of the method; 0: it has none, or the run failed */
    int32_t threads;
    int64_t rows;               /* that were read, where that is public (TACIT_ENTRY); else -1 */
    double read_seconds;        /* the file, to the last row */
    double place_seconds;       /* rows clipped and put into a public frame */
    double query_seconds;       /* passes over the placed rows, and noise */
    double postprocess_seconds; /* the rest: what the method makes of the answers */
    double seconds;             /* all of it */
    char run[33];               /* the run's id in its ledger's history; "": no ledger */
} tacit_run_info;

#define TACIT_RUN_INFO_INIT                                                                        \
    {                                                                                              \
        sizeof(tacit_run_info), 0, 0, -1, 0, 0, 0, 0, 0, ""                                        \
    }
TACIT_API void tacit_run_info_init(tacit_run_info *info, size_t size);
/* TACIT_E_ARGUMENT: this ctx has not run anything yet. */
TACIT_API TACIT_CHECKED tacit_status tacit_ctx_run_info(tacit_ctx *ctx, tacit_run_info *out);

/* ---- data: rows about people ----------------------------------------------------------------- */

typedef struct tacit_data tacit_data;
typedef struct tacit_declaration tacit_declaration; /* said once by the owner of a table; below */

typedef enum tacit_format {
    TACIT_FORMAT_AUTO = 0, /* by the ending, see tacit_format_get; stdin: CSV unless it is NPY */
    TACIT_FORMAT_CSV = 1,
    TACIT_FORMAT_TSV = 2,
    TACIT_FORMAT_NPY = 3,
    TACIT_FORMAT_MATRIX_MARKET = 4,
    TACIT_FORMAT_TRIPLETS = 5, /* CSV with the header row,col,count */
    TACIT_FORMAT_LIBSVM = 6
} tacit_format;

typedef struct tacit_format_info {
    size_t size;
    tacit_format format;
    const char *name;    /* as declarations and the command's --format have it */
    const char *endings; /* separated by spaces: ".tsv .tab"; "": must be named */
} tacit_format_info;

#define TACIT_FORMAT_INFO_INIT                                                                     \
    {                                                                                              \
        sizeof(tacit_format_info), TACIT_FORMAT_AUTO, NULL, NULL                                   \
    }
TACIT_API void tacit_format_info_init(tacit_format_info *info, size_t size);
TACIT_API int32_t tacit_format_count(void);
TACIT_API TACIT_CHECKED tacit_status tacit_format_get(int32_t index, tacit_format_info *out);

/* What becomes of a row that lacks a value: an empty cell, a word for "missing", a category that is
   not declared, a number that is not finite. The rule is fixed before a row is read, for all
   columns or for each; it looks at the row alone. In rows that stay sparse such a value is 0. */
typedef enum tacit_missing {
    TACIT_MISSING_DEFAULT = 0,     /* as declared, else drop-row */
    TACIT_MISSING_DROP_ROW = 1,    /* the row takes no part: centers are those of complete rows */
    TACIT_MISSING_REJECT_FILE = 2, /* refuse the file; the refusal itself shows that a value was
                                      missing */
    TACIT_MISSING_MIDPOINT = 3,    /* the middle of the column's range, which pulls centers there;
                                      of linear subspaces 0 */
    TACIT_MISSING_FILL = 4,        /* a declared value */
    TACIT_MISSING_OWN_CATEGORY = 5 /* of categories: one more of them */
} tacit_missing;

typedef struct tacit_data_opts {
    size_t size;
    tacit_format format;
    const char *columns;      /* comma-separated names (or numbers from 1) to use, quoted as in CSV
                                 where a name holds a comma; NULL: those that bounds or
                                 categories name, or every column but label and unit */
    const char *label_column; /* set aside: used by tacit_model_evaluate only; NULL: none */
    const char *unit_column;  /* names the person who owns a row; rows without a name are left out;
                                 NULL: each row is its own person */
    tacit_missing missing;
    /* Sparse formats: what the file does not state, declared from knowledge of the subject. */
    int64_t shape_rows;     /* rows, empty ones too: counts under TACIT_ENTRY, where it is public;
                                 0: as the file shows */
    int32_t shape_columns;  /* columns; 0: as the file shows, which then counts as public */
    const char *vocabulary; /* path of a text file with one column name a line, in their order:
                                 the columns are these, and entries of others are left out; NULL:
                                 numbered columns */
    const char *id_column;  /* CSV, TSV, Arrow and triplets: set aside and kept as text, for
                                 tacit_data_row_id; of triplets "row", or what it is called, will
                                 do. Not beside a label column. NULL: none is kept */
    const tacit_declaration *declaration; /* what the table is, said by its owner (copied); NULL:
                                 what is said here. Options beside it that say otherwise are
                                 refused; without `columns` all declared features are used, and the
                                 declared domain is set */
    int descriptor;            /* above 0: the file, opened by you and yours to close after the
                                 handle; path then only names it */
    int vocabulary_descriptor; /* the same for the vocabulary */
    /* What columns are, where no declaration says it. Texts name columns as `columns` does; NULL:
       nothing is said. A column that is named in `categories` is used. */
    const char *categories;    /* "sex=F|M,region=N|E|S|W": texts, each a coordinate of its own that
                                  is 1 or 0; a column of them counts as much as one of numbers
                                  across its range. "smoker=boolean": false and true */
    const char *weights;       /* "age=2,spend=0.5": how much a column's distances count; 1e-6 ..
                                  1e6, 1 where nothing is said */
    const char *transforms;    /* "spend=log,visits=sqrt": log, log1p or sqrt of a column takes its
                                  place; bounds stay in its own units, and so do released centers,
                                  which are then means of that kind: of logarithms geometric ones */
    const char *missing_rules; /* "drop-row" for all columns, "age=fill:40,sex=own-category" for
                                  some, or both, the rule for all first: drop-row, reject-file (for
                                  all), midpoint, fill:VALUE, own-category */
    const char *missing_words; /* "-,n.a.,999": texts that stand for a missing value in CSV, TSV and
                                  Arrow, besides an empty cell, NA, NaN, null, ? and inf */
    /* How CSV, TSV and triplets are written; never guessed from the file. */
    char delimiter; /* between cells: a mark of punctuation or a tab; 0: as the format has it, and
                           a semicolon beside decimal commas */
    char decimal;   /* '.' or ','; 0: a point */
    char thousands; /* between groups of three digits, one of , . ' _ and blank (narrow and
                           no-break ones too); 0: numbers have none. A comma that is also the
                           delimiter needs quotes around the number */
    int32_t skip_lines; /* lines before the header, 0 to 10000: titles and the like */
    /* Triplets: which columns are row, col and count; NULL: those so called. Naming one makes the
       format triplets. Where row_column or col_column is named and there is no count, every line
       counts 1. */
    const char *row_column;
    const char *col_column;
    const char *count_column;
    const int *descriptors; /* tacit_data_open_files: the files, opened by you as `descriptor` is,
                               one for each path; NULL: they are opened here */
} tacit_data_opts;

#define TACIT_DATA_OPTS_INIT                                                                       \
    {                                                                                              \
        sizeof(tacit_data_opts), TACIT_FORMAT_AUTO, NULL, NULL, NULL, TACIT_MISSING_DEFAULT, 0, 0, \
            NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, NULL, NULL, NULL,    \
            NULL                                                                                   \
    }
TACIT_API void tacit_data_opts_init(tacit_data_opts *opts, size_t size);

/* Open a file ("-": standard input) and read its header only: column names, types, shape. Whatever
   names a column is its name or its number from 1. A file that is packed by gzip is unpacked while
   it is read (not NPY), and its format is told by the ending before .gz. Rows are read when a run
   has reserved its budget. LIBSVM and triplets do not state how many columns they have: their
   column indices are read here to find out, and that number counts as public. After a failed read
   the handle is used up: open the file again. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_open(tacit_ctx *ctx, const char *path,
                                                     const tacit_data_opts *opts, tacit_data **out);

/* Several files as one data set: what comes out is what would come of one file with the rows of all
   of them, whatever their order, and somebody with rows in two files is one person. They have one
   format and the same columns, which files with a header may have in any order: they come in the
   order of the file whose name is first in the alphabet. Entries of triplets add up over all files;
   in other formats a row is in one file. NPY files have one element type. Refused: standard input,
   and a file that is there twice, by links too. Declarations of the data name the files, and a
   ledger of them refuses a part of the files, and others. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_open_files(tacit_ctx *ctx, const char *const *paths,
                                                           int32_t count,
                                                           const tacit_data_opts *opts,
                                                           tacit_data **out);

typedef enum tacit_type {
    TACIT_F64 = 0,
    TACIT_F32 = 1,
    TACIT_I8 = 2,
    TACIT_U8 = 3,
    TACIT_I16 = 4,
    TACIT_U16 = 5,
    TACIT_I32 = 6,
    TACIT_U32 = 7,
    TACIT_I64 = 8,
    TACIT_U64 = 9
} tacit_type;

/* Rows already in memory, row-major, borrowed: they must outlive the handle and stay unchanged. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_from_memory(tacit_ctx *ctx, const void *values,
                                                            tacit_type type, int64_t rows,
                                                            int32_t columns, tacit_data **out);
/* Sparse rows in memory (CSR), borrowed: row i holds entries start[i] .. start[i+1]-1, in any
   order, no column twice. Sparse rows (these, Matrix Market, triplets, LIBSVM) of up to 1500
   columns are made dense for a run, 2 bytes a value, and every method takes them. Wider ones stay
   sparse, about 6 bytes an entry and 8 a row: absent and missing values are 0, the domain must be a
   ball about the origin (best: bounds cost noise for every column) or bounds that hold 0, and
   TACIT_KMEANS_AUTO is the method. Co-clustering takes all of them sparse, needs no domain, and
   wants counts: whole numbers, 0 .. 2^31 - 1. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_from_csr(tacit_ctx *ctx, const int64_t *start,
                                                         const int32_t *column, const double *value,
                                                         int64_t rows, int32_t columns,
                                                         tacit_data **out);
/* A table from an Arrow C stream, as __arrow_c_stream__ of pyarrow, polars, DuckDB and others gives
   it: chunks are record batches, columns have names. Opening reads the schema only; the rows are
   pulled, once, when a run has reserved its budget. opts as for a file, but for what is said of how
   files are written; NULL: none.
   - The stream is moved into the handle, whatever the result: stream->release is NULL afterwards,
   and the library releases it, exactly once, when its rows were read or the handle is freed. Moved
   arrays are released with the handle.
   - Columns of plain numbers and booleans stay the producer's memory, without a copy, until the
   handle is freed, and must not change. Columns that are not used are released at once; dates,
   categories, decimals, labels and persons are worked out once and kept.
   - Numbers: integers, floats and decimals up to 128 bits, booleans as 0 and 1. Dates: dates,
   timestamps (days in UTC), and texts whose bounds are dates. Categories, as declared: texts,
   numbers, booleans. Labels, ids and persons: texts, numbers, booleans. Dictionaries of all these;
   an index that a dictionary does not have is a missing value. Nulls are missing values, texts are
   read as CSV cells are. Other types are refused by name if they are used.
   - The schema counts as public, as a CSV header does: names and types must not depend on what a
   single row says. A ledger binds the names and their order (format "arrow"), not the types.
   - The producer is trusted that its buffers are as long as its lengths and offsets say. All else
   is checked. What it says of a failure may hold a value: with a ledger only the owner is told.
   - Its functions are called by the thread that opens, runs or frees, never by two at once. */
struct ArrowArrayStream; /* <tacit/arrow_abi.h>, or from wherever you have it */
TACIT_API TACIT_CHECKED tacit_status tacit_data_from_arrow_stream(tacit_ctx *ctx,
                                                                  struct ArrowArrayStream *stream,
                                                                  const tacit_data_opts *opts,
                                                                  tacit_data **out);
TACIT_API void tacit_data_free(tacit_data *data);

/* What a file says of itself, for rows in memory. Names of the columns (copied): one for each, none
   empty, all different; without them they are c1, c2, ... */
TACIT_API TACIT_CHECKED tacit_status tacit_data_set_columns(tacit_ctx *ctx, tacit_data *data,
                                                            const char *const *names);
/* Whose row it is: one number per row, borrowed; equal for rows of the same person, below 0 for
   nobody's, which is left out. The run then protects persons, as with a unit column. name: what the
   card and the ledger call them; NULL: "person". */
TACIT_API TACIT_CHECKED tacit_status tacit_data_set_units(tacit_ctx *ctx, tacit_data *data,
                                                          const int64_t *units, const char *name);
/* What the columns are, as tacit_data_opts says it of a file: categories (of numbers that stand for
   them, as in "sex=1|2"), weights, transforms, missing and missing_rules; nothing else of opts
   counts. Before bounds are declared. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_set_features(tacit_ctx *ctx, tacit_data *data,
                                                             const tacit_data_opts *opts);
/* Known classes, one number per row, borrowed: for tacit_model_evaluate only. A file without a
   label column takes them once its rows were read, as by tacit_model_predict, which also says how
   many there are. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_set_labels(tacit_ctx *ctx, tacit_data *data,
                                                           const int64_t *labels);

TACIT_API int32_t tacit_data_column_count(const tacit_data *data);
TACIT_API const char *tacit_data_column_get(const tacit_data *data, int32_t index); /* its name */

/* Declare what values are possible. Never read from the rows: state it from knowledge of the
   subject. Bounds and centers up to 1e100 in size; ranges and radii from 1e-100.
   Either one lower and upper bound per column (values outside are moved to the bound), ... */
TACIT_API TACIT_CHECKED tacit_status tacit_data_set_bounds(tacit_ctx *ctx, tacit_data *data,
                                                           const double *lower,
                                                           const double *upper);
/* ... the same as text: "0:1" for all columns, "age=0:120,stay=0:60", both, the range for all
   first, or the path of a CSV file with the header column,lower,upper. Dates are written as in
   "birth=1920-01-01:2020-12-31". "private" instead of a range, "spend=private", or
   "spend=private:0:1e6" with limits that are known: the run estimates the range from its budget.
   Unless the data was opened with columns, the columns that are named are the ones that are used,
   and those with categories, for which "" will do; a range for all is refused where the name of a
   column suggests an id or a text, ... */
TACIT_API TACIT_CHECKED tacit_status tacit_data_declare_bounds(tacit_ctx *ctx, tacit_data *data,
                                                               const char *text_or_path);
/* ... or a ball: rows further than `radius` from `center` (NULL: the origin) are pulled onto its
   surface. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_set_ball(tacit_ctx *ctx, tacit_data *data,
                                                         const double *center, double radius);

/* ---- declaration: what a table is ------------------------------------------------------------ */

typedef enum tacit_neighbors {
    TACIT_ADD_REMOVE = 0, /* data sets that differ by one person more or less; the number of rows is
                             private */
    TACIT_REPLACE = 1,    /* data sets that differ in what one person's rows say */
    TACIT_ENTRY = 2       /* tables of counts that differ by 1 in one entry; rows and columns are
                             public. Co-clustering only. It protects one purchase, one word: not the
                             person whose row it is */
} tacit_neighbors;

/* Format, columns with their roles and ranges, whose rows they are and how many of one person
   count, what is protected, the rule for missing values, shape and vocabulary: said once, by the
   owner, and never read from rows. As a file it is a Frictionless Table Schema (JSON) with keys of
   our own under "tacit"; `tacit declare` writes one to fill in. A vocabulary's path is relative to
   it. */
TACIT_API TACIT_CHECKED tacit_status tacit_declaration_read(tacit_ctx *ctx, const char *path,
                                                            tacit_declaration **out);
TACIT_API TACIT_CHECKED tacit_status tacit_declaration_parse(tacit_ctx *ctx, const char *json,
                                                             tacit_declaration **out);
TACIT_API void tacit_declaration_free(tacit_declaration *declaration);
/* The declaration of opened data: the one it was opened by, or what its options, names, units and
   domain say. It is bound to the header of the file (names, order, format, delimiter), as a ledger
   needs it. neighbors and max_rows_per_unit count for data that was opened without a
   declaration. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_declaration(tacit_ctx *ctx, const tacit_data *data,
                                                            tacit_neighbors neighbors,
                                                            int32_t max_rows_per_unit,
                                                            tacit_declaration **out);
/* As JSON text, the same bytes for the same declaration. */
TACIT_API TACIT_CHECKED tacit_status tacit_declaration_json(tacit_ctx *ctx,
                                                            const tacit_declaration *declaration,
                                                            char **out);
/* A declaration of a file to fill in, as JSON text, from its header alone. Of the options those
   count that say how the file is written: format, marks, skipped lines, columns of triplets; NULL:
   all as they are by default. */
TACIT_API TACIT_CHECKED tacit_status tacit_declaration_template(tacit_ctx *ctx, const char *path,
                                                                const tacit_data_opts *opts,
                                                                char **out);

typedef struct tacit_declaration_summary {
    size_t size;
    tacit_format format; /* TACIT_FORMAT_AUTO: not said, rows in memory, or Arrow */
    tacit_neighbors neighbors;
    const char *unit_column;   /* NULL: single rows; texts are borrowed from the declaration */
    int32_t max_rows_per_unit; /* 0: not said */
    tacit_missing missing;
    int has_bounds;     /* non-zero: features have ranges */
    double radius;      /* of a ball; 0: none */
    int64_t shape_rows; /* 0: not said */
    int32_t shape_columns;
    const char *vocabulary; /* path; NULL: none, or the words themselves: */
    int has_words;
    const char *id_column; /* the first column of role id; NULL: none */
} tacit_declaration_summary;

#define TACIT_DECLARATION_SUMMARY_INIT                                                             \
    {                                                                                              \
        sizeof(tacit_declaration_summary), TACIT_FORMAT_AUTO, TACIT_ADD_REMOVE, NULL, 0,           \
            TACIT_MISSING_DROP_ROW, 0, 0, 0, 0, NULL, 0, NULL                                      \
    }
TACIT_API void tacit_declaration_summary_init(tacit_declaration_summary *summary, size_t size);
TACIT_API TACIT_CHECKED tacit_status tacit_declaration_summarize(
    tacit_ctx *ctx, const tacit_declaration *declaration, tacit_declaration_summary *out);

/* Does a declaration that somebody holds, a schema say, agree with one that is bound?
   TACIT_E_DECLARED names what differs. */
TACIT_API TACIT_CHECKED tacit_status tacit_declaration_compare(tacit_ctx *ctx,
                                                               const tacit_declaration *given,
                                                               const tacit_declaration *bound);

/* ---- ledger: what a data set has spent ------------------------------------------------------- */

typedef struct tacit_ledger tacit_ledger;

/* Create the ledger of one data set with a budget for all runs ever. delta = 0: pure runs only,
   epsilons add up. delta > 0: runs add up on the exact Gaussian curve. Refuses to overwrite.
   declaration: what the data set is, as tacit_data_declaration gives it; it becomes part of the
   ledger's chain. Budgets about different things do not add up, so a run takes from a ledger only
   if its data and its neighbors are what was declared: format, header, unit column, rows per
   person, domain, rule for missing values, shape, vocabulary. Columns may be any of the declared
   features. Anything else is TACIT_E_DECLARED, before a row is read. */
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_create(tacit_ctx *ctx, const char *path,
                                                         const char *dataset, double epsilon,
                                                         double delta,
                                                         const tacit_declaration *declaration);
/* The same, beginning with all that the ledger `old` has spent, exactly: for a ledger of an earlier
   version, or to declare anew. The new budget must cover it, be pure or not as the old one is, and
   be about the same unit and neighbors. Where path is old itself, the new ledger takes its place
   at once: there is never none, nor one that has forgotten. */
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_carry(tacit_ctx *ctx, const char *path,
                                                        const char *dataset, double epsilon,
                                                        double delta,
                                                        const tacit_declaration *declaration,
                                                        const char *old);
/* The ledger of files, where every run on one of them finds it: FILE.ledger beside the one whose
   name comes first in the alphabet, and links to it beside the others. Where carry (NULL: none) is
   the ledger of some of them, it is replaced where it lies, and files that come anew get their
   links. *path: where the ledger is; free it with tacit_free. */
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_create_beside(
    tacit_ctx *ctx, const char *const *files, int32_t count, const char *dataset, double epsilon,
    double delta, const tacit_declaration *declaration, const char *carry, char **path);
/* What the ledger was made for: a copy, yours to free. */
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_declaration(tacit_ctx *ctx,
                                                              const tacit_ledger *ledger,
                                                              tacit_declaration **out);
/* The owner is about to look at rows without paying (tacit_model_predict, tacit_model_evaluate, a
   plain solver): notes it in the history, durably. what: in a few words. */
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_note_owner(tacit_ctx *ctx, tacit_ledger *ledger,
                                                             const char *what);
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_open(tacit_ctx *ctx, const char *path,
                                                       tacit_ledger **out);
TACIT_API void tacit_ledger_free(tacit_ledger *ledger);

typedef struct tacit_ledger_summary {
    size_t size;
    double epsilon, delta; /* the whole budget */
    double spent;          /* share of it already spent or reserved, in [0, 1], rounded up */
    double epsilon_left;   /* the largest epsilon one more run could ask for, at delta_left */
    double delta_left;
    int64_t runs; /* reservations that count as spent */
    char dataset[256];
    char unit_column[256]; /* "": the budget is about single rows */
    tacit_neighbors neighbors;
} tacit_ledger_summary;

#define TACIT_LEDGER_SUMMARY_INIT                                                                  \
    {                                                                                              \
        sizeof(tacit_ledger_summary), 0, 0, 0, 0, 0, 0, "", "", TACIT_ADD_REMOVE                   \
    }
TACIT_API void tacit_ledger_summary_init(tacit_ledger_summary *summary, size_t size);
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_summarize(tacit_ctx *ctx, tacit_ledger *ledger,
                                                            tacit_ledger_summary *out);

typedef struct tacit_ledger_entry {
    size_t size; /* set by the library: fields beyond it are not there */
    int64_t sequence;
    const char *kind;      /* "open", "carry", "reserve", "commit", "void", "owner" */
    const char *run;       /* hexadecimal run id, the same on every entry of a run */
    const char *time;      /* UTC, ISO 8601 */
    const char *what;      /* the run in a few words, e.g. "kmeans lloyd k=5" */
    double epsilon, delta; /* what the run asked for */
    double share;          /* of the whole budget, rounded up; only a reserve and a carry have
                                    one */
} tacit_ledger_entry;

#define TACIT_LEDGER_ENTRY_INIT                                                                    \
    {                                                                                              \
        sizeof(tacit_ledger_entry), 0, NULL, NULL, NULL, NULL, 0, 0, 0                             \
    }
TACIT_API void tacit_ledger_entry_init(tacit_ledger_entry *entry, size_t size);
/* Non-zero: that is enough. */
typedef int (*tacit_ledger_entry_fn)(const tacit_ledger_entry *entry, void *payload);
/* Calls `each` for every entry from the first. Checks the hash chain. */
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_history(tacit_ctx *ctx, tacit_ledger *ledger,
                                                          tacit_ledger_entry_fn each,
                                                          void *payload);
/* Summary and history as a page for people: one self-contained HTML file that fetches nothing. Says
   what they say, and no more. Free with tacit_free. */
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_html(tacit_ctx *ctx, tacit_ledger *ledger,
                                                       char **out);

/* ---- budget: what a run may spend ------------------------------------------------------------ */

typedef struct tacit_budget {
    size_t size;
    double epsilon; /* 1e-6 .. 1000; starts as NAN: a run that names no budget is
                                      refused */
    double delta;   /* 1e-30 .. 0.1; 0: pure differential privacy */
    tacit_neighbors neighbors;
    int32_t max_rows_per_unit;  /* 1 .. 32768 with a unit column: rows kept per person; without
                                      one 0. Co-clustering with a unit column also takes 0: all rows
                                      of a person are added up into one, and noise is that of one */
    tacit_ledger *ledger;       /* NULL: none; otherwise the run reserves from it before reading
                                      a row, and once a row was read the reservation stays spent,
                                      whatever happens. Values that are no numbers are missing then,
                                      and a file that cannot be read is refused without saying
                                      where */
    int use_insecure_test_seed; /* non-zero: noise from the seed below; the release says "not
                                      private"; no ledger */
    uint64_t insecure_test_seed;
    int as_owner;        /* with a ledger, non-zero: the owner runs it, which its history
                                      notes. Refusals then say where, and TACIT_MISSING_REJECT_FILE
                                      may be asked for */
    double bounds_share; /* with private bounds: the part of the budget that looks for them, from a
                                      thousandth to nine tenths; a tenth where none is given */
} tacit_budget;

#define TACIT_BUDGET_INIT                                                                          \
    {                                                                                              \
        sizeof(tacit_budget), NAN, 0, TACIT_ADD_REMOVE, 0, NULL, 0, 0, 0, 0                        \
    }
TACIT_API void tacit_budget_init(tacit_budget *budget, size_t size);

/* ---- methods and plans ----------------------------------------------------------------------- */

typedef struct tacit_model tacit_model;
typedef struct tacit_plan tacit_plan;

/* One of a family's methods, or a plain solver, as the lists below describe it. */
typedef struct tacit_method {
    size_t size;
    int32_t method;        /* its number, as the options take it */
    const char *name;      /* as the command's --method or --solver takes it */
    const char *summary;   /* one line */
    const char *guarantee; /* pure or approximate, provable or asymptotic; NULL: not private */
    const char *paper;
    int means, median; /* non-zero: works for k-means, for k-median */
} tacit_method;

#define TACIT_METHOD_INIT                                                                          \
    {                                                                                              \
        sizeof(tacit_method), 0, NULL, NULL, NULL, NULL, 0, 0                                      \
    }
TACIT_API void tacit_method_init(tacit_method *method, size_t size);

/* What a run would ask and how large its noise would be, for a guess of the number of rows. A plan
   asks nothing of the rows and reads no ledger. */
typedef struct tacit_plan_step {
    size_t size;
    /* "number of rows", "Lloyd round", ...: as the card of the run will have it */
    const char *what;
    /* "discrete Gaussian", "discrete Laplace", "trace noise", "exponential mechanism", ...; the
       same */
    const char *noise;
    int32_t times; /* asked this often */
    double share;  /* of the run's budget, all times together */
    /* of one number, one standard deviation, the last time it is asked; NaN: not known */
    double error;
    /* "rows" or, with TACIT_ENTRY, "counts": what so many more or fewer could do to the number at
       the most; "radii" of the domain; "": not stated */
    const char *error_of;
} tacit_plan_step;

#define TACIT_PLAN_STEP_INIT                                                                       \
    {                                                                                              \
        sizeof(tacit_plan_step), NULL, NULL, 0, 0, 0, NULL                                         \
    }
TACIT_API void tacit_plan_step_init(tacit_plan_step *step, size_t size);
TACIT_API int32_t tacit_plan_step_count(const tacit_plan *plan);
TACIT_API TACIT_CHECKED tacit_status tacit_plan_step_get(const tacit_plan *plan, int32_t index,
                                                         tacit_plan_step *out);
/* Will it be usable? Before tacit_plan_try only what the method is known for; "": nothing. */
TACIT_API const char *tacit_plan_advice(const tacit_plan *plan);
/* The noise of a released size, one standard deviation; NaN: not known to the method. */
TACIT_API double tacit_plan_sizes_sd(const tacit_plan *plan);
/* How far noise moves a coordinate of a typical center, as a part of its declared range or of the
   radius; NaN: not known, or a family without centers. */
TACIT_API double tacit_plan_centers_sd(const tacit_plan *plan);

/* What a release is worth, measured against the plain solver of its family and against the trivial
   answer: one mean, one pooled subspace, one block. `cost` below is the release's over the plain
   one, `kept` the part of what the plain answer gains over the trivial one that the release keeps.
     k-means, k-median: usable: cost at most 1.25 and kept at least 1/2
                        useless: cost above 4, or kept below 1/4
     subspaces:         usable: kept at least 3/4; useless: kept below 1/4
     co-clusterings:    usable: kept, here the part of the plain tau, at least 1/2
                        useless: kept below 1/10
   and rough in between. */
typedef enum tacit_verdict {
    TACIT_VERDICT_UNKNOWN = 0, /* not tried */
    TACIT_USABLE = 1,
    TACIT_ROUGH = 2,
    TACIT_USELESS = 3
} tacit_verdict;
/* "usable", "rough", "useless", "unknown" */
TACIT_API const char *tacit_verdict_name(tacit_verdict verdict);

/* What came of a plan on one kind of made-up rows, as many as were guessed, in the declared domain,
   with the run's budget: the median of some trials, and their range. */
typedef struct tacit_forecast {
    size_t size;
    const char *rows; /* what they are: "well separated", "overlapping", "no groups" */
    int32_t trials;
    double cost, cost_least, cost_most; /* of the release over that of the plain solver; NaN for
                                           co-clusterings, whose tau has another scale */
    double trivial;                     /* the trivial answer's over that of the plain solver */
    double kept, kept_least, kept_most; /* see above; NaN: k = 1, where there is nothing to gain */
    double lost; /* the chance that a group is lost: its rows share a cluster with another group.
                    NaN unless groups are well separated, where plain solvers lose none */
    tacit_verdict verdict;
} tacit_forecast;

#define TACIT_FORECAST_INIT                                                                        \
    {                                                                                              \
        sizeof(tacit_forecast), NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, TACIT_VERDICT_UNKNOWN             \
    }
TACIT_API void tacit_forecast_init(tacit_forecast *forecast, size_t size);
/* Runs the planned method some dozen times on made-up rows and measures what comes of it. data:
   the one that was planned for; no row of it is read. A second or two, and up to a minute for
   subspaces of hundreds of columns; shows progress. The advice is then about the trials. */
TACIT_API TACIT_CHECKED tacit_status tacit_plan_try(tacit_ctx *ctx, const tacit_data *data,
                                                    tacit_plan *plan);
/* 3 kinds of rows once the plan was tried, 0 before and where it cannot be. */
TACIT_API int32_t tacit_plan_forecast_count(const tacit_plan *plan);
TACIT_API TACIT_CHECKED tacit_status tacit_plan_forecast_get(const tacit_plan *plan, int32_t index,
                                                             tacit_forecast *out);
/* Of the whole plan: that of overlapping groups, which tables mostly are; of k-means and k-median
   the worse of that and of well separated ones, which must not be lost. With TACIT_K_AUTO of
   centers: of 5 well separated ones. */
TACIT_API tacit_verdict tacit_plan_verdict(const tacit_plan *plan);
/* The smallest epsilon of 0.01, 0.02, 0.05, 0.1, ..., 20 that makes the verdict usable, the rest of
   the plan being the same; infinite: none of them. NaN: not tried. */
TACIT_API double tacit_plan_least_epsilon(const tacit_plan *plan);
TACIT_API void tacit_plan_free(tacit_plan *plan);

/* ---- k-means --------------------------------------------------------------------------------- */

/* Every method of k-means and k-median. tacit_kmeans_method_get gives the paper and the guarantee
   of each; in all of them the unit is as in the budget, and delta = 0 means pure differential
   privacy. */
typedef enum tacit_kmeans_method {
    TACIT_KMEANS_AUTO = 0,             /* the best we know, at every epsilon, k and number of
                                          columns */
    TACIT_KMEANS_LLOYD = 1,            /* noisy Lloyd rounds with shrinking, growing shares and
                                          re-seeding */
    TACIT_KMEANS_SULQ = 2,             /* SuLQ k-means, 20 equal rounds (Blum et al. 2005) */
    TACIT_KMEANS_DPLLOYD = 3,          /* DP-Lloyd with sphere packing (Su et al. 2016) */
    TACIT_KMEANS_GRID = 4,             /* one uniform grid, then plain k-means on it (EUGkM, Su et
                                          al. 2016); with rounds = 1 their hybrid, which ends with a
                                          round of DP-Lloyd; 0: none */
    TACIT_KMEANS_SAMPLE_AGGREGATE = 6, /* plain k-means on parts, smooth sensitivity (Nissim et al.
                                          2007); delta > 0 */
    TACIT_KMEANS_KVARIATES = 7,        /* k-variates++ (Nock et al. 2016) with noise for the worst
                                          case */
    TACIT_KMEANS_LSH_TREE = 8,         /* the LSH-tree coreset (Chang et al. 2021) */
    TACIT_KMEANS_BALCAN = 9            /* projection, candidates, local swaps, recovery (Balcan et
                                          al. 2017) */
} tacit_kmeans_method;

TACIT_API int32_t tacit_kmeans_method_count(void);
TACIT_API TACIT_CHECKED tacit_status tacit_kmeans_method_get(int32_t index, tacit_method *out);

/* Constants of methods whose paper proves with one set of them and measures with another. */
typedef enum tacit_constants {
    TACIT_CONSTANTS_PRACTICAL = 0,
    TACIT_CONSTANTS_THEORY = 1
} tacit_constants;

#define TACIT_K_AUTO (-1) /* k is chosen from what the run releases anyway; method auto only */

typedef enum tacit_scale {
    TACIT_SCALE_RANGE = 0, /* every column divided by its declared range: age and income count
                              alike */
    TACIT_SCALE_NONE = 1   /* distances in the columns' own units */
} tacit_scale;

typedef struct tacit_kmeans_opts {
    size_t size;
    int32_t k;      /* number of centers, 1 .. 1000000, or TACIT_K_AUTO; starts as 0,
                                   which is refused */
    int32_t rounds; /* 1 .. 1000; 0: chosen from k, d, the budget and a paid noisy
                                   count (grid: none) */
    tacit_kmeans_method method;
    tacit_scale scale;         /* with a ball: ignored */
    int32_t k_max;             /* 1 .. 1000, with TACIT_K_AUTO: the most centers to think of;
                                   0: 20 */
    tacit_constants constants; /* of TACIT_KMEANS_BALCAN */
    int32_t sparsity;          /* most non-zero values in a row, if that is public; rows that stay
                                   sparse are cut to so many, the largest, and pure runs need far
                                   less noise; 0: unknown; dense rows refuse it, but for
                                   TACIT_KMEANS_BALCAN */
    int no_synopsis; /* non-zero: method auto leaves its cells out of the release, so that it
                                   can be cut to no larger k and holds less for synthetic rows */
} tacit_kmeans_opts;

#define TACIT_KMEANS_OPTS_INIT                                                                     \
    {                                                                                              \
        sizeof(tacit_kmeans_opts), 0, 0, TACIT_KMEANS_AUTO, TACIT_SCALE_RANGE, 0,                  \
            TACIT_CONSTANTS_PRACTICAL, 0, 0                                                        \
    }
TACIT_API void tacit_kmeans_opts_init(tacit_kmeans_opts *opts, size_t size);
TACIT_API TACIT_CHECKED tacit_status tacit_kmeans_run(tacit_ctx *ctx, tacit_data *data,
                                                      const tacit_budget *budget,
                                                      const tacit_kmeans_opts *opts,
                                                      tacit_model **out);
/* The same walk for k-median: centers that keep the sum of distances, not of their squares, small;
   resists outliers. Not for rows that stay sparse. */
TACIT_API TACIT_CHECKED tacit_status tacit_kmedian_run(tacit_ctx *ctx, tacit_data *data,
                                                       const tacit_budget *budget,
                                                       const tacit_kmeans_opts *opts,
                                                       tacit_model **out);
TACIT_API TACIT_CHECKED tacit_status tacit_kmeans_plan(tacit_ctx *ctx, const tacit_data *data,
                                                       const tacit_budget *budget,
                                                       const tacit_kmeans_opts *opts,
                                                       double rows_about, tacit_plan **out);
TACIT_API TACIT_CHECKED tacit_status tacit_kmedian_plan(tacit_ctx *ctx, const tacit_data *data,
                                                        const tacit_budget *budget,
                                                        const tacit_kmeans_opts *opts,
                                                        double rows_about, tacit_plan **out);

/* ---- subspace clustering --------------------------------------------------------------------- */

/* Rows that lie near one of k subspaces of dimension q, through the origin or (affine) anywhere.
   Linear subspaces need a domain in which 0 has its place: best a ball about the origin; of bounds
   the largest norm they allow counts. */
typedef enum tacit_subspace_method {
    TACIT_SUBSPACE_AUTO = 0,            /* one noisy fourth-moment tensor, a free fit, averaged
                                           refinement; delta = 0: sulq+ */
    TACIT_SUBSPACE_SULQ_PLUS = 1,       /* noisy second moments with the right noise (delta = 0:
                                           trace noise), restarts, two stages */
    TACIT_SUBSPACE_SULQ = 2,            /* SuLQ as published (Wang, Wang & Singh 2015, Alg. 5) */
    TACIT_SUBSPACE_BINGHAM = 3,         /* hard assignment and matrix-Bingham draws in turn; to
                                           compare: in real arithmetic, no ledger */
    TACIT_SUBSPACE_GIBBS = 4,           /* the paper's Gibbs sampler, samplers corrected; asymptotic
                                           guarantee only; the same */
    TACIT_SUBSPACE_SAMPLE_AGGREGATE = 5 /* a plain solver on parts, smooth sensitivity corrected
                                           (Alg. 1) */
} tacit_subspace_method;

TACIT_API int32_t tacit_subspace_method_count(void);
TACIT_API TACIT_CHECKED tacit_status tacit_subspace_method_get(int32_t index, tacit_method *out);

/* Plain solvers: of tacit_subspace_plain, and on the parts of sample-aggregate. */
typedef enum tacit_subspace_solver {
    TACIT_SOLVER_KPLANE = 0,     /* alternate assignment and principal components, restarts */
    TACIT_SOLVER_TSC = 1,        /* thresholding, spectral clustering (Heckel & Boelcskei) */
    TACIT_SOLVER_TSC_SIMPLE = 2, /* thresholding, connected components (Wang, Wang & Singh 2015,
                                    Alg. 2) */
    TACIT_SOLVER_SSC = 3,        /* sparse self-representation (Elhamifar & Vidal) */
    TACIT_SOLVER_LRR = 4         /* low-rank representation (Liu et al.) */
} tacit_subspace_solver;

TACIT_API int32_t tacit_subspace_solver_count(void);
TACIT_API TACIT_CHECKED tacit_status tacit_subspace_solver_get(int32_t index, tacit_method *out);

#define TACIT_Q_AUTO (-1)

typedef struct tacit_subspace_opts {
    size_t size;
    int32_t k; /* subspaces, 1 .. 1000, or TACIT_K_AUTO (method auto); starts as
                                      0, which is refused */
    int32_t q; /* their dimension, from 1 to columns - 1, or TACIT_Q_AUTO
                                      (method auto); starts as 0, which is refused */
    tacit_subspace_method method;
    int affine;                   /* non-zero: subspaces need not pass through the origin */
    tacit_scale scale;            /* with a ball: ignored */
    int32_t rounds;               /* 1 .. 1000000; 0: the method's own; Gibbs: iterations,
                                      10000 of them */
    tacit_subspace_solver solver; /* sample-aggregate and tacit_subspace_plain; also what start =
                                      solver starts from */
    int32_t parts;                /* sample-aggregate: parts of the rows, 3 .. 1000; 0: from the
                                      paper's rule */
    int overlapping_parts;        /* sample-aggregate: non-zero: random subsets as in the paper;
                                      0: a partition, which is better */
    int start_with_solver;        /* Gibbs: non-zero: the paper's start, which is NOT private; for
                                      reproduction */
    int32_t chains;               /* Gibbs: 1 .. 100, 0: 1. With more a note says how well
                                      they agree; that is not paid for, so only with the insecure
                                      test seed */
    int release_labels;           /* Gibbs under replace: non-zero: the drawn assignment is part of
                                      the release */
    int32_t restarts;             /* plain solvers: 1 .. 10000, 0: 20 */
    int32_t k_max;                /* 1 .. 64, with TACIT_K_AUTO: the most to think of; 0: 8 */
    int32_t q_max;                /* the same with TACIT_Q_AUTO; 0: columns - 1, or 8 */
    uint64_t seed;                /* tacit_subspace_plain: of its starts */
} tacit_subspace_opts;

#define TACIT_SUBSPACE_OPTS_INIT                                                                   \
    {                                                                                              \
        sizeof(tacit_subspace_opts), 0, 0, TACIT_SUBSPACE_AUTO, 0, TACIT_SCALE_RANGE, 0,           \
            TACIT_SOLVER_KPLANE, 0, 0, 0, 0, 0, 0, 0, 0, 0                                         \
    }
TACIT_API void tacit_subspace_opts_init(tacit_subspace_opts *opts, size_t size);
TACIT_API TACIT_CHECKED tacit_status tacit_subspace_run(tacit_ctx *ctx, tacit_data *data,
                                                        const tacit_budget *budget,
                                                        const tacit_subspace_opts *opts,
                                                        tacit_model **out);
TACIT_API TACIT_CHECKED tacit_status tacit_subspace_plan(tacit_ctx *ctx, const tacit_data *data,
                                                         const tacit_budget *budget,
                                                         const tacit_subspace_opts *opts,
                                                         double rows_about, tacit_plan **out);
/* A plain solver on the rows: NOT private; the model says so. */
TACIT_API TACIT_CHECKED tacit_status tacit_subspace_plain(tacit_ctx *ctx, tacit_data *data,
                                                          const tacit_subspace_opts *opts,
                                                          tacit_model **out);
/* How far two models of family "subspace" are apart: the least root of the sum of squared distances
   over all ways to pair the subspaces of one with those of the other (d_W of Wang, Wang & Singh
   2015). Papers use two distances of two subspaces with orthonormal bases U and V: sine is with
   |sin Theta|_F, Theta the principal angles, and projector with |UU' - VV'|_F, which is sqrt 2
   times as large. Of affine subspaces the directions count. Made from releases alone, so as private
   as they are. */
TACIT_API TACIT_CHECKED tacit_status tacit_subspace_distance(tacit_ctx *ctx, const tacit_model *a,
                                                             const tacit_model *b, double *sine,
                                                             double *projector);

/* For research, NOT private, exact: do the theorems about plain solvers hold for these rows? Wang,
   Wang & Singh 2015, Definition 3.2 and Lemmas 3.3, 3.5. Costs are mean squared distances where the
   longest row that the domain allows has length 1. Costs come from k-plane, the best of opts'
   restarts: each is an upper bound of the true one. */
typedef struct tacit_condition {
    size_t size; /* as you compiled it: a newer library keeps the distance between
                                  conditions of an array */
    const char *what;
    double value, limit;
    int met;
} tacit_condition;

#define TACIT_CONDITION_INIT                                                                       \
    {                                                                                              \
        sizeof(tacit_condition), NULL, 0, 0, 0                                                     \
    }
TACIT_API void tacit_condition_init(tacit_condition *condition, size_t size);

typedef struct tacit_subspace_diagnosis {
    size_t size;
    double sigma; /* in: noise of Lemma 3.5 beside rows of length 1; negative:
                                  estimated; out: the one that was used; starts as -1 */
    double gamma; /* in: of Lemma 3.5, above 1; starts as 2 */
    int64_t rows;
    double cost;                  /* Delta_k^2: k subspaces of dimension q */
    double cost_fewer;            /* Delta_(k-1)^2: one subspace less */
    double cost_lower;            /* Delta_(k,-)^2: one of them of dimension q - 1 */
    double cost_higher;           /* Delta_(k,+)^2: one of dimension q + 1 */
    double phi_squared, psi, eta; /* the best for which the rows are (phi, eta, psi)-well
                                  separated */
    int stable;                   /* non-zero: Lemma 3.3 applies: phi^2 < 1 / 1602 and psi > eta */
    double factor, distance;      /* then a solution of up to `factor` times the cost lies within
                                  `distance`, d_W of sines; NaN otherwise */
    double affinity;              /* root of 1 - (least squared distance of two subspaces) / q, in
                                  [0, 1]; NaN: k = 1 */
    int connected; /* non-zero: all conditions of Lemma 3.5 are met, as its proof needs
                                  them */
    int32_t conditions;
    tacit_condition condition[6]; /* of Lemma 3.5, for the label column's clusters or else those of
                                  k-plane; `what` names two errata */
} tacit_subspace_diagnosis;

#define TACIT_SUBSPACE_DIAGNOSIS_INIT                                                              \
    {                                                                                              \
        sizeof(tacit_subspace_diagnosis), -1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,         \
        {                                                                                          \
            TACIT_CONDITION_INIT, TACIT_CONDITION_INIT, TACIT_CONDITION_INIT,                      \
                TACIT_CONDITION_INIT, TACIT_CONDITION_INIT, TACIT_CONDITION_INIT                   \
        }                                                                                          \
    }
TACIT_API void tacit_subspace_diagnosis_init(tacit_subspace_diagnosis *diagnosis, size_t size);
/* Linear subspaces; k and q as numbers. With a label column: k different labels. */
TACIT_API TACIT_CHECKED tacit_status tacit_subspace_diagnose(tacit_ctx *ctx, tacit_data *data,
                                                             const tacit_subspace_opts *opts,
                                                             tacit_subspace_diagnosis *out);

/* ---- co-clustering --------------------------------------------------------------------------- */

/* A table of counts (people x items, documents x words): clusters of rows and clusters of columns
   at once. Rows that are not counts, whole numbers from 0 to 2^31 - 1, are refused; the same entry
   given twice adds up. No bounds are needed. */
typedef enum tacit_cocluster_method {
    TACIT_COCLUSTER_AUTO = 0,     /* the best we know: of whole rows by column mass, one noisy Gram
                                     matrix and noisy tables; of single entries by disjoint batches
                                     of rows */
    TACIT_COCLUSTER_DP_TAUCC = 1, /* DP-tauCC (Battaglia & Pensa 2025, Alg. 1-3), code errors put
                                     right; TACIT_ENTRY only */
    TACIT_COCLUSTER_NMF = 2,      /* noisy non-negative factors (after Saha & Imtiaz), private
                                     start, correct noise */
    TACIT_COCLUSTER_KMEANS = 3,   /* private k-means of the rows (method auto of k-means) */
    TACIT_COCLUSTER_BALCAN = 4    /* private k-means of the rows by Balcan et al. 2017 */
} tacit_cocluster_method;

TACIT_API int32_t tacit_cocluster_method_count(void);
TACIT_API TACIT_CHECKED tacit_status tacit_cocluster_method_get(int32_t index, tacit_method *out);

typedef struct tacit_cocluster_opts {
    size_t size;
    int32_t row_clusters;    /* 1 .. 1000, or TACIT_K_AUTO: as many as surely stand out of the
                                      noise, 2 .. 12, a lower bound (method auto, whole rows or
                                      persons, delta above 0); starts as 0, which is refused */
    int32_t column_clusters; /* 1 .. 1000, at most as many as there are columns, or TACIT_K_AUTO:
                                      as many as row clusters (where these may be chosen); starts
                                      as 0, which is refused */
    tacit_cocluster_method method;
    int32_t rounds;      /* dp-taucc: the paper's I, 1 .. 1000, 0: 4; other methods set it
                                      themselves */
    double labels_share; /* TACIT_ENTRY: this share of the budget buys a private label for
                                      every row, 0 .. 0.9; 0: none. Whole rows cannot have one */
    double least_z;      /* whole rows: columns whose cluster is less certain go to
                                      "rest"; 0 .. 100, starts as 1 */
    int32_t restarts;    /* tacit_cocluster_plain: 1 .. 10000, 0: 10 */
    uint64_t seed;       /* tacit_cocluster_plain: of its starts */
} tacit_cocluster_opts;

#define TACIT_COCLUSTER_OPTS_INIT                                                                  \
    {                                                                                              \
        sizeof(tacit_cocluster_opts), 0, 0, TACIT_COCLUSTER_AUTO, 0, 0, 1, 0, 0                    \
    }
TACIT_API void tacit_cocluster_opts_init(tacit_cocluster_opts *opts, size_t size);
/* The unit is in the budget: TACIT_ADD_REMOVE or TACIT_REPLACE of one row (with units in the data:
   of one person's rows), or TACIT_ENTRY. */
TACIT_API TACIT_CHECKED tacit_status tacit_cocluster_run(tacit_ctx *ctx, tacit_data *data,
                                                         const tacit_budget *budget,
                                                         const tacit_cocluster_opts *opts,
                                                         tacit_model **out);
TACIT_API TACIT_CHECKED tacit_status tacit_cocluster_plan(tacit_ctx *ctx, const tacit_data *data,
                                                          const tacit_budget *budget,
                                                          const tacit_cocluster_opts *opts,
                                                          double rows_about, tacit_plan **out);
/* Fast-tauCC on the counts themselves: NOT private; the model says so. The numbers of clusters are
   where it begins: clusters that lose all their items go. */
TACIT_API TACIT_CHECKED tacit_status tacit_cocluster_plain(tacit_ctx *ctx, tacit_data *data,
                                                           const tacit_cocluster_opts *opts,
                                                           tacit_model **out);

/* ---- engines: rows on other processes -------------------------------------------------------- */

/* One process is the root: it has the ledger, the noise key and the method. Rows lie on shards,
   which may be anywhere; a shard takes bytes and gives bytes back. An engine is what carries them:
   MPI, Spark, sockets of your own. The same rows and the same noise give the same release, bit for
   bit, for every split of the rows and every number of shards.

   the root                               a shard, wherever rows are
   tacit_data_set_engine, then any run
     start(spec)                          tacit_shard_open: reads its rows as the root would
     place(frames)     once or more       tacit_shard_place: puts them where queries look
     evaluate(query)   many times         tacit_shard_secret_answer: exact words
   adds the words up, adds noise once

   A shard of a process that stays (MPI) lives as long as the run. Where tasks come and go (Spark),
   one task opens, places and keeps the shard as bytes (tacit_shard_secret_block); any later task
   makes a shard of them (tacit_shard_from_secret_block) and has it answer.

   SECRET. A spec, an answer and a block are not releases. Answers are exact sums of rows, blocks
   are the rows themselves, and the spec holds the key by which the messages of a run know each
   other. Whoever reads them learns about single persons: carry them by channels that are as trusted
   and as closed as where the rows are, and keep none. Only what the run returns at the root is
   private.

   Every message is bound to its run, an answer to its query, its frames and its shard. The root
   refuses an answer that is damaged, that comes twice, that is of another query, of other frames or
   of a shard that it does not know, and a query that not every shard has answered. What was charged
   stays charged, nothing is released, and nothing wrong is added. So a task may be tried again as
   often as you like, but its answer is handed in once. */

typedef struct tacit_replies tacit_replies; /* where the root takes in what shards reply */
/* Hands in one reply: what tacit_shard_place, tacit_shard_secret_answer or
   tacit_secret_answers_combine gave. In any order. After a refusal the run fails, whatever the
   engine returns. On the thread that the engine's function was called on. */
TACIT_API TACIT_CHECKED tacit_status tacit_replies_add(tacit_replies *replies, const uint8_t *reply,
                                                       size_t bytes);

/* What carries bytes. Every function gets bytes that are its own only until it returns, and returns
   TACIT_OK or why it could not. They are called by the thread that runs. */
typedef struct tacit_engine {
    size_t size;
    int64_t shards; /* how many there are, their indices 0 .. shards - 1; 0: as many as reply to the
                       first frames, with any indices below 2^31. Persons need it said */
    /* Shards are to open. After the budget is reserved: from here on it stays spent. */
    tacit_status (*start)(const uint8_t *spec, size_t bytes, void *payload);
    /* Every shard places its rows and replies once. Frames before these are no longer asked
       about. */
    tacit_status (*place)(const uint8_t *frames, size_t bytes, tacit_replies *replies,
                          void *payload);
    /* Every shard answers once. */
    tacit_status (*evaluate)(const uint8_t *query, size_t bytes, tacit_replies *replies,
                             void *payload);
    /* The run is over, however it ended, if start was called: shards can be freed. NULL: nothing is
       to be done. */
    void (*end)(void *payload);
    /* Why the last function failed, as tacit_ctx_message says it, for the root's own; it must hold
       no value of a row. NULL, or returns NULL: nothing to say. */
    const char *(*explain)(void *payload);
    void *payload;
} tacit_engine;

#define TACIT_ENGINE_INIT                                                                          \
    {                                                                                              \
        sizeof(tacit_engine), 0, NULL, NULL, NULL, NULL, NULL, NULL                                \
    }
TACIT_API void tacit_engine_init(tacit_engine *engine, size_t size);
/* From here on the rows of this handle are on shards; the handle itself, opened on any part of the
   table, on an empty one or on the schema of a stream, says what its columns are, and no row of it
   is read. Declare bounds, ledger and all else as ever: every run and plan takes it. Before
   anything is spent a run refuses what it cannot do without all rows in one place
   (TACIT_E_ARGUMENT): methods that draw rows or part them (sample-aggregate, gibbs, kvariates among
   them), and TACIT_ENTRY. tacit_model_predict, tacit_model_evaluate and plain solvers want rows,
   and refuse. The engine is copied; its payload must outlive the handle. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_set_engine(tacit_ctx *ctx, tacit_data *data,
                                                           const tacit_engine *engine);

typedef struct tacit_shard tacit_shard;

typedef struct tacit_shard_opts {
    size_t size;
    int64_t index;  /* which shard this is, 0 .. shards - 1; of every table of rows one, and no two
                      shards have the same */
    int picks;      /* non-zero: `data` is the whole table, as every shard opens it, and this shard
                      keeps its part: its persons, or every row whose number in the table is
                      index modulo shards */
    int may_repeat; /* non-zero: the same shard may be opened and placed again later, by a task that
                       is tried again; then answers also state, by a tag that does not depend on
                       their order, which rows they are of, and rows that have changed in between
                       are an error */
    int parted;     /* non-zero: with persons, every row was put on the shard that
                       tacit_shard_numbers says. It is checked. Several shards that neither pick
                       nor say this are refused whatever rows they have: whether somebody's rows
                       lie in two files must not show */
    int descriptor; /* tacit_shard_open_file: above 0: the file, opened by you and yours to close
                       after the shard; path then only names it */
} tacit_shard_opts;

#define TACIT_SHARD_OPTS_INIT                                                                      \
    {                                                                                              \
        sizeof(tacit_shard_opts), 0, 0, 0, 0, 0                                                    \
    }
TACIT_API void tacit_shard_opts_init(tacit_shard_opts *opts, size_t size);
/* Reads the rows of `data` as the spec says. `data` is a part of the root's table, opened with the
   same columns in the same order and written in the same format; what its options say of columns,
   persons and missing values counts no more, the spec says it. `data` is borrowed and must outlive
   the shard; it can be used for one shard. In a run with a ledger the sentence of a failure says
   nothing of any row. */
TACIT_API TACIT_CHECKED tacit_status tacit_shard_open(tacit_ctx *ctx, tacit_data *data,
                                                      const uint8_t *spec, size_t bytes,
                                                      const tacit_shard_opts *opts,
                                                      tacit_shard **out);
/* The same for a file that is written as the root's is: nothing needs to be said of it. Not for
   triplets, whose rows may go on in another file, nor with a vocabulary. */
TACIT_API TACIT_CHECKED tacit_status tacit_shard_open_file(tacit_ctx *ctx, const char *path,
                                                           const uint8_t *spec, size_t bytes,
                                                           const tacit_shard_opts *opts,
                                                           tacit_shard **out);
/* With persons all rows of one must be on one shard; tacit_shard_open looks, and refuses. Which
   shard that is, for every row of `data`, which is then used up; -1: nobody's row, which counts
   nowhere. Shards of rows that were put there so say it (parted). numbers: for tacit_free.
   SECRET. */
TACIT_API TACIT_CHECKED tacit_status tacit_shard_numbers(tacit_ctx *ctx, tacit_data *data,
                                                         const uint8_t *spec, size_t bytes,
                                                         int64_t **numbers, int64_t *rows);
/* Places the rows. *receipt, for tacit_free: to be handed in at the root. */
TACIT_API TACIT_CHECKED tacit_status tacit_shard_place(tacit_ctx *ctx, tacit_shard *shard,
                                                       const uint8_t *frames, size_t bytes,
                                                       uint8_t **receipt, size_t *receipt_bytes);
/* SECRET: the exact words of the shard's rows, for tacit_free: to be handed in at the root. The
   same query gives the same answer. A query of other frames than the shard was placed in is
   refused. */
TACIT_API TACIT_CHECKED tacit_status tacit_shard_secret_answer(tacit_ctx *ctx, tacit_shard *shard,
                                                               const uint8_t *query, size_t bytes,
                                                               uint8_t **answer,
                                                               size_t *answer_bytes);
/* SECRET: the shard's placed rows as bytes, for tacit_free; 2 bytes a coordinate, of sparse rows 6
   an entry. They are authenticated, not encrypted. */
TACIT_API TACIT_CHECKED tacit_status tacit_shard_secret_block(tacit_ctx *ctx,
                                                              const tacit_shard *shard,
                                                              uint8_t **block, size_t *block_bytes);
/* A shard that answers and does nothing else. Damaged bytes, or of another run, are refused. */
TACIT_API TACIT_CHECKED tacit_status
tacit_shard_from_secret_block(tacit_ctx *ctx, const uint8_t *spec, size_t spec_bytes,
                              const uint8_t *block, size_t block_bytes, tacit_shard **out);
TACIT_API void tacit_shard_free(tacit_shard *shard);
/* SECRET: answers of different shards to one query as one answer, for tacit_free: fewer bytes for
   the root. One shard twice is refused. */
TACIT_API TACIT_CHECKED tacit_status tacit_secret_answers_combine(
    tacit_ctx *ctx, const uint8_t *spec, size_t spec_bytes, const uint8_t *one, size_t one_bytes,
    const uint8_t *other, size_t other_bytes, uint8_t **answer, size_t *answer_bytes);

/* ---- model: what may leave ------------------------------------------------------------------- */

TACIT_API void tacit_model_free(tacit_model *model);
/* "kmeans", "kmedian", "subspace", "cocluster" */
TACIT_API const char *tacit_model_family(const tacit_model *model);
TACIT_API const char *tacit_model_method(const tacit_model *model); /* its name */
TACIT_API int32_t tacit_model_rounds(const tacit_model *model);
TACIT_API int32_t tacit_model_k(const tacit_model *model);
TACIT_API int32_t tacit_model_column_count(const tacit_model *model);
TACIT_API const char *tacit_model_column_get(const tacit_model *model, int32_t index);

/* A column of the table that the model was made from, and which columns of the model are its: one,
   or of categories one for each, called "region=north" and holding shares that add up to 1. */
typedef struct tacit_feature {
    size_t size;
    const char *name;        /* texts are borrowed from the model */
    const char *kind;        /* "number", "category", "date" (days since 1970-01-01) */
    const char *transform;   /* "none", "log", "log1p", "sqrt" */
    const char *centers_are; /* "mean", "geometric mean", ..., "shares" */
    double weight;
    tacit_missing missing;
    int32_t first, width; /* the model's columns first .. first + width - 1 */
} tacit_feature;

#define TACIT_FEATURE_INIT                                                                         \
    {                                                                                              \
        sizeof(tacit_feature), NULL, NULL, NULL, NULL, 1, TACIT_MISSING_DEFAULT, 0, 0              \
    }
TACIT_API void tacit_feature_init(tacit_feature *feature, size_t size);
TACIT_API int32_t tacit_model_feature_count(const tacit_model *model);
TACIT_API TACIT_CHECKED tacit_status tacit_model_feature_get(const tacit_model *model,
                                                             int32_t index, tacit_feature *out);
/* k x columns, original units; subspaces: NULL */
TACIT_API const double *tacit_model_centers(const tacit_model *model);
/* k x columns: the standard deviation that the privacy noise alone gives each coordinate, taking as
   given which rows went to which center. It tells nothing of how centers would move with other rows
   or another start. Method auto widens it where noise hides more than that, and method grid by the
   size of its boxes. NaN: not known to the method. */
TACIT_API const double *tacit_model_centers_sd(const tacit_model *model);
/* k noisy counts; may be negative; NaN: not known */
TACIT_API const double *tacit_model_sizes(const tacit_model *model);
TACIT_API double tacit_model_sizes_sd(const tacit_model *model); /* NaN: not known to the method */
/* k x columns: how much the rows of a cluster differ in a column, the standard deviation about its
   center, original units; less the noise of the center. Of a column with a transform it is that of
   the transformed values times the slope at the center: about how far rows reach near it, and not
   the standard deviation of the values. NaN: noise drowns it. NULL: not asked for (methods other
   than auto and lloyd, rows of more than 1500 columns, budgets that are too small, older releases).
   Rows far from all centers count as if they were nearer, and what that hides is added as far as
   noisy distances tell. */
TACIT_API const double *tacit_model_spreads(const tacit_model *model);
/* the standard deviation that the privacy noise gives each of them (to first order) */
TACIT_API const double *tacit_model_spreads_sd(const tacit_model *model);

/* All rows together, from the clusters: columns numbers each, borrowed from the model; original
   units. All NULL: sizes are not known, another family, or an older release. */
typedef struct tacit_overall {
    size_t size;
    const double *mean, *mean_sd; /* mean of the centers by size, and the noise in it */
    /* standard deviation of all rows, within clusters and between them, and the noise in it; of a
       column with a transform as tacit_model_spreads, with the slope at the mean; NaN: noise drowns
       it */
    const double *spread, *spread_sd;
} tacit_overall;

#define TACIT_OVERALL_INIT                                                                         \
    {                                                                                              \
        sizeof(tacit_overall), NULL, NULL, NULL, NULL                                              \
    }
TACIT_API void tacit_overall_init(tacit_overall *overall, size_t size);
TACIT_API TACIT_CHECKED tacit_status tacit_model_overall(const tacit_model *model,
                                                         tacit_overall *out);

/* A column in which a cluster is unlike all rows, by more than two standard deviations of the noise
   and a tenth of one of the rows. */
typedef struct tacit_distinct {
    size_t size;
    int32_t column;
    int32_t direction; /* 1: above the mean of all rows; -1: below it */
    double strength;   /* |center - mean of all rows| / standard deviation of all rows */
} tacit_distinct;

#define TACIT_DISTINCT_INIT                                                                        \
    {                                                                                              \
        sizeof(tacit_distinct), 0, 0, 0                                                            \
    }
TACIT_API void tacit_distinct_init(tacit_distinct *distinct, size_t size);
/* How many columns set a cluster apart (0 .. 10), and the one at a place, the clearest first. */
TACIT_API int32_t tacit_model_distinct_count(const tacit_model *model, int32_t cluster);
TACIT_API TACIT_CHECKED tacit_status tacit_model_distinct_get(const tacit_model *model,
                                                              int32_t cluster, int32_t index,
                                                              tacit_distinct *out);
/* Share of the centers' coordinates that lie within a thousandth of the range of a declared bound
   other than a lower one of 0, which most values of sparse rows are; for a ball, of the centers
   that lie within a hundredth of the radius of its surface. Much of it means that the declared
   domain does not fit the rows: values beyond it were moved there. What noise of an eighth of the
   range (for a ball, of a quarter of the radius over all columns) or more may have thrown there
   does not count. */
TACIT_API double tacit_model_share_at_bounds(const tacit_model *model);
/* With TACIT_K_AUTO: for k = 1 .. *count how much clearer k groups are than in a box without any
   that was seen through the same noise: 0 as in a box, 1 perfect. Of subspaces: how well k of them
   describe the noisy answers. NULL and 0 otherwise. */
TACIT_API const double *tacit_model_curve(const tacit_model *model, int32_t *count);

/* How sure a k that was chosen is. */
typedef enum tacit_k_verdict {
    TACIT_K_GIVEN = 0, /* k was not chosen, or by an older version */
    TACIT_K_CLEAR = 1, /* the groups stand apart */
    TACIT_K_WEAK = 2,  /* they overlap: k is a suggestion */
    TACIT_K_NONE = 3,  /* no more grouped than an even cloud: one center was released */
    TACIT_K_NOISY = 4  /* noise hides whether there are groups: one center was released */
} tacit_k_verdict;

typedef struct tacit_k_choice {
    size_t size;
    tacit_k_verdict verdict;
    double strength;   /* of the best k in the curve */
    double needed;     /* what it had to exceed: boxes without groups reach about that */
    int32_t low, high; /* k from low to high do about as well as the best */
    int32_t best;      /* the k that looks best, also where one center was released */
} tacit_k_choice;

#define TACIT_K_CHOICE_INIT                                                                        \
    {                                                                                              \
        sizeof(tacit_k_choice), TACIT_K_GIVEN, 0, 0, 0, 0, 0                                       \
    }
TACIT_API void tacit_k_choice_init(tacit_k_choice *choice, size_t size);
/* TACIT_E_ARGUMENT: k was given, another family, or an older release. */
TACIT_API TACIT_CHECKED tacit_status tacit_model_k_choice(const tacit_model *model,
                                                          tacit_k_choice *out);
/* What a reader should know before trusting the numbers ("centers 3 and 4 are mostly noise"):
   public sentences made from released values. */
TACIT_API int32_t tacit_model_note_count(const tacit_model *model);
TACIT_API const char *tacit_model_note_get(const tacit_model *model, int32_t index);
/* What a note is about, where a program may want to know. */
typedef enum tacit_note_kind {
    TACIT_NOTE_OTHER = 0,
    TACIT_NOTE_NO_GROUPS = 1, /* as far as noise lets tell, the clusters are none */
    TACIT_NOTE_BOUNDS = 2     /* many centers lie on a column's bound */
} tacit_note_kind;
TACIT_API tacit_note_kind tacit_model_note_kind(const tacit_model *model, int32_t index);

/* What was declared about the values, and how distances were measured. */
typedef struct tacit_domain {
    size_t size;
    const double *lower, *upper; /* of each column, borrowed from the model; NULL: a ball */
    const double *center;        /* of the ball; NULL: no ball */
    double radius;
    tacit_scale scale;
    tacit_missing missing;
} tacit_domain;

#define TACIT_DOMAIN_INIT                                                                          \
    {                                                                                              \
        sizeof(tacit_domain), NULL, NULL, NULL, 0, TACIT_SCALE_RANGE, TACIT_MISSING_MIDPOINT       \
    }
TACIT_API void tacit_domain_init(tacit_domain *domain, size_t size);
/* TACIT_E_ARGUMENT: a co-clustering, which has none. */
TACIT_API TACIT_CHECKED tacit_status tacit_model_domain(const tacit_model *model,
                                                        tacit_domain *out);

/* Two releases of k-means or of k-median side by side: which cluster is which, and what changed
   beyond the noise. From released numbers, so it costs nothing. The columns must be the same, in
   any order, and the declared domain; k may differ, up to 1000. */
typedef struct tacit_comparison tacit_comparison;
TACIT_API TACIT_CHECKED tacit_status tacit_model_compare(tacit_ctx *ctx, const tacit_model *first,
                                                         const tacit_model *second,
                                                         tacit_comparison **out);
/* Releases in their order, such as one a month: each is compared with the next and, of more than
   two, at the end the first with the last. `out`: room for count - 1 results, of more than two for
   count; free each. All have one threshold: it holds for all their numbers together. */
TACIT_API TACIT_CHECKED tacit_status tacit_model_compare_series(tacit_ctx *ctx,
                                                                const tacit_model *const *models,
                                                                int32_t count,
                                                                tacit_comparison **out);
TACIT_API void tacit_comparison_free(tacit_comparison *comparison);

/* Clusters that belong together: the pairs with the least sum of squared distances between centers.
   Those that repeat others take no part. */
typedef struct tacit_pair {
    size_t size;
    int32_t first, second;          /* their numbers; -1: without a partner */
    double first_size, second_size; /* noisy rows */
    double size_z;                  /* difference in standard deviations of its noise */
    double distance;                /* of the centers, in the clustered geometry */
} tacit_pair;

#define TACIT_PAIR_INIT                                                                            \
    {                                                                                              \
        sizeof(tacit_pair), -1, -1, NAN, NAN, NAN, NAN                                             \
    }
TACIT_API void tacit_pair_init(tacit_pair *pair, size_t size);
TACIT_API int32_t tacit_comparison_pair_count(const tacit_comparison *comparison);
TACIT_API TACIT_CHECKED tacit_status tacit_comparison_pair_get(const tacit_comparison *comparison,
                                                               int32_t index, tacit_pair *out);

/* A number of a pair that differs by more than the threshold: its size, or a coordinate. */
typedef struct tacit_change {
    size_t size;
    int32_t pair;
    int32_t column; /* of the first release; -1: the size */
    double before, after;
    double z; /* difference in standard deviations of the noise of both */
} tacit_change;

#define TACIT_CHANGE_INIT                                                                          \
    {                                                                                              \
        sizeof(tacit_change), -1, -1, NAN, NAN, NAN                                                \
    }
TACIT_API void tacit_change_init(tacit_change *change, size_t size);
TACIT_API int32_t tacit_comparison_change_count(const tacit_comparison *comparison);
TACIT_API TACIT_CHECKED tacit_status tacit_comparison_change_get(const tacit_comparison *comparison,
                                                                 int32_t index, tacit_change *out);
/* How many numbers were compared, and the |z| above which one counts as changed: at least 3, and so
   large that in 95 of 100 comparisons of the same rows, divided in the same way, none is. */
TACIT_API int64_t tacit_comparison_numbers(const tacit_comparison *comparison);
TACIT_API double tacit_comparison_threshold(const tacit_comparison *comparison);

/* A release of k-means or k-median in another number of clusters, from its noisy cells (method
   auto; other releases, and those without them, from their centers, for a smaller k). No row is
   looked at and nothing is spent: the privacy card is the same. median: non-zero: keep distances
   small, not their squares. More clusters than cells are refused. So is TACIT_K_AUTO: a release
   does not hold what k is chosen by; the message says which numbers its run found good, if k was
   chosen there (tacit_model_k_choice). What is less certain than in a run of its own stands in the
   notes. */
TACIT_API TACIT_CHECKED tacit_status tacit_model_recut(tacit_ctx *ctx, const tacit_model *model,
                                                       int32_t k, int median, tacit_model **out);
/* Synthetic rows from a release of k-means or k-median: a cell by its weight, then every column by
   the cell's mean and spread, within the declared bounds. As private as the release; no row is
   looked at and nothing is spent. *values: rows x tacit_model_feature_count numbers, free with
   tacit_free: in the column's own units; of a date days since 1970-01-01; of a category its place,
   from 0, among the model's columns of that feature. The same seed gives the same rows. Refused for
   other families and for releases that say nothing of how much rows of a cluster differ. */
TACIT_API TACIT_CHECKED tacit_status tacit_model_synthesize(tacit_ctx *ctx,
                                                            const tacit_model *model, int64_t rows,
                                                            uint64_t seed, double **values);
/* How many cells a release holds, the most that it can be cut into; 0: none. */
TACIT_API int32_t tacit_model_cells(const tacit_model *model);
/* What a release was cut from: its k; 0: it was not. */
TACIT_API int32_t tacit_model_cut_from(const tacit_model *model);

/* Models of family "subspace" (the others: NULL or 0). k bases one after the other, each columns x
   q row by row, orthonormal columns in the clustered geometry (columns divided by their scale, if
   there is one); sign and rotation are fixed by a rule. */
TACIT_API int32_t tacit_model_q(const tacit_model *model);
TACIT_API const double *tacit_model_subspaces(const tacit_model *model);
/* affine: k x columns, a point of each; NULL: linear */
TACIT_API const double *tacit_model_offsets(const tacit_model *model);
/* k x q: root mean square of the rows along each column of a basis (affine: from the offset),
   noisy, largest first, in the clustered geometry (declared ranges, or with a ball or without a
   scale the columns' own unit); NULL: was not paid for. */
TACIT_API const double *tacit_model_profile(const tacit_model *model);
/* The drawn assignment of every row (Gibbs); NULL: not released. */
TACIT_API const int32_t *tacit_model_labels(const tacit_model *model, int64_t *rows);
/* Models of family "cocluster" (the others: NULL or 0): tacit_model_k row clusters, l column
   clusters, sizes as far as known. At most as many as were asked for: those without a column are
   left out, but for one if all columns are in "rest". */
TACIT_API int32_t tacit_model_l(const tacit_model *model);
/* What was asked for; with TACIT_K_AUTO: what was chosen. */
TACIT_API void tacit_model_requested(const tacit_model *model, int32_t *row_clusters,
                                     int32_t *column_clusters);
/* Cluster of every column: 0 .. l - 1, or l: "rest", too rare or too uncertain to place. */
TACIT_API const int32_t *tacit_model_column_clusters(const tacit_model *model);
/* Margin of every column's cluster over the next best in standard deviations of the noise; NaN:
   never looked at. NULL: not known to the method. */
TACIT_API const double *tacit_model_column_z(const tacit_model *model);
/* The noisy contingency table, k x width row by row, width l, or l + 1 with "rest" last; may hold
   negative numbers. In counts (TACIT_ENTRY), or in rows: then every row splits a weight of 1 over
   the column clusters as its counts do. */
TACIT_API const double *tacit_model_table(const tacit_model *model, int32_t *width);
/* of the noise on each number; NaN: not known */
TACIT_API double tacit_model_table_sd(const tacit_model *model);
TACIT_API const char *tacit_model_table_unit(const tacit_model *model); /* "counts" or "rows" */
/* Goodman and Kruskal's tau of the table, rows given columns and columns given rows, the noise's
   share taken out. */
TACIT_API void tacit_model_tau(const tacit_model *model, double *rows, double *columns);

/* The privacy card: what the release promises, to whom, what it rests on. Texts are borrowed. */
typedef struct tacit_card {
    size_t size;
    double epsilon, delta; /* NaN: no query was asked, as by a plain solver */
    tacit_neighbors neighbors;
    const char *unit;          /* who is protected: "row", "entry", "person (column NAME)";
                                    NULL: nobody */
    int32_t max_rows_per_unit; /* 1 for rows */
    const char *definition;    /* in which queries add up: "pure", "gaussian", or "alone": one
                                    query that was (epsilon, delta)-private by itself; NULL: none */
    const char *parameter;     /* of that definition: "epsilon", "mu^2", "run"; NULL: none */
    double budget, spent;      /* in that parameter */
    int in_ledger;             /* non-zero: the run was charged to a ledger */
    const char *randomness;    /* where the noise came from */
    const char *paper;         /* what the method rests on */
    const char *version;       /* of the library that made it */
    const char *ledger_run;    /* its name in the ledger's history; NULL: none, or an older file */
} tacit_card;

#define TACIT_CARD_INIT                                                                            \
    {                                                                                              \
        sizeof(tacit_card), NAN, NAN, TACIT_ADD_REMOVE, NULL, 0, NULL, NULL, 0, 0, 0, NULL, NULL,  \
            NULL, NULL                                                                             \
    }
TACIT_API void tacit_card_init(tacit_card *card, size_t size);
TACIT_API TACIT_CHECKED tacit_status tacit_model_card(const tacit_model *model, tacit_card *out);

/* Every query that was asked, in its order. Texts are borrowed from the model. */
typedef struct tacit_query_info {
    size_t size;
    const char *kind;         /* "count", "histogram", "sums", "moments", "selection", ... */
    const char *what;         /* what it was for, in a few words */
    const char *distribution; /* of the noise, or of the choice: "discrete Gaussian", ... */
    double scale;             /* sigma or Laplace scale, in grid units; selections: epsilon */
    double sensitivity;       /* L2 or L1, in grid units; selections: the range of scores */
    double share;             /* cost as a share of the card's budget; batches do not add up */
    int64_t answers;          /* numbers that it gave */
    int32_t batch;            /* the part of the rows that was asked; -1: all of them */
} tacit_query_info;

#define TACIT_QUERY_INFO_INIT                                                                      \
    {                                                                                              \
        sizeof(tacit_query_info), NULL, NULL, NULL, 0, 0, 0, 0, -1                                 \
    }
TACIT_API void tacit_query_info_init(tacit_query_info *info, size_t size);
TACIT_API int32_t tacit_model_query_count(const tacit_model *model);
TACIT_API TACIT_CHECKED tacit_status tacit_model_query_get(const tacit_model *model, int32_t index,
                                                           tacit_query_info *out);

/* The promise in one sentence; its last words say what it rests on: "proved", or less ("asymptotic
   guarantee only"). */
TACIT_API const char *tacit_model_guarantee(const tacit_model *model);
/* 0: made with an insecure test seed, or by something that looks at rows without paying; then the
   next call says why, in half a sentence. */
TACIT_API int tacit_model_is_private(const tacit_model *model);
TACIT_API const char *tacit_model_why_not_private(const tacit_model *model);

/* The release as JSON text, or written to a file: complete or not at all. A ledger, its journal and
   a file that has a ledger beside it are never written over (TACIT_E_WRITE). Reading: "-" is
   standard input. */
TACIT_API TACIT_CHECKED tacit_status tacit_model_json(tacit_ctx *ctx, const tacit_model *model,
                                                      char **out);
TACIT_API TACIT_CHECKED tacit_status tacit_model_write(tacit_ctx *ctx, const tacit_model *model,
                                                       const char *path);
TACIT_API TACIT_CHECKED tacit_status tacit_model_read(tacit_ctx *ctx, const char *path,
                                                      tacit_model **out);
/* The same from JSON text. */
TACIT_API TACIT_CHECKED tacit_status tacit_model_parse(tacit_ctx *ctx, const char *json,
                                                       tacit_model **out);
/* The release as a page for people: one self-contained HTML file that fetches nothing. Made from
   the release alone, so as private as it. Where it has a synopsis, the page also shows other
   numbers of clusters (tacit_model_recut). */
TACIT_API TACIT_CHECKED tacit_status tacit_model_html(tacit_ctx *ctx, const tacit_model *model,
                                                      char **out);
/* The same about two releases or more, in their order: which clusters belong together and what
   changed beyond the noise (tacit_model_compare_series; tacit_model_compare says what can be
   compared). */
TACIT_API TACIT_CHECKED tacit_status tacit_comparison_html(tacit_ctx *ctx,
                                                           const tacit_model *const *models,
                                                           int32_t count, char **out);
/* Names of columns, notes and reasons are whatever the maker of a file wrote. Before one is shown
   to a person: in place, control characters, marks that are not seen or turn the direction of
   writing, ends of lines and bytes that are not UTF-8 become '?', so that it is one line that
   stands as it is. Sentences of tacit_ctx_message are so already; the texts of a model are not. */
TACIT_API void tacit_text_make_plain(char *text);

/* ---- with the rows in hand: for the data owner, NOT private ---------------------------------- */

/* The nearest released center (subspace) of every row; of a co-clustering the row cluster that the
   released rule gives. Rows of a file that states row numbers come in the order of these: where
   single entries were protected or a shape declares the rows, empty ones too; named rows come in
   the order in which the file first names them. What a row lacks does not count, unless a rule puts
   something there; a row that lacks every value has -1. A label tells about its row: keep labels
   with the rows. */
TACIT_API TACIT_CHECKED tacit_status tacit_model_predict(tacit_ctx *ctx, const tacit_model *model,
                                                         tacit_data *data, int32_t **labels,
                                                         int64_t *rows);
/* How far every row is from each released center (subspace): rows x k numbers, in the clustered
   geometry; what a row lacks does not count. Not for co-clusterings. As for labels: keep them with
   the rows. */
TACIT_API TACIT_CHECKED tacit_status tacit_model_distances(tacit_ctx *ctx, const tacit_model *model,
                                                           tacit_data *data, double **distances,
                                                           int64_t *rows);
/* What the id column says of a row once the rows were read; "": nothing. Lives until the next call
   for the same data. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_row_id(tacit_ctx *ctx, tacit_data *data,
                                                       int64_t row, const char **out);

typedef struct tacit_evaluation {
    size_t size;
    int64_t rows;
    double cost;          /* k-means: mean squared distance to the nearest center; k-median: mean
                               distance; subspaces: mean squared distance to the nearest subspace;
                               in the clustered geometry */
    double plain_cost;    /* the same for plain k-means, k-median or k-plane (best of `restarts`),
                               NaN if not asked for */
    double one_mean_cost; /* the same for the single mean (median) of all rows, or the one
                               subspace of their principal components: what doing nothing costs */
    double nmi, ari;      /* against the label column; NaN without one */
    double clipped;       /* share of rows outside the declared domain */
    /* Co-clusterings: tau of the exact table of counts by predicted row clusters and released
       column clusters, both directions, and before division by its largest value; cost above is
       1 - tau_rows, plain_cost the same of plain Fast-tauCC that starts from as many clusters as
       the release was asked for. NaN: another family. */
    double tau_rows, tau_columns, raw_tau_rows, raw_tau_columns;
    double labels_nmi, labels_ari; /* of the private labels in the release against the label column;
                               NaN: none */
} tacit_evaluation;

#define TACIT_EVALUATION_INIT                                                                      \
    {                                                                                              \
        sizeof(tacit_evaluation), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0                            \
    }
TACIT_API void tacit_evaluation_init(tacit_evaluation *evaluation, size_t size);
/* The share of rows whose value lies outside the declared bounds, for each column of the model
   (share: as many numbers). Exact, so not private. TACIT_E_ARGUMENT: a ball, another family than
   centers or subspaces, or rows that stay sparse. */
TACIT_API TACIT_CHECKED tacit_status tacit_model_clipped(tacit_ctx *ctx, const tacit_model *model,
                                                         tacit_data *data, double *share);
/* restarts > 0 also runs plain k-means (k-median, k-plane, Fast-tauCC: as the model is) that often,
   for comparison. Exact, so not private: never publish it. */
TACIT_API TACIT_CHECKED tacit_status tacit_model_evaluate(tacit_ctx *ctx, const tacit_model *model,
                                                          tacit_data *data, int32_t restarts,
                                                          tacit_evaluation *out);

/* ---- synthetic data, for examples and tests -------------------------------------------------- */

/* Rows of Gaussian clusters in the box [0, 1] of every column. Synthetic rows are nobody's: a seed
   is fine here. */
typedef struct tacit_synthetic_mixture_opts {
    size_t size;
    int64_t rows;              /* starts as 10000 */
    int32_t columns, clusters; /* starts as 2, 5 */
    double spread;             /* standard deviation of a cluster per coordinate; 0 .. 1, starts as
                                  0.05 */
    uint64_t seed;             /* starts as 1 */
} tacit_synthetic_mixture_opts;

#define TACIT_SYNTHETIC_MIXTURE_OPTS_INIT                                                          \
    {                                                                                              \
        sizeof(tacit_synthetic_mixture_opts), 10000, 2, 5, 0.05, 1                                 \
    }
TACIT_API void tacit_synthetic_mixture_opts_init(tacit_synthetic_mixture_opts *opts, size_t size);
/* values: rows x columns; labels: rows. */
TACIT_API TACIT_CHECKED tacit_status tacit_synthetic_mixture(
    tacit_ctx *ctx, const tacit_synthetic_mixture_opts *opts, double **values, int32_t **labels);

/* Rows near subspaces through the origin (the synthetic rows of Wang, Wang & Singh 2015): even on
   the unit sphere of a random subspace, plus normal noise. Noise makes half of the rows longer
   than 1: a declared ball of radius 1 pulls them back, one of 1.1 holds them where noise is what it
   starts as. */
typedef struct tacit_synthetic_subspaces_opts {
    size_t size;
    int64_t rows;      /* starts as 10000 */
    int32_t columns;   /* starts as 5 */
    int32_t subspaces; /* 1 .. 1000, starts as 3 */
    int32_t dimension; /* below columns; starts as 3 */
    double noise;      /* standard deviation per column; 0 .. 1000, starts as 0.01 */
    uint64_t seed;     /* starts as 1 */
} tacit_synthetic_subspaces_opts;

#define TACIT_SYNTHETIC_SUBSPACES_OPTS_INIT                                                        \
    {                                                                                              \
        sizeof(tacit_synthetic_subspaces_opts), 10000, 5, 3, 3, 0.01, 1                            \
    }
TACIT_API void tacit_synthetic_subspaces_opts_init(tacit_synthetic_subspaces_opts *opts,
                                                   size_t size);
/* As above; truth: the subspaces as a model, which says that it is not private, for
   tacit_subspace_distance; NULL: not wanted. */
TACIT_API TACIT_CHECKED tacit_status
tacit_synthetic_subspaces(tacit_ctx *ctx, const tacit_synthetic_subspaces_opts *opts,
                          double **values, int32_t **labels, tacit_model **truth);

/* A table of counts with planted blocks: row i is of row cluster i mod row_clusters, column j of
   column cluster j mod column_clusters. A row holds 1 + Poisson(mean - 1) counts of 1, equal ones
   added up: the share `contrast` of them in the two column clusters that its row cluster prefers
   (twice as often the first), the others anywhere; low columns are likelier than high ones, as
   frequent words are. Rows are drawn one after the other and never all held: any number of entries
   will do. */
typedef struct tacit_synthetic_counts_opts {
    size_t size;
    int64_t rows;            /* starts as 20000 */
    int32_t columns;         /* starts as 200 */
    int32_t row_clusters;    /* at most rows; starts as 4 */
    int32_t column_clusters; /* at most columns; starts as 4 */
    double mean;             /* counts in a row, 1 .. 1e6; starts as 50 */
    double contrast;         /* 0: no blocks; 1: a row has nothing but its own; 0 .. 1, starts as
                                0.75 */
    uint64_t seed;           /* starts as 1 */
} tacit_synthetic_counts_opts;

#define TACIT_SYNTHETIC_COUNTS_OPTS_INIT                                                           \
    {                                                                                              \
        sizeof(tacit_synthetic_counts_opts), 20000, 200, 4, 4, 50, 0.75, 1                         \
    }
TACIT_API void tacit_synthetic_counts_opts_init(tacit_synthetic_counts_opts *opts, size_t size);
/* One row: its cluster and its entries, columns ascending from 0, counts above 0. Non-zero stops
   the work with TACIT_E_CANCELLED. */
typedef int (*tacit_synthetic_counts_fn)(int64_t row, int32_t cluster, const int32_t *column,
                                         const int32_t *count, int32_t entries, void *payload);
/* Calls `each` for every row in order. */
TACIT_API TACIT_CHECKED tacit_status tacit_synthetic_counts(tacit_ctx *ctx,
                                                            const tacit_synthetic_counts_opts *opts,
                                                            tacit_synthetic_counts_fn each,
                                                            void *payload);

/* ---- audit: tacit attacked by tacit ---------------------------------------------------------- */

/* What can be attacked: every method of every family. */
typedef struct tacit_audit_target {
    size_t size;
    const char *family;    /* "kmeans", "kmedian", "subspace", "cocluster" */
    const char *name;      /* of the method */
    int32_t method;        /* its number */
    int pure, approximate; /* non-zero: takes delta = 0, delta > 0 */
    int rows, entry;       /* non-zero: protects whole rows, single entries */
} tacit_audit_target;

#define TACIT_AUDIT_TARGET_INIT                                                                    \
    {                                                                                              \
        sizeof(tacit_audit_target), NULL, NULL, 0, 0, 0, 0, 0                                      \
    }
TACIT_API void tacit_audit_target_init(tacit_audit_target *target, size_t size);
TACIT_API int32_t tacit_audit_target_count(void);
TACIT_API TACIT_CHECKED tacit_status tacit_audit_target_get(int32_t index, tacit_audit_target *out);

typedef struct tacit_audit_opts {
    size_t size;
    const char *family;
    int32_t method;
    double epsilon; /* the claim: 1e-6 .. 1000; starts as NAN, which is refused */
    double delta;   /* 1e-30 .. 0.1, or 0 */
    tacit_neighbors neighbors;
    int64_t runs;        /* on each of the two data sets, 20 .. 100000000; starts as 2000 */
    double confidence;   /* of a violation that is reported: 0.5 .. 1 - 1e-12; starts as 0.999 */
    uint64_t seed;       /* of the rows that are made; the noise is always fresh; starts as
                                  1 */
    double noise_factor; /* to test the audit itself: noise times this, and epsilon of what is
                                  drawn divided by it, 0 .. 1; starts as 1 */
} tacit_audit_opts;

#define TACIT_AUDIT_OPTS_INIT                                                                      \
    {                                                                                              \
        sizeof(tacit_audit_opts), NULL, 0, NAN, 0, TACIT_ADD_REMOVE, 2000, 0.999, 1, 1             \
    }
TACIT_API void tacit_audit_opts_init(tacit_audit_opts *opts, size_t size);

typedef struct tacit_audit_report {
    size_t size;
    int violation;          /* non-zero: found. 0 is no proof that there is none */
    double epsilon, delta;  /* claimed */
    double measured;        /* a lower bound of the true epsilon at this delta; 0: nothing was
                                  learned */
    double mu, mu_measured; /* the same on the Gaussian curve: of what the queries were charged,
                                  and measured; NaN: of no use */
    double confidence;
    int64_t runs, pairs; /* runs a side; runs that were replayed on the neighbor */
    double seconds;
    int64_t queries; /* the most queries that one run asked ... */
    int64_t blind;   /* ... and of them those of kinds whose distribution the attack does
                                  not evaluate */
    char blind_kinds[128];
    int64_t other_queries; /* pairs in which a query, its price or its parameters depended on
                                  the rows, ... */
    int64_t too_far;       /* ... an exact answer moved by more than the declared
                                  sensitivity, ... */
    int64_t other_release; /* ... or the release did not follow from the noisy answers: each one
                                  is a violation */
    char attack[160];      /* what told the two apart best */
    char verdict[256];
    int64_t underpaid; /* runs in which a query was worth more than its price, or all of
                                  them more than the claim: a violation */
    double noise;      /* size of the noise that was added, as a multiple of what the
                                  receipts say: the most likely; NaN: none seen */
    double evidence;   /* log10 of an e-value that noise is smaller than the receipts say,
                                  draws sharper, or noise repeated; a violation at
                                  log10(10 / (1 - confidence)) */
    int64_t untested;  /* queries of a run that add nothing to it */
} tacit_audit_report;

#define TACIT_AUDIT_REPORT_INIT                                                                    \
    {                                                                                              \
        sizeof(tacit_audit_report), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "", 0, 0, 0, "", "", 0, 0, \
            0, 0                                                                                   \
    }
TACIT_API void tacit_audit_report_init(tacit_audit_report *report, size_t size);
/* Attacks a method on rows that the audit makes itself: neighboring data sets that are hard to
   hide from each other, fresh noise, the likelihood ratio of all answers, replayed on the
   neighbor. TACIT_OK whether or not a violation is found; TACIT_E_ARGUMENT if the method does not
   serve such a budget. Uses all threads of the ctx. */
TACIT_API TACIT_CHECKED tacit_status tacit_audit_run(tacit_ctx *ctx, const tacit_audit_opts *opts,
                                                     tacit_audit_report *out);

/* What a program put out when it ran on some rows. */
typedef struct tacit_audit_output {
    size_t size;      /* the same in all outputs of an array: the distance between them */
    const char *text; /* length bytes, of any kind */
    size_t length;
    int code; /* exit code, or anything else that says how it ended */
} tacit_audit_output;

#define TACIT_AUDIT_OUTPUT_INIT                                                                    \
    {                                                                                              \
        sizeof(tacit_audit_output), NULL, 0, 0                                                     \
    }
TACIT_API void tacit_audit_output_init(tacit_audit_output *output, size_t size);
/* The same for any program, from outputs on two neighboring data sets, opts.runs of each: learns
   on the first half what tells them apart, and certifies it on the other half. Of opts counts what
   is claimed, runs and confidence. */
TACIT_API TACIT_CHECKED tacit_status tacit_audit_compare(tacit_ctx *ctx,
                                                         const tacit_audit_opts *opts,
                                                         const tacit_audit_output *first,
                                                         const tacit_audit_output *second,
                                                         tacit_audit_report *out);

#ifdef __cplusplus
}
#endif
#endif
