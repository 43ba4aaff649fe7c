/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparisons as a whole: what is made, the groups, the sentences, the picture, and memory running
 * out on the way. The printed tables are in tests/cli/compare.tst, the statistics themselves in
 * test_compare.c and its neighbours.
 */
#include "show/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "show/document.h"
#include "support/cmocka.h"
#include "support/oom.h"

static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g",
                                    "h", "i", "j", "k", "l", "m"};

static hs_comparison_request request_of(const double *value, size_t rows, size_t columns)
{
    return (hs_comparison_request){.results = {rows, columns, value, false},
                                   .methods = names,
                                   .datasets = names,
                                   .control = SIZE_MAX,
                                   .alpha = 0.05};
}

/* Every row ranks the methods in the same order, first best. */
static void fill_in_order(double *value, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows * columns; i++)
        value[i] = 50.0 - (double)(i % columns);
}

typedef void (*say)(const hs_comparison *, hs_writer *);

static char *text_of(const hs_comparison_request *request, say words)
{
    hs_comparison comparison = {0};
    hs_buf text = {0};
    hs_writer *out;
    hsel_error error;
    assert_ok(hs_comparison_make(request, &comparison, &error), error);
    assert_ok(hs_writer_open_memory(&text, &out, &error), error);
    words(&comparison, out);
    assert_ok(hs_writer_commit(out, &error), error);
    hs_comparison_clear(&comparison);
    return text.text;
}

static void assert_words(const hs_comparison_request *request, const char *expected)
{
    hs_comparison comparison = {0};
    hs_buf got = {0};
    hsel_error error;
    assert_ok(hs_comparison_make(request, &comparison, &error), error);
    hs_comparison_words(&comparison, &got);
    assert_string_equal(got.text, expected);
    hs_buf_clear(&got);
    hs_comparison_clear(&comparison);
}

/* ---- words ---- */

static void test_words_of_clear_results(void **state)
{
    (void)state;
    double value[12 * 3];
    fill_in_order(value, 12, 3);
    hs_comparison_request request = request_of(value, 12, 3);
    request.control = 1;
    assert_words(
        &request,
        "a has the best mean rank (1.00) over 12 data sets. Friedman's test rejects that all "
        "methods "
        "perform alike (exact p = 2.8e-09). By Holm's procedure the control b is "
        "significantly better than c, and significantly worse than a. By Nemenyi's test (critical "
        "difference 0.96) any two methods differ significantly.");
    request.one_sided = true;
    request.results.lower_is_better = true;
    assert_words(
        &request,
        "c has the best mean rank (1.00) over 12 data sets. Friedman's test rejects that all "
        "methods "
        "perform alike (exact p = 2.8e-09). By Holm's procedure (one-sided) the "
        "control "
        "b is significantly better than a. By Nemenyi's test (critical difference 0.96) any two "
        "methods differ significantly.");
}

static void test_words_of_chance(void **state)
{
    (void)state;
    const double value[] = {1, 2, 3, 2, 3, 1, 3, 1, 2};
    hs_comparison_request request = request_of(value, 3, 3);
    request.control = 2;
    assert_words(
        &request,
        "a, b and c share the best mean rank (2.00) over 3 data sets. Friedman's test does not "
        "reject "
        "that all methods perform alike (exact p = 1.0000): what follows may be chance. "
        "By "
        "Holm's procedure the control c is not significantly better than any other method, nor "
        "worse. "
        "By Nemenyi's test (critical difference 1.91) no two methods differ significantly. "
        "Caution: "
        "3 data sets are few for these tests (about 10 are needed).");
}

static void test_words_of_too_little(void **state)
{
    (void)state;
    const double value[] = {1, 2, 3, NAN};
    hs_comparison_request request = request_of(value, 2, 2);
    request.control = 0;
    assert_words(&request, "Too little for a test over all methods: it needs two data sets or more "
                           "on which every method "
                           "has a result, and there is 1.");
    request = request_of(value + 2, 1, 2);
    assert_words(&request, "Too little for a test over all methods: it needs two data sets or more "
                           "on which every method "
                           "has a result, and there are 0.");
    request = request_of(value, 3, 1);
    assert_words(&request, "There is nothing to compare with only one method.");
}

/* ---- groups ---- */

struct span {
    size_t first, last;
};

struct spans {
    struct span span[13];
    size_t count;
};

