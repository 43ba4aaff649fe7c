/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packs, read and written.
 *
 * Reading: the file is mapped (a small one copied) and its frame checked: what is the same in all
 * versions, the header, the table of sections, every checksum. A checksum detects damage, not
 * malice: whoever can write a file can write its checksums. So what is read relies on what was
 * checked before it, never on a checksum: that a section has as many elements as are taken from it,
 * starts before what they point to, then all the rest by the self-check of data sets.
 *
 * Writing: the table with all checksums comes first in the file, and a writer cannot go back: so
 * each section is written twice, once for its checksum and once into the file.
 */
#include "format/pack.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/format.h"
#include "format/pack_layout.h"

const hs_pack_section hs_pack_sections[HS_PACK_SECTION_COUNT] = {
#define X(name, element, title) {element, title},
    HS_PACK_SECTIONS(X)
#undef X
};

/* A pack that is read or written. Reading, it is mapped first, and parts of its sections become the
 * arrays of the data set; writing, one section at a time is put out. */
typedef struct pack {
    hsel_dataset *data; /* writing does not change it */
    hs_pack_info info;
    hs_names texts;     /* its name, class attribute, id attribute */
    hs_names relations; /* instead of the hierarchy's, where that is not there */
    hsel_error *error;  /* where everything that is found wrong goes */
    /* Reading: */
    const char *path;
    char *base; /* the mapped file */
    size_t length;
    const hs_pack_entry *table;
    uint64_t taken[HS_PACK_SECTION_COUNT]; /* bytes of each section that are parts already */
    /* Writing: */
    hs_writer *out; /* NULL: reading */
    int kind;       /* the current section */
} pack;

/* One line about the file. */
#define REFUSE(p, code, ...) hs_fail_at((p)->error, code, (p)->path, 0, __VA_ARGS__)

static int damaged(const pack *p, const char *what)
{
    return hs_fail_damaged(p->error, p->path, "pack", what);
}

static int bad_section(const pack *p, int kind, const char *what)
{
    return REFUSE(p, HSEL_EFORMAT, "the pack is damaged: %s of section \"%s\"", what,
                  hs_pack_sections[kind].title);
}

/* ---- content: what is where, for reading and writing alike ---- */

/* The next elements of a section: *pointer is set to them, or they are written from there. */
static int pack_part(pack *p, int kind, void *pointer, uint64_t count)
{
    const uint64_t element = hs_pack_sections[kind].element;
    char *at;
    memcpy(&at, pointer, sizeof at);
    if (p->out && kind == p->kind)
        hs_writer_put(p->out, at, (size_t)(count * element));
    if (p->out)
        return HSEL_OK;
    if (count > (p->table[kind].length - p->taken[kind]) / element)
        return bad_section(p, kind, "wrong length");
    at = p->base + p->table[kind].offset + p->taken[kind];
    memcpy(pointer, &at, sizeof at);
    p->taken[kind] += count * element;
    return HSEL_OK;
}

/* Are there parts of these sections to take or to write? */
static bool pack_concerns(const pack *p, int first, int last)
{
    return !p->out || (p->kind >= first && p->kind <= last);
}

/* A list of names, from the group of three sections of which `first` is one: ascending starts from
 * 0 to the end of the text, a NUL before each. */
static int part_names(pack *p, int first, hs_names *names)
{
    static uint64_t none = 0;
    hs_pack_list own = {names->count, names->count ? names->start[names->count] : 0}, *list = &own;
    uint64_t *start = names->count ? names->start : &none;
    char *text = names->pool;
    HS_TRY(pack_part(p, first, &list, 2));
    if (list->names > HSEL_NONE / 2)
        return bad_section(p, first, "wrong content");
    HS_TRY(pack_part(p, first + 1, &start, list->names + 1));
    HS_TRY(pack_part(p, first + 2, &text, list->bytes));
    if (p->out)
        return HSEL_OK;
    *names =
        (hs_names){.pool = text, .start = start, .count = (uint32_t)list->names, .borrowed = true};
    bool good = start[0] == 0 && start[names->count] == list->bytes;
    for (uint32_t i = 0; i < names->count && good; i++)
        good = start[i] < start[i + 1] && start[i + 1] <= list->bytes &&
               start[i + 1] - start[i] <= HS_NAME_LIMIT + 1 && text[start[i + 1] - 1] == '\0';
    return good ? HSEL_OK : bad_section(p, first + 1, "wrong content");
}

