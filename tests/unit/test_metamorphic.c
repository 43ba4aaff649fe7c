/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks the registry: what says nothing about the classes changes no result. Every selector,
 * ranker, measure and classifier sees the same data twice, as they are and changed by one relation
 * (other order of rows, of columns or of classes, other names, another unit or zero of the numbers,
 * a column twice, a constant column), and must select, score and predict the same. Where a method
 * differs by design, the table `exempt` says why; an entry that is not needed fails, too, so that
 * the table and docs/methods.md, which lists it, stay true.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classify/classify.h"
#include "core/method.h"
#include "core/random.h"
#include "data/bits.h"
#include "data/builder.h"
#include "data/checks.h"
#include "data/transform.h"
#include "measure/measure.h"
#include "rank/rank.h"
#include "select/select.h"
#include "support/cmocka.h"
#include "support/normal.h"

enum { ROWS = 150, TRAINED = 100, COLUMNS = 10, EXTRA = 1, MOST = COLUMNS + EXTRA, CLASSES = 3 };

typedef enum relation {
    ROW_ORDER,
    COLUMN_ORDER,
    NAMES,
    CLASS_ORDER,
    SCALE,   /* by a power of two: to the last bit */
    RESCALE, /* by 1e-9 and 1e6 */
    SHIFT,
    TWIN,     /* a column is there twice */
    CONSTANT, /* one more column that is the same everywhere */
    RELATIONS
} relation;

static const char *const relation_name[RELATIONS] = {
    "order of rows",  "order of columns", "names", "order of classes",
    "scale",          "other scale",      "shift", "repeated column",
    "constant column"};

/* ---- what differs by design ---- */

