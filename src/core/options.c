/* SPDX-License-Identifier: Apache-2.0 */
/* Sized option structs: an old caller's shorter struct is read over today's defaults. */
#include "core/core.h"

#include <string.h>

tacit_status tac_read_opts(tacit_ctx *ctx, const char *name, const void *given, void *known, size_t known_size)
{
    size_t size;

    memcpy(&size, given, sizeof size);
    if (size <= sizeof size || size > known_size)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s has a size this library does not know; call %s_init with sizeof before setting fields",
                        name, name);
    memcpy(known, given, size);
    memcpy(known, &known_size, sizeof known_size);
    return TACIT_OK;
}
