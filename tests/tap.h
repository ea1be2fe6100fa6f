/* SPDX-License-Identifier: Apache-2.0 */
/* A small test harness in the Test Anything Protocol: CHECK(x) counts, tap_done() is main's
   result. */
#ifndef TAC_TAP_H
#define TAC_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failed;

__attribute__((format(printf, 2, 3), unused)) static bool tap_ok(bool good, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("%sok %d - ", good ? "" : "not ", ++tap_count);
    vprintf(format, args);
    printf("\n");
    va_end(args);
    fflush(stdout);
    if (!good) tap_failed++;
    return good;
}

/* CHECK(condition, "what it means", ...) */
#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!tap_ok((condition), __VA_ARGS__))                                                     \
            printf("# %s:%d: %s\n", __FILE__, __LINE__, #condition);                               \
    } while (0)

/* Stop the test: nothing after it would make sense. */
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("Bail out! %s:%d: %s\n", __FILE__, __LINE__, #condition);                       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* Longer runs without a rebuild: TACIT_TEST_MULT=10 repeats statistical and random tests ten times
   as much. */
__attribute__((unused)) static long tap_times(long base)
{
    const char *text = getenv("TACIT_TEST_MULT");
    const double factor = text == NULL ? 1 : strtod(text, NULL);
    const long times = factor > 0 ? (long)((double)base * factor) : base;
    return times < 1 ? 1 : times;
}

/* Tests that try every few places of many: TACIT_TEST_TURN=1, 2, ... tries others. */
__attribute__((unused)) static long tap_turn(void)
{
    const char *text = getenv("TACIT_TEST_TURN");
    const long turn = text == NULL ? 0 : strtol(text, NULL, 10);
    return turn < 0 ? 0 : turn;
}

__attribute__((unused)) static int tap_done(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed == 0 ? 0 : 1;
}

#endif
