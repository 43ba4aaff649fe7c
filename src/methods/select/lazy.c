/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lazy selectors over a hierarchy. The methods are at the end of the file.
 *
 * Preparing. If some features cannot be used (outside the mask, or not binary), the hierarchy is
 * first contracted to the others, so that relations pass through them. Only counts, hierarchy,
 * types, names and the positive class are used, never the rows of the training part.
 *
 * Positive features of an instance. With the true-path rule they are closed upwards, so a sweep
 * upwards from the lowest ones visits each after all its positive children, and touches only the
 * edges among them, each twice.
 *
 * Negative features. Under MR and HIP-MR a negative v stays iff each ancestor with R >= R(v), a
 * blocker of v, is positive (and, MR, no descendant has R > R(v), which no instance can change);
 * under HIP iff each parent is positive: its blockers are its parents. Blockers are found once:
 * upwards from v to the first one on every path, since those above it are positive whenever it is.
 * Features without blockers stay wherever they are negative. The others are filed under one of
 * their blockers and looked at only in instances that have it. So an instance costs O(features
 * without blockers + positive features + features filed under them, with their further blockers).
 *
 * Preparing costs O(edges walked), at most O(features x edges); memory O(features + blockers).
 */
#include "measure/measure.h"
#include "rank/rank.h"
#include "select/eager.h"

extern const hs_method hs_method_ig;

/* Which features stay: positive v by its positive descendants d (and all its ancestors a), negative
 * v by its negative ancestors a (and all its descendants d). */
enum lazy_rule {
    ALL_POSITIVE, /* by value alone, without a hierarchy */
    ALL_NEGATIVE,
    HIP_PLUS, /* positive: no d; negative: none */
    HIP,      /* positive: no d; negative: no a */
    RPV,      /* positive: no score(d) > score(v); negative: none */
    HIP_MR,   /* positive: all score(d) < score(v); negative: all score(a) < score(v) */
    MR        /* also, positive: no score(a) > score(v); negative: no score(d) > score(v) */
};

enum { BY_LAZYR, BY_R, BY_IG }; /* relevance: rpv chooses, the others use R */

struct options {
    int measure, smoothing, lazyr; /* smoothing: hs_smoothing; lazyr: hs_lazyr_form */
    uint32_t k;                    /* the best k of the features that the rule keeps; 0: all */
};

struct lazy {
    enum lazy_rule rule;
    const hsel_dag *dag;  /* over the usable features, others isolated; NULL: not needed */
    hsel_dag *contracted; /* owns `dag` if it is not the data set's own */
    uint64_t *usable;     /* bit set: binary and in the training part's mask; NULL: all */
    bool all_binary;      /* the data set, whether usable or not */
    const hs_names *names;
    uint32_t features;
    double *score;         /* relevance; 0 when not usable; NULL: not needed */
    double *above, *below; /* greatest score of all ancestors, descendants; -INFINITY: none */
    /* HIP, HIP_MR and MR: the blockers of each feature; and the features by their first blocker,
     * the last list being of those without any. */
    hs_sparse blockers, filed;
    uint32_t k, *rank; /* only the k best, by the rank of each usable feature; NULL: all */
    hs_arena memory;   /* of all arrays */
};

static bool can_use(const struct lazy *lazy, uint32_t feature)
{
    return !lazy->usable || hs_bit_get(lazy->usable, feature);
}

static double greater(double a, double b) { return a > b ? a : b; }

/* ---- scratch: marks of older rounds mean nothing, so they are not cleared between instances ----
 */

int hs_lazy_scratch_init(hs_lazy_scratch *scratch, uint32_t features, hsel_error *error)
{
    *scratch = (hs_lazy_scratch){.features = features};
    if (HS_LISTS(NULL, scratch, HS_PART(scratch, mark, features), HS_PART(scratch, count, features),
                 HS_PART(scratch, list, features), HS_PART(scratch, value, features)))
        return HSEL_OK;
    hs_lazy_scratch_clear(scratch);
    return hs_fail_memory(error);
}

void hs_lazy_scratch_clear(hs_lazy_scratch *scratch)
{
    HS_FREE(scratch->mark, scratch->count, scratch->list, scratch->value);
    *scratch = (hs_lazy_scratch){0};
}

