/* SPDX-License-Identifier: Apache-2.0 */
/* The whole command on pairs of neighboring files. The command's own objects run in this process;
   its calls of the library go to the same calls with a probe, which writes down the queries and
   answers of the first run and gives the answers to the second. Then nothing that a caller can see
   may differ, byte for byte: standard output, standard error, exit code, the release, every other
   file in the folder, its size and mode, and the ledger. Nothing is left out of the comparison: the
   clock stands still, and the operating system's random bytes (run ids, names of scratch files) are
   the same in both runs. Not compared: time and memory (docs/limits.md). predict and evaluate are
   not private, and their output is the owner's. test_replay_command N: pair N alone; its folder
   stays. */
#include "neighbor_words.h"
#include "probed_command.h"

#include <fcntl.h>
#include <sys/stat.h>

/* ---- two folders, one for each side ---- */

static const char *in_folder(int which, const char *name)
{
    char both[300];

    snprintf(both, sizeof both, "%d/%s", which, name);
    return scratch(both);
}

static void empty_folder(int which)
{
    DIR *folder = opendir(in_folder(which, ""));

    MUST(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlink(in_folder(which, entry->d_name));
    closedir(folder);
}

/* Runs the words in a folder; its data file is standard input too. */
static int run_in(int which, const char *file, long number)
{
    const int back[3] = {dup(0), dup(1), dup(2)};

    fflush(stdout);
    MUST(chdir(in_folder(which, "")) == 0);
    const int now[3] = {open(file, O_RDONLY), open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600),
                        open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600)};
    for (int i = 0; i < 3; i++) MUST(now[i] >= 0 && dup2(now[i], i) == i && close(now[i]) == 0);
    system_state = (uint64_t)number;
    const int code = tacit_command(word_count, words);
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < 3; i++) MUST(dup2(back[i], i) == i && close(back[i]) == 0);
    MUST(chdir("/") == 0);
    return code;
}

/* ---- what may not differ ---- */

enum {
    SEEN_STDOUT = 1,
    SEEN_STDERR = 2,
    SEEN_CODE = 4,
    SEEN_RELEASE = 8,
    SEEN_FILES = 16,
    SEEN_LEDGER = 32,
    OTHER_QUERIES = 64,
    TOO_FAR = 128,
    KINDS = 8
};
static const char *const kind_name[KINDS] = {"standard output",
                                             "standard error",
                                             "the exit code",
                                             "the release",
                                             "another file, a size or a mode",
                                             "the ledger",
                                             "the queries or their prices",
                                             "an exact answer by more than its sensitivity"};

static int kind_of(const char *name)
{
    const char *ending = strrchr(name, '.');

    return strcmp(name, "stdout") == 0                            ? SEEN_STDOUT
           : strcmp(name, "stderr") == 0                          ? SEEN_STDERR
           : ending != NULL && strcmp(ending, ".json") == 0       ? SEEN_RELEASE
           : ending != NULL && strncmp(ending, ".ledger", 7) == 0 ? SEEN_LEDGER
                                                                  : SEEN_FILES;
}

/* A file that is in one of the folders at least. */
static int compare_file(const char *name)
{
    struct stat one, other;
    size_t size[2];
    int seen = 0;

    if (stat(in_folder(0, name), &one) != 0 || stat(in_folder(1, name), &other) != 0)
        return kind_of(name) | SEEN_FILES;
    if (one.st_size != other.st_size || one.st_mode != other.st_mode) seen |= SEEN_FILES;
    unsigned char *a = scratch_read(in_folder(0, name), &size[0]),
                  *b = scratch_read(in_folder(1, name), &size[1]);
    if (size[0] != size[1] || memcmp(a, b, size[0]) != 0) seen |= kind_of(name);
    free(a);
    free(b);
    return seen;
}

static int compare_folders(const char *file)
{
    int seen = 0;

    for (int which = 0; which < 2; which++) {
        DIR *folder = opendir(in_folder(which, ""));
        MUST(folder != NULL);
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                strcmp(entry->d_name, file) != 0 &&
                (strncmp(entry->d_name, "more-", 5) != 0 || strcmp(entry->d_name + 5, file) != 0))
                seen |= compare_file(entry->d_name);
        closedir(folder);
    }
    return seen;
}

static void show(const char *what, int which, const char *name)
{
    size_t size;
    unsigned char *text = scratch_read(in_folder(which, name), &size);

    printf("#   %s %d: ", what, which);
    for (size_t i = 0; i < size && i < 600; i++)
        printf(text[i] == '\n' ? "\\n" : text[i] < 32 || text[i] > 126 ? "\\x%02x" : "%c", text[i]);
    printf("\n");
    free(text);
}

static void explain(long number, int seen, const char *file)
{
    printf("# pair %ld:", number);
    for (int i = 0; i < KINDS; i++)
        if (seen >> i & 1) printf(" %s;", kind_name[i]);
    for (int i = 0; i < word_count; i++) printf(" %s", words[i]);
    printf("\n");
    for (int which = 0; which < 2; which++) show("file", which, file);
    for (int which = 0; which < 2; which++) show("standard error", which, "stderr");
}

