/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * blend: a classifier made of several selectors with classifiers, its members.
 *
 *     s_m(x)   score of member m for a class, fitted on all training instances
 *     o_m(i)   its out-of-fold score of training instance i, from inner folds
 *     rank     v(x) = mean over m of the mid-rank of s_m(x) among o_m, divided by their number
 *     logit    v(x) = mean over m of the log-odds that Platt's curve, learned on o_m, gives s_m(x)
 *     stack    the same with weights w_m >= 0, sum 1, that minimise the log loss of v(o) (of a
 *              numeric target: the squared error of the weighted mean of predictions)
 *     P(x)     Platt's curve or isotonic regression of the classes on v(o)
 *
 * Van der Laan, Polley, Hubbard (2007) for stack. Nothing is learned from the scores that fitted
 * members give their own training instances, and an instance is never ranked among instances to be
 * predicted. With more than two classes everything is per class against the rest, and probabilities
 * are divided by their sum. Of a numeric target, rank is the mean of the predictions, for which
 * there are no inner folds.
 *
 * Members with the same selector share its selections. Out-of-fold scores of a forest on all
 * features are those of the trees whose bootstrap sample did not have the instance (nor its group),
 * which cost nothing; those of logistic are of the folds in which it chooses its penalty. Other
 * members learn again in inner folds, but only in as many as give ENOUGH scores, OF_CLASS of each
 * class. Time: at most (1 + inner folds) x the sum of these, less with many instances; memory: the
 * fitted members, and for each thread one more.
 */
#include "pipeline/pipeline.h"
#include "search/objective.h"

enum by { RANK, LOGIT, STACK };
#define FOLDS      3    /* inner-folds, unless given */
#define ENOUGH     2000 /* out-of-fold scores … */
#define OF_CLASS   100  /* … with that many of each class */
#define BY_WORDS   "rank|logit|stack"
#define BY_DEFAULT "rank"

struct options {
    hs_adjust_options adjust; /* must come first */
    const char *members;
    int by;
};

static const hs_option table[] = {
    HS_ADJUST_BY("platt", "3", "folds for the out-of-fold scores of the members"),
    HS_TEXT(struct options, members, "members", "default|METHODS", "default",
            "CLASSIFIER or SELECTOR+CLASSIFIER, separated by /; separate their options by ;"),
    HS_CHOICE(struct options, by, "by", BY_WORDS, BY_DEFAULT,
              "what is averaged: ranks, calibrated log-odds, or these with learned weights; with a "
              "numeric target rank is the mean of the predictions"),
    HS_OPTION_END};

/* The default members: of each line the first that suits the data. */
#define CHOICES 2
static const char *const defaults[][CHOICES] = {{"hip+nb", "nb"},
                                                {"hip+tan", "svm"},
                                                {"hip+knn:preset=weka;k=15", "knn:k=15"},
                                                {"logistic"},
                                                {"forest:preset=weka;trees=300"}};
#define DEFAULTS (sizeof defaults / sizeof *defaults)

struct group { /* members with one selector */
    hs_chosen selector;
    size_t first, count;
    hs_pipeline pipeline;
};

struct blend {
    const hsel_dataset *shape; /* features and classes */
    hs_arena arena;            /* of the lists */
    char *text;                /* of the members */
    uint32_t features, classes, width;
    struct group *group;   /* [groups] */
    hs_chosen *classifier; /* [count], group by group */
    size_t groups, count;
    int by;
    uint32_t scored;         /* training instances that have out-of-fold scores */
    double *weight;          /* [count] */
    double *quality;         /* [count + 1]: out of fold, of the members and of the blend */
    double *scores;          /* rank: [count * width * scored]: these scores, ascending */
    hs_curve *curve;         /* logit and stack: [count * width] */
    uint64_t *mask;          /* features that members may use; NULL: all */
    hs_adjust adjust;        /* of v */
    const hs_counts *counts; /* what lazy selectors learn from */
    hs_counts own;           /* the same, from a model file */
};

static void blend_free(void *pointer)
{
    struct blend *b = pointer;
    if (!b)
        return;
    for (size_t g = 0; g < b->groups; g++) {
        hs_pipeline_clear(&b->group[g].pipeline);
        hs_chosen_clear(&b->group[g].selector);
    }
    for (size_t m = 0; m < b->count; m++)
        hs_chosen_clear(&b->classifier[m]);
    hs_adjust_clear(&b->adjust);
    hs_counts_clear(&b->own);
    hs_arena_clear(&b->arena);
    hs_free(b);
}
HS_RELEASE(blend_release, struct blend, blend_free)

/* ---- members ---- */

