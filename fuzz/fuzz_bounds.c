/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as bounds: the first says whether they are the text of --bounds or a file. What is
   taken is a box. */
#include "fuzz.h"
#include "data/dataset/dataset.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static const double rows[6] = {0};
    static const char *const names[3] = {"a", "stay, days", "c=:\"d"};
    tacit_ctx *ctx = NULL;
    tacit_data *data = NULL;
    tacit_status status = TACIT_OK;
    char path[64];

    if (count < 1) return 0;
    MUST_BE(tacit_ctx_new(&ctx) == TACIT_OK &&
            tacit_data_from_memory(ctx, rows, TACIT_F64, 2, 3, &data) == TACIT_OK);
    MUST_BE(tacit_data_set_columns(ctx, data, names) == TACIT_OK);
    if (bytes[0] % 2 == 0) {
        char *text = strndup((const char *)bytes + 1, count - 1);
        MUST_BE(text != NULL);
        /* without a colon it would be the name of a file */
        status = tacit_data_declare_bounds(ctx, data, strchr(text, ':') != NULL ? text : "");
        free(text);
    } else {
        const int fd = memory_file(bytes + 1, count - 1, path);
        status = tacit_data_declare_bounds(ctx, data, path);
        close(fd);
    }
    expect_sentence(ctx, status);
    MUST_BE((data->domain.kind == TAC_DOMAIN_BOX) == (status == TACIT_OK));
    for (int j = 0; status == TACIT_OK && j < data->selection.dims; j++) {
        const bool estimate = data->domain.estimate != NULL && data->domain.estimate[j];
        MUST_BE(data->domain.lower[j] < data->domain.upper[j]);
        MUST_BE(estimate || (isfinite(data->domain.lower[j]) && isfinite(data->domain.upper[j])));
    }
    tacit_data_free(data);
    tacit_ctx_free(ctx);
    return 0;
}
