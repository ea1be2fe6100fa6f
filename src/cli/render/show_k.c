/* SPDX-License-Identifier: Apache-2.0 */
/* How k was chosen, for people: the verdict with what to do next, and the curve on its whole
   range. */
#include "../cli.h"

#include <math.h>
#include <string.h>

#define LINES 18 /* of the picture, about */
#define CELLS 40
#define CLEAR_FROM "0.30" /* strength from which groups are called clear */

/* "6 to 14 groups describe the noisy answers about as well." */
static void print_near(const tacit_k_choice *c)
{
    if (c->low == c->high) return;
    printf("%d to %d groups describe the noisy answers about as well.\n", (int)c->low,
           (int)c->high);
}

/* More clusters take cells, which a release may lack; fewer do not. */
static void print_other_k(bool cells)
{
    fputs(cells ? "For another number at no cost: tacit recut RELEASE -k N\n"
                : "For a smaller number at no cost: tacit recut RELEASE -k N; a larger one takes a "
                  "run of its own.\n",
          stdout);
}

static void print_verdict(const tacit_k_choice *c, bool cells)
{
    if (c->verdict == TACIT_K_CLEAR) {
        printf("\n%d groups (strength %.2f: clear).\n", (int)c->best, c->strength);
        print_near(c);
    } else if (c->verdict == TACIT_K_WEAK) {
        printf("\n%d groups, a suggestion only: the groups overlap (strength %.2f; clear "
               "from " CLEAR_FROM ").\n",
               (int)c->best, c->strength);
        print_near(c);
        print_other_k(cells);
    } else if (c->verdict == TACIT_K_NONE) {
        printf("\nNo clear groups: the rows look no more grouped than an even cloud of the same "
               "shape\n(strength %.2f, needed %.2f). One center is released. If you need segments "
               "all the same,\n%s divides the cloud evenly%s; those are segments, not groups.\n",
               c->strength, c->needed, cells ? "tacit recut RELEASE -k N" : "a run with -k N",
               cells ? " at no cost" : "");
    } else if (c->best > 1 && c->strength <= 0) {
        printf("\nNo groups to be seen: boxes without groups, seen through this noise, reach a "
               "strength of %.2f\n(here %.2f). One center is released. Weaker groups than that may "
               "be "
               "hidden: more rows, fewer\ncolumns or a larger epsilon would show them.\n",
               c->needed, c->strength);
    } else if (c->best > 1) {
        printf("\nToo noisy to tell: boxes without groups, seen through this noise, reach a "
               "strength of %.2f\n(here %.2f). One center is released. More rows, fewer columns or "
               "a larger epsilon would help;\nk = %d looks best so far",
               c->needed, c->strength, (int)c->best);
        if (cells) printf(": tacit recut RELEASE -k %d", (int)c->best);
        printf("\n");
    } else {
        printf("\nToo noisy to tell: this budget cannot tell two centers of so many rows and "
               "columns apart.\nOne center is released. More rows, fewer columns or a larger "
               "epsilon would help.\n");
    }
}

/* A line of the curve. share: of the longest bar. */
static void print_line(int32_t k, double value, double share, const char *mark)
{
    char bar[CELLS + 1];
    const int cells = share > 0 ? (int)lrint(CELLS * fmin(share, 1)) : 0;

    memset(bar, '#', (size_t)cells);
    bar[cells] = '\0';
    printf(fabs(value) < 1e9 ? "%7d  %8.4f%s%s%s%s\n" : "%7d  %8.4g%s%s%s%s\n", (int)k, value,
           cells == 0 ? "" : "  ", bar, mark[0] == '\0' ? "" : "  ", mark);
}

/* The next k to show: each, or so that LINES or so go from 1 to the last; `must` is not skipped. */
static int32_t next_line(int32_t k, int32_t count, int32_t must)
{
    const double step = pow(count, 1.0 / LINES);
    int32_t next = count <= LINES + 2 ? k + 1 : (int32_t)fmax(k + 1, round(k * step));

    if (k < must && next > must) next = must;
    return k < count && next > count ? count : next;
}

/* Strengths have a scale of their own; scores of subspaces, and of older releases, have none: their
   lowest has no bar. */
void cli_show_k(const tacit_model *model)
{
    int32_t count;
    const int32_t k = tacit_model_k(model);
    const double *value = tacit_model_curve(model, &count);
    tacit_k_choice c = TACIT_K_CHOICE_INIT;
    double low = INFINITY, high = -INFINITY;

    if (count == 0) return;
    const bool told = tacit_model_k_choice(model, &c) == TACIT_OK;
    const int32_t best = told ? c.best : k;
    if (told) print_verdict(&c, tacit_model_cells(model) > 1);
    if (told && count < 2) return;
    for (int32_t i = 1; i <= count; i++) {
        low = fmin(low, value[i - 1]);
        high = fmax(high, value[i - 1]);
    }
    if (told)
        printf("\nStrength for each k: 0 as in a box without groups, 1 perfect\n\n");
    else
        printf("\nk = %d was chosen, of 1 to %d: score for each k (higher is better)\n\n", (int)k,
               (int)count);
    for (int32_t i = 1; i <= count; i = next_line(i, count, i < k ? k : best)) {
        /* halves: no difference overflows */
        const double share = told         ? value[i - 1]
                             : high > low ? (value[i - 1] / 2 - low / 2) / (high / 2 - low / 2)
                                          : 1;
        print_line(i, value[i - 1], share, i == k ? "<- chosen" : i == best ? "<- looks best" : "");
    }
}
