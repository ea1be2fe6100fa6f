/* SPDX-License-Identifier: Apache-2.0 */
/* The table of options.def as data, and what an option is to a command. The macros below are the
   language that options.def is written in. */
#include "../cli.h"

/* Commands and sets of them, as options.def names them. */
enum {
    KMEANS = 1 << CMD_KMEANS,
    KMEDIAN = 1 << CMD_KMEDIAN,
    SUBSPACE = 1 << CMD_SUBSPACE,
    COCLUSTER = 1 << CMD_COCLUSTER,
    PREDICT = 1 << CMD_PREDICT,
    EVALUATE = 1 << CMD_EVALUATE,
    COMPARE = 1 << CMD_COMPARE,
    RECUT = 1 << CMD_RECUT,
    SYNTHESIZE = 1 << CMD_SYNTHESIZE,
    REPORT = 1 << CMD_REPORT,
    PLAN = 1 << CMD_PLAN,
    PLAN_SUBSPACE = 1 << CMD_PLAN_SUBSPACE,
    PLAN_COCLUSTER = 1 << CMD_PLAN_COCLUSTER,
    DECLARE = 1 << CMD_DECLARE,
    LEDGER = 1 << CMD_LEDGER,
    AUDIT = 1 << CMD_AUDIT,
    MIXTURE = 1 << CMD_GENERATE,
    UNION = 1 << CMD_GENERATE_SUBSPACES,
    COUNTS = 1 << CMD_GENERATE_COUNTS,
    EVERY = (1 << CMD_COUNT) - 1,
    CENTER_RUNS = KMEANS | KMEDIAN,
    RUNS = CENTER_RUNS | SUBSPACE | COCLUSTER,
    PLANS = PLAN | PLAN_SUBSPACE | PLAN_COCLUSTER,
    ASKS = RUNS | PLANS,
    CENTERS = CENTER_RUNS | PLAN,
    FLATS = SUBSPACE | PLAN_SUBSPACE,
    BLOCKS = COCLUSTER | PLAN_COCLUSTER,
    EXACT = PREDICT | EVALUATE,
    GENERATE = MIXTURE | UNION | COUNTS
};

#define USE(who, ...)                                                                              \
    {                                                                                              \
        .commands = (who), .help = __VA_ARGS__                                                     \
    }
#define RANGE(low, high, like) .least = (low), .most = (high), .example = (like)
#define DEFAULT(number) .has_default = SET_HERE, .fallback = (number)
#define LIBRARYS(number) .has_default = THE_LIBRARYS, .fallback = (number)
#define BY_METHOD "chosen by the method"
#define OTHERWISE(what) .otherwise = what
#define EPSILON_RANGE RANGE(1e-6, 1000, 1)
#define DELTA_RANGE RANGE(1e-30, 0.1, 1e-6), .words = "0", DEFAULT(0)

const cli_option cli_options[OPT_COUNT] = {
#define OPTION(id, held, short_, long_, called, room, what, ...)                                   \
    [OPT_##id] = {.letter = (short_),                                                              \
                  .name = long_,                                                                   \
                  .value = called,                                                                 \
                  .group = GROUP_##room,                                                           \
                  .kind = KIND_##what,                                                             \
                  .field = offsetof(cli_values, held),                                             \
                  .use = {__VA_ARGS__}},
#include "options.def"
};

const char *const cli_group_titles[GROUP_COUNT] = {
    [GROUP_DATA] = "What to work on",
    [GROUP_DOMAIN] = "What values are possible (from knowledge of the subject, never from the "
                     "rows)",
    [GROUP_PRIVACY] = "Privacy",
    [GROUP_METHOD] = "Method",
    [GROUP_OUTPUT] = "Output",
};

const cli_use *cli_use_of(const cli_command *command, cli_option_id id)
{
    const uint32_t bit = UINT32_C(1) << (command - cli_commands);

    for (const cli_use *use = cli_options[id].use; use < cli_options[id].use + MOST_USES; use++)
        if ((use->commands & bit) != 0) return use;
    return NULL;
}

char cli_letter_of(const cli_command *command, cli_option_id id)
{
    for (cli_option_id i = 0; i < id; i++)
        if (cli_options[i].letter == cli_options[id].letter && cli_use_of(command, i) != NULL)
            return 0;
    return cli_options[id].letter;
}
