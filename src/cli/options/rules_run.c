/* SPDX-License-Identifier: Apache-2.0 */
/* Options of a run that are missing or do not go together: each in a sentence with its way out. */
#include "../cli.h"

/* The contract stands in options.h. A rule is a condition that must not hold and the sentence for
   it. */
int cli_check_rules(const cli *c, const cli_rule *rules, size_t count, bool all)
{
    int code = EXIT_OK;

    for (size_t i = 0; i < count && (all || code == EXIT_OK); i++)
        if (rules[i].broken) code = cli_fail(c, EXIT_USAGE, "%s", rules[i].what);
    return code;
}

int cli_check_domain(const cli *c)
{
    const cli_values *v = &c->value;
    const cli_rule rules[] = {{v->bounds != NULL && v->given[OPT_RADIUS], "--bounds and --radius "
                                                                          "exclude each other; "
                                                                          "keep one"},
                              {v->center != NULL && !v->given[OPT_RADIUS], "--center is the center "
                                                                           "of --radius; add "
                                                                           "--radius or drop it"}};

    return cli_check_rules(c, rules, sizeof rules / sizeof *rules, false);
}

/* Who is protected: --unit, --unit-column, --max-rows-per-person and --neighbors must describe one
   privacy unit. */
int cli_check_persons(const cli *c)
{
    const cli_values *v = &c->value;
    const bool person = v->unit == UNIT_PERSON, named = v->unit_column != NULL;
    /* a plan without a limit compares some, and tables of counts add a person's rows up */
    const bool compares =
        cli_use_of(c->command, OPT_ROWS_PER_PERSON) != NULL || cli_family_of(c) == FAMILY_COCLUSTER;
    const cli_rule rules[] = {
        {person && !named, "--unit person needs --unit-column: the column that names the person"},
        {v->given[OPT_UNIT] && !person && named, "--unit-column names persons, and --unit says "
                                                 "that something else is protected; write --unit "
                                                 "person or drop --unit-column"},
        {v->unit == UNIT_ENTRY && v->given[OPT_NEIGHBORS], "--neighbors is about rows and persons, "
                                                           "and --unit entry about single counts; "
                                                           "drop one of them"},
        {named && !v->given[OPT_MOST_ROWS] && !compares, "--unit-column needs "
                                                         "--max-rows-per-person: how many rows of "
                                                         "each person count; tacit plan without it "
                                                         "compares limits"},
        {!named && v->given[OPT_MOST_ROWS], "--max-rows-per-person needs --unit-column: the column "
                                            "that names the person"},
        {!named && v->given[OPT_ROWS_PER_PERSON], "--rows-per-person is a guess about people; add "
                                                  "--unit-column, the column that names the "
                                                  "person, or drop it"},
        {v->given[OPT_ROWS_PER_PERSON] && v->given[OPT_MOST_ROWS], "--rows-per-person helps to "
                                                                   "choose --max-rows-per-person, "
                                                                   "which is given already; drop "
                                                                   "one of them"}};

    return cli_check_rules(c, rules, sizeof rules / sizeof *rules, false);
}

/* Everything that is missing, at once: a user who starts with nothing should not be sent back three
   times. */
