#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Repeats Tables 3, 5 and 7 and figure 1 of the TBFS paper (2012) as far as its data are at hand.

The study studies/tbfs-2012.yaml is run (17 rankers, 25 features chosen inside the fold, NB and SVM, 10-fold cross-validation four
times) and its AROC, pooled over the folds of a run and averaged over runs, is set beside the published one. The folds of the
paper are not known, so figures cannot agree to the digit: the standard deviation over the four runs says how far apart runs with
other folds are. Kendall's tau between the rankers (tau-a on the order of WEKA's Ranker) is set beside the mean and
standard deviation over the paper's 17 data sets, and the Frobenius distance of each set's matrix from the published mean beside
the distances of Table 3.

Exit status 0; 77 without the data.

usage: bench/reproduce_tbfs.py [options]      HSEL_DATA: data folder, default data/
"""
import argparse
import csv
import io
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

import reproduce_rpv

ROOT = pathlib.Path(__file__).resolve().parents[1]
PUBLISHED = ROOT / "studies" / "published"
NEAR = 0.02
SETS = {  # our name: folder, positive class, name in the paper's tables
    "Leukemia": ("leukemia_golub", "AML", "AAL"),
    "DLBCL tumour": ("dlbcl_shipp", "FL", "Tum"),
    "Colon": ("colon_alon", "n", "Colon"),
}
# Published name: ranker, name in figure 1.
RANKERS = {
    "chi2": ("chi2", "chi2"), "gr": ("gr", "GR"), "ig": ("ig", "IG"), "rf": ("relieff", "RF"), "rfw": ("relieff-w", "RFW"),
    "su": ("su", "SU"), "f": ("f", "F"), "or": ("or", "OR"), "pow": ("pow", "Pow"), "pr": ("pr", "PR"), "gi": ("gi", "GI"),
    "mi": ("mi", "MI"), "ks": ("ks", "KS"), "dev": ("dev", "Dev"), "gm": ("gm", "GM"), "auc": ("auc", "AUC"), "prc": ("prc", "PRC"),
}
TABLES = {"nb": ("5", "NB"), "svm": ("7", "SVM")}


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.returncode}")
    return done.stdout


# ---- AROC ----

def our_aroc(hsel, store):
    """(set, ranker, classifier) -> mean and standard deviation over runs."""
    run(hsel, "run", "-q", ROOT / "studies" / "tbfs-2012.yaml", "--store", store)
    text = run(hsel, "report", store, "--format", "csv")
    found = {}
    for row in csv.DictReader(io.StringIO(text)):
        ranker = row["selector"].partition("by=")[2].split(",")[0] or "auc"  # the default is not written
        classifier = row["classifier"].split(":")[0]
        found[row["dataset"], ranker, classifier] = float(row["pooled"]), float(row["pooled_sd"])
    return found


def published_aroc():
    with open(PUBLISHED / "tbfs_2012.csv", encoding="utf-8") as file:
        return {(row["dataset"], row["filter"], row["classifier"]): float(row["value"]) for row in csv.DictReader(file)}


def aroc_tables(ours, published):
    for classifier, (number, name) in TABLES.items():
        rows = []
        for filter_name, (ranker, shown) in RANKERS.items():
            cells = [shown]
            for our_set, (_, _, their_set) in SETS.items():
                value, sd = ours[our_set, ranker, classifier]
                print_value = published[their_set, filter_name, classifier]
                cells += [f"{print_value:.3f}", f"{value:.3f}", f"{value - print_value:+.3f}", f"{sd:.3f}"]
            rows.append(cells)
        heads = ["ranker"] + [f"{s}: {what}" for s in SETS for what in ("printed", "ours", "difference", "sd over runs")]
        yield Table(f"tbfs-{classifier}", f"Table {number}, {name}", heads, rows)


def agreement_table(ours, published):
    rows = []
    for classifier, (number, name) in TABLES.items():
        for our_set, (_, _, their_set) in SETS.items():
            pairs = [(ours[our_set, ranker, classifier], published[their_set, f, classifier]) for f, (ranker, _) in RANKERS.items()]
            differences = [value - printed for (value, _), printed in pairs]
            rows.append([f"{number}, {name}", our_set, str(len(pairs)), str(sum(abs(d) <= NEAR + 1e-12 for d in differences)),
                         f"{statistics.mean(differences):+.3f}", f"{statistics.mean(map(abs, differences)):.3f}",
                         f"{statistics.mean(sd for (_, sd), _ in pairs):.3f}"])
    heads = ["table", "data set", "cells", "within 0.02", "mean difference", "mean size", "sd over runs"]
    return Table("tbfs-agreement", "Agreement with Tables 5 and 7", heads, rows)


def difficulty_table(ours, published):
    """Data sets by how hard they are: the mean over rankers and classifiers of what is printed."""
    def printed(dataset, classifier):
        return statistics.mean(published[dataset, f, classifier] for f in RANKERS)

    def computed(dataset, classifier):
        return statistics.mean(ours[dataset, ranker, classifier][0] for ranker, _ in RANKERS.values())

    def spread(values):
        return f"{min(values):.3f} to {max(values):.3f}"

    every = sorted({d for d, _, _ in published}, key=lambda d: -(printed(d, "nb") + printed(d, "svm")))
    rows = []
    for our_set, (_, _, theirs) in sorted(SETS.items(), key=lambda item: every.index(item[1][2])):
        cells = [our_set, f"{every.index(theirs) + 1} of {len(every)}"]
        for classifier in TABLES:
            cells += [f"{printed(theirs, classifier):.3f}", f"{computed(our_set, classifier):.3f}",
                      spread([ours[our_set, ranker, classifier][0] for ranker, _ in RANKERS.values()])]
        rows.append(cells)
    heads = ["data set", "place from easy to hard"]
    for _, name in TABLES.values():
        heads += [f"{name}: printed mean", f"{name}: our mean", f"{name}: our rankers from … to"]
    return Table("tbfs-difficulty", "By difficulty", heads, rows)


# ---- tau ----

def our_tau(hsel, data):
    """Set -> matrix of tau-a over the rankers, and the names of the rankers."""
    matrices = {}
    by = ",".join(ranker for ranker, _ in RANKERS.values())
    for name, (folder, positive, _) in SETS.items():
        text = run(hsel, "rank", "-q", data / "numeric" / folder, "--compare", "--by", by, "--tau", "a", "--ties", "weka",
                   "--positive", positive, "--json")
        matrices[name] = json.loads(text)["datasets"][0]["tau"]
    return matrices


def published_tau():
    names = [shown for _, shown in RANKERS.values()]
    mean, sd = {}, {}
    with open(PUBLISHED / "tbfs_2012_tau.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            pair = tuple(sorted((names.index(row["filter_a"]), names.index(row["filter_b"]))))
            (mean if row["statistic"] == "mean_tau" else sd)[pair] = float(row["value"])
    return mean, sd


def pairs():
    return [(i, j) for i in range(len(RANKERS)) for j in range(i + 1, len(RANKERS))]


def mean_matrix(matrices):
    return {(i, j): statistics.mean(m[i][j] for m in matrices.values()) for i, j in pairs()}


def distance(matrix, other):
    return math.sqrt(2 * sum((matrix[i, j] - other[i, j]) ** 2 for i, j in pairs()))


def tau_table(matrices, printed):
    """Above the diagonal our mean, below it the paper's."""
    names = [shown for _, shown in RANKERS.values()]
    ours = mean_matrix(matrices)
    rows = [[names[i]] + ["1" if i == j else f"{ours[i, j]:.2f}" if i < j else f"{printed[j, i]:.2f}" for j in range(len(names))]
            for i in range(len(names))]
    return Table("tbfs-tau", "Kendall's tau: above the diagonal our mean over three sets, below it the paper's over 17",
                 ["ranker"] + names, rows)


