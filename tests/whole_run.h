/* SPDX-License-Identifier: Apache-2.0 */
/* A story told, and what must hold after it, however it ended: the ledger opens and verifies, it
   counts every release, and nothing half written has the name of an output. TACIT_COMMAND: where
   the command is. */
#ifndef TAC_WHOLE_RUN_H
#define TAC_WHOLE_RUN_H

#include "stories.h"

static const char *preloaded; /* an object, or NULL */

/* In the child: becomes the command. Its words go to the files stdout and stderr, at their ends. */
static void become(const story *s)
{
    const char *argv[WORDS + 2] = {TACIT_COMMAND};

    for (int i = 0; s->argv[i] != NULL; i++) argv[i + 1] = s->argv[i];
    if (chdir(scratch_folder) != 0) _exit(120);
    const int in = s->input == NULL ? open("/dev/null", O_RDONLY) : story_input;
    const int out = open("stdout", O_WRONLY | O_APPEND), err = open("stderr", O_WRONLY | O_APPEND);
    if (in < 0 || out < 0 || err < 0 || dup2(in, 0) != 0 || dup2(out, 1) != 1 || dup2(err, 2) != 2)
        _exit(121);
    for (int i = 3; i < 64; i++) close(i);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("LD_BIND_NOW", "1", 1); /* once, not in every copy of a process */
    /* A leak cannot be looked for under ptrace; a limit on core files marks where main begins; any
       other report must not look like a documented exit code. */
    setenv("ASAN_OPTIONS",
           "detect_leaks=0:disable_coredump=0:exitcode=99:allocator_may_return_null=1", 1);
    setenv("UBSAN_OPTIONS", "halt_on_error=1:exitcode=99", 1);
    if (preloaded != NULL) {
        setenv("LD_PRELOAD", preloaded, 1);
        setenv("TACIT_FAIL_CONTROL", scratch("control"), 1);
    }
    /* The same addresses each time: the heap would grow by more or fewer calls. Where that is
       forbidden, so be it. */
    (void)personality(ADDR_NO_RANDOMIZE);
    execv(argv[0], (char *const *)(uintptr_t)argv);
    _exit(122);
}

/* The wait status of a run. One that hangs is killed, and so has crashed. */
static pid_t under_way;
static void stop_waiting(int number)
{
    (void)number;
    kill(under_way, SIGKILL);
}

static int wait_for(pid_t child)
{
    int how = 0;

    under_way = child;
    signal(SIGALRM, stop_waiting);
    alarm(100);
    MUST(waitpid(child, &how, 0) == child);
    alarm(0);
    return how;
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

/* What a story that reads leaves: 0 nothing, 1 all of it, which is the same each time, -1 something
   else. */
static int text_state(bool there)
{
    size_t size = 0;

    if (access(scratch("out.txt"), F_OK) != 0) return there ? -1 : 0;
    unsigned char *bytes = scratch_read(scratch("out.txt"), &size);
    const bool same =
        old_release != NULL && size == old_size && memcmp(bytes, old_release, size) == 0;
    free(bytes);
    return same ? 1 : -1;
}

/* What is under the release's name: 0 nothing or the old release, 1 a whole new one, -1 something
   else. */
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

/* A ledger that was made: with the budget that was asked for and nothing spent; or none. */
static outcome judge_made(const story *s)
{
    outcome o = {.good = true};
    tacit_ledger *ledger = NULL;

    o.released = access(scratch(s->ledger), F_OK) == 0;
    if (!o.released) return o;
    if (tac_ledger_open_patient(ctx, scratch(s->ledger), 5000, &ledger) != TACIT_OK)
        return wrong(o, tacit_ctx_message(ctx));
    const bool fresh = ledger->meta.epsilon == 10 && ledger->meta.delta == 1e-3 &&
                       ledger->state.sequence == 1 && ledger->state.spent == 0;
    tacit_ledger_free(ledger);
    return fresh ? o : wrong(o, "the new ledger is not what was asked for");
}

/* The three promises. After a kill leftovers may lie about, never under the release's name. */
static outcome judge(const story *s, bool release_there)
{
    outcome o = {.good = true};
    tacit_ledger *ledger = NULL;

    if (s->kind == MAKES) return judge_made(s);
    const bool reads = s->kind == READS;
    const int file = reads ? text_state(release_there) : release_state(release_there),
              picture = picture_state();
    o.released = file == 1 || picture == 1 || size_of("stdout") > 0;
    if (file < 0 || picture < 0) return wrong(o, "something half written has the release's name");
    if (tac_ledger_open_patient(ctx, scratch(s->ledger), 5000, &ledger) != TACIT_OK)
        return wrong(o, tacit_ctx_message(ctx));
    o.runs = ledger->state.runs;
    const bool counted = (ledger->state.spent > 0) == (o.runs > 0) && o.runs <= 1;
    tacit_ledger_free(ledger);
    if (!counted) return wrong(o, "the ledger's sum does not fit its runs");
    if (reads) return o.runs == 0 ? o : wrong(o, "reading changed the ledger");
    if (o.released && o.runs != 1)
        return wrong(o, file == 1 ? "a release that the ledger does not count"
                                  : "words of a release that the ledger does not count");
    return o;
}

/* The beginning of what was said, on one line. */
__attribute__((unused)) static void show_stderr(void)
{
    size_t size;
    unsigned char *said = scratch_read(scratch("stderr"), &size);

    for (size_t i = 0; i < size; i++)
        if (said[i] == '\n') said[i] = '|';
    printf("#   %.*s\n", (int)(size < 600 ? size : 600), (const char *)said);
    free(said);
}

/* One run that nothing disturbs: it works, and its release becomes the old one. */
__attribute__((unused)) static void rehearse(const story *s)
{
    if (story_input >= 0) close(story_input);
    story_input = s->input == NULL ? -1 : open(scratch(s->input), O_RDONLY | O_CLOEXEC);
    free(old_release);
    old_release = NULL;
    world_reset(s, false);
    fflush(stdout);
    const pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) become(s);
    const int how = wait_for(child);
    if (access(scratch("out.txt"), F_OK) == 0)
        old_release = scratch_read(scratch("out.txt"), &old_size);
    const outcome o = judge(s, false);
    if (!WIFEXITED(how) || WEXITSTATUS(how) != s->code || !o.released) show_stderr();
    MUST(WIFEXITED(how) && WEXITSTATUS(how) == s->code && o.good && o.released);
    if (access(scratch("out.json"), F_OK) == 0)
        old_release = scratch_read(scratch("out.json"), &old_size);
}

#endif
