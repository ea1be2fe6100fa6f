/* SPDX-License-Identifier: Apache-2.0 */
/* Which children of the active cubes have a noisy count of at least a threshold: a Laplace histogram over count 2^dims
   cubes of which only the rows' own are ever looked at. Proof: cubes.proof.md */
#include "privacy/door_internal.h"
#include "privacy/noise/rare.h"
#include "privacy/noise/wide.h"

#include <stdlib.h>

#define EXPECTED 16 /* about 2^16 empty cubes may pass the threshold */

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
    const tac_u128 least = digits <= EXPECTED ? 1 : (tac_u128)scale * (digits - EXPECTED) * 6932 / 10000 + 1;
    return least > INT64_MAX ? INT64_MAX : (int64_t)least;
}

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

/* A count as it is told: within 64 bits, which noise alone leaves with probability below exp(-250). */
static int64_t told(tac_i128 value)
{
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

/* Cubes with rows: exact count plus noise of their own. */
static tacit_status noise_full(tac_door *door, tac_stream *stream, uint64_t scale, int64_t threshold, const tac_cube *full,
                               int64_t many, survivors *out)
{
    tacit_status status = TACIT_OK;

    for (int64_t i = 0; i < many; i++) {
        tac_cube cube = full[i];
        const tac_i128 noisy = ((tac_i128)cube.count << TAC_COUNT_GRID) + tac_discrete_laplace(stream, scale);
        if (noisy < threshold) continue;
        cube.count = told(noisy);
        TAC_TRY(keep(door->ctx, out, &cube));
    }
done:
    return status;
}

/* Cubes without rows: every cube is kept with the probability of an empty one, and those that hold rows are then left out;
   what is left are independent coins of the empty ones. Noise above the threshold forgets where it began. */
static tacit_status noise_empty(tac_door *door, tac_stream *stream, const tac_rare *rare, const tac_cubes *cubes,
                                int32_t dims, const tac_cube *full, int64_t many, survivors *out)
{
    tacit_status status = TACIT_OK;
    uint64_t at[TAC_GAP_WORDS] = {0}, gap[TAC_GAP_WORDS];
    const uint64_t one[TAC_GAP_WORDS] = {1};

    for (bool first = true; tac_rare_gap(stream, rare, gap); first = false) {
        tac_wide_add(at, gap, TAC_GAP_WORDS); /* both below 2^144, so nothing is carried out while parent < count */
        if (!first) tac_wide_add(at, one, TAC_GAP_WORDS);
        const tac_u128 low = ((tac_u128)at[1] << 64) | at[0], high = ((tac_u128)at[2] << 64) | at[1];
        const tac_u128 parent = dims < 64 ? low >> dims : high >> (dims - 64); /* with dims < 64 at[2] stays 0 */
        if (parent >= (tac_u128)cubes->count) break;
        tac_cube cube = {.parent = (int32_t)parent, .child = low & ((((tac_u128)1) << dims) - 1)};
        if (many > 0 && bsearch(&cube, full, (size_t)many, sizeof *full, tac_by_place) != NULL) continue;
        cube.count = told((tac_i128)cubes->threshold + (tac_i128)tac_geometric(stream, rare->scale));
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

/* For whoever attacks the door. Exact: the whole histogram if it is small, in the order of (parent, child); otherwise
   folded onto a few words, which moves no farther. Noisy: found, then four words for each cube that could have been told,
   then the public numbers that the law of the answer needs: threshold and dims (0: folded). */
enum { WHOLE = 4096, FOLDED = 64, TOLD_WORDS = 4, PUBLIC_WORDS = 2 };

static bool is_whole(const tac_door *door, const tac_cubes *cubes)
{
    const int32_t dims = door->lattice[cubes->view]->dims;
    return dims < 12 && cubes->count <= WHOLE >> dims;
}

static tacit_status show_exact(const tac_door *door, const tac_receipt *receipt, const tac_cubes *cubes,
                               const tac_cube *full, int64_t many)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = door->lattice[cubes->view]->dims;
    const bool whole = is_whole(door, cubes);
    const size_t words = whole ? (size_t)cubes->count << dims : FOLDED;
    uint64_t *word = NULL;

    if (door->probe.exact == NULL) return TACIT_OK;
    TAC_TRY(tac_new(door->ctx, words, sizeof *word, &word));
    for (int64_t i = 0; i < many; i++) {
        const uint64_t parent = (uint64_t)full[i].parent, child = (uint64_t)full[i].child,
            high = (uint64_t)(full[i].child >> 64);
        const uint64_t place = whole ? parent << dims | child : (child * 31 + high + parent * 7) % FOLDED;
        word[place] += (uint64_t)full[i].count << TAC_COUNT_GRID;
    }
    door->probe.exact(door->probe.payload, receipt, word, words);
done:
    tac_free(word);
    return status;
}

static tacit_status show_noisy(tac_door *door, const tac_receipt *receipt, const tac_cubes *cubes, tac_cube *found,
                               int32_t *count)
{
    tacit_status status = TACIT_OK;
    const size_t told = 1 + TOLD_WORDS * (size_t)cubes->most;
    uint64_t *word = NULL;

    if (door->probe.noisy == NULL) return TACIT_OK;
    TAC_TRY(tac_new(door->ctx, told + PUBLIC_WORDS, sizeof *word, &word));
    word[0] = (uint64_t)*count;
    for (int32_t i = 0; i < *count; i++) {
        uint64_t *w = word + 1 + TOLD_WORDS * (size_t)i;
        w[0] = (uint64_t)found[i].parent;
        w[1] = (uint64_t)found[i].child;
        w[2] = (uint64_t)(found[i].child >> 64);
        w[3] = (uint64_t)found[i].count;
    }
    word[told] = (uint64_t)cubes->threshold;
    word[told + 1] = is_whole(door, cubes) ? (uint64_t)door->lattice[cubes->view]->dims : 0;
    door->probe.noisy(door->probe.payload, receipt, word, told + PUBLIC_WORDS);
    *count = (int32_t)word[0];
    for (int32_t i = 0; i < *count; i++) {
        const uint64_t *w = word + 1 + TOLD_WORDS * (size_t)i;
        found[i] = (tac_cube){.parent = (int32_t)w[0], .child = ((tac_u128)w[2] << 64) | w[1], .count = (int64_t)w[3]};
    }
done:
    tac_free(word);
    return status;
}

static bool make_sense(const tac_door *door, const tac_cubes *c)
{
    const tac_lattice *rows = (unsigned)c->view < TAC_VIEWS ? door->lattice[c->view] : NULL;

    if (rows == NULL || rows->start != NULL || rows->dims < 1 || rows->dims > TAC_CUBE_DIMS || c->level < 0 ||
        c->level >= TAC_CUBE_LEVELS ||
        c->count < 1 || c->count > TAC_CUBES_MOST || c->most < 1 || c->most > TAC_CUBES_MOST || c->threshold < 1)
        return false;
    for (int32_t j = 0; j < rows->dims; j++)
        if (c->shift[j] < -32768 || c->shift[j] > 32768) return false;
    for (size_t i = 0; i < (size_t)c->count * (size_t)rows->dims; i++)
        if (c->active[i] < 0 || c->active[i] >= 1 << c->level) return false;
    return true;
}

uint64_t tac_quote_cubes(const tac_terms *terms, uint64_t units)
{
    const tac_sensitivity s = tac_sensitivity_histogram(terms->neighbours, (uint64_t)terms->rows_per_unit);
    return tac_laplace_scale_for(s.l1, tac_pure_for(terms->notion, units));
}

tacit_status tac_door_cubes(tac_door *door, const char *what, uint64_t units, const tac_cubes *cubes, tac_cube *found,
                            int32_t *count)
{
    tacit_status status = TACIT_OK;
    const tac_sensitivity s = tac_sensitivity_histogram(door->neighbours, door->rows_per_unit);
    const tac_terms terms = tac_door_terms(door);
    const uint64_t scale = tac_quote_cubes(&terms, units);
    const tac_receipt *receipt;
    tac_cube *full = NULL;
    int64_t many = 0;
    survivors kept = {0};
    tac_stream stream;
    tac_rare rare;

    *count = 0;
    if (!make_sense(door, cubes)) return tac_fail(door->ctx, TACIT_E_INTERNAL, "a question about cubes makes no sense");
    const int32_t dims = door->lattice[cubes->view]->dims;
    if (scale != 0 && (cubes->threshold < tac_cubes_least(scale, dims, cubes->count) ||
                       (tac_u128)cubes->threshold >= (tac_u128)TAC_RARE_RATIO * scale))
        return tac_fail(door->ctx, TACIT_E_INTERNAL, "the threshold of a question about cubes does not fit its noise");
    TAC_TRY(tac_door_pay_laplace(door, "cubes", what, s.l1, units, cubes->most, &receipt));
    TAC_TRY(tac_cubes_count(door, cubes, &full, &many));
    for (int64_t i = 0; i < many; i++) full[i].count *= (int64_t)door->engine->copies;
    TAC_TRY(show_exact(door, receipt, cubes, full, many));
    const uint64_t query = (uint64_t)(receipt - door->receipt);
    TAC_TRY(tac_stream_open(door->ctx, door->key, query, 0, &stream));
    status = noise_full(door, &stream, receipt->scale, cubes->threshold, full, many, &kept);
    const tacit_status full_drawn = tac_stream_end(door->ctx, &stream);
    if (status == TACIT_OK) status = full_drawn;
    if (status != TACIT_OK) goto done;
    TAC_TRY(tac_stream_open(door->ctx, door->key, query, 1, &stream));
    tac_rare_set(receipt->scale, (uint64_t)cubes->threshold, digits_of(cubes->count, dims), &rare);
    status = noise_empty(door, &stream, &rare, cubes, dims, full, many, &kept);
    const tacit_status empty_drawn = tac_stream_end(door->ctx, &stream);
    if (status == TACIT_OK) status = empty_drawn;
    if (status != TACIT_OK) goto done;
    if (kept.many > 0) qsort(kept.cube, (size_t)kept.many, sizeof *kept.cube, by_count);
    *count = kept.many < cubes->most ? (int32_t)kept.many : cubes->most;
    if (*count > 0) {
        qsort(kept.cube, (size_t)*count, sizeof *kept.cube, tac_by_place);
        for (int32_t i = 0; i < *count; i++) found[i] = kept.cube[i];
    }
    TAC_TRY(show_noisy(door, receipt, cubes, found, count));
done:
    tac_free(full);
    tac_free(kept.cube);
    return status;
}
