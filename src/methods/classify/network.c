/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting the configurations of a network, and predicting from them.
 */
#include "classify/network.h"

#include "classify/cmi.h"

void hs_network_free(void *pointer)
{
    hs_network *m = pointer;
    if (m)
        HS_FREE(m->key, m->all, m->with, m->log0, m->log1, m);
}

hs_network *hs_network_new(const hsel_dataset *shape, const hs_view *view, size_t edges)
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
    for (uint32_t f = 0; m && view && f < m->features; f++)
        if (hs_view_has(view, f))
            hs_bit_set(m->used, f);
    return m;
}

static uint32_t parents_of(const hs_network *m, uint32_t f)
{
    return m->parent_start[f + 1] - m->parent_start[f];
}

static size_t words_of(const hs_network *m, uint32_t f) { return hs_bit_words(parents_of(m, f)); }

/* The edges between features in use, from start and parent of hs_network_fit. */
static void set_edges(hs_network *m, const uint32_t *start, const uint32_t *parent)
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

/* Adds a configuration of feature f without instances, its key all zero. Features come in order,
 * each after config_start[f + 1] = config_start[f]. */
static int add_config(hs_network *m, uint32_t f, hsel_error *error)
{
    size_t configs = m->config_start[f + 1], k = m->classes, words = words_of(m, f);
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

/* Logarithms, from counts, class sizes and weights. */
static int compute_logs(hs_network *m, hsel_error *error)
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

/* ---- counting ----
 *
 * By the columns of the parents, O(sum over edges of the support of the parent). Instances in which
 * no parent is positive are not visited; their configuration gets the rest of the class. The
 * instances of a feature are split by one parent after another: the positive ones of each group
 * form a new group. So groups are in the order of their keys. */

struct group {
    size_t config;
    uint32_t size; /* not for the first, in which no parent is positive */
    uint32_t next; /* those in which the next parent is positive; 0: none */
};

struct counting { /* in one block with its lists but those of the groups */
    const hsel_dataset *data;
    uint32_t *weight;         /* [instances]: how often it is in the training part, with a class */
    uint32_t *of;             /* [instances]: its group */
    uint32_t *touched, count; /* instances that are not in the first */
    struct group *group;
    uint64_t *key; /* of each group */
    size_t group_capacity, key_capacity;
    uint32_t groups;
};

static void counting_release(struct counting **c)
{
    if (*c)
        HS_FREE((*c)->group, (*c)->key, *c);
}

/* Splits the groups by parent p, which is positive in the rows of the column. */
static int part_groups(struct counting *c, const uint32_t *column, size_t support, size_t words,
                       uint32_t p, hsel_error *error)
{
    const uint32_t before = c->groups;
    for (size_t i = 0; before > 1 && i < support; i++)
        c->group[c->of[column[i]]].next = 1;
    c->group[0].next = 1;
    for (uint32_t g = 0; g < before; g++) {
        if (!c->group[g].next)
            continue;
        HS_NEED(HS_GROW(&c->group, &c->group_capacity, (size_t)c->groups + 1) &&
                HS_GROW(&c->key, &c->key_capacity, (c->groups + 1) * words));
        memcpy(c->key + c->groups * words, c->key + g * words, words * sizeof *c->key);
        hs_bit_set(c->key + c->groups * words, p);
        c->group[c->groups] = (struct group){0};
        c->group[g].next = c->groups++;
    }
    for (size_t i = 0; i < support; i++) {
        const uint32_t row = column[i], g = c->of[row];
        if (!c->weight[row])
            continue;
        if (g == 0)
            c->touched[c->count++] = row;
        c->group[g].size--;
        c->of[row] = c->group[g].next;
        c->group[c->of[row]].size++;
    }
    for (uint32_t g = 0; g < before; g++)
        c->group[g].next = 0;
    return HSEL_OK;
}

/* Configurations of f and the instances of each. */
static int count_feature(struct counting *c, hs_network *m, uint32_t f, hsel_error *error)
{
    const uint32_t *class_of = c->data->class_of;
    const size_t words = words_of(m, f), k = m->classes;
    size_t support;
    HS_NEED(HS_GROW(&c->group, &c->group_capacity, 1) &&
            HS_GROW(&c->key, &c->key_capacity, words + 1));
    memset(c->key, 0, words * sizeof *c->key);
    c->group[0] = (struct group){0};
    c->groups = 1;
    c->count = 0;
    for (uint32_t p = 0; p < parents_of(m, f); p++) {
        const uint32_t *column = hs_column(c->data, m->parent[m->parent_start[f] + p], &support);
        HS_TRY(part_groups(c, column, support, words, p, error));
    }
    for (uint32_t g = 0; g < c->groups; g++) {
        if (g && !c->group[g].size)
            continue;
        HS_TRY(add_config(m, f, error));
        memcpy(m->key + m->key_words - words, c->key + g * words, words * sizeof *m->key);
        c->group[g].config = m->config_start[f + 1] - 1;
    }
    const uint32_t *column = hs_column(c->data, f, &support);
    for (size_t i = 0; i < support; i++)
        if (c->weight[column[i]])
            m->with[c->group[c->of[column[i]]].config * k + class_of[column[i]]] +=
                c->weight[column[i]];
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t row = c->touched[i];
        m->all[c->group[c->of[row]].config * k + class_of[row]] += c->weight[row];
        c->of[row] = 0;
    }
    for (uint32_t label = 0; label < m->classes; label++) {
        uint32_t rest = m->class_size[label];
        for (size_t u = m->config_start[f] + 1; u < m->config_start[f + 1]; u++)
            rest -= m->all[u * k + label];
        m->all[m->config_start[f] * k + label] = rest;
    }
    return HSEL_OK;
}

