/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Study files: what they become, down to the last field, and a lack of memory at every step. Files
 * and folders are in test_study_files.c, mistakes in test_study_mistakes.c.
 */
#include <stdlib.h>
#include <string.h>

#include "study/study.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/study_text.h"

static void expect(const char *name, const char *yaml, uint64_t jobs, const char *expected)
{
    hs_study study = {0};
    hsel_error error = {0};
    hs_buf text = {0};
    assert_ok(hs_study_parse(name, yaml, strlen(yaml), &study, &error), error);
    hs_study_dump(&study, &text);
    assert_string_equal(text.text, expected);
    assert_true(hs_study_jobs(&study) == jobs);
    assert_string_equal(study.text, yaml);
    assert_string_equal(study.file, name);
    hs_buf_clear(&text);
    hs_study_clear(&study);
    assert_null(study.arena.first);
}

static void test_smallest(void **state)
{
    (void)state;
    expect("some/where/tiny.yaml", STUDY_DATA STUDY_METHODS, 10,
           "tiny: tiny\n"
           "data ontology = generate ontology () seed 1\n"
           "selector none\n"
           "classifier nb\n"
           "folds own 10 x 1 seed 1\n"
           "metrics gm auroc auprc\n"
           "control - alpha 0.05\n");
    expect("-", STUDY_DATA "selectors: none\nclassifiers: nb\nmetrics: accuracy\n", 10,
           "study: study\n"
           "data ontology = generate ontology () seed 1\n"
           "selector none\n"
           "classifier nb\n"
           "folds own 10 x 1 seed 1\n"
           "metrics accuracy\n"
           "control - alpha 0.05\n");
}

/* As in study.h. */
static const char example[] =
    "name: rpv-2020\n"
    "title: Relevant positive values (da Silva, Plastino, Freitas 2020)\n"
    "datasets:\n"
    "  - path: ${HSEL_NOT_SET:-nowhere}/{CE,DM}-BP   # not there\n"
    "    prepare: drop-roots\n"
    "    hierarchy: hierarchy_java.tsv.gz\n"
    "  - generate: ontology:instances=300,features=1000\n"
    "    name: small\n"
    "    seed: 3\n"
    "selectors: [none, {label: RPV, method: 'rpv:measure=lazyr'}, \"shsel:threshold={0.98,0.99}\", "
    "\"shsel:threshold=0.97..1/0.01\"]\n"
    "classifiers: [nb, \"knn:k=1\", 'knn:k={3,5}']\n"
    "folds: {scheme: weka, count: 10, repeats: 10, seed: 1}\n"
    "metrics: [gm, auroc, auprc]\n"
    "compare: {control: rpv, alpha: 0.05, by: fold-mean}\n"
    "best-of: {selector: shsel, metric: accuracy}\n"
    "published: {file: published/rpv_2020.csv, map: {none: nofs, rpv: rpv-lazyr, \"knn:k=1\": "
    "1nn}}\n";

