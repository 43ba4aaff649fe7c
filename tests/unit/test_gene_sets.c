/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of many sets, and the evaluation of each: the same as one by one, with any number of
 * threads.
 */
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "learn/gene_sets.h"
#include "support/cmocka.h"
#include "support/data_io.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

static int read_sets(const char *text, hs_gene_sets *out, hsel_error *error)
{
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    HS_TRY(hs_reader_open_memory("x", text, strlen(text), &reader, error));
    return hs_gene_sets_read(reader, out, error);
}

/* "a: x y; b: z" */
static void expect_sets(const char *text, const char *expected)
{
    HS_OWNS(hs_gene_sets_clear) hs_gene_sets sets = {0};
    HS_OWNS(hs_buf_clear) hs_buf found = {0};
    hsel_error error = {0};
    assert_ok(read_sets(text, &sets, &error), error);
    for (uint32_t s = 0; s < sets.names.count; s++) {
        hs_buf_printf(&found, "%s%s:", s ? "; " : "", hs_names_get(&sets.names, s));
        for (uint64_t m = sets.members.start[s]; m < sets.members.start[s + 1]; m++)
            hs_buf_printf(&found, " %s", hs_names_get(&sets.genes, sets.members.index[m]));
    }
    assert_string_equal(found.text, expected);
}

static void files_are_read(void **state)
{
    static const hs_io_bad bad[] = {
        {"", "x: there are no sets in it"},
        {"# nothing\n\n \t\n", "x: there are no sets in it"},
        {"set,gene\n", "x: there are no sets in it"},
        {"a\n", "x:1: one column: a line has the name of a set, a description and members between "
                "tabs (GMT), or a set and a member"},
        {"a\tb\tc\nd\n", "x:2: one column: a line has the name of a set, a description and members "
                         "between tabs (GMT), or a set and a member"},
        {" \tb\tc\n", "x:1: no name of a set (column 1)"},
        {"a\tb\tc\na\tb\tc\n", "x:2: there are two sets named 'a'"},
        {"a,b,c\n",
         "x:1: more than two columns between commas: GMT has tabs, and a table of set and "
         "member has two columns"},
        {"a\tb\na\tb\tc\n", "x:2: more than two columns, unlike the first line"}};
    (void)state;
    expect_sets("a\tof a\tx\ty\nb\t\tz\tx\n", "a: x y; b: z x");
    expect_sets("a\tof a\tx\t\ty\t\r\nempty\tna\t\r\n\r\n# c\nb\tna\t x \n",
                "a: x y; empty:; b: x");
    expect_sets("pathway\tgene\np1\tx\np2\ty\np1\tz\n", "p1: x z; p2: y");
    expect_sets("hpo_id,gene\nHP:1,x\nHP:1,y", "HP:1: x y");
    expect_sets("path:1\thsa:1\npath:1\thsa:2\n", "path:1: hsa:1 hsa:2");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        HS_OWNS(hs_gene_sets_clear) hs_gene_sets sets = {0};
        hsel_error error = {0};
        assert_int_equal(read_sets(bad[i].text, &sets, &error), HSEL_EFORMAT);
        assert_string_equal(error.message, bad[i].message);
    }
}

enum { INSTANCES = 150, FEATURES = 8 };

/* Instances i0, i1 …; sets by features, at random, too small, too large, and of unknown names. */
struct world {
    hsel_dataset *data;
    hs_buf text;
    int threads;
};

static struct world world_new(void)
{
    hs_stream stream;
    struct world w = {.threads = 1};
    hs_random_shape shape = {
        .instances = INSTANCES, .features = FEATURES, .classes = 2, .density = 0.25, .ids = true};
    hs_stream_init(&stream, 11, "test", 0, 0);
    w.data = hs_random_dataset(&stream, &shape);
    for (uint32_t f = 0; f < 3; f++) {
        size_t count;
        const uint32_t *column = hs_column(w.data, f, &count);
        hs_buf_printf(&w.text, "feature%u\tna", f);
        for (size_t k = 0; k < count; k++)
            hs_buf_printf(&w.text, "\t%s%s", k % 2 ? "db:" : "",
                          hsel_dataset_id(w.data, column[k]));
        hs_buf_char(&w.text, '\n');
    }
    hs_buf_text(&w.text, "random\tna\tnobody");
    for (uint32_t i = 0; i < INSTANCES; i++)
        if (hs_random_below(&stream, 5) == 0)
            hs_buf_printf(&w.text, "\t%s", hsel_dataset_id(w.data, i));
    hs_buf_printf(&w.text, "\nsmall\tna\t%s\nlarge\tna", hsel_dataset_id(w.data, 0));
    for (uint32_t i = 0; i < INSTANCES - 5; i++)
        hs_buf_printf(&w.text, "\t%s", hsel_dataset_id(w.data, i));
    return w;
}

