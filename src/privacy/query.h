/* SPDX-License-Identifier: Apache-2.0 */
/* A query is a value: what is asked of the rows. It holds public numbers alone and points to no
   row, so it can be written as bytes, sent to whoever holds rows, and read again
   (query_bytes.c). kinds.def has a line for every kind; door.h has a short named function for
   each; ask.c is the one way to an answer. */
#ifndef TAC_QUERY_H
#define TAC_QUERY_H

#include "core/core.h"

typedef enum tac_kind {
#define KIND(name, ...) TAC_KIND_##name,
#include "privacy/kinds.def"
#undef KIND
    TAC_KINDS
} tac_kind;

/* What the columns of kinds.def say. */
typedef enum tac_class { TAC_CLASS_NOISED, TAC_CLASS_SELECTION, TAC_CLASS_DRAW } tac_class;
typedef enum tac_price {
    TAC_PRICE_NOISE,
    TAC_PRICE_LAPLACE,
    TAC_PRICE_EPSILON,
    TAC_PRICE_ALONE
} tac_price;
typedef enum tac_combination {
    TAC_COMBINE_SUM,
    TAC_COMBINE_MERGE,
    TAC_COMBINE_WHOLE
} tac_combination;
typedef enum tac_width { TAC_WORDS_ONE = 1, TAC_WORDS_TWO = 2 } tac_width;
const char *tac_kind_name(tac_kind kind);
tac_class tac_kind_class(tac_kind kind);
tac_price tac_kind_price(tac_kind kind);
/* Numbers in so many words of an exact answer: half as many where a number has two. */
size_t tac_kind_numbers(tac_kind kind, size_t words);

/* What a query looks at: the rows themselves, or their projection (or sketch), which the run has
   placed on a second lattice, row beside row. */
typedef enum tac_view { TAC_ROWS = 0, TAC_PROJECTED = 1, TAC_VIEWS = 2 } tac_view;

/* A public partition. Which cell a row lies in is a function of the row and these public numbers
   alone. */
typedef enum tac_cells_kind {
    TAC_ONE_CELL = 0, /* all rows */
    TAC_NEAREST,      /* the nearest of `count` centers, ties to the lowest; the door clips them */
    TAC_FORKS,        /* the leaf of a binary tree of half-spaces */
    TAC_GRID,         /* a box of equal boxes; rows outside it belong to the nearest of them */
    /* the subspace that holds most of the row: greatest |B_s x|^2 in integers, ties to the
       lowest */
    TAC_SUBSPACES,
    /* the center with the greatest <c, x> + offset_c, ties to the lowest; sparse rows too */
    TAC_ARGMAX
} tac_cells_kind;

/* A node of a tree of half-spaces. */
typedef struct tac_fork {
    int32_t axis;         /* >= 0: compares x_axis; -1 - i: compares <x, normal_i> */
    int64_t at;           /* below if the number is < at */
    int32_t below, above; /* >= 0: the next fork, a higher index than this one's; -1 - c: cell c */
} tac_fork;

/* The members that `kind` does not name are not read. Arrays are borrowed. */
typedef struct tac_cells {
    tac_cells_kind kind;
    tac_view view;          /* where the row is looked at */
    int32_t count;          /* cells, 1 .. 2^24 */
    const int16_t *centers; /* NEAREST, ARGMAX: count x dims; the door clips them */
    const int64_t *offset;  /* ARGMAX: count numbers below 2^32 in size; NULL: 0 */
    const tac_fork *fork;   /* FORKS: the root is fork[0]; count = forks + 1 */
    int32_t forks;
    const int16_t *normal; /* FORKS: normals x dims, clipped by the door */
    int32_t normals;
    const int16_t *low;   /* GRID: dims: the box's lower corner ... */
    const int32_t *width; /* ... its sides, > 0 ... */
    /* ... and into how many each is cut, > 0; count is their product, first axis slowest */
    const int32_t *parts;
    /* SUBSPACES: count x rank x dims: rank vectors of length about M, clipped by the door */
    const int16_t *bases;
    int32_t rank; /* SUBSPACES: vectors of each, 1 .. dims */
} tac_cells;

