/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GO-BAN: a Bayesian network whose feature-feature edges are the direct edges of the hierarchy.
 *
 *     P(c | x) ~ P(c) prod over f of P(x_f | c, values of the direct parents of f)
 *     P(c) = (n_c + 1)/(N + K),  P(x_f | c, u) = (n_cu,x_f + 1)/(n_cu + 2)
 *
 * Wan, Freitas (2015); as read from the figures of Wan, Freitas (2020): the joint configuration u
 * of all direct parents, Laplace smoothing. Features that an eager selection left out do not exist,
 * and no edge passes through them. With a lazy selection S, f is conditioned on its parents in S,
 * P(x_f | c, x_pa(f) in S), from the same counts summed over what is not selected. A configuration
 * that was never seen gives 1/2. Data may break the true-path rule; they only have more
 * configurations then.
 *
 * Configurations are kept as they occur, sorted bit strings over the parents, the one without any
 * positive parent first: never 2^parents of them. Fitting O(sum over edges of the support of the
 * parent), memory O(K x configurations). For all features: the sum for an instance without any
 * positive, kept ready, and corrections for positive features and their children. Counting goes
 * through the columns of the parents, so an instance in which none of them is positive costs
 * nothing; its configuration is what is left of the class.
 */
#include <math.h>
#include <string.h>

#include "classify/classify.h"
#include "classify/cmi.h"
#include "core/mem.h"

struct model { /* in one block with its lists but configurations */
    uint32_t features, classes;
    uint64_t *used;                  /* features of the fit */
    uint32_t *parent_start, *parent; /* in use, ascending */
    uint32_t *child_start, *child;
    uint32_t *class_size; /* [K] */
    size_t *config_start; /* [d + 1]: configurations of f; none if it is not in use */
    size_t *key_start;    /* [d]: its first key, words_of(f) words each */
    uint64_t *key;        /* bit p: parent p is positive */
    uint32_t *all, *with; /* [configurations * K]: instances; of these f is positive in */
    double *log0, *log1;  /* [configurations * K]: log P(0 | c, u), log P(1 | c, u) */
    double *log_weight;   /* [K]: of the classes */
    double *prior, *base; /* [K]: log P(c); and with the features in use, all negative */
    size_t key_words, key_capacity, all_capacity, with_capacity;
};

static uint32_t parents_of(const struct model *m, uint32_t f)
{
    return m->parent_start[f + 1] - m->parent_start[f];
}

static size_t words_of(const struct model *m, uint32_t f) { return hs_bit_words(parents_of(m, f)); }

static void ban_model_free(void *pointer)
{
    struct model *m = pointer;
    if (m)
        HS_FREE(m->key, m->all, m->with, m->log0, m->log1, m);
}
HS_RELEASE(model_release, struct model, ban_model_free)

/* A model without features in use. */
static void *ban_model_new(const hsel_dataset *shape)
{
    const size_t d = shape->features, k = shape->class_names.count;
    const size_t edges = shape->dag ? shape->dag->edges : 0;
    struct model *m = HS_BLOCK(
        m, HS_PART(m, used, hs_bit_words(d)), HS_PART(m, parent_start, d + 1),
        HS_PART(m, parent, edges), HS_PART(m, child_start, d + 1), HS_PART(m, child, edges),
        HS_PART(m, class_size, k), HS_PART(m, config_start, d + 1), HS_PART(m, key_start, d),
        HS_PART(m, prior, k), HS_PART(m, base, k), HS_PART(m, log_weight, k));
    if (m) {
        m->features = shape->features;
        m->classes = shape->class_names.count;
    }
    return m;
}

/* The neighbours that are in use, of every feature in use. */
static void keep_used(const struct model *m, const uint32_t *from_start, const uint32_t *from,
                      uint32_t *start, uint32_t *item)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < m->features; f++) {
        start[f] = count;
        for (uint32_t i = from_start[f]; i < from_start[f + 1] && hs_bit_get(m->used, f); i++)
            if (hs_bit_get(m->used, from[i]))
                item[count++] = from[i];
    }
    start[m->features] = count;
}

