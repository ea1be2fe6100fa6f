/* SPDX-License-Identifier: Apache-2.0 */
/* The door itself: opening it, paying for a query, adding its noise. The way of a query through
   it is in ask.c. */
#include "privacy/door_internal.h"
#include "privacy/noise/trace_noise.h"

/* *out is the caller's, tac_door_close ends it. The door borrows everything else. */
tacit_status tac_door_open(tacit_ctx *ctx, const tac_engine *engine, const tac_lattice *lattice,
                           tacit_neighbors neighbors, int32_t rows_per_unit,
                           tac_accountant *accountant, const tac_key *key, tac_door **out)
{
    tacit_status status = TACIT_OK;
    tac_door *door = NULL;

    *out = NULL;
    if (rows_per_unit < 1 || rows_per_unit > TAC_ROWS_PER_UNIT_MOST)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "max rows per unit must be between 1 and %d",
                        TAC_ROWS_PER_UNIT_MOST);
    if (neighbors != TACIT_ADD_REMOVE && neighbors != TACIT_REPLACE && neighbors != TACIT_ENTRY)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "neighbors is neither add-remove, nor replace, nor entry");
    if (neighbors == TACIT_ENTRY && rows_per_unit != 1)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "neighbors entry protects single counts; max rows per unit has no place "
                        "there");
    TAC_TRY(tac_new(ctx, 1, sizeof *door, &door));
    *door = (tac_door){.ctx = ctx,
                       .engine = engine,
                       .own = {.lattice = {[TAC_ROWS] = lattice}},
                       .shards = 1,
                       .neighbors = neighbors,
                       .rows_per_unit = (uint64_t)rows_per_unit,
                       .accountant = accountant,
                       .key = key};
    door->shard = &door->own;
    door->own.memo = &door->memo;
    *out = door;
done:
    return status;
}

void tac_door_set_frame(tac_door *door, tac_view view, const tac_lattice *lattice)
{
    tac_memo_forget(&door->memo); /* its labels may be of rows that are gone */
    door->own.lattice[view] = lattice;
}

void tac_door_set_backend(tac_door *door, tac_backend *backend)
{
    door->backend = backend;
}

void tac_door_set_apart(tac_door *door, const char *where)
{
    door->apart = where;
}

void tac_door_copies(tac_door *door, uint64_t copies)
{
    door->copies = copies;
}

void tac_door_owners(tac_door *door, const tac_person *owner)
{
    door->own.owner = owner;
}

void tac_door_close(tac_door *door)
{
    if (door == NULL) return;
    tac_memo_forget(&door->memo);
    tac_free(door->receipt);
    tac_free(door->batch);
    tac_free(door->batch_spent);
    tac_free(door);
}

int32_t tac_door_dims(const tac_door *door, tac_view view)
{
    return (unsigned)view >= TAC_VIEWS || tac_door_lattice(door, view) == NULL
               ? 0
               : tac_door_lattice(door, view)->dims;
}

tac_privacy_params tac_door_params(const tac_door *door)
{
    return (tac_privacy_params){.definition = door->accountant->definition,
                                .neighbors = door->neighbors,
                                .rows_per_unit = (int32_t)door->rows_per_unit};
}

tac_distribution tac_door_distribution(const tac_door *door)
{
    return door->accountant->definition == TAC_PURE ? TAC_LAPLACE : TAC_GAUSSIAN;
}

/* Quanta that can still be charged. Public: prices depend on public numbers alone. */
uint64_t tac_door_left(const tac_door *door)
{
    const uint64_t left = door->accountant->budget - door->accountant->spent;
    return left > door->held ? left - door->held : 0;
}

