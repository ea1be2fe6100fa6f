/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of a release in one place: the writer and the reader both ask here. */
#include "release/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const tac_family_words[4] = {"kmeans", "kmedian", "subspace", "cocluster"};
const char *const tac_scale_words[2] = {"range", "none"};
const char *const tac_missing_words[2] = {"midpoint", "reject-file"};
const char *const tac_neighbour_words[3] = {"add-remove", "replace", "entry"};
const char *const tac_randomness_words[3] = {"ChaCha20 keyed by the operating system", "insecure test seed", "none"};
const char *const tac_seed_words =
    "the noise was drawn from a test seed: whoever knows or guesses the seed can take the noise off again";
const char *const tac_accountant_words[4] = {"pure", "gaussian", "zcdp", "alone"};
const char *const tac_native_words[4] = {"epsilon", "mu^2", "2 rho", "run"};

__attribute__((format(printf, 3, 4)))
static bool fault_at(tac_fault *fault, const char *cause, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(fault->field, sizeof fault->field, format, args);
    va_end(args);
    fault->cause = cause;
    return true;
}

static const char not_finite[] = "must be a finite number";
static const char negative[] = "must be a finite number of at least 0";
static const char no_deviation[] = "must be a finite number of at least 0, or null";
static const char not_positive[] = "must be a finite number above 0";

static bool at_least_zero(double value)
{
    return isfinite(value) && value >= 0;
}

/* NaN stands for a deviation that the method cannot tell. */
static bool is_deviation(double value)
{
    return isnan(value) || at_least_zero(value);
}

static bool above_zero(double value)
{
    return isfinite(value) && value > 0;
}

/* Our own words: there, and without control characters that a terminal would obey. Names of columns come from the
   owner's file and may hold anything; a run that is paid for must not fail on them here. */