typedef struct tally {
    long pairs, refused, queries, differ[KINDS];
} tally;

/* Both runs, the second with the answers of the first. */
static void replay(long number, const char *file, tally *sum)
{
    int seen = 0;

    tac_transcript_start(&transcript);
    const int first = run_in(0, file, number);
    tac_transcript_replay(&transcript);
    const int second = run_in(1, file, number);
    tac_transcript_end(&transcript);
    MUST(!transcript.failed);
    if (first != second) seen |= SEEN_CODE;
    if (transcript.other_queries) seen |= OTHER_QUERIES;
    if (transcript.too_far) seen |= TOO_FAR;
    seen |= compare_folders(file);
    sum->pairs++;
    sum->refused += first != 0;
    sum->queries += transcript.count;
    for (int i = 0; i < KINDS; i++) sum->differ[i] += seen >> i & 1;
    if (seen != 0 || (first != 0 && getenv("TACIT_SHOW_REFUSED") != NULL))
        explain(number, seen, file);
}

/* ---- pairs ---- */

/* What the pair is about, and the shape that is declared, if any. */
static void make_pair(pair *p, format how, family what, char *shape, size_t size)
{
    const bool hides = how == LIBSVM || how == TRIPLETS, counts = what == COCLUSTER,
               text = how == CSV || how == TSV || how >= PACKED;

    memset(p, 0, offsetof(pair, side));
    p->format = how;
    p->counts = counts;
    p->neighbors = (tacit_neighbors)dice(counts ? 3 : 2);
    const bool entry = p->neighbors == TACIT_ENTRY;
    p->persons = dice(3) == 0 && !entry;
    p->large_ids = seldom();
    p->columns = what == SUBSPACE ? 2 + (int)dice(3) : 1 + (int)dice(MOST_COLUMNS);
    p->wide = (how == MTX || hides) && what == MEANS && dice(30) == 0 && !p->persons;
    p->note = (text || how == TRIPLETS) && often();
    p->single = dice(4) == 0 && !counts;
    p->first = (int)dice(5);
    p->mixed = how == MIXED && what <= MEDIAN;
    /* the first has bounds */
    for (int j = 0; p->mixed && j < p->columns; j++)
        p->holds[j] = (holding)dice(j == 0 ? BOOLEANS : HOLDINGS);
    if (counts && !text && dice(4) == 0 && (!p->persons || how == TRIPLETS))
        p->word = how == TRIPLETS && often() ? plain_words : any_words;
    const bool declared = counts && (p->word == NULL || entry) && often();
    const bool tight = declared && p->word == NULL && p->columns > 1 && dice(6) == 0;
    p->anchor = tight || (hides && !declared && p->word == NULL);
    p->all_rows = entry && (tight || !declared);
    make_sides(p);
    shape[0] = '\0';
    if (!declared) return;
    /* Somebody who may choose the shape must not learn how many whole rows there are, nor, from a
       shape that is too small, where the first entry outside it is. */
    const bool cut_rows = entry && tight && p->side[0].rows > 1 && often();
    const int columns =
        p->columns + (p->persons && (how == MTX || how == LIBSVM)) - (tight && !cut_rows);
    const int rows = p->side[0].rows + (entry ? -cut_rows : (int)dice(4) - 2);
    if (entry || often())
        snprintf(shape, size, "%dx%d", rows < 1 ? 1 : rows, columns);
    else
        snprintf(shape, size, "x%d", columns);
}

/* A ledger that declares what the words say of the data, made beside the first file and copied
   beside the second: their headers are the same. false: none can be, as where a file does not state
   its columns and no shape does. */
static bool make_ledger(const char *file, const char *more, const char *ledger, bool pure)
{
    static const char *const declaring[] = {
        "--columns",   "--format", "--label-column", "--unit-column", "--max-rows-per-person",
        "--neighbors", "--unit",   "--missing",      "--shape",       "--vocabulary",
        "--bounds",    "--radius", "--center",       "--decimal",     "--categories",
        "--transform", "--na"};
    char *said[MOST_WORDS + 1];
    const int count = word_count;
    size_t size;

    memcpy(said, words, sizeof said);
    word_count = 0;
    for (const char *const *w = (const char *const[]){"tacit", "ledger", "init", file, "--ledger",
                                                      ledger, "--epsilon", "50", NULL};
         *w != NULL; w++)
        words[word_count++] = (char *)(uintptr_t)*w;
    if (more != NULL) words[word_count++] = (char *)(uintptr_t)more;
    if (!pure) {
        words[word_count++] = (char *)(uintptr_t) "--delta";
        words[word_count++] = (char *)(uintptr_t) "1e-4";
    }
    for (int i = 0; i + 1 < count; i++)
        for (size_t j = 0; j < sizeof declaring / sizeof *declaring; j++)
            if (strcmp(said[i], declaring[j]) == 0) {
                words[word_count++] = said[i];
                words[word_count++] = said[i + 1];
            }
    const bool made = run_in(0, file, 1) == 0;
    memcpy(words, said, sizeof said);
    word_count = count;
    if (made) {
        unsigned char *bytes = scratch_read(in_folder(0, ledger), &size);
        for (int which = 0; which < 2; which++) { /* both written alike */
            unlink(in_folder(which, ledger));
            scratch_write(in_folder(which, ledger), bytes, size);
        }
        free(bytes);
    }
    unlink(in_folder(0, "stdout"));
    unlink(in_folder(0, "stderr"));
    return made;
}

