/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Relevance R: how far the classes among the instances with the feature are from those among the
 * instances without it,
 *
 *     R = sum over classes c of [p(c|1) - p(c|0)]^2.
 *
 * RPV paper (da Silva, Plastino, Freitas 2020), the equation of R, which shows no smoothing. Here:
 *
 *     laplace  p(c|v) = (n_vc + 1)/(n_v + K), as in the authors' measurement program; the default
 *     rpv      p(pro|v) = (n_v,pro + 1)/(n_v + 1), p(rest|v) = 1 - p(pro|v)
 *     none     p(c|v) = n_vc/n_v, and 1/K when n_v = 0
 *
 * rpv is what the paper's RPV-R and MR columns were made with: one instance of the positive class
 * is added to each side, and with more than two classes it is the positive one against the rest,
 * as in the program of the authors. Where no class is named positive it is the second.
 *
 * All three are p(c|v) = x_vc/y_v in whole numbers, so that
 *
 *     R = sum over c of (x_1c y_0 - x_0c y_1)^2 / (y_1 y_0)^2
 *
 * is one fraction and is rounded once: equal fractions give equal scores. O(K).
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
 *
 * form=centred (ours) measures from the shares of the classes, N_c of N, and smooths towards them:
 *
 *     sum over c of [p(c|v) - N_c/N]^2,  p(c|v) = (n_vc + K N_c/N)/(n_v + K),
 *
 * that is sum (N n_vc - N_c n_v)^2 / (N (n_v + K))^2. With equal shares it is LazyR; with 5 % of
 * positives the equation puts what tells of them last, because it makes the classes even.
 */
#include "measure/exact.h"
#include "measure/measure.h"

/* p(c|v) = (scale n_vc + added)/total; of rpv for the positive class only */
typedef struct side {
    int64_t total, scale, added;
} side;

static side smoothed(hs_smoothing smoothing, uint32_t count, uint32_t classes)
{
    if (smoothing == HS_SMOOTHING_RPV)
        return (side){(int64_t)count + 1, 1, 1};
    if (smoothing == HS_SMOOTHING_LAPLACE)
        return (side){(int64_t)count + classes, 1, 1};
    return count ? (side){count, 1, 0} : (side){classes, 0, 1};
}

double hs_score_r(const hs_cells *cells, hs_smoothing smoothing)
{
    uint32_t with = 0, pro = cells->positive_class < cells->classes ? cells->positive_class : 1;
    hs_u128 sum = 0;
    for (uint32_t c = 0; c < cells->classes; c++)
        with += cells->positive[c];
    side one = smoothed(smoothing, with, cells->classes);
    side zero = smoothed(smoothing, cells->instances - with, cells->classes);
    for (uint32_t c = 0; c < cells->classes; c++) {
        if (smoothing == HS_SMOOTHING_RPV && c != pro)
            continue; /* the rest is as far apart as the positive class: counted twice below */
        int64_t of_one = cells->positive[c], of_zero = cells->class_size[c] - cells->positive[c];
        int64_t p1 = one.scale * of_one + one.added, p0 = zero.scale * of_zero + zero.added;
        sum += hs_square(p1 * zero.total - p0 * one.total);
    }
    if (smoothing == HS_SMOOTHING_RPV)
        sum *= 2;
    return hs_ratio(sum, hs_square(one.total * zero.total));
}

double hs_score_lazyr(const hs_cells *cells, hs_lazyr_form form)
{
    int64_t total = 0, classes = cells->classes;
    uint32_t pro = cells->positive_class < cells->classes ? cells->positive_class : 1;
    hs_u128 sum = 0;
    for (uint32_t c = 0; c < cells->classes; c++)
        total += cells->positive[c];
    if (form == HS_LAZYR_CODE) {
        int64_t count = pro < cells->classes ? cells->positive[pro] : 0;
        return hs_ratio(hs_square(2 * count - total), hs_square(total + 2));
    }
    /* the share of a class is share/whole: 1/K, or N_c/N */
    const bool centred = form == HS_LAZYR_CENTRED;
    const int64_t whole = centred ? cells->instances : classes;
    for (uint32_t c = 0; c < cells->classes; c++) {
        const int64_t share = centred ? cells->class_size[c] : 1;
        sum += hs_square(whole * cells->positive[c] - share * total);
    }
    return whole ? hs_ratio(sum, hs_square(whole * (total + classes))) : 0;
}

struct options {
    int smoothing, form; /* hs_smoothing, hs_lazyr_form */
};

static double score_r(const hs_cells *cells, const void *options)
{
    return hs_score_r(cells, (hs_smoothing)((const struct options *)options)->smoothing);
}

static double score_lazyr(const hs_cells *cells, const void *options)
{
    return hs_score_lazyr(cells, (hs_lazyr_form)((const struct options *)options)->form);
}

static const hs_option r_table[] = {HS_CHOICE(struct options, smoothing, "smoothing",
                                              "laplace|rpv|none", "laplace",
                                              "how class probabilities are smoothed"),
                                    HS_OPTION_END};
static const hs_option lazyr_table[] = {
    HS_CHOICE(struct options, form, "form", "equation|code|centred", "equation",
              "equation 2 over all classes, centred on 1/K; the positive class against the rest; "
              "or centred on the class shares"),
    HS_OPTION_END};

HS_MEASURE_METHOD(
    r, score, score_r, "relevance R",
    "Sum over the classes of the squared difference between the class's probability where the "
    "feature is positive and where it is negative. smoothing=rpv adds one instance of the positive "
    "class to each side and takes the other classes together, as in the tables of the RPV paper.",
    "da Silva, Plastino, Freitas (2020), the relevance R of RPV-R and MR; after Wan, Freitas "
    "(2013)",
    0, .options = r_table, .options_size = sizeof(struct options));

HS_MEASURE_METHOD(
    lazyr, score, score_lazyr, "lazy relevance LazyR",
    "Sum over the classes of the squared difference between the class's probability where the "
    "feature is positive, smoothed by Laplace, and 1/K: how informative the presence of the "
    "feature is. form=code takes the positive class against the rest, as the "
    "authors' program does; for two classes this gives the same order. With unbalanced classes use "
    "form=centred, which is centred on the class shares: the other forms prefer features that make "
    "the classes more unbalanced.",
    "da Silva, Plastino, Freitas (2020), equation 2", 0, .options = lazyr_table,
    .options_size = sizeof(struct options));
