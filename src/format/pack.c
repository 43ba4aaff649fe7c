/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packs, read and written.
 *
 * Opening: the file is mapped (a small one copied) and its frame checked, in this order: what is
 * the same in all versions, the header and its checksum, the table of sections, the sizes of the
 * sections against each other. All of that in time that does not depend on the number of instances
 * or features.
 *
 * Reading: a checksum shows damage, not good faith: whoever can write a file can write its
 * checksums. So what is read relies on what was checked before it, never on a checksum: starts
 * before what they point to, then all the rest by the self-check of data sets.
 *
 * Writing: the table with all checksums comes first in the file, and a writer cannot go back: so
 * each section is put out twice, once for its checksum and once into the file, by the same code.
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

/* The sections that are one array: where the data set or its hierarchy has its address (NULL:
 * nowhere, or it is not there), and how many elements it has; size 0: not one array. The writer,
 * the check of sizes and the reader all go by this table. */
static void list_arrays(hsel_dataset *data, const hs_pack_info *info,
                        hs_file_field row[HS_PACK_SECTION_COUNT])
{
    static hsel_dag none;
    hsel_dag *dag = data->dag ? data->dag : &none;
    const uint64_t flags = info->flags, features = info->features;
    memset(row, 0, HS_PACK_SECTION_COUNT * sizeof *row);
#define ARRAY(kind, flag, pointer, number)                                                         \
    row[HS_PACK_##kind] = !(flag) || (flags & (flag))                                              \
                              ? (hs_file_field)HS_LIST(pointer, number, HS_ANY)                    \
                              : (hs_file_field){.size = sizeof *(pointer)};
    ARRAY(CLASS_OF, HS_PACK_HAS_CLASSES, data->class_of, info->instances)
    ARRAY(TYPES, 0, data->types, features)
    ARRAY(SLOTS, HS_PACK_HAS_SLOTS, data->slot, features)
    ARRAY(ROW_STARTS, 0, data->rows.start, info->instances + 1)
    ARRAY(ROWS, 0, data->rows.index, info->positives)
    ARRAY(COLUMN_STARTS, 0, data->columns.start, features + 1)
    ARRAY(COLUMNS, 0, data->columns.index, info->positives)
    ARRAY(PARENT_STARTS, HS_PACK_HAS_HIERARCHY, dag->parent_start, features + 1)
    ARRAY(PARENTS, HS_PACK_HAS_HIERARCHY, dag->parent, info->edges)
    ARRAY(CHILD_STARTS, HS_PACK_HAS_HIERARCHY, dag->child_start, features + 1)
    ARRAY(CHILDREN, HS_PACK_HAS_HIERARCHY, dag->child, info->edges)
    ARRAY(ORDER, HS_PACK_HAS_HIERARCHY, dag->order, features)
    ARRAY(DEPTHS, HS_PACK_HAS_HIERARCHY, dag->depth, features)
    ARRAY(RELATIONS, HS_PACK_HAS_RELATIONS, dag->relation, info->edges)
    ARRAY(TARGET, HS_PACK_HAS_TARGET, data->target, info->instances)
    ARRAY(COVARIATES, HS_PACK_HAS_COVARIATES, data->covariates, hs_bit_words(features))
#undef ARRAY
    row[HS_PACK_NOMINAL_CODES] =
        (hs_file_field){.size = 4, .count = info->instances * info->nominal_columns};
    row[HS_PACK_END] = (hs_file_field){.size = 8, .count = 1};
}

/* The groups of names: the first of their three sections, how many lists they have for certain. */
enum { LABELS, NAMES, ABOUT, RELATIONS, GROUPS };
static const struct {
    int first, lists;
} groups[GROUPS] = {[LABELS] = {HS_PACK_LABEL_SIZES, 2},
                    [NAMES] = {HS_PACK_NAME_SIZES, 2},
                    [ABOUT] = {HS_PACK_ABOUT_SIZES, 4},
                    [RELATIONS] = {HS_PACK_RELATION_SIZES, 1}};

/* The group that a section is of; GROUPS: none. */
static int group_of(int kind)
{
    int group = 0;
    while (group < GROUPS && (kind < groups[group].first || kind >= groups[group].first + 3))
        group++;
    return group;
}

static uint64_t lists_in(int group, const hs_pack_info *info)
{
    return (uint64_t)groups[group].lists + (group == NAMES ? info->nominal_columns : 0);
}

/* Names that the data set does not have as lists. */
typedef struct extra_names {
    hs_names texts;     /* its name, class attribute, id attribute */
    hs_names relations; /* instead of the hierarchy's, where that is not there */
} extra_names;

/* Where list i of a group is. */
static hs_names *list_of(int group, uint64_t i, hsel_dataset *data, extra_names *extra)
{
    hs_names *const lists[GROUPS][4] = {
        [LABELS] = {&extra->texts, &data->class_names},
        [NAMES] = {&data->feature_names, &data->ids},
        [ABOUT] = {&data->about.columns, &data->about.cells, &data->instance_about.columns,
                   &data->instance_about.cells},
        [RELATIONS] = {data->dag ? &data->dag->relations : &extra->relations}};
    const uint64_t certain = (uint64_t)groups[group].lists;
    return i < certain ? lists[group][i] : &data->nominal[i - certain].values;
}

/* ---- opening ---- */

/* An opened pack: mapped, with sections that lie in the file and fit each other. */
typedef struct pack {
    const char *path;
    const char *base; /* the mapped file */
    size_t length;
    const hs_pack_entry *table;
    const hs_pack_info *info;
    hsel_error *error; /* where everything that is found wrong goes */
} pack;

static void close_pack(pack *p)
{
    if (p->base)
        munmap((void *)(uintptr_t)p->base, p->length);
}

/* Mapped read-only, but the fields of a data set have no const. */
static void *section(const pack *p, int kind)
{
    return (void *)(uintptr_t)(p->base + p->table[kind].offset);
}

static uint64_t elements(const pack *p, int kind)
{
    return p->table[kind].length / p->table[kind].element;
}

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

static int check_header(pack *p)
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
    /* One way to lay sections out: in order, each at the next multiple of 64, nothing after the
     * last. */
    uint64_t end = HS_PACK_FRAME;
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++) {
        const hs_pack_entry *entry = &p->table[kind];
        uint64_t offset = hs_pack_align(end);
        if (entry->kind != (uint32_t)kind || entry->element != hs_pack_sections[kind].element)
            return bad_section(p, kind, "wrong kind");
        if (entry->offset != offset || offset > p->length || entry->length > p->length - offset ||
            entry->length % entry->element)
            return bad_section(p, kind, "wrong place or length");
        end = offset + entry->length;
    }
    return end == p->length ? HSEL_OK : damaged(p, "unexpected data after the last section");
}

