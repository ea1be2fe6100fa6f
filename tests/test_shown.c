/* SPDX-License-Identifier: Apache-2.0 */
/* What the command shows of a release that somebody else made: names that are orders to a terminal
   or to a browser, numbers at the end of what doubles hold. Whatever the file says, people see
   lines of plain text and the picture has no tags but its own. */
#include "cli/cli.h"
#include "core/core.h"
#include "tap.h"

#include <math.h>
#include <unistd.h>

static cli c;

/* A file of the fuzzers' corpus with changes: pairs of old and new, NULL after the last. */
static tacit_model *model_of(const char *name, const char *const *pair)
{
    char path[600], text[16384], before[16384], place[] = "/tmp/tacit-shown-XXXXXX";
    tacit_model *model = NULL;

    snprintf(path, sizeof path, "%s/%s", CORPUS, name);
    FILE *file = fopen(path, "rb");
    MUST(file != NULL);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    for (; pair != NULL && *pair != NULL; pair += 2) {
        memcpy(before, text, sizeof before);
        const char *at = strstr(before, pair[0]);
        MUST(at != NULL);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - before), before, pair[1],
                 at + strlen(pair[0]));
    }
    const int fd = mkstemp(place);
    MUST(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
    if (tacit_model_read(c.ctx, place, &model) != TACIT_OK)
        printf("# %s\n", tacit_ctx_message(c.ctx));
    unlink(place);
    MUST(model != NULL);
    return model;
}

typedef enum what { TABLE, SENTENCES, PICTURE } what;

/* What it prints. Free it. */
static char *shown(const tacit_model *model, what which)
{
    FILE **stream = which == SENTENCES ? &stderr : &stdout, *kept = *stream;
    char *text = NULL;
    size_t length = 0;
    int code = EXIT_OK;

    *stream = open_memstream(&text, &length);
    MUST(*stream != NULL);
    if (which == TABLE)
        code = cli_show_model(&c, model);
    else if (which == PICTURE)
        code = cli_write_picture(&c, model, NULL);
    else
        cli_warn_model(&c, model);
    FILE *memory = *stream;
    *stream = kept;
    MUST(fclose(memory) == 0 && code == EXIT_OK);
    return text;
}

/* Lines of plain text. */
static bool is_plain(const char *text)
{
    while (*text != '\0') {
        uint32_t code = 0;
        const size_t length = tac_utf8(text, 4, &code);
        if (length == 0 || (code != '\n' && !tac_is_plain(code))) return false;
        text += length;
    }
    return true;
}

#define ORDER "\\u001b[2J\\n\\u009b7m\\u202e<b>&%s%n" /* as JSON writes it */
#define TAMED "?[2J??7m?<b>&%s%n"

static void test_centers(void)
{
    const char *const pair[] = {"\"age\"", "\"" ORDER "\"", "\"k_curve\": [",
                                "\"k_curve\": [-1e308, 1e308, 1e308, -1.7e308, ", NULL};
    tacit_model *model = model_of("kmeans_auto.json", pair);
    char *table = shown(model, TABLE);
    int longest = 0;

    CHECK(is_plain(table) && strstr(table, TAMED) != NULL, "centers: a column's name is shown in "
                                                           "plain text");
    for (const char *at = table; *at != '\0'; at++)
        if (*at == '#') longest = (int)strspn(at, "#") > longest ? (int)strspn(at, "#") : longest;
    CHECK(longest == 40 && strstr(table, "-1.7e+308") != NULL,
          "a curve of the largest doubles has bars of at most 40: %d", longest);
    free(table);
    tacit_model_free(model);
}

static void test_subspaces(void)
{
    const char *const pair[] = {"\"age\"", "\"" ORDER "\"", NULL};
    tacit_model *model = model_of("subspace_affine.json", pair);
    char *table = shown(model, TABLE);

    CHECK(is_plain(table) && strstr(table, TAMED) != NULL, "subspaces: a column's name is shown in "
                                                           "plain text");
    free(table);
    tacit_model_free(model);
}

static void test_blocks(void)
{
    const char *const pair[] = {"\"</text><script>a&b\"", "\"" ORDER "\"", NULL};
    tacit_model *model = model_of("hostile_names.json", NULL),
                *other = model_of("hostile_names.json", pair);
    char *table = shown(model, TABLE), *said = shown(model, SENTENCES),
         *drawn = shown(model, PICTURE), *again = shown(other, TABLE);

    CHECK(is_plain(table) && is_plain(again) && strstr(again, TAMED) != NULL, "blocks: columns' "
                                                                              "names are shown in "
                                                                              "plain text");
    CHECK(is_plain(said) && strstr(said, "tacit: note: NOT PRIVATE??]0;x? %s%n\n") != NULL &&
              strstr(said, "\ntacit: note: ??\n") != NULL,
          "notes are one line each, of plain text, after the word note");
    CHECK(is_plain(drawn) && strstr(drawn, "&lt;/text&gt;&lt;script") != NULL &&
              strstr(drawn, "<script") == NULL,
          "the picture has no tags but its own, and is plain text");
    CHECK(strstr(drawn, "NOT PRIVATE") == NULL, "what a note pretends is not in the picture");
    free(table);
    free(said);
    free(drawn);
    free(again);
    tacit_model_free(model);
    tacit_model_free(other);
}

static void test_json(void)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    MUST(out != NULL);
    cli_json_text(out, "a\"\\\n\x7f\xc2\x9b\xe2\x80\xae\xff\xe2\x82|\xc3\xa4\xf0\x9f\x98\x80");
    MUST(fclose(out) == 0);
    CHECK(strcmp(text, "\"a\\\"\\\\\\u000a\\u007f\\ufffd\\ufffd\\ufffd\\ufffd|"
                       "\xc3\xa4\xf0\x9f\x98\x80\"") == 0,
          "the command's JSON: %s", text);
    free(text);
}

/* --format has the words of the library's table, in its order, for each command that takes it. */
static void test_format_words(void)
{
    tacit_format_info format = TACIT_FORMAT_INFO_INIT;
    char words[200] = "auto";

    for (int32_t i = 0; i < tacit_format_count(); i++) {
        MUST(tacit_format_get(i, &format) == TACIT_OK);
        const size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "|%s", format.name);
    }
    for (int i = 0; i < MOST_USES && cli_options[OPT_FORMAT].use[i].commands != 0; i++)
        CHECK(strcmp(cli_options[OPT_FORMAT].use[i].words, words) == 0, "--format: %s, table: %s",
              cli_options[OPT_FORMAT].use[i].words, words);
}

int main(void)
{
    MUST(tacit_ctx_new(&c.ctx) == TACIT_OK);
    cli_values_init(&c);
    test_centers();
    test_subspaces();
    test_blocks();
    test_json();
    test_format_words();
    tacit_ctx_free(c.ctx);
    return tap_done();
}
