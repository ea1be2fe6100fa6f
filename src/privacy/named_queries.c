/* SPDX-License-Identifier: Apache-2.0 */
/* The named functions of door.h: each builds one query and asks it (ask.c). Arrays are borrowed;
   nothing is copied but answers. */
#include "privacy/named.h"

#include <string.h>

/* A view that does not exist keeps dims 0, which the check refuses. */
tac_query tac_query_about(const tac_door *door, tac_kind kind, tac_view values,
                          const tac_cells *cells)
{
    const tac_cells all = {.kind = TAC_ONE_CELL, .view = values, .count = 1};
    tac_query q = {
        .kind = kind, .values = values, .batch = -1, .cells = cells == NULL ? all : *cells};

    if ((unsigned)q.cells.view < TAC_VIEWS)
        q.dims[q.cells.view] = tac_door_dims(door, q.cells.view);
    if ((unsigned)values < TAC_VIEWS) q.dims[values] = tac_door_dims(door, values);
    return q;
}

/* A query about the counts themselves. Without counts it has no columns, and the door refuses
   it. */
static tac_query about_counts(const tac_door *door, tac_kind kind, int32_t batch)
{
    const tac_counts *counts = door->shard[0].counts;
    return (tac_query){.kind = kind,
                       .batch = batch,
                       .rows = tac_door_rows(door),
                       .columns = counts == NULL ? 0 : counts->columns};
}

tacit_status tac_ask_new(tac_door *door, const char *what, uint64_t quanta, const tac_query *q,
                         size_t draw, uint64_t **answer)
{
    tacit_status status = TACIT_OK;
    size_t words;

    TAC_TRY(tac_query_check(door->ctx, q, &words));
    TAC_TRY(tac_new(door->ctx, draw > 0 ? draw : words, sizeof **answer, answer));
    TAC_TRY(tac_ask(door, what, quanta, q, *answer));
done:
    return status;
}

tacit_status tac_ask_together(tac_door *door, tac_asking *ask, int32_t count)
{
    tacit_status status = TACIT_OK;

    for (int32_t i = 0; i < count; i++) {
        TAC_TRY(tac_query_check(door->ctx, &ask[i].query, &ask[i].words));
        TAC_TRY(tac_new(door->ctx, ask[i].words, sizeof *ask[i].answer, &ask[i].answer));
    }
    TAC_TRY(tac_ask_all(door, ask, count));
done:
    return status;
}

void tac_asking_clear(tac_asking *ask, int32_t count)
{
    for (int32_t i = 0; i < count; i++) tac_free(ask[i].answer);
    memset(ask, 0, (size_t)count * sizeof *ask);
}

tac_i128 tac_answer(const tac_asking *ask, size_t i)
{
    const size_t numbers = tac_kind_numbers(ask->query.kind, ask->words);
    return numbers < ask->words ? tac_two_words(ask->answer, numbers, i)
                                : (tac_i128)(int64_t)ask->answer[i];
}

/* Asks where the answer is all words, as signed numbers. Signed and unsigned of one type may
   alias. */
static tacit_status ask(tac_door *door, const char *what, uint64_t quanta, const tac_query *q,
                        int64_t *answer)
{
    return tac_ask(door, what, quanta, q, (uint64_t *)answer);
}

/* Asks where a number has two words: `numbers` of them into out. */
static tacit_status ask_wide(tac_door *door, const char *what, uint64_t quanta, const tac_query *q,
                             tac_i128 *out)
{
    tacit_status status = TACIT_OK;
    uint64_t *answer = NULL;
    size_t words;

    TAC_TRY(tac_query_check(door->ctx, q, &words));
    TAC_TRY(tac_ask_new(door, what, quanta, q, 0, &answer));
    for (size_t i = 0; i < words / 2; i++) out[i] = tac_two_words(answer, words / 2, i);
done:
    tac_free(answer);
    return status;
}

/* Asks a selection: one word, the index of the candidate. */
static tacit_status choose(tac_door *door, const char *what, uint64_t quanta, const tac_query *q,
                           int32_t *chosen)
{
    uint64_t word = 0;
    const tacit_status status = tac_ask(door, what, quanta, q, &word);

    if (status == TACIT_OK) *chosen = (int32_t)word;
    return status;
}

tac_query tac_query_count(const tac_door *door)
{
    return tac_query_about(door, TAC_KIND_COUNT, TAC_ROWS, NULL);
}

tacit_status tac_door_count(tac_door *door, const char *what, uint64_t quanta, int64_t *answer)
{
    const tac_query q = tac_query_count(door);
    return ask(door, what, quanta, &q, answer);
}

