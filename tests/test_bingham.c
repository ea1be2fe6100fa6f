/* SPDX-License-Identifier: Apache-2.0 */
/* Draws of subspaces: each distribution against numerical integration, against each other, and
   against a long run of the corrected Gibbs sampler of Wang, Wang & Singh (2015), Algorithms 3 and
   4. Every z has the limit ALARM: one false alarm in a million. */
#include "privacy/door.h"
#include "privacy/draws/bingham.h"
#include "privacy/draws/tilted.h"
#include "solve/linalg/eigen.h"
#include "statistics.h"
#include "tap.h"

static tacit_ctx *ctx;
static tac_stream stream;

static void seed(uint64_t number)
{
    tac_key key;
    tac_key_from_insecure_seed(number, &key);
    MUST(tac_stream_open(ctx, &key, 0, 0, &stream) == TACIT_OK);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Kolmogorov's distance of n numbers from the even distribution on (0, 1), times sqrt n; sorts
   them. */
static double even_distance(double *p, long n)
{
    double most = 0;

    qsort(p, (size_t)n, sizeof *p, compare);
    for (long i = 0; i < n; i++)
        most = fmax(most, fmax(p[i] - (double)i / (double)n, (double)(i + 1) / (double)n - p[i]));
    return most * sqrt((double)n);
}

/* P(the distance is larger), Kolmogorov's series. */
static double even_tail(double t)
{
    double sum = 0;
    for (int j = 1; j < 100; j++) sum += (j % 2 ? 2 : -2) * exp(-2 * j * j * t * t);
    return t < 0.2 ? 1 : fmin(1, fmax(0, sum));
}

/* ---- plain distributions ---- */

static void test_plain(void)
{
    enum { N = 20000 };
    static double x[N];

    seed(1);
    for (int i = 0; i < N; i++) x[i] = tac_draw_uniform(&stream);
    CHECK(even_distance(x, N) < 2.7, "uniform numbers are even (Kolmogorov, false alarm 1e-6)");
    CHECK(x[0] > 0 && x[N - 1] < 1, "and never 0 or 1");
    tac_draw_normals(&stream, N, x);
    for (int i = 0; i < N; i++) x[i] = 0.5 * erfc(-x[i] / sqrt(2));
    CHECK(even_distance(x, N) < 2.7, "normals are normal");
    for (int s = 0; s < 4; s++) {
        const double shape = (double[]){0.5, 0.3, 1, 7.5}[s];
        double m1 = 0, m2 = 0;
        for (int i = 0; i < N; i++) {
            const double g = tac_draw_gamma(&stream, shape);
            m1 += g / N;
            m2 += g * g / N;
        }
        const double v2 = shape * (shape + 1) * ((shape + 2) * (shape + 3) - shape * (shape + 1));
        CHECK(fabs(m1 - shape) < ALARM * sqrt(shape / N) &&
                  fabs(m2 - shape * (shape + 1)) < ALARM * sqrt(v2 / N),
              "gamma of shape %g has its first two moments", shape);
    }
}

/* ---- the distribution of one coordinate ---- */

/* The distribution of phi = acos(sqrt x): density sin^(2k+1)(phi) exp(a cos^2 phi), by the
   trapezium rule on points close to both ends. */
enum { HALF = 8000, GRID = 2 * HALF + 1 };
static double at[GRID], below[GRID];

static void make_table(double k, double a)
{
    static double f[GRID];
    double most = -INFINITY;

    at[0] = 0;
    for (int i = 1; i <= HALF; i++) at[i] = M_PI / 4 * pow(1e-8, (double)(HALF - i) / (HALF - 1));
    for (int i = HALF + 1; i < GRID; i++) at[i] = M_PI / 2 - at[GRID - 1 - i];
    for (int i = 0; i < GRID; i++) {
        const double c = cos(at[i]);
        f[i] = (k > -0.5 ? (2 * k + 1) * log(sin(at[i])) : 0) + a * c * c;
        most = fmax(most, f[i]);
    }
    below[0] = 0;
    for (int i = 1; i < GRID; i++)
        below[i] =
            below[i - 1] + (exp(f[i] - most) + exp(f[i - 1] - most)) / 2 * (at[i] - at[i - 1]);
    for (int i = 0; i < GRID; i++) below[i] /= below[GRID - 1];
}

static double chance_below(double phi)
{
    int low = 0, high = GRID - 1;

    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (at[middle] <= phi)
            low = middle;
        else
            high = middle;
    }
    return below[low] + (below[high] - below[low]) * (phi - at[low]) / (at[high] - at[low]);
}

