/* SPDX-License-Identifier: Apache-2.0 */
/* The exact Gaussian privacy curve, rounded to the safe side. Floating point in long double; every
   value returned has been checked by an upper bound of ln delta. Proofs: accountant.proof.md, parts
   4 and 6. */
#include "privacy/accounting/curve.h"

#include "privacy/accounting/mills.h"
#include "privacy/accounting/one_sided.h"

#define MU_MOST 1000.0     /* beyond it: delta 1, epsilon infinite */
#define PURE_MOST 100000.0 /* beyond it tac_gauss_mu_of_pure is infinite */
#define LN_ROOT_2PI 0.91893853320467274178032973640561764L
#define ROOT_HALF_PI 1.25331413731550025120788264240552263L
#define ROOT_HALF 0.707106781186547524400844362104849039L
#define PAIRS 5

/* Gauss-Legendre rule with ten points on [-1/2, 1/2], weights adding up to one. */
static const long double node[PAIRS] = {
    0.486953264258585860038982006042226027L, 0.432531683344492255366048344211746524L,
    0.339704784149512203117163682557436788L, 0.216697697064623595399632971582892081L,
    0.0744371694908156054424130005648599923L};
static const long double weight[PAIRS] = {
    0.0333356721543440687967844049466658964L, 0.0747256745752902965728881698288486662L,
    0.109543181257991021997767467114081596L, 0.134633359654998177545613460784734676L,
    0.147762112357376435086946497325669165L};

/* (m(u) - m(u + mu)) / mu = mean of 1 - x m(x) over [u, u + mu]; mu < 1, where the difference would
   cancel */
static long double mean_fall(long double u, long double mu)
{
    const long double middle = u + 0.5L * mu;
    long double sum = 0;

    for (int i = 0; i < PAIRS; i++)
        sum += weight[i] *
               (tac_mills_fall(middle - mu * node[i]) + tac_mills_fall(middle + mu * node[i]));
    return sum;
}

/* ln delta <= returned value; with u = eps/mu - mu/2 and v = u + mu
       delta = Phi(-u) - e^eps Phi(-v) = phi(u) (m(u) - m(v))
   0 < mu, 0 <= epsilon. Above the exact value by at most twice the slack added at the end. */
static long double log_delta_up(double mu_given, double epsilon)
{
    const long double mu = mu_given;
    if (mu > MU_MOST) return 0;
    const long double u = epsilon / mu - 0.5L * mu;
    if (u > 1000) return -400000; /* delta <= Phi(-u) <= exp(-u^2/2) <= exp(-500000) */

    long double value, drop = 0; /* drop = ln(m(u) - m(v)) */
    if (mu < 1) {
        drop = logl(mu) + logl(mean_fall(u, mu));
        value = drop - 0.5L * u * u - LN_ROOT_2PI;
    } else if (u >= 0) {
        drop = logl(tac_mills(u) - tac_mills(u + mu));
        value = drop - 0.5L * u * u - LN_ROOT_2PI;
    } else {
        value = logl(0.5L * erfcl(ROOT_HALF * u) -
                     expl(-0.5L * u * u - LN_ROOT_2PI) * tac_mills(u + mu));
    }
    const long double size = fabsl(u);
    const long double slack =
        tac_ulp() * (4096 + 64 * fabsl(drop) + 128 * (size + 2) * (size + mu + 2));
    return value + slack < 0 ? value + slack : 0;
}

/* ln x rounded down, 0 < x < 1 */
static long double log_down(double x)
{
    const long double value = logl(x);
    return value + 2 * TAC_LIBM * tac_ulp() * (value - 1);
}

/* delta(epsilon) rounded up; 1 for arguments that promise nothing, never below DBL_MIN where mu
   > 0. */
double tac_gauss_delta(double mu, double epsilon)
{
    if (!(mu >= 0) || !(epsilon >= 0)) return 1; /* also NaN: promise nothing */
    if (mu == 0) return 0;
    const double delta =
        tac_round_up(expl(log_delta_up(mu, epsilon)) * (1 + 2 * TAC_LIBM * tac_ulp()));
    return delta > 1 ? 1 : delta < DBL_MIN ? DBL_MIN : delta;
}

/* One side of the curve is given, the other is searched for. */
typedef struct point {
    double given;      /* mu when epsilon is sought, and the other way round */
    long double least; /* ln delta, rounded down */
} point;

static bool epsilon_is_safe(double epsilon, const void *payload)
{
    const point *p = payload;
    return log_delta_up(p->given, epsilon) <= p->least;
}

static bool mu_is_safe(double mu, const void *payload)
{
    const point *p = payload;
    return log_delta_up(mu, p->given) <= p->least;
}

/* The least epsilon, up to rounding, whose delta(epsilon) was seen to be at most `delta`. NaN or
   a negative argument gives infinity: no promise. */
