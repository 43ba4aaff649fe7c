/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Common parts of `tree` (c45.c) and `forest` (forest.c): finished trees, which predict, are stored
 * in files and shown; and the lists of instances that trees are grown from.
 *
 * Nodes are kept level by level: the children of a node together, after those of all nodes before
 * it. So the place of a node's children follows from the numbers of branches alone, is not kept in
 * files, and there can be no cycle.
 */
#pragma once

#include "classify/classify.h"

#define HS_TREE_SMALL                                                                              \
    1e-6 /* weights and gains that differ by no more than this are equal, as in J48 */

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
    double *weight; /* of the training instances at the node; 0: an empty leaf, which predicts like
                       its parent */
    double *share;  /* [nodes * classes], summing to 1; while growing, weights by class. Of numbers:
                       one per node, the mean; while growing, the weighted sum */
    uint32_t *place; /* [nodes]: where in share those of the node are, since half the nodes are of
                        one class, and these have them in common; NULL: one after another */
    bool numeric;    /* it predicts numbers, and has one class */
    size_t node_capacity, weight_capacity, share_capacity;
} hs_tree;

void hs_tree_clear(hs_tree *tree);
/* From a tree that was grown, and pruned: the nodes that can be reached, in order, in memory of
 * just their size, with shares instead of weights by class. `out` must be empty. */
HSEL_CHECKED int hs_tree_finish(const hs_tree *tree, hs_tree *out, hsel_error *error);

static inline bool hs_tree_is_leaf(const hs_tree *tree, uint32_t node)
{
    return tree->node[node].branches == 0;
}
static inline double *hs_tree_share(const hs_tree *tree, uint32_t node)
{
    return tree->share + (size_t)(tree->place ? tree->place[node] : node) * tree->classes;
}

/* ---- predicting ---- */

/* An instance as a tree sees it. */
typedef struct hs_tree_case {
    const hsel_dataset *data;
    uint32_t instance;
    const hs_bit_columns *columns; /* of the data; NULL: its row is searched */
    uint32_t other_feature, other; /* the value of this feature is taken from another instance;
                                      HSEL_NONE: of none */
} hs_tree_case;

/* The branch that the instance takes, HSEL_NONE when its value is missing or of another kind than
 * the test. */
uint32_t hs_tree_branch(const hs_tree_node *node, const hs_tree_case *x);

typedef struct hs_tree_pending {
    uint32_t node, parent;
    union {
        double weight;  /* of one instance … */
        uint64_t which; /* … or bit set of those that come to the node */
    };
} hs_tree_pending;

/* Adds the class probabilities of the instance to sum[classes]. pending: space for as many as the
 * tree has nodes. laplace: (w_c + 1) / (w + K) instead of w_c / w at a leaf. */
void hs_tree_predict(const hs_tree *tree, const hs_tree_case *x, bool laplace,
                     hs_tree_pending *pending, double *sum);
/* The same for those of up to 64 instances that are in the bit set `which`, into sum[64 * classes]:
 * they descend the tree together. positive[features]: which of them have the feature. Without
 * laplace. */
void hs_tree_predict_many(const hs_tree *tree, const hsel_dataset *data, const uint32_t *instances,
                          uint64_t which, const uint64_t *positive, hs_tree_pending *pending,
                          double *sum);

/* ---- files and pictures ---- */

/* To or from a model file (hs_classifier's fields). `features` bounds the features of the tests. */
HSEL_CHECKED int hs_tree_fields(hs_tree *tree, uint32_t features, hs_transfer *file,
                                hsel_error *error);
/* For the slot of hs_classifier, of a model that begins with its tree. */
HSEL_CHECKED int hs_tree_describe(const void *tree, const hsel_dataset *shape,
                                  hs_describe_form form, hs_writer *out, hsel_error *error);

/* ---- growing: a training part with its numeric features sorted once ---- */

typedef struct hs_tree_value {
    double value;
    uint32_t row;
} hs_tree_value;

typedef struct hs_tree_column { /* of a numeric feature in use */
    const double *value;        /* [instances]; NaN: missing */
    double *own;                /* NULL, or what `value` points to: a sparse column spread out */
    hs_tree_value *sorted;      /* known values of the training rows, ascending, then by row */
    uint32_t known;
} hs_tree_column;

