/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hill climbing over sets of nodes of the hierarchy. k, beta and similarity are for going up, alpha
 * for going down.
 *
 * bottom-up (Wang et al. 2003): from the leaves. Move: for a member l and a parent p, add p and
 * take out the children of p. The first member in order that is not done moves by its best parent
 * if that is better, else it is done; the end is when all are. f(S) = (1 + beta (L - |S|) / L) sum
 * over i of its k nearest neighbours that have its class L leaves at the start; nearest by cosine
 * (0 for an empty vector) or Euclidean distance on S; ties to the earlier training row. Equal
 * moves: lowest parent.
 *
 * top-down (Wang et al. 2002): from the roots. Move: a member gives way to its children; the best
 * move of all, if it is better. Equal moves: lowest member.
 *     f(S) = sum over i of sum of d(i,j), j of another class / (1 + alpha sum of d(i,j), same
 * class) d Euclidean. Better means by more than 1e-9 of f, which is above rounding.
 *
 * The papers describe trees; on a DAG only direct children leave or come. The search starts from
 * f(start), where hfs starts from 0 and so always takes the first step.
 *
 * A move changes the vectors of the c rows in which a node of it is positive, so only distances
 * from these are looked at, and a row's k nearest are found anew only if the change may have let
 * another one in: O((c + r) n |S| / 64) a move with r such rows; at the worst, and for the start,
 * n^2 |S| / 64. Memory n d / 64 words, n k neighbours and the positive values.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/progress.h"
#include "select/projection.h"

#define ABOVE_ROUNDING 1e-9
#define ROWS_A_REPORT  16

enum { BOTTOM_UP, TOP_DOWN };
enum { COSINE, EUCLIDEAN };

struct options {
    int direction, similarity;
    uint32_t k;
    double beta, alpha;
};

static const hs_option table[] = {
    HS_CHOICE(struct options, direction, "direction", "bottom-up|top-down", "bottom-up",
              "from the leaves to parents, or from the roots to children"),
    HS_OPTION(struct options, k, "k", "N", "5", 1, 10000, "neighbours that are counted; bottom-up"),
    HS_OPTION(struct options, beta, "beta", "B", "0.01", 0, 1000,
              "how much a smaller set is preferred; bottom-up"),
    HS_OPTION(struct options, alpha, "alpha", "A", "0.99", 0, 1000,
              "how much distances within a class count; top-down"),
    HS_CHOICE(struct options, similarity, "similarity", "cosine|euclidean", "cosine",
              "how neighbours are found; bottom-up"),
    HS_OPTION_END};

struct neighbour {
    double key; /* the greater, the nearer */
    uint32_t row;
};

struct climb {
    const hs_progress *progress;
    const hsel_dag *dag;
    const struct options *options;
    hs_projection on;
    uint32_t *move, moved; /* nodes that change sides */
    double fitness;
    /* bottom-up */
    uint32_t leaves, k;
    struct neighbour *near, *trial; /* [rows * k]: nearest first; trial: after the move */
    bool *done;                     /* [nodes] */
    /* top-down */
    double *root;                     /* [nodes + 1]: square roots */
    double *other, *same;             /* [rows]: sums of distances */
    double *trial_other, *trial_same; /* after the move */
};

static void climb_clear(struct climb *c)
{
    hs_projection_clear(&c->on);
    hs_free(c->move);
    hs_free(c->near);
    hs_free(c->trial);
    hs_free(c->done);
    hs_free(c->root);
    hs_free(c->other);
    hs_free(c->same);
    hs_free(c->trial_other);
    hs_free(c->trial_same);
}

static void apply(struct climb *c)
{
    for (uint32_t i = 0; i < c->moved; i++)
        hs_projection_toggle(&c->on, c->move[i]);
}

static void undo(struct climb *c)
{
    for (uint32_t i = c->moved; i > 0; i--)
        hs_projection_toggle(&c->on, c->move[i - 1]);
}