#define OF(relation) (1U << (relation))
static const struct exemption {
    const char *method;
    unsigned relations;
    double tolerance; /* INFINITY: anything */
    const char *why;
} exempt[] = {
    {"hill-climbing", OF(ROW_ORDER), INFINITY, "neighbours equally near: the earlier row"},
    {"hill-climbing", OF(COLUMN_ORDER), INFINITY, "members move in the order of columns"},
    {"hill-climbing", OF(SHIFT), INFINITY, "cosines have a zero"},
    {"hill-climbing", OF(TWIN), INFINITY, "every member counts in distances"},
    {"taxahfe", OF(ROW_ORDER) | OF(COLUMN_ORDER) | OF(TWIN) | OF(CONSTANT), INFINITY,
     "forests draw rows and columns by their numbers"},
    {"level", OF(ROW_ORDER), INFINITY, "inner folds"},
    {"level", OF(SHIFT), INFINITY, "its naive Bayes, see nb"},
    {"rnb", OF(TWIN), INFINITY, "k features are kept"},
    {"top", OF(TWIN), INFINITY, "k features are kept"},
    {"ga", OF(ROW_ORDER) | OF(CLASS_ORDER) | OF(TWIN), INFINITY, "inner folds, random search"},
    {"relieff", OF(ROW_ORDER), INFINITY, "neighbours equally near: the earlier row"},
    {"relieff", OF(TWIN), INFINITY, "every feature counts in distances"},
    {"relieff-w", OF(ROW_ORDER), INFINITY, "neighbours equally near: the earlier row"},
    {"relieff-w", OF(TWIN), INFINITY, "every feature counts in distances"},
    {"nb", OF(SHIFT), INFINITY, "numbers are rounded to multiples of WEKA's precision"},
    {"nb", OF(TWIN), INFINITY, "features count as if independent"},
    {"nb", OF(CONSTANT), INFINITY, "smoothing moves small classes further from 0 and 1"},
    {"knn", OF(TWIN), INFINITY, "every feature counts in distances"},
    {"aode", OF(TWIN) | OF(CONSTANT), INFINITY, "as nb"},
    {"hie-aode", OF(TWIN) | OF(CONSTANT), INFINITY, "as nb"},
    {"hie-aode-lite", OF(TWIN) | OF(CONSTANT), INFINITY, "as nb"},
    {"svm", OF(TWIN), INFINITY, "every feature counts in the kernel"},
    {"svm", OF(CONSTANT), INFINITY, "a part of the offset; gamma is 1 / columns"},
    {"tan", OF(COLUMN_ORDER), INFINITY, "the tree is rooted at the first feature"},
    {"tan", OF(TWIN) | OF(CONSTANT), INFINITY, "as nb"},
    {"ban", OF(TWIN) | OF(CONSTANT), INFINITY, "as nb"},
    {"hre-tan", OF(COLUMN_ORDER), INFINITY, "the tree is rooted at the first feature"},
    {"hre-tan", OF(TWIN) | OF(CONSTANT), INFINITY, "as nb"},
    {"boost", OF(ROW_ORDER) | OF(CLASS_ORDER), INFINITY, "inner folds"},
    {"boost", OF(COLUMN_ORDER) | OF(TWIN) | OF(CONSTANT), INFINITY,
     "columns are drawn by their numbers"},
    {"logistic", OF(ROW_ORDER) | OF(CLASS_ORDER), INFINITY, "inner folds"},
    {"logistic", OF(TWIN), INFINITY, "twins share a penalty"},
    {"proximal-graph", OF(ROW_ORDER) | OF(CLASS_ORDER), INFINITY, "inner folds"},
    {"proximal-graph", OF(TWIN), INFINITY, "twins share a penalty"},
    {"tree", OF(COLUMN_ORDER), INFINITY, "equal splits: the first feature"},
    {"forest", OF(ROW_ORDER) | OF(COLUMN_ORDER) | OF(TWIN) | OF(CONSTANT), INFINITY,
     "rows and columns are drawn by their numbers"},
    {"blend",
     OF(ROW_ORDER) | OF(COLUMN_ORDER) | OF(CLASS_ORDER) | OF(SHIFT) | OF(TWIN) | OF(CONSTANT),
     INFINITY, "inner folds, and its members nb, forest and svm"},
    {"pu", OF(ROW_ORDER) | OF(CLASS_ORDER) | OF(SHIFT) | OF(TWIN) | OF(CONSTANT), INFINITY,
     "rows are drawn by their numbers, inner folds; its base nb"},
};

enum { EXEMPT = sizeof exempt / sizeof exempt[0] };
static bool used[EXEMPT][RELATIONS];

static bool is_exempt(const char *name, relation r, double change)
{
    for (size_t i = 0; i < EXEMPT; i++)
        if (strcmp(exempt[i].method, name) == 0 && (exempt[i].relations & OF(r)))
            return used[i][r] = change <= exempt[i].tolerance;
    return false;
}

/* ---- data ---- */

struct world { /* as it is */
    uint32_t classes;
    bool numeric;
    double value[ROWS][COLUMNS];
    uint32_t label[ROWS];
    uint32_t child[COLUMNS], parent[COLUMNS], edges;
};

struct variant { /* new place of each row, column and class; columns behind the last are new */
    uint32_t row[ROWS], column[MOST], label[CLASSES];
    uint32_t columns;
    double scale, shift, constant;
    uint32_t twin_of; /* HSEL_NONE: the new column is constant */
    bool renamed;
};

/* Two trees over 0 … 7, 8 and 9 alone; numbers are multiples of 1/1024, so that scales by powers of
 * two and shifts by whole numbers are exact. Every class tells on every second column. */
