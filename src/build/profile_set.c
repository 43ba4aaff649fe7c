/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets made of tables of amounts: the tree of the lineages, or a hierarchy that is given; the
 * samples joined with their metadata; values added up.
 */
#include "build/profile_set.h"

/* ---- lineages ---- */

/* Each part of a lineage is a feature with a path, so that memory is the square of the parts. */
#define PARTS_LIMIT 255

/* Prefixes of the parts, and what rank they are. */
static const struct {
    const char *prefix, *rank;
} prefixes[] = {{"k__", "kingdom"},       {"d__", "domain"},  {"r__", "realm"},
                {"sk__", "superkingdom"}, {"p__", "phylum"},  {"c__", "class"},
                {"o__", "order"},         {"f__", "family"},  {"g__", "genus"},
                {"s__", "species"},       {"t__", "strain"},  {"D_0__", "domain"},
                {"D_1__", "phylum"},      {"D_2__", "class"}, {"D_3__", "order"},
                {"D_4__", "family"},      {"D_5__", "genus"}, {"D_6__", "species"}};

/* Length of the prefix that the text begins with, and its rank; 0 and NULL: none. */
static size_t prefix_of(const char *text, const char **rank)
{
    *rank = NULL;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i].prefix);
        if (strncmp(text, prefixes[i].prefix, length) != 0)
            continue;
        *rank = prefixes[i].rank;
        return length;
    }
    return 0;
}

/* The first code of each chapter of ICD-10. */
static const struct {
    const char *first, *chapter, *title;
} chapters[] = {{"A00", "I", "Infectious and parasitic diseases"},
                {"C00", "II", "Neoplasms"},
                {"D50", "III", "Diseases of the blood and immune mechanism"},
                {"E00", "IV", "Endocrine, nutritional and metabolic diseases"},
                {"F00", "V", "Mental and behavioural disorders"},
                {"G00", "VI", "Diseases of the nervous system"},
                {"H00", "VII", "Diseases of the eye and adnexa"},
                {"H60", "VIII", "Diseases of the ear and mastoid process"},
                {"I00", "IX", "Diseases of the circulatory system"},
                {"J00", "X", "Diseases of the respiratory system"},
                {"K00", "XI", "Diseases of the digestive system"},
                {"L00", "XII", "Diseases of the skin and subcutaneous tissue"},
                {"M00", "XIII", "Diseases of the musculoskeletal system and connective tissue"},
                {"N00", "XIV", "Diseases of the genitourinary system"},
                {"O00", "XV", "Pregnancy, childbirth and the puerperium"},
                {"P00", "XVI", "Conditions originating in the perinatal period"},
                {"Q00", "XVII", "Congenital malformations and chromosomal abnormalities"},
                {"R00", "XVIII", "Symptoms, signs and abnormal findings"},
                {"S00", "XIX", "Injury, poisoning and other external consequences"},
                {"U00", "XXII", "Codes for special purposes"},
                {"V00", "XX", "External causes of morbidity and mortality"},
                {"Z00", "XXI", "Factors influencing health status"}};

/* A node of the hierarchy: a feature to be. */
typedef struct node {
    uint32_t parent;  /* in a tree of lineages; HSEL_NONE: none */
    uint32_t part;    /* where its own part begins in its path */
    uint32_t row;     /* the first row that gives its values; HSEL_NONE: none */
    const char *rank; /* NULL: not known */
    bool total;       /* a row has this name, and may give its total */
    bool tip;         /* a row that has a lineage above it */
    bool inner;
} node;

typedef struct tree {
    const hs_profile_parts *parts;
    const hs_profile_options *options;
    hs_finding *found;
    const hs_names *features, *samples; /* of the table … */
    const uint32_t *feature, *sample;   /* … and of its values */
    const char *separator;              /* "|", ";" …; NULL: no lineages */
    bool icd10;
    /* The nodes: their paths, or names in a hierarchy that is given, and the edges. Sorted by path
     * (sort_nodes), they are the features to be. */
    hs_graph graph;
    node *nodes;
    size_t capacity;
    uint32_t *node_of; /* of each feature of the table */
    bool *inside;      /* its values are its node's own: its lineage ends in an empty rank */
    hs_names names;    /* of the features by their lineages */
    hs_about about;
} tree;

static void clear_tree(tree *t)
{
    hs_graph_clear(&t->graph);
    hs_names_clear(&t->names);
    hs_about_clear(&t->about);
    HS_FREE(t->nodes, t->node_of, t->inside);
}

