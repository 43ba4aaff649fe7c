/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables in BIOM format, of QIIME and others: version 1 is JSON, version 2 and 2.1 are HDF5, whose
 * library is loaded when such a file is opened for the first time. Rows are observations with an
 * identifier and perhaps a taxonomy, columns are samples.
 */
#include <jansson.h>

#include "core/library.h"
#include "format/format.h"
#include "format/profile.h"

#define FAIL(...) hs_fail_at(error, HSEL_EFORMAT, file, 0, __VA_ARGS__)

/* One name of a row or column. */
static int biom_add_name(hs_names *names, const char *text, size_t length, const char *what,
                         const char *file, hsel_error *error)
{
    uint32_t id;
    bool added;
    if (!length)
        return FAIL("%s %u has no identifier", what, names->count + 1);
    if (names->count >= HS_FEATURES_LIMIT)
        return FAIL("more than %u %ss", HS_FEATURES_LIMIT, what);
    HS_TRY(hs_names_intern(names, text, length, &id, &added, error));
    return added ? HSEL_OK : FAIL("two %ss are called %.200s", what, text);
}

static void add_part(hs_buf *lineage, const char *text, size_t length)
{
    if (lineage->length)
        hs_buf_char(lineage, ';');
    hs_buf_add(lineage, text, length);
}

/* ---- JSON ---- */

enum { TREE_COST = 18 }; /* bytes that jansson's tree takes for each byte of text, about */

/* Identifiers, and for rows their taxonomy: a list of parts, or one text. */
static int read_names(const json_t *list, const char *what, hs_names *names, hs_profile *p,
                      const char *file, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf lineage = {0};
    const json_t *item, *part;
    hs_names *lineages = p ? &p->lineages : NULL;
    size_t i, k;
    bool any = false;
    if (!json_is_array(list))
        return FAIL("there is no list of %ss", what);
    json_array_foreach(list, i, item)
    {
        const json_t *id = json_object_get(item, "id");
        json_t *metadata = json_object_get(item, "metadata");
        const json_t *taxonomy = json_object_get(metadata, "taxonomy");
        for (void *at = p && !taxonomy ? json_object_iter(metadata) : NULL; at;
             at = json_object_iter_next(metadata, at)) {
            const char *key = json_object_iter_key(at);
            HS_TRY(hs_names_intern(&p->keys, key, strlen(key), &(uint32_t){0}, &(bool){0}, error));
        }
        HS_TRY(biom_add_name(names, json_string_value(id) ? json_string_value(id) : "",
                             json_string_length(id), what, file, error));
        lineage.length = 0;
        hs_buf_text(&lineage, json_is_string(taxonomy) ? json_string_value(taxonomy) : "");
        json_array_foreach(taxonomy, k, part)
        {
            if (!json_is_string(part))
                return FAIL("the taxonomy of %s %.200s is not a list of texts", what,
                            hs_names_get(names, (uint32_t)i));
            add_part(&lineage, json_string_value(part), json_string_length(part));
        }
        any |= lineage.length > 0;
        HS_NEED(!lineage.failed);
        if (lineages)
            HS_TRY(hs_names_append(lineages, HS_SPAN(lineage), error));
    }
    if (lineages && !any)
        hs_names_clear(lineages);
    return HSEL_OK;
}

