/* SPDX-License-Identifier: Apache-2.0 */
/* The value and its gradient, for core/each_path.h. No sum is reordered and nothing contracted, so
   all paths give the same bits. */

TARGET static double PATH(objective)(tac_fourth_state *t, const double *x, double *gradient)
{
    const size_t p = (size_t)t->p, k = (size_t)t->k, q = (size_t)t->q, kq = k * q,
                 lanes = (size_t)t->lanes;
    const double *c = x + p * kq;
    double *trace = t->small + 3 * q * q, value;

    memset(gradient, 0, (p * kq + k) * sizeof *gradient);
    memset(t->mix, 0, kq * kq * sizeof *t->mix);
    memset(trace, 0, k * sizeof *trace);
    fill_s(t, x);
    multiply(t->matrix, t->pairs, t->s, lanes, t->ms);
    fill_gram(x, p, kq, t->gram);
    value = meet_tensor(t, x, gradient, trace);
    for (size_t l = 0; l < k; l++) {
        for (size_t m = 0; m < k; m++) value += pair(t, l, m, c, &trace[l]);
        if (t->ridge > 0) value += pull_even(t, l);
    }
    if (t->even > 0) value += pull_equal(t);
    if (t->constant > 0) value += meet_points(t, x, gradient, trace);
    add_mixed(x, t->mix, p, kq, gradient);
    if (t->constant > 0) keep_out(t, gradient);
    for (size_t l = 0; l < k; l++) gradient[p * kq + l] = 2 * c[l] * trace[l];
    return value;
}
