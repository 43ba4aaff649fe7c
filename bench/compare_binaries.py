#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares two builds of hsel: bench/compare_binaries.py OLD NEW [--only TEXT] [--sweep FOLDER…].

Runs both programs with the same commands on the same files and compares exit status, standard output and every file written,
byte by byte; then counts instructions (valgrind) and peak memory (GNU time). With --sweep, runs every method on the data sets
in these folders instead and compares results only. Exits with 1 if a result differs or a ratio is above LIMIT. Different
messages on standard error are shown, but their words may change.
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

LIMIT = 1.05
SECONDS = 120  # a command of the sweep that takes longer is left out, and the end says so
STUDY = """name: s
datasets: [{name: made, generate: "ontology:instances=200,features=200,positives=20", seed: 1},
           {name: more, generate: "ontology:instances=200,features=200,positives=20", seed: 2}]
selectors: [none, hip, rpv, shsel]
classifiers: [nb, knn]
folds: {count: 5, repeats: 2, seed: 1}
"""
# The files that the cases read; OLD makes them, in this order.
INPUTS = [
    "generate ontology:instances=500,features=2000,positives=500,depth=6 -o dense.arff",
    "generate ontology:instances=3000,features=2000,positives=50 -o sparse.arff --hierarchy-output h.tsv",
    *(f"convert sparse.arff -o sparse.{ending}" for ending in ("csv", "svm", "mtx")),
    "convert sparse.arff --hierarchy h.tsv -o sparse.hsel",
    "generate ontology:instances=1,features=20000,edges-per-node=10,positives=13 -o dag.arff --hierarchy-output dag.tsv",
    "convert dag.tsv -o dag.obo", "convert dag.tsv -o dag.nt", "convert h.tsv -o h.ancestors",
    "generate ontology:instances=300,features=400,positives=30 -o small.hsel",
    "convert numbers.csv -o numbers.hsel",
    "run study.yaml --store study.db --progress none",
]
# {} is the folder of the inputs; && separates commands that run one after the other.
CASES = [
    "version", "methods --json",
    *(f"info {{}}/{file}" for file in ("dense.arff", "sparse.arff", "sparse.csv", "sparse.svm", "sparse.mtx", "sparse.hsel", "numbers.csv",
                                       "dag.tsv")),
    *(f"check {{}}/{file}" for file in ("sparse.hsel", "dag.tsv", "dag.obo", "dag.nt", "h.ancestors")),
    "convert {}/sparse.hsel -o out.arff", "convert {}/sparse.hsel -o out.csv", "convert {}/sparse.csv -o out.hsel",
    "generate ontology:instances=500,features=1000,positives=50 -o out.hsel",
    "run {}/study.yaml --store s.db --export out.csv", "report {}/study.db --format html -o out.html",
    *(f"select {{}}/sparse.hsel --select {name}" for name in ("hip", "mr", "rpv", "hnb", "shsel", "tsel", "gtd", "cfs")),
    *(f"select {{}}/small.hsel --select {name}" for name in ("relieff", "hill-climbing", "hfe", "sc", "ga:generations=20",
                                                             "ga:generations=5,fitness=general")),
    *(f"eval {{}}/small.hsel --json --predictions out.csv --classify {name}" for name in (
        "nb", "knn", "aode", "hie-aode", "hie-aode-lite", "svm", "svm:kernel=rbf", "tan", "ban", "hre-tan",
        "proximal-graph:lambda=0.02,iterations=50", "tree", "forest:trees=20")),
    *(f"eval {{}}/numbers.hsel --folds 3 --json --predictions out.csv --classify {name}" for name in (
        "nb", "knn", "svm", "svm:kernel=rbf", "tree", "forest:trees=20")),
    *(f"rank {{}}/numbers.hsel --by {name}" for name in ("f,auc,ks,prc", "ig", "relieff")),
    *(f"train {{}}/small.hsel --classify {name} -o m.model && predict m.model {{}}/small.hsel" for name in ("aode", "forest:trees=20")),
]


def run(program, case, wrap=(), seconds=None):
    """What the commands of a case do in an empty folder: [(exit status, messages)…] and {file or stream: bytes}."""
    ends, made = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for number, command in enumerate(case.split(" && ")):
            words = shlex.split(command) + ([] if command.startswith(("version", "methods", "generate", "report")) else ["--threads", "1"])
            done = subprocess.run([*wrap, program, *words], cwd=folder, capture_output=True, timeout=seconds)
            ends.append((done.returncode, done.stderr.decode("utf-8", "replace")))
            if not command.startswith("run "):  # it prints how long it took
                made[f"output of command {number + 1}"] = re.sub(rb'"seconds": [-+.e\d]+', b"", done.stdout)
        for root, _, files in os.walk(folder):
            for file in files:
                if ".db" not in file:  # a store has times in it
                    with open(os.path.join(root, file), "rb") as stream:
                        made[os.path.relpath(os.path.join(root, file), folder)] = stream.read()
    return ends, made


