/* SPDX-License-Identifier: Apache-2.0 */
/* The door under neighbors entry, attacked: brute force over all tiny tables and every step of 1,
   the distribution of drawn labels, the fast path against the slow one, what batches cost,
   refusals, independence of layout. */
#include "cluster/card.h"
#include "privacy/door_internal.h"
#include "privacy/queries/label_draw.h"
#include "privacy/run.h"
#include "privacy/noise/wide.h"
#include "statistics.h"
#include "tap.h"
#include "dice.h"
#include "narrow.h"

#define QUANTA (UINT64_C(1) << 40)

static tacit_ctx *ctx;
static uint64_t state = 20250731;

static bool says(const char *part)
{
    const bool good = strstr(tacit_ctx_message(ctx), part) != NULL;
    if (!good) printf("# message: %s\n", tacit_ctx_message(ctx));
    return good;
}

/* ---- a door over a table ---- */

enum { MOST_WORDS = 1 << 16 };

typedef struct entry_world {
    tac_counts counts;
    tac_lattice lattice; /* without rows */
    tac_accountant account;
    tac_engine engine;
    tac_key key;
    tac_door *door;
    tac_receipt receipt; /* of the last query */
    size_t words;
    uint64_t exact[MOST_WORDS];
} entry_world;

static void on_exact(void *payload, const tac_receipt *receipt, const uint64_t *answer,
                     size_t count)
{
    entry_world *w = payload;
    MUST(count <= MOST_WORDS);
    w->receipt = *receipt;
    w->words = count;
    memcpy(w->exact, answer, count * sizeof *answer);
}

/* counts: rows x columns numbers */
static void open_world(entry_world *w, const uint32_t *count, int64_t rows, int32_t columns,
                       tac_definition definition, uint64_t seed, bool probed)
{
    const tac_door_probe probe = {.exact = on_exact, .payload = w};
    int64_t entries = 0;

    memset(w, 0, offsetof(entry_world, exact));
    w->counts = (tac_counts){.rows = rows, .columns = columns};
    w->counts.start = malloc(((size_t)rows + 1) * sizeof *w->counts.start);
    w->counts.column = malloc(((size_t)(rows * columns) + 1) * sizeof *w->counts.column);
    w->counts.count = malloc(((size_t)(rows * columns) + 1) * sizeof *w->counts.count);
    MUST(w->counts.start != NULL && w->counts.column != NULL && w->counts.count != NULL);
    w->counts.start[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        for (int32_t j = 0; j < columns; j++) {
            if (count[i * columns + j] == 0) continue;
            w->counts.column[entries] = j;
            w->counts.count[entries++] = count[i * columns + j];
        }
        w->counts.start[i + 1] = entries;
    }
    w->account = (tac_accountant){.definition = definition, .budget = UINT64_C(1) << 62};
    tac_engine_threads(ctx, &w->engine);
    tac_key_from_insecure_seed(seed, &w->key);
    MUST(tac_door_open(ctx, &w->engine, &w->lattice, TACIT_ENTRY, 1, &w->account, &w->key,
                       &w->door) == TACIT_OK);
    tac_door_counts(w->door, &w->counts);
    if (probed) tac_door_set_probe(w->door, &probe);
}

static void close_world(entry_world *w)
{
    tac_door_close(w->door);
    free(w->counts.start), free(w->counts.column), free(w->counts.count);
}

/* ---- brute force: tables ---- */

/* 2 x 2 tables with counts 0 .. 2, and labels -1, 0, 1 of two rows and two columns */
enum { SMALL = 81, LABELLINGS = 81 };

static void small_table(int number, uint32_t *count)
{
    for (int e = 0; e < 4; e++, number /= 3) count[e] = (uint32_t)(number % 3);
}

static void small_labels(int number, int32_t *row, int32_t *column)
{
    for (int e = 0; e < 4; e++, number /= 3) (e < 2 ? row : column)[e % 2] = number % 3 - 1;
}

static void brute_tables(void)
{
    static uint64_t answer[5][LABELLINGS][4];
    static entry_world w;
    bool right = true, within = true;
    long moved = 0, stood = 0;

    for (int number = 0; number < SMALL; number++) {
        for (int step = 0; step < 5; step++) { /* the table itself, and 1 more in each entry */
            uint32_t count[4];
            small_table(number, count);
            if (step > 0) count[step - 1]++;
            open_world(&w, count, 2, 2, TAC_PURE, 1, true);
            for (int l = 0; l < LABELLINGS; l++) {
                int32_t row[2], column[2];
                int64_t noisy[4];
                uint64_t hand[4] = {0};
                small_labels(l, row, column);
                const tac_table t = {
                    .batch = -1, .row_label = row, .column_label = column, .k = 2, .l = 2};
                MUST(tac_door_table(w.door, "test", QUANTA, &t, noisy) == TACIT_OK && w.words == 4);
                for (int e = 0; e < 4; e++)
                    if (row[e / 2] >= 0 && column[e % 2] >= 0)
                        hand[2 * row[e / 2] + column[e % 2]] += (uint64_t)count[e]
                                                                << TAC_COUNT_GRID;
                memcpy(answer[step][l], w.exact, sizeof hand);
                right = right && memcmp(hand, w.exact, sizeof hand) == 0;
                if (step == 0) continue;
                tac_u128 l1 = 0, l2 = 0;
                for (int c = 0; c < 4; c++) {
                    const int64_t gap = (int64_t)(w.exact[c] - answer[0][l][c]);
                    const tac_u128 size = (tac_u128)(gap < 0 ? -gap : gap);
                    l1 += size;
                    l2 += size * size;
                }
                const tac_sensitivity s = tac_sensitivity_table();
                within = within && w.receipt.sensitivity == s.l1 &&
                         ((l1 == 0 && l2 == 0) || (l1 == s.l1 && l2 == s.l2_squared));
                moved += l1 == s.l1;
                stood += l1 == 0;
            }
            close_world(&w);
        }
    }
    CHECK(right, "tables of all 2 x 2 tables under all labels are those added up by hand");
    CHECK(within && moved == 81 * 4 * 36 && stood == 81 * 4 * 45, "one step moves one cell by 1, "
                                                                  "or none where its row or column "
                                                                  "is left out");
}

