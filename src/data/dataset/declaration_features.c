/* SPDX-License-Identifier: Apache-2.0 */
/* What a field of a declaration says of its values: type, range, categories, weight, transform,
   missing values. Nothing in a schema is trusted. */
#include "data/dataset/declaration.h"
#include "data/readers/reader_internal.h"
#include "json/parse.h"

#include <math.h>
#include <string.h>

static tacit_status wrong(tacit_ctx *ctx, const char *where, const tac_declared_field *f,
                          const char *what)
{
    return tac_fail(ctx, TACIT_E_FORMAT, "%s: " TAC_COLUMN ": %s", where, f->name, what);
}

static bool is_null(const tac_node *node)
{
    return node == NULL || node->kind == TAC_NODE_NULL;
}

bool tac_field_has_words(const tac_node *field)
{
    const tac_node *constraints = tac_node_field(field, "constraints"),
                   *type = tac_node_field(field, "type");

    return (tac_node_is(constraints, TAC_NODE_OBJECT) &&
            !is_null(tac_node_field(constraints, "enum"))) ||
           strcmp(tac_node_text(type), "boolean") == 0;
}

/* A number, or of dates a text such as "1990-01-01". */
static bool read_value(const tac_node *node, const tac_declared_field *f, double *out)
{
    if (f->feature.value.kind == TAC_VALUE_DATE)
        return tac_node_is(node, TAC_NODE_TEXT) &&
               tac_parse_date(node->text, strlen(node->text), out);
    if (!tac_node_is_number(node)) return false;
    *out = tac_node_number(node);
    return true;
}

/* minimum and maximum of a feature; null is the template's, to be filled in. */
static tacit_status read_range(tacit_ctx *ctx, const char *where, const tac_node *constraints,
                               tac_declared_field *f)
{
    const tac_node *low = tac_node_field(constraints, "minimum"),
                   *high = tac_node_field(constraints, "maximum");

    if (f->feature.value.kind == TAC_VALUE_CATEGORY) return TACIT_OK;
    if (low == NULL && high == NULL) return TACIT_OK;
    if (is_null(low) && is_null(high) && f->estimate) return TACIT_OK;
    if (is_null(low) || is_null(high))
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: fill in minimum and maximum of " TAC_COLUMN ", from knowledge of the "
                        "subject and never from "
                        "the rows; or give it "
                        "another role (unit, label, id, ignore)",
                        where, f->name);
    if (!read_value(low, f, &f->lower) || !read_value(high, f, &f->upper))
        return wrong(ctx, where, f,
                     f->feature.value.kind == TAC_VALUE_DATE ? "minimum and maximum must be dates, "
                                                               "as in \"1990-12-31\""
                                                             : "minimum and maximum must be "
                                                               "numbers");
    return TACIT_OK;
}

/* Texts, or numbers as they are written. */
static tacit_status read_words(tacit_ctx *ctx, const char *where, const tac_node *list,
                               tac_declared_field *f)
{
    tacit_status status = TACIT_OK;
    char **words = NULL;

    if (!tac_node_is(list, TAC_NODE_LIST))
        return wrong(ctx, where, f, "constraints.enum must be a list of the categories");
    /* a number with a list of values that it may have is still a number */
    if (strcmp(f->type, "number") == 0 || strcmp(f->type, "integer") == 0)
        return wrong(ctx, where, f,
                     "has a list of values (constraints.enum) and is of type number; make its type "
                     "string to have them as categories, or drop the list");
    TAC_TRY(tac_new(ctx, list->count + 1, sizeof *words, &words));
    for (size_t i = 0; i < list->count; i++) {
        if (list->child[i].kind != TAC_NODE_TEXT)
            TAC_TRY(wrong(ctx, where, f, "constraints.enum must be a list of texts"));
        words[i] = (char *)(uintptr_t)list->child[i].text;
    }
    f->feature.name = f->name; /* for the sentence */
    status = tac_feature_set_words(ctx, where, words, (int32_t)list->count, &f->feature);
    f->feature.name = NULL;
    if (status == TACIT_E_ARGUMENT) status = TACIT_E_FORMAT;
done:
    tac_free(words);
    return status;
}

