/* SPDX-License-Identifier: Apache-2.0 */
/* Releases of co-clusterings: the exact text, back and forth, tau of noisy tables, files that are
   none, wide tables. */
#include "release/model_internal.h"
#include "release_text.h"
#include "solve/cocluster/fast_taucc.h"

#include <math.h>

#define SET(field, text) MUST(tac_model_set_text(ctx, &(field), (text)) == TACIT_OK)

static const char blocks_golden[] =
    "{\n"
    "  \"tacit\": \"release\",\n"
    "  \"format\": 7,\n"
    "  \"family\": \"cocluster\",\n"
    "  \"method\": \"dp-taucc\",\n"
    "  \"row_clusters\": 2,\n"
    "  \"asked\": {\"row_clusters\": 2, \"column_clusters\": 3},\n"
    "  \"rounds\": 4,\n"
    "  \"shape\": {\"rows\": 5, \"columns\": 4, \"origin\": \"declared\"},\n"
    "  \"table_unit\": \"counts\",\n"
    "  \"rest\": true,\n"
    "  \"table\": [\n"
    "    [30, 10, 0.5],\n"
    "    [10, 50, -1.5]\n"
    "  ],\n"
    "  \"table_sd\": 2,\n"
    "  \"row_masses\": [40.5, 58.5],\n"
    "  \"column_masses\": [40, 60, -1],\n"
    "  \"tau\": {\"rows\": 0.3355481727574752, \"columns\": 0.3508266051518646},\n"
    "  \"row_sizes\": [2, null],\n"
    "  \"row_sizes_sd\": null,\n"
    "  \"notes\": [\n"
    "    \"cluster 1 is small\"\n"
    "  ],\n"
    "  \"privacy\": {\n"
    "    \"private\": true,\n"
    "    \"guarantee\": \"1-differentially private (pure) for one entry, proved\",\n"
    "    \"unit\": \"entry\",\n"
    "    \"rows_per_unit\": 1,\n"
    "    \"neighbors\": \"entry\",\n"
    "    \"epsilon\": 1,\n"
    "    \"delta\": 0,\n"
    "    \"accountant\": \"pure\",\n"
    "    \"native\": {\"parameter\": \"epsilon\", \"budget\": 1, \"spent\": 1},\n"
    "    \"queries\": [\n"
    "      {\"what\": \"start\", \"kind\": \"table\", \"noise\": \"discrete Laplace\", \"scale\": "
    "4, \"sensitivity\": 1, \"cost\": 0.25, \"answers\": 6},\n"
    "      {\"what\": \"round\", \"kind\": \"table\", \"noise\": \"discrete Laplace\", \"scale\": "
    "4, \"sensitivity\": 1, \"cost\": 0.25, \"answers\": 6, \"batch\": 0},\n"
    "      {\"what\": \"round\", \"kind\": \"table\", \"noise\": \"discrete Laplace\", \"scale\": "
    "4, \"sensitivity\": 1, \"cost\": 0.5, \"answers\": 6, \"batch\": 3},\n"
    "      {\"what\": \"round\", \"kind\": \"table\", \"noise\": \"discrete Laplace\", \"scale\": "
    "4, \"sensitivity\": 1, \"cost\": 0.5, \"answers\": 6, \"batch\": 0}\n"
    "    ],\n"
    "    \"randomness\": \"ChaCha20 keyed by the operating system\",\n"
    "    \"ledger\": false,\n"
    "    \"paper\": \"Battaglia & Pensa 2025\",\n"
    "    \"version\": \"0.1.0\",\n"
    "    \"promises\": \"what is promised and what is not: docs/threat-model.md and docs/limits.md "
    "of "
    "tacit\"\n"
    "  },\n"
    "  \"columns\": [\"apple\", \"pear\", \"nail\", \"glue\"],\n"
    "  \"column_clusters\": [0, 0, 1, 2],\n"
    "  \"column_z\": [3.5, 2.25, -1, null],\n"
    "  \"rule\": {\n"
    "    \"value\": \"log2(1 + count)\",\n"
    "    \"unit_length\": true,\n"
    "    \"columns\": [0, 2],\n"
    "    \"weights\": [0.5, 1.25],\n"
    "    \"groups\": [1, 0],\n"
    "    \"scores\": [\n"
    "      [1, -1],\n"
    "      [0, 0.5],\n"
    "      [0, 0]\n"
    "    ],\n"
    "    \"offsets\": [0, 0.125, 0],\n"
    "    \"clusters\": [0, 1, 1]\n"
    "  },\n"
    "  \"labels\": [0, 1, 1, 0, 1]\n"
    "}\n";