static int add_node_edge(tree *t, uint32_t child, uint32_t parent, hsel_error *error)
{
    t->nodes[parent].inner = true;
    return hs_graph_edge(&t->graph, child, parent, error);
}

/* The node of a path, made if it is new. */
static int find_node(tree *t, const char *path, size_t length, uint32_t parent, uint32_t part,
                     uint32_t *out, hsel_error *error)
{
    bool added;
    HS_TRY(hs_names_intern(&t->graph.terms, path, length, out, &added, error));
    HS_NEED(HS_GROW(&t->nodes, &t->capacity, (size_t)*out + 1));
    if (added)
        t->nodes[*out] = (node){.parent = parent, .part = part, .row = HSEL_NONE};
    return added && parent != HSEL_NONE ? add_node_edge(t, *out, parent, error) : HSEL_OK;
}

/* Length of the part without a confidence at its end, as mothur has it: "Bacteria(100)". */
static size_t without_confidence(const char *part, size_t length)
{
    size_t at = length;
    if (!at || part[--at] != ')')
        return length;
    while (at > 0 && ((part[at - 1] >= '0' && part[at - 1] <= '9') || part[at - 1] == '.'))
        at--;
    return at > 1 && at < length - 1 && part[at - 1] == '(' ? at - 1 : length;
}

/* "s__" or "D_6__", "", "NA": a rank without a name. */
static bool is_empty_rank(const char *part, size_t length)
{
    const char *rank;
    return length == 0 || prefix_of(part, &rank) == length ||
           (length == 2 && (memcmp(part, "NA", 2) == 0 || memcmp(part, "__", 2) == 0));
}

/* The node at the end of a lineage; HSEL_NONE if there is nothing in it. *open: its last rank is
 * empty, so that it is not the whole of the node. */
static int walk_lineage(tree *t, const char *lineage, uint32_t *out, bool *open, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf path = {0};
    size_t step = strlen(t->separator);
    bool empty = false;
    unsigned parts = 0;
    *out = HSEL_NONE;
    *open = false;
    for (const char *at = lineage, *end; at; at = end ? end + step : NULL) {
        end = strstr(at, t->separator);
        const char *part = at;
        size_t length = end ? (size_t)(end - at) : strlen(at);
        bool last = !end || end[step + strspn(end + step, " ")] == '\0';
        hs_trim(&part, &length);
        length = without_confidence(part, length);
        if (is_empty_rank(part, length)) {
            /* A separator at the end ("a;b;") is not an empty rank. */
            bool ending = !end && length == 0 && at > lineage;
            empty |= !ending;
            *open |= !ending && last;
            if (end && !last)
                *open = true;
            continue;
        }
        *open = false;
        if (++parts > PARTS_LIMIT)
            return hs_fail_at(error, HSEL_ELIMIT, t->parts->profile->source, 0,
                              "the lineage %.100s… has more than %d parts", lineage, PARTS_LIMIT);
        if (path.length)
            hs_buf_text(&path, t->separator);
        uint32_t start = (uint32_t)path.length;
        hs_buf_add(&path, part, length);
        HS_NEED(!path.failed);
        HS_TRY(find_node(t, path.text, path.length, *out, start, out, error));
        prefix_of(path.text + start, &t->nodes[*out].rank);
    }
    if (empty)
        HS_TRY(hs_find_one(&t->found[HS_FOUND_EMPTY_RANK], lineage, error));
    return HSEL_OK;
}

/* A code of ICD-10 below its chapter and its own prefixes: IX, I21, I21.0. */
static int walk_code(tree *t, const char *code, uint32_t *out, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf path = {0};
    size_t c = sizeof chapters / sizeof chapters[0], length = strlen(code);
    bool known = length >= 3 && length <= 8 && code[length - 1] != '.';
    for (size_t i = 0; i < length && known; i++) {
        bool digit = code[i] >= '0' && code[i] <= '9', letter = code[i] >= 'A' && code[i] <= 'Z';
        known = i == 0 ? letter : i == 1 ? digit : digit || letter || (i == 3 && code[i] == '.');
    }
    *out = HSEL_NONE;
    while (known && c > 0 && strncmp(chapters[c - 1].first, code, 3) > 0)
        c--;
    if (!known || !c)
        return HSEL_OK;
    hs_buf_printf(&path, "chapter %s", chapters[c - 1].chapter);
    HS_NEED(!path.failed);
    HS_TRY(find_node(t, path.text, path.length, HSEL_NONE, 0, out, error));
    t->nodes[*out].rank = "chapter";
    for (size_t size = 3; size <= length; size++) {
        if (code[size - 1] == '.')
            continue;
        hs_buf_char(&path, '|');
        uint32_t start = (uint32_t)path.length;
        hs_buf_add(&path, code, size);
        HS_NEED(!path.failed);
        HS_TRY(find_node(t, path.text, path.length, *out, start, out, error));
        t->nodes[*out].rank = size == 3 ? "category" : "subcategory";
    }
    return HSEL_OK;
}

