/* SPDX-License-Identifier: Apache-2.0 */
/* A peer to compare with: non-negative factors of the rows (the idea of Saha & Imtiaz), x ~ sum
   of h_a W_a. Codes h are computed behind the door from public directions. Every round releases
   A = sum h h^T and B = sum h x^T with noise, and W follows from them alone. The start is
   random, so it costs nothing. Rows are logarithms of counts, of length 1. */
#include "cluster/cocluster/literature/nmf_solve.h"
#include "cluster/cocluster/auto/rows/auto_rows.h"

#include <math.h>

enum { ROUNDS = 8, PURE_MOST = 8 };
#define PEOPLE 0.05
#define COUNTED 0.01
#define SEEN 2.5 /* standard deviations of noise that a column's mass must pass */
#define MASS 0.1
#define START_LEAST 0.1 /* least part of its mass that a column has in the start */

/* Shares: count (public under neighbors entry), mass, people; the rounds share the rest equally. */
static tac_rows_rules rules_for(bool pure, bool entry)
{
    tac_rows_rules r = {.pure = pure,
                        .flat = true,
                        .count = entry ? 0 : COUNTED,
                        .mass = MASS,
                        .people = PEOPLE,
                        .tables = ROUNDS,
                        .seen = SEEN,
                        .most = pure ? PURE_MOST : 0};

    for (int32_t t = 0; t < ROUNDS; t++) r.table[t] = (1 - r.count - r.mass - r.people) / ROUNDS;
    return r;
}

typedef struct factoring {
    tac_rows_walk *w;
    double *square, *product; /* A: k x k; B: k x kept */
    double *factor;           /* W: k x kept, rows of length 1 */
    double *direction;        /* k x kept: the pseudo-inverse */
    tac_i128 *squares;
} factoring;

static tacit_status open_factoring(tac_rows_walk *w, factoring *f)
{
    tacit_status status = TACIT_OK;
    const size_t k = (size_t)w->k, kept = (size_t)w->kept;

    *f = (factoring){.w = w};
    TAC_TRY(tac_new(w->ctx, k * k, sizeof *f->square, &f->square));
    TAC_TRY(tac_new(w->ctx, k * (k + 1) / 2, sizeof *f->squares, &f->squares));
    TAC_TRY(tac_new(w->ctx, k * kept, sizeof *f->product, &f->product));
    TAC_TRY(tac_new(w->ctx, k * kept, sizeof *f->factor, &f->factor));
    TAC_TRY(tac_new(w->ctx, k * kept, sizeof *f->direction, &f->direction));
    TAC_TRY(tac_new(w->ctx, k * kept, sizeof *w->whole, &w->whole));
    TAC_TRY(tac_new(w->ctx, k * kept, sizeof *w->center, &w->center));
    TAC_TRY(tac_new(w->ctx, k, sizeof *w->offset, &w->offset));
done:
    return status;
}

static void close_factoring(factoring *f)
{
    tac_free(f->square);
    tac_free(f->squares);
    tac_free(f->product);
    tac_free(f->factor);
    tac_free(f->direction);
}

/* The noisy mass of the columns, each factor with its own random part of it. */
static void start(factoring *f, size_t a)
{
    const size_t kept = (size_t)f->w->kept;

    for (size_t g = 0; g < kept; g++) {
        const double part = START_LEAST + (double)(tac_word(f->w->job->random) >> 11) * 0x1p-53;
        f->factor[a * kept + g] = fmax(f->w->mass[g], f->w->mass_sd) * part;
    }
}

/* Directions of the codes, scaled by one factor, which the next A and B share. */
static tacit_status aim(factoring *f)
{
    tacit_status status = TACIT_OK;
    tac_rows_walk *w = f->w;

    tac_nmf_unit(f->factor, w->k, w->kept);
    TAC_TRY(tac_nmf_inverse(w->ctx, f->factor, w->k, w->kept, f->direction));
    tac_argmax_cells(f->direction, NULL, w->k, w->kept, w->center, w->offset);
done:
    return status;
}

/* One query for A and B: noisy squares and products of codes. */
static tacit_status ask(factoring *f, int32_t round)
{
    tacit_status status = TACIT_OK;
    tac_rows_walk *w = f->w;
    const size_t k = (size_t)w->k, kept = (size_t)w->kept;
    const double unit = (double)TAC_M * TAC_M * TAC_MOMENT_SAME;
    tac_i128 *products = NULL;

    TAC_TRY(tac_new(w->ctx, k * kept, sizeof *products, &products));
    TAC_TRY(tac_door_codes(w->door, "codes of the rows",
                           tac_share(w->budget, w->rules.table[round]), TAC_ROWS, w->center, w->k,
                           f->squares, products));
    w->left = pow(tac_last_sd(w->door) / unit, 2);
    tac_gram_read(f->squares, w->k, f->square);
    for (size_t e = 0; e < k * kept; e++) w->whole[e] = f->product[e] = (double)products[e] / unit;
done:
    tac_free(products);
    return status;
}

/* Codes, A and B with noise, least squares for W, new directions; an empty factor starts again. */
static tacit_status rounds(factoring *f)
{
    tacit_status status = TACIT_OK;
    tac_rows_walk *w = f->w;

    for (size_t a = 0; a < (size_t)w->k; a++) start(f, a);
    TAC_TRY(aim(f));
    for (int32_t t = 0; t < w->rules.tables; t++) {
        tac_show_progress(w->ctx, "factoring", (double)t / w->rules.tables);
        TAC_TRY(ask(f, t));
        tac_nmf_improve(f->square, f->product, w->k, w->kept, sqrt(w->left), f->factor);
        for (size_t a = 0; a < (size_t)w->k; a++) /* nothing was left of it */
            if (tac_nmf_empty(f->factor + a * (size_t)w->kept, w->kept)) start(f, a);
        TAC_TRY(aim(f));
    }
    w->labelled = w->rules.pure ? TAC_PROJECTED : TAC_ROWS;
    /* labels may look at all of a row */
    if (w->rules.pure) TAC_TRY(tac_rows_look(w, TAC_PROJECTED, false));
done:
    return status;
}

tacit_status tac_cocluster_nmf(const tac_cocluster_job *job, tac_cocluster_result *out)
{
    tacit_status status = TACIT_OK;
    const bool pure = job->delta == 0;
    tac_rows_walk w = {.job = job,
                       .ctx = job->ctx,
                       .door = job->door,
                       .budget = tac_door_left(job->door),
                       .l = job->l,
                       .out = {.groups = job->k}, /* not looked for */
                       .rules = rules_for(pure, job->entry)};
    factoring f = {0};

    w.rows = fmax(1, (double)job->rows);
    if (!job->entry) TAC_TRY(tac_rows_count(&w));
    TAC_TRY(tac_rows_mass(&w));
    w.k = job->k < w.kept ? job->k : w.kept;
    TAC_TRY(open_factoring(&w, &f));
    TAC_TRY(tac_rows_look(&w, TAC_ROWS, pure));
    TAC_TRY(rounds(&f));
    w.seed = tac_word(job->random);
    TAC_TRY(tac_rows_finish(&w, out));
done:
    close_factoring(&f);
    tac_rows_clear(&w);
    return status;
}
