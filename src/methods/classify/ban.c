/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GO-BAN: a Bayesian network (network.h) whose feature-feature edges are the direct edges of the
 * hierarchy.
 *
 * Wan, Freitas (2015); as read from the figures of Wan, Freitas (2020): the joint configuration of
 * all direct parents, Laplace smoothing. Features that an eager selection left out do not exist,
 * and no edge passes through them. Data may break the true-path rule; they only have more
 * configurations then. Counting goes through the columns of the parents, O(sum over edges of the
 * support of the parent): an instance in which none of them is positive costs nothing, and its
 * configuration is what is left of the class.
 */
#include <string.h>

#include "classify/network.h"
#include "core/mem.h"

static void *ban_model_new(const hsel_dataset *shape)
{
    return hs_network_new(shape, shape->dag ? shape->dag->edges : 0);
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
static int count_feature(struct counting *c, hs_network *m, uint32_t f, hsel_error *error)
{
    const uint32_t *class_of = c->data->class_of;
    size_t words = hs_network_words(m, f), bytes = words * sizeof *c->key, k = m->classes, support;
    const uint64_t *last = NULL;
    c->count = 0; /* the keys of the training instances in which some parent of f is positive */
    for (uint32_t p = 0; p < hs_network_parents(m, f); p++) {
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
    for (uint32_t p = 0; p < hs_network_parents(m, f); p++) { /* by key: a stable pass per parent */
        uint32_t zeros = 0, ones = 0;
        for (uint32_t i = 0; i < c->count; i++) {
            if (hs_bit_get(c->key + c->order[i] * words, p))
                c->aside[ones++] = c->order[i];
            else
                c->order[zeros++] = c->order[i];
        }
        memcpy(c->order + zeros, c->aside, ones * sizeof *c->order);
    }
    HS_TRY(hs_network_add(m, f, error));
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t place = c->order[i], row = c->touched[place];
        const uint64_t *key = c->key + place * words;
        if (!last || memcmp(last, key, bytes) != 0) {
            HS_TRY(hs_network_add(m, f, error));
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
    HS_OWNS(hs_network_release) hs_network *m = ban_model_new(data);
    (void)options;
    HS_NEED(c && m);
    c->data = data;
    for (uint32_t f = 0; f < data->features; f++)
        if (hs_view_has(view, f))
            hs_bit_set(m->used, f);
    hs_network_link(m, data->dag->parent_start, data->dag->parent);
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
    HS_TRY(hs_network_finish(m, error));
    *out = hs_take(&m);
    return HSEL_OK;
}

/* ---- model files: sizes, class sizes, features in use; of each its configurations; class weights.
 * The parents are those of the hierarchy, which the model has beside it. ---- */

/* Keys ascend from 0 and have no bit beyond the parents; counts add up to the classes. */
static bool feature_is_sound(const hs_network *m, uint32_t f)
{
    size_t words = hs_network_words(m, f), from = m->config_start[f], to = m->config_start[f + 1];
    const uint64_t *key = m->key + m->key_start[f];
    uint32_t parents = hs_network_parents(m, f);
    for (size_t w = 0; w < words; w++)
        if (key[w] != 0)
            return false;
    for (size_t u = 1; u < to - from; u++, key += words) {
        if (hs_network_compare(key, key + words, words) >= 0 ||
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
    hs_network *m = model;
    const size_t k = m->classes;
    if (hs_reads(file) && !shape->dag)
        return HSEL_EFORMAT;
    HS_FIELDS(file, HS_SHAPE(m), HS_VALUES(*m->class_size, k, HS_SUM_TO(HS_INSTANCES_LIMIT)),
              HS_BIT_SET(m->used, m->features));
    if (hs_reads(file))
        hs_network_link(m, shape->dag->parent_start, shape->dag->parent);
    for (uint32_t f = 0; f < m->features; f++) {
        const size_t from = m->config_start[f], words = hs_network_words(m, f);
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
            HS_TRY(hs_network_add(m, f, error));
        HS_FIELDS(file, HS_VALUES(m->key[m->key_start[f]], configs * words, HS_ANY),
                  HS_VALUES(m->all[from * k], configs * k, HS_ANY),
                  HS_VALUES(m->with[from * k], configs * k, HS_ANY));
        if (hs_reads(file) && !feature_is_sound(m, f))
            return HSEL_EFORMAT;
    }
    HS_TRY(hs_log_weights_fields(m->log_weight, m->classes, file, error));
    return hs_reads(file) ? hs_network_finish(m, error) : HSEL_OK;
}

static const hs_classifier functions = {.fit = ban_fit,
                                        .predict = hs_network_predict,
                                        .scratch_new = hs_network_scratch_new,
                                        .scratch_free = hs_free,
                                        .contributions = hs_network_contributions,
                                        .depends = hs_network_depends,
                                        .name = "BAN",
                                        .make = ban_model_new,
                                        .fields = ban_fields,
                                        .free = hs_network_free};

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
