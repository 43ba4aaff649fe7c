/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading RDF through raptor2, in pieces: RDF/XML block by block, Turtle by whole statements with a
 * parser for each piece, since raptor parses Turtle only when it has all of it. Raptor reports
 * statements and complaints through callbacks; the first failure is kept in the state, stops the
 * parser and becomes the reader's error. Everything that raptor holds hangs on one world, which is
 * freed at the end.
 */
#include "format/rdf.h"

#include <string.h>

#include "core/mem.h"
#include "format/hierarchy.h"

#ifndef HS_WITH_RAPTOR

int hs_rdf_read(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                hsel_error *error)
{
    (void)options;
    (void)out;
    return hs_fail_at(
        error, HSEL_EUNSUPPORTED, hs_reader_name(reader), 0,
        "reading RDF was not built in; install raptor2 (Debian: libraptor2-dev) and build again");
}

#else

#include "format/raptor.h"
#include "format/rdf_scan.h"

#define PEEK_BYTES      ((size_t)64 << 10)
#define PREDICATES_KEPT 64 /* for a message */
#define PIECE           ((size_t)1 << 20)
#define XML_PIECE       ((size_t)16 << 10)

typedef struct relation {
    raptor_uri *uri;
    bool reversed; /* the object is the child */
    bool seen;
} relation;

typedef struct rdf {
    hs_reader *reader;
    hs_graph *graph;
    hs_raptor raptor;
    raptor_world *world;
    raptor_parser *parser;
    raptor_uri *type, *classes[3];
    relation *relations;
    size_t relation_count;
    hs_names predicates;
    uint32_t last_predicate; /* the one noted last: they come in runs */
    hs_buf decoded;
    bool xml, heard; /* heard: a statement came */
    hs_buf pending;  /* Turtle that was not parsed yet */
    hs_buf prefixes; /* every piece starts with those of the pieces before … */
    size_t known;    /* … which are the first so many bytes */
    long lines;      /* lines before the piece, less those of its prefixes */
    hsel_error *error;
    int status;
} rdf;

/* Where a message says, or where the parser is; 0: nowhere. */
static unsigned long line_of(const rdf *r, raptor_locator *locator)
{
    if (!locator && r->parser)
        locator = r->raptor.parser_get_locator(r->parser);
    int line = locator ? r->raptor.locator_line(locator) : 0;
    return line > 0 && line + r->lines > 0 ? (unsigned long)(line + r->lines) : 0;
}

static void stop(rdf *r, int status)
{
    r->status = status;
    r->raptor.parser_parse_abort(r->parser);
}

/* Raptor's complaints; warnings are none of the user's business. */
static void on_message(void *context, raptor_log_message *message)
{
    rdf *r = context;
    if (r->status < 0 || message->level < RAPTOR_LOG_LEVEL_ERROR)
        return;
    r->status =
        hs_fail_at(r->error, HSEL_EFORMAT, hs_reader_name(r->reader), line_of(r, message->locator),
                   "not valid RDF: %s", message->text ? message->text : "unknown error");
}

static int refuse_uri(void *context, raptor_uri *uri)
{
    (void)context;
    (void)uri;
    return 1;
}

/* ---- names ---- */

static int hex_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

static int decode(rdf *r, const char *text, size_t length)
{
    r->decoded.length = 0;
    for (size_t i = 0; i < length; i++) {
        int high = text[i] == '%' && i + 2 < length ? hex_value(text[i + 1]) : -1;
        int low = high >= 0 ? hex_value(text[i + 2]) : -1;
        if (low >= 0 && high * 16 + low > 0) {
            hs_buf_char(&r->decoded, (char)(high * 16 + low));
            i += 2;
        } else {
            hs_buf_char(&r->decoded, text[i]);
        }
    }
    return r->decoded.failed ? hs_fail_memory(r->error) : HSEL_OK;
}

