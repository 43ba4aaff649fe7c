/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Candidates as text, CSV, JSON, and a report. All say in words what they assume.
 */
#include "show/candidates.h"

#include "show/document.h"
#include "show/unlabelled.h"

#define LINE_WIDTH 100
#define FACT       13 /* columns of the words before a fact */
#define NAMED      20 /* names that match nothing, in the text */

static const char *name_of(const hsel_dataset *data, uint32_t instance, hs_document *doc)
{
    const char *id = hsel_dataset_id(data, instance),
               *label = hs_about_label(&data->instance_about, instance);
    return label ? label : id ? id : hs_say(doc, "#%u", instance + 1);
}

static const char *term_of(const hsel_dataset *data, uint32_t feature)
{
    const char *label = hs_about_label(&data->about, feature);
    return label ? label : hsel_dataset_feature_name(data, feature);
}

/* ---- sentences ---- */

static const char *say_names(const hs_names *names, hs_document *doc)
{
    const char *list = "";
    for (uint32_t i = 0; i < names->count && i < NAMED; i++)
        list = hs_say_more(doc, list, hs_say_cut(doc, hs_names_get(names, i), 40));
    return names->count > NAMED ? hs_say(doc, "%s and %u more", list, names->count - NAMED) : list;
}

static const char *say_known(const hs_candidates_shown *s, hs_document *doc)
{
    const hs_matched *m = s->matched;
    const char *text = hs_plural(doc, s->found->known, "known positive");
    if (m && m->repeated)
        text = hs_say(doc, "%s; %s another", text, hs_plural(doc, m->repeated, "name repeats"));
    if (m && m->missing.count)
        text = hs_say(doc, "%s; not in the data: %s", text, say_names(&m->missing, doc));
    if (m && m->several.count)
        text = hs_say(doc, "%s; left out, because several instances have the name: %s", text,
                      say_names(&m->several, doc));
    return text;
}

static const char *say_method(const hs_candidates_shown *s, hs_document *doc)
{
    const hs_discover_request *r = s->request;
    return hs_say(doc,
                  "%s%s%s; each instance is scored by a model that was trained without it (%u "
                  "folds%s)",
                  strcmp(s->found->selector, "none") == 0 ? "" : s->found->selector,
                  strcmp(s->found->selector, "none") == 0 ? "" : " with ", s->found->classifier,
                  r->folds, r->repeats > 1 ? hs_say(doc, ", mean of %u repeats", r->repeats) : "");
}

/* "63.6 (40.0 to 81.8)" */
static const char *say_interval(hs_document *doc, double value, const hs_interval *interval)
{
    return isnan(interval->low)
               ? hs_percent(doc, value)
               : hs_say(doc, "%s (%s to %s)", hs_percent(doc, value),
                        hs_percent(doc, interval->low), hs_percent(doc, interval->high));
}

static const char *say_recovery(const hs_candidates_shown *s, hs_document *doc)
{
    const hs_pu_metrics *m = &s->found->metrics;
    const char *list = "";
    for (uint32_t k = 0; k < m->tops; k++)
        if (m->top[k].share > 0)
            list = hs_say_more(
                doc, list,
                hs_say(doc, "%s %% are in the first %g %%",
                       say_interval(doc, m->top[k].recovered, &m->top[k].interval[HS_PU_RECOVERED]),
                       100 * m->top[k].share));
    return hs_say(doc,
                  "of the known positives, held out and ranked among the unlabelled, %s%sthe AUROC "
                  "of known against unlabelled is %s (95 %% intervals)",
                  list, *list ? "; " : "", say_interval(doc, m->auroc, &m->auroc_interval));
}

/* In per cent, with two digits that count. */
static const char *say_share(hs_document *doc, double share)
{
    return hs_say(doc, share < 0.095 ? "%.2g" : "%.0f", 100 * share);
}

static const char *say_prior(const hs_candidates_shown *s, hs_document *doc)
{
    const hs_prior *p = &s->found->metrics.prior;
    const char *most = say_share(doc, p->share), *low = say_share(doc, isnan(p->low) ? 0 : p->low);
    const char *interval =
        isnan(p->low) ? "too few known positives for an interval"
                      : hs_say(doc, "95 %% interval %s to %s", low, say_share(doc, p->high));
    return hs_say(doc,
                  "at most about %s %% of the unlabelled are positive (%s); the bounds of P and of "
                  "the expected precision are for %s and %s %%, and assume that the known "
                  "positives are a random sample of all",
                  most, interval, low, most);
}

