/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GTD, greedy top-down: the best feature by gain ratio, and nothing above or below it. Lu et al.
 * (2013), for trees; on a DAG it is read differently:
 *
 *   path       the maximum of each path from a root to a leaf (the texts of Ristoski, Paulheim 2014
 *              and of the RPV study); may keep a feature and one below it, by different paths;
 *   antichain  for each root and what is below it: the best feature is taken, its ancestors and
 *              descendants there go, and so on; united over the roots (hfs);
 *   shortest   leaf after leaf, in order of index, on one shortest path to it: the best feature
 * that is still there is taken, and its ancestors and descendants go for good (kgextension).
 *
 * Ties: path by the option ties; antichain to the lower index; shortest to the root, of paths of
 * equal length that which at each step upwards has the parent nearest to a root, then of lower
 * index. kgextension takes any of these paths, and takes nothing from a path whose features all
 * score 0 unless there is but one.
 * Time O(edges); antichain O(edges + features log features) a root; shortest O(edges + leaves *
 * depth). Memory O(features).
 */
#include "select/eager.h"
#include "select/paths.h"

typedef struct settings {
    int reading, ties, score; /* ties: hs_path_tie */
} settings;

enum { PATH, ANTICHAIN, SHORTEST };
enum { BY_GR, BY_IG };

static const hs_option table[] = {
    HS_CHOICE(settings, reading, "reading", "path|antichain|shortest", "path",
              "which reading of the method"),
    HS_CHOICE(settings, ties, "ties", "root|leaf|both", "root",
              "with reading=path: which of equal maxima of a path is kept"),
    HS_CHOICE(settings, score, "score", "gr|ig", "gr",
              "relevance of a feature: gain ratio or information gain"),
    HS_OPTION_END};

static double score(const hs_cells *cells, const void *options)
{
    const settings *o = options;
    return o->score == BY_GR ? hs_score_gr(cells) : hs_score_ig(cells);
}

static int choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const settings *o = options;
    if (o->reading == ANTICHAIN)
        return hs_paths_antichain(c->dag, c->score, keep, c->training->progress, error);
    if (o->reading == SHORTEST)
        return hs_paths_shortest(c->dag, c->score, keep, c->training->progress, error);
    return hs_paths_maxima(c->dag, c->score, (hs_path_tie)o->ties, keep, error);
}

HS_EAGER_SELECTOR(selector, hs_eager_scores, .score = score, .choose = choose);

const hs_method hs_method_gtd = {
    HS_SELECTOR_WITH(selector, table, settings),
    .name = "gtd",
    .title = "GTD: greedy top-down by gain ratio",
    .help = "Takes features by gain ratio and drops what is above and below them. reading=path "
            "takes the maximum of each path from a root to a leaf; antichain goes through the "
            "features below each root from the best on, so that none kept for a root is above "
            "another; shortest looks at one shortest path for each leaf, in the order of the "
            "features, and depends on it. No reading meets the percentages that da Silva, "
            "Plastino and Freitas (2020) report for GTD.",
    .citation = "Lu, Ye, Tsui, Su, Rexit, Wesaratchakit, Liu, Hwa: Domain ontology-based feature "
                "reduction for high dimensional drug data and its application to 30-day heart "
                "failure readmission prediction, CollaborateCom 2013; readings after Ristoski, "
                "Paulheim (2014), hfs and kgextension",
    .flags = HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES};
