/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbouring data, replayed: pairs of data sets, a probe that writes down every exact and noisy answer of a run and hands
   the noisy ones to the next, and what may not differ then. For the tests that drive every method of a family. */
#ifndef TAC_TEST_REPLAY_H
#define TAC_TEST_REPLAY_H

#include <math.h>
#include <time.h>

#include "privacy/door_internal.h"
#include "release/model.h"
#include "solve/eigen.h"
#include "tap.h"

static tacit_ctx *ctx;
static uint64_t state = 1234567;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double uniform(void)
{
    return (double)(next() >> 11) / 9007199254740992.0;
}

/* ---- pairs of data sets ---- */

enum { MOST_ROWS = 260, FEW_DIMS = 6, MOST_DIMS = 24, WIDE = TAC_WIDE + 80, MOST_OWNED = 3, PER_ROW = 5 };

typedef struct world {
    int32_t dims, k, owned; /* owned: rows a unit may own; 0: rows are units */
    tacit_neighbours neighbours;
    double epsilon;
    bool ball, sparse;
    int64_t rows[2];
    double value[2][MOST_ROWS * MOST_DIMS]; /* sparse: PER_ROW numbers a row */
    int32_t column[2][MOST_ROWS * PER_ROW];
    int64_t start[2][MOST_ROWS + 1];
    int64_t unit[2][MOST_ROWS];
} world;

/* Values chosen to hurt: bounds, far outside, missing, zero, halfway, or anything. */
static double nasty(void)
{
    static const double list[] = {-1, 1, 0, 1e300, -1e300, 0.5, -0.0, 1 + 1e-12, 5};
    const uint64_t pick = next() % 16;
    return pick < 9 ? list[pick] : pick == 9 ? NAN : pick == 10 ? INFINITY : 2.4 * uniform() - 1.2;
}

/* Row i of a side. how: 0 a heap of equal rows, so that removing one empties a cell; 1 one of a few clusters; 2 anything; 3
   a corner, where rounding alone would leave the ball. */
static void make_row(world *w, int side, int64_t i, int how)
{
    const int64_t width = w->sparse ? PER_ROW : w->dims;
    const uint64_t cluster = next() % 3;

    for (int64_t j = 0; j < width; j++) {
        double *x = &w->value[side][i * width + j];
        *x = how == 0   ? 0.3
             : how == 1 ? 0.8 * sin((double)(cluster * 7 + (uint64_t)j)) + 0.02 * uniform()
             : how == 2 ? nasty()
                        : 1e300;
        if (w->sparse && !isfinite(*x)) *x = 1; /* a missing entry is no entry */
        if (w->sparse) w->column[side][i * PER_ROW + j] = (int32_t)((cluster * 40 + 1) * (uint64_t)(j + 1)) % (WIDE / PER_ROW) + (int32_t)j * (WIDE / PER_ROW);
    }
}

static void swap_bytes(void *a, void *b, size_t size)
{
    unsigned char *x = a, *y = b;
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = x[i];
        x[i] = y[i];
        y[i] = c;
    }
}

