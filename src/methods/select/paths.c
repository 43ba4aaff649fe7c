/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Path maxima without paths. The part of a path above a node and the part below it can be chosen
 * independently, so a node is the maximum of some path if the smallest possible maximum above it
 * and the smallest possible maximum below it are not greater than its score: two sweeps of minimax.
 *
 * The iterative form: the representatives that replace a node are path maxima of the
 * sub-hierarchies under its children, that is, maxima of paths that may also start at these
 * children. So there is one growing set of starting points and one minimax over all of them; a node
 * once found to have a representative below it always has one, so the order of replacements does
 * not matter and sweeps until nothing changes reach the least fixpoint.
 *
 * Greedy choices strike out what is above and below a node taken. Striking out is amortised: a node
 * that has been struck out from above has had all its descendants struck out too, so a walk down
 * ends there (and upwards likewise); a round of choices costs O(edges).
 *
 * Means. Is a node's score at or above the mean of a path through it? That is, is the sum over the
 * path of (score(u) - score(v)) at most 0 (SHSEL, Algorithm 2)? Strict asks it of every path, hence
 * of the greatest sum; lenient of one, hence of the least, which is the greatest with all signs
 * changed. The greatest sum of a path with k nodes does not depend on v, so k is the outer loop:
 * for all paths of k nodes from an end of the hierarchy to v, sum(k, v) = score(v) + greatest
 * sum(k-1, next nodes); then best(v) = max over k of sum(k, v) - k score(v), once from the roots
 * and once from the leaves, and the two halves add up. O((nodes + edges) * nodes of the longest
 * path) at most; two rounds are kept, so memory is O(nodes). Nodes that do not count are passed
 * through without adding to sum or k: they are visited within the round, and visiting in
 * topological order makes their sums final when they are read. The tolerance is part of each term:
 * a mean may be greater than the score by HS_PATH_TOLERANCE.
 */
#include "select/paths.h"

#include "rank/rank.h"
#include "select/eager.h"

#define WORK_PER_REPORT   65536 /* nodes of branches */
#define LEAVES_PER_REPORT 64
#define ROUNDS_PER_REPORT 16

/* ---- maxima ---- */

/* The smallest over the nodes w next to v of max(score(w), out(w)); -infinity if there are none. */
static double least_maximum(const uint32_t *start, const uint32_t *item, uint32_t v,
                            const double *score, const double *out)
{
    double least = INFINITY;
    for (uint32_t i = start[v]; i < start[v + 1]; i++) {
        uint32_t w = item[i];
        double along = score[w] > out[w] ? score[w] : out[w];
        least = along < least ? along : least;
    }
    return start[v] < start[v + 1] ? least : -INFINITY;
}

/* For each node the smallest maximum below it over its paths to leaves. */
static void minimax_below(const hsel_dag *dag, const double *score, double *below)
{
    for (uint32_t i = dag->nodes; i-- > 0;)
        below[dag->order[i]] =
            least_maximum(dag->child_start, dag->child, dag->order[i], score, below);
}

int hs_paths_maxima(const hsel_dag *dag, const double *score, hs_path_tie tie, bool *keep,
                    hsel_error *error)
{
    HS_OWNED double *above = HS_NEW(double, dag->nodes), *below = HS_NEW(double, dag->nodes);
    HS_NEED(above && below);
    for (uint32_t i = 0; i < dag->nodes; i++)
        above[dag->order[i]] =
            least_maximum(dag->parent_start, dag->parent, dag->order[i], score, above);
    minimax_below(dag, score, below);
    for (uint32_t v = 0; v < dag->nodes; v++)
        keep[v] = (tie == HS_TIE_ROOT ? above[v] < score[v] : above[v] <= score[v]) &&
                  (tie == HS_TIE_LEAF ? below[v] < score[v] : below[v] <= score[v]);
    return HSEL_OK;
}

int hs_paths_first_local(const hsel_dag *dag, const double *score, bool *keep, hsel_error *error)
{
    HS_OWNED bool *reached = HS_NEW(bool, dag->nodes);
    HS_NEED(reached);
    for (uint32_t i = 0; i < dag->nodes; i++) {
        uint32_t v = dag->order[i];
        size_t parents, children;
        const uint32_t *parent = hs_parents(dag, v, &parents);
        const uint32_t *child = hs_children(dag, v, &children);
        /* A walk reaches v if it starts there, or if it reached a parent with a lower score and
         * went on. */
        reached[v] = parents == 0;
        for (size_t p = 0; p < parents && !reached[v]; p++)
            reached[v] = reached[parent[p]] && score[parent[p]] < score[v];
        bool stops = children == 0;
        for (size_t c = 0; c < children && !stops; c++)
            stops = score[child[c]] <= score[v];
        keep[v] = reached[v] && stops;
    }
    return HSEL_OK;
}

