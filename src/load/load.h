/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loads DATA, as given to every command and to the library: a data file, a pack, a folder, or only
 * a hierarchy; and prepares it by the shared options, in this order: read, hierarchy (clean,
 * cycles, bind), choose instances and branches, reduce, propagate, amounts, minimum support, drop
 * roots.
 */
#pragma once

#include "format/about.h"
#include "load/amounts.h"
#include "load/choose.h"
#include "format/format.h"

/* Roles of instances: strata for tests, the design of the study, and weights (data/design.h). */
enum { HS_ROLE_STRATA, HS_ROLE_GROUPS, HS_ROLE_TIME, HS_ROLE_TEST, HS_ROLE_WEIGHTS, HS_ROLES };

typedef struct hs_load_options {
    const char *format;            /* of the data file; NULL: found out */
    const char *hierarchy;         /* file; NULL: the folder's, or none */
    const char *hierarchy_format;  /* NULL: found out */
    bool no_hierarchy;             /* ignore the folder's hierarchy */
    bool pu;                       /* positives and unlabelled instances */
    const char *labels, *metadata; /* tables of format/about.h; NULL: the folder's, or none */
    const char *role[HS_ROLES];    /* of instances: a column or a file; NULL: none */
    hs_column_options columns;
    hs_list covariates; /* features that are always in the model */
    hs_graph_options graph;
    hs_choose_options choose;
    hs_amount_options amounts;
    bool drop_roots, propagate;
    uint32_t min_support;
    int edges;  /* hs_edges */
    int cycles; /* hs_cycles */
    int threads;
    /* Labels of features, or of instances, are not shown: do not read those of a folder. */
    bool features_unseen, instances_unseen;
} hs_load_options;

typedef enum hs_edges { HS_EDGES_AS_GIVEN, HS_EDGES_REDUCE } hs_edges;

/* Those that change values or leave out features, which a recipe keeps with those for branches. */
#define HS_PREPARE_OPTIONS                                                                         \
    HS_CHOICE(hs_load_options, edges, "edges", "as-given|reduce", "as-given",                      \
              "reduce: drop edges whose terms are also connected by a longer path"),               \
        HS_FLAG(hs_load_options, propagate, "propagate",                                           \
                "repair the true-path rule: make all ancestors of a positive feature positive"),   \
        HS_AMOUNT_OPTIONS(hs_load_options, "none"),                                                \
        HS_OPTION(hs_load_options, min_support, "min-support", "N", "0", 0, 2147483647,            \
                  "drop binary features that are positive in fewer than N instances"),             \
        HS_FLAG(                                                                                   \
            hs_load_options, drop_roots, "drop-roots",                                             \
            "drop features that have children but no parent, such as the roots of an ontology")

/* The metadata of instances and the roles of columns but the class, over hs_load_options. */
extern const hs_option hs_role_table[];
/* The options of every command that reads data. */
extern const hs_option hs_load_table[]; /* over hs_load_options */

typedef struct hs_role_report {
    uint32_t different, without; /* values; instances that have none */
    uint32_t smallest, largest;  /* of the values, by the instances that have it */
    uint32_t tested;             /* instances of the test set */
} hs_role_report;

typedef struct hs_load_report { /* zero-initialise; hs_load_report_clear frees */
    const hs_method *format, *hierarchy_format;
    hs_graph graph; /* of the hierarchy file, cleaned: what the data set does not hold of it */
    uint64_t edges_reduced, values_propagated;
    uint32_t features_merged;
    uint32_t features_made; /* terms above numbers, for aggregation */
    hs_bind_report bind;
    uint32_t rare_dropped, decimal_commas;
    hs_about_report labels, metadata;
    hs_role_report role[HS_ROLES];
    uint32_t branch_dropped; /* features that are not in the branches chosen */
    hs_chosen_instances instances;
    hs_graph_ends ends; /* of the hierarchy file, if its edges have a direction to choose … */
    int direction;      /* … and the one chosen */
    double share_before, share_after; /* of the values of binary features that are positive, before
                                         and after propagation */
    hs_names roots_dropped;           /* names of the features that drop-roots took */
    hs_amount_report amounts;
    hs_truepath truepath; /* of the result … */
    hs_totals totals;     /* … and whether its numbers add up */
} hs_load_report;

/* Whether instances have the role (HS_ROLE_STRATA, …), given now or stored, and what is in it. */
bool hs_role_known(const hsel_dataset *data, int role);
HSEL_CHECKED int hs_role_count(const hsel_dataset *data, int role, hs_role_report *out,
                               hsel_error *error);
