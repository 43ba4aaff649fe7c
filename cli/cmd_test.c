/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel test: which of the terms with p-values from elsewhere to reject, on their hierarchy.
 */
#include <unistd.h>

#include "cli/cli.h"
#include "data/about.h"
#include "data/dag.h"
#include "format/table.h"
#include "format/about.h"
#include "infer/procedures.h"
#include "rank/rank.h"

struct options {
    const char *hierarchy, *hierarchy_format, *method, *id, *p, *support, *labels, *output;
    hs_graph_options graph;
    int cycles, filter; /* 0: outer nodes; else one more than an hs_similarity_kind */
    double alpha, similar;
    bool outer, all, leaves, json;
};

static const hs_option table[] = {
    HS_TEXT(struct options, method, "method", "NAME", "focused-bh",
            "bh, by, holm, focused-bh, dagger, dagger-dependent, structured-holm or yekutieli"),
    HS_OPTION(struct options, alpha, "alpha", "A", "0.05", 1e-300, 1,
              "level of the false discovery rate or family-wise error"),
    HS_FILTER_OPTIONS(struct options),
    HS_FLAG(struct options, outer, "outer",
            "show only rejected terms that pass the filter: outer nodes, or representatives"),
    HS_FLAG(struct options, leaves, "leaves", "test only terms without children"),
    HS_FLAG(struct options, all, "all", "show all terms, not only rejected ones"),
    HS_TEXT(struct options, id, "id", "NAME|INDEX", NULL,
            "column of the identifiers (default: the first)"),
    HS_TEXT(struct options, p, "p", "NAME|INDEX", NULL,
            "column of the p-values (default: p, or the second)"),
    HS_TEXT(struct options, support, "support", "NAME|INDEX", NULL,
            "column with the number of instances of each term, from which a filter by similarity "
            "computes its information (default: the number of terms below it)"),
    HS_FILE(struct options, labels, "labels", "FILE", HS_READS,
            "table of labels of the terms: id, label (default: names of terms in the hierarchy "
            "file)"),
    HS_FLAG(struct options, json, "json", "print JSON"),
    HS_OUTPUT_FILE(struct options, output, "FILE", HS_WRITES, "-",
                   "write to this file (.gz compresses) instead of standard output"),
    HS_OPTION_END};

static const hs_option hierarchy_table[] = {
    HS_FILE(struct options, hierarchy, "hierarchy", "FILE", HS_READS,
            "hierarchy over the terms; terms without p-value are skipped"),
    HS_TEXT(struct options, hierarchy_format, "hierarchy-format", "NAME", NULL,
            "format of the hierarchy file (default: detected from content and name)"),
    HS_EDGE_OPTIONS(struct options),
    HS_TEXT(struct options, graph.namespaces, "namespaces", "NAME,…", NULL,
            "namespaces of the ontology to keep (default: all)"),
    HS_OPTION_END};

struct terms {
    hs_names ids;
    double *p;
    uint32_t *support; /* instances, if requested */
    size_t capacity, support_capacity;
    uint32_t missing; /* lines whose p-value is empty, ? or NA */
    bool p_named;     /* --p was given */
    hsel_dag *dag;    /* NULL: no hierarchy */
    hs_about about;   /* labels */
};

static void clear_terms(struct terms *terms)
{
    hs_names_clear(&terms->ids);
    hs_about_clear(&terms->about);
    hs_dag_free(terms->dag);
    HS_FREE(terms->p, terms->support);
}

/* Adds a line, whose p-value may be missing; support NULL: not requested. */
static int add_term(const hs_table *from, struct terms *terms, const char *id, const char *text,
                    const char *support, hsel_error *error)
{
    uint32_t term;
    uint64_t number = 0;
    bool added;
    double p;
    if (!*text || strcmp(text, "?") == 0 || strcmp(text, "NA") == 0) {
        terms->missing++;
        return HSEL_OK;
    }
    if (!hs_parse_double(text, strlen(text), &p) || !(p >= 0 && p <= 1))
        return hs_table_fail(from, error, "%.80s is not a p-value: a number from 0 to 1%s", text,
                             terms->p_named ? "" : "; --p names their column");
    if (!*id)
        return hs_table_fail(from, error, "no identifier");
    if (support && (!hs_parse_u64(support, strlen(support), &number) || number > UINT32_MAX))
        return hs_table_fail(from, error, "%.80s is not a number of instances", support);
    HS_TRY(hs_names_intern(&terms->ids, id, strlen(id), &term, &added, error));
    if (!added)
        return hs_table_fail(from, error, "%.200s occurs twice", id);
    HS_NEED(HS_GROW(&terms->p, &terms->capacity, (size_t)term + 1));
    HS_NEED(HS_GROW(&terms->support, &terms->support_capacity, (size_t)term + 1));
    terms->p[term] = p;
    terms->support[term] = (uint32_t)number;
    return HSEL_OK;
}

