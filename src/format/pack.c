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
 * each section is put out twice, once into a hash and once into the file, by the same code.
 */
#include "format/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mem.h"
#include "format/format.h"
#include "format/pack_layout.h"

const hs_pack_section hs_pack_sections[HS_PACK_SECTION_COUNT] = {
#define X(name, element, title) {element, title},
    HS_PACK_SECTIONS(X)
#undef X
};

/* The sections that are one array: how many elements they have, the flag without which they are
 * empty, and where the data set (HS_PACK_HAS_HIERARCHY: its hierarchy) has its address, 0: nowhere.
 * The writer, the check of sizes and the reader all go by this table. */
enum { VARIES, ONE, CLASSES, INSTANCES, ROW_STARTS, FEATURES, STARTS, POSITIVES, CODES, EDGES };

static const struct {
    uint8_t count, flag;
    size_t field;
} arrays[HS_PACK_SECTION_COUNT] = {
#define DATA(field) offsetof(hsel_dataset, field)
#define DAG(field)  HS_PACK_HAS_HIERARCHY, offsetof(hsel_dag, field)
    [HS_PACK_CLASS_SIZES] = {CLASSES, 0, 0},
    [HS_PACK_CLASS_OF] = {INSTANCES, HS_PACK_HAS_CLASSES, DATA(class_of)},
    [HS_PACK_TYPES] = {FEATURES, 0, DATA(types)},
    [HS_PACK_SLOTS] = {FEATURES, HS_PACK_HAS_SLOTS, DATA(slot)},
    [HS_PACK_ROW_STARTS] = {ROW_STARTS, 0, DATA(rows.start)},
    [HS_PACK_ROWS] = {POSITIVES, 0, DATA(rows.index)},
    [HS_PACK_COLUMN_STARTS] = {STARTS, 0, DATA(columns.start)},
    [HS_PACK_COLUMNS] = {POSITIVES, 0, DATA(columns.index)},
    [HS_PACK_NOMINAL_CODES] = {CODES, 0, 0},
    [HS_PACK_PARENT_STARTS] = {STARTS, DAG(parent_start)},
    [HS_PACK_PARENTS] = {EDGES, DAG(parent)},
    [HS_PACK_CHILD_STARTS] = {STARTS, DAG(child_start)},
    [HS_PACK_CHILDREN] = {EDGES, DAG(child)},
    [HS_PACK_ORDER] = {FEATURES, DAG(order)},
    [HS_PACK_DEPTHS] = {FEATURES, DAG(depth)},
    [HS_PACK_END] = {ONE, 0, 0},
#undef DATA
#undef DAG
};

static bool is_there(const hs_pack_info *info, int kind)
{
    return !arrays[kind].flag || (info->flags & arrays[kind].flag);
}

static uint64_t count_of(const hs_pack_info *info, int kind)
{
    const uint64_t counts[] = {[ONE] = 1,
                               [CLASSES] = info->classes,
                               [INSTANCES] = info->instances,
                               [ROW_STARTS] = info->instances + 1,
                               [FEATURES] = info->features,
                               [STARTS] = info->features + 1,
                               [POSITIVES] = info->positives,
                               [CODES] = info->instances * info->nominal_columns,
                               [EDGES] = info->edges};
    return is_there(info, kind) ? counts[arrays[kind].count] : 0;
}

