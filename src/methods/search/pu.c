/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pu: learns from positive and unlabelled instances with any selector and classifier, its base. The
 * class that is not the positive one is unlabelled: some of its instances are positive.
 *
 *     bagging    Mordelet and Vert (2014): in each round the base learns to tell the positives from
 *                a bootstrap sample of the unlabelled, size times as many as there are positives
 *                but not more than limit times the unlabelled; one drawn twice counts once. Score:
 * the mean over the rounds. two-step   the base learns the positives and the reliable negatives,
 * once. weighting  Elkan and Noto (2008): g(x) = P(labelled | x), by Platt's curve on out-of-fold
 *                scores of the base; c = mean of g over the positives; the base learns again, the
 *                unlabelled once as positive with weight w = (1 - c) / c * g / (1 - g), at most 1,
 *                and once as negative with 1 - w.
 *
 * Reliable negatives, in the place of all unlabelled instances; s is Jaccard's similarity of the
 * positive features of two instances, or simGIC (Pesquita et al. 2008): the same, with features
 * weighted by their information -log2(support / instances). Of equally near neighbours positives
 * come first.
 *
 *     neighbours  none of the k nearest is positive, and the mean s to the positives is not above
 *                 the median of that of the positives to each other
 *     paz-ruza    Paz-Ruza et al. (2024): the nearest is unlabelled, and so is a share of the k
 *                 nearest or more
 *     scores      the share of the unlabelled with the lowest out-of-bag scores of a first bagging
 *
 * With held-out=F a round leaves out one of F parts of the training instances, positives too, so
 * that all have out-of-bag scores: means over the rounds that learned neither from the instance nor
 * from its group. Scores are the base's (log-odds, margins, differences of votes), all on the same
 * scale, and do not saturate. Probabilities are means, calibrated: of being labelled.
 *
 * Time: rounds x the base on a few instances; neighbours: by the columns of features, at most
 * instances x the support of their features. Memory: the fitted bases.
 */
#include "classify/platt.h"
#include "pipeline/inner.h"
#include "pipeline/pipeline.h"
#include "search/objective.h"

enum by { BAGGING, TWO_STEP, WEIGHTING };
enum reliable { AUTO, NONE, NEIGHBOURS, PAZ_RUZA, SCORES };
enum similarity { JACCARD, SIMGIC };
#define LARGEST 1e100 /* score of a base, so that means are numbers */

struct options {
    hs_adjust_options adjust; /* must come first */
    const char *base;
    int by, reliable, similarity;
    uint32_t rounds, held_out, k;
    double size, limit, share;
};

static const hs_option table[] = {
    HS_ADJUST_AUTO,
    HS_TEXT(struct options, base, "base", "default|CLASSIFIER|SELECTOR+CLASSIFIER", "default",
            "what learns to tell positives from others; separate its options by ;; default: "
            "hip+nb, or nb where hip does not suit the data"),
    HS_CHOICE(struct options, by, "by", "bagging|two-step|weighting", "bagging",
              "positives against many samples of the unlabelled; against reliable negatives; or "
              "unlabelled instances as positive and negative with weights"),
    HS_OPTION(struct options, rounds, "rounds", "N", "30", 1, 100000, "bagging: rounds"),
    HS_OPTION(struct options, size, "size", "X", "2", 1e-6, 1e6,
              "bagging: unlabelled instances drawn in a round, for each positive one"),
    HS_OPTION(struct options, limit, "limit", "X", "0.3", 1e-6, 1e6,
              "bagging: but at most this many for each unlabelled instance there is"),
    HS_OPTION(struct options, held_out, "held-out", "N", "5", 0, 1000,
              "bagging: parts of the instances, one of which each round leaves out, so that "
              "positives have out-of-bag scores, too; 0: none"),
    HS_CHOICE(struct options, reliable, "reliable", "auto|none|neighbours|paz-ruza|scores", "auto",
              "unlabelled instances to learn from: all; those without a positive neighbour, by two "
              "rules; or those with the lowest scores in a first bagging; auto: none for bagging, "
              "neighbours for two-step"),
    HS_CHOICE(struct options, similarity, "similarity", "jaccard|simgic", "jaccard",
              "of neighbours: shared features among those of either, or the same weighted by "
              "information, a semantic similarity on the hierarchy"),
    HS_OPTION(struct options, k, "k", "N", "10", 1, 1000000, "number of neighbours"),
    HS_OPTION(struct options, share, "share", "X", "0.5", 0, 1,
              "paz-ruza: least share of unlabelled neighbours; scores: share of the unlabelled"),
    HS_OPTION_END};

struct round {
    hs_pipeline pipeline;
    hs_counts counts; /* lazy selectors learn from them */
};

struct pu {
    const hsel_dataset *shape;
    char *text; /* of the base */
    uint32_t features, classes, positive;
    hs_chosen selector, classifier;
    struct round *rounds;
    uint32_t count, by;
    uint32_t positives, unlabelled, negatives; /* training instances; reliable ones among these */
    double c;                                  /* weighting: share of positives that are labelled */
    hsel_dataset *doubled;                     /* weighting: what the base learned from */
    hs_counts counts;                          /* of these */
    uint64_t *mask;                            /* features that the base may use; NULL: all */
};

