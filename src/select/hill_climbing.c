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
 * another one in: O(n k + (c + r) q) per move with r such rows, q being the positives of the
 * members that a row has (n with Euclidean distance); O(n q) for the start. Memory n k neighbours
 * and the positive values, twice.
 */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/progress.h"
#include "select/projection.h"

#define ABOVE_ROUNDING  1e-9
#define ROWS_PER_REPORT 16

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

/* ---- rows on a changing set of candidates ---- */

void hs_projection_clear(hs_projection *p)
{
    hs_sparse_clear(&p->column);
    hs_sparse_clear(&p->row);
    hs_arena_clear(&p->memory);
    *p = (hs_projection){0};
}

int hs_projection_init(hs_projection *p, const hs_candidates *candidates, hsel_error *error)
{
    const hsel_dataset *data = candidates->training->view.data;
    const uint32_t count = candidates->count;
    HS_OWNED uint32_t *rows = NULL;
    HS_TRY(hs_training_rows(candidates->training, true, &rows, &p->rows, error));
    p->candidates = count;
    p->label = HS_ARENA_NEW(&p->memory, uint32_t, p->rows);
    p->changed = HS_ARENA_NEW(&p->memory, uint32_t, p->rows);
    p->sharing = HS_ARENA_NEW(&p->memory, uint32_t, p->rows);
    p->shared = hs_arena_zero(&p->memory, p->rows, sizeof *p->shared);
    p->ones = hs_arena_zero(&p->memory, p->rows, sizeof *p->ones);
    p->touched = hs_arena_zero(&p->memory, p->rows, sizeof *p->touched);
    p->member = hs_arena_zero(&p->memory, count, sizeof *p->member);
    HS_NEED(p->label && p->changed && p->sharing && p->shared && p->ones && p->touched &&
            p->member);
    for (uint32_t i = 0; i < p->rows; i++)
        p->label[i] = data->class_of[rows[i]];
    HS_TRY(hs_position_columns(data, candidates->feature, count, rows, p->rows, &p->column, error));
    return hs_sparse_transpose(&p->column, p->rows, &p->row, error);
}

void hs_projection_toggle(hs_projection *p, uint32_t candidate)
{
    const uint32_t change = p->member[candidate] ? UINT32_MAX : 1; /* one less, or one more */
    for (uint64_t i = p->column.start[candidate]; i < p->column.start[candidate + 1]; i++)
        p->ones[p->column.index[i]] += change;
    p->member[candidate] = !p->member[candidate];
    p->size += change;
}

const uint32_t *hs_projection_share(hs_projection *p, uint32_t row)
{
    for (uint32_t i = 0; i < p->sharings; i++)
        p->shared[p->sharing[i]] = 0;
    p->sharings = 0;
    for (uint64_t i = p->row.start[row]; i < p->row.start[row + 1]; i++) {
        const uint32_t c = p->row.index[i];
        for (uint64_t k = p->column.start[c]; p->member[c] && k < p->column.start[c + 1]; k++)
            if (p->shared[p->column.index[k]]++ == 0)
                p->sharing[p->sharings++] = p->column.index[k];
    }
    return p->shared;
}

void hs_projection_note(hs_projection *p, const uint32_t *candidates, uint32_t count)
{
    for (uint32_t i = 0; i < p->changes; i++)
        p->touched[p->changed[i]] = false;
    p->changes = 0;
    for (uint32_t c = 0; c < count; c++)
        for (uint64_t i = p->column.start[candidates[c]]; i < p->column.start[candidates[c] + 1];
             i++) {
            uint32_t row = p->column.index[i];
            if (!p->touched[row]) {
                p->touched[row] = true;
                p->changed[p->changes++] = row;
            }
        }
}

/* ---- climbing ---- */

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
    uint32_t *held;                 /* [rows]: in trial */
    bool *altered;                  /* [rows]: trial may differ from near */
    /* top-down */
    double *root;                     /* [nodes + 1]: square roots */
    double *other, *same;             /* [rows]: sums of distances */
    double *trial_other, *trial_same; /* after the move */
};

