/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data for a selector or model that has learned from other data, and what a model shows.
 */
#include "cli/cli.h"

#include "data/transform.h"
#include "learn/describe.h"

const hs_option hs_predict_table[] = {
    HS_CHOICE(hs_predict_options, features, "features", "exact|intersect", "exact",
              "exact: the features must be the same as in the training data; intersect: drop other "
              "features, and count missing ones as negative"),
    HS_OPTION_END};

int hs_load_like(const hs_call *call, const char *path, const hs_load_options *load,
                 const hs_predict_options *options, const hsel_dataset *shape, hsel_dataset **out,
                 hsel_error *error)
{
    hs_load_options own = *load;
    HS_OWNS(hs_dataset_release) hsel_dataset *data = NULL, *aligned = NULL, *full = NULL;
    uint32_t unknown = 0, missing = 0;
    uint64_t added = 0;
    /* Hierarchy and features are those of the training data. Its own hierarchy is only read to find
     * roots that are dropped. */
    if (!load->drop_roots || shape->recipe) {
        own.no_hierarchy = true;
        own.hierarchy = own.hierarchy_format = NULL;
        own.graph = (hs_graph_options){0};
        own.cycles = HS_CYCLES_ERROR;
    }
    own.columns.positive = NULL;
    own.propagate = false;
    own.min_support = 0;
    own.edges = HS_EDGES_AS_GIVEN;
    if (shape->recipe) { /* its own preparation, and no other */
        HS_TRY(hs_recipe_conflict(shape->recipe->how, load, error));
        own.choose.branch = own.choose.exclude_branch = (hs_list){0};
        own.amounts = (hs_amount_options){0};
        own.drop_roots = false;
    }
    if (shape->target && !own.columns.target && !own.columns.no_class && shape->class_attribute) {
        own.columns.target = shape->class_attribute;
        own.columns.target_optional = true;
    } else if (!own.columns.class_name && !own.columns.no_class && !shape->target &&
               shape->class_attribute) {
        own.columns.class_name = shape->class_attribute;
        own.columns.class_optional = true;
    }
    if (!own.columns.id && shape->id_attribute) {
        own.columns.id = shape->id_attribute;
        own.columns.id_optional = true;
    }
    HS_TRY(hs_load_for(call, path, &own, &data, error));
    for (uint32_t f = 0; f < shape->features; f++) { /* covariates that are in the metadata */
        const char *name = hsel_dataset_feature_name(shape, f);
        if (hs_is_covariate(shape, f) && hs_place_of(data, name).column != HSEL_NONE)
            HS_TRY(hs_covariate_add(&data, name, error));
    }
    HS_TRY(hs_align(data, shape, options->features == 0, &aligned, &unknown, &missing, error));
    if (shape->recipe)
        hs_note(call, "%s was prepared as the training data: %s", hsel_dataset_name(data),
                shape->recipe->how);
    HS_OWNS(hs_buf_clear) hs_buf chain = {0};
    if (!shape->recipe && !hs_amounts_state(data).known)
        HS_TRY(hs_amounts_chain(shape, &chain, error));
    if (chain.length)
        hs_note(call,
                "the training data were transformed by %s before they were read; %s has no record "
                "of its preparation and is assumed to be transformed in the same way",
                chain.text, hsel_dataset_name(data));
    uint32_t empty = 0;
    for (uint32_t i = 0; shape->recipe && shape->numeric_count && i < aligned->instances; i++) {
        bool any = false;
        for (uint32_t f = 0; f < aligned->features && !any; f++)
            any = aligned->types[f] == HSEL_NUMERIC && !hs_is_covariate(aligned, f) &&
                  !isnan(hs_dataset_value(aligned, f, i));
        empty += !any;
    }
    if (empty)
        hs_note(call, "%s no abundances: shares and log-ratios are missing there",
                hs_plural(call->doc, empty, "instance has"));
    if (unknown)
        hs_note(call, "%s not among those of the training data %s left out",
                hs_plural(call->doc, unknown, "feature"), unknown == 1 ? "was" : "were");
    if (missing)
        hs_note(call, "%s of the training data %s missing and taken as negative%s",
                hs_plural(call->doc, missing, "feature"), missing == 1 ? "is" : "are",
                hs_dataset_all_binary(shape) ? "" : " (numeric and nominal ones as unknown)");
    if (load->propagate && !shape->recipe)
        HS_TRY(hs_dataset_propagate(aligned, &full, &added, error));
    if (added)
        hs_note(call, "%s made positive by propagation", hs_plural(call->doc, added, "value was"));
    *out = full ? hs_take(&full) : hs_take(&aligned);
    return HSEL_OK;
}

