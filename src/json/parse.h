/* SPDX-License-Identifier: Apache-2.0 */
/* JSON text as a tree. A parser of our own: a release is read back where memory may run out, and
   then a number must never be read as another one, nor the program end. */
#ifndef TAC_PARSE_H
#define TAC_PARSE_H

#include "core/core.h"

typedef enum tac_node_kind {
    TAC_NODE_NULL,
    TAC_NODE_FALSE,
    TAC_NODE_TRUE,
    TAC_NODE_INTEGER,
    TAC_NODE_REAL,
    TAC_NODE_TEXT,
    TAC_NODE_LIST,
    TAC_NODE_OBJECT
} tac_node_kind;

typedef struct tac_node {
    tac_node_kind kind;
    const char *key; /* of a field of an object */
    size_t count;    /* of a list or an object: so many nodes at `child` */
    union {
        int64_t integer;
        double real;
        const char *text;
        size_t first; /* while parsing */
        const struct tac_node *child;
    };
} tac_node;

/* All of `text` must be one value: RFC 8259, UTF-8, no NUL, no field twice in an object, integers
   of 64 bits. text[length] is '\0'. Texts of the tree are decoded in place: `text` is changed and
   must outlive the tree. tree: yours to tac_free; root: in it. `path` and `fix` (what to do about a
   file that is none): for the sentence, which quotes no more of the file than a name of plain
   letters. */
tacit_status tac_parse(tacit_ctx *ctx, const char *path, const char *fix, char *text, size_t length,
                       tac_node **tree, const tac_node **root);

/* All take NULL for a node that is not there. */
static inline bool tac_node_is(const tac_node *n, tac_node_kind kind)
{
    return n != NULL && n->kind == kind;
}
static inline bool tac_node_is_bool(const tac_node *n)
{
    return tac_node_is(n, TAC_NODE_FALSE) || tac_node_is(n, TAC_NODE_TRUE);
}
static inline bool tac_node_is_number(const tac_node *n)
{
    return tac_node_is(n, TAC_NODE_INTEGER) || tac_node_is(n, TAC_NODE_REAL);
}
static inline const char *tac_node_text(const tac_node *n)
{
    return tac_node_is(n, TAC_NODE_TEXT) ? n->text : "";
}
static inline int64_t tac_node_integer(const tac_node *n)
{
    return tac_node_is(n, TAC_NODE_INTEGER) ? n->integer : 0;
}
static inline double tac_node_number(const tac_node *n)
{
    return tac_node_is(n, TAC_NODE_REAL) ? n->real : (double)tac_node_integer(n);
}
static inline size_t tac_node_count(const tac_node *list)
{
    return tac_node_is(list, TAC_NODE_LIST) ? list->count : 0;
}
static inline const tac_node *tac_node_at(const tac_node *list, size_t i)
{
    return i < tac_node_count(list) ? &list->child[i] : NULL;
}
const tac_node *tac_node_field(const tac_node *object, const char *name); /* NULL: there is none */
/* A field's name that can be shown: short and of plain letters. */
bool tac_node_name_is_plain(const char *name);

#endif
