/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ontology-like data sets of any size, for tests and benchmarks: a hierarchy and instances
 * annotated with it.
 *
 * The hierarchy. Nodes come in levels: the roots, then `depth`
 * levels whose sizes swell and taper as those of the Gene Ontology do. Each node has a parent in
 * the level above, so that its level is its depth, and some nodes have further parents near it,
 * mostly one level up: siblings stand side by side in a level, so nearness of position is nearness
 * in the tree, and the ancestors of a node overlap as they do in a real ontology.
 *
 * Invariant: a parent's level is smaller than its child's, so the graph is acyclic. Numbers of
 * features are a random permutation of the nodes: nothing can rely on parents coming first.
 *
 * An instance is annotated with one feature after the other, each with all its ancestors, so the
 * true-path rule holds by construction. How many positive values it gets is drawn first and then
 * met exactly: when the number left is too small for a feature with its ancestors, only the upper
 * part of a path to it is taken, and the top of such a path always fits.
 *
 * A twentieth of the features are markers, each of one class. With `signal` s, a share s/2 of the
 * annotations of an instance are markers of its class; all others are any feature, equally likely.
 */
#include "generate/generate.h"

/* Chance that a further parent is one level higher still; 44 % of those of CE-BP are. */
#define FURTHER_UP 0.44
/* Positions left and right in which further parents are looked for first. */
#define NEAR       1
#define NEAR_TRIES 8

#define MARKER_SHARE 0.05 /* of the features */
#define MARKED_SHARE 0.5  /* of the annotations, at signal 1 */
#define PICK_TRIES   64
#define PREFIX_LIMIT 64

typedef struct settings {
    uint32_t instances, features, depth, roots, classes;
    double parents, positives, signal, largest_class;
    const char *prefix;
} settings;

static const hs_option table[] = {
    HS_OPTION(settings, instances, "instances", "N", "1000", 1, HS_INSTANCES_LIMIT,
              "number of instances"),
    HS_OPTION(settings, features, "features", "N", "1000", 1, HS_FEATURES_LIMIT,
              "number of features"),
    HS_OPTION(settings, parents, "edges-per-node", "MEAN", "1.7", 1, 100,
              "mean number of parents of a feature that is not a root; 1 makes trees"),
    HS_OPTION(settings, positives, "positives", "MEAN", "45", 0, HS_FEATURES_LIMIT,
              "mean number of positive values of an instance, ancestors included"),
    HS_OPTION(settings, depth, "depth", "N", "12", 1, 10000, "longest path from a root, in edges"),
    HS_OPTION(settings, roots, "roots", "N", "1", 1, HS_FEATURES_LIMIT, "features without parents"),
    HS_OPTION(settings, classes, "classes", "K", "2", 1, HS_CLASSES_LIMIT, "number of classes"),
    HS_OPTION(settings, largest_class, "largest-class", "SHARE", "0", 0, 1,
              "share of the first class, with the others equal; 0 makes all equal"),
    HS_OPTION(settings, signal, "signal", "S", "0.5", 0, 1,
              "association of features with the class, from 0 (none) to 1 (very strong)"),
    HS_TEXT(settings, prefix, "prefix", "TEXT", "T", "prefix of the names of features"),
    HS_OPTION_END};

static int check_settings(const settings *o, hsel_error *error)
{
    if (o->roots > o->features)
        return hs_fail(error, HSEL_EUSAGE, "ontology: roots=%u is more than features=%u", o->roots,
                       o->features);
    if (o->parents * (o->features - o->roots) >= HS_EDGES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT,
                       "ontology: edges-per-node=%g with features=%u makes more than %u edges",
                       o->parents, o->features, HS_EDGES_LIMIT);
    if (o->largest_class > 0 && o->largest_class * o->classes < 1)
        return hs_fail(
            error, HSEL_EUSAGE,
            "ontology: largest-class=%g is less than an equal share of %u classes; give 0 for "
            "equal ones",
            o->largest_class, o->classes);
    const char *allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:.-";
    if (strlen(o->prefix) > PREFIX_LIMIT || o->prefix[strspn(o->prefix, allowed)])
        return hs_fail(error, HSEL_EUSAGE,
                       "ontology: prefix takes at most %d letters, digits and _ : . -, not '%.80s'",
                       PREFIX_LIMIT, o->prefix);
    return HSEL_OK;
}

/* ---- the hierarchy ---- */

typedef struct growth {
    hs_stream stream;
    uint32_t nodes, roots;
    uint32_t *start;  /* [levels + 1]: first node of each level */
    uint32_t *level;  /* of each node */
    uint32_t *parent; /* of each node but the roots: in the level above */
    uint32_t *extra;  /* number of further parents */
    uint32_t *stamp;  /* node + 1 for those that are its parents already */
    uint32_t *place;  /* number of the feature that a node becomes */
    hs_graph edges;   /* by the numbers of the features */
} growth;

