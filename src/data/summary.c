/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The numbers of a data set and of its hierarchy, each counted from the structures themselves.
 */
#include "data/data.h"

int hs_summarise_quickly(const hsel_dataset *data, hs_summary *out, hsel_error *error)
{
    *out = (hs_summary){.instances = data->instances,
                        .features = data->features,
                        .numeric = data->numeric_count,
                        .nominal = data->nominal_count,
                        .classes = data->class_names.count,
                        .has_target = data->target != NULL,
                        .has_hierarchy = data->dag != NULL};
    for (uint32_t i = 0; i < data->instances; i++)
        out->unlabelled += !hs_has_label(data, i);
    uint32_t known = data->instances - out->unlabelled;
    if (data->target && known) {
        double squares = 0, sum = 0;
        out->target_min = INFINITY;
        out->target_max = -INFINITY;
        for (uint32_t i = 0; i < data->instances; i++)
            if (hs_has_label(data, i)) {
                out->target_min = fmin(out->target_min, data->target[i]);
                out->target_max = fmax(out->target_max, data->target[i]);
                sum += data->target[i];
            }
        out->target_mean = sum / known;
        for (uint32_t i = 0; i < data->instances; i++)
            if (hs_has_label(data, i))
                squares += pow(data->target[i] - out->target_mean, 2);
        out->target_sd = known > 1 ? sqrt(squares / (known - 1)) : 0;
    }
    for (uint32_t f = 0; f < data->features; f++)
        out->covariates += hs_is_covariate(data, f);
    for (uint32_t c = 0; c < data->numeric_count; c++)
        for (uint32_t i = 0; i < data->numeric[c].count; i++)
            out->missing += isnan(data->numeric[c].values[i]) != 0;
    for (uint32_t c = 0; c < data->nominal_count; c++)
        for (uint32_t i = 0; i < data->instances; i++)
            out->missing += data->nominal[c].codes[i] == HS_MISSING_CODE;
    for (uint32_t f = 0; f < data->features; f++) {
        if (data->types[f] != HSEL_BINARY)
            continue;
        size_t count;
        hs_column(data, f, &count);
        uint32_t support = (uint32_t)count;
        if (!out->binary || support < out->min_support)
            out->min_support = support;
        if (support > out->max_support)
            out->max_support = support;
        out->constant += support == 0 || support == data->instances;
        out->positives += support;
        out->binary++;
    }
    if (out->binary && data->instances)
        out->positive_share =
            (double)out->positives / ((double)data->instances * (double)out->binary);
    if (!data->dag)
        return HSEL_OK;
    out->edges = data->dag->edges;
    return hs_dag_shape_of(data->dag, &out->shape, error);
}

int hs_summarise(const hsel_dataset *data, hs_summary *out, hsel_error *error)
{
    HS_TRY(hs_summarise_quickly(data, out, error));
    return !data->dag ? HSEL_OK : hs_dag_count_ancestors(data->dag, &out->ancestors, error);
}

uint64_t hs_aode_edges(const hs_summary *summary, unsigned left_out)
{
    uint64_t n = summary->features;
    if (summary->binary < n)
        return 0;
    return 2 * n * n - n - left_out * summary->ancestors;
}

void hs_class_sizes(const hsel_dataset *data, uint32_t *sizes)
{
    for (uint32_t c = 0; c < data->class_names.count; c++)
        sizes[c] = 0;
    for (uint32_t i = 0; data->class_of && i < data->instances; i++)
        if (data->class_of[i] != HSEL_NONE)
            sizes[data->class_of[i]]++;
}

bool hs_positive_class_size(const hsel_dataset *data, uint32_t *positive, uint32_t *all)
{
    uint32_t sizes[2] = {0};
    if (data->class_names.count != 2 || data->positive_class >= 2 || !data->class_of)
        return false;
    hs_class_sizes(data, sizes);
    *positive = sizes[data->positive_class];
    *all = sizes[0] + sizes[1];
    return *all > 0;
}
