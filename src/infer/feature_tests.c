/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One pass of tests over all features but covariates, then a procedure over those that have a
 * p-value, on the hierarchy among them.
 */
#include "infer/feature_tests.h"

#include "data/checks.h"
#include "infer/procedures.h"

#define SCAN_PERMUTATIONS 9999
#define ELIM_CUT          0.01 /* elim leaves out the instances of terms with a p-value below it */

const hs_option hs_feature_test_table[] = {HS_FEATURE_TEST_OPTIONS, HS_OPTION_END};

/* ---- notes ---- */

HS_PRINTF(2, 3) static void note(const hs_feature_tests *tests, const char *format, ...)
{
    char named[512], text[512]; /* with options as the client calls them */
    va_list arguments;
    if (!tests->note)
        return;
    va_start(arguments, format);
    hs_vprint(text, sizeof text, hs_words(format, named, sizeof named, NULL, 0), arguments);
    va_end(arguments);
    tests->note(tests->context, text);
}

/* "1 covariate is not tested", "3 covariates are not tested"; nothing of none. */
static void note_some(const hs_feature_tests *tests, uint32_t count, const char *what,
                      const char *one, const char *several, const char *rest)
{
    if (count)
        note(tests, "%u %s%s%s", count, what, count == 1 ? one : several, rest);
}

static void note_sample(const hs_feature_tests *tests, const hs_p_sample *sample)
{
    const hs_exchange *exchange = &sample->exchange;
    const bool permutes = tests->p.permutations;
    if (sample->stratified && sample->left_out)
        note(tests, "p-values within %u strata; instances without stratum, left out: %u",
             sample->strata, sample->left_out);
    else if (sample->stratified)
        note(tests, "p-values within %u strata", sample->strata);
    if (exchange->grouped && !permutes)
        note(tests, "p-values assume independent instances, even within a group: {permutations} "
                    "respects groups");
    else if (exchange->grouped)
        note(tests, "%s",
             exchange->between
                 ? "all instances of a group have the same class: whole groups are permuted"
                 : "classes are permuted within groups");
    if (permutes && exchange->fixed)
        note(tests, "%u of %u instances cannot be permuted: %s", exchange->fixed, sample->count,
             exchange->between ? "no other group has the size of theirs"
                               : "all instances of their group have the same class");
    if (tests->p.tail == HS_TAIL_BOTH)
        return;
    if (tests->data->numeric_count)
        note(tests, "{tail} is for binary features: numeric ones are tested on both sides");
    if (sample->classes > 2)
        note(tests, "{tail} compares %s with all other classes; {positive=CLASS} changes it",
             hsel_dataset_class_name(tests->data, tests->data->positive_class));
}

/* `local`: constant features have a p-value. */
static void note_status(const hs_feature_tests *tests, const hs_p_sample *sample,
                        const uint8_t *status, bool local)
{
    uint32_t count[HSEL_P_COVARIATE + 1] = {0}, numeric = 0;
    char rare[160];
    for (uint32_t f = 0; f < tests->data->features; f++) {
        count[status[f]]++;
        numeric += status[f] == HSEL_P_ROUGH && tests->data->types[f] == HSEL_NUMERIC;
    }
    note_some(tests, count[HSEL_P_COVARIATE], "covariate", " is", "s are", " not tested");
    note_some(tests, count[HSEL_P_NOMINAL], "nominal feature", " has", "s have", " no p-value");
    note_some(tests, local ? 0 : count[HSEL_P_CONSTANT], "constant feature", " is", "s are",
              " not counted among the hypotheses");
    if (count[HSEL_P_ROUGH] > numeric)
        note(tests,
             "%u feature%s too rare for this test (an expected count below 5): p-values may be far "
             "too small; {test=fisher} is exact",
             count[HSEL_P_ROUGH] - numeric, count[HSEL_P_ROUGH] - numeric == 1 ? " is" : "s are");
    if (numeric)
        note(tests,
             "%u numeric feature%s: too many arrangements to count for an exact test, so p is that "
             "of the normal distribution and may be too small; {permutations=10000} counts random "
             "ones",
             numeric, numeric == 1 ? "" : "s");
    note_some(tests, count[HSEL_P_DRAWN], "feature", "", "s",
              ": too many tables for an exact test of more than two classes, so p is estimated "
              "from up to 100,000 random ones");
    hs_print(rare, sizeof rare, " not tested: present in fewer than %u of %u instances",
             hs_p_least(sample), sample->count);
    if (count[HSEL_P_RARE])
        note(tests, "%u feature%s%s; {min-present=0} tests all", count[HSEL_P_RARE],
             count[HSEL_P_RARE] == 1 ? " is" : "s are", rare);
}

/* ---- adjusting ---- */

/* By a procedure, or (NULL) by the p-values of terms below: found[i] is that of feature which[i].
 */
static int adjust(const hs_feature_tests *tests, const hs_p_sample *sample,
                  const hs_procedure *procedure, hs_p_method method, const uint32_t *which,
                  const double *found, uint32_t count, double *out, uint8_t *status,
                  hsel_error *error)
{
    const hsel_dataset *data = tests->data;
    HS_OWNS(hs_dag_release) hsel_dag *among = NULL; /* the features that are tested */
    HS_OWNED bool *tested = HS_NEW_ZERO(bool, data->features), *set = HS_NEW(bool, count);
    HS_OWNED double *adjusted = HS_NEW(double, count);
    HS_NEED(tested && set && adjusted);
    for (uint32_t i = 0; i < count; i++)
        tested[which[i]] = true;
    if (data->dag)
        HS_TRY(hs_dag_subset(data->dag, tested, &among, error));
    const hs_hypotheses h = {.p = found, .count = count, .dag = among, .alpha = 1};
    HS_TRY(procedure ? hs_procedure_run(procedure, &h, set, adjusted, error)
                     : hs_p_local(sample, among, which, method, ELIM_CUT, adjusted, error));
    const bool infers = procedure && procedure->infers && among;
    if (infers)
        HS_TRY(hs_inherited(procedure, &h, adjusted, set, error));
    for (uint32_t i = 0; i < count; i++) {
        out[which[i]] = adjusted[i];
        if (infers && set[i])
            status[which[i]] |= HSEL_P_INHERITED;
    }
    return HSEL_OK;
}

