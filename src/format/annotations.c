/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lists that readers of annotations fill. Entries stay in the order of the file and repeats
 * stay in; making sense of them is the work of src/build.
 */
#include "format/annotations.h"

#include "format/format.h"

void hs_annotations_clear(hs_annotations *annotations)
{
    hs_free(annotations->source);
    HS_CLEAR_NAMES(&annotations->objects, &annotations->terms, &annotations->evidence);
    hs_mapping_clear(&annotations->mapping);
    HS_FREE(annotations->entries, annotations->first_line);
    *annotations = (hs_annotations){0};
}

int hs_annotations_add(hs_annotations *annotations, const char *object, size_t object_length,
                       const char *term, size_t term_length, const char *evidence,
                       size_t evidence_length, bool negated, unsigned long line, hsel_error *error)
{
    hs_annotation entry = {.evidence = HSEL_NONE, .negated = negated};
    bool added = false;
    HS_NEED(HS_GROW(&annotations->entries, &annotations->capacity, annotations->count + 1) &&
            HS_GROW(&annotations->first_line, &annotations->first_line_capacity,
                    (size_t)annotations->terms.count + 1));
    HS_TRY(
        hs_names_intern(&annotations->objects, object, object_length, &entry.object, NULL, error));
    HS_TRY(hs_names_intern(&annotations->terms, term, term_length, &entry.term, &added, error));
    if (added)
        annotations->first_line[entry.term] = line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
    if (evidence_length)
        HS_TRY(hs_names_intern(&annotations->evidence, evidence, evidence_length, &entry.evidence,
                               NULL, error));
    annotations->entries[annotations->count++] = entry;
    return HSEL_OK;
}

uint32_t hs_annotation_date(const char *text, size_t length)
{
    char digits[8];
    size_t count = 0, at = 0;
    uint64_t date = 0;
    for (; at < length && count < 8; at++)
        if (text[at] != '-' || (count != 4 && count != 6))
            digits[count++] = text[at];
    bool ends = at == length || text[at] == 'T' || text[at] == ' ';
    bool dashes = at == 8 || (at == 10 && text[4] == '-' && text[7] == '-');
    if (count < 8 || !ends || !dashes || !hs_parse_u64(digits, 8, &date))
        return 0;
    uint64_t month = date / 100 % 100, day = date % 100;
    return month >= 1 && month <= 12 && day >= 1 && day <= 31 ? (uint32_t)date : 0;
}

bool hs_annotation_taxon_wanted(const hs_annotation_options *options, const char *taxon,
                                size_t length)
{
    if (!options || !options->taxon.count)
        return true;
    const char *bar = memchr(taxon, '|', length);
    if (bar)
        length = (size_t)(bar - taxon);
    if (!hs_drop_prefix(&taxon, &length, "taxon:"))
        hs_drop_prefix(&taxon, &length, "NCBITaxon:");
    for (size_t i = 0; i < options->taxon.count; i++) {
        const char *wanted = options->taxon.items[i];
        size_t wanted_length = strlen(wanted);
        hs_drop_prefix(&wanted, &wanted_length, "taxon:");
        if (wanted_length == length && memcmp(wanted, taxon, length) == 0)
            return true;
    }
    return false;
}

int hs_annotations_load(const char *path, const char *format, const hs_annotation_options *options,
                        hs_annotations *out, const hs_method **found, hsel_error *error)
{
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    const hs_method *method = NULL;
    HS_TRY(hs_reader_open(path, &reader, error));
    HS_TRY(hs_format_sniff(reader, format, HS_ROLE_ANNOTATIONS, &method, error));
    if (found)
        *found = method;
    if (options && options->taxon.count && !method->format->has_species)
        return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                          "the format %s has no species to choose from (%s was given)",
                          method->name, options->taxon.items[0]);
    if (options && options->object_key == HS_OBJECT_SYMBOL && !method->format->has_symbols)
        return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                          "the format %s has no symbols: name objects by their identifiers",
                          method->name);
    HS_OWNS(hs_buf_clear) hs_buf source = {0};
    if (out->files)
        hs_buf_printf(&source, "%.*s and %u more", (int)out->first_name, out->source, out->files);
    else
        hs_buf_text(&source, hs_reader_name(reader));
    HS_NEED(!source.failed);
    hs_free(out->source);
    out->source = hs_take(&source.text);
    out->first_name = out->files++ ? out->first_name : source.length;
    HS_TRY(hs_fail_placed(error, reader,
                          method->format->read_annotations(reader, options, out, error)));
    if (out->files > 1 && out->first_line) /* `source` no longer identifies the file of a line */
        memset(out->first_line, 0, out->terms.count * sizeof *out->first_line);
    return HSEL_OK;
}

bool hs_annotation_is_not(const char *qualifiers)
{
    for (const char *rest = qualifiers; rest;) {
        const char *bar = strchr(rest, '|'), *word = rest;
        size_t length = bar ? (size_t)(bar - rest) : strlen(rest);
        hs_trim(&word, &length);
        if (hs_equal_nocase(word, length, "NOT"))
            return true;
        rest = bar ? bar + 1 : NULL;
    }
    return false;
}

