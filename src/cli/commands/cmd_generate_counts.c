/* SPDX-License-Identifier: Apache-2.0 */
/* tacit generate counts: a synthetic table of counts as row,col,count, written while it is
   drawn. */
#include "../cli.h"

typedef struct writing {
    FILE *rows, *labels;
} writing;

/* Digits of a number behind `at`; returns the place after them. Much faster than fprintf, and there
   may be 10^8 lines. */
static char *put_number(char *at, int64_t number)
{
    char digits[24];
    int count = 0;

    do digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0) *at++ = digits[--count];
    return at;
}

/* A row of the table, called by the library as it is drawn. Not 0: stop, for the output failed or
   the user interrupted. */
static int write_row(int64_t row, int32_t cluster, const int32_t *column, const int32_t *count,
                     int32_t entries, void *payload)
{
    writing *w = payload;
    char line[80];

    if (row == 0) fputs("row,col,count\n", w->rows); /* not before the options were found good */
    if (row == 0 && w->labels != NULL) fputs("label\n", w->labels);
    for (int32_t e = 0; e < entries; e++) {
        char *at = put_number(line, row);
        *at++ = ',';
        at = put_number(at, column[e]);
        *at++ = ',';
        at = put_number(at, count[e]);
        *at++ = '\n';
        fwrite(line, 1, (size_t)(at - line), w->rows);
    }
    if (w->labels != NULL) fprintf(w->labels, "%d\n", (int)cluster);
    return ferror(w->rows) || cli_interrupted();
}

/* Rows are written as they are drawn, so memory does not grow with the table. The file is put in
   place at the end: complete or absent. */
int cmd_generate_counts(cli *c)
{
    const cli_values *v = &c->value;
    cli_sink rows = {0}, labels = {0};
    tacit_synthetic_counts_opts opts;
    cli_progress progress;
    int code = EXIT_OK;

    CLI_TRY(cli_check_rows(c));
    tacit_synthetic_counts_opts_init(&opts, sizeof opts);
    opts.rows = v->rows;
    opts.columns = (int32_t)v->column_count;
    opts.row_clusters = (int32_t)v->planted_rows;
    opts.column_clusters = (int32_t)v->planted_cols;
    opts.mean = v->mean;
    opts.contrast = v->contrast;
    opts.seed = v->seed;
    CLI_TRY(cli_sink_open(c, v->output, false, &rows));
    if (v->labels_out != NULL) CLI_TRY(cli_sink_open(c, v->labels_out, false, &labels));
    cli_progress_start(c, &progress);
    const tacit_status status =
        tacit_synthetic_counts(c->ctx, &opts, write_row, &(writing){rows.file, labels.file});
    cli_progress_stop(&progress);
    /* a full disk cancels, too; closing the file then says what is wrong */
    if (status != TACIT_E_CANCELLED || !ferror(rows.file)) CLI_TRY(cli_check(c, status));
    if (v->labels_out != NULL) CLI_TRY(cli_sink_close(c, &labels));
    CLI_TRY(cli_sink_close(c, &rows));
done:
    cli_sink_abandon(&rows);
    cli_sink_abandon(&labels);
    return code;
}
