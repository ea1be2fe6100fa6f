/* SPDX-License-Identifier: Apache-2.0 */
/* Start libsodium without its abort. At start it asks the operating system for random bytes, and
   ends the program where they are refused. The source of random bytes is a setting of the whole
   process: a program may choose it, a library may not. So while libsodium starts, the bytes come
   from here, and a refusal becomes an error. Afterwards libsodium has its own source again. */
#include "cli.h"

#include <errno.h>
#include <sodium.h>
#include <string.h>
#include <sys/random.h>

static bool refused;

/* Random bytes from the kernel. On refusal zeros, and `refused` is set: nothing is drawn from
   them. */
static void give(void *const out, const size_t count)
{
    for (size_t have = 0; have < count;) {
        const ssize_t got = getrandom((char *)out + have, count - have, 0);
        if (got > 0) {
            have += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            refused = true; /* nobody gets to see these bytes: the program ends */
            memset(out, 0, count);
            return;
        }
    }
}

static uint32_t give_one(void)
{
    uint32_t out;

    give(&out, sizeof out);
    return out;
}

static const char *name(void)
{
    return "tacit";
}

int cli_start_sodium(const cli *c)
{
    static randombytes_implementation mine = {
        .implementation_name = name, .random = give_one, .buf = give};

    refused = false;
    const bool started = randombytes_set_implementation(&mine) == 0 && sodium_init() >= 0;
    const bool back = randombytes_set_implementation(&randombytes_sysrandom_implementation) == 0;
    if (started && back && !refused) return EXIT_OK;
    return cli_fail(c, cli_exit_code(TACIT_E_SYSTEM),
                    "the operating system gave no random bytes: getrandom(2) failed; check that "
                    "the kernel or sandbox allows it");
}
