/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of a release in one place: the writer and the reader both ask here. */
#include "release/model_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const tac_family_words[4] = {"kmeans", "kmedian", "subspace", "cocluster"};
const char *const tac_scale_words[2] = {"range", "none"};
const char *const tac_neighbor_words[3] = {"add-remove", "replace", "entry"};
const char *const tac_randomness_words[3] = {"ChaCha20 keyed by the operating system",
                                             "insecure test seed", "none"};
const char *const tac_seed_words = "the noise was drawn from a test seed: whoever knows or guesses "
                                   "the seed can take the noise off again";
const char *const tac_accountant_words[3] = {"pure", "gaussian", "alone"};
const char *const tac_native_words[3] = {"epsilon", "mu^2", "run"};

const char *tac_native_word(const char *accountant)
{
    for (int i = 0; i < 3; i++)
        if (strcmp(accountant, tac_accountant_words[i]) == 0) return tac_native_words[i];
    return ""; /* not reached: the model was checked */
}

bool tac_fault_at(tac_fault *fault, const char *cause, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(fault->field, sizeof fault->field, format, args);
    va_end(args);
    fault->cause = cause;
    return true;
}

const char tac_not_finite[] = "must be a finite number";
const char tac_negative[] = "must be a finite number of at least 0";
const char tac_no_deviation[] = "must be a finite number of at least 0, or null";
const char tac_not_positive[] = "must be a finite number above 0";

static bool at_least_zero(double value)
{
    return isfinite(value) && value >= 0;
}

bool tac_is_deviation(double value)
{
    return isnan(value) || at_least_zero(value);
}

static bool above_zero(double value)
{
    return isfinite(value) && value > 0;
}

/* Our own words: there, and without control characters that a terminal would obey. Names of columns
   come from the owner's file and may hold anything; a run that is paid for must not fail on them
   here. */
bool tac_bad_words(tac_fault *fault, const char *text, const char *field)
{
    if (text == NULL || text[0] == '\0')
        return tac_fault_at(fault, "must not be empty", "%s", field);
    uint32_t code = 0;
    for (size_t length; *text != '\0'; text += length) {
        length = tac_utf8(text, 4, &code); /* stops at the terminator */
        if (length == 0 || !tac_is_plain(code))
            return tac_fault_at(fault, "must be one line of plain text", "%s", field);
    }
    return false;
}

/* Features and coordinates must fit each other: a reader of the file indexes one by the other. */
static bool bad_features(const tacit_model *model, tac_fault *fault)
{
    const tac_features *f = &model->geometry.features;

    if (f->count == 0) return false;
    if (f->dims != model->dims)
        return tac_fault_at(fault, "must make up the columns", "geometry.features");
    if (model->geometry.ball && (!f->plain || f->weighted))
        return tac_fault_at(fault, "must be plain numbers with the domain \"ball\"",
                            "geometry.features");
    for (int32_t i = 0; i < f->count; i++) {
        const tac_feature *one = &f->feature[i];
        if (one->name == NULL || tac_feature_check(NULL, "", one) != TACIT_OK)
            return tac_fault_at(fault, "says what no column can be", "geometry.features[%d]", i);
        if (!model->geometry.ball &&
            tac_feature_check_bounds(NULL, one, model->geometry.lower[one->first],
                                     model->geometry.upper[one->first]) != TACIT_OK)
            return tac_fault_at(fault, "has a transform that its bounds do not allow",
                                "geometry.features[%d]", i);
    }
    return false;
}

/* Estimated bounds lie within what was declared; all others are as declared. */
static bool bad_estimated(const tacit_model *model, tac_fault *fault)
{
    const tac_geometry *geometry = &model->geometry;
    int32_t count = 0;

    if (geometry->estimated == NULL) return false;
    for (int32_t j = 0; j < model->dims; j++) {
        const bool open = geometry->estimated[j];
        const double lower = geometry->declared_lower[j], upper = geometry->declared_upper[j];
        count += open;
        if (open ? lower > geometry->lower[j] : !(lower == geometry->lower[j]))
            return tac_fault_at(fault, "does not go with geometry.lower of the same column",
                                "geometry.declared_lower[%d]", j);
        if (open ? upper < geometry->upper[j] : !(upper == geometry->upper[j]))
            return tac_fault_at(fault, "does not go with geometry.upper of the same column",
                                "geometry.declared_upper[%d]", j);
    }
    return count == 0 ? tac_fault_at(fault, "must name a column", "geometry.estimated") : false;
}