static int intern_term(rdf *r, raptor_uri *uri, uint32_t *term)
{
    size_t length = 0;
    const char *text = (const char *)r->raptor.uri_as_counted_string(uri, &length);
    size_t plain = strlen(HS_RDF_PLAIN), base = strlen(HS_RDF_BASE);
    if (length > plain && memcmp(text, HS_RDF_PLAIN, plain) == 0) {
        int status = decode(r, text + plain, length - plain);
        if (status < 0)
            return status;
        text = r->decoded.text;
        length = r->decoded.length;
    } else if (length >= base && memcmp(text, HS_RDF_BASE, base) == 0) {
        text += base;
        length -= base;
    }
    if (!length || memchr(text, '\0', length))
        return hs_fail_at(r->error, HSEL_EFORMAT, hs_reader_name(r->reader), line_of(r, NULL),
                          "a term with an %s IRI", length ? "impossible" : "empty");
    return hs_names_intern(&r->graph->terms, text, length, term, NULL, r->error);
}

/* ---- statements ---- */

static int add_edge(rdf *r, const relation *kind, raptor_statement *triple)
{
    uint32_t subject = 0, object = 0;
    if (triple->object->type == RAPTOR_TERM_TYPE_LITERAL)
        return hs_fail_at(r->error, HSEL_EFORMAT, hs_reader_name(r->reader), line_of(r, NULL),
                          "%s of a literal, where a term should be",
                          (const char *)r->raptor.uri_as_string(kind->uri));
    if (triple->subject->type != RAPTOR_TERM_TYPE_URI ||
        triple->object->type != RAPTOR_TERM_TYPE_URI)
        return HSEL_OK;
    int status = intern_term(r, triple->subject->value.uri, &subject);
    if (status == HSEL_OK)
        status = intern_term(r, triple->object->value.uri, &object);
    if (status < 0)
        return status;
    return kind->reversed ? hs_graph_edge(r->graph, object, subject, r->error)
                          : hs_graph_edge(r->graph, subject, object, r->error);
}

static int add_class(rdf *r, raptor_statement *triple)
{
    uint32_t term = 0;
    if (triple->subject->type != RAPTOR_TERM_TYPE_URI ||
        triple->object->type != RAPTOR_TERM_TYPE_URI)
        return HSEL_OK;
    for (size_t i = 0; i < sizeof r->classes / sizeof r->classes[0]; i++)
        if (r->raptor.uri_equals(triple->object->value.uri, r->classes[i]))
            return intern_term(r, triple->subject->value.uri, &term);
    return HSEL_OK;
}

static int note_predicate(rdf *r, raptor_uri *uri)
{
    size_t length = 0;
    const char *text = (const char *)r->raptor.uri_as_counted_string(uri, &length);
    if (r->predicates.count >= PREDICATES_KEPT)
        return HSEL_OK;
    if (r->predicates.count && strcmp(text, hs_names_get(&r->predicates, r->last_predicate)) == 0)
        return HSEL_OK;
    return hs_names_intern(&r->predicates, text, length, &r->last_predicate, NULL, r->error);
}

static int take_triple(rdf *r, raptor_statement *triple)
{
    raptor_uri *predicate = triple->predicate->value.uri;
    int status = note_predicate(r, predicate);
    for (size_t i = 0; i < r->relation_count && status == HSEL_OK; i++) {
        if (!r->raptor.uri_equals(predicate, r->relations[i].uri))
            continue;
        r->relations[i].seen = true;
        return add_edge(r, &r->relations[i], triple);
    }
    return status == HSEL_OK && r->raptor.uri_equals(predicate, r->type) ? add_class(r, triple)
                                                                         : status;
}

static void on_statement(void *context, raptor_statement *triple)
{
    rdf *r = context;
    r->heard = true;
    if (r->status < 0 || triple->predicate->type != RAPTOR_TERM_TYPE_URI)
        return;
    int status = take_triple(r, triple);
    if (status < 0)
        stop(r, status);
}

/* ---- what was asked for ---- */

