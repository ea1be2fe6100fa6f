/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse rows placed in the geometry of a model, for the data owner. A block holds the entries of
   its rows and nothing as long as a row. */
#include "owner/owner_rows.h"

#include <math.h>

#define ROWS 4096

/* Scratch for sparse rows, and the centers transposed: distances then cost one step per entry and
   center. Frees the dense centers. On failure the caller closes. */
tacit_status tac_owner_rows_open_sparse(tac_owner_rows *p)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)p->k, dims = (size_t)p->dims,
                 columns = (size_t)p->data->selection.dims;
    const size_t workers = (size_t)p->engine.workers;

    p->rows_per_block = ROWS;
    p->blocks = (p->rows + ROWS - 1) / ROWS;
    TAC_TRY(tac_new(p->ctx, columns, sizeof *p->to, &p->to));
    for (size_t i = 0; i < columns; i++) p->to[i] = -1;
    for (int32_t j = 0; j < p->dims; j++) p->to[p->from[j]] = j;
    TAC_TRY(tac_across_new(p->ctx, p->k, p->dims, &p->across));
    for (size_t c = 0; c < k; c++)
        for (size_t j = 0; j < dims; j++) {
            const double at = p->centers[c * dims + j];
            p->across.at[j * k + c] = at;
            p->across.square[c] += at * at;
        }
    tac_free(p->centers);
    p->centers = NULL;
    TAC_TRY(tac_new(p->ctx, workers, sizeof *p->raw, &p->raw));
    TAC_TRY(tac_new(p->ctx, workers, sizeof *p->scratch, &p->scratch));
    for (size_t i = 0; i < workers; i++)
        TAC_TRY(tac_new(p->ctx, k, sizeof(double), &p->scratch[i]));
done:
    return status;
}

/* Clip and scale the entries of one row, in place, and rename their columns to the model's; other
   columns go. *inside: nothing had to be clipped. Returns how many entries are left. */
static int64_t place(const tac_owner_rows *p, int32_t *feature, double *value, int64_t count,
                     bool *inside)
{
    const tac_frame *f = &p->frame;
    int64_t kept = 0;
    double squares = 0;

    *inside = true;
    for (int64_t e = 0; e < count; e++) {
        const int32_t j = p->to[feature[e]];
        if (j < 0) continue;
        const double x = value[e], held = x < f->lower[j]   ? f->lower[j]
                                          : x > f->upper[j] ? f->upper[j]
                                                            : x;
        *inside = *inside && held == x;
        feature[kept] = j;
        value[kept] = fmin(1e150, fmax(-1e150, held * f->scale[j])); /* a square stays finite */
        squares += value[kept] * value[kept];
        kept++;
    }
    if (f->ball && squares > (double)TAC_M * TAC_M) {
        *inside = false;
        for (int64_t e = 0; e < kept; e++) value[e] *= TAC_M / sqrt(squares);
    }
    return kept;
}

/* One block, out->first and out->count being set. The entries stay in the worker's buffer, moved
   together. */
tacit_status tac_owner_rows_block_sparse(const tac_owner_rows *p, int worker,
                                         tac_owner_rows_count *out)
{
    tac_nonzeros *raw = &p->raw[worker];
    const tacit_status status =
        p->data->reader->read_sparse(p->data->reader, out->first, out->count, raw);
    int64_t used = 0, next = 0;
    bool inside;

    if (status != TACIT_OK) return status;
    for (int64_t i = 0; i < out->count; i++) {
        const int64_t from = next, count = raw->start[i + 1] - from;
        const int64_t kept = place(p, raw->feature + from, raw->value + from, count, &inside);
        next = raw->start[i + 1];
        for (int64_t e = 0; e < kept; e++) { /* close the gaps that other columns left */
            raw->feature[used + e] = raw->feature[from + e];
            raw->value[used + e] = raw->value[from + e];
        }
        raw->start[i] = used;
        used += kept;
        out->inside += inside;
    }
    raw->start[out->count] = used;
    out->sparse = raw;
    return TACIT_OK;
}
