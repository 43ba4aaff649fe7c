/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Roles of columns. Every contradiction in the options (one column named for two things, nothing
 * left to be the class) is an error that names the column.
 */
#include "format/columns.h"

#include <string.h>

#include "core/mem.h"

/* The name nearest to a misspelt one, HSEL_NONE when none is near. */
static uint32_t nearest(const hs_names *names, const char *wanted)
{
    unsigned limit = strlen(wanted) < 4 ? 1 : 2;
    uint32_t best = HSEL_NONE;
    for (uint32_t i = 0; i < names->count; i++) {
        unsigned distance = hs_edit_distance(wanted, hs_names_get(names, i), limit);
        if (distance <= limit) {
            best = i;
            if (distance <= 1)
                break;
            limit = distance - 1;
        }
    }
    return best;
}

int hs_column_find(const hs_names *names, const char *wanted, const char *file, uint32_t *out,
                   hsel_error *error)
{
    uint64_t number;
    size_t length = strlen(wanted);
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
    uint32_t near = nearest(names, wanted);
    if (near != HSEL_NONE)
        return hs_fail_at(error, HSEL_EUSAGE, file, 0, "there is no column %s; did you mean %s?",
                          wanted, hs_names_get(names, near));
    return hs_fail_at(error, HSEL_EUSAGE, file, 0, "there is no column %s", wanted);
}

static const char *role_text(uint8_t role)
{
    return role == HS_COLUMN_CLASS ? "the class"
           : role == HS_COLUMN_ID  ? "the identifier"
                                   : "ignored";
}

/* Finds a column named in the options and gives it a role, once. */
static int give(const hs_names *names, const char *wanted, hs_column_role role, const char *file,
                hs_columns *columns, uint32_t *found, hsel_error *error)
{
    int status = hs_column_find(names, wanted, file, found, error);
    if (status)
        return status;
    uint8_t *has = &columns->roles[*found];
    if (*has != HS_COLUMN_FEATURE && *has != role)
        return hs_fail_at(error, HSEL_EUSAGE, file, 0, "column %s cannot be both %s and %s",
                          hs_names_get(names, *found), role_text(*has), role_text(role));
    *has = (uint8_t)role;
    return HSEL_OK;
}

static int give_named(const hs_names *names, const hs_column_options *options, const char *file,
                      hs_columns *columns, hsel_error *error)
{
    uint32_t found;
    int status = HSEL_OK;
    if (options->class_name)
        status = give(names, options->class_name, HS_COLUMN_CLASS, file, columns,
                      &columns->class_column, error);
    if (status == HSEL_OK && options->id)
        status = give(names, options->id, HS_COLUMN_ID, file, columns, &columns->id_column, error);
    for (size_t i = 0; i < options->ignore.count && status == HSEL_OK; i++)
        status =
            give(names, options->ignore.items[i], HS_COLUMN_IGNORED, file, columns, &found, error);
    return status;
}

static int give_last_as_class(const char *file, hs_columns *columns, hsel_error *error)
{
    for (uint32_t i = columns->count; i-- > 0;)
        if (columns->roles[i] == HS_COLUMN_FEATURE) {
            columns->roles[i] = HS_COLUMN_CLASS;
            columns->class_column = i;
            return HSEL_OK;
        }
    return hs_fail_at(error, HSEL_EFORMAT, file, 0,
                      "there is no column left to be the class; --no-class reads data without one");
}

/* The options without the columns that may be absent and are. */
static hs_column_options without_absent(const hs_names *names, const hs_column_options *options)
{
    hs_column_options left = *options;
    if (left.class_optional &&
        hs_names_find(names, left.class_name, strlen(left.class_name)) == HSEL_NONE) {
        left.class_name = NULL;
        left.no_class = true;
    }
    if (left.id_optional && hs_names_find(names, left.id, strlen(left.id)) == HSEL_NONE)
        left.id = NULL;
    return left;
}

int hs_columns_assign(const hs_names *names, const hs_column_options *given, uint32_t usual_id,
                      const char *file, hs_columns *out, hsel_error *error)
{
    const hs_column_options left = without_absent(names, given), *options = &left;
    *out = (hs_columns){.count = names->count, .class_column = HSEL_NONE, .id_column = HSEL_NONE};
    if (!(out->roles = HS_NEW_ZERO(uint8_t, names->count)))
        return hs_fail_memory(error);
    int status = give_named(names, options, file, out, error);
    if (status == HSEL_OK && !options->id && usual_id != HSEL_NONE &&
        out->roles[usual_id] == HS_COLUMN_FEATURE) {
        out->roles[usual_id] = HS_COLUMN_ID;
        out->id_column = usual_id;
    }
    if (status == HSEL_OK && !options->class_name && !options->no_class)
        status = give_last_as_class(file, out, error);
    if (status)
        hs_columns_clear(out);
    return status;
}

void hs_columns_clear(hs_columns *columns)
{
    hs_free(columns->roles);
    *columns = (hs_columns){0};
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