/* The separator of lineages: the given one, else | or ; if some lineage has it. */
static void find_separator(tree *t)
{
    const hs_profile *p = t->parts->profile;
    const hs_names *texts = t->parts->taxonomy  ? &t->parts->taxonomy->lineages
                            : p->lineages.count ? &p->lineages
                                                : t->features;
    const char *asked = t->options->separator;
    t->icd10 = asked && strcmp(asked, "icd10") == 0;
    if (asked) {
        t->separator = t->icd10 ? "|" : strcmp(asked, "none") == 0 ? NULL : asked;
        return;
    }
    for (uint32_t i = 0; i < texts->count && (!t->separator || *t->separator == ';'); i++) {
        const char *text = hs_names_get(texts, i);
        t->separator = strchr(text, '|') ? "|" : strchr(text, ';') ? ";" : t->separator;
    }
    if (!t->separator && texts != t->features)
        t->separator = ";";
}

/* Places every feature of the table in the tree of lineages. */
static int place_features(tree *t, hsel_error *error)
{
    const hs_profile *p = t->parts->profile;
    const hs_profile *taxonomy = t->parts->taxonomy;
    HS_OWNS(hs_buf_clear) hs_buf path = {0};
    uint32_t used = 0;
    find_separator(t);
    for (uint32_t r = 0; r < t->features->count; r++) {
        const char *name = hs_names_get(t->features, r), *lineage = NULL;
        uint32_t at = HSEL_NONE;
        bool beside = false,
             open = false; /* the lineage is in another column, and the name is a tip */
        if (taxonomy) {
            uint32_t found = hs_names_find(&taxonomy->rows, HS_NAME(t->features, r));
            beside = true;
            lineage = found == HSEL_NONE ? NULL : hs_names_get(&taxonomy->lineages, found);
            used += found != HSEL_NONE;
        } else if (p->lineages.count) {
            beside = true;
            lineage = hs_names_get(&p->lineages, r);
        } else {
            lineage = name;
        }
        if (t->icd10)
            HS_TRY(walk_code(t, name, &at, error));
        else if (t->separator && lineage)
            HS_TRY(walk_lineage(t, lineage, &at, &open, error));
        if (at == HSEL_NONE && (beside || t->icd10))
            HS_TRY(hs_find_one(&t->found[HS_FOUND_NO_LINEAGE], name, error));
        if (beside || at == HSEL_NONE) { /* a separate tip, below its lineage if it has one */
            path.length = 0;
            if (at != HSEL_NONE)
                hs_buf_printf(&path, "%s%s", hs_names_get(&t->graph.terms, at), t->separator);
            uint32_t part = (uint32_t)path.length;
            hs_buf_text(&path, name);
            HS_NEED(!path.failed);
            HS_TRY(find_node(t, path.text, path.length, at, part, &at, error));
            t->nodes[at].tip = true;
            open = false;
        }
        node *n = &t->nodes[at];
        bool again = open ? false : n->total;
        if (again && !t->options->sum_repeated)
            return hs_fail_at(error, HSEL_EFORMAT, p->source, 0,
                              "%.200s and %.200s are the same lineage; {sum-repeated} adds them up",
                              hs_names_get(t->features, n->row), name);
        if (again)
            HS_TRY(hs_find_one(&t->found[HS_FOUND_ROWS_REPEATED], name, error));
        if (!open) {
            n->total = true;
            n->row = r;
        }
        t->node_of[r] = at;
        t->inside[r] = open;
    }
    if (taxonomy)
        t->found[HS_FOUND_LINEAGE_UNUSED].count = taxonomy->rows.count - used;
    return HSEL_OK;
}

