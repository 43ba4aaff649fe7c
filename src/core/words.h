/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How messages and help name options. Below the command an option has no dashes: texts write
 * "{hierarchy=FILE}" or "{drop-roots}", which become the form of the client: --hierarchy FILE,
 * hierarchy=, or a key of a study. An option of a method is "{:inner-folds}", which is replaced by
 * its name. The text in braces is lower case; any other brace is unchanged.
 */
#pragma once

#include "core/text.h"

/* Writes `text` with the option names of the client (hsel_dialect_set) to out[room], cut where the
 * room ends. The options that it names go to options[options_room], each followed by a NUL, and a
 * final NUL; `options` may be NULL. Returns out. */
char *hs_words(const char *text, char *out, size_t room, char *options, size_t options_room);
/* One option whose name is not known in advance: "direction" -> "--direction". Returns out. */
#define HS_WORD_ROOM 64
char *hs_option_word(const char *name, char out[HS_WORD_ROOM]);
/* The same, for the block that it is in. */
#define HS_OPTION_WORD(name) hs_option_word((name), (char[HS_WORD_ROOM]){""})
/* Only its name: "inner-folds", or "inner_folds" where options are arguments. Returns out. */
char *hs_option_name(const char *name, char out[HS_WORD_ROOM]);
