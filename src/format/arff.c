/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ARFF format: recognising it, and reading it in two steps, header then rows. Between them
 * every attribute gets its role (class, identifier, left out, feature), so that the rows are read
 * straight into the builder.
 */
#include "format/arff.h"

#include <string.h>

static bool starts_with(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && hs_equal_nocase(at, length, word);
}

/* The first line that is neither blank nor a comment decides. */
static int sniff(const char *head, size_t length)
{
    const char *at = head, *end = head + length;
    bool comment = false;
    if (starts_with(at, end, "%%MatrixMarket"))
        return 0;
    while (at < end) {
        while (at < end && (hs_arff_is_blank(*at) || *at == '\r' || *at == '\n'))
            at++;
        if (at == end || *at != '%')
            break;
        comment = true;
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        at = feed ? feed : end;
    }
    if (at == end)
        return comment ? 20 : 0;
    return starts_with(at, end, "@relation") || starts_with(at, end, "@attribute") ? 100 : 0;
}

/* The identifier, if none was named: the first string attribute that has no other role. */
static void find_id(const hs_arff_header *header, const hs_column_options *options,
                    hs_columns *columns)
{
    for (uint32_t i = 0; i < columns->count && !options->id && columns->id_column == HSEL_NONE; i++)
        if (columns->roles[i] == HS_COLUMN_FEATURE &&
            header->attributes[i].type == HS_ARFF_STRING) {
            columns->roles[i] = HS_COLUMN_ID;
            columns->id_column = i;
        }
}

static int check_class(const hs_reader *reader, const hs_arff_header *header,
                       const hs_column_options *options, const hs_columns *columns,
                       hsel_error *error)
{
    uint32_t i = columns->class_column;
    if (i == HSEL_NONE)
        return HSEL_OK;
    const hs_arff_attribute *attribute = &header->attributes[i];
    const char *name = hs_names_get(&header->names, i), *file = hs_reader_name(reader);
    if (attribute->type == HS_ARFF_DATE)
        return hs_fail_at(
            error, HSEL_EFORMAT, file, attribute->line,
            "the date attribute %s cannot be the class; name another one with --class", name);
    if (attribute->type == HS_ARFF_STRING && !options->class_name)
        return hs_fail_at(error, HSEL_EFORMAT, file, attribute->line,
                          "the last attribute, %s, is a string: name the class with --class", name);
    return HSEL_OK;
}

static int check_features(const hs_reader *reader, const hs_arff_header *header,
                          const hs_columns *columns, hsel_error *error)
{
    for (uint32_t i = 0; i < columns->count; i++) {
        const hs_arff_attribute *attribute = &header->attributes[i];
        bool text = attribute->type == HS_ARFF_STRING || attribute->type == HS_ARFF_DATE;
        const char *name = hs_names_get(&header->names, i);
        if (text && columns->roles[i] == HS_COLUMN_FEATURE)
            return hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(reader), attribute->line,
                              "the %s attribute %s cannot be a feature; --ignore %u leaves it out",
                              attribute->type == HS_ARFF_STRING ? "string" : "date", name, i + 1);
    }
    return HSEL_OK;
}

static int assign_roles(const hs_reader *reader, const hs_arff_header *header,
                        const hs_column_options *options, hs_columns *columns, hsel_error *error)
{
    int status = hs_columns_assign(&header->names, options, HSEL_NONE, hs_reader_name(reader),
                                   columns, error);
    if (status == HSEL_OK)
        status = check_class(reader, header, options, columns, error);
    if (status)
        return status;
    find_id(header, options, columns);
    return check_features(reader, header, columns, error);
}

static int describe(const hs_arff_header *header, const hs_columns *columns,
                    const hs_column_options *options, hs_builder *builder, hsel_error *error)
{
    const hs_names *names = &header->names;
    const char *relation = header->relation && *header->relation ? header->relation : NULL;
    uint32_t class_column = columns->class_column, id = columns->id_column;
    int status = hs_builder_describe(
        builder, relation, class_column == HSEL_NONE ? NULL : hs_names_get(names, class_column),
        id == HSEL_NONE ? NULL : hs_names_get(names, id), error);
    if (status == HSEL_OK && options->positive)
        status = hs_builder_positive_class(builder, options->positive, error);
    return status;
}

static int read_data(hs_reader *reader, const hs_column_options *options, hsel_dataset **out,
                     hsel_error *error)
{
    hs_arff_header header = {0};
    hs_columns columns = {0};
    hs_builder *builder = NULL;
    int status = hs_arff_read_header(reader, &header, error);
    if (status == HSEL_OK)
        status = assign_roles(reader, &header, options, &columns, error);
    if (status == HSEL_OK)
        status = hs_builder_new(&builder, error);
    if (status == HSEL_OK)
        status = hs_arff_read_rows(reader, &header, &columns, options->missing, builder, error);
    if (status == HSEL_OK)
        status = describe(&header, &columns, options, builder, error);
    if (status == HSEL_OK)
        status = hs_builder_finish(builder, out, error);
    hs_builder_free(builder);
    hs_columns_clear(&columns);
    hs_arff_header_clear(&header);
    return status;
}

static const hs_format format = {.endings = "arff",
                                 .sniff = sniff,
                                 .read_data = read_data,
                                 .write_data = hs_arff_write,
                                 .is_table = true};

const hs_method hs_method_arff = {
    .kind = HS_FORMAT,
    .name = "arff",
    .title = "ARFF, dense and sparse (WEKA)",
    .help = "Attribute-relation file format. The class is the last attribute unless --class names "
            "another; the "
            "first string attribute is the identifier unless --id names one. Nominal attributes "
            "with the values "
            "0/1, no/yes, false/true, n/y or f/t (in any order and case) and numeric ones that "
            "hold only 0 and 1 "
            "are binary features; other nominal and numeric attributes stay what they are. A value "
            "that a sparse "
            "row leaves out is 0, or the first declared value of a nominal attribute. A missing "
            "value (?) of a "
            "binary feature is an error unless --missing negative is given; in a numeric attribute "
            "it makes the "
            "feature numeric. A numeric class is taken as labels if it has at most 100 different "
            "values. Instance "
            "weights and relational attributes are not supported. Written sparse when at most a "
            "fifth of the "
            "values are not zero.",
    .citation =
        "Attribute-Relation File Format, WEKA manual 3.9 (Witten, Frank, Hall, Pal: Data Mining, "
        "4th edition, 2016, section 2.4)",
    .format = &format};