static void test_tilted(void)
{
    static const double ks[] = {-.5, 0, .5, 1, 2.5, 7, 19.5, 50, 200},
                        sizes[] = {0, .1, 1, 5, 10, 20, 40, 100, 1e3, 1e4, 1e5};
    enum { N = 4000, CELLS = 9 * 21 };
    static double p[N], tail[CELLS];
    double least = 1, worst = 1;
    int cells = 0, seen[4] = {0};
    bool inside = true;

    seed(2);
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++)
        for (int j = 0; j < 21; j++) {
            const double k = ks[i], a = j < 11 ? sizes[j] : -sizes[j - 10];
            long tries = 0;
            tac_tilted t;
            make_table(k, a);
            tac_tilted_open(k, a, &t);
            seen[t.mirror ? 3 : (int)t.kind]++;
            for (int n = 0; n < N; n++) {
                double x, rest;
                do tries++;
                while (!tac_tilted_try(&t, &stream, &x, &rest));
                inside = inside && x >= 0 && x <= 1 && rest >= 0 && rest <= 1 &&
                         fabs(x + rest - 1) < 1e-15;
                p[n] = chance_below(atan2(sqrt(rest), sqrt(x)));
            }
            least = fmin(least, (double)N / (double)tries);
            worst = fmin(worst, tail[cells++] = even_tail(even_distance(p, N)));
        }
    CHECK(inside, "one coordinate: numbers within [0, 1]");
    CHECK(worst > 1e-8,
          "distribution of one coordinate in all %d cells of (k, a): smallest p %.2g (false alarm "
          "2e-6)",
          cells, worst);
    CHECK(even_distance(tail, cells) < 2.7, "and over the cells the p are even (false alarm 1e-6)");
    CHECK(least > 0.6, "no cell accepts less than 0.6 of its proposals: %.3f", least);
    CHECK(seen[0] > 0 && seen[1] > 0 && seen[2] > 0 && seen[3] > 0,
          "every envelope is in use: %d %d %d, mirrored %d", seen[0], seen[1], seen[2], seen[3]);
}

/* ---- one vector ---- */

/* E u_1^2 for exp(c u_1^2) in d = 2 and 3, by Simpson's rule. */
static double mean_square(double c, int d)
{
    double above = 0, under = 0;

    for (int i = 0; i <= 20000; i++) {
        const double angle = M_PI * i / 20000, x = cos(angle) * cos(angle),
                     weight = i == 0 || i == 20000 ? 1
                              : i % 2              ? 4
                                                   : 2;
        const double f = weight * exp(c * (x - (c > 0))) * (d == 3 ? sin(angle) : 1);
        above += f * x;
        under += f;
    }
    return above / under;
}

static void test_vector(void)
{
    enum { N = 40000 };
    static const double strength[] = {0, 0.5, 3, 20, 400};

    seed(3);
    for (int d = 2; d <= 3; d++)
        for (size_t s = 0; s < sizeof strength / sizeof *strength; s++) {
            tac_axis axis;
            double u[3], sum = 0, squares = 0;
            long tries = 0;
            MUST(tac_axis_open(ctx, d, &axis) == TACIT_OK);
            axis.b[0] = strength[s] / 2; /* the axis (1, 1) / sqrt 2 */
            axis.b[1] = axis.b[d] = strength[s] / 2;
            axis.b[d + 1] = strength[s] / 2;
            tac_axis_ready(&axis, 0);
            for (int n = 0; n < N; n++) {
                do tries++;
                while (!tac_axis_try(&axis, &stream, 0, u));
                const double x = (u[0] + u[1]) * (u[0] + u[1]) / 2;
                sum += x / N;
                squares += x * x / N;
            }
            const double z = (sum - mean_square(strength[s], d)) / sqrt((squares - sum * sum) / N);
            CHECK(fabs(z) < ALARM && tries < 3 * N,
                  "vector in %d dimensions, concentration %g: z %.2f, %.2f accepted", d,
                  strength[s], z, (double)N / (double)tries);
            tac_axis_close(&axis);
        }

    /* At right angles to given vectors: the third coordinate of four is taken, then the
       distribution is that of the others. */
    tac_axis axis;
    double basis[8] = {0, 0, 1, 0}, sum = 0, squares = 0, crooked = 0;
    MUST(tac_axis_open(ctx, 4, &axis) == TACIT_OK);
    axis.b[0] = 3;
    axis.b[10] = 50;
    axis.b[2] = axis.b[8] = 5;
    double spare[4];
    tac_deflate(axis.b, 4, basis, spare);
    CHECK(axis.b[10] == 0 && axis.b[2] == 0 && axis.b[0] == 3, "deflating takes a vector out of a "
                                                               "matrix");
    tac_axis_ready(&axis, 1);
    for (int n = 0; n < N; n++) {
        while (!tac_axis_try(&axis, &stream, 1, basis)) {
        }
        sum += basis[4] * basis[4] / N;
        squares += pow(basis[4], 4) / N;
        crooked = fmax(crooked, fabs(basis[6]));
    }
    const double z = (sum - mean_square(3, 3)) / sqrt((squares - sum * sum) / N);
    CHECK(fabs(z) < ALARM && crooked < 1e-15, "a vector at right angles to another: z %.2f", z);
    tac_axis_close(&axis);
}

