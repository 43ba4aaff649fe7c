/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linear models.
 */
#include "classify/linear_model.h"

#define SHOWN 100 /* weights in the text */

/* ---- the model ---- */

void hs_linear_model_free(void *pointer)
{
    hs_linear_model *m = pointer;
    if (m)
        HS_FREE(m->path, m);
}

void *hs_linear_model_new(const hsel_dataset *shape)
{
    const uint32_t classes = shape->class_names.count, parts = classes <= 2 ? 1 : classes;
    uint32_t places = shape->features, next = 0;
    for (uint32_t i = 0; i < shape->nominal_count; i++)
        places += shape->nominal[i].values.count > 2 ? shape->nominal[i].values.count : 0;
    hs_linear_model *m =
        HS_BLOCK(m, HS_PART(m, weight, (size_t)parts * places), HS_PART(m, free, shape->features),
                 HS_PART(m, part, parts),
                 HS_PART(m, other, (size_t)shape->numeric_count + shape->nominal_count));
    if (!m)
        return NULL;
    m->features = shape->features;
    m->classes = classes;
    m->numeric = shape->target != NULL;
    m->parts = parts;
    m->places = shape->features;
    for (uint32_t f = 0; f < shape->features; f++) {
        if (shape->types[f] == HSEL_BINARY)
            continue;
        hs_coded *o = &m->other[next++];
        *o = (hs_coded){.feature = f, .column = f, .range = 1};
        if (shape->types[f] == HSEL_NOMINAL)
            o->values = shape->nominal[shape->slot[f]].values.count;
        if (shape->types[f] == HSEL_NOMINAL && o->values == 0)
            o->values = 1;
        if (o->values > 2) {
            o->column = m->places;
            m->places += o->values;
        }
    }
    m->other_count = next;
    return m;
}

/* ---- learning ---- */

int hs_linear_lambda(const char *method, const char *text, double *out, hsel_error *error)
{
    *out = 0;
    if (strcmp(text, "auto") == 0 ||
        (hs_parse_double(text, strlen(text), out) && *out > 0 && isfinite(*out)))
        return HSEL_OK;
    return hs_fail(error, HSEL_EUSAGE, "lambda of %s is auto or a number above 0, not %.60s",
                   method, text);
}

/* The target scaled to mean 0 and variance 1, so that tolerances do not depend on its unit. */
static int learn_target(hs_linear_fit *f, hsel_error *error)
{
    const double *target = f->training->view.data->target;
    double total = 0, square = 0;
    HS_NEED(f->number = HS_ARENA_NEW(&f->memory, double, f->row_count));
    for (uint32_t i = 0; i < f->row_count; i++)
        total += hs_training_weight(f->training, f->rows[i]);
    for (uint32_t i = 0; i < f->row_count; i++)
        f->mean += hs_training_weight(f->training, f->rows[i]) / total * target[f->rows[i]];
    for (uint32_t i = 0; i < f->row_count; i++)
        square += hs_training_weight(f->training, f->rows[i]) / total *
                  pow(target[f->rows[i]] - f->mean, 2);
    f->sd = square > 1e-28 * f->mean * f->mean ? sqrt(square) : 0;
    for (uint32_t i = 0; i < f->row_count; i++)
        f->number[i] = f->sd > 0 ? (target[f->rows[i]] - f->mean) / f->sd : 0;
    f->sd = f->sd > 0 ? f->sd : 1;
    return HSEL_OK;
}

int hs_linear_fit_init(hs_linear_fit *f, hsel_error *error)
{
    const hs_view *view = &f->training->view;
    f->sd = 1;
    HS_NEED(f->feature = HS_ARENA_NEW(&f->memory, uint32_t, view->data->features));
    if (hs_training_weighs(f->training))
        HS_NEED(f->weight = HS_ARENA_NEW(&f->memory, double, view->row_count));
    HS_TRY(hs_training_rows(f->training, true, &f->rows, &f->row_count, error));
    return view->data->target ? learn_target(f, error) : HSEL_OK;
}

void hs_linear_fit_clear(hs_linear_fit *f)
{
    hs_design_clear(&f->design);
    hs_free(f->rows);
    hs_arena_clear(&f->memory);
}

