/* SPDX-License-Identifier: Apache-2.0 */
/* What the two files about several releases share. */
#ifndef TAC_REPORT_COMPARE_H
#define TAC_REPORT_COMPARE_H

#include "report/report.h"

/* Releases in their order. A track is a group followed through them. */
typedef struct tac_series {
    tac_profile *release;
    int32_t count;
    tacit_comparison **step; /* of neighbors; of more than two, the last of the ends */
    int32_t *track;          /* tracks x count: the group's number in each release, or -1 */
    int32_t tracks;
} tac_series;

/* Follows the groups; free series->track. */
tacit_status tac_series_follow(tacit_ctx *ctx, tac_series *series);
/* "Group 0, then 2, then 0". */
void tac_series_name(tac_html *html, const tac_series *series, int32_t track);
/* Every track with its sizes; and every number that changed from one release to the next. */
void tac_report_tracks(tac_html *html, const tac_series *series);
void tac_report_steps(tac_html *html, const tac_series *series);
tacit_pair tac_pair_at(const tacit_comparison *comparison, int32_t index);

#endif
