/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON writer: a growing buffer, layout, escapes, numbers. The first failure is kept in
   `status`, and every call after it does nothing; so callers check once, at the end. */
#include "json/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Append bytes. The text always ends with a zero byte, which `length` does not count. */
static void put(tac_json *json, const char *bytes, size_t count)
{
    if (json->status != TACIT_OK) return;
    if (count >= json->room - json->length) { /* one byte stays free for the terminator */
        size_t room = json->room < 4096 ? 4096 : json->room;
        while (count >= room - json->length) {
            if (room > SIZE_MAX / 2) {
                json->status =
                    tac_fail(json->ctx, TACIT_E_MEMORY, "out of memory while writing a release");
                return;
            }
            room *= 2;
        }
        json->status = tac_grow(json->ctx, &json->text, room, 1);
        if (json->status != TACIT_OK) return;
        json->room = room;
    }
    memcpy(json->text + json->length, bytes, count);
    json->length += count;
    json->text[json->length] = '\0';
}

static void put_text(tac_json *json, const char *text)
{
    put(json, text, strlen(text));
}

static void put_indent(tac_json *json)
{
    put_text(json, "\n");
    for (int i = 0; i < json->depth; i++) put_text(json, "  ");
}

/* A code point in ASCII: one \u escape, or two for a pair of surrogates. */
static void put_escaped(tac_json *json, uint32_t code)
{
    char escape[32];

    if (code < 0x10000)
        snprintf(escape, sizeof escape, "\\u%04x", code);
    else
        snprintf(escape, sizeof escape, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10),
                 0xdc00 + (code & 0x3ff));
    put_text(json, escape);
}

/* A text in quotes. Runs of plain ASCII are copied at once; the rest goes code point by code
   point. */
static void put_quoted(tac_json *json, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    char escape[2];
    uint32_t code = 0;

    put_text(json, "\"");
    while (*s != '\0') {
        size_t plain = 0;
        while (s[plain] >= 0x20 && s[plain] < 0x7f && s[plain] != '"' && s[plain] != '\\') plain++;
        if (plain > 0) {
            put(json, (const char *)s, plain);
            s += plain;
            continue;
        }
        const size_t length = tac_utf8((const char *)s, 4, &code); /* stops at the terminator */
        if (length == 0) {
            put_text(json, "\xef\xbf\xbd"); /* U+FFFD */
            s++;
            continue;
        }
        if (code == '"' || code == '\\') {
            escape[0] = '\\';
            escape[1] = (char)code;
            put(json, escape, 2);
        } else if (code == '\n' || code == '\t' || code == '\r') {
            put_text(json, code == '\n' ? "\\n" : code == '\t' ? "\\t" : "\\r");
        } else if (!tac_is_plain(
                       code)) { /* the text stays the same, and whoever looks at the file sees it */
            put_escaped(json, code);
        } else {
            put(json, text + (s - (const unsigned char *)text), length);
        }
        s += length;
    }
    put_text(json, "\"");
}

/* What precedes a value: comma, new line and indent as the layout says, then the key. */
static void before(tac_json *json, const char *key)
{
    if (json->depth > 0) {
        const int top = json->depth - 1;
        if (json->level[top].started)
            put_text(json, json->level[top].layout == TAC_JSON_ROW ? ", " : ",");
        json->level[top].started = true;
        if (json->level[top].layout == TAC_JSON_LINES) put_indent(json);
    }
    if (key == NULL) return;
    put_quoted(json, key);
    put_text(json, ": ");
}

/* Begin an object or array. Deeper than TAC_JSON_DEPTH is an internal error: the depth of a release
   is fixed. */
static void open_level(tac_json *json, const char *key, const char *start, char end,
                       tac_json_layout layout)
{
    before(json, key);
    put_text(json, start);
    if (json->depth >= TAC_JSON_DEPTH) {
        json->status = tac_fail(json->ctx, TACIT_E_INTERNAL,
                                "a release is nested deeper than its writer allows");
        return;
    }
    json->level[json->depth].end = end;
    json->level[json->depth].layout = layout;
    json->level[json->depth].started = false;
    json->depth++;
}

void tac_json_start(tac_json *json, tacit_ctx *ctx)
{
    memset(json, 0, sizeof *json);
    json->ctx = ctx;
}

