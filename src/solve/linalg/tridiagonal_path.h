/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of tridiagonal.c, for core/each_path.h. Sums have TAC_EIGEN_LANES parts on every path
   and nothing is fused, so all paths round alike. */
typedef double PATH(some) __attribute__((vector_size(BYTES)));

#define PARTS (64 / BYTES) /* registers that hold all lanes */
#define PLACE(part) ((part) * (BYTES / 8))

TARGET INLINE double PATH(total)(const PATH(some) sum[PARTS])
{
    double lane[TAC_EIGEN_LANES];

    memcpy(lane, sum, sizeof lane);
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* <a, b>; size: a multiple of the lanes. */
TARGET static double PATH(inner)(const double *a, const double *b, size_t size)
{
    PATH(some) sum[PARTS] = {{0}};

    for (size_t j = 0; j < size; j += TAC_EIGEN_LANES)
#pragma GCC unroll 4
        for (size_t part = 0; part < PARTS; part++) {
            PATH(some) p, q;
            memcpy(&p, a + j + PLACE(part), sizeof p);
            memcpy(&q, b + j + PLACE(part), sizeof q);
            sum[part] += p * q;
        }
    return PATH(total)(sum);
}

/* Lanes j of ROWS rows from i. beyond: the block stands right of the diagonal, so it also stands
   for its mirror image. */
TARGET INLINE void PATH(fold_lanes)(const tac_tridiagonal *t, size_t i, size_t j, bool beyond,
                                    PATH(some) sum[ROWS][PARTS])
{
#pragma GCC unroll 4
    for (size_t part = 0; part < PARTS; part++) {
        const size_t at = j + PLACE(part);
        PATH(some) u, w, x, y, a;
        memcpy(&u, t->u + at, sizeof u);
        memcpy(&w, t->w + at, sizeof w);
        memcpy(&x, t->x + at, sizeof x);
        memcpy(&y, t->y + at, sizeof y);
#pragma GCC unroll 4
        for (size_t r = 0; r < ROWS; r++) {
            double *row = t->a + (i + r) * t->size + at;
            memcpy(&a, row, sizeof a);
            a -= t->u[i + r] * w + t->w[i + r] * u;
            memcpy(row, &a, sizeof a);
            sum[r][part] += a * x;
            if (beyond) y += t->x[i + r] * a;
        }
        if (beyond) memcpy(t->y + at, &y, sizeof y);
    }
}

/* A -= u w^T + w u^T and y += A x in one pass over A, rows from `first` on. Blocks of lanes on the
   diagonal are kept whole, those right of it stand for both sides. */
TARGET static void PATH(fold)(const tac_tridiagonal *t, size_t first)
{
    for (size_t i = first / ROWS * ROWS; i < t->size; i += ROWS) {
        const size_t block = i / TAC_EIGEN_LANES * TAC_EIGEN_LANES;
        PATH(some) sum[ROWS][PARTS] = {{{0}}};

        PATH(fold_lanes)(t, i, block, false, sum);
        for (size_t j = block + TAC_EIGEN_LANES; j < t->size; j += TAC_EIGEN_LANES)
            PATH(fold_lanes)(t, i, j, true, sum);
        for (size_t r = 0; r < ROWS; r++) t->y[i + r] += PATH(total)(sum[r]);
    }
}

/* panel -= u (u^T panel), rows from `first` to d. */
TARGET static void PATH(reflect)(const double *u, size_t first, size_t d, double *panel)
{
    PATH(some) along[PARTS] = {{0}}, row;

    for (size_t j = first; j < d; j++)
#pragma GCC unroll 4
        for (size_t part = 0; part < PARTS; part++) {
            memcpy(&row, panel + j * TAC_EIGEN_LANES + PLACE(part), sizeof row);
            along[part] += u[j] * row;
        }
    for (size_t j = first; j < d; j++)
#pragma GCC unroll 4
        for (size_t part = 0; part < PARTS; part++) {
            double *place = panel + j * TAC_EIGEN_LANES + PLACE(part);
            memcpy(&row, place, sizeof row);
            row -= u[j] * along[part];
            memcpy(place, &row, sizeof row);
        }
}

#undef PARTS
#undef PLACE
