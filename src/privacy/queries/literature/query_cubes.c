/* SPDX-License-Identifier: Apache-2.0 */
/* Which children of the active cubes have a noisy count of at least a threshold: a Laplace
   histogram over count 2^dims cubes of which only the rows' own are ever looked at. Proof:
   cubes.proof.md */
#include "privacy/kinds.h"
#include "privacy/queries/literature/rare.h"
#include "privacy/noise/wide.h"

#include <stdlib.h>

#define EXPECTED 16 /* about 2^16 empty cubes may pass the threshold */

/* Cubes whose noisy count passed the threshold: at least the `most` largest of those seen. */
typedef struct survivors {
    tac_cube *cube;
    int64_t many, room, most;
} survivors;

/* A draw that goes from part to part, each a range of active cubes: the cubes of it that hold rows,
   and of both streams how far they are. PRIVATE. */
typedef struct drawing {
    tac_door *door;
    const tac_query *query;
    tac_stream full_noise, empty_noise;
    tac_rare rare;
    uint64_t at[TAC_GAP_WORDS]; /* the next cube that an empty one would pass at ... */
    tac_cube next;              /* ... by its place; count 0 */
    bool ended;                 /* there is none */
    tac_cube *full;
    int64_t many;
    uint64_t *shown; /* for the probe; NULL: there is none */
    survivors kept;
} drawing;

/* Binary digits of a number of things below count 2^dims. */
static unsigned digits_of(int32_t count, int32_t dims)
{
    unsigned digits = (unsigned)dims;
    for (int64_t more = count - 1; more > 0; more >>= 1) digits++;
    return digits;
}

/* count 2^dims exp(-threshold / scale) <= 2^16, rounded up: 0.6932 > ln 2. */
int64_t tac_cubes_least(uint64_t scale, int32_t dims, int32_t count)
{
    const unsigned digits = digits_of(count, dims);
    const tac_u128 least =
        digits <= EXPECTED ? 1 : (tac_u128)scale * (digits - EXPECTED) * 6932 / 10000 + 1;
    return least > INT64_MAX ? INT64_MAX : (int64_t)least;
}

static int by_count(const void *a, const void *b)
{
    const tac_cube *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : tac_by_place(a, b);
}

/* Appends a cube. Beyond twice `most` all but the largest are dropped: which those are does not
   depend on the order. */
static tacit_status keep(tacit_ctx *ctx, survivors *s, const tac_cube *cube)
{
    tacit_status status = TACIT_OK;

    if (s->many == 2 * s->most) {
        qsort(s->cube, (size_t)s->many, sizeof *s->cube, by_count);
        s->many = s->most;
    }
    if (s->many == s->room) {
        const int64_t room = s->room < 64 ? 64 : 2 * s->room;
        TAC_TRY(tac_grow(ctx, &s->cube, (size_t)room, sizeof *s->cube));
        s->room = room;
    }
    s->cube[s->many++] = *cube;
done:
    return status;
}

/* A count as it is released: clamped to 64 bits, which noise alone exceeds with probability
   below exp(-250). */
