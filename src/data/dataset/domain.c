/* SPDX-License-Identifier: Apache-2.0 */
/* The declared domain: bounds as numbers, as text or from a small CSV file; or a ball. Never from
   the rows. */
#include "data/dataset/dataset.h"
#include "data/dataset/declaration.h"
#include "data/dataset/domain.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Squares of such numbers, and sums of many, stay finite and above 0 in a double. */
#define LARGEST 1e100
#define SMALLEST 1e-100
#define BOUNDS_FILE_MOST (16 << 20) /* bytes: a bounds file is written by a person */

void tac_domain_clear(tac_domain *domain)
{
    tac_free(domain->lower);
    tac_free(domain->upper);
    tac_free(domain->center);
    tac_free(domain->estimate);
    memset(domain, 0, sizeof *domain);
}

tacit_status tac_check_bound(tacit_ctx *ctx, const char *column, double lower, double upper)
{
    if (!isfinite(lower) || !isfinite(upper))
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "the bounds of column '%s' are not finite numbers; declare the smallest "
                        "and largest value a person could have",
                        column);
    if (lower > upper)
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "the bounds of column '%s' are reversed: write the lower one first",
                        column);
    if (lower == upper)
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "the bounds of column '%s' are equal; a column with one possible value "
                        "tells nothing: leave it out with columns",
                        column);
    if (fabs(lower) > LARGEST || fabs(upper) > LARGEST || upper - lower < SMALLEST)
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "the bounds of column '%s' are beyond 1e100 or less than 1e-100 apart; "
                        "give the column another unit",
                        column);
    return TACIT_OK;
}

tacit_status tac_check_ball(tacit_ctx *ctx, double radius, const double *center, int32_t centers)
{
    if (!isfinite(radius) || radius <= 0)
        return tac_fail(ctx, TACIT_E_DOMAIN, "radius must be a finite number above 0");
    if (radius < SMALLEST || radius > LARGEST)
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "radius must be between 1e-100 and 1e100; give the columns another unit");
    for (int32_t j = 0; j < centers && center != NULL; j++)
        if (!(fabs(center[j]) <= LARGEST))
            return tac_fail(ctx, TACIT_E_DOMAIN,
                            "center must be a number up to 1e100 for every column");
    return TACIT_OK;
}

/* Takes *domain over. What was declared holds: another one is refused, and the old one stays. */
static tacit_status replace_domain(tacit_ctx *ctx, tacit_data *data, tac_domain *domain)
{
    tac_domain old = data->domain;

    data->domain = *domain;
    memset(domain, 0, sizeof *domain);
    const tacit_status status =
        data->declaration != NULL && tac_declaration_has_domain(data->declaration)
            ? tac_declaration_domain(ctx, data->declaration, data)
            : TACIT_OK;
    if (status != TACIT_OK) {
        *domain = data->domain; /* freed by the caller */
        data->domain = old;
        return status;
    }
    tac_domain_clear(&old);
    return TACIT_OK;
}

tacit_status tac_data_set_box(tacit_ctx *ctx, tacit_data *data, const double *lower,
                              const double *upper, const bool *estimate)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)data->selection.dims;
    tac_domain domain = {.kind = TAC_DOMAIN_BOX, .origin = "declared"};

    TAC_TRY(tac_new(ctx, dims, sizeof(double), &domain.lower));
    TAC_TRY(tac_new(ctx, dims, sizeof(double), &domain.upper));
    if (estimate != NULL) TAC_TRY(tac_new(ctx, dims, sizeof(bool), &domain.estimate));
    for (size_t j = 0; j < dims; j++) {
        const bool open = estimate != NULL && estimate[j];
        /* limits may be infinite */
        if (!open || lower[j] > -INFINITY || upper[j] < INFINITY)
            TAC_TRY(tac_check_bound(ctx, tacit_data_column_get(data, (int32_t)j),
                                    open ? fmax(lower[j], -LARGEST) : lower[j],
                                    open ? fmin(upper[j], LARGEST) : upper[j]));
        domain.lower[j] = lower[j];
        domain.upper[j] = upper[j];
        if (open) domain.estimate[j] = true;
    }
    TAC_TRY(replace_domain(ctx, data, &domain));
done:
    tac_domain_clear(&domain);
    return status;
}

tacit_status tacit_data_set_bounds(tacit_ctx *ctx, tacit_data *data, const double *lower,
                                   const double *upper)
{
    return tac_data_set_box(ctx, data, lower, upper, NULL);
}

tacit_status tacit_data_set_ball(tacit_ctx *ctx, tacit_data *data, const double *center,
                                 double radius)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)data->selection.dims;
    tac_domain domain = {.kind = TAC_DOMAIN_BALL, .radius = radius, .origin = "declared"};

    TAC_TRY(tac_check_ball(ctx, radius, NULL, 0));
    TAC_TRY(tac_new(ctx, dims, sizeof(double), &domain.center));
    for (size_t j = 0; j < dims && center != NULL; j++) {
        if (!(fabs(center[j]) <= LARGEST)) {
            status =
                tac_fail(ctx, TACIT_E_DOMAIN, "center is not a number up to 1e100 for column '%s'",
                         tacit_data_column_get(data, (int32_t)j));
            goto done;
        }
        domain.center[j] = center[j];
    }
    TAC_TRY(replace_domain(ctx, data, &domain));
