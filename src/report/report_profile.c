/* SPDX-License-Identifier: Apache-2.0 */
/* The released numbers of k centers, and how each is shown. */
#include "report/report.h"

#include "table/feature.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

tac_profile tac_profile_of(const tacit_model *model)
{
    tac_profile p = {.model = model,
                     .k = tacit_model_k(model),
                     .columns = tacit_model_column_count(model),
                     .center = tacit_model_centers(model),
                     .center_sd = tacit_model_centers_sd(model),
                     .size = tacit_model_sizes(model),
                     .size_sd = tacit_model_sizes_sd(model),
                     .all = TACIT_OVERALL_INIT,
                     .domain = TACIT_DOMAIN_INIT};
    /* a release without them keeps NULL */
    if (tacit_model_overall(model, &p.all) != TACIT_OK) p.all.mean = NULL;
    if (tacit_model_domain(model, &p.domain) != TACIT_OK) p.domain.lower = NULL;
    return p;
}

void tac_profile_range(const tac_profile *p, int32_t column, double *low, double *high)
{
    const double middle = p->domain.center != NULL ? p->domain.center[column] : 0;

    *low = p->domain.lower != NULL ? p->domain.lower[column] : middle - p->domain.radius;
    *high = p->domain.upper != NULL ? p->domain.upper[column] : middle + p->domain.radius;
}

/* The feature that a column of the model belongs to: the last that begins at it or before. By
   halves, as every cell of a map asks. */
static tacit_feature feature_of(const tacit_model *model, int32_t column)
{
    tacit_feature f = TACIT_FEATURE_INIT;
    int32_t low = 0, high = tacit_model_feature_count(model) - 1;

    while (low < high) {
        const int32_t middle = low + (high - low + 1) / 2;
        if (tacit_model_feature_get(model, middle, &f) == TACIT_OK && f.first <= column)
            low = middle;
        else
            high = middle - 1;
    }
    return tacit_model_feature_get(model, low, &f) == TACIT_OK ? f
                                                               : (tacit_feature)TACIT_FEATURE_INIT;
}

static tac_transform transform_of(const tac_profile *p, int32_t column)
{
    const tacit_feature f = feature_of(p->model, column);

    for (int t = 0; f.transform != NULL && t < TAC_TRANSFORMS; t++)
        if (strcmp(f.transform, tac_transform_words[t]) == 0) return (tac_transform)t;
    return TAC_AS_IS;
}

double tac_profile_clustered(const tac_profile *p, int32_t column, double value)
{
    return tac_transformed(transform_of(p, column), value);
}

double tac_profile_clustered_sd(const tac_profile *p, int32_t column, double value, double sd)
{
    const tac_transform transform = transform_of(p, column);

    return sd / fabs(tac_untransformed_slope(transform, tac_transformed(transform, value)));
}

bool tac_profile_is_curved(const tac_profile *p)
{
    for (int32_t j = 0; j < p->columns; j++)
        if (transform_of(p, j) != TAC_AS_IS) return true;
    return false;
}

double tac_profile_place(const tac_profile *p, int32_t column, double value)
{
    double low, high;

    tac_profile_range(p, column, &low, &high);
    const double from = tac_profile_clustered(p, column, low),
                 to = tac_profile_clustered(p, column, high),
                 at = tac_profile_clustered(p, column, value);
    /* halves: no difference overflows */
    const double part = (at / 2 - from / 2) / (to / 2 - from / 2);
    return isfinite(part) ? fmax(0, fmin(1, part)) : NAN;
}

bool tac_profile_is_noise(const tac_profile *p, int32_t cluster, int32_t column)
{
    const int64_t at = (int64_t)cluster * p->columns + column;
    const double own = p->center_sd == NULL ? NAN : p->center_sd[at];
    double low, high;

    if (!isfinite(own)) return false;
    const double sd = tac_profile_clustered_sd(p, column, p->center[at], own);
    if (p->all.spread != NULL && p->all.spread[column] > 0)
        return sd >=
               tac_profile_clustered_sd(p, column, p->all.mean[column], p->all.spread[column]) / 2;
    tac_profile_range(p, column, &low, &high);
    return sd >=
           tac_profile_clustered(p, column, high) / 8 - tac_profile_clustered(p, column, low) / 8;
}

void tac_profile_rows(const tac_profile *p, double *rows, double *sd)
{
    *rows = 0;
    for (int32_t i = 0; i < p->k; i++) *rows += p->size == NULL ? NAN : p->size[i];
    *sd = sqrt(p->k) * p->size_sd;
}

void tac_profile_short(const tac_profile *p, int32_t column, double value, char *text, size_t size)
{
    const tacit_feature f = feature_of(p->model, column);
    double low, high;

    tac_profile_range(p, column, &low, &high);
    const bool known = p->all.spread != NULL && p->all.spread[column] > 0;
    const double differ = known ? p->all.spread[column] / 2 : high / 20 - low / 20;
    if (f.kind != NULL && f.kind[0] == 'd') {
        tac_profile_value(p, column, value, NAN, text, size);
    } else if (f.kind != NULL && f.kind[0] == 'c') {
        tac_number_text(text, size - 2, 100 * value, 10);
        snprintf(text + strlen(text), 3, " %%");
    } else {
        tac_number_text(text, size, value, differ);
    }
}

void tac_profile_value(const tac_profile *p, int32_t column, double value, double sd, char *text,
                       size_t size)
{
    const tacit_feature f = feature_of(p->model, column);
    char date[16], error[64];

    if (f.kind == NULL || !isfinite(value) || (f.kind[0] != 'd' && f.kind[0] != 'c')) {
        tac_value_text(text, size, value, sd);
    } else if (f.kind[0] == 'c') {
        tac_value_text(error, sizeof error, 100 * value, 100 * sd);
        snprintf(text, size, "%s %%", error);
    } else {
        tac_write_date(value, date);
        tac_number_text(error, sizeof error, sd, sd);
        if (isfinite(sd) && sd > 0)
            snprintf(text, size, "%s \xc2\xb1 %s days", date, error);
        else
            snprintf(text, size, "%s", date);
    }
}
