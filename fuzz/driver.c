/* SPDX-License-Identifier: Apache-2.0 */
/* Without libFuzzer: feeds a target its corpus and a fixed number of mutations of it, the same on
   every machine. driver CORPUS COUNT [FIRST]: mutations FIRST .. COUNT (times TACIT_TEST_MULT); a
   crash says which one it was. */
#include "fuzz.h"

#include <dirent.h>
#include <signal.h>

#define MOST_FILES 200
#define MOST_BYTES 65536

int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static struct {
    uint8_t *bytes;
    size_t count;
} corpus[MOST_FILES];
static int files;
static volatile long turn;
static uint64_t state;

static uint32_t below(uint32_t n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return n == 0 ? 0 : (uint32_t)((state >> 32) % n);
}

static void say_turn(void)
{
    char text[64];
    const int length = snprintf(text, sizeof text, "\nBail out! mutation %ld\n", turn);
    if (write(STDOUT_FILENO, text, (size_t)length) != length) _exit(1);
}

static void die(int number)
{
    say_turn();
    signal(number, SIG_DFL);
    raise(number);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}
static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void read_corpus(const char *folder)
{
    struct dirent **entry = NULL;
    const int count = scandir(folder, &entry, is_file, by_name);

    MUST_BE(count > 0 && count <= MOST_FILES);
    for (int i = 0; i < count; i++) {
        char path[1000];
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        FILE *file = fopen(path, "rb");
        MUST_BE(file != NULL && (corpus[files].bytes = malloc(MOST_BYTES)) != NULL);
        corpus[files].count = fread(corpus[files].bytes, 1, MOST_BYTES, file);
        files++;
        fclose(file);
        free(entry[i]);
    }
    free(entry);
}

/* Words that programs stumble over. */
static const char *const words[] = {"0",
                                    "-1",
                                    "-0",
                                    "1e308",
                                    "1e-320",
                                    "1e999",
                                    "nan",
                                    "inf",
                                    "2147483648",
                                    "4294967295",
                                    "18446744073709551616",
                                    "9223372036854775807",
                                    "\"",
                                    "\"\"",
                                    ",",
                                    "\n",
                                    "\r\n",
                                    "\xef\xbb\xbf",
                                    "{",
                                    "}",
                                    "[",
                                    "]",
                                    ":",
                                    "=",
                                    "null",
                                    "true",
                                    "\\u0000",
                                    "\xff",
                                    "%%",
                                    "--",
                                    "auto",
                                    "[[[[[[[[[[[[[[[[",
                                    "\0\0\0\0"};

/* Puts `length` bytes over [at, at + gone). */
static size_t replace(uint8_t *to, size_t count, size_t at, size_t gone, const void *from,
                      size_t length)
{
    if (count - gone + length > MOST_BYTES) return count;
    memmove(to + at + length, to + at + gone, count - at - gone);
    memmove(to + at, from, length);
    return count - gone + length;
}

static size_t mutate(uint8_t *to, size_t count)
{
    const size_t at = below((uint32_t)count + 1), left = count - at,
                 some = below((uint32_t)(left < 64 ? left : 64) + 1);
    const int other = (int)below((uint32_t)files);
    uint8_t keep[64];

    switch (below(9)) {
    case 0:
        if (left > 0) to[at] ^= (uint8_t)(1u << below(8));
        return count;
    case 1:
        if (left > 0) to[at] = (uint8_t)below(256);
        return count;
    case 2:
        if (left > 0) to[at] = (uint8_t)(to[at] + below(5) - 2);
        return count;
    case 3: return replace(to, count, at, some, "", 0);
    case 4: memcpy(keep, to + at, some); return replace(to, count, at, 0, keep, some); /* twice */
    case 5: return at;                                                                 /* cut off */
    case 6: {
        const char *word = words[below(sizeof words / sizeof *words)];
        return replace(to, count, at, below(2) ? some : 0, word, strlen(word));
    }
    case 7: { /* from elsewhere */
        const size_t from = below((uint32_t)corpus[other].count + 1);
        const size_t rest = corpus[other].count - from,
                     length = below((uint32_t)(rest < 64 ? rest : 64) + 1);
        return replace(to, count, at, some, corpus[other].bytes + from, length);
    }
    default: { /* a number for a number */
        size_t i = at;
        while (i < count && (to[i] < '0' || to[i] > '9')) i++;
        size_t end = i;
        while (end < count && to[end] >= '0' && to[end] <= '9') end++;
        const char *word = words[below(12)];
        return end > i ? replace(to, count, i, end - i, word, strlen(word)) : count;
    }
    }
}

int main(int argc, char **argv)
{
    const char *text = getenv("TACIT_TEST_MULT");
    const double factor = text == NULL || strtod(text, NULL) <= 0 ? 1 : strtod(text, NULL);

    if (argc < 3) return 2;
    const long count = (long)(strtod(argv[2], NULL) * factor),
               first = argc > 3 ? strtol(argv[3], NULL, 10) : 1;
    if (__sanitizer_set_death_callback != NULL)
        __sanitizer_set_death_callback(say_turn);
    else
        signal(SIGSEGV, die);
    signal(SIGABRT, die);
    if (LLVMFuzzerInitialize != NULL && LLVMFuzzerInitialize(&argc, &argv) != 0) return 2;
    read_corpus(argv[1]);
    for (int i = 0; i < files && first <= 1; i++)
        LLVMFuzzerTestOneInput(corpus[i].bytes, corpus[i].count);
    printf("ok 1 - %d files of the corpus\n", files);
    uint8_t *work = malloc(2 * MOST_BYTES);
    MUST_BE(work != NULL);
    for (turn = first; turn <= count; turn++) {
        state = (uint64_t)turn * UINT64_C(0x9e3779b97f4a7c15);
        const int from = (int)below((uint32_t)files);
        size_t size = corpus[from].count;
        memcpy(work, corpus[from].bytes, size);
        for (uint32_t times = 1 + below(4); times > 0; times--) size = mutate(work, size);
        uint8_t *exact = malloc(size + (size == 0)); /* its own block: reading past its end shows */
        MUST_BE(exact != NULL);
        memcpy(exact, work, size);
        LLVMFuzzerTestOneInput(exact, size);
        free(exact);
    }
    printf("ok 2 - %ld mutations of them\n1..2\n", count);
    free(work);
    for (int i = 0; i < files; i++) free(corpus[i].bytes);
    return 0;
}
