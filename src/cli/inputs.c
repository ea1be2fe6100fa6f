/* SPDX-License-Identifier: Apache-2.0 */
/* From the command line to the library's handles: data, domain, and the options of each family.
   Everything here happens before a row is read and before anything is spent. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_vocabulary(const cli *c, const char *data_path, int *file);

/* --log a,b and --transform c=sqrt as one list: "a=log,b=log,c=sqrt". *out NULL: nothing is
   said. */
static int join_transforms(const cli *c, char **out)
{
    const char *logs = c->value.logs, *others = c->value.transforms;
    bool quoted = false;

    *out = NULL;
    if (logs == NULL && others == NULL) return EXIT_OK;
    const size_t size =
        (logs == NULL ? 0 : 6 * strlen(logs)) + 16 + (others == NULL ? 0 : strlen(others));
    char *text = malloc(size), *at = text;
    if (text == NULL) return cli_no_memory(c);
    for (const char *p = logs; p != NULL; p++) {
        const bool ends = *p == '\0' || (*p == ',' && !quoted);
        const bool closing = quoted && *p == '"' && (p[1] == ',' || p[1] == '\0');
        if (closing || (ends && at > text && at[-1] != '"')) at = stpcpy(at, "=log");
        if (*p == '\0') break;
        if (*p == '"') quoted = !quoted;
        *at++ = *p;
    }
    if (logs != NULL && others != NULL) *at++ = ',';
    strcpy(at, others == NULL ? "" : others);
    *out = text;
    return EXIT_OK;
}

/* Opens the data set, by its open descriptor if it is the source. The vocabulary's descriptor is
   closed here: the library has read it by then. */
static int open_data(const cli *c, const char *path, const char *columns, tacit_format format,
                     const char *id, tacit_data **out)
{
    const cli_values *v = &c->value;
    tacit_data_opts opts;
    char *transforms = NULL;
    int code = EXIT_OK, words = 0;

    CLI_TRY(cli_check_source(c));
    CLI_TRY(open_vocabulary(c, path, &words));
    tacit_data_opts_init(&opts, sizeof opts);
    opts.declaration = c->source.declaration;
    opts.descriptor = c->source.path == path ? c->source.rows : 0;
    opts.vocabulary_descriptor = words;
    opts.format = format;
    if (v->given[OPT_CONVERTED] && format == TACIT_FORMAT_AUTO &&
        c->source.format == TACIT_FORMAT_AUTO)
        opts.format = TACIT_FORMAT_CSV; /* whatever the name ends in */
    cli_fill_dialect(c, &opts);
    if (v->shape != NULL && !cli_read_shape(v->shape, &opts.shape_rows, &opts.shape_columns))
        CLI_TRY(cli_unwanted(c, OPT_SHAPE, NULL));
    opts.vocabulary = v->vocabulary != NULL ? v->vocabulary : c->source.vocabulary;
    opts.columns = columns;
    opts.label_column = v->label_column;
    opts.unit_column = v->unit_column;
    opts.id_column = id;
    opts.missing_rules = v->missing;
    opts.missing_words = v->na;
    opts.categories = v->categories;
    opts.weights = v->weights;
    CLI_TRY(join_transforms(c, &transforms));
    opts.transforms = transforms;
    if (c->source.path == path && c->source.count > 1) {
        opts.descriptor = 0;
        opts.descriptors = c->source.opened;
        CLI_TRY(cli_check(c, tacit_data_open_files(c->ctx, (const char *const *)c->source.name,
                                                   c->source.count, &opts, out)));
    } else {
        CLI_TRY(cli_check(c, tacit_data_open(c->ctx, path, &opts, out)));
    }
done:
    free(transforms);
    if (words > 0) close(words);
    return code;
}

/* Opens the data and, if the format was guessed because the header could not be read, refuses: a
   file that opens now but did not a moment ago might be read in the wrong format. */
static int open_surely(const cli *c, const char *path, const char *columns, tacit_format format,
                       bool sure, const char *id, tacit_data **out)
{
    const int code = open_data(c, path, columns, format, id, out);

    if (code != 0 || sure) return code;
    tacit_data_free(*out);
    *out = NULL;
    return cli_fail(c, cli_exit_code(TACIT_E_READ),
                    "the first line of %.300s could not be read at first; try again, or say "
                    "--format",
                    path);
}

