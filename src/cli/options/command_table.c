/* SPDX-License-Identifier: Apache-2.0 */
/* The table of commands: name, words it takes, help, examples to try, and the function that runs
   it. Help, manual page and completions are made from this table. */
#include "../cli.h"

#define RUN_COMMON                                                                                 \
    "Several files, or a pattern in quotes ('part-*.csv'), are one data set; their order does "    \
    "not "                                                                                         \
    "matter. "                                                                                     \
    "Without --delta the run is pure (delta = 0). If FILE.ledger exists, the table is what was "   \
    "declared there, and the budget is reserved before a row is read; from then on it stays "      \
    "spent, "                                                                                      \
    "whatever happens. FILE.schema.json declares the same without a ledger."

const cli_command cli_commands[CMD_COUNT + 1] = {
    [CMD_KMEANS] = {.name = "kmeans",
                    .summary = "cluster rows around k centers, with differential privacy",
                    .usage = "kmeans FILE... -k K|auto --epsilon E [--delta D] --bounds B "
                             "[options]\n"
                             "kmeans --list-methods [--json]",
                    .about = "Finds K centers in the rows of FILE (\"-\": standard input) and "
                             "prints them with the standard deviation of their noise and a noisy "
                             "size. With -k auto it also chooses how many. " RUN_COMMON,
                    .examples = "tacit generate mixture -o people.csv\n"
                                "tacit kmeans people.csv -k 5 --epsilon 1 --bounds 0:1\n"
                                "tacit kmeans people.csv -k 5 --epsilon 1 --delta 1e-6 --bounds "
                                "x1=0:1,x2=0:1 -o segments.json\n"
                                "tacit kmeans people.csv -k auto --epsilon 1 --delta 1e-6 --bounds "
                                "0:1\n"
                                "tacit kmeans --list-methods",
                    .least_words = 1,
                    .most_words = ANY_NUMBER,
                    .words = "a data file, or several",
                    .run = cmd_run,
                    .family = FAMILY_MEANS},
    [CMD_KMEDIAN] = {.name = "kmedian",
                     .summary = "the same around medians: resists outliers",
                     .usage = "kmedian FILE... -k K|auto --epsilon E [--delta D] --bounds B "
                              "[options]\n"
                              "kmedian --list-methods [--json]",
                     .about = "Like kmeans, but the centers keep the distances small, not their "
                              "squares: a few rows far away pull less. Finds K centers in the rows "
                              "of FILE (\"-\": standard input) and prints them with the standard "
                              "deviation of their noise and a noisy size. " RUN_COMMON,
                     .examples = "tacit generate mixture -o people.csv\n"
                                 "tacit kmedian people.csv -k 5 --epsilon 1 --delta 1e-6 --bounds "
                                 "0:1 -o segments.json\n"
                                 "tacit kmedian --list-methods",
                     .least_words = 1,
                     .most_words = ANY_NUMBER,
                     .words = "a data file, or several",
                     .run = cmd_run,
                     .family = FAMILY_MEDIAN},
    [CMD_SUBSPACE] = {.name = "subspace",
                      .summary = "cluster rows near k subspaces, with differential privacy",
                      .usage = "subspace FILE... -k K|auto -q Q|auto --epsilon E [--delta D] "
                               "--radius "
                               "R [options]\n"
                               "subspace FILE... -k K -q Q --not-private --solver NAME --radius R "
                               "[options]\n"
                               "subspace --list-methods [--json]",
                      .about = "Finds K subspaces of dimension Q near which the rows of FILE "
                               "(\"-\": standard input) lie, and prints a noisy size, the "
                               "directions with their largest loadings, and how far the rows reach "
                               "along each. Subspaces pass through 0 unless --affine is given. It "
                               "needs many rows: thousands for a few columns, and hundreds of "
                               "thousands for fifty. " RUN_COMMON,
                      .examples = "tacit generate subspaces --rows 20000 -o union.csv --truth-out "
                                  "truth.json\n"
                                  "tacit subspace union.csv -k 3 -q 3 --epsilon 1 --delta 1e-6 "
                                  "--radius 1.1 -o model.json\n"
                                  "tacit evaluate model.json union.csv --truth truth.json\n"
                                  "tacit subspace --list-methods",
                      .least_words = 1,
                      .most_words = ANY_NUMBER,
                      .words = "a data file, or several",
                      .run = cmd_run,
                      .family = FAMILY_SUBSPACE},
    [CMD_COCLUSTER] = {.name = "cocluster",
                       .summary = "cluster the rows and the columns of a table of counts at once",
                       .usage = "cocluster FILE... --rows K|auto --cols L|auto --epsilon E "
                                "[--delta "
                                "D] "
                                "[--unit KIND] [options]\n"
                                "cocluster FILE... --rows K --cols L --not-private [options]\n"
                                "cocluster --list-methods [--json]",
                       .about = "Finds K clusters of the rows and L clusters of the columns of a "
                                "table of counts (people x items, documents x words) that tell as "
                                "much as possible about each other, and prints the noisy table of "
                                "the clusters, noisy sizes, and the columns of each cluster. FILE "
                                "(\"-\": standard input) is a CSV file with the columns row, col "
                                "and count (others may stand beside them), a CSV or NPY matrix of "
                                "counts, Matrix Market or LIBSVM. By default a whole row is "
                                "protected; --unit entry protects single counts only. How many "
                                "columns there are counts as public: declare it with --shape or "
                                "--vocabulary. " RUN_COMMON,
                       .examples = "tacit generate counts -o baskets.csv --labels-out classes.csv\n"
                                   "tacit cocluster baskets.csv --rows 4 --cols 4 --epsilon 1 "
                                   "--delta 1e-6 --shape x200 -o blocks.json\n"
                                   "tacit evaluate blocks.json baskets.csv --labels classes.csv "
                                   "--restarts 10\n"
                                   "tacit cocluster baskets.csv --rows 4 --cols 4 --epsilon 1 "
                                   "--unit entry --shape 20000x200\n"
                                   "tacit cocluster --list-methods",
                       .least_words = 1,
                       .most_words = ANY_NUMBER,
                       .words = "a data file, or several",
                       .run = cmd_run,
                       .family = FAMILY_COCLUSTER},
    [CMD_PREDICT] = {.name = "predict",
                     .summary = "the nearest released center of every row (not private)",
                     .usage = "predict MODEL FILE... [options]",
                     .about = "Prints the number of the nearest center or subspace, from 0, for "
                              "each row of FILE, as a CSV file with the header cluster; of a "
                              "co-clustering, the row cluster that its rule gives. Rows come in "
                              "the order of the file; those of a row,col,count file have their "
                              "name or number before the label (row,cluster), and --id-column does "
                              "the same for tables. A row that lacks every value has an empty "
                              "label. MODEL or FILE may be \"-\": standard input. A label tells "
                              "about its row: it is NOT private; keep labels with the rows.",
                     .examples = "tacit generate mixture -o people.csv\n"
                                 "tacit kmeans people.csv -k 5 --epsilon 1 --bounds 0:1 -o "
                                 "segments.json\n"
                                 "tacit predict segments.json people.csv -o labels.csv",
                     .least_words = 2,
                     .most_words = ANY_NUMBER,
                     .words = "a model and a data file, or several",
                     .run = cmd_predict},
    [CMD_EVALUATE] = {.name = "evaluate",
                      .summary = "how good a model is on its rows (not private)",
                      .usage = "evaluate MODEL FILE... [options]",
                      .about = "Measures the centers or subspaces of MODEL on the rows of FILE, "
                               "exactly: the figures are NOT private and are for whoever holds the "
                               "rows. Distances are those the model was clustered with; of a "
                               "co-clustering, tau of the exact table.",
                      .examples = "tacit generate mixture --label-column class -o people.csv\n"
                                  "tacit kmeans people.csv --label-column class -k 5 --epsilon 1 "
                                  "--bounds 0:1 -o segments.json\n"
                                  "tacit evaluate segments.json people.csv --label-column class "
                                  "--restarts 10",
                      .least_words = 2,
                      .most_words = ANY_NUMBER,
                      .words = "a model and a data file, or several",
                      .run = cmd_evaluate},
    [CMD_COMPARE] = {.name = "compare",
                     .summary = "what changed between two releases, beyond their noise",
                     .usage = "compare FIRST SECOND [options]",
                     .about = "Says which cluster of one release of kmeans or kmedian is which of "
                              "the other, by the least sum of squared distances between centers, "
                              "and which sizes and coordinates differ by more than their noise "
                              "explains. Both need the same columns, in any order, and the same "
                              "bounds; k may differ. Reads the two files and no rows: the result "
                              "is as private as they are, and costs nothing. FIRST or SECOND may "
                              "be \"-\": standard input.",
                     .examples = "tacit generate mixture -o people.csv\n"
                                 "tacit kmeans people.csv -k 5 --epsilon 1 --bounds 0:1 -o "
                                 "may.json\n"
                                 "tacit kmeans people.csv -k 5 --epsilon 1 --bounds 0:1 -o "
                                 "june.json\n"
                                 "tacit compare may.json june.json",
                     .least_words = 2,
                     .most_words = 2,
                     .words = "two releases",
                     .run = cmd_compare},
    [CMD_RECUT] = {.name = "recut",
                   .summary = "another number of clusters from the same release, free of charge",
                   .usage = "recut MODEL -k K [--median] [-o PATH] [options]",
                   .about = "Cuts a release of kmeans or kmedian into K clusters, along the noisy "
                            "cells that it holds beside its centers. No row is looked at and "
                            "nothing is spent: the privacy card stays the same. Fewer clusters "
                            "come out about as well as in a run of their own. Twice as many cost "
                            "0 to 9 % more (medians up to 10 %), as no round has refined them, and "
                            "up to 1.8 times as much where rows are so few for the budget that "
                            "cells hardly suffice: docs/limits.md. A release without cells can be "
                            "cut into fewer clusters than it has.",
                   .examples = "tacit generate mixture -o people.csv\n"
                               "tacit kmeans people.csv -k 5 --epsilon 1 --delta 1e-6 --bounds 0:1 "
                               "-o segments.json\n"
                               "tacit recut segments.json -k 7 -o seven.json\n"
                               "tacit predict seven.json people.csv -o labels.csv",
                   .least_words = 1,
                   .most_words = 1,
                   .words = "one model file",
                   .run = cmd_recut},
    [CMD_SYNTHESIZE] = {.name = "synthesize",
                        .summary = "synthetic rows drawn from a release, free of charge",
                        .usage = "synthesize MODEL --rows N [-o PATH] [options]",
                        .about = "Draws rows from the noisy cells of a release of kmeans or "
                                 "kmedian: a cell by its weight, then every column by the cell's "
                                 "mean and spread, within the declared bounds, categories by their "
                                 "shares. No row of the data is looked at and nothing is spent: "
                                 "synthetic rows are as private as the release. They keep "
                                 "clusters, "
                                 "means and spreads; finer things (relations of columns within a "
                                 "cluster, rare values, exact shapes) they do not have: "
                                 "docs/limits.md.",
                        .examples = "tacit generate mixture -o people.csv\n"
                                    "tacit kmeans people.csv -k 5 --epsilon 1 --delta 1e-6 "
                                    "--bounds "
                                    "0:1 -o segments.json\n"
                                    "tacit synthesize segments.json --rows 10000 -o synthetic.csv",
                        .least_words = 1,
                        .most_words = 1,
                        .words = "one model file",
                        .run = cmd_synthesize},
    [CMD_REPORT] = {.name = "report",
                    .summary = "a release as a page for people, free of charge",
                    .usage = "report MODEL [OTHER...] [-o PATH] [options]",
                    .about = "Writes one self-contained HTML page about a release of any family: "
                             "what the groups are, how certain, what is protected and what each "
                             "query cost. Made from the release alone: no row is looked at, "
                             "nothing "
                             "is spent, and the page is as private as the release. It fetches "
                             "nothing and works without a network. With a release of method auto a "
                             "slider shows other numbers of groups. Two to 24 releases of "
                             "kmeans or kmedian, in their order, are compared: each with the next "
                             "and the first with the last.",
                    .examples = "tacit generate mixture -o people.csv\n"
                                "tacit kmeans people.csv -k 5 --epsilon 1 --delta 1e-6 --bounds "
                                "0:1 "
                                "-o segments.json\n"
                                "tacit report segments.json -o segments.html",
                    .least_words = 1,
                    .most_words = MOST_WORDS,
                    .words = "one model file, or up to 24 to compare",
                    .run = cmd_report},
    [CMD_PLAN] = {.name = "plan",
                  .objects = "kmeans|kmedian|subspace|cocluster",
                  .summary = "what a budget will buy, without touching the data",
                  .usage = "plan kmeans|kmedian [FILE...] -k K|auto --epsilon E --bounds B "
                           "--rows-about N [options]\n"
                           "plan subspace [FILE...] -k K -q Q --epsilon E --radius R --rows-about "
                           "N "
                           "[options]\n"
                           "plan cocluster [FILE...] --rows K|auto --cols L|auto --epsilon E "
                           "--rows-about N [options]",
                  .about = "Prints the queries a run would ask, their share of the budget and the "
                           "error their noise causes, for your guess of the number of rows. Then "
                           "tries the method on so many made-up rows and says whether it will be "
                           "usable. Of FILE only the header is read, for its column names (LIBSVM "
                           "and "
                           "triplets have none: their column numbers are read, unless they are "
                           "declared), and of its ledger what was declared. The options of the "
                           "others: tacit plan subspace --help, tacit plan cocluster --help.",
                  .examples = "tacit plan kmeans --dimensions 2 -k 5 --epsilon 1 --delta 1e-6 "
                              "--bounds 0:1 --rows-about 10000\n"
                              "tacit generate mixture -o people.csv\n"
                              "tacit plan kmeans people.csv -k 5 --epsilon 1 --bounds "
                              "x1=0:1,x2=0:1 --rows-about 10000",
                  .least_words = 1,
                  .most_words = ANY_NUMBER,
                  .words = "what to plan and perhaps data files",
                  .run = cmd_plan,
                  .family = FAMILY_MEANS},
    [CMD_PLAN_SUBSPACE] = {.name = "plan",
                           .object = "subspace",
                           .summary = "what a budget will buy for subspaces",
                           .usage = "plan subspace [FILE...] -k K -q Q --epsilon E --radius R "
                                    "--rows-about N [options]",
                           .about = "Prints the queries tacit subspace would ask, their share of "
                                    "the budget and the error their noise causes, for your guess "
                                    "of the number of rows. Of FILE only the header is read, and "
                                    "of its ledger what was declared.",
                           .examples = "tacit plan subspace --dimensions 5 -k 3 -q 3 --epsilon 1 "
                                       "--delta 1e-6 --radius 1 --rows-about 5000",
                           .least_words = 1,
                           .most_words = ANY_NUMBER,
                           .words = "what to plan and perhaps data files",
                           .run = cmd_plan,
                           .family = FAMILY_SUBSPACE},
    [CMD_PLAN_COCLUSTER] = {.name = "plan",
                            .object = "cocluster",
                            .summary = "what a budget will buy for a co-clustering",
                            .usage = "plan cocluster [FILE...] --rows K|auto --cols L|auto "
                                     "--epsilon "
                                     "E "
                                     "--rows-about N [options]",
                            .about = "Prints the queries tacit cocluster would ask, their share of "
                                     "the budget and the error their noise causes, for your guess "
                                     "of the number of rows (or the rows of --shape NxM). Of FILE "
                                     "only the header is read (LIBSVM and triplets have none: "
                                     "without --shape their column numbers are read), and of its "
                                     "ledger what was declared.",
                            .examples = "tacit plan cocluster --shape x200 --rows 4 --cols 4 "
                                        "--epsilon 1 --delta 1e-6 --rows-about 20000\n"
                                        "tacit plan cocluster --shape 20000x200 --rows 4 --cols 4 "
                                        "--epsilon 1 --unit entry",
                            .least_words = 1,
                            .most_words = ANY_NUMBER,
                            .words = "what to plan and perhaps data files",
                            .run = cmd_plan,
                            .family = FAMILY_COCLUSTER},
    [CMD_DECLARE] = {.name = "declare",
                     .summary = "say what a table is: a template to fill in",
                     .usage = "declare FILE... [-o FILE.schema.json]",
                     .about = "Prints a Table Schema (JSON) of FILE to fill in, from its header "
                              "alone: no row is read. Give every column a role (feature, unit, "
                              "label, id or ignore) and every feature its smallest and largest "
                              "possible value, from knowledge of the subject and never from the "
                              "rows. As FILE.schema.json it is found by itself, and tacit ledger "
                              "init binds it to the ledger: from then on it holds for every run, "
                              "and is what declare prints of FILE.",
                     .examples = "tacit generate mixture -o people.csv\n"
                                 "tacit declare people.csv -o people.csv.schema.json",
                     .least_words = 1,
                     .most_words = ANY_NUMBER,
                     .words = "a data file, or several",
                     .run = cmd_declare},
    [CMD_LEDGER] = {.name = "ledger",
                    .objects = "init|show|history|schema|report",
                    .summary = "what a data set may spend and has spent",
                    .usage = "ledger init FILE... --epsilon E [--delta D] [--schema PATH]\n"
                             "ledger init FILE... --epsilon E [--delta D] --bounds B "
                             "[--unit-column "
                             "NAME] [options]\n"
                             "ledger init FILE... --epsilon E [--delta D] --carry OLD.ledger "
                             "--as-owner [options]\n"
                             "ledger show FILE...\n"
                             "ledger history FILE...\n"
                             "ledger schema FILE...\n"
                             "ledger report FILE... [-o PATH]",
                    .about = "The ledger of patients.csv is patients.csv.ledger, and every run on "
                             "patients.csv takes its budget from it. init creates it with the "
                             "budget of all runs ever and with what the table is: by "
                             "FILE.schema.json or --schema (see tacit declare), or by the options "
                             "of a run. Later runs keep to that, whatever they are asked for; "
                             "columns may be any of the declared features. show says what is left, "
                             "history lists the runs, schema prints what was declared, report "
                             "writes show and history as a page for people. FILE may "
                             "also be the ledger itself if it ends in .ledger. Several files share "
                             "one "
                             "ledger: it lies beside the first of them, and links to it beside the "
                             "others; runs take all of them or none. With a delta, runs "
                             "add up on the exact Gaussian curve, which is cheaper than adding "
                             "epsilons: ten runs of epsilon 1 take far less than epsilon 10.",
                    .examples = "tacit generate mixture -o people.csv\n"
                                "tacit ledger init people.csv --epsilon 4 --delta 1e-5 --bounds "
                                "0:1\n"
                                "tacit kmeans people.csv -k 5 --epsilon 1 --delta 1e-6\n"
                                "tacit ledger show people.csv\n"
                                "tacit ledger history people.csv",
                    .least_words = 1,
                    .most_words = ANY_NUMBER,
                    .words = "init, show, history, schema or report, and a data file, or several",
                    .run = cmd_ledger},
    [CMD_AUDIT] = {.name = "audit",
                   .objects = "kmeans|kmedian|subspace|cocluster|all",
                   .summary = "attack a method of tacit, or any program",
                   .usage = "audit FAMILY --epsilon E [--delta D] [--method NAME|all] [options]\n"
                            "audit all --epsilon E [--delta D] [options]\n"
                            "audit --command 'prog {input}' --pair FILE OTHER --epsilon E [--delta "
                            "D] [options]",
                   .about = "Tries to tell from what is released which of two neighboring data "
                            "sets was used, and prints how large epsilon must be at least for that "
                            "to be possible. Methods of tacit (FAMILY: kmeans, kmedian, subspace "
                            "or cocluster) are attacked on rows made for it, with the likelihood "
                            "of every noisy answer; every run is replayed on the neighbor, its "
                            "noise is compared with the distribution on its receipts, and its "
                            "prices are worked out again. Of another program the output and the "
                            "exit code are looked at. Exit code 80: a violation was found. Passing "
                            "is no proof.",
                   .examples = "tacit audit kmeans --method lloyd --epsilon 4 --delta 1e-6 --runs "
                               "200\n"
                               "tacit audit subspace --method sulq+ --epsilon 8 --delta 1e-6 "
                               "--runs 100 --picture audit.svg",
                   .least_words = 0,
                   .most_words = 1,
                   .words = "what to attack, or --command with --pair and two files",
                   .run = cmd_audit},
    [CMD_GENERATE] = {.name = "generate",
                      .objects = "mixture|subspaces|counts",
                      .summary = "synthetic rows to try things with",
                      .usage = "generate mixture [-o PATH] [options]\n"
                               "generate subspaces [-o PATH] [options]\n"
                               "generate counts [-o PATH] [options]",
                      .about = "mixture draws rows from round clusters in the box from 0 to 1, "
                               "subspaces from a union of subspaces, counts a table of counts with "
                               "blocks (their options: tacit generate subspaces --help, tacit "
                               "generate counts --help). They are nobody's.",
                      .examples = "tacit generate mixture -o people.csv\n"
                                  "tacit generate mixture --rows 100000 --columns 20 --clusters 8 "
                                  "--spread 0.02 -o people.npy\n"
                                  "tacit generate mixture --label-column class --bounds-out "
                                  "bounds.csv -o people.csv",
                      .least_words = 1,
                      .most_words = 1,
                      .words = "what to generate",
                      .run = cmd_generate},
    [CMD_GENERATE_SUBSPACES] = {.name = "generate",
                                .object = "subspaces",
                                .summary = "synthetic rows near subspaces",
                                .usage = "generate subspaces [-o PATH] [options]",
                                .about = "Draws rows evenly from the unit spheres of random "
                                         "subspaces through 0 and adds noise to every column. "
                                         "Noise makes half of the rows a little longer than 1: "
                                         "--radius 1.1 holds them. They are nobody's.",
                                .examples = "tacit generate subspaces -o union.csv\n"
                                            "tacit generate subspaces --rows 5000 --columns 8 -k 4 "
                                            "-q 2 -o union.npy --truth-out truth.json\n"
                                            "tacit generate subspaces --columns 10 --noise 0.1 "
                                            "--label-column class -o union.csv",
                                .least_words = 1,
                                .most_words = 1,
                                .words = "what to generate",
                                .run = cmd_generate,
                                .family = FAMILY_SUBSPACE},
    [CMD_GENERATE_COUNTS] = {.name = "generate",
                             .object = "counts",
                             .summary = "a synthetic table of counts",
                             .usage = "generate counts [-o PATH] [options]",
                             .about = "Draws a table of counts with planted blocks and writes its "
                                      "entries as row,col,count, from 0, row by row: any size will "
                                      "do. Row i is of row cluster i modulo their number, column j "
                                      "of column cluster j modulo theirs; every row cluster "
                                      "prefers two column clusters. They are nobody's.",
                             .examples = "tacit generate counts -o baskets.csv\n"
                                         "tacit generate counts --rows 100000 --columns 20000 "
                                         "--row-clusters 8 -o baskets.csv\n"
                                         "tacit generate counts --contrast 0.5 --labels-out "
                                         "classes.csv -o baskets.csv",
                             .least_words = 1,
                             .most_words = 1,
                             .words = "what to generate",
                             .run = cmd_generate_counts,
                             .family = FAMILY_COCLUSTER},
};