/* The move that makes `node` a member (or none) and its children the opposite. */
static void plan(struct climb *c, uint32_t node, bool joins)
{
    size_t count;
    const uint32_t *children = hs_children(c->dag, node, &count);
    c->moved = 0;
    if (hs_projection_has(&c->on, node) != joins)
        c->move[c->moved++] = node;
    for (size_t i = 0; i < count; i++)
        if (hs_projection_has(&c->on, children[i]) == joins)
            c->move[c->moved++] = children[i];
    hs_projection_note(&c->on, c->move, c->moved);
}

/* ---- bottom-up: nearest neighbours ---- */

/* Keys of one row are compared with each other only, so a factor common to all is left out, and
 * quotients of whole numbers keep ties exact: cosine^2 times the row's own size. */
static double nearness(const struct climb *c, uint32_t row, uint32_t other)
{
    if (c->options->similarity == EUCLIDEAN)
        return -(double)hs_projection_distance(&c->on, row, other);
    double shared = hs_projection_shared(&c->on, row, other);
    return shared > 0 ? shared * shared / c->on.ones[other] : 0;
}

static bool is_nearer(const struct neighbour *a, const struct neighbour *b)
{
    return a->key > b->key || (a->key == b->key && a->row < b->row);
}

/* Into a list of at most k, nearest first. */
static uint32_t insert(const struct climb *c, struct neighbour *list, uint32_t held,
                       struct neighbour added)
{
    if (held == c->k && !is_nearer(&added, &list[held - 1]))
        return held;
    uint32_t at = held < c->k ? held++ : held - 1;
    for (; at > 0 && is_nearer(&added, &list[at - 1]); at--)
        list[at] = list[at - 1];
    list[at] = added;
    return held;
}

static void find_nearest(const struct climb *c, uint32_t row, struct neighbour *list)
{
    uint32_t held = 0;
    for (uint32_t other = 0; other < c->on.rows; other++)
        if (other != row)
            held = insert(c, list, held, (struct neighbour){nearness(c, row, other), other});
}

/* The nearest of an unchanged row from its old ones and the changed rows. Other rows are behind the
 * old k-th: if the new k-th is not, none of them comes in. */
static bool merge_nearest(const struct climb *c, const struct neighbour *old, uint32_t row,
                          struct neighbour *list)
{
    const hs_projection *on = &c->on;
    uint32_t held = 0;
    for (uint32_t i = 0; i < c->k; i++)
        if (!on->touched[old[i].row])
            list[held++] = old[i];
    for (uint32_t i = 0; i < on->changes; i++) {
        uint32_t other = on->changed[i];
        held = insert(c, list, held, (struct neighbour){nearness(c, row, other), other});
    }
    return held == c->k && !is_nearer(&old[c->k - 1], &list[c->k - 1]);
}

static uint32_t count_class(const struct climb *c, uint32_t row, const struct neighbour *list)
{
    uint32_t hits = 0;
    for (uint32_t i = 0; i < c->k; i++)
        hits += c->on.label[list[i].row] == c->on.label[row];
    return hits;
}

/* Neighbours of the same class after the move that has been applied; the lists go to `trial`. */
static uint64_t count_hits(struct climb *c)
{
    uint64_t hits = 0;
    for (uint32_t row = 0; row < c->on.rows; row++) {
        struct neighbour *list = c->trial + (size_t)row * c->k;
        const struct neighbour *old = c->near + (size_t)row * c->k;
        if (c->on.touched[row] || !merge_nearest(c, old, row, list))
            find_nearest(c, row, list);
        hits += count_class(c, row, list);
    }
    return hits;
}

static double fitness_up(const struct climb *c, uint64_t hits)
{
    double leaves = c->leaves;
    return (1 + c->options->beta * (leaves - c->on.size) / leaves) * (double)hits;
}

static double try_parent(struct climb *c, uint32_t parent)
{
    plan(c, parent, true);
    apply(c);
    double fitness = fitness_up(c, count_hits(c));
    undo(c);
    return fitness;
}

static void take_parent(struct climb *c, uint32_t parent)
{
    plan(c, parent, true);
    apply(c);
    c->fitness = fitness_up(c, count_hits(c));
    struct neighbour *old = c->near;
    c->near = c->trial;
    c->trial = old;
}

