/* SPDX-License-Identifier: Apache-2.0 */
/* A release is a function of the integers that left the door. A method runs on rows, and its
   transcript is written down: the words of every answer as they left the door, and the seed of its
   public choices. A process of its own that never had a row gets the transcript and what is public
   (options, declared bounds; the number of rows under neighbors entry alone), runs the method
   without rows under another noise key, with the transcript's words for answers, and must come to
   the same queries with the same arguments and the same release, byte for byte. So must a run on
   other rows altogether. Half of the transcripts are those of runs; in the other half the answers
   are fixed integers that no run gave. Whatever else a method needs of rows, of the key, of memory,
   addresses or the time makes a release that differs. Deterministic: no false alarms.

   The families are those of the replays: a test is its replay, compiled with TRANSCRIPT
   (test_transcript*.c). */
#ifndef TAC_TEST_TRANSCRIPT_H
#define TAC_TEST_TRANSCRIPT_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "replay_family.h"
#include "transcript_arguments.h"

/* Transcripts of a method, all its variants together, and the processor time of both processes
   after which it may make do with fewer. TACIT_TEST_MULT multiplies both. */
enum {
    TRANSCRIPTS = 400,
    SECONDS = 2,
    LEAST = 8,
    HASTY_LEAST = 4,
    MOST_VARIANTS = 32,
    AT_ONCE = 4
};
enum { ROWS_SEED = 42, OTHERS_SEED = 43, REBUILD_SEED = 44, ANSWER_FD = 3 };

/* ---- what is public ---- */

typedef struct facts {
    int32_t which, variant, dims, k, owned, threads;
    tacit_neighbors neighbors;
    double epsilon;
    uint32_t options;
    /* system_key: no test seed, so the card does not tell of one */
    bool ball, sparse, labels, system_key;
    /* rows: under neighbors entry, and where replaced rows each have a label; 0 otherwise */
    int64_t rows, block_bytes;
    tac_public_seed seed;
} facts;

/* ---- words that leave, and the words that were asked for ---- */

typedef struct tape {
    enum { WRITING, PLAYING } mode;
    bool fixed;   /* writing: answers are integers that no run gave ... */
    uint64_t lot; /* ... but a function of this */
    bool other;   /* playing: another number of words was asked for */
    bool beyond;  /* a word was no integer of the grid it should be on */
    tac_public_seed seed;
    uint64_t *word; /* of each answer: how many, then the words */
    size_t words, room, at;
    size_t exact_words; /* of the query at hand */
    int64_t labels, k;  /* of the run: labels that a sampler releases, of so many */
    char *queries;      /* receipts, a line each */
    size_t length, space;
    long asked;
} tape;

static void keep(tape *t, const uint64_t *word, size_t count)
{
    if (t->words + count > t->room) {
        t->room = 2 * (t->words + count) + 256;
        t->word = realloc(t->word, t->room * sizeof *t->word);
        MUST(t->word != NULL);
    }
    memcpy(t->word + t->words, word, count * sizeof *word);
    t->words += count;
}

static long kinds_asked[TAC_KINDS]; /* for the last line of a test */

/* A query as its receipt tells it, which is what the card is made of, and the arguments of all
   queries so far. */
static void keep_query(tape *t, const tac_receipt *r)
{
    if (t->length + 512 > t->space) {
        t->space = 2 * t->space + 4096;
        t->queries = realloc(t->queries, t->space);
        MUST(t->queries != NULL);
    }
    const int length =
        snprintf(t->queries + t->length, 512, "%d|%s|%d|%llu|%llu %llu|%llu|%lld|%d|%llx\n",
                 (int)r->kind, r->what, (int)r->distribution, (unsigned long long)r->scale,
                 (unsigned long long)(r->sensitivity >> 64), (unsigned long long)r->sensitivity,
                 (unsigned long long)r->quanta, (long long)r->answers, (int)r->batch,
                 (unsigned long long)argument_digest);
    MUST(length > 0 && length < 512);
    t->length += (size_t)length;
    t->asked++;
}