static void world_make(struct world *w, hs_stream *stream, uint32_t classes, bool numeric)
{
    static const uint32_t parent[] = {HSEL_NONE, 0, 0, 1, 1, HSEL_NONE, 5, 5};
    *w = (struct world){.classes = classes, .numeric = numeric};
    for (uint32_t f = 0; f < sizeof parent / sizeof parent[0]; f++)
        if (parent[f] != HSEL_NONE) {
            w->child[w->edges] = f;
            w->parent[w->edges++] = parent[f];
        }
    for (uint32_t i = 0; i < ROWS; i++) {
        w->label[i] = hs_random_below(stream, 100) < 35 ? 0 : 1 + i % (classes - 1);
        for (uint32_t f = COLUMNS; f-- > 0;) {
            double told = f % 2 ? 0.35 * (w->label[i] == f / 2 % classes) : 0;
            if (numeric) {
                double x = 8 + 5 * told + hs_random_normal(stream) * (1 + f / 8.0);
                w->value[i][f] = round(fmin(fmax(x, 0), 16) * 1024) / 1024;
                continue;
            }
            if (hs_random_double(stream) < 0.12 + 0.02 * f + told)
                w->value[i][f] = 1;
            if (w->value[i][f] > 0 && f < 8 && parent[f] != HSEL_NONE)
                w->value[i][parent[f]] = 1;
        }
    }
}

static void variant_make(struct variant *v, const struct world *w, hs_stream *stream, relation r,
                         double scale)
{
    *v = (struct variant){.columns = COLUMNS, .scale = 1, .twin_of = HSEL_NONE};
    for (uint32_t i = 0; i < ROWS; i++)
        v->row[i] = i;
    for (uint32_t i = 0; i < MOST; i++)
        v->column[i] = i;
    for (uint32_t i = 0; i < CLASSES; i++)
        v->label[i] = i;
    if (r == ROW_ORDER)
        hs_random_shuffle(stream, v->row, ROWS);
    if (r == COLUMN_ORDER)
        hs_random_shuffle(stream, v->column, COLUMNS);
    for (uint32_t i = 0; r == CLASS_ORDER && i < w->classes; i++)
        v->label[i] = w->classes - 1 - i;
    v->renamed = r == NAMES;
    v->scale = r == SCALE || r == RESCALE ? scale : 1;
    v->shift = r == SHIFT ? scale : 0;
    v->columns += r == TWIN || r == CONSTANT;
    v->twin_of = r == TWIN ? 1 + 2 * (uint32_t)hs_random_below(stream, COLUMNS / 2) : HSEL_NONE;
    v->constant = w->numeric ? 3 : (double)hs_random_below(stream, 2);
}

static double value_of(const struct world *w, const struct variant *v, uint32_t i, uint32_t f)
{
    double value = f < COLUMNS               ? w->value[i][f]
                   : v->twin_of != HSEL_NONE ? w->value[i][v->twin_of]
                                             : v->constant;
    return w->numeric ? value * v->scale + v->shift : value;
}

static uint32_t place_of(const uint32_t *list, uint32_t what)
{
    uint32_t i = 0;
    while (list[i] != what)
        i++;
    return i;
}

