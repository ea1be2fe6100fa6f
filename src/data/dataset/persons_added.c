/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of counts whose rows are people: the rows of one person added up into one. A function of
   that person's rows alone, so one person more is one row more. Proof: counts_frame.proof.md */
#include "data/dataset/persons_added.h"

#include <stdlib.h>

enum { STEP = 4096 }; /* rows that are read at once */

typedef struct owned {
    tac_person person;
    int64_t row;
} owned;

/* By person, then by place. */
static int compare(const void *a, const void *b)
{
    const owned *x = a, *y = b;
    const int persons = tac_person_compare(x->person, y->person);
    return persons != 0 ? persons : x->row < y->row ? -1 : x->row > y->row;
}

/* All rows, sorted by person. order: room for them. */
static tacit_status sort_rows(tacit_ctx *ctx, const tacit_data *data, owned *order)
{
    tacit_status status = TACIT_OK;
    const int64_t rows = data->reader->rows;
    tac_person *person = NULL;

    TAC_TRY(tac_scratch(ctx, STEP, sizeof *person, &person));
    for (int64_t first = 0; first < rows; first += STEP) {
        const int64_t count = rows - first < STEP ? rows - first : STEP;
        TAC_TRY(tac_data_explain(ctx, data, tac_data_units(data, first, count, person)));
        for (int64_t i = 0; i < count; i++)
            order[first + i] = (owned){.person = person[i], .row = first + i};
    }
    qsort(order, (size_t)rows, sizeof *order, compare);
done:
    tac_free(person);
    return status;
}

/* whose[i]: whose row i is, 0, 1, ... in order of appearance; -1: nobody's. Returns in *persons how
   many there are. */
static tacit_status number_persons(tacit_ctx *ctx, const tacit_data *data, int64_t *whose,
                                   int64_t *persons)
{
    tacit_status status = TACIT_OK;
    const int64_t rows = data->reader->rows;
    owned *order = NULL;

    *persons = 0;
    TAC_TRY(tac_new(ctx, (size_t)rows, sizeof *order, &order));
    TAC_TRY(sort_rows(ctx, data, order));
    /* first the row at which the person appears, */
    for (int64_t i = 0, from = 0; i < rows; i++) {
        if (tac_person_compare(order[i].person, order[from].person) != 0) from = i;
        whose[order[i].row] = tac_is_nobody(order[i].person) ? -1 : order[from].row;
    }
    /* then that row's number, which is known by then */
    for (int64_t i = 0; i < rows; i++)
        whose[i] = whose[i] < 0 ? -1 : whose[i] == i ? (*persons)++ : whose[whose[i]];
done:
    tac_free(order);
    return status;
}

/* The entries of rows first .. first + count - 1, whatever the reader serves. dense: room for
   them, or NULL. */
static tacit_status read_entries(const tacit_data *data, int64_t first, int64_t count,
                                 double *dense, tac_nonzeros *out)
{
    tacit_status status = TACIT_OK;
    const tac_reader *reader = data->reader;
    const int64_t dims = data->selection.dims;
    size_t at = 0;

    if (dense == NULL) return reader->read_sparse(reader, first, count, out);
    TAC_TRY(reader->read(reader, first, count, dense));
    TAC_TRY(tac_nonzeros_room(out, (size_t)count, (size_t)(count * dims)));
    out->start[0] = 0;
    for (int64_t i = 0; i < count; i++) {
        for (int64_t j = 0; j < dims; j++)
            if (dense[i * dims + j] > 0) { /* neither 0 nor missing */
                out->feature[at] = (int32_t)j;
                out->value[at++] = dense[i * dims + j];
            }
        out->start[i + 1] = (int64_t)at;
    }
done:
    return status;
}

/* One pass over all rows. place NULL: counts the entries of person p in start[p + 1]; otherwise
   writes them from place[p] on. */
