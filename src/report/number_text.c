/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as people read them, the same whatever the locale. */
#include "report/html.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* printf writes the locale's decimal mark, perhaps of several bytes: put a point there. */
static void point(char *text)
{
    char *to = text;
    bool inside = false;

    for (; *text != '\0'; text++) {
        const bool mark = strchr("0123456789+-eE", *text) == NULL;
        if (!mark)
            *to++ = *text;
        else if (!inside)
            *to++ = '.';
        inside = mark;
    }
    *to = '\0';
}

/* Decimals that show two digits of sd; below 0: the last digits mean nothing. */
static int decimals_of(double sd)
{
    if (!(sd > 0) || !isfinite(sd)) return 3;
    return (int)fmax(0, fmin(9, 1 - floor(log10(sd))));
}

void tac_number_text(char *text, size_t size, double value, double sd)
{
    if (!isfinite(value)) {
        snprintf(text, size, "?");
        return;
    }
    if (isfinite(sd) && sd > 0 && fabs(value) < 1e9)
        snprintf(text, size, "%.*f", decimals_of(sd), value);
    else
        snprintf(text, size, "%.5g", value);
    point(text);
    if (text[0] == '-' && strspn(text, "-0.") == strlen(text))
        memmove(text, text + 1, strlen(text));
}

void tac_value_text(char *text, size_t size, double value, double sd)
{
    char number[64], error[64];

    tac_number_text(number, sizeof number, value, sd);
    if (!isfinite(value) || !isfinite(sd) || sd <= 0) {
        snprintf(text, size, "%s", number);
        return;
    }
    tac_number_text(error, sizeof error, sd, sd);
    snprintf(text, size, "%s \xc2\xb1 %s", number, error);
}

void tac_count_text(char *text, size_t size, double value)
{
    char digits[64];
    size_t at = 0;

    if (!isfinite(value)) {
        snprintf(text, size, "?");
        return;
    }
    if (fabs(value) >= 1e15) {
        snprintf(text, size, "%.3g", value);
        point(text);
        return;
    }
    snprintf(digits, sizeof digits, "%.0f", fabs(value));
    const size_t count = strlen(digits);
    if (value <= -0.5 && size > 1) text[at++] = '-';
    for (size_t i = 0; i < count && at + 3 < size; i++) {
        if (i > 0 && (count - i) % 3 == 0) text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
}

void tac_share_text(char *text, size_t size, double share)
{
    char number[48];

    tac_number_text(number, sizeof number, 100 * share, 1);
    if (share > 0 && share < 0.0005)
        snprintf(text, size, "below 0.1 %%");
    else
        snprintf(text, size, "%s %%", number);
}
