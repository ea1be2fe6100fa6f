/* SPDX-License-Identifier: Apache-2.0 */
/* Every option of every command, once: the parser and the help both read this table. */
#include "cli.h"

#include <float.h>

#define FIELD(name) offsetof(cli_values, name)
#define POSITIVE DBL_TRUE_MIN             /* ranges include their ends: this is "above 0" */
#define BELOW_ONE (1 - DBL_EPSILON / 2)
#define LARGEST_WHOLE 9007199254740992.0  /* 2^53: whole numbers pass through a double unharmed */

#define TEXT(field, wants) WANTS_TEXT, FIELD(field), 0, 0, NULL, wants
#define NUMBER(field, least, most, wants) WANTS_NUMBER, FIELD(field), least, most, NULL, wants
#define WHOLE(field, least, most, wants) WANTS_WHOLE, FIELD(field), least, most, NULL, wants
#define SEED(field) WANTS_SEED, FIELD(field), 0, 0, NULL, "a whole number from 0 to 18446744073709551615"
#define CHOICE(field, choices, wants) WANTS_CHOICE, FIELD(field), 0, 0, choices, wants
#define FLAG(field) WANTS_NOTHING, FIELD(field), 0, 0, NULL, NULL

#define EPSILON_WANTS NUMBER(epsilon, POSITIVE, DBL_MAX, "a positive number from 1e-6 to 1000, for example 1")
#define DELTA_WANTS NUMBER(delta, 0, BELOW_ONE, "0, or a number from 1e-30 to 0.1, for example 1e-6")
#define PATH_WANTS(field) TEXT(field, "a file name")
#define COLUMN_WANTS(field) TEXT(field, "a column name")