done:
    tac_domain_clear(&domain);
    return status;
}

/* Bounds while they are collected: which columns have been named so far. */
typedef struct named {
    tacit_data *data;
    double *lower, *upper;
    bool *seen, *estimate; /* estimate: bounds are private */
} named;

/* Where the bounds of a column go: its place among the columns in use, or -1 for a column the file
   has but the run does not use. A name the file lacks is an error with a suggestion. */
static tacit_status find_used(tacit_ctx *ctx, const named *n, const char *name, int32_t *out)
{
    const tac_schema *schema = &n->data->reader->schema;

    for (int32_t j = 0; j < n->data->selection.dims; j++)
        if (strcmp(tacit_data_column_get(n->data, j), name) == 0) {
            *out = j;
            return TACIT_OK;
        }
    *out = -1;
    for (int32_t j = 0; j < schema->columns; j++)
        if (strcmp(schema->names[j], name) == 0) return TACIT_OK;
    const char *near =
        tac_nearest_name(name, (const char *const *)schema->names, (size_t)schema->columns);
    return tac_fail(ctx, TACIT_E_DOMAIN,
                    "bounds name the column '%s', which the data does not have%s%s%s", name,
                    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

#define LOOK_UP (-2)

/* place: the column's among those in use, or LOOK_UP by its name. */
static tacit_status take(tacit_ctx *ctx, named *n, const char *name, int32_t place,
                         const char *lower, const char *upper)
{
    double low = -INFINITY, high = INFINITY;
    int32_t j = place;
    tacit_status status = TACIT_OK;
    const bool private = lower == NULL; /* without limits */

    if (!private && (!tac_parse_double(lower, &low) || !tac_parse_double(upper, &high)))
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "the bounds of column '%s' are not two finite numbers; write for example "
                        "%s=0:100",
                        name, name);
    if (place == LOOK_UP) TAC_TRY(find_used(ctx, n, name, &j));
    if (!private) TAC_TRY(tac_check_bound(ctx, name, low, high));
    if (j < 0) return TACIT_OK;
    if (n->seen[j])
        return tac_fail(ctx, TACIT_E_DOMAIN, "bounds name the column '%s' twice; name it once",
                        name);
    n->seen[j] = true;
    n->estimate[j] = n->estimate[j] || private;
    n->lower[j] = low;
    n->upper[j] = high;
done:
    return status;
}

#define PRIVATE "private"

/* "private" or, with limits of what may be estimated, "private:lo:hi"; name NULL: all columns. */
static tacit_status take_private(tacit_ctx *ctx, named *n, const char *name, char *limits)
{
    tacit_status status = TACIT_OK;
    char *lower = limits, *upper = limits == NULL ? NULL : strchr(limits, ':');

    if (limits != NULL && upper == NULL)
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "private bounds want no numbers, or two limits: private:0:100");
    if (upper != NULL) *upper++ = '\0';
    for (int32_t j = 0; j < n->data->selection.dims; j++) {
        const char *column = tacit_data_column_get(n->data, j);
        if (name != NULL && strcmp(column, name) != 0) continue;
        TAC_TRY(take(ctx, n, column, j, lower, upper));
        n->estimate[j] = true;
    }
    if (name != NULL) TAC_TRY(find_used(ctx, n, name, &(int32_t){0}));
done:
    return status;
}

/* "name=lo:hi" or, for all columns, "lo:hi". Writes into the text. */
static tacit_status take_part(tacit_ctx *ctx, named *n, char *part)
{
    tacit_status status = TACIT_OK;
    char *equals = strrchr(part, '=');
    char *range = equals == NULL ? part : equals + 1;
    char *colon = strchr(range, ':');

    if (strncmp(range, PRIVATE, strlen(PRIVATE)) == 0 &&
        (range[strlen(PRIVATE)] == '\0' || range + strlen(PRIVATE) == colon)) {
        if (equals != NULL) *equals = '\0';
        return take_private(ctx, n, equals == NULL ? NULL : part, colon == NULL ? NULL : colon + 1);
    }
    if (colon == NULL)
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "bounds want lo:hi for all columns, or name=lo:hi,name=lo:hi, or a file; a "
                        "part has no ':'");
    *colon = '\0';
    if (equals != NULL) {
        *equals = '\0';
        return take(ctx, n, part, LOOK_UP, range, colon + 1);
    }
    for (int32_t j = 0; j < n->data->selection.dims; j++)
        TAC_TRY(take(ctx, n, tacit_data_column_get(n->data, j), j, range, colon + 1));