uint32_t hs_lazy_scratch_next(hs_lazy_scratch *scratch)
{
    if (scratch->round >= UINT32_MAX - 3) {
        memset(scratch->mark, 0, scratch->features * sizeof *scratch->mark);
        scratch->round = 0;
    }
    return scratch->round += 2;
}

/* ---- usable features, their hierarchy and relevance ---- */

/* The hierarchy contracted to the usable features, under the old numbers; others are isolated. */
static int contract(struct lazy *lazy, const hsel_dag *dag, hsel_error *error)
{
    HS_OWNED uint32_t *number = HS_NEW(uint32_t, dag->nodes);
    HS_NEED(number);
    for (uint32_t f = 0; f < dag->nodes; f++)
        number[f] = can_use(lazy, f) ? f : HSEL_NONE;
    HS_TRY(hs_dag_contract(dag, number, dag->nodes, &lazy->contracted, error));
    lazy->dag = lazy->contracted;
    return HSEL_OK;
}

/* best[v] = max of score and best over the nodes of list(v), visited before v. */
static void gather(const struct lazy *lazy, const uint32_t *start, const uint32_t *list, uint32_t v,
                   double *best)
{
    best[v] = -INFINITY;
    for (uint32_t i = start[v]; i < start[v + 1]; i++)
        best[v] = greater(best[v], greater(lazy->score[list[i]], best[list[i]]));
}

/* ---- blockers ---- */

static int find_blockers(struct lazy *lazy, hsel_error *error)
{
    const uint32_t features = lazy->features;
    const double *score = lazy->score, *above = lazy->above;
    hs_sparse *out = &lazy->blockers;
    HS_OWNED uint32_t *stamp = HS_NEW_ZERO(uint32_t, features), *stack = HS_NEW(uint32_t, features),
                      *key = HS_NEW(uint32_t, features), *member = HS_NEW(uint32_t, features);
    size_t length = 0, room = 0, filed = 0, parents;
    HS_NEED(stamp && stack && key && member);
    HS_TRY(hs_sparse_init(out, features, 0, error));
    for (uint32_t v = 0; v < features; v++) {
        out->start[v] = length;
        if (!can_use(lazy, v) || (lazy->rule == MR && lazy->below[v] > score[v]))
            continue; /* never stays */
        HS_NEED(HS_GROW(&out->index, &room, length + features));
        uint32_t top = 0, count = 0, *blocker = out->index + length;
        for (stack[top++] = v; top > 0;) {
            const uint32_t *parent = hs_parents(lazy->dag, stack[--top], &parents);
            for (size_t i = 0; i < parents; i++) {
                uint32_t u = parent[i];
                if (stamp[u] == v + 1)
                    continue;
                stamp[u] = v + 1;
                if (!score || score[u] >= score[v])
                    blocker[count++] = u;
                else if (above[u] >= score[v])
                    stack[top++] = u;
            }
        }
        key[filed] = count ? blocker[0] : features;
        member[filed++] = v;
        length += count;
    }
    out->start[features] = length;
    return hs_sparse_group(features + 1, key, member, filed, &lazy->filed, error);
}

/* ---- the state ---- */

static void lazy_free(void *state)
{
    struct lazy *lazy = state;
    if (!lazy)
        return;
    hs_dag_free(lazy->contracted);
    hs_sparse_clear(&lazy->blockers);
    hs_sparse_clear(&lazy->filed);
    hs_arena_clear(&lazy->memory);
    hs_free(lazy);
}
HS_RELEASE(lazy_release, struct lazy, lazy_free)

static const double *lazy_scores(const void *state) { return ((const struct lazy *)state)->score; }

/* Notes that a class has less than half of an equal share: LazyR is centred on equal shares. */
static int note_unbalanced(const hs_training *training, hsel_error *error)
{
    const hs_counts *counts = training->counts;
    bool unbalanced = false;
    for (uint32_t c = 0; c < counts->classes; c++)
        unbalanced |= counts->class_size[c] &&
                      2.0 * counts->class_size[c] * counts->classes < counts->instances;
    return hs_notes_count(
        training->progress ? training->progress->notes : NULL, "rpv",
        "selections are trained with a class that has less than half of an equal share, on which "
        "LazyR is centred; use lazyr=centred to centre it on the class shares",
        unbalanced, error);
}

/* `method`: the name of a selector that needs a hierarchy; NULL: needs none. `by` NULL: needs no
 * relevance. */