static int biom_read_json(hs_reader *reader, const hs_profile_options *options, hs_profile *p,
                          hsel_error *error)
{
    const char *file = hs_reader_name(reader), *block;
    const double there = hs_memory_there();
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    size_t length;
    int got;
    json_error_t problem;
    HS_NEED(p->source = hs_strdup(file));
    hs_buf_text(&text, "");
    while ((got = hs_reader_block(reader, &block, &length, error)) > 0) {
        hs_buf_add(&text, block, length);
        HS_NEED(!text.failed);
        if (TREE_COST * (double)text.length > there)
            return hs_fail_at(error, HSEL_ENOMEM, file, 0,
                              "the table needs more than the %.0f MB of memory available; in HDF5 "
                              "(BIOM 2) it needs less",
                              there / HS_MEGABYTE);
    }
    HS_TRY(got);
    json_auto_t *all = json_loadb(text.text, text.length, 0, &problem);
    hs_buf_clear(&text);
    if (!all && !problem.text[0]) /* jansson gives no message then */
        return hs_fail_at(error, HSEL_ENOMEM, file, 0, "out of memory");
    if (!all)
        return hs_fail_at(error, HSEL_EFORMAT, file,
                          (unsigned long)(problem.line > 0 ? problem.line : 0), "%s", problem.text);
    p->columns_are_samples = true;
    HS_TRY(read_names(json_object_get(all, "rows"), "row", &p->rows, p, file, error));
    HS_TRY(read_names(json_object_get(all, "columns"), "column", &p->columns, NULL, file, error));
    const json_t *shape = json_object_get(all, "shape");
    if (shape && (json_integer_value(json_array_get(shape, 0)) != p->rows.count ||
                  json_integer_value(json_array_get(shape, 1)) != p->columns.count))
        return FAIL("shape is not that of the %u rows and %u columns", p->rows.count,
                    p->columns.count);
    const char *type = json_string_value(json_object_get(all, "matrix_type"));
    const json_t *data = json_object_get(all, "data"), *item, *cell;
    bool sparse = type && strcmp(type, "sparse") == 0;
    if (!sparse && !(type && strcmp(type, "dense") == 0))
        return FAIL("matrix_type is neither sparse nor dense");
    if (!json_is_array(data) || (!sparse && json_array_size(data) != p->rows.count))
        return FAIL("data is not a list%s", sparse ? "" : " of all rows");
    size_t i, k;
    json_array_foreach(data, i, item)
    {
        if (sparse) {
            const json_t *row = json_array_get(item, 0), *column = json_array_get(item, 1),
                         *value = json_array_get(item, 2);
            json_int_t r = json_integer_value(row), c = json_integer_value(column);
            if (json_array_size(item) != 3 || !json_is_integer(row) || !json_is_integer(column) ||
                !json_is_number(value) || r < 0 || c < 0 || r >= p->rows.count ||
                c >= p->columns.count)
                return FAIL("entry %zu of data is not [row, column, value] of the table", i + 1);
            HS_TRY(hs_profile_add(p, options, (uint32_t)r, (uint32_t)c, json_number_value(value), 0,
                                  error));
            continue;
        }
        if (json_array_size(item) != p->columns.count)
            return FAIL("row %zu of data has %zu values, not %u", i + 1, json_array_size(item),
                        p->columns.count);
        json_array_foreach(item, k, cell)
        {
            if (!json_is_number(cell))
                return FAIL("value %zu in row %zu of data is not a number", k + 1, i + 1);
            HS_TRY(hs_profile_add(p, options, (uint32_t)i, (uint32_t)k, json_number_value(cell), 0,
                                  error));
        }
    }
    return HSEL_OK;
}

static int sniff_json(const char *head)
{
    if (head[strspn(head, " \t\r\n")] != '{')
        return 0;
    return strstr(head, "\"matrix_type\"") || strstr(head, "Biological Observation Matrix") ? 95
                                                                                            : 15;
}

const hs_method hs_method_biom = {
    .kind = HS_FORMAT,
    .name = "biom",
    .title = "BIOM 1: abundance table as JSON",
    .help = "For hsel build. Rows are observations, columns samples; sparse or dense. The "
            "metadata taxonomy of a row, a list or one text, is its lineage; other metadata are "
            "not read.",
    .citation = "McDonald et al.: The Biological Observation Matrix (BIOM) format, GigaScience 1, "
                "2012",
    .format = &(const hs_format){
        .endings = "biom json", .sniff = sniff_json, .read_amounts = biom_read_json}};

/* ---- HDF5 ---- */

#ifndef HS_WITH_HDF5

