/* SPDX-License-Identifier: Apache-2.0 */
/* A writer of one HTML page: a growing text in which everything that a release's maker wrote is
   escaped. The first failure is kept in `status`, and every call after it does nothing; so callers
   check once, at the end. */
#ifndef TAC_HTML_H
#define TAC_HTML_H

#include "core/core.h"

typedef struct tac_html {
    tacit_ctx *ctx;
    tacit_status status;
    char *text; /* ends with a zero byte, which `length` does not count */
    size_t length, room;
} tac_html;

void tac_html_start(tac_html *html, tacit_ctx *ctx);
/* Frees the writer after a failure, and *out is NULL; otherwise the text is the caller's. */
tacit_status tac_html_finish(tac_html *html, char **out);

/* What another writer has written, and its end; the other one's failure is this one's. */
void tac_html_take(tac_html *html, tac_html *other);
/* Markup of our own, as it stands: never a text from a release. */
void tac_html_raw(tac_html *html, const char *markup);
/* The same with numbers in it. Takes %d, %s and the like: of texts only our own. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void tac_html_markup(tac_html *html, const char *format, ...);
/* A text of anybody's: what is not plain (tac_is_plain) or no UTF-8 becomes '?', the marks of HTML
   are escaped, and what is longer than `longest` characters is cut, with an ellipsis. Fit for text
   and for attributes in double quotes. */
void tac_html_text(tac_html *html, const char *text, size_t longest);
/* A picture and what it shows, for those who cannot see it; ends with tac_html_picture_end, which
   takes the caption. Wide ones are scrolled on a phone, not made too small to read. */
void tac_html_picture(tac_html *html, const char *shows, int width, int height);
void tac_html_picture_end(tac_html *html, const char *caption);
/* A bar of a share from 0 to 1; the number beside it says the same. */
void tac_html_bar(tac_html *html, double share);
/* Bytes in base 64. */
void tac_html_base64(tac_html *html, const void *bytes, size_t count);
/* 'sha256-...', as a Content-Security-Policy names an inline style or script. */
void tac_html_hash(tac_html *html, const char *text);

#define TAC_NAME_LONGEST 80 /* characters of a column's name that are shown */
#define TAC_SENTENCE_LONGEST 2000

/* A number as people read it: `sd` says how many digits mean something (two of it); NaN or 0: six
   digits. Not finite: "?". No text has a mark that HTML escapes. */
void tac_number_text(char *text, size_t size, double value, double sd);
/* "12.3 ± 0.4" */
void tac_value_text(char *text, size_t size, double value, double sd);
/* A whole number with thin gaps: 20 000 as "20,000". */
void tac_count_text(char *text, size_t size, double value);
/* "28.1 %", and what is not nothing is not shown as 0. */
void tac_share_text(char *text, size_t size, double share);

#endif