static bool bad_words(tac_fault *fault, const char *text, const char *field)
{
    if (text == NULL || text[0] == '\0') return fault_at(fault, "must not be empty", "%s", field);
    for (const char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return fault_at(fault, "must be one line of plain text", "%s", field);
    return false;
}

static bool bad_geometry(const tacit_model *model, tac_fault *fault)
{
    const tac_geometry *geometry = &model->geometry;

    if ((unsigned)geometry->scale > 1) return fault_at(fault, "must be \"range\" or \"none\"", "geometry.scale");
    if ((unsigned)geometry->missing > 1)
        return fault_at(fault, "must be \"midpoint\" or \"reject-file\"", "geometry.missing");
    if (geometry->ball && geometry->center == NULL) return fault_at(fault, "is missing", "geometry.center");
    if (!geometry->ball && geometry->lower == NULL) return fault_at(fault, "is missing", "geometry.lower");
    if (!geometry->ball && geometry->upper == NULL) return fault_at(fault, "is missing", "geometry.upper");
    for (int32_t j = 0; !geometry->ball && j < model->dims; j++) {
        if (!isfinite(geometry->lower[j])) return fault_at(fault, not_finite, "geometry.lower[%d]", j);
        if (!isfinite(geometry->upper[j])) return fault_at(fault, not_finite, "geometry.upper[%d]", j);
        if (!(geometry->lower[j] < geometry->upper[j]))
            return fault_at(fault, "must be above geometry.lower of the same column", "geometry.upper[%d]", j);
    }
    for (int32_t j = 0; geometry->ball && j < model->dims; j++)
        if (!isfinite(geometry->center[j])) return fault_at(fault, not_finite, "geometry.center[%d]", j);
    if (geometry->ball && !above_zero(geometry->radius)) return fault_at(fault, not_positive, "geometry.radius");
    return bad_words(fault, geometry->origin, "geometry.bounds_origin");
}

static bool bad_query(const tac_card_query *query, int32_t i, tac_fault *fault)
{
    char field[64];

    snprintf(field, sizeof field, "privacy.queries[%d].what", i);
    if (bad_words(fault, query->what, field)) return true;
    snprintf(field, sizeof field, "privacy.queries[%d].kind", i);
    if (bad_words(fault, query->kind, field)) return true;
    snprintf(field, sizeof field, "privacy.queries[%d].noise", i);
    if (bad_words(fault, query->noise, field)) return true;
    if (!above_zero(query->scale)) return fault_at(fault, not_positive, "privacy.queries[%d].scale", i);
    if (!at_least_zero(query->sensitivity)) return fault_at(fault, negative, "privacy.queries[%d].sensitivity", i);
    if (!at_least_zero(query->cost)) return fault_at(fault, negative, "privacy.queries[%d].cost", i);
    if (query->answers < 0) return fault_at(fault, "must be at least 0", "privacy.queries[%d].answers", i);
    return false;
}

static bool bad_card(const tac_card *card, tac_fault *fault)
{
    if (card->guarantee == NULL || card->guarantee[0] == '\0') /* may name a column, in the owner's letters */
        return fault_at(fault, "must not be empty", "privacy.guarantee");
    if ((card->leak != NULL || card->plain) && bad_words(fault, card->leak, "privacy.why_not_private")) return true;
    if (card->plain)
        return bad_words(fault, card->paper, "privacy.paper") || bad_words(fault, card->version, "privacy.version");
    if (card->unit == NULL) return fault_at(fault, "must be \"row\" or a column's name", "privacy.unit");
    if (card->rows_per_unit < 1) return fault_at(fault, "must be at least 1", "privacy.rows_per_unit");
    if ((unsigned)card->neighbours > 1)
        return fault_at(fault, "must be \"add-remove\" or \"replace\"", "privacy.neighbours");
    if (!above_zero(card->epsilon)) return fault_at(fault, not_positive, "privacy.epsilon");
    if (!at_least_zero(card->delta) || card->delta >= 1)
        return fault_at(fault, "must be at least 0 and below 1", "privacy.delta");
    const char *accountant = card->accountant == NULL ? "" : card->accountant;
    int known = 0;
    while (known < 4 && strcmp(accountant, tac_accountant_words[known]) != 0) known++;
    if (known == 4)
        return fault_at(fault, "must be \"pure\", \"gaussian\", \"zcdp\" or \"alone\"", "privacy.accountant");
    /* Gaussian noise never gives delta = 0: such a card would promise what no run can keep. */
    if (known != 0 && card->delta == 0)
        return fault_at(fault, "must be \"pure\" when privacy.delta is 0", "privacy.accountant");
    if (!above_zero(card->native_budget)) return fault_at(fault, not_positive, "privacy.native.budget");
    if (!at_least_zero(card->native_spent)) return fault_at(fault, negative, "privacy.native.spent");
    if (card->native_spent > card->native_budget * (1 + 1e-9)) /* room for sums in floating point */
        return fault_at(fault, "must not be above privacy.native.budget", "privacy.native.spent");
    if (card->queries < 0) return fault_at(fault, "must be a list", "privacy.queries");
    for (int32_t i = 0; i < card->queries; i++)
        if (bad_query(&card->query[i], i, fault)) return true;
    return bad_words(fault, card->paper, "privacy.paper") || bad_words(fault, card->version, "privacy.version");
}

/* How k was chosen, and what the reader should know. */
static bool bad_choice(const tacit_model *model, tac_fault *fault)
{
    if (model->curve_count != 0 && (model->curve_count < model->k || model->curve_count > TAC_MODEL_K_MAX))
        return fault_at(fault, "must be empty, or have an entry for each number of centres up to k or more", "k_curve");
    for (int32_t i = 0; i < model->curve_count; i++)
        if (!isfinite(model->curve[i])) return fault_at(fault, not_finite, "k_curve[%d]", i);
    for (int32_t i = 0; i < model->notes; i++) /* may name a column, in the owner's letters */
        if (model->note[i] == NULL || model->note[i][0] == '\0') return fault_at(fault, "must not be empty", "notes[%d]", i);
    return false;
}

/* The centres of the other families. */
static bool bad_centers(const tacit_model *model, tac_fault *fault)
{
    for (int32_t i = 0; i < model->k; i++)
        for (int32_t j = 0; j < model->dims; j++) {
            const size_t at = (size_t)i * (size_t)model->dims + (size_t)j;
            if (!isfinite(model->centers[at])) return fault_at(fault, not_finite, "centers[%d][%d]", i, j);
            if (!is_deviation(model->centers_sd[at]))
                return fault_at(fault, no_deviation, "centers_noise_sd[%d][%d]", i, j);
        }
    return false;
}

#define SQUARE 1e-6 /* bases are orthonormal up to this */

static bool bad_basis(const tacit_model *model, int32_t i, tac_fault *fault)
{
    const size_t q = (size_t)model->q, d = (size_t)model->dims;
    const double *basis = model->subspaces + (size_t)i * d * q;

    for (size_t j = 0; j < d * q; j++)
        if (!isfinite(basis[j])) return fault_at(fault, not_finite, "subspaces[%d][%zu][%zu]", i, j / q, j % q);
    for (size_t a = 0; a < q; a++)
        for (size_t b = a; b < q; b++) {
            double inner = 0;
            for (size_t j = 0; j < d; j++) inner += basis[j * q + a] * basis[j * q + b];
            if (!(fabs(inner - (a == b)) <= SQUARE))
                return fault_at(fault, "must have columns of length 1 at right angles", "subspaces[%d]", i);
        }
    return false;
}

static bool bad_subspaces(const tacit_model *model, tac_fault *fault)
{
    if (model->q < 1 || model->q >= model->dims)
        return fault_at(fault, "must be at least 1 and below the number of columns", "q");
    for (int32_t i = 0; i < model->k; i++) {
        if (bad_basis(model, i, fault)) return true;
        for (int32_t j = 0; model->offsets != NULL && j < model->dims; j++)
            if (!isfinite(model->offsets[(size_t)i * (size_t)model->dims + (size_t)j]))
                return fault_at(fault, not_finite, "offsets[%d][%d]", i, j);
        for (int32_t j = 0; model->profile != NULL && j < model->q; j++) {
            const double *along = model->profile + (size_t)i * (size_t)model->q + (size_t)j;
            if (!at_least_zero(*along)) return fault_at(fault, negative, "profile[%d][%d]", i, j);
            if (j > 0 && along[0] > along[-1])
                return fault_at(fault, "must not be above the one before it", "profile[%d][%d]", i, j);
        }
    }
    for (int64_t r = 0; model->labels != NULL && r < model->rows; r++)
        if (model->labels[r] < 0 || model->labels[r] >= model->k)
            return fault_at(fault, "must be the number of a subspace, from 0", "labels[%lld]", (long long)r);
    return false;
}

bool tac_model_find_fault(const tacit_model *model, tac_fault *fault)
{
    const int32_t d = model->dims;
    const char *family = model->family == NULL ? "" : model->family;
    int known = 0;

    while (known < 3 && strcmp(family, tac_family_words[known]) != 0) known++;
    if (known == 3 || (known == 2) != tac_model_is_subspace(model))
        return fault_at(fault, "must be \"kmeans\", \"kmedian\" or \"subspace\"", "family");
    if (bad_words(fault, model->method, "method")) return true;
    if (model->k < 1 || model->k > TAC_MODEL_K_MAX) return fault_at(fault, "must be 1 to 1000000", "k");
    if (model->rounds < 0) return fault_at(fault, "must be at least 0", "rounds");
    if (d < 1 || d > TAC_MODEL_DIMS_MAX) return fault_at(fault, "must name 1 to 16777216 columns", "columns");
    for (int32_t j = 0; j < d; j++)
        if (model->column[j] == NULL) return fault_at(fault, "must be a name", "columns[%d]", j);
    if (known == 2 ? bad_subspaces(model, fault) : bad_centers(model, fault)) return true;
    for (int32_t i = 0; i < model->k; i++)
        if (isinf(model->sizes[i])) return fault_at(fault, "must be a finite number, or null", "sizes[%d]", i);
    if (!is_deviation(model->sizes_sd)) return fault_at(fault, no_deviation, "sizes_noise_sd");
    return bad_choice(model, fault) || bad_geometry(model, fault) || bad_card(&model->card, fault);
}
