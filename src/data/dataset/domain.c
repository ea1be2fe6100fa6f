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
#include <unistd.h>

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
    tac_free(domain->middle);
    tac_free(domain->weight);
    tac_free(domain->share);
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
                        "tells nothing: list the columns to use without it (columns)",
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

/* Where a transform has no values below, bounds that are estimated cannot lie there either. */
static void limit(const tac_feature *f, double *lower)
{
    if ((f->transform == TAC_LOG1P || f->transform == TAC_SQRT) && !(*lower > 0)) *lower = 0;
}

tacit_status tac_data_set_ranges(tacit_ctx *ctx, tacit_data *data, const double *lower,
                                 const double *upper, const bool *estimate)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)data->selection.dims;
    tac_domain domain = {.kind = TAC_DOMAIN_BOX, .origin = "declared"};
    bool any = false;

    TAC_TRY(tac_new(ctx, dims, sizeof(double), &domain.lower));
    TAC_TRY(tac_new(ctx, dims, sizeof(double), &domain.upper));
    for (size_t j = 0; estimate != NULL && j < dims; j++) any = any || estimate[j];
    if (any) TAC_TRY(tac_new(ctx, dims, sizeof(bool), &domain.estimate));
    for (size_t j = 0; j < dims; j++) {
        const tac_feature *f = data->features.count > 0 ? &data->features.feature[j] : NULL;
        const bool category = f != NULL && f->value.kind == TAC_VALUE_CATEGORY;
        domain.lower[j] = category ? 0 : lower[j];
        domain.upper[j] = category ? 1 : upper[j];
        if (category) continue;
        if (any && estimate[j]) {
            domain.estimate[j] = true;
            if (f != NULL) limit(f, &domain.lower[j]);
            continue;
        }
        TAC_TRY(tac_check_bound(ctx, tacit_data_column_get(data, (int32_t)j), lower[j], upper[j]));
        if (f != NULL) TAC_TRY(tac_feature_check_bounds(ctx, f, lower[j], upper[j]));
    }
    TAC_TRY(replace_domain(ctx, data, &domain));
done:
    tac_domain_clear(&domain);
    return status;
}

tacit_status tacit_data_set_bounds(tacit_ctx *ctx, tacit_data *data, const double *lower,
                                   const double *upper)
{
    return tac_data_set_ranges(ctx, data, lower, upper, NULL);
}

tacit_status tacit_data_set_ball(tacit_ctx *ctx, tacit_data *data, const double *center,
                                 double radius)
{
    tacit_status status = TACIT_OK;
    const size_t dims = (size_t)data->selection.dims;
    tac_domain domain = {.kind = TAC_DOMAIN_BALL, .radius = radius, .origin = "declared"};

    TAC_TRY(tac_check_ball(ctx, radius, NULL, 0));
    if (data->features.count > 0 && (!data->features.plain || data->features.weighted))
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "a ball (radius) is for columns of plain numbers, and categories, weights, "
                        "transforms or values to fill in are declared; give bounds instead");
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
    bool *seen, *estimate, *date;
    bool all, estimate_all; /* a range for every column that has none of its own */
    double all_lower, all_upper;
} named;

/* Where the bounds of a column go: its place among the columns in use, or -1 for a column the file
   has but the run does not use. A name the file lacks is an error with a suggestion. */
static tacit_status find_used(tacit_ctx *ctx, const named *n, const char *name, int32_t *out)
{
    *out = tac_data_find_used(n->data, name);
    if (*out >= 0 || tac_data_find(n->data, name) >= 0) return TACIT_OK;
    (void)tac_data_no_column(ctx, n->data, "a bound", name);
    return TACIT_E_DOMAIN;
}

/* Two numbers, or two dates. */
static bool parse_range(const char *low, const char *high, double *lower, double *upper, bool *date)
{
    *date = tac_parse_date(low, strlen(low), lower) && tac_parse_date(high, strlen(high), upper);
    return *date || (tac_parse_double(low, lower) && tac_parse_double(high, upper));
}

static tacit_status check_range(tacit_ctx *ctx, const char *name, double lower, double upper,
                                bool estimate)
{
    if (!estimate) return tac_check_bound(ctx, name, lower, upper);
    if (lower < upper) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_DOMAIN,
                    "the limits of column '%s' are reversed or equal: write the lower one first",
                    name);
}

/* One column's: "0:100", "1920-01-01:2020-12-31", "private", "private:0:1e6". Writes into the
   text. */
