/* SPDX-License-Identifier: Apache-2.0 */
/* What a terminal gets beside the plain text: bars, a sparkline, color. A file or a pipe gets none
   of it, so that scripts read the same bytes everywhere. */
#include "../cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define EIGHTHS 8
#define NARROWEST 20 /* a window that says it is narrower says nothing */

/* The first of these that is set says how the terminal reads bytes, as setlocale would. */
static bool speaks_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *value = NULL;

    for (int i = 0; i < 3 && (value == NULL || *value == '\0'); i++) value = getenv(names[i]);
    return value != NULL && (strcasestr(value, "utf-8") != NULL || strcasestr(value, "utf8"));
}

cli_terminal cli_terminal_of(FILE *out)
{
    const char *name = getenv("TERM"), *plain = getenv("NO_COLOR");
    cli_terminal t = {.is = fileno(out) >= 0 && isatty(fileno(out))};
    struct winsize window;

    if (!t.is) return t;
    t.utf8 = speaks_utf8();
    t.color = name != NULL && *name != '\0' && strcmp(name, "dumb") != 0 &&
              (plain == NULL || *plain == '\0');
    if (ioctl(fileno(out), TIOCGWINSZ, &window) == 0 && window.ws_col >= NARROWEST)
        t.width = window.ws_col;
    return t;
}

const char *cli_paint(const cli_terminal *t, cli_ink ink)
{
    static const char *const code[] = {"\033[0m", "\033[36m", "\033[1m", "\033[1;31m"};
    return t->color ? code[ink] : "";
}

/* U+2588 is a full cell; those after it are seven eighths of one, six, ... */
int cli_bar(const cli_terminal *t, char *text, double share, int cells)
{
    const double part = share > 0 ? fmin(share, 1) : 0; /* NaN: none */
    const long eighths = lrint(EIGHTHS * cells * part);
    const long full = t->utf8 ? eighths / EIGHTHS : lrint(cells * part);
    const long rest = !t->utf8 ? 0 : part > 0 && eighths == 0 ? 1 : eighths % EIGHTHS;

    *text = '\0';
    for (long i = 0; i < full; i++) strcat(text, t->utf8 ? "\xe2\x96\x88" : "#");
    if (rest > 0) {
        const char last[] = {'\xe2', '\x96', (char)(0x88 + EIGHTHS - rest), '\0'};
        strcat(text, last);
    }
    return (int)full + (rest > 0);
}

/* U+2581 .. U+2588 are one to eight eighths of a cell's height. */
void cli_spark(const cli_terminal *t, char *text, double share)
{
    const int level = share > 0 ? (int)lrint((EIGHTHS - 1) * fmin(share, 1)) : 0;

    if (t->utf8) {
        const char part[] = {'\xe2', '\x96', (char)(0x81 + level), '\0'};
        strcat(text, part);
    } else {
        const char part[] = {"_.-:=+*#"[level], '\0'};
        strcat(text, part);
    }
}

const char *cli_plus_minus(const cli_terminal *t)
{
    return t->is && !t->utf8 ? "+-" : "±";
}

/* Both marks are as long in ASCII. */
void cli_spell(const cli_terminal *t, char *text)
{
    if (!t->is || t->utf8) return;
    for (char *at; (at = strstr(text, "±")) != NULL;) memcpy(at, "+-", 2);
    for (char *at; (at = strstr(text, "…")) != NULL;) memcpy(at, "...", 3);
}
