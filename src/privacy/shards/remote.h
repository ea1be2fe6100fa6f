/* SPDX-License-Identifier: Apache-2.0 */
/* Rows on other processes, as a backend of the door. */
#ifndef TAC_REMOTE_H
#define TAC_REMOTE_H

#include "data/dataset/dataset.h"
#include "privacy/backend.h"

/* Tells the engine of `data` to start: shards read their rows. *touched: it was called, so rows may
   have been read. */
tacit_status tac_remote_open(tacit_ctx *ctx, const tacit_data *data, const tac_load *load,
                             int32_t rows_per_unit, bool adds, bool *touched, tac_backend **out);
/* What no run can do on rows that are elsewhere, by public facts alone. */
tacit_status tac_remote_check(tacit_ctx *ctx, const tacit_data *data, const tacit_budget *budget);
#define TAC_REMOTE_WHERE "on other processes"

#endif
