/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding the format of a file: by name if the user says so, else by its first bytes and its
 * ending. Content weighs more than the ending, because files are renamed more often than rewritten.
 */
#include "format/format.h"

#include <string.h>
#include <strings.h>

#include "core/mem.h"

#define HEAD          ((size_t)16 << 10) /* how much of a file the sniffers see */
#define ENDING_WEIGHT 40

static bool can_read(const hs_format *format, unsigned roles)
{
    return ((roles & HS_ROLE_DATA) && format->read_data) ||
           ((roles & HS_ROLE_GRAPH) && format->read_graph) ||
           ((roles & HS_ROLE_ANNOTATIONS) && format->read_annotations);
}

static bool can_write(const hs_format *format, unsigned roles)
{
    return ((roles & HS_ROLE_DATA) && format->write_data) ||
           ((roles & HS_ROLE_GRAPH) && format->write_graph);
}

static const char *role_name(unsigned roles)
{
    if ((roles & HS_ROLE_DATA) && (roles & HS_ROLE_GRAPH))
        return "data or a hierarchy";
    if (roles & HS_ROLE_DATA)
        return "data";
    return roles & HS_ROLE_GRAPH ? "a hierarchy" : "annotations";
}

/* Length of the best matching ending of `path` (".gz" aside), 0: none matches. */
static size_t ending_length(const hs_format *format, const char *path)
{
    size_t length = strlen(path), best = 0;
    if (hs_ends_with(path, ".gz"))
        length -= 3;
    for (const char *word = format->endings; *word;) {
        size_t size = strcspn(word, " ");
        if (length > size && path[length - size - 1] == '.' && size > best &&
            strncasecmp(path + length - size, word, size) == 0)
            best = size;
        word += size + (word[size] == ' ');
    }
    return best;
}

typedef bool fits_function(const hs_format *format, unsigned roles);

/* The names of the formats that fit, for a message; "none" if there is nothing to show. */
static const char *list_names(unsigned roles, fits_function *fits, hs_buf *out)
{
    for (size_t i = 0; i < hs_method_count(); i++) {
        const hs_method *method = hs_method_at(i);
        if (method->kind == HS_FORMAT && fits(method->format, roles))
            hs_buf_printf(out, "%s%s", out->length ? ", " : "", method->name);
    }
    return out->text && !out->failed ? out->text : "none";
}

/* The format of that name, which must fit the role. */
static int by_name(const char *wanted, unsigned roles, fits_function *fits, const char *verb,
                   const hs_method **out, hsel_error *error)
{
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    HS_OWNS(hs_buf_clear) hs_buf known = {0};
    HS_TRY(hs_chosen_parse(HS_FORMAT, wanted, &chosen, error));
    if (!fits(chosen.method->format, roles))
        return hs_fail(error, HSEL_EUSAGE, "format %s cannot %s %s; these can: %s", wanted, verb,
                       role_name(roles), list_names(roles, fits, &known));
    *out = chosen.method;
    return HSEL_OK;
}

/* The best of the formats that fit: by content and ending, or (head NULL) by the longest ending. */
static const hs_method *best_format(unsigned roles, fits_function *fits, const char *name,
                                    const char *head, size_t length)
{
    const hs_method *found = NULL;
    int best = 0;
    for (size_t i = 0; i < hs_method_count(); i++) {
        const hs_method *method = hs_method_at(i);
        if (method->kind != HS_FORMAT || !fits(method->format, roles))
            continue;
        int score = (int)ending_length(method->format, name);
        if (head)
            score = (method->format->sniff ? method->format->sniff(head, length) : 0) +
                    (score ? ENDING_WEIGHT : 0);
        if (score > best) {
            best = score;
            found = method;
        }
    }
    return found;
}

int hs_format_sniff(hs_reader *reader, const char *wanted, unsigned roles, const hs_method **out,
                    hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf known = {0};
    const char *head, *name = hs_reader_name(reader);
    size_t length;
    if (wanted)
        return by_name(wanted, roles, can_read, "read", out, error);
    HS_TRY(hs_reader_peek(reader, HEAD, &head, &length, error));
    if (length == 0)
        return hs_fail_at(error, HSEL_EFORMAT, name, 0, "the file is empty");
    if ((*out = best_format(roles, can_read, name, head, length)))
        return HSEL_OK;
    return hs_fail_at(error, HSEL_EFORMAT, name, 0,
                      "the format is none that is known for %s; these are: %s", role_name(roles),
                      list_names(roles, can_read, &known));
}

int hs_format_for_output(const char *path, const char *wanted, unsigned roles,
                         const hs_method **out, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf known = {0};
    if (wanted)
        return by_name(wanted, roles, can_write, "write", out, error);
    if ((*out = best_format(roles, can_write, path, NULL, 0)))
        return HSEL_OK;
    return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                      "the ending does not tell how to write %s: name the format (%s)",
                      role_name(roles), list_names(roles, can_write, &known));
}

int hs_graph_read(hs_reader *reader, const hs_method *method, const hs_graph_options *options,
                  hs_graph *out, hsel_error *error)
{
    const char *file = hs_reader_name(reader);
    const struct {
        const hs_list *asked;
        bool has;
        const char *what;
    } choices[] = {{&options->relations, method->format->has_relations, "relations"},
                   {&options->namespaces, method->format->has_namespaces, "namespaces"}};
    for (size_t i = 0; i < 2; i++)
        if (choices[i].asked->count && !choices[i].has)
            return hs_fail_at(error, HSEL_EUSAGE, file, 0,
                              "the format %s has no %s to choose from (%s was asked for)",
                              method->name, choices[i].what, choices[i].asked->items[0]);
    if (options->direction != HS_CHILD_PARENT && !method->format->has_direction)
        return hs_fail_at(error, HSEL_EUSAGE, file, 0,
                          "--direction is for edge lists, and the format is %s", method->name);
    HS_NEED(out->source = hs_strdup(file));
    return hs_fail_placed(error, reader, method->format->read_graph(reader, options, out, error));
}

void hs_format_roles(const hs_format *format, hs_buf *out)
{
    const struct {
        bool there;
        const char *words;
    } roles[] = {{format->read_data, "reads data"},
                 {format->write_data, "writes data"},
                 {format->read_graph, "reads hierarchies"},
                 {format->write_graph, "writes hierarchies"},
                 {format->read_annotations, "reads annotations"}};
    size_t before = out->length;
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if (roles[i].there)
            hs_buf_printf(out, "%s%s", out->length > before ? ", " : "", roles[i].words);
}
