/* SPDX-License-Identifier: Apache-2.0 */
/* The walks over bodies of messages (bodies.h). */
#include "privacy/kinds.h"
#include "privacy/shards/bodies.h"

#include <sodium.h>
#include <string.h>

void tac_spec_walk(tac_walk *w, void *body)
{
    tac_spec *s = body;

    tac_walk_bytes(w, s->session.key, sizeof s->session.key); /* first: tac_message_session */
    TAC_NUMBER(w, s->shards), TAC_NUMBER(w, s->rows_per_unit);
    tac_walk_truth(w, &s->adds);
    tac_walk_bytes(w, s->person_key.byte, sizeof s->person_key.byte);
    if (s->shards < 0 || s->shards > TAC_SHARDS_MOST || s->rows_per_unit < 1) w->bad = true;
    if (!w->bad) tac_load_spec_walk(w, &s->load);
}

tacit_status tac_spec_read(tacit_ctx *ctx, const void *bytes, size_t count, tac_spec *out)
{
    tacit_status status = TACIT_OK;

    memset(out, 0, sizeof *out);
    TAC_TRY(tac_message_session(ctx, bytes, count, &out->session));
    TAC_TRY(
        tac_message_read(ctx, TAC_MESSAGE_SPEC, &out->session, bytes, count, tac_spec_walk, out));
done:
    return status;
}

void tac_spec_clear(tac_spec *s)
{
    tac_load_spec_clear(&s->load);
    sodium_memzero(&s->session, sizeof s->session);
    sodium_memzero(&s->person_key, sizeof s->person_key);
}

static void walk_part(tac_walk *w, tac_part *p)
{
    bool there = p->bytes != NULL;

    tac_walk_truth(w, &there);
    if (!there || w->bad) return;
    TAC_NUMBER(w, p->count);
    TAC_LIST(w, p->bytes, p->count);
}

void tac_frames_walk(tac_walk *w, void *body)
{
    tac_frames_body *b = body;

    TAC_NUMBER(w, b->number);
    for (int view = 0; view < TAC_VIEWS; view++) walk_part(w, &b->frame[view]);
}

void tac_frames_clear(tac_frames_body *b)
{
    for (int view = 0; view < TAC_VIEWS; view++) tac_free(b->frame[view].bytes);
    memset(b, 0, sizeof *b);
}

void tac_queries_walk(tac_walk *w, void *body)
{
    tac_query_body *b = body;

    tac_walk_bytes(w, b->frames, sizeof b->frames);
    TAC_NUMBER(w, b->number), TAC_NUMBER(w, b->count);
    if (b->count < 1) w->bad = true;
    if (w->bad) return;
    b->query = tac_walk_list(w, b->query, (size_t)b->count, sizeof *b->query, 9);
    for (int32_t i = 0; !w->bad && i < b->count; i++) {
        walk_part(w, &b->query[i]);
        w->bad = w->bad || b->query[i].bytes == NULL;
    }
}

void tac_queries_clear(tac_query_body *b)
{
    for (int32_t i = 0; b->query != NULL && i < b->count; i++) tac_free(b->query[i].bytes);
    tac_free(b->query);
    memset(b, 0, sizeof *b);
}

static void walk_placed(tac_walk *w, tac_placed *p)
{
    TAC_NUMBER(w, p->index);
    tac_walk_bytes(w, p->rows, sizeof p->rows);
    if (p->index < 0 || p->index >= TAC_SHARDS_MOST) w->bad = true;
}

void tac_receipt_walk(tac_walk *w, void *body)
{
    tac_receipt_body *b = body;

    tac_walk_bytes(w, b->frames, sizeof b->frames);
    walk_placed(w, &b->shard);
}

void tac_answer_walk(tac_walk *w, void *body)
{
    tac_answer_body *b = body;

    tac_walk_bytes(w, b->query, sizeof b->query);
    TAC_NUMBER(w, b->shards), TAC_NUMBER(w, b->count);
    if (b->shards < 1 || b->count < 1) w->bad = true;
    if (w->bad) return;
    b->shard = tac_walk_list(w, b->shard, (size_t)b->shards, sizeof *b->shard, 8 + TAC_ROWS_TAG);
    for (int64_t i = 0; !w->bad && i < b->shards; i++) {
        walk_placed(w, &b->shard[i]);
        w->bad = w->bad || (i > 0 && b->shard[i].index <= b->shard[i - 1].index);
    }
    if (w->bad) return;
    b->answer = tac_walk_list(w, b->answer, (size_t)b->count, sizeof *b->answer, 12);
    for (int32_t i = 0; !w->bad && i < b->count; i++) {
        b->answer[i].kind = (tac_kind)tac_walk_choice(w, (int32_t)b->answer[i].kind, TAC_KINDS);
        TAC_NUMBER(w, b->answer[i].count);
        if (!w->bad) TAC_LIST(w, b->answer[i].word, b->answer[i].count);
    }
}

