/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SHSEL: features that say what their parent says are dropped, then those that say less than is
 * usual on their paths. Ristoski, Paulheim (2014), Algorithms 1 (initial) and 2 (prune).
 *
 *   initial  v goes if similarity(v, p) >= threshold for some parent p; similarity = 1 - |IG(v) -
 *            IG(p)| in bits, or the correlation of the two features.
 *   prune    v goes if IG(v) < mean IG of a path through it: of any path (strict, the pseudo-code;
 *            what the RPV study ran), or of every path (lenient, the text).
 *
 * Where the paper is open: the hierarchy does not change during the initial phase, roots always
 * survive it, the comparison is >=. mean=all takes means over whole paths, so that the two phases
 * are independent; mean=survivors over what the first one left, on the original paths or on those
 * of the contracted hierarchy. With a constant feature the correlation counts as 1. Scores equal
 * within 1e-12 are equal, so no tie is broken. Time O(edges + positive values * parents if by
 * correlation) + O(edges * nodes of the longest path), memory O(features + instances).
 */
#include "select/eager.h"
#include "select/paths.h"

typedef struct settings {
    int similarity, prune, mean, paths;
    double threshold;
} settings;

enum { BY_IG, BY_CORRELATION };
enum { STRICT, LENIENT, NO_PRUNING };
enum { ALL, SURVIVORS };
enum { ORIGINAL, CONTRACTED };

static const hs_option table[] = {
    HS_CHOICE(settings, similarity, "similarity", "ig|correlation", "ig",
              "similarity of a feature to its parent"),
    HS_OPTION(settings, threshold, "threshold", "T", "0.99", -1, 1,
              "features at least this similar to a parent go"),
    HS_CHOICE(settings, prune, "prune", "strict|lenient|none", "strict",
              "second phase: drop what is below the mean of any path, of every path, nothing"),
    HS_CHOICE(settings, mean, "mean", "all|survivors", "all",
              "means over all features of a path or over those that survived the first phase"),
    HS_CHOICE(settings, paths, "paths", "original|contracted", "original",
              "with mean=survivors: paths of the hierarchy as it is or without those dropped"),
    HS_OPTION_END};

static int choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const settings *o = options;
    hs_mean_over over = o->mean == ALL         ? HS_MEAN_ALL
                        : o->paths == ORIGINAL ? HS_MEAN_KEPT
                                               : HS_MEAN_CONTRACTED;
    if (o->similarity == BY_CORRELATION)
        HS_TRY(hs_candidates_uncorrelated(c, o->threshold, keep, error));
    else
        hs_paths_unlike_parents(c->dag, c->score, o->threshold, keep);
    if (o->prune == NO_PRUNING)
        return HSEL_OK;
    return hs_paths_prune(c->dag, c->score, over, o->prune == STRICT, keep, c->training->progress,
                          error);
}

HS_EAGER_SELECTOR(selector, hs_eager_scores, .score = hs_eager_ig, .choose = choose);

const hs_method hs_method_shsel = {
    HS_SELECTOR_WITH(selector, table, settings),
    .name = "shsel",
    .title = "SHSEL: unlike its parents, above its paths' means",
    .help = "Drops features that are as relevant as one of their parents, or correlated with it "
            "(first phase, initialSHSEL), then those whose information gain is below the mean of a "
            "path from a root to a leaf through them (second phase, pruneSHSEL). prune=none is the "
            "first phase alone. The pseudo-code of the paper drops what is low on any path "
            "(strict), its text keeps what is not low on one path (lenient). Means are over whole "
            "paths as in the study of da Silva, Plastino and Freitas (2020), or over what the "
            "first phase left.",
    .citation = "Ristoski, Paulheim: Feature selection in hierarchical feature spaces, Discovery "
                "Science 2014, Algorithms 1 and 2",
    .flags = HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES};