static tacit_model *small_blocks(void)
{
    static const char *const names[] = {"apple", "pear", "nail", "glue"};
    const double table[] = {30, 10, 0.5, 10, 50, -1.5}, z[] = {3.5, 2.25, -1, NAN},
                 score[] = {1, -1, 0, 0.5, 0, 0};
    const int32_t cluster[] = {0, 0, 1, 2}, labels[] = {0, 1, 1, 0, 1};
    tacit_model *m = NULL;

    MUST(tac_model_new_blocks(ctx, 2, 2, true, 4, 2, 3, &m) == TACIT_OK);
    SET(m->family, "cocluster");
    SET(m->method, "dp-taucc");
    m->rounds = 4;
    for (int j = 0; j < 4; j++) SET(m->column[j], names[j]);
    m->sizes[0] = 2;
    tac_blocks_released *b = m->blocks;
    memcpy(b->table, table, sizeof table);
    b->table_sd = 2;
    b->asked_l = 3;
    SET(b->unit, "counts");
    SET(b->shape, "declared");
    b->rows = m->rows = 5;
    memcpy(b->column_cluster, cluster, sizeof cluster);
    MUST(tac_new(ctx, 4, sizeof(double), &b->column_z) == TACIT_OK);
    memcpy(b->column_z, z, sizeof z);
    MUST(tac_new(ctx, 5, sizeof(int32_t), &m->labels) == TACIT_OK);
    memcpy(m->labels, labels, sizeof labels);
    tac_rule *r = &b->rule;
    r->logarithm = r->unit = true;
    r->weight[0] = 0.5;
    r->weight[2] = 1.25;
    r->group[0] = 1;
    memcpy(r->score, score, sizeof score);
    r->offset[1] = 0.125;
    r->cluster[1] = r->cluster[2] = 1;
    MUST(tac_model_new_notes(ctx, m, 1) == TACIT_OK);
    SET(m->note[0], "cluster 1 is small");
    tac_card *card = &m->card;
    SET(card->unit, "entry");
    card->rows_per_unit = 1;
    card->neighbors = TACIT_ENTRY;
    card->epsilon = card->native_budget = card->native_spent = 1;
    SET(card->accountant, "pure");
    SET(card->guarantee, "1-differentially private (pure) for one entry, proved");
    SET(card->paper, "Battaglia & Pensa 2025");
    SET(card->version, "0.1.0");
    MUST(tac_model_new_queries(ctx, m, 4) == TACIT_OK);
    /* 0.25 of all rows and 0.25 + 0.5 of batch 0, while batch 3 costs 0.5: 1 in all */
    for (int i = 0; i < 4; i++) {
        SET(card->query[i].what, i == 0 ? "start" : "round");
        SET(card->query[i].kind, "table");
        SET(card->query[i].noise, "discrete Laplace");
        card->query[i].scale = 4;
        card->query[i].sensitivity = 1;
        card->query[i].cost = i < 2 ? 0.25 : 0.5;
        card->query[i].answers = 6;
        if (i > 0) card->query[i].batch = i == 2 ? 3 : 0;
    }
    return m;
}