static void climb_clear(struct climb *c) { hs_projection_clear(&c->on); }

/* Does the move, or takes it back. */
static void apply(struct climb *c)
{
    for (uint32_t i = 0; i < c->moved; i++)
        hs_projection_toggle(&c->on, c->move[i]);
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
static double nearness(const struct climb *c, uint32_t row, uint32_t other, uint32_t shared)
{
    if (c->options->similarity == EUCLIDEAN)
        return -(double)hs_projection_distance(&c->on, row, other, shared);
    return shared > 0 ? (double)shared * shared / c->on.ones[other] : 0;
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

/* Rows that may be nearer than others, after hs_projection_share: by cosine those that share
 * something. How many, and which is the i-th. */
static uint32_t offers(const struct climb *c)
{
    return c->options->similarity == EUCLIDEAN ? c->on.rows : c->on.sharings;
}
static uint32_t offer(const struct climb *c, uint32_t i)
{
    return c->options->similarity == EUCLIDEAN ? i : c->on.sharing[i];
}

/* The nearest of the row that was shared last; if these are not enough, the first that share
 * nothing. */
static void find_nearest(const struct climb *c, uint32_t row, struct neighbour *list)
{
    const uint32_t *shared = c->on.shared, count = offers(c);
    uint32_t held = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t other = offer(c, i);
        if (other != row)
            held = insert(c, list, held,
                          (struct neighbour){nearness(c, row, other, shared[other]), other});
    }
    for (uint32_t other = 0; held < c->k; other++)
        if (other != row && shared[other] == 0)
            list[held++] = (struct neighbour){0, other};
}

/* f(S) from the neighbours of all rows. */
static double fitness_up(const struct climb *c, const struct neighbour *near)
{
    double leaves = c->leaves;
    uint64_t hits = 0;
    for (uint32_t row = 0; row < c->on.rows; row++)
        for (uint32_t i = 0; i < c->k; i++, near++)
            hits += c->on.label[near->row] == c->on.label[row];
    return (1 + c->options->beta * (leaves - c->on.size) / leaves) * (double)hits;
}

/* Fitness after a parent takes the place of its children; the neighbours go to `trial`. Those of an
 * unchanged row are its old ones that did not change, and changed rows. Other rows are behind the
 * old k-th: if the new k-th is not, none of them comes in. Changed rows that share nothing are not
 * offered, so lists that reach to such rows are found anew if anything in them changed. */
static double move_up(struct climb *c, uint32_t parent)
{
    const uint32_t rows = c->on.rows, k = c->k;
    plan(c, parent, true);
    apply(c);
    for (uint32_t row = 0; row < rows; row++) {
        const struct neighbour *old = c->near + (size_t)row * k;
        uint32_t held = 0;
        for (uint32_t i = 0; i < k; i++)
            if (!c->on.touched[old[i].row])
                c->trial[(size_t)row * k + held++] = old[i];
        c->held[row] = held;
        c->altered[row] = held < k;
    }
    for (uint32_t i = 0; i < c->on.changes; i++) {
        const uint32_t changed = c->on.changed[i];
        const uint32_t *shared = hs_projection_share(&c->on, changed), count = offers(c);
        find_nearest(c, changed, c->trial + (size_t)changed * k);
        for (uint32_t j = 0; j < count; j++) {
            const uint32_t row = offer(c, j);
            if (c->on.touched[row])
                continue;
            c->altered[row] = true;
            c->held[row] =
                insert(c, c->trial + (size_t)row * k, c->held[row],
                       (struct neighbour){nearness(c, row, changed, shared[row]), changed});
        }
    }
    for (uint32_t row = 0; row < rows; row++) {
        const struct neighbour *old = c->near + (size_t)row * k;
        struct neighbour *list = c->trial + (size_t)row * k;
        if (!c->on.touched[row] && c->altered[row] &&
            (c->held[row] < k || list[k - 1].key == 0 || is_nearer(&old[k - 1], &list[k - 1]))) {
            hs_projection_share(&c->on, row);
            find_nearest(c, row, list);
        }
    }
    return fitness_up(c, c->trial);
}

static int bottom_up(struct climb *c, hsel_error *error)
{
    uint32_t rows = c->on.rows, nodes = c->dag->nodes, others = rows ? rows - 1 : 0;
    c->k = c->options->k < others ? c->options->k : others;
    HS_OWNED struct neighbour *near = HS_NEW(struct neighbour, (size_t)rows * c->k);
    HS_OWNED struct neighbour *trial = HS_NEW(struct neighbour, (size_t)rows * c->k);
    HS_OWNED uint32_t *held = HS_NEW(uint32_t, rows);
    HS_OWNED bool *done = HS_NEW_ZERO(bool, nodes), *altered = HS_NEW(bool, rows);
    HS_NEED(near && trial && held && done && altered);
    c->held = held;
    c->altered = altered;
    c->near = near;
    c->trial = trial;
    for (uint32_t v = 0; v < nodes; v++)
        if (hs_is_leaf(c->dag, v))
            hs_projection_toggle(&c->on, v);
    c->leaves = c->on.size;
    if (c->k == 0) /* without neighbours no set is better than another */
        return HSEL_OK;
    for (uint32_t row = 0; row < rows; row++) {
        if (row % ROWS_PER_REPORT == 0)
            HS_TRY(hs_progress_report(c->progress, row, rows, "instances", error));
        hs_projection_share(&c->on, row);
        find_nearest(c, row, near + (size_t)row * c->k);
    }
    c->fitness = fitness_up(c, near);
    for (uint32_t v = 0; v < nodes;) {
        uint32_t chosen = HSEL_NONE;
        double best = c->fitness;
        if (hs_projection_has(&c->on, v) && !done[v]) {
            size_t count;
            const uint32_t *parents = hs_parents(c->dag, v, &count);
            HS_TRY(hs_progress_report(c->progress, v, nodes, "nodes", error));
            for (size_t i = 0; i < count; i++) {
                double fitness = move_up(c, parents[i]);
                apply(c);
                if (fitness > best) {
                    best = fitness;
                    chosen = parents[i];
                }
            }
            done[v] = chosen == HSEL_NONE;
        }
        if (chosen == HSEL_NONE) {
            v++;
            continue;
        }
        c->fitness = move_up(c, chosen);
        struct neighbour *old = c->near;
        c->near = c->trial;
        c->trial = old;
        v = 0; /* after a move from the first again */
    }
    return HSEL_OK;
}

/* ---- top-down: distances between and within classes ---- */

/* Adds the distance of two rows, with its sign, to the sums of both. */
static void add_distance(const struct climb *c, uint32_t a, uint32_t b, uint32_t shared,
                         double sign, double *other, double *same)
{
    double distance = sign * c->root[hs_projection_distance(&c->on, a, b, shared)];
    double *sum = c->on.label[a] == c->on.label[b] ? same : other;
    sum[a] += distance;
    sum[b] += distance;
}

/* Every pair with a changed row in it, once. */
static void add_changed(struct climb *c, double sign)
{
    for (const uint32_t *row = c->on.changed; row < c->on.changed + c->on.changes; row++) {
        const uint32_t *shared = hs_projection_share(&c->on, *row);
        for (uint32_t j = 0; j < c->on.rows; j++)
            if (!c->on.touched[j] || j < *row)
                add_distance(c, *row, j, shared[j], sign, c->trial_other, c->trial_same);
    }
}

static double fitness_down(const struct climb *c, const double *other, const double *same)
{
    double sum = 0;
    for (uint32_t i = 0; i < c->on.rows; i++)
        sum += other[i] / (1 + c->options->alpha * same[i]);
    return sum;
}

static int top_down(struct climb *c, hsel_error *error)
{
    const size_t rows = c->on.rows;
    const uint32_t nodes = c->dag->nodes;
    HS_OWNED double *root = HS_NEW(double, (size_t)nodes + 1), *sums = HS_NEW(double, 4 * rows);
    HS_NEED(root && sums);
    c->root = root;
    c->other = sums;
    c->same = sums + rows;
    c->trial_other = sums + 2 * rows;
    c->trial_same = sums + 3 * rows;
    for (uint32_t i = 0; i <= nodes; i++)
        c->root[i] = sqrt(i);
    for (uint32_t v = 0; v < nodes; v++)
        if (hs_is_root(c->dag, v))
            hs_projection_toggle(&c->on, v);
    for (;;) {
        uint32_t chosen = HSEL_NONE;
        memset(sums, 0, 2 * rows * sizeof *sums); /* anew, so that rounding errors do not grow */
        for (uint32_t i = 0; i < rows; i++) {
            if (i % ROWS_PER_REPORT == 0)
                HS_TRY(hs_progress_report(c->progress, i, rows, "instances", error));
            const uint32_t *shared = hs_projection_share(&c->on, i);
            for (uint32_t j = 0; j < i; j++)
                add_distance(c, i, j, shared[j], 1, c->other, c->same);
        }
        double best = fitness_down(c, c->other, c->same);
        for (uint32_t v = 0; v < nodes; v++) {
            if (!hs_projection_has(&c->on, v) || hs_is_leaf(c->dag, v))
                continue;
            HS_TRY(hs_progress_report(c->progress, v, nodes, "nodes", error));
            memcpy(c->trial_other, c->other, 2 * rows * sizeof *sums);
            plan(c, v, false);
            add_changed(c, -1);
            apply(c);
            add_changed(c, 1);
            apply(c);
            double fitness = fitness_down(c, c->trial_other, c->trial_same);
            if (fitness > best + ABOVE_ROUNDING * best) {
                best = fitness;
                chosen = v;
            }
        }
        if (chosen == HSEL_NONE)
            return HSEL_OK;
        plan(c, chosen, false);
        apply(c);
    }
}

/* ---- the selector ---- */

static int choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    HS_OWNED uint32_t *move = HS_NEW(uint32_t, (size_t)c->count + 1);
    HS_OWNS(climb_clear)
    struct climb climb = {c->training->progress, c->dag, options, .move = move};
    HS_NEED(move);
    HS_TRY(hs_projection_init(&climb.on, c, error));
    HS_TRY(climb.options->direction == BOTTOM_UP ? bottom_up(&climb, error)
                                                 : top_down(&climb, error));
    for (uint32_t i = 0; i < c->count; i++)
        keep[i] = hs_projection_has(&climb.on, i);
    hs_candidates_rule(c, keep, HS_RULE_FOUND, HSEL_NONE, (double)NAN);
    HS_TRY(hs_candidates_beaten(c, keep, false, error));
    hs_candidates_rule(c, keep, HS_RULE_NOT_FOUND, HSEL_NONE, (double)NAN);
    return HSEL_OK;
}

HS_EAGER_METHOD(
    hill_climbing, "hill-climbing", HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES, table,
    sizeof(struct options), NULL, choose, NULL, .title = "hill climbing over sets of nodes",
    .help = "Starts from the leaves and lets parents take the place of their children while "
            "nearest neighbours agree better in class (bottom-up), or starts from the roots and "
            "replaces nodes by their children while classes lie further apart (top-down).",
    .citation =
        "Wang, McKay, Abbass, Barlow (2003), A comparative study for domain ontology guided "
        "feature extraction (bottom-up); the same (2002), Learning text classifier using "
        "the domain concept hierarchy (top-down); compared with in Ristoski, Paulheim (2014)");
