#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Does hsel give what WEKA gives? Runs both on the same files and shows the differences.

    cfs          CfsSubsetEval with BestFirst: the same features?
    relieff      ReliefFAttributeEval, plain and weighted by distance: the same weight, to the last bit?
    ig gr su chi2    the measures
    nb knn       NaiveBayes, IBk with 1 and 3 neighbours: the same class probabilities for every
                 instance, 10-fold cross-validation on WEKA's folds for seed 1?
    tree         J48: the same tree from the whole set, node by node and count by count, with several options;
                 the same class probabilities as above

Inputs: sets made with `hsel generate`, two with numeric, nominal and missing values (for `tree` only), and the worm and fly sets under HSEL_DATA (roots dropped), if
they are there. WEKA's commands print four or five digits, so its values come from WekaValues.java,
which calls the same classes. With --times the whole commands of both are timed in turns.

Exit status 0 if everything agrees (sets equal, relieff equal bit by bit, other values within 1e-9),
1 if not, 77 without java, javac or WEKA.

usage: bench/weka_compare.py [options] [NAME ...]   compare only the sets of these names
       --hsel PATH      the program (default: build/release/hsel)
       --trees          compare `tree` only
       --times N        time the commands too, N times each
       --golden         write tests/golden/ anew (for tests/unit/test_weka.c)
"""
import argparse
import csv
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
DATA = pathlib.Path(os.environ.get("HSEL_DATA", ROOT.parent / "shared" / "data"))
WORK = ROOT / "build" / "bench" / "weka"
JAR = "/usr/share/java/weka.jar"
EVALUATION = "weka.attributeSelection."

GENERATED = {
    "two-classes": "ontology:instances=200,features=120,positives=15,depth=6,largest-class=0.6",
    "three-classes": "ontology:instances=150,features=100,positives=12,depth=5,classes=3",
    "dense": "ontology:instances=120,features=80,positives=35,depth=4,largest-class=0.7",
    "like-CE-BP": "ontology:instances=657,features=991,edges-per-node=1.7242,positives=44.8,depth=13,largest-class=0.656",
}
MIXED = {"mixed": (1, 0.0), "mixed-missing": (2, 0.1)} # name: seed, share of missing values
GOLDEN = {
    "weka_two": ("ontology:instances=60,features=30,positives=9,depth=4,largest-class=0.6,signal=0.8", 6),
    "weka_three": ("ontology:instances=45,features=24,positives=7,depth=4,classes=3,signal=0.5", 4),
}
GOLDEN_HEAD = """\
# WEKA 3.6.14 on the ARFF file of the same name, written by bench/weka_compare.py --golden.
# What was asked, then the values: features (from 1) for cfs, one a feature for scores; for predict, the
# instance (from 0) and the probabilities of its classes, one instance after the other."""
GOLDEN_MIXED = ("weka_mixed", 5, 0.1, 100)
RELIEF = {"relieff": [], "relieff:k=3": ["-K", "3"], "relieff:weight=true,sigma=2": ["-W", "-A", "2"]}
MEASURES = {"ig": "InfoGain", "gr": "GainRatio", "su": "SymmetricalUncert", "chi2": "ChiSquared"}
CLASSIFIERS = {
    "nb": ["weka.classifiers.bayes.NaiveBayes"],
    "knn:k=1": ["weka.classifiers.lazy.IBk", "-K", "1"],
    "knn:k=3": ["weka.classifiers.lazy.IBk", "-K", "3"],
    "tree": ["weka.classifiers.trees.J48"],
    "tree:laplace": ["weka.classifiers.trees.J48", "-A"],
}
J48 = "weka.classifiers.trees.J48"
TREES = {
    "tree": [J48],
    "tree:raising=false": [J48, "-S"],
    "tree:pruning=false": [J48, "-U"],
    "tree:confidence=0.05,min=5": [J48, "-C", "0.05", "-M", "5"],
}


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.returncode}")
    return done.stdout


def weka(file, *what):
    return run("java", "-Xmx3g", "-cp", f"{JAR}:{WORK}", "WekaValues", file, *what).split("\n")[:-1]


