/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening a pack: the file is mapped (a small one copied) and its frame checked, in this order:
 * what is the same in all versions, the header and its checksum, the table of sections, the sizes
 * of the sections against each other. All of that in time that does not depend on the number of
 * instances or features. What is in the sections is pack.c's business.
 */
#include "format/pack_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/pack.h"

static int damaged(const hs_pack *p, const char *what)
{
    return hs_fail_at(p->error, HSEL_EFORMAT, p->path, 0, "the pack is damaged: %s", what);
}

int hs_pack_bad_section(const hs_pack *p, int kind, const char *what)
{
    return hs_fail_at(p->error, HSEL_EFORMAT, p->path, 0,
                      "the pack is damaged: %s of section \"%s\"", what,
                      hs_pack_sections[kind].title);
}

/* ---- mapping ---- */

/* What is checked once must not change afterwards. A copy cannot; of a mapping others may change
 * the file, so it is for packs whose copy would take noticeable time. */
#define COPIED ((off_t)64 << 20)

static hs_pack_watch_function watcher;

void hs_pack_watch(hs_pack_watch_function watch) { watcher = watch; }

static int copy_file(int file, hs_pack *p)
{
    for (size_t at = 0; at < p->length;) {
        ssize_t got = read(file, (char *)(uintptr_t)p->base + at, p->length - at);
        if (got < 0 && errno != EINTR)
            return hs_fail_errno(p->error, p->path, "read");
        if (got == 0)
            return damaged(p, "it became shorter while it was read");
        at += got > 0 ? (size_t)got : 0;
    }
    return HSEL_OK;
}

static int map_file(const char *path, bool whole, hs_pack *out, hsel_error *error)
{
    struct stat about;
    int status = HSEL_OK, file = open(path, O_RDONLY | O_CLOEXEC);
    *out = (hs_pack){.path = path, .error = error};
    if (file < 0)
        return hs_fail_errno(error, path, "open");
    if (fstat(file, &about) != 0)
        status = hs_fail_errno(error, path, "read");
    else if (!S_ISREG(about.st_mode))
        status =
            hs_fail_at(error, HSEL_EIO, path, 0, "a pack must be a plain file, as it is mapped");
    else if (about.st_size == 0)
        status = hs_fail_at(error, HSEL_EFORMAT, path, 0, "not a pack: the file is empty");
    if (!status) {
        bool copy = whole && about.st_size <= COPIED;
        void *base = mmap(NULL, (size_t)about.st_size, copy ? PROT_READ | PROT_WRITE : PROT_READ,
                          MAP_PRIVATE | (whole ? MAP_POPULATE : 0) | (copy ? MAP_ANONYMOUS : 0),
                          copy ? -1 : file, 0);
        if (base == MAP_FAILED)
            status = hs_fail_errno(error, path, "map");
        else {
            out->base = base;
            out->length = (size_t)about.st_size;
        }
        if (!status && copy)
            status = copy_file(file, out);
        else if (!status && watcher)
            watcher(path, file);
    }
    close(file);
    return status;
}

bool hs_pack_is(const char *path)
{
    char head[sizeof HS_PACK_MAGIC - 1];
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t got = read(file, head, sizeof head);
    close(file);
    return got == (ssize_t)sizeof head && memcmp(head, HS_PACK_MAGIC, sizeof head) == 0;
}

void hs_pack_close(hs_pack *p)
{
    if (p->base)
        munmap((void *)(uintptr_t)p->base, p->length);
    p->base = NULL;
}

/* ---- header and table ---- */

/* What is the same in every version: magic, byte order, version. */
static int check_start(const hs_pack *p, const hs_pack_header *header)
{
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
    return header->version == HS_PACK_VERSION ? HSEL_OK : damaged(p, "its version is 0");
}

static int check_header(hs_pack *p)
{
    const hs_pack_header *header = (const hs_pack_header *)p->base;
    int status = check_start(p, header);
    if (status)
        return status;
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
static int check_table(const hs_pack *p)
{
    uint64_t end = sizeof(hs_pack_header) + sizeof *p->table * HS_PACK_SECTION_COUNT;
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT; kind++) {
        const hs_pack_entry *entry = &p->table[kind];
        uint64_t offset = hs_pack_align(end);
        if (entry->kind != (uint32_t)kind || entry->element != hs_pack_sections[kind].element)
            return hs_pack_bad_section(p, kind, "wrong kind");
        if (entry->offset != offset || offset > p->length || entry->length > p->length - offset ||
            entry->length % entry->element)
            return hs_pack_bad_section(p, kind, "wrong place or length");
        end = offset + entry->length;
    }
    return end == p->length ? HSEL_OK : damaged(p, "there is something after the last section");
}

/* ---- sizes against each other ---- */

static int expect(const hs_pack *p, int kind, uint64_t count)
{
    return hs_pack_elements(p, kind) == count ? HSEL_OK
                                              : hs_pack_bad_section(p, kind, "wrong length");
}

/* The lists of a group take up exactly its starts and its text. */
static int check_group(const hs_pack *p, int first, uint64_t lists)
{
    const hs_pack_list *list = hs_pack_at(p, first);
    uint64_t starts = hs_pack_elements(p, first + 1), text = hs_pack_elements(p, first + 2);
    if (hs_pack_elements(p, first) != 2 * lists)
        return hs_pack_bad_section(p, first, "wrong length");
    for (uint64_t i = 0; i < lists; i++) {
        if (list[i].names >= starts || list[i].bytes > text || list[i].names > HSEL_NONE / 2)
            return hs_pack_bad_section(p, first, "wrong content");
        starts -= list[i].names + 1;
        text -= list[i].bytes;
    }
    return starts == 0 && text == 0 ? HSEL_OK : hs_pack_bad_section(p, first, "wrong content");
}

