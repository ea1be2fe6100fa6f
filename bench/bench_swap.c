/* SPDX-License-Identifier: Apache-2.0 */
/* One step of private local search as a ratio: all k m + 1 costs and the draw, against the bare
   nearest-candidate kernel on the same rows and candidates (tac_nearest: every distance once,
   nothing kept but the nearest). Floor: 3 times. */
#include "bench.h"
#include "core/cpu.h"
#include "data/kernels/nearest.h"
#include "privacy/door_internal.h"

#define FLOOR 3.0
enum { TURNS = 3 };

static uint64_t state = 88172645463325252u;

/* Points well inside the ball. */
static void fill(int16_t *points, size_t count, int32_t stride, int32_t dims)
{
    for (size_t i = 0; i < count; i++)
        for (int32_t j = 0; j < stride; j++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            points[i * (size_t)stride + (size_t)j] =
                j < dims ? (int16_t)((int32_t)(state % 20001) - 10000) : 0;
        }
    for (size_t i = 0; i < count; i++) tac_clip(points + i * (size_t)stride, dims);
}

static int measure(int64_t n, int32_t m, int32_t k, int32_t dims, bool median)
{
    const int32_t stride = (dims + 1) / 2 * 2;
    int16_t *rows = malloc((size_t)n * (size_t)stride * 2),
            *candidates = malloc((size_t)m * (size_t)dims * 2);
    int16_t *centers = malloc((size_t)k * (size_t)dims * 2);
    int32_t *label = malloc((size_t)n * sizeof *label), out, in;
    double bare = 1e9, swap = 1e9;
    tac_centers *laid = NULL;
    tac_engine engine;
    tac_key key;

    fill(rows, (size_t)n, stride, dims);
    fill(candidates, (size_t)m, dims, dims);
    fill(centers, (size_t)k, dims, dims);
    tac_engine_threads(ctx, &engine);
    tac_key_from_insecure_seed(1, &key);
    if (tac_centers_new(ctx, candidates, m, dims, &laid) != TACIT_OK) return 1;
    for (int turn = 0; turn < TURNS; turn++) {
        double start = now();
        tac_nearest(laid, rows, n, stride, label);
        bare = now() - start < bare ? now() - start : bare;

        tac_lattice lattice = {.rows = n, .dims = dims, .stride = stride, .points = rows};
        tac_accountant account = {.definition = TAC_PURE, .budget = UINT64_C(1) << 60};
        tac_door *door = NULL;
        if (tac_door_open(ctx, &engine, &lattice, TACIT_ADD_REMOVE, 1, &account, &key, &door) !=
            TACIT_OK)
            return 1;
        start = now();
        if (tac_door_swap(
                door, "bench", UINT64_C(1) << 49,
                &(tac_swap){
                    .median = median, .centers = centers, .k = k, .candidates = candidates, .m = m},
                &out, &in) != TACIT_OK)
            return 1;
        swap = now() - start < swap ? now() - start : swap;
        tac_door_close(door);
    }
    printf("%-8s n %7lld, %6d candidates, k %3d, %2d dimensions: %.2f times the bare distances%s\n",
           median ? "k-median" : "k-means", (long long)n, m, k, dims, swap / bare,
           swap / bare > FLOOR ? "  ABOVE THE FLOOR" : "");
    tac_centers_free(laid);
    free(rows), free(candidates), free(centers), free(label);
    return 0;
}

int main(void)
{
    int bad = 0;

    if (tacit_ctx_new(&ctx) != TACIT_OK || tacit_ctx_set_threads(ctx, 1) != TACIT_OK) return 1;
    const char *const paths[] = {"portable", "avx2", "avx512vnni"};
    for (int path = 2; path >= 0; path--) {
        if (!tac_cpu_use(paths[path])) continue;
        printf("%s\n", paths[path]);
        bad |= measure(path ? 100000 : 20000, path ? 10000 : 2000, 16, 6, false);
        bad |= measure(path ? 100000 : 20000, path ? 10000 : 2000, 16, 6, true);
        if (path == 0) continue;
        bad |= measure(100000, 10000, 64, 6, false);
        bad |= measure(100000, 1000, 16, 20, false);
    }
    tac_cpu_use("auto");
    tacit_ctx_free(ctx);
    return bad;
}
