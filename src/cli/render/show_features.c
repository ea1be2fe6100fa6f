/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of a release as people write them: shares of categories in percent, days as dates, and
   what kind of mean a center is. */
#include "../cli.h"

#include <math.h>
#include <string.h>
#include <time.h>

tacit_feature cli_feature_of(const tacit_model *model, int32_t column)
{
    tacit_feature feature = TACIT_FEATURE_INIT;
    const int32_t count = tacit_model_feature_count(model);

    if (count == tacit_model_column_count(model)) { /* none has more than one column */
        if (tacit_model_feature_get(model, column, &feature) != TACIT_OK) feature.kind = "number";
        return feature;
    }
    for (int32_t i = 0; i < count; i++)
        if (tacit_model_feature_get(model, i, &feature) == TACIT_OK &&
            column < feature.first + feature.width)
            break;
    return feature;
}

bool cli_is_share(const tacit_model *model, int32_t column)
{
    return strcmp(cli_feature_of(model, column).kind, "category") == 0;
}

void cli_date_text(char *text, size_t size, double days)
{
    const time_t seconds = fabs(days) < 1e6 ? (time_t)(floor(days) * 86400) : 0;
    struct tm date;

    snprintf(text, size, "?");
    if (fabs(days) < 1e6 && gmtime_r(&seconds, &date) != NULL)
        strftime(text, size, "%Y-%m-%d", &date);
}

/* "2019-03-12 ± 40 days" */
static void date_text(char *text, size_t size, double days, double sd)
{
    char day[32];

    cli_date_text(day, sizeof day, days);
    if (isfinite(sd))
        snprintf(text, size, "%s ± %.*f d", day, sd < 9.5 ? 1 : 0, sd);
    else
        snprintf(text, size, "%s ± ?", day);
}

void cli_center_text(char *text, size_t size, const tacit_model *model, int32_t column,
                     double value, double sd, int decimals)
{
    const char *kind = cli_feature_of(model, column).kind;

    if (strcmp(kind, "date") == 0 && !isnan(value)) {
        date_text(text, size, value, sd);
        return;
    }
    if (strcmp(kind, "category") != 0) {
        cli_value_text(text, size, value, sd, decimals);
        return;
    }
    cli_value_text(text, size, 100 * value, 100 * sd, decimals > 2 ? decimals - 2 : 0);
    if (strlen(text) + 3 < size) strcat(text, " %");
}

void cli_show_means(const tacit_model *model)
{
    for (int32_t i = 0; i < tacit_model_feature_count(model); i++) {
        tacit_feature f = TACIT_FEATURE_INIT;
        char name[256];
        if (tacit_model_feature_get(model, i, &f) != TACIT_OK || strcmp(f.transform, "none") == 0)
            continue;
        snprintf(name, sizeof name, "%.200s", f.name);
        tacit_text_make_plain(name);
        printf("%s: clustered by its %s, so a center is the %s\n", name, f.transform,
               f.centers_are);
    }
}
