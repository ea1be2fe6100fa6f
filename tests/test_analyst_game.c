/* SPDX-License-Identifier: Apache-2.0 */
/* The analyst's game. Somebody who has the command line and not the rows tries every option of the
   option table on data sets with a ledger, every class of values, alone and in pairs, through the
   command's own objects. Every line is run on a data set and, with the same noisy answers, on its
   neighbors (game_sets.h). Then nothing may differ: exit code, messages, files, release, ledger.
   Exact answers may differ by what the queries were charged for: on a ledger about persons, by what
   a person can change. Answers are paid for by the data set's ledger; what asks nothing is refused
   or knows nothing of the rows. A line that nothing can be made of may stop a run, if the budget is
   spent all the same, and then tells neither which nor where. Commands, options and values come
   from the tables of the command: a new one is played, or named if nobody knows how.
   test_analyst_game SET COMMAND [WORD...]: one line with these options, told in full; its folder
   stays. */
#include "game_world.h"

/* Pairs of moves for each command that answers on a set; for others this part of them. */
enum { CORE_PAIRS = 240, OTHER_PAIRS = 48, MIDDLE = 4, SMALL = 8 };
enum { ALIKE = 2, MOST_TOLD = 200, EXIT_DATA = 65 };
enum { TRIED = 16 }; /* a plan of so many is tried on made-up rows */

/* ---- lines: every command, its words and what it is always given ---- */

typedef enum deed { ASKS, EXACT, PLANS, KEEPS } deed; /* KEEPS: the ledger itself */

typedef struct game_line {
    const char *name, *object; /* as in the command table */
    const char *words;         /* FILE: the data file */
    const char *given;         /* options, as --name=value */
    deed deed;
    int plays;
} game_line;

#define BUDGET "--epsilon=1 --delta=1e-6 "

static const game_line lines[] = {
    {"kmeans", NULL, "FILE", BUDGET "--clusters=2 --threads=1", ASKS, PLAYS_KMEANS},
    {"kmedian", NULL, "FILE", BUDGET "--clusters=2 --threads=1", ASKS, PLAYS_KMEDIAN},
    {"subspace", NULL, "FILE", BUDGET "--subspaces=1 --dimension=1 --threads=1", ASKS,
     PLAYS_SUBSPACE},
    {"cocluster", NULL, "FILE", BUDGET "--rows=2 --cols=2 --threads=1", ASKS, PLAYS_COCLUSTER},
    {"predict", NULL, "model.json FILE", "--threads=1", EXACT, -1},
    {"evaluate", NULL, "model.json FILE", "--threads=1", EXACT, -1},
    {"compare", NULL, "model.json model.json", "", PLANS, -1},
    {"plan", NULL, "kmeans FILE", BUDGET "--clusters=2 --rows-about=100", PLANS, PLAYS_KMEANS},
    {"plan", NULL, "kmedian FILE", BUDGET "--clusters=2 --rows-about=100", PLANS, PLAYS_KMEDIAN},
    {"plan", "subspace", "subspace FILE", BUDGET "--subspaces=1 --dimension=1 --rows-about=100",
     PLANS, PLAYS_SUBSPACE},
    {"plan", "cocluster", "cocluster FILE", BUDGET "--rows=2 --cols=2 --rows-about=100", PLANS,
     PLAYS_COCLUSTER},
    {"ledger", NULL, "show FILE", "", KEEPS, -1},
    {"ledger", NULL, "history FILE", "", KEEPS, -1},
    {"ledger", NULL, "init FILE", "--epsilon=100 --delta=1e-3", KEEPS, -1},
    {"declare", NULL, "FILE", "", PLANS, -1},
    {"recut", NULL, "model.json", "--clusters=2", PLANS, -1},
    {"synthesize", NULL, "model.json", "--rows=3", PLANS, -1},
    {"report", NULL, "model.json", "", PLANS, -1},
    {"report", NULL, "model.json model.json model.json", "", PLANS, -1},
    {"ledger", NULL, "report FILE", "", KEEPS, -1},
};
enum { LINES = sizeof lines / sizeof *lines };

/* Of no data set of an owner's: programs and rows of the caller's own. */
static const char *const elsewhere[] = {"audit", "generate"};