static void start_tape(tape *t)
{
    t->other = t->beyond = false;
    argument_digest = UINT64_C(0xcbf29ce484222325);
    t->at = t->length = 0;
    t->asked = 0;
    if (t->mode == WRITING) t->words = 0;
}

static void free_tape(tape *t)
{
    free(t->word);
    free(t->queries);
}

/* How many of the words leave: a Gibbs sampler shows the probe more than it releases, and of cubes
   those that were found do. */
static size_t leaving(const tac_receipt *r, const uint64_t *answer, size_t count)
{
    const size_t leave = r->kind == TAC_KIND_GIBBS   ? (size_t)r->answers
                         : r->kind == TAC_KIND_CUBES ? 1 + 4 * (size_t)answer[0]
                                                     : count;
    return leave < count ? leave : count;
}

/* Choices are among so many; 0: any integer. */
static uint64_t choices(const tape *t, const tac_receipt *r)
{
    if (tac_kind_class(r->kind) == TAC_CLASS_SELECTION) return t->exact_words;
    if (r->kind == TAC_KIND_GIBBS) return (uint64_t)t->k;
    const bool labels = r->kind == TAC_KIND_ROW_LABELS || r->kind == TAC_KIND_COLUMN_LABELS;
    return labels ? t->exact_words / (uint64_t)(r->answers > 0 ? r->answers : 1) : 0;
}

/* Drawn vectors are on the lattice's grid: no more can hide in their words. */
static bool on_lattice(const tape *t, const tac_receipt *r, size_t i)
{
    return r->kind == TAC_KIND_BINGHAM ||
           (r->kind == TAC_KIND_GIBBS && (int64_t)i < r->answers - t->labels);
}

static bool on_grid(const tape *t, const tac_receipt *r, const uint64_t *answer, size_t count)
{
    const uint64_t most = choices(t, r);

    for (size_t i = 0; i < count; i++) {
        const int64_t word = (int64_t)answer[i];
        if (on_lattice(t, r, i) ? word < -TAC_M || word > TAC_M : most > 0 && answer[i] >= most)
            return false;
    }
    return true;
}

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* A few children of the first cube, or none, with counts from the threshold on. Words as
   query_cubes.c has them: how many, four for each that could have been told, threshold, dims if it
   tells them. */
static void fix_cubes(uint64_t hash, uint64_t *answer, size_t count)
{
    const uint64_t most = (count - 3) / 4, threshold = answer[count - 2], dims = answer[count - 1];
    const uint64_t children = dims > 2    ? 8
                              : dims == 2 ? 4
                                          : 2,
                   want = hash % (children + 1), found = want < most ? want : most;

    memset(answer, 0, (count - 2) * sizeof *answer);
    answer[0] = found;
    for (uint64_t i = 0; i < found; i++) {
        answer[1 + 4 * i + 1] = i;
        answer[1 + 4 * i + 3] =
            threshold + mixed(hash + i) % (UINT64_C(1) << (TAC_COUNT_GRID + 10));
    }
}

/* Integers that no run gave: a function of the query's number and the word's, of a size that fits a
   query of its kind. */
static void fix_answer(const tape *t, const tac_receipt *r, uint64_t *answer, size_t count)
{
    const uint64_t query = mixed(t->lot + (uint64_t)t->asked), most = choices(t, r);
    /* counts of up to 8,000 rows: more would take their time */
    const unsigned shift = 30 + (unsigned)(query % 30);

    if (r->kind == TAC_KIND_CUBES) {
        fix_cubes(query, answer, count);
        return;
    }
    /* a plan follows it: of up to 4,000 rows, as more take their time */
    if (r->kind == TAC_KIND_COUNT) {
        answer[0] = mixed(query) >> (64 - TAC_COUNT_GRID - query % 13);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t hash = mixed(query + i * UINT64_C(0x9e3779b97f4a7c15));
        answer[i] = on_lattice(t, r, i) ? hash % (2 * TAC_M + 1) - TAC_M
                    : most > 0          ? hash % most
                                        : (uint64_t)((int64_t)hash >> shift);
    }
}

