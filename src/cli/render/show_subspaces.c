/* SPDX-License-Identifier: Apache-2.0 */
/* Subspaces for people: size, how far rows reach along each direction, and which columns a
   direction is made of. */
#include "../cli.h"

#include <math.h>

#define DIRECTIONS 6 /* shown of each subspace */
#define LOADINGS 4   /* columns shown of each direction */
#define SMALL 0.05   /* loadings below this are not worth a word */
#define LONGEST_NAME 24

enum { COLUMN_NUMBER, COLUMN_SIZE, COLUMN_DIRECTION, COLUMN_REACH, COLUMN_LOADINGS, COLUMN_COUNT };

typedef struct subspace_table {
    const tacit_model *model;
    int32_t shown; /* directions of each */
    int32_t lines; /* of each: the directions, and for affine ones a point */
} subspace_table;

/* "0.81 age, -0.52 stay": the largest loadings of a direction, largest first. Small ones are left
   out, but never all. */
static void loadings(const tacit_model *model, int32_t subspace, int32_t direction, char *text,
                     size_t size)
{
    const int32_t d = tacit_model_column_count(model), q = tacit_model_q(model);
    const double *basis = tacit_model_subspaces(model) + (int64_t)subspace * d * q;
    double last = INFINITY;
    int32_t last_column = -1;
    size_t used = 0;

    *text = '\0';
    for (int i = 0; i < LOADINGS && used + 1 < size; i++) {
        int32_t best = -1;
        double most = 0;
        /* the next one after the last: smaller, or as large and further on */
        for (int32_t j = 0; j < d; j++) {
            const double now = fabs(basis[(int64_t)j * q + direction]);
            if ((now < last || (now == last && j > last_column)) && (best < 0 || now > most)) {
                best = j;
                most = now;
            }
        }
        if (best < 0 || (i > 0 && most < SMALL)) break;
        char name[128];
        used += (size_t)snprintf(text + used, size - used, "%s%.2f %s", i == 0 ? "" : ", ",
                                 basis[(int64_t)best * q + direction],
                                 cli_column_name(model, best, LONGEST_NAME, name, sizeof name));
        last = most;
        last_column = best;
    }
}

/* "age 41.5, stay 3.2, ...": the first columns of a point. */
static void point(const tacit_model *model, int32_t subspace, char *text, size_t size)
{
    const int32_t d = tacit_model_column_count(model);
    size_t used = 0;

    *text = '\0';
    for (int32_t j = 0; j < d && j < LOADINGS && used + 1 < size; j++) {
        char name[128];
        cli_column_name(model, j, LONGEST_NAME, name, sizeof name);
        used += (size_t)snprintf(text + used, size - used, "%s%s %.4g", j == 0 ? "" : ", ", name,
                                 tacit_model_offsets(model)[(int64_t)subspace * d + j]);
    }
    if (d > LOADINGS && used + 1 < size) snprintf(text + used, size - used, ", ...");
}

/* A subspace takes several lines: one per direction and, if affine, one for a point of it. */
static void subspace_cell(const void *payload, int64_t row, int column, char *text, size_t size)
{
    const subspace_table *table = payload;
    const tacit_model *model = table->model;
    const int32_t q = tacit_model_q(model);
    const int32_t which = (int32_t)(row / table->lines), line = (int32_t)(row % table->lines);
    const bool is_point = line == table->shown;
    switch (column) {
    case COLUMN_NUMBER:
        if (line == 0) snprintf(text, size, "%d", (int)which);
        break;
    case COLUMN_SIZE:
        if (line == 0)
            cli_value_text(text, size, tacit_model_sizes(model)[which], tacit_model_sizes_sd(model),
                           0);
        break;
    case COLUMN_DIRECTION:
        if (is_point)
            snprintf(text, size, "point");
        else
            snprintf(text, size, "%d", (int)line + 1);
        break;
    case COLUMN_REACH:
        if (!is_point && tacit_model_profile(model) != NULL)
            snprintf(text, size, "%.4g", tacit_model_profile(model)[(int64_t)which * q + line]);
        else if (!is_point)
            snprintf(text, size, "?");
        break;
    default:
        if (is_point)
            point(model, which, text, size);
        else
            loadings(model, which, line, text, size);
    }
}

static double subspace_share(const void *payload, int64_t row)
{
    const subspace_table *table = payload;

    if (row % table->lines != 0) return NAN;
    return cli_size_share(table->model, (int32_t)(row / table->lines));
}

/* What reach is, and in which units: with bounds it is that of columns divided by their range,
   while a point of an affine subspace is in the columns' own. */
static void print_reach(const tacit_model *model)
{
    tacit_domain domain = TACIT_DOMAIN_INIT;

    if (tacit_model_profile(model) == NULL) {
        puts("how far the rows reach along a direction (?) was not asked for");
        return;
    }
    const bool box = tacit_model_domain(model, &domain) == TACIT_OK && domain.lower != NULL;
    printf("reach is the root mean square of the rows along a direction%s%s\n",
           box ? ", of columns divided by their range" : "",
           box && tacit_model_offsets(model) != NULL ? ";\na point is in the columns' own units"
                                                     : "");
}

/* At most DIRECTIONS directions of each subspace are printed; -o and --json give all. */
int cli_show_subspaces(const cli *c, const tacit_model *model)
{
    static const char *const heading[] = {"subspace", "size", "direction", "reach",
                                          "largest loadings"};
    const int32_t q = tacit_model_q(model), shown = q < DIRECTIONS ? q : DIRECTIONS;
    const subspace_table table = {
        .model = model, .shown = shown, .lines = shown + (tacit_model_offsets(model) != NULL)};
    int64_t rows = 0;

    (void)c;
    cli_show_not_private(model);
    cli_print_table(stdout, &(cli_table){.rows = (int64_t)tacit_model_k(model) * table.lines,
                                         .columns = COLUMN_COUNT,
                                         .payload = &table,
                                         .heading = heading,
                                         .cell = subspace_cell,
                                         .left = 1 << COLUMN_NUMBER | 1 << COLUMN_LOADINGS,
                                         .share = subspace_share});
    printf("\n%d %s of dimension %d%s\n", (int)tacit_model_k(model),
           tacit_model_k(model) == 1 ? "subspace" : "subspaces", (int)q,
           tacit_model_offsets(model) != NULL ? ", not through the origin" : "");
    print_reach(model);
    if (shown < q)
        printf("%d of %d directions of each; -o and --json give all\n", (int)shown, (int)q);
    if (tacit_model_labels(model, &rows) != NULL)
        printf("the release also holds the drawn subspace of each of %lld rows; -o and --json give "
               "it\n",
               (long long)rows);
    return EXIT_OK;
}
