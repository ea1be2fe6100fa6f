/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of diagonalise.c, for core/each_path.h. Nothing is fused, so all paths round alike. */
typedef double PATH(lanes) __attribute__((vector_size(BYTES)));

/* The rotations of one sweep in reverse, on rows low to high of the panel. The row that two
   rotations share stays in a register. */
TARGET static void PATH(unsweep)(const tac_rotation *last, size_t low, size_t high, double *panel)
{
    PATH(lanes) upper[64 / BYTES], lower;

    memcpy(upper, panel + low * TAC_EIGEN_LANES, sizeof upper);
    for (size_t i = low; i < high; i++, last--)
#pragma GCC unroll 4
        for (size_t part = 0; part < 64 / BYTES; part++) {
            double *row = panel + i * TAC_EIGEN_LANES + part * (BYTES / 8);
            memcpy(&lower, row + TAC_EIGEN_LANES, sizeof lower);
            const PATH(lanes) turned = last->c * upper[part] + last->s * lower;
            upper[part] = last->c * lower - last->s * upper[part];
            memcpy(row, &turned, sizeof turned);
        }
    memcpy(panel + high * TAC_EIGEN_LANES, upper, sizeof upper);
}
