/* SPDX-License-Identifier: Apache-2.0 */
/* Agreement of two labelings from their contingency table, kept sparse: only pairs that occur. */
#include "solve/cocluster/scores.h"

#include <math.h>
#include <string.h>

/* Sorts key[0..n) with the help of spare[0..n). Least significant byte first; a byte that all keys
   share is skipped, so small labels cost two or three passes. */
static void sort_keys(uint64_t *key, uint64_t *spare, size_t n)
{
    uint64_t *from = key, *to = spare;

    for (int shift = 0; shift < 64; shift += 8) {
        size_t start[257] = {0};
        for (size_t i = 0; i < n; i++) start[(from[i] >> shift & 255) + 1]++;
        if (start[(from[0] >> shift & 255) + 1] == n) continue;
        for (int b = 0; b < 256; b++) start[b + 1] += start[b];
        for (size_t i = 0; i < n; i++) to[start[from[i] >> shift & 255]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != key) memcpy(key, from, n * sizeof *key);
}

/* code[i]: the rank of label[i] among the distinct labels; returns how many there are. */
static size_t rank_labels(const uint64_t *label, uint64_t *sorted, uint64_t *spare, size_t n,
                          uint64_t *code)
{
    size_t distinct = 1;

    memcpy(sorted, label, n * sizeof *sorted);
    sort_keys(sorted, spare, n);
    for (size_t i = 1; i < n; i++)
        if (sorted[i] != sorted[distinct - 1]) sorted[distinct++] = sorted[i];
    for (size_t i = 0; i < n; i++) {
        size_t low = 0, high = distinct;
        while (high - low > 1) {
            const size_t middle = low + (high - low) / 2;
            if (sorted[middle] <= label[i])
                low = middle;
            else
                high = middle;
        }
        code[i] = low;
    }
    return distinct;
}

/* C(count, 2) */
static tac_u128 pairs(size_t count)
{
    return (tac_u128)count * (count - 1) / 2; /* count >= 1 */
}

/* H = -sum p log p over the runs of equal keys, p = run / n; *same = sum of C(run, 2). */
static double entropy(const uint64_t *sorted, size_t n, tac_u128 *same)
{
    double sum = 0;
    *same = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && sorted[end] == sorted[i];) end++;
        const double p = (double)(end - i) / (double)n;
        sum -= p * log(p);
        *same += pairs(end - i);
    }
    return sum;
}

/* Adjusted Rand index from numbers of pairs: together in both, in each, and all. Written with the
   four kinds of pairs, so that whole numbers cancel exactly before anything is rounded. */
static double adjusted_rand(tac_u128 both, tac_u128 first, tac_u128 second, tac_u128 all)
{
    const double tp = (double)both, fp = (double)(second - both), fn = (double)(first - both),
                 tn = (double)(all + both - first - second);
    if (fp == 0 && fn == 0) return 1;
    return 2 * (tp * tn - fn * fp) / ((tp + fn) * (fn + tn) + (tp + fp) * (fp + tn));
}

/* Labels to ranks, pairs of ranks to one key, sort: runs of equal keys are the cells of the
   table. */
tacit_status tac_score_labels(tacit_ctx *ctx, const int32_t *found, const int64_t *truth, int64_t n,
                              double *nmi, double *ari)
{
    tacit_status status = TACIT_OK;
    uint64_t *work = NULL;
    size_t pairs_of_labels;
    tac_u128 same_first, same_second, same_both;

    if (n < 1) return tac_fail(ctx, TACIT_E_ARGUMENT, "labels cannot be compared without rows");
    const size_t rows = (size_t)n;
    TAC_TRY(tac_new(ctx, rows, 5 * sizeof *work, &work));
    uint64_t *a = work, *b = a + rows, *label = b + rows, *sorted = label + rows,
             *spare = sorted + rows;

    /* wraps, but stays one to one */
    for (size_t i = 0; i < rows; i++) label[i] = (uint64_t)(int64_t)found[i];
    const size_t first = rank_labels(label, sorted, spare, rows, a);
    for (size_t i = 0; i < rows; i++) label[i] = (uint64_t)truth[i];
    const size_t second = rank_labels(label, sorted, spare, rows, b);
    if (__builtin_mul_overflow(first, second, &pairs_of_labels)) {
        status = tac_fail(ctx, TACIT_E_ARGUMENT, "there are too many different labels to compare");
        goto done;
    }
    for (size_t i = 0; i < rows; i++) label[i] = a[i] * second + b[i];
    sort_keys(a, spare, rows);
    sort_keys(b, spare, rows);
    sort_keys(label, spare, rows);
    const double h_first = entropy(a, rows, &same_first), h_second = entropy(b, rows, &same_second),
                 h_both = entropy(label, rows, &same_both);

    if (nmi != NULL) {
        /* I(a; b) = H(a) + H(b) - H(a, b), moved into its range where rounding left it. */
        const double shared = h_first + h_second - h_both;
        /* the same partition, exactly */
        if (same_first == same_both && same_second == same_both)
            *nmi = 1;
        else if (first == 1 || second == 1)
            *nmi = 0;
        else
            *nmi = fmin(1, fmax(0, 2 * shared / (h_first + h_second)));
    }
    if (ari != NULL) *ari = adjusted_rand(same_both, same_first, same_second, pairs(rows));
done:
    tac_free(work);
    return status;
}