static void keep_edges(struct model *m, const hsel_dag *dag)
{
    keep_used(m, dag->parent_start, dag->parent, m->parent_start, m->parent);
    keep_used(m, dag->child_start, dag->child, m->child_start, m->child);
}

/* A further configuration of feature f, without instances. Its key is all zero. Features in
 * order, each after config_start[f + 1] = config_start[f]. */
static int add_config(struct model *m, uint32_t f, hsel_error *error)
{
    size_t configs = m->config_start[f + 1], k = m->classes, words = words_of(m, f);
    HS_NEED(HS_GROW(&m->all, &m->all_capacity, (configs + 1) * k) &&
            HS_GROW(&m->with, &m->with_capacity, (configs + 1) * k) &&
            HS_GROW(&m->key, &m->key_capacity, m->key_words + words + 1));
    if (configs == m->config_start[f])
        m->key_start[f] = m->key_words;
    memset(m->all + configs * k, 0, k * sizeof *m->all);
    memset(m->with + configs * k, 0, k * sizeof *m->with);
    if (words)
        memset(m->key + m->key_words, 0, words * sizeof *m->key);
    m->key_words += words;
    m->config_start[f + 1]++;
    return HSEL_OK;
}

/* Logarithms from the counts. */
static int finish(struct model *m, hsel_error *error)
{
    size_t cells = m->config_start[m->features] * m->classes;
    HS_NEED(HS_LISTS(NULL, m, HS_PART(m, log0, cells), HS_PART(m, log1, cells)));
    for (size_t i = 0; i < cells; i++) {
        m->log1[i] = log((m->with[i] + 1.0) / (m->all[i] + 2.0));
        m->log0[i] = log((m->all[i] - m->with[i] + 1.0) / (m->all[i] + 2.0));
    }
    hs_log_priors(m->class_size, m->log_weight, m->classes, m->prior);
    for (uint32_t c = 0; c < m->classes; c++) {
        m->base[c] = m->prior[c];
        for (uint32_t f = 0; f < m->features; f++)
            if (hs_bit_get(m->used, f))
                m->base[c] += m->log0[m->config_start[f] * m->classes + c];
    }
    return HSEL_OK;
}

/* ---- counting ---- */

struct counting { /* in one block with its lists but the keys */
    const hsel_dataset *data;
    uint32_t *weight;         /* [instances]: how often it is in the training part, with a class */
    uint32_t *slot;           /* [instances]: 1 + its place below; 0: no parent is positive in it */
    uint32_t *touched, count; /* instances in which some parent is positive */
    size_t *config;           /* [instances]: configuration of the instance in that place */
    uint32_t *order, *aside;  /* [instances]: places by key */
    uint64_t *key;            /* a key per place */
    size_t key_capacity;
};

static void counting_release(struct counting **c)
{
    if (*c)
        HS_FREE((*c)->key, *c);
}