done:
    return status;
}

static tacit_status take_text(tacit_ctx *ctx, named *n, char *text)
{
    tacit_status status = TACIT_OK;
    char *rest = text, *part;

    while ((part = strsep(&rest, ",")) != NULL) TAC_TRY(take_part(ctx, n, part));
done:
    return status;
}

static tacit_status take_file(tacit_ctx *ctx, named *n, const char *path, char *text)
{
    tacit_status status = TACIT_OK;
    char *rest = text, *line;
    int number = 0;

    if (strncmp(rest, "\xEF\xBB\xBF", 3) == 0) rest += 3;
    while ((line = strsep(&rest, "\n")) != NULL) {
        line[strcspn(line, "\r")] = '\0';
        number++;
        if (*line == '\0') continue;
        char *name = tac_next_field(&line), *lower = tac_next_field(&line),
             *upper = tac_next_field(&line);
        if (upper == NULL || line != NULL) {
            status = tac_fail(ctx, TACIT_E_DOMAIN,
                              "%s: line %d has not exactly three fields; the header is "
                              "column,lower,upper",
                              path, number);
            goto done;
        }
        if (number == 1) {
            if (strcmp(name, "column") || strcmp(lower, "lower") || strcmp(upper, "upper")) {
                status = tac_fail(ctx, TACIT_E_DOMAIN,
                                  "%s: the first line must be column,lower,upper", path);
                goto done;
            }
        } else {
            TAC_TRY(take(ctx, n, name, LOOK_UP, lower, upper));
        }
    }
done:
    return status;
}

static tacit_status slurp(tacit_ctx *ctx, const char *path, char **out)
{
    tacit_status status = TACIT_OK;
    char *text = NULL;
    size_t room = 0, got = 0;
    FILE *file = fopen(path, "rb");

    *out = NULL;
    if (file == NULL)
        return tac_fail(ctx, TACIT_E_OPEN,
                        "%s: the bounds file cannot be opened (%s); bounds are lo:hi, "
                        "name=lo:hi,... or a file with the header column,lower,upper",
                        path, strerror(errno));
    do {
        room = room == 0 ? 4096 : 4 * room;
        TAC_TRY(tac_grow(ctx, &text, room + 1, 1));
        got += fread(text + got, 1, room - got, file);
    } while (got == room && room < BOUNDS_FILE_MOST);
    text[got] = '\0';
    if (ferror(file))
        status = tac_fail(ctx, TACIT_E_READ, "%s: the bounds file cannot be read (%s)", path,
                          strerror(errno));
    else if (got == BOUNDS_FILE_MOST || memchr(text, '\0', got) != NULL)
        status =
            tac_fail(ctx, TACIT_E_DOMAIN,
                     "%s: this is no bounds file; its first line must be column,lower,upper", path);
    else {
        *out = text;
        text = NULL;
    }
done:
    fclose(file);
    tac_free(text);
    return status;
}

tacit_status tacit_data_declare_bounds(tacit_ctx *ctx, tacit_data *data, const char *text_or_path)
{
    tacit_status status = TACIT_OK;
    named n = {.data = data};
    char *text = NULL;
    const size_t dims = (size_t)data->selection.dims;

    if (*text_or_path == '\0')
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "bounds are empty; write lo:hi, name=lo:hi,... or a file name");
    TAC_TRY(tac_new(ctx, dims, sizeof(double), &n.lower));
    TAC_TRY(tac_new(ctx, dims, sizeof(double), &n.upper));
    TAC_TRY(tac_new(ctx, dims, sizeof(bool), &n.seen));
    TAC_TRY(tac_new(ctx, dims, sizeof(bool), &n.estimate));
    if (strchr(text_or_path, ':') != NULL || strcmp(text_or_path, PRIVATE) == 0 ||
        strstr(text_or_path, "=" PRIVATE) != NULL) {
        text = tac_strdup(ctx, text_or_path);
        if (text == NULL) {
            status = TACIT_E_MEMORY;
            goto done;
        }
        TAC_TRY(take_text(ctx, &n, text));
    } else {
        TAC_TRY(slurp(ctx, text_or_path, &text));
        TAC_TRY(take_file(ctx, &n, text_or_path, text));
    }
    for (int32_t j = 0; j < data->selection.dims; j++)
        if (!n.seen[j]) {
            status = tac_fail(ctx, TACIT_E_DOMAIN,
                              "bounds leave out the column '%s'; declare its smallest and largest "
                              "possible value, or leave the column out with columns, or name it as "
                              "the unit column if it says whose row it is",
                              tacit_data_column_get(data, j));
            goto done;
        }
    TAC_TRY(tac_data_set_box(ctx, data, n.lower, n.upper,
                             memchr(n.estimate, true, dims) != NULL ? n.estimate : NULL));
done:
    tac_free(n.lower);
    tac_free(n.upper);
    tac_free(n.seen);
    tac_free(n.estimate);
    tac_free(text);
    return status;
}
