/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * AODE in model files: settings, features in use and the training rows, from which everything else
 * is counted again. Rows are far smaller than joint counts, and less can be wrong with them.
 *
 *     6 numbers: features, classes, rows, frequency, smoothing, features in use; weight, memory
 *     the features in use; the rows of each class; of each row the number of positives, and these
 */
#include "classify/aode.h"
#include "classify/bytes.h"
#include "core/mem.h"

int hs_aode_write(const void *model, hs_writer *out, hsel_error *error)
{
    const hs_aode *m = model;
    const uint32_t head[] = {m->features,
                             m->classes,
                             m->rows.lists,
                             m->options.frequency,
                             (uint32_t)m->options.smoothing,
                             m->n};
    (void)error;
    hs_writer_put(out, head, sizeof head);
    hs_writer_put(out, &m->options.weight, sizeof m->options.weight);
    hs_writer_put(out, &m->options.memory, sizeof m->options.memory);
    hs_writer_put(out, m->feature, m->n * sizeof *m->feature);
    for (uint32_t y = 0; y < m->classes; y++)
        hs_put_u32(out, hs_aode_class_size(m, y));
    for (uint32_t t = 0; t < m->rows.lists; t++) {
        size_t count;
        const uint32_t *row = hs_sparse_list(&m->rows, t, &count);
        hs_put_u32(out, (uint32_t)count);
        hs_writer_put(out, row, count * sizeof *row);
    }
    return HSEL_OK;
}

/* ---- reading: no number is trusted ---- */

static int damaged(hsel_error *error)
{
    return hs_fail(error, HSEL_EFORMAT, "the AODE model is cut off or damaged");
}

static bool ascending(const uint32_t *list, size_t count, uint32_t below)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] >= below || (i && list[i - 1] >= list[i]))
            return false;
    return true;
}

static bool get_head(hs_bytes *bytes, const hsel_dataset *shape, hs_aode *m)
{
    uint32_t head[6];
    if (!hs_bytes_get(bytes, head, sizeof head) || !hs_bytes_double(bytes, &m->options.weight) ||
        !hs_bytes_double(bytes, &m->options.memory))
        return false;
    m->features = head[0];
    m->classes = head[1];
    m->rows.lists = head[2];
    m->options.frequency = head[3];
    m->options.smoothing = (int)head[4];
    m->n = head[5];
    size_t numbers = bytes->left / sizeof(uint32_t); /* what there is to come, at most */
    return m->features == shape->features && m->classes == shape->class_names.count &&
           m->classes > 0 && head[4] <= HS_AODE_M_ESTIMATE && m->n <= m->features &&
           m->options.weight >= 0.000001 && m->options.weight <= 1000000 &&
           m->options.memory >= 0 && m->options.memory <= 1000000000 && m->n <= numbers &&
           m->classes <= numbers && m->rows.lists <= numbers && bytes->left % sizeof(uint32_t) == 0;
}

static bool get_features(hs_bytes *bytes, hs_aode *m)
{
    if (!hs_bytes_get(bytes, m->feature, m->n * sizeof *m->feature) ||
        !ascending(m->feature, m->n, m->features))
        return false;
    for (uint32_t f = 0; f < m->features; f++)
        m->place[f] = HSEL_NONE;
    for (uint32_t i = 0; i < m->n; i++)
        m->place[m->feature[i]] = i;
    return true;
}

static bool get_classes(hs_bytes *bytes, hs_aode *m)
{
    uint32_t *start = m->class_start;
    start[0] = 0;
    if (!hs_bytes_get(bytes, start + 1, m->classes * sizeof *start))
        return false;
    for (uint32_t y = 0; y < m->classes; y++) {
        if (start[y + 1] > m->rows.lists - start[y])
            return false;
        start[y + 1] += start[y];
        for (uint32_t t = start[y]; t < start[y + 1]; t++)
            m->class_of[t] = y;
    }
    return start[m->classes] == m->rows.lists;
}

static bool get_rows(hs_bytes *bytes, hs_aode *m)
{
    m->rows.start[0] = 0;
    for (uint32_t t = 0; t < m->rows.lists; t++) {
        uint32_t count, *row = m->rows.index + m->rows.start[t];
        if (!hs_bytes_u32(bytes, &count) || !hs_bytes_get(bytes, row, count * sizeof *row) ||
            !ascending(row, count, m->n))
            return false;
        m->rows.start[t + 1] = m->rows.start[t] + count;
    }
    return bytes->left == 0;
}

static int get_all(hs_bytes *bytes, const hsel_dataset *shape, hs_aode *m, hsel_error *error)
{
    if (!get_head(bytes, shape, m))
        return damaged(error);
    uint32_t rows = m->rows.lists;
    m->place = HS_NEW(uint32_t, m->features);
    m->feature = HS_NEW(uint32_t, m->n);
    m->class_start = HS_NEW(uint32_t, (size_t)m->classes + 1);
    m->class_of = HS_NEW(uint32_t, rows);
    m->rows.start = HS_NEW(uint64_t, (size_t)rows + 1);
    m->rows.index = HS_NEW(uint32_t, bytes->left / sizeof(uint32_t));
    if (!m->place || !m->feature || !m->class_start || !m->class_of || !m->rows.start ||
        !m->rows.index)
        return hs_fail_memory(error);
    if (!get_features(bytes, m) || !get_classes(bytes, m) || !get_rows(bytes, m))
        return damaged(error);
    return HSEL_OK;
}

int hs_aode_read(hs_aode_form form, const void *bytes, size_t length, const hsel_dataset *shape,
                 void **out, hsel_error *error)
{
    hs_bytes left = {bytes, length};
    if (form != HS_AODE_PLAIN && !shape->dag)
        return damaged(error);
    hs_aode *m = HS_NEW_ZERO(hs_aode, 1);
    if (!m)
        return hs_fail_memory(error);
    m->form = form;
    int status = get_all(&left, shape, m, error);
    if (status == HSEL_OK)
        status = hs_aode_prepare(m, form == HS_AODE_PLAIN ? NULL : shape->dag, 1, NULL, error);
    if (status)
        hs_aode_free(m);
    else
        *out = m;
    return status;
}
