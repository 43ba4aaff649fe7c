#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stores, packs, models and reports when something goes wrong: nothing that was committed is lost, nothing half-written is read as whole.

Usage: stores.py [--hsel PROGRAM] [--rounds N] [PART…]

Parts, all if none is named:
  kill      N kills at random moments of runs with threads and in parts, half of them without shared memory (shim.c)
  calls     killed at, and on a full disk from, N of the calls that write
  slow      each call that writes or syncs takes 2 ms longer
  readonly  a store and a folder that cannot be written
  clock     the clock ten years ahead, ten back, and stepping while it runs (Debian: faketime)
  two       N times two runs at once on one store
  power     a run, a pack, a model and a report are recorded (recorder.c) and cut off at N moments: what was not synced is dropped, kept, or
            kept in part, in any order and torn
After each the store must be sound, have no fewer jobs than before, and going on must end in the table of an undisturbed run. Prints a
table of counts (docs/reliability.md).
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "study"))
from run import Trial, check, shim  # noqa: E402

REPEATS = 3


def report(what, where, counts):
    print(f"| {what} | {where} | {sum(counts.values())} | " + ", ".join(f"{counts[kind]} {kind}" for kind in sorted(counts)) + " |", flush=True)


def count(counts, kind):
    counts[kind] = counts.get(kind, 0) + 1


# ---- kills ----

def kill_threads(trial, chance, state, environment):
    """One run on the store, killed; a store that is done is compared and begun again."""
    store = state.setdefault("store", "threads0.db")
    process = trial.start(store, "--threads", str(chance.randint(1, 3)), env=environment)
    return end(trial, process, [store], chance, state, lambda: trial.compare(store))


def kill_parts(trial, chance, state, environment):
    folder = state.setdefault("folder", "parts0")
    part = chance.randint(1, 3)
    process = subprocess.Popen([trial.hsel, "run", "trial.yaml", "--store", folder, "--part", f"{part}/3", "--threads", "1"], cwd=trial.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)

    def gathered():
        if len(list((trial.folder / folder).glob("*.db"))) == 3:
            trial.compare(folder + ".db", "--gather", folder)
            shutil.rmtree(trial.folder / folder)
            (trial.folder / (folder + ".db")).unlink()

    return end(trial, process, [f"{folder}/trial.{i}-of-3.db" for i in (1, 2, 3)], chance, state, gathered)


def end(trial, process, stores, chance, state, compare):
    """Waits a while and kills; what happened. Jobs never become fewer."""
    try:
        out, err = process.communicate(timeout=chance.uniform(0.005, trial.seconds))
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        before, now = state.get("jobs", {}), {store: trial.jobs(store) for store in stores}
        check(all(now[store] >= before.get(store, 0) for store in stores), "finished jobs are lost:", before, "became", now)
        grew = sum(now.values()) > sum(before.get(store, 0) for store in stores)
        state["jobs"] = now
        return "killed after new jobs" if grew else "killed before any"
    check(process.returncode == 0, process.returncode, out, err)
    compare()
    for store in stores:
        (trial.folder / store).unlink(missing_ok=True)
    state.pop("jobs", None)
    return "done"


def kill(trial, rounds):
    lacking, chance = shim(trial), random.Random(1)
    ways, states, counts = [(kill_threads, "threads"), (kill_parts, "parts")], {}, {}
    kills = 0
    while kills < rounds:
        way, name = chance.choices(ways, (2, 1))[0]
        lacks = chance.choice(["", "m"])
        happened = way(trial, chance, states.setdefault(name, {}), lacking(lacks) if lacks else dict(os.environ))
        if happened != "done":
            kills += 1
            count(counts.setdefault(name, {}), happened)
    for way, name in ways:
        report("killed at random times", f"run, {name}", counts.get(name, {}))


def calls(trial, rounds):
    lacking = shim(trial)
    for lacks, where in (("", "with a log"), ("m", "with a rollback journal")):
        log = trial.folder / "calls"
        trial.run("calls.db", "--threads", "1", env={**lacking(lacks), "CHAOS_CALLS": str(log)})
        number = len(log.read_text())
        (trial.folder / "calls.db").unlink()
        for action in "kill", "full":
            counts = {}
            for i in range(rounds):
                at = 1 + i * (number - 1) // max(rounds - 1, 1)
                process = trial.start("calls.db", "--threads", "1", env={**lacking(lacks), "CHAOS_AT": str(at), "CHAOS_DO": action})
                out, err = process.communicate(timeout=120)
                lines = err.splitlines()
                if action == "kill":
                    check(process.returncode in (0, -signal.SIGKILL), at, process.returncode, err)  # 0: there were fewer calls this time
                else:
                    check(process.returncode in (0, 1) and (process.returncode == 0 or (len(lines) == 1 and "calls.db" in err)), at, err)
                    if process.returncode:
                        check("the disk" in err or "No space" in err, at, err)
                jobs = trial.jobs("calls.db")
                trial.compare("calls.db")
                count(counts, "nothing there yet" if jobs == 0 else "all there" if jobs == 24 * 3 * 10 * trial.repeats else "some jobs there")
                (trial.folder / "calls.db").unlink()
            report("killed at a call" if action == "kill" else "full disk", f"run, {where}", counts)


