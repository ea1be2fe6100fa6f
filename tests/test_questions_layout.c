/* SPDX-License-Identifier: Apache-2.0 */
/* Queries about cells: an answer is the sum of what its rows say one by one, whatever their order,
   threads, blocks or instruction set; what makes no sense is refused before it is paid for; a
   failure leaves nothing exact behind. */
#include "core/cpu.h"
#include "dice.h"
#include "questions.h"
#include "tap.h"

#include <math.h>

enum {
    N = 2003,
    DIMS = 21,
    STRIDE = 22,
    SHADE = 3,
    K = 12,
    RANK = 3,
    FOURTHS = DIMS * (DIMS + 1) * (DIMS + 2) / 6 * (DIMS + 3) / 4,
    MOST_WORDS = FOURTHS
};

static tacit_ctx *ctx;
static uint64_t state = 77;
static int16_t rows[N * STRIDE], shade[N * (SHADE + 1)];

static int16_t number(int range)
{
    return (int16_t)((int)(next() % (uint64_t)(2 * range + 1)) - range);
}

static int16_t bases[K * RANK * DIMS], centers[K * DIMS], low[DIMS], directions[K * DIMS],
    normal[2 * DIMS];
static int32_t width[DIMS], parts[DIMS];
static double radius[K], edge[5] = {0.2, 0.7, 1, 1.3, 2};
static tac_fork fork_of[K - 1];
static tac_slice slice[K];

static void make_world(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < DIMS; j++) rows[i * STRIDE + j] = number(i % 3 ? 9000 : 32767);
        tac_clip(rows + i * STRIDE, DIMS);
        for (int j = 0; j < SHADE; j++) shade[i * (SHADE + 1) + j] = number(32767);
        tac_clip(shade + i * (SHADE + 1), SHADE);
    }
    for (int i = 0; i < K * DIMS; i++) centers[i] = number(8000), directions[i] = number(32767);
    /* some beyond the ball: the door clips */
    for (int i = 0; i < K * RANK * DIMS; i++) bases[i] = number(i % 2 ? 9000 : 30000);
    for (int j = 0; j < 2 * DIMS; j++) normal[j] = number(32767);
    for (int j = 0; j < DIMS; j++)
        low[j] = number(4000), width[j] = 5000 + (int)(next() % 9000),
        parts[j] = j == 2  ? 3
                   : j < 2 ? 2
                           : 1;
    for (int c = 0; c < K; c++) {
        radius[c] = pow(10, 1 + 3.5 * (double)(next() % 1000) / 1000);
        slice[c] = (tac_slice){.axis = c % SHADE,
                               .low = (int16_t) - (100 + 700 * c),
                               .high = (int16_t)(200 + 2000 * c)};
    }
    for (int f = 0; f < K - 1; f++) /* a chain: each fork cuts off one cell */
        fork_of[f] = (tac_fork){.axis = f % 3 == 2 ? -1 - f % 2 : f % SHADE,
                                .at = f % 3 == 2 ? number(9000) * 9000 : number(6000),
                                .below = -1 - f,
                                .above = f < K - 2 ? f + 1 : -1 - (K - 1)};
}

/* ---- every kind of query of every kind of partition ---- */

static tac_cells cells_of(int which)
{
    switch (which) {
    case 0: return (tac_cells){.kind = TAC_ONE_CELL, .count = 1};
    case 1: return (tac_cells){.kind = TAC_NEAREST, .count = K, .centers = centers};
    case 2:
        return (tac_cells){.kind = TAC_FORKS,
                           .count = K,
                           .fork = fork_of,
                           .forks = K - 1,
                           .normal = normal,
                           .normals = 2};
    case 3:
        return (tac_cells){
            .kind = TAC_GRID, .count = K, .low = low, .width = width, .parts = parts};
    case 4: return (tac_cells){.kind = TAC_SUBSPACES, .count = K, .bases = bases, .rank = RANK};
    default:
        return (tac_cells){
            .kind = TAC_NEAREST, .view = TAC_PROJECTED, .count = K, .centers = centers};
    }
}
enum { PARTITIONS = 6, ASKED = 15 };

