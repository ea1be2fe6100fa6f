/* SPDX-License-Identifier: Apache-2.0 */
/* A frame: a public map from a raw row to the integer lattice. It may round as it likes: it is a
   pure function of (row, public numbers), and the integer clip after it enforces the norm bound
   whatever it did. A run makes its first frame from the declared domain (frame_make.c); a method
   makes later ones from noisy answers. */
#ifndef TAC_FRAME_H
#define TAC_FRAME_H

#include "data/dataset/dataset.h"

/* The radius of the lattice ball: every point X has |X|_2 <= TAC_M, exactly, in integers. */
#define TAC_M 32767

/* First half: the declared domain. Second half: what a run has learned (and paid for) since;
   absent in a first frame. All of it is public. The frame owns its arrays: tac_frame_clear. */
typedef struct tac_frame {
    int32_t columns; /* of a raw row */
    /* of a lattice point: columns, one more with a constant, or fewer behind a basis or a sketch */
    int32_t dims;
    /* rows outside the ball are pulled radially onto it; a box moves each value */
    bool ball;
    double *lower, *upper; /* box: raw values are first moved into [lower, upper] */
    double *center;        /* then centered: a missing value becomes 0 here */
    double *scale;         /* lattice units per raw unit, > 0, per column */
    /* a last coordinate of the first lattice, the same for all rows; 0: none */
    double constant;

    /* tac_frame_first numbers: the new middle, in units of the first lattice; NULL in a first
       one */
    double *shift;
    double zoom; /* the ball of radius M / zoom about the new middle fills the lattice */
    /* tac_frame_first x dims: z -> basis^T z, orthonormal columns; NULL: none */
    double *basis;
    /* columns: a sketch adds sign_j z_j to coordinate bucket_j; NULL: none */
    int32_t *bucket;
    double *sign;
    /* coordinates of the sketch: dims, or behind it a basis of sketch x dims goes on */
    int32_t sketch;
    /* sketch: the new middle seen in the sketch, in units of the first lattice; NULL: 0 */
    double *middle;
    /* where a row of zeros lands: sketch numbers, or dims; NULL in a first frame */
    double *rest;
    bool moved; /* some shift is not 0: then a row of zeros is not all zeros here */

    int32_t sparsity; /* sparse rows keep so many of their values, the largest; 0: all */

    /* rows of counts, and how they are placed: of the first half only columns, dims and ball (true)
       are then in use; NULL: any other frame. Owned, with its arrays */
    struct tac_weighing *counts;
    /* dims of them: coordinate i is the number of the bin that a value of one column lies in; only
       columns and dims are then in use; NULL: any other frame. Owned */
    struct tac_bins *bins;
} tac_frame;

/* How a row of counts a becomes a point: v_g = sum of weight_j f(a_j) over the columns j with
   group_j = g, then point = round(v M / max(|v|, least)), clipped. Every number here is public. A
   frame can follow (tac_frame_zoom, tac_frame_sketch) unless there are groups or the taxicab. */
typedef enum tac_count_value {
    TAC_LOGARITHM = 0, /* f(a) = log2(1 + a): one more of an item moves it by 1 at most */
    TAC_COUNT = 1,     /* f(a) = a */
    TAC_ANY = 2        /* f(a) = 1 if a > 0 */
} tac_count_value;
typedef struct tac_weighing {
    tac_count_value value;
    /* columns, in 2^-16, at most 2^16; 0 leaves a column out; NULL: all 2^16 */
    const uint32_t *weight;
    /* columns: 0 .. dims - 1, not looked at where the weight is 0; NULL: each its own, dims =
       columns */
    const int32_t *group;
    int32_t dims;
    /* a row keeps so many of its entries, those of the largest weight f(a), ties to the lowest
       column; 0: all */
    int32_t most;
    /* in 2^-16: a row shorter than this keeps its length; 0: every row that is not empty fills the
       ball */
    uint32_t least;
    /* |v| is the sum of the v_g, not the root of the sum of squares; point then has |point|_1 <= M
       too */
    bool taxicab;
    bool dense; /* the lattice is dense: for few dims */
} tac_weighing;
/* The first frame of counts: logarithms, every row fills the ball. Rows of counts are >= 0 on the
   lattice. */
