/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy .npy files, versions 1 to 3. The values are served by array_rows.c. The header:
     file   = magic major minor length dictionary elements
     magic  = 0x93 "NUMPY"; major, minor = one byte each
     length = 2 bytes in version 1, else 4, little-endian: of the dictionary
     dictionary = "{" key ":" value *("," key ":" value) [","] "}"   ; spaces anywhere
   The keys are descr (an element type), fortran_order (True or False) and shape (a tuple), each
   once and no others. They are read by this grammar, not guessed at. Refused: objects, which
   could run code in Python, text, complex numbers, named fields, more than two dimensions. */
#include "data/readers/array_rows.h"
#include "data/readers/vocabulary.h"

#include <string.h>

#define LONGEST_HEADER (1 << 20)

/* What the dictionary says. */
typedef struct npy_header {
    char descr[16];
    bool has_descr, has_order, has_shape, by_column;
    int dims;
    int64_t shape[2];
} npy_header;

static const char *skip(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
    return p;
}

/* 'text' or "text" of fewer than `room` bytes, without escapes. Returns what follows it; NULL: it
   is none. */
static const char *quoted(const char *p, char *text, size_t room)
{
    const char quote = *p;
    if (quote != '\'' && quote != '"') return NULL;
    const char *const end = strchr(p + 1, quote);
    if (end == NULL || (size_t)(end - p - 1) >= room || memchr(p, '\\', (size_t)(end - p)) != NULL)
        return NULL;
    memcpy(text, p + 1, (size_t)(end - p - 1));
    text[end - p - 1] = '\0';
    return end + 1;
}

/* (3, 4) or (3,) or (). Of more than two sizes only the number is kept: such arrays are refused
   anyway. Returns what follows; NULL: it is no tuple. */
static const char *tuple(const char *p, npy_header *h)
{
    if (*p++ != '(') return NULL;
    for (h->dims = 0; *(p = skip(p)) != ')';) {
        int64_t size;
        p = tac_scan_count(p, &size);
        if (p == NULL) return NULL;
        if (h->dims < 2) h->shape[h->dims] = size;
        if (h->dims < 100) h->dims++;
        if (*p == 'L') p++; /* Python 2 wrote it */
        p = skip(p);
        if (*p == ',')
            p++;
        else if (*p != ')' || h->dims == 1)
            return NULL; /* (3) is no tuple */
    }
    return p + 1;
}

/* The whole dictionary; NULL, or what is wrong and how to fix it. */
static const char *parse(const char *p, npy_header *h)
{
    static const char garbage[] = "the header is damaged; write the file again with numpy.save";
    char key[32], word[8];

    p = skip(p);
    if (*p++ != '{') return garbage;
    for (p = skip(p); *p != '}';) {
        p = quoted(p, key, sizeof key);
        if (p == NULL || *(p = skip(p)) != ':') return garbage;
        p = skip(p + 1);
        if (strcmp(key, "descr") == 0 && !h->has_descr) {
            if (*p == '[' || *p == '(')
                return "the array has named fields; save a plain two-dimensional array of numbers";
            p = quoted(p, h->descr, sizeof h->descr);
            h->has_descr = true;
        } else if (strcmp(key, "fortran_order") == 0 && !h->has_order) {
            h->has_order = true;
            h->by_column = strncmp(p, "True", 4) == 0;
            strcpy(word, h->by_column ? "True" : "False");
            p = strncmp(p, word, strlen(word)) == 0 ? p + strlen(word) : NULL;
        } else if (strcmp(key, "shape") == 0 && !h->has_shape) {
            p = tuple(p, h);
            h->has_shape = true;
        } else {
            return garbage;
        }
        if (p == NULL) return garbage;
        p = skip(p);
        if (*p == ',')
            p = skip(p + 1);
        else if (*p != '}')
            return garbage;
    }
    return *skip(p + 1) == '\0' && h->has_descr && h->has_order && h->has_shape ? NULL : garbage;
}

/* NumPy's name of an element type, such as <f8: < little-endian, > big-endian, else as this machine
   has them. Returns NULL, or what is wrong and how to fix it. */
static const char *type_of(const char *descr, tacit_type *out, bool *turned)
{
    static const struct {
        const char *name;
        tacit_type type;
    } known[] = {
        {"f8", TACIT_F64}, {"f4", TACIT_F32}, {"i1", TACIT_I8},  {"u1", TACIT_U8},
        {"i2", TACIT_I16}, {"u2", TACIT_U16}, {"i4", TACIT_I32}, {"u4", TACIT_U32},
        {"i8", TACIT_I64}, {"u8", TACIT_U64}, {"b1", TAC_BOOL},
    };
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    const char *name = descr[0] != '\0' && strchr("<>|=", descr[0]) != NULL ? descr + 1 : descr;

    *turned = descr[0] == (little ? '>' : '<');
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0) {
            *out = known[i].type;
            return NULL;
        }
    switch (name[0]) {
    case 'O': return "the array holds Python objects, which could run code when read; save numbers";
    case 'c': return "the array holds complex numbers; save real ones";
    case 'U':
    case 'S':
    case 'a': return "the array holds text; save numbers";
    default: return "the element type is not supported; save with .astype('f8')";
    }
}

