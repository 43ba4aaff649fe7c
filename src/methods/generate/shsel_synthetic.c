/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The synthetic data sets of Ristoski and Paulheim (2014), S-D2-B2 … S-D4-B10.
 *
 * The paper gives: 1,000 instances; a middle layer of M = 300 binary features, from a polynomial; a
 * hierarchy built from there upwards and downwards under the true-path rule; depth D and branching
 * B; the numbers of features, which for D = 2, 4 and B = 2, 5, 10 are all six met by
 *
 *     features = 1 + D * M/B + M + D * M    root, D layers above, middle layer, D layers below
 *
 * (from B = 2 to 5 to 10 they fall by D * (M/2 - M/5) and D * (M/5 - M/10), from D = 2 to 4 they
 * rise by 2 * (M + M/B)). Layers of equal size are read as chains: B middle features share a
 * parent, once; above that each node has one parent, below the middle one child. The paper's Table
 * 4 agrees: TSEL by lift, which keeps at most one feature per leaf, keeps 300 on each of the six
 * sets, the leaves here.
 *
 * Left open by the paper and decided here: the polynomial and its degree, how many middle features
 * enter it, the share of positive values, how often a child follows its parent, noise. An upper
 * node is the OR of its children; a lower one is positive only if its parent is. Classes are split
 * at the median of the polynomial, ties by number of the instance.
 */
#include "generate/generate.h"

typedef struct settings {
    uint32_t instances, middle, depth, branching, degree;
    double relevant, density, keep, noise;
} settings;

static const hs_option table[] = {
    HS_OPTION(settings, instances, "instances", "N", "1000", 1, HS_INSTANCES_LIMIT,
              "number of instances; half of them of each class"),
    HS_OPTION(settings, middle, "middle", "N", "300", 1, HS_FEATURES_LIMIT,
              "features in the middle layer"),
    HS_OPTION(settings, depth, "depth", "D", "2", 1, 10000,
              "number of layers above, and of layers below, the middle one"),
    HS_OPTION(settings, branching, "branching", "B", "2", 2, HS_FEATURES_LIMIT,
              "middle features that share a parent"),
    HS_OPTION(settings, degree, "degree", "N", "3", 1, 16, "degree of the polynomial"),
    HS_OPTION(settings, relevant, "relevant", "SHARE", "0.1", 0, 1,
              "share of the middle features that enter the polynomial, at least one"),
    HS_OPTION(settings, density, "density", "P", "0.3", 0, 1,
              "probability that a middle feature is positive"),
    HS_OPTION(settings, keep, "keep", "P", "0.8", 0, 1,
              "probability that a child below the middle is positive when its parent is"),
    HS_OPTION(settings, noise, "noise", "SD", "0", 0, 1000,
              "noise added to the polynomial, in standard deviations of the polynomial"),
    HS_OPTION_END};

/* ---- the class: a polynomial over some middle features ---- */

/* Brings `count` random items to the front. */
static void draw_front(hs_stream *stream, uint32_t *items, uint32_t total, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = i + (uint32_t)hs_random_below(stream, total - i), kept = items[i];
        items[i] = items[j];
        items[j] = kept;
    }
}

/* The middle layer of an instance. The stream then goes on to its lower layers. */
static void draw_middle(const settings *o, uint64_t seed, uint32_t instance, hs_stream *stream,
                        bool *positive)
{
    hs_stream_init(stream, seed, "shsel-synthetic", instance, 0);
    for (uint32_t i = 0; i < o->middle; i++)
        positive[i] = hs_random_double(stream) < o->density;
}

/* labels[i]: 1 for the upper half of the instances by polynomial (the larger half if their number
 * is odd). Terms come in blocks of `relevant`: the first of degree 1, the next of degree 2 … Each
 * is weight * product of factors. */
