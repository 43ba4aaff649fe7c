/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A user of the library in C: reads the data set named on the command line, prints what is in it,
 * and lets methods learn from it. The data are such that everything must be predicted right.
 */
#include <hsel/hsel.h>
#include <stdio.h>

/* 0, or the number of the step that went wrong. */
static int learn(const hsel_dataset *data, hsel_error *error)
{
    hsel_request request = {.size = sizeof request, .folds = 2, .seed = 1};
    hsel_evaluation *found = NULL;
    hsel_model *model = NULL;
    uint8_t keep[3];
    double probability[4 * 2];
    int wrong = 0;
    if (hsel_crossval(data, &request, &found, error))
        return 3;
    if (hsel_evaluation_folds(found) != 2 ||
        !(hsel_evaluation_metric(found, "accuracy", HSEL_POOLED) > 0.99))
        wrong = 4;
    hsel_evaluation_free(found);
    request.selector = "sig:threshold=0.5";
    if (!wrong && hsel_select(data, &request, keep, NULL, error))
        wrong = 5;
    if (!wrong && (!keep[0] || keep[1] || !keep[2]))
        wrong = 6;
    request.selector = NULL;
    request.classifier = "knn:k=1";
    if (wrong || hsel_train(data, &request, &model, error))
        return wrong ? wrong : 7;
    if (hsel_model_classes(model) != 2 ||
        hsel_predict(model, data, NULL, probability, NULL, NULL, error))
        wrong = 8;
    for (uint32_t i = 0; !wrong && i < hsel_dataset_instances(data); i++)
        if (probability[2 * i + hsel_dataset_class_of(data, i)] < 0.5)
            wrong = 9;
    hsel_model_free(model);
    return wrong;
}

int main(int argc, char **argv)
{
    hsel_error error;
    hsel_dataset *data = NULL;
    size_t positives = 0, count;
    if (argc != 2)
        return 2;
    if (hsel_dataset_read(argv[1], NULL, &data, &error)) {
        fprintf(stderr, "consumer: %s\n", error.message);
        return 1;
    }
    for (uint32_t i = 0; i < hsel_dataset_instances(data); i++) {
        hsel_dataset_row(data, i, &count);
        positives += count;
    }
    printf("hsel %s: %u instances, %u features, %u classes, %zu positive values\n", hsel_version(),
           hsel_dataset_instances(data), hsel_dataset_features(data), hsel_dataset_classes(data),
           positives);
    error.message[0] = '\0';
    int wrong = learn(data, &error);
    if (wrong)
        fprintf(stderr, "consumer: step %d: %s\n", wrong, error.message);
    hsel_dataset_free(data);
    return wrong;
}
