#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The experiment behind the defaults of the classifiers: candidates beside each other on the same folds.

For each classifier, mean over data sets of AUROC, GM, accuracy, Brier score and log loss (fold means, times 100; 10 folds, seed 1), the same
of always predicting the class shares, and the number of sets on which Brier score and log loss are above it by more than the tolerance
(0.5 and 1). The first candidate of each group is WEKA's or the papers', which versions before 0.3 had as default.

Defaults were chosen on the worm and fly sets of 2020 (--sets develop); --sets report has mouse and fly of 2022, --sets other text and micro-arrays. docs/defaults.md has the results.

usage: bench/defaults.py [--hsel PATH] [--sets develop|small|report|other] [GROUP ...]     default: build/release/hsel, all groups
       bench/defaults.py --check     exit status 1 if the default probabilities of a classifier are worse than the class shares on a gene set
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("HSEL_DATA", ROOT / "data"))
METRICS = ("auroc", "gm", "accuracy", "brier", "log-loss")
TOLERANCE = {"brier": 0.5, "log-loss": 1.0}
GROUPS = {
    "nb": ["nb:preset=weka"] + [f"nb:calibration={word}" for word in ("auto", "platt", "isotonic")],
    "knn": ["knn:preset=weka"] + [f"knn:k={k},smoothing={s}" for k in (3, 5, 10, 15, 25) for s in ("weka", "prior")] + [
        "knn:k=15,smoothing=prior,weights=balanced"],
    "tree": ["tree:preset=weka"] + [f"tree:laplace,{rest}" for rest in (
        "calibration=none", "min=5,calibration=none", "confidence=0.1,calibration=none", "calibration=auto")],
    "svm": ["svm:preset=weka", "svm:c=1,calibration=none", "svm:c=auto,calibration=none"],
    "forest": ["forest:preset=weka"] + [f"forest:trees=500,{rest},calibration={calibration}" for rest, calibration in (
        ("rule=log2,criterion=information,retry", "none"), ("criterion=information,retry", "none"), ("criterion=information,min=5,retry", "none"),
        ("retry", "none"), ("min=3,retry", "none"), ("criterion=information", "none"), ("min=2", "none"), ("min=5", "none"),
        ("retry=false", "none"), ("retry=false", "auto"))] + ["forest:bootstrap=balanced"],
    "network": [f"{name}:calibration={calibration}" for name in ("aode", "hie-aode", "hie-aode-lite", "tan", "ban", "hre-tan")
                for calibration in ("none", "auto")],
    "other": ["logistic", "proximal-graph:calibration=none", "proximal-graph:calibration=auto", "boost", "blend"],
    "weka": [f"{name}:preset=weka" for name in ("nb", "knn", "tree", "svm", "forest")],
    "default": ["nb", "knn", "tree", "svm", "forest"],
}


def sets_of(name):
    rpv = sorted(path for path in (DATA / "rpv").iterdir())
    if name == "small":
        return [[path, "--drop-roots"] for path in rpv if path.name[3:] in ("BP", "CC", "MF")]
    if name == "develop":
        return [[path, "--drop-roots"] for path in rpv]
    if name == "report":
        return [[path, "--drop-roots"] for path in sorted((DATA / "aire").iterdir())]
    ld = [[DATA / "ld" / path, "--hierarchy", DATA / "ld" / path / "hierarchy_java.tsv.gz", *rest]
          for path, rest in (("LDCities", []), ("LDSportsTweetst", ["--propagate"]))]
    return ld + [[path] for path in sorted((DATA / "numeric").iterdir())]


def evaluate(hsel, data, classifiers):
    command = [hsel, "eval", "-q", *data, "--json", "--seed", "1", "--metrics", ",".join(METRICS)]
    for classifier in classifiers:
        command += ["--classify", classifier]
    return json.loads(subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout)


def prior_of(row):
    sizes = [sum(line) for line in row["confusion"]]
    shares = [size / sum(sizes) for size in sizes if size]
    return {"brier": 50 * (1 - sum(p * p for p in shares)), "log-loss": -100 * sum(p * math.log(p) for p in shares)}


def measure(hsel, sets, groups, show):
    for group in groups:
        rows = [evaluate(hsel, data, GROUPS[group]) for data in sets]
        priors = [prior_of(of[0]) for of in rows]
        for i, name in enumerate(GROUPS[group]):
            values = {m: [100 * of[i]["metrics"][m]["fold_mean"] for of in rows] for m in METRICS}
            worse = [sum(v > p[m] + TOLERANCE[m] for v, p in zip(values[m], priors)) for m in ("brier", "log-loss")]
            show(f"| `{name}` | " + " | ".join(f"{statistics.fmean(values[m]):.1f}" for m in METRICS) + f" | {worse[0]}, {worse[1]} |")
        show("| class shares | 50.0 | 0.0 | | " + " | ".join(f"{statistics.fmean(p[m] for p in priors):.1f}" for m in ("brier", "log-loss")) + " | |")


def check(hsel):
    """Every classifier of the registry with its defaults; 5 folds."""
    names = [method["name"] for method in json.loads(subprocess.run([hsel, "methods", "--json"], check=True, capture_output=True).stdout)
             if method["kind"] == "classifier"]
    failed = 0
    for path in ("CE-CC", "DM-CC", "DM-MF"):
        for row in evaluate(hsel, [DATA / "rpv" / path, "--drop-roots", "--folds", "5"], names):
            prior = prior_of(row)
            for metric, tolerance in TOLERANCE.items():
                found = 100 * row["metrics"][metric]["pooled"]
                if not found <= prior[metric] + tolerance:
                    print(f"{path}: {row['classifier']}: {metric} {found:.2f}, of the class shares {prior[metric]:.2f}")
                    failed = 1
        names = [name for name in names if name != "proximal-graph"]  # slow: on the first set alone
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hsel", default=ROOT / "build/release/hsel")
    parser.add_argument("--sets", choices=("develop", "small", "report", "other"), default="develop")
    parser.add_argument("groups", nargs="*", metavar="GROUP")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        sys.exit(check(options.hsel))
    print("| classifier | AUROC | GM | accuracy | Brier | log loss | worse |\n|---|--:|--:|--:|--:|--:|--:|")
    measure(options.hsel, sets_of(options.sets), options.groups or [g for g in GROUPS], lambda line: print(line, flush=True))


if __name__ == "__main__":
    main()