static const cli_command *command_of(const game_line *line)
{
    for (const cli_command *c = cli_commands; c->name != NULL; c++)
        if (strcmp(c->name, line->name) == 0 &&
            (c->object == NULL ? line->object == NULL
                               : line->object != NULL && strcmp(c->object, line->object) == 0))
            return c;
    return NULL;
}

static table_entry option_of(const cli_command *command, const char *name, size_t length)
{
    for (cli_option_id id = 0; id < OPT_COUNT; id++)
        if (strlen(cli_options[id].name) == length &&
            strncmp(cli_options[id].name, name, length) == 0 && cli_use_of(command, id) != NULL)
            return (table_entry){&cli_options[id], cli_use_of(command, id)};
    return (table_entry){NULL, NULL};
}

/* Only the owner may write it: what it does is looked at apart. */
static bool is_owners(const cli_option *o)
{
    return strcmp(o->name, "as-owner") == 0;
}

/* ---- words ---- */

static char *words[MOST_LINE + 1];
static int word_count;
static char word_text[8192];
static size_t word_used;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list args;

    MUST(word_count < MOST_LINE);
    words[word_count++] = word_text + word_used;
    va_start(args, format);
    word_used +=
        (size_t)vsnprintf(word_text + word_used, sizeof word_text - word_used, format, args) + 1;
    va_end(args);
    MUST(word_used < sizeof word_text);
    words[word_count] = NULL;
}

static void say_move(const move *m)
{
    if (m->option == NULL || m->left_out) return;
    if (m->option->kind == KIND_FLAG)
        say("--%s", m->option->name);
    else
        say("--%s=%s", m->option->name, m->value);
}

static bool moved(const move *const *list, int count, const char *name, size_t length)
{
    for (int i = 0; i < count; i++)
        if (list[i]->option != NULL && strlen(list[i]->option->name) == length &&
            strncmp(list[i]->option->name, name, length) == 0)
            return true;
    return false;
}

/* The whole line: what is always given but for what a move says otherwise, and the moves. */
static void say_line(const game_set *set, const game_line *line, const move *const *list, int count)
{
    const char *file = set->file;

    word_count = 0;
    word_used = 0;
    for (int i = 0; i < count; i++)
        if (list[i]->option == NULL) file = list[i]->value;
    say("tacit");
    say("%s", line->name);
    for (const char *at = line->words; *at != '\0'; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (strncmp(at, "FILE", length) == 0)
            say("%s", file);
        else
            say("%.*s", (int)length, at);
        at += length;
    }
    for (const char *at = line->given; *at != '\0'; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " "), name = strcspn(at, "=") - 2;
        const bool no_delta = set->pure && strncmp(at, "--delta", 7) == 0;
        if (!moved(list, count, at + 2, name) && !no_delta) say("%.*s", (int)length, at);
        at += length;
    }
    for (int i = 0; i < count; i++) say_move(list[i]);
}

/* ---- what may not differ ---- */

enum {
    SEEN_STDOUT,
    SEEN_STDERR,
    SEEN_CODE,
    SEEN_FILES,
    SEEN_LEDGER,
    OTHER_QUERIES,
    TOO_FAR,
    UNPAID,
    TOLD_EXACTLY,
    TOUCHED,
    TELLS_WHERE,
    KINDS
};
static const char *const kind_name[KINDS] = {"standard output",
                                             "standard error",
                                             "the exit code",
                                             "a file or the release",
                                             "the ledger",
                                             "the queries or their prices",
                                             "an exact answer by more than its sensitivity",
                                             NULL,
                                             NULL,
                                             NULL,
                                             NULL};
static const char *const kind_rule[KINDS] = {
    [UNPAID] = "answers are paid for by the data set's ledger",
    [TOLD_EXACTLY] = "nothing is told of the rows but noisy answers",
    [TOUCHED] = "what asks nothing leaves the ledger as it is",
    [TELLS_WHERE] = "a broken line stops a run with the same words wherever it stands"};