int hs_network_fit(hs_network *m, const hs_training *training, const uint32_t *start,
                   const uint32_t *parent, hsel_error *error)
{
    const hs_view *view = &training->view;
    const hsel_dataset *data = view->data;
    const size_t n = data->instances;
    HS_OWNS(counting_release)
    struct counting *c =
        HS_BLOCK(c, HS_PART(c, weight, n), HS_PART(c, of, n), HS_PART(c, touched, n));
    HS_NEED(c);
    c->data = data;
    set_edges(m, start, parent);
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
    return compute_logs(m, error);
}

/* ---- model files ---- */

/* Keys as numbers, the last word first. */
static int compare_keys(const uint64_t *a, const uint64_t *b, size_t words)
{
    for (size_t w = words; w-- > 0;)
        if (a[w] != b[w])
            return a[w] < b[w] ? -1 : 1;
    return 0;
}

/* Keys ascend from 0 and have no bit beyond the parents; counts add up to the classes. */
static bool has_sound_configs(const hs_network *m, uint32_t f)
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

int hs_network_fields(hs_network *m, const uint32_t *start, const uint32_t *parent,
                      hs_transfer *file, hsel_error *error)
{
    const size_t k = m->classes;
    HS_FIELDS(file, HS_SHAPE(m), HS_VALUES(*m->class_size, k, HS_SUM_TO(HS_INSTANCES_LIMIT)),
              HS_BIT_SET(m->used, m->features));
    if (hs_reads(file))
        set_edges(m, start, parent);
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
        if (hs_reads(file) && !has_sound_configs(m, f))
            return HSEL_EFORMAT;
    }
    HS_TRY(hs_log_weights_fields(m->log_weight, m->classes, file, error));
    return hs_reads(file) ? compute_logs(m, error) : HSEL_OK;
}

/* ---- predicting ---- */

struct scratch {        /* in one block with its lists */
    uint32_t round;     /* the mark of the current instance */
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
        words = words_of(m, f) > words ? words_of(m, f) : words;
    struct scratch *s =
        HS_BLOCK(s, HS_PART(s, positive, d), HS_PART(s, chosen, d), HS_PART(s, visited, d),
                 HS_PART(s, kept, words), HS_PART(s, key, words));
    HS_NEED(*out = s);
    return HSEL_OK;
}

/* Adds the factor of f from the configurations that agree with the selected parents. */
static void add_agreeing(const hs_network *m, uint32_t f, bool value, const struct scratch *s,
                         double *sum)
{
    const size_t words = words_of(m, f), k = m->classes, from = m->config_start[f];
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
    const size_t words = words_of(m, f);
    size_t low = m->config_start[f], high = m->config_start[f + 1];
    const uint64_t *keys = m->key + m->key_start[f] - low * words;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_keys(keys + middle * words, key, words);
        if (order == 0)
            return middle;
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    return HSEL_NONE;
}

/* Adds log P(value | c, the selected parents of f). */
static void add_factor(const hs_network *m, uint32_t f, bool value, bool all_negative,
                       struct scratch *s, double *sum)
{
    const uint32_t *parent = m->parent + m->parent_start[f], parents = parents_of(m, f);
    const double *terms = (value ? m->alone1 : m->alone0) + (size_t)f * m->classes;
    uint32_t known = 0; /* parents that are selected */
    if (!hs_bit_get(m->used, f))
        return;
    for (uint32_t p = 0; p < parents; p += 64)
        s->key[p / 64] = s->kept[p / 64] = 0;
    for (uint32_t p = 0; p < parents; p++) {
        const bool positive = s->positive[parent[p]] == s->round;
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
    for (uint32_t c = 0; c < m->classes; c++)
        sum[c] += terms ? terms[c] : -0.69314718055994530942; /* never seen: log(1/2) */
}

/* Replaces the factor that the base has for a feature by its own; one that is not selected has
 * none. */
static void correct_factor(const hs_network *m, uint32_t f, struct scratch *s, double *sum)
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

/* Marks the positive and the selected features of the instance; returns the selection. */
static hs_selection mark_instance(const hs_network *m, const hs_batch *batch, uint32_t at,
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
        const hs_selection selected = mark_instance(m, batch, at, s);
        const bool all_negative = selected.all_negative;
        memcpy(probability, all_negative ? m->base : m->prior, m->classes * sizeof *probability);
        for (size_t i = 0; all_negative && i < count; i++) {
            correct_factor(m, row[i], s, probability);
            for (uint32_t j = m->child_start[row[i]]; j < m->child_start[row[i] + 1]; j++)
                if (!m->in_order || s->positive[m->child[j]] != s->round)
                    correct_factor(m, m->child[j], s, probability);
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
    mark_instance(m, one, 0, scratch);
    return hs_add_contributions(m, one, scratch, m->prior, m->classes, label, add_terms, prior,
                                contribution, error);
}

uint32_t hs_network_depends(const void *pointer, uint32_t feature, uint32_t i, double *strength)
{
    const hs_network *m = pointer;
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
