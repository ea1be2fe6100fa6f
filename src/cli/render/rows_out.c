/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic rows to a file: CSV, or NPY if its name ends so. */
#include "../cli.h"

#include <endian.h>
#include <string.h>

#define CHECK_EVERY 4096 /* rows written between two looks at Ctrl-C */

bool cli_is_npy(const char *path)
{
    return path != NULL && cli_ends_in(path, ".npy");
}

/* A cell of a CSV file, with quotes where RFC 4180 wants them. */
void cli_csv_cell(FILE *out, const char *text)
{
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL;

    if (quoted) fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    if (quoted) fputc('"', out);
}

/* Asked after every row, looked up at every CHECK_EVERY rows. */
static int interrupted(const cli *c, int64_t row)
{
    if (row % CHECK_EVERY != 0 || !cli_interrupted()) return EXIT_OK;
    return cli_fail(c, cli_exit_code(TACIT_E_CANCELLED), "interrupted; nothing was written");
}

/* A header, then one row a line, with the label last if wanted. */
static int write_csv(const cli *c, FILE *out, const cli_column *columns, int64_t count,
                     const double *value, const int32_t *label, int digits)
{
    const cli_values *v = &c->value;
    int code = EXIT_OK;

    for (int64_t j = 0; j < count; j++) fprintf(out, "%s%s", j == 0 ? "" : ",", columns[j].name);
    fprintf(out, "%s%s\n", v->label_column == NULL ? "" : ",",
            v->label_column == NULL ? "" : v->label_column);
    for (int64_t i = 0; i < v->rows; i++) {
        for (int64_t j = 0; j < count; j++)
            fprintf(out, digits > 0 ? "%s%.*f" : "%s%.*g", j == 0 ? "" : ",",
                    digits > 0 ? digits : 6, value[i * count + j]);
        if (v->label_column != NULL) fprintf(out, ",%d", (int)label[i]);
        fputc('\n', out);
        CLI_TRY(interrupted(c, i));
    }
done:
    return code;
}

/* NPY 1.0: magic, length of the header, a Python dict padded so that the numbers start at byte 128,
   then the numbers as they lie in memory. */
static int write_npy(const cli *c, FILE *out, int64_t count, const double *value)
{
    const cli_values *v = &c->value;
    char header[118 + 1];
    int code = EXIT_OK;

    snprintf(header, sizeof header,
             "{'descr': '<f8', 'fortran_order': False, 'shape': (%lld, %lld), }",
             (long long)v->rows, (long long)count);
    fwrite("\x93NUMPY\x01\x00", 1, 8, out);
    fputc(sizeof header - 1, out);
    fputc(0, out);
    fprintf(out, "%-117s\n", header);
    for (int64_t i = 0; i < v->rows; i++) {
        for (int64_t j = 0; j < count; j++) {
            uint64_t bits;
            memcpy(&bits, value + i * count + j, sizeof bits);
            bits = htole64(bits);
            fwrite(&bits, sizeof bits, 1, out);
        }
        CLI_TRY(interrupted(c, i));
    }
done:
    return code;
}

int cli_write_labels(const cli *c, FILE *out, const int32_t *label)
{
    int code = EXIT_OK;

    fprintf(out, "%s\n", c->value.label_column == NULL ? "label" : c->value.label_column);
    for (int64_t i = 0; i < c->value.rows; i++) {
        fprintf(out, "%d\n", (int)label[i]);
        CLI_TRY(interrupted(c, i));
    }
done:
    return code;
}

int cli_write_rows(const cli *c, FILE *out, const cli_column *columns, int64_t count,
                   const double *value, const int32_t *label, int digits)
{
    return cli_is_npy(c->value.output) ? write_npy(c, out, count, value)
                                       : write_csv(c, out, columns, count, value, label, digits);
}

/* The object of tacit generate, and its outputs: writable, and all different. */
int cli_check_rows(const cli *c)
{
    const cli_values *v = &c->value;
    const char *const path[] = {v->output, v->bounds_out, v->labels_out, v->truth_out},
                      *object = c->command->object;
    int code = EXIT_OK;

    if (strcmp(v->word[0], object == NULL ? "mixture" : object) != 0)
        return cli_fail(c, EXIT_USAGE,
                        "only a mixture, subspaces or counts can be generated; did you mean %s?",
                        object == NULL ? "mixture" : object);
    if (v->label_column != NULL && cli_is_npy(v->output))
        return cli_fail(c, EXIT_USAGE,
                        "--label-column needs a CSV output: NPY has no column names; use "
                        "--labels-out");
    /* It becomes a header as it stands. */
    if (v->label_column != NULL && strpbrk(v->label_column, ",\"\r\n") != NULL)
        return cli_fail(c, EXIT_USAGE, "--label-column wants a name without commas and quotes");
    for (int i = 0; i < 4; i++) {
        CLI_TRY(cli_check_output(c, path[i], NULL));
        for (int j = 0; j < i; j++)
            if (path[i] != NULL && path[j] != NULL && strcmp(path[i], path[j]) == 0)
                CLI_TRY(cli_fail(c, EXIT_USAGE, "two outputs have the same name; name them apart"));
    }
done:
    return code;
}
