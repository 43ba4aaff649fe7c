#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Does hsel give what WEKA gives? Runs both on the same files and shows the differences.

    cfs          CfsSubsetEval with BestFirst: the same features?
    relieff      ReliefFAttributeEval, plain and weighted by distance: the same weight, to the last bit?
    ig gr su chi2    the measures; on numeric features after MDL discretisation, with its cut points
    relieff relieff-w    as rankers, on numeric features
    auc          on numeric features: the areas of scikit-learn's roc_auc_score, if it is there
    nb knn aode  NaiveBayes, IBk with 1 and 3 neighbours, AODE in four settings: the same class
                 probabilities for every instance, 10-fold cross-validation on WEKA's folds for seed 1?
                 WEKA's AODE multiplies instead of adding logarithms; where all of its products are 0
                 it gives up (that is counted), where some are it is compared with what is left.

    nb knn       on numeric and nominal features also NaiveBayes -K, and the neighbours by WEKA's
                 EuclideanDistance over the training part: IBk itself widens the ranges by the
                 instances it was asked about.

    tree         J48: the same tree from the whole set, node by node and count by count, with several options;
                 the same class probabilities as above; also on two made sets with missing values.

Inputs: sets made with `hsel generate`, a made set of numeric and nominal features with missing values,
and the worm and fly sets (roots dropped) and the numeric sets under HSEL_DATA, if they are there. WEKA's commands print four or five digits, so its values come from WekaValues.java,
which calls the same classes. With --times the whole commands of both are timed in turns.

Exit status 0 if everything agrees (sets and cut points equal, relieff of binary features equal bit by bit,
other values within 1e-9),
1 if not, 77 without java, javac or WEKA.

usage: bench/weka_compare.py [options] [NAME ...]   compare only the sets of these names
       --hsel PATH      the program (default: build/release/hsel)
       --classifier NAME compare only the class probabilities of this classifier
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
DATA = pathlib.Path(os.environ.get("HSEL_DATA", ROOT / "data"))
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
GOLDEN_MIXED = ("weka_trees", 5, 0.1, 100)
RELIEF = {"relieff": [], "relieff:k=3": ["-K", "3"], "relieff:weight=true,sigma=2": ["-W", "-A", "2"]}
RELIEF_RANKERS = {"relieff": [], "relieff-w": ["-W", "-A", "2"], "relieff-w:k=5,sigma=3": ["-W", "-K", "5", "-A", "3"]}
MEASURES = {"ig": "InfoGain", "gr": "GainRatio", "su": "SymmetricalUncert", "chi2": "ChiSquared"}
CLASSIFIERS = {
    "nb": ["predict", "weka.classifiers.bayes.NaiveBayes"],
    "knn:k=1": ["predict", "weka.classifiers.lazy.IBk", "-K", "1"],
    "knn:k=3": ["predict", "weka.classifiers.lazy.IBk", "-K", "3"],
    "aode": ["predict", "weka.classifiers.bayes.AODE"],
    "aode:smoothing=m-estimate": ["predict", "weka.classifiers.bayes.AODE", "-M"],
    "aode:frequency=5": ["predict", "weka.classifiers.bayes.AODE", "-F", "5"],
    "aode:frequency=30,smoothing=m-estimate,weight=3": ["predict", "weka.classifiers.bayes.AODE", "-F", "30", "-M", "-W", "3"],
    "tree": ["predict", "weka.classifiers.trees.J48"],
    "tree:laplace": ["predict", "weka.classifiers.trees.J48", "-A"],
}
J48 = "weka.classifiers.trees.J48"
TREES = {
    "tree": [J48],
    "tree:raising=false": [J48, "-S"],
    "tree:pruning=false": [J48, "-U"],
    "tree:confidence=0.05,min=5": [J48, "-C", "0.05", "-M", "5"],
}
BAYES = ["predict", "weka.classifiers.bayes.NaiveBayes"]
ON_NUMBERS = {
    "nb": BAYES,
    "nb:numeric=kernel": BAYES + ["-K"],
    "knn:k=1": ["neighbours", "1"],
    "knn:k=3": ["neighbours", "3"],
}