/* Places them in a hierarchy that is given: its nodes are the features and what is above them. */
static int place_in_graph(tree *t, hsel_error *error)
{
    hs_graph *graph = t->parts->graph;
    uint32_t terms = graph->terms.count, rows = t->features->count;
    HS_OWNED uint32_t *term_of = HS_NEW(uint32_t, rows), *node_of = hs_new_none(terms);
    HS_OWNED bool *used = HS_NEW_ZERO(bool, terms); /* named by a row, or above such a term */
    HS_OWNS(hs_sparse_clear) hs_sparse parents = {0};
    HS_NEED(term_of && node_of && used);
    HS_TRY(hs_names_index(&graph->terms, error));
    HS_TRY(hs_graph_terms_of(graph, t->features, term_of, error));
    HS_TRY(hs_sparse_group(terms, graph->child, graph->parent, graph->edges, &parents, error));
    for (uint32_t r = 0; r < rows; r++)
        if (term_of[r] != HSEL_NONE)
            used[term_of[r]] = true;
    HS_TRY(hs_sparse_close(&parents, used, error));
    for (uint32_t u = 0; u < terms; u++)
        if (used[u])
            HS_TRY(find_node(t, HS_NAME(&graph->terms, u), HSEL_NONE, 0, &node_of[u], error));
    for (uint32_t r = 0; r < rows; r++) {
        uint32_t at = term_of[r] == HSEL_NONE ? HSEL_NONE : node_of[term_of[r]];
        const char *name = hs_names_get(t->features, r);
        if (at == HSEL_NONE) {
            HS_TRY(hs_find_one(&t->found[HS_FOUND_NO_LINEAGE], name, error));
            HS_TRY(find_node(t, name, strlen(name), HSEL_NONE, 0, &at, error));
        }
        if (t->nodes[at].total && !t->options->sum_repeated)
            return hs_fail_at(error, HSEL_EFORMAT, t->parts->profile->source, 0,
                              "%.200s and %.200s are the same term; {sum-repeated} adds them up",
                              hs_names_get(t->features, t->nodes[at].row), name);
        t->nodes[at].total = true;
        t->nodes[at].row = r;
        t->node_of[r] = at;
    }
    for (size_t e = 0; e < graph->edges; e++) {
        uint32_t child = node_of[graph->child[e]], parent = node_of[graph->parent[e]];
        if (child != HSEL_NONE && parent != HSEL_NONE)
            HS_TRY(add_node_edge(t, child, parent, error));
    }
    return HSEL_OK;
}

/* Numbers the nodes by their paths. */
static int sort_nodes(tree *t, hsel_error *error)
{
    HS_OWNS(hs_names_clear) hs_names paths = t->graph.terms;
    const uint32_t count = paths.count;
    HS_OWNED node *nodes = hs_take(&t->nodes);
    HS_OWNED uint32_t *by_path = HS_NEW(uint32_t, count);
    HS_OWNED uint32_t *number = HS_NEW(uint32_t, count); /* of each node from now on */
    t->graph.terms = (hs_names){0};
    HS_NEED(by_path && number && (t->nodes = HS_NEW(node, count)));
    for (uint32_t v = 0; v < count; v++)
        by_path[v] = v;
    hs_names_sort(&paths, by_path, count);
    for (uint32_t f = 0; f < count; f++) {
        number[by_path[f]] = f;
        t->nodes[f] = nodes[by_path[f]];
        HS_TRY(hs_names_append(&t->graph.terms, HS_NAME(&paths, by_path[f]), error));
    }
    for (uint32_t f = 0; f < count; f++)
        if (t->nodes[f].parent != HSEL_NONE)
            t->nodes[f].parent = number[t->nodes[f].parent];
    for (uint32_t r = 0; r < t->features->count; r++)
        t->node_of[r] = number[t->node_of[r]];
    for (size_t e = 0; e < t->graph.edges; e++) {
        t->graph.child[e] = number[t->graph.child[e]];
        t->graph.parent[e] = number[t->graph.parent[e]];
    }
    return HSEL_OK;
}

/* ---- names ---- */

