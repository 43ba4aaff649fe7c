/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Metrics of a ranking where no negatives are known. All figures of a sample are computed in one
 * walk over the blocks of equal scores.
 */
#include "stats/unlabelled.h"

#include "stats/metrics.h"

enum { PRIOR, AUROC, CORRECTED, PERCENTILE, OF_TOPS }; /* figures with an interval … */
enum { FIGURES = OF_TOPS + HS_TOPS * HS_PU_INTERVALS };

static double corrected(double auroc, double prior)
{
    return prior < 1 ? fmin(1, fmax(0, (auroc - prior / 2) / (1 - prior))) : (double)NAN;
}

/* The tops that there are, of n instances. */
static void choose_tops(hs_pu_metrics *m, double n)
{
    static const double tops[HS_TOPS] = {10, 20, 50, 100, 0.01, 0.05, 0.1};
    for (int i = 0; i < HS_TOPS; i++) {
        const double share = tops[i] < 1 ? tops[i] : 0, k = share > 0 ? ceil(share * n) : tops[i];
        bool again = k >= n;
        for (uint32_t j = 0; j < m->tops; j++)
            again |= m->top[j].k == k;
        if (!again)
            m->top[m->tops++] = (hs_pu_top){.k = k, .share = share};
    }
}

/* The figures of a top from the labelled among the k highest, and the share that is recovered. */
static void finish_top(hs_pu_top *t, double labelled, double unlabelled, const hs_prior *prior)
{
    const double n = labelled + unlabelled, flagged = t->k / n, unknown = t->k - t->known,
                 most = isnan(prior->high) ? unlabelled : prior->high * unlabelled,
                 above = fmin(unknown, most), below = fmin(unlabelled - unknown, most);
    t->recall = t->known / labelled;
    t->enrichment = t->recall / flagged;
    t->lee_liu = t->recall * t->recall / flagged;
    t->precision_bound[0] = t->known / t->k;
    t->precision_bound[1] = (t->known + above) / t->k;
    t->recall_bound[0] = t->known / (labelled + below);
    t->recall_bound[1] = (t->known + above) / (labelled + above);
    t->precision = fmin(
        t->precision_bound[1],
        fmax(t->precision_bound[0], (labelled + prior->share * unlabelled) * t->recall / t->k));
}

/* All figures of blocks of these sizes; prior NaN: estimated. */
static void measure(uint32_t *const size[2], uint32_t blocks, double prior, hs_pu_metrics *m)
{
    double all[2] = {0}, above[2] = {0}, area = 0, rank[2] = {NAN, NAN};
    m->prior = isnan(prior) ? hs_prior_of(size, blocks) : (hs_prior){prior, prior, prior};
    for (uint32_t b = 0; b < blocks; b++)
        for (int s = 0; s < 2; s++)
            all[s] += size[s][b];
    for (uint32_t i = 0; i < m->tops; i++)
        m->top[i].known = m->top[i].recovered = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        const double u = size[0][b], p = size[1][b], both = above[0] + above[1];
        area += p * (all[0] - above[0] - u / 2);
        for (int i = 0; i < 2; i++) { /* the two in the middle */
            const double middle = floor((all[1] + i + 1) / 2);
            if (above[1] < middle && above[1] + p >= middle)
                rank[i] = above[0] + u / 2;
        }
        for (uint32_t i = 0; i < m->tops; i++) {
            hs_pu_top *t = &m->top[i];
            const double k = t->share > 0 ? ceil(t->share * all[0]) : t->k;
            if (p > 0 && both < t->k)
                t->known += p * fmin(1, (t->k - both) / (u + p));
            if (p > 0 && above[0] < k)
                t->recovered += p / all[1] * fmin(1, (k - above[0]) / (u + 1));
        }
        above[0] += u;
        above[1] += p;
    }
    m->auroc = area / all[0] / all[1];
    m->corrected = corrected(m->auroc, m->prior.share);
    m->percentile = 1 - (rank[0] + rank[1]) / 2 / all[0];
    for (uint32_t i = 0; i < m->tops; i++)
        finish_top(&m->top[i], all[1], all[0], &m->prior);
}

static void put_figures(const hs_pu_metrics *m, double *out)
{
    out[PRIOR] = m->prior.share;
    out[AUROC] = m->auroc;
    out[CORRECTED] = m->corrected;
    out[PERCENTILE] = m->percentile;
    for (uint32_t i = 0; i < m->tops; i++) {
        double *of = out + OF_TOPS + (size_t)i * HS_PU_INTERVALS;
        of[HS_PU_PRECISION] = m->top[i].precision;
        of[HS_PU_ENRICHMENT] = m->top[i].enrichment;
        of[HS_PU_RECOVERED] = m->top[i].recovered;
    }
}

int hs_pu_metrics_of(const hs_pu_ranking *r, double prior, uint64_t seed, hs_pu_metrics *out,
                     hsel_error *error)
{
    HS_OWNED double *value = HS_NEW(double, (size_t)HS_BOOTSTRAP_SAMPLES *FIGURES);
    HS_OWNED uint32_t *unlabelled = HS_NEW(uint32_t, r->blocks),
                      *labelled = HS_NEW(uint32_t, r->blocks);
    HS_NEED(value && unlabelled && labelled);
    *out = (hs_pu_metrics){
        .labelled = r->total[1], .unlabelled = r->total[0], .estimated = isnan(prior)};
    if (prior < 0 || prior > 1)
        return hs_fail(error, HSEL_EUSAGE,
                       "the share of positives among the unlabelled must be from 0 to 1, not %g",
                       prior);
    choose_tops(out, r->instances);
    hs_pu_metrics sample = *out;
    for (uint32_t b = 0; b < HS_BOOTSTRAP_SAMPLES; b++) {
        uint32_t *const size[2] = {unlabelled, labelled};
        hs_pu_sample(r, seed, b, size);
        measure(size, r->blocks, prior, &sample);
        put_figures(&sample, value + (size_t)b * FIGURES);
    }
    measure(r->size, r->blocks, prior, out);
    hs_interval of_prior = {0};
    for (uint32_t f = 0; f < OF_TOPS + out->tops * HS_PU_INTERVALS; f++) {
        hs_interval *const of_all[] = {&of_prior, &out->auroc_interval, &out->corrected_interval,
                                       &out->percentile_interval},
                           *to = of_all[f % OF_TOPS];
        if (f >= OF_TOPS)
            to = out->top[(f - OF_TOPS) / HS_PU_INTERVALS].interval +
                 (f - OF_TOPS) % HS_PU_INTERVALS;
        HS_TRY(hs_interval_of_samples(value + f, NULL, FIGURES, HS_BOOTSTRAP_SAMPLES, r->units[1],
                                      to, error));
    }
    if (out->estimated)
        out->prior.low = isnan(of_prior.low) ? (double)NAN : fmin(of_prior.low, out->prior.share);
    out->corrected_range[0] = corrected(out->auroc, out->prior.low);
    out->corrected_range[1] = corrected(out->auroc, out->prior.high);
    return HSEL_OK;
}
