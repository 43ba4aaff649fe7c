/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The term table (show/terms.c) against counting by hand on random data: counts, order, what is
 * significant beyond other significant terms; all forms, memory that runs out.
 */
#include <math.h>
#include <string.h>

#include "show/terms.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"

static uint32_t draw(hs_stream *stream, uint32_t below)
{
    return (uint32_t)hs_random_below(stream, below);
}

static bool has(const hsel_dataset *data, uint32_t i, uint32_t f)
{
    return hs_dataset_value(data, f, i) == 1;
}

static bool is_above(const hsel_dag *dag, uint32_t above, uint32_t below)
{
    size_t count;
    const uint32_t *parents = hsel_dag_parents(dag, below, &count);
    for (size_t i = 0; i < count; i++)
        if (parents[i] == above || is_above(dag, above, parents[i]))
            return true;
    return false;
}

/* Fisher's test of feature f among the instances with `in`. */
static double p_among(const hsel_dataset *data, const bool *in, uint32_t f)
{
    uint32_t all = 0, marked = 0, drawn = 0, both = 0;
    for (uint32_t i = 0; i < data->instances; i++) {
        if (!in[i] || data->class_of[i] == HSEL_NONE)
            continue;
        const bool is = data->class_of[i] == data->positive_class;
        all++;
        marked += is;
        drawn += has(data, i, f);
        both += is && has(data, i, f);
    }
    return hs_p_fisher(all, marked, drawn, both, HS_TAIL_BOTH, false);
}

static void check_row(const hs_term_table *t, const hs_term_row *row, const bool *significant)
{
    const hsel_dataset *data = t->data;
    const uint32_t f = row->feature;
    bool in[64], any[2] = {false, false};
    for (uint32_t c = 0; c < 2; c++) {
        double count = 0;
        for (uint32_t i = 0; i < data->instances; i++)
            count += data->class_of[i] == c && has(data, i, f);
        assert_true(t->in_class[(size_t)f * 2 + c] == count);
    }
    assert_true(row->significant == significant[f]);
    for (int above = 0; above < 2 && row->significant; above++) {
        for (uint32_t i = 0; i < data->instances; i++) {
            in[i] = true;
            for (uint32_t u = 0; data->dag && u < data->features; u++) {
                if (!significant[u] ||
                    !(above ? is_above(data->dag, u, f) : is_above(data->dag, f, u)))
                    continue;
                any[above] = true;
                in[i] &= above ? has(data, i, u) : !has(data, i, u);
            }
        }
        const double p = above ? row->within_above : row->without_below;
        if (any[above])
            assert_true(fabs(p - p_among(data, in, f)) < 1e-9);
        else
            assert_true(isnan(p));
    }
    const hs_term_finding finding = !row->significant || !data->dag ? HS_TERM_NOTHING
                                    : !any[0]                       ? HS_TERM_SPECIFIC
                                    : row->without_below <= t->options.alpha
                                        ? HS_TERM_BEYOND_BELOW
                                        : HS_TERM_THROUGH_BELOW;
    assert_int_equal(row->finding, finding);
}

struct made {
    const hsel_dataset *data;
    hs_term_options options;
};

static int make(void *context, hsel_error *error)
{
    struct made *m = context;
    static const char *const forms[] = {"text", "csv", "json", "latex"};
    HS_OWNS(hs_term_table_clear) hs_term_table table = {0};
    HS_TRY(hs_term_table_make(m->data, &m->options, &table, error));
    for (int i = 0; i < 4; i++) {
        HS_OWNS(hs_memo_clear) hs_memo memo = {0};
        HS_TRY(hs_memo_open(&memo, error));
        HS_TRY(hs_term_table_write(&table, forms[i], memo.out, error));
        HS_TRY(hs_memo_end(&memo, error));
        assert_true(memo.text.length > 0);
    }
    return HSEL_OK;
}

static void test_against_counting(void **state)
{
    (void)state;
    hs_stream stream;
    uint32_t found = 0, beyond = 0, through = 0;
    hs_stream_init(&stream, 3, "terms", 0, 0);
    for (int trial = 0; trial < 500; trial++) {
        const hs_random_shape shape = {.instances = 20 + draw(&stream, 40),
                                       .features = 1 + draw(&stream, 12),
                                       .classes = 2,
                                       .density = 0.2,
                                       .parents = trial % 4 ? 1.5 : 0,
                                       .true_path = true,
                                       .unlabelled = trial % 3 ? 0 : 0.2};
        hsel_error error = {0};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_term_table table = {0};
        bool significant[16];
        struct made m = {data,
                         {.tests = {.adjust = "bh", .threads = 1},
                          .alpha = 0.4,
                          .significant = trial % 5 == 0,
                          .top = trial % 7 ? 0 : 3}};
        assert_ok(hs_term_table_make(data, &m.options, &table, &error), error);
        assert_int_equal(table.count, data->features);
        for (uint32_t i = 0; i < table.count; i++)
            significant[table.rows[i].feature] =
                !isnan(table.rows[i].q) && table.rows[i].q <= 0.4 * (1 + 1e-12);
        uint32_t many = 0;
        for (uint32_t i = 0; i < table.count; i++) {
            const hs_term_row *row = &table.rows[i], *next = row + 1;
            check_row(&table, row, significant);
            many += row->significant;
            beyond += row->finding == HS_TERM_BEYOND_BELOW;
            through += row->finding == HS_TERM_THROUGH_BELOW;
            if (i + 1 < table.count && !m.options.significant)
                assert_true(isnan(next->p) || row->p <= next->p);
        }
        const uint32_t all = m.options.significant ? many : table.count;
        assert_int_equal(table.significant, many);
        assert_int_equal(table.shown, m.options.top && m.options.top < all ? m.options.top : all);
        found += many;
        hs_term_table_clear(&table);
        if (trial % 100 == 1)
            hs_oom_each("terms", make, &m);
        hsel_dataset_free(data);
    }
    assert_true(found > 200 && beyond > 5 && through > 5);
}

/* Numbers, nominal features, three classes, hostile names: every form comes out. */
static void test_all_kinds(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 4, "terms", 0, 0);
    for (int trial = 0; trial < 200; trial++) {
        hs_random_shape shape = hs_random_small_shape(&stream);
        shape.classes = 2 + draw(&stream, 5);
        shape.instances += 4;
        shape.numeric = 0.3;
        shape.nominal = 0.2;
        shape.spelling = HS_NAMES_UTF8;
        hsel_error error = {0};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_random_labels(&stream, data);
        struct made m = {data, {.tests = {.adjust = "bh", .threads = 1}, .alpha = 0.5}};
        const int status = make(&m, &error);
        if (status) /* fewer than two classes are left */
            assert_int_equal(status, HSEL_EUSAGE);
        hsel_dataset_free(data);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_counting),
        cmocka_unit_test(test_all_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