static int by_feature(const void *feature, const void *other)
{
    const uint32_t a = *(const uint32_t *)feature, b = ((const hs_coded *)other)->feature;
    return (a > b) - (a < b);
}

static hs_coded *other_of(const hs_linear_model *m, uint32_t feature)
{
    return bsearch(&feature, m->other, m->other_count, sizeof *m->other, by_feature);
}

/* Learns mean and standard deviation, or the most frequent value, of a feature, and describes its
 * columns in out[count]. */
int hs_linear_learn(hs_linear_fit *f, uint32_t feature, double *spread, hs_linear_column *out,
                    uint32_t *count, hsel_error *error)
{
    const hsel_dataset *data = f->training->view.data;
    hs_coded *o = other_of(f->model, feature);
    const bool nominal = o && o->values;
    const bool scales = f->scale == HS_SCALE_ALL || (o && f->scale == HS_SCALE_NUMERIC);
    *count = nominal && o->values > 2 ? o->values : 1;
    for (uint32_t c = 0; c < *count; c++)
        out[c] = (hs_linear_column){.feature = feature,
                                    .code = !nominal     ? HSEL_NONE
                                            : *count > 1 ? c
                                                         : 1,
                                    .place = o ? o->column + c : feature,
                                    .scale = 1};
    if (nominal) {
        const uint32_t *code = data->nominal[data->slot[feature]].codes;
        HS_OWNED double *seen = HS_NEW_ZERO(double, o->values);
        HS_NEED(seen);
        for (uint32_t i = 0; i < f->row_count; i++)
            if (code[f->rows[i]] != HS_MISSING_CODE)
                seen[code[f->rows[i]]] += hs_training_weight(f->training, f->rows[i]);
        for (uint32_t v = 1; v < o->values; v++)
            o->common = seen[v] > seen[o->common] ? v : o->common;
        return HSEL_OK;
    }
    if (!o && !scales)
        return HSEL_OK;
    const double *value = hs_dataset_numeric(data, feature, spread);
    double most = 0, sum = 0, square = 0, total = 0;
    uint32_t zeros = 0;
    for (int pass = 0; pass < 3; pass++) /* in parts of the largest, whose square might overflow */
        for (uint32_t i = 0; i < f->row_count; i++) {
            double x = value[f->rows[i]], v = hs_training_weight(f->training, f->rows[i]);
            if (isnan(x) || (pass && !(most > 0)))
                continue;
            if (pass == 0) {
                most = fmax(most, fabs(x));
                total += v;
                zeros += x == 0;
            } else if (pass == 1) {
                sum += v / total * (x / most);
            } else {
                square += v / total * pow(x / most - sum, 2);
            }
        }
    const double mean = sum * most, sd = sqrt(square) * most;
    if (!isfinite(most) || sd > 1e300)
        return hs_fail(error, HSEL_EUNSUPPORTED,
                       "%s needs finite values, but feature %.200s of %s has values too large or "
                       "infinite",
                       f->method, hsel_dataset_feature_name(data, feature),
                       hsel_dataset_name(data));
    if (o)
        o->mean = mean;
    out->centre = o && 3 * (uint64_t)zeros < f->row_count ? mean : 0; /* else zeros stay zeros */
    if (!(square > 1e-28 * sum * sum))
        out->scale = 0; /* the same everywhere: an empty column */
    else if (scales)
        out->scale = sd;
    return HSEL_OK;
}

/* A column as numbers into x[row_count]. */
static void fill_column(const hs_linear_fit *f, const hs_linear_column *c, double *spread,
                        double *x)
{
    const hsel_dataset *data = f->training->view.data;
    const hs_coded *o = other_of(f->model, c->feature);
    if (c->code != HSEL_NONE) {
        const uint32_t *code = data->nominal[data->slot[c->feature]].codes;
        for (uint32_t i = 0; i < f->row_count; i++) {
            uint32_t own = code[f->rows[i]];
            x[i] = (own == HS_MISSING_CODE ? o->common : own) == c->code;
        }
        return;
    }
    const double *value = hs_dataset_numeric(data, c->feature, spread);
    for (uint32_t i = 0; i < f->row_count; i++) {
        double own = value[f->rows[i]];
        x[i] = c->scale > 0 ? ((isnan(own) ? o->mean : own) - c->centre) / c->scale : 0;
    }
}