static raptor_uri *new_uri(const rdf *r, const char *text)
{
    return r->raptor.new_uri(r->world, (const unsigned char *)text);
}

/* A full IRI, or one with a well-known prefix written out. */
static raptor_uri *relation_uri(const rdf *r, const char *name)
{
    static const char *const prefixes[][2] = {
        {"rdf:", HS_RDF_NS}, {"rdfs:", HS_RDFS_NS}, {"owl:", HS_OWL_NS}, {"skos:", HS_SKOS_NS}};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i][0]);
        if (strncmp(name, prefixes[i][0], length) != 0)
            continue;
        hs_buf full = {0};
        hs_buf_text(&full, prefixes[i][1]);
        hs_buf_text(&full, name + length);
        raptor_uri *uri = full.failed ? NULL : new_uri(r, full.text);
        hs_buf_clear(&full);
        return uri;
    }
    return new_uri(r, name);
}

static bool is_reversed(const rdf *r, raptor_uri *uri)
{
    const char *text = (const char *)r->raptor.uri_as_string(uri);
    return strcmp(text, HS_SKOS_NS "narrower") == 0 ||
           strcmp(text, HS_SKOS_NS "narrowerTransitive") == 0;
}

static int choose_relations(rdf *r, const hs_list *asked)
{
    static const char *const usual[] = {"rdfs:subClassOf", "skos:broader"};
    const char *const *names = asked->count ? (const char *const *)asked->items : usual;
    size_t count = asked->count ? asked->count : sizeof usual / sizeof usual[0];
    r->relations = HS_NEW_ZERO(relation, count);
    if (!r->relations)
        return hs_fail_memory(r->error);
    r->relation_count = count;
    for (size_t i = 0; i < count; i++) {
        r->relations[i].uri = relation_uri(r, names[i]);
        if (!r->relations[i].uri)
            return hs_fail_memory(r->error);
        r->relations[i].reversed = is_reversed(r, r->relations[i].uri);
    }
    return HSEL_OK;
}

static int check_found(rdf *r, const hs_list *asked)
{
    for (size_t i = 0; i < asked->count; i++)
        if (!r->relations[i].seen)
            return hs_fail_choice(r->error, r->reader, "predicate", asked->items[i],
                                  &r->predicates);
    if (r->graph->terms.count)
        return HSEL_OK;
    return hs_fail_at(r->error, HSEL_EFORMAT, hs_reader_name(r->reader), 0,
                      "no edges: no triple has a predicate that leads from a term to its parent "
                      "(rdfs:subClassOf, skos:broader, or what the relations option names)");
}

/* ---- raptor ---- */

/* N-Triples too are read by the parser for Turtle: the one for N-Triples alone loses memory on
 * errors. */
static bool is_xml(const rdf *r, const char *head, size_t length)
{
    static const char *const endings[] = {".rdf", ".owl", ".xml"};
    hs_rdf_syntax syntax = hs_rdf_syntax_of(head, length);
    bool xml = syntax == HS_RDF_XML;
    for (size_t i = 0; syntax == HS_RDF_NONE && i < sizeof endings / sizeof endings[0]; i++)
        xml = xml || hs_ends_with(hs_reader_name(r->reader), endings[i]);
    return xml;
}

static int open_world(rdf *r)
{
    int status = hs_raptor_load(hs_reader_name(r->reader), &r->raptor, r->error);
    if (status)
        return status;
    r->world = r->raptor.new_world_internal(RAPTOR_VERSION);
    if (!r->world)
        return hs_fail_memory(r->error);
    r->raptor.world_set_flag(r->world, RAPTOR_WORLD_FLAG_WWW_SKIP_INIT_FINISH, 1);
    r->raptor.world_set_flag(r->world, RAPTOR_WORLD_FLAG_URI_INTERNING,
                             0); /* names are interned here */
    r->raptor.world_set_log_handler(r->world, r, on_message);
    if (r->raptor.world_open(r->world) != 0)
        return hs_fail(r->error, HSEL_EUNSUPPORTED, "raptor2 could not be started");
    r->type = new_uri(r, HS_RDF_NS "type");
    r->classes[0] = new_uri(r, HS_OWL_NS "Class");
    r->classes[1] = new_uri(r, HS_RDFS_NS "Class");
    r->classes[2] = new_uri(r, HS_SKOS_NS "Concept");
    return r->type && r->classes[0] && r->classes[1] && r->classes[2] ? HSEL_OK
                                                                      : hs_fail_memory(r->error);
}

