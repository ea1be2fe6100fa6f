/* SPDX-License-Identifier: Apache-2.0 */
/* Every command with its options: the parser and the help both read this table. */
#include "../cli.h"

#define OUTPUT_COMMON OPT_QUIET, OPT_HELP, OPT_END
#define DATA_COMMON OPT_COLUMNS, OPT_FORMAT, OPT_SCHEMA
#define DOMAIN_ALL OPT_BOUNDS, OPT_RADIUS, OPT_CENTER, OPT_SPARSITY
#define METHOD_MORE OPT_ROUNDS, OPT_CONSTANTS, OPT_SCALE

static const cli_option_id kmeans_options[] = {
    OPT_CLUSTERS, OPT_K_MAX, DATA_COMMON, OPT_LABEL_COLUMN, OPT_UNIT_COLUMN, OPT_MISSING, DOMAIN_ALL, OPT_EPSILON, OPT_DELTA,
    OPT_NEIGHBOURS, OPT_MOST_ROWS, OPT_LEDGER, OPT_AS_OWNER, OPT_INSECURE_SEED, OPT_METHOD, OPT_LIST_METHODS, METHOD_MORE, OPT_THREADS,
    OPT_OUTPUT_MODEL, OPT_JSON, OPT_QUIET_TABLE, OPT_HELP, OPT_END};

#define SUBSPACE_SHAPE OPT_SUBSPACES, OPT_DIMENSION, OPT_AFFINE, OPT_SUB_K_MAX, OPT_Q_MAX
#define SUBSPACE_DOMAIN OPT_BOUNDS, OPT_RADIUS, OPT_CENTER
#define SUBSPACE_MORE OPT_SUB_ROUNDS, OPT_SCALE, OPT_SOLVER, OPT_PARTS, OPT_OVERLAPPING, OPT_START, OPT_CHAINS, OPT_RELEASE_LABELS

static const cli_option_id subspace_options[] = {
    SUBSPACE_SHAPE, DATA_COMMON, OPT_LABEL_COLUMN, OPT_UNIT_COLUMN, OPT_MISSING, SUBSPACE_DOMAIN, OPT_EPSILON, OPT_DELTA,
    OPT_NEIGHBOURS, OPT_MOST_ROWS, OPT_LEDGER, OPT_AS_OWNER, OPT_INSECURE_SEED, OPT_NOT_PRIVATE, OPT_METHOD, OPT_LIST_METHODS, SUBSPACE_MORE,
    OPT_SUB_RESTARTS, OPT_SUB_SEED, OPT_THREADS, OPT_OUTPUT_SUBSPACES, OPT_JSON, OPT_QUIET_WORD_TABLE, OPT_HELP, OPT_END};

static const cli_option_id plan_subspace_options[] = {
    SUBSPACE_SHAPE, OPT_ROWS_ABOUT, OPT_DIMENSIONS, DATA_COMMON, OPT_LABEL_COLUMN, OPT_UNIT_COLUMN, SUBSPACE_DOMAIN, OPT_EPSILON,
    OPT_DELTA, OPT_NEIGHBOURS, OPT_MOST_ROWS, OPT_METHOD, OPT_SUB_ROUNDS, OPT_SCALE, OPT_SOLVER, OPT_PARTS, OPT_OVERLAPPING,
    OPT_OUTPUT, OPT_JSON, OPT_QUIET_WORD, OPT_HELP, OPT_END};

static const cli_option_id union_options[] = {
    OPT_MIX_ROWS, OPT_UNION_COLUMNS, OPT_UNION_SUBSPACES, OPT_UNION_DIMENSION, OPT_NOISE, OPT_SEED, OPT_OUTPUT_ROWS, OPT_TRUTH_OUT,
    OPT_LABELS_OUT, OPT_ADD_LABEL, OPT_QUIET_WORD, OPT_HELP, OPT_END};

