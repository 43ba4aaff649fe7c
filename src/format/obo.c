/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OBO 1.2 and 1.4. Reading: one pass over the lines collects the terms in the order of their
 * stanzas and the edges by identifier, since a term may be named before it is declared. When
 * everything that the file has is known, the chosen relations and namespaces are checked against
 * it, terms that stay are numbered in the order of the file, and their edges follow.
 *
 * Writing: one stanza per feature with its id, and with name, namespace and relations where the
 * graph that it was made from is available.
 */
#include "format/hierarchy.h"

static int obo_sniff(const char *head)
{
    const char *first = hs_first_content(head, '!');
    if (!first)
        return 0;
    if (strncmp(first, "format-version:", 15) == 0)
        return 98;
    return strncmp(first, "[Term]", 6) == 0 || strncmp(first, "[Typedef]", 9) == 0 ||
                   strstr(first, "\n[Term]") || strstr(first, "\n[Typedef]")
               ? 95
               : 0;
}

/* ---- reading: the content of the file ---- */

typedef struct obo_term {
    uint32_t space, title;
    uint32_t replaced_by; /* an identifier; HSEL_NONE: nothing */
    bool obsolete;
    unsigned long line;
} obo_term;

typedef struct obo_edge {
    uint32_t term;   /* a term … */
    uint32_t parent; /* … and an identifier */
    uint32_t relation;
    unsigned long line;
} obo_edge;

/* Two numberings: of terms in order of declaration, and of the identifiers that they name. */
typedef struct obo {
    hs_reader *reader;
    const hs_graph_options *options;
    enum { HEADER, TERM, TYPEDEF, OTHER } stanza;
    hs_names names, ids; /* a term gets its name by its id line */
    obo_term *terms;     /* those of `names`, and that of the current stanza */
    size_t terms_capacity;
    uint32_t term_count;
    hs_names titles;
    obo_edge *edges;
    size_t edge_count, edge_capacity;
    hs_names alternates;
    uint32_t *alternate_of; /* terms */
    size_t alternate_capacity;
    hs_names relations; /* is_a, then as they come */
    hs_names spaces;
    hs_buf default_space; /* empty: none */
    hs_graph *graph;      /* gets version and date at once */
} obo;

static void obo_clear(obo *o)
{
    HS_CLEAR_NAMES(&o->names, &o->ids, &o->titles, &o->spaces, &o->alternates, &o->relations);
    HS_FREE(o->terms, o->edges, o->alternate_of);
    hs_buf_clear(&o->default_space);
}

#define FAIL(...) hs_fail_line(error, o->reader, __VA_ARGS__) /* at the last line read */

typedef struct word { /* of a value: unescaped in place, in a NUL-terminated line */
    const char *text;
    size_t length;
} word;

static char unescape(char c) { return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'W' ? ' ' : c; }

/* The next word: up to a blank, a {modifier} or a !comment; or all of the value but a trailing
 * !comment and {modifiers}, each of which follows a blank. *at moves past it and the blanks that
 * follow. */
static word take_word(char **at, bool all)
{
    char *start = *at + strspn(*at, " \t"), *from = start + strcspn(start, " \t{!\\");
    char *to = from, *brace = NULL;
    char *solid = start,
         *before = start; /* blanks up to here are escaped; likewise, of the brace */
    for (; *from; from++) {
        bool apart = from == start || hs_is_blank(from[-1]);
        if (all ? *from == '!' && apart : hs_is_blank(*from) || *from == '{' || *from == '!')
            break;
        if (*from == '{' && apart) {
            brace = to;
            before = solid;
        }
        bool escaped = *from == '\\' && from[1];
        from += escaped;
        *to++ = escaped ? unescape(*from) : *from;
        solid = escaped ? to : solid;
    }
    *at = from + strspn(from, " \t");
    for (int round = 0; all && round < 2; round++) { /* blanks, then the modifiers and blanks */
        while (to > solid && hs_is_blank(to[-1]))
            to--;
        if (!round && brace && to > brace && to[-1] == '}') {
            to = brace;
            solid = before;
        }
    }
    return (word){start, (size_t)(to - start)};
}

