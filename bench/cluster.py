#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a study scales: measurements in one process and in 8 parts, a model fitted to them, and simulated parts on up to 1,000 machines.

Usage: bench/cluster.py [--hsel PROGRAM] [--simulate]       (--simulate: only the simulation, with the constants in this file)

Measured: what a unit (a selector with its classifiers in a fold) costs beside the methods, by processor time; what starting a part and
gathering costs. Simulated: machines that fail now and then (mean time between failures 1,000 hours each), after which the part is started
again and continues.
"""
import argparse
import math
import os
import pathlib
import random
import sqlite3
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parents[1]
# Seconds, as measured once: a unit beside its methods; starting a part; gathering a part; gathering a unit.
FITTED = {"store": 3e-6, "start": 0.08, "part": 0.021, "gathered": 15e-6}
FAILS_HOURS, AGAIN_SECONDS = 1000, 60


# ---- measuring ----

STUDY = """name: s
datasets: [{{name: d, generate: "ontology:instances=100,features=60,positives=8"}}]
selectors: [{selectors}]
classifiers: [nb]
folds: {{count: 10, repeats: {repeats}}}
"""


def measure(hsel):
    with tempfile.TemporaryDirectory(prefix="hsel-cluster-") as name:
        folder = pathlib.Path(name)
        units = 4 * 10 * 500

        def timed(*options):
            """Elapsed and processor seconds of a run."""
            (folder / "s.db").unlink(missing_ok=True)
            subprocess.run(["/usr/bin/time", "-f", "%U %S %e", "-o", "times", hsel, "run", "s.yaml", "-q", "--threads", "1", *options], cwd=folder,
                           check=True, capture_output=True)
            user, system, elapsed = map(float, (folder / "times").read_text().split())
            return elapsed, user + system

        def in_parts():
            began = time.monotonic()
            for part in range(1, 9):
                timed("--part", f"{part}/8")
            taken = time.monotonic() - began
            gathering = timed("--gather", "s.parts")
            for store in (folder / "s.parts").iterdir():
                store.unlink()
            return taken, gathering

        (folder / "s.yaml").write_text(STUDY.format(selectors="none, rpv, hip, shsel", repeats=500))
        alone = timed()
        with sqlite3.connect(folder / "s.db") as db:
            methods = db.execute("SELECT (SELECT sum(seconds) FROM unit) + (SELECT sum(seconds) FROM job)").fetchone()[0] / units
        db.close()
        parts, gather = in_parts()
        (folder / "s.yaml").write_text(STUDY.format(selectors="none", repeats=1))  # what starting costs, with next to nothing to do
        start = timed()
        _, gather_small = in_parts()
        each = lambda seconds, less: max(seconds - less, 0) / units
        found = {"store": max(each(alone[1], start[1]) - methods, 1e-6), "start": start[0], "part": max(gather_small[0] - start[0], 0.001) / 8,
                 "gathered": each(gather[1], gather_small[1])}
        print(f"one process {alone[0]:.2f} s, {units / alone[0]:,.0f} units per second; 8 parts one after the other {parts:.2f} s, gathering them {gather[0]:.2f} s")
        print("\nfitted, in microseconds: " + ", ".join(f"{key} {1e6 * value:,.0f}" for key, value in found.items()))
    return found


# ---- simulating ----

def parts_run(parts, units, seconds, constants, chance):
    """Elapsed seconds of as many parts at once, each of which continues after a failure, and of gathering."""
    longest = 0.0
    for part in range(parts):
        mine = units // parts + (part < units % parts)
        # jobs of a selector are spread evenly, so what is left is chance
        work = mine * seconds * math.exp(chance.gauss(0, 0.5 / math.sqrt(mine))) if mine else 0
        need, took = constants["start"] + work + mine * constants["store"], 0.0
        while need > 0:
            dies = chance.expovariate(1 / (FAILS_HOURS * 3600))
            if dies >= need:
                took, need = took + need, 0
            else:
                took, need = took + dies + AGAIN_SECONDS, need - dies + constants["start"]
        longest = max(longest, took)
    return longest + parts * constants["part"] + units * constants["gathered"]


def simulate(constants):
    print("\n| a unit takes | machines | elapsed s | share of the ideal |\n|--:|--:|--:|--:|")
    for seconds, each in ((0.001, 30), (0.01, 60), (0.1, 60), (1.0, 600), (60.0, 8 * 3600)):
        for workers in (8, 64, 256, 1000):
            units = int(workers * each / seconds)
            elapsed = parts_run(workers, units, seconds, constants, random.Random(1))
            print(f"| {seconds:g} s | {workers:,} | {elapsed:,.1f} | {100 * units * seconds / workers / elapsed:.0f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hsel", default=str(HERE / "build/release/hsel"))
    parser.add_argument("--simulate", action="store_true")
    arguments = parser.parse_args()
    simulate(FITTED if arguments.simulate else measure(os.path.abspath(arguments.hsel)))


if __name__ == "__main__":
    main()
