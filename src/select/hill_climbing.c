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
 * Vectors are the values of the members, 0 and 1 of binary features. Cosines are of values that are
 * not negative. The papers describe trees; on a DAG only direct children leave or come. The search
 * starts from f(start), where hfs starts from 0 and so always takes the first step.
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
    HS_OWNED uint32_t *rows = NULL, *position = HS_NEW(uint32_t, data->instances);
    HS_OWNED uint64_t *next = NULL;
    HS_NEED(position);
    HS_TRY(hs_training_rows(candidates->training, true, &rows, &p->rows, error));
    p->candidates = count;
    p->label = HS_ARENA_NEW(&p->memory, uint32_t, p->rows);
    p->changed = HS_ARENA_NEW(&p->memory, uint32_t, p->rows);
    p->sharing = HS_ARENA_NEW(&p->memory, uint32_t, p->rows);
    p->shared = hs_arena_zero(&p->memory, p->rows, sizeof *p->shared);
    p->is_sharing = hs_arena_zero(&p->memory, p->rows, sizeof *p->is_sharing);
    p->squares = hs_arena_zero(&p->memory, p->rows, sizeof *p->squares);
    p->touched = hs_arena_zero(&p->memory, p->rows, sizeof *p->touched);
    p->before = HS_ARENA_NEW(&p->memory, double, p->rows);
    p->member = hs_arena_zero(&p->memory, count, sizeof *p->member);
    HS_NEED(p->label && p->changed && p->sharing && p->shared && p->before && p->is_sharing &&
            p->squares && p->touched && p->member);
    for (uint32_t i = 0; i < p->rows; i++)
        p->label[i] = data->class_of[rows[i]];
    /* values row by row, then column by column: both ascending */
    memset(position, 0xff, data->instances * sizeof *position);
    for (uint32_t i = 0; i < p->rows; i++)
        position[rows[i]] = i;
    HS_NEED(p->row.start = HS_NEW_ZERO(uint64_t, (size_t)p->rows + 1));
    p->row.lists = p->rows;
    for (int pass = 0; pass < 2; pass++) { /* counts, then values */
        for (uint32_t c = 0; c < count; c++) {
            const uint32_t f = candidates->feature[c];
            const bool binary = data->types[f] == HSEL_BINARY;
            const hs_numeric_column *numeric =
                binary || data->types[f] == HSEL_NOMINAL ? NULL : data->numeric + data->slot[f];
            size_t entries = numeric ? numeric->count : 0;
            const uint32_t *at = binary    ? hs_column(data, f, &entries)
                                 : numeric ? numeric->rows
                                           : NULL;
            if (!binary && !numeric)
                return hs_fail(
                    error, HSEL_EUSAGE,
                    "feature %.200s of %s is nominal, and hill-climbing compares numbers",
                    hsel_dataset_feature_name(data, f), hsel_dataset_name(data));
            for (size_t k = 0; k < entries; k++) {
                const uint32_t i = position[at ? at[k] : k];
                const double value = numeric ? numeric->values[k] : 1;
                if (i == HSEL_NONE || value == 0)
                    continue;
                if (isnan(value))
                    return hs_fail(error, HSEL_EUSAGE,
                                   "feature %.200s of %s is missing in instance %u, and "
                                   "hill-climbing needs every value",
                                   hsel_dataset_feature_name(data, f), hsel_dataset_name(data),
                                   rows[i] + 1);
                if (pass == 0) {
                    p->row.start[i + 1]++;
                } else {
                    p->in_row[next[i]] = value;
                    p->row.index[next[i]++] = c;
                }
            }
        }
        if (pass == 0) {
            for (uint32_t i = 0; i < p->rows; i++)
                p->row.start[i + 1] += p->row.start[i];
            HS_NEED(p->row.index = HS_NEW(uint32_t, p->row.start[p->rows]));
            HS_NEED(p->in_row = HS_ARENA_NEW(&p->memory, double, p->row.start[p->rows]));
            HS_NEED(next = hs_copy(p->row.start, (size_t)p->rows + 1, sizeof *next));
        }
    }
    HS_TRY(hs_sparse_transpose(&p->row, count, &p->column, error));
    HS_NEED(p->in_column = HS_ARENA_NEW(&p->memory, double, p->row.start[p->rows]));
    HS_OWNED uint64_t *place = hs_copy(p->column.start, (size_t)count + 1, sizeof *place);
    HS_NEED(place);
    for (uint64_t k = 0; k < p->row.start[p->rows]; k++)
        p->in_column[place[p->row.index[k]]++] = p->in_row[k];
    return HSEL_OK;
}

void hs_projection_toggle(hs_projection *p, uint32_t candidate)
{
    const double sign = p->member[candidate] ? -1 : 1; /* less, or more */
    for (uint64_t i = p->column.start[candidate]; i < p->column.start[candidate + 1]; i++)
        p->squares[p->column.index[i]] += sign * p->in_column[i] * p->in_column[i];
    p->size += p->member[candidate] ? UINT32_MAX : 1;
    p->member[candidate] = !p->member[candidate];
}

