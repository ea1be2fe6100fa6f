/* SPDX-License-Identifier: Apache-2.0 */
/* JSON text as a tree: one block of nodes, the children of a node beside each other, texts where
   they stood in the file. RFC 8259:
     value  = object / list / text / number / "true" / "false" / "null"
     object = "{" [text ":" value *("," text ":" value)] "}"
     list   = "[" [value *("," value)] "]"
     number = ["-"] ("0" / digits) ["." digits] [("e" / "E") ["+" / "-"] digits]
   Stricter than the RFC: no NUL, no field twice, at most MOST_FIELDS fields and DEEPEST levels.
   Children are kept in `open` until their parent ends, then move to `tree` together. */
#include "json/parse.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 32
#define MOST_FIELDS 128 /* of one object */

typedef struct parser {
    tacit_ctx *ctx;
    char *at, *end, *line_start;
    long line;
    int depth;
    const char *cause;     /* what is wrong; NULL and false: memory */
    const char *about;     /* the field it is about, of plain letters; NULL: none, or of others */
    locale_t plain;        /* numbers have a point, whatever the locale */
    tac_node *tree, *open; /* placed for good; children of lists and objects that have not ended */
    size_t used, room, open_used, open_room;
} parser;

/* Note the cause; always false, to be returned. At the end of the text every cause is the same: it
   was cut off. */
static bool wrong(parser *p, const char *cause)
{
    p->cause = p->at >= p->end ? "ends too early, as if cut off" : cause;
    return false;
}

static const char *const not_json = "is not JSON there";

/* A line of the file ends only between values: texts hold no raw line ends. */
static void skip_space(parser *p)
{
    for (; p->at < p->end && strchr(" \t\r\n", *p->at) != NULL && *p->at != '\0'; p->at++)
        if (*p->at == '\n') {
            p->line++;
            p->line_start = p->at + 1;
        }
}

/* Consume one character if it is the wanted one. */
static bool take(parser *p, char wanted)
{
    if (p->at >= p->end || *p->at != wanted) return false;
    p->at++;
    return true;
}

/* Room for `more` nodes. False without a cause: no memory. */
static bool make_room(parser *p, tac_node **nodes, size_t used, size_t more, size_t *room)
{
    if (used + more <= *room) return true;
    const size_t wider = 2 * (used + more) + 64;
    if (tac_grow(p->ctx, nodes, wider, sizeof **nodes) != TACIT_OK) return false;
    *room = wider;
    return true;
}

/* ---- texts ---- */

/* Four hexadecimal digits at s, or -1. */
static long four_digits(const parser *p, const char *s)
{
    long value = 0;

    for (int i = 0; i < 4; i++) {
        if (s + i >= p->end) return -1;
        const char *digit = s[i] == '\0' ? NULL : strchr("0123456789abcdef", s[i] | 0x20);
        if (digit == NULL || (s[i] < '0')) return -1;
        value = 16 * value + (digit - "0123456789abcdef");
    }
    return value;
}