static query query_of(int which, int partition)
{
    static const kind kinds[ASKED] = {HISTOGRAM, SUMS,  MOMENTS,   LOCAL,       LOCAL,
                                      LOCAL,     LOCAL, DISTANCES, PROJECTIONS, SLICES,
                                      LOCAL,     LOCAL, LOCAL,     DISTANCES,   FOURTH};
    static const tac_local_parts joint[ASKED] = {
        [3] = {.count = 1000, .sum = 100000},
        [4] = {.count = 99999, .soft = true, .sum = 7},
        [5] = {.sum = 70000, .square = true},
        [6] = {.count = 5, .moments = true},
        [10] = {.count = 3},
        [11] = {.sum = 9, .axes = true},
        [12] = {.count = 777, .soft = true, .sum = 5, .square = true}};
    return (query){.what = kinds[which],
                   .cells = cells_of(partition),
                   .values = partition == 3 ? TAC_PROJECTED : TAC_ROWS,
                   .weight = 12345,
                   .local = {centers, radius, which == 12 || which == 13},
                   .parts = joint[which],
                   .edge = edge,
                   .bins = 6,
                   .directions = directions,
                   .slice = slice};
}

typedef struct answer {
    size_t words;
    uint64_t exact[MOST_WORDS];
    int64_t noisy[MOST_WORDS];
} answer;

static void keep_exact(void *payload, const tac_receipt *receipt, const uint64_t *word,
                       size_t count)
{
    answer *a = payload;
    (void)receipt;
    MUST(count <= MOST_WORDS);
    a->words = count;
    memcpy(a->exact, word, count * sizeof *word);
}

/* A door over rows first .. first + n - 1. */
typedef struct world {
    tac_lattice lattice, beside;
    tac_accountant accountant;
    tac_engine engine;
    tac_key key;
    tac_door *door;
} world;

static void open_world(int first, int n, world *w)
{
    w->lattice =
        (tac_lattice){.rows = n, .dims = DIMS, .stride = STRIDE, .points = rows + first * STRIDE};
    w->beside = (tac_lattice){
        .rows = n, .dims = SHADE, .stride = SHADE + 1, .points = shade + first * (SHADE + 1)};
    w->accountant = (tac_accountant){.definition = TAC_GDP, .budget = UINT64_C(1) << 62};
    tac_engine_threads(ctx, &w->engine);
    tac_key_from_insecure_seed(4, &w->key);
    MUST(tac_door_open(ctx, &w->engine, &w->lattice, TACIT_ADD_REMOVE, 1, &w->accountant, &w->key,
                       &w->door) == TACIT_OK);
    tac_door_set_frame(w->door, TAC_PROJECTED, &w->beside);
}

static void ask_rows(const query *q, int first, int n, answer *out)
{
    const tac_door_probe probe = {.exact = keep_exact, .payload = out};
    world w;

    open_world(first, n, &w);
    tac_door_set_probe(w.door, &probe);
    MUST(ask(w.door, q, UINT64_C(1) << 50, out->noisy) == TACIT_OK);
    tac_door_close(w.door);
}

/* ---- one row at a time ---- */