static void keep_span(void *context, size_t first, size_t last)
{
    struct spans *spans = context;
    spans->span[spans->count++] = (struct span){first, last};
}

/* The definition: a run within one difference that can be lengthened at neither end. */
static void twin_groups(const double *rank, size_t count, double difference, struct spans *out)
{
    out->count = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            if (rank[j] - rank[i] < difference && (i == 0 || rank[j] - rank[i - 1] >= difference) &&
                (j + 1 == count || rank[j + 1] - rank[i] >= difference))
                keep_span(out, i, j);
}

static void test_groups_of_twin(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "groups", 0, 0);
    for (int i = 0; i < 20000; i++) {
        double rank[13];
        uint32_t order[13];
        size_t count = 2 + hs_random_below(&stream, 12);
        double at = 1;
        for (size_t j = 0; j < count; j++) {
            rank[j] = at += (double)hs_random_below(&stream, 5) / 4;
            order[j] = (uint32_t)j;
        }
        hs_comparison c = {.ranks.mean = rank, .order = order};
        c.request.results.columns = count;
        c.friedman.critical_difference = 0.25 + (double)hs_random_below(&stream, 12) / 4;
        struct spans got = {0}, expected;
        for (hs_group g = {0}; hs_next_group(&c, &g);)
            keep_span(&got, g.first, g.last);
        twin_groups(rank, count, c.friedman.critical_difference, &expected);
        assert_int_equal(got.count, expected.count);
        assert_memory_equal(got.span, expected.span, got.count * sizeof *got.span);
    }
}

/* ---- pairs and correlation ---- */

static void test_pairs_mirror(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "pairs", 0, 0);
    for (int i = 0; i < 2000; i++) {
        double value[10 * 4], covariate[10], one[10], other[10];
        hs_comparison c = {0};
        hsel_error error;
        for (size_t j = 0; j < 40; j++)
            value[j] =
                hs_random_below(&stream, 20) ? (double)hs_random_below(&stream, 6) : (double)NAN;
        for (size_t j = 0; j < 10; j++)
            covariate[j] = hs_random_double(&stream);
        hs_comparison_request request = request_of(value, 10, 4);
        request.keep_zeros = hs_random_below(&stream, 2);
        request.covariate = covariate;
        assert_ok(hs_comparison_make(&request, &c, &error), error);
        for (size_t a = 0; a < 4; a++) {
            for (size_t b = 0; b < 4; b++) {
                hs_wilcoxon w, *got = &c.wilcoxon[a * 4 + b];
                for (size_t r = 0; r < 10; r++) {
                    one[r] = value[r * 4 + a];
                    other[r] = value[r * 4 + b];
                }
                assert_ok(hs_wilcoxon_test(one, other, 10, request.keep_zeros, &w, &error), error);
                assert_true(got->v == w.v && got->p == w.p && got->n == w.n &&
                            got->zeros == w.zeros && got->exact == w.exact);
            }
            hs_correlation r = hs_pearson(one, covariate, 10);
            assert_true(r.n == c.correlation[a].n && (r.r == c.correlation[a].r || isnan(r.r)));
        }
        hs_comparison_clear(&c);
    }
}

/* ---- the diagram ---- */