int hs_linear_columns(hs_linear_fit *f, size_t more, double *spread, hsel_error *error)
{
    const hsel_dataset *data = f->training->view.data;
    uint32_t next = f->feature_count, count;
    for (uint32_t i = 0; i < data->nominal_count; i++)
        more += data->nominal[i].values.count > 2 ? data->nominal[i].values.count : 0;
    HS_NEED(f->column = HS_ARENA_NEW(&f->memory, hs_linear_column, data->features + more + 1));
    for (uint32_t i = 0; i < f->feature_count; i++) {
        hs_linear_column *own = &f->column[i], *rest = &f->column[next];
        HS_TRY(hs_linear_learn(f, f->feature[i], spread, rest, &count, error));
        *own = *rest;
        if (count > 1) {
            *own = (hs_linear_column){.feature = f->feature[i], .place = HSEL_NONE};
            next += count;
        }
    }
    f->nodes = next;
    return HSEL_OK;
}

int hs_linear_design(hs_linear_fit *f, double *spread, hsel_error *error)
{
    const hsel_dataset *data = f->training->view.data;
    hs_design *d = &f->design;
    const uint32_t n = f->row_count;
    size_t room = 0, values = 0, used = 0;
    bool plain = f->scale != HS_SCALE_ALL; /* all values are 1 */
    d->instances = n;
    d->free_columns = f->free_columns;
    for (uint32_t i = 0; i < f->feature_count; i++)
        plain = plain && data->types[f->feature[i]] != HSEL_NUMERIC;
    HS_OWNS(hs_sparse_clear) hs_sparse binary = {0};
    HS_OWNED double *x = HS_NEW(double, n);
    HS_NEED(x && (d->free = HS_NEW(double, (size_t)f->free_columns *n)));
    HS_TRY(hs_position_columns(data, f->feature, f->feature_count, f->rows, n, &binary, error));
    HS_TRY(hs_sparse_init(&d->column, f->nodes, 0, error));
    for (uint32_t node = 0; node < f->nodes; node++) {
        const hs_linear_column *c = &f->column[node];
        const bool is_binary = node < f->feature_count && data->types[c->feature] == HSEL_BINARY;
        const size_t most = is_binary ? binary.start[node + 1] - binary.start[node] : n;
        HS_NEED(HS_GROW(&d->column.index, &room, used + most) &&
                (plain || HS_GROW(&d->value, &values, used + most)));
        for (size_t i = 0; is_binary && c->scale > 0 && i < most; i++) {
            if (!plain)
                d->value[used] = 1 / c->scale;
            d->column.index[used++] = binary.index[binary.start[node] + i];
        }
        if (!is_binary && c->place != HSEL_NONE) {
            fill_column(f, c, spread, x);
            for (uint32_t i = 0; i < n; i++) {
                if (x[i] == 0)
                    continue;
                if (!plain)
                    d->value[used] = x[i];
                d->column.index[used++] = i;
            }
        }
        d->column.start[node + 1] = used;
    }
    for (uint32_t j = 0; j < f->free_columns; j++)
        fill_column(f, &f->column[f->nodes + j], spread, d->free + (size_t)j * n);
    return HSEL_OK;
}

void hs_linear_keep(const hs_linear_fit *f, uint32_t number, const double *w, const double *free)
{
    hs_linear_part *part = &f->model->part[number];
    double *out = f->model->weight + (size_t)number * f->model->places;
    for (uint32_t i = 0; i < f->nodes + f->free_columns; i++) {
        const hs_linear_column *c = &f->column[i];
        double own = i < f->nodes ? w[i] : free[i - f->nodes];
        if (c->place == HSEL_NONE || own == 0 || !(c->scale > 0))
            continue;
        out[c->place] = f->sd * own / c->scale;
        part->intercept -= out[c->place] * c->centre;
        part->active += out[c->place] != 0;
    }
}

