/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Configurations, and predicting by them.
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
                             HS_PART(m, alone0, d * k), HS_PART(m, alone1, d * k),
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
    for (size_t i = configs * k; i < (configs + 1) * k; i++)
        m->all[i] = m->with[i] = 0;
    for (size_t w = 0; w < words; w++)
        m->key[m->key_words++] = 0;
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
    for (uint32_t f = 0; f < m->features; f++)
        for (size_t c = 0; hs_bit_get(m->used, f) && c < m->classes; c++) {
            uint32_t all = m->class_size[c], with = 0;
            for (size_t u = m->config_start[f]; u < m->config_start[f + 1]; u++)
                with += m->with[u * m->classes + c];
            m->alone1[f * m->classes + c] = log((with + 1.0) / (all + 2.0));
            m->alone0[f * m->classes + c] = log((all - with + 1.0) / (all + 2.0));
        }
    for (uint32_t c = 0; c < m->classes; c++) {
        m->base[c] = m->prior[c];
        for (uint32_t f = 0; f < m->features; f++)
            if (hs_bit_get(m->used, f))
                m->base[c] += m->log0[m->config_start[f] * m->classes + c];
    }
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

/* Of the counts of all configurations of f that agree with the selected parents. */
static void add_agreeing(const hs_network *m, uint32_t f, bool value, const struct scratch *s,
                         double *sum)
{
    const size_t words = hs_network_words(m, f), k = m->classes, from = m->config_start[f];
    for (uint32_t c = 0; c < m->classes; c++) {
        const uint64_t *key = m->key + m->key_start[f];
        double all = 0, with = 0;
        for (size_t u = from; u < m->config_start[f + 1]; u++, key += words) {
            bool agrees = true;
            for (size_t w = 0; w < words && agrees; w++)
                agrees = (key[w] & s->kept[w]) == s->key[w];
            all += agrees ? m->all[u * k + c] : 0;
            with += agrees ? m->with[u * k + c] : 0;
        }
        sum[c] += log(((value ? with : all - with) + 1) / (all + 2));
    }
}

/* The configuration of f with this key; HSEL_NONE: it was never seen. */
static size_t find_config(const hs_network *m, uint32_t f, const uint64_t *key)
{
    const size_t words = hs_network_words(m, f);
    size_t low = m->config_start[f], high = m->config_start[f + 1];
    const uint64_t *keys = m->key + m->key_start[f] - low * words;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = hs_network_compare(keys + middle * words, key, words);
        if (order == 0)
            return middle;
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    return HSEL_NONE;
}

static inline void add_terms_of(const double *terms, uint32_t classes, double *sum)
{
    for (uint32_t c = 0; c < classes; c++)
        sum[c] += terms ? terms[c] : -0.69314718055994530942; /* never seen: log(1/2) */
}

/* Of a feature with several parents. Apart, so that others do not pay for what this needs. */
static __attribute__((noinline)) void add_of_several(const hs_network *m, uint32_t f, bool value,
                                                     bool all_negative, struct scratch *s,
                                                     double *sum)
{
    const uint32_t *parent = m->parent + m->parent_start[f], parents = hs_network_parents(m, f);
    const double *terms = (value ? m->alone1 : m->alone0) + (size_t)f * m->classes;
    uint32_t known = 0; /* parents that are selected */
    for (size_t w = 0; w < hs_bit_words(parents); w++)
        s->key[w] = s->kept[w] = 0;
    for (uint32_t p = 0; p < parents; p++) {
        bool positive = s->positive[parent[p]] == s->round;
        if (s->chosen[parent[p]] != s->round && (positive || !all_negative))
            continue;
        known++;
        hs_bit_set(s->kept, p);
        if (positive)
            hs_bit_set(s->key, p);
    }
    if (known > 0 && known < parents) {
        add_agreeing(m, f, value, s, sum);
        return;
    }
    if (known > 0) {
        const size_t config = find_config(m, f, s->key);
        terms = config == HSEL_NONE ? NULL : (value ? m->log1 : m->log0) + config * m->classes;
    }
    add_terms_of(terms, m->classes, sum);
}

/* Adds log P(value | c, the selected parents of f). */
static void add_factor(const hs_network *m, uint32_t f, bool value, bool all_negative,
                       struct scratch *s, double *sum)
{
    const uint32_t *parent = m->parent + m->parent_start[f], parents = hs_network_parents(m, f);
    const double *terms = (value ? m->alone1 : m->alone0) + (size_t)f * m->classes;
    if (!hs_bit_get(m->used, f))
        return;
    if (parents > 1) {
        add_of_several(m, f, value, all_negative, s, sum);
        return;
    }
    const bool positive = parents && s->positive[*parent] == s->round;
    if (parents && (s->chosen[*parent] == s->round || (!positive && all_negative))) {
        const size_t config = m->config_start[f] + positive; /* its keys are 0 and 1 */
        const double *logs = value ? m->log1 : m->log0;
        terms = config < m->config_start[f + 1] ? logs + config * m->classes : NULL;
    }
    add_terms_of(terms, m->classes, sum);
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
