/* SPDX-License-Identifier: Apache-2.0 */
/* Queries whose numbers have two words, for tests of few rows, which read them as int64. */
#ifndef TAC_TEST_NARROW_H
#define TAC_TEST_NARROW_H

#include "privacy/door.h"

#include <stdlib.h>

static size_t narrow_triangle(int32_t dims)
{
    return (size_t)dims * ((size_t)dims + 1) / 2;
}

/* A query that makes no sense is refused, whatever its size, and writes nothing. */
static tac_i128 *narrow_room(size_t numbers)
{
    tac_i128 *room = calloc(numbers < 1 << 24 ? numbers + 1 : 1, sizeof *room);
    if (room == NULL) abort();
    return room;
}

/* out = the numbers, if it is wanted and an answer came. */
static void narrow_copy(tacit_status status, const tac_i128 *wide, size_t numbers, int64_t *out)
{
    for (size_t i = 0; i < numbers && out != NULL && status == TACIT_OK; i++)
        out[i] = (int64_t)wide[i];
}

__attribute__((unused)) static tacit_status narrow_moments(tac_door *door, const char *what,
                                                           uint64_t quanta, const tac_cells *cells,
                                                           tac_view values, int64_t *out)
{
    const size_t numbers = (size_t)cells->count * narrow_triangle(tac_door_dims(door, values));
    tac_i128 *room = narrow_room(numbers);
    const tacit_status status = tac_door_moments(door, what, quanta, cells, values, room);

    narrow_copy(status, room, numbers, out);
    free(room);
    return status;
}

__attribute__((unused)) static tacit_status narrow_fourth(tac_door *door, const char *what,
                                                          uint64_t quanta, tac_view view,
                                                          int64_t *out)
{
    const size_t numbers = tac_fourth_count(tac_door_dims(door, view));
    tac_i128 *room = narrow_room(numbers);
    const tacit_status status = tac_door_fourth(door, what, quanta, view, room);

    narrow_copy(status, room, numbers, out);
    free(room);
    return status;
}

__attribute__((unused)) static tacit_status narrow_local(tac_door *door, const char *what,
                                                         uint64_t quanta, const tac_cells *cells,
                                                         const tac_local *local,
                                                         const tac_local_parts *parts,
                                                         int64_t *counts, int64_t *sums,
                                                         int64_t *squares)
{
    const int32_t dims = tac_door_dims(door, cells->view);
    const size_t k = (size_t)cells->count, rows = parts->count > 0 ? k : 0,
                 linear = parts->sum > 0 ? k * (size_t)dims : 0,
                 last = k * (parts->moments ? narrow_triangle(dims)
                             : parts->axes  ? (size_t)dims
                                            : parts->square);
    tac_i128 *room = narrow_room(rows + linear + last);
    const tacit_status status = tac_door_local(
        door, what, quanta, cells, local, parts, counts == NULL ? NULL : room,
        sums == NULL ? NULL : room + rows, squares == NULL ? NULL : room + rows + linear);

    narrow_copy(status, room, rows, counts);
    narrow_copy(status, room + rows, linear, sums);
    narrow_copy(status, room + rows + linear, last, squares);
    free(room);
    return status;
}

__attribute__((unused)) static tacit_status narrow_codes(tac_door *door, const char *what,
                                                         uint64_t quanta, tac_view values,
                                                         const int16_t *directions, int32_t count,
                                                         int64_t *squares, int64_t *products)
{
    const size_t triangle = narrow_triangle(count),
                 rest = (size_t)count * (size_t)tac_door_dims(door, values);
    tac_i128 *room = narrow_room(triangle + rest);
    const tacit_status status =
        tac_door_codes(door, what, quanta, values, directions, count, room, room + triangle);

    narrow_copy(status, room, triangle, squares);
    narrow_copy(status, room + triangle, rest, products);
    free(room);
    return status;
}

#endif
