/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Made-up results: see stored_units.h.
 */
#include "support/stored_units.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "support/cmocka.h"
#include "support/random_data.h"

enum { INSTANCES = 23, FEATURES = 17, CLASSES = 3 };

const char *const hs_unit_selectors[UNIT_SELECTORS] = {"none", "rpv:measure=ig",
                                                       "shsel:threshold=0.99"};
const char *const hs_unit_classifiers[2] = {"nb", "knn:k=3"};

hs_store *hs_unit_store(const char *path, hs_store_mode mode)
{
    hsel_error error = {0};
    hs_store *store = NULL;
    assert_ok(hs_store_open(path, mode, false, &store, &error), error);
    return store;
}

/* What a unit holds. Every instance is tested in one fold of each repeat: i modulo the folds. */
struct content {
    uint32_t tested, instances[INSTANCES], selected[INSTANCES], frequency[FEATURES];
    double probability[2][INSTANCES * CLASSES], score[2][INSTANCES * CLASSES];
    double seconds[2], select_seconds;
};

hsel_dataset *hs_unit_dataset(unsigned variant, const char *name)
{
    hs_stream stream;
    hs_stream_init(&stream, 7, "stored", variant, 0);
    hsel_dataset *data = hs_random_dataset(&stream, &(hs_random_shape){.instances = INSTANCES,
                                                                       .features = FEATURES,
                                                                       .classes = CLASSES,
                                                                       .density = 0.3,
                                                                       .parents = 1.2,
                                                                       .true_path = true});
    hs_free(data->name);
    assert_non_null(data->name = hs_strdup(name));
    return data;
}

hs_result_key hs_unit_key_of(int64_t dataset, unsigned i)
{
    return (hs_result_key){.dataset = dataset,
                           .selector = hs_unit_selectors[i % UNIT_SELECTORS],
                           .scheme = "own",
                           .folds = UNIT_FOLDS,
                           .fold = i / UNIT_SELECTORS % UNIT_FOLDS,
                           .seed = 1 + i / UNIT_SELECTORS / UNIT_FOLDS};
}

static void fill(struct content *out, const hs_result_key *key, unsigned i)
{
    hs_stream stream;
    memset(out, 0, sizeof *out);
    hs_stream_init(&stream, 1, "unit", i, 0);
    for (uint32_t instance = 0; instance < INSTANCES; instance++)
        if (instance % UNIT_FOLDS == key->fold) {
            out->instances[out->tested] = instance;
            out->selected[out->tested++] = (uint32_t)hs_random_below(&stream, FEATURES);
        }
    for (uint32_t f = 0; f < FEATURES; f++)
        out->frequency[f] = (uint32_t)hs_random_below(&stream, out->tested + 1);
    for (int c = 0; c < 2; c++) {
        out->seconds[c] = hs_random_double(&stream);
        for (uint32_t t = 0; t < out->tested; t++) {
            double *p = out->probability[c] + t * CLASSES;
            p[0] = hs_random_double(&stream);
            p[1] = (1 - p[0]) * hs_random_double(&stream);
            p[2] = 1 - p[0] - p[1];
            for (uint32_t k = 0; k < CLASSES; k++)
                out->score[c][t * CLASSES + k] = log(p[k]);
        }
    }
    out->select_seconds = hs_random_double(&stream);
}

static int put(hs_store *store, int64_t dataset, unsigned i, bool failed, const char *probed,
               size_t length, hsel_error *error)
{
    struct content content;
    hs_result_key key = hs_unit_key_of(dataset, i);
    fill(&content, &key, i);
    hs_job_result jobs[2];
    for (int c = 0; c < 2; c++)
        jobs[c] = (hs_job_result){.method = hs_unit_classifiers[c],
                                  .values = failed && c == 1 ? NULL : content.probability[c],
                                  .score = content.score[c],
                                  .seconds = content.seconds[c],
                                  .message = failed ? "knn: no neighbour" : NULL};
    hs_unit_result result = {.tested = content.tested,
                             .instances = content.instances,
                             .selected = content.selected,
                             .features = FEATURES,
                             .classes = CLASSES,
                             .frequency = content.frequency,
                             .probed = probed,
                             .probed_length = length,
                             .select_seconds = content.select_seconds,
                             .jobs = jobs,
                             .job_count = 2};
    return hs_store_put(store, &key, &result, error);
}

int hs_unit_put(hs_store *store, int64_t dataset, unsigned i, bool failed, hsel_error *error)
{
    return put(store, dataset, i, failed, NULL, 0, error);
}

int hs_unit_put_probed(hs_store *store, int64_t dataset, unsigned i, const char *probed,
                       size_t length, hsel_error *error)
{
    return put(store, dataset, i, false, probed, length, error);
}

static void assert_job(hs_store *store, const hs_result_key *key, const struct content *content,
                       int c)
{
    hsel_error error = {0};
    hs_stored got = {0};
    hs_result_key of = *key;
    of.method = hs_unit_classifiers[c];
    assert_ok(hs_store_get(store, &of, &got, &error), error);
    assert_int_equal(got.repeat.predictions.instances, INSTANCES);
    assert_int_equal(got.repeat.predictions.classes, CLASSES);
    assert_int_equal(got.repeat.predictions.features, FEATURES);
    for (uint32_t i = 0; i < content->tested; i++) {
        uint32_t instance = content->instances[i];
        assert_int_equal(got.repeat.predictions.fold_of[instance], key->fold);
        assert_int_equal(got.repeat.predictions.selected[instance], content->selected[i]);
        assert_memory_equal(got.repeat.predictions.probability + instance * CLASSES,
                            content->probability[c] + i * CLASSES, CLASSES * sizeof(double));
        assert_memory_equal(got.repeat.predictions.score + instance * CLASSES,
                            content->score[c] + i * CLASSES, CLASSES * sizeof(double));
    }
    hs_stored_clear(&got);
}

int hs_unit_jobs(hs_store *store, hs_result_key key, hs_job_state out[2], hsel_error *error)
{
    int status = HSEL_OK;
    for (int c = 0; c < 2 && status == HSEL_OK; c++) {
        key.method = hs_unit_classifiers[c];
        status = hs_store_job(store, &key, &out[c], error);
    }
    return status;
}

bool hs_unit_there(hs_store *store, int64_t dataset, unsigned i)
{
    hsel_error error = {0};
    hs_job_state got[2];
    hs_result_key key = hs_unit_key_of(dataset, i);
    assert_ok(hs_unit_jobs(store, key, got, &error), error);
    assert_int_equal(got[0] == HS_JOB_NONE,
                     got[1] == HS_JOB_NONE); /* a unit is there as a whole or not at all */
    return got[0] != HS_JOB_NONE;
}

void hs_unit_assert(hs_store *store, int64_t dataset, unsigned i, bool failed)
{
    hsel_error error = {0};
    struct content content;
    hs_job_state got[2];
    hs_result_key key = hs_unit_key_of(dataset, i);
    fill(&content, &key, i);
    assert_true(hs_unit_there(store, dataset, i));
    assert_ok(hs_unit_jobs(store, key, got, &error), error);
    assert_int_equal(got[0], HS_JOB_OK);
    assert_int_equal(got[1], failed ? HS_JOB_FAILED : HS_JOB_OK);
    assert_job(store, &key, &content, 0);
    if (!failed)
        assert_job(store, &key, &content, 1);
}