const cli_option cli_options[OPT_COUNT] = {
    [OPT_CLUSTERS] = {'k', "clusters", "K", GROUP_DATA,
        WANTS_WHOLE, FIELD(k), 1, 1000000, "auto", "a whole number from 1 to 1000000, for example 5, or auto",
        "number of centres, 1 to 1000000; or auto: chosen from noisy answers that the run asks for anyway"},
    [OPT_K_MAX] = {0, "k-max", "N", GROUP_DATA,
        WHOLE(k_max, 1, 1000, "a whole number from 1 to 1000, for example 20"),
        "with -k auto: the most centres to think of; default: 20"},
    [OPT_COLUMNS] = {0, "columns", "LIST", GROUP_DATA, TEXT(columns, "column names, for example age,stay"),
        "columns to use, by name or by number from 1, separated by commas (NPY and sparse files call theirs c1, c2, "
        "...); default: all others"},
    [OPT_MODEL_COLUMNS] = {0, "columns", "LIST", GROUP_DATA, TEXT(columns, "column names, for example age,stay"),
        "columns to use, by name or by number from 1, separated by commas; default: the columns of the model"},
    [OPT_LABEL_COLUMN] = {0, "label-column", "NAME", GROUP_DATA, COLUMN_WANTS(label_column),
        "a column to set aside: it takes no part in the clustering"},
    [OPT_CLASS_COLUMN] = {0, "label-column", "NAME", GROUP_DATA, COLUMN_WANTS(label_column),
        "the column with known classes: adds how well the clusters agree with them (NMI, ARI)"},
    [OPT_UNIT_COLUMN] = {0, "unit-column", "NAME", GROUP_DATA, COLUMN_WANTS(unit_column),
        "the column that says whose row it is: protects whole people instead of single rows; "
        "needs --max-rows-per-person"},
    [OPT_MISSING] = {0, "missing", "RULE", GROUP_DATA,
        CHOICE(missing, "midpoint|reject-file", "midpoint or reject-file"),
        "what a missing value (an empty cell, NA, NaN, null, ?, inf) becomes: midpoint (default), the middle of the "
        "column's bounds (with --radius: the centre); or reject-file, "
        "refuse the file, which by itself tells that a value was missing"},
    [OPT_FORMAT] = {0, "format", "NAME", GROUP_DATA,
        CHOICE(format, "auto|csv|tsv|npy|mtx|triplets|libsvm", "auto, csv, tsv, npy, mtx, triplets or libsvm"),
        "csv, tsv, npy, mtx (Matrix Market), triplets (CSV with row,col,count) or libsvm; "
        "default: by the file's ending"},
    [OPT_DIMENSIONS] = {0, "dimensions", "D", GROUP_DATA,
        WHOLE(dimensions, 1, 1000000, "a whole number from 1 to 1000000, for example 10"),
        "number of columns, when no FILE is named"},
    [OPT_ROWS_ABOUT] = {0, "rows-about", "N", GROUP_DATA,
        NUMBER(rows_about, 1, 1e15, "your guess of the number of rows, for example 10000"),
        "your guess of the number of rows; the file is not asked"},

    [OPT_BOUNDS] = {0, "bounds", "B", GROUP_DOMAIN,
        TEXT(bounds, "0:1 for all columns, age=0:120,stay=0:60 for each, or a CSV file column,lower,upper"),
        "what values are possible: 0:1 for all columns, age=0:120,stay=0:60 for each, or a CSV file with the "
        "header column,lower,upper; values outside are moved to the bound"},
    [OPT_RADIUS] = {0, "radius", "R", GROUP_DOMAIN,
        NUMBER(radius, POSITIVE, DBL_MAX, "a positive number, for example 1"),
        "instead of bounds: rows further than R from the centre are pulled onto that sphere"},
    [OPT_CENTER] = {0, "center", "LIST", GROUP_DOMAIN,
        TEXT(center, "numbers separated by commas, or one number for all columns"),
        "with --radius: its centre, one number per column or one for all; default: 0"},
    [OPT_SPARSITY] = {0, "sparsity", "S", GROUP_DOMAIN,
        WHOLE(sparsity, 1, 1000000, "a whole number from 1 to 1000000, for example 50"),
        "sparse rows: the S largest values of a row count, which needs less noise than all of them; default: all"},

    [OPT_EPSILON] = {0, "epsilon", "E", GROUP_PRIVACY, EPSILON_WANTS,
        "the privacy budget of this run; no default; about 1 is usual, smaller is safer"},
    [OPT_DELTA] = {0, "delta", "D", GROUP_PRIVACY, DELTA_WANTS,
        "allowed slack, far below one over the number of rows; default: 0, a pure run, which is the stricter "
        "promise and needs more noise"},
    [OPT_NEIGHBOURS] = {0, "neighbours", "RULE", GROUP_PRIVACY,
        CHOICE(neighbours, "add-remove|replace", "add-remove or replace"),
        "what is hidden: add-remove (default), whether somebody is in the data at all; or replace, what "
        "somebody's rows say"},
    [OPT_MOST_ROWS] = {0, "max-rows-per-person", "N", GROUP_PRIVACY,
        WHOLE(most_rows, 1, 32768, "a whole number from 1 to 32768, for example 5"),
        "with --unit-column: rows kept of each person; more rows need more noise"},
    [OPT_LEDGER] = {0, "ledger", "PATH", GROUP_PRIVACY, PATH_WANTS(ledger),
        "the ledger to reserve the budget in; default: FILE.ledger if it exists"},
    [OPT_INSECURE_SEED] = {0, "insecure-test-seed", "N", GROUP_PRIVACY, SEED(insecure_seed),
        "for tests only: repeatable noise; the output is not private and says so"},
    [OPT_TOTAL_EPSILON] = {0, "epsilon", "E", GROUP_PRIVACY, EPSILON_WANTS,
        "init: the budget of all runs ever on this data set"},
    [OPT_TOTAL_DELTA] = {0, "delta", "D", GROUP_PRIVACY, DELTA_WANTS,
        "init: the slack of all runs ever; default: 0, pure runs only"},
    [OPT_TOTAL_UNIT] = {0, "unit-column", "NAME", GROUP_PRIVACY, COLUMN_WANTS(unit_column),
        "init: the budget is about whole people, named by this column, and every run must protect them; default: "
        "single rows"},
    [OPT_TOTAL_NEIGHBOURS] = {0, "neighbours", "RULE", GROUP_PRIVACY,
        CHOICE(neighbours, "add-remove|replace", "add-remove or replace"),
        "init: what every run must hide: add-remove (default) or replace"},
    [OPT_WHICH_LEDGER] = {0, "ledger", "PATH", GROUP_PRIVACY, PATH_WANTS(ledger),
        "a ledger that is not called FILE.ledger"},

    [OPT_METHOD] = {0, "method", "NAME", GROUP_METHOD,
        WANTS_METHOD, FIELD(method), 0, 0, NULL, "the name of a method, for example auto",
        "auto (default): the best we know; the others are for comparison, see --list-methods"},
    [OPT_LIST_METHODS] = {0, "list-methods", NULL, GROUP_METHOD, FLAG(list_methods),
        "list all methods with their guarantee and the paper they are from, and do nothing else"},
    [OPT_ROUNDS] = {0, "rounds", "N", GROUP_METHOD,
        WHOLE(rounds, 1, 1000, "a whole number from 1 to 1000, for example 5"),
        "number of rounds, for methods that go in rounds; default: chosen by the method"},
    [OPT_CONSTANTS] = {0, "constants", "SET", GROUP_METHOD,
        CHOICE(constants, "practical|theory", "practical or theory"),
        "method balcan: practical (default), constants that work; or theory, those of the paper's proof"},
    [OPT_SCALE] = {0, "scale", "RULE", GROUP_METHOD, CHOICE(scale, "range|none", "range or none"),
        "how distances are measured: range (default), each column divided by its declared range; none, in the columns' "
        "own units. Centres are in the columns' own units either way; --radius ignores it"},
    [OPT_RESTARTS] = {0, "restarts", "N", GROUP_METHOD,
        WHOLE(restarts, 0, 10000, "a whole number from 0 to 10000, for example 10"),
        "also run plain k-means (for a k-median release: plain k-median) N times and compare with the best; default: 0"},
    [OPT_THREADS] = {0, "threads", "N", GROUP_METHOD,
        WHOLE(threads, 0, 1024, "a whole number from 0 (all cores) to 1024"),
        "threads to use; default: all cores; the result does not depend on it"},

    [OPT_MIX_ROWS] = {0, "rows", "N", GROUP_DATA,
        WHOLE(mix_rows, 1, LARGEST_WHOLE, "a whole number of rows, for example 10000"),
        "number of rows; default: 10000"},
    [OPT_MIX_COLUMNS] = {0, "columns", "D", GROUP_DATA,
        WHOLE(mix_columns, 1, 1000000, "a whole number from 1 to 1000000, for example 2"),
        "number of columns, called x1, x2, ...; default: 2"},
    [OPT_MIX_BOUNDS] = {0, "bounds", "B", GROUP_DATA,
        TEXT(bounds, "a name and a range for each column, for example age=0:110,stay=0:60"),
        "instead of --columns: names and ranges of the columns, for example age=0:110,stay=0:60"},
    [OPT_MIX_CLUSTERS] = {0, "clusters", "K", GROUP_DATA,
        WHOLE(mix_clusters, 1, 1000000, "a whole number from 1 to 1000000, for example 5"),
        "number of clusters; default: 5"},
    [OPT_SPREAD] = {0, "spread", "S", GROUP_DATA,
        NUMBER(spread, 0, 1, "a number from 0 to 1, for example 0.05"),
        "standard deviation of a cluster in each column, where all columns lie in 0 to 1; default: 0.05"},
    [OPT_SEED] = {0, "seed", "N", GROUP_DATA, SEED(seed),
        "the same seed gives the same rows; default: 1"},

    [OPT_OUTPUT] = {'o', "output", "PATH", GROUP_OUTPUT, PATH_WANTS(output),
        "write here instead of standard output"},
    [OPT_OUTPUT_MODEL] = {'o', "output", "PATH", GROUP_OUTPUT, PATH_WANTS(output),
        "also write the release (JSON: centres, sizes and privacy card) to this file"},
    [OPT_OUTPUT_LABELS] = {'o', "output", "PATH", GROUP_OUTPUT, PATH_WANTS(output),
        "write the labels here (readable by you alone) instead of standard output"},
    [OPT_OUTPUT_ROWS] = {'o', "output", "PATH", GROUP_OUTPUT, PATH_WANTS(output),
        "write the rows here, as NPY if it ends in .npy, else CSV; default: CSV on standard output"},
    [OPT_BOUNDS_OUT] = {0, "bounds-out", "PATH", GROUP_OUTPUT, PATH_WANTS(bounds_out),
        "also write a bounds file for --bounds"},
    [OPT_LABELS_OUT] = {0, "labels-out", "PATH", GROUP_OUTPUT, PATH_WANTS(labels_out),
        "also write each row's true cluster, one a line"},
    [OPT_ADD_LABEL] = {0, "label-column", "NAME", GROUP_OUTPUT, COLUMN_WANTS(label_column),
        "add each row's true cluster as a column of this name (CSV only)"},
    [OPT_JSON] = {0, "json", NULL, GROUP_OUTPUT, FLAG(json),
        "print JSON on standard output instead of a readable table"},
    [OPT_QUIET] = {'q', "quiet", NULL, GROUP_OUTPUT, FLAG(quiet),
        "no summary and no progress bar; warnings and errors stay"},
    [OPT_QUIET_TABLE] = {'q', "quiet", NULL, GROUP_OUTPUT, FLAG(quiet),
        "no summary and no progress bar, and with -o no table; warnings and errors stay"},
    [OPT_HELP] = {'h', "help", NULL, GROUP_OUTPUT, FLAG(help), "print this help"},
};
