/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel discover: from a list of known positives to ranked candidates. Data that are built already
 * are loaded as in every command; annotations become a data set of all annotated objects first.
 */
#include <sys/stat.h>

#include "cli/cli.h"

#include "build/profile_set.h"
#include "data/classes.h"
#include "learn/discover.h"
#include "learn/fold_file.h"
#include "load/folder.h"

#define MOST_DETAILS 100 /* candidates whose score is explained in the page */

struct options {
    hs_load_options load;
    const char *positives, *negatives, *output, *report, *sets, *page;
    hs_list annotations;
    const char *annotations_format;
    hs_annotation_options annotation;
    hs_list evidence, no_evidence;
    hsel_request request;
    uint32_t top, smallest, largest;
    double fdr;
    bool correct_bias, json, csv, allow_violations;
};

static const hs_option table[] = {
    HS_FILE(struct options, positives, "positives", "FILE|LIST", HS_READS,
            "known positives: a file (of a table, its first column) or a list; identifiers, or "
            "symbols in any case (default: the positive class of --pu)"),
    HS_FILE(struct options, sets, "sets", "FILE", HS_READS,
            "instead of positives: evaluate how well each of many sets can be predicted: GMT, or a "
            "table of set and member"),
    HS_OPTION(struct options, smallest, "min-set", "N", "10", 3, 1000000000,
              "with --sets: leave out sets with fewer members in the data"),
    HS_OPTION(struct options, largest, "max-set", "N", "500", 3, 1000000000,
              "with --sets: leave out sets with more members in the data"),
    HS_OPTION(struct options, top, "top", "N", "20", 0, 1000000000,
              "show the N first candidates; 0: all"),
    HS_OPTION(struct options, fdr, "fdr", "Q", "0", 0, 0.99,
              "select candidates with a false discovery rate of at most Q, relative to reliable "
              "negatives or --negatives (conformal selection); 0: do not"),
    HS_FILE(struct options, negatives, "negatives", "FILE|LIST", HS_READS,
            "known negatives, given like positives: they calibrate --fdr and are no candidates"),
    HS_FLAG(struct options, correct_bias, "correct-bias",
            "rank by how high a score is among unlabelled instances with similar numbers of "
            "annotations, so that well studied ones are not preferred"),
    HS_TEXT(struct options, request.selector, "select", "METHOD", "none", "selector"),
    HS_TEXT(struct options, request.classifier, "classify", "METHOD", NULL,
            "classifier (default: pu where it is built in, else nb; with --sets: nb)"),
    HS_OPTION(struct options, request.folds, "folds", "N", "5", 2, 1000,
              "folds; each instance is scored by the models trained without its fold"),
    HS_OPTION(struct options, request.repeats, "repeats", "N", "1", 1, 1000,
              "repetitions with different folds; scores are their mean"),
    HS_OPTION(struct options, request.seed, "seed", "S", "1", 0, 9e15,
              "seed of folds and methods; repeat r uses S + r"),
    HS_ALLOW_VIOLATIONS(struct options),
    HS_FLAG(struct options, json, "json", "print everything as JSON"),
    HS_FLAG(struct options, csv, "csv", "print the candidates as CSV"),
    HS_OUTPUT_FILE(struct options, output, "FILE", HS_WRITES, "-",
                   "file to write, or - for standard output"),
    HS_FILE(struct options, report, "report", "FILE", HS_WRITES,
            "write a paragraph on the methods and the provenance, for a paper"),
    HS_FILE(struct options, page, "page", "FILE.html", HS_WRITES,
            "write the explorer's page of candidates: all of them, how their scores add up, beside "
            "known positives"),
    HS_OPTION_END};

