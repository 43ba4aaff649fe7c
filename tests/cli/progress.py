#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Long commands are not silent: rows of `hsel eval` come as soon as they are done, Ctrl-C leaves them, and progress is told as JSON and as a line.

Usage: progress.py HSEL
"""
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time

HSEL = os.path.abspath(sys.argv[1])
SLOW = "ga:population=50,generations=100000"
failures = []


def check(right, what):
    if not right:
        failures.append(what)


def stopped(*options):
    """eval of a fast and a slow selector, interrupted after its first row: output, errors, exit code."""
    command = [HSEL, "eval", "made/", "--select", "none", "--select", SLOW, "--folds", "2", "--threads", "1", *options]
    with open("errors", "w+") as said, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True) as process:
        first = ""
        while "none" not in first:
            line = process.stdout.readline()
            check(line, f"{options}: there is no first row")
            if not line:
                break
            first += line
        process.send_signal(signal.SIGINT)
        first += process.stdout.read()
        process.wait()
        said.seek(0)
        return first, said.read(), process.returncode


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    subprocess.run([HSEL, "generate", "-q", "ontology:instances=200,features=100", "-o", "made/"], check=True)

    out, errors, code = stopped()
    check(code == 1 and errors.endswith("hsel: stopped: 1 of 2 rows are done\n"), f"Ctrl-C: {code}, {errors}")
    check(out.count("\n") == 2 and out.split("\n")[1].startswith("made"), f"the first row is not all there is: {out}")
    out, errors, code = stopped("--json")
    rows = json.loads(out)
    check([row["selector"] for row in rows] == ["none"], f"JSON of a stopped run: {out}")
    out, errors, code = stopped("--csv", "--predictions", "p.csv")
    check(out.count("\n") == 2 and "no other file is written" in errors, f"CSV of a stopped run: {out}{errors}")
    check(not os.path.exists("p.csv"), "predictions of a stopped run")

    # Reading that takes long is told of, in commands that only read, too.
    for command, form in ((["info", "-"], "json"), (["check", "-"], "json"), (["convert", "-", "-o", "read.csv"], "json"), (["info", "-"], "bar")):
        process = subprocess.Popen([HSEL, *command, "--format", "csv", "--progress", form], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        process.stdin.write("a,b,class\n")
        for _ in range(4):
            process.stdin.write("1,0,yes\n0,1,no\n" * 6000)
            process.stdin.flush()
            time.sleep(0.3)
        said = process.communicate()[1]
        told = '"job": "standard input"' in said and '"total": 0' in said if form == "json" else "so far  standard input" in said
        check(process.returncode == 0 and told, f"{command} with {form}: {process.returncode}, {said}")

    # Kernel machines say what they will need before they take it, also within eval.
    subprocess.run([HSEL, "generate", "-q", "ontology:instances=9000,features=1000", "-o", "large.hsel"], check=True)
    said = subprocess.run([HSEL, "eval", "-q", "large.hsel", "--classify", "svm:kernel=rbf", "--threads", "1", "--folds", "2", "--progress", "bar"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True).stderr
    check(re.search(r"none: .*kernel values, .*MB", said), f"svm: {said}")

    # A report tells which data set it is at.
    with open("study.yaml", "w") as file:
        file.write("name: s\ndatasets: [{path: made/}]\nselectors: [none]\nclassifiers: [nb]\nfolds: {count: 2}\n")
    subprocess.run([HSEL, "run", "-q", "study.yaml"], stdout=subprocess.DEVNULL, check=True)
    said = subprocess.run([HSEL, "report", "s.db", "--format", "text", "--progress", "json"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, check=True).stderr
    check('"total": 1' in said and '"job": "made"' in said, f"report: {said}")

    # Progress as JSON: shares of the whole that only grow, up to all of it.
    done = subprocess.run([HSEL, "eval", "made/", "--select", "none,rpv", "--repeats", "20", "--progress", "json"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True).stderr
    told = [json.loads(line) for line in done.splitlines() if line.startswith("{")]
    check(told and all(t["total"] == 20 * 1000000 for t in told), f"progress of eval: {done}")
    check([t["done"] for t in told] == sorted(t["done"] for t in told), f"progress goes back: {done}")

    # As a line on a terminal, also of a command that is over at once if it is asked for; not without a terminal.
    for command in (["select", "made/", "--select", "rpv", "-o", "x"], ["train", "made/", "--classify", "forest", "-o", "m"],
                    ["rank", "made/", "--by", "relieff"], ["predict", "m", "made/"], ["eval", "made/"]):
        try:
            ours, theirs = pty.openpty()
        except OSError:  # a system without pseudo-terminals: a pipe shows the same, because the bar is asked for
            ours, theirs = os.pipe()
        with subprocess.Popen([HSEL, *command, "--progress", "bar"], stdout=subprocess.DEVNULL, stderr=theirs) as process:
            os.close(theirs)
            shown = b""
            while True:
                try:
                    piece = os.read(ours, 4096)
                except OSError:
                    break
                if not piece:
                    break
                shown += piece
        os.close(ours)
        check(process.returncode == 0 and re.search(rb"\[[#.]{20}\]", shown), f"{command[0]} --progress bar: {shown}")
        quiet = subprocess.run([HSEL, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True).stderr
        check(b"[" not in quiet, f"{command[0]} shows a bar without a terminal: {quiet}")

    # A table on a terminal is aligned and has few digits.
    try:
        ours, theirs = pty.openpty()
    except OSError:
        print("there are no pseudo-terminals: tables on a terminal were not looked at")
    else:
        with open("two.csv", "w") as file:
            file.write("id,p\na,0.000123456789\nbb,0.01\n")
        subprocess.run([HSEL, "test", "two.csv", "-q", "--method", "bh"], stdout=theirs, check=True)
        shown = os.read(ours, 4096).decode().replace("\r", "")
        check(shown == "id  label         p  adjusted  rejected  outer\n"
                       "a          0.000123  0.000247       yes    yes\n"
                       "bb             0.01      0.01       yes    yes\n", f"a table on a terminal: {shown}")

for failure in failures:
    print(failure)
print(f"progress: {len(failures)} failures")
sys.exit(bool(failures))