tac_query tac_query_histogram(const tac_door *door, const tac_cells *cells)
{
    return tac_query_about(door, TAC_KIND_HISTOGRAM, cells->view, cells);
}

tacit_status tac_door_histogram(tac_door *door, const char *what, uint64_t quanta,
                                const tac_cells *cells, int64_t *answer)
{
    const tac_query q = tac_query_histogram(door, cells);
    return ask(door, what, quanta, &q, answer);
}

tac_query tac_query_distances(const tac_door *door, const tac_cells *cells, const tac_local *local,
                              const double *edge, int32_t bins)
{
    tac_query q = tac_query_about(door, TAC_KIND_DISTANCES, cells->view, cells);

    q.local = *local;
    q.edge = edge;
    q.bins = bins;
    return q;
}

tacit_status tac_door_distances(tac_door *door, const char *what, uint64_t quanta,
                                const tac_cells *cells, const tac_local *local, const double *edge,
                                int32_t bins, int64_t *answer)
{
    const tac_query q = tac_query_distances(door, cells, local, edge, bins);
    return ask(door, what, quanta, &q, answer);
}

tacit_status tac_door_projections(tac_door *door, const char *what, uint64_t quanta,
                                  const tac_cells *cells, const tac_local *local,
                                  const int16_t *directions, int32_t bins, int64_t *answer)
{
    tac_query q = tac_query_about(door, TAC_KIND_PROJECTIONS, cells->view, cells);

    q.local = *local;
    q.directions = directions;
    q.bins = bins;
    return ask(door, what, quanta, &q, answer);
}

tac_query tac_query_slices(const tac_door *door, const tac_cells *cells, const tac_slice *slice,
                           int32_t bins)
{
    tac_query q = tac_query_about(door, TAC_KIND_SLICES, cells->view, cells);

    q.slice = slice;
    q.bins = bins;
    return q;
}

tacit_status tac_door_slices(tac_door *door, const char *what, uint64_t quanta,
                             const tac_cells *cells, const tac_slice *slice, int32_t bins,
                             int64_t *answer)
{
    const tac_query q = tac_query_slices(door, cells, slice, bins);
    return ask(door, what, quanta, &q, answer);
}

tac_query tac_query_sums(const tac_door *door, const tac_cells *cells, tac_view values,
                         uint32_t count_weight)
{
    tac_query q = tac_query_about(door, TAC_KIND_SUMS, values, cells);

    q.weight = count_weight;
    return q;
}

/* The answer: all sums, then all counts. */
tacit_status tac_door_sums(tac_door *door, const char *what, uint64_t quanta,
                           const tac_cells *cells, tac_view values, uint32_t count_weight,
                           int64_t *sums, int64_t *counts)
{
    tacit_status status = TACIT_OK;
    const tac_query q = tac_query_sums(door, cells, values, count_weight);
    uint64_t *answer = NULL;

    TAC_TRY(tac_ask_new(door, what, quanta, &q, 0, &answer));
    const size_t k = (size_t)cells->count, numbers = k * (size_t)q.dims[values];
    memcpy(sums, answer, numbers * sizeof *answer);
    memcpy(counts, answer + numbers, k * sizeof *answer);
done:
    tac_free(answer);
    return status;
}

tac_query tac_query_moments(const tac_door *door, const tac_cells *cells, tac_view values)
{
    return tac_query_about(door, TAC_KIND_MOMENTS, values, cells);
}

tacit_status tac_door_moments(tac_door *door, const char *what, uint64_t quanta,
                              const tac_cells *cells, tac_view values, tac_i128 *answer)
{
    const tac_query q = tac_query_moments(door, cells, values);
    return ask_wide(door, what, quanta, &q, answer);
}

tacit_status tac_door_fourth(tac_door *door, const char *what, uint64_t quanta, tac_view view,
                             tac_i128 *answer)
{
    const tac_query q = tac_query_about(door, TAC_KIND_FOURTH, view, NULL);
    return ask_wide(door, what, quanta, &q, answer);
}

tac_query tac_query_local(const tac_door *door, const tac_cells *cells, const tac_local *local,
                          const tac_local_parts *parts)
{
    const tac_kind kind =
        parts->moments || parts->axes ? TAC_KIND_LOCAL_MOMENTS : TAC_KIND_LOCAL_SUMS;
    tac_query q = tac_query_about(door, kind, cells->view, cells);

    q.local = *local;
    q.parts = *parts;
    return q;
}

/* One joint answer, cut into the parts that were asked for: counts, sums, squares, in this
   order. */