static void test_example(void **state)
{
    (void)state;
    unsetenv("HSEL_NOT_SET");
    expect("studies/x.yaml", example, 1 * 6 * 4 * 10 * 10,
           "rpv-2020: Relevant positive values (da Silva, Plastino, Freitas 2020)\n"
           "data CE-BP = studies/nowhere/CE-BP "
           "(hierarchy=studies/nowhere/hierarchy_java.tsv.gz,drop-roots=true) seed 1 missing\n"
           "data DM-BP = studies/nowhere/DM-BP "
           "(hierarchy=studies/nowhere/hierarchy_java.tsv.gz,drop-roots=true) seed 1 missing\n"
           "data small = generate ontology:instances=300 () seed 3\n"
           "selector none\n"
           "selector rpv [RPV]\n"
           "selector shsel:threshold=0.98 of shsel:threshold={0.98,0.99} "
           "[shsel:threshold={0.98,0.99}] best\n"
           "selector shsel of shsel:threshold={0.98,0.99} [shsel:threshold={0.98,0.99}] best\n"
           "selector shsel:threshold=0.97 of shsel:threshold=0.97..1/0.01 "
           "[shsel:threshold=0.97..1/0.01] best\n"
           "selector shsel:threshold=1 of shsel:threshold=0.97..1/0.01 "
           "[shsel:threshold=0.97..1/0.01] best\n"
           "classifier nb\n"
           "classifier knn:k=1\n"
           "classifier knn of knn:k={3,5} [knn:k={3,5}]\n"
           "classifier knn:k=5 of knn:k={3,5} [knn:k={3,5}]\n"
           "folds weka 10 x 10 seed 1\n"
           "metrics gm auroc auprc\n"
           "control rpv alpha 0.05\n"
           "best of shsel by accuracy\n"
           "published studies/published/rpv_2020.csv\n"
           "  none -> nofs\n"
           "  rpv -> rpv-lazyr\n"
           "  knn:k=1 -> 1nn\n");
}

static void test_labels_and_sweeps(void **state)
{
    (void)state;
    expect("s.yaml",
           "datasets: [{generate: 'ontology:features={50,60}'}]\n"
           "selectors:\n"
           "  - {label: IG, method: 'shsel:threshold=0.5..0.6/0.1'}\n"
           "  - label: C\n"
           "    method: shsel:similarity=correlation,threshold={0.5,0.7}\n"
           "  - mr\n"
           "  - shsel:threshold=0.6\n" /* a grid has brought it */
           "classifiers: nb\n"
           "folds: {scheme: loo}\n"
           "metrics: [accuracy, harmonic, compression]\n"
           "compare: {by: pooled, one-sided: yes, alpha: 0.1, control: IG 0.6}\n"
           "best-of: {selector: [C]}\n"
           "published: {file: /abs/t.csv, map: {C: pruneC, IG 0.5: p, harmonic: hm, nb: NB, "
           "'ontology:features=60': S60}}\n"
           "allow-violations: true\n",
           2 * 5 * 10,
           "s: s\n"
           "data ontology:features=50 = generate ontology:features=50 () seed 1\n"
           "data ontology:features=60 = generate ontology:features=60 () seed 1\n"
           "selector shsel:threshold=0.5 [IG 0.5] of shsel:threshold=0.5..0.6/0.1 [IG]\n"
           "selector shsel:threshold=0.6 [IG 0.6] of shsel:threshold=0.5..0.6/0.1 [IG]\n"
           "selector shsel:similarity=correlation,threshold=0.5 [C 0.5] of "
           "shsel:similarity=correlation,threshold={0.5,0.7} [C] best\n"
           "selector shsel:similarity=correlation,threshold=0.7 [C 0.7] of "
           "shsel:similarity=correlation,threshold={0.5,0.7} [C] best\n"
           "selector mr\n"
           "classifier nb\n"
           "folds loo 10 x 1 seed 1\n"
           "metrics accuracy harmonic compression pooled\n"
           "control shsel:threshold=0.6 alpha 0.1 one-sided allow-violations\n"
           "best of C by accuracy\n"
           "published /abs/t.csv\n"
           "  shsel:similarity=correlation,threshold={0.5,0.7} -> pruneC\n"
           "  shsel:threshold=0.5 -> p\n"
           "  harmonic -> hm\n"
           "  nb -> NB\n"
           "  ontology:features=60 -> S60\n");
}

/* A glob that finds nothing is one missing data set, called as it is written; a map may then speak
 * of names that are not known. */
