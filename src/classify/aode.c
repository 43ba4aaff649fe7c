/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * AODE (averaged one-dependence estimators) and its two forms for features in a hierarchy. Each
 * feature in turn is the parent of all others in a naive Bayes; what these say is averaged:
 *
 *     P(y|x) ~ sum over parents i of P(y,x_i) * prod over j != i of P(x_j | y,x_i)           (Eq.
 * 1) P(y,x_i) = (n(y,x_i) + 1) / (N + 2K),  P(x_j | y,x_i) = (n(y,x_i,x_j) + 1) / (n(y,x_i) + 2)
 *
 * hie-aode: of the ancestors j of i, P(x_j | y) = (n(y,x_j) + 1) / (n_y + 2) instead       (Eq. 2)
 * hie-aode-lite: the ancestors of i are left out                                          (Eq. 3)
 *
 * The value of i must occur `frequency` times in training for i to be a parent; without any parent
 * naive Bayes decides, as in WEKA. Webb, Boughton, Wang (2005); Wan, Freitas (2020), equations 1 to
 * 3; counts, smoothing and limit as WEKA's AODE has them. We differ from WEKA in summing
 * logarithms: it multiplies, and with more than 1,000 features its products become 0. Ancestors are
 * those by reachability, also through features that are not in use. A lazy selection takes parents
 * and children from the selected features: the same as fitting on these alone.
 *
 * Time: fitting O(sum over instances of positives^2), or O(n^2 N / 64) if that is less, and
 * O(K n^2); predicting O(K n positives). Memory K n^2 counts of 2 bytes, or rows of as many
 * features as the option `memory` has room for, those with most instances first; the others are
 * counted when an instance asks for them, which gives the same numbers later. Equal probabilities
 * go to the lowest class.
 */
#include "classify/aode.h"

#include <math.h>
#include <stdlib.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "data/reach.h"

static const hs_option table[] = {
    HS_OPTION(hs_aode_options, frequency, "frequency", "N", "1", 0, 1000000000,
              "training instances that must have a feature's value for it to be a parent"),
    HS_CHOICE(hs_aode_options, smoothing, "smoothing", "laplace|m-estimate", "laplace",
              "how probabilities are estimated from counts"),
    HS_OPTION(hs_aode_options, weight, "weight", "W", "1", 0.000001, 1000000,
              "instances that the prior of the m-estimate stands for"),
    HS_OPTION(hs_aode_options, memory, "memory", "MB", "1024", 0, 1000000000,
              "memory that the model may take, in MB; what does not fit is counted again for each "
              "prediction"),
    HS_OPTION_END};

static const char *const names[] = {"aode", "hie-aode", "hie-aode-lite"};

void hs_aode_free(void *pointer)
{
    hs_aode *m = pointer;
    if (!m)
        return;
    void *const blocks[] = {m->place,    m->feature,   m->class_start,   m->class_of,  m->positive,
                            m->log_pair, m->log_total, m->log_parent,    m->base,      m->ancestors,
                            m->slot,     m->table,     m->may_be_parent, m->class_word};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        hs_free(blocks[i]);
    hs_sparse_clear(&m->rows);
    hs_sparse_clear(&m->columns);
    hs_sparse_clear(&m->below);
    hs_free_aligned(m->bits);
    hs_free(m);
}

/* ---- the training part ---- */

static int take_features(hs_aode *m, const hs_view *view, hsel_error *error)
{
    m->features = view->data->features;
    m->place = HS_NEW(uint32_t, m->features);
    m->feature = HS_NEW(uint32_t, m->features);
    if (!m->place || !m->feature)
        return hs_fail_memory(error);
    for (uint32_t f = 0; f < m->features; f++) {
        bool used = hs_view_has(view, f) && view->data->types[f] == HSEL_BINARY;
        m->place[f] = used ? m->n : HSEL_NONE;
        if (used)
            m->feature[m->n++] = f;
    }
    return HSEL_OK;
}

/* Rows of each class and values in use: class_start, and the total. */
static uint64_t measure_rows(hs_aode *m, const hs_view *view)
{
    uint64_t values = 0;
    for (uint32_t r = 0; r < view->row_count; r++) {
        uint32_t t = hs_view_row(view, r), y = view->data->class_of[t];
        size_t count;
        const uint32_t *row = hs_row(view->data, t, &count);
        if (y == HSEL_NONE)
            continue;
        m->class_start[y + 1]++;
        for (size_t k = 0; k < count; k++)
            values += m->place[row[k]] != HSEL_NONE;
    }
    for (uint32_t y = 0; y < m->classes; y++)
        m->class_start[y + 1] += m->class_start[y];
    return values;
}