def differences(old, new):
    """Names of what differs between two runs, and whether messages do."""
    names = [name for name in sorted(old[1].keys() | new[1].keys()) if old[1].get(name) != new[1].get(name)]
    if [end[0] for end in old[0]] != [end[0] for end in new[0]]:
        names.append("exit status")
    return names, [end[1] for end in old[0]] != [end[1] for end in new[0]]


def costs(program, case):
    """Instructions, and peak memory in KiB: the least of five runs, since the pages of shared libraries come and go."""
    counted = run(program, case, ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])[0]
    timed = [run(program, case, ["/usr/bin/time", "-f", "peak %M"])[0] for _ in range(5)]
    return (sum(int(re.search(r"I +refs: +([\d,]+)", end[1]).group(1).replace(",", "")) for end in counted),
            min(max(int(re.search(r"peak (\d+)", end[1]).group(1)) for end in ends) for ends in timed))


def sweep_cases(program, folders):
    """Every method on every data set below the folders, with its hierarchy."""
    methods = json.loads(subprocess.run([program, "methods", "--json"], capture_output=True, check=True).stdout)
    names = {kind: [m["name"] for m in methods if m["kind"] == kind] for kind in ("selector", "ranker", "measure", "classifier")}
    for folder in folders:
        for root, _, files in sorted(os.walk(folder)):
            if not any(file.startswith("data.") for file in files):
                continue
            data = shlex.quote(os.path.abspath(root)) + (" --propagate" if any(f.startswith("hierarchy.") for f in files) else "")
            yield f"convert {data} -o o.hsel && convert o.hsel -o o.arff && convert o.hsel -o o.csv && info {data} --json && check {data}"
            yield from (f"select {data} --select {name} --json" for name in names["selector"])
            yield from (f"rank {data} --by {name}" for name in names["ranker"] + names["measure"])
            yield from (f"train {data} --classify {name} -o m.model && predict m.model {data} --json" for name in names["classifier"])
            yield from (f"eval {data} --folds 3 --classify {name} --json --predictions o.csv" for name in names["classifier"])
            yield from (f"eval {data} --folds 3 --select {name} --json --predictions o.csv" for name in names["selector"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--only", default="", metavar="TEXT", help="only commands that match this regular expression")
    parser.add_argument("--sweep", nargs="+", metavar="FOLDER", help="every method on every data set in these folders")
    parser.add_argument("--jobs", type=int, default=1, help="how many commands at a time")
    options = parser.parse_args()
    programs = [os.path.abspath(options.old), os.path.abspath(options.new)]

    def compare(case):
        try:
            found = differences(*(run(program, case, seconds=SECONDS if options.sweep else None) for program in programs))
        except subprocess.TimeoutExpired:
            return case, None, False, ()
        return case, *found, () if options.sweep else [costs(program, case) for program in programs]

    count = bad = 0
    with tempfile.TemporaryDirectory() as inputs, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        if not options.sweep:
            numbers = random.Random(1)
            with open(os.path.join(inputs, "study.yaml"), "w") as study, open(os.path.join(inputs, "numbers.csv"), "w") as table:
                study.write(STUDY)
                table.write(",".join(f"x{column}" for column in range(400)) + ",class\n")
                for row in range(150):
                    means = (row % 3 * (column % 7 == 0) for column in range(400))
                    table.write(",".join(f"{numbers.gauss(mean, 1):.6g}" for mean in means) + f",{'ab'[row % 3 == 0]}\n")
            for command in INPUTS:
                subprocess.run([programs[0], *shlex.split(command), "-q"], cwd=inputs, check=True, stdout=subprocess.DEVNULL)
            print("| command | instructions, old | new | ratio | peak KiB, old | new | ratio |\n|---|---:|---:|---:|---:|---:|---:|")
        cases = sweep_cases(programs[0], options.sweep) if options.sweep else (case.replace("{}", inputs) for case in CASES)
        for case, names, messages, cost in pool.map(compare, (case for case in cases if re.search(options.only, case))):
            count += 1
            if cost:
                (old, old_peak), (new, new_peak) = cost
                print(f"| `{case.replace(inputs + '/', '')}` | {old:,} | {new:,} | {new / old:.3f} | {old_peak:,} | {new_peak:,} | "
                      f"{new_peak / old_peak:.3f} |", flush=True)
            slow = cost and max(new / old, new_peak / old_peak) > LIMIT
            bad += bool(names) or bool(slow)
            for what in ["left out: slow"] if names is None else [*(f"differs: {name}" for name in names), *(["messages"] if messages else [])]:
                print(f"{what}: {case}", flush=True)
    print(f"{count} commands, {bad} with different results or a ratio above {LIMIT}")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
