/* SPDX-License-Identifier: Apache-2.0 */
/* Typed access to JSON fields. */
#include "release/fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

tacit_status tac_field_refuse(const tac_section *section, const char *field, const char *cause)
{
    return tac_fail(section->ctx, TACIT_E_FORMAT,
                    "%s: field %s%s %s; use the release as tacit wrote it", section->file,
                    section->where, field, cause);
}

static tacit_status find(const tac_section *section, const char *name, const tac_node **out)
{
    *out = tac_node_field(section->object, name);
    return *out == NULL ? tac_field_refuse(section, name, "is missing") : TACIT_OK;
}

tacit_status tac_section_only(const tac_section *section, const char *const *names, size_t count)
{
    for (size_t field = 0; field < section->object->count; field++) {
        const char *name = section->object->child[field].key;
        size_t i = 0;
        while (i < count && strcmp(name, names[i]) != 0) i++;
        if (i < count) continue;
        const char *near = tac_nearest_name(name, names, count);
        char cause[160];
        snprintf(cause, sizeof cause, "is not part of a release%s%s%s",
                 near == NULL ? "" : " (did you mean ", near == NULL ? "" : near,
                 near == NULL ? "" : "?)");
        return tac_field_refuse(
            section, tac_node_name_is_plain(name) ? name : "(of an unusual name)", cause);
    }
    return TACIT_OK;
}

tacit_status tac_section_inside(const tac_section *section, const char *name, tac_section *out)
{
    tacit_status status;
    const tac_node *value = NULL;

    TAC_TRY(find(section, name, &value));
    if (!tac_node_is(value, TAC_NODE_OBJECT))
        return tac_field_refuse(section, name, "must be an object {...}");
    *out = *section;
    snprintf(out->where, sizeof out->where, "%.20s%.40s.", section->where, name);
    out->object = value;
done:
    return status;
}

tacit_status tac_section_item(const tac_section *section, const char *name, const tac_node *list,
                              size_t index, tac_section *out)
{
    const tac_node *value = tac_node_at(list, index);
    char field[64];

    snprintf(field, sizeof field, "%s[%zu]", name, index);
    if (!tac_node_is(value, TAC_NODE_OBJECT))
        return tac_field_refuse(section, field, "must be an object {...}");
    *out = *section;
    snprintf(out->where, sizeof out->where, "%.16s%.40s.", section->where, field);
    out->object = value;
    return TACIT_OK;
}

bool tac_field_present(const tac_section *section, const char *name)
{
    return tac_node_field(section->object, name) != NULL;
}

tacit_status tac_field_absent(const tac_section *section, const char *name, const char *cause)
{
    return tac_field_present(section, name) ? tac_field_refuse(section, name, cause) : TACIT_OK;
}

tacit_status tac_field_text(const tac_section *section, const char *name, char **out)
{
    tacit_status status;
    const tac_node *value = NULL;

    TAC_TRY(find(section, name, &value));
    if (!tac_node_is(value, TAC_NODE_TEXT))
        return tac_field_refuse(section, name, "must be a text");
    /* no NUL inside: the parser refuses \u0000 */
    *out = tac_strdup(section->ctx, tac_node_text(value));
    if (*out == NULL) status = TACIT_E_MEMORY;
done:
    return status;
}

tacit_status tac_field_word(const tac_section *section, const char *name, const char *const *words,
                            int count, int *out)
{
    tacit_status status;
    const tac_node *value = NULL;
    char cause[256] = "must be";

    TAC_TRY(find(section, name, &value));
    for (int i = 0; tac_node_is(value, TAC_NODE_TEXT) && i < count; i++)
        if (strcmp(tac_node_text(value), words[i]) == 0) {
            *out = i;
            return TACIT_OK;
        }
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(cause);
        snprintf(cause + used, sizeof cause - used, "%s \"%s\"", i == 0 ? "" : " or", words[i]);
    }
    status = tac_field_refuse(section, name, cause);
done:
    return status;
}

