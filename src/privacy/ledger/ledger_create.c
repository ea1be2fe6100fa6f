/* SPDX-License-Identifier: Apache-2.0 */
/* Making a ledger: complete under a temporary name first, then given its name without ever overwriting. A crash on
   the way leaves at most a file "<name>.new-..." that nothing reads. */
#include "privacy/ledger/ledger_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATIENCE 30000

static tacit_status cannot(tacit_ctx *ctx, const char *path, const char *what, int error)
{
    return tac_fail(ctx, TACIT_E_WRITE, "the ledger %s cannot be created: %s: %s", path, what, strerror(error));
}

/* The data set's and the unit column's names go to terminals and into messages: no control characters. */
static tacit_status check_name(tacit_ctx *ctx, const char *whose, const char *name)
{
    const size_t length = strlen(name);
    bool plain = length > 0 && length < TAC_LEDGER_TEXT;

    for (size_t i = 0; plain && i < length; i++) plain = (unsigned char)name[i] >= 32 && name[i] != 127;
    if (plain) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_ARGUMENT, "the %s's name must have 1 to %d bytes and no control characters", whose,
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

/* Refuses a name that is taken, and one beside which SQLite would find the journal of a ledger that once was
   there: it would play the old pages back into the new file. */
static tacit_status check_free(tacit_ctx *ctx, const char *path)
{
    static const char *const endings[] = {"", "-journal", "-wal"};
    tacit_status status = TACIT_OK;
    char *name = NULL;
    struct stat about;

    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        TAC_TRY(join(ctx, path, endings[i], &name));
        if (lstat(name, &about) == 0) {
            status = i == 0
                ? tac_fail(ctx, TACIT_E_WRITE,
                           "%s exists already and is not overwritten; give the new ledger another "
                           "name", path)
                : tac_fail(ctx, TACIT_E_WRITE,
                           "%s is left from an earlier ledger of that name; give the new ledger "
                           "another name or remove it", name);
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

/* The two first rows: meta and the entry that opens the chain. */
static tacit_status write_rows(tacit_ctx *ctx, tacit_ledger *ledger)
{
    tacit_status status = TACIT_OK;
    sqlite3_stmt *insert = NULL;
    const tac_ledger_meta *meta = &ledger->meta;
    tac_ledger_state state = {0};
    tac_entry entry = {0};
    bool row = false;

    TAC_TRY(tac_ledger_prepare(ctx, ledger,
                               "INSERT INTO meta (id, format, dataset, epsilon, delta, notion, units, key, unit, "
                               "neighbours) VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)", &insert));
    int code = sqlite3_bind_int64(insert, 1, tac_ledger_format(meta->neighbours));
    if (code == SQLITE_OK) code = sqlite3_bind_text(insert, 2, meta->dataset, -1, SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_double(insert, 3, meta->epsilon);
    if (code == SQLITE_OK) code = sqlite3_bind_double(insert, 4, meta->delta);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(insert, 5, meta->notion == TAC_PURE ? "pure" : "gdp", -1, SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_int64(insert, 6, (int64_t)meta->units);
    if (code == SQLITE_OK) code = sqlite3_bind_blob(insert, 7, meta->key, sizeof meta->key, SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_text(insert, 8, meta->unit, -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(insert, 9, tac_ledger_relations[meta->neighbours], -1, SQLITE_STATIC);
    if (code != SQLITE_OK) {
        status = tac_ledger_fail_sql(ctx, ledger, code);
        goto done;
    }
    TAC_TRY(tac_ledger_step(ctx, ledger, insert, &row));

    entry.kind = TAC_ENTRY_OPEN;
    entry.units = meta->units;
    entry.epsilon = meta->epsilon;
    entry.delta = meta->delta;
    tac_ledger_set_text(entry.what, meta->dataset);
    TAC_TRY(tac_system_random(ctx, entry.run, sizeof entry.run));
    tac_ledger_hash_meta(meta, state.hash);
    TAC_TRY(tac_ledger_append(ctx, ledger, &entry, &state));
done:
    sqlite3_finalize(insert);
    return status;
}

/* The whole ledger in the empty file `path`, closed again. */
static tacit_status build(tacit_ctx *ctx, const char *path, const tac_ledger_meta *meta)
{
    tacit_status status = TACIT_OK;
    tacit_ledger *ledger = NULL;
    char sql[128];

    TAC_TRY(tac_ledger_connect(ctx, path, PATIENCE, &ledger));
    ledger->meta = *meta;
    TAC_TRY(tac_ledger_exec(ctx, ledger, "BEGIN IMMEDIATE"));
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", TAC_LEDGER_APPLICATION,
             tac_ledger_format(meta->neighbours));
    TAC_TRY(tac_ledger_exec(ctx, ledger, sql));
    for (size_t i = 0; i < tac_ledger_schema_count; i++)
        TAC_TRY(tac_ledger_exec(ctx, ledger, tac_ledger_schema(tac_ledger_format(meta->neighbours), i)));
    TAC_TRY(write_rows(ctx, ledger));
    TAC_TRY(tac_ledger_exec(ctx, ledger, "COMMIT"));
    TAC_TRY(tac_ledger_verify(ctx, ledger)); /* what is handed over was read back */
done:
    tacit_ledger_free(ledger);
    return status;
}

static int flush(const char *path, int flags)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | flags);
    if (file < 0) return errno;
    const int error = fsync(file) == 0 || errno == EINVAL ? 0 : errno; /* EINVAL: this kind of file has no fsync */
    close(file);
    return error;
}

/* from -> to without replacing. File systems that lack the flag get link + unlink, which never replaces either. */
static int move_new(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    if (link(from, to) != 0) return errno;
    return unlink(from) == 0 ? 0 : errno;
}

tacit_status tacit_ledger_create(tacit_ctx *ctx, const char *path, const char *dataset, double epsilon,
                                 double delta, const char *unit_column, tacit_neighbours neighbours)
{
    tacit_status status = TACIT_OK;
    char ending[32], hex[17];
    uint8_t random[8];
    char *name = NULL, *folder = NULL;
    bool made = false;
    tac_ledger_meta meta = {0};
    int error;

    if (ctx == NULL) return TACIT_E_ARGUMENT;
    ctx->message[0] = '\0';
    if (path == NULL || path[0] == '\0' || dataset == NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "a ledger needs a file name and the name of its data set");
    TAC_TRY(check_name(ctx, "data set", dataset));
    if (unit_column != NULL) TAC_TRY(check_name(ctx, "unit column", unit_column));
    if (neighbours != TACIT_ADD_REMOVE && neighbours != TACIT_REPLACE && neighbours != TACIT_ENTRY)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "neighbours is neither add-remove, nor replace, nor entry");
    if (neighbours == TACIT_ENTRY && unit_column != NULL)
        return tac_fail(ctx, TACIT_E_ARGUMENT, "a ledger about single entries of a table has no unit column; "
                        "leave one of them out");
    TAC_TRY(tac_budget_check(ctx, epsilon, delta));
    meta.epsilon = epsilon;
    meta.delta = delta == 0 ? 0 : delta;
    meta.notion = delta == 0 ? TAC_PURE : TAC_GDP;
    meta.units = tac_budget_units(meta.notion, epsilon, delta);
    tac_ledger_set_text(meta.dataset, dataset);
    tac_ledger_set_text(meta.unit, unit_column == NULL ? "" : unit_column);
    meta.neighbours = neighbours;
    TAC_TRY(tac_system_random(ctx, meta.key, sizeof meta.key));
    if (meta.units == 0 || meta.units > INT64_MAX) {
        status = tac_fail(ctx, TACIT_E_ARGUMENT,
                          "epsilon and delta of a ledger give no budget that can be counted; "
                          "choose an epsilon nearer to 1");
        goto done;
    }
    TAC_TRY(check_free(ctx, path));

    TAC_TRY(tac_system_random(ctx, random, sizeof random));
    snprintf(ending, sizeof ending, ".new-%s", sodium_bin2hex(hex, sizeof hex, random, sizeof random));
    TAC_TRY(join(ctx, path, ending, &name));
    const int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) {
        status = cannot(ctx, path, "its folder takes no new file", errno);
        goto done;
    }
    close(file);
    made = true;
    TAC_TRY(build(ctx, name, &meta));
    if ((error = flush(name, 0)) != 0) {
        status = cannot(ctx, path, "it cannot be flushed to the disk", error);
        goto done;
    }
    if ((error = move_new(name, path)) != 0) {
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
                          "%s; after a power cut check that it is there", path, strerror(error));
done:
    if (made) {
        unlink(name);
        char *journal = NULL;
        if (join(NULL, name, "-journal", &journal) == TACIT_OK) unlink(journal);
        tac_free(journal);
    }
    tac_free(name);
    tac_free(folder);
    return status;
}