/* ---- an instance ---- */

int hs_find_instance(const hsel_dataset *data, const char *wanted, uint32_t *out, hsel_error *error)
{
    uint64_t number;
    HS_OWNS(hs_buf_clear) hs_buf near = {0};
    HS_TRY(
        hs_about_search(&data->instance_about, &data->ids, "instance", wanted, out, &near, error));
    if (*out != HSEL_NONE)
        return HSEL_OK;
    bool is_number = *wanted == '#' || !data->ids.count;
    const char *digits = wanted + (*wanted == '#');
    bool found = is_number && hs_parse_u64(digits, strlen(digits), &number) && number >= 1 &&
                 number <= data->instances;
    HS_REFUSE(!found && near.length, "there is no instance '%.200s' in %s%s", wanted,
              hsel_dataset_name(data), near.text);
    HS_REFUSE(!found, "there is no instance '%.200s' in %s: give %s to %s%u", wanted,
              hsel_dataset_name(data),
              !data->ids.count                       ? "a number from 1"
              : hs_has_labels(&data->instance_about) ? "an identifier, a label, or a number from #1"
                                                     : "an identifier, or a number from #1",
              data->ids.count ? "#" : "", data->instances);
    *out = (uint32_t)(number - 1);
    return HSEL_OK;
}

/* ---- a model as a whole ---- */

/* Text: a head, then the description by the classifier; JSON: only the latter. */
static int describe(const hs_model *model, hs_describe_form form, hsel_error *error)
{
    HS_OPEN(out, "-");
    if (form == HS_DESCRIBE_TEXT) {
        hs_writer_for_people(out);
        hs_writer_printf(out,
                         "methods          %s, %s\n"
                         "trained on       %u instances of %s\n"
                         "features         %u",
                         model->selector.text, model->classifier.text, model->counts.instances,
                         hsel_dataset_name(model->shape), model->shape->features);
        if (model->pipeline.mask)
            hs_writer_printf(
                out, ", %zu selected",
                hs_bits_count(model->pipeline.mask, hs_bit_words(model->shape->features)));
        hs_writer_char(out, '\n');
    }
    HS_TRY(hs_model_describe(model, form, out, error));
    return hs_writer_commit(hs_take(&out), error);
}

int hs_show_model(const hs_call *call, hsel_model *model, const hs_picture_options *pictures,
                  int names, bool json, hsel_error *error)
{
    hs_hide_names(model->shape, names);
    if (hs_pictures_wanted(pictures)) {
        HS_OWNS(hs_drawing_clear) hs_drawing drawing = {0};
        HS_TRY(hs_draw_model(&drawing, model, pictures->nodes, error));
        HS_TRY(hs_write_pictures(call, &drawing, pictures, error));
    }
    return hs_pictures_printed(pictures)
               ? HSEL_OK
               : describe(model, json ? HS_DESCRIBE_JSON : HS_DESCRIBE_TEXT, error);
}

/* ---- pictures ---- */

/* Graphviz makes the first ones. */
static const char *const forms[HS_PICTURES] = {"svg", "pdf", "png", "dot", "graphml"};
enum { DOT = 3 };

const hs_option hs_picture_table[] = {
    HS_FILE(hs_picture_options, file[0], "svg", "FILE", HS_WRITES,
            "draw the terms on their hierarchy, or a tree, as SVG (needs Graphviz); for this and "
            "the next four options, - prints the drawing instead of the text"),
    HS_FILE(hs_picture_options, file[1], "pdf", "FILE", HS_WRITES,
            "the same as PDF (needs Graphviz)"),
    HS_FILE(hs_picture_options, file[2], "png", "FILE", HS_WRITES,
            "the same as PNG (needs Graphviz)"),
    HS_FILE(hs_picture_options, file[DOT], "dot", "FILE", HS_WRITES,
            "the same as text for Graphviz, which can be edited before it is drawn"),
    HS_FILE(hs_picture_options, file[4], "graphml", "FILE", HS_WRITES,
            "the same as GraphML, for Cytoscape, Gephi, yEd or networkx"),
    HS_OPTION(hs_picture_options, nodes, "nodes", "N", "60", 0, 1000000000,
              "draw at most N nodes: the most important terms and terms above them; 0 draws all"),
    HS_OPTION_END};

