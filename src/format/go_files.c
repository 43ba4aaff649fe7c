/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files of the Gene Ontology Consortium: annotations (GAF, GPAD) and gene products (GPI). Lines
 * have columns between tabs; comments start with '!', and one of them tells the version, by which
 * columns differ. Writers leave out empty columns at the end.
 */
#include <strings.h>

#include "format/format.h"
#include "format/table.h"

typedef struct go_file {
    const char *name, *known; /* versions, for messages */
    const char *keys[2];      /* what the comment with the version starts with */
    size_t least, most;       /* columns */
} go_file;

#define FAIL(...) hs_fail_line(error, reader, __VA_ARGS__) /* at the last line read */

/* The length of the key that the line starts with; 0: it does not tell the version. */
static size_t version_key(const go_file *file, const char *line)
{
    for (int i = 0; i < 2 && file->keys[i]; i++)
        if (strncasecmp(line, file->keys[i], strlen(file->keys[i])) == 0)
            return strlen(file->keys[i]);
    return 0;
}

/* 1: the fields of the next entry; 0: end; negative. *version: its first digit, once known. */
static int next_entry(hs_table *table, const go_file *file, char *version, hsel_error *error)
{
    int got;
    while ((got = hs_table_line(table, error)) > 0 && table->text[0] == '!') {
        size_t key = version_key(file, table->text), length = table->length - key;
        const char *text = table->text + key;
        hs_trim(&text, &length);
        if (key && (!length || (text[0] != '1' && text[0] != '2') ||
                    (length > 1 && text[1] != '.'))) /* other numbers mean other columns */
            return hs_fail_line(error, table->reader, "unknown %s version %.*s (known: %s)",
                                file->name, (int)(length < 40 ? length : 40), text, file->known);
        *version = key ? text[0] : *version;
    }
    if (got > 0)
        HS_TRY(hs_table_split(table, error));
    return got;
}

static int check_columns(const hs_table *table, const go_file *file, hsel_error *error)
{
    return table->count >= file->least && table->count <= file->most
               ? HSEL_OK
               : hs_fail_line(error, table->reader, "%zu columns where %s has %zu to %zu",
                              table->count, file->name, file->least, file->most);
}

/* The version comment, or a first line of as many columns of which one begins so (NULL: no). */
static int sniff_file(const go_file *file, const char *head, size_t column, const char *begins)
{
    for (; *head == '!'; head += strcspn(head, "\n"), head += *head == '\n')
        if (version_key(file, head))
            return 100;
    const char *end = head + strcspn(head, "\n"), *field = NULL;
    size_t tabs = 0;
    for (; (head = memchr(head, '\t', (size_t)(end - head))); head++)
        if (++tabs == column)
            field = head + 1;
    return field && begins && tabs + 1 >= file->least && tabs + 1 <= file->most &&
                   strncasecmp(field, begins, strlen(begins)) == 0
               ? 90
               : 0;
}

/* ---- GAF, versions 1.0 to 2.2 ----
 *
 * Of the columns we use the object's identifier (2) or symbol (3), qualifier (4), term (5),
 * evidence (7), name (10), synonyms (11), taxon (13) and date (14). A taxon of two parts
 * ("taxon:9606|taxon:5833") belongs to an interaction; the first part is the species of the object.
 */

static const go_file gaf = {"GAF", "1.0 to 2.2", {"!gaf-version:"}, 15, 17};

static int read_gaf(hs_reader *reader, const hs_annotation_options *options, hs_annotations *out,
                    hsel_error *error)
{
    HS_OWNS(hs_table_clear)
    hs_table table = {.reader = reader, .delimiter = '\t', .quoting = HS_NOT_QUOTED};
    bool by_symbol = options && options->object_key == HS_OBJECT_SYMBOL;
    char version = '\0';
    int got;
    while ((got = next_entry(&table, &gaf, &version, error)) > 0) {
        const hs_field *f = table.fields, *object = &f[by_symbol ? 2 : 1], *taxon = &f[12];
        uint32_t objects = out->objects.count;
        HS_TRY(check_columns(&table, &gaf, error));
        if (!object->length)
            return FAIL("no object %s (column %d)", by_symbol ? "symbol" : "identifier",
                        by_symbol ? 3 : 2);
        if (!f[4].length)
            return FAIL("no term (column 5)");
        if (!hs_annotation_taxon_wanted(options, HS_SPAN(*taxon))) {
            out->other_taxon++;
            continue;
        }
        HS_TRY(hs_annotations_add(out, HS_SPAN(*object), HS_SPAN(f[4]), HS_SPAN(f[6]),
                                  hs_annotation_is_not(f[3].text), table.line, error));
        out->entries[out->count - 1].date = hs_annotation_date(HS_SPAN(f[13]));
        if (out->objects.count > objects) /* its other names are the same on every line */
            HS_TRY(hs_mapping_record(&out->mapping, f[1].text, f[2].text, f[9].text, f[10].text,
                                     NULL, error));
    }
    return got;
}

