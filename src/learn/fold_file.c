/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading and writing fold files. Every instance has exactly one line, and every fold at least one
 * instance.
 */
#include "learn/fold_file.h"

#define BY_ID     "instance\tfold"
#define BY_NUMBER "number\tfold"

/* ---- reading ---- */

struct source {
    hs_reader *reader;
    const hsel_dataset *data;
    hs_names ids; /* indexed; empty: lines name numbers */
    uint32_t *fold_of, count;
};

static void source_clear(struct source *source)
{
    hs_reader_close(source->reader);
    hs_names_clear(&source->ids);
    hs_free(source->fold_of);
}

static int take_line(struct source *source, const char *line, size_t length, hsel_error *error)
{
    size_t name = length;
    uint32_t instances = source->data->instances, instance = HSEL_NONE;
    uint64_t fold, number;
    while (name > 0 && line[name - 1] != '\t') /* an identifier may hold tabs itself */
        name--;
    if (!name--)
        return hs_fail_line(error, source->reader, "expected an instance, a tab and its fold");
    const char *tab = line + name;
    int shown = name < 100 ? (int)name : 100;
    if (source->ids.count)
        instance = hs_names_find(&source->ids, line, name);
    else if (hs_parse_u64(line, name, &number) && number >= 1 && number <= instances)
        instance = (uint32_t)(number - 1);
    if (!hs_parse_u64(tab + 1, length - name - 1, &fold) || fold < 1 || fold > instances)
        return hs_fail_line(error, source->reader, "'%.50s' is not a fold from 1 to %u", tab + 1,
                            instances);
    if (instance == HSEL_NONE)
        return hs_fail_line(error, source->reader, "there is no instance '%.*s' in %s", shown, line,
                            hsel_dataset_name(source->data));
    if (source->fold_of[instance] != HSEL_NONE)
        return hs_fail_line(error, source->reader, "instance '%.*s' already has a fold", shown,
                            line);
    source->fold_of[instance] = (uint32_t)fold - 1;
    source->count = fold > source->count ? (uint32_t)fold : source->count;
    return HSEL_OK;
}

int hs_folds_read(const char *path, const hsel_dataset *data, hs_folds *out, hsel_error *error)
{
    HS_OWNS(source_clear) struct source source = {.data = data};
    hsel_error inner = {0};
    char *line;
    size_t length;
    int got;
    HS_TRY(hs_folds_check(data, error));
    HS_NEED(source.fold_of = hs_new_none(data->instances));
    HS_TRY(hs_names_copy(&data->ids, &source.ids, error));
    HS_TRY(hs_names_index(&source.ids, error));
    HS_TRY(hs_reader_open(path, &source.reader, error));
    while ((got = hs_reader_line(source.reader, &line, &length, error)) != 0) {
        bool first = hs_reader_line_number(source.reader) == 1;
        if (got < 0)
            return got;
        if (first && strcmp(line, BY_NUMBER) == 0)
            hs_names_clear(&source.ids);
        else if (length > 0 && !(first && hs_ends_with(line, "\tfold")))
            HS_TRY(take_line(&source, line, length, error));
    }
    /* Are all instances there, and all folds? */
    const char *file = hs_reader_name(source.reader);
    for (uint32_t i = 0; i < data->instances; i++)
        if (source.fold_of[i] == HSEL_NONE && source.ids.count)
            return hs_fail_at(error, HSEL_EFORMAT, file, 0, "instance %u (%.200s) has no fold",
                              i + 1, hsel_dataset_id(data, i));
        else if (source.fold_of[i] == HSEL_NONE)
            return hs_fail_at(error, HSEL_EFORMAT, file, 0, "instance %u has no fold", i + 1);
    if (source.count < 2)
        return hs_fail_at(error, HSEL_EFORMAT, file, 0,
                          "cross-validation needs at least two folds");
    int status = hs_folds_from(source.fold_of, data->instances, source.count, out, &inner);
    if (status == HSEL_EUSAGE)
        return hs_fail_as(error, HSEL_EFORMAT, file, 0, "", &inner);
    if (status)
        return hs_fail_memory(error);
    status = hs_folds_respect_design(out, data, out->count, error);
    if (status)
        hs_folds_clear(out);
    return status;
}