const double *hs_projection_share(hs_projection *p, uint32_t row)
{
    for (uint32_t i = 0; i < p->sharings; i++) {
        p->shared[p->sharing[i]] = 0;
        p->is_sharing[p->sharing[i]] = false;
    }
    p->sharings = 0;
    for (uint64_t i = p->row.start[row]; i < p->row.start[row + 1]; i++) {
        const uint32_t c = p->row.index[i];
        for (uint64_t k = p->column.start[c]; p->member[c] && k < p->column.start[c + 1]; k++) {
            const uint32_t other = p->column.index[k];
            p->shared[other] += p->in_row[i] * p->in_column[k];
            if (!p->is_sharing[other])
                p->sharing[p->sharings++] = other;
            p->is_sharing[other] = true;
        }
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
                p->before[row] = p->squares[row];
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
    double *other, *same;             /* [rows]: sums of distances */
    double *trial_other, *trial_same; /* after the move */
};

static void climb_clear(struct climb *c) { hs_projection_clear(&c->on); }

/* Does the move. */
static void apply(struct climb *c)
{
    for (uint32_t i = 0; i < c->moved; i++)
        hs_projection_toggle(&c->on, c->move[i]);
}

/* Takes it back; what was before is there to the last digit. */
static void undo(struct climb *c)
{
    apply(c);
    for (uint32_t i = 0; i < c->on.changes; i++)
        c->on.squares[c->on.changed[i]] = c->on.before[c->on.changed[i]];
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
static double nearness(const struct climb *c, uint32_t row, uint32_t other, double shared)
{
    if (c->options->similarity == EUCLIDEAN)
        return -hs_projection_distance(&c->on, row, other, shared);
    return shared > 0 ? shared * shared / c->on.squares[other] : 0;
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
    const double *shared = c->on.shared;
    const uint32_t count = offers(c);
    uint32_t held = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t other = offer(c, i);
        if (other != row)
            held = insert(c, list, held,
                          (struct neighbour){nearness(c, row, other, shared[other]), other});
    }
    for (uint32_t other = 0; held < c->k; other++)
        if (other != row && !c->on.is_sharing[other])
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
        const double *shared = hs_projection_share(&c->on, changed);
        const uint32_t count = offers(c);
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
                undo(c);
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
static void add_distance(const struct climb *c, uint32_t a, uint32_t b, double shared, double sign,
                         double *other, double *same)
{
    double distance = sign * sqrt(hs_projection_distance(&c->on, a, b, shared));
    double *sum = c->on.label[a] == c->on.label[b] ? same : other;
    sum[a] += distance;
    sum[b] += distance;
}

/* Every pair with a changed row in it, once. */
static void add_changed(struct climb *c, double sign)
{
    for (const uint32_t *row = c->on.changed; row < c->on.changed + c->on.changes; row++) {
        const double *shared = hs_projection_share(&c->on, *row);
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
    HS_OWNED double *sums = HS_NEW(double, 4 * rows);
    HS_NEED(sums);
    c->other = sums;
    c->same = sums + rows;
    c->trial_other = sums + 2 * rows;
    c->trial_same = sums + 3 * rows;
    for (uint32_t v = 0; v < nodes; v++)
        if (hs_is_root(c->dag, v))
            hs_projection_toggle(&c->on, v);
    for (;;) {
        uint32_t chosen = HSEL_NONE;
        memset(sums, 0, 2 * rows * sizeof *sums); /* anew, so that rounding errors do not grow */
        for (uint32_t i = 0; i < rows; i++) {
            if (i % ROWS_PER_REPORT == 0)
                HS_TRY(hs_progress_report(c->progress, i, rows, "instances", error));
            const double *shared = hs_projection_share(&c->on, i);
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
            undo(c);
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
    for (uint64_t k = 0; k < climb.on.column.start[c->count]; k++)
        if (climb.on.in_column[k] < 0 && climb.options->direction == BOTTOM_UP &&
            climb.options->similarity == COSINE)
            return hs_fail(error, HSEL_EUSAGE,
                           "%s has values below 0: take hill-climbing:similarity=euclidean",
                           hsel_dataset_name(c->training->view.data));
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
    hill_climbing, "hill-climbing", HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES | HS_ANY_FEATURES, table,
    sizeof(struct options), NULL, choose, NULL, .title = "hill climbing over sets of nodes",
    .help = "Starts from the leaves and lets parents take the place of their children while "
            "nearest neighbours agree better in class (bottom-up), or starts from the roots and "
            "replaces nodes by their children while classes lie further apart (top-down). Numeric "
            "features count by their values as they are, of which none may be missing.",
    .citation =
        "Wang, McKay, Abbass, Barlow (2003), A comparative study for domain ontology guided "
        "feature extraction (bottom-up); the same (2002), Learning text classifier using "
        "the domain concept hierarchy (top-down); compared with in Ristoski, Paulheim (2014)");
