/* SPDX-License-Identifier: Apache-2.0 */
/* A release as a page for people. Everything here knows a release by the public header alone, and
   nothing else: a report is as private as the release it was made from. */
#ifndef TAC_REPORT_H
#define TAC_REPORT_H

#include "report/html.h"

/* page.css and page.js, made into texts by the build. */
extern const char tac_page_css[], tac_page_js[];

/* What is drawn of k-means and k-median: the released numbers of one model. Another k of the same
   release is another of these. */
typedef struct tac_profile {
    const tacit_model *model;
    int32_t k, columns;
    const double *center, *center_sd; /* k x columns */
    const double *size;               /* k */
    double size_sd;
    tacit_overall all;
    tacit_domain domain;
} tac_profile;

tac_profile tac_profile_of(const tacit_model *model);
/* The values that column j may take, as declared; of a ball its extent. */
void tac_profile_range(const tac_profile *p, int32_t column, double *low, double *high);
/* A value on the scale that its column is clustered on, and a standard deviation of values near it.
   A release has errors and spreads times the slope of the transform at their own point: those at
   different points compare on this scale alone. */
double tac_profile_clustered(const tac_profile *p, int32_t column, double value);
double tac_profile_clustered_sd(const tac_profile *p, int32_t column, double value, double sd);
/* Is some column clustered by a transform of its values? */
bool tac_profile_is_curved(const tac_profile *p);
/* Where a value lies in the range of its column, 0 .. 1, on the scale it is clustered on; NaN:
   nowhere. */
double tac_profile_place(const tac_profile *p, int32_t column, double value);
/* Is a coordinate mostly noise: its error at least half of how much all rows differ, or, where that
   is not known, an eighth of the range? */
bool tac_profile_is_noise(const tac_profile *p, int32_t cluster, int32_t column);
/* The sum of noisy sizes, and the noise in it; NaN: not known. */
void tac_profile_rows(const tac_profile *p, double *rows, double *sd);
/* A value of a column as its table has it: a date as a date, a share in percent. */
void tac_profile_value(const tac_profile *p, int32_t column, double value, double sd, char *text,
                       size_t size);

/* The same without an error, in as many digits as tell rows apart. */
void tac_profile_short(const tac_profile *p, int32_t column, double value, char *text, size_t size);

/* ---- every page: its head, with a title of our own, and its end ---- */

void tac_report_open(tac_html *html, const char *title);
void tac_report_close(tac_html *html, const char *made_from);
void tac_report_not_private(tac_html *html, const tacit_model *model);

/* ---- parts of the page; each writes what its family has ---- */

void tac_report_cards(tac_html *html, const tac_profile *p);      /* one for each cluster */
void tac_report_heat(tac_html *html, const tac_profile *p);       /* the profile as a map */
void tac_report_table(tac_html *html, const tac_profile *p);      /* the same as a table */
void tac_report_parallel(tac_html *html, const tac_profile *p);   /* parallel coordinates */
void tac_report_choice(tac_html *html, const tacit_model *model); /* how k was chosen */
/* The picture of two columns: where it goes, and the numbers of one cut that it is drawn from.
   Nothing, where there are too many. */
bool tac_report_pair_fits(const tac_profile *p);
void tac_report_pair(tac_html *html, const tac_profile *p);
void tac_report_numbers(tac_html *html, const tac_profile *p);
/* The centers of a release, and those of other k that follow from it, with a slider: as many as
   `room` bytes hold. */
void tac_report_centers(tac_html *html, const tacit_model *model, size_t room);
/* A note of the run that the clusters are none belongs where they are shown: writes it there. */
void tac_report_no_groups(tac_html *html, const tacit_model *model);
void tac_report_subspaces(tac_html *html, const tacit_model *model);
void tac_report_blocks(tac_html *html, const tacit_model *model);
void tac_report_privacy(tac_html *html, const tacit_model *model); /* card and budget */

/* ---- one idiom for maps of cells ---- */

/* A map of cells, each in one of 11 colors, or none (-1), and hatched or not: a path for each
   color, so that ten thousand cells are a few dozen kilobytes. */
typedef struct tac_map {
    const char *class; /* q (pale to dark) or m (below to above) */
    int32_t rows, columns;
    int left, top, wide, high; /* where it begins, and the size of a cell; pixels */
} tac_map;
typedef int (*tac_cell_fn)(const void *payload, int32_t row, int32_t column, bool *hatched);
void tac_report_map(tac_html *html, const tac_map *map, tac_cell_fn cell, const void *payload);

#endif
