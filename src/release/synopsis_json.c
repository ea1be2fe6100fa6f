/* SPDX-License-Identifier: Apache-2.0 */
/* The synopsis of a release as text and back: docs/release-format.md. */
#include "release/model_internal.h"
#include "release/read_shape.h"

#define COUNT(names) (sizeof(names) / sizeof((names)[0]))

void tac_put_synopsis(tac_json *json, const tacit_model *model)
{
    const tac_released_cells *s = model->synopsis;

    if (s == NULL) return;
    tac_json_object(json, "synopsis", TAC_JSON_LINES);
    tac_json_numbers(json, "weights", s->weight, (size_t)s->cells);
    tac_json_number(json, "weights_noise_sd", s->weight_sd);
    tac_json_numbers(json, "spreads", s->spread, (size_t)s->cells);
    tac_json_maybe(json, "total_spread", s->total);
    tac_put_table(json, "points", s->point, s->cells, s->width, tac_json_numbers);
    tac_json_numbers(json, "points_noise_sd", s->point_sd, (size_t)s->cells);
    if (s->basis != NULL) {
        tac_json_numbers(json, "origin", s->origin, (size_t)model->dims);
        tac_put_table(json, "basis", s->basis, s->width, model->dims, tac_json_numbers);
        tac_json_maybe(json, "outside", s->outside);
    }
    tac_json_end(json);
}

/* Every list there and of the right length, then the numbers. */
static tacit_status read_cells(const tac_section *in, int32_t dims, tac_released_cells **out)
{
    tacit_status status;
    const bool flat = tac_field_present(in, "basis");
    const tac_node *weights = NULL, *spreads = NULL, *points = NULL, *noise = NULL, *basis = NULL,
                   *origin = NULL;
    int32_t width = dims;
    tac_released_cells *s = NULL;

    TAC_TRY(tac_field_list(in, "weights", -1, &weights));
    const size_t cells = tac_node_count(weights);
    if (cells < 1 || cells > TAC_SYNOPSIS_MOST)
        return tac_field_refuse(in, "weights", "must have 1 to 1000000 entries");
    if (flat) {
        TAC_TRY(tac_field_list(in, "basis", -1, &basis));
        if (tac_node_count(basis) < 1 || tac_node_count(basis) > (size_t)dims)
            return tac_field_refuse(in, "basis", "must have 1 entry to one per column");
        width = (int32_t)tac_node_count(basis);
        TAC_TRY(tac_check_table(in, "basis", width, dims, "one per column", &basis));
        TAC_TRY(tac_field_list(in, "origin", dims, &origin));
    }
    TAC_TRY(tac_field_list(in, "spreads", (int64_t)cells, &spreads));
    TAC_TRY(tac_check_table(in, "points", (int32_t)cells, width,
                            flat ? "one per direction" : "one per column", &points));
    TAC_TRY(tac_field_list(in, "points_noise_sd", (int64_t)cells, &noise));
    TAC_TRY(tac_released_cells_new(in->ctx, (int32_t)cells, width, dims, flat, &s));
    TAC_TRY(tac_list_numbers(in, "weights", weights, s->weight));
    TAC_TRY(tac_list_numbers(in, "spreads", spreads, s->spread));
    TAC_TRY(tac_list_numbers(in, "points_noise_sd", noise, s->point_sd));
    TAC_TRY(tac_read_table(in, "points", points, width, tac_list_numbers, s->point));
    if (flat) TAC_TRY(tac_read_table(in, "basis", basis, dims, tac_list_numbers, s->basis));
    if (flat) TAC_TRY(tac_list_numbers(in, "origin", origin, s->origin));
    *out = s;
    s = NULL;
done:
    tac_released_cells_free(s);
    return status;
}

tacit_status tac_read_synopsis(const tac_section *top, tacit_model *model)
{
    static const char *const names[] = {"weights", "weights_noise_sd", "spreads", "total_spread",
                                        "points",  "points_noise_sd",  "origin",  "basis",
                                        "outside"};
    tacit_status status = TACIT_OK;
    tac_section in;

    if (!tac_field_present(top, "synopsis")) return TACIT_OK;
    TAC_TRY(tac_section_inside(top, "synopsis", &in));
    TAC_TRY(tac_section_only(&in, names, COUNT(names)));
    if (!tac_field_present(&in, "basis")) {
        TAC_TRY(tac_field_absent(&in, "origin", "goes with \"basis\" only"));
        TAC_TRY(tac_field_absent(&in, "outside", "goes with \"basis\" only"));
    }
    TAC_TRY(read_cells(&in, model->dims, &model->synopsis));
    TAC_TRY(tac_field_number(&in, "weights_noise_sd", &model->synopsis->weight_sd));
    TAC_TRY(tac_field_maybe(&in, "total_spread", &model->synopsis->total));
    if (model->synopsis->basis != NULL)
        TAC_TRY(tac_field_maybe(&in, "outside", &model->synopsis->outside));
done:
    return status;
}

void tac_put_cut_from(tac_json *json, const tac_cut_from *from)
{
    if (from->family == NULL) return;
    tac_json_object(json, "cut_from", TAC_JSON_ROW);
    tac_json_text(json, "family", from->family);
    tac_json_text(json, "method", from->method);
    tac_json_integer(json, "k", from->k);
    tac_json_end(json);
}

tacit_status tac_read_cut_from(const tac_section *top, tacit_model *model)
{
    static const char *const names[] = {"family", "method", "k"};
    tacit_status status = TACIT_OK;
    tac_section in;
    int64_t k = 0;
    int word = 0;

    if (!tac_field_present(top, "cut_from")) return TACIT_OK;
    TAC_TRY(tac_section_inside(top, "cut_from", &in));
    TAC_TRY(tac_section_only(&in, names, COUNT(names)));
    TAC_TRY(tac_field_word(&in, "family", tac_family_words, 2, &word));
    TAC_TRY(tac_field_text(&in, "family", &model->cut_from.family));
    TAC_TRY(tac_field_text(&in, "method", &model->cut_from.method));
    TAC_TRY(tac_field_integer(&in, "k", 1, TAC_MODEL_K_MAX, &k));
    model->cut_from.k = (int32_t)k;
done:
    return status;
}
