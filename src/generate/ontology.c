/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ontology-like data sets of any size, for tests and benchmarks: a hierarchy (ontology_dag.c) and
 * instances annotated with it.
 *
 * An instance is annotated with one feature after the other, each with all its ancestors, so the
 * true-path rule holds by construction. How many positive values it gets is drawn first and then
 * met exactly: when the room left is too small for a feature with its ancestors, only the upper
 * part of a path to it is taken, and the top of such a path always fits.
 *
 * A twentieth of the features are markers, each of one class. With `signal` s, a share s/2 of the
 * annotations of an instance are markers of its class; all others are any feature, equally likely.
 */
#include "generate/ontology.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "generate/generate.h"

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
              "mean number of parents of a feature that is no root; 1 makes trees"),
    HS_OPTION(settings, positives, "positives", "MEAN", "45", 0, HS_FEATURES_LIMIT,
              "mean number of positive values of an instance, ancestors included"),
    HS_OPTION(settings, depth, "depth", "N", "12", 1, 10000, "longest path from a root, in edges"),
    HS_OPTION(settings, roots, "roots", "N", "1", 1, HS_FEATURES_LIMIT, "features without parents"),
    HS_OPTION(settings, classes, "classes", "K", "2", 1, HS_CLASSES_LIMIT, "number of classes"),
    HS_OPTION(settings, largest_class, "largest-class", "SHARE", "0", 0, 1,
              "share of the first class, the others being equal; 0 makes all equal"),
    HS_OPTION(settings, signal, "signal", "S", "0.5", 0, 1,
              "how much features tell about the class: 0 nothing, 1 a great deal"),
    HS_TEXT(settings, prefix, "prefix", "TEXT", "T", "what names of features start with"),
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

/* ---- classes ------------------------------------------------------------------------------ */

/* Sizes are exact, the order is random. */
static void draw_labels(const settings *o, uint64_t seed, uint32_t *labels)
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

/* ---- annotations -------------------------------------------------------------------------- */

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

static void annotator_clear(annotator *a)
{
    hs_free(a->marker);
    hs_free(a->stamp);
    hs_free(a->row);
    hs_free(a->path);
}

static int annotator_init(annotator *a, const settings *o, const hsel_dag *dag, uint64_t seed,
                          hsel_error *error)
{
    hs_stream stream;
    uint32_t n = o->features;
    a->o = o;
    a->dag = dag;
    a->markers = (uint32_t)ceil(MARKER_SHARE * n);
    if (a->markers < o->classes)
        a->markers = o->classes < n ? o->classes : n;
    a->marker = HS_NEW(uint32_t, n);
    a->stamp = HS_NEW_ZERO(uint32_t, n);
    a->row = HS_NEW(uint32_t, n);
    a->path = HS_NEW(uint32_t, (size_t)o->depth + 1);
    if (!a->marker || !a->stamp || !a->row || !a->path)
        return hs_fail_memory(error);
    for (uint32_t f = 0; f < n; f++)
        a->marker[f] = f;
    hs_stream_init(&stream, seed, "ontology markers", 0, 0);
    hs_random_shuffle(&stream, a->marker, n);
    return HSEL_OK;
}

/* Spread evenly around the mean, by half of it where the bounds allow: 1 … features from a mean of
 * 1 on. */
static uint32_t draw_target(annotator *a)
{
    double n = a->o->features, mean = a->o->positives < n ? a->o->positives : n;
    double spread = fmin(mean / 2, fmin(fmax(mean - 1, 0), n - mean));
    double target = mean + (2 * hs_random_double(&a->stream) - 1) * spread, whole = floor(target);
    uint32_t count = (uint32_t)whole + (hs_random_double(&a->stream) < target - whole);
    return count < a->o->features ? count : a->o->features;
}

static uint32_t draw_feature(annotator *a, uint32_t label)
{
    uint32_t classes = a->o->classes;
    if (label < a->markers && hs_random_double(&a->stream) < a->o->signal * MARKED_SHARE) {
        uint32_t own = (a->markers - label + classes - 1) / classes; /* label, label + classes, … */
        return a->marker[label + classes * (uint32_t)hs_random_below(&a->stream, own)];
    }
    return (uint32_t)hs_random_below(&a->stream, a->o->features);
}