static int biom_read_hdf5(hs_reader *reader, const hs_profile_options *options, hs_profile *p,
                          hsel_error *error)
{
    (void)options;
    (void)p;
    return hs_fail_at(error, HSEL_EUNSUPPORTED, hs_reader_name(reader), 0,
                      "reading HDF5 was not built in; install the library (Debian: libhdf5-dev) "
                      "and build again, or convert the table to JSON with the program biom");
}

#else

#include <hdf5.h>
#include <pthread.h>
#include <sys/stat.h>

/* The functions and variables in use, without their prefix H5. */
/* clang-format off */
#define HDF5_FUNCTIONS(X)                                                                          \
    X(open) X(Eset_auto2) X(Fopen) X(Fclose) X(Lexists) X(Dopen2) X(Dclose) X(Dread) X(Dget_space) \
    X(Dget_type) X(Dvlen_reclaim) X(Sclose) X(Sget_simple_extent_ndims)                            \
    X(Sget_simple_extent_dims) X(Tget_class) X(Tget_size) X(Tis_variable_str) X(Tcopy)             \
    X(Tset_size) X(Tset_cset) X(Tget_cset) X(Tclose)
/* clang-format on */

static struct {
    hid_t *text, *number, *whole; /* types */
#define X(name) __typeof__(H5##name) *name;
    HDF5_FUNCTIONS(X)
#undef X
} h5;
static bool has_hdf5;

static pthread_mutex_t h5_lock = PTHREAD_MUTEX_INITIALIZER; /* the library is for one thread */

static void load_hdf5(void)
{
#define X(name) "H5" #name,
    static const char *const names[] = {"H5T_C_S1_g", "H5T_NATIVE_DOUBLE_g", "H5T_NATIVE_LLONG_g",
                                        HDF5_FUNCTIONS(X) NULL};
#undef X
    has_hdf5 = hs_library_load(HS_HDF5_LIBRARY, names, &h5) && h5.open() >= 0 &&
               h5.Eset_auto2(0, NULL, NULL) >= 0;
}

/* An open file and what is open in it, for one data set at a time. */
typedef struct table {
    const char *name;
    hid_t file, set, space, type;
    hsize_t dims[2];
    int rank;
    double bytes; /* of the file */
} table;

static void close_set(table *t)
{
    if (t->type >= 0)
        h5.Tclose(t->type);
    if (t->space >= 0)
        h5.Sclose(t->space);
    if (t->set >= 0)
        h5.Dclose(t->set);
    t->type = t->space = t->set = -1;
}

static void close_table(table *t)
{
    close_set(t);
    if (t->file >= 0)
        h5.Fclose(t->file);
    pthread_mutex_unlock(&h5_lock);
}

#undef FAIL
#define FAIL(...) hs_fail_at(error, HSEL_EFORMAT, t->name, 0, __VA_ARGS__)

/* Opens a data set of at most two dimensions, with no more values than the limit of sizes has
 * bytes, and no more bytes than its file could be packed from: values that were never written take
 * no place in it. */
static int open_set(table *t, const char *path, hsel_error *error)
{
    double cells = 1, limit = (double)hs_limits_now()->size * HS_MEGABYTE;
    close_set(t);
    t->set = h5.Dopen2(t->file, path, 0);
    t->space = t->set < 0 ? -1 : h5.Dget_space(t->set);
    t->type = t->set < 0 ? -1 : h5.Dget_type(t->set);
    t->rank = t->space < 0 ? -1 : h5.Sget_simple_extent_ndims(t->space);
    if (t->type < 0 || t->rank < 1 || t->rank > 2)
        return FAIL("it has no %s, or it is damaged", path);
    t->dims[1] = 1;
    h5.Sget_simple_extent_dims(t->space, t->dims, NULL);
    for (int d = 0; d < 2; d++)
        cells *= (double)t->dims[d];
    if (cells > limit / 8)
        return hs_fail_at(error, HSEL_ELIMIT, t->name, 0,
                          "%s has %.0f values, more than {max-size} allows", path, cells);
    cells *= (double)h5.Tget_size(t->type);
    if (cells > (double)HS_RATIO_FREE && cells > (double)hs_limits_now()->ratio * t->bytes)
        return hs_fail_at(error, HSEL_ELIMIT, t->name, 0,
                          "%s unpacks to more than %llu times the size of the file; {max-ratio} "
                          "allows more",
                          path, (unsigned long long)hs_limits_now()->ratio);
    return HSEL_OK;
}

