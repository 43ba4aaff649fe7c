/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blends against a slow twin: out-of-fold scores are collected fold by fold, ranks are counted, and
 * weights are compared with all of a grid. Model files, threads, numbers, refusals, memory.
 */
#include <xxhash.h>

#include "classify/platt.h"
#include "core/mem.h"
#include "core/random.h"
#include "data/folds.h"
#include "learn/describe.h"
#include "learn/explain.h"
#include "learn/model.h"
#include "pipeline/adjust.h"
#include "pipeline/pipeline.h"
#include "stats/metrics.h"
#include "support/cmocka.h"
#include "support/model_data.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/threads.h"

HS_TEST_USES_THREADS

#define ROWS    60
#define FOLDS   3
#define MEMBERS 3
#define WIDTH   3

static hsel_dataset *some_data(hs_stream *stream, uint32_t classes)
{
    hs_random_shape shape = {.instances = ROWS,
                             .features = 12,
                             .classes = classes ? classes : 2,
                             .density = 0.3,
                             .parents = 1.2,
                             .true_path = true};
    hsel_dataset *data = hs_random_dataset(stream, &shape);
    if (classes == 0) {
        hsel_error error = {0};
        data->target = HS_NEW(double, ROWS);
        assert_non_null(data->target);
        for (uint32_t i = 0; i < ROWS; i++) {
            size_t count;
            hs_row(data, i, &count);
            data->target[i] = (double)count + hs_random_double(stream);
        }
        hs_names_clear(&data->class_names);
        hs_free(hs_take(&data->class_of));
        data->positive_class = HSEL_NONE;
        assert_ok(hs_dataset_check(data, &error), error);
    }
    return data;
}

/* ---- the twin ---- */

struct twin {
    uint32_t classes, width;
    size_t members;
    double oof[MEMBERS][ROWS][WIDTH], whole[MEMBERS][ROWS][WIDTH];
    double weight[MEMBERS];
    hs_curve curve[MEMBERS][WIDTH];
    char by; /* r, l, s */
};

/* Scores of some rows by a pipeline that learned from the rows of a view. */
static void scores_of(const hs_view *view, const char *selector, const char *classifier,
                      const uint32_t *rows, uint32_t count, double to[ROWS][WIDTH])
{
    hsel_error error = {0};
    hs_chosen s = {0}, c = {0};
    hs_counts counts = {0};
    hs_predictor predictor = {0};
    double *score = HS_NEW_ZERO(double, ROWS *WIDTH);
    const uint32_t width = hs_score_width(view->data->class_names.count);
    assert_non_null(score);
    assert_ok(hs_chosen_parse(HS_SELECTOR, selector, &s, &error), error);
    assert_ok(hs_chosen_parse(HS_CLASSIFIER, classifier, &c, &error), error);
    assert_ok(hs_counts_of(view, &counts, &error), error);
    hs_pipeline pipeline = {.selector = &s, .classifiers = &c, .count = 1};
    const hs_training training = {.view = *view, .counts = &counts, .threads = 1};
    assert_ok(hs_pipeline_fit(&pipeline, &training, &error), error);
    assert_ok(hs_predictor_begin(&predictor, &pipeline, view->data, &error), error);
    assert_ok(
        hs_predictor_run(&predictor,
                         &(hs_predict_request){.data = view->data,
                                               .instances = rows,
                                               .count = count,
                                               .place = rows,
                                               .to = &(struct hs_answer_lists){.score = score},
                                               .width = width},
                         &error),
        error);
    for (uint32_t i = 0; i < count; i++)
        memcpy(to[rows[i]], score + (size_t)rows[i] * width, width * sizeof *score);
    hs_predictor_clear(&predictor);
    hs_pipeline_clear(&pipeline);
    hs_counts_clear(&counts);
    hs_chosen_clear(&s);
    hs_chosen_clear(&c);
    hs_free(score);
}

static double slow_rank(const struct twin *t, size_t m, uint32_t w, double score)
{
    double below = 0, equal = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        below += t->oof[m][i][w] < score;
        equal += t->oof[m][i][w] == score;
    }
    return (below + equal / 2) / ROWS - 0.5;
}

static double part_of(const struct twin *t, size_t m, uint32_t w, double score)
{
    if (t->classes == 0)
        return score;
    if (t->by == 'r')
        return slow_rank(t, m, w, score);
    double p = hs_curve_at(&t->curve[m][w], score);
    return log(p) - log1p(-p); /* to the last bit: curves of nearly equal scores are steep */
}

