/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hill climbing over sets S of nodes of the hierarchy. k, beta and similarity are options of
 * bottom-up, alpha of top-down.
 *
 * bottom-up (Wang et al. 2003): from the L leaves. A move adds a parent of a member and removes the
 * parent's children. The first member that is not done makes its best move if that improves f (ties
 * to the lowest parent), else it is done; the search ends when all are.
 *     f(S) = (1 + beta (L - |S|) / L) sum over i of the k nearest neighbours of i of its class
 * Nearest by cosine (0 for an empty vector) or Euclidean distance on S; ties to the earlier row.
 *
 * top-down (Wang et al. 2002): from the roots. A move replaces a member by its children; the best
 * move of all is made if it improves f by more than 1e-9 of f (ties to the lowest member).
 *     f(S) = sum over i of D(other classes) / (1 + alpha D(same class))
 * D: the sum of Euclidean distances from i, in units of the largest range of a feature.
 *
 * The papers describe trees; on a DAG only direct children leave or join. The search starts from
 * f(start); hfs starts from 0 and therefore always makes the first move.
 *
 * A move changes the c rows in which one of its nodes is positive. The k nearest of another row are
 * searched again only if the change may have let another row in: O(n k + (c + r) (n + q)) per move
 * with r such rows and q positives of the members in a row; O(n (n + q)) for the start. Memory n k
 * neighbours and the positive values, twice.
 */
#include "select/projection.h"

#define ABOVE_ROUNDING  1e-9
#define ROWS_PER_REPORT 16

#define MARGIN 1e-15
#define BLOCK  16 /* rows compared together */
#define MANY   4  /* with changes in 1 / MANY of the rows, lists are searched again */

#define HOPELESS UINT64_MAX /* hits of a move that cannot be an improvement */

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
    HS_OPTION(struct options, k, "k", "N", "5", 1, 10000, "number of neighbours; bottom-up"),
    HS_OPTION(struct options, beta, "beta", "B", "0.01", 0, 1000,
              "preference for smaller sets; bottom-up"),
    HS_OPTION(struct options, alpha, "alpha", "A", "0.99", 0, 1000,
              "weight of distances within a class; top-down"),
    HS_CHOICE(struct options, similarity, "similarity", "cosine|euclidean", "cosine",
              "similarity that defines neighbours; bottom-up"),
    HS_OPTION_END};

/* ---- rows on a changing set of candidates ---- */

void hs_projection_clear(hs_projection *p)
{
    hs_sparse_clear(&p->column);
    hs_sparse_clear(&p->row);
    hs_tally_clear(&p->counts);
    hs_arena_clear(&p->memory);
    hs_free(p->in_column);
    *p = (hs_projection){0};
}

