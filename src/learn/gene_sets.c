/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads sets of instances, and evaluates how well each can be predicted.
 */
#include "learn/gene_sets.h"

/* ---- reading ---- */

struct reading {
    hs_reader *reader;
    hs_gene_sets *out;
    uint32_t *set, *gene; /* of each member */
    size_t count, set_capacity, gene_capacity;
};

static void reading_clear(struct reading *r) { HS_FREE(r->set, r->gene); }

static int add_member(struct reading *r, uint32_t set, const char *text, size_t length,
                      hsel_error *error)
{
    uint32_t gene;
    hs_trim(&text, &length);
    if (!length)
        return HSEL_OK;
    HS_TRY(hs_names_intern(&r->out->genes, text, length, &gene, NULL, error));
    HS_NEED(HS_GROW(&r->set, &r->set_capacity, r->count + 1) &&
            HS_GROW(&r->gene, &r->gene_capacity, r->count + 1));
    r->set[r->count] = set;
    r->gene[r->count++] = gene;
    return HSEL_OK;
}

/* The first line is a header if its first field is a usual title. */
static bool is_header(const char *line, size_t length)
{
    static const char *const titles[] = {"set",    "gene_set", "geneset", "pathway",
                                         "term",   "hpo_id",   "disease", "pathways",
                                         "set_id", "name",     "term_id", "go_id"};
    bool header = false;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        header |= hs_equal_nocase(line, length, titles[i]);
    return header;
}

static int read_line(struct reading *r, const char *line, size_t length, bool pairs, char between,
                     hsel_error *error)
{
    const char *end = line + length, *tab = memchr(line, between, length);
    if (!tab)
        return hs_fail_line(error, r->reader,
                            "one column: a line has the name of a set, a description and members "
                            "between tabs (GMT), or a set and a member");
    const char *name = line;
    size_t width = (size_t)(tab - line);
    uint32_t set;
    bool added;
    hs_trim(&name, &width);
    if (!width)
        return hs_fail_line(error, r->reader, "no name of a set (column 1)");
    HS_TRY(hs_names_intern(&r->out->names, name, width, &set, &added, error));
    if (!pairs && !added)
        return hs_fail_line(error, r->reader, "there are two sets named '%.200s'",
                            hs_names_get(&r->out->names, set));
    if (pairs)
        return memchr(tab + 1, between, (size_t)(end - tab - 1))
                   ? hs_fail_line(error, r->reader, "more than two columns, unlike the first line")
                   : add_member(r, set, tab + 1, (size_t)(end - tab - 1), error);
    tab = memchr(tab + 1, between, (size_t)(end - tab - 1)); /* after the description */
    while (tab) {
        const char *start = tab + 1;
        tab = memchr(start, between, (size_t)(end - start));
        HS_TRY(add_member(r, set, start, (size_t)((tab ? tab : end) - start), error));
    }
    return HSEL_OK;
}

int hs_gene_sets_read(hs_reader *reader, hs_gene_sets *out, hsel_error *error)
{
    HS_OWNS(reading_clear) struct reading r = {.reader = reader, .out = out};
    bool first = true, pairs = false;
    char *line, between = '\t';
    size_t length;
    for (int got; (got = hs_reader_line(reader, &line, &length, error)) != 0;) {
        HS_TRY(got < 0 ? got : HSEL_OK);
        if (*line == '#' || strspn(line, " \t\r,") == length)
            continue;
        if (first) {
            between = memchr(line, '\t', length) ? '\t' : ',';
            const char *tab = memchr(line, between, length);
            pairs = tab && !memchr(tab + 1, between, (size_t)(line + length - tab - 1));
            first = false;
            if (tab && !pairs && between == ',')
                return hs_fail_line(error, reader,
                                    "more than two columns between commas: GMT has tabs, and a "
                                    "table of set and member has two columns");
            if (pairs && is_header(line, (size_t)(tab - line)))
                continue;
        }
        HS_TRY(read_line(&r, line, length, pairs, between, error));
    }
    if (!out->names.count)
        return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(reader), 0,
                          "there are no sets in it");
    return hs_sparse_group(out->names.count, r.set, r.gene, r.count, &out->members, error);
}

void hs_gene_sets_clear(hs_gene_sets *sets)
{
    HS_CLEAR_NAMES(&sets->names, &sets->genes);
    hs_sparse_clear(&sets->members);
}

/* ---- evaluating ---- */

struct sets_run {
    const hs_discover_request *request;
    const hs_gene_sets *sets;
    uint32_t smallest, largest;
    hs_set_results *out;
    uint32_t *instance; /* [genes]: HSEL_NONE: none */
    hs_progress_parts progress;
};