static void pu_free(void *pointer)
{
    struct pu *m = pointer;
    if (!m)
        return;
    for (uint32_t r = 0; m->rounds && r < m->count; r++) {
        hs_pipeline_clear(&m->rounds[r].pipeline);
        hs_counts_clear(&m->rounds[r].counts);
    }
    hs_chosen_clear(&m->selector);
    hs_chosen_clear(&m->classifier);
    hs_counts_clear(&m->counts);
    hs_dataset_free(m->doubled); /* last: a base may use it */
    HS_FREE(m->rounds, m->mask, m->text);
    hs_free(m);
}
HS_RELEASE(pu_release, struct pu, pu_free)

static int parse_base(const char *text, hs_chosen *selector, hs_chosen *classifier,
                      hsel_error *error)
{
    text = strcmp(text, "default") == 0 ? "hip+nb" : text;
    return hs_member_parse("pu", false, text, strlen(text), selector, classifier, error);
}

static int pu_check(const void *options, hsel_error *error)
{
    const struct options *o = options;
    HS_OWNS(hs_chosen_clear) hs_chosen selector = {0}, classifier = {0};
    hs_adjust_options adjust = o->adjust;
    adjust.inner_folds = o->by == WEIGHTING ? 5 : adjust.inner_folds; /* it uses them itself, too */
    HS_TRY(hs_adjust_check(&adjust, error));
    HS_TRY(parse_base(o->base, &selector, &classifier, error));
    if (o->by == TWO_STEP && o->reliable == NONE)
        return hs_fail(error, HSEL_EUSAGE,
                       "pu:by=two-step needs reliable negatives: choose "
                       "neighbours, paz-ruza or scores for {:reliable}, not none");
    if (o->by == WEIGHTING && o->reliable > NONE)
        return hs_fail(error, HSEL_EUSAGE,
                       "{:reliable} of pu is for bagging and two-step, not for by=weighting");
    return o->by == WEIGHTING ? hs_check_weighs(classifier.method, error) : HSEL_OK;
}

/* Room for the rounds, whose pipelines have the base. */
static int make_rounds(struct pu *m, const char *text, hsel_error *error)
{
    HS_NEED(m->text = hs_strdup(text));
    HS_TRY(parse_base(text, &m->selector, &m->classifier, error));
    HS_NEED(m->rounds = HS_NEW_ZERO(struct round, m->count));
    for (uint32_t r = 0; r < m->count; r++)
        m->rounds[r].pipeline = (hs_pipeline){.selector = &m->selector,
                                              .classifiers = &m->classifier,
                                              .count = 1,
                                              .plain = true,
                                              .prepared = true};
    return HSEL_OK;
}

/* ---- learning ---- */

struct fitting {
    struct pu *model;
    const struct options *o;
    const hs_training *training;
    hs_folds parts; /* that rounds leave out in turn; no folds: none */
    hs_units units; /* groups */
    bool *reliable; /* [rows]: unlabelled instances to learn from; NULL: all */
    double *scores; /* [rounds * rows]: out of bag, NaN: not; NULL: not wanted */
    hs_progress_parts progress;
};

static void fitting_clear(struct fitting *f)
{
    hs_folds_clear(&f->parts);
    hs_units_clear(&f->units);
    HS_FREE(f->scores, f->reliable);
}

static bool is_positive(const struct fitting *f, uint32_t position)
{
    const hs_view *view = &f->training->view;
    return view->data->class_of[hs_view_row(view, position)] == f->model->positive;
}

/* Marks the positions that a round learns from: positives, and unlabelled ones at random. A part
 * with all instances of a class is not left out. */
static int draw(const struct fitting *f, uint32_t round, bool *learns, hsel_error *error)
{
    const uint32_t rows = f->training->view.row_count, parts = f->parts.count;
    HS_OWNED uint32_t *others = HS_NEW(uint32_t, rows);
    uint32_t count = 0, positives = 0;
    hs_stream stream;
    HS_NEED(others);
    for (int whole = !parts; whole < 2 && !(count && positives); whole++) {
        count = positives = 0;
        for (uint32_t i = 0; i < rows; i++) {
            const bool in = whole || f->parts.fold_of[i] != round % parts;
            positives += learns[i] = in && is_positive(f, i);
            if (in && !is_positive(f, i) && (!f->reliable || f->reliable[i]))
                others[count++] = i;
        }
    }
    hs_stream_init(&stream, f->training->seed, "pu", round, 0);
    for (uint32_t i = 0; i < rows && !(count && positives); i++) /* one class only */
        learns[i] = true;
    if (!(count && positives))
        return HSEL_OK;
    for (uint32_t i = 0; i < count && f->model->by == TWO_STEP; i++)
        learns[others[i]] = true;
    const double wanted = fmin(f->o->size * positives, f->o->limit * count);
    for (double drawn = 0; drawn < fmax(1, floor(wanted + 0.5)) && f->model->by == BAGGING; drawn++)
        learns[others[hs_random_below(&stream, count)]] = true;
    return HSEL_OK;
}

/* ---- reliable negatives ---- */

