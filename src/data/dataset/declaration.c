/* SPDX-License-Identifier: Apache-2.0 */
/* A declaration in memory: made, copied, checked, asked. */
#include "data/dataset/declaration.h"
#include "data/dataset/domain.h"
#include "data/readers/reader_internal.h"

#include <fcntl.h>
#include <errno.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *const tac_role_names[TAC_ROLE_UNSAID] = {"feature", "unit", "label", "id",   "ignore",
                                                     "part",    "row",  "col",   "count"};
const char *const tac_relation_names[3] = {"add-remove", "replace", "entry"};

tacit_status tac_declaration_new(tacit_ctx *ctx, const char *where, tacit_declaration **out)
{
    tacit_status status = TACIT_OK;
    tacit_declaration *d = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *d, &d));
    d->unit = -1;
    d->all_lower = d->all_upper = d->radius = NAN;
    d->where = tac_strdup(ctx, where);
    if (d->where == NULL) TAC_TRY(TACIT_E_MEMORY);
    *out = d;
    d = NULL;
done:
    tacit_declaration_free(d);
    return status;
}

void tacit_declaration_free(tacit_declaration *d)
{
    if (d == NULL) return;
    for (int32_t i = 0; i < d->fields; i++) {
        tac_free(d->field[i].name);
        tac_feature_clear(&d->field[i].feature);
    }
    for (int32_t i = 0; i < d->missing_words; i++) tac_free(d->missing_word[i]);
    tac_files_clear(&d->files);
    tac_free(d->field);
    tac_free(d->missing_word);
    tac_free(d->center);
    tac_free(d->vocabulary);
    tac_free(d->words);
    tac_free(d->where);
    tac_free(d);
}

tacit_status tac_declaration_add(tacit_ctx *ctx, tacit_declaration *d, const char *name,
                                 tac_declared_field **out)
{
    tacit_status status = TACIT_OK;

    if ((d->fields & (d->fields - 1)) == 0) /* room is a power of two, and full at each */
        TAC_TRY(
            tac_grow(ctx, &d->field, d->fields == 0 ? 1 : 2 * (size_t)d->fields, sizeof *d->field));
    char *const copy = tac_strdup(ctx, name);
    if (copy == NULL) TAC_TRY(TACIT_E_MEMORY);
    *out = &d->field[d->fields++];
    **out = (tac_declared_field){.name = copy,
                                 .role = TAC_ROLE_UNSAID,
                                 .lower = NAN,
                                 .upper = NAN,
                                 .column = -1,
                                 .feature = {.weight = 1}};
done:
    return status;
}

tacit_status tac_declaration_copy(tacit_ctx *ctx, const tacit_declaration *from,
                                  tacit_declaration **out)
{
    tacit_status status = TACIT_OK;
    tacit_declaration *d = NULL;
    tac_declared_field *field;

    *out = NULL;
    TAC_TRY(tac_declaration_new(ctx, from->where, &d));
    char *const where = d->where;
    *d = *from;
    d->where = where;
    d->field = NULL;
    d->missing_word = NULL;
    d->center = NULL;
    d->vocabulary = d->words = NULL;
    d->files = (tac_files){0};
    d->fields = d->missing_words = 0;
    for (int32_t i = 0; i < from->fields; i++) {
        TAC_TRY(tac_declaration_add(ctx, d, from->field[i].name, &field));
        char *const name = field->name;
        *field = from->field[i];
        field->name = name;
        memset(&field->feature, 0, sizeof field->feature);
        TAC_TRY(tac_feature_copy(ctx, &from->field[i].feature, &field->feature));
    }
    TAC_TRY(tac_new(ctx, (size_t)from->missing_words, sizeof *d->missing_word, &d->missing_word));
    for (; d->missing_words < from->missing_words; d->missing_words++) {
        d->missing_word[d->missing_words] = tac_strdup(ctx, from->missing_word[d->missing_words]);
        if (d->missing_word[d->missing_words] == NULL) TAC_TRY(TACIT_E_MEMORY);
    }
    TAC_TRY(tac_new(ctx, (size_t)from->centers, sizeof *d->center, &d->center));
    if (from->centers > 0)
        memcpy(d->center, from->center, (size_t)from->centers * sizeof *d->center);
    if (from->vocabulary != NULL && (d->vocabulary = tac_strdup(ctx, from->vocabulary)) == NULL)
        TAC_TRY(TACIT_E_MEMORY);
    if (from->words != NULL && (d->words = tac_strdup(ctx, from->words)) == NULL)
        TAC_TRY(TACIT_E_MEMORY);
    TAC_TRY(tac_files_copy(ctx, &from->files, &d->files));
    *out = d;
    d = NULL;
done:
    tacit_declaration_free(d);
    return status;
}

