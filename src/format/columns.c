/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Roles of columns. Every contradiction in the options (one column named for two things, nothing
 * left to be the class) is an error that names the column.
 */
#include "format/columns.h"

#include <assert.h>
#include <string.h>

#include "core/mem.h"

int hs_column_find(const hs_names *names, const char *wanted, const char *file, uint32_t *out,
                   hsel_error *error)
{
    uint64_t number;
    size_t length = strlen(wanted);
    assert(names->slots || !names->count);
    *out = hs_names_find(names, wanted, length);
    if (*out != HSEL_NONE)
        return HSEL_OK;
    if (hs_parse_u64(wanted, length, &number)) {
        if (number == 0 || number > names->count)
            return hs_fail_at(error, HSEL_EUSAGE, file, 0,
                              "there is no column %s; columns are numbered from 1 to %u", wanted,
                              names->count);
        *out = (uint32_t)(number - 1);
        return HSEL_OK;
    }
    /* The name nearest to a misspelt one: the first that is one edit away, else two. */
    unsigned limit = length < 4 ? 1 : 2;
    uint32_t near = HSEL_NONE;
    for (uint32_t i = 0; i < names->count && limit; i++) {
        unsigned distance = hs_edit_distance(wanted, hs_names_get(names, i), limit);
        if (distance <= limit) {
            near = i;
            limit = distance > 1 ? distance - 1 : 0;
        }
    }
    return near == HSEL_NONE
               ? hs_fail_at(error, HSEL_EUSAGE, file, 0, "there is no column %s", wanted)
               : hs_fail_at(error, HSEL_EUSAGE, file, 0, "there is no column %s; did you mean %s?",
                            wanted, hs_names_get(names, near));
}

/* Finds a column named in the options (NULL: it is not) and gives it a role, once. */
static int give(const hs_names *names, const char *wanted, hs_column_role role, const char *file,
                hs_columns *columns, uint32_t *found, hsel_error *error)
{
    static const char *const titles[] = {[HS_COLUMN_CLASS] = "the class",
                                         [HS_COLUMN_ID] = "the identifier",
                                         [HS_COLUMN_IGNORED] = "ignored"};
    if (!wanted)
        return HSEL_OK;
    HS_TRY(hs_column_find(names, wanted, file, found, error));
    uint8_t *has = &columns->roles[*found];
    if (*has != HS_COLUMN_FEATURE && *has != role)
        return hs_fail_at(error, HSEL_EUSAGE, file, 0, "column %s cannot be both %s and %s",
                          hs_names_get(names, *found), titles[*has], titles[role]);
    *has = (uint8_t)role;
    return HSEL_OK;
}

int hs_columns_assign(const hs_names *names, const hs_column_options *options, uint32_t usual_id,
                      const char *file, hs_columns *out, hsel_error *error)
{
    HS_OWNS(hs_columns_clear)
    hs_columns columns = {.roles = HS_NEW_ZERO(uint8_t, names->count),
                          .count = names->count,
                          .class_column = HSEL_NONE,
                          .id_column = HSEL_NONE};
    const char *label = options->class_name, *id = options->id;
    uint32_t found;
    *out = (hs_columns){0};
    HS_NEED(columns.roles);
    /* Columns that may be absent, and are. */
    bool no_class =
        options->class_optional && hs_names_find(names, label, strlen(label)) == HSEL_NONE;
    if (no_class)
        label = NULL;
    if (options->id_optional && hs_names_find(names, id, strlen(id)) == HSEL_NONE)
        id = NULL;
    HS_TRY(give(names, label, HS_COLUMN_CLASS, file, &columns, &columns.class_column, error));
    HS_TRY(give(names, id, HS_COLUMN_ID, file, &columns, &columns.id_column, error));
    for (size_t i = 0; i < options->ignore.count; i++)
        HS_TRY(give(names, options->ignore.items[i], HS_COLUMN_IGNORED, file, &columns, &found,
                    error));
    if (!id && usual_id != HSEL_NONE && columns.roles[usual_id] == HS_COLUMN_FEATURE) {
        columns.roles[usual_id] = HS_COLUMN_ID;
        columns.id_column = usual_id;
    }
    if (!label && !no_class && !options->no_class) {
        uint32_t last = columns.count;
        while (last > 0 && columns.roles[last - 1] != HS_COLUMN_FEATURE)
            last--;
        if (!last)
            return hs_fail_at(
                error, HSEL_EFORMAT, file, 0,
                "there is no column left to be the class; --no-class reads data without one");
        columns.roles[last - 1] = HS_COLUMN_CLASS;
        columns.class_column = last - 1;
    }
    *out = columns;
    columns.roles = NULL;
    return HSEL_OK;
}

void hs_columns_clear(hs_columns *columns)
{
    hs_free(columns->roles);
    *columns = (hs_columns){0};
}

int hs_columns_describe(const hs_columns *columns, const hs_names *names, const char *relation,
                        const hs_column_options *options, hs_builder *builder, hsel_error *error)
{
    uint32_t label = columns->class_column, id = columns->id_column;
    HS_TRY(hs_builder_describe(builder, relation,
                               label == HSEL_NONE ? NULL : hs_names_get(names, label),
                               id == HSEL_NONE ? NULL : hs_names_get(names, id), error));
    return options->positive ? hs_builder_positive_class(builder, options->positive, error)
                             : HSEL_OK;
}

int hs_binary_word(const char *text, size_t length, hs_word_pair *pair)
{
    static const char *const words[][2] = {[HS_PAIR_0_1] = {"0", "1"},
                                           [HS_PAIR_NO_YES] = {"no", "yes"},
                                           [HS_PAIR_FALSE_TRUE] = {"false", "true"},
                                           [HS_PAIR_N_Y] = {"n", "y"},
                                           [HS_PAIR_F_T] = {"f", "t"}};
    if (length == 0 || length > 5)
        return -1;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        for (int sign = 0; sign < 2; sign++)
            if (hs_equal_nocase(text, length, words[i][sign])) {
                *pair = (hs_word_pair)i;
                return sign;
            }
    return -1;
}
