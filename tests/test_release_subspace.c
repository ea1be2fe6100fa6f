/* SPDX-License-Identifier: Apache-2.0 */
/* Releases of subspaces: the file back and forth, cards that are not private, the released form of
   lattice subspaces, and what the owner measures with them. */
#include "cluster/subspace/flat.h"
#include "cluster/subspace/subspace_run.h"
#include "release_text.h"

#include <math.h>

#define SET(field, text) MUST(tac_model_set_text(ctx, &(field), (text)) == TACIT_OK)

/* Two affine lines in three columns, with labels. */
static tacit_model *lines(void)
{
    const double basis[] = {0.8, 0.6, 0, 0, -0.28, 0.96}, offsets[] = {-0.6, 0.8, 0.5, 1, 0, 0};
    tacit_model *m = NULL;

    MUST(tac_model_new_subspaces(ctx, 2, 1, 3, &m) == TACIT_OK);
    SET(m->family, "subspace");
    SET(m->method, "gibbs");
    for (int j = 0; j < 3; j++) SET(m->column[j], j == 0 ? "a" : j == 1 ? "b" : "c");
    memcpy(m->subspaces, basis, sizeof basis);
    MUST(tac_new(ctx, 6, sizeof(double), &m->offsets) == TACIT_OK);
    memcpy(m->offsets, offsets, sizeof offsets);
    MUST(tac_new(ctx, 2, sizeof(double), &m->profile) == TACIT_OK);
    m->profile[0] = 0.25;
    MUST(tac_new(ctx, 4, sizeof(int32_t), &m->labels) == TACIT_OK);
    m->rows = 4;
    m->labels[2] = 1;
    m->sizes[0] = 3;
    m->sizes[1] = m->sizes_sd = NAN;
    MUST(tac_model_new_notes(ctx, m, 0) == TACIT_OK);
    m->geometry.ball = true;
    m->geometry.radius = 2;
    m->geometry.scale = TACIT_SCALE_NONE;
    MUST(tac_new(ctx, 3, sizeof(double), &m->geometry.center) == TACIT_OK);
    SET(m->geometry.origin, "declared");
    tac_card *card = &m->card;
    SET(card->unit, "row");
    card->rows_per_unit = 1;
    card->neighbors = TACIT_REPLACE;
    card->epsilon = card->native_budget = 1;
    SET(card->accountant, "pure");
    SET(card->guarantee, "1-differentially private (pure) for changing one row, asymptotic "
                         "guarantee only");
    SET(card->paper, "Wang, Wang & Singh 2015");
    SET(card->version, "0.1.0");
    return m;
}

static char *text_of(const tacit_model *m)
{
    char *text = NULL;
    if (tacit_model_json(ctx, m, &text) != TACIT_OK) printf("# %s\n", tacit_ctx_message(ctx));
    return text;
}

/* Written, read, written: the same bytes, and private or not. */
static void there_and_back(const tacit_model *m, bool private, const char *what)
{
    char *text = text_of(m), *again = text == NULL ? NULL : rewritten(text);
    tacit_model *back = NULL;

    CHECK(text != NULL && again != NULL && strcmp(text, again) == 0, "%s: write, read, write",
          what);
    MUST(text != NULL && read_text(text, strlen(text), &back) == TACIT_OK);
    CHECK(tacit_model_is_private(back) == private && tacit_model_is_private(m) == private &&
              (tacit_model_why_not_private(back) == NULL) == private,
          "%s: %sprivate", what, private ? "" : "not ");
    if (!private)
        CHECK(strcmp(tacit_model_why_not_private(back), tacit_model_why_not_private(m)) == 0,
              "%s: for the same reason", what);
    tacit_free(text);
    tacit_free(again);
    tacit_model_free(back);
}

