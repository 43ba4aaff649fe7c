/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which test is used for which feature.
 *
 *     binary    Fisher's exact test (more than two classes: Freeman and Halton, by random tables if
 *               there are too many; with a tail: the positive class against the rest), chi-squared
 *               or G. Within strata: Fisher's test (more than two classes: each against the rest,
 *               the smallest p times their number), or Cochran, Mantel and Haenszel.
 *     numeric   ranks: Mann-Whitney, Kruskal-Wallis, within strata van Elteren. If few values
 * differ or a class is rare: all permutations, each class against the rest. Or means: Welch.
 *
 * O(K) and the sums of Fisher's tails, O(positive values) with strata; numeric O(n log n).
 */
#include "infer/p_values.h"

#define TABLES UINT64_C(100000)

static int p_values_check(const hs_p_sample *s, hsel_error *error)
{
    const hs_p_options *o = &s->options;
    if (o->test != HS_P_FISHER && (o->tail != HS_TAIL_BOTH || o->mid))
        return hs_fail(error, HSEL_EUSAGE, "tail and mid are for test=fisher");
    if (o->mid && o->tail == HS_TAIL_BOTH && s->classes > 2)
        return hs_fail(error, HSEL_EUSAGE, "mid is for two classes, or with a tail");
    if (s->stratified && (o->test == HS_P_CHI2 || o->test == HS_P_G))
        return hs_fail(error, HSEL_EUSAGE,
                       "%s has strata: tests within strata are fisher and cmh, not %s",
                       hsel_dataset_name(s->training->view.data), o->test == HS_P_G ? "g" : "chi2");
    if (s->stratified && o->means && !o->permutations)
        return hs_fail(
            error, HSEL_EUSAGE,
            "means can be compared within strata only by permutations: give {permutations=10000}");
    if (s->stratified && o->permutations && o->test == HS_P_FISHER)
        return hs_fail(error, HSEL_EUSAGE, "permutations within strata require the test cmh");
    if (!s->stratified && o->test == HS_P_CMH)
        return hs_fail(error, HSEL_EUSAGE,
                       "the test cmh needs strata, but %s has none: give their column by {strata}",
                       hsel_dataset_name(s->training->view.data));
    if (o->test == HS_P_CMH && s->classes != 2)
        return hs_fail(error, HSEL_EUSAGE, "the test cmh is for two classes, but there are %u",
                       s->classes);
    if (o->permutations && o->test == HS_P_FISHER && o->tail == HS_TAIL_BOTH && s->classes > 2)
        return hs_fail(error, HSEL_EUSAGE,
                       "permutations of %u classes require the test chi2 or g, not fisher",
                       s->classes);
    return HSEL_OK;
}

int hs_p_sample_init(const hs_training *training, const hs_p_options *options, hs_p_sample *s,
                     hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    const uint32_t column = hs_about_column(&data->instance_about, HS_ABOUT_STRATUM);
    HS_OWNS(hs_names_clear) hs_names names = {0};
    uint32_t all;
    *s = (hs_p_sample){.training = training,
                       .options = *options,
                       .classes = training->counts->classes,
                       .one = data->positive_class,
                       .strata = 1,
                       .stratified = column != HSEL_NONE};
    if (options->test == HS_P_AUTO)
        s->options.test = s->stratified && options->permutations ? HS_P_CMH : HS_P_FISHER;
    HS_TRY(p_values_check(s, error));
    HS_TRY(hs_training_rows(training, true, &s->rows, &all, error));
    s->class_of = HS_NEW(uint32_t, all);
    s->cell = HS_NEW(uint32_t, all);
    HS_OWNED uint32_t *stratum = HS_NEW(uint32_t, all);
    HS_NEED(s->class_of && s->cell && stratum);
    for (uint32_t i = 0; i < all; i++) {
        const uint32_t row = s->rows[i];
        const char *text = hs_about_get(&data->instance_about, row, column);
        bool added;
        stratum[s->count] = 0;
        if (text)
            HS_TRY(hs_names_intern(&names, text, strlen(text), &stratum[s->count], &added, error));
        s->left_out += s->stratified && !text;
        if (s->stratified && !text)
            continue;
        s->rows[s->count] = row;
        s->class_of[s->count++] = data->class_of[row];
    }
    if (s->stratified)
        s->strata = names.count ? names.count : 1;
    HS_NEED(s->size = HS_NEW_ZERO(uint32_t, (size_t)s->strata * s->classes));
    for (uint32_t i = 0; i < s->count; i++)
        s->size[s->cell[i] = stratum[i] * s->classes + s->class_of[i]]++;
    const hs_view rows = {.data = data, .rows = s->rows, .row_count = s->count};
    HS_TRY(hs_exchange_init(&rows, stratum, s->class_of, &s->exchange, error));
    if (options->permutations && s->exchange.spans)
        return hs_fail(error, HSEL_EUSAGE,
                       "groups of %s are in several strata, so that permutations within strata "
                       "would split them: omit {strata} or {groups}",
                       hsel_dataset_name(data));
    return hs_sparse_group(s->strata, stratum, NULL, s->count, &s->by_stratum, error);
}