static bool steady(const tacit_model *m)
{
    char *text = NULL, *again = NULL;
    const bool written = tacit_model_json(ctx, m, &text) == TACIT_OK;
    if (!written) printf("# %s\n", tacit_ctx_message(ctx));
    const bool same = written && (again = rewritten(text)) != NULL && strcmp(text, again) == 0;
    tacit_free(text);
    tacit_free(again);
    return same;
}

static void test_text(void)
{
    tacit_model *m = small_blocks();
    char *text = NULL;
    int32_t width = 0;
    double rows = 0, columns = 0;
    int64_t labels = 0;

    MUST(tacit_model_json(ctx, m, &text) == TACIT_OK);
    CHECK(strcmp(text, blocks_golden) == 0, "the golden text of a small co-clustering");
    if (strcmp(text, blocks_golden) != 0) printf("# %s\n", text);
    tacit_free(text);
    CHECK(steady(m), "write, read, write: the same bytes");
    CHECK(tacit_model_k(m) == 2 && tacit_model_l(m) == 2 && tacit_model_column_count(m) == 4 &&
              tacit_model_column_clusters(m)[3] == 2 && tacit_model_column_z(m)[1] == 2.25 &&
              tacit_model_table(m, &width)[4] == 50 && width == 3 && tacit_model_table_sd(m) == 2 &&
              strcmp(tacit_model_table_unit(m), "counts") == 0 &&
              tacit_model_labels(m, &labels)[1] == 1 && labels == 5 &&
              tacit_model_centers(m) == NULL && tacit_model_share_at_bounds(m) == 0 &&
              tacit_model_q(m) == 0,
          "getters");
    tacit_model_tau(NULL, &rows, &columns);
    CHECK(tacit_model_l(NULL) == 0 && tacit_model_column_clusters(NULL) == NULL &&
              tacit_model_column_z(NULL) == NULL && tacit_model_table(NULL, &width) == NULL &&
              width == 0 && isnan(tacit_model_table_sd(NULL)) &&
              tacit_model_table_unit(NULL) == NULL && isnan(rows) && isnan(columns),
          "of nothing");

    /* The other branch of every choice: whole rows of persons, all columns looked at, no z, no
       labels, no rest. */
    tac_blocks_released *b = m->blocks;
    tac_free(m->labels);
    m->labels = NULL;
    tac_free(b->column_z);
    b->column_z = NULL;
    b->rows = m->rows = 0;
    b->rule.logarithm = b->rule.unit = false;
    for (int j = 0; j < 4; j++) b->rule.weight[j] = 1;
    SET(b->unit, "rows");
    SET(b->shape, "from the file");
    SET(m->card.unit, "person (column who)");
    m->card.rows_per_unit = 7;
    m->card.neighbors = TACIT_REPLACE;
    for (int i = 0; i < 4; i++) {
        m->card.query[i].batch = -1;
        m->card.query[i].cost = 0.25;
    }
    CHECK(steady(m), "whole rows of persons");
    m->card.insecure_seed = true;
    SET(m->card.guarantee, "none: made with an insecure test seed");
    CHECK(steady(m) && !tacit_model_is_private(m), "with a test seed");
    m->card.insecure_seed = false;
    m->card.plain = true;
    SET(m->card.leak, "made by plain co-clustering");
    CHECK(steady(m) && !tacit_model_is_private(m), "plain");
    tacit_model_free(m);
}

static void tau_of(const double *table, int32_t k, int32_t l, double sd, double *rows,
                   double *columns)
{
    tacit_model *m = NULL;
    MUST(tac_model_new_blocks(ctx, k, l, false, 1, 1, 1, &m) == TACIT_OK);
    memcpy(m->blocks->table, table, (size_t)(k * l) * sizeof *table);
    m->blocks->table_sd = sd;
    tacit_model_tau(m, rows, columns);
    tacit_model_free(m);
}

static double normal(uint64_t *state)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += (double)(mix(state) >> 11) * 0x1p-53;
    return sum;
}