static const char *say_bias(const hs_candidates_shown *s, hs_document *doc)
{
    const hs_discovery *d = s->found;
    if (isnan(d->bias_before))
        return "the scores, or the numbers of annotations, are all the same";
    const char *before = hs_say(doc,
                                "Spearman's correlation of score and number of annotations "
                                "among the unlabelled is %.2f",
                                d->bias_before);
    if (!s->request->correct_bias)
        return hs_say(doc, "%s; {correct-bias} compares instances with similar numbers", before);
    return hs_say(doc,
                  "%s, and %.2f after the correction: scores are standardised among the "
                  "unlabelled with similar numbers (%s)",
                  before, isnan(d->bias) ? 0 : d->bias,
                  d->strata == 1 ? "1 stratum" : hs_say(doc, "%u strata", d->strata));
}

static const char *say_selection(const hs_candidates_shown *s, hs_document *doc)
{
    const hs_discovery *d = s->found;
    const char *count = hs_plural(doc, d->selected, "candidate is"),
               *negatives = hs_grouped(doc, d->negatives),
               *expected = !d->selected
                               ? ""
                               : hs_say(doc, "; by the prior, %s to %s %% of them are positive",
                                        hs_percent(doc, d->selected_precision[0]),
                                        hs_percent(doc, d->selected_precision[1]));
    if (!d->negatives)
        return hs_say(
            doc, "%s",
            "none: there are no reliable negatives, as every unlabelled instance is near known "
            "positives; {negatives} takes known ones");
    if (s->request->negative)
        return hs_say(doc,
                      "%s selected with a false discovery rate of at most %g, if negatives among "
                      "the candidates score as the %s known negatives do%s",
                      count, s->request->fdr, negatives, expected);
    return hs_say(
        doc,
        "%s selected with a false discovery rate of at most %g relative to %s reliable "
        "negatives (that alone selects %s) and an expected precision that may reach %g%s. "
        "Reliable negatives score lower than others, so more may be false; {negatives} "
        "gives a bound that holds",
        count, s->request->fdr, negatives, hs_grouped(doc, d->conformal), 1 - s->request->fdr,
        expected);
}

/* ---- for people ---- */

static void put_fact(hs_writer *out, const char *what, const char *text)
{
    hs_writer_printf(out, "%-*s", FACT, what);
    hs_put_wrapped(out, text, LINE_WIDTH, FACT);
}

static void put_reasons(const hs_candidates_shown *s, hs_writer *out, hs_document *doc)
{
    const hsel_dataset *data = s->request->data;
    hs_put_wrapped(
        out,
        s->found->own_terms
            ? "\nTerms that contribute most to the score, and the most similar known "
              "positives (Jaccard index of the terms):"
            : "\nTerms that are most over-represented among the known positives, and the "
              "most similar ones (Jaccard index of the terms):",
        LINE_WIDTH, 0);
    for (uint32_t k = 0; k < s->found->shown; k++) {
        const hs_candidate *c = &s->found->candidates[k];
        const char *why = "", *near = "";
        for (uint32_t j = 0; j < c->reasons; j++)
            why = hs_say(doc, "%s%s%s (%s known, %s)", why, j ? "; " : "",
                         hs_say_cut(doc, term_of(data, c->reason[j].feature), HS_LABEL_WIDTH),
                         hs_grouped(doc, c->reason[j].known),
                         hs_plural(doc, c->reason[j].others, "other"));
        for (uint32_t j = 0; j < c->near; j++)
            near =
                hs_say_more(doc, near,
                            hs_say(doc, "%s (%.2f)",
                                   hs_say_cut(doc, name_of(data, c->nearest[j].instance, doc), 30),
                                   c->nearest[j].similarity));
        hs_writer_printf(out, "\n%u  %s\n   because  ", k + 1,
                         hs_say_cut(doc, name_of(data, c->instance, doc), HS_LABEL_WIDTH));
        hs_put_wrapped(out, *why ? why : "no single term speaks for it", LINE_WIDTH, 12);
        hs_writer_text(out, "   near     ");
        hs_put_wrapped(out, *near ? near : "no known positive shares a term", LINE_WIDTH, 12);
    }
}

static void put_facts(const hs_candidates_shown *s, hs_writer *out, hs_document *doc)
{
    put_fact(out, "candidates",
             hs_say(doc, "%s unlabelled instances of %s; %s", hs_grouped(doc, s->found->count),
                    hs_say_cut(doc, hsel_dataset_name(s->request->data), 60), say_known(s, doc)));
    put_fact(out, "method", say_method(s, doc));
    put_fact(out, "validation", say_recovery(s, doc));
    put_fact(out, "prior", say_prior(s, doc));
    put_fact(out, "study bias", say_bias(s, doc));
    if (s->request->fdr > 0)
        put_fact(out, "selection", say_selection(s, doc));
}

