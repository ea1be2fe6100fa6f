/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of a privacy card. */
#include "release/model_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_QUERIES 10000 /* of a co-clustering */
#define LONGEST_REASON 700 /* bytes */
#define RUN_DIGITS 32

static bool at_least_zero(double value)
{
    return isfinite(value) && value >= 0;
}

static bool above_zero(double value)
{
    return isfinite(value) && value > 0;
}

static bool bad_query(const tac_card_query *query, int32_t i, tac_fault *fault)
{
    char field[64];

    snprintf(field, sizeof field, "privacy.queries[%d].what", i);
    if (tac_bad_words(fault, query->what, field)) return true;
    snprintf(field, sizeof field, "privacy.queries[%d].kind", i);
    if (tac_bad_words(fault, query->kind, field)) return true;
    snprintf(field, sizeof field, "privacy.queries[%d].noise", i);
    if (tac_bad_words(fault, query->noise, field)) return true;
    if (!above_zero(query->scale))
        return tac_fault_at(fault, tac_not_positive, "privacy.queries[%d].scale", i);
    if (!at_least_zero(query->sensitivity))
        return tac_fault_at(fault, tac_negative, "privacy.queries[%d].sensitivity", i);
    if (!at_least_zero(query->cost))
        return tac_fault_at(fault, tac_negative, "privacy.queries[%d].cost", i);
    if (query->answers < 0)
        return tac_fault_at(fault, "must be at least 0", "privacy.queries[%d].answers", i);
    if (query->batch < -1)
        return tac_fault_at(fault, "must be at least 0", "privacy.queries[%d].batch", i);
    return false;
}

/* What the queries cost in all: those of one batch of rows add up, those of different batches do
   not, since no count is in two of them; those of all rows always do. */
double tac_card_cost(const tac_card *card)
{
    double all = 0, most = 0;

    for (int32_t i = 0; i < card->queries; i++) {
        const int32_t batch = card->query[i].batch;
        double sum = 0;
        if (batch < 0) {
            all += card->query[i].cost;
            continue;
        }
        for (int32_t j = 0; j < card->queries; j++) {
            if (card->query[j].batch != batch) continue;
            if (j < i) break; /* this batch was added up before */
            sum += card->query[j].cost;
        }
        most = sum > most ? sum : most;
    }
    return all + most;
}

static const char person_words[] = "person (column ";

/* Who is protected, and against what. */
static bool bad_unit(const tacit_model *model, tac_fault *fault)
{
    const tac_card *card = &model->card;
    const bool blocks = tac_model_is_blocks(model), entry = card->neighbors == TACIT_ENTRY;

    const char *unit = card->unit == NULL ? "" : card->unit;
    const bool row = strcmp(unit, "row") == 0,
               person = strncmp(unit, person_words, strlen(person_words)) == 0;

    if (!row && !person && strcmp(unit, "entry") != 0)
        return tac_fault_at(fault, "must be \"row\", \"entry\" or \"person (column NAME)\"",
                            "privacy.unit");
    if ((strcmp(unit, "entry") == 0) != entry)
        return tac_fault_at(fault, "must be \"entry\" with the neighbors \"entry\", and only then",
                            "privacy.unit");
    if (card->rows_per_unit < 1)
        return tac_fault_at(fault, "must be at least 1", "privacy.rows_per_unit");
    if (!person && card->rows_per_unit != 1)
        return tac_fault_at(fault, "must be 1 with the unit \"row\" or \"entry\"",
                            "privacy.rows_per_unit");
    if ((unsigned)card->neighbors > (blocks ? 2 : 1))
        return tac_fault_at(fault,
                            blocks ? "must be \"add-remove\", \"replace\" or \"entry\""
                                   : "must be \"add-remove\" or \"replace\"",
                            "privacy.neighbors");
    return false;
}

/* Its run in the ledger, as the ledger's history names it. */
static bool bad_run(const tac_card *card, tac_fault *fault)
{
    const char *run = card->ledger_run;

    if (run == NULL) return false; /* older files do not say */
    if (!card->in_ledger)
        return tac_fault_at(fault, "does not go with privacy.ledger = false", "privacy.ledger_run");
    if (strlen(run) != RUN_DIGITS || strspn(run, "0123456789abcdef") != RUN_DIGITS)
        return tac_fault_at(fault, "must be 32 digits of 0 to 9 and a to f", "privacy.ledger_run");
    return false;
}

bool tac_bad_card(const tacit_model *model, tac_fault *fault)
{
    const tac_card *card = &model->card;

    /* may name a column, in the owner's letters */
    if (card->guarantee == NULL || card->guarantee[0] == '\0')
        return tac_fault_at(fault, "must not be empty", "privacy.guarantee");
    if ((card->leak != NULL || card->plain) &&
        tac_bad_words(fault, card->leak, "privacy.why_not_private"))
        return true;
    if (card->leak != NULL && strlen(card->leak) > LONGEST_REASON)
        return tac_fault_at(fault, "must have at most 700 bytes", "privacy.why_not_private");
    if (card->plain)
        return tac_bad_words(fault, card->paper, "privacy.paper") ||
               tac_bad_words(fault, card->version, "privacy.version");
    if (bad_unit(model, fault) || bad_run(card, fault)) return true;
    if (!above_zero(card->epsilon)) return tac_fault_at(fault, tac_not_positive, "privacy.epsilon");
    if (!at_least_zero(card->delta) || card->delta >= 1)
        return tac_fault_at(fault, "must be at least 0 and below 1", "privacy.delta");
    const char *accountant = card->accountant == NULL ? "" : card->accountant;
    int known = 0;
    while (known < 3 && strcmp(accountant, tac_accountant_words[known]) != 0) known++;
    if (known == 3)
        return tac_fault_at(fault, "must be \"pure\", \"gaussian\" or \"alone\"",
                            "privacy.accountant");
    /* Gaussian noise never gives delta = 0: such a card would promise what no run can keep. */
    if (known != 0 && card->delta == 0)
        return tac_fault_at(fault, "must be \"pure\" when privacy.delta is 0",
                            "privacy.accountant");
    if (!above_zero(card->native_budget))
        return tac_fault_at(fault, tac_not_positive, "privacy.native.budget");
    if (!at_least_zero(card->native_spent))
        return tac_fault_at(fault, tac_negative, "privacy.native.spent");
    if (card->native_spent > card->native_budget * (1 + 1e-9)) /* room for sums in floating point */
        return tac_fault_at(fault, "must not be above privacy.native.budget",
                            "privacy.native.spent");
    if (tac_model_is_blocks(model) && card->queries > MOST_QUERIES)
        return tac_fault_at(fault, "has too many entries", "privacy.queries");
    if (card->queries < 0) return tac_fault_at(fault, "must be a list", "privacy.queries");
    for (int32_t i = 0; i < card->queries; i++)
        if (bad_query(&card->query[i], i, fault)) return true;
    if (tac_model_is_blocks(model) && tac_card_cost(card) > card->native_spent * (1 + 1e-9))
        return tac_fault_at(fault,
                            "must not be below what the queries cost: those of all rows and of the "
                            "dearest batch",
                            "privacy.native.spent");
    return tac_bad_words(fault, card->paper, "privacy.paper") ||
           tac_bad_words(fault, card->version, "privacy.version");
}