/* Puts a member behind those that have its selector. */
static int add_member(struct blend *b, const char *text, size_t length, hsel_error *error)
{
    HS_OWNS(hs_chosen_clear) hs_chosen selector = {0}, classifier = {0};
    size_t g = 0;
    HS_TRY(hs_member_parse("blend", true, text, length, &selector, &classifier, error));
    while (g < b->groups && strcmp(b->group[g].selector.text, selector.text) != 0)
        g++;
    struct group *group = &b->group[g];
    if (g == b->groups) {
        group->first = b->count;
        HS_MOVE(&group->selector, &selector);
        b->groups++;
    }
    for (size_t m = group->first; m < group->first + group->count; m++)
        if (strcmp(b->classifier[m].text, classifier.text) == 0)
            return hs_fail(error, HSEL_EUSAGE, "blend has the member %.*s twice", (int)length,
                           text);
    const size_t at = group->first + group->count++;
    memmove(b->classifier + at + 1, b->classifier + at, (b->count - at) * sizeof *b->classifier);
    HS_MOVE(&b->classifier[at], &classifier);
    b->count++;
    while (++g < b->groups)
        b->group[g].first++;
    return HSEL_OK;
}

static int parse_members(struct blend *b, const char *text, hsel_error *error)
{
    size_t most = 1, length;
    for (const char *c = text; *c; c++)
        most += *c == '/';
    HS_NEED(b->text = hs_arena_text(&b->arena, text, strlen(text)));
    HS_NEED(HS_LISTS(&b->arena, b, HS_PART(b, group, most), HS_PART(b, classifier, most + 1),
                     HS_PART(b, weight, most), HS_PART(b, quality, most + 1)));
    for (;; text += length + 1) {
        length = strcspn(text, "/");
        HS_TRY(add_member(b, text, length, error));
        if (!text[length])
            break;
    }
    for (size_t g = 0; g < b->groups; g++)
        b->group[g].pipeline = (hs_pipeline){.selector = &b->group[g].selector,
                                             .classifiers = b->classifier + b->group[g].first,
                                             .count = b->group[g].count,
                                             .plain = true};
    return HSEL_OK;
}

/* Whether a default member can learn from the training part. */
static int suits(const hs_training *training, const char *text, bool *out, hsel_error *error)
{
    HS_OWNS(hs_chosen_clear) hs_chosen selector = {0}, classifier = {0};
    HS_TRY(hs_member_parse("blend", true, text, strlen(text), &selector, &classifier, error));
    const int status = hs_check_methods(training->view.data, selector.method, classifier.method,
                                        false, &(hsel_error){0});
    HS_NEED(status != HSEL_ENOMEM);
    *out = !status && (!training->weight || (classifier.method->flags & HS_WEIGHS_INSTANCES));
    return HSEL_OK;
}

static int default_members(const hs_training *training, hs_buf *out, hsel_error *error)
{
    hs_notes *notes = training->progress ? training->progress->notes : NULL;
    for (size_t i = 0; i < DEFAULTS; i++) {
        bool found = false;
        size_t j = 0;
        for (; j < CHOICES && defaults[i][j] && !found; j += !found)
            HS_TRY(suits(training, defaults[i][j], &found, error));
        if (found)
            hs_buf_printf(out, "%s%s", out->length ? "/" : "", defaults[i][j]);
        if (found && j == 0)
            continue;
        char text[160];
        if (found)
            hs_print(text, sizeof text, "fits have %s in place of %s, which does not suit the data",
                     defaults[i][j], defaults[i][0]);
        else
            hs_print(text, sizeof text, "fits leave out %s, which does not suit the data",
                     defaults[i][0]);
        HS_TRY(hs_notes_count(notes, "blend", text, true, error));
    }
    HS_NEED(!out->failed);
    return HSEL_OK;
}

static int blend_check(const void *options, hsel_error *error)
{
    const struct options *o = options;
    hs_adjust_options adjust = o->adjust;
    HS_OWNS(blend_release) struct blend *b = HS_NEW_ZERO(struct blend, 1);
    HS_NEED(b);
    adjust.inner_folds = 5; /* members use them, too */
    HS_TRY(hs_adjust_check(&adjust, error));
    return strcmp(o->members, "default") == 0 ? HSEL_OK : parse_members(b, o->members, error);
}

/* ---- combining ---- */

/* Mid-rank among ascending numbers, as a share of their number, from -0.5 to 0.5. */
static double mid_rank(const double *ascending, uint32_t count, double value)
{
    uint32_t end[2]; /* of those below; of those up to it */
    for (int equal = 0; equal < 2; equal++) {
        uint32_t low = 0, high = count;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (ascending[middle] < value || (equal && ascending[middle] == value))
                low = middle + 1;
            else
                high = middle;
        }
        end[equal] = low;
    }
    return ((double)end[0] + (double)end[1]) / (2.0 * count) - 0.5;
}

/* What member m contributes to v for a class (of two, the second), before its weight. */
static double part_of(const struct blend *b, size_t m, uint32_t w, double score)
{
    const size_t at = m * b->width + w;
    if (b->classes == 0)
        return score;
    if (b->by == RANK)
        return mid_rank(b->scores + at * b->scored, b->scored, score);
    const double p = hs_curve_at(&b->curve[at], score);
    return log(p) - log1p(-p);
}

static double combine(const struct blend *b, uint32_t w, const double *score, size_t stride)
{
    double sum = 0;
    for (size_t m = 0; m < b->count; m++)
        sum += b->weight[m] * part_of(b, m, w, score[m * stride]);
    return sum;
}

