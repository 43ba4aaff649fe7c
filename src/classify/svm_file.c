/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Support vector machines in model files: sizes and settings, columns, pairs, then weights or
 * support vectors. When read, every number is checked before it is used: sizes against the bytes
 * that are left, places against what they point into, values for being finite.
 */
#include <math.h>
#include <string.h>

#include "classify/bytes.h"
#include "classify/svm_model.h"
#include "core/mem.h"

struct head {
    uint32_t features, classes, columns, other_count, present_count, vector_count;
    uint32_t kind, degree, votes;
    uint32_t padding;
    double gamma, coef0, c, score;
    uint64_t values,
        members; /* entries of the support vectors' columns; support vectors summed over pairs */
};

/* ---- writing ---- */

int hs_svm_write(const void *pointer, hs_writer *out, hsel_error *error)
{
    const hs_svm *m = pointer;
    const size_t columns = m->code.columns;
    struct head head = {.features = m->code.features,
                        .classes = m->classes,
                        .columns = m->code.columns,
                        .other_count = m->code.other_count,
                        .present_count = m->present_count,
                        .vector_count = m->vector_count,
                        .kind = (uint32_t)m->kernel.kind,
                        .degree = m->kernel.degree,
                        .votes = m->votes,
                        .gamma = m->kernel.gamma,
                        .coef0 = m->kernel.coef0,
                        .c = m->c,
                        .score = m->score,
                        .values = m->start ? m->start[columns] : 0,
                        .members = m->member_count};
    (void)error;
    hs_writer_put(out, &head, sizeof head);
    hs_writer_put(out, m->code.column, m->code.features * sizeof *m->code.column);
    hs_writer_put(out, m->code.other, m->code.other_count * sizeof *m->code.other);
    hs_writer_put(out, m->present, m->present_count * sizeof *m->present);
    hs_writer_put(out, m->pair, m->pair_count * sizeof *m->pair);
    if (m->weight)
        hs_writer_put(out, m->weight, columns * m->pair_count * sizeof *m->weight);
    if (m->start) {
        hs_writer_put(out, m->start, (columns + 1) * sizeof *m->start);
        hs_writer_put(out, m->vector, head.values * sizeof *m->vector);
        hs_writer_put(out, m->value, head.values * sizeof *m->value);
        hs_writer_put(out, m->member, head.members * sizeof *m->member);
        hs_writer_put(out, m->coef, head.members * sizeof *m->coef);
    }
    return HSEL_OK;
}

/* ---- reading ---- */

static int damaged(hsel_error *error)
{
    return hs_fail(error, HSEL_EFORMAT, "the svm model is cut off or damaged");
}

/* The next `count` items, in memory of their own. */
static int get(hs_bytes *bytes, uint64_t count, size_t size, void *out, hsel_error *error)
{
    void *items;
    if (count > bytes->left / size)
        return damaged(error);
    if (!(items = hs_alloc((size_t)count, size)))
        return hs_fail_memory(error);
    hs_bytes_get(bytes, items, (size_t)count * size);
    memcpy(out, &items, sizeof items);
    return HSEL_OK;
}

static bool below(const uint32_t *items, uint64_t count, uint32_t limit)
{
    for (uint64_t i = 0; i < count; i++)
        if (items[i] >= limit)
            return false;
    return true;
}

static bool sound_head(const struct head *h, const hsel_dataset *shape)
{
    const double numbers[] = {h->gamma, h->coef0, h->c};
    bool kernel = h->kind <= HS_SVM_RBF && h->degree >= 1 && h->degree <= 100 && h->gamma >= 0 &&
                  h->votes <= 1;
    return kernel && hs_all_finite(numbers, 3) && (isnan(h->score) || isfinite(h->score)) &&
           h->features == shape->features && h->classes == shape->class_names.count &&
           h->columns < INT32_MAX && h->other_count <= h->features &&
           h->present_count <= h->classes && h->present_count <= HS_SVM_CLASSES_LIMIT &&
           h->values <= (uint64_t)h->vector_count * h->columns;
}

static bool sound_other(const hs_svm_other *o, const hs_svm_code *code, const hsel_dataset *shape)
{
    const double numbers[] = {o->mean, o->low, o->range};
    if (o->feature >= code->features || code->column[o->feature] != HSEL_NONE ||
        !hs_all_finite(numbers, 3) || o->range < 0)
        return false;
    return o->values ? shape->types[o->feature] == HSEL_NOMINAL && o->common < o->values
                     : shape->types[o->feature] == HSEL_NUMERIC;
}

/* Columns must be numbered one after the other, by feature, and belong to features of their type.
 */
static bool sound_code(const hs_svm_code *code, const hsel_dataset *shape)
{
    uint64_t next = 0;
    for (uint32_t f = 0; f < code->features; f++)
        if (code->column[f] != HSEL_NONE &&
            (code->column[f] != next++ || shape->types[f] != HSEL_BINARY))
            return false;
    for (uint32_t i = 0; i < code->other_count; i++) {
        const hs_svm_other *o = &code->other[i];
        if (!sound_other(o, code, shape) || o->column != next || (i && o[-1].feature >= o->feature))
            return false;
        next += hs_svm_other_columns(o);
    }
    return next == code->columns;
}

