/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of data sets, features and methods come from files and may be anything. Here is the one
 * place where they are made harmless for each format.
 */
#ifndef HS_REPORT_ESCAPE_H
#define HS_REPORT_ESCAPE_H

#include "core/writer.h"

/* For HTML text and for attributes in double quotes. What is not valid UTF-8 becomes U+FFFD,
 * control characters become blanks. */
void hs_html_text(hs_writer *out, const char *text);
/* For LaTeX text: no character has a special meaning; some signs that LaTeX lacks are spelt. */
void hs_latex_text(hs_writer *out, const char *text);
/* For one line of a terminal: no control characters. */
void hs_plain_text(hs_buf *out, const char *text);
/* For a quoted string in gnuplot's data: no quote, backslash, tab or line end. */
void hs_gnuplot_text(hs_writer *out, const char *text);
void hs_base64(hs_writer *out, const char *bytes, size_t length);

#endif
