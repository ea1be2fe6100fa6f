/* SPDX-License-Identifier: Apache-2.0 */
/* How sure a chosen k is: field k_choice of a release, and what a program asks of it. */
#include "release/fields.h"
#include "release/model_internal.h"

#include <math.h>
#include <stdio.h>

/* from TACIT_K_CLEAR on */
static const char *const verdicts[] = {"clear", "weak", "none", "noisy"};

void tac_put_k_choice(tac_json *json, const tacit_model *model)
{
    const tacit_k_choice *c = &model->choice;

    if (c->verdict == TACIT_K_GIVEN) return;
    tac_json_object(json, "k_choice", TAC_JSON_ROW);
    tac_json_text(json, "verdict", verdicts[c->verdict - TACIT_K_CLEAR]);
    tac_json_number(json, "strength", c->strength);
    tac_json_number(json, "needed", c->needed);
    tac_json_integer(json, "low", c->low);
    tac_json_integer(json, "high", c->high);
    tac_json_integer(json, "best", c->best);
    tac_json_end(json);
}

tacit_status tac_read_k_choice(const tac_section *top, tacit_model *model)
{
    static const char *const names[] = {"verdict", "strength", "needed", "low", "high", "best"};
    tacit_status status = TACIT_OK;
    tacit_k_choice *c = &model->choice;
    tac_section section;
    int word = 0;
    int64_t low = 0, high = 0, best = 0;

    if (!tac_field_present(top, "k_choice")) return TACIT_OK;
    TAC_TRY(tac_section_inside(top, "k_choice", &section));
    TAC_TRY(tac_section_only(&section, names, sizeof names / sizeof *names));
    TAC_TRY(tac_field_word(&section, "verdict", verdicts, 4, &word));
    TAC_TRY(tac_field_number(&section, "strength", &c->strength));
    TAC_TRY(tac_field_number(&section, "needed", &c->needed));
    TAC_TRY(tac_field_integer(&section, "low", 1, TAC_MODEL_K_MAX, &low));
    TAC_TRY(tac_field_integer(&section, "high", 1, TAC_MODEL_K_MAX, &high));
    TAC_TRY(tac_field_integer(&section, "best", 1, TAC_MODEL_K_MAX, &best));
    c->verdict = (tacit_k_verdict)(TACIT_K_CLEAR + word);
    c->low = (int32_t)low;
    c->high = (int32_t)high;
    c->best = (int32_t)best;
done:
    return status;
}

bool tac_bad_k_choice(const tacit_model *model, tac_fault *fault)
{
    const tacit_k_choice *c = &model->choice;

    if (c->verdict == TACIT_K_GIVEN) return false;
    const bool groups = c->verdict == TACIT_K_CLEAR || c->verdict == TACIT_K_WEAK;
    if (model->curve_count == 0) return tac_fault_at(fault, "goes with a k_curve only", "k_choice");
    if (c->verdict > TACIT_K_NOISY) return tac_fault_at(fault, "is no verdict", "k_choice.verdict");
    if (!isfinite(c->strength)) return tac_fault_at(fault, tac_not_finite, "k_choice.strength");
    if (!isfinite(c->needed)) return tac_fault_at(fault, tac_not_finite, "k_choice.needed");
    if (c->low < 1 || c->low > c->best || c->high < c->best || c->high > model->curve_count)
        return tac_fault_at(fault, "must be from low to high, within k_curve", "k_choice.best");
    if (model->k != (groups ? c->best : 1))
        return tac_fault_at(fault, "must be k where there are groups, and k 1 where there are none",
                            "k_choice.best");
    return false;
}

tacit_status tacit_model_k_choice(const tacit_model *model, tacit_k_choice *out)
{
    if (model == NULL || model->choice.verdict == TACIT_K_GIVEN) return TACIT_E_ARGUMENT;
    return tac_give_struct(NULL, "tacit_k_choice", &model->choice, sizeof model->choice, out);
}