static hsel_dataset *data_make(const struct world *w, const struct variant *v)
{
    hs_builder *builder = NULL;
    hsel_dataset *data = NULL;
    hsel_dag *dag = NULL;
    hsel_error error = {0};
    uint32_t id, child[COLUMNS], parent[COLUMNS];
    char name[32];
    assert_ok(hs_builder_new(&builder, &error), error);
    for (uint32_t at = 0; at < v->columns; at++) {
        snprintf(name, sizeof name, v->renamed ? "z%u" : "f%u",
                 v->renamed ? 99 - at : place_of(v->column, at));
        assert_ok(hs_builder_feature(builder, name, strlen(name),
                                     w->numeric ? HSEL_NUMERIC : HSEL_BINARY, &id, &error),
                  error);
    }
    for (uint32_t at = 0; at < w->classes; at++) {
        snprintf(name, sizeof name, v->renamed ? "other %u" : "class %u",
                 v->renamed ? 9 - at : place_of(v->label, at));
        assert_ok(hs_builder_class(builder, name, strlen(name), &id, &error), error);
        if (v->label[1] == at)
            assert_ok(hs_builder_positive_class(builder, name, &error), error);
    }
    assert_ok(hs_builder_describe(builder, v->renamed ? "renamed" : "world", NULL, NULL, &error),
              error);
    for (uint32_t at = 0; at < ROWS; at++) {
        const uint32_t i = place_of(v->row, at);
        assert_ok(hs_builder_row(builder, NULL, 0, v->label[w->label[i]], &error), error);
        for (uint32_t f = 0; f < v->columns; f++)
            if (w->numeric)
                assert_ok(hs_builder_numeric(builder, v->column[f], value_of(w, v, i, f), &error),
                          error);
            else if (value_of(w, v, i, f) > 0)
                assert_ok(hs_builder_positive(builder, v->column[f], &error), error);
    }
    assert_ok(hs_builder_finish(builder, &data, &error), error);
    hs_builder_free(builder);
    for (uint32_t e = 0; e < w->edges; e++) {
        child[e] = v->column[w->child[e]];
        parent[e] = v->column[w->parent[e]];
    }
    assert_ok(hs_dag_new(v->columns, child, parent, w->edges, &dag, &error), error);
    assert_ok(hs_dataset_attach(data, dag, &error), error);
    return data;
}

/* ---- what a method says, in the numbering of the world ---- */

struct outcome {
    double value[ROWS * MOST];
    unsigned more; /* times that the column behind the last was selected */
    size_t count;  /* 0: the method does not take such data */
};

static void selector_outcome(const hs_chosen *chosen, const hs_training *training,
                             const struct variant *v, struct outcome *out)
{
    const hsel_dataset *data = training->view.data;
    const hs_selector *selector = chosen->method->selector;
    const bool lazy = chosen->method->flags & HS_LAZY;
    hsel_error error = {0};
    hs_selection selection = {0};
    hs_lazy_scratch scratch = {0};
    void *state = NULL;
    int status = selector->prepare(training, chosen->options, &state, &error);
    if (status == HSEL_EUNSUPPORTED || status == HSEL_EUSAGE)
        return;
    assert_ok(status, error);
    assert_ok(hs_selection_init(&selection, data->features, &error), error);
    assert_ok(hs_lazy_scratch_init(&scratch, data->features, &error), error);
    for (uint32_t i = lazy ? TRAINED : 0; i < (lazy ? ROWS : 1); i++) {
        uint64_t mask = 0;
        size_t count;
        const uint32_t *row = hs_row(data, v->row[i], &count);
        if (lazy) {
            assert_ok(selector->select_for(state, row, count, &scratch, &selection, &error), error);
            for (uint32_t f = 0; selection.all_negative && f < data->features; f++)
                hs_bit_set(&mask, f);
            for (size_t j = 0; j < count; j++)
                hs_bit_unset(&mask, row[j]);
            for (uint32_t j = 0; j < selection.positive_count; j++)
                hs_bit_set(&mask, selection.positive[j]);
            for (uint32_t j = 0; !selection.all_negative && j < selection.negative_count; j++)
                hs_bit_set(&mask, selection.negative[j]);
        } else {
            assert_ok(selector->select_features(state, &mask, &error), error);
        }
        for (uint32_t f = 0; f < COLUMNS; f++)
            out->value[out->count++] = hs_bit_get(&mask, v->column[f]);
        out->more += v->columns > COLUMNS && hs_bit_get(&mask, COLUMNS);
    }
    selector->free(state);
    hs_lazy_scratch_clear(&scratch);
    hs_selection_clear(&selection);
}