def distance_table(matrices, printed, sd):
    ours = mean_matrix(matrices)
    as_pairs = {name: {(i, j): m[i][j] for i, j in pairs()} for name, m in matrices.items()}
    shown = [(name, m) for name, m in as_pairs.items()] + [("mean of the three", ours)]
    nothing = {p: 0.0 for p in pairs()}
    with open(PUBLISHED / "tbfs_2012_distance.csv", encoding="utf-8") as file:
        table3 = {row["dataset"]: row["value"] for row in csv.DictReader(file)}
    rows = [[name, f"{distance(m, printed):.2f}", table3[SETS[name][2]] if name in SETS else "", f"{distance(m, ours):.2f}",
             f"{sum(abs(m[p] - printed[p]) <= sd[p] for p in pairs())} of {len(pairs())}"] for name, m in shown]
    rows.append(["no agreement at all (tau 0)", f"{distance(nothing, printed):.2f}", "", f"{distance(nothing, ours):.2f}", ""])
    return Table("tbfs-distance", "Frobenius distance of tau matrices",
                 ["matrix", "from the paper's mean", "Table 3", "from our mean", "cells within one published sd"], rows)


# ---- outputs ----

class Table:
    def __init__(self, name, title, heads, rows):
        self.name, self.title, self.heads, self.rows = name, title, heads, rows

    def markdown(self):
        lines = ["| " + " | ".join(self.heads) + " |", "| --- |" + " --: |" * (len(self.heads) - 1)]
        return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in self.rows]) + "\n"

    def text(self):
        table = [self.heads] + self.rows
        widths = [max(len(row[i]) for row in table) for i in range(len(self.heads))]
        lines = ["  ".join(c.ljust(w) if not i else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))) for row in table]
        return self.title + "\n" + "\n".join(lines) + "\n"


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hsel", default=reproduce_rpv.find_hsel(), help="the program (default: the one under build/)")
    parser.add_argument("--data", default=os.environ.get("HSEL_DATA", ROOT / "data"), help="data folder")
    parser.add_argument("--store", default=ROOT / "build" / "bench" / "tbfs-2012.db",
                        help="results of the study; what is there is not run again")
    parser.add_argument("--update", metavar="FILE", help="renew the tables in this document")
    return parser.parse_args()


def main():
    options = parse()
    data = pathlib.Path(options.data)
    if not options.hsel or not all((data / "numeric" / folder).is_dir() for folder, _, _ in SETS.values()):
        print("the program or the data are not there", file=sys.stderr)
        return reproduce_rpv.NOT_THERE
    os.environ["HSEL_DATA"] = str(data.resolve())
    pathlib.Path(options.store).parent.mkdir(parents=True, exist_ok=True)
    ours, published = our_aroc(options.hsel, options.store), published_aroc()
    matrices = our_tau(options.hsel, data)
    mean, sd = published_tau()
    tables = [agreement_table(ours, published), difficulty_table(ours, published), *aroc_tables(ours, published),
              tau_table(matrices, mean), distance_table(matrices, mean, sd)]
    for table in tables:
        print(table.text())
    if options.update:
        reproduce_rpv.update_document(options.update, tables)
    rows = tables[0].rows
    print(f"Summary: TBFS 2012, Tables 5 and 7 (folds unknown): {sum(int(r[2]) for r in rows)} cells, {sum(int(r[3]) for r in rows)} within 0.02")
    return 0


if __name__ == "__main__":
    sys.exit(main())