static void test_file(void)
{
    tacit_model *m = lines();
    int64_t rows = 0;

    there_and_back(m, true, "affine lines with labels");
    CHECK(tacit_model_q(m) == 1 && tacit_model_subspaces(m)[4] == -0.28 &&
              tacit_model_offsets(m)[3] == 1 && tacit_model_profile(m)[0] == 0.25 &&
              tacit_model_labels(m, &rows)[2] == 1 && rows == 4 && tacit_model_centers(m) == NULL &&
              tacit_model_centers_sd(m) == NULL && tacit_model_share_at_bounds(m) == 0,
          "getters");
    CHECK(tacit_model_q(NULL) == 0 && tacit_model_subspaces(NULL) == NULL &&
              tacit_model_offsets(NULL) == NULL && tacit_model_profile(NULL) == NULL &&
              tacit_model_labels(NULL, &rows) == NULL && rows == 0,
          "of nothing");
    SET(m->card.leak, "it looked");
    SET(m->card.guarantee, "none: it looked");
    there_and_back(m, false, "a leak");
    char reason[702] = "";
    for (int i = 0; i < 350; i++) memcpy(reason + 2 * i, "\xc3\xa4", 2);
    SET(m->card.leak, reason);
    there_and_back(m, false, "a leak of 700 bytes");
    m->card.insecure_seed = true;
    there_and_back(m, false, "a seed and a leak of 700 bytes");
    reason[700] = '.';
    SET(m->card.leak, reason);
    char *long_text = NULL;
    CHECK(tacit_model_json(ctx, m, &long_text) == TACIT_E_INTERNAL &&
              strstr(tacit_ctx_message(ctx), "field privacy.why_not_private") != NULL,
          "a leak of 701 bytes is not written, and so never cut");
    SET(m->card.leak, "it looked");
    there_and_back(m, false, "a seed and a leak");
    tac_free(m->card.leak);
    m->card.leak = NULL;
    there_and_back(m, false, "a seed");
    m->card.insecure_seed = false;
    m->card.plain = true;
    SET(m->card.leak, "a plain solver");
    there_and_back(m, false, "a plain solver");
    tac_free(m->labels);
    m->labels = NULL;
    tac_free(m->profile);
    m->profile = NULL;
    tac_free(m->offsets);
    m->offsets = NULL;
    there_and_back(m, false, "only subspaces");
    tacit_model_free(m);
}

typedef struct change {
    const char *old, *new, *field;
} change;

