/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packs: everything comes back; the same data give the same bytes; every changed byte and every cut
 * is found; and whoever makes the checksums right again gets an error or a data set that holds
 * together.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/random.h"
#include "data/builder.h"
#include "data/summary.h"
#include "data/transform.h"
#include "format/pack.h"
#include "format/pack_layout.h"
#include "support/cmocka.h"
#include "support/data_io.h"
#include "support/folder.h"
#include "support/oom.h"
#include "support/random_data.h"

extern const hs_method hs_method_pack, hs_method_mtx, hs_method_svmlight;
static const hs_method *const pack = &hs_method_pack;

typedef struct place {
    hs_folder folder;
    char path[128];
} place;

static void place_new(place *p)
{
    hs_folder_new(&p->folder);
    snprintf(p->path, sizeof p->path, "%s/p.hsel", p->folder.path);
}

static void add_names(hs_names *names, const char *const *texts, size_t count)
{
    hsel_error error = {0};
    for (size_t i = 0; i < count; i++)
        assert_ok(hs_names_append(names, texts[i], strlen(texts[i]), &error), error);
}

/* A bit of everything, so that no section is empty. */
static hsel_dataset *rich_data(void)
{
    static const char *const names[] = {"root",   "left",  "right", "low",
                                        "seldom", "often", "colour"};
    static const hsel_feature_type types[] = {HSEL_BINARY,  HSEL_BINARY,  HSEL_BINARY, HSEL_BINARY,
                                              HSEL_NUMERIC, HSEL_NUMERIC, HSEL_NOMINAL};
    static const uint32_t child[] = {1, 2, 3, 3}, parent[] = {0, 0, 1, 2};
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    hsel_dag *dag = NULL;
    hs_builder *builder = NULL;
    uint32_t id;
    assert_ok(hs_builder_new(&builder, &error), error);
    for (uint32_t f = 0; f < 7; f++)
        assert_ok(hs_builder_feature(builder, names[f], strlen(names[f]), types[f], &id, &error),
                  error);
    assert_ok(hs_builder_value(builder, 6, "red", 3, &id, &error), error);
    assert_ok(hs_builder_value(builder, 6, "blue", 4, &id, &error), error);
    assert_ok(hs_builder_class(builder, "no", 2, &id, &error), error);
    assert_ok(hs_builder_class(builder, "yes", 3, &id, &error), error);
    for (uint32_t i = 0; i < 5; i++) {
        char name[] = {'g', (char)('0' + i)};
        assert_ok(hs_builder_row(builder, name, 2, i == 4 ? HSEL_NONE : i % 2, &error), error);
        for (uint32_t f = 0; f <= i && f < 4; f++)
            assert_ok(hs_builder_positive(builder, f, &error), error);
        assert_ok(hs_builder_numeric(builder, 5, i == 2 ? (double)NAN : i + 0.5, &error), error);
        if (i > 0)
            assert_ok(hs_builder_nominal(builder, 6, i % 2, &error), error);
    }
    assert_ok(hs_builder_numeric(builder, 4, 3.25, &error), error);
    assert_ok(hs_builder_describe(builder, "rich", "outcome", "gene", &error), error);
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    assert_ok(hs_dag_new(7, child, parent, 4, &dag, &error), error);
    HS_OWNS(hs_names_clear) hs_names relations = {0};
    add_names(&relations, (const char *const[]){"regulates", "part_of", "is_a"}, 3);
    assert_ok(hs_dag_relate(dag, child, parent, (uint32_t[]){2, 2, 1, 0}, 4, &relations, &error),
              error);
    assert_ok(hs_dataset_attach(data, dag, &error), error);
    add_names(&data->about.columns, (const char *const[]){"label", "namespace"}, 2);
    add_names(&data->about.cells,
              (const char *const[]){"the root", "P", "", "P", "right\t\xff", "", "", "", "", "", "",
                                    "F", "", ""},
              14);
    add_names(&data->instance_about.columns, (const char *const[]){"label"}, 1);
    add_names(&data->instance_about.cells, (const char *const[]){"aak-2", "", "", "daf-16", ""}, 5);
    assert_non_null(data->provenance = hs_strdup("{\"command\":\"hsel build\"}"));
    return data;
}