bool hs_pictures_wanted(const hs_picture_options *pictures)
{
    bool wanted = false;
    for (int i = 0; i < HS_PICTURES; i++)
        wanted |= pictures->file[i] != NULL;
    return wanted;
}

bool hs_pictures_printed(const hs_picture_options *pictures)
{
    bool printed = false;
    for (int i = 0; i < HS_PICTURES; i++)
        printed |= pictures->file[i] && strcmp(pictures->file[i], "-") == 0;
    return printed;
}

/* All are made before the first is written. */
int hs_write_pictures(const hs_call *call, const hs_drawing *drawing,
                      const hs_picture_options *pictures, hsel_error *error)
{
    HS_OWNS(hs_buf_clear) hs_buf svg = {0}, pdf = {0}, png = {0};
    hs_buf *drawn[] = {&svg, &pdf, &png};
    for (int i = 0; i < DOT; i++)
        if (pictures->file[i])
            HS_TRY(hs_drawing_run(drawing, forms[i], drawn[i], error));
    for (int i = 0; i < HS_PICTURES; i++) {
        if (!pictures->file[i])
            continue;
        HS_OPEN(out, pictures->file[i]);
        if (i < DOT)
            hs_writer_put(out, drawn[i]->text, drawn[i]->length);
        else if (i == DOT)
            HS_TRY(hs_drawing_dot(drawing, out, error));
        else
            hs_drawing_graphml(drawing, out);
        HS_TRY(hs_writer_commit(hs_take(&out), error));
    }
    if (hs_pictures_wanted(pictures) && drawing->drawn < drawing->of)
        hs_note(call, "the picture has %u of %u %s; --nodes 0 draws all", drawing->drawn,
                drawing->of, drawing->is_a ? "terms" : "nodes");
    return HSEL_OK;
}

/* ---- why a feature was kept or dropped ---- */

int hs_show_why(const hs_model *model, const hsel_dataset *data, uint32_t instance,
                const hs_list *features, bool json, hsel_error *error)
{
    HS_OWNS(hs_model_scratch_clear) hs_model_scratch scratch = {0};
    HS_OWNS(hs_buf_clear) hs_buf near = {0}, text = {0};
    HS_OPEN(out, "-");
    hs_json to = {.out = out};
    HS_TRY(hs_model_look(&scratch, model, data, instance, error));
    if (json)
        hs_json_array(&to);
    else
        hs_writer_for_people(out);
    for (size_t i = 0; i < features->count; i++) {
        uint32_t feature;
        near.length = 0;
        HS_TRY(hs_about_search(&data->about, &data->feature_names, "feature", features->items[i],
                               &feature, &near, error));
        HS_REFUSE(feature == HSEL_NONE, "there is no feature '%.200s' in %s%s", features->items[i],
                  hsel_dataset_name(data), near.length ? near.text : "");
        while (feature != HSEL_NONE) {
            hs_verdict verdict;
            char label[HS_LABEL_ROOM];
            hs_model_why(&scratch, data, instance, feature, &verdict);
            text.length = 0;
            hs_verdict_text(&verdict, data, &text);
            HS_NEED(!text.failed);
            if (json)
                hs_json_verdict(&to, &verdict, data);
            else
                hs_writer_printf(out, "%s%s is %s\n", hsel_dataset_feature_name(data, feature),
                                 hs_label_after(&data->about, feature, label), text.text);
            feature = verdict.by;
        }
    }
    if (json)
        hs_json_end_array(&to);
    return hs_writer_commit(hs_take(&out), error);
}

/* ---- features selected for an instance ---- */

void hs_hide_names(hsel_dataset *data, int names)
{
    if (names == 0)
        return;
    hs_about_clear(&data->about);
    hs_about_clear(&data->instance_about);
}

void hs_put_label(hs_doc_grid *grid, const char *label, bool whole)
{
    char cut[HS_LABEL_ROOM];
    if (!label || whole)
        HS_ROW(grid, label ? label : "");
    else
        hs_putf(grid, "%s", hs_show_cut(label, HS_LABEL_WIDTH, cut, sizeof cut));
}

void hs_json_instance(hs_json *json, const hsel_dataset *data, uint32_t instance)
{
    hs_json_put(json, "{instance:%u id:%s", instance + 1, hsel_dataset_id(data, instance));
    hs_label_json(json, &data->instance_about, instance);
}

#define PART          65536 /* instances predicted at a time */
#define PART_SELECTED 2048  /* the same if features are listed */

