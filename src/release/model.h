/* SPDX-License-Identifier: Apache-2.0 */
/* A release: only what was paid for or was public before, and the card that says how private it
   is. */
#ifndef TAC_MODEL_H
#define TAC_MODEL_H

#include "core/core.h"
#include "table/feature.h"

/* One line of the card: a query, or several alike. Numbers in grid units as the door used them. */
typedef struct tac_card_query {
    char *kind; /* "count", "histogram", "sums", "moments", "cubes", "draw", "selection" */
    char *what; /* "Lloyd round" */
    /* "discrete Gaussian", "discrete Laplace", "trace noise", "exponential mechanism",
       "permute-and-flip" */
    char *noise;
    double scale;       /* sigma or Laplace scale; selections: epsilon */
    double sensitivity; /* L2, L1, or range of a selection */
    double cost;        /* in the accountant's native parameter */
    int64_t answers;    /* numbers released */
    /* the part of the rows that was asked: what different batches cost does not add up; -1: all
       rows */
    int32_t batch;
} tac_card_query;

/* The privacy card. */
typedef struct tac_card {
    bool insecure_seed; /* true: not private, and every output says so */
    /* true: no run at all; then only leak, guarantee, paper and version count */
    bool plain;
    /* why it is not private, beside the seed, and every output says so; NULL: nothing leaked */
    char *leak;
    char *unit;            /* "row", or "person (column NAME)" */
    int32_t rows_per_unit; /* 1 for rows */
    tacit_neighbors neighbors;
    double epsilon, delta;
    char *accountant;     /* "pure", "gaussian", "alone" */
    double native_budget; /* epsilon; mu^2; 2 rho */
    double native_spent;
    char *guarantee; /* one plain sentence: unit, pure or approximate, provable */
    char *paper;     /* what the method rests on */
    bool in_ledger;
    char *ledger_run; /* its name there: 32 hex digits; NULL: no ledger, or an old file */
    int32_t queries;
    tac_card_query *query;
    char *version; /* of the library that made it */
} tac_card;

/* How distances were measured and what was declared. */
typedef struct tac_geometry {
    bool ball;
    double *lower, *upper; /* box: k-means columns */
    double *center;        /* ball */
    double radius;
    tacit_scale scale;
    tacit_missing missing;
    char *origin; /* "declared", "estimated", "declared and estimated" */
    /* box: dims each, columns whose bounds the run has estimated, and what was declared of all
       columns; NaN: nothing. NULL: all are declared */
    bool *estimated;
    double *declared_lower, *declared_upper;
    /* what the columns hold; count 0: plain numbers, one for each coordinate. Bounds above are in
       the units of the columns; those of a category are 0 and 1 */
    tac_features features;
} tac_geometry;

/* Which cluster a row of counts a belongs to, for predict: v_g = sum of weight_j f(a_j) over
   columns of group g, divided by |v|_2 if `unit`; then the cluster of the profile p with the
   greatest sum_g score_pg v_g + offset_p, ties to the lowest. */
typedef struct tac_rule {
    bool logarithm; /* f(a) = log2(1 + a); otherwise a */
    bool unit;
    double *weight; /* dims; 0: the column is not looked at */
    int32_t *group; /* dims: 0 .. groups - 1 */
    int32_t groups, profiles;
    double *score;    /* profiles x groups */
    double *offset;   /* profiles */
    int32_t *cluster; /* profiles: 0 .. k - 1 */
} tac_rule;

/* What a co-clustering releases beside sizes, labels and notes. */
typedef struct tac_blocks_released {
    int32_t l; /* column clusters */
    /* clusters of rows and of columns that were asked for: k and l are what is left of them */
    int32_t asked_k, asked_l;
    /* one more column of the table and one more cluster, l, for columns that could not be placed */
    bool rest;
    int32_t *column_cluster; /* dims: 0 .. l - 1, or l */
    double *column_z;        /* dims, NaN: not looked at; NULL: not known */
    double *table;           /* k x (l + rest) */
    double table_sd;         /* NaN: not known */
    char *unit;              /* "counts" or "rows" */
    /* "declared", or "from the file": then rows (entry) and columns count as public */
    char *shape;
    int64_t rows; /* entry: public number of rows; 0: private */
    tac_rule rule;
} tac_blocks_released;

