/* SPDX-License-Identifier: Apache-2.0 */
/* Sample and aggregate with a smooth bound: which privacy unit falls into which part, the order
   of the steps, payment and noise. Integers only; what needs real numbers is in parts_*.c.
   Proof: parts.proof.md */
#include "privacy/queries/literature/parts.h"
#include "privacy/queries/literature/row_hash.h"

#include <stdlib.h>
#include <string.h>

#define SPLIT (UINT64_C(1) << 40) /* the stream of the random split, beside those of the noise */

/* A privacy unit: its rows are entry[first] .. entry[first + count - 1]. */
typedef struct unit {
    uint64_t hash;
    int64_t first, count;
} unit;

/* A row, its owner and the hash of its content. */
typedef struct entry {
    uint64_t hash;
    int64_t row;
    tac_person owner;
} entry;

/* By owner, then by the content of the row. */
static int compare_entries(const void *a, const void *b, void *lattice)
{
    const entry *x = a, *y = b;
    const tac_lattice *l = lattice;

    const int owners = tac_person_compare(x->owner, y->owner);
    if (owners != 0) return owners;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return memcmp(l->points + x->row * l->stride, l->points + y->row * l->stride,
                  (size_t)l->dims * sizeof *l->points);
}

/* By the hash of a unit's rows. Units of equal rows are alike. */
static int compare_units(const void *a, const void *b)
{
    const unit *x = a, *y = b;

    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* All rows sorted by owner, and the units they make. Private. */
typedef struct split {
    entry *entry;
    unit *unit;
    int64_t units;
} split;

/* Privacy units in an order that depends on their rows alone, so that a test seed gives the same
   parts wherever rows stand. Privacy needs no order. */
static tacit_status list_units(const tac_door *door, split *s)
{
    tacit_status status = TACIT_OK;
    const tac_lattice *l = tac_door_lattice(door, TAC_ROWS);
    const tac_person *owner = door->shard[0].owner;

    TAC_TRY(tac_new(door->ctx, (size_t)l->rows, sizeof *s->entry, &s->entry));
    TAC_TRY(tac_new(door->ctx, (size_t)l->rows, sizeof *s->unit, &s->unit));
    for (int64_t i = 0; i < l->rows; i++) {
        s->entry[i] =
            (entry){.hash = tac_row_hash(l->points + i * l->stride, l->dims, 0), .row = i};
        s->entry[i].owner = owner == NULL ? (tac_person){0, (uint64_t)i} : owner[i];
    }
    qsort_r(s->entry, (size_t)l->rows, sizeof *s->entry, compare_entries, (void *)(uintptr_t)l);
    for (int64_t i = 0; i < l->rows; i++) {
        if (i == 0 || tac_person_compare(s->entry[i].owner, s->entry[i - 1].owner) != 0)
            s->unit[s->units++] = (unit){.first = i};
        s->unit[s->units - 1].count++;
        s->unit[s->units - 1].hash = tac_mix(s->unit[s->units - 1].hash ^ s->entry[i].hash);
    }
    qsort(s->unit, (size_t)s->units, sizeof *s->unit, compare_units);
done:
    return status;
}

/* The parts of one privacy unit, drawn uniformly at random; returns how many. Overlapping: each
   part with probability 1 / parts, drawn again if there are more than `touched`. */
static int32_t draw_parts(tac_stream *stream, const tac_parts_rule *rule, bool overlapping,
                          int32_t *part)
{
    int32_t many;

    if (!overlapping) {
        part[0] = (int32_t)tac_below(stream, (uint64_t)rule->parts);
        return 1;
    }
    do {
        many = 0;
        for (int32_t p = 0; p < rule->parts; p++)
            if (tac_below(stream, (uint64_t)rule->parts) == 0) {
                if (many < rule->touched) part[many] = p;
                many++;
            }
    } while (many > rule->touched);
    return many;
}

/* Two passes over the same random numbers: sizes of parts, then their rows. */
static tacit_status split_rows(const tac_door *door, const tac_parts *plan,
                               const tac_parts_rule *rule, uint64_t query, const split *s,
                               tac_parts_rows *out)
{
    tacit_status status = TACIT_OK;
    tac_stream stream;
    int32_t *part = NULL;
    int64_t *at = NULL;

    TAC_TRY(tac_new(door->ctx, (size_t)rule->touched, sizeof *part, &part));
    TAC_TRY(tac_new(door->ctx, (size_t)rule->parts + 1, sizeof *out->first, &out->first));
    TAC_TRY(tac_new(door->ctx, (size_t)rule->parts + 1, sizeof *at, &at));
    for (int pass = 0; pass < 2; pass++) {
        TAC_TRY(tac_stream_open(door->ctx, door->key, query, SPLIT, &stream));
        for (int64_t u = 0; u < s->units; u++) {
            const int32_t many = draw_parts(&stream, rule, plan->overlapping, part);
            for (int32_t i = 0; i < many; i++)
                for (int64_t r = 0; r < s->unit[u].count; r++) {
                    if (pass == 0)
                        out->first[part[i] + 1]++;
                    else
                        out->row[at[part[i]]++] = s->entry[s->unit[u].first + r].row;
                }
        }
        tac_stream_close(&stream);
        if (pass == 1) break;
        for (int32_t p = 0; p < rule->parts; p++) out->first[p + 1] += out->first[p];
        memcpy(at, out->first, (size_t)rule->parts * sizeof *at);
        TAC_TRY(tac_new(door->ctx, (size_t)out->first[rule->parts], sizeof *out->row, &out->row));
    }
done:
    tac_free(part);
    tac_free(at);
    return status;
}

/* Which part a unit falls into is drawn from the secret key: in distribution it does not depend
   on what any row holds. */
tacit_status tac_parts_split(const tac_door *door, const tac_parts *plan,
                             const tac_parts_rule *rule, uint64_t query, tac_parts_rows *out)
{
    tacit_status status = TACIT_OK;
    split s = {0};

    *out = (tac_parts_rows){0};
    TAC_TRY(list_units(door, &s));
    TAC_TRY(split_rows(door, plan, rule, query, &s, out));
done:
    tac_free(s.entry);
    tac_free(s.unit);
    return status;
}

/* What the workers that solve parts share; each part writes its own results. */
typedef struct solving {
    const tac_lattice *rows;
    const tac_parts *plan;
    const tac_parts_rows *parts;
    double *results;
    size_t size;
    /* one thread a part, and no progress shown: parts differ in how much there is to do */
    tacit_ctx quiet;
} solving;

/* The result of one part, on one thread with a context of its own. */
static tacit_status solve_part(void *state, int64_t p, int worker)
{
    const solving *s = state;
    const int64_t *first = s->parts->first;
    tacit_ctx own = s->quiet;

    (void)worker;
    return (s->plan->points ? tac_part_points : tac_part_subspaces)(
        &own, s->rows, s->parts->row + first[p], first[p + 1] - first[p], s->plan,
        s->results + (size_t)p * s->size);
}

/* results: parts x size doubles. Memory may run out by what a part holds: the sentence names no
   part. */
static tacit_status solve_parts(tac_door *door, const tac_parts *plan, const tac_parts_rule *rule,
                                uint64_t query, double *results)
{
    tacit_status status = TACIT_OK;
    const tac_lattice *rows = tac_door_lattice(door, TAC_ROWS);
    tac_parts_rows parts = {0};
    solving work = {
        .rows = rows,
        .plan = plan,
        .parts = &parts,
        .results = results,
        .size = (size_t)plan->k * (size_t)plan->q * (size_t)rows->dims,
        .quiet = {.threads = 1, .block_bytes = door->ctx->block_bytes, .parent = door->ctx}};

    TAC_TRY(tac_parts_split(door, plan, rule, query, &parts));
    const int before = tac_parts_begin();
    status = door->engine->map(door->engine, door->ctx, rule->parts, solve_part, &work);
    tac_parts_end(before);
    if (status == TACIT_E_MEMORY)
        tac_fail(door->ctx, status,
                 "not enough memory for the plain solver on a part of the rows; use fewer columns "
                 "or more parts");
done:
    tac_free(parts.first);
    tac_free(parts.row);
    return status;
}

/* One or two parts have no majority to rely on; 0 leaves the number to the rule. */
tacit_status tac_parts_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    const tac_parts *plan = &q->plan;

    if (q->values != TAC_ROWS || q->cells.view != TAC_ROWS || q->cells.kind != TAC_ONE_CELL ||
        plan->k < 1 || plan->k > 1000 || plan->q < 1 ||
        (plan->points ? plan->q > 1 : plan->q >= tac_dims_of(q)) || plan->restarts < 1 ||
        plan->parts < 0 || plan->parts > TAC_PARTS_MOST || plan->parts == 1 || plan->parts == 2)
        return tac_no_sense(ctx, "a result of parts");
    const tacit_status status =
        tac_words_fit(ctx, plan->k, (size_t)plan->q * (size_t)tac_dims_of(q), words);
    *words = 0;
    return status;
}

