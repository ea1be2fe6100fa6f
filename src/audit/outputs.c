/* SPDX-License-Identifier: Apache-2.0 */
/* tacit_audit_compare: the audit of any program from what it printed on two neighboring data
   sets. There is no door and no receipt here: outputs become features, and events on them prove
   a lower bound of epsilon. */
#include "audit/audit.h"
#include "audit/events.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Features: at most NUMBERS_MOST numbers of an output, fewer if the table of all outputs would
   exceed TABLE_MOST values. EVENTS are certified; alpha is split among them. */
enum { NUMBERS_MOST = 256, TABLE_MOST = 40000000, EVENTS = 4, LONGEST_NUMBER = 63 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Length of the decimal number at the start of `text`; 0: there is none. An exponent counts only
   if it has a digit. */
static size_t number_length(const char *text, size_t left)
{
    size_t at = 0, digits = 0;

    if (at < left && (text[at] == '-' || text[at] == '+')) at++;
    while (at < left && is_digit(text[at])) at++, digits++;
    if (at < left && text[at] == '.') {
        at++;
        while (at < left && is_digit(text[at])) at++, digits++;
    }
    if (digits == 0) return 0;
    if (at < left && (text[at] == 'e' || text[at] == 'E')) {
        size_t power = at + 1;
        if (power < left && (text[power] == '-' || text[power] == '+')) power++;
        if (power < left && is_digit(text[power])) {
            while (power < left && is_digit(text[power])) power++;
            at = power;
        }
    }
    return at;
}

/* Numbers of a text in their order, the first `most` of them into out (NULL: count only). A
   digit inside a word is no number. Returns how many there are. */
static int64_t read_numbers(const char *text, size_t length, int32_t most, double *out)
{
    char copy[LONGEST_NUMBER + 1];
    int64_t found = 0;

    for (size_t at = 0; at < length;) {
        const size_t size =
            at > 0 && is_word(text[at - 1]) ? 0 : number_length(text + at, length - at);
        if (size == 0) {
            at++;
            continue;
        }
        double value = NAN;
        if (size <= LONGEST_NUMBER) {
            memcpy(copy, text + at, size);
            copy[size] = '\0';
            if (!tac_parse_double(copy, &value)) value = NAN;
        }
        if (found < most && out != NULL) out[found] = value;
        found++;
        at += size;
    }
    return found;
}

/* Element i of the caller's array, whose stride is the size that the caller's struct states. */
static tacit_audit_output output_at(const tacit_audit_output *first, int64_t i)
{
    tacit_audit_output one = TACIT_AUDIT_OUTPUT_INIT;

    memcpy(&one, (const char *)first + (size_t)i * first->size, first->size);
    return one;
}

/* FNV-1a, cut to 53 bits so that a double holds it exactly. */
static double hash_text(const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
    return (double)(hash >> 11);
}

/* Ascending, NAN last. */
static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return isnan(x) ? !isnan(y) : isnan(y) ? -1 : x < y ? -1 : x > y;
}

/* Two passes: how many numbers the longest output has, then the table. Sorted numbers are
   features too. */
tacit_status tac_features_make(tacit_ctx *ctx, const tacit_audit_output *const output[2],
                               int64_t runs, tac_event_features *out)
{
    tacit_status status = TACIT_OK;
    int64_t most = 0;

    *out = (tac_event_features){.runs = runs};
    for (int side = 0; side < 2; side++)
        for (int64_t i = 0; i < runs; i++) {
            const tacit_audit_output o = output_at(output[side], i);
            const int64_t found = read_numbers(o.text, o.length, 0, NULL);
            most = found > most ? found : most;
        }
    const int64_t room = TABLE_MOST / (4 * runs) + 1;
    const int32_t numbers =
        (int32_t)(most > NUMBERS_MOST ? (NUMBERS_MOST < room ? NUMBERS_MOST : room)
                  : most < room       ? most
                                      : room);
    out->width = TAC_FEATURE_NUMBERS + 2 * numbers; /* as they come, and by size */
    TAC_TRY(tac_new(ctx, 2 * (size_t)runs * (size_t)out->width, sizeof *out->value, &out->value));
    for (int side = 0; side < 2; side++)
        for (int64_t i = 0; i < runs; i++) {
            const tacit_audit_output o = output_at(output[side], i);
            double *x = tac_features_of(out, side, i), *number = x + TAC_FEATURE_NUMBERS;
            for (int32_t c = 0; c < out->width; c++) x[c] = NAN;
            x[TAC_FEATURE_CODE] = o.code;
            x[TAC_FEATURE_LENGTH] = (double)o.length;
            x[TAC_FEATURE_COUNT] = (double)read_numbers(o.text, o.length, numbers, number);
            x[TAC_FEATURE_TEXT] = hash_text(o.text, o.length);
            memcpy(number + numbers, number, (size_t)numbers * sizeof *number);
            qsort(number + numbers, (size_t)numbers, sizeof *number, by_size);
        }
    for (int shrunk = 0; shrunk < 2; shrunk++) {
        const double shrink = shrunk ? 0.3 : 1e-6;
        TAC_TRY(tac_features_direction(ctx, out, TAC_FEATURE_NUMBERS, numbers, shrink,
                                       TAC_FEATURE_DIRECTION + shrunk));
        TAC_TRY(tac_features_direction(ctx, out, TAC_FEATURE_NUMBERS + numbers, numbers, shrink,
                                       TAC_FEATURE_SORTED + shrunk));
    }
done:
    return status;
}

