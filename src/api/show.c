/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of hsel.h for explanations, descriptions, drawings and comparisons.
 */
#include "api/api.h"
#include "learn/describe.h"
#include "rank/rank.h"
#include "show/comparison.h"
#include "show/drawing.h"
#include "show/explanation.h"
#include "show/terms.h"

#define MOST_METHODS 1000 /* in a comparison: pairs are tested one by one, and each is kept */

/* ---- drawings ---- */

/* Forms of a drawing that need no other program. */
static bool is_drawing(const char *form)
{
    return strcmp(form, "dot") == 0 || strcmp(form, "graphml") == 0;
}

static int give_drawing(const hs_drawing *drawing, const char *form, char **text, hsel_error *error)
{
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    HS_TRY(hs_memo_open(&memo, error));
    if (strcmp(form, "dot") == 0)
        HS_TRY(hs_drawing_dot(drawing, memo.out, error));
    else
        hs_drawing_graphml(drawing, memo.out);
    HS_TRY(hs_memo_end(&memo, error));
    *text = hs_take(&memo.text.text);
    return HSEL_OK;
}

static int check_drawing(const char *form, hsel_error *error)
{
    return form && is_drawing(form)
               ? HSEL_OK
               : hs_fail(error, HSEL_EUSAGE, "unknown form of drawing '%.80s': use dot or graphml",
                         form ? form : "");
}

/* 0: so many that one can read it; HSEL_NONE: all. */
static uint32_t limit_of(uint32_t nodes)
{
    return nodes == 0 ? HS_DRAWN_NODES : nodes == HSEL_NONE ? 0 : nodes;
}

int hsel_model_describe(const hsel_model *model, const char *form, char **text, hsel_error *error)
{
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    HS_TRY(hs_api_classifies(model, error));
    const bool json = form && strcmp(form, "json") == 0;
    HS_REFUSE(!json && !(form && strcmp(form, "text") == 0),
              "unknown form of description '%.80s': use text or json", form ? form : "");
    HS_TRY(hs_memo_open(&memo, error));
    HS_TRY(hs_model_describe(model, json ? HS_DESCRIBE_JSON : HS_DESCRIBE_TEXT, memo.out, error));
    return hs_api_text(&memo, text, error);
}

int hsel_model_draw(const hsel_model *model, const char *form, uint32_t nodes, char **text,
                    hsel_error *error)
{
    HS_OWNS(hs_drawing_clear) hs_drawing drawing = {0};
    HS_TRY(hs_api_classifies(model, error));
    HS_TRY(check_drawing(form, error));
    HS_TRY(hs_draw_model(&drawing, model, limit_of(nodes), error));
    return give_drawing(&drawing, form, text, error);
}

int hsel_dataset_draw(const hsel_dataset *data, const hsel_draw_request *given, char **text,
                      hsel_error *error)
{
    hsel_draw_request request;
    HS_OWNS(hs_drawing_clear) hs_drawing drawing = {0};
    HS_TRY(HS_REQUEST_TAKE(given, &request, hsel_draw_request, error));
    HS_TRY(check_drawing(request.form, error));
    HS_OWNED double *size = HS_NEW(double, data->features);
    HS_OWNED uint32_t *ranked = HS_NEW(uint32_t, data->features);
    HS_OWNED uint64_t *mask = HS_NEW_ZERO(uint64_t, hs_bit_words(data->features));
    HS_OWNED uint8_t *keep = NULL;
    HS_OWNED double *value = NULL;
    HS_NEED(size && ranked && mask);
    HS_COPY_ARRAY(keep, request.keep, data->features);
    HS_COPY_ARRAY(value, request.value, data->features);
    double most = 0;
    for (uint32_t f = 0; f < data->features; f++) {
        size[f] = request.value && !isnan(request.value[f]) ? fabs(request.value[f]) : 0;
        if (request.keep && !request.keep[f])
            continue;
        hs_bit_set(mask, f);
        most = fmax(most, size[f]);
    }
    drawing.title = request.title ? hs_say(&drawing.doc, "%s", request.title) : NULL;
    drawing.legend = request.legend ? hs_say(&drawing.doc, "%s", request.legend) : NULL;
    uint32_t count = hs_rank_order(size, data->features, mask, ranked);
    if (!request.value && data->dag) { /* none is more important: the upper ones first */
        count = 0;
        for (uint32_t i = 0; i < data->features; i++)
            if (hs_bit_get(mask, data->dag->order[i]))
                ranked[count++] = data->dag->order[i];
    }
    HS_TRY(hs_draw_features(
        &drawing,
        &(hs_drawn_features){
            .data = data, .ranked = ranked, .count = count, .limit = limit_of(request.nodes)},
        error));
    for (hs_box *box = drawing.boxes; box < drawing.boxes + drawing.box_count; box++) {
        if (!keep || box->feature == HSEL_NONE || !keep[box->feature])
            continue;
        box->chosen = true;
        box->value = value ? value[box->feature] : (double)NAN;
        box->shade = isnan(box->value) ? 0.3 : most > 0 ? box->value / most : 0;
        if (!isnan(box->value))
            box->text = hs_say(&drawing.doc, "%.5g", box->value);
    }
    return give_drawing(&drawing, request.form, text, error);
}