/* ---- brute force: labels ---- */

typedef struct odds_seen {
    bool right, within;
    double most; /* the largest range of log-odds in units of epsilon */
    double sure; /* the largest |log-odds| */
} odds_seen;

/* Largest range and size over labels of ln P / P' of one item with these scores */
static void odds(const int64_t *u, const int64_t *v, int32_t clusters, long double epsilon,
                 double *range, double *size)
{
    long double zu = 0, zv = 0, most = -1e30L, least = 1e30L;

    for (int32_t c = 0; c < clusters; c++) {
        zu += expl(epsilon * (long double)(u[c] - u[0]));
        zv += expl(epsilon * (long double)(v[c] - v[0]));
    }
    for (int32_t c = 0; c < clusters; c++) {
        const long double r = epsilon * (long double)(u[c] - u[0]) - logl(zu) -
                              epsilon * (long double)(v[c] - v[0]) + logl(zv);
        most = r > most ? r : most;
        least = r < least ? r : least;
    }
    *range = (double)(most - least);
    *size = (double)(most > -least ? most : -least);
}

/* All tables and steps for one table of scores. */
static void brute_scores(const int32_t *score, int32_t clusters, bool columns, odds_seen *seen)
{
    static entry_world w;
    static uint64_t before[9][64];

    for (int number = 0; number < SMALL; number++)
        for (int step = 0; step < 5; step++) {
            uint32_t count[4];
            small_table(number, count);
            if (step > 0) count[step - 1]++;
            open_world(&w, count, 2, 2, TAC_PURE, 1, true);
            for (int l = 0; l < 9; l++) {
                const int32_t other[2] = {l % 3 - 1, l / 3 - 1};
                int32_t label[2] = {-7, -7};
                const tac_draw_labels d = {.columns = columns,
                                           .batch = -1,
                                           .other_label = other,
                                           .others = 2,
                                           .score = score,
                                           .clusters = clusters};
                MUST(tac_door_labels(w.door, "test", QUANTA << 9, &d, label) == TACIT_OK);
                const int64_t *u = (const int64_t *)w.exact;
                seen->right = seen->right && w.words == 2 * (size_t)clusters &&
                              w.receipt.answers == 2 && w.receipt.scale != 0 && label[0] >= 0 &&
                              label[0] < clusters && label[1] >= 0 && label[1] < clusters;
                for (int item = 0; item < 2; item++)
                    for (int32_t c = 0; c < clusters; c++) {
                        int64_t hand = 0;
                        for (int o = 0; o < 2; o++)
                            if (other[o] >= 0)
                                hand += (int64_t)count[columns ? 2 * o + item : 2 * item + o] *
                                        score[2 * c + other[o]];
                        seen->right = seen->right && hand == u[item * clusters + c];
                    }
                if (step == 0) memcpy(before[l], w.exact, w.words * sizeof *w.exact);
                if (step == 0) continue;
                const long double epsilon =
                    ldexpl((long double)w.receipt.scale, -TAC_SELECTION_BITS);
                double range[2], size[2];
                for (int item = 0; item < 2; item++)
                    odds(u + item * clusters, (const int64_t *)before[l] + item * clusters,
                         clusters,
                         w.receipt.sensitivity == 0 ? 0
                                                    : epsilon / (long double)w.receipt.sensitivity,
                         &range[item], &size[item]);
                /* Both items together: their labels are independent, so ranges and sizes add up. */
                const double r = (range[0] + range[1]) / (double)epsilon,
                             s = (size[0] + size[1]) / (double)epsilon;
                seen->within = seen->within && r <= 1 + 1e-12 && s <= 1 + 1e-12;
                seen->most = r > seen->most ? r : seen->most;
                seen->sure = s > seen->sure ? s : seen->sure;
            }
            close_world(&w);
        }
}

static void brute_labels(void)
{
    static const int32_t scores[][6] = {
        /* 3 clusters x 2 other labels */
        {1, 0, 0, 1, 0, 0},
        {5, -3, 2, 9, -4, 0},
        {TAC_SCORE_MOST, -TAC_SCORE_MOST, -TAC_SCORE_MOST, TAC_SCORE_MOST, 0, 0},
        {-5, -5, -9, -5, -6, -6},
        {100, 1, 100, 2, 100, 1}};
    odds_seen seen = {.right = true, .within = true};

    for (size_t s = 0; s < sizeof scores / sizeof *scores; s++)
        for (int columns = 0; columns < 2; columns++) {
            odds_seen one = {.right = true, .within = true};
            brute_scores(scores[s], 3, columns, &one);
            if (one.most < 1 - 1e-9) printf("# scores %zu reach %.6f\n", s, one.most);
            seen.right = seen.right && one.right;
            seen.within = seen.within && one.within && one.most >= 1 - 1e-9;
            seen.sure = one.sure > seen.sure ? one.sure : seen.sure;
        }
    CHECK(seen.right, "scores of rows and columns are those added up by hand");
    CHECK(seen.within, "Eq. 4.10: one step moves the log-odds of all labels within epsilon, and "
                       "for every table of scores by just epsilon");
    CHECK(seen.sure > 0.5, "sizes of log-odds come near it too (%.3f)", seen.sure);
}

