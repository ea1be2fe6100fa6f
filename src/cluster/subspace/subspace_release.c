/* SPDX-License-Identifier: Apache-2.0 */
/* From vectors of the lattice to a release: the last step of the walk. Everything here is a
   function of released numbers. */
#include "cluster/subspace/subspace_run.h"

#include "cluster/card.h"
#include "cluster/geometry.h"
#include "cluster/subspace/flat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The first frame without the constant coordinate: it defines the lattice unit. */
static tacit_status open_frame(tacit_ctx *ctx, const tac_domain *domain, int32_t columns,
                               const tacit_subspace_opts *opts, tac_frame *out)
{
    return opts->affine ? tac_frame_from_domain(ctx, domain, columns, opts->scale, out)
                        : tac_frame_for_sparse(ctx, domain, columns, opts->scale, 0, out);
}

/* Lattice length of the geometry's unit: a declared range where columns are divided by theirs, else
   a column's own unit. */
static double unit_of(const tac_domain *domain, const tacit_subspace_opts *opts,
                      const tac_frame *frame)
{
    if (domain->kind == TAC_DOMAIN_BALL || opts->scale != TACIT_SCALE_RANGE) return frame->scale[0];
    return 2 * frame->scale[0] * (domain->upper[0] / 2 - domain->lower[0] / 2);
}

/* Lattice vectors to the columns of the data; squares become root mean squares in the unit of
   the geometry. */
static tacit_status write_subspaces(tacit_ctx *ctx, const tac_domain *domain,
                                    const tacit_subspace_opts *opts,
                                    const tac_subspace_result *result, tacit_model *model)
{
    tacit_status status = TACIT_OK;
    const size_t d = (size_t)model->dims, q = (size_t)model->q;
    const int32_t wide = model->dims + (opts->affine ? 1 : 0);
    tac_frame frame = {0};
    tac_flat flat = {0};

    TAC_TRY(open_frame(ctx, domain, model->dims, opts, &frame));
    const double unit = unit_of(domain, opts, &frame);
    TAC_TRY(tac_flat_new(ctx, model->q, model->dims, &flat));
    if (opts->affine) TAC_TRY(tac_new(ctx, (size_t)model->k * d, sizeof(double), &model->offsets));
    if (result->profile != NULL)
        TAC_TRY(tac_new(ctx, (size_t)model->k * q, sizeof(double), &model->profile));
    for (size_t c = 0; c < (size_t)model->k; c++) {
        const double *vectors = result->bases + c * (size_t)result->q * (size_t)wide;
        const double *squares =
            result->profile == NULL ? NULL : result->profile + c * (size_t)result->q;
        TAC_TRY((opts->affine ? tac_flat_affine : tac_flat_linear)(ctx, vectors, squares, &flat));
        for (size_t j = 0; j < d; j++) {
            for (size_t i = 0; i < q; i++)
                model->subspaces[(c * d + j) * q + i] = flat.vectors[i * d + j];
            /* Not moved into the domain: that would leave the subspace, which may miss the middle
               of a box by far. */
            if (opts->affine)
                model->offsets[c * d + j] = frame.center[j] + flat.point[j] / frame.scale[j];
        }
        for (size_t i = 0; squares != NULL && i < q; i++)
            model->profile[c * q + i] = sqrt(flat.squares[i]) / unit;
        model->sizes[c] = isfinite(result->sizes[c]) ? result->sizes[c] : NAN;
    }
done:
    tac_flat_clear(&flat);
    tac_frame_clear(&frame);
    return status;
}