int hs_projection_init(hs_projection *p, const hs_candidates *candidates, hsel_error *error)
{
    const hsel_dataset *data = candidates->training->view.data;
    const uint32_t count = candidates->count;
    HS_OWNED uint32_t *rows = NULL, *position = hs_new_none(data->instances);
    size_t used = 0, room = 0, value_room = 0;
    HS_NEED(position);
    HS_TRY(hs_training_rows(candidates->training, true, &rows, &p->rows, error));
    p->candidates = count;
    HS_NEED(HS_LISTS(&p->memory, p, HS_PART(p, label, p->rows), HS_PART(p, changed, p->rows),
                     HS_PART(p, squares, p->rows), HS_PART(p, touched, p->rows),
                     HS_PART(p, before, p->rows), HS_PART(p, members, count),
                     HS_PART(p, member, count)));
    for (uint32_t i = 0; i < p->rows; i++)
        p->label[i] = data->class_of[rows[i]];
    for (uint32_t i = 0; i < p->rows; i++)
        position[rows[i]] = i;
    HS_TRY(hs_sparse_init(&p->column, count, 0, error));
    for (uint32_t c = 0; c < count; c++) {
        const uint32_t f = candidates->feature[c];
        const bool binary = data->types[f] == HSEL_BINARY;
        const hs_numeric_column *numeric =
            binary || data->types[f] == HSEL_NOMINAL ? NULL : data->numeric + data->slot[f];
        size_t entries = numeric ? numeric->count : 0;
        const uint32_t *at = binary ? hs_column(data, f, &entries) : numeric ? numeric->rows : NULL;
        if (!binary && !numeric)
            return hs_fail(error, HSEL_EUSAGE,
                           "feature %.200s of %s is nominal, but hill-climbing needs numbers",
                           hsel_dataset_feature_name(data, f), hsel_dataset_name(data));
        HS_NEED(HS_GROW(&p->column.index, &room, used + entries) &&
                HS_GROW(&p->in_column, &value_room, used + entries));
        for (size_t k = 0; k < entries; k++) {
            const uint32_t i = position[at ? at[k] : k];
            const double value = numeric ? numeric->values[k] : 1;
            if (i == HSEL_NONE || value == 0)
                continue;
            if (isnan(value))
                return hs_fail(error, HSEL_EUSAGE,
                               "feature %.200s of %s is missing in instance %u, but hill-climbing "
                               "needs every value",
                               hsel_dataset_feature_name(data, f), hsel_dataset_name(data),
                               rows[i] + 1);
            p->column.index[used] = i;
            p->in_column[used++] = value;
        }
        p->column.start[c + 1] = used;
    }
    HS_TRY(hs_sparse_transpose(&p->column, p->rows, &p->row, error));
    HS_NEED(p->in_row = HS_ARENA_NEW(&p->memory, double, used));
    HS_OWNED uint64_t *next = hs_copy(p->row.start, (size_t)p->rows + 1, sizeof *next);
    HS_NEED(next);
    for (size_t k = 0; k < used; k++)
        p->in_row[next[p->column.index[k]]++] = p->in_column[k];
    for (size_t k = 0; k < used; k++)
        if (p->in_row[k] != 1) {
            HS_NEED(p->shared = HS_ARENA_NEW(&p->memory, double, p->rows));
            return HSEL_OK;
        }
    HS_TRY(hs_tally_init(&p->counts, count, p->rows, error));
    for (uint32_t c = 0; c < count; c++)
        hs_tally_expect(&p->counts, c, p->column.start[c + 1] - p->column.start[c]);
    return hs_tally_ready(&p->counts, error);
}

void hs_projection_toggle(hs_projection *p, uint32_t candidate)
{
    const double sign = p->member[candidate] ? -1 : 1; /* less, or more */
    for (uint64_t i = p->column.start[candidate]; i < p->column.start[candidate + 1]; i++) {
        const uint32_t row = p->column.index[i];
        p->squares[row] += sign * p->in_column[i] * p->in_column[i];
    }
    p->size += p->member[candidate] ? UINT32_MAX : 1;
    p->member[candidate] = !p->member[candidate];
}

void hs_projection_share(hs_projection *p, uint32_t row)
{
    uint32_t count = 0; /* first list the members of the row, without branches */
    for (uint64_t i = p->row.start[row]; i < p->row.start[row + 1]; i++) {
        p->members[count] = (uint32_t)(i - p->row.start[row]);
        count += p->member[p->row.index[i]];
    }
    if (p->shared)
        memset(p->shared, 0, p->rows * sizeof *p->shared);
    else
        hs_tally_start(&p->counts);
    for (uint32_t m = 0; m < count; m++) {
        const uint64_t i = p->row.start[row] + p->members[m];
        const uint32_t c = p->row.index[i], *column = p->column.index + p->column.start[c];
        const size_t length = p->column.start[c + 1] - p->column.start[c];
        if (!p->shared)
            hs_tally_add(&p->counts, c, column, length);
        for (size_t k = 0; p->shared && k < length; k++)
            p->shared[column[k]] += p->in_row[i] * p->in_column[p->column.start[c] + k];
    }
    if (!p->shared)
        hs_tally_finish(&p->counts);
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
    uint32_t *move, moved; /* nodes that join or leave */
    double fitness;
    /* bottom-up */
    uint32_t leaves, k;
    uint64_t hits;                  /* neighbours that have the class of their row */
    struct neighbour *near, *trial; /* [rows * k]: nearest first; trial: after the move … */
    uint32_t *altered, alterations; /* … of these rows; others keep theirs */
    bool *is_altered;               /* [rows] */
    uint32_t *held;                 /* [rows]: in trial */
    uint32_t *first, *next; /* [rows], [rows * k]: where in near a row is, one after another;
                               of rows that a move takes further away */
    /* top-down */
    double *other, *same;             /* [rows]: sums of distances */
    double *trial_other, *trial_same; /* after the move */
    double alpha;                     /* per unit of the values */
};