/* ---- the draw itself ---- */

static long double true_weight(const tac_label_distribution *distribution, uint64_t gap)
{
    return expl(-ldexpl((long double)distribution->epsilon, -TAC_SELECTION_BITS) *
                (long double)gap / (long double)distribution->range);
}

static void weights(void)
{
    long double most = 0;
    bool known = true;

    for (long i = 0; i < tap_times(200000); i++) {
        tac_label_distribution distribution;
        const uint64_t epsilon = 1 + (next() >> (22 + next() % 42)),
                       range = 1 + (next() >> (43 + next() % 21));
        tac_label_distribution_set(epsilon > TAC_SELECTION_MOST ? TAC_SELECTION_MOST : epsilon,
                                   range, &distribution);
        known = known && distribution.step >> 63 == 1;
        uint64_t gap = next() >> (1 + next() % 63);
        if (i % 2) { /* somewhere in 0 .. 70 */
            const long double g = 70 * (long double)(next() >> 11) / 9007199254740992.0L /
                                  ldexpl((long double)distribution.epsilon, -30) *
                                  (long double)distribution.range;
            gap = g < 0x1p62L ? (uint64_t)g : gap;
        }
        const long double error = fabsl(ldexpl(true_weight(&distribution, gap), TAC_WEIGHT_BITS) -
                                        (long double)tac_label_weight(&distribution, gap));
        most = error > most ? error : most;
    }
    /* long double has 64 bits: it is off by up to 70 2^-63 itself, nothing in units of 2^-51 */
    CHECK(known && most <= TAC_WEIGHT_ERROR / 2,
          "weights are within half of the bound that is proved (%.1Lf of %d)", most,
          TAC_WEIGHT_ERROR);
}

/* Fast and slow agree wherever the fast one speaks; near the borders it does not. */
static void fast_and_slow(void)
{
    enum { MOST = 9 };
    long spoke = 0, silent = 0, border = 0;
    bool same = true;
    tac_key key;
    tac_stream stream;

    tac_key_from_insecure_seed(5, &key);
    MUST(tac_stream_open(ctx, &key, 0, 0, &stream) == TACIT_OK);
    for (long i = 0; i < tap_times(4000); i++) {
        tac_label_distribution distribution;
        int64_t u[MOST];
        uint64_t weight[MOST], scratch[MOST];
        const int32_t count = 2 + (int32_t)(next() % (MOST - 1));
        const uint64_t range = 1 + next() % 2000;
        tac_label_distribution_set(1 + (next() >> 30), range, &distribution);
        for (int c = 0; c < count; c++) u[c] = (int64_t)(next() % (1 + range * 3)) - 500;
        const uint64_t any = next();
        int32_t fast = tac_label_draw(&distribution, u, count, any, weight);
        if (fast >= 0) {
            spoke++;
            same = same && fast == tac_label_settle(&distribution, u, count, any, &stream);
        }
        /* the words about each border, by the sums of the fast path */
        const int32_t at = (int32_t)(next() % (uint64_t)(count - 1));
        const uint64_t edge = (uint64_t)(((tac_u128)weight[at] << 64) / weight[count - 1]);
        if (edge >> 63 == 0 && edge == 0) continue;
        for (int k = -3; k <= 3; k++) {
            const uint64_t head =
                edge + (uint64_t)((int64_t)k * ((int64_t)1 << (14 + 6 * (next() % 4))));
            fast = tac_label_draw(&distribution, u, count, head, scratch);
            silent += fast < 0;
            border++;
            if (fast >= 0)
                same = same && fast == tac_label_settle(&distribution, u, count, head, &stream);
        }
    }
    CHECK(same && spoke == tap_times(4000),
          "the fast path speaks in %ld of %ld draws and always as the slow one does", spoke,
          tap_times(4000));
    CHECK(silent > border / 8 && silent < border, "and at the borders it asks (%ld of %ld)", silent,
          border);
    tac_stream_close(&stream);
}

/* exact probabilities of the distribution */
static void distribution_of(const int64_t *u, int32_t count, double per_unit, double *p)
{
    double z = 0, most = -1e300;

    for (int c = 0; c < count; c++) most = (double)u[c] > most ? (double)u[c] : most;
    for (int c = 0; c < count; c++) z += p[c] = exp(((double)u[c] - most) * per_unit);
    for (int c = 0; c < count; c++) p[c] /= z;
}

static void slow_distribution(void)
{
    const int64_t u[5] = {0, 3, -2, 7, 7};
    const long draws = tap_times(20000);
    int64_t seen[5] = {0};
    double p[5];
    tac_label_distribution distribution;
    tac_key key;
    tac_stream stream;

    tac_key_from_insecure_seed(6, &key);
    MUST(tac_stream_open(ctx, &key, 0, 0, &stream) == TACIT_OK);
    tac_label_distribution_set(UINT64_C(3) << (TAC_SELECTION_BITS - 1), 7, &distribution);
    for (long i = 0; i < draws; i++) {
        const uint64_t head = tac_word(&stream);
        seen[tac_label_settle(&distribution, u, 5, head, &stream)]++;
    }
    distribution_of(u, 5, 1.5 / 7, p);
    const double z = fit_z(seen, p, 5, (double)draws);
    CHECK(fabs(z) < ALARM, "the slow path has the distribution (z %.2f, alarm once in 10^6)", z);
    tac_stream_close(&stream);
}

