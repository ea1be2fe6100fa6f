/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows lack no value: a pass that every run makes, so it is made cheap. */
#include <string.h>

#include "core/cpu.h"
#include "data/dataset/dataset.h"

enum {
    CHUNK = 64, /* rows whose bits are kept together */
    BITS = 57   /* values of a narrow row: they and 7 bits before them fit a word of 64 */
};

#define KERNEL "data/dataset/complete_rows_path.h"
#include "core/each_path.h"

typedef void (*kernel)(const double *, int64_t, int32_t, uint8_t *);
static const kernel complete[] = {PATHS(complete)};
static const kernel complete_narrow[] = {PATHS(complete_narrow)};

void tac_rows_complete(const double *rows, int64_t n, int32_t dims, uint8_t *keep)
{
    (dims <= BITS ? complete_narrow : complete)[tac_cpu()](rows, n, dims, keep);
}
