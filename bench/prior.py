#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far is the estimated share of positives among unlabelled instances from the true one? Where it is known.

Real profiles: 100 genes of a class of data/rpv/CE-BP are labelled; others of the class are hidden among those of the other one, so that their share is
known.
Generated: 100 labelled and 500 unlabelled instances with 30 binary features, of which 12 depend on the class, weakly or strongly. Scores are those of
nb in 10 folds. One row has the same data and seeds on every machine.

usage: bench/prior.py [--runs N] [--others] [--update FILE | --check FILE]   HSEL_LIBRARY names the library; --update renews the table in FILE; --check
computes some of its rows again; --others: other confidence limits of best-bin estimation, on scores from two normal distributions
"""
import argparse
import pathlib
import re
import sys
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))
import hsel  # noqa: E402
import numpy as np  # noqa: E402

PRIORS, LABELLED, CHECKED = (0.01, 0.05, 0.1, 0.2, 0.5), 100, (("CE-BP, pro", 0.05), ("generated, strong", 0.2))
SOURCES = {"CE-BP, pro": "pro-longevity", "CE-BP, anti": "anti-longevity", "generated, weak": 0.12, "generated, strong": 0.3}
HEAD = ["| data | true share | AUROC | estimate, mean | sd | upper end, mean | true share in the interval | below its upper end | corrected AUROC |", "|---|--:|--:|--:|--:|--:|--:|--:|--:|"]


def profiles(source, rng, prior, cache={}):
    """Features, labels (1: labelled) and the truth (1: positive)."""
    if isinstance(source, float):
        hidden = int(round(500 * prior))
        truth = np.repeat([1, 0], (LABELLED + hidden, 500 - hidden))
        chance = np.where(np.arange(30) < 12, 0.3 + 2 * source * truth[:, None] - source * 0.5, 0.3)
        return (rng.rand(len(truth), 30) < chance).astype(np.uint8), (np.arange(len(truth)) < LABELLED).astype(int), truth
    if source not in cache:
        data = hsel.read(ROOT / "data/rpv/CE-BP", drop_roots=True)
        cache[source] = data.X, np.array([data.class_names[c] == source for c in data.y])
    X, is_positive = cache[source]
    positive, negative = rng.permutation(np.flatnonzero(is_positive)), rng.permutation(np.flatnonzero(~is_positive))
    hidden = min(len(positive) - LABELLED, round(prior / (1 - prior) * len(negative)))
    negative = negative[:round(hidden * (1 - prior) / prior)]
    rows = np.concatenate([positive[:LABELLED + hidden], negative])
    return X[rows], (np.arange(len(rows)) < LABELLED).astype(int), np.repeat([1, 0], (LABELLED + hidden, len(negative)))


def row(name, prior, runs):
    found = []
    for run in range(runs):
        rng = np.random.RandomState(1000 * run + int(100 * prior))
        X, labelled, truth = profiles(SOURCES[name], rng, prior)
        share = truth[labelled == 0].mean()
        result = hsel.cross_validate(X, np.where(labelled, "pro", "unlabelled"), cv=10, random_state=run)
        scores = result.scores[0][:, list(result.classes).index("pro")]
        metrics = hsel.pu_metrics(scores, labelled, random_state=run)
        known = hsel.pu_metrics(scores, truth, prior=0)["auroc_unlabelled"]["estimate"]
        estimate, low, high = (metrics["prior"][key] for key in ("estimate", "low", "high"))
        corrected = metrics["auroc_corrected"]["estimate"]
        found.append([share, known, estimate, high, low <= share <= high, share <= high, np.nan if corrected is None else corrected])
    mean = np.nanmean(found, axis=0)
    return f"| {name} | {100 * mean[0]:.1f} | {100 * mean[1]:.1f} | {100 * mean[2]:.1f} | {100 * np.std([f[2] for f in found]):.1f} | {100 * mean[3]:.1f} | " \
        f"{100 * mean[4]:.0f} | {100 * mean[5]:.0f} | {100 * mean[6]:.1f} |"


def others(runs):
    """Mean and standard deviation of estimates with the bound of Garg and others for all thresholds at once, and with 1, 2 or 3 standard errors."""
    lines = ["| distance | true share | uniform bound | sd | 1 standard error | sd | 2 | sd | 3 | sd |", "|--:" * 10 + "|"]
    for distance in (1, 2, 3):
        for share in (0.05, 0.2, 0.5):
            rng, found = np.random.RandomState(1), []
            for _ in range(runs):
                hidden = round(500 * share)
                positive, unlabelled = rng.randn(LABELLED) + distance, rng.randn(500) + distance * (np.arange(500) < hidden)
                at = np.sort(np.concatenate([positive, unlabelled]))
                p, u = (len(x) - np.searchsorted(np.sort(x), at) for x in (positive, unlabelled))
                p, u = p[p > 0], u[p > 0]
                ratio, recall = (u / 500) / (p / LABELLED), p / LABELLED
                uniform = ratio + 1.01 / recall * sum(np.sqrt(np.log(4 / 0.1) / 2 / n) for n in (LABELLED, 500))
                error = np.sqrt(np.maximum(0, 1 / (u + 1) - 1 / 501 + 1 / p - 1 / LABELLED))
                limits = [uniform, *((u + 1) / 501 / recall * np.exp(z * error) for z in (1, 2, 3))]
                found.append([min(1, ratio[::-1][np.argmin(limit[::-1])]) for limit in limits])
            cells = np.column_stack([np.mean(found, axis=0), np.std(found, axis=0)]).ravel()
            lines.append(f"| {distance} | {100 * share:.0f} | " + " | ".join(f"{100 * cell:.1f}" for cell in cells) + " |")
    return lines


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--others", action="store_true")
    parser.add_argument("--update")
    parser.add_argument("--check")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    cases = CHECKED if asked.check else [] if asked.others else [(name, prior) for name in SOURCES for prior in PRIORS]
    lines = others(asked.runs) if asked.others or asked.check else HEAD.copy()
    for name, prior in cases:
        lines.append(row(name, prior, asked.runs))
        print(lines[-1], flush=True)
    if asked.check:
        text = pathlib.Path(asked.check).read_text(encoding="utf-8")
        old = [line for line in lines if line not in text]
        if old:
            sys.exit(f"{asked.check}: the table of bench/prior.py is out of date: renew it with bench/prior.py --update {asked.check}")
    if asked.update:
        path = pathlib.Path(asked.update)
        text, changed = re.subn(rf"(<!-- prior{'_others' if asked.others else ''} -->\n).*?(\n<!-- end -->)", lambda m: m[1] + "\n".join(lines) + m[2], path.read_text(encoding="utf-8"), flags=re.S)
        assert changed == 1, f"{path} has no place for the table"
        path.write_text(text, encoding="utf-8")