def as_weka(classifier):
    """A classifier with WEKA's values for all that is not given."""
    name, _, options = classifier.partition(":")
    return f"{name}:preset=weka" + ("," + options if options else "")


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
        self.values = pathlib.Path(hsel).parent / "tests" / "rank_values"
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

    def subset(self, name, file, *options):
        names = attributes(file)
        theirs = {names[int(index) - 1] for index in weka(file, "select", *options)}
        ours = {line[0] for line in self.select(file, "cfs")}
        differ = len(ours ^ theirs)
        self.row(name, "cfs", f"{len(theirs)} features selected, {differ} not by both", not differ)

    def selections(self, name, file):
        self.subset(name, file)
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
            ours = [float(x) for x in run(self.values, file, "values", measure).split()]
            theirs = [float(x) for x in weka(file, "score", EVALUATION + evaluator + "AttributeEval")]
            self.scores(name, measure, ours, theirs, 1e-9)

    def predictions(self, name, file, classifiers, only=""):
        for classifier, asked in classifiers.items():
            if not classifier.startswith(only):
                continue
            out = WORK / "predictions.csv"
            run(self.hsel, "eval", "-q", file, "--classify", as_weka(classifier), "--fold-scheme", "weka", "--seed", "1",
                "--predictions", out)
            with out.open() as handle:
                ours = {int(row["instance"]) - 1: [float(value) for name, value in row.items() if name.startswith("P(")]
                        for row in csv.DictReader(handle)}
            theirs = {int(line.split()[0]): [float(x) for x in line.split()[1:]]
                      for line in weka(file, *asked)}
            if sorted(ours) != sorted(theirs):
                self.row(name, classifier, "other instances", False)
                continue
            instances = sorted(i for i in theirs if theirs[i])
            if len(instances) < len(theirs):
                print(f"{name:14} {classifier:28} {len(theirs) - len(instances)} of {len(theirs)} instances "
                      "not predicted by WEKA: all its products are 0")
            if classifiers is ON_NUMBERS and self.few_tails(name, classifier, instances, ours, theirs):
                continue
            self.scores(name, classifier, [p for i in instances for p in ours[i]],
                        [p for i in instances for p in theirs[i]], 1e-9)

    def few_tails(self, name, classifier, instances, ours, theirs):
        """Far above the mean a factor of nb is a difference of two numbers near 1: 1e-75 for one program can be 1e-16
        for the other. Such instances are counted, and one in fifty let pass."""
        far = sum(max(abs(a - b) for a, b in zip(ours[i], theirs[i])) > 1e-9 for i in instances)
        if not far or classifier != "nb" or far * 50 > len(instances):
            return False
        self.row(name, classifier, f"{len(instances)} instances, {far} not within 1e-9", True)
        return True

    def cuts(self, name, file):
        if not self.values.exists():
            return
        ours = [[float(x) for x in line.split()] for line in run(self.values, file, "cuts").split("\n")[:-1]]
        theirs = [[float(x) for x in line.split()] for line in weka(file, "cuts")]
        differ = sum(a != b for a, b in zip(ours, theirs)) + abs(len(ours) - len(theirs))
        self.row(name, "MDL cut points", f"{len(theirs)} features, {sum(map(bool, theirs))} of them cut, "
                 f"{sum(map(len, theirs))} cut points, {differ} features differ", not differ)

    def areas(self, name, file):
        try:
            from sklearn.metrics import roc_auc_score
        except ImportError:
            return
        lines = file.read_text().split("@data\n")[1].splitlines()
        rows = [line.split(",") for line in lines if line]
        labels = sorted({row[-1] for row in rows})
        if len(labels) != 2:
            return
        truth, theirs = [row[-1] == labels[1] for row in rows], []
        for column in range(len(rows[0]) - 1):
            known = [(t, row[column]) for t, row in zip(truth, rows) if row[column] != "?"]
            try:
                area = roc_auc_score([t for t, _ in known], [float(x) for _, x in known])
            except ValueError:  # nominal
                area = 0.0
            theirs.append(max(area, 1 - area) if area else None)
        ours = [float(x) for x in run(self.values, file, "values", "auc").split()]
        pairs = [(a, b) for a, b in zip(ours, theirs) if b is not None]
        self.scores(name, "auc, scikit-learn", [a for a, _ in pairs], [b for _, b in pairs], 1e-12)

    def compare_numeric(self, name, file):
        self.cuts(name, file)
        self.measures(name, file)
        self.subset(name, file, "-M")  # missing values are values of their own
        for ranker, options in RELIEF_RANKERS.items():
            ours = [float(x) for x in run(self.values, file, "values", ranker).split()]
            theirs = [float(x) for x in weka(file, "score", EVALUATION + "ReliefFAttributeEval", *options)]
            self.scores(name, ranker, ours, theirs, 1e-9)
        self.areas(name, file)
        self.predictions(name, file, ON_NUMBERS)

    def compare(self, name, file):
        self.selections(name, file)
        self.measures(name, file)
        self.predictions(name, file, CLASSIFIERS)
        self.trees(name, file)

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
        "nb, 10 folds": (folds + [as_weka("nb")], java + ["weka.classifiers.bayes.NaiveBayes", "-t", file, "-x", "10", "-s", "1"]),
        "aode, 10 folds": (folds + [as_weka("aode")], java + ["weka.classifiers.bayes.AODE", "-t", file, "-x", "10", "-s", "1"]),
        "1-NN, 10 folds": (folds + [as_weka("knn:k=1")], java + ["weka.classifiers.lazy.IBk", "-K", "1", "-t", file, "-x", "10", "-s", "1"]),
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


