#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Does hsel's svm give what libsvm's own command and WEKA's SMO give? Runs them on the same files and folds.

    libsvm   svm-train and svm-predict with the same C, gamma, degree and the same rows in the same order: the same class for
             every instance of 10-fold cross-validation? On the whole set (two classes): as many support vectors, the same rho,
             for the linear kernel the same weight of every feature?
    WEKA     SMO with the same kernel and C on WEKA's own folds: how many instances are right there and here, as SMO's own
             solver stops elsewhere?

Inputs: sets made with `hsel generate`, and sets under HSEL_DATA if they are there. Exit status 0 if all is as with libsvm (classes
equal, numbers within 1e-6), 1 if not, 77 without svm-train. WEKA's figures are shown, not judged.

usage: bench/svm_compare.py [--hsel PATH] [NAME ...]   compare only the sets of these names
"""
import argparse
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DATA = pathlib.Path(os.environ.get("HSEL_DATA", ROOT / "data"))
WORK = ROOT / "build" / "bench" / "svm"
JAR = "/usr/share/java/weka.jar"
SMO = "weka.classifiers.functions.SMO"
GENERATED = {
    "two-classes": "ontology:instances=200,features=120,positives=15,depth=6,largest-class=0.6",
    "three-classes": "ontology:instances=150,features=100,positives=12,depth=5,classes=3",
}
STORED = ["rpv/CE-BP", "rpv/CE-CC", "rpv/DM-MF", "aire/MM-CC", "aire/MM-MF", "ld/LDCities", "numeric/colon_alon", "numeric/leukemia_golub"]
# title: (options of svm, of svm-train, kernel of SMO)
KERNELS = {
    "linear": ("solver=libsvm,c=1", "-t 0 -c 1", "PolyKernel -E 1"),
    "rbf": ("kernel=rbf,c=8,gamma=0.0078125", "-t 2 -c 8 -g 0.0078125", "RBFKernel -G 0.0078125"),
    "polynomial": ("kernel=polynomial,c=1,gamma=0.0625,degree=2,coef0=1", "-t 1 -c 1 -g 0.0625 -d 2 -r 1", None),
}


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.returncode}")
    return done.stdout


# ---- files ----

def sets(hsel, names):
    """Name, SVMlight file and ARFF file of each set, made if need be."""
    for name in list(GENERATED) + STORED:
        short = name.split("/")[-1]
        svm, arff = WORK / f"{short}.svm", WORK / f"{short}.arff"
        if names and short not in names:
            continue
        if name in GENERATED:
            run(hsel, "generate", "-q", GENERATED[name], "-o", svm, "--hierarchy-output", WORK / "terms.tsv")
        elif (DATA / name).exists():
            run(hsel, "convert", "-q", DATA / name, "--no-hierarchy", "-o", svm)
        else:
            print(f"{short}: not there", file=sys.stderr)
            continue
        svm.write_text("".join(line.split("#")[0].strip() + "\n" for line in svm.read_text().splitlines()))  # no identifiers
        run(hsel, "convert", "-q", svm, "-o", arff)
        yield short, svm, arff


def predictions(hsel, svm, options, *more):
    out = WORK / "predictions.csv"
    run(hsel, "eval", "-q", svm, "--classify", f"svm:{options},normalise=false", "--predictions", out,
        "--threads", 1, *more)
    with open(out) as lines:
        return list(csv.DictReader(lines))


# ---- libsvm ----

def train(rows, options):
    """svm-train on lines without comment; the path of its model."""
    (WORK / "train.svm").write_text("\n".join(rows) + "\n")
    run("svm-train", "-q", *options.split(), WORK / "train.svm", WORK / "train.model")
    return WORK / "train.model"


def compare_folds(lines, labels, ours, options):
    """Instances whose class differs. Training rows stand fold after fold, as hsel has them."""
    folds = sorted({int(row["fold"]) for row in ours})
    of_fold = {fold: [int(row["instance"]) - 1 for row in ours if int(row["fold"]) == fold] for fold in folds}
    different = 0
    for fold in folds:
        model = train([lines[i] for other in folds if other != fold for i in sorted(of_fold[other])], options)
        tested = sorted(of_fold[fold])
        (WORK / "test.svm").write_text("\n".join(lines[i] for i in tested) + "\n")
        run("svm-predict", WORK / "test.svm", model, WORK / "out.txt")
        for i, said in zip(tested, (WORK / "out.txt").read_text().split()):
            different += labels[int(float(said))] != ours[i]["predicted"]
    return different


def model_of(path):
    """Head and support vectors of libsvm's model file."""
    head, vectors = path.read_text().split("SV\n", 1)
    values = dict(line.split(" ", 1) for line in head.strip().split("\n"))
    return values, [line.split() for line in vectors.strip().split("\n")]


