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

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/fields.h"
#include "core/mem.h"
#include "data/bits.h"
#include "data/classes.h"
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
    row[HS_PACK_CLASS_SIZES] = (hs_file_field){.size = 4, .count = info->classes};
    row[HS_PACK_NOMINAL_CODES] =
        (hs_file_field){.size = 4, .count = info->instances * info->nominal_columns};
    row[HS_PACK_END] = (hs_file_field){.size = 8, .count = 1};
    row[HS_PACK_TARGET_FACTS] = (hs_file_field){.size = 8, .count = sizeof(hs_pack_target) / 8};
    row[HS_PACK_ABOUT_COUNTS] = (hs_file_field){.size = 8, .count = 2};
}

/* The first section of the group of names that a section is of; -1: of none. */
static int group_of(int kind)
{
    static const int groups[] = {HS_PACK_LABEL_SIZES, HS_PACK_NAME_SIZES, HS_PACK_ABOUT_SIZES,
                                 HS_PACK_RELATION_SIZES};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (kind >= groups[i] && kind < groups[i] + 3)
            return groups[i];
    return -1;
}

/* How many lists of names a group has. */
static uint64_t lists_in(int group, const hs_pack_info *info)
{
    return group == HS_PACK_LABEL_SIZES   ? HS_PACK_LABEL_LISTS
           : group == HS_PACK_NAME_SIZES  ? HS_PACK_NAME_LISTS + info->nominal_columns
           : group == HS_PACK_ABOUT_SIZES ? HS_PACK_ABOUT_LISTS
                                          : HS_PACK_EDGE_LISTS;
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

static int map_file(pack *p, bool whole)
{
    struct stat about;
    HS_OWNS(close_file) int file = open(p->path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return hs_fail_errno(p->error, p->path, "open");
    if (fstat(file, &about) != 0)
        return hs_fail_errno(p->error, p->path, "read");
    if (!S_ISREG(about.st_mode))
        return REFUSE(p, HSEL_EIO, "a pack must be a plain file, as it is mapped");
    if (about.st_size == 0)
        return REFUSE(p, HSEL_EFORMAT, "not a pack: the file is empty");
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
        return REFUSE(p, HSEL_EFORMAT, "a compressed pack cannot be mapped: unpack it (gunzip)");
    if (memcmp(p->base, HS_PACK_MAGIC, p->length < magic ? p->length : magic) != 0)
        return REFUSE(p, HSEL_EFORMAT, "not a pack");
    if (p->length < sizeof *header)
        return damaged(p, "it is cut off in its header");
    if (header->byte_order == __builtin_bswap32(HS_PACK_BYTE_ORDER))
        return REFUSE(
            p, HSEL_EUNSUPPORTED,
            "written on a machine of the other byte order: carry the data over in another format");
    if (header->byte_order != HS_PACK_BYTE_ORDER)
        return damaged(p, "its byte order mark is none");
    if (header->version != HS_PACK_VERSION)
        return REFUSE(p, HSEL_EUNSUPPORTED,
                      "a pack of version %" PRIu32 ", and this hsel reads version %" PRIu32
                      ": make it again from the data",
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
        return damaged(p, "it is cut off in its table");
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

/* Limits first: they keep products from overflow. */
static int check_sizes(pack *p)
{
    if (p->table[HS_PACK_INFO].length != sizeof *p->info)
        return bad_section(p, HS_PACK_INFO, "wrong length");
    const hs_pack_info *info = p->info = section(p, HS_PACK_INFO);
    hs_file_field rows[HS_PACK_SECTION_COUNT];
    if (info->instances > HS_INSTANCES_LIMIT || info->features > HS_FEATURES_LIMIT ||
        info->classes > HS_CLASSES_LIMIT || info->numeric_columns > info->features ||
        info->nominal_columns > info->features || info->flags >= 2 * HS_PACK_HAS_RELATIONS ||
        ((info->flags & HS_PACK_HAS_RELATIONS) && !(info->flags & HS_PACK_HAS_HIERARCHY)) ||
        (info->positive_class >= info->classes && info->positive_class != HSEL_NONE))
        return bad_section(p, HS_PACK_INFO, "wrong content");
    list_arrays(&(hsel_dataset){0}, info, rows);
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++) {
        if (rows[kind].size && elements(p, kind) != rows[kind].count)
            return bad_section(p, kind, "wrong length");
        if (group_of(kind) == kind)
            HS_TRY(check_group(p, kind, lists_in(kind, info)));
        if (kind == HS_PACK_NOMINAL_CODES &&
            (info->edges > HS_EDGES_LIMIT ||
             (info->edges && !(info->flags & HS_PACK_HAS_HIERARCHY))))
            return bad_section(p, HS_PACK_INFO, "wrong content");
        if (kind != HS_PACK_NUMERIC_SIZES)
            continue;
        const hs_pack_numeric *column = section(p, kind);
        uint64_t values = elements(p, HS_PACK_NUMERIC_VALUES);
        uint64_t sparse = elements(p, HS_PACK_NUMERIC_ROWS);
        if (elements(p, kind) != 2 * info->numeric_columns)
            return bad_section(p, kind, "wrong length");
        for (uint64_t i = 0; i < info->numeric_columns; i++, column++) {
            if (column->sparse > 1 || column->values > values ||
                (column->sparse ? column->values > sparse || column->values > info->instances
                                : column->values != info->instances))
                return bad_section(p, kind, "wrong content");
            values -= column->values;
            sparse -= column->sparse ? column->values : 0;
        }
        if (values || sparse)
            return bad_section(p, kind, "wrong content");
    }
    return HSEL_OK;
}

/* `whole`: all of it will be read; then a pack of up to 64 MiB is a copy in memory. */
static int open_pack(pack *p, bool whole)
{
    HS_TRY(map_file(p, whole));
    HS_TRY(check_header(p));
    return check_sizes(p);
}

/* ---- content ---- */

static int check_sum(const pack *p, int kind)
{
    return XXH3_64bits(section(p, kind), p->table[kind].length) == p->table[kind].checksum
               ? HSEL_OK
               : bad_section(p, kind, "wrong checksum");
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

/* *out stays empty if there are none. */
static int take_relations(const pack *p, hs_names *out)
{
    name_cursor names = names_from(p, HS_PACK_RELATION_SIZES);
    HS_TRY(next_names(&names, out));
    return out->count == elements(p, HS_PACK_RELATION_COUNTS)
               ? HSEL_OK
               : bad_section(p, HS_PACK_RELATION_COUNTS, "wrong length");
}

/* *out stays NULL if there is none. */
static int take_provenance(const pack *p, char **out)
{
    const char *text = section(p, HS_PACK_PROVENANCE);
    size_t length = elements(p, HS_PACK_PROVENANCE);
    if (!length)
        return HSEL_OK;
    if (memchr(text, '\0', length))
        return bad_section(p, HS_PACK_PROVENANCE, "wrong content");
    return (*out = hs_strndup(text, length)) ? HSEL_OK : hs_fail_memory(p->error);
}

/* ---- look ---- */

void hs_pack_facts_clear(hs_pack_facts *facts)
{
    HS_FREE(facts->name, facts->class_attribute, facts->id_attribute, facts->class_sizes,
            facts->provenance, facts->relation_edges);
    HS_CLEAR_NAMES(&facts->class_names, &facts->relations);
    *facts = (hs_pack_facts){0};
}

int hs_pack_look(const char *path, hs_pack_facts *out, hsel_error *error)
{
    HS_OWNS(close_pack) pack p = {.path = path, .error = error};
    HS_OWNS(hs_pack_facts_clear) hs_pack_facts facts = {0};
    hs_summary *summary = &facts.summary;
    hs_names classes, relations = {0};
    bool fits = true; /* each count its field */
    HS_TRY(open_pack(&p, false));
    for (int kind = HS_PACK_INFO; kind <= HS_PACK_TARGET_FACTS; kind++)
        if (kind <= HS_PACK_LABEL_TEXT || (kind > HS_PACK_END && kind <= HS_PACK_PROVENANCE) ||
            (kind > HS_PACK_ABOUT_TEXT && kind < HS_PACK_RELATIONS) || kind == HS_PACK_TARGET_FACTS)
            HS_TRY(check_sum(&p, kind));
    const hs_pack_info *info = p.info;
    const uint64_t *count = info->counts;
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
        return bad_section(&p, HS_PACK_INFO, "wrong content");
    const hs_pack_target *target = section(&p, HS_PACK_TARGET_FACTS);
    if (target->covariates > info->features)
        return bad_section(&p, HS_PACK_TARGET_FACTS, "wrong content");
    summary->has_target = info->flags & HS_PACK_HAS_TARGET;
    summary->covariates = (uint32_t)target->covariates;
    summary->target_min = target->min;
    summary->target_max = target->max;
    summary->target_mean = target->mean;
    summary->target_sd = target->sd;
    facts.positive_class = (uint32_t)info->positive_class;
    facts.bytes = p.length;
    const uint64_t *labels = section(&p, HS_PACK_ABOUT_COUNTS);
    if (labels[0] > info->features || labels[1] > info->instances)
        return bad_section(&p, HS_PACK_ABOUT_COUNTS, "wrong content");
    facts.labels = (uint32_t)labels[0];
    facts.instance_labels = (uint32_t)labels[1];
    HS_TRY(take_provenance(&p, &facts.provenance));
    HS_TRY(take_labels(&p, &facts.name, &facts.class_attribute, &facts.id_attribute, &classes));
    HS_TRY(hs_names_copy(&classes, &facts.class_names, error));
    HS_NEED(facts.class_sizes = HS_NEW(uint32_t, info->classes));
    memcpy(facts.class_sizes, section(&p, HS_PACK_CLASS_SIZES),
           info->classes * sizeof *facts.class_sizes);
    HS_TRY(take_relations(&p, &relations));
    HS_TRY(hs_names_copy(&relations, &facts.relations, error));
    if (relations.count)
        HS_NEED(facts.relation_edges = hs_copy(section(&p, HS_PACK_RELATION_COUNTS),
                                               relations.count, sizeof *facts.relation_edges));
    *out = facts;
    facts = (hs_pack_facts){0};
    return HSEL_OK;
}

/* ---- read ---- */

static bool has_relations(const hsel_dataset *data) { return data->dag && data->dag->relation; }

int hs_pack_read(const char *path, hsel_dataset **out, hsel_error *error)
{
    HS_OWNS(close_pack) pack opened = {.path = path, .error = error};
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_TRY(open_pack(&opened, true));
    HS_NEED(data = HS_NEW_ZERO(hsel_dataset, 1));
    data->mapping = (hs_region){.base = (void *)(uintptr_t)opened.base, .length = opened.length};
    const pack mapped = opened, *p = &mapped;
    const hs_pack_info *info = p->info;
    opened.base = NULL; /* the data set's from now on */
    name_cursor names = names_from(p, HS_PACK_NAME_SIZES);
    const hs_pack_numeric *size = section(p, HS_PACK_NUMERIC_SIZES);
    double *values = section(p, HS_PACK_NUMERIC_VALUES);
    uint32_t *rows = section(p, HS_PACK_NUMERIC_ROWS), *codes = section(p, HS_PACK_NOMINAL_CODES);
    hs_file_field arrays[HS_PACK_SECTION_COUNT];
    hsel_error found;
    for (int kind = -1; kind + 1 < HS_PACK_SECTION_COUNT; kind++) { /* -1: header and table */
        uint64_t at = kind < 0 ? HS_PACK_FRAME : p->table[kind].offset + p->table[kind].length;
        for (; at < p->table[kind + 1].offset; at++)
            if (p->base[at])
                return damaged(p, kind < 0 ? "there is something after its table"
                                           : "there is something between its sections");
    }
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++)
        HS_TRY(check_sum(p, kind));
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
    HS_TRY(take_provenance(p, &data->provenance));
    name_cursor tables = names_from(p, HS_PACK_ABOUT_SIZES);
    hs_names *const lists[HS_PACK_ABOUT_LISTS] = {&data->about.columns, &data->about.cells,
                                                  &data->instance_about.columns,
                                                  &data->instance_about.cells};
    for (int i = 0; i < HS_PACK_ABOUT_LISTS; i++)
        HS_TRY(next_names(&tables, lists[i]));
    hs_names none = {0};
    HS_TRY(take_relations(p, has_relations(data) ? &data->dag->relations : &none));
    if (none.count)
        return bad_section(p, HS_PACK_RELATION_COUNTS, "wrong content");
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

/* ---- verify ---- */

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
    static const char *const names[] = {"positive_share", "shape.paths", "target_min",
                                        "target_max",     "target_mean", "target_sd"};
    const hs_summary *of = &facts.summary;
    const double found[] = {of->positive_share, of->shape.paths_real, of->target_min,
                            of->target_max,     of->target_mean,      of->target_sd};
    const double right[] = {summary.positive_share, summary.shape.paths_real, summary.target_min,
                            summary.target_max,     summary.target_mean,      summary.target_sd};
    for (int i = 0; i < 6 && !wrong; i++) /* but for the rounding of sums */
        if (found[i] != right[i] && !(fabs(found[i] - right[i]) <= 1e-9 * fabs(right[i])))
            wrong = names[i];
    if (!wrong && of->covariates != summary.covariates)
        wrong = "covariates";
    for (uint32_t c = 0; c < data->class_names.count && !wrong; c++)
        if (facts.class_sizes[c] != sizes[c])
            wrong = "class sizes";
    if (!wrong && (facts.labels != hs_about_labels(&data->about) ||
                   facts.instance_labels != hs_about_labels(&data->instance_about)))
        wrong = "labels";
    uint32_t edges[UINT8_MAX + 1];
    hs_relation_counts(data->dag, edges);
    for (uint32_t r = 0; r < facts.relations.count && !wrong; r++)
        if (facts.relation_edges[r] != edges[r])
            wrong = "relations";
    return wrong ? hs_fail_at(error, HSEL_EFORMAT, path, 0, "the summary of the pack is wrong: %s",
                              wrong)
                 : HSEL_OK;
}

/* ---- write ---- */

typedef struct source {
    const hsel_dataset *data;
    hs_pack_info info;
    hs_pack_target target;
    uint32_t *class_sizes;
    hs_names texts; /* name, class attribute, id attribute */
    hs_file_field arrays[HS_PACK_SECTION_COUNT];
} source;

static void clear_source(source *from)
{
    hs_names_clear(&from->texts);
    hs_free(from->class_sizes);
}

/* `kind` is one of the three sections of a group. */
static void put_names(const source *from, int group, int kind, hs_writer *to)
{
    static const uint64_t zero = 0;
    static const hs_names no_names;
    const hsel_dataset *data = from->data;
    const hs_names *const labels[] = {&from->texts, &data->class_names};
    const hs_names *const first[] = {&data->feature_names, &data->ids};
    const hs_names *const tables[] = {&data->about.columns, &data->about.cells,
                                      &data->instance_about.columns, &data->instance_about.cells};
    for (uint64_t i = 0; i < lists_in(group, &from->info); i++) {
        const hs_names *names = group == HS_PACK_LABEL_SIZES   ? labels[i]
                                : group == HS_PACK_ABOUT_SIZES ? tables[i]
                                : group == HS_PACK_RELATION_SIZES
                                    ? (has_relations(data) ? &data->dag->relations : &no_names)
                                : i < HS_PACK_NAME_LISTS
                                    ? first[i]
                                    : &data->nominal[i - HS_PACK_NAME_LISTS].values;
        uint64_t bytes = names->count ? names->start[names->count] : 0;
        if (kind == group)
            hs_writer_put(to, &(hs_pack_list){names->count, bytes}, sizeof(hs_pack_list));
        else if (kind == group + 1)
            hs_writer_put(to, names->count ? names->start : &zero,
                          ((size_t)names->count + 1) * sizeof zero);
        else
            hs_writer_put(to, names->pool, bytes);
    }
}

static void put_section(const source *from, int kind, hs_writer *to)
{
    static const uint64_t end_mark = HS_PACK_END_MARK;
    const hsel_dataset *data = from->data;
    const hs_file_field *row = &from->arrays[kind];
    const int group = group_of(kind);
    const void *at;
    uint32_t edges[UINT8_MAX + 1];
    if (group >= 0) {
        put_names(from, group, kind, to);
        return;
    }
    switch (kind) {
    case HS_PACK_INFO:
        hs_writer_put(to, &from->info, sizeof from->info);
        break;
    case HS_PACK_CLASS_SIZES:
        hs_writer_put(to, from->class_sizes, data->class_names.count * sizeof *from->class_sizes);
        break;
    case HS_PACK_NUMERIC_SIZES:
    case HS_PACK_NUMERIC_VALUES:
    case HS_PACK_NUMERIC_ROWS:
        for (uint32_t i = 0; i < data->numeric_count; i++) {
            const hs_numeric_column *column = &data->numeric[i];
            if (kind == HS_PACK_NUMERIC_SIZES)
                hs_writer_put(to, &(hs_pack_numeric){column->count, column->rows != NULL},
                              sizeof(hs_pack_numeric));
            else if (kind == HS_PACK_NUMERIC_VALUES)
                hs_writer_put(to, column->values, column->count * sizeof *column->values);
            else if (column->rows)
                hs_writer_put(to, column->rows, column->count * sizeof *column->rows);
        }
        break;
    case HS_PACK_NOMINAL_CODES:
        for (uint32_t i = 0; i < data->nominal_count; i++)
            hs_writer_put(to, data->nominal[i].codes, data->instances * sizeof(uint32_t));
        break;
    case HS_PACK_END:
        hs_writer_put(to, &end_mark, sizeof end_mark);
        break;
    case HS_PACK_ABOUT_COUNTS:
        hs_writer_put(
            to, (uint64_t[]){hs_about_labels(&data->about), hs_about_labels(&data->instance_about)},
            2 * sizeof(uint64_t));
        break;
    case HS_PACK_PROVENANCE:
        hs_writer_text(to, data->provenance ? data->provenance : "");
        break;
    case HS_PACK_RELATION_COUNTS:
        hs_relation_counts(data->dag, edges);
        hs_writer_put(to, edges,
                      has_relations(data) ? data->dag->relations.count * sizeof *edges : 0);
        break;
    case HS_PACK_TARGET_FACTS:
        hs_writer_put(to, &from->target, sizeof from->target);
        break;
    default:
        if (row->address) {
            memcpy(&at, row->address, sizeof at);
            hs_writer_put(to, at, row->count * row->size);
        }
    }
}

static int pack_write_data(const hsel_dataset *data, hs_writer *writer, hsel_error *error)
{
    static const char zeros[HS_PACK_ALIGN] = {0};
    HS_OWNS(clear_source) source from = {.data = data};
    HS_OWNS(hs_writer_release) hs_writer *sum = NULL; /* lengths and checksums of the sections */
    hs_pack_header header = {.byte_order = HS_PACK_BYTE_ORDER,
                             .version = HS_PACK_VERSION,
                             .length = HS_PACK_FRAME,
                             .sections = HS_PACK_SECTION_COUNT};
    hs_pack_entry table[HS_PACK_SECTION_COUNT];
    const char *texts[HS_PACK_TEXTS] = {data->name, data->class_attribute, data->id_attribute};
    hs_summary summary = {0};
    const char *path = hs_writer_path(writer);
    if (path && hs_ends_with(path, ".gz"))
        return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                          "a pack cannot be compressed (it is mapped): leave out .gz");
    HS_TRY(hs_writer_open_sum(&sum, error));
    HS_TRY(hs_summarise(data, 0, &summary, error));
    from.info = (hs_pack_info){
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
        .edges = data->dag ? data->dag->edges : 0,
        .positive_share = summary.positive_share,
        .paths_real = summary.shape.paths_real};
    from.target = (hs_pack_target){summary.target_min, summary.target_max, summary.target_mean,
                                   summary.target_sd, summary.covariates};
    uint64_t *count = from.info.counts;
#define X(field) *count++ = summary.field;
    HS_PACK_COUNTS(X)
#undef X
    for (int i = 0; i < HS_PACK_TEXTS; i++) { /* the flags are in the order of the texts */
        const char *text = texts[i] ? texts[i] : "";
        from.info.flags |= (texts[i] ? UINT64_C(1) : 0) << i;
        HS_TRY(hs_names_append(&from.texts, text, strlen(text), error));
    }
    HS_NEED(from.class_sizes = HS_NEW_ZERO(uint32_t, data->class_names.count));
    hs_class_sizes(data, from.class_sizes);
    list_arrays((hsel_dataset *)(uintptr_t)data, &from.info, from.arrays);
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
    size_t magic = sizeof HS_PACK_MAGIC - 1;
    return length >= magic && memcmp(head, HS_PACK_MAGIC, magic) == 0 ? 100 : 0;
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
    .help = "A whole data set with its hierarchy, names, labels and summary in one binary file, "
            "versioned and with checksums. It is mapped into memory instead of being parsed, so "
            "that large ones open quickly. It needs the byte order of the machine that wrote it; "
            "use another format to exchange data with other programs.",
    .citation = "format of hsel, version 5",
    .format = &format,
};