/* Where the address of the array is kept: a pointer, of whatever type. */
static void *field_of(const hsel_dataset *data, int kind)
{
    const char *base =
        arrays[kind].flag == HS_PACK_HAS_HIERARCHY ? (const char *)data->dag : (const char *)data;
    return (void *)(uintptr_t)(base + arrays[kind].field);
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

static int damaged(const pack *p, const char *what)
{
    return hs_fail_at(p->error, HSEL_EFORMAT, p->path, 0, "the pack is damaged: %s", what);
}

static int bad_section(const pack *p, int kind, const char *what)
{
    return hs_fail_at(p->error, HSEL_EFORMAT, p->path, 0,
                      "the pack is damaged: %s of section \"%s\"", what,
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

static int map_file(pack *p, bool whole)
{
    struct stat about;
    HS_OWNS(close_file) int file = open(p->path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return hs_fail_errno(p->error, p->path, "open");
    if (fstat(file, &about) != 0)
        return hs_fail_errno(p->error, p->path, "read");
    if (!S_ISREG(about.st_mode))
        return hs_fail_at(p->error, HSEL_EIO, p->path, 0,
                          "a pack must be a plain file, as it is mapped");
    if (about.st_size == 0)
        return hs_fail_at(p->error, HSEL_EFORMAT, p->path, 0, "not a pack: the file is empty");
    bool copy = whole && about.st_size <= COPIED;
    char *base = mmap(NULL, (size_t)about.st_size, copy ? PROT_READ | PROT_WRITE : PROT_READ,
                      MAP_PRIVATE | (whole ? MAP_POPULATE : 0) | (copy ? MAP_ANONYMOUS : 0),
                      copy ? -1 : file, 0);
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
            return damaged(p, "it became shorter while it was read");
        at += got > 0 ? (size_t)got : 0;
    }
    return HSEL_OK;
}

bool hs_pack_is(const char *path)
{
    char head[sizeof HS_PACK_MAGIC - 1];
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    HS_OWNS(close_file) int file = open(path, O_RDONLY | O_CLOEXEC);
    return file >= 0 && read(file, head, sizeof head) == (ssize_t)sizeof head &&
           memcmp(head, HS_PACK_MAGIC, sizeof head) == 0;
}

static int check_header(pack *p)
{
    const hs_pack_header *header = (const hs_pack_header *)p->base;
    /* First what is the same in every version: magic, byte order, version. */
    static const unsigned char gzip[] = {0x1f, 0x8b};
    size_t magic = sizeof header->magic;
    if (p->length >= sizeof gzip && memcmp(p->base, gzip, sizeof gzip) == 0)
        return hs_fail_at(p->error, HSEL_EFORMAT, p->path, 0,
                          "a compressed pack cannot be mapped: unpack it (gunzip)");
    if (memcmp(p->base, HS_PACK_MAGIC, p->length < magic ? p->length : magic) != 0)
        return hs_fail_at(p->error, HSEL_EFORMAT, p->path, 0, "not a pack");
    if (p->length < sizeof *header)
        return damaged(p, "it is cut off in its header");
    if (header->byte_order == __builtin_bswap32(HS_PACK_BYTE_ORDER))
        return hs_fail_at(
            p->error, HSEL_EUNSUPPORTED, p->path, 0,
            "written on a machine of the other byte order: carry the data over in another format");
    if (header->byte_order != HS_PACK_BYTE_ORDER)
        return damaged(p, "its byte order mark is none");
    if (header->version > HS_PACK_VERSION)
        return hs_fail_at(p->error, HSEL_EUNSUPPORTED, p->path, 0,
                          "written by a newer hsel: version %" PRIu32
                          ", this one reads up to %" PRIu32,
                          header->version, HS_PACK_VERSION);
    if (header->version == 0)
        return damaged(p, "its version is 0");
    if (header->length != p->length)
        return hs_fail_at(p->error, HSEL_EFORMAT, p->path, 0,
                          "the pack is damaged: it has %zu bytes, and had %" PRIu64
                          " when it was written",
                          p->length, header->length);
    if (header->sections != HS_PACK_SECTION_COUNT)
        return damaged(p, "it has a wrong number of sections");
    p->table = (const hs_pack_entry *)(header + 1);
    if (p->length < sizeof *header + sizeof *p->table * HS_PACK_SECTION_COUNT)
        return damaged(p, "it is cut off in its table");
    hs_pack_header plain = *header;
    plain.checksum = 0;
    return hs_pack_checksum(&plain, p->table) == header->checksum
               ? HSEL_OK
               : damaged(p, "wrong checksum of the header");
}

/* One way to lay sections out: in order, each at the next multiple of 64, nothing after the last.
 */
static int check_table(const pack *p)
{
    uint64_t end = sizeof(hs_pack_header) + sizeof *p->table * HS_PACK_SECTION_COUNT;
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
    return end == p->length ? HSEL_OK : damaged(p, "there is something after the last section");
}

/* The lists of a group take up exactly its starts and its text. */
static int check_group(const pack *p, int first, uint64_t lists)
{
    const hs_pack_list *list = section(p, first);
    uint64_t starts = elements(p, first + 1), text = elements(p, first + 2);
    if (elements(p, first) != 2 * lists)
        return bad_section(p, first, "wrong length");
    for (uint64_t i = 0; i < lists; i++) {
        if (list[i].names >= starts || list[i].bytes > text || list[i].names > HSEL_NONE / 2)
            return bad_section(p, first, "wrong content");
        starts -= list[i].names + 1;
        text -= list[i].bytes;
    }
    return starts == 0 && text == 0 ? HSEL_OK : bad_section(p, first, "wrong content");
}

static int check_numeric_sizes(const pack *p)
{
    const hs_pack_numeric *column = section(p, HS_PACK_NUMERIC_SIZES);
    uint64_t values = elements(p, HS_PACK_NUMERIC_VALUES), rows = elements(p, HS_PACK_NUMERIC_ROWS);
    if (elements(p, HS_PACK_NUMERIC_SIZES) != 2 * p->info->numeric_columns)
        return bad_section(p, HS_PACK_NUMERIC_SIZES, "wrong length");
    for (uint64_t i = 0; i < p->info->numeric_columns; i++) {
        bool sparse = column[i].sparse;
        if (column[i].sparse > 1 || column[i].values > values ||
            (sparse && column[i].values > rows) ||
            (sparse ? column[i].values > p->info->instances
                    : column[i].values != p->info->instances))
            return bad_section(p, HS_PACK_NUMERIC_SIZES, "wrong content");
        values -= column[i].values;
        rows -= sparse ? column[i].values : 0;
    }
    return values == 0 && rows == 0 ? HSEL_OK
                                    : bad_section(p, HS_PACK_NUMERIC_SIZES, "wrong content");
}

/* Limits first: they keep products from overflow. */
static int check_sizes(pack *p)
{
    if (p->table[HS_PACK_INFO].length != sizeof *p->info)
        return bad_section(p, HS_PACK_INFO, "wrong length");
    const hs_pack_info *info = p->info = section(p, HS_PACK_INFO);
    if (info->instances > HS_INSTANCES_LIMIT || info->features > HS_FEATURES_LIMIT ||
        info->classes > HS_CLASSES_LIMIT || info->numeric_columns > info->features ||
        info->nominal_columns > info->features || info->flags >= 2 * HS_PACK_HAS_HIERARCHY ||
        (info->positive_class >= info->classes && info->positive_class != HSEL_NONE))
        return bad_section(p, HS_PACK_INFO, "wrong content");
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++) {
        if (arrays[kind].count && elements(p, kind) != count_of(info, kind))
            return bad_section(p, kind, "wrong length");
        if (kind == HS_PACK_LABEL_SIZES)
            HS_TRY(check_group(p, kind, HS_PACK_LABEL_LISTS));
        if (kind == HS_PACK_NAME_SIZES)
            HS_TRY(check_group(p, kind, HS_PACK_NAME_LISTS + info->nominal_columns));
        if (kind == HS_PACK_NUMERIC_SIZES)
            HS_TRY(check_numeric_sizes(p));
        if (kind == HS_PACK_NOMINAL_CODES &&
            (info->edges > HS_EDGES_LIMIT ||
             (info->edges && !(info->flags & HS_PACK_HAS_HIERARCHY))))
            return bad_section(p, HS_PACK_INFO, "wrong content");
    }
    return HSEL_OK;
}

/* `whole`: all of it will be read; then a pack of up to 64 MiB is a copy in memory. */
static int open_pack(pack *p, bool whole)
{
    HS_TRY(map_file(p, whole));
    HS_TRY(check_header(p));
    HS_TRY(check_table(p));
    return check_sizes(p);
}

/* ---- content ---- */

static int check_sum(const pack *p, int kind)
{
    return XXH3_64bits(section(p, kind), p->table[kind].length) == p->table[kind].checksum
               ? HSEL_OK
               : bad_section(p, kind, "wrong checksum");
}

static int check_padding(const pack *p)
{
    for (int kind = 0; kind + 1 < HS_PACK_SECTION_COUNT; kind++) {
        const hs_pack_entry *entry = &p->table[kind];
        for (uint64_t at = entry->offset + entry->length; at < p->table[kind + 1].offset; at++)
            if (p->base[at])
                return damaged(p, "there is something between its sections");
    }
    for (uint64_t at = sizeof(hs_pack_header) + sizeof *p->table * HS_PACK_SECTION_COUNT;
         at < p->table[0].offset; at++)
        if (p->base[at])
            return damaged(p, "there is something after its table");
    return HSEL_OK;
}

/* Where the lists of a group of names are, one after the other. */
typedef struct name_cursor {
    const pack *pack;
    int first; /* section */
    const hs_pack_list *list;
    uint64_t *starts;
    char *text;
} name_cursor;

static name_cursor names_from(const pack *p, int first)
{
    return (name_cursor){p, first, section(p, first), section(p, first + 1), section(p, first + 2)};
}

/* Names that lie in the file: ascending starts from 0 to the end of the text, a NUL before each. */
static int next_names(name_cursor *at, hs_names *out)
{
    const hs_pack_list *list = at->list++;
    const uint64_t *start = at->starts;
    uint64_t bytes = list->bytes;
    *out = (hs_names){
        .pool = at->text, .start = at->starts, .count = (uint32_t)list->names, .borrowed = true};
    at->starts += list->names + 1;
    at->text += bytes;
    bool good = start[0] == 0 && start[out->count] == bytes;
    for (uint32_t i = 0; i < out->count && good; i++)
        good = start[i] < start[i + 1] && start[i + 1] <= bytes &&
               start[i + 1] - start[i] <= HS_NAME_LIMIT + 1 && out->pool[start[i + 1] - 1] == '\0';
    return good ? HSEL_OK : bad_section(at->pack, at->first + 1, "wrong content");
}

/* Name, class attribute, id attribute; classes. */
static int take_labels(const pack *p, char **name, char **class_attribute, char **id_attribute,
                       hs_names *classes)
{
    name_cursor labels = names_from(p, HS_PACK_LABEL_SIZES);
    char **fields[HS_PACK_TEXTS] = {name, class_attribute, id_attribute};
    hs_names texts;
    HS_TRY(next_names(&labels, &texts));
    if (texts.count != HS_PACK_TEXTS)
        return bad_section(p, labels.first, "wrong content");
    for (int i = 0; i < HS_PACK_TEXTS; i++) /* the flags are in the order of the fields */
        if (p->info->flags >> i & 1 && !(*fields[i] = hs_strdup(hs_names_get(&texts, (uint32_t)i))))
            return hs_fail_memory(p->error);
    HS_TRY(next_names(&labels, classes));
    return classes->count == p->info->classes ? HSEL_OK
                                              : bad_section(p, labels.first, "wrong content");
}

/* ---- look ---- */

void hs_pack_facts_clear(hs_pack_facts *facts)
{
    hs_free(facts->name);
    hs_free(facts->class_attribute);
    hs_free(facts->id_attribute);
    hs_names_clear(&facts->class_names);
    hs_free(facts->class_sizes);
    *facts = (hs_pack_facts){0};
}

static int take_facts(const pack *p, hs_pack_facts *out)
{
    const hs_pack_info *info = p->info;
    const uint64_t *count = info->counts;
    hs_summary *summary = &out->summary;
    hs_names classes;
    bool fits = true; /* each count its field */
    for (int kind = HS_PACK_INFO; kind <= HS_PACK_LABEL_TEXT; kind++)
        HS_TRY(check_sum(p, kind));
#define X(field)                                                                                   \
    summary->field = *count;                                                                       \
    fits = fits && summary->field == *count++;
    HS_PACK_COUNTS(X)
#undef X
    summary->positive_share = info->positive_share;
    summary->shape.paths_real = info->paths_real;
    if (!fits || summary->instances != info->instances || summary->features != info->features ||
        summary->classes != info->classes || summary->positives != info->positives ||
        summary->edges != info->edges)
        return bad_section(p, HS_PACK_INFO, "wrong content");
    out->positive_class = (uint32_t)info->positive_class;
    out->bytes = p->length;
    HS_TRY(take_labels(p, &out->name, &out->class_attribute, &out->id_attribute, &classes));
    HS_TRY(hs_names_copy(&classes, &out->class_names, p->error));
    if (!(out->class_sizes = HS_NEW(uint32_t, info->classes)))
        return hs_fail_memory(p->error);
    memcpy(out->class_sizes, section(p, HS_PACK_CLASS_SIZES),
           info->classes * sizeof *out->class_sizes);
    return HSEL_OK;
}

int hs_pack_look(const char *path, hs_pack_facts *out, hsel_error *error)
{
    HS_OWNS(close_pack) pack p = {.path = path, .error = error};
    HS_TRY(open_pack(&p, false));
    int status = take_facts(&p, out);
    if (status)
        hs_pack_facts_clear(out);
    return status;
}

/* ---- read ---- */

/* Columns are numbered in the order of their features, each used once: so the self-check reaches
 * them all. */
static int check_slots(const pack *p, const hsel_dataset *data)
{
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
    return HSEL_OK;
}

static int fill_data(const pack *p, hsel_dataset *data, hsel_error *error)
{
    const hs_pack_info *info = p->info;
    name_cursor names = names_from(p, HS_PACK_NAME_SIZES);
    const hs_pack_numeric *size = section(p, HS_PACK_NUMERIC_SIZES);
    double *values = section(p, HS_PACK_NUMERIC_VALUES);
    uint32_t *rows = section(p, HS_PACK_NUMERIC_ROWS), *codes = section(p, HS_PACK_NOMINAL_CODES);
    hsel_error found;
    HS_TRY(check_padding(p));
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++)
        HS_TRY(check_sum(p, kind));
    data->instances = data->rows.lists = (uint32_t)info->instances;
    data->features = data->columns.lists = (uint32_t)info->features;
    data->positive_class = (uint32_t)info->positive_class;
    if (info->flags & HS_PACK_HAS_HIERARCHY) {
        HS_NEED(data->dag = HS_NEW_ZERO(hsel_dag, 1));
        *data->dag =
            (hsel_dag){.nodes = data->features, .edges = (uint32_t)info->edges, .borrowed = true};
    }
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++)
        if (arrays[kind].field && is_there(info, kind))
            memcpy(field_of(data, kind), &(void *){section(p, kind)}, sizeof(void *));
    HS_TRY(take_labels(p, &data->name, &data->class_attribute, &data->id_attribute,
                       &data->class_names));
    HS_TRY(next_names(&names, &data->feature_names));
    HS_TRY(next_names(&names, &data->ids));
    HS_TRY(hs_names_index(&data->class_names, error));
    HS_TRY(hs_names_index(&data->feature_names, error));
    HS_NEED(data->nominal = HS_NEW_ZERO(hs_nominal_column, info->nominal_columns));
    data->nominal_count = (uint32_t)info->nominal_columns;
    for (uint32_t i = 0; i < data->nominal_count; i++) {
        data->nominal[i].codes = codes + (size_t)i * data->instances;
        HS_TRY(next_names(&names, &data->nominal[i].values));
        HS_TRY(hs_names_index(&data->nominal[i].values, error));
    }
    /* Ascending between these: hs_dataset_check sees to it. */
    if (data->rows.start[0] != 0 || data->rows.start[info->instances] != info->positives)
        return bad_section(p, HS_PACK_ROW_STARTS, "wrong content");
    if (data->columns.start[0] != 0 || data->columns.start[info->features] != info->positives)
        return bad_section(p, HS_PACK_COLUMN_STARTS, "wrong content");
    HS_NEED(data->numeric = HS_NEW_ZERO(hs_numeric_column, info->numeric_columns));
    data->numeric_count = (uint32_t)info->numeric_columns;
    for (uint32_t i = 0; i < data->numeric_count; i++) {
        data->numeric[i] = (hs_numeric_column){.values = values,
                                               .rows = size[i].sparse ? rows : NULL,
                                               .count = (uint32_t)size[i].values};
        values += size[i].values;
        rows += size[i].sparse ? size[i].values : 0;
    }
    HS_TRY(check_slots(p, data));
    int status = hs_dataset_check(data, &found); /* which does not know the file's name */
    return !status                 ? HSEL_OK
           : status == HSEL_ENOMEM ? hs_fail_memory(error)
                                   : hs_fail_at(error, status, p->path, 0, "%s", found.message);
}

