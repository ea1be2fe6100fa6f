/* SPDX-License-Identifier: Apache-2.0 */
/* The spill file: what comes back is what was written, on the disk nothing of it can be read, no
   nonce is used twice, and whatever is changed there, by a fault or on purpose, is an error. */
#include "core/cpu.h"
#include "engine/aegis.h"
#include "engine/spill.h"
#include "on_disk.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCK TAC_SPILL_BLOCK
#define ON_DISK (BLOCK + (int64_t)crypto_aead_chacha20poly1305_ietf_ABYTES)

/* ---- calls of the system, which fail on demand ---- */

static int written; /* the descriptor last written to: the spill file's */
static int fail_write, fail_read;
static ssize_t most = -1; /* bytes that one call moves */
static int interruptions;

static bool interrupted(int cause)
{
    if (interruptions > 0) {
        interruptions--;
        errno = EINTR;
        return true;
    }
    errno = cause;
    return cause != 0;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at)
{
    if (interrupted(fail_write)) return -1;
    written = file;
    if (most >= 0 && size > (size_t)most) size = (size_t)most;
    return (ssize_t)syscall(SYS_pwrite64, file, bytes, size, at);
}

ssize_t pread(int file, void *bytes, size_t size, off_t at)
{
    if (interrupted(fail_read)) return -1;
    if (most >= 0 && size > (size_t)most) size = (size_t)most;
    return (ssize_t)syscall(SYS_pread64, file, bytes, size, at);
}

/* ---- helpers ---- */

static unsigned char *pattern(int64_t size, unsigned char first)
{
    unsigned char *bytes = malloc((size_t)size + 1);

    MUST(bytes != NULL);
    for (int64_t i = 0; i < size; i++) bytes[i] = (unsigned char)(first + i % 251);
    return bytes;
}

/* Is the region as it was written? */
static bool comes_back(tacit_ctx *ctx, tac_spill *spill, const tac_region *region,
                       const unsigned char *bytes)
{
    tac_engine engine;
    unsigned char *back = malloc((size_t)region->size + 1);

    MUST(back != NULL);
    tac_engine_threads(ctx, &engine);
    const tacit_status status = tac_spill_get(ctx, &engine, spill, region, back);
    const bool same = status == TACIT_OK && memcmp(back, bytes, (size_t)region->size) == 0;
    free(back);
    return same;
}

/* Does reading it fail, with a sentence that says this? */
static bool refused(tacit_ctx *ctx, tac_spill *spill, const tac_region *region, const char *says)
{
    tac_engine engine;
    unsigned char *back = malloc((size_t)region->size + 1);

    MUST(back != NULL);
    tac_engine_threads(ctx, &engine);
    const tacit_status status = tac_spill_get(ctx, &engine, spill, region, back);
    free(back);
    return status == TACIT_E_READ && strstr(tacit_ctx_message(ctx), says) != NULL;
}

static tacit_status add(tacit_ctx *ctx, tac_spill *spill, const unsigned char *bytes, int64_t size,
                        tac_region *region)
{
    tac_engine engine;

    tac_engine_threads(ctx, &engine);
    return tac_spill_add(ctx, &engine, spill, bytes, size, region);
}

/* The bytes of the file as they are on the disk. */
static unsigned char *on_disk(int64_t at, int64_t size)
{
    unsigned char *bytes = malloc((size_t)size);

    MUST(bytes != NULL && syscall(SYS_pread64, written, bytes, (size_t)size, (off_t)at) == size);
    return bytes;
}

static void put_on_disk(int64_t at, const unsigned char *bytes, int64_t size)
{
    MUST(syscall(SYS_pwrite64, written, bytes, (size_t)size, (off_t)at) == size);
}

/* ---- tests ---- */