/* The label of a node: without prefix and underscores; a species by its genus too. */
static void put_node_label(const tree *t, uint32_t v, hs_buf *out)
{
    const node *n = &t->nodes[v], *above = n->parent == HSEL_NONE ? NULL : &t->nodes[n->parent];
    const char *text = hs_names_get(&t->graph.terms, v) + n->part, *rank;
    out->length = 0;
    hs_buf_text(out, "");
    if (t->icd10 && !above && n->rank) {
        for (size_t c = 0; c < sizeof chapters / sizeof chapters[0]; c++)
            if (strcmp(text + strlen("chapter "), chapters[c].chapter) == 0)
                hs_buf_text(out, chapters[c].title);
        return;
    }
    if (!n->tip)
        text += prefix_of(text, &rank);
    if (n->rank && strcmp(n->rank, "species") == 0 && above && above->rank &&
        strcmp(above->rank, "genus") == 0 && *text >= 'a' && *text <= 'z' && !strchr(text, '_') &&
        !strchr(text, ' ')) {
        const char *genus = hs_names_get(&t->graph.terms, n->parent) + above->part;
        const char *prefix = strstr(genus, "__");
        hs_buf_printf(out, "%s ", prefix ? prefix + 2 : genus);
    }
    hs_buf_text(out, text);
    for (size_t i = 0; i < out->length && n->rank && !t->icd10; i++)
        out->text[i] = out->text[i] == '_' ? ' ' : out->text[i];
}

/* The last `parts` parts of a path. *whole: that is all of it. */
static const char *suffix_of(const tree *t, uint32_t v, unsigned parts, bool *whole)
{
    uint32_t at = v;
    while (--parts && t->nodes[at].parent != HSEL_NONE)
        at = t->nodes[at].parent;
    *whole = t->nodes[at].parent == HSEL_NONE;
    return hs_names_get(&t->graph.terms, v) + t->nodes[at].part;
}

/* How many last parts of its path no other node ends in, at least 1: parts[v]. */
static int count_parts(const tree *t, unsigned *parts, hsel_error *error)
{
    const uint32_t nodes = t->graph.terms.count;
    bool again = !t->options->whole_lineages, whole;
    for (uint32_t v = 0; v < nodes; v++)
        parts[v] = 1;
    for (unsigned round = 1; again; round++) {
        HS_OWNS(hs_names_clear) hs_names seen = {0};
        HS_OWNED uint32_t *times = HS_NEW_ZERO(uint32_t, nodes), *name = HS_NEW(uint32_t, nodes);
        HS_NEED(times && name);
        again = false;
        for (uint32_t v = 0; v < nodes; v++) {
            const char *text = suffix_of(t, v, parts[v] < round ? parts[v] : round, &whole);
            HS_TRY(hs_names_intern(&seen, text, strlen(text), &name[v], NULL, error));
            times[name[v]]++;
        }
        for (uint32_t v = 0; v < nodes; v++)
            if (parts[v] == round && times[name[v]] > 1) {
                (void)suffix_of(t, v, round, &whole);
                parts[v] += !whole;
                again |= !whole;
            }
    }
    return HSEL_OK;
}

/* Names, labels, ranks and lineages of the features to be. A name is the last part of the lineage,
 * or the fewest last parts that no other feature ends in. */
static int name_features(tree *t, hsel_error *error)
{
    const uint32_t nodes = t->graph.terms.count;
    hs_names *columns = &t->about.columns, *cells = &t->about.cells;
    bool ranked = false, added, whole;
    HS_OWNS(hs_buf_clear) hs_buf label = {0};
    HS_OWNED unsigned *parts = HS_NEW(unsigned, nodes);
    HS_NEED(parts);
    HS_TRY(count_parts(t, parts, error));
    for (uint32_t f = 0; f < nodes; f++)
        ranked |= t->nodes[f].rank != NULL;
    HS_TRY(hs_names_append_text(columns, HS_ABOUT_LABEL, error));
    if (ranked)
        HS_TRY(hs_names_append_text(columns, HS_ABOUT_RANK, error));
    HS_TRY(hs_names_append_text(columns, HS_ABOUT_LINEAGE, error));
    for (uint32_t f = 0; f < nodes; f++) {
        const char *path = hs_names_get(&t->graph.terms, f);
        const char *name = t->options->whole_lineages ? path : suffix_of(t, f, parts[f], &whole);
        HS_TRY(hs_names_intern(&t->names, name, strlen(name), &(uint32_t){0}, &added, error));
        if (!added)
            return hs_fail(error, HSEL_EFORMAT,
                           "two features would be called %.200s: give {lineage-names}", name);
        put_node_label(t, f, &label);
        if (parts[f] > 1) {
            HS_TRY(hs_find_one(&t->found[HS_FOUND_SAME_NAME], name, error));
            HS_OWNS(hs_buf_clear) hs_buf above = {0};
            uint32_t ancestor = f; /* the one that distinguishes it from the others */
            for (unsigned i = 1; i < parts[f]; i++)
                ancestor = t->nodes[ancestor].parent;
            put_node_label(t, ancestor, &above);
            if (above.length)
                hs_buf_printf(&label, " (%s)", above.text);
        }
        HS_NEED(!label.failed);
        bool same = strcmp(label.text, name) == 0; /* a label adds nothing */
        HS_TRY(hs_names_append_text(cells, same ? NULL : label.text, error));
        if (ranked)
            HS_TRY(hs_names_append_text(cells, t->nodes[f].rank, error));
        HS_TRY(hs_names_append_text(cells, path, error));
    }
    return HSEL_OK;
}