int hs_pack_read(const char *path, hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(close_pack) pack p = {.path = path, .error = error};
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_TRY(open_pack(&p, true));
    HS_NEED(data = HS_NEW_ZERO(hsel_dataset, 1));
    data->mapping = (hs_region){.base = (void *)(uintptr_t)p.base, .length = p.length};
    int status = fill_data(&p, data, error);
    p.base = NULL; /* the data set's from now on */
    HS_TRY(status);
    *out = hs_take(&data);
    return HSEL_OK;
}

/* ---- verify ---- */

/* But for the rounding of sums. */
static bool about_equal(double a, double b) { return a == b || fabs(a - b) <= 1e-9 * fabs(b); }

int hs_pack_verify(const char *path, int threads, hsel_error *error)
{
    HS_OWNS(hs_pack_facts_clear) hs_pack_facts facts = {0};
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    hs_summary summary = {0};
    const char *wrong = NULL; /* the first field that is */
    HS_TRY(hs_pack_look(path, &facts, error));
    HS_TRY(hs_pack_read(path, &data, error));
    HS_TRY(hs_summarise(data, threads, &summary, error));
    HS_OWNED uint32_t *sizes = HS_NEW(uint32_t, data->class_names.count);
    HS_NEED(sizes);
    hs_class_sizes(data, sizes);
#define X(field)                                                                                   \
    if (!wrong && facts.summary.field != summary.field)                                            \
        wrong = #field;
    HS_PACK_COUNTS(X)
#undef X
    if (!wrong && !about_equal(facts.summary.positive_share, summary.positive_share))
        wrong = "positive_share";
    if (!wrong && !about_equal(facts.summary.shape.paths_real, summary.shape.paths_real))
        wrong = "shape.paths";
    for (uint32_t c = 0; c < data->class_names.count && !wrong; c++)
        if (facts.class_sizes[c] != sizes[c])
            wrong = "class sizes";
    return wrong ? hs_fail_at(error, HSEL_EFORMAT, path, 0, "the summary of the pack is wrong: %s",
                              wrong)
                 : HSEL_OK;
}

