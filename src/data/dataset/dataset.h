/* SPDX-License-Identifier: Apache-2.0 */
/* A data set: a reader, the columns in use, the declared domain, and which rows count for whom. */
#ifndef TAC_DATASET_H
#define TAC_DATASET_H

#include <pthread.h>

#include "data/dataset/file_names.h"
#include "data/dataset/kept_rows.h"
#include "data/readers/reader.h"

typedef enum tac_domain_kind {
    TAC_DOMAIN_NONE = 0,
    TAC_DOMAIN_BOX,
    TAC_DOMAIN_BALL
} tac_domain_kind;

/* What values are possible: declared by the owner, public. */
typedef struct tac_domain {
    tac_domain_kind kind;
    double *lower, *upper; /* BOX: dims each, lower < upper, finite */
    double *center;        /* BALL: dims */
    double radius;         /* BALL: finite, > 0 */
    const char *origin;    /* "declared" */
    /* BOX: dims; where true, lower and upper only limit what a run estimates from its budget
       (infinite: nothing is known); NULL: all are declared */
    bool *estimate;
    /* BOX of coordinates, where they are not plain columns (coordinates.c); NULL: middle of the
       bounds, weight 1 */
    double *middle, *weight;
    bool *share;           /* dims: the share of a category; NULL: none is */
    double reach;          /* no row is farther from the middle, a weighted range as unit */
    double reach_unscaled; /* the same in units of the columns */
} tac_domain;

void tac_domain_clear(tac_domain *domain);
/* How one run, or the owner, wants the rows read. It is the run's own: the handle stays as it was
   opened. */
typedef struct tac_load {
    /* a table of counts, which needs no domain; values are then whole numbers, 0 .. 2^31 - 1 */
    bool counts;
    /* counts under neighbors entry: row numbers are public, rows that no line names are empty.
       Otherwise such rows are not there, so that one person more is one row more */
    bool places;
    bool guarded; /* of a set with a ledger; see tac_selection */
    bool touched; /* out: a row was read, or tried to be */
    /* a shard's rows: the root's key of persons, the same for all shards; otherwise each handle has
       its own */
    bool key_given;
    tac_person_key person_key;
} tac_load;

struct tacit_data {
    char *path;      /* "" for rows in memory; of several files: the first, and how many more */
    tac_files files; /* of several; count 0: one file or none */
    tac_reader *reader;
    tac_selection selection;
    int32_t *columns; /* storage of selection.column */
    tac_domain domain;
    /* what the columns in use are; count 0: all are numbers of weight 1, missing values as
       selection.missing says */
    tac_features features;
    tac_value_rule *rules; /* storage of selection.rule; the words are the features' */
    char **missing_words;  /* storage of selection.missing_word where options say them */
    bool columns_chosen;   /* by name: bounds do not choose others */
    /* guards the three below, and the reader while it loads: runs of several threads may share a
       handle */
    pthread_mutex_t lock;
    /* a reader that failed half-way stands somewhere in the file: it is not asked again */
    bool loaded, failed;
    tac_load loaded_as;  /* how it was loaded */
    bool shape_declared; /* rows and columns were declared, not taken from the file */
    /* the columns do not follow from the entries: declared, or in a header */
    bool columns_stated;
    int64_t shape_rows;    /* declared, or 0 */
    int32_t shape_columns; /* declared, or 0 */
    /* owned, bound to this file: what it was opened by; NULL: by options */
    tacit_declaration *declaration;
    bool named;                 /* rows in memory whose columns the caller has named */
    tac_vocabulary *vocabulary; /* owned; NULL: none */
    bool has_units;
    bool elsewhere;      /* the rows are on shards, which this engine reaches; none are read here */
    tacit_engine engine; /* a copy */
    /* above 0: rows made up from public numbers for a plan, each of which counts so often */
    int64_t copies;
    /* rows in memory: what the caller calls the units; beside a vocabulary: the unit column by its
       number; NULL: the column's name */
    char *unit_name;
    const int64_t *told_unit, *told_label; /* rows in memory: borrowed from the caller, or NULL */
    tac_person_key person_key;             /* of its rows, once they are loaded */
    char *name;                            /* the row name that was asked for last */
    size_t name_room;
};

/* Rows of more columns than this are wide: no method may hold a columns x columns matrix of them,
   and rows of a sparse format stay sparse. Narrower ones are dense on the lattice whatever the
   format, so that every method takes them. */
#define TAC_WIDE 1500

/* Do rows stay sparse all the way? Then absent and missing values are 0. Public: the format and the
   columns decide. */
bool tac_data_sparse(const tacit_data *data);
/* for messages: its path, or "the rows in memory" */
const char *tac_data_name(const tacit_data *data);
/* Refuses an option that names no column of the data, with the columns there are. */
tacit_status tac_data_no_column(tacit_ctx *ctx, const tacit_data *data, const char *option,
                                const char *name);
/* Is it a list of entries that was opened as a matrix, on standard input say? Its header then has
   row, col and count, whichever columns were chosen of them: every line would pass for a row.
   Public. */
