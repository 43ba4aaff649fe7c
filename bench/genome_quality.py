#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Was speed bought with quality? AUROC of hsel's classifiers and of scikit-learn's on whole genomes, on the same folds.

For each set (of genome.py, or a pack of two classes in the folder that HSEL_GENOME names) 10 folds of hsel's own making; each
classifier of hsel and its peer learn and predict in each of them. Shows the mean AUROC over the folds in percent, and the mean of hsel's
less the peer's with its 95 % interval (t distribution over the folds); without a peer, the interval of the mean itself. With --repeats R
all of it R times, with other folds and other random numbers for both; the intervals then speak of these genes, not of others. Exit status 0
if no mean is more than 0.5 points below its peer's, 1 if one is, 77 without scikit-learn or data.

--update writes the table into bench/RESULTS.md.

usage: bench/genome_quality.py [--hsel PATH] [--folds K] [--repeats R] [--classify METHOD ...] [--update] [SET ...]
       default: build/release/hsel; nb, svm, forest; kegg05200 kegg04010 kegg04080
"""
import argparse
import csv
import os
import pathlib
import re
import subprocess
import sys
import warnings

try:
    import numpy
    from scipy import stats
    from sklearn.datasets import load_svmlight_file
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.naive_bayes import BernoulliNB
    from sklearn.svm import LinearSVC
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench" / "genome"
TITLE = "## Quality on whole genomes"
ALLOWED = 0.5
# The name of a method, up to its colon: what scikit-learn has for it.
PEERS = {
    "nb": lambda features, seed: BernoulliNB(),
    "svm": lambda features, seed: LinearSVC(random_state=seed),
    "forest": lambda features, seed: RandomForestClassifier(100, criterion="entropy", max_features=features.bit_length(), n_jobs=1, random_state=seed),
}


sys.path.insert(0, str(ROOT / "bench"))
sys.dont_write_bytecode = True
import genome  # noqa: E402


def pack_of(hsel, name):
    if os.environ.get("HSEL_GENOME"):
        pack = pathlib.Path(os.environ["HSEL_GENOME"]) / f"{name}.hsel"
        if not pack.exists():
            print(f"{pack} is not there (HSEL_GENOME names the folder)", file=sys.stderr)
            sys.exit(77)
        return pack
    pack = pathlib.Path(genome.place(WORK, name))
    if not pack.exists():
        genome.make(hsel, name, pack)
    return pack


def update(text):
    path = ROOT / "bench" / "RESULTS.md"
    old = path.read_text()
    found = re.search(r"^%s$.*?(?=^## |\Z)" % re.escape(TITLE), old, re.S | re.M) or re.search(r"^## The Python package|\Z", old, re.M)
    end = found.end() if old[found.start():].startswith(TITLE) else found.start()
    path.write_text(old[:found.start()] + text + "\n" * bool(old[end:]) + old[end:])


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.returncode}")


def areas(truth, scores, folds):
    """AUROC of each fold, in percent."""
    return numpy.array([100 * roc_auc_score(truth[folds == fold], scores[folds == fold]) for fold in range(folds.max() + 1)])


def own(hsel, pack, method, folds, seed):
    """Of every instance: is it positive, what score had it, in which fold was it tested?"""
    out = WORK / f"predictions-{os.getpid()}.csv"
    run(hsel, "eval", "-q", pack, "--classify", method, "--folds", folds, "--seed", seed, "--predictions", out)
    with out.open() as handle:
        rows = sorted(csv.DictReader(handle), key=lambda row: int(row["instance"]))
    out.unlink()
    second = [name for name in rows[0] if name.startswith("score(")][-1]
    name = second[len("score("):-1]
    folds = numpy.array([int(row["fold"]) for row in rows])
    return (numpy.array([row["class"] == name for row in rows]), numpy.array([float(row[second]) for row in rows]), folds - folds.min())


def theirs(make, values, truth, folds, seed):
    scores = numpy.zeros(len(truth))
    for fold in range(folds.max() + 1):
        test = folds == fold
        learned = make(values.shape[1], seed).fit(values[~test], truth[~test])
        scores[test] = (learned.decision_function(values[test]) if hasattr(learned, "decision_function")
                        else numpy.diff(learned.predict_log_proba(values[test]))[:, 0] if isinstance(learned, BernoulliNB)
                        else learned.predict_proba(values[test])[:, 1])
    return areas(truth, scores, folds)


def half_width(values):
    return stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / len(values) ** 0.5


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hsel", default=ROOT / "build" / "release" / "hsel")
    parser.add_argument("--classify", action="append")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--update", action="store_true", help="write the table into bench/RESULTS.md")
    parser.add_argument("sets", nargs="*", default=["kegg05200", "kegg04010", "kegg04080"])
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    WORK.mkdir(parents=True, exist_ok=True)
    worse = 0
    lines = ["| set | classifier | hsel | scikit-learn | difference, 95 % interval | |", "|---|---|---|---|---|---|"]
    print("\n".join(lines))
    for name in given.sets:
        pack, values = pack_of(given.hsel, name), None
        for method in given.classify or ["nb", "svm", "forest"]:
            make, ours, peer = PEERS.get(method.split(":")[0]), [], []
            for seed in range(1, given.repeats + 1):
                truth, scores, folds = own(given.hsel, pack, method, given.folds, seed)
                ours.append(areas(truth, scores, folds))
                if make and values is None:
                    run(given.hsel, "convert", "-q", pack, "-o", WORK / f"{name}.svm")
                    values, label = load_svmlight_file(str(WORK / f"{name}.svm"))
                    if ((label > 0) == truth).all() == ((label < 0) == truth).all():  # one of them
                        sys.exit(f"{name}: instances are not in the same order")
                if make:
                    peer.append(theirs(make, values, truth, folds, seed))
            ours, cells = numpy.concatenate(ours), "| | |"
            if make:
                peer = numpy.concatenate(peer)
                apart = ours - peer
                below = apart.mean() < -ALLOWED
                worse += below
                cells = (f"{peer.mean():.2f} ± {half_width(peer):.2f} | {apart.mean():+.2f} ± {half_width(apart):.2f} | "
                         f"{'WORSE' if below else 'as good'} |")
            lines.append(f"| {name} | `{method}` | {ours.mean():.2f} ± {half_width(ours):.2f} | {cells}")
            print(lines[-1], flush=True)
    if given.update:
        words = " ".join(f"--classify {method}" for method in given.classify or [])
        update("\n".join([TITLE, "", f"Written by `bench/genome_quality.py --update --folds {given.folds} --repeats {given.repeats} {words}`. ".replace(" `.", "`.") +
                          f"AUROC in percent, mean over the same {given.folds} folds, {given.repeats} times with other folds, with 95 % intervals (t "
                          "distribution over the folds). "
                          f"Input: {'packs in the folder HSEL_GENOME' if os.environ.get('HSEL_GENOME') else genome.source()}.", ""] + lines) + "\n")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