void tac_json_object(tac_json *json, const char *key, tac_json_layout layout)
{
    if (json->status == TACIT_OK) open_level(json, key, "{", '}', layout);
}

void tac_json_array(tac_json *json, const char *key, tac_json_layout layout)
{
    if (json->status == TACIT_OK) open_level(json, key, "[", ']', layout);
}

void tac_json_end(tac_json *json)
{
    if (json->status != TACIT_OK || json->depth == 0) return;
    const int top = --json->depth;
    if (json->level[top].layout == TAC_JSON_LINES && json->level[top].started) put_indent(json);
    put(json, &json->level[top].end, 1);
}

void tac_json_text(tac_json *json, const char *key, const char *text)
{
    if (json->status != TACIT_OK) return;
    before(json, key);
    put_quoted(json, text);
}

/* The contract stands in json.h. Works under any locale: the decimal point is replaced
   afterwards. */
void tac_json_number(tac_json *json, const char *key, double value)
{
    char digits[64], plain[64];
    size_t length = 0;

    if (json->status != TACIT_OK) return;
    if (!isfinite(value)) { /* JSON has no word for it, and a release must never need one */
        json->status = tac_fail(json->ctx, TACIT_E_INTERNAL,
                                "field %s of the release is not a finite number; %s",
                                key == NULL ? "(in a list)" : key, "please report it");
        return;
    }
    before(json, key);
    if (value == 0) value = 0; /* drops the sign of -0 */
    /* the fewest digits that read back as the same number: 17 always do */
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        /* same locale as the line above, so its own decimal point */
        if (strtod(digits, NULL) == value) break;
    }
    /* Whatever is no digit, sign or exponent is the locale's decimal point, perhaps of several
       bytes. */
    for (const char *c = digits; *c != '\0'; c++) {
        const bool point = strchr("0123456789+-e", *c) == NULL;
        if (!point)
            plain[length++] = *c;
        else if (length == 0 || plain[length - 1] != '.')
            plain[length++] = '.';
    }
    put(json, plain, length);
}

void tac_json_null(tac_json *json, const char *key)
{
    if (json->status != TACIT_OK) return;
    before(json, key);
    put_text(json, "null");
}

void tac_json_maybe(tac_json *json, const char *key, double value)
{
    if (isnan(value))
        tac_json_null(json, key);
    else
        tac_json_number(json, key, value);
}

void tac_json_integer(tac_json *json, const char *key, int64_t value)
{
    char digits[32];

    if (json->status != TACIT_OK) return;
    before(json, key);
    snprintf(digits, sizeof digits, "%" PRId64, value);
    put_text(json, digits);
}

void tac_json_bool(tac_json *json, const char *key, bool value)
{
    if (json->status != TACIT_OK) return;
    before(json, key);
    put_text(json, value ? "true" : "false");
}

void tac_json_numbers(tac_json *json, const char *key, const double *value, size_t count)
{
    tac_json_array(json, key, TAC_JSON_ROW);
    for (size_t i = 0; i < count; i++) tac_json_number(json, NULL, value[i]);
    tac_json_end(json);
}

void tac_json_maybes(tac_json *json, const char *key, const double *value, size_t count)
{
    tac_json_array(json, key, TAC_JSON_ROW);
    for (size_t i = 0; i < count; i++) tac_json_maybe(json, NULL, value[i]);
    tac_json_end(json);
}

void tac_json_integers(tac_json *json, const char *key, const int32_t *value, size_t count)
{
    tac_json_array(json, key, TAC_JSON_ROW);
    for (size_t i = 0; i < count; i++) tac_json_integer(json, NULL, value[i]);
    tac_json_end(json);
}

/* The first failure wins; a level left open is an internal error. */
tacit_status tac_json_finish(tac_json *json, char **out)
{
    const bool balanced = json->depth == 0;

    *out = NULL;
    put_text(json, "\n");
    const tacit_status status =
        json->status != TACIT_OK ? json->status
        : balanced               ? TACIT_OK
                   : tac_fail(json->ctx, TACIT_E_INTERNAL, "a release was left unfinished");
    if (status == TACIT_OK)
        *out = json->text;
    else
        tac_free(json->text);
    json->text = NULL;
    json->length = json->room = 0;
    return status;
}
