/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * TSEL: one representative for each path, the feature with the greatest lift (or information gain).
 * Jeong, Myaeng (2013), as Ristoski, Paulheim (2014) describe it; the programs at hand read it
 * differently:
 *
 *   iterative        the maximum of each path; while a representative has another below it, it is
 *                    replaced by the maxima of the paths from its children (kgextension);
 *   path-max         the maximum of each path, nothing else: nearest to the RPV study;
 *   path-max-filter  the same without those that have a representative below them;
 *   first-local      on each path the first feature that is not less than the next one, then the
 *                    same filter (hfs).
 *
 * Ties on a path fall to the feature nearest the root. chi2-top then keeps the best of what is left
 * by chi2, ties to the lower index; the paper gives no number, so the default keeps all. Lift is
 * that of the positive class, with more than two classes the greatest.
 * Time O(edges), iterative O(edges) a round; memory O(features).
 */
#include "select/eager.h"
#include "select/paths.h"

#include <stdlib.h>

#include "core/mem.h"

typedef struct settings {
    int reading, score;
    uint32_t chi2_top;
} settings;

enum { ITERATIVE, PATH_MAX, PATH_MAX_FILTER, FIRST_LOCAL };
enum { BY_LIFT, BY_IG };

static const hs_option table[] = {
    HS_CHOICE(settings, reading, "reading", "iterative|path-max|path-max-filter|first-local",
              "iterative", "which reading of the method"),
    HS_CHOICE(settings, score, "score", "lift|ig", "lift", "relevance of a feature"),
    HS_OPTION(settings, chi2_top, "chi2-top", "N", "0", 0, HS_FEATURES_LIMIT,
              "keep the N best of the representatives by chi2; 0 keeps all"),
    HS_OPTION_END};

static double score(const hs_cells *cells, const void *options)
{
    const settings *o = options;
    return o->score == BY_LIFT ? hs_score_lift(cells) : hs_score_ig(cells);
}

/* ---- the best by chi2 ---- */

struct ranked {
    double chi2;
    uint32_t candidate;
};

static int by_chi2_down(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->chi2 != y->chi2)
        return x->chi2 > y->chi2 ? -1 : 1;
    return x->candidate < y->candidate ? -1 : x->candidate > y->candidate;
}

static int keep_top(const hs_candidates *c, uint32_t top, bool *keep, hsel_error *error)
{
    struct ranked *ranked = HS_NEW(struct ranked, c->count);
    uint32_t count = 0;
    if (!ranked)
        return hs_fail_memory(error);
    for (uint32_t i = 0; i < c->count; i++)
        if (keep[i]) {
            hs_cells cells = hs_candidate_cells(c, i);
            ranked[count++] = (struct ranked){hs_score_chi2(&cells), i};
        }
    qsort(ranked, count, sizeof *ranked, by_chi2_down);
    for (uint32_t i = top; i < count; i++)
        keep[ranked[i].candidate] = false;
    hs_free(ranked);
    return HSEL_OK;
}

static int choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const settings *o = options;
    int status;
    if (o->reading == ITERATIVE)
        status = hs_paths_iterative(c->dag, c->score, keep, c->training->progress, error);
    else if (o->reading == FIRST_LOCAL)
        status = hs_paths_first_local(c->dag, c->score, keep, error);
    else
        status = hs_paths_maxima(c->dag, c->score, HS_TIE_ROOT, keep, error);
    if (status == HSEL_OK && (o->reading == PATH_MAX_FILTER || o->reading == FIRST_LOCAL))
        status = hs_paths_most_special(c->dag, keep, error);
    if (status == HSEL_OK && o->chi2_top > 0)
        status = keep_top(c, o->chi2_top, keep, error);
    return status;
}

static int prepare(const hs_training *training, const void *options, void **state,
                   hsel_error *error)
{
    static const hs_eager_rule rule = {.score = score, .choose = choose};
    return hs_eager_prepare(training, options, &rule, state, error);
}

static const hs_selector selector = {.prepare = prepare,
                                     .select_features = hs_eager_select,
                                     .scores = hs_eager_scores,
                                     .free = hs_eager_free};

const hs_method hs_method_tsel = {
    .kind = HS_SELECTOR,
    .name = "tsel",
    .title = "TSEL: a representative for each path",
    .help = "Takes the feature with the greatest lift of each path from a root to a leaf, the one "
            "nearest the root if several are equal. What happens to a representative that has "
            "another below it is read differently: iterative replaces it by the representatives of "
            "the paths that start at its children, path-max keeps it, path-max-filter drops it; "
            "first-local takes the first feature of a path that is not less than the next one, and "
            "drops likewise. The study of da Silva, Plastino and Freitas (2020) is nearest to "
            "path-max.",
    .citation = "Jeong, Myaeng: Feature selection using a semantic hierarchy for event recognition "
                "and type classification, IJCNLP 2013; readings after Ristoski, Paulheim (2014), "
                "kgextension and hfs",
    .flags = HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES,
    .options = table,
    .options_size = sizeof(settings),
    .selector = &selector};