/* Probabilities and scores of v(x) for each class. */
static void finish(const struct blend *b, const double *v, double *probability, double *score)
{
    double sum = 0;
    if (b->classes <= 2) {
        score[b->classes ? 1 : 0] = v[0];
        if (b->classes)
            score[0] = -v[0];
    }
    for (uint32_t c = 0; c < b->classes; c++) {
        score[c] = b->classes == 2 ? score[c] : v[c];
        sum += probability[c] = b->by == RANK ? 0.5 + score[c] : 1 / (1 + exp(-score[c]));
    }
    for (uint32_t c = 0; c < b->classes; c++)
        probability[c] = sum > 0 ? probability[c] / sum : 1.0 / b->classes;
    if (b->classes)
        hs_adjust_apply(&b->adjust, b->classes, 1, probability, score);
}

/* ---- the weights of stack ---- */

struct stacking {
    size_t count, rows;
    double *part;   /* [count * rows] */
    double *truth;  /* [rows]: 0 or 1, or a number */
    double *sum;    /* [rows] */
    bool is_number; /* squared error, not log loss */
};

/* Mean loss of the weighted sums, which are kept. */
static double stack_loss(const struct stacking *s, const double *weight)
{
    double all = 0;
    for (size_t i = 0; i < s->rows; i++) {
        double z = 0;
        for (size_t m = 0; m < s->count; m++)
            z += weight[m] * s->part[m * s->rows + i];
        s->sum[i] = z;
        const double off = s->truth[i] - z, against = s->truth[i] > 0 ? -z : z;
        all += s->is_number ? off * off : fmax(against, 0) + log1p(exp(-fabs(against)));
    }
    return all / (double)s->rows;
}

/* The nearest weights that are not negative and sum to 1: the same is taken from each, and those
 * that have less than that become 0. */
static void to_simplex(double *weight, size_t count)
{
    double excess = 0;
    for (bool again = true; again;) {
        double sum = 0, kept = 0;
        for (size_t m = 0; m < count; m++)
            if (weight[m] > -INFINITY) {
                sum += weight[m];
                kept++;
            }
        excess = (sum - 1) / kept; /* below the largest */
        again = false;
        for (size_t m = 0; m < count; m++)
            if (weight[m] > -INFINITY && weight[m] <= excess) {
                weight[m] = -INFINITY;
                again = true;
            }
    }
    for (size_t m = 0; m < count; m++)
        weight[m] = fmax(0, weight[m] - excess);
}

#define STACK_STEPS 1000

/* Projected gradient with backtracking from equal weights; the loss is convex. */
static void stack_weights(const struct stacking *s, double *weight, double *slope, double *next)
{
    double step = 1, here = stack_loss(s, weight);
    for (int i = 0; i < STACK_STEPS && step > 1e-12; i++) {
        for (size_t m = 0; m < s->count; m++) {
            slope[m] = 0;
            for (size_t j = 0; j < s->rows; j++) {
                const double z = s->sum[j], miss = s->is_number ? 2 * (z - s->truth[j])
                                                                : 1 / (1 + exp(-z)) - s->truth[j];
                slope[m] += miss * s->part[m * s->rows + j] / (double)s->rows;
            }
        }
        double there = INFINITY, moved = 0;
        for (step *= 4; step > 1e-12; step /= 2) {
            double descent = 0, distance = 0;
            for (size_t m = 0; m < s->count; m++)
                next[m] = weight[m] - step * slope[m];
            to_simplex(next, s->count);
            for (size_t m = 0; m < s->count; m++) {
                descent += slope[m] * (next[m] - weight[m]);
                distance += (next[m] - weight[m]) * (next[m] - weight[m]);
            }
            there = stack_loss(s, next);
            moved = distance;
            if (there <= here + descent + distance / (2 * step))
                break;
        }
        if (!(there < here))
            break;
        memcpy(weight, next, s->count * sizeof *weight);
        here = there;
        if (moved < 1e-24)
            break;
    }
    stack_loss(s, weight);
}

/* ---- learning ---- */

struct fitting {
    struct blend *blend;
    hs_training training;
    hs_inner inner;
    uint32_t first;             /* inner fold: it and those after it are enough */
    double *scores;             /* [count * positions * width]: out of fold */
    const char **by_itself;     /* [count]: not NULL: fitting gives its scores */
    double **own;               /* [count]: then where they go */
    uint32_t *tested;           /* [scored]: positions that have one */
    double *weight;             /* [scored]: of the instances there; NULL: all 1 */
    hs_progress_parts progress; /* a part per group in each inner fold, and on the whole */
};

static void fitting_clear(struct fitting *f)
{
    hs_inner_clear(&f->inner);
    HS_FREE(f->scores, f->tested, f->weight, f->by_itself, f->own);
}

