/* SPDX-License-Identifier: Apache-2.0 */
/* Columns whose values lie outside the declared bounds, for the owner of the rows. */
#include "../cli.h"

#include <stdlib.h>

#define WORTH 1e-3 /* a smaller share of the rows is left out */
#define TOLD 20    /* columns of the table */

static int larger_first(const void *a, const void *b)
{
    const cli_clipped_column *x = a, *y = b;
    if (x->share != y->share) return x->share > y->share ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

int cli_find_clipped(const cli *c, const tacit_model *model, tacit_data *data, cli_clipped *out)
{
    const int32_t columns = tacit_model_column_count(model);
    tacit_domain domain = TACIT_DOMAIN_INIT;
    double *share = NULL;
    int code = EXIT_OK;

    *out = (cli_clipped){0};
    if (tacit_model_domain(model, &domain) != TACIT_OK || domain.lower == NULL) return EXIT_OK;
    share = calloc((size_t)columns, sizeof *share);
    out->column = calloc((size_t)columns, sizeof *out->column);
    if (share == NULL || out->column == NULL) CLI_TRY(cli_no_memory(c));
    const tacit_status status = tacit_model_clipped(c->ctx, model, data, share);
    /* rows that stay sparse have no columns to go through */
    if (status != TACIT_E_ARGUMENT) CLI_TRY(cli_check(c, status));
    for (int32_t j = 0; j < columns && status == TACIT_OK; j++)
        if (share[j] > WORTH) out->column[out->count++] = (cli_clipped_column){j, share[j]};
    qsort(out->column, (size_t)out->count, sizeof *out->column, larger_first);
done:
    free(share);
    return code;
}

void cli_clipped_text(FILE *out, const tacit_model *model, const cli_clipped *clipped)
{
    char name[256];

    if (clipped->count > 0) fputs("columns with values outside their bounds\n", out);
    for (int32_t i = 0; i < clipped->count && i < TOLD; i++) {
        cli_column_name(model, clipped->column[i].column, 28, name, sizeof name);
        tacit_text_make_plain(name);
        fprintf(out, "  %-28s %.2f %%\n", name, 100 * clipped->column[i].share);
    }
    if (clipped->count > TOLD) fprintf(out, "  and %d more\n", (int)clipped->count - TOLD);
}

void cli_clipped_json(FILE *out, const tacit_model *model, const cli_clipped *clipped)
{
    fputs(",\n  \"clipped_columns\": [", out);
    for (int32_t i = 0; i < clipped->count; i++) {
        fputs(i == 0 ? "{" : ", {", out);
        cli_json_put_text(out, "", "column",
                          tacit_model_column_get(model, clipped->column[i].column));
        cli_json_put(out, ", ", "share", clipped->column[i].share);
        fputc('}', out);
    }
    fputc(']', out);
}