/* ---- whole subspaces ---- */

typedef struct distribution {
    int32_t d, q;
    double lambda[10];
} distribution;

static const distribution distributions[] = {{2, 1, {4, 0}},
                                             {3, 1, {5, 2, 0}},
                                             {3, 2, {6, 4, 0}},
                                             {4, 1, {9, 6, 5, 0}},
                                             {5, 3, {8, 7, 6, 2, 0}},
                                             {5, 3, {70, 67, 65, 10, 0}},
                                             {6, 2, {9, 7, 6, 5, 4, 0}},
                                             {6, 3, {300, 200, 150, 140, 60, 0}},
                                             {10, 3, {46, 42, 38, 6, 5, 4, 3, 2, 1, 0}}};

typedef struct moments {
    double mean[10], square[10], mean_error[10], square_error[10]; /* of diag(U U^T) */
} moments;

/* Means and their standard errors from `blocks` blocks, which hold what correlation there is. */
enum { BLOCKS = 40 };
static void add_state(const double *u, const distribution *l, double part[BLOCKS][20], long block,
                      long in_block)
{
    for (int32_t i = 0; i < l->d; i++) {
        double x = 0;
        for (int32_t r = 0; r < l->q; r++) x += u[r * l->d + i] * u[r * l->d + i];
        part[block][i] += x / (double)in_block;
        part[block][10 + i] += x * x / (double)in_block;
    }
}

static void sum_up(double part[BLOCKS][20], const distribution *l, moments *out)
{
    for (int32_t i = 0; i < 20; i++) {
        double mean = 0, spread = 0;
        if (i % 10 >= l->d) continue;
        for (int b = 0; b < BLOCKS; b++) mean += part[b][i] / BLOCKS;
        for (int b = 0; b < BLOCKS; b++)
            spread += (part[b][i] - mean) * (part[b][i] - mean) / (BLOCKS - 1);
        (i < 10 ? out->mean : out->square)[i % 10] = mean;
        (i < 10 ? out->mean_error : out->square_error)[i % 10] = sqrt(spread / BLOCKS);
    }
}

/* With 40 blocks a z has the tails of Student's t: 6.3 for one in a million with 2 x 39 degrees of
   freedom, about. */
#define ALARM_BLOCKS 6.3

static double farthest(const moments *a, const moments *b, const distribution *l)
{
    double most = 0;

    for (int32_t i = 0; i < l->d; i++) {
        most = fmax(most, fabs(a->mean[i] - b->mean[i]) /
                              (hypot(a->mean_error[i], b->mean_error[i]) + 1e-12));
        most = fmax(most, fabs(a->square[i] - b->square[i]) /
                              (hypot(a->square_error[i], b->square_error[i]) + 1e-12));
    }
    return most;
}

/* Algorithm 4, corrected: one coordinate at a time, the directions of the others kept. y: D
   numbers. */