int hs_paths_most_special(const hsel_dag *dag, bool *keep, hsel_error *error)
{
    HS_OWNED bool *below = HS_NEW(bool, dag->nodes);
    HS_NEED(below);
    hs_marked_below(dag, keep, below);
    for (uint32_t v = 0; v < dag->nodes; v++)
        keep[v] = keep[v] && !below[v];
    return HSEL_OK;
}

int hs_paths_iterative(const hsel_dag *dag, const double *score, bool *keep,
                       const hs_progress *progress, hsel_error *error)
{
    /* minimax; above: over paths from any node that is a start */
    HS_OWNED double *below = HS_NEW(double, dag->nodes), *above = HS_NEW(double, dag->nodes);
    HS_OWNED bool *start = HS_NEW_ZERO(bool, dag->nodes), *kept_below = HS_NEW(bool, dag->nodes);
    HS_NEED(below && above && start && kept_below);
    minimax_below(dag, score, below);
    memset(keep, 0, dag->nodes * sizeof *keep);
    bool found = true; /* a representative, in the last sweep downwards */
    for (uint32_t round = 0; found; round++) {
        hs_marked_below(dag, keep, kept_below);
        found = false;
        for (uint32_t i = 0; i < dag->nodes; i++) {
            uint32_t v = dag->order[i];
            above[v] = start[v] ? -INFINITY
                                : least_maximum(dag->parent_start, dag->parent, v, score, above);
            if (!keep[v] && above[v] < score[v] && below[v] <= score[v])
                keep[v] = found = true;
            for (uint32_t c = dag->child_start[v];
                 keep[v] && kept_below[v] && c < dag->child_start[v + 1]; c++)
                start[dag->child[c]] = true;
        }
        HS_TRY(hs_progress_report(progress, round, (uint64_t)dag->nodes + 1, "rounds", error));
    }
    for (uint32_t v = 0; v < dag->nodes; v++)
        keep[v] = keep[v] && !kept_below[v];
    return HSEL_OK;
}

/* ---- greedy ---- */

/* Marks of one round: mark[v] == round. */
struct strike {
    const hsel_dag *dag;
    hs_arena memory;
    uint32_t *above, *below, *stack, round;
    uint32_t *list; /* scratch, and a branch */
};

static void strike_clear(struct strike *s) { hs_arena_clear(&s->memory); }

static int strike_init(struct strike *s, const hsel_dag *dag, bool *keep, hsel_error *error)
{
    s->dag = dag;
    HS_NEED(HS_LISTS(&s->memory, s, HS_PART(s, above, dag->nodes), HS_PART(s, below, dag->nodes),
                     HS_PART(s, list, dag->nodes), HS_PART(s, stack, dag->nodes)));
    memset(keep, 0, dag->nodes * sizeof *keep);
    return HSEL_OK;
}

static bool is_struck(const struct strike *s, uint32_t v)
{
    return s->above[v] == s->round || s->below[v] == s->round;
}

/* Marks v and what is reached from it over the lists given. */
static void mark_from(struct strike *s, uint32_t v, const uint32_t *start, const uint32_t *item,
                      uint32_t *mark)
{
    uint32_t top = 0;
    mark[v] = s->round;
    s->stack[top++] = v;
    while (top > 0) {
        uint32_t u = s->stack[--top];
        for (uint32_t e = start[u]; e < start[u + 1]; e++)
            if (mark[item[e]] != s->round) {
                mark[item[e]] = s->round;
                s->stack[top++] = item[e];
            }
    }
}

static void take_node(struct strike *s, uint32_t v, bool *keep)
{
    keep[v] = true;
    mark_from(s, v, s->dag->parent_start, s->dag->parent, s->above);
    mark_from(s, v, s->dag->child_start, s->dag->child, s->below);
}

