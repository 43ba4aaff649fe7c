/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The metadata of instances, and the roles that options give to columns: of the metadata, of the
 * data, or of another table.
 */
#include "load/load.h"

#include <ctype.h>
#include <regex.h>
#include <unistd.h>

#include "format/table.h"

static const struct role {
    const char *option, *column, *usual; /* usual: the column of a file */
    bool numbers;                        /* any, also such as 1.5 */
} roles[HS_ROLES] = {{"strata", HS_ABOUT_STRATUM, "stratum", false},
                     {"groups", HS_ABOUT_GROUP, "group", false},
                     {"time", HS_ABOUT_TIME, "time", true},
                     {"test-set", HS_ABOUT_TEST, "set", false},
                     {"weights", HS_ABOUT_WEIGHT, "weight", true}};

int hs_role_of_column(const char *column)
{
    int role = 0;
    while (role < HS_ROLES && strcmp(column, roles[role].column) != 0)
        role++;
    return role;
}

bool hs_role_known(const hsel_dataset *data, int role)
{
    return hs_has_role(data, roles[role].column);
}

int hs_role_count(const hsel_dataset *data, int role, hs_role_report *out, hsel_error *error)
{
    HS_OWNS(hs_names_clear) hs_names different = {0};
    HS_OWNED uint32_t *size = HS_NEW_ZERO(uint32_t, data->instances);
    const uint32_t column = hs_about_column(&data->instance_about, roles[role].column);
    uint32_t id;
    *out = (hs_role_report){.smallest = UINT32_MAX};
    HS_NEED(size);
    for (uint32_t i = 0; column != HSEL_NONE && i < data->instances; i++) {
        const char *text = hs_about_get(&data->instance_about, i, column);
        out->without += !text;
        out->tested += role == HS_ROLE_TEST && hs_test_parse(text) == 1;
        if (!text)
            continue;
        HS_TRY(hs_names_intern(&different, text, strlen(text), &id, NULL, error));
        size[id]++;
    }
    for (uint32_t v = 0; v < different.count; v++) {
        out->smallest = size[v] < out->smallest ? size[v] : out->smallest;
        out->largest = size[v] > out->largest ? size[v] : out->largest;
    }
    out->different = different.count;
    return HSEL_OK;
}

/* ---- the metadata ---- */

int hs_role_names(const hs_load_options *options, const hs_list *more, hs_list *out,
                  hsel_error *error)
{
    const hs_list lists[] = {options->covariates, more ? *more : (hs_list){0}};
    const char *named[2 + HS_ROLES] = {options->columns.class_name, options->columns.target};
    for (int r = 0; r < HS_ROLES; r++)
        named[2 + r] = options->role[r];
    *out = (hs_list){0};
    const char **all = HS_NEW(const char *, lists[0].count + lists[1].count + 2 + HS_ROLES);
    HS_NEED(out->items = all);
    for (size_t i = 0; i < 2 + HS_ROLES; i++)
        if (named[i])
            all[out->count++] = named[i];
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l].count; i++)
            all[out->count++] = lists[l].items[i];
    return HSEL_OK;
}

int hs_metadata_load(const char *path, const char *id, const hs_load_options *options,
                     const hs_list *more, hs_names *ids, hsel_dataset *data,
                     hs_about_report *report, hsel_error *error)
{
    hs_list named;
    HS_TRY(hs_role_names(options, more, &named, error));
    HS_OWNED const char **items = named.items;
    const hs_about_how how = {.what = "instance",
                              .id = id,
                              .named = &named,
                              .unseen =
                                  options->instances_unseen && !options->metadata && !named.count};
    (void)items;
    return hs_about_load(path, &how, ids, data->instances, &data->instance_about, report, error);
}

/* ---- roles ---- */

#define MOST_EXACT 9007199254740992.0 /* 2^53; the next whole number is the same double */

/* The option by which a column has another role already; NULL: none is known. */
static const char *taken_by(const char *name, int number, const hs_load_options *now,
                            const hsel_dataset *data)
{
    if (data->class_attribute && strcmp(name, data->class_attribute) == 0)
        return data->target ? "target" : "class";
    if (data->id_attribute && strcmp(name, data->id_attribute) == 0)
        return "id";
    for (size_t i = 0; i < now->columns.ignore.count; i++)
        if (strcmp(name, now->columns.ignore.items[i]) == 0)
            return "ignore";
    for (int r = 0; r < number; r++)
        if (now->role[r] && strcmp(name, now->role[r]) == 0)
            return roles[r].option;
    return NULL;
}

