/* SPDX-License-Identifier: Apache-2.0 */
/* The writer of a page: a growing buffer, escapes, base 64, hashes. */
#include "report/html.h"

#include <math.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MUCH 560 /* pixels of a wide picture */

void tac_html_start(tac_html *html, tacit_ctx *ctx)
{
    *html = (tac_html){.ctx = ctx};
}

tacit_status tac_html_finish(tac_html *html, char **out)
{
    *out = NULL;
    tac_html_raw(html, ""); /* an empty page is a text too */
    if (html->status == TACIT_OK)
        *out = html->text;
    else
        tac_free(html->text);
    html->text = NULL;
    return html->status;
}

/* Room for `count` more bytes and the zero behind them. */
static bool reserve(tac_html *html, size_t count)
{
    size_t room = html->room < 65536 ? 65536 : html->room;

    if (html->status != TACIT_OK) return false;
    if (count < html->room - html->length) return true;
    while (count >= room - html->length) {
        if (room > SIZE_MAX / 2) {
            html->status = tac_fail(html->ctx, TACIT_E_MEMORY, "out of memory for a report");
            return false;
        }
        room *= 2;
    }
    html->status = tac_grow(html->ctx, &html->text, room, 1);
    if (html->status != TACIT_OK) return false;
    html->room = room;
    return true;
}

static void put(tac_html *html, const char *bytes, size_t count)
{
    if (!reserve(html, count)) return;
    memcpy(html->text + html->length, bytes, count);
    html->length += count;
    html->text[html->length] = '\0';
}

void tac_html_raw(tac_html *html, const char *markup)
{
    put(html, markup, strlen(markup));
}

void tac_html_take(tac_html *html, tac_html *other)
{
    if (html->status == TACIT_OK) html->status = other->status;
    if (other->text != NULL) put(html, other->text, other->length);
    tac_free(other->text);
    *other = (tac_html){0};
}

void tac_html_markup(tac_html *html, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    const int needed = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (needed < 0 || !reserve(html, (size_t)needed)) return;
    va_start(list, format);
    vsnprintf(html->text + html->length, (size_t)needed + 1, format, list);
    va_end(list);
    html->length += (size_t)needed;
}

/* One character, escaped where HTML gives it a meaning. */
static void put_character(tac_html *html, const char *bytes, size_t length)
{
    static const char marks[] = "&<>\"'";
    static const char *const escapes[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *mark = length == 1 ? strchr(marks, bytes[0]) : NULL;

    if (mark != NULL)
        tac_html_raw(html, escapes[mark - marks]);
    else
        put(html, bytes, length);
}

void tac_html_text(tac_html *html, const char *text, size_t longest)
{
    uint32_t code = 0;

    for (size_t shown = 0; *text != '\0'; shown++) {
        size_t length = tac_utf8(text, 4, &code);
        if (shown == longest) {
            tac_html_raw(html, "\xe2\x80\xa6");
            return;
        }
        if (length > 0 && tac_is_plain(code))
            put_character(html, text, length);
        else
            tac_html_raw(html, "?");
        text += length > 0 ? length : 1;
    }
}

void tac_html_picture(tac_html *html, const char *shows, int width, int height)
{
    tac_html_markup(html,
                    "<figure><div class=\"wide\"%s><svg%s role=\"img\" aria-label=\"%s\" "
                    "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">",
                    width > MUCH ? " tabindex=\"0\"" : "", width > MUCH ? " class=\"big\"" : "",
                    shows, width, height, width, height);
}

void tac_html_picture_end(tac_html *html, const char *caption)
{
    tac_html_markup(html, "</svg></div><figcaption>%s</figcaption></figure>", caption);
}

/* The width is a class, as the page's policy allows no style beside its own. */
void tac_html_bar(tac_html *html, double share)
{
    const int percent = share > 0 ? (int)fmax(1, fmin(100, round(100 * share))) : 0;
    tac_html_markup(html, "<div class=\"share w%d\"></div>", percent);
}

void tac_html_base64(tac_html *html, const void *bytes, size_t count)
{
    if (count > SIZE_MAX / 4) {
        if (html->status == TACIT_OK)
            html->status = tac_fail(html->ctx, TACIT_E_MEMORY, "out of memory for a report");
        return;
    }
    const size_t size = sodium_base64_ENCODED_LEN(count, sodium_base64_VARIANT_ORIGINAL);
    if (!reserve(html, size)) return;
    sodium_bin2base64(html->text + html->length, size, bytes, count,
                      sodium_base64_VARIANT_ORIGINAL);
    html->length += size - 1;
}

void tac_html_hash(tac_html *html, const char *text)
{
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(hash, (const unsigned char *)text, strlen(text));
    tac_html_raw(html, "'sha256-");
    tac_html_base64(html, hash, sizeof hash);
    tac_html_raw(html, "'");
}