int hs_candidates_print(const hs_candidates_shown *s, hs_writer *out, hsel_error *error)
{
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    const hsel_dataset *data = s->request->data;
    const bool labels = hs_has_labels(&data->instance_about), fdr = s->request->fdr > 0;
    hs_doc_grid grid = {.doc = &doc, .columns = 7u + labels + fdr, .left = 2u + labels};
    hs_writer_for_people(out);
    put_facts(s, out, &doc);
    HS_ROW(&grid, "rank", labels ? "label" : "instance");
    if (labels)
        HS_ROW(&grid, "instance");
    HS_ROW(&grid, "score", "P", "percentile", "precision", "terms");
    if (fdr)
        HS_ROW(&grid, "q");
    for (uint32_t k = 0; k < s->found->shown; k++) {
        const hs_candidate *c = &s->found->candidates[k];
        const char *id = hsel_dataset_id(data, c->instance);
        hs_putf(&grid, "%u", k + 1);
        if (labels)
            hs_put_texts(
                &grid, (const char *[]){hs_say_cut(&doc, name_of(data, c->instance, &doc), 24)}, 1);
        hs_put_texts(
            &grid,
            (const char *[]){id ? hs_say_cut(&doc, id, 24) : hs_say(&doc, "#%u", c->instance + 1)},
            1);
        hs_putf(&grid, "%.4g", c->score);
        hs_putf(&grid, "%.2f to %.2f", c->probability_low, c->probability);
        hs_putf(&grid, "%.2f", 100 * c->percentile);
        hs_putf(&grid, "%.2f to %.2f", c->precision_low, c->precision);
        hs_putf(&grid, "%u", c->annotations);
        if (fdr && isnan(c->q))
            HS_ROW(&grid, HS_NOTHING);
        else if (fdr)
            hs_putf(&grid, "%.3f%s", c->q, c->selected ? " *" : "");
    }
    hs_writer_char(out, '\n');
    HS_TRY(hs_document_check(&doc, error));
    HS_TRY(hs_grid_print(&grid, out, error));
    put_reasons(s, out, &doc);
    return hs_document_check(&doc, error);
}

/* ---- for programs ---- */

int hs_candidates_csv(const hs_candidates_shown *s, hs_writer *out, hsel_error *error)
{
    const hsel_dataset *data = s->request->data;
    hs_writer_text(out, "rank,instance,id,label,score,probability,probability_low,percentile,"
                        "expected_precision,expected_precision_low,"
                        "annotations,p,q,selected,reasons,nearest_known\n");
    for (uint32_t k = 0; k < s->found->shown; k++) {
        const hs_candidate *c = &s->found->candidates[k];
        HS_OWNS(hs_buf_clear) hs_buf why = {0}, near = {0};
        for (uint32_t j = 0; j < c->reasons; j++)
            hs_buf_printf(&why, "%s%s", j ? "; " : "", term_of(data, c->reason[j].feature));
        for (uint32_t j = 0; j < c->near; j++) {
            const char *id = hsel_dataset_id(data, c->nearest[j].instance),
                       *label = hs_about_label(&data->instance_about, c->nearest[j].instance);
            hs_buf_text(&near, j ? "; " : "");
            if (label || id)
                hs_buf_text(&near, label ? label : id);
            else
                hs_buf_printf(&near, "#%u", c->nearest[j].instance + 1);
        }
        HS_NEED(!why.failed && !near.failed);
        hs_csv_put(out, "%u,%u,%s,%s,%g,%g,%g,%g,%g,%g,%u,%g,%g,%s,%s,%s\n", k + 1, c->instance + 1,
                   hsel_dataset_id(data, c->instance),
                   hs_about_label(&data->instance_about, c->instance), c->score, c->probability,
                   c->probability_low, c->percentile, c->precision, c->precision_low,
                   c->annotations, c->p, c->q,
                   !(s->request->fdr > 0) ? ""
                   : c->selected          ? "yes"
                                          : "no",
                   why.text ? why.text : "", near.text ? near.text : "");
    }
    return HSEL_OK;
}

static void put_names(hs_json *json, const char *key, const hs_names *names)
{
    hs_json_put(json, "%s:[", key);
    for (uint32_t i = 0; names && i < names->count; i++)
        hs_json_text(json, hs_names_get(names, i));
    hs_json_end_array(json);
}

