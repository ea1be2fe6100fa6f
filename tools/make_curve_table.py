#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Oracle for the privacy curves and costs, in 60 digits and in big integers.

    make_curve_table.py curves > tests/data/curve_table.txt    exact values at random points (4
                                                               minutes)
    make_curve_table.py costs  > tests/data/cost_table.txt     exact integer costs and smallest
                                                               scales
    make_curve_table.py range                                  checks the worst split of a
                                                               bounded-range selection

Needs python3-mpmath. The tables are checked in, so the tests do not. Formulas are written here from
the definitions, not from the C code: no shared trick, no shared mistake.
"""
import math
import random
import sys

import mpmath as mp

mp.mp.dps = 60


# ---- the Gaussian curve, straight from its definition --------------------------------------------

def gauss_delta(mu, eps):
    return mp.ncdf(mu / 2 - eps / mu) - mp.exp(eps) * mp.ncdf(-mu / 2 - eps / mu)


def newton(f, slope, low, high):
    """Root of an increasing or decreasing f in (low, high): bisection, then Newton in all of
    them."""
    with mp.workdps(40):
        sign = f(high) > 0
        for _ in range(26):
            middle = mp.sqrt(low * high)
            if (f(middle) > 0) == sign:
                high = middle
            else:
                low = middle
    x = mp.sqrt(low * high)
    for _ in range(12):
        step = f(x) / slope(x)
        x -= step
        if abs(step) < abs(x) * mp.mpf(10) ** -30:
            return x
    raise ArithmeticError("no convergence")


def gauss_mu(eps, delta):
    u = lambda mu: eps / mu - mu / 2
    return newton(lambda mu: mp.log(gauss_delta(mu, eps) / delta),
                  lambda mu: mp.npdf(u(mu)) / gauss_delta(mu, eps), mp.mpf(eps) / 50, mp.mpf(1000))


def gauss_epsilon(mu, delta):
    if gauss_delta(mu, mp.mpf(0)) <= delta:
        return mp.mpf(0)
    return newton(lambda eps: gauss_delta(mu, eps) - delta,
                  lambda eps: -mp.exp(eps) * mp.ncdf(-mu / 2 - eps / mu), mp.mpf(10) ** -18,
                  mp.mpf(10) ** 4)


def gauss_mu_of_pure(eps):
    target = 1 / (1 + mp.exp(eps))
    return 2 * newton(lambda y: mp.log(mp.ncdf(-y) / target), lambda y: -mp.npdf(y) / mp.ncdf(-y),
                      mp.mpf(10) ** -9, mp.mpf(100))


# ---- tables --------------------------------------------------------------------------------------

EPS = (1e-6, 1000.0)
DELTA = (1e-30, 0.1)


def log_uniform(rng, low, high):
    return min(max(math.exp(rng.uniform(math.log(low), math.log(high))), low), high)


def show(name, x, y, value):
    print(name, repr(float(x)), repr(float(y)), mp.nstr(value, 21, strip_zeros=False))


def curves(count):
    rng = random.Random(20260101)
    points = [(e, d) for e in (1e-6, 1.5e-6, 1e-5, 1e-3, 1.0, 30.0, 999.0, 1000.0)
              for d in (1e-30, 1e-20, 1e-9, 1e-6, 1e-3, 0.03, 0.0999, 0.1)]
    # the corner where a small change of delta moves epsilon most
    points += [(log_uniform(rng, 1e-6, 1e-4), rng.uniform(0.01, 0.1)) for _ in range(100)]
    while len(points) < count:
        points.append((log_uniform(rng, *EPS), log_uniform(rng, *DELTA)))
    print("# Made by tools/make_curve_table.py curves. function, two arguments (exact doubles), "
          "exact value.")
    for eps, delta in points:
        e, d = mp.mpf(eps), mp.mpf(delta)
        mu = gauss_mu(e, d)
        show("gauss_mu", eps, delta, mu)
        m = mp.mpf(float(mu))
        show("gauss_delta", m, eps, gauss_delta(m, e))
        exact = gauss_epsilon(m, d)
        if exact >= EPS[0] * 0.999:
            show("gauss_epsilon", m, delta, exact)
        show("mu_of_pure", eps, 0, gauss_mu_of_pure(e))
    # where the C code changes its method: mu = 1, u = 0, an argument of 3; and where tails
    # underflow
    for mu in (1e-7, 0.3, math.nextafter(1, 0), 1.0, math.nextafter(1, 2), 1.7, 10.0, 59.0):
        for u in (-30, -5, -0.5, -1e-9, 0, 1e-9, 0.5, 1.3, 2, 3 - mu, 3 - mu / 2, 3 - 1e-9, 3,
                  3 + 1e-9, 9, 20, 30, 36):
            eps = mu * (u + mu / 2)
            if eps >= 0:
                with mp.workdps(1200):
                    exact = gauss_delta(mp.mpf(mu), mp.mpf(eps))
                show("gauss_delta", mu, eps, exact)
    # mu and epsilon drawn apart from each other: deltas from 1 down to the smallest normal double
    wide = 0
    while wide < count // 4:
        mu, eps = log_uniform(rng, 1e-8, 60), log_uniform(rng, *EPS)
        with mp.workdps(1000 if mu * mu / 2 + eps > 300 else 400):
            exact = gauss_delta(mp.mpf(mu), mp.mpf(eps))
        if exact > 1e-300:
            show("gauss_delta", mu, eps, exact)
            wide += 1
        if mu > 1e-6:
            delta = log_uniform(rng, *DELTA)
            exact = gauss_epsilon(mp.mpf(mu), mp.mpf(delta))
            if exact == 0 or exact >= EPS[0]:
                show("gauss_epsilon", mu, delta, exact)


def ceil_div(a, b):
    return -(-a // b)


def costs(count):
    """ceil(2^50 S / below); the smallest scale from a square root of its own, not from a search
    over costs."""
    rng = random.Random(7)
    unit, top, most = 1 << 50, (1 << 64) - 1, 1 << 54
    print("# Made by tools/make_curve_table.py costs. function, two arguments, exact answer.")
    bits = lambda n: rng.getrandbits(rng.randint(1, n))
    for i in range(count):
        s = bits(100) if i % 4 else bits(128)
        sigma = min(max(bits(55), 1), most)
        if i % 3 == 0:  # near the price at which the cost still fits
            sigma = min(max(math.isqrt(s) >> rng.randint(0, 7), 4), most)
        exact = top if sigma < 4 else min(ceil_div(unit * s, sigma * sigma - 9), top)
        print("cost_gaussian", s, sigma, exact)
        exact = min(ceil_div(unit * s, sigma), top)
        print("cost_laplace", s, sigma, exact)
        units = max(bits(63), 1)
        if i % 2 == 0:  # a price that some scale can meet
            units = min(max(unit * s // max(bits(108), 1), 1), top - 1)
        square = 9 + ceil_div(unit * s, units)
        sigma = max(4, math.isqrt(square - 1) + 1)
        print("sigma_for", s, units, sigma if sigma <= most else 0)
        scale = max(1, ceil_div(unit * s, units))
        print("laplace_scale_for", s, units, scale if scale <= most else 0)


def check_range():
    """mu of the split x, Phi^-1(sigma(x + eps)) - Phi^-1(sigma(x)), is largest at x = -eps/2
    (proved in accountant.proof.md, part 4); here on a grid, with the inequality the proof rests
    on."""
    mp.mp.dps = 40
    probit = lambda logit: mp.sign(logit) * newton(  # Phi(-y) = sigma(-|logit|)
        lambda y: mp.log(mp.ncdf(-y)) + abs(logit) + mp.log1p(mp.exp(-abs(logit))),
        lambda y: -mp.npdf(y) / mp.ncdf(-y), mp.mpf(10) ** -12,
        mp.mpf(100)) if logit != 0 else mp.mpf(0)
    worst, cases = mp.mpf(0), 0
    for eps in (1e-6, 1e-3, 0.01, 0.1, 0.5, 1, 2, 3, 5, 8, 12, 20, 50, 100, 300, 1000):
        best = 2 * probit(mp.mpf(eps) / 2)
        for k in range(1, 40):  # split t = k eps / 40 and its neighbourhood of the middle
            for share in (mp.mpf(k) / 40, mp.mpf(1) / 2 + mp.mpf(k - 20) / 10 ** 5):
                t = share * eps
                q = (1 - mp.exp(t - eps)) / (mp.exp(t) - mp.exp(t - eps))
                x = mp.log(q) - mp.log1p(-q) if q < 0.5 else -mp.log((1 - q) / q)
                mu = probit(x + eps) - probit(x)
                worst = max(worst, mu / best)
                cases += 1
                assert mu <= best * (1 + mp.mpf(10) ** -25), (eps, share)
    print(f"{cases} splits, largest mu relative to the even split {mp.nstr(worst, 30)}")
    least = min((mp.npdf(z) * (2 * mp.ncdf(z) - 1) - z * mp.ncdf(z) * mp.ncdf(-z)) /
                (mp.npdf(z) * z) for z in (mp.mpf(k) / 50 for k in range(1, 1000)))
    print("phi (2 Phi - 1) - z Phi (1 - Phi) over phi z, least on a grid up to z = 20: "
          f"{mp.nstr(least, 10)} > 0")
    assert least > 0


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what == "curves":
        curves(1500)
    elif what == "costs":
        costs(150)
    elif what == "range":
        check_range()
    else:
        sys.exit(__doc__)