static const hs_option annotation_table[] = {
    HS_FILE(struct options, annotations, "annotations", "FILE", HS_READS,
            "instead of DATA: annotations of genes or other objects, with --hierarchy; may be "
            "given several times"),
    HS_TEXT(struct options, annotations_format, "annotations-format", "NAME", NULL,
            "format of the annotation file (default: detected from content and name)"),
    HS_TEXT(struct options, annotation.taxon, "taxon", "ID,…", NULL,
            "species to take from the annotations, such as 9606 (default: all)"),
    HS_CHOICE(struct options, annotation.object_key, "object", "id|symbol", "id",
              "whether objects are told apart by identifier or by symbol"),
    HS_TEXT(struct options, annotation.separators, "term-separators", "CHARS", ";|,",
            "characters that separate several terms of one object in a table of pairs"),
    HS_TEXT(struct options, evidence, "evidence", "CODE,…", NULL,
            "evidence codes or groups to keep, as in hsel build (default: all)"),
    HS_TEXT(struct options, no_evidence, "no-evidence", "CODE,…", NULL,
            "evidence codes or groups to leave out"),
    HS_OPTION_END};

/* ---- lists of names ---- */

static int add_text(hs_call *call, hs_list *list, size_t *capacity, const char *text, size_t length,
                    hsel_error *error)
{
    char *copy = hs_arena_text(call->arena, text, length);
    HS_NEED(copy &&
            hs_arena_grow(call->arena, &list->items, list->count, capacity, sizeof *list->items));
    list->items[list->count++] = copy;
    return HSEL_OK;
}

/* The lines of a file, of a table their first cells, without comments; or the text itself. */
static int read_list(const hs_call *given, const char *option, const char *text, hs_list *out,
                     hsel_error *error)
{
    hs_call call = *given;
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    struct stat about;
    size_t capacity = 0, length, cut = 0;
    char *line;
    int got;
    const bool is_file = strcmp(text, "-") == 0 || stat(text, &about) == 0;
    HS_FAIL_IF(!is_file && (strchr(text, '/') || hs_ends_with(text, ".txt") ||
                            hs_ends_with(text, ".tsv") || hs_ends_with(text, ".csv")),
               HSEL_EIO, "there is no file '%.200s' for --%s", text, option);
    if (!is_file)
        return add_text(&call, out, &capacity, text, strlen(text), error);
    HS_TRY(hs_reader_open(text, &reader, error));
    while ((got = hs_reader_line(reader, &line, &length, error)) == 1) {
        const char *tab = memchr(line, '\t', length);
        if (*line == '#' && !(line[1] >= '0' && line[1] <= '9')) /* #3 is an instance */
            continue;
        cut += tab != NULL;
        HS_TRY(add_text(&call, out, &capacity, line, tab ? (size_t)(tab - line) : length, error));
    }
    if (cut)
        hs_note(&call, "only the first column of %s is read", text);
    HS_REFUSE(!got && !out->count, "%.200s has no names", text);
    return got;
}

/* With a NUL after each name, as hsel.h takes them. */
static int join(const hs_call *call, const hs_list *list, const char **out, hsel_error *error)
{
    size_t length = 1;
    for (size_t i = 0; i < list->count; i++)
        length += strlen(list->items[i]) + 1;
    char *text = HS_ARENA_NEW(call->arena, char, length), *at = text;
    HS_NEED(text);
    *text = '\0';
    for (size_t i = 0; i < list->count; i++)
        at = stpcpy(at, list->items[i]) + 1;
    *out = text;
    return HSEL_OK;
}

/* ---- annotations ---- */

/* Names of the list as the annotations have them, also by synonyms; others stay as they are. */
static int map_names(hs_annotations *annotations, hs_list *list, hs_arena *arena, hsel_error *error)
{
    HS_OWNS(hs_names_clear) hs_names names = {0};
    HS_OWNS(hs_labels_clear) hs_labels labels = {0};
    HS_OWNS(hs_assemble_report_clear) hs_assemble_report report = {0};
    hs_list mapped = {0};
    size_t capacity = 0;
    for (size_t i = 0; i < list->count; i++)
        for (const char *at = list->items[i]; *at;) {
            const size_t length = strcspn(at, "\t,;| ");
            if (length)
                HS_TRY(hs_names_intern(&names, at, length, &(uint32_t){0}, NULL, error));
            at += length + (at[length] != '\0');
        }
    HS_TRY(hs_labels_list(&names, &labels, error));
    HS_TRY(hs_map_objects(annotations, &labels,
                          &(hs_map_options){.ambiguous = HS_AMBIGUOUS_DROP, .ignore_case = true},
                          &report, error));
    for (uint32_t i = 0; i < labels.ids.count; i++) {
        HS_NEED(hs_arena_grow(arena, &mapped.items, mapped.count, &capacity, sizeof *mapped.items));
        HS_NEED(mapped.items[mapped.count++] = hs_arena_text(arena, HS_NAME(&labels.ids, i)));
    }
    *list = mapped;
    return HSEL_OK;
}

