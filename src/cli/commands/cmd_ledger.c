/* SPDX-License-Identifier: Apache-2.0 */
/* tacit ledger init, show, history, schema, report: the budget of a data set over all runs, and its
   declaration. Only init writes. */
#include "../cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ACTION_INIT, ACTION_SHOW, ACTION_HISTORY, ACTION_SCHEMA, ACTION_REPORT };

/* The ledger the command line names: --ledger, or the one beside the first data file. */
static int find_path(const cli *c, char **path)
{
    const cli_values *v = &c->value;
    const char *file = c->source.path;

    if (v->ledger == NULL && v->words < 2)
        return cli_fail(c, EXIT_USAGE,
                        "name the data file, for example tacit ledger show people.csv, or "
                        "--ledger");
    /* A ledger lies beside the file itself, not beside a link to it. */
    char *target = v->ledger == NULL ? realpath(file, NULL) : NULL;
    struct stat about;
    const bool linked = target != NULL && lstat(file, &about) == 0 && S_ISLNK(about.st_mode);
    *path = v->ledger != NULL ? strdup(v->ledger) : cli_ledger_path(linked ? target : file);
    free(target);
    return *path != NULL ? EXIT_OK : cli_no_memory(c);
}

/* init needs the data file: a ledger for a mistyped name would guard nothing, and the ledger is
   bound to the file's header. */
static int check_data_file(const cli *c)
{
    if (c->value.words < 2)
        return cli_fail(c, EXIT_USAGE,
                        "name the data file, whose header the ledger is made for: tacit ledger "
                        "init people.csv --epsilon 4 ...");
    return cli_check_source(c);
}

/* Options of a run that say what the table is. */
static bool declares(const cli *c)
{
    const bool *given = c->value.given;

    return given[OPT_BOUNDS] || given[OPT_RADIUS] || given[OPT_SHAPE] || given[OPT_VOCABULARY] ||
           given[OPT_COLUMNS] || given[OPT_FORMAT] || given[OPT_UNIT];
}

/* What init needs and refuses: a budget, a declaration, a number of columns that no row has to
   show; --carry only for the owner. */
static int check_options(const cli *c)
{
    const cli_values *v = &c->value;
    const char *file = v->words > 1 ? c->source.path : "FILE";
    int code = EXIT_OK;

    if (!v->given[OPT_EPSILON])
        return cli_fail(c, EXIT_USAGE,
                        "the budget of all runs is missing: add --epsilon, for example --epsilon "
                        "4");
    if (v->json || v->output != NULL)
        return cli_fail(c, EXIT_USAGE, "init prints nothing; drop --json and --output");
    CLI_TRY(cli_check_persons(c));
    CLI_TRY(cli_check_domain(c));
    /* a budget that anybody can raise, or a history that anybody can replace, is none */
    if (v->carry != NULL && !v->as_owner)
        return cli_fail(c, cli_exit_code(TACIT_E_DECLARED),
                        "--carry makes a new budget for a data set that has one, which is for its "
                        "owner: if you are, add --as-owner");
    if (v->words > 1) CLI_TRY(cli_check_source(c)); /* no file: nothing to declare */
    if (c->source.declaration == NULL && !declares(c))
        return cli_fail(c, EXIT_USAGE,
                        "what the table is must be declared, once: tacit declare %.200s -o "
                        "%.200s.schema.json, fill it in, and run this again; or say it here, for "
                        "example --bounds 0:1 or --bounds age=0:120,stay=0:60",
                        file, file);
    if (v->words > 1 && cli_hides_columns(c, c->source.path) && v->shape == NULL &&
        v->vocabulary == NULL && c->source.shape_columns == 0 && !c->source.has_words)
        return cli_fail(c, EXIT_USAGE,
                        "%.300s does not state its number of columns, and its rows are not asked: "
                        "add --shape xCOLUMNS (--unit entry: ROWSxCOLUMNS) or --vocabulary",
                        c->source.called);
done:
    return code;
}

/* The data set's name: the file's, without its folder. */
static void name_of(const char *file, char *out, size_t size)
{
    const char *slash = strrchr(file, '/');

    snprintf(out, size, "%s", slash != NULL && slash[1] != '\0' ? slash + 1 : file);
}

