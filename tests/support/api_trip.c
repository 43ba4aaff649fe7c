/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whatever a caller hands over must end in a result that keeps its own rules, or in a message. A
 * call that takes longer than a second is stopped, which every long call must allow.
 */
#define XXH_INLINE_ALL
#include "support/api_trip.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

#include "hsel/hsel.h"

enum { MAX_INSTANCES = 12, MAX_FEATURES = 7, MAX_CLASSES = 4, MAX_EDGES = 12, HEADER = 32 };

static int stop_after_a_second(void *context, uint64_t done, uint64_t total, const char *what)
{
    (void)done, (void)total, (void)what;
    return clock() - *(clock_t *)context > CLOCKS_PER_SEC;
}

/* A failure must have a status that there is and say why. */
static const char *judge(int status, const hsel_error *error)
{
    return status > 0 || status < HSEL_ECANCELLED ? "no such status"
           : status && !error->message[0]         ? "an error without a message"
                                                  : NULL;
}

#define CALL(...)                                                                                  \
    do {                                                                                           \
        hsel_error error = {0};                                                                    \
        status = (__VA_ARGS__);                                                                    \
        if ((why = judge(status, &error)))                                                         \
            goto end;                                                                              \
    } while (0)

static const char *check_probabilities(const double *probability, uint32_t instances,
                                       uint32_t classes)
{
    for (uint32_t i = 0; i < instances && classes > 0; i++) {
        double sum = 0;
        for (uint32_t c = 0; c < classes; c++) {
            double p = probability[(size_t)i * classes + c];
            if (!(p >= 0 && p <= 1))
                return "a probability that is none";
            sum += p;
        }
        if (fabs(sum - 1) > 1e-6)
            return "probabilities that do not add up to 1";
    }
    return NULL;
}

/* Uses a model in every way on the instances of `data`. */
static const char *use_model(const hsel_model *model, const hsel_dataset *data, bool learned)
{
    static const char *const forms[] = {"text", "json", "dot", "graphml"};
    uint32_t instances = hsel_dataset_instances(data), classes = hsel_model_classes(model);
    size_t cells = (size_t)instances * (classes ? classes : 1) + 1;
    double *probability = calloc(cells, sizeof *probability), *score = calloc(cells, sizeof *score);
    double *other = calloc(cells, sizeof *other);
    uint64_t *start = calloc((size_t)instances + 1, sizeof *start);
    uint32_t *index = NULL;
    char *text = NULL, *second = NULL;
    void *bytes = NULL;
    size_t length = 0;
    hsel_model *again = NULL;
    clock_t begin = clock();
    hsel_request request = {
        .size = sizeof request, .threads = 1, .context = &begin, .report = stop_after_a_second};
    const char *why = NULL;
    int status, predicted;
    if (!probability || !score || !other || !start)
        abort();
    CALL(hsel_predict(model, data, &request, classes ? probability : NULL, score, NULL, &error));
    predicted = status;
    if (!status && learned && (why = check_probabilities(probability, instances, classes)))
        goto end;
    CALL(hsel_select_each(model, data, &request, start, &index, &error));
    CALL(hsel_model_methods(model, &text, &second, &error));
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        hsel_free(text);
        text = NULL;
        CALL(f < 2 ? hsel_model_describe(model, forms[f], &text, &error)
                   : hsel_model_draw(model, forms[f], 5, &text, &error));
        if (instances > 0 && !predicted) {
            hsel_free(text);
            text = NULL;
            CALL(hsel_model_explain(model, data, 0, 3, forms[f], &text, &error));
        }
    }
    CALL(hsel_model_to_bytes(model, &bytes, &length, &error));
    if (status)
        goto end;
    CALL(hsel_model_from_bytes(bytes, length, &again, &error));
    if (status) {
        why = "a model that was written cannot be read";
        goto end;
    }
    CALL(hsel_predict(again, data, &request, classes ? other : NULL, score, NULL, &error));
    if (status == HSEL_ECANCELLED || predicted == HSEL_ECANCELLED)
        goto end;
    if (!status != !predicted)
        why = "a model that was written and read does not do what it did";
    else if (!status && learned && memcmp(probability, other, cells * sizeof *other) != 0)
        why = "a model that was written and read predicts something else";
end:
    free(probability);
    free(score);
    free(other);
    free(start);
    hsel_free(index);
    hsel_free(text);
    hsel_free(second);
    hsel_free(bytes);
    hsel_model_free(again);
    return why;
}