static const cli_option_id cocluster_options[] = {
    OPT_ROW_CLUSTERS, OPT_COL_CLUSTERS, DATA_COMMON, OPT_SHAPE, OPT_VOCABULARY, OPT_LABEL_COLUMN, OPT_UNIT_COLUMN, OPT_EPSILON, OPT_DELTA,
    OPT_UNIT, OPT_NEIGHBOURS, OPT_MOST_ROWS, OPT_LEDGER, OPT_AS_OWNER, OPT_INSECURE_SEED, OPT_NOT_PRIVATE, OPT_METHOD, OPT_LIST_METHODS,
    OPT_COUNT_ROUNDS, OPT_ROW_LABELS, OPT_LEAST_Z, OPT_COUNT_RESTARTS, OPT_SUB_SEED, OPT_THREADS, OPT_OUTPUT_BLOCKS, OPT_PICTURE,
    OPT_JSON, OPT_QUIET_TABLE, OPT_HELP, OPT_END};

static const cli_option_id plan_cocluster_options[] = {
    OPT_ROW_CLUSTERS, OPT_COL_CLUSTERS, OPT_ROWS_ABOUT, OPT_DIMENSIONS, DATA_COMMON, OPT_SHAPE, OPT_VOCABULARY, OPT_LABEL_COLUMN,
    OPT_UNIT_COLUMN, OPT_EPSILON, OPT_DELTA, OPT_UNIT, OPT_NEIGHBOURS, OPT_MOST_ROWS, OPT_METHOD, OPT_COUNT_ROUNDS, OPT_ROW_LABELS,
    OPT_LEAST_Z, OPT_OUTPUT, OPT_JSON, OUTPUT_COMMON};

static const cli_option_id counts_options[] = {
    OPT_BLOCK_ROWS, OPT_BLOCK_COLUMNS, OPT_BLOCK_ROW_CLUSTERS, OPT_BLOCK_COL_CLUSTERS, OPT_MEAN, OPT_CONTRAST, OPT_SEED,
    OPT_OUTPUT_COUNTS, OPT_LABELS_OUT, OUTPUT_COMMON};

static const cli_option_id predict_options[] = {
    OPT_MODEL_COLUMNS, OPT_ID_COLUMN, OPT_FORMAT, OPT_SCHEMA, OPT_SHAPE, OPT_VOCABULARY, OPT_LABEL_COLUMN, OPT_AS_OWNER, OPT_THREADS, OPT_OUTPUT_LABELS,
    OUTPUT_COMMON};

static const cli_option_id evaluate_options[] = {
    OPT_MODEL_COLUMNS, OPT_FORMAT, OPT_SCHEMA, OPT_SHAPE, OPT_VOCABULARY, OPT_CLASS_COLUMN, OPT_CLASS_FILE, OPT_RESTARTS, OPT_TRUTH, OPT_AS_OWNER,
    OPT_THREADS,
    OPT_OUTPUT, OPT_JSON, OUTPUT_COMMON};

static const cli_option_id plan_options[] = {
    OPT_CLUSTERS, OPT_K_MAX, OPT_ROWS_ABOUT, OPT_DIMENSIONS, DATA_COMMON, OPT_LABEL_COLUMN, OPT_UNIT_COLUMN, DOMAIN_ALL,
    OPT_EPSILON, OPT_DELTA, OPT_NEIGHBOURS, OPT_MOST_ROWS, OPT_METHOD, METHOD_MORE, OPT_OUTPUT, OPT_JSON,
    OUTPUT_COMMON};

static const cli_option_id ledger_options[] = {
    OPT_TOTAL_EPSILON, OPT_TOTAL_DELTA, OPT_SCHEMA, OPT_CARRY, OPT_AS_OWNER, OPT_TOTAL_UNIT_KIND, OPT_TOTAL_UNIT, OPT_TOTAL_NEIGHBOURS, OPT_MOST_ROWS,
    OPT_COLUMNS, OPT_FORMAT, OPT_LABEL_COLUMN, OPT_MISSING, OPT_SHAPE, OPT_VOCABULARY, OPT_BOUNDS, OPT_RADIUS, OPT_CENTER, OPT_WHICH_LEDGER,
    OPT_OUTPUT, OPT_JSON, OUTPUT_COMMON};

