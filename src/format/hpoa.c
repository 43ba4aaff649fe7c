/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * phenotype.hpoa: diseases and the terms of the Human Phenotype Ontology.
 *
 * Twelve columns: disease (1), its name (2), qualifier (3: NOT), term (4), evidence (6), frequency
 * (8). A feature that none of those examined has (0/19, 0%, HP:0040285 "excluded") is as good as
 * NOT. Comments start with '#'; the line with the names of the columns does in older files.
 */
#include "format/table.h"

enum { HPOA_COLUMNS = 12 };

static bool is_never(const hs_field *frequency)
{
    const char *text = frequency->text;
    size_t zeros = strspn(text, "0.");
    return strcmp(text, "HP:0040285") == 0 ||
           (zeros && (strcmp(text + zeros, "%") == 0 || (zeros == 1 && text[zeros] == '/')));
}

static int read_hpoa(hs_reader *reader, const hs_annotation_options *options, hs_annotations *out,
                     hsel_error *error)
{
    HS_OWNS(hs_table_clear)
    hs_table table = {
        .reader = reader, .delimiter = '\t', .quoting = HS_NOT_QUOTED, .comment = '#'};
    int got;
    (void)options;
    while ((got = hs_table_record(&table, error)) > 0) {
        const hs_field *fields = table.fields, *object = &fields[0], *term = &fields[3];
        if (table.count != HPOA_COLUMNS)
            return hs_fail_line(error, reader, "%zu columns where phenotype.hpoa has %d",
                                table.count, HPOA_COLUMNS);
        if (!out->count && hs_equal_nocase(object->text, object->length, "database_id"))
            continue;
        if (!object->length)
            return hs_fail_line(error, reader, "no disease (column 1)");
        if (!term->length)
            return hs_fail_line(error, reader, "no term (column 4)");
        uint32_t objects = out->objects.count;
        HS_TRY(hs_annotations_add(out, object->text, object->length, term->text, term->length,
                                  fields[5].text, fields[5].length,
                                  hs_annotation_is_not(fields[2].text) || is_never(&fields[7]),
                                  table.line, error));
        if (out->objects.count > objects)
            HS_TRY(hs_mapping_record(&out->mapping, object->text, "", fields[1].text, "", NULL,
                                     error));
    }
    return got;
}

/* The names of the columns, or a first line with a term of HPO in its place. */
static int sniff_hpoa(const char *head)
{
    const char *line = head, *term = NULL;
    size_t tabs = 0;
    for (; *line == '#'; line += strcspn(line, "\n"), line += *line == '\n')
        if (strncasecmp(line, "#DatabaseID\t", 12) == 0)
            return 95;
    if (strncasecmp(line, "database_id\t", 12) == 0)
        return 95;
    for (; *line && *line != '\n'; line++)
        if (*line == '\t' && ++tabs == 3)
            term = line + 1;
    return tabs + 1 == HPOA_COLUMNS && line - term > 3 && memcmp(term, "HP:", 3) == 0 ? 90 : 0;
}

const hs_method hs_method_hpoa = {
    .kind = HS_FORMAT,
    .name = "hpoa",
    .title = "HPO disease annotations",
    .help = "Diseases and their features as terms of the Human Phenotype Ontology: the file "
            "phenotype.hpoa. The qualifier NOT and the frequency 0 mark absent features.",
    .citation = "Human Phenotype Ontology, phenotype.hpoa, hpo.jax.org",
    .format =
        &(const hs_format){.endings = "hpoa", .sniff = sniff_hpoa, .read_annotations = read_hpoa}};