/* ---- checks ---- */

static tacit_status wrong(tacit_ctx *ctx, const tacit_declaration *d, const char *what)
{
    return tac_fail(ctx, TACIT_E_FORMAT, "%s: %s", d->where, what);
}

/* Types that a feature may have. A string is one if its categories are listed. */
static tacit_status check_type(tacit_ctx *ctx, const tacit_declaration *d,
                               const tac_declared_field *f)
{
    static const char *const types[] = {"", "number", "integer", "any", "boolean", "date"};

    if (f->feature.value.kind == TAC_VALUE_CATEGORY) return TACIT_OK;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(f->type, types[i]) == 0) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_FORMAT,
                    "%s: " TAC_COLUMN " is of type %s, and a feature is a number, an integer, a "
                    "boolean, a date, or a string whose categories are listed "
                    "(constraints.enum); list them, or give it another role "
                    "(unit, label, id or ignore)",
                    d->where, f->name, f->type);
}

static tacit_status check_feature(tacit_ctx *ctx, const tacit_declaration *d,
                                  const tac_declared_field *f)
{
    tacit_status status = TACIT_OK;
    tac_feature named = f->feature;

    named.name = f->name;
    TAC_TRY(check_type(ctx, d, f));
    if (tac_feature_check(ctx, d->where, &named) != TACIT_OK) return TACIT_E_FORMAT;
    if (isnan(f->lower) != isnan(f->upper))
        return tac_fail(ctx, TACIT_E_FORMAT, "%s: fill in minimum and maximum of " TAC_COLUMN,
                        d->where, f->name);
    if ((!isnan(f->lower) || f->estimate || !tac_feature_is_plain(&f->feature)) &&
        !isnan(d->radius))
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: " TAC_COLUMN " has a range, categories, a weight or a transform, and "
                        "the table a radius, which exclude each other; keep one",
                        d->where, f->name);
    if (isnan(f->lower)) return TACIT_OK;
    TAC_TRY(tac_check_bound(ctx, f->name, f->lower, f->upper));
    TAC_TRY(tac_feature_check_bounds(ctx, &named, f->lower, f->upper));
done:
    return status;
}

static tacit_status check_ball(tacit_ctx *ctx, const tacit_declaration *d)
{
    if (isnan(d->radius))
        return d->centers > 0 ? wrong(ctx, d, "center goes with radius; add radius or drop center")
                              : TACIT_OK;
    if (!isnan(d->all_lower))
        return wrong(ctx, d, "bounds and radius exclude each other; keep one");
    return tac_check_ball(ctx, d->radius, d->center, d->centers);
}

tacit_status tac_declaration_check(tacit_ctx *ctx, const tacit_declaration *d)
{
    tacit_status status = TACIT_OK;
    const tac_format_traits *format = tac_format_traits_of(d->format);
    const bool table = format->header && !format->sparse;
    int32_t units = 0, labels = 0, features = 0;

    for (int32_t i = 0; i < d->fields; i++) {
        const tac_declared_field *f = &d->field[i];
        units += f->role == TAC_ROLE_UNIT;
        labels += f->role == TAC_ROLE_LABEL;
        features += f->role == TAC_ROLE_FEATURE;
        if (f->role == TAC_ROLE_FEATURE) TAC_TRY(check_feature(ctx, d, f));
        if (f->role == TAC_ROLE_FEATURE && d->format == TACIT_FORMAT_TRIPLETS)
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: " TAC_COLUMN " is a feature, and triplets have none beside row, "
                            "col and count; give it the role unit, label, id or "
                            "ignore",
                            d->where, f->name);
    }
    if (units > 1) return wrong(ctx, d, "two columns have the role unit; one names the person");
    if (labels > 1)
        return wrong(ctx, d,
                     "two columns have the role label; one at most is set aside as the label");
    if (units == 1 && d->neighbors == TACIT_ENTRY)
        return wrong(ctx, d,
                     "neighbors entry protects single counts, and a column of role unit names "
                     "persons; drop one of them");
    if (units == 0 && d->most_rows > 0)
        return wrong(ctx, d,
                     "maxRowsPerPerson needs a column of role unit, which names the person");
    if (table && features == 0)
        return wrong(ctx, d,
                     "no column has the role feature; give it to those that may be clustered");
    if (!isnan(d->all_lower)) TAC_TRY(tac_check_bound(ctx, "(all)", d->all_lower, d->all_upper));
    TAC_TRY(check_ball(ctx, d));
    const char *mark = tac_dialect_fault(&d->dialect, d->format);
    if (mark != NULL) return wrong(ctx, d, mark);
    for (int32_t i = 0; i < d->fields; i++)
        for (int32_t k = 0; d->field[i].role >= TAC_ROLE_ROW && k < i; k++)
            if (d->field[k].role == d->field[i].role)
                return tac_fail(ctx, TACIT_E_FORMAT,
                                "%s: two columns have the role %s; triplets have one", d->where,
                                tac_role_names[d->field[i].role]);
    if (d->missing_words > 0 && d->format != TACIT_FORMAT_AUTO && !format->texts)
        return wrong(ctx, d, "missingValues are for CSV and TSV files; drop them");