static const cli_option_id declare_options[] = {OPT_FORMAT, OPT_OUTPUT_SCHEMA, OUTPUT_COMMON};

static const cli_option_id generate_options[] = {
    OPT_MIX_ROWS, OPT_MIX_COLUMNS, OPT_MIX_BOUNDS, OPT_MIX_CLUSTERS, OPT_SPREAD, OPT_SEED, OPT_OUTPUT_ROWS,
    OPT_BOUNDS_OUT, OPT_LABELS_OUT, OPT_ADD_LABEL, OUTPUT_COMMON};

static const cli_option_id audit_options[] = {
    OPT_AUDIT_COMMAND, OPT_AUDIT_PAIR, OPT_AUDIT_EPSILON, OPT_AUDIT_DELTA, OPT_AUDIT_NEIGHBOURS, OPT_AUDIT_METHOD, OPT_RUNS,
    OPT_CONFIDENCE, OPT_TIME_LIMIT, OPT_NOISE_FACTOR, OPT_AUDIT_SEED, OPT_THREADS, OPT_AUDIT_PICTURE, OPT_JSON, OUTPUT_COMMON};

#define RUN_COMMON \
    "Without --delta the run is pure (delta = 0). If FILE.ledger exists, the table is what was declared there, and the budget is reserved " \
    "before a row is read; from then on it stays spent, whatever happens. FILE.schema.json declares the same without a ledger."