/* The declaration, from the options or the schema, bound to the header of the file. */
static int bind(const cli *c, tacit_neighbors neighbors, tacit_declaration **out)
{
    const cli_values *v = &c->value;
    tacit_data *data = NULL;
    int code = EXIT_OK;

    CLI_TRY(cli_open_table(c, c->source.path, v->columns, &data));
    if (v->bounds != NULL || v->given[OPT_RADIUS]) CLI_TRY(cli_declare_domain(c, data));
    CLI_TRY(
        cli_check(c, tacit_data_declaration(c->ctx, data, neighbors, (int32_t)v->most_rows, out)));
done:
    tacit_data_free(data);
    return code;
}

/* One ledger a data set. A second one could be made for it by other options, and read by them a row
   would pass for the header and be kept there. */
static int check_first(const cli *c)
{
    const cli_source *s = &c->source;
    char *ledger = NULL;
    int code = EXIT_OK;

    for (int i = 0; c->value.carry == NULL && i < s->count; i++) {
        CLI_TRY(s->opened[i] <= 0 ? cli_find_redirected(c, &ledger)
                                  : cli_find_ledger(c, s->name[i], s->opened[i], &ledger));
        if (ledger == NULL) continue;
        code = cli_fail(c, EXIT_NO_OUTPUT,
                        "%.300s has a ledger already, %.300s; tacit ledger show has what is left, "
                        "and its owner can make one that continues it (--carry)",
                        s->name[i], ledger);
        break;
    }
done:
    free(ledger);
    return code;
}

/* Several files: one ledger and links to it, unless --ledger says where. */
static int make(const cli *c, const char *dataset, const tacit_declaration *declaration,
                char **path)
{
    const cli_values *v = &c->value;
    const cli_source *s = &c->source;
    char *made = NULL;

    if (s->count > 1 && v->ledger == NULL) {
        const int code = cli_check(
            c, tacit_ledger_create_beside(c->ctx, (const char *const *)s->name, s->count, dataset,
                                          v->epsilon, v->delta, declaration, v->carry, &made));
        if (code != EXIT_OK) return code;
        free(*path);
        *path = strdup(made);
        tacit_free(made);
        return *path != NULL ? EXIT_OK : cli_no_memory(c);
    }
    return cli_check(c, v->carry == NULL ? tacit_ledger_create(c->ctx, *path, dataset, v->epsilon,
                                                               v->delta, declaration)
                                         : tacit_ledger_carry(c->ctx, *path, dataset, v->epsilon,
                                                              v->delta, declaration, v->carry));
}

/* Creates the ledger or, with --carry, one that continues another. */
static int init(cli *c, char **path)
{
    const cli_values *v = &c->value;
    tacit_declaration *declaration = NULL;
    char dataset[256], who[320];
    int code = EXIT_OK;

    CLI_TRY(check_options(c));
    CLI_TRY(check_data_file(c));
    CLI_TRY(check_first(c));
    const tacit_neighbors neighbors =
        v->unit == UNIT_ENTRY ? TACIT_ENTRY : (tacit_neighbors)v->neighbors;
    CLI_TRY(bind(c, neighbors, &declaration));
    name_of(c->source.called, dataset, sizeof dataset);
    CLI_TRY(make(c, dataset, declaration, path));
    cli_whom(who, sizeof who, v->unit_column, neighbors, (int32_t)v->most_rows);
    if (!v->quiet && v->delta > 0)
        cli_say(c, "%s allows epsilon %.15g, delta %.15g for all runs on %s together, for %s",
                *path, v->epsilon, v->delta, dataset, who);
    else if (!v->quiet)
        cli_say(c, "%s allows epsilon %.15g, pure runs only, for all runs on %s together, for %s",
                *path, v->epsilon, dataset, who);
done:
    tacit_declaration_free(declaration);
    return code;
}

/* The declaration that the ledger holds, as a schema. */
static int print_schema(const cli *c, tacit_ledger *ledger, FILE *out)
{
    tacit_declaration *declaration = NULL;
    char *text = NULL;
    int code = EXIT_OK;

    CLI_TRY(cli_check(c, tacit_ledger_declaration(c->ctx, ledger, &declaration)));
    CLI_TRY(cli_check(c, tacit_declaration_json(c->ctx, declaration, &text)));
    fputs(text, out);
done:
    tacit_free(text);
    tacit_declaration_free(declaration);
    return code;
}

