/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a classifier learned from a whole data set, as it describes itself: for
 * bench/weka_compare.py.
 *
 *     show_tree DATA CLASSIFIER [text|json]
 */
#include <stdio.h>
#include <string.h>

#include "classify/classify.h"

static int show(const hsel_dataset *data, const hs_chosen *chosen, hs_describe_form form,
                hsel_error *error)
{
    const hs_classifier *classifier = chosen->method->classifier;
    hs_view view = hs_view_all(data);
    hs_counts counts = {0};
    hs_writer *writer = NULL;
    void *model = NULL;
    int status = hs_counts_of(&view, &counts, error);
    hs_training training = {.view = view, .counts = &counts, .seed = 1, .threads = 1};
    if (status == HSEL_OK)
        status = classifier->fit(&training, chosen->options, &model, error);
    if (status == HSEL_OK)
        status = hs_writer_open("-", &writer, error);
    if (status == HSEL_OK)
        status = classifier->describe(model, data, form, writer, error);
    if (status == HSEL_OK)
        status = hs_writer_commit(writer, error);
    else
        hs_writer_abandon(writer);
    if (model)
        classifier->free(model);
    hs_counts_clear(&counts);
    return status;
}

int main(int count, char **argument)
{
    hsel_error error = {0};
    hsel_dataset *data = NULL;
    hs_chosen chosen = {0};
    if (count < 3) {
        fprintf(stderr, "usage: show_tree DATA CLASSIFIER [text|json]\n");
        return 2;
    }
    const char *form = count > 3 ? argument[3] : "text";
    int status = hsel_dataset_read(argument[1], NULL, &data, &error);
    if (status == HSEL_OK)
        status = hs_chosen_parse(HS_CLASSIFIER, argument[2], &chosen, &error);
    if (status == HSEL_OK)
        status = show(data, &chosen,
                      strcmp(form, "json") == 0 ? HS_DESCRIBE_JSON : HS_DESCRIBE_TEXT, &error);
    if (status)
        fprintf(stderr, "show_tree: %s\n", error.message);
    hs_chosen_clear(&chosen);
    hsel_dataset_free(data);
    return status ? 1 : 0;
}