static void climb_clear(struct climb *c) { hs_projection_clear(&c->on); }

/* Makes the move. */
static void make_move(struct climb *c)
{
    for (uint32_t i = 0; i < c->moved; i++)
        hs_projection_toggle(&c->on, c->move[i]);
}

/* Undoes the move, exactly. */
static void undo_move(struct climb *c)
{
    make_move(c);
    for (uint32_t i = 0; i < c->on.changes; i++)
        c->on.squares[c->on.changed[i]] = c->on.before[c->on.changed[i]];
}

/* The move that makes `node` a member (or none) and its children the opposite. */
static void plan_move(struct climb *c, uint32_t node, bool joins)
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

/* Keys are compared only within a row, so a common factor is left out: cosine^2 times the row's own
 * square. Quotients of whole numbers keep ties exact. */
static inline double nearness(const struct climb *c, uint32_t row, uint32_t other, double shared)
{
    if (c->options->similarity == EUCLIDEAN)
        return -hs_projection_distance(&c->on, row, other, shared);
    return shared > 0 ? shared * shared / c->on.squares[other] : 0;
}

static inline bool is_nearer(const struct neighbour *a, const struct neighbour *b)
{
    return a->key >= b->key && (a->key > b->key || a->row < b->row);
}

/* Into a list of at most k, nearest first. */
HS_INLINE uint32_t insert(const struct climb *c, struct neighbour *list, uint32_t held,
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

/* Offers another row to the list of the row that was shared last. */
static inline uint32_t offer_row(const struct climb *c, uint32_t row, uint32_t other,
                                 struct neighbour *list, uint32_t held)
{
    const double shared = hs_projection_shared(&c->on, other);
    if (other == row)
        return held;
    return insert(c, list, held, (struct neighbour){nearness(c, row, other, shared), other});
}

/* The first block of rows from `first` on in which one is nearer by cosine than the key; whole
 * blocks only. May be wrong by rounding; with a margin, on the safe side. */
HS_INLINE uint32_t skip(const hs_projection *on, uint32_t first, double key)
{
    for (; first + BLOCK <= on->rows; first += BLOCK) {
        const int32_t *counts = on->counts.sum + first;
        const double *squares = on->squares + first;
        int any = 0;
        for (uint32_t i = 0; i < BLOCK; i++)
            any |= (double)counts[i] * counts[i] > key * squares[i];
        if (any)
            break;
    }
    return first;
}

HS_WIDE static uint32_t skip_wide(const hs_projection *on, uint32_t first, double key)
{
    return skip(on, first, key);
}

/* The nearest of all rows to the row that was shared last; ties to the first. `old`: k other rows,
 * or NULL: blocks of rows that are all further away than these are skipped. Two quotients of a
 * square and a number below 1e5 are equal or differ by more than MARGIN, which is above their
 * rounding. */
static void find_nearest(const struct climb *c, uint32_t row, const struct neighbour *old,
                         struct neighbour *list)
{
    const hs_projection *on = &c->on;
    const uint32_t rows = on->rows, k = c->k;
    const bool blocks = c->options->similarity == COSINE && !on->shared && on->candidates < 100000;
    double least = old ? INFINITY : 0;
    uint32_t held = 0;
    for (uint32_t i = 0; old && i < k; i++) {
        const double key = nearness(c, row, old[i].row, hs_projection_shared(on, old[i].row));
        least = key < least ? key : least;
    }
    for (uint32_t first = 0; first < rows; first += BLOCK) {
        const double last = held == k ? list[k - 1].key : 0;
        const double limit = last > least ? last : least;
        const double key = held == k && last >= least ? last * (1 + MARGIN) : limit * (1 - MARGIN);
        if (blocks && key > 0)
            first = HS_IS_WIDE ? skip_wide(on, first, key) : skip(on, first, key);
        const uint32_t end = rows - first < BLOCK ? rows : first + BLOCK;
        for (uint32_t other = first; other < end; other++)
            held = offer_row(c, row, other, list, held);
    }
}

static uint64_t count_hits(const struct climb *c, uint32_t row, const struct neighbour *list)
{
    uint64_t hits = 0;
    for (uint32_t i = 0; i < c->k; i++)
        hits += c->on.label[list[i].row] == c->on.label[row];
    return hits;
}

static double fitness_up(const struct climb *c, uint64_t hits)
{
    double leaves = c->leaves;
    return (1 + c->options->beta * (leaves - c->on.size) / leaves) * (double)hits;
}

/* Did the move change the distance of the row to rows without its nodes? */
static bool is_moved(const struct climb *c, uint32_t row)
{
    return c->on.touched[row] && c->on.squares[row] != c->on.before[row];
}

/* Starts the list of a row after the move: its old neighbours that keep their keys. */
static void alter(struct climb *c, uint32_t row)
{
    const struct neighbour *old = c->near + (size_t)row * c->k;
    struct neighbour *list = c->trial + (size_t)row * c->k;
    const bool *changed = c->on.touched;
    uint32_t held = 0;
    for (uint32_t i = 0; i < c->k; i++)
        if (changed[row] ? !changed[old[i].row] : !is_moved(c, old[i].row))
            list[held++] = old[i];
    c->held[row] = held;
    c->is_altered[row] = true;
    c->altered[c->alterations++] = row;
}

/* May a row that was not offered be among the k nearest? It is no nearer than the old k-th. */
static bool misses(const struct climb *c, uint32_t row)
{
    const size_t last = (size_t)row * c->k + c->k - 1;
    return c->held[row] < c->k || is_nearer(&c->near[last], &c->trial[last]);
}

/* Hits that the row may gain: its neighbours of other classes. */
static uint64_t room(const struct climb *c, uint32_t row)
{
    return c->k - count_hits(c, row, c->near + (size_t)row * c->k);
}

/* Hits after a parent has replaced its children; the neighbours go to `trial`. With `stop`, returns
 * HOPELESS as soon as the move cannot be an improvement.
 *
 * A row without these nodes shares as much as before with every row. So a changed row of the same
 * size is as near to it as before; one that grew is further away, which matters where it is a
 * neighbour; one that shrank is nearer and may become a neighbour anywhere. By cosine a changed row
 * keeps its distance to all unchanged rows. A list that has lost a neighbour is searched again if
 * another row may take its place. */
static uint64_t move_up(struct climb *c, uint32_t parent, bool stop)
{
    const uint32_t rows = c->on.rows, k = c->k;
    uint64_t hits = c->hits, bound = hits; /* bound: the most that hits can become */
    plan_move(c, parent, true);
    make_move(c);
    for (uint32_t i = 0; i < c->alterations; i++)
        c->is_altered[c->altered[i]] = false;
    c->alterations = 0;
    bool any = false, shrinks = false;
    for (uint32_t i = 0; i < c->on.changes; i++) {
        const uint32_t row = c->on.changed[i];
        c->first[row] = HSEL_NONE;
        any |= is_moved(c, row);
        shrinks |= c->on.squares[row] < c->on.before[row];
        bound += room(c, row);
    }
    for (uint32_t row = 0; any && row < rows; row++)
        for (uint32_t at = row * k; !c->on.touched[row] && at < (row + 1) * k; at++)
            if (is_moved(c, c->near[at].row)) {
                c->next[at] = c->first[c->near[at].row];
                c->first[c->near[at].row] = at;
                if (!c->is_altered[row])
                    alter(c, row);
            }
    for (uint32_t row = 0; any && row < rows; row++)
        bound += !c->on.touched[row] && (shrinks || c->is_altered[row]) ? room(c, row) : 0;
    for (uint32_t i = 0; i < c->on.changes; i++) {
        if (stop && fitness_up(c, bound) <= c->fitness)
            return HOPELESS;
        const uint32_t changed = c->on.changed[i];
        struct neighbour *own = c->trial + (size_t)changed * k;
        hs_projection_share(&c->on, changed);
        alter(c, changed);
        const bool few = c->options->similarity == COSINE && c->on.changes < rows / MANY;
        for (uint32_t j = 0; few && j < c->on.changes; j++)
            c->held[changed] = offer_row(c, changed, c->on.changed[j], own, c->held[changed]);
        if (!few || misses(c, changed))
            find_nearest(c, changed, c->near + (size_t)changed * k, own);
        bound -= k - count_hits(c, changed, own);
        const bool grew = c->on.squares[changed] > c->on.before[changed];
        for (uint32_t at = c->first[changed]; grew && at != HSEL_NONE; at = c->next[at]) {
            const uint32_t row = at / k;
            c->held[row] =
                insert(c, c->trial + (size_t)row * k, c->held[row],
                       (struct neighbour){
                           nearness(c, row, changed, hs_projection_shared(&c->on, row)), changed});
        }
        for (uint32_t row = 0; !grew && is_moved(c, changed) && row < rows; row++) {
            if (c->on.touched[row])
                continue;
            const double shared = hs_projection_shared(&c->on, row);
            const struct neighbour nearer = {nearness(c, row, changed, shared), changed};
            if (!c->is_altered[row] && !is_nearer(&nearer, c->near + (size_t)row * k + k - 1))
                continue;
            if (!c->is_altered[row])
                alter(c, row);
            c->held[row] = insert(c, c->trial + (size_t)row * k, c->held[row], nearer);
        }
    }
    for (uint32_t i = 0; i < c->alterations; i++) {
        if (stop && fitness_up(c, bound) <= c->fitness)
            return HOPELESS;
        const uint32_t row = c->altered[i];
        struct neighbour *list = c->trial + (size_t)row * k;
        if (!c->on.touched[row]) {
            if (misses(c, row)) {
                hs_projection_share(&c->on, row);
                find_nearest(c, row, c->near + (size_t)row * k, list);
            }
            bound -= k - count_hits(c, row, list);
        }
        hits += count_hits(c, row, list);
        hits -= count_hits(c, row, c->near + (size_t)row * k);
    }
    return hits;
}

static int bottom_up(struct climb *c, hsel_error *error)
{
    uint32_t rows = c->on.rows, nodes = c->dag->nodes, others = rows ? rows - 1 : 0, moves = 1;
    c->k = c->options->k < others ? c->options->k : others;
    const size_t held = (size_t)rows * c->k;
    if (held >= HSEL_NONE)
        return hs_fail(error, HSEL_EUSAGE,
                       "hill-climbing: %u neighbours of %u instances are too many", c->k, rows);
    HS_OWNED uint32_t *tried = HS_NEW_ZERO(uint32_t, nodes);
    HS_OWNED double *found = HS_NEW(double, nodes); /* fitness when the parent was tried last */
    HS_OWNED bool *done = HS_NEW_ZERO(bool, nodes);
    HS_NEED(tried && found && done &&
            HS_LISTS(&c->on.memory, c, HS_PART(c, near, held), HS_PART(c, trial, held),
                     HS_PART(c, next, held), HS_PART(c, held, rows), HS_PART(c, altered, rows),
                     HS_PART(c, first, rows), HS_PART(c, is_altered, rows)));
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
        find_nearest(c, row, NULL, c->near + (size_t)row * c->k);
        c->hits += count_hits(c, row, c->near + (size_t)row * c->k);
    }
    c->fitness = fitness_up(c, c->hits);
    uint64_t hits = 0;
    for (uint32_t v = 0; v < nodes;) {
        uint32_t chosen = HSEL_NONE, made = HSEL_NONE; /* made: a move that is not undone yet */
        double best = c->fitness;
        if (hs_projection_has(&c->on, v) && !done[v]) {
            size_t count;
            const uint32_t *parents = hs_parents(c->dag, v, &count);
            HS_TRY(hs_progress_report(c->progress, v, nodes, "nodes", error));
            for (size_t i = 0; i < count; i++) {
                const uint32_t parent = parents[i];
                if (tried[parent] != moves) { /* else a sibling has tried it since the last move */
                    if (made != HSEL_NONE)
                        undo_move(c);
                    hits = move_up(c, made = parent, true);
                    found[parent] = hits == HOPELESS ? c->fitness : fitness_up(c, hits);
                    tried[parent] = moves;
                }
                if (found[parent] > best) {
                    best = found[parent];
                    chosen = parent;
                }
            }
            done[v] = chosen == HSEL_NONE;
        }
        if (made != HSEL_NONE && made != chosen)
            undo_move(c);
        if (chosen == HSEL_NONE) {
            v++;
            continue;
        }
        c->hits = made == chosen ? hits : move_up(c, chosen, false);
        c->fitness = fitness_up(c, c->hits);
        for (uint32_t i = 0; i < c->alterations; i++) {
            const size_t at = (size_t)c->altered[i] * c->k;
            memcpy(c->near + at, c->trial + at, c->k * sizeof *c->near);
        }
        moves++;
        v = 0; /* start again after a move */
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
        hs_projection_share(&c->on, *row);
        for (uint32_t j = 0; j < c->on.rows; j++)
            if (!c->on.touched[j] || j < *row)
                add_distance(c, *row, j, hs_projection_shared(&c->on, j), sign, c->trial_other,
                             c->trial_same);
    }
}

