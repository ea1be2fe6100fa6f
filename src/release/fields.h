/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of a JSON object, with types checked and sentences that name the file, the field and the
   rule. */
#ifndef TAC_FIELDS_H
#define TAC_FIELDS_H

#include "json/parse.h"

/* One object of the file being read. Borrowed: the tree outlives it. */
typedef struct tac_section {
    tacit_ctx *ctx;
    const char *file; /* path, for the sentences */
    char where[64];   /* "" at the top, else ends in a dot: "privacy.queries[3]." */
    const tac_node *object;
} tac_section;

/* TACIT_E_FORMAT: "<file>: field <where><field> <cause>; <fix>". Values of the file are never
   shown. */
tacit_status tac_field_refuse(const tac_section *section, const char *field, const char *cause);

/* Refuse every field that is not in `names`: a release holds what was paid for and nothing else. */
tacit_status tac_section_only(const tac_section *section, const char *const *names, size_t count);
/* The object in field `name`. */
tacit_status tac_section_inside(const tac_section *section, const char *name, tac_section *out);
/* The object at place `index` of the list in field `name`. */
tacit_status tac_section_item(const tac_section *section, const char *name, const tac_node *list,
                              size_t index, tac_section *out);

bool tac_field_present(const tac_section *section, const char *name);
tacit_status tac_field_absent(const tac_section *section, const char *name, const char *cause);
/* a copy, yours */
tacit_status tac_field_text(const tac_section *section, const char *name, char **out);
tacit_status tac_field_word(const tac_section *section, const char *name, const char *const *words,
                            int count, int *out); /* index of the word */
tacit_status tac_field_bool(const tac_section *section, const char *name, bool *out);
tacit_status tac_field_integer(const tac_section *section, const char *name, int64_t least,
                               int64_t most, int64_t *out);
tacit_status tac_field_number(const tac_section *section, const char *name, double *out);
/* null becomes NaN */
tacit_status tac_field_maybe(const tac_section *section, const char *name, double *out);
/* A list with exactly `count` entries; a list of any length with count < 0. */
tacit_status tac_field_list(const tac_section *section, const char *name, int64_t count,
                            const tac_node **out);
/* The numbers of an already found list; `name` as it should stand in the sentence. */
tacit_status tac_list_numbers(const tac_section *section, const char *name, const tac_node *list,
                              double *out);
/* null becomes NaN */
tacit_status tac_list_maybes(const tac_section *section, const char *name, const tac_node *list,
                             double *out);
/* Whole numbers of least to most; wrong: what one must be. */
tacit_status tac_list_integers(const tac_section *section, const char *name, const tac_node *list,
                               int64_t least, int64_t most, const char *wrong, int32_t *out);

#endif
