/* SPDX-License-Identifier: Apache-2.0 */
/* Making a ledger: complete under a temporary name first, then given its name without ever
   overwriting. A crash on the way leaves at most a file "<name>.new-..." that nothing reads. */
#include "privacy/ledger/ledger_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PATIENCE 30000

static tacit_status cannot(tacit_ctx *ctx, const char *path, const char *what, int error)
{
    return tac_fail(ctx, TACIT_E_WRITE, "the ledger %s cannot be created: %s: %s", path, what,
                    strerror(error));
}

/* The data set's and the unit column's names go to terminals and into messages: no control
   characters. */
static tacit_status check_name(tacit_ctx *ctx, const char *whose, const char *name)
{
    const size_t length = strlen(name);
    bool plain = length > 0 && length < TAC_LEDGER_TEXT;

    for (size_t i = 0; plain && i < length; i++)
        plain = (unsigned char)name[i] >= 32 && name[i] != 127;
    if (plain) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "the %s's name must have 1 to %d bytes and no control characters", whose,
                    TAC_LEDGER_TEXT - 1);
}

/* path + ending. */
static tacit_status join(tacit_ctx *ctx, const char *path, const char *ending, char **out)
{
    const size_t length = strlen(path) + strlen(ending) + 1;
    const tacit_status status = tac_new(ctx, length, 1, out);
    if (status == TACIT_OK) snprintf(*out, length, "%s%s", path, ending);
    return status;
}

/* Refuses a name that is taken, and one beside which SQLite would find the journal of a ledger that
   once was there: it would play the old pages back into the new file. */
static tacit_status check_free(tacit_ctx *ctx, const char *path)
{
    static const char *const endings[] = {"", "-journal", "-wal"};
    tacit_status status = TACIT_OK;
    char *name = NULL;
    struct stat about;

    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        TAC_TRY(join(ctx, path, endings[i], &name));
        if (lstat(name, &about) == 0) {
            status = i == 0 ? tac_fail(ctx, TACIT_E_WRITE,
                                       "%s exists already and is not overwritten; give the new "
                                       "ledger another name",
                                       path)
                            : tac_fail(ctx, TACIT_E_WRITE,
                                       "%s is left from an earlier ledger of that name; give the "
                                       "new ledger another name or remove it",
                                       name);
            goto done;
        }
        if (errno != ENOENT) {
            status = cannot(ctx, path, "its folder cannot be searched", errno);
            goto done;
        }
        tac_free(name);
        name = NULL;
    }
done:
    tac_free(name);
    return status;
}

/* The first rows: meta, the entry that opens the chain and, if there is any, what was spent
   before. */