/* A group without an inner fold, or (fold = number of folds) on the whole training part. */
static int fit_group(struct fitting *f, size_t g, uint32_t fold, int threads, hsel_error *error)
{
    struct blend *b = f->blend;
    struct group *group = &b->group[g];
    const bool whole = fold == f->inner.folds.count;
    const size_t first = group->first, positions = f->inner.folds.instances;
    hs_training training = f->training;
    size_t left = 0;
    hs_progress_part part;
    hs_stream stream;
    hs_progress_part_begin(&part, &f->progress, group->selector.text);
    hs_stream_init(&stream, training.seed, "blend", fold, 0);
    training.seed = hs_random_u64(&stream);
    training.progress = &part.progress;
    training.threads = threads;
    for (size_t m = first; m < first + group->count; m++)
        left += !f->by_itself[m];
    if (whole) {
        group->pipeline.own_score = f->own + first;
        const int status = hs_pipeline_fit(&group->pipeline, &training, error);
        group->pipeline.own_score = NULL;
        HS_TRY(status);
    } else if (left) {
        training.view = f->inner.rest[fold];
        training.counts = &f->inner.train[fold];
        training.folds = NULL;
        HS_TRY(hs_inner_scores(&f->inner, fold, &group->selector, b->classifier + first,
                               group->count, f->by_itself + first, &training,
                               f->scores + first * positions * b->width, error));
    }
    return hs_progress_part_end(&part, error);
}

static int fit_task(void *context, size_t index, int worker, hsel_error *error)
{
    struct fitting *f = context;
    const size_t groups = f->blend->groups;
    (void)worker;
    return fit_group(f, index % groups, f->first + (uint32_t)(index / groups), 1, error);
}

/* As many inner folds as give enough scores, from the last one, which with times has learned most;
 * and which members need none: an eager selector has seen all instances, and so have preparations;
 * with times, trees have seen later ones. */
static int plan(struct fitting *f, hsel_error *error)
{
    struct blend *b = f->blend;
    const hs_folds *folds = &f->inner.folds;
    const hsel_dataset *data = f->training.view.data;
    HS_OWNED uint32_t *in_class = HS_NEW_ZERO(uint32_t, b->classes);
    bool enough = false, alone = !hs_has_role(data, HS_ABOUT_TIME);
    HS_NEED(in_class);
    f->scores = HS_NEW_ZERO(double, b->count * folds->instances * b->width);
    f->tested = HS_NEW(uint32_t, folds->instances);
    f->by_itself = HS_NEW_ZERO(const char *, b->count);
    f->own = HS_NEW_ZERO(double *, b->count);
    HS_NEED(f->scores && f->tested && f->by_itself && f->own);
    for (f->first = folds->count; f->first && !enough;) {
        enough = folds->start[folds->count] - folds->start[--f->first] >= ENOUGH;
        for (uint32_t i = folds->start[f->first]; i < folds->start[f->first + 1] && b->classes; i++)
            in_class[data->class_of[hs_view_row(&f->training.view, folds->order[i])]]++;
        for (uint32_t c = 0; c < b->classes; c++)
            enough = enough && in_class[c] >= OF_CLASS;
    }
    for (uint32_t i = 0; i < folds->instances; i++)
        if (hs_fold_tests(folds, i) && folds->fold_of[i] >= f->first)
            f->tested[b->scored++] = i;
    for (uint32_t i = f->first; i < folds->count; i++)
        alone = alone && !f->inner.made[i];
    for (size_t g = 0; g < b->groups && folds->count && alone; g++)
        for (size_t m = b->group[g].first; m < b->group[g].first + b->group[g].count; m++) {
            const hs_chosen *c = &b->classifier[m];
            const hs_classifier *own = c->method->classifier;
            if (strcmp(b->group[g].selector.method->name, "none") == 0 && own->scores_training &&
                own->scores_training(c->options)) {
                f->by_itself[m] = "";
                f->own[m] = f->scores + m * folds->instances * b->width;
            }
        }
    return HSEL_OK;
}

/* The metric by which members are shown, of out-of-fold scores. */
static hs_metric shown(const struct blend *b)
{
    return b->classes ? HS_METRIC_AUROC : HS_METRIC_RMSE;
}

static int measure(const struct fitting *f, const double *scores, double *out, hsel_error *error)
{
    const struct blend *b = f->blend;
    const hs_folds *folds = &f->inner.folds;
    const hsel_dataset *data = f->training.view.data;
    HS_OWNED uint32_t *truth = HS_NEW_ZERO(uint32_t, folds->instances);
    HS_OWNED double *target = HS_NEW_ZERO(double, folds->instances);
    hs_scores metrics;
    HS_NEED(truth && target);
    for (uint32_t i = 0; i < folds->instances; i++) {
        const uint32_t row = hs_view_row(&f->training.view, i);
        truth[i] = data->target ? 0 : data->class_of[row];
        target[i] = data->target ? data->target[row] : 0;
    }
    HS_TRY(hs_metrics_compute(&(hs_predictions){.instances = folds->instances,
                                                .classes = b->classes,
                                                .folds = folds->count,
                                                .tested = f->tested,
                                                .tested_count = b->scored,
                                                .positive_class = data->positive_class,
                                                .truth = data->target ? NULL : truth,
                                                .target = data->target ? target : NULL,
                                                .fold_of = folds->fold_of,
                                                .score = scores,
                                                .features = b->features},
                              &metrics, error));
    *out = metrics.pooled[shown(b)];
    return HSEL_OK;
}

