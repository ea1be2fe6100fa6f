/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of all rows or all columns, each drawn by its scores, single counts protected. Proof: labels.proof.md */
#include "privacy/questions/entries.h"
#include "privacy/draws/label_draw.h"

#include <string.h>

#define OTHERS_MOST (1 << 24) /* every column its own label */
#define TABLE_BLOCKS 128 /* a lane's sums of columns take about so many times block_bytes at most */
#define SETTLE (UINT64_C(1) << 63) /* a stream for every item beside those of the blocks: its further words */

_Static_assert(TAC_SWEEP_ROWS * sizeof(uint64_t) == sizeof((tac_stream *)NULL)->words,
               "a block of items uses one filling of a stream");

typedef struct lane {
    uint64_t *sum;    /* by label of the other side: of one row, or of every column of a range */
    int64_t *score;   /* clusters */
    uint64_t *weight; /* clusters */
} lane;

typedef struct pass {
    const tac_door *door;
    const tac_counts *counts;
    const tac_draw_labels *draw;
    const int32_t *other;  /* of the columns: `others` where one is left out; of the rows: as the question has them */
    const int32_t *batch;  /* NULL: all rows */
    const int64_t *score;  /* others x clusters: turned round */
    tac_label_law law;
    uint64_t query;
    int64_t range;         /* columns of a range */
    lane *lanes;
    int32_t *label;        /* of every item */
    uint64_t *exact;       /* items x clusters, for the probe; NULL: none */
} pass;

/* u_c += count score_c */
static inline void add_score(const int64_t *score, int32_t clusters, uint64_t count, int64_t *u)
{
    for (int32_t c = 0; c < clusters; c++) u[c] += (int64_t)count * score[c];
}

/* u_c = sum over labels of their counts times the score: below 2^62 in size, counts together being below 2^42 */
static void score_sums(const pass *p, const uint64_t *sum, int64_t *u)
{
    const int32_t clusters = p->draw->clusters;

    memset(u, 0, (size_t)clusters * sizeof *u);
    for (int32_t o = 0; o < p->draw->others; o++)
        if (sum[o] != 0) add_score(p->score + (size_t)o * (size_t)clusters, clusters, sum[o], u);
}

static void score_row(const pass *p, int64_t i, lane *l)
{
    const tac_counts *c = p->counts;
    const int32_t others = p->draw->others, clusters = p->draw->clusters;

    if (c->start[i + 1] - c->start[i] >= others) {
        memset(l->sum, 0, ((size_t)others + 1) * sizeof *l->sum);
        tac_add_by_label(c, i, p->other, l->sum);
        score_sums(p, l->sum, l->score);
        return;
    }
    memset(l->score, 0, (size_t)clusters * sizeof *l->score);
    for (int64_t e = c->start[i]; e < c->start[i + 1]; e++) {
        const int32_t o = p->other[c->column[e]];
        if (o < others) add_score(p->score + (size_t)o * (size_t)clusters, clusters, c->count[e], l->score);
    }
}

/* The draw of one item: of its scores, its word and, if that does not settle it, a stream of its own. */
static tacit_status draw_item(const pass *p, int64_t item, uint64_t word, lane *l)
{
    const int32_t clusters = p->draw->clusters;
    tac_stream more;

    if (p->exact != NULL) memcpy(p->exact + (size_t)item * (size_t)clusters, l->score, (size_t)clusters * sizeof *l->score);
    p->label[item] = tac_label_draw(&p->law, l->score, clusters, word, l->weight);
    if (p->label[item] >= 0) return TACIT_OK;
    const tacit_status status = tac_stream_open(NULL, p->door->key, p->query, SETTLE | (uint64_t)item, &more);
    if (status != TACIT_OK) return status;
    p->label[item] = tac_label_settle(&p->law, l->score, clusters, word, &more);
    return tac_stream_end(NULL, &more);
}

static tacit_status rows_block(void *state, int64_t block, int index)
{
    const pass *p = state;
    const int64_t first = block * TAC_SWEEP_ROWS, rows = p->counts->rows;
    const int64_t end = first + TAC_SWEEP_ROWS < rows ? first + TAC_SWEEP_ROWS : rows;
    tac_stream words;
    tacit_status status = tac_stream_open(NULL, p->door->key, p->query, (uint64_t)block, &words);

    for (int64_t i = first; status == TACIT_OK && i < end; i++) {
        const uint64_t word = tac_word(&words); /* a word for every row, of the batch or not */
        if (p->batch != NULL && p->batch[i] != p->draw->batch) continue;
        score_row(p, i, &p->lanes[index]);
        status = draw_item(p, i, word, &p->lanes[index]);
    }
    tac_stream_close(&words);
    return status;
}