/* One identifier, followed only by modifiers or a comment. */
static int take_id(obo *o, char *at, const char *tag, word *out, hsel_error *error)
{
    *out = take_word(&at, false);
    if (!out->length)
        return FAIL("%s without a value", tag);
    if (*at && *at != '{' && *at != '!')
        return FAIL("unexpected text after the identifier %.*s",
                    out->length > 80 ? 80 : (int)out->length, out->text);
    return HSEL_OK;
}

/* An edge of the current term, if its relation is chosen (is_a by default). */
static int add_obo_edge(obo *o, char *value, const char *tag, uint32_t relation, hsel_error *error)
{
    const hs_list *asked = &o->options->relations;
    const char *name = hs_names_get(&o->relations, relation);
    bool followed = !asked->count && relation == 0;
    word parent = {0};
    HS_TRY(take_id(o, value, tag, &parent, error));
    for (size_t i = 0; i < asked->count && !followed; i++)
        followed = strcmp(asked->items[i], name) == 0;
    if (!followed)
        return HSEL_OK;
    HS_NEED(HS_GROW(&o->edges, &o->edge_capacity, o->edge_count + 1));
    obo_edge *edge = &o->edges[o->edge_count];
    *edge = (obo_edge){o->term_count - 1, 0, relation, hs_reader_line_number(o->reader)};
    HS_TRY(hs_names_intern(&o->ids, HS_SPAN(parent), &edge->parent, NULL, error));
    o->edge_count++;
    return HSEL_OK;
}

/* The tags of a term that matter. */
static int read_term_tag(obo *o, const char *tag, size_t length, char *value, hsel_error *error)
{
    enum { ID, NAME, IS_A, ALT_ID, NAMESPACE, REPLACED_BY, IS_OBSOLETE, RELATIONSHIP, TAGS };
    static const char *const tags[] = {"id",        "name",        "is_a",        "alt_id",
                                       "namespace", "replaced_by", "is_obsolete", "relationship"};
    obo_term *term = &o->terms[o->term_count - 1];
    word name = {0};
    uint32_t id = 0;
    bool added = false;
    int found = 0;
    if (!memchr("inar", tag[0], 4)) /* most lines are def, synonym and xref */
        return HSEL_OK;
    while (found < TAGS && (strlen(tags[found]) != length || memcmp(tags[found], tag, length) != 0))
        found++;
    if (found == ID || found == ALT_ID || found == REPLACED_BY)
        HS_TRY(take_id(o, value, tags[found], &name, error));
    switch (found) {
    case ID:
        if (o->names.count == o->term_count)
            return FAIL("a second id in one stanza");
        HS_TRY(hs_names_intern(&o->names, HS_SPAN(name), &id, &added, error));
        if (!added)
            return FAIL("term %s is declared a second time (first on line %lu)",
                        hs_names_get(&o->names, id), o->terms[id].line);
        return HSEL_OK;
    case NAME:
        name = take_word(&value, true);
        term->title = o->titles.count;
        return hs_names_append(&o->titles, HS_SPAN(name), error);
    case IS_A:
        return add_obo_edge(o, value, "is_a", 0, error);
    case ALT_ID:
        HS_TRY(hs_names_intern(&o->alternates, HS_SPAN(name), &id, &added, error));
        HS_NEED(HS_GROW(&o->alternate_of, &o->alternate_capacity, o->alternates.count));
        if (added)
            o->alternate_of[id] = o->term_count - 1;
        return HSEL_OK;
    case NAMESPACE:
        name = take_word(&value, true);
        if (!name.length)
            return FAIL("namespace without a value");
        return hs_names_intern(&o->spaces, HS_SPAN(name), &term->space, NULL, error);
    case REPLACED_BY: /* of several, the first */
        return term->replaced_by != HSEL_NONE
                   ? HSEL_OK
                   : hs_names_intern(&o->ids, HS_SPAN(name), &term->replaced_by, NULL, error);
    case IS_OBSOLETE:
        name = take_word(&value, false);
        term->obsolete = hs_equal_nocase(HS_SPAN(name), "true");
        return HSEL_OK;
    case RELATIONSHIP:
        name = take_word(&value, false);
        if (!name.length)
            return FAIL("relationship without a value");
        HS_TRY(hs_names_intern(&o->relations, HS_SPAN(name), &id, NULL, error));
        if (!*value || *value == '!' || *value == '{')
            return FAIL("relationship %s names no term", hs_names_get(&o->relations, id));
        return add_obo_edge(o, value, "relationship", id, error);
    default:
        return HSEL_OK;
    }
}

