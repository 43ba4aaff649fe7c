/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Methods around other selectors, which are run on parts of the training data.
 *
 * stability: features that another selector chooses repeatedly.
 *
 *     run r: the selector on a part of the instances, drawn without replacement within each class
 *     P_f  = share of the runs in which f is selected            keep f iff P_f >= threshold
 *
 * Meinshausen, Buehlmann (2010). With share = 0.5 runs come in pairs of complementary halves (Shah,
 * Samworth 2013); of a class with an odd number of instances one is left out. Of d features, q
 * of them selected per run on average, E(falsely selected) <= q^2 / ((2 threshold - 1) d), which is
 * reported in a note. That holds for halves, thresholds above 0.5, and if irrelevant features are
 * exchangeable, which a selector on the hierarchy violates. Otherwise outcomes are permuted (within
 * strata), and the note reports how many features are then kept on average: an estimate as if no
 * feature were relevant.
 *
 * Each run has its own random stream: the same result with any number of threads. Time: runs x (the
 * selector + counting its part); memory: that of a run per thread.
 */
#include <stdatomic.h>

#include "infer/p_values.h"
#include "rank/rank.h"
#include "search/objective.h"
#include "select/eager.h"

struct options {
    const char *of;
    uint32_t runs, permutations;
    double share, threshold;
};

static const hs_option table[] = {
    HS_TEXT(struct options, of, "of", "METHOD", "top",
            "eager selector to run; separate its further options by ;"),
    HS_OPTION(struct options, runs, "runs", "N", "100", 2, 1000000, "how often"),
    HS_OPTION(struct options, share, "share", "P", "0.5", 0.01, 0.99,
              "share of the instances of each class in a run; 0.5: pairs of complementary halves"),
    HS_OPTION(struct options, threshold, "threshold", "P", "0.7", 0, 1,
              "features selected in at least this share of the runs are kept"),
    HS_OPTION(struct options, permutations, "permutations", "N", "10", 0, 100000,
              "where no bound on falsely selected features holds (share other than 0.5, threshold "
              "up to 0.5, selectors on the hierarchy), estimate their number by N permutations of "
              "the classes, each of which takes as long as the selection; 0: no estimate"),
    HS_OPTION_END};

/* Runs of one or several methods on parts of the training data. */
struct running {
    const hs_training *training;
    const char *purpose; /* of random streams */
    uint32_t runs, k;    /* k: a ranker selects the first so many */
    double share;
    hs_chosen *of;
    size_t count;
    uint32_t *rows, row_count; /* those that have a class */
    hs_exchange whole; /* its blocks are groups, which are in a run as a whole or not at all */
    hs_progress_parts progress;
    /* Takes the result of a run: a mask, and a score for each feature or NULL. */
    int (*take)(const struct running *r, size_t task, const uint64_t *mask, const double *score,
                hsel_error *error);
    void *context;
};

static void running_clear(struct running *r)
{
    for (size_t i = 0; r->of && i < r->count; i++)
        hs_chosen_clear(&r->of[i]);
    hs_exchange_clear(&r->whole);
    HS_FREE(r->of, r->rows);
}

/* Methods separated by +, the options of each by ;. */
static int parse_methods(const char *owner, const char *text, bool rankers, struct running *out,
                         hsel_error *error)
{
    out->count = 1;
    for (const char *c = text; rankers && *c; c++)
        out->count += *c == '+';
    HS_NEED(out->of = HS_NEW_ZERO(hs_chosen, out->count));
    for (hs_chosen *of = out->of; of < out->of + out->count; of++) {
        const size_t length = rankers ? strcspn(text, "+") : strlen(text),
                     name = strcspn(text, rankers ? ":(+" : ":(");
        const bool ranks = rankers && !hs_method_find(HS_SELECTOR, text, name) &&
                           hs_method_find(HS_RANKER, text, name);
        HS_TRY(hs_nested_parse(ranks ? HS_RANKER : HS_SELECTOR, text, length, of, error));
        if (of->method->flags & HS_LAZY)
            return hs_fail(error, HSEL_EUSAGE,
                           "%s is for eager selectors, but %s selects for each instance separately",
                           owner, of->method->name);
        text += length + 1;
    }
    return HSEL_OK;
}

