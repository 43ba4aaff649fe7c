#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""TaxaHFE's example again, beside R: importance as ranger has it, accuracy on the split of TaxaHFE's page, processor time of the whole.

Usage: taxahfe.py HSEL [SEEDS]          (SEEDS: default 5; needs Rscript with ranger: Debian's r-cran-ranger)

The split is drawn by R as TaxaHFE-ML draws it with rsample for its seed 1234: of the samples in the metadata, of each class in turn, four fifths;
then those that the table lacks are left out. 38 and 18 samples are left to be predicted, the share of the larger class that the page gives.
"""
import csv
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

sys.stdout.reconfigure(line_buffering=True)
HSEL = os.path.abspath(sys.argv[1])
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
FORESTS = 40
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "microbiome")

SPLIT = """
m <- read.delim(gzfile("%s/metadata.tsv.gz"))
set.seed(1234)
train <- unlist(lapply(split(seq_len(nrow(m)), m$Category), function(i) i[sample(length(i), floor(length(i) * 0.8))]))
writeLines(m$Sample[train], "train.txt")
writeLines(m$Sample[-train], "test.txt")
"""
IMPORTANCE = """
d <- read.csv("winners.csv", check.names = FALSE, row.names = 1)
y <- factor(d$Category); x <- d[names(d) != "Category"]
i <- sapply(1:%d, function(s) ranger::ranger(x = x, y = y, importance = "impurity_corrected", seed = s, sample.fraction = 1, replace = TRUE,
                                            num.threads = 1)$variable.importance) / nrow(x)
write.table(data.frame(rowMeans(i), apply(i, 1, sd)), "ranger.tsv", sep = "\\t", col.names = FALSE, quote = FALSE)
"""
MODEL = """
d <- read.csv("chosen.csv", check.names = FALSE, row.names = 1); y <- factor(d$Category); x <- d[names(d) != "Category"]
train <- rownames(d) %%in%% readLines("train.txt")
cat(sapply(1:10, function(s) { m <- ranger::ranger(x = x[train, ], y = y[train], num.trees = 1000, probability = TRUE, seed = s, num.threads = 1)
  p <- predict(m, x[!train, ])$predictions; sum(colnames(p)[max.col(p)] == y[!train]) }))
"""


def hsel(*arguments):
    return subprocess.run([HSEL, *arguments, "-q"], check=True, capture_output=True, text=True).stdout


def rscript(text):
    return subprocess.run(["Rscript", "-e", text], check=True, capture_output=True, text=True).stdout


def importances():
    """Means and standard deviations over forests, ours and ranger's, of the winners before the final filter."""
    names = [line.split("\t")[0] for line in hsel("select", "gut.hsel", "--select", "taxahfe:filter=off").splitlines()]
    hsel("select", "gut.hsel", "--select", "taxahfe:filter=off", "-o", "winners.csv")
    ours = {name: [] for name in names}
    for seed in range(FORESTS):
        text = hsel("train", "winners.csv", "--id", "1", "--classify", f"forest:trees=500,features={int(len(names) ** 0.5)},corrected", "--seed",
                    str(seed), "--show", "--json")
        found = {one["feature"]: one["corrected"] for one in json.loads(text)["importance"]}
        for name in names:
            ours[name].append(found.get(name, 0))
    rscript(IMPORTANCE % FORESTS)
    theirs = {line[0]: (float(line[1]), float(line[2])) for line in csv.reader(open("ranger.tsv", encoding="utf-8"), delimiter="\t")}
    print(f"{len(names)} winners, mean of {FORESTS} forests: hsel, ranger, difference in standard errors")
    apart = []
    for name in sorted(names, key=lambda n: -theirs[n][0]):
        mean, sd = statistics.mean(ours[name]), statistics.stdev(ours[name])
        error = ((sd ** 2 + theirs[name][1] ** 2) / FORESTS) ** 0.5
        apart.append((mean - theirs[name][0]) / error)
        print(f"  {name:34} {mean:9.5f} {theirs[name][0]:9.5f} {apart[-1]:+6.1f}")
    print(f"  greatest difference: {max(map(abs, apart)):.1f} standard errors; root of the mean square {statistics.mean(a * a for a in apart) ** 0.5:.2f}")


def accuracy():
    rscript(SPLIT % DATA)
    truth = {line[0]: line[1] for line in csv.reader(subprocess.run(["gunzip", "-c", f"{DATA}/metadata.tsv.gz"], check=True, capture_output=True,
                                                                    text=True).stdout.splitlines(), delimiter="\t")}
    table = set(hsel("convert", "gut.hsel", "-o", "-", "--to", "csv").replace(",", "\n").splitlines())
    for part in ("train", "test"):
        here = [name for name in open(f"{part}.txt", encoding="utf-8").read().split() if name in table]
        open(f"{part}.txt", "w", encoding="utf-8").write("\n".join(here) + "\n")
    test = open("test.txt", encoding="utf-8").read().split()
    print("predicted on TaxaHFE's split:", len(test), "samples,", sum(truth[s] == "Industrialized" for s in test), "of the larger class")
    for seed in range(1, SEEDS + 1):
        hsel("select", "gut.hsel", "--instances", "train.txt", "--select", "taxahfe", "--seed", str(seed), "-o", "few.csv")
        names = open("few.csv", encoding="utf-8").readline().strip().split(",")[1:-1]
        with open("chosen.csv", "w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out)
            rows = list(csv.reader(hsel("convert", "gut.hsel", "-o", "-", "--to", "csv").splitlines()))
            keep = [0] + [rows[0].index(name) for name in names] + [len(rows[0]) - 1]
            writer.writerows([[row[k] for k in keep] for row in rows])
        right = []
        for options in ("trees=1000", "trees=1000,criterion=gini"):
            hsel("train", "chosen.csv", "--id", "1", "--instances", "train.txt", "--classify", "forest:" + options, "--seed", str(seed), "-o", "a.model")
            lines = hsel("predict", "a.model", "chosen.csv", "--id", "1", "--instances", "test.txt").splitlines()[1:]
            right.append(sum(truth[line.split("\t")[0]] == line.split("\t")[1] for line in lines))
        print(f"  seed {seed}: {len(names)} taxa; forest {right[0]}, criterion=gini {right[1]}, ranger on these taxa (10 seeds) {rscript(MODEL.replace('%%', '%'))}")


def stops():
    """Does stopping early change who wins?"""
    for seed in range(1, SEEDS + 1):
        sets = [set(hsel("select", "gut.hsel", "--select", f"taxahfe:filter=off,sure={sure}", "--seed", str(seed)).splitlines()) for sure in (0, 5)]
        print(f"  seed {seed}: {len(sets[0])} winners of all forests, {len(sets[0] ^ sets[1])} others with sure=5")


def whole():
    """From two files to an explanation."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    hsel("build", "--abundance", f"{DATA}/abundance.tsv.gz", "--metadata", f"{DATA}/metadata.tsv.gz", "--class", "Category", "-o", "gut.hsel")
    hsel("select", "gut.hsel", "--select", "taxahfe", "-o", "taxa.hsel")
    hsel("eval", "taxa.hsel", "--classify", "forest", "--folds", "10", "--repeats", "10")
    hsel("train", "taxa.hsel", "--classify", "forest", "-o", "taxa.model")
    hsel("explain", "taxa.hsel", "--model", "taxa.model", "--instance", "UCI_9")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"build, taxahfe, forest in 10 x 10 folds, explain: {after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.1f} s of processor time")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    whole()
    importances()
    accuracy()
    stops()
