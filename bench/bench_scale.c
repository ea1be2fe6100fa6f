/* SPDX-License-Identifier: Apache-2.0 */
/* The constants of the cost model in docs/scale.md, measured on one thread, processor time.

   The root: whole runs of k-means with 10 to 10,000 shards. One shard is real and has a block of
   rows; the others are fake, and send its answers under their own names. Everything that the root
   does is real: it checks every message, adds every answer, draws noise, works out the method.
   Reported: what an answer costs the root, which must not grow with the number of shards; the rest
   of the run, less what is fake (of it about 1.3 us an answer are the clock of this benchmark); and
   what a node of a tree pays to combine two answers.

   The rows: a placement and every kind of query that k-means asks, on the real block. */
#include "local_engine.h"
#include "privacy/shards/bodies.h"

#include <time.h>

enum { COLUMNS = 10, K = 16, BLOCK = 200000 };

static tacit_ctx *ctx;
static float points[BLOCK * COLUMNS];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* K groups in [0, 1]^COLUMNS. */
static void make_rows(void)
{
    uint64_t state = 42;
    for (int i = 0; i < BLOCK; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double sum = 0;
            for (int n = 0; n < 4; n++) {
                state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                sum += (double)(state >> 40) * 0x1p-24;
            }
            points[i * COLUMNS + j] = (float)(((i % K) * 7 + j * 3) % 11 * 0.08 + 0.05 * sum);
        }
}

/* One real shard behind many. */
typedef struct fakes {
    local_engine e; /* first: the payload */
    int64_t shards;
    tac_session session;
    double adding, placing, answering, making; /* root: replies; the real shard; copies of its */
    double combining;
    int64_t answers, combined, bytes;
} fakes;

static tacit_status start(const uint8_t *spec, size_t count, void *payload)
{
    fakes *f = payload;
    const tacit_status status = start_here(spec, count, payload);
    MUST(tac_message_session(NULL, spec, count, &f->session) == TACIT_OK);
    return status;
}

static message written(const fakes *f, tac_message_kind kind, tac_body_walk *walk, void *body)
{
    message m = {0};
    MUST(tac_message_write(NULL, kind, &f->session, walk, body, &m.at, &m.count) == TACIT_OK);
    return m;
}

static tacit_status place(const uint8_t *frames, size_t count, tacit_replies *replies,
                          void *payload)
{
    fakes *f = payload;
    tac_receipt_body body;
    tacit_status status = TACIT_OK;
    message m = {0};
    double begin = now();

    MUST(tacit_shard_place(f->e.ctx, f->e.shard[0], frames, count, &m.at, &m.count) == TACIT_OK);
    f->placing += now() - begin;
    MUST(tac_message_read(NULL, TAC_MESSAGE_RECEIPT, &f->session, m.at, m.count, tac_receipt_walk,
                          &body) == TACIT_OK);
    tacit_free(m.at);
    for (int64_t i = 0; i < f->shards && status == TACIT_OK; i++) {
        body.shard.index = i;
        begin = now();
        m = written(f, TAC_MESSAGE_RECEIPT, tac_receipt_walk, &body);
        f->making += now() - begin;
        begin = now();
        status = tacit_replies_add(replies, m.at, m.count);
        f->adding += now() - begin;
        tac_free(m.at);
    }
    return status;
}

/* What a node of a tree pays to make one answer of two; a few times a query will do. */
static void combine_two(fakes *f, const message *a, const message *b)
{
    uint8_t *at = NULL;
    size_t count;
    const double begin = now();

    MUST(tacit_secret_answers_combine(ctx, f->e.spec.at, f->e.spec.count, a->at, a->count, b->at,
                                      b->count, &at, &count) == TACIT_OK);
    f->combining += now() - begin;
    f->combined++;
    tacit_free(at);
}

static tacit_status evaluate(const uint8_t *query, size_t count, tacit_replies *replies,
                             void *payload)
{
    fakes *f = payload;
    tac_answer_body body = {0};
    tacit_status status = TACIT_OK;
    double begin = now();
    message first = answer_of(&f->e, 0, query, count), m;

    f->answering += now() - begin;
    MUST(tac_message_read(NULL, TAC_MESSAGE_ANSWER, &f->session, first.at, first.count,
                          tac_answer_walk, &body) == TACIT_OK);
    for (int64_t i = 0; i < f->shards && status == TACIT_OK; i++) {
        body.shard[0].index = i;
        begin = now();
        m = written(f, TAC_MESSAGE_ANSWER, tac_answer_walk, &body);
        f->making += now() - begin;
        begin = now();
        status = tacit_replies_add(replies, m.at, m.count);
        f->adding += now() - begin;
        f->bytes += (int64_t)m.count;
        f->answers++;
        if (i > 0 && i < 4) combine_two(f, &first, &m);
        tac_free(m.at);
    }
    tac_answer_clear(&body);
    free(first.at);
    return status;
}

