/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hsel explain: explains the prediction for an instance, or describes a model.
 */
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"
#include "data/folds.h"
#include "show/explanation.h"

#define TOO_SURE 100.0 /* log-odds that no data of this size can justify */

struct options {
    hs_load_options load;
    hs_predict_options predict;
    hs_picture_options pictures;
    hsel_request request;
    const char *instance, *model, *top;
    hs_list why;
    uint32_t samples;
    int names;
    bool json, whole, allow_violations;
};

static const hs_option table[] = {
    HS_TEXT(struct options, instance, "instance", "ID|LABEL|#NUMBER", NULL,
            "the instance of DATA to explain: its identifier, its label (in any case, if unique), "
            "or # and its number from 1 (quoted for the shell; without # if DATA have no "
            "identifiers)"),
    HS_FILE(
        struct options, model, "model", "MODEL", HS_READS,
        "model file of hsel train (default: learn from the other instances of DATA that --groups, "
        "--time and --test-set allow)"),
    HS_TEXT(struct options, request.selector, "select", "METHOD", NULL,
            "selector, e.g. rpv (default: none)"),
    HS_TEXT(struct options, request.classifier, "classify", "METHOD", NULL,
            "classifier, e.g. nb (default: nb)"),
    HS_TEXT(struct options, top, "top", "N", NULL,
            "show only the N features with the largest absolute log-odds, or the highest relevance "
            "if there are none; 0 shows all selected ones (default: a screen of text; all in JSON "
            "and pictures)"),
    HS_FLAG(struct options, whole, "whole",
            "show all features and the hierarchy around them as a tree"),
    HS_TEXT(struct options, why, "why", "ID|LABEL", NULL,
            "only show why this feature, and the one preferred to it, was kept or dropped; may be "
            "given several times"),
    HS_FLAG(struct options, json, "json", "print JSON"),
    HS_NAMES(struct options),
    HS_OPTION(struct options, request.seed, "seed", "S", "1", 0, 9e15, "seed of random methods"),
    HS_OPTION(struct options, samples, "samples", "N", "0", 0, 1000000000,
              "number of pairs of orders sampled for Owen values, if exact values take too long "
              "(forest, knn, most svm); 0: as many as about 20,000 predictions allow"),
    HS_ALLOW_VIOLATIONS(struct options),
    HS_OPTION_END};

