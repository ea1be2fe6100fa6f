/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines for the pairs of neighbor_pairs.h: every family, its methods in turn, and the
   options that an analyst may choose. Left out: --missing reject-file and --not-private, which are
   meant to tell, --insecure-test-seed, and --labels of method gibbs, which are drawn together with
   the subspaces and pass no probe. */
#ifndef TAC_NEIGHBOR_WORDS_H
#define TAC_NEIGHBOR_WORDS_H

#include "cluster/cocluster/cocluster_run.h"
#include "cluster/kmeans/kmeans_run.h"
#include "cluster/subspace/subspace_run.h"
#include "neighbor_text.h"

typedef enum family { MEANS, MEDIAN, SUBSPACE, COCLUSTER, FAMILIES } family;
static const char *const family_name[] = {"kmeans", "kmedian", "subspace", "cocluster"};

enum { MOST_WORDS = 64, SLOW_TURNS = 12 };
static char *words[MOST_WORDS + 1];
static int word_count;
static char word_text[8192];
static size_t word_used;

__attribute__((format(printf, 1, 2))) static void say(const char *text, ...)
{
    va_list args;

    MUST(word_count < MOST_WORDS);
    words[word_count++] = word_text + word_used;
    va_start(args, text);
    word_used +=
        (size_t)vsnprintf(word_text + word_used, sizeof word_text - word_used, text, args) + 1;
    va_end(args);
    MUST(word_used < sizeof word_text);
    words[word_count] = NULL;
}

static void say_both(const char *option, const char *value)
{
    say("%s", option);
    say("%s", value);
}

static const char *const any_words[] = {"bread", "milk, fresh", "wine",
                                        "7",     "honey",       "\xc3\xa9pices"};
static const char *const plain_words[] = {"bread", "milk", "wine", "ham", "honey", "salt"};

/* All columns, or all bounds. */
static void say_columns(const pair *p, const char *option, bool bounds)
{
    char list[300] = "";

    for (int j = 0; j < p->columns; j++) {
        const size_t used = strlen(list);
        char name[16] = {(char)('a' + j), '\0'};
        if (!is_text(p)) snprintf(name, sizeof name, "c%d", place(p, j) + 1);
        snprintf(list + used, sizeof list - used, "%s%s", j == 0 ? "" : ",", name);
        if (bounds) snprintf(list + strlen(list), sizeof list - strlen(list), "=-1:%d", 1 + j % 3);
    }
    say_both(option, list);
}

/* A list of "name=value" for the columns that have one. */
static void say_list(const pair *p, const char *option, const char *const *value)
{
    char list[600] = "";

    for (int j = 0; j < p->columns; j++)
        if (value[j] != NULL)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%c=%s",
                     list[0] == '\0' ? "" : ",", 'a' + j, value[j]);
    if (list[0] != '\0') say_both(option, list);
}

/* What the columns of a mixed file hold, and what becomes of what is missing or unheard of. */
static void say_features(const pair *p)
{
    static const char *const range[] = {"-1:3", "0.5:100", "0:9", "1980-01-01:2010-12-31"},
                             *const fill[] = {"fill:0.7",        "fill:1e9",  "fill:0",
                                              "fill:1999-12-31", "fill:true", "fill:south"},
                             *const weight[] = {"2", "1e-6", "1e6", "0.5"};
    const char *bounds[MOST_COLUMNS] = {0}, *words_of[MOST_COLUMNS] = {0},
               *transform[MOST_COLUMNS] = {0}, *rule[MOST_COLUMNS] = {0},
               *heavy[MOST_COLUMNS] = {0};
    const bool rules = often(), weights = dice(3) == 0;

    for (int j = 0; j < p->columns; j++) {
        const holding what = p->holds[j];
        const uint64_t how = dice(4);
        if (what <= DATES) bounds[j] = range[what];
        if (what == BOOLEANS) words_of[j] = "boolean";
        if (what == CATEGORIES) words_of[j] = "north|south|7|far away";
        if (what == LOGS) transform[j] = "log";
        if (what == ROOTS) transform[j] = "log1p";
        if (rules && how == 0) rule[j] = "midpoint";
        if (rules && how == 1) rule[j] = fill[what];
        if (rules && how >= 2) rule[j] = what >= BOOLEANS ? "own-category" : "drop-row";
        if (weights && often()) heavy[j] = PICK(weight);
    }
    say_list(p, "--bounds", bounds);
    say_list(p, "--categories", words_of);
    say_list(p, "--transform", transform);
    say_list(p, "--missing", rule);
    say_list(p, "--weights", heavy);
    say_both("--na", "gone");
    if (seldom()) say_both("--scale", often() ? "none" : "range");
}

