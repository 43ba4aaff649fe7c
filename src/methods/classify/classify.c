/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What classifiers share.
 */
#include "classify/classify.h"

#include "stats/metrics.h"

void hs_normalise_logs(double *value, double *score, uint32_t classes)
{
    uint32_t best = hs_predicted_class(value, classes);
    double first = value[best], second = -INFINITY, total = 0, rest = 0;
    for (uint32_t c = 0; c < classes; c++) {
        second = c != best && value[c] > second ? value[c] : second;
        score[c] = value[c];
        total += value[c] = exp(value[c] - first);
    }
    if (classes == 2) {
        score[1] -= score[0];
        score[0] = -score[1];
    } else { /* log p_c / (1 - p_c) */
        for (uint32_t c = 0; c < classes && second > -INFINITY; c++)
            rest += c == best ? 0 : exp(score[c] - second);
        score[best] = second > -INFINITY ? first - second - log(rest) : INFINITY;
        for (uint32_t c = 0; c < classes; c++) {
            if (c == best)
                continue;
            score[c] = score[c] - first - log(total - value[c]);
            if (score[c] >= score[best]) /* by rounding: the best stays the best */
                score[c] = c > best ? score[best] : nextafter(score[best], -INFINITY);
        }
    }
    for (uint32_t c = 0; c < classes; c++)
        value[c] /= total;
}

double hs_log_loss(const double *score, size_t stride, const uint32_t *part_of, uint32_t classes,
                   uint32_t label, double none)
{
    double most = -INFINITY, total = 0, own = 0;
    if (classes == 2) {
        const double margin = label ? *score : -*score;
        return log1p(exp(-fabs(margin))) + fmax(0, -margin);
    }
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t c = 0; c < classes; c++) {
            const double says = part_of[c] == HSEL_NONE ? none : score[part_of[c] * stride];
            most = pass ? most : fmax(most, says);
            total += pass ? exp(says - most) : 0;
            own = c == label ? says : own;
        }
    return log(total) + most - own;
}

double hs_contributions_of_terms(const double *prior, const double *term, uint32_t features,
                                 uint32_t classes, uint32_t label, double *contribution)
{
    double largest = -INFINITY, total = 0, found = prior[label];
    for (uint32_t f = 0; f < features; f++)
        contribution[f] = term[(size_t)f * classes + label];
    for (int pass = 0; pass < 3; pass++) /* the largest of the others, their sum, their shares */
        for (uint32_t c = 0; c < classes; c++) {
            double sum = prior[c], less;
            if (c == label)
                continue;
            for (uint32_t f = 0; f < features; f++)
                sum += term[(size_t)f * classes + c];
            if (pass == 0)
                largest = fmax(largest, sum);
            less = sum - largest;
            if (pass == 1)
                total += exp(less);
            if (pass < 2)
                continue;
            double share = exp(less) / total;
            found -= share * (prior[c] - (less - log(total)));
            for (uint32_t f = 0; f < features; f++)
                contribution[f] -= share * term[(size_t)f * classes + c];
        }
    return found;
}

hs_selection hs_selected(const hs_batch *batch, const uint32_t *row, size_t count)
{
    hs_selection all = {.positive = (uint32_t *)(uintptr_t)row,
                        .positive_count = (uint32_t)count,
                        .all_negative = true};
    hs_selection selected = batch->selection ? *batch->selection : all;
    selected.negative_count = selected.all_negative ? 0 : selected.negative_count;
    return selected;
}

int hs_add_contributions(const void *model, const hs_batch *one, void *scratch,
                         const double *log_prior, uint32_t classes, uint32_t label,
                         hs_add_terms *add, double *prior, double *contribution, hsel_error *error)
{
    const uint32_t features = one->data->features;
    size_t count;
    const uint32_t *row = hs_row(one->data, one->instances[0], &count);
    HS_OWNED double *term = HS_NEW_ZERO(double, (size_t)features *classes);
    HS_NEED(term);
    const hs_selection selected = hs_selected(one, row, count);
    for (uint32_t f = 0; f < features; f++)
        if (hs_selection_has(&selected, row, count, f))
            add(model, one, scratch, f, hs_find_ascending(row, count, f) != HSEL_NONE,
                term + (size_t)f * classes);
    *prior = hs_contributions_of_terms(log_prior, term, features, classes, label, contribution);
    return HSEL_OK;
}

