/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The data of the explorer page on random data of every kind: the JSON reads back, its columns have
 * their lengths, its numbers of terms and instances are in range; and every allocation failing in
 * turn. (tests/cli/explore.py checks what is in it.)
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"

struct world {
    hsel_dataset *data;
    hs_folds folds;
    hs_chosen selectors[4], classifiers[4];
    hs_explore_request request;
};

static void world_new(struct world *w, hs_stream *stream, const char *const *selectors,
                      const char *const *classifiers, const hs_random_shape *shape)
{
    hsel_error error = {0};
    *w = (struct world){.data = hs_random_dataset(stream, shape)};
    for (uint32_t i = 0; i < w->data->instances; i++)
        w->data->class_of[i] = i % shape->classes;
    hs_random_labels(stream, w->data);
    assert_ok(hs_folds_make(w->data, HS_FOLDS_OWN, 3, 1, &w->folds, &error), error);
    w->request = (hs_explore_request){.data = w->data,
                                      .command = "hsel explore",
                                      .selectors = w->selectors,
                                      .classifiers = w->classifiers,
                                      .folds = &w->folds,
                                      .seed = 1,
                                      .how = "3 folds",
                                      .terms = 5,
                                      .details = 2,
                                      .threads = 1};
    for (; selectors[w->request.selector_count]; w->request.selector_count++) {
        size_t i = w->request.selector_count;
        assert_ok(hs_chosen_parse(HS_SELECTOR, selectors[i], &w->selectors[i], &error), error);
    }
    for (; classifiers[w->request.classifier_count]; w->request.classifier_count++) {
        size_t i = w->request.classifier_count;
        assert_ok(hs_chosen_parse(HS_CLASSIFIER, classifiers[i], &w->classifiers[i], &error),
                  error);
    }
}

static void world_free(struct world *w)
{
    for (size_t i = 0; i < w->request.selector_count; i++)
        hs_chosen_clear(&w->selectors[i]);
    for (size_t i = 0; i < w->request.classifier_count; i++)
        hs_chosen_clear(&w->classifiers[i]);
    hs_folds_clear(&w->folds);
    hsel_dataset_free(w->data);
}