/* Lines as wide as the terminal, in its character set. */
static hs_text_style text_style(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = "", *columns = getenv("COLUMNS");
    struct winsize size;
    uint64_t width = 0;
    for (size_t i = 0; !*locale && i < sizeof names / sizeof names[0]; i++)
        locale = getenv(names[i]) ? getenv(names[i]) : "";
    const char *charset = strchr(locale, '.') ? strchr(locale, '.') + 1 : "";
    size_t length = strcspn(charset, "@");
    if (columns && !hs_parse_u64(columns, strlen(columns), &width))
        width = 0;
    if (!width && isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    return (hs_text_style){
        .width = width < 60 || width > 1000 ? 0 : (size_t)width,
        .ascii =
            !hs_equal_nocase(charset, length, "UTF-8") && !hs_equal_nocase(charset, length, "utf8"),
    };
}

/* Weight 1 for instances to learn from, as in a cross-validation that tests the explained one; else
 * 0. */
static int weigh(const hs_call *call, const hsel_dataset *data, uint32_t explained, double *weights,
                 hsel_error *error)
{
    const bool grouped = hs_role_known(data, HS_ROLE_GROUPS),
               timed = hs_role_known(data, HS_ROLE_TIME),
               tested = hs_role_known(data, HS_ROLE_TEST);
    HS_OWNED bool *learns = HS_NEW(bool, data->instances);
    uint32_t used = 0;
    HS_NEED(learns);
    HS_TRY(hs_learns_for(data, explained, learns, error));
    for (uint32_t i = 0; i < data->instances; i++) {
        weights[i] = learns[i];
        used += learns[i];
    }
    if (grouped || timed || tested)
        hs_note(call, "%s: learned from %u of %u instances%s%s%s", hsel_dataset_name(data), used,
                data->instances, grouped ? ", not from the group of the instance explained" : "",
                timed ? ", only from earlier ones" : "", tested ? ", not from the test set" : "");
    HS_REFUSE(!used, "no instance of %s is left to learn from", hsel_dataset_name(data));
    return HSEL_OK;
}

static int explain_command(const hs_call *call, hsel_error *error)
{
    const struct options *options = call->values;
    HS_OWNS(hs_model_release) hs_model *model = NULL;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL;
    HS_OWNS(hs_explanation_clear) hs_explanation explanation = {0};
    hs_text_style style = text_style();
    uint32_t instance = HSEL_NONE;
    uint64_t top = 0;
    const hs_picture_options *pictures = &options->pictures;
    bool printed = hs_pictures_printed(pictures);
    HS_REFUSE(options->top && (!hs_parse_u64(options->top, strlen(options->top), &top) ||
                               top > HS_FEATURES_LIMIT),
              "option top takes a whole number from 0 to %u, not '%.80s'", HS_FEATURES_LIMIT,
              options->top);
    if (options->model)
        HS_TRY(hs_model_read(options->model, &model, error));
    if (model)
        hs_hide_names(model->shape, options->names);
    if (call->count == 0)
        return hs_show_model(call, model, pictures, options->names, options->json, error);
    HS_TRY(model ? hs_load_like(call, call->arguments[0], &options->load, &options->predict,
                                model->shape, &data, error)
                 : hs_load_for(call, call->arguments[0], &options->load, &data, error));
    if (model && model->selector.method->flags & HS_LAZY)
        HS_TRY(hs_check_rule(data, model->selector.method, false, error));
    HS_TRY(hs_find_instance(data, options->instance, &instance, error));
    hs_hide_names(data, options->names);
    if (!model) {
        HS_OWNED double *weights = HS_NEW(double, data->instances);
        HS_NEED(weights);
        HS_TRY(weigh(call, data, instance, weights, error));
        hs_note_always_positive(call, data);
        hsel_request request = hs_request(call, &options->request, options->load.threads);
        request.weights = weights;
        request.allow_violations = options->allow_violations;
        HS_TRY(hsel_train(data, &request, &model, error));
        hs_progress_end(call->show);
        if (model->data != data) { /* as prepared without the instance */
            hsel_dataset *again = NULL;
            HS_TRY(
                hs_align(data, model->shape, true, &again, &(uint32_t){0}, &(uint32_t){0}, error));
            hs_dataset_free(data);
            data = again;
        }
    }
    if (options->why.count)
        return hs_show_why(model, data, instance, &options->why, options->json, error);
    call->show->noun = "pairs of orders";
    explanation.samples = options->samples;
    explanation.seed = options->request.seed;
    explanation.threads = hs_threads(options->load.threads);
    explanation.progress = hs_progress_begin(call, NULL);
    HS_TRY(hs_explain(model, data, instance, (uint32_t)top, &explanation, error));
    hs_progress_end(call->show);
    HS_REFUSE(options->samples && explanation.reasoning != HS_REASONS_OWEN,
              "--samples is for Owen values, but %s has its own log-odds",
              model->classifier.method->name);
    hs_note_classes(call, model->shape, model->counts.class_size, false);
    if (!hs_explains_number(&explanation) && explanation.log_odds > TOO_SURE &&
        model->shape->numeric_count)
        hs_note(call,
                "log-odds of %.0f show the order of the features, not how certain the prediction "
                "is: %s assumes independent features, which these are not; calibration=platt gives "
                "usable probabilities, --transform presence smaller log-odds",
                explanation.log_odds, model->classifier.method->name);
    if (hs_pictures_wanted(pictures)) {
        HS_OWNS(hs_drawing_clear) hs_drawing drawing = {0};
        HS_TRY(hs_draw_explanation(&drawing, &explanation, pictures->nodes, error));
        HS_TRY(hs_write_pictures(call, &drawing, pictures, error));
        if (printed)
            return HSEL_OK;
    }
    style.whole = options->whole;
    style.top = options->top || options->whole ? 0 : HS_SCREEN;
    HS_OPEN(out, "-");
    HS_TRY(options->json ? hs_explanation_json(&explanation, out, error)
                         : hs_explanation_text(&explanation, &style, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

const hs_command hs_command_explain = {
    HS_COMMAND_IS(explain, "[DATA]", "explain the prediction for an instance, or describe a model",
                  struct options),
    .first = "instance model select classify top why json svg hierarchy class",
    .groups = {{"Options", table, 0},
               {"Pictures", hs_picture_table, offsetof(struct options, pictures)},
               {"Features of DATA", hs_predict_table, offsetof(struct options, predict)},
               {"Data", hs_load_table, offsetof(struct options, load)}},
    .flags = HS_WORKS,
};