/* Labels through the door: many equal items. */
static void distribution_through_door(void)
{
    enum { ITEMS = 40000 };
    static const uint32_t row[3] = {2, 0, 5};
    static const int32_t other[3] = {0, 1, 2};
    static entry_world w;
    static int32_t label[ITEMS];
    uint32_t *count = malloc((size_t)ITEMS * 3 * sizeof *count);

    MUST(count != NULL);
    for (int way = 0; way < 6; way++) {
        const bool columns = way % 2;
        const int32_t clusters = way < 4 ? 3 : 8;
        int32_t score[8 * 3];
        int64_t u[8], seen[8] = {0};
        double p[8];
        for (int i = 0; i < clusters * 3; i++) score[i] = (int32_t)(next() % 21) - 10;
        if (way < 2) memset(score, 0, sizeof score); /* range 0 */
        for (int c = 0; c < clusters; c++) u[c] = 2 * score[3 * c] + 5 * score[3 * c + 2];
        for (int i = 0; i < ITEMS; i++)
            for (int j = 0; j < 3; j++) count[columns ? j * ITEMS + i : 3 * i + j] = row[j];
        open_world(&w, count, columns ? 3 : ITEMS, columns ? ITEMS : 3,
                   way < 4 ? TAC_PURE : TAC_GDP, 77 + (uint64_t)way, false);
        const tac_draw_labels d = {.columns = columns,
                                   .batch = -1,
                                   .other_label = other,
                                   .others = 3,
                                   .score = score,
                                   .clusters = clusters};
        MUST(tac_door_labels(w.door, "test", UINT64_C(1) << (TAC_QUANTUM_BITS - 1), &d, label) ==
             TACIT_OK);
        const tac_receipt *r = tac_door_receipt(w.door, 0);
        for (int i = 0; i < ITEMS; i++) seen[label[i]]++;
        distribution_of(
            u, clusters,
            way < 2 ? 0 : ldexp((double)r->scale, -TAC_SELECTION_BITS) / (double)r->sensitivity, p);
        const double z = fit_z(seen, p, clusters, ITEMS);
        CHECK(fabs(z) < ALARM && r->quanta == tac_cost_selection(w.account.definition, r->scale) &&
                  w.account.spent == r->quanta,
              "%d labels of %s follow the distribution (z %.2f, alarm once in 10^6) at its price%s",
              clusters, columns ? "columns" : "rows", z, way < 2 ? ", scores alike" : "");
        close_world(&w);
    }
    free(count);
}

/* ---- layout ---- */

static void layout(void)
{
    enum { ROWS = 1500, COLUMNS = 1100, OTHERS = 5, CLUSTERS = 4 };
    static entry_world w;
    static int32_t rows[ROWS], columns[COLUMNS], first[2][ROWS], now[2][ROWS],
        score[CLUSTERS * OTHERS];
    static int64_t table[2][OTHERS * OTHERS];
    uint32_t *count = calloc((size_t)ROWS * COLUMNS, sizeof *count);
    bool same = true, own = true;
    int changed = 0;

    MUST(count != NULL);
    for (int i = 0; i < ROWS * 40; i++)
        count[next() % ((uint64_t)ROWS * COLUMNS)] = 1 + (uint32_t)(next() % 4);
    for (int i = 0; i < ROWS; i++) rows[i] = (int32_t)(next() % (OTHERS + 1)) - 1;
    for (int j = 0; j < COLUMNS; j++) columns[j] = (int32_t)(next() % (OTHERS + 1)) - 1;
    for (int i = 0; i < CLUSTERS * OTHERS; i++) score[i] = (int32_t)(next() % 50);
    for (int way = 0; way < 7; way++) {
        ctx->threads = way % 3 + 1;
        ctx->block_bytes = way < 3 ? 1 << 18 : 16;
        if (way == 6) count[700 * COLUMNS + 600] += 1; /* a neighbor, given the same words */
        open_world(&w, count, ROWS, COLUMNS, TAC_PURE, 9, false);
        const tac_table t = {
            .batch = -1, .row_label = rows, .column_label = columns, .k = OTHERS, .l = OTHERS};
        const tac_draw_labels r = {.batch = -1,
                                   .other_label = columns,
                                   .others = OTHERS,
                                   .score = score,
                                   .clusters = CLUSTERS};
        const tac_draw_labels c = {.columns = true,
                                   .batch = -1,
                                   .other_label = rows,
                                   .others = OTHERS,
                                   .score = score,
                                   .clusters = CLUSTERS};
        MUST(tac_door_table(w.door, "t", QUANTA << 8, &t, table[way > 0]) == TACIT_OK);
        MUST(tac_door_labels(w.door, "r", QUANTA << 8, &r, (way > 0 ? now : first)[0]) == TACIT_OK);
        MUST(tac_door_labels(w.door, "c", QUANTA << 8, &c, (way > 0 ? now : first)[1]) == TACIT_OK);
        close_world(&w);
        if (way == 0) continue;
        if (way < 6) {
            same = same && memcmp(table[0], table[1], sizeof table[0]) == 0 &&
                   memcmp(first, now, sizeof first) == 0;
            continue;
        }
        for (int i = 0; i < ROWS; i++) {
            own = own && (i == 700 || first[0][i] == now[0][i]) &&
                  (i == 600 || first[1][i] == now[1][i]);
            changed += first[0][i] != now[0][i];
        }
    }
    CHECK(same, "threads and blocks do not show in tables and labels");
    CHECK(own, "another count changes no other item's draw (%d of its own)", changed);
    ctx->threads = 1;
    ctx->block_bytes = 1 << 18;
    free(count);
}

/* ---- batches ---- */

enum { BATCH_ROWS = 12, BATCHES = 4 };
static const int32_t batch_score[4] = {1, 0, 0, 1};

static tac_draw_labels draw_of(bool columns, int32_t which, const int32_t *other_label)
{
    return (tac_draw_labels){.columns = columns,
                             .batch = which,
                             .other_label = other_label,
                             .others = 2,
                             .score = batch_score,
                             .clusters = 2};
}