static tacit_status take(tacit_ctx *ctx, named *n, const char *name, char *range)
{
    tacit_status status = TACIT_OK;
    const bool estimate = strncmp(range, "private", 7) == 0 && (range[7] == ':' || range[7] == 0);
    char *low = !estimate ? range : range[7] == ':' ? range + 8 : NULL;
    char *colon = low == NULL ? NULL : strchr(low, ':');
    double lower = -INFINITY, upper = INFINITY;
    bool date = false;
    int32_t j = 0;

    if (colon != NULL) *colon = '\0';
    if (low != NULL && (colon == NULL || !parse_range(low, colon + 1, &lower, &upper, &date)))
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "the bounds of column '%s' are not two finite numbers or dates; write for "
                        "example %s=0:100 or, of dates, 1990-01-01:2029-12-31, or %s=private to "
                        "have them estimated",
                        name, name, name);
    TAC_TRY(find_used(ctx, n, name, &j));
    TAC_TRY(check_range(ctx, name, lower, upper, estimate));
    if (j < 0) return TACIT_OK;
    if (n->seen[j])
        return tac_fail(ctx, TACIT_E_DOMAIN, "bounds name the column '%s' twice; name it once",
                        name);
    n->seen[j] = true;
    n->lower[j] = lower;
    n->upper[j] = upper;
    n->estimate[j] = estimate;
    n->date[j] = date;
done:
    return status;
}

/* "lo:hi" or "private": for every column that has no range of its own. */
static tacit_status take_all(tacit_ctx *ctx, named *n, char *part)
{
    char *colon = strchr(part, ':');
    bool date = false;

    if (n->all || n->estimate_all)
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "bounds have two ranges for all columns; keep one, and write column=lo:hi "
                        "for the others");
    n->estimate_all = strcmp(part, "private") == 0;
    if (n->estimate_all) return TACIT_OK;
    if (colon == NULL)
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "bounds want lo:hi for all columns, or name=lo:hi,name=lo:hi, or private, "
                        "or a file; the part '%.60s' has no ':' (a name with a comma: quote its "
                        "part, \"a,b=0:1\", or give the column's number)",
                        part);
    *colon = '\0';
    n->all = true;
    if (!parse_range(part, colon + 1, &n->all_lower, &n->all_upper, &date) || date)
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "the bounds of all columns are not two finite numbers; write for example "
                        "0:100");
    return tac_check_bound(ctx, "(all)", n->all_lower, n->all_upper);
}