double tac_gauss_epsilon(double mu, double delta)
{
    if (!(mu >= 0) || !(delta >= 0)) return INFINITY;
    if (mu == 0 || delta >= 1) return 0;
    if (mu > MU_MOST || delta < DBL_MIN) return INFINITY;
    const point p = {.given = mu, .least = log_down(delta)};
    if (epsilon_is_safe(0, &p)) return 0;
    /* u = sqrt(2 ln 1/delta) here, so delta(eps) <= Phi(-u) <= exp(-u^2/2) / 2; the factor covers
       rounding */
    const double most = 1.001 * mu * (mu / 2 + sqrt(-2 * log(delta)));
    if (!epsilon_is_safe(most, &p)) return INFINITY; /* only where mu^2 underflows */
    return tac_bisect(epsilon_is_safe, &p, most, 0);
}

/* tac_bisect between good and other, one of which is near 0 and the other large, started close
   to the guess `near`. A bad guess only makes the search longer: what is returned is a safe
   double next to an unsafe one, whatever was guessed. */
static double bisect_near(bool (*safe)(double, const void *), const void *payload, double near,
                          double good, double other)
{
    const double width = good < other ? 0x1p-49 : -0x1p-49, here = near * (1 - width),
                 there = near * (1 + width);
    const double least = fmin(good, other), most = fmax(good, other);

    if (here > least && here < most && safe(here, payload)) good = here;
    if (there > least && there < most && !safe(there, payload)) other = there;
    return tac_bisect(safe, payload, good, other);
}

/* Where ln delta is about `least`: secant steps over ln mu. Only where to look first: what is
   returned is seen to be safe. */
static double near_mu(const point *p)
{
    long double x = logl(p->given > 0 ? p->given : 1) - 1,
                f = log_delta_up((double)expl(x), p->given) - p->least, step = 0.125L;

    for (int i = 0; i < 16 && fabsl(step) > 1e-15L && fabsl(x) < 20; i++) {
        const long double then = f;
        x += step;
        f = log_delta_up((double)expl(x), p->given) - p->least;
        if (f == then) break;
        step *= -f / (f - then);
        if (fabsl(step) > 2) step = copysignl(2, step);
    }
    return (double)expl(x);
}

/* The greatest mu, up to rounding, whose curve was seen to pass below (epsilon, delta). */
double tac_gauss_mu(double epsilon, double delta)
{
    if (!(epsilon >= 0) || !(delta >= DBL_MIN) || !(delta <= 1)) return 0;
    const point p = {.given = epsilon, .least = delta < 1 ? log_down(delta) : 0};
    if (mu_is_safe(MU_MOST, &p)) return MU_MOST;
    if (!mu_is_safe(DBL_MIN, &p)) return 0;
    return bisect_near(mu_is_safe, &p, near_mu(&p), DBL_MIN, MU_MOST);
}

/* mu = 2 y with Phi(-y) = 1 / (1 + e^eps); safe when y is large enough */
static bool pure_is_safe(double mu, const void *payload)
{
    const long double epsilon = *(const double *)payload;
    const long double y = 0.5L * mu, ulp = tac_ulp();

    if (epsilon <= 1) /* erf(y / sqrt 2) >= tanh(eps / 2): relative accuracy however small */
        return erfl(ROOT_HALF * y) * (1 - 8 * TAC_LIBM * ulp) >= tanhl(0.5L * epsilon);
    const long double tail = logl(tac_mills(y)) - 0.5L * y * y - LN_ROOT_2PI; /* ln Phi(-y) */
    const long double target = -epsilon - log1pl(expl(-epsilon));
    return tail + ulp * (256 + 8 * (y * y + epsilon)) <= target;
}

/* About the same mu, by Newton's steps: for erf(y / sqrt 2) = tanh(eps / 2), or for ln Phi(-y) =
   -eps - ln(1 + e^-eps), where both are concave. */
static double near_mu_of_pure(double epsilon)
{
    const long double eps = epsilon,
                      aim = epsilon <= 1 ? tanhl(0.5L * eps) : -eps - log1pl(expl(-eps));
    long double y = epsilon <= 1 ? ROOT_HALF_PI * aim : sqrtl(2 * eps), step = y;

    for (int i = 0; i < 12 && fabsl(step) > 0x1p-52L * y; i++) {
        const long double m = epsilon <= 1 ? 0 : tac_mills(y);
        step = epsilon <= 1 ? (erfl(ROOT_HALF * y) - aim) * ROOT_HALF_PI * expl(0.5L * y * y)
                            : (aim - (logl(m) - 0.5L * y * y - LN_ROOT_2PI)) * m;
        y -= step;
    }
    return (double)(2 * y);
}

double tac_gauss_mu_of_pure(double epsilon)
{
    if (!(epsilon >= 0) || epsilon > PURE_MOST) return INFINITY;
    if (epsilon == 0) return 0;
    /* Phi(-y) <= exp(-y^2/2) / 2 <= 1 / (1 + e^eps) at y = sqrt(2 eps) */
    const double most = 1.001 * 2 * sqrt(2 * epsilon);
    return pure_is_safe(most, &epsilon)
               ? bisect_near(pure_is_safe, &epsilon, near_mu_of_pure(epsilon), most, 0)
               : INFINITY;
}