/* The most that one of the batches a query is about has spent. */
static uint64_t most_of(const uint64_t *spent, int32_t which)
{
    uint64_t most = 0;
    for (int c = 0; c < BATCHES; c++)
        if ((which < 0 || which == c) && spent[c] > most) most = spent[c];
    return most;
}

/* All counts of a table are those of the batch's rows. */
static bool sum_agrees(const entry_world *w, int32_t which, const uint32_t *count,
                       const int32_t *batch)
{
    uint64_t total = 0, hand = 0;
    for (int i = 0; i < BATCH_ROWS; i++)
        for (int j = 0; j < 3 && (which < 0 || batch[i] == which); j++)
            hand += (uint64_t)count[3 * i + j] << TAC_COUNT_GRID;
    for (size_t c = 0; c < 4; c++) total += w->exact[c];
    return total == hand;
}

/* Scores of columns that are not sums over the batch's rows. */
static long foreign_scores(const entry_world *w, const tac_receipt *r, const uint32_t *count,
                           const int32_t *batch, const int32_t *rows)
{
    long foreign = 0;
    for (int j = 0; j < 3; j++)
        for (int c = 0; c < 2; c++) {
            int64_t u = 0;
            for (int i = 0; i < BATCH_ROWS; i++)
                if (r->batch < 0 || batch[i] == r->batch)
                    u += (int64_t)count[3 * i + j] * batch_score[2 * c + rows[i]];
            foreign += r->answers != 3 || (int64_t)w->exact[2 * j + c] != u;
        }
    return foreign;
}

static void batches(void)
{
    enum { ROWS = BATCH_ROWS };
    static entry_world w;
    static uint32_t count[ROWS * 3];
    int32_t batch[ROWS], rows[ROWS], columns[3] = {0, 1, 1}, label[ROWS];
    int64_t answer[4];
    bool sums = true, receipts = true, refused = true, apart = true;
    long refusals = 0, asked = 0, drawn = 0, foreign = 0;

    for (int i = 0; i < ROWS * 3; i++) count[i] = (uint32_t)(next() % 5);
    for (int i = 0; i < ROWS; i++) batch[i] = i % BATCHES, rows[i] = i / 4 % 2;
    for (int definition = 0; definition < 2; definition++) {
        open_world(&w, count, ROWS, 3, definition ? TAC_GDP : TAC_PURE, 3, true);
        uint64_t spent[BATCHES] = {0}, most = 0;
        w.account.budget = QUANTA * 100;
        MUST(tac_door_batches(w.door, batch, BATCHES) == TACIT_OK);
        for (int q = 0; q < 600; q++) {
            const int32_t b = (int32_t)(next() % (BATCHES + 4)) - 4,
                          which = b < -1 ? q % 3 == 0 ? -1 : 0 : b;
            const uint64_t quanta = QUANTA * (1 + next() % 5);
            const tac_table t = {
                .batch = which, .row_label = rows, .column_label = columns, .k = 2, .l = 2};
            const bool by_column = q % 4 == 2; /* even queries draw labels */
            const tac_draw_labels d = draw_of(by_column, which, by_column ? rows : columns);
            const bool table = q % 2;
            for (int i = 0; i < ROWS; i++) label[i] = -9;
            const tacit_status status = table ? tac_door_table(w.door, "t", quanta, &t, answer)
                                              : tac_door_labels(w.door, "l", quanta, &d, label);
            if (status != TACIT_OK) {
                refusals++;
                /* only where the batch has no room left, and nothing moves */
                refused = refused &&
                          most_of(spent, which) + quanta > w.account.budget - QUANTA / 4 &&
                          w.account.spent == most && tac_door_asked(w.door) == asked &&
                          says("reserved budget");
                continue;
            }
            const tac_receipt *r = tac_door_receipt(w.door, (int32_t)asked++);
            for (int c = 0; c < BATCHES; c++) {
                if (which < 0 || which == c) spent[c] += r->quanta;
                most = spent[c] > most ? spent[c] : most;
            }
            sums = sums && w.account.spent == most && most <= w.account.budget &&
                   tac_door_left(w.door) == w.account.budget - most;
            receipts = receipts && r->batch == which && r->quanta > 0 && r->quanta <= quanta;
            for (int i = 0; i < ROWS && !table && !d.columns; i++)
                apart = apart && (label[i] == -9) == !(which < 0 || batch[i] == which) &&
                        r->answers == (which < 0 ? ROWS : ROWS / BATCHES);
            if (!table && d.columns) {
                drawn += 6;
                foreign += foreign_scores(&w, r, count, batch, rows);
            }
            apart = apart && (!table || sum_agrees(&w, which, count, batch));
        }
        uint64_t together = 0;
        for (int c = 0; c < BATCHES; c++) together += spent[c];
        CHECK(sums && receipts,
              "%s: after every query the account holds the most expensive batch's sum, exactly",
              definition ? "Gaussian" : "pure");
        CHECK(refusals > 20 && refused,
              "... refused only where a batch has too little left, and then nothing is charged "
              "(%ld)",
              refusals);
        CHECK(apart && together > 2 * w.account.spent,
              "... answers are about the batch's rows alone; batches together spent %.1f budgets",
              (double)together / (double)w.account.budget);
        CHECK(foreign == 0 && drawn > 100,
              "... columns are drawn by the counts of the batch's rows alone (%ld of %ld scores "
              "are others)",
              foreign, drawn);
        close_world(&w);
        refusals = asked = drawn = foreign = 0;
    }
}

/* ---- refusals ---- */