static tacit_status write_rows(tacit_ctx *ctx, tacit_ledger *ledger, uint64_t carried)
{
    tacit_status status = TACIT_OK;
    sqlite3_stmt *insert = NULL;
    const tac_ledger_meta *meta = &ledger->meta;
    tac_ledger_state state = {0};
    tac_entry entry = {0};
    bool row = false;

    TAC_TRY(tac_ledger_prepare(ctx, ledger,
                               "INSERT INTO meta (id, format, dataset, epsilon, delta, notion, "
                               "units, key, unit, neighbours, declaration) VALUES (1, ?1, ?2, ?3, "
                               "?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                               &insert));
    int code = sqlite3_bind_int64(insert, 1, meta->format);
    if (code == SQLITE_OK) code = sqlite3_bind_text(insert, 2, meta->dataset, -1, SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_double(insert, 3, meta->epsilon);
    if (code == SQLITE_OK) code = sqlite3_bind_double(insert, 4, meta->delta);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(insert, 5, meta->definition == TAC_PURE ? "pure" : "gdp", -1,
                                 SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_int64(insert, 6, (int64_t)meta->quanta);
    if (code == SQLITE_OK)
        code = sqlite3_bind_blob(insert, 7, meta->key, sizeof meta->key, SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_text(insert, 8, meta->unit, -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code =
            sqlite3_bind_text(insert, 9, tac_ledger_relations[meta->neighbors], -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(insert, 10, meta->declaration, -1, SQLITE_STATIC);
    if (code != SQLITE_OK) {
        status = tac_ledger_fail_sql(ctx, ledger, code);
        goto done;
    }
    TAC_TRY(tac_ledger_step(ctx, ledger, insert, &row));

    entry.kind = TAC_ENTRY_OPEN;
    entry.quanta = meta->quanta;
    entry.epsilon = meta->epsilon;
    entry.delta = meta->delta;
    tac_ledger_set_text(entry.what, meta->dataset);
    TAC_TRY(tac_system_random(ctx, entry.run, sizeof entry.run));
    tac_ledger_hash_meta(meta, state.hash);
    TAC_TRY(tac_ledger_append(ctx, ledger, &entry, &state));
    if (carried > 0) {
        entry.kind = TAC_ENTRY_CARRY;
        entry.quanta = carried;
        entry.epsilon = entry.delta = 0;
        tac_ledger_set_text(entry.what, "spent in an earlier ledger");
        TAC_TRY(tac_system_random(ctx, entry.run, sizeof entry.run));
        TAC_TRY(tac_ledger_append(ctx, ledger, &entry, &state));
    }
done:
    sqlite3_finalize(insert);
    return status;
}

/* The whole ledger in the empty file `path`, closed again. */
static tacit_status build(tacit_ctx *ctx, const char *path, const tac_ledger_meta *meta,
                          uint64_t carried)
{
    tacit_status status = TACIT_OK;
    tacit_ledger *ledger = NULL;
    char sql[128];

    TAC_TRY(tac_ledger_connect(ctx, path, PATIENCE, &ledger));
    ledger->meta = *meta;
    ledger->meta.declaration = tac_strdup(ctx, meta->declaration);
    if (ledger->meta.declaration == NULL) TAC_TRY(TACIT_E_MEMORY);
    TAC_TRY(tac_ledger_exec(ctx, ledger, "BEGIN IMMEDIATE"));
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             TAC_LEDGER_APPLICATION, meta->format);
    TAC_TRY(tac_ledger_exec(ctx, ledger, sql));
    for (size_t i = 0; i < tac_ledger_schema_count; i++)
        TAC_TRY(tac_ledger_exec(ctx, ledger, tac_ledger_schema(meta->format, i)));
    TAC_TRY(write_rows(ctx, ledger, carried));
    TAC_TRY(tac_ledger_exec(ctx, ledger, "COMMIT"));
    tac_free(ledger->meta.declaration);
    ledger->meta = (tac_ledger_meta){0};
    TAC_TRY(tac_ledger_verify(ctx, ledger, false)); /* what is handed over was read back */
done:
    tacit_ledger_free(ledger);
    return status;
}

/* fsync of a file or (O_DIRECTORY) a folder; 0 or an errno. */
static int flush(const char *path, int flags)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | flags);
    if (file < 0) return errno;
    /* EINVAL: this kind of file has no fsync */
    const int error = fsync(file) == 0 || errno == EINVAL ? 0 : errno;
    close(file);
    return error;
}

/* from -> to without replacing. File systems that lack the flag get link + unlink, which never
   replaces either. Not every C library has a function for the call (musl 1.2.3 has none). */
static int move_new(const char *from, const char *to)
{
    const unsigned int no_replace = 1; /* RENAME_NOREPLACE */

    if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, no_replace) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    if (link(from, to) != 0) return errno;
    return unlink(from) == 0 ? 0 : errno;
}

/* Budget and declaration of a new ledger. */
static tacit_status fill(tacit_ctx *ctx, const char *dataset, double epsilon, double delta,
                         const tacit_declaration *d, tac_ledger_meta *meta)
{
    tacit_status status = TACIT_OK;

    TAC_TRY(check_name(ctx, "data set", dataset));
    TAC_TRY(tac_declaration_check_ledger(ctx, d));
    const char *unit = d->unit < 0 ? "" : d->field[d->unit].name;
    if (d->unit >= 0) TAC_TRY(check_name(ctx, "unit column", unit));
    TAC_TRY(tac_budget_check(ctx, epsilon, delta));
    meta->format = TAC_LEDGER_FORMAT;
    meta->epsilon = epsilon;
    meta->delta = delta == 0 ? 0 : delta;
    meta->definition = delta == 0 ? TAC_PURE : TAC_GDP;
    meta->quanta = tac_budget_quanta(meta->definition, epsilon, delta);
    tac_ledger_set_text(meta->dataset, dataset);
    tac_ledger_set_text(meta->unit, unit);
    meta->neighbors = d->neighbors;
    TAC_TRY(tac_declaration_write(ctx, d, &meta->declaration));
    if (strlen(meta->declaration) > TAC_DECLARATION_MOST)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "%s: a declaration of more than 16 MiB does not fit into a ledger; declare "
                        "one range for all columns",
                        d->where);
    TAC_TRY(tac_system_random(ctx, meta->key, sizeof meta->key));
    if (meta->quanta == 0 || meta->quanta > INT64_MAX)
        status = tac_fail(ctx, TACIT_E_ARGUMENT,
                          "epsilon and delta of a ledger give no budget that can be counted; "
                          "choose an epsilon nearer to 1");
done:
    return status;
}

/* Opens and locks the ledger whose spending goes on in a new one. Nobody can take from it until
   the new one has its name, and after that whoever waited finds that it was replaced. Refused:
   another privacy unit or neighbors (costs about different things do not add up) and another
   privacy definition (their quanta measure different things). */
static tacit_status lock_old(tacit_ctx *ctx, const char *path, const tac_ledger_meta *meta,
                             tacit_ledger **ledger, uint64_t *spent)
{
    tacit_status status = TACIT_OK;
    tac_ledger_state state;

    TAC_TRY(tac_ledger_open_old(ctx, path, PATIENCE, ledger));
    TAC_TRY(tac_ledger_begin(ctx, *ledger, false, &state));
    const tac_ledger_meta *old = &(*ledger)->meta;
    if (old->definition != meta->definition)
        return tac_fail(ctx, TACIT_E_LEDGER,
                        "the ledger %s has delta %s, and what it has spent can go on only in one "
                        "%s; give %s",
                        path, old->definition == TAC_PURE ? "0" : "above 0",
                        old->definition == TAC_PURE ? "with delta 0" : "with a delta",
                        old->definition == TAC_PURE ? "delta 0" : "a delta");
    if (old->neighbors != meta->neighbors || strcmp(old->unit, meta->unit) != 0)
        return tac_fail(ctx, TACIT_E_LEDGER,
                        "the ledger %s counts for neighbours %s and %s%s%s, and what it has spent "
                        "can go on only in one that does; declare the same",
                        path, tac_ledger_relations[old->neighbors],
                        old->unit[0] == '\0' ? "single rows" : "persons of the column '", old->unit,
                        old->unit[0] == '\0' ? "" : "'");
    *spent = state.spent;
    if (*spent > meta->quanta)
        status = tac_fail(ctx, TACIT_E_BUDGET_SPENT,
                          "the ledger %s has spent more than the new budget; give a larger epsilon",
                          path);
done:
    return status;
}

/* Do two names lead to one file? Then the old ledger is replaced, not kept beside. */
static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Fill in meta, lock the old ledger, build under a temporary name, flush, rename, flush the
   folder. old: a ledger to carry over, or NULL. Whatever fails before the renaming leaves no
   ledger and the old one as it was. */
static tacit_status make(tacit_ctx *ctx, const char *path, const char *dataset, double epsilon,
                         double delta, const tacit_declaration *declaration, const char *old)
{
    tacit_status status = TACIT_OK;
    char ending[32], hex[17];
    uint8_t random[8];
    char *name = NULL, *folder = NULL;
    bool made = false;
    tac_ledger_meta meta = {0};
    tacit_ledger *before = NULL;
    uint64_t carried = 0;
    int error;

    if (ctx == NULL) return TACIT_E_ARGUMENT;
    ctx->message[0] = '\0';
    if (path == NULL || path[0] == '\0' || dataset == NULL || declaration == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT,
                        "a ledger needs a file name, the name of its data set and a declaration of "
                        "what that is");
    TAC_TRY(fill(ctx, dataset, epsilon, delta, declaration, &meta));
    const bool replace = old != NULL && same_file(old, path);
    if (old != NULL) TAC_TRY(lock_old(ctx, old, &meta, &before, &carried));
    if (!replace) TAC_TRY(check_free(ctx, path));

    TAC_TRY(tac_system_random(ctx, random, sizeof random));
    snprintf(ending, sizeof ending, ".new-%s",
             sodium_bin2hex(hex, sizeof hex, random, sizeof random));
    TAC_TRY(join(ctx, path, ending, &name));
    const int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) {
        status = cannot(ctx, path, "its folder takes no new file", errno);
        goto done;
    }
    close(file);
    made = true;
    TAC_TRY(build(ctx, name, &meta, carried));
    if ((error = flush(name, 0)) != 0) {
        status = cannot(ctx, path, "it cannot be flushed to the disk", error);
        goto done;
    }
    if ((error = replace ? (rename(name, path) == 0 ? 0 : errno) : move_new(name, path)) != 0) {
        status = cannot(ctx, path, "it cannot be given its name", error);
        goto done;
    }
    made = false;
    TAC_TRY(join(ctx, path, "", &folder));
    char *slash = strrchr(folder, '/');
    if (slash != NULL) slash[slash == folder ? 1 : 0] = '\0';
    if ((error = flush(slash == NULL ? "." : folder, O_DIRECTORY)) != 0)
        status = tac_fail(ctx, TACIT_E_WRITE,
                          "the ledger %s was created but its folder cannot be flushed to the disk: "
                          "%s; after a power cut check that it is there",
                          path, strerror(error));
done:
    if (made) {
        unlink(name);
        char *journal = NULL;
        if (join(NULL, name, "-journal", &journal) == TACIT_OK) unlink(journal);
        tac_free(journal);
    }
    tacit_ledger_free(before);
    tac_free(meta.declaration);
    tac_free(name);
    tac_free(folder);
    return status;
}

tacit_status tacit_ledger_create(tacit_ctx *ctx, const char *path, const char *dataset,
                                 double epsilon, double delta, const tacit_declaration *declaration)
{
    return make(ctx, path, dataset, epsilon, delta, declaration, NULL);
}

tacit_status tacit_ledger_carry(tacit_ctx *ctx, const char *path, const char *dataset,
                                double epsilon, double delta, const tacit_declaration *declaration,
                                const char *old)
{
    if (ctx == NULL || old == NULL || old[0] == '\0') return TACIT_E_ARGUMENT;
    return make(ctx, path, dataset, epsilon, delta, declaration, old);
}
