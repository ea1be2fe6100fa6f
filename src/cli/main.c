/* SPDX-License-Identifier: Apache-2.0 */
/* The command `tacit`: finds the subcommand, reads its options, runs it. */
#include "cli.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define OUTPUT_COMMON OPT_QUIET, OPT_HELP, OPT_END
#define DATA_COMMON OPT_COLUMNS, OPT_FORMAT
#define DOMAIN_ALL OPT_BOUNDS, OPT_RADIUS, OPT_CENTER, OPT_SPARSITY
#define METHOD_MORE OPT_ROUNDS, OPT_CONSTANTS, OPT_SCALE

static const cli_option_id kmeans_options[] = {
    OPT_CLUSTERS, OPT_K_MAX, DATA_COMMON, OPT_LABEL_COLUMN, OPT_UNIT_COLUMN, OPT_MISSING, DOMAIN_ALL, OPT_EPSILON, OPT_DELTA,
    OPT_NEIGHBOURS, OPT_MOST_ROWS, OPT_LEDGER, OPT_INSECURE_SEED, OPT_METHOD, OPT_LIST_METHODS, METHOD_MORE, OPT_THREADS,
    OPT_OUTPUT_MODEL, OPT_JSON, OPT_QUIET_TABLE, OPT_HELP, OPT_END};

#define SUBSPACE_SHAPE OPT_SUBSPACES, OPT_DIMENSION, OPT_AFFINE, OPT_SUB_K_MAX, OPT_Q_MAX
#define SUBSPACE_DOMAIN OPT_BOUNDS, OPT_RADIUS, OPT_CENTER
#define SUBSPACE_MORE OPT_SUB_ROUNDS, OPT_SCALE, OPT_SOLVER, OPT_PARTS, OPT_OVERLAPPING, OPT_START, OPT_CHAINS, OPT_RELEASE_LABELS

static const cli_option_id subspace_options[] = {
    SUBSPACE_SHAPE, DATA_COMMON, OPT_LABEL_COLUMN, OPT_UNIT_COLUMN, OPT_MISSING, SUBSPACE_DOMAIN, OPT_EPSILON, OPT_DELTA,
    OPT_NEIGHBOURS, OPT_MOST_ROWS, OPT_LEDGER, OPT_INSECURE_SEED, OPT_NOT_PRIVATE, OPT_METHOD, OPT_LIST_METHODS, SUBSPACE_MORE,
    OPT_SUB_RESTARTS, OPT_SUB_SEED, OPT_THREADS, OPT_OUTPUT_SUBSPACES, OPT_JSON, OPT_QUIET_WORD_TABLE, OPT_HELP, OPT_END};

static const cli_option_id plan_subspace_options[] = {
    SUBSPACE_SHAPE, OPT_ROWS_ABOUT, OPT_DIMENSIONS, DATA_COMMON, OPT_LABEL_COLUMN, OPT_UNIT_COLUMN, SUBSPACE_DOMAIN, OPT_EPSILON,
    OPT_DELTA, OPT_NEIGHBOURS, OPT_MOST_ROWS, OPT_METHOD, OPT_SUB_ROUNDS, OPT_SCALE, OPT_SOLVER, OPT_PARTS, OPT_OVERLAPPING,
    OPT_OUTPUT, OPT_JSON, OPT_QUIET_WORD, OPT_HELP, OPT_END};

static const cli_option_id union_options[] = {
    OPT_MIX_ROWS, OPT_UNION_COLUMNS, OPT_UNION_SUBSPACES, OPT_UNION_DIMENSION, OPT_NOISE, OPT_SEED, OPT_OUTPUT_ROWS, OPT_TRUTH_OUT,
    OPT_LABELS_OUT, OPT_ADD_LABEL, OPT_QUIET_WORD, OPT_HELP, OPT_END};

static const cli_option_id predict_options[] = {
    OPT_MODEL_COLUMNS, OPT_FORMAT, OPT_LABEL_COLUMN, OPT_THREADS, OPT_OUTPUT_LABELS, OUTPUT_COMMON};

static const cli_option_id evaluate_options[] = {
    OPT_MODEL_COLUMNS, OPT_FORMAT, OPT_CLASS_COLUMN, OPT_RESTARTS, OPT_TRUTH, OPT_THREADS, OPT_OUTPUT, OPT_JSON, OUTPUT_COMMON};

