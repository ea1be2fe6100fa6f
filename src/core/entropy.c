/* SPDX-License-Identifier: Apache-2.0 */
/* Random bytes of the operating system, which may refuse them. libsodium's own call ends the
   program then. */
#include "core/core.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

tacit_status tac_system_random(tacit_ctx *ctx, void *out, size_t count)
{
    size_t have = 0;

    while (have < count) {
        const ssize_t got = getrandom((char *)out + have, count - have, 0);
        if (got > 0) {
            have += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            memset(out, 0, count);
            return tac_fail(ctx, TACIT_E_SYSTEM,
                            "the operating system gave no random bytes: getrandom(2) failed; check "
                            "that the kernel or sandbox allows it");
        }
    }
    return TACIT_OK;
}