def slow(trial, rounds):
    lacking, counts = shim(trial), {}
    for lacks in ("", "m"):
        trial.compare(f"slow{lacks}.db", "--threads", "2", env={**lacking(lacks), "CHAOS_SLOW": "2"})
        count(counts, "same table")
    report("slow disk", "run", counts)


def readonly(trial, rounds):
    """A user who may only read: reports work, runs are refused with one line, nothing changes."""
    counts, folder = {}, trial.folder / "kept"
    folder.mkdir()
    user = {"user": 65534, "group": 65534} if os.getuid() == 0 else {}
    trial.folder.chmod(0o755)
    program = shutil.copy(trial.hsel, trial.folder / "hsel")  # where it is built may be closed to others
    for name in ("log", "journal"):
        shutil.copy(trial.folder / "reference.db", folder / f"{name}.db")
    lacking = shim(trial)
    trial.run("kept/journal.db", env=lacking("m"))
    for path in (*folder.iterdir(), folder):
        path.chmod(0o444 if path.is_file() else 0o555)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name in ("log", "journal"):
        for command, good in ((["report", f"kept/{name}.db", "--format", "text"], True), (["check", f"kept/{name}.db"], True),
                              (["run", "trial.yaml", "--store", f"kept/{name}.db"], False)):
            done = subprocess.run([program, *command], cwd=trial.folder, capture_output=True, text=True, **user)
            lines = [line for line in done.stderr.splitlines() if not line.startswith("note: ")]
            check((done.returncode == 0) == good and len(lines) == (0 if good else 1), command, done.returncode, done.stderr)
            count(counts, "read" if good else "refused")
    check({path.name: path.read_bytes() for path in folder.iterdir()} == before, "something was changed")
    folder.chmod(0o755)
    report("read-only store and folder", "report, check, run", counts)