__attribute__((unused)) static void make_pair(world *w, bool sparse)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 120, 250};
    const bool persons = next() % 3 == 0;
    const int how = (int)(next() % 3);

    memset(w, 0, sizeof *w);
    w->sparse = sparse;
    w->dims = sparse ? WIDE : 1 + (int32_t)(next() % (next() % 4 == 0 ? MOST_DIMS : FEW_DIMS));
    w->k = 1 + (int32_t)(next() % 8);
    w->owned = persons ? 1 + (int32_t)(next() % MOST_OWNED) : 0;
    w->neighbours = next() % 2 ? TACIT_REPLACE : TACIT_ADD_REMOVE;
    w->epsilon = (double[]){0.3, 1, 8, 100}[next() % 4];
    w->ball = next() % 4 == 0;
    const int64_t base = sizes[next() % 16], width = sparse ? PER_ROW : w->dims;
    for (int64_t i = 0; i < base; i++) {
        make_row(w, 0, i, how);
        w->unit[0][i] = (int64_t)(next() % 40);
    }
    memcpy(w->value[1], w->value[0], sizeof w->value[0]);
    memcpy(w->column[1], w->column[0], sizeof w->column[0]);
    memcpy(w->unit[1], w->unit[0], sizeof w->unit[0]);
    w->rows[0] = w->rows[1] = base;
    /* The unit in which they differ: one row, or a person with more rows than may count. */
    for (int side = 0; side < 2; side++) {
        if (side == 1 && w->neighbours == TACIT_ADD_REMOVE) break;
        const int64_t extra = persons ? 1 + (int64_t)(next() % 5) : 1;
        const int new_how = next() % 8 == 0 ? 3 : 1 + (int)(next() % 2);
        for (int64_t i = 0; i < extra; i++) {
            make_row(w, side, w->rows[side], new_how);
            w->unit[side][w->rows[side]++] = 99;
        }
    }
    /* The newcomer must not always come last. */
    const int64_t at = (int64_t)(next() % (uint64_t)w->rows[0]), last = w->rows[0] - 1;
    if (at != last) {
        swap_bytes(&w->value[0][at * width], &w->value[0][last * width], (size_t)width * sizeof(double));
        if (sparse) swap_bytes(&w->column[0][at * width], &w->column[0][last * width], (size_t)width * sizeof(int32_t));
        swap_bytes(&w->unit[0][at], &w->unit[0][last], sizeof(int64_t));
    }
    for (int side = 0; side < 2; side++)
        for (int64_t i = 0; i <= w->rows[side]; i++) w->start[side][i] = i * PER_ROW;
}

/* ---- what is written down ---- */

typedef struct asked {
    tac_receipt receipt;
    char what[64];
    size_t exact_words, noisy_words;
    uint64_t *exact, *noisy;
} asked;

enum { MOST_QUERIES = 512, MOST_BATCHES = 64 };

typedef struct transcript {
    bool replaying, same_questions, within;
    int count, at; /* questions of the first run; where the run at hand is */
    const world *world;
    uint64_t units, batch[MOST_BATCHES]; /* of questions about all rows, and about each batch of them */
    asked query[MOST_QUERIES];
} transcript;

static uint64_t *copy_of(const uint64_t *word, size_t count)
{
    uint64_t *copy = malloc((count + 1) * sizeof *copy);
    MUST(copy != NULL);
    memcpy(copy, word, count * sizeof *copy);
    return copy;
}

/* Second moments before a draw of subspaces (bingham.proof.md): over all subspaces what a cell holds moves by no more than
   the sum of the sizes of the eigenvalues of the change, and those of all cells by no more than the declared number of rows.
   The size of a triangle tells the coordinates, given the number of cells. */
static bool moved_within(const tac_receipt *r, const uint64_t *answer, const uint64_t *was, size_t count, int32_t cells)
{
    const size_t triangle = count / (size_t)cells;
    int32_t d = 1;
    double moved = 0, *a, *values, *vectors;

    while ((size_t)d * ((size_t)d + 1) / 2 < triangle) d++;
    if (count % (size_t)cells != 0 || (size_t)d * ((size_t)d + 1) / 2 != triangle) return false;
    a = malloc((size_t)d * (size_t)d * sizeof *a);
    values = malloc((size_t)d * sizeof *values);
    vectors = malloc((size_t)d * (size_t)d * sizeof *vectors);
    MUST(a != NULL && values != NULL && vectors != NULL);
    for (int32_t c = 0; c < cells; c++) {
        for (int32_t i = 0; i < d; i++)
            for (int32_t j = i; j < d; j++, answer++, was++) a[i * d + j] = a[j * d + i] = (double)(int64_t)(*answer - *was);
        MUST(tac_top_eigen(ctx, a, d, d, values, vectors) == TACIT_OK);
        for (int32_t i = 0; i < d; i++) moved += fabs(values[i]);
    }
    free(a), free(values), free(vectors);
    return moved <= (double)r->sensitivity * TAC_M * TAC_M * (1 + 1e-9);
}

/* Scores before labels are drawn, those of one item after the other (labels.proof.md): the differences of an item's scores move by no
   more than the declared range, all items together. */
static bool drawn_within(const tac_receipt *r, const uint64_t *answer, const uint64_t *was, size_t count)
{
    const size_t items = (size_t)r->answers, clusters = items == 0 ? 0 : count / items;
    tac_u128 moved = 0;

    for (size_t i = 0; i < items; i++) {
        int64_t most = INT64_MIN, least = INT64_MAX;
        for (size_t c = i * clusters; c < (i + 1) * clusters; c++) {
            const int64_t gap = (int64_t)(answer[c] - was[c]);
            most = gap > most ? gap : most;
            least = gap < least ? gap : least;
        }
        moved = moved + (tac_u128)(uint64_t)(most - least);
    }
    return items * clusters == count && moved <= r->sensitivity;
}