/* The whole account for one query: it must be the first. Rows of a person must be known, or a
   part could split them. */
tacit_status tac_parts_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    const tac_parts *plan = &q->plan;

    if (door->asked > 0 || door->accountant->spent > 0 ||
        (door->shard[0].owner == NULL && door->rows_per_unit > 1))
        return tac_no_sense(door->ctx, "a result of parts");
    if (!tac_parts_rule_of(door, plan, &out->rule))
        return tac_fail(door->ctx, TACIT_E_ARGUMENT,
                        "epsilon is too small for results of parts; raise it or take another "
                        "method");
    tac_parts_describe(out);
    out->shown = (size_t)plan->k * (size_t)plan->q * (size_t)tac_dims_of(q);
    out->answers = (int64_t)out->shown;
    return TACIT_OK;
}

/* Solve the parts, take the center, add Gaussian noise of the private scale sigma. */
tacit_status tac_parts_draw(tac_door *door, const tac_query *q, const tac_bound *bound,
                            const tac_receipt *receipt, const tac_words *exact, uint64_t *answer)
{
    tacit_status status = TACIT_OK;
    const size_t count = bound->shown;
    const uint64_t query = tac_door_subkey(door, receipt);
    double *results = NULL;
    uint64_t *words = NULL, sigma = 0;

    (void)exact;
    /* and the size of the noise, for whoever attacks the door */
    TAC_TRY(tac_new(door->ctx, count + 1, sizeof *words, &words));
    TAC_TRY(tac_new(door->ctx, count * (size_t)bound->rule.parts, sizeof *results, &results));
    TAC_TRY(solve_parts(door, &q->plan, &bound->rule, query, results));
    TAC_TRY(tac_parts_center(door, &q->plan, &bound->rule, results, words, &sigma));
    words[count] = sigma;
    tac_door_show_exact(door, receipt, words, count + 1);
    TAC_TRY(tac_add_noise(door->ctx, door->engine, door->key, query, TAC_GAUSSIAN, sigma, words,
                          count));
    memcpy(answer, words, count * sizeof *answer);
done:
    tac_free(words);
    tac_free(results);
    return status;
}