/* What turns scores into v: ranks, curves, weights. */
static int learn_parts(const struct fitting *f, hsel_error *error)
{
    struct blend *b = f->blend;
    const hsel_dataset *data = f->training.view.data;
    const size_t positions = f->inner.folds.instances, width = b->width, n = b->scored;
    HS_OWNED double *own = HS_NEW(double, n);
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, n);
    HS_OWNED bool *is_class = HS_NEW(bool, n);
    HS_NEED(own && order && is_class);
    if (b->classes && b->by == RANK)
        HS_NEED(b->scores = HS_ARENA_NEW(&b->arena, double, b->count *width *n));
    if (b->classes && b->by != RANK)
        HS_NEED(b->curve = hs_arena_zero(&b->arena, b->count * width, sizeof *b->curve));
    for (size_t at = 0; b->classes && at < b->count * width; at++) {
        const size_t m = at / width, w = at % width;
        for (size_t i = 0; i < n; i++) {
            own[i] = f->scores[(m * positions + f->tested[i]) * width + w];
            is_class[i] = data->class_of[hs_view_row(&f->training.view, f->tested[i])] ==
                          (b->classes == 2 ? 1 : w);
        }
        if (b->by == RANK) {
            hs_order_all(own, HS_UPWARDS, order, n);
            for (size_t i = 0; i < n; i++)
                b->scores[at * n + i] = own[order[i]];
        } else {
            b->curve[at] = hs_curve_platt(own, is_class, f->weight, n);
        }
    }
    for (size_t m = 0; m < b->count; m++)
        b->weight[m] = 1 / (double)b->count;
    if (b->by != STACK)
        return HSEL_OK;
    struct stacking s = {.count = b->count, .rows = n * width, .is_number = !b->classes};
    HS_OWNED double *part = s.part = HS_NEW(double, s.count *s.rows);
    HS_OWNED double *truth = s.truth = HS_NEW(double, s.rows);
    HS_OWNED double *sum = s.sum = HS_NEW(double, s.rows);
    HS_OWNED double *slope = HS_NEW(double, 2 * s.count);
    double mean = 0, squares = 0;
    HS_NEED(part && truth && sum && slope);
    for (size_t i = 0; i < s.rows; i++) {
        const uint32_t row = hs_view_row(&f->training.view, f->tested[i / width]),
                       w = (uint32_t)(i % width);
        truth[i] =
            s.is_number ? data->target[row] : data->class_of[row] == (b->classes == 2 ? 1 : w);
        mean += truth[i] / (double)s.rows;
        for (size_t m = 0; m < s.count; m++)
            part[m * s.rows + i] =
                part_of(b, m, w, f->scores[(m * positions + f->tested[i / width]) * width + w]);
    }
    for (size_t i = 0; i < s.rows; i++)
        squares += (truth[i] - mean) * (truth[i] - mean) / (double)s.rows;
    for (size_t i = 0; i < s.rows && s.is_number && squares > 0; i++) { /* weights sum to 1 */
        truth[i] = (truth[i] - mean) / sqrt(squares);
        for (size_t m = 0; m < s.count; m++)
            part[m * s.rows + i] = (part[m * s.rows + i] - mean) / sqrt(squares);
    }
    stack_weights(&s, b->weight, slope, slope + s.count);
    return HSEL_OK;
}

static int learn_blend(const struct fitting *f, const struct options *o, hsel_error *error)
{
    struct blend *b = f->blend;
    const size_t positions = f->inner.folds.instances, width = b->width;
    HS_OWNED double *v = HS_NEW_ZERO(double, positions *width);
    HS_NEED(v);
    HS_TRY(learn_parts(f, error));
    if (!b->scored)
        return HSEL_OK;
    for (size_t i = 0; i < b->scored; i++)
        for (uint32_t w = 0; w < width; w++)
            v[f->tested[i] * width + w] =
                combine(b, w, f->scores + f->tested[i] * width + w, positions * width);
    for (size_t m = 0; m < b->count; m++)
        HS_TRY(measure(f, f->scores + m * positions * width, &b->quality[m], error));
    HS_TRY(measure(f, v, &b->quality[b->count], error));
    return b->classes ? hs_adjust_of_scores(&f->training.view, "blend", &o->adjust, f->weight, v,
                                            f->tested, b->scored, &b->adjust, error)
                      : HSEL_OK;
}

/* Of a numeric target: whether options that are for classes were given. */
static int check_numeric(const hsel_dataset *data, const struct options *o, hsel_error *error)
{
    const char *name = o->by == LOGIT                                     ? "by=logit"
                       : strcmp(o->adjust.threshold, "none") != 0         ? "threshold"
                       : o->adjust.calibration == HS_CALIBRATION_ISOTONIC ? "calibration"
                       : o->by != STACK && o->adjust.inner_folds != FOLDS
                           ? "inner-folds without by=stack"
                           : NULL;
    return data->target && name ? hs_fail(error, HSEL_EUSAGE,
                                          "blend:%s is for classes, but the target of %s is a "
                                          "number",
                                          name, hsel_dataset_name(data))
                                : HSEL_OK;
}