/* How far a neighbour's exact answer is away, in the norm that was paid for. */
static bool is_within(const world *w, const tac_receipt *r, const uint64_t *answer, const uint64_t *was, size_t count)
{
    tac_u128 l1 = 0, l2 = 0;
    int64_t most = INT64_MIN, least = INT64_MAX;

    for (size_t i = 0; i < count; i++) {
        const int64_t gap = (int64_t)(answer[i] - was[i]);
        const tac_u128 size = (tac_u128)(gap < 0 ? -gap : gap);
        l1 += size;
        l2 += size * size;
        if (gap > most) most = gap;
        if (gap < least) least = gap;
    }
    if (strcmp(r->kind, "parts") == 0) return true; /* noise follows a private bound, lots another coupling: test_{subspace,center}_parts.c */
    if (strcmp(r->kind, "bingham") == 0) return moved_within(r, answer, was, count, w->k);
    if (strcmp(r->kind, "gibbs") == 0) return moved_within(r, answer, was, count, 1);
    if (strcmp(r->kind, "labels") == 0) return drawn_within(r, answer, was, count);
    if (strcmp(r->kind, "selection") == 0) return (tac_u128)(most - least) <= r->sensitivity;
    return (r->law == TAC_GAUSSIAN ? l2 : l1) <= r->sensitivity;
}

static void on_exact(void *payload, const tac_receipt *r, const uint64_t *answer, size_t count)
{
    transcript *t = payload;
    asked *q = &t->query[t->at];

    MUST(t->at < MOST_QUERIES);
    if (!t->replaying) {
        q->receipt = *r;
        snprintf(q->what, sizeof q->what, "%s", r->what);
        q->exact = copy_of(answer, count);
        q->exact_words = count;
        MUST(r->batch < MOST_BATCHES);
        *(r->batch < 0 ? &t->units : &t->batch[r->batch]) += r->units;
        return;
    }
    const tac_receipt *was = &q->receipt;
    const bool same = t->at < t->count && q->exact_words == count && strcmp(was->kind, r->kind) == 0 && was->law == r->law &&
                      was->scale == r->scale && was->units == r->units && was->sensitivity == r->sensitivity &&
                      was->answers == r->answers && was->batch == r->batch && strncmp(q->what, r->what, sizeof q->what - 1) == 0;
    t->same_questions = t->same_questions && same;
    t->within = t->within && (!same || is_within(t->world, r, answer, q->exact, count));
}

static void on_noisy(void *payload, const tac_receipt *r, uint64_t *answer, size_t count)
{
    transcript *t = payload;
    asked *q = &t->query[t->at++];

    (void)r;
    if (!t->replaying) {
        q->noisy = copy_of(answer, count);
        q->noisy_words = count;
    } else if (t->at <= t->count && q->noisy_words == count) {
        memcpy(answer, q->noisy, count * sizeof *answer);
    } else {
        t->same_questions = false;
    }
}

/* What the run cost: an entry lies in one batch. */
static uint64_t units_of(const transcript *t)
{
    uint64_t dearest = 0;

    for (int b = 0; b < MOST_BATCHES; b++) dearest = t->batch[b] > dearest ? t->batch[b] : dearest;
    return t->units + dearest;
}

static void forget(transcript *t)
{
    for (int i = 0; i < MOST_QUERIES; i++) {
        free(t->query[i].exact);
        free(t->query[i].noisy);
    }
    memset(t, 0, sizeof *t);
}

/* ---- runs ---- */

typedef struct outcome {
    tacit_status status;
    char *release;      /* NULL: refused, and why */
    char message[1024];
    bool card;          /* the card tells the questions and what they cost, and that is within the budget */
} outcome;

