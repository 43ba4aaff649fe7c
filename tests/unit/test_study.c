/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Study files: what they become, down to the last field, and what is said about mistakes in them.
 */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text.h"
#include "study/study.h"
#include "study/study_parts.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/oom.h"

/* ---- a study as text ---- */

static void dump_methods(const char *what, const hs_study_method *methods, size_t count,
                         hs_buf *out)
{
    for (size_t i = 0; i < count; i++) {
        const hs_study_method *m = &methods[i];
        hs_buf_printf(out, "%s %s", what, m->text);
        if (strcmp(m->label, m->text) != 0)
            hs_buf_printf(out, " [%s]", m->label);
        if (m->sweep)
            hs_buf_printf(out, " of %s [%s]%s", m->family, m->family_label, m->best ? " best" : "");
        else
            assert_string_equal(m->family, m->text);
        hs_buf_char(out, '\n');
    }
}

static void dump(const hs_study *s, hs_buf *out)
{
    hs_buf_printf(out, "%s: %s\n", s->name, s->title);
    for (size_t i = 0; i < s->dataset_count; i++) {
        const hs_study_dataset *d = &s->datasets[i];
        hs_buf_printf(out, "data %s = %s%s (%s) seed %" PRIu64 "%s\n", d->name,
                      d->path ? d->path : "generate ", d->path ? "" : d->generate, d->prepare,
                      d->seed, d->missing ? " missing" : "");
        assert_true(!d->path != !d->generate);
    }
    dump_methods("selector", s->selectors, s->selector_count, out);
    dump_methods("classifier", s->classifiers, s->classifier_count, out);
    hs_buf_printf(out, "folds %s %u x %u seed %" PRIu64 "\nmetrics", s->scheme, s->folds,
                  s->repeats, s->seed);
    for (size_t i = 0; i < s->metric_count; i++)
        hs_buf_printf(out, " %s", hs_metric_name(s->metrics[i]));
    hs_buf_printf(out, "%s\ncontrol %s alpha %g%s%s\n", s->pooled ? " pooled" : "",
                  s->control ? s->control : "-", s->alpha, s->one_sided ? " one-sided" : "",
                  s->allow_violations ? " allow-violations" : "");
    dump_methods("ranker", s->rankers, s->ranker_count, out);
    if (s->ranker_count)
        hs_buf_printf(out, "tau %d\n", (int)s->tau);
    if (s->best_of)
        hs_buf_printf(out, "best of %s by %s\n", s->best_of, hs_metric_name(s->best_metric));
    if (s->published.file)
        hs_buf_printf(out, "published %s\n", s->published.file);
    for (size_t i = 0; i < s->published.count; i++)
        hs_buf_printf(out, "  %s -> %s\n", s->published.from[i], s->published.to[i]);
}

static void expect(const char *name, const char *yaml, uint64_t jobs, const char *expected)
{
    hs_study study = {0};
    hsel_error error = {0};
    hs_buf text = {0};
    assert_ok(hs_study_parse(name, yaml, strlen(yaml), &study, &error), error);
    dump(&study, &text);
    assert_string_equal(text.text, expected);
    assert_true(hs_study_jobs(&study) == jobs);
    assert_string_equal(study.text, yaml);
    assert_string_equal(study.file, name);
    hs_buf_clear(&text);
    hs_study_clear(&study);
    assert_null(study.arena.first);
}

static void refuse_code(const char *yaml, int code, const char *message)
{
    hs_study study = {0};
    hsel_error error = {0};
    int status = hs_study_parse("s.yaml", yaml, strlen(yaml), &study, &error);
    assert_string_equal(error.message, message);
    assert_int_equal(status, code);
    assert_null(study.arena.first); /* nothing is left */
}

static void refuse(const char *yaml, const char *message)
{
    refuse_code(yaml, HSEL_EFORMAT, message);
}

/* ---- what works ---- */

/* The rest of a study, for tests of one part. */
#define DATA    "datasets: [{generate: ontology}]\n"
#define METHODS "selectors: [none]\nclassifiers: [nb]\n"

