/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Phenopackets (GA4GH) as JSON: one packet, an array of them, or several one after the other, as
 * `cat *.json` gives them; also cohorts (members) and families (proband, relatives). Objects are
 * named by the identifier of the packet, or by that of its subject with --object symbol or where
 * the packet has none. Features that are excluded (version 2) or negated (version 1) are NOT
 * annotations. Names of keys are those of protobuf's JSON, phenotypicFeatures, or of its text,
 * phenotypic_features.
 */
#include <jansson.h>

#include "format/format.h"

typedef struct packets {
    hs_reader *reader;
    const hs_annotation_options *options;
    hs_annotations *out;
    unsigned long line; /* on which the current JSON value begins */
    unsigned number;    /* of the current packet, from 1 */
} packets;

#define FAIL(...) hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(p->reader), p->line, __VA_ARGS__)

/* A member of an object by either of its names. */
static json_t *member(const json_t *object, const char *name, const char *other)
{
    json_t *found = json_object_get(object, name);
    return found ? found : json_object_get(object, other);
}

/* The text of a member, "" if it is not there. */
static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static int add_feature(packets *p, const char *object, const json_t *feature, size_t number,
                       hsel_error *error)
{
    const char *term = text_of(json_object_get(feature, "type"), "id");
    const json_t *excluded = member(feature, "excluded", "negated");
    if (!*term)
        return FAIL("packet %u (%.100s): phenotypic feature %zu has no type with an id", p->number,
                    object, number);
    if (excluded && !json_is_boolean(excluded))
        return FAIL("packet %u (%.100s): phenotypic feature %zu: excluded is neither true nor "
                    "false",
                    p->number, object, number);
    return hs_annotations_add(p->out, object, strlen(object), term, strlen(term), NULL, 0,
                              json_is_true(excluded), p->line, error);
}

static int add_packet(packets *p, const json_t *packet, hsel_error *error)
{
    const json_t *subject = json_object_get(packet, "subject");
    const json_t *features = member(packet, "phenotypicFeatures", "phenotypic_features");
    const json_t *others = member(subject, "alternateIds", "alternate_ids"), *item;
    const char *id = text_of(packet, "id"), *person = text_of(subject, "id");
    const char *taxon = text_of(json_object_get(subject, "taxonomy"), "id");
    bool by_person = p->options && p->options->object_key == HS_OBJECT_SYMBOL;
    const char *object = by_person || !*id ? person : id;
    uint32_t known;
    bool added;
    size_t i;
    p->number++;
    if (!json_is_object(packet))
        return FAIL("packet %u is not an object", p->number);
    if (!*object)
        return FAIL("packet %u has no %s", p->number,
                    by_person ? "subject with an id" : "id, nor a subject with one");
    if (features && !json_is_array(features))
        return FAIL("packet %u (%.100s): phenotypicFeatures is not an array", p->number, object);
    if (!hs_annotation_taxon_wanted(p->options, taxon, strlen(taxon))) {
        p->out->other_taxon += json_array_size(features);
        return HSEL_OK;
    }
    /* A packet without features is an object too. */
    HS_TRY(hs_names_intern(&p->out->objects, object, strlen(object), &known, &added, error));
    if (added) {
        hs_mapping *mapping = &p->out->mapping;
        HS_TRY(hs_mapping_record(mapping, id, person, "", "", &known, error));
        json_array_foreach(others, i, item)
        {
            const char *other = json_is_string(item) ? json_string_value(item) : "";
            HS_TRY(hs_mapping_add(mapping, known, HS_ALIAS_SYNONYM, other, strlen(other), error));
        }
    }
    json_array_foreach(features, i, item) HS_TRY(add_feature(p, object, item, i + 1, error));
    return HSEL_OK;
}

/* One JSON value of the file. */
static int add_value(packets *p, const json_t *value, hsel_error *error)
{
    static const char *const groups[] = {"members", "relatives"};
    const json_t *proband = json_object_get(value, "proband"), *item;
    bool group = proband != NULL;
    size_t i;
    if (json_is_array(value))
        json_array_foreach(value, i, item) HS_TRY(add_packet(p, item, error));
    if (json_is_array(value))
        return HSEL_OK;
    if (proband)
        HS_TRY(add_packet(p, proband, error));
    for (int g = 0; g < 2; g++) {
        const json_t *packets_of = json_object_get(value, groups[g]);
        group = group || packets_of;
        if (packets_of && !json_is_array(packets_of))
            return FAIL("%s is not an array", groups[g]);
        json_array_foreach(packets_of, i, item) HS_TRY(add_packet(p, item, error));
    }
    return group ? HSEL_OK : add_packet(p, value, error);
}

static int read_packets(hs_reader *reader, const hs_annotation_options *options,
                        hs_annotations *out, hsel_error *error)
{
    packets here = {.reader = reader, .options = options, .out = out, .line = 1}, *p = &here;
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    size_t at = 0;
    HS_TRY(hs_reader_all(reader, &text, error));
    for (;; at++) {
        json_error_t problem;
        for (; at < text.length && strchr(" \t\r\n", text.text[at]) && text.text[at]; at++)
            p->line += text.text[at] == '\n';
        if (at >= text.length)
            return HSEL_OK;
        json_auto_t *value = json_loadb(text.text + at, text.length - at,
                                        JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &problem);
        if (!value && (!problem.text[0] || json_error_code(&problem) == json_error_out_of_memory))
            return hs_fail_memory(error);
        if (!value) {
            p->line += problem.line > 0 ? (unsigned long)problem.line - 1 : 0;
            return FAIL("%s", problem.text);
        }
        HS_TRY(add_value(p, value, error));
        size_t end = at + (size_t)problem.position;
        for (; at < end && at < text.length; at++)
            p->line += text.text[at] == '\n';
        at--; /* the loop continues after the value */
    }
}

static int packets_sniff(const char *head)
{
    head += strspn(head, " \t\r\n");
    if (*head != '{' && *head != '[')
        return 0;
    return strstr(head, "\"phenotypicFeatures\"") || strstr(head, "\"phenotypic_features\"") ? 95
           : strchr(head, '"')                                                               ? 50
                                                                                             : 10;
}

const hs_method hs_method_phenopackets = {
    .kind = HS_FORMAT,
    .name = "phenopackets",
    .title = "GA4GH phenopackets",
    .help =
        "Patients and their features as JSON: one phenopacket, an array, or several one after the "
        "other; cohorts and families too. Excluded features count as NOT annotations. Objects are "
        "named by the identifier of the packet, or that of its subject (option object: symbol).",
    .citation = "Jacobsen JOB and others, The GA4GH Phenopacket schema defines a computable "
                "representation of clinical data, Nature Biotechnology 40:817-820, 2022",
    .format = &(const hs_format){.endings = "json",
                                 .sniff = packets_sniff,
                                 .read_annotations = read_packets,
                                 .has_species = true,
                                 .has_symbols = true}};