struct near {    /* of an instance */
    double mean; /* similarity to the positives but itself */
    double nearest;
    uint32_t unlabelled; /* among the k nearest */
    bool first;          /* is the nearest unlabelled? */
};

struct search {
    const struct fitting *f;
    uint32_t rows, k;
    uint32_t *position; /* [instances of the data set]: HSEL_NONE: not learned from */
    double *weight;     /* [features]; 0: not used */
    double *size;       /* [rows]: sum of the weights of its features */
    double *sums;       /* [workers * rows]: of the features that it shares … */
    double *heap;       /* [workers * 2 * k]: similarities of the nearest of a kind */
    struct near *near;  /* [rows] */
};

static int compare_down(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Keeps the k largest in a heap whose first is the least. */
static void keep_largest(double *heap, uint32_t *count, uint32_t k, double value)
{
    uint32_t at = *count;
    if (at == k && !(value > heap[0]))
        return;
    if (at < k) {
        for ((*count)++; at && heap[(at - 1) / 2] > value; at = (at - 1) / 2)
            heap[at] = heap[(at - 1) / 2];
        heap[at] = value;
        return;
    }
    for (at = 0;;) {
        uint32_t child = 2 * at + 1;
        child += child + 1 < k && heap[child + 1] < heap[child];
        if (child >= k || heap[child] >= value)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = value;
}

static int search_task(void *context, size_t index, int worker, hsel_error *error)
{
    const struct search *s = context;
    const struct fitting *f = s->f;
    const hs_view *view = &f->training->view;
    const uint32_t k = s->k, positives = f->model->positives;
    double *sum = s->sums + (size_t)worker * s->rows, mean = 0;
    double *best[2] = {s->heap + (size_t)worker * 2 * k, s->heap + ((size_t)worker * 2 + 1) * k};
    uint32_t kept[2] = {0};
    size_t count, length;
    const uint32_t *row = hs_row(view->data, hs_view_row(view, (uint32_t)index), &count);
    if (index % 256 == 0)
        HS_TRY(hs_progress_ask(f->training->progress, error));
    memset(sum, 0, s->rows * sizeof *sum);
    for (size_t j = 0; j < count; j++) {
        const uint32_t *column = hs_column(view->data, row[j], &length);
        for (size_t i = 0; i < length && s->weight[row[j]] > 0; i++)
            if (s->position[column[i]] != HSEL_NONE)
                sum[s->position[column[i]]] += s->weight[row[j]];
    }
    for (uint32_t i = 0; i < s->rows; i++) {
        const double either = s->size[index] + s->size[i] - sum[i];
        const double near = sum[i] > 0 ? sum[i] / either : 0;
        const bool positive = is_positive(f, i);
        if (i == index)
            continue;
        mean += positive ? near : 0;
        keep_largest(best[positive], &kept[positive], k, near);
    }
    /* Both kinds in order; positives first among equals. */
    qsort(best[0], kept[0], sizeof **best, compare_down);
    qsort(best[1], kept[1], sizeof **best, compare_down);
    uint32_t at[2] = {0};
    while (at[0] + at[1] < k && (at[0] < kept[0] || at[1] < kept[1])) {
        const bool positive =
            at[1] < kept[1] && (at[0] == kept[0] || best[1][at[1]] >= best[0][at[0]]);
        at[positive]++;
    }
    const uint32_t others = positives - is_positive(f, (uint32_t)index);
    s->near[index] = (struct near){.mean = others ? mean / others : 0,
                                   .unlabelled = at[0],
                                   .first = kept[0] && !(kept[1] && best[1][0] >= best[0][0])};
    return HSEL_OK;
}

static void search_clear(struct search *s)
{
    HS_FREE(s->position, s->weight, s->size, s->sums, s->heap, s->near);
}

/* Weights of features, sizes of instances, and the neighbours of all. */
static int find_neighbours(struct search *s, hsel_error *error)
{
    const struct fitting *f = s->f;
    const hs_view *view = &f->training->view;
    const hsel_dataset *data = view->data;
    const size_t workers = (size_t)hs_threads(f->training->threads);
    size_t count;
    s->rows = view->row_count;
    s->k = f->o->k < s->rows ? f->o->k : s->rows;
    HS_NEED((s->position = hs_new_none(data->instances)) &&
            (s->weight = HS_NEW_ZERO(double, data->features)) &&
            (s->size = HS_NEW_ZERO(double, s->rows)) &&
            (s->sums = HS_NEW(double, workers * s->rows)) &&
            (s->heap = HS_NEW(double, workers * 2 * s->k)) &&
            (s->near = HS_NEW_ZERO(struct near, s->rows)));
    for (uint32_t i = 0; i < s->rows; i++)
        s->position[hs_view_row(view, i)] = i;
    bool any = false;
    for (uint32_t v = 0; v < data->features; v++) {
        if (data->types[v] != HSEL_BINARY || !hs_view_has(view, v) || hs_is_covariate(data, v))
            continue;
        const uint32_t *column = hs_column(data, v, &count);
        uint32_t support = 0;
        any = true;
        for (size_t i = 0; i < count; i++)
            support += s->position[column[i]] != HSEL_NONE;
        s->weight[v] = f->o->similarity == JACCARD ? 1
                       : support                   ? -log2((double)support / s->rows)
                                                   : 0;
    }
    if (!any)
        return hs_fail(error, HSEL_EUSAGE,
                       "pu compares binary features, and %s has none: choose "
                       "scores for {:reliable}, or bagging for {:by}",
                       hsel_dataset_name(data));
    if (f->o->similarity == SIMGIC && !data->dag)
        return hs_fail(error, HSEL_EUSAGE,
                       "pu:similarity=simgic needs a hierarchy: choose jaccard for {:similarity}");
    for (uint32_t i = 0; i < s->rows; i++) {
        const uint32_t *row = hs_row(data, hs_view_row(view, i), &count);
        for (size_t j = 0; j < count; j++)
            s->size[i] += s->weight[row[j]];
    }
    return hs_parallel_for(s->rows, f->training->threads, search_task, s, error);
}

static int choose_neighbours(struct fitting *f, hsel_error *error)
{
    HS_OWNS(search_clear) struct search s = {.f = f};
    const uint32_t rows = f->training->view.row_count;
    HS_OWNED double *means = HS_NEW(double, rows);
    uint32_t count = 0;
    HS_NEED(means);
    HS_TRY(find_neighbours(&s, error));
    for (uint32_t i = 0; i < rows; i++)
        if (is_positive(f, i))
            means[count++] = s.near[i].mean;
    qsort(means, count, sizeof *means, compare_down);
    for (uint32_t i = 0; i < rows; i++) {
        const struct near *near = &s.near[i];
        const double of = rows > s.k ? s.k : rows - 1;
        f->reliable[i] = f->o->reliable == PAZ_RUZA
                             ? near->first && near->unlabelled >= f->o->share * of
                             : near->unlabelled == of && near->mean <= means[count / 2];
    }
    return HSEL_OK;
}

static int pu_fit(const hs_training *given, const void *options, void **model, hsel_error *error);

/* Those with the lowest out-of-bag scores. */
static int choose_scores(struct fitting *f, hsel_error *error)
{
    const uint32_t rows = f->training->view.row_count;
    HS_OWNS(pu_release) struct pu *first = NULL;
    HS_OWNED double *score = HS_NEW(double, rows);
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, rows);
    struct options options = *f->o;
    hs_training training = *f->training;
    uint32_t wanted = (uint32_t)ceil(f->o->share * f->model->unlabelled);
    HS_NEED(score && order);
    options.by = BAGGING;
    options.reliable = NONE;
    options.held_out = options.held_out > 1 ? options.held_out : 5;
    training.own_score = score;
    void *made = NULL;
    HS_TRY(pu_fit(&training, &options, &made, error));
    first = made;
    for (uint32_t i = 0; i < rows; i++)
        score[i] = f->model->positive ? score[i] : -score[i];
    hs_order_all(score, HS_UPWARDS, order, rows);
    for (uint32_t i = 0; i < rows && wanted; i++)
        if (!is_positive(f, order[i])) {
            f->reliable[order[i]] = true;
            wanted--;
        }
    return HSEL_OK;
}

static int choose_reliable(struct fitting *f, hsel_error *error)
{
    const uint32_t rows = f->training->view.row_count;
    struct pu *m = f->model;
    HS_NEED(f->reliable = HS_NEW_ZERO(bool, rows));
    HS_TRY(f->o->reliable == SCORES ? choose_scores(f, error) : choose_neighbours(f, error));
    for (uint32_t i = 0; i < rows; i++)
        m->negatives += f->reliable[i] = f->reliable[i] && !is_positive(f, i);
    HS_TRY(hs_notes_count(f->training->progress ? f->training->progress->notes : NULL, "pu",
                          "fits found no reliable negatives and learned from all unlabelled "
                          "instances",
                          !m->negatives, error));
    if (!m->negatives)
        HS_FREE(hs_take(&f->reliable));
    return HSEL_OK;
}

/* ---- weighting ---- */

/* g of each position, and c. */
static int label_probability(const struct fitting *f, double *g, double *c, hsel_error *error)
{
    const hs_view *view = &f->training->view;
    const uint32_t rows = view->row_count;
    HS_OWNS(hs_inner_clear) hs_inner inner = {0};
    HS_OWNED bool *positive = HS_NEW(bool, rows);
    HS_OWNED double *kept = HS_NEW(double, rows);
    uint32_t count = 0, labelled = 0;
    HS_NEED(positive && kept);
    HS_TRY(hs_inner_init(&(hs_inner_request){.training = f->training,
                                             .folds = f->o->adjust.inner_folds,
                                             .seed = f->training->seed,
                                             .owner = "pu"},
                         &inner, error));
    for (uint32_t fold = 0; fold < inner.folds.count; fold++) {
        hs_training training = *f->training;
        hs_stream stream;
        hs_stream_init(&stream, training.seed, "pu", fold, 2);
        training.seed = hs_random_u64(&stream);
        training.view = inner.rest[fold];
        training.counts = &inner.train[fold];
        training.folds = NULL;
        training.own_score = NULL;
        HS_TRY(hs_inner_scores(&inner, fold, &f->model->selector, &f->model->classifier, 1, NULL,
                               &training, g, error));
    }
    for (uint32_t i = 0; i < rows; i++) { /* higher: more positive */
        g[i] = f->model->positive ? g[i] : -g[i];
        if (hs_fold_tests(&inner.folds, i)) {
            kept[count] = g[i];
            positive[count++] = is_positive(f, i);
        }
    }
    const hs_curve curve = hs_curve_platt(kept, positive, NULL, count);
    *c = 0;
    for (uint32_t i = 0; i < rows; i++) {
        g[i] = hs_fold_tests(&inner.folds, i) ? hs_curve_at(&curve, g[i]) : (double)NAN;
        if (!isnan(g[i]) && is_positive(f, i)) {
            *c += g[i];
            labelled++;
        }
    }
    *c = labelled ? *c / labelled : 1;
    return HSEL_OK;
}

/* Both copies of an instance belong to its group, or are one: inner folds of the base do not part
 * them. */
static int group_copies(const hsel_dataset *data, hsel_dataset *copies, const uint32_t *from,
                        hsel_error *error)
{
    const uint32_t column = hs_about_column(&data->instance_about, HS_ABOUT_GROUP);
    HS_OWNS(hs_about_clear) hs_about group = {0};
    HS_TRY(hs_names_append_text(&group.columns, HS_ABOUT_GROUP, error));
    for (uint32_t i = 0; i < copies->instances; i++) {
        const char *own = hs_about_get(&data->instance_about, from[i], column);
        char number[32];
        snprintf(number, sizeof number, "copies of %u", from[i]);
        HS_TRY(hs_names_append_text(&group.cells, own ? own : number, error));
    }
    return hs_about_join(&copies->instance_about, &group, copies->instances, error);
}

static int fit_weighted(const struct fitting *f, hsel_error *error)
{
    struct pu *m = f->model;
    struct round *own = m->rounds;
    hs_training training = *f->training;
    const hs_view *view = &f->training->view;
    const uint32_t rows = view->row_count;
    HS_OWNED double *g = HS_NEW(double, rows), *weight = HS_NEW(double, (size_t)2 * rows);
    HS_OWNED uint32_t *copied = HS_NEW(uint32_t, (size_t)2 * rows);
    uint32_t count = 0;
    HS_NEED(g && weight && copied);
    HS_TRY(label_probability(f, g, &m->c, error));
    HS_TRY(hs_progress_ask(training.progress, error));
    /* The selector learns from the instances as they are. */
    HS_TRY(hs_counts_of(view, &own->counts, error));
    training.counts = &own->counts;
    training.own_score = NULL;
    own->pipeline.left_out = (const char *const[]){""};
    HS_TRY(hs_pipeline_fit(&own->pipeline, &training, error));
    own->pipeline.left_out = NULL;
    for (int as = 1; as >= 0; as--) /* positive, then negative */
        for (uint32_t i = 0; i < rows; i++) {
            const uint32_t row = hs_view_row(view, i);
            const double w = is_positive(f, i) ? 1
                             : isnan(g[i])     ? 0
                                               : fmin(1, (1 - m->c) / m->c * g[i] / (1 - g[i]));
            const double own_weight =
                (as ? w : 1 - w) * (training.weight ? training.weight[row] : 1);
            if (!(own_weight > 0))
                continue;
            weight[count] = own_weight;
            copied[count++] = row | (as ? 0 : UINT32_C(1) << 31);
        }
    HS_OWNED uint32_t *from = hs_copy(copied, count, sizeof *copied);
    HS_NEED(from);
    for (uint32_t i = 0; i < count; i++)
        from[i] &= ~(UINT32_C(1) << 31);
    HS_TRY(hs_dataset_repeat(view->data, from, count, &m->doubled, error));
    for (uint32_t i = 0; i < count; i++)
        m->doubled->class_of[i] = copied[i] >> 31 ? 1 - m->positive : m->positive;
    HS_TRY(group_copies(view->data, m->doubled, from, error));
    training.view = (hs_view){.data = m->doubled,
                              .row_count = count,
                              .features = own->pipeline.mask ? own->pipeline.mask : m->mask};
    HS_TRY(hs_counts_of(&training.view, &m->counts, error));
    training.counts = &m->counts;
    training.weight = weight;
    training.class_weight = NULL;
    training.folds = NULL;
    return hs_classifier_fit(&m->classifier, &training, &own->pipeline.fitted->model, error);
}

/* ---- rounds ---- */

/* Scores of the instances that are not of a unit that the round learned from. */
static int score_rest(const struct fitting *f, uint32_t round, const bool *learns,
                      hsel_error *error)
{
    const uint32_t rows = f->training->view.row_count;
    double *score = f->scores + (size_t)round * rows;
    HS_OWNS(hs_predictor_clear) hs_predictor predictor = {0};
    HS_OWNED bool *met = HS_NEW_ZERO(bool, rows);
    HS_OWNED uint32_t *instances = HS_NEW(uint32_t, rows), *place = HS_NEW(uint32_t, rows);
    uint32_t count = 0;
    HS_NEED(met && instances && place);
    for (uint32_t i = 0; i < rows; i++)
        met[f->units.of ? f->units.of[i] : i] |= learns[i];
    for (uint32_t i = 0; i < rows; i++) {
        score[i] = (double)NAN;
        if (met[f->units.of ? f->units.of[i] : i])
            continue;
        instances[count] = hs_view_row(&f->training->view, i);
        place[count++] = i;
    }
    const hsel_dataset *data = f->training->view.data;
    HS_TRY(hs_predictor_begin(&predictor, &f->model->rounds[round].pipeline, data, error));
    return hs_predictor_run(&predictor,
                            &(hs_predict_request){.data = data,
                                                  .instances = instances,
                                                  .count = count,
                                                  .place = place,
                                                  .to = &(struct hs_answer_lists){.score = score},
                                                  .width = 1,
                                                  .progress = f->training->progress},
                            error);
}

static int fit_round(void *context, size_t index, int worker, hsel_error *error)
{
    struct fitting *f = context;
    struct round *own = &f->model->rounds[index];
    hs_training training = *f->training;
    const uint32_t rows = training.view.row_count;
    HS_OWNED bool *learns = HS_NEW(bool, rows);
    HS_OWNED uint32_t *chosen = HS_NEW(uint32_t, rows);
    hs_progress_part part;
    hs_stream stream;
    (void)worker;
    HS_NEED(learns && chosen);
    hs_progress_part_begin(&part, &f->progress, "rounds");
    HS_TRY(draw(f, (uint32_t)index, learns, error));
    training.view.rows = chosen;
    training.view.row_count = 0;
    for (uint32_t i = 0; i < rows; i++)
        if (learns[i])
            chosen[training.view.row_count++] = hs_view_row(&f->training->view, i);
    hs_stream_init(&stream, f->training->seed, "pu", index, 1);
    training.seed = hs_random_u64(&stream);
    training.progress = &part.progress;
    training.threads = f->model->count > 1 ? 1 : training.threads;
    training.folds = NULL;
    training.own_score = NULL;
    HS_TRY(hs_counts_of(&training.view, &own->counts, error));
    training.counts = &own->counts;
    HS_TRY(hs_pipeline_fit(&own->pipeline, &training, error));
    if (f->scores)
        HS_TRY(score_rest(f, (uint32_t)index, learns, error));
    return hs_progress_part_end(&part, error);
}

static double bounded(double score) { return fmin(fmax(score, -LARGEST), LARGEST); }

/* Out-of-bag scores: of instances that no round left out, which are few, that of none. */
static void mean_scores(const struct fitting *f, double *out)
{
    const uint32_t rows = f->training->view.row_count;
    for (uint32_t i = 0; i < rows; i++) {
        double sum = 0;
        uint32_t count = 0;
        for (uint32_t r = 0; r < f->model->count; r++) {
            const double score = f->scores[(size_t)r * rows + i];
            sum += isnan(score) ? 0 : bounded(score);
            count += !isnan(score);
        }
        out[i] = count ? sum / count : 0;
    }
}

/* The default base that suits the data. */
static int choose_base(const hs_training *training, const struct options *o, const char **out,
                       hsel_error *error)
{
    HS_OWNS(hs_chosen_clear) hs_chosen selector = {0}, classifier = {0};
    *out = o->base;
    if (strcmp(o->base, "default") != 0)
        return HSEL_OK;
    HS_TRY(parse_base(o->base, &selector, &classifier, error));
    const int status = hs_check_methods(training->view.data, selector.method, classifier.method,
                                        false, &(hsel_error){0});
    HS_NEED(status != HSEL_ENOMEM);
    *out = status ? "nb" : "hip+nb";
    return hs_notes_count(training->progress ? training->progress->notes : NULL, "pu",
                          "fits have the base nb in place of hip+nb, which does not suit the data",
                          status != HSEL_OK, error);
}

static int pu_fit(const hs_training *given, const void *options, void **model, hsel_error *error)
{
    const struct options *o = options;
    const hsel_dataset *data = given->view.data;
    const size_t words = hs_bit_words(data->features);
    hs_training training = *given;
    const char *base;
    HS_OWNED uint32_t *rows = NULL;
    HS_OWNS(pu_release) struct pu *m = HS_NEW_ZERO(struct pu, 1);
    HS_OWNS(fitting_clear) struct fitting f = {.model = m, .o = o, .training = &training};
    HS_NEED(m);
    m->shape = data;
    m->features = data->features;
    m->classes = data->class_names.count;
    m->positive = data->positive_class;
    m->count = o->by == BAGGING ? o->rounds : 1;
    m->by = (uint32_t)o->by;
    m->c = 1;
    if (training.view.features && hs_bits_count(training.view.features, words) == data->features)
        training.view.features = NULL; /* all: the base leaves out covariates itself */
    HS_TRY(hs_training_rows(given, true, &rows, &training.view.row_count, error));
    training.view.rows = rows;
    HS_TRY(choose_base(given, o, &base, error));
    HS_TRY(make_rounds(m, base, error));
    HS_TRY(hs_check_methods(data, m->selector.method, m->classifier.method, true, error));
    if (training.view.features)
        HS_NEED(m->mask = hs_copy(training.view.features, words, sizeof *m->mask));
    for (uint32_t i = 0; i < training.view.row_count; i++)
        *(is_positive(&f, i) ? &m->positives : &m->unlabelled) += 1;
    if (o->by == WEIGHTING)
        HS_TRY(fit_weighted(&f, error));
    if (o->by == TWO_STEP || o->reliable > NONE)
        HS_TRY(choose_reliable(&f, error));
    if (o->by == BAGGING && o->held_out > 1 && training.view.row_count > 1)
        HS_TRY(hs_folds_of_view(&training.view, o->held_out, given->seed, &f.parts, error));
    if (given->own_score) {
        HS_NEED(f.scores = HS_NEW(double, (size_t)m->count *training.view.row_count));
        if (hs_has_role(data, HS_ABOUT_GROUP))
            HS_TRY(hs_units_by_group(&training.view, &f.units, error));
    }
    f.progress = (hs_progress_parts){.whole = given->progress, .count = m->count};
    if (o->by != WEIGHTING)
        HS_TRY(hs_parallel_for(m->count, given->threads, fit_round, &f, error));
    if (given->own_score)
        mean_scores(&f, given->own_score);
    *model = hs_take(&m);
    return HSEL_OK;
}

static bool pu_scores_training(const void *options)
{
    const struct options *o = options;
    return o->by == BAGGING && o->reliable <= NONE && o->held_out > 1 && o->rounds >= o->held_out;
}

/* ---- predicting ---- */

struct scratch {
    hs_arena arena;
    uint32_t count;
    hs_predictor *predictor;                  /* [count] */
    double *probability, *score, *mean_score; /* of a batch */
};

static void scratch_free(void *pointer)
{
    struct scratch *s = pointer;
    if (!s)
        return;
    for (uint32_t r = 0; s->predictor && r < s->count; r++)
        hs_predictor_clear(&s->predictor[r]);
    hs_arena_clear(&s->arena);
    hs_free(s);
}
HS_RELEASE(scratch_release, struct scratch, scratch_free)

static int scratch_new(const void *model, void **scratch, hsel_error *error)
{
    const struct pu *m = model;
    HS_OWNS(scratch_release) struct scratch *s = HS_NEW_ZERO(struct scratch, 1);
    HS_NEED(s);
    HS_NEED(HS_LISTS(&s->arena, s, HS_PART(s, predictor, m->count),
                     HS_PART(s, probability, 2 * HS_BATCH), HS_PART(s, score, HS_BATCH)));
    s->count = m->count;
    for (uint32_t r = 0; r < m->count; r++)
        HS_TRY(hs_predictor_begin(&s->predictor[r], &m->rounds[r].pipeline, m->shape, error));
    *scratch = hs_take(&s);
    return HSEL_OK;
}

static int pu_predict(const void *model, const hs_batch *batch, void *scratch, double *probability,
                      double *score, hsel_error *error)
{
    const struct pu *m = model;
    struct scratch *s = scratch;
    const double share = 1.0 / m->count;
    memset(probability, 0, 2 * (size_t)batch->count * sizeof *probability);
    memset(score, 0, 2 * (size_t)batch->count * sizeof *score);
    for (uint32_t r = 0; r < m->count; r++) {
        HS_TRY(hs_predictor_run(
            &s->predictor[r],
            &(hs_predict_request){.data = batch->data,
                                  .instances = batch->instances,
                                  .count = batch->count,
                                  .to = &(struct hs_answer_lists){s->probability, s->score},
                                  .width = 1},
            error));
        for (uint32_t i = 0; i < batch->count; i++) {
            score[2 * i + 1] += bounded(s->score[i]) * share;
            probability[2 * i + 1] += s->probability[2 * i + 1] * share;
        }
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        score[2 * i] = -score[2 * i + 1];
        probability[2 * i + 1] = fmin(1, probability[2 * i + 1]);
        probability[2 * i] = 1 - probability[2 * i + 1];
    }
    return HSEL_OK;
}

/* ---- showing ---- */

static int pu_describe(const void *model, const hsel_dataset *shape, hs_describe_form form,
                       hs_writer *out, hsel_error *error)
{
    const struct pu *m = model;
    (void)shape;
    (void)error;
    static const char *const words[] = {"bagging", "two-step", "weighting"};
    hs_json json = {.out = out};
    if (form == HS_DESCRIBE_JSON) {
        hs_json_put(&json, "{base:%s by:%s rounds:%u positives:%u unlabelled:%u", m->text,
                    words[m->by], m->count, m->positives, m->unlabelled);
        hs_json_put(&json, m->by == WEIGHTING ? " labelled:%g}" : " reliable:%g}",
                    m->by == WEIGHTING ? m->c
                    : m->negatives     ? m->negatives
                                       : (double)NAN);
        return HSEL_OK;
    }
    hs_writer_printf(out, "%s, learned from %u positive and %u unlabelled instances", m->text,
                     m->positives, m->unlabelled);
    if (m->negatives)
        hs_writer_printf(out, ", of which %u are reliable negatives", m->negatives);
    if (m->by == BAGGING)
        hs_writer_printf(out, ", in %u samples", m->count);
    if (m->by == WEIGHTING)
        hs_writer_printf(out, "; estimated share of positives that are labelled: %.2f", m->c);
    hs_writer_text(out, "\n");
    return HSEL_OK;
}

/* ---- model files ---- */

static void *pu_new(const hsel_dataset *shape)
{
    struct pu *m = HS_NEW_ZERO(struct pu, 1);
    if (m) {
        m->shape = shape;
        m->features = shape->features;
        m->classes = shape->class_names.count;
    }
    return m;
}

static int pu_fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
{
    struct pu *m = model;
    const bool reads = hs_reads(file);
    uint32_t length = reads ? 0 : (uint32_t)strlen(m->text), masked = m->mask != NULL;
    HS_OWNED char *whole = NULL;
    char *text = m->text;
    HS_FIELDS(file, HS_SHAPE(m), HS_VALUE(m->classes, 2, 2), HS_VALUE(m->positive, 0, 1),
              HS_VALUE(m->positives, HS_ANY), HS_VALUE(m->unlabelled, HS_ANY),
              HS_VALUE(m->negatives, HS_ANY), HS_VALUE(m->by, BAGGING, WEIGHTING),
              HS_VALUE(m->c, 0, 1), HS_VALUE(m->count, 1, 100000), HS_VALUE(masked, 0, 1),
              HS_VALUE(length, 1, 4096));
    HS_FIELDS(file, HS_LIST(text, length, HS_ANY));
    if (reads) {
        HS_OWNED char *given = text;
        HS_NEED(whole = hs_strndup(given, length));
        if (m->count > file->left)
            return HSEL_EFORMAT;
        HS_TRY(make_rounds(m, whole, error));
        HS_TRY(hs_check_within(shape, m->selector.method, error));
        HS_TRY(hs_check_within(shape, m->classifier.method, error));
        if (masked)
            HS_NEED(m->mask = HS_NEW(uint64_t, hs_bit_words(m->features)));
    }
    if (masked)
        HS_FIELDS(file, HS_BIT_SET(m->mask, m->features));
    for (uint32_t r = 0; r < m->count; r++) {
        struct round *round = &m->rounds[r];
        if (hs_pipeline_is_lazy(&round->pipeline))
            HS_TRY(hs_counts_fields(&round->counts, m->features, m->classes, file, error));
        HS_TRY(
            hs_pipeline_fields(&round->pipeline, m->shape, m->mask, &round->counts, file, error));
    }
    return HSEL_OK;
}

static const hs_classifier functions = {.fit = pu_fit,
                                        .predict = pu_predict,
                                        .scratch_new = scratch_new,
                                        .scratch_free = scratch_free,
                                        .scores_training = pu_scores_training,
                                        .describe = pu_describe,
                                        .name = "pu",
                                        .make = pu_new,
                                        .fields = pu_fields,
                                        .free = pu_free};

/* Slot `memory` of hs_method: the rounds, each of as many instances as at most half can be; the
 * counts and the state for prediction of each, and out-of-bag scores. */
static double pu_memory_needed(const hs_size *size, const void *options)
{
    const struct options *o = options;
    HS_OWNS(hs_chosen_clear) hs_chosen selector = {0}, classifier = {0};
    double base = 0;
    if (parse_base(o->base, &selector, &classifier, &(hsel_error){0}))
        return (double)NAN;
    hs_size one = *size;
    one.threads = 1;
    base += selector.method->memory ? selector.method->memory(&one, selector.options) : 0;
    base += classifier.method->memory ? classifier.method->memory(&one, classifier.options) : 0;
    base *= o->by == WEIGHTING ? 3 : 1; /* the data are there twice, too */
    return (o->by == BAGGING ? o->rounds : 1) *
               (base + 40 * size->features + (o->by == BAGGING ? 8 * size->rows : 0)) +
           (o->by == WEIGHTING ? 8 * size->values + 24 * size->rows : 0);
}

const hs_method hs_method_pu = {
    .kind = HS_CLASSIFIER,
    .name = "pu",
    .title = "learning from positive and unlabelled instances",
    .help =
        "For two classes of which only the positive one is known for sure, as for genes with and "
        "without a known function: the other class is unlabelled, and some of it is positive, too. "
        "A base, with or without a selector, learns in many rounds to tell the positives from a "
        "random sample of the unlabelled, and scores are averaged (by=bagging); or once from "
        "reliable negatives (two-step); or from all with weights (weighting). Scores rank "
        "candidates; "
        "probabilities are those of being labelled. Write the base as SELECTOR+CLASSIFIER with "
        "its options separated by semicolons: pu:base=hip+nb,rounds=50.",
    .citation = "Mordelet, Vert (2014), Pattern Recognit. Lett. 37:201-209 (bagging); Elkan, Noto "
                "(2008), KDD 213-220 (weighting); Paz-Ruza, Freitas, Alonso-Betanzos, "
                "Guijarro-Berdiñas (2024), Comput. Biol. Med. 180:108999 (reliable=paz-ruza)",
    .flags = HS_NEEDS_CLASSES | HS_TWO_CLASSES_ONLY | HS_STOCHASTIC | HS_ANY_FEATURES |
             HS_WEIGHS_INSTANCES,
    .options = table,
    .options_size = sizeof(struct options),
    .check = pu_check,
    .memory = pu_memory_needed,
    .classifier = &functions,
};
