/* SPDX-License-Identifier: Apache-2.0 */
/* The ground floor: statuses, memory, names, numbers, sized options. */
#include "core/core.h"
#include "tap.h"

int main(void)
{
    tacit_ctx *ctx = NULL;
    MUST(tacit_ctx_new(&ctx) == TACIT_OK);

    CHECK(strcmp(tacit_status_text(TACIT_E_BUDGET_SPENT), "the ledger has too little budget "
                                                          "left") == 0,
          "status text");
    CHECK(strcmp(tacit_version(), TACIT_VERSION) == 0 &&
              tacit_version_number() == TACIT_VERSION_NUMBER,
          "one version");

    void *memory = ctx;
    CHECK(tac_new(ctx, SIZE_MAX / 2, 3, &memory) == TACIT_E_MEMORY && memory == NULL,
          "an overflowing product is refused");
    CHECK(tac_new(ctx, 0, 8, &memory) == TACIT_OK && memory != NULL, "nothing is still something "
                                                                     "to free");
    tac_free(memory);

    const char *names[] = {"age", "income", "stay"};
    CHECK(tac_nearest_name("incmoe", names, 3) == names[1], "a transposed name is recognized");
    CHECK(tac_nearest_name("AGE", names, 3) == names[0], "case is ignored");
    CHECK(tac_nearest_name("zebra", names, 3) == NULL, "nothing near: no suggestion");

    double value = 0;
    CHECK(tac_parse_double("1e-6", &value) && value == 1e-6, "a number");
    CHECK(!tac_parse_double("1e400", &value), "too large a number");
    CHECK(!tac_parse_double("nan", &value) && !tac_parse_double("0x10", &value) &&
              !tac_parse_double("", &value) && !tac_parse_double(" 1", &value) &&
              !tac_parse_double("1 ", &value) && !tac_parse_double("1..2", &value),
          "not numbers");

    char text[200] = "a\x1b[31m\n\x7f|\xc2\x85\xc2\x9b|\xe2\x80\xae\xe2\x81\xa6\xd8\x9c|"
                     "\xe2\x80\xa8|\xef\xbb\xbf\xe2\x80\x8b|\xf3\xa0\x81\x81|\xef\xbf\xbe|"
                     "\xff\xc0\xaf|\xed\xa0\x80|\xf4\x90\x80\x80|\xe2\x82";
    tacit_text_make_plain(text);
    CHECK(strcmp(text, "a?[31m??|??|???|?|??|?|?|???|???|????|??") == 0,
          "orders to a terminal, marks that turn or hide, not UTF-8: %s", text);
    static const char letters[] = "\xc3\xa4ge \xe2\x82\xac \xf0\x9f\x98\x80 "
                                  "\xd9\x85\xdb\x8c\xe2\x80\x8c\xd8\xae\xd9\x88 \xc2\xa0~";
    snprintf(text, sizeof text, "%s", letters);
    tacit_text_make_plain(text);
    CHECK(strcmp(text, letters) == 0, "letters of any language stay as they are, joiners too");
    (void)tac_fail(ctx, TACIT_E_FORMAT, "%s", "a\x1b\n\xe2\x80\xae");
    CHECK(strcmp(tacit_ctx_message(ctx), "a???") == 0, "a sentence is plain text, whatever name is "
                                                       "in it");

    struct {
        size_t size;
        int a, b;
    } known = {sizeof known, 1, 2}, given = {sizeof given, 7, 8};
    given.size = sizeof(size_t) + sizeof(int);
    CHECK(tac_read_opts(ctx, "x", &given, &known, sizeof known) == TACIT_OK && known.a == 7 &&
              known.b == 2,
          "a shorter struct keeps today's default");
    given.size = sizeof given + 8;
    CHECK(tac_read_opts(ctx, "x", &given, &known, sizeof known) == TACIT_E_ARGUMENT, "a longer one "
                                                                                     "is refused");

    tacit_ctx_free(ctx);
    return tap_done();
}
