/* SPDX-License-Identifier: Apache-2.0 */
/* What a method asks, to the last number: every query that passes to the door adds its bytes to a
   running digest, and so does every frame that the rows are looked at through. They are public, so
   they too must be a function of the answers before. The linker puts these in the way (--wrap): the
   door itself knows nothing of it. A new kind of query is seen without a word here. */
#ifndef TAC_TEST_TRANSCRIPT_ARGUMENTS_H
#define TAC_TEST_TRANSCRIPT_ARGUMENTS_H

#include "privacy/door_internal.h"
#include "privacy/run.h"

static uint64_t argument_digest; /* of the run at hand */

static void add_bytes(const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;

    argument_digest ^= count;
    for (size_t i = 0; byte != NULL && i < count; i++)
        argument_digest = (argument_digest ^ byte[i]) * UINT64_C(0x100000001b3);
}

#define ADD(number) add_bytes(&(number), sizeof(number))
#define ADD_MANY(numbers, count) add_bytes(numbers, (size_t)(count) * sizeof *(numbers))

#define WRAP(name, arguments)                                                                      \
    tacit_status __real_tac_##name arguments;                                                      \
    tacit_status __wrap_tac_##name arguments;                                                      \
    tacit_status __wrap_tac_##name arguments

/* A query that makes no sense has no bytes: it is refused, whatever the rows. */
WRAP(ask,
     (tac_door * door, const char *what, uint64_t quanta, const tac_query *query, uint64_t *answer))
{
    uint8_t *bytes = NULL;
    size_t count = 0;
    tacit_ctx aside = *door->ctx; /* its sentence is not the run's */

    add_bytes(what, strlen(what));
    ADD(quanta);
    if (tac_query_write(&aside, query, &bytes, &count) == TACIT_OK) add_bytes(bytes, count);
    tac_free(bytes);
    return __real_tac_ask(door, what, quanta, query, answer);
}

WRAP(door_batches, (tac_door * door, const int32_t *batch, int32_t count))
{
    ADD(count), ADD_MANY(batch, tac_door_rows(door));
    return __real_tac_door_batches(door, batch, count);
}

WRAP(run_set_frame, (tac_run * run, tac_view view, tac_frame *frame))
{
    const tac_frame *f = frame;
    const size_t columns = (size_t)f->columns, dims = (size_t)f->dims;

    ADD(view), ADD(f->columns), ADD(f->dims), ADD(f->ball), ADD(f->constant), ADD(f->zoom),
        ADD(f->sketch), ADD(f->sparsity);
    if (f->center != NULL) ADD_MANY(f->center, columns);
    if (f->scale != NULL) ADD_MANY(f->scale, columns);
    if (f->shift != NULL) ADD_MANY(f->shift, tac_frame_first(f));
    if (f->basis != NULL)
        ADD_MANY(f->basis, (f->sketch > 0 ? (size_t)f->sketch : (size_t)tac_frame_first(f)) * dims);
    if (f->bucket != NULL) ADD_MANY(f->bucket, columns), ADD_MANY(f->sign, columns);
    if (f->middle != NULL) ADD_MANY(f->middle, f->sketch);
    if (f->counts != NULL) {
        const tac_weighing *w = f->counts;
        ADD(w->value), ADD(w->dims), ADD(w->most), ADD(w->least), ADD(w->taxicab), ADD(w->dense);
        if (w->weight != NULL) ADD_MANY(w->weight, columns);
        if (w->group != NULL) ADD_MANY(w->group, columns);
    }
    for (size_t i = 0; f->bins != NULL && i < dims; i++) {
        const tac_bins *b = &f->bins[i];
        ADD(b->column), ADD(b->least), ADD(b->most), ADD(b->edges), ADD_MANY(b->edge, b->edges);
    }
    return __real_tac_run_set_frame(run, view, frame);
}

WRAP(run_set_bounds, (tac_run * run, const double *lower, const double *upper, const bool *changed))
{
    const int32_t columns = tacit_data_column_count(run->data);

    ADD_MANY(lower, columns), ADD_MANY(upper, columns), ADD_MANY(changed, columns);
    return __real_tac_run_set_bounds(run, lower, upper, changed);
}

#endif
