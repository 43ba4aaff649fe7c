/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shows metrics of a ranking without negatives.
 */
#include "show/unlabelled.h"

/* "[12.0, 34.5]"; factor 100: shares as percent. */
static const char *between(hs_document *doc, double low, double high, double factor)
{
    return isnan(low) || isnan(high) ? HS_NOTHING
                                     : hs_say(doc, "[%s, %s]", hs_decimal(doc, factor * low, 1),
                                              hs_decimal(doc, factor * high, 1));
}

int hs_pu_print(const hs_pu_metrics *m, hs_writer *out, hsel_error *error)
{
    HS_OWNS(hs_document_clear) hs_document whole = {0};
    hs_document *const doc = &whole;
    hs_doc_grid figures = {.doc = doc, .columns = 3, .left = 1}, *grid = &figures,
                tops = {.doc = doc, .columns = 10, .left = 1};
    HS_ROW(grid, "", "%", "95 % interval");
    HS_ROW(grid,
           m->estimated ? "positives among the unlabelled, at most"
                        : "positives among the unlabelled, as given",
           hs_percent(doc, m->prior.share),
           m->estimated ? between(doc, m->prior.low, m->prior.high, 100) : HS_NOTHING);
    HS_ROW(grid, "AUROC against the unlabelled", hs_percent(doc, m->auroc),
           between(doc, m->auroc_interval.low, m->auroc_interval.high, 100));
    HS_ROW(grid,
           m->estimated ? "AUROC, corrected for these positives, at most"
                        : "AUROC, corrected for these positives",
           hs_percent(doc, m->corrected),
           between(doc, m->corrected_interval.low, m->corrected_interval.high, 100));
    if (m->estimated)
        HS_ROW(grid, "… for the ends of their interval", "",
               between(doc, m->corrected_range[0], m->corrected_range[1], 100));
    HS_ROW(grid, "median percentile of a hidden positive", hs_percent(doc, m->percentile),
           between(doc, m->percentile_interval.low, m->percentile_interval.high, 100));
    grid = &tops;
    HS_ROW(grid, "top", "labelled", m->estimated ? "precision %, at most" : "precision %", "bounds",
           "recall %", "bounds", "enrichment", "95 % interval", "Lee-Liu", "recovered %");
    for (uint32_t i = 0; i < m->tops; i++) {
        const hs_pu_top *t = &m->top[i];
        const hs_interval *enrichment = &t->interval[HS_PU_ENRICHMENT];
        HS_ROW(
            grid,
            t->share > 0 ? hs_say(doc, "%.0f (%g %%)", t->k, 100 * t->share)
                         : hs_say(doc, "%.0f", t->k),
            hs_decimal(doc, t->known, 1), hs_percent(doc, t->precision),
            between(doc, t->precision_bound[0], t->precision_bound[1], 100),
            hs_percent(doc, t->recall), between(doc, t->recall_bound[0], t->recall_bound[1], 100),
            hs_decimal(doc, t->enrichment, 2), between(doc, enrichment->low, enrichment->high, 1),
            hs_decimal(doc, t->lee_liu, 2), hs_percent(doc, t->recovered));
    }
    HS_TRY(hs_document_check(doc, error));
    hs_writer_printf(out, "%u labelled instances, hidden in turn among %u unlabelled ones\n",
                     m->labelled, m->unlabelled);
    HS_TRY(hs_grid_print(&figures, out, error));
    hs_writer_text(out, "\nthe instances with the highest scores\n");
    return hs_grid_print(&tops, out, error);
}

static void put_interval(hs_json *json, const char *name, double value, const hs_interval *interval)
{
    hs_json_put(json, "%s:{estimate:%g low:%g high:%g}", name, value, interval->low,
                interval->high);
}

void hs_pu_json(const hs_pu_metrics *m, hs_json *json)
{
    hs_json_put(json, "labelled:%u unlabelled:%u prior:{estimate:%g low:%g high:%g estimated:%d}",
                m->labelled, m->unlabelled, m->prior.share, m->prior.low, m->prior.high,
                (int)m->estimated);
    put_interval(json, "auroc_unlabelled", m->auroc, &m->auroc_interval);
    put_interval(json, "auroc_corrected", m->corrected, &m->corrected_interval);
    hs_json_put(json, "auroc_corrected_by_prior:{low:%g high:%g}", m->corrected_range[0],
                m->corrected_range[1]);
    put_interval(json, "median_percentile", m->percentile, &m->percentile_interval);
    hs_json_put(json, "top:[");
    for (uint32_t i = 0; i < m->tops; i++) {
        const hs_pu_top *t = &m->top[i];
        hs_json_put(json, "{k:%g share:%g labelled:%g", t->k, t->share > 0 ? t->share : (double)NAN,
                    t->known);
        put_interval(json, "precision", t->precision, &t->interval[HS_PU_PRECISION]);
        hs_json_put(json,
                    "precision_low:%g precision_high:%g recall:%g recall_low:%g recall_high:%g",
                    t->precision_bound[0], t->precision_bound[1], t->recall, t->recall_bound[0],
                    t->recall_bound[1]);
        put_interval(json, "enrichment", t->enrichment, &t->interval[HS_PU_ENRICHMENT]);
        put_interval(json, "recovered", t->recovered, &t->interval[HS_PU_RECOVERED]);
        hs_json_put(json, "lee_liu:%g}", t->lee_liu);
    }
    hs_json_put(json, "]");
}