/* ---- write ---- */

typedef struct source {
    const hsel_dataset *data;
    hs_pack_info info;
    uint32_t *class_sizes;
    hs_names texts; /* name, class attribute, id attribute */
    XXH3_state_t *hash;
} source;

static void clear_source(source *from)
{
    hs_names_clear(&from->texts);
    hs_free(from->class_sizes);
    XXH3_freeState(from->hash);
}

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

/* List number `list` of a group of names. */
static const hs_names *names_of(const source *from, int group, uint32_t list)
{
    const hsel_dataset *data = from->data;
    if (group == HS_PACK_LABEL_SIZES)
        return list ? &data->class_names : &from->texts;
    if (list >= HS_PACK_NAME_LISTS)
        return &data->nominal[list - HS_PACK_NAME_LISTS].values;
    return list ? &data->ids : &data->feature_names;
}

/* `kind` is one of the three sections of a group. */
static void put_names(const source *from, int group, uint32_t lists, int kind, sink *to)
{
    static const uint64_t zero = 0;
    for (uint32_t i = 0; i < lists; i++) {
        const hs_names *names = names_of(from, group, i);
        uint64_t bytes = names->count ? names->start[names->count] : 0;
        if (kind == group)
            put(to, &(hs_pack_list){names->count, bytes}, 1, sizeof(hs_pack_list));
        else if (kind == group + 1)
            put(to, names->count ? names->start : &zero, (size_t)names->count + 1, sizeof zero);
        else
            put(to, names->pool, bytes, 1);
    }
}