int hs_paths_antichain(const hsel_dag *dag, const double *score, bool *keep,
                       const hs_progress *progress, hsel_error *error)
{
    HS_OWNS(strike_clear) struct strike s = {0};
    HS_OWNS(hs_reach_clear) hs_reach reach = {0};
    uint64_t work = 0;
    HS_TRY(strike_init(&s, dag, keep, error));
    HS_TRY(hs_reach_init(&reach, dag, error));
    reach.down = true;
    for (uint32_t root = 0; root < dag->nodes; root++) {
        if (!hs_is_root(dag, root))
            continue;
        uint32_t count = 0; /* of the branch of the root */
        s.round++;
        hs_reach_start(&reach, root);
        for (uint32_t v = root; v != HSEL_NONE; v = hs_reach_next(&reach))
            s.list[count++] = v;
        if ((work += count) >= WORK_PER_REPORT) {
            HS_TRY(hs_progress_report(progress, root, dag->nodes, "nodes", error));
            work = 0;
        }
        hs_order(score, HS_DOWNWARDS, s.list, count);
        for (uint32_t i = 0; i < count; i++)
            if (!is_struck(&s, s.list[i]))
                take_node(&s, s.list[i], keep);
    }
    return HSEL_OK;
}

/* Nodes from a root to each node on its shortest path, and the next node up on it (lowest of equal
 * ones; HSEL_NONE at roots). */
static void find_shortest(const hsel_dag *dag, uint32_t *distance, uint32_t *via)
{
    for (uint32_t i = 0; i < dag->nodes; i++) {
        uint32_t v = dag->order[i];
        size_t count;
        const uint32_t *parents = hs_parents(dag, v, &count);
        via[v] = HSEL_NONE;
        for (size_t p = 0; p < count; p++)
            if (via[v] == HSEL_NONE || distance[parents[p]] < distance[via[v]])
                via[v] = parents[p];
        distance[v] = via[v] == HSEL_NONE ? 0 : distance[via[v]] + 1;
    }
}

int hs_paths_shortest(const hsel_dag *dag, const double *score, bool *keep,
                      const hs_progress *progress, hsel_error *error)
{
    HS_OWNS(strike_clear) struct strike s = {.round = 1};
    HS_OWNED uint32_t *distance = HS_NEW(uint32_t, dag->nodes); /* from a root */
    HS_NEED(distance);
    HS_TRY(strike_init(&s, dag, keep, error));
    uint32_t *via = s.list;
    find_shortest(dag, distance, via);
    for (uint32_t leaf = 0; leaf < dag->nodes; leaf++) {
        uint32_t best = HSEL_NONE; /* on the way up and not struck out; of equals the uppermost */
        for (uint32_t v = hs_is_leaf(dag, leaf) ? leaf : HSEL_NONE; v != HSEL_NONE; v = via[v])
            if (!is_struck(&s, v) && (best == HSEL_NONE || score[v] >= score[best]))
                best = v;
        if (best != HSEL_NONE)
            take_node(&s, best, keep);
        if (leaf % LEAVES_PER_REPORT == 0)
            HS_TRY(hs_progress_report(progress, leaf, dag->nodes, "nodes", error));
    }
    return HSEL_OK;
}

/* ---- means ---- */

struct walk {
    const double *score; /* with its sign */
    const double *level; /* what a node's score counts as in its own mean */
    const bool *counted; /* NULL: every node */
    double *now, *next;  /* [nodes]: greatest sums of the paths of k and k + 1 nodes that reach each
                            node; -infinity: none does */
};

static bool counts(const struct walk *walk, uint32_t v)
{
    return !walk->counted || walk->counted[v];
}

/* Extends a path that has reached v with this sum, or begins one there. */
static void extend_path(const struct walk *walk, uint32_t v, double sum)
{
    double *to = (counts(walk, v) ? walk->next : walk->now) + v;
    sum += counts(walk, v) ? walk->score[v] : 0;
    *to = sum > *to ? sum : *to;
}

static int run_walk(struct walk walk, const hsel_dag *dag, bool down, double *best,
                    const hs_progress *progress, hsel_error *error)
{
    const uint32_t *start = down ? dag->child_start : dag->parent_start;
    const uint32_t *item = down ? dag->child : dag->parent;
    uint32_t longest = 0;
    for (uint32_t v = 0; v < dag->nodes; v++) {
        longest = dag->depth[v] >= longest ? dag->depth[v] + 1 : longest;
        walk.now[v] = walk.next[v] = best[v] = -INFINITY;
    }
    for (uint32_t v = 0; v < dag->nodes; v++)
        if (down ? hs_is_root(dag, v) : hs_is_leaf(dag, v))
            extend_path(&walk, v, 0);
    for (uint32_t k = 0; k <= longest; k++) { /* paths of k counted nodes */
        if (k % ROUNDS_PER_REPORT == 0)
            HS_TRY(hs_progress_report(progress, (uint64_t)k + (down ? 0 : longest),
                                      2 * (uint64_t)longest + 1, "nodes of paths", error));
        for (uint32_t i = 0; i < dag->nodes; i++) {
            const uint32_t v = dag->order[down ? i : dag->nodes - 1 - i];
            const double sum = walk.now[v], above = sum - k * walk.level[v];
            if (sum == -INFINITY)
                continue;
            walk.now[v] = -INFINITY;
            best[v] = counts(&walk, v) && above > best[v] ? above : best[v];
            for (uint32_t e = start[v]; e < start[v + 1]; e++)
                extend_path(&walk, item[e], sum);
        }
        double *done = walk.now;
        walk.now = walk.next;
        walk.next = done;
    }
    return HSEL_OK;
}

