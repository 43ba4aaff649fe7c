/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sample_store STORE: a store with a small study that has everything a report shows: a sweep, a
 * failure, unfinished work, a data set that is not there, published figures (in the file beside
 * this one), names that would break a page if they were not escaped.
 */
#include <string.h>

#include "support/sample_study.h"

static const char text[] =
    "name: sample\n"
    "title: A sample of everything <b>& \"more\"\n"
    "datasets:\n"
    "  - {name: alpha, generate: \"ontology:instances=90,features=40,positives=8,signal=0.5\", "
    "seed: 1}\n"
    "  - {name: beta, generate: \"ontology:instances=100,features=50,positives=8,signal=0.8\", "
    "seed: 2}\n"
    "  - {name: gamma, generate: "
    "\"ontology:instances=80,features=45,positives=8,signal=0.9,largest-class=0.7\", seed: 3}\n"
    "  - {name: \"<script>alert(1)</script>\", generate: "
    "\"ontology:instances=80,features=40,positives=8\", seed: 4}\n"
    "  - {name: delta, generate: \"ontology:instances=80,features=42,positives=9,signal=0.7\", "
    "seed: 5}\n"
    "  - {name: epsilon, generate: \"ontology:instances=80,features=42,positives=9,signal=0.7\", "
    "seed: 6}\n"
    "  - {name: away, path: nowhere/away}\n"
    "selectors:\n"
    "  - {label: No selection, method: none}\n"
    "  - {label: HIP, method: hip}\n"
    "  - {label: MR, method: mr}\n"
    "  - {label: RPV, method: rpv}\n"
    "  - {label: \"S <i>& $x_1$\", method: \"shsel:threshold=0.5..1/0.05\"}\n"
    "  - {label: TSEL, method: tsel}\n"
    "classifiers: [{label: NB, method: nb}, {label: 1-NN, method: knn}]\n"
    "folds: {count: 5, repeats: 2, seed: 1}\n"
    "metrics: [gm, accuracy]\n"
    "compare: {control: rpv}\n"
    "best-of: {selector: shsel, metric: accuracy}\n"
    "rankings: {by: [auc, ig, {label: \"L <i>& $x_1$\", method: lift}], tau: a}\n"
    "published: {file: published.csv, map: {none: nofs, knn: 1nn}}\n";

static bool wanted(const char *dataset, const char *selector, uint32_t repeat, uint32_t fold,
                   const char **message)
{
    if (strcmp(dataset, "epsilon") == 0 && strcmp(selector, "tsel") == 0 && fold == 2)
        *message = "epsilon: no memory is left for <tsel>";
    return !(strcmp(dataset, "delta") == 0 && strcmp(selector, "mr") == 0 && repeat == 1 &&
             fold > 2);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    hs_sample_run(&(hs_sample){.text = text, .wanted = wanted}, argv[1]);
    return 0;
}
