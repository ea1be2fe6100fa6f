/* SPDX-License-Identifier: Apache-2.0 */
/* A frame as bytes and back: public, so that whoever holds rows can place them. What is written is
   what a frame is made from; what follows from it is made again, by the code that makes frames,
   which refuses numbers that make none. */
#include "core/byte_walk.h"
#include "data/lattice/frame_internal.h"

#include <math.h>
#include <string.h>

/* "tF" and the version: whoever changes the walk, or what a frame does to a row, raises it. */
#define VERSION UINT32_C(0x46740001)
#define DIMS_MOST (1 << 24) /* more than any frame has */

/* Read or written: the parts that a frame is made from. Lists that are read are this struct's. */
typedef struct parts {
    tac_frame first;       /* lower, upper, center, scale of columns; or counts, bins */
    tac_weighing weighing; /* first.counts */
    int32_t bins;
    tac_bins *bin;
    int32_t dims, sketch; /* of a later frame */
    double zoom;
    double *shift, *basis, *sign, *middle;
    int32_t *bucket;
} parts;

typedef enum sort { BOX, COUNTS, BINS } sort;

static void walk_domain(tac_walk *w, tac_frame *f)
{
    const size_t columns = (size_t)f->columns;

    tac_walk_truth(w, &f->ball);
    TAC_NUMBER(w, f->constant);
    TAC_LIST(w, f->lower, columns);
    TAC_LIST(w, f->upper, columns);
    TAC_LIST(w, f->center, columns);
    TAC_LIST(w, f->scale, columns);
}

static void walk_weighing(tac_walk *w, parts *p)
{
    tac_weighing *g = &p->weighing;
    const size_t columns = (size_t)p->first.columns;

    g->value = (tac_count_value)tac_walk_choice(w, (int32_t)g->value, TAC_ANY + 1);
    TAC_NUMBER(w, g->dims), TAC_NUMBER(w, g->most), TAC_NUMBER(w, g->least);
    tac_walk_truth(w, &g->taxicab), tac_walk_truth(w, &g->dense);
    if (g->dims > DIMS_MOST) w->bad = true;
    TAC_LIST_OR_NULL(w, g->weight, columns);
    TAC_LIST_OR_NULL(w, g->group, columns);
}

/* 24 bytes a column at least. */
static void walk_bins(tac_walk *w, parts *p)
{
    TAC_NUMBER(w, p->bins);
    if (p->bins < 0 || p->bins > TAC_BINS_COLUMNS) w->bad = true;
    if (w->bad) return;
    p->bin = tac_walk_list(w, p->bin, (size_t)p->bins, sizeof *p->bin, 24);
    for (int32_t i = 0; !w->bad && i < p->bins; i++) {
        tac_bins *b = &p->bin[i];
        TAC_NUMBER(w, b->column), TAC_NUMBER(w, b->least), TAC_NUMBER(w, b->most);
        TAC_NUMBER(w, b->edges);
        if (!w->bad && b->edges > 0) TAC_LIST(w, b->edge, (size_t)b->edges);
    }
}

static void walk_later(tac_walk *w, parts *p)
{
    const int32_t all = tac_frame_first(&p->first);

    TAC_NUMBER(w, p->dims), TAC_NUMBER(w, p->zoom), TAC_NUMBER(w, p->sketch);
    if (p->dims < 1 || p->dims > DIMS_MOST || p->sketch < 0 || p->sketch > DIMS_MOST) w->bad = true;
    if (w->bad) return;
    TAC_LIST(w, p->shift, (size_t)all);
    if (p->sketch > 0) {
        TAC_LIST(w, p->bucket, (size_t)p->first.columns);
        TAC_LIST(w, p->sign, (size_t)p->first.columns);
        TAC_LIST_OR_NULL(w, p->middle, (size_t)p->sketch);
    }
    TAC_LIST_OR_NULL(w, p->basis, tac_walk_product(p->sketch > 0 ? p->sketch : all, p->dims, 1));
}

static void walk_frame(tac_walk *w, parts *p, sort *s, bool *later)
{
    uint32_t version = VERSION;

    TAC_NUMBER(w, version);
    w->bad = w->bad || version != VERSION;
    *s = (sort)tac_walk_choice(w, (int32_t)*s, BINS + 1);
    TAC_NUMBER(w, p->first.columns), TAC_NUMBER(w, p->first.sparsity);
    if (p->first.columns < 1 || p->first.columns > DIMS_MOST || p->first.sparsity < 0)
        w->bad = true;
    if (w->bad) return;
    if (*s == BOX) walk_domain(w, &p->first);
    if (*s == COUNTS) walk_weighing(w, p);
    if (*s == BINS) walk_bins(w, p);
    tac_walk_truth(w, later);
    if (*later && !w->bad) walk_later(w, p);
}