/* Magic, version and dictionary. *offset is where the elements start. TACIT_E_FORMAT for anything
   else; the header's text is never quoted. */
static tacit_status read_header(tacit_ctx *ctx, tac_input *input, npy_header *h, int64_t *offset)
{
    tacit_status status = TACIT_OK;
    unsigned char start[12];
    size_t have = 0, want = 10, got = 1, length = 0;
    char *text = NULL;
    const char *wrong = NULL;

    while (have < want && got > 0) {
        TAC_TRY(tac_input_failed(ctx, input,
                                 tac_input_read(ctx, input, start + have, want - have, &got)));
        have += got;
        if (have >= 10 && start[6] > 1) want = 12;
    }
    if (have < want || memcmp(start, "\x93NUMPY", 6) != 0) {
        wrong = "is not a NumPy .npy file; check the path or name the format";
    } else if (start[6] < 1 || start[6] > 3) {
        wrong = "is of an unknown .npy version; write it again with numpy.save";
    } else {
        length = start[8] + 256U * start[9];
        if (want == 12) length += ((size_t)start[10] << 16) + ((size_t)start[11] << 24);
        if (length > LONGEST_HEADER)
            wrong = "the header is longer than 1 MiB; save a plain array of numbers";
    }
    if (wrong == NULL) {
        TAC_TRY(tac_new(ctx, length + TAC_PAD, 1, &text));
        for (have = 0, got = 1; have < length && got > 0; have += got)
            TAC_TRY(tac_input_failed(ctx, input,
                                     tac_input_read(ctx, input, text + have, length - have, &got)));
        *offset = (int64_t)(want + length);
        wrong = have < length || memchr(text, '\0', length) != NULL
                    ? "the header is damaged; write the file again with numpy.save"
                    : parse(text, h);
    }
    if (wrong != NULL) status = tac_fail(ctx, TACIT_E_FORMAT, "%s: %s", input->name, wrong);
done:
    tac_free(text);
    return status;
}

/* Takes the input over, also on failure. Refuses shapes whose bytes do not fit 64 bits, so that
   offsets never overflow later. An array of one dimension is one column. */
tacit_status tac_npy_from_input(tacit_ctx *ctx, const char *path, tac_input *input,
                                tac_reader **out)
{
    tacit_status status = TACIT_OK;
    npy_header h = {.shape = {0, 1}};
    tacit_type type = TACIT_F64;
    tac_array *array = NULL;
    int64_t offset = 0, bytes;
    bool turned = false;

    *out = NULL;
    if (input->unpack != NULL) {
        status = tac_fail(ctx, TACIT_E_FORMAT,
                          "%s: is packed by gzip, and arrays are read in place; unpack it (gunzip) "
                          "and give the .npy file",
                          input->name);
        goto done;
    }
    /* a pipe cannot be read at any offset: its bytes stay in memory */
    TAC_TRY(tac_input_hold(ctx, input));
    TAC_TRY(read_header(ctx, input, &h, &offset));
    const char *wrong = type_of(h.descr, &type, &turned);
    if (wrong == NULL && (h.dims < 1 || h.dims > 2))
        wrong = "the array must have one or two dimensions; reshape it";
    if (wrong == NULL && h.dims == 2 && h.shape[1] < 1)
        wrong = "the array has no columns; save at least one";
    if (wrong == NULL &&
        (h.shape[1] > TAC_MOST_COLUMNS ||
         __builtin_mul_overflow(h.shape[0], h.shape[1] * (int64_t)tac_type_size(type), &bytes) ||
         bytes > INT64_MAX / 8 - offset))
        wrong = "the shape in the header is too large; tacit takes up to 1000000 columns";
    if (wrong != NULL) {
        status = tac_fail(ctx, TACIT_E_FORMAT, "%s: %s", input->name, wrong);
        goto done;
    }
    TAC_TRY(tac_array_new(ctx, path, input, NULL, type, h.shape[0], h.shape[1], &array));
    array->offset = offset;
    array->turned = turned;
    array->by_column = h.by_column && h.dims == 2;
    *out = &array->base;
done:
    tac_input_close(input);
    return status;
}

/* The file states how many columns it has, but not their names: a vocabulary may give them. */
tacit_status tac_open_npy(tacit_ctx *ctx, const char *path, const tac_shape *shape,
                          tac_reader **out)
{
    tacit_status status = TACIT_OK;
    tac_schema named = {0};
    tac_input input = TAC_INPUT_CLOSED;
    tac_reader *r = NULL;

    *out = NULL;
    TAC_TRY(tac_input_open_at(ctx, path, shape->descriptor, &input));
    TAC_TRY(tac_npy_from_input(ctx, path, &input, &r));
    if (shape->vocabulary != NULL) {
        TAC_TRY(tac_vocabulary_check(ctx, shape->vocabulary, r->schema.columns, path));
        TAC_TRY(tac_schema_named(ctx, shape->vocabulary, r->schema.columns, TAC_FROM_ONE, NULL,
                                 &named));
        named.stated = r->schema.stated;
        tac_schema_clear(&r->schema);
        r->schema = named;
    }
    *out = r;
    r = NULL;
done:
    if (r != NULL) r->close(r);
    return status;
}