static void say_domain(const pair *p, family what)
{
    static const char *const odd_bounds[] = {"-1e100:1e100", "0:1e-300", "0.25:0.25000000000000006",
                                             "5:6"};
    static const char *const odd_radius[] = {"1e100", "1e-300"};
    const uint64_t how = p->wide ? 3 : what == SUBSPACE ? 2 + dice(2) : dice(6);
    const bool odd = dice(12) == 0;

    if (p->mixed) {
        say_features(p);
        return;
    }
    if (how == 0) say_both("--bounds", odd ? PICK(odd_bounds) : "-1:3");
    if (how == 1) say_columns(p, "--bounds", true);
    if (how == 2) say_both("--radius", odd ? PICK(odd_radius) : "0.5");
    if (how >= 3) say_both("--radius", "2");
    if (how == 4) say_both("--center", "0.25");
    if (seldom() && !p->wide) say_both("--scale", often() ? "none" : "range");
    if (seldom()) say_both("--missing", "midpoint");
}

/* The turn-th of the methods that serve such a run. Sample and aggregate takes a hundred times as
   long: seldom. */
static const char *choose_method(const pair *p, family what, bool pure, long turn)
{
    const char *fit[64] = {"auto"};
    long count = 0;

    for (int i = 0; i < 64; i++) {
        const tac_kmeans_method *m =
            what <= MEDIAN ? tac_kmeans_method_of((tacit_kmeans_method)i) : NULL;
        const tac_subspace_method *s =
            what == SUBSPACE ? tac_subspace_method_of((tacit_subspace_method)i) : NULL;
        const tac_cocluster_method *c =
            what == COCLUSTER ? tac_cocluster_method_of((tacit_cocluster_method)i) : NULL;
        const bool objective =
            m != NULL && (what == MEDIAN ? m->median : m->means) && (!p->wide || m->sparse);
        const bool unit = c != NULL && (p->neighbors == TACIT_ENTRY ? c->entry : c->rows);
        if (objective && (pure ? m->pure : m->approximate)) fit[count++] = m->name;
        if (s != NULL && (pure ? s->pure : s->approximate)) fit[count++] = s->name;
        if (unit && (pure ? c->pure : c->approximate)) fit[count++] = c->name;
    }
    const char *method = fit[count == 0 ? 0 : turn % count];
    return strcmp(method, "sample-aggregate") == 0 && dice(SLOW_TURNS) != 0 ? fit[0] : method;
}

static void say_method(const pair *p, const char *method)
{
    static const char *const in_rounds[] = {"gibbs", "bingham", "dp-taucc", "lloyd"};

    if (strcmp(method, "auto") != 0 || often()) say_both("--method", method);
    for (int i = 0; i < 4; i++)
        if (strcmp(method, in_rounds[i]) == 0 && (i < 2 || often())) say_both("--rounds", "2");
    if (p->wide && often()) say_both("--sparsity", "3");
}

static void say_counts(const pair *p, const char *method)
{
    const bool labels = strcmp(method, "auto") == 0 || strcmp(method, "dp-taucc") == 0 || seldom();
    const bool entry = p->neighbors == TACIT_ENTRY;

    say("--rows");
    say("%d", 1 + (int)dice(3));
    say("--cols");
    say("%d", 1 + (int)dice(p->columns < 3 ? (uint64_t)p->columns : 3));
    if (entry || p->persons || seldom())
        say_both("--unit", entry ? "entry" : p->persons ? "person" : "row");
    if (entry && labels && dice(3) == 0) say_both("--row-labels", "0.3");
    if (!entry && seldom()) say_both("--least-z", "1");
}

