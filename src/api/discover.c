/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The function of hsel.h that ranks candidates.
 */
#include "api/api.h"
#include "data/classes.h"
#include "show/candidates.h"
#include "show/gene_sets.h"

#define FOLDS        5
#define TOP          20
#define MOST_REPEATS 1000
#define NAMED        10 /* in a note */
#define SMALLEST     10 /* set, and the largest */
#define LARGEST      500

static const char *usual_classifier(void)
{
    return hs_method_find(HS_CLASSIFIER, "pu", 2) ? "pu" : "nb";
}

/* Which instances a list names. */
static int match_list(const hsel_dataset *data, const char *list, uint32_t count, bool *chosen,
                      hs_matched *out, hsel_error *error)
{
    HS_OWNED const char **names = HS_NEW(const char *, count);
    HS_NEED(names);
    for (uint32_t i = 0; i < count; i++, list += strlen(list) + 1)
        names[i] = list;
    return hs_match_instances(data, names, count, chosen, out, error);
}

/* Names that are no instance, or several, up to ten. */
static int note_names(const hs_api_call *call, const hs_names *names, const char *what,
                      hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    char shown[80];
    if (!names->count || !call->request.note)
        return HSEL_OK;
    hs_buf_text(&text, what);
    for (uint32_t i = 0; i < names->count && i < NAMED; i++)
        hs_buf_printf(&text, "%s%s", i ? ", " : " ",
                      hs_show_cut(hs_names_get(names, i), 40, shown, sizeof shown));
    if (names->count > NAMED)
        hs_buf_printf(&text, " and %u more", names->count - NAMED);
    HS_NEED(!text.failed);
    call->request.note(call->request.context, text.text);
    return HSEL_OK;
}

static int note_matched(const hs_api_call *call, const hs_matched *matched, hsel_error *error)
{
    HS_TRY(note_names(call, &matched->missing, "these names match no instance:", error));
    return note_names(call, &matched->several,
                      "these names match several instances and are left "
                      "out:",
                      error);
}

int hsel_discover(const hsel_dataset *data, const hsel_request *given,
                  const hsel_discover_request *chosen, char **json, char **text, hsel_error *error)
{
    hsel_discover_request how;
    HS_OWNS(hs_api_end) hs_api_call call;
    HS_TRY(hs_api_begin(&call, given, HS_NO_WEIGHTS, error));
    HS_TRY(HS_REQUEST_TAKE(chosen, &how, hsel_discover_request, error));
    HS_OWNS(hs_matched_clear) hs_matched matched = {0}, others = {0};
    HS_OWNS(hs_discovery_clear) hs_discovery found = {0};
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    HS_OWNED char *as_json = NULL, *as_text = NULL, *as_report = NULL;
    HS_OWNED bool *known = HS_NEW(bool, data->instances), *negative = NULL;
    const hsel_request *request = &call.request;
    const bool csv = how.form && strcmp(how.form, "csv") == 0;
    HS_NEED(known);
    HS_REFUSE(how.form && !csv && strcmp(how.form, "text") != 0,
              "unknown form of candidates '%.80s': use text or csv", how.form);
    HS_REFUSE(!(how.fdr >= 0 && how.fdr < 1), "the false discovery rate must be below 1, not %g",
              how.fdr);
    HS_REFUSE(request->repeats > MOST_REPEATS, "at most %d repeats are possible", MOST_REPEATS);
    HS_REFUSE(request->folds == 1, "at least 2 folds are needed");
    if (how.positives) {
        HS_TRY(match_list(data, how.positives, how.positive_count, known, &matched, error));
    } else {
        HS_REFUSE(!hs_is_pu(data), "which instances are known positives? Give {positives}, or data "
                                   "whose other class is called unlabelled ({pu})");
        for (uint32_t i = 0; i < data->instances; i++)
            known[i] = data->class_of[i] == data->positive_class;
    }
    if (how.counts) {
        how.counts[HSEL_DISCOVER_KNOWN] = 0;
        for (uint32_t i = 0; i < data->instances; i++)
            how.counts[HSEL_DISCOVER_KNOWN] += known[i];
        how.counts[HSEL_DISCOVER_NOT_FOUND] = matched.missing.count;
        how.counts[HSEL_DISCOVER_AMBIGUOUS] = matched.several.count;
    }
    HS_TRY(note_matched(&call, &matched, error));
    HS_REFUSE(how.positives && !matched.found,
              "none of the known positives is in %s, which has names such as %.100s",
              hsel_dataset_name(data),
              hsel_dataset_id(data, 0) ? hsel_dataset_id(data, 0) : "none");
    if (how.negatives) {
        HS_NEED(negative = HS_NEW(bool, data->instances));
        HS_TRY(match_list(data, how.negatives, how.negative_count, negative, &others, error));
        for (uint32_t i = 0; i < data->instances; i++)
            HS_REFUSE(known[i] && negative[i],
                      "instance %u, %.100s, is a known positive and a "
                      "known negative",
                      i + 1, hsel_dataset_id(data, i) ? hsel_dataset_id(data, i) : "");
        HS_TRY(note_matched(&call, &others, error));
        HS_REFUSE(!others.found, "none of the known negatives is in %s", hsel_dataset_name(data));
    }
    const hs_discover_request run = {.data = data,
                                     .known = known,
                                     .negative = negative,
                                     .selector = request->selector ? request->selector : "none",
                                     .classifier = request->classifier ? request->classifier
                                                                       : usual_classifier(),
                                     .folds = request->folds ? request->folds : FOLDS,
                                     .repeats = request->repeats ? request->repeats : 1,
                                     .top = how.top == 0           ? TOP
                                            : how.top == HSEL_NONE ? 0
                                                                   : how.top,
                                     .fdr = how.fdr,
                                     .correct_bias = how.correct_bias != 0,
                                     .allow_violations = request->allow_violations != 0,
                                     .seed = request->seed,
                                     .threads = request->threads,
                                     .progress = call.progress};
    HS_TRY(hs_discover(&run, &found, error));
    const hs_candidates_shown shown = {&run, &found, how.positives ? &matched : NULL};
    if (json)
        HS_API_TEXT(&as_json, memo,
                    (hs_candidates_json(&shown, &(hs_json){.out = memo.out}), HSEL_OK));
    if (text)
        HS_API_TEXT(&as_text, memo,
                    csv ? hs_candidates_csv(&shown, memo.out, error)
                        : hs_candidates_print(&shown, memo.out, error));
    if (how.report)
        HS_API_TEXT(&as_report, memo, hs_candidates_report(&shown, memo.out, error));
    if (json)
        *json = hs_take(&as_json);
    if (text)
        *text = hs_take(&as_text);
    if (how.report)
        *how.report = hs_take(&as_report);
    return HSEL_OK;
}

