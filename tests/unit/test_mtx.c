/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrix Market: exact content, bad headers and entries with their messages, files of names, random
 * matrices in random order, round trips, every allocation failing.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/random.h"
#include "support/cmocka.h"
#include "support/data_io.h"
#include "support/folder.h"
#include "support/oom.h"
#include "support/random_data.h"

extern const hs_method hs_method_mtx;
static const hs_method *const mtx = &hs_method_mtx;

#define PATTERN "%%MatrixMarket matrix coordinate pattern general\n"
#define INTEGER "%%MatrixMarket matrix coordinate integer general\n"
#define REAL    "%%MatrixMarket matrix coordinate real general\n"
#define ARRAY   "%%MatrixMarket matrix array real general\n"

static void test_pattern(void **state)
{
    (void)state;
    hsel_dataset *data = hs_io_good(mtx,
                                    "%%matrixmarket MATRIX Coordinate pattern General\n"
                                    "% a comment\n%\n\n"
                                    " 3 4 4 \n"
                                    "3 1\n1 4\n\n  3\t3 \r\n1 1",
                                    NULL);
    assert_int_equal(data->instances, 3);
    assert_int_equal(data->features, 4);
    assert_int_equal(data->class_names.count, 0);
    assert_string_equal(hs_io_row(data, 0), "0 3");
    assert_string_equal(hs_io_row(data, 1), "");
    assert_string_equal(hs_io_row(data, 2), "0 2");
    assert_string_equal(hsel_dataset_feature_name(data, 3), "f4");
    assert_true(hs_dataset_all_binary(data));
    hsel_dataset_free(data);
}

static void test_values(void **state)
{
    (void)state;
    hsel_dataset *data =
        hs_io_good(mtx, REAL "2 4 6\n1 1 1.0\n2 1 0\n1 2 +2.5\n2 2 1\n1 3 -1e3\n2 4 nan\n", NULL);
    assert_int_equal(data->types[0], HSEL_BINARY);
    assert_int_equal(data->types[1], HSEL_NUMERIC);
    assert_true(hs_io_value(data, 0, 0) == 1);
    assert_true(hs_io_value(data, 1, 0) == 0);
    assert_true(hs_io_value(data, 0, 1) == 2.5);
    assert_true(hs_io_value(data, 1, 1) == 1);
    assert_true(hs_io_value(data, 0, 2) == -1000);
    assert_true(isnan(hs_io_value(data, 1, 3)));
    hsel_dataset_free(data);
    data = hs_io_good(mtx, INTEGER "2 2 2\n1 1 7\n2 2 1\n", NULL);
    assert_true(hs_io_value(data, 0, 0) == 7);
    assert_string_equal(hs_io_row(data, 1), "1");
    hsel_dataset_free(data);
    data = hs_io_good(mtx, ARRAY "2 3\n1\n0\n0\n0.5\n0\n1\n", NULL); /* down the columns */
    assert_string_equal(hs_io_row(data, 0), "0");
    assert_string_equal(hs_io_row(data, 1), "2");
    assert_true(hs_io_value(data, 1, 1) == 0.5);
    hsel_dataset_free(data);
    data = hs_io_good(mtx, PATTERN "0 0 0\n", NULL);
    assert_int_equal(data->instances, 0);
    hsel_dataset_free(data);
    data = hs_io_good(mtx, ARRAY "0 3\n", NULL);
    assert_int_equal(data->features, 3);
    hsel_dataset_free(data);
}

