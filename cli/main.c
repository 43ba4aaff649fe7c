/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel COMMAND [options] …: finds the command, runs it, turns failures into one line and an exit
 * code.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "format/pack.h"

/* ---- temporary files do not outlive a Ctrl-C ---- */

#define WATCHED 16
static char watched[WATCHED][4096];

static void watch(const char *path, bool alive)
{
    for (int i = 0; i < WATCHED; i++) {
        if (alive && watched[i][0] == '\0' && strlen(path) < sizeof watched[i]) {
            strcpy(watched[i], path);
            return;
        }
        if (!alive && strcmp(watched[i], path) == 0)
            watched[i][0] = '\0';
    }
}

static void unlink_watched(void)
{
    for (int i = 0; i < WATCHED; i++)
        if (watched[i][0])
            unlink(watched[i]);
}

static void on_signal(int number)
{
    unlink_watched();
    signal(number, SIG_DFL);
    raise(number);
}

/* ---- packs that change while they are mapped ---- */

static struct {
    char path[4096];
    int file;
    struct stat opened;
} mapped[WATCHED];
static int mapped_count;
static struct sigaction usual[2]; /* for SIGBUS, SIGSEGV */

static bool has_changed(int i)
{
    struct stat now;
    return fstat(mapped[i].file, &now) != 0 || now.st_size != mapped[i].opened.st_size ||
           now.st_mtim.tv_sec != mapped[i].opened.st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != mapped[i].opened.st_mtim.tv_nsec;
}

/* Only calls that signal handlers may make. A fault that is not ours is raised again. */
static void on_fault(int number)
{
    static const char before[] = "hsel: ", after[] = ": changed while it was in use\n";
    for (int i = 0; i < mapped_count; i++)
        if (has_changed(i)) {
            unlink_watched();
            ssize_t done = write(STDERR_FILENO, before, sizeof before - 1);
            done += write(STDERR_FILENO, mapped[i].path, strlen(mapped[i].path));
            done += write(STDERR_FILENO, after, sizeof after - 1);
            _exit(done > 0 ? 1 : 3);
        }
    sigaction(number, &usual[number == SIGSEGV], NULL);
}

static void watch_pack(const char *path, int file)
{
    struct sigaction action = {.sa_handler = on_fault};
    if (mapped_count == WATCHED || strlen(path) >= sizeof mapped[0].path ||
        fstat(file, &mapped[mapped_count].opened) != 0 ||
        (mapped[mapped_count].file = fcntl(file, F_DUPFD_CLOEXEC, 3)) < 0)
        return;
    strcpy(mapped[mapped_count].path, path);
    if (mapped_count++ == 0) {
        sigaction(SIGBUS, &action, &usual[0]);
        sigaction(SIGSEGV, &action, &usual[1]);
    }
}

/* ---- running ---- */

static int find_and_run(int argc, char **argv, hsel_error *error)
{
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    struct hs_claim *claims = NULL;
    hs_progress_show show = {0};
    hs_call call = {.doc = &doc, .arena = &doc.arena, .claims = &claims, .show = &show};
    const char *name = argc < 2 ? "" : argv[1], *words[64];
    hs_help_asked help;
    if (argc < 2)
        return hs_print_overview(error);
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0)
        name = "help";
    if (strcmp(name, "-V") == 0 || strcmp(name, "--version") == 0)
        name = "version";
    const hs_command *command = hs_command_find(name);
    assert(hs_command_count <= 64);
    for (size_t i = 0; i < hs_command_count; i++)
        words[i] = hs_commands[i]->name;
    if (!command)
        return hs_fail_unknown("there is no command", name, words, hs_command_count,
                               "; see hsel help", error);
    HS_TRY(hs_parse_call(command, argc - 2, argv + 2, &call, &help, error));
    if (help)
        return hs_print_command_help(command, help == HS_HELP_ALL, error);
    if (command->flags & HS_WORKS)
        hs_progress_reading(&call);
    int status = command->run(&call, error);
    hs_reader_watch(NULL);
    hs_progress_end(&show);
    for (int i = 0; i < mapped_count; i++)
        if (has_changed(i)) /* whatever came out of such a pack is not to be trusted */
            return hs_fail_at(error, HSEL_EIO, mapped[i].path, 0, "changed while it was in use");
    if (status == HSEL_OK && call.csv_safe && !hs_csv_was_written())
        hs_note(&call, "--csv-safe has no effect: neither CSV nor TSV was written");
    return status;
}

int main(int argc, char **argv)
{
    hsel_error error = {0};
    /* If a standard stream is closed, the next file opened would take its place and receive what is
     * printed. So it is opened in the wrong direction, and using it stays an error. */
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) < 0)
            (void)!open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
    hsel_dialect_set(HSEL_DIALECT_COMMAND);
    hs_writer_watch(watch);
    hs_pack_watch(watch_pack);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGHUP, on_signal);
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a write error like any other … */
    signal(SIGXFSZ, SIG_IGN); /* … and so is the limit of ulimit -f */
    int status = find_and_run(argc, argv, &error);
    struct pollfd output = {STDOUT_FILENO, POLLOUT, 0};
    if (status == HSEL_EIO && error.reason == HSEL_BROKEN_PIPE && poll(&output, 1, 0) == 1 &&
        output.revents & POLLERR) {
        signal(SIGPIPE, SIG_DFL); /* the reader closed the pipe, such as head */
        raise(SIGPIPE);
    }
    if (status)
        fprintf(stderr, "hsel: %s\n", error.message[0] ? error.message : "failed");
    return status == HSEL_OK ? 0 : status == HSEL_EUSAGE ? 2 : status > 0 ? status : 1;
}