static int open_parser(rdf *r)
{
    const char *name = r->xml ? "rdfxml" : "turtle";
    r->parser = r->raptor.new_parser(r->world, name);
    if (!r->parser)
        return hs_fail(r->error, HSEL_EUNSUPPORTED, "raptor2 has no parser for %s", name);
    r->raptor.parser_set_option(r->parser, RAPTOR_OPTION_NO_NET, NULL, 1);
    r->raptor.parser_set_option(r->parser, RAPTOR_OPTION_NO_FILE, NULL, 1);
    r->raptor.parser_set_option(r->parser, RAPTOR_OPTION_LOAD_EXTERNAL_ENTITIES, NULL, 0);
    r->raptor.parser_set_uri_filter(r->parser, refuse_uri, NULL);
    r->raptor.parser_set_statement_handler(r->parser, r, on_statement);
    raptor_uri *base = new_uri(r, HS_RDF_BASE);
    if (!base)
        return hs_fail_memory(r->error);
    int failed = r->raptor.parser_parse_start(r->parser, base);
    r->raptor.free_uri(base);
    return failed ? hs_fail(r->error, HSEL_EUNSUPPORTED,
                            "raptor2 could not start its parser for %s", name)
                  : HSEL_OK;
}

static int parse_chunk(rdf *r, const char *data, size_t length, bool last)
{
    int failed = r->raptor.parser_parse_chunk(r->parser, (const unsigned char *)data, length, last);
    if (r->status < 0)
        return r->status;
    return failed ? hs_fail_at(r->error, HSEL_EFORMAT, hs_reader_name(r->reader), line_of(r, NULL),
                               "not valid RDF")
                  : HSEL_OK;
}

static int next_block(rdf *r, const char **data, size_t *length)
{
    int more = hs_reader_block(r->reader, data, length, r->error);
    if (more > 0 && memchr(*data, '\0', *length))
        return hs_fail_at(r->error, HSEL_EFORMAT, hs_reader_name(r->reader), 0,
                          "there is a NUL byte: this is not a text file");
    return more;
}

