/* SPDX-License-Identifier: Apache-2.0 */
/* A co-clustering as a picture: the table with its rows and columns in clusters, drawn from the
   release alone. The width of a block shows the weight of its column cluster, the height that of
   its row cluster, the shade its lift: its counts against those expected if rows and columns were
   independent. Plain SVG, without references. */
#include "../cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 560.0 /* of the square of blocks */
#define LEFT 150.0
#define TOP 96.0
#define LEAST 0.02 /* of the side: no cluster is thinner */
#define STRONG 2.0 /* log2 of the lift that gets the full color */
#define NAMES 5
#define LONGEST_NAME 18
#define WORDS 112 /* characters of a line */

typedef struct picture {
    const tacit_model *model;
    FILE *out;
    int32_t k, l, width;
    const double *table;
    double *row, *column, total; /* masses, not below 0 */
    double *top, *left;          /* k + 1 and width + 1 edges, 0 .. SIDE */
    int32_t *order;              /* column clusters from left to right */
    int32_t *telling;            /* width x NAMES */
    bool narrowed;               /* the rest is drawn narrower than it is */
} picture;

/* Text for XML: plain characters, with the three that XML reserves escaped. */
void cli_svg_text(FILE *out, const char *text)
{
    char plain[512];

    snprintf(plain, sizeof plain, "%s", text);
    tacit_text_make_plain(plain); /* what is left are characters that XML allows */
    for (const char *p = plain; *p != '\0'; p++) {
        if (*p == '&')
            fputs("&amp;", out);
        else if (*p == '<')
            fputs("&lt;", out);
        else if (*p == '>')
            fputs("&gt;", out);
        else
            fputc(*p, out);
    }
}

/* A sentence in lines of at most WORDS characters, two at most. */
static void put_lines(FILE *out, const char *text, double y, const char *color)
{
    for (int line = 0; line < 2 && *text != '\0'; line++, y += 15) {
        char part[512];
        size_t length = strlen(text);
        snprintf(part, sizeof part, "%s", text);
        cli_cut(part, WORDS);
        if (strlen(part) < length) {
            char *blank = strrchr(part, ' ');
            if (blank != NULL && line == 0) *blank = '\0';
        }
        length = strlen(part);
        fprintf(out, "<text x=\"16\" y=\"%.0f\" fill=\"%s\">", y, color);
        cli_svg_text(out, part);
        fputs("</text>\n", out);
        text += length;
        while (*text == ' ') text++;
    }
}

/* A count of the released table; noise may have made it negative. */
static double block(const picture *p, int32_t a, int32_t b)
{
    return fmax(p->table[(int64_t)a * p->width + b], 0);
}

/* t_kl T / (t_k. t_.l): 1 where the clusters are independent. */
static double lift(const picture *p, int32_t a, int32_t b)
{
    const double expected = p->row[a] * p->column[b];
    return expected > 0 ? block(p, a, b) * p->total / expected : 1;
}

/* Masses of rows, of columns, and of all. */
static void add_up(picture *p)
{
    for (int32_t a = 0; a < p->k; a++)
        for (int32_t b = 0; b < p->width; b++) {
            p->row[a] += block(p, a, b);
            p->column[b] += block(p, a, b);
            p->total += block(p, a, b);
        }
}

/* Column clusters in the order of the row cluster they go with best, so that strong blocks lie
   along the diagonal; the rest last. */
static void arrange(picture *p)
{
    int32_t at = 0;

    for (int32_t a = 0; a < p->k; a++)
        for (int32_t b = 0; b < p->l; b++) {
            int32_t best = 0;
            for (int32_t i = 1; i < p->k; i++) best = lift(p, i, b) > lift(p, best, b) ? i : best;
            if (best == a) p->order[at++] = b;
        }
    if (p->width > p->l) p->order[at] = p->l;
}

/* Edges of parts in proportion to their masses, none below LEAST of the side. order NULL: as they
   come. */
