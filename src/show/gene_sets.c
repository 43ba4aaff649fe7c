/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shows how well each of many sets can be predicted.
 */
#include "show/gene_sets.h"

#include "show/document.h"
#include "show/unlabelled.h"

#define NAMED 12 /* sets that are left out */

static const char *name_of(const hs_sets_shown *shown, const hs_set_result *r)
{
    return hs_names_get(&shown->sets->names, r->set);
}

/* Why a set is left out; NULL: it is not. */
static const char *left_out(const hs_set_result *r)
{
    return r->small ? "too small" : r->large ? "too large" : NULL;
}

int hs_sets_print(const hs_sets_shown *shown, hs_writer *out, hsel_error *error)
{
    const hs_set_results *results = shown->results;
    HS_OWNS(hs_document_clear) hs_document whole = {0};
    hs_document *const doc = &whole;
    hs_doc_grid grid = {.doc = doc, .columns = 9, .left = 1};
    HS_ROW(&grid, "set", "members", "matched", "AUROC", "95 % interval", "corrected, at most",
           "enrichment in top 1 %", "95 % interval", "recovered %");
    for (uint32_t s = 0; s < results->evaluated; s++) {
        const hs_set_result *r = &results->items[s];
        const hs_pu_metrics *m = &r->metrics;
        const hs_pu_top *top = hs_set_top(m);
        const hs_interval *all = &m->auroc_interval,
                          *first = top ? &top->interval[HS_PU_ENRICHMENT] : NULL;
        HS_ROW(&grid, hs_shown(name_of(shown, r), &doc->arena), hs_say(doc, "%u", r->size),
               hs_say(doc, "%u", r->matched), hs_percent(doc, m->auroc),
               isnan(all->low)
                   ? HS_NOTHING
                   : hs_say(doc, "[%s, %s]", hs_percent(doc, all->low), hs_percent(doc, all->high)),
               hs_percent(doc, m->corrected), hs_decimal(doc, top ? top->enrichment : NAN, 1),
               !top || isnan(first->low) ? HS_NOTHING
                                         : hs_say(doc, "[%s, %s]", hs_decimal(doc, first->low, 1),
                                                  hs_decimal(doc, first->high, 1)),
               hs_percent(doc, top ? top->recovered : NAN));
    }
    HS_TRY(hs_document_check(doc, error));
    HS_TRY(hs_grid_print(&grid, out, error));
    for (int large = 0; large < 2; large++) {
        const char *list = "";
        uint32_t count = 0;
        for (uint32_t s = results->evaluated; s < results->count; s++) {
            const hs_set_result *r = &results->items[s];
            if (r->large != large)
                continue;
            if (count < NAMED)
                list = hs_say_more(
                    doc, list,
                    hs_say(doc, "%s (%u)", hs_shown(name_of(shown, r), &doc->arena), r->matched));
            count++;
        }
        if (count)
            hs_writer_printf(out, "\n%u left out because %s too %s: %s%s\n", count,
                             count == 1 ? "it is" : "they are", large ? "large" : "small", list,
                             count > NAMED ? " …" : "");
    }
    return hs_document_check(doc, error);
}

void hs_sets_csv(const hs_sets_shown *shown, hs_writer *out)
{
    hs_writer_text(out, "set,members,matched,left_out,auroc,auroc_low,auroc_high,auroc_corrected,"
                        "auroc_corrected_low,auroc_corrected_high,prior,top,enrichment,"
                        "enrichment_low,enrichment_high,recovered,median_percentile\n");
    for (uint32_t s = 0; s < shown->results->count; s++) {
        const hs_set_result *r = &shown->results->items[s];
        const hs_pu_metrics *m = &r->metrics;
        const char *why = left_out(r);
        const hs_pu_top *top = why ? NULL : hs_set_top(m);
        hs_csv_put(out, "%s,%u,%u,%s,", name_of(shown, r), r->size, r->matched, why ? why : "");
        if (why)
            hs_writer_text(out, ",,,,,,,,,,,,\n");
        else if (!top)
            hs_csv_put(out, "%g,%g,%g,%g,%g,%g,%g,,,,,,%g\n", m->auroc, m->auroc_interval.low,
                       m->auroc_interval.high, m->corrected, m->corrected_interval.low,
                       m->corrected_interval.high, m->prior.share, m->percentile);
        else
            hs_csv_put(out, "%g,%g,%g,%g,%g,%g,%g,%g,%g,%g,%g,%g,%g\n", m->auroc,
                       m->auroc_interval.low, m->auroc_interval.high, m->corrected,
                       m->corrected_interval.low, m->corrected_interval.high, m->prior.share,
                       top->k, top->enrichment, top->interval[HS_PU_ENRICHMENT].low,
                       top->interval[HS_PU_ENRICHMENT].high, top->recovered, m->percentile);
    }
}

void hs_sets_json(const hs_sets_shown *shown, hs_json *json)
{
    const hs_set_results *results = shown->results;
    hs_json_put(json, "{sets:[");
    for (uint32_t s = 0; s < results->count; s++) {
        const hs_set_result *r = &results->items[s];
        hs_json_put(json, "{set:%s members:%u matched:%u left_out:%s", name_of(shown, r), r->size,
                    r->matched, left_out(r));
        if (!left_out(r))
            hs_pu_json(&r->metrics, json);
        hs_json_put(json, "}");
    }
    hs_json_put(json, "] not_found:[");
    for (uint32_t g = 0; g < results->missing.count; g++)
        hs_json_put(json, "%s", hs_names_get(&results->missing, g));
    hs_json_put(json, "]}");
}