static int lazy_prepare(const hs_training *training, const char *method, enum lazy_rule rule,
                        const struct options *by, void **state, hsel_error *error)
{
    const hs_view *view = &training->view;
    const hsel_dataset *data = view->data;
    HS_OWNS(lazy_release) struct lazy *lazy = HS_NEW_ZERO(struct lazy, 1);
    *state = NULL;
    HS_NEED(lazy);
    lazy->rule = rule;
    lazy->names = &data->feature_names;
    lazy->features = data->features;
    lazy->all_binary = hs_dataset_all_binary(data);
    if (method && !data->dag)
        return hs_fail(error, HSEL_EUSAGE,
                       "%s needs a hierarchy, but the data set has none; give one with {hierarchy}",
                       method);
    if (view->features || !lazy->all_binary) {
        HS_NEED(HS_LISTS(&lazy->memory, lazy, HS_PART(lazy, usable, hs_bit_words(data->features))));
        for (uint32_t f = 0; f < data->features; f++)
            if (hs_view_has(view, f) && data->types[f] == HSEL_BINARY)
                hs_bit_set(lazy->usable, f);
    }
    if (method) {
        lazy->dag = data->dag;
        if (lazy->usable)
            HS_TRY(contract(lazy, data->dag, error));
    }
    if (by) {
        int measure = rule == RPV ? by->measure : BY_R;
        if (measure == BY_LAZYR && by->lazyr != HS_LAZYR_CENTRED)
            HS_TRY(note_unbalanced(training, error));
        if (!training->counts->classes)
            return hs_fail(error, HSEL_EUSAGE,
                           "relevance needs classes, but the data set has none");
        HS_OWNED double *room = HS_NEW(double, HS_CELLS_ROOM(training->counts->classes));
        HS_NEED(room);
        HS_NEED(lazy->score = hs_arena_zero(&lazy->memory, lazy->features, sizeof(double)));
        for (uint32_t f = 0; f < lazy->features; f++) {
            hs_cells cells = hs_cells_of(training->counts, f, data->positive_class);
            if (can_use(lazy, f))
                lazy->score[f] = measure == BY_IG
                                     ? hs_score_cells(hs_method_ig.measure, &cells, NULL, room)
                                 : measure == BY_R ? hs_score_r(&cells, (hs_smoothing)by->smoothing)
                                                   : hs_score_lazyr(&cells, by->lazyr);
        }
    }
    if (rule >= HIP_MR) {
        const hsel_dag *dag = lazy->dag;
        HS_NEED(HS_LISTS(&lazy->memory, lazy, HS_PART(lazy, above, lazy->features),
                         HS_PART(lazy, below, lazy->features)));
        for (uint32_t i = 0; i < dag->nodes; i++) {
            gather(lazy, dag->parent_start, dag->parent, dag->order[i], lazy->above);
            gather(lazy, dag->child_start, dag->child, dag->order[dag->nodes - 1 - i], lazy->below);
        }
    }
    if (rule == HIP || rule >= HIP_MR)
        HS_TRY(find_blockers(lazy, error));
    if (by && by->k) {
        HS_OWNED uint32_t *order = HS_NEW(uint32_t, lazy->features);
        lazy->k = by->k;
        lazy->rank = HS_ARENA_NEW(&lazy->memory, uint32_t, lazy->features);
        HS_NEED(order && lazy->rank);
        uint32_t count = hs_rank_order(lazy->score, lazy->features, lazy->usable, order);
        for (uint32_t i = 0; i < count; i++)
            lazy->rank[order[i]] = i;
    }
    *state = hs_take(&lazy);
    return HSEL_OK;
}

/* ---- one instance: upwards ---- */

/* Marks the usable positive features with scratch->round. HSEL_EFORMAT names a positive feature
 * with a negative ancestor. Then, of each of them: without relevance scratch->count, the number of
 * its positive children; with it scratch->value, the greatest score among its positive descendants,
 * -INFINITY if it has none. */
