/* SPDX-License-Identifier: Apache-2.0 */
/* The progress bar: on a terminal, for work of more than a second, ten times a second at most. */
#include "../cli.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WAIT 1.0
#define PERIOD 0.1
#define CELLS 30

double cli_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The library's callback, in the caller's thread. \033[K erases the rest of the line. */
static void draw(const char *step, double done, void *payload)
{
    cli_progress *progress = payload;
    const double time = cli_now();
    char bar[CELLS + 1];

    if (time - progress->started < WAIT || time - progress->drawn < PERIOD) return;
    const int full = done < 0 ? 0 : done > 1 ? CELLS : (int)(done * CELLS);
    memset(bar, '.', CELLS);
    memset(bar, '#', (size_t)full);
    bar[CELLS] = '\0';
    fprintf(stderr, "\r[%s] %3d %%  %.40s\033[K", bar, full * 100 / CELLS,
            step == NULL ? "" : step);
    fflush(stderr);
    progress->drawn = time;
    progress->visible = true;
}

void cli_progress_start(const cli *c, cli_progress *progress)
{
    const char *terminal = getenv("TERM");

    *progress = (cli_progress){.ctx = c->ctx, .started = cli_now()};
    if (c->value.quiet || !isatty(STDERR_FILENO) || terminal == NULL ||
        strcmp(terminal, "dumb") == 0)
        return;
    tacit_ctx_set_progress(c->ctx, draw, progress);
}

void cli_progress_stop(cli_progress *progress)
{
    tacit_ctx_set_progress(progress->ctx, NULL, NULL);
    if (progress->visible) fputs("\r\033[K", stderr);
    progress->visible = false;
}