/* Drops counted nodes by the means of paths of this DAG over counted nodes. `keep` may be the same
 * array as `counted`. */
static int prune_counted(const hsel_dag *dag, const double *score, const bool *counted, bool strict,
                         bool *keep, const hs_progress *progress, hsel_error *error)
{
    const uint32_t nodes = dag->nodes;
    const double sign = strict ? 1 : -1;
    HS_OWNED double *value = HS_NEW(double, 6 * (size_t)nodes);
    HS_NEED(value);
    double *level = value + nodes, *above = level + nodes, *below = above + nodes,
           *now = below + nodes;
    const struct walk walk = {value, level, counted, now, now + nodes};
    for (uint32_t v = 0; v < nodes; v++) {
        value[v] = sign * score[v];
        level[v] = sign * (score[v] + HS_PATH_TOLERANCE);
    }
    HS_TRY(run_walk(walk, dag, true, above, progress, error));
    HS_TRY(run_walk(walk, dag, false, below, progress, error));
    for (uint32_t v = 0; v < nodes; v++) /* v itself is in both halves */
        keep[v] = keep[v] && sign * (above[v] + below[v] - (value[v] - level[v])) <= 0;
    return HSEL_OK;
}

int hs_paths_prune(const hsel_dag *dag, const double *score, hs_mean_over over, bool strict,
                   bool *keep, const hs_progress *progress, hsel_error *error)
{
    if (over != HS_MEAN_CONTRACTED)
        return prune_counted(dag, score, over == HS_MEAN_ALL ? NULL : keep, strict, keep, progress,
                             error);
    HS_OWNS(hs_dag_release) hsel_dag *part = NULL;
    HS_OWNED double *part_score = HS_NEW(double, dag->nodes);
    HS_OWNED bool *part_keep = HS_NEW(bool, dag->nodes);
    uint32_t at = 0;
    HS_NEED(part_score && part_keep);
    HS_TRY(hs_dag_subset(dag, keep, &part, error));
    for (uint32_t v = 0; v < dag->nodes; v++)
        if (keep[v])
            part_score[at++] = score[v];
    memset(part_keep, true, part->nodes * sizeof *part_keep);
    HS_TRY(prune_counted(part, part_score, NULL, strict, part_keep, progress, error));
    at = 0;
    for (uint32_t v = 0; v < dag->nodes; v++)
        keep[v] = keep[v] && part_keep[at++];
    return HSEL_OK;
}

int hs_paths_hfe(const hsel_dag *dag, const double *score, bool strict, bool *keep,
                 const hs_progress *progress, hsel_error *error)
{
    HS_OWNED uint32_t *shortest = HS_NEW(uint32_t, 2 * (size_t)dag->nodes); /* path to each node */
    double sum = 0;
    uint32_t kept = 0, longest = 0;
    HS_NEED(shortest);
    HS_TRY(hs_paths_prune(dag, score, HS_MEAN_KEPT, strict, keep, progress, error));
    find_shortest(dag, shortest, shortest + dag->nodes);
    for (uint32_t v = 0; v < dag->nodes; v++) {
        longest = dag->depth[v] > longest ? dag->depth[v] : longest;
        keep[v] = keep[v] && score[v] > HS_PATH_TOLERANCE;
        sum += keep[v] ? score[v] : 0;
        kept += keep[v];
    }
    for (uint32_t v = 0; v < dag->nodes; v++)
        if (hs_is_leaf(dag, v) && shortest[v] < longest &&
            score[v] < sum / kept - HS_PATH_TOLERANCE)
            keep[v] = false;
    return HSEL_OK;
}

/* ---- parents ---- */

