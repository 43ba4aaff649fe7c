/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Metrics against slow twins that follow the definitions word by word, and against examples worked
 * out by hand.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/random.h"
#include "stats/metrics.h"
#include "support/cmocka.h"
#include "support/oom.h"

#define MOST_ROWS    30
#define MOST_CLASSES 4

static void near(double expected, double found, const char *what)
{
    if (isnan(expected) != isnan(found) || fabs(expected - found) > 1e-12)
        fail_msg("%s: expected %.17g, found %.17g", what, expected, found);
}

/* ---- areas ---- */

static double area_auroc(const double *score, const uint8_t *is_positive, size_t count,
                         uint32_t *order)
{
    hs_curve_point point[MOST_ROWS];
    double auroc, auprc;
    hs_areas(point, hs_curve_points(score, is_positive, count, order, point), &auroc, &auprc);
    return auroc;
}

static double area_auprc(const double *score, const uint8_t *is_positive, size_t count,
                         uint32_t *order)
{
    hs_curve_point point[MOST_ROWS];
    double auroc, auprc;
    hs_areas(point, hs_curve_points(score, is_positive, count, order, point), &auroc, &auprc);
    return auprc;
}

/* All pairs: 1 for the right order, 1/2 for a tie. */
static double auroc_by_pairs(const double *score, const uint8_t *is_positive, size_t count)
{
    double sum = 0, pairs = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (is_positive[i] && !is_positive[j]) {
                sum += score[i] > score[j] ? 1 : score[i] == score[j] ? 0.5 : 0;
                pairs++;
            }
    return pairs > 0 ? sum / pairs : NAN;
}

/* For each threshold that occurs, highest first: precision times the step of recall. */
static double auprc_by_thresholds(const double *score, const uint8_t *is_positive, size_t count)
{
    double area = 0, recall = 0, all = 0, threshold = INFINITY;
    for (size_t i = 0; i < count; i++)
        all += is_positive[i];
    for (;;) {
        double next = -INFINITY, taken = 0, hits = 0;
        for (size_t i = 0; i < count; i++)
            if (score[i] < threshold && score[i] > next)
                next = score[i];
        if (next == -INFINITY)
            break;
        threshold = next;
        for (size_t i = 0; i < count; i++) {
            taken += score[i] >= threshold;
            hits += score[i] >= threshold && is_positive[i];
        }
        area += (hits / all - recall) * (hits / taken);
        recall = hits / all;
    }
    return all > 0 ? area : NAN;
}

static void test_areas_equal_their_twins(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 20000; round++) {
        double score[MOST_ROWS];
        uint8_t is_positive[MOST_ROWS];
        uint32_t order[MOST_ROWS];
        size_t count = hs_random_below(&stream, MOST_ROWS + 1);
        uint64_t levels = 1 + hs_random_below(&stream, 12);
        double share = hs_random_double(&stream);
        for (size_t i = 0; i < count; i++) {
            score[i] = (double)hs_random_below(&stream, levels) / 8;
            is_positive[i] = hs_random_double(&stream) < share;
        }
        near(auroc_by_pairs(score, is_positive, count),
             area_auroc(score, is_positive, count, order), "auroc");
        near(auprc_by_thresholds(score, is_positive, count),
             area_auprc(score, is_positive, count, order), "auprc");
    }
}

/* The highest point of a ROC curve at x, over all of its pieces between thresholds that occur; and
 * the precision of the highest threshold at which recall reaches x. */
static void curves_by_thresholds(const double *score, const uint8_t *is_positive, size_t count,
                                 double x, double *roc, double *pr)
{
    double before[2] = {0}, now[2], threshold = INFINITY, positives = 0;
    for (size_t i = 0; i < count; i++)
        positives += is_positive[i];
    *roc = 0;
    *pr = NAN;
    for (;;) {
        double next = -INFINITY, hits = 0, wrong = 0;
        for (size_t i = 0; i < count; i++)
            if (score[i] < threshold && score[i] > next)
                next = score[i];
        if (next == -INFINITY)
            return;
        threshold = next;
        for (size_t i = 0; i < count; i++) {
            hits += score[i] >= threshold && is_positive[i];
            wrong += score[i] >= threshold && !is_positive[i];
        }
        now[0] = wrong / ((double)count - positives);
        now[1] = hits / positives;
        if (before[0] <= x + 1e-12 && x <= now[0] + 1e-12)
            *roc =
                fmax(*roc, now[0] > before[0] ? before[1] + (x - before[0]) / (now[0] - before[0]) *
                                                                (now[1] - before[1])
                                              : now[1]);
        if (isnan(*pr) && hits > 0 && now[1] >= x - 1e-12)
            *pr = hits / (hits + wrong);
        before[0] = now[0];
        before[1] = now[1];
    }
}