static int naive_cell(const tac_cells *c, int i)
{
    const int16_t *x = c->view == TAC_ROWS ? rows + i * STRIDE : shade + i * (SHADE + 1);
    const int dims = c->view == TAC_ROWS ? DIMS : SHADE;
    int at = 0, box = 0;

    if (c->kind == TAC_NEAREST) { /* the scores of nearest.h, one after the other */
        int64_t best = INT64_MIN;
        for (int k = 0; k < c->count; k++) {
            int64_t dot = 0, norm = 0;
            for (int j = 0; j < dims; j++) {
                dot += x[j] * c->centers[k * dims + j];
                norm += c->centers[k * dims + j] * c->centers[k * dims + j];
            }
            const int64_t score = dot - norm / 2;
            if (score > best) best = score, at = k;
        }
        return at;
    }
    if (c->kind == TAC_SUBSPACES) {
        double most = -1;
        for (int k = 0; k < c->count; k++) {
            double held = 0;
            for (int r = 0; r < c->rank; r++) {
                int16_t clipped[DIMS];
                double dot = 0;
                memcpy(clipped, c->bases + (k * c->rank + r) * dims,
                       (size_t)dims * sizeof *clipped);
                tac_clip(clipped, dims);
                for (int j = 0; j < dims; j++) dot += x[j] * clipped[j];
                held += pow(floor(dot / 256), 2);
            }
            if (held > most) most = held, at = k;
        }
        return at;
    }
    if (c->kind == TAC_FORKS) {
        int16_t clipped[2 * DIMS];
        memcpy(clipped, normal, sizeof normal);
        for (int i2 = 0; i2 < 2; i2++) tac_clip(clipped + i2 * dims, dims);
        while (at >= 0) {
            int64_t number_at = 0;
            if (c->fork[at].axis >= 0)
                number_at = x[c->fork[at].axis];
            else
                for (int j = 0; j < dims; j++)
                    number_at += x[j] * clipped[(-1 - c->fork[at].axis) * dims + j];
            at = number_at < c->fork[at].at ? c->fork[at].below : c->fork[at].above;
        }
        return -1 - at;
    }
    for (int j = 0; c->kind == TAC_GRID && j < dims; j++) {
        const double part = floor((double)(x[j] - c->low[j]) * c->parts[j] / c->width[j]);
        box = box * c->parts[j] + (int)fmin(fmax(part, 0), c->parts[j] - 1);
    }
    return box;
}

/* What one row says, in real numbers; true if the exact answer agrees up to rounding, and keeps to
   its cell. */