def clock(trial, rounds):
    library = next(iter(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)
    if not library:
        print("| clock steps | run | 0 | left out: faketime is not installed |")
        sys.exit(77)
    counts, lacking = {}, shim(trial)
    for lacks in ("", "n"):
        preload = lacking(lacks)
        both = f"{preload['LD_PRELOAD']}:{library}"
        for step in ("+10y", "-10y"):
            trial.compare(f"clock{step}{lacks}.db", env={**preload, "LD_PRELOAD": both, "FAKETIME": step})
            count(counts, "same table")
        steps = trial.folder / "steps"
        steps.write_text("+0\n")
        process = trial.start(f"steps{lacks}.db", "--threads", "2", env={**preload, "LD_PRELOAD": both, "FAKETIME_TIMESTAMP_FILE": str(steps),
                                                                         "FAKETIME_NO_CACHE": "1"})
        for step in ("+1h", "-1d", "+3y", "-3y", "+0") * 3:
            (trial.folder / "next").write_text(step + "\n")
            (trial.folder / "next").rename(steps)
            time.sleep(0.03)
        out, err = process.communicate(timeout=120)
        check(process.returncode == 0, out, err)
        trial.compare(f"steps{lacks}.db")
        count(counts, "same table")
    report("clock steps", "run", counts)


def two(trial, rounds):
    lacking, chance, counts = shim(trial), random.Random(2), {}
    for i in range(rounds):
        environment = lacking(("", "n", "nl")[i % 3])
        pair = []
        for _ in range(2):
            pair.append(trial.start("both.db", "--threads", "1", env=environment))
            time.sleep(chance.choice([0, 0, chance.uniform(0, 0.3)]))
        ends = [process.communicate(timeout=120) for process in pair]
        for process, (out, err) in zip(pair, ends):
            check(process.returncode == 0 or (process.returncode == 1 and "is writing to this store" in err), process.returncode, out, err)
            count(counts, "ran" if process.returncode == 0 else "refused")
        check(any(process.returncode == 0 for process in pair), "both were refused", ends)
        trial.compare("both.db")
        (trial.folder / "both.db").unlink()
    report("two at once", "run", counts)


# ---- power cuts ----

class Disk:
    """Files as a disk has them: what is synced, and what waits. Names wait for a sync of their folder, in order."""

    def __init__(self, files):
        self.number = 0
        self.names, self.pending_names = {}, []
        self.synced, self.pending, self.of = {}, {}, {}
        for name, content in files.items():
            self.names[name] = self.new()
            self.synced[self.names[name]] = content
        self.seen = dict(self.names)  # as programs see it

    def new(self):
        self.number += 1
        self.synced[self.number], self.pending[self.number] = b"", []
        return self.number

    def do(self, kind, inode, offset, name, data):
        if kind == "o":
            if name not in self.seen:
                self.seen[name] = self.new()
                self.pending_names.append(("link", name, self.seen[name]))
            self.of[inode] = self.seen[name]
        elif kind == "d":
            self.of[inode] = "folder"
        elif kind in "wt" and inode in self.of:
            self.pending[self.of[inode]].append((kind, offset, data))
        elif kind == "s" and self.of.get(inode) == "folder":
            apply_names(self.names, self.pending_names)
            self.pending_names = []
        elif kind == "s" and inode in self.of:
            file = self.of[inode]
            self.synced[file] = apply(self.synced[file], self.pending[file])
            self.pending[file] = []
        elif kind == "r":
            target = data.decode()
            self.seen[target] = self.seen.pop(name)
            self.pending_names.append(("move", name, target))
        elif kind == "u":
            self.seen.pop(name, None)
            self.pending_names.append(("unlink", name, None))

    def after_cut(self, how, chance):
        """Files by name: 'none' of what waits is there, 'all' of it, or 'some'."""
        names = dict(self.names)
        waiting = self.pending_names if how == "all" else self.pending_names[:chance.randint(0, len(self.pending_names))] if how == "some" else []
        apply_names(names, waiting)
        files = {}
        for name, file in names.items():
            steps = self.pending[file]
            if how == "some":
                steps = [step for step in steps if chance.random() < 0.5]
                if steps and steps[-1][0] == "w" and chance.random() < 0.5:  # torn
                    kind, offset, data = steps[-1]
                    steps[-1] = kind, offset, data[:len(data) // 1024 * 512]
            files[name] = self.synced[file] if how == "none" else apply(self.synced[file], steps)
        return files


def apply(content, steps):
    content = bytearray(content)
    for kind, offset, data in steps:
        if kind == "t":
            content = content[:offset] + bytes(max(0, offset - len(content)))
        else:
            content += bytes(max(0, offset - len(content)))
            content[offset:offset + len(data)] = data
    return bytes(content)


def apply_names(names, steps):
    for what, name, other in steps:
        if what == "link":
            names[name] = other
        elif what == "unlink":
            names.pop(name, None)
        elif name in names:
            names[other] = names.pop(name)


def parse(log):
    """Records of recorder.c."""
    content, at, records = log.read_bytes(), 0, []
    while at < len(content):
        end_of_line = content.index(b"\n", at)
        kind, inode, offset, length, name = content[at:end_of_line].decode().split(" ", 4)
        at = end_of_line + 1 + int(length)
        records.append((kind, int(inode), int(offset), name, content[end_of_line + 1:at]))
    return records


def cuts(trial, recorder, command, before, rounds, judge, environment=None, keep=()):
    """Records the command in a folder with the files `before`, then judges what is left by cuts at `rounds` moments."""
    place, log, chance, counts = trial.folder / "power", trial.folder / "log", random.Random(3), {}
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    log.unlink(missing_ok=True)
    put = lambda files: [(place / name).write_bytes(content) for name, content in files.items()]
    put(before)
    preload = (environment or {}).get("LD_PRELOAD", "")
    done = subprocess.run([trial.hsel, *command], cwd=place, capture_output=True, text=True,
                          env={**os.environ, **(environment or {}), "LD_PRELOAD": f"{recorder}:{preload}".rstrip(":"), "CHAOS_ROOT": str(place),
                               "CHAOS_LOG": str(log)})
    check(done.returncode == 0, command, done.stderr)
    records = parse(log)
    disk, moments = Disk(before), {len(records) * i // rounds for i in range(1, rounds + 1)} | {len(records)}
    state = {}
    for number, record in enumerate(records, 1):
        disk.do(*record)
        for how in ("none", "all", "some") if number in moments else ():
            for path in place.iterdir():
                path.unlink()
            put({name: content for name, content in disk.after_cut(how, chance).items() if not name.endswith(("-shm", "-lock"))})
            count(counts, judge(place, how, number == len(records), state))
    return counts


def power(trial, rounds):
    recorder = trial.folder / "recorder.so"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", recorder, HERE / "recorder.c", "-ldl"], check=True)
    hsel = lambda *command, place=trial.folder: subprocess.run([trial.hsel, *command], cwd=place, capture_output=True, text=True)
    study = (trial.folder / "trial.yaml").read_bytes()
    lacking = shim(trial)

    # a store: sound after any cut, jobs that were synced are there, and going on gives the table
    for lacks, where in (("", "with a log"), ("m", "with a rollback journal")):
        def judge(place, how, last, state):
            store = place / "t.db"
            looked = hsel("check", "t.db", place=place) if store.exists() and store.stat().st_size else None
            jobs = trial.jobs("power/t.db")
            if how == "none":
                check(jobs >= state.get("synced", 0), "jobs are lost:", state, jobs)
                state["synced"] = jobs
            check(jobs >= state.get("synced", 0), how, jobs, state)
            # of all cuts, the last and some others are gone on with
            state["cuts"] = state.get("cuts", 0) + 1
            if last or state["cuts"] % 5 == 0:
                done = hsel("run", "trial.yaml", "--store", "t.db", "--export", "t.csv", "--threads", "1", place=place)
                check(done.returncode == 0, how, done.stderr)
                check("damaged" not in done.stderr, how, done.stderr)
                check((place / "t.csv").read_bytes() == trial.table, "another table")
            if last:
                check(jobs == 24 * 3 * 10 * trial.repeats, how, "at the end there are", jobs)
            check(looked is None or looked.returncode == 0 or jobs == 0, looked)
            return "nothing there yet" if jobs == 0 else "all there" if jobs == 24 * 3 * 10 * trial.repeats else "some jobs there"
        report("power cut", f"store {where}", cuts(trial, recorder, ["run", "trial.yaml", "--store", "t.db", "--threads", "1"], {"trial.yaml": study},
                                                   rounds, judge, lacking(lacks) if lacks else None))

    # single files: old or new, or refused
    for name, make in (("t.hsel", lambda seed, out: ["generate", f"ontology:instances=80,features=60,positives=8", "--seed", seed, "-o", out]),
                       ("t.model", lambda seed, out: ["train", f"d{seed}.hsel", "--classify", "forest", "-o", out]),
                       ("t.html", lambda seed, out: ["report", f"r{seed}.db", "-o", out])):
        contents, inputs = {}, {}
        for seed in "1", "2":
            hsel("generate", "ontology:instances=80,features=60,positives=8", "--seed", seed, "-o", f"d{seed}.hsel")
            (trial.folder / f"r{seed}.yaml").write_text(f"name: r{seed}\ndatasets: [d{seed}.hsel]\nselectors: [none, rpv]\nclassifiers: [nb]\n")
            hsel("run", f"r{seed}.yaml")
            done = hsel(*make(seed, name))
            check(done.returncode == 0, done.stderr)
            contents[seed] = (trial.folder / name).read_bytes()
            (trial.folder / name).unlink()
            for path in (f"d{seed}.hsel", f"r{seed}.db"):
                inputs[path] = (trial.folder / path).read_bytes()
        # what depends on time differs between two runs of the same command: the new one is what the recorded run wrote
        def judge(place, how, last, state):
            there = (place / name).read_bytes() if (place / name).exists() else None
            if there == contents["1"]:
                check(not last, "the new file is lost")
                return "old"
            state.setdefault("new", there)
            check(there == state["new"] and len(there) > 0, how, "neither old nor new")
            looked = hsel(*{"t.hsel": ["check", name], "t.model": ["predict", name, "d2.hsel"], "t.html": ["version"]}[name], place=place)
            check(looked.returncode == 0, looked.stderr)
            return "new"
        report("power cut", {"t.hsel": "pack", "t.model": "model", "t.html": "report"}[name],
               cuts(trial, recorder, make("2", name), {**inputs, name: contents["1"]}, rounds, judge))


def main():
    parts = {part.__name__: part for part in (kill, calls, slow, readonly, two, power, clock)}
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hsel", default=str(HERE.parents[1] / "build/release/hsel"))
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("parts", nargs="*", default=[], metavar="PART", choices=[[], *parts])
    arguments = parser.parse_args()
    print("| what | output | times | found afterwards |\n|---|---|---|---|")
    for name in arguments.parts or parts:
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        with tempfile.TemporaryDirectory(prefix="hsel-chaos-", dir=memory) as folder:
            parts[name](Trial(arguments.hsel, folder, REPEATS), arguments.rounds)


if __name__ == "__main__":
    main()
