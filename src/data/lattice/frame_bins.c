/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of bins: a value becomes the number of the bin it lies in, so that the door's histograms
   show where a column has its values before its bounds are known. A pure function of (value, public
   numbers): bins.proof.md. */
#include "data/lattice/frame_internal.h"

#include <math.h>
#include <string.h>

#define EXPONENT_LEAST (-332) /* 2^-332 and 2^332 are just within what bounds may be */

/* The exponent of the outermost octaves is the largest that is not infinite: values beyond are
   counted there. */
static int32_t octave_of(double x)
{
    const double size = fabs(x);
    const int32_t exponent = size < 0x1p-332   ? EXPONENT_LEAST - 1
                             : size >= 0x1p331 ? EXPONENT_LEAST + TAC_OCTAVES - 1
                                               : ilogb(size);
    const int32_t octave = exponent - EXPONENT_LEAST + 1;
    return x < 0 ? -octave : octave;
}

double tac_octave_edge(int32_t octave)
{
    return octave > 0 ? ldexp(1, octave - 1 + EXPONENT_LEAST) : -ldexp(1, -octave + EXPONENT_LEAST);
}

/* How many edges are not above x, by bisection. */
static int32_t edges_below(const tac_bins *b, double x)
{
    int32_t low = 0, high = b->edges;

    while (low < high) {
        const int32_t middle = (low + high) / 2;
        if (b->edge[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int16_t tac_bin_of(const tac_bins *b, double value)
{
    if (value != value) return (int16_t)((b->edges > 0 ? b->edges : TAC_OCTAVES) + 1);
    const double x = value < b->least ? b->least : value > b->most ? b->most : value;
    return (int16_t)(b->edges > 0 ? edges_below(b, x) : octave_of(x));
}

/* Bins are so few that the clip has nothing to do: 665 sqrt 2048 < M. */
void tac_frame_apply_bins(const tac_frame *f, const double *row, int16_t *point)
{
    for (int32_t i = 0; i < f->dims; i++)
        point[i] = tac_bin_of(&f->bins[i], row[f->bins[i].column]);
    tac_clip(point, f->dims);
}

static bool makes_sense(const tac_bins *b, int32_t columns)
{
    bool good = b->column >= 0 && b->column < columns && b->least < b->most && b->edges >= 0 &&
                b->edges <= TAC_OCTAVES;

    for (int32_t i = 1; good && i < b->edges; i++) good = b->edge[i - 1] <= b->edge[i];
    return good;
}

/* The edges of all columns stand behind the bins, in one piece of memory. */
tacit_status tac_frame_of_bins(tacit_ctx *ctx, int32_t columns, const tac_bins *bins, int32_t count,
                               tac_frame *out)
{
    tacit_status status = TACIT_OK;
    bool good = count >= 1 && count <= TAC_BINS_COLUMNS;
    size_t edges = 0;
    char *room = NULL;

    memset(out, 0, sizeof *out);
    for (int32_t i = 0; good && i < count; i++) {
        good = makes_sense(&bins[i], columns);
        edges += good ? (size_t)bins[i].edges : 0;
    }
    if (!good)
        return tac_fail(ctx, TACIT_E_INTERNAL, "a frame of bins has numbers that make no sense");
    const size_t size = (size_t)count * sizeof *bins;
    TAC_TRY(tac_new(ctx, size + edges * sizeof(double), 1, &room));
    out->bins = (tac_bins *)(void *)room;
    double *edge = (double *)(void *)(room + size);
    memcpy(out->bins, bins, size);
    for (int32_t i = 0; i < count; i++) {
        if (bins[i].edges > 0) memcpy(edge, bins[i].edge, (size_t)bins[i].edges * sizeof *edge);
        out->bins[i].edge = edge;
        edge += bins[i].edges;
    }
    out->columns = columns;
    out->dims = count;
done:
    return status;
}