static void world_clear(struct world *w)
{
    hsel_dataset_free(w->data);
    hs_buf_clear(&w->text);
}

static hs_discover_request request_of(const struct world *w)
{
    return (hs_discover_request){.data = w->data,
                                 .selector = "none",
                                 .classifier = "nb",
                                 .folds = 4,
                                 .repeats = 1,
                                 .top = 1,
                                 .allow_violations = true,
                                 .seed = 1,
                                 .threads = w->threads};
}

static int evaluate(const struct world *w, hs_gene_sets *sets, hs_set_results *out,
                    hsel_error *error)
{
    const hs_discover_request request = request_of(w);
    HS_TRY(read_sets(w->text.text, sets, error));
    return hs_evaluate_sets(&request, sets, 5, 100, out, error);
}

static void as_one_by_one(void **state)
{
    struct world w = world_new();
    hsel_error error = {0};
    (void)state;
    for (w.threads = 1; w.threads <= 3; w.threads++) {
        HS_OWNS(hs_gene_sets_clear) hs_gene_sets sets = {0};
        HS_OWNS(hs_set_results_clear) hs_set_results found = {0};
        assert_ok(evaluate(&w, &sets, &found, &error), error);
        assert_int_equal(found.count, 6);
        assert_int_equal(found.evaluated, 4);
        assert_int_equal(found.missing.count, 1);
        assert_string_equal(hs_names_get(&found.missing, 0), "nobody");
        assert_true(found.items[4].small && found.items[5].large);
        assert_int_equal(found.items[4].matched, 1);
        assert_int_equal(found.items[5].matched, INSTANCES - 5);
        assert_string_equal(hs_names_get(&sets.names, found.items[3].set), "random");
        assert_int_equal(found.items[3].size, found.items[3].matched + 1);
        for (uint32_t s = 0; s < found.evaluated; s++) {
            const hs_set_result *r = &found.items[s];
            HS_OWNED bool *known = HS_NEW_ZERO(bool, INSTANCES);
            HS_OWNS(hs_discovery_clear) hs_discovery alone = {0};
            hs_discover_request request = request_of(&w);
            for (uint64_t m = sets.members.start[r->set]; m < sets.members.start[r->set + 1]; m++) {
                const char *name = hs_names_get(&sets.genes, sets.members.index[m]);
                name += strncmp(name, "db:", 3) ? 0 : 3;
                for (uint32_t i = 0; i < INSTANCES; i++)
                    if (strcmp(hsel_dataset_id(w.data, i), name) == 0)
                        known[i] = true;
            }
            request.known = known;
            assert_ok(hs_discover(&request, &alone, &error), error);
            assert_int_equal(alone.known, r->matched);
            assert_true(r->metrics.auroc == alone.metrics.auroc &&
                        r->metrics.prior.share == alone.metrics.prior.share &&
                        r->metrics.top[0].known == alone.metrics.top[0].known);
            if (r->set < 3) /* a feature says who its members are */
                assert_true(r->metrics.auroc > 0.95);
            else
                assert_true(r->metrics.auroc < 0.7);
            const hs_pu_top *top = hs_set_top(&r->metrics);
            assert_true(top && top->k == 2);
            assert_true(s == 0 || found.items[s - 1].metrics.auroc >= r->metrics.auroc);
        }
    }
    world_clear(&w);
}

static int all_of_it(void *context, hsel_error *error)
{
    HS_OWNS(hs_gene_sets_clear) hs_gene_sets sets = {0};
    HS_OWNS(hs_set_results_clear) hs_set_results found = {0};
    return evaluate(context, &sets, &found, error);
}

static void lack_of_memory(void **state)
{
    struct world w = world_new();
    (void)state;
    w.text.length = strlen("feature0\tna\n");
    memcpy(w.text.text, "a\tna", 4);
    w.text.length = 4;
    for (uint32_t i = 0; i < 20; i++)
        hs_buf_printf(&w.text, "\t%s", hsel_dataset_id(w.data, 3 * i));
    hs_oom_each("sets", all_of_it, &w);
    world_clear(&w);
}

static void nothing_matches(void **state)
{
    struct world w = world_new();
    hsel_error error = {0};
    (void)state;
    w.text.length = 0;
    hs_buf_text(&w.text, "a\tna\tnobody\tnothing\n");
    assert_int_equal(all_of_it(&w, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "no member of a set is in"));
    world_clear(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(as_one_by_one),
        cmocka_unit_test(lack_of_memory),
        cmocka_unit_test(nothing_matches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
