#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory is estimated before it is taken: the estimate is near the peak measured, and what does not fit is refused in one line.

Usage: memory.py HSEL
"""
import os
import re
import subprocess
import sys
import tempfile

HSEL = os.path.abspath(sys.argv[1])
SLACK = 12  # MB that are no matter: pages of the data, and of this program before it becomes hsel
failures = []


def check(right, what):
    if not right:
        failures.append(what)


def run(*arguments, **more):
    return subprocess.run([HSEL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def peak(arguments):
    """MB that a command has at most."""
    process = subprocess.Popen([HSEL, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    check(status == 0, f"{arguments}: {said}")
    return usage.ru_maxrss / 1024


def estimate(arguments):
    done = run(*arguments, "-q", "--memory", "1")
    found = re.fullmatch(r"hsel: .* needs about (\d+) MB, most of it for [a-z-]+, and only 1 MB is available; it needs less with "
                         r".*--memory any tries anyway\n", done.stderr)
    check(done.returncode == (1 if done.stderr else 0) and done.stderr.count("\n") <= 1, f"{arguments}: {done.stderr}")
    return int(found.group(1)) if found else 1  # it fits


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    subprocess.run([HSEL, "generate", "-q", "ontology:features=3000,instances=6000", "-o", "mid.hsel"], check=True)
    common = ["eval", "mid.hsel", "--folds", "2", "--threads", "1"]
    base = peak(common)
    for method in ("knn", "aode:memory=30", "hie-aode", "hre-tan", "tan", "svm", "svm:kernel=rbf", "svm:kernel=rbf,cache=40", "forest:trees=300",
                   "proximal-graph:lambda=0.01", "@cfs", "@relieff"):
        command = [*common, "--select" if method[0] == "@" else "--classify", method.lstrip("@")]
        needed, taken = estimate(command), peak([*command, "--memory", "any"]) - base
        check(needed <= 3 * taken + SLACK and taken <= 3 * needed + SLACK, f"{method}: {needed} MB by the estimate, {taken:.0f} MB taken")

    # What lowers it is named; threads count; the environment has a limit, too; any goes on; half is noted.
    rbf = ["eval", "mid.hsel", "--classify", "svm:kernel=rbf", "--folds", "2", "-q"]
    one, two = estimate([*rbf, "--threads", "1"]), estimate([*rbf, "--threads", "2"])
    check(1.9 * one < two < 2.1 * one, f"one thread needs {one} MB, two {two} MB")
    said = run(*rbf, "--threads", "2", "--memory", "1").stderr
    check("a lower cache=, fewer --threads, fewer features (--select, --min-support)" in said, said)
    small = {**os.environ, "HSEL_MEMORY": "20"}
    said = run(*rbf, "--threads", "1", env=small).stderr
    check("and only 20 MB is available" in said, f"HSEL_MEMORY: {said}")
    check(run(*rbf, "--threads", "1", "--memory", "any", env=small).returncode == 0, "--memory any")
    said = run(*rbf[:-1], "--threads", "1", "--memory", str(int(1.5 * one))).stderr
    check(f"note: svm: 1 of 1 runs may take about {one} MB, and {int(1.5 * one)} MB is available\n" in said, f"no note: {said}")
    for command in (["train", "mid.hsel", "-o", "model"], ["explore", "mid.hsel", "-o", "page.html", "--folds", "2"]):
        done = run(*command, "-q", "--classify", "hre-tan", "--memory", "30")
        check(done.returncode == 1 and "most of it for hre-tan, and only 30 MB is available" in done.stderr, f"{command}: {done.stderr}")
        check(not os.path.exists(command[3]), f"{command} left a file")
    with open("study.yaml", "w") as file:
        file.write("name: s\ndatasets:\n  - path: mid.hsel\nselectors: [none]\nclassifiers: [nb, hre-tan]\nfolds: {count: 2}\n")
    done = run("run", "study.yaml", "--memory", "30", "--threads", "1")
    check(done.returncode == 3 and "needs about" in done.stderr + done.stdout, f"run: {done.stdout}{done.stderr}")

    # Limits of the process.
    limited = subprocess.run(["sh", "-c", f"ulimit -v 200000; exec {HSEL} eval mid.hsel -q --folds 2 --threads 2 --classify hre-tan"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check(limited.returncode == 1 and "needs about" in limited.stderr and limited.stderr.count("\n") == 1, f"ulimit: {limited.stderr}")

    values = ",".join("[" + ",".join("1" * 400) + "]" for _ in range(4000))
    with open("large.biom", "w") as file:
        file.write('{"format": "Biological Observation Matrix 1.0.0", "matrix_type": "dense", "shape": [4000, 400], "data": [%s]}' % values)
    # What is too large by the size of its text is refused before it is parsed.
    for kilobytes, message in ((56000, "the table needs more than the "), (70000, "out of memory\n")):
        limited = subprocess.run(["sh", "-c", f"ulimit -v {kilobytes}; exec {HSEL} build --abundance large.biom -o large.hsel"],
                                 stderr=subprocess.PIPE, text=True)
        check(limited.returncode == 1 and limited.stderr.startswith("hsel: large.biom: " + message), f"JSON: {limited.stderr}")

    for wrong in ("0", "-3", "much", ""):
        done = run(*rbf, "--memory", wrong)
        check(done.returncode == 2 and done.stderr.startswith("hsel: ") and done.stderr.count("\n") == 1, f"--memory {wrong}: {done.stderr}")

for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