static const cli_option_id plan_options[] = {
    OPT_CLUSTERS, OPT_K_MAX, OPT_ROWS_ABOUT, OPT_DIMENSIONS, DATA_COMMON, OPT_LABEL_COLUMN, OPT_UNIT_COLUMN, DOMAIN_ALL,
    OPT_EPSILON, OPT_DELTA, OPT_NEIGHBOURS, OPT_MOST_ROWS, OPT_METHOD, METHOD_MORE, OPT_OUTPUT, OPT_JSON,
    OUTPUT_COMMON};

static const cli_option_id ledger_options[] = {
    OPT_TOTAL_EPSILON, OPT_TOTAL_DELTA, OPT_TOTAL_UNIT, OPT_TOTAL_NEIGHBOURS, OPT_WHICH_LEDGER, OPT_OUTPUT,
    OPT_JSON, OUTPUT_COMMON};

static const cli_option_id generate_options[] = {
    OPT_MIX_ROWS, OPT_MIX_COLUMNS, OPT_MIX_BOUNDS, OPT_MIX_CLUSTERS, OPT_SPREAD, OPT_SEED, OPT_OUTPUT_ROWS,
    OPT_BOUNDS_OUT, OPT_LABELS_OUT, OPT_ADD_LABEL, OUTPUT_COMMON};

static const cli_option_id audit_options[] = {
    OPT_AUDIT_COMMAND, OPT_AUDIT_PAIR, OPT_AUDIT_EPSILON, OPT_AUDIT_DELTA, OPT_AUDIT_NEIGHBOURS, OPT_AUDIT_METHOD, OPT_RUNS,
    OPT_CONFIDENCE, OPT_TIME_LIMIT, OPT_NOISE_FACTOR, OPT_AUDIT_SEED, OPT_THREADS, OPT_PICTURE, OPT_JSON, OUTPUT_COMMON};