static bool sound_pairs(const hs_svm *m, uint64_t members)
{
    uint32_t p = 0;
    uint64_t sum = 0;
    for (uint32_t a = 0; a < m->present_count; a++) {
        if (m->present[a] >= m->classes || (a && m->present[a - 1] >= m->present[a]))
            return false;
        for (uint32_t b = a + 1; b < m->present_count; b++, p++) {
            const hs_svm_pair *pair = &m->pair[p];
            const double numbers[] = {pair->rho, pair->platt.a, pair->platt.b};
            if (pair->first != a || pair->second != b || pair->stopped > 1 ||
                !hs_all_finite(numbers, 3))
                return false;
            sum += pair->vectors;
        }
    }
    return m->kernel.kind == HS_SVM_LINEAR || sum == members;
}

static bool sound_vectors(const hs_svm *m, uint64_t values)
{
    if (m->start[0] != 0 || m->start[m->code.columns] != values)
        return false;
    for (uint32_t c = 0; c < m->code.columns; c++)
        if (m->start[c] > m->start[c + 1])
            return false;
    return below(m->vector, values, m->vector_count) && hs_all_finite(m->value, values) &&
           below(m->member, m->member_count, m->vector_count) &&
           hs_all_finite(m->coef, m->member_count);
}

static int read_vectors(hs_svm *m, const struct head *h, hs_bytes *bytes, hsel_error *error)
{
    int status = h->vector_count <= h->members
                     ? get(bytes, (uint64_t)h->columns + 1, sizeof *m->start, &m->start, error)
                     : damaged(error);
    if (status == HSEL_OK)
        status = get(bytes, h->values, sizeof *m->vector, &m->vector, error);
    if (status == HSEL_OK)
        status = get(bytes, h->values, sizeof *m->value, &m->value, error);
    if (status == HSEL_OK)
        status = get(bytes, h->members, sizeof *m->member, &m->member, error);
    if (status == HSEL_OK)
        status = get(bytes, h->members, sizeof *m->coef, &m->coef, error);
    if (status == HSEL_OK && !sound_vectors(m, h->values))
        status = damaged(error);
    if (status == HSEL_OK && !(m->square = HS_NEW(double, m->vector_count)))
        status = hs_fail_memory(error);
    if (status == HSEL_OK)
        hs_svm_square(m);
    return status;
}

static int read_machines(hs_svm *m, const struct head *h, hs_bytes *bytes, hsel_error *error)
{
    if (m->pair_count && m->kernel.kind != HS_SVM_LINEAR)
        return read_vectors(m, h, bytes, error);
    if (h->vector_count || h->values || h->members)
        return damaged(error);
    if (m->pair_count == 0)
        return HSEL_OK;
    uint64_t count = (uint64_t)h->columns * m->pair_count;
    int status = get(bytes, count, sizeof *m->weight, &m->weight, error);
    return status == HSEL_OK && !hs_all_finite(m->weight, count) ? damaged(error) : status;
}

static int read_all(hs_svm *m, const struct head *h, hs_bytes *bytes, const hsel_dataset *shape,
                    hsel_error *error)
{
    int status = get(bytes, h->features, sizeof *m->code.column, &m->code.column, error);
    if (status == HSEL_OK)
        status = get(bytes, h->other_count, sizeof *m->code.other, &m->code.other, error);
    if (status == HSEL_OK)
        status = get(bytes, h->present_count, sizeof *m->present, &m->present, error);
    if (status == HSEL_OK)
        status = get(bytes, m->pair_count, sizeof *m->pair, &m->pair, error);
    if (status == HSEL_OK && (!sound_code(&m->code, shape) || !sound_pairs(m, h->members)))
        status = damaged(error);
    if (status == HSEL_OK)
        status = read_machines(m, h, bytes, error);
    return status == HSEL_OK && bytes->left ? damaged(error) : status;
}

int hs_svm_read(const void *start, size_t length, const hsel_dataset *shape, void **out,
                hsel_error *error)
{
    hs_bytes bytes = {start, length};
    struct head h;
    if (!hs_bytes_get(&bytes, &h, sizeof h) || !sound_head(&h, shape))
        return damaged(error);
    hs_svm *m = HS_NEW_ZERO(hs_svm, 1);
    if (!m)
        return hs_fail_memory(error);
    m->code =
        (hs_svm_code){.features = h.features, .columns = h.columns, .other_count = h.other_count};
    m->kernel = (hs_svm_kernel){
        .kind = (int)h.kind, .degree = h.degree, .gamma = h.gamma, .coef0 = h.coef0};
    m->c = h.c;
    m->score = h.score;
    m->votes = h.votes;
    m->classes = h.classes;
    m->present_count = h.present_count;
    m->pair_count = h.present_count ? h.present_count * (h.present_count - 1) / 2 : 0;
    m->vector_count = h.vector_count;
    m->member_count = h.members;
    int status = read_all(m, &h, &bytes, shape, error);
    if (status)
        hs_svm_free(m);
    else
        *out = m;
    return status;
}