void hs_paths_unlike_parents(const hsel_dag *dag, const double *score, double threshold, bool *keep)
{
    /* The hierarchy does not change meanwhile, so no order matters; that is the same as going
     * upwards from the leaves and updating the hierarchy at once. */
    for (uint32_t v = 0; v < dag->nodes; v++) {
        size_t count, p = 0;
        const uint32_t *parents = hs_parents(dag, v, &count);
        while (p < count && !(1 - fabs(score[parents[p]] - score[v]) >= threshold))
            p++;
        keep[v] = p == count;
    }
}

/* ---- the selectors ---- */

typedef struct settings {
    hs_scoring by;
    int reading, ties, similarity, prune, mean, paths; /* ties: hs_path_tie */
    uint32_t chi2_top;
    double threshold;
} settings;

extern const hs_method hs_method_ig, hs_method_gr, hs_method_lift, hs_method_chi2;

enum { BY_GAIN, BY_PEARSON, BY_SPEARMAN }; /* similarity of shsel */
enum { STRICT, LENIENT, NO_PRUNING };
enum { ITERATIVE, PATH_MAX, PATH_MAX_FILTER, FIRST_LOCAL }; /* readings of tsel … */
enum { PATH, ANTICHAIN, SHORTEST };                         /* … and of gtd */

#define ON_NUMBERS                                                                                 \
    " With a numeric target, relevance is the share of its variance that the feature "             \
    "explains: by the two means (binary), by the squared linear correlation (numeric) "            \
    "or, with cuts=quantiles, by the means of the intervals."

/* Options that are about classes. */
static int refuse_for_numbers(const hs_candidates *c, bool given, const char *what,
                              hsel_error *error)
{
    return given && c->training->view.data->target
               ? hs_fail(error, HSEL_EUSAGE, "%s is for classes, but the target of %s is a number",
                         what, hsel_dataset_name(c->training->view.data))
               : HSEL_OK;
}

/* SHSEL: features similar to their parents are dropped, then those less relevant than the mean of
 * their paths. Ristoski, Paulheim (2014), Algorithms 1 (initial) and 2 (prune).
 *
 *   initial  v goes if similarity(v, p) >= threshold for some parent p; similarity = 1 - |IG(v) -
 *            IG(p)| in bits, or the correlation of the two features.
 *   prune    v goes if IG(v) < mean IG of a path through it: of any path (strict, the pseudo-code;
 *            what the RPV study ran), or of every path (lenient, the text).
 *
 * Where the paper is open: the hierarchy does not change during the initial phase, roots always
 * survive it, the comparison is >=. mean=all takes means over whole paths, so that the two phases
 * are independent; mean=survivors over what the first one left, on the original paths or on those
 * of the contracted hierarchy. With a constant feature the correlation counts as 1. Scores equal
 * within 1e-12 are equal, so no tie is broken. Time O(edges + positive values * parents if by
 * correlation) + O(edges * nodes of the longest path), memory O(features + instances).
 */
static const hs_option shsel_table[] = {
    HS_CHOICE(settings, similarity, "similarity", "ig|correlation|spearman", "ig",
              "similarity of a feature to its parent: by information gain, or by correlation "
              "(Pearson's, or Spearman's of ranks)"),
    HS_OPTION(settings, threshold, "threshold", "T", "0.99", -1, 1,
              "features at least this similar to a parent are dropped"),
    HS_CHOICE(settings, prune, "prune", "strict|lenient|none", "strict",
              "second phase: drop features below the mean of any path, of every path, or none"),
    HS_CHOICE(settings, mean, "mean", "all|survivors", "all",
              "compute means over all features of a path, or over those left by the first phase"),
    HS_CHOICE(settings, paths, "paths", "original|contracted", "original",
              "with mean=survivors: paths of the original hierarchy, or of the hierarchy without "
              "dropped features"),
    HS_CUT_OPTIONS(settings, by.cuts),
    HS_OPTION_END};

static const hs_method *const by_gain[] = {&hs_method_ig}; /* of shsel and hfe */

