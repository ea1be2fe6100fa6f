/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of all rows or all columns, each drawn by its scores, single counts protected. Proof:
   labels.proof.md. Scores of columns add up over shards, and the columns are drawn at the root; a
   row is drawn where its counts are. */
#include "privacy/queries/entries.h"
#include "privacy/queries/label_draw.h"

#include <string.h>

#define OTHERS_MOST (1 << 24) /* every column its own label */
/* a worker's sums of columns take at most about so many times block_bytes */
#define TABLE_BLOCKS 128
/* stream of an item's further words, beside the streams of blocks */
#define SETTLE (UINT64_C(1) << 63)

_Static_assert(TAC_SWEEP_ROWS * sizeof(uint64_t) == sizeof((tac_stream *)NULL)->words,
               "a block of items uses one filling of a stream");

/* A worker's scratch. */
typedef struct worker {
    uint64_t *sum;    /* by label of the other side: of one row, or of every column of a range */
    int64_t *score;   /* clusters */
    uint64_t *weight; /* clusters */
} worker;

/* One evaluation or one draw. Scores are public; sums, columns and exact are private. */
typedef struct pass {
    const tac_query *q;
    const tac_shard *shard;
    int32_t clusters, others; /* labels that are drawn, and those of the other side */
    const int32_t *other;     /* of the columns: `others` where one is left out */
    int64_t *score;           /* others x clusters: turned round */
    worker *workers;
    int count; /* of them */
    /* evaluating columns */
    int64_t range;    /* columns of a range */
    int64_t *columns; /* columns x clusters: their scores, evaluated and drawn by */
    /* drawing */
    const tac_key *key;
    uint64_t query;
    tac_label_distribution distribution;
    int32_t *label;  /* of every item */
    uint64_t *exact; /* rows x clusters, for the probe; NULL: none */
} pass;

static bool of_columns(const tac_query *q)
{
    return q->kind == TAC_KIND_COLUMN_LABELS;
}

/* u_c += count score_c */
static inline void add_score(const int64_t *score, int32_t clusters, uint64_t count, int64_t *u)
{
    for (int32_t c = 0; c < clusters; c++) u[c] += (int64_t)count * score[c];
}

/* u_c = sum over labels of their counts times the score: below 2^62 in size, counts together being
   below 2^42 */
static void score_sums(const pass *p, const uint64_t *sum, int64_t *u)
{
    memset(u, 0, (size_t)p->clusters * sizeof *u);
    for (int32_t o = 0; o < p->others; o++)
        if (sum[o] != 0)
            add_score(p->score + (size_t)o * (size_t)p->clusters, p->clusters, sum[o], u);
}

/* l->score_c = sum over the row's entries of count score_c: entry by entry, or by label first
   where the row has more entries than there are labels. */
static void score_row(const pass *p, int64_t i, worker *l)
{
    const tac_counts *c = p->shard->counts;
    const int32_t others = p->others, clusters = p->clusters;

    if (c->start[i + 1] - c->start[i] >= others) {
        memset(l->sum, 0, ((size_t)others + 1) * sizeof *l->sum);
        tac_add_by_label(c, i, p->other, l->sum);
        score_sums(p, l->sum, l->score);
        return;
    }
    memset(l->score, 0, (size_t)clusters * sizeof *l->score);
    for (int64_t e = c->start[i]; e < c->start[i + 1]; e++) {
        const int32_t o = p->other[c->column[e]];
        if (o < others)
            add_score(p->score + (size_t)o * (size_t)clusters, clusters, c->count[e], l->score);
    }
}

/* The draw of one item: of its scores, its word and, if that does not settle it, a stream of its
   own. */
static tacit_status draw_item(const pass *p, int64_t item, const int64_t *score, uint64_t word,
                              uint64_t *weight)
{
    tac_stream more;

    p->label[item] = tac_label_draw(&p->distribution, score, p->clusters, word, weight);
    if (p->label[item] >= 0) return TACIT_OK;
    const tacit_status status =
        tac_stream_open(NULL, p->key, p->query, SETTLE | (uint64_t)item, &more);
    if (status != TACIT_OK) return status;
    p->label[item] = tac_label_settle(&p->distribution, score, p->clusters, word, &more);
    return tac_stream_end(NULL, &more);
}

/* Labels of a block of rows or columns. Every item has its own word of the query's streams, so
   labels do not depend on threads or batches. */
