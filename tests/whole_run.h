/* SPDX-License-Identifier: Apache-2.0 */
/* Whole short runs of the command `tacit` in a folder of their own, and what must hold after any of them, however it
   ended: the ledger opens and verifies, it counts every release, and nothing half written has the release's name.
   TACIT_COMMAND: where the command is. */
#ifndef TAC_WHOLE_RUN_H
#define TAC_WHOLE_RUN_H

#include "privacy/ledger/ledger_inside.h"
#include "scratch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/wait.h>

#define WORDS 24

/* The ledger lies beside rows.csv; link.csv is another name of those rows, which must not hide it. */
typedef struct story {
    const char *name, *ledger;
    int whose; /* 0: the ledger is about rows, 1: about persons */
    const char *argv[WORDS];
} story;

#define PRICE "--epsilon", "1", "--delta", "1e-6", "--threads", "1"
static const story stories[] = {
    {"kmeans to a file", "rows.csv.ledger", 0, {"kmeans", "rows.csv", "-k", "2", PRICE, "--bounds",
                                                "x=0:1,y=0:1", "-o", "out.json"}},
    {"subspace through a link", "rows.csv.ledger", 0,
     {"subspace", "link.csv", "-k", "2", "-q", "1", PRICE, "--radius", "2", "-o", "out.json"}},
    {"kmeans to standard output", "people.ledger", 1,
     {"kmeans", "people.csv", "--columns", "x,y", "--unit-column", "who", "--max-rows-per-person", "2",
      "--ledger", "people.ledger", "-k", "2", PRICE, "--bounds", "bounds.csv", "--json"}},
    {"cocluster with a picture", "counts.csv.ledger", 0,
     {"cocluster", "counts.csv", "--rows", "2", "--cols", "2", PRICE, "--shape", "x4", "--picture",
      "out.svg", "-o", "out.json"}},
};
enum { STORIES = sizeof stories / sizeof *stories };

static tacit_ctx *ctx;
static unsigned char *old_release, *seed[2];
static size_t old_size, seed_size[2];

static void world_open(void)
{
    char rows[4000] = "x,y\n";
    size_t at = strlen(rows);

    scratch_open();
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    for (int i = 0; i < 60; i++) at += (size_t)snprintf(rows + at, sizeof rows - at, "0.%d,0.%d\n", i * 7 % 10, i * 3 % 10);
    scratch_write(scratch("rows.csv"), rows, at);
    scratch_write(scratch("bounds.csv"), "column,lower,upper\nx,0,1\ny,0,1\n", 31);
    at = (size_t)snprintf(rows, sizeof rows, "who,x,y\n");
    for (int i = 0; i < 60; i++)
        at += (size_t)snprintf(rows + at, sizeof rows - at, "p%d,0.%d,0.%d\n", i % 20, i * 7 % 10, i * 3 % 10);
    scratch_write(scratch("people.csv"), rows, at);
    at = (size_t)snprintf(rows, sizeof rows, "row,col,count\n");
    for (int i = 0; i < 60; i++) at += (size_t)snprintf(rows + at, sizeof rows - at, "%d,%d,%d\n", i / 4, i % 4, i * i % 5);
    scratch_write(scratch("counts.csv"), rows, at);
    MUST(symlink("rows.csv", scratch("link.csv")) == 0);
    for (int i = 0; i < 2; i++) {
        const char *path = scratch(i == 0 ? "seed.ledger" : "seed2.ledger");
        MUST(tacit_ledger_create(ctx, path, "rows", 10, 1e-3, i == 0 ? NULL : "who", TACIT_ADD_REMOVE) == TACIT_OK);
        seed[i] = scratch_read(path, &seed_size[i]);
        MUST(unlink(path) == 0);
    }
}

/* A young ledger, and an older release under the name or none. */
static void world_reset(const story *s, bool release_there)
{
    char journal[64];

    snprintf(journal, sizeof journal, "%s-journal", s->ledger);
    unlink(scratch(journal));
    scratch_write(scratch(s->ledger), seed[s->whose], seed_size[s->whose]);
    unlink(scratch("out.json"));
    unlink(scratch("out.svg"));
    unlink(scratch("stdout")); /* a process may be killed before it opens its own */
    unlink(scratch("stderr"));
    if (release_there && old_release != NULL) scratch_write(scratch("out.json"), old_release, old_size);
}

static void world_close(void)
{
    free(old_release);
    for (int i = 0; i < 2; i++) free(seed[i]);
    tacit_ctx_free(ctx);
    scratch_close();
}

