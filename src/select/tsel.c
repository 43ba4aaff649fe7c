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
#include "core/mem.h"
#include "rank/rank.h"
#include "select/eager.h"
#include "select/paths.h"

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

/* Of what is kept, the best by chi2. */
static int keep_top(const hs_candidates *c, uint32_t top, bool *keep, hsel_error *error)
{
    HS_OWNED double *chi2 = HS_NEW(double, c->count);
    HS_OWNED uint64_t *mask = HS_NEW_ZERO(uint64_t, hs_bit_words(c->count));
    HS_OWNED uint32_t *order = HS_NEW(uint32_t, c->count);
    HS_NEED(chi2 && mask && order);
    for (uint32_t i = 0; i < c->count; i++)
        if (keep[i]) {
            hs_cells cells = hs_candidate_cells(c, i);
            chi2[i] = hs_score_chi2(&cells);
            hs_bit_set(mask, i);
        }
    uint32_t count = hs_rank_order(chi2, c->count, mask, order);
    for (uint32_t i = top; i < count; i++)
        keep[order[i]] = false;
    return HSEL_OK;
}

static int choose(const hs_candidates *c, const void *options, bool *keep, hsel_error *error)
{
    const settings *o = options;
    if (o->reading == ITERATIVE)
        HS_TRY(hs_paths_iterative(c->dag, c->score, keep, c->training->progress, error));
    else if (o->reading == FIRST_LOCAL)
        HS_TRY(hs_paths_first_local(c->dag, c->score, keep, error));
    else
        HS_TRY(hs_paths_maxima(c->dag, c->score, HS_TIE_ROOT, keep, error));
    if (o->reading == PATH_MAX_FILTER || o->reading == FIRST_LOCAL)
        HS_TRY(hs_paths_most_special(c->dag, keep, error));
    return o->chi2_top > 0 ? keep_top(c, o->chi2_top, keep, error) : HSEL_OK;
}

HS_EAGER_SELECTOR(selector, hs_eager_scores, .score = score, .choose = choose);

const hs_method hs_method_tsel = {
    HS_SELECTOR_WITH(selector, table, settings),
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
    .flags = HS_NEEDS_HIERARCHY | HS_NEEDS_CLASSES};