int hs_test_features(const hs_feature_tests *tests, double *p, double *adjusted, uint8_t *status,
                     hsel_error *error)
{
    const hsel_dataset *data = tests->data;
    const uint32_t features = data->features;
    const bool max_t = strcmp(tests->adjust, "max-t") == 0,
               scans = strcmp(tests->adjust, "scan") == 0;
    const hs_p_method method = hs_p_method_find(tests->adjust);
    const bool local = method != HS_P_METHODS;
    const hs_procedure *procedure =
        max_t || scans || local ? NULL : hs_procedure_find(tests->adjust, error);
    hs_p_options how = tests->p;
    hs_scan scan = {.model = tests->scan,
                    .rate = tests->scan_rate,
                    .permutations = how.permutations ? how.permutations : SCAN_PERMUTATIONS};
    HS_OWNS(hs_p_sample_clear) hs_p_sample sample = {0};
    HS_OWNS(hs_counts_clear) hs_counts counts = {0};
    HS_OWNED uint32_t *rows = NULL, *which = HS_NEW(uint32_t, features);
    HS_OWNED double *found = HS_NEW(double, features), *by_max_t = HS_NEW(double, features);
    HS_OWNED uint8_t *kind = HS_NEW(uint8_t, features);
    hs_progress progress = tests->progress ? *tests->progress : (hs_progress){0};
    progress.notes = NULL; /* ours say more */
    hs_training training = {.counts = &counts,
                            .seed = tests->seed,
                            .threads = tests->threads,
                            .progress = tests->progress ? &progress : NULL};
    uint32_t asked = 0, count = 0;
    HS_TRY(procedure || max_t || scans || local ? HSEL_OK : HSEL_EUSAGE);
    HS_NEED(which && found && by_max_t && kind);
    const uint32_t classes = data->class_of ? data->class_names.count : 0;
    HS_TRY(hs_check_classes(data, "testing features", error));
    HS_REFUSE(classes < 2, "testing features needs two classes or more, but %s has %u",
              hsel_dataset_name(data), classes);
    HS_REFUSE(max_t && !tests->p.permutations,
              "max-t needs permutations, e.g. {permutations=10000}");
    HS_REFUSE(!scans && (tests->scan || tests->scan_rate > 0),
              "{scan} and {scan-rate} are for {adjust=scan}");
    HS_REFUSE(scans && data->numeric_count, "scan is for binary features, but %u are numeric",
              data->numeric_count);
    HS_REFUSE(scans && (how.tail == HS_TAIL_LESS || how.mid || how.test > HS_P_FISHER),
              "scan looks for terms with more cases than their share, by its own test: leave out "
              "{test}, {tail} and {mid}");
    if (scans) {
        how.tail = HS_TAIL_MORE;
        how.permutations = 0;
    }
    HS_REFUSE(local && !data->dag, "%s needs a hierarchy: give {hierarchy=FILE}", tests->adjust);
    HS_REFUSE(local && data->numeric_count, "%s is for binary features, but %u are numeric",
              tests->adjust, data->numeric_count);
    HS_REFUSE(local && tests->p.permutations, "%s has no permutations", tests->adjust);
    HS_TRY(hs_view_labelled(data, &rows, &training.view, error));
    HS_TRY(hs_counts_of(&training.view, &counts, error));
    HS_TRY(hs_p_sample_init(&training, &how, &sample, error));
    note_sample(tests, &sample);
    for (uint32_t f = 0; f < features; f++) {
        p[f] = adjusted[f] = (double)NAN;
        status[f] = HSEL_P_COVARIATE;
        if (!hs_is_covariate(data, f))
            which[asked++] = f;
    }
    HS_TRY(hs_p_of_features(&sample, which, asked, found, by_max_t, kind, error));
    for (uint32_t i = 0; i < asked; i++) {
        const uint32_t f = which[i];
        status[f] = kind[i];
        /* Others have no p either: hsel test, given this table, has the same hypotheses. */
        if (!hs_p_is_tested(kind[i]) && !(local && !isnan(found[i])))
            continue;
        p[f] = found[i];
        adjusted[f] = by_max_t[i];
        which[count] = f;
        found[count++] = p[f];
    }
    note_status(tests, &sample, status, local);
    if (scans) {
        HS_TRY(hs_p_scan(&sample, &scan, which, count, found, by_max_t, error));
        for (uint32_t i = 0; i < count; i++) {
            p[which[i]] = found[i];
            adjusted[which[i]] = by_max_t[i];
        }
        note(tests, "scan for more %s than expected%s: q counts %u sets of random cases",
             hsel_dataset_class_name(data, data->positive_class),
             scan.rate > 0 ? "" : ", given their number", scan.permutations);
    }
    return max_t || scans ? HSEL_OK
                          : adjust(tests, &sample, procedure, method, which, found, count, adjusted,
                                   status, error);
}