static void put_section(const source *from, int kind, sink *to)
{
    static const uint64_t end_mark = HS_PACK_END_MARK;
    const hsel_dataset *data = from->data;
    const void *at;
    switch (kind) {
    case HS_PACK_INFO:
        put(to, &from->info, 1, sizeof from->info);
        break;
    case HS_PACK_CLASS_SIZES:
        put(to, from->class_sizes, data->class_names.count, sizeof *from->class_sizes);
        break;
    case HS_PACK_LABEL_SIZES:
    case HS_PACK_LABEL_STARTS:
    case HS_PACK_LABEL_TEXT:
        put_names(from, HS_PACK_LABEL_SIZES, HS_PACK_LABEL_LISTS, kind, to);
        break;
    case HS_PACK_NAME_SIZES:
    case HS_PACK_NAME_STARTS:
    case HS_PACK_NAME_TEXT:
        put_names(from, HS_PACK_NAME_SIZES, HS_PACK_NAME_LISTS + data->nominal_count, kind, to);
        break;
    case HS_PACK_NUMERIC_SIZES:
    case HS_PACK_NUMERIC_VALUES:
    case HS_PACK_NUMERIC_ROWS:
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
        break;
    case HS_PACK_NOMINAL_CODES:
        for (uint32_t i = 0; i < data->nominal_count; i++)
            put(to, data->nominal[i].codes, data->instances, sizeof *data->nominal[i].codes);
        break;
    case HS_PACK_END:
        put(to, &end_mark, 1, sizeof end_mark);
        break;
    default:
        if (is_there(&from->info, kind)) {
            memcpy(&at, field_of(data, kind), sizeof at);
            put(to, at, count_of(&from->info, kind), hs_pack_sections[kind].element);
        }
    }
}

