/* SPDX-License-Identifier: Apache-2.0 */
/* tacit evaluate: exact figures about a model on its rows. For whoever holds the rows; not
   private. */
#include "../cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WARNING CLI_EVALUATION_WARNING

/* What the costs are and of what, in words. */
typedef struct words {
    const char *cost, *released, *plain, *one;
} words;

static const words words_of[] = {[FAMILY_MEANS] = {"mean squared distance", "the released centers",
                                                   "k-means", "one mean of all rows"},
                                 [FAMILY_MEDIAN] = {"mean distance", "the released centers",
                                                    "k-median", "one median of all rows"},
                                 [FAMILY_SUBSPACE] = {"mean squared distance",
                                                      "the released subspaces", "k-plane",
                                                      "one subspace for all rows"}};

/* The family of a model, by what it holds. */
static cli_family family_of(const tacit_model *model)
{
    if (tacit_model_table(model, NULL) != NULL) return FAMILY_COCLUSTER;
    if (tacit_model_subspaces(model) != NULL) return FAMILY_SUBSPACE;
    return strcmp(tacit_model_family(model), "kmedian") == 0 ? FAMILY_MEDIAN : FAMILY_MEANS;
}

/* d_W in the two norms; NaN: not asked for. */
typedef struct gap {
    double sine, projector;
} gap;

/* For people. Figures that were not asked for are NaN and left out. */
static void print_table(FILE *out, const tacit_model *model, const tacit_evaluation *e,
                        const cli_clipped *clipped, int64_t restarts, const gap *far)
{
    const cli_family family = family_of(model);
    const words *w = &words_of[family];
    char plain[40];

    fprintf(out, "%s\n\n", WARNING);
    fprintf(out, "rows                           %lld\n", (long long)e->rows);
    fprintf(out, "rows outside the bounds        %.2f %%\n", 100 * e->clipped);
    cli_clipped_text(out, model, clipped);
    fprintf(out, "%s to\n", w->cost);
    fprintf(out, "  %-28s %.6g\n", w->released, e->cost);
    snprintf(plain, sizeof plain, "plain %s, best of %d", w->plain, (int)restarts);
    if (isfinite(e->plain_cost)) fprintf(out, "  %-28s %.6g\n", plain, e->plain_cost);
    fprintf(out, "  %-28s %.6g\n", w->one, e->one_mean_cost);
    if (isfinite(e->plain_cost) && e->plain_cost > 0)
        fprintf(out,
                e->cost < 1e6 * e->plain_cost ? "released over plain            %.3f\n"
                                              : "released over plain            %.3g\n",
                e->cost / e->plain_cost);
    if (isfinite(e->nmi))
        fprintf(out, "agreement with the classes\n  NMI                          %.4f\n", e->nmi);
    if (isfinite(e->ari)) fprintf(out, "  ARI                          %.4f\n", e->ari);
    if (isfinite(far->sine))
        fprintf(out,
                "distance to the true subspaces\n  in ||sin Theta||_F           %.4f\n  in ||UU' - "
                "VV'||_F           %.4f\n",
                far->sine, far->projector);
}

/* For programs. Figures that were not asked for are null. diagnosis: NULL: not asked for. */
static void print_json(FILE *out, const tacit_model *model, const tacit_evaluation *e,
                       const cli_clipped *clipped, int64_t restarts, const gap *far,
                       const tacit_subspace_diagnosis *diagnosis)
{
    const cli_family family = family_of(model);

    cli_evaluation_head(out, e, restarts, words_of[family].cost);
    cli_json_put(out, ",\n  ", "clipped", e->clipped);
    cli_clipped_json(out, model, clipped);
    cli_json_put(out, ",\n  ", "cost", e->cost);
    cli_json_put(out, ",\n  ", "plain_cost", e->plain_cost);
    cli_json_put(out, ",\n  ", family == FAMILY_SUBSPACE ? "one_subspace_cost" : "one_mean_cost",
                 e->one_mean_cost);
    if (family == FAMILY_SUBSPACE) {
        cli_json_put(out, ",\n  ", "distance_sine", far->sine);
        cli_json_put(out, ",\n  ", "distance_projector", far->projector);
    }
    cli_json_put(out, ",\n  ", "nmi", e->nmi);
    cli_json_put(out, ",\n  ", "ari", e->ari);
    if (diagnosis != NULL) cli_diagnosis_json(out, diagnosis);
    fputs("\n}\n", out);
}

/* The distance of the model's subspaces to those of --truth; NaN without the option. Numbers of
   subspaces that differ are worth a note, not a failure. */
static int measure_gap(const cli *c, const tacit_model *model, gap *far)
{
    tacit_model *truth = NULL;
    int code = EXIT_OK;

    *far = (gap){NAN, NAN};
    if (c->value.truth == NULL) return EXIT_OK;
    if (family_of(model) != FAMILY_SUBSPACE)
        return cli_fail(c, EXIT_USAGE,
                        "--truth compares subspaces, and this model holds none; drop --truth");
    CLI_TRY(cli_check(c, tacit_model_read(c->ctx, c->value.truth, &truth)));
    const int32_t k = tacit_model_k(model), q = tacit_model_q(model), true_k = tacit_model_k(truth),
                  true_q = tacit_model_q(truth);
    /* the other figures are worth having all the same */
    if (tacit_model_subspaces(truth) != NULL && (k != true_k || q != true_q))
        cli_say(c,
                "note: no distance is shown: the model holds %d subspaces of dimension %d and "
                "--truth %d of dimension %d, and the distance is for equal numbers",
                (int)k, (int)q, (int)true_k, (int)true_q);
    else
        CLI_TRY(cli_check(
            c, tacit_subspace_distance(c->ctx, model, truth, &far->sine, &far->projector)));
done:
    tacit_model_free(truth);
    return code;
}

