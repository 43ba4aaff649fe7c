/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the format of a file: by name if given, else by its first bytes and its ending. Content
 * weighs more than the ending, because files are renamed more often than rewritten.
 */
#include "format/format.h"

#include <strings.h>

#define HEAD          ((size_t)16 << 10) /* how much of a file the sniffers see */
#define ENDING_WEIGHT 40

/* The roles in which the format can read or write. */
static unsigned roles_of(const hs_format *format, bool write)
{
    if (write)
        return (format->write_data ? HS_ROLE_DATA : 0) | (format->write_graph ? HS_ROLE_GRAPH : 0);
    return (format->read_data ? HS_ROLE_DATA : 0) | (format->read_graph ? HS_ROLE_GRAPH : 0) |
           (format->read_annotations ? HS_ROLE_ANNOTATIONS : 0) |
           (format->read_mapping ? HS_ROLE_MAPPING : 0) |
           (format->read_amounts ? HS_ROLE_AMOUNTS : 0);
}

#define SURE 90 /* a sniff that leaves no doubt */

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

/* The format that is `wanted`; else the best that fits, by content and ending, or (to write) by the
 * longest ending. */
static int format_choose(const char *file, const char *wanted, unsigned roles, bool write,
                         const char *head, const hs_method **out, hsel_error *error)
{
    HS_OWNS(hs_chosen_clear) hs_chosen chosen = {0};
    HS_OWNS(hs_buf_clear) hs_buf known = {0};
    const hs_method *other = NULL; /* annotations that the file looks like */
    int best = 0;
    bool sure = write || wanted;
    *out = NULL;
    if (wanted)
        HS_TRY(hs_chosen_parse(HS_FORMAT, wanted, &chosen, error));
    for (size_t i = 0; i < hs_method_count(); i++) {
        const hs_method *method = hs_method_at(i);
        const hs_format *format = method->kind == HS_FORMAT ? method->format : NULL;
        if (!format)
            continue;
        int look = !write && !wanted && format->sniff ? format->sniff(head) : 0;
        if (!(roles_of(format, write) & roles)) {
            if (!other && look >= SURE && (format->read_annotations || format->read_mapping))
                other = method;
            continue;
        }
        hs_buf_printf(&known, "%s%s", known.length ? ", " : "", method->name);
        int ending = (int)ending_length(format, file);
        int score = wanted  ? method == chosen.method
                    : write ? ending
                            : look + (ending ? ENDING_WEIGHT : 0);
        if (score > best) {
            best = score;
            sure = look >= SURE;
            *out = method;
        }
    }
    HS_NEED(!known.failed);
    /* Annotations are tables too, and are not to be read as data or edges, unless the file looks as
     * much like the requested format (GO.db and org.db are both SQLite). */
    if (other && !sure)
        return hs_fail_at(error, HSEL_EFORMAT, file, 0,
                          roles & HS_ROLE_DATA
                              ? "this looks like %s (%s), which hsel build takes as %s; "
                                "{format=NAME} reads it as another format"
                              : "this looks like %s (%s), which hsel build takes as %s",
                          other->title, other->name,
                          other->format->read_annotations ? "annotations" : "a mapping");
    if (*out)
        return HSEL_OK;
    const char *names = known.length ? known.text : "none";
    const char *role = (roles & HS_ROLE_DATA) && (roles & HS_ROLE_GRAPH) ? "data or a hierarchy"
                       : roles & HS_ROLE_DATA                            ? "data"
                       : roles & HS_ROLE_GRAPH                           ? "a hierarchy"
                       : roles & HS_ROLE_ANNOTATIONS                     ? "annotations"
                       : roles & HS_ROLE_AMOUNTS                         ? "abundances"
                                                                         : "names of objects";
    if (wanted)
        return hs_fail(error, HSEL_EUSAGE, "format %s cannot %s %s; these can: %s", wanted,
                       write ? "write" : "read", role, names);
    if (write)
        return hs_fail_at(
            error, HSEL_EUSAGE, file, 0,
            "the ending of the name does not determine the format of %s: give one (%s)", role,
            names);
    return hs_fail_at(error, HSEL_EFORMAT, file, 0, "unknown format of %s; known formats: %s", role,
                      names);
}

int hs_format_sniff(hs_reader *reader, const char *wanted, unsigned roles, const hs_method **out,
                    hsel_error *error)
{
    const char *begin = "";
    char head[HEAD + 1];
    size_t length = 0;
    if (!wanted)
        HS_TRY(hs_reader_peek(reader, HEAD, &begin, &length, error));
    if (!wanted && length == 0)
        return HS_FAIL_FILE(error, reader, "the file is empty");
    for (size_t i = 0; i < length; i++)
        head[i] = begin[i] ? begin[i] : '\1';
    head[length] = '\0';
    return format_choose(hs_reader_name(reader), wanted, roles, false, head, out, error);
}

int hs_format_for_output(const char *path, const char *wanted, unsigned roles,
                         const hs_method **out, hsel_error *error)
{
    return format_choose(path, wanted, roles, true, NULL, out, error);
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
                              "the format %s has no %s to choose from (%s was given)", method->name,
                              choices[i].what, choices[i].asked->items[0]);
    if (options->direction != HS_CHILD_PARENT && !method->format->has_direction)
        return hs_fail_at(error, HSEL_EUSAGE, file, 0,
                          "{direction} is for edge lists, and the format is %s", method->name);
    HS_NEED(out->source = hs_strdup(file));
    return hs_fail_placed(error, reader, method->format->read_graph(reader, options, out, error));
}

int hs_format_write(const hs_method *method, const hsel_dataset *data, hs_writer *writer,
                    hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *wider = NULL;
    if (method->format->is_table)
        HS_TRY(hs_classes_to_features(data, &wider, error));
    return method->format->write_data(wider ? wider : data, writer, error);
}

void hs_format_roles(const hs_format *format, hs_buf *out)
{
    /* In the order of enum hs_role. */
    static const char *const roles[] = {"data", "hierarchies", "annotations", "names of objects",
                                        "abundances"};
    const size_t before = out->length;
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        for (int write = 0; write < 2; write++)
            if (roles_of(format, write) >> i & 1)
                hs_buf_printf(out, "%s%s %s", out->length > before ? ", " : "",
                              write ? "writes" : "reads", roles[i]);
}
