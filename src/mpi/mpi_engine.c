/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes between the root and the ranks. Every step is one broadcast and one reply of each rank, the
   root among them: a status, a sentence if it failed, and bytes. Several shards of one rank, a file
   each, answer as one. */
#include "mpi_engine.h"

#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TAG = 17, SENTENCE = 1024 };
typedef enum step { STEP_CHECK = 1, STEP_START, STEP_PLACE, STEP_QUERY, STEP_END, STEP_EXIT } step;

typedef struct reply {
    int32_t status;
    int32_t parts; /* of `bytes`, each behind its length */
    uint64_t count;
    char sentence[SENTENCE];
    uint8_t *bytes; /* malloc */
} reply;

/* What one process has: its shards. */
typedef struct host {
    tacit_ctx *ctx;
    uint8_t *spec;
    size_t spec_bytes;
    tacit_shard **shard;
    int *file; /* of each, open */
    int shards;
    int ranks_here;
    bool near; /* on the root's machine */
} host;

/* The root's side. */
typedef struct root {
    const cli *c;
    host own;
    int ranks;
    char sentence[SENTENCE];
} root;

static root the_root; /* one run a process */

/* ---- where rows are ---- */

static void forget(host *h)
{
    for (int i = 0; i < h->shards; i++) tacit_shard_free(h->shard[i]);
    for (int i = 0; i < h->shards; i++) close(h->file[i]);
    free(h->shard);
    free(h->file);
    free(h->spec);
    tacit_ctx_free(h->ctx);
    *h = (host){0};
}

static void fail(reply *r, tacit_status status, const char *sentence)
{
    r->status = (int32_t)status;
    snprintf(r->sentence, sizeof r->sentence, "%s", sentence);
}

static bool append(reply *r, const uint8_t *bytes, size_t count)
{
    const uint64_t length = count;
    uint8_t *room = realloc(r->bytes, r->count + sizeof length + count);

    if (room == NULL) return false;
    memcpy(room + r->count, &length, sizeof length);
    memcpy(room + r->count + sizeof length, bytes, count);
    r->bytes = room;
    r->count += sizeof length + count;
    r->parts++;
    return true;
}

/* How many ranks are on this machine, and whether the root is one of them. All ranks ask
   together. */
static void look_around(host *h)
{
    MPI_Comm here;
    int rank = 0, least = 0;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &h->ranks_here);
    MPI_Allreduce(&rank, &least, 1, MPI_INT, MPI_MIN, here);
    MPI_Comm_free(&here);
    h->near = least == 0;
}

/* A share of the processors for each rank of this machine, if nothing is said. */
static int threads_of(int said, int here)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);

    if (said > 0) return said;
    return cores > here ? (int)(cores / here) : 1;
}

/* What START says: threads, spec, files. Of each file what the root has opened, then its name,
   which ends with 0. */
typedef struct start {
    int32_t threads, files;
    uint64_t spec;
} start;

typedef struct opened {
    int64_t size, seconds, nanoseconds;
    uint64_t device, inode;
} opened;

static opened opened_of(const struct stat *about)
{
    return (opened){.size = (int64_t)about->st_size,
                    .seconds = (int64_t)about->st_mtim.tv_sec,
                    .nanoseconds = (int64_t)about->st_mtim.tv_nsec,
                    .device = (uint64_t)about->st_dev,
                    .inode = (uint64_t)about->st_ino};
}

/* Is what a rank has open the root's file? Ranks that read different states of a table would count
   a row twice, and a name that leads elsewhere by now leads past the ledger. Other machines may
   have copies, of which the size alone must be the same. */
static bool is_roots_file(const host *h, int file, const opened *roots)
{
    struct stat about;

    if (fstat(file, &about) != 0) return false;
    const opened own = opened_of(&about);
    return h->near ? memcmp(&own, roots, sizeof own) == 0 : own.size == roots->size;
}

/* Before anything is spent: can this rank read its files, and are those on the root's machine the
   root's own? Looks at no byte of a file, nor at how large it is: that would tell of rows. */
static void check_names(host *h, const uint8_t *bytes, reply *r)
{
    start s;
    opened roots;
    int rank = 0, ranks = 1;

    memcpy(&s, bytes, sizeof s);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    look_around(h);
    const char *file = (const char *)bytes + sizeof s + s.spec;
    for (int f = 0; r->status == 0 && f < s.files; f++, file += strlen(file) + 1) {
        struct stat about;
        memcpy(&roots, file, sizeof roots);
        file += sizeof roots;
        if (s.files > 1 && f % ranks != rank) continue;
        const int there = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (there < 0 || fstat(there, &about) != 0 || !S_ISREG(about.st_mode)) {
            fail(r, TACIT_E_OPEN, "");
            snprintf(r->sentence, sizeof r->sentence,
                     "rank %d cannot read %.300s; every rank must reach its files by the names "
                     "that "
                     "the root sees; nothing was spent",
                     rank, file);
        } else if (h->near && ((uint64_t)about.st_ino != roots.inode ||
                               (uint64_t)about.st_dev != roots.device)) {
            fail(r, TACIT_E_READ, "");
            snprintf(r->sentence, sizeof r->sentence,
                     "rank %d finds another file under %.300s than the root has opened; nothing "
                     "was "
                     "spent",
                     rank, file);
        }
        if (there >= 0) close(there);
    }
}