#define RUN_COMMON \
    "Without --delta the run is pure (delta = 0). If FILE.ledger exists, the budget is reserved there before a row is " \
    "read: a file that cannot be read gives it back, and once a question was answered it stays spent whatever happens."

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
    {"predict", "the nearest released centre of every row (not private)", NULL,
     "predict MODEL FILE [options]",
     "Prints the number of the nearest centre or subspace, from 0, for each row of FILE, as a CSV file with the header "
     "cluster. A label tells about its row: it is NOT private; keep labels with the rows.",
     "tacit generate mixture -o people.csv\n"
     "tacit kmeans people.csv -k 5 --epsilon 1 --bounds 0:1 -o segments.json\n"
     "tacit predict segments.json people.csv -o labels.csv",
     predict_options, 2, 2, "a model and a data file: tacit predict segments.json people.csv", cmd_predict, 0},
    {"evaluate", "how good a model is on its rows (not private)", NULL,
     "evaluate MODEL FILE [options]",
     "Measures the centres or subspaces of MODEL on the rows of FILE, exactly: the figures are NOT private and are for whoever "
     "holds the rows. Distances are those the model was clustered with.",
     "tacit generate mixture --label-column class -o people.csv\n"
     "tacit kmeans people.csv --label-column class -k 5 --epsilon 1 --bounds 0:1 -o segments.json\n"
     "tacit evaluate segments.json people.csv --label-column class --restarts 10",
     evaluate_options, 2, 2, "a model and a data file: tacit evaluate segments.json people.csv", cmd_evaluate, 0},
    {"plan", "what a budget will buy, without touching the data", NULL,
     "plan kmeans|kmedian [FILE] -k K|auto --epsilon E --bounds B --rows-about N [options]\n"
     "plan subspace [FILE] -k K -q Q --epsilon E --radius R --rows-about N [options]",
     "Prints the questions a run would ask, their share of the budget and the error their noise causes, for your "
     "guess of the number of rows. Reads no ledger, and of FILE only the header, for its column names (LIBSVM and "
     "triplets have none: their column numbers are read). The options of subspaces: tacit plan subspace --help.",
     "tacit plan kmeans --dimensions 2 -k 5 --epsilon 1 --delta 1e-6 --bounds 0:1 --rows-about 10000\n"
     "tacit generate mixture -o people.csv\n"
     "tacit plan kmeans people.csv -k 5 --epsilon 1 --bounds x1=0:1,x2=0:1 --rows-about 10000",
     plan_options, 1, 2, "what to plan and perhaps a data file: tacit plan kmeans people.csv", cmd_plan, FAMILY_MEANS},
    {"plan", "what a budget will buy for subspaces", "subspace",
     "plan subspace [FILE] -k K -q Q --epsilon E --radius R --rows-about N [options]",
     "Prints the questions tacit subspace would ask, their share of the budget and the error their noise causes, for your "
     "guess of the number of rows. Reads no ledger, and of FILE only the header.",
     "tacit plan subspace --dimensions 5 -k 3 -q 3 --epsilon 1 --delta 1e-6 --radius 1 --rows-about 5000",
     plan_subspace_options, 1, 2, "what to plan and perhaps a data file: tacit plan subspace rows.csv", cmd_plan, FAMILY_SUBSPACE},
    {"ledger", "what a data set may spend and has spent", NULL,
     "ledger init FILE --epsilon E [--delta D] [--unit-column NAME] [--neighbours RULE]\n"
     "ledger show FILE\n"
     "ledger history FILE",
     "The ledger of patients.csv is patients.csv.ledger, and every run on patients.csv takes its budget from it. "
     "init creates it with the budget of all runs ever, show says what is left, history lists the runs. FILE may "
     "also be the ledger itself if it ends in .ledger. With a delta, runs add up on the exact Gaussian curve, which "
     "is cheaper than adding epsilons: ten runs of epsilon 1 take far less than epsilon 10.",
     "tacit generate mixture -o people.csv\n"
     "tacit ledger init people.csv --epsilon 4 --delta 1e-5\n"
     "tacit kmeans people.csv -k 5 --epsilon 1 --delta 1e-6 --bounds 0:1\n"
     "tacit ledger show people.csv\n"
     "tacit ledger history people.csv",
     ledger_options, 1, 2, "init, show or history, and a data file: tacit ledger show people.csv", cmd_ledger, 0},
    {"audit", "attack a method of tacit, or any program", NULL,
     "audit FAMILY --epsilon E [--delta D] [--method NAME|all] [options]\n"
     "audit all --epsilon E [--delta D] [options]\n"
     "audit --command 'prog {input}' --pair FILE OTHER --epsilon E [--delta D] [options]",
     "Tries to tell from what is released which of two neighbouring data sets was used, and prints how large epsilon must be at "
     "least for that to be possible. Methods of tacit (FAMILY: kmeans, kmedian, subspace or cocluster) are attacked on rows made for it, with the likelihood of every noisy answer, "
     "and every run is replayed on the neighbour. Of another program the output and the exit code are looked at. Exit code 80: a "
     "violation was found. Passing is no proof.",
     "tacit audit kmeans --method lloyd --epsilon 4 --delta 1e-6 --runs 200\n"
     "tacit audit subspace --method sulq+ --epsilon 8 --delta 1e-6 --runs 100 --picture audit.svg",
     audit_options, 0, 1, "what to attack: tacit audit kmeans --epsilon 1, or --command with --pair and two files", cmd_audit, 0},
    {"generate", "synthetic rows to try things with", NULL,
     "generate mixture [-o PATH] [options]\n"
     "generate subspaces [-o PATH] [options]",
     "mixture draws rows from round clusters in the box from 0 to 1, subspaces from a union of subspaces (its options: tacit "
     "generate subspaces --help). They are nobody's.",
     "tacit generate mixture -o people.csv\n"
     "tacit generate mixture --rows 100000 --columns 20 --clusters 8 --spread 0.02 -o people.npy\n"
     "tacit generate mixture --label-column class --bounds-out bounds.csv -o people.csv",
     generate_options, 1, 1, "what to generate: tacit generate mixture or tacit generate subspaces", cmd_generate, 0},
    {"generate", "synthetic rows near subspaces", "subspaces",
     "generate subspaces [-o PATH] [options]",
     "Draws rows evenly from the unit spheres of random subspaces through 0 and adds noise to every column. Noise makes some rows "
     "longer than 1: with --radius 1 they are pulled back. They are nobody's.",
     "tacit generate subspaces -o union.csv\n"
     "tacit generate subspaces --rows 5000 --columns 8 -k 4 -q 2 -o union.npy --truth-out truth.json\n"
     "tacit generate subspaces --columns 10 --noise 0.1 --label-column class -o union.csv",
     union_options, 1, 1, "what to generate: tacit generate subspaces", cmd_generate_subspaces, FAMILY_SUBSPACE},
    {.name = NULL},
};