static tacit_status read_boolean(tacit_ctx *ctx, const char *where, tac_declared_field *f)
{
    static char *const words[] = {(char *)(uintptr_t) "false", (char *)(uintptr_t) "true"};

    f->feature.value.boolean = true;
    return tac_feature_set_words(ctx, where, words, 2, &f->feature);
}

/* "missing": a rule, or "fill": a value. */
static tacit_status read_missing(tacit_ctx *ctx, const char *where, const tac_node *ours,
                                 tac_declared_field *f)
{
    const tac_node *missing = tac_node_field(ours, "missing"), *fill = tac_node_field(ours, "fill");
    tac_feature *feature = &f->feature;

    if (missing != NULL && fill != NULL)
        return wrong(ctx, where, f, "missing and fill exclude each other; keep one");
    if (fill != NULL) {
        feature->missing = TACIT_MISSING_FILL;
        if (feature->value.kind == TAC_VALUE_CATEGORY) {
            const int32_t word =
                tac_node_is(fill, TAC_NODE_TEXT) ? tac_feature_word(feature, fill->text) : -1;
            feature->fill = word < 0 ? (double)NAN : (double)word;
        } else if (!read_value(fill, f, &feature->fill)) {
            feature->fill = NAN;
        }
        return TACIT_OK; /* checked with the rest */
    }
    if (missing == NULL) return TACIT_OK;
    for (int r = TACIT_MISSING_DROP_ROW; r <= TACIT_MISSING_OWN_CATEGORY; r++)
        if (r != TACIT_MISSING_FILL && r != TACIT_MISSING_REJECT_FILE &&
            strcmp(tac_node_text(missing), tac_missing_words[r]) == 0) {
            feature->missing = (tacit_missing)r;
            return TACIT_OK;
        }
    return wrong(ctx, where, f,
                 "missing must be drop-row, midpoint or, for categories, own-category; or write "
                 "\"fill\" and a value");
}

static tacit_status read_ours(tacit_ctx *ctx, const char *where, const tac_node *ours,
                              tac_declared_field *f)
{
    const tac_node *weight = tac_node_field(ours, "weight"),
                   *transform = tac_node_field(ours, "transform"),
                   *bounds = tac_node_field(ours, "bounds");
    int which = 0;

    if (weight != NULL) {
        if (!tac_node_is_number(weight)) return wrong(ctx, where, f, "weight must be a number");
        f->feature.weight = tac_node_number(weight);
    }
    if (transform != NULL) {
        while (which < TAC_TRANSFORMS &&
               strcmp(tac_node_text(transform), tac_transform_words[which]) != 0)
            which++;
        if (which == TAC_TRANSFORMS)
            return wrong(ctx, where, f, "transform must be log, log1p, sqrt or none");
        f->feature.transform = (tac_transform)which;
    }
    if (bounds != NULL) {
        if (strcmp(tac_node_text(bounds), "private") != 0)
            return wrong(ctx, where, f,
                         "bounds must be \"private\", or left out beside minimum and maximum");
        f->estimate = true;
    }
    return read_missing(ctx, where, ours, f);
}

tacit_status tac_declaration_read_feature(tacit_ctx *ctx, const char *where, const tac_node *field,
                                          tac_declared_field *f)
{
    tacit_status status = TACIT_OK;
    const tac_node *constraints = tac_node_field(field, "constraints"),
                   *ours = tac_node_field(field, "tacit");

    if (f->role != TAC_ROLE_FEATURE) return TACIT_OK;
    if (constraints != NULL && constraints->kind != TAC_NODE_OBJECT)
        return wrong(ctx, where, f, "constraints must be an object {...}");
    if (strcmp(f->type, "date") == 0) f->feature.value.kind = TAC_VALUE_DATE;
    if (strcmp(f->type, "boolean") == 0)
        TAC_TRY(read_boolean(ctx, where, f));
    else if (constraints != NULL && !is_null(tac_node_field(constraints, "enum")))
        TAC_TRY(read_words(ctx, where, tac_node_field(constraints, "enum"), f));
    if (ours != NULL) TAC_TRY(read_ours(ctx, where, ours, f));
    if (constraints != NULL) TAC_TRY(read_range(ctx, where, constraints, f));
done:
    return status;
}
