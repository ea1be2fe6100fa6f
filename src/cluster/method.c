/* SPDX-License-Identifier: Apache-2.0 */
/* A method's own words, for callers old and new. */
#include "cluster/method.h"

#include <string.h>

void tacit_method_init(tacit_method *method, size_t size)
{
    memset(method, 0, size);
    method->size = size;
}

tacit_status tac_method_tell(const tacit_method *told, tacit_method *out)
{
    const size_t size = out->size;

    if (size <= sizeof size || size > sizeof *out) return TACIT_E_ARGUMENT;
    memcpy(out, told, size);
    out->size = size;
    return TACIT_OK;
}