static long count_lines(const char *text, size_t length)
{
    long lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

/* The first bytes of what is pending, which are whole statements. */
static int parse_piece(rdf *r, size_t length)
{
    long prefix_lines = count_lines(r->prefixes.text, r->known);
    r->lines -= prefix_lines;
    int status = open_parser(r);
    if (status == HSEL_OK && r->known)
        status = parse_chunk(r, r->prefixes.text, r->known, false);
    if (status == HSEL_OK)
        status = parse_chunk(r, length ? r->pending.text : "", length, true);
    if (status < 0)
        return status;
    r->raptor.free_parser(r->parser);
    r->parser = NULL;
    r->lines += prefix_lines + count_lines(r->pending.text, length);
    r->known = r->prefixes.length;
    r->pending.length -= length;
    if (r->pending.length)
        memmove(r->pending.text, r->pending.text + length, r->pending.length);
    return HSEL_OK;
}

static int too_long(rdf *r)
{
    return hs_fail_at(r->error, HSEL_ELIMIT, hs_reader_name(r->reader), 0,
                      "no triple in %llu MiB; --max-token allows more",
                      (unsigned long long)hs_limits_now()->token);
}

static int parse_turtle(rdf *r)
{
    hs_turtle_scan scan = {0};
    const char *data = NULL;
    size_t length = 0;
    int more = 0, status = HSEL_OK;
    while (status == HSEL_OK && (more = next_block(r, &data, &length)) > 0) {
        hs_buf_add(&r->pending, data, length);
        if (!r->pending.failed)
            hs_turtle_scan_on(&scan, r->pending.text, r->pending.length, false, &r->prefixes);
        if (r->pending.failed || r->prefixes.failed)
            status = hs_fail_memory(r->error);
        else if (r->pending.length - scan.whole > hs_limits_now()->token << 20)
            status = too_long(r);
        else if (scan.whole >= PIECE && scan.whole >= r->prefixes.length) {
            status = parse_piece(r, scan.whole);
            scan.at -= scan.whole;
            scan.whole = 0;
        }
    }
    return status < 0 ? status : more < 0 ? more : parse_piece(r, r->pending.length);
}

static int parse_xml(rdf *r)
{
    hs_xml_scan scan = {0};
    const char *data = NULL;
    size_t length = 0;
    uint64_t silent = 0; /* bytes since the last triple, entities written out */
    int more = 0, status = open_parser(r);
    while (status == HSEL_OK && (more = next_block(r, &data, &length)) > 0)
        for (size_t part; length && status == HSEL_OK; data += part, length -= part) {
            part = length < XML_PIECE ? length : XML_PIECE;
            scan.references = 0;
            if (!hs_xml_scan_on(&scan, data, part, hs_limits_now()->depth))
                return hs_fail_at(r->error, HSEL_ELIMIT, hs_reader_name(r->reader),
                                  line_of(r, NULL), "%s more than %llu%s; --max-depth allows more",
                                  scan.attributes ? "an element has" : "elements are nested",
                                  (unsigned long long)hs_limits_now()->depth,
                                  scan.attributes ? " attributes" : " deep");
            silent += part + scan.references * scan.largest;
            if (silent > hs_limits_now()->token << 20)
                return too_long(r);
            r->heard = false;
            status = parse_chunk(r, data, part, false);
            silent = r->heard ? 0 : silent;
        }
    return status < 0 ? status : more < 0 ? more : parse_chunk(r, "", 0, true);
}

static int parse(rdf *r)
{
    const char *head = NULL;
    size_t length = 0;
    int status = hs_reader_peek(r->reader, PEEK_BYTES, &head, &length, r->error);
    if (status < 0)
        return status;
    r->xml = is_xml(r, head, length);
    return r->xml ? parse_xml(r) : parse_turtle(r);
}

static void rdf_clear(rdf *r)
{
    for (size_t i = 0; i < r->relation_count; i++)
        if (r->relations[i].uri)
            r->raptor.free_uri(r->relations[i].uri);
    for (size_t i = 0; i < sizeof r->classes / sizeof r->classes[0]; i++)
        if (r->classes[i])
            r->raptor.free_uri(r->classes[i]);
    if (r->type)
        r->raptor.free_uri(r->type);
    if (r->parser)
        r->raptor.free_parser(r->parser);
    if (r->world)
        r->raptor.free_world(r->world);
    hs_free(r->relations);
    hs_names_clear(&r->predicates);
    hs_buf_clear(&r->decoded);
    hs_buf_clear(&r->pending);
    hs_buf_clear(&r->prefixes);
}

int hs_rdf_read(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                hsel_error *error)
{
    rdf r = {.reader = reader, .graph = out, .error = error};
    int status = HSEL_OK;
    if (options->namespaces.count)
        status = hs_fail_at(error, HSEL_EUSAGE, hs_reader_name(reader), 0,
                            "the format rdf has no namespaces to choose from (%s was asked for)",
                            options->namespaces.items[0]);
    if (status == HSEL_OK)
        status = hs_graph_set_source(out, reader, error);
    if (status == HSEL_OK)
        status = open_world(&r);
    if (status == HSEL_OK)
        status = choose_relations(&r, &options->relations);
    if (status == HSEL_OK)
        status = parse(&r);
    if (status == HSEL_OK)
        status = check_found(&r, &options->relations);
    rdf_clear(&r);
    return status;
}

#endif
