/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing a pack. The table with all checksums comes first in the file, and a writer cannot go
 * back: so each section is put out twice, once into a hash and once into the file, by the same
 * code.
 */
#include <string.h>

#include "core/mem.h"
#include "core/writer.h"
#include "format/pack_layout.h"

const hs_pack_section hs_pack_sections[HS_PACK_SECTION_COUNT] = {
#define X(name, element, title) {element, title},
    HS_PACK_SECTIONS(X)
#undef X
};

typedef struct source {
    const hsel_dataset *data;
    hs_pack_info info;
    uint32_t *class_sizes;
    hs_names texts; /* name, class attribute, id attribute */
} source;

typedef struct sink { /* one of the two */
    XXH3_state_t *hash;
    hs_writer *writer;
    uint64_t length;
} sink;

static void put(sink *to, const void *bytes, size_t count, size_t size)
{
    size_t length = count * size;
    to->length += length;
    if (!length)
        return;
    if (to->writer)
        hs_writer_put(to->writer, bytes, length);
    else
        XXH3_64bits_update(to->hash, bytes, length);
}

/* ---- names ---- */

static const hs_names *label_list(const source *from, uint32_t list)
{
    return list ? &from->data->class_names : &from->texts;
}

static const hs_names *name_list(const source *from, uint32_t list)
{
    const hsel_dataset *data = from->data;
    if (list >= HS_PACK_NAME_LISTS)
        return &data->nominal[list - HS_PACK_NAME_LISTS].values;
    return list ? &data->ids : &data->feature_names;
}

typedef const hs_names *(*list_function)(const source *from, uint32_t list);

static uint64_t text_bytes(const hs_names *names)
{
    return names->count ? names->start[names->count] : 0;
}

/* `part` counts from 0: the three sections of a group. */
static void put_names(const source *from, list_function get, uint32_t lists, int part, sink *to)
{
    static const uint64_t zero = 0;
    for (uint32_t i = 0; i < lists; i++) {
        const hs_names *names = get(from, i);
        if (part == 0)
            put(to, &(hs_pack_list){names->count, text_bytes(names)}, 1, sizeof(hs_pack_list));
        else if (part == 1)
            put(to, names->count ? names->start : &zero, (size_t)names->count + 1, sizeof zero);
        else
            put(to, names->pool, text_bytes(names), 1);
    }
}

/* ---- columns that are not binary ---- */

static void put_numeric(const hsel_dataset *data, int kind, sink *to)
{
    for (uint32_t i = 0; i < data->numeric_count; i++) {
        const hs_numeric_column *column = &data->numeric[i];
        if (kind == HS_PACK_NUMERIC_SIZES)
            put(to, &(hs_pack_numeric){column->count, column->rows != NULL}, 1,
                sizeof(hs_pack_numeric));
        else if (kind == HS_PACK_NUMERIC_VALUES)
            put(to, column->values, column->count, sizeof *column->values);
        else if (column->rows)
            put(to, column->rows, column->count, sizeof *column->rows);
    }
}

static void put_nominal(const hsel_dataset *data, sink *to)
{
    for (uint32_t i = 0; i < data->nominal_count; i++)
        put(to, data->nominal[i].codes, data->instances, sizeof *data->nominal[i].codes);
}

/* ---- sections ---- */

typedef struct span { /* elements one after the other in memory */
    const void *at;
    size_t count;
} span;

static void find_hierarchy(const hsel_dag *dag, span *spans)
{
    if (!dag)
        return;
    spans[HS_PACK_PARENT_STARTS] = (span){dag->parent_start, (size_t)dag->nodes + 1};
    spans[HS_PACK_PARENTS] = (span){dag->parent, dag->edges};
    spans[HS_PACK_CHILD_STARTS] = (span){dag->child_start, (size_t)dag->nodes + 1};
    spans[HS_PACK_CHILDREN] = (span){dag->child, dag->edges};
    spans[HS_PACK_ORDER] = (span){dag->order, dag->nodes};
    spans[HS_PACK_DEPTHS] = (span){dag->depth, dag->nodes};
}

static const uint64_t end_mark = HS_PACK_END_MARK;

/* The sections that are one array; the others keep {NULL, 0}. */
static void find_spans(const source *from, span *spans)
{
    const hsel_dataset *data = from->data;
    size_t n = data->instances, d = data->features;
    spans[HS_PACK_INFO] = (span){&from->info, sizeof from->info / 8};
    spans[HS_PACK_CLASS_SIZES] = (span){from->class_sizes, data->class_names.count};
    spans[HS_PACK_CLASS_OF] = (span){data->class_of, data->class_of ? n : 0};
    spans[HS_PACK_TYPES] = (span){data->types, d};
    spans[HS_PACK_SLOTS] = (span){data->slot, data->slot ? d : 0};
    spans[HS_PACK_ROW_STARTS] = (span){data->rows.start, n + 1};
    spans[HS_PACK_ROWS] = (span){data->rows.index, data->rows.start[n]};
    spans[HS_PACK_COLUMN_STARTS] = (span){data->columns.start, d + 1};
    spans[HS_PACK_COLUMNS] = (span){data->columns.index, data->columns.start[d]};
    find_hierarchy(data->dag, spans);
    spans[HS_PACK_END] = (span){&end_mark, 1};
}

