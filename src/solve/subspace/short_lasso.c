/* SPDX-License-Identifier: Apache-2.0 */
/* The lasso by its signs: on the vectors whose c is not 0 and with the signs they have, the
   solution is that of linear equations, K c = <v, x> - bound sign. The way there is walked to its
   end, or to where the first c becomes 0 and its vector goes. Where a solution is reached, the
   vector that violates |<v, x - sum c v>| <= bound most comes in. The value falls at every step, so
   no set of signs comes twice. */
#include "solve/subspace/short_lasso.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#define RIDGE 1e-11 /* on the diagonal: vectors that are equal have a solution too */
#define SLACK 1e-10 /* of the bound: what counts as a violation */
enum { STEPS = 5000 };

tacit_status tac_lasso_new(tacit_ctx *ctx, int32_t d, int32_t join, tac_lasso *out)
{
    tacit_status status = TACIT_OK;
    const size_t most = (size_t)d + (size_t)join + 1;

    *out = (tac_lasso){.d = d, .most = (int32_t)most};
    TAC_TRY(tac_new(ctx, most * (size_t)d, sizeof *out->vector, &out->vector));
    TAC_TRY(tac_new(ctx, most * most, sizeof *out->gram, &out->gram));
    TAC_TRY(tac_new(ctx, most * most, sizeof *out->lower, &out->lower));
    TAC_TRY(tac_new(ctx, most, sizeof *out->along, &out->along));
    TAC_TRY(tac_new(ctx, most, sizeof *out->sign, &out->sign));
    TAC_TRY(tac_new(ctx, most, sizeof *out->to, &out->to));
    TAC_TRY(tac_new(ctx, most, sizeof *out->inside, &out->inside));
done:
    return status; /* the caller clears it either way */
}

void tac_lasso_clear(tac_lasso *l)
{
    tac_free(l->vector);
    tac_free(l->gram);
    tac_free(l->lower);
    tac_free(l->along);
    tac_free(l->sign);
    tac_free(l->to);
    tac_free(l->inside);
    *l = (tac_lasso){0};
}

void tac_lasso_rest(const double *rows, int32_t d, const double *x, const tac_short_list *list,
                    double *rest)
{
    memcpy(rest, x, (size_t)d * sizeof *rest);
    for (int32_t i = 0; i < list->count; i++) {
        const double *v = rows + (size_t)list->row[i] * (size_t)d;
        for (int32_t j = 0; j < d; j++) rest[j] -= list->value[i] * v[j];
    }
}

/* gram and along of the list. */
static void open_list(tac_lasso *l, const double *rows, const double *x, const tac_short_list *list)
{
    const int32_t m = list->count, d = l->d;

    for (int32_t i = 0; i < m; i++)
        memcpy(l->vector + (size_t)i * (size_t)d, rows + (size_t)list->row[i] * (size_t)d,
               (size_t)d * sizeof *rows);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, m, d, 1, l->vector, d, l->vector, d, 0,
                l->gram, m);
    cblas_dgemv(CblasRowMajor, CblasNoTrans, m, d, 1, l->vector, d, x, 1, 0, l->along, 1);
    for (int32_t i = 0; i < m; i++) {
        l->gram[i * m + i] += RIDGE;
        l->sign[i] = list->value[i] > 0 ? 1 : list->value[i] < 0 ? -1 : 0;
    }
    l->count = m;
}

/* K to = right side (in `to`), on the m vectors inside, by Cholesky. */
static void solve_equations(tac_lasso *l, int32_t m)
{
    double *low = l->lower, *to = l->to;

    for (int32_t i = 0; i < m; i++) {
        double *row = low + (size_t)i * (size_t)m;
        for (int32_t j = 0; j <= i; j++) {
            const double *other = low + (size_t)j * (size_t)m;
            double sum = l->gram[l->inside[i] * l->count + l->inside[j]];
            for (int32_t t = 0; t < j; t++) sum -= row[t] * other[t];
            row[j] = j < i ? sum / other[j] : sqrt(fmax(sum, RIDGE * RIDGE));
        }
        for (int32_t j = 0; j < i; j++) to[i] -= row[j] * to[j];
        to[i] /= row[i];
    }
    for (int32_t i = m - 1; i >= 0; i--) {
        for (int32_t j = i + 1; j < m; j++) to[i] -= low[(size_t)j * (size_t)m + (size_t)i] * to[j];
        to[i] /= low[(size_t)i * (size_t)m + (size_t)i];
    }
}

/* One way towards the solution for the signs that are. Returns whether it was walked to its end. */
static bool walk(tac_lasso *l, double *value)
{
    int32_t m = 0, leaves = -1;
    double part = 1;

    for (int32_t i = 0; i < l->count; i++)
        if (l->sign[i] != 0) {
            l->inside[m] = i;
            l->to[m++] = l->along[i] - l->bound * l->sign[i];
        }
    solve_equations(l, m);
    for (int32_t i = 0; i < m; i++) {
        const int32_t v = l->inside[i];
        if (l->to[i] * l->sign[v] > 0) continue;
        const double way = value[v] - l->to[i], reach = way != 0 ? value[v] / way : 0;
        if (leaves < 0 || reach < part) {
            part = fmin(1, fmax(0, reach));
            leaves = v;
        }
    }
    for (int32_t i = 0; i < m; i++) value[l->inside[i]] += part * (l->to[i] - value[l->inside[i]]);
    if (leaves < 0) return true;
    value[leaves] = l->sign[leaves] = 0;
    return false;
}

/* The vector with c = 0 that violates the bound most, and the sign it comes in with; -1: none. */
static int32_t find_violation(const tac_lasso *l, const double *value, double *sign)
{
    double most = l->bound * (1 + SLACK);
    int32_t comes = -1;

    for (int32_t i = 0; i < l->count; i++) {
        double pull = l->along[i];
        if (l->sign[i] != 0) continue;
        for (int32_t j = 0; j < l->count; j++) pull -= l->gram[i * l->count + j] * value[j];
        if (fabs(pull) <= most) continue;
        most = fabs(pull);
        comes = i;
        *sign = pull > 0 ? 1 : -1;
    }
    return comes;
}

void tac_lasso_solve(tac_lasso *l, const double *rows, const double *x, tac_short_list *list)
{
    int32_t kept = 0, comes;
    double sign;

    open_list(l, rows, x, list);
    for (int step = 0; step < STEPS && (comes = find_violation(l, list->value, &sign)) >= 0;
         step++) {
        l->sign[comes] = sign;
        while (!walk(l, list->value)) {
        }
        if (l->sign[comes] == 0) break; /* a violation that is rounding alone */
    }
    for (int32_t i = 0; i < list->count; i++)
        if (list->value[i] != 0) {
            list->row[kept] = list->row[i];
            list->value[kept++] = list->value[i];
        }
    list->count = kept;
}