/* The names of the objects alone. */
static int map_gaf(hs_reader *reader, const hs_annotation_options *options, hs_mapping *out,
                   hsel_error *error)
{
    HS_OWNS(hs_annotations_clear) hs_annotations all = {.mapping = *out};
    int status = read_gaf(reader, options, &all, error);
    HS_MOVE(out, &all.mapping);
    return status;
}

static int sniff_gaf(const char *head) { return sniff_file(&gaf, head, 12, "taxon:"); }

const hs_method hs_method_gaf = {
    .kind = HS_FORMAT,
    .name = "gaf",
    .title = "GO annotation file",
    .help = "Annotations as the Gene Ontology Consortium publishes them (versions 1.0 to 2.2): one "
            "line per annotation, with evidence code, taxon and the NOT qualifier. Objects are "
            "named by their identifier (column 2) or their symbol (column 3).",
    .citation = "GO Annotation File (GAF) format 2.2, geneontology.org",
    .format = &(const hs_format){.endings = "gaf goa",
                                 .sniff = sniff_gaf,
                                 .read_annotations = read_gaf,
                                 .read_mapping = map_gaf,
                                 .has_species = true,
                                 .has_symbols = true}};

/* ---- GPAD: annotations alone, whose objects a GPI file describes ----
 *
 * Version 1.1 has database and identifier in columns 1 and 2 and qualifiers in column 3; version
 * 2.0 has both in column 1 ("UniProtKB:P04637"), NOT in column 2 and the relation in column 3. The
 * other columns are the same: term (4), evidence as a class of the Evidence and Conclusion Ontology
 * (6), date (9), properties (12), where some writers say go_evidence=IDA. Without a line about its
 * version a file is of version 2 if column 2 is empty or NOT. Objects are named by what follows the
 * database, as in GAF. The only taxon in the file is that of an interaction. */

static const go_file gpad = {"GPAD", "1.1 and 2.0", {"!gpad-version:", "!gpa-version:"}, 10, 12};

/* The GO evidence codes of ECO classes: those that ECO itself gives for the codes, and for codes
 * with certain references, and the two that InterPro2GO and combined automatic methods use. */
static const struct {
    uint32_t eco;
    char code[4];
} eco_codes[] = {
    {269, "EXP"},  {314, "IDA"},  {353, "IPI"},  {315, "IMP"},  {316, "IGI"},  {270, "IEP"},
    {6056, "HTP"}, {7005, "HDA"}, {7001, "HMP"}, {7003, "HGI"}, {7007, "HEP"}, {318, "IBA"},
    {319, "IBD"},  {320, "IKR"},  {321, "IRD"},  {250, "ISS"},  {31, "ISS"},   {266, "ISO"},
    {247, "ISA"},  {255, "ISM"},  {317, "IGC"},  {354, "IGC"},  {245, "RCA"},  {304, "TAS"},
    {303, "NAS"},  {305, "IC"},   {307, "ND"},   {501, "IEA"},  {7669, "IEA"}, {256, "IEA"},
    {265, "IEA"},  {322, "IEA"},  {323, "IEA"},  {363, "IEA"},  {259, "IEA"},  {7322, "IEA"}};

static const char *code_of_eco(const hs_field *field)
{
    uint64_t number;
    if (field->length > 4 && hs_equal_nocase(field->text, 4, "ECO:") &&
        hs_parse_u64(field->text + 4, field->length - 4, &number))
        for (size_t i = 0; i < sizeof eco_codes / sizeof *eco_codes; i++)
            if (eco_codes[i].eco == number)
                return eco_codes[i].code;
    return NULL;
}