/* The same with a target in place of the classes, and a covariate. */
static hsel_dataset *rich_target(void)
{
    hsel_dataset *data = rich_data();
    hs_names_clear(&data->class_names);
    hs_dataset_drop(data, hs_take(&data->class_of));
    data->positive_class = HSEL_NONE;
    data->target = HS_NEW(double, 5);
    data->covariates = HS_NEW_ZERO(uint64_t, 1);
    assert_true(data->target && data->covariates);
    memcpy(data->target, (double[]){1.5, -2, NAN, 0, 4}, 5 * sizeof *data->target);
    data->covariates[0] = 1 << 5;
    return data;
}

static void bytes_of(const hsel_dataset *data, hs_buf *out)
{
    hsel_error error = {0};
    assert_ok(hs_io_write_text(pack, data, out, &error), error);
}

/* The checksum of the header, right again. */
static void sign_header(char *bytes)
{
    hs_pack_header *header = (hs_pack_header *)bytes;
    header->checksum = 0;
    header->checksum = hs_pack_checksum(header, (const hs_pack_entry *)(header + 1));
}

static void sign_all(char *bytes)
{
    hs_pack_entry *table = (hs_pack_entry *)(bytes + sizeof(hs_pack_header));
    for (uint32_t kind = 0; kind < ((const hs_pack_header *)bytes)->sections; kind++)
        table[kind].checksum = XXH3_64bits(bytes + table[kind].offset, table[kind].length);
    sign_header(bytes);
}

/* ---- what is written comes back ---- */

static void check_round_trip(const hsel_dataset *data, const place *p)
{
    hsel_error error = {0};
    hsel_dataset *back = NULL;
    hs_buf first = {0}, second = {0};
    assert_ok(hs_io_write_file(pack, data, p->path, &error), error);
    assert_ok(hs_io_read_file(pack, p->path, NULL, &back, &error), error);
    assert_ok(hsel_dataset_check(back, &error), error);
    const char *why = hs_same_dataset(data, back, HS_SAME_ALL);
    if (why)
        fail_msg("%s", why);
    bytes_of(data, &first);
    bytes_of(back, &second);
    assert_int_equal(first.length, second.length);
    assert_memory_equal(first.text, second.text, first.length);
    hs_buf_clear(&first);
    hs_buf_clear(&second);
    hsel_dataset_free(back);
}

static void test_round_trip(void **state)
{
    (void)state;
    hs_stream stream;
    place p;
    place_new(&p);
    hs_stream_init(&stream, 1, "pack", 0, 0);
    for (int round = 0; round < 1000; round++) {
        hs_random_shape shape = hs_random_small_shape(&stream);
        shape.numeric = round % 3 ? 0 : 0.3;
        shape.nominal = round % 4 ? 0 : 0.3;
        shape.missing = 0.1;
        shape.unlabelled = round % 5 ? 0 : 0.3;
        shape.parents = round % 2;
        shape.spelling = HS_NAMES_UTF8;
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        check_round_trip(data, &p);
        hs_random_labels(&stream, data);
        check_round_trip(data, &p);
        if (data->dag) {
            hs_random_relations(&stream, data->dag);
            check_round_trip(data, &p);
        }
        hs_random_target(&stream, data);
        check_round_trip(data, &p);
        hsel_dataset_free(data);
    }
    hsel_dataset *data = rich_data();
    check_round_trip(data, &p);
    data->class_attribute[0] = '\0'; /* empty is not none */
    check_round_trip(data, &p);
    hsel_dataset_free(data);
    hs_folder_free(&p.folder);
}

