/* SPDX-License-Identifier: Apache-2.0 */
/* Runs somebody else's program on a file, again and again, and keeps its output: for tacit audit
   --command. Each run is a shell in a process group of its own, with a time limit. */
#include "../cli.h"

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

/* 'path' for a shell: quotes around it, and each one inside as '\''. Returns the length; out may be
   NULL. */
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

/* Two passes over the command: count the places, then write. */
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

/* In the child: standard input and error are /dev/null, standard output is the pipe. Never returns.
   If the shell cannot be started, its errno goes into `trouble`, which a program that starts never
   sees (it is closed by exec). */
static void become(const char *line, int into, int trouble)
{
    const int null = open("/dev/null", O_RDWR);

    setpgid(0, 0);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(into, STDOUT_FILENO) >= 0 &&
        dup2(null, STDERR_FILENO) >= 0)
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    const int why = errno;
    _exit(write(trouble, &why, sizeof why) == sizeof why ? 127 : 126);
}

/* FAILED: errno has the cause, and it is not the program's */
typedef enum end { ENDED, TOO_LONG, FAILED } end;

/* Reads until the output ends, the time is up or the user interrupts. Keeps at most OUTPUT_MOST
   bytes; the rest is read and dropped, so that the program does not block. *text is the caller's to
   free, also on failure. */
static end collect(int from, double until, char **text, size_t *length)
{
    size_t room = 0;
    char rest[4096];

    *text = NULL;
    *length = 0;
    for (;;) {
        const double left = until - cli_now();
        if (left <= 0 || cli_interrupted()) return TOO_LONG;
        struct pollfd ready = {.fd = from, .events = POLLIN};
        const int found = poll(&ready, 1, left > 0.2 ? 200 : (int)(left * 1000) + 1);
        if (found < 0 && errno != EINTR) return FAILED;
        if (found <= 0) continue;
        if (*length == room && room < OUTPUT_MOST) {
            char *more = realloc(*text, room == 0 ? 4096 : 2 * room);
            if (more == NULL) return FAILED;
            *text = more;
            room = room == 0 ? 4096 : 2 * room;
        }
        const bool full = *length == room;
        const ssize_t got =
            read(from, full ? rest : *text + *length, full ? sizeof rest : room - *length);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got == 0 ? ENDED : FAILED;
        if (!full) *length += (size_t)got;
    }
}

/* Waits for a program that has closed its output, with growing pauses. TOO_LONG: it still runs, or
   the user interrupts. */
static end reap(pid_t child, double until, int *state)
{
    for (long pause = 20000; cli_now() < until && !cli_interrupted();
         pause = pause < 20000000 ? 2 * pause : pause) {
        const pid_t found = waitpid(child, state, WNOHANG);
        if (found == child) return ENDED;
        if (found < 0 && errno != EINTR) return FAILED;
        nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
    }
    return TOO_LONG;
}

/* Starts the program in a process group of its own. from[0]: its output; from[1]: why it could not
   start. Returns 0, or an errno with nothing left open. */
static int begin(const char *line, int from[2], pid_t *child)
{
    int output[2], trouble[2], why = 0;

    if (pipe2(output, O_CLOEXEC) != 0) return errno;
    if (pipe2(trouble, O_CLOEXEC | O_NONBLOCK) != 0) {
        why = errno;
        close(output[0]);
        close(output[1]);
        return why;
    }
    /* our parent may have set it to be ignored, and then waitpid would find no child */
    signal(SIGCHLD, SIG_DFL);
    *child = fork();
    if (*child == 0) become(line, output[1], trouble[1]);
    if (*child < 0)
        why = errno;
    else
        setpgid(*child, *child);
    close(output[1]);
    close(trouble[1]);
    from[0] = output[0];
    from[1] = trouble[0];
    if (why == 0) return 0;
    close(from[0]);
    close(from[1]);
    return why;
}

/* The contract stands in cli.h. Whatever happens, the process group is killed and the child reaped
   before this returns. */
int cli_audit_run(const cli *c, const char *line, double seconds, tacit_audit_output *out)
{
    int from[2] = {-1, -1}, state = 0, why, trouble = 0;
    pid_t child = -1;
    char *text = NULL;

    *out = (tacit_audit_output)TACIT_AUDIT_OUTPUT_INIT;
    if ((why = begin(line, from, &child)) != 0)
        return cli_fail(c, cli_exit_code(TACIT_E_SYSTEM), "the program cannot be started: %s",
                        strerror(why));
    const double until = cli_now() + seconds;
    end how = collect(from[0], until, &text, &out->length);
    if (how == ENDED) how = reap(child, until, &state);
    if (how == FAILED) why = errno;
    kill(-child, SIGKILL);                  /* what it may have left behind */
    if (how != ENDED) kill(child, SIGKILL); /* should it have no group */
    while (how != ENDED && waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    if (how == ENDED && read(from[1], &trouble, sizeof trouble) != sizeof trouble) trouble = 0;
    close(from[0]);
    close(from[1]);
    out->text = text;
    out->code = how == TOO_LONG    ? CODE_TOO_LONG
                : WIFEXITED(state) ? WEXITSTATUS(state)
                                   : CODE_SIGNAL + WTERMSIG(state);
    if (cli_interrupted()) return cli_fail(c, cli_exit_code(TACIT_E_CANCELLED), "interrupted");
    if (trouble != 0)
        return cli_fail(c, cli_exit_code(TACIT_E_SYSTEM),
                        "the program cannot be started: /bin/sh: %s", strerror(trouble));
    if (how == FAILED)
        return cli_fail(c, cli_exit_code(TACIT_E_SYSTEM),
                        "the program's output cannot be collected: %s", strerror(why));
    return EXIT_OK;
}
