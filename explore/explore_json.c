/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An exploration as JSON, and as one page with it in it.
 */
#include "classify/classify.h"
#include "data/classes.h"
#include "explore/explore_parts.h"

enum { TEXT_BYTES = 100000 }; /* of a model in words */

static const char *const list_names[3][HS_LISTS] = {
    {"certain", "doubtful", "wrong", "asked"},
    {"high", "low", "off", "asked"},                     /* numbers */
    {"candidates", "known_low", "known_high", "asked"}}; /* positives and unlabelled */

/* With so many digits after the point. */
static void number(hs_json *json, double value, double digits)
{
    hs_json_double(json, round(value * digits) / digits + 0.0); /* never -0 */
}
#define CONTRIBUTION 1e4
#define LOG_ODDS     1e6

/* So that so many digits count. */
static double significant(double value, int count)
{
    double digits = pow(10, count - 1 - floor(log10(fabs(value))));
    return isfinite(digits) ? digits : 1;
}

/* Log-odds, or a number in any unit with six significant digits. */
static void amount(hs_json *json, const hs_exploration *e, double value, double digits)
{
    number(json, value, hs_explores_number(e) ? significant(value, 6) : digits);
}

static void index_or_null(hs_json *json, uint32_t index)
{
    hs_json_double(json, index == HSEL_NONE ? (double)NAN : (double)index);
}

/* A list as a member, or with key NULL as an item; values NULL: null. */
static void put_counts(hs_json *json, const char *key, const uint32_t *values, size_t count)
{
    if (key)
        hs_json_key(json, key);
    if (!values) {
        hs_json_text(json, NULL);
        return;
    }
    hs_json_array(json);
    for (size_t i = 0; i < count; i++)
        hs_json_u64(json, values[i]);
    hs_json_end_array(json);
}

static void place_of(hs_json *json, const hs_exploration *e, uint32_t feature)
{
    hs_json_double(json, feature == HSEL_NONE ? -1 : (double)e->place[feature]);
}