/* A run; *all: processor time of all of it. */
static void run(fakes *f, int64_t shards, int64_t rows, double *all)
{
    tacit_kmeans_opts opts = TACIT_KMEANS_OPTS_INIT;
    tacit_budget budget = TACIT_BUDGET_INIT;
    tacit_data *data = NULL;
    tacit_model *model = NULL;

    memset(f, 0, sizeof *f);
    open_engine(&f->e, 1);
    f->shards = shards;
    f->e.engine.shards = shards;
    f->e.engine.start = start;
    f->e.engine.place = place;
    f->e.engine.evaluate = evaluate;
    f->e.ctx->threads = 1;
    MUST(tacit_data_from_memory(ctx, points, TACIT_F32, 0, COLUMNS, &data) == TACIT_OK);
    MUST(tacit_data_from_memory(f->e.ctx, points, TACIT_F32, rows, COLUMNS, &f->e.part[0]) ==
         TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, data, "0:1") == TACIT_OK);
    MUST(tacit_data_set_engine(ctx, data, &f->e.engine) == TACIT_OK);
    opts.k = K;
    budget.epsilon = 1;
    budget.delta = 1e-13;
    budget.use_insecure_test_seed = 1;
    const double begin = now();
    const tacit_status status = tacit_kmeans_run(ctx, data, &budget, &opts, &model);
    *all = now() - begin;
    if (status != TACIT_OK) printf("%s\n", tacit_ctx_message(ctx));
    MUST(status == TACIT_OK);
    tacit_model_free(model);
    tacit_data_free(data);
    close_engine(&f->e);
}

/* Bytes of memory that one thread reads in a second. */
static double memory_speed(void)
{
    enum { BYTES = 1 << 28 };
    uint64_t *at = malloc(BYTES), sum = 0;
    double best = 0;

    MUST(at != NULL);
    memset(at, 1, BYTES);
    for (int turn = 0; turn < 5; turn++) {
        const double begin = now();
        for (size_t i = 0; i < BYTES / sizeof *at; i++) sum += at[i];
        const double speed = BYTES / (now() - begin);
        best = speed > best ? speed : best;
    }
    if (sum == 1) printf("\n"); /* the sum is used */
    free(at);
    return best;
}

int main(void)
{
    static const int64_t shards[] = {10, 100, 1000, 10000};
    double all, least = 0, most = 0;
    fakes f;

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    ctx->threads = 1;
    make_rows();
    run(&f, 10, 20000, &all); /* warm */
    printf("shards  answers  bytes an answer  root: us an answer  ns a byte  rest of the root s  "
           "a pair combined us\n");
    for (size_t i = 0; i < sizeof shards / sizeof *shards; i++) {
        run(&f, shards[i], 20000, &all);
        const double each = f.adding / (double)f.answers,
                     rest = all - f.adding - f.placing - f.answering - f.making - f.combining;
        least = i == 0 || each < least ? each : least;
        most = each > most ? each : most;
        printf("%6lld %8lld %16.0f %19.2f %10.2f %19.3f %19.2f\n", (long long)shards[i],
               (long long)f.answers, (double)f.bytes / (double)f.answers, 1e6 * each,
               1e9 * f.adding / (double)f.bytes, rest, 1e6 * f.combining / (double)f.combined);
    }
    printf("constant root_ns_per_byte %.4f\n", 1e9 * f.adding / (double)f.bytes);
    printf("constant answer_bytes %.1f\n", (double)f.bytes / (double)f.answers);
    printf("constant answers_per_run %lld\n", (long long)(f.answers / f.shards));
    printf("constant root_flat %.3f\n", most / least);
    printf("constant combine_us %.3f\n", 1e6 * f.combining / (double)f.combined);
    run(&f, 1, BLOCK, &all);
    run(&f, 1, BLOCK, &all);
    printf("constant root_rest_s %.4f\n",
           all - f.adding - f.placing - f.answering - f.making - f.combining);
    printf("constant evaluate_ns_per_row %.3f\n", 1e9 * f.answering / BLOCK);
    printf("constant place_ns_per_row %.3f\n", 1e9 * f.placing / BLOCK);
    printf("constant memory_bytes_per_s %.4g\n", memory_speed());
    tacit_ctx_free(ctx);
    return 0;
}
