/* SPDX-License-Identifier: Apache-2.0 */
/* What somebody who typed something else probably meant. */
#include "../cli.h"

#include <ctype.h>
#include <string.h>

#define MOST_CHOICES 32

/* Edit distance where a swap of neighbors counts once, case ignored. Both names at most
   CLI_LONGEST_NAME long. */
static int slips(const char *a, const char *b)
{
    int d[CLI_LONGEST_NAME + 1][CLI_LONGEST_NAME + 1];
    const int n = (int)strlen(a), m = (int)strlen(b);

    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            const int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            int least = d[i - 1][j - 1] + (x != y);
            if (d[i - 1][j] + 1 < least) least = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < least) least = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]) && d[i - 2][j - 2] + 1 < least)
                least = d[i - 2][j - 2] + 1;
            d[i][j] = least;
        }
    }
    return d[n][m];
}

/* The name with the fewest slips, if they are few enough for the length of the word; else one that
   the word begins. */
const char *cli_nearest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    const size_t length = strlen(word);
    int least = (int)length / 3 + 2; /* one slip in a short word, a few in a long one */

    if (length < 2 || length > CLI_LONGEST_NAME) return NULL;
    for (size_t i = 0; i < count; i++) {
        if (strlen(names[i]) > CLI_LONGEST_NAME) continue;
        const int far = slips(word, names[i]);
        if (far < least) {
            least = far;
            best = names[i];
        }
    }
    for (size_t i = 0; i < count && best == NULL; i++) /* "lsh" for "lsh-tree" */
        if (strncmp(names[i], word, length) == 0) best = names[i];
    return best;
}

/* The contract stands in options.h. `store` receives the choices, cut up; *near points into it.
   *near is set only where the word is none of them. */
int cli_choice(const char *word, const char *choices, char *store, size_t size, const char **near)
{
    const char *names[MOST_CHOICES];
    size_t count = 0;
    char *rest = NULL;

    snprintf(store, size, "%s", choices);
    for (char *name = strtok_r(store, "|", &rest); name != NULL && count < MOST_CHOICES;
         name = strtok_r(NULL, "|", &rest))
        names[count++] = name;
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], word) == 0) return (int)i;
    *near = cli_nearest(word, names, count);
    return -1;
}