static void test_tau(void)
{
    double rows, columns, plain_gap = 0;
    uint64_t state = 3;

    tau_of((double[]){10, 0, 0, 10}, 2, 2, 0, &rows, &columns);
    CHECK(rows == 1 && columns == 1, "a diagonal: each tells the other");
    tau_of((double[]){1, 2, 2, 4, 3, 6}, 3, 2, 0, &rows, &columns);
    CHECK(fabs(rows) < 1e-12 && fabs(columns) < 1e-12, "independent: nothing");
    tau_of((double[]){30, 10, 10, 50}, 2, 2, NAN, &rows, &columns);
    CHECK(fabs(rows - 0.163333333333333333 / 0.48) < 1e-12 && fabs(columns - rows) < 1e-12,
          "by hand, without noise");
    tau_of((double[]){30, 10, 10, 50}, 2, 2, 2, &rows, &columns);
    CHECK(fabs(rows - 0.1616 / 0.4816) < 1e-12, "by hand, with noise: %.9f", rows);
    tau_of((double[]){30, -1, 10, -5}, 2, 2, 0, &rows, &columns);
    CHECK(rows == 0 && columns == 0, "one column cluster is left: nothing to tell");
    tau_of((double[]){0, 0, 0, 0}, 2, 2, 1, &rows, &columns);
    CHECK(rows == 0 && columns == 0, "an empty table");
    tau_of((double[]){-1e30, 1e30, 1e30, -1e30}, 2, 2, 1e30, &rows, &columns);
    CHECK(rows >= 0 && rows <= 1 && columns >= 0 && columns <= 1, "huge numbers");
    tau_of((double[]){5}, 1, 1, 0, &rows, &columns);
    CHECK(rows == 0 && columns == 0, "one by one");
    for (int i = 0; i < 200; i++) { /* without noise it is tau itself */
        double t[12];
        for (int j = 0; j < 12; j++) t[j] = (double)(mix(&state) % 50);
        tau_of(t, 3, 4, 0, &rows, &columns);
        const tac_tau known = tac_tau_of(t, 3, 4);
        plain_gap = fmax(plain_gap, fmax(fabs(rows - fmax(known.rows, 0)),
                                         fabs(columns - fmax(known.columns, 0))));
    }
    CHECK(plain_gap < 1e-12, "the plain tau of 200 tables, up to %g", plain_gap);

    /* A true table, 4000 noisy ones: the mean is the true tau within 5 standard errors and a little
       for ratios of noisy numbers. */
    const double truth[] = {300, 100, 50, 100, 400, 80, 20, 90, 500};
    const tac_tau known = tac_tau_of(truth, 3, 3);
    double mean = 0, biased = 0, square = 0;
    for (int i = 0; i < 4000; i++) {
        double t[9], cut[9];
        for (int j = 0; j < 9; j++) {
            t[j] = truth[j] + 25 * normal(&state);
            cut[j] = fmax(t[j], 0);
        }
        tau_of(t, 3, 3, 25, &rows, &columns);
        mean += rows / 4000;
        square += rows * rows / 4000;
        biased += tac_tau_of(cut, 3, 3).rows / 4000;
    }
    const double error = sqrt((square - mean * mean) / 4000);
    CHECK(fabs(mean - known.rows) < 5 * error + 1e-3,
          "noise taken out: %.4f of %.4f (standard error %.5f; as it is %.4f)", mean, known.rows,
          error, biased);
}

typedef struct change {
    const char *old, *new, *field;
} change;