/* Reads FILE or FILE:COLUMN; *column is the one that is meant. */
static int read_file(int number, const hs_load_options *now, const hsel_dataset *data,
                     hs_about *file, uint32_t *column, hsel_error *error)
{
    const struct role *role = &roles[number];
    const char *name = now->role[number], *other = taken_by(name, number, now, data);
    const char *colon = access(name, R_OK) != 0 ? strrchr(name, ':') : NULL;
    char word[HS_WORD_ROOM], other_word[HS_WORD_ROOM];
    HS_OWNED char *path = hs_strdup(name);
    hs_about_report read = {0};
    uint64_t index; /* of the column, from 1 */
    HS_NEED(path);
    hs_option_word(role->option, word);
    if (colon)
        path[colon - name] = '\0';
    if (access(path, R_OK) != 0 && other)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s: the column %.200s already belongs to %s, and has only one use", word,
                       name, hs_option_word(other, other_word));
    if (access(path, R_OK) != 0)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s: %.200s is neither a column of the data or their metadata, nor a file "
                       "that can be read%s",
                       word, name, HS_PLACE_NEAR(data, name));
    const char *wanted = colon ? colon + 1 : role->usual;
    const hs_list named = {.items = &wanted, .count = 1};
    const hs_about_how how = {.what = "instance", .named = &named};
    HS_TRY(hs_about_load(path, &how, (hs_names *)&data->ids, data->instances, file, &read, error));
    *column = hs_about_column(file, wanted);
    if (*column != HSEL_NONE || (!colon && file->columns.count == 1)) {
        *column = *column == HSEL_NONE ? 0 : *column;
        return HSEL_OK;
    }
    if (!colon)
        return hs_fail_at(
            error, HSEL_EUSAGE, path, 0,
            "%s: there are %u columns besides the identifiers; choose one: %.200s:COLUMN", word,
            file->columns.count, path);
    const bool numbered = hs_parse_u64(wanted, strlen(wanted), &index);
    if (read.id_named || (numbered && index - 1 == read.id))
        return hs_fail_at(error, HSEL_EUSAGE, path, 0, "%.200s is the column of identifiers",
                          wanted);
    if (numbered && index - 1 <= file->columns.count) {
        *column = (uint32_t)index - 1 - (index - 1 > read.id);
        return HSEL_OK;
    }
    HS_TRY(hs_names_index(&file->columns, error));
    return hs_column_find(&file->columns, wanted, path, column, error);
}

/* The instances no longer have a role. */
static int drop_role(const struct role *role, hs_about *about, hsel_error *error)
{
    char word[HS_WORD_ROOM];
    if (hs_about_column(about, role->column) == HSEL_NONE)
        return hs_fail(error, HSEL_EUSAGE, "%s: none has no effect, since the data have none",
                       hs_option_word(role->option, word));
    return hs_about_drop(about, role->column, error);
}

/* ---- groups that are found ---- */

/* Whether groups are to be found by identifiers. */
static bool is_found(const char *text)
{
    return strncmp(text, HS_PAIRS, strlen(HS_PAIRS)) == 0 ||
           strncmp(text, HS_PATTERN, strlen(HS_PATTERN)) == 0;
}

/* Stores groups, the text of each instance. HSEL_EUSAGE: all instances are in different ones. */
static int store_groups(const char *how, hs_names *texts, hsel_dataset *data, hsel_error *error)
{
    HS_OWNS(hs_about_clear) hs_about known = {.cells = *texts};
    HS_OWNS(hs_names_clear) hs_names seen = {0};
    bool added, any = false;
    *texts = (hs_names){0};
    for (uint32_t i = 0; i < known.cells.count; i++) {
        if (!hs_names_length(&known.cells, i))
            continue;
        HS_TRY(hs_names_intern(&seen, HS_NAME(&known.cells, i), &(uint32_t){0}, &added, error));
        any |= !added;
    }
    if (!any)
        return hs_fail(error, HSEL_EUSAGE,
                       "{groups=%.100s} has no effect: no two instances belong together", how);
    HS_TRY(hs_names_append_text(&known.columns, HS_ABOUT_GROUP, error));
    return hs_about_join(&data->instance_about, &known, data->instances, error);
}

