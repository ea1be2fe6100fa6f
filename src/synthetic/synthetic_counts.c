/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic tables of counts with planted blocks, row by row. Nobody's data, so a seed and floating
   point are fine here. */
#include "synthetic/synthetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* TACIT_E_ARGUMENT with what is out of range. */
static tacit_status check_opts(tacit_ctx *ctx, const tacit_synthetic_counts_opts *o)
{
    if (o->rows < 1) return tac_fail(ctx, TACIT_E_ARGUMENT, "rows must be at least 1");
    if (o->columns < 1) return tac_fail(ctx, TACIT_E_ARGUMENT, "columns must be at least 1");
    if (o->row_clusters < 1 || o->row_clusters > o->rows)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "row clusters must be between 1 and the number of rows");
    if (o->column_clusters < 1 || o->column_clusters > o->columns)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "column clusters must be between 1 and the number of columns");
    if (!(o->mean >= 1 && o->mean <= 1e6))
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "mean, the counts in a row, must be between 1 and 1000000");
    if (!(o->contrast >= 0 && o->contrast <= 1))
        return tac_fail(ctx, TACIT_E_ARGUMENT, "contrast must be between 0 and 1");
    return TACIT_OK;
}

/* A Poisson number: Knuth's product of uniforms, or for means above 30 a rounded normal. */
static int32_t poisson(tac_generator *random, double mean)
{
    if (mean > 30) return (int32_t)fmax(0, floor(mean + sqrt(mean) * tac_normal(random) + 0.5));
    const double stop = exp(-mean);
    int32_t count = 0;
    for (double product = tac_uniform(random); product > stop; product *= tac_uniform(random))
        count++;
    return count;
}

/* The column of one count of a row of this cluster. With probability `contrast` it lies in one of
   the two column clusters of the row cluster, two times in three in the first; otherwise anywhere.
   Column j is in column cluster j mod l. u^2 makes some columns frequent: of s columns number i has
   a share of about 1 / (2 sqrt(i s)). */
static int32_t draw_column(tac_generator *random, const tacit_synthetic_counts_opts *o,
                           int32_t cluster)
{
    const int32_t l = o->column_clusters;
    const double u = tac_uniform(random), own = tac_uniform(random);

    if (own >= o->contrast) return (int32_t)((double)o->columns * u * u);
    const int32_t first = cluster % l, second = (int32_t)(((int64_t)cluster + 1 + cluster / l) % l);
    const int32_t block = own * 3 < o->contrast * 2 ? first : second;
    return block + l * (int32_t)((double)((o->columns - block + l - 1) / l) * u * u);
}

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Insertion sort: faster than qsort for the short rows that are usual. */
static void sort(int32_t *column, int32_t count)
{
    if (count > 100) {
        qsort(column, (size_t)count, sizeof *column, ascending);
        return;
    }
    for (int32_t i = 1; i < count; i++) {
        const int32_t now = column[i];
        int32_t at = i;
        for (; at > 0 && column[at - 1] > now; at--) column[at] = column[at - 1];
        column[at] = now;
    }
}

/* Equal columns become one entry. The columns are sorted; returns how many entries are left. */
static int32_t add_up(int32_t *column, int32_t *count, int32_t draws)
{
    int32_t entries = 0;

    for (int32_t i = 0; i < draws; i++) {
        if (entries > 0 && column[entries - 1] == column[i]) {
            count[entries - 1]++;
            continue;
        }
        column[entries] = column[i];
        count[entries++] = 1;
    }
    return entries;
}

/* The contract stands in tacit.h. Rows are drawn and handed over one by one, so memory does not
   grow with the table. A callback that returns other than 0 cancels. */
tacit_status tacit_synthetic_counts(tacit_ctx *ctx, const tacit_synthetic_counts_opts *given,
                                    tacit_synthetic_counts_fn each, void *payload)
{
    tacit_status status;
    tacit_synthetic_counts_opts o = TACIT_SYNTHETIC_COUNTS_OPTS_INIT;
    tac_generator random;
    int32_t *column = NULL, *count = NULL, room = 0;

    if (ctx == NULL) return TACIT_E_ARGUMENT;
    ctx->message[0] = '\0';
    if (each == NULL || given == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "tacit_synthetic_counts needs options and a function for the rows");
    TAC_TRY(tac_read_opts(ctx, "tacit_synthetic_counts_opts", given, &o, sizeof o));
    TAC_TRY(check_opts(ctx, &o));
    tac_seed_generator(&random, o.seed);
    for (int64_t i = 0; i < o.rows; i++) {
        const int32_t cluster = (int32_t)(i % o.row_clusters),
                      draws = 1 + poisson(&random, o.mean - 1);
        TAC_TRY(tac_synthetic_step(ctx, i, o.rows));
        if (draws > room) {
            room = 2 * draws;
            TAC_TRY(tac_grow(ctx, &column, (size_t)room, sizeof *column));
            TAC_TRY(tac_grow(ctx, &count, (size_t)room, sizeof *count));
        }
        for (int32_t d = 0; d < draws; d++) column[d] = draw_column(&random, &o, cluster);
        sort(column, draws);
        const int32_t entries = add_up(column, count, draws);
        if (each(i, cluster, column, count, entries, payload) != 0) {
            status = TACIT_E_CANCELLED;
            goto done;
        }
    }
done:
    tac_free(column);
    tac_free(count);
    return tac_synthetic_end(ctx, status);
}