uint32_t hs_linear_features(const hs_linear_fit *f, const double *w, const double *free)
{
    uint32_t count = 0, last = HSEL_NONE;
    for (uint32_t i = 0; i < f->nodes + f->free_columns; i++) {
        const hs_linear_column *c = &f->column[i];
        if (c->place == HSEL_NONE || (i < f->nodes ? w[i] : free[i - f->nodes]) == 0)
            continue;
        count += c->feature != last || c->code == HSEL_NONE;
        last = c->feature;
    }
    return count;
}

/* ---- predicting ---- */

/* The score of a part for an instance; with `contribution` [d], the score at the means and most
 * frequent values, and what each feature adds to it. */
static double score_part(const hs_linear_model *m, uint32_t part, const hsel_dataset *data,
                         uint32_t instance, double *contribution)
{
    const double *weight = m->weight + (size_t)part * m->places;
    double sum = m->part[part].intercept;
    size_t count;
    const uint32_t *row = hs_row(data, instance, &count);
    for (size_t i = 0; i < count; i++)
        *(contribution ? &contribution[row[i]] : &sum) += weight[row[i]];
    for (const hs_coded *o = m->other; o < m->other + m->other_count; o++) {
        const double own = hs_coded_term(o, hs_dataset_value(data, o->feature, instance), weight),
                     usual = contribution ? hs_coded_term(o, NAN, weight) : 0;
        sum += contribution ? usual : own;
        if (contribution)
            contribution[o->feature] = own - usual;
    }
    return sum;
}

int hs_linear_predict(const void *pointer, const hs_batch *batch, void *scratch,
                      double *probability, double *score, hsel_error *error)
{
    const hs_linear_model *m = pointer;
    const size_t width = hs_answers(m->classes);
    (void)scratch;
    (void)error;
    for (uint32_t at = 0; at < batch->count; at++, probability += m->classes, score += width) {
        double total = 0;
        for (uint32_t part = 0; part < m->parts; part++)
            score[part] = score_part(m, part, batch->data, batch->instances[at], NULL);
        if (m->multinomial && m->classes > 2) {
            memcpy(probability, score, m->classes * sizeof *score);
            hs_normalise_logs(probability, score, m->classes);
            continue;
        }
        hs_mirror_score(score, m->classes);
        for (uint32_t c = 0; c < m->classes; c++)
            total += probability[c] = hs_sigmoid(score[c]);
        for (uint32_t c = 0; m->classes != 2 && c < m->classes; c++)
            probability[c] = total > 0 ? probability[c] / total : 1.0 / m->classes;
    }
    return HSEL_OK;
}

int hs_linear_contributions(const void *pointer, const hs_batch *one, void *scratch, uint32_t label,
                            double *prior, double *contribution, hsel_error *error)
{
    const hs_linear_model *m = pointer;
    (void)scratch;
    memset(contribution, 0, m->features * sizeof *contribution);
    if (m->multinomial && m->parts > 1) {
        HS_OWNED double *own = HS_NEW(double, m->parts);
        HS_OWNED double *term = HS_NEW(double, (size_t)m->features * m->parts);
        HS_NEED(own && term);
        for (uint32_t part = 0; part < m->parts; part++) {
            memset(contribution, 0, m->features * sizeof *contribution);
            own[part] = score_part(m, part, one->data, one->instances[0], contribution);
            for (uint32_t f = 0; f < m->features; f++)
                term[(size_t)f * m->parts + part] = contribution[f];
        }
        *prior = hs_contributions_of_terms(own, term, m->features, m->parts, label, contribution);
        return HSEL_OK;
    }
    *prior = score_part(m, m->parts == 1 ? 0 : label, one->data, one->instances[0], contribution);
    if (m->parts == 1 && label == 0 && !m->numeric) {
        *prior = -*prior;
        for (uint32_t f = 0; f < m->features; f++)
            contribution[f] = contribution[f] != 0 ? -contribution[f] : 0;
    }
    return HSEL_OK;
}

/* ---- what was learned ---- */

/* Weights that are not 0, the largest first. */
static uint32_t list_active(const hs_linear_model *m, const double *weight, hs_weighted *out)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < m->features; f++)
        if (weight[f] != 0) {
            const hs_coded *o = other_of(m, f);
            out[count++] = (hs_weighted){weight[f], f, o && o->values ? 1 : HSEL_NONE};
        }
    for (const hs_coded *o = m->other; o < m->other + m->other_count; o++)
        for (uint32_t v = 0; o->values > 2 && v < o->values; v++)
            if (weight[o->column + v] != 0)
                out[count++] = (hs_weighted){weight[o->column + v], o->feature, v};
    hs_heaviest_first(out, count);
    return count;
}

