/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Candidates of an eager selector, and the state that keeps its selection.
 */
#include "select/eager.h"

#include "rank/ordered.h"

#define QUARTERS 4

struct state {           /* in one block */
    double *score;       /* of each feature; 0 outside the view's mask */
    hs_verdict *verdict; /* likewise; may be NULL */
    uint64_t *mask;      /* the features kept */
    size_t words;
};

hs_cells hs_candidate_cells(const hs_candidates *candidates, uint32_t candidate)
{
    const hs_training *training = candidates->training;
    const hs_counts *counts = training->counts;
    return hs_cells_of(counts, candidates->feature[candidate],
                       counts->classes == 2 ? training->view.data->positive_class : HSEL_NONE);
}

/* A training part with the quarters of its target as classes. */
struct cut_target {
    hsel_dataset data; /* borrows all but … */
    uint32_t *class_of;
    hs_names names;
    hs_counts counts;
    hs_training training;
};

static void cut_target_clear(struct cut_target *cut)
{
    hs_free(cut->class_of);
    hs_names_clear(&cut->names);
    hs_counts_clear(&cut->counts);
}

/* The quarters end where one, two and three quarters of the numbers are complete; equal numbers
 * stay together. */
static int cut_target(const hs_training *training, struct cut_target *out, hsel_error *error)
{
    const hsel_dataset *data = training->view.data;
    HS_OWNED uint32_t *rows = NULL;
    uint32_t count, classes = 0, reached = 0;
    HS_TRY(hs_training_rows(training, true, &rows, &count, error));
    HS_OWNED double *target = HS_NEW(double, count), *sorted = HS_NEW(double, count);
    HS_OWNED uint64_t *place = HS_NEW(uint64_t, count), *spare = HS_NEW(uint64_t, count);
    out->class_of = hs_new_none(data->instances);
    HS_NEED(target && sorted && place && spare && out->class_of);
    for (uint32_t i = 0; i < count; i++)
        target[i] = data->target[rows[i]];
    hs_sort_values(target, count, sorted, place, spare);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t now = (uint32_t)((uint64_t)(i + 1) * QUARTERS / count);
        out->class_of[rows[(uint32_t)place[i]]] = classes;
        if (i + 1 < count && (sorted[i + 1] == sorted[i] || now == reached))
            continue;
        char name[16];
        reached = now;
        snprintf(name, sizeof name, "part %u", ++classes);
        HS_TRY(hs_names_append(&out->names, name, strlen(name), error));
    }
    out->data = *data;
    out->data.target = NULL;
    out->data.class_of = out->class_of;
    out->data.class_names = out->names;
    out->data.positive_class = classes < 2 ? HSEL_NONE : classes - 1;
    out->training = *training;
    out->training.view.data = &out->data;
    out->training.counts = &out->counts;
    return hs_counts_of(&out->training.view, &out->counts, error);
}

/* Has the candidate one value in all labelled training rows in which it is known? */
static bool is_constant(const hs_candidates *c, uint32_t candidate)
{
    const hs_view *view = &c->training->view;
    const hsel_dataset *data = view->data;
    const uint32_t feature = c->feature[candidate];
    double first = (double)NAN;
    for (uint32_t i = 0; i < view->row_count; i++) {
        const uint32_t row = hs_view_row(view, i);
        const double value =
            hs_has_label(data, row) ? hs_dataset_value(data, feature, row) : (double)NAN;
        if (value != first && !isnan(value) && !isnan(first))
            return false;
        first = isnan(first) ? value : first;
    }
    return true;
}

