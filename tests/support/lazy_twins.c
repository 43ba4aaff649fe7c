/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lazy selectors as their algorithms are written down: removal loops over ancestors and
 * descendants, in random order, and for MR every root-leaf path.
 */
#include "support/lazy_world.h"

#include <assert.h>
#include <string.h>

static void random_order(const twin_context *c, uint32_t *order)
{
    for (uint32_t i = 0; i < c->w->graph.nodes; i++)
        order[i] = i;
    hs_random_shuffle(c->stream, order, c->w->graph.nodes);
}

static void keep_usable(const twin_context *c)
{
    memcpy(c->kept, c->w->usable, sizeof c->w->usable);
}

static void keep_value(const twin_context *c, bool value)
{
    for (uint32_t f = 0; f < c->w->graph.nodes; f++)
        c->kept[f] = c->w->usable[f] && c->w->value[f] == value;
}

static void twin_all_pos(const twin_context *c) { keep_value(c, true); }
static void twin_all_neg(const twin_context *c) { keep_value(c, false); }

/* For each f: removes the ancestors of a positive, the descendants of a negative f for which
 * `removes` says so. */
static void remove_related(const twin_context *c, bool (*removes)(double of_f, double of_other))
{
    const lazy_world *w = c->w;
    uint32_t order[MOST];
    random_order(c, order);
    for (uint32_t i = 0; i < w->graph.nodes; i++)
        for (uint32_t u = 0, f = order[i]; u < w->graph.nodes; u++) {
            bool related = w->value[f] ? w->graph.above[f][u] : w->graph.above[u][f];
            if (w->usable[f] && related && removes(w->score[f], w->score[u]))
                c->kept[u] = false;
        }
}

static bool always(double of_f, double of_other) { return of_f == of_other || of_f != of_other; }
static bool less(double of_f, double of_other) { return of_other < of_f; }
static bool less_or_equal(double of_f, double of_other) { return of_other <= of_f; }

static void twin_hip(const twin_context *c)
{
    keep_usable(c);
    remove_related(c, always);
}

static void drop_negative(const twin_context *c)
{
    for (uint32_t f = 0; f < c->w->graph.nodes; f++)
        c->kept[f] &= c->w->value[f];
}

static void twin_hip_plus(const twin_context *c)
{
    twin_hip(c);
    drop_negative(c);
}

static void twin_rpv(const twin_context *c)
{
    keep_usable(c);
    remove_related(c, less);
    drop_negative(c);
}

static void twin_hip_mr(const twin_context *c)
{
    keep_usable(c);
    remove_related(c, less_or_equal);
}

/* All but the last of the greatest go. */
static void keep_one(const twin_context *c, const uint32_t *list, size_t length)
{
    size_t best = 0;
    for (size_t i = 1; i < length; i++)
        if (c->w->score[list[i]] >= c->w->score[list[best]])
            best = i;
    for (size_t i = 0; i < length; i++)
        if (i != best)
            c->kept[list[i]] = false;
}

static void mr_on_path(const twin_context *c, const uint32_t *path, size_t length)
{
    for (size_t at = 0; at < length; at++) {
        uint32_t list[MOST];
        size_t count = 0;
        if (!c->w->usable[path[at]])
            continue;
        if (c->w->value[path[at]]) { /* root .. v */
            for (size_t i = 0; i <= at; i++)
                if (c->w->usable[path[i]])
                    list[count++] = path[i];
        } else { /* leaf .. v */
            for (size_t i = length; i-- > at;)
                if (c->w->usable[path[i]])
                    list[count++] = path[i];
        }
        keep_one(c, list, count);
    }
}

static void each_path(const twin_context *c, uint32_t *path, size_t length)
{
    const small_graph *graph = &c->w->graph;
    bool leaf = true;
    for (uint32_t v = 0; v < graph->nodes; v++)
        if (graph->edge[v][path[length - 1]]) {
            leaf = false;
            path[length] = v;
            each_path(c, path, length + 1);
        }
    if (leaf)
        mr_on_path(c, path, length);
}

