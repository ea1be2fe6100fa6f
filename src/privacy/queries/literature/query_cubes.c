/* SPDX-License-Identifier: Apache-2.0 */
/* Which children of the active cubes have a noisy count of at least a threshold: a Laplace
   histogram over count 2^dims cubes of which only the rows' own are ever looked at. Proof:
   cubes.proof.md */
#include "privacy/kinds.h"
#include "privacy/queries/literature/rare.h"
#include "privacy/noise/wide.h"

#include <stdlib.h>

#define EXPECTED 16 /* about 2^16 empty cubes may pass the threshold */

/* Cubes whose noisy count passed the threshold, in the order in which they were drawn. */
typedef struct survivors {
    tac_cube *cube;
    int64_t many, room;
} survivors;

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

/* Appends a cube, doubling the room. */
static tacit_status keep(tacit_ctx *ctx, survivors *s, const tac_cube *cube)
{
    tacit_status status = TACIT_OK;

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
static tacit_status noise_full(tac_door *door, tac_stream *stream, uint64_t scale,
                               int64_t threshold, const tac_cube *full, int64_t many,
                               survivors *out)
{
    tacit_status status = TACIT_OK;

    for (int64_t i = 0; i < many; i++) {
        tac_cube cube = full[i];
        const tac_i128 noisy =
            ((tac_i128)cube.count << TAC_COUNT_GRID) + tac_discrete_laplace(stream, scale);
        if (noisy < threshold) continue;
        cube.count = told(noisy);
        TAC_TRY(keep(door->ctx, out, &cube));
    }
done:
    return status;
}

/* Cubes without rows: every cube is kept with the probability of an empty one, and those that hold
   rows are then left out; what is left are independent coins of the empty ones. Noise above the
   threshold forgets where it began. */
static tacit_status noise_empty(tac_door *door, tac_stream *stream, const tac_rare *rare,
                                const tac_cubes *cubes, int32_t dims, const tac_cube *full,
                                int64_t many, survivors *out)
{
    tacit_status status = TACIT_OK;
    uint64_t at[TAC_GAP_WORDS] = {0}, gap[TAC_GAP_WORDS];
    const uint64_t one[TAC_GAP_WORDS] = {1};

    for (bool first = true; tac_rare_gap(stream, rare, gap); first = false) {
        /* both below 2^144, so nothing is carried out while parent < count */
        tac_wide_add(at, gap, TAC_GAP_WORDS);
        if (!first) tac_wide_add(at, one, TAC_GAP_WORDS);
        const tac_u128 low = ((tac_u128)at[1] << 64) | at[0],
                       high = ((tac_u128)at[2] << 64) | at[1];
        /* with dims < 64 at[2] stays 0 */
        const tac_u128 parent = dims < 64 ? low >> dims : high >> (dims - 64);
        if (parent >= (tac_u128)cubes->count) break;
        tac_cube cube = {.parent = (int32_t)parent, .child = low & ((((tac_u128)1) << dims) - 1)};
        if (many > 0 && bsearch(&cube, full, (size_t)many, sizeof *full, tac_by_place) != NULL)
            continue;
        cube.count =
            told((tac_i128)cubes->threshold + (tac_i128)tac_geometric(stream, rare->scale));
        TAC_TRY(keep(door->ctx, out, &cube));
        TAC_TRY(tac_check_cancel(door->ctx));
    }
done:
    return status;
}

static int by_count(const void *a, const void *b)
{
    const tac_cube *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : tac_by_place(a, b);
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

/* For the probe alone. Folding adds counts, so two neighbors' words differ by no more than their
   histograms. */
static tacit_status show_exact(const tac_door *door, const tac_receipt *receipt, const tac_query *q,
                               const tac_cube *full, int64_t many)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = tac_dims_of(q);
    const bool whole = is_whole(q);
    const size_t words = whole ? (size_t)q->cubes.count << dims : FOLDED;
    uint64_t *word = NULL;

    if (door->probe.exact == NULL) return TACIT_OK;
    TAC_TRY(tac_new(door->ctx, words, sizeof *word, &word));
    for (int64_t i = 0; i < many; i++) {
        const uint64_t parent = (uint64_t)full[i].parent, child = (uint64_t)full[i].child,
                       high = (uint64_t)(full[i].child >> 64);
        const uint64_t place =
            whole ? parent << dims | child : (child * 31 + high + parent * 7) % FOLDED;
        word[place] += (uint64_t)full[i].count << TAC_COUNT_GRID;
    }
    tac_door_show_exact(door, receipt, word, words);
done:
    tac_free(word);
    return status;
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

/* All cubes that pass the threshold: those with rows, then those without. */
static tacit_status draw_survivors(tac_door *door, const tac_query *q, const tac_receipt *receipt,
                                   const tac_cube *full, int64_t many, survivors *kept)
{
    tacit_status status = TACIT_OK;
    const tac_cubes *cubes = &q->cubes;
    const uint64_t query = tac_door_subkey(door, receipt);
    tac_stream stream;
    tac_rare rare;

    TAC_TRY(tac_stream_open(door->ctx, door->key, query, 0, &stream));
    status = noise_full(door, &stream, receipt->scale, cubes->threshold, full, many, kept);
    const tacit_status full_drawn = tac_stream_end(door->ctx, &stream);
    if (status == TACIT_OK) status = full_drawn;
    if (status != TACIT_OK) goto done;
    TAC_TRY(tac_stream_open(door->ctx, door->key, query, 1, &stream));
    tac_rare_set(receipt->scale, (uint64_t)cubes->threshold,
                 digits_of(cubes->count, tac_dims_of(q)), &rare);
    status = noise_empty(door, &stream, &rare, cubes, tac_dims_of(q), full, many, kept);
    const tacit_status empty_drawn = tac_stream_end(door->ctx, &stream);
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
    const int64_t many = (int64_t)(exact->count / TAC_CUBE_WORDS);
    tac_cube *full = NULL;
    survivors kept = {0};

    TAC_TRY(tac_new(door->ctx, (size_t)many, sizeof *full, &full));
    for (int64_t i = 0; i < many; i++) full[i] = tac_cube_read(exact->word + TAC_CUBE_WORDS * i);
    TAC_TRY(show_exact(door, receipt, q, full, many));
    TAC_TRY(draw_survivors(door, q, receipt, full, many, &kept));
    if (kept.many > 0) qsort(kept.cube, (size_t)kept.many, sizeof *kept.cube, by_count);
    const int64_t told = kept.many < q->cubes.most ? kept.many : q->cubes.most;
    if (told > 0) qsort(kept.cube, (size_t)told, sizeof *kept.cube, tac_by_place);
    answer[0] = (uint64_t)told;
    for (int64_t i = 0; i < told; i++)
        tac_cube_write(&kept.cube[i], answer + 1 + TAC_CUBE_WORDS * i);
    answer[bound->shown - 2] = (uint64_t)q->cubes.threshold;
    answer[bound->shown - 1] = is_whole(q) ? (uint64_t)tac_dims_of(q) : 0;
done:
    tac_free(full);
    tac_free(kept.cube);
    return status;
}