static int read_terms(const hs_call *call, struct terms *terms, hsel_error *error)
{
    const struct options *options = call->values;
    const char *file = call->arguments[0];
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    HS_OWNS(hs_table_clear) hs_table from = {0};
    const hs_field *fields;
    uint32_t id = 0, column = 1, support = HSEL_NONE;
    double number;
    int got;
    HS_TRY(hs_reader_open(file, &reader, error));
    HS_TRY(hs_table_open(reader, 0, &from, error));
    if (from.header.count < 2)
        return hs_table_fail(
            &from, error,
            "expected an identifier and a p-value, separated by a tab, a comma or a semicolon");
    if (options->id)
        HS_TRY(hs_column_find(&from.header, options->id, file, &id, error));
    terms->p_named = options->p != NULL;
    if (options->p)
        HS_TRY(hs_column_find(&from.header, options->p, file, &column, error));
    else if (hs_names_find(&from.header, "p", 1) != HSEL_NONE)
        column = hs_names_find(&from.header, "p", 1);
    if (options->support)
        HS_TRY(hs_column_find(&from.header, options->support, file, &support, error));
    const char *first = hs_names_get(&from.header, column);
    HS_REFUSE(id == column, "identifiers and p-values are the same column, %.80s", first);
    /* Not a header: a number, or a substitute such as NA or <1e-16. */
    if (hs_parse_double(first, strlen(first), &number) ||
        (!options->p && *first && (strchr("0123456789.<?", *first) || strcmp(first, "NA") == 0)))
        HS_TRY(add_term(&from, terms, hs_names_get(&from.header, id), first,
                        options->support ? hs_names_get(&from.header, support) : NULL, error));
    while ((got = hs_table_next(&from, &fields, error)) > 0)
        HS_TRY(add_term(&from, terms, fields[id].text, fields[column].text,
                        options->support ? fields[support].text : NULL, error));
    if (got < 0)
        return got;
    return terms->ids.count ? HSEL_OK
                            : hs_fail_at(error, HSEL_EFORMAT, file, 0, "no p-values in it");
}

/* The information content of terms, from their support or from the number of terms below them. */
static int measure(const struct options *options, const struct terms *terms, hs_similarity *out,
                   hsel_error *error)
{
    const uint32_t count = terms->ids.count;
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    HS_OWNED uint32_t *below = HS_NEW(uint32_t, count);
    uint32_t all = count, above;
    HS_NEED(below);
    HS_TRY(hs_reach_init(&reach, terms->dag, error));
    for (uint32_t v = 0; v < count; v++)
        below[v] = 1; /* itself */
    for (uint32_t v = 0; v < count && !options->support; v++)
        for (hs_reach_start(&reach, v); (above = hs_reach_next(&reach)) != HSEL_NONE;)
            below[above]++;
    for (uint32_t v = 0; v < count && options->support; v++)
        all = terms->support[v] > all || !v ? terms->support[v] : all;
    HS_TRY(hs_similarity_init(out, terms->dag, count, options->support ? terms->support : below,
                              all, (hs_similarity_kind)(options->filter - 1), error));
    out->scaled = true;
    return HSEL_OK;
}

