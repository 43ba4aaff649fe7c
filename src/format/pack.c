/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packs: the content of an opened one, checked before it is used. A checksum shows damage, not good
 * faith: whoever can write a file can write its checksums. So what is read relies on what was
 * checked before it, never on a checksum: starts before what they point to, then all the rest by
 * the self-check of data sets.
 */
#include "format/pack.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "format/format.h"
#include "format/pack_file.h"

/* Names that lie in the file: ascending starts from 0 to the end of the text, a NUL before each. */
static int check_starts(const hs_pack *p, int kind, const hs_names *names, uint64_t bytes)
{
    bool good = names->start[0] == 0 && names->start[names->count] == bytes;
    for (uint32_t i = 0; i < names->count && good; i++)
        good = names->start[i] < names->start[i + 1] && names->start[i + 1] <= bytes &&
               names->start[i + 1] - names->start[i] <= HS_NAME_LIMIT + 1 &&
               names->pool[names->start[i + 1] - 1] == '\0';
    return good ? HSEL_OK : hs_pack_bad_section(p, kind, "wrong content");
}

/* Where the lists of a group of names are, one after the other. */
typedef struct name_cursor {
    const hs_pack *pack;
    int first; /* section */
    const hs_pack_list *list;
    uint64_t *starts;
    char *text;
} name_cursor;

static name_cursor names_from(const hs_pack *p, int first)
{
    return (name_cursor){p, first, hs_pack_at(p, first), hs_pack_at(p, first + 1),
                         hs_pack_at(p, first + 2)};
}

static int next_names(name_cursor *at, hs_names *out)
{
    const hs_pack_list *list = at->list++;
    *out = (hs_names){
        .pool = at->text, .start = at->starts, .count = (uint32_t)list->names, .borrowed = true};
    at->starts += list->names + 1;
    at->text += list->bytes;
    return check_starts(at->pack, at->first + 1, out, list->bytes);
}

static int take_texts(name_cursor *labels, char **name, char **class_attribute, char **id_attribute)
{
    const hs_pack *p = labels->pack;
    char **fields[HS_PACK_TEXTS] = {name, class_attribute, id_attribute};
    hs_names texts;
    int status = next_names(labels, &texts);
    if (status)
        return status;
    if (texts.count != HS_PACK_TEXTS)
        return hs_pack_bad_section(p, labels->first, "wrong content");
    for (int i = 0; i < HS_PACK_TEXTS; i++) /* the flags are in the order of the fields */
        if (p->info->flags >> i & 1 && !(*fields[i] = hs_strdup(hs_names_get(&texts, (uint32_t)i))))
            return hs_fail_memory(p->error);
    return HSEL_OK;
}