static void on_seed(void *payload, tac_public_seed *seed)
{
    tape *t = payload;

    if (t->mode == PLAYING)
        *seed = t->seed;
    else
        t->seed = *seed;
}

static void on_exact(void *payload, const tac_receipt *r, const uint64_t *answer, size_t count)
{
    tape *t = payload;

    (void)r, (void)answer;
    t->exact_words = count;
}

static void on_noisy(void *payload, const tac_receipt *r, uint64_t *answer, size_t count)
{
    tape *t = payload;
    uint64_t leave;

    if (t->mode == WRITING) {
        kinds_asked[r->kind]++;
        if (t->fixed) fix_answer(t, r, answer, count);
        leave = leaving(r, answer, count);
        t->beyond = t->beyond || !on_grid(t, r, answer, leave);
        keep(t, &leave, 1);
        keep(t, answer, leave);
    } else if (t->at < t->words && (leave = t->word[t->at]) <= count &&
               leave == leaving(r, t->word + t->at + 1, count)) {
        memcpy(answer, t->word + t->at + 1, leave * sizeof *answer);
        t->at += 1 + leave;
    } else {
        t->other = true;
        t->at = t->words;
    }
    keep_query(t, r);
}

/* ---- one run ---- */

typedef struct outcome {
    tacit_status status;
    char *text; /* the release, or why there is none */
} outcome;

static outcome run_on(const replay_family *f, const facts *p, const world *w, int side,
                      uint64_t seed, tape *t)
{
    const tac_door_probe probe = {
        .seed = on_seed, .exact = on_exact, .noisy = on_noisy, .payload = t};
    outcome out = {0};
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    tacit_budget budget;

    start_tape(t);
    t->k = w->k;
    t->labels = p->labels ? w->rows[side] : 0;
    open_side(w, side, &data, &budget);
    budget.use_insecure_test_seed = !p->system_key;
    budget.insecure_test_seed = p->system_key ? 0 : seed;
    out.status = f->run(w, p->which, p->variant, data, &budget, &probe, &model);
    if (out.status == TACIT_OK) {
        char *text = NULL;
        MUST(tacit_model_json(ctx, model, &text) == TACIT_OK);
        out.text = strdup(text);
        tacit_free(text);
    } else {
        out.text = strdup(tacit_ctx_message(ctx));
    }
    MUST(out.text != NULL);
    if (t->mode == PLAYING && t->at != t->words) t->other = true;
    tacit_model_free(model);
    tacit_data_free(data);
    return out;
}

/* ---- the process without rows ---- */

static void put(FILE *to, const void *bytes, size_t count)
{
    MUST(count == 0 || fwrite(bytes, 1, count, to) == count);
}

/* False: there is nothing more. */
static bool get(FILE *from, void *bytes, size_t count)
{
    return count == 0 || fread(bytes, 1, count, from) == count;
}

static void put_text(FILE *to, const char *text, size_t length)
{
    put(to, &length, sizeof length);
    put(to, text, length);
}

static char *get_text(FILE *from)
{
    size_t length = 0;

    MUST(get(from, &length, sizeof length) && length < (size_t)1 << 32);
    char *text = malloc(length + 1);
    MUST(text != NULL && get(from, text, length));
    text[length] = '\0';
    return text;
}

