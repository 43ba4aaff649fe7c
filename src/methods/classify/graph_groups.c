/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading groups of features.
 */
#include "classify/graph_groups.h"

#include "format/table.h"

void hs_groups_clear(hs_groups *g)
{
    hs_names_clear(&g->names);
    HS_FREE(g->weight, g->group, g->feature);
    *g = (hs_groups){0};
}

int hs_groups_read(const char *path, const hs_names *features, hs_groups *out, hsel_error *error)
{
    HS_OWNS(hs_reader_release) hs_reader *reader = NULL;
    HS_OWNS(hs_names_clear) hs_names seen = {0}; /* pairs, as "group feature" */
    HS_OWNS(hs_table_clear) hs_table table = {.quoting = HS_NOT_QUOTED};
    size_t weights = 0, pairs = 0, more = 0;
    int status;
    *out = (hs_groups){0};
    HS_TRY(hs_reader_open(path, &reader, error));
    table.reader = reader;
    while ((status = hs_table_line(&table, error)) > 0) {
        uint32_t id, at;
        bool is_new;
        double value = NAN;
        table.delimiter = strchr(table.text, '\t') ? '\t' : ',';
        HS_TRY(hs_table_split(&table, error));
        const hs_field *group = table.fields, *feature = group + 1, *weight = group + 2;
        if (*group->text == '#')
            continue;
        if (table.count < 2 || table.count > 3 || !group->length || !feature->length)
            return hs_fail_line(
                error, reader,
                "expected a group, a feature and optionally a weight, separated by tabs or commas");
        if (table.count == 3 && weight->length &&
            !(hs_parse_double(weight->text, weight->length, &value) && value >= 0 && value <= 1e9))
            return hs_fail_line(error, reader,
                                "the weight of a group must be a number of 0 or more, not '%.60s'",
                                weight->text);
        if ((at = hs_names_find(features, feature->text, feature->length)) == HSEL_NONE)
            return hs_fail_line(error, reader, "there is no feature '%.200s' in the data",
                                feature->text);
        HS_TRY(hs_names_intern(&out->names, group->text, group->length, &id, &is_new, error));
        HS_NEED(HS_GROW(&out->weight, &weights, out->names.count));
        if (is_new)
            out->weight[id] = NAN;
        if (!isnan(value) && !isnan(out->weight[id]) && value != out->weight[id])
            return hs_fail_line(error, reader, "group %.200s has the weight %g here and %g before",
                                group->text, value, out->weight[id]);
        out->weight[id] = isnan(value) ? out->weight[id] : value;
        HS_OWNS(hs_buf_clear) hs_buf pair = {0};
        hs_buf_printf(&pair, "%u %u", id, at);
        HS_NEED(!pair.failed);
        HS_TRY(hs_names_intern(&seen, pair.text, pair.length, &(uint32_t){0}, &is_new, error));
        if (!is_new)
            return hs_fail_line(error, reader, "group %.200s has feature %.200s twice", group->text,
                                feature->text);
        HS_NEED(HS_GROW(&out->group, &pairs, out->pairs + 1) &&
                HS_GROW(&out->feature, &more, out->pairs + 1));
        out->group[out->pairs] = id;
        out->feature[out->pairs++] = at;
    }
    for (uint32_t g = 0; g < out->names.count; g++)
        out->weight[g] = isnan(out->weight[g]) ? 1 : out->weight[g];
    if (status == 0 && out->pairs == 0)
        return hs_fail(error, HSEL_EFORMAT,
                       "%s has no groups: each line has a group, a feature and optionally a weight",
                       path);
    return status;
}