tacit_status tac_frame_of_counts(tacit_ctx *ctx, int32_t columns, tac_frame *out);
/* A later one. Copies all; refuses numbers that make no frame. With `least` the point is cut down,
   not rounded, and M is taken 2^-19 smaller: then the clip has nothing to do, and
   tac_frame_entry_reach need not allow for it. */
tacit_status tac_frame_weigh(tacit_ctx *ctx, int32_t columns, const tac_weighing *weighing,
                             tac_frame *out);
/* How far a point moves, in L2 and lattice units, when one count of its row moves by 1: an integer
   bound, proved in counts_frame.proof.md; sqrt 2 M where there is nothing better (no `least`, or a
   cut by `most`: one count may then put another column in the place of one). 0: not a first frame
   of counts. */
uint32_t tac_frame_entry_reach(const tac_frame *frame);
/* How far x x^T moves then, in the Frobenius norm. */
uint64_t tac_frame_entry_squares(const tac_frame *frame);

/* The bins of one column, for histograms of it where its bounds are not known (bins.proof.md). A
   value is first moved into [least, most]. Then, if there are edges, its bin is how many of them
   are not above it, 0 .. edges, and edges + 1 if it is missing; otherwise its octave: 0 within
   2^-332 of 0, i for 2^(i - 333) <= x < 2^(i - 332), -i for -x, TAC_OCTAVES for all beyond, and
   TAC_OCTAVES + 1 if it is missing. All numbers are public. */
enum { TAC_OCTAVES = 664, TAC_BINS_COLUMNS = 2048 };
typedef struct tac_bins {
    int32_t column;     /* of the raw row */
    double least, most; /* may be infinite */
    int32_t edges;      /* at most TAC_OCTAVES; 0: octaves */
    const double *edge; /* in ascending order */
} tac_bins;
/* Coordinate i of a point is the bin of the value of bins[i].column. At most TAC_BINS_COLUMNS, so
   that no point is clipped. Copies bins; refuses numbers that make no frame. Dense rows only, and
   no frame can follow. */
tacit_status tac_frame_of_bins(tacit_ctx *ctx, int32_t columns, const tac_bins *bins, int32_t count,
                               tac_frame *out);
int16_t tac_bin_of(const tac_bins *bins, double value);
/* The least number of an octave, -TAC_OCTAVES .. TAC_OCTAVES + 1; of the outermost: where they
   begin, and would end. */
double tac_octave_edge(int32_t octave);

/* Coordinates of the first lattice. */
static inline int32_t tac_frame_first(const tac_frame *frame)
{
    return frame->columns + (frame->constant > 0);
}

/* The first frame of a data set: the declared domain fills the lattice ball.
   Box, range:  scale_j = M / (h_j sqrt(d)),        h_j half the range of column j
   Box, none:   scale_j = M / sqrt(h_1^2 + ... + h_d^2)
   With weights or categories (tac_domain_spread): the same in weighted coordinates.
   Ball:        scale_j = M / radius */
tacit_status tac_frame_from_domain(tacit_ctx *ctx, const tac_domain *domain, int32_t dims,
                                   tacit_scale scale, tac_frame *out);
/* The first frame for rows that stay sparse: 0 stays 0. A box is not centered, and columns keep
   their scales relative to each other; the largest norm that the domain allows fills the lattice
   ball, with at most `sparsity` values that are not 0 if that is declared; 0: it is not. */
tacit_status tac_frame_for_sparse(tacit_ctx *ctx, const tac_domain *domain, int32_t dims,
                                  tacit_scale scale, int32_t sparsity, tac_frame *out);
/* A first frame gets one more coordinate, M / sqrt 2 for every row, and the others shrink by sqrt 2
   to make room for it: so affine subspaces of the rows are linear ones of the lattice. Dense rows
   only, and no sketch can follow. */
void tac_frame_add_constant(tac_frame *first);
/* The first frame of the same domain followed by y -> P ((y - shift) zoom), pulled into the ball. P
   is the identity, basis^T (tac_frame_first(first) x dims numbers; NULL: none) or a sketch (bucket,
   sign: columns each; NULL: none). Copies all. Numbers that make no frame (not finite, no zoom, a
   bucket that is not there) are refused. */
tacit_status tac_frame_zoom(tacit_ctx *ctx, const tac_frame *first, const double *shift,
                            double zoom, int32_t dims, const double *basis, const int32_t *bucket,
                            const double *sign, tac_frame *out);
