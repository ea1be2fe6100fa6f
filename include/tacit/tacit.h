/* SPDX-License-Identifier: Apache-2.0 */
/* tacit: differentially private clustering.
 *
 * This header is the manual. The walk through the library is always the same:
 *
 *     tacit_ctx     one per thread: holds the last error sentence, threads, progress
 *     tacit_data    rows about people: opened, never looked at by you or by an algorithm
 *     tacit_budget  what may be spent, on which neighbours, from which ledger: no defaults
 *     tacit_kmeans  asks the rows a few bounded, noised, charged questions
 *     tacit_model   what may leave: centres, noisy sizes and a privacy card
 *
 *     tacit_ctx *ctx = NULL;
 *     tacit_data *data = NULL;
 *     tacit_model *model = NULL;
 *     tacit_budget budget;
 *     tacit_kmeans_opts opts;
 *
 *     tacit_budget_init(&budget, sizeof budget);
 *     tacit_kmeans_opts_init(&opts, sizeof opts);
 *     budget.epsilon = 1; budget.delta = 1e-6; opts.k = 5;
 *     if (tacit_ctx_new(&ctx) || tacit_data_open(ctx, "patients.csv", NULL, &data) ||
 *         tacit_data_declare_bounds(ctx, data, "age=0:120,stay=0:60") ||
 *         tacit_kmeans(ctx, data, &budget, &opts, &model) ||
 *         tacit_model_write(ctx, model, "segments.json"))
 *         fprintf(stderr, "%s\n", tacit_ctx_message(ctx));
 *     tacit_model_free(model); tacit_data_free(data); tacit_ctx_free(ctx);
 *
 * Conventions
 * - A function that can fail returns a tacit_status; the sentence that explains it (which file, column
 *   or option, why, how to mend it; never a data value) is tacit_ctx_message(ctx).
 * - A pointer-to-pointer output is yours to free with the matching _free; it is NULL after a failure.
 *   A returned const pointer is borrowed and lives as long as the handle it came from. _free(NULL) is fine.
 * - An options struct starts with `size`; call its _init with sizeof, then set fields. New fields are only
 *   ever appended, so an old program runs on a newer library.
 * - The library never prints, never exits, installs no signal handler and keeps no global state. A ctx and
 *   what was made with it belong to one thread at a time; different ctx are independent. A tacit_data alone
 *   may be shared: once it is opened and described, runs and plans of several threads may use it at the same
 *   time, each with its own ctx (and ledger handle). Its rows are read once, the way the first run wants them.
 * - After a fork the child must make its own ctx and data: noise is never drawn from an inherited key.
 */
#ifndef TACIT_TACIT_H
#define TACIT_TACIT_H

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

#define TACIT_VERSION "0.1.0"

/* ---- status ------------------------------------------------------------------------------------------- */

typedef enum tacit_status {
#define TACIT_STATUS_(number, symbol, exit_code, sentence) TACIT_##symbol = number,
#include <tacit/status.def>
#undef TACIT_STATUS_
    TACIT_STATUS_END_ = 1000
} tacit_status;

TACIT_API const char *tacit_version(void);
TACIT_API const char *tacit_status_text(tacit_status status); /* the general sentence of a status */
TACIT_API int tacit_status_exit(tacit_status status);         /* the command's exit code for it */

/* ---- context ------------------------------------------------------------------------------------------ */

typedef struct tacit_ctx tacit_ctx;

/* Called between steps of long work with `done` in [0, 1], on the ctx's own thread. How often it is called tells how much
   there is to do, and so about the number of rows, as run time does: it is for whoever runs the work. */
typedef void (*tacit_progress_fn)(void *payload, const char *step, double done);

TACIT_API TACIT_CHECKED tacit_status tacit_ctx_new(tacit_ctx **out);
TACIT_API void tacit_ctx_free(tacit_ctx *ctx);
TACIT_API const char *tacit_ctx_message(const tacit_ctx *ctx); /* of the last call that failed */
TACIT_API TACIT_CHECKED tacit_status tacit_ctx_set_threads(tacit_ctx *ctx, int threads); /* 0: all cores */
TACIT_API void tacit_ctx_set_progress(tacit_ctx *ctx, tacit_progress_fn show, void *payload);
/* Ask running work to stop soon with TACIT_E_CANCELLED. For good: later work needs a new ctx. May be called from a
   signal handler. */
TACIT_API void tacit_ctx_cancel(tacit_ctx *ctx);

/* ---- data: rows about people -------------------------------------------------------------------------- */

typedef struct tacit_data tacit_data;
typedef struct tacit_declaration tacit_declaration; /* what a table is, said once by its owner; see below */

typedef enum tacit_format {
    TACIT_FORMAT_AUTO = 0, /* by the ending: .csv .tsv .tab .npy .mtx .libsvm .svm; stdin: CSV unless it is NPY */
    TACIT_FORMAT_CSV = 1,
    TACIT_FORMAT_TSV = 2,
    TACIT_FORMAT_NPY = 3,
    TACIT_FORMAT_MATRIX_MARKET = 4,
    TACIT_FORMAT_TRIPLETS = 5, /* CSV with the header row,col,count */
    TACIT_FORMAT_LIBSVM = 6
} tacit_format;

/* What a missing or non-finite value becomes. The rule is fixed before a row is read. */
typedef enum tacit_missing {
    TACIT_MISSING_MIDPOINT = 0,    /* the middle of the column's declared range; in rows that stay sparse 0; of linear
                                      subspaces 0 too */
    TACIT_MISSING_REJECT_FILE = 1  /* refuse the file; the refusal itself tells that a value was missing */
} tacit_missing;

typedef struct tacit_data_opts {
    size_t size;
    tacit_format format;
    const char *columns;      /* comma-separated names (or 1-based numbers) to use, quoted as in CSV where a name holds a
                                 comma; NULL: all others */
    const char *label_column; /* set aside: used by tacit_evaluate only; NULL: none */
    const char *unit_column;  /* names the person who owns a row; rows without a name are left out; NULL: each row is
                                 its own person */
    tacit_missing missing;
    /* Sparse formats: what the file does not state, declared from knowledge of the subject. */
    int64_t shape_rows;       /* rows, empty ones too: counts under TACIT_ENTRY, where it is public; 0: as the file shows */
    int32_t shape_columns;    /* columns; 0: as the file shows, which then counts as public */
    const char *vocabulary;   /* path of a text file with one column name a line, in their order: the columns are these, and
                                 entries of others are left out; NULL: numbered columns */
    const char *id_column;    /* CSV, TSV and triplets: set aside and kept as text, for tacit_data_row_id; of triplets "row" will do.
                                 Not beside a label column. NULL: none is kept */
    const tacit_declaration *declaration; /* what the table is, said by its owner (copied); NULL: what is said here. Options beside it
                                 that say otherwise are refused; without `columns` all declared features are used, and the declared
                                 domain is set */
    int descriptor;           /* above 0: the file, opened by you and yours to close after the handle; path then only names it */
    int vocabulary_descriptor; /* the same for the vocabulary */
} tacit_data_opts;