static bool row_agrees(const query *q, int i, const answer *a)
{
    const int dims = q->cells.view == TAC_ROWS ? DIMS : SHADE, c = naive_cell(&q->cells, i);
    const int16_t *x = q->cells.view == TAC_ROWS ? rows + i * STRIDE : shade + i * (SHADE + 1);
    const int16_t *v = q->values == TAC_ROWS ? rows + i * STRIDE : shade + i * (SHADE + 1);
    const int size = q->values == TAC_ROWS ? DIMS : SHADE, triangle = dims * (dims + 1) / 2,
              k = q->cells.count, pairs = size * (size + 1) / 2;
    double far = 0, squares = 0, length = 0, t = 0;
    static int64_t word[MOST_WORDS];
    bool good = true;

    memset(word, 0, sizeof word);
    for (int j = 0; j < dims; j++)
        far += pow(fabs((double)x[j] - centers[c * dims + j]), q->local.taxicab ? 1 : 2);
    if (!q->local.taxicab) far = sqrt(far);
    if (q->what == HISTOGRAM) word[c] = 1 << TAC_COUNT_GRID;
    if (q->what == SUMS) {
        for (int j = 0; j < size; j++) word[c * size + j] = v[j];
        word[k * size + c] = q->weight;
    }
    if (q->what == MOMENTS)
        for (int j = 0, at = c * pairs; j < size; j++)
            for (int l = j; l < size; l++)
                word[at++] = (int64_t)v[j] * v[l] * (j == l ? TAC_MOMENT_SAME : TAC_MOMENT_CROSS);
    if (q->what == FOURTH)
        for (int i1 = 0, at = 0; i1 < dims; i1++)
            for (int i2 = i1; i2 < dims; i2++)
                for (int i3 = i2; i3 < dims; i3++)
                    for (int i4 = i3; i4 < dims; i4++)
                        word[at++] = (int64_t)(trunc(x[i1] * x[i2] / 32768.0) *
                                               trunc(x[i3] * x[i4] / 32768.0)) *
                                     tac_fourth_weight(i1, i2, i3, i4);
    if (q->what == SLICES) {
        const tac_slice *s = &slice[c];
        const double part = floor((double)(x[s->axis] - s->low) * q->bins / (s->high - s->low));
        word[c * q->bins + (int)fmin(fmax(part, 0), q->bins - 1)] = 1 << TAC_COUNT_GRID;
    }
    if (q->what == DISTANCES) {
        int b = 0;
        while (b < q->bins - 1 && far > edge[b] * radius[c]) b++;
        word[b] = 1 << TAC_COUNT_GRID;
    }
    if (q->what < LOCAL || q->what == SLICES || q->what == DISTANCES) {
        for (size_t w = 0; w < a->words; w++) good = good && (int64_t)a->exact[w] == word[w];
        return good;
    }
    const double pull = TAC_M / fmax(far, radius[c]);
    /* the rows' own rounding may move one across an edge: no farther than that */
    if (q->what == PROJECTIONS) {
        int16_t along[DIMS];
        memcpy(along, directions + c * dims, (size_t)dims * sizeof *along);
        tac_clip(along, dims);
        for (int j = 0; j < dims; j++) t += (x[j] - centers[c * dims + j]) * pull * along[j];
        const double at = (t / TAC_M / TAC_M + 1) / 2 * q->bins;
        for (size_t w = 0; w < a->words; w++) {
            const double bin = (double)w - c * q->bins;
            good = good && (a->exact[w] == 0 || (a->exact[w] == 1 << TAC_COUNT_GRID &&
                                                 at > bin - 0.01 && at < bin + 1.01));
            squares += (double)a->exact[w];
        }
        return good && squares == 1 << TAC_COUNT_GRID;
    }
    const int64_t *part = (const int64_t *)a->exact;
    if (q->parts.count > 0) {
        const double soft =
            q->parts.soft ? floor(q->parts.count * fmin(1, radius[c] / far)) : q->parts.count;
        good = good && fabs((double)part[c] - soft) <= (q->parts.soft ? 1 : 0);
        for (int w = 0; w < k; w++) good = good && (w == c || part[w] == 0);
        part += k;
    }
    for (int w = 0; w < k * dims && q->parts.sum > 0; w++) {
        const int64_t number_at = part[w] / q->parts.sum;
        good = good && number_at * q->parts.sum == part[w] && (w / dims == c || part[w] == 0);
        if (w / dims != c) continue;
        /* rounding, then the clip */
        good = good && fabs((double)number_at - (x[w % dims] - centers[w]) * pull) <= 1.6;
        squares += (double)number_at * (double)number_at;
        length += fabs((double)number_at);
    }
    good = good && (q->local.taxicab ? length <= TAC_M : squares <= (double)TAC_M * TAC_M);
    if (q->parts.sum > 0) part += k * dims;
    for (int w = 0; w < k * dims && q->parts.axes; w++) {
        const int64_t number_at = part[w - k * dims] / q->parts.sum;
        good = good && part[w] == number_at * number_at;
    }
    for (int w = 0; w < k && q->parts.square; w++)
        good = good && part[w] == (w == c ? (int64_t)squares : 0);
    for (int w = 0; w < k * triangle && q->parts.moments && w / triangle != c; w++)
        good = good && part[w] == 0;
    if (q->parts.moments) { /* a matrix of rank one, its trace within the ball */
        const int64_t *m = part + c * triangle;
        double trace = 0;
        for (int j = 0, at = 0; j < dims; at += dims - j, j++) {
            const double real = (x[j] - centers[c * dims + j]) * pull;
            trace += (double)m[at];
            /* rounding, then the clip */
            good = good && fabs(sqrt((double)m[at]) - fabs(real)) <= 1.6;
            for (int l = j; l < dims; l++) {
                const double other = (x[l] - centers[c * dims + l]) * pull;
                good = good && fabs((double)m[at + l - j] - real * other) <=
                                   1.6 * (fabs(real) + fabs(other)) + 3;
            }
        }
        good = good && trace <= (double)TAC_M * TAC_M;
    }
    return good;
}

