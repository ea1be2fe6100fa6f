/* SPDX-License-Identifier: Apache-2.0 */
/* A release back from its file. The file may have been edited, cut off or made by anyone: every
   field is checked, and memory is taken only for numbers that are really there. */
#include "release/fields.h"
#include "release/file.h"
#include "release/model.h"
#include "release/read_card.h"
#include "release/model_internal.h"
#include "release/read_shape.h"

#include <stdio.h>
#include <string.h>

#define MOST_NOTES 1000
#define COUNT(names) (sizeof(names) / sizeof((names)[0]))

/* "tacit" and "format": is this a file for us at all? */
static tacit_status check_kind(const tac_section *top)
{
    const tac_node *tacit = tac_node_field(top->object, "tacit"),
                   *format = tac_node_field(top->object, "format");

    if (!tac_node_is(tacit, TAC_NODE_TEXT) || strcmp(tac_node_text(tacit), "release") != 0)
        return tac_fail(top->ctx, TACIT_E_FORMAT,
                        "%s is not a release of tacit: field tacit is not \"release\"; %s",
                        top->file,
                        "give the file that tacit kmeans, kmedian, subspace or cocluster wrote");
    if (!tac_node_is(format, TAC_NODE_INTEGER) || tac_node_integer(format) < 1)
        return tac_field_refuse(top, "format", "must be 1 to 7");
    if (tac_node_integer(format) > TAC_MODEL_FORMAT)
        return tac_fail(top->ctx, TACIT_E_FORMAT,
                        "%s: field format is above %d, which only a newer tacit reads; update "
                        "tacit",
                        top->file, TAC_MODEL_FORMAT);
    return TACIT_OK;
}

static tacit_status read_notes(const tac_section *top, tacit_model *model)
{
    tacit_status status;
    const tac_node *notes = NULL;
    char field[64];

    TAC_TRY(tac_field_list(top, "notes", -1, &notes));
    if (tac_node_count(notes) > MOST_NOTES)
        return tac_field_refuse(top, "notes", "has too many entries");
    TAC_TRY(tac_model_new_notes(top->ctx, model, (int32_t)tac_node_count(notes)));
    for (size_t i = 0; i < (size_t)model->notes; i++) {
        const tac_node *note = tac_node_at(notes, i);
        snprintf(field, sizeof field, "notes[%zu]", i);
        if (!tac_node_is(note, TAC_NODE_TEXT))
            return tac_field_refuse(top, field, "must be a text");
        TAC_TRY(tac_model_set_text(top->ctx, &model->note[i], tac_node_text(note)));
    }
done:
    return status;
}

/* What format 2 added: how k was chosen, and sentences for the reader. */
static tacit_status read_remarks(const tac_section *top, tacit_model *model)
{
    tacit_status status;
    const tac_node *curve = NULL;

    TAC_TRY(tac_field_list(top, "k_curve", -1, &curve));
    const size_t points = tac_node_count(curve);
    if (points > TAC_MODEL_K_MAX) return tac_field_refuse(top, "k_curve", "has too many entries");
    if (points > 0) {
        TAC_TRY(tac_new(top->ctx, points, sizeof *model->curve, &model->curve));
        model->curve_count = (int32_t)points;
        TAC_TRY(tac_list_numbers(top, "k_curve", curve, model->curve));
    }
    TAC_TRY(read_notes(top, model));
done:
    return status;
}

static tacit_status read_vector(const tac_section *section, const char *name, int32_t dims,
                                double **out)
{
    tacit_status status;
    const tac_node *list = NULL;

    TAC_TRY(tac_field_list(section, name, dims, &list));
    TAC_TRY(tac_new(section->ctx, (size_t)dims, sizeof **out, out)); /* now the model's to free */
    TAC_TRY(tac_list_numbers(section, name, list, *out));
done:
    return status;
}

/* The place of a column by its name. */
static tacit_status find_column(const tac_section *section, const tac_node *name, size_t i,
                                const tacit_model *model, int32_t *out)
{
    char field[64];

    snprintf(field, sizeof field, "estimated[%zu]", i);
    if (!tac_node_is(name, TAC_NODE_TEXT))
        return tac_field_refuse(section, field, "must be a text");
    for (*out = 0; *out < model->dims; ++*out)
        if (strcmp(model->column[*out], tac_node_text(name)) == 0) return TACIT_OK;
    return tac_field_refuse(section, field, "must be one of the columns");
}