TACIT_API void tacit_data_opts_init(tacit_data_opts *opts, size_t size);

/* Open a file ("-": standard input) and read its header only: column names, types, shape. Rows are read
   when a run has reserved its budget. LIBSVM and triplets do not state how many columns they have: their column
   indices are read here to find out, and that number counts as public. After a failed read the handle is used up:
   open the file again. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_open(tacit_ctx *ctx, const char *path,
                                                     const tacit_data_opts *opts, tacit_data **out);

typedef enum tacit_type {
    TACIT_F64 = 0, TACIT_F32 = 1,
    TACIT_I8 = 2, TACIT_U8 = 3, TACIT_I16 = 4, TACIT_U16 = 5,
    TACIT_I32 = 6, TACIT_U32 = 7, TACIT_I64 = 8, TACIT_U64 = 9
} tacit_type;

/* Rows already in memory, row-major, borrowed: they must outlive the handle and stay unchanged. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_from_memory(tacit_ctx *ctx, const void *values, tacit_type type,
                                                            int64_t rows, int32_t columns, tacit_data **out);
/* Sparse rows in memory (CSR), borrowed: row i holds entries start[i] .. start[i+1]-1, in any order, no column twice.
   Sparse rows (these, Matrix Market, triplets, LIBSVM) of up to 1500 columns are made dense for a run, 2 bytes a value, and
   every method takes them. Wider ones stay sparse, about 6 bytes an entry and 8 a row: absent and missing values are 0, the
   domain must be a ball about the origin (best: bounds cost noise for every column) or bounds that hold 0, and
   TACIT_KMEANS_AUTO is the method. Co-clustering takes all of them sparse, needs no domain, and wants counts: whole numbers,
   0 .. 2^31 - 1. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_from_csr(tacit_ctx *ctx, const int64_t *start,
                                                         const int32_t *column, const double *value,
                                                         int64_t rows, int32_t columns, tacit_data **out);
TACIT_API void tacit_data_free(tacit_data *data);

/* What a file says of itself, for rows in memory. Names of the columns (copied): one for each, none empty, all different;
   without them they are c1, c2, ... */
TACIT_API TACIT_CHECKED tacit_status tacit_data_set_columns(tacit_ctx *ctx, tacit_data *data, const char *const *names);
/* Whose row it is: one number per row, borrowed; equal for rows of the same person, below 0 for nobody's, which is left out.
   The run then protects persons, as with a unit column. name: what the card and the ledger call them; NULL: "person". */
TACIT_API TACIT_CHECKED tacit_status tacit_data_set_units(tacit_ctx *ctx, tacit_data *data, const int64_t *units,
                                                          const char *name);
/* Known classes, one number per row, borrowed: for tacit_evaluate only. A file without a label column takes them once its rows were
   read, as by tacit_predict, which also tells how many there are. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_set_labels(tacit_ctx *ctx, tacit_data *data, const int64_t *labels);


TACIT_API int32_t tacit_data_columns(const tacit_data *data);
TACIT_API const char *tacit_data_column(const tacit_data *data, int32_t index); /* NULL: out of range */

/* Declare what values are possible. Never read from the rows: state it from knowledge of the subject.
   Bounds and centres up to 1e100 in size; ranges and radii from 1e-100.
   Either one lower and upper bound per column (values outside are moved to the bound), ... */
TACIT_API TACIT_CHECKED tacit_status tacit_data_set_bounds(tacit_ctx *ctx, tacit_data *data, const double *lower,
                                                           const double *upper);
/* ... the same as text: "0:1" for all columns, "age=0:120,stay=0:60", or the path of a CSV file with the
   header column,lower,upper; every used column must be named, ... */
TACIT_API TACIT_CHECKED tacit_status tacit_data_declare_bounds(tacit_ctx *ctx, tacit_data *data,
                                                               const char *text_or_path);
/* ... or a ball: rows further than `radius` from `center` (NULL: the origin) are pulled onto its surface. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_set_ball(tacit_ctx *ctx, tacit_data *data, const double *center,
                                                         double radius);

/* ---- declaration: what a table is --------------------------------------------------------------------- */

typedef enum tacit_neighbours {
    TACIT_ADD_REMOVE = 0, /* data sets that differ by one person more or less; the number of rows is private */
    TACIT_REPLACE = 1,    /* data sets that differ in what one person's rows say */
    TACIT_ENTRY = 2       /* tables of counts that differ by 1 in one entry; rows and columns are public. Co-clustering only. It
                             protects one purchase, one word: not the person whose row it is */
} tacit_neighbours;

/* Format, columns with their roles and ranges, whose rows they are and how many of one person count, what is protected, the rule for
   missing values, shape and vocabulary: said once, by the owner, and never read from rows. As a file it is a Frictionless Table Schema
   (JSON) with keys of our own under "tacit"; `tacit declare` writes one to fill in. A vocabulary's path is relative to it. */
TACIT_API TACIT_CHECKED tacit_status tacit_declaration_read(tacit_ctx *ctx, const char *path, tacit_declaration **out);
TACIT_API TACIT_CHECKED tacit_status tacit_declaration_parse(tacit_ctx *ctx, const char *json, tacit_declaration **out);
TACIT_API void tacit_declaration_free(tacit_declaration *declaration);
/* The declaration of opened data: the one it was opened by, or what its options, names, units and domain say. It is bound to the header
   of the file (names, order, format, delimiter), as a ledger needs it. neighbours and max_rows_per_unit count for data that was opened
   without a declaration. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_declaration(tacit_ctx *ctx, const tacit_data *data, tacit_neighbours neighbours,
                                                            int32_t max_rows_per_unit, tacit_declaration **out);
/* As JSON text, the same bytes for the same declaration (free with tacit_text_free). */
TACIT_API TACIT_CHECKED tacit_status tacit_declaration_json(tacit_ctx *ctx, const tacit_declaration *declaration, char **out);
/* A declaration of a file to fill in, as JSON text, from its header alone. */
TACIT_API TACIT_CHECKED tacit_status tacit_declaration_template(tacit_ctx *ctx, const char *path, tacit_format format, char **out);

