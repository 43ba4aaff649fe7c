#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""hsel tune with irace itself, with a budget as small as irace takes: the answer is a method text within the ranges asked
for, and the same once more. Skipped (77) where R or irace is not installed.

usage: tune.py HSEL
"""
import json
import os
import re
import subprocess
import sys
import tempfile

STUDY = """name: tiny
datasets:
  - {name: a, generate: "ontology:instances=40,features=40", seed: 1}
  - {name: b, generate: "ontology:instances=40,features=40", seed: 2}
selectors: "shsel:prune=lenient"
classifiers: nb
folds: {count: 2, repeats: 2}
metrics: gm
tune: {budget: 60, seed: 3, parameters: {threshold: 0.5..1/0.01}}
"""
NOT_THERE = 77


def has_irace():
    try:
        return subprocess.run(["Rscript", "--vanilla", "-e", "quit(status = if (requireNamespace('irace', quietly = TRUE)) 0 else 3)"],
                              capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


def tune(hsel, folder):
    done = subprocess.run([hsel, "tune", "tiny.yaml", "--json", "--threads", "1", "--folder", folder], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"hsel tune: exit code {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def main():
    hsel = os.path.abspath(sys.argv[1])
    if not has_irace():
        print("R or its package irace is not there (Debian: r-cran-irace): skipped")
        return NOT_THERE
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        with open("tiny.yaml", "w") as out:
            out.write(STUDY)
        first, second = tune(hsel, "first"), tune(hsel, "second")
        found = re.fullmatch(r"shsel:(?:threshold=([0-9.]+),)?prune=lenient", first["method"])
        if not found or not 0.5 <= float(found.group(1) or 0.99) <= 1:
            sys.exit(f"not a setting that was asked for: {first['method']}")
        if not 0 <= first["mean"] <= 1 or first["instances"] != 4 or first["budget"] != 60:
            sys.exit(f"odd answer: {first}")
        if first["method"] != second["method"] or first["mean"] != second["mean"]:
            sys.exit(f"the same seed, another answer: {first}, {second}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