/* The role that a column of what is known of instances is; HS_ROLES: none. */
int hs_role_of_column(const char *column);
/* Adds a table of metadata to what is known of the instances, unless nothing of it is needed. `id`
 * is its column of identifiers (NULL: `id`, else the first), `ids` are their names in it: usually
 * those of the data. A column that an option or `more` (NULL: none) names is not the label. */
HSEL_CHECKED int hs_metadata_load(const char *path, const char *id, const hs_load_options *options,
                                  const hs_list *more, hs_names *ids, hsel_dataset *data,
                                  hs_about_report *report, hsel_error *error);
/* The columns that these options name, and `more`: to be freed with hs_free (its items). */
HSEL_CHECKED int hs_role_names(const hs_load_options *options, const hs_list *more, hs_list *out,
                               hsel_error *error);
/* Gives the instances the roles that the options name. A feature with a role is no longer one. */
HSEL_CHECKED int hs_roles_take(const hs_load_options *options, hsel_dataset **data,
                               hsel_error *error);
/* Groups that are found, if the options say so: near copies, in the data as prepared. */
HSEL_CHECKED int hs_groups_find(const hs_load_options *options, hsel_dataset *data,
                                hsel_error *error);
/* Values of {groups} that name no column: … */
#define HS_NEAR_COPIES "near-copies" /* … groups of near copies (data/summary.h) */
#define HS_PAIRS       "pairs:"      /* … FILE of pairs of related instances */
#define HS_PATTERN     "id:"         /* … a separator in identifiers, or a regular expression */

/* Whether no option changes the data (threads do not). */
bool hs_load_as_it_stands(const hs_load_options *options);
/* Refuses options that contradict each other, whatever DATA is. hs_load does it too. */
HSEL_CHECKED int hs_load_check(const hs_load_options *options, hsel_error *error);
HSEL_CHECKED int hs_load(const char *path, const hs_load_options *options, hs_load_report *report,
                         hsel_dataset **out, hsel_error *error);
/* The same with options as one text, "class=label,drop-roots"; NULL: none. */
HSEL_CHECKED int hs_load_with(const char *path, const char *text, hsel_dataset **out,
                              hsel_error *error);
void hs_load_report_clear(hs_load_report *report);
/* Applies the options to loaded data: instances, branches, … to the end. */
HSEL_CHECKED int hs_load_prepare(hsel_dataset **data, const hs_load_options *options,
                                 hs_load_report *report, hsel_error *error);

/* ---- preparation, again ----
 *
 * hs_load_prepare stores its steps as the recipe of the data set (data/recipe.h). The recipe can be
 * applied to other data, with the learned number, and learned again from the instances of a
 * view. */

/* The options of a recipe. HSEL_EUSAGE: it has others, or they make no sense. */
HSEL_CHECKED int hs_recipe_options(const char *how, hs_arena *arena, hs_load_options *out,
                                   hsel_error *error);
/* Refuses options that are given and differ from those of the recipe. */
HSEL_CHECKED int hs_recipe_conflict(const char *how, const hs_load_options *given,
                                    hsel_error *error);
/* The values of `raw`, which has the features of recipe->raw. */
HSEL_CHECKED int hs_recipe_apply(const hs_recipe *recipe, double learned, const hsel_dataset *raw,
                                 hsel_dataset **out, hsel_error *error);
/* The same data set with another number learned. */
HSEL_CHECKED int hs_recipe_again(const hsel_dataset *data, double learned, hsel_dataset **out,
                                 hsel_error *error);
/* Learns from the rows of a view: if that gives another number, view->data becomes *made, which is
 * then the caller's to free. Nothing is copied otherwise. */
HSEL_CHECKED int hs_recipe_of_view(hs_view *view, hsel_dataset **made, hsel_error *error);

/* How the edges of a hierarchy file are read, over a struct T with `graph` and `cycles`. */
#define HS_EDGE_OPTIONS(T)                                                                         \
    HS_TEXT(T, graph.relations, "relations", "NAME,…", NULL,                                       \
            "relations that make an edge, e.g. is_a,part_of (default: is_a; in RDF subClassOf "    \
            "and broader)"),                                                                       \
        HS_CHOICE(T, graph.direction, "direction", "child-parent|parent-child", "child-parent",    \
                  "order of the two terms in each line of an edge list"),                          \
        HS_CHOICE(T, cycles, "cycles", "error|merge|drop", "error",                                \
                  "what to do with a cycle: refuse it, merge its terms, or drop the edges that "   \
                  "close it")
/* Reads a hierarchy file into a graph, cleaned and without cycles. */
HSEL_CHECKED int hs_load_graph(const char *path, const char *format,
                               const hs_graph_options *options, hs_cycles cycles, hs_graph *out,
                               const hs_method **found, hsel_error *error);