static int blend_fit(const hs_training *given, const void *options, void **model, hsel_error *error)
{
    const struct options *o = options;
    const hsel_dataset *data = given->view.data;
    const size_t words = hs_bit_words(data->features);
    HS_OWNS(blend_release) struct blend *b = HS_NEW_ZERO(struct blend, 1);
    HS_OWNS(fitting_clear) struct fitting f = {.blend = b, .training = *given};
    HS_OWNS(hs_buf_clear) hs_buf members = {0};
    HS_NEED(b);
    HS_TRY(check_numeric(data, o, error));
    if (f.training.view.features &&
        hs_bits_count(f.training.view.features, words) == data->features)
        f.training.view.features = NULL; /* all: members leave out covariates themselves */
    if (strcmp(o->members, "default") == 0)
        HS_TRY(default_members(&f.training, &members, error));
    HS_TRY(parse_members(b, members.length ? members.text : o->members, error));
    for (size_t g = 0; g < b->groups; g++)
        for (size_t m = 0; m < b->group[g].count; m++)
            HS_TRY(hs_check_methods(data, b->group[g].selector.method,
                                    b->classifier[b->group[g].first + m].method, true, error));
    b->shape = data;
    b->counts = given->counts;
    b->features = data->features;
    b->classes = data->class_names.count;
    b->width = hs_score_width(b->classes);
    b->by = o->by;
    if (f.training.view.features) {
        HS_NEED(b->mask = HS_ARENA_NEW(&b->arena, uint64_t, words));
        memcpy(b->mask, f.training.view.features, words * sizeof *b->mask);
    }
    if (b->classes || b->by == STACK)
        HS_TRY(hs_inner_init(&(hs_inner_request){.training = &f.training,
                                                 .folds = o->adjust.inner_folds,
                                                 .seed = given->seed,
                                                 .owner = "blend"},
                             &f.inner, error));
    HS_TRY(plan(&f, error));
    if (hs_training_weighs(given) && b->classes)
        HS_NEED(f.weight = HS_NEW(double, b->scored));
    for (uint32_t i = 0; f.weight && i < b->scored; i++)
        f.weight[i] = hs_training_weight(given, hs_view_row(&f.training.view, f.tested[i]));
    const size_t inner = b->groups * (f.inner.folds.count - f.first);
    f.progress = (hs_progress_parts){.whole = given->progress, .count = inner + b->groups};
    HS_TRY(hs_parallel_for(inner, given->threads, fit_task, &f, error));
    for (size_t g = 0; g < b->groups; g++)
        HS_TRY(fit_group(&f, g, f.inner.folds.count, given->threads, error));
    HS_TRY(learn_blend(&f, o, error));
    *model = hs_take(&b);
    return HSEL_OK;
}

/* ---- predicting ---- */

struct scratch {
    hs_arena arena;
    size_t groups;
    hs_predictor *predictor;    /* [groups] */
    double *score;              /* [count * HS_BATCH * width] */
    double *v;                  /* [width] */
    struct hs_answer_lists *to; /* [count] */
};

static void scratch_free(void *pointer)
{
    struct scratch *s = pointer;
    if (!s)
        return;
    for (size_t g = 0; s->predictor && g < s->groups; g++)
        hs_predictor_clear(&s->predictor[g]);
    hs_arena_clear(&s->arena);
    hs_free(s);
}
HS_RELEASE(scratch_release, struct scratch, scratch_free)

static int scratch_new(const void *model, void **scratch, hsel_error *error)
{
    const struct blend *b = model;
    HS_OWNS(scratch_release) struct scratch *s = HS_NEW_ZERO(struct scratch, 1);
    HS_NEED(s);
    HS_NEED(HS_LISTS(&s->arena, s, HS_PART(s, predictor, b->groups),
                     HS_PART(s, score, b->count * HS_BATCH * b->width), HS_PART(s, v, b->width),
                     HS_PART(s, to, b->count)));
    s->groups = b->groups;
    for (size_t m = 0; m < b->count; m++)
        s->to[m].score = s->score + m * HS_BATCH * b->width;
    for (size_t g = 0; g < b->groups; g++)
        HS_TRY(hs_predictor_begin(&s->predictor[g], &b->group[g].pipeline, b->shape, error));
    *scratch = hs_take(&s);
    return HSEL_OK;
}

static int blend_predict(const void *model, const hs_batch *batch, void *scratch,
                         double *probability, double *score, hsel_error *error)
{
    const struct blend *b = model;
    struct scratch *s = scratch;
    for (size_t g = 0; g < b->groups; g++)
        HS_TRY(hs_predictor_run(&s->predictor[g],
                                &(hs_predict_request){.data = batch->data,
                                                      .instances = batch->instances,
                                                      .count = batch->count,
                                                      .to = s->to + b->group[g].first,
                                                      .width = b->width},
                                error));
    for (uint32_t i = 0; i < batch->count; i++) {
        for (uint32_t w = 0; w < b->width; w++)
            s->v[w] = combine(b, w, s->score + (size_t)i * b->width + w, HS_BATCH * b->width);
        finish(b, s->v, probability + (size_t)i * b->classes,
               score + (size_t)i * hs_answers(b->classes));
    }
    return HSEL_OK;
}