/* \uXXXX, at its u, as UTF-8 to *to: one, or a pair of surrogates. */
static bool unicode(parser *p, char **to)
{
    long code = four_digits(p, p->at + 1);

    if (code < 0) return wrong(p, not_json);
    if (code == 0) return wrong(p, "holds a NUL character");
    p->at += 5;
    if (code >= 0xd800 && code < 0xe000) {
        const bool pair =
            code < 0xdc00 && p->end - p->at >= 6 && p->at[0] == '\\' && p->at[1] == 'u';
        const long low = pair ? four_digits(p, p->at + 2) : -1;
        if (low < 0xdc00 || low >= 0xe000) return wrong(p, not_json);
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        p->at += 6;
    }
    if (code < 0x80) {
        *(*to)++ = (char)code;
        return true;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *(*to)++ = (char)((more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0) | code >> 6 * more);
    for (int i = more - 1; i >= 0; i--) *(*to)++ = (char)(0x80 | (code >> 6 * i & 0x3f));
    return true;
}

/* A text, at its first quote, decoded where it stands: it never grows. */
static bool text(parser *p, const char **out)
{
    static const char plain[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char *to = ++p->at;
    uint32_t code;

    *out = to;
    while (p->at < p->end && *p->at != '"') {
        const unsigned char next = (unsigned char)*p->at;
        if (next == '\\') {
            p->at++;
            const char *found = p->at < p->end && *p->at != '\0' ? strchr(plain, *p->at) : NULL;
            if (found != NULL) {
                *to++ = meant[found - plain];
                p->at++;
            } else if (p->at >= p->end || *p->at != 'u') {
                return wrong(p, not_json);
            } else if (!unicode(p, &to)) {
                return false;
            }
            continue;
        }
        const size_t length = next < 0x20 ? 0 : tac_utf8(p->at, (size_t)(p->end - p->at), &code);
        if (length == 0)
            return wrong(p, next == 0     ? "holds a NUL character"
                            : next < 0x20 ? not_json
                                          : "holds bytes that are not UTF-8");
        memmove(to, p->at, length);
        to += length;
        p->at += length;
    }
    if (!take(p, '"')) return wrong(p, not_json);
    *to = '\0';
    return true;
}

/* The contract stands in parse.h: what a sentence may quote of a file. */
bool tac_node_name_is_plain(const char *name)
{
    const size_t length = strlen(name);
    return length > 0 && length <= 40 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
               length;
}

/* ---- numbers ---- */

/* One or more digits. */
static bool digits(parser *p)
{
    const char *start = p->at;

    while (p->at < p->end && *p->at >= '0' && *p->at <= '9') p->at++;
    return p->at > start;
}

/* A number, by the grammar first, since strtod would take more. Whole numbers must fit 64 bits;
   others must be finite. */
static bool number(parser *p, tac_node *out)
{
    char *start = p->at;
    bool whole = true;

    (void)take(p, '-');
    if (!take(p, '0') && !digits(p)) return wrong(p, not_json);
    if (take(p, '.')) {
        whole = false;
        if (!digits(p)) return wrong(p, not_json);
    }
    if (take(p, 'e') || take(p, 'E')) {
        whole = false;
        if (!take(p, '+')) (void)take(p, '-');
        if (!digits(p)) return wrong(p, not_json);
    }
    const char after = *p->at; /* the number must end here for strtod, too */
    *p->at = '\0';
    errno = 0;
    out->kind = whole ? TAC_NODE_INTEGER : TAC_NODE_REAL;
    if (whole)
        out->integer = strtoll(start, NULL, 10);
    else
        out->real = strtod_l(start, NULL, p->plain);
    *p->at = after;
    if (!(whole ? errno == ERANGE : isinf(out->real))) return true;
    p->cause = "holds a number that is too large";
    return false;
}

/* ---- values ---- */

static bool value(parser *p, tac_node *out);

/* The name of a field and the colon after it. */
static bool name_of(parser *p, tac_node *child)
{
    skip_space(p);
    if (p->at >= p->end || *p->at != '"') return wrong(p, not_json);
    if (!text(p, &child->key)) return false;
    skip_space(p);
    return take(p, ':') || wrong(p, not_json);
}

/* Does a name occur twice? Refused, for one of the two would be read while a person or another
   program may look at the other. Quadratic, with at most MOST_FIELDS fields. */
static bool twice(parser *p, const tac_node *field, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            if (strcmp(field[i].key, field[j].key) != 0) continue;
            p->cause = "names a field twice in one object";
            p->about = tac_node_name_is_plain(field[i].key) ? field[i].key : NULL;
            return true;
        }
    return false;
}

/* A list or an object, after its first bracket. */
static bool container(parser *p, tac_node_kind kind, tac_node *out)
{
    const char last = kind == TAC_NODE_LIST ? ']' : '}';
    const size_t mark = p->open_used;

    if (++p->depth > DEEPEST) return wrong(p, "is nested too deeply");
    skip_space(p);
    for (bool ended = take(p, last); !ended;) {
        tac_node child = {.key = NULL};
        if (kind == TAC_NODE_OBJECT && !name_of(p, &child)) return false;
        if (kind == TAC_NODE_OBJECT && p->open_used - mark >= MOST_FIELDS)
            return wrong(p, "has too many fields in one object");
        if (!value(p, &child) || !make_room(p, &p->open, p->open_used, 1, &p->open_room))
            return false;
        p->open[p->open_used++] = child;
        skip_space(p);
        ended = take(p, last);
        if (!ended && !take(p, ',')) return wrong(p, not_json);
    }
    const size_t count = p->open_used - mark;
    /* none: perhaps no room yet */
    if (kind == TAC_NODE_OBJECT && count > 1 && twice(p, p->open + mark, count)) return false;
    /* one more: for the root */
    if (!make_room(p, &p->tree, p->used, count + 1, &p->room)) return false;
    if (count > 0) memcpy(p->tree + p->used, p->open + mark, count * sizeof *p->tree);
    out->kind = kind;
    out->count = count;
    out->first = p->used;
    p->used += count;
    p->open_used = mark;
    p->depth--;
    return true;
}

/* true, false or null. */
static bool word(parser *p, const char *wanted, tac_node_kind kind, tac_node *out)
{
    out->kind = kind;
    for (; *wanted != '\0'; wanted++)
        if (!take(p, *wanted)) return wrong(p, not_json);
    return true;
}

static bool value(parser *p, tac_node *out)
{
    skip_space(p);
    if (take(p, '{')) return container(p, TAC_NODE_OBJECT, out);
    if (take(p, '[')) return container(p, TAC_NODE_LIST, out);
    if (p->at >= p->end) return wrong(p, not_json);
    switch (*p->at) {
    case '"': out->kind = TAC_NODE_TEXT; return text(p, &out->text);
    case 't': return word(p, "true", TAC_NODE_TRUE, out);
    case 'f': return word(p, "false", TAC_NODE_FALSE, out);
    case 'n': return word(p, "null", TAC_NODE_NULL, out);
    default: return number(p, out);
    }
}

/* One value and nothing after it. The root comes last in the tree. */
static bool everything(parser *p)
{
    tac_node root = {.key = NULL};

    if (!value(p, &root)) return false;
    skip_space(p);
    if (p->at < p->end) return wrong(p, "goes on after its end");
    if (!make_room(p, &p->tree, p->used, 1, &p->room)) return false;
    p->tree[p->used++] = root;
    return true;
}

/* The contract stands in parse.h. Children are addressed by index while the block may still move,
   by pointer in the end. */
tacit_status tac_parse(tacit_ctx *ctx, const char *path, const char *fix, char *text, size_t length,
                       tac_node **tree, const tac_node **root)
{
    parser p = {.ctx = ctx, .at = text, .end = text + length, .line_start = text, .line = 1};
    tacit_status status = TACIT_OK;

    *tree = NULL;
    *root = NULL;
    p.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const bool good = p.plain != (locale_t)0 && everything(&p);
    if (p.plain != (locale_t)0) freelocale(p.plain);
    tac_free(p.open);
    if (!good) {
        tac_free(p.tree);
        status =
            p.cause == NULL
                ? tac_fail(ctx, TACIT_E_MEMORY,
                           "out of memory while reading %s; use a machine with more memory", path)
                : tac_fail(ctx, TACIT_E_FORMAT, "%s: line %ld, column %ld: the file %s%s%s; %s",
                           path, p.line, (long)(p.at - p.line_start) + 1, p.cause,
                           p.about == NULL ? "" : ": ", p.about == NULL ? "" : p.about, fix);
        return status;
    }
    for (size_t i = 0; i < p.used; i++) /* the block stays where it is now */
        if (p.tree[i].kind == TAC_NODE_LIST || p.tree[i].kind == TAC_NODE_OBJECT)
            p.tree[i].child = p.tree + p.tree[i].first;
    *tree = p.tree;
    *root = &p.tree[p.used - 1];
    return status;
}

const tac_node *tac_node_field(const tac_node *object, const char *name)
{
    for (size_t i = 0; tac_node_is(object, TAC_NODE_OBJECT) && i < object->count; i++)
        if (strcmp(object->child[i].key, name) == 0) return &object->child[i];
    return NULL;
}