/* The group of an instance is the name of the first one that it is joined with. */
static int store_joined(const char *how, uint32_t *of, hsel_dataset *data, hsel_error *error)
{
    HS_OWNS(hs_names_clear) hs_names texts = {0};
    HS_OWNED bool *several = HS_NEW_ZERO(bool, data->instances);
    char number[16];
    HS_NEED(several);
    for (uint32_t i = 0; i < data->instances; i++)
        several[hs_joined(of, i)] |= hs_joined(of, i) != i;
    for (uint32_t i = 0; i < data->instances; i++) {
        const uint32_t first = hs_joined(of, i);
        const char *id = hsel_dataset_id(data, first);
        hs_print(number, sizeof number, "#%u", first + 1);
        HS_TRY(hs_names_append_text(&texts, !several[first] ? NULL : id ? id : number, error));
    }
    return store_groups(how, &texts, data, error);
}

int hs_groups_find(const hs_load_options *options, hsel_dataset *data, hsel_error *error)
{
    const char *how = options->role[HS_ROLE_GROUPS];
    HS_OWNED uint32_t *of = NULL;
    if (!how || strcmp(how, HS_NEAR_COPIES) != 0 || hs_has_role(data, HS_ABOUT_GROUP))
        return HSEL_OK;
    HS_NEED(of = HS_NEW(uint32_t, data->instances));
    HS_TRY(hs_copies_join(data, of, error));
    return store_joined(how, of, data, error);
}

/* By the part of the identifiers before the last separator, or that a pattern matches. */
static int groups_by_pattern(const char *how, hsel_dataset *data, hsel_error *error)
{
    const char *pattern = how + strlen(HS_PATTERN);
    const bool separator = strlen(pattern) == 1 && !isalnum((unsigned char)*pattern);
    HS_OWNS(hs_names_clear) hs_names texts = {0};
    regex_t regex;
    char why[100];
    const int wrong = separator ? 0 : regcomp(&regex, pattern, REG_EXTENDED);
    int status = HSEL_OK;
    if (wrong) {
        regerror(wrong, &regex, why, sizeof why);
        return hs_fail(error, HSEL_EUSAGE, "{groups=%.100s}: %s", how, why);
    }
    for (uint32_t i = 0; i < data->instances && !status; i++) {
        const char *id = hs_names_get(&data->ids, i), *end = strrchr(id, *pattern);
        regmatch_t match[2] = {{0, end && separator ? end - id : 0}, {-1, -1}};
        if (!separator && regexec(&regex, id, 2, match, 0) != 0)
            match[0].rm_so = match[0].rm_eo = 0;
        const regmatch_t *part = &match[match[1].rm_so >= 0];
        status =
            hs_names_append(&texts, id + part->rm_so, (size_t)(part->rm_eo - part->rm_so), error);
    }
    if (!separator)
        regfree(&regex);
    HS_TRY(status);
    return store_groups(how, &texts, data, error);
}

/* By a table whose first two columns are related instances, or an instance and its family. */
static int groups_by_pairs(const char *how, hsel_dataset *data, hsel_error *error)
{
    const char *path = how + strlen(HS_PAIRS);
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    HS_OWNS(hs_table_clear) hs_table table = {0};
    HS_OWNS(hs_names_clear) hs_names names = {0};
    HS_OWNED uint32_t *of = NULL;
    size_t capacity = 0;
    const hs_field *f;
    int got;
    HS_TRY(hs_reader_open(path, &reader, error));
    HS_TRY(hs_fail_placed(error, reader, hs_table_open(reader, 0, &table, error)));
    if (table.header.count < 2)
        return hs_fail_line(error, reader, "expected two columns of related instances");
    HS_TRY(hs_names_index(&data->ids, error));
    for (uint32_t c = 0; c < 2; c++) /* a header has no identifier */
        table.held |= hs_names_find(&data->ids, HS_NAME(&table.header, c)) != HSEL_NONE;
    while ((got = hs_table_next(&table, &f, error)) > 0) {
        uint32_t id[2];
        bool added;
        for (uint32_t c = 0; c < 2 && f[0].length && f[1].length; c++) {
            HS_TRY(hs_names_intern(&names, HS_SPAN(f[c]), &id[c], &added, error));
            HS_NEED(HS_GROW(&of, &capacity, names.count));
            if (added)
                of[id[c]] = id[c];
        }
        if (f[0].length && f[1].length)
            hs_join(of, id[0], id[1]);
    }
    HS_TRY(hs_fail_placed(error, reader, got));
    /* The sets of the names become sets of instances. */
    HS_OWNED uint32_t *set = HS_NEW(uint32_t, names.count),
                      *rows = HS_NEW(uint32_t, data->instances);
    HS_NEED(set && rows);
    memset(set, 0xff, names.count * sizeof *set); /* HSEL_NONE */
    for (uint32_t i = 0; i < data->instances; i++) {
        const uint32_t name = hs_names_find(&names, HS_NAME(&data->ids, i));
        rows[i] = i;
        if (name == HSEL_NONE)
            continue;
        uint32_t *of_set = &set[hs_joined(of, name)];
        *of_set = *of_set == HSEL_NONE ? i : *of_set;
        hs_join(rows, *of_set, i);
    }
    return store_joined(how, rows, data, error);
}