/* ---- showing ---- */

static int member_name(const struct blend *b, size_t g, size_t m, hs_buf *out, hsel_error *error)
{
    const char *selector = b->group[g].selector.text;
    if (strcmp(selector, "none") != 0)
        hs_buf_printf(out, "%s+", selector);
    hs_buf_text(out, b->classifier[m].text);
    HS_NEED(!out->failed);
    return HSEL_OK;
}

static void put_quality(hs_writer *out, const struct blend *b, size_t m, const char *name)
{
    if (b->scored)
        hs_writer_printf(out, "%5.3f  %s\n", b->quality[m], name);
    else
        hs_writer_printf(out, "%5s  %s\n", "", name);
}

static int blend_describe(const void *model, const hsel_dataset *shape, hs_describe_form form,
                          hs_writer *out, hsel_error *error)
{
    static const char *const said[] = {"mean rank among", "mean log-odds, calibrated by",
                                       "log-odds, weighted and calibrated by"};
    static const char *const words[] = {"rank", "logit", "stack"};
    const struct blend *b = model;
    const char *metric = b->classes ? "AUROC" : "RMSE";
    hs_json json = {.out = out};
    (void)shape;
    if (form == HS_DESCRIBE_JSON)
        hs_json_put(&json, "{by:%s metric:%s instances:%u members:[", words[b->by], metric,
                    b->scored);
    else if (b->classes)
        hs_writer_printf(out, "%s the out-of-fold scores of %u training instances\n", said[b->by],
                         b->scored);
    else
        hs_writer_printf(out, "%smean of predictions\n", b->by == STACK ? "weighted " : "");
    if (form == HS_DESCRIBE_TEXT)
        hs_writer_printf(out, "\nweight  %5s  member\n", b->scored ? metric : "");
    for (size_t g = 0; g < b->groups; g++)
        for (size_t i = 0; i < b->group[g].count; i++) {
            const size_t m = b->group[g].first + i;
            HS_OWNS(hs_buf_clear) hs_buf name = {0};
            HS_TRY(member_name(b, g, m, &name, error));
            if (form == HS_DESCRIBE_TEXT)
                hs_writer_printf(out, "%6.3f  ", b->weight[m]);
            if (form == HS_DESCRIBE_TEXT)
                put_quality(out, b, m, name.text);
            else
                hs_json_put(&json, "{member:%s weight:%g out_of_fold:%g}", name.text, b->weight[m],
                            b->scored ? b->quality[m] : (double)NAN);
        }
    if (form == HS_DESCRIBE_JSON)
        hs_json_put(&json, "] out_of_fold:%g}", b->scored ? b->quality[b->count] : (double)NAN);
    else if (b->scored) {
        hs_writer_text(out, "        ");
        put_quality(out, b, b->count, "all together");
    }
    return HSEL_OK;
}

/* ---- model files ---- */

static void *blend_new(const hsel_dataset *shape)
{
    struct blend *b = HS_NEW_ZERO(struct blend, 1);
    if (b) {
        b->shape = shape;
        b->features = shape->features;
        b->classes = shape->class_names.count;
        b->width = hs_score_width(b->classes);
    }
    return b;
}

/* Which members there are, and whether they suit the shape. */
static int text_fields(struct blend *b, const hsel_dataset *shape, hs_transfer *file,
                       hsel_error *error)
{
    uint32_t length = hs_reads(file) ? 0 : (uint32_t)strlen(b->text);
    HS_OWNED char *text = NULL;
    char *at = b->text;
    HS_FIELDS(file, HS_VALUE(length, 1, 4096));
    HS_FIELDS(file, HS_LIST(at, length, HS_ANY));
    if (!hs_reads(file))
        return HSEL_OK;
    text = at;
    HS_OWNED char *whole = hs_strndup(text, length);
    HS_NEED(whole);
    HS_TRY(parse_members(b, whole, error));
    for (size_t g = 0; g < b->groups; g++)
        for (size_t m = 0; m <= b->group[g].count; m++)
            HS_TRY(hs_check_within(shape,
                                   m ? b->classifier[b->group[g].first + m - 1].method
                                     : b->group[g].selector.method,
                                   error));
    return HSEL_OK;
}

/* The ranks or curves of a member for a class. */
static int part_fields(struct blend *b, size_t at, hs_transfer *file, hsel_error *error)
{
    if (b->by == RANK) {
        double *scores = b->scores + at * b->scored;
        HS_FIELDS(file, HS_VALUES(*scores, b->scored, HS_ANY));
        for (uint32_t i = 0; i < b->scored; i++)
            if (isnan(scores[i]) || (i && scores[i] < scores[i - 1]))
                return HSEL_EFORMAT;
        return HSEL_OK;
    }
    hs_curve *curve = &b->curve[at];
    HS_FIELDS(file, HS_VALUE(curve->a, -DBL_MAX, 0), HS_VALUE(curve->b, HS_FINITE),
              HS_VALUE(curve->least, DBL_MIN, 0.5));
    return HSEL_OK;
}

