/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON reader: what RFC 8259 allows and forbids, texts decoded in place, limits, and memory
   that runs out at every step without a value being read as another one. */
#include "failing_memory.h"
#include "json/parse.h"
#include "tap.h"

#include <float.h>
#include <locale.h>
#include <math.h>

static tacit_ctx *ctx;
static char *text;
static tac_node *tree;
static const tac_node *root;

static tacit_status parse_bytes(const char *bytes, size_t length)
{
    free(text);
    tac_free(tree);
    text = __real_malloc(length + 1);
    MUST(text != NULL);
    memcpy(text, bytes, length);
    text[length] = '\0';
    return tac_parse(ctx, "model.json", "use the release as tacit wrote it", text, length, &tree,
                     &root);
}

static tacit_status parse(const char *bytes)
{
    return parse_bytes(bytes, strlen(bytes));
}

static bool refused(const char *bytes, const char *why)
{
    const bool good = parse(bytes) == TACIT_E_FORMAT && tree == NULL && root == NULL &&
                      strstr(tacit_ctx_message(ctx), why) != NULL;
    if (!good) printf("# %s: %s\n", bytes, tacit_ctx_message(ctx));
    return good;
}

static void values(void)
{
    CHECK(parse(" { \"a\" : [ 1 , -0, 9223372036854775807, -9223372036854775808 ], \"b\":{}, "
                "\"c\":[],\"d\":null,\"e\":true,\"f\":false } \r\n\t") == TACIT_OK,
          "all kinds of values");
    const tac_node *a = tac_node_field(root, "a");
    CHECK(tac_node_count(a) == 4 && tac_node_integer(tac_node_at(a, 0)) == 1 &&
              tac_node_integer(tac_node_at(a, 1)) == 0 &&
              tac_node_integer(tac_node_at(a, 2)) == INT64_MAX &&
              tac_node_integer(tac_node_at(a, 3)) == INT64_MIN && tac_node_at(a, 4) == NULL,
          "whole numbers to the ends of 64 bits");
    CHECK(tac_node_is(tac_node_field(root, "b"), TAC_NODE_OBJECT) &&
              tac_node_count(tac_node_field(root, "c")) == 0 &&
              tac_node_is(tac_node_field(root, "d"), TAC_NODE_NULL) &&
              tac_node_is(tac_node_field(root, "e"), TAC_NODE_TRUE) &&
              tac_node_is(tac_node_field(root, "f"), TAC_NODE_FALSE) &&
              tac_node_field(root, "g") == NULL,
          "names find their values");
    MUST(parse("[0.1, 1e3, -2.5E-3, 1.7976931348623157e308, 1e-400, "
               "123456789012345678901234567890.0]") == TACIT_OK);
    CHECK(tac_node_number(tac_node_at(root, 0)) == 0.1 &&
              tac_node_number(tac_node_at(root, 1)) == 1000 &&
              tac_node_number(tac_node_at(root, 2)) == -0.0025 &&
              tac_node_number(tac_node_at(root, 3)) == DBL_MAX &&
              tac_node_number(tac_node_at(root, 4)) == 0 &&
              tac_node_number(tac_node_at(root, 5)) == 123456789012345678901234567890.0 &&
              tac_node_is(tac_node_at(root, 1), TAC_NODE_REAL),
          "numbers with a point or an exponent");
    MUST(parse("[\"\", \"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20AC\\ud83d\\ude00z\", "
               "\"\xc3\xa9\"]") == TACIT_OK);
    CHECK(strcmp(tac_node_text(tac_node_at(root, 0)), "") == 0 &&
              strcmp(tac_node_text(tac_node_at(root, 1)), "a\"\\/"
                                                          "\b\f\n\r\t\xc3\xa9\xe2\x82\xac\xf0\x9f"
                                                          "\x98\x80z") == 0 &&
              strcmp(tac_node_text(tac_node_at(root, 2)), "\xc3\xa9") == 0,
          "texts with every escape");
    CHECK(parse("[[1,2],[3,[4,5]],6]") == TACIT_OK &&
              tac_node_integer(tac_node_at(tac_node_at(tac_node_at(root, 1), 1), 0)) == 4 &&
              tac_node_integer(tac_node_at(root, 2)) == 6,
          "lists in lists");
}