int hs_eager_prepare(const hs_training *training, const void *options, const hs_eager_rule *rule,
                     void **out, hsel_error *error)
{
    HS_OWNS(cut_target_clear) struct cut_target cut = {0};
    if (training->view.data->target && rule->cuts_target) {
        HS_TRY(cut_target(training, &cut, error));
        training = &cut.training;
    }
    const hsel_dataset *data = training->view.data;
    uint32_t features = data->features;
    HS_OWNS(hs_dag_release) hsel_dag *part = NULL;
    HS_OWNED uint32_t *feature = HS_NEW(uint32_t, features);
    HS_OWNED double *score = HS_NEW_ZERO(double, features);
    HS_OWNED bool *keep = HS_NEW(bool, features);
    const size_t words = hs_bit_words(features);
    HS_OWNED struct state *state =
        HS_BLOCK(state, HS_PART(state, score, features), HS_PART(state, mask, words),
                 HS_PART(state, verdict, training->reasons ? features : 0));
    hs_candidates candidates = {training, rule->flat ? NULL : data->dag, 0, feature, score, NULL};
    *out = NULL;
    if (!rule->flat && !data->dag)
        return hs_fail(error, HSEL_EUSAGE, "%s has no hierarchy to select on",
                       hsel_dataset_name(data));
    HS_NEED(feature && score && keep && state);
    state->words = words;
    state->verdict = candidates.verdict = training->reasons ? state->verdict : NULL;
    for (uint32_t f = 0; training->reasons && f < features; f++)
        state->verdict[f] = hs_verdict_of(f, HS_RULE_KEPT);
    for (uint32_t f = 0; f < features; f++)
        if ((keep[f] = hs_view_has(&training->view, f)))
            feature[candidates.count++] = f;
    if (!rule->flat && candidates.count < features) {
        HS_TRY(hs_dag_subset(data->dag, keep, &part, error));
        candidates.dag = part;
    }
    if (rule->measures) {
        const hs_scoring *by = options;
        HS_TRY(data->target ? hs_explained_features(training, &by->cuts, score, error)
                            : hs_measure_features(training, rule->measures[by->measure], &by->cuts,
                                                  score, error));
        for (uint32_t i = 0; i < candidates.count; i++) /* none is before its own */
            score[i] = score[feature[i]];
    }
    memset(keep, true, candidates.count * sizeof *keep);
    if (rule->choose)
        HS_TRY(rule->choose(&candidates, options, keep, error));
    for (uint32_t i = 0; rule->drops_constants && i < candidates.count; i++)
        if (keep[i] && hs_is_root(candidates.dag, i) && hs_is_leaf(candidates.dag, i) &&
            is_constant(&candidates, i)) {
            keep[i] = false;
            hs_candidates_say(&candidates, i, HS_RULE_CONSTANT, HSEL_NONE, (double)NAN);
        }
    hs_candidates_rule(&candidates, keep, rule->kept);
    hs_candidates_rule(&candidates, keep, rule->dropped);
    for (uint32_t i = 0; i < candidates.count; i++) {
        state->score[feature[i]] = score[i];
        if (keep[i])
            hs_bit_set(state->mask, feature[i]);
    }
    /* candidates become features, from the last on: none is before its own */
    for (uint32_t f = state->verdict ? features : 0, i = candidates.count; f-- > 0;) {
        hs_verdict *verdict = &state->verdict[f];
        if (i == 0 || feature[i - 1] != f) {
            *verdict = hs_verdict_of(f, HS_RULE_NOT_LOOKED_AT);
            continue;
        }
        *verdict = state->verdict[--i];
        const char *says = hs_rule_table[verdict->rule].sentence;
        verdict->feature = f;
        if (strstr(says, "{score}"))
            verdict->score = score[i];
        if (verdict->by == HSEL_NONE)
            continue;
        if (isnan(verdict->other) && strstr(says, "{other}"))
            verdict->other = score[verdict->by];
        verdict->by = feature[verdict->by];
    }
    *out = hs_take(&state);
    return HSEL_OK;
}

void hs_candidates_say(const hs_candidates *c, uint32_t candidate, hs_rule rule, uint32_t by,
                       double other)
{
    if (!c->verdict)
        return;
    c->verdict[candidate] = hs_verdict_of(candidate, rule);
    c->verdict[candidate].by = by;
    c->verdict[candidate].other = other;
}