static int blend_fields(void *model, const hsel_dataset *shape, hs_transfer *file,
                        hsel_error *error)
{
    struct blend *b = model;
    const bool reads = hs_reads(file);
    uint32_t masked = b->mask != NULL;
    bool lazy = false;
    HS_TRY(text_fields(b, shape, file, error));
    HS_FIELDS(file, HS_SHAPE(b), HS_VALUE(b->by, RANK, STACK),
              HS_VALUE(b->scored, b->classes > 0, UINT32_MAX), HS_VALUE(masked, 0, 1),
              HS_VALUES(*b->weight, b->count, 0, 1), HS_VALUES(*b->quality, b->count + 1, HS_ANY));
    const size_t parts = b->classes ? b->count * b->width : 0;
    if (reads && masked)
        HS_NEED(b->mask = HS_ARENA_NEW(&b->arena, uint64_t, hs_bit_words(b->features)));
    if (masked)
        HS_FIELDS(file, HS_BIT_SET(b->mask, b->features));
    if (reads && b->by == RANK && parts) {
        if (b->scored > file->left / sizeof *b->scores / parts)
            return HSEL_EFORMAT;
        HS_NEED(b->scores = HS_ARENA_NEW(&b->arena, double, parts * b->scored));
    } else if (reads && parts) {
        HS_NEED(b->curve = hs_arena_zero(&b->arena, parts, sizeof *b->curve));
    }
    for (size_t at = 0; at < parts; at++)
        HS_TRY(part_fields(b, at, file, error));
    uint32_t adjusts = b->adjust.curves || b->adjust.moves;
    HS_FIELDS(file, HS_VALUE(adjusts, 0, b->classes > 0));
    if (adjusts)
        HS_TRY(hs_adjust_fields(&b->adjust, b->classes, file, error));
    for (size_t g = 0; g < b->groups; g++)
        lazy |= hs_pipeline_is_lazy(&b->group[g].pipeline);
    if (lazy) {
        HS_TRY(hs_counts_fields(reads ? &b->own : (hs_counts *)(uintptr_t)b->counts, b->features,
                                b->classes, file, error));
        b->counts = reads ? &b->own : b->counts;
    }
    for (size_t g = 0; g < b->groups; g++)
        HS_TRY(hs_pipeline_fields(&b->group[g].pipeline, shape ? shape : b->shape, b->mask,
                                  b->counts, file, error));
    return HSEL_OK;
}

static const hs_classifier functions = {.fit = blend_fit,
                                        .predict = blend_predict,
                                        .scratch_new = scratch_new,
                                        .scratch_free = scratch_free,
                                        .adjusts_itself = true,
                                        .describe = blend_describe,
                                        .name = "blend",
                                        .make = blend_new,
                                        .fields = blend_fields,
                                        .free = blend_free};

/* Slot `memory` of hs_method: all members, and for each further thread the largest of them. */
static double blend_memory_needed(const hs_size *size, const void *options)
{
    const struct options *o = options;
    HS_OWNS(blend_release) struct blend *b = HS_NEW_ZERO(struct blend, 1);
    HS_OWNS(hs_buf_clear) hs_buf members = {0};
    double all = 0, largest = 0;
    for (size_t i = 0; i < DEFAULTS; i++)
        hs_buf_printf(&members, "%s%s", i ? "/" : "", defaults[i][0]);
    const char *text = strcmp(o->members, "default") == 0 ? members.text : o->members;
    if (!b || members.failed || parse_members(b, text, &(hsel_error){0}))
        return (double)NAN;
    for (size_t i = 0; i < b->groups + b->count; i++) {
        const hs_chosen *c = i < b->groups ? &b->group[i].selector : &b->classifier[i - b->groups];
        const double own = c->method->memory ? c->method->memory(size, c->options) : 0;
        all += own;
        largest = fmax(largest, own);
    }
    return all + size->threads * largest + size->rows * 8 * (double)b->count * (size->classes + 2);
}

const hs_method hs_method_blend = {
    .kind = HS_CLASSIFIER,
    .name = "blend",
    .title = "several selectors and classifiers together",
    .help =
        "Fits several classifiers, each with all features or with its own selector, and "
        "averages the ranks of their scores, their calibrated log-odds, or these with learned "
        "weights, then calibrates the result. Everything is learned from out-of-fold scores "
        "in inner folds or, of a forest, from the trees that did not see the instance. By "
        "default the members are hip+nb, hip+tan, hip+knn, logistic and forest, or others in "
        "place of those that do not suit the data, which is noted. Separate members by slashes, "
        "a selector from its classifier by a plus sign, and their options by semicolons: "
        "blend:members=hip+nb/shsel:threshold=0.9+svm:c=2/forest,by=stack.",
    .citation = "van der Laan, Polley, Hubbard (2007), Stat. Appl. Genet. Mol. Biol. 6:25, for "
                "by=stack",
    .flags = HS_NEEDS_CLASSES | HS_STOCHASTIC | HS_ANY_FEATURES | HS_WEIGHS_INSTANCES |
             HS_NUMERIC_TARGET,
    .options = table,
    .options_size = sizeof(struct options),
    .check = blend_check,
    .memory = blend_memory_needed,
    .classifier = &functions,
};