void hs_predicted_clear(hs_predicted *p)
{
    HS_FREE(p->probability, p->score, p->selected, p->index, p->start, p->order);
}

static uint32_t part_size(const hs_predicted *p, uint32_t left)
{
    const uint32_t most = p->sorted ? HSEL_NONE : p->features ? PART_SELECTED : PART;
    return left < most ? left : most;
}

int hs_predicted_init(hs_predicted *p, const hs_call *call, int threads, hsel_error *error)
{
    const size_t part = part_size(p, p->data->instances);
    p->classes = p->predicts ? hsel_model_classes(p->model) : 0;
    p->answers = p->classes ? p->classes : 1;
    p->probability = HS_NEW(double, part * p->classes);
    p->score = HS_NEW(double, part * p->answers);
    p->selected = HS_NEW(uint32_t, part);
    p->start = p->features ? HS_NEW(uint64_t, part + 1) : NULL;
    p->order = HS_NEW(uint32_t, p->features ? p->data->features : 0);
    HS_NEED(p->probability && p->score && p->selected && p->order && !p->start == !p->features);
    call->show->noun = "instances";
    p->request = hs_request(call, NULL, threads);
    p->request.weights = p->weight;
    p->request.selected_start = p->start;
    p->request.selected_index = &p->index;
    return HSEL_OK;
}

int hs_predicted_next(hs_predicted *p, bool *more, hsel_error *error)
{
    hsel_request *request = &p->request;
    request->first += request->count;
    *more = request->first < p->data->instances;
    if (!*more)
        return HSEL_OK;
    request->count = part_size(p, p->data->instances - request->first);
    hsel_free(hs_take(&p->index));
    return p->predicts ? hsel_predict(p->model, p->data, request, p->probability, p->score,
                                      p->selected, error)
                       : hsel_select_each(p->model, p->data, request, p->start, &p->index, error);
}

/* The class of the highest score. */
static const char *class_of(const hs_predicted *p, uint32_t at)
{
    return hsel_model_class_name(
        p->model, hs_predicted_class(p->score + (size_t)at * p->answers, p->classes));
}

/* Puts the features selected for an instance into p->order, the *positive ones first, and returns
 * their number. */
static uint32_t order_features(const hs_predicted *p, uint32_t at, uint32_t *positive)
{
    uint32_t count = 0;
    size_t positives;
    const uint32_t *row = hs_row(p->data, p->request.first + at, &positives);
    for (int negative = 0; p->start && negative < 2; negative++) {
        *positive = count;
        for (uint64_t i = p->start[at], next = 0; i < p->start[at + 1]; i++) {
            while (next < positives && row[next] < p->index[i])
                next++;
            if ((next < positives && row[next] == p->index[i]) != negative)
                p->order[count++] = p->index[i];
        }
    }
    return p->start ? count : p->selected[at];
}

static void json_predicted(const hs_predicted *p, uint32_t at, hs_writer *out)
{
    const hsel_dataset *data = p->data;
    uint32_t positive = 0;
    const uint32_t i = p->request.first + at, count = order_features(p, at, &positive),
                   column = hs_about_column(&data->about, HS_ABOUT_LABEL);
    hs_json json = {.out = out, .compact = true};
    char number[32];
    hs_json_instance(&json, data, i);
    if (p->classes)
        hs_json_put(&json, "predicted:%s probabilities:{", class_of(p, at));
    else if (p->predicts)
        hs_json_put(&json, "predicted:%g", p->score[at]);
    for (uint32_t c = 0; c < p->classes; c++)
        hs_json_put(&json, "%s:%g", hsel_model_class_name(p->model, c),
                    p->probability[(size_t)at * p->classes + c]);
    hs_json_put(&json, p->classes ? p->scores ? "} scores:{" : "}" : "");
    for (uint32_t c = 0; p->scores && c < p->classes; c++)
        hs_json_put(&json, "%s:%g", hsel_model_class_name(p->model, c),
                    p->score[(size_t)at * p->classes + c]);
    hs_json_put(&json, p->scores && p->classes ? "} selected:%u" : "selected:%u", count);
    hs_json_put(&json, p->start ? "features:{" : "");
    for (uint32_t k = 0; p->start && k < count; k++) {
        const uint32_t f = p->order[k];
        hs_json_key(&json, hsel_dataset_feature_name(data, f));
        if (data->types[f] == HSEL_NOMINAL)
            hs_json_text(&json, hs_dataset_text(data, f, i, number));
        else
            hs_json_double(&json, data->types[f] == HSEL_BINARY ? k < positive
                                                                : hs_dataset_value(data, f, i));
    }
    if (p->start && column != HSEL_NONE) {
        hs_json_put(&json, "} labels:{");
        for (uint32_t k = 0; k < count; k++)
            hs_json_put(&json, "%s:%s", hsel_dataset_feature_name(data, p->order[k]),
                        hs_about_get(&data->about, p->order[k], column));
    }
    hs_json_put(&json, p->start ? "}}" : "}");
}