static void test_rows(void)
{
    static answer one, all, sum;

    for (int p = 0; p < PARTITIONS; p++) {
        int wrong = 0, apart = 0;
        for (int which = 0; which < ASKED; which++) {
            enum { FEW = 150 };
            const query q = query_of(which, p);
            memset(&sum, 0, sizeof sum);
            for (int i = 0; i < FEW; i++) {
                ask_rows(&q, i, 1, &one);
                wrong += !row_agrees(&q, i, &one);
                for (size_t w = 0; w < one.words; w++) sum.exact[w] += one.exact[w];
            }
            ask_rows(&q, 0, FEW, &all);
            apart += memcmp(sum.exact, all.exact, all.words * sizeof *all.exact) != 0;
        }
        CHECK(wrong == 0, "partition %d: single rows say what the definitions say (%d do not)", p,
              wrong);
        CHECK(apart == 0, "... and many rows the sum of what each says (%d kinds do not)", apart);
    }
}

/* ---- layout ---- */

static void turn_round(void)
{
    for (int i = 0; i < N / 2; i++) {
        for (int j = 0; j < STRIDE; j++) {
            const int16_t swap = rows[i * STRIDE + j];
            rows[i * STRIDE + j] = rows[(N - 1 - i) * STRIDE + j];
            rows[(N - 1 - i) * STRIDE + j] = swap;
        }
        for (int j = 0; j < SHADE + 1; j++) {
            const int16_t swap = shade[i * (SHADE + 1) + j];
            shade[i * (SHADE + 1) + j] = shade[(N - 1 - i) * (SHADE + 1) + j];
            shade[(N - 1 - i) * (SHADE + 1) + j] = swap;
        }
    }
}

static void test_layout(void)
{
    static const char *const paths[] = {"portable", "avx2", "avx512vnni"};
    static answer first[ASKED][PARTITIONS], again;
    int different = 0, seen = 0;

    for (int turn = 0; turn < 12; turn++) {
        ctx->threads = (int[]){1, 2, 3, 7}[turn % 4];
        ctx->block_bytes = turn < 4 ? 1 << 18 : turn < 8 ? 13 : 4096;
        if (!tac_cpu_use(paths[turn % 3])) continue; /* not on this machine */
        seen++;
        for (int which = 0; which < ASKED; which++)
            for (int p = 0; p < PARTITIONS; p++) {
                const query q = query_of(which, p);
                answer *a = turn == 0 ? &first[which][p] : &again;
                ask_rows(&q, 0, N, a);
                if (turn > 0)
                    different += memcmp(first[which][p].noisy, again.noisy,
                                        again.words * sizeof *again.noisy) != 0;
            }
        turn_round();
    }
    tac_cpu_use("auto");
    ctx->threads = 1;
    ctx->block_bytes = 1 << 18;
    CHECK(different == 0 && seen > 0,
          "threads, blocks, row orders, code paths (%d settings): one answer, bit for bit (%d "
          "differ)",
          seen, different);
}

/* ---- refusals ---- */

static void refuse(const char *why, const query *q)
{
    static int64_t out[MOST_WORDS];
    world w;
    bool clean = true;

    memset(out, 0x5a, sizeof out);
    open_world(0, N, &w);
    const tacit_status status = ask(w.door, q, UINT64_C(1) << 40, out);
    for (size_t i = 0; i < MOST_WORDS; i++)
        clean = clean && (out[i] == 0x5a5a5a5a5a5a5a5a || out[i] == 0);
    CHECK(status != TACIT_OK && w.accountant.spent == 0 && tac_door_asked(w.door) == 0 && clean,
          "%s: refused, unpaid, unanswered", why);
    tac_door_close(w.door);
}

