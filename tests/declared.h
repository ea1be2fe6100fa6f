/* SPDX-License-Identifier: Apache-2.0 */
/* Ledgers for tests that are about ledgers, whatever the data set is. */
#ifndef TAC_DECLARED_H
#define TAC_DECLARED_H

#include <stdio.h>
#include <tacit/tacit.h>

/* Of a CSV file with a column x, and one that names persons unless unit is NULL. Its header is
   nobody's. */
__attribute__((unused)) static tacit_status plain_ledger(tacit_ctx *ctx, const char *path,
                                                         const char *dataset, double epsilon,
                                                         double delta, const char *unit,
                                                         tacit_neighbors neighbors)
{
    static const char *const relation[] = {"add-remove", "replace", "entry"};
    char text[1200], owner[500] = "";
    tacit_declaration *declaration = NULL;

    if (unit != NULL)
        snprintf(owner, sizeof owner,
                 ", {\"name\": \"%s\", \"type\": \"string\", \"tacit\": {\"role\": \"unit\", "
                 "\"column\": 2}}",
                 unit);
    snprintf(text, sizeof text,
             "{\"fields\": [{\"name\": \"x\", \"type\": \"number\", \"constraints\": {\"minimum\": "
             "0, \"maximum\": 1}, \"tacit\": {\"column\": 1}}%s], \"tacit\": {\"format\": \"csv\", "
             "\"neighbors\": \"%s\", %s \"header\": \"%064d\"}}",
             owner, neighbors <= TACIT_ENTRY ? relation[neighbors] : "another",
             unit != NULL ? "\"maxRowsPerPerson\": 1," : "", 0);
    tacit_status status = tacit_declaration_parse(ctx, text, &declaration);
    if (status == TACIT_OK)
        status = tacit_ledger_create(ctx, path, dataset, epsilon, delta, declaration);
    tacit_declaration_free(declaration);
    return status;
}

/* The same in the place of an older one, with all that it has spent. */
__attribute__((unused)) static tacit_status plain_carry(tacit_ctx *ctx, const char *path,
                                                        double epsilon)
{
    tacit_declaration *declaration = NULL;
    tacit_ledger *old = NULL;
    tacit_status status = tacit_ledger_open(ctx, path, &old);

    if (status == TACIT_OK) status = tacit_ledger_declaration(ctx, old, &declaration);
    tacit_ledger_free(old);
    if (status == TACIT_OK)
        status = tacit_ledger_carry(ctx, path, "carried", epsilon, 0, declaration, path);
    tacit_declaration_free(declaration);
    return status;
}

/* Of data as it was opened and described. */
__attribute__((unused)) static tacit_status data_ledger(tacit_ctx *ctx, const char *path,
                                                        double epsilon, double delta,
                                                        const tacit_data *data,
                                                        tacit_neighbors neighbors, int32_t most)
{
    tacit_declaration *declaration = NULL;
    tacit_status status = tacit_data_declaration(ctx, data, neighbors, most, &declaration);

    if (status == TACIT_OK)
        status = tacit_ledger_create(ctx, path, "test", epsilon, delta, declaration);
    tacit_declaration_free(declaration);
    return status;
}

#endif
