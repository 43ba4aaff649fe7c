#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How often do 95 % confidence intervals of cross-validation contain the true value? By design, in simulated data.

Instances have binary features that depend on the class. In grouped designs four instances of a group share the class and most feature values. The
true value is the mean over fresh data sets of the AUROC, or the accuracy, of models that learned from as many instances as those of the design, for
2,000 new instances; for times the mean over the blocks. Difference: nb minus tree.

usage: bench/interval_coverage.py [--runs N] [--others] [--update FILE]   HSEL_LIBRARY names the library; --update renews the table in FILE;
--others: of other intervals for groups, none of which hsel has
"""
import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import hsel  # noqa: E402
import numpy as np  # noqa: E402
from scipy.stats import t  # noqa: E402

FEATURES, EACH, FOLDS = 12, 4, 5
DESIGNS = {  # name: (instances, in groups?, arguments of cross_validate, training sizes)
    "independent, 5 folds": (150, False, {}, [120]),
    "independent, 5 folds, 5 repeats": (150, False, {"repeats": 5}, [120]),
    "independent, 5 folds, pooled": (150, False, {}, [120]),
    "60 groups of 4, 5 folds": (240, True, {}, [192]),
    "60 groups of 4, 5 folds, 5 repeats": (240, True, {"repeats": 5}, [192]),
    "20 groups of 4, 5 folds": (80, True, {}, [64]),
    "in time, 4 folds": (200, False, {"cv": 4}, [40, 80, 120, 160]),
    "test set of 100": (220, False, {"test": 100}, [120]),
}
METRICS = ("auroc", "accuracy")


def draw(rng, instances, grouped):
    units = instances // EACH if grouped else instances
    y = rng.permutation(np.arange(units) % 2)
    X = rng.rand(units, FEATURES) < np.where(np.arange(FEATURES) < 4, 0.35 + 0.3 * y[:, None], 0.4)
    if not grouped:
        return X.astype(np.uint8), y, None
    groups = np.repeat(np.arange(units), EACH)
    return (X[groups] ^ (rng.rand(len(groups), FEATURES) < 0.1)).astype(np.uint8), y[groups], groups


def truth(rng, classifier, size, grouped, rounds):
    """The mean performance of models that learned from `size` instances, for new ones."""
    found = []
    for _ in range(rounds):
        (X, y, _), (new, labels, _) = draw(rng, size, grouped), draw(rng, 2000, grouped)
        split = [(np.arange(size), np.arange(size, size + 2000))]
        result = hsel.cross_validate(np.vstack([X, new]), np.concatenate([y, labels]), classifier=classifier, cv=split)
        found.append([result[metric] for metric in METRICS])
    return np.mean(found, axis=0)


def coverage(name, runs, rounds, seed=1):
    """For each metric: share of intervals of the estimate, and of the difference, that contain the true value; and their mean widths."""
    instances, grouped, options, sizes = DESIGNS[name]
    rng = np.random.RandomState(seed)
    options = dict(options)
    test = options.pop("test", None)
    true = {c: np.mean([truth(rng, c, size, grouped, rounds) for size in sizes], axis=0) for c in ("nb", "tree")}
    hits, widths = np.zeros((len(METRICS), 2)), np.zeros((len(METRICS), 2))
    for run in range(runs):
        X, y, groups = draw(rng, instances, grouped)
        given = {"cv": FOLDS, "groups": groups, "random_state": run, "intervals": True, **options}
        if "in time" in name:
            given["time"] = np.arange(instances)
        if test:
            given["cv"] = [(np.arange(test, instances), np.arange(test))]
        nb, tree = (hsel.cross_validate(X, y, classifier=c, **given) for c in ("nb", "tree"))
        for m, metric in enumerate(METRICS):
            pooled = "pooled" in name
            for i, (found, value) in enumerate(((nb.interval(metric, pooled=pooled), true["nb"][m]),
                                                (nb.difference(tree, metric, pooled=pooled), true["nb"][m] - true["tree"][m]))):
                hits[m, i] += found.low <= value <= found.high
                widths[m, i] += found.high - found.low
    return nb.interval("auroc", pooled="pooled" in name).method, hits / runs, widths / runs


def others(runs):
    """Other intervals for groups: the corrected variance of Nadeau and Bengio over the folds, and the bootstrap with the same correction, as its
    variance is that of the tested instances, 1/J of that of a fold."""
    lines = ["| design | metric | bootstrap: coverage | width | corrected variance | width | corrected bootstrap | width |", "|---|---|--:|--:|--:|--:|--:|--:|"]
    for name, (instances, grouped, options, sizes) in DESIGNS.items():
        if not grouped:
            continue
        rng, found = np.random.RandomState(1), np.zeros((len(METRICS), 3, 2))
        true = np.mean([truth(rng, "nb", size, True, max(20, runs // 4)) for size in sizes], axis=0)
        for run in range(runs):
            X, y, groups = draw(rng, instances, True)
            nb = hsel.cross_validate(X, y, cv=FOLDS, groups=groups, random_state=run, intervals=True, **options)
            for m, metric in enumerate(METRICS):
                given, values, wider = nb.interval(metric), nb.by_fold[metric].ravel(), np.sqrt(1 + FOLDS / (FOLDS - 1))
                half = t.ppf(0.975, len(values) - 1) * values.std(ddof=1) * np.sqrt(1 / len(values) + 1 / (FOLDS - 1))
                ends = [(given.low, given.high), (values.mean() - half, values.mean() + half),
                        (given.estimate - wider * (given.estimate - given.low), given.estimate + wider * (given.high - given.estimate))]
                found[m] += [(low <= true[m] <= high, high - low) for low, high in ends]
        for m, metric in enumerate(METRICS):
            lines.append(f"| {name} | {metric} | " + " | ".join(f"{100 * value / runs:.1f}" for value in found[m].ravel()) + " |")
            print(lines[-1], flush=True)
    return "\n".join(lines)


def table(runs):
    lines = ["| design | interval by | AUROC: coverage | width | difference | accuracy: coverage | width | difference |", "|---|---|--:|--:|--:|--:|--:|--:|"]
    for name in DESIGNS:
        method, hits, widths = coverage(name, runs, rounds=max(20, runs // 4))
        cells = [f"{100 * value:.1f}" for m in range(len(METRICS)) for value in (hits[m, 0], widths[m, 0], hits[m, 1])]
        lines.append(f"| {name} | {method.split(',')[0]} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=800)
    parser.add_argument("--others", action="store_true")
    parser.add_argument("--update")
    asked = parser.parse_args()
    found = (others if asked.others else table)(asked.runs)
    if asked.update:
        path = pathlib.Path(asked.update)
        text, changed = re.subn(rf"(<!-- interval_{'others' if asked.others else 'coverage'} -->\n).*?(\n<!-- end -->)", lambda m: m[1] + found + m[2], path.read_text(), flags=re.S)
        assert changed == 1, f"{path} has no place for the table"
        path.write_text(text)