void hs_p_sample_clear(hs_p_sample *s)
{
    hs_sparse_clear(&s->by_stratum);
    hs_exchange_clear(&s->exchange);
    HS_FREE(s->rows, s->class_of, s->cell, s->size);
    *s = (hs_p_sample){0};
}

int hs_p_of_counts(const hs_p_sample *s, const uint32_t *positive, const uint32_t *size, double *p,
                   bool *estimated, hsel_error *error)
{
    const hs_count_table cells = {positive, size, s->classes};
    uint32_t drawn = 0, all = 0;
    double se;
    if (s->options.test == HS_P_CMH) {
        *p = hs_p_cmh(positive, size, s->strata);
    } else if (s->options.test == HS_P_CHI2) {
        *p = hs_p_chi2(&cells);
    } else if (s->options.test == HS_P_G) {
        *p = hs_p_g(&cells);
    } else if (s->stratified) {
        double least = 1;
        const bool each = s->options.tail == HS_TAIL_BOTH && s->classes > 2;
        for (uint32_t c = each ? 0 : s->one; c < (each ? s->classes : s->one + 1); c++) {
            HS_TRY(hs_p_strata(&cells, s->strata, c, (hs_tail)s->options.tail, s->options.mid, p,
                               error));
            least = fmin(least, *p);
        }
        *p = each ? fmin(1, s->classes * least) : least;
    } else if (s->options.tail == HS_TAIL_BOTH && s->classes > 2) {
        HS_TRY(hs_p_halton(&cells, TABLES, s->training->seed, p, &se, error));
        if (estimated)
            *estimated = se > 0;
    } else {
        for (uint32_t c = 0; c < s->classes; c++) {
            drawn += positive[c];
            all += size[c];
        }
        *p = hs_p_fisher(all, size[s->one], drawn, positive[s->one], (hs_tail)s->options.tail,
                         s->options.mid);
    }
    return HSEL_OK;
}

/* Is an expected count of the feature and a class below 5? Then the chi-squared distribution, which
 * fisher does without, may give p-values that are far too small. */
static bool is_rough(const hs_p_sample *s, const uint32_t *positive)
{
    if (s->options.test == HS_P_FISHER || s->options.permutations)
        return false;
    for (uint32_t c = 0; c < s->classes; c++) {
        double expected = 0, size = 0;
        for (uint32_t k = 0; k < s->strata; k++) {
            const size_t from = (size_t)k * s->classes;
            double all = 0, with = 0;
            for (uint32_t d = 0; d < s->classes; d++) {
                all += s->size[from + d];
                with += positive[from + d];
            }
            expected += all > 0 ? s->size[from + c] * with / all : 0;
            size += s->size[from + c];
        }
        if (size > 0 && fmin(expected, size - expected) < 5)
            return true;
    }
    return false;
}

int hs_p_of_values(const hs_p_sample *s, const double *values, const uint32_t *class_of, double *p,
                   bool *rough, hsel_error *error)
{
    const uint32_t last = s->classes > 2 ? s->classes : 1;
    double least = 1;
    hs_p_by by = HS_BY_NORMAL;
    bool any = s->stratified;
    if (!s->options.means && (s->stratified || !s->options.permutations)) {
        for (uint32_t c = 0; c < last; c++) {
            HS_TRY(hs_p_elteren(values, class_of, &s->by_stratum, c, p,
                                s->options.permutations ? NULL : &by, error));
            least = fmin(least, *p);
            any |= by == HS_BY_WAYS;
            if (rough)
                *rough |= by == HS_BY_NORMAL_ROUGH;
        }
        *p = fmin(1, last * least);
        if (any)
            return HSEL_OK;
    }
    return (s->options.means ? hs_p_means : hs_p_ranks)(values, class_of, s->count, s->classes, p,
                                                        error);
}

uint32_t hs_p_least(const hs_p_sample *s)
{
    return s->options.min_present > 0 ? (uint32_t)fmax(3, ceil(s->options.min_present * s->count))
                                      : 0;
}

/* The amount that stands for absent in each instance of the sample, per level, as clr writes 0: the
 * smallest amount, if two or more features of the level have it; else NaN. */
