/* SPDX-License-Identifier: Apache-2.0 */
/* Every format of a table, one line each: all that the rest of the tree knows of a format. */
#include "data/readers/reader.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define FORMAT(number, called, ends)                                                               \
    .info = {.size = sizeof(tacit_format_info), .format = number, .name = called, .endings = ends}
/* In the order of the public enum; --format has the names in this order. */
static const tac_format_traits formats[] = {
    {FORMAT(TACIT_FORMAT_CSV, "csv", ".csv"), .header = true, .texts = true, .delimiter = ',',
     .open = tac_open_csv},
    {FORMAT(TACIT_FORMAT_TSV, "tsv", ".tsv .tab"), .header = true, .texts = true, .delimiter = '\t',
     .open = tac_open_tsv},
    {FORMAT(TACIT_FORMAT_NPY, "npy", ".npy"), .open = tac_open_npy},
    {FORMAT(TACIT_FORMAT_MATRIX_MARKET, "mtx", ".mtx"), .sparse = true,
     .open = tac_open_matrix_market},
    {FORMAT(TACIT_FORMAT_TRIPLETS, "triplets", ""), .header = true, .sparse = true,
     .unstated = true, .delimiter = ',', .open = tac_open_triplets},
    {FORMAT(TACIT_FORMAT_LIBSVM, "libsvm", ".libsvm .svm"), .sparse = true, .unstated = true,
     .open = tac_open_libsvm},
    /* last: no file has them */
    {FORMAT(TAC_FORMAT_MEMORY, "memory", "")},
    {FORMAT(TAC_FORMAT_ARROW, "arrow", ""), .header = true, .texts = true},
};
static const tac_format_traits no_format = {FORMAT(TACIT_FORMAT_AUTO, "auto", "")};
enum { FORMATS = sizeof formats / sizeof *formats, NO_FILES = 2 };

int32_t tacit_format_count(void)
{
    return FORMATS - NO_FILES;
}

tacit_status tacit_format_get(int32_t index, tacit_format_info *out)
{
    if (index < 0 || index >= tacit_format_count()) return TACIT_E_ARGUMENT;
    return tac_give_struct(NULL, "tacit_format_info", &formats[index].info,
                           sizeof formats[index].info, out);
}

const tac_format_traits *tac_format_traits_of(tacit_format format)
{
    for (int i = 0; i < FORMATS; i++)
        if (formats[i].info.format == format) return &formats[i];
    return &no_format;
}

const char *tac_format_name(tacit_format format)
{
    return tac_format_traits_of(format)->info.name;
}

bool tac_format_of(const char *name, tacit_format *out)
{
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].info.name, name) == 0) {
            *out = formats[i].info.format;
            return true;
        }
    return false;
}

const char *tac_ending_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *ending = strrchr(slash == NULL ? path : slash, '.');

    return ending == NULL ? "" : ending;
}

/* people.csv.gz is .csv: what a packed file holds is told by the ending before the last. */
static const char *inner_ending(const char *path, size_t *length)
{
    const char *last = tac_ending_of(path), *slash = strrchr(path, '/');
    const char *at = last;

    *length = strlen(last);
    if (strcasecmp(last, ".gz") != 0) return last;
    while (at > path && at - 1 != slash && *--at != '.') {
    }
    *length = (size_t)(last - at);
    return *at == '.' ? at : "";
}

tacit_format tac_format_by_ending(const char *path, tacit_format format)
{
    size_t size;
    const char *ending = inner_ending(path, &size);

    if (format != TACIT_FORMAT_AUTO || *ending == '\0') return format;
    for (int i = 0; i < FORMATS; i++)
        for (const char *at = formats[i].info.endings; *at != '\0'; at += strspn(at, " ")) {
            const size_t length = strcspn(at, " ");
            if (size == length && strncasecmp(ending, at, length) == 0)
                return formats[i].info.format;
            at += length;
        }
    return format;
}

const char *tac_format_endings(size_t room, char *out)
{
    size_t used = 0;

    out[0] = '\0';
    for (int i = 0; i < FORMATS; i++) {
        if (*formats[i].info.endings == '\0') continue;
        snprintf(out + used, room - used, "%s%s", used > 0 ? " " : "", formats[i].info.endings);
        used = strlen(out);
    }
    return out;
}
