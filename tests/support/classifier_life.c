/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The life of a classifier, step by step; whatever step fails, everything is freed.
 */
#include "support/classifier_life.h"
#include "support/predict_one.h"
#include "support/fitted.h"

static int describe(const hs_classifier *c, const void *model, const hsel_dataset *shape,
                    hsel_error *error)
{
    int status = HSEL_OK;
    for (int form = 0; c->describe && form <= HS_DESCRIBE_JSON && status == HSEL_OK; form++) {
        hs_buf text = {0};
        hs_writer *writer = NULL;
        status = hs_writer_open_memory(&text, &writer, error);
        if (status)
            break;
        status = c->describe(model, shape, (hs_describe_form)form, writer, error);
        if (status == HSEL_OK)
            status = hs_writer_commit(writer, error);
        else
            hs_writer_abandon(writer);
        if (status == HSEL_EUNSUPPORTED) /* not in this form */
            status = HSEL_OK;
        hs_buf_clear(&text);
    }
    return status;
}

static int write_and_read(const hs_classifier *c, const void *model, const hsel_dataset *shape,
                          void **again, hsel_error *error)
{
    hs_buf bytes = {0};
    hs_writer *writer = NULL;
    int status = hs_writer_open_memory(&bytes, &writer, error);
    if (status)
        return status;
    if ((status = hs_classifier_write(c, model, writer, error)))
        hs_writer_abandon(writer);
    else
        status = hs_writer_commit(writer, error);
    if (status == HSEL_OK)
        status = hs_classifier_read(c, bytes.text, bytes.length, shape, again, error);
    hs_buf_clear(&bytes);
    return status;
}

int hs_live_once(void *context, hsel_error *error)
{
    const hs_life *life = context;
    const hsel_dataset *data = life->training->view.data;
    hs_chosen chosen = {0};
    void *model = NULL, *again = NULL, *scratch = NULL;
    double found[64], score[64];
    int status = hs_chosen_parse(HS_CLASSIFIER, life->text, &chosen, error);
    if (status)
        return status;
    const hs_classifier *c = chosen.method->classifier;
    status = c->fit(life->training, chosen.options, &model, error);
    if (status == HSEL_OK)
        status = describe(c, model, data, error);
    if (status == HSEL_OK)
        status = write_and_read(c, model, data, &again, error);
    if (status == HSEL_OK && c->scratch_new)
        status = c->scratch_new(again, &scratch, error);
    if (status == HSEL_OK)
        status = hs_predict_one(c, again, data, 0, NULL, scratch, found, score, error);
    if (scratch)
        c->scratch_free(scratch);
    c->free(model);
    c->free(again);
    hs_chosen_clear(&chosen);
    return status;
}
