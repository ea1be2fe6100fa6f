/* SPDX-License-Identifier: Apache-2.0 */
/* Every kind of query about cells in one call, for the tests that ask them all. */
#ifndef TAC_TEST_QUERIES_H
#define TAC_TEST_QUERIES_H

#include "privacy/door_internal.h"
#include "narrow.h"

typedef enum kind {
    HISTOGRAM,
    SUMS,
    MOMENTS,
    FOURTH,
    LOCAL,
    DISTANCES,
    PROJECTIONS,
    SLICES,
    KINDS
} kind;
static const char *const kind_name[] = {"histogram", "sums",      "moments",     "fourth moments",
                                        "local",     "distances", "projections", "slices"};

typedef struct query {
    kind what;
    tac_cells cells;
    tac_view values;           /* SUMS, MOMENTS */
    uint32_t weight;           /* SUMS */
    tac_local local;           /* LOCAL, DISTANCES, PROJECTIONS */
    tac_local_parts parts;     /* LOCAL */
    const double *edge;        /* DISTANCES */
    const int16_t *directions; /* PROJECTIONS */
    const tac_slice *slice;    /* SLICES */
    int32_t bins;
} query;

/* Numbers in the answer. dims: of the view of the cells, and of the values. */
__attribute__((unused)) static size_t words_of(const query *q, int32_t dims, int32_t values)
{
    const size_t k = (size_t)q->cells.count, d = (size_t)dims;

    switch (q->what) {
    case HISTOGRAM: return k;
    case SUMS: return k * ((size_t)values + 1);
    case MOMENTS: return k * ((size_t)values * ((size_t)values + 1) / 2);
    case FOURTH: return tac_fourth_count(dims);
    case LOCAL:
        return k * ((q->parts.count > 0) + (q->parts.sum > 0 ? d : 0) +
                    (q->parts.moments ? d * (d + 1) / 2
                     : q->parts.axes  ? d
                                      : q->parts.square));
    case DISTANCES: return (size_t)q->bins;
    case PROJECTIONS:
    case SLICES: return k * (size_t)q->bins;
    case KINDS: break;
    }
    return 0;
}

/* The noisy answer, part after part, into `out`. */
__attribute__((unused)) static tacit_status ask(tac_door *door, const query *q, uint64_t quanta,
                                                int64_t *out)
{
    const size_t k = (size_t)q->cells.count;

    switch (q->what) {
    case HISTOGRAM: return tac_door_histogram(door, "test", quanta, &q->cells, out);
    case SUMS:
        return tac_door_sums(door, "test", quanta, &q->cells, q->values, q->weight, out,
                             out + k * (size_t)tac_door_dims(door, q->values));
    case MOMENTS: return narrow_moments(door, "test", quanta, &q->cells, q->values, out);
    case FOURTH: return narrow_fourth(door, "test", quanta, q->cells.view, out);
    case LOCAL: {
        int64_t *sums = out + (q->parts.count > 0 ? k : 0);
        int64_t *squares =
            sums + (q->parts.sum > 0 ? k * (size_t)tac_door_dims(door, q->cells.view) : 0);
        return narrow_local(door, "test", quanta, &q->cells, &q->local, &q->parts, out, sums,
                            squares);
    }
    case DISTANCES:
        return tac_door_distances(door, "test", quanta, &q->cells, &q->local, q->edge, q->bins,
                                  out);
    case PROJECTIONS:
        return tac_door_projections(door, "test", quanta, &q->cells, &q->local, q->directions,
                                    q->bins, out);
    case SLICES: return tac_door_slices(door, "test", quanta, &q->cells, q->slice, q->bins, out);
    case KINDS: break;
    }
    return TACIT_E_INTERNAL;
}

#endif
