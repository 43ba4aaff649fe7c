/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report of hs_assemble: how each finding is told, and noting them.
 */
#include <string.h>

#include "format/assemble.h"

const hs_found_info hs_found_table[HS_FOUND_KINDS] = {
    [HS_FOUND_TERMS] = {"hierarchy", "terms", "terms", true},
    [HS_FOUND_TERMS_USED] = {"hierarchy", "terms_used", "terms used (chosen namespaces)", true},
    [HS_FOUND_EDGES] = {"hierarchy", "edges", "edges between them", true},
    [HS_FOUND_DUPLICATES] = {"hierarchy", "duplicate_edges", "left out: repeated edges", false},
    [HS_FOUND_LOOPS] = {"hierarchy", "self_loops", "left out: edges from a term to itself", false},
    [HS_FOUND_CYCLE_EDGES] = {"hierarchy", "cycle_edges", "left out: edges that close a cycle",
                              false},
    [HS_FOUND_MERGED] = {"hierarchy", "merged", "terms merged with others of their cycle", false},
    [HS_FOUND_ANNOTATIONS] = {"annotations", "read", "read", true},
    [HS_FOUND_EVIDENCE] = {"annotations", "evidence", "left out: evidence not wanted", false},
    [HS_FOUND_NEGATED] = {"annotations", "negated", "left out: NOT", false},
    [HS_FOUND_UNKNOWN] = {"annotations", "unknown", "left out: term not in the hierarchy", true,
                          true},
    [HS_FOUND_OBSOLETE] = {"annotations", "obsolete", "left out: obsolete term, not replaced", true,
                           true},
    [HS_FOUND_NAMESPACE] = {"annotations", "namespace", "left out: other namespaces", false, true},
    [HS_FOUND_UNLABELLED] = {"annotations", "unlabelled", "left out: object without label", false},
    [HS_FOUND_BLOCKED] = {"annotations", "blocked", "left out: at or below a NOT term", false},
    [HS_FOUND_REPEATED] = {"annotations", "repeated", "left out: said before", false},
    [HS_FOUND_USED] = {"annotations", "used", "used", true},
    [HS_FOUND_OTHER_TAXON] = {"annotations", "other_taxon", "not read: other species", false},
    [HS_FOUND_ALTERNATE] = {"annotations", "alternate", "renamed: alternate identifier", true,
                            true},
    [HS_FOUND_REPLACED] = {"annotations", "replaced", "renamed: obsolete term, replaced", true,
                           true},
    [HS_FOUND_OBJECTS] = {"objects", "annotated", "annotated", true},
    [HS_FOUND_OBJECTS_UNKNOWN] = {"objects", "without_label", "annotated, but without label", true,
                                  true},
    [HS_FOUND_LABELS] = {"objects", "labelled", "labelled", true},
    [HS_FOUND_LABELS_CONFLICT] = {"objects", "conflicting", "left out: conflicting labels", false,
                                  true},
    [HS_FOUND_NO_ANNOTATION] = {"objects", "without_annotation", "labelled, but not annotated",
                                true, true},
    [HS_FOUND_NOTHING_LEFT] = {"objects", "nothing_left", "labelled, but no annotation left", true,
                               true},
    [HS_FOUND_LABELS_EMPTY] = {"objects", "class_missing", "label rows without a class", false},
    [HS_FOUND_LABELS_REPEATED] = {"objects", "label_repeated", "label rows said before", false},
    [HS_FOUND_DIRECT] = {"values", "direct", "positive as annotated", true},
    [HS_FOUND_PROPAGATED] = {"values", "propagated", "added by propagation", true},
    [HS_FOUND_CANDIDATES] = {"features", "candidates", "terms that are positive somewhere", true},
    [HS_FOUND_RARE] = {"features", "rare", "left out: support too low", true, true},
    [HS_FOUND_ROOTS] = {"features", "roots", "left out: roots", false, true},
    [HS_FOUND_INSTANCES] = {"result", "instances", "instances", true},
    [HS_FOUND_FEATURES] = {"result", "features", "features", true},
    [HS_FOUND_FEATURE_EDGES] = {"result", "edges", "edges", true},
    [HS_FOUND_CLASSES] = {"result", "classes", "classes", true},
    [HS_FOUND_POSITIVES] = {"result", "positives", "positive values", true},
};

int hs_finding_add(hs_finding *finding, const char *example, hsel_error *error)
{
    finding->count++;
    if (!example || finding->examples.count >= HS_EXAMPLES_LIMIT)
        return HSEL_OK;
    return hs_names_append(&finding->examples, example, strlen(example), error);
}

void hs_assemble_report_clear(hs_assemble_report *report)
{
    for (int kind = 0; kind < HS_FOUND_KINDS; kind++)
        hs_names_clear(&report->found[kind].examples);
    *report = (hs_assemble_report){0};
}