static int read_gpad(hs_reader *reader, const hs_annotation_options *options, hs_annotations *out,
                     hsel_error *error)
{
    HS_OWNS(hs_table_clear)
    hs_table table = {.reader = reader, .delimiter = '\t', .quoting = HS_NOT_QUOTED};
    char version = '\0'; /* not known yet */
    int got;
    (void)options;
    while ((got = next_entry(&table, &gpad, &version, error)) > 0) {
        HS_TRY(check_columns(&table, &gpad, error));
        const hs_field *fields = table.fields, *term = &fields[3];
        bool not = fields[1].length && hs_annotation_is_not(fields[1].text);
        if (!version)
            version = not || !fields[1].length ? '2' : '1';
        bool second = version == '2';
        const char *object = fields[!second].text, *colon = strchr(object, ':');
        if (second && fields[1].length && !not )
            return FAIL("%.100s (column 2) where NOT or nothing is expected", fields[1].text);
        if (second && *object && !colon)
            return FAIL("the object %.100s has no database before it", object);
        object = second && colon ? colon + 1 : object;
        if (!*object)
            return FAIL("no object identifier (column %d)", second ? 1 : 2);
        if (!term->length)
            return FAIL("no term (column 4)");
        const char *given = table.count == gpad.most ? strstr(fields[11].text, "go_evidence=") : "";
        const char *code = given && *given ? given + 12 : code_of_eco(&fields[5]);
        size_t length = given && *given ? strcspn(code, "|") : code ? strlen(code) : 0;
        if (!length) { /* it stays as it is */
            code = fields[5].text;
            length = fields[5].length;
        }
        HS_TRY(hs_annotations_add(out, object, strlen(object), HS_SPAN(*term), code, length,
                                  second ? not : hs_annotation_is_not(fields[2].text), table.line,
                                  error));
        out->entries[out->count - 1].date = hs_annotation_date(HS_SPAN(fields[8]));
    }
    return got;
}

static int sniff_gpad(const char *head) { return sniff_file(&gpad, head, 5, "ECO:"); }

const hs_method hs_method_gpad = {
    .kind = HS_FORMAT,
    .name = "gpad",
    .title = "GO gene product annotation data",
    .help = "Annotations as the Gene Ontology Consortium publishes them (versions 1.1 and 2.0), "
            "without the names of the gene products, which are in a GPI file. Evidence is turned "
            "from ECO classes into GO evidence codes; a class without a code is kept.",
    .citation = "Gene Product Annotation Data (GPAD) format 2.0, geneontology.org",
    .format = &(const hs_format){
        .endings = "gpad gpa", .sniff = sniff_gpad, .read_annotations = read_gpad}};

/* ---- GPI ----
 *
 * Version 1 has the database and the identifier in two columns, version 2 in one ("MGI:MGI:87853").
 * After them: symbol, name, synonyms, type, taxon; references to other databases are column 9 of
 * version 1 and column 10 of version 2. */

static const go_file gpi[] = {{"GPI", "1.2 and 2.0", {"!gpi-version:"}, 0, 0},
                              {"GPI 1", "", {NULL}, 7, 10},
                              {"GPI 2", "", {NULL}, 6, 11}};

static int read_gpi(hs_reader *reader, const hs_annotation_options *options, hs_mapping *out,
                    hsel_error *error)
{
    HS_OWNS(hs_table_clear)
    hs_table table = {.reader = reader, .delimiter = '\t', .quoting = HS_NOT_QUOTED};
    char version = '\0'; /* not known yet */
    int got;
    while ((got = next_entry(&table, gpi, &version, error)) > 0) {
        bool second = version == '2';
        size_t at = second ? 0 : 1, references = second ? 9 : 8;
        if (!version)
            return FAIL("no line !gpi-version before the first entry");
        HS_TRY(check_columns(&table, &gpi[1 + second], error));
        const hs_field *fields = table.fields;
        const char *id = fields[at].text;
        const char *colon = second ? strchr(id, ':') : NULL;
        if (second && *id && !colon)
            return FAIL("the identifier %.100s has no database before it", id);
        id = colon ? colon + 1 : id;
        if (!*id)
            return FAIL("no identifier (column %zu)", at + 1);
        if (!hs_annotation_taxon_wanted(options, fields[at + 5].text, fields[at + 5].length))
            continue;
        uint32_t record;
        HS_TRY(hs_mapping_record(out, id, fields[at + 1].text, fields[at + 2].text,
                                 fields[at + 3].text, &record, error));
        if (references < table.count)
            HS_TRY(hs_mapping_add_list(out, record, HS_ALIAS_OTHER, HS_SPAN(fields[references]),
                                       error));
    }
    return got;
}

static int sniff_gpi(const char *head) { return sniff_file(gpi, head, 0, NULL); }

const hs_method hs_method_gpi = {
    .kind = HS_FORMAT,
    .name = "gpi",
    .title = "GO gene product information",
    .help = "Names of gene products as the Gene Ontology Consortium publishes them (versions 1.2 "
            "and 2.0): identifier, symbol, full name, synonyms and references to other databases. "
            "Maps names for hsel build.",
    .citation = "Gene Product Information (GPI) format 2.0, geneontology.org",
    .format = &(const hs_format){.endings = "gpi", .sniff = sniff_gpi, .read_mapping = read_gpi}};