static int part_numeric(pack *p, hs_numeric_column *column)
{
    hs_pack_numeric own = {column->count, column->rows != NULL}, *size = &own;
    HS_TRY(pack_part(p, HS_PACK_NUMERIC_SIZES, &size, 2));
    if (size->sparse > 1 || size->values > p->info.instances ||
        (!size->sparse && size->values < p->info.instances))
        return bad_section(p, HS_PACK_NUMERIC_SIZES, "wrong content");
    column->count = (uint32_t)size->values;
    HS_TRY(pack_part(p, HS_PACK_NUMERIC_VALUES, &column->values, size->values));
    return size->sparse ? pack_part(p, HS_PACK_NUMERIC_ROWS, &column->rows, size->values) : HSEL_OK;
}

/* All sections but the first, `info`. */
static int pack_content(pack *p)
{
    hsel_dataset *data = p->data;
    hsel_dag *dag = data->dag;
    const uint64_t n = p->info.instances, d = p->info.features, edges = p->info.edges;
    const uint64_t positives = p->info.positives, flags = p->info.flags;
    const uint64_t mark = HS_PACK_END_MARK, *end = &mark;
#define ARRAY(kind, pointer, count) HS_TRY(pack_part(p, HS_PACK_##kind, &(pointer), (count)))
    if (flags & HS_PACK_HAS_CLASSES)
        ARRAY(CLASS_OF, data->class_of, n);
    ARRAY(TYPES, data->types, d);
    if (flags & HS_PACK_HAS_SLOTS)
        ARRAY(SLOTS, data->slot, d);
    ARRAY(ROW_STARTS, data->rows.start, n + 1);
    ARRAY(ROWS, data->rows.index, positives);
    ARRAY(COLUMN_STARTS, data->columns.start, d + 1);
    ARRAY(COLUMNS, data->columns.index, positives);
    if (dag) {
        ARRAY(PARENT_STARTS, dag->parent_start, d + 1);
        ARRAY(PARENTS, dag->parent, edges);
        ARRAY(CHILD_STARTS, dag->child_start, d + 1);
        ARRAY(CHILDREN, dag->child, edges);
        ARRAY(ORDER, dag->order, d);
        ARRAY(DEPTHS, dag->depth, d);
    }
    if (flags & HS_PACK_HAS_RELATIONS)
        ARRAY(RELATIONS, dag->relation, edges);
    if (flags & HS_PACK_HAS_TARGET)
        ARRAY(TARGET, data->target, n);
    if (flags & HS_PACK_HAS_COVARIATES)
        ARRAY(COVARIATES, data->covariates, hs_bit_words(d));
    if (pack_concerns(p, HS_PACK_NUMERIC_SIZES, HS_PACK_NUMERIC_ROWS))
        for (uint32_t i = 0; i < data->numeric_count; i++)
            HS_TRY(part_numeric(p, &data->numeric[i]));
    if (pack_concerns(p, HS_PACK_NOMINAL_CODES, HS_PACK_NOMINAL_CODES))
        for (uint32_t i = 0; i < data->nominal_count; i++)
            ARRAY(NOMINAL_CODES, data->nominal[i].codes, n);
    ARRAY(END, end, 1);
#undef ARRAY
    HS_TRY(part_names(p, HS_PACK_LABEL_SIZES, &p->texts));
    HS_TRY(part_names(p, HS_PACK_LABEL_SIZES, &data->class_names));
    HS_TRY(part_names(p, HS_PACK_NAME_SIZES, &data->feature_names));
    HS_TRY(part_names(p, HS_PACK_NAME_SIZES, &data->ids));
    if (pack_concerns(p, HS_PACK_NAME_SIZES, HS_PACK_NAME_TEXT))
        for (uint32_t i = 0; i < data->nominal_count; i++)
            HS_TRY(part_names(p, HS_PACK_NAME_SIZES, &data->nominal[i].values));
    HS_TRY(part_names(p, HS_PACK_ABOUT_SIZES, &data->about.columns));
    HS_TRY(part_names(p, HS_PACK_ABOUT_SIZES, &data->about.cells));
    HS_TRY(part_names(p, HS_PACK_ABOUT_SIZES, &data->instance_about.columns));
    HS_TRY(part_names(p, HS_PACK_ABOUT_SIZES, &data->instance_about.cells));
    return part_names(p, HS_PACK_RELATION_SIZES, dag ? &dag->relations : &p->relations);
}