int hsel_model_explain(const hsel_model *model, const hsel_dataset *data, uint32_t instance,
                       uint32_t top, const char *form, char **text, hsel_error *error)
{
    HS_OWNS(hs_dataset_release) hsel_dataset *made = NULL;
    HS_OWNS(hs_explanation_clear) hs_explanation explanation = {0};
    HS_OWNS(hs_drawing_clear) hs_drawing drawing = {0};
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    bool json = strcmp(form, "json") == 0, plain = strcmp(form, "text") == 0;
    HS_TRY(hs_api_classifies(model, error));
    HS_REFUSE(instance >= data->instances, "there is no instance %u: there are %u", instance,
              data->instances);
    HS_REFUSE(!json && !plain && !is_drawing(form),
              "unknown form of explanation '%.80s': use text, json, dot or graphml", form);
    HS_TRY(hs_api_match(model, &data, &made, error));
    HS_TRY(hs_explain(model, data, instance, top, &explanation, error));
    if (is_drawing(form)) {
        HS_TRY(hs_draw_explanation(&drawing, &explanation, HS_DRAWN_NODES, error));
        return give_drawing(&drawing, form, text, error);
    }
    HS_TRY(hs_memo_open(&memo, error));
    const hs_text_style style = {.top = top ? 0 : HS_SCREEN};
    HS_TRY(json ? hs_explanation_json(&explanation, memo.out, error)
                : hs_explanation_text(&explanation, &style, memo.out, error));
    return hs_api_text(&memo, text, error);
}

/* ---- comparisons ---- */