static bool bad_geometry(const tacit_model *model, tac_fault *fault)
{
    const tac_geometry *geometry = &model->geometry;

    if ((unsigned)geometry->scale > 1)
        return tac_fault_at(fault, "must be \"range\" or \"none\"", "geometry.scale");
    if (geometry->missing < TACIT_MISSING_DROP_ROW || geometry->missing > TACIT_MISSING_FILL)
        return tac_fault_at(fault, "must be a rule for missing values", "geometry.missing");
    if (bad_features(model, fault)) return true;
    if (geometry->ball && geometry->center == NULL)
        return tac_fault_at(fault, "is missing", "geometry.center");
    if (!geometry->ball && geometry->lower == NULL)
        return tac_fault_at(fault, "is missing", "geometry.lower");
    if (!geometry->ball && geometry->upper == NULL)
        return tac_fault_at(fault, "is missing", "geometry.upper");
    for (int32_t j = 0; !geometry->ball && j < model->dims; j++) {
        if (!isfinite(geometry->lower[j]))
            return tac_fault_at(fault, tac_not_finite, "geometry.lower[%d]", j);
        if (!isfinite(geometry->upper[j]))
            return tac_fault_at(fault, tac_not_finite, "geometry.upper[%d]", j);
        if (!(geometry->lower[j] < geometry->upper[j]))
            return tac_fault_at(fault, "must be above geometry.lower of the same column",
                                "geometry.upper[%d]", j);
    }
    for (int32_t j = 0; geometry->ball && j < model->dims; j++)
        if (!isfinite(geometry->center[j]))
            return tac_fault_at(fault, tac_not_finite, "geometry.center[%d]", j);
    if (geometry->ball && !above_zero(geometry->radius))
        return tac_fault_at(fault, tac_not_positive, "geometry.radius");
    return tac_bad_words(fault, geometry->origin, "geometry.bounds_origin") ||
           bad_estimated(model, fault);
}

/* What the reader should know. */
static bool bad_notes(const tacit_model *model, tac_fault *fault)
{
    for (int32_t i = 0; i < model->notes; i++) /* may name a column, in the owner's letters */
        if (model->note[i] == NULL || model->note[i][0] == '\0')
            return tac_fault_at(fault, "must not be empty", "notes[%d]", i);
    return false;
}

/* How k was chosen, and the notes. */
static bool bad_choice(const tacit_model *model, tac_fault *fault)
{
    if (model->curve_count != 0 &&
        (model->curve_count < model->k || model->curve_count > TAC_MODEL_K_MAX))
        return tac_fault_at(fault,
                            "must be empty, or have an entry for each number of centres up to k or "
                            "more",
                            "k_curve");
    for (int32_t i = 0; i < model->curve_count; i++)
        if (!isfinite(model->curve[i]))
            return tac_fault_at(fault, tac_not_finite, "k_curve[%d]", i);
    return tac_bad_k_choice(model, fault) || bad_notes(model, fault);
}

/* The centers of the other families. */
static bool bad_centers(const tacit_model *model, tac_fault *fault)
{
    for (int32_t i = 0; i < model->k; i++)
        for (int32_t j = 0; j < model->dims; j++) {
            const size_t at = (size_t)i * (size_t)model->dims + (size_t)j;
            if (!isfinite(model->centers[at]))
                return tac_fault_at(fault, tac_not_finite, "centers[%d][%d]", i, j);
            if (!tac_is_deviation(model->centers_sd[at]))
                return tac_fault_at(fault, tac_no_deviation, "centers_noise_sd[%d][%d]", i, j);
        }
    return false;
}

#define SQUARE 1e-6 /* bases are orthonormal up to this */
/* inner products at once: a file may ask for a great many, and numbers far apart are slow to
   come */
#define TOGETHER 64

