/* SPDX-License-Identifier: Apache-2.0 */
/* What the two files about a ledger share. */
#ifndef TAC_REPORT_LEDGER_H
#define TAC_REPORT_LEDGER_H

#include "report/report.h"

/* An entry, copied: the library's texts last only for the call. */
typedef struct tac_entry_shown {
    int64_t sequence;
    char kind[12], run[40], time[32], what[512];
    double epsilon, delta, share;
} tac_entry_shown;

typedef struct tac_entries {
    tac_entry_shown *entry;
    int64_t count, room;
} tac_entries;

bool tac_entry_is(const tac_entry_shown *entry, const char *kind);
/* What was spent over time, as a picture, and what each run bought, as a table. */
void tac_report_runs(tac_html *html, const tac_entries *entries);

#endif