static int finish_term(const obo *o, hsel_error *error)
{
    if (o->stanza != TERM || o->names.count == o->term_count)
        return HSEL_OK;
    return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(o->reader),
                      o->terms[o->term_count - 1].line, "a [Term] stanza without an id");
}

static int obo_line(obo *o, char *line, size_t length, hsel_error *error)
{
    uint32_t relation = 0;
    if (*line == '[') { /* a stanza begins */
        const char *end = memchr(line, ']', length);
        if (!end)
            return FAIL("a stanza header without a closing bracket");
        HS_TRY(finish_term(o, error));
        size_t name_length = (size_t)(end - line - 1);
        o->stanza = hs_equal_nocase(line + 1, name_length, "Term")      ? TERM
                    : hs_equal_nocase(line + 1, name_length, "Typedef") ? TYPEDEF
                                                                        : OTHER;
        if (o->stanza != TERM)
            return HSEL_OK;
        HS_NEED(HS_GROW(&o->terms, &o->terms_capacity, (size_t)o->term_count + 1));
        o->terms[o->term_count++] = (obo_term){.space = HSEL_NONE,
                                               .title = HSEL_NONE,
                                               .replaced_by = HSEL_NONE,
                                               .line = hs_reader_line_number(o->reader)};
        return HSEL_OK;
    }
    char *colon = memchr(line, ':', length);
    if (!colon || colon == line)
        return FAIL("expected 'tag: value' as in an OBO file");
    char *value = colon + 1;
    length = (size_t)(colon - line);
    if (o->stanza == TERM)
        return read_term_tag(o, line, length, value, error);
    if (o->stanza == HEADER && hs_equal_nocase(line, length, "default-namespace")) {
        word name = take_word(&value, true);
        o->default_space.length = 0;
        hs_buf_add(&o->default_space, HS_SPAN(name));
        HS_NEED(!o->default_space.failed);
    } else if (o->stanza == HEADER && (hs_equal_nocase(line, length, "data-version") ||
                                       hs_equal_nocase(line, length, "date"))) {
        word text = take_word(&value, true);
        char **to = length == 4 ? &o->graph->date : &o->graph->version;
        hs_free(*to);
        HS_NEED(*to = hs_strndup(HS_SPAN(text)));
    } else if (o->stanza == TYPEDEF && length == 2 && memcmp(line, "id", 2) == 0) {
        word name = take_word(&value, false);
        if (name.length)
            return hs_names_intern(&o->relations, HS_SPAN(name), &relation, NULL, error);
    }
    return HSEL_OK;
}

/* ---- reading: the requested graph ---- */

#define UNKNOWN (HSEL_NONE - 1) /* an identifier that no term has */