/* The texts of a set, row by row: joined by semicolons if a row has several. `what`: they are names
 * of such things. */
static int read_texts(table *t, const char *path, hs_names *names, const char *what,
                      hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf line = {0};
    HS_TRY(open_set(t, path, error));
    size_t rows = (size_t)t->dims[0], columns = (size_t)t->dims[1], count = rows * columns;
    if (h5.Tget_class(t->type) != H5T_STRING)
        return FAIL("%s does not hold texts", path);
    bool varies = h5.Tis_variable_str(t->type) > 0;
    /* One more than in the file, where a text may end without NUL. */
    size_t size = varies ? sizeof(char *) : h5.Tget_size(t->type) + 1;
    if (size < 2 || size > HS_NAME_LIMIT ||
        (double)size * (double)count > (double)hs_limits_now()->size * HS_MEGABYTE)
        return FAIL("%s has texts that are too long", path);
    HS_OWNED char *fixed = varies ? NULL : HS_NEW_ZERO(char, count *size);
    HS_OWNED char **texts = HS_NEW_ZERO(char *, count);
    HS_NEED(texts && (varies || fixed));
    for (size_t i = 0; fixed && i < count; i++)
        texts[i] = fixed + i * size;
    hid_t memory = h5.Tcopy(*h5.text);
    int bad = memory < 0 || h5.Tset_size(memory, varies ? H5T_VARIABLE : size) < 0 ||
              h5.Tset_cset(memory, h5.Tget_cset(t->type)) < 0 ||
              (count && h5.Dread(t->set, memory, 0, 0, 0, varies ? (void *)texts : fixed) < 0);
    int status = bad ? FAIL("%s cannot be read", path) : HSEL_OK;
    for (size_t r = 0; r < rows && !status; r++) {
        line.length = 0;
        hs_buf_text(&line, "");
        for (size_t c = 0; c < columns; c++) {
            const char *text = texts[r * columns + c];
            add_part(&line, text ? text : "", text ? strlen(text) : 0);
        }
        status = line.failed ? hs_fail_memory(error)
                 : what      ? biom_add_name(names, HS_SPAN(line), what, t->name, error)
                             : hs_names_append(names, HS_SPAN(line), error);
    }
    if (varies && !bad)
        h5.Dvlen_reclaim(memory, t->space, 0, texts);
    if (memory >= 0)
        h5.Tclose(memory);
    return status;
}

/* The numbers of a set, of eight bytes each, into *out, to be freed. */
static int read_numbers(table *t, const char *path, hid_t type, void **out, hsel_error *error)
{
    HS_TRY(open_set(t, path, error));
    H5T_class_t class = h5.Tget_class(t->type);
    HS_NEED(*out = hs_alloc(t->dims[0], 8));
    bool bad = t->rank != 1 || (class != H5T_INTEGER && class != H5T_FLOAT) ||
               (t->dims[0] && h5.Dread(t->set, type, 0, 0, 0, *out) < 0);
    return bad ? FAIL("%s cannot be read as numbers", path) : HSEL_OK;
}