static int differences(const outcome *a, const outcome *b, const char *ledger)
{
    int seen = 0;

    for (int i = 0; i < 2; i++)
        if (a->said_size[i] != b->said_size[i] ||
            memcmp(a->said[i], b->said[i], a->said_size[i]) != 0)
            seen |= 1 << (i == 0 ? SEEN_STDOUT : SEEN_STDERR);
    if (a->code != b->code) seen |= 1 << SEEN_CODE;
    for (int way = 0; way < 2; way++) {
        const outcome *one = way == 0 ? a : b, *other = way == 0 ? b : a;
        for (int i = 0; i < one->files; i++) {
            const held *h = left(other, one->file[i].name);
            if (h == NULL || !same_held(h, &one->file[i]))
                seen |= 1 << (strncmp(one->file[i].name, ledger, strlen(ledger)) == 0 ? SEEN_LEDGER
                                                                                      : SEEN_FILES);
        }
    }
    return seen;
}

/* A run that stops at a line that nothing can be made of, with its budget spent as if it had
   not. */
static bool is_paid_stop(const outcome *first, const outcome *o, const char *ledger)
{
    for (int i = 0; i < o->files; i++)
        if (strcmp(o->file[i].name, ledger) != 0) return false;
    return o->code == EXIT_DATA && o->said_size[0] == 0 && first->spent > 0 &&
           o->spent == first->spent && o->runs == first->runs;
}

typedef struct tally {
    long plays, runs, answered, refused, stopped, told, differ[KINDS];
} tally;

static tally total[GAME_SETS];
static bool tell_all;

/* What was seen of a neighbor; in the last place, of the data set by itself. */
typedef struct sight {
    int seen[MOST_NEIGHBORS + 1];
    uint64_t answer; /* what the data set's own run said, but for the value that was written */
} sight;

static void show_bytes(const char *what, const unsigned char *bytes, size_t size)
{
    printf("#     %s: ", what);
    for (size_t i = 0; i < size && i < (tell_all ? 4000 : 300); i++)
        printf(bytes[i] == '\n'                  ? "\\n"
               : bytes[i] < 32 || bytes[i] > 126 ? "\\x%02x"
                                                 : "%c",
               bytes[i]);
    printf("\n");
}

static void show_outcome(const char *whose, const outcome *o)
{
    printf("#   %s: exit code %d, %d queries, spent %.4f\n", whose, o->code, o->asked, o->spent);
    if (o->said_size[1] > 0) show_bytes("standard error", o->said[1], o->said_size[1]);
    if (tell_all) show_bytes("standard output", o->said[0], o->said_size[0]);
    for (int i = 0; i < o->files && tell_all; i++)
        printf("#     file %s, %zu bytes\n", o->file[i].name, o->file[i].size);
}

/* known: what was seen before with less; only what is new is told, and counted all the same. */
static void finding(int set, int seen, int known, const change *c, const outcome *first,
                    const outcome *o)
{
    for (int i = 0; i < KINDS; i++) total[set].differ[i] += seen >> i & 1;
    if ((seen & ~known) == 0 && !tell_all) return;
    if (total[set].told++ >= MOST_TOLD && !tell_all) return;
    printf("# %s,", game_sets[set].name);
    if (c != NULL) printf(" %s:", c->what);
    for (int i = 0; i < KINDS; i++)
        if (seen >> i & 1) printf(" %s;", kind_name[i] != NULL ? kind_name[i] : kind_rule[i]);
    for (int i = 0; i < word_count; i++) printf(" %s", words[i]);
    printf("\n");
    show_outcome("without", first);
    if (o != NULL) show_outcome("with", o);
}

/* ---- plays ---- */

static void put_data(const game_set *set, const change *c)
{
    static char bytes[MOST_BYTES];
    hold(set->file, bytes, write_set(set, c, bytes));
}

/* What the first run shows by itself. */
static int judge_alone(const game_set *set, const game_line *line, const outcome *o)
{
    char ledger[100];
    bool asks_help = false;
    int seen = 0;

    snprintf(ledger, sizeof ledger, "%s.ledger", set->file);
    for (int i = 0; i < word_count; i++)
        asks_help =
            asks_help || strcmp(words[i], "--help") == 0 || strcmp(words[i], "--list-methods") == 0;
    if (o->asked > 0 && !(o->spent > 0)) seen |= 1 << UNPAID;
    if ((line->deed == ASKS || line->deed == EXACT) && o->code == 0 && o->asked == 0 && !asks_help)
        seen |= 1 << TOLD_EXACTLY;
    if (line->deed != ASKS && left(o, ledger) != NULL) seen |= 1 << TOUCHED;
    return seen;
}