static void give_rule(const hs_candidates *c, const bool *keep, hs_rule rule, uint32_t by,
                      double other)
{
    for (uint32_t i = 0; c->verdict && i < c->count; i++)
        if (c->verdict[i].rule == HS_RULE_KEPT && keep[i] == hs_rule_table[rule].kept)
            hs_candidates_say(c, i, rule, by, other);
}

void hs_candidates_rule(const hs_candidates *c, const bool *keep, hs_rule rule)
{
    give_rule(c, keep, rule, HSEL_NONE, (double)NAN);
}

void hs_candidates_threshold(const hs_candidates *c, const bool *keep, double threshold)
{
    give_rule(c, keep, HS_RULE_PASSES, HSEL_NONE, threshold);
    give_rule(c, keep, HS_RULE_FAILS, HSEL_NONE, threshold);
}

int hs_candidates_best(const hs_candidates *c, double most, bool *keep, hsel_error *error)
{
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, c->count);
    HS_NEED(order);
    hs_rank_order(c->score, c->count, NULL, order);
    for (uint32_t i = 0; i < c->count; i++)
        keep[order[i]] = i < most;
    hs_candidates_rule(c, keep, HS_RULE_AMONG_BEST);
    if (most > 0 && most < c->count)
        give_rule(c, keep, HS_RULE_NOT_AMONG_BEST, order[(uint32_t)most - 1], (double)NAN);
    return HSEL_OK;
}

/* Of two candidates the stronger one; HSEL_NONE is weaker than any. */
static uint32_t stronger_of(const double *score, uint32_t a, uint32_t b)
{
    if (a == HSEL_NONE || b == HSEL_NONE)
        return a == HSEL_NONE ? b : a;
    return score[a] > score[b] || (score[a] == score[b] && a < b) ? a : b;
}

int hs_candidates_beaten(const hs_candidates *c, const bool *keep, bool by_score, hsel_error *error)
{
    const hsel_dag *dag = c->dag;
    if (!c->verdict)
        return HSEL_OK;
    HS_OWNED uint32_t *above = HS_NEW(uint32_t, c->count), *below = HS_NEW(uint32_t, c->count);
    HS_NEED(above && below);
    for (int down = 0; down < 2; down++) /* what is kept and strongest above each, then below */
        for (uint32_t i = 0; i < c->count; i++) {
            uint32_t v = dag->order[down ? c->count - 1 - i : i], best = HSEL_NONE,
                     *found = down ? below : above;
            size_t count;
            const uint32_t *next = down ? hs_children(dag, v, &count) : hs_parents(dag, v, &count);
            for (size_t j = 0; j < count; j++) {
                best = stronger_of(c->score, best, keep[next[j]] ? next[j] : HSEL_NONE);
                best = stronger_of(c->score, best, found[next[j]]);
            }
            found[v] = best;
        }
    for (uint32_t v = 0; v < c->count; v++) {
        uint32_t by = stronger_of(c->score, above[v], below[v]);
        if (keep[v] || by == HSEL_NONE || c->verdict[v].rule != HS_RULE_KEPT)
            continue;
        bool under = by == below[v], beats = by_score && c->score[by] > c->score[v],
             ties = by_score && c->score[by] == c->score[v];
        hs_candidates_say(c, v,
                          under   ? beats  ? HS_RULE_DESCENDANT_BEATS
                                    : ties ? HS_RULE_DESCENDANT_TIES
                                           : HS_RULE_DESCENDANT_KEPT
                          : beats ? HS_RULE_ANCESTOR_BEATS
                          : ties  ? HS_RULE_ANCESTOR_TIES
                                  : HS_RULE_ANCESTOR_KEPT,
                          by, (double)NAN);
    }
    return HSEL_OK;
}