/* Extracts the requested graph from the content of the file. */
static int pick_graph(obo *o, hs_graph *out, hsel_error *error)
{
    const hs_list *relations = &o->options->relations, *asked = &o->options->namespaces;
    const char *file = hs_reader_name(o->reader);
    if (!o->term_count)
        return hs_fail_at(error, HSEL_EFORMAT, file, 0, "no [Term] stanza in this OBO file");
    for (size_t i = 0; i < relations->count; i++)
        if (hs_names_find(&o->relations, relations->items[i], strlen(relations->items[i])) ==
            HSEL_NONE)
            return hs_fail_choice(error, file, "relation", relations->items[i], &o->relations);
    for (uint32_t t = 0; t < o->term_count && o->default_space.length; t++)
        if (o->terms[t].space == HSEL_NONE)
            HS_TRY(hs_names_intern(&o->spaces, HS_SPAN(o->default_space), &o->terms[t].space, NULL,
                                   error));
    HS_TRY(hs_check_namespaces(asked, file, &o->spaces, error));

    HS_OWNED uint32_t *number = HS_NEW(uint32_t, (size_t)o->term_count); /* HSEL_NONE: left out */
    HS_OWNED uint32_t *number_of = HS_NEW(uint32_t, o->ids.count); /* the same, of an identifier */
    out->namespace_of = HS_NEW(uint32_t, (size_t)o->term_count);
    out->replaced_by = HS_NEW(uint32_t, (size_t)o->term_count);
    out->flags = HS_NEW_ZERO(uint8_t, (size_t)o->term_count);
    out->relation = HS_NEW(uint32_t, o->edge_count);
    out->alternate_of = HS_NEW(uint32_t, (size_t)o->alternates.count);
    HS_NEED(number && number_of && out->namespace_of && out->replaced_by && out->flags &&
            out->relation && out->alternate_of);
    for (uint32_t t = 0, next = 0; t < o->term_count; t++)
        number[t] = hs_namespace_wanted(asked, &o->spaces, o->terms[t].space) ? next++ : HSEL_NONE;

    for (uint32_t i = 0; i < o->ids.count; i++) {
        uint32_t t = hs_names_find(&o->names, HS_NAME(&o->ids, i));
        number_of[i] = t == HSEL_NONE ? UNKNOWN : number[t];
    }
    for (uint32_t t = 0; t < o->term_count; t++) {
        const obo_term *term = &o->terms[t];
        if (number[t] == HSEL_NONE)
            continue;
        uint32_t replaced = term->replaced_by == HSEL_NONE ? UNKNOWN : number_of[term->replaced_by];
        out->namespace_of[number[t]] = term->space;
        out->replaced_by[number[t]] = replaced == UNKNOWN ? HSEL_NONE : replaced;
        out->flags[number[t]] = term->obsolete ? HS_TERM_OBSOLETE : 0;
        HS_TRY(hs_names_append(&out->terms, HS_NAME(&o->names, t), error));
        HS_TRY(term->title == HSEL_NONE
                   ? hs_names_append(&out->titles, "", 0, error)
                   : hs_names_append(&out->titles, HS_NAME(&o->titles, term->title), error));
    }
    HS_TRY(hs_names_index(&out->terms, error));

    for (size_t e = 0; e < o->edge_count; e++) {
        const obo_edge *edge = &o->edges[e];
        if (number_of[edge->parent] == UNKNOWN)
            return hs_fail_at(error, HSEL_EFORMAT, file, edge->line, "%s%s names unknown term %s",
                              edge->relation ? "relationship " : "",
                              hs_names_get(&o->relations, edge->relation),
                              hs_names_get(&o->ids, edge->parent));
        uint32_t child = number[edge->term], parent = number_of[edge->parent];
        if (child == HSEL_NONE || parent == HSEL_NONE)
            continue;
        HS_TRY(hs_graph_edge(out, child, parent, error));
        out->relation[out->edges - 1] = edge->relation;
    }

    for (uint32_t a = 0; a < o->alternates.count; a++) {
        if (number[o->alternate_of[a]] == HSEL_NONE)
            continue;
        out->alternate_of[out->alternates.count] = number[o->alternate_of[a]];
        HS_TRY(hs_names_append(&out->alternates, HS_NAME(&o->alternates, a), error));
    }
    HS_TRY(hs_names_index(&out->alternates, error));
    out->namespaces = o->spaces;
    out->relations = o->relations;
    o->spaces = o->relations = (hs_names){0};
    return HSEL_OK;
}

static int obo_read_graph(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                          hsel_error *error)
{
    HS_OWNS(obo_clear) obo o = {.reader = reader, .options = options, .graph = out};
    uint32_t is_a = 0;
    char *line = NULL;
    size_t length = 0;
    int more = 0;
    HS_TRY(hs_names_intern(&o.relations, "is_a", 4, &is_a, NULL, error));
    while ((more = hs_reader_line(reader, &line, &length, error)) > 0) {
        /* An odd number of backslashes at its end makes a line go on in the next. */
        while (more > 0) {
            size_t seam = length, text = length;
            while (text && line[text - 1] == '\\')
                text--;
            if ((length - text) % 2 == 0)
                break;
            if ((more = hs_reader_more(reader, &line, &length, error)) > 0)
                line[seam - 1] = line[seam] = ' ';
        }
        if (more < 0)
            return more;
        while (length && hs_is_blank(*line))
            line++, length--;
        if (length && *line != '!')
            HS_TRY(obo_line(&o, line, length, error));
    }
    HS_TRY(more);
    HS_TRY(finish_term(&o, error));
    return pick_graph(&o, out, error);
}

/* ---- writing ---- */

