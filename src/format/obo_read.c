/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading OBO 1.2 and 1.4. One pass over the lines collects the terms in the order of their stanzas
 * and the edges by identifier, since a term may be named before it is declared; obo_pick.c makes
 * the graph of it, when everything that the file has is known.
 */
#include "format/obo.h"

#include <string.h>

#include "core/mem.h"
#include "format/hierarchy.h"

static void obo_clear(hs_obo *o)
{
    hs_names_clear(&o->ids);
    hs_names_clear(&o->titles);
    hs_names_clear(&o->spaces);
    hs_names_clear(&o->alternates);
    hs_names_clear(&o->relations);
    hs_free(o->term_of);
    hs_free(o->terms);
    hs_free(o->edges);
    hs_free(o->alternate_of);
    hs_free(o->followed);
    hs_free(o->number);
    hs_buf_clear(&o->title);
    hs_buf_clear(&o->default_space);
}

/* ---- values: unescaped in place, in a NUL-terminated line ---- */

typedef struct word {
    const char *text;
    size_t length;
} word;

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static char unescape(char c) { return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'W' ? ' ' : c; }

/* The next word: up to a blank, a {modifier} or a !comment. *at moves behind it and the blanks that
 * follow. */
static word take_word(char **at)
{
    char *from = *at;
    while (is_blank(*from))
        from++;
    char *start = from, *to = from;
    while (*from && !is_blank(*from) && *from != '{' && *from != '!') {
        bool escaped = *from == '\\' && from[1];
        from += escaped;
        *to++ = escaped ? unescape(*from) : *from;
        from++;
    }
    while (is_blank(*from))
        from++;
    *at = from;
    return (word){start, (size_t)(to - start)};
}

/* All of the value but a trailing !comment and {modifiers}, each of which follows a blank. */
static word take_rest(char *at)
{
    while (is_blank(*at))
        at++;
    char *start = at, *to = at, *brace = NULL;
    for (; *at; at++) {
        bool apart = at == start || is_blank(at[-1]);
        if (*at == '!' && apart)
            break;
        if (*at == '{' && apart)
            brace = to;
        bool escaped = *at == '\\' && at[1];
        at += escaped;
        *to++ = escaped ? unescape(*at) : *at;
    }
    while (to > start && is_blank(to[-1]))
        to--;
    if (brace && to > brace && to[-1] == '}')
        to = brace;
    while (to > start && is_blank(to[-1]))
        to--;
    return (word){start, (size_t)(to - start)};
}

/* One identifier; behind it only modifiers or a comment. */
static int take_id(hs_obo *o, char *at, const char *tag, word *out, hsel_error *error)
{
    *out = take_word(&at);
    if (!out->length)
        return hs_fail_line(error, o->reader, "%s without a value", tag);
    if (*at && *at != '{' && *at != '!')
        return hs_fail_line(error, o->reader, "unexpected text after the identifier %.*s",
                            out->length > 80 ? 80 : (int)out->length, out->text);
    return HSEL_OK;
}

static int intern_id(hs_obo *o, word name, uint32_t *id, hsel_error *error)
{
    int status = hs_names_intern(&o->ids, name.text, name.length, id, NULL, error);
    if (status < 0)
        return status;
    if (!HS_GROW(&o->term_of, &o->term_of_capacity, o->ids.count))
        return hs_fail_memory(error);
    while (o->term_of_count < o->ids.count)
        o->term_of[o->term_of_count++] = HSEL_NONE;
    return HSEL_OK;
}

/* ---- relations ---- */

static bool asked_for(const hs_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], name) == 0)
            return true;
    return false;
}

static int intern_relation(hs_obo *o, word name, uint32_t *relation, hsel_error *error)
{
    bool added = false;
    int status = hs_names_intern(&o->relations, name.text, name.length, relation, &added, error);
    if (status < 0 || !added)
        return status;
    if (!HS_GROW(&o->followed, &o->followed_capacity, o->relations.count))
        return hs_fail_memory(error);
    const hs_list *asked = &o->options->relations;
    o->followed[*relation] =
        asked->count ? asked_for(asked, hs_names_get(&o->relations, *relation)) : *relation == 0;
    return HSEL_OK;
}

static int add_edge(hs_obo *o, char *value, const char *tag, uint32_t relation, hsel_error *error)
{
    word parent = {0};
    int status = take_id(o, value, tag, &parent, error);
    if (status < 0 || !o->followed[relation])
        return status;
    if (!HS_GROW(&o->edges, &o->edge_capacity, o->edge_count + 1))
        return hs_fail_memory(error);
    hs_obo_edge *edge = &o->edges[o->edge_count];
    *edge = (hs_obo_edge){o->term_count - 1, 0, relation, hs_reader_line_number(o->reader)};
    status = intern_id(o, parent, &edge->parent, error);
    o->edge_count += status == HSEL_OK;
    return status;
}