/* The rows of run `run`: of each class the first, or the second, of its rows in random order; of
 * groups likewise, whose class is that of their first row. */
static uint32_t draw_part(const struct running *r, uint32_t run, uint32_t *order, uint32_t *part)
{
    const hsel_dataset *data = r->training->view.data;
    const bool halves = r->share == 0.5;
    const hs_sparse *blocks = &r->whole.blocks;
    uint32_t count = 0;
    hs_stream stream;
    hs_stream_init(&stream, r->training->seed, r->purpose, halves ? run / 2 : run, 0);
    for (uint32_t c = 0; c < (data->target ? 1 : data->class_names.count); c++) {
        uint32_t in_class = 0;
        for (uint32_t b = 0; b < blocks->lists; b++)
            if (data->target || data->class_of[r->rows[blocks->index[blocks->start[b]]]] == c)
                order[in_class++] = b;
        uint32_t wanted = halves ? in_class / 2 : (uint32_t)round(r->share * in_class);
        hs_random_shuffle(&stream, order, in_class);
        const uint32_t *drawn = order + (halves && run % 2 ? wanted : 0);
        for (uint32_t j = 0; j < wanted; j++)
            for (uint64_t i = blocks->start[drawn[j]]; i < blocks->start[drawn[j] + 1]; i++)
                part[count++] = r->rows[blocks->index[i]];
    }
    hs_sort_ascending(part, order, count);
    return count;
}

static int run_once(void *context, size_t task, int worker, hsel_error *error)
{
    struct running *r = context;
    const uint32_t features = r->training->view.data->features, run = (uint32_t)(task % r->runs);
    const hs_chosen *of = &r->of[task / r->runs];
    const hs_selector *selector = of->method->kind == HS_SELECTOR ? of->method->selector : NULL;
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, r->row_count),
                      *part = HS_NEW(uint32_t, r->row_count),
                      *ranked = HS_NEW(uint32_t, selector ? 0 : features);
    HS_OWNED uint64_t *mask = HS_NEW_ZERO(uint64_t, hs_bit_words(features));
    HS_OWNED double *own = HS_NEW_ZERO(double, selector ? 0 : features);
    const double *score = NULL;
    HS_OWNS(hs_counts_clear) hs_counts counts = {0};
    hs_progress_part progress;
    hs_stream stream;
    void *state = NULL;
    int status = HSEL_OK;
    (void)worker;
    HS_NEED(order && part && ranked && mask && own);
    hs_progress_part_begin(&progress, &r->progress, "runs");
    hs_stream_init(&stream, r->training->seed, r->purpose, task, 1);
    hs_training training = {.view = r->training->view,
                            .counts = &counts,
                            .seed = hs_random_u64(&stream),
                            .progress = &progress.progress,
                            .threads = 1};
    training.view.rows = part;
    training.view.row_count = draw_part(r, run, order, part);
    HS_TRY(hs_counts_of(&training.view, &counts, error));
    if (training.view.row_count == 0) {
        /* too few instances for a part: nothing is selected */
    } else if (!selector) {
        HS_TRY(hs_rank_features(&training, of, 1, &own, error));
        uint32_t count = hs_rank_order(own, features, training.view.features, ranked);
        for (uint32_t i = 0; i < count && i < r->k; i++)
            hs_bit_set(mask, ranked[i]);
        score = own;
    } else {
        status = selector->prepare(&training, of->options, &state, error);
        if (!status)
            status = selector->select_features(state, mask, error);
        if (!status && selector->scores)
            score = selector->scores(state);
    }
    if (!status)
        status = r->take(r, task, mask, score, error);
    if (state)
        selector->free(state);
    HS_TRY(status);
    return hs_progress_part_end(&progress, error);
}