/* Moves by the best parent of a member, or finds that it is done. */
static void climb_from(struct climb *c, uint32_t node)
{
    size_t count;
    const uint32_t *parents = hs_parents(c->dag, node, &count);
    double best = c->fitness;
    uint32_t chosen = HSEL_NONE;
    for (size_t i = 0; i < count; i++) {
        double fitness = try_parent(c, parents[i]);
        if (fitness > best) {
            best = fitness;
            chosen = parents[i];
        }
    }
    if (chosen == HSEL_NONE)
        c->done[node] = true;
    else
        take_parent(c, chosen);
}

static int init_up(struct climb *c, hsel_error *error)
{
    uint32_t rows = c->on.rows, others = rows ? rows - 1 : 0;
    uint64_t hits = 0;
    int status = HSEL_OK;
    c->k = c->options->k < others ? c->options->k : others;
    c->near = HS_NEW(struct neighbour, (size_t)rows * c->k);
    c->trial = HS_NEW(struct neighbour, (size_t)rows * c->k);
    c->done = HS_NEW_ZERO(bool, c->dag->nodes);
    if (!c->near || !c->trial || !c->done)
        return hs_fail_memory(error);
    for (uint32_t v = 0; v < c->dag->nodes; v++)
        if (hs_is_leaf(c->dag, v))
            hs_projection_toggle(&c->on, v);
    c->leaves = c->on.size;
    for (uint32_t row = 0; row < rows && c->k && status == HSEL_OK; row++) {
        if (row % ROWS_A_REPORT == 0)
            status = hs_progress_report(c->progress, row, rows, "instances", error);
        find_nearest(c, row, c->near + (size_t)row * c->k);
        hits += count_class(c, row, c->near + (size_t)row * c->k);
    }
    c->fitness = fitness_up(c, hits);
    return status;
}

static int bottom_up(struct climb *c, hsel_error *error)
{
    int status = init_up(c, error);
    if (status || c->k == 0) /* without neighbours no set is better than another */
        return status;
    for (uint32_t v = 0; v < c->dag->nodes && status == HSEL_OK;) {
        bool waiting = hs_projection_has(&c->on, v) && !c->done[v];
        if (waiting) {
            status = hs_progress_report(c->progress, v, c->dag->nodes, "nodes", error);
            climb_from(c, v);
        }
        v = waiting && !c->done[v] ? 0 : v + 1; /* after a move from the first again */
    }
    return status;
}

/* ---- top-down: distances between and within classes ---- */

/* Adds the distance of two rows, with its sign, to the sums of both. */
static void add_distance(const struct climb *c, uint32_t a, uint32_t b, double sign, double *other,
                         double *same)
{
    double distance = sign * c->root[hs_projection_distance(&c->on, a, b)];
    double *sum = c->on.label[a] == c->on.label[b] ? same : other;
    sum[a] += distance;
    sum[b] += distance;
}

/* Every pair with a changed row in it, once. */
static void add_changed(const struct climb *c, double sign)
{
    for (uint32_t i = 0; i < c->on.changes; i++) {
        uint32_t row = c->on.changed[i];
        for (uint32_t j = 0; j < c->on.rows; j++)
            if (!c->on.touched[j] || j < row)
                add_distance(c, row, j, sign, c->trial_other, c->trial_same);
    }
}

static int add_all(struct climb *c, hsel_error *error)
{
    int status = HSEL_OK;
    memset(c->other, 0, c->on.rows * sizeof *c->other);
    memset(c->same, 0, c->on.rows * sizeof *c->same);
    for (uint32_t i = 0; i < c->on.rows && status == HSEL_OK; i++) {
        if (i % ROWS_A_REPORT == 0)
            status = hs_progress_report(c->progress, i, c->on.rows, "instances", error);
        for (uint32_t j = 0; j < i; j++)
            add_distance(c, i, j, 1, c->other, c->same);
    }
    return status;
}

static double fitness_down(const struct climb *c, const double *other, const double *same)
{
    double sum = 0;
    for (uint32_t i = 0; i < c->on.rows; i++)
        sum += other[i] / (1 + c->options->alpha * same[i]);
    return sum;
}

