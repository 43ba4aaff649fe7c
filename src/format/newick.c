/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trees in Newick format, as programs of phylogenetics write them: "((a,b)x:0.1,'c d')root;". One
 * pass over the characters with a stack of open nodes; nothing recurses. Several trees in a file
 * are a forest.
 */
#include "format/format.h"

typedef struct node {
    uint32_t parent; /* HSEL_NONE: a root */
    bool tip;
    size_t label; /* where it begins among the labels */
} node;

typedef struct newick {
    hs_reader *reader;
    const char *at, *end; /* of the text, which ends in NUL */
    unsigned long line;
    uint32_t *open; /* nodes whose children are being read */
    size_t depth, open_capacity;
    node *nodes;
    size_t count, capacity;
    hs_buf
        labels; /* one after the other, each ends in NUL; at the beginning there is an empty one */
    hs_graph *out;
} newick;

static void newick_clear(newick *n)
{
    HS_FREE(n->open, n->nodes);
    hs_buf_clear(&n->labels);
}

#define FAIL(...) hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(n->reader), n->line, __VA_ARGS__)

/* The next character; NUL: the end. */
static char next(newick *n)
{
    n->line += *n->at == '\n';
    return *n->at ? *n->at++ : '\0';
}

static bool is_blank(char c) { return c && strchr(" \t\r\n", c); }

/* A new node below the one that is open. */
static int add_node(newick *n, bool tip, hsel_error *error)
{
    if (n->count >= HS_FEATURES_LIMIT)
        return FAIL("more than %u nodes", HS_FEATURES_LIMIT);
    HS_NEED(HS_GROW(&n->nodes, &n->capacity, n->count + 1));
    n->nodes[n->count++] = (node){n->depth ? n->open[n->depth - 1] : HSEL_NONE, tip, 0};
    return HSEL_OK;
}

static int fail_end(const newick *n, hsel_error *error)
{
    return n->at < n->end ? FAIL("NUL byte: this is not a text file")
                          : FAIL("the tree does not end: a semicolon is missing");
}

/* What follows a node, up to the comma, parenthesis or semicolon that ends it, which comes
 * back in *end: its label, a length, comments. */
static int read_label(newick *n, node *of, char *end, hsel_error *error)
{
    bool quoted = false, length = false, had_quotes = false;
    unsigned comment = 0;
    hs_buf *text = &n->labels;
    size_t start = text->length;
    for (char c; (c = next(n));) {
        if (quoted && c == '\'' && *n->at != '\'') { /* two are one quote */
            quoted = false;
        } else if (quoted) {
            hs_buf_char(text, c);
            n->at += c == '\'';
        } else if (comment) {
            comment = c == '[' ? comment + 1 : c == ']' ? comment - 1 : comment;
        } else if (c == '[') {
            comment = 1;
        } else if (strchr(",();", c)) {
            while (!had_quotes && text->length > start && is_blank(text->text[text->length - 1]))
                text->length--;
            of->label = text->length > start ? start : 0;
            if (of->label)
                hs_buf_char(text, '\0');
            HS_NEED(!text->failed);
            *end = c;
            return HSEL_OK;
        } else if (c == ':') {
            length = true;
        } else if (length) {
            continue;
        } else if (c == '\'' && text->length == start && !had_quotes) {
            quoted = had_quotes = true;
        } else if (!is_blank(c) && had_quotes) {
            return FAIL("unexpected text after the closing quote of a label");
        } else if (!had_quotes && (!is_blank(c) || text->length > start)) {
            hs_buf_char(text, c);
        }
        if (text->length - start > HS_NAME_LIMIT)
            return FAIL("a label is longer than %zu bytes", HS_NAME_LIMIT);
    }
    return fail_end(n, error);
}

/* Names of all nodes. Labels of inner nodes that are numbers are the support of the branch:
 * such nodes, and those without label, are called "node 1" and so on. Of several inner nodes with
 * the same label the second one is called LABEL_2. */
