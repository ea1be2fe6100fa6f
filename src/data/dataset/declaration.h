/* SPDX-License-Identifier: Apache-2.0 */
/* A declaration: what a table is, said once by its owner. Format, columns with their roles and
   ranges, whose rows they are, what is protected, the rule for missing values, shape and
   vocabulary. Never read from rows. As a file it is a Frictionless Table Schema with keys of our
   own under "tacit"; a ledger keeps it in one canonical form, bound to the header of its file. */
#ifndef TAC_DECLARATION_H
#define TAC_DECLARATION_H

#include "data/dataset/file_names.h"
#include "data/readers/reader.h"

#define TAC_DIGEST 32
#define TAC_DECLARATION_VERSION 1
/* bytes: written by a person, or one line for each of many columns */
#define TAC_DECLARATION_MOST (16 << 20)

typedef enum tac_role {
    TAC_ROLE_FEATURE = 0,
    TAC_ROLE_UNIT,
    TAC_ROLE_LABEL,
    TAC_ROLE_ID,
    TAC_ROLE_IGNORE,
    TAC_ROLE_PART, /* row, col and count of triplets that are so called */
    TAC_ROLE_ROW,  /* and those that are called otherwise */
    TAC_ROLE_COL,
    TAC_ROLE_COUNT,
    TAC_ROLE_UNSAID
} tac_role;

typedef struct tac_declared_field {
    char *name;
    char type[16]; /* as the file writes it: "number", "string", ...; "": not said */
    tac_role role;
    double lower, upper; /* of a feature; NaN: not declared */
    bool estimate;       /* its bounds are estimated, within lower and upper if they are declared */
    tac_feature feature; /* what it holds; its name is not used; missing: DEFAULT as the table */
    int32_t column;      /* its place in the file from 0; -1: not bound yet */
} tac_declared_field;

struct tacit_declaration {
    char *where;         /* for sentences: the schema's path, or the ledger's */
    tacit_format format; /* TACIT_FORMAT_AUTO: not said */
    tac_dialect dialect; /* of CSV, TSV and triplets; 0: as the format has it */
    int32_t fields;
    /* header formats: every column in order; others: those that are not plain features */
    tac_declared_field *field;
    tac_files files;   /* of which the table is made; count 0: of one, or not said */
    int32_t unit;      /* among the fields, or -1 */
    int32_t most_rows; /* of a person; 0: not said */
    tacit_neighbors neighbors;
    tacit_missing missing;
    int32_t missing_words;
    /* what stands for a missing value, besides what tacit takes for one anyway */
    char **missing_word;
    double all_lower, all_upper; /* of features without a range of their own; NaN: none */
    double radius;               /* a ball instead of ranges; NaN: none */
    /* 0: the origin; 1: the same for all; else one for every feature, in their order */
    int32_t centers;
    double *center;
    int64_t shape_rows; /* 0: not said */
    int32_t shape_columns;
    char *vocabulary; /* path; NULL: none, or words */
    char *words;      /* the words themselves, one a line; NULL: none, or a path */
    bool has_words_hash;
    uint8_t words_hash[TAC_DIGEST];
    bool bound; /* columns have their places, and the next is known: */
    uint8_t header[TAC_DIGEST];
};

extern const char *const tac_role_names[TAC_ROLE_UNSAID];
extern const char *const tac_relation_names[3]; /* by tacit_neighbors */

tacit_status tac_declaration_new(tacit_ctx *ctx, const char *where, tacit_declaration **out);
tacit_status tac_declaration_copy(tacit_ctx *ctx, const tacit_declaration *from,
                                  tacit_declaration **out);
tacit_status tac_declaration_add(tacit_ctx *ctx, tacit_declaration *d, const char *name,
                                 tac_declared_field **out);
/* The text of a JSON file; it is changed. where: for sentences. */
tacit_status tac_declaration_read_text(tacit_ctx *ctx, const char *where, char *text, size_t length,
                                       tacit_declaration **out);
/* The canonical form, for tac_free: the same bytes for the same declaration. */
tacit_status tac_declaration_write(tacit_ctx *ctx, const tacit_declaration *d, char **out);
/* What does not depend on any file: roles, ranges, what excludes what. */
tacit_status tac_declaration_check(tacit_ctx *ctx, const tacit_declaration *d);
/* What a ledger needs beyond that. */
tacit_status tac_declaration_check_ledger(tacit_ctx *ctx, const tacit_declaration *d);

/* The rule for a whole table that goes with a rule for all columns: what to fill in is each
   column's own. */
static inline tacit_missing tac_table_rule(tacit_missing rule)
{
    return rule == TACIT_MISSING_FILL ? TACIT_MISSING_DROP_ROW : rule;
}

/* The role of a column by its place; of columns that are not listed, feature. */
tac_role tac_declared_role(const tacit_declaration *d, int32_t column);
/* NULL: not listed */
const tac_declared_field *tac_declared_column(const tacit_declaration *d, int32_t column);
/* false: none. estimate: they only limit what is estimated, and may be infinite. Categories: 0 and
   1. */
bool tac_declared_range(const tacit_declaration *d, int32_t column, double *lower, double *upper,
                        bool *estimate);

void tac_digest_start(void *state);
void tac_digest_text(void *state, const char *text);
void tac_hex(const uint8_t digest[TAC_DIGEST], char out[2 * TAC_DIGEST + 1]);

/* ---- declaration_features.c ---- */

/* What a field says of its values, once its name, type and role are known; the node is its object
   in the schema. */
struct tac_node;
tacit_status tac_declaration_read_feature(tacit_ctx *ctx, const char *where,
                                          const struct tac_node *field, tac_declared_field *f);
/* Are its categories listed, or is it a boolean? */
bool tac_field_has_words(const struct tac_node *field);

/* ---- declaration_data.c: with an opened file ---- */

/* The digest of what the file says of itself before its rows: format, separator, names and their
   order. */
tacit_status tac_data_header(tacit_ctx *ctx, const tacit_data *data, uint8_t out[TAC_DIGEST]);
/* Gives the fields their places in the opened file and takes the digest of its header, or says
   what does not fit. */
tacit_status tac_declaration_bind(tacit_ctx *ctx, tacit_declaration *d, const tacit_data *data);
/* Is `data`, with this budget, what was declared? Refuses what is not, with both values. Columns:
   those declared as features, or some of them. counts: they are going to be read as counts, which
   have no domain. NULL for budget: rows are not going to be asked. */
tacit_status tac_declaration_agrees(tacit_ctx *ctx, const tacit_declaration *d,
                                    const tacit_data *data, bool counts,
                                    const tacit_budget *budget);

/* The same about its domain alone. */
tacit_status tac_declaration_domain(tacit_ctx *ctx, const tacit_declaration *d,
                                    const tacit_data *data);
bool tac_declaration_has_domain(const tacit_declaration *d);
/* The role of a column of the opened file; every item of triplets is a feature. */
tac_role tac_data_role(const tacit_declaration *d, const tacit_data *data, int32_t column);
/* The declared center of a ball in the j-th column in use. */
double tac_declared_center(const tacit_declaration *d, const tacit_data *data, int32_t j);
/* Takes from the declaration what the options do not say, and refuses what they say otherwise.
   Before the file is opened. */
tacit_status tac_declaration_merge(tacit_ctx *ctx, const tacit_declaration *d,
                                   tacit_data_opts *opts);

#endif