/* ---- the tags of a term that matter ---- */

typedef int (*tag_function)(hs_obo *o, char *value, hsel_error *error);

static int tag_id(hs_obo *o, char *value, hsel_error *error)
{
    hs_obo_term *term = &o->terms[o->term_count - 1];
    word name = {0};
    uint32_t id = 0;
    int status = take_id(o, value, "id", &name, error);
    if (status < 0)
        return status;
    if (term->id != HSEL_NONE)
        return hs_fail_line(error, o->reader, "a second id in one stanza");
    status = intern_id(o, name, &id, error);
    if (status < 0)
        return status;
    if (o->term_of[id] != HSEL_NONE)
        return hs_fail_line(error, o->reader,
                            "term %s is declared a second time (first on line %lu)",
                            hs_names_get(&o->ids, id), o->terms[o->term_of[id]].line);
    o->term_of[id] = o->term_count - 1;
    term->id = id;
    return HSEL_OK;
}

static int tag_name(hs_obo *o, char *value, hsel_error *error)
{
    word name = take_rest(value);
    o->title.length = 0;
    hs_buf_add(&o->title, name.text, name.length);
    return o->title.failed ? hs_fail_memory(error) : HSEL_OK;
}

static int tag_namespace(hs_obo *o, char *value, hsel_error *error)
{
    word name = take_rest(value);
    if (!name.length)
        return hs_fail_line(error, o->reader, "namespace without a value");
    return hs_names_intern(&o->spaces, name.text, name.length, &o->terms[o->term_count - 1].space,
                           NULL, error);
}

static int tag_is_a(hs_obo *o, char *value, hsel_error *error)
{
    return add_edge(o, value, "is_a", 0, error);
}

static int tag_relationship(hs_obo *o, char *value, hsel_error *error)
{
    uint32_t relation = 0;
    word name = take_word(&value);
    if (!name.length)
        return hs_fail_line(error, o->reader, "relationship without a value");
    int status = intern_relation(o, name, &relation, error);
    if (status < 0)
        return status;
    if (!*value || *value == '!' || *value == '{')
        return hs_fail_line(error, o->reader, "relationship %s names no term",
                            hs_names_get(&o->relations, relation));
    return add_edge(o, value, "relationship", relation, error);
}

static int tag_alt_id(hs_obo *o, char *value, hsel_error *error)
{
    word name = {0};
    uint32_t alternate = 0;
    bool added = false;
    int status = take_id(o, value, "alt_id", &name, error);
    if (status == HSEL_OK)
        status = hs_names_intern(&o->alternates, name.text, name.length, &alternate, &added, error);
    if (status < 0 || !added)
        return status;
    if (!HS_GROW(&o->alternate_of, &o->alternate_capacity, o->alternates.count))
        return hs_fail_memory(error);
    o->alternate_of[alternate] = o->term_count - 1;
    return HSEL_OK;
}

static int tag_is_obsolete(hs_obo *o, char *value, hsel_error *error)
{
    (void)error;
    word flag = take_word(&value);
    o->terms[o->term_count - 1].obsolete = hs_equal_nocase(flag.text, flag.length, "true");
    return HSEL_OK;
}

/* Of several, the first. */
static int tag_replaced_by(hs_obo *o, char *value, hsel_error *error)
{
    hs_obo_term *term = &o->terms[o->term_count - 1];
    word name = {0};
    int status = take_id(o, value, "replaced_by", &name, error);
    if (status < 0 || term->replaced_by != HSEL_NONE)
        return status;
    return intern_id(o, name, &term->replaced_by, error);
}

static tag_function term_tag(const char *tag, size_t length)
{
    static const struct {
        const char *name;
        tag_function read;
    } tags[] = {{"id", tag_id},
                {"name", tag_name},
                {"is_a", tag_is_a},
                {"alt_id", tag_alt_id},
                {"namespace", tag_namespace},
                {"replaced_by", tag_replaced_by},
                {"is_obsolete", tag_is_obsolete},
                {"relationship", tag_relationship}};
    if (!memchr("inar", tag[0], 4)) /* most lines are def, synonym and xref */
        return NULL;
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (strlen(tags[i].name) == length && memcmp(tags[i].name, tag, length) == 0)
            return tags[i].read;
    return NULL;
}

/* ---- lines ---- */

static int finish_term(hs_obo *o, hsel_error *error)
{
    if (o->stanza != HS_OBO_TERM)
        return HSEL_OK;
    const hs_obo_term *term = &o->terms[o->term_count - 1];
    if (term->id == HSEL_NONE)
        return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(o->reader), term->line,
                          "a [Term] stanza without an id");
    return hs_names_append(&o->titles, o->title.length ? o->title.text : "", o->title.length,
                           error);
}