static void test_refusals(void)
{
    const tac_fork back[2] = {{.axis = 0, .below = 1, .above = -1},
                              {.axis = 0, .below = 0, .above = -2}};
    const tac_fork beyond[1] = {{.axis = 0, .below = -1, .above = -3}},
                   self[1] = {{.axis = 0, .below = 0, .above = -1}};
    const tac_fork wide[1] = {{.axis = DIMS, .below = -1, .above = -2}},
                   gone[1] = {{.axis = -3, .below = -1, .above = -2}};
    const int32_t none[DIMS] = {0}, many[DIMS] = {1 << 30, 1 << 30, 1 << 30};
    const tac_slice flat[K] = {{.axis = 0, .low = 5, .high = 5}},
                    off[K] = {{.axis = DIMS, .low = 0, .high = 5}};
    query q;

#define REFUSE(why, from, change) (q = query_of(from, 1), change, refuse(why, &q))
    for (int which = 0; which < ASKED; which++) {
        REFUSE("an unknown view", which, q.cells.view = (tac_view)2);
        if (q.what == FOURTH) continue; /* it has no cells */
        REFUSE("no cells", which, q.cells.count = 0);
        REFUSE("fewer than no cells", which, q.cells.count = -3);
        REFUSE("too many cells", which, q.cells.count = (1 << 24) + 1);
        REFUSE("an unknown kind", which, q.cells.kind = (tac_cells_kind)7);
        REFUSE("no centers", which, q.cells.centers = NULL);
        REFUSE("one cell that is two", which, (q.cells.kind = TAC_ONE_CELL, q.cells.count = 2));
    }
#define FORKS(why, f, n)                                                                           \
    REFUSE(why, 0,                                                                                 \
           (q.cells.kind = TAC_FORKS, q.cells.fork = f, q.cells.forks = n, q.cells.count = 2))
    FORKS("no forks", NULL, 1);
    FORKS("fewer than no forks", self, -1);
    FORKS("forks that lead back", back, 2);
    FORKS("a fork that leads to itself", self, 1);
    FORKS("a fork to a cell that is not there", beyond, 1);
    FORKS("a fork along no axis", wide, 1);
    FORKS("a fork along no normal", gone, 1);
    REFUSE("normals that are not there", 0, (q.cells = cells_of(2), q.cells.normal = NULL));
    REFUSE("a grid without sides", 0, (q.cells = cells_of(3), q.cells.width = none));
    REFUSE("a grid without boxes", 0, (q.cells = cells_of(3), q.cells.parts = none));
    REFUSE("a grid of too many boxes", 0, (q.cells = cells_of(3), q.cells.parts = many));
    REFUSE("a grid of other boxes", 0, (q.cells = cells_of(3), q.cells.count = K - 1));
    REFUSE("subspaces that are not there", 2, (q.cells = cells_of(4), q.cells.bases = NULL));
    REFUSE("subspaces of no vectors", 2, (q.cells = cells_of(4), q.cells.rank = 0));
    REFUSE("subspaces of too many vectors", 2, (q.cells = cells_of(4), q.cells.rank = DIMS + 1));
    REFUSE("subspaces of too many vectors in all", 2,
           (q.cells = cells_of(4), q.cells.count = 1 << 23));
    REFUSE("moments of no view", 2, q.values = (tac_view)5);
    REFUSE("no middles", 3, (q.cells = cells_of(2), q.local.centers = NULL));
    REFUSE("no radii", 3, q.local.radius = NULL);
    REFUSE("no parts", 3, q.parts = (tac_local_parts){0});
    REFUSE("soft nothing", 3, q.parts = ((tac_local_parts){.soft = true, .sum = 3}));
    REFUSE("soft nothing with squares", 3,
           q.parts = ((tac_local_parts){.soft = true, .square = true}));
    REFUSE("squares and moments", 3,
           q.parts = ((tac_local_parts){.square = true, .moments = true}));
    REFUSE("axes and squares", 3, q.parts = ((tac_local_parts){.square = true, .axes = true}));
    REFUSE("axes and moments", 3, q.parts = ((tac_local_parts){.moments = true, .axes = true}));
    REFUSE("taxicab moments", 3,
           (q.local.taxicab = true, q.parts = ((tac_local_parts){.moments = true})));
    REFUSE("taxicab axes", 3,
           (q.local.taxicab = true, q.parts = ((tac_local_parts){.axes = true})));
    REFUSE("too heavy a count", 3, q.parts.count = (UINT32_C(1) << 31) + 1);
    REFUSE("too heavy a sum", 3, q.parts.sum = (1 << 17) + 1);
    for (int which = 7; which <= 9; which++) {
        REFUSE("no bins", which, q.bins = 0);
        REFUSE("fewer than no bins", which, q.bins = -1);
        REFUSE("too many bins", which, q.bins = (1 << 20) + 1);
    }
    REFUSE("a slice of no width", 9, q.slice = flat);
    REFUSE("a slice along no axis", 9, q.slice = off);
    REFUSE("a weight of nothing", 1, q.weight = 0);
    REFUSE("too heavy a weight", 1, q.weight = (1 << 20) + 1);
    REFUSE("values of no view", 1, q.values = (tac_view)5);

    world w;
    int64_t out[K * (DIMS + 1)];
    open_world(0, N, &w);
    q = query_of(1, 1);
    w.beside.rows--;
    q.values = TAC_PROJECTED;
    CHECK(ask(w.door, &q, 1 << 20, out) != TACIT_OK && w.accountant.spent == 0, "views of "
                                                                                "different lengths "
                                                                                "are refused");
    w.beside = (tac_lattice){0};
    CHECK(ask(w.door, &q, 1 << 20, out) != TACIT_OK && w.accountant.spent == 0, "a view that could "
                                                                                "not be built is "
                                                                                "refused");
    tac_door_set_frame(w.door, TAC_PROJECTED, NULL);
    CHECK(ask(w.door, &q, 1 << 20, out) != TACIT_OK && w.accountant.spent == 0 &&
              tac_door_dims(w.door, TAC_PROJECTED) == 0,
          "a projection that is not there is refused");
    tac_door_close(w.door);
}

