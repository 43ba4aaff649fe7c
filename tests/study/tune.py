#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""hsel tune with irace itself, with a budget as small as irace takes: the answer is a method text within the ranges asked
for, and the same once more. Skipped (77) where R or irace is not installed.

usage: tune.py HSEL
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

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


def tune(hsel, folder, *more):
    done = subprocess.run([hsel, "tune", "tiny.yaml", "--json", "--threads", "1", "--folder", folder, *more], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"hsel tune: exit code {done.returncode}: {done.stderr}")
    return json.loads(done.stdout), [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]


def stop(hsel):
    """Ctrl-C ends irace and all that it started."""
    running = subprocess.Popen([hsel, "tune", "tiny.yaml", "--folder", "stopped", "--budget", "100000"], stderr=subprocess.PIPE, text=True)
    while not os.path.exists("stopped/runs.txt"):
        time.sleep(0.05)
        if running.poll() is not None:
            sys.exit(f"ended before it was stopped: {running.stderr.read()}")
    running.send_signal(signal.SIGINT)
    said = running.communicate()[1]
    size = os.path.getsize("stopped/runs.txt")
    time.sleep(0.5)
    if running.returncode == 0 or "stop" not in said or os.path.getsize("stopped/runs.txt") != size:
        sys.exit(f"not stopped: exit code {running.returncode}, {said}")


def main():
    hsel = os.path.abspath(sys.argv[1])
    if not has_irace():
        print("R or its package irace does not exist (Debian: r-cran-irace): skipped")
        return NOT_THERE
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        with open("tiny.yaml", "w") as out:
            out.write(STUDY)
        (first, _), (second, _) = tune(hsel, "first"), tune(hsel, "second")
        told, budget = [], 60
        while len(told) < 3 and budget < 60 * 4**6:  # progress is told once a second: more work for a faster machine
            budget *= 4
            _, told = tune(hsel, f"long{budget}", "--budget", str(budget), "--progress", "json")
        if len(told) < 3 or told[-1]["total"] != budget or not 0 < told[-1]["done"] <= budget or told[-1]["seconds_left"] is None:
            sys.exit(f"odd progress: {told}")
        found = re.fullmatch(r"shsel:(?:threshold=([0-9.]+),)?prune=lenient", first["method"])
        if not found or not 0.5 <= float(found.group(1) or 0.99) <= 1:
            sys.exit(f"not a setting that was asked for: {first['method']}")
        if not 0 <= first["mean"] <= 1 or first["instances"] != 4 or first["budget"] != 60:
            sys.exit(f"odd answer: {first}")
        if first["method"] != second["method"] or first["mean"] != second["mean"]:
            sys.exit(f"the same seed, another answer: {first}, {second}")
        stop(hsel)
    return 0


if __name__ == "__main__":
    sys.exit(main())
