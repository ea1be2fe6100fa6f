/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers from text, the same in every locale. Options and bounds pass here; the readers have a
   faster parser of their own. */
#include "core/core.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* At most 63 bytes of digits, signs, '.', 'e' and 'E', all of them used up by strtod. *out is
   written only on success. */
bool tac_parse_double(const char *text, double *out)
{
    char copy[512];
    char *end;
    const size_t length = strlen(text);

    if (length == 0 || length >= 64 || isspace((unsigned char)text[0])) return false;
    for (size_t i = 0; i < length; i++)
        if (strchr("0123456789+-.eE", text[i]) == NULL) return false; /* no hexadecimal, inf, nan */
    /* strtod wants the locale's decimal point, which may be several bytes long; the program around
       us may have set one. */
    const char *point = localeconv()->decimal_point;
    size_t used = 0;
    for (size_t i = 0; i <= length; i++) {
        if (text[i] != '.') {
            copy[used++] = text[i];
            continue;
        }
        memcpy(copy + used, point, strlen(point));
        used += strlen(point);
    }
    const double value = strtod(copy, &end);
    if (*end != '\0' || !isfinite(value)) return false;
    *out = value;
    return true;
}