/* The lists of a group take up exactly its starts and its text. */
static int check_group(const pack *p, int group)
{
    const int first = groups[group].first;
    const hs_pack_list *list = section(p, first);
    uint64_t starts = elements(p, first + 1), text = elements(p, first + 2);
    uint64_t lists = lists_in(group, p->info);
    if (elements(p, first) != 2 * lists)
        return bad_section(p, first, "wrong length");
    for (; lists > 0; lists--, list++) {
        if (list->names >= starts || list->bytes > text || list->names > HSEL_NONE / 2)
            return bad_section(p, first, "wrong content");
        starts -= list->names + 1;
        text -= list->bytes;
    }
    return starts == 0 && text == 0 ? HSEL_OK : bad_section(p, first, "wrong content");
}

/* So do the numeric columns with their values and rows. */
static int check_numeric(const pack *p)
{
    const hs_pack_info *info = p->info;
    const hs_pack_numeric *column = section(p, HS_PACK_NUMERIC_SIZES);
    uint64_t values = elements(p, HS_PACK_NUMERIC_VALUES);
    uint64_t sparse = elements(p, HS_PACK_NUMERIC_ROWS), left = info->numeric_columns;
    if (elements(p, HS_PACK_NUMERIC_SIZES) != 2 * left)
        return bad_section(p, HS_PACK_NUMERIC_SIZES, "wrong length");
    for (; left > 0; left--, column++) {
        if (column->sparse > 1 || column->values > values ||
            (column->sparse ? column->values > sparse || column->values > info->instances
                            : column->values != info->instances))
            return bad_section(p, HS_PACK_NUMERIC_SIZES, "wrong content");
        values -= column->values;
        sparse -= column->sparse ? column->values : 0;
    }
    return values || sparse ? bad_section(p, HS_PACK_NUMERIC_SIZES, "wrong content") : HSEL_OK;
}