/* Without the ledger that could not be made. */
static void unsay_ledger(void)
{
    for (int i = 0; i + 1 < word_count; i++)
        if (strcmp(words[i], "--ledger") == 0) {
            memmove(words + i, words + i + 2, (size_t)(word_count - i - 2) * sizeof *words);
            word_count -= 2;
        }
}

/* The rows of a side in one file, or the first half of those that both sides have in one and the
   rest in another. */
static void write_rows(int which, pair *p, bool two, size_t near)
{
    static side part;
    const side *all = &p->side[which];
    const int common = all->rows < p->side[1 - which].rows ? all->rows : p->side[1 - which].rows;
    const int half = two ? (common + 1) / 2 : all->rows;

    part.rows = 0;
    for (int i = 0; i < half; i++) copy_row(&part, part.rows++, all, i);
    write_file(in_folder(which, file_name[p->format]), p, &part, near);
    part.rows = 0;
    for (int i = half; i < all->rows; i++) copy_row(&part, part.rows++, all, i);
    if (two) write_file(in_folder(which, second_name(p->format)), p, &part, 0);
}

static void test_pair(long number, format how, family what, tally *sum)
{
    /* of what readers read at once */
    static const size_t ends[] = {65536, 131072, 262144, 524288, 1048576};
    static pair p;
    char shape[32], beside[32];

    dice_state = (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15) + 12345;
    for (int i = 0; i < 8; i++) dice(2);
    make_pair(&p, how, what, shape, sizeof shape);
    /* two files: an empty one must not be without the columns that nobody has declared */
    const bool hides = (how == LIBSVM || how == TRIPLETS) && shape[0] == '\0' && p.word == NULL;
    const bool pure = often(), from_stdin = seldom(), with_ledger = dice(3) == 0,
               two = !from_stdin && !hides && dice(4) == 0, named = from_stdin || two || seldom();
    const size_t near = dice(25) == 0 ? PICK(ends) : 0;
    const char *file = file_name[how];
    snprintf(beside, sizeof beside, "%s.ledger", named ? "other" : file);
    say_all(&p, what, pure, from_stdin, two, shape, with_ledger && named ? beside : NULL,
            number / (FORMATS * FAMILIES));
    for (int which = 0; which < 2; which++) {
        char text[200] = "";
        empty_folder(which);
        write_rows(which, &p, two, near);
        for (int j = 0; p.word != NULL && j < p.columns; j++) strcat(strcat(text, p.word[j]), "\n");
        scratch_write(in_folder(which, "words.txt"), text, strlen(text));
    }
    if (with_ledger && !make_ledger(file, two ? second_name(how) : NULL, beside, pure))
        unsay_ledger();
    replay(number, file, sum);
}

static void report(format how, family what, const tally *t)
{
    printf("# %s, %s: %ld pairs of files, %ld of them refused, %ld queries\n", family_name[what],
           format_name[how], t->pairs, t->refused, t->queries);
    for (int i = 0; i < KINDS; i++)
        CHECK(t->differ[i] == 0,
              "%s, %s: one row, person or count does not change %s (%ld of %ld pairs differ)",
              family_name[what], format_name[how], kind_name[i], t->differ[i], t->pairs);
    CHECK(t->pairs < 20 || 2 * t->refused < t->pairs, "... and most runs are answered");
}

int main(int argc, char **argv)
{
    static tally sum[FORMATS][FAMILIES];
    const long cells = FORMATS * FAMILIES, only = argc > 1 ? atol(argv[1]) : -1;
    const clock_t end = clock() + (clock_t)((double)tap_times(100) / 100 * 25 * CLOCKS_PER_SEC);
    long number = only < 0 ? 0 : only;

    scratch_open();
    MUST(mkdir(scratch("0"), 0700) == 0 && mkdir(scratch("1"), 0700) == 0);
    for (; number < cells || clock() < end; number++) {
        const format how = (format)(number % FORMATS);
        const family what = (family)(number / FORMATS % FAMILIES);
        test_pair(number, how, what, &sum[how][what]);
        if (only < 0) continue;
        printf("# tacit runs in %s/0 and %s/1\n", scratch_folder, scratch_folder);
        report(how, what, &sum[how][what]);
        return tap_done();
    }
    for (int what = 0; what < FAMILIES; what++)
        for (int how = 0; how < FORMATS; how++) report((format)how, (family)what, &sum[how][what]);
    CHECK(number >= cells, "%ld pairs of files in all", number);
    for (int which = 0; which < 2; which++) empty_folder(which);
    tac_transcript_clear(&transcript);
    scratch_close();
    return tap_done();
}
