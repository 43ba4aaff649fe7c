/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mistakes in study files: each is told with its line, and with what was probably meant.
 */
#include "support/cmocka.h"
#include "support/study_text.h"

static void test_bad_yaml(void **state)
{
    (void)state;
    hs_study_refuse("", "s.yaml: the file is empty");
    hs_study_refuse("# only a comment\n", "s.yaml: the file is empty");
    hs_study_refuse("name: x\n  title: [\n",
                    "s.yaml:2: not YAML: mapping values are not allowed in this context");
    hs_study_refuse("name: [a, b\nselectors: c\n",
                    "s.yaml:2: not YAML: did not find expected ',' or ']'");
    hs_study_refuse("name: x\nname: y\n", "s.yaml:2: the key 'name' was given before, on line 1");
    hs_study_refuse("name: x\n---\nname: y\n",
                    "s.yaml:2: a second document: a file can have only one");
    hs_study_refuse("name: &a x\n",
                    "s.yaml:1: anchors (&), aliases (*) and tags (!) have no meaning here; "
                    "quote the text if it is one");
    hs_study_refuse("name: x\ndatasets: *\n",
                    "s.yaml:2: not YAML: did not find expected alphabetic or numeric character");
    hs_study_refuse("name: !!str x\n",
                    "s.yaml:1: anchors (&), aliases (*) and tags (!) have no meaning here; "
                    "quote the text if it is one");
    hs_study_refuse("[a]: b\n", "s.yaml:1: a list or mapping where a key should be");
    hs_study_refuse("name: \"a\\0b\"\n", "s.yaml:1: a NUL character in a text");
    hs_study_refuse("name: a\ntitle: \xff\xfe\n",
                    "s.yaml:2: not YAML: invalid leading UTF-8 octet");
    hs_study_refuse("just a text\n", "s.yaml:1: a study needs keys and values, e.g. 'name: NAME'");
    hs_study_refuse("- a\n- b\n", "s.yaml:1: a study needs keys and values, e.g. 'name: NAME'");
    hs_study_refuse_code("a: [[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]\n", HSEL_ELIMIT,
                         "s.yaml:1: more than 16 levels of lists and mappings");
    hs_study study = {0};
    hsel_error error = {0};
    assert_int_equal(hs_study_parse("s.yaml", "name: a\0b\n", 10, &study, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, "s.yaml: not a text file: it contains NUL bytes");
}

static void test_bad_keys(void **state)
{
    (void)state;
    hs_study_refuse("# a comment\n" STUDY_DATA "selector: [none]\nclassifiers: [nb]\n",
                    "s.yaml:3: there is no key 'selector' in a study; did you mean 'selectors'?");
    hs_study_refuse(
        STUDY_DATA STUDY_METHODS "xyzzy: 1\n",
        "s.yaml:4: there is no key 'xyzzy' in a study; there are: name, title, datasets, "
        "selectors, "
        "classifiers, folds, metrics, compare, best-of, published, allow-violations, tune, "
        "auto, simulate, rankings, rank-by");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "folds:\n  count: 10\n  sceme: weka\n",
                    "s.yaml:6: there is no key 'sceme' in folds; did you mean 'scheme'?");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "compare: {contorl: none}\n",
                    "s.yaml:4: there is no key 'contorl' in compare; did you mean 'control'?");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "best-of: {selectr: none}\n",
                    "s.yaml:4: there is no key 'selectr' in best-of; did you mean 'selector'?");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "published: {flie: x}\n",
                    "s.yaml:4: there is no key 'flie' in published; did you mean 'file'?");
    hs_study_refuse("datasets:\n  - path: a\n    prepair: drop-roots\n" STUDY_METHODS,
                    "s.yaml:3: there is no key 'prepair' in a data set; did you mean 'prepare'?");
    hs_study_refuse(STUDY_DATA "selectors: [{lable: A, method: none}]\nclassifiers: [nb]\n",
                    "s.yaml:2: there is no key 'lable' in a selector; did you mean 'label'?");
    hs_study_refuse(
        STUDY_DATA "classifiers: [nb]\n",
        "s.yaml:1: there is no key 'selectors': a study needs datasets, selectors and classifiers");
    hs_study_refuse(
        "title: x\n" STUDY_METHODS,
        "s.yaml:1: there is no key 'datasets': a study needs datasets, selectors and classifiers");
    hs_study_refuse("name:\n" STUDY_DATA STUDY_METHODS, "s.yaml:1: there is nothing after 'name:'");
    hs_study_refuse("name: a b\n" STUDY_DATA STUDY_METHODS,
                    "s.yaml:1: the name 'a b' should have letters, digits and . _ - only");
    hs_study_refuse("name: ../x\n" STUDY_DATA STUDY_METHODS,
                    "s.yaml:1: the name '../x' should have letters, digits and . _ - only");
    hs_study_refuse("name: [a]\n" STUDY_DATA STUDY_METHODS,
                    "s.yaml:1: 'name' takes one text, not a list");
    hs_study_refuse("name: {a: b}\n" STUDY_DATA STUDY_METHODS,
                    "s.yaml:1: 'name' takes one text, not a mapping");
}

