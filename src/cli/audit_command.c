/* SPDX-License-Identifier: Apache-2.0 */
/* Running somebody else's program on a file, again and again, and keeping what it puts out. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define INPUT "{input}"
#define OUTPUT_MOST (1 << 20) /* bytes that are kept of an output */
#define CODE_SIGNAL 1000      /* ended by signal s: this + s */
#define CODE_TOO_LONG 2000

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* 'path' for a shell: quotes around it, and each one inside as '\''. Returns the length; out may be NULL. */
static size_t quote(const char *path, char *out)
{
    size_t size = 0;

    if (out != NULL) out[size] = '\'';
    size++;
    for (; *path != '\0'; path++) {
        const char *put = *path == '\'' ? "'\\''" : NULL;
        const size_t more = put != NULL ? 4 : 1;
        if (out != NULL) memcpy(out + size, put != NULL ? put : path, more);
        size += more;
    }
    if (out != NULL) out[size] = '\'';
    return size + 1;
}

char *cli_audit_command_line(const char *command, const char *path)
{
    const size_t quoted = quote(path, NULL);
    size_t places = 0, at = 0;

    for (const char *p = command; (p = strstr(p, INPUT)) != NULL; p += strlen(INPUT)) places++;
    char *line = malloc(strlen(command) + places * quoted + 1);
    if (line == NULL) return NULL;
    while (*command != '\0') {
        if (strncmp(command, INPUT, strlen(INPUT)) == 0) {
            at += quote(path, line + at);
            command += strlen(INPUT);
        } else {
            line[at++] = *command++;
        }
    }
    line[at] = '\0';
    return line;
}

/* The child: nothing on standard input, its standard output into the pipe, what it says of itself nowhere. */
static void become(const char *line, int into)
{
    const int null = open("/dev/null", O_RDWR);

    setpgid(0, 0);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(into, STDOUT_FILENO) < 0 ||
        dup2(null, STDERR_FILENO) < 0) _exit(126);
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
}

/* Reads until the output ends, the time is over or an interruption. True: it ended by itself. */
static bool collect(int from, double end, char **text, size_t *length)
{
    size_t room = 0;
    char rest[4096];

    *text = NULL;
    *length = 0;
    for (;;) {
        const double left = end - now();
        if (left <= 0 || cli_interrupted()) return false;
        struct pollfd ready = {.fd = from, .events = POLLIN};
        const int found = poll(&ready, 1, left > 0.2 ? 200 : (int)(left * 1000) + 1);
        if (found < 0 && errno != EINTR) return false;
        if (found <= 0) continue;
        if (*length == room && room < OUTPUT_MOST) {
            char *more = realloc(*text, room == 0 ? 4096 : 2 * room);
            if (more == NULL) return false;
            *text = more;
            room = room == 0 ? 4096 : 2 * room;
        }
        const bool full = *length == room;
        const ssize_t got = read(from, full ? rest : *text + *length, full ? sizeof rest : room - *length);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got == 0;
        if (!full) *length += (size_t)got;
    }
}

/* Waits for a program that has closed its output. False: it does not end in time. */
static bool reap(pid_t child, double end, int *state)
{
    for (long pause = 20000; now() < end && !cli_interrupted(); pause = pause < 20000000 ? 2 * pause : pause) {
        if (waitpid(child, state, WNOHANG) == child) return true;
        nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
    }
    return false;
}

int cli_audit_run(const cli *c, const char *line, double seconds, tacit_audit_output *out)
{
    int ends[2], state = 0;
    char *text = NULL;

    *out = (tacit_audit_output){0};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return cli_fail(c, tacit_status_exit(TACIT_E_SYSTEM), "no pipe for the program's output: %s", strerror(errno));
    const pid_t child = fork();
    if (child == 0) become(line, ends[1]);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return cli_fail(c, tacit_status_exit(TACIT_E_SYSTEM), "the program cannot be started: %s", strerror(errno));
    }
    setpgid(child, child);
    const double end = now() + seconds;
    const bool ended = collect(ends[0], end, &text, &out->length) && reap(child, end, &state);
    close(ends[0]);
    kill(-child, SIGKILL); /* what it may have left behind */
    while (!ended && waitpid(child, &state, 0) < 0 && errno == EINTR) {}
    out->text = text;
    out->code = !ended ? CODE_TOO_LONG : WIFEXITED(state) ? WEXITSTATUS(state) : CODE_SIGNAL + WTERMSIG(state);
    if (cli_interrupted()) return cli_fail(c, tacit_status_exit(TACIT_E_CANCELLED), "interrupted");
    return EXIT_OK;
}
