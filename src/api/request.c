/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arguments and results of public functions: structures of any version, lists of names and methods,
 * progress, texts.
 */
#include "api/api.h"
#include "data/classes.h"
#include "rank/rank.h"

#define MOST_BYTES   4096 /* of a structure of any version: a larger size was never set */
#define REPORT_EVERY 0.05 /* seconds */
#define MOST_THREADS 4096

int hs_request_take(const void *given, const char *type, size_t known, void *out, hsel_error *error)
{
    size_t size = 0;
    hs_error_clear(error);
    if (given)
        memcpy(&size, given, sizeof size);
    HS_REFUSE(size < sizeof size || size > MOST_BYTES,
              given ? "the size of %s is not set" : "%s is missing", type);
    memset(out, 0, known);
    memcpy(out, given, size < known ? size : known);
    for (size_t i = known; i < size; i++)
        HS_REFUSE(((const char *)given)[i],
                  "%s has a member that is unknown to this version of the library", type);
    return HSEL_OK;
}

/* ---- names and texts ---- */

int hs_unique_names(const char *list, uint32_t count, const char *what, hs_names *out,
                    hsel_error *error)
{
    uint32_t id;
    bool added = false;
    size_t length;
    for (uint32_t i = 0; i < count; i++, list += length + 1) {
        length = strlen(list);
        HS_TRY(hs_names_intern(out, list, length, &id, &added, error));
        HS_REFUSE(!added, "there are two %s named '%.200s'", what, list);
    }
    return hs_names_index(out, error);
}

int hs_append_names(const char *list, uint32_t count, hs_names *out, hsel_error *error)
{
    size_t length;
    for (uint32_t i = 0; list && i < count; i++, list += length + 1) {
        length = strlen(list);
        HS_TRY(hs_names_append(out, list, length, error));
    }
    return HSEL_OK;
}

int hs_api_text(hs_memo *memo, char **text, hsel_error *error)
{
    HS_TRY(hs_memo_end(memo, error));
    hs_buf_char(&memo->text, '\n');
    HS_NEED(!memo->text.failed);
    *text = memo->text.text;
    memo->text = (hs_buf){0};
    return HSEL_OK;
}

/* ---- a running call ---- */

/* Passes progress on to the caller: only in the thread that made the call (Python handles signals
 * there, and other threads need not wait for its lock), a few times per second. If it requests a
 * stop, every thread stops. */
static int pass_on(void *context, uint64_t done, uint64_t total, const char *what)
{
    hs_api_call *call = context;
    if (atomic_load_explicit(&call->stopped, memory_order_relaxed))
        return 1;
    if (!call->request.report || !pthread_equal(call->caller, pthread_self()))
        return 0;
    double at = hs_now();
    if (at < call->next)
        return 0;
    call->next = at + REPORT_EVERY;
    if (call->request.report(call->request.context, done, total, what) == 0)
        return 0;
    atomic_store_explicit(&call->stopped, true, memory_order_relaxed);
    return 1;
}

int hs_api_begin(hs_api_call *call, const hsel_request *given, int takes, hsel_error *error)
{
    static const hsel_request plain = {.size = sizeof plain};
    hsel_request *request = &call->request;
    *call = (hs_api_call){.notes = HS_NOTES};
    HS_TRY(HS_REQUEST_TAKE(given ? given : &plain, request, hsel_request, error));
    HS_REFUSE(request->threads < 0 || request->threads > MOST_THREADS,
              "the number of threads must be from 0 to %d, not %d", MOST_THREADS, request->threads);
    HS_REFUSE(request->weights && takes == HS_NO_WEIGHTS,
              "weights of instances are only for hsel_train");
    if (!request->report && !request->note)
        return HSEL_OK;
    call->passed_on = (hs_progress){pass_on, call, request->note ? &call->notes : NULL};
    if (request->any_thread) {
        call->passed_on.report = request->report;
        call->passed_on.context = request->context;
    }
    call->progress = &call->passed_on;
    call->caller = pthread_self();
    call->next = hs_now() + REPORT_EVERY;
    return HSEL_OK;
}

void hs_api_end(hs_api_call *call)
{
    if (call->request.note)
        hs_notes_tell(&call->notes, call->request.note, call->request.context);
    hs_notes_clear(&call->notes);
}

int hs_api_note_pu(const hs_api_call *call, const hsel_dataset *data, const hs_chosen *classifiers,
                   size_t count, hsel_error *error)
{
    const bool possible = hs_method_find(HS_CLASSIFIER, "pu", 2) != NULL;
    const char *first = NULL;
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    unsigned naive = 0;
    for (size_t i = 0; call->request.note && hs_is_pu(data) && i < count; i++) {
        const char *name = classifiers[i].method->name;
        if (strcmp(name, "pu") == 0 || strstr(classifiers[i].text, "pu:"))
            continue;
        first = first ? first : name;
        hs_buf_printf(&text, "%s%s", naive++ ? ", " : "", classifiers[i].text);
    }
    if (!naive)
        return HSEL_OK;
    hs_buf_printf(&text, " learn%s unlabelled instances as negatives", naive == 1 ? "s" : "");
    if (possible)
        hs_buf_printf(&text, "; pu:base=%s does not", first);
    HS_NEED(!text.failed);
    call->request.note(call->request.context, text.text);
    return HSEL_OK;
}

int hs_api_methods_take(hs_kind kind, const char *list, uint32_t count, const char *const *usual,
                        hs_chosen_list *out, hsel_error *error)
{
    while (!list && usual[count])
        count++;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = list ? list : usual[i];
        HS_TRY(hs_chosen_list_add(out, kind, name, error));
        list = list ? list + strlen(list) + 1 : NULL;
    }
    return count ? HSEL_OK : hs_fail(error, HSEL_EUSAGE, "no %s is given", hs_kind_name(kind));
}

int hs_api_rank_by(const char *text, hs_rank_by *out, hsel_error *error)
{
    HS_REFUSE(text && strcmp(text, "score") != 0 && strcmp(text, "probability") != 0,
              "AUROC and AUPRC rank by score or by probability, not by '%.80s'", text);
    *out = text && *text == 'p' ? HS_RANK_BY_PROBABILITY : HS_RANK_BY_SCORE;
    return HSEL_OK;
}