static tacit_status take_text(tacit_ctx *ctx, named *n, char *text)
{
    tacit_status status = TACIT_OK;
    char *rest = text, *part;

    while ((part = tac_next_field(&rest)) != NULL) {
        char *equals = strrchr(part, '=');
        if (equals != NULL) {
            *equals = '\0';
            TAC_TRY(take(ctx, n, part, equals + 1));
        } else {
            TAC_TRY(take_all(ctx, n, part));
        }
    }
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
        const bool three = upper != NULL && line == NULL;
        if (number == 1) { /* it may be a row of data: nothing is said of it */
            if (!three || strcmp(name, "column") || strcmp(lower, "lower") ||
                strcmp(upper, "upper"))
                TAC_TRY(tac_fail(ctx, TACIT_E_DOMAIN,
                                 "%s: the first line must be column,lower,upper", path));
        } else {
            char range[160];
            if (!three)
                TAC_TRY(tac_fail(ctx, TACIT_E_DOMAIN,
                                 "%s: line %d has not exactly three fields; the header is "
                                 "column,lower,upper",
                                 path, number));
            snprintf(range, sizeof range, "%.70s:%.70s", lower, upper);
            TAC_TRY(take(ctx, n, name, range));
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

/* Without a range for all, the columns that are named are those to use, and beside them the ones
   that hold categories: unless columns were chosen by name, or declared. */
static tacit_status choose_named(tacit_ctx *ctx, named *n)
{
    tacit_data *data = n->data;
    const tac_features *f = &data->features;
    int32_t used = 0, kept = 0;

    if (n->all || n->estimate_all || data->columns_chosen || data->declaration != NULL ||
        data->loaded)
        return TACIT_OK;
    bool *use = n->seen;
    for (int32_t j = 0; j < data->selection.dims; j++) {
        if (f->count > 0 && f->feature[j].value.kind == TAC_VALUE_CATEGORY) use[j] = true;
        used += use[j];
    }
    if (used == 0 || used == data->selection.dims) return TACIT_OK;
    /* whoever says something of a column means to use it */
    for (int32_t j = 0; f->count > 0 && j < data->selection.dims; j++)
        if (!use[j] && (!tac_feature_is_plain(&f->feature[j]) ||
                        f->feature[j].missing != data->selection.missing))
            return tac_fail(ctx, TACIT_E_DOMAIN,
                            "bounds leave out the column '%.120s', of which a transform, a weight "
                            "or a rule for missing values is said; declare its smallest and "
                            "largest "
                            "possible value, or drop that",
                            f->feature[j].name);
    for (int32_t j = 0; j < data->selection.dims; j++) {
        if (!use[j]) continue;
        n->lower[kept] = n->lower[j];
        n->upper[kept] = n->upper[j];
        n->estimate[kept] = n->estimate[j];
        n->date[kept++] = n->date[j];
    }
    const tacit_status status = tac_data_narrow(ctx, data, use);
    for (int32_t j = 0; j < kept; j++) use[j] = true;
    return status;
}

/* The range for all, where a column has none of its own; and every column must have one. */
static tacit_status complete(tacit_ctx *ctx, named *n)
{
    tacit_status status = TACIT_OK;
    const tacit_data *data = n->data;

    for (int32_t j = 0; j < data->selection.dims; j++) {
        const char *name = tacit_data_column_get(data, j);
        if (data->features.count > 0 &&
            data->features.feature[j].value.kind == TAC_VALUE_CATEGORY) {
            n->lower[j] = 0;
            n->upper[j] = 1;
            continue;
        }
        if (n->date[j]) TAC_TRY(tac_data_set_date(ctx, n->data, j));
        if (!n->date[j] && data->declaration == NULL && data->features.count > 0 &&
            data->features.feature[j].value.kind == TAC_VALUE_DATE)
            return tac_fail(ctx, TACIT_E_DOMAIN,
                            "column '%s' is to be filled with a date, and its bounds are none; "
                            "write %s=1990-01-01:2020-12-31, say",
                            name, name);
        if (n->seen[j]) continue;
        if (!n->all && !n->estimate_all)
            return tac_fail(ctx, TACIT_E_DOMAIN,
                            "bounds leave out the column '%s'; declare its smallest and largest "
                            "possible value, or list the columns to use (--columns age,spend; in "
                            "C: columns), or name it as the unit column if it says whose row it is",
                            name);
        if (!data->columns_chosen && data->declaration == NULL && tac_name_suggests_id(name))
            return tac_fail(ctx, TACIT_E_DOMAIN,
                            "one range is given for all columns, and the name of column '%s' "
                            "suggests an id, a date or a text, which is never clustered unless it "
                            "is meant; list the columns to use (columns), or give it a range of "
                            "its own: %s=lo:hi",
                            name, name);
        n->lower[j] = n->all ? n->all_lower : -INFINITY;
        n->upper[j] = n->all ? n->all_upper : INFINITY;
        n->estimate[j] = n->estimate_all;
    }
done:
    return status;
}

static bool has_categories(const tacit_data *data)
{
    for (int32_t j = 0; j < data->features.count; j++)
        if (data->features.feature[j].value.kind == TAC_VALUE_CATEGORY) return true;
    return false;
}

/* Is it a list of bounds, or the name of a file with them? */
static bool is_text(const char *text_or_path)
{
    return strchr(text_or_path, ':') != NULL || strcmp(text_or_path, "private") == 0 ||
           strncmp(text_or_path, "private,", 8) == 0 || strstr(text_or_path, "=private") != NULL ||
           (strchr(text_or_path, '=') != NULL && access(text_or_path, F_OK) != 0);
}

tacit_status tacit_data_declare_bounds(tacit_ctx *ctx, tacit_data *data, const char *text_or_path)
{
    tacit_status status = TACIT_OK;
    named n = {.data = data};
    char *text = NULL;
    const size_t dims = (size_t)data->selection.dims;

    if (*text_or_path == '\0' && !has_categories(data))
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "bounds are empty; write lo:hi, name=lo:hi,... or a file name");
    TAC_TRY(tac_new(ctx, dims, sizeof(double), &n.lower));
    TAC_TRY(tac_new(ctx, dims, sizeof(double), &n.upper));
    TAC_TRY(tac_new(ctx, dims, sizeof(bool), &n.seen));
    TAC_TRY(tac_new(ctx, dims, sizeof(bool), &n.estimate));
    TAC_TRY(tac_new(ctx, dims, sizeof(bool), &n.date));
    if (*text_or_path == '\0') {
        ; /* categories alone */
    } else if (is_text(text_or_path)) {
        text = tac_strdup(ctx, text_or_path);
        if (text == NULL) TAC_TRY(TACIT_E_MEMORY);
        TAC_TRY(take_text(ctx, &n, text));
    } else {
        TAC_TRY(slurp(ctx, text_or_path, &text));
        TAC_TRY(take_file(ctx, &n, text_or_path, text));
    }
    TAC_TRY(choose_named(ctx, &n));
    TAC_TRY(complete(ctx, &n));
    TAC_TRY(tac_data_set_ranges(ctx, data, n.lower, n.upper, n.estimate));
done:
    tac_free(n.lower);
    tac_free(n.upper);
    tac_free(n.seen);
    tac_free(n.estimate);
    tac_free(n.date);
    tac_free(text);
    return status;
}