/* Transcripts come in, releases go out. All that this process knows comes through here. */
static int rebuild_all(const replay_family *f)
{
    static world none; /* no rows, or under neighbors entry rows without counts */
    FILE *to = fdopen(ANSWER_FD, "w");
    tape t = {.mode = PLAYING};
    facts p;

    MUST(to != NULL);
    while (get(stdin, &p, sizeof p)) {
        size_t words;
        MUST(get(stdin, &words, sizeof words));
        t.word = realloc(t.word, (words + 1) * sizeof *t.word);
        MUST(t.word != NULL && get(stdin, t.word, words * sizeof *t.word));
        t.words = words;
        t.seed = p.seed;
        none.dims = p.dims, none.k = p.k, none.owned = p.owned, none.neighbors = p.neighbors,
        none.epsilon = p.epsilon;
        none.ball = p.ball, none.sparse = p.sparse, none.options = p.options,
        none.threads[0] = p.threads, none.block_bytes[0] = p.block_bytes;
        none.rows[0] = p.rows;
        const outcome out = run_on(f, &p, &none, 0, REBUILD_SEED, &t);
        put(to, &out.status, sizeof out.status);
        put(to, &t.other, sizeof t.other);
        const clock_t used = clock();
        put(to, &used, sizeof used);
        put_text(to, out.text, strlen(out.text));
        put_text(to, t.queries, t.length);
        MUST(fflush(to) == 0);
        free(out.text);
    }
    free_tape(&t);
    fclose(to);
    return 0;
}

typedef struct rebuilder {
    pid_t pid;
    clock_t used; /* processor time of its own, so far */
    FILE *to, *from;
} rebuilder;

/* Before a test under qemu-user (tools/portability): the words that start a program there. The
   kernel would start it without. */
static const char *own_emulator(void)
{
    const char *words = getenv("TACIT_TEST_EMULATOR");

    return words == NULL ? "" : words;
}

static char *own_path(void)
{
    static char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

    MUST(length > 0);
    path[length] = '\0';
    return path;
}

