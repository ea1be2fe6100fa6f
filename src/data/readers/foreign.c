/* SPDX-License-Identifier: Apache-2.0 */
/* Files of other programs: known, and refused with the pipe that works. No format of ours reads
   them. */
#include "data/readers/reader.h"
#include "data/readers/input.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define PANDAS(read)                                                                               \
    "python3 -c \"import pandas, sys; pandas." read "(sys.argv[1]).to_csv(sys.stdout, "            \
    "index=False)\" %s"

typedef struct foreign {
    const char *what;
    const char *endings; /* in small letters, each with a blank behind it; "": none */
    const char *magic;   /* NULL: only the ending tells */
    size_t size;
    bool binary;         /* the magic is also a word: a byte that no text has must follow it */
    const char *command; /* prints the rows as CSV; %s: the file */
    bool package;        /* the Python package reads it, and finds its ledger, which no pipe does */
} foreign;

static const foreign known[] = {
    {"a Parquet file", ".parquet .pq ", "PAR1", 4, true, "duckdb -csv -c \"from '%s'\"", true},
    {"an Arrow file", ".feather .arrow ", "ARROW1\0\0", 8, false, PANDAS("read_feather"), false},
    {"an Excel workbook", ".xlsx .xlsm ", NULL, 0, false, PANDAS("read_excel"), true},
    {"an old Excel workbook", ".xls ", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8, false,
     PANDAS("read_excel"), false},
    {"an OpenDocument sheet", ".ods ", NULL, 0, false, PANDAS("read_excel"), false},
    {"JSON", ".json .jsonl .ndjson ", NULL, 0, false, "duckdb -csv -c \"from '%s'\"", false},
    {"a SAS file", ".sas7bdat .xpt ", "\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60", 16, false,
     PANDAS("read_sas"), false},
    {"a Stata file", ".dta ", "<stata_dta>", 11, false, PANDAS("read_stata"), false},
    {"an SPSS file", ".sav .zsav ", "$FL2@(#)", 8, false, PANDAS("read_spss"), false},
    {"a SQLite database", ".sqlite .sqlite3 .db ", "SQLite format 3", 16, false,
     "sqlite3 -csv -header %s 'select * from THE_TABLE'", false},
    {"packed by zstd", ".zst ", "\x28\xb5\x2f\xfd", 4, false, "zstd -dc %s", false},
    {"packed by xz", ".xz ",
     "\xfd"
     "7zXZ\0",
     6, false, "xz -dc %s", false},
    {"packed by bzip2", ".bz2 ", "BZh", 3, true, "bzip2 -dc %s", false},
    {"a NumPy archive", ".npz ", NULL, 0, false,
     "python3 -c \"import numpy, sys; a = numpy.load(sys.argv[1]); numpy.save('rows.npy', "
     "a[a.files[0]])\" %s",
     false},
    /* last: what other programs make of it is known by its ending */
    {"a ZIP archive", ".zip ", "PK\3\4", 4, false, "unzip -p %s", false},
};

static bool has_ending(const foreign *f, const char *ending)
{
    const size_t length = strlen(ending);

    for (const char *at = f->endings; *at != '\0' && length > 0; at += strcspn(at, " ") + 1)
        if (strcspn(at, " ") == length && strncasecmp(at, ending, length) == 0) return true;
    return false;
}

/* PAR1,PAR2 is a header; PAR1 with a control byte or a high one behind it is none. */
static bool has_magic(const foreign *f, const unsigned char *bytes, size_t count)
{
    if (f->magic == NULL || count < f->size || memcmp(bytes, f->magic, f->size) != 0) return false;
    if (!f->binary) return true;
    if (f->magic[0] == 'B') /* every block of bzip2 begins with pi */
        return count >= 10 && memcmp(bytes + 4, "1AY&SY", 6) == 0;
    for (size_t i = f->size; i < count; i++)
        if (bytes[i] >= 0x80 || (bytes[i] < 0x20 && strchr("\t\r\n", bytes[i]) == NULL) ||
            bytes[i] == 0)
            return true;
    return false;
}

static tacit_status refuse(tacit_ctx *ctx, const char *path, const foreign *f)
{
    char command[512], quoted[320];
    const bool file = strcmp(path, "standard input") != 0 && strlen(path) < 200 &&
                      strpbrk(path, "'\"\\$`") == NULL;

    snprintf(quoted, sizeof quoted,
             strchr(path, ' ') != NULL && f->command[0] != 'd' ? "'%s'" : "%s",
             file ? path : "FILE");
    const char *at = strstr(f->command, "%s");
    snprintf(command, sizeof command, "%.*s%s%s", (int)(at - f->command), f->command, quoted,
             at + 2);
    if (strcmp(f->endings, ".npz ") == 0)
        return tac_fail(ctx, TACIT_E_FORMAT,
                        "%s: is %s, which no format reads; take an array out of it: %s", path,
                        f->what, command);
    return tac_fail(ctx, TACIT_E_FORMAT,
                    "%s: is %s, which no format reads; %spipe its rows in as CSV: %s | tacit "
                    "kmeans -",
                    path, f->what,
                    f->package ? "take python3 -m tacitdp instead of tacit, or " : "", command);
}

tacit_status tac_refuse_foreign(tacit_ctx *ctx, const char *path, const void *bytes, size_t count,
                                bool by_name)
{
    const size_t kinds = sizeof known / sizeof *known;
    const char *ending = tac_ending_of(path);
    const bool zip = count >= 4 && memcmp(bytes, "PK\3\4", 4) == 0;

    /* a workbook is a ZIP archive as well: the ending first */
    for (size_t i = 0; (by_name || zip) && i < kinds; i++)
        if (has_ending(&known[i], ending) && (by_name || known[i].magic == NULL))
            return refuse(ctx, path, &known[i]);
    for (size_t i = 0; i < kinds; i++)
        if (has_magic(&known[i], bytes, count)) return refuse(ctx, path, &known[i]);
    return TACIT_OK;
}