static void classifier_outcome(const hs_chosen *chosen, const hs_training *training,
                               const struct variant *v, struct outcome *out)
{
    const hs_classifier *classifier = chosen->method->classifier;
    const uint32_t classes = training->view.data->class_names.count;
    hsel_error error = {0};
    void *model = NULL, *scratch = NULL;
    if (hs_classifier_fit(chosen, training, &model, &error))
        fail_msg("%s: %s", chosen->method->name, error.message);
    if (classifier->scratch_new)
        assert_ok(classifier->scratch_new(model, &scratch, &error), error);
    for (uint32_t i = TRAINED; i < ROWS; i++) {
        double probability[CLASSES], score[CLASSES];
        hs_batch batch = {training->view.data, &v->row[i], 1, NULL};
        assert_ok(classifier->predict(model, &batch, scratch, probability, score, &error), error);
        for (uint32_t c = 0; c < classes; c++)
            out->value[out->count++] = probability[v->label[c]];
    }
    if (scratch)
        classifier->scratch_free(scratch);
    classifier->free(model);
}

static void outcome_of(const char *text, hs_kind kind, const struct world *w,
                       const struct variant *v, struct outcome *out)
{
    hsel_dataset *data = data_make(w, v);
    hsel_error error = {0};
    hs_chosen chosen = {0};
    hs_counts counts = {0};
    uint32_t rows[TRAINED], count = 0;
    *out = (struct outcome){.count = 0};
    for (uint32_t at = 0; at < ROWS; at++)
        if (place_of(v->row, at) < TRAINED)
            rows[count++] = at;
    hs_training training = {.view = {.data = data, .rows = rows, .row_count = count},
                            .counts = &counts,
                            .seed = 1,
                            .threads = 1};
    assert_ok(hs_counts_of(&training.view, &counts, &error), error);
    if (kind == HS_RANKER || kind == HS_MEASURE) {
        double scores[MOST], *each = scores;
        assert_ok(hs_chosen_parse(HS_RANKER, text, &chosen, &error), error);
        assert_ok(hs_rank_features(&training, &chosen, 1, &each, &error), error);
        for (uint32_t f = 0; f < COLUMNS; f++)
            out->value[out->count++] = scores[v->column[f]];
    } else {
        assert_ok(hs_chosen_parse(kind, text, &chosen, &error), error);
        (kind == HS_SELECTOR ? selector_outcome : classifier_outcome)(&chosen, &training, v, out);
    }
    hs_chosen_clear(&chosen);
    hs_counts_clear(&counts);
    hsel_dataset_free(data);
}

/* ---- the walk ---- */

static unsigned failures;

static void compare(const char *text, const hs_method *method, const struct world *w, relation r,
                    const struct outcome *before, const struct outcome *after, double change)
{
    double most = 0;
    assert_int_equal(before->count, after->count);
    for (size_t i = 0; i < before->count; i++) {
        double a = before->value[i], b = after->value[i];
        if (a != b)
            most = fmax(most, fabs(a - b) / fmax(fabs(a), 1));
        if (isnan(a) != isnan(b) || isinf(a) != isinf(b))
            most = INFINITY;
    }
    const double tolerance = r == SCALE || method->kind == HS_SELECTOR ? 0 : 1e-9;
    if (most <= tolerance || is_exempt(method->name, r, most))
        return;
    print_error("%s, %s features, %u classes: %s (%g) changes a result by %g\n", text,
                w->numeric ? "numeric" : "binary", w->classes, relation_name[r], change, most);
    failures++;
}

/* Lazy selectors, those that do not look at classes, and those that keep so many features that
 * constant ones are among them (20 of what is inside, here). */
static bool keeps_constants(const hs_method *method)
{
    return method->flags & HS_LAZY || !(method->flags & HS_NEEDS_CLASSES) ||
           strcmp(method->name, "ensemble") == 0 || strcmp(method->name, "stability") == 0;
}

