#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""hsel run when things go wrong: whatever happens to a run, going on with it ends in the table and the
rankings of an undisturbed one.

Usage: run.py HSEL kill|stop|disk|two|array|hosts       (one part a test; the table is compared to the byte)
"""
import concurrent.futures
import os
import pathlib
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

STUDY = """name: trial
datasets:
  - {name: one, generate: "ontology:instances=150,features=200,positives=20", seed: 1}
  - {name: two, generate: "ontology:instances=120,features=150,positives=15,classes=3", seed: 2}
  - {name: three, generate: "shsel-synthetic:instances=150,middle=40,branching=3", seed: 3}
selectors: [none, rpv, hip, mr, hnb, "shsel:threshold={0.9,0.95,0.99}"]
classifiers: ["nb:calibration=none", "knn:k={1,3},calibration=none"]
folds: {count: 10, repeats: 3, seed: 5}
metrics: [gm, auroc, accuracy]
rankings: [auc, ks, ig, relieff]
"""
JOBS = 3 * 8 * 3 * 10 * 3


def check(condition, *what):
    if not condition:
        print("failed:", *what)
        sys.exit(1)


class Trial:
    """A folder with the study, the command, and the table that every run must end in."""

    def __init__(self, hsel, folder, repeats):
        self.hsel, self.folder, self.repeats = os.path.abspath(hsel), pathlib.Path(folder), repeats
        (self.folder / "trial.yaml").write_text(STUDY.replace("repeats: 3", f"repeats: {repeats}"))
        began = time.monotonic()
        self.run("reference.db", "--threads", "1", "--export", "reference.csv")
        self.seconds = time.monotonic() - began
        self.table = (self.folder / "reference.csv").read_bytes()
        check(self.table.count(b"\n") == 1 + 3 * 8 * 3 * 3, "the table has", self.table.count(b"\n"), "lines")
        check(b",," not in self.table, "the table has empty fields")
        self.scores = self.rankings("reference.db")
        check(len(self.scores) == 3 * 4 and all(row[2] for row in self.scores), len(self.scores), "rankings")

    def command(self, store, *options):
        return [self.hsel, "run", "trial.yaml", "--store", store, *options]

    def start(self, store, *options, before=(), **more):
        return subprocess.Popen([*before, *self.command(store, *options)], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)

    def run(self, store, *options, expect=0, **more):
        process = self.start(store, *options, **more)
        out, err = process.communicate(timeout=600)
        check(process.returncode == expect, "exit code", process.returncode, "instead of", expect, "\n", out, err)
        return out, err

    def compare(self, store, *options, **more):
        self.run(store, *options, "--export", "again.csv", **more)
        check((self.folder / "again.csv").read_bytes() == self.table, store, "ends in another table")
        check(self.rankings(store) == self.scores, store, "has other rankings")
        left = sorted(path.name for path in self.folder.glob(store + "*"))
        check(left == [store], "left behind:", *left)

    def rankings(self, store):
        """The scores of all rankers."""
        with sqlite3.connect(self.folder / store) as db:
            rows = db.execute("SELECT fingerprint, c.text, probability FROM job j JOIN unit u ON u.id = j.unit "
                              "JOIN dataset d ON d.id = u.dataset JOIN text s ON s.id = u.selector "
                              "JOIN text c ON c.id = j.classifier WHERE s.text = '' ORDER BY 1, 2").fetchall()
        db.close()
        return rows

    def jobs(self, store):
        """Finished jobs, in a store that must be sound."""
        if not (self.folder / store).exists():
            return 0
        with sqlite3.connect(self.folder / store) as db:
            check(db.execute("PRAGMA integrity_check").fetchone()[0] == "ok", store, "is damaged")
            there = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'job'").fetchone()[0]
            count = db.execute("SELECT count(*) FROM jobs WHERE ok").fetchone()[0] if there else 0
        db.close()
        return count


def kill(trial):
    """Killed twenty times at random moments, and on until five of the runs killed had finished something.
    A machine may become slower than it was when the trial was timed, so a run that finished nothing gives the next one more time."""
    chance, kills, store, number, before, grew = random.Random(1), 0, "killed0.db", 0, 0, 0
    longest = trial.seconds / 6
    while kills < 20 or (grew < 5 and kills < 200):
        process = trial.start(store, "--threads", str(1 + kills % 3))
        try:
            process.communicate(timeout=chance.uniform(0.01, longest))
            check(process.returncode == 0, "exit code", process.returncode)
            trial.compare(store)  # done before it could be killed: begin another
            number, before = number + 1, 0
            store = f"killed{number}.db"
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
            now = trial.jobs(store)
            check(now >= before, "finished jobs are lost:", before, "became", now)
            longest = trial.seconds / 6 if now > before else longest * 1.2
            grew, before = grew + (now > before), now
    check(grew >= 5, "only", grew, "of the runs that were killed had finished something")
    trial.compare(store)
    print(f"killed {kills} times, of which {grew} had finished something; {number + 1} stores")


def stop(trial):
    """Ctrl-C and SIGTERM stop it cleanly; --progress=json tells how far it is."""
    for number in (signal.SIGINT, signal.SIGTERM):
        store = f"stopped{number}.db"
        process = trial.start(store, "--threads", "1", "--progress", "json")
        while trial_line := process.stderr.readline():
            if '"done"' in trial_line:
                break
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        check(process.returncode == 1 and "hsel: stopped with " in err and "the same command resumes" in err,
              process.returncode, err)
        told = int(err.split("stopped with ")[1].split(" of ")[0].replace(",", ""))
        check(told == trial.jobs(store), "told", told, "and there are", trial.jobs(store))
        check(told < JOBS // 3 * trial.repeats, "it was not stopped")
        trial.compare(store)
    for threads in ("1", "8"):
        trial.compare(f"threads{threads}.db", "--threads", threads)
    print("stopped and continued; the same with 1 and 8 threads")


def disk(trial):
    """No file may grow beyond a limit, which stands for a full disk; then it is raised."""
    full, limit = 0, 200 * 1024
    while True:
        process = trial.start("disk.db", restore_signals=False,  # SIGXFSZ stays ignored
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        out, err = process.communicate(timeout=600)
        if process.returncode == 0:
            break
        check(process.returncode == 1 and err.startswith("hsel: disk.db: the store cannot be written: is the disk full?")
              and err.count("\n") == 1, process.returncode, err)
        trial.jobs("disk.db")
        full, limit = full + 1, limit + 700 * 1024
    check(full >= 2, "the disk was full", full, "times only")
    trial.compare("disk.db")
    print(f"full {full} times, then continued")


def text_of(file):
    try:
        return file.read_text()
    except FileNotFoundError:
        return ""


def file_size(file):
    return file.stat().st_size if file.exists() else 0


def start_and_hold(trial, store, size=0, **more):
    """A run that has the lock of the store (its file then says who that is) and stands still until it gets SIGCONT; the store has that
    many bytes by then."""
    lock = trial.folder / f"{store}-lock"
    while True:
        process = trial.start(store, "--threads", "1", **more)
        while process.poll() is None and not (text_of(lock) and (not size or file_size(trial.folder / store) >= size)):
            time.sleep(0.001)
        process.send_signal(signal.SIGSTOP)
        state = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT) if process.returncode is None else None
        if state and state.si_code == os.CLD_STOPPED and lock.exists():
            return process
        if state and state.si_code == os.CLD_STOPPED:  # the machine is so busy that it was done before
            process.send_signal(signal.SIGCONT)
        process.communicate()
        (trial.folder / store).unlink()


def two(trial):
    """Two runs on one store: the second says so, or waits; a store takes over another."""
    first = start_and_hold(trial, "two.db")
    try:
        out, err = trial.run("two.db", expect=1)
    finally:
        first.send_signal(signal.SIGCONT)
    check(f"hsel: two.db: process {first.pid} on " in err and "is writing to this store; wait for it with --wait" in err, err)
    out, err = trial.run("two.db", "--wait")
    check(first.wait() == 0, "the first run failed")
    first.communicate()
    check("done before" in out and f"{JOBS:,}" in out, out)
    trial.compare("two.db")
    for name, seed in (("half1.db", 5), ("half2.db", 6)):  # two machines, each with some of the repeats
        text = STUDY.replace("repeats: 3, seed: 5", f"repeats: {seed - 4}, seed: {seed}")
        (trial.folder / "half.yaml").write_text(text)
        subprocess.run([trial.hsel, "run", "half.yaml", "--store", name, "-q"], cwd=trial.folder, check=True,
                       stdout=subprocess.DEVNULL)
    out, err = trial.run("half1.db", "--import", "half2.db")
    check("note: half2.db: 1,440 jobs merged" in err and "done now" in out, out, err)
    trial.compare("half1.db")
    print("the second was told, and waited; two halves were put together")


def shim(trial):
    """A library loaded before the C library, which stands for a file system that lacks something (chaos/shim.c)."""
    path = trial.folder / "shim.so"
    source = pathlib.Path(__file__).resolve().parents[1] / "chaos/shim.c"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl"], check=True)
    return lambda lacks: {**os.environ, "LD_PRELOAD": str(path), "CHAOS_FS": lacks}


def journal(trial, store):
    """Which journal the store has, by its header: 1 rollback, 2 write-ahead log."""
    return (trial.folder / store).read_bytes()[18]


def array(trial):
    """A job array of 100 tasks where no memory can be shared: one is lost, one damaged, one killed; the rest gives the table."""
    lacking = shim(trial)
    parts, folder = 100, trial.folder / "trial.parts"

    def task(number, *options):
        environment = {**lacking("m"), "SLURM_ARRAY_TASK_ID": str(number), "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": str(parts),
                       "SLURM_ARRAY_TASK_STEP": "1", "SLURM_ARRAY_TASK_COUNT": str(parts)}
        return subprocess.run([trial.hsel, "run", "trial.yaml", "--part", "array", "--threads", "1", *options], cwd=trial.folder, env=environment,
                              capture_output=True, text=True)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        done = list(pool.map(task, range(1, parts + 1)))
    check(all(one.returncode == 0 for one in done), *[one.stderr for one in done if one.returncode][:3])
    stores = sorted(path.name for path in folder.iterdir())
    check(stores == [f"trial.{i:03}-of-100.db" for i in range(1, parts + 1)], stores)
    check(all(journal(trial, f"trial.parts/{name}") == 1 for name in stores), "a part has a log")
    shares = [float(one.stdout.split(" of 100, ")[1].split(" %")[0]) for one in done]
    check(max(shares) < 1.1 and min(shares) > 0.9, "the parts are not balanced:", min(shares), max(shares))
    out, err = trial.run("whole.db", "--gather", "trial.parts", "--export", "whole.csv", env=lacking("m"))
    check("trial.parts: 100 of 100 parts merged" in err and " done now               0" in out and "2,160" in out, out, err)
    check((trial.folder / "whole.csv").read_bytes() == trial.table, "the parts give another table")
    check(trial.rankings("whole.db") == trial.scores, "the parts give other rankings")
    lost = trial.jobs(f"trial.parts/{stores[16]}") + trial.jobs(f"trial.parts/{stores[41]}")
    (folder / stores[16]).unlink()
    with open(folder / stores[41], "r+b") as damaged:
        damaged.truncate(5000)
    out, err = trial.run("part.db", "--gather", "trial.parts", "--dry-run")
    check("1 part is missing: 17" in err and "a part is left out: trial.parts/trial.042-of-100.db" in err, err)
    check(out.splitlines()[-1].split()[-1] == str(lost), lost, "are to do, not\n", out)
    trial.compare("part.db")
    again = task(17)
    check(again.returncode == 0, again.stderr)
    out, err = trial.run("part.db", "--gather", "trial.parts")
    check("99 of 100 parts" in err, err)
    check("the study was divided into 100 parts, not 4" in subprocess.run(
        [trial.hsel, "run", "trial.yaml", "--part", "4/4"], cwd=trial.folder, capture_output=True, text=True).stderr)
    print(f"100 parts of {min(shares)} to {max(shares)} % each give the same table, also with one lost and one damaged")


def hosts(trial):
    """Stores where no memory is shared, there are no locks, or other machines may write: no log, one writer, who is named."""
    lacking = shim(trial)
    for lacks in ("", "m", "s", "l", "n", "nl"):
        trial.run("fs.db", "--export", "again.csv", env=lacking(lacks))
        check((trial.folder / "again.csv").read_bytes() == trial.table, lacks, "ends in another table")
        check(journal(trial, "fs.db") == (1 if lacks else 2), lacks, "has the other journal")
        left = sorted(path.name for path in trial.folder.glob("fs.db*"))
        check(left == ["fs.db"], "left behind:", *left)
        # one that was made elsewhere, with a log, and one that a killed run left its journal beside
        shutil.copy(trial.folder / "reference.db", trial.folder / "moved.db")
        report = subprocess.run([trial.hsel, "report", "moved.db", "--format", "text"], cwd=trial.folder, env=lacking(lacks), capture_output=True)
        check(report.returncode == 0, lacks, report.stderr)
        trial.run("moved.db", env=lacking(lacks))
        check(journal(trial, "moved.db") == (1 if lacks else 2), lacks, "has the other journal after it was moved")
        (trial.folder / "fs.db").unlink()
    record, lock = "process 77 on elsewhere\nstarted 5 machine another\n", trial.folder / "fs.db-lock"
    long_ago = time.time() - 3600
    for lacks in ("n", "nl"):
        lock.write_text(record)
        out, err = trial.run("fs.db", expect=1, env=lacking(lacks))
        check("fs.db: process 77 on elsewhere is writing to this store" in err, err)
        out, err = trial.run("fs.db", "--take-over", expect=1, env=lacking(lacks))
        check("fs.db: process 77 on elsewhere is writing to this store" in err, err)
        os.utime(lock, (long_ago, long_ago))
        out, err = trial.run("fs.db", expect=1, env=lacking(lacks))
        check("process 77 on elsewhere was writing to this store but has shown no activity" in err and "--take-over" in err, err)
        check(lock.read_text() == record, "the lock was changed")
        trial.run("fs.db", "--take-over", env=lacking(lacks))
        check(not lock.exists(), "the lock is left")
        # one of this machine, which does not exist any more, or is another with its number
        machine = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        for process in (os.getpid(), 4194303):
            lock.write_text(f"process {process} on here\nstarted 5 machine {machine}\n")
            trial.run("fs.db", env=lacking(lacks))
        (trial.folder / "fs.db").unlink()
    # two at once without any lock; and one that is taken over notices
    first = start_and_hold(trial, "fs.db", 150000, env=lacking("nl"))
    out, err = trial.run("fs.db", expect=1, env=lacking("nl"))
    check(f"process {first.pid} on " in err and "is writing to this store" in err, err)
    lock.write_text(record)
    time.sleep(10.5)
    first.send_signal(signal.SIGCONT)
    out, err = first.communicate(timeout=60)
    check(first.returncode == 1 and "another process has taken over this store" in err, first.returncode, err)
    check(lock.read_text() == record, "the lock of the other was removed")
    lock.unlink()
    trial.compare("fs.db", env=lacking("nl"))
    print("six file systems give the same table; locks of others are respected, named and taken over")


def state(process):
    """State and parent of a process, as in /proc; of one that is gone: Z."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return "Z", 0
    return fields[0], int(fields[1])


def main():
    parts = {part.__name__: part for part in (kill, stop, disk, two, array, hosts)}
    if len(sys.argv) != 3 or sys.argv[2] not in parts:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="hsel-study-") as folder:
        repeats = {"kill": 60, "stop": 40, "hosts": 1}.get(sys.argv[2], 3)  # long enough to be in the middle of it
        parts[sys.argv[2]](Trial(sys.argv[1], folder, repeats))


if __name__ == "__main__":
    main()