static void test_bad(void **state)
{
    (void)state;
#define NO_HEADER "x:1: no Matrix Market header (%%MatrixMarket matrix coordinate pattern general)"
    static const hs_io_bad cases[] = {
        {"", NO_HEADER},
        {"1 1 1\n1 1\n", NO_HEADER},
        {"%%MatrixMarket matrix coordinate pattern\n1 1 0\n", NO_HEADER},
        {"%%MatrixMarket matrix coordinate pattern general more\n", NO_HEADER},
        {"%MatrixMarket matrix coordinate pattern general\n", NO_HEADER},
        {"%%MatrixMarket vector coordinate pattern general\n",
         "x:1: object \"vector\" cannot be read (matrix can)"},
        {"%%MatrixMarket matrix elemental pattern general\n",
         "x:1: layout \"elemental\" cannot be read (coordinate, array can)"},
        {"%%MatrixMarket matrix coordinate complex general\n",
         "x:1: field \"complex\" cannot be read (pattern, integer, real can)"},
        {"%%MatrixMarket matrix coordinate real symmetric\n",
         "x:1: symmetry \"symmetric\" cannot be read (general can)"},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n",
         "x:1: symmetry \"skew-symmetric\" cannot be read (general can)"},
        {"%%MatrixMarket matrix array pattern general\n", "x:1: an array of pattern has no values"},
        {PATTERN, "x:1: no size line (rows columns entries)"},
        {PATTERN "% only a comment\n", "x:2: no size line (rows columns entries)"},
        {PATTERN "2 2\n", "x:2: no size line (rows columns entries)"},
        {PATTERN "2 2 1 1\n", "x:2: no size line (rows columns entries)"},
        {PATTERN "2 -2 1\n", "x:2: no size line (rows columns entries)"},
        {PATTERN "2 x 1\n", "x:2: no size line (rows columns entries)"},
        {ARRAY "2 2 4\n", "x:2: no size line (rows columns)"},
        {PATTERN "2 2 5\n", "x:2: 5 entries do not fit in 2 x 2"},
        {PATTERN "2 2 1\n3 1\n", "x:3: row 3 is not one of 1 to 2"},
        {PATTERN "2 2 1\n0 1\n", "x:3: row 0 is not one of 1 to 2"},
        {PATTERN "2 2 1\n1 0\n", "x:3: column 0 is not one of 1 to 2"},
        {PATTERN "2 2 1\n\n2 3\n", "x:4: column 3 is not one of 1 to 2"},
        {PATTERN "2 2 1\n4294967297 1\n", "x:3: row 4294967297 is not one of 1 to 2"},
        {PATTERN "2 2 1\n1\n", "x:3: \"1\" is not row column"},
        {PATTERN "2 2 1\n1 1 1\n", "x:3: \"1 1 1\" is not row column"},
        {PATTERN "2 2 1\n1 a\n", "x:3: \"1 a\" is not row column"},
        {PATTERN "2 2 1\n-1 1\n", "x:3: \"-1 1\" is not row column"},
        {PATTERN "2 2 1\n1,1\n", "x:3: \"1,1\" is not row column"},
        {PATTERN "2 2 1\n% late comment\n", "x:3: \"% late comment\" is not row column"},
        {REAL "2 2 1\n1 1\n", "x:3: \"1 1\" is not row column number"},
        {REAL "2 2 1\n1 1 x\n", "x:3: \"1 1 x\" is not row column number"},
        {REAL "2 2 1\n1 1 inf\n", "x:3: \"1 1 inf\" is not row column number"},
        {REAL "2 2 1\n1 1 1 1\n", "x:3: \"1 1 1 1\" is not row column number"},
        {INTEGER "2 2 1\n1 1 1.5\n", "x:3: \"1 1 1.5\" is not row column integer"},
        {ARRAY "1 2\n1 2\n", "x:3: \"1 2\" is not one number"},
        {ARRAY "1 2\n1\n", "x: the header declares 2 entries, and there are 1"},
        {ARRAY "1 2\n1\n2\n3\n", "x:5: more than the 2 entries that the header declares"},
        {PATTERN "2 2 2\n1 1\n", "x: the header declares 2 entries, and there are 1"},
        {PATTERN "2 2 1\n1 1\n2 2\n", "x:4: more than the 1 entries that the header declares"},
        {PATTERN "2 2 0\n1 1\n", "x:3: more than the 0 entries that the header declares"},
        {PATTERN "3 3 3\n2 3\n1 1\n2 3\n", "x: entry 2 3 is given twice"},
        {REAL "3 3 3\n2 3 0\n1 1 1\n2 3 1\n", "x: entry 2 3 is given twice"},
        {PATTERN "2000000000 2 1\n",
         "x:2: 2000000000 x 2 is more than 1073741824 rows or 268435455 columns"},
        {PATTERN "2 268435456 1\n",
         "x:2: 2 x 268435456 is more than 1073741824 rows or 268435455 columns"},
        {PATTERN "1000000000 1 1\n1 1\n",
         "x: 1000000000 rows are out of proportion to 1 values (add a file with their names)"},
        {PATTERN "1 200000000 1\n1 1\n",
         "x: 200000000 columns are out of proportion to 1 values (add a file with their names)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        hs_io_refuse(mtx, cases[i].text, NULL, cases[i].message);
}

/* ---- files of names ---- */

typedef struct place {
    hs_folder folder;
    char data[128], features[128], classes[128], ids[128];
} place;

static void place_new(place *p)
{
    hs_folder_new(&p->folder);
    snprintf(p->data, sizeof p->data, "%s/m.mtx", p->folder.path);
    snprintf(p->features, sizeof p->features, "%s/m.features.txt", p->folder.path);
    snprintf(p->classes, sizeof p->classes, "%s/m.classes.txt", p->folder.path);
    snprintf(p->ids, sizeof p->ids, "%s/m.ids.txt", p->folder.path);
}

static void put(const char *path, const char *text) { hs_io_put(path, text, strlen(text)); }

static void test_names(void **state)
{
    (void)state;
    place p;
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    place_new(&p);
    put(p.data, PATTERN "3 2 2\n1 1\n3 2\n");
    put(p.features, "GO:1\nGO 2\n");
    put(p.classes, "old\n\nanti, old\n");
    put(p.ids, "g1\ng1\n\n");
    assert_ok(hs_io_read_file(mtx, p.data, NULL, &data, &error), error);
    assert_string_equal(hsel_dataset_feature_name(data, 1), "GO 2");
    assert_int_equal(data->class_names.count, 2);
    assert_string_equal(hsel_dataset_class_name(data, 0), "anti, old");
    assert_int_equal(hsel_dataset_class_of(data, 0), 1);
    assert_int_equal(hsel_dataset_class_of(data, 1), HSEL_NONE);
    assert_int_equal(hsel_dataset_class_of(data, 2), 0);
    assert_int_equal(data->positive_class, 1);
    assert_string_equal(hsel_dataset_id(data, 1), "g1");
    assert_string_equal(hsel_dataset_id(data, 2), "");
    hsel_dataset_free(data);
    hs_column_options options = {.positive = "anti, old"};
    assert_ok(hs_io_read_file(mtx, p.data, &options, &data, &error), error);
    assert_int_equal(data->positive_class, 0);
    hsel_dataset_free(data);
    options = (hs_column_options){.no_class = true};
    assert_ok(hs_io_read_file(mtx, p.data, &options, &data, &error), error);
    assert_int_equal(data->class_names.count, 0);
    hsel_dataset_free(data);
    hs_folder_free(&p.folder);
}

static void refuse_names(const place *p, const char *file, const char *text, const char *message)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    char expected[512];
    put(file, text);
    snprintf(expected, sizeof expected, "%s%s", file, message);
    int status = hs_io_read_file(mtx, p->data, NULL, &data, &error);
    assert_string_equal(error.message, expected);
    assert_int_equal(status, HSEL_EFORMAT);
    remove(file);
}