static double v_of(const struct twin *t, double from[MEMBERS][ROWS][WIDTH], uint32_t i, uint32_t w)
{
    double sum = 0;
    for (size_t m = 0; m < t->members; m++)
        sum += t->weight[m] * part_of(t, m, w, from[m][i][w]);
    return sum;
}

static bool is_of(const hsel_dataset *data, uint32_t i, uint32_t w)
{
    return data->class_of[i] == (data->class_names.count == 2 ? 1 : w);
}

static double loss_of(const struct twin *t, const hsel_dataset *data)
{
    double all = 0;
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t w = 0; w < t->width; w++) {
            double v = v_of(t, (double(*)[ROWS][WIDTH])t->oof, i, w);
            if (data->target)
                all += (v - data->target[i]) * (v - data->target[i]);
            else
                all += log(1 + exp(is_of(data, i, w) ? -v : v));
        }
    return all;
}

static void twin_init(struct twin *t, const hsel_dataset *data, uint64_t seed, char by)
{
    static const char *const names[3][MEMBERS][2] = {
        {{"none", "knn:k=7"}, {"none", "tree"}, {"top:by=pearson,k=4", "knn:k=5"}},
        {{"hip", "nb"}, {"none", "knn:k=5"}, {"top:k=4", "nb"}},
        {{"hip", "nb"}, {"none", "knn:k=5"}, {"top:k=4", "nb"}}};
    hsel_error error = {0};
    hs_folds folds = {0};
    uint32_t rows[ROWS], rest[ROWS], tested[ROWS];
    *t = (struct twin){.classes = data->class_names.count, .members = MEMBERS, .by = by};
    t->width = hs_score_width(t->classes);
    for (uint32_t i = 0; i < ROWS; i++)
        rows[i] = i;
    const hs_view view = {.data = data, .rows = rows, .row_count = ROWS};
    assert_ok(hs_folds_of_view(&view, FOLDS, seed, &folds, &error), error);
    for (size_t m = 0; m < MEMBERS; m++) {
        const char *const *name = names[t->classes ? 1 : 0][m];
        for (uint32_t f = 0; f < FOLDS; f++) {
            uint32_t count = 0;
            for (uint32_t i = 0; i < ROWS; i++)
                if (folds.fold_of[i] == f)
                    tested[count++] = i;
            const hs_view part = hs_folds_rest(&folds, &view, f, rest);
            scores_of(&part, name[0], name[1], tested, count, t->oof[m]);
        }
        scores_of(&view, name[0], name[1], rows, ROWS, t->whole[m]);
        t->weight[m] = 1.0 / MEMBERS;
        for (uint32_t w = 0; t->classes && w < t->width; w++) {
            double score[ROWS];
            bool positive[ROWS];
            for (uint32_t i = 0; i < ROWS; i++) {
                score[i] = t->oof[m][i][w];
                positive[i] = is_of(data, i, w);
            }
            t->curve[m][w] = hs_curve_platt(score, positive, NULL, ROWS);
        }
    }
    hs_folds_clear(&folds);
}

/* The weights of a described model, in the order of its members. */
static void weights_of(const hs_model *model, double *weight)
{
    hs_buf text = {0};
    hs_writer *out = NULL;
    hsel_error error = {0};
    assert_ok(hs_writer_open_memory(&text, &out, &error), error);
    assert_ok(hs_model_describe(model, HS_DESCRIBE_JSON, out, &error), error);
    assert_ok(hs_writer_commit(out, &error), error);
    const char *at = text.text;
    for (size_t m = 0; m < MEMBERS; m++) {
        assert_non_null(at = strstr(at, "\"weight\":"));
        weight[m] = strtod(at += 9, NULL);
    }
    hs_buf_clear(&text);
}

static const char *members(uint32_t classes)
{
    return classes ? "blend:members=hip+nb/knn:k=5/top:k=4+nb"
                   : "blend:members=knn:k=7/tree/top:by=pearson;k=4+knn:k=5";
}