static int run_all(struct running *r, hsel_error *error)
{
    for (size_t i = 0; i < r->count; i++)
        HS_TRY(hs_check_within(r->training->view.data, r->of[i].method, error));
    r->progress = (hs_progress_parts){.whole = r->training->progress, .count = r->count * r->runs};
    HS_TRY(hs_training_rows(r->training, true, &r->rows, &r->row_count, error));
    const hs_view rows = {
        .data = r->training->view.data, .rows = r->rows, .row_count = r->row_count};
    HS_TRY(hs_exchange_init(&rows, NULL, NULL, &r->whole, error));
    return hs_parallel_for(r->count * r->runs, r->training->threads, run_once, r, error);
}

/* ---- stability selection ---- */

static int stability_check(const void *options, hsel_error *error)
{
    HS_OWNS(running_clear) struct running r = {0};
    return parse_methods("stability", ((const struct options *)options)->of, false, &r, error);
}

static int count_times(const struct running *r, size_t task, const uint64_t *mask,
                       const double *score, hsel_error *error)
{
    _Atomic uint32_t *times = r->context; /* [features]: selected in so many runs */
    (void)task, (void)score, (void)error;
    for (uint32_t f = 0; f < r->training->view.data->features; f++)
        if (hs_bit_get(mask, f))
            atomic_fetch_add_explicit(&times[f], 1, memory_order_relaxed);
    return HSEL_OK;
}

/* share[i]: the share of the runs that select candidate i. */
static int find_shares(const hs_candidates *c, const struct options *o, const hs_training *training,
                       double *share, hsel_error *error)
{
    HS_OWNED _Atomic uint32_t *times = HS_NEW_ZERO(_Atomic uint32_t, training->view.data->features);
    HS_OWNS(running_clear)
    struct running r = {.training = training,
                        .purpose = "stability",
                        .runs = o->runs,
                        .share = o->share,
                        .take = count_times,
                        .context = times};
    HS_NEED(times);
    HS_TRY(parse_methods("stability", o->of, false, &r, error));
    HS_TRY(run_all(&r, error));
    for (uint32_t i = 0; i < c->count; i++)
        share[i] = (double)atomic_load(&times[c->feature[i]]) / o->runs;
    return HSEL_OK;
}

/* How many features are kept when outcomes are permuted, on average. */
static int count_by_chance(const hs_candidates *c, const struct options *o,
                           hs_progress_parts *parts, double *kept, hsel_error *error)
{
    hsel_dataset data = *c->training->view.data; /* borrows all but the outcomes */
    hs_training training = *c->training;
    HS_OWNS(hs_p_sample_clear) hs_p_sample sample = {0};
    HS_OWNS(hs_exchange_clear) hs_exchange exchange = {0};
    HS_OWNED uint32_t *rows = NULL, *scratch = HS_NEW(uint32_t, data.instances),
                      *shuffled = HS_NEW(uint32_t, data.instances),
                      *class_of = HS_NEW(uint32_t, data.instances);
    HS_OWNED double *share = HS_NEW(double, c->count), *target = HS_NEW(double, data.instances);
    uint32_t count;
    HS_NEED(scratch && shuffled && class_of && share && target);
    if (data.target) {
        HS_TRY(hs_training_rows(&training, true, &rows, &count, error));
        const hs_view all = {.data = &data, .rows = rows, .row_count = count};
        HS_TRY(hs_exchange_init(&all, NULL, NULL, &exchange, error));
    } else
        HS_TRY(hs_p_sample_init(&training, &(hs_p_options){0}, &sample, error));
    training.view.data = &data;
    *kept = 0;
    for (uint32_t b = 0; b < o->permutations; b++) {
        hs_progress_part part;
        hs_progress_part_begin(&part, parts, "permutations");
        part.progress.notes = NULL;
        training.progress = &part.progress;
        if (data.target) {
            const double *from = c->training->view.data->target;
            hs_stream stream;
            hs_stream_init(&stream, training.seed, "stability", b, 2);
            memcpy(target, from, data.instances * sizeof *target);
            hs_exchange_draw(&exchange, &stream, scratch, shuffled);
            for (uint32_t i = 0; i < count; i++)
                target[rows[i]] = from[rows[shuffled[i]]];
            data.target = target;
        } else {
            memcpy(class_of, c->training->view.data->class_of, data.instances * sizeof *class_of);
            hs_p_permute(&sample, b, scratch, shuffled);
            for (uint32_t i = 0; i < sample.count; i++)
                class_of[sample.rows[i]] = shuffled[i];
            data.class_of = class_of;
        }
        HS_TRY(find_shares(c, o, &training, share, error));
        for (uint32_t i = 0; i < c->count; i++)
            *kept += share[i] >= o->threshold;
        HS_TRY(hs_progress_part_end(&part, error));
    }
    *kept /= o->permutations;
    return HSEL_OK;
}