done:
    return status;
}

tacit_status tac_declaration_check_ledger(tacit_ctx *ctx, const tacit_declaration *d)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(tac_declaration_check(ctx, d));
    if (!d->bound || d->format == TACIT_FORMAT_AUTO)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: a ledger needs a declaration that is bound to a file; open the data "
                        "with it and take the declaration of the data",
                        d->where);
    if (d->unit >= 0 && d->most_rows < 1)
        return wrong(ctx, d,
                     "a ledger needs the number of rows of one person that count: add "
                     "maxRowsPerPerson (--max-rows-per-person)");
    if (d->missing == TACIT_MISSING_REJECT_FILE)
        return wrong(ctx, d,
                     "a ledger takes no rule that refuses the file, since a refusal tells about a "
                     "row; declare missing drop-row");
    for (int32_t i = 0; i < d->files.count; i++)
        for (const char *at = d->files.name[i]; *at != '\0';) {
            uint32_t code;
            const size_t length = tac_utf8(at, 4, &code);
            if (length == 0 || !tac_is_plain(code))
                return wrong(ctx, d,
                             "the name of a file is not plain UTF-8, and a ledger keeps the names "
                             "of several files; rename it");
            at += length;
        }
    const bool unstated = tac_format_traits_of(d->format)->unstated;
    if (unstated && d->shape_columns == 0 && d->vocabulary == NULL && d->words == NULL)
        return wrong(ctx, d,
                     "the file does not state its number of columns, and rows are not asked: "
                     "declare shape.columns or a vocabulary (--shape xCOLUMNS, --vocabulary)");
    if (unstated && d->neighbors == TACIT_ENTRY && d->shape_rows == 0)
        return wrong(ctx, d,
                     "under neighbors entry the number of rows is public and must be declared: "
                     "add shape.rows (--shape ROWSxCOLUMNS)");
done:
    return status;
}

/* ---- asked by place ---- */

/* Bound fields stand in the order of their places. */
const tac_declared_field *tac_declared_column(const tacit_declaration *d, int32_t column)
{
    int32_t low = 0, high = d->fields;

    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (d->field[middle].column < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < d->fields && d->field[low].column == column ? &d->field[low] : NULL;
}

tac_role tac_declared_role(const tacit_declaration *d, int32_t column)
{
    const tac_declared_field *f = tac_declared_column(d, column);
    return f == NULL ? TAC_ROLE_FEATURE : f->role;
}

bool tac_declared_range(const tacit_declaration *d, int32_t column, double *lower, double *upper,
                        bool *estimate)
{
    const tac_declared_field *f =
        d->format == TACIT_FORMAT_TRIPLETS ? NULL : tac_declared_column(d, column);
    const bool own = f != NULL && !isnan(f->lower);

    *estimate = f != NULL && f->estimate;
    if (f != NULL && f->feature.value.kind == TAC_VALUE_CATEGORY) {
        *lower = 0;
        *upper = 1;
        return true;
    }
    *lower = own ? f->lower : *estimate ? -INFINITY : d->all_lower;
    *upper = own ? f->upper : *estimate ? INFINITY : d->all_upper;
    return !isnan(*lower);
}

bool tac_declaration_has_domain(const tacit_declaration *d)
{
    bool ranges = !isnan(d->all_lower) || !isnan(d->radius);

    for (int32_t i = 0; i < d->fields; i++)
        ranges = ranges || (d->field[i].role == TAC_ROLE_FEATURE &&
                            (!isnan(d->field[i].lower) || d->field[i].estimate ||
                             d->field[i].feature.value.kind == TAC_VALUE_CATEGORY));
    return ranges;
}

/* ---- digests ---- */

void tac_digest_start(void *state)
{
    crypto_generichash_init(state, NULL, 0, TAC_DIGEST);
}

/* Its length first: no two lists of texts have the same digest by where one ends. */
void tac_digest_text(void *state, const char *text)
{
    const uint64_t length = strlen(text);
    uint8_t prefix[8];

    for (int i = 0; i < 8; i++) prefix[i] = (uint8_t)(length >> (56 - 8 * i));
    crypto_generichash_update(state, prefix, sizeof prefix);
    crypto_generichash_update(state, (const uint8_t *)text, length);
}

void tac_hex(const uint8_t digest[TAC_DIGEST], char out[2 * TAC_DIGEST + 1])
{
    sodium_bin2hex(out, 2 * TAC_DIGEST + 1, digest, TAC_DIGEST);
}

/* ---- the public handle ---- */

static tacit_status slurp(tacit_ctx *ctx, const char *path, char **out, size_t *length)
{
    tacit_status status = TACIT_OK;
    char *text = NULL;
    size_t used = 0, room = 4096;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

    if (file < 0)
        return tac_fail(ctx, TACIT_E_OPEN, "%s: the schema cannot be opened: %s", path,
                        strerror(errno));
    for (;;) {
        TAC_TRY(tac_grow(ctx, &text, room + 1, 1));
        const ssize_t got = read(file, text + used, room - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            TAC_TRY(tac_fail(ctx, TACIT_E_READ, "%s: the schema cannot be read: %s", path,
                             strerror(errno)));
        if (got == 0) break;
        used += (size_t)got;
        if (used > TAC_DECLARATION_MOST)
            TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT,
                             "%s: is longer than 16 MiB and so no schema; give the file that "
                             "`tacit declare` wrote",
                             path));
        if (used == room) room *= 2;
    }
    text[used] = '\0';
    *out = text;
    *length = used;
    text = NULL;
done:
    close(file);
    tac_free(text);
    return status;
}

