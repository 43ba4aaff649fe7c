/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choosing branches and instances.
 */
#define _GNU_SOURCE /* strcasestr */
#include "load/choose.h"

#include <strings.h>

/* ---- terms ---- */

/* May the title of a term name it, in any case? */
static bool has_title(const hs_graph *graph, uint32_t term, const char *text)
{
    return *text && !hs_is_obsolete(graph, term) &&
           strcasecmp(hs_names_get(&graph->titles, term), text) == 0;
}

/* The term that the text names, and how many have it as their title, if it is not an identifier.
 * HSEL_NONE: none. */
static uint32_t find_term(const hs_graph *graph, const char *text, uint32_t *titled)
{
    uint32_t found = hs_graph_find(graph, text, strlen(text));
    *titled = 1;
    if (found != HSEL_NONE)
        return found;
    *titled = 0;
    for (uint32_t t = 0; t < graph->titles.count; t++)
        if (has_title(graph, t, text))
            found = (*titled)++ ? found : t;
    return found;
}

/* Names no term, or several: those it could mean are those that have it as their title, else those
 * whose title holds it, else the nearest name. */
static int fail_term(const hs_graph *graph, const char *option, const char *text, uint32_t titled,
                     hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf list = {0};
    uint32_t titles = graph->titles.count, shown = 0;
    for (uint32_t t = 0; t < titles; t++) {
        const char *title = hs_names_get(&graph->titles, t);
        bool fits = titled ? has_title(graph, t, text)
                           : !hs_is_obsolete(graph, t) && strcasestr(title, text);
        if (fits && shown++ < HS_EXAMPLES_LIMIT)
            hs_buf_printf(&list, "%s%.80s %.80s", shown > 1 ? ", " : "",
                          hs_names_get(&graph->terms, t), title);
    }
    if (shown > HS_EXAMPLES_LIMIT)
        hs_buf_printf(&list, " and %u more", shown - HS_EXAMPLES_LIMIT);
    HS_NEED(!list.failed);
    if (titled)
        return hs_fail_at(error, HSEL_EUSAGE, graph->source, 0,
                          "%s: %u terms are called %.80s: %s; give an identifier",
                          HS_OPTION_WORD(option), titled, text, list.text);
    if (!shown) {
        const char *near = hs_names_nearest(&graph->terms, text);
        near = near ? near : hs_names_nearest(&graph->titles, text);
        hs_buf_printf(&list, "%.80s", near ? near : "");
        HS_NEED(!list.failed);
    }
    return hs_fail_at(error, HSEL_EUSAGE, graph->source, 0,
                      "%s: the hierarchy has no term %.80s%s%s%s", HS_OPTION_WORD(option), text,
                      list.length ? "; did you mean " : "", list.length ? list.text : "",
                      list.length ? "?" : "");
}

int hs_terms_below(const char *option, const hs_list *list, hs_graph *graph, bool *within,
                   hsel_error *error)
{
    uint32_t titled, terms = graph->terms.count;
    HS_OWNS(hs_sparse_clear) hs_sparse children = {0};
    memset(within, 0, terms * sizeof *within);
    HS_TRY(hs_names_index(&graph->terms, error));
    HS_TRY(hs_names_index(&graph->alternates, error));
    HS_TRY(hs_sparse_group(terms, graph->parent, graph->child, graph->edges, &children, error));
    for (size_t i = 0; i < list->count;) {
        /* Titles may contain commas, at which the list was split. */
        HS_OWNS(hs_buf_clear) hs_buf text = {0};
        uint32_t found = HSEL_NONE;
        size_t taken = 0;
        while (found == HSEL_NONE && i + taken < list->count) {
            hs_buf_printf(&text, "%s%s", taken ? "," : "", list->items[i + taken]);
            HS_NEED(!text.failed);
            taken++;
            found = find_term(graph, text.text, &titled);
            if (found != HSEL_NONE && titled > 1)
                return fail_term(graph, option, text.text, titled, error);
        }
        if (found == HSEL_NONE)
            return fail_term(graph, option, list->items[i], 0, error);
        if (hs_is_obsolete(graph, found)) {
            uint32_t by = graph->replaced_by ? graph->replaced_by[found] : HSEL_NONE;
            return hs_fail_at(error, HSEL_EUSAGE, graph->source, 0,
                              "%s: the term %.80s is obsolete%s%.80s", HS_OPTION_WORD(option),
                              hs_names_get(&graph->terms, found),
                              by == HSEL_NONE ? "" : ", replaced by ",
                              by == HSEL_NONE ? "" : hs_names_get(&graph->terms, by));
        }
        if (graph->merged_into)
            found = graph->merged_into[found];
        within[found] = true;
        i += taken;
    }
    return hs_sparse_close(&children, within, error);
}