static void put_section(const source *from, const span *spans, int kind, sink *to)
{
    switch (kind) {
    case HS_PACK_LABEL_SIZES:
    case HS_PACK_LABEL_STARTS:
    case HS_PACK_LABEL_TEXT:
        put_names(from, label_list, HS_PACK_LABEL_LISTS, kind - HS_PACK_LABEL_SIZES, to);
        break;
    case HS_PACK_NAME_SIZES:
    case HS_PACK_NAME_STARTS:
    case HS_PACK_NAME_TEXT:
        put_names(from, name_list, HS_PACK_NAME_LISTS + from->data->nominal_count,
                  kind - HS_PACK_NAME_SIZES, to);
        break;
    case HS_PACK_NUMERIC_SIZES:
    case HS_PACK_NUMERIC_VALUES:
    case HS_PACK_NUMERIC_ROWS:
        put_numeric(from->data, kind, to);
        break;
    case HS_PACK_NOMINAL_CODES:
        put_nominal(from->data, to);
        break;
    default:
        put(to, spans[kind].at, spans[kind].count, hs_pack_sections[kind].element);
    }
}

/* ---- what the small sections say ---- */

static uint64_t flags_of(const hsel_dataset *data)
{
    return (data->name ? HS_PACK_HAS_NAME : 0) |
           (data->class_attribute ? HS_PACK_HAS_CLASS_ATTRIBUTE : 0) |
           (data->id_attribute ? HS_PACK_HAS_ID_ATTRIBUTE : 0) |
           (data->class_of ? HS_PACK_HAS_CLASSES : 0) | (data->slot ? HS_PACK_HAS_SLOTS : 0) |
           (data->dag ? HS_PACK_HAS_HIERARCHY : 0);
}

static int fill_info(const hsel_dataset *data, hs_pack_info *info, hsel_error *error)
{
    hs_summary summary = {0};
    int status = hs_summarise(data, 0, &summary, error);
    if (status)
        return status;
    *info = (hs_pack_info){.instances = data->instances,
                           .features = data->features,
                           .classes = data->class_names.count,
                           .positive_class = data->positive_class,
                           .flags = flags_of(data),
                           .positives = data->rows.start[data->instances],
                           .numeric_columns = data->numeric_count,
                           .nominal_columns = data->nominal_count,
                           .edges = data->dag ? data->dag->edges : 0,
                           .positive_share = summary.positive_share,
                           .paths_real = summary.shape.paths_real};
    uint64_t *count = info->counts;
#define X(field) *count++ = summary.field;
    HS_PACK_COUNTS(X)
#undef X
    return HSEL_OK;
}

static int gather(const hsel_dataset *data, source *from, hsel_error *error)
{
    const char *texts[HS_PACK_TEXTS] = {data->name, data->class_attribute, data->id_attribute};
    int status = fill_info(data, &from->info, error);
    from->data = data;
    for (int i = 0; i < HS_PACK_TEXTS && !status; i++)
        status = hs_names_append(&from->texts, texts[i] ? texts[i] : "",
                                 texts[i] ? strlen(texts[i]) : 0, error);
    if (status)
        return status;
    if (!(from->class_sizes = HS_NEW_ZERO(uint32_t, data->class_names.count)))
        return hs_fail_memory(error);
    hs_class_sizes(data, from->class_sizes);
    return HSEL_OK;
}

/* ---- the file ---- */

static void make_table(const source *from, const span *spans, XXH3_state_t *hash,
                       hs_pack_header *header, hs_pack_entry *table)
{
    uint64_t end = sizeof *header + sizeof *table * HS_PACK_SECTION_COUNT;
    for (uint32_t kind = 0; kind < HS_PACK_SECTION_COUNT; kind++) {
        sink to = {.hash = hash};
        XXH3_64bits_reset(hash);
        put_section(from, spans, (int)kind, &to);
        table[kind] = (hs_pack_entry){.kind = kind,
                                      .element = hs_pack_sections[kind].element,
                                      .offset = hs_pack_align(end),
                                      .length = to.length,
                                      .checksum = XXH3_64bits_digest(hash)};
        end = table[kind].offset + to.length;
    }
    *header = (hs_pack_header){.byte_order = HS_PACK_BYTE_ORDER,
                               .version = HS_PACK_VERSION,
                               .length = end,
                               .sections = HS_PACK_SECTION_COUNT};
    memcpy(header->magic, HS_PACK_MAGIC, sizeof header->magic);
    header->checksum = hs_pack_checksum(header, table);
}

static void put_file(const source *from, const span *spans, const hs_pack_header *header,
                     const hs_pack_entry *table, hs_writer *writer)
{
    static const char zeros[HS_PACK_ALIGN] = {0};
    sink to = {.writer = writer};
    put(&to, header, 1, sizeof *header);
    put(&to, table, HS_PACK_SECTION_COUNT, sizeof *table);
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++) {
        put(&to, zeros, table[kind].offset - to.length, 1);
        put_section(from, spans, kind, &to);
    }
}

int hs_pack_write(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    const char *path = hs_writer_path(writer);
    if (path && hs_ends_with(path, ".gz"))
        return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                          "a pack cannot be compressed (it is mapped): leave out .gz");
    source from = {0};
    span spans[HS_PACK_SECTION_COUNT] = {{NULL, 0}};
    hs_pack_header header;
    hs_pack_entry table[HS_PACK_SECTION_COUNT];
    XXH3_state_t *hash = XXH3_createState();
    int status = hash ? gather(data, &from, error) : hs_fail_memory(error);
    if (status)
        goto out;
    find_spans(&from, spans);
    make_table(&from, spans, hash, &header, table);
    put_file(&from, spans, &header, table, writer);
out:
    XXH3_freeState(hash);
    hs_names_clear(&from.texts);
    hs_free(from.class_sizes);
    return status;
}