void tac_door_hold(tac_door *door, uint64_t quanta)
{
    door->held = quanta;
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

/* The distribution of the noise, the least scale whose cost fits `quanta`, and that cost.
   Gaussian: Delta_2^2 / (sigma^2 - 9) on a GDP account. Laplace and trace noise: sensitivity /
   scale, priced as a pure mechanism. Scale 0: none fits. */
static void price_noise(tac_definition definition, const tac_sensitivity *s, tac_price price,
                        uint64_t quanta, tac_receipt *r)
{
    if (definition != TAC_PURE && price == TAC_PRICE_NOISE) {
        r->distribution = TAC_GAUSSIAN;
        r->sensitivity = s->l2_squared;
        r->scale = tac_sigma_for(s->l2_squared, quanta);
        r->quanta = r->scale == 0 ? 0 : tac_cost_gaussian(r->sensitivity, r->scale);
        return;
    }
    const bool trace = s->trace > 0 && price == TAC_PRICE_NOISE;
    r->distribution = trace ? TAC_TRACE : TAC_LAPLACE;
    r->sensitivity = trace ? s->trace : s->l1;
    r->dims = trace ? s->dims : 0;
    r->scale = tac_laplace_scale_for(r->sensitivity, tac_pure_for(definition, quanta));
    r->quanta =
        r->scale == 0 ? 0 : tac_cost_pure(definition, tac_cost_laplace(r->sensitivity, r->scale));
}

/* The price follows from the kind's line in kinds.def and from the bound. `draws` draws share
   the quanta evenly: sequential composition. */
tacit_status tac_door_price(const tac_door *door, const tac_bound *bound, tac_receipt *r)
{
    const tac_definition definition = door->accountant->definition;
    const tac_price price = tac_kind_price(r->kind);
    const uint64_t draws = bound->draws > 0 ? bound->draws : 1;

    switch (price) {
    case TAC_PRICE_NOISE:
    case TAC_PRICE_LAPLACE:
        price_noise(definition, &bound->s, price, bound->quanta, r);
        r->reach = bound->s.reach;
        break;
    case TAC_PRICE_EPSILON:
        r->scale = tac_selection_epsilon(definition, bound->quanta / draws, &r->quanta);
        r->quanta *= draws;
        r->sensitivity = bound->range;
        break;
    case TAC_PRICE_ALONE:
        r->distribution = TAC_GAUSSIAN;
        r->scale = bound->scale;
        r->sensitivity = bound->s.l2_squared;
        r->quanta = door->accountant->budget;
        break;
    }
    if (r->scale > 0) return TACIT_OK;
    if (price == TAC_PRICE_EPSILON)
        return tac_fail(door->ctx, TACIT_E_ARGUMENT,
                        "epsilon is too small for a query of kind %s; raise epsilon",
                        tac_kind_name(r->kind));
    return tac_fail(door->ctx, TACIT_E_ARGUMENT,
                    "epsilon is too small for this query: its noise would not fit 64-bit numbers; "
                    "raise epsilon or ask with fewer columns");
}

/* What `count` queries cost together: their sum, refused where one costs nothing. Batches of rows
   are charged one query at a time. */
static tacit_status charge(tac_door *door, const tac_receipt *priced, int32_t count)
{
    uint64_t all = 0;
    bool good = count >= 1 && (count == 1 || door->batches == 0);

    for (int32_t i = 0; i < count; i++) {
        good = good && (count == 1 || (priced[i].quanta > 0 && priced[i].batch == -1));
        /* no account holds so much */
        all = priced[i].quanta > UINT64_MAX - all ? UINT64_MAX : all + priced[i].quanta;
    }
    if (!good)
        return tac_fail(door->ctx, TACIT_E_INTERNAL,
                        "queries were asked together in a way that makes no sense");
    return tac_batch_charge(door, priced[0].batch, all);
}

/* Charges priced queries, all or none, and appends their receipts. Room first: after the charge
   nothing may fail, or a query would be paid for and have no receipt. */
tacit_status tac_door_pay(tac_door *door, const tac_receipt *priced, int32_t count,
                          const tac_receipt **out)
{
    tacit_status status = TACIT_OK;

    *out = NULL;
    if (door->asked > door->room - count) {
        const int32_t least = door->room < 16 ? 16 : 2 * door->room,
                      room = least < door->asked + count ? door->asked + count : least;
        TAC_TRY(tac_grow(door->ctx, &door->receipt, (size_t)room, sizeof *door->receipt));
        door->room = room;
    }
    TAC_TRY(charge(door, priced, count));
    *out = &door->receipt[door->asked];
    for (int32_t i = 0; i < count; i++) door->receipt[door->asked++] = priced[i];
done:
    return status;
}

/* answer[i] += noise of the receipt's distribution and scale, from the streams of `query`. */
static tacit_status add_noise(tac_door *door, const tac_receipt *r, uint64_t query,
                              uint64_t *answer, size_t count)
{
    const tac_trace distribution = {
        .scale = r->scale, .dims = r->dims, .same = TAC_MOMENT_SAME, .cross = TAC_MOMENT_CROSS};
    const size_t triangle = (size_t)r->dims * ((size_t)r->dims + 1) / 2;
    const size_t numbers = tac_kind_numbers(r->kind, count);
    uint64_t *const high = numbers < count ? answer + numbers : NULL;

    if (r->distribution != TAC_TRACE)
        return tac_add_wide_noise(door->ctx, door->engine, door->key, query, r->distribution,
                                  r->scale, answer, high, numbers);
    return tac_add_wide_trace_noise(door->ctx, door->engine, door->key, query, &distribution,
                                    answer, high, numbers / triangle, NULL);
}

void tac_door_show_exact(const tac_door *door, const tac_receipt *receipt, const uint64_t *words,
                         size_t count)
{
    const size_t numbers = tac_kind_numbers(receipt->kind, count);

    if (door->probe.exact == NULL) return;
    if (numbers < count && tac_one_word_does(words, numbers)) count = numbers;
    door->probe.exact(door->probe.payload, receipt, words, count);
}

/* What the probe leaves in low words alone is a number that fits one word. */
void tac_door_show_noisy(const tac_door *door, const tac_receipt *receipt, uint64_t *words,
                         size_t count)
{
    const bool noised = tac_kind_class(receipt->kind) == TAC_CLASS_NOISED;
    const size_t numbers = noised ? tac_kind_numbers(receipt->kind, count) : count;
    const bool low = numbers < count && tac_one_word_does(words, numbers);

    if (door->probe.noisy == NULL) return;
    door->probe.noisy(door->probe.payload, receipt, words, low ? numbers : count);
    if (low) tac_second_words(&(tac_words){.word = words, .count = count});
}

/* The one place where exact words become noisy ones. A failure zeroes them (noise.h). */
tacit_status tac_door_release(tac_door *door, const tac_receipt *receipt, uint64_t *answer,
                              size_t count)
{
    const uint64_t query = tac_door_subkey(door, receipt);
    tacit_status status = TACIT_OK;

    tac_door_show_exact(door, receipt, answer, count);
    TAC_TRY(add_noise(door, receipt, query, answer, count));
    tac_door_show_noisy(door, receipt, answer, count);
done:
    return status;
}
