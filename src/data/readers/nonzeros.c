/* SPDX-License-Identifier: Apache-2.0 */
/* The entries of sparse rows: room for them, their order, the largest of them. Workers use this, so
   nothing here sets a sentence. */
#include "data/readers/reader.h"

#include <math.h>
#include <string.h>

void tac_nonzeros_clear(tac_nonzeros *block)
{
    tac_free(block->start);
    tac_free(block->feature);
    tac_free(block->value);
    memset(block, 0, sizeof *block);
}

/* The contract stands in reader.h. A quarter more than asked for, so that blocks of nearly equal
   size seldom grow. */
tacit_status tac_nonzeros_room(tac_nonzeros *b, size_t rows, size_t entries)
{
    tacit_status status = TACIT_OK;

    if (b->rows_room < rows + 1) {
        TAC_TRY(tac_grow(NULL, &b->start, rows + 1, sizeof *b->start));
        b->rows_room = rows + 1;
    }
    if (b->room < entries || b->room == 0) {
        const size_t room = entries + entries / 4 + 16;
        TAC_TRY(tac_grow(NULL, &b->feature, room, sizeof *b->feature));
        TAC_TRY(tac_grow(NULL, &b->value, room, sizeof *b->value));
        b->room = room;
    }
done:
    return status;
}

/* One row's entries, and the order to sort them by. */
typedef struct entries {
    int32_t *feature;
    double *value;
    bool by_size;
} entries;

/* Does entry i belong behind entry j? By feature, or by magnitude, largest first, then by
   feature. */
static bool behind(const entries *e, size_t i, size_t j)
{
    const double a = fabs(e->value[i]), b = fabs(e->value[j]);

    if (e->by_size && a != b) return a < b;
    return e->feature[i] > e->feature[j];
}

static void exchange(const entries *e, size_t i, size_t j)
{
    const int32_t feature = e->feature[i];
    const double value = e->value[i];

    e->feature[i] = e->feature[j];
    e->value[i] = e->value[j];
    e->feature[j] = feature;
    e->value[j] = value;
}

/* Restore the heap below `at`: no child belongs behind its parent. */
static void sift(const entries *e, size_t at, size_t end)
{
    for (size_t child = 2 * at + 1; child < end; at = child, child = 2 * at + 1) {
        if (child + 1 < end && behind(e, child + 1, child)) child++;
        if (!behind(e, child, at)) return;
        exchange(e, at, child);
    }
}

/* Heap sort: in place, and n log n steps whatever the row looks like. Features differ, so the order
   is unique. */
static void sort(const entries *e, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) sift(e, i, count);
    for (size_t end = count; end-- > 1;) {
        exchange(e, 0, end);
        sift(e, 0, end);
    }
}

void tac_sort_entries(int32_t *feature, double *value, size_t count)
{
    const entries e = {.feature = feature, .value = value};
    sort(&e, count);
}

size_t tac_keep_largest(int32_t *feature, double *value, size_t count, size_t most)
{
    const entries e = {.feature = feature, .value = value, .by_size = true};

    if (count <= most) return count;
    /* the largest come first; only those are put back in the order of features */
    sort(&e, count);
    tac_sort_entries(feature, value, most);
    return most;
}
