/* SPDX-License-Identifier: Apache-2.0 */
/* Load a CSV with worker threads: each takes the next piece, parses it on its own, and adds its
   rows when its turn comes. Turns follow the file, so the rows, the codes and the first fault do
   not depend on the number of worker threads. */
#include "data/readers/csv.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* a piece is this many blocks of the ctx: 1 MiB, which stays in a core's cache */
#define PIECE_BLOCKS 4

/* What the worker threads share. */
typedef struct loading {
    pthread_t caller;
    int64_t bytes; /* cut so far */
    tacit_ctx *ctx;
    tac_csv *csv;
    tac_csv_plan plan;
    size_t aim;

    pthread_mutex_t lock; /* for all below, and for the cutter */
    pthread_cond_t turn_came;
    int64_t next, turn; /* tickets: next to hand out, next to add its rows */
    bool stop;
    tacit_status status;
    tac_csv_fault fault;
    int64_t fault_line;
    int32_t fault_column;
    int64_t lines; /* before the piece whose turn it is */
    int64_t blank; /* first of the blank lines before it, 0: none */
    size_t rows, room;
    tac_codes *label_codes;
    bool marks; /* where rows begin is noted, and values may take so much: */
    int64_t most;
} loading;

/* Codes of one column's texts, written to `to`. */
static tacit_status add_codes(const tac_csv_texts *texts, size_t rows, tac_codes *codes,
                              int64_t *to)
{
    size_t start = 0;
    for (size_t i = 0; i < rows; i++) {
        const size_t length = texts->end[i] - start;
        const tacit_status status = tac_code_of(NULL, codes, texts->text + start, length, &to[i]);
        if (status != TACIT_OK) return status;
        start = texts->end[i];
    }
    return TACIT_OK;
}

/* From here on rows are read again when they are wanted. */
static void let_go(tac_csv *csv)
{
    tac_free(csv->values);
    tac_free(csv->unit);
    csv->values = NULL;
    csv->unit = NULL;
    csv->again = true;
}

/* Append the rows of one piece, their persons, and the codes of their labels. Called in turn, with
   the lock held. */
static tacit_status add_rows(loading *b, const tac_piece *piece, const tac_csv_rows *rows)
{
    tacit_status status = TACIT_OK;
    tac_csv *csv = b->csv;
    const size_t dims = (size_t)b->plan.dims, all = b->rows + rows->rows;

    if (rows->rows == 0) return TACIT_OK;
    if (b->marks) TAC_TRY(tac_csv_add_marks(csv, piece, rows, (int64_t)b->rows));
    const bool much =
        (double)all * ((double)dims * sizeof *csv->values + sizeof *csv->unit) > (double)b->most;
    if (b->marks && !csv->again && much) let_go(csv);
    if (all > b->room) { /* large blocks move by remapping pages, not by copying */
        const size_t room = all < 2 * b->room ? 2 * b->room : all;
        size_t values;
        if (__builtin_mul_overflow(room, dims, &values)) return TACIT_E_MEMORY;
        if (!csv->again) TAC_TRY(tac_grow(NULL, &csv->values, values, sizeof *csv->values));
        if (b->plan.label >= 0) TAC_TRY(tac_grow(NULL, &csv->label, room, sizeof *csv->label));
        if (b->plan.unit >= 0 && !csv->again)
            TAC_TRY(tac_grow(NULL, &csv->unit, room, sizeof *csv->unit));
        b->room = room;
    }
    if (!csv->again)
        memcpy(csv->values + b->rows * dims, rows->values, rows->rows * dims * sizeof *csv->values);
    if (b->plan.label >= 0)
        TAC_TRY(add_codes(&rows->label, rows->rows, b->label_codes, csv->label + b->rows));
    if (b->plan.unit >= 0 && !csv->again)
        memcpy(csv->unit + b->rows, rows->unit, rows->rows * sizeof *csv->unit);
    b->rows = all;
done:
    return status;
}