static void cut_side(const double *mass, const int32_t *order, int32_t count, double *edge)
{
    double sum = 0, total = 0;

    for (int32_t i = 0; i < count; i++) total += mass[i];
    const double least = fmin(LEAST, 0.5 / count);
    for (int32_t i = 0; i < count; i++) sum += fmax(total > 0 ? mass[i] / total : 0, least);
    edge[0] = 0;
    for (int32_t i = 0; i < count; i++) {
        const double share = total > 0 ? mass[order == NULL ? i : order[i]] / total : 0;
        edge[i + 1] = edge[i] + SIDE * fmax(share, least) / sum;
    }
}

/* The rest may hold nearly all counts and shows nearly nothing: it is drawn no wider than a quarter
   of the side. */
static void cut_columns(picture *p)
{
    const double rest = p->width > p->l ? p->column[p->l] : 0, others = p->total - rest;

    p->narrowed = rest > others / 3 && others > 0;
    if (p->narrowed) p->column[p->l] = others / 3;
    cut_side(p->column, p->order, p->width, p->left);
    if (p->width > p->l) p->column[p->l] = rest;
}

/* White for a lift of 1, blue above, sand below. */
static void put_color(FILE *out, double lifted)
{
    const double strength = fmax(-1, fmin(1, log2(fmax(lifted, 1e-9)) / STRONG)),
                 s = fabs(strength);
    const double full[2][3] = {{20, 70, 140}, {214, 186, 140}};
    const double *to = full[strength < 0];

    fprintf(out, "#%02x%02x%02x", (unsigned)lrint(255 + s * (to[0] - 255)),
            (unsigned)lrint(255 + s * (to[1] - 255)), (unsigned)lrint(255 + s * (to[2] - 255)));
}

/* A rectangle a block; the lift as a number where there is room for it. */
static void draw_blocks(const picture *p)
{
    for (int32_t a = 0; a < p->k; a++)
        for (int32_t i = 0; i < p->width; i++) {
            const double high = p->top[a + 1] - p->top[a], wide = p->left[i + 1] - p->left[i],
                         lifted = lift(p, a, p->order[i]);
            fprintf(p->out,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" stroke=\"#888\" "
                    "stroke-width=\"0.5\" fill=\"",
                    LEFT + p->left[i], TOP + p->top[a], wide, high);
            /* the rest is what could not be placed: its lift says nothing, and often is noise */
            if (p->order[i] == p->l)
                fputs("#eee", p->out);
            else
                put_color(p->out, lifted);
            fputs("\"/>\n", p->out);
            if (wide < 34 || high < 16 || p->order[i] == p->l) continue;
            fprintf(p->out,
                    "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"%s\">%.2f</text>\n",
                    LEFT + p->left[i] + wide / 2, TOP + p->top[a] + high / 2 + 4,
                    log2(fmax(lifted, 1e-9)) > STRONG / 2 ? "#fff" : "#222", lifted);
        }
}

/* Row clusters at the left, with their noisy sizes; column clusters above. */
static void draw_labels(const picture *p)
{
    const double *size = tacit_model_sizes(p->model);

    for (int32_t a = 0; a < p->k; a++) {
        fprintf(p->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">rows %d", LEFT - 8,
                TOP + (p->top[a] + p->top[a + 1]) / 2 + 4, (int)a);
        if (isfinite(size[a])) fprintf(p->out, " (%.0f)", fmax(size[a], 0) + 0.0);
        fputs("</text>\n", p->out);
    }
    for (int32_t i = 0; i < p->width; i++) {
        const bool rest = p->order[i] == p->l;
        fprintf(p->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                LEFT + (p->left[i] + p->left[i + 1]) / 2, TOP - 8);
        if (rest)
            fputs("rest", p->out);
        else
            fprintf(p->out, "%d", (int)p->order[i]);
        fputs("</text>\n", p->out);
    }
    fprintf(p->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">column clusters</text>\n",
            LEFT + SIDE / 2, TOP - 28);
}