/* ---- the data set ---- */

/* Where the samples are: in the columns, unless the metadata know more of the rows. */
static int find_samples(tree *t, hsel_error *error)
{
    const hs_profile *p = t->parts->profile;
    hs_names *ids = &t->parts->labels->ids;
    const hs_names *sides[2] = {&p->columns, &p->rows};
    const int asked = t->options->samples;
    uint32_t known[2] = {0};
    HS_TRY(hs_names_index(ids, error));
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < sides[s]->count; i++)
            known[s] += hs_names_find(ids, HS_NAME(sides[s], i)) != HSEL_NONE;
    bool rows = asked == HS_SAMPLES_ROWS || (asked == HS_SAMPLES_AUTO && !p->columns_are_samples &&
                                             !p->lineages.count && known[1] > known[0]);
#define NOT_THERE                                                                                  \
    "no sample of the table is in the metadata: the table has columns such as %.100s and rows "    \
    "such as %.100s, the metadata samples such as %.100s"
    if (!known[rows])
        return hs_fail_at(error, HSEL_EFORMAT, p->source, 0,
                          known[1] && p->columns.count == 1 ? NOT_THERE
                              "; {layout=long} if each row is a sample, a feature and a value"
                                                            : NOT_THERE,
                          hs_names_get(&p->columns, 0), hs_names_get(&p->rows, 0),
                          hs_names_get(ids, 0));
#undef NOT_THERE
    if (rows && p->lineages.count)
        return hs_fail_at(error, HSEL_EUSAGE, p->source, 0,
                          "rows that have lineages are features: {samples=columns}");
    t->samples = sides[rows];
    t->features = sides[!rows];
    t->sample = rows ? p->row : p->column;
    t->feature = rows ? p->column : p->row;
    HS_TRY(hs_names_index((hs_names *)t->features, error));
    return hs_names_index((hs_names *)t->samples, error);
}

/* The values as the table gives them, by instance and feature; without hierarchy. */
static int profile_rows(const tree *t, const char *name, const char *positive, hsel_dataset **out,
                        hsel_error *error)
{
    const hs_profile *p = t->parts->profile;
    const hs_labels *labels = t->parts->labels;
    const hs_label_column *classes = labels->columns;
    const uint32_t nodes = t->graph.terms.count, objects = labels->ids.count;
    const hs_names *names = t->names.count ? &t->names : &t->graph.terms;
    hs_finding *found = t->found;
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    HS_OWNS(hs_sparse_clear) hs_sparse entries = {0};
    HS_OWNED uint32_t *sample_of = HS_NEW(uint32_t, objects);
    HS_OWNED uint32_t *touched = HS_NEW(uint32_t, nodes);
    HS_OWNED double *value = HS_NEW_ZERO(double, nodes);
    HS_OWNED bool *there = HS_NEW_ZERO(bool, t->samples->count);
    HS_OWNED uint32_t *kept = HS_NEW(uint32_t, objects); /* the instances */
    uint32_t instances = 0;
    HS_NEED(sample_of && touched && value && there && kept);
    HS_TRY(hs_builder_new(&builder, error));
    for (uint32_t f = 0; f < nodes; f++)
        HS_TRY(hs_builder_feature(builder, HS_NAME(names, f), HSEL_NUMERIC, &(uint32_t){0}, error));
    for (uint32_t i = 0; i < objects; i++) {
        const char *id = hs_names_get(&labels->ids, i);
        sample_of[i] = hs_names_find(t->samples, HS_NAME(&labels->ids, i));
        if (sample_of[i] == HSEL_NONE)
            HS_TRY(hs_find_one(&found[HS_FOUND_NOT_MEASURED], id, error));
        else
            there[sample_of[i]] = true;
    }
    for (uint32_t s = 0; s < t->samples->count; s++)
        if (!there[s])
            HS_TRY(hs_find_one(&found[HS_FOUND_NO_METADATA], hs_names_get(t->samples, s), error));
    HS_TRY(hs_sparse_group(t->samples->count, t->sample, NULL, p->count, &entries, error));
    for (uint32_t i = 0; i < objects; i++) {
        const char *id = hs_names_get(&labels->ids, i);
        uint32_t code = classes->class_of[i], count = 0;
        size_t values;
        if (sample_of[i] == HSEL_NONE)
            continue;
        found[HS_FOUND_IN_BOTH].count += labels->source != NULL;
        if (code == HS_CONFLICTING) {
            HS_TRY(hs_find_one(&found[HS_FOUND_SAMPLES_CONFLICT], id, error));
            continue;
        }
        found[HS_FOUND_SAMPLES_UNKNOWN].count += code == HSEL_NONE;
        if (code != HSEL_NONE)
            HS_TRY(hs_builder_class(builder, HS_NAME(&classes->classes, code), &code, error));
        HS_TRY(hs_builder_row(builder, HS_NAME(&labels->ids, i), code, error));
        kept[instances++] = i;
        const uint32_t *entry = hs_sparse_list(&entries, sample_of[i], &values);
        if (!values)
            HS_TRY(hs_find_one(&found[HS_FOUND_SAMPLES_EMPTY], id, error));
        for (size_t e = 0; e < values; e++) {
            uint32_t r = t->feature[entry[e]], f = t->node_of[r];
            if (t->inside[r] && t->nodes[f].total && t->options->inner != HS_INNER_OWN)
                continue; /* the total has it */
            if (value[f] == 0)
                touched[count++] = f;
            value[f] += p->value[entry[e]];
        }
        for (uint32_t k = 0; k < count; k++) {
            HS_TRY(hs_builder_numeric(builder, touched[k], value[touched[k]], error));
            value[touched[k]] = 0;
        }
    }
    hs_builder_sort_classes(builder);
    HS_TRY(hs_builder_describe(builder, name, classes->name ? classes->name : "class",
                               labels->id_column ? labels->id_column : "id", error));
    if (positive)
        HS_TRY(hs_builder_positive_class(builder, positive, error));
    HS_TRY(hs_builder_finish(builder, out, error));
    return hs_about_classes(labels, kept, instances, &(*out)->instance_about, error);
}