/* What a blend of these members predicts, beside the twin. */
static void compare(hs_stream *stream, uint32_t classes, const char *by)
{
    hsel_dataset *data = some_data(stream, classes);
    hs_model *model = NULL;
    hs_model_scratch scratch = {0};
    hsel_error error = {0};
    struct twin *t = HS_NEW_ZERO(struct twin, 1);
    char text[200];
    double v[ROWS][WIDTH];
    hs_curve last[WIDTH] = {0};
    assert_non_null(t);
    const bool isotonic = hs_random_below(stream, 2) && classes;
    const char *own = members(classes);
    snprintf(text, sizeof text, "%s,by=%s%s", own, by, isotonic ? ",calibration=isotonic" : "");
    assert_ok(hs_train(data, "none", text, HSEL_NONE, false, 5, 1, NULL, &model, &error), error);
    twin_init(t, data, 5, by[0]);
    if (by[0] == 's') {
        double found[MEMBERS], best = INFINITY;
        weights_of(model, found);
        for (int a = 0; a <= 50; a++)
            for (int b = 0; a + b <= 50; b++) {
                t->weight[0] = a / 50.0;
                t->weight[1] = b / 50.0;
                t->weight[2] = (50 - a - b) / 50.0;
                best = fmin(best, loss_of(t, data));
            }
        double sum = 0;
        for (size_t m = 0; m < MEMBERS; m++) {
            assert_true(found[m] >= 0);
            sum += t->weight[m] = found[m];
        }
        assert_true(fabs(sum - 1) < 1e-9);
        const double reached = loss_of(t, data);
        if (!(reached <= best + 1e-6 * fabs(best)))
            fail_msg("stack reached %.12g, the grid %.12g", reached, best);
    }
    for (uint32_t w = 0; w < t->width; w++) {
        double score[ROWS];
        bool positive[ROWS];
        for (uint32_t i = 0; i < ROWS; i++) {
            v[i][w] = v_of(t, t->whole, i, w);
            score[i] = v_of(t, t->oof, i, w);
            positive[i] = classes && is_of(data, i, w);
        }
        if (classes && isotonic)
            assert_ok(hs_isotonic_fit(score, positive, NULL, ROWS, &last[w], &error), error);
        else if (classes)
            last[w] = hs_curve_platt(score, positive, NULL, ROWS);
    }
    assert_ok(hs_model_scratch_init(&scratch, model, &error), error);
    for (uint32_t i = 0; i < ROWS; i++) {
        double p[WIDTH], s[WIDTH], expected[WIDTH], sum = 0;
        assert_ok(hs_model_predict(model, data, i, 1, &scratch, p, s, NULL, &error), error);
        if (!classes && fabs(s[0] - v[i][0]) > 1e-9)
            fail_msg("%s: %.17g, not %.17g", text, s[0], v[i][0]);
        for (uint32_t w = 0; classes && w < t->width; w++)
            sum += expected[w] = hs_curve_at(&last[w], v[i][w]);
        for (uint32_t w = 0; classes && w < t->width; w++) {
            double found = classes == 2 ? p[1] : p[w], wanted = expected[w];
            wanted /= classes == 2 ? 1 : sum;
            if (fabs(found - wanted) > (by[0] == 'r' ? 1e-9 : 1e-7)) /* Newton's last steps */
                fail_msg("%s: row %u, class %u: %.17g, not %.17g", text, i, w, found, wanted);
        }
    }
    for (uint32_t w = 0; w < t->width; w++)
        HS_FREE(last[w].at, last[w].share);
    hs_model_scratch_clear(&scratch);
    hs_model_free(model);
    hs_dataset_free(data);
    hs_free(t);
}

static void test_twin(void **state)
{
    static const char *const by[] = {"rank", "logit", "stack"};
    hs_stream stream;
    hs_stream_init(&stream, 1, "blend", 0, 0);
    (void)state;
    for (int round = 0; round < 90; round++) {
        const uint32_t classes[] = {2, 3, 0};
        const uint32_t own = classes[round / 3 % 3];
        if (own || round % 3 != 1) /* log-odds are for classes */
            compare(&stream, own, by[round % 3]);
    }
}

/* ---- files, threads, data ---- */

/* Predictions of all rows by two models, to the last bit. */
static void same_answers(const hs_model *a, const hs_model *b, const hsel_dataset *data)
{
    hs_model_scratch one = {0}, two = {0};
    hsel_error error = {0};
    const uint32_t classes = data->class_names.count;
    double p[2][4], s[2][4];
    assert_ok(hs_model_scratch_init(&one, a, &error), error);
    assert_ok(hs_model_scratch_init(&two, b, &error), error);
    for (uint32_t i = 0; i < data->instances; i++) {
        assert_ok(hs_model_predict(a, data, i, 1, &one, p[0], s[0], NULL, &error), error);
        assert_ok(hs_model_predict(b, data, i, 1, &two, p[1], s[1], NULL, &error), error);
        assert_memory_equal(p[0], p[1], classes * sizeof(double));
        assert_memory_equal(s[0], s[1], hs_answers(classes) * sizeof(double));
    }
    hs_model_scratch_clear(&one);
    hs_model_scratch_clear(&two);
}