/* Opens this rank's shards: file f on rank f modulo ranks; one file alone is read by all ranks, and
   each keeps its part of the rows. */
static void open_shards(host *h, const uint8_t *bytes, reply *r)
{
    start s;
    opened roots;
    int rank = 0, ranks = 1;
    tacit_status status = TACIT_OK;

    memcpy(&s, bytes, sizeof s);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    look_around(h);
    h->spec = malloc(s.spec);
    h->spec_bytes = s.spec;
    h->shard = calloc((size_t)s.files, sizeof(tacit_shard *));
    h->file = calloc((size_t)s.files, sizeof *h->file);
    if (h->spec == NULL || h->shard == NULL || h->file == NULL ||
        tacit_ctx_new(&h->ctx) != TACIT_OK) {
        fail(r, TACIT_E_MEMORY, "a rank is out of memory");
        return;
    }
    memcpy(h->spec, bytes + sizeof s, s.spec);
    status = tacit_ctx_set_threads(h->ctx, threads_of(s.threads, h->ranks_here));
    const char *file = (const char *)bytes + sizeof s + s.spec;
    cli_allow_files(s.files);
    for (int f = 0; status == TACIT_OK && f < s.files; f++, file += strlen(file) + 1) {
        tacit_shard_opts opts = TACIT_SHARD_OPTS_INIT;
        memcpy(&roots, file, sizeof roots);
        file += sizeof roots;
        if (s.files > 1 && f % ranks != rank) continue;
        opts.index = s.files > 1 ? f : rank;
        opts.picks = s.files == 1;
        opts.descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (opts.descriptor < 0) {
            const int why = errno;
            fail(r, TACIT_E_OPEN, "");
            snprintf(r->sentence, sizeof r->sentence, "rank %d cannot open %.300s: %s", rank, file,
                     strerror(why));
            return;
        }
        if (opts.descriptor > 0) h->file[h->shards++] = opts.descriptor;
        const bool same = opts.descriptor > 0 && is_roots_file(h, opts.descriptor, &roots);
        if (same)
            status = tacit_shard_open_file(h->ctx, file, h->spec, h->spec_bytes, &opts,
                                           &h->shard[h->shards - 1]);
        if (!same || (status == TACIT_OK && !is_roots_file(h, opts.descriptor, &roots))) {
            fail(r, TACIT_E_READ,
                 "a rank has opened another file than the root, or one that has changed; every "
                 "rank must reach the same files, and nobody write to them meanwhile");
            return;
        }
    }
    if (status != TACIT_OK) fail(r, status, tacit_ctx_message(h->ctx));
}

static void place(host *h, const uint8_t *frames, size_t count, reply *r)
{
    for (int i = 0; r->status == 0 && i < h->shards; i++) {
        uint8_t *receipt = NULL;
        size_t bytes = 0;
        const tacit_status status =
            tacit_shard_place(h->ctx, h->shard[i], frames, count, &receipt, &bytes);
        if (status != TACIT_OK)
            fail(r, status, tacit_ctx_message(h->ctx));
        else if (!append(r, receipt, bytes))
            fail(r, TACIT_E_MEMORY, "a rank is out of memory");
        tacit_free(receipt);
    }
}

/* The answers of all shards of this process, combined. SECRET. */
static void answer(host *h, const uint8_t *query, size_t count, reply *r)
{
    uint8_t *all = NULL, *one = NULL, *both = NULL;
    size_t all_bytes = 0, one_bytes = 0, both_bytes = 0;
    tacit_status status = TACIT_OK;

    for (int i = 0; status == TACIT_OK && i < h->shards; i++) {
        status = tacit_shard_secret_answer(h->ctx, h->shard[i], query, count, &one, &one_bytes);
        if (status == TACIT_OK && all != NULL) {
            status = tacit_secret_answers_combine(h->ctx, h->spec, h->spec_bytes, all, all_bytes,
                                                  one, one_bytes, &both, &both_bytes);
            tacit_free(all);
            tacit_free(one);
            all = both;
            all_bytes = both_bytes;
        } else if (status == TACIT_OK) {
            all = one;
            all_bytes = one_bytes;
        }
    }
    if (status != TACIT_OK)
        fail(r, status, tacit_ctx_message(h->ctx));
    else if (all != NULL && !append(r, all, all_bytes))
        fail(r, TACIT_E_MEMORY, "a rank is out of memory");
    tacit_free(all);
}