static int stability_choose(const hs_candidates *c, const void *options, bool *keep,
                            hsel_error *error)
{
    const struct options *o = options;
    const hs_progress *progress = c->training->progress;
    HS_OWNS(running_clear) struct running r = {0};
    hs_training training = *c->training;
    hs_progress_part part;
    double mean = 0, kept = 0;
    char text[160];
    HS_TRY(parse_methods("stability", o->of, false, &r, error));
    const bool notes = c->count && progress && progress->notes,
               bound = o->share == 0.5 && o->threshold > 0.5 &&
                       !(r.of->method->flags & HS_NEEDS_HIERARCHY),
               permute = notes && !bound && o->permutations;
    hs_progress_parts parts = {.whole = progress, .count = permute ? 1 + o->permutations : 1};
    hs_progress_part_begin(&part, &parts, NULL);
    training.progress = progress ? &part.progress : NULL;
    HS_TRY(find_shares(c, o, &training, c->score, error));
    HS_TRY(progress ? hs_progress_part_end(&part, error) : HSEL_OK);
    for (uint32_t i = 0; i < c->count; i++) {
        keep[i] = c->score[i] >= o->threshold;
        mean += c->score[i];
    }
    hs_candidates_threshold(c, keep, o->threshold);
    if (!notes)
        return HSEL_OK;
    if (permute)
        HS_TRY(count_by_chance(c, o, &parts, &kept, error));
    if (bound)
        snprintf(text, sizeof text,
                 "selections by %s expect at most %.2g features that are not relevant, if such "
                 "features are exchangeable",
                 r.of->method->name, mean * mean / ((2 * o->threshold - 1) * c->count));
    else if (permute)
        snprintf(text, sizeof text,
                 "selections by %s keep about %.*f features when classes are permuted",
                 r.of->method->name, kept < 1, kept);
    else
        snprintf(text, sizeof text,
                 "selections by %s have no bound on features that are not relevant",
                 r.of->method->name);
    return hs_notes_count(progress->notes, "stability", text, true, error);
}

HS_EAGER_METHOD(
    stability, "stability", HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_STOCHASTIC | HS_NUMERIC_TARGET,
    table, sizeof(struct options), NULL, stability_choose, KEPT, DROPPED, hs_eager_scores,
    .title = "features that another selector chooses repeatedly",
    .help = "Runs an eager selector on many parts of the training data and keeps the features that "
            "it selects in at least a given share of the runs; relevance is this share. By default "
            "the parts are pairs of complementary halves. A note shows a bound on the expected "
            "number of irrelevant features selected if the theorem holds; otherwise it shows how "
            "many features are selected when classes are permuted. Takes numeric targets if the "
            "selector does. Separate options of the selector by semicolons: "
            "stability:of=shsel:threshold=0.99;prune=none,runs=200.",
    .citation = "Meinshausen, Buehlmann (2010), J. R. Stat. Soc. B 72:417-473; Shah, Samworth "
                "(2013), J. R. Stat. Soc. B 75:55-80",
    .check = stability_check);

