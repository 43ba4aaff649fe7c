#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Is hsel's forest as good as others? Accuracy and area under the ROC curve of three programs on the same folds.

For each set under HSEL_DATA/rpv (roots dropped) and each seed: 10 folds as WEKA makes them for that seed; `forest` of hsel, WEKA's
RandomForest and scikit-learn's RandomForestClassifier (by entropy), 100 trees of log2(features) + 1 features a node each. Shows mean and
standard deviation over the seeds, the mean difference on equal folds, and whether hsel is within two standard deviations (of a difference of two such runs) of
the others. Exit status 0 if it is, 1 if not, 77 without WEKA or scikit-learn.

usage: bench/forest_compare.py [--hsel PATH] [--seeds N] [NAME ...]     default: build/release/hsel, 10, CE-CC DM-BP DM-CC DM-MF
"""
import argparse
import csv
import math
import os
import pathlib
import re
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
try:
    import numpy
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.metrics import accuracy_score, roc_auc_score
    import peers
    import weka_compare as weka
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(77)


def own(hsel, file, seed):
    """Accuracy, area, and the folds: which fold each instance is tested in."""
    out = weka.WORK / "forest.csv"
    weka.run(hsel, "eval", "-q", file, "--classify", "forest:preset=weka", "--fold-scheme", "weka", "--seed", seed, "--predictions", out)
    with out.open() as handle:
        rows = sorted(csv.DictReader(handle), key=lambda row: int(row["instance"]))
    label = [row["class"] for row in rows]
    scores = [[float(value) for name, value in row.items() if name.startswith("P(")][1] for row in rows]
    accuracy = accuracy_score(label, [row["predicted"] for row in rows])
    return accuracy, roc_auc_score(label, scores), [row["fold"] for row in rows]


def theirs_weka(file, seed):
    text = weka.run("java", "-Xmx3g", "-cp", weka.JAR, "weka.classifiers.trees.RandomForest", "-I", "100", "-K", "0", "-S", seed,
                    "-t", file, "-x", "10", "-s", seed, "-o", "-i")
    text = text[text.index("Stratified cross-validation"):]
    accuracy = float(re.search(r"Correctly Classified Instances\s+\d+\s+([\d.]+)", text)[1]) / 100
    area = float(re.search(r"^Weighted Avg\..* ([\d.]+)\s*$", text, re.M)[1])
    return accuracy, area


def theirs_sklearn(features, labels, folds, seed):
    predicted, scores = labels.copy(), numpy.zeros(len(labels))
    fold_of = numpy.array(folds)
    for fold in sorted(set(folds)):
        test = fold_of == fold
        forest = RandomForestClassifier(100, criterion="entropy", max_features=features.shape[1].bit_length(), n_jobs=1,
                                        random_state=int(seed))
        forest.fit(features[~test], labels[~test])
        predicted[test] = forest.predict(features[test])
        scores[test] = forest.predict_proba(features[test])[:, 1]
    return accuracy_score(labels, predicted), roc_auc_score(labels, scores)


def spread(values):
    return statistics.mean(values), statistics.stdev(values) if len(values) > 1 else 0.0


def paired(found, who, which):
    """Mean of hsel's result less theirs on the same folds, and its standard error."""
    if who == "hsel" or len(found["hsel"]) < 2:
        return ""
    mean, sd = spread([own[which] - other[which] for own, other in zip(found["hsel"], found[who])])
    return f" (hsel {100 * mean:+.2f}, s.e. {100 * sd / math.sqrt(len(found['hsel'])):.2f})"


def compare(hsel, name, file, seeds):
    features, labels = peers.arff_matrix(file)
    found = {"hsel": [], "WEKA": [], "scikit-learn": []}
    for seed in map(str, range(1, seeds + 1)):
        accuracy, area, folds = own(hsel, file, seed)
        found["hsel"].append((accuracy, area))
        found["WEKA"].append(theirs_weka(file, seed))
        found["scikit-learn"].append(theirs_sklearn(features, labels, folds, seed))
    good = True
    for which, what in enumerate(("accuracy", "AUROC")):
        stats = {who: spread([pair[which] for pair in pairs]) for who, pairs in found.items()}
        line = "  ".join(f"{who} {100 * mean:.2f} ± {100 * sd:.2f}{paired(found, who, which)}" for who, (mean, sd) in stats.items())
        apart = [who for who, (mean, sd) in stats.items()
                 if abs(mean - stats["hsel"][0]) > 2 * math.hypot(sd, stats["hsel"][1])]
        print(f"{name:10} {what:9} {line}{'   APART FROM ' + ', '.join(apart) if apart else ''}", flush=True)
        good = good and not apart
    return good


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("--hsel", default=str(weka.ROOT / "build" / "release" / "hsel"))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("names", nargs="*", default=["CE-CC", "DM-BP", "DM-CC", "DM-MF"])
    options = parser.parse_args()
    if not os.path.exists(weka.JAR):
        print("WEKA (Debian: weka) is missing", file=sys.stderr)
        return 77
    weka.WORK.mkdir(parents=True, exist_ok=True)
    good = [compare(options.hsel, name, file, options.seeds) for name, file in weka.inputs(options.hsel, set(options.names))]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
