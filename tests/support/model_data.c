/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data and models of model_data.h.
 */
#include "support/model_data.h"

#include "load/load.h"
#include "support/cmocka.h"
#include "support/random_data.h"

static double amount(uint32_t feature, uint32_t label) { return 1.5 + feature + label; }

hsel_dataset *hs_model_data(hs_stream *stream, uint32_t rows, uint32_t features)
{
    hs_random_shape shape = {.instances = rows,
                             .features = features,
                             .classes = 2 + (uint32_t)hs_random_below(stream, 2),
                             .density = 0.3,
                             .parents = 1,
                             .true_path = true,
                             .ids = true,
                             .spelling = HS_NAMES_UTF8};
    return hs_random_dataset(stream, &shape);
}

hsel_dataset *hs_model_mixed(hs_stream *stream, uint32_t rows, uint32_t features)
{
    hs_random_shape shape = {.instances = rows,
                             .features = features,
                             .classes = 2 + (uint32_t)hs_random_below(stream, 2),
                             .density = 0.3,
                             .numeric = 0.5,
                             .nominal = 0.3,
                             .missing = 0.1,
                             .ids = true,
                             .spelling = HS_NAMES_UTF8};
    return hs_random_dataset(stream, &shape);
}

hsel_dataset *hs_model_prepared(hs_stream *stream, hsel_dataset **raw)
{
    hs_random_shape shape = {
        .instances = 6, .features = 6, .classes = 2, .density = 0.4, .parents = 1};
    hsel_error error = {0};
    hs_arena arena = {0};
    hs_load_options options = {0};
    hs_load_report report = {0};
    hsel_dataset *binary = hs_random_dataset(stream, &shape), *data = hs_as_numbers(binary, amount);
    assert_ok(hs_options_defaults(hs_load_table, &options, &arena, &error), error);
    assert_ok(hs_options_parse(hs_load_table, &options,
                               "aggregate=sum,min-prevalence=0.1,transform=clr", "data", &arena,
                               &error),
              error);
    if (raw)
        *raw = hs_as_numbers(binary, amount);
    assert_ok(hs_load_prepare(&data, &options, &report, &error), error);
    hs_load_report_clear(&report);
    hs_arena_clear(&arena);
    hsel_dataset_free(binary);
    return data;
}

int hs_train_weighted(const hsel_dataset *data, const double *weight, const char *selector,
                      const char *classifier, bool allow_violations, uint64_t seed, int threads,
                      hs_model **out, hsel_error *error)
{
    return hs_model_train(&(hs_model_request){.data = data,
                                              .weight = weight,
                                              .selector = selector,
                                              .classifier = classifier,
                                              .allow_violations = allow_violations,
                                              .seed = seed,
                                              .threads = threads},
                          out, error);
}

int hs_train(const hsel_dataset *data, const char *selector, const char *classifier,
             uint32_t without, bool allow_violations, uint64_t seed, int threads,
             const hs_progress *progress, hs_model **out, hsel_error *error)
{
    HS_OWNED double *weight = without == HSEL_NONE ? NULL : HS_NEW(double, data->instances);
    HS_NEED(weight || without == HSEL_NONE);
    for (uint32_t i = 0; weight && i < data->instances; i++)
        weight[i] = i != without;
    return hs_model_train(&(hs_model_request){.data = data,
                                              .weight = weight,
                                              .selector = selector,
                                              .classifier = classifier,
                                              .allow_violations = allow_violations,
                                              .seed = seed,
                                              .threads = threads,
                                              .progress = progress},
                          out, error);
}

hs_model *hs_model_of(const hsel_dataset *data, const char *selector, const char *classifier,
                      uint32_t without)
{
    hsel_error error = {0};
    hs_model *model = NULL;
    int status = hs_train(data, selector, classifier, without, false, 1, 1, NULL, &model, &error);
    if (status)
        fail_msg("%s, %s: %s", selector, classifier, error.message);
    return model;
}
