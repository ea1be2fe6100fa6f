/* SPDX-License-Identifier: Apache-2.0 */
/* A file is known by its device and its number on it, both. An analyst can make files on a device
   of their own until one has the number of the owner's ledger, and name that one with --ledger: the
   owner's must still be the one that pays. The command's own objects run here, and what they hear
   of files from the system goes through a wrapper. */
#include "scratch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

int tacit_command(int argc, char **argv); /* main of src/cli/main.c */

/* What the system says of the analyst's ledger: the truth, or numbers of the owner's. */
static enum { TRUTH, NUMBER, NUMBER_AND_DEVICE } tale;

static int told(int (*real)(const char *, struct stat *), const char *path, struct stat *out)
{
    const int result = real(path, out);
    struct stat owners;

    if (tale == TRUTH || result != 0 || strstr(path, "theirs") == NULL) return result;
    MUST(real(scratch("data.csv.ledger"), &owners) == 0);
    out->st_ino = owners.st_ino;
    out->st_dev = owners.st_dev + (tale == NUMBER ? 1 : 0);
    return 0;
}

/* One of these names is the one that the C library knows the call by, as the size of file offsets
   has it. */
#define WRAPPED(name)                                                                              \
    int __real_##name(const char *path, struct stat *out);                                         \
    int __wrap_##name(const char *path, struct stat *out);                                         \
    int __wrap_##name(const char *path, struct stat *out)                                          \
    {                                                                                              \
        return told(__real_##name, path, out);                                                     \
    }
#undef stat64
WRAPPED(stat)
WRAPPED(stat64)

/* Exit code of the command in a process of its own; what it says is in the file "said". */
static int run(int count, const char *const *words)
{
    char *argv[24] = {(char *)(uintptr_t) "tacit"};
    int how;

    fflush(stdout);
    const pid_t child = fork();
    MUST(child >= 0 && count < 23);
    if (child == 0) {
        const int said = open(scratch("said"), O_CREAT | O_TRUNC | O_WRONLY, 0600);
        if (said < 0 || dup2(said, 1) < 0 || dup2(said, 2) < 0) _exit(99);
        for (int i = 0; i < count; i++) argv[i + 1] = (char *)(uintptr_t)words[i];
        exit(tacit_command(count + 1, argv));
    }
    MUST(waitpid(child, &how, 0) == child && WIFEXITED(how));
    return WEXITSTATUS(how);
}
#define RUN(...)                                                                                   \
    run((int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),                             \
        (const char *[]){__VA_ARGS__})

static bool said(const char *words)
{
    size_t size;
    char *text = (char *)scratch_read(scratch("said"), &size);

    text[size] = '\0';
    const bool found = strstr(text, words) != NULL;
    free(text);
    return found;
}

static int cluster(const char *ledger)
{
    unlink(scratch("out.json"));
    return RUN("kmeans", scratch("data.csv"), "--ledger", scratch(ledger), "-k", "1", "--epsilon",
               "1", "--delta", "1e-6", "--bounds", "0:1", "--threads", "1", "-o",
               scratch("out.json"));
}

static void make(const char *name)
{
    FILE *file = fopen(scratch(name), "w");

    MUST(file != NULL);
    fputs("x,y\n", file);
    for (int i = 0; i < 300; i++) fprintf(file, "%g,%g\n", 0.001 * i, 0.5);
    MUST(fclose(file) == 0);
    MUST(RUN("ledger", "init", scratch(name), "--epsilon", "50", "--delta", "1e-3", "--bounds",
             "0:1") == 0);
}

int main(void)
{
    scratch_open();
    make("data.csv");
    make("theirs.csv");
    MUST(symlink("data.csv.ledger", scratch("owners.ledger")) == 0);

    CHECK(cluster("owners.ledger") == 0 && access(scratch("out.json"), F_OK) == 0,
          "the owner's ledger by another name pays");
    tale = TRUTH;
    CHECK(cluster("theirs.csv.ledger") != 0 && said("has a ledger of its own"), "an analyst's "
                                                                                "ledger is "
                                                                                "refused");
    tale = NUMBER_AND_DEVICE;
    CHECK(cluster("theirs.csv.ledger") == 0, "what the system says of a file is what the command "
                                             "goes by");
    tale = NUMBER;
    CHECK(cluster("theirs.csv.ledger") != 0 && said("has a ledger of its own") &&
              access(scratch("out.json"), F_OK) != 0,
          "an analyst's ledger with the number of the owner's, on another device, is refused");
    scratch_close();
    return tap_done();
}