static int take_class_names(name_cursor *labels, hs_names *out)
{
    int status = next_names(labels, out);
    if (!status && out->count != labels->pack->info->classes)
        return hs_pack_bad_section(labels->pack, labels->first, "wrong content");
    return status;
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

/* A count that does not fit its field makes *fits false. */
static void take_summary(const hs_pack_info *info, hs_summary *out, bool *fits)
{
    const uint64_t *count = info->counts;
#define X(field)                                                                                   \
    out->field = *count;                                                                           \
    *fits = *fits && out->field == *count++;
    HS_PACK_COUNTS(X)
#undef X
    out->positive_share = info->positive_share;
    out->shape.paths_real = info->paths_real;
}

static int take_facts(const hs_pack *p, hs_pack_facts *out)
{
    name_cursor labels = names_from(p, HS_PACK_LABEL_SIZES);
    hs_names classes;
    bool fits = true;
    int status;
    for (int kind = HS_PACK_INFO; kind <= HS_PACK_LABEL_TEXT; kind++)
        if ((status = hs_pack_check_sum(p, kind)))
            return status;
    take_summary(p->info, &out->summary, &fits);
    if (!fits || out->summary.instances != p->info->instances ||
        out->summary.features != p->info->features || out->summary.classes != p->info->classes ||
        out->summary.positives != p->info->positives || out->summary.edges != p->info->edges)
        return hs_pack_bad_section(p, HS_PACK_INFO, "wrong content");
    out->positive_class = (uint32_t)p->info->positive_class;
    out->bytes = p->length;
    if ((status = take_texts(&labels, &out->name, &out->class_attribute, &out->id_attribute)) ||
        (status = take_class_names(&labels, &classes)) ||
        (status = hs_names_copy(&classes, &out->class_names, p->error)))
        return status;
    if (!(out->class_sizes = HS_NEW(uint32_t, p->info->classes)))
        return hs_fail_memory(p->error);
    memcpy(out->class_sizes, hs_pack_at(p, HS_PACK_CLASS_SIZES),
           p->info->classes * sizeof *out->class_sizes);
    return HSEL_OK;
}

int hs_pack_look(const char *path, hs_pack_facts *out, hsel_error *error)
{
    hs_pack p;
    int status = hs_pack_open(path, false, &p, error);
    if (!status)
        status = take_facts(&p, out);
    if (status)
        hs_pack_facts_clear(out);
    hs_pack_close(&p);
    return status;
}

/* ---- read ---- */

static int check_content_sums(const hs_pack *p)
{
    int status = hs_pack_check_padding(p);
    for (int kind = 0; kind < HS_PACK_SECTION_COUNT && !status; kind++)
        status = hs_pack_check_sum(p, kind);
    return status;
}

static int take_sparse(const hs_pack *p, int starts, uint64_t lists, hs_sparse *out)
{
    *out = (hs_sparse){.start = hs_pack_at(p, starts),
                       .index = hs_pack_at(p, starts + 1),
                       .lists = (uint32_t)lists};
    /* Ascending between these two: hsel_dataset_check sees to it. */
    if (out->start[0] != 0 || out->start[lists] != p->info->positives)
        return hs_pack_bad_section(p, starts, "wrong content");
    return HSEL_OK;
}

static int take_numeric(const hs_pack *p, hsel_dataset *data)
{
    const hs_pack_numeric *size = hs_pack_at(p, HS_PACK_NUMERIC_SIZES);
    double *values = hs_pack_at(p, HS_PACK_NUMERIC_VALUES);
    uint32_t *rows = hs_pack_at(p, HS_PACK_NUMERIC_ROWS);
    if (!(data->numeric = HS_NEW_ZERO(hs_numeric_column, p->info->numeric_columns)))
        return hs_fail_memory(p->error);
    data->numeric_count = (uint32_t)p->info->numeric_columns;
    for (uint32_t i = 0; i < data->numeric_count; i++) {
        data->numeric[i] = (hs_numeric_column){.values = values,
                                               .rows = size[i].sparse ? rows : NULL,
                                               .count = (uint32_t)size[i].values};
        values += size[i].values;
        rows += size[i].sparse ? size[i].values : 0;
    }
    return HSEL_OK;
}

static int take_nominal(const hs_pack *p, name_cursor *names, hsel_dataset *data)
{
    uint32_t *codes = hs_pack_at(p, HS_PACK_NOMINAL_CODES);
    int status = HSEL_OK;
    if (!(data->nominal = HS_NEW_ZERO(hs_nominal_column, p->info->nominal_columns)))
        return hs_fail_memory(p->error);
    data->nominal_count = (uint32_t)p->info->nominal_columns;
    for (uint32_t i = 0; i < data->nominal_count && !status; i++) {
        data->nominal[i].codes = codes + (size_t)i * data->instances;
        if (!(status = next_names(names, &data->nominal[i].values)))
            status = hs_names_index(&data->nominal[i].values, p->error);
    }
    return status;
}

/* Columns are numbered in the order of their features, each used once: so the self-check reaches
 * them all. */
static int check_slots(const hs_pack *p, const hsel_dataset *data)
{
    uint32_t counts[HSEL_NOMINAL + 1] = {0};
    for (uint32_t f = 0; f < data->features; f++) {
        if (data->types[f] > HSEL_NOMINAL)
            return hs_pack_bad_section(p, HS_PACK_TYPES, "wrong content");
        uint32_t slot = counts[data->types[f]]++;
        if (data->types[f] != HSEL_BINARY && (!data->slot || data->slot[f] != slot))
            return hs_pack_bad_section(p, HS_PACK_SLOTS, "wrong content");
    }
    if (counts[HSEL_NUMERIC] != data->numeric_count || counts[HSEL_NOMINAL] != data->nominal_count)
        return hs_pack_bad_section(p, HS_PACK_TYPES, "wrong content");
    return HSEL_OK;
}

static int take_hierarchy(const hs_pack *p, hsel_dataset *data)
{
    if (!(p->info->flags & HS_PACK_HAS_HIERARCHY))
        return HSEL_OK;
    if (!(data->dag = HS_NEW_ZERO(hsel_dag, 1)))
        return hs_fail_memory(p->error);
    *data->dag = (hsel_dag){.nodes = data->features,
                            .edges = (uint32_t)p->info->edges,
                            .parent_start = hs_pack_at(p, HS_PACK_PARENT_STARTS),
                            .parent = hs_pack_at(p, HS_PACK_PARENTS),
                            .child_start = hs_pack_at(p, HS_PACK_CHILD_STARTS),
                            .child = hs_pack_at(p, HS_PACK_CHILDREN),
                            .order = hs_pack_at(p, HS_PACK_ORDER),
                            .depth = hs_pack_at(p, HS_PACK_DEPTHS),
                            .borrowed = true};
    return HSEL_OK;
}

static int take_names(const hs_pack *p, hsel_dataset *data)
{
    name_cursor labels = names_from(p, HS_PACK_LABEL_SIZES),
                names = names_from(p, HS_PACK_NAME_SIZES);
    int status;
    if ((status = take_texts(&labels, &data->name, &data->class_attribute, &data->id_attribute)) ||
        (status = take_class_names(&labels, &data->class_names)) ||
        (status = next_names(&names, &data->feature_names)) ||
        (status = next_names(&names, &data->ids)) ||
        (status = hs_names_index(&data->class_names, p->error)) ||
        (status = hs_names_index(&data->feature_names, p->error)))
        return status;
    return take_nominal(p, &names, data);
}

/* The self-check does not know the file's name. */
static int check_data(const hs_pack *p, const hsel_dataset *data)
{
    hsel_error found;
    int status = hsel_dataset_check(data, &found);
    if (status == HSEL_OK || status == HSEL_ENOMEM)
        return status ? hs_fail_memory(p->error) : HSEL_OK;
    return hs_fail_at(p->error, status, p->path, 0, "%s", found.message);
}

static int fill_data(const hs_pack *p, hsel_dataset *data)
{
    const hs_pack_info *info = p->info;
    data->instances = (uint32_t)info->instances;
    data->features = (uint32_t)info->features;
    data->positive_class = (uint32_t)info->positive_class;
    data->types = hs_pack_at(p, HS_PACK_TYPES);
    if (info->flags & HS_PACK_HAS_CLASSES)
        data->class_of = hs_pack_at(p, HS_PACK_CLASS_OF);
    if (info->flags & HS_PACK_HAS_SLOTS)
        data->slot = hs_pack_at(p, HS_PACK_SLOTS);
    int status;
    if ((status = check_content_sums(p)) || (status = take_names(p, data)) ||
        (status = take_sparse(p, HS_PACK_ROW_STARTS, info->instances, &data->rows)) ||
        (status = take_sparse(p, HS_PACK_COLUMN_STARTS, info->features, &data->columns)) ||
        (status = take_numeric(p, data)) || (status = check_slots(p, data)) ||
        (status = take_hierarchy(p, data)))
        return status;
    return check_data(p, data);
}

int hs_pack_read(const char *path, hsel_dataset **out, hsel_error *error)
{
    hs_pack p;
    hsel_dataset *data = NULL;
    int status = hs_pack_open(path, true, &p, error);
    if (status)
        goto out;
    if (!(data = HS_NEW_ZERO(hsel_dataset, 1))) {
        status = hs_fail_memory(error);
        goto out;
    }
    data->mapping = (hs_region){.base = (void *)(uintptr_t)p.base, .length = p.length};
    status = fill_data(&p, data);
    p.base = NULL; /* the data set's from now on */
    if (!status) {
        *out = data;
        data = NULL;
    }
out:
    hsel_dataset_free(data);
    hs_pack_close(&p);
    return status;
}

/* ---- verify ---- */

static int lies(const char *path, const char *what, hsel_error *error)
{
    return hs_fail_at(error, HSEL_EFORMAT, path, 0, "the summary of the pack is wrong: %s", what);
}

/* But for the rounding of sums. */
static bool about_equal(double a, double b) { return a == b || fabs(a - b) <= 1e-9 * fabs(b); }

int hs_pack_verify(const char *path, int threads, hsel_error *error)
{
    hs_pack_facts facts = {0};
    hs_summary summary = {0};
    hsel_dataset *data = NULL;
    uint32_t *sizes = NULL;
    int status = hs_pack_look(path, &facts, error);
    if (status == HSEL_OK)
        status = hs_pack_read(path, &data, error);
    if (status == HSEL_OK)
        status = hs_summarise(data, threads, &summary, error);
    if (status == HSEL_OK && !(sizes = HS_NEW(uint32_t, data->class_names.count)))
        status = hs_fail_memory(error);
    if (status)
        goto out;
    hs_class_sizes(data, sizes);
#define X(field)                                                                                   \
    if (!status && facts.summary.field != summary.field)                                           \
        status = lies(path, #field, error);
    HS_PACK_COUNTS(X)
#undef X
    if (!status && !about_equal(facts.summary.positive_share, summary.positive_share))
        status = lies(path, "positive_share", error);
    if (!status && !about_equal(facts.summary.shape.paths_real, summary.shape.paths_real))
        status = lies(path, "shape.paths", error);
    for (uint32_t c = 0; c < data->class_names.count && !status; c++)
        if (facts.class_sizes[c] != sizes[c])
            status = lies(path, "class sizes", error);
out:
    hs_free(sizes);
    hsel_dataset_free(data);
    hs_pack_facts_clear(&facts);
    return status;
}

/* ---- the format ---- */

static int choose_positive(hsel_dataset *data, const char *path, const char *label,
                           hsel_error *error)
{
    uint32_t found = hs_names_find(&data->class_names, label, strlen(label));
    if (found == HSEL_NONE)
        return hs_fail_at(error, HSEL_EUSAGE, path, 0,
                          "there is no class '%.200s' to be the positive one", label);
    data->positive_class = found;
    return HSEL_OK;
}

/* The arrays stay where they are: in the mapped file. */
static void drop_classes(hsel_dataset *data)
{
    hs_names_clear(&data->class_names);
    data->class_of = NULL;
    data->positive_class = HSEL_NONE;
}

static int read_data(hs_reader *reader, const hs_column_options *options, hsel_dataset **out,
                     hsel_error *error)
{
    const char *path = hs_reader_path(reader);
    hsel_dataset *data = NULL;
    if (!path)
        return hs_fail_at(error, HSEL_EUSAGE, hs_reader_name(reader), 0,
                          "a pack is mapped, so it must be a file, not a stream");
    int status = hs_pack_read(path, &data, error);
    if (status)
        return status;
    if (options->no_class)
        drop_classes(data);
    if (options->positive && (status = choose_positive(data, path, options->positive, error)))
        hsel_dataset_free(data);
    else
        *out = data;
    return status;
}

static int sniff(const char *head, size_t length)
{
    size_t magic = sizeof HS_PACK_MAGIC - 1;
    return length >= magic && memcmp(head, HS_PACK_MAGIC, magic) == 0 ? 100 : 0;
}

static const hs_format format = {.endings = "hsel",
                                 .sniff = sniff,
                                 .read_data = read_data,
                                 .write_data = hs_pack_write,
                                 .needs_path = true};

const hs_method hs_method_pack = {
    .kind = HS_FORMAT,
    .name = "pack",
    .title = "hsel pack",
    .help = "A whole data set with its hierarchy, names and summary "
            "in one binary file, versioned and with checksums. It is "
            "mapped into memory instead of being parsed, so that "
            "large ones are there quickly. For the "
            "machine that wrote it and others of the same byte "
            "order; to pass data on to other programs use "
            "another format.",
    .citation = "format of hsel, version 1",
    .format = &format,
};