/* ---- ensemble ---- */

/* ensemble: the features that several selectors and rankers, on several parts of the data, rank
 * highest together.
 *
 *     of=A+B+C       methods; each is run on `runs` parts of the instances, drawn without
 *                    replacement within each class (0.632 is the share of different instances in a
 *                    bootstrap; runs=1,share=1: all instances)
 *     place of f     selected features by falling score, then the others; equal ones share the mean
 *     by=mean        score 1 - (mean place - 1) / (d - 1)       median: likewise
 *     by=borda       mean over runs of (m - place + 1) / m among m selected, 0 for the others
 *     by=votes       share of the runs that select f (a ranker selects its first k)
 *
 * Saeys, Abeel, Van de Peer (2008); Abeel et al. (2010). The k best are kept, of equal ones the
 * first; k=0: as many as the selectors chose on average. Memory: a number per run and feature.
 */
struct ensemble_options {
    const char *of;
    uint32_t runs, k;
    double share;
    int by;
};
enum by { MEAN, MEDIAN, BORDA, VOTES };

static const hs_option ensemble_table[] = {
    HS_TEXT(struct ensemble_options, of, "of", "METHODS", "top",
            "eager selectors and rankers, separated by +; separate their further options by ;"),
    HS_OPTION(struct ensemble_options, runs, "runs", "N", "20", 1, 1000000,
              "number of parts for each method"),
    HS_OPTION(struct ensemble_options, share, "share", "P", "0.632", 0.01, 1,
              "share of the instances of each class in a part"),
    HS_CHOICE(struct ensemble_options, by, "by", "mean|median|borda|votes", "mean",
              "how ranks are combined into one score"),
    HS_OPTION(struct ensemble_options, k, "k", "N", "20", 0, 1000000,
              "number of features; 0: as many as the selectors chose on average"),
    HS_OPTION_END};

static int ensemble_check(const void *options, hsel_error *error)
{
    const struct ensemble_options *o = options;
    bool selects = false;
    HS_OWNS(running_clear) struct running r = {0};
    HS_TRY(parse_methods("ensemble", o->of, true, &r, error));
    for (size_t i = 0; i < r.count; i++)
        selects |= r.of[i].method->kind == HS_SELECTOR;
    if (o->k == 0 && !selects)
        return hs_fail(error, HSEL_EUSAGE, "ensemble:k=0 needs a selector, but %s has none", o->of);
    return HSEL_OK;
}

struct places {
    const hs_candidates *candidates;
    float *place;   /* [tasks * candidates] */
    float *credit;  /* [tasks * candidates]: 0: not selected; else (m - place + 1) / m */
    uint32_t *size; /* [tasks]: m */
};

static void places_clear(struct places *p) { HS_FREE(p->place, p->credit, p->size); }

