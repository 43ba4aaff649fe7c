#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests, procedures and metrics of hsel beside those of R and scikit-learn, on random tables.

Usage: run.py HSEL r|sklearn [SEED]

r: p-values of `hsel rank`, adjusted ones and rejections of `hsel test`, Friedman's and Wilcoxon's tests of `hsel compare`, by base R (peers.R, one
call for all tables); exit code 77 where R is not installed. sklearn: metrics of `hsel eval`, pooled, computed again from what --predictions writes.

Everything must agree to 1e-9 of its value. Where definitions differ, R is asked for hsel's: no continuity corrections in chi-squared and
Cochran-Mantel-Haenszel; Mann-Whitney exact for at most 50 values without ties; where values are few, by all ways of choosing the class, which base R
has not with ties (listed there); strata in which nothing varies, which R refuses, are left out for it. Three classes and more: Kruskal-Wallis
where values are many. Rejections are those whose adjusted p, rounded to 12 digits, is at most alpha: sums such as 3 * 0.05 / 3 may be one bit above.
"""
import csv
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

HSEL, PART = os.path.abspath(sys.argv[1]), sys.argv[2]
random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
HERE = os.path.dirname(os.path.abspath(__file__))
TOLERANCE = 1e-9
compared, wrong = {}, []


def hsel(*words):
    return subprocess.run([HSEL, *words, "-q"], check=True, stdout=subprocess.PIPE, text=True).stdout


def same(kind, where, got, want):
    compared[kind] = compared.get(kind, 0) + 1
    if not abs(got - want) <= TOLERANCE * max(abs(want), 1e-300):  # NaN is wrong, too
        wrong.append(f"{kind}: {where}: hsel has {got!r}, {PART} {want!r}")


def table(name, header, rows):
    with open(name, "w", newline="") as file:
        csv.writer(file, delimiter="\t" if name.endswith("tsv") else ",", lineterminator="\n").writerows([header, *rows])
    return name


def varying(draw, of):
    while True:
        values = [draw(x) for x in of]
        if len(set(values)) > 1:
            return values


def features(name, classes, value, count=20, strata=1):
    """A table of `count` features; value(class, strength) draws one."""
    columns = [[f"i{i}" for i in range(len(classes))], [f"s{random.randrange(strata)}" for _ in classes]]
    for _ in range(count):
        strength = random.random()
        columns.append(varying(lambda c: value(c, strength), classes))
    return table(name, ["id", "s", *(f"f{i}" for i in range(count)), "class"], zip(*columns, classes))


def drawn(labels, low, high, each=2):
    """At least `each` of every class, in any order."""
    classes = list(labels) * each + random.choices(labels, k=random.randint(low, high))
    random.shuffle(classes)
    return classes


def binary(share):
    return lambda c, strength: int(random.random() < share + (1 - share) * strength * (c == "no") / 2)


def number(digits, skew=1):
    return lambda c, strength: round(random.gauss(strength * (c == "no"), 1) * skew, digits)


def by_r():
    if not shutil.which("Rscript"):
        print("R is not installed")
        sys.exit(77)
    plan, found = [], []

    def ask(kind, file, answers):
        plan.append((len(plan), kind, file))
        found.append({k: v for k, v in answers.items() if v is not None})

    def rank(kind, file, *options):
        rows = csv.DictReader(io.StringIO(hsel("rank", file, "--id", "id", "--by", "auc", "--top", "0", "--csv", "--p-values", *options)))
        ask(kind, file, {row["feature"]: float(row["p"]) for row in rows if row["feature"] != "s"})

    two, plain, within = ("no", "yes"), ("--ignore", "s", "--positive", "no"), ("--strata", "s", "--positive", "no")
    for i in range(12):  # "no" comes first in R's tables, and is the positive class
        file = features(f"binary{i}.csv", drawn(two, 8, 30 if i % 2 else 300), binary((0.02, 0.1, 0.4)[i % 3]), strata=2 + i % 3)
        for tail in "both", "more", "less":
            rank(f"fisher {tail}", file, *plain, "--tail", tail)
            rank(f"exact {tail}", file, *within, "--tail", tail)
        rank("mid", file, *plain, "--tail", "more", "--mid")
        rank("chi2", file, *plain, "--test", "chi2")
        rank("g", file, *plain, "--test", "g")
        rank("cmh", file, *within, "--test", "cmh")
        file = features(f"more{i}.csv", drawn(("no", "yes", "maybe", "never")[:3 + i % 2], 10, 40), binary(0.3))
        rank("fisher both", file, "--ignore", "s")
        rank("chi2", file, "--ignore", "s", "--test", "chi2")
        file = features(f"free{i}.csv", drawn(two, 4, 46), number(9))
        rank("wilcox exact", file, *plain)
        rank("welch", file, *plain, "--means")
        file = features(f"ties{i}.csv", drawn(two, 0, 40, 30), number(0, 2))
        rank("wilcox normal", file, *plain)
        rank("welch", file, *plain, "--means")
        file = features(f"three{i}.csv", drawn(("no", "yes", "maybe"), 0, 40, 30), number(0, 2))
        rank("kruskal", file, "--ignore", "s")
        rank("welch", file, "--ignore", "s", "--means")
        file = features(f"few{i}.csv", drawn(two, 4, 8), number(0, 2), strata=2)
        rank("ways all", file, *plain)
        rank("ways strata", file, *within)

    lists = [("0.00001", "0.0001", "0.05")]  # the third one is rejected by BH: 0.05 * 3 / 3
    for i in range(40):
        m = random.randint(1, 30)
        lists.append([repr(random.random() ** random.randint(1, 12)) for _ in range(m)])
        edge = [0.05 * (k + 1) / m for k in range(m)]  # all of them are on the boundary of BH
        lists.append([repr(p * random.choice((1, 1, 0.1, 1.000001))) for p in edge])
    for i, p in enumerate(lists):
        file = table(f"p{i}.tsv", ["id", "p"], [(f"t{k}", x) for k, x in enumerate(p)])
        for method in "bh", "by", "holm":
            rows = list(csv.DictReader(io.StringIO(hsel("test", file, "--method", method, "--all")), delimiter="\t"))
            ask(f"adjust {method if method == 'holm' else method.upper()}", file, {r["id"]: (float(r["adjusted"]), r["rejected"] == "yes") for r in rows})

    for i in range(60):
        methods = random.randint(3, 6)
        steps = 8 if i % 2 else 2**40  # ties, but none that only rounding makes: R takes 0.3 - 0.2 for less than 0.2 - 0.1, hsel does not
        file = table(f"results{i}.csv", ["set", *(f"m{k + 1}" for k in range(methods))],
                     [(f"d{r}", *(round(random.gauss(k / 4, 1) * steps) / steps for k in range(methods))) for r in range(random.randint(4, 25))])
        answer = json.loads(hsel("compare", file, "--json", "--pairs"))
        ask("friedman", file, {"chi2": answer["friedman"]["chi2_ties"]})
        pair = next(p for p in answer["pairs"] if {p["method"], p["against"]} == {"m1", "m2"})
        n = pair["differences"]
        v = pair["wilcoxon_v"] if pair["method"] == "m1" else n * (n + 1) / 2 - pair["wilcoxon_v"]
        ask("pairs", file, {"v": v, "p": pair["wilcoxon_p"]})

    table("plan.tsv", plan[0], plan[1:])
    answer = subprocess.run(["Rscript", "--vanilla", os.path.join(HERE, "peers.R"), "."], check=True, stdout=subprocess.PIPE, text=True).stdout
    unknown = 0
    for line in answer.splitlines():
        case, item, value = line.split("\t")
        _, kind, file = plan[int(case)]
        got = found[int(case)].pop(item)
        if value in ("NA", "NaN"):
            unknown += 1
            continue
        value = float(value)
        if kind.startswith("adjust"):
            same(kind, f"{file} {item}", got[0], value)
            if got[1] != (float(f"{value:.12g}") <= 0.05):
                wrong.append(f"{kind}: {file} {item}: adjusted {value!r}, rejected by hsel: {got[1]}")
        else:
            same(kind, f"{file} {item}", got, value)
    if left := [plan[i][1:] for i, of in enumerate(found) if of]:
        wrong.append(f"no answer by R: {left[:5]}")
    if unknown > sum(compared.values()) / 20:
        wrong.append(f"R does not define {unknown} values")
    return 21


def by_sklearn():
    import numpy as np
    from scipy import stats
    from sklearn import metrics as m

    def of_classes(rows, rank_by, positive):
        """What hsel calls a metric -> its value. Metrics of the positive class are means over more than two."""
        labels = [key[2:-1] for key in rows[0] if key.startswith("P(")]
        true, said = [r["class"] for r in rows], [r["predicted"] for r in rows]
        p = np.array([[float(r[f"P({c})"]) for c in labels] for r in rows])
        is_class = [np.array(true) == c for c in labels]
        asked = [k for k, c in enumerate(labels) if len(labels) > 2 or c == positive]
        marks = {"probability": p, "score": np.array([[float(r[f"score({c})"]) for c in labels] for r in rows])}[rank_by]

        def mean(f):
            return np.mean([f(is_class[k], k) for k in asked])

        def plain(f):
            return mean(lambda y, k: f(y, np.array(said) == labels[k], zero_division=0))

        recalls = m.recall_score(true, said, labels=labels, average=None)
        return {
            "accuracy": m.accuracy_score(true, said),
            "balanced-accuracy": m.balanced_accuracy_score(true, said),
            "gm": float(stats.gmean(recalls)) if min(recalls) > 0 else 0,
            "mcc": m.matthews_corrcoef(true, said),
            "kappa": m.cohen_kappa_score(true, said),
            "macro-f1": m.f1_score(true, said, labels=labels, average="macro", zero_division=0),
            "f1": plain(m.f1_score), "precision": plain(m.precision_score), "recall": plain(m.recall_score), "sensitivity": plain(m.recall_score),
            "specificity": mean(lambda y, k: m.recall_score(~y, np.array(said) != labels[k])),
            "auroc": mean(lambda y, k: m.roc_auc_score(y, marks[:, k])),
            "auprc": mean(lambda y, k: m.average_precision_score(y, marks[:, k])),
            "log-loss": m.log_loss(true, np.maximum(p, 1e-15), labels=labels),
            "brier": sum(m.brier_score_loss(is_class[k], p[:, k]) for k in range(len(labels))) / 2}

    def of_numbers(rows, *_):
        true, said = ([float(r[k]) for r in rows] for k in ("target", "predicted"))
        return {"rmse": m.mean_squared_error(true, said) ** 0.5, "mae": m.mean_absolute_error(true, said), "r2": m.r2_score(true, said),
                "spearman": stats.spearmanr(true, said)[0], "pearson": stats.pearsonr(true, said)[0]}

    def evaluate(file, classifiers, expected, *options, rank_by="score"):
        words = [w for c in classifiers for w in ("--classify", c)]
        answers = json.loads(hsel("eval", file, "--id", "id", "--ignore", "s", "--pooled", "--json", "--folds", "4", "--predictions", "predicted.csv",
                                  "--rank-by", rank_by, *words, *options))
        with open("predicted.csv", newline="") as predicted:
            rows = list(csv.DictReader(predicted))
        for answer in answers:
            mine = [r for r in rows if r["classifier"] == answer["classifier"]]
            for metric, value in expected(mine, rank_by, answer.get("positive_class")).items():
                got = answer["metrics"][metric]["pooled"]
                same(metric, f"{file} {answer['classifier']} by {rank_by}", float("nan") if got is None else got, value)

    classifiers = "nb", "knn:k=5", "tree", "forest:trees=10"
    for i in range(20):
        labels = ("no", "yes", "maybe", "never")[:4 if i % 2 else 2]
        value = binary(0.2) if i % 4 < 2 else number(1)
        file = features(f"set{i}.csv", drawn(labels, 10, 80, 4), value, count=6)
        for rank_by in "score", "probability":
            evaluate(file, classifiers, of_classes, rank_by=rank_by)
        file = features(f"numbers{i}.csv", drawn(labels, 10, 80, 4), number(2), count=6)
        evaluate(file, classifiers[1:], of_numbers, "--target", "f0")
    return 20


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    kinds = {"r": by_r, "sklearn": by_sklearn}[PART]()
    os.chdir("/")
print(", ".join(f"{count} {kind}" for kind, count in compared.items()))
if len(compared) < kinds:
    wrong.append(f"only {len(compared)} of {kinds} kinds of values were compared")
for line in wrong[:40]:
    print(line)
print(f"{sum(compared.values())} values, {len(wrong)} disagree")
sys.exit(bool(wrong))
