/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Predicting with a trained support vector machine.
 *
 * A linear one is a weight a column and pair of classes: O(values of the instance x pairs). Others
 * keep their support vectors by column: the products of the instance with all of them come from the
 * columns in which the instance has a value, so columns that it lacks cost nothing; then O(support
 * vectors) kernel values, each computed once for all pairs.
 */
#include "classify/svm_model.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "classify/bytes.h"
#include "core/mem.h"

void hs_svm_free(void *pointer)
{
    hs_svm *m = pointer;
    if (!m)
        return;
    hs_svm_code_clear(&m->code);
    hs_free(m->present);
    hs_free(m->pair);
    hs_free(m->weight);
    hs_free(m->start);
    hs_free(m->vector);
    hs_free(m->value);
    hs_free(m->square);
    hs_free(m->member);
    hs_free(m->coef);
    hs_free(m);
}

/* ---- from machines ---- */

static int keep_weights(hs_svm *m, const hs_svm_machine *machines, const hs_svm_rows *rows,
                        hsel_error *error)
{
    if (!(m->weight = HS_NEW_ZERO(double, (size_t)m->code.columns * m->pair_count)))
        return hs_fail_memory(error);
    for (uint32_t p = 0; p < m->pair_count; p++)
        for (uint32_t i = 0; i < machines[p].count; i++)
            for (const hs_svm_node *n = rows->row[machines[p].row[i]]; n->index > 0; n++)
                m->weight[(size_t)(n->index - 1) * m->pair_count + p] +=
                    machines[p].coef[i] * n->value;
    return HSEL_OK;
}

/* Numbers the rows that are support vectors of any pair; place[row] HSEL_NONE: it is none. Counts
 * their values by column. */
static void number_vectors(hs_svm *m, const hs_svm_machine *machines, const hs_svm_rows *rows,
                           uint32_t *place)
{
    for (uint32_t i = 0; i < rows->count; i++)
        place[i] = HSEL_NONE;
    for (uint32_t p = 0; p < m->pair_count; p++) {
        m->member_count += machines[p].count;
        for (uint32_t i = 0; i < machines[p].count; i++)
            place[machines[p].row[i]] = 0;
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        if (place[i] == HSEL_NONE)
            continue;
        place[i] = m->vector_count++;
        for (const hs_svm_node *n = rows->row[i]; n->index > 0; n++)
            m->start[n->index]++;
    }
    for (uint32_t c = 0; c < m->code.columns; c++)
        m->start[c + 1] += m->start[c];
}

void hs_svm_square(hs_svm *m)
{
    memset(m->square, 0, m->vector_count * sizeof *m->square);
    for (uint64_t i = 0; i < m->start[m->code.columns]; i++)
        m->square[m->vector[i]] += m->value[i] * m->value[i];
}

static int keep_vectors(hs_svm *m, const hs_svm_machine *machines, const hs_svm_rows *rows,
                        hsel_error *error)
{
    const uint32_t columns = m->code.columns;
    uint32_t *place = HS_NEW(uint32_t, rows->count);
    uint64_t *at = HS_NEW(uint64_t, (size_t)columns + 1), next = 0;
    m->start = HS_NEW_ZERO(uint64_t, (size_t)columns + 1);
    int status = place && at && m->start ? HSEL_OK : hs_fail_memory(error);
    if (status)
        goto out;
    number_vectors(m, machines, rows, place);
    memcpy(at, m->start, ((size_t)columns + 1) * sizeof *at);
    m->vector = HS_NEW(uint32_t, m->start[columns]);
    m->value = HS_NEW(double, m->start[columns]);
    m->square = HS_NEW(double, m->vector_count);
    m->member = HS_NEW(uint32_t, m->member_count);
    m->coef = HS_NEW(double, m->member_count);
    if (!m->vector || !m->value || !m->square || !m->member || !m->coef) {
        status = hs_fail_memory(error);
        goto out;
    }
    for (uint32_t i = 0; i < rows->count; i++)
        for (const hs_svm_node *n = rows->row[i]; place[i] != HSEL_NONE && n->index > 0; n++) {
            m->vector[at[n->index - 1]] = place[i];
            m->value[at[n->index - 1]++] = n->value;
        }
    for (uint32_t p = 0; p < m->pair_count; p++)
        for (uint32_t i = 0; i < machines[p].count; i++, next++) {
            m->member[next] = place[machines[p].row[i]];
            m->coef[next] = machines[p].coef[i];
        }
    hs_svm_square(m);
out:
    hs_free(place);
    hs_free(at);
    return status;
}

