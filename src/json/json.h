/* SPDX-License-Identifier: Apache-2.0 */
/* A small JSON writer for files that people read: fixed order, two-space indent, the same bytes for
   the same values whatever the locale. Reading: parse.h and fields.h. */
#ifndef TAC_JSON_H
#define TAC_JSON_H

#include "core/core.h"

#define TAC_JSON_DEPTH 8

/* How the inside of an object or array is laid out. */
typedef enum tac_json_layout {
    TAC_JSON_LINES, /* one element per line */
    TAC_JSON_ROW    /* all on one line: ["age", "stay"] */
} tac_json_layout;

typedef struct tac_json {
    tacit_ctx *ctx;
    tacit_status status; /* of the first failure; calls after it do nothing */
    char *text;
    size_t length, room;
    int depth;
    struct {
        char end;
        tac_json_layout layout;
        bool started;
    } level[TAC_JSON_DEPTH];
} tac_json;

/* Write values in order; `key` is NULL inside an array. Nothing to check until tac_json_finish. */
void tac_json_start(tac_json *json, tacit_ctx *ctx);
void tac_json_object(tac_json *json, const char *key, tac_json_layout layout);
void tac_json_array(tac_json *json, const char *key, tac_json_layout layout);
void tac_json_end(tac_json *json); /* of the innermost object or array */

/* UTF-8 in; quotes, backslashes and what is not plain (tac_is_plain) are escaped, bytes that are
   not UTF-8 become U+FFFD. */
void tac_json_text(tac_json *json, const char *key, const char *text);
/* The fewest digits (15, 16 or 17) that read back as the same double; -0 is written 0. Not finite:
   a failure. */
void tac_json_number(tac_json *json, const char *key, double value);
/* NaN, which stands for an unknown figure, as null; otherwise as above. */
void tac_json_maybe(tac_json *json, const char *key, double value);
void tac_json_null(tac_json *json, const char *key);
void tac_json_integer(tac_json *json, const char *key, int64_t value);
void tac_json_bool(tac_json *json, const char *key, bool value);
/* a one-line array */
void tac_json_numbers(tac_json *json, const char *key, const double *value, size_t count);
/* the same, with nulls */
void tac_json_maybes(tac_json *json, const char *key, const double *value, size_t count);

/* a one-line array */
void tac_json_integers(tac_json *json, const char *key, const int32_t *value, size_t count);

/* Adds the final newline. *out is the caller's to free with tac_free; NULL after a failure. Frees
   the writer. */
tacit_status tac_json_finish(tac_json *json, char **out);

#endif