static int start_term(hs_obo *o, hsel_error *error)
{
    if (!HS_GROW(&o->terms, &o->terms_capacity, (size_t)o->term_count + 1))
        return hs_fail_memory(error);
    hs_obo_term *term = &o->terms[o->term_count];
    *term = (hs_obo_term){HSEL_NONE, HSEL_NONE, HSEL_NONE, false, hs_reader_line_number(o->reader)};
    o->title.length = 0;
    o->term_count++;
    return HSEL_OK;
}

static int start_stanza(hs_obo *o, const char *line, size_t length, hsel_error *error)
{
    const char *end = memchr(line, ']', length);
    if (!end)
        return hs_fail_line(error, o->reader, "a stanza header without a closing bracket");
    int status = finish_term(o, error);
    if (status < 0)
        return status;
    size_t name_length = (size_t)(end - line - 1);
    o->stanza = hs_equal_nocase(line + 1, name_length, "Term")      ? HS_OBO_TERM
                : hs_equal_nocase(line + 1, name_length, "Typedef") ? HS_OBO_TYPEDEF
                                                                    : HS_OBO_OTHER;
    return o->stanza == HS_OBO_TERM ? start_term(o, error) : HSEL_OK;
}

static int read_header_tag(hs_obo *o, const char *tag, size_t length, char *value,
                           hsel_error *error)
{
    if (!hs_equal_nocase(tag, length, "default-namespace"))
        return HSEL_OK;
    word name = take_rest(value);
    o->default_space.length = 0;
    hs_buf_add(&o->default_space, name.text, name.length);
    o->has_default_space = name.length > 0;
    return o->default_space.failed ? hs_fail_memory(error) : HSEL_OK;
}

static int read_typedef_tag(hs_obo *o, const char *tag, size_t length, char *value,
                            hsel_error *error)
{
    uint32_t relation = 0;
    if (length != 2 || memcmp(tag, "id", 2) != 0)
        return HSEL_OK;
    word name = take_word(&value);
    return name.length ? intern_relation(o, name, &relation, error) : HSEL_OK;
}

static int read_tag(hs_obo *o, char *line, size_t length, hsel_error *error)
{
    char *colon = memchr(line, ':', length);
    if (!colon || colon == line)
        return hs_fail_line(error, o->reader, "expected 'tag: value' as in an OBO file");
    size_t tag_length = (size_t)(colon - line);
    if (o->stanza == HS_OBO_HEADER)
        return read_header_tag(o, line, tag_length, colon + 1, error);
    if (o->stanza == HS_OBO_TYPEDEF)
        return read_typedef_tag(o, line, tag_length, colon + 1, error);
    if (o->stanza == HS_OBO_OTHER)
        return HSEL_OK;
    tag_function read = term_tag(line, tag_length);
    return read ? read(o, colon + 1, error) : HSEL_OK;
}

/* An odd number of backslashes at its end makes a line go on in the next. */
static bool goes_on(const char *line, size_t length)
{
    size_t slashes = 0;
    while (slashes < length && line[length - 1 - slashes] == '\\')
        slashes++;
    return slashes % 2 == 1;
}

static int join_lines(hs_obo *o, char **line, size_t *length, hsel_error *error)
{
    while (goes_on(*line, *length)) {
        size_t seam = *length - 1;
        int status = hs_reader_more(o->reader, line, length, error);
        if (status < 0)
            return status;
        if (status == 0)
            break;
        (*line)[seam] = (*line)[seam + 1] = ' ';
    }
    return HSEL_OK;
}

static int read_lines(hs_obo *o, hsel_error *error)
{
    char *line = NULL;
    size_t length = 0;
    int status = 0;
    while ((status = hs_reader_line(o->reader, &line, &length, error)) > 0) {
        if (length && line[length - 1] == '\\' &&
            (status = join_lines(o, &line, &length, error)) < 0)
            return status;
        while (length && is_blank(*line))
            line++, length--;
        if (!length || *line == '!')
            continue;
        status =
            *line == '[' ? start_stanza(o, line, length, error) : read_tag(o, line, length, error);
        if (status < 0)
            return status;
    }
    return status < 0 ? status : finish_term(o, error);
}

/* ---- all of it ---- */

int hs_obo_read(hs_reader *reader, const hs_graph_options *options, hs_graph *out,
                hsel_error *error)
{
    hs_obo o = {.reader = reader, .options = options};
    uint32_t is_a = 0;
    int status = hs_graph_set_source(out, reader, error);
    if (status == HSEL_OK)
        status = intern_relation(&o, (word){"is_a", 4}, &is_a, error);
    if (status == HSEL_OK)
        status = read_lines(&o, error);
    if (status == HSEL_OK)
        status = hs_obo_pick(&o, out, error);
    obo_clear(&o);
    return status;
}