static void append_row(hs_aode *m, const hsel_dataset *data, uint32_t t)
{
    size_t count;
    const uint32_t *row = hs_row(data, t, &count);
    uint64_t at = m->rows.start[m->rows.lists];
    for (size_t k = 0; k < count; k++)
        if (m->place[row[k]] != HSEL_NONE)
            m->rows.index[at++] = m->place[row[k]];
    m->class_of[m->rows.lists++] = data->class_of[t];
    m->rows.start[m->rows.lists] = at;
}

/* The rows with a class, class by class. */
static int take_rows(hs_aode *m, const hs_view *view, hsel_error *error)
{
    uint32_t *order = NULL, *next = NULL;
    int status = HSEL_OK;
    if (!(m->class_start = HS_NEW_ZERO(uint32_t, (size_t)m->classes + 1)))
        return hs_fail_memory(error);
    uint64_t values = measure_rows(m, view);
    uint32_t rows = m->class_start[m->classes];
    order = HS_NEW(uint32_t, rows);
    next = HS_NEW(uint32_t, m->classes);
    m->class_of = HS_NEW(uint32_t, rows);
    m->rows.start = HS_NEW_ZERO(uint64_t, (size_t)rows + 1);
    m->rows.index = HS_NEW(uint32_t, values);
    if (!order || !next || !m->class_of || !m->rows.start || !m->rows.index) {
        status = hs_fail_memory(error);
        goto out;
    }
    for (uint32_t y = 0; y < m->classes; y++)
        next[y] = m->class_start[y];
    for (uint32_t r = 0; r < view->row_count; r++) {
        uint32_t t = hs_view_row(view, r), y = view->data->class_of[t];
        if (y != HSEL_NONE)
            order[next[y]++] = t;
    }
    for (uint32_t r = 0; r < rows; r++)
        append_row(m, view->data, order[r]);
out:
    hs_free(order);
    hs_free(next);
    return status;
}

/* ---- counts of single features, logarithms ---- */

static void count_features(hs_aode *m)
{
    for (uint32_t j = 0; j < m->n; j++) {
        size_t count;
        const uint32_t *column = hs_sparse_list(&m->columns, j, &count);
        for (size_t t = 0; t < count; t++)
            m->positive[(size_t)m->class_of[column[t]] * m->n + j]++;
        m->may_be_parent[j] = m->rows.lists - count >= m->options.frequency;
        m->may_be_parent[(size_t)m->n + j] = count >= m->options.frequency;
    }
}

static uint32_t largest_class(const hs_aode *m)
{
    uint32_t largest = 0;
    for (uint32_t y = 0; y < m->classes; y++)
        largest = hs_aode_class_size(m, y) > largest ? hs_aode_class_size(m, y) : largest;
    return largest;
}

static int make_singles(hs_aode *m, hsel_error *error)
{
    bool laplace = m->options.smoothing == HS_AODE_LAPLACE;
    double weight = m->options.weight;
    size_t numbers = (size_t)largest_class(m) + 1;
    m->positive = HS_NEW_ZERO(uint32_t, hs_aode_row_cells(m));
    m->may_be_parent = HS_NEW(uint8_t, 2 * (size_t)m->n);
    m->log_pair = HS_NEW(double, numbers);
    m->log_total = HS_NEW(double, numbers);
    m->log_parent = HS_NEW(double, numbers);
    if (!m->positive || !m->may_be_parent || !m->log_pair || !m->log_total || !m->log_parent)
        return hs_fail_memory(error);
    count_features(m);
    for (size_t k = 0; k < numbers; k++) {
        m->log_pair[k] = log((double)k + (laplace ? 1 : weight / 2));
        m->log_total[k] = log((double)k + (laplace ? 2 : weight));
        m->log_parent[k] = log((double)k + (laplace ? 1 : weight / (2.0 * m->classes)));
    }
    return HSEL_OK;
}

/* ---- the hierarchy ---- */

/* Ancestors in use of each feature in use: `total` is at least their number. */
static int list_ancestors(hs_aode *m, const hsel_dag *dag, uint64_t total, hs_sparse *above,
                          hsel_error *error)
{
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    uint64_t at = 0;
    above->start = HS_NEW_ZERO(uint64_t, (size_t)m->n + 1);
    above->index = HS_NEW(uint32_t, total);
    above->lists = m->n;
    HS_NEED(above->start && above->index);
    HS_TRY(hs_reach_init(&reach, dag, error));
    for (uint32_t i = 0; i < m->n; i++) {
        hs_reach_start(&reach, m->feature[i]);
        for (uint32_t f; (f = hs_reach_next(&reach)) != HSEL_NONE;)
            if (m->place[f] != HSEL_NONE)
                above->index[at++] = m->place[f];
        above->start[i + 1] = at;
        m->ancestors[i] = (uint32_t)(at - above->start[i]);
    }
    return HSEL_OK;
}