/* The known answers of the draft that have a tag of 128 bits. */
static void test_known_answers(void)
{
    static const struct {
        const char *beside, *open, *sealed, *tag;
    } known[] = {
        {"", "00000000000000000000000000000000", "754fc3d8c973246dcc6d741412a4b236",
         "3fe91994768b332ed7f570a19ec5896e"},
        {"", "", "", "e3def978a0f054afd1e761d7553afba3"},
        {"0001020304050607", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
         "f373079ed84b2709faee373584585d60accd191db310ef5d8b11833df9dec711",
         "8d86f91ee606e9ff26a01b64ccbdd91d"},
        {"0001020304050607", "000102030405060708090a0b0c0d", "f373079ed84b2709faee37358458",
         "c60b9c2d33ceb058f96e6dd03c215652"},
        {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223242526272829",
         "101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f3031323334353637",
         "57754a7d09963e7c787583a2e7b859bb24fa1e04d49fd550b2511a358e3bca252a9b1b8b30cc4a67",
         "ab8a7d53fd0e98d727accca94925e128"},
    };
    const unsigned char key[TAC_AEGIS_KEY] = {0x10, 0x01}, nonce[TAC_AEGIS_NONCE] = {0x10, 0, 2};
    bool good = true, told = true;

    for (size_t i = 0; tac_aegis_runs() && i < sizeof known / sizeof *known; i++) {
        unsigned char text[4][64] = {{0}}, out[64] = {0}, tag[TAC_AEGIS_TAG] = {0};
        const char *const hex[] = {known[i].beside, known[i].open, known[i].sealed, known[i].tag};
        size_t size[4];
        for (int part = 0; part < 4; part++)
            MUST(sodium_hex2bin(text[part], 64, hex[part], strlen(hex[part]), NULL, &size[part],
                                NULL) == 0);
        tac_aegis_seal(key, nonce, text[0], size[0], text[1], size[1], out, tag);
        good = good && memcmp(out, text[2], size[2]) == 0 && memcmp(tag, text[3], sizeof tag) == 0;
        good = good && tac_aegis_open(key, nonce, text[0], size[0], out, size[1], tag, out) &&
               memcmp(out, text[1], size[1]) == 0;
        for (int part = 0; part < 4; part++) { /* any of the four changed, but for the empty ones */
            if (part == 1 || size[part] == 0) continue;
            text[part][size[part] - 1] ^= 1;
            told = told &&
                   !tac_aegis_open(key, nonce, text[0], size[0], text[2], size[2], text[3], out) &&
                   sodium_is_zero(out, size[2]);
            text[part][size[part] - 1] ^= 1;
        }
    }
    CHECK(good, "AEGIS-256 gives the known answers, and takes them back");
    CHECK(told, "... and takes nothing that was changed");
}

static void test_round_trip(tacit_ctx *ctx)
{
    static const int64_t sizes[] = {0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 77};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    tac_region region[COUNT] = {0}, grown = {0};
    unsigned char *bytes = pattern(6 * BLOCK, 1), *part = malloc((size_t)(2 * BLOCK)),
                  *room = malloc((size_t)BLOCK);
    tac_spill *spill = NULL;
    bool good = true;

    MUST(part != NULL && room != NULL && tac_spill_open(ctx, &spill) == TACIT_OK);
    for (int threads = 1; threads <= 3; threads += 2) {
        MUST(tacit_ctx_set_threads(ctx, threads) == TACIT_OK);
        for (int i = 0; i < COUNT; i++) {
            region[i] = (tac_region){0};
            MUST(add(ctx, spill, bytes, sizes[i], &region[i]) == TACIT_OK);
        }
        for (int i = 0; i < COUNT; i++) good = good && comes_back(ctx, spill, &region[i], bytes);
        MUST(tac_spill_restart(ctx, spill) == TACIT_OK);
    }
    CHECK(good, "regions of any size come back, with 1 and 3 threads, in a second filling too");

    for (int64_t at = 0; at < 5 * BLOCK; at += BLOCK)
        MUST(add(ctx, spill, bytes + at, BLOCK, &grown) == TACIT_OK);
    MUST(add(ctx, spill, bytes + 5 * BLOCK, 77, &grown) == TACIT_OK);
    good = comes_back(ctx, spill, &grown, bytes);
    for (int64_t at = 0; at + BLOCK + 9 <= grown.size; at += BLOCK / 3)
        good = good && tac_spill_get_part(spill, &grown, at, BLOCK + 9, room, part) == TACIT_OK &&
               memcmp(part, bytes + at, (size_t)BLOCK + 9) == 0;
    CHECK(good, "a region that grows by blocks comes back, whole and in parts");
    CHECK(tac_spill_get_part(spill, &grown, grown.size - 1, 2, room, part) == TACIT_E_READ &&
              tac_spill_get_part(spill, &grown, -1, 2, room, part) == TACIT_E_READ,
          "there is nothing before and behind it");
    CHECK(add(ctx, spill, bytes, 9, &grown) == TACIT_E_INTERNAL &&
              add(ctx, spill, bytes, 9, &(tac_region){.block = 0, .size = BLOCK}) ==
                  TACIT_E_INTERNAL,
          "a region that has ended or that others follow does not grow");
    tac_spill_close(spill);
    free(bytes);
    free(part);
    free(room);
}