/* Files that do not say what was asked for: as many as there are. */
static void test_not_asked(void)
{
    static const char line[] = "  \"asked\": {\"row_clusters\": 2, \"column_clusters\": 3},\n";
    const char *at = strstr(blocks_golden, line);
    char text[sizeof blocks_golden];
    int32_t rows = 0, columns = 0;
    tacit_model *m = NULL;

    MUST(at != NULL);
    MUST(read_text(blocks_golden, strlen(blocks_golden), &m) == TACIT_OK);
    tacit_model_requested(m, &rows, &columns);
    CHECK(rows == 2 && columns == 3 && tacit_model_l(m) == 2, "two of three column clusters are "
                                                              "left");
    tacit_model_free(m);
    snprintf(text, sizeof text, "%.*s%s", (int)(at - blocks_golden), blocks_golden,
             at + strlen(line));
    MUST(read_text(text, strlen(text), &m) == TACIT_OK);
    tacit_model_requested(m, &rows, &columns);
    CHECK(rows == 2 && columns == 2, "a file that does not say it");
    tacit_model_free(m);
    tacit_model_requested(NULL, &rows, &columns);
    CHECK(rows == 0 && columns == 0, "no model");
}

static void refuse_all(const change *changes, size_t count)
{
    char text[8192];

    for (size_t i = 0; i < count; i++) {
        const char *at = strstr(blocks_golden, changes[i].old);
        tacit_model *back = NULL;
        MUST(at != NULL);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - blocks_golden), blocks_golden,
                 changes[i].new, at + strlen(changes[i].old));
        CHECK(read_text(text, strlen(text), &back) == TACIT_E_FORMAT && back == NULL &&
                  says(changes[i].field),
              "%s: %s", changes[i].field, tacit_ctx_message(ctx));
    }
}

static void test_bad_table(void)
{
    static const change changes[] = {
        {"\"format\": 7", "\"format\": 3", "field format"},
        {"\"format\": 7", "\"format\": 8", "newer"},
        {"\"cocluster\"", "\"kmeans\"", "field row_clusters"},
        {"\"cocluster\"", "\"subspace\"", "field row_clusters"},
        {"\"cocluster\"", "\"coclusters\"", "field family"},
        {"\"row_clusters\": 2", "\"row_clusters\": 3", "field table"},
        {"\"row_clusters\": 2", "\"row_clusters\": 0", "field row_clusters"},
        {"\"row_clusters\": 2,", "", "field row_clusters"},
        {"\"column_clusters\": 3", "\"column_clusters\": 1", "field asked"},
        {", \"column_clusters\": 3", "", "field asked.column_clusters"},
        {"\"column_clusters\": 3", "\"column_clusters\": 3, \"x\": 1", "field asked.x"},
        {"\"column_clusters\": 3", "\"column_clusters\": 1000000", "field asked "},
        {"\"column_clusters\": 3", "\"column_clusters\": 1001", "field asked "},
        {"{\"row_clusters\": 2,", "{\"row_clusters\": 1000000,", "field asked "},
        {"\"rows\": 5", "\"rows\": 6", "field labels"},
        {"\"rows\": 5", "\"rows\": 0", "field shape.rows"},
        {"\"rows\": 5", "\"rows\": null", "field labels"},
        {"\"columns\": 4", "\"columns\": 5", "field shape.columns"},
        {"\"origin\": \"declared\"", "\"origin\": \"guessed\"", "field shape.origin"},
        {"\"rows\": 5, ", "", "field shape.rows"},
        {"\"table_unit\": \"counts\"", "\"table_unit\": \"people\"", "field table_unit"},
        {"[30, 10, 0.5]", "[30, 10]", "field table[1]"},
        {"[30, 10, 0.5]", "[30, null, 0.5]", "field table[0][1]"},
        {"[30, 10, 0.5]", "[31, 10, 0.5]", "field row_masses[0]"},
        {"[30, 10, 0.5]", "[1e31, 10, 0.5]", "field row_masses[0]"},
        {"[30, 10, 0.5]", "[]", "field table[0]"},
        {"[40.5, 58.5]", "[40.5, 58]", "field row_masses[1]"},
        {"[40, 60, -1]", "[40, 60, 0]", "field column_masses[2]"},
        {"[40, 60, -1]", "[40, 60]", "field column_masses"},
        {"\"rest\": true", "\"rest\": 1", "field rest"},
        {"\"table_sd\": 2", "\"table_sd\": 3", "field tau.rows"},
        {"\"table_sd\": 2", "\"table_sd\": -2", "field tau.rows"},
        {"0.3355", "0.3455", "field tau.rows"},
        {"\"tau\": {", "\"tau\": {\"exact\": 1, ", "field tau.exact"},
        {"[2, null]", "[2]", "field row_sizes"},
        {"[2, null]", "[2, true]", "field row_sizes[1]"},
        {"\"row_sizes_sd\": null", "\"row_sizes_sd\": -1", "field row_sizes_sd"},
        {"\"cluster 1 is small\"", "\"\"", "field notes[0]"},
    };
    refuse_all(changes, sizeof changes / sizeof *changes);
}