/* ---- read ---- */

static void close_pack(pack *p)
{
    if (p->base && !p->data) /* it is not the data set's */
        munmap(p->base, p->length);
}

/* What is checked once must not change afterwards. A copy cannot; of a mapping others may change
 * the file, so it is for packs whose copy would take noticeable time. */
#define COPIED ((off_t)64 << 20)

static hs_pack_watch_function watcher;

void hs_pack_watch(hs_pack_watch_function watch) { watcher = watch; }

static void close_file(const int *file)
{
    if (*file >= 0)
        close(*file);
}

static int map_file(pack *p)
{
    struct stat about;
    HS_OWNS(close_file) int file = open(p->path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return hs_fail_errno(p->error, p->path, "open");
    if (fstat(file, &about) != 0)
        return hs_fail_errno(p->error, p->path, "read");
    if (!S_ISREG(about.st_mode))
        return REFUSE(p, HSEL_EIO,
                      "a pack must be a regular file, because it is mapped into memory");
    if (about.st_size == 0)
        return REFUSE(p, HSEL_EFORMAT, "not a pack: the file is empty");
    bool copy = about.st_size <= COPIED;
    char *base = mmap(NULL, (size_t)about.st_size, copy ? PROT_READ | PROT_WRITE : PROT_READ,
                      MAP_PRIVATE | MAP_POPULATE | (copy ? MAP_ANONYMOUS : 0), copy ? -1 : file, 0);
    if (base == MAP_FAILED)
        return hs_fail_errno(p->error, p->path, "map");
    p->base = base;
    p->length = (size_t)about.st_size;
    if (!copy && watcher)
        watcher(p->path, file);
    for (size_t at = 0; copy && at < p->length;) {
        ssize_t got = read(file, base + at, p->length - at);
        if (got < 0 && errno != EINTR)
            return hs_fail_errno(p->error, p->path, "read");
        if (got == 0)
            return damaged(p, "it was truncated while it was read");
        at += got > 0 ? (size_t)got : 0;
    }
    return HSEL_OK;
}

static int check_frame(pack *p)
{
    const hs_pack_header *header = (const hs_pack_header *)p->base;
    /* First what is the same in every version: magic, byte order, version. */
    static const unsigned char gzip[] = {0x1f, 0x8b};
    size_t magic = sizeof header->magic;
    if (p->length >= sizeof gzip && memcmp(p->base, gzip, sizeof gzip) == 0)
        return REFUSE(p, HSEL_EFORMAT, "a compressed pack cannot be mapped: unpack it (gunzip)");
    if (memcmp(p->base, HS_PACK_MAGIC, p->length < magic ? p->length : magic) != 0)
        return REFUSE(p, HSEL_EFORMAT, "not a pack");
    if (p->length < sizeof *header)
        return damaged(p, "it is truncated in its header");
    if (header->byte_order == __builtin_bswap32(HS_PACK_BYTE_ORDER))
        return REFUSE(
            p, HSEL_EUNSUPPORTED,
            "written on a machine with another byte order: transfer the data in another format");
    if (header->byte_order != HS_PACK_BYTE_ORDER)
        return damaged(p, "invalid byte order mark");
    if (header->version != HS_PACK_VERSION)
        return REFUSE(p, HSEL_EUNSUPPORTED,
                      "a pack of version %" PRIu32 ", and this hsel reads version %" PRIu32
                      ": create it again from the data",
                      header->version, HS_PACK_VERSION);
    if (header->length != p->length)
        return REFUSE(p, HSEL_EFORMAT,
                      "the pack is damaged: it has %zu bytes, and had %" PRIu64
                      " when it was written",
                      p->length, header->length);
    if (header->sections != HS_PACK_SECTION_COUNT)
        return damaged(p, "it has a wrong number of sections");
    p->table = (const hs_pack_entry *)(header + 1);
    if (p->length < HS_PACK_FRAME)
        return damaged(p, "it is truncated in its table");
    hs_pack_header plain = *header;
    plain.checksum = 0;
    if (hs_pack_checksum(&plain, p->table) != header->checksum)
        return damaged(p, "wrong checksum of the header");
    /* One way to lay sections out: in order, each at the next multiple of 64 with zeros before it,
     * nothing after the last. */
    uint64_t end = HS_PACK_FRAME;
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++) {
        const hs_pack_entry *entry = &p->table[kind];
        uint64_t offset = hs_pack_align(end);
        if (entry->kind != (uint32_t)kind || entry->element != hs_pack_sections[kind].element)
            return bad_section(p, kind, "wrong kind");
        if (entry->offset != offset || offset > p->length || entry->length > p->length - offset ||
            entry->length % entry->element)
            return bad_section(p, kind, "wrong place or length");
        for (; end < offset; end++)
            if (p->base[end])
                return damaged(p, kind ? "unexpected data between its sections"
                                       : "unexpected data after its table");
        if (XXH3_64bits(p->base + offset, entry->length) != entry->checksum)
            return bad_section(p, kind, "wrong checksum");
        end = offset + entry->length;
    }
    return end == p->length ? HSEL_OK : damaged(p, "unexpected data after the last section");
}

