/* SPDX-License-Identifier: Apache-2.0 */
/* How often every method goes to its rows, counted where they are: behind an engine of one shard.
   Queries: each was a round trip of its own before queries were asked together. Round trips: as it
   is now. Looks: round trips that read rows, the others ask for their number alone. Frames: how
   often rows are placed, each a reading of the source. Prints the table of docs/scale.md. */
#include "dice.h"
#include "local_engine.h"
#include "run_target.h"

enum { ROWS = 20000, COLUMNS = 5, ITEMS = 60, K = 5 };

static tacit_ctx *ctx;
static double points[ROWS * COLUMNS], spaces[ROWS * COLUMNS], counts[ROWS * ITEMS];

/* The engine of the tests, with its calls counted. */
typedef struct counted {
    local_engine e; /* first: it is the payload of the functions that are called on */
    tacit_engine inner;
    int placed, asked;
} counted;

static tacit_status place(const uint8_t *bytes, size_t count, tacit_replies *replies, void *payload)
{
    counted *c = payload;
    c->placed++;
    return c->inner.place(bytes, count, replies, payload);
}

static tacit_status evaluate(const uint8_t *bytes, size_t count, tacit_replies *replies,
                             void *payload)
{
    counted *c = payload;
    c->asked++;
    return c->inner.evaluate(bytes, count, replies, payload);
}

/* K groups, rows near K lines through 0, and counts in two kinds of columns. */
static void make_rows(void)
{
    state = 1;
    for (int i = 0; i < ROWS; i++) {
        const double along = 2 * uniform() - 1;
        for (int j = 0; j < COLUMNS; j++) {
            points[i * COLUMNS + j] = ((i + j) % K) * 0.2 + 0.1 * uniform();
            spaces[i * COLUMNS + j] = (i % 3 == j ? 0.9 * along : 0) + 0.02 * (uniform() - 0.5);
        }
        for (int j = 0; j < ITEMS; j++)
            counts[i * ITEMS + j] =
                next() % 10 < 2 ? (double)(next() % 4) * (i % 2 == j % 2 ? 3 : 1) : 0;
    }
}

/* How often a text is in a release. */
static int found(const char *json, const char *text)
{
    int many = 0;
    for (const char *at = json; (at = strstr(at, text)) != NULL; at++) many++;
    return many;
}

/* One line of the table; nothing for a method that needs all rows in one place. declared: NULL, and
   bounds are estimated. */
static void count_calls(const tacit_audit_target *t, double delta, const char *declared,
                        const char *name)
{
    const bool items = strcmp(t->family, "cocluster") == 0,
               lines = strcmp(t->family, "subspace") == 0;
    const double *value = items ? counts : lines ? spaces : points;
    const int32_t columns = items ? ITEMS : COLUMNS;
    tacit_data *data = NULL;
    char *json = NULL;
    counted c = {0};

    open_engine(&c.e, 1);
    c.inner = c.e.engine;
    c.e.engine.place = place;
    c.e.engine.evaluate = evaluate;
    MUST(tacit_data_from_memory(ctx, value, TACIT_F64, 0, columns, &data) == TACIT_OK);
    MUST(tacit_data_from_memory(c.e.ctx, value, TACIT_F64, ROWS, columns, &c.e.part[0]) ==
         TACIT_OK);
    if (lines) MUST(tacit_data_set_ball(ctx, data, NULL, 1) == TACIT_OK);
    if (!lines && !items) MUST(tacit_data_declare_bounds(ctx, data, declared) == TACIT_OK);
    MUST(tacit_data_set_engine(ctx, data, &c.e.engine) == TACIT_OK);
    const tacit_status status = run_target(ctx, t, (target_run){1, delta, K, 3}, data, &json);
    if (status == TACIT_OK) {
        const int queries = found(json, "\"what\":"), rows = found(json, "\"what\": \"number of "
                                                                         "rows\"");
        printf("| %s `%s`%s | %s | %d | %d | %d | %d |\n", t->family, t->name, name,
               delta > 0 ? "> 0" : "0", queries, c.asked, c.asked - rows, c.placed);
    } else if (strstr(tacit_ctx_message(ctx), "in one place") == NULL) {
        printf("%s %s: %s\n", t->family, t->name, tacit_ctx_message(ctx));
    }
    tacit_data_free(data);
    close_engine(&c.e);
    tacit_free(json);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    make_rows();
    printf("| method | delta | queries = round trips before | round trips now | looks now | frames "
           "|\n|---|---|---|---|---|---|\n");
    for (int32_t i = 0; i < tacit_audit_target_count(); i++) {
        tacit_audit_target t = TACIT_AUDIT_TARGET_INIT;
        MUST(tacit_audit_target_get(i, &t) == TACIT_OK);
        if (t.rows && t.approximate) count_calls(&t, 1e-6, "0:1", "");
        if (t.rows && t.pure) count_calls(&t, 0, "0:1", "");
        if (t.rows && t.approximate && i == 0)
            count_calls(&t, 1e-6, "private", ", bounds estimated");
    }
    tacit_ctx_free(ctx);
    return 0;
}