/* ---- writing ---- */

int hs_folds_write(const hs_folds *folds, const hsel_dataset *data, const char *path,
                   hsel_error *error)
{
    HS_OWNS(hs_names_clear) hs_names seen = {0};
    hs_writer *writer = NULL;
    bool by_id = data->ids.count > 0, added = true;
    uint32_t id;
    if (folds->past || folds->start[folds->count] < folds->instances)
        return hs_fail(error, HSEL_EUSAGE,
                       "folds in time and test sets cannot be written: in a fold file every "
                       "instance is tested, and each fold is trained on all others");
    /* Whether the identifiers can identify the instances: all different, without line ends. */
    for (uint32_t i = 0; i < data->ids.count && by_id; i++) {
        const char *text = hs_names_get(&data->ids, i);
        HS_TRY(hs_names_intern(&seen, text, strlen(text), &id, &added, error));
        by_id = added && !strpbrk(text, "\r\n");
    }
    HS_TRY(hs_writer_open(path, &writer, error));
    hs_writer_text(writer, by_id ? BY_ID "\n" : BY_NUMBER "\n");
    for (uint32_t i = 0; i < folds->instances; i++) {
        if (by_id)
            hs_writer_text(writer, hsel_dataset_id(data, i));
        else
            hs_writer_u64(writer, (uint64_t)i + 1);
        hs_writer_printf(writer, "\t%u\n", folds->fold_of[i] + 1);
    }
    return hs_writer_commit(writer, error);
}

/* ---- by name ---- */

static const char *const scheme_words[] = {[HS_FOLDS_OWN] = "own",
                                           [HS_FOLDS_WEKA] = "weka",
                                           [HS_FOLDS_WAN] = "wan",
                                           [HS_FOLDS_LOO] = "loo",
                                           [HS_FOLDS_WINDOW] = "window"};
#define SCHEMES (sizeof scheme_words / sizeof scheme_words[0])

bool hs_fold_scheme_parse(const char *text, hs_fold_scheme *scheme, uint64_t *seed)
{
    size_t length = strcspn(text, ":"), i = 0;
    uint64_t given;
    while (i < SCHEMES &&
           (strlen(scheme_words[i]) != length || memcmp(scheme_words[i], text, length) != 0))
        i++;
    if (i == SCHEMES)
        return false;
    *scheme = (hs_fold_scheme)i;
    if (text[length] == '\0')
        return i != HS_FOLDS_WINDOW;
    if (i == HS_FOLDS_LOO || !hs_parse_u64(text + length + 1, strlen(text + length + 1), &given))
        return false;
    *seed = given;
    return true;
}

int hs_folds_choose(const char *scheme, const hsel_dataset *data, uint32_t count, uint64_t seed,
                    hs_folds *out, hsel_error *error)
{
    hs_fold_scheme parsed;
    if (strncmp(scheme, "file:", 5) == 0)
        return hs_folds_read(scheme + 5, data, out, error);
    if (hs_fold_scheme_parse(scheme, &parsed, &seed))
        return hs_folds_make(data, parsed, count, seed, out, error);
    if (strncmp(scheme, "window", 6) == 0)
        return hs_fail(error, HSEL_EUSAGE,
                       "the fold scheme window needs the number of training blocks, e.g. window:3");
    int nearest = hs_nearest(scheme, scheme_words, SCHEMES);
    if (nearest >= 0)
        return hs_fail(error, HSEL_EUSAGE, "there is no fold scheme '%.80s'; did you mean '%s'?",
                       scheme, scheme_words[nearest]);
    return hs_fail(
        error, HSEL_EUSAGE,
        "there is no fold scheme '%.80s'; known: own, weka, wan, loo, window:N and file:PATH",
        scheme);
}
