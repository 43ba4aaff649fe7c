#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Learning from positives and unlabelled instances: pu.py [--library PATH] [--check | --table | --bases NAME,…] [--seeds N]

On the 28 gene sets of data/, 5 stratified folds for each seed. In the training part of each fold half of the positives (pro-longevity) are hidden: they
become unlabelled, as all others are. Methods learn from that, and AUROC is that of the true classes of the test part. Beside them: the base with all
labels, and the base that takes the unlabelled as negative. Writes bench/pu.csv, the mean AUROC by data set, base and method, and from it the tables in
docs/pu.md. --table only makes the tables again. --bases runs these again and keeps the others. --check compares docs/pu.md with bench/pu.csv, and bench/pu.csv with a new run of some methods on the
smallest data set (a test). Needs numpy.
"""
import argparse
import csv
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURES, PAGE, DATA = ROOT / "bench" / "pu.csv", ROOT / "docs" / "pu.md", ROOT / "data"
FULL, TRUE, NEGATIVE = "all labels", "true negatives", "unlabelled as negative"
TOLD = ("hip+nb", "nb", "hip+tan")  # bases that are also told which unlabelled instances are positive, and leave these out: the best that can be hoped for
SEEDS, FOLDS, DEVELOPED = 3, 5, ("CE-", "DM-")
KINDS = {"worm": "CE-", "fly": "DM-", "mouse": "MM-"}
# method: options of pu
METHODS = {
    "bagging": "",
    "bagging, size=1, limit=1": "size=1,limit=1",
    "two-step, neighbours": "by=two-step",
    "two-step, simgic": "by=two-step,similarity=simgic",
    "two-step, paz-ruza": "by=two-step,reliable=paz-ruza,share=0.6",
    "two-step, scores": "by=two-step,reliable=scores",
    "bagging of reliable, scores": "reliable=scores",
    "weighting": "by=weighting",
}
# base: selector, classifier, methods (None: all)
BASES = {
    "hip+nb": ("hip", "nb", None),
    "nb": ("none", "nb", None),
    "knn": ("none", "knn:k=15", ("bagging", "two-step, paz-ruza", "two-step, scores", "weighting")),
    "logistic": ("none", "logistic:lambda=1", ("bagging", "two-step, paz-ruza", "two-step, scores", "weighting")),
    "forest": ("none", "forest:trees=100", ("bagging", "two-step, paz-ruza")),
    "hip+tan": ("hip", "tan", ("bagging",)),
    "svm": ("none", "svm:c=1", ("bagging", "two-step, paz-ruza")),
    "blend": ("none", "blend:members=hip+nb/forest:trees=50/logistic:lambda=1", ()),
}
SMALL = {"forest": "forest:trees=20"}  # in the rounds of bagging, …
ROUNDS = {"svm": "rounds=10"}  # … which are fewer
BLEND = "blend:members=pu:base=hip+nb/pu:base=forest:trees=20/pu:base=logistic:lambda=1,calibration=none"
PROBE = ("MM-CC", {("nb", FULL), ("nb", TRUE), ("nb", NEGATIVE), ("hip+nb", "bagging"), ("nb", "two-step, paz-ruza"), ("nb", "weighting")})


def sets():
    found = {p.name: (p, {"drop_roots": True}) for p in sorted((DATA / "rpv").iterdir())}
    found.update({p.name + ("-2020" if p.name.startswith("DM") else ""): (p, {}) for p in sorted((DATA / "aire").iterdir())})
    return found


def cases(only=None):
    """(base, method): selector, classifier."""
    for base, (selector, classifier, chosen) in BASES.items():
        if only not in (None, base):
            continue
        yield (base, FULL), (selector, classifier)
        if base in TOLD:
            yield (base, TRUE), (selector, classifier)
        yield (base, NEGATIVE), (selector, classifier)
        for method, options in METHODS.items():
            if chosen is None or method in chosen:
                member = SMALL.get(base, classifier) if "by=" not in options else classifier
                member = member if selector == "none" else selector + "+" + member
                yield (base, method), ("none", ",".join(["pu:base=" + member.replace(",", ";"), *filter(None, [options, ROUNDS.get(base)]), "calibration=none"]))
        if base == "blend":
            yield (base, "bagging"), ("none", BLEND)


def auroc(truth, score):
    order = score.argsort(kind="stable")
    rank = score.argsort().astype(float)
    ordered, start = score[order], 0
    for i in range(1, len(score) + 1):
        if i == len(score) or ordered[i] != ordered[start]:
            rank[order[start:i]] = (start + i + 1) / 2
            start = i
    positives = truth.sum()
    return (rank[truth].sum() - positives * (positives + 1) / 2) / (positives * (len(truth) - positives))


def measure(name, wanted, seeds):
    """Mean AUROC in per cent of each case on a data set."""
    import hsel
    import numpy
    path, options = sets()[name]
    data = hsel.read(path, **options)
    X, names = data.X, list(data.class_names)
    truth = numpy.asarray(data.y) == next(i for i, c in enumerate(names) if c.lower().startswith("pro"))
    found = {case: [] for case in wanted}
    for seed in range(seeds):
        random = numpy.random.RandomState(seed)
        fold_of = numpy.empty(len(truth), int)
        for label in (False, True):
            rows = random.permutation(numpy.flatnonzero(truth == label))
            fold_of[rows] = (numpy.arange(len(rows)) + (len(rows) * label)) % FOLDS
        for fold in range(FOLDS):
            train, test = numpy.flatnonzero(fold_of != fold), numpy.flatnonzero(fold_of == fold)
            positives = numpy.flatnonzero(truth[train])
            hidden = random.permutation(positives)[:len(positives) // 2]
            for case, (selector, classifier) in wanted.items():
                label = truth[train].copy()
                if case[1] != FULL:
                    label[hidden] = False
                rows = numpy.delete(numpy.arange(len(train)), hidden if case[1] == TRUE else [])
                model = hsel.SelectThenPredict(selector, classifier, hierarchy=data.hierarchy, random_state=seed + 1)
                model.fit(X[train[rows]], numpy.where(label[rows], "yes", "no"))
                found[case].append(100 * auroc(truth[test], model.decision_function(X[test])))
    return {case: sum(values) / len(values) for case, values in found.items()}


def run(bases, seeds):
    found = read() if len(bases) < len(BASES) else {name: {} for name in sets()}
    for base in bases:
        for name in sets():
            found[name].update(measure(name, dict(cases(base)), seeds))
            print(name, *(f"{b} {m} {x:.1f}" for (b, m), x in found[name].items() if b == base), sep="; ", flush=True)
        write(found)


def write(found):
    with FIGURES.open("w", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["dataset", "base", "method", "auroc"])
        for name in sorted(found):
            for (base, method), value in found[name].items():
                table.writerow([name, base, method, f"{value:.3f}"])


def read():
    found = {}
    with FIGURES.open(newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["dataset"], {})[row["base"], row["method"]] = float(row["auroc"])
    return found


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def wilcoxon(found, names, first, second):
    """Its p-value, from the library."""
    import hsel
    return hsel.compare([[found[s][first], found[s][second]] for s in names]).to_dict()["pairs"][0]["wilcoxon_p"]


def tables(found):
    everything = sorted(found)
    groups = {"28 sets": everything, "worm, fly": [s for s in everything if s.startswith(DEVELOPED)], "mouse": [s for s in everything if s.startswith("MM-")]}
    lines = ["| base | method | 28 sets | worm | fly | mouse | keeps | worm, fly | mouse | p |", "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for base, method in dict(cases()):
        def average(names, which=method):
            return mean(found[s][base, which] for s in names)
        cells = [average(everything)] + [average([s for s in everything if s.startswith(k)]) for k in KINDS.values()]
        cells = [f"{x:.1f}" for x in cells]
        for names in groups.values():
            cells.append("" if method == FULL else f"{100 * (average(names) - 50) / (average(names, FULL) - 50):.0f} %")
        p = wilcoxon(found, everything, (base, method), (base, NEGATIVE)) if method not in (FULL, TRUE, NEGATIVE) else None
        cells.append("" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}")
        lines.append(f"| `{base}` | {method} | " + " | ".join(cells) + " |")
    default = mean(found[s]["hip+nb", "bagging"] for s in everything)
    shares = [f"{100 * (default - 50) / (mean(found[s][base, FULL] for s in everything) - 50):.0f} % of `{base}`" for base in ("nb", "forest", "blend")]
    lines += ["", f"With half of the positives, the default of `pu` keeps {shares[0]}, {shares[1]} and {shares[2]} with all labels."]
    return "\n".join(lines)


def check(found):
    text = PAGE.read_text()
    wrong = [] if tables(found) in text else ["docs/pu.md: its table is not that of bench/pu.csv: run bench/pu.py --table"]
    name, probed = PROBE
    now = measure(name, {case: how for case, how in cases() if case in probed}, SEEDS)
    for case, value in now.items():
        if abs(value - found[name][case]) > 0.01:
            wrong.append(f"bench/pu.csv: {', '.join(case)} has {found[name][case]:.3f} on {name}, and now {value:.3f}: run bench/pu.py")
    print("\n".join(wrong) or "pu: the table agrees with the program")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default=str(ROOT / "build" / "release" / "libhsel.so"))
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--bases", default=",".join(BASES))
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    os.environ["HSEL_LIBRARY"] = asked.library
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(ROOT / "python"))
    if asked.check:
        return check(read())
    if not asked.table:
        run(asked.bases.split(","), asked.seeds)
    made = tables(read())
    text, changed = re.subn(r"(<!-- pu -->\n).*?(\n<!-- end -->)", lambda m: m[1] + made + m[2], PAGE.read_text(), flags=re.S)
    assert changed == 1
    PAGE.write_text(text)
    return 0


sys.exit(main())
