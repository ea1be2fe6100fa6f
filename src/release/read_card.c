/* SPDX-License-Identifier: Apache-2.0 */
/* The privacy card back from a release file. */
#include "release/read_card.h"

#include "release/model_internal.h"

#include <stdio.h>
#include <string.h>

#define COUNT(names) (sizeof(names) / sizeof((names)[0]))

static tacit_status read_queries(const tac_section *card, tacit_model *model)
{
    static const char *const names[] = {"what",        "kind", "noise",   "scale",
                                        "sensitivity", "cost", "answers", "batch"};
    /* batches came with co-clustering */
    const size_t known = COUNT(names) - !tac_model_is_blocks(model);
    tac_section section;
    tacit_status status;
    const tac_node *list = NULL;
    int64_t batch = -1;

    TAC_TRY(tac_field_list(card, "queries", -1, &list));
    if (tac_node_count(list) > INT32_MAX)
        return tac_field_refuse(card, "queries", "has too many entries");
    TAC_TRY(tac_model_new_queries(card->ctx, model, (int32_t)tac_node_count(list)));
    for (int32_t i = 0; i < model->card.queries; i++) {
        tac_card_query *query = &model->card.query[i];
        TAC_TRY(tac_section_item(card, "queries", list, (size_t)i, &section));
        TAC_TRY(tac_section_only(&section, names, known));
        TAC_TRY(tac_field_text(&section, "what", &query->what));
        TAC_TRY(tac_field_text(&section, "kind", &query->kind));
        TAC_TRY(tac_field_text(&section, "noise", &query->noise));
        TAC_TRY(tac_field_number(&section, "scale", &query->scale));
        TAC_TRY(tac_field_number(&section, "sensitivity", &query->sensitivity));
        TAC_TRY(tac_field_number(&section, "cost", &query->cost));
        TAC_TRY(tac_field_integer(&section, "answers", 0, INT64_MAX, &query->answers));
        if (!tac_field_present(&section, "batch")) continue; /* all rows were asked */
        TAC_TRY(tac_field_integer(&section, "batch", 0, INT32_MAX, &batch));
        query->batch = (int32_t)batch;
    }
done:
    return status;
}

/* "private", "why_not_private" and "randomness" say one thing in three places; they must agree.
   may_leak: there are methods of this family that are not private for another reason than a
   seed. */
static tacit_status read_reason(const tac_section *section, bool may_leak, tac_card *card)
{
    tacit_status status;
    bool private = false;
    int word = 0;
    char *why = NULL;

    TAC_TRY(tac_field_bool(section, "private", &private));
    if (private)
        TAC_TRY(tac_field_absent(section, "why_not_private", "does not go with private = true"));
    else
        TAC_TRY(tac_field_text(section, "why_not_private", &why));
    TAC_TRY(tac_field_word(section, "randomness", tac_randomness_words, 3, &word));
    card->insecure_seed = word == 1;
    card->plain = word == 2;
    if ((private && word != 0) || (!private && word != 1 && !may_leak)) {
        status = tac_field_refuse(section, "private", "contradicts privacy.randomness");
    } else if (!private && word != 1) {
        card->leak = why;
        why = NULL;
    } else if (!private) { /* the seed is a reason by itself; another may follow it */
        const size_t seed = strlen(tac_seed_words);
        if (strncmp(why, tac_seed_words, seed) == 0 && strncmp(why + seed, "; ", 2) == 0)
            status = tac_model_set_text(section->ctx, &card->leak, why + seed + 2);
    }
done:
    tac_free(why);
    return status;
}

/* The end of every card, and all that a plain one has. key: where it says what is promised. */
static tacit_status read_end(const tac_section *section, bool may_leak, const char *key,
                             tac_card *card)
{
    tacit_status status;
    char *promises = NULL;

    TAC_TRY(read_reason(section, may_leak, card));
    TAC_TRY(tac_field_text(section, "guarantee", &card->guarantee));
    TAC_TRY(tac_field_text(section, "paper", &card->paper));
    TAC_TRY(tac_field_text(section, "version", &card->version));
    /* older releases have none */
    if (tac_field_present(section, key)) TAC_TRY(tac_field_text(section, key, &promises));
done:
    tac_free(promises);
    return status;
}

