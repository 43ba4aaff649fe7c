/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fitness_times DATA: how long it takes to give a set of features its fitness (GM of naive Bayes by
 * five inner folds), in microseconds of processor time a set, the least of several rounds. A line
 * for each way, on sets of half and of a sixth of the features:
 *
 *     naive    for every fold, the selected columns of the other folds are copied, naive Bayes is
 *              trained on them and tested on the fold, value by value
 *     general  views, counts by subtraction, the classifier nb fitted and tested in every fold
 *     fast     without fitting, from nothing
 *     step     likewise, from a set that differs in 60 features (as children and parents do)
 *
 * All must come to the same value, else it ends with 1. For bench/run; it is no test by itself.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/mem.h"
#include "core/random.h"
#include "load/load.h"
#include "search/objective.h"

enum { ROUNDS = 7, SETS = 24, FOLDS = 5, FLIPS = 60 };

static double microseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

struct bench {
    hsel_dataset *data;
    hs_counts counts;
    hs_training training;
    hs_chosen nb;
    hs_inner_request request;
    hs_folds folds;
    hs_objective fast, general;
    uint8_t *dense;                       /* [instances * features] */
    uint8_t *copy;                        /* likewise, for the naive way */
    double *logs;                         /* [4 * features] */
    uint32_t *with;                       /* [2 * features] */
    uint64_t *sets, *near;                /* [SETS * words] */
    uint32_t *flips, flip_count[SETS][2]; /* from nothing; from the near set */
    char *memo, *kept;
    size_t words;
};

/* ---- the naive way, for two classes ---- */

static uint32_t project(const struct bench *b, const uint64_t *set, uint32_t fold, uint32_t *labels)
{
    uint32_t d = b->data->features, rows = 0;
    size_t at = 0;
    for (uint32_t i = 0; i < b->data->instances; i++) {
        if (b->folds.fold_of[i] == fold)
            continue;
        for (uint32_t f = 0; f < d; f++)
            if (hs_bit_get(set, f))
                b->copy[at++] = b->dense[(size_t)i * d + f];
        labels[rows++] = b->data->class_of[i];
    }
    return rows;
}

static void train(const struct bench *b, uint32_t rows, uint32_t columns, const uint32_t *labels,
                  double *prior)
{
    uint32_t size[2] = {0};
    for (uint32_t i = 0; i < rows; i++)
        size[labels[i]]++;
    for (uint32_t c = 0; c < 2; c++)
        prior[c] = log((size[c] + 1.0) / (rows + 2.0));
    memset(b->with, 0, 2 * (size_t)columns * sizeof *b->with);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++)
            b->with[labels[i] * columns + j] += b->copy[(size_t)i * columns + j];
    for (uint32_t j = 0; j < columns; j++)
        for (uint32_t c = 0; c < 2; c++) {
            double with = b->with[c * columns + j];
            b->logs[4 * j + c] = log((size[c] - with + 1) / (size[c] + 2.0));
            b->logs[4 * j + 2 + c] = log((with + 1) / (size[c] + 2.0));
        }
}

static double naive(const struct bench *b, const uint64_t *set, uint32_t columns, uint32_t *labels)
{
    uint32_t hits[2] = {0}, size[2] = {0}, d = b->data->features;
    for (uint32_t fold = 0; fold < FOLDS; fold++) {
        double prior[2];
        train(b, project(b, set, fold, labels), columns, labels, prior);
        for (uint32_t i = 0; i < b->data->instances; i++) {
            double score[2] = {prior[0], prior[1]};
            uint32_t j = 0;
            if (b->folds.fold_of[i] != fold)
                continue;
            for (uint32_t f = 0; f < d; f++)
                if (hs_bit_get(set, f)) {
                    const double *logs = b->logs + 4 * j++ + 2 * b->dense[(size_t)i * d + f];
                    score[0] += logs[0];
                    score[1] += logs[1];
                }
            size[b->data->class_of[i]]++;
            hits[b->data->class_of[i]] += b->data->class_of[i] == (score[1] > score[0]);
        }
    }
    return sqrt((double)hits[0] / size[0] * ((double)hits[1] / size[1]));
}

