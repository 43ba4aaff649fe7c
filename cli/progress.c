/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The line: a bar, the number done, the speed, the time left, and the current item. As wide as the
 * terminal.
 */
#include "cli/cli.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BAR_COLUMNS   20
#define BAR_SECONDS   0.1 /* between two pictures */
#define JSON_SECONDS  0.5
#define QUIET_SECONDS 1 /* work that is over by then shows nothing */

/* ---- Ctrl-C ---- */

static volatile sig_atomic_t asked_to_stop;
static void (*handler_before)(int);

static void on_signal(int number)
{
    if (asked_to_stop) { /* again: at once */
        signal(number, handler_before ? handler_before : SIG_DFL);
        raise(number);
    }
    asked_to_stop = 1;
}

static void set_handler(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

/* ---- showing ---- */

/* Speed per second, not counting earlier work; NaN at first. */
static double rate_of(const hs_progress_show *show, uint64_t done)
{
    double seconds = hs_now() - show->began;
    uint64_t before = show->jobs ? show->jobs->there + show->jobs->there_failed : 0;
    return done > before && seconds > 0 ? (double)(done - before) / seconds : (double)NAN;
}

static void show_bar(hs_progress_show *show, uint64_t done, uint64_t total, const char *what)
{
    char counts[2][32], line[600], left[400] = "";
    double rate = rate_of(show, done);
    int filled = total ? (int)(done * BAR_COLUMNS / total) : 0;
    if (total == 0)
        snprintf(left, sizeof left, "  0:%02.0f so far", hs_now() - show->began);
    hs_format_grouped(done, counts[0]);
    hs_format_grouped(total, counts[1]);
    if (total && !isnan(rate)) {
        char speed[32] = "";
        double seconds = (double)(total - done) / rate; /* as 0:07, 12:30, 3:05:00 */
        unsigned long whole = seconds < 1e9 ? (unsigned long)(seconds + 0.5) : 999999999;
        if (show->noun)
            snprintf(speed, sizeof speed, "  %.0f/s", rate);
        if (whole >= 3600)
            snprintf(left, sizeof left, "%s  %lu:%02lu:%02lu left", speed, whole / 3600,
                     whole / 60 % 60, whole % 60);
        else
            snprintf(left, sizeof left, "%s  %lu:%02lu left", speed, whole / 60, whole % 60);
    }
    int used_bar = snprintf(line, sizeof line, "[%.*s%.*s] ", filled, "####################",
                            BAR_COLUMNS - filled, "....................");
    if (show->noun)
        snprintf(line + used_bar, sizeof line - (size_t)used_bar, "%s of %s %s%s  ", counts[0],
                 counts[1], show->noun, left);
    else
        snprintf(line + used_bar, sizeof line - (size_t)used_bar, "%3.0f %%%s  ",
                 total ? 100 * (double)done / (double)total : 0, left);
    struct winsize size;
    size_t used = strlen(line), wide = 80;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        wide = size.ws_col;
    fprintf(stderr, "\r\033[K%.*s%.*s", (int)hs_fitting(line, wide - 1), line,
            (int)hs_fitting(what, wide > used + 1 ? wide - used - 1 : 0), what);
    fflush(stderr);
    show->on_screen = true;
}

static int report(void *context, uint64_t done, uint64_t total, const char *what)
{
    hs_progress_show *show = context;
    if (done == 0 && total == 0) /* hs_progress_ask */
        return asked_to_stop;
    double every = show->mode == HS_PROGRESS_JSON ? JSON_SECONDS : BAR_SECONDS, at = hs_now();
    if (show->mode == HS_PROGRESS_NONE || (show->patient && at - show->began < QUIET_SECONDS) ||
        (at - show->shown < every && (done < total || !show->noun)))
        return asked_to_stop;
    show->shown = at;
    if (show->mode != HS_PROGRESS_JSON) {
        show_bar(show, done, total, what);
        return asked_to_stop;
    }
    HS_OWNS(hs_memo_clear) hs_memo line = {0};
    double rate = rate_of(show, done);
    if (hs_memo_open(&line, NULL))
        return asked_to_stop; /* no memory for a line: the work may have enough */
    hs_json_put(&(hs_json){.out = line.out, .compact = true},
                "{done:%ju total:%ju per_second:%g seconds_left:%g job:%s}", done, total, rate,
                (double)(total - done) / rate, what);
    if (hs_memo_end(&line, NULL) == HSEL_OK)
        fputs(line.text.text, stderr); /* has its line end */
    return asked_to_stop;
}

static void choose_mode(const hs_call *call)
{
    hs_progress_show *show = call->show;
    show->patient |= show->mode == HS_PROGRESS_AUTO;
    if (show->mode == HS_PROGRESS_AUTO)
        show->mode = !call->quiet && isatty(STDERR_FILENO) ? HS_PROGRESS_BAR : HS_PROGRESS_NONE;
}

static int report_reading(void *context, uint64_t done, uint64_t total, const char *what)
{
    hs_progress_show *show = context;
    if (done < show->read)
        show->began = show->shown = hs_now();
    show->read = done;
    if (done < total || !total)
        return report(context, done, total, what);
    hs_progress_hide(show);
    return 0;
}

void hs_progress_reading(const hs_call *call)
{
    hs_progress_show *show = call->show;
    choose_mode(call);
    show->progress = (hs_progress){report_reading, show, NULL};
    show->began = show->shown = hs_now();
    hs_reader_watch(&show->progress);
}

const hs_progress *hs_progress_begin(const hs_call *call, hs_notes *notes)
{
    hs_progress_show *show = call->show;
    struct sigaction before;
    choose_mode(call);
    hs_progress_hide(show);
    hs_reader_watch(NULL);
    *show = (hs_progress_show){.progress = {report, show, notes},
                               .mode = show->mode,
                               .jobs = show->jobs,
                               .noun = show->noun,
                               .working = true,
                               .patient = show->patient,
                               .began = hs_now()};
    handler_before = sigaction(SIGINT, NULL, &before) == 0 ? before.sa_handler : SIG_DFL;
    set_handler(SIGINT, on_signal);
    set_handler(SIGTERM, on_signal);
    return &show->progress;
}

static int report_to_call(void *context, uint64_t done, uint64_t total, const char *what)
{
    const hs_progress *told = ((const hs_call *)context)->show->told;
    return told->report(told->context, done, total, what);
}

static void note_to_call(void *context, const char *text)
{
    const hs_call *call = context;
    hs_progress_hide(call->show);
    hs_note(call, "%s", text);
}

hsel_request hs_request(const hs_call *call, const hsel_request *given, int threads)
{
    return hs_request_part(call, given, hs_progress_begin(call, NULL), threads);
}

hsel_request hs_request_part(const hs_call *call, const hsel_request *given,
                             const hs_progress *progress, int threads)
{
    hsel_request request = given ? *given : (hsel_request){0};
    call->show->told = progress;
    request.size = sizeof request;
    request.threads = threads;
    request.context = (void *)(uintptr_t)call;
    request.report = report_to_call;
    request.note = note_to_call;
    request.any_thread = true;
    return request;
}

void hs_progress_hide(hs_progress_show *show)
{
    if (show->on_screen)
        fputs("\r\033[K", stderr);
    show->on_screen = false;
}

void hs_progress_end(hs_progress_show *show)
{
    hs_progress_hide(show);
    if (!show->working)
        return;
    show->working = false;
    set_handler(SIGINT, handler_before);
    set_handler(SIGTERM, handler_before);
}