static uint64_t digest(const outcome *o, const char *value)
{
    uint64_t hash = UINT64_C(14695981039346656037) + (uint64_t)o->code;
    const size_t length = strlen(value);

    for (int i = 0; i < 2; i++)
        for (size_t at = 0; at < o->said_size[i]; at++) {
            if (length > 0 && at + length <= o->said_size[i] &&
                memcmp(o->said[i] + at, value, length) == 0) {
                at += length - 1;
                continue;
            }
            hash = (hash ^ o->said[i][at]) * UINT64_C(1099511628211);
        }
    return hash;
}

/* neighbors: the first, another in turn, all */
typedef enum which { THE_FIRST, TWO_OF_THEM, ALL_OF_THEM } which;

/* The line that was said, on the set and on its neighbors. value: what was written, if that is one
   thing. known: see finding. */
static void play_line(int set_at, int line_at_, const char *value, long turn, which of,
                      const sight *known, sight *out)
{
    const game_set *set = &game_sets[set_at];
    const game_line *line = &lines[line_at_];
    static outcome first, o[MOST_NEIGHBORS];
    char ledger[100];
    int neighbors = 0;

    snprintf(ledger, sizeof ledger, "%s.ledger", set->file);
    while (neighbors < MOST_NEIGHBORS && set->change[neighbors].what != NULL) neighbors++;
    tally *t = &total[set_at];
    untried = !tell_all && t->plays % TRIED != 0;
    put_data(set, NULL);
    play(word_count, words, set->file, true, &first);
    t->plays++;
    t->runs++;
    t->answered += first.asked > 0;
    t->refused += first.code != 0;
    const int alone = judge_alone(set, line, &first);
    /* What is refused without a look at the rows is so for all. */
    const bool all = of == ALL_OF_THEM && (tell_all || first.code == 0 || first.spent > 0),
               one = of == THE_FIRST;
    memset(out, 0, sizeof *out);
    out->seen[MOST_NEIGHBORS] = alone;
    out->answer = digest(&first, value);
    if (alone != 0) finding(set_at, alone, known->seen[MOST_NEIGHBORS], NULL, &first, NULL);
    if (tell_all) show_outcome("first", &first);
    for (int n = 0; n < neighbors; n++) {
        const change *c = &set->change[n];
        const int other = 1 + (int)(turn % (neighbors - 1));
        if (n != 0 && (one || (!all && n != other && n != set->change[other].like - 1))) continue;
        put_data(set, c);
        play(word_count, words, set->file, false, &o[n]);
        t->runs++;
        int seen = differences(&first, &o[n], ledger);
        if (o[n].other_queries) seen |= 1 << OTHER_QUERIES;
        if (o[n].too_far) seen |= 1 << TOO_FAR;
        const bool stopped = c->torn && is_paid_stop(&first, &o[n], ledger);
        t->stopped += stopped;
        if (stopped) seen = 0;
        if (c->like > 0 && stopped && differences(&o[c->like - 1], &o[n], ledger) != 0)
            seen |= 1 << TELLS_WHERE;
        out->seen[n] = seen;
        if (seen != 0)
            finding(set_at, seen, known->seen[n], c, &first, &o[n]);
        else if (tell_all)
            show_outcome(c->what, &o[n]);
    }
    for (int n = 0; n < neighbors; n++) outcome_free(&o[n]);
    outcome_free(&first);
}

/* ---- all moves ---- */

static void list_moves(const game_set *set, const game_line *line, moves *m)
{
    const cli_command *command = command_of(line);
    const cli_family family =
        strncmp(line->words, "kmedian", 7) == 0 ? FAMILY_MEDIAN : command->family;
    const int quiet = open("/dev/null", O_WRONLY), back = dup(2);

    m->count = 0;
    m->unknown = NULL;
    add_files(m, set);
    for (cli_option_id id = 0; id < OPT_COUNT; id++) {
        const table_entry o = {&cli_options[id], cli_use_of(command, id)};
        if (o.use != NULL && !is_owners(o.option)) add_option(m, &o, set, family);
    }
    for (const char *at = line->given; *at != '\0'; at += strspn(at, " ")) {
        const table_entry o = option_of(command, at + 2, strcspn(at, "=") - 2);
        MUST(o.option != NULL);
        add_move(m, &o, "");
        m->list[m->count - 1].left_out = true;
        at += strcspn(at, " ");
    }
    MUST(quiet >= 0 && back >= 0 && dup2(quiet, 2) == 2);
    for (int i = 0; i < m->count; i++) m->list[i].parses = parser_takes(command, &m->list[i]);
    MUST(dup2(back, 2) == 2 && close(back) == 0 && close(quiet) == 0);
}

