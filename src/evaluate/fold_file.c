/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading and writing fold files.
 */
#include "evaluate/fold_file.h"

#include <string.h>

#include "core/mem.h"
#include "core/reader.h"
#include "core/text.h"
#include "core/writer.h"

/* The instance that the text names: an identifier, or a number from 1 when the data set has none. */
static uint32_t find_instance(const hsel_dataset *data, const hs_names *ids, const char *text, size_t length)
{
    uint64_t number;
    if (ids->count)
        return hs_names_find(ids, text, length);
    return hs_parse_u64(text, length, &number) && number >= 1 && number <= data->instances ? (uint32_t)(number - 1)
                                                                                            : HSEL_NONE;
}

static int read_line(const hs_reader *reader, const hsel_dataset *data, const hs_names *ids, const char *line,
                     size_t length, uint32_t *fold_of, uint32_t *count, hsel_error *error)
{
    const char *tab = memchr(line, '\t', length);
    uint64_t fold;
    if (!tab)
        return hs_fail_line(error, reader, "a line is an instance, a tab and its fold");
    uint32_t instance = find_instance(data, ids, line, (size_t)(tab - line));
    if (!hs_parse_u64(tab + 1, length - (size_t)(tab + 1 - line), &fold) || fold < 1 || fold > data->instances)
        return hs_fail_line(error, reader, "'%.50s' is not a fold from 1 to %u", tab + 1, data->instances);
    if (instance == HSEL_NONE)
        return hs_fail_line(error, reader, "there is no instance '%.*s' in %s", (int)(tab - line < 100 ? tab - line : 100),
                            line, hsel_dataset_name(data));
    if (fold_of[instance] != HSEL_NONE)
        return hs_fail_line(error, reader, "instance '%.*s' has a fold already",
                            (int)(tab - line < 100 ? tab - line : 100), line);
    fold_of[instance] = (uint32_t)fold - 1;
    if (fold > *count)
        *count = (uint32_t)fold;
    return HSEL_OK;
}

static int read_lines(hs_reader *reader, const hsel_dataset *data, const hs_names *ids, uint32_t *fold_of,
                      uint32_t *count, hsel_error *error)
{
    char *line;
    size_t length;
    int got, status = HSEL_OK;
    while (status == HSEL_OK && (got = hs_reader_line(reader, &line, &length, error)) != 0) {
        if (got < 0)
            return got;
        bool header = hs_reader_line_number(reader) == 1 && hs_ends_with(line, "\tfold");
        if (length > 0 && !header)
            status = read_line(reader, data, ids, line, length, fold_of, count, error);
    }
    for (uint32_t i = 0; i < data->instances && status == HSEL_OK; i++)
        if (fold_of[i] == HSEL_NONE)
            status = hs_fail_at(error, HSEL_EFORMAT, hs_reader_name(reader), 0, "instance %u (%s) has no fold", i + 1,
                                hsel_dataset_id(data, i) ? hsel_dataset_id(data, i) : "no identifier");
    return status;
}

int hs_folds_read(const char *path, const hsel_dataset *data, hs_folds *out, hsel_error *error)
{
    hs_reader *reader = NULL;
    hs_names ids = {0};
    uint32_t count = 0, *fold_of = HS_NEW(uint32_t, data->instances);
    int status = fold_of ? hs_names_copy(&data->ids, &ids, error) : hs_fail_memory(error);
    if (status == HSEL_OK)
        status = hs_names_index(&ids, error);
    if (status == HSEL_OK)
        status = hs_reader_open(path, &reader, error);
    if (status == HSEL_OK) {
        memset(fold_of, 0xff, data->instances * sizeof *fold_of);
        status = read_lines(reader, data, &ids, fold_of, &count, error);
    }
    if (status == HSEL_OK)
        status = hs_folds_from(fold_of, data->instances, count, out, error);
    hs_reader_close(reader);
    hs_names_clear(&ids);
    hs_free(fold_of);
    return status;
}

int hs_folds_write(const hs_folds *folds, const hsel_dataset *data, const char *path, hsel_error *error)
{
    hs_writer *writer = NULL;
    int status = hs_writer_open(path, &writer, error);
    if (status)
        return status;
    hs_writer_text(writer, "instance\tfold\n");
    for (uint32_t i = 0; i < folds->instances; i++) {
        const char *id = hsel_dataset_id(data, i);
        if (id)
            hs_writer_text(writer, id);
        else
            hs_writer_u64(writer, (uint64_t)i + 1);
        hs_writer_printf(writer, "\t%u\n", folds->fold_of[i] + 1);
    }
    return hs_writer_commit(writer, error);
}