static double fitness_down(const struct climb *c, const double *other, const double *same)
{
    double sum = 0;
    for (uint32_t i = 0; i < c->on.rows; i++)
        sum += other[i] / (1 + c->alpha * same[i]);
    return sum;
}

/* The largest range of a candidate: the unit of distances, so that f is the same in any unit of
 * measurement. 1 of binary features. */
static double largest_range(const hs_projection *on)
{
    double range = 0;
    for (uint32_t f = 0; f < on->candidates; f++) {
        const uint64_t begin = on->column.start[f], end = on->column.start[f + 1];
        double least = end - begin < on->rows ? 0 : INFINITY, most = -least;
        for (uint64_t k = begin; k < end; k++) {
            least = fmin(least, on->in_column[k]);
            most = fmax(most, on->in_column[k]);
        }
        range = fmax(range, most - least);
    }
    return range > 0 ? range : 1;
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
    c->alpha = c->options->alpha / largest_range(&c->on);
    for (uint32_t v = 0; v < nodes; v++)
        if (hs_is_root(c->dag, v))
            hs_projection_toggle(&c->on, v);
    for (;;) {
        uint32_t chosen = HSEL_NONE;
        memset(sums, 0,
               2 * rows * sizeof *sums); /* recomputed, so that rounding errors do not accumulate */
        for (uint32_t i = 0; i < rows; i++) {
            if (i % ROWS_PER_REPORT == 0)
                HS_TRY(hs_progress_report(c->progress, i, rows, "instances", error));
            hs_projection_share(&c->on, i);
            for (uint32_t j = 0; j < i; j++)
                add_distance(c, i, j, hs_projection_shared(&c->on, j), 1, c->other, c->same);
        }
        double best = fitness_down(c, c->other, c->same);
        for (uint32_t v = 0; v < nodes; v++) {
            if (!hs_projection_has(&c->on, v) || hs_is_leaf(c->dag, v))
                continue;
            HS_TRY(hs_progress_report(c->progress, v, nodes, "nodes", error));
            memcpy(c->trial_other, c->other, 2 * rows * sizeof *sums);
            plan_move(c, v, false);
            add_changed(c, -1);
            make_move(c);
            add_changed(c, 1);
            undo_move(c);
            double fitness = fitness_down(c, c->trial_other, c->trial_same);
            if (fitness > best + ABOVE_ROUNDING * best) {
                best = fitness;
                chosen = v;
            }
        }
        if (chosen == HSEL_NONE)
            return HSEL_OK;
        plan_move(c, chosen, false);
        make_move(c);
    }
}

