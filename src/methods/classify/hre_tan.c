/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hierarchical-redundancy-eliminated tree-augmented naive Bayes: a tree for each instance.
 *
 * Wan, Freitas (2016), HRE-TAN; as the hfs package and Wan's later programs describe it. Two
 * features are redundant for an instance if one is an ancestor of the other and both have the same
 * value in it. Pairs are visited by falling conditional mutual information (classify/cmi.h), ties
 * by index. A pair is taken if both features are available, not redundant and not yet connected;
 * every feature that is redundant with either becomes unavailable. The result is a forest; each
 * tree is rooted at the smaller index of the first pair taken in it.
 *
 *     P(c | x) ~ P(c) prod P(x_f | c, x_pa(f)),  (n_cuv + 1)/(n_cu + 2), a root (n_cv + 1)/(n_c +
 * 2)
 *
 * over the features of the forest; features in no pair are left out. hsel differs from Wan's
 * released code where that sorts numbers as text and takes the class for the value of a root. With
 * a lazy selection only selected features are available. Features that an eager selection left out
 * do not exist, but relations pass through them. The true-path rule is not needed.
 *
 * Fitting keeps the best partners of each feature, in order, as many as the option memory allows:
 * counts and values as in tan, O(d^2) for sorting. An instance takes the next pair from a heap of
 * the best remaining partners of features outside the largest tree. A feature enters the heap when
 * its best pair of all would be next; most are unavailable by then. So an instance costs O(d +
 * partners passed over), not O(d^2). A feature whose list is exhausted is counted again.
 */
#include "classify/classify.h"
#include "classify/cmi.h"
#include "rank/ordered.h"

struct options {
    hs_adjust_options adjust; /* comes first */
    uint32_t memory;
};

static const hs_option table[] = {HS_ADJUST_AUTO, HS_WEKA("calibration=none", "the paper"),
                                  HS_OPTION(struct options, memory, "memory", "MB", "256", 1,
                                            1000000,
                                            "maximum memory for pairs of features, in MB; the rest "
                                            "is computed again for each prediction"),
                                  HS_OPTION_END};

/* A partner of a feature: its index, and whether it is an ancestor or descendant. */
#define COMPARABLE UINT32_C(0x80000000)
#define FEATURE    (~COMPARABLE)

struct model {
    uint32_t features, classes, memory;
    uint64_t *used;
    size_t words;
    hs_cmi cmi;
    hs_sparse near;    /* ancestors and descendants of each feature */
    size_t kept;       /* partners of each feature in the lists */
    bool complete;     /* the lists have all pairs */
    uint32_t *place;   /* [d]: number among those in use */
    uint32_t *partner; /* [in use * kept]: in the order they are gone through */
    double *value;     /* their values */
    hs_cmi_link *best; /* [in use]: the best pair of each feature, in order */
    size_t in_use;
    double *prior;      /* [K]: log P(c) */
    double *log_weight; /* [K]: of the classes */
};

static void hre_tan_model_free(void *pointer)
{
    struct model *m = pointer;
    if (!m)
        return;
    hs_cmi_clear(&m->cmi);
    hs_sparse_clear(&m->near);
    HS_FREE(m->place, m->partner, m->value, m->best, m);
}
HS_RELEASE(model_release, struct model, hre_tan_model_free)

struct lister { /* of one thread */
    hs_cmi_pairs pairs;
    uint32_t *partner;       /* [in use]: all of a feature … */
    double *below, *sorted;  /* … and how far the value of each is below 0; in order … */
    uint64_t *order, *spare; /* … which is this */
    uint8_t *mark;           /* [d]: ancestors and descendants */
};

struct listing {
    struct model *m;
    const hs_progress *progress;
    struct lister *listers;
};