/* The rows of a side with their domain and persons, and the budget, for a run with test seed. */
__attribute__((unused)) static void open_side(const world *w, double delta, int side, tacit_data **data, tacit_budget *budget)
{
    static double lower[WIDE], upper[WIDE];

    ctx->threads = 1 + side;
    ctx->block_bytes = side == 0 ? 1 << 18 : 1 << 12;
    if (w->sparse)
        MUST(tacit_data_from_csr(ctx, w->start[side], w->column[side], w->value[side], w->rows[side], w->dims, data) == TACIT_OK);
    else
        MUST(tacit_data_from_memory(ctx, w->value[side], TACIT_F64, w->rows[side], w->dims, data) == TACIT_OK);
    for (int32_t j = 0; j < w->dims; j++) lower[j] = -1, upper[j] = 1 + j % 7;
    MUST((w->ball ? tacit_data_set_ball(ctx, *data, NULL, 1.5) : tacit_data_set_bounds(ctx, *data, lower, upper)) == TACIT_OK);
    if (w->owned > 0) MUST(tacit_data_set_units(ctx, *data, w->unit[side], NULL) == TACIT_OK);
    tacit_budget_init(budget, sizeof *budget);
    budget->max_rows_per_unit = w->owned;
    budget->epsilon = w->epsilon;
    budget->delta = delta;
    budget->neighbours = w->neighbours;
    budget->use_insecure_test_seed = 1;
    budget->insecure_test_seed = 42;
}

/* What a caller sees of a run. Frees the model and the data. */
static void close_side(tacit_status status, tacit_model *model, tacit_data *data, const transcript *t, outcome *out)
{
    memset(out, 0, sizeof *out);
    out->status = status;
    if (status == TACIT_OK) {
        MUST(tacit_model_json(ctx, model, &out->release) == TACIT_OK);
        int64_t answers = 0, told = 0;
        for (int i = 0; i < t->at; i++) answers += t->query[i].receipt.answers;
        for (int32_t i = 0; i < model->card.queries; i++) told += model->card.query[i].answers;
        const tac_card *card = &model->card;
        const bool alone = strcmp(card->accountant, "alone") == 0; /* one question that takes the whole account */
        out->card = (alone ? card->native_spent == 1 && units_of(t) == tac_budget_units(TAC_GDP, card->epsilon, card->delta)
                           : card->native_spent == ldexp((double)units_of(t), -TAC_UNIT_BITS)) && told >= answers &&
                    model->card.native_spent <= model->card.native_budget && model->card.queries > 0;
    } else {
        snprintf(out->message, sizeof out->message, "%s", tacit_ctx_message(ctx));
    }
    tacit_model_free(model);
    tacit_data_free(data);
}

typedef struct tally {
    long pairs, refused, queries, questions, distance, release, card;
} tally;

typedef void (*run_fn)(const world *w, const void *what, int side, transcript *t, outcome *out);

static void replay(const world *w, run_fn run, const void *what, tally *sum)
{
    static transcript t;
    outcome first, second;

    t.world = w;
    run(w, what, 0, &t, &first);
    t.replaying = t.same_questions = t.within = true;
    t.count = t.at;
    t.at = 0;
    run(w, what, 1, &t, &second);
    sum->pairs++;
    sum->refused += first.release == NULL;
    sum->queries += t.count;
    sum->questions += !t.same_questions || t.count != t.at;
    sum->distance += !t.within;
    sum->release += first.status != second.status || (first.release == NULL ? strcmp(first.message, second.message) != 0
                                                                            : strcmp(first.release, second.release) != 0);
    sum->card += first.release != NULL && !(first.card && second.card);
    tacit_text_free(first.release);
    tacit_text_free(second.release);
    forget(&t);
}

static void report(const char *name, const tally *sum)
{
    CHECK(sum->questions == 0, "%s: %ld pairs, %ld questions: the same questions at the same price (%ld differ)", name, sum->pairs,
          sum->queries, sum->questions);
    CHECK(sum->distance == 0, "... exact answers within the declared sensitivity (%ld beyond)", sum->distance);
    CHECK(sum->release == 0, "... given the same noisy answers, the same release byte for byte (%ld differ)", sum->release);
    CHECK(sum->card == 0, "... the card tells what was spent, within the budget (%ld do not)", sum->card);
    /* What is refused whatever the rows and before a question is asked tells nothing; all of them: not served (yet). */
    const bool never = sum->queries == 0 && sum->refused == sum->pairs;
    CHECK(never || 2 * sum->refused < sum->pairs, "... and %s (%ld refused)%s", never ? "it is not served" : "most budgets buy an answer",
          sum->refused, never ? " # SKIP" : "");
}

#endif