static int take_places(const struct running *r, size_t task, const uint64_t *mask,
                       const double *score, hsel_error *error)
{
    const struct places *p = r->context;
    const hs_candidates *c = p->candidates;
    HS_OWNED double *value = HS_NEW(double, c->count);
    HS_OWNED uint64_t *selected = HS_NEW_ZERO(uint64_t, hs_bit_words(c->count)),
                      *others = HS_NEW_ZERO(uint64_t, hs_bit_words(c->count));
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, c->count);
    HS_NEED(value && selected && others && order);
    for (uint32_t i = 0; i < c->count; i++) {
        value[i] = score ? score[c->feature[i]] : 0;
        value[i] = isnan(value[i]) ? -INFINITY : value[i];
        hs_bit_set(hs_bit_get(mask, c->feature[i]) ? selected : others, i);
    }
    const uint32_t m = hs_rank_order(value, c->count, selected, order);
    hs_rank_order(value, c->count, others, order + m);
    p->size[task] = m;
    for (uint32_t i = 0, end; i < c->count; i = end) {
        const uint32_t last = i < m ? m : c->count;
        for (end = i + 1; end < last && !(value[order[end]] < value[order[i]]);)
            end++;
        double place = (i + 1 + end) / 2.0;
        for (uint32_t j = i; j < end; j++) {
            size_t at = task * c->count + order[j];
            p->place[at] = (float)place;
            p->credit[at] = i < m ? (float)((m - place + 1) / m) : 0;
        }
    }
    return HSEL_OK;
}

static int rising(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static int ensemble_choose(const hs_candidates *c, const void *options, bool *keep,
                           hsel_error *error)
{
    const struct ensemble_options *o = options;
    HS_OWNS(places_clear) struct places p = {.candidates = c};
    HS_OWNS(running_clear)
    struct running r = {.training = c->training,
                        .purpose = "ensemble",
                        .runs = o->runs,
                        .k = o->k,
                        .share = o->share,
                        .take = take_places,
                        .context = &p};
    HS_TRY(parse_methods("ensemble", o->of, true, &r, error));
    const size_t tasks = r.count * o->runs;
    p.place = HS_NEW(float, tasks * c->count);
    p.credit = HS_NEW(float, tasks * c->count);
    p.size = HS_NEW(uint32_t, tasks);
    HS_OWNED float *own = HS_NEW(float, tasks);
    HS_NEED(p.place && p.credit && p.size && own);
    HS_TRY(run_all(&r, error));
    double chosen = 0, selecting = 0;
    for (size_t t = 0; t < tasks; t++)
        if (r.of[t / o->runs].method->kind == HS_SELECTOR) {
            chosen += p.size[t];
            selecting++;
        }
    for (uint32_t i = 0; i < c->count; i++) {
        double sum = 0;
        for (size_t t = 0; t < tasks; t++) {
            size_t at = t * c->count + i;
            own[t] = p.place[at];
            sum += o->by == MEAN    ? (double)p.place[at]
                   : o->by == BORDA ? (double)p.credit[at]
                                    : p.credit[at] > 0;
        }
        double value = sum / (double)tasks;
        if (o->by == MEDIAN) {
            qsort(own, tasks, sizeof *own, rising);
            value = ((double)own[(tasks - 1) / 2] + (double)own[tasks / 2]) / 2;
        }
        c->score[i] = o->by >= BORDA ? value : c->count > 1 ? 1 - (value - 1) / (c->count - 1) : 1;
    }
    return hs_candidates_best(c, o->k ? o->k : (uint32_t)lround(chosen / selecting), keep, error);
}

HS_EAGER_METHOD(
    ensemble, "ensemble", HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_STOCHASTIC | HS_NUMERIC_TARGET,
    ensemble_table, sizeof(struct ensemble_options), NULL, ensemble_choose, KEPT, DROPPED,
    hs_eager_scores, .title = "features ranked first by several selectors and rankers",
    .help = "Runs eager selectors and rankers, each on many parts of the training data, and "
            "combines their rankings of the features: by mean or median rank, by Borda count over "
            "selected features, or by share of votes. The best k are kept. Takes numeric targets "
            "if the methods do. Separate methods by plus signs and their options by semicolons: "
            "ensemble:of=shsel:threshold=0.99;prune=none+ig+relieff,by=borda,k=30.",
    .citation = "Saeys, Abeel, Van de Peer (2008), ECML PKDD 5212:313-325; Abeel, Helleputte, Van "
                "de Peer, Dupont, Saeys (2010), Bioinformatics 26:392-398",
    .check = ensemble_check);