/* Limits first: they keep products from overflow. */
static int check_info(pack *p)
{
    const hs_pack_info *info;
    HS_TRY(pack_part(p, HS_PACK_INFO, &info, sizeof *info / sizeof(uint64_t)));
    const bool hierarchy = info->flags & HS_PACK_HAS_HIERARCHY;
    if (info->instances > HS_INSTANCES_LIMIT || info->features > HS_FEATURES_LIMIT ||
        info->classes > HS_CLASSES_LIMIT || info->numeric_columns > info->features ||
        info->nominal_columns > info->features || info->edges > HS_EDGES_LIMIT ||
        info->flags >= 2 * HS_PACK_HAS_RELATIONS ||
        (!hierarchy && (info->edges || (info->flags & HS_PACK_HAS_RELATIONS))) ||
        (info->positive_class >= info->classes && info->positive_class != HSEL_NONE))
        return bad_section(p, HS_PACK_INFO, "wrong content");
    p->info = *info;
    return HSEL_OK;
}

/* What starts and slots have to be so that hs_dataset_check, which tests all the rest, reaches
 * everything and nothing else. Columns are numbered in the order of their features, each used
 * once. */
static int check_arrays(const pack *p)
{
    const hsel_dataset *data = p->data;
    uint32_t counts[HSEL_NOMINAL + 1] = {0};
    if (data->rows.start[0] != 0 || data->rows.start[data->instances] != p->info.positives)
        return bad_section(p, HS_PACK_ROW_STARTS, "wrong content");
    if (data->columns.start[0] != 0 || data->columns.start[data->features] != p->info.positives)
        return bad_section(p, HS_PACK_COLUMN_STARTS, "wrong content");
    for (uint32_t f = 0; f < data->features; f++) {
        if (data->types[f] > HSEL_NOMINAL)
            return bad_section(p, HS_PACK_TYPES, "wrong content");
        uint32_t slot = counts[data->types[f]]++;
        if (data->types[f] != HSEL_BINARY && (!data->slot || data->slot[f] != slot))
            return bad_section(p, HS_PACK_SLOTS, "wrong content");
    }
    return counts[HSEL_NUMERIC] == data->numeric_count &&
                   counts[HSEL_NOMINAL] == data->nominal_count
               ? HSEL_OK
               : bad_section(p, HS_PACK_TYPES, "wrong content");
}

