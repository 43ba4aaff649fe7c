/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting configurations and predicting by them. Counting goes through the columns of the parents,
 * so an instance in which none of them is positive costs nothing; its configuration is what is left
 * of the class.
 */
#include "classify/network.h"

#include <math.h>
#include <string.h>

#include "classify/cmi.h"
#include "core/mem.h"

void hs_network_free(void *pointer)
{
    hs_network *m = pointer;
    if (m)
        HS_FREE(m->key, m->all, m->with, m->log0, m->log1, m);
}

hs_network *hs_network_new(const hsel_dataset *shape, size_t edges)
{
    const size_t d = shape->features, k = shape->class_names.count;
    hs_network *m = HS_BLOCK(m, HS_PART(m, used, hs_bit_words(d)), HS_PART(m, parent_start, d + 1),
                             HS_PART(m, parent, edges), HS_PART(m, child_start, d + 2),
                             HS_PART(m, child, edges), HS_PART(m, class_size, k),
                             HS_PART(m, config_start, d + 1), HS_PART(m, key_start, d),
                             HS_PART(m, prior, k), HS_PART(m, base, k), HS_PART(m, log_weight, k));
    if (m) {
        m->features = shape->features;
        m->classes = shape->class_names.count;
    }
    return m;
}

void hs_network_link(hs_network *m, const uint32_t *start, const uint32_t *parent)
{
    uint32_t count = 0, *from = m->child_start;
    for (uint32_t f = 0; f < m->features; f++) {
        m->parent_start[f] = count;
        for (uint32_t i = start[f]; i < start[f + 1] && hs_bit_get(m->used, f); i++)
            if (hs_bit_get(m->used, parent[i])) {
                m->parent[count++] = parent[i];
                from[parent[i] + 2]++;
            }
    }
    m->parent_start[m->features] = count;
    for (uint32_t f = 0; f < m->features; f++)
        from[f + 2] += from[f + 1];
    for (uint32_t f = 0; f < m->features; f++) /* ends with from[f + 1] where f's end */
        for (uint32_t i = m->parent_start[f]; i < m->parent_start[f + 1]; i++)
            m->child[from[m->parent[i] + 1]++] = f;
}

int hs_network_add(hs_network *m, uint32_t f, hsel_error *error)
{
    size_t configs = m->config_start[f + 1], k = m->classes, words = hs_network_words(m, f);
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

int hs_network_finish(hs_network *m, hsel_error *error)
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

int hs_network_fit(hs_network *m, const hs_training *training, hsel_error *error)
{
    const hs_view *view = &training->view;
    const hsel_dataset *data = view->data;
    const size_t n = data->instances;
    HS_OWNS(counting_release)
    struct counting *c =
        HS_BLOCK(c, HS_PART(c, weight, n), HS_PART(c, slot, n), HS_PART(c, touched, n),
                 HS_PART(c, config, n), HS_PART(c, order, n), HS_PART(c, aside, n));
    HS_NEED(c);
    c->data = data;
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
    return hs_network_finish(m, error);
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

int hs_network_scratch_new(const void *pointer, void **out, hsel_error *error)
{
    const hs_network *m = pointer;
    size_t words = 1, d = m->features;
    for (uint32_t f = 0; f < m->features; f++)
        words = hs_network_words(m, f) > words ? hs_network_words(m, f) : words;
    struct scratch *s =
        HS_BLOCK(s, HS_PART(s, positive, d), HS_PART(s, chosen, d), HS_PART(s, visited, d),
                 HS_PART(s, kept, words), HS_PART(s, key, words));
    HS_NEED(*out = s);
    return HSEL_OK;
}

int hs_network_compare(const uint64_t *a, const uint64_t *b, size_t words)
{
    for (size_t w = words; w-- > 0;)
        if (a[w] != b[w])
            return a[w] < b[w] ? -1 : 1;
    return 0;
}

/* Adds log P(value | c, the selected parents of f). */
static void add_factor(const hs_network *m, uint32_t f, bool value, bool all_negative,
                       struct scratch *s, double *sum)
{
    const uint32_t *parent = m->parent + m->parent_start[f];
    const uint64_t *keys = m->key + m->key_start[f];
    const size_t words = hs_network_words(m, f), k = m->classes, from = m->config_start[f];
    size_t low = 0, high = m->config_start[f + 1] - from;
    bool complete = true; /* all parents are selected */
    if (!hs_bit_get(m->used, f))
        return;
    for (size_t w = 0; w < words; w++)
        s->key[w] = s->kept[w] = 0;
    for (uint32_t p = 0; p < hs_network_parents(m, f); p++) {
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
        int order = hs_network_compare(keys + middle * words, s->key, words);
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
static void correct(const hs_network *m, uint32_t f, struct scratch *s, double *sum)
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
static hs_selection start(const hs_network *m, const hs_batch *batch, uint32_t at,
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

int hs_network_predict(const void *pointer, const hs_batch *batch, void *scratch,
                       double *probability, double *score, hsel_error *error)
{
    const hs_network *m = pointer;
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
                if (!m->in_order || s->positive[m->child[j]] != s->round)
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

int hs_network_contributions(const void *pointer, const hs_batch *one, void *scratch,
                             uint32_t label, double *prior, double *contribution, hsel_error *error)
{
    const hs_network *m = pointer;
    start(m, one, 0, scratch);
    return hs_add_contributions(m, one, scratch, m->prior, m->classes, label, add_terms, prior,
                                contribution, error);
}

uint32_t hs_network_depends(const void *pointer, uint32_t feature, uint32_t i, double *strength)
{
    const hs_network *m = pointer;
    const size_t words = hs_network_words(m, feature), k = m->classes,
                 from = m->config_start[feature];
    double total = 0;
    if (i >= hs_network_parents(m, feature))
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