def without_strings(path):
    """Takes string attributes (identifiers) out of an ARFF file: WEKA's evaluators refuse them."""
    head, rows, gone, attributes = [], [], set(), 0
    lines = iter(path.read_text().splitlines())
    for line in lines:
        if line.lower().startswith("@attribute"):
            attributes += 1
            if line.lower().endswith(" string"):
                gone.add(attributes - 1)
                continue
        head.append(line)
        if line.lower() == "@data":
            break
    for line in lines:
        if line.startswith("{"):
            cells = [cell.split(" ", 1) for cell in line[1:-1].split(",")]
            kept = [(int(i), v) for i, v in cells if int(i) not in gone]
            line = "{" + ",".join(f"{i - sum(g < i for g in gone)} {v}" for i, v in kept) + "}"
        elif line:
            line = ",".join(v for i, v in enumerate(line.split(",")) if i not in gone)
        rows.append(line)
    path.write_text("\n".join(head + rows) + "\n")


def attributes(path):
    """Names of the features, in order; the class is last."""
    names = []
    for line in path.read_text().splitlines():
        if line.lower().startswith("@attribute"):
            name = line.split(None, 1)[1].rsplit(" ", 1)[0]
            names.append(name.strip("'"))
        elif line.lower() == "@data":
            return names[:-1]


def tree_line(line):
    """A line of a printed tree with its numbers as numbers: WEKA writes 5.0, hsel 5."""
    return re.sub(r"(?<=[ (/])(\d+\.\d+)(?=[/): ]|$)", lambda number: f"{float(number[1]):g}", line)


class Comparison:
    def __init__(self, hsel):
        self.hsel = hsel
        self.values = pathlib.Path(hsel).parent / "tests" / "measure_values"
        self.trees_shown = pathlib.Path(hsel).parent / "tests" / "show_tree"
        self.failures = 0

    def row(self, data, what, text, good):
        self.failures += not good
        print(f"{data:14} {what:28} {text}{'' if good else '   DIFFERENT'}", flush=True)

    def scores(self, data, what, ours, theirs, tolerance):
        exact = sum(a == b for a, b in zip(ours, theirs))
        most = max((abs(a - b) for a, b in zip(ours, theirs)), default=0)
        good = len(ours) == len(theirs) and most <= tolerance
        self.row(data, what, f"{len(theirs)} values, {exact} equal in every bit, greatest difference {most:.1e}", good)

    def select(self, file, selector, *more):
        out = run(self.hsel, "select", "-q", "--threads", "1", file, "--select", selector, *more)
        return [line.split("\t") for line in out.splitlines()]

    def selections(self, name, file):
        names = attributes(file)
        theirs = {names[int(index) - 1] for index in weka(file, "select")}
        ours = {line[0] for line in self.select(file, "cfs")}
        differ = len(ours ^ theirs)
        self.row(name, "cfs", f"{len(theirs)} features selected, {differ} not by both", not differ)
        for selector, options in RELIEF.items():
            every = selector + ("," if ":" in selector else ":") + "threshold=-10"
            ours = [float(line[1]) for line in self.select(file, every, "--scores")]
            theirs = [float(x) for x in weka(file, "score", EVALUATION + "ReliefFAttributeEval", *options)]
            self.scores(name, selector, ours, theirs, 0)

    def measures(self, name, file):
        for measure, evaluator in MEASURES.items():
            if not self.values.exists():
                self.row(name, measure, f"left out: {self.values} is not built", True)
                continue
            ours = [float(x) for x in run(self.values, file, measure).split()]
            theirs = [float(x) for x in weka(file, "score", EVALUATION + evaluator + "AttributeEval")]
            self.scores(name, measure, ours, theirs, 1e-9)

    def predictions(self, name, file, only_trees):
        for classifier, options in CLASSIFIERS.items():
            if only_trees and not classifier.startswith("tree"):
                continue
            out = WORK / "predictions.csv"
            run(self.hsel, "eval", "-q", file, "--classify", classifier, "--fold-scheme", "weka", "--seed", "1",
                "--predictions", out)
            with out.open() as handle:
                ours = {int(row["instance"]) - 1: [float(value) for name, value in row.items() if name.startswith("P(")]
                        for row in csv.DictReader(handle)}
            theirs = {int(line.split()[0]): [float(x) for x in line.split()[1:]]
                      for line in weka(file, "predict", *options)}
            instances = sorted(theirs)
            if sorted(ours) != instances:
                self.row(name, classifier, "other instances", False)
                continue
            self.scores(name, classifier, [p for i in instances for p in ours[i]],
                        [p for i in instances for p in theirs[i]], 1e-9)

    def trees(self, name, file):
        for text, options in TREES.items():
            if not self.trees_shown.exists():
                self.row(name, text, f"left out: {self.trees_shown} is not built", True)
                continue
            ours = run(self.trees_shown, file, text).splitlines()
            theirs = weka(file, "show", *options)
            ours = [tree_line(line) for line in ours[:ours.index("")]]
            theirs = theirs[theirs.index("------------------") + 2 if "------------------" in theirs else 3:]
            theirs = [tree_line(line) for line in theirs[:theirs.index("")]]
            differ = sum(a != b for a, b in zip(ours, theirs)) + abs(len(ours) - len(theirs))
            self.row(name, text + " whole", f"{len(theirs)} branches, {differ} not the same", not differ)

    def compare(self, name, file, only_trees):
        if not only_trees:
            self.selections(name, file)
            self.measures(name, file)
        self.predictions(name, file, only_trees)
        self.trees(name, file)