static int list_partners(void *context, size_t index, int worker, hsel_error *error)
{
    const struct listing *l = context;
    struct model *m = l->m;
    const uint32_t i = (uint32_t)index, d = m->features;
    const struct lister *lister = l->listers + worker;
    uint8_t *mark = lister->mark;
    uint32_t count = 0;
    size_t near_count;
    if (!hs_bit_get(m->used, i))
        return HSEL_OK;
    hs_cmi_count(&m->cmi, i, lister->pairs.both);
    for (uint32_t j = 0; j < d; j++)
        if (j != i && hs_bit_get(m->used, j)) {
            lister->below[count] = 0 - hs_cmi_pair(&m->cmi, &lister->pairs, i, j);
            lister->partner[count++] = j;
        }
    hs_sort_values(lister->below, count, lister->sorted, lister->order, lister->spare);
    const uint32_t *near = hs_sparse_list(&m->near, i, &near_count);
    for (size_t k = 0; k < near_count; k++)
        mark[near[k]] = 1;
    for (size_t k = 0, at = m->place[i] * m->kept; k < m->kept; k++, at++) {
        const uint32_t j = lister->partner[(uint32_t)lister->order[k]];
        m->value[at] = 0 - lister->sorted[k];
        m->partner[at] = j | (mark[j] ? COMPARABLE : 0);
    }
    for (size_t k = 0; k < near_count; k++)
        mark[near[k]] = 0;
    return i % 64 ? HSEL_OK : hs_progress_report(l->progress, i, d, "features", error);
}

static int by_order(const void *a, const void *b)
{
    return hs_cmi_before(a, b) ? -1 : hs_cmi_before(b, a);
}

/* Relatives, partners and best pairs, from the features in use, the counts and the hierarchy. */
static int order_pairs(struct model *m, const hsel_dag *dag, int threads,
                       const hs_progress *progress, hsel_error *error)
{
    const size_t in_use = hs_bits_count(m->used, m->words), d = m->features;
    const size_t most = in_use > 0 ? in_use - 1 : 0, workers = (size_t)hs_threads(threads);
    const double limit = m->memory * HS_MEGABYTE;
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    uint64_t ancestors = 0, at = 0;
    HS_TRY(hs_dag_count_ancestors(dag, &ancestors, error));
    double near = 2.0 * sizeof(uint32_t) * (double)ancestors;
    double room = (limit - near) / (sizeof *m->partner + sizeof *m->value) / (double)in_use;
    if (near > limit)
        return hs_fail(error, HSEL_ELIMIT,
                       "hre-tan stores the ancestors and descendants of each feature, which takes "
                       "%.0f MB, but memory=%u allows %u MB; raise memory=",
                       ceil(near / HS_MEGABYTE), m->memory, m->memory);
    m->in_use = in_use;
    m->complete = in_use == 0 || room >= (double)most;
    m->kept = m->complete ? most : (size_t)room;

    HS_NEED(HS_LISTS(NULL, m, HS_PART(m, place, d), HS_PART(m, partner, in_use * m->kept),
                     HS_PART(m, value, in_use * m->kept), HS_PART(m, best, in_use)));
    hs_log_priors(m->cmi.class_size, m->log_weight, m->classes, m->prior);
    for (uint32_t f = 0, place = 0; f < d; place += hs_bit_get(m->used, f++))
        m->place[f] = place;
    HS_OWNED uint32_t *feature = HS_NEW(uint32_t, 2 * ancestors);
    HS_OWNED uint32_t *relative = HS_NEW(uint32_t, 2 * ancestors); /* ancestors, then descendants */
    HS_NEED(feature && relative);
    HS_TRY(hs_reach_init(&reach, dag, error));
    for (uint32_t f = 0, g; f < d; f++)
        for (hs_reach_start(&reach, f); (g = hs_reach_next(&reach)) != HSEL_NONE; at++) {
            feature[at] = relative[ancestors + at] = f;
            relative[at] = feature[ancestors + at] = g;
        }
    HS_TRY(hs_sparse_group(m->features, feature, relative, 2 * ancestors, &m->near, error));

    HS_OWNS(hs_arena_clear) hs_arena arena = {0};
    struct lister *listers = HS_ARENA_NEW(&arena, struct lister, workers);
    HS_NEED(listers);
    for (struct lister *l = listers; l < listers + workers; l++) {
        HS_TRY(hs_cmi_pairs_init(&m->cmi, &arena, &l->pairs, error));
        HS_NEED(HS_LISTS(&arena, l, HS_PART(l, partner, in_use), HS_PART(l, below, in_use),
                         HS_PART(l, sorted, in_use), HS_PART(l, order, in_use),
                         HS_PART(l, spare, in_use), HS_PART(l, mark, d)));
    }
    HS_TRY(
        hs_parallel_for(d, threads, list_partners, &(struct listing){m, progress, listers}, error));
    /* A feature without a list comes first: it has to be looked at. */
    for (uint32_t f = 0; f < d; f++) {
        const size_t best = m->place[f] * m->kept;
        if (hs_bit_get(m->used, f))
            m->best[m->place[f]] =
                m->kept ? (hs_cmi_link){m->value[best], f, m->partner[best] & FEATURE}
                        : (hs_cmi_link){INFINITY, f, f};
    }
    qsort(m->best, in_use, sizeof *m->best, by_order);
    return HSEL_OK;
}