/* The turn of one parsed piece. Its fault counts only now, when all pieces before it are known to
   be fine. Called with the lock held. */
static void take_turn(loading *b, const tac_piece *piece, const tac_csv_rows *rows)
{
    if (b->blank > 0 && (rows->rows > 0 || rows->fault != TAC_CSV_FINE)) {
        b->fault = TAC_CSV_BLANK; /* the blank lines before this piece were not at the end */
        b->fault_line = b->blank;
    } else if (rows->fault != TAC_CSV_FINE) {
        b->fault = rows->fault;
        b->fault_line = b->lines + rows->fault_line;
        b->fault_column = rows->fault_column;
    } else {
        b->status = add_rows(b, piece, rows);
    }
    if (b->blank == 0 && rows->blank > 0) b->blank = b->lines + rows->blank;
    b->lines += rows->lines;
    b->turn++;
    if (b->fault != TAC_CSV_FINE || b->status != TACIT_OK) b->stop = true;
    pthread_cond_broadcast(&b->turn_came);
}

/* Report progress. Only the caller's own thread does, as a ctx demands; a pipe, whose size nobody
   knows, reports none. */
static void show(const loading *b)
{
    const tac_input *input = &b->csv->cutter.input;
    if (input->regular && input->size > 0)
        tac_show_progress(b->ctx, "reading rows", (double)b->bytes / (double)input->size);
}

/* One worker thread: cut the next piece, with the lock; parse it, without; wait for the turn; add
   its rows, with the lock. Ends with the input or once `stop` is set. A failed read takes a ticket
   too, so that it is reported after the faults of all earlier pieces. */
static void *work(void *payload)
{
    loading *b = payload;
    tac_piece piece = {0};
    tac_csv_rows rows = {0};
    bool too_long = false;

    pthread_mutex_lock(&b->lock);
    while (!b->stop) {
        const tacit_status status = tac_cut(b->ctx, &b->csv->cutter, b->aim, &piece, &too_long);
        if (status == TACIT_OK && !too_long && piece.size == 0) break;
        const int64_t ticket = b->next++;
        b->bytes += (int64_t)piece.size;
        pthread_mutex_unlock(&b->lock);

        if (status == TACIT_OK && !too_long) {
            tac_csv_parse(&b->plan, &piece, &rows);
        } else { /* nothing came: say so in turn, after what was read before */
            piece.size = 0;
            tac_csv_parse(&b->plan, &piece, &rows);
            rows.fault = too_long ? TAC_CSV_TOO_LONG : TAC_CSV_FINE;
            rows.fault_line = 1;
        }

        pthread_mutex_lock(&b->lock);
        while (b->turn != ticket && !b->stop) pthread_cond_wait(&b->turn_came, &b->lock);
        if (b->stop) break;
        if (status != TACIT_OK) {
            b->status = status;
            b->stop = true;
            pthread_cond_broadcast(&b->turn_came);
            break;
        }
        take_turn(b, &piece, &rows);
        if (pthread_equal(pthread_self(), b->caller)) show(b);
    }
    pthread_mutex_unlock(&b->lock);
    tac_free(piece.bytes);
    tac_csv_rows_clear(&rows);
    return NULL;
}

/* Run the workers: this thread and others, no more than there are pieces for. A thread that cannot
   be created is no error; the others do its work. */
static void run(loading *b, int threads)
{
    const tac_input *input = &b->csv->cutter.input;
    pthread_t *helper = NULL;
    int helpers = 0;

    if (input->regular && input->size / (int64_t)b->aim + 1 < threads)
        threads = (int)(input->size / (int64_t)b->aim) + 1;
    if (threads > 1) helper = calloc((size_t)threads - 1, sizeof *helper);
    if (helper != NULL)
        while (helpers < threads - 1 && pthread_create(&helper[helpers], NULL, work, b) == 0)
            helpers++;
    work(b);
    for (int i = 0; i < helpers; i++) pthread_join(helper[i], NULL);
    free(helper);
}