/* Configurations of f and the instances of each. What no parent touches has the first one. */
static int count_feature(struct counting *c, struct model *m, uint32_t f, hsel_error *error)
{
    const uint32_t *class_of = c->data->class_of;
    size_t words = words_of(m, f), bytes = words * sizeof *c->key, k = m->classes, support;
    const uint64_t *last = NULL;
    c->count = 0; /* the keys of the training instances in which some parent of f is positive */
    for (uint32_t p = 0; p < parents_of(m, f); p++) {
        const uint32_t *column = hs_column(c->data, m->parent[m->parent_start[f] + p], &support);
        for (size_t i = 0; i < support; i++) {
            uint32_t row = column[i];
            if (!c->weight[row])
                continue;
            if (!c->slot[row]) {
                HS_NEED(HS_GROW(&c->key, &c->key_capacity, (c->count + 1) * words));
                memset(c->key + c->count * words, 0, bytes);
                c->touched[c->count++] = row;
                c->slot[row] = c->count;
            }
            hs_bit_set(c->key + (c->slot[row] - 1) * words, p);
        }
    }
    for (uint32_t i = 0; i < c->count; i++)
        c->order[i] = i;
    for (uint32_t p = 0; p < parents_of(m, f); p++) { /* by key: a stable pass per parent */
        uint32_t zeros = 0, ones = 0;
        for (uint32_t i = 0; i < c->count; i++) {
            if (hs_bit_get(c->key + c->order[i] * words, p))
                c->aside[ones++] = c->order[i];
            else
                c->order[zeros++] = c->order[i];
        }
        memcpy(c->order + zeros, c->aside, ones * sizeof *c->order);
    }
    HS_TRY(add_config(m, f, error));
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t place = c->order[i], row = c->touched[place];
        const uint64_t *key = c->key + place * words;
        if (!last || memcmp(last, key, bytes) != 0) {
            HS_TRY(add_config(m, f, error));
            memcpy(m->key + m->key_words - words, key, bytes);
        }
        last = key;
        c->config[place] = m->config_start[f + 1] - 1;
        m->all[c->config[place] * k + class_of[row]] += c->weight[row];
    }
    for (uint32_t label = 0; label < m->classes; label++) {
        uint32_t rest = m->class_size[label];
        for (size_t u = m->config_start[f] + 1; u < m->config_start[f + 1]; u++)
            rest -= m->all[u * k + label];
        m->all[m->config_start[f] * k + label] = rest;
    }
    const uint32_t *column = hs_column(c->data, f, &support);
    for (size_t i = 0; i < support; i++) {
        uint32_t row = column[i];
        if (!c->weight[row])
            continue;
        size_t u = c->slot[row] ? c->config[c->slot[row] - 1] : m->config_start[f];
        m->with[u * k + class_of[row]] += c->weight[row];
    }
    for (uint32_t i = 0; i < c->count; i++)
        c->slot[c->touched[i]] = 0;
    return HSEL_OK;
}

static int ban_fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    const hs_view *view = &training->view;
    const hsel_dataset *data = view->data;
    const size_t n = data->instances;
    HS_OWNS(counting_release)
    struct counting *c =
        HS_BLOCK(c, HS_PART(c, weight, n), HS_PART(c, slot, n), HS_PART(c, touched, n),
                 HS_PART(c, config, n), HS_PART(c, order, n), HS_PART(c, aside, n));
    HS_OWNS(model_release) struct model *m = ban_model_new(data);
    (void)options;
    HS_NEED(c && m);
    c->data = data;
    for (uint32_t f = 0; f < data->features; f++)
        if (hs_view_has(view, f))
            hs_bit_set(m->used, f);
    keep_edges(m, data->dag);
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t row = hs_view_row(view, i), label = data->class_of[row];
        if (label != HSEL_NONE) {
            c->weight[row]++;
            m->class_size[label]++;
        }
    }
    for (uint32_t f = 0; f < data->features; f++) {
        m->config_start[f + 1] = m->config_start[f];
        if (hs_bit_get(m->used, f))
            HS_TRY(count_feature(c, m, f, error));
    }
    hs_log_weights(training, m->log_weight);
    HS_TRY(finish(m, error));
    *out = hs_take(&m);
    return HSEL_OK;
}

/* ---- predicting ---- */

struct scratch {        /* in one block with its lists */
    uint32_t round;     /* what is marked with it belongs to the instance at hand */
    uint32_t *positive; /* [d] marks */
    uint32_t *chosen;   /* [d]: selected, positive or (unless all negatives are) negative */
    uint32_t *visited;  /* [d] */
    uint64_t *kept;     /* which of the parents are selected */
    uint64_t *key;      /* their values */
};