static int draw_labels(const settings *o, uint64_t seed, bool *positive, uint8_t *labels,
                       hsel_error *error)
{
    uint32_t relevant = (uint32_t)(o->relevant * o->middle + 0.5);
    relevant = relevant < 1 ? 1 : relevant;
    const uint32_t degree = o->degree < relevant ? o->degree : relevant;
    const size_t terms = (size_t)relevant * degree;
    HS_OWNED uint32_t *pool = HS_NEW(uint32_t, o->middle);
    HS_OWNED uint32_t *factor = HS_NEW(uint32_t, terms * degree); /* term t: factor[t * degree] … */
    HS_OWNED double *weight = HS_NEW(double, terms);
    HS_OWNED double *score = HS_NEW_ZERO(double, o->instances);
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, o->instances);
    hs_stream stream;
    HS_NEED(pool && factor && weight && score && order);
    hs_stream_init(&stream, seed, "shsel-synthetic polynomial", 0, 0);
    for (uint32_t i = 0; i < o->middle; i++)
        pool[i] = i;
    draw_front(&stream, pool, o->middle, relevant);
    for (size_t t = 0; t < terms; t++) {
        uint32_t factors = 1 + (uint32_t)(t / relevant);
        if (factors > 1)
            draw_front(&stream, pool, relevant, factors);
        for (uint32_t k = 0; k < factors; k++)
            factor[t * degree + k] = factors == 1 ? pool[t] : pool[k];
        weight[t] = 2 * hs_random_double(&stream) - 1;
    }
    for (uint32_t i = 0; i < o->instances; i++) {
        draw_middle(o, seed, i, &stream, positive);
        for (size_t t = 0; t < terms; t++) {
            size_t factors = 1 + t / relevant, k = 0;
            while (k < factors && positive[factor[t * degree + k]])
                k++;
            if (k == factors)
                score[i] += weight[t];
        }
    }
    double mean = 0, square = 0;
    for (uint32_t i = 0; i < o->instances; i++)
        mean += score[i] / o->instances;
    for (uint32_t i = 0; i < o->instances; i++)
        square += (score[i] - mean) * (score[i] - mean) / o->instances;
    /* Noise is nearly normal, mean 0 and deviation 1: the sum of twelve uniform numbers, the same
     * on every machine. */
    for (uint32_t i = 0; o->noise > 0 && i < o->instances; i++) {
        double sum = -6;
        hs_stream_init(&stream, seed, "shsel-synthetic noise", i, 0);
        for (int k = 0; k < 12; k++)
            sum += hs_random_double(&stream);
        score[i] += o->noise * sqrt(square) * sum;
    }
    hs_order_all(score, HS_UPWARDS, order, o->instances);
    for (uint32_t rank = 0; rank < o->instances; rank++)
        labels[order[rank]] = rank >= o->instances / 2;
    return HSEL_OK;
}

/* ---- names and edges ---- */

/* `layer` and, unless it is 0, a number: up2_001. */
static int add_layer(hs_builder *builder, const char *layer, uint32_t number, uint32_t count,
                     hsel_error *error)
{
    char name[64], of_layer[16] = "";
    const int width = snprintf(NULL, 0, "%u", count); /* of the last */
    uint32_t id;
    if (number)
        snprintf(of_layer, sizeof of_layer, "%u", number);
    for (uint32_t i = 0; i < count; i++) {
        int length = snprintf(name, sizeof name, "%s%s_%0*u", layer, of_layer, width, i + 1);
        HS_TRY(hs_builder_feature(builder, name, (size_t)length, HSEL_BINARY, &id, error));
    }
    return HSEL_OK;
}