/* Refuses two or three columns of counts that nobody declared to be a table. More likely every line
   is one entry, and ids would be taken for counts and paid for. The header and the options alone
   decide; the rows have no say. */
static int check_list(const cli *c, const char *path, tacit_format format, const tacit_data *data)
{
    const cli_values *v = &c->value;
    const int32_t columns = tacit_data_column_count(data);

    if (format != TACIT_FORMAT_AUTO || c->source.declaration != NULL || !cli_is_table(c, path) ||
        v->columns != NULL || v->shape != NULL || v->vocabulary != NULL)
        return EXIT_OK;
    if (columns < 2 || columns > 3) return EXIT_OK;
    return cli_fail(c, EXIT_USAGE,
                    "%.300s has %d columns of counts (%.60s, %.60s%s%.60s): if every line is one "
                    "entry, say what its columns are (--row-column, --col-column, --count-column); "
                    "if it is a table, add --format %s",
                    path, (int)columns, tacit_data_column_get(data, 0),
                    tacit_data_column_get(data, 1), columns > 2 ? ", " : "",
                    columns > 2 ? tacit_data_column_get(data, 2) : "",
                    cli_is_tabs(path) ? "tsv" : "csv");
}

int cli_open_data(const cli *c, const char *path, const char *columns, tacit_data **out)
{
    const bool counts = cli_family_of(c) == FAMILY_COCLUSTER;
    bool sure;
    const tacit_format format = cli_format(c, path, counts, &sure);
    int code = EXIT_OK;

    CLI_TRY(open_surely(c, path, columns, format, sure, NULL, out));
    if (counts) CLI_TRY(check_list(c, path, format, *out));
done:
    return code;
}

int cli_open_table(const cli *c, const char *path, const char *columns, tacit_data **out)
{
    bool sure;
    const tacit_format format = cli_format(c, path, true, &sure);

    return open_surely(c, path, columns, format, sure, NULL, out);
}

/* The contract stands in cli.h. A table is opened with the model's columns alone, unless --columns
   says otherwise; sparse files are matched later. */
int cli_open_for_model(const cli *c, const tacit_model *model, const char *path, tacit_data **out,
                       const char **id)
{
    const bool counts = tacit_model_table(model, NULL) != NULL;
    bool sure;
    const tacit_format format = cli_format(c, path, counts, &sure);
    char *columns = NULL;
    int code = EXIT_OK;

    if (!counts && (c->value.shape != NULL || c->value.vocabulary != NULL))
        return cli_fail(c, EXIT_USAGE,
                        "--shape and --vocabulary are for co-clusterings, and this model is none; "
                        "drop them");
    /* A table may have other columns beside the model's; entries of a sparse file are matched by
       their columns later. */
    if (!counts || format == TACIT_FORMAT_AUTO || format == TACIT_FORMAT_CSV ||
        format == TACIT_FORMAT_TSV)
        columns = cli_model_columns(model);
    if (counts && format == TACIT_FORMAT_AUTO && !cli_is_table(c, path)) {
        free(columns);
        columns = NULL;
    }
    const bool triplets =
        format == TACIT_FORMAT_TRIPLETS || c->source.format == TACIT_FORMAT_TRIPLETS;
    if (id != NULL)
        *id = c->value.id_column != NULL ? c->value.id_column
              : triplets                 ? "row"
                                         : c->source.id_column;
    CLI_TRY(open_surely(c, path, c->value.columns != NULL ? c->value.columns : columns, format,
                        sure, id == NULL ? NULL : *id, out));
done:
    free(columns);
    return code;
}

/* "1,2,3" for three columns, or one number for all of them. */
static int read_center(const cli *c, int32_t columns, double *center)
{
    char word[64];
    const char *text = c->value.center;
    int32_t count = 0;

    for (bool more = true; more; count++) {
        const size_t length = strcspn(text, ",");
        double number = 0;
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1),
                 text);
        if (length >= sizeof word || !cli_number(word, &number))
            return cli_unwanted(c, OPT_CENTER, NULL);
        if (count < columns) center[count] = number;
        more = text[length] == ',';
        text += length + 1;
    }
    if (count == 1)
        for (int32_t i = 1; i < columns; i++) center[i] = center[0];
    else if (count != columns)
        return cli_fail(c, EXIT_USAGE,
                        "--center has %d numbers but %d columns are used; give one for each, or "
                        "one for all",
                        (int)count, (int)columns);
    return EXIT_OK;
}