static tacit_status pass(tacit_ctx *ctx, const tacit_data *data, const int64_t *person,
                         int64_t *place, tac_added *out)
{
    tacit_status status = TACIT_OK;
    const tac_reader *reader = data->reader;
    tac_nonzeros raw = {0};
    double *dense = NULL;

    if (reader->read_sparse == NULL)
        TAC_TRY(tac_scratch(ctx, STEP * (size_t)data->selection.dims, sizeof *dense, &dense));
    for (int64_t first = 0; first < reader->rows; first += STEP) {
        const int64_t count = first + STEP < reader->rows ? STEP : reader->rows - first;
        TAC_TRY(tac_data_explain(ctx, data, tac_check_cancel(ctx)));
        TAC_TRY(tac_data_explain(ctx, data, read_entries(data, first, count, dense, &raw)));
        for (int64_t i = 0; i < count; i++) {
            const int64_t whose = person[first + i];
            if (whose < 0) continue;
            if (place == NULL) out->start[whose + 1] += raw.start[i + 1] - raw.start[i];
            for (int64_t e = raw.start[i]; place != NULL && e < raw.start[i + 1]; e++) {
                out->column[place[whose]] = raw.feature[e];
                out->value[place[whose]++] = raw.value[e];
            }
        }
    }
done:
    tac_nonzeros_clear(&raw);
    tac_free(dense);
    return status;
}

/* The entries of every person sorted by column, those of one column added up to at most the
   largest count there is. Moves them together. */
static void add_up(tac_added *a, int64_t persons)
{
    int64_t to = 0, begin = 0;

    for (int64_t p = 0; p < persons; p++) {
        const int64_t end = a->start[p + 1], first = to;
        tac_sort_entries(a->column + begin, a->value + begin, (size_t)(end - begin));
        for (int64_t e = begin; e < end; e++) {
            if (to > first && a->column[to - 1] == a->column[e]) {
                const double sum = a->value[to - 1] + a->value[e];
                a->value[to - 1] = sum < TAC_ADDED_MOST ? sum : TAC_ADDED_MOST;
                continue;
            }
            a->column[to] = a->column[e];
            a->value[to++] = a->value[e];
        }
        begin = end;
        a->start[p + 1] = to;
    }
}

tacit_status tac_data_add_persons(tacit_ctx *ctx, const tacit_data *data, tac_added *out)
{
    tacit_status status = TACIT_OK;
    const int64_t rows = data->reader->rows;
    int64_t *person = NULL, *place = NULL, persons = 0;

    *out = (tac_added){0};
    TAC_TRY(tac_new(ctx, (size_t)rows, sizeof *person, &person));
    TAC_TRY(number_persons(ctx, data, person, &persons));
    TAC_TRY(tac_new(ctx, (size_t)persons + 1, sizeof *out->start, &out->start));
    TAC_TRY(tac_new(ctx, (size_t)persons + 1, sizeof *place, &place));
    TAC_TRY(pass(ctx, data, person, NULL, out));
    for (int64_t p = 0; p < persons; p++) out->start[p + 1] += out->start[p];
    for (int64_t p = 0; p < persons; p++) place[p] = out->start[p];
    TAC_TRY(tac_new(ctx, (size_t)out->start[persons], sizeof *out->column, &out->column));
    TAC_TRY(tac_new(ctx, (size_t)out->start[persons], sizeof *out->value, &out->value));
    TAC_TRY(pass(ctx, data, person, place, out));
    add_up(out, persons);
    TAC_TRY(tacit_data_from_csr(ctx, out->start, out->column, out->value, persons,
                                data->selection.dims, &out->data));
    TAC_TRY(tac_data_load(ctx, out->data, &(tac_load){.counts = true}));
done:
    tac_free(person);
    tac_free(place);
    if (status != TACIT_OK) tac_added_clear(out);
    return status;
}

void tac_added_clear(tac_added *a)
{
    tacit_data_free(a->data);
    tac_free(a->start);
    tac_free(a->column);
    tac_free(a->value);
    *a = (tac_added){0};
}