static bool nothing_spent(const entry_world *w)
{
    return w->account.spent == 0 && tac_door_asked(w->door) == 0;
}

static void refusals(void)
{
    static const uint32_t count[4] = {1, 2, 3, 4};
    static entry_world w;
    int32_t label[2] = {0, 1}, bad[2] = {0, 2}, low[2] = {-2, 0}, batch[2] = {0, 1};
    int32_t score[4] = {1, 0, 0, 1}, large[4] = {1, 0, 0, TAC_SCORE_MOST + 1},
            small[4] = {1, 0, 0, -TAC_SCORE_MOST - 1};
    int64_t answer[16];
    tac_table t = {.batch = -1, .row_label = label, .column_label = label, .k = 2, .l = 2};
    tac_draw_labels d = {
        .batch = -1, .other_label = label, .others = 2, .score = score, .clusters = 2};
#define REFUSED(call, what) CHECK((call) == TACIT_E_INTERNAL && nothing_spent(&w), what)

    open_world(&w, count, 2, 2, TAC_PURE, 1, false);
    t.row_label = bad;
    REFUSED(tac_door_table(w.door, "t", QUANTA, &t, answer), "a row label that there is not");
    t.row_label = label, t.column_label = low;
    REFUSED(tac_door_table(w.door, "t", QUANTA, &t, answer), "a column label that there is not");
    t.column_label = label, t.batch = 0;
    REFUSED(tac_door_table(w.door, "t", QUANTA, &t, answer), "a batch where there are none");
    t.batch = -1, t.k = 0;
    REFUSED(tac_door_table(w.door, "t", QUANTA, &t, answer), "a table without rows");
    t.k = 2;
    d.other_label = bad;
    REFUSED(tac_door_labels(w.door, "l", QUANTA, &d, label), "labels by a label that there is not");
    d.columns = true;
    REFUSED(tac_door_labels(w.door, "l", QUANTA, &d, label), "... columns too");
    d.other_label = label, d.score = large;
    REFUSED(tac_door_labels(w.door, "l", QUANTA, &d, label), "a score that is too large");
    d.score = small;
    REFUSED(tac_door_labels(w.door, "l", QUANTA, &d, label), "... or too small");
    d.score = score, d.clusters = 4097;
    REFUSED(tac_door_labels(w.door, "l", QUANTA, &d, label), "too many labels");
    d.clusters = 2;
    REFUSED(tac_door_batches(w.door, bad, 2), "a row in no batch");
    REFUSED(tac_door_batches(w.door, batch, 0), "no batches");
    CHECK(tac_door_labels(w.door, "l", 0, &d, label) != TACIT_OK &&
              tac_door_table(w.door, "t", 0, &t, answer) != TACIT_OK && nothing_spent(&w),
          "nothing is to be had for nothing");
    CHECK(tac_door_rows(w.door) == 2, "the number of rows is public");
    MUST(tac_door_batches(w.door, batch, 2) == TACIT_OK);
    REFUSED(tac_door_batches(w.door, batch, 2), "batches are made once");
    t.batch = 2;
    REFUSED(tac_door_table(w.door, "t", QUANTA, &t, answer), "a third batch of two");
    close_world(&w);

    open_world(&w, count, 2, 2, TAC_PURE, 1, false);
    t.batch = -1;
    MUST(tac_door_table(w.door, "t", QUANTA, &t, answer) == TACIT_OK);
    CHECK(tac_door_batches(w.door, batch, 2) == TACIT_E_INTERNAL, "and before the first query");
    close_world(&w);
}

/* Row queries of a door whose rows were never placed: refused before they cost anything. */
static void unplaced(void)
{
    static const uint32_t count[4] = {1, 2, 3, 4};
    static entry_world w;
    static int64_t a[64], b[64], c[64];
    static int16_t points[64], drawn_bases[64];
    static tac_cube cube[4];
    const int32_t zero[4] = {0};
    const double radius[4] = {1, 1, 1, 1}, edge[4] = {1, 2, 3, 4};
    int32_t out, in;
    const tac_cells one = {.kind = TAC_ONE_CELL, .count = 1},
                    near = {.kind = TAC_NEAREST, .count = 2, .centers = points};
    const tac_local local = {.centers = points, .radius = radius};
    const tac_local_parts parts = {.count = 1, .sum = 1};
    const tac_slice slice = {.axis = 0, .low = 0, .high = 1};
    const tac_cubes cubes = {
        .shift = zero, .active = zero, .count = 1, .threshold = INT64_C(1) << 40, .most = 4};
    const tac_bingham bingham = {.cells = &one, .rank = 1};
    const tac_gibbs gibbs = {.k = 1, .rank = 1, .rounds = 1, .chains = 1};
    const tac_parts plan = {.points = true, .k = 1, .q = 1, .parts = 3, .restarts = 1};
    const tac_choice choice = {.candidates = points, .m = 2, .k = 1};
    const tac_swap swap = {.centers = points, .k = 1, .candidates = points, .m = 1};
    tac_gibbs_draw drawn = {.bases = drawn_bases};

    for (int view = 0; view < 2; view++)
        for (int definition = 0; definition < 2; definition++) {
            open_world(&w, count, 2, 2, definition ? TAC_GDP : TAC_PURE, 1, false);
            tac_door *door = w.door;
            tac_cells o = one, n = near;
            tac_choice ch = choice;
            tac_swap sw = swap;
            tac_cubes cu = cubes;
            o.view = n.view = ch.view = sw.view = cu.view = (tac_view)view;
            const tacit_status status[] = {
                tac_door_count(door, "q", QUANTA, a),
                tac_door_histogram(door, "q", QUANTA, &n, a),
                tac_door_sums(door, "q", QUANTA, &o, (tac_view)view, 1, a, b),
                narrow_moments(door, "q", QUANTA, &o, (tac_view)view, a),
                narrow_fourth(door, "q", QUANTA, (tac_view)view, a),
                tac_door_choose_subspaces(door, "q", QUANTA, (tac_view)view, points, 1, 1, 1, &out),
                tac_door_bingham(door, "q", QUANTA, &bingham, drawn_bases),
                tac_door_gibbs(door, "q", QUANTA, &gibbs, &drawn),
                narrow_local(door, "q", QUANTA, &n, &local, &parts, a, b, c),
                tac_door_distances(door, "q", QUANTA, &n, &local, edge, 3, a),
                tac_door_projections(door, "q", QUANTA, &n, &local, points, 3, a),
                tac_door_slices(door, "q", QUANTA, &n, &slice, 3, a),
                tac_door_draw(door, "q", QUANTA, points, 1, a),
                tac_door_cubes(door, "q", QUANTA << 9, &cu, cube, &out),
                tac_door_parts(door, "q", &plan, a),
                tac_door_choose(door, "q", QUANTA, &ch, &out),
                tac_door_swap(door, "q", QUANTA, &sw, &out, &in)};
            int answered = 0;
            for (size_t i = 0; i < sizeof status / sizeof *status; i++) {
                if (status[i] == TACIT_OK) printf("# query %zu was answered\n", i);
                answered += status[i] == TACIT_OK;
            }
            CHECK(answered == 0 && nothing_spent(&w),
                  "rows that were never placed: all %zu queries are refused, nothing is spent",
                  sizeof status / sizeof *status);
            close_world(&w);
        }
}