/* Limits first: they keep products from overflow. */
static int check_sizes(pack *p)
{
    if (p->table[HS_PACK_INFO].length != sizeof *p->info)
        return bad_section(p, HS_PACK_INFO, "wrong length");
    const hs_pack_info *info = p->info = section(p, HS_PACK_INFO);
    const bool hierarchy = info->flags & HS_PACK_HAS_HIERARCHY;
    hs_file_field rows[HS_PACK_SECTION_COUNT];
    if (info->instances > HS_INSTANCES_LIMIT || info->features > HS_FEATURES_LIMIT ||
        info->classes > HS_CLASSES_LIMIT || info->numeric_columns > info->features ||
        info->nominal_columns > info->features || info->edges > HS_EDGES_LIMIT ||
        info->flags >= 2 * HS_PACK_HAS_RELATIONS ||
        (!hierarchy && (info->edges || (info->flags & HS_PACK_HAS_RELATIONS))) ||
        (info->positive_class >= info->classes && info->positive_class != HSEL_NONE))
        return bad_section(p, HS_PACK_INFO, "wrong content");
    list_arrays(&(hsel_dataset){0}, info, rows);
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++) {
        const int group = group_of(kind);
        if (rows[kind].size && elements(p, kind) != rows[kind].count)
            return bad_section(p, kind, "wrong length");
        if (group < GROUPS && groups[group].first == kind)
            HS_TRY(check_group(p, group));
    }
    return check_numeric(p);
}

static int open_pack(pack *p)
{
    HS_TRY(map_file(p));
    HS_TRY(check_header(p));
    return check_sizes(p);
}

/* ---- content ---- */

static bool has_relations(const hsel_dataset *data) { return data->dag && data->dag->relation; }

/* The lists of a group become names that lie in the file: ascending starts from 0 to the end of the
 * text, a NUL before each. */
static int take_names(const pack *p, int group, hsel_dataset *data, extra_names *extra)
{
    const int first = groups[group].first;
    const hs_pack_list *list = section(p, first);
    uint64_t *start = section(p, first + 1);
    char *text = section(p, first + 2);
    for (uint64_t k = 0; k < lists_in(group, p->info); k++, list++) {
        hs_names *out = list_of(group, k, data, extra);
        *out = (hs_names){
            .pool = text, .start = start, .count = (uint32_t)list->names, .borrowed = true};
        bool good = start[0] == 0 && start[out->count] == list->bytes;
        for (uint32_t i = 0; i < out->count && good; i++)
            good = start[i] < start[i + 1] && start[i + 1] <= list->bytes &&
                   start[i + 1] - start[i] <= HS_NAME_LIMIT + 1 && text[start[i + 1] - 1] == '\0';
        if (!good)
            return bad_section(p, first + 1, "wrong content");
        start += list->names + 1;
        text += list->bytes;
    }
    return HSEL_OK;
}

/* ---- read ---- */

