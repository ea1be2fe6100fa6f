/* SPDX-License-Identifier: Apache-2.0 */
/* Random bytes from the operating system: the source of every noise key and public seed. The
   system may refuse them; libsodium's own call would end the program then, this one returns a
   status. */
#include "core/core.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

/* Loops because getrandom may return fewer bytes than asked for, and may be interrupted. A
   failure zeroes all of `out`, so that half a key never looks like one. */
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