static void test_curves_equal_their_twins(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 2000; round++) {
        double score[MOST_ROWS], roc[2 * MOST_ROWS + 1], pr[2 * MOST_ROWS + 1], area = 0;
        uint8_t is_positive[MOST_ROWS];
        uint32_t order[MOST_ROWS];
        size_t count = hs_random_below(&stream, MOST_ROWS + 1), positives = 0;
        uint64_t levels = 1 + hs_random_below(&stream, 30);
        double share = hs_random_double(&stream);
        for (size_t i = 0; i < count; i++) {
            score[i] = (double)hs_random_below(&stream, levels) / 8;
            positives += is_positive[i] = hs_random_double(&stream) < share;
        }
        size_t negatives = count - positives, steps = 1 + hs_random_below(&stream, 60);
        hs_curve_point point[MOST_ROWS];
        const size_t points = hs_curve_points(score, is_positive, count, order, point);
        assert_int_equal(hs_curves(point, points, steps, roc, pr), positives && negatives);
        if (!positives || !negatives)
            continue;
        for (size_t i = 0; i <= steps; i++) {
            double expected[2];
            curves_by_thresholds(score, is_positive, count, (double)i / (double)steps, &expected[0],
                                 &expected[1]);
            near(expected[0], roc[i], "roc");
            near(expected[1], pr[i], "pr");
        }
        /* Between 1/negatives and the next the ROC curve is straight, so that its value in the
         * middle is the area; precision changes with each positive. */
        assert_true(hs_curves(point, points, 2 * negatives, roc, pr));
        for (size_t i = 1; i < 2 * negatives; i += 2)
            area += roc[i] / (double)negatives;
        near(area_auroc(score, is_positive, count, order), area, "area under the ROC curve");
        assert_true(hs_curves(point, points, positives, roc, pr));
        area = 0;
        for (size_t i = 1; i <= positives; i++)
            area += pr[i] / (double)positives;
        near(area_auprc(score, is_positive, count, order), area, "area under the PR curve");
    }
}

static void test_areas_by_hand(void **state)
{
    static const double score[] = {0.9, 0.8, 0.8, 0.4, 0.1}, flat[] = {0.5, 0.5, 0.5, 0.5, 0.5};
    static const uint8_t label[] = {1, 1, 0, 0, 1}, none[] = {0, 0, 0, 0, 0},
                         all[] = {1, 1, 1, 1, 1};
    uint32_t order[5];
    (void)state;
    /* pairs: 0.9 wins 2; 0.8 ties 1, wins 1; 0.1 loses 2: 3.5 of 6 */
    assert_true(area_auroc(score, label, 5, order) == 3.5 / 6);
    /* 1/3 * 1, then 1/3 * 2/3 at the tie, then 1/3 * 3/5 */
    near((1 + 2.0 / 3 + 3.0 / 5) / 3, area_auprc(score, label, 5, order), "auprc");
    assert_true(area_auroc(flat, label, 5, order) == 0.5);
    near(0.6, area_auprc(flat, label, 5, order), "auprc of equal scores is the share of positives");
    assert_true(isnan(area_auroc(score, none, 5, order)) &&
                isnan(area_auroc(score, all, 5, order)));
    assert_true(isnan(area_auprc(score, none, 5, order)));
    assert_true(area_auprc(score, all, 5, order) == 1);
    assert_true(isnan(area_auroc(score, label, 0, order)) &&
                isnan(area_auprc(score, label, 0, order)));
}

/* A score that is no number ranks last, and nothing hangs. */
static void test_areas_without_numbers(void **state)
{
    static const double score[] = {NAN, 0.5, NAN, 0.7};
    static const uint8_t label[] = {0, 1, 0, 1};
    uint32_t order[4];
    (void)state;
    assert_true(area_auroc(score, label, 4, order) == 1);
    assert_true(area_auprc(score, label, 4, order) == 1);
}

/* ---- rates ---- */

/* One problem: truth, probabilities, folds. */
struct problem {
    uint32_t rows, classes, folds;
    uint32_t truth[MOST_ROWS], fold[MOST_ROWS], selected[MOST_ROWS], features, positive_class;
    double probability[MOST_ROWS * MOST_CLASSES];
};

static hs_predictions predictions_of(const struct problem *p)
{
    return (hs_predictions){.instances = p->rows,
                            .classes = p->classes,
                            .folds = p->folds,
                            .positive_class = p->positive_class,
                            .truth = p->truth,
                            .fold_of = p->fold,
                            .probability = p->probability,
                            .selected = p->selected,
                            .features = p->features};
}