typedef struct tacit_declaration_summary {
    size_t size;
    tacit_format format;          /* TACIT_FORMAT_AUTO: not said, or rows in memory */
    tacit_neighbours neighbours;
    const char *unit_column;      /* NULL: single rows; texts are borrowed from the declaration */
    int32_t max_rows_per_unit;    /* 0: not said */
    tacit_missing missing;
    int has_bounds;               /* non-zero: features have ranges */
    double radius;                /* of a ball; 0: none */
    int64_t shape_rows;           /* 0: not said */
    int32_t shape_columns;
    const char *vocabulary;       /* path; NULL: none, or the words themselves: */
    int has_words;
    const char *id_column;        /* the first column of role id; NULL: none */
} tacit_declaration_summary;

TACIT_API void tacit_declaration_summary_init(tacit_declaration_summary *summary, size_t size);
TACIT_API TACIT_CHECKED tacit_status tacit_declaration_get(tacit_ctx *ctx, const tacit_declaration *declaration,
                                                           tacit_declaration_summary *out);

/* Does a declaration that somebody holds, a schema say, agree with one that is bound? TACIT_E_DECLARED names what differs. */
TACIT_API TACIT_CHECKED tacit_status tacit_declaration_compare(tacit_ctx *ctx, const tacit_declaration *given,
                                                               const tacit_declaration *bound);

/* ---- ledger: what a data set has spent ---------------------------------------------------------------- */

typedef struct tacit_ledger tacit_ledger;

/* Create the ledger of one data set with a budget for all runs ever. delta = 0: pure runs only, epsilons
   add up. delta > 0: runs add up on the exact Gaussian curve. Refuses to overwrite.
   declaration: what the data set is, as tacit_data_declaration gives it; it becomes part of the ledger's chain. Budgets about different
   things do not add up, so a run takes from a ledger only if its data and its neighbours are what was declared: format, header, unit
   column, rows per person, domain, rule for missing values, shape, vocabulary. Columns may be any of the declared features. Anything else
   is TACIT_E_DECLARED, before a row is read. */
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_create(tacit_ctx *ctx, const char *path, const char *dataset,
                                                         double epsilon, double delta, const tacit_declaration *declaration);
/* The same, beginning with all that the ledger `old` has spent, exactly: for a ledger of an earlier version, or to declare anew. The new
   budget must cover it, be pure or not as the old one is, and be about the same unit and neighbours. Where path is old itself, the new
   ledger takes its place at once: there is never none, nor one that has forgotten. */
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_carry(tacit_ctx *ctx, const char *path, const char *dataset, double epsilon,
                                                        double delta, const tacit_declaration *declaration, const char *old);
/* What the ledger was made for: a copy, yours to free. */
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_declaration(tacit_ctx *ctx, const tacit_ledger *ledger, tacit_declaration **out);
/* The owner is about to look at rows without paying (tacit_predict, tacit_evaluate, a plain solver): notes it in the history, durably.
   what: in a few words. */
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_note_owner(tacit_ctx *ctx, tacit_ledger *ledger, const char *what);
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_open(tacit_ctx *ctx, const char *path, tacit_ledger **out);
TACIT_API void tacit_ledger_free(tacit_ledger *ledger);

typedef struct tacit_ledger_summary {
    size_t size;
    double epsilon, delta;       /* the whole budget */
    double spent;                /* share of it already spent or reserved, in [0, 1], rounded up */
    double epsilon_left;         /* the largest epsilon one more run could ask for, at delta_left */
    double delta_left;
    int64_t runs;                /* reservations that count as spent */
    char dataset[256];
    char unit_column[256];       /* "": the budget is about single rows */
    tacit_neighbours neighbours;
} tacit_ledger_summary;

TACIT_API void tacit_ledger_summary_init(tacit_ledger_summary *summary, size_t size);
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_summarise(tacit_ctx *ctx, tacit_ledger *ledger,
                                                            tacit_ledger_summary *out);

typedef struct tacit_ledger_entry {
    size_t size;
    int64_t sequence;
    const char *kind;            /* "open", "carry", "reserve", "commit", "void", "owner" */
    const char *run;             /* hexadecimal run id, the same on every entry of a run */
    const char *time;            /* UTC, ISO 8601 */
    const char *what;            /* the run in a few words, e.g. "kmeans lloyd k=5" */
    double epsilon, delta;       /* what the run asked for */
    double share;                /* of the whole budget, rounded up; only a reserve and a carry have one */
} tacit_ledger_entry;

/* Calls `each` for every entry from the first; stops early if it returns non-zero. Checks the hash chain. */
TACIT_API TACIT_CHECKED tacit_status tacit_ledger_history(tacit_ctx *ctx, tacit_ledger *ledger,
                                                          int (*each)(void *payload, const tacit_ledger_entry *),
                                                          void *payload);

/* ---- budget: what a run may spend --------------------------------------------------------------------- */

typedef struct tacit_budget {
    size_t size;
    double epsilon;                /* 1e-6 .. 1000; starts as NaN: a run that names no budget is refused */
    double delta;                  /* 0: pure differential privacy; or 1e-30 .. 0.1 */
    tacit_neighbours neighbours;
    int32_t max_rows_per_unit;     /* with a unit column: rows kept per person; 0 refuses the run */
    tacit_ledger *ledger;          /* NULL: none; otherwise the run reserves from it before reading a row, and once a row was read the
                                      reservation stays spent, whatever happens. Values that are no numbers are missing then, and a
                                      file that cannot be read is refused without saying where */
    int use_insecure_test_seed;    /* non-zero: noise from the seed below; the release says "not private"; no ledger */
    uint64_t insecure_test_seed;
    int as_owner;                  /* with a ledger, non-zero: the owner runs it, which its history notes. Refusals then say where, and
                                      TACIT_MISSING_REJECT_FILE may be asked for */
} tacit_budget;

TACIT_API void tacit_budget_init(tacit_budget *budget, size_t size);

/* ---- k-means ------------------------------------------------------------------------------------------ */

typedef struct tacit_model tacit_model;
typedef struct tacit_plan tacit_plan;

/* Every method of k-means and k-median. tacit_kmeans_method_get tells the paper and the guarantee of each; in all of them
   the unit is as in the budget, and delta = 0 means pure differential privacy. */
