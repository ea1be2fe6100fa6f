/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse counts as a CSV with the columns row, col and count, in any order, among others that are ignored. row
   and col are numbers from 0. A row is there if the file mentions it; rows come in the order of their numbers.
   (Were unmentioned numbers rows of zeros, one line with a large number would add as many rows as it likes,
   and one person would no longer be one row.) Columns are 0 .. the largest col; entries that are not mentioned
   are 0. No header tells the number of columns, so opening the file looks at its col numbers, and nothing
   else: the number of columns is taken from the file and so counts as public. */
#include "data/sparse_rows.h"

#include <math.h>
#include <strings.h>

#define BLOCK 1024

typedef struct triplets {
    tac_sparse sparse;
    int32_t part[3]; /* where row, col and count are in the file */
} triplets;

static const char *const part_names[3] = {"row", "col", "count"};

static tacit_status find_parts(tacit_ctx *ctx, const tac_input *input, const tac_schema *schema, int32_t part[3])
{
    for (int i = 0; i < 3; i++) {
        part[i] = -1;
        for (int32_t c = 0; part[i] < 0 && c < schema->columns; c++)
            if (strcasecmp(schema->names[c], part_names[i]) == 0) part[i] = c;
        if (part[i] < 0)
            return tac_fail(ctx, TACIT_E_FORMAT,
                            "%s: the header has no " TAC_COLUMN "; triplets need row, col and count", input->name,
                            part_names[i]);
    }
    return TACIT_OK;
}

/* A number read as double must be an index below `limit`. */
static tacit_status check_index(tacit_ctx *ctx, const tac_input *input, double x, int64_t limit, int64_t record,
                                int part)
{
    if (x >= 0 && x < (double)limit && x == floor(x)) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_FORMAT,
                    "%s: row %lld after the header, " TAC_COLUMN ": must be a whole number from 0 to %lld",
                    input->name, (long long)record, part_names[part], (long long)limit - 1);
}

/* Hand every record's numbers, `parts` of them, to `each`. The input comes back rewound. */
typedef tacit_status (*each_fn)(tacit_ctx *ctx, triplets *t, const double *x, int64_t record, void *state);

static tacit_status pass(tacit_ctx *ctx, triplets *t, const int32_t *part, int32_t parts, each_fn each,
                         void *state)
{
    tacit_status status = TACIT_OK;
    const tac_selection selection = {.dims = parts, .column = part, .label = -1, .unit = -1};
    tac_reader *csv = NULL;
    double x[BLOCK * 3];

    TAC_TRY(tac_csv_from_input(ctx, t->sparse.base.path, &t->sparse.input, ',', &csv));
    if (t->part[0] < 0) TAC_TRY(find_parts(ctx, tac_csv_input(csv), &csv->schema, t->part));
    TAC_TRY(csv->load(csv, ctx, &selection));
    tac_csv_take_input(csv, &t->sparse.input);
    for (int64_t first = 0; first < csv->rows; first += BLOCK) {
        const int64_t count = csv->rows - first < BLOCK ? csv->rows - first : BLOCK;
        TAC_TRY(csv->read(csv, first, count, x));
        for (int64_t i = 0; i < count; i++) TAC_TRY(each(ctx, t, x + i * parts, first + i + 1, state));
    }
    TAC_TRY(tac_input_rewind(ctx, &t->sparse.input));
done:
    if (csv != NULL) csv->close(csv);
    return status;
}

static tacit_status widen(tacit_ctx *ctx, triplets *t, const double *x, int64_t record, void *state)
{
    int64_t *columns = state;
    const tacit_status status = check_index(ctx, &t->sparse.input, x[0], TAC_MOST_COLUMNS, record, 1);
    if (status == TACIT_OK && (int64_t)x[0] >= *columns) *columns = (int64_t)x[0] + 1;
    return status;
}

static tacit_status add(tacit_ctx *ctx, triplets *t, const double *x, int64_t record, void *state)
{
    tacit_status status = TACIT_OK;
    TAC_TRY(check_index(ctx, &t->sparse.input, x[0], TAC_MOST_SPARSE_ROWS, record, 0));
    TAC_TRY(check_index(ctx, &t->sparse.input, x[1], t->sparse.base.schema.columns, record, 1));
    const tac_entry e = {.value = x[2], .line = record + 1, .row = (int32_t)x[0], .column = (int32_t)x[1]};
    TAC_TRY(tac_entries_add(ctx, state, &e));
    if (e.row >= t->sparse.length) t->sparse.length = e.row + INT64_C(1);
done:
    return status;
}

static tacit_status triplets_load(tac_reader *self, tacit_ctx *ctx, const tac_selection *selection)
{
    tacit_status status = TACIT_OK;
    triplets *t = (triplets *)self;
    tac_entries entries = {0};

    TAC_TRY(pass(ctx, t, t->part, 3, add, &entries));
    TAC_TRY(tac_entries_close_gaps(ctx, &entries, &t->sparse.length));
    TAC_TRY(tac_sparse_build(ctx, &t->sparse, &entries, selection));
done:
    tac_free(entries.entry);
    return status;
}

tacit_status tac_open_triplets(tacit_ctx *ctx, const char *path, tac_reader **out)
{
    tacit_status status = TACIT_OK;
    int64_t columns = 0;
    triplets *t = NULL;

    *out = NULL;
    TAC_TRY(tac_new(ctx, 1, sizeof *t, &t));
    t->sparse.input.fd = -1;
    t->part[0] = -1; /* not looked for yet */
    TAC_TRY(tac_input_open(ctx, path, &t->sparse.input));
    TAC_TRY(tac_input_hold(ctx, &t->sparse.input));
    TAC_TRY(pass(ctx, t, t->part + 1, 1, widen, &columns));
    if (columns == 0) TAC_TRY(tac_fail_no_rows(ctx, t->sparse.input.name)); /* nothing tells how many columns there are */
    TAC_TRY(tac_schema_numbered(ctx, columns, NULL, &t->sparse.base.schema));
    tac_sparse_serve(&t->sparse, path, triplets_load, tac_sparse_close);
    *out = &t->sparse.base;
    t = NULL;
done:
    tac_sparse_close((tac_reader *)t);
    return status;
}