static hs_scores scores_of(const struct problem *p)
{
    hsel_error error = {0};
    hs_scores scores;
    hs_predictions predictions = predictions_of(p);
    assert_ok(hs_metrics_compute(&predictions, &scores, &error), error);
    return scores;
}

static double over(double part, double whole) { return whole > 0 ? part / whole : 0; }
static double of_those(double part, double whole) { return whole > 0 ? part / whole : NAN; }

struct table { /* confusion of a group: [truth][predicted] */
    double n[MOST_CLASSES][MOST_CLASSES], all;
};

static struct table confusion(const struct problem *p, uint32_t fold)
{
    struct table t = {.all = 0};
    for (uint32_t i = 0; i < p->rows; i++) {
        if (fold != HSEL_NONE && p->fold[i] != fold)
            continue;
        const double *q = p->probability + (size_t)i * p->classes;
        uint32_t best = 0;
        for (uint32_t c = 0; c < p->classes; c++)
            if (q[c] > q[best])
                best = c;
        t.n[p->truth[i]][best]++;
        t.all++;
    }
    return t;
}

/* tp, fp, fn, tn of class c against the rest */
static void four(const struct table *t, uint32_t classes, uint32_t c, double *cell)
{
    cell[0] = t->n[c][c];
    cell[1] = cell[2] = 0;
    for (uint32_t j = 0; j < classes; j++)
        if (j != c) {
            cell[1] += t->n[j][c];
            cell[2] += t->n[c][j];
        }
    cell[3] = t->all - cell[0] - cell[1] - cell[2];
}

static bool occurs(const struct problem *p, uint32_t c)
{
    for (uint32_t i = 0; i < p->rows; i++)
        if (p->truth[i] == c)
            return true;
    return false;
}

static void areas_slowly(const struct problem *p, uint32_t fold, uint32_t c, double *auroc,
                         double *auprc)
{
    double score[MOST_ROWS];
    uint8_t is_positive[MOST_ROWS];
    size_t count = 0;
    for (uint32_t i = 0; i < p->rows; i++)
        if (fold == HSEL_NONE || p->fold[i] == fold) {
            score[count] = p->probability[(size_t)i * p->classes + c];
            is_positive[count++] = p->truth[i] == c;
        }
    *auroc = auroc_by_pairs(score, is_positive, count);
    *auprc = auprc_by_thresholds(score, is_positive, count);
}

/* The mean precision of the first k over all orders in which equal scores may come, as a mean over
 * instances of the chance to be among them. */
static double precision_slowly(const struct problem *p, uint32_t fold, uint32_t c, double k)
{
    double found = 0, all = 0, of_class = 0;
    for (uint32_t i = 0; i < p->rows; i++)
        if (fold == HSEL_NONE || p->fold[i] == fold) {
            all++;
            of_class += p->truth[i] == c;
        }
    k = k > 0 ? k : of_class;
    for (uint32_t i = 0; i < p->rows; i++) {
        double above = 0, equal = 0;
        if (p->truth[i] != c || (fold != HSEL_NONE && p->fold[i] != fold))
            continue;
        for (uint32_t j = 0; j < p->rows; j++)
            if (fold == HSEL_NONE || p->fold[j] == fold) {
                double mine = p->probability[(size_t)i * p->classes + c],
                       other = p->probability[(size_t)j * p->classes + c];
                above += other > mine;
                equal += other == mine;
            }
        found += fmin(1, fmax(0, (k - above) / equal));
    }
    return k > 0 && k <= all ? found / k : NAN;
}

/* Matthews' coefficient as a correlation: the covariances of 0/1 columns of class and prediction,
 * summed over classes. Cohen's kappa from the shares of agreement. */
static void correlation_slowly(const struct table *t, uint32_t classes, double *mcc, double *kappa)
{
    double xy = 0, xx = 0, yy = 0, right = 0, chance = 0;
    for (uint32_t k = 0; k < classes; k++) {
        double cell[4];
        four(t, classes, k, cell);
        double x = (cell[0] + cell[2]) / t->all, y = (cell[0] + cell[1]) / t->all;
        xy += cell[0] / t->all - x * y;
        xx += x - x * x;
        yy += y - y * y;
        right += cell[0] / t->all;
        chance += x * y;
    }
    *mcc = xx > 1e-12 && yy > 1e-12 ? xy / sqrt(xx * yy) : 0;
    *kappa = chance < 1 - 1e-12 ? (right - chance) / (1 - chance) : 0;
}