void hs_eager_why(const void *opaque, uint32_t feature, const uint32_t *row, size_t count,
                  const hs_selection *selection, hs_lazy_scratch *scratch, hs_verdict *out)
{
    const struct state *state = opaque;
    (void)row, (void)count, (void)selection, (void)scratch;
    *out = state->verdict
               ? state->verdict[feature]
               : hs_verdict_of(feature,
                               hs_bit_get(state->mask, feature) ? HS_RULE_KEPT : HS_RULE_DROPPED);
}

int hs_eager_select(const void *opaque, uint64_t *mask, hsel_error *error)
{
    const struct state *state = opaque;
    (void)error;
    for (size_t word = 0; word < state->words; word++)
        mask[word] |= state->mask[word];
    return HSEL_OK;
}

const double *hs_eager_scores(const void *state) { return ((const struct state *)state)->score; }

uint64_t hs_support(const hs_counts *counts, uint32_t feature)
{
    uint64_t sum = 0;
    for (uint32_t c = 0; c < counts->classes; c++)
        sum += hs_count(counts, feature, c);
    return sum;
}

/* Phi of two binary candidates, from counts. mark[row]: 0 not in the training part or without
 * class, 1 in it, parent + 2 if `parent` is the last marked candidate that is positive there. */
static double phi_of(const hs_candidates *c, uint32_t parent, uint32_t child, uint32_t *mark)
{
    const hsel_dataset *data = c->training->view.data;
    const hs_counts *counts = c->training->counts;
    uint64_t of_parent = hs_support(counts, c->feature[parent]),
             of_child = hs_support(counts, c->feature[child]), both = 0;
    size_t count;
    const uint32_t *rows = hs_column(data, c->feature[child], &count);
    for (size_t r = 0; r < count; r++)
        both += mark[rows[r]] == parent + 2;
    return hs_phi(both, of_parent - both, of_child - both,
                  counts->instances + both - of_parent - of_child);
}

int hs_candidates_uncorrelated(const hs_candidates *c, double threshold, hs_correlation_kind kind,
                               bool *keep, hsel_error *error)
{
    const hs_view *view = &c->training->view;
    const hsel_dataset *data = view->data;
    const bool counted = !data->target; /* there are counts for phi */
    HS_OWNS(hs_correlator_clear) hs_correlator correlator = {0};
    HS_OWNED uint32_t *mark = HS_NEW_ZERO(uint32_t, data->instances);
    HS_NEED(mark);
    if (!counted || !hs_dataset_all_binary(data))
        HS_TRY(hs_correlator_init(&correlator, c->training, kind, error));
    for (uint32_t i = 0; i < view->row_count; i++) {
        uint32_t row = hs_view_row(view, i);
        mark[row] = hs_has_label(data, row);
    }
    for (uint32_t parent = 0; parent < c->count; parent++) {
        size_t count, children;
        const uint32_t *child = hs_children(c->dag, parent, &children);
        const bool binary = counted && data->types[c->feature[parent]] == HSEL_BINARY;
        bool is_read = false; /* by the correlator */
        if (!children)
            continue;
        const uint32_t *rows = hs_column(data, c->feature[parent], &count);
        for (size_t i = 0; i < count; i++)
            if (mark[rows[i]])
                mark[rows[i]] = parent + 2;
        for (size_t i = 0; i < children; i++) {
            double similarity, limit = threshold;
            if (!keep[child[i]])
                continue;
            if (binary && data->types[c->feature[child[i]]] == HSEL_BINARY) {
                similarity = phi_of(c, parent, child[i], mark);
            } else {
                if (!is_read)
                    HS_TRY(hs_correlator_fix(&correlator, c->feature[parent], error));
                is_read = true;
                HS_TRY(hs_correlator_with(&correlator, c->feature[child[i]], &similarity, error));
                limit -= HS_CORRELATION_TOLERANCE;
            }
            keep[child[i]] = !(isnan(similarity) || similarity >= limit);
            if (!keep[child[i]])
                hs_candidates_say(c, child[i], HS_RULE_LIKE_PARENT, parent, (double)NAN);
        }
    }
    return HSEL_OK;
}