static void test_options(void **state)
{
    (void)state;
    place p;
    hsel_error error = {0};
    hsel_dataset *back = NULL, *data = rich_data();
    place_new(&p);
    assert_ok(hs_io_write_file(pack, data, p.path, &error), error);
    assert_int_equal(data->positive_class, 1);
    hs_column_options options = {.positive = hsel_dataset_class_name(data, 0)};
    assert_ok(hs_io_read_file(pack, p.path, &options, &back, &error), error);
    assert_int_equal(back->positive_class, 0);
    hsel_dataset_free(back);
    back = NULL;
    char expected[256];
    options = (hs_column_options){.positive = "none such"};
    snprintf(expected, sizeof expected,
             "%s: there is no class 'none such' to use as the positive class", p.path);
    assert_int_equal(hs_io_read_file(pack, p.path, &options, &back, &error), HSEL_EUSAGE);
    assert_memory_equal(error.message, expected, strlen(expected));
    options = (hs_column_options){.no_class = true};
    assert_ok(hs_io_read_file(pack, p.path, &options, &back, &error), error);
    assert_int_equal(hsel_dataset_classes(back), 0);
    assert_int_equal(hsel_dataset_class_of(back, 0), HSEL_NONE);
    assert_ok(hsel_dataset_check(back, &error), error);
    hsel_dataset_free(back);
    hsel_dataset_free(data);
    hs_folder_free(&p.folder);
}

/* ---- damage ---- */

/* Bytes into the file, and read. */
static int read_bytes(const place *p, const void *bytes, size_t length, hsel_dataset **out,
                      hsel_error *error)
{
    *out = NULL;
    hs_io_put(p->path, bytes, length);
    return hs_pack_read(p->path, out, error);
}

/* Reading must give this message, which is about the file. */
static void refuse(const place *p, const void *bytes, size_t length, const char *message)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    char expected[512];
    snprintf(expected, sizeof expected, "%s: %s", p->path, message);
    assert_true(read_bytes(p, bytes, length, &data, &error) != HSEL_OK);
    assert_string_equal(error.message, expected);
    assert_null(data);
}

static void test_messages(void **state)
{
    (void)state;
    place p;
    hsel_dataset *data = rich_data();
    hs_buf good = {0};
    place_new(&p);
    bytes_of(data, &good);
    hsel_dataset_free(data);
    char *bytes = malloc(good.length + 10), message[256];
    assert_non_null(bytes);
    hs_pack_header *header = (hs_pack_header *)bytes;
    memset(bytes, 0, good.length + 10);
    memcpy(bytes, good.text, good.length);

    refuse(&p, bytes, 0, "not a pack: the file is empty");
    refuse(&p, "@relation x\n", 12, "not a pack");
    refuse(&p, "\x1f\x8b\x08 and so on", 13,
           "a compressed pack cannot be mapped: unpack it (gunzip)");
    refuse(&p, bytes, 5, "the pack is damaged: it is truncated in its header");
    refuse(&p, bytes, 63, "the pack is damaged: it is truncated in its header");
    snprintf(message, sizeof message,
             "the pack is damaged: it has 500 bytes, and had %zu when it was written", good.length);
    refuse(&p, bytes, 500, message);
    snprintf(message, sizeof message,
             "the pack is damaged: it has %zu bytes, and had %zu when it was written",
             good.length + 1, good.length);
    refuse(&p, bytes, good.length + 1, message);
    header->version = 7;
    refuse(&p, bytes, good.length,
           "a pack of version 7, and this hsel reads version 6: create it again from the data");
    header->version = 5;
    refuse(&p, bytes, good.length,
           "a pack of version 5, and this hsel reads version 6: create it again from the data");
    header->version = HS_PACK_VERSION;
    header->byte_order = 0x04030201;
    refuse(&p, bytes, good.length,
           "written on a machine with another byte order: transfer the data in another format");
    header->byte_order = 7;
    refuse(&p, bytes, good.length, "the pack is damaged: invalid byte order mark");
    header->byte_order = HS_PACK_BYTE_ORDER;
    header->zero = 1;
    refuse(&p, bytes, good.length, "the pack is damaged: wrong checksum of the header");
    header->zero = 0;
    header->sections = 2;
    refuse(&p, bytes, good.length, "the pack is damaged: it has a wrong number of sections");
    header->sections = HS_PACK_SECTION_COUNT;
    header->length += 1;
    sign_header(bytes);
    refuse(&p, bytes, good.length + 1,
           "the pack is damaged: unexpected data after the last section");
    free(bytes);
    hs_buf_clear(&good);
    hs_folder_free(&p.folder);
}