/* Which bounds a run has estimated, and what was declared; three fields, or none of them. */
static tacit_status read_estimated(const tac_section *section, tacit_model *model)
{
    tacit_status status = TACIT_OK;
    tac_geometry *geometry = &model->geometry;
    const size_t dims = (size_t)model->dims;
    const tac_node *names = NULL, *lower = NULL, *upper = NULL;
    int32_t j = 0, before = -1;

    if (!tac_field_present(section, "estimated")) {
        TAC_TRY(tac_field_absent(section, "declared_lower", "goes with \"estimated\" only"));
        TAC_TRY(tac_field_absent(section, "declared_upper", "goes with \"estimated\" only"));
        goto done;
    }
    if (geometry->ball)
        return tac_field_refuse(section, "estimated", "does not go with the domain \"ball\"");
    TAC_TRY(tac_field_list(section, "estimated", -1, &names));
    TAC_TRY(tac_field_list(section, "declared_lower", model->dims, &lower));
    TAC_TRY(tac_field_list(section, "declared_upper", model->dims, &upper));
    TAC_TRY(tac_new(section->ctx, dims, sizeof(bool), &geometry->estimated));
    TAC_TRY(tac_new(section->ctx, dims, sizeof(double), &geometry->declared_lower));
    TAC_TRY(tac_new(section->ctx, dims, sizeof(double), &geometry->declared_upper));
    for (size_t i = 0; i < tac_node_count(names); i++) {
        TAC_TRY(find_column(section, tac_node_at(names, i), i, model, &j));
        if (j <= before)
            return tac_field_refuse(section, "estimated", "must name columns in their order");
        geometry->estimated[before = j] = true;
    }
    TAC_TRY(tac_list_maybes(section, "declared_lower", lower, geometry->declared_lower));
    TAC_TRY(tac_list_maybes(section, "declared_upper", upper, geometry->declared_upper));
done:
    return status;
}

static tacit_status read_geometry(const tac_section *top, tacit_model *model)
{
    static const char *const names[] = {"distance",      "scale",    "domain",    "lower",
                                        "upper",         "center",   "radius",    "bounds_origin",
                                        "missing",       "features", "estimated", "declared_lower",
                                        "declared_upper"};
    static const char *const distance[] = {"euclidean"}, *const domain[] = {"box", "ball"};
    tac_geometry *geometry = &model->geometry;
    tac_section section;
    tacit_status status;
    int word = 0;

    TAC_TRY(tac_section_inside(top, "geometry", &section));
    TAC_TRY(tac_section_only(&section, names, COUNT(names)));
    TAC_TRY(tac_field_word(&section, "distance", distance, 1, &word));
    TAC_TRY(tac_field_word(&section, "scale", tac_scale_words, 2, &word));
    geometry->scale = (tacit_scale)word;
    TAC_TRY(tac_field_word(&section, "domain", domain, 2, &word));
    geometry->ball = word == 1;
    if (geometry->ball) {
        TAC_TRY(tac_field_absent(&section, "lower", "does not go with the domain \"ball\""));
        TAC_TRY(tac_field_absent(&section, "upper", "does not go with the domain \"ball\""));
        TAC_TRY(read_vector(&section, "center", model->dims, &geometry->center));
        TAC_TRY(tac_field_number(&section, "radius", &geometry->radius));
    } else {
        TAC_TRY(tac_field_absent(&section, "center", "does not go with the domain \"box\""));
        TAC_TRY(tac_field_absent(&section, "radius", "does not go with the domain \"box\""));
        TAC_TRY(read_vector(&section, "lower", model->dims, &geometry->lower));
        TAC_TRY(read_vector(&section, "upper", model->dims, &geometry->upper));
    }
    TAC_TRY(tac_field_text(&section, "bounds_origin", &geometry->origin));
    TAC_TRY(read_estimated(&section, model));
    TAC_TRY(tac_field_word(&section, "missing", tac_missing_words, 5, &word));
    geometry->missing = (tacit_missing)word;
    TAC_TRY(tac_read_features(&section, &geometry->features));
done:
    return status;
}

enum { SUBSPACE = 2, COCLUSTER = 3 }; /* families, as in tac_family_words */

/* Which fields a release of this family and format has; of centers two came with format 2, four
   with format 6, and the last three with format 7. */
