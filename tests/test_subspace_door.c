/* SPDX-License-Identifier: Apache-2.0 */
/* The door's questions for subspaces: known answers against sums in plain integers, the same bits from every layout and code path,
   and refusals. Their sensitivities are attacked in test_subspace_bounds.c. */
#include "data/fourths.h"
#include "data/nearest.h"
#include "privacy/door_internal.h"
#include "tap.h"

static tacit_ctx *ctx;
static uint64_t state = 11;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int16_t number(int range)
{
    return (int16_t)((int)(next() % (uint64_t)(2 * range + 1)) - range);
}

static void *need(size_t count, size_t size)
{
    void *memory = aligned_alloc(64, (count * size + 127) / 64 * 64);
    MUST(memory != NULL);
    memset(memory, 0, count * size);
    return memory;
}

static const char *const paths[] = {"portable", "avx2", "avx512vnni"};

/* ---- fourth moments: the kernel ---- */

static int64_t cut(int64_t a)
{
    return a >= 0 ? a >> 15 : -(-a >> 15);
}

/* The definition, one product after the other. */
static void plain_fourths(const int16_t *rows, int64_t n, int32_t stride, int32_t d, uint64_t *entry)
{
    for (int64_t r = 0; r < n; r++, rows += stride) {
        uint64_t *to = entry;
        for (int32_t i = 0; i < d; i++)
            for (int32_t j = i; j < d; j++)
                for (int32_t k = j; k < d; k++)
                    for (int32_t l = k; l < d; l++)
                        *to++ += (uint64_t)(cut((int64_t)rows[i] * rows[j]) * cut((int64_t)rows[k] * rows[l]));
    }
}

static bool fourths_agree(int64_t n, int32_t dims, bool extreme)
{
    const int32_t stride = dims + (dims & 1);
    const size_t count = tac_fourths_count(dims);
    int16_t *rows = need((size_t)(n * stride) + 1, 2);
    uint64_t *found = need(count, 8), *wanted = need(count, 8);
    void *scratch = need(tac_fourths_scratch(dims), 1);

    for (int64_t i = 0; i < n * stride; i++) rows[i] = extreme ? (int16_t)(next() % 2 ? -32767 : 32767) : number(32767);
    for (size_t i = 0; i < count; i++) found[i] = wanted[i] = next();
    memset(scratch, 0xff, tac_fourths_scratch(dims));
    plain_fourths(rows, n, stride, dims, wanted);
    tac_fourths(rows, n, stride, dims, scratch, found);
    const bool good = memcmp(found, wanted, count * sizeof *found) == 0;
    free(rows), free(found), free(wanted), free(scratch);
    return good;
}

static void test_fourths(void)
{
    for (int p = 0; p < 3; p++) {
        int bad = 0;
        if (!tac_nearest_use(paths[p])) continue; /* not on this machine */
        for (int32_t d = 1; d <= TAC_FOURTHS_DIMS; d++) bad += !fourths_agree(d % 5 + 1, d, d % 2) + !fourths_agree(d < 17 ? 300 : 83, d, !(d % 2));
        CHECK(bad == 0, "%s: fourth moments of 1 to 32 coordinates are the sums of their products, exactly (%d are not)", paths[p], bad);
    }
    tac_nearest_use("auto");
}

static void test_weights(void)
{
    size_t asked = 0, bad = 0, tuples = 0;

    for (int32_t d = 1; d <= TAC_FOURTH_DIMS; d++) {
        size_t count = 0;
        for (int32_t i = 0; i < d; i++)
            for (int32_t j = i; j < d; j++)
                for (int32_t k = j; k < d; k++)
                    for (int32_t l = k; l < d; l++) {
                        const int32_t at[4] = {i, j, k, l};
                        unsigned orders = 24, run = 1;
                        for (int t = 1; t < 4; t++) {
                            run = at[t] == at[t - 1] ? run + 1 : 1;
                            orders /= run;
                        }
                        const uint32_t w = tac_fourth_weight(i, j, k, l);
                        bad += w * w > 400 * orders || (w + 1) * (w + 1) <= 400 * orders;
                        asked++, count++, tuples += d == 5 ? orders : 0;
                    }
        bad += count != tac_fourth_count(d);
    }
    CHECK(bad == 0 && tuples == 625, "weights are 20 roots of the number of orders, rounded down (%zu entries, %zu not)", asked, bad);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    test_fourths();
    test_weights();
    tacit_ctx_free(ctx);
    return tap_done();
}
