/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A numeric target: taken from a feature, from what is known of instances, from classes; kept by
 * every transformation and through every format; what cannot be one is refused.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "data/bits.h"
#include "data/classes.h"
#include "data/folds.h"
#include "data/summary.h"
#include "data/transform.h"
#include "support/cmocka.h"
#include "support/data_io.h"
#include "support/folder.h"
#include "support/oom.h"
#include "support/random_data.h"

extern const hs_method hs_method_arff, hs_method_csv, hs_method_tsv, hs_method_svmlight,
    hs_method_mtx, hs_method_pack;

static hsel_dataset *random_mixed(hs_stream *stream, bool nominal)
{
    hs_random_shape shape = hs_random_small_shape(stream);
    shape.instances += 3;
    shape.features += 3;
    shape.classes = 2;
    shape.numeric = 0.5;
    shape.nominal = nominal ? 0.2 : 0;
    shape.parents = 0.5;
    return hs_random_dataset(stream, &shape);
}

/* A feature becomes the target: its values are the target, it is a feature no more, the class that
 * was in use is a further one and comes back. */
static void test_from_feature(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 1, "target", 0, 0);
    for (int round = 0; round < 300; round++) {
        hsel_dataset *data = random_mixed(&stream, true), *with = NULL;
        hsel_error error = {0};
        HS_OWNED bool *all = HS_NEW(bool, data->features);
        memset(all, true, data->features);
        uint32_t f = (uint32_t)hs_random_below(&stream, data->features);
        const char *name = hsel_dataset_feature_name(data, f);
        bool labelled = data->class_of != NULL, large = false;
        for (uint32_t i = 0; i < data->instances; i++)
            large |= fabs(hs_dataset_value(data, f, i)) > HS_TARGET_LIMIT;
        assert_ok(hs_dataset_subset(data, all, &with, &error), error);
        int status = hs_target_use(&with, name, false, &error);
        if (data->types[f] == HSEL_NOMINAL) { /* its values are words */
            assert_int_equal(status, HSEL_EUSAGE);
            assert_non_null(strstr(error.message, "is not a number"));
        } else if (large) {
            assert_int_equal(status, HSEL_EUSAGE);
            assert_non_null(strstr(error.message, "is beyond 1e+150"));
        } else {
            assert_ok(status, error);
            assert_ok(hs_dataset_check(with, &error), error);
            assert_int_equal(with->features, data->features - 1);
            assert_string_equal(with->class_attribute, name);
            assert_int_equal(with->class_names.count, 0);
            for (uint32_t i = 0; i < data->instances; i++) {
                double value = hs_dataset_value(data, f, i);
                assert_true(with->target[i] == value || (isnan(with->target[i]) && isnan(value)));
                assert_int_equal(hs_has_label(with, i), !isnan(value));
            }
            if (labelled) {
                const char *was = data->class_attribute ? data->class_attribute : "class";
                assert_ok(hs_class_use(with, was, &error), error);
                assert_null(with->target);
                for (uint32_t i = 0; i < data->instances; i++) {
                    uint32_t a = hsel_dataset_class_of(data, i), b = hsel_dataset_class_of(with, i);
                    assert_int_equal(a == HSEL_NONE, b == HSEL_NONE);
                    if (a != HSEL_NONE)
                        assert_string_equal(hsel_dataset_class_name(data, a),
                                            hsel_dataset_class_name(with, b));
                }
                /* And the target is a column like other further classes. */
                assert_ok(hs_target_use(&with, name, false, &error), error);
                for (uint32_t i = 0; i < data->instances; i++) {
                    double value = hs_dataset_value(data, f, i);
                    assert_true(with->target[i] == value ||
                                (isnan(with->target[i]) && isnan(value)));
                }
            }
        }
        hsel_dataset_free(with);
        hsel_dataset_free(data);
    }
}

