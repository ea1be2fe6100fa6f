/* SPDX-License-Identifier: Apache-2.0 */
/* Private k-means from C: five segments of a CSV of people, written to segments.json.
   Usage: segments patients.csv "age=0:110,stay_days=0:60,cost=0:90000" */
#include <tacit/tacit.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    tacit_ctx *ctx = NULL;
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_kmeans_opts opts = TACIT_KMEANS_OPTS_INIT;
    int failed = 1;

    if (argc != 3 || tacit_ctx_new(&ctx) != TACIT_OK) {
        fprintf(stderr, "usage: segments FILE BOUNDS\n");
        return 64;
    }
    budget.epsilon = 1;
    budget.delta = 1e-6;
    opts.k = 5;

    if (tacit_data_open(ctx, argv[1], NULL, &data) == TACIT_OK &&
        tacit_data_declare_bounds(ctx, data, argv[2]) == TACIT_OK &&
        tacit_kmeans_run(ctx, data, &budget, &opts, &model) == TACIT_OK &&
        tacit_model_write(ctx, model, "segments.json") == TACIT_OK) {
        for (int32_t c = 0; c < tacit_model_k(model); c++) {
            printf("%8.0f people:", tacit_model_sizes(model)[c]);
            for (int32_t j = 0; j < tacit_model_column_count(model); j++)
                printf("  %s %.4g", tacit_model_column_get(model, j),
                       tacit_model_centers(model)[c * tacit_model_column_count(model) + j]);
            printf("\n");
        }
        failed = 0;
    } else {
        fprintf(stderr, "segments: %s\n", tacit_ctx_message(ctx));
    }
    tacit_model_free(model);
    tacit_data_free(data);
    tacit_ctx_free(ctx);
    return failed;
}