static void test_refusals(void)
{
    static const change changes[] = {
        {"\"format\": 7", "\"format\": 2", "field format"},
        {"\"format\": 7", "\"format\": 4", "field format"},
        {"\"format\": 7", "\"format\": 8", "newer"},
        {"\"subspace\"", "\"kmeans\"", "field q"},
        {"\"subspace\"", "\"subspaces\"", "field family"},
        {"\"q\": 1", "\"q\": 0", "field q"},
        {"\"q\": 1", "\"q\": 3", "field q"},
        {"\"q\": 1", "\"q\": 2", "field subspaces[0][0]"},
        {"\"q\": 1,", "", "field q"},
        {"[0.8]", "[0.9]", "field subspaces[0]"},
        {"[0.8]", "[0.8, 0]", "field subspaces[0][0]"},
        {"[0.8]", "[null]", "field subspaces[0][0][0]"},
        {"[0.8]", "0.8", "field subspaces[0][0]"},
        {"[0.8],", "", "field subspaces[0]"},
        {"\"subspaces\": [", "\"centers\": [], \"subspaces\": [", "field centers"},
        {"[-0.6, 0.8, 0.5]", "[-0.6, 0.8]", "field offsets[0]"},
        {"[-0.6, 0.8, 0.5],", "", "field offsets"},
        {"[-0.6, 0.8, 0.5]", "[-0.6, 0.8, null]", "field offsets[0][2]"},
        {"[0.25]", "[-0.25]", "field profile[0][0]"},
        {"[0.25]", "[]", "field profile[0]"},
        {"[0, 0, 1, 0]", "[0, 0, 2, 0]", "field labels[2]"},
        {"[0, 0, 1, 0]", "[0, 0, 0.5, 0]", "field labels[2]"},
        {"[0, 0, 1, 0]", "[0, -1]", "field labels[1]"},
        {"\"neighbors\": \"replace\"", "\"neighbors\": \"add-remove\"", "field labels do not go"},
        {"[0, 0, 1, 0]", "null", "field labels"},
        {"\"labels\"", "\"label\"", "did you mean labels?"},
        {"[3, null]", "[3]", "field sizes"},
        {"[\"a\", \"b\", \"c\"]", "[\"a\"]", "field columns"},
        {"\"private\": true", "\"private\": false", "field privacy.why_not_private"},
        {"ChaCha20 keyed by the operating system", "none", "field privacy.private"},
        {"\"private\": true,", "\"private\": false, \"why_not_private\": \"\",",
         "field privacy.why_not_private"},
        {"\"private\": true,", "\"private\": true, \"why_not_private\": \"x\",",
         "field privacy.why_not_private"},
    };
    tacit_model *m = lines();
    char *good = text_of(m), text[8192];

    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const char *at = strstr(good, changes[i].old);
        tacit_model *back = NULL;
        MUST(at != NULL);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, changes[i].new,
                 at + strlen(changes[i].old));
        CHECK(read_text(text, strlen(text), &back) == TACIT_E_FORMAT && back == NULL &&
                  says(changes[i].field),
              "%s: %s", changes[i].field, tacit_ctx_message(ctx));
    }
    /* A plain card has no budget, and a card with a budget has all of it. */
    char *at = strstr(good, "ChaCha20"), *flag = strstr(good, "\"private\": true");
    MUST(at != NULL && flag != NULL);
    snprintf(text, sizeof text, "%.*s\"private\": false, \"why_not_private\": \"x\"%.*snone%s",
             (int)(flag - good), good, (int)(at - flag - 15), flag + 15,
             at + strlen("ChaCha20 keyed by the operating system"));
    tacit_model *back = NULL;
    CHECK(read_text(text, strlen(text), &back) == TACIT_E_FORMAT && says("field privacy."),
          "a plain card with a budget: %s", tacit_ctx_message(ctx));
    tacit_free(good);

    char *none = NULL;
    m->subspaces[0] = 0.9;
    CHECK(tacit_model_json(ctx, m, &none) == TACIT_E_INTERNAL && says("subspaces[0]"),
          "bases that are none are not written");
    m->subspaces[0] = 0.8;
    m->profile[1] = NAN;
    CHECK(tacit_model_json(ctx, m, &none) == TACIT_E_INTERNAL && says("profile[1][0]"),
          "nor a profile that is not a number");
    m->profile[1] = 0;
    m->card.plain = true;
    CHECK(tacit_model_json(ctx, m, &none) == TACIT_E_INTERNAL && says("why_not_private"),
          "nor a plain model without a word");
    tacit_model_free(m);
    CHECK(tac_model_new_subspaces(ctx, 1, 3, 3, &m) == TACIT_E_ARGUMENT &&
              tac_model_new_subspaces(ctx, 1, 0, 3, &m) == TACIT_E_ARGUMENT,
          "shapes that no subspace has");
}

/* ---- the released form ---- */

static double uniform(uint64_t *state)
{
    return (double)(mix(state) >> 11) * 0x1p-53 - 0.5;
}

static double inner(const double *a, const double *b, int d)
{
    double sum = 0;
    for (int j = 0; j < d; j++) sum += a[j] * b[j];
    return sum;
}

/* count orthonormal vectors of d numbers. */
static void draw_vectors(uint64_t *state, int count, int d, double *out)
{
    for (int i = 0; i < count; i++) {
        double *v = out + i * d;
        for (int j = 0; j < d; j++) v[j] = uniform(state);
        for (int again = 0; again < 2; again++)
            for (int c = 0; c < i; c++) {
                const double along = inner(v, out + c * d, d);
                for (int j = 0; j < d; j++) v[j] -= along * out[c * d + j];
            }
        const double length = sqrt(inner(v, v, d));
        for (int j = 0; j < d; j++) v[j] /= length;
    }
}