static void test_bad_card_and_rule(void)
{
    static const change changes[] = {
        {"\"unit\": \"entry\"", "\"unit\": \"row\"", "field privacy.unit"},
        {"\"neighbors\": \"entry\"", "\"neighbors\": \"add-remove\"", "field shape.rows"},
        {"\"rows_per_unit\": 1", "\"rows_per_unit\": 2", "field privacy.rows_per_unit"},
        {"\"spent\": 1", "\"spent\": 0.99", "field privacy.native.spent"},
        {"\"spent\": 1", "\"spent\": 1.01", "field privacy.native.spent"},
        {"\"batch\": 3", "\"batch\": 0", "field privacy.native.spent"},
        {", \"batch\": 3", "", "field privacy.native.spent"},
        {"\"batch\": 3", "\"batch\": -1", "field privacy.queries[2].batch"},
        {"\"batch\": 3", "\"batch\": 0.5", "field privacy.queries[2].batch"},
        {"\"glue\"]", "\"glue\", \"tape\"]", "field column_clusters"},
        {"\"glue\"", "7", "field columns[3]"},
        {"[0, 0, 1, 2]", "[0, 0, 1, 3]", "field column_clusters[3]"},
        {"[0, 0, 1, 2]", "[0, 0, -1, 2]", "field column_clusters[2]"},
        {"[0, 0, 1, 2]", "[0, 0, 1.5, 2]", "field column_clusters[2]"},
        {"[3.5, 2.25, -1, null]", "[3.5]", "field column_z"},
        {"[3.5, 2.25, -1, null]", "[3.5, \"2\", -1, null]", "field column_z[1]"},
        {"log2(1 + count)", "log(count)", "field rule.value"},
        {"\"unit_length\": true", "\"unit_length\": 1", "field rule.unit_length"},
        {"\"columns\": [0, 2]", "\"columns\": [2, 0]", "field rule.columns[1]"},
        {"\"columns\": [0, 2]", "\"columns\": [0, 4]", "field rule.columns[1]"},
        {"\"columns\": [0, 2]", "\"columns\": [0, 0]", "field rule.columns[1]"},
        {"\"columns\": [0, 2]", "\"columns\": \"all\"", "field rule.weights"},
        {"\"columns\": [0, 2]", "\"columns\": \"some\"", "field rule.columns"},
        {"\"columns\": [0, 2]", "\"columns\": [0, 1, 2, 3, 3]", "field rule.columns"},
        {"[0.5, 1.25]", "[0.5, 0]", "field rule.weights[1]"},
        {"[0.5, 1.25]", "[0.5]", "field rule.weights"},
        {"[0.5, 1.25]", "[0.5, 1e31]", "field rule.weights of column 2"},
        {"\"groups\": [1, 0]", "\"groups\": [2, 0]", "field rule.groups[0]"},
        {"[1, -1]", "[1]", "field rule.scores[1]"},
        {"[1, -1]", "[1, 1e31]", "field rule.scores[0][1]"},
        {"[1, -1]", "[1, null]", "field rule.scores[0][1]"},
        {"[0, 0.125, 0]", "[0, 0.125]", "field rule.offsets"},
        {"[0, 0.125, 0]", "[0, 1e31, 0]", "field rule.offsets[1]"},
        {"\"clusters\": [0, 1, 1]", "\"clusters\": [0, 1, 2]", "field rule.clusters[2]"},
        {"\"clusters\": [0, 1, 1]", "\"clusters\": []", "field rule.clusters"},
        {"[0, 1, 1, 0, 1]", "[0, 1, 1, 0]", "field labels"},
        {"[0, 1, 1, 0, 1]", "[0, 1, 1, 0, 2]", "field labels[4]"},
        {"\"rounds\": 4,", "\"rounds\": 4, \"k\": 2,", "field k"},
        {"\"rule\": {", "\"rule\": {\"exact\": 1, ", "field rule.exact"},
        {"\"column_z\"", "\"column_zz\"", "did you mean column_z?"},
    };
    refuse_all(changes, sizeof changes / sizeof *changes);
}

