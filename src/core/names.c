/* SPDX-License-Identifier: Apache-2.0 */
/* Names: cutting them from a list, and finding the one the user probably meant. For messages and
   options; nothing here sees a row. */
#include "core/core.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#define LONGEST 64

/* Edit distance with transpositions (optimal string alignment), case ignored, in three rolling
   rows. Names longer than LONGEST never match. Names whose lengths differ by more than `most`
   are skipped: a file may have a million columns. */
static int distance(const char *a, const char *b, int most)
{
    const size_t n = strlen(a), m = strlen(b);
    int row[3][LONGEST + 1];

    if (n > LONGEST || m > LONGEST || (n > m ? n - m : m - n) > (size_t)most) return INT_MAX;
    for (size_t j = 0; j <= m; j++) row[0][j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            const int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            int best = last[j - 1] + (x != y);
            if (last[j] + 1 < best) best = last[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]) && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[n % 3][m];
}

/* The nearest name within one edit and a third of the word's length; the first of equals. */
const char *tac_nearest_name(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    int least = (int)strlen(word) / 3 + 1; /* one slip in a short word, a few in a long one */

    for (size_t i = 0; i < count; i++) {
        const int far = distance(word, names[i], least);
        if (far < least || (best == NULL && far == least)) {
            least = far;
            best = names[i];
        }
    }
    return best;
}

/* strsep, but for a field that begins with a quote: its doubled quotes become single ones, in
   place. */
char *tac_next_field(char **rest)
{
    char *field = *rest;

    if (field == NULL) return NULL;
    if (*field != '"') return strsep(rest, ",");
    char *out = ++field, *in = field;
    while (*in != '\0' && (*in != '"' || in[1] == '"')) {
        if (*in == '"') in++;
        *out++ = *in++;
    }
    char *end = *in == '"' ? in + 1 : in;
    *rest = *end == ',' ? end + 1 : NULL;
    *out = '\0';
    return field;
}