/* Level l of d gets one node and a share of the others in proportion to l^2 (d+1-l)^4, close to
 * CE-BP's levels. */
static double level_weight(uint32_t level, uint32_t deepest)
{
    double rise = level, fall = (double)deepest + 1 - level;
    return rise * rise * fall * fall * fall * fall;
}

static bool is_full(const growth *g, uint32_t v)
{
    return g->extra[v] + 1 == g->start[g->level[v]];
}

/* A further parent, first looked for near the ancestors of v in the tree. Roots only for nodes of
 * level 1: for others they are implied. */
static uint32_t draw_parent(growth *g, uint32_t v)
{
    uint64_t reach = NEAR + (uint64_t)g->extra[v];
    for (int tries = 0; tries < NEAR_TRIES; tries++, reach *= 2) {
        uint32_t up = g->parent[v];
        while (g->level[up] > 1 && hs_random_double(&g->stream) < FURTHER_UP)
            up = g->parent[up];
        uint64_t step = 1 + hs_random_below(&g->stream, 2 * reach);
        int64_t to = step <= reach ? (int64_t)up - (int64_t)step : (int64_t)(up + step - reach);
        uint32_t l = g->level[up];
        if (to >= g->start[l] && to < g->start[l + 1] && g->stamp[to] != v + 1)
            return (uint32_t)to;
    }
    uint32_t p;
    do
        p = (uint32_t)hs_random_below(&g->stream, g->start[g->level[v]]);
    while (g->stamp[p] == v + 1);
    return p;
}

static int add_edge(growth *g, uint32_t v, uint32_t parent, hsel_error *error)
{
    g->stamp[parent] = v + 1;
    return hs_graph_edge(&g->edges, g->place[v], g->place[parent], error);
}

static void growth_clear(growth *g) { hs_graph_clear(&g->edges); }

static int make_hierarchy(const settings *o, uint64_t seed, hsel_dag **out, hsel_error *error)
{
    HS_OWNS(hs_arena_clear) hs_arena memory = {0};
    HS_OWNS(growth_clear) growth g = {.nodes = o->features, .roots = o->roots};
    uint32_t below = g.nodes - g.roots, deepest = o->depth < below ? o->depth : below;
    uint64_t most = 0; /* edges that this many nodes in these levels can have */
    double wanted = o->parents * (double)below + 0.5, total = 0, sum = 0;
    HS_NEED(HS_LISTS(&memory, &g, HS_PART(&g, start, (size_t)deepest + 2),
                     HS_PART(&g, level, g.nodes), HS_PART(&g, parent, g.nodes),
                     HS_PART(&g, place, g.nodes), HS_PART(&g, extra, g.nodes),
                     HS_PART(&g, stamp, g.nodes)));
    hs_stream_init(&g.stream, seed, "ontology hierarchy", 0, 0);
    for (uint32_t v = 0; v < g.nodes; v++)
        g.place[v] = v;
    hs_random_shuffle(&g.stream, g.place, g.nodes);
    /* The levels. */
    for (uint32_t l = 1; l <= deepest; l++)
        total += level_weight(l, deepest);
    g.start[1] = g.roots;
    for (uint32_t l = 1; l <= deepest; l++) {
        sum += level_weight(l, deepest);
        g.start[l + 1] = g.roots + l + (uint32_t)(sum / total * (below - deepest) + 0.5);
        most += (uint64_t)(g.start[l + 1] - g.start[l]) * g.start[l];
    }
    for (uint32_t l = 0; l <= deepest; l++)
        for (uint32_t v = g.start[l]; v < g.start[l + 1]; v++)
            g.level[v] = l;
    /* The tree: children are dealt at random to the nodes of the level above, then lined up in the
     * order of their parents. */
    for (uint32_t l = 1; l <= deepest; l++) {
        uint32_t *tally = g.extra; /* zero here, and again afterwards */
        uint32_t above = g.start[l - 1], width = g.start[l] - above, v = g.start[l];
        for (uint32_t i = g.start[l]; i < g.start[l + 1]; i++)
            tally[above + (uint32_t)hs_random_below(&g.stream, width)]++;
        for (uint32_t p = above; p < g.start[l]; p++)
            for (; tally[p] > 0; tally[p]--)
                g.parent[v++] = p;
    }
    /* How many further parents each node has. */
    uint64_t edges = wanted < (double)most ? (uint64_t)wanted : most;
    for (uint64_t e = below; e < edges; e++) {
        uint32_t v = 0;
        for (int tries = 0; v == 0 || (tries < 64 && is_full(&g, v)); tries++)
            v = g.roots + (uint32_t)hs_random_below(&g.stream, below);
        while (is_full(&g, v)) /* nearly all are full: the next one that is not */
            v = v + 1 < g.nodes ? v + 1 : g.roots;
        g.extra[v]++;
    }
    /* The edges. */
    for (uint32_t v = g.roots; v < g.nodes; v++) {
        uint32_t all = g.start[g.level[v]], further = g.extra[v], left = all - 1;
        HS_TRY(add_edge(&g, v, g.parent[v], error));
        /* half or more of all possible parents: each is taken with the chance that meets the number
         * (selection sampling) */
        for (uint32_t p = 0; g.extra[v] >= all / 2 && further > 0; p++)
            if (g.stamp[p] != v + 1 && hs_random_below(&g.stream, left--) < further) {
                HS_TRY(add_edge(&g, v, p, error));
                further--;
            }
        for (; further > 0; further--)
            HS_TRY(add_edge(&g, v, draw_parent(&g, v), error));
    }
    return hs_dag_new(g.nodes, g.edges.child, g.edges.parent, g.edges.edges, out, error);
}