static void test_smallest(void **state)
{
    (void)state;
    expect("some/where/tiny.yaml", DATA METHODS, 10,
           "tiny: tiny\n"
           "data ontology = generate ontology () seed 1\n"
           "selector none\n"
           "classifier nb\n"
           "folds own 10 x 1 seed 1\n"
           "metrics gm auroc auprc\n"
           "control - alpha 0.05\n");
    expect("-", DATA "selectors: none\nclassifiers: nb\nmetrics: accuracy\n", 10,
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
           "classifier knn\n"
           "classifier knn:k=3 of knn:k={3,5} [knn:k={3,5}]\n"
           "classifier knn:k=5 of knn:k={3,5} [knn:k={3,5}]\n"
           "folds weka 10 x 10 seed 1\n"
           "metrics gm auroc auprc\n"
           "control rpv alpha 0.05\n"
           "best of shsel by accuracy\n"
           "published studies/published/rpv_2020.csv\n"
           "  none -> nofs\n"
           "  rpv -> rpv-lazyr\n"
           "  knn -> 1nn\n");
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

/* A folder with data sets a, b, c.x and a file; the study lies in it or beside it. */
static void make_tree(hs_folder *folder, char *root, size_t room)
{
    static const char *const names[] = {"b", "a", "c.x"};
    char path[600];
    hs_folder_new(folder);
    snprintf(root, room, "%s", folder->path);
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", root, names[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    FILE *file = fopen(hs_folder_file(folder, "one.csv"), "w");
    assert_non_null(file);
    fclose(file);
}

static void remove_tree(hs_folder *folder, const char *root)
{
    static const char *const names[] = {"b", "a", "c.x"};
    char path[600];
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", root, names[i]);
        rmdir(path);
    }
    hs_folder_free(folder);
}

/* The data sets of a study in folder `root`, with the folder's own path shown as ROOT. */
static void expect_data(const char *root, const char *datasets, const char *expected)
{
    hs_study study = {0};
    hsel_error error = {0};
    hs_buf yaml = {0}, text = {0}, file = {0};
    hs_buf_printf(&yaml, "datasets: %s\n" METHODS, datasets);
    hs_buf_printf(&file, "%s/s.yaml", root);
    assert_ok(hs_study_parse(file.text, yaml.text, yaml.length, &study, &error), error);
    for (size_t i = 0; i < study.dataset_count; i++) {
        const hs_study_dataset *d = &study.datasets[i];
        const char *at = strstr(d->path, root);
        hs_buf_printf(&text, "%s=%s%s%s;", d->name, at == d->path ? "ROOT" : "",
                      at == d->path ? d->path + strlen(root) : d->path, d->missing ? "!" : "");
    }
    assert_string_equal(text.text, expected);
    hs_study_clear(&study);
    hs_buf_clear(&yaml);
    hs_buf_clear(&text);
    hs_buf_clear(&file);
}

static void test_paths(void **state)
{
    (void)state;
    hs_folder folder;
    char root[512];
    make_tree(&folder, root, sizeof root);
    unsetenv("HSEL_TEST_DATA");
    expect_data(root, "[a, one.csv, d]", "a=ROOT/a;one=ROOT/one.csv;d=ROOT/d!;");
    expect_data(root, "a", "a=ROOT/a;");
    expect_data(root, "[{path: '*'}]", "a=ROOT/a;b=ROOT/b;c.x=ROOT/c.x;one=ROOT/one.csv;");
    expect_data(root, "[{path: '{b,a,z}'}]", "b=ROOT/b;a=ROOT/a;z=ROOT/z!;");
    expect_data(root, "[{path: '{c,one}.[xc]*'}]", "c.x=ROOT/c.x;one=ROOT/one.csv;");
    expect_data(root, "[{path: 'c.?', name: renamed}, 'c.x']", "renamed=ROOT/c.x;c.x=ROOT/c.x;");
    expect_data(root, "['${HSEL_TEST_DATA:-b}', '${HSEL_TEST_DATA:-/none}/x${HSEL_TEST_DATA:-}y']",
                "b=ROOT/b;xy=/none/xy!;");
    /* a variable that is not set stays visible, whatever else the path says */
    expect_data(root, "['${HSEL_TEST_DATA}/{p,q}']", "p=$HSEL_TEST_DATA/p!;q=$HSEL_TEST_DATA/q!;");
    expect_data(root, "['${HSEL_TEST_DATA}/*']", "$HSEL_TEST_DATA/*=$HSEL_TEST_DATA/*!;");
    /* what is set is meant from the current folder */
    setenv("HSEL_TEST_DATA", "unit", 1);
    expect_data(
        root,
        "['${HSEL_TEST_DATA}/test_study.c', '${HSEL_TEST_DATA:-x}/no', 'a/${HSEL_TEST_DATA}']",
        "test_study=unit/test_study.c;no=unit/no!;unit=ROOT/a/unit!;");
    unsetenv("HSEL_TEST_DATA");
    remove_tree(&folder, root);
}