/* Every metric of a group; recalls of the classes beside it. */
static void group_slowly(const struct problem *p, uint32_t fold, double *out, double *recalls)
{
    struct table t = confusion(p, fold);
    double classes = 0, hits = 0, product = 1, sums[5] = {0}, roc = 0, prc = 0, selected = 0,
           first[3] = {0}, logs = 0, squares = 0;
    static const double places[3] = {10, 100, 0};
    uint32_t rocs = 0, prcs = 0, firsts[3] = {0};
    for (uint32_t c = 0; c < p->classes; c++) {
        double cell[4], auroc, auprc;
        four(&t, p->classes, c, cell);
        recalls[c] = of_those(cell[0], cell[0] + cell[2]);
        double specificity = of_those(cell[3], cell[3] + cell[1]);
        areas_slowly(p, fold, c, &auroc, &auprc);
        if (c == p->positive_class) {
            out[HS_METRIC_SENSITIVITY] = recalls[c];
            out[HS_METRIC_SPECIFICITY] = specificity;
            out[HS_METRIC_AUROC] = auroc;
            out[HS_METRIC_AUPRC] = auprc;
            out[HS_METRIC_PRECISION] = over(cell[0], cell[0] + cell[1]);
            out[HS_METRIC_F1] = over(2 * cell[0], 2 * cell[0] + cell[1] + cell[2]);
        }
        for (int i = 0; i < 3; i++) {
            double share = precision_slowly(p, fold, c, places[i]);
            if (isnan(share) || (p->classes == 2 && c != p->positive_class))
                continue;
            first[i] += share;
            firsts[i]++;
        }
        if (cell[0] + cell[2] == 0)
            continue;
        classes++;
        hits += cell[0];
        product *= recalls[c];
        sums[0] += recalls[c];
        sums[1] += specificity;
        sums[2] += over(2 * cell[0], 2 * cell[0] + cell[1] + cell[2]);
        sums[3] += over(cell[0], cell[0] + cell[1]);
        roc += isnan(auroc) ? 0 : auroc;
        rocs += !isnan(auroc);
        prc += isnan(auprc) ? 0 : auprc;
        prcs += !isnan(auprc);
    }
    out[HS_METRIC_GM] = classes < p->classes && p->classes == 2 ? NAN : pow(product, 1 / classes);
    if (p->classes > 2) {
        out[HS_METRIC_SENSITIVITY] = sums[0] / classes;
        out[HS_METRIC_SPECIFICITY] = sums[1] / classes;
        out[HS_METRIC_PRECISION] = sums[3] / classes;
        out[HS_METRIC_F1] = sums[2] / classes;
        out[HS_METRIC_AUROC] = rocs ? roc / rocs : NAN;
        out[HS_METRIC_AUPRC] = prcs ? prc / prcs : NAN;
    }
    out[HS_METRIC_RECALL] = out[HS_METRIC_SENSITIVITY];
    out[HS_METRIC_BALANCED_ACCURACY] = sums[0] / classes;
    correlation_slowly(&t, p->classes, &out[HS_METRIC_MCC], &out[HS_METRIC_KAPPA]);
    for (int i = 0; i < 3; i++)
        out[HS_METRIC_PRECISION_AT_10 + i] = firsts[i] ? first[i] / firsts[i] : NAN;
    for (uint32_t i = 0; i < p->rows; i++)
        if (fold == HSEL_NONE || p->fold[i] == fold) {
            const double *q = p->probability + (size_t)i * p->classes;
            logs -= q[p->truth[i]] < 1e-15 ? log(1e-15) : log(q[p->truth[i]]);
            for (uint32_t c = 0; c < p->classes; c++)
                squares += pow(q[c] - (c == p->truth[i] ? 1 : 0), 2) / 2;
        }
    out[HS_METRIC_LOG_LOSS] = logs / t.all;
    out[HS_METRIC_BRIER] = squares / t.all;
    out[HS_METRIC_ACCURACY] = over(hits, t.all);
    out[HS_METRIC_MACRO_F1] = sums[2] / classes;
    for (uint32_t i = 0; i < p->rows; i++)
        if (fold == HSEL_NONE || p->fold[i] == fold)
            selected += p->selected[i];
    out[HS_METRIC_COMPRESSION] = 1 - selected / (t.all * p->features);
    double a = out[HS_METRIC_ACCURACY], c = out[HS_METRIC_COMPRESSION];
    out[HS_METRIC_HARMONIC] = a + c > 0 ? 2 * a * c / (a + c) : 0;
    for (int m = HS_METRIC_RMSE; m <= HS_METRIC_PEARSON; m++) /* of numbers: test_regression.c */
        out[m] = NAN;
}

