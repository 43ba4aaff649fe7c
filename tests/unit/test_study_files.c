/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies and the files around them: paths and globs of data sets, hierarchies beside the data,
 * study files on the disk, those that are shipped, and what docs/studies.md says about them.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/study.h"
#include "study/reading.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/study_text.h"

/* ---- data sets ---- */

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
    hs_buf_printf(&yaml, "datasets: %s\n" STUDY_METHODS, datasets);
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

/* The hierarchy stands in the folder of the data, or beside the data file. */
static void test_hierarchy_beside(void **state)
{
    (void)state;
    hs_folder folder;
    hs_study study = {0};
    hsel_error error = {0};
    char root[512], file[600], expected[600];
    const char *yaml = "datasets: [{path: '{a,one.csv}', hierarchy: h.tsv}]\n" STUDY_METHODS;
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

/* ---- study files ---- */

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
    assert_true(fputs("\xef\xbb\xbf# with a byte order mark\n" STUDY_DATA STUDY_METHODS, file) >=
                0);
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
    snprintf(message, sizeof message, "%s: more than 1048576 bytes: not a study file", path);
    assert_int_equal(hs_study_read(path, &study, &error), HSEL_ELIMIT);
    assert_string_equal(error.message, message);
    hs_folder_free(&folder);
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

/* ---- documents ---- */

/* docs/studies.md has a row for every key, with its default. */
static void test_documented(void **state)
{
    (void)state;
    static const struct {
        const char *owner;
        const hs_option *table;
    } tables[] = {{"a study", hs_top_keys},
                  {"a data set", hs_dataset_keys},
                  {"a method", hs_method_keys},
                  {"folds", hs_folds_keys},
                  {"compare", hs_compare_keys},
                  {"best-of", hs_best_keys},
                  {"published", hs_published_keys},
                  {"tune", hs_tune_keys},
                  {"rankings", hs_rankings_keys},
                  {"simulate", hs_simulate_keys},
                  {"auto", hs_auto_keys}};
    char row[160];
    size_t length;
    char *page = hs_slurp("../docs/studies.md", &length);
    assert_non_null(page);
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        snprintf(row, sizeof row, "Keys of %s", tables[t].owner);
        const char *section = strstr(page, row);
        if (!section)
            fail_msg("docs/studies.md has no \"%s\"", row);
        const hs_option *o = tables[t].table;
        for (; o->type != HS_OPT_END; o++) {
            snprintf(row, sizeof row, "\n| `%s` |", o->name);
            const char *found = strstr(section, row), *end = strstr(section, "\n\n### ");
            if (!found || (end && found > end))
                fail_msg("docs/studies.md: no row for '%s' under \"Keys of %s\"", o->name,
                         tables[t].owner);
        }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_hierarchy_beside),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_documented),
        cmocka_unit_test(test_document_example),
        cmocka_unit_test(test_shipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