tacit_status tac_field_bool(const tac_section *section, const char *name, bool *out)
{
    tacit_status status;
    const tac_node *value = NULL;

    TAC_TRY(find(section, name, &value));
    if (!tac_node_is_bool(value)) return tac_field_refuse(section, name, "must be true or false");
    *out = tac_node_is(value, TAC_NODE_TRUE);
done:
    return status;
}

tacit_status tac_field_integer(const tac_section *section, const char *name, int64_t least,
                               int64_t most, int64_t *out)
{
    tacit_status status;
    const tac_node *value = NULL;
    char cause[96];

    TAC_TRY(find(section, name, &value));
    if (tac_node_is(value, TAC_NODE_INTEGER) && tac_node_integer(value) >= least &&
        tac_node_integer(value) <= most) {
        *out = tac_node_integer(value);
        return TACIT_OK;
    }
    snprintf(cause, sizeof cause, "must be a whole number of %" PRId64 " to %" PRId64, least, most);
    status = tac_field_refuse(section, name, cause);
done:
    return status;
}

tacit_status tac_field_number(const tac_section *section, const char *name, double *out)
{
    tacit_status status;
    const tac_node *value = NULL;

    TAC_TRY(find(section, name, &value));
    if (!tac_node_is_number(value)) return tac_field_refuse(section, name, "must be a number");
    *out = tac_node_number(value);
done:
    return status;
}

tacit_status tac_field_maybe(const tac_section *section, const char *name, double *out)
{
    if (!tac_node_is(tac_node_field(section->object, name), TAC_NODE_NULL))
        return tac_field_number(section, name, out);
    *out = NAN;
    return TACIT_OK;
}

tacit_status tac_field_list(const tac_section *section, const char *name, int64_t count,
                            const tac_node **out)
{
    tacit_status status;
    char cause[64];

    TAC_TRY(find(section, name, out));
    if (!tac_node_is(*out, TAC_NODE_LIST))
        return tac_field_refuse(section, name, "must be a list [...]");
    if (count < 0 || (uint64_t)tac_node_count(*out) == (uint64_t)count) return TACIT_OK;
    snprintf(cause, sizeof cause, "must have %" PRId64 " %s", count,
             count == 1 ? "entry" : "entries");
    status = tac_field_refuse(section, name, cause);
done:
    return status;
}

static tacit_status read_list(const tac_section *section, const char *name, const tac_node *list,
                              bool nulls, double *out)
{
    for (size_t i = 0; i < tac_node_count(list); i++) {
        const tac_node *value = &list->child[i];
        if (!tac_node_is_number(value) && !(nulls && tac_node_is(value, TAC_NODE_NULL))) {
            char field[96];
            snprintf(field, sizeof field, "%.60s[%zu]", name, i);
            return tac_field_refuse(section, field,
                                    nulls ? "must be a number or null" : "must be a number");
        }
        out[i] = tac_node_is(value, TAC_NODE_NULL) ? NAN : tac_node_number(value);
    }
    return TACIT_OK;
}

tacit_status tac_list_numbers(const tac_section *section, const char *name, const tac_node *list,
                              double *out)
{
    return read_list(section, name, list, false, out);
}

tacit_status tac_list_maybes(const tac_section *section, const char *name, const tac_node *list,
                             double *out)
{
    return read_list(section, name, list, true, out);
}

tacit_status tac_list_integers(const tac_section *section, const char *name, const tac_node *list,
                               int64_t least, int64_t most, const char *wrong, int32_t *out)
{
    for (size_t i = 0; i < tac_node_count(list); i++) {
        const tac_node *value = &list->child[i];
        const int64_t number = tac_node_integer(value);
        if (!tac_node_is(value, TAC_NODE_INTEGER) || number < least || number > most) {
            char field[96];
            snprintf(field, sizeof field, "%.60s[%zu]", name, i);
            return tac_field_refuse(section, field, wrong);
        }
        out[i] = (int32_t)number;
    }
    return TACIT_OK;
}
