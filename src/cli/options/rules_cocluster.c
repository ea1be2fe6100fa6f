/* SPDX-License-Identifier: Apache-2.0 */
/* Options of tacit cocluster: what is missing, what contradicts what, and what was not declared;
   each with its way out. */
#include "../cli.h"

#include <string.h>

/* Digits up to `end`, at most `most`; nothing: 0. */
static bool read_size(const char *text, const char *end, int64_t most, int64_t *out)
{
    *out = 0;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9') return false;
        *out = 10 * *out + (*text - '0');
        if (*out > most) return false;
    }
    return true;
}

/* "ROWSxCOLUMNS" or "xCOLUMNS", up to 10^12 rows and 2^24 columns. The columns must be there, and
   rows that are written must not be 0. */
bool cli_read_shape(const char *text, int64_t *rows, int32_t *columns)
{
    const char *x = strpbrk(text, "xX");
    int64_t wide = 0;

    if (x == NULL || !read_size(text, x, INT64_C(1000000000000), rows) ||
        !read_size(x + 1, x + strlen(x), 16777216, &wide))
        return false;
    *columns = (int32_t)wide;
    return *columns > 0 && (x == text || *rows > 0);
}

/* Options that exclude each other. */
static int check_agreement(const cli *c)
{
    const cli_values *v = &c->value;
    const bool plain = v->not_private, entry = v->unit == UNIT_ENTRY;
    const bool run = v->given[OPT_EPSILON] || v->given[OPT_DELTA] || v->given[OPT_METHOD] ||
                     v->given[OPT_LEDGER] || v->given[OPT_UNIT] || v->given[OPT_INSECURE_SEED] ||
                     v->given[OPT_NEIGHBORS] || v->given[OPT_UNIT_COLUMN] || v->given[OPT_ROUNDS] ||
                     v->given[OPT_ROW_LABELS] || v->given[OPT_LEAST_Z];
    const bool chosen = v->row_clusters == TACIT_K_AUTO || v->col_clusters == TACIT_K_AUTO;
    const cli_rule rules[] = {
        {chosen && (plain || entry || v->method != TACIT_COCLUSTER_AUTO),
         "--rows auto and --cols auto are for method auto, whole rows or persons and a --delta "
         "above 0; take these, or give both numbers, for example --rows 6 --cols 6"},
        {plain && run, "--not-private runs plain Fast-tauCC, which has no budget, no noise and no "
                       "method; drop --not-private or the options of a private run"},
        {v->given[OPT_RESTARTS] && !plain, "--restarts are those of plain Fast-tauCC; add "
                                           "--not-private or drop it"},
        {v->given[OPT_START_SEED] && !plain, "--seed is that of plain Fast-tauCC, and private "
                                             "noise has none; add --not-private or drop it"},
        {v->row_labels > 0 && !entry, "--row-labels are for --unit entry: a label that hides its "
                                      "whole row would be little better than a random one; drop it "
                                      "and use tacit predict, whose labels stay with the rows"},
        {v->given[OPT_LEAST_Z] && entry, "--least-z is for whole rows, and --unit entry places "
                                         "every column; drop one of them"},
        {v->given[OPT_ROUNDS] && v->method != TACIT_COCLUSTER_DP_TAUCC, "--rounds are those of "
                                                                        "method dp-taucc; add "
                                                                        "--method dp-taucc or drop "
                                                                        "it"},
        {!plain && v->method == TACIT_COCLUSTER_DP_TAUCC && !entry, "method dp-taucc protects "
                                                                    "single counts only; add "
                                                                    "--unit entry, or drop "
                                                                    "--method for one that "
                                                                    "protects whole rows"},
    };

    return cli_check_rules(c, rules, sizeof rules / sizeof *rules, false);
}

/* Rules of tacit cocluster, then the form of --shape. */
int cli_check_cocluster(const cli *c)
{
    const char *shape = c->value.shape;
    int64_t rows = 0;
    int32_t columns = 0;
    const int code = check_agreement(c);

    if (code != EXIT_OK) return code;
    if (shape != NULL && !cli_read_shape(shape, &rows, &columns))
        return cli_unwanted(c, OPT_SHAPE, NULL);
    if (shape != NULL && c->value.vocabulary != NULL && rows == 0)
        return cli_fail(c, EXIT_USAGE,
                        "--vocabulary says how many columns there are; drop --shape, or give the "
                        "rows in it as well");
    return EXIT_OK;
}