/* Does the method take these data? */
static bool check_method(const char *text, const hs_method *method, const struct world *w,
                         hs_stream *stream)
{
    static const double scales[RELATIONS][2] = {
        [SCALE] = {0x1p-60, 0x1p40}, [RESCALE] = {1e-9, 1e6}, [SHIFT] = {1024, 16}};
    static struct outcome before, after;
    struct variant v;
    if ((w->numeric && !(method->flags & HS_ANY_FEATURES)) ||
        (w->classes > 2 && (method->flags & HS_TWO_CLASSES_ONLY)))
        return false;
    variant_make(&v, w, stream, RELATIONS, 1);
    outcome_of(text, method->kind, w, &v, &before);
    if (!before.count)
        return false;
    for (relation r = 0; r < RELATIONS; r++)
        for (int i = 0; i < 2; i++) {
            if (r >= SCALE && r <= SHIFT && !w->numeric)
                continue;
            variant_make(&v, w, stream, r, scales[r][i]);
            outcome_of(text, method->kind, w, &v, &after);
            compare(text, method, w, r, &before, &after, scales[r][i]);
            if (r == CONSTANT && after.more && !keeps_constants(method)) {
                print_error("%s keeps a constant column\n", text);
                failures++;
            }
        }
    return true;
}

/* How each method is written: those that take long with fewer trees and runs; more than once where
 * an option changes what is done with numbers. */
static const char *text_of(const hs_method *method, size_t which)
{
    static const char *const others[][2] = {
        {"taxahfe", "taxahfe:trees=20,seeds=2,from=2"},
        {"boruta", "boruta:runs=5,trees=10"},
        {"forest", "forest:preset=weka,trees=20"},
        {"blend", "blend:members=nb/forest:trees=20/svm:c=1;probability=logistic"},
        {"pu", "pu:base=nb:preset=weka,rounds=10,size=1,limit=1"},
        {"nb", "nb:preset=weka"},
        {"nb", "nb:preset=weka,numeric=kernel"},
        {"svm", "svm:c=1,probability=votes"},
        {"svm", "svm:kernel=rbf,probability=votes"},
        {"svm", "svm:kernel=polynomial,probability=votes"},
        {"hill-climbing", "hill-climbing"},
        {"hill-climbing", "hill-climbing:similarity=euclidean"},
        {"hill-climbing", "hill-climbing:direction=top-down"},
        {"shsel", "shsel"},
        {"shsel", "shsel:similarity=correlation"},
        {"shsel", "shsel:similarity=spearman"},
        {"gtd", "gtd"},
        {"gtd", "gtd:cuts=quantiles"},
        {"top", "top:k=3"},
        {"rnb", "rnb:k=3"},
        {"mrmr", "mrmr:k=3"},
        {"jmi", "jmi:k=3"},
        {"cmim", "cmim:k=3"},
    };
    const char *text = which ? NULL : method->name;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(method->name, others[i][0]) == 0 && which-- == 0)
            return others[i][1];
    return text;
}

static void test_relations(void **state)
{
    hs_stream stream;
    hs_stream_init(&stream, 1, "metamorphic", 0, 0);
    (void)state;
    static struct world worlds[2 * (CLASSES - 1)];
    for (uint32_t i = 0; i < 2 * (CLASSES - 1); i++)
        world_make(&worlds[i], &stream, 2 + i / 2, i % 2);
    for (size_t i = 0; i < hs_method_count(); i++) {
        const hs_method *method = hs_method_at(i);
        unsigned taken = 0;
        if (method->kind != HS_SELECTOR && method->kind != HS_RANKER &&
            method->kind != HS_MEASURE && method->kind != HS_CLASSIFIER)
            continue;
        for (size_t which = 0; text_of(method, which); which++)
            for (size_t k = 0; k < 2 * (CLASSES - 1); k++)
                taken += check_method(text_of(method, which), method, &worlds[k], &stream);
        if (!taken)
            fail_msg("%s takes none of the data", method->name);
    }
    for (size_t i = 0; i < EXEMPT; i++)
        for (relation r = 0; r < RELATIONS; r++)
            if ((exempt[i].relations & OF(r)) && !used[i][r]) {
                print_error("%s: exempt from '%s' for nothing\n", exempt[i].method,
                            relation_name[r]);
                failures++;
            }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_relations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