static int biom_read_hdf5(hs_reader *reader, const hs_profile_options *options, hs_profile *p,
                          hsel_error *error)
{
    static const char values[] = "observation/matrix/data", places[] = "observation/matrix/indices",
                      starts[] = "observation/matrix/indptr";
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *path = hs_reader_path(reader);
    HS_NEED(p->source = hs_strdup(hs_reader_name(reader)));
    pthread_once(&once, load_hdf5);
    if (!has_hdf5)
        return hs_fail_at(error, HSEL_EUNSUPPORTED, p->source, 0,
                          "reading BIOM 2 needs the library %s (Debian: libhdf5-103-1)",
                          HS_HDF5_LIBRARY);
    if (!path)
        return HS_FAIL_FILE(error, reader, "an HDF5 file cannot be read from a stream");
    pthread_mutex_lock(&h5_lock);
    HS_OWNS(close_table)
    table state = {p->source, h5.Fopen(path, 0, 0), -1, -1, -1, {0}, 0, 0};
    table *t = &state;
    struct stat about;
    if (stat(path, &about) == 0)
        t->bytes = (double)about.st_size;
    if (t->file < 0)
        return FAIL("it is not an HDF5 file, compressed or damaged");
    p->columns_are_samples = true;
    HS_TRY(read_texts(t, "observation/ids", &p->rows, "row", error));
    HS_TRY(read_texts(t, "sample/ids", &p->columns, "column", error));
    if (h5.Lexists(t->file, "observation/metadata", 0) > 0 &&
        h5.Lexists(t->file, "observation/metadata/taxonomy", 0) > 0) {
        HS_TRY(read_texts(t, "observation/metadata/taxonomy", &p->lineages, NULL, error));
        if (p->lineages.count != p->rows.count)
            return FAIL("there are %u taxonomies of %u observations", p->lineages.count,
                        p->rows.count);
    }
    HS_OWNED long long *start = NULL, *column = NULL;
    HS_OWNED double *value = NULL;
    HS_TRY(read_numbers(t, starts, *h5.whole, (void **)&start, error));
    if (t->dims[0] != (hsize_t)p->rows.count + 1)
        return FAIL("%s has %llu numbers of %u observations", starts,
                    (unsigned long long)t->dims[0], p->rows.count);
    HS_TRY(read_numbers(t, places, *h5.whole, (void **)&column, error));
    hsize_t entries = t->dims[0];
    HS_TRY(read_numbers(t, values, *h5.number, (void **)&value, error));
    if (t->dims[0] != entries || start[0] != 0 || start[p->rows.count] != (long long)entries)
        return FAIL("the matrix has %llu values, %llu indices and ends at %lld",
                    (unsigned long long)t->dims[0], (unsigned long long)entries,
                    start[p->rows.count]);
    for (uint32_t r = 0; r < p->rows.count; r++)
        if (start[r] > start[r + 1])
            return FAIL("%s does not ascend", starts);
    for (uint32_t r = 0; r < p->rows.count; r++)
        for (long long k = start[r]; k < start[r + 1]; k++) {
            if (column[k] < 0 || column[k] >= p->columns.count)
                return FAIL("index %lld of the matrix is out of range", k + 1);
            HS_TRY(hs_profile_add(p, options, r, (uint32_t)column[k], value[k], 0, error));
        }
    return HSEL_OK;
}

#endif

static int sniff_hdf5(const char *head)
{
    return strncmp(head, "\x89HDF\r\n\x1a\n", 8) == 0 ? 95 : 0;
}

const hs_method hs_method_biom_hdf5 = {
    .kind = HS_FORMAT,
    .name = "biom-hdf5",
    .title = "BIOM 2: abundance table as HDF5",
    .help = "For hsel build. Read by observations (observation/ids, matrix/data, indices, indptr) "
            "and sample/ids; observation/metadata/taxonomy has the lineages. Needs the HDF5 "
            "library. Cannot be read from standard input.",
    .citation = "BIOM format, version 2.1, https://biom-format.org/documentation/format_versions/"
                "biom-2.1.html",
    .format = &(const hs_format){.endings = "biom hdf5 h5",
                                 .sniff = sniff_hdf5,
                                 .read_amounts = biom_read_hdf5,
                                 .needs_path = true}};