def compare_whole(hsel, svm, lines, options, svm_options):
    """Largest difference of rho and of weights on the whole set, and whether there are as many support vectors."""
    ours = json.loads(run(hsel, "train", "-q", svm, "--classify", f"svm:{svm_options},probability=votes,normalise=false", "--show",
                          "--json"))["machines"][0]
    values, vectors = model_of(train(lines, options))
    worst = abs(ours["rho"] - float(values["rho"]))
    if "weights" in ours:
        names = svm.with_name(svm.name.replace(".svm", ".features.txt")).read_text().splitlines()
        weight = dict.fromkeys(names, 0.0)
        for coef, *cells in vectors:
            for cell in cells:
                index, value = cell.split(":")
                weight[names[int(index) - 1]] += float(coef) * float(value)
        worst = max([worst] + [abs(weight[name] - ours["weights"].get(name, 0)) for name in names])
    return worst, ours["support_vectors"] == int(values["total_sv"])


def numbered(svm):
    """Lines with classes numbered 1, -1 (two classes) or 1, 2, …, in hsel's order; and what the numbers mean."""
    lines = svm.read_text().splitlines()
    classes = sorted({line.split()[0] for line in lines}, key=lambda name: (float(name) if name.lstrip("-").isdigit() else 0, name))
    numbers = [1, -1] if len(classes) == 2 else list(range(1, len(classes) + 1))
    number = dict(zip(classes, numbers))
    return [f"{number[line.split()[0]]} {line.partition(' ')[2]}" for line in lines], dict(zip(numbers, classes))


# ---- WEKA ----

def compare_weka(hsel, arff, options, kernel):
    """Instances that are right on WEKA's folds: SMO's, ours."""
    text = run("java", "-Xmx2g", "-cp", JAR, SMO, "-C", re.search(r"c=([0-9.]+)", options)[1], "-K",
               f"weka.classifiers.functions.supportVector.{kernel}", "-t", arff, "-x", 10, "-s", 1, "-o", "-v")
    if "Stratified cross-validation" not in text:  # it ends with 0 also when it fails
        sys.exit(f"WEKA on {arff}: {text.strip()[:300]}")
    right = int(re.search(r"=== Stratified cross-validation.*?Correctly Classified Instances\s+(\d+)", text, re.S)[1])
    out = WORK / "predictions.csv"
    run(hsel, "eval", "-q", arff, "--classify", f"svm:{options}", "--fold-scheme", "weka", "--predictions", out)
    with open(out) as lines:
        return right, sum(row["class"] == row["predicted"] for row in csv.DictReader(lines))


# ---- all ----

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--hsel", default=ROOT / "build" / "release" / "hsel")
    given = parser.parse_args()
    if not shutil.which("svm-train"):
        print("svm-train is not there (Debian: libsvm-tools)", file=sys.stderr)
        return 77
    WORK.mkdir(parents=True, exist_ok=True)
    weka = os.path.exists(JAR) and shutil.which("java")
    print("| set | kernel | instances | other class than libsvm | same support vectors | largest difference | right in WEKA's SMO | right here |")
    print("|---|---|---:|---:|---|---:|---:|---:|")
    good = True
    for name, svm, arff in sets(given.hsel, given.names):
        lines, labels = numbered(svm)
        for title, (options, svm_train, kernel) in KERNELS.items():
            ours = predictions(given.hsel, svm, options)
            different = compare_folds(lines, labels, ours, svm_train)
            worst, same = compare_whole(given.hsel, svm, lines, svm_train, options) if len(labels) == 2 else (None, None)
            theirs, own = compare_weka(given.hsel, arff, options, kernel) if weka and kernel else ("", "")
            good = good and different == 0 and (worst is None or (worst < 1e-6 and same))
            print(f"| {name} | {title} | {len(lines)} | {different} | {'' if same is None else 'yes' if same else 'no'} | "
                  f"{'' if worst is None else f'{worst:.1e}'} | {theirs} | {own} |", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
