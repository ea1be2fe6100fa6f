/* SPDX-License-Identifier: Apache-2.0 */
/* The door itself: opening, paying, releasing. Kinds of questions are in ask_*.c. */
#include "privacy/door_internal.h"
#include "privacy/noise/trace_noise.h"

tacit_status tac_door_open(tacit_ctx *ctx, const tac_engine *engine, const tac_lattice *lattice,
                           tacit_neighbours neighbours, int32_t rows_per_unit, tac_accountant *accountant,
                           const tac_key *key, tac_door **out)
{
    tacit_status status = TACIT_OK;
    tac_door *door = NULL;

    *out = NULL;
    if (rows_per_unit < 1 || rows_per_unit > TAC_ROWS_PER_UNIT_MOST)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "max rows per unit must be between 1 and %d", TAC_ROWS_PER_UNIT_MOST);
    if (neighbours != TACIT_ADD_REMOVE && neighbours != TACIT_REPLACE && neighbours != TACIT_ENTRY)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "neighbours is neither add-remove, nor replace, nor entry");
    if (neighbours == TACIT_ENTRY && rows_per_unit != 1)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "neighbours entry protects single counts; max rows per unit has no place there");
    TAC_TRY(tac_new(ctx, 1, sizeof *door, &door));
    *door = (tac_door){.ctx = ctx,
                       .engine = engine,
                       .lattice = {[TAC_ROWS] = lattice},
                       .neighbours = neighbours,
                       .rows_per_unit = (uint64_t)rows_per_unit,
                       .accountant = accountant,
                       .key = key};
    *out = door;
done:
    return status;
}

void tac_door_look(tac_door *door, tac_view view, const tac_lattice *lattice)
{
    door->lattice[view] = lattice;
}

void tac_door_owners(tac_door *door, const int64_t *owner)
{
    door->owner = owner;
}

void tac_door_close(tac_door *door)
{
    if (door == NULL) return;
    tac_free(door->receipt);
    tac_free(door->batch);
    tac_free(door->batch_spent);
    tac_free(door);
}

int32_t tac_door_dims(const tac_door *door, tac_view view)
{
    return (unsigned)view >= TAC_VIEWS || door->lattice[view] == NULL ? 0 : door->lattice[view]->dims;
}

tac_terms tac_door_terms(const tac_door *door)
{
    return (tac_terms){.notion = door->accountant->notion,
                       .neighbours = door->neighbours,
                       .rows_per_unit = (int32_t)door->rows_per_unit};
}

tac_law tac_door_law(const tac_door *door)
{
    return door->accountant->notion == TAC_PURE ? TAC_LAPLACE : TAC_GAUSSIAN;
}

uint64_t tac_door_left(const tac_door *door)
{
    const uint64_t left = door->accountant->budget - door->accountant->spent;
    return left > door->held ? left - door->held : 0;
}

void tac_door_hold(tac_door *door, uint64_t units)
{
    door->held = units;
}

int32_t tac_door_asked(const tac_door *door)
{
    return door->asked;
}

const tac_receipt *tac_door_receipt(const tac_door *door, int32_t index)
{
    return index < 0 || index >= door->asked ? NULL : &door->receipt[index];
}

void tac_door_set_probe(tac_door *door, const tac_door_probe *probe)
{
    door->probe = *probe;
}

tacit_status tac_door_pay_exactly(tac_door *door, const tac_receipt *receipt, const tac_receipt **out)
{
    tacit_status status = TACIT_OK;

    *out = NULL;
    if (door->asked == door->room) {
        const int32_t room = door->room < 16 ? 16 : 2 * door->room;
        TAC_TRY(tac_grow(door->ctx, &door->receipt, (size_t)room, sizeof *door->receipt));
        door->room = room;
    }
    TAC_TRY(tac_batch_charge(door, receipt->batch, receipt->units));
    door->receipt[door->asked] = *receipt;
    *out = &door->receipt[door->asked++];
done:
    return status;
}

static tacit_status too_small(const tac_door *door)
{
    return tac_fail(door->ctx, TACIT_E_ARGUMENT, "epsilon is too small for this question: its noise would not fit 64-bit "
                    "numbers; raise epsilon or ask with fewer columns");
}

/* Laplace or trace noise: either costs sensitivity / scale. r: all but the scale and the units. */
static tacit_status pay_pure(tac_door *door, tac_receipt r, uint64_t units, const tac_receipt **out)
{
    const tac_notion notion = door->accountant->notion;

    *out = NULL;
    r.scale = tac_laplace_scale_for(r.sensitivity, tac_pure_for(notion, units));
    if (r.scale == 0) return too_small(door);
    r.units = tac_cost_pure(notion, tac_cost_laplace(r.sensitivity, r.scale));
    return tac_door_pay_exactly(door, &r, out);
}

tacit_status tac_door_pay_laplace(tac_door *door, const char *kind, const char *what, tac_u128 l1, uint64_t units,
                                  int64_t answers, const tac_receipt **out)
{
    const tac_receipt r = {.kind = kind, .what = what, .law = TAC_LAPLACE, .sensitivity = l1, .answers = answers, .batch = -1};
    return pay_pure(door, r, units, out);
}

tacit_status tac_door_pay_batch(tac_door *door, const char *kind, const char *what, const tac_sensitivity *s, uint64_t units,
                                int32_t batch, int64_t answers, const tac_receipt **out)
{
    tac_receipt r = {.kind = kind, .what = what, .law = TAC_GAUSSIAN, .sensitivity = s->l2_squared, .answers = answers, .batch = batch};

    if (door->accountant->notion == TAC_PURE) {
        r.law = s->trace > 0 ? TAC_TRACE : TAC_LAPLACE;
        r.sensitivity = s->trace > 0 ? s->trace : s->l1;
        r.dims = s->trace > 0 ? s->dims : 0;
        return pay_pure(door, r, units, out);
    }
    *out = NULL;
    r.scale = tac_sigma_for(s->l2_squared, units);
    if (r.scale == 0) return too_small(door);
    r.units = tac_cost_gaussian(r.sensitivity, r.scale);
    return tac_door_pay_exactly(door, &r, out);
}

tacit_status tac_door_pay(tac_door *door, const char *kind, const char *what, const tac_sensitivity *s, uint64_t units,
                          int64_t answers, const tac_receipt **out)
{
    return tac_door_pay_batch(door, kind, what, s, units, -1, answers, out);
}

static tacit_status add_noise(tac_door *door, const tac_receipt *r, uint64_t query, uint64_t *answer, size_t count)
{
    const tac_trace law = {.scale = r->scale, .dims = r->dims, .same = TAC_MOMENT_SAME, .cross = TAC_MOMENT_CROSS};
    const size_t triangle = (size_t)r->dims * ((size_t)r->dims + 1) / 2;

    if (r->law != TAC_TRACE) return tac_add_noise(door->ctx, door->engine, door->key, query, r->law, r->scale, answer, count);
    return tac_add_trace_noise(door->ctx, door->engine, door->key, query, &law, answer, count / triangle, NULL);
}

tacit_status tac_door_release(tac_door *door, const tac_receipt *receipt, uint64_t *answer, size_t count)
{
    const uint64_t query = (uint64_t)(receipt - door->receipt); /* every question has its own subkey */
    tacit_status status = TACIT_OK;

    if (door->probe.exact != NULL) door->probe.exact(door->probe.payload, receipt, answer, count);
    TAC_TRY(add_noise(door, receipt, query, answer, count));
    if (door->probe.noisy != NULL) door->probe.noisy(door->probe.payload, receipt, answer, count);
done:
    return status;
}