/* A changed byte in each section is reported under the name of that section. */
static void section_messages(hsel_dataset *data, int first, int end)
{
    place p;
    hsel_dataset *back;
    hs_buf good = {0};
    char expected[256];
    place_new(&p);
    bytes_of(data, &good);
    const hs_pack_entry *table = (const hs_pack_entry *)(good.text + sizeof(hs_pack_header));
    for (int kind = first; kind < end; kind++) {
        hsel_error error = {0};
        assert_true(table[kind].length > 0); /* the data set has everything */
        char *byte = good.text + table[kind].offset + table[kind].length - 1;
        *byte ^= 1;
        assert_int_equal(read_bytes(&p, good.text, good.length, &back, &error), HSEL_EFORMAT);
        snprintf(expected, sizeof expected,
                 "%s: the pack is damaged: wrong checksum of section \"%s\"", p.path,
                 hs_pack_sections[kind].title);
        assert_string_equal(error.message, expected);
        *byte ^= 1;
    }
    hs_buf_clear(&good);
    hsel_dataset_free(data);
    hs_folder_free(&p.folder);
}

static void test_section_messages(void **state)
{
    (void)state;
    section_messages(rich_data(), 0, HS_PACK_RELATIONS + 1);
    section_messages(rich_target(), HS_PACK_RELATIONS, HS_PACK_SECTION_COUNT);
}

static void set_byte(int file, size_t at, unsigned char value)
{
    assert_int_equal(pwrite(file, &value, 1, (off_t)at), 1);
}

/* Every byte, in three ways; padding is zero and checked, so that not one change goes through. */
static void every_byte(hsel_dataset *data)
{
    place p;
    hs_buf good = {0};
    hsel_dataset *back = NULL;
    hsel_error error = {0};
    place_new(&p);
    bytes_of(data, &good);
    hs_io_put(p.path, good.text, good.length);
    int file = open(p.path, O_WRONLY);
    assert_true(file >= 0);
    for (size_t i = 0; i < good.length; i++) {
        unsigned char byte = (unsigned char)good.text[i],
                      changed[] = {byte ^ 1, byte ^ 0x80, (unsigned char)~byte};
        for (int k = 0; k < 3; k++) {
            set_byte(file, i, changed[k]);
            if (hs_pack_read(p.path, &back, &error) == HSEL_OK)
                fail_msg("byte %zu of %zu: %u instead of %u was not found", i, good.length,
                         changed[k], byte);
        }
        set_byte(file, i, byte);
    }
    close(file);
    assert_ok(hs_pack_read(p.path, &back, &error), error);
    assert_null(hs_same_dataset(data, back, HS_SAME_ALL));
    hsel_dataset_free(back);
    hsel_dataset_free(data);
    hs_buf_clear(&good);
    hs_folder_free(&p.folder);
}

static void test_every_byte(void **state)
{
    (void)state;
    every_byte(rich_data());
    every_byte(rich_target());
}

static void test_every_cut(void **state)
{
    (void)state;
    place p;
    hs_buf good = {0};
    hsel_dataset *data = rich_data(), *back = NULL;
    place_new(&p);
    bytes_of(data, &good);
    hs_io_put(p.path, good.text, good.length);
    for (size_t length = good.length; length-- > 0;) {
        hsel_error error = {0};
        assert_int_equal(truncate(p.path, (off_t)length), 0);
        assert_int_equal(hs_pack_read(p.path, &back, &error), HSEL_EFORMAT);
    }
    hsel_dataset_free(data);
    hs_buf_clear(&good);
    hs_folder_free(&p.folder);
}

/* ---- bad faith ---- */

/* What was read must be good for all that is done with data sets. */
static void use(const hsel_dataset *data)
{
    hsel_error error = {0};
    hs_summary summary;
    hs_buf text = {0};
    assert_ok(hsel_dataset_check(data, &error), error);
    assert_ok(hs_summarise(data, &summary, &error), error);
    assert_ok(hs_io_write_text(pack, data, &text, &error), error);
    hs_buf_clear(&text);
    (void)!hs_io_write_text(&hs_method_mtx, data, &text, &error);
    hs_buf_clear(&text);
    (void)!hs_io_write_text(&hs_method_svmlight, data, &text, &error);
    hs_buf_clear(&text);
}

