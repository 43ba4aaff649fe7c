/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A finished decision tree, of `tree` or one of `forest`: predicting, files, pictures.
 *
 * Nodes stand level by level: the children of a node together, after those of all nodes before it.
 * So where a node's children are follows from the numbers of branches alone, is not kept in files,
 * and there can be no cycle.
 */
#ifndef HS_CLASSIFY_TREE_MODEL_H
#define HS_CLASSIFY_TREE_MODEL_H

#include "classify/bytes.h"
#include "classify/classify.h"
#include "data/bits.h"

typedef struct hs_tree_node {
    uint32_t feature;  /* HSEL_NONE: a leaf */
    uint32_t kind;     /* hsel_feature_type of the test */
    uint32_t child;    /* the first of its children */
    uint32_t branches; /* 0: a leaf. Binary: negative, positive. Numeric: up to the threshold,
                          above. Nominal: its values */
    double threshold;
} hs_tree_node;

typedef struct hs_tree { /* zero-initialise, set classes; hs_tree_clear frees */
    uint32_t classes, nodes;
    hs_tree_node *node;
    double *weight; /* of the training instances that came to the node; 0: an empty leaf, which
                       answers as its parent */
    double *share;  /* [nodes * classes], summing to 1; while growing, weights by class */
    size_t node_room, weight_room, share_room;
} hs_tree;

void hs_tree_clear(hs_tree *tree);
/* Adds leaves. */
HSEL_CHECKED int hs_tree_add(hs_tree *tree, uint32_t count, hsel_error *error);
/* Drops nodes that cannot be reached any more and puts the others in order. */
HSEL_CHECKED int hs_tree_compact(hs_tree *tree, hsel_error *error);
/* The same tree in memory of just its size; `out` must be empty. */
HSEL_CHECKED int hs_tree_copy(const hs_tree *tree, hs_tree *out, hsel_error *error);
/* From weights by class to shares. */
void hs_tree_normalise(hs_tree *tree);

static inline bool hs_tree_is_leaf(const hs_tree *tree, uint32_t node)
{
    return tree->node[node].branches == 0;
}
static inline const double *hs_tree_share(const hs_tree *tree, uint32_t node)
{
    return tree->share + (size_t)node * tree->classes;
}
uint32_t hs_tree_leaves(const hs_tree *tree);
/* The class with the largest share, the lowest of equal ones. */
uint32_t hs_tree_majority(const hs_tree *tree, uint32_t node);

/* ---- predicting ---- */

/* An instance as a tree sees it. */
typedef struct hs_tree_case {
    const hsel_dataset *data;
    uint32_t instance;
    const uint64_t *positive; /* bit set of its positive features, or NULL … */
    const hs_bit_columns
        *columns; /* … then bit columns of the data, or NULL: its row is searched */
    uint32_t other_feature,
        other; /* this feature's value is taken from another instance; HSEL_NONE: none */
} hs_tree_case;

/* The branch that the instance takes, HSEL_NONE when its value is missing or of another kind than
 * the test. */
uint32_t hs_tree_branch(const hs_tree_node *node, const hs_tree_case *x);

typedef struct hs_tree_pending {
    uint32_t node, parent;
    double weight;
} hs_tree_pending;

/* Adds the class probabilities of the instance to sum[classes]. pending: room for as many as the
 * tree has nodes. laplace: (w_c + 1) / (w + K) instead of w_c / w at a leaf. */
void hs_tree_predict(const hs_tree *tree, const hs_tree_case *x, bool laplace,
                     hs_tree_pending *pending, double *sum);

/* Scratch of predicting with one or more trees. */
typedef struct hs_tree_scratch {
    uint64_t *positive; /* [bits of the features] */
    hs_tree_pending *pending;
} hs_tree_scratch;

HSEL_CHECKED int hs_tree_scratch_new(uint32_t features, uint32_t most_nodes, void **out,
                                     hsel_error *error);
void hs_tree_scratch_free(void *scratch);
void hs_tree_set_row(hs_tree_scratch *scratch, const hsel_dataset *data, uint32_t instance);
void hs_tree_unset_row(hs_tree_scratch *scratch, const hsel_dataset *data, uint32_t instance);

/* ---- files and pictures ---- */

void hs_tree_put(const hs_tree *tree, hs_writer *out);
/* `features` bounds the features of the tests. HSEL_EFORMAT without a message: damaged. */
HSEL_CHECKED int hs_tree_take(hs_bytes *bytes, uint32_t features, uint32_t classes, hs_tree *out,
                              hsel_error *error);

HSEL_CHECKED int hs_tree_show(const hs_tree *tree, const hsel_dataset *shape, hs_describe_form form,
                              hs_writer *out, hsel_error *error);

#endif
