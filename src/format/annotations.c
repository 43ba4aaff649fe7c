/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of annotations that every reader of them fills, and the few things their formats have
 * in common: fields of a line, taxa, the NOT qualifier. Entries stay in the order of the file and
 * repeats stay in; making sense of them is the work of format/assemble.c.
 */
#include "format/annotations.h"

#include <string.h>

#include "core/mem.h"
#include "core/text.h"
#include "format/format.h"

void hs_annotations_clear(hs_annotations *annotations)
{
    hs_free(annotations->source);
    hs_names_clear(&annotations->objects);
    hs_names_clear(&annotations->terms);
    hs_names_clear(&annotations->evidence);
    hs_free(annotations->entries);
    hs_free(annotations->first_line);
    *annotations = (hs_annotations){0};
}

static int intern_term(hs_annotations *annotations, const char *term, size_t length,
                       unsigned long line, uint32_t *id, hsel_error *error)
{
    if (!HS_GROW(&annotations->first_line, &annotations->first_line_capacity,
                 (size_t)annotations->terms.count + 1))
        return hs_fail_memory(error);
    bool added = false;
    int status = hs_names_intern(&annotations->terms, term, length, id, &added, error);
    if (!status && added)
        annotations->first_line[*id] = line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
    return status;
}

int hs_annotations_add(hs_annotations *annotations, const char *object, size_t object_length,
                       const char *term, size_t term_length, const char *evidence,
                       size_t evidence_length, bool negated, unsigned long line, hsel_error *error)
{
    hs_annotation entry = {.evidence = HSEL_NONE, .negated = negated};
    if (!HS_GROW(&annotations->entries, &annotations->capacity, annotations->count + 1))
        return hs_fail_memory(error);
    int status =
        hs_names_intern(&annotations->objects, object, object_length, &entry.object, NULL, error);
    if (!status)
        status = intern_term(annotations, term, term_length, line, &entry.term, error);
    if (!status && evidence_length)
        status = hs_names_intern(&annotations->evidence, evidence, evidence_length, &entry.evidence,
                                 NULL, error);
    if (!status)
        annotations->entries[annotations->count++] = entry;
    return status;
}

static void drop_prefix(const char **text, size_t *length, const char *prefix)
{
    size_t prefix_length = strlen(prefix);
    if (*length > prefix_length && hs_equal_nocase(*text, prefix_length, prefix)) {
        *text += prefix_length;
        *length -= prefix_length;
    }
}

bool hs_annotation_taxon_wanted(const hs_annotation_options *options, const char *taxon,
                                size_t length)
{
    if (!options || !options->taxon.count)
        return true;
    const char *bar = memchr(taxon, '|', length);
    if (bar)
        length = (size_t)(bar - taxon);
    drop_prefix(&taxon, &length, "taxon:");
    for (size_t i = 0; i < options->taxon.count; i++) {
        const char *wanted = options->taxon.items[i];
        size_t wanted_length = strlen(wanted);
        drop_prefix(&wanted, &wanted_length, "taxon:");
        if (wanted_length == length && memcmp(wanted, taxon, length) == 0)
            return true;
    }
    return false;
}

const char *hs_annotation_field(const char **rest, char separator, size_t *length)
{
    const char *field = *rest, *end = strchr(field, separator);
    *length = end ? (size_t)(end - field) : strlen(field);
    *rest = end ? end + 1 : NULL;
    hs_trim(&field, length);
    return field;
}

bool hs_annotation_is_not(const char *qualifier, size_t length)
{
    const char *end = qualifier + length;
    for (const char *start = qualifier; start <= end;) {
        const char *bar = memchr(start, '|', (size_t)(end - start));
        const char *word = start;
        size_t word_length = (size_t)((bar ? bar : end) - start);
        hs_trim(&word, &word_length);
        if (hs_equal_nocase(word, word_length, "NOT"))
            return true;
        if (!bar)
            break;
        start = bar + 1;
    }
    return false;
}

int hs_annotations_load(const char *path, const char *format, const hs_annotation_options *options,
                        hs_annotations *out, const hs_method **found, hsel_error *error)
{
    hs_reader *reader = NULL;
    const hs_method *method = NULL;
    int status = hs_reader_open(path, &reader, error);
    if (status)
        goto out;
    status = hs_format_sniff(reader, format, HS_ROLE_ANNOTATIONS, &method, error);
    if (status)
        goto out;
    out->source = hs_strdup(hs_reader_name(reader));
    status = out->source
                 ? hs_fail_placed(error, reader,
                                  method->format->read_annotations(reader, options, out, error))
                 : hs_fail_memory(error);
    if (found)
        *found = method;
out:
    hs_reader_close(reader);
    return status;
}