static void test_unmatched(void **state)
{
    (void)state;
    expect("no/such/s.yaml",
           "datasets: ['x*', {path: '/none/[ab]', name: n}]\n" STUDY_METHODS
           "published: {file: t.csv, map: {xx: yy}}\n",
           0,
           "s: s\n"
           "data no/such/x* = no/such/x* () seed 1 missing\n"
           "data n = /none/[ab] () seed 1 missing\n"
           "selector none\n"
           "classifier nb\n"
           "folds own 10 x 1 seed 1\n"
           "metrics gm auroc auprc\n"
           "control - alpha 0.05\n"
           "published no/such/t.csv\n"
           "  xx -> yy\n");
}

static void test_prepare(void **state)
{
    (void)state;
    expect("no/s.yaml",
           "datasets:\n"
           "  - {path: a, prepare: 'min-support=3,drop-roots,threads=0'}\n"
           "  - {path: b, prepare: [propagate, min-support=0, edges=reduce]}\n"
           "  - {path: sub/c.arff, hierarchy: h.tsv}\n"
           "  - {path: d, hierarchy: /abs/h.obo}\n" STUDY_METHODS
           "folds: {scheme: 'file:f.csv', seed: 0, count: 2}\n",
           0,
           "s: s\n"
           "data a = no/a (min-support=3,drop-roots=true) seed 1 missing\n"
           "data b = no/b (edges=reduce,propagate=true) seed 1 missing\n"
           "data c = no/sub/c.arff (hierarchy=no/sub/h.tsv) seed 1 missing\n"
           "data d = no/d (hierarchy=/abs/h.obo) seed 1 missing\n"
           "selector none\n"
           "classifier nb\n"
           "folds file:no/f.csv 2 x 1 seed 0\n"
           "metrics gm auroc auprc\n"
           "control - alpha 0.05\n");
}

static void test_rankings(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *expected;
    } cases[] = {
        {"rankings: [auc, ig]\n", "ranker auc\nranker ig\ntau 0\n"},
        {"rankings: {by: [{label: A, method: auc}, 'or:zero={inf,half}']}\n",
         "ranker auc [A]\nranker or:zero=inf of or:zero={inf,half} [or:zero={inf,half}]\n"
         "ranker or:zero=half of or:zero={inf,half} [or:zero={inf,half}]\ntau 0\n"},
        {"rankings: {tau: a, by: [auc, lift]}\n", "ranker auc\nranker lift\ntau 1\n"},
        {"rankings: {tau: a, ties: weka, by: [auc, lift]}\n", "ranker auc\nranker lift\ntau 2\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hs_study study = {0};
        hsel_error error = {0};
        hs_buf yaml = {0}, text = {0};
        hs_buf_printf(&yaml, STUDY_DATA STUDY_METHODS "%s", cases[i].yaml);
        assert_ok(hs_study_parse("s.yaml", yaml.text, yaml.length, &study, &error), error);
        hs_study_dump(&study, &text);
        if (!strstr(text.text, cases[i].expected))
            fail_msg("%s gives\n%s", cases[i].yaml, text.text);
        hs_buf_clear(&text);
        hs_buf_clear(&yaml);
        hs_study_clear(&study);
    }
    hs_study_refuse(STUDY_DATA STUDY_METHODS "rankings: [auc, auk]\n",
                    "s.yaml:4: there is no ranker 'auk'; did you mean 'auc'?");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "rankings: [auc, auc]\n",
                    "s.yaml:4: the ranker auc was given before, on line 4");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "rankings: auc\n",
                    "s.yaml:4: 'rankings' has one ranker: give two or more");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "rankings: {by: [auc]}\n",
                    "s.yaml:4: 'by' has one ranker: give two or more");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "rankings: {tau: a}\n",
                    "s.yaml:4: there is no key 'by' in rankings");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "rankings: {by: [auc, ig], tau: c}\n",
                    "s.yaml:4: option tau takes b|a, not 'c'");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "rankings: []\n",
                    "s.yaml:4: 'rankings' is empty: give at least one");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "rankings: {rankers: [auc, ig]}\n",
                    "s.yaml:4: there is no key 'rankers' in rankings; there are: by, tau, ties");
    hs_study_refuse_code(STUDY_DATA STUDY_METHODS "rankings: ['relieff:k=1..1001']\n", HSEL_ELIMIT,
                         "s.yaml:4: 1001 rankers are too many to compare (limit 1000)");
}