/* ---- names of objects ---- */

void hs_mapping_clear(hs_mapping *mapping)
{
    hs_names_clear(&mapping->texts);
    HS_FREE(mapping->record, mapping->text, mapping->kind);
    *mapping = (hs_mapping){0};
}

int hs_mapping_add(hs_mapping *mapping, uint32_t record, hs_alias_kind kind, const char *text,
                   size_t length, hsel_error *error)
{
    size_t need = mapping->count + 1;
    uint32_t id;
    if (!length)
        return HSEL_OK;
    HS_NEED(HS_GROW(&mapping->record, &mapping->record_capacity, need) &&
            HS_GROW(&mapping->text, &mapping->text_capacity, need) &&
            HS_GROW(&mapping->kind, &mapping->kind_capacity, need));
    HS_TRY(hs_names_intern(&mapping->texts, text, length, &id, NULL, error));
    mapping->record[mapping->count] = record;
    mapping->text[mapping->count] = id;
    mapping->kind[mapping->count++] = (uint8_t)kind;
    return HSEL_OK;
}

size_t hs_ensembl_length(const char *text, size_t length)
{
    size_t end = length;
    while (end > 0 && text[end - 1] >= '0' && text[end - 1] <= '9')
        end--;
    bool versioned = end < length && end > 4 && text[end - 1] == '.' && memcmp(text, "ENS", 3) == 0;
    return versioned ? end - 1 : length;
}

/* A name of another database as "DB:name", by which its kind is seen. */
static int add_reference(hs_mapping *mapping, uint32_t record, const char *text, size_t length,
                         hsel_error *error)
{
    static const char *const genes[] = {
        "NCBIGene:", "NCBI_Gene:", "NCBI_GeneID:", "GeneID:", "EntrezGene:"};
    if (hs_drop_prefix(&text, &length, "ENSEMBL:"))
        return hs_mapping_add(mapping, record, HS_ALIAS_ENSEMBL, text,
                              hs_ensembl_length(text, length), error);
    if (hs_drop_prefix(&text, &length, "UniProtKB:"))
        return hs_mapping_add(mapping, record, HS_ALIAS_UNIPROT, text, length, error);
    for (size_t i = 0; i < sizeof genes / sizeof *genes; i++)
        if (hs_drop_prefix(&text, &length, genes[i]))
            break;
    /* "HGNC:HGNC:1100" and "MGI:MGI:87853" repeat the database. */
    const char *colon = memchr(text, ':', length);
    size_t prefix = colon ? (size_t)(colon - text) + 1 : 0;
    if (prefix && length > 2 * prefix && memcmp(text, colon + 1, prefix) == 0) {
        text += prefix;
        length -= prefix;
    }
    return hs_mapping_add(mapping, record, HS_ALIAS_OTHER, text, length, error);
}

int hs_mapping_add_list(hs_mapping *mapping, uint32_t record, hs_alias_kind kind, const char *text,
                        size_t length, hsel_error *error)
{
    const char *end = text + length;
    for (const char *stop; text < end; text = stop + 1) {
        stop = memchr(text, '|', (size_t)(end - text));
        stop = stop ? stop : end;
        const char *name = text;
        size_t size = (size_t)(stop - text);
        hs_trim(&name, &size);
        HS_TRY(kind == HS_ALIAS_OTHER ? add_reference(mapping, record, name, size, error)
                                      : hs_mapping_add(mapping, record, kind, name, size, error));
    }
    return HSEL_OK;
}

int hs_mapping_record(hs_mapping *mapping, const char *id, const char *symbol, const char *title,
                      const char *synonyms, uint32_t *record, hsel_error *error)
{
    uint32_t number = mapping->records;
    HS_TRY(hs_mapping_add(mapping, number, HS_ALIAS_ID, id, strlen(id), error));
    HS_TRY(hs_mapping_add(mapping, number, HS_ALIAS_SYMBOL, symbol, strlen(symbol), error));
    HS_TRY(hs_mapping_add(mapping, number, HS_ALIAS_TITLE, title, strlen(title), error));
    HS_TRY(
        hs_mapping_add_list(mapping, number, HS_ALIAS_SYNONYM, synonyms, strlen(synonyms), error));
    mapping->records++;
    if (record)
        *record = number;
    return HSEL_OK;
}

int hs_mapping_load(const char *path, const char *format, const hs_annotation_options *options,
                    hs_mapping *out, hsel_error *error)
{
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    const hs_method *method = NULL;
    HS_TRY(hs_reader_open(path, &reader, error));
    HS_TRY(hs_format_sniff(reader, format, HS_ROLE_MAPPING, &method, error));
    return hs_fail_placed(error, reader, method->format->read_mapping(reader, options, out, error));
}