static int by_weight(const void *a, const void *b)
{
    const hs_weighted *x = a, *y = b;
    if (fabs(x->weight) != fabs(y->weight))
        return fabs(x->weight) > fabs(y->weight) ? -1 : 1;
    if (x->feature != y->feature)
        return x->feature < y->feature ? -1 : 1;
    return (x->code > y->code) - (x->code < y->code);
}

void hs_heaviest_first(hs_weighted *list, uint32_t count)
{
    qsort(list, count, sizeof *list, by_weight);
}

const char *hs_value_name(const hsel_dataset *shape, uint32_t feature, uint32_t code)
{
    if (shape->types[feature] != HSEL_NOMINAL || !shape->slot)
        return NULL;
    const hs_names *values = &shape->nominal[shape->slot[feature]].values;
    return code < values->count ? hs_names_get(values, code) : NULL;
}

void hs_scores_of_shares(const double *probability, double *score, uint32_t classes)
{
    memcpy(score, probability, classes * sizeof *score);
    if (classes == 2) {
        score[1] = probability[1] - probability[0];
        score[0] = -score[1];
    }
}

int hs_classifier_write(const hs_classifier *classifier, const void *model, hs_writer *out,
                        hsel_error *error)
{
    return classifier->fields((void *)(uintptr_t)model, NULL, &(hs_transfer){.out = out}, error);
}

int hs_classifier_take(const hs_classifier *classifier, hs_transfer *file,
                       const hsel_dataset *shape, void **model, hsel_error *error)
{
    void *made = classifier->make(shape);
    HS_NEED(made);
    int status = classifier->fields(made, shape, file, error);
    if (status == HSEL_OK && file->left == 0) {
        *model = made;
        return HSEL_OK;
    }
    classifier->free(made);
    if (status == HSEL_OK || status == HSEL_EFORMAT)
        return hs_fail(error, HSEL_EFORMAT, "the %s model is truncated or damaged",
                       classifier->name);
    return status;
}

/* ---- options of every classifier ---- */

const hs_option hs_adjust_table[] = {HS_ADJUST, HS_OPTION_END};

double hs_adjust_probability(const hs_adjust_options *options)
{
    char *end;
    double number = strtod(options->threshold, &end);
    return end != options->threshold && *end == '\0' ? number : (double)NAN;
}

const hs_adjust_options *hs_adjust_of(const hs_chosen *classifier)
{
    const hs_option *table = classifier->method->options;
    bool has = table && strcmp(table->name, hs_adjust_table->name) == 0; /* they come first */
    return has ? classifier->options : NULL;
}

bool hs_adjust_moves(const hs_adjust_options *options)
{
    return options->calibration == HS_CALIBRATION_PLATT ||
           options->calibration == HS_CALIBRATION_ISOTONIC ||
           strcmp(options->threshold, "none") != 0;
}

bool hs_adjust_weighs(const hs_chosen *classifier)
{
    const hs_adjust_options *options = hs_adjust_of(classifier);
    return options && options->weights && strcmp(options->weights, "none") != 0;
}

/* The first of the weights in *at, which is moved behind it and its separator; NaN: it is wrong. */
static double next_weight(const char **at)
{
    size_t length = strcspn(*at, "/");
    double weight;
    bool good = hs_parse_double(*at, length, &weight) && weight > 0 && isfinite(weight);
    *at += length;
    *at += **at == '/' && (*at)[1];
    return good ? weight : (double)NAN;
}

static bool weights_are_sound(const char *text)
{
    if (strcmp(text, "none") == 0 || strcmp(text, "balanced") == 0)
        return true;
    do {
        if (isnan(next_weight(&text)))
            return false;
    } while (*text && *text != '/');
    return *text == '\0';
}