static void work(host *h, step what, const uint8_t *bytes, size_t count, reply *r)
{
    *r = (reply){0};
    if (what == STEP_CHECK) check_names(h, bytes, r);
    if (what == STEP_START) open_shards(h, bytes, r);
    if (what == STEP_PLACE) place(h, bytes, count, r);
    if (what == STEP_QUERY) answer(h, bytes, count, r);
    if (what == STEP_END) forget(h);
}

/* ---- messages ---- */

/* The root's bytes on every rank; *bytes is new on all but the root. */
static void tell(step *what, uint8_t **bytes, uint64_t *count)
{
    uint64_t head[2] = {(uint64_t)*what, *count};
    int rank = 0;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(head, 2, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    *what = (step)head[0];
    *count = head[1];
    if (rank != 0) *bytes = malloc(*count + 1);
    if (*count > INT_MAX || *bytes == NULL) MPI_Abort(MPI_COMM_WORLD, TACIT_E_MEMORY);
    MPI_Bcast(*bytes, (int)*count, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void send_reply(const reply *r)
{
    if (r->count > INT_MAX) MPI_Abort(MPI_COMM_WORLD, TACIT_E_MEMORY);
    MPI_Send(r, (int)offsetof(reply, bytes), MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
    MPI_Send(r->bytes, (int)r->count, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
}

static void take_reply(int rank, reply *r)
{
    *r = (reply){0};
    MPI_Recv(r, (int)offsetof(reply, bytes), MPI_BYTE, rank, TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    r->bytes = malloc(r->count + 1);
    if (r->bytes == NULL || r->count > INT_MAX) MPI_Abort(MPI_COMM_WORLD, TACIT_E_MEMORY);
    MPI_Recv(r->bytes, (int)r->count, MPI_BYTE, rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void mpi_engine_serve(void)
{
    host h = {0};
    reply r;

    for (;;) {
        step what = 0;
        uint8_t *bytes = NULL;
        uint64_t count = 0;
        tell(&what, &bytes, &count);
        if (what == STEP_EXIT) {
            free(bytes);
            break;
        }
        work(&h, what, bytes, count, &r);
        send_reply(&r);
        free(r.bytes);
        free(bytes);
    }
    forget(&h);
}

void mpi_engine_dismiss(void)
{
    step what = STEP_EXIT;
    uint8_t nothing = 0, *bytes = &nothing;
    uint64_t count = 0;

    tell(&what, &bytes, &count);
}

/* ---- the root ---- */

/* Hands in what one rank has replied. The first failure counts. */
static tacit_status hand_in(root *g, const reply *r, tacit_replies *replies)
{
    tacit_status status = (tacit_status)r->status;
    size_t at = 0;

    if (status != TACIT_OK) snprintf(g->sentence, sizeof g->sentence, "%s", r->sentence);
    for (int32_t i = 0; status == TACIT_OK && i < r->parts; i++) {
        uint64_t length = 0;
        memcpy(&length, r->bytes + at, sizeof length);
        at += sizeof length;
        status = tacit_replies_add(replies, r->bytes + at, length);
        at += length;
    }
    return status;
}

/* All ranks are heard, also after a failure: nobody waits for nobody. */
static tacit_status ask_all(root *g, step what, uint8_t *bytes, uint64_t count,
                            tacit_replies *replies)
{
    tacit_status status = TACIT_OK, one;
    reply r;

    tell(&what, &bytes, &count);
    work(&g->own, what, bytes, count, &r);
    for (int rank = 0; rank < g->ranks; rank++) {
        if (rank > 0) take_reply(rank, &r);
        one = status == TACIT_OK ? hand_in(g, &r, replies) : status;
        status = one;
        free(r.bytes);
    }
    return status;
}

/* What START and CHECK say of threads, spec and files. *bytes: malloc. */
static tacit_status about_files(const root *g, const uint8_t *spec, size_t count, uint8_t **bytes,
                                size_t *room)
{
    const cli_source *from = &g->c->source;
    const start s = {.threads = (int32_t)g->c->value.threads, .files = from->count, .spec = count};
    size_t at = sizeof s + count;
    struct stat about;

    *room = at;
    for (int i = 0; i < from->count; i++) *room += sizeof(opened) + strlen(from->name[i]) + 1;
    *bytes = malloc(*room);
    if (*bytes == NULL) return TACIT_E_MEMORY;
    memcpy(*bytes, &s, sizeof s);
    if (count > 0) memcpy(*bytes + sizeof s, spec, count);
    for (int i = 0; i < from->count; i++) {
        const size_t length = strlen(from->name[i]) + 1;
        const bool there = fstat(from->opened[i], &about) == 0;
        const opened known = there ? opened_of(&about) : (opened){0};
        memcpy(*bytes + at, &known, sizeof known);
        memcpy(*bytes + at + sizeof known, from->name[i], length);
        at += sizeof known + length;
    }
    return TACIT_OK;
}

static tacit_status start_all(const uint8_t *spec, size_t count, void *payload)
{
    root *g = payload;
    uint8_t *bytes = NULL;
    size_t room = 0;

    if (about_files(g, spec, count, &bytes, &room) != TACIT_OK) return TACIT_E_MEMORY;
    const tacit_status status = ask_all(g, STEP_START, bytes, room, NULL);
    free(bytes);
    if (g->own.ranks_here < g->ranks && !g->c->value.quiet)
        cli_say(g->c, "warning: exact answers travel between machines, and MPI does not encrypt "
                      "them: run it on a network that nobody else is on, or that encrypts");
    return status;
}

static tacit_status place_all(const uint8_t *frames, size_t count, tacit_replies *replies,
                              void *payload)
{
    return ask_all(payload, STEP_PLACE, (uint8_t *)(uintptr_t)frames, count, replies);
}

static tacit_status evaluate_all(const uint8_t *query, size_t count, tacit_replies *replies,
                                 void *payload)
{
    return ask_all(payload, STEP_QUERY, (uint8_t *)(uintptr_t)query, count, replies);
}

static void end_all(void *payload)
{
    uint8_t nothing = 0;

    (void)ask_all(payload, STEP_END, &nothing, 0, NULL);
}

static const char *explain_all(void *payload)
{
    const root *g = payload;

    return g->sentence[0] == '\0' ? NULL : g->sentence;
}

/* Every rank reaches its files, or nothing is spent. */
static int check_files(root *g)
{
    uint8_t *bytes = NULL;
    size_t room = 0;

    if (about_files(g, NULL, 0, &bytes, &room) != TACIT_OK) return cli_no_memory(g->c);
    const tacit_status status = ask_all(g, STEP_CHECK, bytes, room, NULL);
    free(bytes);
    return status == TACIT_OK ? EXIT_OK : cli_fail(g->c, cli_exit_code(status), "%s", g->sentence);
}

/* What ranks cannot share, by what was declared: refused here, before anything is spent. */
static int check_parts(const cli *c, const tacit_data *data)
{
    tacit_declaration *declared = NULL;
    tacit_declaration_summary about = TACIT_DECLARATION_SUMMARY_INIT;
    int code = EXIT_OK;

    if (c->source.file <= 0 || c->source.rows != c->source.file)
        return cli_fail(c, EXIT_USAGE,
                        "every rank reads its files by name: name files, not standard input");
    if (c->value.memory > 0)
        return cli_fail(c, EXIT_USAGE,
                        "--memory is for rows in one process, and here every rank holds its rows "
                        "in "
                        "memory; leave it out and use more ranks, or run tacit in one process");
    CLI_TRY(cli_check(c, tacit_data_declaration(c->ctx, data, cli_neighbors(c),
                                                (int32_t)c->value.most_rows, &declared)));
    CLI_TRY(cli_check(c, tacit_declaration_summarize(c->ctx, declared, &about)));
    if (about.format == TACIT_FORMAT_TRIPLETS || about.has_words || about.vocabulary != NULL)
        CLI_TRY(cli_fail(c, EXIT_USAGE,
                         "triplets, whose rows may go on in another file, and vocabularies are not "
                         "for several processes; run tacit in one"));
    if (about.unit_column != NULL && c->source.count > 1)
        CLI_TRY(cli_fail(c, EXIT_USAGE,
                         "a person with rows in two files would be on two ranks; name one file, "
                         "from which every rank picks its persons, or run tacit in one process"));
done:
    tacit_declaration_free(declared);
    return code;
}

/* The rows of a run are on the ranks. */
int cli_attach(const cli *c, tacit_data *data)
{
    root *g = &the_root;
    tacit_engine engine = TACIT_ENGINE_INIT;
    int code = EXIT_OK;

    *g = (root){.c = c};
    MPI_Comm_size(MPI_COMM_WORLD, &g->ranks);
    CLI_TRY(check_parts(c, data));
    CLI_TRY(check_files(g));
    engine.shards = c->source.count > 1 ? c->source.count : g->ranks;
    engine.start = start_all;
    engine.place = place_all;
    engine.evaluate = evaluate_all;
    engine.end = end_all;
    engine.explain = explain_all;
    engine.payload = g;
    CLI_TRY(cli_check(c, tacit_data_set_engine(c->ctx, data, &engine)));
done:
    return code;
}