static void test_bad_types(void **state)
{
    (void)state;
    hs_study_refuse(STUDY_DATA STUDY_METHODS "folds: {count: ten}\n",
                    "s.yaml:4: option count takes a whole number from 2 to 1000000, not 'ten'");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "folds: {count: 1}\n",
                    "s.yaml:4: option count takes a whole number from 2 to 1000000, not '1'");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "folds: {repeats: 0}\n",
                    "s.yaml:4: option repeats takes a whole number from 1 to 100000, not '0'");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "folds:\n  seed: -1\n",
                    "s.yaml:5: option seed takes a whole number from 0, not '-1'");
    hs_study_refuse(
        STUDY_DATA STUDY_METHODS "folds: [10]\n",
        "s.yaml:4: folds needs keys and values, e.g. 'scheme: own|weka|wan|loo|file:PATH'");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "folds: {scheme: wecka}\n",
                    "s.yaml:4: there is no fold scheme 'wecka'; did you mean 'weka'?");
    hs_study_refuse(
        STUDY_DATA STUDY_METHODS "folds: {scheme: stratified}\n",
        "s.yaml:4: there is no fold scheme 'stratified'; known: own, weka, wan, loo, window:N and "
        "file:PATH");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "compare: {alpha: 0.9}\n",
                    "s.yaml:4: option alpha takes a number from 1e-12 to 0.5, not '0.9'");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "compare: {by: mean}\n",
                    "s.yaml:4: option by takes fold-mean|pooled, not 'mean'");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "compare: {one-sided: maybe}\n",
                    "s.yaml:4: option one-sided takes true or false, not 'maybe'");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "allow-violations: 2\n",
                    "s.yaml:4: option allow-violations takes true or false, not '2'");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "metrics: [gm, auroq]\n",
                    "s.yaml:4: there is no metric 'auroq'; did you mean 'auroc'?");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "metrics:\n- gm\n- gm\n",
                    "s.yaml:6: the metric gm was given before");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "metrics: [[gm]]\n",
                    "s.yaml:4: 'metrics' takes names such as gm or auroc");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "metrics: []\n",
                    "s.yaml:4: 'metrics' is empty: give at least one");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "metrics: {gm: 1}\n",
                    "s.yaml:4: 'metrics' takes a list");
}