static int learn_weights(const hs_chosen *classifier, const hs_training *training, double *weight,
                         hsel_error *error)
{
    const char *text = hs_adjust_of(classifier)->weights;
    const hs_view *view = &training->view;
    const hs_names *names = &view->data->class_names;
    uint32_t given = 1, present = 0;
    double all = 0;
    if (strcmp(text, "balanced") == 0) {
        for (uint32_t i = 0; i < view->row_count; i++) {
            uint32_t row = hs_view_row(view, i), label = view->data->class_of[row];
            if (label == HSEL_NONE)
                continue;
            weight[label] += training->weight ? training->weight[row] : 1;
        }
        for (uint32_t c = 0; c < names->count; c++) {
            present += weight[c] > 0;
            all += weight[c];
        }
        for (uint32_t c = 0; c < names->count; c++)
            weight[c] = weight[c] > 0 ? all / (present * weight[c]) : 1;
        return HSEL_OK;
    }
    for (const char *c = text; *c; c++)
        given += *c == '/';
    if (given != names->count) {
        HS_OWNS(hs_buf_clear) hs_buf list = {0};
        for (uint32_t c = 0; c < names->count && list.length < 400; c++)
            hs_buf_printf(&list, "%s%s", c ? ", " : "", hs_names_get(names, c));
        HS_NEED(!list.failed);
        return hs_fail(error, HSEL_EUSAGE,
                       "%s:weights=%s has %u weight%s, and %s has %u classes: %s",
                       classifier->method->name, text, given, given == 1 ? "" : "s",
                       hsel_dataset_name(view->data), names->count, list.text);
    }
    for (uint32_t c = 0; c < names->count; c++)
        weight[c] = next_weight(&text);
    return HSEL_OK;
}

int hs_classifier_fit(const hs_chosen *classifier, const hs_training *training, void **model,
                      hsel_error *error)
{
    const hs_method *method = classifier->method;
    hs_training weighted = *training;
    HS_OWNED double *weight = NULL;
    if (training->weight)
        HS_TRY(hs_check_weighs(method, error));
    if (hs_adjust_weighs(classifier) && training->view.data->target)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s:weights is for classes, but the target of %s is a number", method->name,
                       hsel_dataset_name(training->view.data));
    if (hs_adjust_weighs(classifier)) {
        HS_NEED(weight = HS_NEW_ZERO(double, training->view.data->class_names.count));
        HS_TRY(learn_weights(classifier, training, weight, error));
        weighted.class_weight = weight;
    }
    return method->classifier->fit(&weighted, classifier->options, model, error);
}

int hs_rows_by_class(const hs_view *view, uint32_t *class_size, hs_sparse *out, hsel_error *error)
{
    const hsel_dataset *data = view->data;
    const uint32_t classes = data->class_names.count, *class_of = data->class_of;
    HS_OWNED uint32_t *end = HS_NEW(uint32_t, classes), *order = HS_NEW(uint32_t, view->row_count);
    uint32_t labelled = 0;
    uint64_t values = 0;
    size_t count;
    HS_NEED(end && order);
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t row = hs_view_row(view, i);
        if (class_of[row] == HSEL_NONE)
            continue;
        hs_row(data, row, &count);
        values += count;
        class_size[class_of[row]]++;
    }
    for (uint32_t c = 0; c < classes; labelled += class_size[c++])
        end[c] = labelled;
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t row = hs_view_row(view, i);
        if (class_of[row] != HSEL_NONE)
            order[end[class_of[row]]++] = row;
    }
    HS_TRY(hs_sparse_init(out, labelled, (size_t)values, error));
    for (uint32_t t = 0; t < labelled; t++) {
        const uint32_t *row = hs_row(data, order[t], &count);
        out->start[t + 1] = out->start[t];
        for (size_t k = 0; k < count; k++)
            if (hs_view_has(view, row[k]))
                out->index[out->start[t + 1]++] = row[k];
    }
    return HSEL_OK;
}