/* `at` is the line in the file, from 1; `column` the name of the column. Neither the cell nor any
   other text of the file is quoted. TAC_CSV_FINE: TACIT_OK. */
tacit_status tac_csv_explain(tacit_ctx *ctx, const char *where, tac_csv_fault fault, int64_t at,
                             const char *column)
{
    const long long line = (long long)at;

    switch (fault) {
    case TAC_CSV_FINE: break;
    case TAC_CSV_TEXT:
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: line %lld, " TAC_COLUMN ": holds text where a number is expected; "
                        "leave the column out, list its categories (--categories) or give it dates "
                        "for bounds; or name the marks of its numbers (--decimal, --thousands) or "
                        "the word for a missing value (--na)",
                        where, line, column);
    case TAC_CSV_DATE:
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: line %lld, " TAC_COLUMN ": holds text where a date is expected; write "
                        "dates as year-month-day, such as 2026-11-17",
                        where, line, column);
    case TAC_CSV_MISSING: return tac_fail_missing(ctx, where, line, "line", column);
    case TAC_CSV_COUNT: return tac_fail_count(ctx, where, column);
    case TAC_CSV_FEW:
    case TAC_CSV_MANY:
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: line %lld has %s cells than the header has names; quote cells that "
                        "hold a separator, and check the line",
                        where, line, fault == TAC_CSV_FEW ? "fewer" : "more");
    case TAC_CSV_BLANK:
        return tac_fail(ctx, TACIT_E_FORMAT, "%s: line %lld is blank and rows follow it; remove it",
                        where, line);
    case TAC_CSV_ZERO:
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: line %lld, " TAC_COLUMN ": holds a zero byte; is this a text file in "
                        "UTF-8?",
                        where, line, column);
    case TAC_CSV_OPEN_QUOTE:
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: line %lld, " TAC_COLUMN ": a quote is opened and never closed; close "
                        "it",
                        where, line, column);
    case TAC_CSV_AFTER_QUOTE:
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: line %lld, " TAC_COLUMN ": text follows a closing quote; double the "
                        "quotes that belong to the text",
                        where, line, column);
    case TAC_CSV_TOO_LONG:
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: line %lld: the record is longer than 256 MiB; is a closing quote "
                        "missing?",
                        where, line);
    case TAC_CSV_NO_MEMORY:
        return tac_fail(ctx, TACIT_E_MEMORY,
                        "%s: out of memory; select fewer columns, or convert the file to NPY, "
                        "which is not held in memory",
                        where);
    }
    return TACIT_OK;
}

/* The reader reads rows again from now on, by a plan of its own: what the rules point to lives as
   long as the data. The file must still be the one that was checked. */
static tacit_status serve_again(tacit_ctx *ctx, tac_csv *csv, const tac_csv_plan *plan)
{
    const tac_csv_mark end = {.row = csv->base.rows, .offset = csv->cutter.input.size};
    tacit_status status = TACIT_OK;

    if (tac_input_changed(&csv->cutter.input)) {
        errno = ESTALE;
        TAC_TRY(tac_input_failed(ctx, &csv->cutter.input, TACIT_E_READ));
    }
    TAC_TRY(tac_grow(ctx, &csv->mark, csv->marks + 1, sizeof *csv->mark));
    csv->mark[csv->marks] = end;
    csv->plan = *plan;
    csv->plan.label = -1;
    csv->feature = (int32_t *)(uintptr_t)plan->feature;
    csv->rules = (tac_cell_rule *)(uintptr_t)plan->rule;
    csv->base.read = tac_csv_read_again;
    csv->base.read_units = tac_csv_read_units_again;
done:
    return status;
}

/* The contract stands in csv.h. The first fault of the file is reported, whichever worker has found
   it. Out of memory becomes a fault too, for its sentence names a way out. */