static int find_groups(const char *how, hsel_dataset *data, hsel_error *error)
{
    if (!data->ids.count)
        return hs_fail(error, HSEL_EUSAGE, "{groups=%.100s} needs instances with identifiers", how);
    return strncmp(how, HS_PAIRS, strlen(HS_PAIRS)) == 0 ? groups_by_pairs(how, data, error)
                                                         : groups_by_pattern(how, data, error);
}

/* Stores a role of the instances as a column of what is known of them. */
static int take_role(int number, const hs_load_options *now, hsel_dataset **data, hsel_error *error)
{
    const struct role *role = &roles[number];
    const char *name = now->role[number];
    char word[HS_WORD_ROOM];
    hs_option_word(role->option, word);
    hs_about *about = &(*data)->instance_about;
    HS_OWNS(hs_about_clear) hs_about file = {0};
    HS_OWNS(hs_about_clear) hs_about known = {0};
    const hs_about *from = about;
    const uint32_t items = (*data)->instances;
    HS_TRY(hs_names_index(&(*data)->feature_names, error));
    hs_place at = hs_place_of(*data, name);
    const bool nowhere = at.feature == HSEL_NONE && at.column == HSEL_NONE;
    if (nowhere && strcmp(name, "none") == 0)
        return drop_role(role, about, error);
    if (nowhere && strcmp(name, HS_NEAR_COPIES) == 0 && number == HS_ROLE_GROUPS)
        return hs_role_known(*data, number) ? drop_role(role, about, error) : HSEL_OK;
    if (nowhere && number == HS_ROLE_GROUPS && is_found(name))
        return find_groups(name, *data, error);
    if (nowhere) {
        HS_TRY(read_file(number, now, *data, &file, &at.column, error));
        from = &file;
    }
    const uint32_t feature = at.feature;
    HS_TRY(hs_names_append_text(&known.columns, role->column, error));
    for (uint32_t i = 0; i < items; i++) {
        char number_text[32];
        const char *text = feature == HSEL_NONE ? hs_about_get(from, i, at.column)
                                                : hs_dataset_text(*data, feature, i, number_text);
        double value = feature == HSEL_NONE ? 0 : hs_dataset_value(*data, feature, i);
        if (feature != HSEL_NONE && (*data)->types[feature] == HSEL_NUMERIC && !isnan(value) &&
            value != rint(value) && !role->numbers)
            return hs_fail(error, HSEL_EUSAGE,
                           "%s: %.200s has the value %s, but %s must be names or whole numbers",
                           word, name, number_text, role->option);
        if (feature != HSEL_NONE && (*data)->types[feature] == HSEL_NUMERIC && !role->numbers &&
            fabs(value) >= MOST_EXACT)
            return hs_fail(
                error, HSEL_EUSAGE,
                "%s: %.200s has whole numbers of 2^53 or more, which are not exact: give "
                "a table FILE of identifier and %s, whose values are text",
                word, name, role->usual);
        if (feature == HSEL_NONE && text && hs_is_missing(text, strlen(text)))
            text = NULL;
        HS_TRY(hs_names_append_text(&known.cells, text, error));
    }
    uint32_t empty = 0;
    while (empty < items && !hs_names_length(&known.cells, empty))
        empty++;
    if (items && empty == items)
        return hs_fail(error, HSEL_EUSAGE, "%s: %.200s has no value for any instance", word, name);
    HS_TRY(hs_about_join(about, &known, items, error));
    return feature == HSEL_NONE ? HSEL_OK : hs_dataset_leave_out(data, feature, error);
}

int hs_roles_take(const hs_load_options *options, hsel_dataset **data, hsel_error *error)
{
    for (int r = 0; r < HS_ROLES; r++)
        if (options->role[r])
            HS_TRY(take_role(r, options, data, error));
    return HSEL_OK;
}