typedef struct hs_tree_data { /* zero-initialise; hs_tree_data_clear frees */
    const hsel_dataset *data;
    uint32_t classes; /* 1 if numbers are predicted */
    double *target;   /* [instances]: of the training rows, less the mean, over the standard
                         deviation; NULL: there are classes */
    double mean, sd;  /* of it; sd 1 if it is constant */
    uint32_t *row;    /* training instances with a class, in the order of the view: ascending */
    uint32_t rows;
    uint32_t *feature; /* features that may be used, ascending */
    uint32_t features, most_branches;
    hs_tree_column *numeric; /* one per numeric column of the data set */
    hs_bit_columns bits;     /* over all instances; words NULL: they would be too large */
    bool has_missing;        /* a training row lacks a value of a feature in use */
    double *weight;          /* [instances]: of the training rows; NULL: all are 1 */
    double total;            /* weight of all training rows */
    double *logs;            /* [rows + 1]: x log2 x */
    const struct hs_progress *progress; /* called at every node; may be NULL */
    hs_arena arena;                     /* of the lists here, but for those of the columns */
} hs_tree_data;

HSEL_CHECKED int hs_tree_data_init(hs_tree_data *out, const hs_training *training,
                                   hsel_error *error);
void hs_tree_data_clear(hs_tree_data *data);

/* Of an instance, to be set. */
static inline hs_tree_case hs_tree_training_case(const hs_tree_data *data)
{
    return (hs_tree_case){.data = data->data,
                          .columns = data->bits.words ? &data->bits : NULL,
                          .other_feature = HSEL_NONE};
}

static inline double hs_tree_weight(const hs_tree_data *data, uint32_t row)
{
    return data->weight ? data->weight[row] : 1;
}

/* Where a row is counted, and for how much, where its weight would be that of a class. */
static inline uint32_t hs_tree_label(const hs_tree_data *data, uint32_t row)
{
    return data->target ? 0 : data->data->class_of[row];
}
static inline double hs_tree_counts(const hs_tree_data *data, uint32_t row, double weight)
{
    return data->target ? weight * data->target[row] : weight;
}

static inline const hs_nominal_column *hs_tree_nominal(const hs_tree_data *data, uint32_t feature)
{
    return data->data->nominal + data->data->slot[feature];
}

/* x log2 x, of any weight; and fast, since weights are whole numbers unless values are missing
 * or instances have other weights. */
double hs_tree_xlog_any(double x);
static inline double hs_tree_xlog(const hs_tree_data *data, double x)
{
    uint32_t whole = (uint32_t)x;
    return whole == x && whole <= data->rows ? data->logs[whole] : hs_tree_xlog_any(x);
}

/* ---- lists of its instances, each with a weight, that are divided at every node ----
 *
 * A node's list is a part of one pool. Dividing it on a feature that is known everywhere puts the
 * lists of the children in its own place, so that a tree over n instances needs n entries in all;
 * instances with a missing value go down every branch with a fraction of their weight, and only
 * then are lists appended. Either way the node's own list stays whole: the lists of all nodes are
 * there at any time, as pruning wants them. */

typedef struct hs_tree_part {
    size_t begin, count;
} hs_tree_part;

typedef struct hs_tree_grower { /* zero-initialise; hs_tree_grower_clear frees */
    const hs_tree_data *data;
    hs_tree tree;
    uint32_t *row;
    double *weight;
    hs_tree_part *part; /* the list of each node */
    size_t used, row_capacity, weight_capacity, part_capacity;
    hs_arena arena;     /* all that follows, and what else growing needs */
    uint32_t *branch;   /* [rows]: scratch of dividing, as are the following */
    uint32_t *next_row; /* [rows] */
    double *next_weight;
    double *share;        /* [most branches] */
    hs_tree_part *child;  /* [most branches]: the answer of hs_tree_divide */
    double *in_node;      /* [instances]: weight in the list of the node that is split, else 0 */
    hs_tree_value *value; /* [rows]: the answer of hs_tree_sort */
    double *bag;          /* [most branches * classes]: weights of the split that is tried */
    double *size;         /* [most branches]: their sums */
    double *known;        /* [classes]: of a nominal feature */
} hs_tree_grower;

HSEL_CHECKED int hs_tree_grower_init(hs_tree_grower *g, const hs_tree_data *data,
                                     hsel_error *error);