int hs_svm_keep(hs_svm *m, const hs_svm_machine *machines, const hs_svm_rows *rows,
                hsel_error *error)
{
    for (uint32_t p = 0; p < m->pair_count; p++) {
        m->pair[p].vectors = machines[p].count;
        m->pair[p].rho = machines[p].rho;
    }
    return m->kernel.kind == HS_SVM_LINEAR ? keep_weights(m, machines, rows, error)
                                           : keep_vectors(m, machines, rows, error);
}

/* ---- predicting ---- */

struct scratch {
    double *x;         /* [columns], all 0 between instances */
    uint32_t *columns; /* those that are not 0 */
    double *product;   /* [vectors] */
    double *decision;  /* [pairs] */
    double *between;   /* [present * present]: P(s | s or t) */
    double *room;      /* for the coupling */
    double *p;         /* [present] */
};

void hs_svm_scratch_free(void *pointer)
{
    struct scratch *s = pointer;
    if (!s)
        return;
    hs_free(s->x);
    hs_free(s->columns);
    hs_free(s->product);
    hs_free(s->decision);
    hs_free(s->between);
    hs_free(s->room);
    hs_free(s->p);
    hs_free(s);
}

int hs_svm_scratch_new(const void *pointer, void **out, hsel_error *error)
{
    const hs_svm *m = pointer;
    size_t present = m->present_count, columns = present > 1 ? m->code.columns : 0;
    struct scratch *s = HS_NEW_ZERO(struct scratch, 1);
    if (!s)
        return hs_fail_memory(error);
    *s = (struct scratch){.x = HS_NEW_ZERO(double, columns),
                          .columns = HS_NEW(uint32_t, columns),
                          .product = HS_NEW(double, m->vector_count),
                          .decision = HS_NEW(double, m->pair_count),
                          .between = HS_NEW_ZERO(double, present *present),
                          .room = HS_NEW(double, present *(present + 1)),
                          .p = HS_NEW(double, present)};
    if (s->x && s->columns && s->product && s->decision && s->between && s->room && s->p) {
        *out = s;
        return HSEL_OK;
    }
    hs_svm_scratch_free(s);
    return hs_fail_memory(error);
}

static void decide_linear(const hs_svm *m, uint32_t count, struct scratch *s)
{
    for (uint32_t p = 0; p < m->pair_count; p++)
        s->decision[p] = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double *weight = m->weight + (size_t)s->columns[i] * m->pair_count;
        for (uint32_t p = 0; p < m->pair_count; p++)
            s->decision[p] += weight[p] * s->x[s->columns[i]];
    }
    for (uint32_t p = 0; p < m->pair_count; p++)
        s->decision[p] -= m->pair[p].rho;
}

static void decide_kernel(const hs_svm *m, uint32_t count, struct scratch *s)
{
    double square = 0, *restrict product = s->product;
    memset(product, 0, m->vector_count * sizeof *product);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t c = s->columns[i];
        double x = s->x[c];
        square += x * x;
        for (uint64_t j = m->start[c]; j < m->start[c + 1]; j++)
            product[m->vector[j]] += x * m->value[j];
    }
    for (uint32_t v = 0; v < m->vector_count; v++)
        product[v] = hs_svm_kernel_value(&m->kernel, product[v], m->square[v], square);
    for (uint64_t p = 0, next = 0; p < m->pair_count; p++) {
        double sum = 0;
        for (uint32_t i = 0; i < m->pair[p].vectors; i++, next++)
            sum += m->coef[next] * product[m->member[next]];
        s->decision[p] = sum - m->pair[p].rho;
    }
}

/* The share of pairs that each class wins; a decision of 0 goes to the second, as in libsvm. */
static void count_votes(const hs_svm *m, struct scratch *s)
{
    for (uint32_t c = 0; c < m->present_count; c++)
        s->p[c] = 0;
    for (uint32_t p = 0; p < m->pair_count; p++)
        s->p[s->decision[p] > 0 ? m->pair[p].first : m->pair[p].second] += 1.0 / m->pair_count;
}

/* Of two classes, the decision value, so that the class of the highest score is libsvm's. Of more,
 * by votes: a pair won counts 1; the class that wins, of equal ones the first, has 1/2 more; and
 * the mean decision, squeezed into -1/5 … 1/5, orders instances of equal votes. A class that did
 * not occur in training is below all others. */