/* Two walks: the size, then the bytes. */
tacit_status tac_frame_write(tacit_ctx *ctx, const tac_frame *f, uint8_t **bytes, size_t *count)
{
    tacit_status status = TACIT_OK;
    parts p = {.first = *f,
               .bins = f->bins != NULL ? f->dims : 0,
               .bin = f->bins,
               .dims = f->dims,
               .sketch = f->bucket != NULL ? f->sketch : 0,
               .zoom = f->zoom,
               .shift = f->shift,
               .basis = f->basis,
               .sign = f->sign,
               .middle = f->middle,
               .bucket = f->bucket};
    sort s = f->counts != NULL ? COUNTS : f->bins != NULL ? BINS : BOX;
    bool later = f->shift != NULL;
    tac_walk size = {0}, w = {0};

    *bytes = NULL;
    if (f->counts != NULL) p.weighing = *f->counts;
    walk_frame(&size, &p, &s, &later);
    TAC_TRY(tac_new(ctx, size.at, 1, bytes));
    w.out = *bytes;
    walk_frame(&w, &p, &s, &later);
    *count = w.at;
done:
    return status;
}

/* Numbers of a first frame that place rows somewhere. A useless frame is allowed: the clip bounds
   every point. */
static bool makes_sense(const tac_frame *f)
{
    if (!isfinite(f->constant) || f->constant < 0 || f->constant > TAC_M) return false;
    for (int32_t j = 0; j < f->columns; j++)
        if (!(f->lower[j] <= f->upper[j]) || !isfinite(f->center[j]) || !isnormal(f->scale[j]) ||
            f->scale[j] < 0)
            return false;
    return true;
}

/* The first frame of the parts. Its lists are moved out of them, or copied. */
static tacit_status make_first(tacit_ctx *ctx, parts *p, sort s, tac_frame *out)
{
    tacit_status status = TACIT_OK;
    const int32_t sparsity = p->first.sparsity;

    if (s == COUNTS) {
        TAC_TRY(tac_frame_weigh(ctx, p->first.columns, &p->weighing, out));
        if (out->sparsity != sparsity) status = TACIT_E_INTERNAL;
    } else if (s == BINS) {
        TAC_TRY(tac_frame_of_bins(ctx, p->first.columns, p->bin, p->bins, out));
        if (sparsity != 0) status = TACIT_E_INTERNAL;
    } else if (makes_sense(&p->first)) {
        *out = p->first;
        p->first = (tac_frame){0};
        out->dims = tac_frame_first(out);
    } else {
        status = TACIT_E_INTERNAL;
    }
done:
    return status;
}

static tacit_status make_frame(tacit_ctx *ctx, parts *p, sort s, bool later, tac_frame *out)
{
    tacit_status status = TACIT_OK;
    const tac_sketch sketch = {.size = p->sketch, .bucket = p->bucket, .sign = p->sign};
    tac_frame first = {0};

    TAC_TRY(make_first(ctx, p, s, &first));
    if (!later) {
        *out = first;
        return TACIT_OK;
    }
    if (p->sketch > 0)
        TAC_TRY(tac_frame_sketch(ctx, &first, &sketch, p->shift, p->middle, p->zoom, p->basis,
                                 p->dims, out));
    else
        TAC_TRY(tac_frame_zoom(ctx, &first, p->shift, p->zoom, p->dims, p->basis, NULL, NULL, out));
    if (out->dims != p->dims) status = TACIT_E_INTERNAL;
done:
    tac_frame_clear(&first);
    return status;
}

static void clear_parts(parts *p)
{
    for (int32_t i = 0; p->bin != NULL && i < p->bins; i++)
        tac_free((void *)(uintptr_t)p->bin[i].edge);
    tac_free(p->bin);
    tac_free((void *)(uintptr_t)p->weighing.weight);
    tac_free((void *)(uintptr_t)p->weighing.group);
    tac_free(p->shift), tac_free(p->basis), tac_free(p->sign), tac_free(p->middle);
    tac_free(p->bucket);
    tac_frame_clear(&p->first);
}

tacit_status tac_frame_read(tacit_ctx *ctx, const uint8_t *bytes, size_t count, tac_frame *out)
{
    static const char malformed[] = "the bytes of a frame are malformed, or of another version";
    tacit_status status = TACIT_OK;
    tac_walk w = {.in = bytes, .end = count, .ctx = ctx};
    parts p = {0};
    sort s = BOX;
    bool later = false;

    *out = (tac_frame){0};
    walk_frame(&w, &p, &s, &later);
    TAC_TRY(tac_walk_end(&w, ctx, malformed));
    status = make_frame(ctx, &p, s, later, out);
    /* of whoever wrote it: no fault of this program */
    if (status == TACIT_E_INTERNAL) status = tac_fail(ctx, TACIT_E_FORMAT, "%s", malformed);
done:
    clear_parts(&p);
    if (status != TACIT_OK) tac_frame_clear(out);
    return status;
}