static tacit_status draw_block(void *state, int64_t block, int index)
{
    const pass *p = state;
    worker *l = &p->workers[index];
    const bool columns = of_columns(p->q);
    const int64_t first = block * TAC_SWEEP_ROWS,
                  items = columns ? p->q->columns : p->shard->counts->rows;
    const int64_t end = first + TAC_SWEEP_ROWS < items ? first + TAC_SWEEP_ROWS : items;
    const size_t clusters = (size_t)p->clusters;
    tac_stream words;
    tacit_status status = tac_stream_open(NULL, p->key, p->query, (uint64_t)block, &words);

    for (int64_t i = first; status == TACIT_OK && i < end; i++) {
        const uint64_t word = tac_word(&words); /* a word for every row, of the batch or not */
        if (!columns && !tac_in_batch(p->q, p->shard, i)) continue;
        if (!columns) score_row(p, i, l);
        if (p->exact != NULL)
            memcpy(p->exact + (size_t)i * clusters, l->score, clusters * sizeof *l->score);
        status = draw_item(p, i, columns ? p->columns + (size_t)i * clusters : l->score, word,
                           l->weight);
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
        if (c->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* sum[(j - first) others + label of row i] += count_ij over the rows of the batch and the columns
   first <= j < end */
static void sum_columns(const pass *p, int64_t first, int64_t end, uint64_t *sum)
{
    const tac_counts *c = p->shard->counts;
    const int64_t others = p->others;

    memset(sum, 0, (size_t)((end - first) * others) * sizeof *sum);
    for (int64_t i = 0; i < c->rows; i++) {
        const int32_t label =
            tac_in_batch(p->q, p->shard, i) ? p->q->row_label[tac_place_of(p->shard, i)] : -1;
        if (label < 0) continue;
        const int64_t from = first == 0 ? c->start[i] : entry_from(c, i, first);
        const int64_t to = end == c->columns ? c->start[i + 1] : entry_from(c, i, end);
        uint64_t *mine = sum + label;
        for (int64_t e = from; e < to; e++) mine[(c->column[e] - first) * others] += c->count[e];
    }
}

/* A range of columns: its own sums, so workers share nothing and no table is larger than a
   range's. */
static tacit_status columns_block(void *state, int64_t block, int index)
{
    const pass *p = state;
    worker *l = &p->workers[index];
    const int64_t first = block * p->range, columns = p->q->columns;
    const int64_t end = first + p->range < columns ? first + p->range : columns;

    sum_columns(p, first, end, l->sum);
    for (int64_t j = first; j < end; j++)
        score_sums(p, l->sum + (j - first) * p->others,
                   p->columns + (size_t)j * (size_t)p->clusters);
    return TACIT_OK;
}

/* Columns of a range: all workers get one, and the sums of none grow beyond a bound. */
static int64_t range_for(const tacit_ctx *ctx, const tac_engine *engine, const tac_query *q)
{
    const int64_t fit = TABLE_BLOCKS * ctx->block_bytes /
                        ((int64_t)sizeof(uint64_t) * q->row_labels) / TAC_SWEEP_ROWS;
    const int64_t all = ((int64_t)q->columns + TAC_SWEEP_ROWS - 1) / TAC_SWEEP_ROWS;
    const int64_t each = (all + engine->workers - 1) / engine->workers;
    const int64_t blocks = each < fit ? each : fit;
    return TAC_SWEEP_ROWS * (blocks < 1 ? 1 : blocks);
}

/* sums: of a worker. */
static tacit_status open_pass(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                              const tac_shard *shard, size_t sums, pass *p)
{
    tacit_status status = TACIT_OK;
    const bool columns = of_columns(q);

    *p = (pass){.q = q,
                .shard = shard,
                .clusters = columns ? q->column_labels : q->row_labels,
                .others = columns ? q->row_labels : q->column_labels,
                .count = engine->workers};
    const size_t clusters = (size_t)p->clusters, others = (size_t)p->others;
    TAC_TRY(tac_new(ctx, clusters * others, sizeof *p->score, &p->score));
    for (size_t o = 0; o < others; o++)
        for (size_t c = 0; c < clusters; c++) p->score[o * clusters + c] = q->score[c * others + o];
    TAC_TRY(tac_new(ctx, (size_t)engine->workers, sizeof *p->workers, &p->workers));
    for (int i = 0; i < engine->workers; i++) {
        TAC_TRY(tac_new(ctx, sums, sizeof(uint64_t), &p->workers[i].sum));
        TAC_TRY(tac_new(ctx, clusters, sizeof(int64_t), &p->workers[i].score));
        TAC_TRY(tac_new(ctx, clusters, sizeof(uint64_t), &p->workers[i].weight));
    }
done:
    return status;
}

static void close_pass(pass *p)
{
    for (int i = 0; p->workers != NULL && i < p->count; i++) {
        tac_free(p->workers[i].sum);
        tac_free(p->workers[i].score);
        tac_free(p->workers[i].weight);
    }
    tac_free(p->workers);
    tac_free(p->score);
    tac_free(p->label);
    tac_free(p->exact);
}

/* words: the scores of every column, columns x clusters: a count adds count times a public score,
   so those of shards add up */
tacit_status tac_labels_evaluate(tacit_ctx *ctx, const tac_engine *engine, const tac_query *q,
                                 const tac_shard *shard, tac_words *out)
{
    tacit_status status = TACIT_OK;
    const int64_t range = range_for(ctx, engine, q);
    pass p = {0};

    TAC_TRY(open_pass(ctx, engine, q, shard, (size_t)range * (size_t)q->row_labels, &p));
    p.range = range;
    p.columns = (int64_t *)out->word; /* signed and unsigned of one type may alias */
    TAC_TRY(engine->map(engine, ctx, (q->columns + range - 1) / range, columns_block, &p));
done:
    close_pass(&p);
    return status;
}

/* Scores within TAC_SCORE_MOST and counts below 2^42 in all keep every sum of products below
   2^62. */
tacit_status tac_labels_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    const bool columns = of_columns(q);
    const int32_t clusters = columns ? q->column_labels : q->row_labels,
                  others = columns ? q->row_labels : q->column_labels;

    if (clusters < 1 || clusters > TAC_LABELS_MOST || others < 1 || others > OTHERS_MOST ||
        q->score == NULL ||
        (columns ? q->row_label == NULL && q->rows > 0
                 : q->column_label == NULL && q->columns > 0) ||
        (!columns && !tac_labels_make_sense(q->column_label, q->columns, others)))
        return tac_no_sense(ctx, "a draw of labels");
    for (size_t i = 0; i < (size_t)clusters * (size_t)others; i++)
        if (q->score[i] > TAC_SCORE_MOST || q->score[i] < -TAC_SCORE_MOST)
            return tac_fail(ctx, TACIT_E_INTERNAL,
                            "labels were to be drawn by scores that are too large");
    return columns ? tac_words_fit(ctx, clusters, (size_t)q->columns, words) : TACIT_OK;
}

/* The largest difference of two scores of one other label. */
static int64_t range_of(const tac_query *q)
{
    const int32_t clusters = of_columns(q) ? q->column_labels : q->row_labels;
    const int32_t others = of_columns(q) ? q->row_labels : q->column_labels;
    int64_t range = 0;

    for (int32_t o = 0; o < others; o++) {
        int64_t most = INT64_MIN, least = INT64_MAX;
        for (int32_t c = 0; c < clusters; c++) {
            const int64_t s = q->score[(size_t)c * (size_t)others + (size_t)o];
            most = s > most ? s : most;
            least = s < least ? s : least;
        }
        range = most - least > range ? most - least : range;
    }
    return range;
}

/* One entry moves the scores of one item: u_c - u_c' by at most `range`. So all draws together
   cost what one costs (parallel composition). */
tacit_status tac_labels_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    out->range = (uint64_t)range_of(q);
    out->answers = q->columns;
    if (!of_columns(q)) {
        /* rows stand where they are named */
        if (door->shard[0].place != NULL) return tac_no_sense(door->ctx, "a draw of labels");
        out->answers = 0;
        for (int64_t i = 0; i < q->rows; i++) out->answers += tac_in_batch(q, &door->shard[0], i);
    }
    out->shown = (size_t)out->answers;
    return TACIT_OK;
}

/* answer: a label for every column, or for every row of the batch; never -1 */
tacit_status tac_labels_draw(tac_door *door, const tac_query *q, const tac_bound *bound,
                             const tac_receipt *receipt, const tac_words *exact, uint64_t *answer)
{
    tacit_status status = TACIT_OK;
    const int64_t items = of_columns(q) ? q->columns : q->rows;
    const size_t clusters = (size_t)(of_columns(q) ? q->column_labels : q->row_labels);
    int32_t *other = NULL;
    size_t asked = 0;
    pass p = {0};

    /* once here, where a sentence may be set: the workers only repeat it */
    TAC_TRY(tac_key_check(door->ctx, door->key));
    TAC_TRY(open_pass(door->ctx, door->engine, q, &door->shard[0],
                      of_columns(q) ? 0 : (size_t)q->column_labels + 1, &p));
    TAC_TRY(tac_new(door->ctx, (size_t)items, sizeof *p.label, &p.label));
    if (!of_columns(q)) {
        TAC_TRY(tac_labels_copy(door->ctx, q->column_label, q->columns, q->column_labels, &other));
        if (door->probe.exact != NULL)
            TAC_TRY(tac_new(door->ctx, (size_t)items * clusters, sizeof *p.exact, &p.exact));
    }
    p.other = other;
    p.columns = (int64_t *)exact->word;
    p.key = door->key;
    p.query = tac_door_subkey(door, receipt);
    tac_label_distribution_set(receipt->scale, bound->range, &p.distribution);
    TAC_TRY(door->engine->map(door->engine, door->ctx,
                              (items + TAC_SWEEP_ROWS - 1) / TAC_SWEEP_ROWS, draw_block, &p));
    for (int64_t i = 0; i < items; i++) {
        if (!of_columns(q) && !tac_in_batch(q, p.shard, i)) continue;
        if (p.exact != NULL)
            memmove(p.exact + clusters * asked, p.exact + clusters * (size_t)i,
                    clusters * sizeof *p.exact);
        answer[asked++] = (uint64_t)p.label[i];
    }
    if (p.exact != NULL) tac_door_show_exact(door, receipt, p.exact, clusters * asked);
done:
    close_pass(&p);
    tac_free(other);
    return status;
}