/* Two ciphertexts under one nonce would give away the difference of what they hide. */
static void test_hidden(tacit_ctx *ctx)
{
    unsigned char *zeros = calloc(1, (size_t)(2 * BLOCK));
    tac_spill *spill = NULL, *other = NULL;
    tac_region region = {0}, again = {0}, theirs = {0};
    struct stat about;

    MUST(zeros != NULL && tac_spill_open(ctx, &spill) == TACIT_OK);
    MUST(add(ctx, spill, zeros, 2 * BLOCK, &region) == TACIT_OK);
    MUST(fstat(written, &about) == 0);
    CHECK(about.st_nlink == 0 && (about.st_mode & 0777) == 0600, "the file has no name, and nobody "
                                                                 "else may open it");
    unsigned char *first = on_disk(0, ON_DISK), *second = on_disk(ON_DISK, ON_DISK);
    CHECK(memcmp(first, zeros, (size_t)BLOCK) != 0 && memcmp(first, second, (size_t)BLOCK) != 0,
          "equal blocks are hidden by different streams");
    MUST(tac_spill_restart(ctx, spill) == TACIT_OK &&
         add(ctx, spill, zeros, 2 * BLOCK, &again) == TACIT_OK);
    unsigned char *later = on_disk(0, ON_DISK);
    CHECK(memcmp(first, later, (size_t)BLOCK) != 0, "so is the same block of the next filling");
    MUST(tac_spill_open(ctx, &other) == TACIT_OK &&
         add(ctx, other, zeros, BLOCK, &theirs) == TACIT_OK);
    unsigned char *foreign = on_disk(0, ON_DISK);
    CHECK(memcmp(first, foreign, (size_t)BLOCK) != 0, "and that of another file, by its key");
    tac_spill_close(spill);
    tac_spill_close(other);
    free(zeros);
    free(first);
    free(second);
    free(later);
    free(foreign);
}

/* Parent and child have the key and count blocks from the same number on. */
static void test_fork(tacit_ctx *ctx)
{
    unsigned char *bytes = pattern(BLOCK, 3);
    tac_spill *spill = NULL;
    tac_region region = {0};
    int told = 0;

    MUST(tac_spill_open(ctx, &spill) == TACIT_OK);
    fflush(stdout);
    const pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) _exit((int)add(ctx, spill, bytes, BLOCK, &region));
    MUST(waitpid(child, &told, 0) == child);
    CHECK(WIFEXITED(told) && WEXITSTATUS(told) == TACIT_E_INTERNAL, "a forked child uses no nonce "
                                                                    "of its parent's");
    CHECK(add(ctx, spill, bytes, BLOCK, &region) == TACIT_OK &&
              comes_back(ctx, spill, &region, bytes),
          "... which goes on");
    tac_spill_close(spill);
    free(bytes);
}

/* What lies on the disk is changed behind the spill's back. */
static void test_changed(tacit_ctx *ctx)
{
    unsigned char *bytes = pattern(3 * BLOCK, 7), *room = malloc((size_t)BLOCK), one;
    tac_spill *spill = NULL;
    tac_region region = {0}, old = {0};
    bool all = true;

    MUST(room != NULL && tac_spill_open(ctx, &spill) == TACIT_OK);
    MUST(add(ctx, spill, bytes, 3 * BLOCK - 5, &old) == TACIT_OK);
    unsigned char *before = on_disk(0, ON_DISK);
    MUST(tac_spill_restart(ctx, spill) == TACIT_OK &&
         add(ctx, spill, bytes, 3 * BLOCK - 5, &region) == TACIT_OK);
    unsigned char *first = on_disk(0, ON_DISK), *second = on_disk(ON_DISK, ON_DISK);
    const int64_t size = 2 * ON_DISK + BLOCK - 5 + 16;
    for (int64_t at = 0; at < size; at += at < 40 || at > size - 40 ? 1 : 19997) {
        unsigned char *byte = on_disk(at, 1);
        one = *byte ^ (unsigned char)(1 << at % 8);
        put_on_disk(at, &one, 1);
        all = all && refused(ctx, spill, &region, "not as it was written");
        put_on_disk(at, byte, 1);
        free(byte);
    }
    CHECK(all && comes_back(ctx, spill, &region, bytes), "one bit of a block or of its tag "
                                                         "changed: an error; changed back: none");
    put_on_disk(0, second, ON_DISK);
    CHECK(refused(ctx, spill, &region, "not as it was written"), "a block in the place of another "
                                                                 "one is an error");
    put_on_disk(ON_DISK, first, ON_DISK);
    CHECK(refused(ctx, spill, &region, "not as it was written"), "so are two that were swapped");
    put_on_disk(ON_DISK, second, ON_DISK);
    put_on_disk(0, before, ON_DISK);
    CHECK(refused(ctx, spill, &region, "not as it was written"), "a block of an earlier filling is "
                                                                 "an error, though it was written "
                                                                 "there");
    put_on_disk(0, first, ON_DISK);
    MUST(comes_back(ctx, spill, &region, bytes) && ftruncate(written, 2 * ON_DISK + 100) == 0);
    CHECK(refused(ctx, spill, &region, "not as it was written") &&
              tac_spill_get_part(spill, &region, 2 * BLOCK, 1, room, &one) == TACIT_E_READ,
          "a file that was cut short is an error");
    tac_spill_close(spill);
    free(bytes);
    free(before);
    free(first);
    free(second);
    free(room);
}