static bool bad_basis(const tacit_model *model, int32_t i, tac_fault *fault)
{
    const size_t q = (size_t)model->q, d = (size_t)model->dims;
    const double *basis = model->subspaces + (size_t)i * d * q;

    for (size_t j = 0; j < d * q; j++)
        if (!isfinite(basis[j]))
            return tac_fault_at(fault, tac_not_finite, "subspaces[%d][%zu][%zu]", i, j / q, j % q);
    for (size_t a = 0; a < q; a++)
        for (size_t from = a; from < q; from += TOGETHER) {
            const size_t count = q - from < TOGETHER ? q - from : TOGETHER;
            double inner[TOGETHER] = {0};
            for (size_t j = 0; j < d; j++) {
                const double here = basis[j * q + a];
                for (size_t b = 0; b < count; b++) inner[b] += here * basis[j * q + from + b];
            }
            for (size_t b = 0; b < count; b++)
                if (!(fabs(inner[b] - (a == from + b)) <= SQUARE))
                    return tac_fault_at(fault, "must have columns of length 1 at right angles",
                                        "subspaces[%d]", i);
        }
    return false;
}

static bool bad_subspaces(const tacit_model *model, tac_fault *fault)
{
    if (model->q < 1 || model->q >= model->dims)
        return tac_fault_at(fault, "must be at least 1 and below the number of columns", "q");
    for (int32_t i = 0; i < model->k; i++) {
        if (bad_basis(model, i, fault)) return true;
        for (int32_t j = 0; model->offsets != NULL && j < model->dims; j++)
            if (!isfinite(model->offsets[(size_t)i * (size_t)model->dims + (size_t)j]))
                return tac_fault_at(fault, tac_not_finite, "offsets[%d][%d]", i, j);
        for (int32_t j = 0; model->profile != NULL && j < model->q; j++) {
            const double *along = model->profile + (size_t)i * (size_t)model->q + (size_t)j;
            if (!at_least_zero(*along))
                return tac_fault_at(fault, tac_negative, "profile[%d][%d]", i, j);
            if (j > 0 && along[0] > along[-1])
                return tac_fault_at(fault, "must not be above the one before it", "profile[%d][%d]",
                                    i, j);
        }
    }
    /* A label for each row tells how many rows there are. */
    if (model->labels != NULL && !model->card.plain && model->card.neighbors != TACIT_REPLACE)
        return tac_fault_at(fault, "do not go with these neighbors", "labels");
    for (int64_t r = 0; model->labels != NULL && r < model->rows; r++)
        if (model->labels[r] < 0 || model->labels[r] >= model->k)
            return tac_fault_at(fault, "must be the number of a subspace, from 0", "labels[%lld]",
                                (long long)r);
    return false;
}

bool tac_model_find_fault(const tacit_model *model, tac_fault *fault)
{
    const int32_t d = model->dims;
    const char *family = model->family == NULL ? "" : model->family;
    int known = 0;

    while (known < 4 && strcmp(family, tac_family_words[known]) != 0) known++;
    if (known == 4 || (known == 2) != tac_model_is_subspace(model) ||
        (known == 3) != tac_model_is_blocks(model))
        return tac_fault_at(fault, "must be \"kmeans\", \"kmedian\", \"subspace\" or \"cocluster\"",
                            "family");
    if (tac_bad_words(fault, model->method, "method")) return true;
    if (model->k < 1 || model->k > TAC_MODEL_K_MAX)
        return tac_fault_at(fault, "must be 1 to 1000000", known == 3 ? "row_clusters" : "k");
    if (model->rounds < 0) return tac_fault_at(fault, "must be at least 0", "rounds");
    if (d < 1 || d > TAC_MODEL_DIMS_MAX)
        return tac_fault_at(fault, "must name 1 to 16777216 columns", "columns");
    for (int32_t j = 0; j < d; j++)
        if (model->column[j] == NULL)
            return tac_fault_at(fault, "must be a name", "columns[%d]", j);
    if (known == 3)
        return tac_bad_blocks(model, fault) || bad_notes(model, fault) ||
               tac_bad_card(model, fault);
    if (known == 2 ? bad_subspaces(model, fault)
                   : bad_centers(model, fault) || tac_bad_explanation(model, fault))
        return true;
    for (int32_t i = 0; i < model->k; i++)
        if (isinf(model->sizes[i]))
            return tac_fault_at(fault, "must be a finite number, or null", "sizes[%d]", i);
    if (!tac_is_deviation(model->sizes_sd))
        return tac_fault_at(fault, tac_no_deviation, "sizes_noise_sd");
    return bad_choice(model, fault) || bad_geometry(model, fault) ||
           tac_bad_synopsis(model, fault) || tac_bad_card(model, fault);
}
