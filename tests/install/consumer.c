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
    hsel_evaluation found;
    hsel_model *model = NULL;
    bool keep[3];
    double probability[4 * 2];
    int wrong = 0;
    if (hsel_dataset_evaluate(data, "none", "nb", "own", 2, 1, 1, 0, &found, error))
        return 3;
    if (found.folds != 2 || found.pooled[hsel_metric_find("accuracy")] < 0.99)
        return 4;
    if (hsel_dataset_select(data, "sig:threshold=0.5", 1, 0, keep, error))
        return 5;
    if (!keep[0] || keep[1] || !keep[2])
        return 6;
    if (hsel_model_train(data, NULL, "knn:k=1", 1, 0, &model, error))
        return 7;
    if (hsel_model_classes(model) != 2 ||
        hsel_model_predict(model, data, probability, NULL, NULL, error))
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