/* ---- taking the time ---- */

enum way { NAIVE, GENERAL, FAST, STEP, WAYS };
static const char *const names[] = {"naive", "general", "fast", "step"};

static int score(struct bench *b, enum way way, int s, uint32_t *labels, double *value,
                 hsel_error *error)
{
    const uint64_t *set = b->sets + s * b->words;
    uint32_t size = (uint32_t)hs_bits_count(set, b->words);
    hs_trial trial = {.set = set, .memo = b->memo};
    if (way == NAIVE) {
        *value = naive(b, set, size, labels);
        return HSEL_OK;
    }
    if (way == GENERAL)
        return b->general.score(b->general.self, &trial, value, error);
    trial.flips = b->flips + (size_t)(2 * s + (way == STEP)) * b->data->features;
    trial.flip_count = b->flip_count[s][way == STEP];
    if (way == STEP)
        memcpy(b->memo, b->kept + s * b->fast.memo_bytes, b->fast.memo_bytes);
    else
        memset(b->memo, 0, b->fast.memo_bytes);
    return b->fast.score(b->fast.self, &trial, value, error);
}

static int measure(struct bench *b, enum way way, double *values, double *least, hsel_error *error)
{
    uint32_t *labels = HS_NEW(uint32_t, b->data->instances);
    int status = labels ? HSEL_OK : hs_fail_memory(error);
    int rounds = way == NAIVE ? 3 : way == GENERAL ? ROUNDS : 100;
    *least = HUGE_VAL;
    for (int round = 0; round < rounds && status == HSEL_OK; round++) {
        double began = microseconds();
        for (int s = 0; s < SETS && status == HSEL_OK; s++)
            status = score(b, way, s, labels, &values[s], error);
        double took = (microseconds() - began) / SETS;
        *least = took < *least ? took : *least;
    }
    hs_free(labels);
    return status;
}

/* ---- what is scored ---- */

static uint32_t list(const uint64_t *a, const uint64_t *other, uint32_t features, uint32_t *out)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < features; f++)
        if (hs_bit_get(a, f) != (other && hs_bit_get(other, f)))
            out[count++] = f;
    return count;
}

static int make_sets(struct bench *b, uint32_t one_of, hsel_error *error)
{
    uint32_t d = b->data->features;
    hs_stream stream;
    hs_stream_init(&stream, one_of, "fitness", 0, 0);
    memset(b->sets, 0, SETS * b->words * sizeof *b->sets);
    for (int s = 0; s < SETS; s++) {
        uint64_t *set = b->sets + s * b->words, *near = b->near + s * b->words;
        uint32_t *flips = b->flips + (size_t)2 * s * d;
        double value;
        for (uint32_t f = 0; f < d; f++)
            if (hs_random_below(&stream, one_of) == 0)
                hs_bit_set(set, f);
        memcpy(near, set, b->words * sizeof *near);
        for (int i = 0; i < FLIPS; i++) {
            uint32_t f = (uint32_t)hs_random_below(&stream, d);
            near[f / 64] ^= UINT64_C(1) << (f % 64);
        }
        memset(b->kept + s * b->fast.memo_bytes, 0, b->fast.memo_bytes);
        hs_trial trial = {.set = near, .memo = b->kept + s * b->fast.memo_bytes, .flips = flips};
        trial.flip_count = list(near, NULL, d, flips);
        int status = b->fast.score(b->fast.self, &trial, &value, error);
        if (status)
            return status;
        b->flip_count[s][0] = list(set, NULL, d, flips);
        b->flip_count[s][1] = list(set, near, d, flips + d);
    }
    return HSEL_OK;
}

