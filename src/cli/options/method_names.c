/* SPDX-License-Identifier: Apache-2.0 */
/* Methods, as the library lists them: found by name, printed, or explained where a name or an
   option does not fit. */
#include "../cli.h"

#include <string.h>

#define MOST_METHODS 64
#define ALL_NAMES 512
#define INDENT 18 /* names of methods stand left of this */

/* Method number `index` of the family; false: there is none. kmeans and kmedian share a list. */
static bool get_method(cli_family family, int32_t index, tacit_method *method)
{
    tacit_method_init(method, sizeof *method);
    return (family == FAMILY_COCLUSTER  ? tacit_cocluster_method_get(index, method)
            : family == FAMILY_SUBSPACE ? tacit_subspace_method_get(index, method)
                                        : tacit_kmeans_method_get(index, method)) == TACIT_OK;
}

/* Does a method of the shared list serve this objective? */
static bool serves(cli_family family, const tacit_method *method)
{
    return family == FAMILY_SUBSPACE || family == FAMILY_COCLUSTER ||
           (family == FAMILY_MEDIAN ? method->median : method->means);
}

/* The next method from *index on that serves the objective; *index moves behind it. */
static bool next_method(int32_t *index, cli_family family, tacit_method *method)
{
    while (get_method(family, (*index)++, method))
        if (serves(family, method)) return true;
    return false;
}

/* The family of the command; of tacit plan it depends on the first word. */
cli_family cli_family_of(const cli *c)
{
    if (c->command->run == cmd_plan && c->value.words > 0 &&
        strcmp(c->value.word[0], "kmedian") == 0)
        return FAMILY_MEDIAN;
    return c->command->family;
}

const char *cli_objective(const cli *c)
{
    static const char *const name[] = {"kmeans", "kmedian", "subspace", "cocluster"};
    return name[cli_family_of(c)];
}

/* Any method of the list, also one that does not serve: cli_check_serves says why not. */
int cli_method_number(const cli *c, const char *name)
{
    tacit_method method;

    for (int32_t i = 0; get_method(cli_family_of(c), i, &method); i++)
        if (strcmp(method.name, name) == 0) return method.method;
    return -1;
}

/* The names a user may choose from: "auto|lloyd|grid". */
static void all_names(cli_family family, char *text, size_t size)
{
    tacit_method method;
    size_t used = 0;

    for (int32_t at = 0; used < size && next_method(&at, family, &method);)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : "|", method.name);
}

/* What to say of a name that was a method of k-means before 0.2; NULL: it never was one. */
static const char *dropped(cli_family family, const char *typed)
{
    static const char *const was[][2] = {
        {"sample-mean", "sample-mean was dropped in 0.2; sample-aggregate is the published method"},
        {"hybrid", "hybrid is method grid with a round of DP-Lloyd since 0.2: --method grid "
                   "--rounds 1"},
    };

    for (size_t i = 0; family == FAMILY_MEANS && i < sizeof was / sizeof *was; i++)
        if (strcmp(typed, was[i][0]) == 0) return was[i][1];
    return NULL;
}

/* The contract stands in options.h. A method that was dropped gets a sentence of its own. */
int cli_unknown_method(const cli *c, const char *written, const char *typed)
{
    char all[ALL_NAMES], store[ALL_NAMES], list[ALL_NAMES];
    const char *near = NULL;

    if (dropped(cli_family_of(c), typed) != NULL)
        return cli_fail(c, EXIT_USAGE, "%s: %s", written, dropped(cli_family_of(c), typed));
    all_names(cli_family_of(c), all, sizeof all);
    cli_choice(typed, all, store, sizeof store, &near);
    if (near != NULL)
        return cli_fail(c, EXIT_USAGE,
                        "%s wants the name of a method; did you mean %s? See tacit %s "
                        "--list-methods",
                        written, near, cli_objective(c));
    cli_list_words(list, sizeof list, all);
    return cli_fail(c, EXIT_USAGE, "%s wants the name of a method: %s; see tacit %s --list-methods",
                    written, list, cli_objective(c));
}

/* Only a method that was named can fail: the default serves every objective. */
int cli_check_serves(const cli *c)
{
    const cli_family family = cli_family_of(c);
    const bool median = family == FAMILY_MEDIAN;
    tacit_method method;
    char all[ALL_NAMES], list[ALL_NAMES];

    int32_t at = 0;
    while (get_method(family, at, &method) && method.method != c->value.method) at++;
    if (!c->value.given[OPT_METHOD] || method.method != c->value.method || serves(family, &method))
        return EXIT_OK;
    all_names(family, all, sizeof all);
    cli_list_words(list, sizeof list, all);
    return cli_fail(c, EXIT_USAGE, "--method %s does not do %s; take %s, or run tacit %s",
                    method.name, median ? "k-median" : "k-means", list,
                    median ? "kmeans" : "kmedian");
}

static void print_line(FILE *out, const char *left, const char *before, const char *text)
{
    char line[1024];

    snprintf(line, sizeof line, "%s%s", before, text);
    fprintf(out, "%-*s", INDENT, left);
    cli_print_wrapped(out, line, INDENT, INDENT, CLI_HELP_WIDTH, NULL);
}

/* One method, for people or as a JSON object. */
static void print_method(FILE *out, cli_family family, const tacit_method *method, bool is_default,
                         bool json, bool first)
{
    if (!json) {
        if (!first) fputc('\n', out);
        print_line(out, method->name, is_default ? "the default: " : "", method->summary);
        print_line(out, "", "privacy: ", method->guarantee);
        print_line(out, "", "paper: ", method->paper);
        if (method->means || method->median) /* the other families have methods of their own */
            print_line(out, "", "for: ",
                       !method->median ? "kmeans"
                       : method->means ? "kmeans, kmedian"
                                       : "kmedian");
        return;
    }
    cli_json_put_text(out, first ? "\n  {\n    " : ",\n  {\n    ", "name", method->name);
    cli_json_put_text(out, ",\n    ", "summary", method->summary);
    cli_json_put_text(out, ",\n    ", "guarantee", method->guarantee);
    cli_json_put_text(out, ",\n    ", "paper", method->paper);
    fprintf(out,
            ",\n    \"kmeans\": %s,\n    \"kmedian\": %s,\n    \"subspace\": %s,\n"
            "    \"cocluster\": %s,\n    \"default\": %s\n  }",
            method->means ? "true" : "false", method->median ? "true" : "false",
            family == FAMILY_SUBSPACE ? "true" : "false",
            family == FAMILY_COCLUSTER ? "true" : "false", is_default ? "true" : "false");
}

int cli_list_methods(const cli *c)
{
    const bool json = c->value.json;
    bool first = true;
    tacit_method method;

    if (json) putchar('[');
    for (int32_t at = 0; next_method(&at, cli_family_of(c), &method); first = false)
        print_method(stdout, cli_family_of(c), &method, method.method == 0 /* auto in all */, json,
                     first);
    if (json) puts(first ? "]" : "\n]");
    return cli_close_stdout(c);
}