/* ---- sizes and memory ---- */

static void test_jobs(void **state)
{
    (void)state;
    hs_study_dataset data[3] = {{.missing = true}, {.missing = false}, {.missing = false}};
    static hs_study_method selectors[HS_STUDY_LIST_LIMIT], classifiers[HS_STUDY_LIST_LIMIT];
    const hs_method *hip = hs_method_find(HS_SELECTOR, "hip", 3),
                    *svm = hs_method_find(HS_CLASSIFIER, "svm", 3);
    for (size_t i = 0; i < HS_STUDY_LIST_LIMIT; i++) {
        selectors[i].method = hs_method_find(HS_SELECTOR, "none", 4);
        classifiers[i].method = hs_method_find(HS_CLASSIFIER, "nb", 2);
    }
    hs_study study = {.datasets = data,
                      .selectors = selectors,
                      .classifiers = classifiers,
                      .dataset_count = 3,
                      .selector_count = 5,
                      .classifier_count = 2,
                      .repeats = 3,
                      .folds = 10};
    assert_true(hs_study_jobs(&study) == 2 * 5 * 2 * 3 * 10);
    selectors[1].method = selectors[3].method = hip; /* not with svm */
    classifiers[1].method = svm;
    assert_true(hs_study_jobs(&study) == 2 * (5 * 2 - 2) * 3 * 10);
    study.selector_count = study.classifier_count = HS_STUDY_LIST_LIMIT;
    study.repeats = 100000;
    study.folds = 1000000;
    assert_true(hs_study_jobs(&study) == UINT64_MAX);
    study.dataset_count = 1;
    assert_true(hs_study_jobs(&study) == 0);
}

static int parse_text(void *context, hsel_error *error)
{
    hs_study study = {0};
    const char *text = context;
    int status = hs_study_parse("x.yaml", text, strlen(text), &study, error);
    hs_study_clear(&study);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    char first[sizeof example];
    char second[] =
        "datasets: ['unit/test_[gs]*y.c', {path: '${HSEL_NOT_SET}/{a,b}', prepare: [drop-roots]},\n"
        "  {generate: 'ontology:features={20,30}'}]\n"
        "selectors: [{label: S, method: 'shsel:threshold={0.1,0.2}'}]\n"
        "classifiers: nb\n"
        "folds: {scheme: 'file:f.csv'}\n"
        "compare: {control: S 0.1}\n"
        "best-of: {selector: [S]}\n"
        "published: {file: t.csv, map: {S: s, nb: NB, gm: GM, test_study: T}}\n"
        "rankings: {by: [auc, 'or:zero={inf,half}', {label: L, method: lift}], tau: a}\n"
        "simulate: [{procedures: [bh, 'focused-bh:filter=lin'], effects: [1, 2], runs: 30}]\n"
        "auto: [{metric: gm}, {label: slow, race: 0, inner-repeats: 2}]\n";
    memcpy(first, example, sizeof example);
    assert_true(hs_oom_each("hs_study_parse", parse_text, first) > 50);
    assert_true(hs_oom_each("hs_study_parse", parse_text, second) > 50);
    char third[] = "datasets: [{generate: ontology}]\nselectors: shsel\nclassifiers: nb\n"
                   "tune: {metric: gm, parameters: {threshold: 0.5..1/0.01, similarity: bounds,\n"
                   "  prune: [strict, none]}}\n";
    assert_true(hs_oom_each("hs_study_parse", parse_text, third) > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smallest),
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_labels_and_sweeps),
        cmocka_unit_test(test_unmatched),
        cmocka_unit_test(test_prepare),
        cmocka_unit_test(test_rankings),
        cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