/* ---- memory: said before it is taken ---- */

static double bytes_without_rows(const hs_aode *m, uint64_t ancestors, int threads)
{
    double values = (double)m->rows.start[m->rows.lists], cells = (double)m->classes * m->n;
    hs_aode none = *m; /* nothing kept: the largest scratch */
    none.kept = 0;
    return values * 2 * sizeof(uint32_t) + (double)m->rows.lists * 12 + (double)m->features * 8 +
           (double)m->n * 30 + cells * (sizeof(uint32_t) + 2 * sizeof(double)) +
           (double)ancestors * 2 * sizeof(uint32_t) + (double)hs_aode_bits_bytes(m) +
           (double)hs_aode_scratch_bytes(&none) * hs_threads(threads);
}

struct support {
    uint64_t instances;
    uint32_t place;
};

static int by_support(const void *a, const void *b)
{
    const struct support *x = a, *y = b;
    if (x->instances != y->instances)
        return x->instances < y->instances ? 1 : -1;
    return x->place < y->place ? -1 : 1;
}

/* Which rows of joint counts are kept: those of the most frequent features, which are asked for
 * most often and take longest to count. */
static int choose_rows(hs_aode *m, hsel_error *error)
{
    struct support *order = HS_NEW(struct support, m->n);
    m->slot = HS_NEW(uint32_t, m->n);
    if (!order || !m->slot) {
        hs_free(order);
        return hs_fail_memory(error);
    }
    for (uint32_t i = 0; i < m->n; i++)
        order[i] = (struct support){m->columns.start[i + 1] - m->columns.start[i], i};
    if (m->kept < m->n)
        qsort(order, m->n, sizeof *order, by_support);
    for (uint32_t k = 0; k < m->n; k++)
        m->slot[order[k].place] = k < m->kept ? k : HSEL_NONE;
    hs_free(order);
    return HSEL_OK;
}

static int plan(hs_aode *m, uint64_t ancestors, int threads, hsel_error *error)
{
    m->wide = largest_class(m) > UINT16_MAX;
    double row = (double)hs_aode_row_cells(m) * (double)hs_aode_cell_bytes(m);
    double least = m->least = bytes_without_rows(m, ancestors, threads);
    double limit = m->options.memory * HS_MEGABYTE, room = row > 0 ? (limit - least) / row : 0;
    if (least > limit)
        return hs_fail(
            error, HSEL_ELIMIT,
            "%s on %u features and %u classes needs %.1f MB at least, and %g MB with all "
            "joint counts; it may take %g: select features first, or raise memory=",
            names[m->form], m->n, m->classes, ceil(least / HS_MEGABYTE * 10) / 10,
            ceil((least + row * m->n) / HS_MEGABYTE), m->options.memory);
    m->kept = room < m->n ? (uint32_t)room : m->n;
    return HSEL_OK;
}

/* ---- fitting ---- */

static int make_parts(hs_aode *m, const hsel_dag *dag, uint64_t ancestors, int threads,
                      const struct hs_progress *progress, hsel_error *error)
{
    hs_sparse above = {0};
    m->base = HS_NEW(double, 2 * hs_aode_row_cells(m));
    m->ancestors = HS_NEW_ZERO(uint32_t, m->n);
    m->class_word = HS_NEW(size_t, (size_t)m->classes + 1);
    int status = m->base && m->ancestors && m->class_word ? HSEL_OK : hs_fail_memory(error);
    if (status == HSEL_OK)
        status = make_singles(m, error);
    if (status == HSEL_OK && dag)
        status = list_ancestors(m, dag, ancestors, &above, error);
    if (status == HSEL_OK && dag)
        status = hs_sparse_transpose(&above, m->n, &m->below, error);
    if (status == HSEL_OK)
        status = choose_rows(m, error);
    if (status == HSEL_OK)
        status = hs_aode_make_bits(m, error);
    if (status == HSEL_OK)
        status = hs_aode_count(m, dag ? &above : NULL, threads, progress, error);
    hs_sparse_clear(&above);
    return status;
}