static void mean_slowly(const double *values, uint32_t count, double *mean, double *se)
{
    double there[MOST_ROWS], sum = 0, squares = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            there[n++] = values[i];
    for (uint32_t i = 0; i < n; i++)
        sum += there[i];
    *mean = n ? sum / n : NAN;
    for (uint32_t i = 0; i < n; i++)
        squares += (there[i] - *mean) * (there[i] - *mean);
    *se = n > 1 ? sqrt(squares / (n - 1)) / sqrt(n) : NAN;
}

static void check_all(const struct problem *p, const hs_scores *found)
{
    double pooled[HS_METRICS], recalls[MOST_CLASSES], recall_means[MOST_CLASSES] = {0};
    double by_fold[HS_METRICS][MOST_ROWS], mean[HS_METRICS], se[HS_METRICS];
    group_slowly(p, HSEL_NONE, pooled, recalls);
    for (uint32_t f = 0; f < p->folds; f++) {
        double one[HS_METRICS];
        group_slowly(p, f, one, recalls);
        for (int m = 0; m < HS_METRICS; m++)
            by_fold[m][f] = one[m];
        for (uint32_t c = 0; c < p->classes; c++)
            recall_means[c] += recalls[c] / p->folds;
    }
    for (int m = 0; m < HS_METRICS; m++)
        mean_slowly(by_fold[m], p->folds, &mean[m], &se[m]);
    bool lack = false; /* a class that occurs, in a fold */
    for (uint32_t c = 0; c < p->classes; c++)
        lack |= occurs(p, c) && isnan(recall_means[c]);
    assert_int_equal(found->folds_lack_class, lack);
    if (p->classes == 2) {
        mean[HS_METRIC_GM] = sqrt(mean[HS_METRIC_SENSITIVITY] * mean[HS_METRIC_SPECIFICITY]);
    } else {
        double product = 1, classes = 0;
        for (uint32_t c = 0; c < p->classes; c++)
            if (occurs(p, c)) {
                product *= recall_means[c];
                classes++;
            }
        mean[HS_METRIC_GM] = pow(product, 1 / classes);
    }
    double a = mean[HS_METRIC_ACCURACY], c = mean[HS_METRIC_COMPRESSION];
    mean[HS_METRIC_HARMONIC] = a + c > 0 ? 2 * a * c / (a + c) : 0;
    for (int m = 0; m < HS_METRICS; m++) {
        bool defined = !lack;
        for (uint32_t f = 0; f < p->folds; f++)
            defined &= !isnan(by_fold[m][f]);
        mean[m] = defined ? mean[m] : pooled[m];
        se[m] = defined ? se[m] : NAN;
        near(pooled[m], found->pooled[m], hs_metric_name(m));
        near(mean[m], found->fold_mean[m], hs_metric_name(m));
        near(se[m], found->fold_se[m], hs_metric_name(m));
    }
}

/* Few distinct probabilities, so that ties abound; folds that lack a class; now and then a class
 * that never occurs. */
static struct problem random_problem(hs_stream *stream)
{
    struct problem p = {.features = 7};
    p.classes = 2 + (uint32_t)hs_random_below(stream, MOST_CLASSES - 1);
    p.rows = 2 + (uint32_t)hs_random_below(stream, MOST_ROWS - 1);
    p.folds = 1 + (uint32_t)hs_random_below(stream, p.rows);
    p.positive_class = (uint32_t)hs_random_below(stream, 2);
    uint32_t used = p.classes > 2 ? 2 + (uint32_t)hs_random_below(stream, p.classes - 1) : 2;
    const bool dealt = hs_random_below(stream, 2); /* so that no fold lacks a class */
    p.folds = dealt && p.folds > p.rows / used ? 1 : p.folds;
    for (uint32_t i = 0; i < p.rows; i++) {
        double sum = 0, *q = p.probability + (size_t)i * p.classes;
        p.truth[i] = dealt ? i % used : i < 2 ? i : (uint32_t)hs_random_below(stream, used);
        p.fold[i] = dealt         ? i / used % p.folds
                    : i < p.folds ? i
                                  : (uint32_t)hs_random_below(stream, p.folds);
        p.selected[i] = (uint32_t)hs_random_below(stream, p.features + 1);
        for (uint32_t c = 0; c < p.classes; c++)
            sum += q[c] = (double)hs_random_below(stream, 4);
        if (sum == 0)
            sum = q[0] = 1;
        for (uint32_t c = 0; c < p.classes; c++)
            q[c] /= sum;
    }
    return p;
}

static void test_metrics_equal_their_twins(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 2, "test", 0, 0);
    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct problem p = random_problem(&stream);
        hs_scores scores = scores_of(&p);
        check_all(&p, &scores);
        if (p.classes == 2) { /* true of any scores that the predictions come from */
            double *v = scores.pooled;
            assert_true(v[HS_METRIC_AUROC] + 1e-12 >=
                        v[HS_METRIC_SENSITIVITY] * v[HS_METRIC_SPECIFICITY]);
        }
    }
}