static void tsv_predicted(const hs_predicted *p, uint32_t at, hs_writer *out)
{
    const hsel_dataset *data = p->data;
    uint32_t positive = 0;
    const uint32_t i = p->request.first + at, count = order_features(p, at, &positive),
                   column = hs_about_column(&data->about, HS_ABOUT_LABEL);
    char number[32];
    if (hsel_dataset_id(data, i))
        hs_put_tsv(out, hsel_dataset_id(data, i));
    else
        hs_writer_u64(out, (uint64_t)i + 1);
    hs_label_tsv(out, &data->instance_about, i);
    if (p->classes)
        HS_TSV(out, class_of(p, at));
    else if (p->predicts)
        HS_TSV(out, p->score[at]);
    for (uint32_t c = 0; c < p->classes; c++)
        HS_TSV(out, p->probability[(size_t)at * p->classes + c]);
    for (uint32_t c = 0; p->scores && c < p->classes; c++)
        HS_TSV(out, p->score[(size_t)at * p->classes + c]);
    HS_TSV(out, count);
    for (uint32_t k = 0; p->start && k < count; k++) {
        const uint32_t f = p->order[k];
        const char *label = hs_about_get(&data->about, f, column);
        HS_TSV(out, hs_names_get(&data->feature_names, f));
        if (data->types[f] == HSEL_BINARY) {
            hs_writer_text(out, k < positive ? "=1" : "=0");
        } else {
            const char *value = hs_dataset_text(data, f, i, number);
            hs_writer_char(out, '=');
            hs_put_tsv(out, value ? value : "?");
        }
        if (label) {
            hs_writer_char(out, ' ');
            hs_put_tsv(out, label);
        }
    }
    hs_writer_char(out, '\n');
}

/* All instances, those left out last, by descending score of the class, or number. */
static int put_sorted(hs_predicted *p, hs_writer *out, hsel_error *error)
{
    const uint32_t all = p->request.count;
    HS_OWNED double *key = HS_NEW(double, all);
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, all);
    HS_NEED(key && order);
    for (uint32_t i = 0; i < all; i++)
        key[i] = p->weight && p->weight[i] == 0 ? (double)NAN
                                                : p->score[(size_t)i * p->answers + p->best];
    hs_order_all(key, HS_DOWNWARDS, order, all);
    uint32_t put = 0;
    for (uint32_t i = 0; i < all && (!p->top || put < p->top); i++)
        if (!p->weight || p->weight[order[i]] > 0) {
            (p->json ? json_predicted : tsv_predicted)(p, order[i], out);
            put++;
        }
    return HSEL_OK;
}

static void put_heading(const hs_predicted *p, const char *what, hs_writer *out)
{
    for (uint32_t c = 0; c < p->classes; c++) {
        hs_writer_printf(out, "\t%s(", what);
        hs_put_tsv(out, hsel_model_class_name(p->model, c));
        hs_writer_char(out, ')');
    }
}

int hs_put_predictions(hs_predicted *p, hs_writer *out, hsel_error *error)
{
    const bool labels = hs_has_labels(&p->data->instance_about);
    if (!p->json) {
        hs_writer_printf(out, "instance%s%s", labels ? "\tlabel" : "",
                         p->predicts ? "\tpredicted" : "");
        put_heading(p, "P", out);
        if (p->scores)
            put_heading(p, "score", out);
        hs_writer_text(out, p->features ? "\tselected\tfeatures…\n" : "\tselected\n");
    }
    p->request.first = p->request.count = 0;
    for (bool more;;) {
        HS_TRY(hs_predicted_next(p, &more, error));
        if (!more)
            return HSEL_OK;
        if (p->sorted)
            HS_TRY(put_sorted(p, out, error));
        for (uint32_t at = 0; !p->sorted && at < p->request.count; at++)
            if (!p->weight || p->weight[p->request.first + at] > 0)
                (p->json ? json_predicted : tsv_predicted)(p, at, out);
    }
}
