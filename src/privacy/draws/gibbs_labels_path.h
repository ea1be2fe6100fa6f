/* SPDX-License-Identifier: Apache-2.0 */
/* One sweep over the labels, for core/each_path.h. */

/* Every row's label by inversion: weights exp(score - largest), a uniform real times their sum,
   and the first running sum above it. Exponents below -700 are cut there. A row takes one word
   of the stream, whatever it is: labels stay a function of (rows, bases, words). */
TARGET static void PATH(assign)(tac_chain *s, tac_stream *stream)
{
    const int32_t k = s->k, q = s->q, d = s->dims;
    const vec least = ALL(-700);
    vec *weight = (vec *)(void *)s->weight;
    int64_t changed = 0;

    for (int64_t g = 0; g < s->groups; g++) {
        const double *x = s->group + g * d * TAC_GIBBS_LANES;
        _Alignas(64) uint64_t word[TAC_GIBBS_LANES];
        _Alignas(64) int64_t chosen[TAC_GIBBS_LANES];
        int32_t *label = s->label + g * TAC_GIBBS_LANES;
        vec most = {0}, sum = {0}, running = {0};
        ints z = {0}, bits;
        for (int i = 0; i < TAC_GIBBS_LANES; i++) word[i] = tac_word(stream);
        for (int32_t l = 0; l < k; l++) {
            held(x, s->basis + (size_t)l * (size_t)q * (size_t)d, q, d, &weight[l]);
            larger(&most, &weight[l]);
        }
        for (int32_t l = 0; l < k; l++) {
            weight[l] -= most;
            larger(&weight[l], &least);
            exp_of(&weight[l]);
            sum += weight[l];
        }
        /* 52 bits, in [1, 2): less 1 and half a step more, in (0, 1) */
        memcpy(&bits, word, sizeof bits);
        bits = (ints)((ints)((bits >> 12) & ALL_INTS(INT64_C(0xFFFFFFFFFFFFF))) |
                      ALL_INTS(INT64_C(0x3FF0000000000000)));
        const vec at = ((vec)bits - ALL(1 - 0x1p-53)) * sum;
        for (int32_t l = 0; l < k - 1; l++) {
            running += weight[l];
            z -= (ints)(running <= at);
        }
        memcpy(chosen, &z, sizeof chosen);
        for (int i = 0; i < TAC_GIBBS_LANES; i++) {
            const int32_t to = (int32_t)chosen[i];
            s->changed[changed] = (tac_changed){g * TAC_GIBBS_LANES + i, label[i]};
            changed += to != label[i];
            label[i] = to;
        }
    }
    if (changed > s->rows / FEW)
        tac_chain_collect(s);
    else
        move_changed(s, changed);
}