/* What is asked: how many of what, where, by which method. */
static void say_query(const pair *p, family what, bool pure, long turn)
{
    const char *method = choose_method(p, what, pure, turn);
    const bool chosen = dice(6) == 0 && strcmp(method, "auto") == 0 && (what != SUBSPACE || !pure);

    if (what == COCLUSTER) {
        say_counts(p, method);
    } else {
        say("-k");
        if (chosen)
            say("auto");
        else
            say("%d", seldom() && what != SUBSPACE ? 40 : 1 + (int)dice(what == SUBSPACE ? 2 : 5));
        if (chosen) say_both("--k-max", "3");
        if (what == SUBSPACE) say_both("-q", chosen && often() ? "auto" : "1");
        if (what == SUBSPACE && seldom()) say("--affine");
        say_domain(p, what);
    }
    say_method(p, method);
}

/* Of which data: the format where nothing tells it, columns, whose rows, the shape. */
static void say_data(const pair *p, family what, bool from_stdin, const char *shape)
{
    const bool text = is_text(p), list = p->format == TRIPLETS;

    /* Where nothing else tells it, and for tables of a few columns, which might be lists of
       entries. */
    if ((list && what != COCLUSTER) || (text && what == COCLUSTER) ||
        (from_stdin && p->format != CSV && p->format != NPY) || seldom())
        say_both("--format", p->format >= PACKED ? "csv" : format_name[p->format]);
    if (p->format == EUROPE) say_both("--decimal", ",");
    if (text && p->note && often())
        say_both("--label-column", "note");
    else if (text && p->note)
        say_columns(p, "--columns", false);
    if (p->persons) say_both("--unit-column", text || list ? "who" : "c1");
    if (p->persons) say("--max-rows-per-person");
    if (p->persons) say("%d", 1 + (int)dice(3));
    if (p->neighbors != TACIT_ENTRY && (p->neighbors == TACIT_REPLACE || seldom()))
        say_both("--neighbors", p->neighbors == TACIT_REPLACE ? "replace" : "add-remove");
    if (shape[0] != '\0') say_both("--shape", shape);
    if (p->word != NULL) say_both("--vocabulary", "words.txt");
}

static void say_output(family what)
{
    const uint64_t how = dice(5);

    if (how <= 1) say_both("-o", "m.json");
    if (how == 2) say("--json");
    if (how == 3) say_both("-o", "-");
    if (dice(4) == 0) say("--quiet");
    if (what == COCLUSTER && often()) say_both("--picture", "p.svg");
    if (dice(6) != 0) say_both("--threads", seldom() ? "2" : "1");
}

/* The whole line. ledger: one that is not called after the file, or NULL. */
static void say_all(const pair *p, family what, bool pure, bool from_stdin, bool two,
                    const char *shape, const char *ledger, long turn)
{
    static const char *const epsilons[] = {"0.3", "1", "8", "100", "1", "8"}, *const odd[] = {
                                                                                  "0.001", "1000"};
    static const char *const odd_delta[] = {"1e-30", "0.1"};

    word_used = 0;
    word_count = 0;
    say("tacit");
    say("%s", family_name[what]);
    say("%s", from_stdin ? "-" : file_name[p->format]);
    if (two) say("%s", second_name(p->format));
    if (is_text(p) && p->format != PACKED && !from_stdin && dice(5) == 0)
        say_both("--memory", "16M");
    say_both("--epsilon", seldom() ? PICK(odd) : PICK(epsilons));
    if (!pure) say_both("--delta", seldom() ? PICK(odd_delta) : "1e-6");
    if (ledger != NULL) say_both("--ledger", ledger);
    say_data(p, what, from_stdin, shape);
    say_query(p, what, pure, turn);
    say_output(what);
}

#endif