int hs_rows_fields(hs_sparse *rows, uint32_t features, hs_transfer *file, hsel_error *error)
{
    size_t room = 0;
    if (hs_reads(file) && rows->lists > file->left / sizeof(uint32_t))
        return HSEL_EFORMAT;
    if (hs_reads(file))
        HS_NEED(rows->start = HS_NEW_ZERO(uint64_t, (size_t)rows->lists + 1));
    for (uint32_t t = 0; t < rows->lists; t++) {
        uint64_t *start = rows->start + t;
        uint32_t count = hs_reads(file) ? 0 : (uint32_t)(start[1] - start[0]);
        HS_FIELDS(file, HS_VALUE(count, 0, features));
        if (hs_reads(file)) {
            if (count > file->left / sizeof *rows->index)
                return HSEL_EFORMAT;
            start[1] = start[0] + count;
            HS_NEED(HS_GROW(&rows->index, &room, (size_t)start[1] + 1));
        }
        HS_FIELDS(file, HS_VALUES(rows->index[start[0]], count, HS_ASCENDING(features)));
    }
    return HSEL_OK;
}

void hs_log_priors(const uint32_t *class_size, const double *log_weight, uint32_t classes,
                   double *prior)
{
    double total = classes;
    for (uint32_t c = 0; c < classes; c++)
        total += class_size[c];
    for (uint32_t c = 0; c < classes; c++)
        prior[c] = log((class_size[c] + 1.0) / total) + log_weight[c];
}

void hs_log_weights(const hs_training *training, double *log_weight)
{
    for (uint32_t c = 0; training->class_weight && c < training->counts->classes; c++)
        log_weight[c] = log(training->class_weight[c]);
}

int hs_log_weights_fields(double *log_weight, uint32_t classes, hs_transfer *file,
                          hsel_error *error)
{
    bool there = hs_reads(file) && file->left > 0;
    for (uint32_t c = 0; !hs_reads(file) && c < classes; c++)
        there = there || log_weight[c] != 0;
    if (there)
        HS_FIELDS(file, HS_VALUES(*log_weight, classes, HS_FINITE));
    return HSEL_OK;
}

int hs_adjust_check(const void *options, hsel_error *error)
{
    const hs_adjust_options *o = options;
    const char *threshold = o->threshold;
    const double number = hs_adjust_probability(o);
    const hs_metric metric = hs_metric_find(threshold, strlen(threshold));
    const bool none = strcmp(threshold, "none") == 0, cost = strcmp(threshold, "cost") == 0;
    if (!none && !cost && metric == HS_METRICS && !(number > 0 && number < 1))
        return hs_fail(
            error, HSEL_EUSAGE,
            "threshold takes none, cost, a metric such as gm, or a probability between 0 "
            "and 1, not '%.80s'",
            threshold);
    if (metric < HS_METRICS && hs_metric_formula(metric)->needs)
        return hs_fail(error, HSEL_EUSAGE,
                       "threshold=%s is not possible: a threshold does not change this metric, or "
                       "it needs more than predicted classes; use gm, f1 or mcc",
                       threshold);
    if (!isnan(number) && o->calibration == HS_CALIBRATION_NONE)
        return hs_fail(error, HSEL_EUSAGE,
                       "threshold=%s is a probability, which must be calibrated: add "
                       "calibration=platt or calibration=isotonic",
                       threshold);
    if (o->cost != 1 && !cost)
        return hs_fail(error, HSEL_EUSAGE, "{:cost} has no effect without threshold=cost");
    if (!weights_are_sound(o->weights))
        return hs_fail(error, HSEL_EUSAGE,
                       "weights takes none, balanced, or a number above 0 per class such as 1/10, "
                       "not '%.80s'",
                       o->weights);
    if (o->inner_folds != 5 && none && o->calibration == HS_CALIBRATION_NONE)
        return hs_fail(error, HSEL_EUSAGE,
                       "{:inner-folds} has no effect without calibration or threshold");
    return HSEL_OK;
}