static int64_t told(tac_i128 value)
{
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

/* Cubes with rows: exact count plus noise of their own. */
static tacit_status noise_full(drawing *d, uint64_t scale)
{
    tacit_status status = TACIT_OK;

    for (int64_t i = 0; i < d->many; i++) {
        tac_cube cube = d->full[i];
        const tac_i128 noisy =
            ((tac_i128)cube.count << TAC_COUNT_GRID) + tac_discrete_laplace(&d->full_noise, scale);
        if (noisy < d->query->cubes.threshold) continue;
        cube.count = told(noisy);
        TAC_TRY(keep(d->door->ctx, &d->kept, &cube));
    }
done:
    return status;
}

/* Where the next cube stands that an empty one would pass at: a gap behind the last one. */
static void go_on(drawing *d, bool first)
{
    const uint64_t one[TAC_GAP_WORDS] = {1};
    const int32_t dims = tac_dims_of(d->query);
    uint64_t gap[TAC_GAP_WORDS];

    d->ended = d->ended || !tac_rare_gap(&d->empty_noise, &d->rare, gap);
    if (d->ended) return;
    /* both below 2^144, so nothing is carried out while parent < count */
    tac_wide_add(d->at, gap, TAC_GAP_WORDS);
    if (!first) tac_wide_add(d->at, one, TAC_GAP_WORDS);
    const tac_u128 low = ((tac_u128)d->at[1] << 64) | d->at[0],
                   high = ((tac_u128)d->at[2] << 64) | d->at[1];
    /* with dims < 64 at[2] stays 0 */
    const tac_u128 parent = dims < 64 ? low >> dims : high >> (dims - 64);
    d->ended = parent >= (tac_u128)d->query->cubes.count;
    if (!d->ended)
        d->next =
            (tac_cube){.parent = (int32_t)parent, .child = low & ((((tac_u128)1) << dims) - 1)};
}

/* Cubes without rows, of active cubes before `end`: every cube is kept with the probability of an
   empty one, and those that hold rows are then left out; what is left are independent coins of the
   empty ones. Noise above the threshold forgets where it began. */
static tacit_status noise_empty(drawing *d, int32_t end)
{
    tacit_status status = TACIT_OK;

    for (; !d->ended && d->next.parent < end; go_on(d, false)) {
        tac_cube cube = d->next;
        if (d->many > 0 &&
            bsearch(&cube, d->full, (size_t)d->many, sizeof cube, tac_by_place) != NULL)
            continue;
        cube.count = told((tac_i128)d->query->cubes.threshold +
                          (tac_i128)tac_geometric(&d->empty_noise, d->rare.scale));
        TAC_TRY(keep(d->door->ctx, &d->kept, &cube));
        TAC_TRY(tac_check_cancel(d->door->ctx));
    }
done:
    return status;
}

/* For whoever attacks the door. Exact: the whole histogram if it is small, in the order of
   (parent, child); otherwise folded onto a few words, which moves no farther. Noisy: found, then
   four words for each cube that could have been released, then the public numbers that the
   distribution of the answer needs: threshold and dims (0: folded). */
enum { WHOLE = 4096, FOLDED = 64, PUBLIC_WORDS = 2 };

static bool is_whole(const tac_query *q)
{
    return tac_dims_of(q) < 12 && q->cubes.count <= WHOLE >> tac_dims_of(q);
}

static size_t shown_words(const tac_query *q)
{
    return is_whole(q) ? (size_t)q->cubes.count << tac_dims_of(q) : FOLDED;
}

/* For the probe alone. Folding adds counts, so two neighbors' words differ by no more than their
   histograms. */
static void note_exact(drawing *d)
{
    const int32_t dims = tac_dims_of(d->query);
    const bool whole = is_whole(d->query);

    for (int64_t i = 0; i < d->many && d->shown != NULL; i++) {
        const tac_cube *cube = &d->full[i];
        const uint64_t parent = (uint64_t)cube->parent, child = (uint64_t)cube->child,
                       high = (uint64_t)(cube->child >> 64);
        const uint64_t place =
            whole ? parent << dims | child : (child * 31 + high + parent * 7) % FOLDED;
        d->shown[place] += (uint64_t)cube->count << TAC_COUNT_GRID;
    }
}

/* Bounds of every coordinate: `locate` shifts by them without looking. */
tacit_status tac_cubes_check(tacit_ctx *ctx, const tac_query *q, size_t *words)
{
    const tac_cubes *c = &q->cubes;
    const int32_t dims = tac_dims_of(q);
    bool good = q->cells.kind == TAC_ONE_CELL && q->values == q->cells.view &&
                dims <= TAC_CUBE_DIMS && c->level >= 0 && c->level < TAC_CUBE_LEVELS &&
                c->count >= 1 && c->count <= TAC_CUBES_MOST && c->most >= 1 &&
                c->most <= TAC_CUBES_MOST && c->threshold >= 1 && c->shift != NULL &&
                c->active != NULL;

    for (int32_t j = 0; good && j < dims; j++) good = c->shift[j] >= -32768 && c->shift[j] <= 32768;
    for (size_t i = 0; good && i < (size_t)c->count * (size_t)dims; i++)
        good = c->active[i] >= 0 && c->active[i] < 1 << c->level;
    *words = 0;
    return good ? TACIT_OK : tac_no_sense(ctx, "a list of cubes");
}

uint64_t tac_quote_cubes(const tac_privacy_params *params, uint64_t quanta)
{
    const tac_sensitivity s =
        tac_sensitivity_histogram(params->neighbors, (uint64_t)params->rows_per_unit);
    return tac_laplace_scale_for(s.l1, tac_pure_for(params->definition, quanta));
}

/* A histogram's sensitivity. The threshold must be large enough that few empty cubes pass, and
   small enough for tac_rare_set. */
tacit_status tac_cubes_bound(const tac_door *door, const tac_query *q, tac_bound *out)
{
    const tac_cubes *cubes = &q->cubes;
    const tac_privacy_params params = tac_door_params(door);
    const uint64_t scale = tac_quote_cubes(&params, out->quanta);

    out->s = tac_sensitivity_histogram(door->neighbors, door->rows_per_unit);
    out->answers = cubes->most;
    out->shown = 1 + TAC_CUBE_WORDS * (size_t)cubes->most + PUBLIC_WORDS;
    if (scale != 0 && (cubes->threshold < tac_cubes_least(scale, tac_dims_of(q), cubes->count) ||
                       (tac_u128)cubes->threshold >= (tac_u128)TAC_RARE_RATIO * scale))
        return tac_fail(door->ctx, TACIT_E_INTERNAL,
                        "the threshold of a query about cubes does not fit its noise");
    return TACIT_OK;
}

/* d->full = the cubes of these words; `first` is the active cube that they call 0. */
static tacit_status take(drawing *d, const tac_words *exact, int32_t first)
{
    tacit_status status = TACIT_OK;

    tac_free(d->full);
    d->full = NULL;
    d->many = (int64_t)(exact->count / TAC_CUBE_WORDS);
    TAC_TRY(tac_new(d->door->ctx, (size_t)d->many, sizeof *d->full, &d->full));
    for (int64_t i = 0; i < d->many; i++) {
        d->full[i] = tac_cube_read(exact->word + TAC_CUBE_WORDS * i);
        d->full[i].parent += first;
    }
    note_exact(d);
done:
    return status;
}

/* The cubes with rows of active cubes first .. end - 1, from the rows. */
static tacit_status look(drawing *d, int32_t first, int32_t end)
{
    tacit_status status = TACIT_OK;
    tac_query part = *d->query;
    tac_words exact = {0};

    part.cubes.active += (size_t)first * (size_t)tac_dims_of(&part);
    part.cubes.count = end - first;
    TAC_TRY(tac_door_exact(d->door, &part, &exact));
    TAC_TRY(take(d, &exact, first));
done:
    tac_free(exact.word);
    return status;
}

/* All cubes that pass the threshold, part by part: those with rows from one stream, those without
   from another. Parts are in the order of cubes, so both go on where they were, and no draw depends
   on how large parts are. */
static tacit_status draw_survivors(drawing *d, const tac_receipt *receipt, const tac_words *exact)
{
    tacit_status status = TACIT_OK;
    tacit_ctx *ctx = d->door->ctx;
    const tac_cubes *cubes = &d->query->cubes;
    const int32_t part = tac_cubes_part(d->query), step = part == 0 ? cubes->count : part;
    const uint64_t query = tac_door_subkey(d->door, receipt);

    TAC_TRY(tac_stream_open(ctx, d->door->key, query, 0, &d->full_noise));
    status = tac_stream_open(ctx, d->door->key, query, 1, &d->empty_noise);
    if (status != TACIT_OK) {
        tac_stream_close(&d->full_noise);
        goto done;
    }
    tac_rare_set(receipt->scale, (uint64_t)cubes->threshold,
                 digits_of(cubes->count, tac_dims_of(d->query)), &d->rare);
    go_on(d, true);
    for (int32_t first = 0; status == TACIT_OK && first < cubes->count; first += step) {
        const int32_t end = cubes->count - first < step ? cubes->count : first + step;
        status = part == 0 ? take(d, exact, 0) : look(d, first, end);
        if (status == TACIT_OK) status = noise_full(d, receipt->scale);
        if (status == TACIT_OK) status = noise_empty(d, end);
    }
    const tacit_status full_drawn = tac_stream_end(ctx, &d->full_noise),
                       empty_drawn = tac_stream_end(ctx, &d->empty_noise);
    if (status == TACIT_OK) status = full_drawn;
    if (status == TACIT_OK) status = empty_drawn;
done:
    return status;
}

/* answer: how many cubes are released, four words for each of `most`; then for the audit the
   threshold, and dims if its exact words are whole */
tacit_status tac_cubes_draw(tac_door *door, const tac_query *q, const tac_bound *bound,
                            const tac_receipt *receipt, const tac_words *exact, uint64_t *answer)
{
    tacit_status status = TACIT_OK;
    drawing *d = NULL; /* two streams are large */

    TAC_TRY(tac_new(door->ctx, 1, sizeof *d, &d));
    d->door = door;
    d->query = q;
    d->kept.most = q->cubes.most;
    if (door->probe.exact != NULL)
        TAC_TRY(tac_new(door->ctx, shown_words(q), sizeof *d->shown, &d->shown));
    TAC_TRY(draw_survivors(d, receipt, exact));
    if (d->shown != NULL) tac_door_show_exact(door, receipt, d->shown, shown_words(q));
    survivors *kept = &d->kept;
    if (kept->many > 0) qsort(kept->cube, (size_t)kept->many, sizeof *kept->cube, by_count);
    const int64_t told = kept->many < kept->most ? kept->many : kept->most;
    if (told > 0) qsort(kept->cube, (size_t)told, sizeof *kept->cube, tac_by_place);
    answer[0] = (uint64_t)told;
    for (int64_t i = 0; i < told; i++)
        tac_cube_write(&kept->cube[i], answer + 1 + TAC_CUBE_WORDS * i);
    answer[bound->shown - 2] = (uint64_t)q->cubes.threshold;
    answer[bound->shown - 1] = is_whole(q) ? (uint64_t)tac_dims_of(q) : 0;
done:
    if (d != NULL) {
        tac_free(d->full);
        tac_free(d->shown);
        tac_free(d->kept.cube);
    }
    tac_free(d);
    return status;
}