static int shsel_choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const settings *o = options;
    hs_mean_over over = !o->mean ? HS_MEAN_ALL : !o->paths ? HS_MEAN_KEPT : HS_MEAN_CONTRACTED;
    if (o->similarity != BY_GAIN)
        HS_TRY(hs_candidates_uncorrelated(
            c, o->threshold, o->similarity == BY_SPEARMAN ? HS_SPEARMAN : HS_PEARSON, keep, error));
    else
        hs_paths_unlike_parents(c->dag, c->score, o->threshold, keep);
    for (uint32_t v = 0; c->verdict && !o->similarity && v < c->count; v++) {
        uint32_t nearest = HSEL_NONE;
        size_t parents;
        const uint32_t *parent = hs_parents(c->dag, v, &parents);
        for (size_t i = 0; i < parents && !keep[v]; i++)
            if (nearest == HSEL_NONE ||
                fabs(c->score[parent[i]] - c->score[v]) < fabs(c->score[nearest] - c->score[v]))
                nearest = parent[i];
        if (nearest != HSEL_NONE)
            hs_candidates_say(c, v, HS_RULE_LIKE_PARENT, nearest, (double)NAN);
    }
    if (o->prune != NO_PRUNING)
        HS_TRY(hs_paths_prune(c->dag, c->score, over, o->prune == STRICT, keep,
                              c->training->progress, error));
    hs_candidates_rule(c, keep,
                       o->prune == STRICT ? HS_RULE_BELOW_A_MEAN : HS_RULE_BELOW_EVERY_MEAN);
    return HSEL_OK;
}

HS_EAGER_METHOD(
    shsel, "shsel", HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_NUMERIC_TARGET,
    shsel_table, sizeof(settings), by_gain, shsel_choose, STANDS_OUT, DROPPED, hs_eager_scores,
    .title = "SHSEL: unlike their parents, above the means of their paths",
    .help = "Drops features that are as relevant as one of their parents, or correlated with it "
            "(first phase, initialSHSEL), then those whose information gain is below the mean of a "
            "path from a root to a leaf through them (second phase, pruneSHSEL). With prune=none "
            "only the first phase runs. The paper's pseudo-code drops features that are low on any "
            "path (strict); its text keeps features that are not low on at least one path "
            "(lenient). Means are over whole paths as in the study of da Silva, Plastino and "
            "Freitas (2020), or over the features left by the first phase. Numeric features are "
            "cut into intervals for information gain." ON_NUMBERS,
    .citation = "Ristoski, Paulheim: Feature selection in hierarchical feature spaces, Discovery "
                "Science 2014, Algorithms 1 and 2");

/* TSEL: one representative for each path, the feature with the greatest lift (or information gain).
 * Jeong, Myaeng (2013), as Ristoski, Paulheim (2014) describe it; existing programs interpret it
 * differently:
 *
 *   iterative        the maximum of each path; while a representative has another below it, it is
 *                    replaced by the maxima of the paths from its children (kgextension);
 *   path-max         the maximum of each path, nothing else: nearest to the RPV study;
 *   path-max-filter  the same without those that have a representative below them;
 *   first-local      on each path the first feature that is not less than the next one, then the
 *                    same filter (hfs).
 *
 * Ties on a path fall to the feature nearest the root. chi2-top then keeps the best of what is left
 * by chi2, ties to the lower index; the paper gives no number, so the default keeps all. Lift is
 * that of the positive class, with more than two classes the greatest.
 * Time O(edges), iterative O(edges) per round; memory O(features).
 */
static const hs_option tsel_table[] = {
    HS_CHOICE(settings, reading, "reading", "iterative|path-max|path-max-filter|first-local",
              "iterative", "interpretation of the method"),
    HS_CHOICE(settings, by.measure, "score", "lift|ig", "lift", "relevance of a feature"),
    HS_OPTION(settings, chi2_top, "chi2-top", "N", "0", 0, HS_FEATURES_LIMIT,
              "keep the N best of the representatives by chi2; 0 keeps all"),
    HS_CUT_OPTIONS(settings, by.cuts), HS_OPTION_END};

static const hs_method *const tsel_measures[] = {&hs_method_lift, &hs_method_ig};

static int tsel_choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const settings *o = options;
    HS_TRY(refuse_for_numbers(c, o->by.measure, "score of tsel", error));
    HS_TRY(refuse_for_numbers(c, o->chi2_top, "chi2-top of tsel", error));
    if (o->reading == ITERATIVE)
        HS_TRY(hs_paths_iterative(c->dag, c->score, keep, c->training->progress, error));
    else if (o->reading == FIRST_LOCAL)
        HS_TRY(hs_paths_first_local(c->dag, c->score, keep, error));
    else
        HS_TRY(hs_paths_maxima(c->dag, c->score, HS_TIE_ROOT, keep, error));
    if (o->reading == PATH_MAX_FILTER || o->reading == FIRST_LOCAL)
        HS_TRY(hs_paths_most_special(c->dag, keep, error));
    HS_TRY(hs_candidates_beaten(c, keep, true, error));
    hs_candidates_rule(c, keep, HS_RULE_NOT_CHOSEN);
    if (o->chi2_top == 0)
        return HSEL_OK;
    /* of what is kept, the best by chi2 */
    HS_OWNED double *chi2 = HS_NEW(double, c->training->view.data->features);
    HS_OWNED uint64_t *mask = HS_NEW_ZERO(uint64_t, hs_bit_words(c->count));
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, c->count);
    HS_NEED(chi2 && mask && order);
    HS_TRY(hs_measure_features(c->training, &hs_method_chi2, &o->by.cuts, chi2, error));
    for (uint32_t i = 0; i < c->count; i++) {
        chi2[i] = chi2[c->feature[i]]; /* none is before its own */
        if (keep[i])
            hs_bit_set(mask, i);
    }
    uint32_t count = hs_rank_order(chi2, c->count, mask, order);
    for (uint32_t i = o->chi2_top; i < count; i++)
        keep[order[i]] = false;
    return HSEL_OK;
}