const cli_command cli_commands[] = {
    {"kmeans", "cluster rows around k centres, with differential privacy", NULL,
     "kmeans FILE -k K|auto --epsilon E [--delta D] --bounds B [options]\n"
     "kmeans --list-methods [--json]",
     "Finds K centres in the rows of FILE (\"-\": standard input) and prints them with the standard deviation of "
     "their noise and a noisy size. With -k auto it also chooses how many. " RUN_COMMON,
     "tacit generate mixture -o people.csv\n"
     "tacit kmeans people.csv -k 5 --epsilon 1 --bounds 0:1\n"
     "tacit kmeans people.csv -k 5 --epsilon 1 --delta 1e-6 --bounds x1=0:1,x2=0:1 -o segments.json\n"
     "tacit kmeans people.csv -k auto --epsilon 1 --delta 1e-6 --bounds 0:1\n"
     "tacit kmeans --list-methods",
     kmeans_options, 1, 1, "one data file: tacit kmeans people.csv -k 5 --epsilon 1 --bounds 0:1", cmd_kmeans, FAMILY_MEANS},
    {"kmedian", "the same around medians: resists outliers", NULL,
     "kmedian FILE -k K|auto --epsilon E [--delta D] --bounds B [options]\n"
     "kmedian --list-methods [--json]",
     "Like kmeans, but the centres keep the distances small, not their squares: a few rows far away pull less. "
     "Finds K centres in the rows of FILE (\"-\": standard input) and prints them with the standard deviation of "
     "their noise and a noisy size. " RUN_COMMON,
     "tacit generate mixture -o people.csv\n"
     "tacit kmedian people.csv -k 5 --epsilon 1 --delta 1e-6 --bounds 0:1 -o segments.json\n"
     "tacit kmedian --list-methods",
     kmeans_options, 1, 1, "one data file: tacit kmedian people.csv -k 5 --epsilon 1 --bounds 0:1", cmd_kmeans, FAMILY_MEDIAN},
    {"subspace", "cluster rows near k subspaces, with differential privacy", NULL,
     "subspace FILE -k K|auto -q Q|auto --epsilon E [--delta D] --radius R [options]\n"
     "subspace FILE -k K -q Q --not-private --solver NAME --radius R [options]\n"
     "subspace --list-methods [--json]",
     "Finds K subspaces of dimension Q near which the rows of FILE (\"-\": standard input) lie, and prints a noisy size, the "
     "directions with their largest loadings, and how far the rows reach along each. Subspaces pass through 0 unless --affine is "
     "given. It needs many rows: thousands for a few columns, and hundreds of thousands for fifty. " RUN_COMMON,
     "tacit generate subspaces --rows 20000 -o union.csv --truth-out truth.json\n"
     "tacit subspace union.csv -k 3 -q 3 --epsilon 1 --delta 1e-6 --radius 1 -o model.json\n"
     "tacit evaluate model.json union.csv --truth truth.json\n"
     "tacit subspace --list-methods",
     subspace_options, 1, 1, "one data file: tacit subspace rows.csv -k 3 -q 2 --epsilon 1 --delta 1e-6 --radius 1", cmd_subspace,
     FAMILY_SUBSPACE},
    {"cocluster", "cluster the rows and the columns of a table of counts at once", NULL,
     "cocluster FILE --rows K --cols L --epsilon E [--delta D] [--unit KIND] [options]\n"
     "cocluster FILE --rows K --cols L --not-private [options]\n"
     "cocluster --list-methods [--json]",
     "Finds K clusters of the rows and L clusters of the columns of a table of counts (people x items, documents x words) that tell as "
     "much as possible about each other, and prints the noisy table of the clusters, noisy sizes, and the columns of each cluster. "
     "FILE (\"-\": standard input) is a CSV file with the columns row, col and count (others may stand beside them), a CSV or NPY "
     "matrix of counts, Matrix Market or LIBSVM. By default a whole row is protected; --unit entry protects single counts only. How "
     "many columns there are counts as public: declare it with --shape or --vocabulary. " RUN_COMMON,
     "tacit generate counts -o baskets.csv --labels-out classes.csv\n"
     "tacit cocluster baskets.csv --rows 4 --cols 4 --epsilon 1 --delta 1e-6 --shape x200 -o blocks.json\n"
     "tacit evaluate blocks.json baskets.csv --labels classes.csv --restarts 10\n"
     "tacit cocluster baskets.csv --rows 4 --cols 4 --epsilon 1 --unit entry --shape 20000x200\n"
     "tacit cocluster --list-methods",
     cocluster_options, 1, 1, "one data file: tacit cocluster baskets.csv --rows 4 --cols 4 --epsilon 1 --delta 1e-6", cmd_cocluster,
     FAMILY_COCLUSTER},
    {"predict", "the nearest released centre of every row (not private)", NULL,
     "predict MODEL FILE [options]",
     "Prints the number of the nearest centre or subspace, from 0, for each row of FILE, as a CSV file with the header "
     "cluster; of a co-clustering, the row cluster that its rule gives. Rows come in the order of the file; those of a row,col,count "
     "file have their name or number before the label (row,cluster), and --id-column does the same for tables. MODEL or FILE may "
     "be \"-\": standard input. A label tells about its row: it is NOT private; keep labels with the rows.",
     "tacit generate mixture -o people.csv\n"
     "tacit kmeans people.csv -k 5 --epsilon 1 --bounds 0:1 -o segments.json\n"
     "tacit predict segments.json people.csv -o labels.csv",
     predict_options, 2, 2, "a model and a data file: tacit predict segments.json people.csv", cmd_predict, 0},
    {"evaluate", "how good a model is on its rows (not private)", NULL,
     "evaluate MODEL FILE [options]",
     "Measures the centres or subspaces of MODEL on the rows of FILE, exactly: the figures are NOT private and are for whoever "
     "holds the rows. Distances are those the model was clustered with; of a co-clustering, tau of the exact table.",
     "tacit generate mixture --label-column class -o people.csv\n"
     "tacit kmeans people.csv --label-column class -k 5 --epsilon 1 --bounds 0:1 -o segments.json\n"
     "tacit evaluate segments.json people.csv --label-column class --restarts 10",
     evaluate_options, 2, 2, "a model and a data file: tacit evaluate segments.json people.csv", cmd_evaluate, 0},
    {"plan", "what a budget will buy, without touching the data", NULL,
     "plan kmeans|kmedian [FILE] -k K|auto --epsilon E --bounds B --rows-about N [options]\n"
     "plan subspace [FILE] -k K -q Q --epsilon E --radius R --rows-about N [options]\n"
     "plan cocluster [FILE] --rows K --cols L --epsilon E --rows-about N [options]",
     "Prints the questions a run would ask, their share of the budget and the error their noise causes, for your "
     "guess of the number of rows. Of FILE only the header is read, for its column names (LIBSVM and "
     "triplets have none: their column numbers are read, unless they are declared), and of its ledger what was declared. The options of the others: tacit plan subspace --help, tacit plan "
     "cocluster --help.",
     "tacit plan kmeans --dimensions 2 -k 5 --epsilon 1 --delta 1e-6 --bounds 0:1 --rows-about 10000\n"
     "tacit generate mixture -o people.csv\n"
     "tacit plan kmeans people.csv -k 5 --epsilon 1 --bounds x1=0:1,x2=0:1 --rows-about 10000",
     plan_options, 1, 2, "what to plan and perhaps a data file: tacit plan kmeans people.csv", cmd_plan, FAMILY_MEANS},
    {"plan", "what a budget will buy for subspaces", "subspace",
     "plan subspace [FILE] -k K -q Q --epsilon E --radius R --rows-about N [options]",
     "Prints the questions tacit subspace would ask, their share of the budget and the error their noise causes, for your "
     "guess of the number of rows. Of FILE only the header is read, and of its ledger what was declared.",
     "tacit plan subspace --dimensions 5 -k 3 -q 3 --epsilon 1 --delta 1e-6 --radius 1 --rows-about 5000",
     plan_subspace_options, 1, 2, "what to plan and perhaps a data file: tacit plan subspace rows.csv", cmd_plan, FAMILY_SUBSPACE},
    {"plan", "what a budget will buy for a co-clustering", "cocluster",
     "plan cocluster [FILE] --rows K --cols L --epsilon E --rows-about N [options]",
     "Prints the questions tacit cocluster would ask, their share of the budget and the error their noise causes, for your guess of "
     "the number of rows (or the rows of --shape NxM). Of FILE only the header is read (LIBSVM and triplets have none: without --shape their column "
     "numbers are read), and of its ledger what was declared.",
     "tacit plan cocluster --shape x200 --rows 4 --cols 4 --epsilon 1 --delta 1e-6 --rows-about 20000\n"
     "tacit plan cocluster --shape 20000x200 --rows 4 --cols 4 --epsilon 1 --unit entry",
     plan_cocluster_options, 1, 2, "what to plan and perhaps a data file: tacit plan cocluster baskets.csv", cmd_plan,
     FAMILY_COCLUSTER},
    {"declare", "say what a table is: a template to fill in", NULL,
     "declare FILE [-o FILE.schema.json]",
     "Prints a Table Schema (JSON) of FILE to fill in, from its header alone: no row is read. Give every column a role (feature, unit, label, id "
     "or ignore) and every feature its smallest and largest possible value, from knowledge of the subject and never from the rows. As "
     "FILE.schema.json it is found by itself, and tacit ledger init binds it to the ledger: from then on it holds for every run.",
     "tacit generate mixture -o people.csv\n"
     "tacit declare people.csv -o people.csv.schema.json",
     declare_options, 1, 1, "one data file: tacit declare people.csv", cmd_declare, 0},
    {"ledger", "what a data set may spend and has spent", NULL,
     "ledger init FILE --epsilon E [--delta D] [--schema PATH]\n"
     "ledger init FILE --epsilon E [--delta D] --bounds B [--unit-column NAME] [options]\n"
     "ledger init FILE --epsilon E [--delta D] --carry OLD.ledger --as-owner [options]\n"
     "ledger show FILE\n"
     "ledger history FILE\n"
     "ledger schema FILE",
     "The ledger of patients.csv is patients.csv.ledger, and every run on patients.csv takes its budget from it. "
     "init creates it with the budget of all runs ever and with what the table is: by FILE.schema.json or --schema (see tacit declare), or by the "
     "options of a run. Later runs keep to that, whatever they are asked for; columns may be any of the declared features. show says what is left, "
     "history lists the runs, schema prints what was declared. FILE may "
     "also be the ledger itself if it ends in .ledger. With a delta, runs add up on the exact Gaussian curve, which "
     "is cheaper than adding epsilons: ten runs of epsilon 1 take far less than epsilon 10.",
     "tacit generate mixture -o people.csv\n"
     "tacit ledger init people.csv --epsilon 4 --delta 1e-5 --bounds 0:1\n"
     "tacit kmeans people.csv -k 5 --epsilon 1 --delta 1e-6\n"
     "tacit ledger show people.csv\n"
     "tacit ledger history people.csv",
     ledger_options, 1, 2, "init, show, history or schema, and a data file: tacit ledger show people.csv", cmd_ledger, 0},
    {"audit", "attack a method of tacit, or any program", NULL,
     "audit FAMILY --epsilon E [--delta D] [--method NAME|all] [options]\n"
     "audit all --epsilon E [--delta D] [options]\n"
     "audit --command 'prog {input}' --pair FILE OTHER --epsilon E [--delta D] [options]",
     "Tries to tell from what is released which of two neighbouring data sets was used, and prints how large epsilon must be at "
     "least for that to be possible. Methods of tacit (FAMILY: kmeans, kmedian, subspace or cocluster) are attacked on rows made for it, with the likelihood of every noisy answer; "
     "every run is replayed on the neighbour, its noise is held against the law on its receipts, and its prices are worked out "
     "again. Of another program the output and the exit code are looked at. Exit code 80: a "
     "violation was found. Passing is no proof.",
     "tacit audit kmeans --method lloyd --epsilon 4 --delta 1e-6 --runs 200\n"
     "tacit audit subspace --method sulq+ --epsilon 8 --delta 1e-6 --runs 100 --picture audit.svg",
     audit_options, 0, 1, "what to attack: tacit audit kmeans --epsilon 1, or --command with --pair and two files", cmd_audit, 0},
    {"generate", "synthetic rows to try things with", NULL,
     "generate mixture [-o PATH] [options]\n"
     "generate subspaces [-o PATH] [options]\n"
     "generate counts [-o PATH] [options]",
     "mixture draws rows from round clusters in the box from 0 to 1, subspaces from a union of subspaces, counts a table of counts "
     "with blocks (their options: tacit generate subspaces --help, tacit generate counts --help). They are nobody's.",
     "tacit generate mixture -o people.csv\n"
     "tacit generate mixture --rows 100000 --columns 20 --clusters 8 --spread 0.02 -o people.npy\n"
     "tacit generate mixture --label-column class --bounds-out bounds.csv -o people.csv",
     generate_options, 1, 1, "what to generate: tacit generate mixture, subspaces or counts", cmd_generate, 0},
    {"generate", "synthetic rows near subspaces", "subspaces",
     "generate subspaces [-o PATH] [options]",
     "Draws rows evenly from the unit spheres of random subspaces through 0 and adds noise to every column. Noise makes some rows "
     "longer than 1: with --radius 1 they are pulled back. They are nobody's.",
     "tacit generate subspaces -o union.csv\n"
     "tacit generate subspaces --rows 5000 --columns 8 -k 4 -q 2 -o union.npy --truth-out truth.json\n"
     "tacit generate subspaces --columns 10 --noise 0.1 --label-column class -o union.csv",
     union_options, 1, 1, "what to generate: tacit generate subspaces", cmd_generate_subspaces, FAMILY_SUBSPACE},
    {"generate", "a synthetic table of counts", "counts",
     "generate counts [-o PATH] [options]",
     "Draws a table of counts with planted blocks and writes its entries as row,col,count, from 0, row by row: any size will do. Row i is "
     "of row cluster i modulo their number, column j of column cluster j modulo theirs; every row cluster prefers two column clusters. "
     "They are nobody's.",
     "tacit generate counts -o baskets.csv\n"
     "tacit generate counts --rows 100000 --columns 20000 --row-clusters 8 -o baskets.csv\n"
     "tacit generate counts --contrast 0.5 --labels-out classes.csv -o baskets.csv",
     counts_options, 1, 1, "what to generate: tacit generate counts", cmd_generate_counts, FAMILY_COCLUSTER},
    {.name = NULL},
};
