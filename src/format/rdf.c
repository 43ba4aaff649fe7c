/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The RDF format: telling its syntaxes by their first bytes, and writing a hierarchy as N-Triples.
 * Reading is in rdf_read.c. Everything here is there without raptor2 too.
 */
#include "format/rdf.h"

#include <string.h>

#include "format/hierarchy.h"

/* ---- recognising ---- */

typedef struct span {
    const char *at, *end;
} span;

static bool starts(span text, const char *word, bool any_case)
{
    size_t length = strlen(word);
    if ((size_t)(text.end - text.at) < length)
        return false;
    return any_case ? hs_equal_nocase(text.at, length, word) : memcmp(text.at, word, length) == 0;
}

static bool contains(span text, const char *word)
{
    for (; text.at < text.end; text.at++) {
        const char *next = memchr(text.at, word[0], (size_t)(text.end - text.at));
        if (!next)
            return false;
        text.at = next;
        if (starts(text, word, false))
            return true;
    }
    return false;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static void skip_blanks(span *text)
{
    while (text->at < text->end && is_blank(*text->at))
        text->at++;
}

/* <…> without blanks inside, or _:label; false if there is none. */
static bool skip_node(span *text)
{
    const char *start = text->at;
    bool iri = starts(*text, "<", false);
    if (!iri && !starts(*text, "_:", false))
        return false;
    while (text->at < text->end && !strchr(" \t\r\n>", *text->at))
        text->at++;
    if (iri && (text->at == text->end || *text->at != '>'))
        return false;
    text->at += iri;
    return text->at > start;
}

/* "subject predicate object", or as much of it as the first line has. */
static bool looks_like_triple(span text)
{
    const char *feed = memchr(text.at, '\n', (size_t)(text.end - text.at));
    span line = {text.at, feed ? feed : text.end};
    while (line.end > line.at && strchr(" \t\r", line.end[-1]))
        line.end--;
    if (!skip_node(&line) || !memchr(text.at, ':', (size_t)(line.at - text.at)))
        return false;
    skip_blanks(&line);
    if (line.at == line.end || starts(line, "a ", false))
        return true;
    if (!skip_node(&line))
        return false;
    skip_blanks(&line);
    return line.at == line.end || strchr("<_\"", *line.at);
}

hs_rdf_syntax hs_rdf_syntax_of(const char *head, size_t length)
{
    static const char *const directives[] = {"@prefix", "@base", "prefix ", "base "};
    const char *first = hs_first_content(head, length, '#');
    if (!first)
        return HS_RDF_NONE;
    span text = {first, head + length};
    if (starts(text, "<?xml", true) || starts(text, "<rdf:RDF", false) ||
        starts(text, "<!DOCTYPE", true) || starts(text, "<!--", false))
        return contains(text, "rdf:RDF") || contains(text, HS_RDF_NS) ? HS_RDF_XML : HS_RDF_NONE;
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
        if (starts(text, directives[i], true) && contains(text, "<"))
            return HS_RDF_TURTLE;
    return looks_like_triple(text) ? HS_RDF_TURTLE : HS_RDF_NONE;
}

static int sniff(const char *head, size_t length)
{
    return hs_rdf_syntax_of(head, length) == HS_RDF_NONE ? 0 : 95;
}

/* ---- writing ---- */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_unreserved(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || (c != '\0' && strchr("-._~", c));
}

/* scheme:rest, with only characters that may stand between < and >. */
static bool is_iri(const char *name, size_t length)
{
    const char *colon = memchr(name, ':', length);
    span text = {name, name + length};
    if (!colon || !is_letter(name[0]) || starts(text, HS_RDF_PLAIN, false) ||
        starts(text, HS_RDF_BASE, false))
        return false;
    for (const char *c = name; c < colon; c++)
        if (!is_letter(*c) && !(*c >= '0' && *c <= '9') && !strchr("+-.", *c))
            return false;
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)name[i];
        size_t size = hs_utf8_length(name + i, length - i);
        if (size == 0 || c <= ' ' || strchr("<>\"{}|^`\\\x7f", c))
            return false;
        i += size;
    }
    return true;
}

static int put_iri(const hsel_dataset *data, uint32_t v, hs_writer *writer, hsel_error *error)
{
    size_t length = 0;
    const char *name = hs_name_to_write(data, v, &length, error);
    if (!name)
        return HSEL_EUNSUPPORTED;
    bool whole = is_iri(name, length);
    hs_writer_text(writer, whole ? "<" : "<" HS_RDF_PLAIN);
    for (size_t i = 0; i < length; i++) {
        if (whole || is_unreserved(name[i]))
            hs_writer_char(writer, name[i]);
        else
            hs_writer_printf(writer, "%%%02X", (unsigned char)name[i]);
    }
    hs_writer_char(writer, '>');
    return HSEL_OK;
}

/* Every feature is declared as a class, so that those without a parent are not lost. */
static int write_graph(const hsel_dataset *data, const hs_graph *known, hs_writer *writer,
                       hsel_error *error)
{
    (void)known;
    const hsel_dag *dag = hs_hierarchy_to_write(data, error);
    if (!dag)
        return HSEL_EUSAGE;
    for (uint32_t v = 0; v < dag->nodes; v++) {
        size_t count = 0;
        const uint32_t *parents = hs_parents(dag, v, &count);
        int status = put_iri(data, v, writer, error);
        hs_writer_text(writer, " <" HS_RDF_NS "type> <" HS_OWL_NS "Class> .\n");
        for (size_t i = 0; i < count && status == HSEL_OK; i++) {
            status = put_iri(data, v, writer, error);
            hs_writer_text(writer, " <" HS_RDFS_NS "subClassOf> ");
            if (status == HSEL_OK)
                status = put_iri(data, parents[i], writer, error);
            hs_writer_text(writer, " .\n");
        }
        if (status < 0)
            return status;
    }
    return HSEL_OK;
}

static const hs_format format = {.endings = "nt ttl rdf owl",
                                 .sniff = sniff,
                                 .read_graph = hs_rdf_read,
                                 .write_graph = write_graph};

const hs_method hs_method_rdf = {
    .kind = HS_FORMAT,
    .name = "rdf",
    .title = "RDF (N-Triples, Turtle, RDF/XML)",
    .help = "A hierarchy in RDF. Edges are rdfs:subClassOf and skos:broader, or the predicates "
            "asked for as relations: full "
            "IRIs, or with the prefixes rdf:, rdfs:, owl: and skos:. The subject is the child, the "
            "object its parent; "
            "skos:narrower and skos:narrowerTransitive, if asked for, are read the other way "
            "round. Classes and concepts "
            "(rdf:type owl:Class, rdfs:Class, skos:Concept) are terms even without an edge. Blank "
            "nodes (OWL "
            "restrictions) are skipped. A term's name is its full IRI; <urn:hsel:NAME> stands for "
            "a NAME that is not an "
            "IRI. Nothing is fetched from the network. Reading needs raptor2; written are "
            "N-Triples, a class "
            "and its rdfs:subClassOf triples.",
    .citation = "RDF 1.1 N-Triples, RDF 1.1 Turtle, RDF 1.1 XML Syntax (W3C Recommendations, 2014)",
    .format = &format};