/* What the writer must not write. */
static void test_faults(void)
{
    tacit_model *m = small_blocks();
    char *text = NULL;
    struct {
        double *number;
        double bad;
        const char *field;
    } numbers[] = {{&m->blocks->table[1], NAN, "table[0][1]"},
                   {&m->blocks->table_sd, -1, "table_sd"},
                   {&m->blocks->column_z[0], INFINITY, "column_z[0]"},
                   {&m->sizes[0], INFINITY, "row_sizes[0]"},
                   {&m->blocks->rule.score[3], NAN, "rule.scores[1][1]"},
                   {&m->blocks->rule.weight[0], INFINITY, "rule.weights"},
                   {&m->blocks->rule.offset[2], NAN, "rule.offsets[2]"},
                   {&m->card.native_spent, 0.9, "privacy.native.spent"}};
    struct {
        int32_t *number;
        int32_t bad;
        const char *field;
    } wholes[] = {{&m->blocks->column_cluster[1], 3, "column_clusters[1]"},
                  {&m->blocks->rule.group[0], 2, "rule.groups"},
                  {&m->blocks->rule.cluster[0], 2, "rule.clusters[0]"},
                  {&m->labels[4], -1, "labels[4]"},
                  {&m->card.query[2].batch, -2, "queries[2].batch"}};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const double good = *numbers[i].number;
        *numbers[i].number = numbers[i].bad;
        CHECK(tacit_model_json(ctx, m, &text) == TACIT_E_INTERNAL && text == NULL &&
                  says(numbers[i].field),
              "not written: %s", numbers[i].field);
        *numbers[i].number = good;
    }
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
        const int32_t good = *wholes[i].number;
        *wholes[i].number = wholes[i].bad;
        CHECK(tacit_model_json(ctx, m, &text) == TACIT_E_INTERNAL && text == NULL &&
                  says(wholes[i].field),
              "not written: %s", wholes[i].field);
        *wholes[i].number = good;
    }
    m->card.neighbors = TACIT_ADD_REMOVE;
    SET(m->card.unit, "row");
    CHECK(tacit_model_json(ctx, m, &text) == TACIT_E_INTERNAL && says("shape.rows"),
          "the number of rows is private with whole rows");
    m->blocks->rows = 0;
    CHECK(tacit_model_json(ctx, m, &text) == TACIT_E_INTERNAL && says("labels"), "and rows have no "
                                                                                 "labels");
    tacit_model_free(m);
    CHECK(tac_model_new_blocks(ctx, 1, 0, false, 1, 1, 1, &m) == TACIT_E_ARGUMENT && m == NULL,
          "no column clusters");
    CHECK(tac_model_new_blocks(ctx, 1, 1, false, 1, 1, 0, &m) == TACIT_E_ARGUMENT && m == NULL,
          "no profile");
}