int hs_pack_read(const char *path, hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(close_pack) pack opened = {.path = path, .error = error};
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    pack *p = &opened;
    hsel_error found;
    HS_TRY(map_file(p));
    HS_TRY(check_frame(p));
    HS_TRY(check_info(p));
    const hs_pack_info *info = &p->info;
    HS_NEED(data = p->data = HS_NEW_ZERO(hsel_dataset, 1));
    data->mapping = (hs_region){.base = p->base, .length = p->length};
    data->instances = data->rows.lists = (uint32_t)info->instances;
    data->features = data->columns.lists = (uint32_t)info->features;
    data->positive_class = (uint32_t)info->positive_class;
    data->positive_named = true;
    if (info->flags & HS_PACK_HAS_HIERARCHY) {
        HS_NEED(data->dag = HS_NEW_ZERO(hsel_dag, 1));
        *data->dag =
            (hsel_dag){.nodes = data->features, .edges = (uint32_t)info->edges, .borrowed = true};
    }
    HS_NEED((data->nominal = HS_NEW_ZERO(hs_nominal_column, info->nominal_columns)) &&
            (data->numeric = HS_NEW_ZERO(hs_numeric_column, info->numeric_columns)));
    data->nominal_count = (uint32_t)info->nominal_columns;
    data->numeric_count = (uint32_t)info->numeric_columns;
    HS_TRY(pack_content(p));
    const char *provenance;
    const size_t length = (size_t)p->table[HS_PACK_PROVENANCE].length;
    HS_TRY(pack_part(p, HS_PACK_PROVENANCE, &provenance, length));
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++)
        if (p->taken[kind] != p->table[kind].length)
            return bad_section(p, kind, "wrong length");
    if (p->texts.count != HS_PACK_TEXTS || data->class_names.count != info->classes)
        return bad_section(p, HS_PACK_LABEL_SIZES, "wrong content");
    if (p->relations.count || (data->dag && !data->dag->relation && data->dag->relations.count))
        return bad_section(p, HS_PACK_RELATION_SIZES, "wrong content");
    if (memchr(provenance, '\0', length))
        return bad_section(p, HS_PACK_PROVENANCE, "wrong content");
    HS_TRY(check_arrays(p));
    HS_NEED(!length || (data->provenance = hs_strndup(provenance, length)));
    char **const texts[HS_PACK_TEXTS] = {&data->name, &data->class_attribute, &data->id_attribute};
    for (uint32_t i = 0; i < HS_PACK_TEXTS; i++) /* the flags are in the order of the texts */
        HS_NEED(!(info->flags >> i & 1) || (*texts[i] = hs_strdup(hs_names_get(&p->texts, i))));
    HS_TRY(hs_names_index(&data->class_names, error));
    HS_TRY(hs_names_index(&data->feature_names, error));
    for (uint32_t i = 0; i < data->nominal_count; i++)
        HS_TRY(hs_names_index(&data->nominal[i].values, error));
    int status = hs_dataset_check(data, &found); /* which does not know the file's name */
    if (status)
        return status == HSEL_ENOMEM ? hs_fail_memory(error)
                                     : REFUSE(p, status, "%s", found.message);
    *out = hs_take(&data);
    return HSEL_OK;
}

/* ---- write ---- */

static void clear_texts(pack *p) { hs_names_clear(&p->texts); }

static int put_section(pack *p, int kind, hs_writer *out)
{
    const hs_pack_info *info = &p->info;
    const char *provenance = p->data->provenance;
    p->out = out;
    p->kind = kind;
    HS_TRY(pack_part(p, HS_PACK_INFO, &info, sizeof *info / sizeof(uint64_t)));
    HS_TRY(pack_part(p, HS_PACK_PROVENANCE, &provenance, provenance ? strlen(provenance) : 0));
    return pack_content(p);
}