static int put_terms(const hs_exploration *e, hs_json *json, hsel_error *error)
{
    const hsel_dataset *data = e->request.data;
    uint32_t column = hs_about_column(&data->about, HS_ABOUT_NAMESPACE);
    HS_OWNS(hs_names_clear) hs_names spaces = {0};
    HS_OWNED uint32_t *space = HS_NEW(uint32_t, e->term_count);
    HS_NEED(space);
    for (uint32_t t = 0; t < e->term_count; t++) {
        const char *name = hs_about_get(&data->about, e->terms[t], column);
        space[t] = HSEL_NONE;
        if (name)
            HS_TRY(hs_names_intern(&spaces, name, strlen(name), &space[t], NULL, error));
    }
    hs_json_put(json, "namespaces:[");
    for (uint32_t i = 0; i < spaces.count; i++)
        hs_json_text(json, hs_names_get(&spaces, i));
    const hsel_dag *dag = e->dag;
    hs_json_put(json, "] relations:[");
    for (uint32_t r = 0; dag && r < dag->relations.count; r++)
        hs_json_text(json, hs_names_get(&dag->relations, r));
    hs_json_put(json, "] terms:{id:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        hs_json_text(json, hsel_dataset_feature_name(data, e->terms[t]));
    hs_json_put(json, "] label:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        hs_json_text(json, hs_about_label(&data->about, e->terms[t]));
    hs_json_put(json, "] namespace:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        index_or_null(json, space[t]);
    hs_json_put(json, "] depth:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        hs_json_u64(json, e->dag ? e->dag->depth[t] : 0);
    /* [class][term]; without classes a separate list. */
    const uint32_t parts = e->counts.classes ? e->counts.classes : 1;
    hs_json_put(json, e->counts.classes ? "] support:[" : "] have:");
    for (uint32_t c = 0; c < parts; c++) {
        hs_json_array(json);
        for (uint32_t t = 0; t < e->term_count; t++)
            if (data->types[e->terms[t]] == HSEL_NOMINAL || e->request.store)
                hs_json_text(json, NULL);
            else
                hs_json_double(json, e->have[(size_t)t * parts + c]);
        hs_json_end_array(json);
    }
    if (parts > 2 && !e->request.store) { /* of two classes one is against the other */
        hs_json_put(json, "] correlation:[");
        for (uint32_t c = 0; c < parts; c++) {
            hs_json_array(json);
            for (uint32_t t = 0; t < e->term_count; t++)
                number(json, e->with[(size_t)t * parts + c], CONTRIBUTION);
            hs_json_end_array(json);
        }
    }
    hs_json_put(json, e->counts.classes ? "] parents:[" : "parents:[");
    for (uint32_t t = 0; t < e->term_count; t++) {
        size_t parents = 0;
        const uint32_t *parent = dag ? hs_parents(dag, t, &parents) : e->terms;
        put_counts(json, NULL, parent, parents);
    }
    hs_json_put(json, "]");
    if (dag && dag->relation) {
        hs_json_put(json, "relation:[");
        for (uint32_t t = 0; t < e->term_count; t++) {
            hs_json_array(json);
            for (uint32_t i = dag->parent_start[t]; i < dag->parent_start[t + 1]; i++)
                hs_json_u64(json, dag->relation[i]);
            hs_json_end_array(json);
        }
        hs_json_put(json, "]");
    }
    if (e->layout) {
        hs_json_put(json, "layout:[");
        for (uint32_t t = 0; t < e->term_count; t++)
            if (isnan(e->layout[t][0]))
                hs_json_text(json, NULL);
            else
                hs_json_put(json, "[%u %u]", (unsigned)lroundf(e->layout[t][0]),
                            (unsigned)lroundf(e->layout[t][1]));
        hs_json_put(json, "]");
    }
    hs_json_put(json, "}");
    return HSEL_OK;
}

/* Of two classes log-odds are for the positive one. */
static double sign_of(const hs_exploration *e, const hs_explanation *why)
{
    return hs_explores_two(e) && why->predicted != e->request.data->positive_class ? -1 : 1;
}

static void put_detail(const hs_exploration *e, const struct hs_explored_run *run,
                       const struct hs_explored_detail *d, hs_json *json)
{
    static const char *const words[] = {[HS_REASONS_NONE] = "none",
                                        [HS_REASONS_TERMS] = "terms",
                                        [HS_REASONS_PATH] = "path",
                                        [HS_REASONS_OWEN] = "owen"};
    enum { NEIGHBOURS = 20 };
    const hsel_dataset *data = e->request.data;
    const hs_explanation *why = &d->why;
    const double sign = sign_of(e, why), rest = sign * (why->rest + why->absent);
    double log_odds = sign * why->prior + rest;
    char key[32];
    size_t positives;
    const uint32_t *row = hs_row(data, why->instance, &positives);
    for (uint32_t i = 0; i < why->count; i++)
        log_odds += sign * why->reasons[i].contribution;
    if (isnan(log_odds))
        log_odds = (run->number ? run->number : run->log_odds)[why->instance];
    key[hs_format_u64(why->instance, key)] = '\0';
    hs_json_put(json, "%s:{baseline:", key);
    amount(json, e, sign * why->prior, LOG_ODDS);
    hs_json_put(json, run->number ? "number:" : "log_odds:");
    amount(json, e, log_odds, LOG_ODDS);
    if (d->calibrated)
        hs_json_put(json, "log_odds_of:%s", "before calibration");
    hs_json_put(json, "reasoning:%s terms:[", words[why->reasoning]);
    for (uint32_t i = 0; i < why->count; i++) {
        const hs_reason *reason = &why->reasons[i];
        hs_json_array(json);
        place_of(json, e, reason->feature);
        if (data->types[reason->feature] == HSEL_NOMINAL && !isnan(reason->value))
            hs_json_text(json, hs_names_get(&data->nominal[data->slot[reason->feature]].values,
                                            (uint32_t)reason->value));
        else
            number(json, reason->value, LOG_ODDS);
        amount(json, e, sign * reason->contribution, CONTRIBUTION);
        amount(json, e, reason->error, CONTRIBUTION);
        hs_json_end_array(json);
    }
    hs_json_put(json, "] rest:[%u", why->selected - why->count);
    amount(json, e, rest, CONTRIBUTION);
    hs_json_put(json, "] verdicts:[");
    for (uint32_t i = 0; i < d->verdict_count; i++) {
        const hs_verdict *v = &d->verdicts[i];
        hs_json_array(json);
        place_of(json, e, v->feature);
        hs_json_put(json, "%u %s", v->kept, hs_rule_table[v->rule].key);
        place_of(json, e, v->by);
        number(json, v->score, CONTRIBUTION);
        number(json, v->other, CONTRIBUTION);
        hs_json_end_array(json);
    }
    hs_json_put(json, "]");
    if (why->neighbour_count) {
        hs_json_put(json, "neighbours:[");
        for (uint32_t i = 0; i < why->neighbour_count && i < NEIGHBOURS; i++) {
            const hs_neighbour *n = &why->neighbours[i];
            hs_json_array(json);
            hs_json_double(json, e->request.model ? -1 : (double)n->instance);
            hs_print(key, sizeof key, "training instance %u", n->instance + 1);
            hs_json_text(json, !e->request.model ? hsel_dataset_id(data, n->instance)
                               : n->id           ? n->id
                                                 : key);
            if (run->number)
                hs_json_double(json, n->target);
            else
                index_or_null(json, n->label);
            number(json, n->distance, CONTRIBUTION);
            hs_json_put(json, "%u %u %u]", n->shared, n->here, n->there);
        }
        hs_json_put(json, "]");
    }
    hs_json_put(json, "has:[");
    for (size_t i = 0; i < positives; i++)
        place_of(json, e, row[i]);
    for (uint32_t t = 0; t < e->term_count; t++) { /* an amount of it */
        double value = data->types[e->terms[t]] == HSEL_NUMERIC
                           ? hs_dataset_value(data, e->terms[t], why->instance)
                           : 0;
        if (value < 0 || value > 0)
            hs_json_u64(json, t);
    }
    hs_json_put(json, "]}");
}

/* A node with those below it, nested at most HS_MODEL_TERMS deep. */
static void put_node(const hs_exploration *e, const struct hs_explored_run *run, uint32_t at,
                     uint32_t depth, hs_json *json)
{
    const hs_tree *tree = run->tree;
    const hsel_dataset *shape = run->model->shape;
    const hs_tree_node *node = &tree->node[at];
    const double *share = hs_tree_share(tree, at);
    bool inner = node->branches && depth < HS_MODEL_TERMS;
    char text[256];
    hs_json_object(json);
    if (inner) {
        hs_json_put(json, "test:%s t:", hsel_dataset_feature_name(shape, node->feature));
        place_of(json, e, node->feature);
    }
    if (tree->numeric) {
        hs_print(text, sizeof text, "%.6g", *share);
        hs_json_put(json, "weight:%g leaf:%s counts:[", tree->weight[at], text);
    } else {
        hs_json_put(json, "leaf:%s counts:[",
                    hsel_dataset_class_name(shape, hs_predicted_class(share, tree->classes)));
        for (uint32_t c = 0; c < tree->classes; c++)
            number(json, tree->weight[at] * share[c], CONTRIBUTION);
    }
    hs_json_put(json, inner ? "] branches:[" : "]");
    for (uint32_t j = 0; inner && j < node->branches; j++) {
        if (node->kind == HSEL_NUMERIC)
            hs_print(text, sizeof text, "%s %.6g", j ? ">" : "<=", node->threshold);
        else if (node->kind == HSEL_NOMINAL)
            hs_print(text, sizeof text, "= %.200s",
                     hs_names_get(&shape->nominal[shape->slot[node->feature]].values, j));
        else
            hs_print(text, sizeof text, "= %u", j);
        hs_json_put(json, "[%s", text);
        put_node(e, run, node->child + j, depth + 1, json);
        hs_json_put(json, "]");
    }
    hs_json_put(json, inner ? "]}" : "}");
}

static void put_model(const hs_exploration *e, const struct hs_explored_run *run, hs_json *json)
{
    hs_json_put(json, "model:{kind:%s of:%s", run->kind, run->weights_of);
    if (run->weight_count) {
        bool terms = strcmp(run->kind, "terms") == 0;
        hs_json_put(json, "%s:[", run->kind);
        for (size_t i = 0; i < hs_explored_terms(e, run); i++) {
            const struct hs_explored_weight *w = &run->weights[i];
            hs_json_array(json);
            place_of(json, e, w->feature);
            number(json, w->value, LOG_ODDS);
            if (terms)
                number(json, w->absent, LOG_ODDS);
            hs_json_end_array(json);
        }
        hs_json_put(json, "]");
    }
    if (run->edges) {
        hs_json_put(json, "network:[");
        for (uint32_t i = 0; i < run->edges; i++) {
            hs_json_array(json);
            place_of(json, e, run->network[i].feature);
            place_of(json, e, run->network[i].on);
            hs_json_end_array(json);
        }
        hs_json_put(json, "]");
    }
    if (run->tree) {
        hs_json_put(json, "tree:");
        put_node(e, run, 0, 0, json);
    }
    if (run->text.length && run->text.length <= TEXT_BYTES)
        hs_json_put(json, "text:%s", run->text.text);
    hs_json_put(json, "}");
}

static int put_run(const hs_exploration *e, const struct hs_explored_run *run, hs_json *json,
                   hsel_error *error)
{
    static const hs_metric usual[] = {
        HS_METRIC_GM,       HS_METRIC_AUROC,       HS_METRIC_AUPRC,
        HS_METRIC_ACCURACY, HS_METRIC_SENSITIVITY, HS_METRIC_SPECIFICITY,
        HS_METRIC_RMSE,     HS_METRIC_R2,          HS_METRIC_SPEARMAN};
    const hs_explore_request *r = &e->request;
    const uint32_t n = r->data->instances;
    const double *scores = run->model ? hs_model_scores(run->model) : NULL;
    const hs_classifier *classifier = run->model ? run->model->classifier.method->classifier : NULL;
    bool pooled = r->model || r->pooled || (r->folds && r->folds->count == n);
    HS_OWNED double *mean = HS_NEW_ZERO(double, e->term_count);
    HS_OWNED uint32_t *times = HS_NEW_ZERO(uint32_t, e->term_count);
    HS_NEED(mean && times);
    for (size_t i = 0; i < run->detail_count; i++) /* if the model has no own terms */
        for (uint32_t j = 0; j < run->details[i].why.count; j++) {
            const hs_explanation *why = &run->details[i].why;
            const hs_reason *reason = &why->reasons[j];
            if (reason->value != 0 && !isnan(reason->contribution)) {
                mean[e->place[reason->feature]] += sign_of(e, why) * reason->contribution;
                times[e->place[reason->feature]]++;
            }
        }
    hs_json_put(
        json, "{selector:%s classifier:%s about:%s lazy:%d how:%s sample:%s of:%u metrics:[",
        run->selector, run->classifier, run->about, run->lazy, r->how, run->sample, run->of);
    for (size_t i = 0; run->measured && i < sizeof usual / sizeof *usual; i++) {
        double value = (pooled ? run->scores.pooled : run->scores.fold_mean)[usual[i]];
        if (!hs_metric_fits(usual[i], hs_explores_number(e)))
            continue;
        hs_json_put(json, "[%s", hs_metric_title(usual[i]));
        amount(json, e, hs_metric_scale(usual[i]) * value, 1e2);
        hs_json_put(json, "]");
    }
    hs_json_put(json, "] terms:{selected:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        hs_json_u64(json, run->selected[e->terms[t]]);
    hs_json_put(json, "] score:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        number(json, scores ? scores[e->terms[t]] : (double)NAN, LOG_ODDS);
    hs_json_put(json, "] direction:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        index_or_null(json, e->direction[t]);
    hs_json_put(json, hs_explores_number(e) ? "] effect:[" : "] log_odds:[");
    for (uint32_t t = 0; t < e->term_count; t++)
        amount(json, e,
               times[t] && isnan(run->term_odds[e->terms[t]]) ? mean[t] / times[t]
                                                              : run->term_odds[e->terms[t]],
               CONTRIBUTION);
    hs_json_put(json, "] importance:");
    if (classifier && classifier->importance) {
        hs_json_array(json);
        for (uint32_t t = 0; t < e->term_count; t++)
            number(json, classifier->importance(hs_model_fitted(run->model), e->terms[t]),
                   LOG_ODDS);
        hs_json_end_array(json);
    } else {
        hs_json_text(json, NULL);
    }
    hs_json_put(json, "} instances:{");
    if (run->number) {
        hs_json_put(json, "number:[");
        for (uint32_t i = 0; i < n; i++)
            amount(json, e, run->number[i], LOG_ODDS);
    } else {
        put_counts(json, "predicted", run->predicted, n);
        hs_json_put(json, "log_odds:[");
        for (uint32_t i = 0; i < n; i++)
            number(json, run->log_odds[i], CONTRIBUTION);
        hs_json_put(json, "] probability:[");
        for (uint32_t i = 0; i < n; i++)
            number(json, run->probability[i], significant(run->probability[i], 4));
        if (run->rank_score)
            hs_json_put(json, "] score:[");
        for (uint32_t i = 0; i < n && run->rank_score; i++)
            hs_json_double(json, run->rank_score[i]);
    }
    hs_json_put(json, "]");
    put_counts(json, "fold", run->fold_of, n);
    hs_json_put(json, "} details:{");
    for (size_t i = 0; i < run->detail_count; i++)
        put_detail(e, run, &run->details[i], json);
    hs_json_put(json, "} lists:{");
    for (int list = 0; list < HS_LISTS; list++)
        put_counts(json,
                   list_names[run->number         ? 1
                              : hs_is_pu(r->data) ? 2
                                                  : 0][list],
                   run->list[list], run->length[list]);
    hs_json_put(json, "}");
    put_model(e, run, json);
    hs_json_put(json, "}");
    return HSEL_OK;
}

int hs_exploration_json(const hs_exploration *e, hs_writer *out, hsel_error *error)
{
    const hs_explore_request *r = &e->request;
    const hsel_dataset *data = r->data;
    hs_json json = {.out = out, .page = true};
    HS_OWNS(hs_buf_clear) hs_buf title = {0};
    hs_buf_text(&title, hsel_dataset_name(data)); /* of several, the page lets one choose */
    if (e->run_count == 1)
        hs_buf_printf(&title, ": %s with %s", e->runs[0].selector, e->runs[0].classifier);
    HS_NEED(!title.failed);
    hs_json_put(&json,
                "{format:%u hsel:%s title:%s command:%s dataset:{name:%s instances:%u "
                "features:%u classes:[",
                1, hsel_version(), title.text, r->command, hsel_dataset_name(data), data->instances,
                data->features);
    for (uint32_t c = 0; c < data->class_names.count; c++)
        hs_json_text(&json, hsel_dataset_class_name(data, c));
    hs_json_put(&json, "]");
    put_counts(&json, "class_sizes", e->counts.class_size, e->counts.classes);
    hs_json_put(&json, "positive:");
    index_or_null(&json, hs_explores_two(e) ? data->positive_class : HSEL_NONE);
    hs_json_put(&json, "candidates:%d", hs_is_pu(data));
    if (hs_explores_number(e)) {
        const hsel_dataset *shape = r->model ? r->model->shape : data;
        hs_json_put(&json, "target:%s", shape->class_attribute ? shape->class_attribute : "target");
    }
    hs_json_put(&json, "provenance:[");
    for (size_t i = 0; i < r->provenance_count; i++)
        hs_json_text(&json, r->provenance[i]);
    hs_json_put(&json, "]} notes:[");
    for (size_t i = 0; i < e->note_count; i++)
        hs_json_text(&json, e->notes[i]);
    hs_json_put(&json, "]");
    HS_TRY(put_terms(e, &json, error));
    hs_json_put(&json, "instances:{id:[");
    for (uint32_t i = 0; i < data->instances; i++)
        hs_json_text(&json, hsel_dataset_id(data, i));
    for (size_t i = 0; i < r->unlabelled_count; i++)
        hs_json_text(&json, r->unlabelled[i].id);
    hs_json_put(&json, "] label:[");
    for (uint32_t i = 0; i < data->instances; i++)
        hs_json_text(&json, hs_about_label(&data->instance_about, i));
    for (size_t i = 0; i < r->unlabelled_count; i++)
        hs_json_text(&json, r->unlabelled[i].label);
    hs_json_put(&json, "] class:[");
    for (uint32_t i = 0; i < data->instances; i++)
        index_or_null(&json, hsel_dataset_class_of(data, i));
    for (size_t i = 0; i < r->unlabelled_count; i++)
        hs_json_text(&json, NULL);
    hs_json_put(&json, "]");
    if (data->target) {
        hs_json_put(&json, "target:[");
        for (uint32_t i = 0; i < data->instances; i++)
            amount(&json, e, data->target[i], LOG_ODDS);
        hs_json_put(&json, "]");
    }
    hs_json_put(&json, "} runs:[");
    for (size_t i = 0; i < e->run_count; i++)
        HS_TRY(put_run(e, &e->runs[i], &json, error));
    hs_json_put(&json, "] rules:{");
    for (int rule = 0; rule < HS_RULES; rule++)
        hs_json_put(&json, "%s:%s", hs_rule_table[rule].key, hs_rule_table[rule].sentence);
    hs_json_put(&json, "}}");
    return HSEL_OK;
}

/* ---- the page ---- */

/* page/head.html: allows only the script of the page, by its hash, and loads nothing */
extern const char hs_explore_head[];

#ifdef HS_WITH_PAGE /* made from explore/page; empty: built without the tool that bundles it */
extern const char hs_explorer_script[], hs_explorer_style[], hs_explorer_body[], hs_explorer_hash[];
#else
static const char hs_explorer_script[] = "", hs_explorer_style[] = "", hs_explorer_body[] = "",
                  hs_explorer_hash[] = "";
#endif

int hs_exploration_page_check(hsel_error *error)
{
    return *hs_explorer_script
               ? HSEL_OK
               : hs_fail(error, HSEL_EUNSUPPORTED,
                         "this program was built without the page: install esbuild, node-d3-zoom, "
                         "node-d3-selection and node-dagre-layout and build it again; {json} "
                         "writes only the data");
}

int hs_exploration_page(const hs_exploration *e, hs_writer *out, hsel_error *error)
{
    HS_TRY(hs_exploration_page_check(error));
    hs_put_template(out, hs_explore_head, hs_explorer_hash, hsel_version(),
                    hsel_dataset_name(e->request.data));
    hs_writer_text(out, hs_explorer_style);
    hs_writer_text(out, "</style>\n</head>\n<body>\n");
    hs_writer_text(out, hs_explorer_body);
    hs_writer_text(out, "<script type=\"application/json\" id=\"data\">");
    HS_TRY(hs_exploration_json(e, out, error));
    hs_writer_text(out, "</script>\n<script>");
    hs_writer_text(out, hs_explorer_script);
    hs_writer_text(out, "</script>\n</body>\n</html>\n");
    return HSEL_OK;
}