typedef enum tacit_kmeans_method {
    TACIT_KMEANS_AUTO = 0,             /* the best we know, at every epsilon, k and number of columns */
    TACIT_KMEANS_LLOYD = 1,            /* noisy Lloyd rounds with shrinking, growing shares and re-seeding */
    TACIT_KMEANS_SULQ = 2,             /* SuLQ k-means, 20 equal rounds (Blum et al. 2005) */
    TACIT_KMEANS_DPLLOYD = 3,          /* DP-Lloyd with sphere packing (Su et al. 2016) */
    TACIT_KMEANS_GRID = 4,             /* one uniform grid, then plain k-means on it (EUGkM, Su et al. 2016); with rounds = 1
                                          their hybrid, which ends with a round of DP-Lloyd; 0: none */
    TACIT_KMEANS_SAMPLE_AGGREGATE = 6, /* plain k-means on parts, smooth sensitivity (Nissim et al. 2007); delta > 0 */
    TACIT_KMEANS_KVARIATES = 7,        /* k-variates++ (Nock et al. 2016) with noise for the worst case */
    TACIT_KMEANS_LSH_TREE = 8,         /* the LSH-tree coreset (Chang et al. 2021) */
    TACIT_KMEANS_BALCAN = 9            /* projection, candidates, local swaps, recovery (Balcan et al. 2017) */
} tacit_kmeans_method;

typedef struct tacit_method {
    size_t size;
    const char *name;      /* as the command's --method takes it */
    const char *summary;   /* one line */
    const char *guarantee; /* pure or approximate, provable or asymptotic */
    const char *paper;
    int means, median;     /* non-zero: works for k-means, for k-median */
} tacit_method;

TACIT_API void tacit_method_init(tacit_method *method, size_t size);
/* TACIT_E_ARGUMENT: there is no such method. To list them all, ask for 0 to 63. */
TACIT_API TACIT_CHECKED tacit_status tacit_kmeans_method_get(tacit_kmeans_method which, tacit_method *out);

/* Constants of methods whose paper proves with one set of them and measures with another. */
typedef enum tacit_constants { TACIT_CONSTANTS_PRACTICAL = 0, TACIT_CONSTANTS_THEORY = 1 } tacit_constants;

#define TACIT_K_AUTO (-1) /* k is chosen from what the run releases anyway; method auto only */

typedef enum tacit_scale {
    TACIT_SCALE_RANGE = 0, /* every column divided by its declared range: age and income count alike */
    TACIT_SCALE_NONE = 1   /* distances in the columns' own units */
} tacit_scale;

typedef struct tacit_kmeans_opts {
    size_t size;
    int32_t k;                  /* number of centres, 1 .. 1000000, or TACIT_K_AUTO; starts as 0, which is refused */
    int32_t rounds;             /* 0: chosen from k, d, the budget and a paid noisy count (grid: none) */
    tacit_kmeans_method method;
    tacit_scale scale;          /* with a ball: ignored */
    int32_t k_max;              /* with TACIT_K_AUTO: the most centres to think of; 0: 20 */
    tacit_constants constants;  /* of TACIT_KMEANS_BALCAN */
    int32_t sparsity;           /* most non-zero values in a row, if that is public; rows that stay sparse are cut to so many,
                                   the largest, and pure runs need far less noise; 0: unknown; dense rows refuse it, but
                                   for TACIT_KMEANS_BALCAN */
} tacit_kmeans_opts;

TACIT_API void tacit_kmeans_opts_init(tacit_kmeans_opts *opts, size_t size);
TACIT_API TACIT_CHECKED tacit_status tacit_kmeans(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                                                  const tacit_kmeans_opts *opts, tacit_model **out);
/* The same walk for k-median: centres that keep the sum of distances, not of their squares, small; resists outliers.
   Not for rows that stay sparse. */
TACIT_API TACIT_CHECKED tacit_status tacit_kmedian(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                                                   const tacit_kmeans_opts *opts, tacit_model **out);

/* What a run would ask and how large its noise would be, for a guess of the number of rows. Asks nothing of the rows
   and reads no ledger. */
TACIT_API TACIT_CHECKED tacit_status tacit_kmeans_plan(tacit_ctx *ctx, const tacit_data *data,
                                                       const tacit_budget *budget, const tacit_kmeans_opts *opts,
                                                       double rows_about, tacit_plan **out);
TACIT_API TACIT_CHECKED tacit_status tacit_kmedian_plan(tacit_ctx *ctx, const tacit_data *data,
                                                        const tacit_budget *budget, const tacit_kmeans_opts *opts,
                                                        double rows_about, tacit_plan **out);

typedef struct tacit_plan_step {
    size_t size;
    const char *what;       /* "number of rows", "sums and counts of 5 cells, last round", ... */
    const char *noise;      /* "discrete Gaussian", "discrete Laplace" or "trace noise" */
    int32_t times;          /* asked this often */
    double share;           /* of the run's budget, all times together */
    double error;           /* expected error, one standard deviation, in the words of error_of */
    const char *error_of;   /* "rows", "of a column's declared range, each coordinate of a centre", ... */
} tacit_plan_step;

TACIT_API int32_t tacit_plan_steps(const tacit_plan *plan);
TACIT_API void tacit_plan_step_init(tacit_plan_step *step, size_t size);
TACIT_API TACIT_CHECKED tacit_status tacit_plan_get(const tacit_plan *plan, int32_t index, tacit_plan_step *out);
TACIT_API const char *tacit_plan_advice(const tacit_plan *plan); /* a sentence: will this be usable? */
TACIT_API void tacit_plan_free(tacit_plan *plan);

/* ---- subspace clustering ------------------------------------------------------------------------------ */

/* Rows that lie near one of k subspaces of dimension q, through the origin or (affine) anywhere. Linear subspaces need a
   domain in which 0 has its place: best a ball about the origin; of bounds the largest norm they allow counts. */
typedef enum tacit_subspace_method {
    TACIT_SUBSPACE_AUTO = 0,            /* one noisy fourth-moment tensor, a free fit, averaged refinement; delta = 0: sulq+ */
    TACIT_SUBSPACE_SULQ_PLUS = 1,       /* noisy second moments with the right noise (delta = 0: trace noise), restarts, two stages */
    TACIT_SUBSPACE_SULQ = 2,            /* SuLQ as published (Wang, Wang & Singh 2015, Alg. 5) */
    TACIT_SUBSPACE_BINGHAM = 3,         /* hard assignment and matrix-Bingham draws in turn; to compare: in real arithmetic, no ledger */
    TACIT_SUBSPACE_GIBBS = 4,           /* the paper's Gibbs sampler, samplers corrected; asymptotic guarantee only; the same */
    TACIT_SUBSPACE_SAMPLE_AGGREGATE = 5 /* a plain solver on parts, smooth sensitivity corrected (Alg. 1) */
} tacit_subspace_method;

