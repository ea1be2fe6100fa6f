/* SPDX-License-Identifier: Apache-2.0 */
/* What tacit evaluate --diagnose finds: do theorems about plain solvers hold for these rows? */
#include "../cli.h"

#include <math.h>

void cli_diagnosis_json(FILE *out, const tacit_subspace_diagnosis *d)
{
    static const char *const name[] = {"cost",        "cost_fewer", "cost_lower", "cost_higher",
                                       "phi_squared", "psi",        "eta",        "sigma",
                                       "affinity",    "factor",     "distance"};
    const double number[] = {d->cost,        d->cost_fewer, d->cost_lower, d->cost_higher,
                             d->phi_squared, d->psi,        d->eta,        d->sigma,
                             d->affinity,    d->factor,     d->distance};

    fprintf(out, ",\n  \"diagnosis\": {\n    \"stable\": %s,\n    \"connected\": %s",
            d->stable ? "true" : "false", d->connected ? "true" : "false");
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        cli_json_put(out, ",\n    ", name[i], number[i]);
    fputs(",\n    \"conditions\": [", out);
    for (int32_t i = 0; i < d->conditions; i++) {
        const tacit_condition *c = &d->condition[i];
        cli_json_put_text(out, i == 0 ? "\n      {" : ",\n      {", "what", c->what);
        cli_json_put(out, ", ", "value", c->value);
        cli_json_put(out, ", ", "limit", c->limit);
        fprintf(out, ", \"met\": %s}", c->met ? "true" : "false");
    }
    fputs("\n    ]\n  }", out);
}

void cli_diagnosis_text(FILE *out, const tacit_subspace_diagnosis *d, int32_t k, int32_t q)
{
    fprintf(out, "\nDo theorems about plain solvers hold for these rows? (Wang, Wang & Singh 2015; "
                 "not private)\n");
    fprintf(out, "mean squared distance to the best found, where the longest row allowed has "
                 "length 1\n");
    fprintf(out, "  %d subspaces of dimension %d   %.6g\n", (int)k, (int)q, d->cost);
    fprintf(out, "  one fewer                    %.6g\n", d->cost_fewer);
    fprintf(out, "  one of a dimension less      %.6g\n", d->cost_lower);
    fprintf(out, "  one of a dimension more      %.6g\n", d->cost_higher);
    fprintf(out, "well separated (phi^2 < 1/1602, psi > eta): %s\n",
            d->stable ? "yes: Lemma 3.3 applies" : "no: Lemma 3.3 says nothing");
    fprintf(out, "  phi^2, psi, eta              %.4g, %.4g, %.4g\n", d->phi_squared, d->psi,
            d->eta);
    if (d->stable)
        fprintf(out,
                "  a solution of up to %.4g times the cost lies within %.4g of the best (d_W of "
                "sines)\n",
                d->factor, d->distance);
    fprintf(out, "conditions of TSC (Lemma 3.5, noise %.4g): %s\n", d->sigma,
            d->connected ? "all met" : "not all met");
    for (int32_t i = 0; i < d->conditions; i++)
        fprintf(out, "  %-3s  %.4g, limit %.4g: %s\n", d->condition[i].met ? "yes" : "no",
                d->condition[i].value, d->condition[i].limit, d->condition[i].what);
}
