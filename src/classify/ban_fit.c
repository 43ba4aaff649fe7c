/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting for BAN: which configurations of its parents a feature meets in the training part, and
 * how often. Columns of the parents are gone through, so an instance in which none of them is
 * positive costs nothing; its configuration is what is left of the class.
 */
#include <math.h>
#include <string.h>

#include "classify/ban.h"
#include "core/mem.h"

void hs_ban_free(void *pointer)
{
    struct ban_model *m = pointer;
    if (!m)
        return;
    void *const parts[] = {m->used,       m->parent_start, m->parent,    m->child_start, m->child,
                           m->class_size, m->config_start, m->key_start, m->key,         m->all,
                           m->with,       m->log0,         m->log1,      m->prior,       m->base};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        hs_free(parts[i]);
    hs_free(m);
}

/* The neighbours that are in use, of every feature in use. */
static void keep_used(const uint64_t *used, uint32_t features, const uint32_t *from_start,
                      const uint32_t *from, uint32_t *start, uint32_t *item)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < features; f++) {
        start[f] = count;
        for (uint32_t i = from_start[f]; i < from_start[f + 1] && hs_bit_get(used, f); i++)
            if (hs_bit_get(used, from[i]))
                item[count++] = from[i];
    }
    start[features] = count;
}

struct ban_model *hs_ban_new(const hsel_dag *dag, const uint64_t *used, uint32_t classes)
{
    size_t d = dag->nodes, words = hs_bit_words(d);
    struct ban_model *m = HS_NEW_ZERO(struct ban_model, 1);
    if (!m)
        return NULL;
    *m = (struct ban_model){.features = dag->nodes,
                            .classes = classes,
                            .used = HS_NEW_ZERO(uint64_t, words),
                            .parent_start = HS_NEW(uint32_t, d + 1),
                            .parent = HS_NEW(uint32_t, dag->edges),
                            .child_start = HS_NEW(uint32_t, d + 1),
                            .child = HS_NEW(uint32_t, dag->edges),
                            .class_size = HS_NEW_ZERO(uint32_t, classes),
                            .config_start = HS_NEW_ZERO(size_t, d + 1),
                            .key_start = HS_NEW_ZERO(size_t, d),
                            .prior = HS_NEW(double, classes),
                            .base = HS_NEW(double, classes)};
    if (!m->used || !m->parent_start || !m->parent || !m->child_start || !m->child ||
        !m->class_size || !m->config_start || !m->key_start || !m->prior || !m->base) {
        hs_ban_free(m);
        return NULL;
    }
    for (uint32_t f = 0; f < dag->nodes; f++)
        if (!used || hs_bit_get(used, f))
            hs_bit_set(m->used, f);
    keep_used(m->used, dag->nodes, dag->parent_start, dag->parent, m->parent_start, m->parent);
    keep_used(m->used, dag->nodes, dag->child_start, dag->child, m->child_start, m->child);
    return m;
}

int hs_ban_add_config(struct ban_model *m, uint32_t f, hsel_error *error)
{
    size_t configs = m->config_start[f + 1], k = m->classes, words = ban_words(m, f);
    if (!HS_GROW(&m->all, &m->all_room, (configs + 1) * k) ||
        !HS_GROW(&m->with, &m->with_room, (configs + 1) * k) ||
        !HS_GROW(&m->key, &m->key_room, m->key_words + words + 1))
        return hs_fail_memory(error);
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

int hs_ban_finish(struct ban_model *m, hsel_error *error)
{
    size_t cells = m->config_start[m->features] * m->classes;
    double total = m->classes;
    m->log0 = HS_NEW(double, cells);
    m->log1 = HS_NEW(double, cells);
    if (!m->log0 || !m->log1)
        return hs_fail_memory(error);
    for (size_t i = 0; i < cells; i++) {
        m->log1[i] = log((m->with[i] + 1.0) / (m->all[i] + 2.0));
        m->log0[i] = log((m->all[i] - m->with[i] + 1.0) / (m->all[i] + 2.0));
    }
    for (uint32_t c = 0; c < m->classes; c++)
        total += m->class_size[c];
    for (uint32_t c = 0; c < m->classes; c++) {
        m->base[c] = m->prior[c] = log((m->class_size[c] + 1.0) / total);
        for (uint32_t f = 0; f < m->features; f++)
            if (hs_bit_get(m->used, f))
                m->base[c] += m->log0[m->config_start[f] * m->classes + c];
    }
    return HSEL_OK;
}

/* ---- counting ---- */

struct counting {
    const hsel_dataset *data;
    uint32_t *weight;         /* [instances]: how often it is in the training part, with a class */
    uint32_t *slot;           /* [instances]: 1 + its place below; 0: no parent is positive in it */
    uint32_t *touched, count; /* instances in which some parent is positive */
    size_t *config;           /* [instances]: configuration of the instance in that place */
    uint32_t *order, *aside;  /* [instances]: places by key */
    uint64_t *key;            /* a key a place */
    size_t key_room;
};

static void counting_clear(struct counting *c)
{
    hs_free(c->weight);
    hs_free(c->slot);
    hs_free(c->touched);
    hs_free(c->config);
    hs_free(c->order);
    hs_free(c->aside);
    hs_free(c->key);
}

static int counting_init(struct counting *c, struct ban_model *m, const hs_view *view,
                         hsel_error *error)
{
    size_t n = view->data->instances;
    *c = (struct counting){.data = view->data,
                           .weight = HS_NEW_ZERO(uint32_t, n),
                           .slot = HS_NEW_ZERO(uint32_t, n),
                           .touched = HS_NEW(uint32_t, n),
                           .config = HS_NEW(size_t, n),
                           .order = HS_NEW(uint32_t, n),
                           .aside = HS_NEW(uint32_t, n)};
    if (!c->weight || !c->slot || !c->touched || !c->config || !c->order || !c->aside)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t row = hs_view_row(view, i), label = view->data->class_of[row];
        if (label != HSEL_NONE) {
            c->weight[row]++;
            m->class_size[label]++;
        }
    }
    return HSEL_OK;
}