static int ban_scratch_new(const void *pointer, void **out, hsel_error *error)
{
    const struct model *m = pointer;
    size_t words = 1, d = m->features;
    for (uint32_t f = 0; f < m->features; f++)
        words = words_of(m, f) > words ? words_of(m, f) : words;
    struct scratch *s =
        HS_BLOCK(s, HS_PART(s, positive, d), HS_PART(s, chosen, d), HS_PART(s, visited, d),
                 HS_PART(s, kept, words), HS_PART(s, key, words));
    HS_NEED(*out = s);
    return HSEL_OK;
}

/* Keys as numbers, the last word first. */
static int compare_keys(const uint64_t *a, const uint64_t *b, size_t words)
{
    for (size_t w = words; w-- > 0;)
        if (a[w] != b[w])
            return a[w] < b[w] ? -1 : 1;
    return 0;
}

/* Adds log P(value | c, the selected parents of f). */
static void add_factor(const struct model *m, uint32_t f, bool value, bool all_negative,
                       struct scratch *s, double *sum)
{
    const uint32_t *parent = m->parent + m->parent_start[f];
    const uint64_t *keys = m->key + m->key_start[f];
    const size_t words = words_of(m, f), k = m->classes, from = m->config_start[f];
    size_t low = 0, high = m->config_start[f + 1] - from;
    bool complete = true; /* all parents are selected */
    if (!hs_bit_get(m->used, f))
        return;
    memset(s->key, 0, words * sizeof *s->key);
    memset(s->kept, 0, words * sizeof *s->kept);
    for (uint32_t p = 0; p < parents_of(m, f); p++) {
        bool positive = s->positive[parent[p]] == s->round;
        if (s->chosen[parent[p]] != s->round && (positive || !all_negative)) {
            complete = false;
            continue;
        }
        hs_bit_set(s->kept, p);
        if (positive)
            hs_bit_set(s->key, p);
    }
    if (!complete) { /* counts of all configurations that agree with the selected parents */
        for (uint32_t c = 0; c < m->classes; c++) {
            double all = 0, with = 0;
            for (size_t u = 0; u < high; u++) {
                bool agrees = true;
                for (size_t w = 0; w < words && agrees; w++)
                    agrees = (keys[u * words + w] & s->kept[w]) == s->key[w];
                all += agrees ? m->all[(from + u) * k + c] : 0;
                with += agrees ? m->with[(from + u) * k + c] : 0;
            }
            sum[c] += log(((value ? with : all - with) + 1) / (all + 2));
        }
        return;
    }
    const double *terms = NULL; /* of the configuration with this key; NULL: never seen */
    while (low < high && !terms) {
        size_t middle = low + (high - low) / 2;
        int order = compare_keys(keys + middle * words, s->key, words);
        if (order == 0)
            terms = (value ? m->log1 : m->log0) + (from + middle) * k;
        else if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t c = 0; c < m->classes; c++)
        sum[c] += terms ? terms[c] : -0.69314718055994530942; /* log(1/2) */
}

/* In place of what the base has for a feature: its factor, if it is selected. */
static void correct(const struct model *m, uint32_t f, struct scratch *s, double *sum)
{
    bool positive = s->positive[f] == s->round;
    if (!hs_bit_get(m->used, f) || s->visited[f] == s->round)
        return;
    s->visited[f] = s->round;
    for (uint32_t c = 0; c < m->classes; c++)
        sum[c] -= m->log0[m->config_start[f] * m->classes + c];
    if (!positive || s->chosen[f] == s->round)
        add_factor(m, f, positive, true, s, sum);
}

static void mark(uint32_t *marks, const uint32_t *list, size_t count, uint32_t round)
{
    for (size_t i = 0; i < count; i++)
        marks[list[i]] = round;
}

