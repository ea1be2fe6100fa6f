/* SPDX-License-Identifier: Apache-2.0 */
/* The named functions of door.h for queries that only published methods ask. */
#include "privacy/kinds.h"
#include "privacy/named.h"

/* Choice 0 changes nothing; choice 1 + i m + y puts candidate y in the place of center i. */
tacit_status tac_door_swap(tac_door *door, const char *what, uint64_t quanta, const tac_swap *swap,
                           int32_t *out, int32_t *in)
{
    tac_query q = tac_query_about(door, TAC_KIND_SWAP, swap->view, NULL);
    uint64_t word = 0;

    q.median = swap->median;
    q.centers = swap->centers;
    q.k = swap->k;
    q.candidates = swap->candidates;
    q.m = swap->m;
    *out = *in = -1;
    const tacit_status status = tac_ask(door, what, quanta, &q, &word);
    if (status != TACIT_OK || word == 0) return status;
    *out = (int32_t)((word - 1) / (uint64_t)swap->m);
    *in = (int32_t)((word - 1) % (uint64_t)swap->m);
    return TACIT_OK;
}

tacit_status tac_door_draw(tac_door *door, const char *what, uint64_t quanta,
                           const int16_t *centers, int32_t count, int64_t *answer)
{
    const tac_cells near = {.kind = TAC_NEAREST, .count = count, .centers = centers};
    const tac_query q = tac_query_about(door, TAC_KIND_ROW, TAC_ROWS, count > 0 ? &near : NULL);
    return tac_ask(door, what, quanta, &q, (uint64_t *)answer);
}

tacit_status tac_door_cubes(tac_door *door, const char *what, uint64_t quanta,
                            const tac_cubes *cubes, tac_cube *found, int32_t *count)
{
    tacit_status status = TACIT_OK;
    tac_query q = tac_query_about(door, TAC_KIND_CUBES, cubes->view, NULL);
    uint64_t *answer = NULL;

    q.cubes = *cubes;
    *count = 0;
    TAC_TRY(tac_ask_new(door, what, quanta, &q, 3 + TAC_CUBE_WORDS * (size_t)cubes->most, &answer));
    *count = (int32_t)answer[0];
    for (int32_t i = 0; i < *count; i++)
        found[i] = tac_cube_read(answer + 1 + TAC_CUBE_WORDS * (size_t)i);
done:
    tac_free(answer);
    return status;
}

tacit_status tac_door_bingham(tac_door *door, const char *what, uint64_t quanta,
                              const tac_bingham *draw, int16_t *bases)
{
    tacit_status status = TACIT_OK;
    tac_query q = tac_query_about(door, TAC_KIND_BINGHAM, draw->values, draw->cells);
    uint64_t *answer = NULL;

    q.rank = draw->rank;
    q.by_column = draw->by_column;
    const size_t numbers = (size_t)q.cells.count * (size_t)q.rank * (size_t)q.dims[draw->values];
    TAC_TRY(tac_ask_new(door, what, quanta, &q, numbers, &answer));
    for (size_t i = 0; i < numbers; i++) bases[i] = (int16_t)(int64_t)answer[i];
done:
    tac_free(answer);
    return status;
}

/* The answer: bases, labels if asked for, the moments that the audit reads, and two words of how
   chains agree. */
tacit_status tac_door_gibbs(tac_door *door, const char *what, uint64_t quanta,
                            const tac_gibbs *gibbs, tac_gibbs_draw *out)
{
    tacit_status status = TACIT_OK;
    tac_query q = tac_query_about(door, TAC_KIND_GIBBS, TAC_ROWS, NULL);
    const size_t k = (size_t)gibbs->k, dims = (size_t)q.dims[TAC_ROWS],
                 numbers = k * (size_t)gibbs->rank * dims;
    const int64_t rows = gibbs->labels ? tac_door_lattice(door, TAC_ROWS)->rows : 0;
    const size_t told = numbers + (size_t)rows + k * (dims * (dims + 1) / 2);
    uint64_t *answer = NULL;

    q.gibbs = *gibbs;
    TAC_TRY(tac_ask_new(door, what, quanta, &q, told + 2, &answer));
    for (size_t i = 0; i < numbers; i++) out->bases[i] = (int16_t)(int64_t)answer[i];
    if (gibbs->labels) TAC_TRY(tac_new(door->ctx, (size_t)rows, sizeof *out->label, &out->label));
    for (int64_t i = 0; i < rows; i++) out->label[i] = (int32_t)answer[numbers + (size_t)i];
    out->rows = rows;
    if (gibbs->chains > 1)
        out->between = (int64_t)answer[told], out->within = (int64_t)answer[told + 1];
done:
    tac_free(answer);
    return status;
}

tacit_status tac_door_parts(tac_door *door, const char *what, const tac_parts *plan,
                            int64_t *answer)
{
    tac_query q = tac_query_about(door, TAC_KIND_PARTS, TAC_ROWS, NULL);

    q.plan = *plan;
    return tac_ask(door, what, 0, &q, (uint64_t *)answer);
}
