/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of the analyst's game and one run in it: before a run everything in the folder is as
   it was, afterwards all that the run has left is kept in memory. Every run is in the same folder,
   so that names in messages are the same. */
#ifndef TAC_GAME_WORLD_H
#define TAC_GAME_WORLD_H

#include "game_values.h"
#include "privacy/ledger/ledger_internal.h"
#include "probed_command.h"
#include "scratch.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { MOST_FILES = 40, MOST_LINE = 64 };

typedef struct held {
    char name[80];
    unsigned char *bytes;
    size_t size;
    mode_t mode;
} held;

typedef struct outcome {
    int code;
    unsigned char *said[2]; /* standard output and standard error */
    size_t said_size[2];
    held file[MOST_FILES]; /* those that are new or other than before */
    int files;
    int asked; /* queries */
    bool other_queries, too_far;
    /* from the data set's ledger, in its units; -1: there is no such ledger any more */
    double spent;
    long long runs;
} outcome;

static char home[200];          /* the folder */
static held before[MOST_FILES]; /* what is in it */
static int befores;

static const char *at_home(const char *name)
{
    char both[300];

    MUST(strlen(name) < sizeof both - 8);
    snprintf(both, sizeof both, "home/%s", name);
    return scratch(both);
}

/* ---- files ---- */

static void hold(const char *name, const void *bytes, size_t size)
{
    held *h = NULL;

    for (int i = 0; i < befores && h == NULL; i++)
        if (strcmp(before[i].name, name) == 0) h = &before[i];
    MUST(h != NULL || befores < MOST_FILES);
    if (h == NULL) h = &before[befores++];
    free(h->bytes);
    *h = (held){.bytes = malloc(size + 1), .size = size, .mode = 0600};
    MUST(h->bytes != NULL && strlen(name) < sizeof h->name);
    snprintf(h->name, sizeof h->name, "%s", name);
    memcpy(h->bytes, bytes, size);
    scratch_write(at_home(name), bytes, size);
    MUST(chmod(at_home(name), h->mode) == 0);
}

static void hold_text(const char *name, const char *text)
{
    hold(name, text, strlen(text));
}

static void forget_all(void)
{
    for (int i = 0; i < befores; i++) free(before[i].bytes);
    memset(before, 0, sizeof before);
    befores = 0;
}

static bool is_plain(const char *name, struct stat *about)
{
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && lstat(at_home(name), about) == 0 &&
           S_ISREG(about->st_mode);
}

static const held *held_before(const char *name)
{
    for (int i = 0; i < befores; i++)
        if (strcmp(before[i].name, name) == 0) return &before[i];
    return NULL;
}

static bool same_held(const held *a, const held *b)
{
    return a->size == b->size && a->mode == b->mode && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* Keeps what is other than before, and puts everything back. */
static void collect(outcome *o)
{
    DIR *folder = opendir(home);
    struct stat about;

    MUST(folder != NULL);
    o->files = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (!is_plain(entry->d_name, &about)) continue;
        MUST(o->files < MOST_FILES && strlen(entry->d_name) < sizeof o->file->name);
        held *h = &o->file[o->files];
        *h = (held){.mode = about.st_mode & 0777};
        snprintf(h->name, sizeof h->name, "%s", entry->d_name);
        h->bytes = scratch_read(at_home(h->name), &h->size);
        const held *was = held_before(h->name);
        if (was != NULL && same_held(was, h)) {
            free(h->bytes);
            continue;
        }
        o->files++;
        unlink(at_home(h->name));
    }
    closedir(folder);
    for (int i = 0; i < befores; i++) {
        if (access(at_home(before[i].name), F_OK) == 0) continue;
        scratch_write(at_home(before[i].name), before[i].bytes, before[i].size);
        MUST(chmod(at_home(before[i].name), before[i].mode) == 0);
    }
}

static void outcome_free(outcome *o)
{
    for (int i = 0; i < 2; i++) free(o->said[i]);
    for (int i = 0; i < o->files; i++) free(o->file[i].bytes);
    memset(o, 0, sizeof *o);
}

static const held *left(const outcome *o, const char *name)
{
    for (int i = 0; i < o->files; i++)
        if (strcmp(o->file[i].name, name) == 0) return &o->file[i];
    return NULL;
}

/* ---- a run ---- */

/* What the ledger beside the data file says. */
static void read_ledger(const char *file, outcome *o)
{
    char name[100];
    tacit_ctx *ctx = NULL;
    tacit_ledger *ledger = NULL;

    o->spent = -1;
    o->runs = -1;
    snprintf(name, sizeof name, "%s.ledger", file);
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    /* a summary takes longer than the run: it works out what is left */
    if (tacit_ledger_open(ctx, at_home(name), &ledger) == TACIT_OK) {
        o->spent = ldexp((double)ledger->state.spent, -TAC_QUANTUM_BITS);
        o->runs = ledger->state.runs;
    }
    tacit_ledger_free(ledger);
    tacit_ctx_free(ctx);
}

/* Runs the words at home; the data file is standard input too. */
static void run_words(int count, char **words, const char *file, outcome *o)
{
    const int back[3] = {dup(0), dup(1), dup(2)};

    fflush(stdout);
    MUST(chdir(home) == 0);
    const int now[3] = {open(file, O_RDONLY),
                        open(scratch("stdout"), O_WRONLY | O_CREAT | O_TRUNC, 0600),
                        open(scratch("stderr"), O_WRONLY | O_CREAT | O_TRUNC, 0600)};
    for (int i = 0; i < 3; i++) MUST(now[i] >= 0 && dup2(now[i], i) == i && close(now[i]) == 0);
    system_state = 1;
    o->code = tacit_command(count, words);
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < 3; i++) MUST(dup2(back[i], i) == i && close(back[i]) == 0);
    MUST(chdir("/") == 0);
    o->said[0] = scratch_read(scratch("stdout"), &o->said_size[0]);
    o->said[1] = scratch_read(scratch("stderr"), &o->said_size[1]);
}

/* The run on the file as it lies there. first: it is written down; else it gets the answers of the
   first. */
static void play(int count, char **words, const char *file, bool first, outcome *o)
{
    static int recorded;

    memset(o, 0, sizeof *o);
    if (first) {
        tac_transcript_start(&transcript);
    } else {
        transcript.at = recorded;
        transcript.other_queries = transcript.too_far = false;
        tac_transcript_replay(&transcript);
    }
    run_words(count, words, file, o);
    if (first)
        recorded = transcript.at;
    else
        tac_transcript_end(&transcript);
    MUST(!transcript.failed);
    o->asked = transcript.at;
    o->other_queries = transcript.other_queries;
    o->too_far = transcript.too_far;
    char name[100];
    snprintf(name, sizeof name, "%s.ledger", file);
    collect(o);
    const held *ledger = left(o, name);
    o->spent = ledger == NULL ? 0 : -1;
    if (ledger == NULL) return;
    scratch_write(at_home("after.ledger"), ledger->bytes, ledger->size);
    read_ledger("after", o);
    MUST(unlink(at_home("after.ledger")) == 0);
}

#endif
