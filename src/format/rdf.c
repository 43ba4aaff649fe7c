/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * RDF. N-Triples, Turtle and RDF/XML are detected by their first bytes and parsed by raptor2;
 * N-Triples are written.
 *
 * A name that is an IRI (http://…, GO:0008150, urn:…) is kept. Any other name is
 * <urn:hsel:NAME> with percent escapes, and is read back as NAME. Relative IRIs stay as they are
 * written: they are resolved against BASE, which is taken off again.
 *
 * RDF/XML is parsed block by block. Raptor parses Turtle only when it has all of it, so that
 * reading it takes about twice the size of the file in memory. Raptor reports statements and
 * complaints through callbacks; the first failure is kept in the state, stops the parser and
 * becomes the reader's error. One world owns everything that raptor allocates; it is freed at
 * the end.
 */
#include <strings.h>

#include "core/library.h"
#include "format/hierarchy.h"
#include "format/rdf_scan.h"

#define PLAIN   "urn:hsel:"
#define BASE    "hsel-base:///"
#define RDF_NS  "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
#define RDFS_NS "http://www.w3.org/2000/01/rdf-schema#"
#define OWL_NS  "http://www.w3.org/2002/07/owl#"
#define SKOS_NS "http://www.w3.org/2004/02/skos/core#"

/* ---- recognising ---- */

static bool starts(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* Moves past <…> without blanks inside, or _:label, and the blanks that follow; false if there is
 * neither. */
static bool skip_node(const char **text)
{
    bool iri = **text == '<';
    if (!iri && !starts(*text, "_:"))
        return false;
    *text += strcspn(*text, " \t\r\n>");
    if (iri && *(*text)++ != '>')
        return false;
    *text += strspn(*text, " \t");
    return true;
}

/* N-Triples count as Turtle, which they are a part of. NONE: no sign of RDF. */
typedef enum syntax { NONE, TURTLE, XML } syntax;

static syntax syntax_of(const char *head)
{
    static const char *const directives[] = {"@prefix", "@base", "prefix ", "base "};
    static const char line_ends[] = "\r\n"; /* and NUL */
    const char *first = hs_first_content(head, '#'), *at = first;
    if (!first)
        return NONE;
    if (strncasecmp(first, "<?xml", 5) == 0 || starts(first, "<rdf:RDF") ||
        strncasecmp(first, "<!DOCTYPE", 9) == 0 || starts(first, "<!--"))
        return strstr(first, "rdf:RDF") || strstr(first, RDF_NS) ? XML : NONE;
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
        if (strncasecmp(first, directives[i], strlen(directives[i])) == 0 && strchr(first, '<'))
            return TURTLE;
    /* "subject predicate object", or as much of it as the first line has. */
    if (!skip_node(&at) || !memchr(first, ':', (size_t)(at - first)))
        return NONE;
    bool triple = strchr(line_ends, *at) || starts(at, "a ") ||
                  (skip_node(&at) && (strchr(line_ends, *at) || strchr("<_\"", *at)));
    return triple ? TURTLE : NONE;
}

static int rdf_sniff(const char *head) { return syntax_of(head) ? 95 : 0; }

/* ---- reading ---- */

#ifndef HS_WITH_RAPTOR

static int rdf_read_graph(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                          hsel_error *error)
{
    (void)options;
    (void)out;
    return hs_fail_at(
        error, HSEL_EUNSUPPORTED, hs_reader_name(reader), 0,
        "reading RDF was not built in; install raptor2 (Debian: libraptor2-dev) and build again");
}

#else

#include <pthread.h>
#include <raptor2.h>

#define PEEK_BYTES      ((size_t)64 << 10)
#define HEX             "0123456789abcdefABCDEF"
#define PREDICATES_KEPT 64                  /* for a message */
#define TURTLE_MOST     (UINT64_C(1) << 30) /* its parser counts bytes in an int */
#define XML_PIECE       ((size_t)16 << 10)

/* Raptor is loaded when RDF is read for the first time: it depends on some thirty libraries, which
 * would make every start several times as long. These are the functions in use, without their
 * prefix raptor_. */
/* clang-format off */
#define RAPTOR_FUNCTIONS(X)                                                                        \
    X(free_parser) X(free_uri) X(free_world) X(locator_line) X(new_parser) X(new_uri)              \
    X(new_world_internal) X(parser_get_locator) X(parser_parse_abort) X(parser_parse_chunk)        \
    X(parser_parse_start) X(parser_set_option) X(parser_set_statement_handler)                     \
    X(parser_set_uri_filter) X(uri_as_counted_string) X(uri_as_string) X(world_open)               \
    X(world_set_flag) X(world_set_log_handler)
/* clang-format on */

static struct {
#define X(name)         __typeof__(raptor_##name) *name;
    RAPTOR_FUNCTIONS(X)
#undef X
} raptor;
static bool has_raptor;

static void load_raptor(void)
{
#define X(name) "raptor_" #name,
    static const char *const names[] = {RAPTOR_FUNCTIONS(X) NULL};
#undef X
    has_raptor = hs_library_load(HS_RAPTOR_LIBRARY, names, &raptor);
}

typedef struct relation {
    char *iri;
    uint32_t number; /* in the graph's relations */
    bool reversed;   /* the object is the child */
    bool seen;
} relation;

typedef struct rdf_label {
    uint32_t text;
    bool usual; /* English, or without a language */
} rdf_label;

typedef struct rdf {
    hs_reader *reader;
    const char *name; /* of the file */
    hs_graph *graph;
    raptor_world *world;
    raptor_parser *parser;
    relation *relations;
    size_t relation_count, relation_capacity;
    hs_names predicates;
    hs_names labelled, labels; /* subjects that have a label, and all labels that came in */
    rdf_label *label_of;       /* of each subject */
    size_t label_capacity;
    hs_buf decoded;
    bool xml, heard; /* heard: a statement came */
    hsel_error *error;
    int status;
} rdf;

static void rdf_clear(rdf *r)
{
    for (size_t i = 0; i < r->relation_count; i++)
        hs_free(r->relations[i].iri);
    if (r->parser)
        raptor.free_parser(r->parser);
    if (r->world)
        raptor.free_world(r->world);
    HS_FREE(r->relations, r->label_of);
    HS_CLEAR_NAMES(&r->predicates, &r->labelled, &r->labels);
    hs_buf_clear(&r->decoded);
}

/* The line in a message, or of the parser; 0: unknown. */
static unsigned long line_of(const rdf *r, raptor_locator *locator)
{
    if (!locator && r->parser)
        locator = raptor.parser_get_locator(r->parser);
    int line = locator ? raptor.locator_line(locator) : 0;
    return line > 0 ? (unsigned long)line : 0;
}

#define FAIL(...) hs_fail_at(r->error, HSEL_EFORMAT, r->name, line_of(r, NULL), __VA_ARGS__)

/* Raptor's errors; its warnings are not shown. */
static void on_message(void *context, raptor_log_message *message)
{
    rdf *r = context;
    if (r->status < 0 || message->level < RAPTOR_LOG_LEVEL_ERROR)
        return;
    r->status = hs_fail_at(r->error, HSEL_EFORMAT, r->name, line_of(r, message->locator),
                           "not valid RDF: %s", message->text ? message->text : "unknown error");
}

static int refuse_uri(void *context, raptor_uri *uri)
{
    (void)context;
    (void)uri;
    return 1;
}

/* Into `names`: those of the terms, or of the subjects of labels. */
static int intern_term(rdf *r, raptor_uri *uri, hs_names *names, uint32_t *term, bool *added)
{
    size_t length = 0, plain = strlen(PLAIN), base = strlen(BASE);
    const char *text = (const char *)raptor.uri_as_counted_string(uri, &length);
    if (length > plain && memcmp(text, PLAIN, plain) == 0) {
        r->decoded.length = 0;
        for (size_t i = plain; i < length; i++) {
            char code[3] = {0};
            bool escaped = text[i] == '%' && strspn(text + i + 1, HEX) >= 2;
            if (escaped)
                memcpy(code, text + i + 1, 2);
            char c = escaped ? (char)strtol(code, NULL, 16) : text[i];
            hs_buf_char(&r->decoded, c ? c : text[i]);
            i += escaped && c ? 2 : 0;
        }
        if (r->decoded.failed)
            return hs_fail_memory(r->error);
        text = r->decoded.text;
        length = r->decoded.length;
    } else if (length >= base && memcmp(text, BASE, base) == 0) {
        text += base;
        length -= base;
    }
    if (!length || memchr(text, '\0', length))
        return FAIL("a term with an %s IRI", length ? "impossible" : "empty");
    return hs_names_intern(names, text, length, term, added, r->error);
}

/* A labelled subject may become a term later, or never: labels are assigned at the end. Of several,
 * the first in English or without a language is used, else the first. */
static int take_label(rdf *r, const raptor_statement *triple)
{
    const raptor_term_literal_value *literal = &triple->object->value.literal;
    const char *language = (const char *)literal->language;
    bool usual = !language || !*language ||
                 (hs_equal_nocase(language, 2, "en") && (!language[2] || language[2] == '-'));
    uint32_t subject;
    bool added;
    if (!literal->string_len || memchr(literal->string, '\0', literal->string_len))
        return HSEL_OK;
    HS_TRY(intern_term(r, triple->subject->value.uri, &r->labelled, &subject, &added));
    if (!HS_GROW(&r->label_of, &r->label_capacity, (size_t)r->labelled.count))
        return hs_fail_memory(r->error);
    if (!added && (r->label_of[subject].usual || !usual))
        return HSEL_OK;
    r->label_of[subject] = (rdf_label){.text = r->labels.count, .usual = usual};
    return hs_names_append(&r->labels, (const char *)literal->string, literal->string_len,
                           r->error);
}

/* Labels of those that are terms. */
static int give_titles(rdf *r)
{
    for (uint32_t t = 0; r->labels.count && t < r->graph->terms.count; t++) {
        uint32_t subject = hs_names_find(&r->labelled, HS_NAME(&r->graph->terms, t));
        HS_TRY(subject == HSEL_NONE
                   ? hs_names_append(&r->graph->titles, "", 0, r->error)
                   : hs_names_append(&r->graph->titles,
                                     HS_NAME(&r->labels, r->label_of[subject].text), r->error));
    }
    return HSEL_OK;
}

static bool is_iri(const raptor_term *term, const char *iri)
{
    return strcmp((const char *)raptor.uri_as_string(term->value.uri), iri) == 0;
}

static int take_triple(rdf *r, const raptor_statement *triple)
{
    const raptor_term *predicate = triple->predicate, *object = triple->object;
    raptor_uri *subject = triple->subject->value.uri;
    const bool named = triple->subject->type == RAPTOR_TERM_TYPE_URI;
    const bool literal = object->type == RAPTOR_TERM_TYPE_LITERAL;
    const bool of_terms = named && object->type == RAPTOR_TERM_TYPE_URI;
    uint32_t child = 0, parent = 0;
    if (r->predicates.count < PREDICATES_KEPT) {
        const char *text = (const char *)raptor.uri_as_string(predicate->value.uri);
        HS_TRY(hs_names_intern(&r->predicates, text, strlen(text), &child, NULL, r->error));
    }
    for (size_t i = 0; i < r->relation_count; i++) {
        relation *kind = &r->relations[i];
        if (!is_iri(predicate, kind->iri))
            continue;
        kind->seen = true;
        if (literal)
            return FAIL("%s of a literal, where a term should be", kind->iri);
        if (!of_terms)
            return HSEL_OK;
        HS_TRY(intern_term(r, subject, &r->graph->terms, &child, NULL));
        HS_TRY(intern_term(r, object->value.uri, &r->graph->terms, &parent, NULL));
        if (!HS_GROW(&r->graph->relation, &r->relation_capacity, r->graph->edges + 1))
            return hs_fail_memory(r->error);
        r->graph->relation[r->graph->edges] = kind->number;
        return kind->reversed ? hs_graph_edge(r->graph, parent, child, r->error)
                              : hs_graph_edge(r->graph, child, parent, r->error);
    }
    if (named && literal &&
        (is_iri(predicate, RDFS_NS "label") || is_iri(predicate, SKOS_NS "prefLabel")))
        return take_label(r, triple);
    if (of_terms && is_iri(predicate, RDF_NS "type") &&
        (is_iri(object, OWL_NS "Class") || is_iri(object, RDFS_NS "Class") ||
         is_iri(object, SKOS_NS "Concept")))
        return intern_term(r, subject, &r->graph->terms, &child, NULL);
    return HSEL_OK;
}

static void on_statement(void *context, raptor_statement *triple)
{
    rdf *r = context;
    r->heard = true;
    if (r->status < 0 || triple->predicate->type != RAPTOR_TERM_TYPE_URI)
        return;
    if ((r->status = take_triple(r, triple)) < 0)
        raptor.parser_parse_abort(r->parser);
}

/* `asked` are the chosen relations: full IRIs, or with one of the prefixes. */
static int open_world(rdf *r, const hs_list *asked, hsel_error *error)
{
    static const char *const usual[] = {"rdfs:subClassOf", "skos:broader"};
    static const char *const prefixes[][2] = {
        {"rdf:", RDF_NS}, {"rdfs:", RDFS_NS}, {"owl:", OWL_NS}, {"skos:", SKOS_NS}};
    static const struct {
        const char *iri;
        bool reversed;
    } is_a[] = {{RDFS_NS "subClassOf", false},
                {SKOS_NS "broader", false},
                {SKOS_NS "broaderTransitive", false},
                {SKOS_NS "narrower", true},
                {SKOS_NS "narrowerTransitive", true}};
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_raptor);
    if (!has_raptor)
        return hs_fail_at(error, HSEL_EUNSUPPORTED, r->name, 0,
                          "reading RDF needs the library %s (Debian: libraptor2-0)",
                          HS_RAPTOR_LIBRARY);
    HS_NEED(r->world = raptor.new_world_internal(RAPTOR_VERSION));
    raptor.world_set_flag(r->world, RAPTOR_WORLD_FLAG_WWW_SKIP_INIT_FINISH, 1);
    /* Names are interned here. */
    raptor.world_set_flag(r->world, RAPTOR_WORLD_FLAG_URI_INTERNING, 0);
    raptor.world_set_log_handler(r->world, r, on_message);
    if (raptor.world_open(r->world) != 0)
        return hs_fail(error, HSEL_EUNSUPPORTED, "raptor2 could not be started");
    const char *const *names = asked->count ? (const char *const *)asked->items : usual;
    size_t count = asked->count ? asked->count : sizeof usual / sizeof usual[0];
    HS_NEED(r->relations = HS_NEW_ZERO(relation, count));
    r->relation_count = count;
    for (relation *to = r->relations; to < r->relations + count; to++, names++) {
        HS_OWNS(hs_buf_clear) hs_buf full = {0};
        const char *space = "", *rest = *names, *kind = *names;
        for (size_t p = 0; p < sizeof prefixes / sizeof prefixes[0] && !*space; p++)
            if (starts(rest, prefixes[p][0])) {
                space = prefixes[p][1];
                rest += strlen(prefixes[p][0]);
            }
        hs_buf_printf(&full, "%s%s", space, rest);
        HS_NEED(!full.failed);
        to->iri = hs_take(&full.text);
        /* The usual predicates are is_a; others keep the name that was given. */
        for (size_t k = 0; k < sizeof is_a / sizeof is_a[0]; k++)
            if (strcmp(to->iri, is_a[k].iri) == 0) {
                to->reversed = is_a[k].reversed;
                kind = HS_IS_A;
            }
        HS_TRY(hs_names_intern(&r->graph->relations, kind, strlen(kind), &to->number, NULL, error));
    }
    return HSEL_OK;
}

/* N-Triples too are read by the parser for Turtle: the one for N-Triples alone loses memory on
 * errors. */
static int open_parser(rdf *r)
{
    const char *name = r->xml ? "rdfxml" : "turtle";
    r->parser = raptor.new_parser(r->world, name);
    if (!r->parser)
        return hs_fail(r->error, HSEL_EUNSUPPORTED, "raptor2 has no parser for %s", name);
    raptor.parser_set_option(r->parser, RAPTOR_OPTION_NO_NET, NULL, 1);
    raptor.parser_set_option(r->parser, RAPTOR_OPTION_NO_FILE, NULL, 1);
    raptor.parser_set_option(r->parser, RAPTOR_OPTION_LOAD_EXTERNAL_ENTITIES, NULL, 0);
    raptor.parser_set_uri_filter(r->parser, refuse_uri, NULL);
    raptor.parser_set_statement_handler(r->parser, r, on_statement);
    raptor_uri *base = raptor.new_uri(r->world, (const unsigned char *)BASE);
    if (!base)
        return hs_fail_memory(r->error);
    int failed = raptor.parser_parse_start(r->parser, base);
    raptor.free_uri(base);
    return failed ? hs_fail(r->error, HSEL_EUNSUPPORTED,
                            "raptor2 could not start its parser for %s", name)
                  : HSEL_OK;
}

static int parse_chunk(rdf *r, const char *data, size_t length, bool last)
{
    int failed = raptor.parser_parse_chunk(r->parser, (const unsigned char *)data, length, last);
    if (r->status < 0)
        return r->status;
    return failed ? FAIL("not valid RDF") : HSEL_OK;
}

static int next_block(rdf *r, const char **data, size_t *length)
{
    int more = hs_reader_block(r->reader, data, length, r->error);
    if (more > 0 && memchr(*data, '\0', *length))
        return hs_fail_at(r->error, HSEL_EFORMAT, r->name, 0, "NUL byte: this is not a text file");
    return more;
}

/* What would take raptor very long or much memory is refused before it sees it. `silent`: bytes
 * since the last triple, entities written out. */
static int check_xml(const rdf *r, hs_xml_scan *scan, const char *data, size_t length,
                     uint64_t *silent)
{
    const hs_limits *limits = hs_limits_now();
    scan->references = 0;
    if (!hs_xml_scan_on(scan, data, length, limits->depth))
        return hs_fail_at(r->error, HSEL_ELIMIT, r->name, line_of(r, NULL),
                          "%s more than %llu%s; {max-depth} allows more",
                          scan->attributes ? "an element has" : "elements are nested",
                          (unsigned long long)limits->depth,
                          scan->attributes ? " attributes" : " deep");
    *silent += length + scan->references * scan->largest;
    return *silent <= limits->token << 20
               ? HSEL_OK
               : hs_fail_at(r->error, HSEL_ELIMIT, r->name, 0,
                            "no triple in %llu MiB; {max-token} allows more",
                            (unsigned long long)limits->token);
}

static int parse_blocks(rdf *r)
{
    hs_xml_scan scan = {0};
    const char *data = NULL;
    size_t length = 0, part;
    uint64_t silent = 0, size = 0;
    int more = 0;
    HS_TRY(open_parser(r));
    while ((more = next_block(r, &data, &length)) > 0) {
        if ((size += length) > TURTLE_MOST && !r->xml)
            return hs_fail_at(r->error, HSEL_ELIMIT, r->name, 0,
                              "Turtle of more than 1 GiB: convert it to RDF/XML");
        for (; length; data += part, length -= part) {
            part = length < XML_PIECE || !r->xml ? length : XML_PIECE;
            if (r->xml)
                HS_TRY(check_xml(r, &scan, data, part, &silent));
            r->heard = false;
            HS_TRY(parse_chunk(r, data, part, false));
            silent = r->heard ? 0 : silent;
        }
    }
    return more < 0 ? more : parse_chunk(r, "", 0, true);
}

static int rdf_read_graph(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                          hsel_error *error)
{
    const char *head = NULL, *name = hs_reader_name(reader);
    HS_OWNS(rdf_clear) rdf r = {.reader = reader, .name = name, .graph = out, .error = error};
    size_t length = 0;
    HS_TRY(open_world(&r, &options->relations, error));
    HS_TRY(hs_reader_peek(reader, PEEK_BYTES, &head, &length, error));
    HS_OWNED char *text = hs_strndup(head, length); /* it ends in NUL */
    HS_NEED(text);
    syntax found = syntax_of(text);
    r.xml = found == XML ||
            (found == NONE && (hs_ends_with(name, ".rdf") || hs_ends_with(name, ".owl") ||
                               hs_ends_with(name, ".xml")));
    HS_TRY(parse_blocks(&r));
    for (size_t i = 0; i < options->relations.count; i++)
        if (!r.relations[i].seen)
            return hs_fail_choice(error, name, "predicate", options->relations.items[i],
                                  &r.predicates);
    if (out->terms.count)
        return give_titles(&r);
    return hs_fail_at(error, HSEL_EFORMAT, name, 0,
                      "no edges: no triple has a predicate from a term to its parent "
                      "(rdfs:subClassOf, skos:broader, or what the relations option names)");
}

#endif

/* ---- writing ---- */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

/* A name that is an IRI (scheme:rest, with only characters allowed between < and >) as it
 * is, any other with the prefix and escapes. */
static int put_iri(hs_writer *writer, const char *name, size_t length, hsel_error *error)
{
    bool whole = strchr(LETTERS, name[0]) && name[strspn(name, LETTERS DIGITS "+-.")] == ':' &&
                 !starts(name, PLAIN) && !starts(name, BASE);
    (void)error;
    for (size_t i = 0, size; whole && i < length; i += size) {
        unsigned char c = (unsigned char)name[i];
        size = hs_utf8_length(name + i, length - i);
        whole = size > 0 && c > ' ' && !strchr("<>\"{}|^`\\\x7f", c);
    }
    hs_writer_text(writer, whole ? "<" : "<" PLAIN);
    for (size_t i = 0; i < length; i++) {
        if (whole || strchr(LETTERS DIGITS "-._~", name[i]))
            hs_writer_char(writer, name[i]);
        else
            hs_writer_printf(writer, "%%%02X", (unsigned char)name[i]);
    }
    hs_writer_char(writer, '>');
    return HSEL_OK;
}

/* The label as a literal, which has to be UTF-8: a byte that is not becomes U+FFFD. */
static int rdf_put_label(const hsel_dataset *data, uint32_t feature, hs_writer *writer,
                         hsel_error *error)
{
    const char *label = hs_about_label(&data->about, feature);
    if (!label)
        return HSEL_OK;
    HS_TRY(hs_put_feature(data, feature, put_iri, writer, error));
    hs_writer_text(writer, " <" RDFS_NS "label> \"");
    for (size_t length = strlen(label), size; length; label += size, length -= size) {
        size_t good = hs_utf8_length(label, length);
        size = good ? good : 1;
        if (!good)
            hs_writer_text(writer, "\xEF\xBF\xBD");
        else if (good == 1 && ((unsigned char)*label < ' ' || *label == '\x7f'))
            hs_writer_printf(writer, "\\u%04X", (unsigned char)*label);
        else if (*label == '"' || *label == '\\')
            hs_writer_printf(writer, "\\%c", *label);
        else
            hs_writer_put(writer, label, good);
    }
    hs_writer_text(writer, "\" .\n");
    return HSEL_OK;
}

/* Every feature is declared as a class, so that those without a parent are not lost. */
static int rdf_write_graph(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    static const hs_edge_style style = {.put = put_iri,
                                        .alone = " <" RDF_NS "type> <" OWL_NS "Class> .\n",
                                        .between = " <" RDFS_NS "subClassOf> ",
                                        .end = " .\n",
                                        .more = rdf_put_label};
    return hs_write_edges(data, &style, writer, error);
}

const hs_method hs_method_rdf = {
    .kind = HS_FORMAT,
    .name = "rdf",
    .title = "RDF (N-Triples, Turtle, RDF/XML)",
    .help =
        "A hierarchy in RDF. Edges are rdfs:subClassOf and skos:broader, or the predicates given "
        "as relations: full IRIs, or with the prefixes rdf:, rdfs:, owl: and skos:. The subject is "
        "the child, the object its parent; skos:narrower and skos:narrowerTransitive, if given, "
        "are read in the opposite direction. Classes and concepts (rdf:type owl:Class, rdfs:Class, "
        "skos:Concept) are terms even without an edge. Blank nodes (OWL restrictions) are skipped. "
        "A term's name is its full IRI; <urn:hsel:NAME> stands for a NAME that is not an IRI. "
        "Nothing is fetched from the network. rdfs:label and skos:prefLabel are labels: the first "
        "in English or without a language. Reading needs raptor2; hsel writes N-Triples: each "
        "class, its rdfs:label and its rdfs:subClassOf triples.",
    .citation = "RDF 1.1 N-Triples, RDF 1.1 Turtle, RDF 1.1 XML Syntax (W3C Recommendations, 2014)",
    .format = &(const hs_format){.endings = "nt ttl rdf owl",
                                 .sniff = rdf_sniff,
                                 .read_graph = rdf_read_graph,
                                 .write_graph = rdf_write_graph,
                                 .writes_labels = true,
                                 .has_relations = true}};