/* Ten instances in two folds, worked out on paper. */
/* Of each class: what the definitions give; confusion and bins hold every instance. */
static void test_each_class_equals_its_twin(void **state)
{
    hs_stream stream;
    (void)state;
    hs_stream_init(&stream, 23, "by class", 0, 0);
    for (int round = 0; round < 200; round++) {
        const struct problem p = random_problem(&stream);
        const hs_predictions predictions = predictions_of(&p);
        const struct table t = confusion(&p, HSEL_NONE);
        const uint32_t k = p.classes;
        double found[MOST_CLASSES * HS_CLASS_MEASURES];
        uint64_t matrix[MOST_CLASSES * MOST_CLASSES] = {0};
        hsel_error error = {0};
        assert_ok(hs_metrics_by_class(&predictions, found, &error), error);
        hs_confusion_add(&predictions, matrix);
        for (uint32_t c = 0; c < k; c++) {
            const double *one = found + (size_t)c * HS_CLASS_MEASURES;
            hs_calibration_bin bins[HS_CALIBRATION_BINS] = {0};
            double cell[4], auroc, auprc, squares = 0, probabilities = 0, binned = 0, inside = 0;
            four(&t, k, c, cell);
            areas_slowly(&p, HSEL_NONE, c, &auroc, &auprc);
            for (uint32_t i = 0; i < p.rows; i++) {
                double q = p.probability[(size_t)i * k + c];
                squares += (q - (p.truth[i] == c)) * (q - (p.truth[i] == c));
                probabilities += q;
            }
            near(over(cell[0], cell[0] + cell[1]), one[HS_CLASS_PRECISION], "precision");
            near(of_those(cell[0], cell[0] + cell[2]), one[HS_CLASS_RECALL], "recall");
            near(over(2 * cell[0], 2 * cell[0] + cell[1] + cell[2]), one[HS_CLASS_F1], "f1");
            near(of_those(cell[3], cell[3] + cell[1]), one[HS_CLASS_SPECIFICITY], "specificity");
            near(auroc, one[HS_CLASS_AUROC], "auroc");
            near(auprc, one[HS_CLASS_AUPRC], "auprc");
            near(squares / p.rows, one[HS_CLASS_BRIER], "brier");
            for (uint32_t j = 0; j < k; j++)
                assert_true((double)matrix[c * k + j] == t.n[c][j]);
            hs_calibration_add(&predictions, c, bins);
            for (size_t b = 0; b < HS_CALIBRATION_BINS; b++) {
                double n = (double)bins[b].count, mean = n > 0 ? bins[b].probability / n : 0;
                inside += n;
                binned += bins[b].probability;
                assert_true(n == 0 || (mean >= (double)b / HS_CALIBRATION_BINS - 1e-12 &&
                                       mean <= (double)(b + 1) / HS_CALIBRATION_BINS + 1e-12));
            }
            assert_true(inside == p.rows);
            near(probabilities, binned, "sum of probabilities in bins");
        }
    }
}