static void test_damage(void)
{
    const size_t length = strlen(blocks_golden);
    bool refused = true, calm = true, renamed = true;
    uint64_t state = 11;
    char text[8192];

    for (size_t cut = 0; cut + 1 < length; cut += 3) {
        tacit_model *m = NULL;
        refused = refused && read_text(blocks_golden, cut, &m) == TACIT_E_FORMAT && m == NULL;
    }
    CHECK(refused, "cut off: refused");
    for (const char *at = blocks_golden; (at = strstr(at, "\": ")) != NULL; at++) {
        tacit_model *m = NULL;
        snprintf(text, sizeof text, "%.*s_x%s", (int)(at - blocks_golden), blocks_golden, at);
        if (read_text(text, strlen(text), &m) != TACIT_E_FORMAT || !says("field "))
            printf("# renamed %.20s\n", at), renamed = false;
        tacit_model_free(m);
    }
    CHECK(renamed, "each field renamed: refused by name");
    for (long i = 0; i < tap_times(3000); i++) {
        tacit_model *m = NULL;
        memcpy(text, blocks_golden, length + 1);
        for (uint64_t hits = 1 + mix(&state) % 3; hits > 0; hits--) {
            static const char likely[] = "0123456789-+.eE\"[]{},: \n\\u";
            const uint64_t random = mix(&state);
            text[random % length] =
                random & 1024 ? (char)(random >> 40) : likely[(random >> 40) % (sizeof likely - 1)];
        }
        const tacit_status status = read_text(text, length, &m);
        calm = calm && (status == TACIT_OK ? steady(m)
                                           : status == TACIT_E_FORMAT && m == NULL &&
                                                 tacit_ctx_message(ctx)[0] != '\0');
        tacit_model_free(m);
    }
    CHECK(calm, "random damage: refused, or read and written steadily");
}

/* Wide tables: the file grows by a few bytes a column. */
static void test_wide(void)
{
    enum { WIDE = 100000, LOOKED = 500 };
    tacit_model *m = small_blocks(), *wide = NULL, *back = NULL;
    char *text = NULL, name[16];

    MUST(tac_model_new_blocks(ctx, 2, 2, true, WIDE, LOOKED, 2, &wide) == TACIT_OK);
    SET(wide->family, "cocluster");
    SET(wide->method, "auto");
    SET(wide->blocks->unit, "rows");
    SET(wide->blocks->shape, "from the file");
    MUST(tac_new(ctx, WIDE, sizeof(double), &wide->blocks->column_z) == TACIT_OK);
    MUST(tac_model_new_notes(ctx, wide, 0) == TACIT_OK);
    for (int j = 0; j < WIDE; j++) {
        snprintf(name, sizeof name, "c%d", j + 1);
        SET(wide->column[j], name);
        wide->blocks->column_z[j] = j % (WIDE / LOOKED) == 0 ? 2.5 : NAN;
        wide->blocks->column_cluster[j] = j % (WIDE / LOOKED) == 0 ? 0 : 2;
        wide->blocks->rule.weight[j] = j % (WIDE / LOOKED) == 0;
        wide->blocks->rule.group[j] = j / (WIDE / LOOKED);
    }
    const tac_card kept = wide->card;
    wide->card = m->card; /* borrowed */
    wide->card.neighbors = TACIT_ADD_REMOVE;
    wide->card.unit = (char *)"row";
    MUST(tacit_model_json(ctx, wide, &text) == TACIT_OK);
    const double each = (double)strlen(text) / WIDE;
    CHECK(each < 25, "%.1f bytes a column", each);
    CHECK(read_text(text, strlen(text), &back) == TACIT_OK &&
              back->blocks->rule.weight[WIDE / LOOKED] == 1 && back->blocks->rule.weight[1] == 0 &&
              back->blocks->rule.group[WIDE / LOOKED] == 1,
          "and back");
    wide->card = kept;
    tacit_free(text);
    tacit_model_free(back);
    tacit_model_free(wide);
    tacit_model_free(m);
}

int main(void)
{
    MUST(mkdtemp(folder) != NULL && tacit_ctx_new(&ctx) == TACIT_OK);
    test_text();
    test_tau();
    test_not_asked();
    test_bad_table();
    test_bad_card_and_rule();
    test_faults();
    test_damage();
    test_wide();
    tacit_ctx_free(ctx);
    leave_folder();
    return tap_done();
}