static int bench_init(struct bench *b, const char *path, hsel_error *error)
{
    int status = hsel_dataset_read(path, NULL, &b->data, error);
    if (status)
        return status;
    size_t n = b->data->instances, d = b->data->features;
    if (b->data->class_names.count != 2)
        return hs_fail(error, HSEL_EUSAGE, "fitness_times is for two classes");
    b->training = (hs_training){.view = hs_view_all(b->data), .counts = &b->counts, .threads = 1};
    if ((status = hs_counts_of(&b->training.view, &b->counts, error)) ||
        (status = hs_chosen_parse(HS_CLASSIFIER, "nb", &b->nb, error)))
        return status;
    b->request = (hs_inner_request){.training = &b->training,
                                    .classifier = &b->nb,
                                    .metric = HS_METRIC_GM,
                                    .folds = FOLDS,
                                    .seed = 1,
                                    .workers = 1,
                                    .owner = "fitness_times"};
    if ((status = hs_nb_objective(&b->request, &b->fast, error)) ||
        (status = hs_inner_objective(&b->request, &b->general, error)) ||
        (status = hs_folds_of_view(&b->training.view, FOLDS, 1, &b->folds, error)))
        return status;
    b->words = hs_bit_words(d);
    b->dense = HS_NEW_ZERO(uint8_t, n * d);
    b->copy = HS_NEW(uint8_t, n * d);
    b->logs = HS_NEW(double, 4 * d);
    b->with = HS_NEW(uint32_t, 2 * d);
    b->sets = HS_NEW(uint64_t, SETS * b->words);
    b->near = HS_NEW(uint64_t, SETS * b->words);
    b->flips = HS_NEW(uint32_t, 2 * SETS * d);
    b->memo = hs_alloc(1, b->fast.memo_bytes);
    b->kept = hs_alloc(SETS, b->fast.memo_bytes);
    if (!b->dense || !b->copy || !b->logs || !b->with || !b->sets || !b->near || !b->flips ||
        !b->memo || !b->kept)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < n; i++) {
        size_t count;
        const uint32_t *row = hs_row(b->data, i, &count);
        for (size_t j = 0; j < count; j++)
            b->dense[i * d + row[j]] = 1;
    }
    return HSEL_OK;
}

static void bench_clear(struct bench *b)
{
    hs_free(b->dense);
    hs_free(b->copy);
    hs_free(b->logs);
    hs_free(b->with);
    hs_free(b->sets);
    hs_free(b->near);
    hs_free(b->flips);
    hs_free(b->memo);
    hs_free(b->kept);
    hs_objective_clear(&b->fast);
    hs_objective_clear(&b->general);
    hs_folds_clear(&b->folds);
    hs_counts_clear(&b->counts);
    hs_chosen_clear(&b->nb);
    hsel_dataset_free(b->data);
}

int main(int argc, char **argv)
{
    struct bench b = {0};
    double values[WAYS][SETS], least;
    hsel_error error = {0};
    if (argc != 2) {
        fprintf(stderr, "usage: fitness_times DATA\n");
        return 2;
    }
    int status = bench_init(&b, argv[1], &error);
    for (uint32_t one_of = 2; one_of <= 6 && status == HSEL_OK; one_of += 4) {
        status = make_sets(&b, one_of, &error);
        for (enum way way = NAIVE; way < WAYS && status == HSEL_OK; way++) {
            status = measure(&b, way, values[way], &least, &error);
            if (status == HSEL_OK && memcmp(values[way], values[NAIVE], sizeof values[way]) != 0)
                status = hs_fail(&error, HSEL_EFORMAT, "%s has other values", names[way]);
            if (status == HSEL_OK)
                printf("%s\t1/%u\t%.3f\n", names[way], one_of, least);
        }
    }
    if (status)
        fprintf(stderr, "fitness_times: %s\n", error.message);
    bench_clear(&b);
    return status ? 1 : 0;
}