static int name_nodes(newick *n, hsel_error *error)
{
    hs_names *terms = &n->out->terms;
    HS_OWNS(hs_names_clear) hs_names seen = {0};
    HS_OWNS(hs_buf_clear) hs_buf name = {0};
    /* Of each label: how many inner nodes have it besides the first. There are no more names than
     * nodes. */
    HS_OWNED uint32_t *times = HS_NEW_ZERO(uint32_t, n->count);
    uint32_t made = 0, id;
    double number;
    bool added;
    HS_NEED(times);
    for (size_t v = 0; v < n->count; v++) {
        const char *label = n->labels.text + n->nodes[v].label;
        if (!n->nodes[v].tip)
            continue;
        if (!*label)
            return HS_FAIL_FILE(error, n->reader, "a tip has no name");
        HS_TRY(hs_names_intern(&seen, label, strlen(label), &id, &added, error));
        if (!added)
            return HS_FAIL_FILE(error, n->reader, "two tips are called %.200s", label);
    }
    for (size_t v = 0; v < n->count; v++) {
        const char *label = n->labels.text + n->nodes[v].label;
        bool named = *label && (n->nodes[v].tip || !hs_parse_double(label, strlen(label), &number));
        name.length = 0;
        hs_buf_text(&name, label);
        added = n->nodes[v].tip;
        uint32_t same = HSEL_NONE; /* the name that is its label */
        for (uint32_t k = 1; !added; k++) {
            if (!named || k > 1)
                name.length = 0;
            if (!named)
                hs_buf_printf(&name, "node %u", ++made);
            else if (k > 1)
                hs_buf_printf(&name, "%s_%u", label, k);
            HS_NEED(!name.failed);
            HS_TRY(hs_names_intern(&seen, HS_SPAN(name), &id, &added, error));
            if (named && k == 1 && !added)
                k += times[same = id];
            else if (same != HSEL_NONE)
                times[same] = k - 1;
        }
        HS_NEED(!name.failed);
        HS_TRY(hs_names_append(terms, HS_SPAN(name), error));
    }
    for (uint32_t v = 0; v < terms->count; v++)
        if (n->nodes[v].parent != HSEL_NONE)
            HS_TRY(hs_graph_edge(n->out, v, n->nodes[v].parent, error));
    return hs_names_index(terms, error);
}

static int newick_read_graph(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                             hsel_error *error)
{
    (void)options;
    HS_OWNS(newick_clear) newick state = {.reader = reader, .line = 1, .out = out};
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    newick *n = &state;
    bool comment = false, within = false; /* a tree has begun */
    char c, end;
    HS_TRY(hs_reader_all(reader, &text, error));
    n->at = text.text;
    n->end = text.text + text.length;
    hs_buf_char(&n->labels, '\0');
    HS_NEED(!n->labels.failed);
    while ((c = next(n))) {
        if (comment || (c == '[' && !n->depth)) { /* before a tree, as [&R] */
            comment = c != ']';
            continue;
        }
        if (is_blank(c))
            continue;
        within = true;
        HS_TRY(add_node(n, c != '(', error));
        if (c == '(') {
            HS_NEED(HS_GROW(&n->open, &n->open_capacity, n->depth + 1));
            n->open[n->depth++] = (uint32_t)n->count - 1;
            continue;
        }
        n->at--; /* it belongs to the label */
        HS_TRY(read_label(n, &n->nodes[n->count - 1], &end, error));
        while (end == ')') { /* the label of the node that it closes follows */
            if (!n->depth)
                return FAIL("a closing parenthesis has no opening one");
            HS_TRY(read_label(n, &n->nodes[n->open[--n->depth]], &end, error));
        }
        if (end == '(')
            return FAIL("unexpected opening parenthesis after a label");
        if ((end == ';') == (n->depth > 0))
            return end == ';' ? FAIL("the tree ends, but %zu of its parentheses are open", n->depth)
                              : FAIL("there is a comma outside of parentheses");
        within = end != ';';
    }
    if (within || n->at < n->end)
        return fail_end(n, error);
    if (!n->count)
        return HS_FAIL_FILE(error, reader, "there is no tree in it");
    return name_nodes(n, error);
}

/* A tree begins with a parenthesis, perhaps after a comment in brackets, and has a semicolon or
 * goes on. */
static int newick_sniff(const char *head)
{
    while (*head && strchr(" \t\r\n[", *head)) {
        const char *close = *head == '[' ? strchr(head, ']') : head;
        if (!close)
            return 0;
        head = close + 1;
    }
    if (*head != '(' || strchr(head, '\1')) /* a NUL in the file */
        return 0;
    return strpbrk(head, ",;") ? 85 : 10;
}

const hs_method hs_method_newick = {
    .kind = HS_FORMAT,
    .name = "newick",
    .title = "trees in Newick format",
    .help = "Tips have unique names and are features. Inner nodes have their label, or are called "
            "node 1, node 2 … if they have none or a number (branch support); a repeated label "
            "gets _2. Names are taken literally, underscores too. Branch lengths and comments in "
            "brackets are skipped. Several trees are a forest.",
    .citation = "Felsenstein: The Newick tree format, "
                "https://phylipweb.github.io/phylip/newicktree.html",
    .format = &(const hs_format){.endings = "nwk newick tre tree treefile",
                                 .sniff = newick_sniff,
                                 .read_graph = newick_read_graph}};
