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
 * positive, kept ready, and corrections for positive features and their children.
 */
#include <math.h>
#include <string.h>

#include "classify/ban.h"
#include "classify/bytes.h"
#include "core/mem.h"

/* ---- predicting ---- */

struct scratch {
    uint32_t round;       /* what is marked with it belongs to the instance at hand */
    uint32_t *positive;   /* [d] marks */
    uint32_t *chosen;     /* [d]: selected, positive or (unless all negatives are) negative */
    uint32_t *visited;    /* [d] */
    uint64_t *key, *kept; /* values of the parents; which of them are selected */
    uint32_t features;
};

static void scratch_free(void *pointer)
{
    struct scratch *s = pointer;
    if (!s)
        return;
    hs_free(s->positive);
    hs_free(s->chosen);
    hs_free(s->visited);
    hs_free(s->key);
    hs_free(s->kept);
    hs_free(s);
}

static int scratch_new(const void *pointer, void **out, hsel_error *error)
{
    const struct ban_model *m = pointer;
    size_t words = 1;
    struct scratch *s = HS_NEW_ZERO(struct scratch, 1);
    if (!s)
        return hs_fail_memory(error);
    for (uint32_t f = 0; f < m->features; f++)
        words = ban_words(m, f) > words ? ban_words(m, f) : words;
    *s = (struct scratch){.features = m->features,
                          .positive = HS_NEW_ZERO(uint32_t, m->features),
                          .chosen = HS_NEW_ZERO(uint32_t, m->features),
                          .visited = HS_NEW_ZERO(uint32_t, m->features),
                          .key = HS_NEW(uint64_t, words),
                          .kept = HS_NEW(uint64_t, words)};
    if (!s->positive || !s->chosen || !s->visited || !s->key || !s->kept) {
        scratch_free(s);
        return hs_fail_memory(error);
    }
    *out = s;
    return HSEL_OK;
}

static void next_round(struct scratch *s)
{
    if (++s->round)
        return;
    memset(s->positive, 0, s->features * sizeof *s->positive);
    memset(s->chosen, 0, s->features * sizeof *s->chosen);
    memset(s->visited, 0, s->features * sizeof *s->visited);
    s->round = 1;
}

/* Values of the parents of f, and which are selected; true if all are. */
static bool read_parents(const struct ban_model *m, uint32_t f, bool all_negative,
                         struct scratch *s)
{
    const uint32_t *parent = m->parent + m->parent_start[f];
    bool complete = true;
    memset(s->key, 0, ban_words(m, f) * sizeof *s->key);
    memset(s->kept, 0, ban_words(m, f) * sizeof *s->kept);
    for (uint32_t p = 0; p < ban_parents(m, f); p++) {
        bool positive = s->positive[parent[p]] == s->round;
        if (s->chosen[parent[p]] != s->round && (positive || !all_negative)) {
            complete = false;
            continue;
        }
        hs_bit_set(s->kept, p);
        if (positive)
            hs_bit_set(s->key, p);
    }
    return complete;
}

/* Keys as numbers, the last word first. */
static int compare_keys(const uint64_t *a, const uint64_t *b, size_t words)
{
    for (size_t w = words; w-- > 0;)
        if (a[w] != b[w])
            return a[w] < b[w] ? -1 : 1;
    return 0;
}

/* The configuration of f with this key; SIZE_MAX: never seen. */
static size_t find_config(const struct ban_model *m, uint32_t f, const uint64_t *key)
{
    size_t words = ban_words(m, f), low = 0, high = m->config_start[f + 1] - m->config_start[f];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_keys(m->key + m->key_start[f] + middle * words, key, words);
        if (order == 0)
            return m->config_start[f] + middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}

/* P(value | c, the selected parents): counts of all configurations that agree with them. */
static void add_partly(const struct ban_model *m, uint32_t f, bool value, const struct scratch *s,
                       double *sum)
{
    size_t words = ban_words(m, f), k = m->classes;
    for (uint32_t c = 0; c < m->classes; c++) {
        double all = 0, with = 0;
        for (size_t u = m->config_start[f]; u < m->config_start[f + 1]; u++) {
            const uint64_t *key = m->key + m->key_start[f] + (u - m->config_start[f]) * words;
            bool agrees = true;
            for (size_t w = 0; w < words && agrees; w++)
                agrees = (key[w] & s->kept[w]) == s->key[w];
            all += agrees ? m->all[u * k + c] : 0;
            with += agrees ? m->with[u * k + c] : 0;
        }
        sum[c] += log(((value ? with : all - with) + 1) / (all + 2));
    }
}