/* The hierarchy among the terms, and their labels in it. */
static int read_hierarchy(const hs_call *call, struct terms *terms, hsel_error *error)
{
    const struct options *options = call->values;
    const uint32_t count = terms->ids.count;
    HS_OWNS(hs_graph_clear) hs_graph graph = {0};
    hs_bind_report bind = {0};
    const hs_method *format;
    HS_TRY(hs_load_graph(options->hierarchy, options->hierarchy_format, &options->graph,
                         (hs_cycles)options->cycles, &graph, &format, error));
    HS_TRY(hs_dag_bind(&graph, &terms->ids, &bind, &terms->dag, error));
    if (bind.features_not_terms == count)
        return hs_fail_at(error, HSEL_EFORMAT, call->arguments[0], 0,
                          "none of its %u terms is in %s: is this their hierarchy?", count,
                          options->hierarchy);
    if (bind.features_not_terms)
        hs_note(call,
                "%u of %u terms are not in the hierarchy, e.g. %.100s; they are tested as "
                "terms without parents and children",
                bind.features_not_terms, count, hs_names_get(&terms->ids, bind.first_missing));
    HS_OWNED uint32_t *term_of = HS_NEW(uint32_t, count);
    HS_NEED(term_of);
    HS_TRY(hs_graph_terms_of(&graph, &terms->ids, term_of, error));
    return hs_about_terms(&graph, term_of, count, &terms->about, error);
}

/* Keeps only terms without children. */
static int keep_leaves(struct terms *terms, hsel_error *error)
{
    const uint32_t count = terms->ids.count;
    HS_OWNED bool *keep = HS_NEW(bool, count);
    HS_OWNS(clear_terms) struct terms leaves = {0};
    uint32_t kept = 0;
    HS_NEED(keep);
    for (uint32_t v = 0; v < count; v++) {
        keep[v] = hs_is_leaf(terms->dag, v);
        terms->p[kept] = terms->p[v];
        terms->support[kept] = terms->support[v];
        kept += keep[v];
    }
    HS_TRY(hs_about_subset(&terms->about, keep, count, &leaves.about, error));
    HS_TRY(hs_names_subset(&terms->ids, keep, &leaves.ids, error));
    HS_TRY(hs_dag_subset(terms->dag, keep, &leaves.dag, error));
    leaves.p = hs_take(&terms->p);
    leaves.support = hs_take(&terms->support);
    clear_terms(terms);
    HS_MOVE(terms, &leaves);
    return HSEL_OK;
}

/* What the procedure decides on each term. */
struct decision {
    bool *rejected, *inherited, *outer; /* outer: or a representative, by the filter */
    double *adjusted;
    uint32_t *order; /* smallest p first */
    uint32_t rejections, inheriting, outer_count;
    const char *kept; /* what `outer` is called */
};

static int decide(const hs_call *call, const struct terms *terms, const hs_procedure *procedure,
                  struct decision *out, hsel_error *error)
{
    const struct options *options = call->values;
    const uint32_t count = terms->ids.count;
    HS_OWNS(hs_similarity_clear) hs_similarity similarity = {0};
    HS_OWNED double *low_first = HS_NEW(double, count);
    HS_NEED(low_first && HS_LISTS(call->arena, out, HS_PART(out, rejected, count),
                                  HS_PART(out, inherited, count), HS_PART(out, outer, count),
                                  HS_PART(out, adjusted, count), HS_PART(out, order, count)));
    const hs_hypotheses h = {terms->p,        count,       terms->dag,
                             options->alpha,  &terms->ids, options->filter ? &similarity : NULL,
                             options->similar};
    if (options->filter)
        HS_TRY(measure(options, terms, &similarity, error));
    HS_TRY(hs_procedure_run(procedure, &h, out->rejected, out->adjusted, error));
    HS_TRY(hs_inherited(procedure, &h, out->adjusted, out->inherited, error));
    HS_TRY(hs_filter_rejected(&h, out->rejected, out->outer, &out->outer_count, error));
    for (uint32_t v = 0; v < count; v++) {
        low_first[v] = -terms->p[v];
        out->rejections += out->rejected[v];
        out->inheriting += out->rejected[v] && out->inherited[v];
    }
    hs_rank_order(low_first, count, NULL, out->order);
    out->kept = options->filter ? "representative" : "outer";
    return HSEL_OK;
}

static const char *say_rejected(const struct decision *d, uint32_t v)
{
    return !d->rejected[v] ? "no" : d->inherited[v] ? "inherited" : "yes";
}

