/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stability: features that another selector chooses again and again on parts of the training data.
 *
 *     run r: the selector on a part of the instances, drawn without replacement within each class
 *     P_f  = share of the runs in which f is selected            keep f iff P_f >= threshold
 *
 * Meinshausen, Buehlmann (2010). With share = 0.5 runs come in pairs of complementary halves (Shah,
 * Samworth 2013); of a class with an odd number one instance stands out. Of d features, of which q
 * are selected per run on average, E(falsely selected) <= q^2 / ((2 threshold - 1) d), which is
 * told as a note; it assumes that the features that are not relevant are exchangeable.
 *
 * Runs are independent and have a random stream of their own: the same result with any number of
 * threads. Time: runs x (the selector + counting its part); memory: that of a run per thread.
 */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/random.h"
#include "select/eager.h"

struct options {
    const char *of;
    uint32_t runs;
    double share, threshold;
};

static const hs_option table[] = {
    HS_TEXT(struct options, of, "of", "METHOD", "top",
            "eager selector that is run; its options after the first are parted by ;"),
    HS_OPTION(struct options, runs, "runs", "N", "100", 2, 1000000, "how often"),
    HS_OPTION(struct options, share, "share", "P", "0.5", 0.01, 0.99,
              "share of the instances of each class in a run; 0.5: pairs of complementary halves"),
    HS_OPTION(struct options, threshold, "threshold", "P", "0.7", 0, 1,
              "features selected in at least this share of the runs are kept"),
    HS_OPTION_END};

static int parse(const char *text, hs_chosen *out, hsel_error *error)
{
    HS_OWNED char *copy = hs_strdup(text);
    HS_NEED(copy);
    for (char *c = copy; *c; c++)
        if (*c == ';')
            *c = ',';
    HS_TRY(hs_chosen_parse(HS_SELECTOR, copy, out, error));
    if (out->method->flags & HS_LAZY)
        return hs_fail(error, HSEL_EUSAGE,
                       "stability is for eager selectors, and %s selects anew for each instance",
                       out->method->name);
    return HSEL_OK;
}

static int check(const void *options, hsel_error *error)
{
    HS_OWNS(hs_chosen_clear) hs_chosen of = {0};
    return parse(((const struct options *)options)->of, &of, error);
}

struct running {
    const hs_training *training;
    const struct options *options;
    hs_chosen of;
    uint32_t *rows, row_count;  /* those that have a class */
    _Atomic uint32_t *selected; /* [features]: in how many runs */
    hs_progress_parts progress;
};

static void running_clear(struct running *r)
{
    hs_chosen_clear(&r->of);
    HS_FREE(r->rows, r->selected);
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The rows of run `run`: of each class the first, or the second, of its rows in random order. */
static uint32_t draw(const struct running *r, uint32_t run, uint32_t *order, uint32_t *part)
{
    const hsel_dataset *data = r->training->view.data;
    const bool halves = r->options->share == 0.5;
    uint32_t count = 0;
    hs_stream stream;
    hs_stream_init(&stream, r->training->seed, "stability", halves ? run / 2 : run, 0);
    for (uint32_t c = 0; c < data->class_names.count; c++) {
        uint32_t in_class = 0;
        for (uint32_t i = 0; i < r->row_count; i++)
            if (data->class_of[r->rows[i]] == c)
                order[in_class++] = r->rows[i];
        uint32_t wanted = halves ? in_class / 2 : (uint32_t)round(r->options->share * in_class);
        hs_random_shuffle(&stream, order, in_class);
        memcpy(part + count, order + (halves && run % 2 ? wanted : 0), wanted * sizeof *part);
        count += wanted;
    }
    qsort(part, count, sizeof *part, ascending);
    return count;
}

static int run_once(void *context, size_t run, int worker, hsel_error *error)
{
    struct running *r = context;
    const hs_selector *selector = r->of.method->selector;
    const uint32_t features = r->training->view.data->features;
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, r->row_count),
                      *part = HS_NEW(uint32_t, r->row_count);
    HS_OWNED uint64_t *mask = HS_NEW_ZERO(uint64_t, hs_bit_words(features));
    HS_OWNS(hs_counts_clear) hs_counts counts = {0};
    hs_progress_part progress;
    hs_stream stream;
    void *state = NULL;
    (void)worker;
    HS_NEED(order && part && mask);
    hs_progress_part_begin(&progress, &r->progress, "runs");
    hs_stream_init(&stream, r->training->seed, "stability", run, 1);
    hs_training training = {.view = r->training->view,
                            .counts = &counts,
                            .seed = hs_random_u64(&stream),
                            .progress = &progress.progress,
                            .threads = 1};
    training.view.rows = part;
    training.view.row_count = draw(r, (uint32_t)run, order, part);
    if (training.view.row_count == 0) /* too few instances for a part: nothing is selected */
        return hs_progress_part_end(&progress, error);
    HS_TRY(hs_counts_of(&training.view, &counts, error));
    int status = selector->prepare(&training, r->of.options, &state, error);
    if (!status)
        status = selector->select_features(state, mask, error);
    if (state)
        selector->free(state);
    HS_TRY(status);
    for (uint32_t f = 0; f < features; f++)
        if (hs_bit_get(mask, f))
            atomic_fetch_add_explicit(&r->selected[f], 1, memory_order_relaxed);
    return hs_progress_part_end(&progress, error);
}

