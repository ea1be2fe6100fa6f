/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of a release share among themselves. */
#ifndef TAC_MODEL_INTERNAL_H
#define TAC_MODEL_INTERNAL_H

#include "release/fields.h"
#include "json/json.h"
#include "release/model.h"

/* What every family has: k, dims, room for names of columns and for sizes. */
tacit_status tac_model_new_bare(tacit_ctx *ctx, int32_t k, int32_t dims, tacit_model **out);

/* ---- rules: true and the fault if one is broken ---- */

bool tac_fault_at(tac_fault *fault, const char *cause, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool tac_is_deviation(double value); /* NaN stands for one that is not known */
bool tac_bad_blocks(const tacit_model *model, tac_fault *fault);
bool tac_bad_card(const tacit_model *model, tac_fault *fault);
/* synopsis.c: cells, and what a release was cut from */
bool tac_bad_synopsis(const tacit_model *model, tac_fault *fault);
bool tac_bad_explanation(const tacit_model *model, tac_fault *fault);
bool tac_bad_k_choice(const tacit_model *model, tac_fault *fault);
/* what the queries cost in all, in the native parameter */
double tac_card_cost(const tac_card *card);
extern const char tac_not_finite[], tac_negative[], tac_no_deviation[], tac_not_positive[];

/* Our own words: there, and without control characters that a terminal would obey. */
bool tac_bad_words(tac_fault *fault, const char *text, const char *field);

/* ---- the file ---- */

/* [logarithm]: what a count counts for in a rule */
extern const char *const tac_rule_value_words[2];
/* where a cluster's center lies from the mean of all rows */
extern const char *const tac_direction_words[2];

void tac_put_card(tac_json *json, const tacit_model *model);
/* A co-clustering, from after "method" to the end. */
void tac_put_blocks(tacit_ctx *ctx, tac_json *json, const tacit_model *model);
/* explain_json.c: spread, overall, distinct. */
void tac_put_explanation(tac_json *json, const tacit_model *model);
/* k_choice.c: how sure a chosen k is; nothing where it was given. */
void tac_put_k_choice(tac_json *json, const tacit_model *model);
tacit_status tac_read_k_choice(const tac_section *top, tacit_model *model);
/* synopsis_json.c: nothing where there is none; the same of what a release was cut from. */
void tac_put_synopsis(tac_json *json, const tacit_model *model);
tacit_status tac_read_synopsis(const tac_section *top, tacit_model *model);
void tac_put_cut_from(tac_json *json, const tac_cut_from *from);
tacit_status tac_read_cut_from(const tac_section *top, tacit_model *model);
void tac_put_notes(tac_json *json, const tacit_model *model);
void tac_put_labels(tac_json *json, const tacit_model *model);
/* k lines of so many numbers. put: with or without nulls. */
void tac_put_table(tac_json *json, const char *key, const double *value, int32_t k, int32_t wide,
                   void (*put)(tac_json *, const char *, const double *, size_t));
void tac_put_columns(tac_json *json, const tacit_model *model);
/* What the columns hold; reading one that has none leaves *out empty. */
void tac_put_features(tac_json *json, const tac_features *features);
tacit_status tac_read_features(const tac_section *section, tac_features *out);
extern const char *const tac_mean_words[TAC_TRANSFORMS]; /* what a center is */

#endif
