/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of `forest` that tests look at: growing one tree, and the forest that comes of them.
 */
#ifndef HS_CLASSIFY_FOREST_H
#define HS_CLASSIFY_FOREST_H

#include "classify/tree.h"
#include "core/random.h"

typedef enum hs_impurity { HS_INFORMATION, HS_GINI } hs_impurity;

typedef struct hs_forest_options {
    uint32_t trees, features, depth, min;
    int criterion; /* hs_impurity */
    bool permutation;
} hs_forest_options;

/* Features to be tried at a node of `count` that there are. */
uint32_t hs_forest_tried(const hs_forest_options *options, uint32_t count);

typedef struct hs_forest {
    hs_tree *tree;
    uint32_t trees, features, classes, tried;
    uint32_t out_of_bag; /* training instances that at least one tree did not see */
    double error;        /* share of them that these trees get wrong; NaN: there are none */
    double *importance;  /* [features]: mean decrease of impurity, summing to 1 (or all 0) */
    double *permutation; /* [features]: mean loss of accuracy out of the bag when the feature is
                            shuffled; NULL: not asked */
} hs_forest;

typedef struct hs_forest_grower { /* one per thread; zero-initialise */
    const hs_forest_options *options;
    const hs_tree_data *data;
    hs_tree_pool pool;
    hs_tree tree;
    uint32_t *order;   /* features, those tried at the node in front */
    uint32_t *drawn;   /* [rows]: how often the bootstrap drew each */
    double before;     /* weight times impurity of the node */
    double gain;       /* of the best split so far, with … */
    hs_tree_node best; /* … its test */
} hs_forest_grower;

HSEL_CHECKED int hs_forest_grower_init(hs_forest_grower *grower, const hs_forest_options *options,
                                       const hs_tree_data *data, hsel_error *error);
void hs_forest_grower_clear(hs_forest_grower *grower);
/* Draws the instances of tree `number` into grower->drawn. Without features all are drawn once. */
void hs_forest_bootstrap(hs_forest_grower *grower, hs_stream *stream);
/* Tree `number` of the forest for this seed; grower->drawn says what it saw. */
HSEL_CHECKED int hs_forest_grow(hs_forest_grower *grower, uint64_t seed, uint32_t number,
                                hs_tree *out, hsel_error *error);

#endif
