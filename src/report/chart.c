/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running gnuplot.
 */
#define _GNU_SOURCE /* memfd_create */
#include "report/chart.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/program.h"
#include "report/document.h"

#define PICTURE_LIMIT ((size_t)64 << 20)

static int open_file(const hs_charts *charts, const char *name, const char *ending, hs_writer **out,
                     hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf path = {0};
    hs_buf_printf(&path, "%s/%s.%s", charts->folder, name, ending);
    HS_NEED(!path.failed);
    return hs_writer_open(path.text, out, error);
}

int hs_chart_open(hs_charts *charts, const char *name, hs_writer **data, hsel_error *error)
{
    *data = NULL;
    if (!charts->folder)
        return HSEL_OK;
    HS_NEED(*name); /* of hs_say when memory ran out */
    if (mkdir(charts->folder, 0777) != 0 && errno != EEXIST)
        return hs_fail_errno(error, charts->folder, "make the folder");
    charts->wanted++;
    return open_file(charts, name, "tsv", data, error);
}

void hs_chart_number(hs_writer *data, double number)
{
    if (isnan(number))
        hs_writer_char(data, '?');
    else
        hs_writer_double(data, number);
}

void hs_chart_text(hs_writer *data, const char *text)
{
    hs_writer_char(data, '"');
    hs_gnuplot_text(data, text);
    hs_writer_char(data, '"');
}

/* ---- running ---- */

/* Draws into the file `picture`. True: drawn; else `said` may have the reason. */
static bool run_gnuplot(hs_charts *charts, const hs_chart *chart, int picture, hs_program *gnuplot)
{
    char script[256];
    snprintf(script, sizeof script, "%s.gp", chart->name);
    *gnuplot = (hs_program){.arguments = (const char *const[]){charts->gnuplot, "-d", "-e",
                                                               "to_stdout = 1", script, NULL},
                            .folder = charts->folder,
                            .input = -1,
                            .output = picture};
    bool done = hs_program_run(gnuplot);
    charts->no_gnuplot = gnuplot->missing;
    return done;
}

/* ---- the picture ---- */

/* What gnuplot drew, into the document and beside its data. */
static int keep_picture(const hs_charts *charts, const hs_chart *chart, int file, hs_document *doc,
                        hs_picture *picture, hsel_error *error)
{
    struct stat about;
    hs_writer *out = NULL;
    if (fstat(file, &about) != 0)
        return hs_fail_errno(error, chart->name, "read");
    size_t size = (size_t)about.st_size, length = 0;
    char *text = size > 0 && size < PICTURE_LIMIT ? hs_document_space(doc, size + 1, 1) : NULL;
    if (!text)
        return HSEL_OK;
    for (ssize_t got; length < size; length += (size_t)got)
        if ((got = pread(file, text + length, size - length, (off_t)length)) <= 0)
            return hs_fail_errno(error, chart->name, "read");
    picture->svg = text;
    picture->length = length;
    HS_TRY(open_file(charts, chart->name, "svg", &out, error));
    hs_writer_put(out, text, length);
    return hs_writer_commit(out, error);
}

int hs_chart_draw(hs_charts *charts, hs_document *doc, hs_writer *data, const hs_chart *chart,
                  hsel_error *error)
{
    hs_picture picture = {.name = chart->name, .alt = chart->alt, .caption = chart->caption};
    hs_program gnuplot = {0};
    if (!data)
        return HSEL_OK;
    HS_TRY(hs_writer_commit(data, error));
    hs_writer *out = NULL;
    HS_TRY(open_file(charts, chart->name, "gp", &out, error));
    hs_writer_printf(out,
                     "# Draws %s.svg from %s.tsv: gnuplot %s.gp\n"
                     "set terminal svg size %u,%u dynamic rounded noenhanced background '#ffffff' "
                     "font 'sans-serif,14'\n"
                     "if (!exists('to_stdout')) set output '%s.svg'\n"
                     "set encoding utf8\n"
                     "set datafile separator tab\n"
                     "set datafile missing '?'\n"
                     "data = '%s.tsv'\n"
                     "colours = '#0072b2 #d55e00 #009e73 #cc79a7 #b8860b #56b4e9 #444444 #8b4513 "
                     "#6a3d9a #e31a1c #1b7837 #999999'\n"
                     "colour(i) = word(colours, int(i) %% 12 + 1)\n"
                     "set border 3 lc rgb '#666666'\n"
                     "set tics nomirror textcolor rgb '#222222'\n"
                     "set grid lc rgb '#dddddd' lw 1\n"
                     "%s",
                     chart->name, chart->name, chart->name, chart->width, chart->height,
                     chart->name, chart->name, chart->script);
    HS_TRY(hs_writer_commit(out, error));
    if (!charts->no_gnuplot) {
        /* Its output has no name, so that no link planted in the folder can lead it elsewhere. */
        int drawn = memfd_create("chart", MFD_CLOEXEC), status = HSEL_OK;
        if (drawn < 0)
            return hs_fail_errno(error, chart->name, "draw");
        if (run_gnuplot(charts, chart, drawn, &gnuplot))
            status = keep_picture(charts, chart, drawn, doc, &picture, error);
        close(drawn);
        HS_TRY(status);
    }
    if (picture.svg) {
        charts->drawn++;
    } else { /* for the page, by chart; for who made it, once */
        charts->problem = charts->no_gnuplot
                              ? "gnuplot cannot be run; install it (Debian: apt install "
                                "gnuplot-nox) and make the report again"
                              : hs_say(doc, "gnuplot says “%s” about %s.gp",
                                       *gnuplot.said ? gnuplot.said : "nothing", chart->name);
        picture.problem = hs_say(doc, "The chart %s is missing: %s.", chart->name, charts->problem);
    }
    hs_add_picture(doc, &picture);
    return HSEL_OK;
}
