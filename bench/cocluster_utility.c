/* SPDX-License-Identifier: Apache-2.0 */
/* How well co-clusterings find known classes. NAME.csv holds row,col,count from 0, NAME_labels.csv
   a header and one class a row.

     cocluster_utility NAME METHOD UNIT EPSILON DELTA RUNS [SHARE [ROUNDS [CLUSTERS]]]

   METHOD: auto, dp-taucc, ..., or fast-taucc, plain (ROUNDS are then its starts). UNIT: entry or
   row. SHARE of the budget for private labels. As many clusters of rows and of columns as there are
   classes, unless told. Prints a line a run: NMI and ARI of the released rule (the paper's
   evaluation: every row's best cluster by its exact counts), NMI of the private labels, tau of rows
   and of columns, clusters of rows left, processor seconds; with unit row also the ARI of the
   columns that have a cluster with the clusters that the same method finds with epsilon 1000, and
   last the part of all counts in columns that have a cluster. Runs have test seeds 1, 2, ...: the
   numbers come again. */
#include "bench.h"
#include "solve/cocluster/scores.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct set {
    int64_t n, entries;
    int32_t d, classes;
    int64_t *start, *label;
    int32_t *column;
    double *value;
} set;

static FILE *open_part(const char *name, const char *ending)
{
    char path[4096], line[256];
    snprintf(path, sizeof path, "%s%s", name, ending);
    FILE *file = fopen(path, "r");
    if (file == NULL || fgets(line, sizeof line, file) == NULL) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    return file;
}

/* The files are sorted by row. */
static set read_set(const char *name)
{
    set s = {0};
    long row, column, label;
    double value;
    FILE *file = open_part(name, "_labels.csv");

    while (fscanf(file, "%ld", &label) == 1) {
        s.label = realloc(s.label, (size_t)(s.n + 1) * sizeof *s.label);
        s.label[s.n++] = label;
        if (label >= s.classes) s.classes = (int32_t)label + 1;
    }
    fclose(file);
    s.start = need((size_t)s.n + 1, sizeof *s.start);
    file = open_part(name, ".csv");
    while (fscanf(file, "%ld,%ld,%lf", &row, &column, &value) == 3) {
        if (row < 0 || row >= s.n) abort();
        s.column = realloc(s.column, (size_t)(s.entries + 1) * sizeof *s.column);
        s.value = realloc(s.value, (size_t)(s.entries + 1) * sizeof *s.value);
        s.column[s.entries] = (int32_t)column;
        s.value[s.entries++] = value;
        s.start[row + 1]++;
        if (column >= s.d) s.d = (int32_t)column + 1;
    }
    fclose(file);
    for (int64_t i = 0; i < s.n; i++) s.start[i + 1] += s.start[i];
    return s;
}

/* The part of all counts that is in columns with a cluster. */
static double mass_placed(const set *s, const tacit_model *model)
{
    const int32_t *cluster = tacit_model_column_clusters(model);
    double all = 0, placed = 0;

    for (int64_t e = 0; e < s->entries; e++) {
        all += s->value[e];
        if (cluster[s->column[e]] < tacit_model_l(model)) placed += s->value[e];
    }
    return all > 0 ? placed / all : 0;
}

static int method_of(const char *name)
{
    tacit_method told = {.size = sizeof told};

    for (int32_t i = 0; tacit_cocluster_method_get(i, &told) == TACIT_OK; i++)
        if (strcmp(told.name, name) == 0) return told.method;
    fprintf(stderr, "there is no method %s\n", name);
    exit(1);
}

/* ARI of the columns' clusters with those of another model, over the columns that have one here. */
static double columns_agree(const tacit_model *model, const tacit_model *other)
{
    const int32_t columns = tacit_model_column_count(model),
                  *mine = tacit_model_column_clusters(model);
    const int32_t *theirs = tacit_model_column_clusters(other);
    int32_t *found = need((size_t)columns, sizeof *found);
    int64_t *truth = need((size_t)columns, sizeof *truth), count = 0;
    double ari = 0;

    for (int32_t j = 0; j < columns; j++)
        if (mine[j] < tacit_model_l(model)) {
            found[count] = mine[j];
            truth[count++] = theirs[j];
        }
    if (count > 0) must(tac_score_labels(ctx, found, truth, count, NULL, &ari));
    free(found);
    free(truth);
    return ari;
}

int main(int count, char **arg)
{
    if (count < 7) {
        fprintf(stderr, "usage: cocluster_utility NAME METHOD UNIT EPSILON DELTA RUNS [SHARE "
                        "[ROUNDS [CLUSTERS]]]\n");
        return 2;
    }
    const set s = read_set(arg[1]);
    const bool plain = strcmp(arg[2], "fast-taucc") == 0;
    const int runs = atoi(arg[6]);
    tacit_data *data = NULL;
    tacit_model *exact = NULL; /* nearly */
    tacit_budget b;
    tacit_cocluster_opts o;

    must(tacit_ctx_new(&ctx));
    must(tacit_ctx_set_threads(ctx, 1));
    must(tacit_data_from_csr(ctx, s.start, s.column, s.value, s.n, s.d, &data));
    must(tacit_data_set_labels(ctx, data, s.label));
    tacit_budget_init(&b, sizeof b);
    tacit_cocluster_opts_init(&o, sizeof o);
    b.epsilon = atof(arg[4]);
    b.delta = atof(arg[5]);
    b.neighbors = strcmp(arg[3], "entry") == 0 ? TACIT_ENTRY : TACIT_ADD_REMOVE;
    b.use_insecure_test_seed = 1;
    if (!plain) o.method = (tacit_cocluster_method)method_of(arg[2]);
    o.row_clusters = o.column_clusters = count > 9 ? atoi(arg[9]) : s.classes;
    o.labels_share = count > 7 ? atof(arg[7]) : 0;
    o.rounds = count > 8 ? atoi(arg[8]) : 0;
    o.restarts = o.rounds;
    if (!plain && b.neighbors != TACIT_ENTRY) {
        tacit_budget much = b;
        tacit_cocluster_opts all = o;
        much.epsilon = 1000;
        all.least_z = 0;
        must(tacit_cocluster_run(ctx, data, &much, &all, &exact));
    }
    printf("run,nmi,ari,labels_nmi,tau_rows,tau_columns,clusters,seconds,columns_ari,placed\n");
    for (int run = 1; run <= runs; run++) {
        tacit_model *model = NULL;
        tacit_evaluation e;
        b.insecure_test_seed = o.seed = (uint64_t)run;
        const double begun = now();
        must(plain ? tacit_cocluster_plain(ctx, data, &o, &model)
                   : tacit_cocluster_run(ctx, data, &b, &o, &model));
        const double seconds = now() - begun;
        tacit_evaluation_init(&e, sizeof e);
        must(tacit_model_evaluate(ctx, model, data, 0, &e));
        printf("%d,%.4f,%.4f,%.4f,%.4f,%.4f,%d,%.4f,%.4f,%.4f\n", run, e.nmi, e.ari, e.labels_nmi,
               e.tau_rows, e.tau_columns, tacit_model_k(model), seconds,
               exact == NULL ? 0.0 : columns_agree(model, exact), mass_placed(&s, model));
        fflush(stdout);
        tacit_model_free(model);
    }
    tacit_model_free(exact);
    tacit_data_free(data);
    tacit_ctx_free(ctx);
    free(s.start);
    free(s.label);
    free(s.column);
    free(s.value);
    return 0;
}
