/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The OBO format: recognising it, and writing a hierarchy as one stanza a feature with its id and
 * is_a lines. Reading is in obo_read.c.
 */
#include <string.h>

#include "format/hierarchy.h"

static bool starts_with(const char *text, size_t length, const char *start)
{
    return length >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

static int sniff(const char *head, size_t length)
{
    const char *first = hs_first_content(head, length, '!');
    if (!first)
        return 0;
    if (starts_with(first, (size_t)(head + length - first), "format-version:"))
        return 98;
    for (const char *line = first; line;
         line = memchr(line, '\n', (size_t)(head + length - line))) {
        line += *line == '\n';
        size_t left = (size_t)(head + length - line);
        if (starts_with(line, left, "[Term]") || starts_with(line, left, "[Typedef]"))
            return 95;
    }
    return 0;
}

/* What would end an identifier or start an escape is escaped. */
static int put_id(const hsel_dataset *data, uint32_t v, hs_writer *writer, hsel_error *error)
{
    size_t length = 0;
    const char *name = hs_name_to_write(data, v, &length, error);
    if (!name)
        return HSEL_EUNSUPPORTED;
    if (memchr(name, '\r', length))
        return hs_fail(
            error, HSEL_EUNSUPPORTED,
            "the name '%s' has a carriage return in it, which OBO cannot hold; write rdf instead",
            name);
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        if (memchr(" \t\n\\!{", c, 6))
            hs_writer_char(writer, '\\');
        hs_writer_char(writer, (char)(c == ' ' ? 'W' : c == '\t' ? 't' : c == '\n' ? 'n' : c));
    }
    return HSEL_OK;
}

static int put_tag(const char *tag, const hsel_dataset *data, uint32_t v, hs_writer *writer,
                   hsel_error *error)
{
    hs_writer_text(writer, tag);
    int status = put_id(data, v, writer, error);
    hs_writer_char(writer, '\n');
    return status;
}

static int write_graph(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    const hsel_dag *dag = hs_hierarchy_to_write(data, error);
    if (!dag)
        return HSEL_EUSAGE;
    hs_writer_text(writer, "format-version: 1.2\n");
    for (uint32_t v = 0; v < dag->nodes; v++) {
        size_t count = 0;
        const uint32_t *parents = hs_parents(dag, v, &count);
        hs_writer_text(writer, "\n[Term]\n");
        int status = put_tag("id: ", data, v, writer, error);
        for (size_t i = 0; i < count && status == HSEL_OK; i++)
            status = put_tag("is_a: ", data, parents[i], writer, error);
        if (status < 0)
            return status;
    }
    return HSEL_OK;
}

static const hs_format format = {
    .endings = "obo", .sniff = sniff, .read_graph = hs_obo_read, .write_graph = write_graph};

const hs_method hs_method_obo = {
    .kind = HS_FORMAT,
    .name = "obo",
    .title = "OBO ontology",
    .help = "An ontology in OBO 1.2 or 1.4, as the Gene Ontology is published. Terms are the "
            "[Term] stanzas; edges are is_a "
            "lines or the relations asked for (is_a, part_of, regulates ...), each from the term "
            "to the one it names. "
            "Namespaces can be chosen by name, those of the Gene Ontology also as BP, MF and CC; "
            "terms of others are left "
            "out with their edges. Obsolete terms are known as such, alt_id and replaced_by are "
            "followed where "
            "annotations are read. A relation to a term that the file does not declare is an "
            "error. Written are "
            "id and is_a.",
    .citation = "The OBO Flat File Format Specification, version 1.2 (2006) and version 1.4 (2012)",
    .format = &format};