static void score_classes(const hs_svm *m, const struct scratch *s, double *score)
{
    double *votes = s->room, *mean = s->room + m->present_count;
    uint32_t most = 0;
    if (m->classes == 2) {
        score[1] = s->decision[0] != 0 ? -s->decision[0] : DBL_TRUE_MIN; /* 0: the second wins */
        score[0] = -score[1];
        return;
    }
    for (uint32_t c = 0; c < m->present_count; c++)
        votes[c] = mean[c] = 0;
    for (uint32_t p = 0; p < m->pair_count; p++) {
        votes[s->decision[p] > 0 ? m->pair[p].first : m->pair[p].second]++;
        mean[m->pair[p].first] += s->decision[p] / (m->present_count - 1);
        mean[m->pair[p].second] -= s->decision[p] / (m->present_count - 1);
    }
    for (uint32_t c = 0; c < m->classes; c++)
        score[c] = -1;
    for (uint32_t c = 0; c < m->present_count; c++) {
        score[m->present[c]] = votes[c] + 0.2 * (mean[c] / (1 + fabs(mean[c])));
        most = votes[c] > votes[most] ? c : most;
    }
    score[m->present[most]] += 0.5;
}

static double between(double probability) { return fmin(fmax(probability, 1e-7), 1 - 1e-7); }

static void join_pairs(const hs_svm *m, struct scratch *s)
{
    size_t n = m->present_count;
    if (n == 2) {
        hs_platt curve = m->pair[0].platt, other = {-curve.a, -curve.b};
        s->p[0] = hs_platt_probability(curve, s->decision[0]);
        s->p[1] =
            hs_platt_probability(other, s->decision[0]); /* 1 - p would have no digits near 0 */
        return;
    }
    for (uint32_t p = 0; p < m->pair_count;
         p++) { /* kept off 0 and 1, where the coupling has no solution */
        const hs_svm_pair *pair = &m->pair[p];
        double r = between(hs_platt_probability(pair->platt, s->decision[p]));
        s->between[pair->first * n + pair->second] = r;
        s->between[pair->second * n + pair->first] = 1 - r;
    }
    hs_couple_pairs(s->between, m->present_count, s->room, s->p);
}

int hs_svm_predict(const void *pointer, const hsel_dataset *data, uint32_t instance,
                   const hs_selection *selection, void *scratch, double *probability, double *score,
                   hsel_error *error)
{
    const hs_svm *m = pointer;
    struct scratch *s = scratch;
    uint32_t count = 0;
    (void)selection;
    for (uint32_t c = 0; c < m->classes; c++)
        probability[c] = m->present_count ? 0 : 1.0 / m->classes;
    if (m->present_count < 2) {
        if (m->present_count)
            probability[m->present[0]] = 1;
        hs_scores_of_shares(probability, score, m->classes);
        return HSEL_OK;
    }
    int status = hs_svm_encode(&m->code, data, instance, s->x, s->columns, &count, error);
    if (status == HSEL_OK && m->weight)
        decide_linear(m, count, s);
    else if (status == HSEL_OK)
        decide_kernel(m, count, s);
    for (uint32_t i = 0; i < count; i++)
        s->x[s->columns[i]] = 0;
    if (status == HSEL_OK && !hs_all_finite(s->decision, m->pair_count))
        status = hs_fail(error, HSEL_EUNSUPPORTED,
                         "instance %u of %s has values too large for svm's kernel", instance + 1,
                         hsel_dataset_name(data));
    if (status)
        return status;
    score_classes(m, s, score);
    if (m->votes)
        count_votes(m, s);
    else
        join_pairs(m, s);
    for (uint32_t c = 0; c < m->present_count; c++)
        probability[m->present[c]] = s->p[c];
    return HSEL_OK;
}

/* What a binary feature, or (HSEL_NONE) the offset, adds to the log-odds of the class, the mean
 * over its pairs with other classes (with votes, to the decision). Only a linear machine on binary
 * features can say: NaN else. */
double hs_svm_contribution(const void *pointer, uint32_t feature, double value, uint32_t label)
{
    const hs_svm *m = pointer;
    bool before = feature == HSEL_NONE;
    uint32_t column = before ? HSEL_NONE : m->code.column[feature];
    double sum = 0;
    if ((m->kernel.kind != HS_SVM_LINEAR && m->present_count > 1) || m->code.other_count)
        return NAN;
    if (m->present_count < 2 || (!before && (value == 0 || column == HSEL_NONE)))
        return before ? (double)NAN : 0;
    for (uint32_t p = 0; p < m->pair_count; p++) {
        const hs_svm_pair *pair = &m->pair[p];
        double weight = before ? -pair->rho : m->weight[(size_t)column * m->pair_count + p];
        double added = m->votes ? weight : -pair->platt.a * weight - (before ? pair->platt.b : 0);
        if (m->present[pair->first] == label)
            sum += added;
        else if (m->present[pair->second] == label)
            sum -= added;
    }
    return sum / (m->present_count - 1);
}