/* As JSON; aligned for people on a terminal; files and pipes get every digit. */
static int print_terms(const hs_call *call, const struct terms *terms, const struct decision *d,
                       const hs_procedure *procedure, hs_writer *out, hsel_error *error)
{
    const struct options *options = call->values;
    const uint32_t count = terms->ids.count;
    hs_json json = {.out = out};
    const bool aligned =
        !options->json && strcmp(options->output, "-") == 0 && isatty(STDOUT_FILENO);
    hs_doc_grid grid = {.doc = call->doc, .columns = 6, .left = 2};
    if (options->json)
        hs_json_put(
            &json,
            "{method:%s alpha:%g controls:%s assumes:%s terms:%u rejected:%u %s:%u results:[",
            procedure->name, options->alpha, procedure->controls, procedure->assumes, count,
            d->rejections, d->kept, d->outer_count);
    else if (aligned)
        HS_ROW(&grid, "id", "label", "p", "adjusted", "rejected", d->kept);
    else
        hs_writer_printf(out, "id\tlabel\tp\tadjusted\trejected\t%s\n", d->kept);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = d->order[i];
        const char *id = hs_names_get(&terms->ids, v), *label = hs_about_label(&terms->about, v),
                   *outer = d->outer[v] ? "yes" : "no";
        if (!options->all && !(options->outer ? d->outer : d->rejected)[v])
            continue;
        if (options->json) {
            hs_json_put(&json, "{id:%s label:%s p:%g adjusted:%g rejected:%d inherited:%d %s:%d}",
                        id, label, terms->p[v], d->adjusted[v], d->rejected[v],
                        d->rejected[v] && d->inherited[v], d->kept, d->outer[v]);
        } else if (aligned) {
            HS_ROW(&grid, id, label ? label : "");
            hs_put_number(&grid, terms->p[v], 3, false);
            hs_put_number(&grid, d->adjusted[v], 3, false);
            HS_ROW(&grid, say_rejected(d, v), outer);
        } else {
            hs_put_escaped(out, hs_put_tsv, "%s\t%s\t%g\t", id, label, terms->p[v]);
            if (isnan(d->adjusted[v]))
                hs_writer_text(out, "NA");
            else
                hs_writer_double(out, d->adjusted[v]);
            hs_put_escaped(out, hs_put_tsv, "\t%s\t%s\n", say_rejected(d, v), outer);
        }
    }
    if (options->json)
        hs_json_put(&json, "]}");
    return aligned ? hs_grid_print(&grid, out, error) : HSEL_OK;
}

static int test_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(clear_terms) struct terms terms = {0};
    struct decision decision = {0};
    char left_over[64] = "";
    const hs_procedure *procedure = hs_procedure_find(options->method, error);
    if (!procedure)
        return HSEL_EUSAGE;
    HS_REFUSE(!options->hierarchy && procedure->upwards,
              "%s needs a hierarchy: give --hierarchy FILE", procedure->name);
    HS_TRY(read_terms(call, &terms, error));
    if (options->hierarchy)
        HS_TRY(read_hierarchy(call, &terms, error));
    else if (procedure->filters)
        hs_note(call,
                "without --hierarchy no term has parents or children, and %s is Benjamini-Hochberg",
                procedure->title);
    if (options->labels)
        HS_TRY(hs_about_load(options->labels, &(hs_about_how){.what = "term"}, &terms.ids,
                             terms.ids.count, &terms.about, &(hs_about_report){0}, error));
    if (terms.missing)
        hs_note(call, "lines without a p-value, left out: %u", terms.missing);
    if (options->leaves)
        HS_TRY(keep_leaves(&terms, error));
    HS_TRY(decide(call, &terms, procedure, &decision, error));
    HS_OPEN(out, options->output);
    HS_TRY(print_terms(call, &terms, &decision, procedure, out, error));
    if (terms.dag)
        snprintf(left_over, sizeof left_over, ", %u of them %s", decision.outer_count,
                 options->filter ? "representatives" : "outer nodes");
    hs_note(call, "%s, %s at most %g: %u of %u terms rejected%s", procedure->title,
            procedure->controls, options->alpha, decision.rejections, terms.ids.count, left_over);
    if (decision.inheriting)
        hs_note(call,
                "%u of them are inherited from a rejected term below; their own p-values would not "
                "suffice",
                decision.inheriting);
    hs_note(call, "%s assumes %s", procedure->title, procedure->assumes);
    return hs_writer_commit(hs_take(&out), error);
}

const hs_command hs_command_test = {
    HS_COMMAND_IS(test, "P", "apply multiple testing procedures to p-values on a hierarchy",
                  struct options),
    .first = "method alpha hierarchy outer filter all p id json output",
    .groups = {{"Options", table, 0}, {"Hierarchy", hierarchy_table, 0}},
    .flags = HS_WRITES_CSV,
};
