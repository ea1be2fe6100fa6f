/* SPDX-License-Identifier: Apache-2.0 */
/* Privacy curves: how mu of Gaussian DP and (epsilon, delta) relate. Floating point, but
   one-sided: what is reported is never better than what is true. Budgets, cards and prices of
   pure mechanisms use it; Gaussian noise is priced in integers (cost.c). */
#ifndef TAC_CURVE_H
#define TAC_CURVE_H

/* Exact Gaussian curve (Balle & Wang 2018; Dong, Roth & Su 2022): delta(eps) = Phi(mu/2 - eps/mu) -
   e^eps Phi(-mu/2 - eps/mu). Upper bounds, at most 1e-9 relative above the exact value (delta may
   round up to the smallest normal double). */
double tac_gauss_delta(double mu, double epsilon);
double tac_gauss_epsilon(double mu, double delta); /* >= 0; 0 when delta(0) <= delta */
/* Largest mu whose curve passes (epsilon, delta): a lower bound, at most 1e-9 relative below the
   exact value. */
double tac_gauss_mu(double epsilon, double delta);

/* The mu for which an epsilon-DP mechanism is mu-GDP: 2 Phi^-1(e^eps / (1 + e^eps)). Upper
   bound. */
double tac_gauss_mu_of_pure(double epsilon);
/* The mu for which an epsilon-bounded-range selection is mu-GDP: tac_gauss_mu_of_pure(epsilon /
   2). */

#endif
