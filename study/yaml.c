/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From libyaml's events to a tree. The open lists and mappings are a stack of fixed depth; nothing
 * recurses.
 */
#include "study/yaml.h"

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

#define line_of(event)            ((unsigned long)(event)->start_mark.line + 1)
#define fail(b, line, error, ...) hs_fail_at(error, HSEL_EFORMAT, (b)->name, line, __VA_ARGS__)

/* A new node, hung where it belongs. */
static int add_node(building *b, hs_yaml_kind kind, const yaml_event_t *event, const char *text,
                    hsel_error *error)
{
    hs_yaml *parent = b->depth ? b->open[b->depth - 1] : NULL,
            *node = HS_ARENA_NEW(b->arena, hs_yaml, 1);
    HS_NEED(node);
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

static int take_event(building *b, const yaml_event_t *event, hsel_error *error)
{
    hs_yaml *parent = b->depth ? b->open[b->depth - 1] : NULL;
    bool wants_key = parent && parent->kind == HS_YAML_MAPPING && !b->key, marked = false;
    unsigned long line = line_of(event);
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        marked = true;
        break;
    case YAML_SCALAR_EVENT:
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT: /* all three begin with anchor and tag */
        marked = event->data.scalar.anchor || event->data.scalar.tag;
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        b->depth--;
        return HSEL_OK;
    case YAML_DOCUMENT_START_EVENT:
        return b->root ? fail(b, line, error, "a second document: a file can have only one")
                       : HSEL_OK;
    default:
        return HSEL_OK;
    }
    if (marked)
        return fail(b, line, error,
                    "anchors (&), aliases (*) and tags (!) have no meaning here; quote the text if "
                    "it is one");
    if (event->type != YAML_SCALAR_EVENT) {
        if (wants_key)
            return fail(b, line, error, "a list or mapping where a key should be");
        return add_node(b, event->type == YAML_MAPPING_START_EVENT ? HS_YAML_MAPPING : HS_YAML_LIST,
                        event, NULL, error);
    }
    const char *bytes = (const char *)event->data.scalar.value, *text;
    if (memchr(bytes, '\0', event->data.scalar.length))
        return fail(b, line, error, "a NUL character in a text");
    HS_NEED(text = hs_arena_text(b->arena, bytes, event->data.scalar.length));
    if (!wants_key)
        return add_node(b, HS_YAML_TEXT, event, text, error);
    if (parent->count == HS_YAML_KEYS)
        return hs_fail_at(error, HSEL_ELIMIT, b->name, line, "more than %d keys", HS_YAML_KEYS);
    const hs_yaml *before = hs_yaml_find(parent, text);
    if (before)
        return fail(b, line, error, "the key '%s' was given before, on line %lu", text,
                    before->key_line);
    b->key = text;
    b->key_line = line;
    return HSEL_OK;
}

const hs_yaml *hs_yaml_find(const hs_yaml *mapping, const char *key)
{
    const hs_yaml *child = mapping && mapping->kind == HS_YAML_MAPPING ? mapping->first : NULL;
    while (child && strcmp(child->key, key) != 0)
        child = child->next;
    return child;
}

int hs_yaml_parse(const char *name, const char *text, size_t length, hs_arena *arena,
                  hs_yaml **root, hsel_error *error)
{
    building b = {.name = name, .arena = arena};
    if (memchr(text, '\0', length))
        return hs_fail_at(error, HSEL_EFORMAT, name, 0, "not a text file: it contains NUL bytes");
    HS_OWNS(yaml_parser_delete) yaml_parser_t parser = {0};
    HS_NEED(yaml_parser_initialize(&parser));
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    for (bool ended = false; !ended;) {
        HS_OWNS(yaml_event_delete) yaml_event_t event = {0};
        if (!yaml_parser_parse(&parser, &event)) {
            HS_NEED(parser.error != YAML_MEMORY_ERROR);
            /* libyaml counts lines from 0; for bad bytes it only has their position. */
            unsigned long line = (unsigned long)parser.problem_mark.line + 1;
            if (parser.error == YAML_READER_ERROR)
                line = 1;
            for (size_t i = 0; parser.error == YAML_READER_ERROR && i < parser.problem_offset; i++)
                line += text[i] == '\n';
            return fail(&b, line, error, "not YAML: %s",
                        parser.problem ? parser.problem : "cannot be read");
        }
        ended = event.type == YAML_STREAM_END_EVENT;
        HS_TRY(take_event(&b, &event, error));
    }
    *root = b.root;
    return b.root ? HSEL_OK : hs_fail_at(error, HSEL_EFORMAT, name, 0, "the file is empty");
}
