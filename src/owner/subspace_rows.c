/* SPDX-License-Identifier: Apache-2.0 */
/* All rows, placed as subspace clustering places them, for the data owner. NOT private. */
#include "owner/subspace_rows.h"

#include "engine/engine.h"
#include "solve/subspace/solvers.h"

#include <math.h>

/* What a plain solver can take: TACIT_E_ARGUMENT for options out of range, TACIT_E_DOMAIN for a
   missing domain or a ball that linear subspaces cannot have. */
static tacit_status check(tacit_ctx *ctx, const tacit_data *data, const tacit_subspace_opts *o)
{
    const int32_t columns = tacit_data_column_count(data);

    if (columns < 2)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "subspaces need at least two columns, and this data has %d", columns);
    if (tac_data_sparse(data) || columns > TAC_WIDE)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "subspace clustering takes at most %d columns; use fewer", TAC_WIDE);
    if (o->k < 1 || o->k > 1000)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "k, the number of subspaces, must be between 1 and 1000: a plain solver "
                        "does not choose it");
    if (o->q < 1 || o->q >= columns)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "q, the dimension of the subspaces, must be between 1 and %d, one less "
                        "than the number of columns: a plain solver does not choose it",
                        columns - 1);
    if (o->restarts < 0 || o->restarts > 10000)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "restarts must be between 0 and 10000");
    if (o->solver > TACIT_SOLVER_LRR || (int)o->solver < 0)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "the subspace solver is not one of those in the header");
    if (data->domain.estimate != NULL)
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "private bounds are estimated by private runs only; declare bounds "
                        "(bounds) "
                        "or a ball (radius)");
    if (data->domain.kind == TAC_DOMAIN_NONE)
        return tac_fail(ctx, TACIT_E_DOMAIN,
                        "no bounds were declared; give the smallest and largest possible value of "
                        "every column (bounds) or a ball (radius)");
    if (!o->affine && data->domain.kind == TAC_DOMAIN_BALL)
        for (int32_t j = 0; j < columns; j++)
            if (data->domain.center[j] != 0)
                return tac_fail(ctx, TACIT_E_DOMAIN,
                                "linear subspaces pass through the origin, and the declared ball "
                                "has another center; declare a ball about the origin, or take "
                                "affine subspaces");
    return TACIT_OK;
}

enum { ROWS = 1024 };

typedef struct placing {
    const tacit_data *data;
    const tac_frame *frame;
    tac_subspace_rows *rows;
    double **raw; /* one per worker */
} placing;

/* One block of rows: read, place, and for affine subspaces append the constant coordinate. */
static tacit_status place_block(void *state, int64_t block, int worker)
{
    const placing *p = state;
    const tac_subspace_rows *r = p->rows;
    const int64_t first = block * ROWS, count = r->n - first < ROWS ? r->n - first : ROWS;
    const tacit_status status =
        p->data->reader->read(p->data->reader, first, count, p->raw[worker]);

    if (status != TACIT_OK) return status;
    for (int64_t i = 0; i < count; i++) {
        double *out = r->values + (first + i) * r->dims;
        tac_frame_to_lattice(p->frame, p->raw[worker] + i * r->columns, out);
        if (r->dims == r->columns) continue;
        out[r->columns] = TAC_M;
        for (int32_t j = 0; j < r->dims; j++) out[j] *= M_SQRT1_2;
    }
    return TACIT_OK;
}

/* The contract stands in subspace_rows.h. Solvers that compare all rows with all take a limited
   number of rows; data that has more is refused before it is placed. */
tacit_status tac_subspace_rows_open(tacit_ctx *ctx, tacit_data *data,
                                    const tacit_subspace_opts *opts, tac_subspace_rows *out)
{
    tacit_status status = TACIT_OK;
    tac_subspace_rows r = {.columns = tacit_data_column_count(data)};
    tac_frame frame = {0};
    tac_engine engine;
    placing p = {.data = data, .frame = &frame, .rows = &r};

    tac_engine_threads(ctx, &engine);
    tacit_subspace_opts_init(&r.opts, sizeof r.opts);
    TAC_TRY(tac_read_opts(ctx, "tacit_subspace_opts", opts, &r.opts, sizeof r.opts));
    TAC_TRY(check(ctx, data, &r.opts));
    r.dims = r.columns + (r.opts.affine ? 1 : 0);
    r.q = r.opts.q + (r.opts.affine ? 1 : 0);
    if (r.opts.affine)
        TAC_TRY(tac_frame_from_domain(ctx, &data->domain, r.columns, r.opts.scale, &frame));
    else
        TAC_TRY(tac_frame_for_sparse(ctx, &data->domain, r.columns, r.opts.scale, 0, &frame));
    r.unit = data->domain.kind == TAC_DOMAIN_BALL || r.opts.scale != TACIT_SCALE_RANGE
                 ? frame.scale[0]
                 : 2 * frame.scale[0] * (data->domain.upper[0] / 2 - data->domain.lower[0] / 2);
    TAC_TRY(tac_data_load(ctx, data, NULL));
    r.n = data->reader->rows;
    if (r.n > tac_solver_rows(r.opts.solver))
        TAC_TRY(tac_fail(ctx, TACIT_E_ARGUMENT,
                         "this plain solver takes at most %lld rows and the data has more; take "
                         "solver kplane",
                         (long long)tac_solver_rows(r.opts.solver)));
    TAC_TRY(tac_new(ctx, (size_t)r.n * (size_t)r.dims, sizeof *r.values, &r.values));
    TAC_TRY(tac_new(ctx, (size_t)engine.workers, sizeof *p.raw, &p.raw));
    for (int i = 0; i < engine.workers; i++)
        TAC_TRY(tac_new(ctx, ROWS * (size_t)r.columns, sizeof **p.raw, &p.raw[i]));
    TAC_TRY(tac_data_explain(ctx, data,
                             engine.map(&engine, ctx, (r.n + ROWS - 1) / ROWS, place_block, &p)));
    *out = r;
    r.values = NULL;
done:
    for (int i = 0; i < engine.workers && p.raw != NULL; i++) tac_free(p.raw[i]);
    tac_free(p.raw);
    tac_free(r.values);
    tac_frame_clear(&frame);
    return status;
}

void tac_subspace_rows_close(tac_subspace_rows *rows)
{
    tac_free(rows->values);
    *rows = (tac_subspace_rows){0};
}