static sight bare, alone_seen[MOST_MOVES]; /* of the line as it is, and of every move alone */

/* Values of an option that are answered in the same words count as one class: the first two of them
   are tried together with others. */
static bool is_one_more(const moves *m, int at)
{
    int alike = 0;

    for (int i = 0; i < at; i++)
        alike += m->list[i].option == m->list[at].option && m->list[i].parses &&
                 alone_seen[i].answer == alone_seen[at].answer;
    return alike >= ALIKE;
}

typedef struct two {
    short one, other;
} two;

static bool is_slow(const move *m)
{
    return m->option != NULL && (strcmp(m->value, "sample-aggregate") == 0 ||
                                 (m->option->kind == KIND_WHOLE && strlen(m->value) > 3));
}

/* Pairs of moves about different options; core: both say what the data are or what is protected. */
static long list_pairs(const moves *m, bool core, two *out)
{
    bool fit[MOST_MOVES];
    long count = 0;

    for (int i = 0; i < m->count; i++)
        fit[i] = m->list[i].parses && !is_slow(&m->list[i]) && !is_one_more(m, i);
    for (int i = 0; i < m->count; i++)
        for (int j = i + 1; j < m->count; j++) {
            const move *a = &m->list[i], *b = &m->list[j];
            if (a->option == b->option || !fit[i] || !fit[j] || (a->core && b->core) != core)
                continue;
            if (out != NULL) out[count] = (two){(short)i, (short)j};
            count++;
        }
    return count;
}

static long common(long a, long b)
{
    return b == 0 ? a : common(b, a % b);
}

/* Up to `most` of the pairs, spread evenly; TACIT_TEST_TURN has others. Returns how many. */
static long play_pairs(int set, int line, const moves *m, bool core, long most, long *of)
{
    const long count = list_pairs(m, core, NULL), quota = count < most ? count : most;
    two *pairs = malloc((size_t)(count + 1) * sizeof *pairs);
    long stride = (long)(0.618 * (double)count) | 1;
    sight known, out;

    MUST(pairs != NULL);
    list_pairs(m, core, pairs);
    while (count > 0 && common(stride, count) != 1) stride += 2;
    for (long i = 0; i < quota; i++) {
        const two *p = &pairs[(tap_turn() * quota + i) % count * stride % count];
        const move *const list[] = {&m->list[p->one], &m->list[p->other]};
        for (int n = 0; n <= MOST_NEIGHBORS; n++)
            known.seen[n] =
                bare.seen[n] | alone_seen[p->one].seen[n] | alone_seen[p->other].seen[n];
        say_line(&game_sets[set], &lines[line], list, 2);
        play_line(set, line, "", i, TWO_OF_THEM, &known, &out);
    }
    free(pairs);
    *of += count;
    return quota;
}

/* Every value; on all neighbors where it says what the data are and the family answers. What the
   parser does not take never meets a data set: it is tried on one of them. TACIT_TEST_MULT below 1
   (sanitizers): every few. Returns how many. */
static long play_singles(int set, int line, const moves *m)
{
    const bool fits = (lines[line].plays & game_sets[set].plays) != 0;
    const int step = (int)(100 / (tap_times(100) < 100 ? tap_times(100) : 100));
    long count = 0;

    say_line(&game_sets[set], &lines[line], NULL, 0);
    play_line(set, line, "", 0, ALL_OF_THEM, &(sight){0}, &bare);
    for (int i = 0; i < m->count; i++) {
        const move *const list[] = {&m->list[i]};
        alone_seen[i] = bare;
        if ((!m->list[i].parses && set != 0) || (i + set + line + tap_turn()) % step != 0) continue;
        count++;
        say_line(&game_sets[set], &lines[line], list, 1);
        const which of = !m->list[i].parses || !fits ? THE_FIRST
                         : m->list[i].core           ? ALL_OF_THEM
                                                     : TWO_OF_THEM;
        play_line(set, line, m->list[i].value, i, of, &bare, &alone_seen[i]);
    }
    return count;
}