static int check_missing(const cli *c)
{
    const cli_values *v = &c->value;
    const cli_family family = cli_family_of(c);
    const bool flat = family == FAMILY_SUBSPACE, blocks = family == FAMILY_COCLUSTER,
               centers = !flat && !blocks;
    const bool no_k = !v->given[OPT_SUBSPACES], no_q = !v->given[OPT_DIMENSION];
    const bool no_rows = !v->given[OPT_ROW_CLUSTERS], no_cols = !v->given[OPT_COL_CLUSTERS];
    /* counts need none, nor do categories */
    const bool no_domain = v->bounds == NULL && !v->given[OPT_RADIUS] && !c->source.has_domain &&
                           v->categories == NULL;
    const cli_rule rules[] = {
        {centers && !v->given[OPT_CLUSTERS], "the number of centers is missing: add -k, for "
                                             "example -k 5, or -k auto to have it chosen"},
        {flat && no_k && no_q, "the number of subspaces and their dimension are missing: add -k "
                               "and -q, for example -k 3 -q 2, or auto for either to have it "
                               "chosen"},
        {flat && no_k && !no_q, "the number of subspaces is missing: add -k, for example -k 3, or "
                                "-k auto to have it chosen"},
        {flat && !no_k && no_q, "the dimension of the subspaces is missing: add -q, for example -q "
                                "2, or -q auto to have it chosen"},
        {blocks && no_rows && no_cols, "the numbers of row clusters and of column clusters are "
                                       "missing: add --rows and --cols, for example --rows 6 "
                                       "--cols 6, or auto for either to have it chosen"},
        {blocks && no_rows && !no_cols, "the number of row clusters is missing: add --rows, for "
                                        "example --rows 6, or --rows auto to have it chosen"},
        {blocks && !no_rows && no_cols, "the number of column clusters is missing: add --cols, for "
                                        "example --cols 6, or --cols auto for as many as rows"},
        {!v->given[OPT_EPSILON] && !v->not_private, "no privacy budget was given: add --epsilon, "
                                                    "for example --epsilon 1"},
        {flat && no_domain, "what values are possible is missing: add --radius, for example "
                            "--radius 1 for rows of length up to 1, or --bounds, for example "
                            "--bounds 0:1; never take it from the rows"},
        {centers && no_domain, "what values are possible is missing: add --bounds, for example "
                               "--bounds 0:1 or --bounds age=0:120,stay=0:60, or --radius; never "
                               "take it from the rows"}};

    return cli_check_rules(c, rules, sizeof rules / sizeof *rules, true);
}

/* Options of kmeans and kmedian that go with some method or some k only. */
static int check_centers(const cli *c)
{
    const cli_values *v = &c->value;
    const cli_rule rules[] = {
        {v->given[OPT_K_MAX] && v->clusters != TACIT_K_AUTO, "--k-max says how far -k auto may go; "
                                                             "write -k auto or drop --k-max"},
        {v->given[OPT_CONSTANTS] && v->method != TACIT_KMEANS_BALCAN, "--constants are those of "
                                                                      "method balcan; add --method "
                                                                      "balcan or drop "
                                                                      "--constants"}};
    const int code = cli_check_serves(c);

    return code != EXIT_OK ? code : cli_check_rules(c, rules, sizeof rules / sizeof *rules, false);
}

/* Where rows are kept is a matter of private runs. */
static int check_memory(const cli *c)
{
    const cli_values *v = &c->value;
    const cli_rule rules[] = {
        {v->spill_dir != NULL && !v->given[OPT_MEMORY], "--spill-dir says where rows go that are "
                                                        "more than --memory; add --memory, for "
                                                        "example --memory 2G, or drop --spill-dir"},
        {v->not_private && v->given[OPT_MEMORY], "--memory is for private runs, and plain solvers "
                                                 "hold all rows; drop --memory or "
                                                 "--not-private"}};

    return cli_check_rules(c, rules, sizeof rules / sizeof *rules, false);
}

/* Everything about the options of a run or plan that needs no file. Missing options first: they are
   reported all at once, contradictions one by one. */
int cli_check_request(const cli *c)
{
    const cli_family family = cli_family_of(c);
    int code = EXIT_OK;

    CLI_TRY(check_missing(c));
    CLI_TRY(cli_check_domain(c));
    CLI_TRY(cli_check_persons(c));
    CLI_TRY(check_memory(c));
    CLI_TRY(family == FAMILY_COCLUSTER  ? cli_check_cocluster(c)
            : family == FAMILY_SUBSPACE ? cli_check_subspace(c)
                                        : check_centers(c));
done:
    return code;
}