static void *hre_tan_model_new(const hsel_dataset *shape)
{
    const size_t words = hs_bit_words(shape->features), classes = shape->class_names.count;
    struct model *m = HS_BLOCK(m, HS_PART(m, used, words), HS_PART(m, prior, classes),
                               HS_PART(m, log_weight, classes));
    if (m) {
        m->features = shape->features;
        m->classes = shape->class_names.count;
        m->words = words;
    }
    return m;
}

static int hre_tan_fit(const hs_training *training, const void *options, void **out,
                       hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    HS_OWNS(model_release) struct model *m = hre_tan_model_new(data);
    HS_NEED(m);
    m->memory = ((const struct options *)options)->memory;
    for (uint32_t f = 0; f < data->features; f++)
        if (hs_view_has(&training->view, f))
            hs_bit_set(m->used, f);
    HS_TRY(hs_cmi_init(&training->view, false, &m->cmi, error));
    hs_log_weights(training, m->log_weight);
    HS_TRY(order_pairs(m, data->dag, training->threads, training->progress, error));
    *out = hs_take(&m);
    return HSEL_OK;
}

/* ---- predicting ---- */

struct pair {
    uint32_t i, j;
};

struct scratch {         /* in one block with its lists */
    uint64_t *positive;  /* bit set */
    uint64_t *available; /* bit set */
    hs_cmi_link *heap;   /* [d] */
    size_t heaped;
    uint32_t *passed;   /* [d]: partners of the list that were gone through */
    uint32_t *both;     /* [d * K]: counts of a feature whose list is used up */
    struct pair *edges; /* [d]: taken, in order */
    uint32_t edge_count;
    uint32_t *leader, *size; /* [d]: union-find */
    uint32_t *first, *next;  /* [d], [2 d]: the edges of a feature as a chain; end 2 * e + side */
    uint32_t *queue;         /* [d] */
    uint8_t *reached;        /* [d] */
    struct pair *known;      /* [KNOWN]: cache of pairs counted for earlier instances … */
    uint32_t *known_both;    /* [KNOWN * K]: … and their counts; forests are much alike */
};

#define KNOWN 65536