/* A vocabulary's path is relative to the schema that names it. */
static tacit_status beside(tacit_ctx *ctx, const char *schema, char **path)
{
    const char *slash = strrchr(schema, '/');
    char *joined = NULL;

    if (*path == NULL || (*path)[0] == '/' || slash == NULL) return TACIT_OK;
    const size_t folder = (size_t)(slash - schema) + 1, room = folder + strlen(*path) + 1;
    const tacit_status status = tac_new(ctx, room, 1, &joined);
    if (status != TACIT_OK) return status;
    snprintf(joined, room, "%.*s%s", (int)folder, schema, *path);
    tac_free(*path);
    *path = joined;
    return TACIT_OK;
}

tacit_status tacit_declaration_read(tacit_ctx *ctx, const char *path, tacit_declaration **out)
{
    tacit_status status = TACIT_OK;
    tacit_declaration *d = NULL;
    char *text = NULL;
    size_t length = 0;

    *out = NULL;
    if (path == NULL || *path == '\0')
        return tac_fail(ctx, TACIT_E_ARGUMENT, "a schema needs a file name");
    TAC_TRY(slurp(ctx, path, &text, &length));
    /* of rows without a header, where they cease to be JSON would tell how long the first is */
    if (text[strspn(text, " \t\r\n")] != '{')
        TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT,
                         "%s is not a schema: it does not begin with {; give the file that `tacit "
                         "declare` wrote",
                         path));
    TAC_TRY(tac_declaration_read_text(ctx, path, text, length, &d));
    TAC_TRY(beside(ctx, path, &d->vocabulary));
    *out = d;
    d = NULL;
done:
    tacit_declaration_free(d);
    tac_free(text);
    return status;
}

tacit_status tacit_declaration_parse(tacit_ctx *ctx, const char *json, tacit_declaration **out)
{
    *out = NULL;
    char *const copy = tac_strdup(ctx, json);
    if (copy == NULL) return TACIT_E_MEMORY;
    const tacit_status status =
        tac_declaration_read_text(ctx, "the declaration", copy, strlen(copy), out);
    tac_free(copy);
    return status;
}

tacit_status tacit_declaration_json(tacit_ctx *ctx, const tacit_declaration *d, char **out)
{
    return tac_declaration_write(ctx, d, out);
}

tacit_status tacit_declaration_summarize(tacit_ctx *ctx, const tacit_declaration *d,
                                         tacit_declaration_summary *out)
{
    tacit_declaration_summary all = {
        .format = d->format >= TAC_FORMAT_MEMORY ? TACIT_FORMAT_AUTO : d->format,
        .neighbors = d->neighbors,
        .unit_column = d->unit < 0 ? NULL : d->field[d->unit].name,
        .max_rows_per_unit = d->most_rows,
        .missing = d->missing,
        .has_bounds = isnan(d->radius) && tac_declaration_has_domain(d),
        .radius = isnan(d->radius) ? 0 : d->radius,
        .shape_rows = d->shape_rows,
        .shape_columns = d->shape_columns,
        .vocabulary = d->vocabulary,
        .has_words = d->words != NULL};
    for (int32_t i = 0; i < d->fields; i++)
        if (d->field[i].role == TAC_ROLE_ID && all.id_column == NULL)
            all.id_column = d->field[i].name;
    return tac_give_struct(ctx, "tacit_declaration_summary", &all, sizeof all, out);
}