/* Rows relative to the center of their own cell c: u = (x - center_c) M / radius_c, pulled into
   |u|_2 <= M, rounded. So an answer's noise is relative to the radius of the cell, whatever the
   domain. x as the cells' view sees it. */
typedef struct tac_local {
    const int16_t *centers; /* cells x dims; NULL with TAC_NEAREST: its centers */
    const double *radius;   /* cells: lattice units, > 0 */
    /* lengths are sums of absolute values, |u|_1 <= M: less Laplace noise for sums in many
       columns */
    bool taxicab;
} tac_local;

/* What a joint local query adds up for every cell; a weight of 0 leaves that part out and costs
   nothing. */
typedef struct tac_local_parts {
    uint32_t count; /* every row adds `count` (at most 2^31) ... */
    /* ... or, if soft, floor(count * min(1, radius / |x - center|)): Weiszfeld's weight */
    bool soft;
    uint32_t sum; /* adds sum * u (at most 2^17) */
    bool square;  /* adds |u|^2, grid M^2 */
    bool moments; /* adds the upper triangle of u u^T, grid M^2 */
    /* adds u_j^2 for every column j, grid M^2; one of square, moments, axes, the last two not with
       taxicab */
    bool axes;
} tac_local_parts;

/* Rows of every cell by one coordinate: [low, high) cut into `bins` equal parts, the outer ones
   catching what is beyond. */
typedef struct tac_slice {
    int32_t axis;
    int16_t low, high; /* low < high */
} tac_slice;

/* Cubes of a grid that halves again and again. The root is the cube of side 2^17 about a public
   shift, |shift_j| <= 2^15, so that it holds the whole ball; a cube of level l is one of its 2^(l
   dims) equal parts, named by dims coordinates in [0, 2^l). Query: which children (level + 1) of
   the active cubes have a noisy count of `threshold` or more? There are count 2^dims of them, the
   empty ones are drawn without being looked at, and the distribution is that of looking at each. */
#define TAC_CUBE_LEVELS 17
#define TAC_CUBE_DIMS 120
#define TAC_CUBES_MOST (1 << 20)
/* 2^this children are counted at a time, in 8 bytes each; where one cube has more, those that hold
   rows are, and that may be as many as rows */
#define TAC_CUBES_LISTED 17
typedef struct tac_cubes {
    tac_view view;
    int32_t level;         /* of the active cubes, 0 .. 16 */
    const int32_t *shift;  /* dims */
    const int32_t *active; /* count x dims coordinates, all cubes different */
    int32_t count;         /* 1 .. TAC_CUBES_MOST */
    int64_t threshold;     /* in 2^-20 rows, at least tac_cubes_least, below 4000 noise scales */
    /* at most so many are released: those with the largest noisy counts; 1 .. TAC_CUBES_MOST */
    int32_t most;
} tac_cubes;

/* The state of a Gibbs sampler after `rounds` iterations: subspaces and assignments of density
   exp(a sum |U_z^T x|^2), rows of length 1 at most, IN THE LIMIT of many iterations; before it
   there is no guarantee, and in it one in real arithmetic. Pure accounts only. */
typedef struct tac_gibbs {
    int32_t k, rank, rounds;
    /* from a plain solution of the rows: what is drawn is then NOT private */
    bool start_with_solver;
    tacit_subspace_solver solver; /* which */
    bool labels;                  /* the assignment too: replace only, every row a privacy unit */
    int32_t chains;               /* more than 1: only with a key of the insecure test seed */
} tac_gibbs;

/* Sample and aggregate with a smooth bound (Nissim, Raskhodnikova & Smith 2007; Wang, Wang &
   Singh 2015, Alg. 1, corrected): privacy units fall into parts uniformly at random, a plain
   solver finds k subspaces or k points in each, and the result that most others are near is
   released with noise that suits how near they are. (epsilon, delta)-private by itself, for the
   whole of an account with delta > 0: it must be the first query and leaves nothing for another.
   Proof: parts.proof.md */
