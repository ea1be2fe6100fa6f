/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a declaration, which may come from elsewhere. What is read is written and read
   again: the same bytes. And files are opened by it: refused with a sentence, or bound to their
   header, with nothing clustered but what it calls a feature. */
#include "fuzz.h"
#include "data/dataset/dataset.h"
#include "data/dataset/declaration.h"

static void open_by(tacit_ctx *ctx, const tacit_declaration *d, tacit_format format,
                    const char *content)
{
    char path[64];
    tacit_data *data = NULL;
    tacit_declaration *bound = NULL, *again = NULL;
    tacit_data_opts with;
    char *text = NULL, *twice = NULL;
    const int fd = memory_file((const uint8_t *)content, strlen(content), path);

    tacit_data_opts_init(&with, sizeof with);
    with.declaration = d;
    with.format = format;
    const tacit_status status = tacit_data_open(ctx, path, &with, &data);
    expect_sentence(ctx, status);
    if (status == TACIT_OK) {
        MUST_BE(tacit_data_declaration(ctx, data, TACIT_ADD_REMOVE, 0, &bound) == TACIT_OK &&
                bound->bound);
        for (int32_t j = 0; j < tacit_data_column_count(data); j++)
            MUST_BE(tac_data_role(bound, data, data->selection.column[j]) == TAC_ROLE_FEATURE);
        MUST_BE(tacit_declaration_json(ctx, bound, &text) == TACIT_OK);
        expect_sentence(ctx, tac_declaration_check_ledger(ctx, bound));
        expect_sentence(ctx, tacit_declaration_compare(ctx, d, bound));
        /* as a ledger keeps it */
        if (bound->words == NULL || strlen(text) < TAC_DECLARATION_MOST) {
            MUST_BE(tacit_declaration_parse(ctx, text, &again) == TACIT_OK &&
                    tacit_declaration_json(ctx, again, &twice) == TACIT_OK);
            MUST_BE(strcmp(text, twice) == 0);
            MUST_BE(tac_declaration_agrees(ctx, again, data, false, NULL) == TACIT_OK);
        }
    }
    tacit_free(text);
    tacit_free(twice);
    tacit_declaration_free(bound);
    tacit_declaration_free(again);
    tacit_data_free(data);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    tacit_ctx *ctx = NULL;
    tacit_declaration *d = NULL, *again = NULL;
    char path[64], *text = NULL, *twice = NULL;
    const int fd = memory_file(bytes, count, path);

    MUST_BE(tacit_ctx_new(&ctx) == TACIT_OK);
    const tacit_status status = tacit_declaration_read(ctx, path, &d);
    close(fd);
    expect_sentence(ctx, status);
    MUST_BE((status == TACIT_OK) == (d != NULL));
    if (d != NULL) {
        MUST_BE(tacit_declaration_json(ctx, d, &text) == TACIT_OK &&
                tacit_declaration_parse(ctx, text, &again) == TACIT_OK &&
                tacit_declaration_json(ctx, again, &twice) == TACIT_OK && strcmp(text, twice) == 0);
        /* A vocabulary is another file, which is not this target's. */
        if (d->vocabulary == NULL) {
            open_by(ctx, d, d->format == TACIT_FORMAT_AUTO ? TACIT_FORMAT_CSV : TACIT_FORMAT_AUTO,
                    "who,age,stay,note\np,1,2,x\n");
            open_by(ctx, d, TACIT_FORMAT_TRIPLETS, "row,col,count,who\n0,0,1,p\n1,2,3,q\n");
            open_by(ctx, d, TACIT_FORMAT_LIBSVM, "0 1:1 3:2\n1 2:1\n");
            open_by(ctx, d, TACIT_FORMAT_MATRIX_MARKET,
                    "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n");
        }
    }
    tacit_free(text);
    tacit_free(twice);
    tacit_declaration_free(d);
    tacit_declaration_free(again);
    tacit_ctx_free(ctx);
    return 0;
}