static void print_summary(FILE *out, const tacit_ledger_summary *s)
{
    char who[320];

    cli_whom(who, sizeof who, s->unit_column, s->neighbors, 0);
    fprintf(out, "data set         %s\n", s->dataset);
    fprintf(out, "protects         %s\n", who);
    fprintf(out, "whole budget     epsilon %.15g, delta %.15g\n", s->epsilon, s->delta);
    fprintf(out, "spent            %.1f %%\n", 100 * s->spent);
    fprintf(out, "runs             %lld\n", (long long)s->runs);
    fprintf(out, "left for a run   epsilon %.4g at delta %.4g\n", s->epsilon_left, s->delta_left);
}

static void print_summary_json(FILE *out, const tacit_ledger_summary *s)
{
    const char *relation = s->neighbors == TACIT_ENTRY     ? "entry"
                           : s->neighbors == TACIT_REPLACE ? "replace"
                                                           : "add-remove";

    cli_json_put_text(out, "{\n  ", "dataset", s->dataset);
    cli_json_put_text(out, ",\n  ", "unit_column",
                      s->unit_column[0] == '\0' ? NULL : s->unit_column);
    cli_json_put_text(out, ",\n  ", "neighbors", relation);
    cli_json_put(out, ",\n  ", "epsilon", s->epsilon);
    cli_json_put(out, ",\n  ", "delta", s->delta);
    cli_json_put(out, ",\n  ", "spent", s->spent);
    cli_json_put(out, ",\n  ", "epsilon_left", s->epsilon_left);
    cli_json_put(out, ",\n  ", "delta_left", s->delta_left);
    fprintf(out, ",\n  \"runs\": %lld\n}\n", (long long)s->runs);
}

static int show(const cli *c, tacit_ledger *ledger, FILE *out)
{
    tacit_ledger_summary summary;
    int code = EXIT_OK;

    tacit_ledger_summary_init(&summary, sizeof summary);
    CLI_TRY(cli_check(c, tacit_ledger_summarize(c->ctx, ledger, &summary)));
    if (c->value.json)
        print_summary_json(out, &summary);
    else
        print_summary(out, &summary);
done:
    return code;
}

/* The entries, kept until the whole chain is checked: a damaged ledger prints nothing. */
typedef struct history {
    struct entry {
        int64_t sequence;
        char kind[12], run[40], time[32], what[300];
        double epsilon, delta, share;
    } * entry;
    int64_t count, room;
    bool short_of_memory;
} history;

/* One entry of the history, copied: the library's texts last only for the call. 1: no memory. */
static int keep_entry(const tacit_ledger_entry *from, void *payload)
{
    history *h = payload;

    if (h->count == h->room) {
        const int64_t room = h->room == 0 ? 64 : 2 * h->room;
        struct entry *more = realloc(h->entry, (size_t)room * sizeof *more);
        h->short_of_memory = more == NULL;
        if (more == NULL) return 1;
        h->entry = more;
        h->room = room;
    }
    struct entry *to = &h->entry[h->count++];
    *to = (struct entry){.sequence = from->sequence,
                         .epsilon = from->epsilon,
                         .delta = from->delta,
                         .share = from->share};
    snprintf(to->kind, sizeof to->kind, "%s", from->kind);
    snprintf(to->run, sizeof to->run, "%s", from->run);
    snprintf(to->time, sizeof to->time, "%s", from->time);
    snprintf(to->what, sizeof to->what, "%s", from->what);
    return 0;
}

/* Only entries that reserve budget or open the ledger have an epsilon and a delta. */
static void history_cell(const void *payload, int64_t row, int column, char *text, size_t size)
{
    const struct entry *e = &((const history *)payload)->entry[row];
    const bool costs = strcmp(e->kind, "reserve") == 0 || strcmp(e->kind, "open") == 0;

    switch (column) {
    case 0: snprintf(text, size, "%lld", (long long)e->sequence); break;
    case 1: snprintf(text, size, "%s", e->time); break;
    case 2: snprintf(text, size, "%s", e->kind); break;
    case 3: snprintf(text, size, "%.8s", e->run); break;
    case 4:
        if (costs) snprintf(text, size, "%g", e->epsilon);
        break;
    case 5:
        if (costs) snprintf(text, size, "%g", e->delta);
        break;
    case 6:
        if (e->share > 0) snprintf(text, size, "%.1f %%", 100 * e->share);
        break;
    default: snprintf(text, size, "%s", e->what);
    }
}