static void sweep_vector(double *y, const double *lambda, int32_t dims)
{
    for (int32_t i = 0; i < dims; i++) {
        double rest = 0, mean = 0, x, other;
        for (int32_t j = 0; j < dims; j++)
            if (j != i) rest += y[j] * y[j];
        if (rest < 1e-300) continue;
        for (int32_t j = 0; j < dims; j++)
            if (j != i) mean += y[j] * y[j] / rest * lambda[j];
        tac_draw_tilted(&stream, (dims - 3) / 2.0, lambda[i] - mean, &x, &other);
        for (int32_t j = 0; j < dims; j++) y[j] *= sqrt(other / rest);
        y[i] = (tac_word(&stream) & 1 ? 1 : -1) * sqrt(x);
    }
}

/* Algorithm 3: one column at a time in the complement of the others. */
static void sweep_matrix(double *u, const distribution *l)
{
    const int32_t d = l->d, q = l->q, D = d - q + 1;
    double frame[100], b[100], values[10], vectors[100], y[10];

    for (int32_t r = 0; r < q; r++) {
        int32_t many = 0;
        for (int32_t s = 0; s < q; s++)
            if (s != r) memcpy(frame + (many++) * d, u + s * d, (size_t)d * sizeof *u);
        /* any basis of the complement: this vector and others */
        memcpy(frame + many * d, u + r * d, (size_t)d * sizeof *u);
        if (D > 1) tac_draw_frame(&stream, q, D - 1, d, frame);
        const double *n = frame + many * d;
        for (int32_t i = 0; i < D; i++)
            for (int32_t j = 0; j < D; j++) {
                b[i * D + j] = 0;
                for (int32_t c = 0; c < d; c++)
                    b[i * D + j] += n[i * d + c] * l->lambda[c] * n[j * d + c];
            }
        MUST(tac_top_eigen(ctx, b, D, D, values, vectors) == TACIT_OK);
        for (int32_t i = 0; i < D; i++) y[i] = vectors[i]; /* E^T e_1: the vector as it is */
        sweep_vector(y, values, D);
        for (int32_t c = 0; c < d; c++) {
            u[r * d + c] = 0;
            for (int32_t i = 0; i < D; i++)
                for (int32_t e = 0; e < D; e++)
                    u[r * d + c] += n[i * d + c] * vectors[i * D + e] * y[e];
        }
    }
    tac_orthonormal(0, q, d, u);
}

static void run_gibbs(const distribution *l, long sweeps, moments *out)
{
    double u[100], part[BLOCKS][20] = {{0}};
    const long each = sweeps / BLOCKS;

    tac_draw_frame(&stream, 0, l->q, l->d, u);
    for (int i = 0; i < 200; i++) sweep_matrix(u, l);
    for (long i = 0; i < each * BLOCKS; i++) {
        sweep_matrix(u, l);
        add_state(u, l, part, i / each, each);
    }
    sum_up(part, l, out);
}

/* q = 1 in 2 and 3 dimensions, by integration: E u_i^2 and E u_i^4. */
static void integrate(const distribution *l, moments *out)
{
    double total = 0;

    *out = (moments){0};
    for (int i = 0; i < 600; i++)
        for (int j = 0; j < (l->d == 3 ? 600 : 1); j++) {
            const double a = 2 * M_PI * (i + .5) / 600, z = l->d == 3 ? (j + .5) / 300 - 1 : 0,
                         r = sqrt(1 - z * z);
            const double x[3] = {r * cos(a), r * sin(a), z};
            double exponent = 0;
            for (int32_t c = 0; c < l->d; c++) exponent += l->lambda[c] * x[c] * x[c];
            const double f = exp(exponent);
            total += f;
            for (int32_t c = 0; c < l->d; c++) out->mean[c] += f * x[c] * x[c];
            for (int32_t c = 0; c < l->d; c++) out->square[c] += f * pow(x[c], 4);
        }
    for (int32_t c = 0; c < l->d; c++) out->mean[c] /= total, out->square[c] /= total;
}

/* N accepted draws with one envelope; their moments, the share accepted, and Z = share x mass, the
   same for all envelopes. */