def timed(command):
    begin = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))}: ended with {process.returncode}")
    return time.perf_counter() - begin, used.ru_utime + used.ru_stime


def times(hsel, name, file, count):
    java = ["java", "-Xmx3g", "-cp", JAR]
    ours = [hsel, "select", "-q", "--threads", "1", file, "--select"]
    folds = [hsel, "eval", "-q", "--threads", "1", file, "--fold-scheme", "weka", "--classify"]
    cases = {
        "cfs": (ours + ["cfs"], java + [EVALUATION + "CfsSubsetEval", "-i", file, "-s", EVALUATION + "BestFirst -D 1 -N 5 -S 1"]),
        "relieff": (ours + ["relieff"],
                    java + [EVALUATION + "ReliefFAttributeEval", "-i", file, "-s", EVALUATION + "Ranker -T 0.01"]),
        "nb, 10 folds": (folds + ["nb"], java + ["weka.classifiers.bayes.NaiveBayes", "-t", file, "-x", "10", "-s", "1"]),
        "1-NN, 10 folds": (folds + ["knn:k=1"], java + ["weka.classifiers.lazy.IBk", "-K", "1", "-t", file, "-x", "10", "-s", "1"]),
    }
    for what, (own, peer) in cases.items():
        pairs = [(timed(own), timed(peer)) for _ in range(count)]
        wall = [min(pair[side][0] for pair in pairs) for side in (0, 1)]
        cpu = [min(pair[side][1] for pair in pairs) for side in (0, 1)]
        print(f"{name:14} {what:28} hsel {wall[0] * 1000:.1f} ms ({cpu[0] * 1000:.1f} of processor), WEKA {wall[1]:.2f} s "
              f"({cpu[1]:.2f}): {wall[1] / wall[0]:.0f} times ({cpu[1] / cpu[0]:.0f})", flush=True)


def generate(hsel, text, seed, file):
    run(hsel, "generate", "-q", text, "--seed", str(seed), "-o", file)
    without_strings(file)


