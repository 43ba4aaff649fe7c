/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From libyaml's events to a tree. The open lists and mappings are a stack of fixed depth; nothing
 * recurses.
 */
#include "study/yaml.h"

#include <string.h>

#include <yaml.h>

typedef struct building {
    const char *name;
    hs_arena *arena;
    hs_yaml *open[HS_YAML_DEPTH]; /* lists and mappings that have not ended */
    size_t depth;
    const char *key; /* the key whose value comes next; NULL: none */
    unsigned long key_line;
    hs_yaml *root;
} building;

static unsigned long line_of(const yaml_event_t *event)
{
    return (unsigned long)event->start_mark.line + 1;
}

static int fail(const building *b, unsigned long line, hsel_error *error, const char *what)
{
    return hs_fail_at(error, HSEL_EFORMAT, b->name, line, "%s", what);
}

/* What libyaml found wrong; it counts lines from 0, and for bad bytes tells only the byte. */
static int fail_parser(const building *b, const yaml_parser_t *parser, const char *text,
                       hsel_error *error)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return hs_fail_memory(error);
    unsigned long line = (unsigned long)parser->problem_mark.line + 1;
    if (parser->error == YAML_READER_ERROR) {
        line = 1;
        for (size_t i = 0; i < parser->problem_offset; i++)
            line += text[i] == '\n';
    }
    return hs_fail_at(error, HSEL_EFORMAT, b->name, line, "not YAML: %s",
                      parser->problem ? parser->problem : "cannot be read");
}

static int refuse_second(const hs_yaml *mapping, const building *b, const char *key,
                         unsigned long line, hsel_error *error)
{
    for (const hs_yaml *child = mapping->first; child; child = child->next)
        if (strcmp(child->key, key) == 0)
            return hs_fail_at(error, HSEL_EFORMAT, b->name, line,
                              "the key '%s' was given before, on line %lu", key, child->key_line);
    return HSEL_OK;
}

static int take_key(building *b, const yaml_event_t *event, const char *text, hsel_error *error)
{
    hs_yaml *mapping = b->open[b->depth - 1];
    if (mapping->count == HS_YAML_KEYS)
        return hs_fail_at(error, HSEL_ELIMIT, b->name, line_of(event), "more than %d keys",
                          HS_YAML_KEYS);
    int status = refuse_second(mapping, b, text, line_of(event), error);
    b->key = text;
    b->key_line = line_of(event);
    return status;
}

/* A new node, hung where it belongs. */
static int add_node(building *b, hs_yaml_kind kind, const yaml_event_t *event, const char *text,
                    hsel_error *error)
{
    hs_yaml *parent = b->depth ? b->open[b->depth - 1] : NULL,
            *node = HS_ARENA_NEW(b->arena, hs_yaml, 1);
    if (!node)
        return hs_fail_memory(error);
    *node = (hs_yaml){
        .kind = kind, .line = line_of(event), .key = b->key, .key_line = b->key_line, .text = text};
    b->key = NULL;
    if (!parent) {
        b->root = node;
    } else {
        *(parent->first ? &parent->last->next : &parent->first) = node;
        parent->last = node;
        parent->count++;
    }
    if (kind == HS_YAML_TEXT)
        return HSEL_OK;
    if (b->depth == HS_YAML_DEPTH)
        return hs_fail_at(error, HSEL_ELIMIT, b->name, node->line,
                          "more than %d levels of lists and mappings", HS_YAML_DEPTH);
    b->open[b->depth++] = node;
    return HSEL_OK;
}

static bool wants_key(const building *b)
{
    return b->depth && b->open[b->depth - 1]->kind == HS_YAML_MAPPING && !b->key;
}

static int take_text(building *b, const yaml_event_t *event, hsel_error *error)
{
    size_t length = event->data.scalar.length;
    const char *bytes = (const char *)event->data.scalar.value;
    if (memchr(bytes, '\0', length))
        return fail(b, line_of(event), error, "a NUL character in a text");
    const char *text = hs_arena_text(b->arena, bytes, length);
    if (!text)
        return hs_fail_memory(error);
    return wants_key(b) ? take_key(b, event, text, error)
                        : add_node(b, HS_YAML_TEXT, event, text, error);
}

static int take_start(building *b, hs_yaml_kind kind, const yaml_event_t *event, hsel_error *error)
{
    if (wants_key(b))
        return fail(b, line_of(event), error, "a list or mapping where a key should be");
    return add_node(b, kind, event, NULL, error);
}

static bool is_marked(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return true;
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor || event->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor || event->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor || event->data.mapping_start.tag;
    default:
        return false;
    }
}

static int take_event(building *b, const yaml_event_t *event, hsel_error *error)
{
    if (is_marked(event))
        return fail(b, line_of(event), error,
                    "anchors (&), aliases (*) and tags (!) have no meaning here; quote the text if "
                    "it is one");
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return b->root ? fail(b, line_of(event), error, "a second document; a file holds one")
                       : HSEL_OK;
    case YAML_SCALAR_EVENT:
        return take_text(b, event, error);
    case YAML_SEQUENCE_START_EVENT:
        return take_start(b, HS_YAML_LIST, event, error);
    case YAML_MAPPING_START_EVENT:
        return take_start(b, HS_YAML_MAPPING, event, error);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        b->depth--;
        return HSEL_OK;
    default:
        return HSEL_OK;
    }
}

int hs_yaml_parse(const char *name, const char *text, size_t length, hs_arena *arena,
                  hs_yaml **root, hsel_error *error)
{
    building b = {.name = name, .arena = arena};
    yaml_parser_t parser;
    yaml_event_t event;
    int status = HSEL_OK;
    if (memchr(text, '\0', length))
        return hs_fail_at(error, HSEL_EFORMAT, name, 0, "not a text file: it holds NUL bytes");
    if (!yaml_parser_initialize(&parser))
        return hs_fail_memory(error);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    for (bool ended = false; !ended && status == HSEL_OK;) {
        if (!yaml_parser_parse(&parser, &event)) {
            status = fail_parser(&b, &parser, text, error);
            break;
        }
        ended = event.type == YAML_STREAM_END_EVENT;
        status = take_event(&b, &event, error);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (status == HSEL_OK && !b.root)
        status = hs_fail_at(error, HSEL_EFORMAT, name, 0, "there is nothing in it");
    *root = b.root;
    return status;
}