static bool run_exact(const distribution *l, int kind, bool complement, long n, moments *out,
                      double *share, double *log_z, double *highest)
{
    double u[100], part[BLOCKS][20] = {{0}};
    const long each = n / BLOCKS;
    tac_grassmann *g = NULL;
    double sum = 0;
    long tries = 0;

    MUST(tac_grassmann_open(ctx, l->lambda, l->d, l->q, &g) == TACIT_OK);
    bool good = kind < 0 || tac_grassmann_force(g, (tac_envelope)kind, complement);
    for (long got = 0; good && got < each * BLOCKS; tries++) {
        double chance;
        MUST(tac_grassmann_propose(g, &stream, u, &chance) == TACIT_OK);
        *highest = fmax(*highest, chance);
        sum += exp(chance);
        if (tries == 3000 && sum < 3) good = false; /* too rarely accepted to look at */
        if (log(tac_draw_uniform(&stream)) < chance) add_state(u, l, part, got++ / each, each);
    }
    *share = sum / (double)tries;
    *log_z = log(*share) + tac_grassmann_log_mass(g);
    sum_up(part, l, out);
    tac_grassmann_close(g);
    return good;
}

static void test_matrix(void)
{
    double highest = -INFINITY;
    int envelopes = 0;

    seed(4);
    for (size_t c = 0; c < sizeof distributions / sizeof *distributions; c++) {
        const distribution *l = &distributions[c];
        const long n = tap_times(4000);
        moments gibbs, whole, exact;
        double share, log_z, first_z, z = 0, shift = 0;
        if (l->q == 1 && l->d <= 3)
            integrate(l, &gibbs);
        else
            run_gibbs(l, tap_times(4000), &gibbs);
        MUST(run_exact(l, -1, false, n, &whole, &share, &first_z, &highest));
        const double best = share;
        CHECK(farthest(&whole, &gibbs, l) < ALARM_BLOCKS,
              "subspaces (%d of %d, distribution %zu) have the moments of %s: z %.1f, %.3f "
              "accepted",
              l->q, l->d, c, l->q == 1 && l->d <= 3 ? "the integral" : "a long Gibbs run",
              farthest(&whole, &gibbs, l), best);
        for (int kind = 0; kind < 3; kind++)
            for (int complement = 0; complement < 2; complement++) {
                if (!run_exact(l, kind, complement, n / 2, &exact, &share, &log_z, &highest))
                    continue;
                envelopes++;
                z = fmax(z, farthest(&exact, &gibbs, l));
                /* a share from n accepted draws is known to about 1 / sqrt n; six of these, and
                   chance within an envelope varies */
                shift = fmax(shift, fabs(log_z - first_z));
            }
        CHECK(z < ALARM_BLOCKS && shift < 0.25,
              "distribution %zu: all envelopes give that distribution (z %.1f) and one mass (off "
              "by %.2f)",
              c, z, shift);
    }
    CHECK(envelopes > 25, "%d envelopes were looked at", envelopes);
    CHECK(highest < 1e-9, "no proposal has a chance above 1: the highest is exp(%.2g)", highest);
}

/* tr U^T A U = sum of the first q - sum (a_j - a_(q+i)) Y_ij^2 for U = [(I - Y'Y)^(1/2); Y], and
   proposals are orthonormal: the chart's own proposals are looked at, whose last coordinates are Y.
   Envelopes hold for any spectrum. */