int hs_linear_weights(const void *pointer, hs_weighted **list, uint32_t *count, uint32_t *label,
                      hsel_error *error)
{
    const hs_linear_model *m = pointer;
    HS_NEED(*list = HS_NEW(hs_weighted, m->places));
    *count = list_active(m, m->weight, *list);
    *label = m->numeric ? HSEL_NONE : m->parts == 1 ? m->classes - 1 : 0;
    return HSEL_OK;
}

/* The name of the metric of inner folds. */
static const char *inner_name(const hs_linear_model *m, bool json)
{
    if (m->numeric)
        return json ? "inner_rmse" : "RMSE of inner folds";
    if (m->multinomial)
        return json ? "inner_log_loss" : "log loss of inner folds";
    return json ? "inner_gm" : "GM of inner folds";
}

static void describe_path(const hs_linear_model *m, uint32_t part, hs_writer *out)
{
    const hs_linear_step *step = m->path + (size_t)part * m->steps;
    const bool solved = !isnan(step->gap);
    hs_writer_printf(
        out, "  path      lambda%s%s%s\n", solved ? "  features        loss       gap" : "",
        isnan(step->inner) ? "" : "  ", isnan(step->inner) ? "" : inner_name(m, false));
    for (uint32_t k = 0; k < m->steps && step->lambda > 0; k++, step++) {
        hs_writer_printf(out, "  %c %12.6g", step->lambda == m->part[part].lambda ? '*' : ' ',
                         step->lambda);
        if (solved)
            hs_writer_printf(out, "  %8.0f  %10.6g  %8.2g", step->features, step->loss, step->gap);
        if (!isnan(step->inner))
            hs_writer_printf(out, "  %.6g", step->inner);
        hs_writer_char(out, '\n');
    }
}