/* Every score that is there once, from the highest; ties are one point. */
static void test_curve_points_by_hand(void **state)
{
    static const double score[] = {0.8, 0.9, 0.1, 0.8, 0.4};
    static const uint8_t label[] = {0, 1, 1, 1, 0};
    static const hs_curve_point expected[] = {{0.9, 1, 0}, {0.8, 2, 1}, {0.4, 2, 2}, {0.1, 3, 2}};
    hs_curve_point point[5];
    uint32_t order[5];
    (void)state;
    assert_int_equal(hs_curve_points(score, label, 5, order, point), 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(point[i].score == expected[i].score &&
                    point[i].positives == expected[i].positives &&
                    point[i].negatives == expected[i].negatives);
    assert_int_equal(hs_curve_points(score, label, 0, order, point), 0);
}

static void test_two_classes_by_hand(void **state)
{
    struct problem p = {.rows = 10,
                        .classes = 2,
                        .folds = 2,
                        .positive_class = 1,
                        .features = 4,
                        .truth = {1, 1, 1, 0, 0, 1, 0, 0, 0, 0},
                        .fold = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1},
                        .selected = {1, 1, 1, 1, 1, 3, 3, 3, 3, 3}};
    /* probability of the positive class; 0.5 goes to class 0 */
    static const double of_positive[] = {0.9, 0.6, 0.5, 0.7, 0.1, 0.8, 0.5, 0.5, 0.2, 0.6};
    (void)state;
    for (int i = 0; i < 10; i++) {
        p.probability[2 * i] = 1 - of_positive[i];
        p.probability[2 * i + 1] = of_positive[i];
    }
    hs_scores s = scores_of(&p);
    near(3.0 / 4, s.pooled[HS_METRIC_SENSITIVITY], "sensitivity");
    near(4.0 / 6, s.pooled[HS_METRIC_SPECIFICITY], "specificity");
    near(sqrt(0.5), s.pooled[HS_METRIC_GM], "gm");
    near(0.7, s.pooled[HS_METRIC_ACCURACY], "accuracy");
    near(0.5, s.pooled[HS_METRIC_COMPRESSION], "compression");
    near(0.7 / 1.2, s.pooled[HS_METRIC_HARMONIC], "harmonic");
    near((6.0 / 9 + 8.0 / 11) / 2, s.pooled[HS_METRIC_MACRO_F1], "macro-f1");
    /* folds: 2/3 and 1, 1/2 and 3/4 */
    near(5.0 / 6, s.fold_mean[HS_METRIC_SENSITIVITY], "sensitivity");
    near(5.0 / 8, s.fold_mean[HS_METRIC_SPECIFICITY], "specificity");
    near(sqrt(25.0 / 48), s.fold_mean[HS_METRIC_GM], "gm of the means");
    near(1.0 / 6, s.fold_se[HS_METRIC_SENSITIVITY], "standard error");
    /* pairs: fold 1: 0.9 2, 0.6 1, 0.5 1 of 6; fold 2: all 4 of 4 */
    near((4.0 / 6 + 1) / 2, s.fold_mean[HS_METRIC_AUROC], "auroc");
    p.selected[0] = 4;
    p.positive_class = 0; /* changes places */
    s = scores_of(&p);
    near(3.0 / 4, s.pooled[HS_METRIC_SPECIFICITY], "specificity");
    near(4.0 / 6, s.pooled[HS_METRIC_SENSITIVITY], "sensitivity");
    near(1 - 23.0 / 40, s.pooled[HS_METRIC_COMPRESSION], "compression");
}

/* With a fold without positives the means over folds of all metrics are the pooled ones. */
static void test_one_class_folds(void **state)
{
    struct problem p = {.rows = 4,
                        .classes = 2,
                        .folds = 2,
                        .positive_class = 1,
                        .features = 1,
                        .truth = {1, 0, 0, 0},
                        .fold = {0, 0, 1, 1},
                        .probability = {0.1, 0.9, 0.9, 0.1, 0.9, 0.1, 0.9, 0.1}};
    (void)state;
    hs_scores s = scores_of(&p);
    assert_true(s.folds_lack_class);
    near(1, s.fold_mean[HS_METRIC_SENSITIVITY], "sensitivity");
    near(1, s.fold_mean[HS_METRIC_SPECIFICITY], "specificity");
    near(1, s.fold_mean[HS_METRIC_AUROC], "auroc");
    near(1, s.fold_mean[HS_METRIC_AUPRC], "auprc");
    near(NAN, s.fold_se[HS_METRIC_AUROC], "standard error of a single value");
    near(1, s.pooled[HS_METRIC_GM], "gm");
}

/* Three classes: recalls 1, 1/2 and 1/2. */
static void test_three_classes_by_hand(void **state)
{
    struct problem p = {.rows = 6,
                        .classes = 3,
                        .folds = 1,
                        .positive_class = 1,
                        .features = 2,
                        .truth = {0, 0, 1, 1, 2, 2},
                        .selected = {2, 2, 2, 2, 2, 2},
                        .probability = {0.8, 0.1, 0.1, 0.5, 0.4, 0.1, 0.2, 0.6, 0.2, 0.6, 0.3, 0.1,
                                        0.1, 0.1, 0.8, 0.1, 0.5, 0.4}};
    (void)state;
    hs_scores s = scores_of(&p);
    near(cbrt(0.25), s.pooled[HS_METRIC_GM], "gm");
    near(cbrt(0.25), s.fold_mean[HS_METRIC_GM], "gm");
    near(4.0 / 6, s.pooled[HS_METRIC_ACCURACY], "accuracy");
    near(2.0 / 3, s.pooled[HS_METRIC_SENSITIVITY], "mean recall");
    near((0.75 + 0.75 + 1) / 3, s.pooled[HS_METRIC_SPECIFICITY], "mean specificity");
    /* class 0: 4 of 4 above? 0.8 and 0.5 against 0.2 0.6 0.1 0.1: 7 of 8; class 1: 0.6 and 0.3
     * against 0.1 0.4 0.1 0.5: 6 of 8; class 2: 0.8 and 0.4 against 0.1 0.1 0.2 0.1: 8 of 8 */
    near((7.0 / 8 + 6.0 / 8 + 1) / 3, s.pooled[HS_METRIC_AUROC], "auroc");
    near(0, s.pooled[HS_METRIC_COMPRESSION], "compression");
    near(0, s.pooled[HS_METRIC_HARMONIC], "harmonic");
}