/* Marks what is positive in the instance, and what is selected: the latter. */
static hs_selection start(const struct model *m, const hs_batch *batch, uint32_t at,
                          struct scratch *s)
{
    size_t count;
    const uint32_t *row = hs_row(batch->data, batch->instances[at], &count);
    const hs_selection selected = hs_selected(batch, row, count);
    if (++s->round == 0) {
        memset(s->positive, 0, m->features * sizeof *s->positive);
        memset(s->chosen, 0, m->features * sizeof *s->chosen);
        memset(s->visited, 0, m->features * sizeof *s->visited);
        s->round = 1;
    }
    mark(s->positive, row, count, s->round);
    mark(s->chosen, selected.positive, selected.positive_count, s->round);
    mark(s->chosen, selected.negative, selected.negative_count, s->round);
    return selected;
}

static int ban_predict(const void *pointer, const hs_batch *batch, void *scratch,
                       double *probability, double *score, hsel_error *error)
{
    const struct model *m = pointer;
    struct scratch *s = scratch;
    (void)error;
    for (uint32_t at = 0; at < batch->count; at++, probability += m->classes, score += m->classes) {
        size_t count;
        const uint32_t *row = hs_row(batch->data, batch->instances[at], &count);
        const hs_selection selected = start(m, batch, at, s);
        const bool all_negative = selected.all_negative;
        memcpy(probability, all_negative ? m->base : m->prior, m->classes * sizeof *probability);
        for (size_t i = 0; all_negative && i < count; i++) {
            correct(m, row[i], s, probability);
            for (uint32_t j = m->child_start[row[i]]; j < m->child_start[row[i] + 1]; j++)
                correct(m, m->child[j], s, probability);
        }
        for (uint32_t i = 0; !all_negative && i < selected.positive_count; i++)
            add_factor(m, selected.positive[i], true, false, s, probability);
        for (uint32_t i = 0; i < selected.negative_count; i++)
            add_factor(m, selected.negative[i], false, false, s, probability);
        hs_normalise_logs(probability, score, m->classes);
    }
    return HSEL_OK;
}

static void add_terms(const void *model, const hs_batch *one, void *scratch, uint32_t feature,
                      bool positive, double *sum)
{
    add_factor(model, feature, positive, !one->selection || one->selection->all_negative, scratch,
               sum);
}

/* The factor of a feature, which depends on its parents' values, is the feature's. */
static int ban_contributions(const void *pointer, const hs_batch *one, void *scratch,
                             uint32_t label, double *prior, double *contribution, hsel_error *error)
{
    const struct model *m = pointer;
    start(m, one, 0, scratch);
    return hs_add_contributions(m, one, scratch, m->prior, m->classes, label, add_terms, prior,
                                contribution, error);
}

/* With each parent by itself: the counts are those of all configurations of the parents. */
static uint32_t depends(const void *pointer, uint32_t feature, uint32_t i, double *strength)
{
    const struct model *m = pointer;
    const size_t words = words_of(m, feature), k = m->classes, from = m->config_start[feature];
    double total = 0;
    if (i >= parents_of(m, feature))
        return HSEL_NONE;
    *strength = 0;
    for (uint32_t c = 0; c < m->classes; c++) {
        double above = 0, with = 0, both = 0;
        for (size_t u = from; u < m->config_start[feature + 1]; u++) {
            bool positive = hs_bit_get(m->key + m->key_start[feature] + (u - from) * words, i);
            above += positive ? m->all[u * k + c] : 0;
            both += positive ? m->with[u * k + c] : 0;
            with += m->with[u * k + c];
        }
        *strength += hs_pair_bits(m->class_size[c], with, above, both);
        total += m->class_size[c];
    }
    *strength /= total > 0 ? total : 1;
    return m->parent[m->parent_start[feature] + i];
}

/* ---- model files: sizes, class sizes, features in use; of each its configurations; class weights.
 * The parents are those of the hierarchy, which the model has beside it. ---- */