/* Declares the domain: --bounds, or --radius with --center. Nothing to do for counts, or where a
   declaration has set it. */
int cli_declare_domain(const cli *c, tacit_data *data)
{
    const int32_t columns = tacit_data_column_count(data);
    double *center = NULL;
    int code = EXIT_OK;

    if (cli_family_of(c) == FAMILY_COCLUSTER) return EXIT_OK; /* counts need none */
    /* declared, and set */
    if (c->value.bounds == NULL && !c->value.given[OPT_RADIUS] && c->source.has_domain)
        return EXIT_OK;
    if (c->value.bounds != NULL)
        return cli_check(c, tacit_data_declare_bounds(c->ctx, data, c->value.bounds));
    if (c->value.categories != NULL && !c->value.given[OPT_RADIUS]) /* and nothing else */
        return cli_check(c, tacit_data_declare_bounds(c->ctx, data, ""));
    if (c->value.center != NULL) {
        center = calloc((size_t)columns, sizeof *center);
        if (center == NULL) return cli_no_memory(c);
        CLI_TRY(read_center(c, columns, center));
    }
    CLI_TRY(cli_check(c, tacit_data_set_ball(c->ctx, data, center, c->value.radius)));
done:
    free(center);
    return code;
}

static void fill_budget(const cli *c, tacit_budget *budget)
{
    const cli_values *v = &c->value;

    tacit_budget_init(budget, sizeof *budget);
    budget->epsilon = v->epsilon;
    budget->delta = v->delta;
    budget->neighbors = cli_neighbors(c);
    budget->max_rows_per_unit = (int32_t)v->most_rows;
    budget->use_insecure_test_seed = v->given[OPT_INSECURE_SEED];
    budget->insecure_test_seed = v->insecure_seed;
    budget->as_owner = v->as_owner;
    budget->bounds_share = v->bounds_share;
}

static void fill_kmeans(const cli *c, tacit_kmeans_opts *opts)
{
    tacit_kmeans_opts_init(opts, sizeof *opts);
    opts->k = (int32_t)c->value.clusters;
    opts->rounds = (int32_t)c->value.rounds;
    opts->method = (tacit_kmeans_method)c->value.method;
    opts->scale = (tacit_scale)c->value.scale;
    opts->k_max = (int32_t)c->value.k_max;
    opts->constants = (tacit_constants)c->value.constants;
    opts->sparsity = (int32_t)c->value.sparsity;
    opts->no_synopsis = c->value.no_synopsis;
}

static void fill_subspace(const cli *c, tacit_subspace_opts *opts)
{
    const cli_values *v = &c->value;

    tacit_subspace_opts_init(opts, sizeof *opts);
    opts->k = (int32_t)v->subspaces;
    opts->q = (int32_t)v->dimension;
    opts->method = (tacit_subspace_method)v->method;
    opts->affine = v->affine;
    opts->scale = (tacit_scale)v->scale;
    opts->rounds = (int32_t)v->rounds;
    opts->solver = (tacit_subspace_solver)v->solver;
    opts->parts = (int32_t)v->parts;
    opts->overlapping_parts = v->overlapping;
    opts->start_with_solver = v->start == 1;
    opts->chains = (int32_t)v->chains;
    opts->release_labels = v->release_labels;
    opts->restarts = (int32_t)v->restarts;
    opts->k_max = (int32_t)v->k_max;
    opts->q_max = (int32_t)v->q_max;
    opts->seed = v->start_seed;
}

static void fill_cocluster(const cli *c, tacit_cocluster_opts *opts)
{
    const cli_values *v = &c->value;

    tacit_cocluster_opts_init(opts, sizeof *opts);
    opts->row_clusters = (int32_t)v->row_clusters;
    opts->column_clusters = (int32_t)v->col_clusters;
    opts->method = (tacit_cocluster_method)v->method;
    opts->rounds = (int32_t)v->rounds;
    opts->labels_share = v->row_labels;
    opts->least_z = v->least_z;
    opts->restarts = (int32_t)v->restarts;
    opts->seed = v->start_seed;
}

