/* SPDX-License-Identifier: Apache-2.0 */
/* Memory runs out at every allocation of every reader in turn, once and from then on, with one
   thread and with three: TACIT_E_MEMORY with a sentence or a right result, no crash and, under the
   sanitizers, no leak. */
#include "data/readers/reader.h"
#include "failing_memory.h"
#include "tap.h"

#include <unistd.h>

/* the producer's own memory does not run out */
#define calloc __real_calloc
#include "arrow_table.h"
#undef calloc

static const char *const a[] = {"1", "3"}, *const b[] = {"2", "0"}, *const who[] = {"p,\"1", "p2"};
static const arrow_column columns_of_stream[] = {
    {"a", "s", NULL, a, NULL}, {"b", "d:9,2", NULL, b, NULL}, {"who", "c", "u", who, NULL}};
static const arrow_table table = {
    .columns = 3, .column = columns_of_stream, .rows = 2, .cut = {.most = 1, .slice = 2}};

static tacit_status open_any(tacit_ctx *ctx, const char *path, tacit_format format, tac_reader **r)
{
    struct ArrowArrayStream stream;

    if (format != TAC_FORMAT_ARROW) return tac_open_format(ctx, path, format, r);
    arrow_open(&table, &stream);
    return tac_open_arrow(ctx, &stream, r);
}

/* Every file holds columns 1 and 2 of two rows as 1 2 / 3 0, and a label or owner that differs, in
   column 3. */
static tacit_status walk(tacit_ctx *ctx, const char *path, tacit_format format, bool *right)
{
    tacit_status status = TACIT_OK;
    tac_reader *r = NULL;
    double x[4] = {0};
    const int32_t columns[] = {0, 1};
    const bool own_label = format == TACIT_FORMAT_LIBSVM;
    const tac_selection selection = {.dims = 2,
                                     .column = columns,
                                     .label = 2,
                                     .unit = own_label ? -1 : 2,
                                     .missing = TACIT_MISSING_REJECT_FILE};

    *right = false;
    ctx->message[0] = '\0';
    TAC_TRY(open_any(ctx, path, format, &r));
    TAC_TRY(r->load(r, ctx, &selection));
    for (int64_t i = 0; i < 2; i++) {
        status = r->read(r, i, 1, x + 2 * i);
        if (status == TACIT_E_MEMORY) tac_fail(ctx, status, "read has no ctx: its caller says so");
        if (status != TACIT_OK) goto done;
    }
    *right = r->rows == 2 && x[0] == 1 && x[1] == 2 && x[2] == 3 && x[3] == 0 && r->label[0] == 0 &&
             r->label[1] == 1;
done:
    if (r != NULL) r->close(r);
    MUST(arrow_live == 0);
    return status;
}

int main(void)
{
    static const float floats[] = {1, 2, 7, 3, 0, 8};
    static char npy[128 + sizeof floats] = "\x93NUMPY\1\0v\0{'descr': '=f4', 'fortran_order': "
                                           "False, 'shape': (2, 3), }";
    static const char csv[] = "a,b,who\n1,2,\"p,\"\"\n1\"\n3,0,p2\n";
    static const char mtx[] = "%%MatrixMarket matrix coordinate real general\n2 3 4\n2 1 3\n1 1 "
                              "1\n1 2 2\n2 3 9\n";
    static const char tri[] = "row,col,count\n1,0,3\n0,0,1\n0,1,2\n1,2,9\n";
    static const char svm[] = "x 1:1 2:2\ny 1:3\n";
    const struct {
        const char *name, *bytes;
        size_t count;
        tacit_format format;
    } files[] = {
        {"CSV", csv, sizeof csv - 1, TACIT_FORMAT_CSV},
        {"NPY", npy, sizeof npy, TACIT_FORMAT_NPY},
        {"Matrix Market", mtx, sizeof mtx - 1, TACIT_FORMAT_MATRIX_MARKET},
        {"triplets", tri, sizeof tri - 1, TACIT_FORMAT_TRIPLETS},
        {"LIBSVM", svm, sizeof svm - 1, TACIT_FORMAT_LIBSVM},
        {"Arrow", "", 0, TAC_FORMAT_ARROW},
    };
    char path[] = "/tmp/tacit-test-XXXXXX";
    tacit_ctx *ctx = NULL;

    memset(npy + strlen(npy + 10) + 10, ' ', 128 - strlen(npy + 10) - 10);
    npy[8] = 118;
    npy[9] = 0;
    memcpy(npy + 128, floats, sizeof floats);
    const int fd = mkstemp(path);
    MUST(fd >= 0 && tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->block_bytes = 1; /* many pieces, so that three threads have work */
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        long refused = 0, wrong = 0, all = 0;
        bool right = false;
        MUST(ftruncate(fd, 0) == 0 &&
             pwrite(fd, files[f].bytes, files[f].count, 0) == (ssize_t)files[f].count);
        for (int mode = 0; mode < 4; mode++) {
            ctx->threads = mode < 2 ? 1 : 3;
            from_then_on = mode % 2 == 1;
            countdown = counted = 0;
            if (walk(ctx, path, files[f].format, &right) != TACIT_OK || !right) {
                wrong++;
                printf("# %s\n", tacit_ctx_message(ctx));
            }
            all = counted;
            for (long n = 1; n <= all; n++) {
                countdown = n;
                const tacit_status status = walk(ctx, path, files[f].format, &right);
                countdown = 0;
                refused += status == TACIT_E_MEMORY;
                if (status == TACIT_OK ? !right
                                       : status != TACIT_E_MEMORY || ctx->message[0] == '\0')
                    wrong++;
            }
        }
        CHECK(wrong == 0 && refused > 0, "%s: %ld allocations fail in turn, refused %ld times",
              files[f].name, all, refused);
    }
    tacit_ctx_free(ctx);
    MUST(close(fd) == 0 && unlink(path) == 0);
    return tap_done();
}
