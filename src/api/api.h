/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Helpers shared by the public functions.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "stats/metrics.h"

/* Copies a structure that starts with its size, from a program of any version of hsel.h: members
 * unknown to the program become 0; members unknown to the library must be 0. */
HSEL_CHECKED int hs_request_take(const void *given, const char *type, size_t known, void *out,
                                 hsel_error *error);
#define HS_REQUEST_TAKE(given, out, type, error)                                                   \
    hs_request_take(given, #type, sizeof(type), 1 ? (out) : (type *)NULL, error)

/* Reads a list of names, each followed by a NUL; `what` names their kind in the message on a
 * repeated name. */
HSEL_CHECKED int hs_unique_names(const char *list, uint32_t count, const char *what, hs_names *out,
                                 hsel_error *error);
/* The same for names that may repeat; list NULL: no names. */
HSEL_CHECKED int hs_append_names(const char *list, uint32_t count, hs_names *out,
                                 hsel_error *error);

/* Other threads of the caller may write to the arrays during a call: replaces `array`, if it is not
 * NULL, by a copy, which `own` (HS_OWNED) frees. */
#define HS_COPY_ARRAY(own, array, count)                                                           \
    HS_NEED(!(array) || ((own) = hs_copy((array), (count), sizeof *(own)), (array) = (own)))

/* ---- a running call ---- */

typedef struct hs_api_call { /* its request and the receiver of its progress */
    hsel_request request;
    const hs_progress *progress; /* NULL: no receiver */
    hs_progress passed_on;
    pthread_t caller;
    double next; /* earliest time of the next report; used only by the caller's thread */
    atomic_bool stopped;
    hs_notes notes;
} hs_api_call;

enum { HS_NO_WEIGHTS, HS_WEIGHTS };
HSEL_CHECKED int hs_api_begin(hs_api_call *call, const hsel_request *given, int takes,
                              hsel_error *error);
/* Passes the notes to the caller. */
void hs_api_end(hs_api_call *call);

/* On positives and unlabelled instances: notes which of the classifiers learn the unlabelled ones as
 * negatives. */
HSEL_CHECKED int hs_api_note_pu(const hs_api_call *call, const hsel_dataset *data,
                                const hs_chosen *classifiers, size_t count, hsel_error *error);

/* ---- arguments and results ---- */

/* From a list of NUL-terminated names; NULL: the default methods. */
HSEL_CHECKED int hs_api_methods_take(hs_kind kind, const char *list, uint32_t count,
                                     const char *const *usual, hs_chosen_list *out,
                                     hsel_error *error);
HSEL_CHECKED int hs_api_rank_by(const char *text, hs_rank_by *out, hsel_error *error);
/* What was written, with a line end, is the caller's. */
HSEL_CHECKED int hs_api_text(hs_memo *memo, char **text, hsel_error *error);
/* Does all of it: `write` is a call that writes to memo.out. */
#define HS_API_TEXT(text, memo, write)                                                             \
    do {                                                                                           \
        HS_TRY(hs_memo_open(&(memo), error));                                                      \
        HS_TRY(write);                                                                             \
        HS_TRY(hs_api_text(&(memo), text, error));                                                 \
    } while (0)
/* Refuses a model that only selects. */
HSEL_CHECKED int hs_api_classifies(const hsel_model *model, hsel_error *error);
/* The data in the form of the model: *data itself, or what it then points to, *made. */
HSEL_CHECKED int hs_api_match(const hsel_model *model, const hsel_dataset **data,
                              hsel_dataset **made, hsel_error *error);