static void test_chart(void)
{
    double crooked = 0, off = 0, highest = -INFINITY;
    bool finite = true;

    seed(5);
    for (int round = 0; round < 3000; round++) {
        const int32_t d = 2 + (int32_t)tac_below(&stream, 9),
                      q = 1 + (int32_t)tac_below(&stream, (uint64_t)d - 1);
        double lambda[10], u[100], chance;
        const double size = exp(10 * tac_draw_uniform(&stream) - 2);
        tac_grassmann *g = NULL;
        for (int32_t i = 0; i < d; i++)
            lambda[i] = round % 7 == 0 ? (i < q ? size : 0) : size * tac_draw_uniform(&stream);
        if (round % 11 == 0) memset(lambda, 0, sizeof lambda);
        for (int32_t i = 0; i < d; i++)
            for (int32_t j = i + 1; j < d; j++)
                if (lambda[j] > lambda[i]) {
                    const double swap = lambda[i];
                    lambda[i] = lambda[j];
                    lambda[j] = swap;
                }
        MUST(tac_grassmann_open(ctx, lambda, d, q, &g) == TACIT_OK);
        for (int kind = 0; kind < 6; kind++) {
            if (!tac_grassmann_force(g, (tac_envelope)(kind % 3), kind / 3)) continue;
            MUST(tac_grassmann_propose(g, &stream, u, &chance) == TACIT_OK);
            finite = finite && !isnan(chance);
            highest = fmax(highest, chance);
            if (kind != TAC_ENVELOPE_CHART || !isfinite(chance)) continue;
            double trace = 0, chart = 0;
            for (int32_t r = 0; r < q; r++)
                for (int32_t i = 0; i < d; i++) {
                    trace += lambda[i] * u[r * d + i] * u[r * d + i];
                    if (i < q) chart += r == i ? lambda[i] : 0;
                    if (i >= q) chart -= (lambda[r] - lambda[i]) * u[r * d + i] * u[r * d + i];
                }
            for (int32_t r = 0; r < q; r++)
                for (int32_t s = 0; s <= r; s++) {
                    double dot = 0;
                    for (int32_t i = 0; i < d; i++) dot += u[r * d + i] * u[s * d + i];
                    crooked = fmax(crooked, fabs(dot - (r == s)));
                }
            /* The identity is about the chart's basis; a proposal of the far part has another, of
               which it says nothing. */
            if (fabs(u[q > 1 ? 1 : 0] - u[q > 1 ? d : 0]) < 1e-14)
                off = fmax(off, fabs(trace - chart) / (1 + fabs(trace)));
        }
        tac_grassmann_close(g);
    }
    CHECK(finite, "chances are numbers for any spectrum, zeros included");
    CHECK(highest < 1e-7, "every envelope covers its distribution: the highest chance is exp(%.2g)",
          highest);
    CHECK(crooked < 1e-12, "proposals are orthonormal: off by %.2g", crooked);
    CHECK(off < 1e-11, "the exponent in the chart is what the identity says: off by %.2g", off);
}

/* ---- whether whole subspaces can be drawn at all ---- */

/* Spectra that the choice does not try: powers of the number of a direction, halves, one strong
   direction, a few. */
static double other_spectrum(int kind, int32_t i, int32_t rank)
{
    if (kind < 3) return pow(i + 1, -1.0 - kind);
    if (kind == 3) return pow(2, -i);
    return i < (kind == 4 ? 1 : (rank + 1) / 2) ? 1 : 1e-3;
}

static double accepted(int kind, int32_t dims, int32_t rank, double total)
{
    enum { MOST = 50 };
    const int times = 40000 / dims; /* few proposals make up most of the mean */
    static double u[MOST * MOST];
    double lambda[MOST], sum = 0, share = 0;
    tac_grassmann *g = NULL;

    for (int32_t i = 0; i < dims; i++) sum += lambda[i] = other_spectrum(kind, i, rank);
    for (int32_t i = 0; i < dims; i++) lambda[i] *= total / sum;
    MUST(tac_grassmann_open(ctx, lambda, dims, rank, &g) == TACIT_OK);
    seed(1);
    for (int i = 0; i < times; i++) {
        double chance;
        MUST(tac_grassmann_propose(g, &stream, u, &chance) == TACIT_OK);
        share += exp(chance) / times;
    }
    tac_grassmann_close(g);
    return share;
}

/* A draw that is called feasible ends soon for these too: pictures of faces have such spectra, and
   their draws did not end. */
static void test_feasible(void)
{
    static const int32_t dims[] = {5, 10, 50}, ranks[] = {2, 3, 9};
    double least = 1;
    int whole = 0, apart = 0;

    for (int d = 0; d < 3; d++)
        for (int q = 0; q < 3; q++)
            for (double total = 9; total < 1e4 && ranks[q] < dims[d] - 1; total *= 3) {
                bool feasible;
                MUST(tac_bingham_feasible(ctx, dims[d], ranks[q], 1, total, &feasible) == TACIT_OK);
                feasible ? whole++ : apart++;
                for (int kind = 0; kind < 6 && feasible; kind++)
                    least = fmin(least, accepted(kind, dims[d], ranks[q], total));
            }
    CHECK(least > 1e-3 && whole > 10 && apart > 10,
          "whole subspaces are drawn only where proposals are accepted: %.2g of them or more in %d "
          "of %d cases",
          least, whole, whole + apart);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    test_plain();
    test_tilted();
    test_vector();
    test_chart();
    test_matrix();
    test_feasible();
    tacit_ctx_free(ctx);
    return tap_done();
}
