#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Repeats Table 2 of the Hie-AODE paper (2020), and Table B.1 of the RPV paper (2020): classifiers without feature selection.

Runs the studies hieaode-2020 and rpv-2020-classifiers (`hsel run`, what is in the stores is not run again) and compares their
figures with the published ones. Of the Hie-AODE paper the folds are not known, only their class sizes: ours are those of ten
seeds, and a cell agrees if the published figure is within two standard deviations of their mean (and half a unit of its last
digit). GO-BAN's figures are pooled over folds, the others are means over folds, as in the paper. Table B.1 was made with WEKA's
folds for seed 1, which are used here; figures of the forest depend on random numbers.

Exit status 0; 77 without the data.

usage: bench/reproduce_hieaode.py [options]      HSEL_DATA: data folder, default data/
"""
import argparse
import collections
import csv
import io
import json
import os
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from reproduce_rpv import (CLASSIFIERS, LD_SETS, NOT_THERE, PUBLISHED, ROOT, Runner, Table, find_hsel, signed,  # noqa: E402
                           update_document)

OURS = {"aode": "aode", "hie-aode": "hie-aode", "hie-aode-lite": "hie-aode-lite", "proximal-graph": "proximalgraph",
        "ban": "go-ban"}
TITLES = {"aode": "AODE", "hie-aode": "Hie-AODE", "hie-aode-lite": "Hie-AODE-Lite", "proximalgraph": "proximalGraph",
          "go-ban": "GO-BAN"}
POOLED = ("go-ban",)
METRICS = ("sensitivity", "specificity", "gm")
ROUNDING = 0.05

Cell = collections.namedtuple("Cell", "dataset classifier metric ours sd published")


def short(hsel, classifier):
    """A classifier without the options that its preset sets."""
    name, _, given = classifier.partition(":")
    methods = json.loads(subprocess.run([hsel, "methods", "--json"], check=True, stdout=subprocess.PIPE).stdout)
    sets = {word for method in methods if (method["kind"], method["name"]) == ("classifier", name)
            for option in method["options"] for word in option.get("sets", "").split(",")} | {"preset=weka"}
    kept = [word for word in given.split(",") if word and word not in sets]
    return name + (":" + ",".join(kept) if kept else "")


def results(options, study):
    """Rows of `hsel report` as CSV, after running what is missing."""
    store = options.work / f"{study}.db"
    environment = dict(os.environ, HSEL_DATA=str(options.data))
    command = [options.hsel, "run", str(ROOT / "studies" / f"{study}.yaml"), "--store", str(store), "--yes"]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    report = [options.hsel, "report", str(store), "--format", "csv", "-q", "--studies", str(ROOT / "studies")]
    text = subprocess.run(report, check=True, env=environment, stdout=subprocess.PIPE, encoding="utf-8").stdout
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["state"] == "ok"]
    names = {name: short(options.hsel, name) for name in {row["classifier"] for row in rows}}
    return [{**row, "classifier": names[row["classifier"]]} for row in rows]


def read_published():
    with open(PUBLISHED / "hieaode_2020.csv", encoding="utf-8") as file:
        return {(r["dataset"].replace(".", ""), r["classifier"], r["metric"]): float(r["percent"]) for r in csv.DictReader(file)}


def compare(rows, published):
    cells = []
    for row in rows:
        name = OURS[row["classifier"]]
        form = "pooled" if name in POOLED else "fold_mean"
        key = (row["dataset"], name, row["metric"])
        if key in published:
            cells.append(Cell(*key, 100 * float(row[form]), 100 * float(row[form + "_sd"] or "nan"), published[key]))
    return cells


def agrees(cell):
    return abs(cell.ours - cell.published) <= 2 * cell.sd + ROUNDING


def summary(cells):
    table = Table("hieaode summary", "Hie-AODE paper, Table 2: agreement",
                  ["method", "metric", "cells", "within 2 sd", "mean difference", "mean size", "sd over seeds"])
    for name, title in TITLES.items():
        for metric in METRICS:
            some = [c for c in cells if c.classifier == name and c.metric == metric]
            differences = [c.ours - c.published for c in some]
            table.rows.append([title, metric, str(len(some)), str(sum(map(agrees, some))), signed(statistics.fmean(differences)),
                               f"{statistics.fmean(map(abs, differences)):.2f}", f"{statistics.fmean(c.sd for c in some):.1f}"])
    return table


def by_set(cells, metric):
    table = Table(f"hieaode {metric}", f"Hie-AODE paper, Table 2: {metric}, ours ± sd over seeds (published)", ["part", *TITLES.values()])
    found = {(c.dataset, c.classifier): c for c in cells if c.metric == metric}
    for dataset in dict.fromkeys(c.dataset for c in cells):
        line = [dataset]
        for name in TITLES:
            cell = found[dataset, name]
            line.append(f"{cell.ours:.1f} ± {cell.sd:.1f} ({cell.published:.1f}){'' if agrees(cell) else ' !'}")
        table.rows.append(line)
    return table


def mean_ranks(value_of, cells):
    """Average ranks of GM over data sets, best is 1, equal values share."""
    sums = collections.Counter()
    sets = list(dict.fromkeys(c.dataset for c in cells))
    for dataset in sets:
        values = {c.classifier: round(value_of(c), 9) for c in cells if c.dataset == dataset and c.metric == "gm"}
        for name, value in values.items():
            above = sum(v > value for v in values.values())
            same = sum(v == value for v in values.values())
            sums[name] += above + (same + 1) / 2
    return {name: total / len(sets) for name, total in sums.items()}


def ranking(cells):
    table = Table("hieaode ranks", "Average rank by GM over these sets", ["method", "ours", "published figures"])
    ours, printed = mean_ranks(lambda c: c.ours, cells), mean_ranks(lambda c: c.published, cells)
    for name in sorted(ours, key=ours.get):
        table.rows.append([TITLES[name], f"{ours[name]:.2f}", f"{printed[name]:.2f}"])
    return table


def cities(options):
    """Rows of Cities, whose three classes the paper reads as two: what its GM is of depends on the classifier
    (reproduce_rpv.fold_shares), so that `hsel report` has no figure for it."""
    with open(PUBLISHED / "rpv_2020.csv", encoding="utf-8") as file:
        printed = {r["classifier"]: float(r["percent"]) for r in csv.DictReader(file)
                   if r["table"] == "tableB1" and r["dataset"] == "Cities"}
    figures = Runner(options.hsel, options.data).evaluate(LD_SETS[0], ["none"], list(printed), 1, 1)
    return [{"dataset": "LDCities", "classifier": short(options.hsel, CLASSIFIERS[name]), "published": percent / 100,
             "fold_mean": figures["none", name]["gm"][0] / 100} for name, percent in printed.items()]


def classifiers_table(rows):
    """Table B.1: a row per data set, ours and the published GM."""
    names = list(dict.fromkeys(r["classifier"] for r in rows))
    known = [r for r in rows if r["published"]]
    table = Table("classifiers", "RPV paper, Table B.1: GM without selection, ours (published)", ["part", *names])
    for dataset in dict.fromkeys(r["dataset"] for r in known):
        line = [dataset]
        for name in names:
            row = next((r for r in known if r["dataset"] == dataset and r["classifier"] == name), None)
            line.append(f"{100 * float(row['fold_mean']):.1f} ({100 * float(row['published']):.1f})" if row else "")
        table.rows.append(line)
    line = ["mean difference"]
    for name in names:
        differences = [100 * (float(r["fold_mean"]) - float(r["published"])) for r in known if r["classifier"] == name]
        line.append(signed(statistics.fmean(differences)) if differences else "")
    table.rows.append(line)
    return table


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hsel", default=None, help="the program (default: that of build/release, or of the PATH)")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("HSEL_DATA", ROOT / "data")))
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "bench", help="folder of the stores")
    parser.add_argument("--update", help="document whose tables are renewed")
    options = parser.parse_args()
    options.hsel = options.hsel or find_hsel()
    options.work.mkdir(parents=True, exist_ok=True)
    return options


def main():
    options = parse()
    if not (options.data / "aire").is_dir() or not (options.data / "rpv").is_dir():
        print("skipped: the reproduction needs the published data sets; HSEL_DATA names their folder")
        return NOT_THERE
    cells = compare(results(options, "hieaode-2020"), read_published())
    classifiers = results(options, "rpv-2020-classifiers") + cities(options)
    tables = [summary(cells), ranking(cells), *(by_set(cells, metric) for metric in METRICS),
              classifiers_table(classifiers)]
    if options.update:
        update_document(options.update, tables)
    else:
        print("\n".join(t.text() for t in tables))
    print(f"Summary: Hie-AODE 2020, Table 2 (folds unknown): {len(cells)} cells, {sum(map(agrees, cells))} within two standard deviations over ten seeds")
    known = [100 * abs(float(r["fold_mean"]) - float(r["published"])) for r in classifiers if r["published"]]
    print(f"Summary: RPV 2020, Table B.1, classifiers: {len(known)} cells, {sum(d <= 0.05 + 1e-9 for d in known)} within 0.05, "
          f"{sum(d <= 0.1 + 1e-9 for d in known)} within 0.1")
    return 0


if __name__ == "__main__":
    sys.exit(main())