static int hre_tan_scratch_new(const void *pointer, void **out, hsel_error *error)
{
    const struct model *m = pointer;
    const size_t d = m->features, counted = m->complete ? 0 : d;
    struct scratch *s = HS_BLOCK(
        s, HS_PART(s, positive, m->words), HS_PART(s, available, m->words), HS_PART(s, heap, d),
        HS_PART(s, passed, d), HS_PART(s, both, counted * m->classes), HS_PART(s, edges, d),
        HS_PART(s, leader, d), HS_PART(s, size, d), HS_PART(s, first, d), HS_PART(s, next, 2 * d),
        HS_PART(s, queue, d), HS_PART(s, reached, d), HS_PART(s, known, KNOWN),
        HS_PART(s, known_both, (size_t)KNOWN * m->classes));
    HS_NEED(*out = s);
    return HSEL_OK;
}

static uint32_t leader_of(uint32_t *leader, uint32_t f)
{
    while (leader[f] != f) {
        leader[f] = leader[leader[f]];
        f = leader[f];
    }
    return f;
}

/* Removes the features that are redundant with this one; returns how many. */
static size_t drop_redundant(const struct model *m, uint32_t feature, struct scratch *s)
{
    const bool value = hs_bit_get(s->positive, feature);
    size_t dropped = 0, count;
    const uint32_t *near = hs_sparse_list(&m->near, feature, &count);
    for (size_t k = 0; k < count; k++)
        if (hs_bit_get(s->available, near[k]) && hs_bit_get(s->positive, near[k]) == value) {
            hs_bit_unset(s->available, near[k]);
            dropped++;
        }
    return dropped;
}

/* When the list of feature i is exhausted: its best pair of all that can still be taken. */
static bool search_all(const struct model *m, struct scratch *s, hs_cmi_link *out)
{
    const uint32_t i = out->i, own = leader_of(s->leader, i);
    const bool value = hs_bit_get(s->positive, i);
    size_t near_count;
    const uint32_t *near = hs_sparse_list(&m->near, i, &near_count);
    bool found = false;
    hs_cmi_count(&m->cmi, i, s->both);
    for (size_t k = 0; k < near_count; k++)
        s->reached[near[k]] = 1;
    for (size_t w = 0; w < m->words; w++)
        for (uint64_t left = s->available[w]; left; left &= left - 1) {
            uint32_t j = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(left);
            if ((s->reached[j] && hs_bit_get(s->positive, j) == value) ||
                leader_of(s->leader, j) == own)
                continue;
            double here = hs_cmi_of(&m->cmi, i, j, s->both + (size_t)j * m->classes);
            if (!found || here > out->value)
                *out = (hs_cmi_link){here, i, j};
            found = true;
        }
    for (size_t k = 0; k < near_count; k++)
        s->reached[near[k]] = 0;
    return found;
}

/* The best pair of feature i that can still be taken. A pair passed over can never be taken. */
static bool advance_feature(const struct model *m, struct scratch *s, hs_cmi_link *out)
{
    const uint32_t i = out->i, own = leader_of(s->leader, i);
    const uint64_t flip = hs_bit_get(s->positive, i);
    const size_t first = m->place[i] * m->kept;
    for (size_t k = s->passed[i]; k < m->kept; k++) {
        uint32_t partner = m->partner[first + k], j = partner & FEATURE;
        if (!hs_bit_get(s->available, j) ||
            (partner & COMPARABLE && hs_bit_get(s->positive, j) == flip) ||
            leader_of(s->leader, j) == own)
            continue;
        s->passed[i] = (uint32_t)k + 1;
        *out = (hs_cmi_link){m->value[first + k], i, j};
        return true;
    }
    s->passed[i] = (uint32_t)m->kept;
    return !m->complete && search_all(m, s, out);
}

static void sift_down(struct scratch *s, size_t at)
{
    hs_cmi_link moving = s->heap[at];
    for (size_t child; (child = 2 * at + 1) < s->heaped; at = child) {
        child += child + 1 < s->heaped && hs_cmi_before(&s->heap[child + 1], &s->heap[child]);
        if (!hs_cmi_before(&s->heap[child], &moving))
            break;
        s->heap[at] = s->heap[child];
    }
    s->heap[at] = moving;
}

