/* SPDX-License-Identifier: Apache-2.0 */
/* The LSH tree (Chang, Ghazi, Kumar & Manurangsi 2021): rows go down a tree of random half-spaces
   through the middle of the domain, one direction a level, 20 levels. A node with a noisy count of
   at least three times the least number of rows of a node branches; children below that number are
   dropped, with their rows. The noisy means of the leaves are clustered. Both children of a
   branching node are always asked. As in the authors' program: thresholds, depth, and the ratio of
   the noises, a count's being 20 times as large as a sum's in radii. Different here: counts have
   Gaussian noise with delta > 0 (theirs is discrete Laplace noise, accounted with the Gaussian's
   numerically) and sums Laplace noise with delta = 0 (they have no such variant); levels that
   nobody needs leave their share to the sums; means are moved into the domain. */
#include "cluster/kmeans/literature/noisy_lloyd_step.h"

#include <math.h>

#define LEVELS 20
/* noise of a count in rows over noise of a sum's coordinate in radii */
#define RATIO 20
#define BRANCHING 3 /* a node needs so many times the least to branch */
/* rows of a node over sqrt(d) times the sums' noise: moves its mean by a tenth radius */
#define LOW_NOISE 10
/* far beyond what counts above the thresholds can make; bounds what noise could make */
#define NODES_MOST (1 << 17)
#define NUMBERS_MOST (1 << 26) /* coordinates of all leaves */

typedef struct node {
    int32_t child; /* the first of two neighbors; 0: none */
    double count;
    bool kept;
} node;

typedef struct tree {
    const tac_kmeans_job *job;
    node *at;
    int32_t nodes, room;
    tac_fork *fork;
    int32_t *place;   /* per node: its fork, or -1 - its cell */
    int64_t *answer;  /* per cell */
    int16_t normal[]; /* LEVELS x dims */
} tree;

/* Share of each of the LEVELS + 1 counts. Gaussian: costs are as 1 / noise^2. Laplace: a sum costs
   sqrt(d) / b, a count 1 / 20 b. */
static double count_share(tac_definition definition, int32_t dims)
{
    const double sums = definition == TAC_PURE ? RATIO * sqrt(dims) : RATIO * RATIO;
    return 1 / (LEVELS + 1 + sums);
}

static uint64_t sums_quanta(tac_definition definition, int32_t dims, uint64_t budget)
{
    return tac_share(budget, 1 - (LEVELS + 1) * count_share(definition, dims));
}

/* Rows a node must have: enough for a mean with little noise, but at most half of a cluster's
   share. */
static double least_rows(const tac_privacy_params *params, int32_t dims, uint64_t budget, int32_t k,
                         double rows)
{
    const uint64_t scale =
        tac_quote_sums(params, dims, 1, sums_quanta(params->definition, dims, budget));
    const double sigma = tac_noise_sd(tac_distribution_of(params->definition), scale) / TAC_M;
    return fmax(1, fmin(floor(LOW_NOISE * sqrt(dims) * sigma), floor(rows / (2.0 * k))));
}

static void fell(tree *t)
{
    if (t == NULL) return;
    tac_free(t->at);
    tac_free(t->fork);
    tac_free(t->place);
    tac_free(t->answer);
    tac_free(t);
}

/* The root, and LEVELS random directions from public randomness. The caller fells *out. */
static tacit_status plant(const tac_kmeans_job *job, tree **out)
{
    tacit_status status = TACIT_OK;
    const int32_t dims = job->frame->columns;
    double *direction = NULL;
    tree *t = NULL;

    TAC_TRY(tac_new(job->ctx, sizeof *t + LEVELS * (size_t)dims * sizeof(int16_t), 1, &t));
    t->job = job;
    t->nodes = 1;
    t->room = NUMBERS_MOST / dims < NODES_MOST ? NUMBERS_MOST / dims : NODES_MOST;
    if (t->room < 3) t->room = 3;
    TAC_TRY(tac_scratch(job->ctx, (size_t)t->room, sizeof *t->at, &t->at));
    TAC_TRY(tac_scratch(job->ctx, (size_t)t->room, sizeof *t->fork, &t->fork));
    TAC_TRY(tac_scratch(job->ctx, (size_t)t->room, sizeof *t->place, &t->place));
    TAC_TRY(tac_scratch(job->ctx, (size_t)t->room, sizeof *t->answer, &t->answer));
    t->at[0] = (node){0};
    TAC_TRY(tac_new(job->ctx, (size_t)dims, sizeof *direction, &direction));
    for (int32_t level = 0; level < LEVELS; level++) {
        tac_public_direction(job->random, dims, direction);
        for (int32_t j = 0; j < dims; j++) direction[j] *= TAC_M;
        tac_round_points(direction, (size_t)dims, t->normal + (size_t)level * (size_t)dims);
    }
    *out = t;
    t = NULL;
done:
    tac_free(direction);
    fell(t);
    return status;
}