/* out = turn (count x count) times vectors. */
static void turn(int count, int d, const double *by, const double *vectors, double *out)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < d; j++) {
            out[i * d + j] = 0;
            for (int c = 0; c < count; c++)
                out[i * d + j] += by[i * count + c] * vectors[c * d + j];
        }
}

static double largest_gap(const double *a, const double *b, int count)
{
    double far = 0;
    for (int i = 0; i < count; i++) far = fmax(far, fabs(a[i] - b[i]));
    return far;
}

static void test_linear(void)
{
    enum { Q = 3, D = 6 };
    uint64_t state = 5;
    double vectors[Q * D], by[Q * Q], turned[Q * D], first[Q * D], far = 0, off = 0;
    tac_flat f = {0};

    MUST(tac_flat_new(ctx, Q, D, &f) == TACIT_OK);
    for (int i = 0; i < 200; i++) {
        draw_vectors(&state, Q, D, vectors);
        draw_vectors(&state, Q, Q, by);
        MUST(tac_flat_linear(ctx, vectors, NULL, &f) == TACIT_OK);
        memcpy(first, f.vectors, sizeof first);
        turn(Q, D, by, vectors, turned);
        MUST(tac_flat_linear(ctx, turned, NULL, &f) == TACIT_OK);
        far = fmax(far, largest_gap(first, f.vectors, Q * D));
        for (int v = 0; v < Q; v++) { /* still in the subspace: lengths along it are 1 */
            double length = 0;
            for (int c = 0; c < Q; c++)
                length += pow(inner(f.vectors + v * D, vectors + c * D, D), 2);
            off = fmax(off, fabs(length - 1));
        }
    }
    CHECK(far < 1e-9, "one form for every basis of a subspace, up to %g", far);
    CHECK(off < 1e-12, "which spans it, up to %g", off);

    const double squares[Q] = {-1, 5, NAN};
    draw_vectors(&state, Q, D, vectors);
    MUST(tac_flat_linear(ctx, vectors, squares, &f) == TACIT_OK);
    double same = fabs(inner(f.vectors, vectors + D, D));
    CHECK(f.squares[0] == 5 && f.squares[1] == 0 && f.squares[2] == 0 && fabs(same - 1) < 1e-12,
          "in order of squares, none below 0");
    bool positive = true;
    for (int v = 0; v < Q; v++) {
        int top = 0;
        for (int j = 1; j < D; j++)
            top = fabs(f.vectors[v * D + j]) > fabs(f.vectors[v * D + top]) ? j : top;
        positive = positive && f.vectors[v * D + top] > 0;
    }
    CHECK(positive, "the largest entry of each is positive");
    tac_flat_clear(&f);
}

