#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`hsel auto --checkpoint` killed at random moments, and stopped by Ctrl-C: going on gives what an uninterrupted run gives.

Usage: auto_killed.py HSEL
"""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

HSEL = os.path.abspath(sys.argv[1])
RUN = [HSEL, "auto", "made/", "-q", "--drop-roots", "--select", "none,hip,shsel,cfs", "--classify", "nb,knn:k=5,tree", "--permutations", "12", "--json"]
failures = []


def check(right, what):
    if not right:
        failures.append(what)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    subprocess.run([HSEL, "generate", "-q", "ontology:instances=400,features=300", "-o", "made/"], check=True)
    began = time.monotonic()
    once = subprocess.run(RUN, capture_output=True, text=True, check=True).stdout
    took = time.monotonic() - began

    chance, kills, done = random.Random(1), 0, None
    while done is None:  # by SIGKILL first; SIGINT keeps all that is done, so that there is an end
        number = signal.SIGKILL if kills < 4 else signal.SIGINT
        with subprocess.Popen(RUN + ["--checkpoint", "run.auto", "--threads", str(1 + kills % 2)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            try:
                out, errors = process.communicate(timeout=chance.uniform(0.2, 0.7) * took)
                done = out
            except subprocess.TimeoutExpired:
                process.send_signal(number)
                out, errors = process.communicate()
                kills += 1
        if done is None and number == signal.SIGINT and process.returncode == 0:
            done = out  # it was just ready
        elif done is None and number == signal.SIGINT:
            check(process.returncode == 1 and errors.startswith("hsel: stopped: ") and errors.endswith("resumes from run.auto\n"), f"Ctrl-C: {errors}")
            facts = json.loads(out) if out else {}
            check(not facts or facts["complete"] == ("permutations" in errors), f"what Ctrl-C leaves: {errors}{out[:300]}")
    check(kills > 0, "the run was never interrupted")
    check(done == once, f"another result after {kills} interruptions")

for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