static void test_faults(tacit_ctx *ctx)
{
    unsigned char *bytes = pattern(3 * BLOCK, 9);
    tac_spill *spill = NULL;
    tac_region region = {0}, none = {0};

    MUST(tac_spill_open(ctx, &spill) == TACIT_OK);
    most = 100003;
    interruptions = 5;
    MUST(add(ctx, spill, bytes, 3 * BLOCK, &region) == TACIT_OK);
    interruptions = 5;
    CHECK(comes_back(ctx, spill, &region, bytes), "calls that move less or are interrupted go on");
    most = 0;
    CHECK(add(ctx, spill, bytes, 9, &none) == TACIT_E_WRITE && none.size == 0, "a call that writes "
                                                                               "nothing is an "
                                                                               "error, not a loop");
    CHECK(refused(ctx, spill, &region, "not as it was written"), "nor is one that reads nothing");
    most = -1;
    fail_read = EIO;
    CHECK(refused(ctx, spill, &region, strerror(EIO)), "an error of the disk is told");
    fail_read = 0;
    fail_write = ENOSPC;
    CHECK(add(ctx, spill, bytes, 9, &none) == TACIT_E_WRITE && none.size == 0 &&
              strstr(tacit_ctx_message(ctx), "No space left") != NULL &&
              strstr(tacit_ctx_message(ctx), "--spill-dir") != NULL,
          "a full disk is told, with the way out");
    fail_write = 0;
    CHECK(comes_back(ctx, spill, &region, bytes), "what was written before is still there");
    tac_spill_close(spill);
    free(bytes);
}

static void test_folders(tacit_ctx *ctx)
{
    tac_spill *spill = NULL;

    MUST(setenv("TMPDIR", "/proc", 1) == 0);
    CHECK(tac_spill_open(ctx, &spill) == TACIT_E_WRITE && spill == NULL &&
              strstr(tacit_ctx_message(ctx), "/proc") != NULL,
          "TMPDIR is taken, and a folder that takes no file is told");
    MUST(unsetenv("TMPDIR") == 0);
    if (in_memory("/dev/shm")) {
        MUST(tacit_ctx_set_memory(ctx, TACIT_MEMORY_LEAST, "/dev/shm") == TACIT_OK);
        CHECK(tac_spill_open(ctx, &spill) == TACIT_E_ARGUMENT && spill == NULL &&
                  strstr(tacit_ctx_message(ctx), "in memory") != NULL,
              "a folder that is in memory itself is refused");
    }
    CHECK(tacit_ctx_set_memory(ctx, TACIT_MEMORY_LEAST - 1, NULL) == TACIT_E_ARGUMENT &&
              tacit_ctx_set_memory(ctx, -1, NULL) == TACIT_E_ARGUMENT &&
              tacit_ctx_set_memory(ctx, 0, "/etc/passwd") == TACIT_E_ARGUMENT &&
              tacit_ctx_set_memory(ctx, 0, "/no/such/folder") == TACIT_E_ARGUMENT,
          "a limit that is too small and what is no folder are refused");
    MUST(tacit_ctx_set_memory(ctx, 0, NULL) == TACIT_OK);
    const tacit_status status = tac_spill_open(ctx, &spill);
    CHECK(status == TACIT_OK || strstr(tacit_ctx_message(ctx), "/var/tmp") != NULL, "/var/tmp is "
                                                                                    "taken without "
                                                                                    "one");
    tac_spill_close(spill);
}

int main(void)
{
    tacit_ctx *ctx = NULL;

    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    MUST(tacit_ctx_set_memory(ctx, 0, on_disk_folder()) == TACIT_OK);
    test_known_answers();
    for (int path = 0; path < 2; path++) { /* the cipher of this processor, and the portable one */
        MUST(tac_cpu_use(path == 0 ? "auto" : "portable"));
        test_round_trip(ctx);
        test_hidden(ctx);
        test_fork(ctx);
        test_changed(ctx);
        test_faults(ctx);
    }
    MUST(tac_cpu_use("auto"));
    MUST(tacit_ctx_set_memory(ctx, 0, NULL) == TACIT_OK);
    test_folders(ctx);
    tacit_ctx_free(ctx);
    return tap_done();
}
