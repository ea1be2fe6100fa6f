/* SPDX-License-Identifier: Apache-2.0 */
/* Names of columns that nobody wants to cluster: a guess from the public header, never from
   rows. */
#include "data/dataset/domain.h"

#include <ctype.h>
#include <string.h>

/* The last word of a name: "CustomerID" -> "id", "first_name" -> "name". */
static void last_word(const char *name, char *out, size_t room)
{
    size_t end = strlen(name), length = 0;

    while (end > 0 && !isalnum((unsigned char)name[end - 1])) end--;
    size_t begin = end;
    while (begin > 0 && isalnum((unsigned char)name[begin - 1])) {
        /* a capital behind a small letter begins a word */
        if (begin < end && isupper((unsigned char)name[begin]) &&
            islower((unsigned char)name[begin - 1]))
            break;
        begin--;
    }
    for (; begin < end && length + 1 < room; begin++)
        out[length++] = (char)tolower((unsigned char)name[begin]);
    out[length] = '\0';
}

bool tac_name_suggests_id(const char *name)
{
    static const char *const words[] = {
        "id",       "ids",       "uuid",     "guid",       "ssn",     "name",     "firstname",
        "lastname", "surname",   "email",    "mail",       "phone",   "tel",      "telephone",
        "mobile",   "address",   "street",   "zip",        "zipcode", "postcode", "date",
        "datetime", "timestamp", "birthday", "dob",        "comment", "comments", "note",
        "notes",    "text",      "url",      "description"};
    char word[32];

    last_word(name, word, sizeof word);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0) return true;
    return strncasecmp(name, "id_", 3) == 0;
}