def write_classified(seed, missing, file, rows=300):
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
            write_classified(seed, missing, file)
            yield name, file
    for folder in sorted((DATA / "rpv").glob("*")) if (DATA / "rpv").is_dir() else []:
        if not wanted or folder.name in wanted:
            file = WORK / f"{folder.name}.arff"
            run(hsel, "convert", "-q", folder, "--drop-roots", "-o", file)
            without_strings(file)
            yield folder.name, file


def write_mixed(file, classes):
    """Numeric features of every kind of tie, nominal ones, some values missing."""
    draw = random.Random(classes)
    names = "abcd"[:classes]
    head = ["@relation mixed"] + [f"@attribute n{i} numeric" for i in range(12)]
    head += [f"@attribute v{i} {{x,y,z}}" for i in range(4)] + [f"@attribute class {{{','.join(names)}}}", "@data"]
    rows = []
    for _ in range(150):
        label = draw.randrange(classes)
        cells = [str(round(draw.gauss(label * (i % 3), 1), i % 4)) for i in range(12)]
        cells += [draw.choice("xyz"[:1 + (label + i) % 3]) for i in range(4)]
        rows.append(",".join(["?" if draw.random() < 0.08 and i % 2 else cell for i, cell in enumerate(cells)] +
                             [names[label]]))
    file.write_text("\n".join(head + rows) + "\n")


def numeric_inputs(hsel, wanted):
    for classes in (2, 4):
        name = f"mixed-{classes}-classes"
        if not wanted or name in wanted:
            file = WORK / f"{name}.arff"
            write_mixed(file, classes)
            yield name, file
    for folder in sorted((DATA / "numeric").glob("*")) if (DATA / "numeric").is_dir() else []:
        if not wanted or folder.name in wanted:
            file = WORK / f"{folder.name}.arff"
            run(hsel, "convert", "-q", folder, "-o", file)
            without_strings(file)
            yield folder.name, file


def make_mixed(file, instances, classes):
    """Numeric, nominal and binary features with missing values, ties and a constant."""
    rng = random.Random(instances * 10 + classes)
    labels = "xyz"[:classes]
    lines = [f"@relation {file.stem}"] + [f"@attribute n{i} numeric" for i in range(5)]
    lines += ["@attribute colour {red,green,blue}", "@attribute letter {a,b,c,d,e}", "@attribute b1 {0,1}",
              "@attribute b2 {0,1}", "@attribute class {" + ",".join(labels) + "}", "@data"]
    for _ in range(instances):
        c = rng.randrange(classes)
        row = [f"{rng.gauss(c, 1):.3f}", str(rng.randrange(6) + c), f"{rng.expovariate(0.001 * (c + 1)):.1f}",
               str(rng.choice([0, 2.5, 7])), "4.5", rng.choice(["red", "green", "blue"]), rng.choice("abcd"),
               str(rng.randrange(2)), str(int(rng.random() < 0.2 + 0.3 * c))]
        row = ["?" if i < 7 and rng.random() < 0.15 else cell for i, cell in enumerate(row)]
        lines.append(",".join(row + [labels[c]]))
    file.write_text("\n".join(lines) + "\n")


def write_golden_mixed(file):
    make_mixed(file, 60, 3)
    lines = ["# WEKA 3.6.14 on the ARFF file of the same name, written by bench/weka_compare.py --golden: for each instance",
             "# (from 0) the probabilities of its classes."]
    for classifier, asked in ON_NUMBERS.items():
        lines.append(f"{classifier} " + " ".join(weka(file, *asked)))
    file.with_suffix(".txt").write_text("\n".join(lines) + "\n")


def write_golden(hsel):
    target = ROOT / "tests" / "golden"
    target.mkdir(exist_ok=True)
    write_golden_mixed(target / "weka_mixed.arff")
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
            lines.append(f"{classifier} " + " ".join(weka(file, *options)))
        (target / f"{name}.txt").write_text("\n".join(lines) + "\n")
    name, seed, missing, rows = GOLDEN_MIXED
    write_classified(seed, missing, target / f"{name}.arff", rows)
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
    parser.add_argument("--classifier", metavar="NAME", help="only the class probabilities of this classifier")
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
        if options.classifier:
            comparison.predictions(name, file, CLASSIFIERS, options.classifier)
        elif options.trees or name in MIXED:
            comparison.predictions(name, file, CLASSIFIERS, "tree")
            comparison.trees(name, file)
        else:
            comparison.compare(name, file)
        if options.times and name not in MIXED:
            times(options.hsel, name, file, options.times)
    for name, file in numeric_inputs(options.hsel, set(options.names)):
        comparison.compare_numeric(name, file)
    print(f"{comparison.failures or 'no'} differences")
    return 1 if comparison.failures else 0


if __name__ == "__main__":
    sys.exit(main())