/* Long tables and lists of entries: a feature twice in a sample. */
static int check_pairs(const hs_profile *p, const hs_profile_options *options, hs_finding *found,
                       hsel_error *error)
{
    HS_OWNS(hs_sparse_clear) hs_sparse rows = {0};
    HS_OWNED uint32_t *seen = HS_NEW_ZERO(uint32_t, p->columns.count);
    if (!p->is_long && !p->columns_are_samples)
        return HSEL_OK;
    HS_NEED(seen);
    HS_TRY(hs_sparse_group(p->rows.count, p->row, p->column, p->count, &rows, error));
    for (uint32_t r = 0; r < p->rows.count; r++)
        for (uint64_t e = rows.start[r]; e < rows.start[r + 1]; e++) {
            uint32_t c = rows.index[e];
            if (seen[c] == r + 1 && !options->sum_repeated)
                return hs_fail_at(error, HSEL_EFORMAT, p->source, 0,
                                  "there are two values of %.200s and %.200s; {sum-repeated} adds "
                                  "such values up",
                                  hs_names_get(&p->rows, r), hs_names_get(&p->columns, c));
            found[HS_FOUND_ROWS_REPEATED].count += seen[c] == r + 1;
            seen[c] = r + 1;
        }
    return HSEL_OK;
}