/* Through a file and back, and with other numbers of threads, the same answers; a file damaged in
 * any byte is refused or harmless. */
static void test_files_and_threads(void **state)
{
    static const char *const texts[][2] = {
        {"none", "blend:members=hip+nb/forest:trees=5/ban/hie-aode-lite"},
        {"top:k=6", "blend:members=hip+nb/svm/knn,by=logit,calibration=isotonic"},
        {"none", "blend:members=hnb+nb/top:k=3+nb/tree,by=stack,threshold=gm"},
        {"none", "blend:members=knn/forest:trees=3,calibration=none"}};
    hs_stream stream;
    hs_stream_init(&stream, 2, "blend", 0, 0);
    (void)state;
    for (size_t t = 0; t < 12; t++) {
        const uint32_t classes = t / 4 == 0 ? 2 : t / 4 == 1 ? 3 : 0;
        const char *const *text = texts[t % 4];
        hs_model *model = NULL, *again = NULL, *back = NULL;
        hs_buf bytes = {0};
        hsel_error error = {0};
        if (classes != 2 && t % 4 == 2)
            continue; /* a threshold is for two classes */
        if (classes == 0 && t % 4 != 3)
            continue;
        hsel_dataset *data = some_data(&stream, classes);
        const char *classifier = classes ? text[1] : "blend:members=knn/forest:trees=3,by=stack";
        assert_ok(hs_train(data, text[0], classifier, HSEL_NONE, false, 3, 1, NULL, &model, &error),
                  error);
        assert_ok(hs_train(data, text[0], classifier, HSEL_NONE, false, 3, 3, NULL, &again, &error),
                  error);
        same_answers(model, again, data);
        assert_ok(hs_model_to_bytes(model, &bytes, &error), error);
        assert_ok(hs_model_from_bytes("m", bytes.text, bytes.length, &back, &error), error);
        same_answers(model, back, data);
        hs_model_free(again);
        hs_model_free(back);
        for (size_t at = 32; at < bytes.length; at += 1 + (bytes.length > 6000) * (at % 3)) {
            hs_model *damaged = NULL;
            bytes.text[at] ^= (char)(1 << at % 8);
            uint64_t sum = XXH3_64bits(bytes.text + 32, bytes.length - 32);
            memcpy(bytes.text + 24, &sum, sizeof sum);
            error = (hsel_error){0};
            if (hs_model_from_bytes("m", bytes.text, bytes.length, &damaged, &error) == HSEL_OK) {
                hs_model_scratch scratch = {0};
                double p[4], s[4];
                if (hs_model_scratch_init(&scratch, damaged, &error) == HSEL_OK &&
                    damaged->shape->features == data->features &&
                    damaged->shape->class_names.count == classes)
                    (void)!hs_model_predict(damaged, data, 0, 1, &scratch, p, s, NULL, &error);
                hs_model_scratch_clear(&scratch);
                hs_model_free(damaged);
            } else {
                assert_true(error.message[0] != '\0');
            }
            bytes.text[at] ^= (char)(1 << at % 8);
        }
        hs_buf_clear(&bytes);
        hs_model_free(model);
        hs_dataset_free(data);
    }
}

static int tell(void *context, uint64_t done, uint64_t total, const char *what)
{
    (void)context, (void)done, (void)total, (void)what;
    return 0;
}

static void add_line(void *context, const char *line) { hs_buf_printf(context, "%s\n", line); }

