/* SPDX-License-Identifier: Apache-2.0 */
/* Features: what the columns in use are, and how the values of a row become coordinates. A column
   of numbers is one coordinate, as it stands or behind a transform; a column of categories is one
   coordinate for each of them, 1 for the row's own and 0 for the others. Everything here is public:
   declared, and a function of one row. */
#ifndef TAC_FEATURE_H
#define TAC_FEATURE_H

#include "core/core.h"

/* How the cells of a column in use are read. */
typedef enum tac_value_kind {
    TAC_VALUE_NUMBER = 0,
    /* one of the declared words, as its place 0, 1, ...; any other text is a missing value */
    TAC_VALUE_CATEGORY = 1,
    TAC_VALUE_DATE = 2 /* 2026-11-17, a time of day behind it or not: days since 1970-01-01 */
} tac_value_kind;
typedef struct tac_value_rule {
    tac_value_kind kind;
    int32_t words; /* CATEGORY: 1 .. TAC_MOST_CATEGORIES, all different, none empty */
    char **word;
    /* CATEGORY of the words false and true: 0, 1, no, yes, F, T, ... in any case are read too */
    bool boolean;
} tac_value_rule;
#define TAC_MOST_CATEGORIES 1000

/* A monotone function of a number; distances, bounds and means are those of its values. */
typedef enum tac_transform {
    TAC_AS_IS = 0,
    TAC_LOG = 1,   /* log x, x > 0 */
    TAC_LOG1P = 2, /* log(1 + x), x > -1 */
    TAC_SQRT = 3,  /* sqrt x, x >= 0 */
    TAC_TRANSFORMS
} tac_transform;

typedef struct tac_feature {
    char *name; /* of the column */
    tac_value_rule value;
    tac_transform transform; /* of numbers */
    double weight;           /* > 0: distances in this column count so much */
    tacit_missing missing;   /* never TACIT_MISSING_DEFAULT once the table is open */
    double fill;             /* TACIT_MISSING_FILL: a number, a day, or the place of a word */
    int32_t first, width;    /* its coordinates are first .. first + width - 1 */
} tac_feature;

typedef struct tac_features {
    int32_t count;
    tac_feature *feature;
    int32_t dims; /* coordinates */
    /* the coordinates of a row are the values of its columns as they stand */
    bool plain;
    bool weighted; /* some weight is not 1 */
    bool drops;    /* rows that lack a value may be left out */
} tac_features;

extern const char *const tac_kind_words[3];                   /* by tac_value_kind */
extern const char *const tac_transform_words[TAC_TRANSFORMS]; /* "none", "log", "log1p", "sqrt" */
extern const char *const tac_missing_words[6];                /* by tacit_missing */
#define TAC_OWN_WORD "(missing)" /* the name of the category of those that have none */

/* Room for `count` plain numbers of weight 1 without names; `rule` for all of them. */
tacit_status tac_features_new(tacit_ctx *ctx, int32_t count, tacit_missing rule, tac_features *out);
void tac_features_clear(tac_features *features);
tacit_status tac_features_copy(tacit_ctx *ctx, const tac_features *from, tac_features *out);
/* The parts of a feature that own memory. */
tacit_status tac_feature_copy(tacit_ctx *ctx, const tac_feature *from, tac_feature *out);
void tac_feature_clear(tac_feature *feature);
/* Gives every feature its coordinates. To be called after any change. */
void tac_features_place(tac_features *features);
/* Do two say the same of a column? Names and places do not count. */
bool tac_feature_same(const tac_feature *a, const tac_feature *b);
/* Is there nothing to say of it but its rule for missing values? */
bool tac_feature_is_plain(const tac_feature *feature);
/* The place of a word among the categories, or -1. */
int32_t tac_feature_word(const tac_feature *feature, const char *word);
/* Words that make categories: 1 to TAC_MOST_CATEGORIES, none empty or with control characters, all
   different. Takes copies. where: for the sentence. */
tacit_status tac_feature_set_words(tacit_ctx *ctx, const char *where, char *const *words,
                                   int32_t count, tac_feature *feature);
/* What one feature may say: rules of its kind, weight, fill. where: for the sentence. */
tacit_status tac_feature_check(tacit_ctx *ctx, const char *where, const tac_feature *feature);
/* Bounds that its transform can take; infinite ones are fine. */
tacit_status tac_feature_check_bounds(tacit_ctx *ctx, const tac_feature *feature, double lower,
                                      double upper);

/* The feature of a coordinate. */
const tac_feature *tac_feature_at(const tac_features *features, int32_t coordinate);
/* The name of a coordinate, for tac_free: "age", "region=north". */
tacit_status tac_coordinate_name(tacit_ctx *ctx, const tac_features *features, int32_t coordinate,
                                 char **out);

/* Where there is no such number, minus infinity: bounds move it to the lower one. NaN stays NaN. */
double tac_transformed(tac_transform transform, double x);
double tac_untransformed(tac_transform transform, double y);
/* d x / d y at y */
double tac_untransformed_slope(tac_transform transform, double y);

/* Values become coordinates, in place: rows x count numbers as read, NaN where missing, become rows
   x dims numbers, NaN where nothing is known. Each row by itself, and of public numbers besides. */
void tac_features_encode(const tac_features *features, int64_t rows, double *values);
/* A released point, dims numbers: a column's own units become its transform's, and back. Back, with
   the standard deviations that go with it (NULL: none), the shares of a column's categories are
   made to lie in [0, 1] and to add up to 1: the nearest such shares. */
void tac_features_transform_point(const tac_features *features, double *point);
void tac_features_restore_point(const tac_features *features, double *point, double *sd);
/* The same for standard deviations of the rows about a point that is not yet restored; sd: those of
   the point's own numbers. Of a category's share p they are sqrt(p (1 - p)). NaN: not known. */
void tac_features_restore_spread(const tac_features *features, const double *point,
                                 const double *sd, double *spread, double *spread_sd);
/* Is a row left out for what it lacks? point: its dims coordinates. */
bool tac_features_drop(const tac_features *features, const double *point);

/* "2026-11-17", also with a time of day behind it, which does not count: days since 1970-01-01.
   Blanks around it do not count. False: no date that there is. */
bool tac_parse_date(const char *text, size_t length, double *days);
/* The date of a day, rounded down; out: 16 bytes. */
void tac_write_date(double days, char *out);

#endif
