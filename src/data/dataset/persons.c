/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows count: those that lack no value they need, and of one person at most `most`, chosen
   from that person's rows alone. */
#include "data/dataset/row_contents.h"
#include "data/dataset/row_ranking.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The rows that have an owner and are not left out. */
static tacit_status rank_rows(tacit_ctx *ctx, const tacit_data *data, const uint64_t *kept,
                              tac_ranking *ranking)
{
    tacit_status status = TACIT_OK;
    const int64_t rows = data->reader->rows;
    tac_contents contents = {0};
    tac_person *person = NULL;
    uint64_t *hash = NULL;

    TAC_TRY(tac_contents_open(ctx, data, &contents));
    TAC_TRY(tac_scratch(ctx, (size_t)contents.step, sizeof *person, &person));
    TAC_TRY(tac_scratch(ctx, (size_t)contents.step, sizeof *hash, &hash));
    for (int64_t first = 0; first < rows; first += contents.step) {
        const int64_t some = rows - first < contents.step ? rows - first : contents.step;
        TAC_TRY(tac_data_explain(ctx, data, tac_check_cancel(ctx)));
        TAC_TRY(tac_data_explain(ctx, data, tac_data_units(data, first, some, person)));
        TAC_TRY(tac_data_explain(ctx, data, tac_contents_hash(&contents, first, some, hash)));
        /* a row that is left out, or nobody's, takes nobody's place */
        for (int64_t i = 0; i < some; i++)
            if (tac_is_kept(kept, first + i) && !tac_is_nobody(person[i]))
                TAC_TRY(tac_ranking_add(
                    ranking,
                    &(tac_ranked){.person = person[i], .hash = hash[i], .row = first + i}));
    }
    TAC_TRY(tac_ranking_sort(ranking));
done:
    tac_contents_close(&contents);
    tac_free(person);
    tac_free(hash);
    return status;
}

/* What all blocks share while rows are looked through for missing values. */
typedef struct looking {
    const tacit_data *data;
    int64_t rows, rows_per_block; /* blocks write to words of their own */
    double **buffer;              /* one per worker: points of a block, then a byte for each */
    uint64_t *keep;
    atomic_bool lacking;
} looking;

/* whole[i] = row i, as coordinates, has what it needs to take part. */
static void mark_complete(const tacit_data *data, const double *point, int64_t count,
                          uint8_t *whole)
{
    const int32_t dims = tac_data_dims(data);

    if (data->features.count == 0)
        tac_rows_complete(point, count, dims, whole);
    else
        for (int64_t i = 0; i < count; i++, point += dims)
            whole[i] = !tac_features_drop(&data->features, point);
}

static tacit_status look_through(void *state, int64_t block, int worker)
{
    looking *l = state;
    const int64_t first = block * l->rows_per_block, left = l->rows - first;
    const int64_t count = left < l->rows_per_block ? left : l->rows_per_block;
    double *point = l->buffer[worker];
    uint8_t *whole = (uint8_t *)(point + l->rows_per_block * tac_data_dims(l->data));
    const tacit_status status = tac_data_read(l->data, first, count, point);
    uint8_t all = 1;

    if (status != TACIT_OK) return status;
    mark_complete(l->data, point, count, whole);
    for (int64_t i = 0; i < count; i++) {
        tac_keep(l->keep, first + i, whole[i]);
        all &= whole[i];
    }
    if (all == 0) atomic_store(&l->lacking, true);
    return status;
}

/* *keep: 1 for the rows that lack nothing they need; NULL: all of them. */
static tacit_status complete_rows(tacit_ctx *ctx, const tacit_data *data, uint64_t **keep)
{
    tacit_status status = TACIT_OK;
    tac_engine engine;
    const int32_t dims = tac_data_dims(data);
    looking l = {.data = data, .rows = data->reader->rows};
    l.rows_per_block = ctx->block_bytes / ((int64_t)sizeof(double) * dims);
    l.rows_per_block += TAC_KEPT_WORD - l.rows_per_block % TAC_KEPT_WORD;
    const int64_t blocks = (l.rows + l.rows_per_block - 1) / l.rows_per_block;

    *keep = NULL;
    /* counts have no missing values */
    if (!tac_data_drops(data) || tac_data_sparse(data) || data->loaded_as.counts) return TACIT_OK;
    tac_engine_threads(ctx, &engine);
    TAC_TRY(tac_new(ctx, (size_t)engine.workers, sizeof *l.buffer, &l.buffer));
    for (int i = 0; i < engine.workers; i++)
        TAC_TRY(tac_scratch(ctx, (size_t)(l.rows_per_block * (dims + 1)), sizeof(double),
                            &l.buffer[i]));
    TAC_TRY(tac_new(ctx, tac_kept_words(l.rows), sizeof *l.keep, &l.keep));
    TAC_TRY(tac_data_explain(ctx, data, engine.map(&engine, ctx, blocks, look_through, &l)));
    if (atomic_load(&l.lacking)) {
        *keep = l.keep;
        l.keep = NULL;
    }
done:
    for (int i = 0; l.buffer != NULL && i < engine.workers; i++) tac_free(l.buffer[i]);
    tac_free(l.buffer);
    tac_free(l.keep);
    return status;
}

/* Of each unit at most `most` of the rows in `kept`, which are all where it is NULL; it becomes the
   answer. */
static tacit_status bound_units(tacit_ctx *ctx, const tacit_data *data, int32_t most,
                                uint64_t **kept)
{
    tacit_status status = TACIT_OK;
    const int64_t rows = data->reader->rows;
    tac_ranking *ranking = NULL;
    uint64_t *chosen = NULL;
    tac_person last = {0, 0}; /* nobody */
    const tac_ranked *next;

    TAC_TRY(tac_new(ctx, tac_kept_words(rows), sizeof *chosen, &chosen));
    TAC_TRY(tac_ranking_open(ctx, rows, &ranking));
    TAC_TRY(rank_rows(ctx, data, *kept, ranking));
    for (int64_t i = 0, owned = 0;; i++) {
        if (i % 65536 == 0) TAC_TRY(tac_data_explain(ctx, data, tac_check_cancel(ctx)));
        TAC_TRY(tac_ranking_next(ranking, &next));
        if (next == NULL) break;
        owned = tac_person_compare(next->person, last) == 0 ? owned + 1 : 1;
        last = next->person;
        tac_keep(chosen, next->row, owned <= most);
    }
    tac_free(*kept);
    *kept = chosen;
    chosen = NULL;
done:
    tac_ranking_close(ranking);
    tac_free(chosen);
    return status;
}

tacit_status tac_data_kept(tacit_ctx *ctx, const tacit_data *data, int32_t most, uint64_t **keep)
{
    tacit_status status = TACIT_OK;
    uint64_t *kept = NULL;

    *keep = NULL;
    TAC_TRY(complete_rows(ctx, data, &kept));
    if (data->has_units) TAC_TRY(bound_units(ctx, data, most, &kept));
    *keep = kept;
    kept = NULL;
done:
    tac_free(kept);
    return status;
}
