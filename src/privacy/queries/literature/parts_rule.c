/* SPDX-License-Identifier: Apache-2.0 */
/* From (epsilon, delta) to noise that follows a smooth bound: alpha and beta. Proof:
   parts.proof.md */
#include "privacy/queries/literature/parts.h"

#include <math.h>

/* two whole scales of at least 2^18 differ by this much more than the numbers they were rounded
   from */
#define ROUNDING 0x1p-17
/* what results are guessed to differ by, as a share of the diameter, with 20 parts: noise is made
   small there */
#define NEAR 0.05
#define FEW 20

/* The largest alpha for which noise of D numbers is (epsilon, delta)-private: the Renyi divergence
   of order 1 + lambda of two normal distributions, scales at most e^beta apart and middles alpha of
   the second scale, turned into delta, at the best lambda. 0: none. */
static double alpha_for(double epsilon, double delta, double D, double beta)
{
    const double wide = exp(2 * beta), narrow = exp(-2 * beta);
    double best = 0;

    for (double lambda = 0x1p-10; lambda < 0x1p17; lambda *= 1.06) {
        const double left =
            log(delta) + lambda * epsilon - lambda * log(lambda) + (1 + lambda) * log1p(lambda);
        const double h = 1 + lambda - lambda * wide, g = 1 + lambda - lambda * narrow;
        if (!(h > 0)) break;
        const double grown =
            (left + D / 2 * log(h) + lambda * D * beta) * 2 * h / (lambda * (1 + lambda));
        const double shrunk =
            (left + D / 2 * log(g) - lambda * D * beta) * 2 / (lambda * (1 + lambda));
        best = fmax(best, fmin(grown, shrunk));
    }
    return sqrt(best);
}

/* The largest distance of two results: points of the unit ball, or projectors. */
static double diameter_of(const tac_parts *plan, int32_t dims)
{
    return plan->points
               ? 2 * sqrt(plan->k)
               : sqrt(2.0 * plan->k * (plan->q < dims - plan->q ? plan->q : dims - plan->q));
}

/* The best beta for a number of parts, by what the noise would be if results were NEAR each
   other. */
static double judge(double epsilon, double delta, double D, int32_t parts, bool overlapping,
                    tac_parts_rule *out)
{
    double best = INFINITY;

    out->parts = parts;
    out->touched = overlapping ? (int32_t)sqrt(parts) : 1;
    const int32_t half = (parts + out->touched) / 2 + 1, steps = (parts - half) / out->touched;
    for (double beta = 0x1p-14; beta < 4; beta *= 1.2) {
        const double alpha =
                         alpha_for(epsilon * (1 - 1e-9), delta * (1 - 1e-6), D, beta + ROUNDING),
                     far = exp(-beta * steps);
        if (!(alpha > 0)) break; /* a larger beta never makes it easier */
        const double noise = (NEAR * sqrt((double)parts / FEW) + far) / alpha;
        if (!(noise < best)) continue;
        best = noise;
        out->alpha = alpha;
        out->beta = beta;
        out->least = far * out->diameter / alpha;
    }
    return best;
}

/* The number of parts, alpha and beta by public numbers alone. False: no alpha > 0, or noise
   beyond TAC_SIGMA_MAX. */
bool tac_parts_rule_for(double epsilon, double delta, int32_t dims, const tac_parts *plan,
                        tac_parts_rule *out)
{
    static const int32_t often[] = {20, 30, 50, 80, 120, 200, 300, 500};
    const double D = (double)plan->k * plan->q * dims;
    double best = INFINITY;

    *out = (tac_parts_rule){.diameter = diameter_of(plan, dims)};
    if (plan->parts > 0) {
        best = judge(epsilon, delta, D, plan->parts, plan->overlapping, out);
    } else {
        for (size_t i = 0; i < sizeof often / sizeof *often; i++) {
            tac_parts_rule trial = *out;
            const double noise = judge(epsilon, delta, D, often[i], plan->overlapping, &trial);
            if (!(noise < best)) continue;
            best = noise;
            *out = trial;
        }
    }
    return isfinite(best) &&
           ldexp((out->diameter + 1) / out->alpha, TAC_PARTS_GRID) < (double)TAC_SIGMA_MAX;
}

bool tac_parts_rule_of(const tac_door *door, const tac_parts *plan, tac_parts_rule *rule)
{
    const tac_accountant *a = door->accountant;
    return a->delta > 0 && tac_parts_rule_for(a->epsilon, a->delta,
                                              tac_door_lattice(door, TAC_ROWS)->dims, plan, rule);
}

void tac_parts_describe(tac_bound *bound)
{
    bound->scale = (uint64_t)ceil(ldexp(1 / bound->rule.alpha, TAC_PARTS_GRID));
    bound->s.l2_squared = (tac_u128)1 << (2 * TAC_PARTS_GRID);
}