/* ---- failures ---- */

static tac_engine threads;

/* All is added up, and then it fails. */
static tacit_status too_late(const tac_engine *self, const tacit_ctx *c, int64_t blocks,
                             tac_block_fn body, void *what)
{
    const tacit_status status = threads.map(self, c, blocks, body, what);
    return status == TACIT_OK ? TACIT_E_SYSTEM : status;
}

/* Sums that come to nothing, noise that cannot be drawn, an interruption: paid, and nothing but
   zeros or what was there. */
static void test_failures(void)
{
    static int64_t out[MOST_WORDS];
    int leaks = 0, worked = 0;

    for (int which = 0; which < ASKED; which++)
        for (int p = 0; p < PARTITIONS; p++)
            for (int how = 0; how < 3; how++) {
                const query q = query_of(which, p);
                world w;
                memset(out, 0x5a, sizeof out);
                open_world(0, N, &w);
                if (how == 0) threads = w.engine, w.engine.map = too_late;
                if (how == 1) w.key.owner++; /* as after a fork */
                if (how == 2) ctx->cancelled = 1;
                worked += ask(w.door, &q, UINT64_C(1) << 40, out) == TACIT_OK;
                ctx->cancelled = 0;
                for (size_t i = 0; i < MOST_WORDS; i++)
                    leaks += out[i] != 0x5a5a5a5a5a5a5a5a && out[i] != 0;
                tac_door_close(w.door);
            }
    CHECK(worked == 0 && leaks == 0,
          "failures of every kind leave nothing exact behind (%d numbers do)", leaks);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    make_world();
    test_rows();
    test_layout();
    test_refusals();
    test_failures();
    tacit_ctx_free(ctx);
    return tap_done();
}
