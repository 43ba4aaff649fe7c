/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Notes on standard error: what was met in the files and what was done about it. Nothing happens
 * silently.
 */
#include <stdarg.h>
#include <stdio.h>

#include "cli/cli.h"

void hs_note(const hs_call *call, const char *format, ...)
{
    va_list arguments;
    if (call->quiet)
        return;
    fputs("note: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void hs_note_line(void *call, const char *line) { hs_note(call, "%s", line); }

static const char *plural(uint64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

static void note_count(const hs_call *call, uint64_t count, const char *one, const char *many,
                       const char *rest)
{
    char number[32];
    if (count == 0)
        return;
    hs_format_grouped(count, number);
    hs_note(call, "%s %s %s", number, plural(count, one, many), rest);
}

static void note_binding(const hs_call *call, const hsel_dataset *data, const hs_bind_report *bind)
{
    if (bind->terms_not_features == 1)
        hs_note(call, "1 term of the hierarchy is no feature: edges pass through it");
    else
        note_count(call, bind->terms_not_features, "", "terms of the hierarchy are",
                   "no features: edges pass through them");
    if (bind->features_not_terms)
        hs_note(call, "%u %s not in the hierarchy and %s alone%s%s", bind->features_not_terms,
                plural(bind->features_not_terms, "feature is", "features are"),
                plural(bind->features_not_terms, "stands", "stand"),
                bind->first_missing != HSEL_NONE && bind->first_missing < data->features ? ", e.g. "
                                                                                         : "",
                bind->first_missing != HSEL_NONE && bind->first_missing < data->features
                    ? hsel_dataset_feature_name(data, bind->first_missing)
                    : "");
}

static void note_roots(const hs_call *call, const hs_names *roots)
{
    hs_buf list = {0};
    for (uint32_t i = 0; i < roots->count && i < 10; i++)
        hs_buf_printf(&list, "%s%s", i ? ", " : "", hs_names_get(roots, i));
    if (roots->count > 10)
        hs_buf_printf(&list, " and %u more", roots->count - 10);
    if (roots->count)
        hs_note(call, "%u %s dropped: %s", roots->count, plural(roots->count, "root", "roots"),
                list.failed ? "" : list.text);
    hs_buf_clear(&list);
}

static void note_violations(const hs_call *call, const hsel_dataset *data, const hs_truepath *found)
{
    char number[32];
    if (found->cells == 0)
        return;
    hs_format_grouped(found->cells, number);
    const char *id = hsel_dataset_id(data, found->instance);
    hs_note(
        call,
        "the true-path rule is broken %s %s (%u %s, %llu %s), first in instance %u%s%s%s: %s is "
        "positive, its parent %s is not; --propagate repairs it",
        number, plural(found->cells, "time", "times"), found->instances,
        plural(found->instances, "instance", "instances"), (unsigned long long)found->edges,
        plural(found->edges, "edge", "edges"), found->instance + 1, id ? " (" : "", id ? id : "",
        id ? ")" : "", hsel_dataset_feature_name(data, found->child),
        hsel_dataset_feature_name(data, found->parent));
}

void hs_note_load(const hs_call *call, const hsel_dataset *data, const hs_load_report *report)
{
    note_count(call, report->duplicate_edges, "edge is", "edges are",
               "given more than once in the hierarchy");
    note_count(call, report->self_loops, "edge leads", "edges lead",
               "from a term to itself: ignored");
    note_count(call, report->terms_merged, "term was", "terms were",
               "merged into another of the same cycle");
    note_count(call, report->cycle_edges_dropped, "edge was", "edges were",
               "dropped to break a cycle");
    note_count(call, report->features_merged, "feature was", "features were",
               "merged with another of the same cycle");
    note_binding(call, data, &report->bind);
    note_count(call, report->edges_reduced, "edge was", "edges were",
               "dropped: a longer path connects the same terms");
    note_count(call, report->values_propagated, "value was", "values were",
               "made positive by propagation");
    note_count(call, report->rare_dropped, "feature was", "features were",
               "dropped for too little support");
    note_roots(call, &report->roots_dropped);
    note_violations(call, data, &report->truepath);
}

int hs_load_for(const hs_call *call, const char *path, const hs_load_options *options,
                hsel_dataset **out, hsel_error *error)
{
    hs_load_report report = {0};
    int status = hs_load(path, options, &report, out, error);
    if (status == HSEL_OK)
        hs_note_load(call, *out, &report);
    hs_load_report_clear(&report);
    return status;
}