int hs_linear_describe(const void *pointer, const hsel_dataset *shape, hs_describe_form form,
                       hs_writer *out, hsel_error *error)
{
    const hs_linear_model *m = pointer;
    const char *target = shape->class_attribute ? shape->class_attribute : "target";
    hs_json json = {.out = out};
    HS_OWNED hs_weighted *active = HS_NEW(hs_weighted, m->places);
    HS_NEED(active);
    if (form == HS_DESCRIBE_JSON)
        hs_json_put(&json, "{features:%u models:[", m->in_use);
    for (uint32_t part = 0; part < m->parts; part++) {
        const hs_linear_part *p = &m->part[part];
        const char *name =
            m->numeric ? target
                       : hsel_dataset_class_name(shape, m->parts == 1 ? m->classes - 1 : part);
        const uint32_t count = list_active(m, m->weight + (size_t)part * m->places, active);
        if (form == HS_DESCRIBE_TEXT) {
            if (m->numeric)
                hs_writer_printf(out, "target %s\n", name);
            else
                hs_writer_printf(
                    out, m->parts > 1 && m->multinomial ? "class %s\n" : "class %s against %s\n",
                    name, m->parts == 1 ? hsel_dataset_class_name(shape, 0) : "the rest");
            hs_writer_printf(out, "  lambda           %.6g", p->lambda);
            if (p->largest > 0)
                hs_writer_printf(out, " (all weights are 0 from %.6g on)", p->largest);
            hs_writer_printf(out, "\n  objective        %.6g", p->objective);
            if (!isnan(p->gap))
                hs_writer_printf(out, ", relative duality gap %.2g", p->gap);
            hs_writer_char(out, '\n');
            hs_writer_printf(out, "  iterations       %u\n", p->iterations);
            if (m->steps > 1)
                describe_path(m, part, out);
            hs_writer_printf(out, "  intercept        %+.6g\n", p->intercept);
            hs_writer_printf(out, "  active features  %u of %u\n", count, m->in_use);
            for (uint32_t i = 0; i < count && i < SHOWN; i++) {
                char label[HS_LABEL_ROOM];
                const char *value = hs_value_name(shape, active[i].feature, active[i].code);
                hs_writer_printf(out, "    %+.6f  %s%s%s%s%s\n", active[i].weight,
                                 hsel_dataset_feature_name(shape, active[i].feature),
                                 value ? " = " : "", value ? value : "",
                                 hs_label_after(&shape->about, active[i].feature, label),
                                 m->free[active[i].feature] ? " (not penalised)" : "");
            }
            if (count > SHOWN)
                hs_writer_printf(out, "    and %u more (the JSON has all)\n", count - SHOWN);
            continue;
        }
        hs_json_put(&json, "{%s:%s lambda:%g largest_lambda:%g objective:%g",
                    m->numeric ? "target" : "class", name, p->lambda, p->largest, p->objective);
        if (!isnan(p->gap))
            hs_json_put(&json, "relative_gap:%g", p->gap);
        hs_json_put(&json, "intercept:%g iterations:%u active:[", p->intercept, p->iterations);
        for (uint32_t i = 0; i < count; i++) {
            const char *value = hs_value_name(shape, active[i].feature, active[i].code);
            hs_json_put(&json, "{feature:%s", hsel_dataset_feature_name(shape, active[i].feature));
            hs_label_json(&json, &shape->about, active[i].feature);
            if (value)
                hs_json_put(&json, "value:%s", value);
            hs_json_put(&json, "weight:%g", active[i].weight);
            if (m->free[active[i].feature])
                hs_json_put(&json, "penalised:%d", false);
            hs_json_put(&json, "}");
        }
        hs_json_put(&json, "] path:[");
        const hs_linear_step *step = m->path + (size_t)part * m->steps;
        for (uint32_t k = 0; k < m->steps && step->lambda > 0; k++, step++) {
            hs_json_put(&json, "{lambda:%g", step->lambda);
            if (!isnan(step->gap))
                hs_json_put(&json, "features:%g loss:%g relative_gap:%g", step->features,
                            step->loss, step->gap);
            if (!isnan(step->inner))
                hs_json_put(&json, "%s:%g", inner_name(m, true), step->inner);
            hs_json_put(&json, "}");
        }
        hs_json_put(&json, "]}");
    }
    if (form == HS_DESCRIBE_JSON)
        hs_json_put(&json, "]}");
    return HSEL_OK;
}

/* ---- model files: sizes; of each part its numbers, then places and weights that are not 0; then
 * what stands for missing values, what is free, and the path ---- */

int hs_linear_fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
{
    hs_linear_model *m = model;
    (void)shape;
    HS_FIELDS(file, HS_SHAPE(m), HS_VALUE(m->in_use, 0, m->features));
    for (uint32_t part = 0; part < m->parts; part++) {
        hs_linear_part *p = &m->part[part];
        double *weight = m->weight + (size_t)part * m->places;
        HS_FIELDS(file, HS_VALUE(p->lambda, 0, DBL_MAX), HS_VALUE(p->largest, 0, DBL_MAX),
                  HS_VALUE(p->objective, 0, DBL_MAX),
                  HS_VALUE(p->gap, m->multinomial ? NAN : 0, DBL_MAX),
                  HS_VALUE(p->intercept, HS_FINITE), HS_VALUE(p->iterations, HS_ANY),
                  HS_VALUE(p->active, 0, m->places));
        for (uint32_t i = 0, f = 0; i < p->active; i++, f++) {
            while (!hs_reads(file) && weight[f] == 0)
                f++;
            HS_FIELDS(file, HS_VALUE(f, f, m->places - 1.0));
            HS_FIELDS(file, HS_VALUE(weight[f], HS_FINITE));
            if (weight[f] == 0)
                return HSEL_EFORMAT;
        }
    }
    for (hs_coded *o = m->other; o < m->other + m->other_count; o++)
        HS_FIELDS(file, HS_VALUE(o->common, 0, o->values ? o->values - 1.0 : 0),
                  HS_VALUE(o->mean, HS_FINITE));
    HS_FIELDS(file, HS_VALUES(*m->free, m->features, 0, 1), HS_VALUE(m->steps, 0, 1001));
    HS_FIELDS(file, HS_LIST(m->path, (uint64_t)m->parts * m->steps, HS_ANY));
    return HSEL_OK;
}
