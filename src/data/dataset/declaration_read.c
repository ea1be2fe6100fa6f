/* SPDX-License-Identifier: Apache-2.0 */
/* A declaration from JSON: a Frictionless Table Schema, whose keys that we do not know are left
   alone, with ours under "tacit", where a key that we do not know would change what is meant and is
   refused. A schema may come from elsewhere: nothing in it is trusted. */
#include "data/dataset/declaration.h"
#include "data/readers/reader_internal.h"
#include "json/parse.h"

#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIX "write it as `tacit declare` does"
#define LONGEST_NAME 65536
#define MOST_MISSING_WORDS 1000

typedef struct reading {
    tacit_ctx *ctx;
    const char *where;
    tacit_declaration *d;
} reading;

static tacit_status wrong(const reading *r, const char *key, const char *what)
{
    return tac_fail(r->ctx, TACIT_E_FORMAT, "%s: %s %s", r->where, key, what);
}

static tacit_status wrong_field(const reading *r, const char *name, const char *what)
{
    return tac_fail(r->ctx, TACIT_E_FORMAT, "%s: " TAC_COLUMN ": %s", r->where, name, what);
}

/* Every key under "tacit" is known, or the file is for another version. */
static tacit_status only(const reading *r, const tac_node *object, const char *inside,
                         const char *const *names, size_t count)
{
    for (size_t i = 0; i < object->count; i++) {
        const char *key = object->child[i].key;
        size_t j = 0;
        while (j < count && strcmp(names[j], key) != 0) j++;
        if (j < count) continue;
        const char *near = tac_nearest_name(key, names, count);
        return tac_fail(r->ctx, TACIT_E_FORMAT,
                        "%s: the key '%.60s' under %s is not known to this version%s%s%s", r->where,
                        key, inside,
                        near == NULL ? "; drop it, or use a newer tacit" : "; did you mean '",
                        near == NULL ? "" : near, near == NULL ? "" : "'?");
    }
    return TACIT_OK;
}

/* As it will be shown: not empty, no control characters. */
static bool good_name(const char *name)
{
    const size_t length = strlen(name);

    if (length == 0 || length > LONGEST_NAME) return false;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f) return false;
    return true;
}

static int word_of(const tac_node *node, const char *const *words, int count)
{
    for (int i = 0; tac_node_is(node, TAC_NODE_TEXT) && i < count; i++)
        if (strcmp(words[i], node->text) == 0) return i;
    return -1;
}

/* A whole number from 1 to most; not there: 0. null: a place to fill in. */
static tacit_status whole(const reading *r, const tac_node *object, const char *name, int64_t most,
                          int64_t *out)
{
    const tac_node *node = tac_node_field(object, name);
    char what[96];

    *out = 0;
    if (node == NULL) return TACIT_OK;
    if (node->kind == TAC_NODE_NULL) return wrong(r, name, "is null: fill it in, or drop it");
    *out = tac_node_integer(node);
    snprintf(what, sizeof what, "must be a whole number from 1 to %lld", (long long)most);
    return node->kind == TAC_NODE_INTEGER && *out >= 1 && *out <= most ? TACIT_OK
                                                                       : wrong(r, name, what);
}

/* ---- fields ---- */

static bool is_number_type(const char *type)
{
    return strcmp(type, "number") == 0 || strcmp(type, "integer") == 0;
}