/* The event as a sentence of the report. numbers: of an output, in the features. */
static void describe(const tac_event *e, int32_t numbers, char *text, size_t size)
{
    const char *side = e->frequent == 0 ? "first" : "second", *more = e->equal ? "" : " or more";

    if (e->column == TAC_FEATURE_CODE)
        snprintf(text, size, "exit code %g%s, more often on the %s", e->value, more, side);
    else if (e->column == TAC_FEATURE_LENGTH)
        snprintf(text, size, "%g bytes of output%s, more often on the %s", e->value, more, side);
    else if (e->column == TAC_FEATURE_COUNT)
        snprintf(text, size, "%g numbers in the output%s, more often on the %s", e->value, more,
                 side);
    else if (e->column == TAC_FEATURE_TEXT)
        snprintf(text, size, "one and the same output, more often on the %s", side);
    else if (e->column <= TAC_FEATURE_SORTED_SHRUNK)
        snprintf(text, size, "a weighted sum of the %snumbers, larger on the %s",
                 e->column < TAC_FEATURE_SORTED ? "" : "sorted ", side);
    else {
        const int32_t at = e->column - TAC_FEATURE_NUMBERS;
        snprintf(text, size, "%s %d of the output is %.8g%s, more often on the %s",
                 at < numbers ? "number" : "by size, number", at % numbers + 1, e->value, more,
                 side);
    }
}

/* first, second: arrays of opts->runs outputs on two neighbors. `most`: the largest epsilon that
   so many runs could prove, so that a small number of runs is not taken for a proof of privacy. */
tacit_status tacit_audit_compare(tacit_ctx *ctx, const tacit_audit_opts *opts,
                                 const tacit_audit_output *first, const tacit_audit_output *second,
                                 tacit_audit_report *out)
{
    tacit_status status = TACIT_OK;
    const tacit_audit_output *const output[2] = {first, second};
    tacit_audit_opts o;
    tacit_audit_report r = {
        .size = sizeof r, .mu = NAN, .mu_measured = NAN, .noise = NAN, .evidence = NAN};
    tac_event_features features = {0};
    tac_proved proved;
    tac_event best;

    TAC_TRY(tac_audit_read_opts(ctx, opts, &o));
    for (int side = 0; side < 2; side++)
        TAC_TRY(tac_check_size(ctx, "tacit_audit_output", output[side], sizeof *first));
    TAC_TRY(tac_features_make(ctx, output, o.runs, &features));
    TAC_TRY(tac_features_prove(ctx, &features, EVENTS, 1 - o.confidence, o.delta, &proved, &best));
    const int64_t half = o.runs - o.runs / 2;
    /* always on one file, never on the other */
    const tac_seen clear = {.hits = {0, half}, .runs = {half, half}};
    const double most = tac_prove(&clear, (1 - o.confidence) / EVENTS, o.delta).epsilon;
    r.epsilon = o.epsilon;
    r.delta = o.delta;
    r.confidence = o.confidence;
    r.runs = o.runs;
    r.measured = fmax(0, proved.epsilon);
    r.violation = r.measured > o.epsilon;
    if (r.measured > 0)
        describe(&best, (features.width - TAC_FEATURE_NUMBERS) / 2, r.attack, sizeof r.attack);
    else
        snprintf(r.attack, sizeof r.attack,
                 "nothing in the outputs told the files apart in so many runs");
    if (r.violation)
        snprintf(r.verdict, sizeof r.verdict,
                 "VIOLATION: measured lower bound %.4g above the claimed epsilon %.5g with "
                 "confidence %.6g",
                 r.measured, o.epsilon, o.confidence);
    else if (most < o.epsilon)
        snprintf(r.verdict, sizeof r.verdict,
                 "no violation found; %lld runs cannot prove an epsilon above %.3g, which is less "
                 "than was claimed: take more",
                 (long long)o.runs, fmax(0, most));
    else
        snprintf(r.verdict, sizeof r.verdict, "no violation found");
    TAC_TRY(tac_audit_reported(ctx, &r, out));
done:
    tac_free(features.value);
    return status;
}