HS_EAGER_METHOD(
    tsel, "tsel", HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_NUMERIC_TARGET,
    tsel_table, sizeof(settings), tsel_measures, tsel_choose, UNBEATEN, LOW_CHI2, hs_eager_scores,
    .title = "TSEL: a representative for each path",
    .help = "On each path from a root to a leaf, selects the feature with the greatest lift, the "
            "one nearest the root if several are equal. The interpretations differ when one "
            "representative is below another: iterative replaces the upper one by the "
            "representatives of the paths that start at its children, path-max keeps it, "
            "path-max-filter drops it; first-local selects the first feature of a path that is not "
            "less than the next one, and drops like path-max-filter. The study of da Silva, "
            "Plastino and Freitas (2020) agrees best with path-max. The lift of a numeric feature "
            "is the greatest lift of any of its intervals above the lowest one." ON_NUMBERS,
    .citation = "Jeong, Myaeng: Feature selection using a semantic hierarchy for event recognition "
                "and type classification, IJCNLP 2013; readings after Ristoski, Paulheim (2014), "
                "kgextension and hfs");

/* GTD, greedy top-down: the best feature by gain ratio, and nothing above or below it. Lu et al.
 * (2013), for trees; on a DAG it is read differently:
 *
 *   path       the maximum of each path from a root to a leaf (the texts of Ristoski, Paulheim 2014
 *              and of the RPV study); may keep a feature and one below it, by different paths;
 *   antichain  for each root and what is below it: the best feature is taken, its ancestors and
 *              descendants there go, and so on; united over the roots (hfs);
 *   shortest   leaf after leaf, in order of index, on one shortest path to it: the best feature
 * that is still there is taken, and its ancestors and descendants go for good (kgextension).
 *
 * Ties: path by the option ties; antichain to the lower index; shortest to the root, of paths of
 * equal length that which at each step upwards has the parent nearest to a root, then of lower
 * index. kgextension takes any of these paths, and takes nothing from a path whose features all
 * score 0 unless there is but one.
 * Time O(edges); antichain O(edges + features log features) per root; shortest O(edges + leaves *
 * depth). Memory O(features).
 */
static const hs_option gtd_table[] = {
    HS_CHOICE(settings, reading, "reading", "path|antichain|shortest", "path",
              "interpretation of the method"),
    HS_CHOICE(settings, ties, "ties", "root|leaf|both", "root",
              "with reading=path: which of several equal maxima of a path to keep"),
    HS_CHOICE(settings, by.measure, "score", "gr|ig", "gr",
              "relevance of a feature: gain ratio or information gain"),
    HS_CUT_OPTIONS(settings, by.cuts), HS_OPTION_END};

static const hs_method *const gtd_measures[] = {&hs_method_gr, &hs_method_ig};

static int gtd_choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const settings *o = options;
    HS_TRY(refuse_for_numbers(c, o->by.measure, "score of gtd", error));
    if (o->reading == ANTICHAIN)
        HS_TRY(hs_paths_antichain(c->dag, c->score, keep, c->training->progress, error));
    else if (o->reading == SHORTEST)
        HS_TRY(hs_paths_shortest(c->dag, c->score, keep, c->training->progress, error));
    else
        HS_TRY(hs_paths_maxima(c->dag, c->score, (hs_path_tie)o->ties, keep, error));
    return hs_candidates_beaten(c, keep, true, error);
}

