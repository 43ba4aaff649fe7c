/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ReliefF: features that tell an instance from its nearest neighbours of other classes and not from
 * those of its own; WEKA's ReliefFAttributeEval, to the letter.
 *
 *     for every instance, of class c, with s_k <= k nearest neighbours of each class k:
 *     W_f -= sum over hits of diff / s_c
 *     W_f += sum over k != c of w_k sum over misses of diff / s_k;  then W / N
 *
 * diff is 0 or 1 for binary and nominal features, the distance on the range of the training part
 * for numeric ones; distances of instances are sums of diff. w_k = 1 with two classes, else
 * P(k) / (1 - P(c)). Kononenko (1994), as in WEKA 3.6: all instances in ascending order (or, to
 * repeat what WEKA does in a cross-validation, in that of its folds); the first k of a class are
 * taken, then a strictly nearer one replaces the farthest (the first slot among equals). weight:
 * neighbours sorted by distance (by WEKA's sort, which is not stable), rank r from 0 counts
 * exp(-(r/sigma)^2), normalised, in place of 1/s. Sums are made in WEKA's order, so that distances,
 * and with them neighbours, agree in every bit.
 *
 * Time and memory: relief_binary.c, relief_mixed.c.
 */
#include "rank/relief.h"

#include <math.h>

#include "core/mem.h"
#include "core/parallel.h"
#include "rank/rank.h"
#include "stats/weka_sort.h"

#define BATCH        256 /* instances at a time, where not all neighbours are kept */
#define SLOTS_ANYWAY (1 << 18)
#define PAIRS_ANYWAY (1 << 16) /* 1 MB */

static void relief_clear(hs_relief *r)
{
    hs_free(r->class_start);
    hs_free(r->slot_start);
    hs_free(r->position);
    hs_free(r->row);
    hs_free(r->stored);
    hs_free(r->farthest);
    hs_free(r->neighbour);
    hs_free(r->distance);
    hs_free(r->pairs);
    hs_free(r->rank_weight);
    hs_free(r->sorted);
}

/* Where classes and their slots begin, the positions, and the rows in order of position. */
static int arrange(hs_relief *r, hsel_error *error)
{
    uint32_t *rows = NULL, *next = NULL;
    const hs_folds *folds = r->options->order == HS_RELIEF_BY_FOLDS ? r->training->folds : NULL;
    int status = hs_training_rows(r->training, true, &rows, &r->count, error);
    if (status)
        goto out;
    for (uint32_t i = 0, n = 0; folds && i < folds->instances; i++)
        if (folds->fold_of[folds->order[i]] != r->training->fold)
            rows[n++] = folds->order[i]; /* cross-validated instances all have a class */
    next = HS_NEW(uint32_t, r->classes);
    r->class_start = HS_NEW_ZERO(uint32_t, (size_t)r->classes + 1);
    r->slot_start = HS_NEW_ZERO(uint32_t, (size_t)r->classes + 1);
    r->position = HS_NEW(uint32_t, r->count);
    r->row = HS_NEW(uint32_t, r->count);
    if (!next || !r->class_start || !r->slot_start || !r->position || !r->row) {
        status = hs_fail_memory(error);
        goto out;
    }
    for (uint32_t k = 0; k < r->classes; k++) {
        uint32_t size = r->training->counts->class_size[k], most = r->options->k;
        next[k] = r->class_start[k];
        r->class_start[k + 1] = r->class_start[k] + size;
        r->slot_start[k + 1] = r->slot_start[k] + (size < most ? size : most);
    }
    for (uint32_t i = 0; i < r->count; i++) {
        r->position[i] = next[r->training->view.data->class_of[rows[i]]]++;
        r->row[r->position[i]] = rows[i];
    }
out:
    hs_free(rows);
    hs_free(next);
    return status;
}

/* Slots for the neighbours of all instances, if they take no more memory than the values (or little
 * anyway) and the features are not all binary; else for those of a batch. */
static int init_slots(hs_relief *r, bool binary, hsel_error *error)
{
    size_t slots = r->slot_start[r->classes], batch = BATCH;
    bool few = slots <= r->feature_count / 2 || r->count * slots <= SLOTS_ANYWAY;
    bool all = few && !binary;
    if (all && BATCH * slots < PAIRS_ANYWAY)
        batch = PAIRS_ANYWAY / (slots ? slots : 1);
    r->batch = r->count < batch ? r->count : (uint32_t)batch;
    r->kept = all ? r->count : r->batch;
    r->stored = HS_NEW_ZERO(uint32_t, (size_t)r->kept * r->classes);
    r->farthest = HS_NEW(uint32_t, (size_t)r->kept * r->classes);
    r->neighbour = HS_NEW(uint32_t, r->kept * slots);
    r->distance = HS_NEW(double, r->kept *slots);
    r->pairs = HS_NEW(hs_relief_pair, r->batch * slots);
    if (!r->stored || !r->farthest || !r->neighbour || !r->distance || !r->pairs)
        return hs_fail_memory(error);
    return HSEL_OK;
}

static int init_ranks(hs_relief *r, hsel_error *error)
{
    double sigma = r->options->sigma;
    uint32_t most = r->options->k < r->count ? r->options->k : r->count;
    r->rank_weight = HS_NEW(double, most);
    r->sorted = HS_NEW(uint32_t, most);
    if (!r->rank_weight || !r->sorted)
        return hs_fail_memory(error);
    for (uint32_t rank = 0; rank < most; rank++)
        r->rank_weight[rank] = exp(-((rank / sigma) * (rank / sigma)));
    return HSEL_OK;
}

/* ---- neighbours ---- */

/* The first slot that holds the greatest distance. */
static uint32_t find_farthest(const double *distance, uint32_t stored)
{
    uint32_t farthest = 0;
    for (uint32_t slot = 1; slot < stored; slot++)
        if (distance[slot] > distance[farthest])
            farthest = slot;
    return farthest;
}

double hs_relief_offer(const hs_relief *r, size_t place, uint32_t k, uint32_t position,
                       double distance)
{
    size_t slots = place * r->slot_start[r->classes] + r->slot_start[k];
    uint32_t room = r->slot_start[k + 1] - r->slot_start[k];
    uint32_t *stored = &r->stored[place * r->classes + k];
    uint32_t *farthest = &r->farthest[place * r->classes + k];
    uint32_t slot = *stored < room ? (*stored)++ : *farthest;
    r->neighbour[slots + slot] = position;
    r->distance[slots + slot] = distance;
    if (*stored < room)
        return NAN;
    *farthest = find_farthest(r->distance + slots, room);
    return r->distance[slots + *farthest];
}

void hs_relief_neighbours(const hs_relief *r, uint32_t own, size_t place, const double *distance)
{
    for (uint32_t k = 0; k < r->classes; k++) {
        double limit = NAN;
        r->stored[place * r->classes + k] = 0;
        for (uint32_t p = r->class_start[k]; p < r->class_start[k + 1]; p++)
            if (p != own && !(distance[p] >= limit))
                limit = hs_relief_offer(r, place, k, p, distance[p]);
    }
}

/* ---- pairs ---- */

/* The stored neighbours of one class, each with `factor` times its part of 1. */
static uint32_t class_pairs(const hs_relief *r, uint32_t own, size_t place, uint32_t k,
                            double factor, hs_relief_pair *pairs)
{
    uint32_t stored = r->stored[place * r->classes + k];
    size_t slots = place * r->slot_start[r->classes] + r->slot_start[k];
    double sum = 0;
    if (r->options->weight) {
        for (uint32_t j = 0; j < stored; j++)
            sum += r->rank_weight[j];
        hs_weka_sort(r->distance + slots, stored, r->sorted);
    }
    for (uint32_t j = 0; j < stored; j++) {
        uint32_t slot = r->options->weight ? r->sorted[j] : j;
        double part = r->options->weight ? r->rank_weight[j] / sum : 1.0 / stored;
        pairs[j] = (hs_relief_pair){own, r->neighbour[slots + slot], factor * part};
    }
    return stored;
}

uint32_t hs_relief_pairs(const hs_relief *r, uint32_t own, size_t place, hs_relief_pair *pairs)
{
    const uint32_t *size = r->training->counts->class_size;
    double all = r->count;
    uint32_t label = 0, written = 0;
    while (own >= r->class_start[label + 1])
        label++;
    double others = 1.0 - size[label] / all;
    written += class_pairs(r, own, place, label, -1, pairs);
    for (uint32_t k = 0; k < r->classes; k++)
        if (k != label)
            written += class_pairs(r, own, place, k, r->classes > 2 ? size[k] / all / others : 1,
                                   pairs + written);
    return written;
}

/* ---- weights ---- */

int hs_relief_weights(const hs_training *training, const hs_relief_options *options,
                      const uint32_t *features, uint32_t count, double *weight, hsel_error *error)
{
    hs_relief r = {.training = training,
                   .options = options,
                   .features = features,
                   .feature_count = count,
                   .weight = weight,
                   .classes = training->counts->classes,
                   .threads = hs_threads(training->threads)};
    bool binary = true;
    for (uint32_t i = 0; i < count; i++) {
        weight[i] = 0;
        binary &= training->view.data->types[features[i]] == HSEL_BINARY;
    }
    int status = arrange(&r, error);
    if (status || (status = init_slots(&r, binary, error)) ||
        (options->weight && (status = init_ranks(&r, error))))
        goto out;
    status = binary ? hs_relief_binary(&r, error) : hs_relief_mixed(&r, error);
    for (uint32_t i = 0; i < count && r.count; i++)
        weight[i] *= 1.0 / r.count;
out:
    relief_clear(&r);
    return status;
}

/* ---- the rankers ---- */

static int rank_one(const hs_training *training, const hs_relief_options *options, double *scores,
                    hsel_error *error)
{
    uint32_t all = training->view.data->features, count = 0;
    uint32_t *feature = HS_NEW(uint32_t, all);
    double *weight = HS_NEW(double, all);
    int status = feature && weight ? HSEL_OK : hs_fail_memory(error);
    for (uint32_t f = 0; f < all && status == HSEL_OK; f++)
        if (hs_view_has(&training->view, f))
            feature[count++] = f;
    if (status == HSEL_OK)
        status = hs_relief_weights(training, options, feature, count, weight, error);
    for (uint32_t i = 0; i < count && status == HSEL_OK; i++)
        scores[feature[i]] = weight[i];
    hs_free(feature);
    hs_free(weight);
    return status;
}

static int rank_all(const hs_training *training, const hs_chosen *rankers, size_t count,
                    double *const *scores, bool weight, hsel_error *error)
{
    int status = HSEL_OK;
    for (size_t i = 0; i < count && status == HSEL_OK; i++) {
        hs_relief_options options = *(const hs_relief_options *)rankers[i].options;
        options.weight = weight;
        status = rank_one(training, &options, scores[i], error);
    }
    return status;
}

static int rank_plain(const hs_training *training, const hs_chosen *rankers, size_t count,
                      double *const *scores, hsel_error *error)
{
    return rank_all(training, rankers, count, scores, false, error);
}

static int rank_weighted(const hs_training *training, const hs_chosen *rankers, size_t count,
                         double *const *scores, hsel_error *error)
{
    return rank_all(training, rankers, count, scores, true, error);
}

#define NEIGHBOURS                                                                                 \
    HS_OPTION(hs_relief_options, k, "k", "N", "10", 1, 1000000, "neighbours of each class")

static const hs_option plain_table[] = {NEIGHBOURS, HS_OPTION_END};
static const hs_option weighted_table[] = {
    NEIGHBOURS,
    HS_OPTION(hs_relief_options, sigma, "sigma", "N", "2", 1, 1000000,
              "how slowly the weight of neighbours falls with their rank"),
    HS_OPTION_END};

static const hs_ranker plain = {.rank = rank_plain}, weighted = {.rank = rank_weighted};

const hs_method hs_method_rank_relieff = {
    .kind = HS_RANKER,
    .name = "relieff",
    .title = "ReliefF weight",
    .help = "How much more a feature differs between an instance and its nearest neighbours of "
            "other classes than of its own, over all instances: the weights of WEKA's "
            "ReliefFAttributeEval. Numeric features are brought to the range from 0 to 1.",
    .citation = "Kononenko (1994), ECML, LNCS 784:171-182; WEKA 3.6, ReliefFAttributeEval",
    .flags = HS_NEEDS_CLASSES | HS_ANY_FEATURES,
    .options = plain_table,
    .options_size = sizeof(hs_relief_options),
    .ranker = &plain};

const hs_method hs_method_rank_relieff_w = {
    .kind = HS_RANKER,
    .name = "relieff-w",
    .title = "ReliefF weight, nearer neighbours count more",
    .help = "Like relieff, but the neighbour of rank r (from 0) counts exp(-(r/sigma)^2), divided "
            "by the sum over all neighbours: WEKA's ReliefFAttributeEval with weightByDistance.",
    .citation = "Robnik-Sikonja, Kononenko (1997), ICML:296-304; WEKA 3.6, ReliefFAttributeEval -W",
    .flags = HS_NEEDS_CLASSES | HS_ANY_FEATURES,
    .options = weighted_table,
    .options_size = sizeof(hs_relief_options),
    .ranker = &weighted};