/* Which instance each gene is: matched one at a time, because several may be the same. */
static int match_genes(struct sets_run *run, hsel_error *error)
{
    const hsel_dataset *data = run->request->data;
    const hs_names *genes = &run->sets->genes;
    HS_OWNED const char **names = HS_NEW(const char *, genes->count);
    HS_OWNED uint32_t *first = HS_NEW(uint32_t, genes->count);
    HS_NEED(names && first);
    for (uint32_t g = 0; g < genes->count; g++)
        names[g] = hs_names_get(genes, g);
    HS_TRY(hs_match_each(data, names, genes->count, run->instance, error));
    for (uint32_t g = 0; g < genes->count; g++) { /* without a prefix */
        const char *colon = strchr(names[g], ':');
        names[g] = run->instance[g] == HSEL_NONE && colon ? colon + 1 : "";
    }
    HS_TRY(hs_match_each(data, names, genes->count, first, error));
    for (uint32_t g = 0; g < genes->count; g++)
        if (run->instance[g] == HSEL_NONE) {
            run->instance[g] = first[g];
            if (first[g] == HSEL_NONE)
                HS_TRY(hs_names_append(&run->out->missing, HS_NAME(genes, g), error));
        }
    return HSEL_OK;
}

static int evaluate_set(void *context, size_t task, int worker, hsel_error *error)
{
    struct sets_run *run = context;
    const hs_gene_sets *sets = run->sets;
    const uint32_t n = run->request->data->instances;
    hs_set_result *result = &run->out->items[task];
    hs_discover_request request = *run->request;
    HS_OWNED bool *known = HS_NEW_ZERO(bool, n);
    HS_OWNS(hs_discovery_clear) hs_discovery found = {0};
    hs_progress_part part;
    (void)worker;
    HS_NEED(known);
    hs_progress_part_begin(&part, &run->progress, NULL);
    *result = (hs_set_result){.set = (uint32_t)task};
    for (uint64_t m = sets->members.start[task]; m < sets->members.start[task + 1]; m++) {
        const uint32_t i = run->instance[sets->members.index[m]];
        result->size++;
        if (i != HSEL_NONE)
            known[i] = true;
    }
    for (uint32_t i = 0; i < n; i++)
        result->matched += known[i];
    result->small = result->matched < run->smallest;
    result->large = !result->small && (result->matched > run->largest || result->matched + 3 > n);
    if (!result->small && !result->large) {
        request.known = known;
        request.negative = NULL;
        request.top = 1;
        request.fdr = 0;
        request.correct_bias = false;
        request.threads = 1;
        request.progress = &part.progress;
        HS_TRY(hs_discover(&request, &found, error));
        result->metrics = found.metrics;
    }
    return hs_progress_part_end(&part, error);
}

static int better(const void *a, const void *b)
{
    const hs_set_result *x = a, *y = b;
    const bool out[2] = {x->small || x->large, y->small || y->large};
    if (out[0] != out[1])
        return out[0] - out[1];
    if (!out[0] && x->metrics.auroc != y->metrics.auroc)
        return x->metrics.auroc > y->metrics.auroc ? -1 : 1;
    return (x->set > y->set) - (x->set < y->set);
}

int hs_evaluate_sets(const hs_discover_request *request, const hs_gene_sets *sets,
                     uint32_t smallest, uint32_t largest, hs_set_results *out, hsel_error *error)
{
    const uint32_t least = request->folds > 3 ? request->folds : 3;
    HS_OWNED uint32_t *instance = HS_NEW(uint32_t, sets->genes.count);
    struct sets_run run = {.request = request,
                           .sets = sets,
                           .smallest = smallest > least ? smallest : least,
                           .largest = largest,
                           .out = out,
                           .instance = instance,
                           .progress = {.whole = request->progress, .count = sets->names.count}};
    HS_NEED(instance && (out->items = HS_NEW_ZERO(hs_set_result, sets->names.count)));
    HS_TRY(match_genes(&run, error));
    HS_REFUSE(out->missing.count == sets->genes.count,
              "no member of a set is in %s, which has names such as %.100s",
              hsel_dataset_name(request->data),
              hsel_dataset_id(request->data, 0) ? hsel_dataset_id(request->data, 0) : "none");
    HS_TRY(hs_parallel_for(sets->names.count, request->threads, evaluate_set, &run, error));
    out->count = sets->names.count;
    qsort(out->items, out->count, sizeof *out->items, better);
    for (uint32_t s = 0; s < out->count; s++)
        out->evaluated += !out->items[s].small && !out->items[s].large;
    return HSEL_OK;
}

void hs_set_results_clear(hs_set_results *results)
{
    hs_free(results->items);
    hs_names_clear(&results->missing);
    *results = (hs_set_results){0};
}

const hs_pu_top *hs_set_top(const hs_pu_metrics *metrics)
{
    const double k = ceil(0.01 * (metrics->labelled + metrics->unlabelled));
    for (uint32_t i = 0; i < metrics->tops; i++)
        if (metrics->top[i].k == k)
            return &metrics->top[i];
    return NULL;
}