/* The command of this name; if there is none, says so. */
static const cli_command *find_command(const cli *c, const char *name)
{
    const char *names[16];
    size_t count = 0;

    for (const cli_command *command = cli_commands; command->name != NULL; command++) {
        if (strcmp(command->name, name) == 0) return command;
        if (command->object == NULL) names[count++] = command->name;
    }
    names[count++] = "help";
    const char *near = cli_nearest(name, names, count);
    if (near != NULL) cli_say(c, "unknown command %.40s; did you mean %s?", name, near);
    else cli_say(c, "unknown command %.40s; see tacit --help", name);
    return NULL;
}

/* The entry for the first word: the command's own, or the one behind it for another object, also when that is mistyped. */
static const cli_command *pick(const cli_command *command, int argc, char **argv)
{
    const cli_command *next = command + 1;

    if (next->name == NULL || next->object == NULL || strcmp(next->name, command->name) != 0) return command;
    for (int i = 2; i < argc; i++) {
        if (argv[i][0] == '-') continue;
        const char *const names[] = {"kmeans", "kmedian", "mixture", next->object};
        const char *near = cli_nearest(argv[i], names, 4);
        if (near != NULL) return near == next->object ? next : command;
    }
    return command;
}

static int help(const cli *c, int argc, char **argv)
{
    if (argc == 4) {
        const cli_command *command = find_command(c, argv[2]);
        if (command == NULL) return EXIT_USAGE;
        command = pick(command, argc - 1, argv + 1);
        if (command->object != NULL && strcmp(command->object, argv[3]) == 0) {
            cli_help_command(stdout, command);
            return cli_close_stdout(c);
        }
    }
    if (argc > 3) return cli_fail(c, EXIT_USAGE, "help takes one command: tacit help kmeans");
    if (argc == 3) {
        const cli_command *command = find_command(c, argv[2]);
        if (command == NULL) return EXIT_USAGE;
        cli_help_command(stdout, command);
    } else {
        cli_help_all(stdout);
    }
    return cli_close_stdout(c);
}

/* A file opened on a closed descriptor 0, 1 or 2 would be read or written as if it were the terminal. */
static int fill_descriptors(const cli *c)
{
    for (int at = 0; at <= 2; at++) {
        if (fcntl(at, F_GETFD) >= 0) continue;
        if (at == STDOUT_FILENO) return cli_fail(c, EXIT_NO_OUTPUT, "standard output is closed; nothing was done");
        if (open("/dev/null", at == STDIN_FILENO ? O_RDONLY : O_WRONLY) != at) return tacit_status_exit(TACIT_E_SYSTEM);
    }
    return EXIT_OK;
}

int main(int argc, char **argv)
{
    cli c = {0};
    int code = EXIT_OK;

    CLI_TRY(fill_descriptors(&c));
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* a core file would hold rows */
    if (argc < 2)
        return cli_fail(&c, EXIT_USAGE, "name a command: kmeans, kmedian, subspace, predict, evaluate, plan, ledger, audit or generate; "
                        "see tacit --help");
    if (strcmp(argv[1], "help") == 0) return help(&c, argc, argv);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return help(&c, 2, argv);
    if (strcmp(argv[1], "--version") == 0) {
        printf("tacit %s\n", tacit_version());
        return cli_close_stdout(&c);
    }
    if (argv[1][0] == '-')
        return cli_fail(&c, EXIT_USAGE, "the command comes first, then its options: tacit kmeans ...; see tacit --help");
    c.command = find_command(&c, argv[1]);
    if (c.command == NULL) return EXIT_USAGE;
    c.command = pick(c.command, argc, argv);

    cli_values_init(&c.value);
    CLI_TRY(cli_parse(&c, argc, argv));
    if (c.value.help) {
        cli_help_command(stdout, c.command);
        return cli_close_stdout(&c);
    }
    const tacit_status status = tacit_ctx_new(&c.ctx);
    if (status != TACIT_OK) CLI_TRY(cli_fail(&c, tacit_status_exit(status), "%s", tacit_status_text(status)));
    cli_catch_signals(c.ctx);
    CLI_TRY(cli_check(&c, tacit_ctx_set_threads(c.ctx, (int)c.value.threads)));
    code = c.command->run(&c);
done:
    tacit_ctx_free(c.ctx);
    return code;
}