/* In the child: becomes the command. Its words go to the files stdout and stderr. */
static void become(const story *s)
{
    const char *argv[WORDS + 2] = {TACIT_COMMAND};

    for (int i = 0; s->argv[i] != NULL; i++) argv[i + 1] = s->argv[i];
    if (chdir(scratch_folder) != 0) _exit(120);
    const int out = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600),
              err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (out < 0 || err < 0 || dup2(out, 1) != 1 || dup2(err, 2) != 2) _exit(121);
    close(out);
    close(err);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    /* A leak cannot be looked for under ptrace; a limit on core files marks where main begins; any other report must not
       look like a documented exit code. */
    setenv("ASAN_OPTIONS", "detect_leaks=0:disable_coredump=0:exitcode=99:allocator_may_return_null=1", 1);
    setenv("UBSAN_OPTIONS", "halt_on_error=1:exitcode=99", 1);
    /* The same addresses each time: the heap would grow by more or fewer calls. Where that is forbidden, so be it. */
    (void)personality(ADDR_NO_RANDOMIZE);
    execv(argv[0], (char *const *)(uintptr_t)argv);
    _exit(122);
}

/* A picture is whole or absent, too. */
static int picture_state(void)
{
    size_t size = 0;

    if (access(scratch("out.svg"), F_OK) != 0) return 0;
    unsigned char *bytes = scratch_read(scratch("out.svg"), &size);
    const bool whole = size > 7 && memcmp(bytes + size - 7, "</svg>\n", 7) == 0;
    free(bytes);
    return whole ? 1 : -1;
}

/* What is under the release's name: 0 nothing or the old release, 1 a whole new one, -1 something else. */
static int release_state(bool release_there)
{
    size_t size = 0;
    tacit_model *model = NULL;

    if (access(scratch("out.json"), F_OK) != 0) return release_there ? -1 : 0;
    unsigned char *bytes = scratch_read(scratch("out.json"), &size);
    const bool same = release_there && size == old_size && memcmp(bytes, old_release, size) == 0;
    const bool ends = size > 2 && memcmp(bytes + size - 2, "}\n", 2) == 0;
    free(bytes);
    if (same) return 0;
    const bool whole = ends && tacit_model_read(ctx, scratch("out.json"), &model) == TACIT_OK;
    tacit_model_free(model);
    return whole ? 1 : -1;
}

static size_t size_of(const char *name)
{
    FILE *file = fopen(scratch(name), "rb");
    if (file == NULL) return 0;
    MUST(fseek(file, 0, SEEK_END) == 0);
    const size_t size = (size_t)ftell(file);
    fclose(file);
    return size;
}

typedef struct outcome {
    bool good;
    bool released; /* a reader has seen something: a file or words on standard output */
    int64_t runs;  /* that the ledger counts */
} outcome;

static outcome wrong(outcome o, const char *why)
{
    printf("# %s\n", why);
    o.good = false;
    return o;
}

/* The three promises. After a kill leftovers may lie about, never under the release's name. */
static outcome judge(const story *s, bool release_there)
{
    outcome o = {.good = true};
    tacit_ledger *ledger = NULL;
    const int file = release_state(release_there), picture = picture_state();

    o.released = file == 1 || picture == 1 || size_of("stdout") > 0;
    if (file < 0 || picture < 0) return wrong(o, "something half written has the release's name");
    if (tac_ledger_open_patient(ctx, scratch(s->ledger), 5000, &ledger) != TACIT_OK) return wrong(o, tacit_ctx_message(ctx));
    o.runs = ledger->state.runs;
    const bool counted = (ledger->state.spent > 0) == (o.runs > 0) && o.runs <= 1;
    tacit_ledger_free(ledger);
    if (!counted) return wrong(o, "the ledger's sum does not fit its runs");
    if (o.released && o.runs != 1)
        return wrong(o, file == 1 ? "a release that the ledger does not count" : "words of a release that the "
                     "ledger does not count");
    return o;
}

/* One run that nothing disturbs: it works, and its release becomes the old one. */
static void rehearse(const story *s)
{
    world_reset(s, false);
    fflush(stdout);
    const pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) become(s);
    int how = 0;
    MUST(waitpid(child, &how, 0) == child);
    const outcome o = judge(s, false);
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0) {
        size_t size;
        unsigned char *said = scratch_read(scratch("stderr"), &size);
        printf("# %.*s\n", (int)size, (const char *)said);
        free(said);
    }
    MUST(WIFEXITED(how) && WEXITSTATUS(how) == 0 && o.good && o.released);
    if (access(scratch("out.json"), F_OK) != 0) return;
    free(old_release);
    old_release = scratch_read(scratch("out.json"), &old_size);
}

#endif
