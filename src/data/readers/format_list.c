/* SPDX-License-Identifier: Apache-2.0 */
/* Every format of a table: its name and the endings of its files. */
#include "data/dataset/declaration.h"
#include "data/readers/reader.h"

#include <string.h>
#include <strings.h>

static const tacit_format_info formats[] = {
    {.format = TACIT_FORMAT_CSV, .name = "csv", .endings = ".csv"},
    {.format = TACIT_FORMAT_TSV, .name = "tsv", .endings = ".tsv .tab"},
    {.format = TACIT_FORMAT_NPY, .name = "npy", .endings = ".npy"},
    {.format = TACIT_FORMAT_MATRIX_MARKET, .name = "mtx", .endings = ".mtx"},
    {.format = TACIT_FORMAT_TRIPLETS, .name = "triplets", .endings = ""},
    {.format = TACIT_FORMAT_LIBSVM, .name = "libsvm", .endings = ".libsvm .svm"},
    {.format = TAC_FORMAT_MEMORY, .name = "memory", .endings = ""}, /* last: no file has it */
};
enum { FORMATS = sizeof formats / sizeof *formats };

int32_t tacit_format_count(void)
{
    return FORMATS - 1;
}

tacit_status tacit_format_get(int32_t index, tacit_format_info *out)
{
    if (index < 0 || index >= tacit_format_count()) return TACIT_E_ARGUMENT;
    return tac_give_struct(NULL, "tacit_format_info", &formats[index], sizeof formats[index], out);
}

const char *tac_format_name(tacit_format format)
{
    for (int i = 0; i < FORMATS; i++)
        if (formats[i].format == format) return formats[i].name;
    return "auto";
}

bool tac_format_of(const char *name, tacit_format *out)
{
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0) {
            *out = formats[i].format;
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
        for (const char *at = formats[i].endings; *at != '\0'; at += strspn(at, " ")) {
            const size_t length = strcspn(at, " ");
            if (size == length && strncasecmp(ending, at, length) == 0) return formats[i].format;
            at += length;
        }
    return format;
}