/* ---- a data set with its ledger ---- */

static const char other_csv[] = "who,x,y\na,0.5,0.5\nb,0.1,0.2\n";

static int run_quietly(const char *file)
{
    outcome o = {0};

    run_words(word_count, words, file, &o);
    const int code = o.code;
    if (code != 0) show_outcome("set-up", &o);
    outcome_free(&o);
    return code;
}

/* Takes a file that a run has left at home into what is there before every play. */
static void keep(const char *name)
{
    size_t size;
    unsigned char *bytes = scratch_read(at_home(name), &size);

    hold(name, bytes, size);
    free(bytes);
}

/* The ledger, from what the owner declares. */
static void make_ledger(const game_set *set)
{
    char name[100];

    snprintf(name, sizeof name, "%s.ledger", set->file);
    word_count = 0;
    word_used = 0;
    say("tacit");
    say("ledger");
    say("init");
    say("%s", set->file);
    say("--epsilon=50");
    if (!set->pure) say("--delta=1e-4");
    for (int i = 0; i < MOST_PAIRS && set->declares[i][0] != NULL && set->schema == NULL; i++)
        say("%s=%s", set->declares[i][0], set->declares[i][1]);
    MUST(run_quietly(set->file) == 0);
    keep(name);
}

static void make_home(const game_set *set)
{
    char name[100];
    DIR *folder = opendir(home);

    MUST(folder != NULL);
    forget_all();
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "folder") != 0)
            unlink(at_home(entry->d_name));
    closedir(folder);
    put_data(set, NULL);
    MUST(symlink(set->file, at_home("link")) == 0 && symlink(set->file, at_home("lure")) == 0);
    hold_text("words.txt", WORDS_TEXT);
    /* calls column 2 what column 1 is called */
    hold_text("renaming.txt", "serial\nc1\nwine\nham\nhoney\nsalt\n");
    hold_text("numbers.txt", "0\n1\n2\n1984\n4\n5\n");
    hold_text("short.txt", "bread\nmilk\n");
    hold_text("bounds.csv", "column,lower,upper\nage,0,50\nstay,0,10\n");
    hold_text("other.csv", other_csv);
    hold_text("other.schema.json", "{\"fields\": [], \"tacit\": {\"version\": 1}}\n");
    snprintf(name, sizeof name, "%s.schema.json", set->file);
    if (set->schema != NULL) hold_text(name, set->schema);
    make_ledger(set);
    snprintf(name, sizeof name, "%s.ledger", set->file);
    const held *own = held_before(name);
    hold("other.ledger", own->bytes, own->size);
    hold("lure.ledger", own->bytes, own->size); /* beside a link, to be charged instead */
}

/* A release of the set by the first family that answers, for predict and evaluate. */
static void make_model(int set_at)
{
    const game_set *set = &game_sets[set_at];
    static outcome o;

    for (int i = 0; i < LINES; i++) {
        if (lines[i].deed != ASKS || (lines[i].plays & set->plays) == 0) continue;
        say_line(set, &lines[i], NULL, 0);
        say("--output=model.json");
        put_data(set, NULL);
        play(word_count, words, set->file, true, &o);
        const held *model = left(&o, "model.json");
        CHECK(o.code == 0 && o.asked > 0 && o.spent > 0 && model != NULL,
              "%s: %s answers, and the ledger pays", set->name, lines[i].name);
        if (o.code != 0) show_outcome(lines[i].name, &o);
        if (model != NULL && held_before("model.json") == NULL)
            hold("model.json", model->bytes, model->size);
        outcome_free(&o);
    }
    if (held_before("model.json") == NULL) hold_text("model.json", "{}\n");
}

/* ---- exact answers are the owner's ---- */

static bool printed(const outcome *o, const char *word)
{
    return o->said_size[0] > 0 && memmem(o->said[0], o->said_size[0], word, strlen(word)) != NULL;
}

/* Words of an exact run: refused without --as-owner; with it answered, uncharged, and in the
   ledger's history. */