void hs_candidates_json(const hs_candidates_shown *s, hs_json *json)
{
    const hs_discover_request *r = s->request;
    const hs_discovery *d = s->found;
    const hsel_dataset *data = r->data;
    hs_json_put(json,
                "{dataset:%s selector:%s classifier:%s folds:%u repeats:%u seed:%ju known:%u "
                "unlabelled:%u",
                hsel_dataset_name(data), d->selector, d->classifier, r->folds, r->repeats, r->seed,
                d->known, d->count);
    put_names(json, "not_found", s->matched ? &s->matched->missing : NULL);
    put_names(json, "ambiguous", s->matched ? &s->matched->several : NULL);
    hs_json_put(json, "validation:{");
    hs_pu_json(&d->metrics, json);
    hs_json_put(json, "} study_bias:{corrected:%d correlation:%g before:%g strata:%u} reasons:%s",
                r->correct_bias, d->bias, d->bias_before, d->strata,
                d->own_terms ? "contributions to the log-odds"
                             : "log-likelihood ratio of over-representation");
    if (r->fdr > 0)
        hs_json_put(json,
                    "selection:{level:%g selected:%u expected_precision_low:%g "
                    "expected_precision:%g conformal:%u negatives:%u relative_to:%s}",
                    r->fdr, d->selected, d->selected_precision[0], d->selected_precision[1],
                    d->conformal, d->negatives,
                    r->negative ? "known negatives" : "reliable negatives");
    hs_json_put(json, "candidates:[");
    for (uint32_t k = 0; k < d->shown; k++) {
        const hs_candidate *c = &d->candidates[k];
        hs_json_put(json, "{rank:%u instance:%u id:%s label:%s", k + 1, c->instance + 1,
                    hsel_dataset_id(data, c->instance),
                    hs_about_label(&data->instance_about, c->instance));
        hs_json_put(
            json,
            "score:%g probability:%g probability_low:%g percentile:%g expected_precision:%g "
            "expected_precision_low:%g annotations:%u",
            c->score, c->probability, c->probability_low, c->percentile, c->precision,
            c->precision_low, c->annotations);
        if (r->fdr > 0)
            hs_json_put(json, "p:%g q:%g selected:%d reliable_negative:%d", c->p, c->q, c->selected,
                        c->reliable);
        hs_json_put(json, "reasons:[");
        for (uint32_t j = 0; j < c->reasons; j++)
            hs_json_put(json, "{feature:%s label:%s weight:%g known:%u others:%u}",
                        hsel_dataset_feature_name(data, c->reason[j].feature),
                        hs_about_label(&data->about, c->reason[j].feature), c->reason[j].weight,
                        c->reason[j].known, c->reason[j].others);
        hs_json_put(json, "] nearest_known:[");
        for (uint32_t j = 0; j < c->near; j++)
            hs_json_put(json, "{instance:%u id:%s label:%s similarity:%g}",
                        c->nearest[j].instance + 1, hsel_dataset_id(data, c->nearest[j].instance),
                        hs_about_label(&data->instance_about, c->nearest[j].instance),
                        c->nearest[j].similarity);
        hs_json_put(json, "]}");
    }
    hs_json_put(json, "]}");
}

int hs_candidates_report(const hs_candidates_shown *s, hs_writer *out, hsel_error *error)
{
    HS_OWNS(hs_document_clear) hs_document doc = {0};
    const hs_discover_request *r = s->request;
    const char *text = hs_say(
        &doc,
        "Candidates were ranked with hsel %s among %s instances with %s features, from %s. All "
        "others were treated as unlabelled. Scores come from %s; the seed is %ju. As validation, "
        "%s. By the estimated class prior, %s.",
        HSEL_VERSION, hs_grouped(&doc, r->data->instances), hs_grouped(&doc, s->found->features),
        say_known(s, &doc), say_method(s, &doc), (uintmax_t)r->seed, say_recovery(s, &doc),
        say_prior(s, &doc));
    hs_writer_text(out, "Methods\n\n");
    hs_put_wrapped(out, text, LINE_WIDTH, 0);
    text = say_bias(s, &doc);
    hs_put_wrapped(out, hs_say(&doc, "Study bias: %s.", text), LINE_WIDTH, 0);
    if (r->fdr > 0)
        hs_put_wrapped(
            out,
            hs_say(&doc, "Conformal selection (Jin, Candès 2023): %s.", say_selection(s, &doc)),
            LINE_WIDTH, 0);
    hs_writer_printf(out, "\nProvenance\n\nprogram    hsel %s\ndata       %s\nseed       %ju\n",
                     HSEL_VERSION, hs_say_cut(&doc, hsel_dataset_name(r->data), 80),
                     (uintmax_t)r->seed);
    if (r->data->provenance)
        hs_writer_printf(out, "history    %s\n", r->data->provenance);
    return hs_document_check(&doc, error);
}