static int find_absent(const hs_p_sample *s, uint32_t *of_level, double **absent, hsel_error *error)
{
    const hsel_dataset *data = s->training->view.data;
    uint32_t levels = 0;
    HS_TRY(hs_amount_levels(data, of_level, error));
    for (uint32_t f = 0; f < data->features; f++)
        levels = of_level[f] != HSEL_NONE && of_level[f] >= levels ? of_level[f] + 1 : levels;
    const size_t cells = (size_t)levels * s->count;
    HS_OWNED bool *shared = HS_NEW_ZERO(bool, cells);
    HS_OWNED double *scratch = HS_NEW(double, data->instances);
    *absent = HS_NEW(double, cells);
    HS_NEED(shared && scratch && *absent);
    for (size_t i = 0; i < cells; i++)
        (*absent)[i] = INFINITY;
    for (uint32_t f = 0; f < data->features; f++) {
        if (of_level[f] == HSEL_NONE)
            continue;
        const double *values = hs_dataset_numeric(data, f, scratch);
        const size_t start = (size_t)of_level[f] * s->count;
        for (uint32_t i = 0; i < s->count; i++) {
            const double value = values[s->rows[i]], least = (*absent)[start + i];
            if (value <= least) { /* not NaN */
                shared[start + i] = value == least;
                (*absent)[start + i] = value;
            }
        }
    }
    for (size_t i = 0; i < cells; i++)
        if (!shared[i])
            (*absent)[i] = NAN;
    return HSEL_OK;
}

/* absent NULL: the feature is not an amount, or all are tested. */
static hsel_p_status kind_of(const hs_p_sample *s, const double *values, const double *absent)
{
    double least = INFINITY, most = -INFINITY;
    uint32_t present = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        least = fmin(least, values[i]); /* NaN: the other one */
        most = fmax(most, values[i]);
        present += absent && !isnan(values[i]) && values[i] != 0 && values[i] != absent[i];
    }
    return !(least < most)                     ? HSEL_P_CONSTANT
           : absent && present < hs_p_least(s) ? HSEL_P_RARE
                                               : HSEL_P_TESTED;
}

int hs_p_of_features(const hs_p_sample *s, const uint32_t *features, uint32_t count, double *p,
                     double *max_t, uint8_t *kind, hsel_error *error)
{
    const hsel_dataset *data = s->training->view.data;
    const uint32_t permutations = s->options.permutations;
    const size_t cells = (size_t)s->strata * s->classes;
    HS_OWNS(hs_sparse_clear) hs_sparse columns = {0};
    HS_OWNED double *values = HS_NEW(double, s->count), *absent = NULL;
    HS_OWNED uint32_t *counted = HS_NEW(uint32_t, cells);
    HS_OWNED uint32_t *of_level = HS_NEW(uint32_t, data->features);
    HS_NEED(values && counted && of_level);
    if (s->stratified || permutations)
        HS_TRY(hs_position_columns(data, features, count, s->rows, s->count, &columns, error));
    if (data->numeric_count && hs_p_least(s))
        HS_TRY(find_absent(s, of_level, &absent, error));
    for (uint32_t f = 0; f < count; f++) {
        HS_TRY(hs_progress_report(s->training->progress, f, count, "features tested", error));
        const hsel_feature_type type = (hsel_feature_type)data->types[features[f]];
        const uint32_t *positive = counted;
        hsel_p_status what = HSEL_P_NOMINAL;
        size_t length = 0;
        if (type == HSEL_NUMERIC) {
            const uint32_t level = absent ? of_level[features[f]] : HSEL_NONE;
            for (uint32_t i = 0; i < s->count; i++)
                values[i] = hs_dataset_value(data, features[f], s->rows[i]);
            what =
                kind_of(s, values, level == HSEL_NONE ? NULL : absent + (size_t)level * s->count);
        } else if (type == HSEL_BINARY && (s->stratified || permutations)) {
            const uint32_t *column = hs_sparse_list(&columns, f, &length);
            memset(counted, 0, cells * sizeof *counted);
            for (size_t j = 0; j < length; j++)
                counted[s->cell[column[j]]]++;
            what = length && length < s->count ? HSEL_P_TESTED : HSEL_P_CONSTANT;
        } else if (type == HSEL_BINARY) {
            positive = s->training->counts->positive + (size_t)features[f] * s->classes;
            for (uint32_t c = 0; c < s->classes; c++)
                length += positive[c];
            what = length && length < s->count ? HSEL_P_TESTED : HSEL_P_CONSTANT;
        }
        /* with permutations: set by hs_p_by_permutation */
        p[f] = what < HSEL_P_RARE ? 1 : (double)NAN;
        if (kind)
            kind[f] = (uint8_t)what;
        bool rough = false, estimated = false;
        if (what == HSEL_P_TESTED && type == HSEL_NUMERIC)
            HS_TRY(hs_p_of_values(s, values, s->class_of, &p[f], &rough, error));
        else if (what == HSEL_P_TESTED && !permutations)
            HS_TRY(hs_p_of_counts(s, positive, s->size, &p[f], &estimated, error));
        if (kind && what == HSEL_P_TESTED &&
            (rough || (type == HSEL_BINARY && is_rough(s, positive))))
            kind[f] = HSEL_P_ROUGH;
        else if (kind && estimated)
            kind[f] = HSEL_P_DRAWN;
    }
    return permutations ? hs_p_by_permutation(s, features, count, &columns, p, max_t, error)
                        : HSEL_OK;
}