static void play_owner(const game_set *set, const game_line *line, const char *more)
{
    char ledger[100];
    static outcome o;

    snprintf(ledger, sizeof ledger, "%s.ledger", set->file);
    for (int owner = 0; owner < 2; owner++) {
        word_count = 0;
        word_used = 0;
        say_line(set, line, NULL, 0);
        if (*more != '\0') {
            word_count = 3; /* not the budget */
            for (const char *at = more; *at != '\0'; at += strspn(at, " ")) {
                say("%.*s", (int)strcspn(at, " "), at);
                at += strcspn(at, " ");
            }
        }
        if (owner) say("--as-owner");
        put_data(set, NULL);
        play(word_count, words, set->file, true, &o);
        if (!owner) {
            CHECK(o.code == cli_exit_code(TACIT_E_DECLARED) && left(&o, ledger) == NULL &&
                      o.said_size[0] == 0,
                  "%s: %s %s is refused without --as-owner", set->name, line->name, more);
        } else {
            CHECK(o.code == 0 && o.spent == 0 && o.runs == 0,
                  "%s: %s %s --as-owner is answered and costs nothing", set->name, line->name,
                  more);
            const held *after = left(&o, ledger);
            CHECK(after != NULL, "... and the ledger has a line more");
            if (after != NULL) {
                const held was = *held_before(ledger);
                unsigned char *bytes = malloc(was.size);
                static outcome told;
                MUST(bytes != NULL);
                memcpy(bytes, was.bytes, was.size);
                hold(ledger, after->bytes, after->size);
                say_line(set, &lines[12], NULL, 0);
                play(word_count, words, set->file, true, &told);
                CHECK(told.code == 0 && printed(&told, "owner"), "... that tacit ledger history "
                                                                 "shows");
                outcome_free(&told);
                hold(ledger, bytes, was.size);
                free(bytes);
            }
        }
        if (tap_failed > 0 && tell_all) show_outcome("owner", &o);
        outcome_free(&o);
    }
}

/* ---- the game ---- */

static void check_tables(void)
{
    static moves m;

    for (const cli_command *c = cli_commands; c->name != NULL; c++) {
        bool known = false;
        for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
            known = known || strcmp(elsewhere[i], c->name) == 0;
        for (int i = 0; i < LINES; i++) known = known || command_of(&lines[i]) == c;
        CHECK(known, "the game plays tacit %s%s%s, or it reads no data set", c->name,
              c->object == NULL ? "" : " ", c->object == NULL ? "" : c->object);
    }
    for (int i = 0; i < LINES; i++) {
        MUST(command_of(&lines[i]) != NULL);
        list_moves(&game_sets[0], &lines[i], &m);
        CHECK(m.unknown == NULL, "every option of tacit %s has classes of values%s%s",
              lines[i].name, m.unknown == NULL ? "" : "; not --",
              m.unknown == NULL ? "" : m.unknown);
    }
}

static void report(int set)
{
    static const char *const whom[] = {"row", "person", "count"};
    const game_set *s = &game_sets[set];
    const tally *t = &total[set];
    const char *who = strcmp(s->name, "entries") == 0 ? whom[2]
                      : s->unit != NULL               ? whom[1]
                                                      : whom[0];

    for (int i = 0; i < KINDS; i++) {
        if (kind_name[i] != NULL)
            CHECK(t->differ[i] == 0,
                  "%s: whatever is written, one %s does not change %s (%ld times in %ld lines)",
                  s->name, who, kind_name[i], t->differ[i], t->plays);
        else
            CHECK(t->differ[i] == 0, "%s: %s (not so %ld times in %ld lines)", s->name,
                  kind_rule[i], t->differ[i], t->plays);
    }
    printf("# %s: %ld lines, %ld of them answered, %ld refused; %ld runs, %ld stopped at a broken "
           "line, paid\n",
           s->name, t->plays, t->answered, t->refused, t->runs, t->stopped);
}