int hs_pack_read(const char *path, hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(close_pack) pack opened = {.path = path, .error = error};
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_TRY(open_pack(&opened));
    HS_NEED(data = HS_NEW_ZERO(hsel_dataset, 1));
    data->mapping = (hs_region){.base = (void *)(uintptr_t)opened.base, .length = opened.length};
    const pack mapped = opened, *p = &mapped;
    const hs_pack_info *info = p->info;
    opened.base = NULL; /* the data set's from now on */
    const hs_pack_numeric *size = section(p, HS_PACK_NUMERIC_SIZES);
    double *values = section(p, HS_PACK_NUMERIC_VALUES);
    uint32_t *rows = section(p, HS_PACK_NUMERIC_ROWS), *codes = section(p, HS_PACK_NOMINAL_CODES);
    hs_file_field arrays[HS_PACK_SECTION_COUNT];
    extra_names extra = {0};
    hsel_error found;
    for (int kind = -1; kind + 1 < HS_PACK_SECTION_COUNT; kind++) { /* -1: header and table */
        uint64_t at = kind < 0 ? HS_PACK_FRAME : p->table[kind].offset + p->table[kind].length;
        for (; at < p->table[kind + 1].offset; at++)
            if (p->base[at])
                return damaged(p, kind < 0 ? "unexpected data after its table"
                                           : "unexpected data between its sections");
    }
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++)
        if (XXH3_64bits(section(p, kind), p->table[kind].length) != p->table[kind].checksum)
            return bad_section(p, kind, "wrong checksum");
    data->instances = data->rows.lists = (uint32_t)info->instances;
    data->features = data->columns.lists = (uint32_t)info->features;
    data->positive_class = (uint32_t)info->positive_class;
    data->positive_named = true;
    if (info->flags & HS_PACK_HAS_HIERARCHY) {
        HS_NEED(data->dag = HS_NEW_ZERO(hsel_dag, 1));
        *data->dag =
            (hsel_dag){.nodes = data->features, .edges = (uint32_t)info->edges, .borrowed = true};
    }
    list_arrays(data, info, arrays);
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++)
        if (arrays[kind].address)
            memcpy(arrays[kind].address, &(void *){section(p, kind)}, sizeof(void *));
    HS_NEED((data->nominal = HS_NEW_ZERO(hs_nominal_column, info->nominal_columns)) &&
            (data->numeric = HS_NEW_ZERO(hs_numeric_column, info->numeric_columns)));
    data->nominal_count = (uint32_t)info->nominal_columns;
    data->numeric_count = (uint32_t)info->numeric_columns;
    for (int group = 0; group < GROUPS; group++)
        HS_TRY(take_names(p, group, data, &extra));
    if (extra.texts.count != HS_PACK_TEXTS || data->class_names.count != info->classes)
        return bad_section(p, HS_PACK_LABEL_SIZES, "wrong content");
    char **const texts[HS_PACK_TEXTS] = {&data->name, &data->class_attribute, &data->id_attribute};
    for (uint32_t i = 0; i < HS_PACK_TEXTS; i++) /* the flags are in the order of the texts */
        HS_NEED(!(info->flags >> i & 1) || (*texts[i] = hs_strdup(hs_names_get(&extra.texts, i))));
    HS_TRY(hs_names_index(&data->class_names, error));
    HS_TRY(hs_names_index(&data->feature_names, error));
    for (uint32_t i = 0; i < data->nominal_count; i++, codes += data->instances) {
        data->nominal[i].codes = codes;
        HS_TRY(hs_names_index(&data->nominal[i].values, error));
    }
    const size_t provenance = elements(p, HS_PACK_PROVENANCE);
    if (memchr(section(p, HS_PACK_PROVENANCE), '\0', provenance))
        return bad_section(p, HS_PACK_PROVENANCE, "wrong content");
    HS_NEED(!provenance ||
            (data->provenance = hs_strndup(section(p, HS_PACK_PROVENANCE), provenance)));
    if (!has_relations(data) && list_of(RELATIONS, 0, data, &extra)->count)
        return bad_section(p, HS_PACK_RELATION_SIZES, "wrong content");
    /* Ascending between these: hs_dataset_check sees to it. */
    if (data->rows.start[0] != 0 || data->rows.start[info->instances] != info->positives)
        return bad_section(p, HS_PACK_ROW_STARTS, "wrong content");
    if (data->columns.start[0] != 0 || data->columns.start[info->features] != info->positives)
        return bad_section(p, HS_PACK_COLUMN_STARTS, "wrong content");
    for (uint32_t i = 0; i < data->numeric_count; i++) {
        data->numeric[i] = (hs_numeric_column){.values = values,
                                               .rows = size[i].sparse ? rows : NULL,
                                               .count = (uint32_t)size[i].values};
        values += size[i].values;
        rows += size[i].sparse ? size[i].values : 0;
    }
    /* Columns are numbered in the order of their features, each used once: so the self-check
     * reaches them all. */
    uint32_t counts[HSEL_NOMINAL + 1] = {0};
    for (uint32_t f = 0; f < data->features; f++) {
        if (data->types[f] > HSEL_NOMINAL)
            return bad_section(p, HS_PACK_TYPES, "wrong content");
        uint32_t slot = counts[data->types[f]]++;
        if (data->types[f] != HSEL_BINARY && (!data->slot || data->slot[f] != slot))
            return bad_section(p, HS_PACK_SLOTS, "wrong content");
    }
    if (counts[HSEL_NUMERIC] != data->numeric_count || counts[HSEL_NOMINAL] != data->nominal_count)
        return bad_section(p, HS_PACK_TYPES, "wrong content");
    int status = hs_dataset_check(data, &found); /* which does not know the file's name */
    if (status)
        return status == HSEL_ENOMEM ? hs_fail_memory(error)
                                     : REFUSE(p, status, "%s", found.message);
    *out = hs_take(&data);
    return HSEL_OK;
}

/* ---- write ---- */

typedef struct source {
    hsel_dataset *data; /* is not changed */
    hs_pack_info info;
    uint64_t end;
    extra_names extra;
    hs_file_field rows[HS_PACK_SECTION_COUNT];
} source;

static void clear_source(source *from) { hs_names_clear(&from->extra.texts); }