/* What the small sections say. */
static int fill_source(source *from, hsel_error *error)
{
    const hsel_dataset *data = from->data;
    const char *texts[HS_PACK_TEXTS] = {data->name, data->class_attribute, data->id_attribute};
    hs_summary summary = {0};
    HS_TRY(hs_summarise(data, 0, &summary, error));
    from->info = (hs_pack_info){.instances = data->instances,
                                .features = data->features,
                                .classes = data->class_names.count,
                                .positive_class = data->positive_class,
                                .flags = (data->class_of ? HS_PACK_HAS_CLASSES : 0) |
                                         (data->slot ? HS_PACK_HAS_SLOTS : 0) |
                                         (data->dag ? HS_PACK_HAS_HIERARCHY : 0),
                                .positives = data->rows.start[data->instances],
                                .numeric_columns = data->numeric_count,
                                .nominal_columns = data->nominal_count,
                                .edges = data->dag ? data->dag->edges : 0,
                                .positive_share = summary.positive_share,
                                .paths_real = summary.shape.paths_real};
    uint64_t *count = from->info.counts;
#define X(field) *count++ = summary.field;
    HS_PACK_COUNTS(X)
#undef X
    for (int i = 0; i < HS_PACK_TEXTS; i++) { /* the flags are in the order of the texts */
        const char *text = texts[i] ? texts[i] : "";
        from->info.flags |= (texts[i] ? UINT64_C(1) : 0) << i;
        HS_TRY(hs_names_append(&from->texts, text, strlen(text), error));
    }
    HS_NEED(from->class_sizes = HS_NEW_ZERO(uint32_t, data->class_names.count));
    hs_class_sizes(data, from->class_sizes);
    return HSEL_OK;
}