/* A plane through a known point, raised and turned, comes back. */
static void test_affine(void)
{
    enum { Q = 2, D = 5, P = Q + 1, W = D + 1 };
    uint64_t state = 9;
    double frame[P * D], by[P * P], raised[P * W], w[P * W], far = 0, off = 0, worst = 0,
                                                             squares[P];
    tac_flat f = {0};

    MUST(tac_flat_new(ctx, Q, D, &f) == TACIT_OK);
    for (int i = 0; i < 200; i++) {
        /* of the point, along frame[2] */
        const double height = 0.9 * (uniform(&state) + 0.5) * TAC_M;
        draw_vectors(&state, P, D, frame);
        draw_vectors(&state, P, P, by);
        memset(raised, 0, sizeof raised);
        for (int j = 0; j < D; j++) {
            for (int v = 0; v < Q; v++) raised[v * W + j] = frame[v * D + j];
            raised[Q * W + j] = height * frame[Q * D + j] / hypot(height, TAC_M);
        }
        raised[Q * W + D] = TAC_M / hypot(height, TAC_M);
        turn(P, W, by, raised, w);
        MUST(tac_flat_affine(ctx, w, NULL, &f) == TACIT_OK);
        for (int j = 0; j < D; j++)
            far = fmax(far, fabs(f.point[j] - height * frame[Q * D + j]) / TAC_M);
        for (int v = 0; v < Q; v++) {
            double length = 0;
            for (int c = 0; c < Q; c++)
                length += pow(inner(f.vectors + v * D, frame + c * D, D), 2);
            off = fmax(off, fabs(length - 1));
        }
        /* Squares 4 and 1 (in z: 2 and 0.5) along the directions and 7 along the raised point, seen
           along principal vectors. */
        squares[0] = 0.5;
        squares[1] = 2;
        squares[2] = 7;
        MUST(tac_flat_affine(ctx, raised, squares, &f) == TACIT_OK);
        worst = fmax(worst, fmax(fabs(f.squares[0] - 4), fabs(f.squares[1] - 1)));
        worst = fmax(worst, fabs(fabs(inner(f.vectors, frame + D, D)) - 1));
    }
    CHECK(far < 1e-9 && off < 1e-12, "point up to %g, directions up to %g", far, off);
    CHECK(worst < 1e-9, "and squares along them, in units of the rows, up to %g", worst);

    memset(w, 0, sizeof w); /* no point at all: in the plane of last coordinate 0 */
    for (int v = 0; v < P; v++) w[v * W + v] = 1;
    MUST(tac_flat_affine(ctx, w, NULL, &f) == TACIT_OK);
    CHECK(inner(f.point, f.point, D) == 0 && f.vectors[0] == 1 && f.vectors[D + 1] == 1,
          "a subspace at infinity gets the middle");
    w[Q * W + D] = 1e-4; /* a point far outside the ball */
    MUST(tac_flat_affine(ctx, w, NULL, &f) == TACIT_OK);
    CHECK(fabs(sqrt(inner(f.point, f.point, D)) / TAC_M - 1) < 1e-9, "a far one is pulled onto the "
                                                                     "ball");
    memset(w, 0, sizeof w);
    MUST(tac_flat_affine(ctx, w, (double[]){NAN, INFINITY, -1}, &f) == TACIT_OK);
    CHECK(isfinite(inner(f.vectors, f.vectors, Q * D)) && isfinite(f.squares[0]),
          "nothing but zeros, and squares that are none: still finite");
    tac_flat_clear(&f);
}

/* ---- with rows in hand ---- */