/* Plain solvers: of tacit_subspace_plain, and on the parts of sample-aggregate. */
typedef enum tacit_subspace_solver {
    TACIT_SOLVER_KPLANE = 0,     /* alternate assignment and principal components, restarts */
    TACIT_SOLVER_TSC = 1,        /* thresholding, spectral clustering (Heckel & Boelcskei) */
    TACIT_SOLVER_TSC_SIMPLE = 2, /* thresholding, connected components (Wang, Wang & Singh 2015, Alg. 2) */
    TACIT_SOLVER_SSC = 3,        /* sparse self-representation (Elhamifar & Vidal) */
    TACIT_SOLVER_LRR = 4         /* low-rank representation (Liu et al.) */
} tacit_subspace_solver;

#define TACIT_Q_AUTO (-1)

typedef struct tacit_subspace_opts {
    size_t size;
    int32_t k;                     /* subspaces, 1 .. 1000, or TACIT_K_AUTO (method auto); starts as 0, which is refused */
    int32_t q;                     /* their dimension, 1 .. columns - 1, or TACIT_Q_AUTO (method auto); starts as 0 */
    tacit_subspace_method method;
    int affine;                    /* non-zero: subspaces need not pass through the origin */
    tacit_scale scale;             /* with a ball: ignored */
    int32_t rounds;                /* 0: the method's own; Gibbs: iterations, 0: 10000 */
    tacit_subspace_solver solver;  /* sample-aggregate and tacit_subspace_plain; also what start = solver starts from */
    int32_t parts;                 /* sample-aggregate: parts of the rows; 0: from the paper's rule */
    int overlapping_parts;         /* sample-aggregate: non-zero: random subsets as in the paper; 0: a partition, which is better */
    int start_with_solver;         /* Gibbs: non-zero: the paper's start, which is NOT private; for reproduction */
    int32_t chains;                /* Gibbs: more than one tells in a note how well they agree; that is not paid for, so only with
                                      the insecure test seed; 0: 1 */
    int release_labels;            /* Gibbs under replace: non-zero: the drawn assignment is part of the release */
    int32_t restarts;              /* plain solvers: 0: 20 */
    int32_t k_max, q_max;          /* with TACIT_K_AUTO (64 at most), TACIT_Q_AUTO: 0: 8, and columns - 1 or 8 */
    uint64_t seed;                 /* tacit_subspace_plain: of its starts */
} tacit_subspace_opts;

TACIT_API void tacit_subspace_opts_init(tacit_subspace_opts *opts, size_t size);
TACIT_API TACIT_CHECKED tacit_status tacit_subspace_method_get(tacit_subspace_method which, tacit_method *out);
TACIT_API TACIT_CHECKED tacit_status tacit_subspace(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                                                    const tacit_subspace_opts *opts, tacit_model **out);
TACIT_API TACIT_CHECKED tacit_status tacit_subspace_plan(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *budget,
                                                         const tacit_subspace_opts *opts, double rows_about, tacit_plan **out);
/* A plain solver on the rows: NOT private; the model says so. */
TACIT_API TACIT_CHECKED tacit_status tacit_subspace_plain(tacit_ctx *ctx, tacit_data *data, const tacit_subspace_opts *opts,
                                                          tacit_model **out);

/* For research, NOT private, exact: do the theorems about plain solvers hold for these rows? Wang, Wang & Singh 2015, Definition 3.2 and
   Lemmas 3.3, 3.5. Costs are mean squared distances where the longest row that the domain allows has length 1. Costs come from
   k-plane, the best of opts' restarts: each is an upper bound of the true one. */
typedef struct tacit_condition {
    const char *what;
    double value, limit;
    int met;
} tacit_condition;

typedef struct tacit_subspace_diagnosis {
    size_t size;
    double sigma;              /* in: noise of Lemma 3.5 beside rows of length 1; negative: estimated; out: the one that was used */
    double gamma;              /* in: of Lemma 3.5, above 1 */
    int64_t rows;
    double cost;               /* Delta_k^2: k subspaces of dimension q */
    double cost_fewer;         /* Delta_(k-1)^2: one subspace less */
    double cost_lower;         /* Delta_(k,-)^2: one of them of dimension q - 1 */
    double cost_higher;        /* Delta_(k,+)^2: one of dimension q + 1 */
    double phi_squared, psi, eta; /* the best for which the rows are (phi, eta, psi)-well separated */
    int stable;                /* non-zero: Lemma 3.3 applies: phi^2 < 1 / 1602 and psi > eta */
    double factor, distance;   /* then a solution of up to `factor` times the cost lies within `distance`, d_W of sines; NaN otherwise */
    double affinity;           /* root of 1 - (least squared distance of two subspaces) / q, 0 .. 1; NaN: k = 1 */
    int connected;             /* non-zero: all conditions of Lemma 3.5 are met, as its proof needs them */
    int32_t conditions;
    tacit_condition condition[6]; /* of Lemma 3.5, for the label column's clusters or else those of k-plane; `what` names two errata */
} tacit_subspace_diagnosis;

TACIT_API void tacit_subspace_diagnosis_init(tacit_subspace_diagnosis *diagnosis, size_t size);
/* Linear subspaces; k and q as numbers. Labels, if the data has a label column: k different ones. */
TACIT_API TACIT_CHECKED tacit_status tacit_subspace_diagnose(tacit_ctx *ctx, tacit_data *data, const tacit_subspace_opts *opts,
                                                             tacit_subspace_diagnosis *out);

/* ---- co-clustering ------------------------------------------------------------------------------------ */

/* A table of counts (people x items, documents x words): clusters of rows and clusters of columns at once. Rows that are
   not counts, whole numbers from 0 to 2^31 - 1, are refused; the same entry given twice adds up. No bounds are needed. */