static int write_data(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    static const char zeros[HS_PACK_ALIGN] = {0};
    HS_OWNS(clear_source) source from = {.data = data, .hash = XXH3_createState()};
    hs_pack_header header = {.byte_order = HS_PACK_BYTE_ORDER,
                             .version = HS_PACK_VERSION,
                             .sections = HS_PACK_SECTION_COUNT};
    hs_pack_entry table[HS_PACK_SECTION_COUNT];
    const char *path = hs_writer_path(writer);
    if (path && hs_ends_with(path, ".gz"))
        return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                          "a pack cannot be compressed (it is mapped): leave out .gz");
    HS_NEED(from.hash);
    HS_TRY(fill_source(&from, error));
    header.length = sizeof header + sizeof table;
    for (uint32_t kind = 0; kind < HS_PACK_SECTION_COUNT; kind++) {
        sink to = {.hash = from.hash};
        XXH3_64bits_reset(from.hash);
        put_section(&from, (int)kind, &to);
        table[kind] = (hs_pack_entry){.kind = kind,
                                      .element = hs_pack_sections[kind].element,
                                      .offset = hs_pack_align(header.length),
                                      .length = to.length,
                                      .checksum = XXH3_64bits_digest(from.hash)};
        header.length = table[kind].offset + to.length;
    }
    memcpy(header.magic, HS_PACK_MAGIC, sizeof header.magic);
    header.checksum = hs_pack_checksum(&header, table);
    sink to = {.writer = writer};
    put(&to, &header, 1, sizeof header);
    put(&to, table, HS_PACK_SECTION_COUNT, sizeof *table);
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++) {
        put(&to, zeros, table[kind].offset - to.length, 1);
        put_section(&from, kind, &to);
    }
    return HSEL_OK;
}

