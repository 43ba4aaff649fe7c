/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * core/writer.c: a file appears whole or not at all, whatever goes wrong.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/reader.h"
#include "core/writer.h"
#include "support/cmocka.h"
#include "support/folder.h"
#include "support/oom.h"

static hs_folder folder;

static int set_up(void **state)
{
    (void)state;
    hs_folder_new(&folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    hs_folder_free(&folder);
    return 0;
}

static hs_writer *open_writer(const char *name)
{
    hsel_error error = {0};
    hs_writer *writer = NULL;
    assert_ok(hs_writer_open(hs_folder_file(&folder, name), &writer, &error), error);
    return writer;
}

static void check_content(const char *name, const char *expected)
{
    size_t length;
    char *text = hs_slurp(hs_folder_file(&folder, name), &length);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void test_commit(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_writer *writer = open_writer("a.txt");
    assert_string_equal(hs_writer_path(writer), folder.file);
    hs_writer_text(writer, "one ");
    hs_writer_char(writer, '2');
    hs_writer_put(writer, " three", 2);
    hs_writer_printf(writer, "%d%%, ", 5);
    hs_writer_u64(writer, UINT64_MAX);
    hs_writer_char(writer, ' ');
    hs_writer_double(writer, 0.1);
    assert_int_not_equal(access(hs_folder_file(&folder, "a.txt"), F_OK),
                         0); /* not there before commit */
    assert_ok(hs_writer_commit(writer, &error), error);
    check_content("a.txt", "one 2 t5%, 18446744073709551615 0.1");
    assert_int_equal(hs_folder_count(&folder), 1);
    struct stat info;
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat(hs_folder_file(&folder, "a.txt"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0666 & ~mask); /* as any program would make it */
}

/* Text that begins with a byte order mark is read back with it. */
static void test_byte_order_mark(void **state)
{
    (void)state;
    static const char *const names[] = {"m.txt", "m.txt.gz"};
    for (int i = 0; i < 2; i++) {
        hsel_error error = {0};
        hs_reader *reader = NULL;
        hs_writer *writer = open_writer(names[i]);
        char *line;
        size_t size;
        hs_writer_text(writer, "\xef\xbb\xbfname\n");
        assert_ok(hs_writer_commit(writer, &error), error);
        assert_ok(hs_reader_open(hs_folder_file(&folder, names[i]), &reader, &error), error);
        assert_int_equal(hs_reader_line(reader, &line, &size, &error), 1);
        assert_string_equal(line, "\xef\xbb\xbfname");
        hs_reader_close(reader);
    }
}

static void test_overwrite_or_abandon(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_writer *writer = open_writer("a.txt");
    hs_writer_text(writer, "old");
    assert_ok(hs_writer_commit(writer, &error), error);
    writer = open_writer("a.txt");
    hs_writer_text(writer, "half");
    check_content("a.txt", "old");
    hs_writer_abandon(writer);
    check_content("a.txt", "old");
    assert_int_equal(hs_folder_count(&folder), 1);
    writer = open_writer("a.txt");
    hs_writer_text(writer, "new");
    assert_ok(hs_writer_commit(writer, &error), error);
    check_content("a.txt", "new");
    hs_writer_abandon(NULL);
}

static void test_large_and_packed(void **state)
{
    (void)state;
    hsel_error error = {0};
    static const char *const names[] = {"big.txt", "big.txt.gz"};
    for (int i = 0; i < 2; i++) {
        hs_writer *writer = open_writer(names[i]);
        for (int k = 0; k < 100000; k++)
            hs_writer_printf(writer, "line %d\n", k);
        char *block = calloc(1, 300000);
        memset(block, 'x', 300000);
        hs_writer_put(writer, block, 300000);
        free(block);
        assert_ok(hs_writer_commit(writer, &error), error);
        hs_reader *reader = NULL;
        char *line, text[32];
        size_t size;
        assert_ok(hs_reader_open(hs_folder_file(&folder, names[i]), &reader, &error), error);
        for (int k = 0; k < 100000; k++) {
            assert_int_equal(hs_reader_line(reader, &line, &size, &error), 1);
            snprintf(text, sizeof text, "line %d", k);
            assert_string_equal(line, text);
        }
        assert_int_equal(hs_reader_line(reader, &line, &size, &error), 1);
        assert_int_equal(size, 300000);
        assert_int_equal(hs_reader_line(reader, &line, &size, &error), 0);
        hs_reader_close(reader);
    }
    struct stat plain, packed;
    assert_int_equal(stat(hs_folder_file(&folder, "big.txt"), &plain), 0);
    assert_int_equal(stat(hs_folder_file(&folder, "big.txt.gz"), &packed), 0);
    assert_true(packed.st_size * 3 < plain.st_size);
}

static void test_set(void **state)
{
    (void)state;
    hsel_error error = {0};
    for (int commit = 0; commit < 2; commit++) {
        hs_writer *writer = open_writer("m.mtx"), *rows = NULL, *columns = NULL;
        assert_ok(hs_writer_open_part(writer, hs_folder_file(&folder, "m.rows"), &rows, &error),
                  error);
        assert_ok(hs_writer_open_part(writer, hs_folder_file(&folder, "m.cols"), &columns, &error),
                  error);
        hs_writer_text(rows, "r");
        hs_writer_text(writer, "m");
        hs_writer_text(columns, "c");
        if (!commit) {
            hs_writer_abandon(writer);
            assert_int_equal(hs_folder_count(&folder), 0);
            continue;
        }
        assert_ok(hs_writer_commit(writer, &error), error);
        assert_int_equal(hs_folder_count(&folder), 4);
        check_content("m.mtx", "m");
        check_content("m.rows", "r");
        check_content("m.cols", "c");
    }
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(hs_folder_file(&folder, name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A set has a manifest with a hash of each file, and what is left of an older one goes; a file
 * alone has none, and takes away that of the set that it was of. */
static void test_manifest(void **state)
{
    (void)state;
    hsel_error error = {0};
    char hash[HS_HASH], text[400];
    put("m.old", "old");
    hs_writer *writer = open_writer("m.mtx"), *part = NULL;
    assert_ok(hs_writer_open_part(writer, hs_folder_file(&folder, "m 1"), &part, &error), error);
    assert_ok(hs_writer_remove(writer, hs_folder_file(&folder, "m.old"), &error), error);
    assert_ok(hs_writer_remove(writer, hs_folder_file(&folder, "m.none"), &error), error);
    hs_writer_text(writer, "abc");
    assert_int_equal(access(hs_folder_file(&folder, "m.old"), F_OK), 0);
    assert_ok(hs_writer_commit(writer, &error), error);
    assert_int_equal(hs_folder_count(&folder), 3);
    assert_ok(hs_file_hash(hs_folder_file(&folder, "m.mtx"), hash, &error), error);
    assert_string_equal(hash, "78af5f94892f3950"); /* of xxhsum -H3 */
    snprintf(
        text, sizeof text,
        "{\n  \"writer\": \"hsel " HSEL_VERSION "\",\n  \"parts\": {\n"
        "    \"m.mtx\": \"78af5f94892f3950\",\n    \"m%%201\": \"2d06800538d394c2\"\n  }\n}\n");
    check_content("m.mtx.manifest.json", text);
    writer = open_writer("m.mtx");
    assert_ok(hs_writer_commit(writer, &error), error);
    assert_int_equal(access(hs_folder_file(&folder, "m.mtx.manifest.json"), F_OK), -1);
    assert_int_equal(hs_folder_count(&folder), 2);
    assert_int_equal(hs_file_hash(hs_folder_file(&folder, "none"), hash, &error), HSEL_EIO);
}

/* What a killed process left is removed; what another one holds is not, nor is a planted link
 * followed. */
static void test_left_over(void **state)
{
    (void)state;
    hsel_error error = {0};
    put("victim", "precious");
    put(".a.txt.hsel-0", "half");
    put(".a.txt.hsel-1", "half");
    hs_writer *writer = open_writer("a.txt"), *other = open_writer("a.txt");
    assert_int_equal(hs_folder_count(&folder), 3);
    hs_writer_text(writer, "one");
    hs_writer_text(other, "other");
    assert_ok(hs_writer_commit(other, &error), error);
    check_content("a.txt", "other");
    assert_ok(hs_writer_commit(writer, &error), error);
    check_content("a.txt", "one");
    assert_int_equal(hs_folder_count(&folder), 2);
    char target[600];
    snprintf(target, sizeof target, "%s/victim", folder.path);
    assert_int_equal(symlink(target, hs_folder_file(&folder, ".a.txt.hsel-0")), 0);
    writer = open_writer("a.txt");
    hs_writer_text(writer, "two");
    assert_ok(hs_writer_commit(writer, &error), error);
    check_content("a.txt", "two");
    check_content("victim", "precious");
}

static void test_cannot_open(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_writer *writer = NULL;
    assert_int_equal(hs_writer_open("/no/such/folder/x.csv", &writer, &error), HSEL_EIO);
    assert_null(writer);
    assert_string_equal(error.message,
                        "/no/such/folder/x.csv: cannot create: No such file or directory");
    assert_int_equal(hs_writer_open("/dev/null/x.csv", &writer, &error), HSEL_EIO);
    assert_memory_equal(error.message, "/dev/null/x.csv: ", 17);
    int status = hs_writer_open(folder.path, &writer, &error); /* a folder: at once, or on commit */
    if (!status)
        status = hs_writer_commit(writer, &error);
    assert_int_equal(status, HSEL_EIO);
    assert_int_equal(hs_folder_count(&folder), 0);
}

static void test_full_device(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_writer *writer = NULL;
    assert_ok(hs_writer_open("/dev/full", &writer, &error), error);
    for (int i = 0; i < 100000; i++)
        hs_writer_text(writer, "some text\n");
    assert_int_equal(hs_writer_commit(writer, &error), HSEL_EIO);
    assert_string_equal(error.message, "/dev/full: cannot write: No space left on device");
    assert_ok(hs_writer_open("/dev/full", &writer, &error), error);
    hs_writer_text(writer, "little"); /* only seen when the buffer goes out */
    assert_int_equal(hs_writer_commit(writer, &error), HSEL_EIO);
    assert_ok(hs_writer_open("/dev/null", &writer, &error), error);
    hs_writer_text(writer, "gone");
    assert_ok(hs_writer_commit(writer, &error), error);
    struct stat info;
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode)); /* not replaced by a file */
}

/* A limit on file size stands for a full disk: the old file stays and nothing else is left. */
static void test_full_disk(void **state)
{
    (void)state;
    hsel_error error = {0};
    static const char *const names[] = {"a.txt", "a.txt.gz"};
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    for (int i = 0; i < 2; i++) {
        hs_writer *writer = open_writer(names[i]), *sibling = NULL;
        hs_writer_text(writer, "old");
        assert_ok(hs_writer_commit(writer, &error), error);
        size_t files = hs_folder_count(&folder);
        writer = open_writer(names[i]);
        assert_ok(hs_writer_open_part(writer, hs_folder_file(&folder, "a.rows"), &sibling, &error),
                  error);
        small = (struct rlimit){100000, old.rlim_max};
        signal(SIGXFSZ, SIG_IGN);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        for (uint64_t k = 0, x = 1; k < 200000; k++)
            hs_writer_u64(writer, x = x * 6364136223846793005u + 1442695040888963407u);
        int status = hs_writer_commit(writer, &error);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_int_equal(status, HSEL_EIO);
        assert_non_null(strstr(error.message, "cannot write: File too large"));
        assert_int_equal(hs_folder_count(&folder), files);
    }
    check_content("a.txt", "old");
}

static void test_memory(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_buf buf = {0};
    hs_writer *writer = NULL;
    assert_ok(hs_writer_open_memory(&buf, &writer, &error), error);
    assert_null(hs_writer_path(writer));
    for (int i = 0; i < 30000; i++)
        hs_writer_u64(writer, 7);
    assert_ok(hs_writer_commit(writer, &error), error);
    assert_int_equal(buf.length, 30000);
    for (int i = 0; i < 30000; i++)
        assert_int_equal(buf.text[i], '7');
    hs_buf_clear(&buf);
}

static int alive;

static void watch(const char *path, bool is_alive)
{
    assert_memory_equal(path, folder.path, strlen(folder.path));
    if (is_alive)
        assert_int_equal(access(path, F_OK), 0);
    alive += is_alive ? 1 : -1;
}

static void test_watch(void **state)
{
    (void)state;
    hsel_error error = {0};
    hs_writer_watch(watch);
    hs_writer *writer = open_writer("w.txt"), *sibling = NULL;
    assert_ok(hs_writer_open_part(writer, hs_folder_file(&folder, "w.x"), &sibling, &error), error);
    assert_int_equal(alive, 2);
    assert_ok(hs_writer_commit(writer, &error), error);
    assert_int_equal(alive, 0);
    hs_writer_abandon(open_writer("w.txt"));
    assert_int_equal(alive, 0);
    hs_writer_watch(NULL);
}

static int write_files(void *context, hsel_error *error)
{
    hs_writer *writer = NULL, *sibling = NULL;
    static const char *const names[] = {"o.names", "o.txt.manifest.json", "o.txt.gz.manifest.json"};
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder.path, (const char *)context);
    int status = hs_writer_open(path, &writer, error);
    if (!status && ((status = hs_writer_open_part(writer, hs_folder_file(&folder, "o.names"),
                                                  &sibling, error)) ||
                    (status = hs_writer_remove(writer, hs_folder_file(&folder, "o.old"), error))))
        hs_writer_abandon(writer);
    if (!status) {
        for (uint64_t i = 0; i < 30000; i++)
            hs_writer_u64(i % 2 ? writer : sibling, i);
        status = hs_writer_commit(writer, error);
    }
    if (status)
        assert_int_equal(hs_folder_count(&folder), 0);
    unlink(path);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(hs_folder_file(&folder, names[i]));
    return status;
}

static int write_memory(void *context, hsel_error *error)
{
    (void)context;
    hs_buf buf = {0};
    hs_writer *writer = NULL;
    int status = hs_writer_open_memory(&buf, &writer, error);
    if (!status) {
        for (uint64_t i = 0; i < 3000; i++)
            hs_writer_printf(writer, "%d ", (int)i);
        status = hs_writer_commit(writer, error);
    }
    hs_buf_clear(&buf);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    static char plain[] = "o.txt", packed[] = "o.txt.gz";
    assert_true(hs_oom_each("plain file", write_files, plain) > 2);
    assert_true(hs_oom_each("packed file", write_files, packed) > 2);
    assert_true(hs_oom_each("memory", write_memory, NULL) > 2);
}

/* Length and hash of what is put, as if it had been put at once. */
static void test_sum(void **state)
{
    char part[5000];
    uint64_t length = 0, hash[3];
    hsel_error error = {0};
    (void)state;
    memset(part, 'x', sizeof part);
    for (int way = 0; way < 3;
         way++) { /* in parts of 5000 and of 1000; the last one has a byte more */
        hs_writer *sum = NULL;
        assert_ok(hs_writer_open_sum(&sum, &error), error);
        for (int i = 0; i < (way ? 1000 : 200); i++)
            hs_writer_put(sum, part, way ? 1000 : 5000);
        hs_writer_put(sum, part, way == 2);
        hs_writer_sum(sum, &length, &hash[way]);
        assert_true(length == 1000000 + (way == 2));
        assert_ok(hs_writer_commit(sum, &error), error);
    }
    assert_true(hash[0] == hash[1] && hash[1] != hash[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum),
        cmocka_unit_test_setup_teardown(test_commit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_byte_order_mark, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_overwrite_or_abandon, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_large_and_packed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_set, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_manifest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_left_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cannot_open, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_device, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_disk, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_watch, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_out_of_memory, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
