/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of distances.c, for core/each_path.h. */
typedef double PATH(doubles) __attribute__((vector_size(BYTES)));

/* out[p, c] = sum_j (x_pj - c_j)^2 for one group of 8 centers. Not |x|^2 - 2<x, c> + |c|^2: that
   saves a third of the work and is wrong far from the origin. Nothing is fused, so all paths round
   alike. */
TARGET static void PATH(squared)(const double *const point[TAC_POINTS], const double *group,
                                 int32_t d, double *out)
{
    for (int part = 0; part < LANES; part += BYTES / 8) {
        PATH(doubles) sum[TAC_POINTS] = {{0}};
        for (int32_t j = 0; j < d; j++) {
            PATH(doubles) c;
            memcpy(&c, group + (ptrdiff_t)j * LANES + part, sizeof c);
#pragma GCC unroll 4
            for (int p = 0; p < TAC_POINTS; p++) {
                const PATH(doubles) away = point[p][j] - c;
                sum[p] += away * away;
            }
        }
        for (int p = 0; p < TAC_POINTS; p++)
            memcpy(out + p * TAC_NEAR + part, &sum[p], sizeof sum[p]);
    }
}
