/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data sets from random hierarchies and annotations: the same as from a slow twin that follows the
 * definition.
 */
#include "support/cmocka.h"

#include <stdio.h>

#include "core/random.h"
#include "support/assemble_world.h"

enum { TERMS = 9, OBJECTS = 8 };

typedef struct twin {
    bool parent[TERMS][TERMS]; /* parent[c][p]: p is a parent of c */
    bool annotated[OBJECTS][TERMS], negated[OBJECTS][TERMS];
    bool value[OBJECTS][TERMS];
    bool feature[TERMS];
} twin;

/* Is a above or equal to b? By definition, to any depth. */
static bool is_above(const twin *t, int a, int b)
{
    if (a == b)
        return true;
    for (int p = 0; p < TERMS; p++)
        if (t->parent[b][p] && is_above(t, a, p))
            return true;
    return false;
}

static bool forbidden(const twin *t, int object, int term)
{
    for (int n = 0; n < TERMS; n++)
        if (t->negated[object][n] && is_above(t, n, term))
            return true;
    return false;
}

static void work_out(twin *t, const hs_assemble_options *options)
{
    for (int o = 0; o < OBJECTS; o++)
        for (int d = 0; d < TERMS; d++) {
            bool out = options->negated == HS_NOT_BLOCK && forbidden(t, o, d);
            for (int a = 0; a < TERMS; a++)
                if (t->annotated[o][d] && !out &&
                    (a == d || (!options->no_propagate && is_above(t, a, d))))
                    t->value[o][a] = true;
        }
    for (int a = 0; a < TERMS; a++) {
        uint32_t support = 0;
        for (int o = 0; o < OBJECTS; o++)
            support += t->value[o][a];
        t->feature[a] = support > 0 && support >= options->min_support;
    }
}

static void show_twin(const twin *t, hs_buf *out)
{
    for (int o = 0; o < OBJECTS; o++) {
        hs_buf row = {0};
        for (int a = 0; a < TERMS; a++)
            if (t->value[o][a] && t->feature[a])
                hs_buf_printf(&row, " t%d", a);
        if (row.length)
            hs_buf_printf(out, "o%d %s:%s\n", o, o % 2 ? "b" : "a", row.text);
        hs_buf_clear(&row);
    }
}

/* The same world for both: term t<i> may have parents with lower numbers only. */
static void make_twins(hs_stream *stream, twin *t, hs_assemble_world *w)
{
    hsel_error error = {0};
    char a[8], b[8];
    for (int c = 0; c < TERMS; c++)
        for (int p = 0; p < c; p++)
            if (hs_random_below(stream, 3) == 0) {
                t->parent[c][p] = true;
                int child = snprintf(a, sizeof a, "t%d", c), up = snprintf(b, sizeof b, "t%d", p);
                assert_ok(hs_graph_named_edge(&w->graph, a, (size_t)child, b, (size_t)up, &error),
                          error);
            }
    for (int c = 0; c < TERMS; c++) {
        uint32_t id;
        int length = snprintf(a, sizeof a, "t%d", c);
        assert_ok(hs_names_intern(&w->graph.terms, a, (size_t)length, &id, NULL, &error), error);
    }
    for (int i = 0; i < 16; i++) {
        int o = (int)hs_random_below(stream, OBJECTS), c = (int)hs_random_below(stream, TERMS);
        bool negated = hs_random_below(stream, 5) == 0;
        *(negated ? &t->negated[o][c] : &t->annotated[o][c]) = true;
        int object = snprintf(a, sizeof a, "o%d", o), term = snprintf(b, sizeof b, "t%d", c);
        assert_ok(hs_annotations_add(&w->annotations, a, (size_t)object, b, (size_t)term, NULL, 0,
                                     negated, 1, &error),
                  error);
    }
    assert_ok(hs_add_labels(&w->labels,
                            "id\tclass\no0\ta\no1\tb\no2\ta\no3\tb\no4\ta\no5\tb\no6\ta\no7\tb\n",
                            NULL, &error),
              error);
}

static void the_twin_agrees(void **state)
{
    (void)state;
    size_t compared = 0;
    for (uint64_t round = 0; round < 3000; round++) {
        hs_stream stream;
        twin t = {0};
        hs_assemble_world w = {0};
        hsel_error error = {0};
        hs_buf expected = {0}, got = {0};
        hs_stream_init(&stream, 7, "assemble", round, 0);
        w.options.min_support = (uint32_t)hs_random_below(&stream, 4);
        w.options.no_propagate = hs_random_below(&stream, 4) == 0;
        w.options.negated = hs_random_below(&stream, 2) ? HS_NOT_BLOCK : HS_NOT_DROP;
        make_twins(&stream, &t, &w);
        work_out(&t, &w.options);
        show_twin(&t, &expected);
        int status = hs_assemble_world_run(&w, &error);
        assert_int_equal(status, expected.length ? HSEL_OK : HSEL_EFORMAT);
        if (!status) {
            assert_ok(hsel_dataset_check(w.data, &error), error);
            hs_assemble_show_rows(w.data, &got);
            assert_string_equal(got.text, expected.text);
            compared++;
        }
        hs_buf_clear(&expected);
        hs_buf_clear(&got);
        hs_assemble_world_clear(&w);
    }
    assert_true(compared > 2500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_twin_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