static tacit_status check_names(const tac_section *top, int family, int64_t format)
{
    static const char *const centers[] = {
        "tacit",          "format",   "family",   "method",           "k",
        "rounds",         "columns",  "centers",  "centers_noise_sd", "sizes",
        "sizes_noise_sd", "geometry", "privacy",  "k_curve",          "notes",
        "spread",         "overall",  "distinct", "spread_noise_sd",  "k_choice",
        "synopsis",       "cut_from"};
    static const char *const subspaces[] = {
        "tacit",  "format",         "family",    "method",  "k",       "q",
        "rounds", "columns",        "subspaces", "offsets", "profile", "labels",
        "sizes",  "sizes_noise_sd", "geometry",  "privacy", "k_curve", "notes"};
    static const char *const blocks[] = {"tacit",           "format",        "family",  "method",
                                         "row_clusters",    "asked",         "rounds",  "shape",
                                         "table_unit",      "rest",          "table",   "table_sd",
                                         "row_masses",      "column_masses", "tau",     "row_sizes",
                                         "row_sizes_sd",    "notes",         "privacy", "columns",
                                         "column_clusters", "column_z",      "rule",    "labels"};

    /* from format 5 on every family counts alike */
    if (family == SUBSPACE && format < 5 && format != 3)
        return tac_field_refuse(top, "format", "must be 3 or 5 to 7 for the family \"subspace\"");
    if (family == COCLUSTER && format < 5 && format != 4)
        return tac_field_refuse(top, "format", "must be 4 or 5 to 7 for the family \"cocluster\"");
    if (family < SUBSPACE && format < 5 && format > 2)
        return tac_field_refuse(top, "format", "must be 1, 2 or 5 to 7 for this family");
    const size_t newer = format == 1 ? 9 : format < 6 ? 7 : format < 7 ? 3 : 0;
    return family == COCLUSTER  ? tac_section_only(top, blocks, COUNT(blocks))
           : family == SUBSPACE ? tac_section_only(top, subspaces, COUNT(subspaces))
                                : tac_section_only(top, centers, COUNT(centers) - newer);
}

static tacit_status read_model(const tac_section *top, tacit_model **out)
{
    tacit_model *model = NULL;
    tac_fault fault;
    tacit_status status;
    int family = 0;
    int64_t rounds = 0;

    TAC_TRY(check_kind(top));
    const int64_t format = tac_node_integer(tac_node_field(top->object, "format"));
    TAC_TRY(tac_field_word(top, "family", tac_family_words, 4, &family));
    TAC_TRY(check_names(top, family, format));
    TAC_TRY(tac_field_integer(top, "rounds", 0, INT32_MAX, &rounds));
    if (family == COCLUSTER)
        TAC_TRY(tac_read_blocks(top, &model));
    else
        TAC_TRY(tac_read_shape(top, family == SUBSPACE, &model));
    model->rounds = (int32_t)rounds;
    TAC_TRY(tac_field_text(top, "family", &model->family));
    TAC_TRY(tac_field_text(top, "method", &model->method));
    if (family == COCLUSTER)
        TAC_TRY(read_notes(top, model));
    else if (format > 1)
        TAC_TRY(read_remarks(top, model));
    if (family < SUBSPACE && format > 5) TAC_TRY(tac_read_explanation(top, model));
    if (family < SUBSPACE && format > 6) TAC_TRY(tac_read_k_choice(top, model));
    if (family < SUBSPACE && format > 6) TAC_TRY(tac_read_synopsis(top, model));
    if (family < SUBSPACE && format > 6) TAC_TRY(tac_read_cut_from(top, model));
    if (family != COCLUSTER) TAC_TRY(read_geometry(top, model));
    TAC_TRY(tac_read_card(top, model));
    if (tac_model_find_fault(model, &fault)) { /* its field names are already whole paths */
        status = tac_field_refuse(top, fault.field, fault.cause);
        goto done;
    }
    TAC_TRY(tac_check_claims(top, &model->card));
    *out = model;
    model = NULL;
done:
    tacit_model_free(model);
    return status;
}

/* What a text says, of a file by this name. */
static tacit_status read_text(tacit_ctx *ctx, const char *name, char *text, size_t length,
                              tacit_model **out)
{
    tac_section top = {.ctx = ctx, .file = name};
    tacit_status status;
    tac_node *tree = NULL;

    TAC_TRY(tac_parse(ctx, name, "use the release as tacit wrote it", text, length, &tree,
                      &top.object));
    TAC_TRY(read_model(&top, out));
done:
    tac_free(tree);
    return status;
}

tacit_status tacit_model_read(tacit_ctx *ctx, const char *path, tacit_model **out)
{
    const char *const name = path != NULL && strcmp(path, "-") == 0 ? "standard input" : path;
    tacit_status status;
    char *text = NULL;
    size_t length = 0;

    if (ctx != NULL) ctx->message[0] = '\0';
    if (out == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "tacit_model_read needs a place for the model");
    *out = NULL;
    TAC_TRY(tac_file_read_object(ctx, path, &text, &length));
    TAC_TRY(read_text(ctx, name, text, length, out));
done:
    tac_free(text);
    return status;
}

tacit_status tacit_model_parse(tacit_ctx *ctx, const char *json, tacit_model **out)
{
    if (ctx != NULL) ctx->message[0] = '\0';
    if (out == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "tacit_model_parse needs a place for the model");
    *out = NULL;
    if (json == NULL) return tac_fail(ctx, TACIT_E_ARGUMENT, "tacit_model_parse needs a text");
    char *const copy = tac_strdup(ctx, json); /* the parser writes into it */
    if (copy == NULL) return TACIT_E_MEMORY;
    const tacit_status status = read_text(ctx, "the release", copy, strlen(copy), out);
    tac_free(copy);
    return status;
}
