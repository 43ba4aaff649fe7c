/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparisons of rankers as they are summed up and shown: means and distances by hand, names from
 * outside made harmless, and a lack of memory at every step.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "study/report/rankings.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/oom.h"

static const char *const names[] = {"auc", "<ks>\n"};
static double first[] = {1, 0.5, 0.5, 1}, second[] = {1, 0.1, 0.1, 1}, nothing[] = {1, NAN, NAN, 1};

static hs_rankings sample(hs_ranked_data *data, size_t count)
{
    static const hs_ranked_data all[] = {{.name = "a,b", .features = 10, .matrix = first},
                                         {.name = "c", .features = 20, .matrix = second},
                                         {.name = "d", .features = 1, .matrix = nothing}};
    memcpy(data, all, count * sizeof *data);
    return (hs_rankings){.rankers = names, .ranker_count = 2, .data = data, .data_count = count};
}

static void test_sums(void **state)
{
    hsel_error error = {0};
    hs_ranked_data data[3];
    hs_rankings r = sample(data, 2);
    (void)state;
    assert_ok(hs_rankings_sum_up(&r, 5, 1, 1, &error), error);
    assert_true(fabs(r.mean[1] - 0.3) < 1e-15 && fabs(r.sd[2] - 0.4 / sqrt(2)) < 1e-15);
    assert_true(fabs(data[0].distance - sqrt(2) * 0.2) < 1e-15);
    assert_int_equal(r.random.count, 10);
    hs_rankings_clear(&r);
    r = sample(data, 1);
    assert_ok(hs_rankings_sum_up(&r, 5, 1, 1, &error), error);
    assert_null(r.mean);
}

static void test_csv_and_json(void **state)
{
    hsel_error error = {0};
    hs_ranked_data data[3];
    hs_rankings r = sample(data, 3);
    hs_buf text = {0};
    hs_writer *out = NULL;
    (void)state;
    assert_ok(hs_rankings_sum_up(&r, 0, 1, 1, &error), error);
    assert_ok(hs_writer_open_memory(&text, &out, &error), error);
    hs_rankings_csv(&r, out);
    hs_rankings_json(&r, out);
    assert_ok(hs_writer_commit(out, &error), error);
    assert_non_null(strstr(text.text, "statistic,dataset,ranker_a,ranker_b,value\n"
                                      "tau,\"a,b\",auc,\"<ks>\n\",0.5\n"
                                      "tau,c,auc,\"<ks>\n\",0.1\n"
                                      "tau,d,auc,\"<ks>\n\",\n"
                                      "mean,,auc,\"<ks>\n\",0.3\n"));
    assert_non_null(strstr(text.text, "\"features\": 20"));
    assert_non_null(strstr(text.text, "null")); /* a tau that is none */
    assert_null(strstr(text.text, "random"));
    hs_buf_clear(&text);
    hs_rankings_clear(&r);
}

static int show_once(void *context, hsel_error *error)
{
    hs_ranked_data data[3];
    hs_rankings r = sample(data, 3);
    hs_document doc = {.title = "Agreement of rankers"};
    hs_buf text = {0};
    hs_writer *out = NULL;
    int status = hs_rankings_sum_up(&r, 1, 1, 1, error);
    if (status == HSEL_OK)
        status = hs_rankings_show(&r, false, &doc, error);
    if (status == HSEL_OK)
        status = hs_rankings_heat_map(&r, context, "alone", error);
    if (status == HSEL_OK)
        status = hs_document_check(&doc, error);
    if (status == HSEL_OK)
        status = hs_writer_open_memory(&text, &out, error);
    if (status == HSEL_OK)
        hs_write_html(&doc, out);
    if (out && status == HSEL_OK)
        status = hs_writer_commit(out, error);
    else
        hs_writer_abandon(out);
    if (status == HSEL_OK) {
        assert_non_null(strstr(text.text, "&lt;ks&gt;"));
        assert_null(strstr(text.text, "<ks>"));
        assert_non_null(strstr(text.text, " style=\"--s:1.00\">1.00</td>")); /* a heat map */
    }
    hs_buf_clear(&text);
    hs_document_clear(&doc);
    hs_rankings_clear(&r);
    return status;
}

static void test_page(void **state)
{
    hs_folder folder;
    (void)state;
    hs_folder_new(&folder);
    assert_true(hs_oom_each("page", show_once, (void *)(uintptr_t)folder.path) > 30);
    hs_folder_free(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums),
                                       cmocka_unit_test(test_csv_and_json),
                                       cmocka_unit_test(test_page)};
    return cmocka_run_group_tests_name("rankings", tests, NULL, NULL);
}
