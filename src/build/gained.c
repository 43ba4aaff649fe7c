/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Classes from the dates of annotations: which objects gained an annotation with a term after a
 * day. Objects that had the term before are left out, as in CAFA (the Critical Assessment of
 * Function Annotation: Jiang et al., Genome Biology 17, 2016; Zhou et al., Genome Biology 20,
 * 2019): to predict what is known is no prediction. An object has a term if an annotation with it,
 * or with a term below it, counts.
 */
#include "build/assemble.h"

int hs_day_of(const char *option, const char *text, uint32_t *day, hsel_error *error)
{
    *day = text ? hs_annotation_date(text, strlen(text)) : 0;
    if (*day || !text)
        return HSEL_OK;
    return hs_about_option(option, error,
                           hs_fail(error, HSEL_EUSAGE,
                                   "%s takes a day such as 2020-12-31, not %.80s",
                                   HS_OPTION_WORD(option), text));
}

/* What an object has and had of a column. */
enum { HAD, HAS, NEITHER };

static int fate_of(const hs_sparse *before, const hs_sparse *after, uint32_t object,
                   const bool *within)
{
    size_t had, has;
    const uint32_t *old = hs_sparse_list(before, object, &had);
    const uint32_t *new = hs_sparse_list(after, object, &has);
    int fate = NEITHER;
    for (size_t i = 0; within && i < had; i++)
        if (within[old[i]])
            return HAD;
    for (size_t i = 0; i < has && fate == NEITHER; i++) {
        size_t k = within ? had : 0; /* of all terms each counts that is new */
        while (k < had && old[k] != new[i])
            k++;
        fate = k == had && (!within || within[new[i]]) ? HAS : NEITHER;
    }
    return fate;
}

int hs_labels_gained(const hs_assemble_options *options, const hs_list *terms, hs_graph *graph,
                     const hs_annotations *annotations, hs_labels *out, hs_assemble_report *report,
                     hsel_error *error)
{
    static const char *const classes[] = {"no", "yes"};
    const hs_names *objects = &annotations->objects;
    const size_t columns = terms->count ? terms->count : 1, all = graph->terms.count;
    HS_OWNS(hs_sparse_clear) hs_sparse before = {0};
    HS_OWNS(hs_sparse_clear) hs_sparse after = {0};
    hs_assemble_options chosen = *options;
    uint32_t since, until, object;
    HS_TRY(hs_day_of("since", options->since, &since, error));
    HS_TRY(hs_day_of("until", options->until, &until, error));
    HS_REFUSE(until && until <= since, "{since} must be a day before that of {until}");
    HS_OWNED bool *within = HS_NEW(bool, columns *all);
    HS_OWNED uint8_t *fate = HS_NEW(uint8_t, columns);
    HS_NEED(within && fate);
    /* Terms that are named may be others than those of the features. */
    if (terms->count) {
        chosen.namespaces = (hs_list){0};
        chosen.choose = (hs_choose_options){0};
    }
    chosen.choose.instances = NULL;
    chosen.no_propagate = false;
    for (size_t k = 0; k < columns; k++) {
        if (terms->count)
            HS_TRY(hs_terms_below("class", &(hs_list){.items = &terms->items[k], .count = 1}, graph,
                                  within + k * all, error));
        HS_TRY(hs_labels_add_column(out, terms->count ? terms->items[k] : "gained", error));
        for (size_t c = 0; c < 2; c++)
            HS_TRY(hs_names_intern(&out->columns[k].classes, classes[c], strlen(classes[c]),
                                   &object, NULL, error));
    }
    HS_TRY(hs_annotated_terms(&chosen, graph, annotations, since, &before, error));
    HS_TRY(
        hs_annotated_terms(&chosen, graph, annotations, until ? until : UINT32_MAX, &after, error));
    for (uint32_t o = 0; o < objects->count; o++) {
        bool had = true, gained = false;
        for (size_t k = 0; k < columns; k++) {
            fate[k] = (uint8_t)fate_of(&before, &after, o, terms->count ? within + k * all : NULL);
            had &= fate[k] == HAD;
            gained |= fate[k] == HAS;
        }
        if (had) {
            HS_TRY(hs_find_one(&report->found[HS_FOUND_HAD], hs_names_get(objects, o), error));
            continue;
        }
        report->found[HS_FOUND_GAINED].count += gained;
        HS_TRY(hs_labels_add_object(out, HS_NAME(objects, o), 0, &object, error));
        for (size_t k = 0; k < columns; k++)
            out->columns[k].class_of[object] = fate[k] == HAD ? HSEL_NONE : fate[k] == HAS;
    }
    return report->found[HS_FOUND_GAINED].count
               ? HSEL_OK
               : hs_fail_at(error, HSEL_EFORMAT, annotations->source, 0,
                            "no object gained an annotation with %.80s after {since=%.80s}",
                            terms->count ? terms->items[0] : "a new term", options->since);
}