/* Instances and features that are kept keep target and covariates. */
static void test_transformations(void **state)
{
    (void)state;
    hs_stream stream;
    hs_stream_init(&stream, 2, "target", 0, 0);
    for (int round = 0; round < 300; round++) {
        hsel_dataset *data = random_mixed(&stream, true), *fewer = NULL, *smaller = NULL;
        hsel_error error = {0};
        uint32_t next = 0;
        hs_random_target(&stream, data);
        HS_OWNED bool *keep = HS_NEW(bool, data->instances);
        HS_OWNED bool *features = HS_NEW(bool, data->features);
        for (uint32_t i = 0; i < data->instances; i++)
            keep[i] = hs_random_below(&stream, 2);
        for (uint32_t f = 0; f < data->features; f++)
            features[f] = hs_random_below(&stream, 2);
        assert_ok(hs_dataset_keep_instances(data, keep, &fewer, &error), error);
        assert_ok(hs_dataset_check(fewer, &error), error);
        for (uint32_t i = 0; i < data->instances; i++)
            if (keep[i]) {
                double a = data->target[i], b = fewer->target[next++];
                assert_true(a == b || (isnan(a) && isnan(b)));
            }
        assert_ok(hs_dataset_subset(fewer, features, &smaller, &error), error);
        assert_ok(hs_dataset_check(smaller, &error), error);
        next = 0;
        for (uint32_t f = 0; f < data->features; f++)
            if (features[f])
                assert_int_equal(hs_is_covariate(smaller, next++), hs_is_covariate(data, f));
        hsel_dataset_free(smaller);
        hsel_dataset_free(fewer);
        hsel_dataset_free(data);
    }
}

/* Written and read back: the target is the column that is named, or the labels of formats that have
 * no names for them. Covariates are a matter of packs (test_pack.c). */
static void test_formats(void **state)
{
    (void)state;
    static const struct {
        const hs_method *format;
        const char *ending;
        bool labels;
    } formats[] = {{&hs_method_arff, "arff", false},
                   {&hs_method_csv, "csv", false},
                   {&hs_method_tsv, "tsv", false},
                   {&hs_method_svmlight, "svm", true},
                   {&hs_method_mtx, "mtx", true}};
    hs_folder folder;
    hs_stream stream;
    hs_folder_new(&folder);
    hs_stream_init(&stream, 3, "target", 0, 0);
    for (int round = 0; round < 300; round++) {
        const size_t k = (size_t)round % 5;
        hsel_dataset *data = random_mixed(&stream, !formats[k].labels), *back = NULL;
        hsel_error error = {0};
        char path[256], options[64];
        hs_random_target(&stream, data);
        hs_free(hs_take(&data->covariates));
        if (!data->class_attribute)
            data->class_attribute = hs_strdup("class");
        snprintf(path, sizeof path, "%s/x.%s", folder.path, formats[k].ending);
        assert_ok(hs_io_write_file(formats[k].format, data, path, &error), error);
        snprintf(options, sizeof options, "target=%s%s%s",
                 formats[k].labels ? "label" : data->class_attribute,
                 data->ids.count && !formats[k].labels ? ",id=" : "",
                 data->ids.count && !formats[k].labels
                     ? (data->id_attribute ? data->id_attribute : "id")
                     : "");
        assert_ok(hsel_dataset_read(path, options, &back, &error), error);
        assert_non_null(back->target);
        for (uint32_t i = 0; i < data->instances; i++)
            assert_true(back->target[i] == data->target[i] ||
                        (isnan(back->target[i]) && isnan(data->target[i])));
        assert_int_equal(back->features, data->features);
        hsel_dataset_free(back);
        hsel_dataset_free(data);
    }
    hs_folder_free(&folder);
}

/* All instances are dealt as one class. */
static void test_folds(void **state)
{
    (void)state;
    hs_stream stream;
    hs_random_shape shape = {.instances = 53, .features = 2, .classes = 2, .density = 0.5};
    hs_stream_init(&stream, 4, "target", 0, 0);
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    hsel_error error = {0};
    hs_random_target(&stream, data);
    data->target[7] = NAN;
    hs_folds folds = {0};
    assert_int_equal(hs_folds_make(data, HS_FOLDS_OWN, 5, 1, &folds, &error), HSEL_EUSAGE);
    assert_non_null(strstr(error.message, "has no target"));
    for (uint32_t i = 0; i < data->instances; i++)
        data->target[i] = i;
    for (int scheme = HS_FOLDS_OWN; scheme <= HS_FOLDS_LOO; scheme++) {
        if (scheme == HS_FOLDS_WAN) {
            assert_int_equal(hs_folds_make(data, HS_FOLDS_WAN, 5, 1, &folds, &error), HSEL_EUSAGE);
            continue;
        }
        assert_ok(hs_folds_make(data, (hs_fold_scheme)scheme, 5, 1, &folds, &error), error);
        uint64_t seen = 0;
        for (uint32_t i = 0; i < 53; i++) {
            seen |= UINT64_C(1) << folds.order[i];
            assert_true(folds.start[folds.fold_of[folds.order[i]]] <= i &&
                        i < folds.start[folds.fold_of[folds.order[i]] + 1]);
        }
        assert_int_equal(seen, (UINT64_C(1) << 53) - 1);
        for (uint32_t f = 0; f < folds.count; f++)
            assert_in_range(folds.start[f + 1] - folds.start[f], 53 / folds.count,
                            53 / folds.count + 1);
        hs_folds_clear(&folds);
    }
    hsel_dataset_free(data);
}

