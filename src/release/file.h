/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files: written complete or not at all, read complete or refused. */
#ifndef TAC_FILE_H
#define TAC_FILE_H

#include "core/core.h"

/* `path` holds exactly these bytes, on disk, or is what it was before. The bytes go to a new file
   in the same folder (mode 0666 less the umask: a release is meant to be passed on; a file that is
   replaced keeps its mode), which is flushed and then renamed. A symbolic link is followed. A pipe
   or device is written to as it is. "-" has no meaning here. */
tacit_status tac_file_write(tacit_ctx *ctx, const char *path, const char *bytes, size_t count);

/* The whole of a file that must begin with '{' (after white space): anything else, such as a table
   of rows given by mistake, is refused after its first bytes. `path` "-" is standard input. *out is
   NUL-terminated; free it with tac_free. */
tacit_status tac_file_read_object(tacit_ctx *ctx, const char *path, char **out, size_t *count);

#endif