static tacit_status read_role(const reading *r, const tac_node *field, tac_declared_field *f)
{
    static const char *const known[] = {"role",      "column",  "bounds", "weight",
                                        "transform", "missing", "fill"};
    tacit_status status = TACIT_OK;
    const tac_node *ours = tac_node_field(field, "tacit");
    int64_t column = 0;

    f->role =
        is_number_type(f->type) || tac_field_has_words(field) ? TAC_ROLE_FEATURE : TAC_ROLE_IGNORE;
    if (r->d->format == TACIT_FORMAT_TRIPLETS) {
        const bool part = tac_triplets_part(f->name) >= 0;
        f->role = part ? TAC_ROLE_PART : TAC_ROLE_IGNORE;
    }
    if (ours == NULL) goto done;
    if (ours->kind != TAC_NODE_OBJECT)
        return wrong_field(r, f->name, "tacit must be an object {...}");
    TAC_TRY(only(r, ours, "tacit of a field", known, sizeof known / sizeof *known));
    const tac_node *role = tac_node_field(ours, "role");
    if (role != NULL) {
        const int which =
            word_of(role, tac_role_names,
                    r->d->format == TACIT_FORMAT_TRIPLETS ? TAC_ROLE_UNSAID : TAC_ROLE_PART);
        if (which < 0)
            return wrong_field(r, f->name, "role must be feature, unit, label, id or ignore");
        const bool part = tac_triplets_part(f->name) >= 0 && r->d->format == TACIT_FORMAT_TRIPLETS;
        if (part ? which == TAC_ROLE_FEATURE : which == TAC_ROLE_PART)
            return wrong_field(r, f->name,
                               "role must be row, col or count, or unit, label, id or ignore");
        f->role = (tac_role)which;
    }
    TAC_TRY(whole(r, ours, "column", TAC_MOST_COLUMNS + INT64_C(1), &column));
    f->column = (int32_t)column - 1;
done:
    /* ROW is row, as in the file */
    for (char *p = f->name; f->role == TAC_ROLE_PART && *p != '\0'; p++) *p = (char)(*p | 0x20);
    return status;
}

/* What a number looks like: the same in all columns. */
static tacit_status check_writing(const reading *r, const tac_node *field,
                                  const tac_declared_field *f)
{
    const tac_node *point = tac_node_field(field, "decimalChar"),
                   *group = tac_node_field(field, "groupChar");
    const tac_node *bare = tac_node_field(field, "bareNumber");

    if (f->role != TAC_ROLE_FEATURE) return TACIT_OK;
    const tac_dialect full = tac_dialect_full(&r->d->dialect, r->d->format);
    if (point != NULL && (strlen(tac_node_text(point)) != 1 || *point->text != full.decimal))
        return wrong_field(r, f->name,
                           "decimalChar must be that of the table; say it once, under dialect");
    if (group != NULL && (strlen(tac_node_text(group)) != 1 || *group->text != full.thousands))
        return wrong_field(r, f->name,
                           "groupChar must be that of the table; say it once, under dialect");
    if (tac_node_is(bare, TAC_NODE_FALSE))
        return wrong_field(r, f->name, "bareNumber must be true; write plain numbers in the file");
    return TACIT_OK;
}