int hsel_discover_sets(const hsel_dataset *data, const hsel_request *given, const char *path,
                       uint32_t smallest, uint32_t largest, const char *form, char **text,
                       hsel_error *error)
{
    HS_OWNS(hs_api_end) hs_api_call call;
    HS_TRY(hs_api_begin(&call, given, HS_NO_WEIGHTS, error));
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    HS_OWNS(hs_gene_sets_clear) hs_gene_sets sets = {0};
    HS_OWNS(hs_set_results_clear) hs_set_results found = {0};
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    const hsel_request *request = &call.request;
    const bool csv = strcmp(form, "csv") == 0, json = strcmp(form, "json") == 0;
    HS_REFUSE(!csv && !json && strcmp(form, "text") != 0,
              "unknown form of sets '%.80s': use text, csv or json", form);
    HS_REFUSE(request->repeats > MOST_REPEATS, "at most %d repeats are possible", MOST_REPEATS);
    HS_REFUSE(request->folds == 1, "at least 2 folds are needed");
    const hs_discover_request run = {.data = data,
                                     .selector = request->selector ? request->selector : "none",
                                     .classifier = request->classifier ? request->classifier : "nb",
                                     .folds = request->folds ? request->folds : FOLDS,
                                     .repeats = request->repeats ? request->repeats : 1,
                                     .allow_violations = request->allow_violations != 0,
                                     .seed = request->seed,
                                     .threads = request->threads,
                                     .progress = call.progress};
    HS_TRY(hs_reader_open(path, &reader, error));
    HS_TRY(hs_gene_sets_read(reader, &sets, error));
    HS_TRY(hs_evaluate_sets(&run, &sets, smallest ? smallest : SMALLEST,
                            largest ? largest : LARGEST, &found, error));
    HS_TRY(note_names(&call, &found.missing,
                      "these members of sets match no instance, or several:", error));
    const hs_sets_shown shown = {&sets, &found};
    HS_API_TEXT(text, memo,
                json  ? (hs_sets_json(&shown, &(hs_json){.out = memo.out}), HSEL_OK)
                : csv ? (hs_sets_csv(&shown, memo.out), HSEL_OK)
                      : hs_sets_print(&shown, memo.out, error));
    return HSEL_OK;
}