tacit_status tac_read_card(const tac_section *top, tacit_model *model)
{
    /* Up to format 4 two keys had other words. */
    const int64_t format = tac_node_integer(tac_node_field(top->object, "format"));
    const bool old = format<5, runs = format> 5; /* the last came with format 6 */
    const char *const neighbors = old ? "neighbours" : "neighbors";
    const char *const promises = old ? "terms" : "promises";
    const char *const names[] = {
        "private", "why_not_private", "guarantee",  "unit",   "rows_per_unit", neighbors,
        "epsilon", "delta",           "accountant", "native", "queries",       "randomness",
        "ledger",  "paper",           "version",    promises, "ledger_run"};
    const char *const plain_names[] = {"private", "why_not_private", "guarantee", "randomness",
                                       "paper",   "version",         promises};
    static const char *const native_names[] = {"parameter", "budget", "spent"};
    tac_card *card = &model->card;
    tac_section section, native;
    tacit_status status;
    int word = 0;
    int64_t whole = 0;

    TAC_TRY(tac_section_inside(top, "privacy", &section));
    TAC_TRY(tac_section_only(&section, names, COUNT(names) - !runs));
    TAC_TRY(read_end(&section, tac_model_is_subspace(model) || tac_model_is_blocks(model), promises,
                     card));
    if (card->plain) return tac_section_only(&section, plain_names, COUNT(plain_names));
    TAC_TRY(tac_field_text(&section, "unit", &card->unit));
    TAC_TRY(tac_field_integer(&section, "rows_per_unit", 1, INT32_MAX, &whole));
    card->rows_per_unit = (int32_t)whole;
    TAC_TRY(tac_field_word(&section, neighbors, tac_neighbor_words,
                           tac_model_is_blocks(model) ? 3 : 2, &word));
    card->neighbors = (tacit_neighbors)word;
    TAC_TRY(tac_field_number(&section, "epsilon", &card->epsilon));
    TAC_TRY(tac_field_number(&section, "delta", &card->delta));
    TAC_TRY(tac_field_word(&section, "accountant", tac_accountant_words, 3, &word));
    TAC_TRY(tac_field_text(&section, "accountant", &card->accountant));

    TAC_TRY(tac_section_inside(&section, "native", &native));
    TAC_TRY(tac_section_only(&native, native_names, COUNT(native_names)));
    TAC_TRY(tac_field_word(&native, "parameter", &tac_native_words[word], 1, &(int){0}));
    TAC_TRY(tac_field_number(&native, "budget", &card->native_budget));
    TAC_TRY(tac_field_number(&native, "spent", &card->native_spent));

    TAC_TRY(read_queries(&section, model));
    TAC_TRY(tac_field_bool(&section, "ledger", &card->in_ledger));
    if (tac_field_present(&section, "ledger_run"))
        TAC_TRY(tac_field_text(&section, "ledger_run", &card->ledger_run));
done:
    return status;
}

/* Does a text begin so? A program with another locale writes another decimal point. */
static bool begins(const char *text, const char *with)
{
    for (; *with != '\0'; text++, with++)
        if (*text != *with && !((*text == '.' || *text == ',') && (*with == '.' || *with == ',')))
            return false;
    return true;
}

/* The one sentence that people read must not promise what the numbers do not: it begins with them,
   or with "none". Its other words name a column and what the promise rests on, and are the
   maker's. */
static tacit_status check_promise(const tac_section *top, const tac_card *card)
{
    char with[96] = "none: ", cause[160];

    if (!card->insecure_seed && card->leak == NULL && card->delta > 0)
        snprintf(with, sizeof with, "(%.15g, %.15g)-differential", card->epsilon, card->delta);
    else if (!card->insecure_seed && card->leak == NULL)
        snprintf(with, sizeof with, "%.15g-differential", card->epsilon);
    if (begins(card->guarantee, with)) return TACIT_OK;
    snprintf(cause, sizeof cause, "contradicts the card: it must begin with \"%s\"", with);
    return tac_field_refuse(top, "privacy.guarantee", cause);
}

tacit_status tac_check_claims(const tac_section *top, const tac_card *card)
{
    const double room = 1 + 1e-9; /* for sums in floating point */

    if (card->plain) return check_promise(top, card);
    if (strcmp(card->accountant, tac_accountant_words[0]) == 0 &&
        card->native_budget > card->epsilon * room)
        return tac_field_refuse(top, "privacy.native.budget",
                                "must not be above privacy.epsilon with the accountant \"pure\"");
    if (tac_card_cost(card) > card->native_spent * room)
        return tac_field_refuse(top, "privacy.native.spent",
                                "must not be below what the queries cost");
    return check_promise(top, card);
}