static void test_bad_methods(void **state)
{
    (void)state;
    hs_study_refuse(STUDY_DATA "selectors:\n  - none\n  - rvp\nclassifiers: [nb]\n",
                    "s.yaml:4: there is no selector 'rvp'; did you mean 'rpv'?");
    hs_study_refuse(STUDY_DATA "selectors: [none]\nclassifiers:\n- nb\n- 'knn:neighbors=3'\n",
                    "s.yaml:5: knn has no option 'neighbors'");
    hs_study_refuse(STUDY_DATA "selectors: ['rpv:meausre=ig']\nclassifiers: [nb]\n",
                    "s.yaml:2: rpv has no option 'meausre'; did you mean 'measure'?");
    hs_study_refuse(STUDY_DATA "selectors: [none]\nclassifiers: ['knn:k=0']\n",
                    "s.yaml:3: option k takes a whole number from 1 to 1000000, not '0'");
    hs_study_refuse(STUDY_DATA "selectors: [none]\nclassifiers: ['knn:k=-1..3']\n",
                    "s.yaml:3: option k takes a whole number from 1 to 1000000, not '-1'");
    hs_study_refuse(STUDY_DATA
                    "selectors: [none, rpv,\n  'rpv:measure=lazyr']\nclassifiers: [nb]\n",
                    "s.yaml:3: the selector rpv was given before, on line 2");
    hs_study_refuse(STUDY_DATA "selectors: [none, {label: none, method: rpv}]\nclassifiers: [nb]\n",
                    "s.yaml:2: the label 'none' was given before, on line 2");
    hs_study_refuse(
        STUDY_DATA "selectors: ['shsel:threshold={0.9,0.8}',\n "
                   "'shsel:threshold=0.8..0.9/0.1']\nclassifiers: [nb]\n",
        "s.yaml:3: 'shsel:threshold=0.8..0.9/0.1' adds nothing: everything in it was given before");
    hs_study_refuse(STUDY_DATA "selectors: []\nclassifiers: [nb]\n",
                    "s.yaml:2: 'selectors' is empty: give at least one");
    hs_study_refuse(STUDY_DATA "selectors:\nclassifiers: [nb]\n",
                    "s.yaml:2: 'selectors' is empty: give at least one");
    hs_study_refuse(STUDY_DATA "selectors: {rpv: 1}\nclassifiers: [nb]\n",
                    "s.yaml:2: 'selectors' takes a list");
    hs_study_refuse(STUDY_DATA "selectors: [[rpv]]\nclassifiers: [nb]\n",
                    "s.yaml:2: a selector needs keys and values, e.g. 'label: TEXT'");
    hs_study_refuse(STUDY_DATA "selectors: [{label: x}]\nclassifiers: [nb]\n",
                    "s.yaml:2: there is no key 'method' in a selector");
    hs_study_refuse(STUDY_DATA "selectors: ['shsel:threshold=0..1/0']\nclassifiers: [nb]\n",
                    "s.yaml:2: the range 0..1/0 needs a step above 0");
    hs_study_refuse(STUDY_DATA "selectors: ['shsel:threshold={0.5']\nclassifiers: [nb]\n",
                    "s.yaml:2: a brace is not closed in 'shsel:threshold={0.5'");
    hs_study_refuse_code(
        STUDY_DATA "selectors: [none, 'shsel:threshold=0..1/0.000001']\nclassifiers: [nb]\n",
        HSEL_ELIMIT,
        "s.yaml:2: 'shsel:threshold=0..1/0.000001' stands for 1,000,001 selectors; a study "
        "holds at "
        "most 100,000");
}

static void test_bad_data(void **state)
{
    (void)state;
    hs_study_refuse("datasets: []\n" STUDY_METHODS,
                    "s.yaml:1: 'datasets' is empty: give at least one");
    hs_study_refuse("datasets: {path: a}\n" STUDY_METHODS, "s.yaml:1: 'datasets' takes a list");
    hs_study_refuse("datasets:\n  - name: a\n" STUDY_METHODS,
                    "s.yaml:2: a data set needs either a 'path' or 'generate'");
    hs_study_refuse("datasets: [{path: a, generate: ontology}]\n" STUDY_METHODS,
                    "s.yaml:1: a data set needs either a 'path' or 'generate'");
    hs_study_refuse("datasets: [[a]]\n" STUDY_METHODS,
                    "s.yaml:1: a data set needs keys and values, e.g. 'path: PATH'");
    hs_study_refuse("datasets: [{path: a, seed: 2}]\n" STUDY_METHODS,
                    "s.yaml:1: 'seed' is for generated data sets");
    hs_study_refuse("datasets: [{generate: ontology, prepare: drop-roots}]\n" STUDY_METHODS,
                    "s.yaml:1: 'prepare' is for data sets with a path, not for generated ones");
    hs_study_refuse("datasets: [{generate: ontolgy}]\n" STUDY_METHODS,
                    "s.yaml:1: there is no generator 'ontolgy'; did you mean 'ontology'?");
    hs_study_refuse("datasets:\n- path: nn/a\n  prepare: drop-rots\n" STUDY_METHODS,
                    "s.yaml:3: 'prepare' has no option 'drop-rots'; did you mean 'drop-roots'?");
    hs_study_refuse("datasets: [{path: nn/a, prepare: 'hierarchy=x'}]\n" STUDY_METHODS,
                    "s.yaml:1: the hierarchy has its own key: 'hierarchy: FILE'");
    hs_study_refuse("datasets: [{path: nn/a, prepare: [[x]]}]\n" STUDY_METHODS,
                    "s.yaml:1: 'prepare' takes options such as drop-roots or min-support=3");
    hs_study_refuse("datasets: [{path: nn/a, hierarchy: 'a,b'}]\n" STUDY_METHODS,
                    "s.yaml:1: a comma in the path of a hierarchy: nn/a,b");
    hs_study_refuse(
        "datasets:\n- nn/a\n- mm/a.csv\n" STUDY_METHODS,
        "s.yaml:3: a data set called 'a' was given before, on line 2: give one of them a name");
    hs_study_refuse("datasets: [{path: 'nn/{a,b}', name: x}]\n" STUDY_METHODS,
                    "s.yaml:1: 'name' is for one data set, but this stands for several");
    hs_study_refuse("datasets: ['${A']\n" STUDY_METHODS,
                    "s.yaml:1: '${A' is not a variable: write ${NAME} or ${NAME:-default}");
    hs_study_refuse("datasets: ['${A-b}/c']\n" STUDY_METHODS,
                    "s.yaml:1: '${A-b}' is not a variable: write ${NAME} or ${NAME:-default}");
    hs_study_refuse("datasets: ['${1}']\n" STUDY_METHODS,
                    "s.yaml:1: '${1}' is not a variable: write ${NAME} or ${NAME:-default}");
    hs_study_refuse("datasets: ['${HSEL_NOT_SET:-}']\n" STUDY_METHODS,
                    "s.yaml:1: the path is empty");
    hs_study_refuse("datasets: ['a{b']\n" STUDY_METHODS,
                    "s.yaml:1: a brace is not closed in 'a{b'");
    hs_study_refuse_code("datasets: ['nn/{0..400}{0..400}']\n" STUDY_METHODS, HSEL_ELIMIT,
                         "s.yaml:1: 160,801 data sets; a study holds at most 100,000");
}

