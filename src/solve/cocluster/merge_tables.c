/* SPDX-License-Identifier: Apache-2.0 */
/* The agglomerative information bottleneck on a small table: see merge_tables.h for the price.
   Works on noisy tables, clipped at 0. */
#include "solve/cocluster/merge_tables.h"

#include <math.h>
#include <string.h>

/* h(x) = x ln x, continued by h(0) = 0. */
static double h(double x)
{
    return x > 0 ? x * log(x) : 0;
}

/* q(a) = sum_l h(a_l) - h(sum_l a_l), of the sum of two rows. */
static double inside(const double *a, const double *b, int32_t l)
{
    double sum = 0, all = 0;

    for (int32_t j = 0; j < l; j++) {
        sum += h(a[j] + b[j]);
        all += a[j] + b[j];
    }
    return sum - h(all);
}

typedef struct joiner {
    int32_t k, l;
    double *row;   /* k x l: of the first row of each group that is left */
    double *q;     /* k */
    double *price; /* k x k, a < b */
    int32_t *head; /* k: the first row of the group a row is in */
} joiner;

/* Price of joining a < b: q(a) + q(b) - q(a + b). */
static void quote(joiner *s, int32_t a, int32_t b)
{
    const size_t k = (size_t)s->k, l = (size_t)s->l;
    s->price[(size_t)a * k + (size_t)b] =
        s->q[a] + s->q[b] - inside(s->row + (size_t)a * l, s->row + (size_t)b * l, s->l);
}

/* Is row a the first of its group? Only such rows carry sums. */
static bool leads(const joiner *s, int32_t a)
{
    return s->head[a] == a;
}

/* Joins the cheapest pair of groups into the lower one, and prices that one anew. */
static void join_cheapest(joiner *s)
{
    const size_t k = (size_t)s->k, l = (size_t)s->l;
    int32_t to = -1, from = -1;
    double best = INFINITY;

    for (int32_t a = 0; a < s->k; a++)
        for (int32_t b = a + 1; b < s->k && leads(s, a); b++)
            if (leads(s, b) && (to < 0 || s->price[(size_t)a * k + (size_t)b] < best)) {
                best = s->price[(size_t)a * k + (size_t)b];
                to = a;
                from = b;
            }
    for (size_t j = 0; j < l; j++) s->row[(size_t)to * l + j] += s->row[(size_t)from * l + j];
    for (int32_t a = 0; a < s->k; a++)
        if (s->head[a] == from) s->head[a] = to;
    double sum = 0, all = 0;
    for (size_t j = 0; j < l; j++) {
        sum += h(s->row[(size_t)to * l + j]);
        all += s->row[(size_t)to * l + j];
    }
    s->q[to] = sum - h(all);
    for (int32_t a = 0; a < s->k; a++)
        if (leads(s, a) && a != to) quote(s, a < to ? a : to, a < to ? to : a);
}

/* All prices once, then one join at a time; a join renews the prices of its own group alone. */
tacit_status tac_merge_rows(tacit_ctx *ctx, const double *table, int32_t k, int32_t l, int32_t left,
                            int32_t *group)
{
    tacit_status status = TACIT_OK;
    const size_t rows = (size_t)k, columns = (size_t)l;
    joiner s = {.k = k, .l = l};
    double *none = NULL;
    int32_t next = 0;

    TAC_TRY(tac_new(ctx, rows * columns + 1, sizeof *s.row, &s.row));
    TAC_TRY(tac_new(ctx, columns + 1, sizeof *none, &none));
    TAC_TRY(tac_new(ctx, rows, sizeof *s.q, &s.q));
    TAC_TRY(tac_new(ctx, rows * rows, sizeof *s.price, &s.price));
    TAC_TRY(tac_new(ctx, rows, sizeof *s.head, &s.head));
    memcpy(s.row, table, rows * columns * sizeof *s.row);
    for (int32_t a = 0; a < k; a++) {
        s.head[a] = a;
        s.q[a] = inside(s.row + (size_t)a * columns, none, l);
    }
    for (int32_t a = 0; a < k && left < k; a++)
        for (int32_t b = a + 1; b < k; b++) quote(&s, a, b);
    for (int32_t now = k; now > left && now > 1; now--) {
        TAC_TRY(tac_check_cancel(ctx));
        join_cheapest(&s);
    }
    for (int32_t a = 0; a < k; a++) group[a] = leads(&s, a) ? next++ : group[s.head[a]];
done:
    tac_free(s.row);
    tac_free(none);
    tac_free(s.q);
    tac_free(s.price);
    tac_free(s.head);
    return status;
}