/* The model without its card. */
static tacit_status write_model(tacit_ctx *ctx, const tacit_data *data, const tac_domain *domain,
                                const tacit_subspace_opts *opts, const char *method,
                                const tac_subspace_result *result, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    tacit_model *model = NULL;

    *out = NULL;
    TAC_TRY(tac_model_new_subspaces(ctx, result->k, result->q - (opts->affine ? 1 : 0),
                                    tacit_data_column_count(data), &model));
    TAC_TRY(tac_model_set_text(ctx, &model->family, "subspace"));
    TAC_TRY(tac_model_set_text(ctx, &model->method, method));
    model->rounds = result->rounds;
    model->sizes_sd = isfinite(result->sizes_sd) ? result->sizes_sd : NAN;
    TAC_TRY(tac_notes_write(ctx, &result->notes, NULL, model));
    for (int32_t j = 0; j < model->dims; j++)
        TAC_TRY(tac_model_set_text(ctx, &model->column[j], tacit_data_column_get(data, j)));
    TAC_TRY(write_subspaces(ctx, domain, opts, result, model));
    if (result->labels != NULL) {
        TAC_TRY(tac_new(ctx, (size_t)result->rows, sizeof *model->labels, &model->labels));
        memcpy(model->labels, result->labels, (size_t)result->rows * sizeof *model->labels);
        model->rows = result->rows;
    }
    TAC_TRY(tac_write_geometry(ctx, data, domain, opts->scale, &model->geometry));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}

/* The card of a release that is not private: it says so, and why, whatever noise there was. */
static tacit_status admit(tacit_ctx *ctx, const char *reason, tac_card *card)
{
    tacit_status status = TACIT_OK;
    char guarantee[300];

    snprintf(guarantee, sizeof guarantee, "none: %.250s", reason);
    TAC_TRY(tac_model_set_text(ctx, &card->leak, reason));
    TAC_TRY(tac_model_set_text(ctx, &card->guarantee, guarantee));
done:
    return status;
}

/* The model with its card. A start from a plain solution withdraws the guarantee, whatever was
   paid. */
tacit_status tac_subspace_release(tacit_ctx *ctx, const tac_run *run,
                                  const tacit_subspace_opts *opts,
                                  const tac_subspace_result *result, tacit_model **out)
{
    tacit_status status = TACIT_OK;
    const tac_subspace_method *method = tac_subspace_method_of(opts->method);
    const char *paper = method->paper;
    tacit_model *model = NULL;

    *out = NULL;
    TAC_TRY(write_model(ctx, run->data, &run->domain, opts, method->name, result, &model));
    if (opts->method == TACIT_SUBSPACE_AUTO && run->budget.delta == 0) /* that is what it ran */
        paper = tac_subspace_method_of(TACIT_SUBSPACE_SULQ_PLUS)->paper;
    TAC_TRY(tac_write_card(ctx, run, paper, method->standing, &model->card));
    if (result->leaks)
        TAC_TRY(admit(ctx,
                      "the sampler started from a plain solver's answer, which shows through and "
                      "was not paid for",
                      &model->card));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}

tacit_status tac_subspace_release_plain(tacit_ctx *ctx, const tacit_data *data,
                                        const tacit_subspace_opts *opts,
                                        const tac_subspace_result *result, tacit_model **out)
{
    static const char *const name[] = {"kplane", "tsc", "tsc-simple", "ssc", "lrr"};
    static const char *const paper[] = {
        "Bradley & Mangasarian 2000 (k-plane)", "Heckel & Boelcskei 2015 (TSC)",
        "Wang, Wang & Singh 2015, Algorithm 2", "Elhamifar & Vidal 2013 (SSC)",
        "Liu, Lin, Yan, Sun, Yu & Ma 2013 (LRR)"};
    tacit_status status = TACIT_OK;
    tacit_model *model = NULL;

    *out = NULL;
    if ((size_t)opts->solver >= sizeof name / sizeof *name)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the subspace solver is not one of those in the header");
    TAC_TRY(write_model(ctx, data, &data->domain, opts, name[opts->solver], result, &model));
    model->card.plain = true;
    TAC_TRY(admit(ctx, "made by a plain solver from the rows, without any noise", &model->card));
    TAC_TRY(tac_model_set_text(ctx, &model->card.paper, paper[opts->solver]));
    TAC_TRY(tac_model_set_text(ctx, &model->card.version, TACIT_VERSION));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}
