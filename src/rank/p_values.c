/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Binary features by their counts: Fisher's exact test (more than two classes: Freeman and Halton,
 * exact up to 100,000 tables; with a tail, the positive class against the rest), chi-squared or G;
 * within strata Fisher's test, exact (more than two classes: each against the rest, the smallest p
 * times their number), or that of Cochran, Mantel and Haenszel. Numeric ones by ranks
 * (Mann-Whitney, Kruskal-Wallis, within strata van Elteren; where few values differ and a class is
 * rare by all permutations, each class against the rest) or means (Welch). O(K) but for the sums of
 * Fisher's tails, O(positive values) with strata; numeric O(n log n).
 */
#include "rank/p_values.h"

#include <math.h>

#include "core/mem.h"

#define TABLES UINT64_C(100000)

static int check(const hs_p_sample *s, hsel_error *error)
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
        return hs_fail(error, HSEL_EUSAGE,
                       "means are compared within strata by permutations only: --permutations "
                       "10000");
    if (s->stratified && o->permutations && o->test == HS_P_FISHER)
        return hs_fail(error, HSEL_EUSAGE, "permutations within strata go with the test cmh");
    if (!s->stratified && o->test == HS_P_CMH)
        return hs_fail(error, HSEL_EUSAGE,
                       "the test cmh needs strata, and %s has none: --strata names their column",
                       hsel_dataset_name(s->training->view.data));
    if (o->test == HS_P_CMH && s->classes != 2)
        return hs_fail(error, HSEL_EUSAGE, "the test cmh is for two classes, and there are %u",
                       s->classes);
    if (o->permutations && o->test == HS_P_FISHER && o->tail == HS_TAIL_BOTH && s->classes > 2)
        return hs_fail(error, HSEL_EUSAGE,
                       "permutations of %u classes go with the test chi2 or g, not with fisher",
                       s->classes);
    return HSEL_OK;
}

int hs_p_sample_init(const hs_training *training, const hs_p_options *options, hs_p_sample *s,
                     hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    const uint32_t column = hs_about_column(&data->instance_about, HS_ABOUT_STRATUM);
    HS_OWNS(hs_names_clear) hs_names names = {0};
    uint32_t all, *of, next = 0;
    *s = (hs_p_sample){.training = training,
                       .options = *options,
                       .classes = training->counts->classes,
                       .one = data->positive_class,
                       .strata = 1,
                       .stratified = column != HSEL_NONE};
    if (options->test == HS_P_AUTO)
        s->options.test = s->stratified && options->permutations ? HS_P_CMH : HS_P_FISHER;
    HS_TRY(check(s, error));
    HS_TRY(hs_training_rows(training, true, &s->rows, &all, error));
    s->class_of = HS_NEW(uint32_t, all);
    s->cell = HS_NEW(uint32_t, all);
    s->by_stratum = HS_NEW(uint32_t, all);
    HS_OWNED uint32_t *stratum = of = HS_NEW(uint32_t, all);
    HS_NEED(s->class_of && s->cell && s->by_stratum && stratum);
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
    s->size = HS_NEW_ZERO(uint32_t, (size_t)s->strata * s->classes);
    s->stratum_start = HS_NEW(uint32_t, (size_t)s->strata + 1);
    HS_NEED(s->size && s->stratum_start);
    for (uint32_t i = 0; i < s->count; i++)
        s->size[s->cell[i] = of[i] * s->classes + s->class_of[i]]++;
    for (uint32_t k = 0; k <= s->strata; k++) {
        s->stratum_start[k] = next;
        for (uint32_t c = 0; k < s->strata && c < s->classes; c++)
            next += s->size[(size_t)k * s->classes + c];
    }
    for (uint32_t i = 0; i < s->count; i++) /* start moves to the end, which is the next start … */
        s->by_stratum[s->stratum_start[of[i]]++] = i;
    for (uint32_t k = s->strata; k > 0; k--) /* … and back */
        s->stratum_start[k] = s->stratum_start[k - 1];
    s->stratum_start[0] = 0;
    return HSEL_OK;
}

void hs_p_sample_clear(hs_p_sample *s)
{
    HS_FREE(s->rows, s->class_of, s->cell, s->by_stratum, s->stratum_start, s->size);
    *s = (hs_p_sample){0};
}

int hs_p_of_counts(const hs_p_sample *s, const uint32_t *positive, const uint32_t *size, double *p,
                   hsel_error *error)
{
    const hs_count_table cells = {positive, size, s->classes};
    uint32_t drawn = 0, all = 0;
    double se;
    if (s->options.test == HS_P_CMH) {
        *p = hs_p_cmh(positive, size, s->strata, NULL);
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
        return hs_p_halton(&cells, TABLES, s->training->seed, p, &se, error);
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

int hs_p_of_values(const hs_p_sample *s, const double *values, const uint32_t *class_of, double *p,
                   hsel_error *error)
{
    const uint32_t last = s->classes > 2 ? s->classes : 1;
    double least = 1;
    bool exact, any = s->stratified;
    if (!s->options.means && (s->stratified || !s->options.permutations)) {
        for (uint32_t c = 0; c < last; c++) {
            HS_TRY(hs_p_elteren(values, class_of, s->by_stratum, s->stratum_start, s->strata, c, p,
                                s->options.permutations ? NULL : &exact, error));
            least = fmin(least, *p);
            any |= !s->options.permutations && exact;
        }
        *p = fmin(1, last * least);
        if (any)
            return HSEL_OK;
    }
    return (s->options.means ? hs_p_means : hs_p_ranks)(values, class_of, s->count, s->classes, p,
                                                        error);
}

int hs_p_of_features(const hs_p_sample *s, const uint32_t *features, uint32_t count, double *p,
                     double *max_t, hsel_error *error)
{
    const hsel_dataset *data = s->training->view.data;
    const uint32_t permutations = s->options.permutations;
    const size_t cells = (size_t)s->strata * s->classes;
    HS_OWNS(hs_sparse_clear) hs_sparse columns = {0};
    HS_OWNED double *values = HS_NEW(double, s->count);
    HS_OWNED uint32_t *positive = HS_NEW(uint32_t, cells);
    HS_NEED(values && positive);
    if (s->stratified || permutations)
        HS_TRY(hs_position_columns(data, features, count, s->rows, s->count, &columns, error));
    for (uint32_t f = 0; f < count; f++) {
        const hsel_feature_type type = (hsel_feature_type)data->types[features[f]];
        size_t length;
        p[f] = NAN;
        if (type == HSEL_NUMERIC) {
            for (uint32_t i = 0; i < s->count; i++)
                values[i] = hs_dataset_value(data, features[f], s->rows[i]);
            HS_TRY(hs_p_of_values(s, values, s->class_of, &p[f], error));
        } else if (type == HSEL_BINARY && permutations) {
            p[f] = 1; /* is worked out there */
        } else if (type == HSEL_BINARY && s->stratified) {
            const uint32_t *column = hs_sparse_list(&columns, f, &length);
            memset(positive, 0, cells * sizeof *positive);
            for (size_t j = 0; j < length; j++)
                positive[s->cell[column[j]]]++;
            HS_TRY(hs_p_of_counts(s, positive, s->size, &p[f], error));
        } else if (type == HSEL_BINARY) {
            HS_TRY(hs_p_of_counts(s,
                                  s->training->counts->positive + (size_t)features[f] * s->classes,
                                  s->size, &p[f], error));
        }
    }
    return permutations ? hs_p_by_permutation(s, features, count, &columns, p, max_t, error)
                        : HSEL_OK;
}