/* Every annotated object, without classes. */
static int build(const hs_call *call, hs_list *lists[2], hsel_dataset **out, hsel_error *error)
{
    const struct options *options = call->values;
    const hs_load_options *load = &options->load;
    HS_OWNS(hs_graph_clear) hs_graph graph = {0};
    HS_OWNS(hs_annotations_clear) hs_annotations annotations = {0};
    HS_OWNS(hs_labels_clear) hs_labels labels = {0};
    HS_OWNS(hs_assemble_report_clear) hs_assemble_report report = {0};
    HS_OWNS(hs_buf_clear) hs_buf name = {0};
    hs_assemble_options assemble = {0};
    const hs_method *format;
    HS_TRY(hs_options_defaults(hs_assemble_table, &assemble, call->arena, error));
    hs_name_from_path(options->annotations.items[0], &name);
    HS_NEED(!name.failed);
    assemble.name = name.text;
    assemble.evidence = options->evidence;
    assemble.no_evidence = options->no_evidence;
    assemble.namespaces = load->graph.namespaces;
    assemble.choose = load->choose;
    assemble.drop_roots = load->drop_roots;
    if (load->min_support)
        assemble.min_support = load->min_support;
    HS_TRY(hs_load_graph(load->hierarchy, load->hierarchy_format, &load->graph,
                         (hs_cycles)load->cycles, &graph, &format, error));
    for (size_t i = 0; i < options->annotations.count; i++)
        HS_TRY(hs_annotations_load(options->annotations.items[i], options->annotations_format,
                                   &options->annotation, &annotations, NULL, error));
    HS_TRY(hs_labels_list(&annotations.objects, &labels, error));
    for (int l = 0; l < 2; l++)
        if (lists[l]->count)
            HS_TRY(map_names(&annotations, lists[l], call->arena, error));
    return hs_assemble(&assemble, &graph, &annotations, &labels, &report, out, error);
}

/* ---- the report ---- */