/* Escapes what would end a value or start an escape; in an identifier also blanks. */
static int put_escaped(hs_writer *writer, const char *text, size_t length, bool is_id,
                       hsel_error *error)
{
    if (memchr(text, '\r', length))
        return hs_fail(
            error, HSEL_EUNSUPPORTED,
            "the name '%.200s' has a carriage return in it, which OBO cannot hold; write "
            "rdf instead",
            text);
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        bool blank = c == ' ' && !is_id && i > 0 && i + 1 < length;
        if (!blank && memchr(" \t\n\\!{", c, 6)) {
            hs_writer_char(writer, '\\');
            c = (char)(c == ' ' ? 'W' : c == '\t' ? 't' : c == '\n' ? 'n' : c);
        }
        hs_writer_char(writer, c);
    }
    return HSEL_OK;
}

static int put_id(hs_writer *writer, const char *text, size_t length, hsel_error *error)
{
    return put_escaped(writer, text, length, true, error);
}

/* A line about a term; text NULL: there is nothing to say. */
static int obo_put_line(hs_writer *writer, const char *tag, const char *text, bool is_id,
                        hsel_error *error)
{
    if (!text)
        return HSEL_OK;
    hs_writer_text(writer, tag);
    HS_TRY(put_escaped(writer, text, strlen(text), is_id, error));
    hs_writer_char(writer, '\n');
    return HSEL_OK;
}

static int obo_write_graph(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    const hsel_dag *dag = data->dag;
    const uint32_t space = hs_about_column(&data->about, HS_ABOUT_NAMESPACE);
    HS_TRY(hs_need_hierarchy(data, error));
    hs_writer_text(writer, "format-version: 1.2\n");
    for (uint32_t v = 0; v < dag->nodes; v++) {
        hs_writer_text(writer, "\n[Term]\nid: ");
        HS_TRY(hs_put_feature(data, v, put_id, writer, error));
        hs_writer_char(writer, '\n');
        HS_TRY(obo_put_line(writer, "name: ", hs_about_label(&data->about, v), false, error));
        HS_TRY(obo_put_line(writer, "namespace: ", hs_about_get(&data->about, v, space), false,
                            error));
        for (uint32_t i = dag->parent_start[v]; i < dag->parent_start[v + 1]; i++) {
            const char *relation = hs_relation(dag, i);
            bool is_a = strcmp(relation, HS_IS_A) == 0;
            hs_writer_text(writer, is_a ? "is_a: " : "relationship: ");
            if (!is_a) {
                HS_TRY(put_id(writer, relation, strlen(relation), error));
                hs_writer_char(writer, ' ');
            }
            HS_TRY(hs_put_feature(data, dag->parent[i], put_id, writer, error));
            hs_writer_char(writer, '\n');
        }
    }
    for (uint32_t r = 1; r < dag->relations.count; r++) /* others than is_a are declared */
        HS_TRY(obo_put_line(writer, "\n[Typedef]\nid: ", hs_names_get(&dag->relations, r), true,
                            error));
    return HSEL_OK;
}

const hs_method hs_method_obo = {
    .kind = HS_FORMAT,
    .name = "obo",
    .title = "OBO ontology",
    .help = "An ontology in OBO 1.2 or 1.4, the format of the Gene Ontology. Terms are the [Term] "
            "stanzas; edges are is_a lines or the chosen relations (is_a, part_of, regulates ...), "
            "each from the term to the one it names. Namespaces can be chosen by name, those of "
            "the Gene Ontology also as BP, MF and CC; terms of others are left out with their "
            "edges. Obsolete terms are left out; for annotations, alt_id and replaced_by are "
            "followed. A relation to a term that the file does not declare is an error. hsel "
            "writes id, name, namespace, is_a and relationship, as far as they are known; an edge "
            "without relation is is_a.",
    .citation = "The OBO Flat File Format Specification, version 1.2 (2006) and version 1.4 (2012)",
    .format = &(const hs_format){.endings = "obo",
                                 .sniff = obo_sniff,
                                 .read_graph = obo_read_graph,
                                 .write_graph = obo_write_graph,
                                 .writes_terms = true,
                                 .writes_relations = true,
                                 .writes_labels = true,
                                 .has_relations = true,
                                 .has_namespaces = true}};
