/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models of svm, fitted and asked.
 */
#include "support/svm_by_text.h"

#include <math.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/predict_one.h"

int hs_svm_by_text(const char *text, const hs_training *training, void **model, hsel_error *error)
{
    hs_chosen chosen = {0};
    int status = hs_chosen_parse(HS_CLASSIFIER, text, &chosen, error);
    *model = NULL;
    if (status == HSEL_OK)
        status = chosen.method->classifier->fit(training, chosen.options, model, error);
    hs_chosen_clear(&chosen);
    return status;
}

uint32_t hs_svm_ask_all(const void *model, const hsel_dataset *data, double *p)
{
    double score[HS_SVM_CLASSES_LIMIT];
    void *scratch = NULL;
    hsel_error error = {0};
    uint32_t refused = 0, classes = data->class_names.count;
    assert_ok(SVM->scratch_new(model, &scratch, &error), error);
    for (uint32_t i = 0; i < data->instances; i++) {
        double sum = 0;
        int status =
            hs_predict_one(SVM, model, data, i, NULL, scratch, p + i * classes, score, &error);
        if (status == HSEL_EUNSUPPORTED) {
            assert_non_null(strstr(error.message, "has values too large for svm's kernel"));
            refused++;
            for (uint32_t c = 0; c < classes; c++)
                p[i * classes + c] = NAN;
            continue;
        }
        assert_ok(status, error);
        for (uint32_t c = 0; c < classes; c++)
            sum += p[i * classes + c];
        assert_true(fabs(sum - 1) < 1e-9);
    }
    SVM->scratch_free(scratch);
    return refused;
}