static int choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const struct options *o = options;
    const hs_training *training = c->training;
    const hsel_dataset *data = training->view.data;
    HS_OWNS(running_clear)
    struct running r = {.training = training,
                        .options = o,
                        .selected = HS_NEW_ZERO(_Atomic uint32_t, data->features),
                        .progress = {.whole = training->progress, .count = o->runs}};
    HS_NEED(r.selected);
    HS_TRY(parse(o->of, &r.of, error));
    const hs_method *of = r.of.method;
    if (of->flags & HS_NEEDS_HIERARCHY && !data->dag)
        return hs_fail(error, HSEL_EUSAGE, "%s needs a hierarchy, and %s has none", of->name,
                       hsel_dataset_name(data));
    if (!(of->flags & HS_ANY_FEATURES) && !hs_dataset_all_binary(data))
        return hs_fail(error, HSEL_EUSAGE, "%s needs binary features, and %s has others", of->name,
                       hsel_dataset_name(data));
    if (of->flags & HS_TWO_CLASSES_ONLY && data->class_names.count != 2)
        return hs_fail(error, HSEL_EUSAGE, "%s is for two classes, and %s has %u", of->name,
                       hsel_dataset_name(data), data->class_names.count);
    HS_TRY(hs_training_rows(training, true, &r.rows, &r.row_count, error));
    HS_TRY(hs_parallel_for(o->runs, training->threads, run_once, &r, error));
    double mean = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t times = atomic_load(&r.selected[c->feature[i]]);
        c->score[i] = (double)times / o->runs;
        keep[i] = c->score[i] >= o->threshold;
        mean += c->score[i];
    }
    hs_candidates_rule(c, keep, HS_RULE_PASSES, HSEL_NONE, o->threshold);
    hs_candidates_rule(c, keep, HS_RULE_FAILS, HSEL_NONE, o->threshold);
    if (o->threshold > 0.5 && c->count && training->progress) {
        char text[120];
        snprintf(text, sizeof text,
                 "selections by %s expect at most %.2g features that are not relevant", of->name,
                 mean * mean / ((2 * o->threshold - 1) * c->count));
        HS_TRY(hs_notes_count(training->progress->notes, "stability", text, true, error));
    }
    return HSEL_OK;
}

HS_EAGER_METHOD(
    stability, "stability", HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_STOCHASTIC, table,
    sizeof(struct options), NULL, choose, hs_eager_scores,
    .title = "what another selector chooses again and again",
    .help = "Runs an eager selector on many parts of the training data and keeps the features that "
            "it selects in at least a share of the runs; relevance is that share. By default the "
            "parts are pairs of complementary halves. A note bounds the expected number of "
            "features that are selected although they are not relevant. Options of the selector "
            "are parted by semicolons: stability:of=shsel:threshold=0.99;relevance=ig,runs=200.",
    .citation = "Meinshausen, Buehlmann (2010), J. R. Stat. Soc. B 72:417-473; Shah, Samworth "
                "(2013), J. R. Stat. Soc. B 75:55-80",
    .check = check);