static void add_factor(const struct ban_model *m, uint32_t f, bool value, bool all_negative,
                       struct scratch *s, double *sum)
{
    if (!hs_bit_get(m->used, f))
        return;
    if (!read_parents(m, f, all_negative, s)) {
        add_partly(m, f, value, s, sum);
        return;
    }
    size_t u = find_config(m, f, s->key);
    const double *terms = u == SIZE_MAX ? NULL : (value ? m->log1 : m->log0) + u * m->classes;
    for (uint32_t c = 0; c < m->classes; c++)
        sum[c] += terms ? terms[c] : -0.69314718055994530942; /* log(1/2) */
}

/* In place of what the base has for a feature: its factor, if it is selected. */
static void correct(const struct ban_model *m, uint32_t f, struct scratch *s, double *sum)
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

static int predict(const void *pointer, const hsel_dataset *data, uint32_t instance,
                   const hs_selection *selection, void *scratch, double *probability, double *score,
                   hsel_error *error)
{
    const struct ban_model *m = pointer;
    struct scratch *s = scratch;
    bool all_negative = !selection || selection->all_negative;
    size_t count;
    const uint32_t *row = hs_row(data, instance, &count);
    (void)error;
    next_round(s);
    mark(s->positive, row, count, s->round);
    mark(s->chosen, selection ? selection->positive : row,
         selection ? selection->positive_count : count, s->round);
    memcpy(probability, all_negative ? m->base : m->prior, m->classes * sizeof *probability);
    if (all_negative) {
        for (size_t i = 0; i < count; i++) {
            correct(m, row[i], s, probability);
            for (uint32_t j = m->child_start[row[i]]; j < m->child_start[row[i] + 1]; j++)
                correct(m, m->child[j], s, probability);
        }
    } else {
        mark(s->chosen, selection->negative, selection->negative_count, s->round);
        for (uint32_t i = 0; i < selection->positive_count; i++)
            add_factor(m, selection->positive[i], true, false, s, probability);
        for (uint32_t i = 0; i < selection->negative_count; i++)
            add_factor(m, selection->negative[i], false, false, s, probability);
    }
    hs_normalise_logs(probability, score, m->classes);
    return HSEL_OK;
}

/* ---- model files: sizes, class sizes, features in use; of each its configurations. The parents
 * are those of the hierarchy, which the model has beside it. ---- */

static int model_write(const void *pointer, hs_writer *out, hsel_error *error)
{
    const struct ban_model *m = pointer;
    (void)error;
    hs_put_u32(out, m->features);
    hs_put_u32(out, m->classes);
    hs_writer_put(out, m->class_size, m->classes * sizeof *m->class_size);
    hs_writer_put(out, m->used, hs_bit_words(m->features) * sizeof *m->used);
    for (uint32_t f = 0; f < m->features; f++) {
        size_t from = m->config_start[f], configs = m->config_start[f + 1] - from;
        if (!hs_bit_get(m->used, f))
            continue;
        hs_put_u32(out, (uint32_t)configs);
        hs_writer_put(out, m->key + m->key_start[f], configs * ban_words(m, f) * sizeof *m->key);
        hs_writer_put(out, m->all + from * m->classes, configs * m->classes * sizeof *m->all);
        hs_writer_put(out, m->with + from * m->classes, configs * m->classes * sizeof *m->with);
    }
    return HSEL_OK;
}

static int damaged(hsel_error *error)
{
    return hs_fail(error, HSEL_EFORMAT, "the BAN model is cut off or damaged");
}

