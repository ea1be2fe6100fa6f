/* SPDX-License-Identifier: Apache-2.0 */
/* Read a vocabulary, and name columns by it. The grammar: one name a line, LF or CRLF; spaces and
   tabs around a name are dropped, as is a UTF-8 byte order mark. */
#include "data/readers/vocabulary.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* What is wrong with a name and how to fix it; NULL: nothing. */
static const char *fault_of(const char *name, size_t length)
{
    if (length == 0) return "is empty; give every column a name, one a line";
    if (!tac_is_utf8(name, length)) return "is not UTF-8; convert the file (iconv -t UTF-8)";
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f)
            return "holds a control character; remove it";
    return NULL;
}

/* All lines as names. A name given twice is found by its code, which is that of an earlier line. */
static tacit_status take_lines(tacit_ctx *ctx, tac_lines *lines, tac_vocabulary *v)
{
    tacit_status status = TACIT_OK;
    const char *where = lines->input->name;
    char *line = NULL;

    for (;;) {
        int64_t code;
        TAC_TRY(tac_lines_next(ctx, lines, &line));
        if (line == NULL) break;
        if (lines->number == 1 && strncmp(line, "\xef\xbb\xbf", 3) == 0) line += 3;
        size_t length = strlen(line);
        while (length > 0 && (*line == ' ' || *line == '\t')) line++, length--;
        while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t')) length--;
        line[length] = '\0';
        const char *fault = fault_of(line, length);
        if (fault == NULL && lines->number > TAC_MOST_COLUMNS)
            fault = "is one too many; tacit takes up to 1000000 columns";
        if (fault != NULL)
            TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT, "%s: line %lld %s", where,
                             (long long)lines->number, fault));
        TAC_TRY(tac_code_of(ctx, &v->names, line, length, &code));
        if (code + 1 < lines->number)
            TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT,
                             "%s: line %lld is the same name as line %lld; names of columns must "
                             "differ",
                             where, (long long)lines->number, (long long)code + 1));
    }
    if (v->names.count == 0)
        TAC_TRY(tac_fail(ctx, TACIT_E_FORMAT,
                         "%s: the vocabulary is empty; write one column name a line", where));
done:
    return status;
}

/* The work of both functions below: reads the names and digests them in their order. Takes the
   input over, also on failure. */
static tacit_status from_input(tacit_ctx *ctx, const char *where, tac_input *input,
                               tac_vocabulary **out)
{
    tacit_status status = TACIT_OK;
    tac_lines lines = {.input = input};
    tac_vocabulary *v = NULL;
    crypto_generichash_state state;

    TAC_TRY(tac_new(ctx, 1, sizeof *v, &v));
    v->path = tac_strdup(ctx, where);
    if (v->path == NULL) TAC_TRY(TACIT_E_MEMORY);
    TAC_TRY(take_lines(ctx, &lines, v));
    crypto_generichash_init(&state, NULL, 0, sizeof v->digest);
    /* names hold no line feed */
    for (size_t i = 0, from = 0; i < v->names.count; from = v->names.end[i++]) {
        crypto_generichash_update(&state, (const uint8_t *)v->names.text + from,
                                  v->names.end[i] - from);
        crypto_generichash_update(&state, (const uint8_t *)"\n", 1);
    }
    crypto_generichash_final(&state, v->digest, sizeof v->digest);
    *out = v;
    v = NULL;
done:
    tac_vocabulary_free(v);
    tac_lines_clear(&lines);
    tac_input_close(input);
    return status;
}

tacit_status tac_vocabulary_read(tacit_ctx *ctx, const char *path, int descriptor,
                                 tac_vocabulary **out)
{
    tac_input input = TAC_INPUT_CLOSED;

    *out = NULL;
    const tacit_status status = tac_input_open_at(ctx, path, descriptor, &input);
    return status != TACIT_OK ? status : from_input(ctx, path, &input, out);
}

/* A copy of the text is read as if it were a file, so both obey one grammar. */
tacit_status tac_vocabulary_of_words(tacit_ctx *ctx, const char *where, const char *words,
                                     tac_vocabulary **out)
{
    tac_input input = TAC_INPUT_CLOSED;

    *out = NULL;
    input.name = tac_strdup(ctx, where);
    input.held = tac_strdup(ctx, words);
    if (input.name == NULL || input.held == NULL) {
        tac_input_close(&input);
        return TACIT_E_MEMORY;
    }
    input.held_size = strlen(words);
    return from_input(ctx, where, &input, out);
}

void tac_vocabulary_free(tac_vocabulary *v)
{
    if (v == NULL) return;
    tac_codes_clear(&v->names);
    tac_free(v->path);
    tac_free(v);
}

tacit_status tac_vocabulary_check(tacit_ctx *ctx, const tac_vocabulary *v, int64_t columns,
                                  const char *what)
{
    if (v == NULL || tac_vocabulary_size(v) == columns) return TACIT_OK;
    return tac_fail(ctx, TACIT_E_ARGUMENT,
                    "%s: the vocabulary has %d names and %s has %lld columns; give one name for "
                    "each",
                    v->path, tac_vocabulary_size(v), what, (long long)columns);
}

/* The contract stands in vocabulary.h. A vocabulary is known to have `columns` names. */
tacit_status tac_schema_named(tacit_ctx *ctx, const tac_vocabulary *v, int64_t columns,
                              tac_numbering numbering, const char *extra, tac_schema *out)
{
    tacit_status status = TACIT_OK;
    const size_t many = (size_t)columns, all = many + (extra != NULL),
                 last = extra == NULL ? 0 : strlen(extra) + 1;
    const size_t width = sizeof "col999999";
    const size_t bytes = v == NULL ? many * width : v->names.end[many - 1] + many;
    char **names = NULL, *text = NULL;

    TAC_TRY(tac_new(ctx, all, sizeof *names, &names));
    TAC_TRY(tac_new(ctx, bytes + last, 1, &text)); /* one block, owned by the first name */
    for (size_t j = 0, from = 0; j < many; j++) {
        names[j] = text + (v == NULL ? j * width : from + j);
        if (v == NULL) {
            if (numbering == TAC_FROM_ZERO)
                snprintf(names[j], width, "col%u", (unsigned)j % 1000000);
            else
                snprintf(names[j], width, "c%u", (unsigned)(j + 1) % 10000000);
            continue;
        }
        memcpy(names[j], v->names.text + from, v->names.end[j] - from);
        from = v->names.end[j];
    }
    if (extra != NULL) names[columns] = strcpy(text + bytes, extra);
    *out = (tac_schema){.columns = (int32_t)all,
                        .names = names,
                        .label_only = extra == NULL ? -1 : (int32_t)columns};
    names = NULL;
    text = NULL;
done:
    tac_free(names);
    tac_free(text);
    return status;
}
