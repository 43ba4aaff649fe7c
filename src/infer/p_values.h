/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * p-values of the features of a training part: is a feature associated with the class? Options
 * choose the test; infer/tests.h has the tests. If the data have strata (instance_about, column
 * "stratum"), instances are compared within their stratum.
 */
#pragma once

#include "infer/tests.h"

#define HS_P_TESTS "auto|fisher|chi2|g|cmh" /* in this order */
typedef enum hs_p_test { HS_P_AUTO, HS_P_FISHER, HS_P_CHI2, HS_P_G, HS_P_CMH } hs_p_test;

typedef struct hs_p_options {
    int test, tail;        /* hs_p_test; hs_tail, of Fisher's test */
    bool mid;              /* mid-p of Fisher's test */
    bool means;            /* numeric features: Welch's t instead of ranks */
    uint32_t permutations; /* of the classes, by which p is counted; 0: p as the test has it */
    double min_present;    /* amounts: share of the instances; 0: all are tested */
} hs_p_options;

/* The same options of the command and of selectors, over the field `p` of their struct. */
#define HS_P_TEST_OPTIONS(T)                                                                       \
    HS_CHOICE(T, p.test, "test", HS_P_TESTS, "auto",                                               \
              "test of binary features: Fisher's exact test (also within strata), Pearson's "      \
              "chi-squared, the likelihood ratio G, or the Cochran-Mantel-Haenszel test within "   \
              "strata, which is unreliable for rare features; auto: fisher, or cmh for "           \
              "permutations within strata"),                                                       \
        HS_CHOICE(T, p.tail, "tail", "both|more|less", "both",                                     \
                  "Fisher's test: any dependence, or only more (fewer) positives in the positive " \
                  "class"),                                                                        \
        HS_FLAG(T, p.mid, "mid", "mid-p: the observed table counts half (Fisher, two classes)"),   \
        HS_OPTION(T, p.permutations, "permutations", "N", "0", 0, 100000000,                       \
                  "compute p from N permutations of the classes (within strata), the same for "    \
                  "all features; 0: from the test's own distribution"),                            \
        HS_OPTION(T, p.min_present, "min-present", "SHARE", "0.05", 0, 1,                          \
                  "test numeric features only if they are present in at least this share of the "  \
                  "instances and in at least 3; 0 tests all")

/* The instances that p-values are computed from, by stratum and class. */
typedef struct hs_p_sample { /* zero-initialise; hs_p_sample_clear frees */
    const hs_training *training;
    hs_p_options options;  /* test is never HS_P_AUTO */
    uint32_t classes, one; /* the positive class */
    uint32_t strata;       /* 1 if the data have none */
    uint32_t *rows, count; /* with class and, if the data have strata, stratum; in their order */
    uint32_t *class_of;    /* [count] */
    hs_sparse by_stratum;  /* the positions in `rows` of each stratum */
    uint32_t *size;        /* [strata * classes]: instances of a stratum and class */
    uint32_t *cell;        /* [count]: stratum * classes + class */
    uint32_t left_out;     /* instances that have a class and no stratum */
    bool stratified;
    hs_exchange exchange; /* of classes by permutations */
} hs_p_sample;

/* HSEL_EUSAGE if the test is not possible for these data. */
HSEL_CHECKED int hs_p_sample_init(const hs_training *training, const hs_p_options *options,
                                  hs_p_sample *out, hsel_error *error);
void hs_p_sample_clear(hs_p_sample *sample);
/* For a binary feature that is positive in positive[s * classes + c] of the size[s * classes + c]
 * instances of stratum s and class c, by the test's own distribution. *estimated (may be NULL): p
 * comes from random tables. */
HSEL_CHECKED int hs_p_of_counts(const hs_p_sample *sample, const uint32_t *positive,
                                const uint32_t *size, double *p, bool *estimated,
                                hsel_error *error);
/* Of a numeric feature, by ranks or means; `class_of` each instance of the sample. *rough (may be
 * NULL): the normal distribution was used because exact counting takes too long. */
HSEL_CHECKED int hs_p_of_values(const hs_p_sample *sample, const double *values,
                                const uint32_t *class_of, double *p, bool *rough,
                                hsel_error *error);
/* Only tested features are hypotheses. */
static inline bool hs_p_is_tested(uint8_t status) { return status <= HSEL_P_DRAWN; }
/* The number of instances that an amount has to be present in, by min_present. */
uint32_t hs_p_least(const hs_p_sample *sample);
/* p-values of some features, by permutation if options->permutations is set; kind[f] (may be NULL)
 * is an hsel_p_status. With permutations, max_t (may be NULL) receives the p-values adjusted by
 * Westfall and Young's step-down max-T. */
HSEL_CHECKED int hs_p_of_features(const hs_p_sample *sample, const uint32_t *features,
                                  uint32_t count, double *p, double *max_t, uint8_t *kind,
                                  hsel_error *error);

/* p-values of terms adjusted for the terms below them (local.c), by the test's own distribution:
 * node v of the hierarchy is the binary feature features[v]. `cut` is of elim. */
#define HS_P_LOCAL "elim, weight01, weight01-topgo, weight"
typedef enum hs_p_method {
    HS_P_ELIM,
    HS_P_WEIGHT01,
    HS_P_WEIGHT01_TOPGO,
    HS_P_WEIGHT,
    HS_P_METHODS
} hs_p_method;
hs_p_method hs_p_method_find(const char *name); /* HS_P_METHODS: none of them */
HSEL_CHECKED int hs_p_local(const hs_p_sample *sample, const hsel_dag *dag,
                            const uint32_t *features, hs_p_method method, double cut, double *p,
                            hsel_error *error);

/* The classes of the instances in permutation `number` from 0, into out[count]: those of a stratum
 * are shuffled among its instances, by groups if there are any (hs_exchange). Depends only on the
 * seed and the number. */
void hs_p_permute(const hs_p_sample *sample, uint64_t number, uint32_t *scratch, uint32_t *out);
/* The part of hs_p_of_features that permutes (permutations.c): observed p-values of numeric
 * features are in p; those that are NaN are left out. columns: of the binary features, positions
 * in sample->rows. */
HSEL_CHECKED int hs_p_by_permutation(const hs_p_sample *sample, const uint32_t *features,
                                     uint32_t count, const hs_sparse *columns, double *p,
                                     double *max_t, hsel_error *error);
