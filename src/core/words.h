/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How messages and help name options. Below the command an option has no dashes: texts write
 * "{hierarchy=FILE}" or "{drop-roots}", and here that becomes what the user of the client would
 * write: --hierarchy FILE, hierarchy=, or a key of a study. An option of a method is
 * "{:inner-folds}", which is its name alone. What is in braces is lower case; any other brace is
 * left as it is.
 */
#ifndef HS_CORE_WORDS_H
#define HS_CORE_WORDS_H

#include "core/text.h"

/* `text` in the words of the client (hsel_dialect_set) into out[room], cut where the room ends. The
 * options that it names go into options[options_room], each with a NUL after it, and one more after
 * the last; `options` may be NULL. Returns out. */
char *hs_words(const char *text, char *out, size_t room, char *options, size_t options_room);
/* One option, where the name is not known before: "direction" -> "--direction". Returns out. */
#define HS_WORD_ROOM 64
char *hs_option_word(const char *name, char out[HS_WORD_ROOM]);
/* Its name alone: "inner-folds", or "inner_folds" where options are arguments. Returns out. */
char *hs_option_name(const char *name, char out[HS_WORD_ROOM]);

#endif