bool tac_data_is_list(const tacit_data *data);
/* Are columns called by number, since nobody has named them? By format and options alone. */
bool tac_data_numbered(const tacit_data *data);
/* Refuses categories, weights and transforms for a family that takes plain numbers. what: the
   family, for the sentence. */
tacit_status tac_data_check_plain(tacit_ctx *ctx, const tacit_data *data, const char *what);
/* Sparse rows need a domain in which 0 is the middle of a ball or within every column's bounds. */
tacit_status tac_data_check_sparse(tacit_ctx *ctx, const tacit_data *data);

/* Whoever says which columns are row, col and count means triplets. */
tacit_status tac_data_name_parts(tacit_ctx *ctx, tacit_data_opts *opts);
/* How the options say that the file is written; no vocabulary. */
tac_shape tac_shape_of(const tacit_data_opts *opts);

/* ---- coordinates.c: rows as methods see them, and where they may lie ---- */

/* Coordinates of a row: as many as columns in use, more where some hold categories. */
int32_t tac_data_dims(const tacit_data *data);
/* The name of a coordinate, for tac_free. */
tacit_status tac_data_coordinate_name(tacit_ctx *ctx, const tacit_data *data, int32_t coordinate,
                                      char **out);
/* The rows first .. first + count - 1 of a loaded dense set as coordinates, count x tac_data_dims
   numbers, NaN where nothing is known. As safe and as pure as a reader's read. */
tacit_status tac_data_read(const tacit_data *data, int64_t first, int64_t count, double *out);
/* The domain of the coordinates from that of the columns: copies. features may have count 0. */
tacit_status tac_domain_spread(tacit_ctx *ctx, const tac_domain *columns, int32_t count,
                               const tac_features *features, tac_domain *out);
/* Works out again, after its bounds have changed, how the box of coordinates is measured. */
void tac_domain_measure(int32_t dims, tac_domain *domain);
/* May rows be left out for what they lack? Public. */
bool tac_data_drops(const tacit_data *data);
/* Whose rows first .. first + count - 1 of a loaded set with units are. As safe and as pure as a
   reader's read, and sets no sentence. */
tacit_status tac_data_units(const tacit_data *data, int64_t first, int64_t count, tac_person *out);
/* Which rows count: those that lack nothing they need and, with units, at most `most` of each unit.
   A bit a row (kept_rows.h); NULL when all do. Whether a row lacks a value is a function of that
   row; a unit's kept rows depend on that unit's rows alone and not on their order in the file: of
   the complete ones those with the smallest hash of their content. Rows that name no unit are left
   out. Caller frees keep. */
tacit_status tac_data_kept(tacit_ctx *ctx, const tacit_data *data, int32_t most, uint64_t **keep);
/* keep[i] = 1 if no value of row i is NaN, else 0, in a time that does not depend on the values. */
void tac_rows_complete(const double *rows, int64_t n, int32_t dims, uint8_t *keep);

/* ---- features_said.c: what options say of columns ---- */

/* Fills data->features from the declaration and from the texts of the options; nothing to say
   leaves it empty. After the columns are selected. */
tacit_status tac_data_say_features(tacit_ctx *ctx, tacit_data *data, const tacit_data_opts *opts);
/* The rules of a release, for the owner's rows: taken over unless the data has its own, which must
   then be the same. Before the rows are read. */
tacit_status tac_data_adopt_features(tacit_ctx *ctx, tacit_data *data,
                                     const tac_features *features);
/* The column at a place among those in use holds dates. */
tacit_status tac_data_set_date(tacit_ctx *ctx, tacit_data *data, int32_t place);
/* The readers' part of the features, after every change of them. */
tacit_status tac_data_tell_readers(tacit_ctx *ctx, tacit_data *data);
/* Only the columns in use for which use[j] is true stay so. */
tacit_status tac_data_narrow(tacit_ctx *ctx, tacit_data *data, const bool *use);
/* A column of the file by its name or, if none is called so, by its number from 1; numbered ones
   by either numbering, as files of other formats call them. -1: none. */
int32_t tac_data_find(const tacit_data *data, const char *name);
/* The same among the columns in use. */
int32_t tac_data_find_used(const tacit_data *data, const char *name);

/* Read the rows once (idempotent), as counts and as places or not; load NULL: as plain numbers.
   Only a run that holds a reservation, predict and evaluate call it. Loaded one way and asked for
   the other way it refuses. Any thread may call it: whoever comes second waits until the rows are
   there. */
tacit_status tac_data_load(tacit_ctx *ctx, tacit_data *data, tac_load *load);

/* The same for the owner, whose rows they are: as counts, and as places or not unless it was
   already read as either. */
tacit_status tac_data_load_counts(tacit_ctx *ctx, tacit_data *data, bool places);

/* Readers and engines work on other threads and set no sentence: set it for what they return, and
   return it. */
tacit_status tac_data_explain(tacit_ctx *ctx, const tacit_data *data, tacit_status status);

/* The column that names the persons, or what the caller calls them; NULL: rows are the units. */
const char *tac_data_unit_name(const tacit_data *data);

#endif
