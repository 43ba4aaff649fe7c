/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LazyR: how far the classes among the instances in which the feature has the value v are from
 * evenly spread,
 *
 *     LazyR(f=v) = sum over classes c of [p(c|v) - 1/K]^2,  p(c|v) = (n_vc + 1)/(n_v + K),
 *
 * that is sum (K n_vc - n_v)^2 / (K (n_v + K))^2, one fraction of whole numbers, rounded once:
 * equal fractions give equal scores. RPV paper (da Silva, Plastino, Freitas 2020), equation 2, with
 * the smoothing of the authors' program. form=code is what that program computes: [p(pro) - (1 -
 * p(pro))]^2 with p(pro) = (n + 1)/(n_v + 2), n being the count of the positive class: twice the
 * equation for two classes (the same order), one class against the rest for more. A value that
 * never occurs scores 0. As a measure of a feature, v is 1. O(K).
 */
#include "measure/exact.h"
#include "measure/measure.h"

static uint32_t count_of(const hs_cells *cells, uint32_t label, bool value)
{
    return value ? cells->positive[label] : cells->class_size[label] - cells->positive[label];
}

double hs_score_lazyr(const hs_cells *cells, bool value, hs_lazyr_form form)
{
    int64_t total = 0, classes = cells->classes;
    uint32_t pro = cells->positive_class < cells->classes ? cells->positive_class : 1;
    hs_u128 sum = 0;
    for (uint32_t c = 0; c < cells->classes; c++)
        total += count_of(cells, c, value);
    if (form == HS_LAZYR_CODE) {
        int64_t count = pro < cells->classes ? count_of(cells, pro, value) : 0;
        return hs_ratio(hs_square(2 * count - total), hs_square(total + 2));
    }
    for (uint32_t c = 0; c < cells->classes; c++)
        sum += hs_square(classes * count_of(cells, c, value) - total);
    return hs_ratio(sum, hs_square(classes * (total + classes)));
}

typedef struct settings {
    int form; /* hs_lazyr_form */
} settings;

static const hs_option table[] = {
    HS_CHOICE(settings, form, "form", "equation|code", "equation",
              "equation 2 over all classes, or the positive class against the rest"),
    HS_OPTION_END};

static double score(const hs_cells *cells, const void *options)
{
    return hs_score_lazyr(cells, true, (hs_lazyr_form)((const settings *)options)->form);
}

static const hs_measure lazyr = {.score = score};

const hs_method hs_method_lazyr = {
    .kind = HS_MEASURE,
    .name = "lazyr",
    .title = "lazy relevance LazyR",
    .help = "Sum over the classes of the squared difference between the class's probability where "
            "the feature is positive, smoothed by Laplace, and 1/K: how far the feature's "
            "presence alone is from telling nothing. form=code takes the positive class against "
            "the rest, as the authors' program does; for two classes that is the same order.",
    .citation = "da Silva, Plastino, Freitas (2020), equation 2",
    .flags = HS_NEEDS_CLASSES,
    .options = table,
    .options_size = sizeof(settings),
    .measure = &lazyr};