static void bad(void)
{
    static const char *const broken[] = {"{\"a\" 1}",
                                         "{a:1}",
                                         "{\"a\":1,}",
                                         "[1,]",
                                         "[1 2]",
                                         "[01]",
                                         "[+1]",
                                         "[.5]",
                                         "[1.]x",
                                         "[1.e3]",
                                         "[1e]",
                                         "[1e+]",
                                         "[-]",
                                         "[0x10]",
                                         "[NaN]",
                                         "[Infinity]",
                                         "[tru ]",
                                         "[nul,]",
                                         "[True]",
                                         "['a']",
                                         "[\"\t\"]",
                                         "[\"\n\"]",
                                         "[\"\\x\"]",
                                         "[\"\\u12g4\"]",
                                         "[\"\\ud800\"]",
                                         "[\"\\ud800x\"]",
                                         "[\"\\ud800\\u0041\"]",
                                         "[\"\\udc00\"]",
                                         "[1}",
                                         "{\"a\":1]",
                                         "{1:2}",
                                         "[\"\\u \"]",
                                         "/**/[1]",
                                         "\xef\xbb\xbf[1]"};
    bool good = true;

    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        good = refused(broken[i], "is not JSON there") && good;
    CHECK(good, "%zu texts that are not JSON", sizeof broken / sizeof *broken);
    CHECK(refused("[1] 2", "goes on after its end") && refused("{}{}", "goes on after its end"),
          "more than one value");
    CHECK(refused("{\"a\":1,\"b\":2,\"a\":3}", "twice in one object: a;") &&
              refused("{\"a\":1,\"\\u0061\":3}", "twice in one object: a;"),
          "a field twice, also behind an escape: refused by its name");
    CHECK(refused("{\"\\u001b[2J\":1,\"\\u001b[2J\":3}", "twice in one object;") &&
              refused("{\"\":1,\"\":3}", "twice in one object;"),
          "a name that is not of plain letters is not shown");
    CHECK(parse("{}") == TACIT_OK && root->count == 0 && parse("[{}, {\"a\": {}}]") == TACIT_OK,
          "objects without fields");
    CHECK(refused("[9223372036854775808]", "too large") && refused("[1e309]", "too large") &&
              refused("[-1e999]", "too large"),
          "too large");
    CHECK(refused("[\"\\u0000\"]", "NUL") && parse_bytes("[\"a\0b\"]", 7) == TACIT_E_FORMAT &&
              parse_bytes("[1\0]", 4) == TACIT_E_FORMAT,
          "NUL");
    CHECK(refused("[\"\xc0\x80\"]", "UTF-8") && refused("[\"\xed\xa0\x80\"]", "UTF-8") &&
              refused("[\"\xf4\x90\x80\x80\"]", "UTF-8") && refused("[\"\xe2\x82\"]", "UTF-8") &&
              refused("[\"\xff\"]", "UTF-8"),
          "bytes that are not UTF-8");
    CHECK(refused("{\n\"a\": [1,\n  ?]}", "line 3, column 3"), "where it is: %s",
          tacit_ctx_message(ctx));
    char deep[200] = "";
    memset(deep, '[', 100);
    CHECK(refused(deep, "nested too deeply"), "a hundred brackets");
    char wide[4000] = "{";
    for (int i = 0; i < 200; i++)
        snprintf(wide + strlen(wide), 20, "%s\"f%d\":1", i == 0 ? "" : ",", i);
    strcat(wide, "}");
    CHECK(refused(wide, "too many fields"), "two hundred fields");
}

static const char whole[] = "{\"a\": [1, 2.5, -3e2], \"\\u00e9\": {\"x\": \"y\\n\", \"z\": [true, "
                            "false, null]}}";

static void cut(void)
{
    long good = 0;

    for (size_t i = 0; i + 1 < sizeof whole; i++)
        good += parse_bytes(whole, i) == TACIT_E_FORMAT && tree == NULL;
    CHECK(good == sizeof whole - 1, "cut off after each of %zu bytes", sizeof whole - 1);
    char one[sizeof whole];
    for (size_t i = 0; i + 1 < sizeof whole; i++)
        for (int c = 0; c < 256; c++) {
            memcpy(one, whole, sizeof whole);
            one[i] = (char)c;
            const tacit_status status = parse_bytes(one, sizeof whole - 1);
            if (status != TACIT_OK && status != TACIT_E_FORMAT) good = -1;
        }
    CHECK(good >= 0, "any byte changed to any other: read or refused");
}

static void memory(void)
{
    char *large = __real_malloc(40000);
    double sum = 0;
    bool good = true;

    MUST(large != NULL);
    strcpy(large, "[[");
    for (int i = 0; i < 3000; i++)
        snprintf(large + strlen(large), 20, "%s0.%d",
                 i == 0        ? ""
                 : i % 10 == 0 ? "],["
                               : ",",
                 i + 1000);
    strcat(large, "]]");
    counted = 0;
    MUST(parse(large) == TACIT_OK && tac_node_count(root) == 300);
    const long all = counted;
    for (int on = 0; on < 2; on++)
        for (long at = 1; at <= all; at++) {
            from_then_on = on != 0;
            countdown = at;
            const tacit_status status = parse(large);
            countdown = 0;
            good = good && status == TACIT_E_MEMORY && tree == NULL &&
                   strstr(tacit_ctx_message(ctx), "memory") != NULL;
        }
    MUST(parse(large) == TACIT_OK);
    for (size_t i = 0; i < 300; i++)
        for (size_t j = 0; j < 10; j++)
            sum += tac_node_number(tac_node_at(tac_node_at(root, i), j));
    CHECK(good && all >= 4, "memory runs out at each of %ld steps: said so, nothing kept", all);
    CHECK(fabs(sum - 749.85) < 1e-9, "and all numbers are there: %.6f", sum);
    free(large);
}

int main(void)
{
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);
    setlocale(LC_ALL, "de_DE.UTF-8"); /* a comma for a point, where there is such a locale */
    values();
    bad();
    cut();
    memory();
    free(text);
    tac_free(tree);
    tacit_ctx_free(ctx);
    return tap_done();
}