/* How all rows lie, from the clusters: dims numbers each, original units; NaN: noise drowns it. */
typedef struct tac_overall {
    double *mean, *mean_sd; /* of the centers, by size, and the noise in it */
    double *sd, *sd_sd;     /* of the rows, within and between clusters, and the noise in it */
} tac_overall;

/* A column in which a cluster is unlike all rows. */
typedef struct tac_distinct {
    int32_t column;
    int32_t direction; /* 1: above the mean of all rows, -1: below it */
    double strength;   /* how far, in standard deviations of all rows */
} tac_distinct;
enum { TAC_DISTINCT_MOST = 10 }; /* of a cluster */

/* The cells that a k-means run has asked about: weighted points that stand for the rows around
   them. Lengths are in the clustered geometry (docs/release-format.md), with few digits. */
typedef struct tac_released_cells {
    int32_t cells;
    int32_t width; /* numbers of a point: dims or, behind a basis, fewer */
    /* cells x width: from the middle of the domain or, behind a basis, along it from the origin */
    double *point;
    double *point_sd; /* cells: noise of each number of the point */
    double *weight;   /* cells: noisy rows, >= 0 */
    double weight_sd; /* of each */
    double *spread;   /* cells: root mean square distance of the rows from their point */
    double total;     /* the same of all rows from their mean; NaN: not known */
    double *origin;   /* dims; NULL: no basis */
    double *basis;    /* width x dims, of length 1; NULL: none */
    double outside;   /* root mean square of what lies outside of the basis; NaN: not known */
} tac_released_cells;
enum { TAC_SYNOPSIS_MOST = 1000000 }; /* cells */

/* Room for so many cells; basis: for origin and basis too. */
tacit_status tac_released_cells_new(tacit_ctx *ctx, int32_t cells, int32_t width, int32_t dims,
                                    bool basis, tac_released_cells **out);
void tac_released_cells_free(tac_released_cells *synopsis);
/* Few digits: points to about 1e-5 of how far they lie apart, weights to a hundredth of their
   noise, all else to five digits. What is rounded stays so, and reads back as it was written. */
void tac_released_cells_round(tac_released_cells *synopsis, int32_t dims);

/* What a release was cut from (tacit recut). */
typedef struct tac_cut_from {
    char *family, *method; /* NULL: it was not */
    int32_t k;
} tac_cut_from;

struct tacit_model {
    char *family; /* "kmeans", "kmedian", "subspace", "cocluster" */
    char *method; /* "auto", "lloyd", ... */
    int32_t k, dims;
    char **column;
    /* k x dims, original units; a deviation that not known is NaN; subspaces: NULL */
    double *centers, *centers_sd;
    /* k x dims: standard deviation of the rows of a cluster, and of the noise in that; NaN: noise
       drowns it; NULL: not asked for */
    double *spread, *spread_sd;
    tac_overall *overall;   /* NULL: sizes are not known, or another family */
    tac_distinct *distinct; /* the clearest first, one cluster after the other ... */
    /* ... of which cluster c has those from distinct_start[c] to distinct_start[c + 1]; NULL as
       overall is */
    int32_t *distinct_start;
    int32_t q; /* dimension of the subspaces; 0: another family */
    /* k x dims x q: orthonormal columns, clustered geometry; NULL: another family */
    double *subspaces;
    double *offsets; /* k x dims, original units, a point of each; NULL: linear */
    double *profile; /* k x q, clustered geometry, largest first; NULL: not paid for */
    int32_t *labels; /* rows numbers; NULL: not released */
    int64_t rows;
    double *sizes;   /* k; NaN: not known */
    double sizes_sd; /* NaN: not known */
    int32_t rounds;
    /* with a chosen k: curve_count numbers for k = 1, 2, ...; NULL otherwise */
    double *curve;
    int32_t curve_count;
    tacit_k_choice choice; /* how sure it is; TACIT_K_GIVEN: not chosen */
    char **note;           /* notes sentences for the reader, made from released values */
    int32_t notes;
    tac_released_cells *synopsis; /* families kmeans and kmedian; NULL: none */
    tac_cut_from cut_from;
    tac_blocks_released *blocks; /* family cocluster; NULL: another family */
    tac_geometry geometry;       /* not of a co-clustering */
    tac_card card;
};