static void test_union(void)
{
    tacit_synthetic_subspaces_opts o;
    tacit_model *truth = NULL, *other = NULL;
    tacit_data *data = NULL;
    double *value = NULL, *again = NULL, sine = 9, projector = 9;
    int32_t *label = NULL, *same = NULL, *found = NULL;
    tacit_evaluation e;
    int64_t rows = 0;

    tacit_synthetic_subspaces_opts_init(&o, sizeof o);
    o.rows = 3000;
    o.columns = 6;
    o.dimension = 2;
    o.noise = 0.02;
    MUST(tacit_synthetic_subspaces(ctx, &o, &value, &label, &truth) == TACIT_OK);
    MUST(tacit_synthetic_subspaces(ctx, &o, &again, &same, NULL) == TACIT_OK);
    CHECK(memcmp(value, again, 3000 * 6 * sizeof *value) == 0 &&
              memcmp(label, same, 3000 * sizeof *label) == 0,
          "a seed, one union");
    there_and_back(truth, false, "the truth");
    CHECK(tacit_subspace_distance(ctx, truth, truth, &sine, &projector) == TACIT_OK &&
              sine < 1e-12 && projector < 1e-12,
          "no distance from itself");

    MUST(tacit_data_from_memory(ctx, value, TACIT_F64, 3000, 6, &data) == TACIT_OK);
    MUST(tacit_data_set_ball(ctx, data, NULL, 1.5) == TACIT_OK);
    int64_t known[3000];
    for (int i = 0; i < 3000; i++) known[i] = label[i];
    MUST(tacit_data_set_labels(ctx, data, known) == TACIT_OK);
    truth->geometry.radius = 1.5;
    tacit_evaluation_init(&e, sizeof e);
    MUST(tacit_model_evaluate(ctx, truth, data, 3, &e) == TACIT_OK);
    /* E |w - UU'w|^2 = (6 - 2) 0.02^2 = 0.0016, a little less where another subspace is nearer; sd
       of the mean about 2e-5 */
    CHECK(e.cost > 0.00150 && e.cost < 0.00166 && e.clipped == 0,
          "cost of the truth is that of the noise: %.5f", e.cost);
    CHECK(e.plain_cost <= e.cost && e.plain_cost > 0.0014 && e.one_mean_cost > 0.1 && e.nmi > 0.9,
          "plain %.5f, one %.3f, NMI %.3f", e.plain_cost, e.one_mean_cost, e.nmi);
    MUST(tacit_model_predict(ctx, truth, data, &found, &rows) == TACIT_OK && rows == 3000);
    int right = 0;
    for (int i = 0; i < 3000; i++) right += found[i] == label[i];
    CHECK(right > 2900, "%d of 3000 rows are nearest to their own", right);

    o.seed = 2;
    tacit_free(again);
    tacit_free(same);
    MUST(tacit_synthetic_subspaces(ctx, &o, &again, &same, &other) == TACIT_OK);
    MUST(tacit_subspace_distance(ctx, truth, other, &sine, &projector) == TACIT_OK);
    CHECK(fabs(projector - sqrt(2) * sine) < 1e-12 && sine > 0.5 && sine <= sqrt(6),
          "another union is elsewhere: %.3f, %.3f", sine, projector);

    tacit_free(again);
    tacit_free(same);
    o.rows = 0;
    CHECK(tacit_synthetic_subspaces(ctx, &o, &again, &same, NULL) == TACIT_E_ARGUMENT &&
              says("rows") && again == NULL,
          "no rows");
    o.rows = 10;
    o.dimension = 6;
    CHECK(tacit_synthetic_subspaces(ctx, &o, &again, &same, NULL) == TACIT_E_ARGUMENT && says("dime"
                                                                                              "nsio"
                                                                                              "n"),
          "no subspace of all columns");
    o.dimension = 2;
    o.noise = NAN;
    CHECK(tacit_synthetic_subspaces(ctx, &o, &again, &same, NULL) == TACIT_E_ARGUMENT && says("nois"
                                                                                              "e"),
          "no noise");
    tacit_free(value);
    tacit_free(label);
    tacit_free(found);
    tacit_data_free(data);
    tacit_model_free(truth);
    tacit_model_free(other);
}

static void test_distance(void)
{
    tacit_model *a = lines(), *b = lines(), *centers = NULL;
    double sine = 0, projector = 0;

    /* b: the same lines in the other order, one of them turned by an angle t in the plane of the
       two. */
    const double t = 0.3, u[] = {0.8, 0.6, 0}, n[] = {-0.6, 0.8, 0};
    for (int j = 0; j < 3; j++) {
        b->subspaces[j] = a->subspaces[3 + j];
        b->subspaces[3 + j] = cos(t) * u[j] + sin(t) * n[j];
    }
    MUST(tacit_subspace_distance(ctx, a, b, &sine, &projector) == TACIT_OK);
    CHECK(fabs(sine - sin(t)) < 1e-12 && fabs(projector - sqrt(2) * sin(t)) < 1e-12, "paired "
                                                                                     "before "
                                                                                     "measured");
    MUST(tacit_subspace_distance(ctx, b, a, NULL, &projector) == TACIT_OK);
    CHECK(fabs(projector - sqrt(2) * sin(t)) < 1e-12, "either way round");
    SET(b->column[1], "x");
    CHECK(tacit_subspace_distance(ctx, a, b, &sine, &projector) == TACIT_E_ARGUMENT && says("column"
                                                                                            " 2"),
          "other columns");
    SET(b->column[1], "b");
    b->geometry.ball = false;
    b->geometry.scale = TACIT_SCALE_RANGE;
    MUST(tac_new(ctx, 3, sizeof(double), &b->geometry.lower) == TACIT_OK &&
         tac_new(ctx, 3, sizeof(double), &b->geometry.upper) == TACIT_OK);
    for (int j = 0; j < 3; j++) b->geometry.upper[j] = 4;
    CHECK(tacit_subspace_distance(ctx, a, b, &sine, &projector) == TACIT_OK &&
              fabs(sine - sin(t)) < 1e-12,
          "one range for all: the same angles");
    b->geometry.upper[2] = 5;
    CHECK(tacit_subspace_distance(ctx, a, b, &sine, &projector) == TACIT_E_ARGUMENT && says("range"
                                                                                            "s"),
          "other ranges, other angles");
    MUST(tac_model_new(ctx, 2, 3, &centers) == TACIT_OK);
    CHECK(tacit_subspace_distance(ctx, a, centers, &sine, &projector) == TACIT_E_ARGUMENT &&
              says("family subspace"),
          "centers have none");
    tacit_model_free(a);
    tacit_model_free(b);
    tacit_model_free(centers);
    a = lines();
    MUST(tac_model_new_subspaces(ctx, 1, 1, 3, &b) == TACIT_OK);
    CHECK(tacit_subspace_distance(ctx, a, b, &sine, &projector) == TACIT_E_ARGUMENT && says("equal "
                                                                                            "number"
                                                                                            "s"),
          "one and two");
    tacit_model_free(a);
    tacit_model_free(b);
}