/* Without neighbors entry there are no counts. */
static void other_relations(void)
{
    static const uint32_t count[4] = {1, 2, 3, 4};
    static entry_world w;
    tac_door *door = NULL;
    int64_t answer[4];
    int32_t label[2] = {0, 1};
    const tac_table t = {.batch = -1, .row_label = label, .column_label = label, .k = 2, .l = 2};

    open_world(&w, count, 2, 2, TAC_PURE, 1, false);
    for (int n = 0; n < 2; n++) {
        MUST(tac_door_open(ctx, &w.engine, &w.lattice, n ? TACIT_REPLACE : TACIT_ADD_REMOVE, 1,
                           &w.account, &w.key, &door) == TACIT_OK);
        tac_door_counts(door, &w.counts);
        CHECK(tac_door_rows(door) == -1 &&
                  tac_door_table(door, "t", QUANTA, &t, answer) == TACIT_E_INTERNAL &&
                  tac_door_batches(door, label, 2) == TACIT_E_INTERNAL,
              "under %s a door has no counts, no batches and no public number of rows",
              n ? "replace" : "add-remove");
        tac_door_close(door);
    }
    CHECK(tac_door_open(ctx, &w.engine, &w.lattice, TACIT_ENTRY, 2, &w.account, &w.key, &door) ==
              TACIT_E_ARGUMENT,
          "entry has no rows per unit");
    CHECK(tac_door_open(ctx, &w.engine, &w.lattice, (tacit_neighbors)3, 1, &w.account, &w.key,
                        &door) == TACIT_E_ARGUMENT,
          "nor is there a fourth");
    close_world(&w);
}

/* One entry changes one row: every query about rows is as expensive as under replace. */
static void as_replace(void)
{
    bool same = true;
    const tac_local_parts parts = {.count = 3, .sum = 2, .moments = true};

    for (int definition = 0; definition < 3; definition++) {
        const tac_privacy_params e = {(tac_definition)definition, TACIT_ENTRY, 1},
                                 r = {(tac_definition)definition, TACIT_REPLACE, 1};
        same = same && tac_quote_count(&e, QUANTA) == tac_quote_count(&r, QUANTA) &&
               tac_quote_histogram(&e, QUANTA) == tac_quote_histogram(&r, QUANTA) &&
               tac_quote_sums(&e, 7, 5, QUANTA) == tac_quote_sums(&r, 7, 5, QUANTA) &&
               tac_quote_moments(&e, 7, QUANTA) == tac_quote_moments(&r, 7, QUANTA) &&
               tac_quote_fourth(&e, 7, QUANTA) == tac_quote_fourth(&r, 7, QUANTA) &&
               tac_quote_local(&e, 7, &parts, QUANTA) == tac_quote_local(&r, 7, &parts, QUANTA) &&
               tac_quote_bingham(&e, 2, true, QUANTA) == tac_quote_bingham(&r, 2, true, QUANTA) &&
               tac_quote_cubes(&e, QUANTA) == tac_quote_cubes(&r, QUANTA);
    }
    same = same && tac_range_selection(TACIT_ENTRY, 1) == tac_range_selection(TACIT_REPLACE, 1) &&
           tac_range_subspaces(TACIT_ENTRY, 1) == tac_range_subspaces(TACIT_REPLACE, 1) &&
           tac_range_distances(TACIT_ENTRY, 1) == tac_range_distances(TACIT_REPLACE, 1) &&
           tac_range_squares(TACIT_ENTRY, 1) == tac_range_squares(TACIT_REPLACE, 1);
    CHECK(same, "queries about rows cost under entry what they cost under replace");
}

/* ---- sizes ---- */