const char *hs_exercise_model(const void *bytes, size_t length)
{
    uint8_t values[3 * 64];
    char *copy = malloc(length + 1);
    const char *why = NULL;
    hsel_model *model = NULL;
    hsel_dataset *data = NULL;
    int status;
    if (!copy)
        abort();
    if (length)
        memcpy(copy, bytes, length);
    if (length >= HEADER) {
        uint64_t rest = length - HEADER, checksum = XXH3_64bits(copy + HEADER, rest);
        memcpy(copy + 16, &rest, sizeof rest);
        memcpy(copy + 24, &checksum, sizeof checksum);
    }
    CALL(hsel_model_from_bytes(copy, length, &model, &error));
    if (status)
        goto end;
    uint32_t features = hsel_dataset_features(hsel_model_shape(model));
    if (features > 64)
        goto end;
    for (size_t i = 0; i < sizeof values; i++)
        values[i] = XXH3_64bits(&i, sizeof i) % 3 == 0;
    CALL(hsel_dataset_from_arrays(&(hsel_arrays){.size = sizeof(hsel_arrays),
                                                 .instances = 3,
                                                 .features = features,
                                                 .layout = HSEL_DENSE,
                                                 .number = HSEL_U8,
                                                 .values = values,
                                                 .row_stride = features,
                                                 .column_stride = 1,
                                                 .like = model},
                                  &data, &error));
    if (!status)
        why = use_model(model, data, false);
end:
    hsel_dataset_free(data);
    hsel_model_free(model);
    free(copy);
    return why;
}

/* ---- arrays -------------------------------------------------------------------------------- */

struct source {
    const uint8_t *bytes;
    size_t length, at;
};

static unsigned below(struct source *source, unsigned limit)
{
    return source->length ? source->bytes[source->at++ % source->length] % limit : 0;
}

/* The name of one of the methods of a kind, and the options at the end of the bytes, if any. */
static void choose(struct source *source, const char *kind, bool with_options, char *out,
                   size_t size)
{
    size_t count = 0, options = source->length;
    for (size_t m = 0; m < hsel_method_count(); m++)
        count += strcmp(hsel_method_kind(m), kind) == 0;
    size_t wanted = below(source, (unsigned)count);
    for (size_t m = 0; m < hsel_method_count(); m++)
        if (strcmp(hsel_method_kind(m), kind) == 0 && wanted-- == 0)
            snprintf(out, size, "%s", hsel_method_name(m));
    for (size_t i = 0; i + 1 < source->length; i++)
        if (source->bytes[i] == 0 && source->bytes[i + 1] == ':')
            options = i + 1;
    if (with_options && options < source->length)
        snprintf(out + strlen(out), size - strlen(out), "%.*s", (int)(source->length - options),
                 (const char *)source->bytes + options);
}

static size_t put_number(void *out, size_t at, int number, double value)
{
    bool is_whole = value >= -1e9 && value <= 1e9;
    switch (number) {
    case HSEL_U8:
        ((uint8_t *)out)[at] = value >= 0 && value <= 255 ? (uint8_t)value : 7;
        return 1;
    case HSEL_I32:
        ((int32_t *)out)[at] = is_whole ? (int32_t)value : INT32_MIN;
        return 4;
    case HSEL_I64:
        ((int64_t *)out)[at] = is_whole ? (int64_t)value : INT64_MAX;
        return 8;
    case HSEL_F32:
        ((float *)out)[at] = fabs(value) <= 1e38 ? (float)value : INFINITY;
        return 4;
    default:
        ((double *)out)[at] = value;
        return 8;
    }
}