static void twin_mr(const twin_context *c)
{
    const small_graph *graph = &c->w->graph;
    uint32_t path[MOST + 1];
    keep_usable(c);
    for (uint32_t v = 0; v < graph->nodes; v++) {
        bool root = true;
        for (uint32_t u = 0; u < graph->nodes; u++)
            root &= !graph->edge[v][u];
        path[0] = v;
        if (root)
            each_path(c, path, 1);
    }
}

/* Takes the worst away (of equals the last) until k are left. */
static void keep_best(const twin_context *c)
{
    const double *score = c->w->score;
    for (;;) {
        uint32_t worst = HSEL_NONE, count = 0;
        for (uint32_t f = 0; f < c->w->graph.nodes; f++)
            if (c->kept[f]) {
                count++;
                if (worst == HSEL_NONE || score[f] <= score[worst])
                    worst = f;
            }
        if (c->k == 0 || count <= c->k)
            return;
        c->kept[worst] = false;
    }
}

static void twin_hnb(const twin_context *c)
{
    twin_hip_mr(c);
    keep_best(c);
}

static void twin_rnb(const twin_context *c)
{
    keep_usable(c);
    keep_best(c);
}

const lazy_case lazy_cases[] = {
    {"all-pos", twin_all_pos, 0, 0, 0, false},
    {"all-neg", twin_all_neg, 0, 0, 0, false},
    {"rpv", twin_rpv, BY_LAZYR, HS_LAZYR_EQUATION, 0, false},
    {"rpv:lazyr=code", twin_rpv, BY_LAZYR, HS_LAZYR_CODE, 0, false},
    {"rpv:measure=r", twin_rpv, BY_R, HS_SMOOTHING_LAPLACE, 0, false},
    {"rpv:measure=r,smoothing=rpv", twin_rpv, BY_R, HS_SMOOTHING_RPV, 0, false},
    {"rpv:measure=r,smoothing=none", twin_rpv, BY_R, HS_SMOOTHING_NONE, 0, false},
    {"rpv:measure=ig", twin_rpv, BY_IG, 0, 0, false},
    {"hip", twin_hip, 0, 0, 0, false},
    {"hip-plus", twin_hip_plus, 0, 0, 0, false},
    {"mr", twin_mr, BY_R, HS_SMOOTHING_LAPLACE, 0, false},
    {"mr:smoothing=rpv", twin_mr, BY_R, HS_SMOOTHING_RPV, 0, false},
    {"mr:smoothing=none", twin_mr, BY_R, HS_SMOOTHING_NONE, 0, false},
    {"hip-mr", twin_hip_mr, BY_R, HS_SMOOTHING_LAPLACE, 0, false},
    {"hip-mr:smoothing=rpv", twin_hip_mr, BY_R, HS_SMOOTHING_RPV, 0, false},
    {"hnb-s", twin_hip_mr, BY_R, HS_SMOOTHING_LAPLACE, 0, false},
    {"hnb", twin_hnb, BY_R, HS_SMOOTHING_LAPLACE, 0, false},
    {"hnb:k=1", twin_hnb, BY_R, HS_SMOOTHING_LAPLACE, 1, true},
    {"hnb:k=3", twin_hnb, BY_R, HS_SMOOTHING_LAPLACE, 3, true},
    {"rnb", twin_rnb, BY_R, HS_SMOOTHING_LAPLACE, 0, false},
    {"rnb:k=1", twin_rnb, BY_R, HS_SMOOTHING_LAPLACE, 1, true},
    {"rnb:k=4,smoothing=rpv", twin_rnb, BY_R, HS_SMOOTHING_RPV, 4, true},
};

const size_t lazy_case_count = sizeof lazy_cases / sizeof lazy_cases[0];

extern const hs_method hs_method_ig;

void lazy_score_features(const lazy_case *one, lazy_world *w)
{
    double room[HS_CELLS_ROOM(8)];
    assert(w->counts.classes <= 8);
    for (uint32_t f = 0; f < w->graph.nodes; f++) {
        hs_cells cells = hs_cells_of(&w->counts, f, 1);
        w->score[f] =
            one->measure == BY_IG  ? hs_score_cells(hs_method_ig.measure, &cells, NULL, room)
            : one->measure == BY_R ? hs_score_r(&cells, (hs_smoothing)one->variant)
                                      : hs_score_lazyr(&cells, (hs_lazyr_form)one->variant);
    }
}