/* Keys ascend from 0 and have no bit beyond the parents; counts add up to the classes. */
static bool feature_is_sound(const struct ban_model *m, uint32_t f)
{
    size_t words = ban_words(m, f), from = m->config_start[f], to = m->config_start[f + 1];
    const uint64_t *key = m->key + m->key_start[f];
    uint32_t parents = ban_parents(m, f);
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

static int read_feature(struct ban_model *m, hs_bytes *bytes, uint32_t f, hsel_error *error)
{
    uint32_t configs;
    size_t words = ban_words(m, f), k = m->classes, from = m->config_start[f];
    int status = HSEL_OK;
    if (!hs_bytes_u32(bytes, &configs) || configs < 1 ||
        configs > bytes->left / (words * sizeof *m->key + 2 * k * sizeof *m->all))
        return damaged(error);
    for (uint32_t i = 0; i < configs && status == HSEL_OK; i++)
        status = hs_ban_add_config(m, f, error);
    if (status)
        return status;
    if ((words &&
         !hs_bytes_get(bytes, m->key + m->key_start[f], configs * words * sizeof *m->key)) ||
        !hs_bytes_get(bytes, m->all + from * k, configs * k * sizeof *m->all) ||
        !hs_bytes_get(bytes, m->with + from * k, configs * k * sizeof *m->with) ||
        !feature_is_sound(m, f))
        return damaged(error);
    return HSEL_OK;
}

static int read_features(struct ban_model *m, hs_bytes *bytes, hsel_error *error)
{
    int status = HSEL_OK;
    for (uint32_t f = 0; f < m->features && status == HSEL_OK; f++) {
        m->config_start[f + 1] = m->config_start[f];
        if (hs_bit_get(m->used, f))
            status = read_feature(m, bytes, f, error);
    }
    if (status == HSEL_OK && bytes->left)
        status = damaged(error);
    return status ? status : hs_ban_finish(m, error);
}

static int model_read(const void *start, size_t length, const hsel_dataset *shape, void **out,
                      hsel_error *error)
{
    hs_bytes bytes = {start, length};
    uint32_t size[2];
    uint64_t total = 0;
    struct ban_model *m = NULL;
    size_t words = hs_bit_words(shape->features);
    uint64_t *used = HS_NEW(uint64_t, words);
    uint32_t *class_size = HS_NEW(uint32_t, shape->class_names.count);
    int status = used && class_size ? HSEL_OK : hs_fail_memory(error);
    if (status)
        goto out;
    if (!shape->dag || !hs_bytes_get(&bytes, size, sizeof size) || size[0] != shape->features ||
        size[1] != shape->class_names.count ||
        !hs_bytes_get(&bytes, class_size, size[1] * sizeof *class_size) ||
        !hs_bytes_get(&bytes, used, words * sizeof *used)) {
        status = damaged(error);
        goto out;
    }
    for (uint32_t c = 0; c < size[1]; c++)
        total += class_size[c];
    if (total > HS_INSTANCES_LIMIT) {
        status = damaged(error);
        goto out;
    }
    if (!(m = hs_ban_new(shape->dag, used, size[1]))) {
        status = hs_fail_memory(error);
        goto out;
    }
    memcpy(m->class_size, class_size, size[1] * sizeof *class_size);
    status = read_features(m, &bytes, error);
out:
    hs_free(used);
    hs_free(class_size);
    if (status)
        hs_ban_free(m);
    else
        *out = m;
    return status;
}

static const hs_classifier functions = {.fit = hs_ban_fit,
                                        .predict = predict,
                                        .scratch_new = scratch_new,
                                        .scratch_free = scratch_free,
                                        .write = model_write,
                                        .read = model_read,
                                        .free = hs_ban_free};

const hs_method hs_method_ban = {
    .kind = HS_CLASSIFIER,
    .name = "ban",
    .title = "Bayesian network along the hierarchy",
    .help =
        "GO-BAN: a Bayesian network in which each feature depends on the class and on its direct "
        "parents in the hierarchy, with Laplace smoothing. A configuration of parents that the "
        "training part does not have gives 1/2. A lazy selection conditions each selected "
        "feature on its selected parents.",
    .citation =
        "Wan, Freitas (2015), GO-hierarchy-based Bayesian network augmented naive Bayes; as "
        "used by Wan, Freitas (2020), Table 2",
    .flags = HS_NEEDS_CLASSES | HS_NEEDS_HIERARCHY | HS_PREDICTS_ON_MASK,
    .classifier = &functions,
};