/* ---- the format ---- */

static int read_data(hs_reader *reader, const hs_column_options *options, hsel_dataset **out,
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
        data->positive_class = HSEL_NONE;
    }
    if (positive) {
        data->positive_class = hs_names_find(&data->class_names, positive, strlen(positive));
        if (data->positive_class == HSEL_NONE)
            return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                              "there is no class '%.200s' to be the positive one", positive);
    }
    *out = hs_take(&data);
    return HSEL_OK;
}

static int sniff(const char *head, size_t length)
{
    size_t magic = sizeof HS_PACK_MAGIC - 1;
    return length >= magic && memcmp(head, HS_PACK_MAGIC, magic) == 0 ? 100 : 0;
}

static const hs_format format = {.endings = "hsel",
                                 .sniff = sniff,
                                 .read_data = read_data,
                                 .write_data = write_data,
                                 .needs_path = true};

const hs_method hs_method_pack = {
    .kind = HS_FORMAT,
    .name = "pack",
    .title = "hsel pack",
    .help = "A whole data set with its hierarchy, names and summary in one binary file, "
            "versioned and with checksums. It is mapped into memory instead of being parsed, "
            "so that large ones are there quickly. For the machine that wrote it and others of "
            "the same byte order; to pass data on to other programs use another format.",
    .citation = "format of hsel, version 1",
    .format = &format,
};
