/* SPDX-License-Identifier: Apache-2.0 */
/* Short runs of the command `tacit`, in a folder of their own with all the files they need. */
#ifndef TAC_STORIES_H
#define TAC_STORIES_H

#include "privacy/ledger/ledger_internal.h"
#include "declared.h"
#include "scratch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/wait.h>

#define WORDS 24

typedef enum story_kind {
    PAYS,  /* takes from a ledger and releases */
    MAKES, /* makes a ledger */
    READS  /* neither; what it puts out is the same each time */
} story_kind;

/* Ledgers: of rows.csv in a box and in a ball, of people.csv, of single entries, of rows.svm, of
   counts.csv. */
enum { OF_BOX, OF_PERSONS, OF_ENTRIES, OF_BALL, OF_SPARSE, OF_COUNTS, SEEDS };

/* The ledger lies beside rows.csv; link.csv is another name of those rows, which must not hide
   it. */
typedef struct story {
    const char *name, *ledger;
    int whose; /* what the ledger is of */
    story_kind kind;
    const char *input; /* standard input; NULL: none */
    int code;          /* how it ends when all goes well */
    const char *argv[WORDS];
} story;

#define PRICE "--epsilon", "1", "--delta", "1e-6", "--threads", "1"
static const story stories[] = {
    {"kmeans to a file",
     "rows.csv.ledger",
     OF_BOX,
     PAYS,
     NULL,
     0,
     {"kmeans", "rows.csv", "-k", "2", PRICE, "--bounds", "x=0:1,y=0:1", "-o", "out.json"}},
    {"kmeans with a limit of memory",
     "rows.csv.ledger",
     OF_BOX,
     PAYS,
     NULL,
     0,
     {"kmeans", "rows.csv", "-k", "2", PRICE, "--bounds", "x=0:1,y=0:1", "--memory", "16M",
      "--spill-dir", "/var/tmp", "-o", "out.json"}},
    {"subspace through a link",
     "rows.csv.ledger",
     OF_BALL,
     PAYS,
     NULL,
     0,
     {"subspace", "link.csv", "-k", "2", "-q", "1", PRICE, "--radius", "2", "-o", "out.json"}},
    {"kmeans to standard output",
     "people.ledger",
     OF_PERSONS,
     PAYS,
     NULL,
     0,
     {"kmeans", "people.csv", "--columns", "x,y", "--unit-column", "who", "--max-rows-per-person",
      "2", "--ledger", "people.ledger", "-k", "2", PRICE, "--bounds", "bounds.csv", "--json"}},
    {"cocluster with a picture",
     "counts.csv.ledger",
     OF_COUNTS,
     PAYS,
     NULL,
     0,
     {"cocluster", "counts.csv", "--rows", "2", "--cols", "2", PRICE, "--shape", "x4", "--picture",
      "out.svg", "-o", "out.json"}},
    {"kmedian of sparse rows from standard input",
     "rows.svm.ledger",
     OF_SPARSE,
     PAYS,
     "rows.svm",
     0,
     {"kmedian", "-", "--format", "libsvm", "--ledger", "rows.svm.ledger", "-k", "2", PRICE, "-o",
      "out.json"}},
    {"cocluster of entries",
     "entries.csv.ledger",
     OF_ENTRIES,
     PAYS,
     NULL,
     0,
     {"cocluster", "entries.csv", "--unit", "entry", "--rows", "2", "--cols", "2", PRICE, "--shape",
      "15x4", "-o", "out.json"}},
    {"ledger init",
     "rows.csv.ledger",
     OF_BOX,
     MAKES,
     NULL,
     0,
     {"ledger", "init", "rows.csv", "--epsilon", "10", "--delta", "1e-3", "--bounds", "0:1"}},
    {"ledger history",
     "rows.csv.ledger",
     OF_BOX,
     READS,
     NULL,
     0,
     {"ledger", "history", "rows.csv", "--json", "-o", "out.txt"}},
    {"predict",
     "rows.csv.ledger",
     OF_BOX,
     READS,
     NULL,
     0,
     {"predict", "model.json", "rows.csv", "--as-owner", "--threads", "1", "-o", "out.txt"}},
    {"evaluate",
     "rows.csv.ledger",
     OF_BOX,
     READS,
     NULL,
     0,
     {"evaluate", "model.json", "rows.csv", "--as-owner", "--restarts", "1", "--threads", "1",
      "--json", "-o", "out.txt"}},
    {"audit of a program",
     "rows.csv.ledger",
     OF_BOX,
     READS,
     NULL,
     80,
     {"audit", "--command", "echo {input}", "--pair", "bounds.csv", "fewer.csv", "--epsilon", "0.1",
      "--runs", "20", "--confidence", "0.9", "--time-limit", "3"}},
};
enum { STORIES = sizeof stories / sizeof *stories, PAID_STORIES = 7 };