static void test_wrong_names(void **state)
{
    (void)state;
    place p;
    char message[256];
    place_new(&p);
    put(p.data, PATTERN "3 2 2\n1 1\n3 2\n");
    snprintf(message, sizeof message, ": 3 lines for the 2 columns of %s", p.data);
    refuse_names(&p, p.features, "a\nb\nc\n", message);
    snprintf(message, sizeof message, ": 1 lines for the 2 columns of %s", p.data);
    refuse_names(&p, p.features, "a", message);
    snprintf(message, sizeof message, ": 2 lines for the 3 rows of %s", p.data);
    refuse_names(&p, p.classes, "a\nb\n", message);
    refuse_names(&p, p.ids, "a\nb\n", message);
    refuse_names(&p, p.features, "a\na\n", ":2: a is also the name on line 1");
    hs_folder_free(&p.folder);
}

/* ---- random matrices ---- */

#define ROWS    7
#define COLUMNS 6

static void random_text(hs_stream *stream, double cell[ROWS][COLUMNS], hs_buf *out)
{
    static const double values[] = {1, 1, 1, 0, -3, 2.5};
    uint32_t order[ROWS * COLUMNS], count = 0;
    size_t kinds = 3 + hs_random_below(stream, 4);
    memset(cell, 0, ROWS * sizeof *cell);
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++)
        if (hs_random_below(stream, 3) == 0) {
            order[count++] = i;
            cell[i / COLUMNS][i % COLUMNS] = values[hs_random_below(stream, kinds)];
        }
    hs_random_shuffle(stream, order, count);
    hs_buf_text(out, REAL);
    hs_buf_printf(out, "%d %d %u\n", ROWS, COLUMNS, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t r = order[i] / COLUMNS, c = order[i] % COLUMNS;
        hs_buf_printf(out, "%u %u %g\n", r + 1, c + 1, cell[r][c]);
    }
}

static void test_random_text(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "mtx", 0, 0);
    for (int round = 0; round < 2000; round++) {
        double cell[ROWS][COLUMNS];
        hs_buf text = {0};
        random_text(&stream, cell, &text);
        hsel_dataset *data = hs_io_good(mtx, text.text, NULL);
        for (uint32_t c = 0; c < COLUMNS; c++) {
            bool binary = true;
            for (uint32_t r = 0; r < ROWS; r++) {
                binary &= cell[r][c] == 0 || cell[r][c] == 1;
                assert_true(hs_io_value(data, r, c) == cell[r][c]);
            }
            assert_int_equal(data->types[c], binary ? HSEL_BINARY : HSEL_NUMERIC);
        }
        hsel_dataset_free(data);
        hs_buf_clear(&text);
    }
}