static tacit_status read_field(const reading *r, const tac_node *node)
{
    tacit_status status = TACIT_OK;
    tac_declared_field *f;
    const tac_node *name = tac_node_field(node, "name"), *type = tac_node_field(node, "type");

    if (!tac_node_is(node, TAC_NODE_OBJECT))
        return wrong(r, "fields", "must be a list of objects {...}");
    if (!tac_node_is(name, TAC_NODE_TEXT) || !good_name(name->text))
        return wrong(r, "fields",
                     "must each have a name, of at most 65536 bytes and without control "
                     "characters");
    if (type != NULL && (type->kind != TAC_NODE_TEXT || strlen(type->text) >= sizeof f->type))
        return wrong_field(r, name->text, "type must be a word, such as number, integer or string");
    TAC_TRY(tac_declaration_add(r->ctx, r->d, name->text, &f));
    snprintf(f->type, sizeof f->type, "%s", tac_node_text(type));
    TAC_TRY(read_role(r, node, f));
    TAC_TRY(check_writing(r, node, f));
    TAC_TRY(tac_declaration_read_feature(r->ctx, r->where, node, f));
    if (f->role == TAC_ROLE_UNIT) r->d->unit = r->d->fields - 1;
done:
    return status;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static tacit_status read_fields(const reading *r, const tac_node *root)
{
    tacit_status status = TACIT_OK;
    const tac_node *list = tac_node_field(root, "fields");
    const char **sorted = NULL;

    if (!tac_node_is(list, TAC_NODE_LIST))
        return wrong(r, "fields", "must be there, a list with one object for each column");
    if (list->count > TAC_MOST_COLUMNS) return wrong(r, "fields", "are more than 1000000");
    for (size_t i = 0; i < list->count; i++) TAC_TRY(read_field(r, &list->child[i]));
    TAC_TRY(tac_new(r->ctx, list->count, sizeof *sorted, &sorted));
    for (size_t i = 0; i < list->count; i++) sorted[i] = r->d->field[i].name;
    if (list->count > 0) qsort(sorted, list->count, sizeof *sorted, by_text);
    for (size_t i = 1; i < list->count; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            TAC_TRY(wrong_field(r, sorted[i], "is there twice; names must differ"));
done:
    tac_free(sorted);
    return status;
}

/* ---- the table ---- */

static tacit_status read_missing_words(const reading *r, const tac_node *root)
{
    tacit_status status = TACIT_OK;
    const tac_node *list = tac_node_field(root, "missingValues");
    tacit_declaration *d = r->d;

    if (list == NULL) return TACIT_OK;
    if (list->kind != TAC_NODE_LIST || list->count > MOST_MISSING_WORDS)
        return wrong(r, "missingValues", "must be a list of at most 1000 texts");
    TAC_TRY(tac_new(r->ctx, list->count, sizeof *d->missing_word, &d->missing_word));
    for (size_t i = 0; i < list->count; i++) {
        const char *word = tac_node_text(&list->child[i]);
        if (list->child[i].kind != TAC_NODE_TEXT)
            return wrong(r, "missingValues", "must be a list of texts");
        if (tac_is_missing_word(word, strlen(word))) continue; /* taken for missing anyway */
        if (!good_name(word))
            return wrong(r, "missingValues", "must be texts without control characters");
        d->missing_word[d->missing_words] = tac_strdup(r->ctx, word);
        if (d->missing_word[d->missing_words] == NULL) return TACIT_E_MEMORY;
        d->missing_words++;
    }
done:
    return status;
}

/* One character; not there: 0. Which ones will do is checked with the table as a whole. */
static tacit_status read_mark(const reading *r, const tac_node *dialect, const char *key, char *out)
{
    const tac_node *mark = tac_node_field(dialect, key);

    if (mark == NULL) return TACIT_OK;
    if (strlen(tac_node_text(mark)) != 1)
        return tac_fail(r->ctx, TACIT_E_FORMAT, "%s: dialect.%s must be one character", r->where,
                        key);
    *out = mark->text[0];
    return TACIT_OK;
}

static tacit_status read_dialect(const reading *r, const tac_node *root)
{
    tacit_status status = TACIT_OK;
    const tac_node *dialect = tac_node_field(root, "dialect");
    tacit_declaration *d = r->d;
    int64_t skipped = 0;

    if (dialect == NULL) return TACIT_OK;
    if (dialect->kind != TAC_NODE_OBJECT) return wrong(r, "dialect", "must be an object {...}");
    const tac_node *delimiter = tac_node_field(dialect, "delimiter");
    const tac_node *quote = tac_node_field(dialect, "quoteChar"),
                   *header = tac_node_field(dialect, "header");
    if (delimiter != NULL) {
        const char *text = tac_node_text(delimiter);
        if (strlen(text) != 1)
            return wrong(r, "dialect.delimiter",
                         "must be one mark, such as a comma, a semicolon, a bar or a tab "
                         "(\"\\t\")");
        d->dialect.separator = text[0];
        if (d->format == TACIT_FORMAT_TSV && text[0] != '\t')
            return wrong(r, "dialect.delimiter", "is not that of the format; correct one of them");
    }
    if (d->format == TACIT_FORMAT_CSV && d->dialect.separator == '\t') d->format = TACIT_FORMAT_TSV;
    TAC_TRY(read_mark(r, dialect, "decimalChar", &d->dialect.decimal));
    TAC_TRY(read_mark(r, dialect, "groupChar", &d->dialect.thousands));
    TAC_TRY(whole(r, dialect, "skipRows", TAC_MOST_SKIPPED, &skipped));
    d->dialect.skip_lines = (int32_t)skipped;
    if (quote != NULL && strcmp(tac_node_text(quote), "\"") != 0)
        return wrong(r, "dialect.quoteChar", "must be a double quote");
    if (tac_node_is(header, TAC_NODE_FALSE))
        return wrong(r, "dialect.header", "must be true: the first line names the columns");
done:
    return status;
}

static tacit_status read_domain(const reading *r, const tac_node *ours)
{
    tacit_status status = TACIT_OK;
    tacit_declaration *d = r->d;
    const tac_node *bounds = tac_node_field(ours, "bounds"),
                   *radius = tac_node_field(ours, "radius"),
                   *center = tac_node_field(ours, "center");

    if (bounds != NULL) {
        if (tac_node_count(bounds) != 2 || !tac_node_is_number(tac_node_at(bounds, 0)) ||
            !tac_node_is_number(tac_node_at(bounds, 1)))
            return wrong(r, "bounds",
                         "must be two numbers, for example [0, 1]: the smallest and the largest "
                         "possible value of every feature");
        d->all_lower = tac_node_number(tac_node_at(bounds, 0));
        d->all_upper = tac_node_number(tac_node_at(bounds, 1));
    }
    if (radius != NULL) {
        if (!tac_node_is_number(radius)) return wrong(r, "radius", "must be a number");
        d->radius = tac_node_number(radius);
    }
    if (center != NULL) {
        const bool one = tac_node_is_number(center);
        const size_t count = one ? 1 : tac_node_count(center);
        if (count == 0 || count > TAC_MOST_COLUMNS)
            return wrong(r, "center", "must be a number, or a list with one for every feature");
        TAC_TRY(tac_new(r->ctx, count, sizeof *d->center, &d->center));
        for (size_t i = 0; i < count; i++) {
            const tac_node *node = one ? center : tac_node_at(center, i);
            if (!tac_node_is_number(node))
                return wrong(r, "center", "must be a number, or a list with one for every feature");
            d->center[i] = tac_node_number(node);
        }
        d->centers = (int32_t)count;
    }
done:
    return status;
}

static tacit_status read_digest(const reading *r, const char *key, const tac_node *node,
                                uint8_t out[TAC_DIGEST])
{
    size_t length = 0;

    if (tac_node_is(node, TAC_NODE_TEXT) && strlen(node->text) == 2 * TAC_DIGEST &&
        sodium_hex2bin(out, TAC_DIGEST, node->text, 2 * TAC_DIGEST, NULL, &length, NULL) == 0 &&
        length == TAC_DIGEST)
        return TACIT_OK;
    return wrong(
        r, key, "must be 64 hexadecimal digits, as tacit writes it; drop it to have it worked out");
}

/* Joined by line feeds, as a file of them would be. */
static tacit_status read_words(const reading *r, const tac_node *words)
{
    tacit_status status = TACIT_OK;
    size_t bytes = 1, at = 0;

    if (tac_node_count(words) == 0)
        return wrong(r, "vocabulary.words", "must be a list of names, one for each column");
    for (size_t i = 0; i < words->count; i++) {
        const char *word = tac_node_text(&words->child[i]);
        if (words->child[i].kind != TAC_NODE_TEXT || !good_name(word))
            return wrong(r, "vocabulary.words", "must be texts, none empty");
        bytes += strlen(word) + 1;
    }
    TAC_TRY(tac_new(r->ctx, bytes, 1, &r->d->words));
    for (size_t i = 0; i < words->count; i++) {
        const size_t length = strlen(words->child[i].text);
        memcpy(r->d->words + at, words->child[i].text, length);
        r->d->words[at + length] = '\n';
        at += length + 1;
    }
done:
    return status;
}

static tacit_status read_vocabulary(const reading *r, const tac_node *ours)
{
    static const char *const known[] = {"path", "words", "hash"};
    tacit_status status = TACIT_OK;
    tacit_declaration *d = r->d;
    const tac_node *vocabulary = tac_node_field(ours, "vocabulary");

    if (vocabulary == NULL) return TACIT_OK;
    if (vocabulary->kind != TAC_NODE_OBJECT)
        return wrong(r, "vocabulary", "must be an object: {\"path\": ...} or {\"words\": [...]}");
    TAC_TRY(only(r, vocabulary, "vocabulary", known, sizeof known / sizeof *known));
    const tac_node *path = tac_node_field(vocabulary, "path"),
                   *words = tac_node_field(vocabulary, "words"),
                   *hash = tac_node_field(vocabulary, "hash");
    if ((path == NULL) == (words == NULL))
        return wrong(r, "vocabulary", "must have a path or the words, one of them");
    if (path != NULL && (path->kind != TAC_NODE_TEXT || !good_name(path->text)))
        return wrong(r, "vocabulary.path", "must be the name of a file");
    if (path != NULL && (d->vocabulary = tac_strdup(r->ctx, path->text)) == NULL)
        return TACIT_E_MEMORY;
    if (words != NULL) TAC_TRY(read_words(r, words));
    if (hash != NULL) {
        TAC_TRY(read_digest(r, "vocabulary.hash", hash, d->words_hash));
        d->has_words_hash = true;
    }
done:
    return status;
}

static tacit_status read_shape(const reading *r, const tac_node *ours)
{
    static const char *const known[] = {"rows", "columns"};
    tacit_status status = TACIT_OK;
    const tac_node *shape = tac_node_field(ours, "shape");
    int64_t columns = 0;

    if (shape == NULL) return TACIT_OK;
    if (shape->kind != TAC_NODE_OBJECT)
        return wrong(r, "shape", "must be an object, for example {\"columns\": 200}");
    TAC_TRY(only(r, shape, "shape", known, sizeof known / sizeof *known));
    TAC_TRY(whole(r, shape, "rows", INT32_MAX, &r->d->shape_rows));
    TAC_TRY(whole(r, shape, "columns", TAC_MOST_COLUMNS, &columns));
    r->d->shape_columns = (int32_t)columns;
done:
    return status;
}

/* The files of a set of several, in the order of their names. */
static tacit_status read_files(const reading *r, const tac_node *ours)
{
    tacit_status status = TACIT_OK;
    const tac_node *files = tac_node_field(ours, "files");
    tac_files *to = &r->d->files;

    if (files == NULL) return TACIT_OK;
    if (tac_node_count(files) < 2 || files->count > TAC_MOST_FILES)
        return wrong(r, "files", "must be a list of two names or more");
    TAC_TRY(tac_new(r->ctx, files->count, sizeof *to->name, &to->name));
    for (size_t i = 0; i < files->count; i++) {
        const char *name = tac_node_text(&files->child[i]);
        if (files->child[i].kind != TAC_NODE_TEXT || !good_name(name) ||
            (i > 0 && strcmp(to->name[i - 1], name) >= 0))
            return wrong(r, "files", "must be names of files in their order, each once");
        to->name[i] = tac_strdup(r->ctx, name);
        if (to->name[i] == NULL) TAC_TRY(TACIT_E_MEMORY);
        to->count++;
    }
done:
    return status;
}

/* Before the fields: what they may be depends on the format. */
static tacit_status read_table(const reading *r, const tac_node *root)
{
    static const char *const known[] = {
        "version", "format", "neighbors", "neighbours", "maxRowsPerPerson", "missing", "bounds",
        "radius",  "center", "shape",     "vocabulary", "header",           "files"};
    static const char *const rules[] = {"drop-row", "reject-file", "midpoint"};
    tacit_status status = TACIT_OK;
    tacit_declaration *d = r->d;
    const tac_node *ours = tac_node_field(root, "tacit");
    int64_t version = TAC_DECLARATION_VERSION, most = 0;
    int which;

    if (ours == NULL) return TACIT_OK;
    if (ours->kind != TAC_NODE_OBJECT) return wrong(r, "tacit", "must be an object {...}");
    if (tac_node_field(ours, "version") != NULL)
        TAC_TRY(whole(r, ours, "version", INT32_MAX, &version));
    if (version != TAC_DECLARATION_VERSION)
        return tac_fail(r->ctx, TACIT_E_FORMAT,
                        "%s: is of version %lld of declarations, and this tacit knows version %d; "
                        "use a newer tacit",
                        r->where, (long long)version, TAC_DECLARATION_VERSION);
    TAC_TRY(only(r, ours, "tacit", known, sizeof known / sizeof *known));
    const tac_node *format = tac_node_field(ours, "format"),
                   *relation = tac_node_field(ours, "neighbors"),
                   *spelled = tac_node_field(ours, "neighbours"), /* until 0.1 */
                       *missing = tac_node_field(ours, "missing");
    if (format != NULL && !tac_format_of(tac_node_text(format), &d->format))
        return wrong(r, "format", "must be csv, tsv, npy, mtx, triplets or libsvm; or arrow");
    if (relation != NULL && spelled != NULL)
        return wrong(r, "neighbors", "is there twice, once as neighbours; remove one");
    if (relation == NULL) relation = spelled;
    if (relation != NULL) {
        if ((which = word_of(relation, tac_relation_names, 3)) < 0)
            return wrong(r, "neighbors", "must be add-remove, replace or entry");
        d->neighbors = (tacit_neighbors)which;
    }
    if (missing != NULL) {
        if ((which = word_of(missing, rules, 3)) < 0)
            return wrong(r, "missing",
                         "must be drop-row, midpoint or reject-file; what to fill in is said of "
                         "each column");
        d->missing = (tacit_missing)(which + TACIT_MISSING_DROP_ROW);
    }
    TAC_TRY(whole(r, ours, "maxRowsPerPerson", 32768, &most));
    d->most_rows = (int32_t)most;
    TAC_TRY(read_domain(r, ours));
    TAC_TRY(read_shape(r, ours));
    TAC_TRY(read_vocabulary(r, ours));
    TAC_TRY(read_files(r, ours));
    if (tac_node_field(ours, "header") != NULL) {
        TAC_TRY(read_digest(r, "header", tac_node_field(ours, "header"), d->header));
        d->bound = true;
    }
done:
    return status;
}

/* What was bound keeps its places, each once and in order. */
static tacit_status check_bound_places(const reading *r)
{
    const tacit_declaration *d = r->d;

    for (int32_t i = 0; d->bound && i < d->fields; i++)
        if (d->field[i].column < 0 || (i > 0 && d->field[i].column <= d->field[i - 1].column) ||
            (tac_format_traits_of(d->format)->header && d->field[i].column != i))
            return wrong_field(r, d->field[i].name,
                               "column is not its place; drop header and column to have them "
                               "worked out");
    return TACIT_OK;
}

tacit_status tac_declaration_read_text(tacit_ctx *ctx, const char *where, char *text, size_t length,
                                       tacit_declaration **out)
{
    tacit_status status = TACIT_OK;
    reading r = {.ctx = ctx, .where = where};
    tac_node *tree = NULL;
    const tac_node *root = NULL;

    *out = NULL;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3;
    }
    TAC_TRY(tac_parse(ctx, where, FIX, text, length, &tree, &root));
    if (!tac_node_is(root, TAC_NODE_OBJECT))
        TAC_TRY(wrong(&r, "it", "must be an object {...} with fields; " FIX));
    TAC_TRY(tac_declaration_new(ctx, where, &r.d));
    TAC_TRY(read_table(&r, root));
    TAC_TRY(read_dialect(&r, root));
    TAC_TRY(read_fields(&r, root));
    TAC_TRY(read_missing_words(&r, root));
    TAC_TRY(check_bound_places(&r));
    TAC_TRY(tac_declaration_check(ctx, r.d));
    *out = r.d;
    r.d = NULL;
done:
    tacit_declaration_free(r.d);
    tac_free(tree);
    return status;
}