/* The first entry of row i from `column` on. */
static int64_t entry_from(const tac_counts *c, int64_t i, int64_t column)
{
    int64_t low = c->start[i], high = c->start[i + 1];

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (c->column[middle] < column) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* sum[(j - first) others + label of row i] += count_ij over the rows of the batch and the columns first <= j < end */
static void sum_columns(const pass *p, int64_t first, int64_t end, uint64_t *sum)
{
    const tac_counts *c = p->counts;
    const int64_t others = p->draw->others;

    memset(sum, 0, (size_t)((end - first) * others) * sizeof *sum);
    for (int64_t i = 0; i < c->rows; i++) {
        if ((p->batch != NULL && p->batch[i] != p->draw->batch) || p->other[i] < 0) continue;
        const int64_t from = first == 0 ? c->start[i] : entry_from(c, i, first);
        const int64_t to = end == c->columns ? c->start[i + 1] : entry_from(c, i, end);
        uint64_t *mine = sum + p->other[i];
        for (int64_t e = from; e < to; e++) mine[(c->column[e] - first) * others] += c->count[e];
    }
}

/* A range of columns, whole blocks of items: its own sums, so lanes share nothing and no table is larger than a range's. */
static tacit_status columns_block(void *state, int64_t block, int index)
{
    const pass *p = state;
    lane *l = &p->lanes[index];
    const int64_t first = block * p->range, columns = p->counts->columns;
    const int64_t end = first + p->range < columns ? first + p->range : columns;
    tacit_status status = TACIT_OK;

    sum_columns(p, first, end, l->sum);
    for (int64_t at = first; status == TACIT_OK && at < end; at += TAC_SWEEP_ROWS) {
        tac_stream words;
        status = tac_stream_open(NULL, p->door->key, p->query, (uint64_t)(at / TAC_SWEEP_ROWS), &words);
        for (int64_t j = at; status == TACIT_OK && j < end && j < at + TAC_SWEEP_ROWS; j++) {
            score_sums(p, l->sum + (j - first) * p->draw->others, l->score);
            status = draw_item(p, j, tac_word(&words), l);
        }
        tac_stream_close(&words);
    }
    return status;
}

/* Columns of a range: all lanes get one, and the sums of none grow beyond a bound. */
static int64_t range_for(const tac_door *door, const tac_draw_labels *d)
{
    const int64_t fit = TABLE_BLOCKS * door->ctx->block_bytes / ((int64_t)sizeof(uint64_t) * d->others) / TAC_SWEEP_ROWS;
    const int64_t all = ((int64_t)door->counts->columns + TAC_SWEEP_ROWS - 1) / TAC_SWEEP_ROWS;
    const int64_t each = (all + door->engine->lanes - 1) / door->engine->lanes;
    const int64_t blocks = each < fit ? each : fit;
    return TAC_SWEEP_ROWS * (blocks < 1 ? 1 : blocks);
}

static tacit_status draw_all(pass *p)
{
    tacit_status status = TACIT_OK;
    const tac_door *door = p->door;
    const tac_engine *engine = door->engine;
    const bool columns = p->draw->columns;
    const size_t clusters = (size_t)p->draw->clusters, others = (size_t)p->draw->others;

    /* Once here, where a sentence may be set: the lanes only repeat it. */
    TAC_TRY(tac_key_check(door->ctx, door->key));
    p->range = range_for(door, p->draw);
    TAC_TRY(tac_new(door->ctx, (size_t)engine->lanes, sizeof *p->lanes, &p->lanes));
    for (int i = 0; i < engine->lanes; i++) {
        TAC_TRY(tac_new(door->ctx, columns ? (size_t)p->range * others : others + 1, sizeof(uint64_t), &p->lanes[i].sum));
        TAC_TRY(tac_new(door->ctx, clusters, sizeof(int64_t), &p->lanes[i].score));
        TAC_TRY(tac_new(door->ctx, clusters, sizeof(uint64_t), &p->lanes[i].weight));
    }
    const int64_t items = columns ? p->counts->columns : p->counts->rows, each = columns ? p->range : TAC_SWEEP_ROWS;
    TAC_TRY(engine->map(engine, door->ctx, (items + each - 1) / each, columns ? columns_block : rows_block, p));
done:
    for (int i = 0; p->lanes != NULL && i < engine->lanes; i++) {
        tac_free(p->lanes[i].sum);
        tac_free(p->lanes[i].score);
        tac_free(p->lanes[i].weight);
    }
    tac_free(p->lanes);
    return status;
}

/* For the tests that attack the door: the scores of the items that were asked, one after the other, then their labels. */
static tacit_status show(tac_door *door, const tac_receipt *receipt, pass *p, int64_t items,
                         bool (*in)(const pass *, int64_t))
{
    tacit_status status = TACIT_OK;
    const size_t clusters = (size_t)p->draw->clusters;
    uint64_t *word = NULL;
    size_t asked = 0;

    if (p->exact != NULL) {
        for (int64_t i = 0; i < items; i++)
            if (in(p, i))
                memmove(p->exact + clusters * asked++, p->exact + clusters * (size_t)i, clusters * sizeof *p->exact);
        door->probe.exact(door->probe.payload, receipt, p->exact, clusters * asked);
    }
    if (door->probe.noisy == NULL) return TACIT_OK;
    TAC_TRY(tac_new(door->ctx, (size_t)receipt->answers, sizeof *word, &word));
    asked = 0;
    for (int64_t i = 0; i < items; i++)
        if (in(p, i)) word[asked++] = (uint64_t)p->label[i];
    door->probe.noisy(door->probe.payload, receipt, word, asked);
    asked = 0;
    for (int64_t i = 0; i < items; i++)
        if (in(p, i)) p->label[i] = (int32_t)word[asked++];
done:
    tac_free(word);
    return status;
}

static bool is_asked(const pass *p, int64_t item)
{
    return p->draw->columns || p->batch == NULL || p->batch[item] == p->draw->batch;
}

/* The largest difference of two scores of one other label; -1: a score is out of range. score: clusters x others;
   turned: the other way round. */
static int64_t turn_scores(const tac_draw_labels *d, int64_t *turned)
{
    int64_t range = 0;

    for (int32_t o = 0; o < d->others; o++) {
        int64_t most = INT64_MIN, least = INT64_MAX;
        for (int32_t c = 0; c < d->clusters; c++) {
            const int64_t s = d->score[(size_t)c * (size_t)d->others + (size_t)o];
            if (s > TAC_SCORE_MOST || s < -TAC_SCORE_MOST) return -1;
            turned[(size_t)o * (size_t)d->clusters + (size_t)c] = s;
            most = s > most ? s : most;
            least = s < least ? s : least;
        }
        range = most - least > range ? most - least : range;
    }
    return range;
}

tacit_status tac_door_labels(tac_door *door, const char *what, uint64_t units, const tac_draw_labels *draw, int32_t *label)
{
    tacit_status status = TACIT_OK;
    tac_receipt asked = {.kind = "labels", .what = what, .batch = draw->batch};
    const tac_receipt *receipt;
    int64_t *turned = NULL;
    int32_t *other = NULL;
    pass p = {.door = door, .draw = draw};

    TAC_TRY(tac_batch_check(door, draw->batch));
    if (draw->clusters < 1 || draw->clusters > TAC_LABELS_MOST || draw->others < 1 || draw->others > OTHERS_MOST)
        TAC_TRY(tac_fail(door->ctx, TACIT_E_INTERNAL, "labels were to be drawn among none or too many"));
    TAC_TRY(tac_new(door->ctx, (size_t)draw->clusters * (size_t)draw->others, sizeof *turned, &turned));
    const int64_t range = turn_scores(draw, turned);
    if (range < 0) TAC_TRY(tac_fail(door->ctx, TACIT_E_INTERNAL, "labels were to be drawn by scores that are too large"));
    if (draw->columns)
        TAC_TRY(tac_row_labels_check(door, draw->batch, draw->other_label, draw->others));
    else
        TAC_TRY(tac_labels_copy(door->ctx, draw->other_label, door->counts->columns, draw->others, &other));
    asked.scale = tac_selection_epsilon(door->accountant->notion, units, &asked.units);
    asked.sensitivity = (tac_u128)range;
    asked.answers = draw->columns ? door->counts->columns : tac_batch_rows(door, draw->batch);
    if (asked.scale == 0)
        TAC_TRY(tac_fail(door->ctx, TACIT_E_ARGUMENT, "epsilon is too small to draw labels; raise epsilon"));
    const int64_t items = draw->columns ? door->counts->columns : door->counts->rows;
    TAC_TRY(tac_new(door->ctx, (size_t)items, sizeof *p.label, &p.label));
    if (door->probe.exact != NULL)
        TAC_TRY(tac_new(door->ctx, (size_t)items * (size_t)draw->clusters, sizeof *p.exact, &p.exact));
    p.counts = door->counts;
    p.batch = draw->batch < 0 ? NULL : door->batch;
    p.other = draw->columns ? draw->other_label : other;
    p.score = turned;
    tac_label_law_set(asked.scale, (uint64_t)range, &p.law);
    TAC_TRY(tac_door_pay_exactly(door, &asked, &receipt));
    p.query = (uint64_t)(receipt - door->receipt); /* every question has its own subkey */
    TAC_TRY(draw_all(&p));
    TAC_TRY(show(door, receipt, &p, items, is_asked));
    for (int64_t i = 0; i < items; i++)
        if (is_asked(&p, i)) label[i] = p.label[i];
done:
    tac_free(turned);
    tac_free(other);
    tac_free(p.label);
    tac_free(p.exact);
    return status;
}