typedef enum tacit_cocluster_method {
    TACIT_COCLUSTER_AUTO = 0,     /* the best we know: of whole rows by column mass, one noisy Gram matrix and noisy tables; of
                                     single entries by disjoint batches of rows */
    TACIT_COCLUSTER_DP_TAUCC = 1, /* DP-tauCC (Battaglia & Pensa 2025, Alg. 1-3), code errors put right; TACIT_ENTRY only */
    TACIT_COCLUSTER_NMF = 2,      /* noisy non-negative factors (after Saha & Imtiaz), private start, correct noise */
    TACIT_COCLUSTER_KMEANS = 3,   /* private k-means of the rows (method auto of k-means) */
    TACIT_COCLUSTER_BALCAN = 4    /* private k-means of the rows by Balcan et al. 2017 */
} tacit_cocluster_method;

typedef struct tacit_cocluster_opts {
    size_t size;
    int32_t rows;                  /* row clusters, 1 .. 1000; starts as 0, which is refused */
    int32_t columns;               /* column clusters, 1 .. 1000; starts as 0 */
    tacit_cocluster_method method;
    int32_t rounds;                /* dp-taucc: the paper's I, 0: 4; other methods set it themselves */
    double labels_share;           /* TACIT_ENTRY: this share of the budget buys a private label for every row, 0 .. 0.9; 0: none.
                                      Whole rows cannot have one */
    double least_z;                /* whole rows: columns whose cluster is less certain go to "rest"; starts as 2 */
    int32_t restarts;              /* tacit_cocluster_plain: 0: 10 */
    uint64_t seed;                 /* tacit_cocluster_plain: of its starts */
} tacit_cocluster_opts;

TACIT_API void tacit_cocluster_opts_init(tacit_cocluster_opts *opts, size_t size);
TACIT_API TACIT_CHECKED tacit_status tacit_cocluster_method_get(tacit_cocluster_method which, tacit_method *out);
/* The unit is in the budget: TACIT_ADD_REMOVE or TACIT_REPLACE of one row (with units in the data: of one person's rows), or
   TACIT_ENTRY. */
TACIT_API TACIT_CHECKED tacit_status tacit_cocluster(tacit_ctx *ctx, tacit_data *data, const tacit_budget *budget,
                                                     const tacit_cocluster_opts *opts, tacit_model **out);
TACIT_API TACIT_CHECKED tacit_status tacit_cocluster_plan(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *budget,
                                                          const tacit_cocluster_opts *opts, double rows_about, tacit_plan **out);
/* Fast-tauCC on the counts themselves: NOT private; the model says so. `rows` and `columns` are where it begins: clusters that
   lose all their items go. */
TACIT_API TACIT_CHECKED tacit_status tacit_cocluster_plain(tacit_ctx *ctx, tacit_data *data, const tacit_cocluster_opts *opts,
                                                           tacit_model **out);

/* ---- model: what may leave ---------------------------------------------------------------------------- */

TACIT_API void tacit_model_free(tacit_model *model);
TACIT_API const char *tacit_model_family(const tacit_model *model); /* "kmeans", "kmedian", "subspace", "cocluster" */
TACIT_API const char *tacit_model_method(const tacit_model *model); /* its name, as tacit_kmeans_method_get tells it */
TACIT_API int32_t tacit_model_k(const tacit_model *model);
TACIT_API int32_t tacit_model_columns(const tacit_model *model);
TACIT_API const char *tacit_model_column(const tacit_model *model, int32_t index);
TACIT_API const double *tacit_model_centers(const tacit_model *model);    /* k x columns, original units; subspaces: NULL */
/* k x columns: the standard deviation that the privacy noise alone gives each coordinate, taking as given which rows went to
   which centre. It tells nothing of how centres would move with other rows or another start. Method auto widens it
   where noise hides more than that, and method grid by the size of its boxes. NaN: the method cannot tell. */
TACIT_API const double *tacit_model_centers_sd(const tacit_model *model);
TACIT_API const double *tacit_model_sizes(const tacit_model *model);      /* k noisy counts; may be negative; NaN: not known */
TACIT_API double tacit_model_sizes_sd(const tacit_model *model);          /* NaN: the method cannot tell */
/* Share of the centres' coordinates that lie within a thousandth of the range of a declared bound other than a lower one
   of 0, which most values of sparse rows are; for a ball, of the centres that lie within a hundredth of the radius of its
   surface. Much of it means that the declared domain does not fit the rows: values beyond it were moved there. What noise
   of an eighth of the range (for a ball, of a quarter of the radius over all columns) or more may have thrown there does
   not count. */
TACIT_API double tacit_model_share_at_bounds(const tacit_model *model);
/* With TACIT_K_AUTO: for k = 1 .. tacit_model_curve(model, NULL) how well k centres describe the noisy synopsis, higher is
   better; the chosen k has the highest. 0 numbers otherwise. */
TACIT_API int32_t tacit_model_curve(const tacit_model *model, const double **values);
/* What a reader should know before trusting the numbers ("centres 3 and 4 are mostly noise"): public sentences made from
   released values. NULL: out of range. */
TACIT_API const char *tacit_model_note(const tacit_model *model, int32_t index);
/* Models of family "subspace" (the others: NULL or 0). k bases one after the other, each columns x q row by row, orthonormal
   columns in the clustered geometry (columns divided by their scale, if there is one); sign and rotation are fixed by a rule. */
TACIT_API int32_t tacit_model_q(const tacit_model *model);
TACIT_API const double *tacit_model_subspaces(const tacit_model *model);
TACIT_API const double *tacit_model_offsets(const tacit_model *model);  /* affine: k x columns, a point of each; NULL: linear */
/* k x q: root mean square of the rows along each column of a basis (affine: from the offset), noisy, largest first, in the
   clustered geometry (declared ranges, or with a ball or without a scale the columns' own unit); NULL: was not paid for. */
TACIT_API const double *tacit_model_profile(const tacit_model *model);
/* The drawn assignment of every row (Gibbs); NULL: not released. */
TACIT_API const int32_t *tacit_model_labels(const tacit_model *model, int64_t *rows);
/* Models of family "cocluster" (the others: NULL or 0): tacit_model_k row clusters, l column clusters, sizes as far as known. */
/* At most as many as were asked for: those without a column are left out, but for one if all columns are in "rest". */
TACIT_API int32_t tacit_model_l(const tacit_model *model);
/* The clusters of rows and of columns that were asked for. */
TACIT_API void tacit_model_asked(const tacit_model *model, int32_t *rows, int32_t *columns);
/* Cluster of every column: 0 .. l - 1, or l: "rest", too rare or too uncertain to place. */
TACIT_API const int32_t *tacit_model_column_clusters(const tacit_model *model);
/* Margin of every column's cluster over the next best in standard deviations of the noise; NaN: never looked at. NULL: the method
   cannot tell. */