static int sweep_up(const struct lazy *lazy, const uint32_t *row, size_t count,
                    hs_lazy_scratch *scratch, hsel_error *error)
{
    uint32_t round = hs_lazy_scratch_next(scratch), *list = scratch->list;
    size_t tail = 0, parents;
    for (size_t i = 0; i < count; i++)
        if (can_use(lazy, row[i])) {
            scratch->mark[row[i]] = round;
            scratch->count[row[i]] = 0;
            scratch->value[row[i]] = -INFINITY;
        }
    for (size_t i = 0; i < count; i++) {
        const uint32_t *parent = hs_parents(lazy->dag, row[i], &parents);
        for (size_t j = 0; j < parents; j++) {
            if (scratch->mark[parent[j]] != round)
                return hs_fail(error, HSEL_EFORMAT,
                               "%s is positive but its ancestor %s is not, which violates the "
                               "true-path rule; {propagate} repairs it",
                               hs_names_get(lazy->names, row[i]),
                               hs_names_get(lazy->names, parent[j]));
            scratch->count[parent[j]]++;
        }
    }
    for (size_t i = 0; lazy->score && i < count; i++)
        if (can_use(lazy, row[i]) && scratch->count[row[i]] == 0)
            list[tail++] = row[i];
    for (size_t head = 0; head < tail; head++) {
        uint32_t v = list[head];
        double best = greater(lazy->score[v], scratch->value[v]);
        const uint32_t *parent = hs_parents(lazy->dag, v, &parents);
        for (size_t j = 0; j < parents; j++) {
            scratch->value[parent[j]] = greater(scratch->value[parent[j]], best);
            if (--scratch->count[parent[j]] == 0)
                list[tail++] = parent[j];
        }
    }
    return HSEL_OK;
}

/* ---- one instance: the negative features ---- */

static void collect_unblocked(const struct lazy *lazy, const uint32_t *row, size_t count,
                              hs_lazy_scratch *scratch, hs_selection *out)
{
    const uint32_t *mark = scratch->mark, round = scratch->round;
    uint32_t kept = 0, more = 0, *to = out->negative, *list = scratch->list;
    size_t length, blockers;
    const uint32_t *filed = hs_sparse_list(&lazy->filed, lazy->features, &length);
    for (size_t i = 0; i < length; i++) {
        to[kept] = filed[i];
        kept += mark[filed[i]] != round;
    }
    for (size_t r = 0; r < count; r++) {
        filed = hs_sparse_list(&lazy->filed, row[r], &length);
        for (size_t i = 0; i < length; i++) {
            const uint32_t *blocker = hs_sparse_list(&lazy->blockers, filed[i], &blockers);
            bool stays = mark[filed[i]] != round;
            for (size_t b = 1; stays && b < blockers; b++)
                stays = mark[blocker[b]] == round;
            if (stays)
                list[more++] = filed[i];
        }
    }
    hs_sort_ascending(list, scratch->count, more);
    out->negative_count = kept + more;
    while (more > 0) { /* both lists ascend: merged from the end */
        uint32_t last = kept + more - 1;
        to[last] = kept > 0 && to[kept - 1] > list[more - 1] ? to[--kept] : list[--more];
    }
}

static int lazy_select_for(const void *state, const uint32_t *row, size_t count,
                           hs_lazy_scratch *scratch, hs_selection *out, hsel_error *error)
{
    const struct lazy *lazy = state;
    const enum lazy_rule rule = lazy->rule;
    uint32_t kept = 0;
    out->positive_count = out->negative_count = 0;
    out->all_negative = rule == ALL_NEGATIVE && lazy->all_binary;
    if (out->all_negative)
        return HSEL_OK;
    if (rule == ALL_NEGATIVE) { /* features that are not binary have no value 0 */
        uint32_t round = hs_lazy_scratch_next(scratch);
        for (size_t i = 0; i < count; i++)
            scratch->mark[row[i]] = round;
        for (uint32_t f = 0; f < lazy->features; f++)
            if (can_use(lazy, f) && scratch->mark[f] != round)
                out->negative[out->negative_count++] = f;
        return HSEL_OK;
    }
    if (rule != ALL_POSITIVE)
        HS_TRY(sweep_up(lazy, row, count, scratch, error));
    for (size_t i = 0; i < count; i++) {
        uint32_t v = row[i];
        if (!can_use(lazy, v))
            continue;
        if (rule == ALL_POSITIVE ? true
            : rule < RPV         ? scratch->count[v] == 0
            : rule == RPV        ? scratch->value[v] <= lazy->score[v]
            : rule == HIP_MR
                ? scratch->value[v] < lazy->score[v]
                : scratch->value[v] < lazy->score[v] && lazy->above[v] <= lazy->score[v])
            out->positive[kept++] = v;
    }
    out->positive_count = kept;
    if (rule == HIP || rule >= HIP_MR)
        collect_unblocked(lazy, row, count, scratch, out);
    if (!lazy->rank || out->positive_count + out->negative_count <= lazy->k)
        return HSEL_OK;
    /* keep the k best: ranks up to the k-th of those kept */
    uint32_t *ranks = scratch->list, selected = 0;
    uint32_t *const list[] = {out->positive, out->negative};
    uint32_t *const length[] = {&out->positive_count, &out->negative_count};
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < *length[side]; i++)
            ranks[selected++] = lazy->rank[list[side][i]];
    hs_sort_ascending(ranks, scratch->count, selected);
    for (int side = 0; side < 2; side++) {
        uint32_t from = *length[side];
        *length[side] = 0;
        for (uint32_t i = 0; i < from; i++)
            if (lazy->rank[list[side][i]] <= ranks[lazy->k - 1])
                list[side][(*length[side])++] = list[side][i];
    }
    return HSEL_OK;
}