/* Any number anywhere (header and table too) is replaced, and all checksums are made right if the
 * table still makes sense. */
static void test_forged(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {0,
                                       1,
                                       2,
                                       3,
                                       5,
                                       6,
                                       7,
                                       8,
                                       100,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       0x100000000,
                                       UINT64_MAX / 8,
                                       UINT64_MAX / 4,
                                       UINT64_MAX - 1,
                                       UINT64_MAX};
    place p;
    hs_buf good = {0};
    hsel_dataset *data = rich_data(), *back;
    size_t read = 0, refused = 0;
    place_new(&p);
    bytes_of(data, &good);
    hsel_dataset_free(data);
    char *bytes = malloc(good.length);
    assert_non_null(bytes);
    for (size_t at = 0; at + 4 <= good.length; at += 4)
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
            hsel_error error = {0};
            size_t width = at % 8 == 0 && at + 8 <= good.length && k % 2 ? 8 : 4;
            memcpy(bytes, good.text, good.length);
            memcpy(bytes + at, &numbers[k], width);
            if (at >= HS_PACK_FRAME)
                sign_all(bytes);
            else
                sign_header(bytes);
            int status = read_bytes(&p, bytes, good.length, &back, &error);
            if (!status) {
                use(back);
                hsel_dataset_free(back);
                read++;
            } else {
                assert_non_null(strstr(error.message, p.path));
                refused++;
            }
        }
    assert_true(read > 100 && refused > 1000); /* both happen */
    free(bytes);
    hs_buf_clear(&good);
    hs_folder_free(&p.folder);
}

/* Where in a word of 8 bytes its lowest `length` bytes are. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LOW(length) (8 - (length))
#else
#define LOW(length) 0
#endif

/* Lies that only the content shows. */
static void test_forged_content(void **state)
{
    (void)state;
    static const struct {
        int section;
        size_t element;
        uint64_t value;
        const char *message;
    } cases[] = {
        {HS_PACK_ROW_STARTS, 1, 1000000, "ends before it starts"},
        {HS_PACK_ROW_STARTS, 0, 1, "wrong content of section \"row starts\""},
        {HS_PACK_ROWS, 0, 7, "is out of order or range"},
        {HS_PACK_COLUMNS, 0, 5, "is out of order or range"},
        {HS_PACK_CLASS_OF, 0, 2, "instance 0 has an unknown class"},
        {HS_PACK_NUMERIC_ROWS, 0, 5, "a sparse numeric column is out of order or range"},
        {HS_PACK_PARENTS, 0, 7, "there is no node 7"},
        {HS_PACK_ORDER, 0, 7, "there is no node 7"},
        {HS_PACK_RELATIONS, 0, 3, "edge 0 is of relation 3, and there are 3"},
        {HS_PACK_RELATIONS, 2, 0, "no edge is of relation 1"},
        {HS_PACK_RELATION_TEXT, 3, 'b', "the names of relations are wrong"},
        {HS_PACK_RELATION_STARTS, 1, 1, "wrong content of section \"relation starts\""},
        {HS_PACK_NAME_STARTS, 1, 1, "wrong content of section \"name starts\""},
        {HS_PACK_LABEL_STARTS, 1, 1000000, "wrong content of section \"label starts\""},
        {HS_PACK_INFO, 0, UINT64_MAX, "wrong content of section \"info\""},
        {HS_PACK_INFO, 0, 6, "wrong length of section \"classes of instances\""},
        /* of the set with a target */
        {HS_PACK_TARGET, 0, UINT64_C(0x7ff0000000000000),
         "the target of instance 0 is too large (limit 1e+150)"},
        {HS_PACK_COVARIATES, 0, 1, "a covariate is in the hierarchy"},
        {HS_PACK_COVARIATES, 0, 1 << 7, "a covariate is none of the features"},
    };
    place p;
    hs_buf good = {0};
    hsel_dataset *back;
    place_new(&p);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hsel_error error = {0};
        hsel_dataset *data = cases[i].section < HS_PACK_TARGET ? rich_data() : rich_target();
        bytes_of(data, &good);
        hsel_dataset_free(data);
        char *bytes = malloc(good.length);
        assert_non_null(bytes);
        const hs_pack_entry *table = (const hs_pack_entry *)(good.text + sizeof(hs_pack_header));
        const hs_pack_entry *entry = &table[cases[i].section];
        memcpy(bytes, good.text, good.length);
        assert_true(entry->length > cases[i].element * entry->element);
        memcpy(bytes + entry->offset + cases[i].element * entry->element,
               (const char *)&cases[i].value + LOW(entry->element), entry->element);
        sign_all(bytes);
        assert_int_equal(read_bytes(&p, bytes, good.length, &back, &error), HSEL_EFORMAT);
        if (!strstr(error.message, cases[i].message))
            fail_msg("case %zu: '%s' instead of '%s'", i, error.message, cases[i].message);
        free(bytes);
        hs_buf_clear(&good);
    }
    hs_folder_free(&p.folder);
}