static double try_children(struct climb *c, uint32_t node)
{
    memcpy(c->trial_other, c->other, c->on.rows * sizeof *c->other);
    memcpy(c->trial_same, c->same, c->on.rows * sizeof *c->same);
    plan(c, node, false);
    add_changed(c, -1);
    apply(c);
    add_changed(c, 1);
    undo(c);
    return fitness_down(c, c->trial_other, c->trial_same);
}

/* Summed up anew, so that rounding errors do not grow from move to move. */
static int take_children(struct climb *c, uint32_t node, hsel_error *error)
{
    plan(c, node, false);
    apply(c);
    int status = add_all(c, error);
    c->fitness = fitness_down(c, c->other, c->same);
    return status;
}

static int best_replacement(struct climb *c, uint32_t *chosen, hsel_error *error)
{
    double best = c->fitness;
    int status = HSEL_OK;
    *chosen = HSEL_NONE;
    for (uint32_t v = 0; v < c->dag->nodes && status == HSEL_OK; v++) {
        if (!hs_projection_has(&c->on, v) || hs_is_leaf(c->dag, v))
            continue;
        status = hs_progress_report(c->progress, v, c->dag->nodes, "nodes", error);
        double fitness = try_children(c, v);
        if (fitness > best + ABOVE_ROUNDING * best) {
            best = fitness;
            *chosen = v;
        }
    }
    return status;
}

static int top_down(struct climb *c, hsel_error *error)
{
    uint32_t rows = c->on.rows, nodes = c->dag->nodes;
    c->root = HS_NEW(double, (size_t)nodes + 1);
    c->other = HS_NEW(double, rows);
    c->same = HS_NEW(double, rows);
    c->trial_other = HS_NEW(double, rows);
    c->trial_same = HS_NEW(double, rows);
    if (!c->root || !c->other || !c->same || !c->trial_other || !c->trial_same)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i <= nodes; i++)
        c->root[i] = sqrt(i);
    for (uint32_t v = 0; v < nodes; v++)
        if (hs_is_root(c->dag, v))
            hs_projection_toggle(&c->on, v);
    int status = add_all(c, error);
    c->fitness = fitness_down(c, c->other, c->same);
    uint32_t node = HSEL_NONE;
    if (status == HSEL_OK)
        status = best_replacement(c, &node, error);
    while (status == HSEL_OK && node != HSEL_NONE) {
        status = take_children(c, node, error);
        if (status == HSEL_OK)
            status = best_replacement(c, &node, error);
    }
    return status;
}

/* ---- the selector ---- */

static int choose(const hs_candidates *candidates, const void *options, bool *keep,
                  hsel_error *error)
{
    struct climb c = {.progress = candidates->training->progress,
                      .dag = candidates->dag,
                      .options = options,
                      .move = HS_NEW(uint32_t, (size_t)candidates->count + 1)};
    int status = c.move ? hs_projection_init(&c.on, candidates, error) : hs_fail_memory(error);
    if (status == HSEL_OK)
        status = c.options->direction == BOTTOM_UP ? bottom_up(&c, error) : top_down(&c, error);
    for (uint32_t i = 0; i < candidates->count && status == HSEL_OK; i++)
        keep[i] = hs_projection_has(&c.on, i);
    climb_clear(&c);
    return status;
}

static int prepare(const hs_training *training, const void *options, void **state,
                   hsel_error *error)
{
    static const hs_eager_rule rule = {.choose = choose};
    return hs_eager_prepare(training, options, &rule, state, error);
}

static const hs_selector functions = {
    .prepare = prepare, .select_features = hs_eager_select, .free = hs_eager_free};

const hs_method hs_method_hill_climbing = {
    .kind = HS_SELECTOR,
    .name = "hill-climbing",
    .title = "hill climbing over sets of nodes",
    .help = "Starts from the leaves and lets parents take the place of their children while "
            "nearest neighbours agree better in class (bottom-up), or starts from the roots and "
            "replaces nodes by their children while classes lie further apart (top-down).",
    .citation =
        "Wang, McKay, Abbass, Barlow (2003), A comparative study for domain ontology guided "
        "feature extraction (bottom-up); the same (2002), Learning text classifier using "
        "the domain concept hierarchy (top-down); compared with in Ristoski, Paulheim (2014)",
    .flags = HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES,
    .options = table,
    .options_size = sizeof(struct options),
    .selector = &functions};