static int check_numeric_sizes(const hs_pack *p)
{
    const hs_pack_numeric *column = hs_pack_at(p, HS_PACK_NUMERIC_SIZES);
    uint64_t values = hs_pack_elements(p, HS_PACK_NUMERIC_VALUES),
             rows = hs_pack_elements(p, HS_PACK_NUMERIC_ROWS);
    if (hs_pack_elements(p, HS_PACK_NUMERIC_SIZES) != 2 * p->info->numeric_columns)
        return hs_pack_bad_section(p, HS_PACK_NUMERIC_SIZES, "wrong length");
    for (uint64_t i = 0; i < p->info->numeric_columns; i++) {
        bool sparse = column[i].sparse;
        if (column[i].sparse > 1 || column[i].values > values ||
            (sparse && column[i].values > rows) ||
            (sparse ? column[i].values > p->info->instances
                    : column[i].values != p->info->instances))
            return hs_pack_bad_section(p, HS_PACK_NUMERIC_SIZES, "wrong content");
        values -= column[i].values;
        rows -= sparse ? column[i].values : 0;
    }
    return values == 0 && rows == 0
               ? HSEL_OK
               : hs_pack_bad_section(p, HS_PACK_NUMERIC_SIZES, "wrong content");
}

static int check_hierarchy_sizes(const hs_pack *p)
{
    bool there = p->info->flags & HS_PACK_HAS_HIERARCHY;
    uint64_t nodes = there ? p->info->features : 0, starts = there ? nodes + 1 : 0,
             edges = p->info->edges;
    int status;
    if (edges > HS_EDGES_LIMIT || (!there && edges))
        return hs_pack_bad_section(p, HS_PACK_INFO, "wrong content");
    if ((status = expect(p, HS_PACK_PARENT_STARTS, starts)) ||
        (status = expect(p, HS_PACK_PARENTS, edges)) ||
        (status = expect(p, HS_PACK_CHILD_STARTS, starts)) ||
        (status = expect(p, HS_PACK_CHILDREN, edges)) ||
        (status = expect(p, HS_PACK_ORDER, nodes)) || (status = expect(p, HS_PACK_DEPTHS, nodes)))
        return status;
    return expect(p, HS_PACK_END, 1);
}

/* Limits first: they keep the products below from overflow. */
static int check_info(hs_pack *p)
{
    if (p->table[HS_PACK_INFO].length != sizeof *p->info)
        return hs_pack_bad_section(p, HS_PACK_INFO, "wrong length");
    const hs_pack_info *info = p->info = hs_pack_at(p, HS_PACK_INFO);
    if (info->instances > HS_INSTANCES_LIMIT || info->features > HS_FEATURES_LIMIT ||
        info->classes > HS_CLASSES_LIMIT || info->numeric_columns > info->features ||
        info->nominal_columns > info->features || info->flags >= 2 * HS_PACK_HAS_HIERARCHY ||
        (info->positive_class >= info->classes && info->positive_class != HSEL_NONE))
        return hs_pack_bad_section(p, HS_PACK_INFO, "wrong content");
    return HSEL_OK;
}

static int check_sizes(hs_pack *p)
{
    int status = check_info(p);
    if (status)
        return status;
    const hs_pack_info *info = p->info;
    uint64_t n = info->instances, d = info->features;
    if ((status = expect(p, HS_PACK_CLASS_SIZES, info->classes)) ||
        (status = check_group(p, HS_PACK_LABEL_SIZES, HS_PACK_LABEL_LISTS)) ||
        (status = check_group(p, HS_PACK_NAME_SIZES, HS_PACK_NAME_LISTS + info->nominal_columns)) ||
        (status = expect(p, HS_PACK_CLASS_OF, info->flags & HS_PACK_HAS_CLASSES ? n : 0)) ||
        (status = expect(p, HS_PACK_TYPES, d)) ||
        (status = expect(p, HS_PACK_SLOTS, info->flags & HS_PACK_HAS_SLOTS ? d : 0)) ||
        (status = expect(p, HS_PACK_ROW_STARTS, n + 1)) ||
        (status = expect(p, HS_PACK_ROWS, info->positives)) ||
        (status = expect(p, HS_PACK_COLUMN_STARTS, d + 1)) ||
        (status = expect(p, HS_PACK_COLUMNS, info->positives)) ||
        (status = check_numeric_sizes(p)) ||
        (status = expect(p, HS_PACK_NOMINAL_CODES, n * info->nominal_columns)))
        return status;
    return check_hierarchy_sizes(p);
}

int hs_pack_open(const char *path, bool whole, hs_pack *out, hsel_error *error)
{
    int status;
    if ((status = map_file(path, whole, out, error)) || (status = check_header(out)) ||
        (status = check_table(out)) || (status = check_sizes(out)))
        return status;
    return HSEL_OK;
}

/* ---- content ---- */

int hs_pack_check_sum(const hs_pack *p, int kind)
{
    const hs_pack_entry *entry = &p->table[kind];
    return XXH3_64bits(hs_pack_at(p, kind), entry->length) == entry->checksum
               ? HSEL_OK
               : hs_pack_bad_section(p, kind, "wrong checksum");
}

int hs_pack_check_padding(const hs_pack *p)
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