/* ---- why ---- */

/* Of the nodes above or below v that have its value in the instance, the one with the highest score
 * (ties, or without scores: the lowest); HSEL_NONE: there are none. Positive features have the mark
 * of the round; visited ones get the second mark. */
static uint32_t strongest(const struct lazy *lazy, uint32_t v, bool positive, bool down,
                          hs_lazy_scratch *s)
{
    const hsel_dag *dag = lazy->dag;
    const uint32_t *start = down ? dag->child_start : dag->parent_start;
    const uint32_t *item = down ? dag->child : dag->parent;
    uint32_t top = 0, best = HSEL_NONE;
    for (s->list[top++] = v; top > 0;) {
        uint32_t u = s->list[--top];
        for (uint32_t i = start[u]; i < start[u + 1]; i++) {
            uint32_t w = item[i];
            if (positive ? s->mark[w] != s->round : s->mark[w] >= s->round)
                continue;
            s->mark[w] = s->round + 1;
            s->list[top++] = w;
            double more = lazy->score && best != HSEL_NONE ? lazy->score[w] - lazy->score[best] : 0;
            if (best == HSEL_NONE || more > 0 || (more == 0 && w < best))
                best = w;
        }
    }
    return best;
}

/* The rivals of a positive v are below it, those of a negative one above it; under MR also the
 * others of its value on its paths, but these must be better. */
static void lazy_why(const void *state, uint32_t v, const uint32_t *row, size_t count,
                     const hs_selection *selection, hs_lazy_scratch *scratch, hs_verdict *out)
{
    const struct lazy *lazy = state;
    const enum lazy_rule rule = lazy->rule;
    const double *score = lazy->score;
    uint32_t round = hs_lazy_scratch_next(scratch);
    for (size_t i = 0; i < count; i++)
        scratch->mark[row[i]] = round;
    const bool positive = scratch->mark[v] == round;
    const bool only_positive = rule == ALL_POSITIVE || rule == HIP_PLUS || rule == RPV;
    *out = hs_verdict_of(v, HS_RULE_NOT_LOOKED_AT);
    if (!can_use(lazy, v))
        return;
    if (rule <= ALL_NEGATIVE || (only_positive && !positive)) {
        bool kept = positive == only_positive;
        *out = hs_verdict_of(v, positive ? kept ? HS_RULE_PRESENT : HS_RULE_PRESENT_DROPPED
                                : kept   ? HS_RULE_ABSENT
                                         : HS_RULE_ABSENT_DROPPED);
        return;
    }
    uint32_t rival = strongest(lazy, v, positive, positive, scratch);
    if (!score) {
        *out = hs_verdict_of(v, rival == HSEL_NONE ? positive ? HS_RULE_LOWEST : HS_RULE_TOPMOST
                                : positive         ? HS_RULE_FOLLOWS_FROM_DESCENDANT
                                                   : HS_RULE_FOLLOWS_FROM_ANCESTOR);
        out->by = rival;
        return;
    }
    bool below = positive;
    if (rival != HSEL_NONE && (rule == RPV ? score[rival] <= score[v] : score[rival] < score[v]))
        rival = HSEL_NONE;
    if (rule == MR) {
        uint32_t other = strongest(lazy, v, positive, !positive, scratch);
        if (other != HSEL_NONE && score[other] > score[v] &&
            (rival == HSEL_NONE || score[other] > score[rival] ||
             (score[other] == score[rival] && other < rival))) {
            rival = other;
            below = !positive;
        }
    }
    bool ties = rival != HSEL_NONE && score[rival] == score[v];
    if (rival == HSEL_NONE && lazy->rank && !hs_selection_has(selection, row, count, v)) {
        *out = hs_verdict_of(v, HS_RULE_NOT_AMONG_BEST);
        const uint32_t *const list[] = {selection->positive, selection->negative};
        const uint32_t length[] = {selection->positive_count, selection->negative_count};
        for (int side = 0; side < 2; side++)
            for (uint32_t i = 0; i < length[side]; i++)
                if (rival == HSEL_NONE || lazy->rank[list[side][i]] > lazy->rank[rival])
                    rival = list[side][i];
    } else {
        *out = hs_verdict_of(v, rival == HSEL_NONE ? HS_RULE_UNBEATEN
                                : below ? ties ? HS_RULE_DESCENDANT_TIES : HS_RULE_DESCENDANT_BEATS
                                : ties  ? HS_RULE_ANCESTOR_TIES
                                        : HS_RULE_ANCESTOR_BEATS);
    }
    out->by = rival;
    out->score = score[v];
    if (rival != HSEL_NONE)
        out->other = score[rival];
}