typedef struct tac_parts {
    /* k points, by plain k-means: q is 1, and no solver is named; otherwise k subspaces */
    bool points;
    int32_t k, q;
    int32_t parts; /* 3 .. TAC_PARTS_MOST; 0: by tac_parts_rule_for */
    /* a privacy unit falls into Binomial(parts, 1 / parts) parts, at most sqrt(parts); otherwise
       into one */
    bool overlapping;
    tacit_subspace_solver solver;
    int32_t restarts;
    uint64_t seed; /* public: of the solver's starts */
} tac_parts;
#define TAC_PARTS_MOST 1000

/* Arrays are borrowed and must outlive the query; tac_query_read makes queries that own theirs. */
typedef struct tac_query {
    tac_kind kind;
    tac_view values;         /* what is added up of a row */
    int32_t batch;           /* COUNTS: of rows; -1: all of them */
    int32_t dims[TAC_VIEWS]; /* coordinates of the views that are looked at; 0: that one is not */
    tac_cells cells;         /* which rows go together; ONE_CELL: all of them */

    /* Public parameters. A kind reads those that name it, and only those are written down. */
    uint32_t weight;           /* SUMS: of the number of rows, 1 .. 2^20 */
    tac_local local;           /* LOCAL_SUMS, LOCAL_MOMENTS, DISTANCES, PROJECTIONS */
    tac_local_parts parts;     /* LOCAL_SUMS; LOCAL_MOMENTS: with moments or axes */
    int32_t bins;              /* DISTANCES, PROJECTIONS, SLICES: of a cell, 1 .. 2^20 */
    const double *edge;        /* DISTANCES: bins - 1 */
    const int16_t *directions; /* PROJECTIONS: cells.count x dims; CODES: k x dims */
    const tac_slice *slice;    /* SLICES: cells.count */
    /* CENTERS, SUBSPACES: m sets of k; SWAP: m candidates, k centers; CODES: k; rank: vectors of a
       subspace (SUBSPACES, BINGHAM) */
    int32_t m, k, rank;
    bool median;            /* CENTERS, SWAP: by distances, not by their squares */
    bool by_column;         /* BINGHAM */
    const int16_t *centers; /* SWAP: k x dims */
    /* CENTERS: m x k x dims; SUBSPACES: m x k x rank x dims; SWAP: m x dims */
    const int16_t *candidates;
    int64_t rows;    /* COUNTS: public places of rows ... */
    int32_t columns; /* ... and of columns */
    /* labels are 0 .. that - 1; -1 leaves a row or a column out */
    int32_t row_labels, column_labels;
    /* TABLE, COLUMN_LABELS: rows numbers; outside the batch not looked at */
    const int32_t *row_label;
    const int32_t *column_label; /* TABLE, ROW_LABELS: columns numbers */
    /* ROW_LABELS: row_labels x column_labels; COLUMN_LABELS: column_labels x row_labels */
    const int32_t *score;
    tac_cubes cubes; /* CUBES; its view is `values` */
    tac_gibbs gibbs; /* GIBBS */
    tac_parts plan;  /* PARTS */
} tac_query;

/* Refuses a query that makes no sense, whatever rows it is asked of (TACIT_E_INTERNAL;
   TACIT_E_MEMORY: its answer is too large). words: how many the exact answer has; 0: that depends
   on the rows. */
tacit_status tac_query_check(tacit_ctx *ctx, const tac_query *query, size_t *words);

/* ---- query_bytes.c ---- */

/* Versioned bytes, little-endian, the same on every machine. *bytes is the caller's to free. */
tacit_status tac_query_write(tacit_ctx *ctx, const tac_query *query, uint8_t **bytes,
                             size_t *count);
/* And back. What is malformed is refused (TACIT_E_FORMAT), and so is whatever tac_query_check
   refuses. *query owns its arrays: one tac_free of the whole. It does not point into the bytes. */
tacit_status tac_query_read(tacit_ctx *ctx, const uint8_t *bytes, size_t count, tac_query **query);

#endif