HS_EAGER_METHOD(
    gtd, "gtd", HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_NUMERIC_TARGET,
    gtd_table, sizeof(settings), gtd_measures, gtd_choose, UNBEATEN, NOT_CHOSEN, hs_eager_scores,
    .title = "GTD: greedy top-down by gain ratio",
    .help =
        "Selects features by gain ratio and drops those above and below them. reading=path selects "
        "the maximum of each path from a root to a leaf; antichain goes through the features below "
        "each root, best first, so that no feature kept for a root is above another; shortest uses "
        "one shortest path for each leaf, so its result depends on the order of the features. No "
        "interpretation reproduces the percentages that da Silva, Plastino and Freitas (2020) "
        "report for GTD. Numeric features are cut into intervals." ON_NUMBERS,
    .citation = "Lu, Ye, Tsui, Su, Rexit, Wesaratchakit, Liu, Hwa: Domain ontology-based feature "
                "reduction for high dimensional drug data and its application to 30-day heart "
                "failure readmission prediction, CollaborateCom 2013; readings after Ristoski, "
                "Paulheim (2014), hfs and kgextension");

/* HFE, hierarchical feature engineering: SHSEL by correlation, and a filter of leaves. Oudah,
 * Henschel (2018), made for abundances of taxa, where the value of a node is its own plus the sum
 * over its descendants. Data sets of abundances hold these sums, and of binary features that keep
 * the true-path rule a feature is positive if it or anything below it is. So:
 *
 *   1  v goes if its correlation with some parent is >= threshold (with a constant feature it
 *      counts as 1);
 *   2  v goes if IG(v) < mean IG of a path through it, taken over what phase 1 left of the path: of
 *      any path (strict) or of every path (lenient); and if IG(v) = 0;
 *   3  a leaf of the hierarchy that is left goes if it ends a path shorter than the longest path of
 *      the hierarchy and IG(v) < mean IG of all that is left.
 *
 * The paper is about trees; on a DAG the mean of phase 3 counts each feature once, not once per
 * path as hfs does. Scores equal within 1e-12 are equal, so no tie is broken. Time O(positive
 * values * parents + edges * nodes of the longest path), memory O(features + instances).
 */
static const hs_option hfe_table[] = {
    HS_OPTION(settings, threshold, "threshold", "T", "0.7", -1, 1,
              "features with at least this correlation to a parent are dropped"),
    HS_CHOICE(settings, prune, "prune", "strict|lenient", "strict",
              "second phase: drop features below the mean of any path, or of every path"),
    HS_CHOICE(settings, similarity, "correlation", "pearson|spearman", "pearson",
              "correlation of values or of their ranks; the same for binary features"),
    HS_CUT_OPTIONS(settings, by.cuts), HS_OPTION_END};

static int hfe_choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const settings *o = options;
    const bool strict = o->prune == STRICT;
    HS_TRY(hs_candidates_uncorrelated(c, o->threshold, (hs_correlation_kind)o->similarity, keep,
                                      error));
    if (c->verdict) { /* only the second phase, to distinguish it from the third */
        HS_OWNED bool *pruned = hs_copy(keep, c->count, sizeof *keep);
        HS_NEED(pruned);
        HS_TRY(hs_paths_prune(c->dag, c->score, HS_MEAN_KEPT, strict, pruned, NULL, error));
        hs_candidates_rule(c, pruned, strict ? HS_RULE_BELOW_A_MEAN : HS_RULE_BELOW_EVERY_MEAN);
    }
    HS_TRY(hs_paths_hfe(c->dag, c->score, strict, keep, c->training->progress, error));
    for (uint32_t v = 0; c->verdict && v < c->count; v++)
        if (!keep[v] && c->verdict[v].rule == HS_RULE_KEPT)
            c->verdict[v] = hs_verdict_of(v, c->score[v] > HS_PATH_TOLERANCE ? HS_RULE_WEAK_LEAF
                                                                             : HS_RULE_NO_SCORE);
    return HSEL_OK;
}

HS_EAGER_METHOD(
    hfe, "hfe", HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_NUMERIC_TARGET,
    hfe_table, sizeof(settings), by_gain, hfe_choose, STANDS_OUT, DROPPED, hs_eager_scores,
    .title = "HFE: SHSEL by correlation, without weak leaves",
    .help =
        "Drops features that are correlated with a parent, then features whose information gain is "
        "0 or below the mean of the remaining features of a path through them, then leaves whose "
        "path is shorter than the longest and whose information gain is below the mean of all "
        "remaining features. Designed for abundances, where a feature is the sum of the features "
        "below it; likewise, a binary feature under the true-path rule is positive if any feature "
        "below it is. Numeric features are cut into intervals for information gain." ON_NUMBERS,
    .citation = "Oudah, Henschel: Taxonomy-aware feature engineering for microbiome "
                "classification, BMC Bioinformatics 19:227, 2018; details after hfs");