/* Below the blocks: some columns of each cluster. Returns where it ends. */
static double draw_legend(const picture *p)
{
    double y = TOP + SIDE + 28;
    char name[128];

    for (int32_t i = 0; i < p->width && i < 40; i++, y += 17) {
        const int32_t *list = p->telling + (int64_t)p->order[i] * NAMES;
        fprintf(p->out, "<text x=\"%.1f\" y=\"%.1f\">", LEFT, y);
        if (p->order[i] == p->l)
            fputs("rest: columns that could not be placed", p->out);
        else
            fprintf(p->out, "columns %d: ", (int)p->order[i]);
        for (int n = 0; n < NAMES && list[n] >= 0 && p->order[i] != p->l; n++) {
            if (n > 0) fputs(", ", p->out);
            cli_svg_text(p->out,
                         cli_column_name(p->model, list[n], LONGEST_NAME, name, sizeof name));
        }
        fputs(p->order[i] == p->l ? "</text>\n"
              : list[0] < 0       ? "none</text>\n"
                                  : ", ...</text>\n",
              p->out);
    }
    return y;
}

/* The whole picture, top to bottom: title, guarantee, blocks, legend. */
static void draw(const picture *p)
{
    const double lines = (p->width < 40 ? p->width : 40), high = TOP + SIDE + 28 + 17 * lines + 40,
                 wide = LEFT + SIDE + 30;
    const bool private = tacit_model_is_private(p->model);
    char words[512];

    fprintf(p->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 "
            "0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            wide, high, wide, high);
    fprintf(p->out, "<text x=\"16\" y=\"26\" font-size=\"16\">%d x %d blocks, method ", (int)p->k,
            (int)p->l);
    cli_svg_text(p->out, tacit_model_method(p->model));
    fputs("</text>\n", p->out);
    snprintf(words, sizeof words, "%s%s", private ? "" : "NOT PRIVATE: ",
             private ? tacit_model_guarantee(p->model) : cli_why_not_private(p->model));
    put_lines(p->out, words, 46, private ? "#222" : "#b00");
    draw_blocks(p);
    draw_labels(p);
    const double y = draw_legend(p);
    fprintf(p->out,
            "<text x=\"%.1f\" y=\"%.1f\" fill=\"#555\">Sizes: share of the %s%s. Number, shade: "
            "times as many as if they were independent.</text>\n</svg>\n",
            LEFT - 134, y + 12, tacit_model_table_unit(p->model),
            p->narrowed ? ", the rest drawn narrower" : "");
}

/* One block for the numbers, one for the indices. False: no memory; both are freed by the
   caller. */
static bool make_room(picture *p)
{
    const size_t high = (size_t)p->k, wide = (size_t)p->width;

    p->row = calloc(2 * (high + wide + 1), sizeof *p->row);
    p->order = calloc(wide * (1 + NAMES), sizeof *p->order);
    if (p->row == NULL || p->order == NULL) return false;
    p->column = p->row + high;
    p->top = p->column + wide;
    p->left = p->top + high + 1;
    p->telling = p->order + wide;
    return true;
}

/* Writes the file or nothing. The model must be a co-clustering. */
int cli_write_picture(const cli *c, const tacit_model *model, const char *path)
{
    picture p = {.model = model, .k = tacit_model_k(model), .l = tacit_model_l(model)};
    cli_sink sink = {0};
    int code = EXIT_OK;

    p.table = tacit_model_table(model, &p.width);
    if (!make_room(&p)) CLI_TRY(cli_no_memory(c));
    add_up(&p);
    arrange(&p);
    cut_side(p.row, NULL, p.k, p.top);
    cut_columns(&p);
    cli_telling_columns(model, NAMES, p.telling);
    CLI_TRY(cli_sink_open(c, path, false, &sink));
    p.out = sink.file;
    draw(&p);
    CLI_TRY(cli_sink_close(c, &sink));
done:
    cli_sink_abandon(&sink);
    free(p.row);
    free(p.order);
    return code;
}