/* By its name, so that a new story moves no other out of its test. */
__attribute__((unused)) static const story *story_called(const char *name)
{
    for (int i = 0; i < STORIES; i++)
        if (strcmp(stories[i].name, name) == 0) return &stories[i];
    MUST(!"there is such a story");
    return NULL;
}

static tacit_ctx *ctx;
static unsigned char *old_release, *seed[SEEDS];
static size_t old_size, seed_size[SEEDS];
static int story_input = -1; /* of the story under way: its place is put back between runs */

static void world_rows(const char *name, const char *head, const char *(*row)(int i))
{
    char text[4000];
    size_t at = (size_t)snprintf(text, sizeof text, "%s", head);

    for (int i = 0; i < 60; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s\n", row(i));
    MUST(at < sizeof text);
    scratch_write(scratch(name), text, at);
}

static char row_text[64];
#define ROW(...) (snprintf(row_text, sizeof row_text, __VA_ARGS__), row_text)
static const char *plain_row(int i)
{
    return ROW("0.%d,0.%d", i * 7 % 10, i * 3 % 10);
}
static const char *person_row(int i)
{
    return ROW("p%d,0.%d,0.%d", i % 20, i * 7 % 10, i * 3 % 10);
}
static const char *count_row(int i)
{
    return ROW("%d,%d,%d", i / 4, i % 4, i * i % 5);
}
static const char *sparse_row(int i)
{
    return ROW("0 1:0.%d 2:0.%d", i * 7 % 10, i * 3 % 10);
}

/* The released model that `predict` and `evaluate` read. */
static void world_model(void)
{
    tacit_data *data = NULL;
    tacit_model *model = NULL;
    tacit_kmeans_opts opts;
    tacit_budget budget;

    tacit_kmeans_opts_init(&opts, sizeof opts);
    tacit_budget_init(&budget, sizeof budget);
    opts.k = 2;
    budget.epsilon = 1;
    budget.use_insecure_test_seed = 1;
    MUST(tacit_data_open(ctx, scratch("rows.csv"), NULL, &data) == TACIT_OK);
    MUST(tacit_data_declare_bounds(ctx, data, "x=0:1,y=0:1") == TACIT_OK);
    MUST(tacit_kmeans_run(ctx, data, &budget, &opts, &model) == TACIT_OK);
    MUST(tacit_model_write(ctx, model, scratch("model.json")) == TACIT_OK);
    tacit_model_free(model);
    tacit_data_free(data);
}

/* A young ledger of data as a run opens it. */
static void world_ledger(int which)
{
    static const struct {
        const char *file, *unit, *bounds;
        double radius;
        int64_t rows;
        int32_t columns;
        tacit_format format;
        tacit_neighbors neighbors;
    } of[SEEDS] = {
        [OF_BOX] = {"rows.csv", NULL, "0:1", 0, 0, 0, TACIT_FORMAT_AUTO, TACIT_ADD_REMOVE},
        [OF_PERSONS] = {"people.csv", "who", "0:1", 0, 0, 0, TACIT_FORMAT_AUTO, TACIT_ADD_REMOVE},
        [OF_ENTRIES] = {"entries.csv", NULL, NULL, 0, 15, 4, TACIT_FORMAT_TRIPLETS, TACIT_ENTRY},
        [OF_BALL] = {"rows.csv", NULL, NULL, 2, 0, 0, TACIT_FORMAT_AUTO, TACIT_ADD_REMOVE},
        [OF_SPARSE] = {"rows.svm", NULL, "0:1", 0, 0, 2, TACIT_FORMAT_AUTO, TACIT_ADD_REMOVE},
        [OF_COUNTS] = {"counts.csv", NULL, NULL, 0, 0, 4, TACIT_FORMAT_TRIPLETS, TACIT_ADD_REMOVE}};
    const char *path = scratch("seed.ledger");
    tacit_data_opts with;
    tacit_data *data = NULL;

    tacit_data_opts_init(&with, sizeof with);
    with.unit_column = of[which].unit;
    with.format = of[which].format;
    with.shape_rows = of[which].rows;
    with.shape_columns = of[which].columns;
    MUST(tacit_data_open(ctx, scratch(of[which].file), &with, &data) == TACIT_OK);
    if (of[which].bounds != NULL)
        MUST(tacit_data_declare_bounds(ctx, data, of[which].bounds) == TACIT_OK);
    if (of[which].radius > 0)
        MUST(tacit_data_set_ball(ctx, data, NULL, of[which].radius) == TACIT_OK);
    MUST(data_ledger(ctx, path, 10, 1e-3, data, of[which].neighbors,
                     of[which].unit == NULL ? 0 : 2) == TACIT_OK);
    tacit_data_free(data);
    seed[which] = scratch_read(path, &seed_size[which]);
    MUST(unlink(path) == 0);
}

__attribute__((unused)) static void world_open(void)
{
    scratch_open();
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    world_rows("rows.csv", "x,y\n", plain_row);
    world_rows("people.csv", "who,x,y\n", person_row);
    world_rows("counts.csv", "row,col,count\n", count_row);
    world_rows("entries.csv", "row,col,count\n", count_row);
    world_rows("rows.svm", "", sparse_row);
    scratch_write(scratch("bounds.csv"), "column,lower,upper\nx,0,1\ny,0,1\n", 31);
    scratch_write(scratch("fewer.csv"), "column,lower,upper\nx,0,1\n", 25);
    MUST(symlink("rows.csv", scratch("link.csv")) == 0);
    world_model();
    for (int i = 0; i < SEEDS; i++) world_ledger(i);
}

/* A young ledger or none, and an older output under the name or none. */
static void world_reset(const story *s, bool release_there)
{
    char journal[64];

    snprintf(journal, sizeof journal, "%s-journal", s->ledger);
    unlink(scratch(journal));
    if (s->kind == MAKES)
        unlink(scratch(s->ledger));
    else
        scratch_write(scratch(s->ledger), seed[s->whose], seed_size[s->whose]);
    unlink(scratch("out.json"));
    unlink(scratch("out.txt"));
    unlink(scratch("out.svg"));
    scratch_write(scratch("stdout"), "", 0); /* kept: whoever runs has it open at its end */
    scratch_write(scratch("stderr"), "", 0);
    if (story_input >= 0) MUST(lseek(story_input, 0, SEEK_SET) == 0);
    if (release_there && old_release != NULL)
        scratch_write(scratch(s->kind == READS ? "out.txt" : "out.json"), old_release, old_size);
}

__attribute__((unused)) static void world_close(void)
{
    free(old_release);
    for (int i = 0; i < SEEDS; i++) free(seed[i]);
    if (story_input >= 0) close(story_input);
    tacit_ctx_free(ctx);
    scratch_close();
}

/* How many files lie about that no run should leave; `remove`: not any more. A ledger's journal is
   none of them. */
__attribute__((unused)) static int leftovers(bool remove)
{
    static const char *const known[] = {".",
                                        "..",
                                        "rows.csv",
                                        "people.csv",
                                        "counts.csv",
                                        "entries.csv",
                                        "rows.svm",
                                        "bounds.csv",
                                        "fewer.csv",
                                        "link.csv",
                                        "model.json",
                                        "rows.csv.ledger",
                                        "rows.svm.ledger",
                                        "people.ledger",
                                        "counts.csv.ledger",
                                        "entries.csv.ledger",
                                        "out.json",
                                        "out.txt",
                                        "out.svg",
                                        "stdout",
                                        "stderr",
                                        "control",
                                        "rows.csv.ledger-journal",
                                        "rows.svm.ledger-journal",
                                        "people.ledger-journal",
                                        "counts.csv.ledger-journal",
                                        "entries.csv.ledger-journal"};
    int count = 0;
    DIR *folder = opendir(scratch_folder);

    MUST(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        bool mine = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            mine = mine || strcmp(entry->d_name, known[i]) == 0;
        if (mine) continue;
        count++;
        if (remove) unlink(scratch(entry->d_name));
    }
    closedir(folder);
    return count;
}

#endif