/* ---- the selector ---- */

static int climbing_choose(const hs_candidates *c, const void *options, bool *keep,
                           hsel_error *error)
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
                           "%s has values below 0: use hill-climbing:similarity=euclidean",
                           hsel_dataset_name(c->training->view.data));
    HS_TRY(climb.options->direction == BOTTOM_UP ? bottom_up(&climb, error)
                                                 : top_down(&climb, error));
    for (uint32_t i = 0; i < c->count; i++)
        keep[i] = hs_projection_has(&climb.on, i);
    return hs_candidates_beaten(c, keep, false, error);
}

HS_EAGER_METHOD(
    hill_climbing, "hill-climbing",
    HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES | HS_ANY_FEATURES | HS_NUMERIC_TARGET | HS_CUTS_TARGET,
    table, sizeof(struct options), NULL, climbing_choose, FOUND, NOT_FOUND, NULL,
    .title = "hill climbing over sets of nodes",
    .help =
        "Starts from the leaves and replaces children by their parents while this improves the "
        "agreement of nearest neighbours in class (bottom-up), or starts from the roots and "
        "replaces nodes by their children while this moves the classes further apart (top-down). "
        "Numeric features are used unscaled and may not have missing values." HS_QUARTERS,
    .citation =
        "Wang, McKay, Abbass, Barlow (2003), A comparative study for domain ontology guided "
        "feature extraction (bottom-up); the same (2002), Learning text classifier using the "
        "domain concept hierarchy (top-down); compared in Ristoski, Paulheim (2014)");