/* A file with its size and hash. */
static int put_input(hs_writer *out, const char *what, const char *path, hs_arena *arena,
                     hsel_error *error)
{
    struct stat about;
    char hash[HS_HASH];
    if (!path || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return HSEL_OK;
    HS_TRY(hs_file_hash(path, hash, error));
    hs_writer_printf(out, "%-10s %s, %llu bytes, xxh3 %s\n", what,
                     hs_shown(hs_last_part(path), arena), (unsigned long long)about.st_size, hash);
    return HSEL_OK;
}

static int write_report(const hs_call *call, const char *text, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OPEN(out, options->report);
    hs_writer_put(out, text, strlen(text) - 1);
    hs_writer_text(out, "command    hsel discover");
    for (int i = 0; i < call->word_count; i++)
        hs_writer_printf(out, " %s", hs_shown(call->words[i], call->arena));
    hs_writer_char(out, '\n');
    HS_TRY(put_input(out, "input", call->count ? call->arguments[0] : NULL, call->arena, error));
    for (size_t i = 0; i < options->annotations.count; i++)
        HS_TRY(put_input(out, "input", options->annotations.items[i], call->arena, error));
    HS_TRY(put_input(out, "hierarchy", options->load.hierarchy, call->arena, error));
    HS_TRY(put_input(out, "positives", options->positives, call->arena, error));
    HS_TRY(put_input(out, "negatives", options->negatives, call->arena, error));
    return hs_writer_commit(hs_take(&out), error);
}

/* ---- the page ---- */

/* The candidates are scored once more, by the same folds, but by models that are kept. */
static int write_page(const hs_call *call, const hsel_dataset *data, const hs_list *positives,
                      hsel_error *error)
{
    const struct options *options = call->values;
    const hsel_request *r = &options->request;
    const char *classifier = r->classifier ? r->classifier : "pu";
    HS_OWNS(hs_dataset_release) hsel_dataset *classed = NULL;
    HS_OWNS(hs_matched_clear) hs_matched matched = {0};
    HS_OWNS(hs_chosen_clear) hs_chosen selector = {0}, chosen = {0};
    HS_OWNS(hs_folds_clear) hs_folds folds = {0};
    HS_OWNS(hs_notes_clear) hs_notes notes = HS_NOTES;
    HS_OWNED bool *known = HS_NEW(bool, data->instances);
    HS_NEED(known);
    if (options->positives)
        HS_TRY(
            hs_match_instances(data, positives->items, positives->count, known, &matched, error));
    for (uint32_t i = 0; i < data->instances && !options->positives; i++)
        known[i] = data->class_of[i] == data->positive_class;
    HS_TRY(hs_discover_data(data, known, &classed, error));
    HS_TRY(hs_chosen_parse(HS_SELECTOR, r->selector, &selector, error));
    HS_TRY(hs_chosen_parse(HS_CLASSIFIER, classifier, &chosen, error));
    HS_TRY(hs_folds_choose("own", classed, r->folds, r->seed, &folds, error));
    hs_explore_request request = {.data = classed,
                                  .command = "hsel discover",
                                  .selectors = &selector,
                                  .classifiers = &chosen,
                                  .selector_count = 1,
                                  .classifier_count = 1,
                                  .folds = &folds,
                                  .seed = r->seed,
                                  .allow_violations = options->allow_violations,
                                  .how = hs_say(call->doc, "cross-validation, %u folds, seed %llu",
                                                folds.count, (unsigned long long)r->seed),
                                  .terms = 500,
                                  .details = options->top && options->top < MOST_DETAILS ? options->top : MOST_DETAILS,
                                  .threads = options->load.threads};
    return hs_write_exploration(call, &request, options->page, false, &notes, error);
}

/* ---- the command ---- */

static int discover_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNED char *shown = NULL, *report = NULL;
    hs_list positives = {0}, negatives = {0}, *lists[] = {&positives, &negatives};
    hsel_discover_request how = {.size = sizeof how,
                                 .top = options->top ? options->top : HSEL_NONE,
                                 .fdr = options->fdr,
                                 .correct_bias = options->correct_bias,
                                 .form = options->csv ? "csv" : NULL};
    if (options->report)
        how.report = &report;
    if (options->page)
        HS_TRY(hs_exploration_page_check(error));
    if (options->positives)
        HS_TRY(read_list(call, "positives", options->positives, &positives, error));
    if (options->negatives)
        HS_TRY(read_list(call, "negatives", options->negatives, &negatives, error));
    HS_TRY(call->count ? hs_load_for(call, call->arguments[0], &options->load, &data, error)
                       : build(call, lists, &data, error));
    if (options->positives)
        HS_TRY(join(call, &positives, &how.positives, error));
    if (options->negatives)
        HS_TRY(join(call, &negatives, &how.negatives, error));
    how.positive_count = (uint32_t)positives.count;
    how.negative_count = (uint32_t)negatives.count;
    hsel_request request = hs_request(call, &options->request, options->load.threads);
    request.allow_violations = options->allow_violations;
    if (options->sets)
        HS_TRY(hsel_discover_sets(data, &request, options->sets, options->smallest,
                                  options->largest,
                                  options->json  ? "json"
                                  : options->csv ? "csv"
                                                 : "text",
                                  &shown, error));
    else
        HS_TRY(hsel_discover(data, &request, &how, options->json ? &shown : NULL,
                             options->json ? NULL : &shown, error));
    hs_progress_end(call->show);
    if (report)
        HS_TRY(write_report(call, report, error));
    if (options->page)
        HS_TRY(write_page(call, data, &positives, error));
    return hs_print_text(options->output, shown, error);
}

const hs_command hs_command_discover = {
    HS_COMMAND_IS(discover, "[DATA]", "rank candidates by a list of known positives",
                  struct options),
    .first = "positives sets annotations hierarchy top fdr correct-bias classify report page csv "
             "json output",
    .groups = {{"Options", table, 0},
               {"Annotations", annotation_table, 0},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .flags = HS_WORKS | HS_WRITES_CSV,
};