static int shsel_generate(const void *options, uint64_t seed, hsel_dataset **out, hsel_error *error)
{
    const settings *o = options;
    HS_OWNS(hs_dag_release) hsel_dag *dag = NULL;
    HS_OWNS(hs_builder_release) hs_builder *builder = NULL;
    HS_OWNS(hs_graph_clear) hs_graph graph = {0};
    HS_OWNED bool *positive = NULL;
    HS_OWNED uint8_t *labels = NULL;
    hs_stream stream;
    char name[48];
    uint32_t id;
    uint64_t groups = ((uint64_t)o->middle + o->branching - 1) / o->branching;
    uint64_t features = 1 + o->depth * groups + ((uint64_t)o->depth + 1) * o->middle;
    if (features > HS_FEATURES_LIMIT)
        return hs_fail(error, HSEL_ELIMIT,
                       "shsel-synthetic: middle=%u with depth=%u makes %llu features; at most %u "
                       "are possible",
                       o->middle, o->depth, (unsigned long long)features, HS_FEATURES_LIMIT);
    /* Layers one after the other, general to special: root, D upper ones from the top, middle, D
     * lower ones. upper: nodes of an upper layer; middle: the first node of the middle layer. */
    const uint32_t upper = (uint32_t)groups, middle = (uint32_t)(1 + o->depth * groups);
    HS_TRY(hs_builder_new(&builder, error));
    HS_TRY(hs_builder_class(builder, "negative", 8, &id, error));
    HS_TRY(hs_builder_class(builder, "positive", 8, &id, error));
    snprintf(name, sizeof name, "S-D%u-B%u", o->depth, o->branching);
    HS_TRY(hs_builder_describe(builder, name, "class", NULL, error));
    HS_TRY(hs_builder_feature(builder, "root", 4, HSEL_BINARY, &id, error));
    for (uint32_t k = o->depth; k > 0; k--)
        HS_TRY(add_layer(builder, "up", k, upper, error));
    HS_TRY(add_layer(builder, "middle", 0, o->middle, error));
    for (uint32_t k = 1; k <= o->depth; k++)
        HS_TRY(add_layer(builder, "down", k, o->middle, error));
    positive = HS_NEW(bool, o->middle);
    labels = HS_NEW(uint8_t, o->instances);
    HS_NEED(positive && labels);
    HS_TRY(draw_labels(o, seed, positive, labels, error));
    for (uint32_t i = 0; i < o->instances; i++) {
        draw_middle(o, seed, i, &stream, positive);
        HS_TRY(hs_builder_row(builder, NULL, 0, labels[i], error));
        /* The positive middle features, each with what it implies upwards, once per group, and what
         * is drawn downwards. */
        uint32_t last = HSEL_NONE; /* group of the last of them */
        for (uint32_t f = 0; f < o->middle; f++) {
            uint32_t group = f / o->branching;
            if (!positive[f])
                continue;
            if (last == HSEL_NONE)
                HS_TRY(hs_builder_positive(builder, 0, error));
            HS_TRY(hs_builder_positive(builder, middle + f, error));
            for (uint32_t k = 0; last != group && k < o->depth; k++)
                HS_TRY(hs_builder_positive(builder, 1 + k * upper + group, error));
            for (uint32_t k = 1; k <= o->depth && hs_random_double(&stream) < o->keep; k++)
                HS_TRY(hs_builder_positive(builder, middle + k * o->middle + f, error));
            last = group;
        }
    }
    /* Every node but the root has one parent. */
    for (uint32_t v = 1; v < features; v++) {
        uint32_t parent = v <= upper               ? 0
                          : v < middle             ? v - upper
                          : v < middle + o->middle ? middle - upper + (v - middle) / o->branching
                                                   : v - o->middle;
        HS_TRY(hs_graph_edge(&graph, v, parent, error));
    }
    HS_TRY(hs_dag_new((uint32_t)features, graph.child, graph.parent, graph.edges, &dag, error));
    return hs_generate_finish(builder, &dag, out, error);
}

static const hs_generator shsel_synthetic = {.generate = shsel_generate};

const hs_method hs_method_shsel_synthetic = {
    .kind = HS_GENERATOR,
    .name = "shsel-synthetic",
    .title = "synthetic sets of the SHSEL paper",
    .help =
        "A middle layer of independent binary features, the class from a polynomial over some of "
        "them (cut at the median, so that classes are equal in size), and a tree built from the "
        "middle layer: upwards, branching features share a parent, which is positive if one of "
        "them is, then chains to a common root; downwards, chains whose nodes are positive only if "
        "their parents are. The paper's sets and their features: S-D2-B2 depth=2,branching=2 "
        "(1201), S-D2-B5 depth=2,branching=5 (1021), S-D2-B10 depth=2,branching=10 (961), S-D4-B2 "
        "depth=4,branching=2 (2101), S-D4-B5 depth=4,branching=5 (1741), S-D4-B10 "
        "depth=4,branching=10 (1621). The paper does not give the polynomial, the share of "
        "positive values or how often children follow their parents: these defaults are ours.",
    .citation =
        "Ristoski, Paulheim: Feature selection in hierarchical feature spaces, Discovery Science "
        "2014, synthetic data sets; layers worked out from its numbers of features",
    .flags = HS_STOCHASTIC,
    .options = table,
    .options_size = sizeof(settings),
    .generator = &shsel_synthetic};
