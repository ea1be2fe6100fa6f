/* SPDX-License-Identifier: Apache-2.0 */
/* Rows on a disk: the backend of a run with a limit of memory. */
#ifndef TAC_BACKEND_DISK_H
#define TAC_BACKEND_DISK_H

#include "privacy/backend.h"

/* Makes the spill files, so that a disk that takes none is known before anything is spent. The
   limit and the folder are the ctx's. *out: close ends it. */
tacit_status tac_backend_disk_open(tacit_ctx *ctx, tac_backend **out);
/* Which rows: of loaded data, those that `keep` says (NULL: all). Borrowed. Before the first view
   is placed. */
void tac_backend_disk_rows(tac_backend *backend, tacit_data *data, const uint64_t *keep);

#endif