static int explore(const hs_explore_request *request, hs_buf *text, hsel_error *error)
{
    HS_OWNS(hs_exploration_clear) hs_exploration made = {0};
    HS_OWNS(hs_writer_release) hs_writer *out = NULL;
    HS_TRY(hs_exploration_make(request, &made, error));
    HS_TRY(hs_writer_open_memory(text, &out, error));
    HS_TRY(hs_exploration_json(&made, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

/* ---- what is read back ---- */

static void check_places(const json_t *list, json_int_t least, size_t count)
{
    size_t i;
    const json_t *value;
    json_array_foreach(list, i, value)
    {
        assert_true(json_is_integer(value));
        assert_true(json_integer_value(value) >= least &&
                    json_integer_value(value) < (json_int_t)count);
    }
}

/* Every member of the object is a column of this length, or null. */
static void check_columns(json_t *object, size_t count)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        size_t i;
        const json_t *part;
        if (json_is_null(value))
            continue;
        assert_true(json_is_array(value));
        if (strcmp(key, "support") == 0 || strcmp(key, "correlation") == 0)
            json_array_foreach(value, i, part) assert_int_equal(json_array_size(part), count);
        else
            assert_int_equal(json_array_size(value), count);
    }
}

static void check_page(const struct world *w, const char *text)
{
    json_error_t where;
    json_t *page = json_loads(text, JSON_REJECT_DUPLICATES, &where);
    if (!page)
        fail_msg("%s at %d", where.text, where.position);
    assert_null(strpbrk(text, "<>&"));
    assert_null(strstr(text, "\u2028"));
    size_t terms = json_array_size(json_object_get(json_object_get(page, "terms"), "id")), i, j;
    const json_t *run, *parents, *runs = json_object_get(page, "runs");
    assert_int_equal(json_array_size(runs),
                     w->request.selector_count * w->request.classifier_count);
    check_columns(json_object_get(page, "terms"), terms);
    check_columns(json_object_get(page, "instances"), w->data->instances);
    json_array_foreach(json_object_get(json_object_get(page, "terms"), "parents"), i, parents)
        check_places(parents, 0, terms);
    json_array_foreach(runs, i, run)
    {
        const char *number;
        json_t *detail;
        check_columns(json_object_get(run, "terms"), terms);
        check_columns(json_object_get(run, "instances"), w->data->instances);
        json_object_foreach(json_object_get(run, "details"), number, detail)
        {
            const json_t *reason, *verdict;
            assert_true(strtoul(number, NULL, 10) < w->data->instances);
            check_places(json_object_get(detail, "has"), 0, terms);
            json_array_foreach(json_object_get(detail, "terms"), j, reason)
                assert_true(json_integer_value(json_array_get(reason, 0)) < (json_int_t)terms);
            json_array_foreach(json_object_get(detail, "verdicts"), j, verdict)
            {
                json_int_t by = json_integer_value(json_array_get(verdict, 3));
                assert_true(by >= -1 && by < (json_int_t)terms);
                assert_non_null(json_object_get(json_object_get(page, "rules"),
                                                json_string_value(json_array_get(verdict, 2))));
            }
        }
    }
    json_decref(page);
}

static void reads_back(void **unused)
{
    (void)unused;
    static const char *const over_hierarchy[] = {"rpv", "mr", "shsel", NULL},
                             *const flat[] = {"none", "top:k=2", "relieff:threshold=9", NULL},
                             *const by[] = {"nb", "tree", "knn", NULL}, *const nb[] = {"nb", NULL};
    hs_stream stream;
    hs_stream_init(&stream, 1, "explore", 0, 0);
    for (int round = 0; round < 40; round++) {
        bool mixed = round % 4 == 3;
        hs_random_shape shape = {.instances = 12 + (uint32_t)hs_random_below(&stream, 20),
                                 .features = 2 + (uint32_t)hs_random_below(&stream, 20),
                                 .classes = round % 5 ? 2 : 3,
                                 .density = 0.3,
                                 .parents = mixed ? 0 : 1.5,
                                 .numeric = mixed ? 0.4 : 0,
                                 .nominal = mixed ? 0.2 : 0,
                                 .missing = mixed ? 0.2 : 0,
                                 .true_path = true,
                                 .ids = round % 2,
                                 .spelling = HS_NAMES_UTF8};
        struct world w;
        hs_buf text = {0};
        hsel_error error = {0};
        world_new(&w, &stream, mixed ? flat : over_hierarchy, mixed ? by : nb, &shape);
        uint32_t asked[] = {1, 0, 1};
        w.request.asked = asked;
        w.request.asked_count = round % 3;
        w.request.terms = (uint32_t)round % 4;
        assert_ok(explore(&w.request, &text, &error), error);
        check_page(&w, text.text);
        hs_buf_clear(&text);
        world_free(&w);
    }
}

/* ---- without memory ---- */

static int explore_once(void *context, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    return explore(&((struct world *)context)->request, &text, error);
}

static void without_memory(void **unused)
{
    (void)unused;
    static const char *const selectors[] = {"rpv", "gtd", NULL}, *const classifiers[] = {"nb",
                                                                                         NULL};
    hs_random_shape shape = {.instances = 9,
                             .features = 6,
                             .classes = 2,
                             .density = 0.3,
                             .parents = 1.5,
                             .true_path = true};
    hs_stream stream;
    struct world w;
    hs_stream_init(&stream, 2, "explore", 0, 0);
    world_new(&w, &stream, selectors, classifiers, &shape);
    w.request.details = 1;
    assert_true(hs_oom_each("explore", explore_once, &w) > 50);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_back),
                                       cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