/* ---- classes ---- */

/* Sizes are exact, the order is random. */
static void draw_classes(const settings *o, uint64_t seed, uint32_t *labels)
{
    hs_stream stream;
    uint32_t first = 0, at = 0;
    if (o->largest_class > 0) /* rounded up, but not because of a rounding error in the product */
        first = (uint32_t)ceil(o->largest_class * o->instances - 1e-6);
    uint32_t others = o->largest_class > 0 ? o->classes - 1 : o->classes;
    for (; at < first; at++)
        labels[at] = 0;
    for (uint32_t k = 0; at < o->instances; at++, k++)
        labels[at] = others > 0 ? o->classes - others + k % others : 0;
    hs_stream_init(&stream, seed, "ontology classes", 0, 0);
    hs_random_shuffle(&stream, labels, o->instances);
}

/* ---- annotations ---- */

typedef struct annotator {
    const settings *o;
    const hsel_dag *dag;
    hs_stream stream;
    uint32_t *marker; /* feature; marker m belongs to class m modulo classes */
    uint32_t markers;
    uint32_t *stamp; /* current round: positive in the instance under way */
    uint32_t *row;   /* its positive features so far … */
    uint32_t count, round;
    uint32_t *path; /* from a feature up */
} annotator;

/* A feature that is not positive yet; there is one. */
static uint32_t draw_negative(annotator *a, uint32_t label)
{
    uint32_t classes = a->o->classes, features = a->o->features, f;
    for (int tries = 0; tries < PICK_TRIES; tries++) {
        if (label < a->markers && hs_random_double(&a->stream) < a->o->signal * MARKED_SHARE) {
            uint32_t own = (a->markers - label + classes - 1) / classes; /* label, + classes, … */
            f = a->marker[label + classes * (uint32_t)hs_random_below(&a->stream, own)];
        } else {
            f = (uint32_t)hs_random_below(&a->stream, features);
        }
        if (a->stamp[f] != a->round)
            return f;
    }
    f = (uint32_t)hs_random_below(&a->stream, features);
    while (a->stamp[f] == a->round)
        f = f + 1 < features ? f + 1 : 0;
    return f;
}

/* A random parent that is negative, or HSEL_NONE. */
static uint32_t draw_negative_parent(annotator *a, uint32_t f)
{
    size_t count;
    uint32_t negative = 0, found = HSEL_NONE;
    const uint32_t *parents = hs_parents(a->dag, f, &count);
    for (size_t k = 0; k < count; k++)
        if (a->stamp[parents[k]] != a->round && hs_random_below(&a->stream, ++negative) == 0)
            found = parents[k];
    return found;
}

/* Makes f and its ancestors positive, if that is at most `most` new values. The row is the queue of
 * the search. */
static bool take(annotator *a, uint32_t f, uint32_t most)
{
    uint32_t before = a->count;
    bool fits = true;
    a->stamp[f] = a->round;
    a->row[a->count++] = f;
    for (uint32_t head = before; fits && head < a->count; head++) {
        size_t parents;
        const uint32_t *parent = hs_parents(a->dag, a->row[head], &parents);
        for (size_t k = 0; fits && k < parents; k++) {
            if (a->stamp[parent[k]] == a->round)
                continue;
            if (!(fits = a->count - before < most))
                break;
            a->stamp[parent[k]] = a->round;
            a->row[a->count++] = parent[k];
        }
    }
    while (!fits && a->count > before)
        a->stamp[a->row[--a->count]] = 0;
    return fits;
}