/* ---- the methods ---- */

/* Defines hs_method_ID: its name, its rule, which says what it needs, its option table, then title,
 * help and citation. */
#define LAZY(id, name_, rule, table, ...)                                                          \
    static int id##_prepare(const hs_training *training, const void *options, void **state,        \
                            hsel_error *error)                                                     \
    {                                                                                              \
        return lazy_prepare(training, (rule) >= HIP_PLUS ? (name_) : NULL, rule,                   \
                            (rule) >= RPV ? options : NULL, state, error);                         \
    }                                                                                              \
    static const hs_selector id##_selector = {.prepare = id##_prepare,                             \
                                              .select_for = lazy_select_for,                       \
                                              .why = lazy_why,                                     \
                                              .scores = (rule) >= RPV ? lazy_scores : NULL,        \
                                              .free = lazy_free};                                  \
    const hs_method hs_method_##id = {.kind = HS_SELECTOR,                                         \
                                      .name = name_,                                               \
                                      .flags = HS_LAZY |                                           \
                                               ((rule) >= HIP_PLUS ? HS_NEEDS_HIERARCHY : 0) |     \
                                               ((rule) >= RPV ? HS_NEEDS_CLASSES : 0),             \
                                      .options = table,                                            \
                                      .options_size = (rule) >= RPV ? sizeof(struct options) : 0,  \
                                      .selector = &id##_selector,                                  \
                                      __VA_ARGS__}

#define SMOOTHING                                                                                  \
    HS_CHOICE(struct options, smoothing, "smoothing", "laplace|rpv|none", "laplace",               \
              "how R smooths class probabilities")

static const hs_option smoothing_table[] = {SMOOTHING, HS_OPTION_END};

/* The selections to compare others with, which use only values: all-pos keeps the positive features
 * of the instance, all-neg the negative ones. da Silva, Plastino, Freitas (2020), baselines of
 * tables 2-10.
 *
 * Negative features are not listed but indicated by all_negative, so the time per instance is
 * O(positive features); memory O(1). Only when some features are not binary, all-neg lists the
 * negative ones, since the others have no value 0: O(features). There are no ties and no relevance,
 * and no hierarchy is needed.
 */
LAZY(all_pos, "all-pos", ALL_POSITIVE, NULL, .title = "all positive features",
     .help = "Lazy: for each instance keeps the features that are positive in it.",
     .citation = "da Silva, Plastino, Freitas (2020), baseline All-Pos");

LAZY(all_neg, "all-neg", ALL_NEGATIVE, NULL, .title = "all negative features",
     .help = "Lazy: for each instance keeps the features that are negative in it.",
     .citation = "da Silva, Plastino, Freitas (2020), baseline All-Neg");

