/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rankers that a study compares with each other, and by which tau: a list of them, or a mapping
 * that has the list under `by`.
 */
#include "study/study_parts.h"

typedef struct rankings {
    int tau, ties;
    hs_list nested;
} rankings;

enum { BY };
enum { MOST = 1000 }; /* rankers: a matrix of more is of no use to anybody */

const hs_option hs_study_rankings_keys[] = {
    HS_OPTION(rankings, nested, "by", "LIST", NULL, 0, 0,
              "rankers and measures: texts, or keys as above"),
    HS_CHOICE(rankings, tau, "tau", "b|a", "b",
              "Kendall's tau-b on scores with their ties, or tau-a on orders without ties"),
    HS_CHOICE(rankings, ties, "ties", "index|weka", "index",
              "order of equal scores for tau-a: by index, or as WEKA's Ranker has them"),
    HS_OPTION_END};

int hs_study_rankings(hs_study_reader *r, const hs_yaml *node, hsel_error *error)
{
    hs_study *study = r->study;
    rankings written = {0};
    const hs_yaml *nodes[HS_STUDY_KEYS] = {node}, *list = node;
    int status = HSEL_OK;
    if (node->kind == HS_YAML_MAPPING) {
        status = hs_keys_read(r, node, "rankings", hs_study_rankings_keys, &written, nodes, error);
        if (status == HSEL_OK && !(list = nodes[BY]))
            status = hs_study_fail(r, node->line, error, "there is no key 'by' in rankings");
    }
    if (status == HSEL_OK)
        status = hs_study_methods(r, HS_RANKER, list, &study->rankers, &study->ranker_count, error);
    if (status == HSEL_OK && study->ranker_count < 2)
        status = hs_study_fail(r, list->line, error,
                               "'%s' has one ranker: two or more can be compared", list->key);
    if (status == HSEL_OK && study->ranker_count > MOST)
        status = hs_fail_at(error, HSEL_ELIMIT, r->file, list->line,
                            "%zu rankers; at most %d can be compared", study->ranker_count, MOST);
    study->tau = written.tau == 0 ? HS_TAU_B : written.ties == 0 ? HS_TAU_A_INDEX : HS_TAU_A_WEKA;
    return status;
}
