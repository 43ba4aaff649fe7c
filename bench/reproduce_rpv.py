#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Repeats the tables of the RPV paper (2020), and those of the GA-HFS paper (2018) that need no genetic algorithm, cell by cell.

Every method runs with `hsel eval` on the authors' folds (`--fold-scheme weka --seed 1`, roots of the gene ontology dropped,
means over folds) and its figures are compared with the published ones (studies/published/*.csv): how many are within 0.05
(all that a figure with one decimal can tell) and within 0.1 point, mean signed and mean absolute difference. The spread
next to them is the standard deviation over ten other fold seeds (2 to 11): what a difference would look like by chance.
Cells that are misprinted are left out, or read where they belong (studies/published/README.md lists them; a star marks them).

Exit status 0; 1 if --check finds a cell that is no longer met; 77 without the data.

usage: bench/reproduce_rpv.py [options]      HSEL_DATA: data folder, default data/
"""
import argparse
import collections
import csv
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PUBLISHED = ROOT / "studies" / "published"
EXACT, NEAR = 0.05, 0.1
ROUNDING = 1e-9
NOT_THERE = 77

# Published name of a selector -> what hsel calls it, with the reading that the tables were made with (docs/reproduction.md).
RPV_METHODS = {
    "nofs": "none", "all-pos": "all-pos", "all-neg": "all-neg", "hip": "hip",
    "rpv-lazyr": "rpv", "rpv-r": "rpv:measure=r,smoothing=rpv", "rpv-ig": "rpv:measure=ig",
    "mr": "mr:smoothing=rpv", "shsel": "shsel:similarity=ig,threshold=0.99,prune=strict,mean=all",
    "gtd": "gtd", "tsel": "tsel:reading=path-max,score=lift", "cfs": "cfs", "relieff": "relieff:threshold=0.01,order=folds",
}
GAHFS_METHODS = {"nofs": "none", "hip": "hip", "shsel": "shsel:similarity=ig,threshold=0.98,prune=strict,mean=all",
                 "cfs": "cfs:termination=1", "relieff": "relieff:threshold=0.04,order=folds"}
METHODS = {"rpv-2020": RPV_METHODS, "gahfs-2018": GAHFS_METHODS}
# The settings of flat methods are not the same for all metrics: these meet their columns, those above the others.
BY_METRIC = {("rpv-2020", "cfs", "auroc"): "cfs:termination=1", ("rpv-2020", "relieff", "auroc"): "relieff:threshold=0.05,order=folds",
             ("gahfs-2018", "relieff", "auprc"): "relieff:threshold=0.01,order=folds"}
CLASSIFIERS = {"nb": "nb:preset=weka", **{f"{k}nn": f"knn:preset=weka,k={k}" for k in (1, 3, 5, 7)}, "c45": "tree:preset=weka",
               "svm-rbf": "svm:preset=weka,kernel=rbf,grid=rpv", "rf": "forest:preset=weka"}
ONLY_B1 = ("c45", "svm-rbf", "rf")  # published in Table B.1 alone: bench/reproduce_hieaode.py
METRICS = ("gm", "auroc", "auprc")
# Selectors that are defined on data that keep the true-path rule.
NEEDS_RULE = ("rpv", "hip", "mr")
# Of these, 252 cells were known to be nearly all attainable.
CORE = ("nofs", "all-pos", "all-neg", "hip", "rpv-lazyr", "rpv-r", "rpv-ig")

Cell = collections.namedtuple("Cell", "paper dataset selector classifier metric")
Figure = collections.namedtuple("Figure", "percent tables")


class DataSet:
    """Where a published data set is, and what is special about it."""

    def __init__(self, published, folder, drop_roots=False, breaks_rule=False, three_classes=False):
        self.published, self.folder, self.drop_roots = published, folder, drop_roots
        self.breaks_rule, self.three_classes = breaks_rule, three_classes


GO_SETS = [DataSet(name, "rpv/" + name.replace(".", ""), drop_roots=True)
           for species in ("CE", "DM")
           for name in (f"{species}-{part}" for part in ("BP", "CC", "MF", "BP.MF", "CC.MF", "BP.CC.MF"))]
# DBpedia types: there is no root to drop. In six tweets a feature is positive and its parent is not.
LD_SETS = [DataSet("Cities", "ld/LDCities", three_classes=True), DataSet("Tweets T", "ld/LDSportsTweetst", breaks_rule=True)]


# ---- published figures ----

def is_misprint(row):
    """Is this figure of the RPV paper not a target, because another of the paper contradicts it? (Evidence: docs/reproduction.md)"""
    place = row["table"], row["dataset"], row["selector"], row["classifier"], row["metric"]
    table, dataset, selector, classifier, metric = place
    return ((table == "table7" and classifier == "nb" and selector in ("gtd", "tsel"))  # columns of Table 2
            or place == ("table5", "CE-CC", "rpv-lazyr", "nb", "auroc"))                 # not what Tables 3 and 8 say


# How the figures of CFS and ReliefF in Tables 5 and 6 are read, step by step; each step includes those before it.
AS_PRINTED, SWAPS, C45, BY_METRIC_TOO = range(4)
STEPS = ["as printed, one setting for each selector", "swapped columns read where they belong",
         "two columns of ReliefF read as CFS with C4.5", "settings by metric"]


def right_place(row, step):
    """Selector, classifier, metric and table of a figure. Columns of Tables 5 and 6 were printed in each other's place, and two
    of ReliefF's hold what CFS and C4.5 come to; on two data sets this one stands in the next column."""
    table, metric, selector, classifier = row["table"].removeprefix("table"), row["metric"], row["selector"], row["classifier"]
    if step == AS_PRINTED:
        return selector, classifier, metric, table
    if step == SWAPS:
        swapped = {("5", "gm"): ("1nn", "auprc", "5*"), ("6", "auprc"): ("nb", "gm", "6*")}
        return selector, *swapped.get((table, metric), (classifier, metric, table))
    if (table, selector, metric) == ("5", "relieff", "gm" if row["dataset"] in ("DM-BP", "Tweets T") else "auprc"):
        return "cfs", "c45", "auprc", "5*"
    if (table, selector, metric) == ("6", "relieff", "auprc"):
        return "cfs", "c45", "gm", "6*"
    if table == "5" and (metric == "gm" or (selector == "relieff" and metric == "auprc")):
        return selector, "1nn", "auprc", "5*"
    if (table, metric) == ("6", "auprc"):
        return selector, "nb", "gm", "6*"
    return selector, classifier, metric, table


def read_rows():
    for name in ("rpv_2020.csv", "gahfs_2018.csv"):
        with open(PUBLISHED / name, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if (row["selector"] in METHODS[row["paper"]] and row["classifier"] in (*CLASSIFIERS, "")
                        and row["classifier"] not in ONLY_B1):
                    yield row


def read_published(step=BY_METRIC_TOO):
    """Every cell with a figure that can be compared. A figure printed in several tables is one cell, the first counts."""
    cells = {}
    for row in read_rows():
        if row["paper"] == "rpv-2020" and is_misprint(row):
            continue
        selector, classifier, metric, table = right_place(row, step)
        cell = Cell(row["paper"], row["dataset"], selector, classifier, metric)
        figure = cells.setdefault(cell, Figure(float(row["percent"]), []))
        figure.tables.append(table)
        if figure.percent != float(row["percent"]) and step == BY_METRIC_TOO:
            print(f"in print, {' '.join(cell)} is {figure.percent} in Table {figure.tables[0]}, {row['percent']} in {table}",
                  file=sys.stderr)
    return cells


# ---- running hsel ----

class Runner:
    def __init__(self, hsel, data):
        self.hsel, self.data = hsel, pathlib.Path(data)

    def has(self, dataset):
        return (self.data / dataset.folder).is_dir()

    def run(self, *arguments):
        done = subprocess.run([self.hsel, *map(str, arguments)], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, arguments))}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def source(self, dataset):
        """The folder and how to read it; `hierarchy_java` has the edges as the authors' program read them."""
        folder = self.data / dataset.folder
        as_read = folder / "hierarchy_java.tsv.gz"
        return [folder, *(["--hierarchy", as_read] if as_read.exists() else []),
                *(["--drop-roots"] if dataset.drop_roots else [])]

    def features(self, dataset, with_roots=False):
        source = [self.data / dataset.folder] if with_roots else self.source(dataset)
        return self.run("info", *source, "--json")["features"]

    def selected_once(self, dataset, method):
        """Number of features that an eager selector chooses from the whole data set, in which nothing is held back."""
        command = [self.hsel, "select", "-q", *self.source(dataset), "--allow-violations", "--select", method]
        return len(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines())

    def evaluate(self, dataset, methods, classifiers, seed, repeats):
        """{(method text, classifier): {metric: (percent, sd over repeats)}}, selected_pct among the metrics."""
        if not dataset.breaks_rule:
            return self.evaluate_part(dataset, methods, classifiers, seed, repeats, [])
        repair = [m for m in methods if m.split(":")[0] in NEEDS_RULE]
        others = [m for m in methods if m not in repair]
        return {**self.evaluate_part(dataset, repair, classifiers, seed, repeats, ["--propagate"]),
                **self.evaluate_part(dataset, others, classifiers, seed, repeats, ["--allow-violations"])}

    def evaluate_part(self, dataset, methods, classifiers, seed, repeats, options):
        if not methods:
            return {}
        arguments = ["eval", *self.source(dataset), *options, "--fold-scheme", "weka", "--seed", seed, "--repeats", repeats,
                     "--rank-by", "probability"]  # as the authors' programs and WEKA
        for method in methods:
            arguments += ["--select", method]
        for classifier in classifiers:
            arguments += ["--classify", CLASSIFIERS[classifier]]
        with tempfile.TemporaryDirectory() as folder:
            predictions = os.path.join(folder, "predictions.csv")
            results = self.run(*arguments, "--json", *(["--predictions", predictions] if dataset.three_classes else []))
            special = three_class_metrics(predictions, classifiers) if dataset.three_classes else {}
        out = {}
        for i, result in enumerate(results):
            pair = s, c = divmod(i, len(classifiers))
            figures = {m: (100 * v["fold_mean"], 100 * v["sd"]) for m, v in result["metrics"].items() if m in METRICS}
            figures["selected_pct"] = (result["selected_pct"], math.nan)
            out[methods[s], classifiers[c]] = {**figures, **special.get(pair, {})}
        return out


# ---- Cities: three classes, for which the authors' figures are of two ----

def auroc(scored):
    """Mann-Whitney with one half for ties, of (score, is positive) pairs."""
    positives = [s for s, p in scored if p]
    negatives = [s for s, p in scored if not p]
    wins = sum((p > n) + 0.5 * (p == n) for p in positives for n in negatives)
    return wins / (len(positives) * len(negatives))


def auprc(scored):
    """Average precision, equal scores taken together."""
    positives, found, seen, area = sum(p for _, p in scored), 0, 0, 0.0
    groups = collections.defaultdict(list)
    for score, positive in scored:
        groups[score].append(positive)
    for score in sorted(groups, reverse=True):
        found, seen = found + sum(groups[score]), seen + len(groups[score])
        area += sum(groups[score]) / positives * found / seen
    return area


def share(rows, truth, among, predicted):
    """Of the instances of the classes `truth`, predicted as one of `among`: the share predicted as one of `predicted`."""
    here = [r for r in rows if r["class"] in truth and r["predicted"] in among]
    return sum(r["predicted"] in predicted for r in here) / len(here) if here else 0.0


def fold_shares(fold, classifier):
    """Sensitivity and specificity of a fold: for NB the second class against the first, the third left out; else against the rest."""
    first, second, third = "high", "medium", "low"
    among = [first, second] if classifier == "nb" else [first, second, third]
    rest = [c for c in among if c != second]
    return share(fold, [second], among, [second]), share(fold, rest, among, rest)


def repeat_metrics(rows, classifier):
    """The metrics of one repeat, means over its folds; areas are of the second class against the rest."""
    folds = collections.defaultdict(list)
    for row in rows:
        folds[row["fold"]].append(row)
    scored = [[(r["probability"][1], r["class"] == "medium") for r in fold] for fold in folds.values()]
    sensitivity, specificity = zip(*(fold_shares(fold, classifier) for fold in folds.values()))
    return {"auroc": 100 * statistics.fmean(map(auroc, scored)), "auprc": 100 * statistics.fmean(map(auprc, scored)),
            "gm": 100 * math.sqrt(statistics.fmean(sensitivity) * statistics.fmean(specificity))}


def three_class_metrics(path, classifiers):
    """{(index of selector, index of classifier): {metric: (mean over repeats, sd over repeats)}}"""
    pairs = collections.defaultdict(lambda: collections.defaultdict(list))
    with open(path, encoding="utf-8", newline="") as file:
        selectors, names = {}, {}  # numbered as they appear, which is the order of the command line
        for row in csv.DictReader(file):
            s = selectors.setdefault(row["selector"], len(selectors))
            c = names.setdefault(row["classifier"], len(names))
            pairs[s, c][row["repeat"]].append(
                {"fold": row["fold"], "class": row["class"], "predicted": row["predicted"],
                 "probability": [float(p) for column, p in row.items() if column.startswith("P(")]})
    out = {}
    for pair, repeats in pairs.items():
        each = [repeat_metrics(rows, classifiers[pair[1]]) for rows in repeats.values()]
        columns = {m: [e[m] for e in each] for m in METRICS}
        out[pair] = {m: (statistics.fmean(v), statistics.stdev(v) if len(v) > 1 else 0.0) for m, v in columns.items()}
    return out


# ---- comparing ----

Result = collections.namedtuple("Result", "cell published ours sd difference")


def percentage(runner, dataset, cell, selected_pct):
    """As in Table 10, which counts the class among the features, and among the negative ones. ReliefF's column is of the whole
    data set with its root, not a mean over folds (docs/reproduction.md)."""
    if cell.selector == "relieff":
        return 100 * runner.selected_once(dataset, METHODS[cell.paper]["relieff"]) / (runner.features(dataset, with_roots=True) + 1)
    features = runner.features(dataset)
    return (selected_pct * features + (100 if cell.selector == "all-neg" else 0)) / (features + 1)


def method_of(cell, step):
    as_usual = METHODS[cell.paper][cell.selector]
    return BY_METRIC.get((cell.paper, cell.selector, cell.metric), as_usual) if step == BY_METRIC_TOO else as_usual


def wanted_runs(cells, step):
    """What to run for these cells: [(methods, classifiers)]."""
    wanted = collections.defaultdict(list)
    for cell in cells:
        wanted["nb" if cell.classifier in ("", "1nn") else cell.classifier].append(method_of(cell, step))
    return [(list(dict.fromkeys(methods)), ["nb", "1nn"] if classifier == "nb" else [classifier])
            for classifier, methods in sorted(wanted.items())]


def compare(runner, dataset, published, seeds, step=BY_METRIC_TOO):
    """Results of every published cell of a data set."""
    cells = {c: f for c, f in published.items() if c.dataset == dataset.published}
    runs = [(1, 1)] + ([(2, seeds)] if seeds > 1 else [])
    found = [{} for _ in runs]
    for figures, (seed, repeats) in zip(found, runs):
        for methods, classifiers in wanted_runs(cells, step):
            figures.update(runner.evaluate(dataset, methods, classifiers, seed, repeats))
    results = []
    for cell, figure in cells.items():
        key = method_of(cell, step), cell.classifier or "nb"
        ours = found[0][key][cell.metric][0]
        sd = found[1][key][cell.metric][1] if len(found) > 1 else math.nan
        if cell.metric == "selected_pct":
            ours = percentage(runner, dataset, cell, ours)
        results.append(Result(cell, figure, ours, sd, ours - figure.percent))
    return results


def within(result, limit):
    return abs(result.difference) <= limit + ROUNDING


# ---- tables: rows of texts, shown as aligned text or as Markdown ----

class Table:
    def __init__(self, name, title, header):
        self.name, self.title, self.header, self.rows = name, title, header, []

    def is_numeric(self, column):
        return self.header[column] not in ("part", "method", "classifier", "metric", "tables", "significantly apart")

    def text(self):
        lines = [self.header] + self.rows
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.header))]
        texts = ("  ".join(text.rjust(widths[i]) if self.is_numeric(i) else text.ljust(widths[i])
                           for i, text in enumerate(line)).rstrip() for line in lines)
        return "\n".join([self.title, "", *texts]) + "\n"

    def markdown(self):
        rule = ["--:" if self.is_numeric(i) else "---" for i in range(len(self.header))]
        return "".join("| " + " | ".join(line).replace("*", "\\*") + " |\n" for line in [self.header, rule, *self.rows])


def tables_of(results):
    """Table numbers of these cells, in order."""
    numbers = {t for r in results for t in r.published.tables}
    return ", ".join(sorted(numbers, key=lambda t: (not t.isdigit(), int(t) if t.isdigit() else 0, t)))


def signed(value):
    text = f"{value:+.2f}"
    return "0.00" if text == "-0.00" or text == "+0.00" else text


def summary_cells(results):
    differences = [r.difference for r in results]
    spreads = [r.sd for r in results if not math.isnan(r.sd)]
    return [str(len(results)), str(sum(within(r, EXACT) for r in results)), str(sum(within(r, NEAR) for r in results)),
            signed(statistics.fmean(differences)), f"{statistics.fmean(map(abs, differences)):.2f}",
            f"{statistics.fmean(spreads):.1f}" if spreads else ""]


SUMMARY_HEADER = ["cells", "within 0.05", "within 0.1", "mean difference", "mean size", "sd over seeds"]


def grouped(results, key):
    groups = collections.defaultdict(list)
    for result in results:
        groups[key(result.cell)].append(result)
    return groups


def cell_order(cell):
    metrics = METRICS + ("selected_pct",)
    return (list(METHODS[cell.paper]).index(cell.selector), (*CLASSIFIERS, "").index(cell.classifier),
            metrics.index(cell.metric))


def summary_table(name, title, results):
    table = Table(name, title, ["method", "classifier", "metric", "tables"] + SUMMARY_HEADER)
    groups = grouped(results, lambda c: (cell_order(c), c.selector, c.classifier, c.metric))
    for (_, selector, classifier, metric), group in sorted(groups.items()):
        table.rows.append([selector, classifier, metric, tables_of(group)] + summary_cells(group))
    table.rows.append(["all", "", "", ""] + summary_cells(results))
    return table


def difference_text(result):
    if result is None:
        return ""
    return signed(result.difference) + ("" if math.isnan(result.sd) else f" ({result.sd:.1f})")


def by_set_table(name, title, results, sets, show=difference_text):
    """A column a data set, a row a method, classifier and metric."""
    table = Table(name, title, ["method", "classifier", "metric"] + sets)
    groups = grouped(results, lambda c: (cell_order(c), c.selector, c.classifier, c.metric))
    for (_, selector, classifier, metric), group in sorted(groups.items()):
        at = {r.cell.dataset: r for r in group}
        table.rows.append([selector, classifier, metric] + [show(at.get(s)) for s in sets])
    return table


def percentage_table(name, title, results, sets):
    table = Table(name, title, ["method"] + sets + SUMMARY_HEADER[:5])
    for (_, selector), group in sorted(grouped(results, lambda c: (cell_order(c), c.selector)).items()):
        at = {r.cell.dataset: r for r in group}
        pair = lambda r: f"{r.ours:.2f} / {r.published.percent:.1f}" if r else ""
        table.rows.append([selector] + [pair(at.get(s)) for s in sets] + summary_cells(group)[:5])
    return table


def overview_table(results):
    """What was met, in a few lines."""
    single = [s.published for s in GO_SETS if s.published.count(".") == 0]
    rpv = [r for r in results if r.cell.paper == "rpv-2020"]
    go = [r for r in rpv if r.cell.dataset in single]
    performance = [r for r in go if r.cell.metric in METRICS]
    parts = [
        ("RPV Tables 2-4, 7-9: No FS, All-Pos, All-Neg, HIP, RPV x 3; NB and 1-NN (the 252 cells)",
         [r for r in performance if r.cell.selector in CORE and r.cell.classifier in ("nb", "1nn")]),
        ("RPV Tables 7-9: MR, SHSEL, TSEL, GTD", [r for r in performance if r.cell.selector in ("mr", "shsel", "tsel", "gtd")]),
        ("RPV Tables 5, 6: CFS, ReliefF", [r for r in performance if r.cell.selector in ("cfs", "relieff")]),
        ("RPV Table B.1: 3-, 5- and 7-NN without selection", [r for r in performance if r.cell.classifier in ("3nn", "5nn", "7nn")]),
        ("RPV Table 10: percentage of features", [r for r in go if r.cell.metric == "selected_pct"]),
        ("All of the rows above but Table 10: all comparable cells of 13 selectors on six sets", performance),
        ("RPV, Cities and Tweets T, all tables", [r for r in rpv if r.cell.dataset not in single]),
        ("Of these, AUROC of Tweets T, whose print contradicts itself",
         [r for r in rpv if r.cell.dataset == "Tweets T" and r.cell.metric == "auroc"]),
        ("GA-HFS Tables 3, 4: No FS, HIP, SHSEL, CFS, ReliefF", [r for r in results if r.cell.paper == "gahfs-2018"]),
    ]
    table = Table("overview", "Overview", ["part"] + SUMMARY_HEADER)
    table.rows += [[title] + summary_cells(part) for title, part in parts if part]
    return table


def steps_table(runner, sets):
    """Tables 5 and 6: how many cells of CFS and ReliefF are met after each step of reading them."""
    table = Table("steps", "RPV paper, Tables 5 and 6, CFS and ReliefF: how they are read", ["part", "cells", "within 0.05", "within 0.1"])
    for step, title in enumerate(STEPS):
        published = {c: f for c, f in read_published(step).items() if c.paper == "rpv-2020" and c.metric in METRICS
                     and c.selector in ("cfs", "relieff")}
        results = [r for s in sets if s.published.count(".") == 0 for r in compare(runner, s, published, 0, step)]
        table.rows.append([title] + summary_cells(results)[:3])
    return table


def make_tables(results):
    single = [s.published for s in GO_SETS if s.published.count(".") == 0]
    ld = [s.published for s in LD_SETS]
    rpv = [r for r in results if r.cell.paper == "rpv-2020"]
    scores = [r for r in rpv if r.cell.metric in METRICS]
    sizes = [r for r in rpv if r.cell.metric == "selected_pct"]
    on = lambda part, sets: [r for r in part if r.cell.dataset in sets]
    gahfs = [r for r in results if r.cell.paper == "gahfs-2018"]
    candidates = [
        overview_table(results),
        summary_table("summary", "RPV paper, worm and fly", on(scores, single)),
        by_set_table("by-set", "RPV paper, worm and fly: ours minus published, in points (sd over seeds 2 to 11)",
                     on(scores, single), single),
        percentage_table("percentages", "RPV paper, Table 10: percentage of features, ours / published",
                         sizes, single + ld),
        by_set_table("ld", "RPV paper, DBpedia sets: ours minus published (sd over seeds 2 to 11)", on(scores, ld), ld),
        summary_table("gahfs", "GA-HFS paper, worm and fly, single and combined ontologies", gahfs),
        by_set_table("gahfs-by-set", "GA-HFS paper: ours minus published (sd over seeds 2 to 11)", gahfs,
                     [s.published for s in GO_SETS]),
    ]
    return [t for t in candidates if t.rows]


# ---- outputs ----

def update_document(path, tables):
    """Renews what stands between `<!-- table: NAME -->` and `<!-- end -->`."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    for table in tables:
        begin = f"<!-- table: {table.name} -->\n"
        head, found, tail = text.partition(begin)
        if not found:
            sys.exit(f"{path}: no place for the table '{table.name}'")
        text = head + begin + "\n" + table.markdown() + "\n" + tail[tail.index("<!-- end -->"):]
    pathlib.Path(path).write_text(text, encoding="utf-8")


def write_cells(path, results, only_met):
    """Every cell, or those that are met with how closely, as CSV."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([*Cell._fields, "percent"] + (["within"] if only_met else ["ours", "difference", "sd"]))
        for r in results:
            if not only_met:
                out.writerow([*r.cell, r.published.percent, f"{r.ours:.4f}", f"{r.difference:.4f}", f"{r.sd:.4f}"])
            elif within(r, NEAR):
                out.writerow([*r.cell, r.published.percent, EXACT if within(r, EXACT) else NEAR])


def read_kept(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {Cell(*(row[f] for f in Cell._fields)): (float(row["percent"]), float(row["within"])) for row in rows}


def check(runner, sets, path):
    """Are the cells of the list still met? The list holds what was met before, never a wish."""
    kept = read_kept(path)
    published = {cell: Figure(percent, []) for cell, (percent, _) in kept.items()}
    results = [r for s in sets for r in compare(runner, s, published, 1)]
    lost = [r for r in results if not within(r, kept[r.cell][1])]
    for r in lost:
        print(f"no longer met: {' '.join(filter(None, r.cell))}: published {r.published.percent}, now {r.ours:.4f}")
    print(f"{len(results) - len(lost)} of {len(results)} published cells met as before ({len(kept)} in {path})")
    return 1 if lost or not results else 0


def find_hsel():
    for build in ("release", "dev", ""):
        path = ROOT / "build" / build / "hsel"
        if os.access(path, os.X_OK):
            return path
    return None


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hsel", default=find_hsel(), help="the program (default: the one under build/)")
    parser.add_argument("--data", default=os.environ.get("HSEL_DATA", ROOT / "data"), help="data folder")
    parser.add_argument("--seeds", type=int, default=10, help="number of other fold seeds, from 2 on; 0: no spread")
    parser.add_argument("--markdown", action="store_true", help="print Markdown instead of aligned text")
    parser.add_argument("--update", metavar="FILE.md", help="renew the tables in a document instead of printing them")
    parser.add_argument("--cells", metavar="FILE.csv", help="also write every cell")
    parser.add_argument("--keep", metavar="FILE.csv", help="also write the cells that are met, for --check")
    parser.add_argument("--check", metavar="FILE.csv", help="only check that these cells are still met")
    options = parser.parse_args()
    if not options.hsel:
        parser.error("no hsel found under build/; give its path with --hsel")
    return options


def main():
    options = parse()
    runner = Runner(options.hsel, options.data)
    sets = [s for s in GO_SETS + LD_SETS if runner.has(s)]
    missing = [s.published for s in GO_SETS + LD_SETS if not runner.has(s)]
    if missing:
        print(f"left out, not under {options.data}: {', '.join(missing)}", file=sys.stderr)
    if not sets:
        print("skipped: the reproduction needs the published data sets; HSEL_DATA names their folder")
        return NOT_THERE
    if options.check:
        return check(runner, sets, options.check)
    published = read_published()
    results = [r for s in sets for r in compare(runner, s, published, options.seeds)]
    if options.cells:
        write_cells(options.cells, results, False)
    if options.keep:
        write_cells(options.keep, results, True)
    tables = make_tables(results) + [steps_table(runner, [s for s in sets if s in GO_SETS])]
    if options.update:
        update_document(options.update, tables)
    else:
        print("\n".join(f"## {t.title}\n\n{t.markdown()}" if options.markdown else t.text() for t in tables))
    for paper, title in (("rpv-2020", "RPV 2020, selectors"), ("gahfs-2018", "GA-HFS 2018, without genetic searches")):
        some = [r for r in results if r.cell.paper == paper]
        print(f"Summary: {title}: {len(some)} cells, {sum(within(r, EXACT) for r in some)} within 0.05, {sum(within(r, NEAR) for r in some)} within 0.1")
    return 0


if __name__ == "__main__":
    sys.exit(main())
