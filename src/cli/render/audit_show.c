/* SPDX-License-Identifier: Apache-2.0 */
/* What an audit found: a verdict and a table, or JSON. */
#include "../cli.h"

#include <math.h>
#include <string.h>

typedef struct shown {
    const cli_audit_row *rows;
    bool program;
} shown;

/* Cells of the table. An audit of a program has no mu and no noise, so its columns are fewer. "-":
   every query was replayed, so nothing was measured. */
static void cell(const void *payload, int64_t row, int column, char *text, size_t size)
{
    static const char *const heading[] = {"target",     "claimed",     "measured at least",
                                          "charged mu", "measured mu", "noise",
                                          "runs",       "verdict"};
    const shown *s = payload;
    const cli_audit_row *r = row < 0 ? NULL : &s->rows[row];

    *text = '\0';
    if (r == NULL)
        snprintf(text, size, "%s", heading[s->program && column >= 3 ? column + 3 : column]);
    else if (column == 0)
        snprintf(text, size, "%s", r->target);
    else if (r->refused)
        snprintf(text, size, "%s", column == 7 ? "does not take this budget" : "");
    else if (column == 1)
        snprintf(text, size, "%.5g", r->report.epsilon);
    else if (column >= 2 && column <= 4 && !s->program && r->report.blind == r->report.queries)
        snprintf(text, size, "-");
    else if (column == 2)
        snprintf(text, size, "%.3f", r->report.measured);
    else
        switch (s->program ? column + 3 : column) {
        case 3: snprintf(text, size, "%.3f", r->report.mu); break;
        case 4: snprintf(text, size, "%.3f", r->report.mu_measured); break;
        case 5: snprintf(text, size, isnan(r->report.noise) ? "-" : "%.2f", r->report.noise); break;
        case 6: snprintf(text, size, "2 x %lld", (long long)r->report.runs); break;
        default:
            snprintf(text, size, "%s%s", r->report.violation ? "VIOLATION" : "no violation found",
                     !s->program && r->report.blind == r->report.queries ? " (replays, noise)"
                                                                         : "");
        }
}

/* One object a method. A method that refused the budget has the reason and nothing else. */
static void write_json(FILE *out, const cli_audit_row *rows, int count)
{
    static const char *const name[] = {"epsilon", "delta",       "measured",
                                       "mu",      "mu_measured", "confidence",
                                       "seconds", "noise",       "evidence"};
    static const char *const whole[] = {"runs",          "pairs",         "queries",
                                        "blind",         "other_queries", "too_far",
                                        "other_release", "underpaid",     "untested"};

    fputs("[", out);
    for (int i = 0; i < count; i++) {
        const tacit_audit_report *r = &rows[i].report;
        const double number[] = {r->epsilon,    r->delta,   r->measured, r->mu,      r->mu_measured,
                                 r->confidence, r->seconds, r->noise,    r->evidence};
        const int64_t many[] = {r->runs,          r->pairs,         r->queries,
                                r->blind,         r->other_queries, r->too_far,
                                r->other_release, r->underpaid,     r->untested};
        cli_json_put_text(out, i == 0 ? "\n  {\n    " : ",\n  {\n    ", "target", rows[i].target);
        if (rows[i].refused) {
            cli_json_put_text(out, ",\n    ", "refused", rows[i].why);
            fputs("\n  }", out);
            continue;
        }
        fprintf(out, ",\n    \"violation\": %s", r->violation ? "true" : "false");
        cli_json_put_text(out, ",\n    ", "verdict", r->verdict);
        cli_json_put_text(out, ",\n    ", "attack", r->attack);
        cli_json_put_text(out, ",\n    ", "blind_kinds", r->blind_kinds);
        for (size_t n = 0; n < sizeof number / sizeof *number; n++)
            cli_json_put(out, ",\n    ", name[n], number[n]);
        for (size_t n = 0; n < sizeof many / sizeof *many; n++)
            fprintf(out, ",\n    \"%s\": %lld", whole[n], (long long)many[n]);
        fputs("\n  }", out);
    }
    fputs("\n]\n", out);
}

/* All verdicts in one. */
static void write_verdict(const cli *c, FILE *out, const cli_audit_row *rows, int count)
{
    int attacked = 0, found = 0;

    for (int i = 0; i < count; i++) {
        attacked += !rows[i].refused;
        found += rows[i].report.violation;
    }
    if (count == 1)
        fprintf(out, "%s\n\n", rows[0].report.verdict);
    else if (found == 0)
        fprintf(out,
                "no violation found in %d methods; a violation would be reported with confidence "
                "%.6g "
                "for all of them together\n\n",
                attacked, c->value.confidence);
    else
        fprintf(out, "VIOLATION in %d of %d methods\n\n", found, attacked);
}

/* Below the table: the attack, queries that could only be replayed, and what the columns mean. */
static void write_notes(const cli *c, FILE *out, const cli_audit_row *rows, int count)
{
    double pairs = 0, seconds = 0;

    fputc('\n', out);
    for (int i = 0; i < count; i++) {
        const cli_audit_row *r = &rows[i];
        pairs += (double)r->report.pairs;
        seconds += r->report.seconds;
        if (r->refused) continue;
        if (count == 1) fprintf(out, "attack: %s\n", r->report.attack);
        if (count > 1 && r->report.violation)
            fprintf(out, "%s: %s\n", r->target, r->report.verdict);
        if (r->report.blind > 0)
            fprintf(out,
                    "%s: %lld of %lld queries add nothing to what is measured (%s); they are "
                    "replayed%s\n",
                    r->target, (long long)r->report.blind, (long long)r->report.queries,
                    r->report.blind_kinds,
                    r->report.untested == 0 ? ", and their noise is tested" : "");
    }
    if (c->value.given[OPT_NOISE_FACTOR])
        fprintf(out,
                "noise was multiplied by %g, and draws made as much sharper, to test the audit: "
                "this says nothing about tacit\n",
                c->value.noise_factor);
    if (seconds > 0)
        fprintf(out, "%.0f pairs of neighboring runs replayed, %.0f a second\n", pairs,
                pairs / seconds);
    fputs("measured at least: lower bound of the true epsilon, 0: nothing was learned; more runs "
          "prove more\n",
          out);
    if (c->value.audit_command == NULL)
        fputs("mu: the same on the Gaussian curve; noise: what was added, as a multiple of what "
              "was promised\n",
              out);
    fputs("Passing is no proof: see docs/audit.md\n", out);
}

/* The verdict comes first: it is what the exit code reports. */
void cli_audit_show(const cli *c, FILE *out, const cli_audit_row *rows, int count)
{
    const shown s = {.rows = rows, .program = c->value.audit_command != NULL};
    const cli_table table = {.rows = count,
                             .columns = s.program ? 5 : 8,
                             .payload = &s,
                             .cell = cell,
                             .left = 1 | 1 << (s.program ? 4 : 7)};

    if (c->value.json) {
        write_json(out, rows, count);
        return;
    }
    write_verdict(c, out, rows, count);
    cli_print_table(out, &table);
    if (!c->value.quiet) write_notes(c, out, rows, count);
}