/* The tree as the door takes it. Children stand after their parents, so forks do too. */
static tac_cells partition(tree *t)
{
    tac_cells cells = {.kind = TAC_FORKS, .fork = t->fork, .normal = t->normal, .normals = LEVELS};
    int32_t *depth = (int32_t *)(void *)t->answer; /* free until the door answers */

    /* below a node that was closed again: nowhere */
    for (int32_t i = 0; i < t->nodes; i++) t->place[i] = INT32_MIN;
    t->place[0] = 0;
    depth[0] = 0;
    for (int32_t i = 0; i < t->nodes; i++) {
        if (t->place[i] == INT32_MIN) continue;
        if (t->at[i].child == 0) {
            t->place[i] = -1 - cells.count++;
            continue;
        }
        t->fork[cells.forks] = (tac_fork){.axis = -1 - depth[i]};
        t->place[i] = cells.forks++;
        for (int32_t side = 0; side < 2; side++) {
            t->place[t->at[i].child + side] = 0;
            depth[t->at[i].child + side] = depth[i] + 1;
        }
    }
    for (int32_t i = 0; i < t->nodes; i++) {
        if (t->place[i] < 0) continue;
        t->fork[t->place[i]].below = t->place[t->at[i].child];
        t->fork[t->place[i]].above = t->place[t->at[i].child + 1];
    }
    if (cells.forks == 0) cells.kind = TAC_ONE_CELL;
    return cells;
}

/* One level more below the nodes from `first` on; *grown: was there any to branch? */
static tacit_status grow(tree *t, int32_t first, double least, uint64_t quanta, bool *grown)
{
    tacit_status status = TACIT_OK;
    const int32_t end = t->nodes;

    for (int32_t i = first; i < end && t->nodes + 2 <= t->room; i++) {
        if (!t->at[i].kept || t->at[i].count < BRANCHING * least) continue;
        t->at[i].child = t->nodes;
        t->at[t->nodes++] = (node){0};
        t->at[t->nodes++] = (node){0};
    }
    *grown = t->nodes > end;
    if (!*grown) goto done;
    const tac_cells cells = partition(t);
    TAC_TRY(tac_door_histogram(t->job->door, "level of the tree", quanta, &cells, t->answer));
    for (int32_t i = end; i < t->nodes; i++) {
        t->at[i].count = ldexp((double)t->answer[-1 - t->place[i]], -TAC_COUNT_GRID);
        t->at[i].kept = t->at[i].count >= least;
    }
    for (int32_t i = first; i < end; i++) /* both too small: the node stays whole */
        if (t->at[i].child > 0 && !t->at[t->at[i].child].kept && !t->at[t->at[i].child + 1].kept)
            t->at[i].child = 0;
done:
    return status;
}

/* The leaves' means, and how they are known. */
static tacit_status read_leaves(tree *t, double count_sd, tac_synopsis *out)
{
    tacit_status status = TACIT_OK;
    const tac_kmeans_job *job = t->job;
    const size_t dims = (size_t)job->frame->columns;
    const tac_cells cells = partition(t);
    int64_t *sums = NULL, leaves = 0;

    TAC_TRY(tac_new(job->ctx, (size_t)cells.count * dims, sizeof *sums, &sums));
    TAC_TRY(tac_door_sums(job->door, "sums of the leaves", tac_door_left(job->door), &cells,
                          TAC_ROWS, 1, sums, t->answer));
    TAC_TRY(tac_synopsis_new(job->ctx, cells.count, job->frame->columns, out));
    for (int32_t i = 0; i < t->nodes; i++) {
        if (t->place[i] >= 0 || t->place[i] == INT32_MIN || !t->at[i].kept) continue;
        const int64_t *sum = sums + (size_t)(-1 - t->place[i]) * dims;
        out->weight[leaves] = fmax(t->at[i].count, 1);
        double *point = out->points + (size_t)leaves * dims;
        for (size_t j = 0; j < dims; j++) point[j] = (double)sum[j] / out->weight[leaves];
        tac_into_domain(job->frame, point);
        leaves++;
    }
    /* at least one: where both children are dropped, the parent stays, and the root is kept */
    out->n = leaves;
    out->weight_sd = count_sd;
    out->sum_sd = tac_last_sd(job->door);
done:
    tac_free(sums);
    return status;
}

/* Queries: count, one histogram per level, sums of the leaves. */
tacit_status tac_lsh_tree(const tac_kmeans_job *job, tac_kmeans_result *out)
{
    tacit_status status = TACIT_OK;
    const tac_privacy_params params = tac_door_params(job->door);
    const int32_t dims = job->frame->columns, k = job->opts->k;
    const uint64_t budget = tac_door_left(job->door),
                   each = tac_share(budget, count_share(params.definition, dims));
    tac_synopsis leaves = {0};
    tree *t = NULL;
    bool grown = true;

    TAC_TRY(plant(job, &t));
    TAC_TRY(tac_count_rows(job, each, &t->at[0].count));
    const double count_sd = ldexp(tac_last_sd(job->door), -TAC_COUNT_GRID);
    const double least = least_rows(&params, dims, budget, k, t->at[0].count);
    t->at[0].kept = true;
    for (int32_t level = 0, first = 0; level < LEVELS && grown; level++) {
        const int32_t next = t->nodes;
        tac_show_progress(job->ctx, "levels of the tree", (double)level / LEVELS);
        TAC_TRY(grow(t, first, least, each, &grown));
        first = next;
    }
    tac_show_progress(job->ctx, "levels of the tree", 1);
    TAC_TRY(read_leaves(t, count_sd, &leaves));
    TAC_TRY(tac_kmeans_result_new(job->ctx, k, dims, out));
    TAC_TRY(tac_synopsis_cluster(job, &leaves, out));
    if (leaves.n < k)
        TAC_TRY(tac_note(job->ctx, &out->notes,
                         "the tree has %d leaves, fewer than the %d centers asked for: the others "
                         "repeat them",
                         (int)leaves.n, k));
done:
    tac_synopsis_clear(&leaves);
    fell(t);
    return status;
}