static int pack_write_data(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    static const char zeros[HS_PACK_ALIGN] = {0};
    HS_OWNS(clear_texts) pack p = {.data = (hsel_dataset *)(uintptr_t)data, .error = error};
    HS_OWNS(hs_writer_release) hs_writer *sum = NULL; /* lengths and checksums of the sections */
    const char *const texts[HS_PACK_TEXTS] = {data->name, data->class_attribute,
                                              data->id_attribute};
    hs_pack_header header = {.byte_order = HS_PACK_BYTE_ORDER,
                             .version = HS_PACK_VERSION,
                             .length = HS_PACK_FRAME,
                             .sections = HS_PACK_SECTION_COUNT};
    hs_pack_entry table[HS_PACK_SECTION_COUNT];
    const char *path = hs_writer_path(writer);
    if (path && hs_ends_with(path, ".gz"))
        return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                          "a pack cannot be compressed (it is mapped): leave out .gz");
    p.info = (hs_pack_info){
        .instances = data->instances,
        .features = data->features,
        .classes = data->class_names.count,
        .positive_class = data->positive_class,
        .flags = (data->class_of ? HS_PACK_HAS_CLASSES : 0) | (data->slot ? HS_PACK_HAS_SLOTS : 0) |
                 (data->dag ? HS_PACK_HAS_HIERARCHY : 0) | (data->target ? HS_PACK_HAS_TARGET : 0) |
                 (data->covariates ? HS_PACK_HAS_COVARIATES : 0) |
                 (data->dag && data->dag->relation ? HS_PACK_HAS_RELATIONS : 0),
        .positives = data->rows.start[data->instances],
        .numeric_columns = data->numeric_count,
        .nominal_columns = data->nominal_count,
        .edges = data->dag ? data->dag->edges : 0};
    for (int i = 0; i < HS_PACK_TEXTS; i++) { /* the flags are in the order of the texts */
        p.info.flags |= (texts[i] ? UINT64_C(1) : 0) << i;
        HS_TRY(hs_names_append_text(&p.texts, texts[i], error));
    }
    HS_TRY(hs_writer_open_sum(&sum, error));
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++) {
        table[kind] = (hs_pack_entry){.kind = (uint32_t)kind,
                                      .element = hs_pack_sections[kind].element,
                                      .offset = hs_pack_align(header.length)};
        HS_TRY(put_section(&p, kind, sum));
        hs_writer_sum(sum, &table[kind].length, &table[kind].checksum);
        header.length = table[kind].offset + table[kind].length;
    }
    memcpy(header.magic, HS_PACK_MAGIC, sizeof header.magic);
    header.checksum = hs_pack_checksum(&header, table);
    hs_writer_put(writer, &header, sizeof header);
    hs_writer_put(writer, table, sizeof table);
    uint64_t end = HS_PACK_FRAME;
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++) {
        hs_writer_put(writer, zeros, table[kind].offset - end);
        HS_TRY(put_section(&p, kind, writer));
        end = table[kind].offset + table[kind].length;
    }
    return HSEL_OK;
}

/* ---- the format ---- */

static int pack_read_data(hs_reader *reader, const hs_column_options *options, hsel_dataset **out,
                          hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    const char *path = hs_reader_path(reader), *positive = options->positive;
    if (!path)
        return hs_fail_at(error, HSEL_EUSAGE, hs_reader_name(reader), 0,
                          "a pack is mapped, so it must be a file, not a stream");
    HS_TRY(hs_pack_read(path, &data, error));
    if (options->no_class) { /* the array stays where it is: in the mapped file */
        hs_names_clear(&data->class_names);
        data->class_of = NULL;
        data->target = NULL;
        data->positive_class = HSEL_NONE;
    }
    if (positive)
        HS_TRY(hs_fail_placed(error, reader, hs_class_set_positive(data, positive, error)));
    *out = hs_take(&data);
    return HSEL_OK;
}

static int pack_sniff(const char *head)
{
    return strncmp(head, HS_PACK_MAGIC, sizeof HS_PACK_MAGIC - 1) == 0 ? 100 : 0;
}

static const hs_format format = {.endings = "hsel",
                                 .sniff = pack_sniff,
                                 .read_data = pack_read_data,
                                 .write_data = pack_write_data,
                                 .writes_labels = true,
                                 .writes_positive = true,
                                 .needs_path = true};

const hs_method hs_method_pack = {
    .kind = HS_FORMAT,
    .name = "pack",
    .title = "hsel pack",
    .help = "A whole data set with its hierarchy, names and labels in one binary file, "
            "versioned and with checksums. It is mapped into memory instead of being parsed, so "
            "that large ones open quickly. It needs the byte order of the machine that wrote it; "
            "use another format to exchange data with other programs.",
    .citation = "format of hsel, version 6",
    .format = &format,
};