def write_mixed(seed, missing, file, rows=300):
    """Numeric, nominal and binary features of instances in three classes that follow some of them."""
    draw = random.Random(seed)
    kinds = ["numeric", "numeric", "{red,green,blue,grey}", "{0,1}", "{0,1}", "numeric", "{x,y,z}", "{0,1}"]
    lines = ["@relation mixed"] + [f"@attribute a{i} {kind}" for i, kind in enumerate(kinds)] + ["@attribute class {p,q,r}", "@data"]
    for _ in range(rows):
        row = []
        for kind in kinds:
            value = round(draw.gauss(0, 2), draw.choice((0, 1, 3))) if kind == "numeric" else draw.choice(kind[1:-1].split(","))
            row.append("?" if kind != "{0,1}" and draw.random() < missing else value)
        score = (row[0] if row[0] != "?" else 0) + 2 * (row[2] == "red") + (row[3] == "1") * (row[5] if row[5] != "?" else 1)
        row.append("pqr"[(score + draw.gauss(0, 1) > 0.5) + (score + draw.gauss(0, 1) > 2)])
        lines.append(",".join(map(str, row)))
    file.write_text("\n".join(lines) + "\n")


def inputs(hsel, wanted):
    """Name and file of each set, made when it is its turn."""
    for name, text in GENERATED.items():
        if not wanted or name in wanted:
            file = WORK / f"{name}.arff"
            generate(hsel, text, 1, file)
            yield name, file
    for name, (seed, missing) in MIXED.items():
        if not wanted or name in wanted:
            file = WORK / f"{name}.arff"
            write_mixed(seed, missing, file)
            yield name, file
    for folder in sorted((DATA / "rpv").glob("*")) if (DATA / "rpv").is_dir() else []:
        if not wanted or folder.name in wanted:
            file = WORK / f"{folder.name}.arff"
            run(hsel, "convert", "-q", folder, "--drop-roots", "-o", file)
            without_strings(file)
            yield folder.name, file


def write_golden(hsel):
    target = ROOT / "tests" / "golden"
    target.mkdir(exist_ok=True)
    for name, (text, seed) in GOLDEN.items():
        file = target / f"{name}.arff"
        generate(hsel, text, seed, file)
        lines = [GOLDEN_HEAD]
        lines.append("cfs " + " ".join(weka(file, "select")))
        lines.append("cfs:locally-predictive=false " + " ".join(weka(file, "select", "-L")))
        for selector, options in RELIEF.items():
            lines.append(f"{selector} " + " ".join(weka(file, "score", EVALUATION + "ReliefFAttributeEval", *options)))
        for measure, evaluator in MEASURES.items():
            lines.append(f"{measure} " + " ".join(weka(file, "score", EVALUATION + evaluator + "AttributeEval")))
        for classifier, options in CLASSIFIERS.items():
            lines.append(f"{classifier} " + " ".join(weka(file, "predict", *options)))
        (target / f"{name}.txt").write_text("\n".join(lines) + "\n")
    name, seed, missing, rows = GOLDEN_MIXED
    write_mixed(seed, missing, target / f"{name}.arff", rows)
    lines = [GOLDEN_HEAD]
    for text, options in TREES.items():
        lines.append(f"{text} " + " ".join(weka(target / f"{name}.arff", "predict", *options)))
    (target / f"{name}.txt").write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("--hsel", default=str(ROOT / "build" / "release" / "hsel"))
    parser.add_argument("--times", type=int, default=0)
    parser.add_argument("--trees", action="store_true")
    parser.add_argument("--golden", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if not (shutil.which("java") and shutil.which("javac") and os.path.exists(JAR)):
        print("java, javac or WEKA (Debian: default-jdk-headless, weka) is missing", file=sys.stderr)
        return 77
    WORK.mkdir(parents=True, exist_ok=True)
    run("javac", "-nowarn", "-cp", JAR, "-d", WORK, ROOT / "bench" / "WekaValues.java")
    if options.golden:
        write_golden(options.hsel)
        return 0
    comparison = Comparison(options.hsel)
    for name, file in inputs(options.hsel, set(options.names)):
        comparison.compare(name, file, options.trees or name in MIXED)
        if options.times and name not in MIXED:
            times(options.hsel, name, file, options.times)
    print(f"{comparison.failures or 'no'} differences")
    return 1 if comparison.failures else 0


if __name__ == "__main__":
    sys.exit(main())