/* The default members suit the data, and what stands in place of others is noted. */
static void test_defaults(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 3, "blend", 0, 0);
    (void)state;
    for (int round = 0; round < 4; round++) {
        hsel_dataset *data = round == 0   ? some_data(&stream, 2)
                             : round == 1 ? hs_model_mixed(&stream, 60, 8)
                             : round == 2 ? some_data(&stream, 0)
                                          : some_data(&stream, 2);
        hs_model *model = NULL;
        hsel_error error = {0};
        hs_notes notes = HS_NOTES;
        hs_buf said = {0}, text = {0};
        hs_writer *out = NULL;
        double weight[ROWS];
        for (uint32_t i = 0; i < ROWS; i++)
            weight[i] = 1 + i % 2;
        const hs_progress progress = {tell, NULL, &notes};
        const hs_model_request request = {.data = data,
                                          .selector = "none",
                                          .classifier = "blend",
                                          .weight = round == 3 ? weight : NULL,
                                          .seed = 1,
                                          .threads = 1,
                                          .progress = &progress};
        assert_ok(hs_model_train(&request, &model, &error), error);
        hs_notes_tell(&notes, add_line, &said);
        assert_ok(hs_writer_open_memory(&text, &out, &error), error);
        assert_ok(hs_model_describe(model, HS_DESCRIBE_TEXT, out, &error), error);
        assert_ok(hs_writer_commit(out, &error), error);
        static const char *const noted[][3] = {
            {NULL, NULL, NULL},
            {"nb in place of hip+nb", "svm in place of hip+tan", "knn:k=15 in place of hip+knn"},
            {"leave out hip+nb", "leave out hip+tan", NULL},
            {"svm in place of hip+tan", NULL, NULL}};
        static const char *const there[][2] = {
            {"hip+tan", "logistic"}, {"svm", "nb"}, {"forest", "hip+knn"}, {"svm", "hip+nb"}};
        if (round == 0)
            assert_null(said.text);
        for (int i = 0; i < 3 && noted[round][i]; i++)
            if (!said.text || !strstr(said.text, noted[round][i]))
                fail_msg("'%s' is not in: %s", noted[round][i], said.text ? said.text : "");
        for (int i = 0; i < 2; i++)
            assert_non_null(strstr(text.text, there[round][i]));
        hs_buf_clear(&said);
        hs_buf_clear(&text);
        hs_notes_clear(&notes);
        hs_model_free(model);
        hs_dataset_free(data);
    }
}

/* The number behind a name in the description of a model, the last one of that name. */
static double described(const hs_model *model, const char *name)
{
    hs_buf text = {0};
    hs_writer *out = NULL;
    hsel_error error = {0};
    double value = NAN;
    assert_ok(hs_writer_open_memory(&text, &out, &error), error);
    assert_ok(hs_model_describe(model, HS_DESCRIBE_JSON, out, &error), error);
    assert_ok(hs_writer_commit(out, &error), error);
    for (const char *at = text.text; (at = strstr(at, name)) != NULL;)
        value = strtod(at += strlen(name) + 2, NULL);
    hs_buf_clear(&text);
    return value;
}

/* Scores of training instances are not those of models that saw them: of classes that have nothing
 * to do with the features, the AUROC is near one half. With many instances some are enough. */
static void test_out_of_fold(void **state)
{
    static const char *const texts[] = {"blend:members=forest:trees=60", "blend:members=logistic",
                                        "blend:members=knn:k=1"};
    hs_stream stream;
    hs_stream_init(&stream, 9, "blend", 0, 0);
    (void)state;
    for (int i = 0; i < 6; i++) {
        const uint32_t n = i < 3 ? 600 : 6100;
        hs_random_shape shape = {
            .instances = n, .features = 10, .classes = 2, .density = 0.4, .true_path = true};
        hsel_dataset *data = hs_random_dataset(&stream, &shape);
        hs_model *model = NULL;
        hsel_error error = {0};
        for (uint32_t j = 0; j < n; j++)
            data->class_of[j] = (uint32_t)hs_random_below(&stream, 2);
        assert_ok(
            hs_train(data, "none", texts[i % 3], HSEL_NONE, false, 1, 2, NULL, &model, &error),
            error);
        const double auroc = described(model, "\"out_of_fold\""),
                     scored = described(model, "\"instances\"");
        if (!(fabs(auroc - 0.5) < 0.1))
            fail_msg("%s has AUROC %g of classes drawn at random", texts[i % 3], auroc);
        if (i < 3 ? scored != n : scored < 2000 || scored > 2400)
            fail_msg("%g scores of %u instances", scored, n);
        hs_model_free(model);
        hs_dataset_free(data);
    }
}

