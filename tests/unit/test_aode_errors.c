/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What goes wrong with AODE and its hierarchical forms: too little memory allowed, no hierarchy,
 * damaged models, allocations that fail.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/aode_trial.h"
#include "support/cmocka.h"
#include "support/fitted.h"
#include "support/oom.h"

/* The first one that is large enough and has no mask, of this form with its own options. */
static void fixed_trial(hs_aode_trial *t, hs_aode_form form)
{
    hs_stream stream;
    hs_stream_init(&stream, 6, "test", 0, 0);
    do {
        hs_aode_trial_new(t, &stream);
        if (t->p.data->features > 6 && t->p.row_count > 10 && !t->p.training.view.features)
            break;
        hs_problem_free(&t->p);
    } while (true);
    t->form = form;
    snprintf(t->text, sizeof t->text, "%s", hs_aode_form_names[form]);
}

static void test_memory_is_said(void **state)
{
    hs_aode_trial t;
    hs_fitted f;
    hsel_error error = {0};
    char expected[100];
    (void)state;
    fixed_trial(&t, HS_AODE_HIE);
    assert_int_equal(hs_try_fit(&f, "hie-aode:memory=0.0001", &t.p.training, &error), HSEL_ELIMIT);
    snprintf(expected, sizeof expected, "hie-aode on %u features and %u classes needs 0.1 MB",
             t.p.data->features, t.p.data->class_names.count);
    assert_memory_equal(error.message, expected, strlen(expected));
    assert_non_null(
        strstr(error.message, "it may take 0.0001: select features first, or raise memory="));
    hs_problem_free(&t.p);
}

static void test_needs_a_hierarchy(void **state)
{
    hs_aode_trial t;
    (void)state;
    fixed_trial(&t, HS_AODE_LITE);
    hs_dag_free(t.p.data->dag);
    t.p.data->dag = NULL;
    for (int form = 1; form < 3; form++) {
        hs_fitted f;
        hsel_error error = {0};
        assert_int_equal(hs_try_fit(&f, hs_aode_form_names[form], &t.p.training, &error),
                         HSEL_EUSAGE);
        assert_non_null(strstr(error.message, "needs a hierarchy"));
    }
    hs_problem_free(&t.p);
}

/* Cut off anywhere it is refused; with any byte changed it is refused or predicts something. */
static void test_damaged_models(void **state)
{
    (void)state;
    for (int form = 0; form < 3; form++) {
        hs_aode_trial t;
        hs_fitted f;
        hs_buf bytes = {0};
        fixed_trial(&t, (hs_aode_form)form);
        hs_fit(&f, t.text, &t.p.training);
        const hs_classifier *c = f.chosen.method->classifier;
        hs_fitted_write(&f, &bytes);
        for (size_t length = 0; length < bytes.length; length++) {
            hsel_error error = {0};
            void *none = NULL;
            char *part = malloc(length ? length : 1);
            assert_non_null(part);
            memcpy(part, bytes.text, length);
            assert_int_equal(hs_classifier_read(c, part, length, t.p.data, &none, &error),
                             HSEL_EFORMAT);
            assert_string_equal(error.message, "the AODE model is truncated or damaged");
            assert_null(none);
            free(part);
        }
        size_t taken = 0;
        for (size_t at = 0; at < 8 * bytes.length; at++) {
            double probability[TRIAL_CLASSES], sum = 0;
            bytes.text[at / 8] ^= (char)(1 << at % 8);
            if (hs_fitted_takes(&f, &bytes, t.p.data, 1, probability)) {
                taken++;
                for (uint32_t y = 0; y < t.p.data->class_names.count; y++)
                    sum += probability[y];
                assert_true(fabs(sum - 1) < 1e-9);
            }
            bytes.text[at / 8] ^= (char)(1 << at % 8);
        }
        assert_true(taken > 0 && taken < 8 * bytes.length);
        hs_buf_clear(&bytes);
        hs_unfit(&f);
        hs_problem_free(&t.p);
    }
}

struct use {
    const hs_problem *p;
    const hs_buf *bytes; /* NULL: fits */
    const char *text;
};

static int fit_or_read(void *context, hsel_error *error)
{
    const struct use *use = context;
    hs_chosen chosen = {0};
    void *model = NULL, *scratch = NULL;
    int status = hs_chosen_parse(HS_CLASSIFIER, use->text, &chosen, error);
    const hs_classifier *c = status ? NULL : chosen.method->classifier;
    if (status == HSEL_OK && use->bytes)
        status = hs_classifier_read(c, use->bytes->text, use->bytes->length, use->p->data, &model,
                                    error);
    else if (status == HSEL_OK)
        status = c->fit(&use->p->training, chosen.options, &model, error);
    if (status == HSEL_OK)
        status = c->scratch_new(model, &scratch, error);
    if (scratch)
        c->scratch_free(scratch);
    if (model)
        c->free(model);
    hs_chosen_clear(&chosen);
    return status;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    for (int form = 0; form < 3; form++) {
        hs_aode_trial t;
        hs_fitted f;
        hs_buf bytes = {0};
        fixed_trial(&t, (hs_aode_form)form);
        hs_fit(&f, t.text, &t.p.training);
        if (form == HS_AODE_HIE) { /* half of the joint counts */
            const hs_aode *m = f.model;
            snprintf(t.text, sizeof t.text, "hie-aode:memory=%.9f",
                     (m->least + m->all_rows / 2) / 1048576);
            hs_unfit(&f);
            hs_fit(&f, t.text, &t.p.training);
            m = f.model;
            assert_true(m->kept > 0 && m->kept < m->units);
        }
        hs_fitted_write(&f, &bytes);
        struct use use = {&t.p, NULL, t.text};
        hs_oom_each("fitting", fit_or_read, &use);
        use.bytes = &bytes;
        hs_oom_each("reading", fit_or_read, &use);
        hs_buf_clear(&bytes);
        hs_unfit(&f);
        hs_problem_free(&t.p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_is_said), cmocka_unit_test(test_needs_a_hierarchy),
        cmocka_unit_test(test_damaged_models), cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