const char *hs_exercise_arrays(const void *bytes, size_t length)
{
    static const double numbers[] = {0,  1, 0,   1,    0,     1,        0,        1,   2,
                                     -1, 3, 0.5, 1e-9, 1e308, INFINITY, 4.9e-324, NAN, 0.25};
    static const char *const schemes[] = {"own", "weka", "wan", "loo"};
    static const char *const procedures[] = {"bh",         "by",
                                             "holm",       "dagger",
                                             "yekutieli",  "dagger-dependent",
                                             "focused-bh", "structured-holm"};
    struct source source = {bytes, length, 0};
    uint32_t instances = below(&source, MAX_INSTANCES + 1),
             features = below(&source, MAX_FEATURES + 1), classes = below(&source, MAX_CLASSES + 1);
    int layout = (int)below(&source, 4), number = (int)below(&source, 6);
    unsigned flags = below(&source, 256);
    char selector[4096], classifier[4096], ranker[128];
    choose(&source, "selector", false, selector, sizeof selector);
    choose(&source, "classifier", true, classifier, sizeof classifier);
    choose(&source, below(&source, 2) ? "ranker" : "measure", false, ranker, sizeof ranker);
    const char *scheme = schemes[below(&source, 4)];
    uint32_t edges = below(&source, MAX_EDGES + 1);

    double values[MAX_INSTANCES * MAX_FEATURES + 1], target[MAX_INSTANCES], weights[MAX_INSTANCES];
    uint64_t starts[MAX_INSTANCES + 2] = {0}, wide[MAX_INSTANCES * MAX_FEATURES + 1];
    uint32_t short_starts[MAX_INSTANCES + 2], narrow[MAX_INSTANCES * MAX_FEATURES + 1];
    uint32_t labels[MAX_INSTANCES], child[MAX_EDGES], parent[MAX_EDGES];
    uint8_t types[MAX_FEATURES], covariates[MAX_FEATURES], keep[MAX_FEATURES + 1];
    double scores[MAX_FEATURES + 1] = {0}, p[MAX_FEATURES + 1], adjusted[MAX_FEATURES + 1];
    size_t width = 1, lists = layout == HSEL_COLUMNS ? features : instances,
           other = layout == HSEL_COLUMNS ? instances : features, used = 0;
    for (size_t i = 0; i < lists; i++) {
        starts[i] = used;
        for (size_t j = 0; j < other && layout != HSEL_DENSE; j++)
            if (below(&source, 3) == 0)
                wide[used++] = below(&source, 40) ? j : below(&source, 9);
    }
    starts[lists] = used;
    for (size_t i = 0; i <= lists; i++)
        short_starts[i] = (uint32_t)starts[i];
    for (size_t i = 0; i < used; i++)
        narrow[i] = (uint32_t)wide[i];
    for (size_t i = 0; i < (size_t)instances * features; i++)
        width = put_number(values, i, number, numbers[below(&source, flags & 1 ? 8 : 18)]);
    for (uint32_t i = 0; i < instances; i++) {
        labels[i] = below(&source, 16) ? below(&source, classes + (classes == 0)) : HSEL_NONE;
        target[i] = numbers[below(&source, 18)];
        weights[i] = numbers[below(&source, 12)];
    }
    for (uint32_t f = 0; f < features; f++) {
        types[f] = (uint8_t)below(&source, flags & 1 ? 2 : 4);
        covariates[f] = (uint8_t)below(&source, 2);
        p[f] = numbers[below(&source, flags & 1 ? 2 : 18)] / 7;
    }
    for (uint32_t e = 0; e < edges; e++) {
        child[e] = below(&source, features + (features == 0 || below(&source, 32) == 0));
        parent[e] = child[e] ? below(&source, child[e] + (below(&source, 32) == 0)) : 0;
    }

    const char *why = NULL;
    hsel_dataset *data = NULL, *whole = NULL;
    hsel_model *model = NULL;
    hsel_evaluation *evaluation = NULL;
    char *text = NULL;
    clock_t begin = clock();
    uint64_t added;
    int status;
    hsel_arrays arrays = {.size = sizeof arrays,
                          .instances = instances,
                          .features = features,
                          .classes = classes,
                          .layout = layout,
                          .number = number,
                          .wide = flags >> 1 & 1,
                          .start = flags & 2 ? (void *)starts : (void *)short_starts,
                          .index = flags & 2 ? (void *)wide : (void *)narrow,
                          .values = layout != HSEL_DENSE && flags & 8 ? NULL : values,
                          .row_stride = (int64_t)(features * width),
                          .column_stride = (int64_t)width,
                          .types = flags & 16 ? types : NULL,
                          .labels = classes > 0 ? labels : NULL,
                          .target = flags & 32 ? target : NULL,
                          .covariates = flags & 64 ? covariates : NULL};
    hsel_request request = {.size = sizeof request,
                            .selector = selector,
                            .classifier = classifier,
                            .rankers = ranker,
                            .ranker_count = 1,
                            .threads = 1,
                            .seed = 3,
                            .folds = 2,
                            .fold_scheme = scheme,
                            .details = 1,
                            .context = &begin,
                            .report = stop_after_a_second};
    CALL(hsel_dataset_from_arrays(&arrays, &data, &error));
    if (status)
        goto end;
    if (edges > 0)
        CALL(hsel_dataset_set_hierarchy(data,
                                        &(hsel_edges){.size = sizeof(hsel_edges),
                                                      .child = child,
                                                      .parent = parent,
                                                      .count = edges,
                                                      .term_count = features},
                                        NULL, &error));
    if (!(flags & 128))
        CALL(hsel_dataset_propagate(data, &whole, &added, &error));
    hsel_error unfit;
    if (hsel_dataset_check(whole ? whole : data, &unfit)) {
        fprintf(stderr, "%s\n", unfit.message);
        why = "a data set that fails its check";
        goto end;
    }
    const hsel_dataset *of = whole ? whole : data;
    CALL(hsel_select(of, &request, keep, scores, &error));
    CALL(hsel_rank(of, &request, scores, &error));
    CALL(
        hsel_p_values(of, &request, "permutations=3,adjust=max-t", scores, adjusted, keep, &error));
    CALL(hsel_reject(of, p, procedures[below(&source, 8)], 0.05, keep, adjusted, &error));
    CALL(hsel_dataset_draw(
        of, &(hsel_draw_request){.size = sizeof(hsel_draw_request), .form = "dot", .value = scores},
        &text, &error));
    begin = clock();
    CALL(hsel_crossval(of, &request, &evaluation, &error));
    if (!status && !(hsel_evaluation_selected(evaluation) <= 1))
        why = "a share of selected features above 1";
    if (why)
        goto end;
    begin = clock();
    if (below(&source, 4) == 0)
        request.weights = weights;
    CALL(hsel_train(of, &request, &model, &error));
    if (!status)
        why = use_model(model, of, true);
end:
    hsel_free(text);
    hsel_evaluation_free(evaluation);
    hsel_model_free(model);
    hsel_dataset_free(whole);
    hsel_dataset_free(data);
    return why;
}
