/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers from text, the same in every locale. */
#include "core/core.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tac_parse_double(const char *text, double *out)
{
    char copy[128];
    char *end;
    const size_t length = strlen(text);

    if (length == 0 || length >= sizeof copy || isspace((unsigned char)text[0])) return false;
    for (size_t i = 0; i < length; i++)
        if (strchr("0123456789+-.eE", text[i]) == NULL) return false; /* no hexadecimal, inf, nan */
    memcpy(copy, text, length + 1);
    /* strtod wants the locale's decimal point; the program around us may have set one. */
    char *dot = strchr(copy, '.');
    if (dot != NULL) *dot = localeconv()->decimal_point[0];
    const double value = strtod(copy, &end);
    if (*end != '\0' || !isfinite(value)) return false;
    *out = value;
    return true;
}