static int use(void *context, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *copy = NULL;
    const hsel_dataset *data = context;
    bool keep[12];
    memset(keep, true, sizeof keep);
    HS_TRY(hs_dataset_subset(data, keep, &copy, error));
    return hs_target_use(&copy, "f0", false, error);
}

static void test_memory(void **state)
{
    (void)state;
    hs_stream stream;
    hs_random_shape shape = {
        .instances = 6, .features = 4, .classes = 2, .density = 0.5, .numeric = 1};
    hs_stream_init(&stream, 5, "target", 0, 0);
    hsel_dataset *data = hs_random_dataset(&stream, &shape);
    hs_oom_each("target", use, data);
    hsel_dataset_free(data);
}

/* ---- covariates ---- */

/* Binary features with a hierarchy, and others outside of it, which are the covariates. */
static hsel_dataset *random_with_covariates(hs_stream *stream, bool numeric)
{
    hs_random_shape shape = {.instances = 40,
                             .features = 14,
                             .classes = 2,
                             .density = 0.3,
                             .parents = 1,
                             .true_path = true,
                             .numeric = numeric ? 0.25 : 0};
    hsel_dataset *data = hs_random_dataset(stream, &shape);
    hsel_error error = {0};
    hsel_dag *dag = NULL;
    uint32_t child[400], parent[400], edges = 0;
    bool out[14];
    for (uint32_t f = 0; f < data->features; f++)
        out[f] = numeric ? data->types[f] != HSEL_BINARY : f % 4 == 3;
    for (uint32_t f = 0; f < data->features; f++) {
        size_t count;
        const uint32_t *parents = hs_parents(data->dag, f, &count);
        for (size_t i = 0; i < count && !out[f]; i++)
            if (!out[parents[i]]) {
                child[edges] = f;
                parent[edges++] = parents[i];
            }
    }
    assert_ok(hs_dag_new(data->features, child, parent, edges, &dag, &error), error);
    assert_ok(hs_dataset_attach(data, dag, &error), error);
    for (uint32_t f = 0; f < data->features; f++)
        if (out[f])
            assert_ok(hs_covariate_add(&data, hsel_dataset_feature_name(data, f), &error), error);
    return data;
}

/* Every eager selector keeps them, and chooses from the others what it chooses without them. */
static void test_covariates(void **state)
{
    (void)state;
    hs_stream stream;
    int compared = 0;
    hs_stream_init(&stream, 6, "target", 0, 0);
    for (int round = 0; round < 6; round++) {
        hsel_dataset *data = random_with_covariates(&stream, round % 2), *without = NULL;
        hsel_error error = {0};
        bool others[14];
        for (uint32_t f = 0; f < data->features; f++)
            others[f] = !hs_is_covariate(data, f);
        assert_ok(hs_dataset_check(data, &error), error);
        assert_ok(hs_dataset_subset(data, others, &without, &error), error);
        for (size_t m = 0; m < hs_method_count(); m++) {
            const hs_method *method = hs_method_at(m);
            hsel_request request = {
                .size = sizeof request, .selector = method->name, .threads = 1, .seed = 1};
            if (strcmp(method->name, "boruta") == 0)
                request.selector = "boruta:trees=20";
            uint8_t keep[14], alone[14];
            hsel_error why = {0};
            if (method->kind != HS_SELECTOR)
                continue;
            int status = hsel_select(data, &request, keep, NULL, &error);
            if (method->flags & HS_LAZY) {
                assert_true(status == HSEL_EUNSUPPORTED || status == HSEL_EUSAGE);
                continue;
            }
            assert_int_equal(status, hsel_select(without, &request, alone, NULL, &why));
            for (uint32_t f = 0, next = 0; f < data->features && !status; f++)
                if (hs_is_covariate(data, f))
                    assert_int_equal(keep[f], 1);
                else if (!(method->flags & HS_STOCHASTIC))
                    assert_int_equal(keep[f], alone[next++]);
            compared += !status;
        }
        hsel_dataset_free(without);
        hsel_dataset_free(data);
    }
    assert_true(compared > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_feature), cmocka_unit_test(test_transformations),
        cmocka_unit_test(test_formats),      cmocka_unit_test(test_folds),
        cmocka_unit_test(test_memory),       cmocka_unit_test(test_covariates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