/* Aggregates, and reports the findings. own[f]: the value of a feature is its own. */
static int add_up_profile(const tree *t, hsel_dataset **data, hs_inner *inner, hsel_error *error)
{
    hs_finding *found = t->found;
    hs_aggregate kind = (hs_aggregate)t->parts->aggregate;
    hsel_dataset *full = NULL;
    hs_totals before;
    HS_OWNED bool *own = HS_NEW_ZERO(bool, (*data)->features);
    uint32_t totals = 0;
    HS_NEED(own);
    for (uint32_t f = 0; f < t->graph.terms.count; f++) {
        const node *n = &t->nodes[f];
        own[f] = !n->total;
        totals += n->total && n->inner;
        if (n->inner && n->row == HSEL_NONE)
            HS_TRY(hs_find_one(&found[HS_FOUND_MADE], hsel_dataset_feature_name(*data, f), error));
    }
    if (!t->graph.edges || kind == HS_AGGREGATE_NONE)
        return HSEL_OK;
    *inner = (hs_inner)t->options->inner;
    if (*inner == HS_INNER_AUTO && totals) {
        HS_TRY(hs_dataset_aggregate(*data, kind, own, &full, &before, error));
        hs_dataset_free(hs_take(&full));
        *inner = before.cells > before.covered / 2 ? HS_INNER_OWN : HS_INNER_TOTALS;
    }
    if (*inner == HS_INNER_OWN)
        memset(own, true, t->graph.terms.count);
    found[HS_FOUND_INNER_OWN].count = *inner == HS_INNER_OWN ? totals : 0;
    found[HS_FOUND_INNER_TOTALS].count = *inner == HS_INNER_OWN ? 0 : totals;
    HS_TRY(hs_dataset_aggregate(*data, kind, own, &full, &before, error));
    if (before.cells) {
        HS_OWNS(hs_buf_clear) hs_buf text = {0};
        hs_buf_printf(&text, "%s in %s: %g, but %g below it",
                      hsel_dataset_feature_name(*data, before.feature),
                      hsel_dataset_id(*data, before.instance), before.value, before.below);
        HS_NEED(!text.failed);
        HS_TRY(hs_find_one(&found[HS_FOUND_TOO_LOW], text.text, error));
        found[HS_FOUND_TOO_LOW].count = before.cells;
    }
    found[HS_FOUND_SURPLUS].count = before.own;
    hs_dataset_replace(data, full);
    return HSEL_OK;
}

int hs_profile_assemble(const hs_profile_parts *parts, const hs_profile_options *options,
                        const char *name, const char *positive, hs_assemble_report *report,
                        hs_inner *inner, hsel_dataset **out, hsel_error *error)
{
    hs_finding *found = report->found;
    const hs_profile *p = parts->profile;
    HS_OWNS(clear_tree) tree t = {.parts = parts, .options = options, .found = found};
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNS(hs_dag_release) hsel_dag *dag = NULL;
    *inner = HS_INNER_AUTO;
    HS_TRY(find_samples(&t, error));
    found[HS_FOUND_TABLE_FEATURES].count = t.features->count;
    found[HS_FOUND_TABLE_SAMPLES].count = t.samples->count;
    found[HS_FOUND_TABLE_VALUES].count = p->count;
    found[HS_FOUND_TABLE_MISSING].count = p->missing;
    if (parts->labels->source)
        found[HS_FOUND_METADATA].count = parts->labels->ids.count;
    for (uint32_t i = 0; i < p->skipped.count; i++)
        HS_TRY(hs_find_one(&found[HS_FOUND_TABLE_SKIPPED], hs_names_get(&p->skipped, i), error));
    for (uint32_t i = 0; i < p->repeated_rows.count; i++)
        HS_TRY(
            hs_find_one(&found[HS_FOUND_ROWS_REPEATED], hs_names_get(&p->repeated_rows, i), error));
    found[HS_FOUND_ROWS_REPEATED].count = p->repeated;
    HS_TRY(check_pairs(p, options, found, error));
    t.node_of = HS_NEW(uint32_t, t.features->count);
    t.inside = HS_NEW_ZERO(bool, t.features->count);
    HS_NEED(t.node_of && t.inside);
    HS_TRY(parts->graph ? place_in_graph(&t, error) : place_features(&t, error));
    HS_TRY(sort_nodes(&t, error));
    if (!parts->graph) /* which knows names and labels */
        HS_TRY(name_features(&t, error));
    HS_TRY(profile_rows(&t, name, positive, &data, error));
    if (t.graph.edges) {
        HS_TRY(
            hs_dag_new(data->features, t.graph.child, t.graph.parent, t.graph.edges, &dag, error));
        HS_TRY(hs_dataset_attach(data, dag, error));
        dag = NULL;
    }
    HS_TRY(add_up_profile(&t, &data, inner, error));
    HS_MOVE(&data->about, &t.about);
    if (parts->graph)
        HS_TRY(hs_dataset_name_terms(data, parts->graph, error));

    /* What is 0 everywhere goes. */
    HS_OWNED bool *keep = HS_NEW(bool, data->features);
    HS_NEED(keep);
    for (uint32_t f = 0; f < data->features; f++) {
        double share, mean;
        hs_prevalence(data, f, &share, &mean);
        keep[f] = share > 0;
        if (!keep[f])
            HS_TRY(
                hs_find_one(&found[HS_FOUND_ZERO], hs_names_get(&data->feature_names, f), error));
    }
    HS_TRY(hs_dataset_keep(&data, keep, error));
    *out = hs_take(&data);
    return HSEL_OK;
}
