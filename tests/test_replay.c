/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbouring data, replayed: run a method on D with a probe that writes down every exact and noisy answer; run it on
   a neighbour D' and hand it D's noisy answers. Then everything a caller can see must be the same, question by
   question and in the release, and the exact answers may differ by no more than the declared sensitivity.
   Deterministic: no false alarms. */
#include "cluster/kmeans/kmeans.h"
#include "tap.h"

#include <math.h>

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

enum { MOST_ROWS = 140, MOST_DIMS = 6, MOST_QUERIES = 16, MOST_WORDS = 128, MOST_OWNED = 3 };

typedef struct world {
    int32_t dims, k, owned; /* owned: rows a unit may own; 0: rows are units */
    tacit_neighbours neighbours;
    double epsilon, delta;
    bool ball;
    int64_t rows[2];
    double value[2][MOST_ROWS * MOST_DIMS];
    int64_t unit[2][MOST_ROWS];
} world;

typedef struct transcript {
    bool replaying;
    int asked, at;
    bool same_questions, within;
    tac_receipt receipt[MOST_QUERIES];
    size_t words[MOST_QUERIES];
    uint64_t exact[MOST_QUERIES][MOST_WORDS], noisy[MOST_QUERIES][MOST_WORDS];
} transcript;

static void on_exact(void *payload, const tac_receipt *r, const uint64_t *answer, size_t count)
{
    transcript *t = payload;
    MUST(count <= MOST_WORDS && t->at < MOST_QUERIES);
    if (!t->replaying) {
        t->receipt[t->at] = *r;
        t->words[t->at] = count;
        memcpy(t->exact[t->at], answer, count * sizeof *answer);
        return;
    }
    const tac_receipt *was = &t->receipt[t->at];
    t->same_questions = t->same_questions && t->at < t->asked && t->words[t->at] == count && was->kind == r->kind &&
                        was->law == r->law && was->scale == r->scale && was->units == r->units &&
                        was->sensitivity == r->sensitivity && strcmp(was->what, r->what) == 0;
    tac_u128 l1 = 0, l2 = 0;
    for (size_t i = 0; i < count; i++) {
        const int64_t gap = (int64_t)(answer[i] - t->exact[t->at][i]);
        const tac_u128 size = (tac_u128)(gap < 0 ? -gap : gap);
        l1 += size;
        l2 += size * size;
    }
    t->within = t->within && (r->law == TAC_GAUSSIAN ? l2 : l1) <= r->sensitivity;
}

static void on_noisy(void *payload, const tac_receipt *r, uint64_t *answer, size_t count)
{
    transcript *t = payload;
    (void)r;
    if (t->replaying)
        memcpy(answer, t->noisy[t->at], count * sizeof *answer);
    else
        memcpy(t->noisy[t->at], answer, count * sizeof *answer);
    t->at++;
}

/* One run; returns its release as text. */
static char *run(const world *w, int side, transcript *t)
{
    const tac_door_probe probe = {.exact = on_exact, .noisy = on_noisy, .payload = t};
    double lower[MOST_DIMS], upper[MOST_DIMS];
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    tacit_budget budget;
    tacit_kmeans_opts opts;
    char *text = NULL;

    MUST(tacit_data_from_memory(ctx, w->value[side], TACIT_F64, w->rows[side], w->dims, &data) == TACIT_OK);
    for (int32_t j = 0; j < w->dims; j++) lower[j] = -1, upper[j] = 1 + j;
    MUST((w->ball ? tacit_data_set_ball(ctx, data, NULL, 1.5) : tacit_data_set_bounds(ctx, data, lower, upper)) == TACIT_OK);
    tacit_budget_init(&budget, sizeof budget);
    tacit_kmeans_opts_init(&opts, sizeof opts);
    if (w->owned > 0) { /* rows in memory have no unit column: give them owners by hand */
        MUST(tac_data_load(ctx, data) == TACIT_OK);
        data->reader->unit = w->unit[side];
        data->selection.unit = 0;
        data->has_units = true;
        budget.max_rows_per_unit = w->owned;
    }
    opts.method = TACIT_KMEANS_LLOYD;
    budget.epsilon = w->epsilon;
    budget.delta = w->delta;
    budget.neighbours = w->neighbours;
    budget.use_insecure_test_seed = 1;
    budget.insecure_test_seed = 42;
    opts.k = w->k;
    MUST(tac_kmeans_probed(ctx, data, &budget, &opts, false, &probe, &model) == TACIT_OK);
    MUST(tacit_model_json(ctx, model, &text) == TACIT_OK);
    tacit_model_free(model);
    if (w->owned > 0) data->reader->unit = NULL;
    tacit_data_free(data);
    return text;
}