int hs_choose_terms(const hs_choose_options *options, hs_graph *graph, bool *keep,
                    hsel_error *error)
{
    uint32_t terms = graph->terms.count;
    HS_OWNED bool *leave = HS_NEW(bool, terms);
    HS_NEED(leave);
    memset(keep, true, terms * sizeof *keep);
    if (options->branch.count)
        HS_TRY(hs_terms_below("branch", &options->branch, graph, keep, error));
    HS_TRY(hs_terms_below("exclude-branch", &options->exclude_branch, graph, leave, error));
    for (uint32_t t = 0; t < terms; t++)
        keep[t] = keep[t] && !leave[t];
    return HSEL_OK;
}

/* The hierarchy of a data set as a graph: term f is feature f. */
static int graph_of(const hsel_dataset *data, hs_graph *out, hsel_error *error)
{
    HS_TRY(hs_names_copy(&data->feature_names, &out->terms, error));
    for (uint32_t f = 0; f < data->features; f++) {
        size_t count;
        const uint32_t *parents = hs_parents(data->dag, f, &count);
        for (size_t i = 0; i < count; i++)
            HS_TRY(hs_graph_edge(out, f, parents[i], error));
    }
    return HSEL_OK;
}

int hs_choose_features(const hs_choose_options *options, hs_graph *graph, hsel_dataset *data,
                       bool *keep, hsel_error *error)
{
    HS_OWNS(hs_graph_clear) hs_graph own = {0};
    HS_OWNS(hs_names_clear) hs_names labels = {0};
    HS_OWNED uint32_t *term_of = HS_NEW(uint32_t, data->features);
    uint32_t kept = 0;
    HS_NEED(term_of);
    if (!graph)
        HS_TRY(graph_of(data, &own, error));
    hs_graph *from = graph ? graph : &own;
    HS_OWNED bool *chosen = HS_NEW(bool, from->terms.count);
    HS_OWNED uint32_t *feature_of = hs_new_none(from->terms.count);
    HS_NEED(chosen && feature_of);
    HS_TRY(hs_names_index(&data->feature_names, error));
    HS_TRY(hs_graph_terms_of(from, &data->feature_names, term_of, error));
    HS_TRY(hs_names_index(&from->terms, error));
    HS_TRY(hs_names_index(&from->alternates, error));
    hs_graph titled = *from;
    if (!from->titles.count) { /* the file has no titles: labels of the features will do */
        for (uint32_t f = 0; f < data->features; f++)
            if (term_of[f] != HSEL_NONE)
                feature_of[term_of[f]] = f;
        for (uint32_t t = 0; t < from->terms.count; t++) {
            bool known = feature_of[t] != HSEL_NONE;
            HS_TRY(hs_names_append_text(
                &labels, known ? hs_about_label(&data->about, feature_of[t]) : NULL, error));
        }
        titled.titles = labels;
    }
    HS_TRY(hs_choose_terms(options, &titled, chosen, error));
    for (uint32_t f = 0; f < data->features; f++) {
        uint32_t term = term_of[f];
        if (term != HSEL_NONE && from->merged_into)
            term = from->merged_into[term];
        keep[f] = term == HSEL_NONE ? !options->branch.count : chosen[term];
        kept += keep[f];
    }
    if (!kept)
        return hs_fail(error, HSEL_EUSAGE,
                       !options->branch.count ? "no feature is left by {exclude-branch=%.200s}"
                       : options->exclude_branch.count
                           ? "no feature is left by {branch=%.200s} and {exclude-branch}"
                           : "no feature is left by {branch=%.200s}",
                       options->branch.count ? options->branch.items[0]
                                             : options->exclude_branch.items[0]);
    return HSEL_OK;
}

/* ---- instances ---- */

void hs_chosen_instances_clear(hs_chosen_instances *chosen) { hs_names_clear(&chosen->examples); }

/* Is the text a share ("20%"), not a file? The percents go to *percent. */
static bool is_share(const char *text, double *percent)
{
    size_t length = text ? strlen(text) : 0;
    return length > 1 && text[length - 1] == '%' && hs_parse_double(text, length - 1, percent);
}

