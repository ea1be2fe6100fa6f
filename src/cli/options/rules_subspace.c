/* SPDX-License-Identifier: Apache-2.0 */
/* Options of tacit subspace that go with some methods only: each misfit in a sentence with its way
   out. */
#include "../cli.h"

/* The first broken rule ends the check. */
int cli_check_subspace(const cli *c)
{
    const cli_values *v = &c->value;
    const bool gibbs = v->method == TACIT_SUBSPACE_GIBBS,
               parts = v->method == TACIT_SUBSPACE_SAMPLE_AGGREGATE;
    const bool plain = v->not_private,
               chosen = v->subspaces == TACIT_K_AUTO || v->dimension == TACIT_Q_AUTO;
    const cli_rule rules[] = {
        {plain && (v->given[OPT_EPSILON] || v->given[OPT_DELTA] || v->given[OPT_METHOD] ||
                   v->given[OPT_LEDGER] || v->given[OPT_INSECURE_SEED] || v->given[OPT_NEIGHBORS] ||
                   v->given[OPT_UNIT_COLUMN] || v->given[OPT_ROUNDS]),
         "--not-private runs a plain solver, which has no budget, no noise and no method; name it "
         "with --solver, and drop --not-private or the options of a private run"},
        {plain && chosen, "--not-private cannot choose k or q; give numbers"},
        {v->given[OPT_RESTARTS] && !plain, "--restarts are those of a plain solver; add "
                                           "--not-private or drop it"},
        {v->given[OPT_START_SEED] && !plain, "--seed is that of a plain solver, and private noise "
                                             "has none; add --not-private or drop it"},
        {v->given[OPT_K_MAX] && v->subspaces != TACIT_K_AUTO, "--k-max says how far -k auto may "
                                                              "go; write -k auto or drop --k-max"},
        {v->given[OPT_Q_MAX] && v->dimension != TACIT_Q_AUTO, "--q-max says how far -q auto may "
                                                              "go; write -q auto or drop --q-max"},
        {v->given[OPT_PARTS] && (plain || !parts), "--parts are those of method sample-aggregate; "
                                                   "add --method sample-aggregate or drop it"},
        {v->overlapping && (plain || !parts), "--overlapping-parts are those of method "
                                              "sample-aggregate; add --method sample-aggregate or "
                                              "drop it"},
        {v->given[OPT_START] && (plain || !gibbs), "--start is that of method gibbs; add --method "
                                                   "gibbs or drop it"},
        {v->given[OPT_CHAINS] && (plain || !gibbs), "--chains are those of method gibbs; add "
                                                    "--method gibbs or drop it"},
        {v->chains > 1 && !v->given[OPT_INSECURE_SEED], "--chains compares exact states of several "
                                                        "chains, which is not paid for; it needs "
                                                        "--insecure-test-seed"},
        {v->release_labels && (plain || !gibbs), "--labels are drawn by method gibbs alone; add "
                                                 "--method gibbs or drop it"},
        {v->release_labels && v->neighbors != TACIT_REPLACE, "--labels tell how many rows there "
                                                             "are; add --neighbors replace, or "
                                                             "drop it"},
        {v->release_labels && v->given[OPT_UNIT_COLUMN], "--labels go with single rows: which row "
                                                         "of a person is kept, and where it "
                                                         "stands, would tell; drop --labels or "
                                                         "--unit-column"},
        {v->given[OPT_SOLVER] && !plain && !parts && v->start != 1, "--solver is for --method "
                                                                    "sample-aggregate, --start "
                                                                    "solver and --not-private; add "
                                                                    "one of them or drop it"},
    };

    return cli_check_rules(c, rules, sizeof rules / sizeof *rules, false);
}
