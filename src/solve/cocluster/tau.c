/* SPDX-License-Identifier: Apache-2.0 */
/* Goodman and Kruskal's tau of a table. */
#include "solve/cocluster/fast_taucc.h"

#include <string.h>

/* sum over rows and columns of t^2 / (T t_.l) and of (t_k. / T)^2; transposed if asked. */
static void parts(const double *table, int32_t k, int32_t l, bool transposed, double *joint,
                  double *alone)
{
    const int32_t many = transposed ? l : k, other = transposed ? k : l;
    double total = 0;

    *joint = *alone = 0;
    for (int32_t i = 0; i < k * l; i++) total += table[i];
    if (!(total > 0)) return;
    for (int32_t b = 0; b < other; b++) {
        double sum = 0, squares = 0;
        for (int32_t a = 0; a < many; a++) {
            const double t = transposed ? table[b * l + a] : table[a * l + b];
            sum += t;
            squares += t * t;
        }
        if (sum > 0) *joint += squares / sum / total;
    }
    for (int32_t a = 0; a < many; a++) {
        double sum = 0;
        for (int32_t b = 0; b < other; b++) sum += transposed ? table[b * l + a] : table[a * l + b];
        *alone += sum / total * (sum / total);
    }
}

tac_tau tac_tau_of(const double *table, int32_t k, int32_t l)
{
    double joint, alone;
    tac_tau tau;

    parts(table, k, l, false, &joint, &alone);
    tau.raw_rows = joint - alone;
    tau.rows = alone < 1 && joint > 0 ? tau.raw_rows / (1 - alone) : 0;
    parts(table, k, l, true, &joint, &alone);
    tau.raw_columns = joint - alone;
    tau.columns = alone < 1 && joint > 0 ? tau.raw_columns / (1 - alone) : 0;
    return tau;
}

/* An empty table or column scores 0. */
void tac_tau_scores(const double *table, int32_t k, int32_t l, double *scores)
{
    double total = 0;

    for (int32_t i = 0; i < k * l; i++) total += table[i];
    memset(scores, 0, (size_t)k * (size_t)l * sizeof *scores);
    if (!(total > 0)) return;
    for (int32_t a = 0; a < k; a++) {
        double row = 0;
        for (int32_t b = 0; b < l; b++) row += table[a * l + b];
        for (int32_t b = 0; b < l; b++) {
            double column = 0;
            for (int32_t i = 0; i < k; i++) column += table[i * l + b];
            if (column > 0) scores[a * l + b] = table[a * l + b] / column - row / total;
        }
    }
}
