/* SPDX-License-Identifier: Apache-2.0 */
/* The public header alone, as strict C11 with every warning an error, and the promise of sized structs. */
#include <tacit/tacit.h>

#include <string.h>

int main(void)
{
    tacit_ctx *ctx = NULL;
    tacit_kmeans_opts opts;

    tacit_kmeans_opts_init(&opts, sizeof opts);
    if (tacit_ctx_new(&ctx) != TACIT_OK || opts.size != sizeof opts) return 1;
    const int same = strcmp(tacit_version(), TACIT_VERSION) == 0;
    tacit_ctx_free(ctx);
    return same ? 0 : 1;
}