tacit_status tac_door_local(tac_door *door, const char *what, uint64_t quanta,
                            const tac_cells *cells, const tac_local *local,
                            const tac_local_parts *parts, tac_i128 *counts, tac_i128 *sums,
                            tac_i128 *squares)
{
    tacit_status status = TACIT_OK;
    const tac_query q = tac_query_local(door, cells, local, parts);
    uint64_t *answer = NULL;

    TAC_TRY(tac_ask_new(door, what, quanta, &q, 0, &answer));
    const size_t k = (size_t)cells->count, dims = (size_t)q.dims[q.values];
    const size_t many[3] = {parts->count > 0 ? k : 0, parts->sum > 0 ? k * dims : 0,
                            k * (parts->moments  ? dims * (dims + 1) / 2
                                 : parts->axes   ? dims
                                 : parts->square ? 1
                                                 : 0)};
    const size_t numbers = many[0] + many[1] + many[2];
    tac_i128 *const to[3] = {counts, sums, squares};
    for (size_t i = 0, at = 0; i < 3; at += many[i++])
        for (size_t j = 0; j < many[i] && to[i] != NULL; j++)
            to[i][j] = tac_two_words(answer, numbers, at + j);
done:
    tac_free(answer);
    return status;
}

tacit_status tac_door_choose(tac_door *door, const char *what, uint64_t quanta,
                             const tac_choice *choice, int32_t *chosen)
{
    tac_query q = tac_query_about(door, TAC_KIND_CENTERS, choice->view, NULL);

    q.median = choice->median;
    q.candidates = choice->candidates;
    q.m = choice->m;
    q.k = choice->k;
    return choose(door, what, quanta, &q, chosen);
}

tacit_status tac_door_choose_subspaces(tac_door *door, const char *what, uint64_t quanta,
                                       tac_view view, const int16_t *bases, int32_t m, int32_t k,
                                       int32_t rank, int32_t *chosen)
{
    tac_query q = tac_query_about(door, TAC_KIND_SUBSPACES, view, NULL);

    q.candidates = bases;
    q.m = m;
    q.k = k;
    q.rank = rank;
    return choose(door, what, quanta, &q, chosen);
}

/* The answer: the triangle, then the products. */
tacit_status tac_door_codes(tac_door *door, const char *what, uint64_t quanta, tac_view values,
                            const int16_t *directions, int32_t count, tac_i128 *squares,
                            tac_i128 *products)
{
    tacit_status status = TACIT_OK;
    tac_query q = tac_query_about(door, TAC_KIND_CODES, values, NULL);
    uint64_t *answer = NULL;

    q.directions = directions;
    q.k = count;
    TAC_TRY(tac_ask_new(door, what, quanta, &q, 0, &answer));
    const size_t k = (size_t)count, triangle = k * (k + 1) / 2;
    const size_t numbers = triangle + k * (size_t)q.dims[values];
    for (size_t i = 0; i < numbers; i++)
        *(i < triangle ? &squares[i] : &products[i - triangle]) = tac_two_words(answer, numbers, i);
done:
    tac_free(answer);
    return status;
}

tacit_status tac_door_table(tac_door *door, const char *what, uint64_t quanta,
                            const tac_table *table, int64_t *answer)
{
    tac_query q = about_counts(door, TAC_KIND_TABLE, table->batch);

    q.row_label = table->row_label;
    q.row_labels = table->k;
    q.column_label = table->column_label;
    q.column_labels = table->l;
    return ask(door, what, quanta, &q, answer);
}

/* Labels come for the rows of the batch alone, in their order; the others keep theirs. */
tacit_status tac_door_labels(tac_door *door, const char *what, uint64_t quanta,
                             const tac_draw_labels *draw, int32_t *label)
{
    tacit_status status = TACIT_OK;
    tac_query q = about_counts(door, draw->columns ? TAC_KIND_COLUMN_LABELS : TAC_KIND_ROW_LABELS,
                               draw->batch);
    const int64_t items = draw->columns ? q.columns : q.rows;
    uint64_t *answer = NULL, *next;

    q.row_labels = draw->columns ? draw->others : draw->clusters;
    q.column_labels = draw->columns ? draw->clusters : draw->others;
    if (draw->columns)
        q.row_label = draw->other_label;
    else
        q.column_label = draw->other_label;
    q.score = draw->score;
    TAC_TRY(tac_ask_new(door, what, quanta, &q, (size_t)items, &answer));
    next = answer;
    for (int64_t i = 0; i < items; i++)
        if (draw->columns || draw->batch < 0 || door->batch[i] == draw->batch)
            label[i] = (int32_t)*next++;
done:
    tac_free(answer);
    return status;
}
