/* SPDX-License-Identifier: Apache-2.0 */
/* Rows seen from their cell, the kernels: the same bits on every path for widths around a vector's,
   exact distances and projections, norms within the ball, nothing written past the end. */
#include "data/kernels/local.h"
#include "core/cpu.h"
#include "dice.h"
#include "tap.h"

enum { N = 150, K = 5, MOST = 130, GUARD = 64 };

static tacit_ctx *ctx;
static uint64_t state = 31;

typedef struct result {
    uint32_t squared[N + GUARD], weight[N + GUARD];
    int32_t along[N + GUARD];
    int16_t u[N * MOST + GUARD];
} result;

static void fill(int16_t *points, int count, int32_t dims, int32_t stride)
{
    for (int i = 0; i < count; i++) {
        const int range = (int[]){3, 2000, 32767}[next() % 3];
        for (int32_t j = 0; j < stride; j++)
            points[i * stride + j] =
                j < dims ? (int16_t)((int)(next() % (uint64_t)(2 * range + 1)) - range) : 0;
        if (next() % 8 == 0) points[i * stride] = (int16_t)(next() % 2 ? TAC_M : -TAC_M);
        tac_clip(points + i * stride, dims);
    }
}

int main(void)
{
    static const char *const paths[] = {"portable", "avx2", "avx512vnni"};
    static const int32_t widths[] = {1,  2,  3,  7,  8,  9,  15,  16,  17,  18,
                                     31, 32, 33, 47, 48, 49, 100, 127, 128, 129};
    static int16_t rows[N * MOST], centers[K * MOST];
    static int32_t cell[N];
    static result first, again;
    int different = 0, inexact = 0, outside = 0, over = 0, seen = 0;

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (int taxicab = 0; taxicab < 2; taxicab++) {
            const int32_t dims = widths[w], stride = dims + (dims & 1);
            const double radius[K] = {0, 700, 30000, 1e9, 5};
            tac_local_map map;
            fill(rows, N, dims, stride);
            fill(centers, K, dims, dims);
            for (int i = 0; i < N; i++) cell[i] = (int32_t)(next() % K);
            MUST(tac_local_open(ctx, centers, radius, K, dims, taxicab, &map) == TACIT_OK);
            for (int p = 0; p < 3; p++) {
                if (!tac_cpu_use(paths[p])) continue; /* not on this machine */
                result *r = p == 0 ? &first : &again;
                memset(r, 0x5a, sizeof *r);
                tac_local_squared(&map, rows, N, stride, cell, r->squared);
                tac_local_place(&map, rows, N, stride, cell, 1000000, r->u, r->weight);
                tac_local_along(&map, r->u, N, stride, cell, r->along);
                if (p > 0) different += memcmp(&first, &again, sizeof first) != 0;
                for (int i = 0; i < GUARD; i++)
                    over += r->u[N * stride + i] != 0x5a5a || r->weight[N + i] != 0x5a5a5a5a ||
                            r->squared[N + i] != 0x5a5a5a5a;
                seen++;
            }
            for (int i = 0; i < N; i++) {
                int64_t far = 0, dot = 0, norm = 0;
                for (int32_t j = 0; j < dims; j++) {
                    const int64_t gap = rows[i * stride + j] - centers[cell[i] * dims + j],
                                  u = first.u[i * stride + j];
                    far += taxicab ? llabs(gap) : gap * gap;
                    dot += u * centers[cell[i] * dims + j];
                    norm += taxicab ? llabs(u) : u * u;
                }
                inexact += (int64_t)first.squared[i] != far || first.along[i] != dot ||
                           (stride > dims && first.u[i * stride + dims] != 0);
                outside +=
                    norm > (taxicab ? TAC_M : (int64_t)TAC_M * TAC_M) || first.weight[i] > 1000000;
            }
            tac_local_close(&map);
        }
    tac_cpu_use("auto");
    CHECK(different == 0 && seen > 0, "%d widths and paths: the same bits (%d differ)", seen,
          different);
    CHECK(inexact == 0, "distances and projections are exact (%d are not)", inexact);
    CHECK(outside == 0, "rows are within the ball and weights within their most (%d are not)",
          outside);
    CHECK(over == 0, "nothing is written past the end");
    tacit_ctx_free(ctx);
    return tap_done();
}