/* Values chosen to hurt: bounds, far outside, missing, zero, halfway, or anything. */
static double nasty(void)
{
    static const double list[] = {-1, 1, 0, 1e300, -1e300, 0.5, -0.0, 1 + 1e-12, 5};
    const uint64_t pick = next() % 16;
    return pick < 9 ? list[pick] : pick == 9 ? NAN : pick == 10 ? INFINITY : 2.4 * uniform() - 1.2;
}

static void make_pair(world *w)
{
    static const int64_t sizes[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 120};
    const bool persons = next() % 3 == 0, heap = next() % 2;
    *w = (world){.dims = 1 + (int32_t)(next() % MOST_DIMS),
                 .k = 1 + (int32_t)(next() % 8),
                 .owned = persons ? 1 + (int32_t)(next() % MOST_OWNED) : 0,
                 .neighbours = next() % 2 ? TACIT_REPLACE : TACIT_ADD_REMOVE,
                 .epsilon = (double[]){0.3, 1, 8, 100}[next() % 4],
                 .delta = next() % 3 ? 1e-6 : 0,
                 .ball = next() % 4 == 0};
    const int64_t base = sizes[next() % 15];
    const int64_t d = w->dims;
    for (int64_t i = 0; i < base; i++) {
        for (int64_t j = 0; j < d; j++) /* half the time all others sit in one heap: removing one empties a cell */
            w->value[0][i * d + j] = heap ? 0.3 : nasty();
        w->unit[0][i] = (int64_t)(next() % 40);
    }
    memcpy(w->value[1], w->value[0], sizeof w->value[0]);
    memcpy(w->unit[1], w->unit[0], sizeof w->unit[0]);
    w->rows[0] = w->rows[1] = base;
    /* The unit in which they differ: one row, or a person with more rows than may count. */
    for (int side = 0; side < 2; side++) {
        if (side == 1 && w->neighbours == TACIT_ADD_REMOVE) break;
        const int64_t extra = persons ? 1 + (int64_t)(next() % 5) : 1;
        const bool corner = next() % 8 == 0; /* where rounding alone would leave the ball */
        for (int64_t i = 0; i < extra; i++) {
            for (int64_t j = 0; j < d; j++) w->value[side][w->rows[side] * d + j] = corner ? 1e300 : nasty();
            w->unit[side][w->rows[side]++] = 99;
        }
    }
    /* The newcomer must not always come last. */
    const int64_t at = (int64_t)(next() % (uint64_t)w->rows[0]), last = w->rows[0] - 1;
    for (int64_t j = 0; j < d; j++) {
        const double swap = w->value[0][at * d + j];
        w->value[0][at * d + j] = w->value[0][last * d + j];
        w->value[0][last * d + j] = swap;
    }
    const int64_t swap = w->unit[0][at];
    w->unit[0][at] = w->unit[0][last];
    w->unit[0][last] = swap;
}

int main(void)
{
    static world w;
    static transcript t;
    long bad_questions = 0, bad_distance = 0, bad_release = 0, queries = 0;
    const long pairs = tap_times(10000);

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    for (long i = 0; i < pairs; i++) {
        make_pair(&w);
        memset(&t, 0, sizeof t);
        char *first = run(&w, 0, &t);
        t.replaying = t.same_questions = t.within = true;
        t.asked = t.at;
        t.at = 0;
        char *second = run(&w, 1, &t);
        bad_questions += !t.same_questions || t.asked != t.at;
        bad_distance += !t.within;
        bad_release += strcmp(first, second) != 0;
        queries += t.asked;
        tacit_text_free(first);
        tacit_text_free(second);
    }
    CHECK(bad_questions == 0, "%ld pairs, %ld questions: the same questions at the same price (%ld differ)", pairs, queries, bad_questions);
    CHECK(bad_distance == 0, "exact answers within the declared sensitivity (%ld beyond)", bad_distance);
    CHECK(bad_release == 0, "given the same noisy answers, the same release byte for byte (%ld differ)", bad_release);
    tacit_ctx_free(ctx);
    return tap_done();
}