static void test_bad_shown(void **state)
{
    (void)state;
    hs_study_refuse(STUDY_DATA
                    "selectors: [none, rpv]\nclassifiers: [nb]\ncompare: {control: rvp}\n",
                    "s.yaml:4: the control 'rvp' is not one of the selectors; did you mean 'rpv'?");
    hs_study_refuse(
        STUDY_DATA "selectors: [none]\nclassifiers: [nb, knn]\ncompare: {control: nbb}\n",
        "s.yaml:4: the control 'nbb' is not one of the classifiers; did you mean 'nb'?");
    hs_study_refuse(STUDY_DATA "selectors: [none]\nclassifiers: [nb, knn]\n"
                               "compare: {across: selectors, control: nb}\n",
                    "s.yaml:4: the control 'nb' is not one of the selectors");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "compare: {control: mr}\n",
                    "s.yaml:4: the control 'mr' is not one of the selectors");
    hs_study_refuse(
        STUDY_DATA STUDY_METHODS "best-of: {selector: none}\n",
        "s.yaml:4: 'none' is not a sweep: a sweep is a selector with braces or a range, e.g. "
        "shsel:threshold=0..1/0.1");
    hs_study_refuse(
        STUDY_DATA STUDY_METHODS "best-of: {selector: [[a]]}\n",
        "s.yaml:4: 'selector' is not a sweep: a sweep is a selector with braces or a range, e.g. "
        "shsel:threshold=0..1/0.1");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "best-of: {selector: []}\n",
                    "s.yaml:4: 'selector' is empty: give at least one");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "best-of: {metric: gm}\n",
                    "s.yaml:4: there is no key 'selector' in best-of");
    hs_study_refuse(
        STUDY_DATA "selectors: ['shsel:threshold={0,1}']\nclassifiers: [nb]\nbest-of:\n  selector: "
                   "shsel\n  metric: "
                   "acuracy\n",
        "s.yaml:6: there is no metric 'acuracy'; did you mean 'accuracy'?");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "published: {map: {none: nofs}}\n",
                    "s.yaml:4: there is no key 'file' in published");
    hs_study_refuse(
        STUDY_DATA STUDY_METHODS "published:\n  file: t.csv\n  map:\n    non: nofs\n",
        "s.yaml:7: 'non' is not a selector, classifier, data set or metric of this study; did you "
        "mean 'none'?");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "published: {file: t.csv, map: [none]}\n",
                    "s.yaml:4: 'map' needs keys and values, e.g. 'none: nofs'");
    hs_study_refuse(STUDY_DATA STUDY_METHODS "published: {file: t.csv, map: {none: }}\n",
                    "s.yaml:4: 'none' needs the name in the paper after it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_yaml),  cmocka_unit_test(test_bad_keys),
        cmocka_unit_test(test_bad_types), cmocka_unit_test(test_bad_methods),
        cmocka_unit_test(test_bad_data),  cmocka_unit_test(test_bad_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