int hs_choose_check(const hs_choose_options *options, hsel_error *error)
{
    double percent = 0;
    bool share = is_share(options->instances, &percent);
    if (share && !(percent > 0 && percent <= 100))
        return hs_fail(error, HSEL_EUSAGE,
                       "{instances} takes a share above 0%% and up to 100%%, not %.80s",
                       options->instances);
    if (!share && options->instances_seed != 0)
        return hs_fail(error, HSEL_EUSAGE,
                       "{instances-seed} needs a random share: give {instances=N%%}");
    return HSEL_OK;
}

static int choose_share(const hs_choose_options *options, double share, uint32_t count,
                        const uint32_t *class_of, uint32_t classes, bool *keep, hsel_error *error)
{
    HS_OWNS(hs_sparse_clear) hs_sparse of_class = {0};
    HS_OWNED uint32_t *label = HS_NEW(uint32_t, count);
    HS_NEED(label);
    for (uint32_t i = 0; i < count; i++)
        label[i] = class_of && class_of[i] < classes ? class_of[i] : classes;
    HS_TRY(hs_sparse_group(classes + 1, label, NULL, count, &of_class, error));
    for (uint32_t c = 0; c <= classes; c++) {
        uint32_t *members = of_class.index + of_class.start[c];
        size_t size = (size_t)(of_class.start[c + 1] - of_class.start[c]);
        size_t wanted = (size_t)floor((double)size * share + 0.5);
        hs_stream stream;
        hs_stream_init(&stream, options->instances_seed, "instances", c, 0);
        hs_random_shuffle(&stream, members, size);
        for (size_t i = 0; i < size && (i < wanted || i < 1); i++) /* of each class one at least */
            keep[members[i]] = true;
    }
    return HSEL_OK;
}

static int choose_listed(const char *path, hs_names *ids, uint32_t count, bool *keep,
                         hs_chosen_instances *out, hsel_error *error)
{
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    HS_OWNED bool *named = HS_NEW_ZERO(bool, count);
    char *line;
    size_t length, found = 0;
    int more;
    HS_NEED(named);
    HS_TRY(hs_reader_open(path, &reader, error));
    HS_TRY(hs_names_index(ids, error));
    while ((more = hs_reader_line(reader, &line, &length, error)) > 0) {
        const char *text = line;
        hs_trim(&text, &length);
        if (!length)
            continue;
        uint32_t id = hs_names_find(ids, text, length);
        if (id == HSEL_NONE) { /* the first column of a table */
            size_t column = 0;
            while (column < length && !strchr("\t,;", text[column]))
                column++;
            length = column;
            hs_trim(&text, &length);
            if (length > 1 && text[0] == '"' && text[length - 1] == '"') {
                text++;
                length -= 2;
            }
            id = hs_names_find(ids, text, length);
        }
        if (id != HSEL_NONE) {
            found += !named[id];
            named[id] = true;
        } else if (out->unknown++ < HS_EXAMPLES_LIMIT) {
            HS_TRY(hs_names_append(&out->examples, text, length, error));
        }
    }
    if (more < 0)
        return more;
    if (!found && out->unknown)
        return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                          "none of these instances is in the data: they are called %.80s here, but "
                          "%.80s in the data",
                          hs_names_get(&out->examples, 0), hs_names_get(ids, 0));
    if (!found)
        return hs_fail_at(error, HSEL_EUSAGE, path, 0, "no identifiers in it");
    for (uint32_t i = 0; i < count; i++) /* an identifier may repeat in the data */
        keep[i] = named[hs_names_find(ids, HS_NAME(ids, i))];
    return HSEL_OK;
}

int hs_choose_instances(const hs_choose_options *options, hs_names *ids, uint32_t count,
                        const uint32_t *class_of, uint32_t classes, bool *keep,
                        hs_chosen_instances *out, hsel_error *error)
{
    double percent = 0;
    bool share = is_share(options->instances, &percent);
    memset(keep, 0, count * sizeof *keep);
    if (count == 0)
        return hs_fail(error, HSEL_EUSAGE, "{instances}: there are no instances to choose from");
    if (!share && !ids->count)
        return hs_fail(error, HSEL_EUSAGE,
                       "{instances=%.200s}: the instances have no identifiers; {id=NAME} says "
                       "which column has them",
                       options->instances);
    HS_TRY(share ? choose_share(options, percent / 100, count, class_of, classes, keep, error)
                 : choose_listed(options->instances, ids, count, keep, out, error));
    for (uint32_t i = 0; i < count; i++)
        out->left_out += !keep[i];
    return HSEL_OK;
}
