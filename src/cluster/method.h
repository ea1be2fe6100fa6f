/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of methods, the same for every family, as a list without gaps. */
#ifndef TAC_METHOD_H
#define TAC_METHOD_H

#include "core/core.h"

/* False: no method has this number. Numbers are public and never used again, so there are gaps. */
typedef bool (*tac_describe_fn)(int32_t number, tacit_method *out);

int32_t tac_method_count(tac_describe_fn describe);
/* TACIT_E_ARGUMENT: there are not so many. */
tacit_status tac_method_at(tac_describe_fn describe, int32_t index, tacit_method *out);

/* After the table of a family, `table`, indexed by the public number: tac_FAMILY_method_of (NULL:
   no method has this number), tacit_FAMILY_method_count and tacit_FAMILY_method_get. What follows
   the family are initializers of a tacit_method beside what all have; m is the line. */
#define TAC_METHOD_LIST(family, ...)                                                               \
    const tac_##family##_method *tac_##family##_method_of(tacit_##family##_method which)           \
    {                                                                                              \
        const size_t index = (size_t)which;                                                        \
        const bool there = index < sizeof table / sizeof *table && table[index].run != NULL;       \
        return there ? &table[index] : NULL;                                                       \
    }                                                                                              \
                                                                                                   \
    static bool describe(int32_t number, tacit_method *out)                                        \
    {                                                                                              \
        const tac_##family##_method *m =                                                           \
            tac_##family##_method_of((tacit_##family##_method)number);                             \
        if (m == NULL) return false;                                                               \
        *out = (tacit_method){.name = m->name,                                                     \
                              .summary = m->summary,                                               \
                              .guarantee = m->guarantee,                                           \
                              .paper = m->paper,                                                   \
                              __VA_ARGS__};                                                        \
        return true;                                                                               \
    }                                                                                              \
                                                                                                   \
    int32_t tacit_##family##_method_count(void)                                                    \
    {                                                                                              \
        return tac_method_count(describe);                                                         \
    }                                                                                              \
                                                                                                   \
    tacit_status tacit_##family##_method_get(int32_t index, tacit_method *out)                     \
    {                                                                                              \
        return tac_method_at(describe, index, out);                                                \
    }

#endif