void hs_tree_grower_clear(hs_tree_grower *g);
/* Makes space for `more` entries behind those in use. */
HSEL_CHECKED int hs_tree_reserve(hs_tree_grower *g, size_t more, hsel_error *error);
/* Weight of each class in the list into count[classes]; the sum. */
double hs_tree_tally(const hs_tree_grower *g, hs_tree_part part, double *count);
/* Divides by the node's test into g->child. */
HSEL_CHECKED int hs_tree_divide(hs_tree_grower *g, const hs_tree_node *node, hs_tree_part part,
                                hsel_error *error);
/* The test of a list with the given weights by class, and their sum; branches 0: no feature is good
 * enough. */
typedef hs_tree_node hs_tree_choice(void *context, hs_tree_part part, const double *count,
                                    double total);
/* Grows a tree from all entries of the grower, level by level. A node of less than twice the weight
 * `min`, of one class, or `depth` levels below the root (0: no limit) stays a leaf; of others
 * `choose` gives the test. Children go to the end of the tree. */
HSEL_CHECKED int hs_tree_grow(hs_tree_grower *g, uint32_t min, uint32_t depth,
                              hs_tree_choice *choose, void *context, hsel_error *error);

/* Weight times impurity of a list with these weights by class: entropy in bits, or Gini's index. Of
 * numbers, whose weighted sum is given, the variance less the mean of squares, which a split does
 * not change. */
typedef enum hs_impurity { HS_INFORMATION, HS_GINI, HS_VARIANCE } hs_impurity;
double hs_tree_impurity(const hs_tree_data *data, hs_impurity by, const double *count,
                        double total);
/* Have at least two of the branches the weight `min`? */
static inline bool hs_tree_has_two(const hs_tree_grower *g, uint32_t branches, double min)
{
    uint32_t large = 0;
    for (uint32_t j = 0; j < branches; j++)
        large += g->size[j] > min - HS_TREE_SMALL;
    return large >= 2;
}
/* Weights of a nominal feature's values, by class, into bag, size and known; their sum. */
double hs_tree_count_nominal(const hs_tree_grower *g, hs_tree_part part, uint32_t feature);
/* The known values of a numeric feature in the list of the node, ascending, then by row: into
 * g->value; how many. Sorts the list, or walks through all sorted values when the list is a large
 * part of them. */
uint32_t hs_tree_sort(hs_tree_grower *g, hs_tree_part part, uint32_t feature);
/* The middle of two values; the lower one where rounding leaves none between them. */
static inline double hs_tree_middle(double below, double above)
{
    const double middle = below / 2 + above / 2;
    return middle >= below && middle < above ? middle : below;
}
/* Bag and size with the sorted values all above a cut; moving one below it. */
void hs_tree_all_above(const hs_tree_grower *g, uint32_t count);
static inline void hs_tree_move_below(const hs_tree_grower *g, uint32_t row)
{
    uint32_t label = hs_tree_label(g->data, row);
    double weight = g->in_node[row], counts = hs_tree_counts(g->data, row, weight);
    g->bag[label] += counts;
    g->bag[g->data->classes + label] -= counts;
    g->size[0] += weight;
    g->size[1] -= weight;
}

/* ---- a C4.5 tree: the parts of `tree`, for tests ---- */

typedef struct hs_c45_options {
    hs_adjust_options adjust; /* comes first */
    double confidence;
    uint32_t min;
    bool pruning, raising, collapse, mdl, laplace;
} hs_c45_options;

typedef struct hs_c45_split {
    double gain, ratio, threshold;
    uint32_t branches; /* 0: the feature cannot split the list */
} hs_c45_split;

typedef struct hs_c45_work { /* a node that waits to be pruned, or for instances */
    hs_tree_part part;
    uint32_t node, next; /* next: the child to look at */
} hs_c45_work;

typedef struct hs_c45_landing { /* the leaf that a row comes to from a node */
    uint32_t from, row, leaf;
} hs_c45_landing;

typedef struct hs_c45 { /* zero-initialise; hs_c45_clear frees */
    const hs_c45_options *options;
    hs_tree_grower grower;
    hs_c45_split *split; /* [features in use]: of the current node */
    double *positive;    /* [features * classes]: weight of the positive instances at the node */
    double *errors;      /* [nodes]: of collapsing, of pruning */
    double *extra; /* [nodes * (classes + 1)]: by class and in all, what a raised branch would gain;
                      0 between uses */
    uint32_t *touched; /* [nodes]: leaves that gain something */
    uint32_t *next;    /* [instances]: without missing values, the instances of a leaf … */
    uint32_t *first;   /* [nodes]: … from this one on; HSEL_NONE: none */
    uint32_t *heir;    /* [nodes]: of a node that is no longer in the tree, the one in its place */
    hs_c45_landing *landing; /* [landings, a power of 2]: where rows came to, by a hash */
    size_t landings;
    bool *changed; /* [nodes]: has other instances than when it was pruned */
    hs_c45_work *work;
    size_t work_capacity, depth; /* depth: of the work list */
} hs_c45;