static void print_history_json(FILE *out, const history *h)
{
    fputc('[', out);
    for (int64_t i = 0; i < h->count; i++) {
        const struct entry *e = &h->entry[i];
        fprintf(out, "%s\n  {\"sequence\": %lld", i == 0 ? "" : ",", (long long)e->sequence);
        cli_json_put_text(out, ", ", "kind", e->kind);
        cli_json_put_text(out, ", ", "run", e->run);
        cli_json_put_text(out, ", ", "time", e->time);
        cli_json_put_text(out, ", ", "what", e->what);
        cli_json_put(out, ", ", "epsilon", e->epsilon);
        cli_json_put(out, ", ", "delta", e->delta);
        cli_json_put(out, ", ", "share", e->share);
        fputc('}', out);
    }
    fputs("\n]\n", out);
}

/* The history, as a table or as JSON. */
static int list(const cli *c, tacit_ledger *ledger, FILE *out)
{
    static const char *const heading[] = {"entry",   "time",  "kind",  "run",
                                          "epsilon", "delta", "spent", "what"};
    history h = {0};
    int code = EXIT_OK;

    CLI_TRY(cli_check(c, tacit_ledger_history(c->ctx, ledger, keep_entry, &h)));
    if (h.short_of_memory) CLI_TRY(cli_no_memory(c));
    if (c->value.json)
        print_history_json(out, &h);
    else
        cli_print_table(out, &(cli_table){.rows = h.count,
                                          .columns = 8,
                                          .payload = &h,
                                          .heading = heading,
                                          .cell = history_cell,
                                          .left = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 7});
done:
    free(h.entry);
    return code;
}

/* Summary and history as a page. */
static int print_page(const cli *c, tacit_ledger *ledger, FILE *out)
{
    char *page = NULL;
    int code = EXIT_OK;

    if (c->value.json) return cli_fail(c, EXIT_USAGE, "report writes a page; drop --json");
    CLI_TRY(cli_check(c, tacit_ledger_html(c->ctx, ledger, &page)));
    fputs(page, out);
done:
    tacit_free(page);
    return code;
}

/* The first word is the action. Options of init are refused by the others: a budget and a
   declaration never change. */
int cmd_ledger(cli *c)
{
    const cli_values *v = &c->value;
    char store[64], *path = NULL;
    const char *near = NULL;
    tacit_ledger *ledger = NULL;
    cli_sink sink = {0};
    int code = EXIT_OK;

    const int action = cli_choice(v->word[0], c->command->objects, store, sizeof store, &near);
    if (action < 0 && near != NULL)
        return cli_fail(c, EXIT_USAGE,
                        "it takes init, show, history, schema or report first; did you mean %s?",
                        near);
    if (action < 0)
        return cli_fail(c, EXIT_USAGE,
                        "it takes init, show, history, schema or report first; see tacit ledger "
                        "--help");
    for (cli_option_id id = 0; action != ACTION_INIT && id < OPT_COUNT; id++)
        if (v->given[id] && id != OPT_LEDGER && id != OPT_OUTPUT && id != OPT_JSON &&
            id != OPT_QUIET)
            return cli_fail(c, EXIT_USAGE,
                            "--%s belongs to init; a ledger's budget and declaration never change",
                            cli_options[id].name);
    if (action == ACTION_INIT && v->words > 1) CLI_TRY(cli_open_source(c, 1, false));
    if (action != ACTION_INIT && v->words > 1) CLI_TRY(cli_list_files(c, 1));
    CLI_TRY(find_path(c, &path));
    if (action == ACTION_INIT) {
        code = init(c, &path);
        goto done;
    }
    CLI_TRY(cli_check_output(c, v->output, path));
    CLI_TRY(cli_check_output_files(c, v->output));
    CLI_TRY(cli_check(c, tacit_ledger_open(c->ctx, path, &ledger)));
    CLI_TRY(cli_sink_open(c, v->output, false, &sink));
    CLI_TRY(action == ACTION_SHOW     ? show(c, ledger, sink.file)
            : action == ACTION_SCHEMA ? print_schema(c, ledger, sink.file)
            : action == ACTION_REPORT ? print_page(c, ledger, sink.file)
                                      : list(c, ledger, sink.file));
    CLI_TRY(cli_sink_close(c, &sink));
done:
    cli_sink_abandon(&sink);
    tacit_ledger_free(ledger);
    free(path);
    return code;
}
