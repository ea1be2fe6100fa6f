/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of releases share: the golden text of a small model, and a folder to read it
   from. */
#ifndef TAC_TEST_RELEASE_TEXT_H
#define TAC_TEST_RELEASE_TEXT_H

#include "release/model.h"
#include "tap.h"

#include <unistd.h>

static tacit_ctx *ctx;
static char folder[] = "/tmp/tacit-release-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[4][300];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void put_file(const char *path, const char *bytes, size_t count)
{
    unlink(path); /* some file systems flush a file that is cut to nothing and filled again */
    FILE *file = fopen(path, "wb");
    MUST(file != NULL && fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
}

static void leave_folder(void)
{
    char command[400];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    MUST(system(command) == 0);
}

__attribute__((unused)) static uint64_t mix(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state ^ *state >> 29;
}

static const char golden[] =
    "{\n"
    "  \"tacit\": \"release\",\n"
    "  \"format\": 7,\n"
    "  \"family\": \"kmeans\",\n"
    "  \"method\": \"lloyd\",\n"
    "  \"k\": 2,\n"
    "  \"rounds\": 7,\n"
    "  \"columns\": [\"age\", \"stay\"],\n"
    "  \"centers\": [\n"
    "    [41.5, 3.25],\n"
    "    [70, 0.1]\n"
    "  ],\n"
    "  \"centers_noise_sd\": [\n"
    "    [0.5, 0.25],\n"
    "    [0.3333333333333333, null]\n"
    "  ],\n"
    "  \"spread\": [\n"
    "    [8.5, 1.5],\n"
    "    [2, null]\n"
    "  ],\n"
    "  \"spread_noise_sd\": [\n"
    "    [0.75, 0.125],\n"
    "    [0.5, null]\n"
    "  ],\n"
    "  \"overall\": {\n"
    "    \"mean\": [42, 3],\n"
    "    \"mean_noise_sd\": [0.5, null],\n"
    "    \"sd\": [10, null],\n"
    "    \"sd_noise_sd\": [0.25, null]\n"
    "  },\n"
    "  \"distinct\": [\n"
    "    [],\n"
    "    [{\"column\": \"age\", \"direction\": \"above\", \"strength\": 2.75}, {\"column\": "
    "\"stay\", \"direction\": \"below\", \"strength\": 0.5}]\n"
    "  ],\n"
    "  \"sizes\": [510.5, -3],\n"
    "  \"sizes_noise_sd\": 12.3,\n"
    "  \"k_curve\": [0, 0.75, -0.5],\n"
    "  \"k_choice\": {\"verdict\": \"clear\", \"strength\": 0.75, \"needed\": 0.125, \"low\": 2, "
    "\"high\": 3, \"best\": 2},\n"
    "  \"notes\": [\n"
    "    \"center 2 is mostly noise\"\n"
    "  ],\n"
    "  \"geometry\": {\n"
    "    \"distance\": \"euclidean\",\n"
    "    \"scale\": \"range\",\n"
    "    \"domain\": \"box\",\n"
    "    \"lower\": [0, 0],\n"
    "    \"upper\": [120, 60],\n"
    "    \"bounds_origin\": \"declared\",\n"
    "    \"missing\": \"drop-row\"\n"
    "  },\n"
    "  \"privacy\": {\n"
    "    \"private\": true,\n"
    "    \"guarantee\": \"(1, 1e-06)-differential privacy for one row\",\n"
    "    \"unit\": \"row\",\n"
    "    \"rows_per_unit\": 1,\n"
    "    \"neighbors\": \"add-remove\",\n"
    "    \"epsilon\": 1,\n"
    "    \"delta\": 1e-06,\n"
    "    \"accountant\": \"gaussian\",\n"
    "    \"native\": {\"parameter\": \"mu^2\", \"budget\": 0.0625, \"spent\": 0.0625},\n"
    "    \"queries\": [\n"
    "      {\"what\": \"noisy count\", \"kind\": \"count\", \"noise\": \"discrete Gaussian\", "
    "\"scale\": 8388608, \"sensitivity\": 1048576, \"cost\": 0.03125, \"answers\": 1},\n"
    "      {\"what\": \"Lloyd round 1\", \"kind\": \"sums\", \"noise\": \"discrete Gaussian\", "
    "\"scale\": 123456789, \"sensitivity\": 46340.25, \"cost\": 0.03125, \"answers\": 6}\n"
    "    ],\n"
    "    \"randomness\": \"ChaCha20 keyed by the operating system\",\n"
    "    \"ledger\": false,\n"
    "    \"paper\": \"Blum et al. 2005\",\n"
    "    \"version\": \"0.1.0\",\n"
    "    \"promises\": \"what is promised and what is not: docs/threat-model.md and docs/limits.md "
    "of "
    "tacit\"\n"
    "  }\n"
    "}\n";

static tacit_status read_text(const char *text, size_t count, tacit_model **model)
{
    put_file(in_folder("model.json"), text, count);
    return tacit_model_read(ctx, in_folder("model.json"), model);
}

/* Does the last sentence have this in it? */
__attribute__((unused)) static bool says(const char *words)
{
    return strstr(tacit_ctx_message(ctx), words) != NULL;
}

/* The text of the model read back from `text`; NULL if it was refused. */
__attribute__((unused)) static char *rewritten(const char *text)
{
    tacit_model *model = NULL;
    char *again = NULL;
    if (read_text(text, strlen(text), &model) != TACIT_OK ||
        tacit_model_json(ctx, model, &again) != TACIT_OK)
        printf("# %s\n", tacit_ctx_message(ctx));
    tacit_model_free(model);
    return again;
}

/* The golden text as format 6 had it: without how sure the choice of k is. */
__attribute__((unused)) static const char *without_choice(void)
{
    static char text[sizeof golden];
    const char *from = strstr(golden, "  \"k_choice\""), *to = strstr(golden, "  \"notes\"");

    snprintf(text, sizeof text, "%.*s%s", (int)(from - golden), golden, to);
    strstr(text, "\"format\": 7")[strlen("\"format\": ")] = '6';
    return text;
}

/* The golden text as format 5 had it: without what the clusters are like, too. */
__attribute__((unused)) static const char *without_explanation(void)
{
    static char text[sizeof golden];
    const char *whole = without_choice(), *from = strstr(whole, "  \"spread\""),
               *to = strstr(whole, "  \"sizes\"");
    char *format;

    snprintf(text, sizeof text, "%.*s%s", (int)(from - whole), whole, to);
    format = strstr(text, "\"format\": 6");
    format[strlen("\"format\": ")] = '5';
    return text;
}

/* The text of a release in the words that releases had up to format 4. */
__attribute__((unused)) static void in_old_words(const char *text, int format, char *out,
                                                 size_t room)
{
    static const char *const word[][2] = {
        {"\"format\": 5", NULL}, {"neighbors", "neighbours"}, {"promises", "terms"}};
    char number[24];
    size_t used = 0;

    snprintf(number, sizeof number, "\"format\": %d", format);
    while (*text != '\0') {
        const char *put = NULL;
        for (int i = 0; i < 3 && put == NULL; i++)
            if (strncmp(text, word[i][0], strlen(word[i][0])) == 0) {
                put = i == 0 ? number : word[i][1];
                text += strlen(word[i][0]);
            }
        MUST(used + 32 < room);
        if (put != NULL)
            used += (size_t)snprintf(out + used, room - used, "%s", put);
        else
            out[used++] = *text++;
    }
    out[used] = '\0';
}

#endif