/* the newest of the release file; docs/release-format.md says what came when */
#define TAC_MODEL_FORMAT 7
#define TAC_MODEL_K_MAX 1000000
#define TAC_MODEL_DIMS_MAX (1 << 24)

/* A model with room for k centers in dims columns: column, centers, centers_sd and sizes are there
   and zero. The geometry's arrays are NULL: a box needs lower and upper, a ball center, dims
   numbers each, made with tac_new. Texts are NULL: set them with the next function. */
tacit_status tac_model_new(tacit_ctx *ctx, int32_t k, int32_t dims, tacit_model **out);
/* The same for k subspaces of dimension q: subspaces in place of centers, no offsets, no profile,
   no labels. */
tacit_status tac_model_new_subspaces(tacit_ctx *ctx, int32_t k, int32_t q, int32_t dims,
                                     tacit_model **out);
bool tac_model_is_subspace(const tacit_model *model);
/* Is a column of the model the share of a category, which may well be 0 or 1? */
bool tac_model_is_share(const tacit_model *model, int32_t column);
bool tac_model_is_blocks(const tacit_model *model); /* a co-clustering */
/* The same for a co-clustering: room for k x (l + rest) clusters, sizes NaN, an empty rule with
   room for so many groups and profiles. */
tacit_status tac_model_new_blocks(tacit_ctx *ctx, int32_t k, int32_t l, bool rest, int32_t dims,
                                  int32_t groups, int32_t profiles, tacit_model **out);
void tac_blocks_free(tac_blocks_released *blocks);
/* Width of the table: l, and "rest". */
int32_t tac_blocks_width(const tac_blocks_released *blocks);
/* Sums of the table's rows (k numbers) and columns (width numbers). */
void tac_blocks_masses(const tacit_model *model, double *row, double *column);
/* Goodman and Kruskal's tau of the table with the noise's expected energy taken out, 0 .. 1. */
tacit_status tac_blocks_tau(tacit_ctx *ctx, const tacit_model *model, double *rows,
                            double *columns);
/* What a model made from another one has in common with it: columns, geometry and card. The other's
   must be empty. */
tacit_status tac_model_copy_head(tacit_ctx *ctx, const tacit_model *from, tacit_model *to);
/* *field becomes a copy of text; what it held is freed and may be `text` itself. */
tacit_status tac_model_set_text(tacit_ctx *ctx, char **field, const char *text);
/* Room for this many lines on the card, zeroed; once per model. */
tacit_status tac_model_new_queries(tacit_ctx *ctx, tacit_model *model, int32_t queries);
/* Room for this many sentences, all NULL; once per model. */
tacit_status tac_model_new_notes(tacit_ctx *ctx, tacit_model *model, int32_t notes);

/* Room for overall (sd: NaN) and for where the columns of each cluster begin; once per model. */
tacit_status tac_model_new_overall(tacit_ctx *ctx, tacit_model *model);
void tac_overall_free(tac_overall *overall);

/* What is wrong with a model, in the words of the release file. */
typedef struct tac_fault {
    char field[96];    /* "privacy.queries[3].cost" */
    const char *cause; /* "must be a number of at least 0" */
} tac_fault;

/* True and the first fault if the model breaks a rule of docs/release-format.md. The writer refuses
   such a model, the reader such a file: what is written can be read. */
bool tac_model_find_fault(const tacit_model *model, tac_fault *fault);

/* The one word for each enum and derived field in the file, used by the writer and the reader. */
extern const char *const tac_family_words[4];
extern const char *const tac_scale_words[2];
extern const char *const tac_neighbor_words[3];
extern const char *const tac_randomness_words[3]; /* [insecure_seed]; [2]: plain */
extern const char *const tac_seed_words;          /* why a test seed is not private */
extern const char *const tac_accountant_words[3];
/* the parameter that adds up, for each accountant */
extern const char *const tac_native_words[3];
const char *tac_native_word(const char *accountant);
/* where the shape of a table of counts comes from */
extern const char *const tac_shape_words[2];
extern const char *const tac_table_words[2]; /* what its table is in */

#endif