tacit_status tac_csv_load(tac_reader *self, tacit_ctx *ctx, const tac_selection *selection)
{
    tacit_status status = TACIT_OK;
    tac_csv *csv = (tac_csv *)self;
    int32_t *feature = NULL;
    tac_cell_rule *rules = NULL;
    tac_codes own_labels = {0};
    loading b = {.ctx = ctx,
                 .caller = pthread_self(),
                 .csv = csv,
                 .label_codes =
                     selection->label_codes != NULL ? selection->label_codes : &own_labels,
                 .lock = PTHREAD_MUTEX_INITIALIZER,
                 .turn_came = PTHREAD_COND_INITIALIZER};

    TAC_TRY(tac_selection_map(ctx, self, selection, &feature));
    TAC_TRY(tac_cell_rules_make(ctx, self, selection, &rules));
    b.plan = (tac_csv_plan){.dialect = self->dialect,
                            .rule = rules,
                            .columns = self->schema.columns,
                            .dims = selection->dims,
                            .label = selection->label,
                            .unit = selection->unit,
                            .person_key = selection->person_key,
                            .feature = feature,
                            .reject_missing = selection->missing == TACIT_MISSING_REJECT_FILE,
                            .counts = selection->counts,
                            .guarded = selection->guarded,
                            .missing_words = selection->missing_words,
                            .missing_word = selection->missing_word};
    b.aim = ctx->block_bytes < 1 ? PIECE_BLOCKS : (size_t)ctx->block_bytes * PIECE_BLOCKS;
    b.marks = ctx->memory > 0 && csv->cutter.input.regular;
    b.most = tac_csv_most(ctx, selection->files);
    run(&b, ctx->threads);

    if (b.status == TACIT_E_MEMORY) b.fault = TAC_CSV_NO_MEMORY;
    TAC_TRY(tac_input_failed(ctx, &csv->cutter.input,
                             b.status == TACIT_E_MEMORY ? TACIT_OK : b.status));
    if (b.fault == TAC_CSV_TEXT && selection->counts)
        TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT,
                         "%s: line %lld, " TAC_COLUMN ": holds text where a count is expected; "
                         "leave the column out, or, if every line is "
                         "one entry, call its columns row, col and "
                         "count",
                         csv->cutter.input.name, (long long)(b.fault_line + csv->header_lines),
                         self->schema.names[b.fault_column]));
    if (b.fault == TAC_CSV_MANY && self->schema.columns == 1)
        TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT,
                         "%s: line %lld has more cells than the header, which is one name; if it "
                         "is "
                         "a title, skip the lines above the names of the columns (--skip-lines)",
                         csv->cutter.input.name, (long long)(b.fault_line + csv->header_lines)));
    TAC_TRY(tac_csv_explain(ctx, csv->cutter.input.name, b.fault, b.fault_line + csv->header_lines,
                            self->schema.names[b.fault_column]));
    csv->dims = selection->dims;
    self->rows = (int64_t)b.rows;
    if (csv->again) {
        TAC_TRY(serve_again(ctx, csv, &b.plan));
        feature = NULL;
        rules = NULL;
    } else {
        /* Give back the room that doubling took in excess. The new size is smaller, so this does
           not fail in practice. */
        TAC_TRY(tac_grow(ctx, &csv->values, b.rows * (size_t)selection->dims, sizeof *csv->values));
        if (selection->unit >= 0) TAC_TRY(tac_grow(ctx, &csv->unit, b.rows, sizeof *csv->unit));
        self->unit = csv->unit;
        self->read_units = tac_read_held_units;
    }
    /* A file without rows has its columns all the same: that nobody is there must not show. */
    if (selection->label >= 0) TAC_TRY(tac_grow(ctx, &csv->label, b.rows, sizeof *csv->label));
    self->label = csv->label;
    if (selection->names) {
        tac_row_names_take(b.label_codes, &self->names);
        self->names.of = csv->label;
    }
done:
    tac_codes_clear(&own_labels);
    tac_cell_rules_free(rules, selection->dims);
    tac_free(feature);
    return status;
}