/* Affine subspaces in original units: rows on a line of a box come back as that line, whatever the
   scale. */
static void test_units(void)
{
    enum { N = 400 };
    double rows[N * 2], largest = 0;
    tacit_subspace_opts o;
    tacit_evaluation e;

    for (int i = 0; i < N; i++) { /* from (20, 1000) to (80, 4000) */
        rows[2 * i] = 20 + 60.0 * i / (N - 1);
        rows[2 * i + 1] = 1000 + 3000.0 * i / (N - 1);
    }
    for (int scale = 0; scale < 2; scale++) {
        tacit_data *data = NULL;
        tacit_model *m = NULL;
        MUST(tacit_data_from_memory(ctx, rows, TACIT_F64, N, 2, &data) == TACIT_OK);
        MUST(tacit_data_set_bounds(ctx, data, (double[]){0, 0}, (double[]){100, 10000}) ==
             TACIT_OK);
        tacit_subspace_opts_init(&o, sizeof o);
        o.k = o.q = 1;
        o.affine = 1;
        o.scale = (tacit_scale)scale;
        MUST(tacit_subspace_plain(ctx, data, &o, &m) == TACIT_OK);
        const double *at = tacit_model_offsets(m), *u = tacit_model_subspaces(m);
        /* In either scale the direction is (60, 3000) divided by it. */
        const double run = 60 / (scale == 0 ? 100.0 : 1), rise = 3000 / (scale == 0 ? 10000.0 : 1);
        largest = fmax(largest, fabs(u[0] * rise - u[1] * run) / hypot(run, rise));
        CHECK(fabs(at[1] - 1000 - 50 * (at[0] - 20)) < 1, "the point (%.1f, %.1f) is on the line",
              at[0], at[1]);
        tacit_evaluation_init(&e, sizeof e);
        MUST(tacit_model_evaluate(ctx, m, data, 0, &e) == TACIT_OK);
        CHECK(e.cost < 1e-6 * (scale == 0 ? 1 : 1e6) &&
                  e.one_mean_cost < 1e-6 * (scale == 0 ? 1 : 1e6),
              "no distance left: %g", e.cost);
        CHECK(!tacit_model_is_private(m) &&
                  strstr(tacit_model_why_not_private(m), "plain solver") != NULL,
              "and it says what it is");
        tacit_model_free(m);
        tacit_data_free(data);
    }
    CHECK(largest < 1e-6, "directions up to %g", largest);
}

int main(void)
{
    MUST(mkdtemp(folder) != NULL && tacit_ctx_new(&ctx) == TACIT_OK);
    test_file();
    test_refusals();
    test_linear();
    test_affine();
    test_union();
    test_distance();
    test_units();
    tacit_ctx_free(ctx);
    leave_folder();
    return tap_done();
}