bool tac_kind_merges(tac_kind kind)
{
    return tac_kind_lines[kind].combination == TAC_COMBINE_MERGE;
}

bool tac_words_are_good(const tac_answer_words *a)
{
    if (!tac_kind_merges(a->kind)) return a->count % tac_kind_lines[a->kind].width == 0;
    if (a->count % TAC_CUBE_WORDS != 0) return false;
    for (uint64_t i = 0; i < a->count; i += TAC_CUBE_WORDS) {
        const tac_cube cube = tac_cube_read(a->word + i);
        if (a->word[i] > INT32_MAX) return false;
        if (i == 0) continue;
        const tac_cube last = tac_cube_read(a->word + i - TAC_CUBE_WORDS);
        if (tac_by_place(&last, &cube) >= 0) return false;
    }
    return true;
}

void tac_answer_clear(tac_answer_body *b)
{
    for (int32_t i = 0; b->answer != NULL && i < b->count; i++) tac_free(b->answer[i].word);
    tac_free(b->answer);
    tac_free(b->shard);
    memset(b, 0, sizeof *b);
}

/* ---- blocks ---- */

static void walk_lattice(tac_walk *w, tac_lattice *l)
{
    TAC_NUMBER(w, l->rows), TAC_NUMBER(w, l->dims);
    tac_walk_truth(w, &l->sparse);
    if (l->rows < 0 || l->rows > INT64_MAX / 16 || l->dims < 1 || l->dims > INT32_MAX - 1)
        w->bad = true;
    if (w->bad) return;
    l->stride = l->dims + (l->dims & 1);
    if (!l->sparse) {
        TAC_LIST(w, l->points, tac_walk_product(l->rows, l->stride, 1));
        return;
    }
    TAC_LIST(w, l->start, (size_t)l->rows + 1);
    if (w->bad) return;
    TAC_LIST(w, l->column, tac_walk_product(l->start[l->rows], 1, 1));
    if (w->bad) return;
    TAC_LIST(w, l->value, tac_walk_product(l->start[l->rows], 1, 1));
}

void tac_block_walk(tac_walk *w, void *body)
{
    tac_block_body *b = body;

    tac_walk_bytes(w, b->frames, sizeof b->frames);
    walk_placed(w, &b->shard);
    for (int view = 0; view < TAC_VIEWS; view++) {
        tac_walk_truth(w, &b->there[view]);
        if (b->there[view] && !w->bad) walk_lattice(w, &b->lattice[view]);
    }
}

static bool in_ball(const int16_t *x, int64_t count)
{
    uint64_t squares = 0;

    for (int64_t j = 0; j < count; j++) squares += (uint64_t)((int32_t)x[j] * x[j]);
    return squares <= (uint64_t)TAC_M * TAC_M;
}

static bool is_good(const tac_lattice *l)
{
    for (int64_t i = 0; !l->sparse && i < l->rows; i++) {
        const int16_t *x = l->points + i * l->stride;
        if (!in_ball(x, l->stride) || (l->stride > l->dims && x[l->dims] != 0)) return false;
    }
    if (l->sparse && l->start[0] != 0) return false;
    /* all starts before any entry: the last of them is how many entries there are */
    for (int64_t i = 0; l->sparse && i < l->rows; i++)
        if (l->start[i + 1] < l->start[i]) return false;
    for (int64_t i = 0; l->sparse && i < l->rows; i++) {
        const int64_t from = l->start[i], end = l->start[i + 1];
        for (int64_t e = from; e < end; e++)
            if (l->column[e] < 0 || l->column[e] >= l->dims ||
                (e > from && l->column[e] <= l->column[e - 1]))
                return false;
        if (!in_ball(l->value + from, end - from)) return false;
    }
    return true;
}

bool tac_block_is_good(const tac_block_body *b)
{
    for (int view = 0; view < TAC_VIEWS; view++)
        if (b->there[view] && !is_good(&b->lattice[view])) return false;
    return !b->there[TAC_ROWS] || !b->there[TAC_PROJECTED] ||
           b->lattice[TAC_ROWS].rows == b->lattice[TAC_PROJECTED].rows;
}

void tac_block_clear(tac_block_body *b)
{
    for (int view = 0; view < TAC_VIEWS; view++) tac_lattice_clear(&b->lattice[view]);
    memset(b, 0, sizeof *b);
}
