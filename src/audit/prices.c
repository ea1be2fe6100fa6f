/* SPDX-License-Identifier: Apache-2.0 */
/* Was every query paid for, and is the run within its claim? The formulas are written again here
   in real numbers, independent of the accountant, which counts budget quanta in integers. */
#include "audit/audit.h"

#include "privacy/accounting/curve.h"

#include <math.h>

#define SLACK 1e-6 /* relative, for rounding; the door rounds prices up */

/* An epsilon-private query is mu-Gaussian: Phi(mu / 2) = e^epsilon / (1 + e^epsilon). */
static double mu_of(double epsilon)
{
    return -2 * tac_normal_quantile(1 / (1 + exp(epsilon)));
}

/* The privacy loss of a query in mu^2 or epsilon, from its receipt: Laplace and trace noise
   sensitivity / scale, Gaussian noise (squared sensitivity) / scale^2, draws their epsilon. In a
   Gaussian account an epsilon becomes the mu above. NAN: the query takes the whole account
   (parts.proof.md). */
static double worth(const tac_receipt *r, bool pure, bool noise)
{
    const double reach = (double)r->sensitivity, scale = (double)r->scale;

    if (tac_kind_price(r->kind) == TAC_PRICE_ALONE) return NAN;
    const bool laplace =
        r->distribution != TAC_GAUSSIAN && (noise || tac_kind_price(r->kind) == TAC_PRICE_LAPLACE);
    if (noise && !laplace) return reach / (scale * scale);
    const double epsilon = laplace ? reach / scale : ldexp(scale, -TAC_SELECTION_BITS);
    if (pure) return epsilon;
    /* an exponential mechanism has bounded range: its loss varies by epsilon, not 2 epsilon */
    const double mu = mu_of(laplace ? epsilon : epsilon / 2);
    return mu * mu;
}

/* The claim in the native parameter of the account: mu^2 of the Gaussian curve through (epsilon,
   delta), or epsilon. */
double tac_claim_quanta(double epsilon, double delta)
{
    const double mu = delta > 0 ? tac_gauss_mu(epsilon, delta) : 0;

    return delta > 0 ? mu * mu : epsilon;
}

/* Equal receipts in a row are checked once: a price costs two quantiles. A query that takes the
   whole account must be the only one. */
bool tac_transcript_paid(const tac_transcript *t, double claim)
{
    const tac_receipt *last = NULL;
    bool good = true, alone = false;

    for (int32_t i = 0; i < t->count; i++) {
        const tac_receipt *r = &t->asked[i].receipt;
        if (last != NULL && last->kind == r->kind && last->scale == r->scale &&
            last->quanta == r->quanta && last->sensitivity == r->sensitivity)
            continue;
        last = r;
        const double cost = worth(r, t->pure, tac_asked_noise(&t->asked[i]) != 0);
        if (isnan(cost))
            alone = true;
        else if (cost > ldexp((double)r->quanta, -TAC_QUANTUM_BITS) * (1 + SLACK))
            good = false;
    }
    if (alone) return good && t->count == 1;
    return good && tac_transcript_charged(t, false) <= claim * (1 + SLACK);
}