/* The features of one instance, in no order. */
static void annotate(annotator *a, uint64_t seed, uint32_t instance, uint32_t label)
{
    /* How many: spread evenly around the mean, by half of it where the bounds allow, which are
     * 1 … features from a mean of 1 on. */
    double n = a->o->features, mean = a->o->positives < n ? a->o->positives : n;
    double spread = fmin(mean / 2, fmin(fmax(mean - 1, 0), n - mean));
    hs_stream_init(&a->stream, seed, "ontology", instance, 0);
    double drawn = mean + (2 * hs_random_double(&a->stream) - 1) * spread, whole = floor(drawn);
    uint32_t target = (uint32_t)whole + (hs_random_double(&a->stream) < drawn - whole);
    target = target < a->o->features ? target : a->o->features;
    a->round = instance + 1;
    for (a->count = 0; a->count < target;) {
        uint32_t length = 0, f = draw_negative(a, label);
        for (; f != HSEL_NONE; f = draw_negative_parent(a, f))
            a->path[length++] = f;
        bool fits = true; /* down from the top, whose parents are all positive */
        while (fits && length > 0 && a->count < target) {
            f = a->path[--length];
            fits = a->stamp[f] == a->round || take(a, f, target - a->count);
        }
    }
}

static int ontology_generate(const void *options, uint64_t seed, hsel_dataset **out,
                             hsel_error *error)
{
    const settings *o = options;
    HS_OWNS(hs_arena_clear) hs_arena memory = {0};
    annotator a = {.o = o, .markers = (uint32_t)ceil(MARKER_SHARE * o->features)};
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    HS_OWNS(hs_dag_release) hsel_dag *dag = NULL;
    char name[PREFIX_LIMIT + 32];
    uint32_t id;
    HS_TRY(check_settings(o, error));
    HS_TRY(hs_builder_new(&builder, error));
    HS_TRY(hs_builder_describe(builder, "ontology", "class", NULL, error));
    int width = snprintf(NULL, 0, "%07u", o->features); /* of the last */
    for (uint32_t f = 0; f < o->features; f++) {
        int length = snprintf(name, sizeof name, "%s%0*u", o->prefix, width, f + 1);
        HS_TRY(hs_builder_feature(builder, name, (size_t)length, HSEL_BINARY, &id, error));
    }
    for (uint32_t k = 0; k < o->classes; k++) {
        int length = snprintf(name, sizeof name, "%u", k);
        HS_TRY(hs_builder_class(builder, name, (size_t)length, &id, error));
    }
    HS_TRY(make_hierarchy(o, seed, &dag, error));
    a.dag = dag;
    if (a.markers < o->classes)
        a.markers = o->classes < o->features ? o->classes : o->features;
    uint32_t *labels = HS_ARENA_NEW(&memory, uint32_t, o->instances);
    HS_NEED(labels &&
            HS_LISTS(&memory, &a, HS_PART(&a, marker, o->features), HS_PART(&a, row, o->features),
                     HS_PART(&a, stamp, o->features), HS_PART(&a, path, (size_t)o->depth + 1)));
    for (uint32_t f = 0; f < o->features; f++)
        a.marker[f] = f;
    hs_stream_init(&a.stream, seed, "ontology markers", 0, 0);
    hs_random_shuffle(&a.stream, a.marker, o->features);
    draw_classes(o, seed, labels);
    for (uint32_t i = 0; i < o->instances; i++) {
        annotate(&a, seed, i, labels[i]);
        HS_TRY(hs_builder_row(builder, NULL, 0, labels[i], error));
        for (uint32_t k = 0; k < a.count; k++)
            HS_TRY(hs_builder_positive(builder, a.row[k], error));
    }
    return hs_generate_finish(builder, &dag, out, error);
}

static const hs_generator ontology = {.generate = ontology_generate};

const hs_method hs_method_ontology = {
    .kind = HS_GENERATOR,
    .name = "ontology",
    .title = "ontology-like sets of any size",
    .help =
        "A hierarchy in levels with several parents per feature, as the Gene Ontology has, and "
        "instances annotated with features and all their ancestors. The number of edges is "
        "edges-per-node times the number of features that are not roots, as far as there are "
        "enough features. The number of positive values per instance varies evenly by half of the "
        "given mean, which is met closely. The shape of CE-BP (worm genes, biological process): "
        "instances=657,features=991,edges-per-node=1.7242,positives=44.8,depth=13,largest-class=0."
        "656. A large case: instances=100000,features=100000,edges-per-node=10,positives=100.",
    .citation = "made for this program; shape after the Gene Ontology data sets of da Silva, "
                "Plastino, Freitas (2020)",
    .flags = HS_STOCHASTIC,
    .options = table,
    .options_size = sizeof(settings),
    .generator = &ontology};