static void sift_up(struct scratch *s, size_t at)
{
    const hs_cmi_link moving = s->heap[at];
    for (; at > 0 && hs_cmi_before(&moving, &s->heap[(at - 1) / 2]); at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = moving;
}

/* The forest of an instance. `parts` counts the trees and the available features that are not
 * connected yet. A feature in a tree stays available: what is redundant with it was dropped when it
 * joined.
 *
 * The next pair is the first in the order of all pairs that can be taken. It joins two trees (or
 * features), so at least one of its ends is outside the tree that has more than half of the
 * available features, once there is one; that tree's features need not be in the heap. Every other
 * feature has in the heap its first pair that can be taken, or an earlier one that no longer can,
 * or its best pair is still to come in `best`. So the first pair of the heap is the next one, if it
 * can be taken and nothing in `best` comes before it. */
static void grow_forest(const struct model *m, const hs_batch *batch, uint32_t at,
                        struct scratch *s)
{
    size_t count;
    const uint32_t *row = hs_row(batch->data, batch->instances[at], &count);
    const hs_selection selected = hs_selected(batch, row, count);
    memset(s->positive, 0, m->words * sizeof *s->positive);
    for (size_t i = 0; i < count; i++)
        hs_bit_set(s->positive, row[i]);
    for (size_t w = 0; w < m->words; w++)
        s->available[w] = selected.all_negative ? ~s->positive[w] : 0;
    for (uint32_t i = 0; i < selected.positive_count; i++)
        hs_bit_set(s->available, selected.positive[i]);
    for (uint32_t i = 0; i < selected.negative_count; i++)
        hs_bit_set(s->available, selected.negative[i]);
    for (size_t w = 0; w < m->words; w++)
        s->available[w] &= m->used[w];

    size_t available = hs_bits_count(s->available, m->words), parts = available;
    s->edge_count = 0;
    s->heaped = 0;
    for (uint32_t f = 0; f < m->features; f++) {
        s->leader[f] = f;
        s->size[f] = 1;
        s->passed[f] = 0;
    }
    for (size_t next = 0; parts > 1;) {
        for (; next < m->in_use && (!s->heaped || hs_cmi_before(&m->best[next], s->heap)); next++) {
            const uint32_t f = s->heap[s->heaped].i = m->best[next].i;
            if (hs_bit_get(s->available, f) &&
                2 * (size_t)s->size[leader_of(s->leader, f)] <= available &&
                advance_feature(m, s, &s->heap[s->heaped]))
                sift_up(s, s->heaped++);
        }
        if (!s->heaped)
            break;
        uint32_t i = s->heap->i, j = s->heap->j, a = leader_of(s->leader, i),
                 b = leader_of(s->leader, j);
        if (hs_bit_get(s->available, i) && hs_bit_get(s->available, j) && a != b) {
            s->leader[a < b ? b : a] = a < b ? a : b;
            s->size[a < b ? a : b] += s->size[a < b ? b : a];
            s->edges[s->edge_count++] = i < j ? (struct pair){i, j} : (struct pair){j, i};
            size_t dropped = drop_redundant(m, i, s);
            dropped += drop_redundant(m, j, s);
            available -= dropped;
            parts -= 1 + dropped;
        }
        if (!hs_bit_get(s->available, i) ||
            2 * (size_t)s->size[leader_of(s->leader, i)] > available ||
            !advance_feature(m, s, s->heap))
            s->heap[0] = s->heap[--s->heaped];
        if (s->heaped > 0)
            sift_down(s, 0);
    }
}

/* P(x_f | c, x_parent); parent HSEL_NONE: P(x_f | c). */
static void add_factor(const struct model *m, uint32_t f, uint32_t parent, struct scratch *s,
                       double *sum)
{
    const bool value = hs_bit_get(s->positive, f);
    const struct pair pair = f < parent ? (struct pair){f, parent} : (struct pair){parent, f};
    const uint32_t place = (pair.i * UINT32_C(2654435761) ^ pair.j * UINT32_C(40503)) % KNOWN;
    uint32_t *both = s->known_both + (size_t)place * m->classes;
    if (parent != HSEL_NONE && (s->known[place].i != pair.i || s->known[place].j != pair.j)) {
        hs_cmi_both(&m->cmi, f, parent, both);
        s->known[place] = pair; /* 0, 0 is not a pair */
    }
    for (uint32_t c = 0; c < m->classes; c++) {
        uint32_t all = m->cmi.class_size[c], with = hs_cmi_positive(&m->cmi, c, f);
        if (parent != HSEL_NONE) {
            uint32_t above = hs_cmi_positive(&m->cmi, c, parent);
            bool up = hs_bit_get(s->positive, parent);
            with = up ? both[c] : with - both[c];
            all = up ? above : all - above;
        }
        sum[c] += log(((value ? with : all - with) + 1.0) / (all + 2.0));
    }
}

/* Adds the factors of a tree to one sum, or (step = classes) to a sum per feature. */
static void add_tree(const struct model *m, uint32_t root, struct scratch *s, size_t step,
                     double *sum)
{
    uint32_t head = 0, tail = 0;
    s->queue[tail++] = root;
    s->reached[root] = 1;
    add_factor(m, root, HSEL_NONE, s, sum + root * step);
    while (head < tail) {
        uint32_t f = s->queue[head++];
        for (uint32_t end = s->first[f]; end != HSEL_NONE; end = s->next[end]) {
            uint32_t other = end % 2 ? s->edges[end / 2].i : s->edges[end / 2].j;
            if (s->reached[other])
                continue;
            s->reached[other] = 1;
            s->queue[tail++] = other;
            add_factor(m, other, f, s, sum + other * step);
        }
    }
}

/* Likewise for all trees of the instance's forest. */
static void add_forest(const struct model *m, const hs_batch *batch, uint32_t at, struct scratch *s,
                       size_t step, double *sum)
{
    grow_forest(m, batch, at, s);
    for (uint32_t e = 0; e < s->edge_count; e++)
        s->first[s->edges[e].i] = s->first[s->edges[e].j] = HSEL_NONE;
    for (uint32_t e = 0; e < s->edge_count; e++) {
        s->next[2 * e] = s->first[s->edges[e].i];
        s->first[s->edges[e].i] = 2 * e;
        s->next[2 * e + 1] = s->first[s->edges[e].j];
        s->first[s->edges[e].j] = 2 * e + 1;
    }
    for (uint32_t e = 0; e < s->edge_count; e++)
        if (!s->reached[s->edges[e].i])
            add_tree(m, s->edges[e].i, s, step, sum); /* i is the smaller index */
    for (uint32_t e = 0; e < s->edge_count; e++)
        s->reached[s->edges[e].i] = s->reached[s->edges[e].j] = 0;
}

static int hre_tan_predict(const void *pointer, const hs_batch *batch, void *scratch,
                           double *probability, double *score, hsel_error *error)
{
    const struct model *m = pointer;
    (void)error;
    for (uint32_t at = 0; at < batch->count; at++, probability += m->classes, score += m->classes) {
        memcpy(probability, m->prior, m->classes * sizeof *probability);
        add_forest(m, batch, at, scratch, 0, probability);
        hs_normalise_logs(probability, score, m->classes);
    }
    return HSEL_OK;
}

/* A factor, which depends on the parent's value too, counts for its own feature. */
static int hre_tan_contributions(const void *pointer, const hs_batch *one, void *scratch,
                                 uint32_t label, double *prior, double *contribution,
                                 hsel_error *error)
{
    const struct model *m = pointer;
    HS_OWNED double *term = HS_NEW_ZERO(double, (size_t)m->features * m->classes);
    HS_NEED(term);
    add_forest(m, one, 0, scratch, m->classes, term);
    *prior =
        hs_contributions_of_terms(m->prior, term, m->features, m->classes, label, contribution);
    return HSEL_OK;
}

/* The best partner of a feature; a pair that is the best of both is listed once. */
static uint32_t hre_tan_depends(const void *pointer, uint32_t feature, uint32_t i, double *strength)
{
    const struct model *m = pointer;
    if (i > 0 || !m->kept || !hs_bit_get(m->used, feature))
        return HSEL_NONE;
    size_t at = m->place[feature] * m->kept;
    uint32_t partner = m->partner[at] & FEATURE;
    *strength = m->value[at];
    bool comes =
        partner < feature && (m->partner[m->place[partner] * m->kept] & FEATURE) == feature;
    return comes ? HSEL_NONE : partner;
}

/* ---- model files: sizes, memory, features in use, class sizes, rows class by class, class
 * weights. The order of the pairs is recomputed on reading. ---- */

static int hre_tan_fields(void *model, const hsel_dataset *shape, hs_transfer *file,
                          hsel_error *error)
{
    struct model *m = model;
    if (hs_reads(file)) {
        if (!shape->dag)
            return HSEL_EFORMAT;
        HS_TRY(hs_cmi_new(m->features, m->classes, &m->cmi, error));
    }
    HS_FIELDS(file, HS_SHAPE(m), HS_VALUE(m->memory, 1, 1000000), HS_BIT_SET(m->used, m->features),
              HS_VALUES(*m->cmi.class_size, m->classes, HS_SUM_TO(HS_INSTANCES_LIMIT)));
    for (uint32_t c = 0; hs_reads(file) && c < m->classes; c++)
        m->cmi.rows.lists += m->cmi.class_size[c];
    HS_TRY(hs_rows_fields(&m->cmi.rows, m->features, file, error));
    HS_TRY(hs_log_weights_fields(m->log_weight, m->classes, file, error));
    if (!hs_reads(file))
        return HSEL_OK;
    HS_TRY(hs_cmi_ready(&m->cmi, false, error));
    return order_pairs(m, shape->dag, 1, NULL, error);
}

static const hs_classifier functions = {.fit = hre_tan_fit,
                                        .predict = hre_tan_predict,
                                        .scratch_new = hre_tan_scratch_new,
                                        .scratch_free = hs_free,
                                        .contributions = hre_tan_contributions,
                                        .depends = hre_tan_depends,
                                        .varies = true,
                                        .name = "HRE-TAN",
                                        .make = hre_tan_model_new,
                                        .fields = hre_tan_fields,
                                        .free = hre_tan_model_free};

/* Slot `memory` of hs_method. */
static double hre_tan_memory_needed(const hs_size *size, const void *options)
{
    const double pairs = 12 * size->features * size->features,
                 limit = ((const struct options *)options)->memory * HS_MEGABYTE;
    return fmin(pairs, limit) + size->threads * size->features * (24 + 4 * size->classes) +
           8 * size->values;
}

const hs_method hs_method_hre_tan = {
    .kind = HS_CLASSIFIER,
    .name = "hre-tan",
    .title = "TAN without hierarchical redundancy",
    .help = "Builds a tree-augmented naive Bayes for each instance: pairs of features are added in "
            "the order of falling conditional mutual information, and an added feature excludes "
            "its ancestors and descendants with the same value. Features in no pair are left out. "
            "With a lazy selector only the selected features are used.",
    .citation =
        "Wan, Freitas (2016), HRE-TAN; ties, roots and smoothing as at the top of the source",
    .flags = HS_NEEDS_CLASSES | HS_NEEDS_HIERARCHY | HS_PREDICTS_ON_MASK,
    .options = table,
    .memory = hre_tan_memory_needed,
    .options_size = sizeof(struct options),
    .check = hs_adjust_check,
    .classifier = &functions,
};
