/* SPDX-License-Identifier: Apache-2.0 */
/* What every folder stands on: the context, errors, checked memory. Knows nothing of rows or
   noise. */
#ifndef TAC_CORE_H
#define TAC_CORE_H

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tacit/tacit.h>

__extension__ typedef unsigned __int128 tac_u128;
__extension__ typedef __int128 tac_i128;

/* The last private run, for its owner: tacit_run_info. Times in nanoseconds. Nothing of it may
   reach a release. */
typedef struct tac_run_record {
    bool any; /* false: there was none yet */
    int threads;
    int32_t rounds;
    int64_t rows; /* -1: private */
    int64_t read, place, map, all;
    char id[33];
} tac_run_record;

struct tacit_ctx {
    int threads; /* >= 1 */
    tac_run_record run;
    /* bytes of rows that are worked on at a time; results do not depend on it, and tests vary it */
    int64_t block_bytes;
    /* bytes that the rows of a private run may take in memory; what is more is spilled; 0: all stay
       in memory */
    int64_t memory;
    int64_t chunk_bytes; /* of rows that are spilled together; 0: by the limit; tests vary it */
    char *spill_dir;     /* owned: where to; NULL: $TMPDIR or /var/tmp */
    /* rows whose sums are kept in one word before they are added to two; 0: 2^31. Tests make it
       small */
    int64_t wide_rows;
    tacit_progress_fn show;
    void *show_payload;
    volatile sig_atomic_t cancelled;
    /* the ctx that this one works for on another thread: its cancellation counts too; NULL: none */
    const struct tacit_ctx *parent;
    char message[1024];
};

/* Set the ctx's sentence (ctx may be NULL) and return `status`. The sentence names the file, column
   or option, the cause and the fix; never a data value. Ends without a full stop or newline. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
tacit_status
tac_fail(tacit_ctx *ctx, tacit_status status, const char *format, ...);

/* TACIT_E_CANCELLED once tacit_ctx_cancel was called, else TACIT_OK. Any thread may ask; only the
   ctx's own thread sets the sentence, so this sets none: the public call that ends with it does. */
tacit_status tac_check_cancel(const tacit_ctx *ctx);
/* done: 0 .. 1, a share of the step. Only the ctx's own thread may call it. */
void tac_show_progress(tacit_ctx *ctx, const char *step, double done);
int64_t tac_now(void); /* nanoseconds of a clock that never goes back; for the owner's eyes only */

/* `if` with one exit: every function that owns something has a label `done:` that frees it. */
#define TAC_TRY(step)                                                                              \
    do {                                                                                           \
        status = (step);                                                                           \
        if (status != TACIT_OK) goto done;                                                         \
    } while (0)

/* Zeroed memory for count things of size bytes, 64-byte aligned; the product is checked. On failure
   *out is NULL and the ctx says what could not be held. count 0 gives a valid pointer. */
tacit_status tac_new(tacit_ctx *ctx, size_t count, size_t size, void *out /* of type T** */);
/* The same without zeroing, for room that is written before it is read. A small run then never
   touches most of it. */
tacit_status tac_scratch(tacit_ctx *ctx, size_t count, size_t size, void *out /* of type T** */);
/* Grow or shrink to count things; the old memory stays valid on failure. Not aligned beyond
   malloc. */
tacit_status tac_grow(tacit_ctx *ctx, void *inout /* of type T** */, size_t count, size_t size);
void tac_free(void *memory);
char *tac_strdup(tacit_ctx *ctx, const char *text); /* NULL and a sentence on failure */

/* Refuses a caller's struct that is NULL, that holds nothing but its size (it was not
   initialized), or that is larger than known_size (a caller newer than this library). name: the
   struct's type. ctx may be NULL. */
tacit_status tac_check_size(tacit_ctx *ctx, const char *name, const void *given, size_t known_size);
/* Copy a caller's sized struct over `known` (already holding defaults): an older caller's is
   shorter. */
tacit_status tac_read_opts(tacit_ctx *ctx, const char *name, const void *given, void *known,
                           size_t known_size);
/* The way back: copies as much of `known` as the caller's struct has room for, and keeps the
   caller's size. */
tacit_status tac_give_struct(tacit_ctx *ctx, const char *name, const void *known, size_t known_size,
                             void *out);

/* The entry of `names` nearest to `word` in edit distance (case ignored), if near enough to
   suggest; else NULL. */
const char *tac_nearest_name(const char *word, const char *const *names, size_t count);

/* The next comma-separated field of *rest, quotes taken off (a quoted name may hold commas and
   doubled quotes); NULL when it is used up. Writes into the text. */
char *tac_next_field(char **rest);

/* Parse a whole string as a finite double with '.' whatever the locale; false if anything else is
   in it. */
bool tac_parse_double(const char *text, double *out);

/* Length in bytes of the UTF-8 character at `text`, and its code point. 0 if no valid character
   begins there: cut off by `left` or by a terminator, overlong, a surrogate, or beyond U+10FFFF. */
size_t tac_utf8(const char *text, size_t left, uint32_t *code);
/* May this code point be shown as it stands? False for control characters, marks that change the
   direction of text or are invisible, ends of lines, and noncharacters. */
bool tac_is_plain(uint32_t code);

/* `count` bytes of getrandom(2); after a failure zeros, which the caller must not use. ctx may be
   NULL. */
tacit_status tac_system_random(tacit_ctx *ctx, void *out, size_t count);

/* floor(sqrt(x)) for x < 2^126, exact, in integers. */
uint64_t tac_root(tac_u128 x);

/* log x, log2 x and log(1 + x), the same bits on every host (portable_log.c). */
double tac_log(double x);
double tac_log2(double x);
double tac_log1p(double x);

#endif