/* Refused before the rows are read. */
static int check_diagnose(const cli *c, const tacit_model *model)
{
    if (!c->value.diagnose) return EXIT_OK;
    if (family_of(model) != FAMILY_SUBSPACE)
        return cli_fail(c, EXIT_USAGE,
                        "--diagnose is about subspaces, and this model holds none; drop "
                        "--diagnose");
    /* what the model says of the domain is about its own columns, in their order */
    if (c->value.columns != NULL)
        return cli_fail(c, EXIT_USAGE,
                        "--diagnose is about the columns of the model; drop --columns");
    if (tacit_model_offsets(model) != NULL)
        return cli_fail(c, EXIT_USAGE,
                        "--diagnose: the theorems are about subspaces through the origin, and "
                        "these are affine; drop --diagnose");
    return EXIT_OK;
}

static tacit_status diagnose(const cli *c, const tacit_model *model, tacit_data *data,
                             tacit_subspace_diagnosis *out)
{
    tacit_subspace_opts opts = TACIT_SUBSPACE_OPTS_INIT;

    if (!c->value.diagnose) return TACIT_OK;
    tacit_domain domain = TACIT_DOMAIN_INIT;
    tacit_status status = tacit_model_domain(model, &domain);
    if (status != TACIT_OK) return status;
    status = domain.center != NULL
                 ? tacit_data_set_ball(c->ctx, data, domain.center, domain.radius)
                 : tacit_data_set_bounds(c->ctx, data, domain.lower, domain.upper);
    if (status != TACIT_OK) return status;
    opts.scale = domain.scale;
    opts.k = tacit_model_k(model);
    opts.q = tacit_model_q(model);
    opts.restarts = (int32_t)c->value.restarts;
    return tacit_subspace_diagnose(c->ctx, data, &opts, out);
}

/* Known classes from a file of their own. The rows are read first: there must be a class for each.
   *codes outlives the data. */
static int add_classes(const cli *c, const tacit_model *model, tacit_data *data, int64_t **codes)
{
    const char *path = c->value.class_file;
    int32_t *label = NULL;
    int64_t rows = 0, count = 0;
    int code = EXIT_OK;

    if (path == NULL) return EXIT_OK;
    if (c->value.label_column != NULL)
        return cli_fail(c, EXIT_USAGE,
                        "--labels and --label-column both name the known classes; keep one");
    CLI_TRY(cli_read_classes(c, path, codes, &count));
    CLI_TRY(cli_check(c, tacit_model_predict(c->ctx, model, data, &label, &rows)));
    if (count != rows)
        CLI_TRY(cli_fail(c, cli_exit_code(TACIT_E_FORMAT),
                         "%.300s has %lld classes and the data %lld rows; give one for each row, "
                         "in their order (rows without any entry too, with --shape)",
                         path, (long long)count, (long long)rows));
    CLI_TRY(cli_check(c, tacit_data_set_labels(c->ctx, data, *codes)));
done:
    tacit_free(label);
    return code;
}

/* Exact, so it is for the owner: with a ledger it needs --as-owner, which the ledger notes. The
   output is readable by its owner alone. */
int cmd_evaluate(cli *c)
{
    const cli_values *v = &c->value;
    tacit_model *model = NULL;
    tacit_data *data = NULL;
    int64_t *classes = NULL;
    tacit_evaluation evaluation;
    tacit_subspace_diagnosis diagnosis = TACIT_SUBSPACE_DIAGNOSIS_INIT;
    cli_progress progress;
    cli_sink sink = {0};
    cli_clipped clipped = {0};
    gap far;
    int code = EXIT_OK;

    CLI_TRY(cli_check_stdin(c));
    CLI_TRY(cli_check_output(c, v->output, v->word[0]));
    CLI_TRY(cli_open_source(c, 1, true));
    CLI_TRY(cli_check_output_files(c, v->output));
    CLI_TRY(cli_check(c, tacit_model_read(c->ctx, v->word[0], &model)));
    CLI_TRY(measure_gap(c, model, &far));
    CLI_TRY(check_diagnose(c, model));
    CLI_TRY(cli_check_source(c));
    CLI_TRY(cli_as_owner(c, "evaluate"));
    CLI_TRY(cli_open_for_model(c, model, c->source.path, &data, NULL));
    CLI_TRY(add_classes(c, model, data, &classes));
    tacit_evaluation_init(&evaluation, sizeof evaluation);
    cli_progress_start(c, &progress);
    tacit_status status =
        tacit_model_evaluate(c->ctx, model, data, (int32_t)v->restarts, &evaluation);
    if (status == TACIT_OK) status = diagnose(c, model, data, &diagnosis);
    cli_progress_stop(&progress);
    CLI_TRY(cli_check(c, status));
    CLI_TRY(cli_find_clipped(c, model, data, &clipped));

    CLI_TRY(cli_sink_open(c, v->output, true, &sink));
    if (family_of(model) == FAMILY_COCLUSTER)
        cli_print_evaluation(sink.file, model, &evaluation, v->restarts, v->json);
    else if (v->json)
        print_json(sink.file, model, &evaluation, &clipped, v->restarts, &far,
                   v->diagnose ? &diagnosis : NULL);
    else
        print_table(sink.file, model, &evaluation, &clipped, v->restarts, &far);
    if (v->diagnose && !v->json)
        cli_diagnosis_text(sink.file, &diagnosis, tacit_model_k(model), tacit_model_q(model));
    CLI_TRY(cli_sink_close(c, &sink));
    if (!v->quiet) cli_say(c, "%s", WARNING);
done:
    cli_sink_abandon(&sink);
    tacit_data_free(data);
    tacit_model_free(model);
    free(classes);
    free(clipped.column);
    return code;
}
