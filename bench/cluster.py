#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a study scales: measurements with 1 to 8 processes and parts, a model fitted to them, and a simulated cluster of up to 1,000 workers.

Usage: bench/cluster.py [--hsel PROGRAM] [--simulate]       (--simulate: only the simulation, with the constants in this file)

Measured: what a unit (a selector with its classifiers in a fold) costs beside the methods, for a single process, for a worker and for the
first process under mpirun, by their processor time; what starting a part and gathering costs. The model: a worker computes and is then
served by the first process, one message after the other. On a machine with few cores processor time stands for capacity.

Simulated: chunks, messages and waiting as in study/cluster.c; machines that fail now and then (mean time between failures 1,000 hours
each). Under MPI a failure ends the run, which is started again and continues; in parts only that part is.
"""
import argparse
import heapq
import math
import os
import pathlib
import random
import sqlite3
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parents[1]
# Seconds, as measured once: a unit beside its methods in one process, in the first process of MPI, for a worker; starting a part; gathering
# a part; gathering a unit. A message by itself is a guess.
FITTED = {"store": 3e-6, "first": 16.5e-6, "worker": 1e-6, "start": 0.08, "part": 0.021, "gathered": 15e-6, "message": 20e-6}
CHUNK_SECONDS, CHUNK_LIMIT, SEND_SECONDS = 0.1, 256, 0.05
FAILS_HOURS, AGAIN_SECONDS = 1000, 60


def unit_bytes(tested, features, classes, classifiers):
    """Of a result on its way (study/messages.c)."""
    score = 1 if classes == 2 else classes
    return 8 * 12 + 8 * tested + 4 * features + classifiers * (16 + 8 * tested * (classes + score))


# ---- measuring ----

STUDY = """name: s
datasets: [{{name: d, generate: "ontology:instances={instances},features={features},positives=8"}}]
selectors: [{selectors}]
classifiers: [{classifiers}]
folds: {{count: 10, repeats: {repeats}}}
"""


def measure(hsel):
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    found = {}
    with tempfile.TemporaryDirectory(prefix="hsel-cluster-") as name:
        folder = pathlib.Path(name)
        units = 4 * 10 * 500
        large = STUDY.format(instances=100, features=60, selectors="none, rpv, hip, shsel", classifiers="nb", repeats=500)
        small = STUDY.format(instances=100, features=60, selectors="none", classifiers="nb", repeats=1)
        (folder / "s.yaml").write_text(large)

        def timed(*before, command=("run", "s.yaml", "-q"), processes=1):
            """Elapsed seconds; user + system seconds of the first process and of the others."""
            (folder / "s.db").unlink(missing_ok=True)
            for old in folder.glob("times*"):
                old.unlink()
            script = f'exec /usr/bin/time -f "%U %S %e" -o times${{OMPI_COMM_WORLD_RANK:-0}} {hsel} {" ".join(command)}'
            subprocess.run([*before, "sh", "-c", script], cwd=folder, env=environment, check=True, capture_output=True)
            rows = {path.name[5:]: [float(x) for x in path.read_text().split()] for path in folder.glob("times*")}
            first = rows.pop("0")
            return first[2], first[0] + first[1], sum(row[0] + row[1] for row in rows.values())

        print("| processes | elapsed s | units per second | processor s of the first | of the others |\n|---|--:|--:|--:|--:|")
        alone = timed(command=("run", "s.yaml", "-q", "--threads", "1"))
        print(f"| 1, no MPI | {alone[0]:.2f} | {units / alone[0]:,.0f} | {alone[1]:.2f} | |")
        mpi = {}
        for workers in (1, 2, 4, 8):
            mpi[workers] = timed("mpirun", "-n", str(workers + 1))
            print(f"| 1 + {workers} | {mpi[workers][0]:.2f} | {units / mpi[workers][0]:,.0f} | {mpi[workers][1]:.2f} | {mpi[workers][2]:.2f} |")
        with sqlite3.connect(folder / "s.db") as db:
            methods = db.execute("SELECT (SELECT sum(seconds) FROM unit) + (SELECT sum(seconds) FROM job)").fetchone()[0] / units
        db.close()

        def in_parts():
            began = time.monotonic()
            for part in range(1, 9):
                subprocess.run([hsel, "run", "s.yaml", "-q", "--threads", "1", "--part", f"{part}/8"], cwd=folder, check=True, capture_output=True)
            gathering = timed(command=("run", "s.yaml", "-q", "--threads", "1", "--gather", "s.parts"))
            for store in (folder / "s.parts").iterdir():
                store.unlink()
            return time.monotonic() - began - gathering[0], gathering

        parts, gather = in_parts()
        # what starting costs, of a study with next to nothing to do
        (folder / "s.yaml").write_text(small)
        start, start_mpi = timed(command=("run", "s.yaml", "-q", "--threads", "1")), timed("mpirun", "-n", "2")
        _, gather_small = in_parts()
        each = lambda seconds, less: max(seconds - less, 0) / units
        found = {"methods": methods, "store": max(each(alone[1], start[1]) - methods, 1e-6), "first": each(mpi[2][1], start_mpi[1]),
                 "worker": max(each(mpi[2][2], start_mpi[2]) - methods, 1e-6), "start": start[0], "part": max(gather_small[0] - start[0], 0.001) / 8,
                 "gathered": each(gather[1], gather_small[1])}
        print(f"\n8 parts one after the other {parts:.2f} s, gathering them {gather[0]:.2f} s; one process {alone[0]:.2f} s; 1 + 2 with MPI {mpi[2][0]:.2f} s")
        print("\nfitted, in microseconds: " + ", ".join(f"{key} {1e6 * value:,.0f}" for key, value in found.items()))
    return {**FITTED, **found}


# ---- simulating ----

def mpi_run(workers, units, seconds, constants, chance):
    """Elapsed seconds of a study under mpirun, and the share of that time in which the first process was busy."""
    left, clock, busy, restarts = units, 0.0, 0.0, 0
    fails = lambda: chance.expovariate(workers / (FAILS_HOURS * 3600))
    while left > 0:
        dies, server = fails(), 0.0
        events = [(0.0, i, 0, 0) for i in range(workers)]  # when it sends, who, units that it has done, units left of its chunk
        heapq.heapify(events)
        end = 0.0
        given = left
        while events:
            at, who, done, rest = heapq.heappop(events)
            if at > dies:
                break
            server_start = max(server, at)
            cost = constants["message"] + done * constants["first"]
            left -= done
            if rest == 0 and given > 0:  # asks for more
                each = max(1, min(CHUNK_LIMIT, int(CHUNK_SECONDS / seconds)))
                share = given // (2 * workers)
                rest = min(given, max(1, min(each, share)))
                given -= rest
            server = server_start + cost
            busy += cost
            end = server
            if rest:
                now = max(1, min(rest, int(SEND_SECONDS / (seconds + constants["worker"])) or 1))
                took = sum(chance.lognormvariate(-0.125, 0.5) for _ in range(now)) * (seconds + constants["worker"]) if now < 20 \
                    else now * (seconds + constants["worker"])
                heapq.heappush(events, (server + took, who, now, rest - now))
        else:
            return clock + end + constants["start"], busy / (clock + end), restarts
        restarts += 1
        clock += dies + AGAIN_SECONDS
    return clock, busy / clock, restarts


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
    print("\n| a unit takes | workers | MPI: elapsed s | efficiency | first process busy | parts: elapsed s | efficiency |\n|--:|--:|--:|--:|--:|--:|--:|")
    for seconds, each in ((0.001, 30), (0.01, 60), (0.1, 60), (1.0, 600), (60.0, 8 * 3600)):
        for workers in (8, 64, 256, 1000):
            chance = random.Random(1)
            units = int(workers * each / seconds)
            ideal = units * seconds / workers
            elapsed, busy, restarts = mpi_run(workers, units, seconds, constants, chance)
            apart = parts_run(workers, units, seconds, constants, chance)
            print(f"| {seconds:g} s | {workers:,} | {elapsed:,.1f}{f' ({restarts} restarts)' if restarts else ''} | {100 * ideal / elapsed:.0f} % | {100 * busy:.0f} % | "
                  f"{apart:,.1f} | {100 * ideal / apart:.0f} % |")
    print(f"\nThe first process serves {1 / (constants['first']):,.0f} units per second: W workers are busy as long as a unit takes more than "
          f"W x {1e6 * constants['first']:.0f} microseconds, {1000 * 1000 * constants['first']:.0f} ms for 1,000.")
    print(f"A unit of 100 tested instances, 1,000 features, 2 classes and 3 classifiers is a message of {unit_bytes(100, 1000, 2, 3):,} bytes.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hsel", default=str(HERE / "build/release/hsel"))
    parser.add_argument("--simulate", action="store_true")
    arguments = parser.parse_args()
    simulate(FITTED if arguments.simulate else measure(os.path.abspath(arguments.hsel)))


if __name__ == "__main__":
    main()