/* More classes than a product of recalls could hold. */
static void test_many_classes(void **state)
{
    enum { rows = 4000, classes = 2000 };
    static uint32_t truth[rows], fold[rows];
    static double probability[(size_t)rows * classes];
    hsel_error error = {0};
    hs_scores s;
    (void)state;
    for (uint32_t i = 0; i < rows; i++) { /* one of two right: every recall is 1/2 */
        truth[i] = i / 2;
        probability[(size_t)i * classes + (i % 2 ? truth[i] : (truth[i] + 1) % classes)] = 1;
    }
    hs_predictions p = {.instances = rows,
                        .classes = classes,
                        .folds = 1,
                        .truth = truth,
                        .fold_of = fold,
                        .probability = probability,
                        .features = 3};
    assert_ok(hs_metrics_compute(&p, &s, &error), error);
    near(0.5, s.pooled[HS_METRIC_GM], "gm");
    near(0, s.pooled[HS_METRIC_COMPRESSION], "compression when nothing was selected");
}

/* ---- names ---- */

static void test_names(void **state)
{
    (void)state;
    for (int m = 0; m < HS_METRICS; m++) {
        const char *name = hs_metric_name(m);
        assert_int_equal(hs_metric_find(name, strlen(name)), m);
        assert_true(strlen(hs_metric_title(m)) > 0);
        assert_int_equal(hs_metrics[m]->kind, HS_METRIC);
        assert_ptr_equal(hs_method_find(HS_METRIC, name, strlen(name)), hs_metrics[m]);
        if (hs_metric_formula(m)->needs == 0) { /* then hits are enough: 3 of 4 and 4 of 6 */
            const uint32_t hits[] = {4, 3}, in_class[] = {6, 4}, predicted[] = {5, 5};
            double value = hs_metric_formula(m)->value(
                &(hs_hits){2, 1, 10, hits, in_class, predicted, NULL, NULL, NULL});
            if (m == HS_METRIC_PRECISION)
                near(0.6, value, "precision");
            else if (m == HS_METRIC_MCC)
                near(10 / sqrt(600), value, "mcc");
            else if (m == HS_METRIC_KAPPA)
                near(0.4, value, "kappa");
            else
                assert_true(value > 0.66 && value < 0.76);
        }
    }
    assert_int_equal(hs_metric_find("gmx", 2), HS_METRIC_GM);
    assert_int_equal(hs_metric_find("gmx", 3), HS_METRICS);
    assert_int_equal(hs_metric_find("", 0), HS_METRICS);
}

static void test_predicted_class(void **state)
{
    (void)state;
    assert_int_equal(hs_predicted_class((double[]){0.2, 0.5, 0.3}, 3), 1);
    assert_int_equal(hs_predicted_class((double[]){0.4, 0.4, 0.2}, 3), 0);
    assert_int_equal(hs_predicted_class((double[]){0.2, 0.4, 0.4}, 3), 1);
}

static int compute(void *context, hsel_error *error)
{
    const struct problem *p = context;
    hs_scores scores;
    hs_predictions predictions = {.instances = p->rows,
                                  .classes = p->classes,
                                  .folds = p->folds,
                                  .positive_class = p->positive_class,
                                  .truth = p->truth,
                                  .fold_of = p->fold,
                                  .probability = p->probability,
                                  .selected = p->selected,
                                  .features = p->features};
    return hs_metrics_compute(&predictions, &scores, error);
}

static void test_memory(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "test", 0, 0);
    struct problem p = random_problem(&stream);
    (void)state;
    assert_int_equal(hs_oom_each("metrics", compute, &p), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_areas_equal_their_twins),
                                       cmocka_unit_test(test_curves_equal_their_twins),
                                       cmocka_unit_test(test_areas_by_hand),
                                       cmocka_unit_test(test_areas_without_numbers),
                                       cmocka_unit_test(test_metrics_equal_their_twins),
                                       cmocka_unit_test(test_each_class_equals_its_twin),
                                       cmocka_unit_test(test_curve_points_by_hand),
                                       cmocka_unit_test(test_two_classes_by_hand),
                                       cmocka_unit_test(test_one_class_folds),
                                       cmocka_unit_test(test_three_classes_by_hand),
                                       cmocka_unit_test(test_many_classes),
                                       cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_predicted_class),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
