#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""hsel tune, stopped or killed: R and what R started end with it. In place of R, a script that waits for a child.

    tune_stop.py HSEL
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

STUDY = """
datasets: [{name: a, generate: "ontology:instances=40,features=20,positives=5", seed: 1}]
selectors: shsel
classifiers: nb
folds: {count: 2, repeats: 2}
tune: {parameters: {threshold: bounds}}
"""
RSCRIPT = """#!/bin/sh
[ "$2" = -e ] && exit 0 # is irace there?
sleep 600 &
echo $$ $! > ../pids.new && mv ../pids.new ../pids
wait
"""


def wait_for(condition, what, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"{what}: not within {seconds} s")
        time.sleep(0.02)


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def main():
    hsel = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "study.yaml").write_text(STUDY)
        (folder / "Rscript").write_text(RSCRIPT)
        (folder / "Rscript").chmod(0o755)
        environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}")
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGKILL:
            (folder / "pids").unlink(missing_ok=True)
            process = subprocess.Popen([hsel, "tune", "study.yaml"], cwd=folder, env=environment)
            wait_for((folder / "pids").exists, "R begins")
            pids = (folder / "pids").read_text().split()
            assert len(pids) == 2 and all(map(alive, pids))
            process.send_signal(number)
            process.wait(20)
            try:
                wait_for(lambda: not any(map(alive, pids)), f"{number.name}: R ends")
            finally:
                for pid in filter(alive, pids):
                    os.kill(int(pid), signal.SIGKILL)
    print("tune ends what it started")


if __name__ == "__main__":
    main()