/* HIP, select hierarchical information-preserving features, and its positive half HIP+. A positive
 * feature makes its ancestors redundant, a negative one its descendants: their values follow from
 * it. The kept features determine the values of all others:
 *
 *     a positive feature stays iff none of its children is positive;
 *     a negative feature stays iff all its parents are positive, or it has none.
 *
 * Wan, Freitas, de Magalhaes (2015), HIP, as described by da Silva, Plastino, Freitas (2020): each
 * positive feature removes all its ancestors, each negative one all its descendants. Looking at
 * children and parents alone is the same on data that obey the true-path rule: the child on the way
 * to a positive descendant is its ancestor, hence positive. Other data are refused. HIP+ (Wan,
 * Barton 2024, EL-HIP+) keeps the positive ones of these and no negative ones.
 *
 * Time per instance: O(positive features + edges among them); HIP also O(features selected +
 * children of positive features). Memory O(features + edges). There is no relevance and there are
 * no ties.
 */
LAZY(hip, "hip", HIP, NULL, .title = "hierarchical information preserving",
     .help = "Lazy: for each instance keeps its most specific positive features and its most "
             "general negative ones. All other values follow from these. Ignores relevance.",
     .citation = "Wan, Freitas, de Magalhaes (2015), HIP");

LAZY(hip_plus, "hip-plus", HIP_PLUS, NULL, .title = "positive half of hip",
     .help =
         "Lazy: for each instance keeps its most specific positive features, and no negative ones.",
     .citation = "Wan, Barton (2024), HIP+ of EL-HIP+");

/* RPV, select relevant positive feature values. Keeps the positive features of the instance of
 * which no positive descendant is more relevant: v stays iff x_v = 1 and score(v) >= max over d in
 * desc(v), x_d = 1, of score(d). All negative features are dropped: that a term was not found for
 * an instance tells little.
 *
 * da Silva, Plastino, Freitas (2020), doi 10.1007/s10489-020-01782-5, algorithm 1, which for each
 * positive feature removes every ancestor of lower score; the order of removals does not matter.
 * The score is LazyR(f=1) (equation 2), R or IG of the training part; the authors' program has
 * LazyR only. Their tables of RPV-R use smoothing=rpv.
 *
 * The maximum over descendants is passed on upwards (sweep_up), which equals the algorithm on
 * data that obey the true-path rule; others are refused. Time O(positive features + edges among
 * them) per instance, O(features x classes) to prepare; memory O(features). Ties: the removal is
 * strict, so of equal scores both stay. A most specific positive feature always stays.
 */
static const hs_option rpv_table[] = {
    HS_CHOICE(struct options, measure, "measure", "lazyr|r|ig", "lazyr", "relevance of a feature"),
    SMOOTHING,
    HS_CHOICE(struct options, lazyr, "lazyr", "equation|code|centred", "equation",
              "form of LazyR: over all classes, centred on 1/K; of the positive class against the "
              "rest; or centred on the class shares, for unbalanced classes"),
    HS_OPTION_END};

LAZY(rpv, "rpv", RPV, rpv_table, .title = "relevant positive values",
     .help = "Lazy: for each instance keeps its positive features that are at least as relevant as "
             "every positive feature below them; negative features are dropped. Of equally "
             "relevant features both are kept. measure=lazyr uses only the presence of a feature. "
             "measure=r,smoothing=rpv gives the RPV-R of the paper's tables.",
     .citation = "da Silva, Plastino, Freitas (2020), Applied Intelligence, algorithm 1");

/* MR, select most relevant features: on each path of the hierarchy, of the features with the same
 * value in the instance, only the one with the greatest relevance R stays.
 *
 * Wan, Freitas (2013), MR, as in their program: for a positive v and each path through v the list
 * root..v, for a negative v the list v..leaf; in each list all but one node of greatest R are
 * removed, for good. No path is enumerated here, by this equivalence:
 *
 *     positive v stays iff no ancestor has R > R(v) and no positive descendant has R >= R(v);
 *     negative v stays iff no descendant has R > R(v) and no negative ancestor has R >= R(v).
 *
 * Any ancestor of v shares a list with it, any positive descendant too, and v's lists hold nothing
 * else; v loses in some list iff one of these beats it. (Negative: mirrored.) All ancestors of a
 * positive and all descendants of a negative feature have its value, so the first half of each rule
 * is prepared once. Data that break the true-path rule are refused.
 *
 * Time per instance: O(positive features + edges among them + features selected), nearly, as said
 * above. To prepare: O(features x classes + edges) and the walks to blockers. Memory O(features +
 * blockers). Ties: among positives the more specific stays, among negatives the more general (the
 * program keeps the last of equals in lists ordered root..v and leaf..v). smoothing=rpv is for the
 * RPV paper's tables.
 */