static void draw(const hs_comparison *c, hs_writer *out)
{
    hsel_error error;
    assert_ok(hs_cd_svg(c, out, &error), error);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

static void test_diagram_has_everything(void **state)
{
    (void)state;
    double value[30 * 13];
    for (size_t columns = 2; columns <= 13; columns++) {
        fill_in_order(value, 30, columns);
        hs_comparison_request request = request_of(value, 30, columns);
        request.control = 0;
        char *svg = text_of(&request, draw);
        assert_int_equal(count_of(svg, "<polyline"), columns);
        assert_int_equal(count_of(svg, "font-weight=\"bold\">a</tspan>"), 1);
        for (size_t i = 0; i < columns; i++) {
            char name[32];
            snprintf(name, sizeof name, ">%s</tspan>", names[i]);
            assert_int_equal(count_of(svg, name), 1);
            snprintf(name, sizeof name, "%zu.00", i + 1);
            assert_non_null(strstr(svg, name));
        }
        assert_null(strstr(svg, "nan"));
        assert_null(strstr(svg, "inf"));
        assert_non_null(strstr(svg, "over 30 data sets"));
        assert_string_equal(svg + strlen(svg) - 7, "</svg>\n");
        hs_free(svg);
    }
}

static void test_diagram_of_hostile_names(void **state)
{
    (void)state;
    static const char *const hostile[] = {
        "<script>&\"'", "line\nend\x01", "\xff\xfe",
        "a name that is far longer than any diagram could show in one line of it"};
    const double value[] = {1, 2, 3, 4, 2, 1, 4, 3};
    hs_comparison_request request = request_of(value, 2, 4);
    request.methods = hostile;
    char *svg = text_of(&request, draw);
    assert_null(strstr(svg, "<script>"));
    assert_non_null(strstr(svg, "&lt;script&gt;&amp;&quot;&#39;"));
    assert_non_null(strstr(svg, "line end "));
    assert_null(strchr(svg, '\xff'));
    assert_non_null(strstr(svg, ">a name that is far longer than any diagr…<"));
    assert_non_null(strstr(
        svg,
        "<title>a name that is far longer than any diagram could show in one line of it</title>"));
    hs_free(svg);
}

static void test_diagram_needs_a_test(void **state)
{
    (void)state;
    const double value[] = {1, 2};
    hs_comparison_request request = request_of(value, 1, 2);
    hs_comparison c = {0};
    hs_buf text = {0};
    hs_writer *out;
    hsel_error error;
    assert_ok(hs_comparison_make(&request, &c, &error), error);
    assert_ok(hs_writer_open_memory(&text, &out, &error), error);
    assert_int_equal(hs_cd_svg(&c, out, &error), HSEL_EUSAGE);
    assert_string_equal(
        error.message,
        "a critical-difference diagram needs two methods and two data sets or more on which "
        "every method has a result; there is 1");
    hs_writer_abandon(out);
    hs_buf_clear(&text);
    hs_comparison_clear(&c);
}

/* ---- memory ---- */

static int everything(void *context, hsel_error *error)
{
    hs_comparison_request request = request_of(context, 12, 5);
    hs_comparison c = {0};
    hs_buf text = {0};
    hs_writer *out = NULL;
    request.control = 2;
    request.covariate = context;
    request.covariate_name = "x";
    int status = hs_comparison_make(&request, &c, error);
    if (status == HSEL_OK)
        status = hs_writer_open_memory(&text, &out, error);
    if (status == HSEL_OK)
        status = hs_comparison_print(&c, out, error);
    hs_json json = {.out = out};
    if (status == HSEL_OK)
        status = hs_comparison_json(&c, &json, error);
    if (status == HSEL_OK)
        status = hs_cd_svg(&c, out, error);
    if (status == HSEL_OK)
        status = hs_writer_commit(out, error);
    else
        hs_writer_abandon(out);
    hs_buf_clear(&text);
    hs_comparison_clear(&c);
    return status;
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    double value[12 * 5];
    fill_in_order(value, 12, 5);
    assert_true(hs_oom_each("comparison", everything, value) > 30);
}

/* compare and report say it alike. */
static void test_p_values(void **state)
{
    (void)state;
    static const struct {
        double p;
        const char *cell, *sentence;
    } cases[] = {{0.03125, "0.0312", "p = 0.0312"},   {3.14e-5, "3.1e-05", "p = 3.1e-05"},
                 {2.3e-16, "2.3e-16", "p = 2.3e-16"}, {2.1e-16, "<2.2e-16", "p < 2.2e-16"},
                 {0, "<2.2e-16", "p < 2.2e-16"},      {NAN, "–", "p = –"}};
    hs_document doc = {0};
    char text[32];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(hs_p_text(cases[i].p, false, text), cases[i].cell);
        assert_string_equal(hs_p_text(cases[i].p, true, text), cases[i].sentence);
        assert_string_equal(hs_p_value(&doc, cases[i].p, false), cases[i].cell);
        assert_string_equal(hs_p_value(&doc, cases[i].p, true), cases[i].sentence);
    }
    hs_document_clear(&doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_of_clear_results),
        cmocka_unit_test(test_words_of_chance),
        cmocka_unit_test(test_words_of_too_little),
        cmocka_unit_test(test_groups_of_twin),
        cmocka_unit_test(test_pairs_mirror),
        cmocka_unit_test(test_diagram_has_everything),
        cmocka_unit_test(test_diagram_of_hostile_names),
        cmocka_unit_test(test_diagram_needs_a_test),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_p_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
