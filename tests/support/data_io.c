/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data formats in tests: see data_io.h.
 */
#include "support/data_io.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"

static int read_and_close(const hs_method *method, hs_reader *reader,
                          const hs_column_options *options, hsel_dataset **out, hsel_error *error)
{
    static const hs_column_options none = {0};
    int status = method->format->read_data(reader, options ? options : &none, out, error);
    hs_reader_close(reader);
    return status;
}

int hs_io_read_text(const hs_method *method, const char *text, const hs_column_options *options,
                    hsel_dataset **out, hsel_error *error)
{
    hs_reader *reader = NULL;
    int status = hs_reader_open_memory("x", text, strlen(text), &reader, error);
    return status ? status : read_and_close(method, reader, options, out, error);
}

int hs_io_read_file(const hs_method *method, const char *path, const hs_column_options *options,
                    hsel_dataset **out, hsel_error *error)
{
    hs_reader *reader = NULL;
    int status = hs_reader_open(path, &reader, error);
    return status ? status : read_and_close(method, reader, options, out, error);
}

static int write_and_commit(const hs_method *method, const hsel_dataset *data, hs_writer *writer,
                            hsel_error *error)
{
    int status = method->format->write_data(data, writer, error);
    if (status) {
        hs_writer_abandon(writer);
        return status;
    }
    return hs_writer_commit(writer, error);
}

int hs_io_write_text(const hs_method *method, const hsel_dataset *data, hs_buf *out,
                     hsel_error *error)
{
    hs_writer *writer = NULL;
    int status = hs_writer_open_memory(out, &writer, error);
    return status ? status : write_and_commit(method, data, writer, error);
}

int hs_io_write_file(const hs_method *method, const hsel_dataset *data, const char *path,
                     hsel_error *error)
{
    hs_writer *writer = NULL;
    int status = hs_writer_open(path, &writer, error);
    return status ? status : write_and_commit(method, data, writer, error);
}

/* An old file is overwritten in place: some file systems wait for the disk after cutting one to
 * nothing. */
void hs_io_put(const char *path, const void *bytes, size_t length)
{
    int file = open(path, O_WRONLY | O_CREAT, 0666);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, length), length);
    assert_int_equal(ftruncate(file, (off_t)length), 0);
    assert_int_equal(close(file), 0);
}

hsel_dataset *hs_io_good(const hs_method *method, const char *text,
                         const hs_column_options *options)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    assert_ok(hs_io_read_text(method, text, options, &data, &error), error);
    assert_ok(hsel_dataset_check(data, &error), error);
    return data;
}

void hs_io_refuse(const hs_method *method, const char *text, const hs_column_options *options,
                  const char *message)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    int status = hs_io_read_text(method, text, options, &data, &error);
    hsel_dataset_free(data);
    if (!status)
        fail_msg("\"%s\" was read, but should give: %s", text, message);
    if (strcmp(error.message, message) != 0)
        fail_msg("\"%s\"\n  gives    %s\n  and not  %s", text, error.message, message);
    assert_int_equal(error.code, status);
}

const char *hs_io_row(const hsel_dataset *data, uint32_t instance)
{
    static char text[256];
    size_t count, used = 0;
    const uint32_t *row = hsel_dataset_row(data, instance, &count);
    text[0] = '\0';
    for (size_t i = 0; i < count && used + 12 < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, i ? " %u" : "%u", row[i]);
    return text;
}

double hs_io_value(const hsel_dataset *data, uint32_t instance, uint32_t feature)
{
    double *scratch = malloc(((size_t)data->instances + 1) * sizeof *scratch);
    assert_non_null(scratch);
    double value = hs_dataset_numeric(data, feature, scratch)[instance];
    free(scratch);
    return value;
}