/* The whole tree, unpruned. */
HSEL_CHECKED int hs_c45_grow(hs_c45 *c45, const hs_c45_options *options, const hs_tree_data *data,
                             hsel_error *error);
void hs_c45_collapse(hs_c45 *c45);
HSEL_CHECKED int hs_c45_prune(hs_c45 *c45, hsel_error *error);
void hs_c45_clear(hs_c45 *c45);
/* Expected additional errors on new instances of a leaf of that weight, `errors` of which is in
 * other classes: C4.5's upper limit. */
double hs_c45_added_errors(double weight, double errors, double confidence);

/* ---- a forest: growing one tree, and the result of all trees ---- */

typedef struct hs_forest_options {
    hs_adjust_options adjust; /* comes first */
    uint32_t trees, features, depth, min;
    int criterion; /* hs_impurity */
    int lineage;   /* hs_lineage */
    int rule;      /* hs_forest_rule: with features = 0 */
    int bootstrap; /* hs_forest_sample */
    bool permutation, corrected, retry;
} hs_forest_options;

typedef enum hs_forest_rule { HS_TRY_SQRT, HS_TRY_LOG2 } hs_forest_rule;
typedef enum hs_forest_sample {
    HS_SAMPLE_NONE,
    HS_SAMPLE_PLAIN,
    HS_SAMPLE_BALANCED /* of each class as many as the rarest has */
} hs_forest_sample;

/* What one tree may split on: any features, or never a feature and one of its ancestors. */
typedef enum hs_lineage { HS_LINEAGE_ANY, HS_LINEAGE_ONE } hs_lineage;

/* Features to be tried at a node of `count` that there are. */
uint32_t hs_forest_tried(const hs_forest_options *options, uint32_t count);

typedef struct hs_forest {
    hs_tree *tree;
    uint32_t trees, features, classes, tried; /* classes: 1 if numbers are predicted */
    bool numeric;
    double mean,
        sd; /* of the target: predictions of trees are multiplied by sd, and mean is added */
    uint32_t out_of_bag; /* training instances that at least one tree did not see */
    double error;        /* share of them that these trees get wrong; NaN: there are none */
    double *importance;  /* [features]: mean decrease of impurity, summing to 1 (or all 0) */
    double *permutation; /* [features]: mean loss of accuracy out of the bag when the feature is
                            shuffled; NULL: not requested */
    double *permutation_square; /* [features]: mean over trees of the square of that loss; NULL: not
                                   requested, or read from a file */
    double *corrected; /* [features]: corrected impurity importance (classify/corrected.h); NULL:
                          not requested */
} hs_forest;

typedef struct hs_forest_grower { /* one per thread; zero-initialise */
    const hs_forest_options *options;
    hs_tree_grower grower;
    hs_stream stream;
    uint32_t *order;    /* features, those tried at the node in front */
    uint32_t *drawn;    /* [rows]: how often the bootstrap drew each */
    uint32_t *of_class; /* positions of rows, class by class; NULL: the bootstrap is not balanced */
    uint32_t *class_end;     /* [classes]: where they end */
    const hs_sparse *groups; /* drawn as a whole by the bootstrap: positions of rows; NULL: none */
    uint64_t *others;        /* bit set of features: those that are not binary … */
    uint64_t *occurs;        /* … and those that an instance of the node has */
    uint64_t *barred;  /* bit set of features above or below one that the tree splits on; NULL: all
                          may be used together */
    uint32_t *stack;   /* [features], for marking these */
    double gain;       /* of the best split of the node so far, with … */
    hs_tree_node best; /* … its test */
} hs_forest_grower;

HSEL_CHECKED int hs_forest_grower_init(hs_forest_grower *f, const hs_forest_options *options,
                                       const hs_tree_data *data, hsel_error *error);
/* Tree `number` of the forest for this seed; f->drawn says what it saw: n instances drawn with
 * replacement, or (without features) all of them once. */
HSEL_CHECKED int hs_forest_grow(hs_forest_grower *f, uint64_t seed, uint32_t number, hs_tree *out,
                                hsel_error *error);