LAZY(mr, "mr", MR, smoothing_table, .title = "most relevant features",
     .help = "Lazy: on every path keeps the feature with the greatest relevance R among those that "
             "have the same value in the instance. Ties go to the more specific positive and the "
             "more general negative feature.",
     .citation = "Wan, Freitas (2013), MR");

/* HIP-MR, select hierarchical information-preserving and most relevant features, and HNB-s, the
 * same rule under its later name: a feature that HIP would remove stays if it is more relevant than
 * those that make it redundant. With R of the training part,
 *
 *     positive v stays iff every positive descendant d has R(d) < R(v);
 *     negative v stays iff every negative ancestor a has R(a) < R(v).
 *
 * Wan, Freitas (2013), HIP-MR: a positive f removes its ancestors a with R(a) <= R(f), a negative f
 * its descendants d with R(d) <= R(f). HNB-s: Wan, Freitas (2015), hierarchical naive Bayes.
 * Whether equals are removed (as here and in the hfs package) could not be confirmed in the papers.
 * The order of removals does not matter. Data that break the true-path rule are refused.
 *
 * Time and memory as mr. Ties: of equal R the more specific positive and the more general negative
 * feature stays.
 */
LAZY(hip_mr, "hip-mr", HIP_MR, smoothing_table, .title = "information preserving and most relevant",
     .help = "Lazy: for each instance drops the ancestors of its positive features and the "
             "descendants of its negative ones, unless they have a greater relevance R.",
     .citation = "Wan, Freitas (2013), HIP-MR");

LAZY(hnb_s, "hnb-s", HIP_MR, smoothing_table, .title = "features of hierarchical naive Bayes",
     .help = "Lazy: the rule of hip-mr, under its name in hierarchical naive Bayes. Keeps all "
             "features that are not redundant to a feature of at least their relevance R.",
     .citation = "Wan, Freitas (2015), HNB-s");

/* HNB and RNB: the k most relevant features, by R of the training part. HNB takes them for each
 * instance among what hnb-s keeps, so they are not redundant to each other; RNB takes the k best of
 * all, ignoring the instance and the hierarchy: the relevance-based naive Bayes that HNB is
 * compared with.
 *
 * Wan, Freitas (2015), hierarchical naive Bayes, as the hfs package describes it. k=0 keeps all.
 *
 * Time per instance: HNB as hnb-s, and O(selected). To prepare: O(features log features) for the
 * ranking. Memory O(features). Ties at the last place: the feature with the lower index stays (hfs:
 * the later one).
 */
static const hs_option k_table[] = {HS_OPTION(struct options, k, "k", "N", "0", 0,
                                              HS_FEATURES_LIMIT,
                                              "number of features to keep; 0 keeps all"),
                                    SMOOTHING, HS_OPTION_END};

LAZY(hnb, "hnb", HIP_MR, k_table, .title = "best features of hierarchical naive Bayes",
     .help = "Lazy: keeps the k features with the greatest relevance R among those that hnb-s "
             "keeps for the instance. Ties go to the lower index. k=0 is the same as hnb-s.",
     .citation = "Wan, Freitas (2015), HNB");

static int rnb_choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const struct options *o = options;
    for (uint32_t i = 0; i < c->count; i++) {
        hs_cells cells = hs_candidate_cells(c, i);
        c->score[i] = hs_score_r(&cells, (hs_smoothing)o->smoothing);
    }
    return hs_candidates_best(c, o->k ? o->k : c->count, keep, error);
}

HS_EAGER_METHOD(rnb, "rnb", HS_NEEDS_CLASSES, k_table, sizeof(struct options), NULL, rnb_choose,
                KEPT, DROPPED, hs_eager_scores, .title = "best features by relevance",
                .help = "Keeps the k features with the greatest relevance R. Ties go to the lower "
                        "index. k=0 keeps all. Ignores the hierarchy.",
                .citation = "Wan, Freitas (2015), RNB");