int hs_aode_prepare(hs_aode *m, const hsel_dag *dag, int threads,
                    const struct hs_progress *progress, hsel_error *error)
{
    uint64_t ancestors = 0;
    int status = hs_sparse_transpose(&m->rows, m->n, &m->columns, error);
    if (status == HSEL_OK && dag)
        status = hs_dag_count_ancestors(dag, threads, &ancestors, error);
    if (status == HSEL_OK)
        status = plan(m, ancestors, threads, error);
    if (status == HSEL_OK)
        status = make_parts(m, dag, ancestors, threads, progress, error);
    return status;
}

static int fit(hs_aode_form form, const hs_training *training, const void *options, void **out,
               hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    if (form != HS_AODE_PLAIN && !data->dag)
        return hs_fail(error, HSEL_EUSAGE, "%s needs a hierarchy, and %s has none", names[form],
                       hsel_dataset_name(data));
    hs_aode *m = HS_NEW_ZERO(hs_aode, 1);
    if (!m)
        return hs_fail_memory(error);
    m->form = form;
    m->options = *(const hs_aode_options *)options;
    m->classes = training->counts->classes;
    int status = take_features(m, &training->view, error);
    if (status == HSEL_OK)
        status = take_rows(m, &training->view, error);
    if (status == HSEL_OK)
        status = hs_aode_prepare(m, form == HS_AODE_PLAIN ? NULL : data->dag, training->threads,
                                 training->progress, error);
    if (status)
        hs_aode_free(m);
    else
        *out = m;
    return status;
}

/* ---- the three methods ---- */

#define DEFINE_FORM(NAME, FORM)                                                                    \
    static int fit_##NAME(const hs_training *training, const void *options, void **model,          \
                          hsel_error *error)                                                       \
    {                                                                                              \
        return fit(FORM, training, options, model, error);                                         \
    }                                                                                              \
    static int read_##NAME(const void *bytes, size_t length, const hsel_dataset *shape,            \
                           void **model, hsel_error *error)                                        \
    {                                                                                              \
        return hs_aode_read(FORM, bytes, length, shape, model, error);                             \
    }                                                                                              \
    static const hs_classifier NAME = {.fit = fit_##NAME,                                          \
                                       .predict = hs_aode_predict,                                 \
                                       .scratch_new = hs_aode_scratch_new,                         \
                                       .scratch_free = hs_aode_scratch_free,                       \
                                       .write = hs_aode_write,                                     \
                                       .read = read_##NAME,                                        \
                                       .free = hs_aode_free};

DEFINE_FORM(plain, HS_AODE_PLAIN)
DEFINE_FORM(hie, HS_AODE_HIE)
DEFINE_FORM(lite, HS_AODE_LITE)

const hs_method hs_method_aode = {
    .kind = HS_CLASSIFIER,
    .name = "aode",
    .title = "averaged one-dependence estimators",
    .help = "Averages naive Bayes classifiers in which one feature each is a further parent of all "
            "others; smoothed as in WEKA, in logarithms, so that any number of features will do. A "
            "lazy selection limits parents and children to the selected features.",
    .citation = "Webb, Boughton, Wang (2005), Machine Learning 58:5-24; Wan, Freitas (2020), "
                "equation 1; WEKA's AODE",
    .flags = HS_NEEDS_CLASSES | HS_PREDICTS_ON_MASK,
    .options = table,
    .options_size = sizeof(hs_aode_options),
    .classifier = &plain,
};

const hs_method hs_method_hie_aode = {
    .kind = HS_CLASSIFIER,
    .name = "hie-aode",
    .title = "AODE without dependencies on descendants",
    .help = "AODE in which no feature depends on one of its descendants: of the ancestors of the "
            "parent feature, P(x|class) takes the place of P(x|class, parent).",
    .citation =
        "Wan, Freitas (2020), Proceedings of Machine Learning Research 138 (PGM), equation 2",
    .flags = HS_NEEDS_CLASSES | HS_NEEDS_HIERARCHY | HS_PREDICTS_ON_MASK,
    .options = table,
    .options_size = sizeof(hs_aode_options),
    .classifier = &hie,
};

const hs_method hs_method_hie_aode_lite = {
    .kind = HS_CLASSIFIER,
    .name = "hie-aode-lite",
    .title = "AODE without the ancestors of the parent",
    .help = "AODE in which the ancestors of the parent feature are left out of its estimator. As "
            "published, estimators are not evened out for having different numbers of factors.",
    .citation =
        "Wan, Freitas (2020), Proceedings of Machine Learning Research 138 (PGM), equation 3",
    .flags = HS_NEEDS_CLASSES | HS_NEEDS_HIERARCHY | HS_PREDICTS_ON_MASK,
    .options = table,
    .options_size = sizeof(hs_aode_options),
    .classifier = &lite,
};