/* The metadata of a pack. */
static int describe(source *from, hsel_error *error)
{
    hsel_dataset *data = from->data;
    const char *const texts[HS_PACK_TEXTS] = {data->name, data->class_attribute,
                                              data->id_attribute};
    const char *provenance = data->provenance ? data->provenance : "";
    hs_pack_info *info = &from->info;
    *info = (hs_pack_info){
        .instances = data->instances,
        .features = data->features,
        .classes = data->class_names.count,
        .positive_class = data->positive_class,
        .flags = (data->class_of ? HS_PACK_HAS_CLASSES : 0) | (data->slot ? HS_PACK_HAS_SLOTS : 0) |
                 (data->dag ? HS_PACK_HAS_HIERARCHY : 0) | (data->target ? HS_PACK_HAS_TARGET : 0) |
                 (data->covariates ? HS_PACK_HAS_COVARIATES : 0) |
                 (has_relations(data) ? HS_PACK_HAS_RELATIONS : 0),
        .positives = data->rows.start[data->instances],
        .numeric_columns = data->numeric_count,
        .nominal_columns = data->nominal_count,
        .edges = data->dag ? data->dag->edges : 0};
    for (int i = 0; i < HS_PACK_TEXTS; i++) { /* the flags are in the order of the texts */
        const char *text = texts[i] ? texts[i] : "";
        info->flags |= (texts[i] ? UINT64_C(1) : 0) << i;
        HS_TRY(hs_names_append(&from->extra.texts, text, strlen(text), error));
    }
    from->end = HS_PACK_END_MARK;
    list_arrays(data, info, from->rows);
    from->rows[HS_PACK_INFO] = (hs_file_field)HS_VALUE(*info, HS_ANY);
    from->rows[HS_PACK_END] = (hs_file_field)HS_VALUE(from->end, HS_ANY);
    from->rows[HS_PACK_PROVENANCE] =
        (hs_file_field)HS_LIST(data->provenance, strlen(provenance), HS_ANY);
    return HSEL_OK;
}

static void put_section(source *from, int kind, hs_writer *to)
{
    const hsel_dataset *data = from->data;
    const hs_file_field *row = &from->rows[kind];
    const int group = group_of(kind), part = group < GROUPS ? kind - groups[group].first : 0;
    static const uint64_t zero = 0;
    for (uint64_t i = 0; group < GROUPS && i < lists_in(group, &from->info); i++) {
        const hs_names *names = list_of(group, i, from->data, &from->extra);
        uint64_t bytes = names->count ? names->start[names->count] : 0;
        if (part == 0)
            hs_writer_put(to, &(hs_pack_list){names->count, bytes}, sizeof(hs_pack_list));
        else if (part == 1)
            hs_writer_put(to, names->count ? names->start : &zero,
                          ((size_t)names->count + 1) * sizeof zero);
        else
            hs_writer_put(to, names->pool, bytes);
    }
    for (uint32_t i = 0; i < data->numeric_count; i++) {
        const hs_numeric_column *column = &data->numeric[i];
        if (kind == HS_PACK_NUMERIC_SIZES)
            hs_writer_put(to, &(hs_pack_numeric){column->count, column->rows != NULL},
                          sizeof(hs_pack_numeric));
        else if (kind == HS_PACK_NUMERIC_VALUES)
            hs_writer_put(to, column->values, column->count * sizeof *column->values);
        else if (kind == HS_PACK_NUMERIC_ROWS && column->rows)
            hs_writer_put(to, column->rows, column->count * sizeof *column->rows);
    }
    for (uint32_t i = 0; kind == HS_PACK_NOMINAL_CODES && i < data->nominal_count; i++)
        hs_writer_put(to, data->nominal[i].codes, data->instances * sizeof(uint32_t));
    if (row->address) {
        const void *at = row->address;
        if (row->is_list)
            memcpy(&at, row->address, sizeof at);
        hs_writer_put(to, at, row->count * row->size);
    }
}

static int pack_write_data(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    static const char zeros[HS_PACK_ALIGN] = {0};
    HS_OWNS(clear_source) source from = {.data = (hsel_dataset *)(uintptr_t)data};
    HS_OWNS(hs_writer_release) hs_writer *sum = NULL; /* lengths and checksums of the sections */
    hs_pack_header header = {.byte_order = HS_PACK_BYTE_ORDER,
                             .version = HS_PACK_VERSION,
                             .length = HS_PACK_FRAME,
                             .sections = HS_PACK_SECTION_COUNT};
    hs_pack_entry table[HS_PACK_SECTION_COUNT];
    const char *path = hs_writer_path(writer);
    if (path && hs_ends_with(path, ".gz"))
        return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                          "a pack cannot be compressed (it is mapped): leave out .gz");
    HS_TRY(hs_writer_open_sum(&sum, error));
    HS_TRY(describe(&from, error));
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++) {
        table[kind] = (hs_pack_entry){.kind = (uint32_t)kind,
                                      .element = hs_pack_sections[kind].element,
                                      .offset = hs_pack_align(header.length)};
        put_section(&from, kind, sum);
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
        put_section(&from, kind, writer);
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

static int pack_sniff(const char *head, size_t length)
{
    (void)length;
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