/* The first frame followed by a sketch and, if there is a basis (sketch x dims), by it: y ->
   basis^T ((S (y - shift) - middle) zoom), (S y)_b = sum of sign_j y_j over the columns j with
   bucket_j = b; pulled into the ball. Copies all. */
typedef struct tac_sketch {
    int32_t size;          /* coordinates of the sketch */
    const int32_t *bucket; /* columns: 0 .. size - 1 */
    const double *sign;    /* columns: 1 or -1 */
} tac_sketch;
tacit_status tac_frame_sketch(tacit_ctx *ctx, const tac_frame *first, const tac_sketch *sketch,
                              const double *shift /* columns; NULL: 0 */,
                              const double *middle /* size; NULL: 0 */, double zoom,
                              const double *basis /* NULL: none, and dims is size */, int32_t dims,
                              tac_frame *out);
void tac_frame_clear(tac_frame *frame);

/* frame_bytes.c: versioned bytes, little-endian, the same on every machine, the caller's to free. A
   frame that is read places every row as the one that was written does. What is malformed or makes
   no frame is refused (TACIT_E_FORMAT). */
tacit_status tac_frame_write(tacit_ctx *ctx, const tac_frame *frame, uint8_t **bytes,
                             size_t *count);
tacit_status tac_frame_read(tacit_ctx *ctx, const uint8_t *bytes, size_t count, tac_frame *out);

/* First frame: point_j = round((x_j - center_j) scale_j), clipped so that |point|_2 <= TAC_M; NaN
   -> 0. A later frame goes on as above before it rounds. scratch: tac_frame_scratch(frame) doubles,
   NULL for a first frame but of counts. */
void tac_frame_apply(const tac_frame *frame, const double *row, double *scratch, int16_t *point);
size_t tac_frame_scratch(const tac_frame *frame);
/* The same for a sparse row, `count` entries of ascending features, in a frame where 0 is the
   middle of the domain. A frame that projects fills a point of dims; any other must not be moved
   and gives a sparse point: the entries that are kept, their number returned, feature and value
   overwritten. Where both serve a row, both give the same point, but for the order of a moved
   projection's sums. A frame of counts takes counts, weighs and adds them up by group, and gives a
   dense point if it says so. scratch: sketch + dims doubles. */
int32_t tac_frame_apply_sparse(const tac_frame *frame, int32_t *feature, double *value,
                               int32_t count, double *scratch, int16_t *point);
bool tac_frame_projects(const tac_frame *frame);
/* a sparse row becomes a dense point: a projection, or counts with `dense` */
bool tac_frame_dense(const tac_frame *frame);
/* The same for n dense rows, one after the other; points: n x stride, padding zero. The same bits
   from every code path. scratch: so many doubles. */
void tac_frame_apply_rows(const tac_frame *frame, const double *rows, int64_t n, double *scratch,
                          int16_t *points, int32_t stride);
size_t tac_frame_rows_scratch(const tac_frame *frame);
/* From a later frame back to the first: shift + P^T z / zoom. For a sketch that is only an
   estimate. */
void tac_frame_lift(const tac_frame *frame, const double *lattice, double *first);
/* The same the other way, for public points: P ((y - shift) zoom), not pulled, not rounded. */
void tac_frame_lower(const tac_frame *frame, const double *first, double *lattice);
/* First frames: lattice coordinates (real: a mean, say) without rounding, and back to original
   units inside the domain. to_lattice treats a row as apply does, before rounding; from_lattice
   does not look at a constant. Counts have no way back: from_lattice copies dims numbers. */
void tac_frame_to_lattice(const tac_frame *frame, const double *row, double *lattice);
void tac_frame_from_lattice(const tac_frame *frame, const double *lattice, double *row);
/* Was the row inside the declared domain? For the owner's evaluation only. */
bool tac_frame_inside(const tac_frame *frame, const double *row);

/* Shrink the point so that sum x_j^2 <= TAC_M^2 exactly. Integers only: clip.proof.md. */
void tac_clip(int16_t *point, int32_t dims);
/* ... so that sum |x_j| <= TAC_M exactly. */
void tac_clip_taxicab(int16_t *point, int32_t dims);

#endif
