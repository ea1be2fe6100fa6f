/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TACIT_R_COLUMNS_H
#define TACIT_R_COLUMNS_H

#include "handles.h"

struct ArrowArrayStream;

/* A stream of one batch. specs: a list of columns, each a list with kind, name, values and, where
   it has them, levels, and `first`, the place of its first value. Zero, or an errno: memory. What
   the stream borrows must outlive it. */
int columns_stream(SEXP specs, int64_t rows, struct ArrowArrayStream *out);

#endif