/* Keys ascend from 0 and have no bit beyond the parents; counts add up to the classes. */
static bool feature_is_sound(const struct model *m, uint32_t f)
{
    size_t words = words_of(m, f), from = m->config_start[f], to = m->config_start[f + 1];
    const uint64_t *key = m->key + m->key_start[f];
    uint32_t parents = parents_of(m, f);
    for (size_t w = 0; w < words; w++)
        if (key[w] != 0)
            return false;
    for (size_t u = 1; u < to - from; u++, key += words) {
        if (compare_keys(key, key + words, words) >= 0 ||
            (parents % 64 && key[2 * words - 1] >> parents % 64))
            return false;
    }
    for (uint32_t c = 0; c < m->classes; c++) {
        uint64_t sum = 0;
        for (size_t u = from; u < to; u++) {
            sum += m->all[u * m->classes + c];
            if (m->with[u * m->classes + c] > m->all[u * m->classes + c])
                return false;
        }
        if (sum != m->class_size[c])
            return false;
    }
    return true;
}

static int ban_fields(void *model, const hsel_dataset *shape, hs_transfer *file, hsel_error *error)
{
    struct model *m = model;
    const size_t k = m->classes;
    if (hs_reads(file) && !shape->dag)
        return HSEL_EFORMAT;
    HS_FIELDS(file, HS_SHAPE(m), HS_VALUES(*m->class_size, k, HS_SUM_TO(HS_INSTANCES_LIMIT)),
              HS_BIT_SET(m->used, m->features));
    if (hs_reads(file))
        keep_edges(m, shape->dag);
    for (uint32_t f = 0; f < m->features; f++) {
        const size_t from = m->config_start[f], words = words_of(m, f);
        uint32_t configs = (uint32_t)(m->config_start[f + 1] - from);
        if (hs_reads(file))
            m->config_start[f + 1] = from;
        if (!hs_bit_get(m->used, f))
            continue;
        HS_FIELDS(file, HS_VALUE(configs, 1, UINT32_MAX));
        if (hs_reads(file) &&
            configs > file->left / (words * sizeof *m->key + 2 * k * sizeof *m->all))
            return HSEL_EFORMAT;
        for (uint32_t i = 0; hs_reads(file) && i < configs; i++)
            HS_TRY(add_config(m, f, error));
        HS_FIELDS(file, HS_VALUES(m->key[m->key_start[f]], configs * words, HS_ANY),
                  HS_VALUES(m->all[from * k], configs * k, HS_ANY),
                  HS_VALUES(m->with[from * k], configs * k, HS_ANY));
        if (hs_reads(file) && !feature_is_sound(m, f))
            return HSEL_EFORMAT;
    }
    HS_TRY(hs_log_weights_fields(m->log_weight, m->classes, file, error));
    return hs_reads(file) ? finish(m, error) : HSEL_OK;
}

static const hs_classifier functions = {.fit = ban_fit,
                                        .predict = ban_predict,
                                        .scratch_new = ban_scratch_new,
                                        .scratch_free = hs_free,
                                        .contributions = ban_contributions,
                                        .depends = depends,
                                        .name = "BAN",
                                        .make = ban_model_new,
                                        .fields = ban_fields,
                                        .free = ban_model_free};

const hs_method hs_method_ban = {
    .kind = HS_CLASSIFIER,
    .name = "ban",
    .title = "Bayesian network along the hierarchy",
    .help =
        "GO-BAN: a Bayesian network in which each feature depends on the class and on its direct "
        "parents in the hierarchy, with Laplace smoothing. A configuration of parents not seen in "
        "training contributes 1/2. A lazy selection conditions each selected feature on its "
        "selected parents.",
    .citation =
        "Wan, Freitas (2015), GO-hierarchy-based Bayesian network augmented naive Bayes; as "
        "used by Wan, Freitas (2020), Table 2",
    .flags = HS_NEEDS_CLASSES | HS_NEEDS_HIERARCHY | HS_PREDICTS_ON_MASK,
    .options = hs_adjust_table,
    .options_size = sizeof(hs_adjust_options),
    .check = hs_adjust_check,
    .classifier = &functions,
};