/* A glob that finds nothing is one missing data set, called as it is written; a map may then speak
 * of names that are not known. */
static void test_unmatched(void **state)
{
    (void)state;
    expect("no/such/s.yaml",
           "datasets: ['x*', {path: '/none/[ab]', name: n}]\n" METHODS
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
           "  - {path: d, hierarchy: /abs/h.obo}\n" METHODS
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

/* The hierarchy stands in the folder of the data, or beside the data file. */
static void test_hierarchy_beside(void **state)
{
    (void)state;
    hs_folder folder;
    hs_study study = {0};
    hsel_error error = {0};
    char root[512], file[600], expected[600];
    const char *yaml = "datasets: [{path: '{a,one.csv}', hierarchy: h.tsv}]\n" METHODS;
    make_tree(&folder, root, sizeof root);
    snprintf(file, sizeof file, "%s/s.yaml", root);
    assert_ok(hs_study_parse(file, yaml, strlen(yaml), &study, &error), error);
    snprintf(expected, sizeof expected, "hierarchy=%s/a/h.tsv", root);
    assert_string_equal(study.datasets[0].prepare, expected);
    snprintf(expected, sizeof expected, "hierarchy=%s/h.tsv", root);
    assert_string_equal(study.datasets[1].prepare, expected);
    hs_study_clear(&study);
    remove_tree(&folder, root);
}

static void test_read(void **state)
{
    (void)state;
    hs_folder folder;
    hs_study study = {0};
    hsel_error error = {0};
    char message[700];
    hs_folder_new(&folder);
    const char *path = hs_folder_file(&folder, "quick.yaml");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("\xef\xbb\xbf# with a byte order mark\n" DATA METHODS, file) >= 0);
    fclose(file);
    assert_ok(hs_study_read(path, &study, &error), error);
    assert_string_equal(study.name, "quick");
    assert_string_equal(study.file, path);
    hs_study_clear(&study);
    path = hs_folder_file(&folder, "none.yaml");
    snprintf(message, sizeof message, "%s: cannot open: No such file or directory", path);
    assert_int_equal(hs_study_read(path, &study, &error), HSEL_EIO);
    assert_string_equal(error.message, message);
    path = hs_folder_file(&folder, "large.yaml");
    assert_non_null(file = fopen(path, "w"));
    for (int i = 0; i < 40000; i++)
        fputs("# a line of forty bytes, more or less ..\n", file);
    fclose(file);
    snprintf(message, sizeof message, "%s: more than 1048576 bytes: this is no study file", path);
    assert_int_equal(hs_study_read(path, &study, &error), HSEL_ELIMIT);
    assert_string_equal(error.message, message);
    hs_folder_free(&folder);
}

/* ---- what does not ---- */

static void test_bad_yaml(void **state)
{
    (void)state;
    refuse("", "s.yaml: there is nothing in it");
    refuse("# only a comment\n", "s.yaml: there is nothing in it");
    refuse("name: x\n  title: [\n",
           "s.yaml:2: not YAML: mapping values are not allowed in this context");
    refuse("name: [a, b\nselectors: c\n", "s.yaml:2: not YAML: did not find expected ',' or ']'");
    refuse("name: x\nname: y\n", "s.yaml:2: the key 'name' was given before, on line 1");
    refuse("name: x\n---\nname: y\n", "s.yaml:2: a second document; a file holds one");
    refuse("name: &a x\n", "s.yaml:1: anchors (&), aliases (*) and tags (!) have no meaning here; "
                           "quote the text if it is one");
    refuse("name: x\ndatasets: *\n",
           "s.yaml:2: not YAML: did not find expected alphabetic or numeric character");
    refuse("name: !!str x\n",
           "s.yaml:1: anchors (&), aliases (*) and tags (!) have no meaning here; "
           "quote the text if it is one");
    refuse("[a]: b\n", "s.yaml:1: a list or mapping where a key should be");
    refuse("name: \"a\\0b\"\n", "s.yaml:1: a NUL character in a text");
    refuse("name: a\ntitle: \xff\xfe\n", "s.yaml:2: not YAML: invalid leading UTF-8 octet");
    refuse("just a text\n", "s.yaml:1: a study is written as keys and values, e.g. 'name: NAME'");
    refuse("- a\n- b\n", "s.yaml:1: a study is written as keys and values, e.g. 'name: NAME'");
    refuse_code("a: [[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]\n", HSEL_ELIMIT,
                "s.yaml:1: more than 16 levels of lists and mappings");
    hs_study study = {0};
    hsel_error error = {0};
    assert_int_equal(hs_study_parse("s.yaml", "name: a\0b\n", 10, &study, &error), HSEL_EFORMAT);
    assert_string_equal(error.message, "s.yaml: not a text file: it holds NUL bytes");
}

static void test_bad_keys(void **state)
{
    (void)state;
    refuse("# a comment\n" DATA "selector: [none]\nclassifiers: [nb]\n",
           "s.yaml:3: there is no key 'selector' in a study; did you mean 'selectors'?");
    refuse(DATA METHODS "xyzzy: 1\n",
           "s.yaml:4: there is no key 'xyzzy' in a study; there are: name, title, datasets, "
           "selectors, "
           "classifiers, folds, metrics, compare, best-of, published, allow-violations, tune, rankings");
    refuse(DATA METHODS "folds:\n  count: 10\n  sceme: weka\n",
           "s.yaml:6: there is no key 'sceme' in folds; did you mean 'scheme'?");
    refuse(DATA METHODS "compare: {contorl: none}\n",
           "s.yaml:4: there is no key 'contorl' in compare; did you mean 'control'?");
    refuse(DATA METHODS "best-of: {selectr: none}\n",
           "s.yaml:4: there is no key 'selectr' in best-of; did you mean 'selector'?");
    refuse(DATA METHODS "published: {flie: x}\n",
           "s.yaml:4: there is no key 'flie' in published; did you mean 'file'?");
    refuse("datasets:\n  - path: a\n    prepair: drop-roots\n" METHODS,
           "s.yaml:3: there is no key 'prepair' in a data set; did you mean 'prepare'?");
    refuse(DATA "selectors: [{lable: A, method: none}]\nclassifiers: [nb]\n",
           "s.yaml:2: there is no key 'lable' in a selector; did you mean 'label'?");
    refuse(
        DATA "classifiers: [nb]\n",
        "s.yaml:1: there is no key 'selectors': a study needs datasets, selectors and classifiers");
    refuse(
        "title: x\n" METHODS,
        "s.yaml:1: there is no key 'datasets': a study needs datasets, selectors and classifiers");
    refuse("name:\n" DATA METHODS, "s.yaml:1: there is nothing after 'name:'");
    refuse("name: a b\n" DATA METHODS,
           "s.yaml:1: the name 'a b' should have letters, digits and . _ - only");
    refuse("name: ../x\n" DATA METHODS,
           "s.yaml:1: the name '../x' should have letters, digits and . _ - only");
    refuse("name: [a]\n" DATA METHODS, "s.yaml:1: 'name' takes one text, not a list");
    refuse("name: {a: b}\n" DATA METHODS, "s.yaml:1: 'name' takes one text, not a mapping");
}

static void test_bad_types(void **state)
{
    (void)state;
    refuse(DATA METHODS "folds: {count: ten}\n",
           "s.yaml:4: option count takes a whole number from 2 to 1000000, not 'ten'");
    refuse(DATA METHODS "folds: {count: 1}\n",
           "s.yaml:4: option count takes a whole number from 2 to 1000000, not '1'");
    refuse(DATA METHODS "folds: {repeats: 0}\n",
           "s.yaml:4: option repeats takes a whole number from 1 to 100000, not '0'");
    refuse(DATA METHODS "folds:\n  seed: -1\n",
           "s.yaml:5: option seed takes a whole number from 0, not '-1'");
    refuse(
        DATA METHODS "folds: [10]\n",
        "s.yaml:4: folds is written as keys and values, e.g. 'scheme: own|weka|wan|loo|file:PATH'");
    refuse(DATA METHODS "folds: {scheme: wecka}\n",
           "s.yaml:4: there is no fold scheme 'wecka'; did you mean 'weka'?");
    refuse(DATA METHODS "folds: {scheme: stratified}\n",
           "s.yaml:4: there is no fold scheme 'stratified'; there are own, weka, wan, loo and "
           "file:PATH");
    refuse(DATA METHODS "compare: {alpha: 0.9}\n",
           "s.yaml:4: option alpha takes a number from 1e-12 to 0.5, not '0.9'");
    refuse(DATA METHODS "compare: {by: mean}\n",
           "s.yaml:4: option by takes fold-mean|pooled, not 'mean'");
    refuse(DATA METHODS "compare: {one-sided: maybe}\n",
           "s.yaml:4: option one-sided takes true or false, not 'maybe'");
    refuse(DATA METHODS "allow-violations: 2\n",
           "s.yaml:4: option allow-violations takes true or false, not '2'");
    refuse(DATA METHODS "metrics: [gm, auroq]\n",
           "s.yaml:4: there is no metric 'auroq'; did you mean 'auroc'?");
    refuse(DATA METHODS "metrics:\n- gm\n- gm\n", "s.yaml:6: the metric gm was given before");
    refuse(DATA METHODS "metrics: [[gm]]\n", "s.yaml:4: 'metrics' takes names such as gm or auroc");
    refuse(DATA METHODS "metrics: []\n", "s.yaml:4: 'metrics' is empty: give at least one");
    refuse(DATA METHODS "metrics: {gm: 1}\n", "s.yaml:4: 'metrics' takes a list");
}

static void test_bad_methods(void **state)
{
    (void)state;
    refuse(DATA "selectors:\n  - none\n  - rvp\nclassifiers: [nb]\n",
           "s.yaml:4: there is no selector 'rvp'; did you mean 'rpv'?");
    refuse(DATA "selectors: [none]\nclassifiers:\n- nb\n- 'knn:neighbors=3'\n",
           "s.yaml:5: knn has no option 'neighbors'");
    refuse(DATA "selectors: ['rpv:meausre=ig']\nclassifiers: [nb]\n",
           "s.yaml:2: rpv has no option 'meausre'; did you mean 'measure'?");
    refuse(DATA "selectors: [none]\nclassifiers: ['knn:k=0']\n",
           "s.yaml:3: option k takes a whole number from 1 to 1000000, not '0'");
    refuse(DATA "selectors: [none]\nclassifiers: ['knn:k=-1..3']\n",
           "s.yaml:3: option k takes a whole number from 1 to 1000000, not '-1'");
    refuse(DATA "selectors: [none, rpv,\n  'rpv:measure=lazyr']\nclassifiers: [nb]\n",
           "s.yaml:3: the selector rpv was given before, on line 2");
    refuse(DATA "selectors: [none, {label: none, method: rpv}]\nclassifiers: [nb]\n",
           "s.yaml:2: the label 'none' was given before, on line 2");
    refuse(DATA "selectors: ['shsel:threshold={0.9,0.8}',\n "
                "'shsel:threshold=0.8..0.9/0.1']\nclassifiers: [nb]\n",
           "s.yaml:3: 'shsel:threshold=0.8..0.9/0.1' adds nothing: all of it was given before");
    refuse(DATA "selectors: []\nclassifiers: [nb]\n",
           "s.yaml:2: 'selectors' is empty: give at least one");
    refuse(DATA "selectors:\nclassifiers: [nb]\n",
           "s.yaml:2: 'selectors' is empty: give at least one");
    refuse(DATA "selectors: {rpv: 1}\nclassifiers: [nb]\n", "s.yaml:2: 'selectors' takes a list");
    refuse(DATA "selectors: [[rpv]]\nclassifiers: [nb]\n",
           "s.yaml:2: a selector is written as keys and values, e.g. 'label: TEXT'");
    refuse(DATA "selectors: [{label: x}]\nclassifiers: [nb]\n",
           "s.yaml:2: there is no key 'method' in a selector");
    refuse(DATA "selectors: ['shsel:threshold=0..1/0']\nclassifiers: [nb]\n",
           "s.yaml:2: the range 0..1/0 needs a step above 0");
    refuse(DATA "selectors: ['shsel:threshold={0.5']\nclassifiers: [nb]\n",
           "s.yaml:2: a brace is not closed in 'shsel:threshold={0.5'");
    refuse_code(DATA "selectors: [none, 'shsel:threshold=0..1/0.000001']\nclassifiers: [nb]\n",
                HSEL_ELIMIT,
                "s.yaml:2: 'shsel:threshold=0..1/0.000001' stands for 1,000,001 selectors; a study "
                "holds at "
                "most 100,000");
}

static void test_bad_data(void **state)
{
    (void)state;
    refuse("datasets: []\n" METHODS, "s.yaml:1: 'datasets' is empty: give at least one");
    refuse("datasets: {path: a}\n" METHODS, "s.yaml:1: 'datasets' takes a list");
    refuse("datasets:\n  - name: a\n" METHODS,
           "s.yaml:2: a data set has a 'path' or is made by 'generate': give one of them");
    refuse("datasets: [{path: a, generate: ontology}]\n" METHODS,
           "s.yaml:1: a data set has a 'path' or is made by 'generate': give one of them");
    refuse("datasets: [[a]]\n" METHODS,
           "s.yaml:1: a data set is written as keys and values, e.g. 'path: PATH'");
    refuse("datasets: [{path: a, seed: 2}]\n" METHODS,
           "s.yaml:1: 'seed' is for generated data sets");
    refuse("datasets: [{generate: ontology, prepare: drop-roots}]\n" METHODS,
           "s.yaml:1: 'prepare' is for data sets with a path, not for generated ones");
    refuse("datasets: [{generate: ontolgy}]\n" METHODS,
           "s.yaml:1: there is no generator 'ontolgy'; did you mean 'ontology'?");
    refuse("datasets:\n- path: nn/a\n  prepare: drop-rots\n" METHODS,
           "s.yaml:3: 'prepare' has no option 'drop-rots'; did you mean 'drop-roots'?");
    refuse("datasets: [{path: nn/a, prepare: 'hierarchy=x'}]\n" METHODS,
           "s.yaml:1: the hierarchy has a key of its own: 'hierarchy: FILE'");
    refuse("datasets: [{path: nn/a, prepare: [[x]]}]\n" METHODS,
           "s.yaml:1: 'prepare' takes options such as drop-roots or min-support=3");
    refuse("datasets: [{path: nn/a, hierarchy: 'a,b'}]\n" METHODS,
           "s.yaml:1: a comma in the path of a hierarchy: nn/a,b");
    refuse("datasets:\n- nn/a\n- mm/a.csv\n" METHODS,
           "s.yaml:3: a data set called 'a' was given before, on line 2: give one of them a name");
    refuse("datasets: [{path: 'nn/{a,b}', name: x}]\n" METHODS,
           "s.yaml:1: 'name' is for one data set, and this stands for several");
    refuse("datasets: ['${A']\n" METHODS,
           "s.yaml:1: '${A' is not a variable: write ${NAME} or ${NAME:-default}");
    refuse("datasets: ['${A-b}/c']\n" METHODS,
           "s.yaml:1: '${A-b}' is not a variable: write ${NAME} or ${NAME:-default}");
    refuse("datasets: ['${1}']\n" METHODS,
           "s.yaml:1: '${1}' is not a variable: write ${NAME} or ${NAME:-default}");
    refuse("datasets: ['${HSEL_NOT_SET:-}']\n" METHODS, "s.yaml:1: the path is empty");
    refuse("datasets: ['a{b']\n" METHODS, "s.yaml:1: a brace is not closed in 'a{b'");
    refuse_code("datasets: ['nn/{0..400}{0..400}']\n" METHODS, HSEL_ELIMIT,
                "s.yaml:1: 160,801 data sets; a study holds at most 100,000");
}

static void test_bad_shown(void **state)
{
    (void)state;
    refuse(DATA "selectors: [none, rpv]\nclassifiers: [nb]\ncompare: {control: rvp}\n",
           "s.yaml:4: the control 'rvp' is not one of the selectors; did you mean 'rpv'?");
    refuse(DATA "selectors: [none]\nclassifiers: [nb, knn]\ncompare: {control: nbb}\n",
           "s.yaml:4: the control 'nbb' is not one of the classifiers; did you mean 'nb'?");
    refuse(DATA "selectors: [none]\nclassifiers: [nb, knn]\n"
                "compare: {across: selectors, control: nb}\n",
           "s.yaml:4: the control 'nb' is not one of the selectors");
    refuse(DATA METHODS "compare: {control: mr}\n",
           "s.yaml:4: the control 'mr' is not one of the selectors");
    refuse(DATA METHODS "best-of: {selector: none}\n",
           "s.yaml:4: 'none' names no sweep: a sweep is a selector with braces or a range, e.g. "
           "shsel:threshold=0..1/0.1");
    refuse(
        DATA METHODS "best-of: {selector: [[a]]}\n",
        "s.yaml:4: 'selector' names no sweep: a sweep is a selector with braces or a range, e.g. "
        "shsel:threshold=0..1/0.1");
    refuse(DATA METHODS "best-of: {selector: []}\n",
           "s.yaml:4: 'selector' is empty: give at least one");
    refuse(DATA METHODS "best-of: {metric: gm}\n",
           "s.yaml:4: there is no key 'selector' in best-of");
    refuse(DATA "selectors: ['shsel:threshold={0,1}']\nclassifiers: [nb]\nbest-of:\n  selector: "
                "shsel\n  metric: "
                "acuracy\n",
           "s.yaml:6: there is no metric 'acuracy'; did you mean 'accuracy'?");
    refuse(DATA METHODS "published: {map: {none: nofs}}\n",
           "s.yaml:4: there is no key 'file' in published");
    refuse(DATA METHODS "published:\n  file: t.csv\n  map:\n    non: nofs\n",
           "s.yaml:7: 'non' is no selector, classifier, data set or metric of this study; did you "
           "mean 'none'?");
    refuse(DATA METHODS "published: {file: t.csv, map: [none]}\n",
           "s.yaml:4: 'map' is written as keys and values, e.g. 'none: nofs'");
    refuse(DATA METHODS "published: {file: t.csv, map: {none: }}\n",
           "s.yaml:4: 'none' needs the paper's word after it");
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
        {"rankings: {tau: a, ties: weka, by: [auc, lift]}\n",
         "ranker auc\nranker lift\ntau 2\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hs_study study = {0};
        hsel_error error = {0};
        hs_buf yaml = {0}, text = {0};
        hs_buf_printf(&yaml, DATA METHODS "%s", cases[i].yaml);
        assert_ok(hs_study_parse("s.yaml", yaml.text, yaml.length, &study, &error), error);
        dump(&study, &text);
        if (!strstr(text.text, cases[i].expected))
            fail_msg("%s gives\n%s", cases[i].yaml, text.text);
        hs_buf_clear(&text);
        hs_buf_clear(&yaml);
        hs_study_clear(&study);
    }
    refuse(DATA METHODS "rankings: [auc, auk]\n",
           "s.yaml:4: there is no ranker 'auk'; did you mean 'auc'?");
    refuse(DATA METHODS "rankings: [auc, auc]\n",
           "s.yaml:4: the ranker auc was given before, on line 4");
    refuse(DATA METHODS "rankings: auc\n",
           "s.yaml:4: 'rankings' has one ranker: two or more can be compared");
    refuse(DATA METHODS "rankings: {by: [auc]}\n",
           "s.yaml:4: 'by' has one ranker: two or more can be compared");
    refuse(DATA METHODS "rankings: {tau: a}\n", "s.yaml:4: there is no key 'by' in rankings");
    refuse(DATA METHODS "rankings: {by: [auc, ig], tau: c}\n",
           "s.yaml:4: option tau takes b|a, not 'c'");
    refuse(DATA METHODS "rankings: []\n", "s.yaml:4: 'rankings' is empty: give at least one");
    refuse(DATA METHODS "rankings: {rankers: [auc, ig]}\n",
           "s.yaml:4: there is no key 'rankers' in rankings; there are: by, tau, ties");
    refuse_code(DATA METHODS "rankings: ['relieff:k=1..1001']\n", HSEL_ELIMIT,
                "s.yaml:4: 1001 rankers; at most 1000 can be compared");
}

/* ---- sizes, memory, documents ---- */

static void test_jobs(void **state)
{
    (void)state;
    hs_study_dataset data[3] = {{.missing = true}, {.missing = false}, {.missing = false}};
    hs_study study = {.datasets = data,
                      .dataset_count = 3,
                      .selector_count = 5,
                      .classifier_count = 2,
                      .repeats = 3,
                      .folds = 10};
    assert_true(hs_study_jobs(&study) == 2 * 5 * 2 * 3 * 10);
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
        "rankings: {by: [auc, 'or:zero={inf,half}', {label: L, method: lift}], tau: a}\n";
    memcpy(first, example, sizeof example);
    assert_true(hs_oom_each("hs_study_parse", parse_text, first) > 50);
    assert_true(hs_oom_each("hs_study_parse", parse_text, second) > 50);
    char third[] = "datasets: [{generate: ontology}]\nselectors: shsel\nclassifiers: nb\n"
                   "tune: {metric: gm, parameters: {threshold: 0.5..1/0.01, similarity: bounds,\n"
                   "  prune: [strict, none]}}\n";
    assert_true(hs_oom_each("hs_study_parse", parse_text, third) > 15);
}

/* docs/studies.md has a row for every key, with its default. */
static void test_documented(void **state)
{
    (void)state;
    char row[160];
    size_t length;
    char *page = hs_slurp("../docs/studies.md", &length);
    assert_non_null(page);
    for (size_t t = 0; t < hs_study_key_table_count; t++) {
        snprintf(row, sizeof row, "Keys of %s", hs_study_key_tables[t].owner);
        const char *section = strstr(page, row);
        if (!section)
            fail_msg("docs/studies.md has no \"%s\"", row);
        const hs_option *o = hs_study_key_tables[t].table;
        for (; o->type != HS_OPT_END; o++) {
            snprintf(row, sizeof row, "\n| `%s` |", o->name);
            const char *found = strstr(section, row), *end = strstr(section, "\n\n### ");
            if (!found || (end && found > end))
                fail_msg("docs/studies.md: no row for '%s' under \"Keys of %s\"", o->name,
                         hs_study_key_tables[t].owner);
        }
        assert_true(o - hs_study_key_tables[t].table <= HS_STUDY_KEYS);
    }
    free(page);
}

/* The text between two marks of a page, with `from` replaced by `to`; in `out`. */
static void cut_out(const char *page, const char *from, const char *to, hs_buf *out)
{
    const char *begin = strstr(page, "```yaml\n");
    assert_non_null(begin);
    begin += strlen("```yaml\n");
    size_t length = (size_t)(strstr(begin, "```") - begin);
    const char *at = strstr(begin, from);
    assert_true(at && at < begin + length);
    hs_buf_add(out, begin, (size_t)(at - begin));
    hs_buf_text(out, to);
    hs_buf_add(out, at + strlen(from), length - (size_t)(at - begin) - strlen(from));
}

/* The study that docs/studies.md shows works, and the mistakes that it shows are told as it says.
 */
static void test_document_example(void **state)
{
    (void)state;
    static const char *const changes[][2] = {
        {"mine", "mine"}, {"method: rpv", "method: rvp"}, {"repeats:", "repeat:"}};
    size_t length;
    char *page = hs_slurp("../docs/studies.md", &length);
    assert_non_null(page);
    for (int i = 0; i < 3; i++) {
        hs_study study = {0};
        hsel_error error = {0};
        hs_buf yaml = {0};
        cut_out(page, changes[i][0], changes[i][1], &yaml);
        int status = hs_study_parse("mine.yaml", yaml.text, yaml.length, &study, &error);
        assert_int_equal(status, i ? HSEL_EFORMAT : HSEL_OK);
        if (i && !strstr(page, error.message))
            fail_msg("docs/studies.md does not show: %s", error.message);
        if (!i)
            assert_int_equal(study.selector_count, 2 + 11);
        hs_study_clear(&study);
        hs_buf_clear(&yaml);
    }
    free(page);
}

/* The studies that are shipped can be read; their methods exist; they are called like their files.
 */
static void test_shipped(void **state)
{
    (void)state;
    glob_t found = {0};
    setenv("HSEL_DATA", "/nowhere", 1);
    assert_int_equal(glob("../studies/*.yaml", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 3);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        hs_study study = {0};
        hsel_error error = {0};
        char path[128];
        assert_ok(hs_study_read(found.gl_pathv[i], &study, &error), error);
        snprintf(path, sizeof path, "../studies/%s.yaml", study.name);
        assert_string_equal(path, found.gl_pathv[i]);
        if (study.published.file)
            assert_int_equal(access(study.published.file, R_OK), 0);
        hs_study_clear(&study);
    }
    globfree(&found);
    unsetenv("HSEL_DATA");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smallest),
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_labels_and_sweeps),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_unmatched),
        cmocka_unit_test(test_prepare),
        cmocka_unit_test(test_hierarchy_beside),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_bad_yaml),
        cmocka_unit_test(test_bad_keys),
        cmocka_unit_test(test_bad_types),
        cmocka_unit_test(test_bad_methods),
        cmocka_unit_test(test_bad_data),
        cmocka_unit_test(test_bad_shown),
        cmocka_unit_test(test_rankings),
        cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_documented),
        cmocka_unit_test(test_document_example),
        cmocka_unit_test(test_shipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