/* ---- the rest ---- */

/* A small pack is copied: what becomes of the file does not matter. */
static void test_file_that_changes(void **state)
{
    (void)state;
    place p;
    hsel_error error = {0};
    hsel_dataset *data = rich_data(), *back = NULL;
    place_new(&p);
    assert_ok(hs_io_write_file(pack, data, p.path, &error), error);
    assert_ok(hs_pack_read(p.path, &back, &error), error);
    assert_int_equal(truncate(p.path, 0), 0); /* of a mapping, every use would be SIGBUS now */
    assert_ok(hsel_dataset_check(back, &error), error);
    const char *why = hs_same_dataset(data, back, HS_SAME_ALL);
    if (why)
        fail_msg("%s", why);
    hsel_dataset_free(back);
    hsel_dataset_free(data);
    hs_folder_free(&p.folder);
}

static void test_not_files(void **state)
{
    (void)state;
    place p;
    hsel_error error = {0};
    hsel_dataset *data = rich_data(), *back = NULL;
    char path[160], expected[512];
    place_new(&p);
    hs_io_refuse(pack, "\x89HSEL", NULL, "x: a pack is mapped, so it must be a file, not a stream");
    assert_int_equal(hs_pack_read(p.path, &back, &error), HSEL_EIO);
    snprintf(expected, sizeof expected, "%s: cannot open: No such file or directory", p.path);
    assert_string_equal(error.message, expected);
    assert_int_equal(hs_pack_read(p.folder.path, &back, &error), HSEL_EIO);
    snprintf(expected, sizeof expected,
             "%s: a pack must be a regular file, because it is mapped into memory", p.folder.path);
    assert_string_equal(error.message, expected);
    snprintf(path, sizeof path, "%s.gz", p.path);
    assert_int_equal(hs_io_write_file(pack, data, path, &error), HSEL_EUSAGE);
    snprintf(expected, sizeof expected,
             "%s: a pack cannot be compressed (it is mapped): leave out .gz", path);
    assert_string_equal(error.message, expected);
    assert_int_equal(hs_folder_count(&p.folder), 0);
    hsel_dataset_free(data);
    hs_folder_free(&p.folder);
}

static int write_and_read(void *context, hsel_error *error)
{
    const place *p = context;
    hsel_dataset *data = NULL;
    int status = hs_pack_read(p->path, &data, error);
    if (!status)
        status = hs_io_write_file(pack, data, p->path, error);
    hsel_dataset_free(data);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    place p;
    hsel_error error = {0};
    hsel_dataset *data = rich_data();
    place_new(&p);
    assert_ok(hs_io_write_file(pack, data, p.path, &error), error);
    assert_true(hs_oom_each("pack", write_and_read, &p) > 20);
    assert_int_equal(hs_folder_count(&p.folder), 1);
    hsel_dataset_free(data);
    hs_folder_free(&p.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),   cmocka_unit_test(test_options),
        cmocka_unit_test(test_messages),     cmocka_unit_test(test_section_messages),
        cmocka_unit_test(test_every_byte),   cmocka_unit_test(test_every_cut),
        cmocka_unit_test(test_forged),       cmocka_unit_test(test_forged_content),
        cmocka_unit_test(test_not_files),    cmocka_unit_test(test_file_that_changes),
        cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
