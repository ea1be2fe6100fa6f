/* SPDX-License-Identifier: Apache-2.0 */
/* How k was chosen, for people: the verdict with what to do next, and the curve on its whole
   range. */
#include "../cli.h"

#include <math.h>

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

/* The curve, and where it goes. */
typedef struct curve {
    const double *value;
    int32_t count;
    double low, high;
    bool strengths; /* which have a scale of their own: 0 to 1 */
    cli_terminal terminal;
} curve;

/* How long the bar of a k is. Scores of subspaces, and of older releases, have no scale: their
   lowest has no bar. */
static double share_of(const curve *c, int32_t k)
{
    const double value = c->value[k - 1];

    if (c->strengths) return value;
    /* halves: no difference overflows */
    return c->high > c->low ? (value / 2 - c->low / 2) / (c->high / 2 - c->low / 2) : 1;
}

/* A line of the curve. In a file the bar is of #, which on a terminal of UTF-8 are blocks. */
static void print_line(const curve *c, int32_t k, const char *mark)
{
    const double value = c->value[k - 1];
    const cli_terminal *t = &c->terminal;
    /* "      3    0.4512  " and "  <- looks best" */
    const int room = t->width > 0 ? t->width - 34 : CELLS;
    char bar[3 * CELLS + 1];
    const int cells = cli_bar(t, bar, share_of(c, k), room > CELLS ? CELLS : room > 1 ? room : 1);

    printf(fabs(value) < 1e9 ? "%7d  %8.4f%s%s%s%s%s%s\n" : "%7d  %8.4g%s%s%s%s%s%s\n", (int)k,
           value, cells == 0 ? "" : "  ", cli_paint(t, mark[0] == '\0' ? INK_BAR : INK_STRONG), bar,
           mark[0] == '\0' ? "" : "  ", mark, cli_paint(t, INK_NONE));
}

/* "1 ..:#=- 20": the whole curve at a glance, of a long one the best k of each cell; on a terminal
   alone. */
static void print_spark(const curve *c)
{
    const int32_t cells = c->count < CELLS ? c->count : CELLS;
    char text[3 * CELLS + 1] = "";

    if (!c->terminal.is) return;
    for (int32_t i = 0; i < cells; i++) {
        double most = -INFINITY;
        for (int32_t k = i * c->count / cells + 1; k <= (i + 1) * c->count / cells; k++)
            most = fmax(most, share_of(c, k));
        cli_spark(&c->terminal, text, most);
    }
    printf("      1 %s%s%s %d\n\n", cli_paint(&c->terminal, INK_BAR), text,
           cli_paint(&c->terminal, INK_NONE), (int)c->count);
}

/* The next k to show: each, or so that LINES or so go from 1 to the last; `must` is not skipped. */
static int32_t next_line(int32_t k, int32_t count, int32_t must)
{
    const double step = pow(count, 1.0 / LINES);
    int32_t next = count <= LINES + 2 ? k + 1 : (int32_t)fmax(k + 1, round(k * step));

    if (k < must && next > must) next = must;
    return k < count && next > count ? count : next;
}

void cli_show_k(const tacit_model *model)
{
    const int32_t k = tacit_model_k(model);
    tacit_k_choice choice = TACIT_K_CHOICE_INIT;
    curve c = {.low = INFINITY, .high = -INFINITY, .terminal = cli_terminal_of(stdout)};

    c.value = tacit_model_curve(model, &c.count);
    if (c.count == 0) return;
    c.strengths = tacit_model_k_choice(model, &choice) == TACIT_OK;
    const int32_t best = c.strengths ? choice.best : k;
    if (c.strengths) print_verdict(&choice, tacit_model_cells(model) > 1);
    if (c.strengths && c.count < 2) return;
    for (int32_t i = 0; i < c.count; i++) {
        c.low = fmin(c.low, c.value[i]);
        c.high = fmax(c.high, c.value[i]);
    }
    if (c.strengths)
        printf("\nStrength for each k: 0 as in a box without groups, 1 perfect\n\n");
    else
        printf("\nk = %d was chosen, of 1 to %d: score for each k (higher is better)\n\n", (int)k,
               (int)c.count);
    print_spark(&c);
    for (int32_t i = 1; i <= c.count; i = next_line(i, c.count, i < k ? k : best))
        print_line(&c, i, i == k ? "<- chosen" : i == best ? "<- looks best" : "");
}