/* The keys of the training instances in which some parent of f is positive. */
static int collect_keys(struct counting *c, const struct ban_model *m, uint32_t f,
                        hsel_error *error)
{
    size_t words = ban_words(m, f);
    c->count = 0;
    for (uint32_t p = 0; p < ban_parents(m, f); p++) {
        size_t support;
        const uint32_t *column = hs_column(c->data, m->parent[m->parent_start[f] + p], &support);
        for (size_t i = 0; i < support; i++) {
            uint32_t row = column[i];
            if (!c->weight[row])
                continue;
            if (!c->slot[row]) {
                if (!HS_GROW(&c->key, &c->key_room, (c->count + 1) * words))
                    return hs_fail_memory(error);
                memset(c->key + c->count * words, 0, words * sizeof *c->key);
                c->touched[c->count++] = row;
                c->slot[row] = c->count;
            }
            hs_bit_set(c->key + (c->slot[row] - 1) * words, p);
        }
    }
    return HSEL_OK;
}

/* Places in ascending order of their keys: a stable pass a parent. */
static void sort_keys(struct counting *c, const struct ban_model *m, uint32_t f)
{
    size_t words = ban_words(m, f);
    for (uint32_t i = 0; i < c->count; i++)
        c->order[i] = i;
    for (uint32_t p = 0; p < ban_parents(m, f); p++) {
        uint32_t zeros = 0, ones = 0;
        for (uint32_t i = 0; i < c->count; i++) {
            if (hs_bit_get(c->key + c->order[i] * words, p))
                c->aside[ones++] = c->order[i];
            else
                c->order[zeros++] = c->order[i];
        }
        memcpy(c->order + zeros, c->aside, ones * sizeof *c->order);
    }
}

/* Configurations of f and the instances of each. What no parent touches has the first one. */
static int add_configs(struct counting *c, struct ban_model *m, uint32_t f, hsel_error *error)
{
    const uint32_t *class_of = c->data->class_of;
    size_t words = ban_words(m, f), bytes = words * sizeof *c->key, k = m->classes;
    const uint64_t *last = NULL;
    int status = hs_ban_add_config(m, f, error);
    for (uint32_t i = 0; i < c->count && status == HSEL_OK; i++) {
        uint32_t place = c->order[i], row = c->touched[place];
        const uint64_t *key = c->key + place * words;
        if (!last || memcmp(last, key, bytes) != 0) {
            if ((status = hs_ban_add_config(m, f, error)))
                return status;
            memcpy(m->key + m->key_words - words, key, bytes);
        }
        last = key;
        c->config[place] = m->config_start[f + 1] - 1;
        m->all[c->config[place] * k + class_of[row]] += c->weight[row];
    }
    for (uint32_t label = 0; label < m->classes && status == HSEL_OK; label++) {
        uint32_t rest = m->class_size[label];
        for (size_t u = m->config_start[f] + 1; u < m->config_start[f + 1]; u++)
            rest -= m->all[u * k + label];
        m->all[m->config_start[f] * k + label] = rest;
    }
    return status;
}

static int count_feature(struct counting *c, struct ban_model *m, uint32_t f, hsel_error *error)
{
    int status = collect_keys(c, m, f, error);
    if (status == HSEL_OK) {
        sort_keys(c, m, f);
        status = add_configs(c, m, f, error);
    }
    if (status)
        return status;
    size_t support;
    const uint32_t *column = hs_column(c->data, f, &support);
    for (size_t i = 0; i < support; i++) {
        uint32_t row = column[i];
        if (!c->weight[row])
            continue;
        size_t u = c->slot[row] ? c->config[c->slot[row] - 1] : m->config_start[f];
        m->with[u * m->classes + c->data->class_of[row]] += c->weight[row];
    }
    for (uint32_t i = 0; i < c->count; i++)
        c->slot[c->touched[i]] = 0;
    return HSEL_OK;
}

int hs_ban_fit(const hs_training *training, const void *options, void **out, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    struct counting counting = {0};
    struct ban_model *m = hs_ban_new(data->dag, training->view.features, data->class_names.count);
    int status = m ? counting_init(&counting, m, &training->view, error) : hs_fail_memory(error);
    (void)options;
    for (uint32_t f = 0; status == HSEL_OK && f < data->features; f++) {
        m->config_start[f + 1] = m->config_start[f];
        if (hs_bit_get(m->used, f))
            status = count_feature(&counting, m, f, error);
    }
    if (status == HSEL_OK)
        status = hs_ban_finish(m, error);
    counting_clear(&counting);
    if (status)
        hs_ban_free(m);
    else
        *out = m;
    return status;
}