/* Owen values are linear, so those of a blend are the sum of those of its members; they add up. */
static void test_explanation(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 4, "blend", 0, 0);
    (void)state;
    for (int round = 0; round < 6; round++) {
        hsel_dataset *data = some_data(&stream, (uint32_t[]){2, 3, 0}[round % 3]);
        const char *own = round % 3 == 2 ? "blend:members=knn/tree" : "blend:members=hip+nb/knn";
        hs_model *model = NULL;
        hsel_error error = {0};
        assert_ok(hs_train(data, "none", own, HSEL_NONE, false, 1, 1, NULL, &model, &error), error);
        for (uint32_t i = 0; i < 5; i++) {
            hs_explanation e = {.threads = 1};
            assert_ok(hs_explain(model, data, i, 0, &e, &error), error);
            double sum = e.prior + e.absent;
            for (uint32_t j = 0; j < e.count; j++)
                sum += isnan(e.reasons[j].contribution) ? 0 : e.reasons[j].contribution;
            double wanted = round % 3 == 2 ? e.number
                                           : log(e.probability[e.predicted]) -
                                                 log1p(-e.probability[e.predicted]);
            if (fabs(sum - wanted) > 1e-6)
                fail_msg("%.9g, not %.9g", sum, wanted);
            hs_explanation_clear(&e);
        }
        hs_model_free(model);
        hs_dataset_free(data);
    }
}

static void test_refused(void **state)
{
    static const char *const texts[][2] = {
        {"blend:members=/nb", "separated by /, not ''"},
        {"blend:members=hip+/nb", "members of blend takes classifiers, or"},
        {"blend:members=+nb", "not '+nb'"},
        {"blend:members=nb/blend", "cannot be a member of itself"},
        {"blend:members=nb/hip+svm", "cannot predict with part"},
        {"blend:members=hip+nb/nb/hip+nb", "has the member hip+nb twice"},
        {"blend:members=nb:calibration=platt", "for the whole blend"},
        {"blend:members=nearest", "nearest"},
        {"blend:by=mean", "option by takes"},
        {"blend:calibration=none,cost=2", "without threshold=cost"}};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        hs_chosen chosen = {0};
        hsel_error error = {0};
        assert_int_not_equal(hs_chosen_parse(HS_CLASSIFIER, texts[i][0], &chosen, &error), HSEL_OK);
        if (!strstr(error.message, texts[i][1]))
            fail_msg("%s: %s", texts[i][0], error.message);
    }
    hs_stream stream;
    hs_stream_init(&stream, 5, "blend", 0, 0);
    static const struct {
        uint32_t classes;
        const char *text, *said;
    } fits[] = {{0, "blend:by=logit", "by=logit is for classes"},
                {0, "blend:threshold=gm", "threshold is for classes"},
                {0, "blend:calibration=isotonic", "calibration is for classes"},
                {0, "blend:inner-folds=4", "inner-folds without by=stack is for classes"},
                {0, "blend:members=nb", "nb is for classes"},
                {3, "blend:threshold=gm", "is for two classes"},
                {2, "blend:inner-folds=100", "cannot divide 60 instances into 100"}};
    for (size_t i = 0; i < sizeof fits / sizeof fits[0]; i++) {
        hsel_dataset *data = some_data(&stream, fits[i].classes);
        hs_model *model = NULL;
        hsel_error error = {0};
        assert_int_not_equal(
            hs_train(data, "none", fits[i].text, HSEL_NONE, false, 1, 1, NULL, &model, &error),
            HSEL_OK);
        if (!strstr(error.message, fits[i].said))
            fail_msg("%s: %s", fits[i].text, error.message);
        hs_dataset_free(data);
    }
}

/* ---- memory ---- */

static int train_and_keep(void *context, hsel_error *error)
{
    const hsel_dataset *data = context;
    hs_model *model = NULL, *back = NULL;
    hs_model_scratch scratch = {0};
    hs_buf bytes = {0};
    double p[4], s[4];
    int status =
        hs_train(data, "none", "blend:members=hip+nb/knn/top:k=3+nb,by=stack,inner-folds=2",
                 HSEL_NONE, false, 1, 1, NULL, &model, error);
    if (!status)
        status = hs_model_to_bytes(model, &bytes, error);
    if (!status)
        status = hs_model_from_bytes("m", bytes.text, bytes.length, &back, error);
    if (!status)
        status = hs_model_scratch_init(&scratch, back, error);
    if (!status)
        status = hs_model_predict(back, data, 0, 1, &scratch, p, s, NULL, error);
    hs_model_scratch_clear(&scratch);
    hs_buf_clear(&bytes);
    hs_model_free(model);
    hs_model_free(back);
    return status;
}

static void test_memory(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 6, "blend", 0, 0);
    hsel_dataset *data = some_data(&stream, 2);
    (void)state;
    assert_true(hs_oom_each("blend", train_and_keep, data) > 100);
    hs_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twin),        cmocka_unit_test(test_files_and_threads),
        cmocka_unit_test(test_defaults),    cmocka_unit_test(test_out_of_fold),
        cmocka_unit_test(test_explanation), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