/* ---- writing ---- */

static void test_written_text(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_buf text = {0};
    hsel_dataset *data = hs_io_good(mtx, PATTERN "3 2 3\n3 2\n1 1\n3 1\n", NULL);
    assert_ok(hs_io_write_text(mtx, data, &text, &error), error);
    assert_string_equal(text.text, PATTERN "3 2 3\n1 1\n3 1\n3 2\n");
    hs_buf_clear(&text);
    hsel_dataset_free(data);
    data = hs_io_good(mtx, REAL "2 2 4\n1 1 1\n1 2 0.1\n2 2 nan\n2 1 0\n", NULL);
    assert_ok(hs_io_write_text(mtx, data, &text, &error), error);
    assert_string_equal(text.text, REAL "2 2 3\n1 1 1\n1 2 0.1\n2 2 nan\n");
    hs_buf_clear(&text);
    hsel_dataset_free(data);
}

static void test_round_trip(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 2, "mtx", 0, 0);
    for (int round = 0; round < 400; round++) {
        hsel_error error = {0};
        hsel_dataset *back = NULL;
        place p;
        char path[140];
        place_new(&p);
        hs_random_shape shape = hs_random_small_shape(&stream);
        shape.numeric = round % 3 ? 0 : 0.4;
        shape.missing = 0.1;
        shape.nominal = shape.parents = 0;
        shape.spelling = HS_NAMES_UTF8;
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        snprintf(path, sizeof path, "%s%s", p.data, round % 2 ? ".gz" : "");
        assert_ok(hs_io_write_file(mtx, data, path, &error), error);
        assert_ok(hs_io_read_file(mtx, path, NULL, &back, &error), error);
        assert_ok(hsel_dataset_check(back, &error), error);
        const char *why = hs_same_dataset(data, back, HS_SAME_IDS | HS_SAME_FEATURE_NAMES);
        if (why)
            fail_msg("round %d: %s", round, why);
        hsel_dataset_free(back);
        hsel_dataset_free(data);
        hs_folder_free(&p.folder);
    }
}

static void test_unwritable(void **state)
{
    (void)state;
    place p;
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    place_new(&p);
    put(p.data, PATTERN "2 1 1\n1 1\n");
    put(p.features, "a\n");
    assert_ok(hs_io_read_file(mtx, p.data, NULL, &data, &error), error);
    hs_buf text = {0}; /* to a stream, the name would be lost */
    assert_int_equal(hs_io_write_text(mtx, data, &text, &error), HSEL_EUSAGE);
    assert_string_equal(error.message,
                        "this format needs several files: give a file name, not standard output");
    hs_buf_clear(&text);
    data->feature_names.pool[0] = '\n';
    assert_int_equal(hs_io_write_file(mtx, data, p.data, &error), HSEL_EUNSUPPORTED);
    assert_string_equal(error.message, "the name \\x0a cannot be written to .features.txt: it has "
                                       "a line end or a byte order mark");
    assert_int_equal(hs_folder_count(&p.folder), 2); /* nothing half-written */
    hsel_dataset_free(data);
    hs_folder_free(&p.folder);
}

static int read_and_write(void *context, hsel_error *error)
{
    const char *path = context;
    hsel_dataset *data = NULL;
    int status = hs_io_read_file(mtx, path, NULL, &data, error);
    if (!status)
        status = hs_io_write_file(mtx, data, path, error);
    hsel_dataset_free(data);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    place p;
    place_new(&p);
    put(p.data, REAL "3 2 3\n1 1 1\n3 2 1\n2 2 7\n");
    put(p.features, "a\nb\n");
    put(p.classes, "x\ny\n?\n");
    put(p.ids, "1\n2\n3\n");
    assert_true(hs_oom_each("mtx", read_and_write, p.data) > 30);
    assert_int_equal(hs_folder_count(&p.folder), 5);
    hs_folder_free(&p.folder);
}

static void test_sniff(void **state)
{
    (void)state;
    assert_int_equal(mtx->format->sniff(PATTERN), 100);
    assert_int_equal(mtx->format->sniff("%%matrixmarket x"), 100);
    assert_int_equal(mtx->format->sniff("%% Matrix"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pattern),      cmocka_unit_test(test_values),
        cmocka_unit_test(test_bad),          cmocka_unit_test(test_names),
        cmocka_unit_test(test_wrong_names),  cmocka_unit_test(test_random_text),
        cmocka_unit_test(test_written_text), cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_unwritable),   cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_sniff)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
