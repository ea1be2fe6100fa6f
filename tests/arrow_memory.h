/* SPDX-License-Identifier: Apache-2.0 */
/* Arrow arrays and schemas of a producer written by hand, and who owns them: what was given and not
   released yet is counted, and what is released twice stops the test. */
#ifndef TAC_TEST_ARROW_MEMORY_H
#define TAC_TEST_ARROW_MEMORY_H

#include <tacit/arrow_abi.h>

#include "tap.h"

typedef struct arrow_column {
    const char *name, *format;
    const char *listed;      /* a dictionary of values of this format; NULL: none */
    const char *const *cell; /* one text per row; NULL: null */
    const char *metadata;    /* as the interface has it, or NULL */
} arrow_column;

static long arrow_live; /* arrays, schemas and streams that are not released yet */

typedef struct arrow_memory {
    void *buffer[4];
    const void *list[4];
    struct ArrowArray *child, **children, *dictionary;
    int64_t count;
} arrow_memory;

static void arrow_release_array(struct ArrowArray *array)
{
    arrow_memory *m = array->private_data;

    MUST(m != NULL);
    /* children that were moved are no longer ours */
    for (int64_t i = 0; i < m->count; i++)
        if (m->children[i] != NULL && m->children[i]->release != NULL)
            m->children[i]->release(m->children[i]);
    if (m->dictionary != NULL && m->dictionary->release != NULL)
        m->dictionary->release(m->dictionary);
    for (int i = 0; i < 4; i++) free(m->buffer[i]);
    free(m->child);
    free(m->children);
    free(m->dictionary);
    free(m);
    array->private_data = NULL;
    array->release = NULL;
    arrow_live--;
}

static arrow_memory *arrow_start(struct ArrowArray *array)
{
    arrow_memory *m = calloc(1, sizeof *m);

    MUST(m != NULL);
    *array =
        (struct ArrowArray){.buffers = m->list, .release = arrow_release_array, .private_data = m};
    arrow_live++;
    return m;
}

/* Zeros, in a block of just this size: reading past its end shows under the sanitizers. */
static void *arrow_buffer(arrow_memory *m, int i, size_t bytes)
{
    m->buffer[i] = calloc(bytes == 0 ? 1 : bytes, 1);
    MUST(m->buffer[i] != NULL);
    m->list[i] = m->buffer[i];
    return m->buffer[i];
}

__attribute__((unused)) static size_t arrow_width(const char *format)
{
    switch (format[0]) {
    case 'c':
    case 'C': return 1;
    case 's':
    case 'S':
    case 'e': return 2;
    case 'i':
    case 'I':
    case 'f': return 4;
    case 't': return format[2] == 'D' ? 4 : 8;
    case 'd': {
        const char *scale = strchr(format, ','),
                   *bits = scale == NULL ? NULL : strchr(scale + 1, ',');
        return bits == NULL ? 16 : (size_t)strtoul(bits + 1, NULL, 10) % 1000 / 8;
    }
    default: return 8;
    }
}

static void arrow_release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->dictionary != NULL) free(schema->children[i]->dictionary);
        if (schema->children[i]->release != NULL) schema->children[i]->release = NULL;
        free(schema->children[i]);
    }
    free(schema->children);
    schema->release = NULL;
    arrow_live--;
}

static void arrow_release_nothing(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

/* The schema of a table. */
static void arrow_schema(const arrow_column *column, int columns, struct ArrowSchema *out)
{
    *out = (struct ArrowSchema){
        .format = "+s", .name = "", .n_children = columns, .release = arrow_release_schema};
    out->children = calloc((size_t)columns, sizeof *out->children);
    MUST(out->children != NULL);
    for (int c = 0; c < columns; c++) {
        struct ArrowSchema *child = calloc(1, sizeof *child);
        MUST(child != NULL);
        *child = (struct ArrowSchema){.format = column[c].format,
                                      .name = column[c].name,
                                      .metadata = column[c].metadata,
                                      .flags = ARROW_FLAG_NULLABLE,
                                      .release = arrow_release_nothing};
        if (column[c].listed != NULL) {
            child->dictionary = calloc(1, sizeof *child);
            MUST(child->dictionary != NULL);
            *child->dictionary =
                (struct ArrowSchema){.format = column[c].listed, .release = arrow_release_nothing};
        }
        out->children[c] = child;
    }
    arrow_live++;
}

#endif