static void play_set(int set)
{
    static moves m;
    long singles = 0, pairs[2] = {0, 0}, of[2] = {0, 0};

    make_home(&game_sets[set]);
    make_model(set);
    for (int i = 0; i < LINES; i++) {
        const long share = lines[i].deed != ASKS || (lines[i].plays & game_sets[set].plays) == 0
                               ? SMALL
                           : strcmp(lines[i].name, "kmedian") == 0 ? MIDDLE
                                                                   : 1;
        list_moves(&game_sets[set], &lines[i], &m);
        singles += play_singles(set, i, &m);
        pairs[0] += play_pairs(set, i, &m, true, tap_times(CORE_PAIRS) / share, &of[0]);
        pairs[1] += play_pairs(set, i, &m, false, tap_times(OTHER_PAIRS) / share, &of[1]);
    }
    for (int i = 0; i < LINES; i++) {
        if (lines[i].deed == EXACT) play_owner(&game_sets[set], &lines[i], "");
        if (strcmp(lines[i].name, "subspace") == 0 && (game_sets[set].plays & PLAYS_SUBSPACE) != 0)
            play_owner(&game_sets[set], &lines[i],
                       "--not-private --subspaces=1 --dimension=1 --threads=1");
        if (strcmp(lines[i].name, "cocluster") == 0 &&
            (game_sets[set].plays & PLAYS_COCLUSTER) != 0)
            play_owner(&game_sets[set], &lines[i], "--not-private --rows=2 --cols=2 --threads=1");
    }
    report(set);
    printf("# %s: %ld values alone, %ld of %ld pairs that say what the data are, %ld of %ld "
           "others\n",
           game_sets[set].name, singles, pairs[0], of[0], pairs[1], of[1]);
}

/* One line: SET COMMAND [WORD...]; a word of a command line's words first, where the command has
   several (plan cocluster). */
static int play_one(int argc, char **argv)
{
    for (int set = 0; set < GAME_SETS; set++)
        for (int i = 0; i < LINES; i++) {
            const char *object = argc > 3 && argv[3][0] != '-' ? argv[3] : NULL;
            if (strcmp(argv[1], game_sets[set].name) != 0 || strcmp(argv[2], lines[i].name) != 0)
                continue;
            if (object != NULL && strncmp(lines[i].words, object, strlen(object)) != 0) continue;
            static move given[16];
            const move *list[16];
            int count = 0;
            const cli_command *command = command_of(&lines[i]);
            MUST(command != NULL);
            for (int a = object != NULL ? 4 : 3; a < argc && count < 16; a++, count++) {
                MUST(argv[a][0] == '-' && argv[a][1] == '-');
                const size_t length = strcspn(argv[a] + 2, "=");
                given[count] = (move){.option = option_of(command, argv[a] + 2, length).option};
                MUST(given[count].option != NULL);
                snprintf(given[count].value, VALUE, "%s",
                         argv[a][2 + length] == '=' ? argv[a] + 3 + length : "");
                list[count] = &given[count];
            }
            tell_all = true;
            make_home(&game_sets[set]);
            make_model(set);
            say_line(&game_sets[set], &lines[i], list, count);
            play_line(set, i, "", 0, ALL_OF_THEM, &(sight){0}, &bare);
            report(set);
            printf("# files in %s\n", home);
            return tap_done();
        }
    printf("Bail out! no such set or command\n");
    return 1;
}

int main(int argc, char **argv)
{
    const clock_t begun = clock();

    scratch_open();
    MUST(mkdir(scratch("home"), 0700) == 0);
    snprintf(home, sizeof home, "%s", scratch("home"));
    MUST(mkdir(at_home("folder"), 0700) == 0);
    if (argc > 2) return play_one(argc, argv);
    tell_all = getenv("TACIT_GAME_TELL") != NULL;
    check_tables();
    for (int set = 0; set < GAME_SETS; set++)
        if (argc < 2 || strcmp(argv[1], game_sets[set].name) == 0) play_set(set);
    long lines_played = 0, runs = 0;
    for (int set = 0; set < GAME_SETS; set++)
        lines_played += total[set].plays, runs += total[set].runs;
    printf("# %ld lines, %ld runs, %.0f seconds of processor time\n", lines_played, runs,
           (double)(clock() - begun) / CLOCKS_PER_SEC);
    forget_all();
    tac_transcript_clear(&transcript);
    rmdir(at_home("folder"));
    DIR *folder = opendir(home);
    MUST(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlink(at_home(entry->d_name));
    closedir(folder);
    scratch_close();
    return tap_done();
}
