/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of fields: what they write they read; what is truncated or out of range is refused.
 */
#include <string.h>

#include "core/fields.h"
#include "core/mem.h"
#include "support/cmocka.h"

typedef struct thing {
    uint32_t count, sizes[3];
    uint64_t bits[2];
    double share, any;
    uint32_t *list;
} thing;

static int fields(thing *t, hs_transfer *file, hsel_error *error)
{
    HS_FIELDS(file, HS_VALUE(t->count, 1, 5), HS_VALUES(t->sizes[0], 3, HS_SUM_TO(10)),
              HS_BIT_SET(t->bits, 70), HS_VALUE(t->share, 0, 1), HS_VALUE(t->any, HS_ANY));
    HS_FIELDS(file, HS_LIST(t->list, t->count, HS_ASCENDING(8)));
    return HSEL_OK;
}

static void write_thing(thing *t, hs_buf *out)
{
    hsel_error error = {0};
    hs_transfer file = {0};
    out->length = 0;
    assert_ok(hs_writer_open_memory(out, &file.out, &error), error);
    assert_ok(fields(t, &file, &error), error);
    assert_ok(hs_writer_commit(file.out, &error), error);
}

static int read_thing(const hs_buf *bytes, size_t length, thing *t)
{
    hsel_error error = {0};
    hs_transfer file = {.at = bytes->text, .left = length};
    *t = (thing){0};
    int status = fields(t, &file, &error);
    if (status == HSEL_OK)
        assert_int_equal(file.left, 0);
    return status;
}

static thing sound(uint32_t list[3])
{
    memcpy(list, (uint32_t[]){0, 3, 7}, 3 * sizeof *list);
    return (thing){.count = 3,
                   .sizes = {1, 2, 7},
                   .bits = {~UINT64_C(0), 63},
                   .share = 1,
                   .any = NAN,
                   .list = list};
}

static void test_round_trip_and_cuts(void **state)
{
    uint32_t list[3];
    thing t = sound(list), again;
    hs_buf bytes = {0};
    (void)state;
    write_thing(&t, &bytes);
    assert_int_equal(bytes.length, 4 + 12 + 16 + 16 + 12);
    assert_int_equal(read_thing(&bytes, bytes.length, &again), HSEL_OK);
    assert_memory_equal(again.list, list, sizeof list);
    assert_memory_equal(&again, &t, offsetof(thing, list));
    hs_free(again.list);
    for (size_t length = 0; length < bytes.length; length++) {
        assert_int_equal(read_thing(&bytes, length, &again), HSEL_EFORMAT);
        hs_free(again.list);
    }
    hs_buf_clear(&bytes);
}

static void test_out_of_range(void **state)
{
    hs_buf bytes = {0};
    (void)state;
    for (int fault = 0; fault < 9; fault++) {
        uint32_t list[3];
        thing t = sound(list), again;
        switch (fault) {
        case 0:
            t.sizes[2] = 8;
            break; /* each is within, the sum is not */
        case 1:
            t.bits[1] = 64;
            break; /* bit 70 of 70 */
        case 2:
            t.share = 1.0000001;
            break;
        case 3:
            t.share = NAN;
            break;
        case 4:
            t.share = -1e-300;
            break;
        case 5:
            list[1] = 0;
            break; /* not ascending */
        case 6:
            list[2] = 8;
            break; /* not below 8 */
        case 7:
            t.sizes[0] = UINT32_MAX;
            break;
        default:
            break; /* nothing */
        }
        write_thing(&t, &bytes);
        assert_int_equal(read_thing(&bytes, bytes.length, &again),
                         fault < 8 ? HSEL_EFORMAT : HSEL_OK);
        hs_free(again.list);
    }
    /* a count that no file could fill is refused before memory is asked for */
    uint32_t many = 6;
    memcpy(bytes.text, &many, sizeof many);
    thing again;
    assert_int_equal(read_thing(&bytes, bytes.length, &again), HSEL_EFORMAT);
    hs_buf_clear(&bytes);
}

static void test_huge_list_takes_no_memory(void **state)
{
    hsel_error error = {0};
    double *list = NULL;
    char byte = 0;
    hs_transfer file = {.at = &byte, .left = 1};
    (void)state;
    const hs_file_field table[] = {HS_LIST(list, UINT64_MAX, HS_FINITE), {.size = 0}};
    assert_int_equal(hs_fields(&file, table, &error), HSEL_EFORMAT);
    assert_null(list);
}

/* What was read is given back on the way, if the reader says so; what is to come stays. */
static void test_spent_bytes(void **state)
{
    enum { LISTS = 10, EACH = 1 << 20 };
    hsel_error error = {0};
    char *bytes = hs_alloc(LISTS, EACH), *list = NULL;
    (void)state;
    assert_non_null(bytes);
    memset(bytes, 1, LISTS * (size_t)EACH);
    hs_transfer file = {.at = bytes, .left = LISTS * (size_t)EACH, .spent = bytes};
    for (int i = 0; i < LISTS; i++) {
        const hs_file_field table[] = {HS_LIST(list, EACH, HS_ANY), {.size = 0}};
        assert_ok(hs_fields(&file, table, &error), error);
        assert_true(memcmp(list, list + 1, EACH - 1) == 0 && list[0] == 1);
        hs_free(list);
    }
    assert_true(file.left == 0);
    assert_int_equal(bytes[EACH], 0);
    assert_int_equal(bytes[LISTS * (size_t)EACH - 1], 1);
    hs_free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip_and_cuts), cmocka_unit_test(test_out_of_range),
        cmocka_unit_test(test_huge_list_takes_no_memory), cmocka_unit_test(test_spent_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
