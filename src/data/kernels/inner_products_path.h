/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of inner_products.c, for core/each_path.h. */

/* All products of one row with one block of vectors: 64 sums in registers at a time, then 32,
   then 16, each with its own pass over the row's entries. */
TARGET static void PATH(all_products)(const job *a)
{
    int32_t first = 0;

    for (; first <= a->width - 4 * REGISTER; first += 4 * REGISTER) sweep(a, 4, first);
    for (; first <= a->width - 2 * REGISTER; first += 2 * REGISTER) sweep(a, 2, first);
    for (; first < a->width; first += REGISTER) sweep(a, 1, first);
}
