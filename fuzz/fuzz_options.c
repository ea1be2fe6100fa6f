/* SPDX-License-Identifier: Apache-2.0 */
/* Any words as a command line, one a line. Only read and checked: no command runs, no file is
   opened. */
#include "fuzz.h"

int tacit_main(int argc, char **argv);
#define main tacit_main /* its table of commands and how it picks one, without the program */
#include "cli/main.c"
#undef main

#include <math.h>

#define MOST_LINE 200

int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Sentences go nowhere; a sanitizer's report does not pass through here. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    stderr = fopen("/dev/null", "w");
    return stderr == NULL;
}

static void check_values(const cli *c)
{
    const cli_values *v = &c->value;

    MUST_BE(v->words <= c->command->most_words &&
            (v->words >= c->command->least_words || v->list_methods || v->help));
    for (int i = 0; i < v->words; i++) MUST_BE(cli_word(v, i) != NULL && cli_word(v, i)[0] != '\0');
    MUST_BE(!v->given[OPT_EPSILON] || (isfinite(v->epsilon) && v->epsilon > 0));
    MUST_BE(v->delta >= 0 && v->delta < 1);
    MUST_BE(v->clusters >= -1 && v->clusters <= 1000000 && v->rounds >= 0 && v->threads >= 0);
    MUST_BE(!v->given[OPT_RADIUS] || isfinite(v->radius));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char *word[MOST_LINE + 2] = {(char[]){"tacit"}};
    int words = 1;
    cli c = {0};

    while (count > 0 && words < MOST_LINE) word[words++] = take_line(&bytes, &count);
    word[words] = NULL;
    c.command = words > 1 ? find_command(&c, word[1]) : NULL;
    if (c.command != NULL) {
        c.command = pick(c.command, words, word);
        cli_values_init(&c);
        int code = cli_parse(&c, words, word);
        MUST_BE(code == 0 || code == EXIT_USAGE);
        if (code == 0) check_values(&c);
        if (code == 0 && !c.value.help && !c.value.list_methods &&
            (c.command->run == cmd_run || c.command->run == cmd_plan)) {
            code = cli_check_request(&c);
            MUST_BE(code == 0 || code == EXIT_USAGE);
        }
    }
    free(c.value.more);
    for (int i = 1; i < words; i++) free(word[i]);
    return 0;
}