/* A feature that is not positive yet; there is one. */
static uint32_t draw_negative(annotator *a, uint32_t label)
{
    for (int tries = 0; tries < PICK_TRIES; tries++) {
        uint32_t f = draw_feature(a, label);
        if (a->stamp[f] != a->round)
            return f;
    }
    uint32_t f = (uint32_t)hs_random_below(&a->stream, a->o->features);
    while (a->stamp[f] == a->round)
        f = f + 1 < a->o->features ? f + 1 : 0;
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

/* Makes f and its ancestors positive, if that is at most `room` new values. The row is the queue of
 * the search. */
static bool take(annotator *a, uint32_t f, uint32_t room)
{
    uint32_t before = a->count;
    a->stamp[f] = a->round;
    a->row[a->count++] = f;
    for (uint32_t head = before; head < a->count; head++) {
        size_t parents;
        const uint32_t *parent = hs_parents(a->dag, a->row[head], &parents);
        for (size_t k = 0; k < parents; k++) {
            if (a->stamp[parent[k]] == a->round)
                continue;
            if (a->count - before == room)
                goto undo;
            a->stamp[parent[k]] = a->round;
            a->row[a->count++] = parent[k];
        }
    }
    return true;
undo:
    while (a->count > before)
        a->stamp[a->row[--a->count]] = 0;
    return false;
}

/* The features of one instance, in no order. */
static void annotate(annotator *a, uint64_t seed, uint32_t instance, uint32_t label)
{
    hs_stream_init(&a->stream, seed, "ontology", instance, 0);
    a->round = instance + 1;
    a->count = 0;
    for (uint32_t target = draw_target(a); a->count < target;) {
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

static int add_instances(hs_builder *builder, annotator *a, const uint32_t *labels, uint64_t seed,
                         hsel_error *error)
{
    int status = HSEL_OK;
    for (uint32_t i = 0; status == HSEL_OK && i < a->o->instances; i++) {
        annotate(a, seed, i, labels[i]);
        status = hs_builder_row(builder, NULL, 0, labels[i], error);
        for (uint32_t k = 0; status == HSEL_OK && k < a->count; k++)
            status = hs_builder_positive(builder, a->row[k], error);
    }
    return status;
}

/* ---- names -------------------------------------------------------------------------------- */

static int add_names(hs_builder *builder, const settings *o, hsel_error *error)
{
    char name[PREFIX_LIMIT + 32];
    uint32_t id;
    int width = hs_digits(o->features) > 7 ? hs_digits(o->features) : 7;
    int status = hs_builder_describe(builder, "ontology", "class", NULL, error);
    for (uint32_t f = 0; status == HSEL_OK && f < o->features; f++) {
        int length = snprintf(name, sizeof name, "%s%0*u", o->prefix, width, f + 1);
        status = hs_builder_feature(builder, name, (size_t)length, HSEL_BINARY, &id, error);
    }
    for (uint32_t k = 0; status == HSEL_OK && k < o->classes; k++) {
        int length = snprintf(name, sizeof name, "%u", k);
        status = hs_builder_class(builder, name, (size_t)length, &id, error);
    }
    return status;
}

static int generate(const void *options, uint64_t seed, hsel_dataset **out, hsel_error *error)
{
    const settings *o = options;
    hs_ontology_shape shape = {
        .nodes = o->features, .roots = o->roots, .depth = o->depth, .parents = o->parents};
    annotator a = {0};
    hs_builder *builder = NULL;
    hsel_dag *dag = NULL;
    uint32_t *labels = NULL;
    int status = check_settings(o, error);
    if (status == HSEL_OK)
        status = hs_builder_new(&builder, error);
    if (status == HSEL_OK)
        status = add_names(builder, o, error);
    if (status == HSEL_OK)
        status = hs_ontology_dag(&shape, seed, &dag, error);
    if (status == HSEL_OK)
        status = annotator_init(&a, o, dag, seed, error);
    if (status == HSEL_OK && !(labels = HS_NEW(uint32_t, o->instances)))
        status = hs_fail_memory(error);
    if (status == HSEL_OK) {
        draw_labels(o, seed, labels);
        status = add_instances(builder, &a, labels, seed, error);
    }
    annotator_clear(&a);
    hs_free(labels);
    if (status == HSEL_OK)
        status = hs_generate_finish(builder, dag, out, error);
    else
        hs_dag_free(dag);
    hs_builder_free(builder);
    return status;
}

static const hs_generator ontology = {.generate = generate};

const hs_method hs_method_ontology = {
    .kind = HS_GENERATOR,
    .name = "ontology",
    .title = "ontology-like sets of any size",
    .help = "A hierarchy in levels with several parents a feature, as the Gene Ontology has, and "
            "instances annotated with features and all their ancestors. The number of edges is "
            "edges-per-node times the features that are no roots, rounded, as far as there are "
            "features enough; each instance has about the number of positive values asked for, "
            "spread evenly by half of it, and the mean is met closely. The shape of CE-BP (worm "
            "genes, biological process): "
            "instances=657,features=991,edges-per-node=1.7242,positives=44.8,depth=13,largest-"
            "class=0.656."
            " A large case: instances=100000,features=100000,edges-per-node=10,positives=100.",
    .citation = "made for this program; shape after the Gene Ontology data sets of da Silva, "
                "Plastino, Freitas (2020)",
    .flags = HS_STOCHASTIC,
    .options = table,
    .options_size = sizeof(settings),
    .generator = &ontology};