static void sizes(void)
{
    enum { COLUMNS = 2047 };
    static entry_world w;
    static uint32_t count[COLUMNS];
    static int32_t columns[COLUMNS], label[COLUMNS];
    const int32_t row = 0, score[2] = {TAC_SCORE_MOST, -TAC_SCORE_MOST};
    int64_t answer;

    for (int j = 0; j < COLUMNS; j++) count[j] = INT32_MAX;
    for (int n = 0; n < 2; n++) {
        open_world(&w, count, 1, COLUMNS, TAC_PURE, 1, true);
        const tac_table t = {
            .batch = -1, .row_label = &row, .column_label = columns, .k = 1, .l = 1};
        MUST(tac_door_table(w.door, "t", QUANTA, &t, &answer) == TACIT_OK);
        CHECK(w.exact[0] == (uint64_t)COLUMNS * INT32_MAX << TAC_COUNT_GRID, "the largest counts "
                                                                             "add up exactly");
        const tac_draw_labels r = {.columns = n,
                                   .batch = -1,
                                   .other_label = n ? &row : columns,
                                   .others = 1,
                                   .score = score,
                                   .clusters = 2};
        MUST(tac_door_labels(w.door, "l", UINT64_C(1) << 41, &r, label) == TACIT_OK);
        CHECK((int64_t)w.exact[0] ==
                      (n ? INT64_C(1) : (int64_t)COLUMNS) * INT32_MAX * TAC_SCORE_MOST &&
                  w.exact[1] == 0 - w.exact[0] && label[0] == 0,
              "and so do scores, whose draw is all but sure");
        close_world(&w);
    }
    open_world(&w, count, 0, COLUMNS, TAC_GDP, 1, true);
    const tac_table t = {.batch = -1, .column_label = columns, .k = 3, .l = 1};
    int64_t none[3];
    const tac_draw_labels r = {
        .batch = -1, .other_label = columns, .others = 1, .score = score, .clusters = 2};
    const tac_draw_labels c = {
        .columns = true, .batch = -1, .others = 1, .score = score, .clusters = 2};
    CHECK(tac_door_table(w.door, "t", QUANTA, &t, none) == TACIT_OK &&
              tac_door_labels(w.door, "l", QUANTA, &r, label) == TACIT_OK && w.words == 0 &&
              tac_door_labels(w.door, "l", QUANTA, &c, label) == TACIT_OK && w.words == 2 * COLUMNS,
          "no rows at all");
    close_world(&w);
}

/* ---- a run ---- */

static void runs(void)
{
    static const int64_t start[4] = {0, 2, 2, 3};
    static const int32_t column[3] = {0, 2, 1};
    static const double value[3] = {2, 1, 7};
    const int32_t batch[3] = {0, 1, 0}, rows[3] = {0, 0, 1}, columns[3] = {0, 1, 1},
                  score[4] = {3, 1, 1, 3};
    int32_t label[3];
    int64_t answer[4];
    tacit_data *data = NULL;
    tacit_budget budget;
    tacit_model *model = NULL;
    tac_run run;

    MUST(tacit_data_from_csr(ctx, start, column, value, 3, 3, &data) == TACIT_OK);
    tacit_budget_init(&budget, sizeof budget);
    budget.epsilon = 1;
    budget.neighbors = TACIT_ENTRY;
    CHECK(tac_run_open(ctx, data, &budget, TACIT_SCALE_NONE, TAC_MIDDLE, 0, "test", &run) ==
                  TACIT_E_ARGUMENT &&
              says("co-clustering"),
          "entry is for tables of counts");
    MUST(tac_run_open(ctx, data, &budget, TACIT_SCALE_NONE, TAC_COUNTS, 0, "test", &run) ==
         TACIT_OK);
    CHECK(tac_door_rows(run.door) == 3 && tac_door_dims(run.door, TAC_ROWS) == 0 &&
              tac_door_count(run.door, "n", QUANTA, answer) == TACIT_E_INTERNAL,
          "a run has counts, empty rows too, and no rows to ask about yet");
    MUST(tac_door_batches(run.door, batch, 2) == TACIT_OK);
    const tac_table t = {.batch = 1, .row_label = rows, .column_label = columns, .k = 2, .l = 2};
    const tac_draw_labels d = {
        .batch = 0, .other_label = columns, .others = 2, .score = score, .clusters = 2};
    MUST(tac_door_table(run.door, "table", QUANTA << 9, &t, answer) == TACIT_OK);
    MUST(tac_door_labels(run.door, "labels", QUANTA << 9, &d, label) == TACIT_OK);
    MUST(tac_new(ctx, 1, sizeof *model, &model) == TACIT_OK);
    MUST(tac_write_card(ctx, &run, "paper", "proved", &model->card) == TACIT_OK);
    const tac_card card = model->card;
    CHECK(strcmp(card.unit, "entry") == 0 && card.neighbors == TACIT_ENTRY &&
              strstr(card.guarantee, "1-differentially private (pure) for one more or one less in "
                                     "a single entry") == card.guarantee &&
              strstr(card.guarantee, "(not for whole rows), proved") != NULL,
          "the card says what is protected: %s", card.guarantee);
    CHECK(card.queries == 2 && strcmp(card.query[0].kind, "table") == 0 &&
              card.query[0].batch == 1 && card.query[1].batch == 0 &&
              strcmp(card.query[1].kind, "labels") == 0 &&
              strcmp(card.query[1].noise, "exponential mechanism") == 0 &&
              card.query[1].sensitivity == 2 && card.query[1].scale == 0.5 &&
              card.query[1].cost == 0.5 && card.native_spent == 0.5,
          "and each query with its batch; batches do not add up");
    MUST(tac_run_close(&run, TACIT_OK) == TACIT_OK);
    tacit_model_free(model);
    tacit_data_free(data);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    brute_tables();
    brute_labels();
    weights();
    fast_and_slow();
    slow_distribution();
    distribution_through_door();
    layout();
    batches();
    refusals();
    unplaced();
    other_relations();
    as_replace();
    sizes();
    runs();
    tacit_ctx_free(ctx);
    return tap_done();
}