TACIT_API const double *tacit_model_column_z(const tacit_model *model);
/* The noisy contingency table, k x width row by row, width l, or l + 1 with "rest" last; may hold negative numbers. In counts
   (TACIT_ENTRY), or in rows: then every row splits a weight of 1 over the column clusters as its counts do. */
TACIT_API const double *tacit_model_table(const tacit_model *model, int32_t *width);
TACIT_API double tacit_model_table_sd(const tacit_model *model);        /* of the noise on each number; NaN: cannot be told */
TACIT_API const char *tacit_model_table_unit(const tacit_model *model); /* "counts" or "rows" */
/* Goodman and Kruskal's tau of the table, rows given columns and columns given rows, the noise's share taken out. */
TACIT_API void tacit_model_tau(const tacit_model *model, double *rows, double *columns);
/* The promise in one sentence; its last words tell what it rests on: "proved", or less ("asymptotic guarantee only"). */
TACIT_API const char *tacit_model_guarantee(const tacit_model *model);
/* 0: made with an insecure test seed, or by something that looks at rows without paying; then the next call tells why. */
TACIT_API int tacit_model_is_private(const tacit_model *model);
TACIT_API const char *tacit_model_why_not_private(const tacit_model *model); /* half a sentence; NULL: it is private */

/* The release as JSON text (free with tacit_text_free), or written to a file: complete or not at all. Reading: "-" is standard
   input. */
TACIT_API TACIT_CHECKED tacit_status tacit_model_json(tacit_ctx *ctx, const tacit_model *model, char **out);
TACIT_API TACIT_CHECKED tacit_status tacit_model_write(tacit_ctx *ctx, const tacit_model *model, const char *path);
TACIT_API TACIT_CHECKED tacit_status tacit_model_read(tacit_ctx *ctx, const char *path, tacit_model **out);
TACIT_API void tacit_text_free(char *text);
/* Names of columns, notes and reasons are whatever the maker of a file wrote. Before one is shown to a person: in place, control
   characters, marks that are not seen or turn the direction of writing, ends of lines and bytes that are not UTF-8 become '?', so
   that it is one line that stands as it is. Sentences of tacit_ctx_message are so already; the texts of a model are not. */
TACIT_API void tacit_text_make_plain(char *text);

/* ---- with the rows in hand: for the data owner, NOT private ------------------------------------------- */

/* The nearest released centre (subspace) of every row; of a co-clustering the row cluster that the released rule gives. Rows of
   a file that states row numbers come in the order of these: where single entries were protected or a shape declares the rows,
   empty ones too; named rows come in the order in which the file first names them. A label tells about its row: keep labels with
   the rows. */
TACIT_API TACIT_CHECKED tacit_status tacit_predict(tacit_ctx *ctx, const tacit_model *model, tacit_data *data,
                                                   int32_t **labels, int64_t *rows);
TACIT_API void tacit_labels_free(int32_t *labels);
/* What the id column says of a row once the rows were read; "": nothing. Lives until the next call for the same data. */
TACIT_API TACIT_CHECKED tacit_status tacit_data_row_id(tacit_ctx *ctx, tacit_data *data, int64_t row, const char **out);

typedef struct tacit_evaluation {
    size_t size;
    int64_t rows;
    double cost;            /* k-means: mean squared distance to the nearest centre; k-median: mean distance; subspaces: mean
                               squared distance to the nearest subspace; in the clustered geometry */
    double plain_cost;      /* the same for plain k-means, k-median or k-plane (best of `restarts`), NaN if not asked for */
    double one_mean_cost;   /* the same for the single mean (median) of all rows, or the one subspace of their principal
                               components: what doing nothing costs */
    double nmi, ari;        /* against the label column; NaN without one */
    double clipped;         /* share of rows outside the declared domain */
    /* Co-clusterings: tau of the exact table of counts by predicted row clusters and released column clusters, both directions, and
       before division by its largest value; cost above is 1 - tau_rows, plain_cost the same of plain Fast-tauCC that starts from as
       many clusters as the release was asked for. NaN: another family. */
    double tau_rows, tau_columns, raw_tau_rows, raw_tau_columns;
    double labels_nmi, labels_ari; /* of the private labels in the release against the label column; NaN: none */
} tacit_evaluation;

TACIT_API void tacit_evaluation_init(tacit_evaluation *evaluation, size_t size);
/* restarts > 0 also runs plain k-means (k-median, k-plane, Fast-tauCC: as the model is) that often, for comparison. Exact, so not
   private: never publish it. */
TACIT_API TACIT_CHECKED tacit_status tacit_evaluate(tacit_ctx *ctx, const tacit_model *model, tacit_data *data,
                                                    int32_t restarts, tacit_evaluation *out);

/* How far two models of family "subspace" are apart: the least root of the sum of squared distances over all ways to pair the
   subspaces of one with those of the other (d_W of Wang, Wang & Singh 2015). Papers use two distances of two subspaces with
   orthonormal bases U and V: sine is with |sin Theta|_F, Theta the principal angles, and projector with |UU' - VV'|_F, which is
   sqrt 2 times as large. Of affine subspaces the directions count. Made from releases alone, so as private as they are. */
TACIT_API TACIT_CHECKED tacit_status tacit_subspace_distance(tacit_ctx *ctx, const tacit_model *a, const tacit_model *b,
                                                             double *sine, double *projector);

/* ---- synthetic data, for examples and tests ----------------------------------------------------------- */

typedef struct tacit_mixture_opts {
    size_t size;
    int64_t rows;
    int32_t columns, clusters;
    double spread;   /* standard deviation of a cluster per coordinate; the box is [0, 1] in every column */
    uint64_t seed;   /* synthetic rows are nobody's: a seed is fine here */
} tacit_mixture_opts;

TACIT_API void tacit_mixture_opts_init(tacit_mixture_opts *opts, size_t size);
/* values: rows x columns; labels: rows. Free both with tacit_values_free / tacit_labels_free. */
TACIT_API TACIT_CHECKED tacit_status tacit_mixture(tacit_ctx *ctx, const tacit_mixture_opts *opts,
                                                   double **values, int32_t **labels);
TACIT_API void tacit_values_free(double *values);

/* Rows near a union of subspaces through the origin (the synthetic rows of Wang, Wang & Singh 2015): even on the unit sphere of
   a random subspace, plus normal noise. Noise makes some rows longer than 1: a declared ball of radius 1 pulls them back. */