int hsel_compare(const hsel_compare_request *given, char **json, char **text, hsel_error *error)
{
    hsel_compare_request request;
    HS_TRY(HS_REQUEST_TAKE(given, &request, hsel_compare_request, error));
    request.alpha = request.alpha == 0 ? 0.05 : request.alpha;
    HS_REFUSE(request.methods < 1 || request.datasets < 1 || request.methods > MOST_METHODS,
              "a comparison needs 1 to %d methods and at least one data set", MOST_METHODS);
    HS_REFUSE(!request.value || !request.dataset_names || !request.method_names,
              "a comparison needs values and names");
    HS_REFUSE(!(request.alpha > 0 && request.alpha <= 0.5),
              "alpha must be above 0 and at most 0.5, not %g", request.alpha);
    HS_REFUSE(!(request.tolerance >= 0), "the tolerance must be 0 or more, not %g",
              request.tolerance);
    HS_OWNS(hs_comparison_clear) hs_comparison comparison = {0};
    HS_OWNED const char **names = HS_NEW(const char *, (size_t)request.methods + request.datasets);
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    HS_OWNED char *as_json = NULL, *as_text = NULL, *as_svg = NULL;
    HS_OWNED double *own = NULL, *covariate = NULL;
    HS_NEED(names);
    HS_COPY_ARRAY(own, request.value, (size_t)request.datasets * request.methods);
    HS_COPY_ARRAY(covariate, request.covariate, request.datasets);
    const char *name = request.method_names;
    size_t control = SIZE_MAX, named = 0;
    for (uint32_t i = 0; i < request.methods; i++, name += strlen(name) + 1) {
        names[i] = name;
        if (request.control && strcmp(name, request.control) == 0 && ++named)
            control = i;
    }
    HS_REFUSE(named > 1, "the control, %.80s, is the name of two methods", request.control);
    const int near =
        request.control && !named ? hs_nearest(request.control, names, request.methods) : -1;
    HS_REFUSE(request.control && !named, "the control, %.80s, is not one of the methods%s%.80s%s",
              request.control, near < 0 ? "" : "; did you mean ", near < 0 ? "" : names[near],
              near < 0 ? "" : "?");
    name = request.dataset_names;
    for (uint32_t i = 0; i < request.datasets; i++, name += strlen(name) + 1)
        names[request.methods + i] = name;
    HS_TRY(hs_comparison_make(
        &(hs_comparison_request){.results = {request.datasets, request.methods, request.value,
                                             request.lower_is_better != 0},
                                 .methods = names,
                                 .datasets = names + request.methods,
                                 .control = control,
                                 .alpha = request.alpha,
                                 .tolerance = request.tolerance,
                                 .one_sided = request.one_sided != 0,
                                 .keep_zeros = request.keep_zeros != 0,
                                 .all_pairs = request.all_pairs != 0,
                                 .covariate = request.covariate,
                                 .covariate_name = request.covariate_name},
        &comparison, error));
    if (request.diagram)
        HS_API_TEXT(&as_svg, memo, hs_cd_svg(&comparison, memo.out, error));
    if (json)
        HS_API_TEXT(&as_json, memo,
                    hs_comparison_json(&comparison, &(hs_json){.out = memo.out}, error));
    if (text)
        HS_API_TEXT(&as_text, memo, hs_comparison_print(&comparison, memo.out, error));
    if (json)
        *json = hs_take(&as_json);
    if (text)
        *text = hs_take(&as_text);
    if (request.diagram)
        *request.diagram = hs_take(&as_svg);
    return HSEL_OK;
}

int hsel_terms(const hsel_dataset *data, const hsel_request *request, const char *options,
               const char *form, char **text, hsel_error *error)
{
    HS_OWNS(hs_api_end) hs_api_call call;
    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    HS_OWNS(hs_term_table_clear) hs_term_table table = {0};
    HS_OWNS(hs_memo_clear) hs_memo memo = {0};
    hs_term_options chosen = {0};
    HS_TRY(hs_api_begin(&call, request, HS_NO_WEIGHTS, error));
    HS_TRY(hs_options_defaults(hs_term_table_options, &chosen, &arena, error));
    HS_TRY(hs_options_parse(hs_term_table_options, &chosen, options ? options : "", "terms", &arena,
                            error));
    chosen.tests.seed = call.request.seed;
    chosen.tests.threads = call.request.threads;
    chosen.tests.progress = call.progress;
    chosen.tests.note = call.request.note;
    chosen.tests.context = call.request.context;
    HS_TRY(hs_term_table_make(data, &chosen, &table, error));
    HS_TRY(hs_memo_open(&memo, error));
    HS_TRY(hs_term_table_write(&table, form ? form : "text", memo.out, error));
    if (form && strcmp(form, "json") == 0)
        hs_writer_char(memo.out, '\n');
    HS_TRY(hs_memo_end(&memo, error));
    while (memo.text.length > 1 && memo.text.text[memo.text.length - 1] == '\n' &&
           memo.text.text[memo.text.length - 2] == '\n')
        memo.text.text[--memo.text.length] = 0;
    *text = hs_take(&memo.text.text);
    return HSEL_OK;
}