static rebuilder start_rebuilder(void)
{
    int there[2], back[2];
    rebuilder r = {0};

    /* a process that ends early is seen by its answers */
    MUST(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    MUST(pipe2(there, O_CLOEXEC) == 0 && pipe2(back, O_CLOEXEC) == 0);
    fflush(stdout);
    r.pid = fork();
    MUST(r.pid >= 0);
    if (r.pid == 0) {
        char option[] = "--rebuild", emulator[256], *rest = emulator, *words[10];
        int count = 0;
        snprintf(emulator, sizeof emulator, "%s", own_emulator());
        while (rest != NULL && count < 8)
            if (*(words[count] = strsep(&rest, " ")) != '\0') count++;
        words[count] = own_path(), words[count + 1] = option, words[count + 2] = NULL;
        const int out = fcntl(back[1], F_DUPFD, 10); /* ANSWER_FD may be one of the pipes */
        if (out < 0 || dup2(there[0], 0) < 0 || dup2(out, ANSWER_FD) < 0 || close(out) != 0 ||
            /* memory that nobody set is other than here */
            setenv("MALLOC_PERTURB_", "165", 1) != 0)
            _exit(1);
        fcntl(ANSWER_FD, F_SETFD, 0);
        execvp(words[0], words);
        _exit(1);
    }
    close(there[0]);
    close(back[1]);
    r.to = fdopen(there[1], "w");
    r.from = fdopen(back[0], "r");
    MUST(r.to != NULL && r.from != NULL);
    return r;
}

static void end_rebuilder(rebuilder *r)
{
    int code = -1;

    fclose(r->to);
    fclose(r->from);
    MUST(waitpid(r->pid, &code, 0) == r->pid);
    CHECK(WIFEXITED(code) && WEXITSTATUS(code) == 0, "the process without rows ends well");
}

/* ---- one transcript ---- */

typedef struct tally {
    long runs, fixed, asked, answers, released;
    long rebuilt, queries, others, grid; /* failures */
    long first_bad;
    clock_t used;
} tally;

/* Other rows in the place of side 1, with nothing in common; rows: how many if that is public, or
   0. */
static void make_strangers(const replay_family *f, world *w, int64_t rows)
{
    const int64_t kind = below(KINDS);

    w->rows[1] = rows > 0 ? rows : below(w->large ? 80 : 24);
    w->start[1][0] = 0;
    for (int64_t i = 0; i < w->rows[1]; i++) {
        w->unit[1][i] = below(6);
        w->start[1][i + 1] = w->start[1][i] + (f->counts ? below(3) : PER_ROW);
        if (!f->counts)
            make_row(w, 1, i, below(3) ? kind : NASTY);
        else
            for (int64_t e = w->start[1][i], column = below(2); e < w->start[1][i + 1];
                 e++, column++) {
                w->column[1][e] = (int32_t)(column % w->dims);
                w->value[1][e] = (double)(1 + below(9));
            }
        if (f->counts && w->start[1][i + 1] - w->start[1][i] == 2 &&
            w->column[1][w->start[1][i]] > w->column[1][w->start[1][i] + 1])
            w->start[1][i + 1]--; /* columns grow along a row */
    }
}

static bool same(const outcome *a, const outcome *b)
{
    return a->status == b->status && strcmp(a->text, b->text) == 0;
}

static bool same_queries(const tape *t, const char *queries, size_t length)
{
    return t->length == length && (length == 0 || memcmp(t->queries, queries, length) == 0);
}

static void explain(const outcome *was, const outcome *is_now, const char *who)
{
    size_t at = 0;

    while (was->text[at] != '\0' && was->text[at] == is_now->text[at]) at++;
    const size_t from = at < 60 ? 0 : at - 60;
    printf("# %s differs at byte %zu: ... %.160s\n#   here: ... %.160s\n", who, at,
           was->text + from, is_now->text + from);
}

static void test_transcript(const replay_family *f, rebuilder *r, int which, int variant, world *w,
                            tally *sum)
{
    static tape written, played;
    facts p;
    outcome out = {0};
    bool other;

    memset(&p, 0, sizeof p);
    p.which = which, p.variant = variant, p.dims = w->dims, p.k = w->k, p.owned = w->owned,
    p.neighbors = w->neighbors;
    p.epsilon = w->epsilon, p.options = w->options, p.ball = w->ball, p.sparse = w->sparse,
    p.threads = w->threads[1], p.block_bytes = w->block_bytes[1];
    p.labels = f->labels != NULL && f->labels(variant);
    p.rows = w->neighbors == TACIT_ENTRY || p.labels ? w->rows[0] : 0;
    p.system_key = sum->runs % 8 >= 6;
    written.mode = WRITING;
    written.fixed = sum->runs % 2 == 1;
    written.lot = mixed((uint64_t)sum->runs);
    outcome first = run_on(f, &p, w, 0, ROWS_SEED, &written);
    p.seed = written.seed;

    put(r->to, &p, sizeof p);
    put(r->to, &written.words, sizeof written.words);
    put(r->to, written.word, written.words * sizeof *written.word);
    MUST(fflush(r->to) == 0);
    MUST(get(r->from, &out.status, sizeof out.status) && get(r->from, &other, sizeof other) &&
         get(r->from, &r->used, sizeof r->used));
    out.text = get_text(r->from);
    char *queries = get_text(r->from);
    const bool rebuilt = same(&first, &out),
               asked = !other && same_queries(&written, queries, strlen(queries));

    make_strangers(f, w, p.rows);
    free(played.word);
    played = (tape){.mode = PLAYING,
                    .word = written.word,
                    .words = written.words,
                    .seed = written.seed,
                    .queries = played.queries,
                    .space = played.space};
    outcome stranger = run_on(f, &p, w, 1, OTHERS_SEED, &played);
    const bool others = same(&first, &stranger) && !played.other &&
                        same_queries(&written, played.queries, played.length);
    played.word = NULL; /* it is the other's */

    if (!(rebuilt && asked && others && !written.beyond) && sum->first_bad < 0) {
        sum->first_bad = sum->runs;
        if (!rebuilt) explain(&first, &out, "the process without rows");
        if (!same(&first, &stranger)) explain(&first, &stranger, "the run on other rows");
    }
    sum->runs++;
    sum->fixed += written.fixed;
    sum->asked += written.asked;
    sum->answers += (long)written.words - written.asked;
    sum->released += first.status == TACIT_OK;
    sum->rebuilt += !rebuilt;
    sum->queries += !asked;
    sum->others += !others;
    sum->grid += written.beyond;
    free(first.text), free(out.text), free(stranger.text), free(queries);
}

/* ---- all transcripts of a family ---- */

static void report(const char *method, const char *words, const tally *sum)
{
    /* refused whatever the rows: not served */
    const bool never = sum->asked == 0 && sum->released == 0;

    CHECK(sum->rebuilt == 0,
          "%s%s: %ld transcripts (%ld of fixed integers), %ld words: rebuilt bit for bit by a "
          "process without rows (%ld differ)",
          method, words, sum->runs, sum->fixed, sum->answers, sum->rebuilt);
    CHECK(sum->queries == 0,
          "... which asks the same queries, argument by argument and at the same price (%ld "
          "differ)",
          sum->queries);
    CHECK(sum->others == 0,
          "... given the answers, other rows give the same release byte for byte (%ld differ)",
          sum->others);
    CHECK(sum->grid == 0, "... every word is an integer on its grid (%ld transcripts have others)",
          sum->grid);
    CHECK(never || 3 * sum->released >= sum->runs, "... and %s (%ld)%s",
          never ? "it is not served" : "many are releases", sum->released, never ? " # SKIP" : "");
    if (sum->first_bad >= 0) printf("# first in transcript %ld\n", sum->first_bad);
}

static void test_method(const replay_family *f, rebuilder *r, int which)
{
    static world w;
    tally sum[MOST_VARIANTS] = {0};
    char words[MOST_VARIANTS][96];
    bool open[MOST_VARIANTS] = {0};
    const long hundredths = tap_times(100), runs = tap_times(TRANSCRIPTS),
               least = hundredths < 100 ? HASTY_LEAST : LEAST;
    int served = 0, left;
    long done = 0;

    for (int v = 0; v < f->variants; v++) {
        sum[v].first_bad = -1;
        served += open[v] = f->serves(which, v, words[v], sizeof words[v]);
    }
    const double share = (double)hundredths / 100 * SECONDS / (served + !served) * CLOCKS_PER_SEC;
    do {
        left = 0;
        for (int v = 0; v < f->variants; v++) {
            tally *s = &sum[v];
            const clock_t begun = clock() + r->used;
            for (int i = 0; i < AT_ONCE && open[v]; i++, done++) {
                start_pair((uint64_t)(which * MOST_VARIANTS + v) ^ UINT64_C(0x7e57),
                           (uint64_t)s->runs);
                f->make(which, v, &w);
                w.options = options_of((uint64_t)s->runs);
                test_transcript(f, r, which, v, &w, s);
                open[v] = s->runs < least ||
                          (done < runs && (double)(s->used + (clock() + r->used - begun)) < share);
            }
            s->used += clock() + r->used - begun;
            left += open[v];
        }
    } while (left > 0);
    for (int v = 0; v < f->variants; v++)
        if (sum[v].runs > 0) report(f->method(which), words[v], &sum[v]);
}

/* Arguments: the methods to look at; none: all of them. */
static int replay_family_run(const replay_family *f, int least_methods, int argc, char **argv)
{
    int methods = 0;

    MUST(f->variants <= MOST_VARIANTS && tacit_ctx_new(&ctx) == TACIT_OK);
    if (argc == 2 && strcmp(argv[1], "--rebuild") == 0) return rebuild_all(f);
    rebuilder r = start_rebuilder();
    for (int which = 0; which < 64; which++) {
        bool wanted = argc <= 1;
        if (f->method(which) == NULL) continue;
        for (int i = 1; i < argc; i++) wanted = wanted || strcmp(argv[i], f->method(which)) == 0;
        if (wanted) test_method(f, &r, which);
        methods++;
    }
    CHECK(methods >= least_methods, "%d methods", methods);
    printf("# queries:");
    for (int i = 0; i < TAC_KINDS; i++)
        if (kinds_asked[i] > 0) printf(" %s %ld", tac_kind_name((tac_kind)i), kinds_asked[i]);
    printf("\n");
    end_rebuilder(&r);
    tacit_ctx_free(ctx);
    return tap_done();
}

#endif