typedef struct tacit_union_opts {
    size_t size;
    int64_t rows;
    int32_t columns, subspaces, dimension; /* dimension: below columns */
    double noise;    /* standard deviation per column */
    uint64_t seed;
} tacit_union_opts;

TACIT_API void tacit_union_opts_init(tacit_union_opts *opts, size_t size);
/* As above; truth: the subspaces as a model, which says that it is not private, for tacit_subspace_distance; NULL: not wanted. */
TACIT_API TACIT_CHECKED tacit_status tacit_union(tacit_ctx *ctx, const tacit_union_opts *opts, double **values,
                                                 int32_t **labels, tacit_model **truth);

/* A table of counts with planted blocks: row i is of row cluster i mod row_clusters, column j of column cluster j mod column_clusters.
   A row holds 1 + Poisson(mean - 1) counts of 1, equal ones added up: the share `contrast` of them in the two column clusters that its
   row cluster prefers (twice as often the first), the others anywhere; low columns are likelier than high ones, as frequent words
   are. Rows are drawn one after the other and never all held: any number of entries will do. */
typedef struct tacit_blocks_opts {
    size_t size;
    int64_t rows;
    int32_t columns, row_clusters, column_clusters;
    double mean;       /* counts in a row, 1 .. 1e6 */
    double contrast;   /* 0: no blocks; 1: a row has nothing but its own */
    uint64_t seed;
} tacit_blocks_opts;

TACIT_API void tacit_blocks_opts_init(tacit_blocks_opts *opts, size_t size);
/* Calls `each` for every row in order with its cluster and its entries: columns ascending from 0, counts above 0. It stops the work
   with TACIT_E_CANCELLED if it returns non-zero. */
TACIT_API TACIT_CHECKED tacit_status tacit_blocks(tacit_ctx *ctx, const tacit_blocks_opts *opts,
                                                  int (*each)(void *payload, int64_t row, int32_t cluster, const int32_t *column,
                                                              const int32_t *count, int32_t entries),
                                                  void *payload);

/* ---- audit: tacit attacked by tacit -------------------------------------------------------------------- */

/* What can be attacked: every method of every family. To list them all, ask for 0, 1, ... until TACIT_E_ARGUMENT. */
typedef struct tacit_audit_target {
    size_t size;
    const char *family;        /* "kmeans", "kmedian", "subspace", "cocluster" */
    const char *name;          /* of the method */
    int32_t method;            /* its number */
    int pure, approximate;     /* non-zero: takes delta = 0, delta > 0 */
    int rows, entry;           /* non-zero: protects whole rows, single entries */
} tacit_audit_target;

TACIT_API void tacit_audit_target_init(tacit_audit_target *target, size_t size);
TACIT_API TACIT_CHECKED tacit_status tacit_audit_target_get(int32_t index, tacit_audit_target *out);

typedef struct tacit_audit_opts {
    size_t size;
    const char *family;
    int32_t method;
    double epsilon, delta;     /* the claim; epsilon starts as NaN, which is refused */
    tacit_neighbours neighbours;
    int64_t runs;              /* on each of the two data sets, 20 .. 100 million; starts as 2000 */
    double confidence;         /* of a violation that is told: 0.5 .. 1 - 1e-12; starts as 0.999 */
    uint64_t seed;             /* of the rows that are made; the noise is always fresh */
    double noise_factor;       /* to test the audit itself: noise times this, and epsilon of what is drawn divided by it, 0 .. 1; starts as 1 */
} tacit_audit_opts;

TACIT_API void tacit_audit_opts_init(tacit_audit_opts *opts, size_t size);

typedef struct tacit_audit_report {
    size_t size;
    int violation;             /* non-zero: found. 0 is no proof that there is none */
    double epsilon, delta;     /* claimed */
    double measured;           /* a lower bound of the true epsilon at this delta; 0: nothing was learnt */
    double mu, mu_measured;    /* the same on the Gaussian curve: of what the questions were charged, and measured; NaN: of no use */
    double confidence;
    int64_t runs, pairs;       /* runs a side; runs that were replayed on the neighbour */
    double seconds;
    int64_t questions;         /* the most that one run asked ... */
    int64_t blind;             /* ... and of them those of kinds whose law the attack does not evaluate */
    char blind_kinds[128];
    int64_t other_questions;   /* pairs in which a question, its price or its parameters depended on the rows, ... */
    int64_t too_far;           /* ... an exact answer moved by more than the declared sensitivity, ... */
    int64_t other_release;     /* ... or the release did not follow from the noisy answers: each one is a violation */
    char attack[160];          /* what told the two apart best */
    char verdict[256];
    int64_t underpaid;         /* runs in which a question was worth more than its price, or all of them more than the claim: a violation */
    double noise;              /* size of the noise that was added, as a multiple of what the receipts say: the most likely; NaN: none seen */
    double evidence;           /* log10 of an e-value that noise is smaller than the receipts say, draws sharper, or noise repeated;
                                  a violation at log10(10 / (1 - confidence)) */
    int64_t untested;          /* questions of a run that add nothing to it */
} tacit_audit_report;

TACIT_API void tacit_audit_report_init(tacit_audit_report *report, size_t size);
/* Attacks a method on rows that the audit makes itself: neighbouring data sets that are hard to hide from each other, fresh noise,
   the likelihood ratio of all answers, replayed on the neighbour. TACIT_OK whether or not a violation is found; TACIT_E_ARGUMENT if
   the method does not serve such a budget. Uses all threads of the ctx. */
TACIT_API TACIT_CHECKED tacit_status tacit_audit(tacit_ctx *ctx, const tacit_audit_opts *opts, tacit_audit_report *out);

/* What a program put out when it ran on some rows. */
typedef struct tacit_audit_output {
    const char *text;          /* length bytes, of any kind */
    size_t length;
    int code;                  /* exit code, or anything else that tells how it ended */
} tacit_audit_output;

/* The same for any program, from outputs on two neighbouring data sets, opts.runs of each: learns on the first half what tells them
   apart, and certifies it on the other half. Of opts counts what is claimed, runs and confidence. */
TACIT_API TACIT_CHECKED tacit_status tacit_audit_outputs(tacit_ctx *ctx, const tacit_audit_opts *opts, const tacit_audit_output *first,
                                                         const tacit_audit_output *second, tacit_audit_report *out);

#ifdef __cplusplus
}
#endif
#endif