/* Fills the options of every family; the command uses those of its own. */
void cli_fill_request(const cli *c, cli_request *request)
{
    fill_budget(c, &request->budget);
    fill_kmeans(c, &request->centers);
    fill_subspace(c, &request->subspaces);
    fill_cocluster(c, &request->blocks);
}

/* Opens the vocabulary. Its lines are released as names of columns, and its faults are quoted by
   line: so a data set must not pass for one. It is opened once, so that what was checked is what is
   read. *file 0: there is none. */
static int open_vocabulary(const cli *c, const char *data_path, int *file)
{
    /* a schema's is no safer than an option */
    const char *words = c->value.vocabulary != NULL ? c->value.vocabulary : c->source.vocabulary;

    *file = 0;
    if (words == NULL) return EXIT_OK;
    /* Rows from standard input have a name as well. */
    bool data = cli_same_file(words, strcmp(data_path, "-") == 0 ? "/dev/stdin" : data_path);
    for (int i = 0; i < c->source.count; i++)
        data = data || cli_same_file(words, c->source.name[i]);
    if (data)
        return cli_fail(c, EXIT_USAGE,
                        "the vocabulary %.300s is a data set, whose lines would be released as "
                        "names of columns; list the names in a file of their own",
                        words);
    const int opened = open(words, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (opened < 0)
        return cli_fail(c, EXIT_NO_INPUT, "%s: cannot be opened: %s", words, strerror(errno));
    const int code = cli_refuse_ledgered(c, words, opened, "the vocabulary");
    if (code == EXIT_OK)
        *file = opened;
    else
        close(opened);
    return code;
}

int cli_check_stdin(const cli *c)
{
    const cli_values *v = &c->value;
    int count = v->truth != NULL && strcmp(v->truth, "-") == 0;

    for (int i = 0; i < v->words; i++) count += strcmp(cli_word(v, i), "-") == 0;
    if (count < 2) return EXIT_OK;
    return cli_fail(c, EXIT_USAGE,
                    v->words > 2 ? "standard input (-) can be one of the files, not several; give "
                                   "the others by their names"
                                 : "standard input (-) can be one of the two files, not both; give "
                                   "the other by its name");
}

int cli_read_models(const cli *c, tacit_model **models)
{
    const cli_values *v = &c->value;
    int code = EXIT_OK;

    CLI_TRY(cli_check_stdin(c));
    for (int i = 0; i < v->words; i++) CLI_TRY(cli_check_output(c, v->output, v->word[i]));
    for (int i = 0; i < v->words; i++)
        CLI_TRY(cli_check(c, tacit_model_read(c->ctx, v->word[i], &models[i])));
done:
    return code;
}

void cli_free_models(tacit_model **models)
{
    for (int i = 0; i < MOST_WORDS; i++) tacit_model_free(models[i]);
}

const tacit_model *cli_open_model(tacit_model *const *models)
{
    for (int i = 0; i < MOST_WORDS; i++)
        if (models[i] != NULL && !tacit_model_is_private(models[i])) return models[i];
    return NULL;
}

/* The name of a column of the table that a model was made from. */
static const char *feature_name(const tacit_model *model, int32_t index)
{
    tacit_feature feature = TACIT_FEATURE_INIT;

    return tacit_model_feature_get(model, index, &feature) == TACIT_OK ? feature.name : "";
}

/* A list as --columns takes it: every name quoted, quotes doubled. */
char *cli_model_columns(const tacit_model *model)
{
    size_t size = 1;

    for (int32_t i = 0; i < tacit_model_feature_count(model); i++)
        size += 2 * strlen(feature_name(model, i)) + 3;
    char *text = malloc(size), *at = text;
    if (text == NULL) return NULL;
    for (int32_t i = 0; i < tacit_model_feature_count(model); i++) {
        if (i > 0) *at++ = ',';
        *at++ = '"';
        for (const char *c = feature_name(model, i); *c != '\0'; c++) {
            if (*c == '"') *at++ = '"';
            *at++ = *c;
        }
        *at++ = '"';
    }
    *at = '\0';
    return text;
}
