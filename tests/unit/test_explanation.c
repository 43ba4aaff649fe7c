/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the text and JSON of an explanation say of where its numbers come from: standard errors,
 * neighbours, Owen values, a tree. And every allocation may fail.
 */
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "show/drawing.h"
#include "show/explanation.h"
#include "support/cmocka.h"
#include "support/oom.h"
#include "support/random_data.h"
#include "support/model_data.h"

struct world {
    hsel_dataset *data;
    hs_model *model;
    hs_explanation e;
};

static void set_up(struct world *w, uint32_t classes)
{
    hs_stream stream;
    hsel_error error = {0};
    memset(w, 0, sizeof *w);
    hs_stream_init(&stream, 3, "explanation", 0, 0);
    w->data = hs_random_dataset(&stream, &(hs_random_shape){.instances = 30,
                                                            .features = 20,
                                                            .classes = classes,
                                                            .density = 0.2,
                                                            .parents = 1.2,
                                                            .true_path = true,
                                                            .ids = true});
    assert_ok(hs_train(w->data, "none", "nb:preset=weka", HSEL_NONE, false, 1, 1, NULL, &w->model,
                       &error),
              error);
    assert_ok(hs_explain(w->model, w->data, 4, 0, &w->e, &error), error);
}

static void tear_down(struct world *w)
{
    hs_explanation_clear(&w->e);
    hs_model_free(w->model);
    hsel_dataset_free(w->data);
}

/* Text in this style, JSON without one; the caller frees. */
static char *written(const hs_explanation *e, const hs_text_style *style)
{
    hs_buf text = {0};
    hs_writer *out = NULL;
    hsel_error error = {0};
    assert_ok(hs_writer_open_memory(&text, &out, &error), error);
    assert_ok(style ? hs_explanation_text(e, style, out, &error)
                    : hs_explanation_json(e, out, &error),
              error);
    assert_ok(hs_writer_commit(out, &error), error);
    return text.text;
}

static void has(const hs_explanation *e, const hs_text_style *style, const char *part, bool there)
{
    char *text = written(e, style);
    if ((strstr(text, part) != NULL) != there)
        fail_msg("'%s' is%s in:\n%s", part, there ? " not" : "", text);
    hs_free(text);
}

static void test_where_numbers_come_from(void **state)
{
    struct world w;
    hs_text_style style = {.top = HS_SCREEN}, plain = {.top = HS_SCREEN, .ascii = true};
    char line[200];
    (void)state;
    set_up(&w, 2);
    has(&w.e, &style, "nb's own; with the prior they add up", true);
    has(&w.e, NULL, "\"log_odds_by\": \"terms\"", true);
    has(&w.e, &style, "±", false);
    has(&w.e, NULL, "\"error\"", false);
    has(&w.e, NULL, "\"neighbours\"", false);
    has(&w.e, &style, "and 10 more, ", true);
    has(&w.e, &(hs_text_style){0}, " more, ", false);
    w.e.reasoning = HS_REASONS_PATH;
    has(&w.e, &style, "what each test on the way down the tree changes", true);
    w.e.reasoning = HS_REASONS_OWEN;
    w.e.reasons[1].error = 0.0125;
    has(&w.e, &style, "Owen values along the hierarchy, against an instance that has nothing; with",
        true);
    has(&w.e, &style, "(an instance that has nothing)", true);
    has(&w.e, &style, "half a vote", false);
    has(&w.e, &style, "nothing here", false);
    snprintf(line, sizeof line, "%+8.3f ±0.013", w.e.reasons[1].contribution);
    has(&w.e, &style, line, true);
    snprintf(line, sizeof line, "%+8.3f +-0.013", w.e.reasons[1].contribution);
    has(&w.e, &plain, line, true);
    has(&w.e, NULL, "\"error\": 0.0125", true);
    has(&w.e, NULL, "\"log_odds_by\": \"owen\"", true);
    for (uint32_t i = 3; i < w.e.selected; i++) /* what is said no longer is the prediction */
        w.e.reasons[i].contribution = 0;
    has(&w.e, &style, "half a vote more counts", true);
    has(&w.e, &style, "(+0.000)", false);
    /* Calibration changes the probability alone, and then nothing adds up to that. */
    has(&w.e, NULL, "\"log_odds_of\"", false);
    hs_adjust *adjust = &w.model->pipeline.fitted->adjust;
    has(&w.e, &style, "they add up to those of the prediction", true);
    adjust->curve = HS_NEW_ZERO(hs_curve, 1);
    assert_non_null(adjust->curve);
    adjust->curves = 1;
    has(&w.e, &style, "they add up to those of the prediction", false);
    has(&w.e, &style, "they add up to those before calibration", true);
    has(&w.e, NULL, "\"log_odds_of\": \"before calibration\"", true);
    adjust->curves = 0;
    w.e.reasoning = HS_REASONS_PATH;
    has(&w.e, &style, "half an instance more counts", true);
    has(&w.e, &style, "17 more features change nothing here\n", true);
    has(&w.e, &style, "(prior)", true);
    tear_down(&w);
}

static void test_neighbours(void **state)
{
    struct world w;
    hs_text_style style = {.top = HS_SCREEN};
    (void)state;
    set_up(&w, 2);
    w.e.neighbours = HS_NEW_ZERO(hs_neighbour, 7);
    w.e.neighbour_count = 7;
    w.e.neighbours[0] = (hs_neighbour){.instance = 8,
                                       .id = "daf-2",
                                       .label = 1,
                                       .distance = 0.25,
                                       .weight = 4,
                                       .shared = 12,
                                       .here = 3,
                                       .there = 5};
    w.e.neighbours[1].instance = 6;
    has(&w.e, &style, "daf-2", true);
    has(&w.e, &style, "distance 0.25, weight 4, shares 12 (3 only here, 5 only there)", true);
    has(&w.e, &style, "#7", true);
    has(&w.e, &style, "and 2 more\n", true);
    has(&w.e, &(hs_text_style){0}, "and 2 more\n", false);
    has(&w.e, NULL, "\"shared\": 12", true);
    tear_down(&w);
}

static void test_several_classes(void **state)
{
    struct world w;
    char *text;
    (void)state;
    set_up(&w, 6);
    text = written(&w.e, &(hs_text_style){0});
    const char *line = strstr(text, "\npredicted  ");
    assert_non_null(line);
    assert_non_null(strstr(line, ", 2 more)\n"));
    assert_non_null(strstr(text, " others"));
    assert_null(strstr(text, "add up"));
    assert_null(strstr(text, "with the prior"));
    hs_free(text);
    tear_down(&w);
}

static int write_all(void *context, hsel_error *error)
{
    struct world *w = context;
    HS_OWNS(hs_buf_clear) hs_buf text = {0};
    HS_OWNS(hs_writer_release) hs_writer *out = NULL;
    HS_OWNS(hs_drawing_clear) hs_drawing drawing = {0};
    HS_TRY(hs_writer_open_memory(&text, &out, error));
    HS_TRY(hs_explanation_text(&w->e, &(hs_text_style){.whole = true}, out, error));
    HS_TRY(hs_explanation_json(&w->e, out, error));
    HS_TRY(hs_draw_explanation(&drawing, &w->e, 8, error));
    return hs_writer_commit(hs_take(&out), error);
}

static void test_no_memory(void **state)
{
    struct world w;
    (void)state;
    set_up(&w, 2);
    assert_true(hs_oom_each("explanation", write_all, &w) > 10);
    tear_down(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_where_numbers_come_from), cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_several_classes), cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
